/* Each fault of the rarer structures of a signature has its finding, which says where and what. */
#include "unit.h"

#include <string.h>

#include "macho/fat.h"
#include "macho/image.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"
#include "unit/signed.h"

#define EXECUTABLE                                        \
    {                                                     \
        .cputype = CPU_TYPE_ARM64, .filetype = MH_EXECUTE \
    }

/* Where a blob of the signature begins in the file. */
static size_t blob_at(const struct buf *file, uint32_t slot)
{
    own_image struct image image = {0};
    own_codesig struct codesig sig = {0};
    own_fail struct fail fail = {0};
    assert_works(image_open_any(&image, (struct view){file->data, file->len}, &fail), &fail);
    struct view data = image_range_data(&image, &image.code_signature);
    assert_works(codesig_read(&sig, data, &fail), &fail);
    const struct codesig_blob *blob = codesig_find(&sig, slot);
    assert_non_null(blob);
    return (size_t)(image.code_signature.offset + blob->offset);
}

static uint32_t read_u32(const struct buf *file, size_t at)
{
    uint32_t value = 0;
    assert_true(view_u32(&value, (struct view){file->data, file->len}, at, BIG_ENDIAN_BYTES));
    return value;
}

/* A word of a CodeDirectory, or of a table that one of its fields points to. */
struct change {
    uint32_t slot;
    uint32_t pointer; /* the field with the offset of the table; 0: the CodeDirectory itself */
    uint32_t offset;
    uint32_t value;
    const char *id;
    const char *text;
};

static void expect_changes(const struct sealer_image *image, const struct sealer_spec *spec,
                           const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct change *change = &changes[i];
        const struct sigcheck_options options = {.threads = 1};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, image, spec);
        size_t at = blob_at(&file, change->slot);
        if (change->pointer != 0)
            at += read_u32(&file, at + change->pointer);
        buf_set_u32be(&file, at + change->offset, change->value);
        unit_verify(&findings, &file, &options);
        unit_expect_finding(&findings, FINDING_ERROR, change->id, change->text);
    }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Two pages: entries {1 page, from 0}, {1 page, from 1, at 4096}, and zeros. */
static void sigcheck_scatter__gaps_and_lies(void **state)
{
    const struct sealer_image image = {
        .is32 = true, .big_endian = true, .cputype = CPU_TYPE_POWERPC, .code_len = 0x1400};
    const struct sealer_spec spec = {
        .version = 0x20100, .hash_types = {CODESIG_HASH_SHA1}, .scatter = true};
    static const struct change changes[] = {
        {0, 44, 0, 2, "sig.scatter", "page 2 at offset 8192"}, /* the first run is longer */
        {0, 44, 4, 1, "sig.scatter", "page 1 at offset 0"},    /* begins at page 1 */
        {0, 44, 12, 4096, "sig.scatter", "page 0 at offset 4096"},
        {0, 44, 20, 1, "sig.scatter", "reserved field 0x1"},
        {0, 44, 24, 2, "sig.scatter", "3 pages"},               /* one more than there are */
        {0, 44, 28, 2, "sig.scatter", "page 2 at offset 4096"}, /* leaves page 1 out */
        {0, 44, 52, 1, "sig.scatter", "zeros behind the count of zero"},
        {0, 44, 24, 0, "sig.scatter", "1 pages"},       /* ends early */
        {0, 44, 48, 1, "sig.scatter", "no end inside"}, /* no end */
        {0, 0, 44, 0x10000000, "sig.scatter", "no end inside"},
        {0, 0, 44, 44, "sig.structure", "it overlaps"}, /* inside of the header */
        {0, 0, 20, 48, "sig.structure", "behind the scatter table"},
    };
    (void)state;
    expect_changes(&image, &spec, changes, COUNT(changes));
}

static void sigcheck_directory__pre_encryption(void **state)
{
    struct sealer_image image = {.cputype = CPU_TYPE_ARM64, .code_len = 0x1400};
    const struct sealer_spec spec = {
        .version = 0x20500, .pre_encrypt = true, .blobs = {SEALER_NO_REQUIREMENTS}};
    static const struct change changes[] = {
        {0, 92, 0, 1, "sig.pre-encryption", "page 0"},
        {0, 92, 60, 1, "sig.pre-encryption", "page 1"},
        {0, 0, 92, 0x7fffffff, "sig.structure", "pre-encryption hashes inside"},
        {0, 0, 92, 40, "sig.structure", "it overlaps"},
    };
    (void)state;
    expect_changes(&image, &spec, changes, COUNT(changes));
    /* Where something is encrypted, its pages had other hashes before. */
    const struct sigcheck_options options = {.threads = 1};
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    image.encrypted = true;
    image.is32 = true;
    sealer_file(&file, &image, &spec);
    size_t at = blob_at(&file, 0);
    buf_set_u32be(&file, at + read_u32(&file, at + 92), 1);
    unit_verify(&findings, &file, &options);
    assert_int_equal(findings.count, 0);
}

