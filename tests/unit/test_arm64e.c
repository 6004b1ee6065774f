/* macho/arm64e.h: each encoding as the format's facts give it, and each refusal. */
#include "macho/arm64e.h"

#include <string.h>

#include "macho/adhoc.h"
#include "macho/sigcheck.h"
#include "unit/arm64e_sample.h"
#include "unit/unit.h"

struct run {
    struct macho_builder b;
    struct image image;
    struct arm64e_account account;
    struct buf out;
    struct image made;
    struct fail fail;
};

static void run_release(struct run *r)
{
    image_release(&r->made);
    image_release(&r->image);
    arm64e_account_release(&r->account);
    buf_release(&r->out);
    fail_release(&r->fail);
    macho_release(&r->b);
}
#define own_run __attribute__((cleanup(run_release)))

static int convert(struct run *r, const struct arm64e_sample *sample)
{
    arm64e_sample_build(&r->b, sample);
    assert_works(image_open(&r->image, macho_view(&r->b), &r->fail), &r->fail);
    return arm64e_convert(&r->out, &r->account, &r->image, &r->fail);
}

static void convert_well(struct run *r, const struct arm64e_sample *sample)
{
    assert_works(convert(r, sample), &r->fail);
    struct view made = {.data = r->out.data, .len = r->out.len};
    assert_works(image_open(&r->made, made, &r->fail), &r->fail);
}

static uint64_t u64_at(const struct run *r, uint64_t offset)
{
    uint64_t value = 0;
    assert_true(view_u64(&value, r->made.file, offset, LITTLE_ENDIAN_BYTES));
    return value;
}

static uint32_t u32_at(const struct run *r, uint64_t offset)
{
    uint32_t value = 0;
    assert_true(view_u32(&value, r->made.file, offset, LITTLE_ENDIAN_BYTES));
    return value;
}

/*
 * fixup-chains.h. dyld_chained_ptr_arm64e_auth_bind24: ordinal 24, zero 8, diversity 16, addrDiv 1,
 * key 2, next 11, bind 1, auth 1. ..._bind24: ordinal 24, zero 8, addend 19, next 11, bind, auth.
 * ..._rebase: target 43, high8 8, next 11, bind, auth. ..._auth_rebase: target 32, diversity 16,
 * addrDiv 1, key 2, next 11, bind, auth. Keys: IA 0, IB 1, DA 2, DB 3. Steps of 8 bytes.
 */
static void convert__writes_each_kind_of_fixup(void **state)
{
    own_run struct run r = {0};
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    convert_well(&r, &sample);
    assert_int_equal(u64_at(&r, 0x4000), 0xc009000000000000); /* _puts: stub, IA, address */
    assert_int_equal(u64_at(&r, 0x4008), 0x4008000000000001); /* _strcmp: code reads it: plain */
    assert_int_equal(u64_at(&r, 0x4010), 0xc009000000000002); /* personality, IA, address */
    assert_int_equal(u64_at(&r, 0x4018), 0x4008000000000004); /* ___stderrp: data: plain */
    assert_int_equal(u64_at(&r, 0x4020), 0xc0156ae100000003); /* isa, DA, 0x6ae1, address */
    assert_int_equal(u64_at(&r, 0x4030), 0x0010000000001300); /* characters: plain */
    assert_int_equal(u64_at(&r, 0x4040), 0x8000000000001000); /* function: IA, 0 */
    assert_int_equal(u64_at(&r, 0x8000), 0x0000000000008008); /* data: plain */
    assert_int_equal(u64_at(&r, 0x4028), 0x7c8);              /* no pointer: kept */
    assert_int_equal(r.made.cpusubtype, 0x80000002);
}

/* The pointer of format 2 is an address, that of format 6 an offset: the same for a dylib at 0,
 * but an executable has a base. */
