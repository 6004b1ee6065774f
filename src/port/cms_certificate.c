#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <string.h>
#include <time.h>

#include "port/cms_impl.h"

#define OID_BYTES_MAX 64u /* the longest that is given a name or digits */

_Noreturn void cms_no_memory(void)
{
    own_stop("out of memory while reading certificates");
}

void cms_clear_errors(void)
{
    ERR_clear_error();
}

static ASN1_OBJECT *read_oid(const struct ber *oid)
{
    const unsigned char *at = oid->whole.data;
    if (oid->tag != BER_OID || oid->whole.len > OID_BYTES_MAX)
        return NULL;
    return d2i_ASN1_OBJECT(NULL, &at, (long)oid->whole.len);
}

static char *digits(const ASN1_OBJECT *object)
{
    char text[8 * OID_BYTES_MAX];
    if (OBJ_obj2txt(text, sizeof text, object, 1) <= 0)
        return NULL;
    return text_copy(text);
}

static char *object_name(const ASN1_OBJECT *object)
{
    int nid = OBJ_obj2nid(object);
    return nid == NID_undef ? digits(object) : text_copy(OBJ_nid2ln(nid));
}

char *cms_oid_digits(const struct ber *oid)
{
    ASN1_OBJECT *object = read_oid(oid);
    char *text = object == NULL ? NULL : digits(object);
    ASN1_OBJECT_free(object);
    return text;
}

char *cms_algorithm_name(const struct ber *algorithm)
{
    struct view rest = algorithm->content;
    struct ber oid = {0};
    if (!ber_take(&oid, &rest, BER_OID))
        return NULL;
    ASN1_OBJECT *object = read_oid(&oid);
    char *text = object == NULL ? NULL : object_name(object);
    ASN1_OBJECT_free(object);
    return text;
}

bool cms_time_convert(int64_t *out, const ASN1_TIME *time)
{
    struct tm tm = {0};
    if (time == NULL || ASN1_TIME_to_tm(time, &tm) != 1)
        return false;
    *out = (int64_t)timegm(&tm);
    return true;
}

bool cms_time_read(int64_t *out, const struct ber *element)
{
    const unsigned char *at = element->whole.data;
    ASN1_TIME *time = d2i_ASN1_TIME(NULL, &at, (long)element->whole.len);
    bool read = cms_time_convert(out, time);
    ASN1_TIME_free(time);
    return read;
}

void cms_time_text(char out[CMS_TIME_MAX], int64_t time)
{
    time_t value = (time_t)time;
    struct tm tm = {0};
    if (gmtime_r(&value, &tm) == NULL ||
        strftime(out, CMS_TIME_MAX, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
        memcpy(out, "?", 2);
}

/* What was printed into memory; NULL when it could not be. */
static char *printed(BIO *bio, bool good)
{
    char *data = NULL;
    long len = good ? BIO_get_mem_data(bio, &data) : -1;
    own_buf struct buf text = {0};
    if (len >= 0)
        buf_append(&text, data, (size_t)len);
    BIO_free(bio);
    return len < 0 ? NULL : buf_steal(&text);
}

char *cms_name_text(const X509_NAME *name)
{
    const unsigned long flags = XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_SN | ASN1_STRFLGS_ESC_2253 |
                                ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT |
                                ASN1_STRFLGS_DUMP_UNKNOWN | ASN1_STRFLGS_DUMP_DER;
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio == NULL)
        cms_no_memory();
    char *text = printed(bio, X509_NAME_print_ex(bio, name, 0, flags) >= 0);
    return text != NULL ? text : text_copy("(a name that cannot be printed)");
}

char *cms_integer_text(const ASN1_INTEGER *integer)
{
    const unsigned char *data = ASN1_STRING_get0_data(integer);
    int len = ASN1_STRING_length(integer);
    own_mem char *hex = mem_new((size_t)len * 2 + 1, 1);
    text_hex(hex, data, (size_t)len);
    bool negative = ASN1_STRING_type(integer) == V_ASN1_NEG_INTEGER;
    return negative ? text_printf("-%s", hex) : steal_mem(&hex);
}

/* The last entry of that kind, the most specific one; NULL when there is none. */
static char *entry_text(const X509_NAME *name, int nid)
{
    int last = -1;
    for (int i = -1; (i = X509_NAME_get_index_by_NID(name, nid, i)) >= 0;)
        last = i;
    if (last < 0)
        return NULL;
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio == NULL)
        cms_no_memory();
    const ASN1_STRING *value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, last));
    return printed(bio, ASN1_STRING_print_ex(
                            bio, value, ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT) >= 0);
}

static char *key_text(const X509 *x509)
{
    const EVP_PKEY *key = X509_get0_pubkey(x509);
    if (key == NULL)
        return text_copy("unreadable");
    int bits = EVP_PKEY_get_bits(key);
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA)
        return text_printf("RSA %d", bits);
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC)
        return text_printf("EC %d", bits);
    const char *name = OBJ_nid2ln(EVP_PKEY_get_base_id(key));
    return text_printf("%s %d", name == NULL ? "unknown" : name, bits);
}

static char *signature_algorithm(const X509 *x509)
{
    const X509_ALGOR *algorithm = NULL;
    const ASN1_OBJECT *object = NULL;
    X509_get0_signature(NULL, &algorithm, x509);
    X509_ALGOR_get0(&object, NULL, NULL, algorithm);
    char *name = object_name(object);
    return name != NULL ? name : text_copy("unknown");
}

static bool describe(struct cms_certificate *out, X509 *x509)
{
    unsigned char hash[CMS_FINGERPRINT_HEX / 2];
    if (!cms_time_convert(&out->not_before, X509_get0_notBefore(x509)) ||
        !cms_time_convert(&out->not_after, X509_get0_notAfter(x509)) ||
        EVP_Digest(out->der.data, (size_t)out->der.len, hash, NULL, EVP_sha256(), NULL) != 1)
        return false;
    text_hex(out->sha256, hash, sizeof hash);
    const X509_NAME *subject = X509_get_subject_name(x509);
    const X509_NAME *issuer = X509_get_issuer_name(x509);
    out->subject = cms_name_text(subject);
    out->issuer = cms_name_text(issuer);
    out->common_name = entry_text(subject, NID_commonName);
    if (out->common_name == NULL)
        out->common_name = text_copy(out->subject);
    out->unit = entry_text(subject, NID_organizationalUnitName);
    out->serial = cms_integer_text(X509_get0_serialNumber(x509));
    out->key = key_text(x509);
    out->signature_algorithm = signature_algorithm(x509);
    out->self_issued = X509_NAME_cmp(subject, issuer) == 0;
    return true;
}

bool cms_certificate_read(struct cms_certificate *out, struct view der)
{
    const unsigned char *at = der.data;
    X509 *x509 = d2i_X509(NULL, &at, (long)der.len);
    *out = (struct cms_certificate){.der = der, .x509 = x509};
    if (x509 != NULL && at == der.data + der.len && describe(out, x509))
        return true;
    cms_certificate_release(out);
    return false;
}

void cms_certificate_release(struct cms_certificate *certificate)
{
    X509_free(certificate->x509);
    own_release_mem(&certificate->subject);
    own_release_mem(&certificate->issuer);
    own_release_mem(&certificate->common_name);
    own_release_mem(&certificate->unit);
    own_release_mem(&certificate->serial);
    own_release_mem(&certificate->key);
    own_release_mem(&certificate->signature_algorithm);
    own_release_mem(&certificate->copy);
    *certificate = (struct cms_certificate){0};
}
