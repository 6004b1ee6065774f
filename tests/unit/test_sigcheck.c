/* Strict verification: each fault has its finding, and no byte of a signed file can change. */
#include "unit.h"

#include <string.h>

#include "macho/adhoc.h"
#include "macho/codesig.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"

#define IDENTIFIER "small.identifier"

static const char entitlements[] = "<plist version=\"1.0\"><dict><key>com.example.a</key><true/>"
                                   "<key>com.example.b</key><string>x</string></dict></plist>";

enum variant { LINKER, CODESIGN, ENTITLED, LARGE_PAGES, VARIANTS };

static struct adhoc_options options_of(enum variant variant)
{
    struct adhoc_options options = {.style = variant == LINKER ? ADHOC_LINKER : ADHOC_CODESIGN,
                                    .identifier = IDENTIFIER,
                                    .page_size = variant == LARGE_PAGES ? 16384 : 4096};
    if (variant == ENTITLED)
        options.entitlements =
            (struct view){(const uint8_t *)entitlements, sizeof(entitlements) - 1};
    return options;
}

static struct sigcheck_options strict_of(enum variant variant)
{
    return (struct sigcheck_options){.identifier = IDENTIFIER,
                                     .kind = variant == LINKER ? SIGCHECK_LINKER : SIGCHECK_ADHOC,
                                     .page_size = variant == LARGE_PAGES ? 16384 : 4096,
                                     .strict = true,
                                     .threads = 1};
}

static void sign_small(struct buf *out, enum variant variant)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    struct adhoc_options options = options_of(variant);
    macho_small_dylib(&b);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    assert_int_equal(adhoc_sign(out, &image, &options, &fail), 0);
    macho_release(&b);
}

/* Verifies; a file that the image reader refuses counts as one finding "image". */
static void verify(struct findings *out, const struct buf *file,
                   const struct sigcheck_options *options)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    if (image_open(&image, (struct view){file->data, file->len}, &fail) < 0)
        (void)finding_add(out, FINDING_ERROR, "image");
    else
        sigcheck_verify(out, &image, options);
}

static bool has(const struct findings *findings, enum finding_level level, const char *id)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].level == level && strcmp(findings->list[i].id, id) == 0)
            return true;
    return false;
}

static void sigcheck_verify__good_files_have_no_finding(void **state)
{
    (void)state;
    for (enum variant variant = LINKER; variant < VARIANTS; variant++) {
        own_buf struct buf file = {0};
        own_findings struct findings strict = {0};
        own_findings struct findings loose = {0};
        struct sigcheck_options options = strict_of(variant);
        sign_small(&file, variant);
        verify(&strict, &file, &options);
        assert_int_equal(strict.count, 0);
        options = (struct sigcheck_options){0};
        verify(&loose, &file, &options);
        assert_int_equal(loose.count, 0);
    }
}

/* Flips bits of one byte; true when that is found. */
static bool is_found(struct buf *file, size_t at, uint8_t mask,
                     const struct sigcheck_options *options)
{
    own_findings struct findings findings = {0};
    file->data[at] ^= mask;
    verify(&findings, file, options);
    file->data[at] ^= mask;
    return options->strict ? findings.error_count > 0 : findings.count > 0;
}

/* Pages are hashed whole, and what is reserved behind the signature is all alike: there one mask
 * a byte is enough, while every bit of header, load commands and signature has its turn. */
static bool all_masks(const struct buf *file, size_t at)
{
    return at < 64 || (at >= MACHO_SMALL_SIZE &&
                       (at + 16 >= file->len || file->data[at] != 0 || file->data[at + 16] != 0));
}

/* Where the zeros behind the signature begin, which are nine tenths of the file. */
static size_t reserved_from(const struct buf *file)
{
    size_t at = file->len;
    while (at > 0 && file->data[at - 1] == 0)
        at--;
    return at;
}

static size_t count_unfound(struct buf *file, const struct sigcheck_options *options, size_t *first,
                            size_t from, size_t stride)
{
    size_t unfound = 0;
    size_t reserved = reserved_from(file);
    for (size_t at = from; at<file->len; at += at> reserved ? 17 * stride : stride) {
        bool found = is_found(file, at, 0xff, options);
        for (unsigned bit = 0; bit < 8 && found && all_masks(file, at); bit++)
            found = is_found(file, at, (uint8_t)(1u << bit), options);
        if (!found && unfound++ == 0)
            *first = at;
    }
    return unfound;
}

