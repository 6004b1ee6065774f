/*
 * Purpose: CMS signatures (RFC 5652) with detached content, as code signatures and RFC 3161
 *     timestamps use them: reading all that one states, and the three judgements that need
 *     cryptography: signature over content, timestamp over signature, chain of certificates.
 *
 * Layer: port (libcrypto's certificates).
 *
 * Calling sequence: give the DER of a SignedData (BER with indefinite lengths too):
 *         own_cms struct cms cms = {0};
 *         if (cms_open(&cms, der, &fail) < 0) ...
 *         ... cms.certificates, cms.signers[0]: what is stated; nothing is judged yet ...
 *         own_cms_verdict struct cms_verdict verdict = {0};
 *         cms_check_signature(&verdict, &cms, &cms.signers[0], content);
 *     Certificates that are trusted besides Apple's roots:
 *         own_cms_trust struct cms_trust trust = {0};
 *         if (cms_trust_read(&trust, pem, "roots.pem", &fail) < 0) ...
 *         own_cms_chain struct cms_chain chain = {0};
 *         cms_check_chain(&chain, &cms, signer, CMS_CODE_SIGNING, &trust, &signer->signing_time);
 *
 * Ownership: the structs own their arrays and texts; views borrow from the bytes that were given
 *     to cms_open(). A chain borrows its certificates from `cms` and `trust`.
 *
 * Errors: FAIL_INPUT for bytes that are no SignedData or PEM (message: what and at which offset).
 *     Whether what was read is good is a verdict, never a failure.
 *
 * Determinism: pure functions of the arguments; no clock, no certificates of the machine, no
 *     network (revocation is not asked).
 *
 * Input is untrusted: at most CMS_LEN_MAX bytes, CMS_CERTIFICATES_MAX certificates and
 * CMS_SIGNERS_MAX signers; a timestamp inside a timestamp is not read.
 */
#ifndef HALLMARK_PORT_CMS_H
#define HALLMARK_PORT_CMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

#define CMS_LEN_MAX          (UINT64_C(1) << 20)
#define CMS_CERTIFICATES_MAX 32u
#define CMS_SIGNERS_MAX      8u
#define CMS_HASHES_MAX       16u
#define CMS_CHAIN_MAX        10u
#define CMS_FINGERPRINT_HEX  65u /* SHA-256: 64 digits and a NUL */
#define CMS_TIME_MAX         32u

/* A name is readable text in the order of the certificate: "C=US, O=Apple Inc., CN=Apple Root CA".
 * Control characters are escaped. Times are seconds since 1970. */
struct cms_certificate {
    struct view der;
    char *subject;
    char *issuer;
    char *common_name;         /* of the subject; the whole subject when it has none */
    char *unit;                /* its organizational unit, Apple's team identifier; or NULL */
    char *serial;              /* lower-case hexadecimal */
    char *key;                 /* "RSA 2048", "EC 256" (bits) */
    char *signature_algorithm; /* "sha256WithRSAEncryption", "ecdsa-with-SHA384", or the OID */
    int64_t not_before;
    int64_t not_after;
    char sha256[CMS_FINGERPRINT_HEX];
    bool self_issued; /* subject and issuer are the same name */
    void *x509;       /* libcrypto's, and */
    uint8_t *copy;    /* the DER when nobody else keeps it: both for src/port/cms*.c alone */
};

/* One entry of Apple's attribute 1.2.840.113635.100.9.2. */
struct cms_hash {
    char *algorithm; /* "sha1", "sha256", "sha384", or the OID */
    struct view digest;
};

struct cms_signer {
    const struct cms_certificate *certificate; /* NULL: not among the certificates */
    char *issuer;                              /* how it names its certificate; NULL: */
    char *serial;
    char *key_identifier;      /* ... by this, in hexadecimal (else NULL) */
    char *digest_algorithm;    /* "sha256", or the OID */
    char *signature_algorithm; /* "rsaEncryption", "ecdsa-with-SHA256", or the OID */
    bool has_signing_time;
    int64_t signing_time;    /* what the signer claims */
    struct view attributes;  /* the signed attributes as they stand, header included; or empty */
    char *content_type;      /* of the signed attributes; NULL when absent */
    struct view digest;      /* the attribute messageDigest; empty when absent */
    struct view cdhash_list; /* Apple's attribute 9.1, an XML property list; or empty */
    struct cms_hash *hashes; /* Apple's attribute 9.2 */
    size_t hash_count;
    bool has_hashes; /* the attribute is there, be it empty */
    struct view signature;
    struct cms_timestamp *timestamp; /* NULL: none */
    char *timestamp_failure;         /* why the timestamp that is there cannot be read; or NULL */
};

