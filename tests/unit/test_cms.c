/* CMS signatures: what they state, whether they hold, and that libcrypto's own verifier agrees. */
#include <openssl/cms.h>
#include <openssl/err.h>
#include <string.h>

#include "port/cms.h"
#include "port/cms_ber.h"
#include "unit/cms_make.h"
#include "unit/unit.h"

#define TIMESTAMP_TYPE "1.2.840.113549.1.9.16.1.4"

static struct {
    struct identity *root, *intermediate, *leaf, *rsa, *stranger;
    struct identity *authority; /* of timestamps */
} world;

static const uint8_t text[] = "the content that is signed";
static const struct view content = {text, sizeof text - 1};
static const struct view changed = {text, sizeof text - 2};

static int make_world(void **state)
{
    (void)state;
    world.root = identity_new(&(struct identity_spec){.name = "Test Root", .ca = true});
    world.intermediate = identity_new(&(struct identity_spec){
        .name = "Test Intermediate", .issuer = world.root, .ca = true, .path_len = "0"});
    world.leaf = identity_new(&(struct identity_spec){.name = "Test Leaf",
                                                      .issuer = world.intermediate,
                                                      .usage = "critical,codeSigning",
                                                      .extension = "1.2.840.113635.100.6.1.13"});
    world.rsa = identity_new(&(struct identity_spec){.name = "Test RSA Leaf",
                                                     .issuer = world.intermediate,
                                                     .usage = "critical,codeSigning",
                                                     .rsa = true});
    world.stranger = identity_new(
        &(struct identity_spec){.name = "Test Leaf", .issuer = world.root, .usage = "codeSigning"});
    world.authority = identity_new(&(struct identity_spec){
        .name = "Test Timestamps", .issuer = world.root, .usage = "critical,timeStamping"});
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    identity_free(world.root);
    identity_free(world.intermediate);
    identity_free(world.leaf);
    identity_free(world.rsa);
    identity_free(world.stranger);
    identity_free(world.authority);
    return 0;
}

/* By the leaf, with all certificates. */
static struct cms_spec plain(void)
{
    return (struct cms_spec){.signer = world.leaf,
                             .content = content,
                             .signing_time = "250102030405Z",
                             .certificates = {world.leaf, world.intermediate, world.root}};
}

static void open_works(struct cms *out, const struct buf *der)
{
    own_fail struct fail fail = {0};
    assert_works(cms_open(out, (struct view){der->data, der->len}, &fail), &fail);
}

/* What libcrypto says of the signature; certificates are another question. */
static bool libcrypto_accepts(const struct buf *der, struct view bytes)
{
    const unsigned char *at = der->data;
    CMS_ContentInfo *info = d2i_CMS_ContentInfo(NULL, &at, (long)der->len);
    assert_non_null(info);
    BIO *bio = BIO_new_mem_buf(bytes.data, (int)bytes.len);
    bool good = CMS_verify(info, NULL, NULL, bio, NULL,
                           CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY | CMS_DETACHED) == 1;
    BIO_free(bio);
    CMS_ContentInfo_free(info);
    ERR_clear_error();
    return good;
}

/* Makes it, and asks both for a verdict. */
static void expect_kind(const struct cms_spec *spec, struct view bytes, enum cms_verdict_kind kind)
{
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    cms_make(&der, spec);
    open_works(&cms, &der);
    cms_check_signature(&verdict, &cms, &cms.signers[0], bytes);
    assert_int_equal(verdict.kind, kind);
    assert_int_equal(verdict.expected != NULL && verdict.actual != NULL, kind != CMS_GOOD);
    assert_int_equal(libcrypto_accepts(&der, bytes), kind == CMS_GOOD);
}

