#include <inttypes.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "port/cms_impl.h"

#define OID_SIGNED_DATA     "1.2.840.113549.1.7.2"
#define OID_CONTENT_TYPE    "1.2.840.113549.1.9.3"
#define OID_MESSAGE_DIGEST  "1.2.840.113549.1.9.4"
#define OID_SIGNING_TIME    "1.2.840.113549.1.9.5"
#define OID_TIMESTAMP_TOKEN "1.2.840.113549.1.9.16.2.14"
#define OID_CDHASH_LIST     "1.2.840.113635.100.9.1"
#define OID_CDHASHES        "1.2.840.113635.100.9.2"

#define ATTRIBUTES_MAX 32u

struct reader {
    struct cms *cms;
    struct view all; /* for offsets in messages */
    bool nested;     /* inside of a timestamp */
    struct fail *fail;
};

static int malformed(const struct reader *reader, struct view at, const char *what)
{
    return fail_set(reader->fail, FAIL_INPUT,
                    "the CMS signature is malformed: no readable %s at offset %" PRIu64, what,
                    (uint64_t)(at.data - reader->all.data));
}

/* Takes an element that must be there. */
static int take(const struct reader *reader, struct ber *out, struct view *rest, uint8_t tag,
                const char *what)
{
    return ber_take(out, rest, tag) ? 0 : malformed(reader, *rest, what);
}

static int finish(const struct reader *reader, struct view rest, const char *what)
{
    if (rest.len == 0)
        return 0;
    return fail_set(reader->fail, FAIL_INPUT,
                    "the CMS signature is malformed: %" PRIu64
                    " bytes too many in the %s at offset %" PRIu64,
                    rest.len, what, (uint64_t)(rest.data - reader->all.data));
}

static int take_oid(const struct reader *reader, char **out, struct view *rest, const char *what)
{
    struct ber oid = {0};
    struct view at = *rest;
    if (take(reader, &oid, rest, BER_OID, what) < 0)
        return -1;
    *out = cms_oid_digits(&oid);
    return *out != NULL ? 0 : malformed(reader, at, what);
}

static int take_algorithm(const struct reader *reader, char **out, struct view *rest,
                          const char *what)
{
    struct ber algorithm = {0};
    struct view at = *rest;
    if (take(reader, &algorithm, rest, BER_SEQUENCE, what) < 0)
        return -1;
    *out = cms_algorithm_name(&algorithm);
    return *out != NULL ? 0 : malformed(reader, at, what);
}

static char *integer_text(const struct ber *integer)
{
    const unsigned char *at = integer->whole.data;
    ASN1_INTEGER *value = d2i_ASN1_INTEGER(NULL, &at, (long)integer->whole.len);
    char *text = value == NULL ? NULL : cms_integer_text(value);
    ASN1_INTEGER_free(value);
    return text;
}

static int take_integer_text(const struct reader *reader, char **out, struct view *rest,
                             const char *what)
{
    struct ber integer = {0};
    struct view at = *rest;
    if (take(reader, &integer, rest, BER_INTEGER, what) < 0)
        return -1;
    *out = integer_text(&integer);
    return *out != NULL ? 0 : malformed(reader, at, what);
}

/* The certificates; other kinds than X.509 are passed over. */
static int read_certificates(const struct reader *reader, struct view rest)
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
            return malformed(reader, at, "certificate");
        cms->certificate_count++;
    }
    return finish(reader, rest, "certificates");
}

/* The value of an attribute that has one. */
static int single(const struct reader *reader, struct ber *out, struct view values,
                  const char *what)
{
    if (!ber_next(out, &values))
        return malformed(reader, values, what);
    return finish(reader, values, what);
}

static int single_octets(const struct reader *reader, struct view *out, bool seen,
                         struct view values, const char *what)
{
    struct ber value = {0};
    struct view at = values;
    if (single(reader, &value, values, what) < 0)
        return -1;
    if (value.tag != BER_OCTETS || seen)
        return malformed(reader, at, what);
    *out = value.content;
    return 0;
}

