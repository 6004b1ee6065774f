/*
 * Purpose: certificates and CMS signatures for tests, made anew in every run: nothing expires, no
 *     key lies in the repository, and each part can be wrong.
 *
 * Layer: tests (libcrypto).
 *
 * Calling sequence:
 *         struct identity *root = identity_new(&(struct identity_spec){.name = "Root", .ca = true});
 *         struct identity *leaf = identity_new(&(struct identity_spec){
 *             .name = "Leaf", .issuer = root, .usage = "codeSigning"});
 *         cms_make(&der, &(struct cms_spec){.signer = leaf, .content = content,
 *                                           .certificates = {leaf, root}});
 *
 * Ownership: identity_free() frees; a spec borrows.
 *
 * Errors: what must not fail, fails the test.
 */
#ifndef HALLMARK_TESTS_CMS_MAKE_H
#define HALLMARK_TESTS_CMS_MAKE_H

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "base/buf.h"
#include "base/cursor.h"

struct identity {
    EVP_PKEY *key;
    X509 *x509;
};

struct identity_spec {
    const char *name;
    const char *unit;               /* NULL: none */
    const struct identity *issuer;  /* NULL: it signs itself */
    const struct identity *same_as; /* take this key instead of a new one */
    bool ca;
    const char *path_len;   /* "0": no authority below; NULL: no limit */
    const char *key_usage;  /* NULL: what fits `ca`; "": none */
    const char *usage;      /* extended key usage; NULL: none */
    const char *from, *to;  /* "20000101000000Z"; NULL: 2000 to 2100 */
    const char *extension;  /* a critical extension with this OID */
    bool rsa;               /* else EC P-256 */
    bool damaged_signature; /* not signed by its issuer */
};

struct identity *identity_new(const struct identity_spec *spec);
void identity_free(struct identity *identity);
/* Appends the certificate in PEM. */
void identity_pem(struct buf *out, const struct identity *identity);

struct cms_spec {
    const struct identity *signer;
    const struct identity *certificates[6]; /* up to the first NULL */
    struct view content;
    const char *digest;         /* NULL: "SHA256" */
    const char *digest_oid;     /* what is written as digest algorithm; NULL: that of `digest` */
    const char *signature_oid;  /* NULL: that of the key with the digest */
    const char *content_type;   /* NULL: data */
    const char *attribute_type; /* the content type among the attributes; NULL: the same */
    const char *signing_time;   /* "250101000000Z"; NULL: none */
    const char *cdhash_list;    /* attribute 9.1 */
    struct view cdhashes;       /* attribute 9.2: the encoded entries, in the order wanted */
    struct view timestamp;      /* a timestamp token, as an unsigned attribute */
    unsigned timestamp_count;   /* 0: one */
    unsigned signer_count;      /* the same signer so many times; 0: once */
    bool no_signer;             /* none */
    bool no_attributes;         /* the signature is over the content */
    bool key_identifier;        /* the signer is named by its key */
    bool unsorted;              /* attributes as they come, not in the order of DER */
    bool twice;                 /* the message digest is there twice */
    bool indefinite;            /* indefinite lengths, as Apple's encoder writes them */
    bool indefinite_attributes; /* of the attributes too; what is signed has a length */
    bool attached;              /* the content is inside */
    bool damaged_digest, damaged_signature;
};

void cms_make(struct buf *out, const struct cms_spec *spec);

/* One entry of attribute 9.2: the digest of the bytes. */
void cms_put_cdhash(struct buf *out, const char *digest, struct view bytes);

/* A TSTInfo for that signature value. */
void cms_put_timestamp_info(struct buf *out, const char *digest, struct view signature,
                            const char *time);

/* The signature value of the first signer, for a timestamp. */
struct view cms_signature_value(const struct buf *der);

#endif
