#include <inttypes.h>
#include <string.h>

#include "port/cms_reader.h"

#define OID_SIGNED_DATA "1.2.840.113549.1.7.2"

/* The certificates; other kinds than X.509 are passed over. */
static int read_certificates(const struct cms_reader *reader, struct view rest)
{
    struct cms *cms = reader->cms;
    struct ber element = {0};
    cms->certificates = mem_new(CMS_CERTIFICATES_MAX, sizeof(*cms->certificates));
    for (struct view at = rest; ber_next(&element, &rest); at = rest) {
        if (element.tag != BER_SEQUENCE)
            continue;
        if (cms->certificate_count == CMS_CERTIFICATES_MAX)
            return fail_set(reader->fail, FAIL_INPUT,
                            "the CMS signature has more than %u certificates",
                            CMS_CERTIFICATES_MAX);
        if (!cms_certificate_read(&cms->certificates[cms->certificate_count], element.whole))
            return cms_malformed(reader, at, "certificate");
        cms->certificate_count++;
    }
    return cms_finish(reader, rest, "certificates");
}

static int read_signers(const struct cms_reader *reader, struct view rest)
{
    struct cms *cms = reader->cms;
    cms->signers = mem_new(CMS_SIGNERS_MAX, sizeof(*cms->signers));
    while (rest.len > 0) {
        struct ber element = {0};
        if (cms->signer_count == CMS_SIGNERS_MAX)
            return fail_set(reader->fail, FAIL_INPUT, "the CMS signature has more than %u signers",
                            CMS_SIGNERS_MAX);
        if (cms_take(reader, &element, &rest, BER_SEQUENCE, "signer") < 0)
            return -1;
        if (cms_read_signer(reader, &cms->signers[cms->signer_count++], element.content) < 0)
            return -1;
    }
    return 0;
}

/* EncapsulatedContentInfo: without content when that is detached. */
static int read_content(const struct cms_reader *reader, struct view rest)
{
    struct cms *cms = reader->cms;
    struct ber wrapper = {0};
    struct ber octets = {0};
    if (cms_take_oid(reader, &cms->content_type, &rest, "content type") < 0)
        return -1;
    if (ber_take(&wrapper, &rest, BER_CONTEXT_CONSTRUCTED | 0)) {
        struct view at = wrapper.content;
        cms->has_content = true;
        if (!ber_next(&octets, &wrapper.content) || (octets.tag & ~BER_CONSTRUCTED) != BER_OCTETS ||
            !ber_octets(&cms->content, &octets) || wrapper.content.len != 0)
            return cms_malformed(reader, at, "content");
    }
    return cms_finish(reader, rest, "content");
}

static int read_signed_data(const struct cms_reader *reader, struct view rest)
{
    struct ber part = {0};
    if (cms_take(reader, &part, &rest, BER_INTEGER, "version") < 0 ||
        cms_take(reader, &part, &rest, BER_SET, "set of digest algorithms") < 0 ||
        cms_take(reader, &part, &rest, BER_SEQUENCE, "content") < 0 ||
        read_content(reader, part.content) < 0)
        return -1;
    if (ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 0) &&
        read_certificates(reader, part.content) < 0)
        return -1;
    (void)ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 1); /* revocation lists: not asked */
    if (cms_take(reader, &part, &rest, BER_SET, "set of signers") < 0 ||
        read_signers(reader, part.content) < 0)
        return -1;
    return cms_finish(reader, rest, "SignedData");
}

int cms_read_signed_data(struct cms_reader *reader, struct view der)
{
    own_mem char *type = NULL;
    struct ber outer = {0};
    struct ber wrapper = {0};
    struct ber data = {0};
    struct view rest = der;
    if (der.len > CMS_LEN_MAX)
        return fail_set(reader->fail, FAIL_INPUT,
                        "the CMS signature has %" PRIu64 " bytes, more than %" PRIu64, der.len,
                        CMS_LEN_MAX);
    if (cms_take(reader, &outer, &rest, BER_SEQUENCE, "ContentInfo") < 0)
        return -1;
    reader->cms->der = outer.whole;
    reader->cms->padding = rest.len;
    rest = outer.content;
    if (cms_take_oid(reader, &type, &rest, "type") < 0)
        return -1;
    if (strcmp(type, OID_SIGNED_DATA) != 0)
        return fail_set(reader->fail, FAIL_INPUT, "the CMS object is no SignedData but %s", type);
    if (cms_take(reader, &wrapper, &rest, BER_CONTEXT_CONSTRUCTED | 0, "SignedData") < 0 ||
        cms_finish(reader, rest, "ContentInfo") < 0 ||
        cms_take(reader, &data, &wrapper.content, BER_SEQUENCE, "SignedData") < 0 ||
        cms_finish(reader, wrapper.content, "SignedData") < 0)
        return -1;
    return read_signed_data(reader, data.content);
}

int cms_open(struct cms *out, struct view der, struct fail *fail)
{
    struct cms_reader reader = {.cms = out, .all = der, .fail = fail};
    *out = (struct cms){0};
    int result = cms_read_signed_data(&reader, der);
    cms_clear_errors();
    if (result < 0)
        cms_release(out);
    return result;
}

void cms_release(struct cms *cms)
{
    for (size_t i = 0; i < cms->signer_count; i++)
        cms_signer_release(&cms->signers[i]);
    for (size_t i = 0; i < cms->certificate_count; i++)
        cms_certificate_release(&cms->certificates[i]);
    own_release_mem(&cms->signers);
    own_release_mem(&cms->certificates);
    own_release_mem(&cms->content_type);
    buf_release(&cms->content);
    *cms = (struct cms){0};
}