static int read_cdhashes(const struct reader *reader, struct cms_signer *signer, struct view values)
{
    struct ber entry = {0};
    if (signer->has_hashes)
        return malformed(reader, values, "single attribute of cdhashes");
    signer->has_hashes = true;
    signer->hashes = mem_new(CMS_HASHES_MAX, sizeof(*signer->hashes));
    while (values.len > 0) {
        struct cms_hash *hash = &signer->hashes[signer->hash_count];
        struct ber digest = {0};
        struct view at = values;
        if (signer->hash_count == CMS_HASHES_MAX)
            return malformed(reader, values, "end of cdhashes");
        if (take(reader, &entry, &values, BER_SEQUENCE, "cdhash") < 0)
            return -1;
        hash->algorithm = cms_algorithm_name(&entry);
        if (hash->algorithm == NULL)
            return malformed(reader, at, "algorithm of a cdhash");
        signer->hash_count++;
        struct ber oid = {0};
        struct view rest = entry.content;
        if (take(reader, &oid, &rest, BER_OID, "algorithm of a cdhash") < 0 ||
            take(reader, &digest, &rest, BER_OCTETS, "cdhash") < 0 ||
            finish(reader, rest, "cdhash") < 0)
            return -1;
        hash->digest = digest.content;
    }
    return 0;
}

static int read_content_type(const struct reader *reader, struct cms_signer *signer,
                             struct view values)
{
    if (signer->content_type != NULL)
        return malformed(reader, values, "single content type");
    if (take_oid(reader, &signer->content_type, &values, "content type") < 0)
        return -1;
    return finish(reader, values, "content type");
}

static int read_signing_time(const struct reader *reader, struct cms_signer *signer,
                             struct view values)
{
    struct ber value = {0};
    struct view at = values;
    if (single(reader, &value, values, "signing time") < 0)
        return -1;
    if (signer->has_signing_time || !cms_time_read(&signer->signing_time, &value))
        return malformed(reader, at, "single signing time");
    signer->has_signing_time = true;
    return 0;
}

static int read_signed_attribute(const struct reader *reader, struct cms_signer *signer,
                                 const char *type, struct view values)
{
    if (strcmp(type, OID_CONTENT_TYPE) == 0)
        return read_content_type(reader, signer, values);
    if (strcmp(type, OID_MESSAGE_DIGEST) == 0)
        return single_octets(reader, &signer->digest, signer->digest.data != NULL, values,
                             "single message digest");
    if (strcmp(type, OID_SIGNING_TIME) == 0)
        return read_signing_time(reader, signer, values);
    if (strcmp(type, OID_CDHASH_LIST) == 0)
        return single_octets(reader, &signer->cdhash_list, signer->cdhash_list.data != NULL, values,
                             "single list of cdhashes");
    if (strcmp(type, OID_CDHASHES) == 0)
        return read_cdhashes(reader, signer, values);
    return 0;
}

static int open_signed_data(struct reader *reader, struct view der);

static int read_imprint(const struct reader *reader, struct cms_timestamp *out, struct view *rest)
{
    struct ber imprint = {0};
    struct ber octets = {0};
    if (take(reader, &imprint, rest, BER_SEQUENCE, "imprint") < 0 ||
        take_algorithm(reader, &out->digest_algorithm, &imprint.content,
                       "digest algorithm of the imprint") < 0 ||
        take(reader, &octets, &imprint.content, BER_OCTETS, "imprint") < 0 ||
        finish(reader, imprint.content, "imprint") < 0)
        return -1;
    out->imprint = octets.content;
    return 0;
}