struct cms {
    struct view der;  /* as long as its outermost length says */
    uint64_t padding; /* bytes behind it */
    char *content_type;
    bool has_content;   /* the content is not detached */
    struct buf content; /* what it holds then */
    struct cms_certificate *certificates;
    size_t certificate_count;
    struct cms_signer *signers;
    size_t signer_count;
};

/* An RFC 3161 timestamp token. Its authority is token.signers[0].certificate. */
struct cms_timestamp {
    int64_t time;
    char *serial;
    char *policy;           /* OID */
    char *digest_algorithm; /* of the imprint */
    struct view imprint;    /* the digest of what the timestamp is for */
    struct cms token;
};

#define own_cms __attribute__((cleanup(cms_release)))
int cms_open(struct cms *out, struct view der, struct fail *fail) must_check;
void cms_release(struct cms *cms);

/* "2019-12-05 12:31:49 UTC" */
void cms_time_text(char out[CMS_TIME_MAX], int64_t time);

/* What is wrong, if anything. The texts are those of a finding. */
struct cms_verdict {
    enum cms_verdict_kind {
        CMS_GOOD,
        CMS_BAD_STRUCTURE, /* it contradicts itself, or uses something unknown */
        CMS_BAD_DIGEST,    /* it is not of this content */
        CMS_BAD_SIGNATURE, /* it is not by this certificate's key */
    } kind;
    char *expected;
    char *actual;
};

#define own_cms_verdict __attribute__((cleanup(cms_verdict_release)))
void cms_verdict_release(struct cms_verdict *verdict);

/*
 * Whether the signature is of this content and by the signer's certificate. Over the signed
 * attributes as they stand (RFC 5652 5.4), also when they are not in the order of DER.
 */
void cms_check_signature(struct cms_verdict *out, const struct cms *cms,
                         const struct cms_signer *signer, struct view content);

/* Whether the timestamp is of this signer's signature and by the authority's certificate. */
void cms_check_timestamp(struct cms_verdict *out, const struct cms_signer *signer);

/* Certificates that are trusted. Apple's roots are, without being named. */
struct cms_trust {
    struct cms_certificate *certificates;
    size_t count;
    size_t capacity;
};

#define own_cms_trust __attribute__((cleanup(cms_trust_release)))
/* Adds every CERTIFICATE of a PEM file; none in it is a failure. `name` is for messages. */
int cms_trust_read(struct cms_trust *trust, struct view pem, const char *name,
                   struct fail *fail) must_check;
void cms_trust_release(struct cms_trust *trust);

enum cms_purpose { CMS_CODE_SIGNING, CMS_TIMESTAMPING };

struct cms_problem {
    enum cms_problem_kind {
        CMS_UNTRUSTED, /* the chain ends without a trusted certificate */
        CMS_BAD_CHAIN, /* a certificate may not do what it does in this chain */
        CMS_NOT_VALID, /* not valid at that time */
    } kind;
    const struct cms_certificate *certificate; /* NULL: the chain as a whole */
    char *expected;
    char *actual;
};

struct cms_chain {
    /* From the signer's certificate upwards, as far as it could be followed. */
    const struct cms_certificate *certificates[CMS_CHAIN_MAX];
    size_t count;
    enum { CMS_ANCHOR_NONE, CMS_ANCHOR_APPLE, CMS_ANCHOR_TRUST } anchor;
    struct cms_problem *problems;
    size_t problem_count; /* 0: the chain holds */
};

#define own_cms_chain __attribute__((cleanup(cms_chain_release)))
/*
 * Follows the chain of the signer's certificate to one of Apple's roots or to a certificate of
 * `trust` (may be NULL): names, signatures, basic constraints, path lengths, key usage for the
 * purpose, critical extensions (Apple's own are known), validity at `time` (NULL: at no time).
 */
void cms_check_chain(struct cms_chain *out, const struct cms *cms, const struct cms_signer *signer,
                     enum cms_purpose purpose, const struct cms_trust *trust, const int64_t *time);
void cms_chain_release(struct cms_chain *chain);

#endif
