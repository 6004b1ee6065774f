#include "unit/cms_make.h"

#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "port/cms.h"
#include "unit/unit.h"

#define OID_DATA            "1.2.840.113549.1.7.1"
#define OID_SIGNED_DATA     "1.2.840.113549.1.7.2"
#define OID_CONTENT_TYPE    "1.2.840.113549.1.9.3"
#define OID_MESSAGE_DIGEST  "1.2.840.113549.1.9.4"
#define OID_SIGNING_TIME    "1.2.840.113549.1.9.5"
#define OID_TIMESTAMP_TOKEN "1.2.840.113549.1.9.16.2.14"
#define OID_CDHASH_LIST     "1.2.840.113635.100.9.1"
#define OID_CDHASHES        "1.2.840.113635.100.9.2"
#define OID_POLICY          "1.2.3.4"

static EVP_PKEY *new_key(bool rsa)
{
    EVP_PKEY *key = rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256");
    assert_non_null(key);
    return key;
}

static void add_extension(X509 *x509, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context = {0};
    X509V3_set_ctx(&context, issuer, x509, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    assert_non_null(extension);
    assert_int_equal(X509_add_ext(x509, extension, -1), 1);
    X509_EXTENSION_free(extension);
}

static void add_unknown(X509 *x509, const char *oid)
{
    static const unsigned char null[] = {5, 0};
    ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    ASN1_OCTET_STRING_set(value, null, sizeof null);
    X509_EXTENSION *extension = X509_EXTENSION_create_by_OBJ(NULL, object, 1, value);
    assert_int_equal(X509_add_ext(x509, extension, -1), 1);
    X509_EXTENSION_free(extension);
    ASN1_OCTET_STRING_free(value);
    ASN1_OBJECT_free(object);
}

static void add_extensions(X509 *x509, X509 *issuer, const struct identity_spec *spec)
{
    const char *usage = spec->ca ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature";
    char constraints[64];
    if (spec->key_usage != NULL)
        usage = spec->key_usage;
    snprintf(constraints, sizeof constraints, "critical,CA:%s%s%s", spec->ca ? "TRUE" : "FALSE",
             spec->path_len != NULL ? ",pathlen:" : "",
             spec->path_len != NULL ? spec->path_len : "");
    add_extension(x509, issuer, NID_basic_constraints, constraints);
    add_extension(x509, issuer, NID_subject_key_identifier, "hash");
    if (usage[0] != '\0')
        add_extension(x509, issuer, NID_key_usage, usage);
    if (spec->usage != NULL)
        add_extension(x509, issuer, NID_ext_key_usage, spec->usage);
    if (spec->extension != NULL)
        add_unknown(x509, spec->extension);
}

static void add_entry(X509_NAME *name, const char *type, const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (text != NULL)
        assert_int_equal(X509_NAME_add_entry_by_txt(name, type, MBSTRING_UTF8, bytes, -1, -1, 0),
                         1);
}

static X509_NAME *name_of(const struct identity_spec *spec)
{
    X509_NAME *name = X509_NAME_new();
    add_entry(name, "C", "XX");
    add_entry(name, "OU", spec->unit);
    add_entry(name, "CN", spec->name);
    return name;
}

struct identity *identity_new(const struct identity_spec *spec)
{
    static long serial = 0x1234;
    struct identity *identity = mem_new(1, sizeof(*identity));
    X509 *x509 = X509_new();
    identity->x509 = x509;
    if (spec->same_as != NULL) {
        identity->key = spec->same_as->key;
        EVP_PKEY_up_ref(identity->key);
    } else {
        identity->key = new_key(spec->rsa);
    }
    const struct identity *issuer = spec->issuer != NULL ? spec->issuer : identity;
    X509_NAME *name = name_of(spec);
    X509_set_version(x509, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), serial++);
    X509_set_subject_name(x509, name);
    X509_NAME_free(name);
    X509_set_issuer_name(x509, X509_get_subject_name(issuer->x509));
    ASN1_TIME_set_string_X509(X509_getm_notBefore(x509),
                              spec->from != NULL ? spec->from : "20000101000000Z");
    ASN1_TIME_set_string_X509(X509_getm_notAfter(x509),
                              spec->to != NULL ? spec->to : "21000101000000Z");
    X509_set_pubkey(x509, identity->key);
    add_extensions(x509, issuer->x509, spec);
    EVP_PKEY *key = spec->damaged_signature ? new_key(false) : issuer->key;
    assert_int_not_equal(X509_sign(x509, key, EVP_sha256()), 0);
    if (key != issuer->key)
        EVP_PKEY_free(key);
    return identity;
}

