/* The reader of embedded signatures: every field, every malformed structure, every truncation. */
#include <string.h>

#include "base/buf.h"
#include "macho/codesig.h"
#include "unit/superblob.h"
#include "unit/unit.h"

#define HASHES 3u

struct directory_spec {
    uint32_t version;
    uint8_t hash_type;
    uint8_t hash_size;
    uint32_t flags;
    uint32_t special;
    const char *team;
};

/* A CodeDirectory whose hash bytes count up from 1. */
static void put_directory(struct buf *out, const struct directory_spec *spec)
{
    size_t start = out->len;
    uint32_t header = (uint32_t)codesig_header_len(spec->version);
    uint32_t strings = 5 + (spec->team ? (uint32_t)strlen(spec->team) + 1 : 0);
    uint32_t hash_off = header + strings + spec->special * spec->hash_size;
    buf_u32be(out, CODESIG_MAGIC_DIRECTORY);
    buf_u32be(out, hash_off + HASHES * spec->hash_size);
    buf_u32be(out, spec->version);
    buf_u32be(out, spec->flags);
    buf_u32be(out, hash_off);
    buf_u32be(out, header);
    buf_u32be(out, spec->special);
    buf_u32be(out, HASHES);
    buf_u32be(out, 0x2345);
    buf_putc(out, (char)spec->hash_size);
    buf_putc(out, (char)spec->hash_type);
    buf_putc(out, 0);
    buf_putc(out, 12);
    buf_u32be(out, 0);
    while (out->len - start < header) { /* scatter, team, spare3, code limit 64, exec segment ... */
        size_t at = out->len - start;
        bool team = at == 48 && spec->team;
        buf_u32be(out, team ? header + 5 : at == 48 || at == 56 || at == 60 ? 0 : (uint32_t)at);
    }
    buf_append(out, "name", 5);
    if (spec->team)
        buf_append(out, spec->team, strlen(spec->team) + 1);
    for (uint32_t i = 0; out->len - start < hash_off + HASHES * spec->hash_size; i++)
        buf_putc(out, (char)(1 + i / spec->hash_size));
}

static const struct directory_spec plain = {
    .version = 0x20400, .hash_type = CODESIG_HASH_SHA256, .hash_size = 32, .flags = 2};

static void put_one(struct buf *out, const struct directory_spec *spec)
{
    own_buf struct buf directory = {0};
    put_directory(&directory, spec);
    struct superblob super = superblob_begin(out, 1);
    superblob_add(&super, CODESIG_SLOT_DIRECTORY, unit_view(&directory));
}

/* Reading fails with FAIL_INPUT and a message that has `words` in it. */
static void refuse(const struct buf *bytes, const char *words)
{
    own_fail struct fail fail = {0};
    own_codesig struct codesig sig = {0};
    assert_int_equal(codesig_read(&sig, unit_view(bytes), &fail), -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    assert_non_null(strstr(fail.message, words));
    assert_non_null(fail.hint);
}

static void codesig_read__every_version(void **state)
{
    static const uint32_t versions[] = {0x20001, 0x20100, 0x20200, 0x20300,
                                        0x20400, 0x20500, 0x20600};
    (void)state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        own_buf struct buf bytes = {0};
        own_fail struct fail fail = {0};
        own_codesig struct codesig sig = {0};
        struct directory_spec spec = plain;
        spec.version = versions[i];
        spec.special = 2;
        put_one(&bytes, &spec);
        assert_int_equal(codesig_read(&sig, unit_view(&bytes), &fail), 0);
        assert_int_equal(sig.directory_count, 1);
        const struct codesig_directory *cd = &sig.directories[0];
        assert_string_equal(cd->identifier, "name");
        assert_int_equal(cd->version, versions[i]);
        assert_int_equal(cd->special_count, 2);
        assert_int_equal(cd->code_count, HASHES);
        assert_int_equal(codesig_code_limit(cd), 0x2345);
        assert_int_equal(codesig_page_len(cd), 4096);
        /* the maker writes its own offset into each of the later fields */
        assert_int_equal(cd->scatter_off, versions[i] >= 0x20100 ? 44 : 0);
        assert_int_equal(cd->exec_base, versions[i] >= 0x20400 ? 0x4000000044u : 0);
        assert_int_equal(cd->exec_limit, versions[i] >= 0x20400 ? 0x480000004cu : 0);
        assert_int_equal(cd->exec_flags, versions[i] >= 0x20400 ? 0x5000000054u : 0);
        assert_int_equal(cd->runtime, versions[i] >= 0x20500 ? 88 : 0);
        assert_int_equal(cd->pre_encrypt_off, versions[i] >= 0x20500 ? 92 : 0);
        assert_int_equal(cd->linkage_off, versions[i] >= 0x20600 ? 100 : 0);
        assert_int_equal(cd->linkage_size, versions[i] >= 0x20600 ? 104 : 0);
    }
}