/* With identifier, kind and page size known, every byte of the file is covered. */
static void sigcheck_verify__every_flip_is_found(void **state)
{
    size_t from = 0;
    size_t stride = unit_stride(&from, 37);
    (void)state;
    for (enum variant variant = LINKER; variant < VARIANTS; variant++) {
        own_buf struct buf file = {0};
        struct sigcheck_options options = strict_of(variant);
        size_t first = SIZE_MAX;
        sign_small(&file, variant);
        size_t unfound = count_unfound(&file, &options, &first, from, stride);
        if (unfound > 0)
            print_message("variant %d: %zu bytes not covered, the first at %zu of %zu\n",
                          (int)variant, unfound, first, file.len);
        assert_int_equal(unfound, 0);
    }
}

/*
 * Without them the file still tells everything but the identifier, which an ad-hoc signature
 * states and nothing seals, and the page size of code that fits into one page, where 4096 and
 * 16384 mean the same. (In lld's layout zeros follow the identifier, so that its NUL may become
 * one more letter.)
 */
static void sigcheck_verify__what_a_file_alone_does_not_tell(void **state)
{
    (void)state;
    for (enum variant variant = LINKER; variant < ENTITLED; variant++) {
        own_buf struct buf file = {0};
        const struct sigcheck_options options = {.threads = 1};
        size_t first = SIZE_MAX;
        sign_small(&file, variant);
        size_t identifier =
            (size_t)((const uint8_t *)memmem(file.data, file.len, IDENTIFIER, sizeof(IDENTIFIER)) -
                     file.data);
        size_t unfound = count_unfound(&file, &options, &first, 0, 1);
        /* the page shift lies 49 bytes before the identifier of version 0x20400 */
        assert_int_equal(first, identifier - 88 + 39);
        assert_int_equal(unfound, strlen(IDENTIFIER) + (variant == LINKER ? 2 : 1));
        for (size_t i = 0; i < strlen(IDENTIFIER); i++)
            assert_false(is_found(&file, identifier + i, 1, &options));
    }
}

/* Every length but the whole one is a finding. */
static void sigcheck_verify__every_truncation_is_found(void **state)
{
    own_buf struct buf whole = {0};
    const struct sigcheck_options options = {.threads = 1};
    (void)state;
    sign_small(&whole, CODESIGN);
    for (size_t len = 0; len < whole.len; len += len < 4000 || len + 20 > whole.len ? 1 : 61) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        buf_append(&file, whole.data, len);
        verify(&findings, &file, &options);
        assert_true(findings.error_count > 0);
    }
}

/* One change of a signed file, and the finding that names it. */
struct fault {
    enum variant variant;
    size_t offset; /* from the start of the signature */
    uint32_t value;
    enum finding_level level;
    const char *id;
};

static uint32_t signature_offset(const struct buf *file)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    assert_int_equal(image_open(&image, (struct view){file->data, file->len}, &fail), 0);
    return (uint32_t)image.code_signature.offset;
}