/* TSTInfo (RFC 3161 2.4.2), up to its time. Offsets in messages count from its start. */
static int read_timestamp_info(struct cms_timestamp *out, struct fail *fail)
{
    struct view all = {.data = out->token.content.data, .len = out->token.content.len};
    struct reader reader = {.all = all, .fail = fail};
    struct ber info = {0};
    struct ber time = {0};
    struct ber version = {0};
    struct view rest = all;
    if (!out->token.has_content || strcmp(out->token.content_type, CMS_OID_TIMESTAMP) != 0)
        return fail_set(fail, FAIL_INPUT, "it holds no RFC 3161 timestamp");
    if (take(&reader, &info, &rest, BER_SEQUENCE, "TSTInfo") < 0 ||
        finish(&reader, rest, "TSTInfo") < 0)
        return -1;
    rest = info.content;
    if (take(&reader, &version, &rest, BER_INTEGER, "version") < 0 ||
        take_oid(&reader, &out->policy, &rest, "policy") < 0 ||
        read_imprint(&reader, out, &rest) < 0 ||
        take_integer_text(&reader, &out->serial, &rest, "serial number") < 0)
        return -1;
    if (!ber_next(&time, &rest) || !cms_time_read(&out->time, &time))
        return malformed(&reader, rest, "time");
    return 0;
}

static void timestamp_release(struct cms_timestamp *timestamp)
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
static void read_timestamp(struct cms_signer *signer, struct view values)
{
    own_fail struct fail fail = {0};
    struct ber value = {0};
    struct cms_timestamp *timestamp = mem_new(1, sizeof(*timestamp));
    struct reader reader = {.cms = &timestamp->token, .all = values, .nested = true, .fail = &fail};
    if (signer->timestamp != NULL || signer->timestamp_failure != NULL)
        (void)fail_set(&fail, FAIL_INPUT, "there is more than one");
    else if (single(&reader, &value, values, "timestamp") == 0 &&
             open_signed_data(&reader, value.whole) == 0)
        (void)read_timestamp_info(timestamp, &fail);
    if (fail.code == FAIL_NONE) {
        signer->timestamp = timestamp;
        return;
    }
    timestamp_release(timestamp);
    timestamp_release(signer->timestamp);
    signer->timestamp = NULL;
    own_release_mem(&signer->timestamp_failure);
    signer->timestamp_failure = steal_mem(&fail.message);
}

/* All attributes of one kind; `signed_ones` are those that the signature covers. */
static int read_attributes(const struct reader *reader, struct cms_signer *signer, struct view rest,
                           bool signed_ones)
{
    struct ber attribute = {0};
    struct ber values = {0};
    for (unsigned count = 0; rest.len > 0; count++) {
        own_mem char *type = NULL;
        if (count == ATTRIBUTES_MAX)
            return malformed(reader, rest, "end of attributes");
        if (take(reader, &attribute, &rest, BER_SEQUENCE, "attribute") < 0)
            return -1;
        struct view parts = attribute.content;
        if (take_oid(reader, &type, &parts, "type of an attribute") < 0 ||
            take(reader, &values, &parts, BER_SET, "value of an attribute") < 0 ||
            finish(reader, parts, "attribute") < 0)
            return -1;
        if (signed_ones && read_signed_attribute(reader, signer, type, values.content) < 0)
            return -1;
        if (!signed_ones && !reader->nested && strcmp(type, OID_TIMESTAMP_TOKEN) == 0)
            read_timestamp(signer, values.content);
    }
    return 0;
}

/* Whether the certificate is the one that the signer names. */
static bool names(const struct cms_certificate *certificate, const X509_NAME *issuer,
                  const ASN1_INTEGER *serial)
{
    return X509_NAME_cmp(X509_get_issuer_name(certificate->x509), issuer) == 0 &&
           ASN1_INTEGER_cmp(X509_get0_serialNumber(certificate->x509), serial) == 0;
}