static void codesig_read__hashes_by_number(void **state)
{
    own_buf struct buf bytes = {0};
    own_fail struct fail fail = {0};
    own_codesig struct codesig sig = {0};
    struct directory_spec spec = plain;
    struct view hash = {0};
    (void)state;
    spec.special = 2;
    put_one(&bytes, &spec);
    assert_int_equal(codesig_read(&sig, unit_view(&bytes), &fail), 0);
    const struct codesig_directory *cd = &sig.directories[0];
    /* in the blob: special 2, special 1, page 0, page 1, page 2 */
    assert_true(codesig_special_hash(&hash, cd, 2));
    assert_int_equal(hash.data[0], 1);
    assert_int_equal(hash.len, 32);
    assert_true(codesig_special_hash(&hash, cd, 1));
    assert_int_equal(hash.data[31], 2);
    assert_true(codesig_page_hash(&hash, cd, 0));
    assert_int_equal(hash.data[0], 3);
    assert_true(codesig_page_hash(&hash, cd, 2));
    assert_int_equal(hash.data[0], 5);
    assert_false(codesig_special_hash(&hash, cd, 0));
    assert_false(codesig_special_hash(&hash, cd, 3));
    assert_false(codesig_page_hash(&hash, cd, 3));
    assert_false(codesig_page_hash(&hash, cd, UINT64_MAX));
}

static void codesig_read__the_strongest_directory_counts(void **state)
{
    own_buf struct buf weak = {0};
    own_buf struct buf strong = {0};
    own_buf struct buf bytes = {0};
    own_fail struct fail fail = {0};
    own_codesig struct codesig sig = {0};
    uint8_t hash[SHA256_LEN] = {0};
    (void)state;
    put_directory(&weak, &(struct directory_spec){.version = 0x20200,
                                                  .hash_type = CODESIG_HASH_SHA1,
                                                  .hash_size = 20,
                                                  .team = "TEAM123456"});
    put_directory(&strong, &plain);
    struct superblob super = superblob_begin(&bytes, 2);
    superblob_add(&super, CODESIG_SLOT_DIRECTORY, unit_view(&weak));
    superblob_add(&super, CODESIG_SLOT_ALTERNATE, unit_view(&strong));
    assert_int_equal(codesig_read(&sig, unit_view(&bytes), &fail), 0);
    assert_int_equal(sig.directory_count, 2);
    assert_string_equal(sig.directories[0].team, "TEAM123456");
    const struct codesig_directory *best = codesig_best(&sig);
    assert_int_equal(best->hash_type, CODESIG_HASH_SHA256);
    assert_null(best->team);
    digest_once(hash, DIGEST_SHA256, strong.data, strong.len);
    assert_memory_equal(best->cdhash, hash, CDHASH_LEN);
}