static void cms_open__tells_what_is_stated(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    struct cms_spec spec = plain();
    spec.indefinite = true;
    cms_make(&der, &spec);
    buf_append(&der, "\0\0\0", 3);
    open_works(&cms, &der);
    assert_int_equal(cms.padding, 3);
    assert_false(cms.has_content);
    assert_string_equal(cms.content_type, "1.2.840.113549.1.7.1");
    assert_int_equal(cms.certificate_count, 3);
    assert_string_equal(cms.certificates[0].subject, "C=XX, CN=Test Leaf");
    assert_string_equal(cms.certificates[0].issuer, "C=XX, CN=Test Intermediate");
    assert_string_equal(cms.certificates[0].common_name, "Test Leaf");
    assert_string_equal(cms.certificates[0].key, "EC 256");
    assert_string_equal(cms.certificates[0].signature_algorithm, "ecdsa-with-SHA256");
    assert_int_equal(cms.certificates[0].not_before, 946684800);
    assert_int_equal(cms.certificates[0].not_after, 4102444800);
    assert_int_equal(strlen(cms.certificates[0].sha256), 64);
    assert_false(cms.certificates[1].self_issued);
    assert_true(cms.certificates[2].self_issued);
    const struct cms_signer *signer = &cms.signers[0];
    assert_int_equal(cms.signer_count, 1);
    assert_ptr_equal(signer->certificate, &cms.certificates[0]);
    assert_string_equal(signer->issuer, "C=XX, CN=Test Intermediate");
    assert_string_equal(signer->serial, cms.certificates[0].serial);
    assert_string_equal(signer->digest_algorithm, "sha256");
    assert_string_equal(signer->signature_algorithm, "ecdsa-with-SHA256");
    assert_true(signer->has_signing_time);
    char time[CMS_TIME_MAX];
    cms_time_text(time, signer->signing_time);
    assert_string_equal(time, "2025-01-02 03:04:05 UTC");
    assert_int_equal(signer->digest.len, 32);
    assert_null(signer->timestamp);
}

static void cms_open__reads_apple_attributes(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_buf struct buf entries = {0};
    own_cms struct cms cms = {0};
    struct cms_spec spec = plain();
    cms_put_cdhash(&entries, "SHA256", content);
    cms_put_cdhash(&entries, "SHA1", content);
    spec.cdhashes = (struct view){entries.data, entries.len};
    spec.cdhash_list = "<plist/>";
    cms_make(&der, &spec);
    open_works(&cms, &der);
    const struct cms_signer *signer = &cms.signers[0];
    assert_true(signer->has_hashes);
    assert_int_equal(signer->hash_count, 2);
    assert_string_equal(signer->hashes[0].algorithm, "sha256");
    assert_int_equal(signer->hashes[0].digest.len, 32);
    assert_string_equal(signer->hashes[1].algorithm, "sha1");
    assert_int_equal(signer->cdhash_list.len, 8);
}