/* SignerIdentifier by issuer and serial number. */
static bool find_by_name(const struct cms *cms, struct cms_signer *signer, struct view rest)
{
    struct ber name_part = {0};
    struct ber serial_part = {0};
    if (!ber_take(&name_part, &rest, BER_SEQUENCE) || !ber_take(&serial_part, &rest, BER_INTEGER) ||
        rest.len != 0)
        return false;
    const unsigned char *at = name_part.whole.data;
    X509_NAME *issuer = d2i_X509_NAME(NULL, &at, (long)name_part.whole.len);
    at = serial_part.whole.data;
    ASN1_INTEGER *serial = d2i_ASN1_INTEGER(NULL, &at, (long)serial_part.whole.len);
    if (issuer != NULL && serial != NULL) {
        signer->issuer = cms_name_text(issuer);
        signer->serial = cms_integer_text(serial);
        for (size_t i = 0; i < cms->certificate_count && signer->certificate == NULL; i++)
            if (names(&cms->certificates[i], issuer, serial))
                signer->certificate = &cms->certificates[i];
    }
    X509_NAME_free(issuer);
    ASN1_INTEGER_free(serial);
    return signer->serial != NULL;
}

/* SignerIdentifier by subject key identifier. */
static void find_by_key(const struct cms *cms, struct cms_signer *signer, struct view identifier)
{
    signer->key_identifier = mem_new((size_t)identifier.len * 2 + 1, 1);
    text_hex(signer->key_identifier, identifier.data, (size_t)identifier.len);
    for (size_t i = 0; i < cms->certificate_count && signer->certificate == NULL; i++) {
        const ASN1_OCTET_STRING *own = X509_get0_subject_key_id(cms->certificates[i].x509);
        if (own != NULL && (uint64_t)ASN1_STRING_length(own) == identifier.len &&
            memcmp(ASN1_STRING_get0_data(own), identifier.data, identifier.len) == 0)
            signer->certificate = &cms->certificates[i];
    }
}

static int read_signer(const struct reader *reader, struct cms_signer *signer, struct view rest)
{
    struct ber version = {0};
    struct ber part = {0};
    struct view at = {0};
    if (take(reader, &version, &rest, BER_INTEGER, "version of a signer") < 0)
        return -1;
    at = rest;
    if (ber_take(&part, &rest, BER_CONTEXT | 0))
        find_by_key(reader->cms, signer, part.content);
    else if (!ber_take(&part, &rest, BER_SEQUENCE) ||
             !find_by_name(reader->cms, signer, part.content))
        return malformed(reader, at, "name of a signer");
    if (take_algorithm(reader, &signer->digest_algorithm, &rest, "digest algorithm") < 0)
        return -1;
    if (ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 0)) {
        signer->attributes = part.whole;
        if (read_attributes(reader, signer, part.content, true) < 0)
            return -1;
    }
    if (take_algorithm(reader, &signer->signature_algorithm, &rest, "signature algorithm") < 0 ||
        take(reader, &part, &rest, BER_OCTETS, "signature value") < 0)
        return -1;
    signer->signature = part.content;
    if (ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 1) &&
        read_attributes(reader, signer, part.content, false) < 0)
        return -1;
    return finish(reader, rest, "signer");
}

static int read_signers(const struct reader *reader, struct view rest)
{
    struct cms *cms = reader->cms;
    cms->signers = mem_new(CMS_SIGNERS_MAX, sizeof(*cms->signers));
    while (rest.len > 0) {
        struct ber element = {0};
        if (cms->signer_count == CMS_SIGNERS_MAX)
            return fail_set(reader->fail, FAIL_INPUT, "the CMS signature has more than %u signers",
                            CMS_SIGNERS_MAX);
        if (take(reader, &element, &rest, BER_SEQUENCE, "signer") < 0)
            return -1;
        if (read_signer(reader, &cms->signers[cms->signer_count++], element.content) < 0)
            return -1;
    }
    return 0;
}