static void codesig_kind__by_flags_and_cms(void **state)
{
    static const struct {
        uint32_t flags;
        uint32_t cms_len; /* 0: no blob */
        enum codesig_kind kind;
        const char *name;
    } cases[] = {{0x20002, 0, CODESIG_LINKER, "linker"},
                 {2, 0, CODESIG_ADHOC, "adhoc"},
                 {2, 8, CODESIG_ADHOC, "adhoc"},
                 {0, 12, CODESIG_CMS, "cms"}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_buf struct buf directory = {0};
        own_buf struct buf cms = {0};
        own_buf struct buf bytes = {0};
        own_fail struct fail fail = {0};
        own_codesig struct codesig sig = {0};
        struct directory_spec spec = plain;
        struct view content = {0};
        spec.flags = cases[i].flags;
        put_directory(&directory, &spec);
        buf_u32be(&cms, CODESIG_MAGIC_CMS);
        buf_u32be(&cms, cases[i].cms_len);
        buf_zeros(&cms, cases[i].cms_len > 8 ? cases[i].cms_len - 8 : 0);
        struct superblob super = superblob_begin(&bytes, cases[i].cms_len ? 2 : 1);
        superblob_add(&super, CODESIG_SLOT_DIRECTORY, unit_view(&directory));
        if (cases[i].cms_len)
            superblob_add(&super, CODESIG_SLOT_CMS, unit_view(&cms));
        assert_int_equal(codesig_read(&sig, unit_view(&bytes), &fail), 0);
        assert_int_equal(codesig_kind(&sig), cases[i].kind);
        assert_string_equal(codesig_kind_name(codesig_kind(&sig)), cases[i].name);
        assert_int_equal(codesig_cms(&content, &sig), cases[i].cms_len > 8);
    }
}

/* Cut anywhere, a signature is refused; the copy on the heap lets ASan see a read too far. */
static void codesig_read__every_truncation(void **state)
{
    own_buf struct buf bytes = {0};
    (void)state;
    put_one(&bytes, &plain);
    for (size_t len = 0; len < bytes.len; len++) {
        own_mem uint8_t *copy = mem_new(len, 1);
        own_fail struct fail fail = {0};
        own_codesig struct codesig sig = {0};
        memcpy(copy, bytes.data, len);
        assert_int_equal(codesig_read(&sig, (struct view){copy, len}, &fail), -1);
        assert_int_equal(fail.code, FAIL_INPUT);
    }
}

/* Shorter and shorter inner lengths with the bytes still there. */
static void codesig_read__every_directory_length(void **state)
{
    own_buf struct buf bytes = {0};
    (void)state;
    put_one(&bytes, &plain);
    uint32_t whole = (uint32_t)(bytes.len - 20);
    for (uint32_t len = 0; len < whole; len++) {
        buf_set_u32be(&bytes, 24, len);
        refuse(&bytes, "malformed");
    }
    buf_set_u32be(&bytes, 24, whole + 1);
    refuse(&bytes, "inside the SuperBlob");
}