static void convert__takes_both_formats_of_lld(void **state)
{
    own_run struct run a = {0}, b = {0};
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    convert_well(&a, &sample);
    sample.pointer_format = CHAINED_64;
    convert_well(&b, &sample);
    assert_int_equal(a.out.len, b.out.len);
    assert_memory_equal(a.out.data, b.out.data, a.out.len);
    assert_int_equal(u32_at(&a, 0xc038), (uint32_t)CHAINED_ARM64E_USERLAND24 << 16 | 0x4000);
    assert_int_equal(u32_at(&a, 0xc054), (uint32_t)CHAINED_ARM64E_USERLAND24 << 16 | 0x4000);
}

static void convert__stubs_authenticate(void **state)
{
    own_run struct run r = {0};
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    convert_well(&r, &sample);
    assert_int_equal(u32_at(&r, 0x1100), 0x10017811); /* adr x17, 0x4000 */
    assert_int_equal(u32_at(&r, 0x1104), 0xf9400230); /* ldr x16, [x17] */
    assert_int_equal(u32_at(&r, 0x1108), 0xd71f0a11); /* braa x16, x17 */
    for (uint64_t i = 0; i < 3; i++)                  /* that of _strcmp stays as it was */
        assert_int_equal(u32_at(&r, 0x110c + 4 * i), sample.stub[3 + i]);
    for (uint64_t i = 0; i < SAMPLE_CODE_MAX; i++)
        assert_int_equal(u32_at(&r, 0x1000 + 4 * i), sample.code[i]);
}

static void convert__accounts_for_each_fixup(void **state)
{
    own_run struct run r = {0};
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    static const struct {
        uint64_t address;
        enum arm64e_role role;
        const char *import;
        bool auth;
    } expected[] = {
        {0x4000, ARM64E_STUB, "_puts", true},
        {0x4008, ARM64E_SHARED_STUB, "_strcmp", false},
        {0x4010, ARM64E_PERSONALITY, "___objc_personality_v0", true},
        {0x4018, ARM64E_IMPORT, "___stderrp", false},
        {0x4020, ARM64E_STRING_ISA, "___CFConstantStringClassReference", true},
        {0x4030, ARM64E_POINTER, NULL, false},
        {0x4040, ARM64E_CODE_POINTER, NULL, true},
        {0x8000, ARM64E_POINTER, NULL, false},
    };
    convert_well(&r, &sample);
    assert_int_equal(r.account.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < r.account.count; i++) {
        const struct arm64e_fixup *found = &r.account.list[i];
        assert_int_equal(found->fixup.address, expected[i].address);
        assert_int_equal(found->role, expected[i].role);
        assert_int_equal(found->fixup.auth, expected[i].auth);
        if (expected[i].import == NULL)
            assert_null(found->import);
        else
            assert_string_equal(found->import, expected[i].import);
    }
}

/* A UUID of version 8 (RFC 9562), of the content: another for another file, the same again. */
static void convert__makes_a_uuid_of_the_content(void **state)
{
    own_run struct run a = {0}, again = {0}, other = {0};
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    convert_well(&a, &sample);
    convert_well(&again, &sample);
    sample.string[1] = 0x7c9;
    convert_well(&other, &sample);
    assert_memory_equal(a.made.uuid, again.made.uuid, 16);
    assert_memory_not_equal(a.made.uuid, other.made.uuid, 16);
    assert_memory_not_equal(a.made.uuid, a.image.uuid, 16);
    assert_int_equal(a.made.uuid[6] >> 4, 8);
    assert_int_equal(a.made.uuid[8] >> 6, 2);
}

