/* The judgement of a signature with a CMS blob: each fault has its finding, and nothing else has. */
#include <string.h>

#include "macho/sigcheck_parts.h"
#include "unit/cms_make.h"
#include "unit/superblob.h"
#include "unit/unit.h"

#define TIMESTAMP_TYPE "1.2.840.113549.1.9.16.1.4"
#define START          4096u /* where the signature is in the file */

static struct {
    struct identity *root, *leaf, *authority, *self_signed, *old;
    struct cms_trust trust; /* the root */
} world;

static int make_world(void **state)
{
    (void)state;
    own_buf struct buf pem = {0};
    own_fail struct fail fail = {0};
    world.root = identity_new(&(struct identity_spec){.name = "Test Root", .ca = true});
    world.leaf = identity_new(&(struct identity_spec){.name = "Test Leaf",
                                                      .unit = "TEAM123456",
                                                      .issuer = world.root,
                                                      .usage = "codeSigning",
                                                      .rsa = true});
    world.old = identity_new(&(struct identity_spec){.name = "Old Leaf",
                                                     .issuer = world.root,
                                                     .usage = "codeSigning",
                                                     .to = "20100101000000Z",
                                                     .rsa = true});
    world.authority = identity_new(&(struct identity_spec){
        .name = "Test Timestamps", .issuer = world.root, .usage = "critical,timeStamping"});
    world.self_signed =
        identity_new(&(struct identity_spec){.name = "Nobody", .usage = "codeSigning"});
    identity_pem(&pem, world.root);
    assert_works(cms_trust_read(&world.trust, (struct view){pem.data, pem.len}, "pem", &fail),
                 &fail);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    identity_free(world.root);
    identity_free(world.leaf);
    identity_free(world.old);
    identity_free(world.authority);
    identity_free(world.self_signed);
    cms_trust_release(&world.trust);
    return 0;
}

/* A CodeDirectory without pages; identifier and team follow the header. */
static void put_directory(struct buf *out, uint8_t hash_type, const char *identifier)
{
    static const char team[] = "TEAM123456";
    size_t start = out->len;
    size_t team_at = 88 + strlen(identifier) + 1;
    size_t len = team_at + sizeof team;
    buf_u32be(out, CODESIG_MAGIC_DIRECTORY);
    buf_u32be(out, (uint32_t)len);
    buf_u32be(out, 0x20400);
    buf_u32be(out, 0);             /* flags */
    buf_u32be(out, (uint32_t)len); /* hashes */
    buf_u32be(out, 88);            /* identifier */
    buf_zeros(out, 12);
    buf_putc(out, (char)codesig_hash_len(hash_type));
    buf_putc(out, (char)hash_type);
    buf_append(out, "\0\x0c", 2);
    buf_zeros(out, 8);
    buf_u32be(out, (uint32_t)team_at);
    buf_zeros(out, start + 88 - out->len);
    buf_append(out, identifier, strlen(identifier) + 1);
    buf_append(out, team, sizeof team);
}

/* What is signed, and what the CMS says of it. */
struct parts {
    struct buf first, alternate; /* CodeDirectories; the second may be empty */
    struct buf cms;
    struct buf list, hashes; /* of the attributes */
    struct cms_spec spec;    /* borrows of all that */
};
#define own_parts __attribute__((cleanup(parts_release)))

static void parts_release(struct parts *parts)
{
    buf_release(&parts->first);
    buf_release(&parts->alternate);
    buf_release(&parts->cms);
    buf_release(&parts->list);
    buf_release(&parts->hashes);
}

static void put_base64(struct buf *out, const struct buf *directory, uint8_t hash_type)
{
    uint8_t digest[DIGEST_MAX] = {0};
    unsigned char text[40];
    codesig_hash_bytes(digest, hash_type, unit_view(directory));
    EVP_EncodeBlock(text, digest, CDHASH_LEN);
    buf_printf(out, "<data>%s</data>", text);
}

