/* A CMS signature as text and as JSON: who signed, when, with which certificates. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "macho/describe_parts.h"

static void put_time(struct buf *out, const char *label, int64_t time, const char *remark)
{
    char text[CMS_TIME_MAX];
    cms_time_text(text, time);
    describe_label(out, label);
    buf_printf(out, "%s%s", text, remark);
}

static void put_certificate(struct buf *out, const struct cms_certificate *certificate,
                            size_t number)
{
    char from[CMS_TIME_MAX];
    char to[CMS_TIME_MAX];
    cms_time_text(from, certificate->not_before);
    cms_time_text(to, certificate->not_after);
    describe_label(out, number == 1 ? "  certificates" : "");
    buf_printf(out, "%zu  ", number);
    describe_put_name(out, certificate->subject);
    buf_putc(out, '\n');
    describe_label(out, "");
    buf_puts(out, "   issuer   ");
    describe_put_name(out, certificate->self_issued ? "itself" : certificate->issuer);
    buf_putc(out, '\n');
    describe_label(out, "");
    buf_printf(out, "   valid    %s to %s\n", from, to);
    describe_label(out, "");
    buf_puts(out, "   key      ");
    describe_put_name(out, certificate->key);
    buf_puts(out, ", signed with ");
    describe_put_name(out, certificate->signature_algorithm);
    buf_putc(out, '\n');
    describe_label(out, "");
    buf_printf(out, "   sha256   %s\n", certificate->sha256);
}

static const char *signer_name(const struct cms_signer *signer)
{
    if (signer->certificate != NULL)
        return signer->certificate->common_name;
    return "a certificate that is not here";
}

static void put_timestamp(struct buf *out, const struct cms_signer *signer)
{
    const struct cms_timestamp *timestamp = signer->timestamp;
    if (signer->timestamp_failure != NULL) {
        describe_label(out, "  timestamp");
        buf_puts(out, "cannot be read: ");
        describe_put_name(out, signer->timestamp_failure);
        buf_putc(out, '\n');
        return;
    }
    if (timestamp == NULL) {
        describe_line(out, "  timestamp", "none");
        return;
    }
    put_time(out, "  timestamp", timestamp->time, " by ");
    describe_put_name(out, timestamp->token.signer_count == 0
                               ? "nobody"
                               : signer_name(&timestamp->token.signers[0]));
    buf_putc(out, '\n');
}

static void put_signer(struct buf *out, const struct cms_signer *signer)
{
    describe_line(out, "  signer", signer_name(signer));
    describe_label(out, "  algorithms");
    describe_put_name(out, signer->digest_algorithm);
    buf_puts(out, ", ");
    describe_put_name(out, signer->signature_algorithm);
    buf_putc(out, '\n');
    if (signer->has_signing_time)
        put_time(out, "  signing time", signer->signing_time, " (the signer's own claim)\n");
    else
        describe_line(out, "  signing time", "not stated");
    put_timestamp(out, signer);
}

void describe_put_cms(struct buf *out, const struct cms *cms)
{
    for (size_t i = 0; i < cms->signer_count; i++)
        put_signer(out, &cms->signers[i]);
    if (cms->signer_count == 0)
        describe_line(out, "  signer", "none");
    for (size_t i = 0; i < cms->certificate_count; i++)
        put_certificate(out, &cms->certificates[i], i + 1);
}

/* "2019-12-05T12:31:49Z" */
static json_t *time_json(int64_t time)
{
    char text[CMS_TIME_MAX];
    size_t len = 0;
    cms_time_text(text, time);
    len = strlen(text);
    if (len > 4 && strcmp(text + len - 4, " UTC") == 0)
        memcpy(text + len - 4, "Z", 2);
    char *blank = strchr(text, ' ');
    if (blank != NULL)
        *blank = 'T';
    return js_text(text);
}

static json_t *certificate_json(const struct cms_certificate *certificate)
{
    json_t *object = js_object();
    js_set(object, "subject", js_text(certificate->subject));
    js_set(object, "issuer", js_text(certificate->issuer));
    js_set(object, "common_name", js_text(certificate->common_name));
    js_set(object, "serial", js_text(certificate->serial));
    js_set(object, "key", js_text(certificate->key));
    js_set(object, "signature_algorithm", js_text(certificate->signature_algorithm));
    js_set(object, "not_before", time_json(certificate->not_before));
    js_set(object, "not_after", time_json(certificate->not_after));
    js_set(object, "sha256", js_text(certificate->sha256));
    return object;
}

static json_t *certificates_json(const struct cms *cms)
{
    json_t *list = js_array();
    for (size_t i = 0; i < cms->certificate_count; i++)
        js_push(list, certificate_json(&cms->certificates[i]));
    return list;
}

static json_t *timestamp_json(const struct cms_timestamp *timestamp)
{
    const struct cms *token = &timestamp->token;
    json_t *object = js_object();
    js_set(object, "time", time_json(timestamp->time));
    js_set(object, "authority",
           js_text(token->signer_count == 0 || token->signers[0].certificate == NULL
                       ? NULL
                       : token->signers[0].certificate->subject));
    js_set(object, "serial", js_text(timestamp->serial));
    js_set(object, "policy", js_text(timestamp->policy));
    js_set(object, "certificates", certificates_json(token));
    return object;
}

static json_t *signer_json(const struct cms_signer *signer)
{
    const struct cms_certificate *certificate = signer->certificate;
    json_t *object = js_object();
    js_set(object, "subject", js_text(certificate == NULL ? NULL : certificate->subject));
    js_set(object, "sha256", js_text(certificate == NULL ? NULL : certificate->sha256));
    js_set(object, "digest_algorithm", js_text(signer->digest_algorithm));
    js_set(object, "signature_algorithm", js_text(signer->signature_algorithm));
    return object;
}

void describe_set_cms(json_t *object, const struct description_signature *signature)
{
    const struct cms *cms = &signature->cms;
    const struct cms_signer *signer =
        signature->has_cms && cms->signer_count != 0 ? &cms->signers[0] : NULL;
    bool dated = signer != NULL && signer->has_signing_time;
    bool stamped = signer != NULL && signer->timestamp != NULL;
    js_set(object, "signer", signer == NULL ? json_null() : signer_json(signer));
    js_set(object, "signing_time", dated ? time_json(signer->signing_time) : json_null());
    js_set(object, "timestamp", stamped ? timestamp_json(signer->timestamp) : json_null());
    js_set(object, "certificates", certificates_json(cms));
}