static void check_signature__good_ones(void **state)
{
    (void)state;
    static const char *const digests[] = {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"};
    for (size_t i = 0; i < sizeof digests / sizeof digests[0]; i++) {
        struct cms_spec spec = plain();
        spec.digest = digests[i];
        expect_kind(&spec, content, CMS_GOOD);
        spec.signer = spec.certificates[0] = world.rsa;
        expect_kind(&spec, content, CMS_GOOD);
        spec.signature_oid = "rsaEncryption";
        expect_kind(&spec, content, CMS_GOOD);
    }
    struct cms_spec spec = plain();
    spec.indefinite = true;
    expect_kind(&spec, content, CMS_GOOD);
    spec.indefinite_attributes = true;
    expect_kind(&spec, content, CMS_GOOD);
    spec.cdhash_list = "a text that makes the attributes longer than a length of one byte can say, "
                       "which is what those of real signatures are";
    expect_kind(&spec, content, CMS_GOOD);
    spec.key_identifier = true;
    expect_kind(&spec, content, CMS_GOOD);
    spec.no_attributes = true;
    expect_kind(&spec, content, CMS_GOOD);
}

/* openssl encodes the attributes in the order of DER, and so sees another signature. */
static void check_signature__judges_attributes_as_they_stand(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    struct cms_spec spec = plain();
    own_buf struct buf entries = {0};
    cms_put_cdhash(&entries, "SHA256", content);
    cms_put_cdhash(&entries, "SHA1", content); /* shorter: DER wants it first */
    spec.cdhashes = (struct view){entries.data, entries.len};
    spec.unsorted = true;
    cms_make(&der, &spec);
    open_works(&cms, &der);
    cms_check_signature(&verdict, &cms, &cms.signers[0], content);
    assert_int_equal(verdict.kind, CMS_GOOD);
    assert_false(libcrypto_accepts(&der, content));
}

static void check_signature__other_content(void **state)
{
    (void)state;
    struct cms_spec spec = plain();
    expect_kind(&spec, changed, CMS_BAD_DIGEST);
    spec.damaged_digest = true;
    expect_kind(&spec, content, CMS_BAD_DIGEST);
    spec = plain();
    spec.no_attributes = true;
    expect_kind(&spec, changed, CMS_BAD_SIGNATURE);
}

static void check_signature__other_key(void **state)
{
    (void)state;
    struct cms_spec spec = plain();
    spec.damaged_signature = true;
    expect_kind(&spec, content, CMS_BAD_SIGNATURE);
    spec = plain();
    struct identity impostor = {.key = world.stranger->key, .x509 = world.leaf->x509};
    spec.signer = &impostor;
    expect_kind(&spec, content, CMS_BAD_SIGNATURE);
}

static void check_signature__contradictions(void **state)
{
    (void)state;
    struct cms_spec spec = plain();
    spec.certificates[0] = world.stranger; /* the same name, another serial number */
    expect_kind(&spec, content, CMS_BAD_STRUCTURE);
}

/* libcrypto is not asked where it is laxer, or does what nobody here has a use for. */
static void check_signature__stricter_than_libcrypto(void **state)
{
    (void)state;
    static const struct {
        const char *digest_oid, *signature_oid, *attribute_type;
    } cases[] = {
        {"MD5", NULL, NULL},           {"1.2.3.4.5", NULL, NULL},  {NULL, "ecdsa-with-SHA1", NULL},
        {NULL, "rsaEncryption", NULL}, {NULL, "RSASSA-PSS", NULL}, {NULL, "1.2.3.4.5", NULL},
        {NULL, NULL, TIMESTAMP_TYPE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf der = {0};
        own_cms struct cms cms = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        struct cms_spec spec = plain();
        spec.digest_oid = cases[i].digest_oid;
        spec.signature_oid = cases[i].signature_oid;
        spec.attribute_type = cases[i].attribute_type;
        cms_make(&der, &spec);
        open_works(&cms, &der);
        cms_check_signature(&verdict, &cms, &cms.signers[0], content);
        assert_int_equal(verdict.kind, CMS_BAD_STRUCTURE);
    }
}

/* Old writers put the algorithm of the signature where that of the digest belongs. */
static void check_signature__signature_algorithm_as_digest(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    struct cms_spec spec = plain();
    spec.digest_oid = "ecdsa-with-SHA256";
    cms_make(&der, &spec);
    open_works(&cms, &der);
    cms_check_signature(&verdict, &cms, &cms.signers[0], content);
    assert_int_equal(verdict.kind, CMS_GOOD);
}

static const int64_t now = 1735787045; /* 2025-01-02 */

/* Trusts the root, and follows the chain of a signature with these certificates. */
static void follow(struct cms_chain *out, struct cms *cms, struct cms_trust *trust,
                   const struct buf *der, const struct identity *trusted, enum cms_purpose purpose)
{
    own_buf struct buf pem = {0};
    own_fail struct fail fail = {0};
    if (trusted != NULL) {
        identity_pem(&pem, trusted);
        assert_works(cms_trust_read(trust, (struct view){pem.data, pem.len}, "pem", &fail), &fail);
    }
    open_works(cms, der);
    cms_check_chain(out, cms, &cms->signers[0], purpose, trust, &now);
}

/* The only problem, of that kind, about that certificate, with that in its text; NULL: none. */
static void expect_chain(const struct cms_spec *spec, const struct identity *trusted,
                         enum cms_problem_kind kind, const char *certificate, const char *actual)
{
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_trust struct cms_trust trust = {0};
    own_cms_chain struct cms_chain chain = {0};
    cms_make(&der, spec);
    follow(&chain, &cms, &trust, &der, trusted, CMS_CODE_SIGNING);
    for (size_t i = 0; i < chain.problem_count && actual == NULL; i++)
        print_message("%s: %s\n", chain.problems[i].expected, chain.problems[i].actual);
    assert_int_equal(chain.problem_count, actual != NULL);
    if (actual == NULL) {
        assert_int_equal(chain.anchor, CMS_ANCHOR_TRUST);
        return;
    }
    assert_int_equal(chain.problems[0].kind, kind);
    unit_assert_contains(chain.problems[0].actual, actual, __FILE__, __LINE__);
    assert_string_equal(chain.problems[0].certificate->common_name, certificate);
    assert_int_equal(chain.anchor == CMS_ANCHOR_NONE, kind == CMS_UNTRUSTED);
}

static void check_chain__good(void **state)
{
    (void)state;
    struct cms_spec spec = plain();
    expect_chain(&spec, world.root, 0, NULL, NULL);
    spec.certificates[2] = NULL; /* the root comes from the trusted ones */
    expect_chain(&spec, world.root, 0, NULL, NULL);
    spec.certificates[1] = NULL;
    expect_chain(&spec, world.intermediate, 0, NULL, NULL);
    expect_chain(&spec, world.leaf, 0, NULL, NULL);
}

static void check_chain__tells_the_order(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_trust struct cms_trust trust = {0};
    own_cms_chain struct cms_chain chain = {0};
    struct cms_spec spec = plain();
    spec.certificates[0] = world.root;
    spec.certificates[1] = world.stranger;
    spec.certificates[2] = world.leaf;
    spec.certificates[3] = world.intermediate;
    cms_make(&der, &spec);
    follow(&chain, &cms, &trust, &der, NULL, CMS_CODE_SIGNING);
    assert_int_equal(chain.count, 3);
    assert_ptr_equal(chain.certificates[0], &cms.certificates[2]);
    assert_ptr_equal(chain.certificates[1], &cms.certificates[3]);
    assert_ptr_equal(chain.certificates[2], &cms.certificates[0]);
}

static void check_chain__ends_without_trust(void **state)
{
    (void)state;
    struct cms_spec spec = plain();
    expect_chain(&spec, NULL, CMS_UNTRUSTED, "Test Root", "vouches for itself");
    spec.certificates[2] = NULL;
    expect_chain(&spec, NULL, CMS_UNTRUSTED, "Test Intermediate",
                 "'C=XX, CN=Test Root' is missing");
    spec.certificates[1] = NULL;
    expect_chain(&spec, world.root, CMS_UNTRUSTED, "Test Leaf", "CN=Test Intermediate' is missing");
}

/* A root of the same name with another key is another root. */
static void check_chain__root_of_that_name(void **state)
{
    (void)state;
    struct identity *other = identity_new(&(struct identity_spec){.name = "Test Root", .ca = true});
    struct cms_spec spec = plain();
    spec.certificates[2] = NULL;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_trust struct cms_trust trust = {0};
    own_cms_chain struct cms_chain chain = {0};
    cms_make(&der, &spec);
    follow(&chain, &cms, &trust, &der, other, CMS_CODE_SIGNING);
    assert_true(chain.problem_count > 0);
    identity_free(other);
}

/* A leaf as this spec says, issued by an intermediate as that one says. */
static void expect_issued(struct identity_spec leaf, struct identity_spec intermediate,
                          enum cms_problem_kind kind, const char *certificate, const char *actual)
{
    intermediate.name = "Other Intermediate";
    intermediate.issuer = world.root;
    struct identity *issuer = identity_new(&intermediate);
    leaf.name = "Other Leaf";
    leaf.issuer = issuer;
    struct identity *signer = identity_new(&leaf);
    struct cms_spec spec = plain();
    spec.signer = spec.certificates[0] = signer;
    spec.certificates[1] = issuer;
    expect_chain(&spec, world.root, kind, certificate, actual);
    identity_free(signer);
    identity_free(issuer);
}

static void check_chain__validity(void **state)
{
    (void)state;
    const struct identity_spec leaf = {.usage = "codeSigning"};
    const struct identity_spec ca = {.ca = true};
    struct identity_spec changed_leaf = leaf;
    struct identity_spec changed_ca = ca;
    expect_issued(leaf, ca, 0, NULL, NULL);
    changed_leaf.to = "20240101000000Z";
    expect_issued(changed_leaf, ca, CMS_NOT_VALID, "Other Leaf", "to 2024-01-01 00:00:00 UTC");
    changed_leaf = leaf;
    changed_leaf.from = "20260101000000Z";
    expect_issued(changed_leaf, ca, CMS_NOT_VALID, "Other Leaf", "from 2026-01-01 00:00:00 UTC");
    changed_ca.to = "20240101000000Z";
    expect_issued(leaf, changed_ca, CMS_NOT_VALID, "Other Intermediate", "2024");
}

static void check_chain__authorities(void **state)
{
    (void)state;
    const struct identity_spec leaf = {.usage = "codeSigning"};
    expect_issued(leaf, (struct identity_spec){.key_usage = ""}, CMS_BAD_CHAIN,
                  "Other Intermediate", "invalid CA certificate");
    expect_issued(leaf, (struct identity_spec){.ca = true, .damaged_signature = true},
                  CMS_BAD_CHAIN, "Other Intermediate", "signature failure");
    struct identity_spec damaged = leaf;
    damaged.damaged_signature = true;
    expect_issued(damaged, (struct identity_spec){.ca = true}, CMS_BAD_CHAIN, "Other Leaf",
                  "signature failure");
    expect_issued(leaf, (struct identity_spec){.ca = true, .extension = "1.2.3.4"}, CMS_BAD_CHAIN,
                  "Other Intermediate", "1.2.3.4");
    expect_issued(leaf, (struct identity_spec){.ca = true, .extension = "1.2.840.113635.100.6.2.1"},
                  0, NULL, NULL);
}

static void check_chain__path_length(void **state)
{
    (void)state;
    struct identity *sub = identity_new(
        &(struct identity_spec){.name = "Sub", .issuer = world.intermediate, .ca = true});
    struct identity *leaf = identity_new(
        &(struct identity_spec){.name = "Deep Leaf", .issuer = sub, .usage = "codeSigning"});
    struct cms_spec spec = plain();
    spec.signer = spec.certificates[0] = leaf;
    spec.certificates[3] = sub;
    expect_chain(&spec, world.root, CMS_BAD_CHAIN, "Test Intermediate", "path length");
    identity_free(leaf);
    identity_free(sub);
}

static void check_chain__purpose(void **state)
{
    (void)state;
    const struct identity_spec ca = {.ca = true};
    expect_issued((struct identity_spec){.usage = "serverAuth"}, ca, CMS_BAD_CHAIN, "Other Leaf",
                  "others");
    expect_issued((struct identity_spec){.usage = "1.2.840.113635.100.4.1"}, ca, 0, NULL, NULL);
    expect_issued((struct identity_spec){.usage = "anyExtendedKeyUsage"}, ca, 0, NULL, NULL);
    expect_issued((struct identity_spec){0}, ca, 0, NULL, NULL); /* it does not say: any */
    expect_issued((struct identity_spec){.usage = "codeSigning", .key_usage = "keyAgreement"}, ca,
                  CMS_BAD_CHAIN, "Other Leaf", "0x8");
}

static void check_chain__without_a_time(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_chain struct cms_chain chain = {0};
    struct identity *leaf = identity_new(&(struct identity_spec){
        .name = "Old", .usage = "codeSigning", .from = "20010101000000Z", .to = "20020101000000Z"});
    struct cms_spec spec = {.signer = leaf, .content = content, .certificates = {leaf}};
    cms_make(&der, &spec);
    open_works(&cms, &der);
    cms_check_chain(&chain, &cms, &cms.signers[0], CMS_CODE_SIGNING, NULL, NULL);
    assert_int_equal(chain.problem_count, 1);
    assert_int_equal(chain.problems[0].kind, CMS_UNTRUSTED);
    identity_free(leaf);
}

static void trust_read__refuses_what_is_no_certificate(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "has no certificate"},
        {"hello\n", "has no certificate"},
        {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "cannot be read"},
        {"-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n", "not valid PEM"},
        {"-----BEGIN CERTIFICATE-----\nAAAA\n", "not valid PEM"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_cms_trust struct cms_trust trust = {0};
        own_fail struct fail fail = {0};
        struct view pem = {(const uint8_t *)cases[i].text, strlen(cases[i].text)};
        assert_fails(cms_trust_read(&trust, pem, "roots.pem", &fail), &fail, FAIL_INPUT,
                     cases[i].message);
    }
}

static void trust_read__takes_all(void **state)
{
    (void)state;
    own_buf struct buf pem = {0};
    own_cms_trust struct cms_trust trust = {0};
    own_fail struct fail fail = {0};
    buf_puts(&pem, "a comment\n");
    identity_pem(&pem, world.root);
    buf_puts(&pem, "another\n");
    identity_pem(&pem, world.intermediate);
    assert_works(cms_trust_read(&trust, (struct view){pem.data, pem.len}, "pem", &fail), &fail);
    buf_release(&pem);
    assert_int_equal(trust.count, 2);
    assert_string_equal(trust.certificates[1].common_name, "Test Intermediate");
    assert_int_equal(trust.certificates[1].der.data[0], 0x30);
}

/* A signature with a timestamp token of that kind. */
static void make_stamped(struct buf *out, const struct cms_spec *token_changes, const char *time)
{
    own_buf struct buf first = {0};
    own_buf struct buf info = {0};
    own_buf struct buf token = {0};
    struct cms_spec spec = plain();
    spec.signer = spec.certificates[0] = world.rsa; /* whose signatures come out alike */
    cms_make(&first, &spec);
    cms_put_timestamp_info(&info, "SHA256", cms_signature_value(&first), time);
    struct cms_spec token_spec = *token_changes;
    token_spec.content = (struct view){info.data, info.len};
    token_spec.content_type = TIMESTAMP_TYPE;
    token_spec.attached = true;
    if (token_spec.signer == NULL)
        token_spec.signer = token_spec.certificates[0] = world.authority;
    cms_make(&token, &token_spec);
    spec.timestamp = (struct view){token.data, token.len};
    spec.timestamp_count = token_changes->timestamp_count;
    cms_make(out, &spec);
}

static void check_timestamp__good(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    make_stamped(&der, &(struct cms_spec){.indefinite = true}, "20250102030406.123Z");
    open_works(&cms, &der);
    const struct cms_timestamp *timestamp = cms.signers[0].timestamp;
    assert_non_null(timestamp);
    assert_int_equal(timestamp->time, now + 1);
    assert_string_equal(timestamp->serial, "07");
    assert_string_equal(timestamp->policy, "1.2.3.4");
    assert_string_equal(timestamp->digest_algorithm, "sha256");
    assert_string_equal(timestamp->token.signers[0].certificate->common_name, "Test Timestamps");
    cms_check_timestamp(&verdict, &cms.signers[0]);
    assert_int_equal(verdict.kind, CMS_GOOD);
    own_cms_chain struct cms_chain chain = {0};
    cms_check_chain(&chain, &timestamp->token, &timestamp->token.signers[0], CMS_TIMESTAMPING, NULL,
                    &timestamp->time);
    assert_int_equal(chain.problem_count, 1);
    assert_int_equal(chain.problems[0].kind, CMS_UNTRUSTED);
}

static void check_timestamp__bad_ones(void **state)
{
    (void)state;
    static const struct {
        struct cms_spec token;
        enum cms_verdict_kind kind;
    } cases[] = {
        {{.damaged_digest = true}, CMS_BAD_DIGEST},
        {{.damaged_signature = true}, CMS_BAD_SIGNATURE},
        {{.no_attributes = true}, CMS_BAD_STRUCTURE},
        {{.signer_count = 2}, CMS_BAD_STRUCTURE},
        {{.digest_oid = "MD5"}, CMS_BAD_STRUCTURE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf der = {0};
        own_cms struct cms cms = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        make_stamped(&der, &cases[i].token, "20250102030406Z");
        open_works(&cms, &der);
        assert_non_null(cms.signers[0].timestamp);
        cms_check_timestamp(&verdict, &cms.signers[0]);
        assert_int_equal(verdict.kind, cases[i].kind);
    }
}

/* The timestamp of another signature. */
static void check_timestamp__of_another_signature(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_buf struct buf other = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    own_buf struct buf info = {0};
    cms_put_timestamp_info(&info, "SHA256", content, "20250102030406Z");
    cms_make(&other, &(struct cms_spec){.signer = world.authority,
                                        .certificates = {world.authority},
                                        .content = {info.data, info.len},
                                        .content_type = TIMESTAMP_TYPE,
                                        .attached = true});
    struct cms_spec spec = plain();
    spec.timestamp = (struct view){other.data, other.len};
    cms_make(&der, &spec);
    open_works(&cms, &der);
    cms_check_timestamp(&verdict, &cms.signers[0]);
    assert_int_equal(verdict.kind, CMS_BAD_DIGEST);
}

/* What cannot be read does not hide the signature. */
static void cms_open__keeps_what_is_wrong_with_a_timestamp(void **state)
{
    (void)state;
    static const struct {
        struct cms_spec token;
        const char *time, *message;
    } cases[] = {
        {{.timestamp_count = 2}, "20250102030406Z", "more than one"},
        {{.no_signer = true}, "never", "time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf der = {0};
        own_cms struct cms cms = {0};
        make_stamped(&der, &cases[i].token, cases[i].time);
        open_works(&cms, &der);
        assert_null(cms.signers[0].timestamp);
        unit_assert_contains(cms.signers[0].timestamp_failure, cases[i].message, __FILE__,
                             __LINE__);
    }
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    struct cms_spec spec = plain();
    spec.timestamp = (struct view){(const uint8_t *)"\x30\x80zz", 4};
    cms_make(&der, &spec);
    open_works(&cms, &der);
    unit_assert_contains(cms.signers[0].timestamp_failure, "no readable", __FILE__, __LINE__);
}

static void cms_open__refuses_what_is_no_signed_data(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
        const char *message;
    } cases[] = {
        {"", 0, "ContentInfo at offset 0"},
        {"\x30", 1, "ContentInfo at offset 0"},
        {"\x30\x84\xff\xff\xff\xff", 6, "ContentInfo at offset 0"},
        {"\x30\x88\xff\xff\xff\xff\xff\xff\xff\xff", 10, "ContentInfo at offset 0"},
        {"\x30\x80\x30\x80\x30\x80\x00\x00", 8, "ContentInfo at offset 0"},
        {"\x30\x03\x06\x01\x2a", 5, "no SignedData"},
        {"\x30\x80\x00\x00", 4, "type at offset 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        struct view der = {(const uint8_t *)cases[i].bytes, cases[i].len};
        assert_fails(cms_open(&cms, der, &fail), &fail, FAIL_INPUT, cases[i].message);
    }
    own_buf struct buf large = {0};
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    buf_zeros(&large, CMS_LEN_MAX + 1);
    assert_fails(cms_open(&cms, (struct view){large.data, large.len}, &fail), &fail, FAIL_INPUT,
                 "more than");
}

static void cms_open__refuses_an_attribute_that_is_there_twice(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    struct cms_spec spec = plain();
    spec.twice = true;
    cms_make(&der, &spec);
    assert_fails(cms_open(&cms, (struct view){der.data, der.len}, &fail), &fail, FAIL_INPUT,
                 "single message digest");
}

static void cms_open__more_signers_than_can_be(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    struct cms_spec spec = plain();
    spec.signer_count = CMS_SIGNERS_MAX + 1;
    cms_make(&der, &spec);
    assert_fails(cms_open(&cms, (struct view){der.data, der.len}, &fail), &fail, FAIL_INPUT,
                 "more than 8 signers");
}

/* Cut anywhere, or with any byte changed: refused, or judged, and nothing else. */
static void cms_open__damaged_anywhere(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    make_stamped(&der, &(struct cms_spec){.indefinite = true}, "20250102030406Z");
    for (size_t len = 0; len < der.len; len += 1 + len / 64) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        own_mem uint8_t *copy = mem_copy(der.data, len);
        assert_int_equal(cms_open(&cms, (struct view){copy, len}, &fail), -1);
    }
    for (size_t at = 0; at < der.len; at += 3) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        der.data[at] ^= 0xff;
        if (cms_open(&cms, (struct view){der.data, der.len}, &fail) == 0 && cms.signer_count == 1 &&
            cms.signers[0].certificate != NULL && at % 24 == 0)
            cms_check_signature(&verdict, &cms, &cms.signers[0], content);
        der.data[at] ^= 0xff;
    }
}

/* No byte of what the signature covers can change. */
static void check_signature__every_byte_of_the_attributes(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms good = {0};
    struct cms_spec spec = plain();
    spec.cdhash_list = "<plist/>";
    cms_make(&der, &spec);
    open_works(&good, &der);
    size_t from = (size_t)(good.signers[0].attributes.data - der.data);
    size_t to = from + (size_t)good.signers[0].attributes.len;
    for (size_t at = from; at < to; at++) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        der.data[at] ^= 0x01;
        if (cms_open(&cms, (struct view){der.data, der.len}, &fail) == 0) {
            cms_check_signature(&verdict, &cms, &cms.signers[0], content);
            assert_int_not_equal(verdict.kind, CMS_GOOD);
        }
        der.data[at] ^= 0x01;
    }
}