/* What makes a good CMS, but for a timestamp. */
static struct cms_spec spec_of(const struct parts *parts)
{
    return (struct cms_spec){.signer = world.leaf,
                             .certificates = {world.leaf, world.root},
                             .content = unit_view(&parts->first),
                             .signing_time = "250102030405Z",
                             .cdhash_list = buf_text(&parts->list),
                             .cdhashes = unit_view(&parts->hashes)};
}

/* Two CodeDirectories, and the attributes that list them; the CMS is not made yet. */
static struct parts good_parts(void)
{
    struct parts out = {0};
    put_directory(&out.first, CODESIG_HASH_SHA1, "identifier");
    put_directory(&out.alternate, CODESIG_HASH_SHA256, "identifier");
    buf_puts(&out.list, "<plist version=\"1.0\"><dict><key>cdhashes</key><array>");
    put_base64(&out.list, &out.first, CODESIG_HASH_SHA1);
    put_base64(&out.list, &out.alternate, CODESIG_HASH_SHA256);
    buf_puts(&out.list, "</array></dict></plist>");
    cms_put_cdhash(&out.hashes, "SHA1", unit_view(&out.first));
    cms_put_cdhash(&out.hashes, "SHA256", unit_view(&out.alternate));
    out.spec = spec_of(&out);
    return out;
}

/* A token for what `spec` comes out as (RSA: the same every time). */
static void make_token(struct buf *out, const struct cms_spec *spec,
                       const struct identity *authority, const char *time)
{
    own_buf struct buf der = {0};
    own_buf struct buf info = {0};
    cms_make(&der, spec);
    cms_put_timestamp_info(&info, "SHA256", cms_signature_value(&der), time);
    cms_make(out, &(struct cms_spec){.signer = authority,
                                     .certificates = {authority, world.root},
                                     .content = unit_view(&info),
                                     .content_type = TIMESTAMP_TYPE,
                                     .attached = true});
}

static void put_super_blob(struct buf *out, const struct parts *parts)
{
    bool two = parts->alternate.len > 0;
    own_buf struct buf cms = {0};
    superblob_put_blob(&cms, CODESIG_SLOT_CMS, unit_view(&parts->cms));
    struct superblob super = superblob_begin(out, two ? 3 : 2);
    superblob_add(&super, CODESIG_SLOT_DIRECTORY, unit_view(&parts->first));
    if (two)
        superblob_add(&super, CODESIG_SLOT_ALTERNATE, unit_view(&parts->alternate));
    superblob_add(&super, CODESIG_SLOT_CMS, unit_view(&cms));
}

static void judge(struct findings *out, const struct parts *parts, const struct cms_trust *trust)
{
    own_buf struct buf bytes = {0};
    own_codesig struct codesig sig = {0};
    put_super_blob(&bytes, parts);
    codesig_parse(&sig, out, unit_view(&bytes));
    assert_int_equal(out->count, 0);
    const struct sigcheck_options options = {.trust = trust};
    const struct sigcheck check = {
        .out = out, .options = &options, .sig = &sig, .start = START, .at = START};
    sigcheck_cms(&check);
}

/* The only finding is this one; `id` NULL: there is none. */
static void expect(const struct parts *parts, const struct cms_trust *trust,
                   enum finding_level level, const char *id, const char *place, const char *actual)
{
    own_findings struct findings findings = {0};
    judge(&findings, parts, trust);
    if (findings.count != (id != NULL))
        findings_print(&findings, stdout, false);
    assert_int_equal(findings.count, id != NULL);
    if (id == NULL)
        return;
    const struct finding *finding = &findings.list[0];
    assert_string_equal(finding->id, id);
    assert_int_equal(finding->level, level);
    unit_assert_contains(finding->place, place, __FILE__, __LINE__);
    unit_assert_contains(finding->actual, actual, __FILE__, __LINE__);
    assert_non_null(finding->expected);
    assert_non_null(finding->remedy);
}

static void expect_error(const struct parts *parts, const char *id, const char *place,
                         const char *actual)
{
    expect(parts, &world.trust, FINDING_ERROR, id, place, actual);
}

static void sign(struct parts *parts)
{
    buf_truncate(&parts->cms, 0);
    cms_make(&parts->cms, &parts->spec);
}