static void sigcheck_directory__linkage(void **state)
{
    const struct sealer_image image = {.cputype = CPU_TYPE_ARM64};
    const struct sealer_spec with = {.version = 0x20600, .linkage = true};
    const struct sealer_spec without = {.version = 0x20600};
    static const struct change changes[] = {
        {0, 0, 96, 0x09010000, "sig.linkage", "hash type 9"},
        {0, 0, 104, 5, "sig.linkage", "5 bytes"},
        {0, 0, 100, 0, "sig.linkage", "at byte 0"},
        {0, 0, 104, 0x7fffffff, "sig.structure", "linkage data inside"},
    };
    static const struct change none[] = {
        {0, 0, 96, 0x00010000, "sig.linkage", "no type without linkage data"},
        {0, 0, 100, 50, "sig.linkage", "0 bytes at byte 50"},
    };
    (void)state;
    expect_changes(&image, &with, changes, COUNT(changes));
    expect_changes(&image, &without, none, COUNT(none));
}

static void sigcheck_alternates__each_field(void **state)
{
    const struct sealer_image image = EXECUTABLE;
    const struct sealer_spec spec = {
        .version = 0x20500,
        .flags = CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME,
        .runtime = 14u << 16,
        .hash_types = {CODESIG_HASH_SHA256, CODESIG_HASH_SHA384},
        .exec_flags = CODESIG_EXEC_MAIN_BINARY,
        .team = "TEAM",
        .blobs = {SEALER_NO_REQUIREMENTS},
    };
    static const struct change changes[] = {
        {0x1000, 0, 12, 2, "sig.alternate", "flags in the alternate"},
        {0x1000, 0, 32, 0x610, "sig.alternate", "code limit in"},
        {0x1000, 0, 36, 0x3004000e, "sig.alternate", "page size in"},
        {0x1000, 0, 36, 0x3004010c, "sig.alternate", "platform in"},
        {0x1000, 0, 68, 0x10, "sig.alternate", "base of the executable segment"},
        {0x1000, 0, 76, 0x10, "sig.alternate", "limit of the executable segment"},
        {0x1000, 0, 84, 0x21, "sig.alternate", "flags of the executable segment"},
        {0x1000, 0, 88, 13u << 16, "sig.alternate", "runtime version in"},
        {0x1000, 0, 96, 0x636f6d2f, "sig.alternate", "com/example"},
        {0x1000, 0, 116, 0x58454d41, "sig.alternate", "team in"},
        {0, 0, 36, 0x2002000b, "sig.page-size", "2^11"},
    };
    (void)state;
    expect_changes(&image, &spec, changes, COUNT(changes));
}

/* The alternate states no hash for what the first one seals; and a hash type comes twice. */
static void sigcheck_alternates__slots_and_hash_types(void **state)
{
    const struct sealer_image image = {.cputype = CPU_TYPE_ARM64};
    struct sealer_spec spec = {.hash_types = {CODESIG_HASH_SHA256, CODESIG_HASH_SHA384},
                               .blobs = {SEALER_NO_REQUIREMENTS}};
    const struct sigcheck_options options = {.threads = 1};
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    own_findings struct findings twice = {0};
    (void)state;
    sealer_file(&file, &image, &spec);
    size_t at = blob_at(&file, 0x1000);
    memset(file.data + at + read_u32(&file, at + 16) - (size_t)2 * 48, 0, 48);
    unit_verify(&findings, &file, &options);
    unit_expect_finding(&findings, FINDING_ERROR, "sig.alternate", "set of special slots");
    unit_expect_finding(&findings, FINDING_ERROR, "sig.special-slot", "slot 2 (requirement set)");
    spec.hash_types[1] = CODESIG_HASH_SHA256;
    buf_truncate(&file, 0);
    sealer_file(&file, &image, &spec);
    unit_verify(&twice, &file, &options);
    unit_expect_finding(&twice, FINDING_ERROR, "sig.alternate", "a hash type of its own");
}