static void sigcheck_verify__each_fault_has_its_id(void **state)
{
    /* linker: lld's layout, CodeDirectory at 24; codesign: index of 36 bytes, CodeDirectory there */
    static const struct fault faults[] = {
        {LINKER, 0, 0xfade0cc1, FINDING_ERROR, "sig.structure"},
        {LINKER, 20, 1, FINDING_ERROR, "sig.padding"},
        {LINKER, 24 + 12, 0x2, FINDING_WARNING, "sig.flags"},
        {LINKER, 24 + 12, 0x20000, FINDING_ERROR, "sig.flags"},
        {LINKER, 24 + 12, 0x20102, FINDING_ERROR, "sig.flags"},
        {LINKER, 24 + 12, 0x80020002, FINDING_ERROR, "sig.flags"},
        {LINKER, 24 + 32, 0xc10, FINDING_ERROR, "sig.code-limit"},
        {LINKER, 24 + 36, 0x2002000d, FINDING_ERROR, "sig.page-size"},
        {LINKER, 24 + 36, 0x20020000, FINDING_ERROR, "sig.page-size"},
        {LINKER, 24 + 36, 0x2002010c, FINDING_WARNING, "sig.platform"},
        {LINKER, 24 + 40, 1, FINDING_ERROR, "sig.reserved"},
        {LINKER, 24 + 44, 88, FINDING_ERROR, "sig.structure"},
        {LINKER, 24 + 52, 1, FINDING_ERROR, "sig.reserved"},
        {LINKER, 24 + 60, 0xc00, FINDING_ERROR, "sig.code-limit"},
        {LINKER, 24 + 68, 1, FINDING_ERROR, "sig.exec-segment"},
        {LINKER, 24 + 76, 1, FINDING_ERROR, "sig.exec-segment"},
        {LINKER, 24 + 76, 0, FINDING_WARNING, "sig.exec-segment"},
        {LINKER, 24 + 84, 1, FINDING_ERROR, "sig.exec-segment"},
        {LINKER, 24 + 84, 0x20, FINDING_WARNING, "sig.exec-segment"},
        {LINKER, 24 + 88, 0, FINDING_ERROR, "sig.identifier"},
        {LINKER, 24 + 88, 0x01020304, FINDING_ERROR, "sig.identifier"},
        {LINKER, 24 + 88, 0xc29b6162, FINDING_ERROR, "sig.identifier"}, /* U+009B */
        {LINKER, 24 + 88, 0xe280ae61, FINDING_ERROR, "sig.identifier"}, /* U+202E */
        {LINKER, 24 + 88, 0xff616263, FINDING_ERROR, "sig.identifier"},
        {CODESIGN, 12, 0x1000, FINDING_ERROR, "sig.structure"},
        {CODESIGN, 36 + 12, 0, FINDING_ERROR, "sig.flags"},
        {CODESIGN, 36 + 12, 0x102, FINDING_WARNING, "sig.flags"},
        {CODESIGN, 36 + 24, 1, FINDING_ERROR, "sig.special-slot"},
        {CODESIGN, 36 + 88 + 17, 1, FINDING_ERROR, "sig.special-slot"},
        {CODESIGN, 36 + 88 + 17 + 32, 1, FINDING_WARNING, "sig.external-slot"},
        {CODESIGN, 36 + 88 + 17 + 64, 1, FINDING_ERROR, "sig.page-hash"},
        {CODESIGN, 2000, 1, FINDING_ERROR, "sig.padding"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        const struct sigcheck_options options = {.threads = 1};
        sign_small(&file, faults[i].variant);
        buf_set_u32be(&file, signature_offset(&file) + faults[i].offset, faults[i].value);
        verify(&findings, &file, &options);
        if (!has(&findings, faults[i].level, faults[i].id))
            print_message("fault %zu: no %s\n", i, faults[i].id);
        assert_true(has(&findings, faults[i].level, faults[i].id));
    }
}

static void sigcheck_verify__expectations(void **state)
{
    static const struct {
        struct sigcheck_options options;
        const char *id;
    } cases[] = {
        {{.identifier = "other"}, "sig.identifier"},
        {{.identifier = IDENTIFIER "x"}, "sig.identifier"},
        {{.kind = SIGCHECK_LINKER}, "sig.kind"},
        {{.kind = SIGCHECK_CMS}, "sig.kind"},
        {{.page_size = 16384}, "sig.page-size"},
    };
    own_buf struct buf file = {0};
    (void)state;
    sign_small(&file, CODESIGN);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_findings struct findings findings = {0};
        verify(&findings, &file, &cases[i].options);
        assert_true(has(&findings, FINDING_ERROR, cases[i].id));
    }
}

static void sigcheck_verify__page_hash_names_the_page(void **state)
{
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {0};
    (void)state;
    sign_small(&file, LINKER);
    file.data[0x600] ^= 1;
    verify(&findings, &file, &options);
    assert_int_equal(findings.count, 1);
    const struct finding *finding = &findings.list[0];
    assert_string_equal(finding->id, "sig.page-hash");
    assert_non_null(strstr(finding->place, "page 0 at offset 0"));
    assert_int_equal(strlen(finding->expected), 64);
    assert_int_equal(strlen(finding->actual), 64);
    assert_string_not_equal(finding->expected, finding->actual);
}

static void sigcheck_verify__unsigned(void **state)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {0};
    (void)state;
    macho_small_dylib(&b);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    sigcheck_verify(&findings, &image, &options);
    assert_int_equal(findings.error_count, 1);
    assert_string_equal(findings.list[0].id, "sig.missing");
    macho_release(&b);
}

static void sigcheck_verify__appended_bytes(void **state)
{
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {0};
    (void)state;
    sign_small(&file, LINKER);
    buf_zeros(&file, 1);
    verify(&findings, &file, &options);
    assert_int_equal(findings.error_count, 1);
    assert_string_equal(findings.list[0].id, "sig.trailing-data");
    assert_string_equal(findings.list[0].actual, "1 more bytes");
}

