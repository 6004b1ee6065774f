#include <openssl/objects.h>
#include <string.h>

#include "port/cms_impl.h"

static void set_verdict(struct cms_verdict *out, enum cms_verdict_kind kind, char *expected,
                        char *actual)
{
    cms_verdict_release(out);
    *out = (struct cms_verdict){.kind = kind, .expected = expected, .actual = actual};
}

void cms_verdict_release(struct cms_verdict *verdict)
{
    own_release_mem(&verdict->expected);
    own_release_mem(&verdict->actual);
    *verdict = (struct cms_verdict){0};
}

/* Digests that signatures are made with; NULL: another one. */
static const EVP_MD *digest_of(int nid)
{
    switch (nid) {
    case NID_sha1:
        return EVP_sha1();
    case NID_sha224:
        return EVP_sha224();
    case NID_sha256:
        return EVP_sha256();
    case NID_sha384:
        return EVP_sha384();
    case NID_sha512:
        return EVP_sha512();
    default:
        return NULL;
    }
}

/* Old writers put the algorithm of the whole signature, "sha1WithRSAEncryption", where the digest
 * is asked for. */
static const EVP_MD *find_digest(const char *name)
{
    int nid = OBJ_txt2nid(name);
    int digest = NID_undef;
    if (OBJ_find_sigid_algs(nid, &digest, NULL) == 1)
        nid = digest;
    return digest_of(nid);
}

static bool is_supported_key(int key)
{
    return key == EVP_PKEY_RSA || key == EVP_PKEY_EC;
}

/* The signature algorithm names a key (rsaEncryption), or a key with a digest. */
static bool fits_key(const char *name, const EVP_PKEY *key, const EVP_MD *digest)
{
    int nid = OBJ_txt2nid(name);
    int stated_digest = NID_undef;
    int stated_key = nid;
    if (OBJ_find_sigid_algs(nid, &stated_digest, &stated_key) == 1 &&
        (stated_digest == NID_undef || stated_digest != EVP_MD_get_type(digest)))
        return false;
    return stated_key == EVP_PKEY_get_base_id(key);
}

static char *hex(const unsigned char *data, size_t len)
{
    char *text = mem_new(len * 2 + 1, 1);
    text_hex(text, data, len);
    return text;
}

/* Whether `stated` is the digest of the bytes. */
static bool digest_matches(struct cms_verdict *out, const EVP_MD *digest, struct view stated,
                           struct view bytes, const char *of_what)
{
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    if (EVP_Digest(bytes.data, (size_t)bytes.len, value, &len, digest, NULL) != 1)
        cms_no_memory();
    if (stated.len == len && memcmp(stated.data, value, len) == 0)
        return true;
    own_mem char *own = hex(value, len);
    own_mem char *other = hex(stated.data, stated.len < len ? (size_t)stated.len : len);
    set_verdict(
        out, CMS_BAD_DIGEST,
        text_printf("%s %s, the digest of %s", EVP_MD_get0_name(digest), own, of_what),
        text_printf("%s%s", stated.len == 0 ? "no digest" : other, stated.len > len ? "..." : ""));
    return false;
}

static void put_len(struct buf *out, uint64_t len)
{
    unsigned bytes = 0;
    while (bytes < sizeof len && len >> (8 * bytes) != 0)
        bytes++;
    if (len >= 0x80)
        buf_putc(out, (char)(0x80 | bytes));
    for (unsigned i = len < 0x80 ? 1 : bytes; i-- > 0;)
        buf_putc(out, (char)(len >> (8 * i)));
}

/*
 * What was signed: the attributes as a SET OF instead of [0] (RFC 5652 5.4). Their bytes are not
 * sorted again; an indefinite length alone is written out, since no signature covers one.
 */
static void put_signed_bytes(struct buf *out, struct view attributes)
{
    struct ber element = {0};
    if (!ber_next(&element, &attributes))
        return;
    buf_putc(out, (char)BER_SET);
    if (element.indefinite) {
        put_len(out, element.content.len);
        buf_append(out, element.content.data, element.content.len);
    } else {
        buf_append(out, element.whole.data + 1, element.whole.len - 1);
    }
}