#define PLIST(inner) "<plist version=\"1.0\"><dict>" inner "</dict></plist>"

/* Slots 1 and 3 of a file in a bundle: there and right, there and wrong, not there. */
static void sigcheck_slots__what_lies_outside(void **state)
{
    const struct sealer_image image = EXECUTABLE;
    const struct sealer_spec spec = {.exec_flags = CODESIG_EXEC_MAIN_BINARY,
                                     .info_plist = unit_text("info"),
                                     .resources = unit_text("resources"),
                                     .blobs = {SEALER_NO_REQUIREMENTS}};
    struct sigcheck_options options = {.threads = 1,
                                       .info_plist = {SIGCHECK_GIVEN, unit_text("info")},
                                       .resources = {SIGCHECK_GIVEN, unit_text("resources")}};
    own_buf struct buf file = {0};
    own_findings struct findings good = {0};
    own_findings struct findings wrong = {0};
    own_findings struct findings none = {0};
    own_findings struct findings absent = {0};
    (void)state;
    sealer_file(&file, &image, &spec);
    unit_verify(&good, &file, &options);
    assert_int_equal(good.count, 0);
    options.info_plist.bytes = unit_text("Info");
    options.resources.bytes = unit_text("");
    unit_verify(&wrong, &file, &options);
    assert_int_equal(wrong.count, 2);
    unit_expect_finding(&wrong, FINDING_ERROR, "sig.special-slot", "slot 1 (Info.plist)");
    unit_expect_finding(&wrong, FINDING_ERROR, "sig.special-slot", "slot 3 (CodeResources)");
    unit_verify(&none, &file, &(struct sigcheck_options){.threads = 1});
    assert_int_equal(none.count, 2);
    unit_expect_finding(&none, FINDING_WARNING, "sig.external-slot", "slot 1 (Info.plist)");
    unit_expect_finding(&none, FINDING_WARNING, "sig.external-slot", "slot 3 (CodeResources)");
    options.info_plist.state = SIGCHECK_ABSENT;
    options.resources.state = SIGCHECK_ABSENT;
    unit_verify(&absent, &file, &options);
    assert_int_equal(absent.count, 2);
    unit_expect_finding(&absent, FINDING_ERROR, "sig.special-slot", "slot 1 (Info.plist)");
    unit_expect_finding(&absent, FINDING_ERROR, "sig.special-slot", "slot 3 (CodeResources)");
}

/* A page size of 0 means one page of everything; the hashes of more are of nothing. */
static void sigcheck_verify__one_page_of_everything(void **state)
{
    const struct sealer_image image = {.code_len = 0x5000};
    const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}};
    own_buf struct buf file = {0};
    own_image struct image read = {0};
    own_codesig struct codesig sig = {0};
    own_findings struct findings findings = {0};
    own_fail struct fail fail = {0};
    (void)state;
    sealer_file(&file, &image, &spec);
    assert_int_equal(image_open(&read, (struct view){file.data, file.len}, &fail), 0);
    codesig_parse(&sig, &findings, image_range_data(&read, &read.code_signature));
    assert_true(sig.directories[0].code_count > 4);
    file.data[read.code_signature.offset + sig.directories[0].offset + 39] = 0;
    unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
    assert_int_equal(findings.count, 3);
    unit_expect_finding(&findings, FINDING_ERROR, "sig.page-size", "CodeDirectory");
    unit_expect_finding(&findings, FINDING_ERROR, "sig.page-count", "CodeDirectory");
    unit_expect_finding(&findings, FINDING_ERROR, "sig.page-hash", "page 0 at offset 0 ");
}

/* No part of a Mach-O file can be what these two seal. */
static void sigcheck_slots__that_seal_nothing(void **state)
{
    static const uint32_t slots[] = {CODESIG_SLOT_APPLICATION, CODESIG_SLOT_REP_SPECIFIC};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        own_signed struct signed_file file = {0};
        own_findings struct findings findings = {0};
        const struct adhoc_options options = {.identifier = "x",
                                              .entitlements = unit_text(PLIST(""))};
        signed_sign(&file, &(struct signed_spec){.filetype = MH_EXECUTE}, &options);
        const struct codesig_directory *cd = &file.sig.directories[0];
        uint64_t at = file.image.code_signature.offset + cd->offset + cd->hash_off -
                      (uint64_t)slots[i] * cd->hash_size;
        file.bytes.data[at] ^= 1;
        unit_verify(&findings, &file.bytes, &(struct sigcheck_options){.threads = 1});
        assert_int_equal(findings.count, 1);
        unit_expect_finding(&findings, FINDING_ERROR, "sig.special-slot",
                            i == 0 ? "slot 4 (application)" : "slot 6 (disk image)");
    }
}

