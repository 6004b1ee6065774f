/* Every kind of image is read: each file type, both word sizes, both byte orders, and files that
 * describe more than they hold. */
#include "macho/arch.h"
#include "macho/fixups.h"
#include "macho/symbols.h"
#include "unit/reading.h"

static void open_built(struct reading *r, uint64_t size)
{
    macho_finish(&r->b, size);
    reading_open(r);
}

/* Opens, and the tables that every answer needs can be read. */
static void open_and_read_tables(struct reading *r, uint64_t size)
{
    own_symbols struct symbol_list imports = {0};
    own_symbols struct symbol_list exports = {0};
    own_symbols struct symbol_list locals = {0};
    own_fixups struct fixup_list fixups = {0};
    open_built(r, size);
    assert_int_equal(symbols_imports(&imports, &r->image, &r->fail), 0);
    assert_int_equal(symbols_exports(&exports, &r->image, &r->fail), 0);
    assert_int_equal(symbols_locals(&locals, &r->image, &r->fail), 0);
    assert_int_equal(fixups_read(&fixups, &r->image, &r->fail), 0);
}

static void image_open_any__reads_every_file_type(void **state)
{
    static const char *const names[] = {"object",     "execute", "fvmlib",   "core",
                                        "preload",    "dylib",   "dylinker", "bundle",
                                        "dylib-stub", "dsym",    "kext",     "fileset"};
    (void)state;
    for (uint32_t type = MH_OBJECT; type <= MH_FILESET; type++) {
        for (unsigned form = 0; form < 4; form++) {
            own_reading struct reading r = {0};
            macho_begin(&r.b);
            r.b.filetype = type;
            r.b.is64 = (form & 1) != 0;
            r.b.order = (form & 2) != 0 ? BIG_ENDIAN_BYTES : LITTLE_ENDIAN_BYTES;
            macho_segment(&r.b, "__TEXT", 0, 0x600, 5);
            macho_section(&r.b, "__TEXT", "__cstring", 0x500, 6, S_CSTRING_LITERALS);
            macho_put(&r.b, 0x500, "hello", 6);
            open_and_read_tables(&r, 0x600);
            assert_int_equal(r.image.filetype, type);
            assert_int_equal(r.image.is64, r.b.is64);
            assert_int_equal(r.image.order, r.b.order);
            assert_int_equal(r.image.sections[0].size, 6);
            assert_string_equal(macho_filetype_name(type), names[type - 1]);
        }
    }
    assert_null(macho_filetype_name(MH_FILESET + 1));
}

/* A core has its threads, and commands that are multiples of four bytes also in 64 bits. */
static void image_open_any__reads_a_core(void **state)
{
    static const uint32_t thread[] = {4, 3, 1, 2, 3}; /* flavour, count, three registers */
    own_reading struct reading r = {0};
    (void)state;
    macho_begin(&r.b);
    r.b.filetype = MH_CORE;
    size_t at = macho_command_words(&r.b, 0x04, thread, 5);
    macho_set_u32(&r.b, at + 4, 28);
    buf_truncate(&r.b.commands, at + 28);
    macho_segment(&r.b, "", 0x1000, 0x20, 3);
    open_and_read_tables(&r, 0x1020);
    assert_int_equal(r.image.commands[0].size, 28);
    assert_string_equal(macho_command_name(r.image.commands[0].cmd), "LC_THREAD");
    assert_int_equal(image_segment_data(&r.image, &r.image.segments[0]).len, 0x20);
}

/* Of a dSYM, some sections of a segment have bytes and the others only a description. */
static void image_open_any__tells_what_a_dsym_holds(void **state)
{
    own_reading struct reading r = {0};
    (void)state;
    macho_begin(&r.b);
    r.b.filetype = MH_DSYM;
    size_t text = macho_segment(&r.b, "__TEXT", 0x2000, 0x90, 5);
    macho_set_u32(&r.b, text + 32, 0x38000); /* size in memory */
    macho_section(&r.b, "__TEXT", "__objc_classname", 0, 85, 2);
    macho_section(&r.b, "__TEXT", "__const", 0x3000, 0x1000000, 0);
    macho_section(&r.b, "__TEXT", "__eh_frame", 0x2000, 0x90, 0);
    size_t data = macho_segment(&r.b, "__DATA", 0, 0, 3);
    macho_set_u32(&r.b, data + 32, 0x4000);
    macho_section(&r.b, "__DATA", "__data", 0x38000, 0x10, 0);
    macho_segment(&r.b, "__DWARF", 0x2100, 0x100, 1);
    macho_section(&r.b, "__DWARF", "__debug_info", 0x2110, 0x20, 0x02000000u);
    open_and_read_tables(&r, 0x2200);
    static const bool has_data[] = {false, false, true, false, true};
    assert_int_equal(r.image.section_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(r.image.sections[i].has_data, has_data[i]);
        assert_int_equal(image_section_data(&r.image, &r.image.sections[i]).len,
                         has_data[i] ? r.image.sections[i].size : 0);
    }
}

