/* Renewing signatures of every profile, and signatures with more than one CodeDirectory. */
#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/sigcheck.h"
#include "unit/signed.h"
#include "unit/unit.h"

static void adhoc_renew__is_identical(void **state)
{
    static const char xml[] = "<plist><dict><key>get-task-allow</key><true/></dict></plist>";
    static const char plist[] = "<plist><dict/></plist>";
    const struct adhoc_options options[] = {
        signed_codesign,
        signed_linker,
        {.style = ADHOC_CODESIGN, .identifier = "my.own", .page_size = 16384},
        {.style = ADHOC_CODESIGN,
         .identifier = "x",
         .entitlements = {(const uint8_t *)xml, sizeof(xml) - 1}},
    };
    static const struct signed_spec specs[] = {{.tool = TOOL_LLD},
                                               {.tool = TOOL_LD, .tool_major = 1015},
                                               {.tool = TOOL_ZIG},
                                               {.filetype = MH_EXECUTE, .info_plist = plist}};
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        own_signed struct signed_file file = {0};
        own_buf struct buf again = {0};
        own_fail struct fail fail = {0};
        signed_sign(&file, &specs[i / 4], &options[i % 4]);
        assert_int_equal(adhoc_renew(&again, &file.image, &fail), 0);
        assert_int_equal(again.len, file.bytes.len);
        assert_memory_equal(again.data, file.bytes.data, again.len);
    }
}

static void adhoc_renew__after_a_change(void **state)
{
    own_signed struct signed_file file = {0};
    own_signed struct signed_file again = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.tool = TOOL_LLD}, &signed_linker);
    file.bytes.data[0x1100] ^= 0x40;
    assert_int_equal(adhoc_renew(&again.bytes, &file.image, &fail), 0);
    signed_open(&again);
    signed_check(&again, ADHOC_LINKER);
    assert_int_equal(again.bytes.len, file.bytes.len);
    assert_memory_not_equal(again.sig.directories[0].cdhash, file.sig.directories[0].cdhash,
                            CDHASH_LEN);
}

/* Puts another signature, by a changed profile, into a signed file of the same code. */
static void resign(struct signed_file *out, const struct signed_file *from,
                   const struct adhoc_profile *profile)
{
    uint64_t start = from->image.code_signature.offset;
    uint64_t space = adhoc_build_space(profile, start);
    const struct image_segment *linkedit = image_segment(&from->image, "__LINKEDIT");
    uint64_t segment = from->image.commands[linkedit->command].offset;
    uint64_t command = from->image.commands[from->image.code_signature.command].offset;
    buf_append(&out->bytes, from->bytes.data, start);
    buf_set_u64le(&out->bytes, segment + 32, 0x10000);
    buf_set_u64le(&out->bytes, segment + 48, start + space - linkedit->offset);
    buf_set_u32le(&out->bytes, command + 12, (uint32_t)space);
    own_buf struct buf signature = {0};
    own_pieces struct pieces code = {0};
    own_fail struct fail fail = {0};
    pieces_borrow(&code, (struct view){out->bytes.data, start});
    assert_works(adhoc_build(&signature, profile, &code, &fail), &fail);
    buf_append(&out->bytes, signature.data, signature.len);
    buf_zeros(&out->bytes, (size_t)(space - signature.len));
    signed_open(out);
}

/* A second CodeDirectory like the first, in front of the CMS slot. */
static void add_alternate(struct adhoc_profile *profile)
{
    struct adhoc_item *cms = &profile->items[profile->item_count - 1];
    struct adhoc_item *last = adhoc_profile_add(profile, CODESIG_SLOT_CMS);
    assert_int_equal(cms->slot, CODESIG_SLOT_CMS);
    last->bytes = cms->bytes;
    profile->directories[1] = profile->directories[0];
    profile->directory_count = 2;
    *cms =
        (struct adhoc_item){.slot = CODESIG_SLOT_ALTERNATE, .directory = &profile->directories[1]};
}

static size_t verify_loosely(const struct signed_file *file)
{
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {0};
    sigcheck_verify(&findings, &file->image, &options);
    return findings.count;
}