/* A tool in a bundle is sealed with its own section, not with the Info.plist of the bundle. */
static void sigcheck_slots__section_or_bundle(void **state)
{
    struct sealer_image image = EXECUTABLE;
    struct sealer_spec spec = {.exec_flags = CODESIG_EXEC_MAIN_BINARY,
                               .blobs = {SEALER_NO_REQUIREMENTS}};
    const struct sigcheck_options options = {
        .threads = 1, .info_plist = {SIGCHECK_GIVEN, unit_text("the bundle's")}};
    image.info_plist = PLIST("");
    for (unsigned variant = 0; variant < 3; variant++) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        if (variant == 1)
            spec.info_plist = unit_text("the bundle's");
        if (variant == 2)
            spec.info_plist = unit_text("neither's");
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &options);
        assert_int_equal(findings.count, variant == 2);
        assert_int_equal(findings.error_count, variant == 2);
    }
    (void)state;
}

/* Nothing seals the section as such; but its bytes are those of a page. */
static void sigcheck_slots__section_that_is_not_sealed(void **state)
{
    struct sealer_image image = EXECUTABLE;
    const struct sealer_spec spec = {.exec_flags = CODESIG_EXEC_MAIN_BINARY,
                                     .blobs = {SEALER_NO_REQUIREMENTS}};
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    (void)state;
    image.info_plist = PLIST("");
    sealer_file(&file, &image, &spec);
    size_t at = blob_at(&file, 0);
    memset(file.data + at + read_u32(&file, at + 16) - 32, 0, 32);
    unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
    assert_int_equal(findings.count, 1);
    unit_expect_finding(&findings, FINDING_WARNING, "sig.special-slot", "slot 1 (Info.plist)");
}

/* SEQUENCE { "a", BOOLEAN value } in the newer form of DER entitlements. */
static const uint8_t der_true[] = {0x70, 0x0d, 0x02, 0x01, 0x01, 0xb0, 0x08, 0x30,
                                   0x06, 0x0c, 0x01, 'a',  0x01, 0x01, 0xff};
static const uint8_t der_false[] = {0x70, 0x0d, 0x02, 0x01, 0x01, 0xb0, 0x08, 0x30,
                                    0x06, 0x0c, 0x01, 'a',  0x01, 0x01, 0x00};
/* the older form: a SET, and truth is 01 */
static const uint8_t der_set[] = {0x31, 0x08, 0x30, 0x06, 0x0c, 0x01, 'a', 0x01, 0x01, 0x01};

#define XML_TRUE PLIST("<key>a</key><true/>")
#define BYTES(array)         \
    {                        \
        array, sizeof(array) \
    }