/* With a timestamp over what the spec comes out as. */
static void stamp(struct parts *parts, const char *time)
{
    own_buf struct buf token = {0};
    make_token(&token, &parts->spec, world.authority, time);
    parts->spec.timestamp = unit_view(&token);
    sign(parts);
    parts->spec.timestamp = (struct view){0};
}

static void cms__good(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    stamp(&parts, "20250102030406Z");
    expect(&parts, &world.trust, FINDING_ERROR, NULL, NULL, NULL);
    parts.spec.unsorted = true;
    parts.spec.indefinite = true;
    stamp(&parts, "20250102030406Z");
    expect(&parts, &world.trust, FINDING_ERROR, NULL, NULL, NULL);
}

static void cms__empty_is_ad_hoc(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    expect(&parts, NULL, FINDING_ERROR, NULL, NULL, NULL);
}

/* The signer's word for the time is told as that. */
static void cms__without_timestamp(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    sign(&parts);
    expect(&parts, &world.trust, FINDING_WARNING, "sig.cms-timestamp", "time of the CMS",
           "2025-01-02 03:04:05 UTC, which the signer alone says");
    parts.spec.signing_time = NULL;
    sign(&parts);
    expect(&parts, &world.trust, FINDING_WARNING, "sig.cms-timestamp", "time of the CMS",
           "no time at all");
}

/* Valid when the timestamp says, whatever the signer claims; and the other way round. */
static void cms__timestamp_decides_validity(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    parts.spec.signer = parts.spec.certificates[0] = world.old;
    stamp(&parts, "20090102030406Z");
    expect(&parts, &world.trust, FINDING_ERROR, NULL, NULL, NULL);
    parts.spec.signing_time = "090102030405Z";
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-validity", "certificate 'Old Leaf' of the CMS signature",
                 "from 2000-01-01 00:00:00 UTC to 2010-01-01 00:00:00 UTC");
    sign(&parts);
    expect(&parts, &world.trust, FINDING_WARNING, "sig.cms-timestamp", "time of", "2009");
}

static void cms__validity_at_the_claimed_time(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_findings struct findings findings = {0};
    parts.spec.signer = parts.spec.certificates[0] = world.old;
    sign(&parts);
    judge(&findings, &parts, &world.trust);
    assert_int_equal(findings.count, 2);
    assert_int_equal(findings.error_count, 1);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-validity"), 1);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-timestamp"), 1);
}

static void cms__altered_directory(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_findings struct findings findings = {0};
    stamp(&parts, "20250102030406Z");
    parts.first.data[90] ^= 1; /* the identifier */
    judge(&findings, &parts, &world.trust);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-signature"), 1);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-cdhash"), 2);
    assert_int_equal(findings.count, 3);
}

/* The signature is over the first CodeDirectory; the list binds the other. */
static void cms__altered_alternate(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_findings struct findings findings = {0};
    stamp(&parts, "20250102030406Z");
    parts.alternate.data[90] ^= 1;
    judge(&findings, &parts, &world.trust);
    assert_int_equal(findings.count, 2);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-cdhash"), 2);
}

/* Each attribute on its own. */
static void cms__cdhash_attributes(void **state)
{
    (void)state;
    static const char one[] = "<plist version=\"1.0\"><dict><key>cdhashes</key><array>"
                              "<data>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</data></array></dict></plist>";
    static const char short_one[] = "<plist version=\"1.0\"><dict><key>cdhashes</key><array>"
                                    "<data>AAAA</data></array></dict></plist>";
    static const struct {
        const char *list, *actual;
    } cases[] = {
        {one, "0000000000000000000000000000000000000000"},
        {short_one, "3 bytes"},
        {"<plist version=\"1.0\"><dict><key>cdhashes</key><array/></dict></plist>", "none"},
        {"<plist version=\"1.0\"><dict><key>cdhashes</key><true/></dict></plist>", "another one"},
        {"<plist version=\"1.0\"><dict/></plist>", "another one"},
        {"no property list", "property list"},
    };
    own_parts struct parts parts = good_parts();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parts.spec.cdhash_list = cases[i].list;
        stamp(&parts, "20250102030406Z");
        expect_error(&parts, "sig.cms-cdhash", "cdhashes in the CMS", cases[i].actual);
    }
}