static bool take(struct ber *out, const char *bytes, size_t len, struct view *rest)
{
    *rest = (struct view){(const uint8_t *)bytes, len};
    return ber_next(out, rest);
}

static void ber_next__lengths(void **state)
{
    (void)state;
    struct ber out = {0};
    struct view rest = {0};
    assert_true(take(&out, "\x04\x02zzx", 5, &rest));
    assert_int_equal(out.content.len, 2);
    assert_int_equal(out.whole.len, 4);
    assert_int_equal(rest.len, 1);
    assert_true(take(&out, "\x04\x83\0\0\1z", 6, &rest)); /* longer than needed: BER, not DER */
    assert_int_equal(out.content.len, 1);
    assert_true(take(&out, "\x30\x80\x04\1z\0\0y", 8, &rest));
    assert_true(out.indefinite);
    assert_int_equal(out.content.len, 3);
    assert_int_equal(out.whole.len, 7);
    assert_int_equal(rest.len, 1);
    assert_false(take(&out, "\x04\x03zz", 4, &rest));          /* cut */
    assert_false(take(&out, "\x04\x80zz\0\0", 6, &rest));      /* primitive of no length */
    assert_false(take(&out, "\x04\x85\0\0\0\0\1z", 8, &rest)); /* too many bytes of length */
    assert_false(take(&out, "\x1f\x81\1z", 4, &rest));         /* a long tag */
    assert_false(take(&out, "\x30\x80\x04\1z\0", 6, &rest));   /* no end */
    assert_false(take(&out, "\0\0", 2, &rest));                /* an end without a beginning */
    assert_false(take(&out, "\x04\x84\xff\xff\xff\xff", 6, &rest));
}

