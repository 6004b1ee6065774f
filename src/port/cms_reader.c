#include <inttypes.h>

#include "port/cms_reader.h"

int cms_malformed(const struct cms_reader *reader, struct view at, const char *what)
{
    return fail_set(reader->fail, FAIL_INPUT,
                    "the CMS signature is malformed: no readable %s at offset %" PRIu64, what,
                    (uint64_t)(at.data - reader->all.data));
}

int cms_take(const struct cms_reader *reader, struct ber *out, struct view *rest, uint8_t tag,
             const char *what)
{
    return ber_take(out, rest, tag) ? 0 : cms_malformed(reader, *rest, what);
}

int cms_finish(const struct cms_reader *reader, struct view rest, const char *what)
{
    if (rest.len == 0)
        return 0;
    return fail_set(reader->fail, FAIL_INPUT,
                    "the CMS signature is malformed: %" PRIu64
                    " bytes too many in the %s at offset %" PRIu64,
                    rest.len, what, (uint64_t)(rest.data - reader->all.data));
}

int cms_take_oid(const struct cms_reader *reader, char **out, struct view *rest, const char *what)
{
    struct ber oid = {0};
    struct view at = *rest;
    if (cms_take(reader, &oid, rest, BER_OID, what) < 0)
        return -1;
    *out = cms_oid_digits(&oid);
    return *out != NULL ? 0 : cms_malformed(reader, at, what);
}

int cms_take_algorithm(const struct cms_reader *reader, char **out, struct view *rest,
                       const char *what)
{
    struct ber algorithm = {0};
    struct view at = *rest;
    if (cms_take(reader, &algorithm, rest, BER_SEQUENCE, what) < 0)
        return -1;
    *out = cms_algorithm_name(&algorithm);
    return *out != NULL ? 0 : cms_malformed(reader, at, what);
}

static char *integer_text(const struct ber *integer)
{
    const unsigned char *at = integer->whole.data;
    ASN1_INTEGER *value = d2i_ASN1_INTEGER(NULL, &at, (long)integer->whole.len);
    char *text = value == NULL ? NULL : cms_integer_text(value);
    ASN1_INTEGER_free(value);
    return text;
}

int cms_take_integer_text(const struct cms_reader *reader, char **out, struct view *rest,
                          const char *what)
{
    struct ber integer = {0};
    struct view at = *rest;
    if (cms_take(reader, &integer, rest, BER_INTEGER, what) < 0)
        return -1;
    *out = integer_text(&integer);
    return *out != NULL ? 0 : cms_malformed(reader, at, what);
}

int cms_single(const struct cms_reader *reader, struct ber *out, struct view values,
               const char *what)
{
    if (!ber_next(out, &values))
        return cms_malformed(reader, values, what);
    return cms_finish(reader, values, what);
}