static void sigcheck_entitlements__both_forms(void **state)
{
    static const struct {
        const char *xml;
        struct view der;
        enum finding_level level;
        const char *text; /* NULL: nothing is wrong */
    } cases[] = {
        {XML_TRUE, BYTES(der_true), FINDING_ERROR, NULL},
        {XML_TRUE, BYTES(der_set), FINDING_ERROR, NULL},
        {XML_TRUE, {0}, FINDING_ERROR, NULL},
        {XML_TRUE, BYTES(der_false), FINDING_ERROR, "a: true, as in the XML"},
        {XML_TRUE, BYTES(der_false), FINDING_ERROR, "a: false"},
        {PLIST(""), BYTES(der_true), FINDING_ERROR, "a: nothing, as in the XML"},
        {PLIST("<key>a</key><true/><key>b</key><true/>"), BYTES(der_true), FINDING_ERROR,
         "b: true"},
        {PLIST("<key>a</key><string>true</string>"), BYTES(der_true), FINDING_ERROR, "a: true"},
        {NULL, BYTES(der_true), FINDING_WARNING, "XML entitlements beside them"},
        {"no list", BYTES(der_true), FINDING_WARNING, "a property list"},
        {XML_TRUE "</xml>", BYTES(der_true), FINDING_WARNING, "bytes behind"},
        {"<plist version=\"1.0\"><array/></plist>", {0}, FINDING_WARNING, "no dictionary"},
        {PLIST("<key>a</key><true/><key>a</key><false/>"), BYTES(der_true), FINDING_ERROR,
         "a key occurs twice"},
        {PLIST("<key>a</key><true/><!---><key>b</key><true/><!-- -->"), BYTES(der_true),
         FINDING_ERROR, "a comment that begins like the end of one"},
        {PLIST("<!--><key>b</key><true/><!-- --><key>a</key><true/>"), BYTES(der_true),
         FINDING_ERROR, "a comment that begins like the end of one"},
        {PLIST("<!-- two -- hyphens --><key>a</key><true/>"), BYTES(der_true), FINDING_ERROR, NULL},
        {XML_TRUE, {der_true, sizeof der_true - 1}, FINDING_ERROR, "DER entitlements at"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sealer_image image = EXECUTABLE;
        struct sealer_spec spec = {.exec_flags = CODESIG_EXEC_MAIN_BINARY};
        const struct sigcheck_options options = {.threads = 1};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        size_t count = 0;
        if (cases[i].xml != NULL)
            spec.blobs[count++] =
                (struct sealer_blob){CODESIG_SLOT_ENTITLEMENTS, unit_text(cases[i].xml)};
        if (cases[i].der.len > 0)
            spec.blobs[count++] = (struct sealer_blob){CODESIG_SLOT_ENTITLEMENTS_DER, cases[i].der};
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &options);
        assert_int_equal(findings.count, cases[i].text != NULL);
        if (cases[i].text != NULL)
            unit_expect_finding(&findings, cases[i].level, "sig.entitlements", cases[i].text);
    }
}

/* What follows the XML does not keep it from being compared. */
static void sigcheck_verify__loose_ends_hide_nothing(void **state)
{
    const struct sealer_image image = EXECUTABLE;
    const struct sealer_spec spec = {
        .exec_flags = CODESIG_EXEC_MAIN_BINARY,
        .blobs = {{CODESIG_SLOT_ENTITLEMENTS, unit_text(XML_TRUE "</xml>")},
                  {CODESIG_SLOT_ENTITLEMENTS_DER, BYTES(der_false)}}};
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    (void)state;
    sealer_file(&file, &image, &spec);
    unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
    assert_int_equal(findings.count, 2);
    unit_expect_finding(&findings, FINDING_ERROR, "sig.entitlements", "a: false");
}