/* A signature of the linker is taken off, and does not change what comes out. */
static void convert__drops_the_signature_of_the_linker(void **state)
{
    own_run struct run plain = {0};
    own_buf struct buf signed_bytes = {0}, out = {0}, signed_again = {0};
    own_image struct image image = {0}, bare = {0}, final = {0};
    own_arm64e struct arm64e_account account = {0};
    own_findings struct findings findings = {0};
    struct adhoc_options options = {.style = ADHOC_LINKER, .file_name = "x", .identifier = "x"};
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    convert_well(&plain, &sample);
    assert_works(adhoc_sign(&signed_bytes, &plain.image, &options, &plain.fail), &plain.fail);
    struct view view = {.data = signed_bytes.data, .len = signed_bytes.len};
    assert_works(image_open(&image, view, &plain.fail), &plain.fail);
    assert_true(image_has(&image.code_signature));
    assert_works(arm64e_convert(&out, &account, &image, &plain.fail), &plain.fail);
    view = (struct view){.data = out.data, .len = out.len};
    assert_works(image_open(&bare, view, &plain.fail), &plain.fail);
    assert_false(image_has(&bare.code_signature));
    assert_int_equal(out.len, plain.out.len);
    assert_memory_equal(out.data + 0x1000, plain.out.data + 0x1000, out.len - 0x1000);
    assert_works(adhoc_sign(&signed_again, &bare, &options, &plain.fail), &plain.fail);
    view = (struct view){.data = signed_again.data, .len = signed_again.len};
    assert_works(image_open(&final, view, &plain.fail), &plain.fail);
    sigcheck_verify(&findings, &final, &(struct sigcheck_options){.strict = true});
    assert_int_equal(findings.count, 0);
}

/* The sample, changed, is refused with that message. */
#define REFUSED(change, text)                                       \
    do {                                                            \
        own_run struct run r = {0};                                 \
        struct arm64e_sample s = arm64e_sample();                   \
        change;                                                     \
        assert_fails(convert(&r, &s), &r.fail, FAIL_INPUT, (text)); \
        assert_int_equal(r.out.len, 0);                             \
    } while (0)

static void own_section(struct arm64e_sample *s, const char *name, uint32_t flags)
{
    s->own_name = name;
    s->own_flags = flags;
}