/* What a stub describes is in the library that it stands for. */
static void image_open_any__reads_a_stub(void **state)
{
    const uint32_t symtab[] = {0x100000, 3, 0x200000, 64};
    own_reading struct reading r = {0};
    (void)state;
    macho_begin(&r.b);
    r.b.filetype = MH_DYLIB_STUB;
    macho_segment(&r.b, "__TEXT", 0, 0x100000, 5);
    macho_section(&r.b, "__TEXT", "__text", 0x1000, 0x1000, 0x80000400u);
    macho_library(&r.b, LC_ID_DYLIB, "/usr/lib/libstub.dylib", 0x10000, 0x10000);
    macho_command_words(&r.b, LC_SYMTAB, symtab, 4);
    open_and_read_tables(&r, 0x200);
    assert_string_equal(r.image.id.path, "/usr/lib/libstub.dylib");
    assert_false(r.image.sections[0].has_data);
    assert_int_equal(r.image.symtab.count, 0);
}

/* A kernel collection names the images in it; a fix-up chain may be of its own formats. */
static void image_open_any__reads_a_fileset(void **state)
{
    const uint32_t entry[] = {0x8000, 0, 0x8000, 0, 32, 0};
    own_reading struct reading r = {0};
    (void)state;
    macho_small_dylib(&r.b);
    r.b.filetype = MH_FILESET;
    macho_command(&r.b, 0x35 | LC_REQ_DYLD, entry, sizeof entry);
    open_built(&r, MACHO_SMALL_SIZE);
    assert_int_equal(r.image.filetype, MH_FILESET);
    assert_string_equal(macho_command_name(r.image.commands[r.image.command_count - 1].cmd),
                        "LC_FILESET_ENTRY");
}

/* The newer form of a library's command has flags between the versions and the path. */
static void image_open_any__reads_how_a_library_is_used(void **state)
{
    const uint32_t words[] = {28, DYLIB_USE_MARKER, 7u << 16, 1u << 16, DYLIB_USE_DELAYED_INIT};
    own_reading struct reading r = {0};
    (void)state;
    macho_begin(&r.b);
    macho_segment(&r.b, "__TEXT", 0, 0x600, 5);
    macho_command_text(&r.b, LC_LOAD_DYLIB, words, 5, "/usr/lib/libA.dylib");
    macho_library(&r.b, LC_LOAD_DYLIB, "/usr/lib/libB.dylib", 2, 1);
    open_built(&r, 0x600);
    assert_int_equal(r.image.library_count, 2);
    assert_string_equal(r.image.libraries[0].path, "/usr/lib/libA.dylib");
    assert_int_equal(r.image.libraries[0].use_flags, DYLIB_USE_DELAYED_INIT);
    assert_int_equal(r.image.libraries[0].current_version, 7u << 16);
    assert_int_equal(r.image.libraries[1].use_flags, 0);
}

/* UPX packs up to the end of the page that the loader maps, past the segment's own bytes. */
static void image_open_any__reads_a_section_up_to_the_end_of_its_page(void **state)
{
    static const struct {
        uint32_t memory_size;
        uint64_t section_size;
        const char *message;
    } cases[] = {
        {0x1fef, 0x1d2f, NULL},
        {0x1fef, 0x1d30, "does not map its address 0x2c0"},
        {0x3000, 0x1d40, NULL},
        {0x3000, 0x1d41, "does not map its address 0x2c0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        own_reading struct reading r = {0};
        macho_begin(&r.b);
        r.b.filetype = MH_EXECUTE;
        size_t text = macho_segment(&r.b, "__TEXT", 0, 0x1e5b, 5);
        macho_section(&r.b, "__TEXT", "__text", 0x2c0, cases[i].section_size, 0x80000400u);
        memcpy(r.b.commands.data + text + 32, &cases[i].memory_size, 4);
        macho_finish(&r.b, 0x2100);
        int status = image_open_any(&r.image, macho_view(&r.b), &r.fail);
        if (cases[i].message == NULL)
            assert_int_equal(status, 0);
        else
            assert_fails(status, &r.fail, FAIL_INPUT, cases[i].message);
    }
}

static void arch__has_the_older_names(void **state)
{
    uint32_t type = 0;
    uint32_t subtype = 0;
    (void)state;
    assert_string_equal(macho_arch_name(CPU_TYPE_M68K, 1), "m68k");
    assert_string_equal(macho_arch_name(CPU_TYPE_SPARC, 0), "sparc");
    assert_string_equal(macho_arch_name(CPU_TYPE_ARM, 17), "armv8m.main");
    assert_true(macho_arch_parse(&type, &subtype, "ppc64"));
    assert_int_equal(type, CPU_TYPE_POWERPC64);
    assert_string_equal(macho_platform_name(24), "visionOS exclave kit");
    assert_null(macho_platform_name(25));
    assert_string_equal(macho_command_name(0x39), "LC_TARGET_TRIPLE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(image_open_any__reads_every_file_type),
        cmocka_unit_test(image_open_any__reads_a_core),
        cmocka_unit_test(image_open_any__tells_what_a_dsym_holds),
        cmocka_unit_test(image_open_any__reads_a_stub),
        cmocka_unit_test(image_open_any__reads_a_fileset),
        cmocka_unit_test(image_open_any__reads_how_a_library_is_used),
        cmocka_unit_test(image_open_any__reads_a_section_up_to_the_end_of_its_page),
        cmocka_unit_test(arch__has_the_older_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