static void sigcheck_verify__residue_is_allowed_on_request(void **state)
{
    own_buf struct buf file = {0};
    own_findings struct findings error = {0};
    own_findings struct findings warning = {0};
    struct sigcheck_options options = {0};
    (void)state;
    sign_small(&file, CODESIGN);
    file.data[file.len - 1] = 7;
    verify(&error, &file, &options);
    assert_true(has(&error, FINDING_ERROR, "sig.padding"));
    options.allow_residue = true;
    verify(&warning, &file, &options);
    assert_true(has(&warning, FINDING_WARNING, "sig.padding"));
    assert_int_equal(warning.error_count, 0);
}

/* A signature that is sound in itself, but a CodeDirectory of SHA-1 alone. */
static void sigcheck_verify__weak_hash(void **state)
{
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    own_findings struct findings required = {0};
    struct sigcheck_options options = {0};
    (void)state;
    sign_small(&file, LINKER);
    size_t cd = signature_offset(&file) + 24;
    /* one page: the hash shrinks to 20 bytes, followed by 12 zeros */
    buf_set_u32be(&file, cd + 36, 0x1401000c);
    size_t hash = file.len - 32;
    digest_once(file.data + hash, DIGEST_SHA1, file.data, signature_offset(&file));
    memset(file.data + hash + 20, 0, 12);
    verify(&findings, &file, &options);
    assert_int_equal(findings.error_count, 0);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].id, "sig.weak-hash");
    options.require_sha256 = true;
    verify(&required, &file, &options);
    assert_int_equal(required.error_count, 1);
}

/* A large file is hashed on several threads: same findings, same order. */
static void sigcheck_verify__threads_agree(void **state)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    own_buf struct buf file = {0};
    const struct adhoc_options sign = {.style = ADHOC_LINKER, .identifier = IDENTIFIER};
    const uint64_t code_len = UINT64_C(3) << 20;
    (void)state;
    macho_begin(&b);
    macho_segment(&b, "__TEXT", 0, code_len, 5);
    macho_section(&b, "__TEXT", "__text", 0x1000, code_len - 0x1000, 0);
    for (uint64_t at = 0x1000; at < code_len; at += 4096)
        macho_put_u64(&b, at, at * 0x9e3779b97f4a7c15u);
    macho_segment(&b, "__LINKEDIT", code_len, 16, 1);
    macho_finish(&b, code_len + 16);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    assert_int_equal(adhoc_sign(&file, &image, &sign, &fail), 0);
    file.data[0x5000] ^= 1;
    file.data[0x200123] ^= 1;
    file.data[code_len - 1] ^= 1;
    for (unsigned threads = 0; threads < 5; threads++) {
        own_findings struct findings findings = {0};
        struct sigcheck_options options = {.threads = threads};
        verify(&findings, &file, &options);
        assert_int_equal(findings.count, 3);
        assert_non_null(strstr(findings.list[0].place, "page 5 at offset 20480 (__TEXT,__text"));
        assert_non_null(strstr(findings.list[1].place, "page 512 at"));
        assert_non_null(strstr(findings.list[2].place, "page 767 at"));
    }
    for (size_t page = 8; page < 308; page++) /* of these the first are named, all are counted */
        file.data[page * 4096] ^= 1;
    own_findings struct findings many = {0};
    verify(&many, &file, &(struct sigcheck_options){0});
    assert_int_equal(many.count, 101);
    assert_non_null(strstr(many.list[99].place, "page 106 at"));
    assert_string_equal(many.list[100].id, "sig.page-hash");
    assert_non_null(strstr(many.list[100].actual, "203 more of"));
    macho_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigcheck_verify__good_files_have_no_finding),
        cmocka_unit_test(sigcheck_verify__every_flip_is_found),
        cmocka_unit_test(sigcheck_verify__what_a_file_alone_does_not_tell),
        cmocka_unit_test(sigcheck_verify__every_truncation_is_found),
        cmocka_unit_test(sigcheck_verify__each_fault_has_its_id),
        cmocka_unit_test(sigcheck_verify__expectations),
        cmocka_unit_test(sigcheck_verify__page_hash_names_the_page),
        cmocka_unit_test(sigcheck_verify__unsigned),
        cmocka_unit_test(sigcheck_verify__appended_bytes),
        cmocka_unit_test(sigcheck_verify__residue_is_allowed_on_request),
        cmocka_unit_test(sigcheck_verify__weak_hash),
        cmocka_unit_test(sigcheck_verify__threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