static bool verify(EVP_PKEY *key, const EVP_MD *digest, struct view signature, struct view bytes)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL)
        cms_no_memory();
    bool good = EVP_DigestVerifyInit(context, NULL, digest, NULL, key) == 1 &&
                EVP_DigestVerify(context, signature.data, (size_t)signature.len, bytes.data,
                                 (size_t)bytes.len) == 1;
    EVP_MD_CTX_free(context);
    return good;
}

/* The attributes that RFC 5652 5.3 asks for, and that they are of this content. */
static bool attributes_match(struct cms_verdict *out, const struct cms *cms,
                             const struct cms_signer *signer, const EVP_MD *digest,
                             struct view content)
{
    if (signer->attributes.len == 0) {
        if (strcmp(cms->content_type, CMS_OID_DATA) == 0)
            return true;
        set_verdict(out, CMS_BAD_STRUCTURE, text_printf("signed attributes"), text_printf("none"));
        return false;
    }
    if (signer->content_type == NULL || strcmp(signer->content_type, cms->content_type) != 0) {
        set_verdict(out, CMS_BAD_STRUCTURE,
                    text_printf("a signed attribute with the content type %s", cms->content_type),
                    text_copy(signer->content_type == NULL ? "none" : signer->content_type));
        return false;
    }
    return digest_matches(out, digest, signer->digest, content, "what is signed");
}

static void check_signature(struct cms_verdict *out, const struct cms *cms,
                            const struct cms_signer *signer, struct view content)
{
    EVP_PKEY *key = X509_get0_pubkey(signer->certificate->x509);
    const EVP_MD *digest = find_digest(signer->digest_algorithm);
    own_buf struct buf bytes = {0};
    if (digest == NULL) {
        set_verdict(out, CMS_BAD_STRUCTURE, text_copy("SHA-1 or SHA-2 as digest algorithm"),
                    text_copy(signer->digest_algorithm));
        return;
    }
    if (key == NULL || !is_supported_key(EVP_PKEY_get_base_id(key))) {
        set_verdict(out, CMS_BAD_STRUCTURE, text_copy("a certificate with an RSA or EC key"),
                    text_copy(signer->certificate->key));
        return;
    }
    if (!fits_key(signer->signature_algorithm, key, digest)) {
        set_verdict(out, CMS_BAD_STRUCTURE,
                    text_printf("a signature algorithm for %s and %s", signer->certificate->key,
                                EVP_MD_get0_name(digest)),
                    text_copy(signer->signature_algorithm));
        return;
    }
    if (!attributes_match(out, cms, signer, digest, content))
        return;
    if (signer->attributes.len > 0) {
        put_signed_bytes(&bytes, signer->attributes);
        content = (struct view){.data = bytes.data, .len = bytes.len};
    }
    if (!verify(key, digest, signer->signature, content))
        set_verdict(out, CMS_BAD_SIGNATURE,
                    text_printf("a signature by the key of '%s'", signer->certificate->common_name),
                    text_printf("%zu bytes that this key did not sign with these attributes",
                                (size_t)signer->signature.len));
}

void cms_check_signature(struct cms_verdict *out, const struct cms *cms,
                         const struct cms_signer *signer, struct view content)
{
    *out = (struct cms_verdict){0};
    if (signer->certificate == NULL)
        set_verdict(out, CMS_BAD_STRUCTURE, text_copy("the signer's certificate"),
                    text_copy("it is not among the certificates"));
    else
        check_signature(out, cms, signer, content);
    cms_clear_errors();
}

void cms_check_timestamp(struct cms_verdict *out, const struct cms_signer *signer)
{
    const struct cms_timestamp *timestamp = signer->timestamp;
    const struct cms *token = &timestamp->token;
    *out = (struct cms_verdict){0};
    const EVP_MD *digest = find_digest(timestamp->digest_algorithm);
    if (digest == NULL) {
        set_verdict(out, CMS_BAD_STRUCTURE, text_copy("SHA-1 or SHA-2 as digest of the imprint"),
                    text_copy(timestamp->digest_algorithm));
        return;
    }
    if (token->signer_count != 1) {
        set_verdict(out, CMS_BAD_STRUCTURE, text_copy("one signer"),
                    text_printf("%zu signers", token->signer_count));
        return;
    }
    if (digest_matches(out, digest, timestamp->imprint, signer->signature, "the signature value"))
        cms_check_signature(out, token, &token->signers[0],
                            (struct view){.data = token->content.data, .len = token->content.len});
    cms_clear_errors();
}