static void cms__cdhash_digests(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_buf struct buf hashes = {0};
    cms_put_cdhash(&hashes, "SHA256", unit_view(&parts.alternate));
    parts.spec.cdhashes = unit_view(&hashes);
    stamp(&parts, "20250102030406Z");
    own_findings struct findings findings = {0};
    judge(&findings, &parts, &world.trust);
    assert_int_equal(findings.count, 2); /* the one that lacks, and how many there are */
    assert_int_equal(unit_count_findings(&findings, "sig.cms-cdhash"), 2);
    cms_put_cdhash(&hashes, "SHA1", unit_view(&parts.alternate)); /* the other directory's */
    parts.spec.cdhashes = unit_view(&hashes);
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-cdhash", "cdhashes in the CMS", "0 times among 2 digests");
}

static void cms__nothing_binds_the_alternate(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    parts.spec.cdhash_list = NULL;
    parts.spec.cdhashes = (struct view){0};
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-cdhash", "cdhashes in the CMS", "none");
    buf_truncate(&parts.alternate, 0); /* one CodeDirectory needs no list: as before 2015 */
    expect(&parts, &world.trust, FINDING_ERROR, NULL, NULL, NULL);
}

static void cms__wrong_key(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    struct identity impostor = {.key = world.old->key, .x509 = world.leaf->x509};
    parts.spec.signer = &impostor;
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-signature", "CMS signature at offset",
                 "256 bytes that this key did not sign");
}

static void cms__chain(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    stamp(&parts, "20250102030406Z");
    own_findings struct findings findings = {0};
    judge(&findings, &parts, NULL);
    assert_int_equal(findings.count, 2); /* of the signer, and of the timestamp */
    assert_int_equal(unit_count_findings(&findings, "sig.cms-chain"), 1);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-timestamp"), 1);
    parts.spec.certificates[1] = NULL;
    stamp(&parts, "20250102030406Z");
    expect(&parts, &world.trust, FINDING_ERROR, NULL, NULL, NULL);
    parts.spec.certificates[0] = NULL;
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-chain", "certificates of the CMS", "0 others");
    parts.spec.key_identifier = true;
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-chain", "certificates of the CMS", "0 others");
}

static void team_of(struct findings *findings, const char *unit)
{
    struct identity *other = identity_new(&(struct identity_spec){.name = "Other Leaf",
                                                                  .unit = unit,
                                                                  .issuer = world.root,
                                                                  .usage = "codeSigning",
                                                                  .rsa = true});
    own_parts struct parts parts = good_parts();
    parts.spec.signer = parts.spec.certificates[0] = other;
    stamp(&parts, "20250102030406Z");
    judge(findings, &parts, &world.trust);
    identity_free(other);
}

/* A certificate without a unit, or with one that is no team (as Apple's own have it), says nothing
 * against the team; one with another does. */
static void cms__team(void **state)
{
    own_findings struct findings findings = {0};
    own_findings struct findings apple = {0};
    (void)state;
    team_of(&apple, "Apple Software");
    assert_int_equal(apple.count, 0);
    team_of(&findings, "TEAM654321");
    assert_int_equal(findings.count, 2); /* both CodeDirectories have a team */
    assert_int_equal(unit_count_findings(&findings, "sig.team"), 2);
    assert_string_equal(findings.list[0].actual, "TEAM654321");
}

static void cms__self_signed(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_findings struct findings findings = {0};
    parts.spec.signer = parts.spec.certificates[0] = world.self_signed;
    sign(&parts);
    judge(&findings, &parts, &world.trust);
    assert_int_equal(findings.error_count, 1);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-chain"), 1);
}

static void cms__timestamp_of_another_signature(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_buf struct buf token = {0};
    own_findings struct findings findings = {0};
    make_token(&token, &parts.spec, world.authority, "20250102030406Z");
    parts.spec.signing_time = "240102030405Z";
    parts.spec.timestamp = unit_view(&token);
    sign(&parts);
    judge(&findings, &parts, &world.trust);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].id, "sig.cms-timestamp");
    unit_assert_contains(findings.list[0].expected, "the digest of the signature value", __FILE__,
                         __LINE__);
}