void identity_free(struct identity *identity)
{
    if (identity == NULL)
        return;
    EVP_PKEY_free(identity->key);
    X509_free(identity->x509);
    free(identity);
}

void identity_pem(struct buf *out, const struct identity *identity)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *text = NULL;
    assert_int_equal(PEM_write_bio_X509(bio, identity->x509), 1);
    long len = BIO_get_mem_data(bio, &text);
    buf_append(out, text, (size_t)len);
    BIO_free(bio);
}

static void put_len(struct buf *out, size_t len)
{
    if (len >= 0x80) {
        unsigned bytes = len > 0xffff ? 3 : len > 0xff ? 2 : 1;
        buf_putc(out, (char)(0x80 | bytes));
        for (unsigned i = bytes; i-- > 1;)
            buf_putc(out, (char)(len >> (8 * i)));
    }
    buf_putc(out, (char)len);
}

static void put(struct buf *out, unsigned tag, const void *data, size_t len)
{
    buf_putc(out, (char)tag);
    put_len(out, len);
    buf_append(out, data, len);
}

/* Wraps what `out` holds. */
static void wrap(struct buf *out, unsigned tag, bool indefinite)
{
    own_buf struct buf inner = *out;
    *out = (struct buf){0};
    if (!indefinite) {
        put(out, tag, inner.data, inner.len);
        return;
    }
    buf_putc(out, (char)tag);
    buf_putc(out, (char)0x80);
    buf_append(out, inner.data, inner.len);
    buf_append(out, "\0", 2);
}

static void put_oid(struct buf *out, const char *text)
{
    unsigned char *der = NULL;
    ASN1_OBJECT *object = OBJ_txt2obj(text, 0);
    assert_non_null(object);
    int len = i2d_ASN1_OBJECT(object, &der);
    assert_true(len > 0);
    buf_append(out, der, (size_t)len);
    OPENSSL_free(der);
    ASN1_OBJECT_free(object);
}

static void put_algorithm(struct buf *out, const char *oid)
{
    own_buf struct buf content = {0};
    put_oid(&content, oid);
    buf_append(&content, "\5\0", 2);
    put(out, 0x30, content.data, content.len);
}

static void put_x509(struct buf *out, const X509 *x509)
{
    unsigned char *der = NULL;
    int len = i2d_X509(x509, &der);
    assert_true(len > 0);
    buf_append(out, der, (size_t)len);
    OPENSSL_free(der);
}

static void put_digest(struct buf *out, const char *digest, struct view bytes)
{
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    const EVP_MD *md = EVP_get_digestbyname(digest);
    assert_int_equal(EVP_Digest(bytes.data, (size_t)bytes.len, value, &len, md, NULL), 1);
    put(out, 0x04, value, len);
}

void cms_put_cdhash(struct buf *out, const char *digest, struct view bytes)
{
    own_buf struct buf entry = {0};
    put_oid(&entry, digest);
    put_digest(&entry, digest, bytes);
    put(out, 0x30, entry.data, entry.len);
}

void cms_put_timestamp_info(struct buf *out, const char *digest, struct view signature,
                            const char *time)
{
    own_buf struct buf info = {0};
    own_buf struct buf imprint = {0};
    buf_append(&info, "\2\1\1", 3);
    put_oid(&info, OID_POLICY);
    put_algorithm(&imprint, digest);
    put_digest(&imprint, digest, signature);
    put(&info, 0x30, imprint.data, imprint.len);
    buf_append(&info, "\2\1\7", 3);
    put(&info, 0x18, time, strlen(time));
    put(out, 0x30, info.data, info.len);
}

struct attributes {
    struct buf list[8];
    size_t count;
};