/* What codesign writes for old systems: SHA-1 first, SHA-256 as the alternate. */
static void adhoc_renew__two_directories(void **state)
{
    own_signed struct signed_file plain = {0};
    own_signed struct signed_file twofold = {0};
    own_adhoc_profile struct adhoc_profile profile = {0};
    own_buf struct buf again = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_sign(&plain, &(struct signed_spec){.info_plist = "<plist/>"}, &signed_codesign);
    assert_int_equal(adhoc_profile_present(&profile, &plain.image, &fail), 0);
    add_alternate(&profile);
    profile.directories[0].hash_type = CODESIG_HASH_SHA1;
    memset(profile.directories[0].special, 0, sizeof(profile.directories[0].special));
    digest_once(profile.directories[0].special[CODESIG_SLOT_INFO], DIGEST_SHA1, "<plist/>", 8);
    profile.space = ADHOC_SPACE_RESERVED;
    resign(&twofold, &plain, &profile);
    assert_int_equal(twofold.sig.directory_count, 2);
    assert_int_equal(verify_loosely(&twofold), 0);
    uint64_t len = twofold.sig.super_blob.len;
    assert_int_equal(twofold.image.code_signature.size, (len - 8 + 18008 + 8 + 15) / 16 * 16);
    assert_int_equal(adhoc_renew(&again, &twofold.image, &fail), 0);
    assert_int_equal(again.len, twofold.bytes.len);
    assert_memory_equal(again.data, twofold.bytes.data, again.len);
    /* a changed page is wrong in both */
    twofold.bytes.data[0x1800] ^= 1;
    assert_int_equal(verify_loosely(&twofold), 2);
}

/* Hardened runtime: version 0x20500, whose header is 8 bytes longer than codesign reckons with. */
static void adhoc_renew__hardened_runtime(void **state)
{
    own_signed struct signed_file plain = {0};
    own_signed struct signed_file hardened = {0};
    own_adhoc_profile struct adhoc_profile profile = {0};
    own_buf struct buf again = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_sign(&plain, &(struct signed_spec){0}, &signed_codesign);
    assert_int_equal(adhoc_profile_present(&profile, &plain.image, &fail), 0);
    profile.directories[0].version = 0x20500;
    profile.directories[0].flags |= CODESIG_FLAG_RUNTIME;
    profile.directories[0].runtime = 0x000e0000;
    profile.space = ADHOC_SPACE_RESERVED;
    resign(&hardened, &plain, &profile);
    assert_int_equal(hardened.sig.directories[0].ident_off, 96);
    assert_int_equal(verify_loosely(&hardened), 0);
    uint64_t len = hardened.sig.super_blob.len;
    assert_int_equal(hardened.image.code_signature.size, (len - 8 + 18008 - 8 + 15) / 16 * 16);
    assert_int_equal(adhoc_renew(&again, &hardened.image, &fail), 0);
    assert_int_equal(again.len, hardened.bytes.len);
    assert_memory_equal(again.data, hardened.bytes.data, again.len);
}

/* Directories that contradict each other are a finding. */
static void sigcheck__alternates_must_agree(void **state)
{
    (void)state;
    for (unsigned fault = 0; fault < 2; fault++) {
        own_signed struct signed_file plain = {0};
        own_signed struct signed_file twofold = {0};
        own_adhoc_profile struct adhoc_profile profile = {0};
        own_findings struct findings findings = {0};
        own_fail struct fail fail = {0};
        const struct sigcheck_options options = {0};
        signed_sign(&plain, &(struct signed_spec){0}, &signed_codesign);
        assert_int_equal(adhoc_profile_present(&profile, &plain.image, &fail), 0);
        add_alternate(&profile);
        if (fault == 1) {
            profile.directories[0].hash_type = CODESIG_HASH_SHA1;
            profile.directories[1].flags |= 0x100;
        }
        resign(&twofold, &plain, &profile);
        sigcheck_verify(&findings, &twofold.image, &options);
        assert_int_equal(findings.error_count, 1);
        const struct finding *finding = &findings.list[0];
        for (size_t i = 0; finding->level != FINDING_ERROR; i++)
            finding = &findings.list[i];
        assert_string_equal(finding->id, "sig.alternate");
        assert_non_null(
            strstr(finding->expected, fault == 0 ? "a hash type of its own" : "0x2, as in"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhoc_renew__is_identical),
        cmocka_unit_test(adhoc_renew__after_a_change),
        cmocka_unit_test(adhoc_renew__two_directories),
        cmocka_unit_test(adhoc_renew__hardened_runtime),
        cmocka_unit_test(sigcheck__alternates_must_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