/* A timestamp that does not hold proves no time: the signer's word counts. */
static void cms__bad_timestamp_decides_nothing(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_buf struct buf token = {0};
    own_findings struct findings findings = {0};
    make_token(&token, &parts.spec, world.authority, "20090102030406Z");
    parts.spec.signer = parts.spec.certificates[0] = world.old;
    parts.spec.timestamp = unit_view(&token);
    sign(&parts);
    judge(&findings, &parts, &world.trust);
    assert_int_equal(findings.count, 2);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-timestamp"), 1);
    assert_int_equal(unit_count_findings(&findings, "sig.cms-validity"), 1);
}

/* Who may sign code may not say the time. */
static void cms__timestamp_by_another(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    own_buf struct buf token = {0};
    make_token(&token, &parts.spec, world.leaf, "20250102030406Z");
    parts.spec.timestamp = unit_view(&token);
    sign(&parts);
    expect_error(&parts, "sig.cms-timestamp", "certificate 'Test Leaf' of the timestamp", "others");
}

static void cms__timestamp_that_cannot_be_read(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    parts.spec.timestamp = (struct view){(const uint8_t *)"\4\1z", 3};
    sign(&parts);
    expect_error(&parts, "sig.cms-timestamp", "timestamp of the CMS", "no readable ContentInfo");
}

static void cms__structure(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    parts.spec.attached = true;
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-structure", "content of the CMS", "110 bytes");
    parts.spec = spec_of(&parts);
    parts.spec.signer_count = 2;
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-structure", "signers of the CMS", "2");
    parts.spec = spec_of(&parts);
    parts.spec.digest_oid = "MD5";
    stamp(&parts, "20250102030406Z");
    expect_error(&parts, "sig.cms-structure", "CMS signature at offset", "md5");
    parts.spec = spec_of(&parts);
    stamp(&parts, "20250102030406Z");
    buf_zeros(&parts.cms, 7);
    expect_error(&parts, "sig.cms-structure", "bytes behind the CMS", "7 more bytes");
    buf_truncate(&parts.cms, parts.cms.len - 8);
    expect_error(&parts, "sig.cms-structure", "CMS signature at offset", "ContentInfo");
    parts.spec.no_signer = true;
    sign(&parts);
    expect_error(&parts, "sig.cms-structure", "signers of the CMS", "0");
}

/* Places are offsets in the file. */
static void cms__place(void **state)
{
    (void)state;
    own_parts struct parts parts = good_parts();
    buf_puts(&parts.cms, "no CMS");
    size_t at = START + CODESIG_SUPERBLOB_LEN + 3 * CODESIG_INDEX_LEN + parts.first.len +
                parts.alternate.len + CODESIG_BLOB_LEN;
    own_mem char *place = text_printf("CMS signature at offset %zu", at);
    expect_error(&parts, "sig.cms-structure", place, "offset 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cms__good),
        cmocka_unit_test(cms__empty_is_ad_hoc),
        cmocka_unit_test(cms__without_timestamp),
        cmocka_unit_test(cms__timestamp_decides_validity),
        cmocka_unit_test(cms__validity_at_the_claimed_time),
        cmocka_unit_test(cms__altered_directory),
        cmocka_unit_test(cms__altered_alternate),
        cmocka_unit_test(cms__cdhash_attributes),
        cmocka_unit_test(cms__cdhash_digests),
        cmocka_unit_test(cms__nothing_binds_the_alternate),
        cmocka_unit_test(cms__wrong_key),
        cmocka_unit_test(cms__chain),
        cmocka_unit_test(cms__team),
        cmocka_unit_test(cms__self_signed),
        cmocka_unit_test(cms__timestamp_of_another_signature),
        cmocka_unit_test(cms__bad_timestamp_decides_nothing),
        cmocka_unit_test(cms__timestamp_by_another),
        cmocka_unit_test(cms__timestamp_that_cannot_be_read),
        cmocka_unit_test(cms__structure),
        cmocka_unit_test(cms__place),
    };
    return cmocka_run_group_tests(tests, make_world, end_world);
}