/* An attribute whose values are these encoded bytes. */
static void add_attribute(struct attributes *attributes, const char *oid, const struct buf *values)
{
    struct buf *out = &attributes->list[attributes->count++];
    own_buf struct buf content = {0};
    put_oid(&content, oid);
    put(&content, 0x31, values->data, values->len);
    put(out, 0x30, content.data, content.len);
}

static void add_octets(struct attributes *attributes, const char *oid, unsigned tag,
                       const void *data, size_t len)
{
    own_buf struct buf value = {0};
    put(&value, tag, data, len);
    add_attribute(attributes, oid, &value);
}

static int compare(const void *a, const void *b)
{
    const struct buf *left = a;
    const struct buf *right = b;
    size_t len = left->len < right->len ? left->len : right->len;
    int order = memcmp(left->data, right->data, len);
    return order != 0 ? order : (left->len > right->len) - (left->len < right->len);
}

static void put_attributes(struct buf *out, const struct cms_spec *spec, const char *digest,
                           const char *type)
{
    struct attributes attributes = {0};
    own_buf struct buf value = {0};
    put_oid(&value, spec->attribute_type != NULL ? spec->attribute_type : type);
    add_attribute(&attributes, OID_CONTENT_TYPE, &value);
    if (spec->signing_time != NULL)
        add_octets(&attributes, OID_SIGNING_TIME, 0x17, spec->signing_time,
                   strlen(spec->signing_time));
    buf_truncate(&value, 0);
    put_digest(&value, digest, spec->content);
    value.data[value.len - 1] ^= spec->damaged_digest;
    add_attribute(&attributes, OID_MESSAGE_DIGEST, &value);
    if (spec->twice)
        add_attribute(&attributes, OID_MESSAGE_DIGEST, &value);
    if (spec->cdhashes.data != NULL) {
        buf_truncate(&value, 0);
        buf_append(&value, spec->cdhashes.data, (size_t)spec->cdhashes.len);
        add_attribute(&attributes, OID_CDHASHES, &value);
    }
    if (spec->cdhash_list != NULL)
        add_octets(&attributes, OID_CDHASH_LIST, 0x04, spec->cdhash_list,
                   strlen(spec->cdhash_list));
    if (!spec->unsorted)
        qsort(attributes.list, attributes.count, sizeof attributes.list[0], compare);
    for (size_t i = 0; i < attributes.count; i++) {
        buf_append(out, attributes.list[i].data, attributes.list[i].len);
        buf_release(&attributes.list[i]);
    }
}

static void put_signature(struct buf *out, const struct cms_spec *spec, const char *digest,
                          struct view bytes)
{
    unsigned char value[1024];
    size_t len = sizeof value;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const EVP_MD *md = EVP_get_digestbyname(digest);
    assert_int_equal(EVP_DigestSignInit(context, NULL, md, NULL, spec->signer->key), 1);
    assert_int_equal(EVP_DigestSign(context, value, &len, bytes.data, (size_t)bytes.len), 1);
    EVP_MD_CTX_free(context);
    value[len - 1] ^= spec->damaged_signature;
    put(out, 0x04, value, len);
}

static void put_signer_name(struct buf *out, const struct cms_spec *spec)
{
    own_buf struct buf name = {0};
    unsigned char *der = NULL;
    if (spec->key_identifier) {
        const ASN1_OCTET_STRING *id = X509_get0_subject_key_id(spec->signer->x509);
        put(out, 0x80, ASN1_STRING_get0_data(id), (size_t)ASN1_STRING_length(id));
        return;
    }
    int len = i2d_X509_NAME(X509_get_issuer_name(spec->signer->x509), &der);
    buf_append(&name, der, (size_t)len);
    OPENSSL_free(der);
    der = NULL;
    len = i2d_ASN1_INTEGER(X509_get0_serialNumber(spec->signer->x509), &der);
    buf_append(&name, der, (size_t)len);
    OPENSSL_free(der);
    put(out, 0x30, name.data, name.len);
}

