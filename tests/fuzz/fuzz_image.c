/*
 * Everything that `inspect` does, on any bytes: universal table, image, symbols, fix-ups,
 * Objective-C names, both printers. Whatever the bytes are, the answer is a description or a
 * failure with a message, and printing twice gives the same.
 */
#include "fuzz/fuzz.h"
#include "macho/describe.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"

/* Each offset has a place, and what is translated to an address comes back. */
static void check_places(const struct image *image)
{
    uint64_t step = image->file.len / 16 + 1;
    for (uint64_t offset = 0; offset < image->file.len; offset += step) {
        char place[IMAGE_PLACE_MAX];
        uint64_t address = 0;
        uint64_t back = 0;
        image_locate_offset(place, image, offset);
        fuzz_must(place[0] != '\0' || image->section_count != 0, "every offset has a place");
        if (image_address_of_offset(&address, image, offset))
            fuzz_must(image_offset_of_address(&back, image, address), "an address has an offset");
    }
    fuzz_must(image_header_room(image) <= image->file.len, "the room lies in the file");
}

/* What is only counted is what is listed otherwise. */
static void check_counts(const struct image *image)
{
    own_symbols struct symbol_list exports = {0};
    own_fixups struct fixup_list listed = {0};
    own_fixups struct fixup_list counted = {0};
    own_fail struct fail fail = {0};
    own_fail struct fail again = {0};
    size_t count = 0;
    int result = symbols_exports(&exports, image, &fail);
    fuzz_must(symbols_count_exports(&count, image, &again) == result &&
                  (result < 0 || count == exports.count),
              "exports are counted as they are listed");
    fail_release(&fail);
    fail_release(&again);
    result = fixups_read(&listed, image, &fail);
    fuzz_must(fixups_count(&counted, image, &again) == result &&
                  counted.bind_count == listed.bind_count &&
                  counted.rebase_count == listed.rebase_count &&
                  counted.auth_count == listed.auth_count,
              "fix-ups are counted as they are listed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    own_description struct description description = {0};
    struct describe_options options = {.symbols = true, .judge = true};
    own_fail struct fail fail = {0};
    own_buf struct buf first = {0};
    own_buf struct buf second = {0};
    struct view file = {.data = data, .len = size};
    if (describe_open(&description, "file", file, &options, &fail) < 0) {
        fuzz_must_say_why(&fail);
        return 0;
    }
    describe_text(&first, &description);
    describe_text(&second, &description);
    fuzz_must(fuzz_same(&first, &second), "printing twice gives the same");
    json_t *json = describe_json(&description);
    json_decref(json);
    for (uint32_t i = 0; i < description.fat.slice_count; i++) {
        if (description.slices[i].has_image) {
            check_places(&description.slices[i].image);
            check_counts(&description.slices[i].image);
        }
    }
    return 0;
}

static void old_image(struct macho_builder *b, bool is64)
{
    static const char bind[] =
        "\x11\x40_a\0\x72\x00\x90\x12\x41_b\0\xa0\x08\x3e\x40_c\0\xc0\x02\x08";
    static const char trie[] = "\0\1_f\0\6\2\0\x10\0";
    const uint32_t info[10] = {0, 0, 0x500, sizeof bind, 0x540, sizeof bind, 0, 0, 0x580, 10};
    const uint32_t symtab[] = {0x5c0, 1, 0x600, 16};
    macho_begin(b);
    b->is64 = is64;
    b->order = BIG_ENDIAN_BYTES;
    b->cputype = is64 ? CPU_TYPE_POWERPC64 : CPU_TYPE_POWERPC;
    macho_segment(b, "__TEXT", 0, 0x400, 5);
    macho_section(b, "__TEXT", "__objc_methname", 0x3e0, 8, S_CSTRING_LITERALS);
    macho_segment(b, "__DATA", 0x400, 0x100, 3);
    macho_section(b, "__DATA", "__objc_selrefs", 0x400, 8, 0);
    macho_segment(b, "__LINKEDIT", 0x500, 0x200, 1);
    macho_command_words(b, LC_DYLD_INFO_ONLY, info, 10);
    macho_command_words(b, LC_SYMTAB, symtab, 4);
    macho_library(b, LC_LOAD_DYLIB, "/usr/lib/libSystem.B.dylib", 1, 1);
    macho_put(b, 0x3e0, "release", 8);
    macho_put(b, 0x500, bind, sizeof bind);
    macho_put(b, 0x540, bind, sizeof bind);
    macho_put(b, 0x580, trie, sizeof trie);
    macho_put_u32(b, 0x5c0, 1);
    macho_put(b, 0x5c4, "\1", 1);
    macho_put(b, 0x600, "\0_malloc", 9);
    macho_finish(b, 0x700);
}

/* A dylib; old images of both word sizes; universal files; every kind of signature. */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    struct macho_builder b = {0};
    own_buf struct buf seed = {0};
    if (index >= 5 + sealer_kind_count)
        return 0;
    if (index >= 5) {
        const struct sealer_kind *kind = &sealer_kinds[index - 5];
        sealer_file(&seed, &kind->image, &kind->spec);
        return fuzz_give(&seed, out, out_size);
    }
    if (index == 1 || index == 2)
        old_image(&b, index == 2);
    else
        macho_small_dylib(&b);
    if (index == 0 || index == 1 || index == 2) {
        buf_append(&seed, b.out.data, b.out.len);
    } else {
        const struct macho_fat_slice slices[] = {{b.cputype, b.cpusubtype, macho_view(&b)}};
        macho_fat(&seed, slices, 1, index == 4, 6);
    }
    macho_release(&b);
    return fuzz_give(&seed, out, out_size);
}
