#include <openssl/x509v3.h>
#include <string.h>

#include "port/cms_reader.h"

#define OID_CONTENT_TYPE    "1.2.840.113549.1.9.3"
#define OID_MESSAGE_DIGEST  "1.2.840.113549.1.9.4"
#define OID_SIGNING_TIME    "1.2.840.113549.1.9.5"
#define OID_TIMESTAMP_TOKEN "1.2.840.113549.1.9.16.2.14"
#define OID_CDHASH_LIST     "1.2.840.113635.100.9.1"
#define OID_CDHASHES        "1.2.840.113635.100.9.2"

#define ATTRIBUTES_MAX 32u

static int single_octets(const struct cms_reader *reader, struct view *out, bool seen,
                         struct view values, const char *what)
{
    struct ber value = {0};
    struct view at = values;
    if (cms_single(reader, &value, values, what) < 0)
        return -1;
    if (value.tag != BER_OCTETS || seen)
        return cms_malformed(reader, at, what);
    *out = value.content;
    return 0;
}

static int read_cdhashes(const struct cms_reader *reader, struct cms_signer *signer,
                         struct view values)
{
    struct ber entry = {0};
    if (signer->has_hashes)
        return cms_malformed(reader, values, "single attribute of cdhashes");
    signer->has_hashes = true;
    signer->hashes = mem_new(CMS_HASHES_MAX, sizeof(*signer->hashes));
    while (values.len > 0) {
        struct cms_hash *hash = &signer->hashes[signer->hash_count];
        struct ber digest = {0};
        struct view at = values;
        if (signer->hash_count == CMS_HASHES_MAX)
            return cms_malformed(reader, values, "end of cdhashes");
        if (cms_take(reader, &entry, &values, BER_SEQUENCE, "cdhash") < 0)
            return -1;
        hash->algorithm = cms_algorithm_name(&entry);
        if (hash->algorithm == NULL)
            return cms_malformed(reader, at, "algorithm of a cdhash");
        signer->hash_count++;
        struct ber oid = {0};
        struct view rest = entry.content;
        if (cms_take(reader, &oid, &rest, BER_OID, "algorithm of a cdhash") < 0 ||
            cms_take(reader, &digest, &rest, BER_OCTETS, "cdhash") < 0 ||
            cms_finish(reader, rest, "cdhash") < 0)
            return -1;
        hash->digest = digest.content;
    }
    return 0;
}

static int read_content_type(const struct cms_reader *reader, struct cms_signer *signer,
                             struct view values)
{
    if (signer->content_type != NULL)
        return cms_malformed(reader, values, "single content type");
    if (cms_take_oid(reader, &signer->content_type, &values, "content type") < 0)
        return -1;
    return cms_finish(reader, values, "content type");
}

static int read_signing_time(const struct cms_reader *reader, struct cms_signer *signer,
                             struct view values)
{
    struct ber value = {0};
    struct view at = values;
    if (cms_single(reader, &value, values, "signing time") < 0)
        return -1;
    if (signer->has_signing_time || !cms_time_read(&signer->signing_time, &value))
        return cms_malformed(reader, at, "single signing time");
    signer->has_signing_time = true;
    return 0;
}

static int read_signed_attribute(const struct cms_reader *reader, struct cms_signer *signer,
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

/* All attributes of one kind; `signed_ones` are those that the signature covers. */
static int read_attributes(const struct cms_reader *reader, struct cms_signer *signer,
                           struct view rest, bool signed_ones)
{
    struct ber attribute = {0};
    struct ber values = {0};
    for (unsigned count = 0; rest.len > 0; count++) {
        own_mem char *type = NULL;
        if (count == ATTRIBUTES_MAX)
            return cms_malformed(reader, rest, "end of attributes");
        if (cms_take(reader, &attribute, &rest, BER_SEQUENCE, "attribute") < 0)
            return -1;
        struct view parts = attribute.content;
        if (cms_take_oid(reader, &type, &parts, "type of an attribute") < 0 ||
            cms_take(reader, &values, &parts, BER_SET, "value of an attribute") < 0 ||
            cms_finish(reader, parts, "attribute") < 0)
            return -1;
        if (signed_ones && read_signed_attribute(reader, signer, type, values.content) < 0)
            return -1;
        if (!signed_ones && !reader->nested && strcmp(type, OID_TIMESTAMP_TOKEN) == 0)
            cms_read_timestamp(signer, values.content);
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

int cms_read_signer(const struct cms_reader *reader, struct cms_signer *signer, struct view rest)
{
    struct ber version = {0};
    struct ber part = {0};
    struct view at = {0};
    if (cms_take(reader, &version, &rest, BER_INTEGER, "version of a signer") < 0)
        return -1;
    at = rest;
    if (ber_take(&part, &rest, BER_CONTEXT | 0))
        find_by_key(reader->cms, signer, part.content);
    else if (!ber_take(&part, &rest, BER_SEQUENCE) ||
             !find_by_name(reader->cms, signer, part.content))
        return cms_malformed(reader, at, "name of a signer");
    if (cms_take_algorithm(reader, &signer->digest_algorithm, &rest, "digest algorithm") < 0)
        return -1;
    if (ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 0)) {
        signer->attributes = part.whole;
        if (read_attributes(reader, signer, part.content, true) < 0)
            return -1;
    }
    if (cms_take_algorithm(reader, &signer->signature_algorithm, &rest, "signature algorithm") <
            0 ||
        cms_take(reader, &part, &rest, BER_OCTETS, "signature value") < 0)
        return -1;
    signer->signature = part.content;
    if (ber_take(&part, &rest, BER_CONTEXT_CONSTRUCTED | 1) &&
        read_attributes(reader, signer, part.content, false) < 0)
        return -1;
    return cms_finish(reader, rest, "signer");
}

void cms_signer_release(struct cms_signer *signer)
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
    cms_timestamp_release(signer->timestamp);
    own_release_mem(&signer->timestamp_failure);
}