static void put_timestamp(struct buf *out, const struct cms_spec *spec)
{
    struct attributes attributes = {0};
    own_buf struct buf token = {0};
    own_buf struct buf all = {0};
    if (spec->timestamp.data == NULL)
        return;
    buf_append(&token, spec->timestamp.data, (size_t)spec->timestamp.len);
    for (unsigned i = 0; i < (spec->timestamp_count == 0 ? 1 : spec->timestamp_count); i++) {
        add_attribute(&attributes, OID_TIMESTAMP_TOKEN, &token);
        buf_append(&all, attributes.list[i].data, attributes.list[i].len);
        buf_release(&attributes.list[i]);
    }
    put(out, 0xa1, all.data, all.len);
}

static const char *signature_oid(const struct cms_spec *spec, const char *digest)
{
    int nid = NID_undef;
    if (spec->signature_oid != NULL)
        return spec->signature_oid;
    assert_int_equal(OBJ_find_sigid_by_algs(&nid, EVP_MD_get_type(EVP_get_digestbyname(digest)),
                                            EVP_PKEY_get_base_id(spec->signer->key)),
                     1);
    return OBJ_nid2sn(nid);
}

static void put_signer(struct buf *out, const struct cms_spec *spec, const char *type)
{
    own_buf struct buf content = {0};
    own_buf struct buf attributes = {0};
    const char *digest = spec->digest != NULL ? spec->digest : "SHA256";
    struct view bytes = spec->content;
    buf_append(&content, spec->key_identifier ? "\2\1\3" : "\2\1\1", 3);
    put_signer_name(&content, spec);
    put_algorithm(&content, spec->digest_oid != NULL ? spec->digest_oid : digest);
    if (!spec->no_attributes) {
        put_attributes(&attributes, spec, digest, type);
        own_buf struct buf stated = {0};
        buf_append(&stated, attributes.data, attributes.len);
        wrap(&stated, 0xa0, spec->indefinite_attributes);
        wrap(&attributes, 0x31, false);
        bytes = (struct view){attributes.data, attributes.len};
        buf_append(&content, stated.data, stated.len);
    }
    put_algorithm(&content, signature_oid(spec, digest));
    put_signature(&content, spec, digest, bytes);
    put_timestamp(&content, spec);
    put(out, 0x30, content.data, content.len);
}

static void put_content(struct buf *out, const struct cms_spec *spec, const char *type)
{
    own_buf struct buf content = {0};
    own_buf struct buf inner = {0};
    put_oid(&content, type);
    if (spec->attached) {
        put(&inner, 0x04, spec->content.data, (size_t)spec->content.len);
        wrap(&inner, 0xa0, spec->indefinite);
        buf_append(&content, inner.data, inner.len);
    }
    wrap(&content, 0x30, spec->indefinite);
    buf_append(out, content.data, content.len);
}

void cms_make(struct buf *out, const struct cms_spec *spec)
{
    own_buf struct buf data = {0};
    own_buf struct buf part = {0};
    const char *type = spec->content_type != NULL ? spec->content_type : OID_DATA;
    const char *digest = spec->digest != NULL ? spec->digest : "SHA256";
    buf_append(&data, "\2\1\1", 3);
    put_algorithm(&part, spec->digest_oid != NULL ? spec->digest_oid : digest);
    put(&data, 0x31, part.data, part.len);
    put_content(&data, spec, type);
    buf_truncate(&part, 0);
    for (size_t i = 0; i < 6 && spec->certificates[i] != NULL; i++)
        put_x509(&part, spec->certificates[i]->x509);
    if (part.len > 0)
        put(&data, 0xa0, part.data, part.len);
    buf_truncate(&part, 0);
    unsigned count = spec->signer_count == 0 ? 1 : spec->signer_count;
    for (unsigned i = 0; i < (spec->no_signer ? 0 : count); i++)
        put_signer(&part, spec, type);
    put(&data, 0x31, part.data, part.len);
    wrap(&data, 0x30, spec->indefinite);
    wrap(&data, 0xa0, spec->indefinite);
    buf_truncate(&part, 0);
    put_oid(&part, OID_SIGNED_DATA);
    buf_append(&part, data.data, data.len);
    wrap(&part, 0x30, spec->indefinite);
    buf_append(out, part.data, part.len);
}

struct view cms_signature_value(const struct buf *der)
{
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    assert_works(cms_open(&cms, (struct view){der->data, der->len}, &fail), &fail);
    assert_true(cms.signer_count > 0);
    return cms.signers[0].signature;
}