static void ber_next__nesting_has_a_limit(void **state)
{
    (void)state;
    for (unsigned depth = BER_DEPTH_MAX; depth <= BER_DEPTH_MAX + 1; depth++) {
        own_buf struct buf bytes = {0};
        struct ber out = {0};
        for (unsigned i = 0; i < depth; i++)
            buf_append(&bytes, "\x30\x80", 2);
        buf_zeros(&bytes, (size_t)depth * 2);
        struct view rest = {bytes.data, bytes.len};
        assert_int_equal(ber_next(&out, &rest), depth <= BER_DEPTH_MAX);
    }
}

static void ber_octets__in_pieces(void **state)
{
    (void)state;
    struct ber out = {0};
    struct view rest = {0};
    own_buf struct buf bytes = {0};
    assert_true(take(&out, "\x24\x80\x04\1a\x04\2bc\0\0", 11, &rest));
    assert_true(ber_octets(&bytes, &out));
    assert_string_equal(buf_text(&bytes), "abc");
    assert_true(take(&out, "\x24\x03\x02\1a", 5, &rest));
    assert_false(ber_octets(&bytes, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cms_open__tells_what_is_stated),
        cmocka_unit_test(cms_open__reads_apple_attributes),
        cmocka_unit_test(check_signature__good_ones),
        cmocka_unit_test(check_signature__judges_attributes_as_they_stand),
        cmocka_unit_test(check_signature__other_content),
        cmocka_unit_test(check_signature__other_key),
        cmocka_unit_test(check_signature__contradictions),
        cmocka_unit_test(check_signature__stricter_than_libcrypto),
        cmocka_unit_test(check_signature__signature_algorithm_as_digest),
        cmocka_unit_test(check_chain__good),
        cmocka_unit_test(check_chain__tells_the_order),
        cmocka_unit_test(check_chain__ends_without_trust),
        cmocka_unit_test(check_chain__root_of_that_name),
        cmocka_unit_test(check_chain__validity),
        cmocka_unit_test(check_chain__authorities),
        cmocka_unit_test(check_chain__path_length),
        cmocka_unit_test(check_chain__purpose),
        cmocka_unit_test(check_chain__without_a_time),
        cmocka_unit_test(trust_read__refuses_what_is_no_certificate),
        cmocka_unit_test(trust_read__takes_all),
        cmocka_unit_test(check_timestamp__good),
        cmocka_unit_test(check_timestamp__bad_ones),
        cmocka_unit_test(check_timestamp__of_another_signature),
        cmocka_unit_test(cms_open__keeps_what_is_wrong_with_a_timestamp),
        cmocka_unit_test(cms_open__refuses_what_is_no_signed_data),
        cmocka_unit_test(cms_open__refuses_an_attribute_that_is_there_twice),
        cmocka_unit_test(cms_open__more_signers_than_can_be),
        cmocka_unit_test(cms_open__damaged_anywhere),
        cmocka_unit_test(check_signature__every_byte_of_the_attributes),
        cmocka_unit_test(ber_next__lengths),
        cmocka_unit_test(ber_next__nesting_has_a_limit),
        cmocka_unit_test(ber_octets__in_pieces),
    };
    return cmocka_run_group_tests(tests, make_world, end_world);
}