/* Entitlements that show in the flags of the executable segment, alone and together. */
static void sigcheck_directory__flags_by_entitlements(void **state)
{
    static const struct {
        const char *xml;
        uint64_t flags;
        enum finding_level level;
        bool good;
    } cases[] = {
        {PLIST("<key>get-task-allow</key><true/>"), 0x11, FINDING_ERROR, true},
        {PLIST("<key>get-task-allow</key><true/>"), 0x1, FINDING_ERROR, false},
        {PLIST("<key>get-task-allow</key><false/>"), 0x1, FINDING_ERROR, true},
        {PLIST("<key>get-task-allow</key><string>yes</string>"), 0x1, FINDING_ERROR, true},
        {PLIST("<key>com.apple.security.get-task-allow</key><true/>"), 0x1, FINDING_ERROR, true},
        {PLIST("<key>com.apple.security.get-task-allow</key><true/>"), 0x11, FINDING_ERROR, false},
        {PLIST("<key>dynamic-codesigning</key><true/>"
               "<key>com.apple.private.cs.debugger</key><true/>"),
         0x61, FINDING_ERROR, true},
        {PLIST("<key>dynamic-codesigning</key><true/>"), 0x1, FINDING_WARNING, false},
        {PLIST("<key>com.apple.private.skip-library-validation</key><true/>"), 0x81, FINDING_ERROR,
         true},
        {PLIST("<key>com.apple.private.amfi.can-load-cdhash</key><true/>"
               "<key>com.apple.private.amfi.can-execute-cdhash</key><true/>"),
         0x301, FINDING_ERROR, true},
        {PLIST(""), 0x401, FINDING_ERROR, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sealer_image image = EXECUTABLE;
        const struct sealer_spec spec = {
            .exec_flags = cases[i].flags,
            .blobs = {{CODESIG_SLOT_ENTITLEMENTS, unit_text(cases[i].xml)}}};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        if (findings.count != !cases[i].good)
            print_message("case %zu\n", i);
        assert_int_equal(findings.count, !cases[i].good);
        if (!cases[i].good)
            unit_expect_finding(&findings, cases[i].level, "sig.exec-segment", "flags 0x");
    }
}

/* What is sealed, but no requirement set and no constraint. */
static void sigcheck_verify__blobs_that_cannot_be_decoded(void **state)
{
    static const struct {
        uint32_t slot;
        struct view payload;
        const char *id;
    } cases[] = {
        {CODESIG_SLOT_REQUIREMENTS, {(const uint8_t *)"\0\0\0\1", 4}, "sig.requirements"},
        {CODESIG_SLOT_CONSTRAINT_SELF, {der_true, 5}, "sig.constraint"},
        {CODESIG_SLOT_CONSTRAINT_LIBRARY, {der_true, 5}, "sig.constraint"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sealer_image image = {.cputype = CPU_TYPE_ARM64};
        const struct sealer_spec spec = {.blobs = {{cases[i].slot, cases[i].payload}}};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        assert_int_equal(findings.count, 1);
        unit_expect_finding(&findings, FINDING_ERROR, cases[i].id, "");
    }
}

static void sigcheck_directory__runtime_version(void **state)
{
    struct sealer_image image = EXECUTABLE;
    struct sealer_spec spec = {.version = 0x20500,
                               .flags = CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME,
                               .exec_flags = CODESIG_EXEC_MAIN_BINARY,
                               .blobs = {SEALER_NO_REQUIREMENTS}};
    static const struct {
        uint32_t flags, runtime;
        const char *text;
    } cases[] = {
        {CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME, 14u << 16, NULL},
        {CODESIG_FLAG_ADHOC, 0, NULL},
        {CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME, 13u << 16, "0x000d0000"},
        {CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME, 0, "none without"},
        {CODESIG_FLAG_ADHOC, 14u << 16, "none without"},
    };
    (void)state;
    image.sdk = 14u << 16;
    for (size_t i = 0; i < COUNT(cases); i++) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        spec.flags = cases[i].flags;
        spec.runtime = cases[i].runtime;
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        assert_int_equal(findings.count, cases[i].text != NULL);
        if (cases[i].text != NULL)
            unit_expect_finding(&findings, FINDING_WARNING, "sig.runtime", cases[i].text);
    }
}

static void sigcheck_slice__the_table_and_the_image(void **state)
{
    static const struct {
        uint32_t cputype, cpusubtype;
        bool found;
        enum finding_level level;
    } cases[] = {
        {CPU_TYPE_X86_64, CPU_SUBTYPE_LIB64 | 3, false, FINDING_ERROR},
        {CPU_TYPE_X86_64, 3, true, FINDING_WARNING},
        {CPU_TYPE_X86_64, 8, true, FINDING_ERROR},
        {CPU_TYPE_ARM64, 0, true, FINDING_ERROR},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct image image = {.cputype = CPU_TYPE_X86_64,
                                    .cpusubtype = CPU_SUBTYPE_LIB64 | 3};
        const struct fat_slice slice = {.cputype = cases[i].cputype,
                                        .cpusubtype = cases[i].cpusubtype};
        own_findings struct findings findings = {0};
        sigcheck_slice(&findings, &slice, &image);
        assert_int_equal(findings.count, cases[i].found);
        if (cases[i].found)
            unit_expect_finding(&findings, cases[i].level, "fat.arch", "cpusubtype");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigcheck_scatter__gaps_and_lies),
        cmocka_unit_test(sigcheck_directory__pre_encryption),
        cmocka_unit_test(sigcheck_directory__linkage),
        cmocka_unit_test(sigcheck_directory__flags_by_entitlements),
        cmocka_unit_test(sigcheck_directory__runtime_version),
        cmocka_unit_test(sigcheck_alternates__each_field),
        cmocka_unit_test(sigcheck_alternates__slots_and_hash_types),
        cmocka_unit_test(sigcheck_slots__what_lies_outside),
        cmocka_unit_test(sigcheck_verify__one_page_of_everything),
        cmocka_unit_test(sigcheck_slots__that_seal_nothing),
        cmocka_unit_test(sigcheck_slots__section_or_bundle),
        cmocka_unit_test(sigcheck_slots__section_that_is_not_sealed),
        cmocka_unit_test(sigcheck_entitlements__both_forms),
        cmocka_unit_test(sigcheck_verify__loose_ends_hide_nothing),
        cmocka_unit_test(sigcheck_verify__blobs_that_cannot_be_decoded),
        cmocka_unit_test(sigcheck_slice__the_table_and_the_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