/* EncapsulatedContentInfo: without content when that is detached. */
static int read_content(const struct reader *reader, struct view rest)
{
    struct cms *cms = reader->cms;
    struct ber wrapper = {0};
    struct ber octets = {0};
    if (take_oid(reader, &cms->content_type, &rest, "content type") < 0)
        return -1;
    if (ber_take(&wrapper, &rest, BER_CONTEXT_CONSTRUCTED | 0)) {
        struct view at = wrapper.content;
        cms->has_content = true;
        if (!ber_next(&octets, &wrapper.content) || (octets.tag & ~BER_CONSTRUCTED) != BER_OCTETS ||
            !ber_octets(&cms->content, &octets) || wrapper.content.len != 0)
            return malformed(reader, at, "content");
    }
    return finish(reader, rest, "content");
}

static int read_signed_data(const struct reader *reader, struct view rest)
{
    struct ber part = {0};
    if (take(reader, &part, &rest, BER_INTEGER, "version") < 0 ||
        take(reader, &part, &rest, BER_SET, "set of digest algorithms") < 0 ||
        take(reader, &part, &rest, BER_SEQUENCE, "content") < 0 ||
        read_content(reader, part.content) < 0)
        return -1;
    if (ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 0) &&
        read_certificates(reader, part.content) < 0)
        return -1;
    (void)ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 1); /* revocation lists: not asked */
    if (take(reader, &part, &rest, BER_SET, "set of signers") < 0 ||
        read_signers(reader, part.content) < 0)
        return -1;
    return finish(reader, rest, "SignedData");
}

static int open_signed_data(struct reader *reader, struct view der)
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
    if (take(reader, &outer, &rest, BER_SEQUENCE, "ContentInfo") < 0)
        return -1;
    reader->cms->der = outer.whole;
    reader->cms->padding = rest.len;
    rest = outer.content;
    if (take_oid(reader, &type, &rest, "type") < 0)
        return -1;
    if (strcmp(type, OID_SIGNED_DATA) != 0)
        return fail_set(reader->fail, FAIL_INPUT, "the CMS object is no SignedData but %s", type);
    if (take(reader, &wrapper, &rest, BER_CONTEXT_CONSTRUCTED | 0, "SignedData") < 0 ||
        finish(reader, rest, "ContentInfo") < 0 ||
        take(reader, &data, &wrapper.content, BER_SEQUENCE, "SignedData") < 0 ||
        finish(reader, wrapper.content, "SignedData") < 0)
        return -1;
    return read_signed_data(reader, data.content);
}

int cms_open(struct cms *out, struct view der, struct fail *fail)
{
    struct reader reader = {.cms = out, .all = der, .fail = fail};
    *out = (struct cms){0};
    int result = open_signed_data(&reader, der);
    cms_clear_errors();
    if (result < 0)
        cms_release(out);
    return result;
}

static void signer_release(struct cms_signer *signer)
{
    own_release_mem(&signer->issuer);
    own_release_mem(&signer->serial);
    own_release_mem(&signer->key_identifier);
    own_release_mem(&signer->digest_algorithm);
    own_release_mem(&signer->signature_algorithm);
    own_release_mem(&signer->content_type);
    for (size_t i = 0; i < signer->hash_count; i++)
        own_release_mem(&signer->hashes[i].algorithm);
    own_release_mem(&signer->hashes);
    timestamp_release(signer->timestamp);
    own_release_mem(&signer->timestamp_failure);
}

void cms_release(struct cms *cms)
{
    for (size_t i = 0; i < cms->signer_count; i++)
        signer_release(&cms->signers[i]);
    for (size_t i = 0; i < cms->certificate_count; i++)
        cms_certificate_release(&cms->certificates[i]);
    own_release_mem(&cms->signers);
    own_release_mem(&cms->certificates);
    own_release_mem(&cms->content_type);
    buf_release(&cms->content);
    *cms = (struct cms){0};
}
