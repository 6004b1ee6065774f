#include <string.h>

#include "port/cms_reader.h"

static int read_imprint(const struct cms_reader *reader, struct cms_timestamp *out,
                        struct view *rest)
{
    struct ber imprint = {0};
    struct ber octets = {0};
    if (cms_take(reader, &imprint, rest, BER_SEQUENCE, "imprint") < 0 ||
        cms_take_algorithm(reader, &out->digest_algorithm, &imprint.content,
                           "digest algorithm of the imprint") < 0 ||
        cms_take(reader, &octets, &imprint.content, BER_OCTETS, "imprint") < 0 ||
        cms_finish(reader, imprint.content, "imprint") < 0)
        return -1;
    out->imprint = octets.content;
    return 0;
}

/* TSTInfo (RFC 3161 2.4.2), up to its time. Offsets in messages count from its start. */
static int read_timestamp_info(struct cms_timestamp *out, struct fail *fail)
{
    struct view all = {.data = out->token.content.data, .len = out->token.content.len};
    struct cms_reader reader = {.all = all, .fail = fail};
    struct ber info = {0};
    struct ber time = {0};
    struct ber version = {0};
    struct view rest = all;
    if (!out->token.has_content || strcmp(out->token.content_type, CMS_OID_TIMESTAMP) != 0)
        return fail_set(fail, FAIL_INPUT, "it holds no RFC 3161 timestamp");
    if (cms_take(&reader, &info, &rest, BER_SEQUENCE, "TSTInfo") < 0 ||
        cms_finish(&reader, rest, "TSTInfo") < 0)
        return -1;
    rest = info.content;
    if (cms_take(&reader, &version, &rest, BER_INTEGER, "version") < 0 ||
        cms_take_oid(&reader, &out->policy, &rest, "policy") < 0 ||
        read_imprint(&reader, out, &rest) < 0 ||
        cms_take_integer_text(&reader, &out->serial, &rest, "serial number") < 0)
        return -1;
    if (!ber_next(&time, &rest) || !cms_time_read(&out->time, &time))
        return cms_malformed(&reader, rest, "time");
    return 0;
}

void cms_timestamp_release(struct cms_timestamp *timestamp)
{
    if (timestamp == NULL)
        return;
    own_release_mem(&timestamp->serial);
    own_release_mem(&timestamp->policy);
    own_release_mem(&timestamp->digest_algorithm);
    cms_release(&timestamp->token);
    own_release_mem(&timestamp);
}

/* What is wrong with a timestamp says nothing against the signature: it is kept as text. */
void cms_read_timestamp(struct cms_signer *signer, struct view values)
{
    own_fail struct fail fail = {0};
    struct ber value = {0};
    struct cms_timestamp *timestamp = mem_new(1, sizeof(*timestamp));
    struct cms_reader reader = {
        .cms = &timestamp->token, .all = values, .nested = true, .fail = &fail};
    if (signer->timestamp != NULL || signer->timestamp_failure != NULL)
        (void)fail_set(&fail, FAIL_INPUT, "there is more than one");
    else if (cms_single(&reader, &value, values, "timestamp") == 0 &&
             cms_read_signed_data(&reader, value.whole) == 0)
        (void)read_timestamp_info(timestamp, &fail);
    if (fail.code == FAIL_NONE) {
        signer->timestamp = timestamp;
        return;
    }
    cms_timestamp_release(timestamp);
    cms_timestamp_release(signer->timestamp);
    signer->timestamp = NULL;
    own_release_mem(&signer->timestamp_failure);
    signer->timestamp_failure = steal_mem(&fail.message);
}
