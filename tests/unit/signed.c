#include "unit/signed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "macho/sigcheck.h"

const struct adhoc_options signed_codesign = {.style = ADHOC_CODESIGN, .file_name = "libfoo.dylib"};
const struct adhoc_options signed_linker = {.style = ADHOC_LINKER, .file_name = "libfoo.dylib"};

void signed_make(struct macho_builder *b, const struct signed_spec *spec)
{
    static const uint8_t uuid[16] = {0xab, 0xcd, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    uint64_t linkedit_len = spec->linkedit_len ? spec->linkedit_len : 0x20;
    macho_begin(b);
    b->filetype = spec->filetype ? spec->filetype : MH_DYLIB;
    macho_segment(b, "__TEXT", 0, CODE_LEN, 5);
    uint64_t text_at = spec->text_at ? spec->text_at : 0x1000;
    macho_section(b, "__TEXT", "__text", text_at, 0x123, 0);
    macho_put_u32(b, text_at, 0xd65f03c0);
    if (spec->info_plist) {
        macho_section(b, "__TEXT", "__info_plist", 0x2000, strlen(spec->info_plist), 0);
        macho_put(b, 0x2000, spec->info_plist, strlen(spec->info_plist));
    }
    if (!spec->no_linkedit) {
        size_t at = macho_segment(b, "__LINKEDIT", CODE_LEN, linkedit_len, 1);
        macho_set_u32(b, at + 32, spec->linkedit_memory ? (uint32_t)spec->linkedit_memory : 0x4000);
    }
    if (spec->install_name)
        macho_library(b, LC_ID_DYLIB, spec->install_name, 1u << 16, 1u << 16);
    if (!spec->no_uuid)
        macho_command(b, LC_UUID, uuid, sizeof(uuid));
    const uint32_t build[] = {PLATFORM_MACOS,        13u << 16, 14u << 16, 1, spec->tool,
                              spec->tool_major << 16};
    const uint32_t build_alone[] = {PLATFORM_MACOS, 13u << 16, 14u << 16, 0};
    if (spec->tool != 0)
        macho_command_words(b, LC_BUILD_VERSION, build, 6);
    else if (!spec->no_platform)
        macho_command_words(b, LC_BUILD_VERSION, build_alone, 4);
    macho_finish(b, CODE_LEN + (spec->no_linkedit ? 0 : linkedit_len));
}

void signed_release(struct signed_file *file)
{
    codesig_release(&file->sig);
    image_release(&file->image);
    buf_release(&file->bytes);
}

void signed_open(struct signed_file *file)
{
    own_fail struct fail fail = {0};
    struct view view = {file->bytes.data, file->bytes.len};
    assert_int_equal(image_open_any(&file->image, view, &fail), 0);
    view = image_range_data(&file->image, &file->image.code_signature);
    assert_int_equal(codesig_read(&file->sig, view, &fail), 0);
}

void signed_check(const struct signed_file *file, enum adhoc_style style)
{
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {
        .kind = style == ADHOC_LINKER ? SIGCHECK_LINKER : SIGCHECK_ADHOC, .strict = true};
    sigcheck_verify(&findings, &file->image, &options);
    if (findings.count > 0)
        print_message("%s: %s: expected %s, found %s\n", findings.list[0].id,
                      findings.list[0].place, findings.list[0].expected, findings.list[0].actual);
    assert_int_equal(findings.count, 0);
}

void signed_sign(struct signed_file *out, const struct signed_spec *spec,
                 const struct adhoc_options *options)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    signed_make(&b, spec);
    assert_int_equal(image_open_any(&image, macho_view(&b), &fail), 0);
    if (adhoc_sign(&out->bytes, &image, options, &fail) < 0)
        fail_msg("%s", fail.message);
    image_release(&image);
    macho_release(&b);
    signed_open(out);
    signed_check(out, options->style);
}