static void codesig_read__malformed_fields(void **state)
{
    static const struct {
        size_t offset; /* in the SuperBlob; the CodeDirectory begins at 20 */
        uint32_t value;
        const char *words;
    } cases[] = {
        {0, 0xfade0cc1, "magic"},
        {4, 11, "SuperBlob length"},
        {4, 0xffffffff, "SuperBlob length"},
        {8, 0, "a CodeDirectory"},
        {8, 2, "blob"},
        {8, 0xffffffff, "SuperBlob count"},
        {12, 3, "a slot that can hold a blob"},
        {12, CODESIG_SLOT_CMS, "magic 0xfade0b01"},
        {12, 0x1005, "a slot that can hold a blob"},
        {16, 0xffffffff, "inside the SuperBlob"},
        {16, 0xfffffffc, "inside the SuperBlob"},
        {20, CODESIG_MAGIC_CMS, "magic 0xfade0c02"},
        {24, 0xffffffff, "inside the SuperBlob"},
        {28, 0x20401, "CodeDirectory version"},
        {28, 0x20000, "CodeDirectory version"},
        {36, 0, "special hashes"},
        {36, 0xffffffff, "code hashes"},
        {40, 87, "identifier"},
        {40, 0xffffffff, "identifier"},
        {44, 1, "special hashes"},
        {44, 0xffffffff, "special hashes"},
        {48, 0xffffffff, "code hashes"},
        {56, 0x2003000c, "hash type"},
        {56, 0x2000000c, "hash type"},
        {56, 0x1402000c, "hash type"},
        {56, 0x20020020, "page size"},
        {68, 20, "team identifier"},
        {68, 0x10000000, "team identifier"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_buf struct buf bytes = {0};
        put_one(&bytes, &plain);
        buf_set_u32be(&bytes, cases[i].offset, cases[i].value);
        refuse(&bytes, cases[i].words);
    }
}

static void codesig_read__identifier_without_end(void **state)
{
    own_buf struct buf bytes = {0};
    (void)state;
    put_one(&bytes, &plain);
    memset(bytes.data + 20 + 88, 'x', bytes.len - 20 - 88);
    refuse(&bytes, "identifier");
}

static void codesig_parse__goes_on_after_a_malformed_blob(void **state)
{
    own_buf struct buf directory = {0};
    own_buf struct buf bad = {0};
    own_buf struct buf bytes = {0};
    own_findings struct findings findings = {0};
    own_codesig struct codesig sig = {0};
    (void)state;
    put_directory(&directory, &plain);
    buf_u32be(&bad, 0x12345678);
    buf_u32be(&bad, 8);
    struct superblob super = superblob_begin(&bytes, 2);
    superblob_add(&super, CODESIG_SLOT_REQUIREMENTS, unit_view(&bad));
    superblob_add(&super, CODESIG_SLOT_DIRECTORY, unit_view(&directory));
    codesig_parse(&sig, &findings, unit_view(&bytes));
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].id, "sig.structure");
    assert_int_equal(sig.directory_count, 1);
    assert_non_null(codesig_best(&sig));
}

static void codesig_hash__names_and_lengths(void **state)
{
    static const struct {
        uint8_t type;
        uint8_t len;
        const char *name;
    } cases[] = {{0, 0, "unknown"},           {1, 20, "sha1"},   {2, 32, "sha256"},
                 {3, 20, "sha256-truncated"}, {4, 48, "sha384"}, {5, 0, "unknown"}};
    static const uint8_t empty_sha256[] = {0xe3, 0xb0, 0xc4, 0x42};
    static const uint8_t empty_sha1[] = {0xda, 0x39, 0xa3, 0xee};
    static const uint8_t empty_sha384[] = {0x38, 0xb0, 0x60, 0xa7};
    uint8_t hash[DIGEST_MAX] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(codesig_hash_len(cases[i].type), cases[i].len);
        assert_string_equal(codesig_hash_name(cases[i].type), cases[i].name);
    }
    codesig_hash_bytes(hash, CODESIG_HASH_SHA256_TRUNCATED, (struct view){hash, 0});
    assert_memory_equal(hash, empty_sha256, 4);
    codesig_hash_bytes(hash, CODESIG_HASH_SHA1, (struct view){hash, 0});
    assert_memory_equal(hash, empty_sha1, 4);
    codesig_hash_bytes(hash, CODESIG_HASH_SHA384, (struct view){hash, 0});
    assert_memory_equal(hash, empty_sha384, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codesig_read__every_version),
        cmocka_unit_test(codesig_read__hashes_by_number),
        cmocka_unit_test(codesig_read__the_strongest_directory_counts),
        cmocka_unit_test(codesig_kind__by_flags_and_cms),
        cmocka_unit_test(codesig_read__every_truncation),
        cmocka_unit_test(codesig_read__every_directory_length),
        cmocka_unit_test(codesig_read__malformed_fields),
        cmocka_unit_test(codesig_read__identifier_without_end),
        cmocka_unit_test(codesig_parse__goes_on_after_a_malformed_blob),
        cmocka_unit_test(codesig_hash__names_and_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