static void convert__refuses_sections(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t flags;
        const char *message;
    } cases[] = {
        {"__mod_init_func", 9, "'__DATA,__mod_init_func' (type 0x09): module initialisers"},
        {"__mod_term_func", 10, "'__DATA,__mod_term_func' (type 0x0a): module terminators"},
        {"__thread_vars", 0x13, "thread-local variables"},
        {"__thread_data", 0x11, "thread-local variables"},
        {"__thread_bss", 0x12, "thread-local variables"},
        {"__auth_ptr", 0,
         "'__DATA,__auth_ptr' (type 0x00): pointers that the compiler was to sign"},
        {"__la_symbol_ptr", 7, "lazy pointers (link with -fixup_chains)"},
        {"__objc_classlist", 0, "'__DATA,__objc_classlist' (type 0x00): Objective-C classes"},
        {"__objc_catlist", 0, "Objective-C classes or protocols"},
        {"__objc_protolist", 11, "Objective-C classes or protocols"},
        {"__objc_superrefs", 0, "Objective-C classes or protocols"},
        {"__objc_const", 0, "Objective-C classes or protocols"},
        {"__objc_data", 0, "Objective-C classes or protocols"},
        {"__objc_intobj", 0, "constant Objective-C objects"},
        {"__objc_arrayobj", 0, "constant Objective-C objects"},
        {"__objc_stubs", 0, "stubs of message sends"},
        {"__interpose", 13, "interposed functions"},
        {"__mine", 0, "'__DATA,__mine' (type 0x00): a section that this pass does not know"},
        {"__const", 0x15, "'__DATA,__const' (type 0x15): a section that this pass does not know"},
        {"__data", 0, "section '__DATA,__data' occurs twice"},
        {"__const", 0x80000400, "section '__DATA,__const' has code"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        REFUSED(own_section(&s, cases[i].name, cases[i].flags), cases[i].message);
    REFUSED((own_section(&s, "__const", 0), s.own_segment = "__TEXT"),
            "section '__TEXT,__const' (type 0x00)"); /* says __TEXT, lies in __DATA */
}

static void convert__refuses_headers_and_commands(void **state)
{
    (void)state;
    REFUSED(s.cpusubtype = 2, "the image is arm64e, not the plain arm64 that lld links");
    REFUSED(s.filetype = MH_OBJECT, "neither a dylib nor a bundle nor an executable");
    REFUSED(s.no_uuid = true, "no LC_UUID");
    REFUSED(s.no_chains = true, "no chained fix-ups (link with -fixup_chains)");
    REFUSED(s.no_functions = true, "no table of functions");
    REFUSED(s.data_in_code = true, "-fno-jump-tables");
    REFUSED(s.own_command = 0x99, "(unknown, 0x99) is none that this pass knows");
    REFUSED(s.own_command = LC_SEGMENT_SPLIT_INFO, "(LC_SEGMENT_SPLIT_INFO, 0x1e) is none");
}

static void convert__refuses_imports(void **state)
{
    (void)state;
    REFUSED(s.first_import = "__NSConcreteGlobalBlock",
            "the import of '__NSConcreteGlobalBlock': the compiler does not sign blocks");
    REFUSED(s.first_import = "__NSConcreteStackBlock", "does not sign blocks");
    REFUSED(s.import_format = 2, "the imports have format 2, something is added to them");
    REFUSED(s.data = UINT64_C(1) << 63 | 1,
            "the import of '_strcmp' at __DATA,__data+0x0 (0x8000) may be one of a function or of "
            "data");
    REFUSED(s.constant = UINT64_C(1) << 63 | 4,
            "the import of '___stderrp' at __DATA_CONST,__const");
    REFUSED(
        s.string[0] = UINT64_C(1) << 63 | UINT64_C(4) << 51,
        "the import of '_puts' at __DATA_CONST,__cfstring+0x0 (0x4020) is no part of a constant "
        "string");
    REFUSED(s.got[0] |= 1u << 24, "is to be signed, and has something added to it");
}

static void convert__refuses_pointers(void **state)
{
    (void)state;
    REFUSED(
        s.constant = 0x1004,
        "the pointer to 0x1004 at __DATA_CONST,__const+0x0 (0x4040) leads into code, but not to "
        "the start of a function");
    REFUSED(s.constant = 0x1100, "leads into code"); /* a stub */
    REFUSED(s.data = 0x12345678, "leads to no segment");
    REFUSED(s.data = UINT64_C(1) << 36 | 0x8008, "leads to no segment"); /* tagged */
    REFUSED(s.data = UINT64_C(5) << 51 | 0x8008,
            "the pointer at __DATA+0x14 (0x8014) is not aligned");
    REFUSED(s.data = UINT64_C(1) << 51 | 0x8008, "is not aligned to 8 bytes");
    REFUSED((own_section(&s, "__objc_selrefs", 5), s.data |= UINT64_C(8) << 51, s.own = 0x1000),
            "is one to a function in a section that has none");
    REFUSED(s.pointer_format = CHAINED_ARM64E_USERLAND24, "pointer format 12");
}

static void convert__refuses_stubs_and_unwinding(void **state)
{
    (void)state;
    REFUSED(s.stub_size = 16, "the stubs are 16 bytes each");
    REFUSED(s.stub[2] = 0xd61f0220,
            "the stub at __TEXT,__stubs+0x0 (0x1100) is not shaped as lld's");
    REFUSED(s.stub[0] = 0xf0000011, "is not shaped as lld's");
    REFUSED(s.stub[4] = 0xf9402210, "which is no imported slot of __got"); /* 0x4040 */
    REFUSED(s.personality_form = 0x1b, "a personality routine in a form that is not known");
    REFUSED(s.augmentation = "zXR", "an augmentation that is not known");
    REFUSED(s.augmentation = "eh", "an augmentation that is not known");
    REFUSED(s.unwind_personality = 0x4020, "__unwind_info names a personality routine at 0x4020");
    REFUSED(s.unwind_personality = 0x4018,
            "the import of '___stderrp' at __DATA_CONST,__got+0x18 (0x4018) is a personality "
            "routine, and code reads it too");
    REFUSED(s.first_initialiser = 0x1024, "initialiser 0 (offset 0x1024) is no function");
}

/* One to six instructions in place of the first ones; the rest returns. */
static void set_code(struct arm64e_sample *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t code[] = {a, b, c, d, 0xd503201f, 0xd503201f};
    memcpy(s->code, code, sizeof code);
}
#define NOP 0xd503201fu

#define ADRP_X8_GOT  0xf0000008u /* adrp x8, 0x4000 */
#define LDR_STRCMP   0xf9400508u /* ldr x8, [x8, #8] */
#define ADRP_X8_TEXT 0x90000008u
#define ADD_X8_0     0x91000108u

static void convert__refuses_code_that_was_not_made_for_it(void **state)
{
    (void)state;
    REFUSED(set_code(&s, 0xd63f0100, NOP, NOP, NOP),
            "the code at __TEXT,__text+0x0 (0x1000) calls a register without authenticating it");
    REFUSED(set_code(&s, 0xd61f0100, NOP, NOP, NOP), "jumps to a register without authenticating");
    /* adr x0, the next function: handed on to a call, returned, stored */
    REFUSED(set_code(&s, 0x10000100, 0x94000040, NOP, NOP),
            "address of a function without signing");
    REFUSED(set_code(&s, 0x10000100, 0xd65f03c0, NOP, NOP),
            "address of a function without signing");
    REFUSED(set_code(&s, 0x10000108, 0xf90003e8, NOP, NOP),
            "address of a function without signing");
    REFUSED(set_code(&s, ADRP_X8_TEXT, ADD_X8_0, 0xf90003e8, NOP), "without signing it");
    /* the same through a copy, and on both ways of a branch */
    REFUSED(set_code(&s, 0x10000108, 0xaa0803e0, 0x94000040, NOP), "without signing it");
    REFUSED(set_code(&s, 0x10000108, 0xb4000041, NOP, 0xf90003e8), "without signing it");
}

static void convert__refuses_code_that_takes_labels_and_imports(void **state)
{
    (void)state;
    /* adr x16, 0x1004: a label; and that of a stub */
    REFUSED(set_code(&s, 0x10000030, NOP, NOP, NOP),
            "takes the address of code that is no function");
    REFUSED(set_code(&s, 0x10000810, NOP, NOP, NOP),
            "takes the address of code that is no function");
    /* _strcmp loaded, and stored or called with authentication */
    REFUSED(set_code(&s, ADRP_X8_GOT, LDR_STRCMP, 0xf90003e8, NOP),
            "uses the address of an imported function without signing it");
    REFUSED(set_code(&s, ADRP_X8_GOT, LDR_STRCMP, 0xd63f091f, NOP), "without signing it");
    REFUSED(set_code(&s, 0x58018048, 0xf90003e8, NOP, NOP),
            "without signing it"); /* ldr x8, slot */
}

static void convert__refuses_code_that_uses_slots_otherwise(void **state)
{
    (void)state;
    /* half of one, a pair, by index, written, its address stored */
    REFUSED(set_code(&s, ADRP_X8_GOT, 0xb9400909, NOP, NOP), "uses a slot of __got otherwise");
    REFUSED(set_code(&s, ADRP_X8_GOT, 0xf9000509, NOP, NOP), "uses a slot of __got otherwise");
    REFUSED(set_code(&s, ADRP_X8_GOT, 0x3dc00500, NOP, NOP), "uses a slot of __got otherwise");
    REFUSED(set_code(&s, ADRP_X8_GOT, 0xa9402508, NOP, NOP), "cannot be followed");
    REFUSED(set_code(&s, ADRP_X8_GOT, 0xf86a7909, NOP, NOP), "cannot be followed");
    REFUSED(set_code(&s, ADRP_X8_GOT, 0x91002108, 0xf90003e8, NOP), "cannot be followed");
    REFUSED(set_code(&s, ADRP_X8_GOT, 0x04000000, NOP, NOP), "an instruction that is not known");
}

/* What such code may do. */
static void convert__accepts_code_that_was_made_for_it(void **state)
{
    (void)state;
    static const uint32_t cases[][4] = {
        {ADRP_X8_GOT, LDR_STRCMP, 0xd63f0100, NOP},        /* blr of what was just loaded */
        {ADRP_X8_GOT, LDR_STRCMP, 0xaa0803e9, 0xd63f0120}, /* through a copy */
        {ADRP_X8_GOT, LDR_STRCMP, 0xdac10128, NOP},        /* pacia x8, x9 */
        {ADRP_X8_GOT, 0x91002108, 0xf9400108, 0xd63f0100}, /* add, ldr, blr */
        {ADRP_X8_GOT, 0x91010100, 0x94000040, NOP},        /* address of __const handed on */
        {0x10000110, 0xdac123f0, 0xf90003f0, NOP},         /* adr x16, function; paciza; str */
        {ADRP_X8_GOT, 0xd2800008, 0xf90003e8, NOP},        /* overwritten, then stored */
        {0x10000108, 0xd4200020, 0xf90003e8, NOP},         /* a trap ends the path */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_run struct run r = {0};
        struct arm64e_sample s = arm64e_sample();
        set_code(&s, cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
        convert_well(&r, &s);
    }
}

/* The load is reached by a jump over the instruction that overwrites the register; and backwards. */
static void convert__finds_loads_on_every_path(void **state)
{
    (void)state;
    static const uint32_t cases[][4] = {
        {ADRP_X8_GOT, 0xb4000049, 0xd2800008, 0xf9400108}, /* cbz x9 over mov x8, #0; ldr [x8] */
        {0x14000003, 0xf9400108, 0xd65f03c0, ADRP_X8_GOT}, /* b; ldr [x8]; ret; adrp; b back */
        {ADRP_X8_GOT, 0xaa0803f3, 0x9400003e, 0xf9400268}, /* mov x19, x8; bl; ldr x8, [x19] */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_run struct run r = {0};
        struct arm64e_sample s = arm64e_sample();
        set_code(&s, cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
        s.code[4] = i == 1 ? 0x17fffffd : 0xdac123e8; /* paciza x8 */
        if (i == 1)
            s.code[2] = 0xdac123e8, s.code[5] = NOP;
        convert_well(&r, &s);
        assert_int_equal(r.account.list[0].role, ARM64E_SHARED_STUB);
    }
}

/* Any cut of the file is refused or converted, and never read past. */
static void convert__survives_any_byte(void **state)
{
    struct macho_builder b;
    struct arm64e_sample sample = arm64e_sample();
    (void)state;
    arm64e_sample_build(&b, &sample);
    static const struct {
        size_t first, last;
    } ranges[] = {{0, 0x500},       {0x1000, 0x1040}, {0x1100, 0x1118},
                  {0x1400, 0x1424}, {0x1500, 0x1520}, {0x4000, 0x4048},
                  {0x8000, 0x8008}, {0xc000, 0xc100}, {0xc300, 0xc304}};
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        for (size_t i = ranges[k].first; i < ranges[k].last; i++) {
            static const uint8_t masks[] = {0x01, 0x80, 0xff};
            for (size_t m = 0; m < sizeof masks; m++) {
                own_image struct image image = {0};
                own_arm64e struct arm64e_account account = {0};
                own_buf struct buf out = {0};
                own_fail struct fail fail = {0};
                b.out.data[i] ^= masks[m];
                if (image_open(&image, macho_view(&b), &fail) == 0 &&
                    arm64e_convert(&out, &account, &image, &fail) == 0)
                    assert_true(out.len != 0);
                b.out.data[i] ^= masks[m];
            }
        }
    }
    macho_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convert__writes_each_kind_of_fixup),
        cmocka_unit_test(convert__takes_both_formats_of_lld),
        cmocka_unit_test(convert__stubs_authenticate),
        cmocka_unit_test(convert__accounts_for_each_fixup),
        cmocka_unit_test(convert__makes_a_uuid_of_the_content),
        cmocka_unit_test(convert__drops_the_signature_of_the_linker),
        cmocka_unit_test(convert__refuses_sections),
        cmocka_unit_test(convert__refuses_headers_and_commands),
        cmocka_unit_test(convert__refuses_imports),
        cmocka_unit_test(convert__refuses_pointers),
        cmocka_unit_test(convert__refuses_stubs_and_unwinding),
        cmocka_unit_test(convert__refuses_code_that_was_not_made_for_it),
        cmocka_unit_test(convert__refuses_code_that_takes_labels_and_imports),
        cmocka_unit_test(convert__refuses_code_that_uses_slots_otherwise),
        cmocka_unit_test(convert__accepts_code_that_was_made_for_it),
        cmocka_unit_test(convert__finds_loads_on_every_path),
        cmocka_unit_test(convert__survives_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
