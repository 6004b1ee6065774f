/* Chains of certificates: up to a trusted one, and each way in which one does not hold. */
#include <string.h>

#include "unit/cms_world.h"
#include "unit/unit.h"

static const int64_t now = SIGNED_AT;

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
    cms_open_works(cms, der);
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
    struct cms_spec spec = cms_plain();
    expect_chain(&spec, cms_world.root, 0, NULL, NULL);
    spec.certificates[2] = NULL; /* the root comes from the trusted ones */
    expect_chain(&spec, cms_world.root, 0, NULL, NULL);
    spec.certificates[1] = NULL;
    expect_chain(&spec, cms_world.intermediate, 0, NULL, NULL);
    expect_chain(&spec, cms_world.leaf, 0, NULL, NULL);
}

static void check_chain__tells_the_order(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_trust struct cms_trust trust = {0};
    own_cms_chain struct cms_chain chain = {0};
    struct cms_spec spec = cms_plain();
    spec.certificates[0] = cms_world.root;
    spec.certificates[1] = cms_world.stranger;
    spec.certificates[2] = cms_world.leaf;
    spec.certificates[3] = cms_world.intermediate;
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
    struct cms_spec spec = cms_plain();
    expect_chain(&spec, NULL, CMS_UNTRUSTED, "Test Root", "vouches for itself");
    spec.certificates[2] = NULL;
    expect_chain(&spec, NULL, CMS_UNTRUSTED, "Test Intermediate",
                 "'C=XX, CN=Test Root' is missing");
    spec.certificates[1] = NULL;
    expect_chain(&spec, cms_world.root, CMS_UNTRUSTED, "Test Leaf",
                 "CN=Test Intermediate' is missing");
}

/* A root of the same name with another key is another root. */
static void check_chain__root_of_that_name(void **state)
{
    (void)state;
    struct identity *other = identity_new(&(struct identity_spec){.name = "Test Root", .ca = true});
    struct cms_spec spec = cms_plain();
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
    intermediate.issuer = cms_world.root;
    struct identity *issuer = identity_new(&intermediate);
    leaf.name = "Other Leaf";
    leaf.issuer = issuer;
    struct identity *signer = identity_new(&leaf);
    struct cms_spec spec = cms_plain();
    spec.signer = spec.certificates[0] = signer;
    spec.certificates[1] = issuer;
    expect_chain(&spec, cms_world.root, kind, certificate, actual);
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
        &(struct identity_spec){.name = "Sub", .issuer = cms_world.intermediate, .ca = true});
    struct identity *leaf = identity_new(
        &(struct identity_spec){.name = "Deep Leaf", .issuer = sub, .usage = "codeSigning"});
    struct cms_spec spec = cms_plain();
    spec.signer = spec.certificates[0] = leaf;
    spec.certificates[3] = sub;
    expect_chain(&spec, cms_world.root, CMS_BAD_CHAIN, "Test Intermediate", "path length");
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
    struct cms_spec spec = {.signer = leaf, .content = cms_content, .certificates = {leaf}};
    cms_make(&der, &spec);
    cms_open_works(&cms, &der);
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
    identity_pem(&pem, cms_world.root);
    buf_puts(&pem, "another\n");
    identity_pem(&pem, cms_world.intermediate);
    assert_works(cms_trust_read(&trust, (struct view){pem.data, pem.len}, "pem", &fail), &fail);
    buf_release(&pem);
    assert_int_equal(trust.count, 2);
    assert_string_equal(trust.certificates[1].common_name, "Test Intermediate");
    assert_int_equal(trust.certificates[1].der.data[0], 0x30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, cms_world_make, cms_world_end);
}
