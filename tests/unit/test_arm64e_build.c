/* stage/arm64e_build.h and macho/a64.h: what the assembly asks for, and what instructions do. */
#include "stage/arm64e_build.h"

#include <string.h>

#include "macho/a64.h"
#include "unit/arm64e_sample.h"
#include "unit/unit.h"

static void count_signed__counts_what_the_pass_grants(void **state)
{
    own_fail struct fail fail = {0};
    size_t count = 1;
    (void)state;
    assert_works(arm64e_count_signed(&count,
                                     "_table:\n\t.quad\t_a@AUTH(ia,0)\n\t.quad _b@AUTH(ia,0)\n"
                                     "\t.asciz\t\"x@AUTH(db,1)\"\n\t.quad\t_c\n",
                                     "a.c", &fail),
                 &fail);
    assert_int_equal(count, 3);
}

static void count_signed__refuses_other_schemes(void **state)
{
    static const char *const wishes[] = {"ib,0", "da,0", "ia,1", "ia,0,addr", "db,27361,addr"};
    (void)state;
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        own_fail struct fail fail = {0};
        size_t count = 0;
        own_mem char *text = text_printf("\t.quad\t_a@AUTH(ia,0)\n\t.quad\t_f@AUTH(%s)", wishes[i]);
        own_mem char *message =
            text_printf("'a.c' has a pointer in data that is signed in another way than a function "
                        "pointer of C ('.quad\t_f@AUTH(%s)')",
                        wishes[i]);
        assert_fails(arm64e_count_signed(&count, text, "a.c", &fail), &fail, FAIL_INPUT, message);
    }
}

/* The sample has one pointer to a function in its data. */
static void build__compares_with_the_assembly(void **state)
{
    (void)state;
    for (size_t count = 0; count < 3; count++) {
        struct macho_builder b;
        struct arm64e_sample sample = arm64e_sample();
        own_buf struct buf bytes = {0};
        own_fail struct fail fail = {0};
        arm64e_sample_build(&b, &sample);
        buf_append(&bytes, b.out.data, b.out.len);
        macho_release(&b);
        if (count == 1)
            assert_works(arm64e_build(&bytes, "x.dylib", count, &fail), &fail);
        else
            assert_fails(
                arm64e_build(&bytes, "x.dylib", count, &fail), &fail, FAIL_INPUT,
                "pointers in the data of 'x.dylib' signed, but 1 of them lead to functions");
        assert_int_equal(bytes.data[8], count == 1 ? 2 : 0);
    }
}

static void build__names_the_artifact(void **state)
{
    own_fail struct fail fail = {0};
    own_buf struct buf bytes = {0};
    (void)state;
    buf_puts(&bytes, "no image");
    assert_fails(arm64e_build(&bytes, "x.dylib", 0, &fail), &fail, FAIL_CHILD,
                 "the linker made no Mach-O file 'x.dylib'");
}

#define X(n) (1u << (n))
#define ALL  0x7fffffffu

/* Encodings are llvm-mc's for the text beside them, at address 0x10000. */
static const struct {
    uint32_t word;
    enum a64_kind kind;
    uint32_t reads, writes;
    uint64_t value;
} instructions[] = {
    {0xf0000010, A64_PAGE, 0, X(16), 0x13000},             /* adrp x16, #12288 */
    {0x10017811, A64_ADDRESS, 0, X(17), 0x12f00},          /* adr x17, #12032 */
    {0x10ffffe0, A64_ADDRESS, 0, X(0), 0xfffc},            /* adr x0, #-4 */
    {0x91002108, A64_ADD, X(8), X(8), 8},                  /* add x8, x8, #8 */
    {0x91400508, A64_ADD, X(8), X(8), 0x1000},             /* add x8, x8, #1, lsl #12 */
    {0xd1002108, A64_ADD, X(8), X(8), UINT64_MAX - 7},     /* sub x8, x8, #8 */
    {0x11002108, A64_OTHER, X(8), X(8), 0},                /* add w8, w8, #8 */
    {0xaa1003e0, A64_MOVE, X(16), X(0), 0},                /* mov x0, x16 */
    {0xf9400610, A64_ACCESS, X(16), X(16), 8},             /* ldr x16, [x16, #8] */
    {0xf9000509, A64_ACCESS, X(8) | X(9), 0, 8},           /* str x9, [x8, #8] */
    {0xf85f8109, A64_ACCESS, X(8), X(9), UINT64_MAX - 7},  /* ldur x9, [x8, #-8] */
    {0x3dc00500, A64_ACCESS, X(8), 0, 16},                 /* ldr q0, [x8, #16] */
    {0x39402509, A64_ACCESS, X(8), X(9), 9},               /* ldrb w9, [x8, #9] */
    {0xf8408509, A64_OTHER, X(8), X(8) | X(9), 0},         /* ldr x9, [x8], #8 */
    {0xf86a7909, A64_OTHER, X(8) | X(10), X(9), 0},        /* ldr x9, [x8, x10, lsl #3] */
    {0x58018048, A64_LOAD_LITERAL, 0, X(8), 0x13008},      /* ldr x8, #12296 */
    {0xa9402508, A64_OTHER, X(8), X(8) | X(9), 0},         /* ldp x8, x9, [x8] */
    {0xa9bf7bfd, A64_OTHER, X(29) | X(30), 0, 0},          /* stp x29, x30, [sp, #-16]! */
    {0xdac123f0, A64_SIGN, X(16), X(16), 0},               /* paciza x16 */
    {0xdac10128, A64_SIGN, X(8) | X(9), X(8), 0},          /* pacia x8, x9 */
    {0xdac11128, A64_OTHER, X(8) | X(9), X(8), 0},         /* autia x8, x9 */
    {0xf2800028, A64_OTHER, X(8), X(8), 0},                /* movk x8, #1 */
    {0xd2800028, A64_OTHER, 0, X(8), 0},                   /* mov x8, #1 */
    {0x14000002, A64_BRANCH, 0, 0, 0x10008},               /* b #8 */
    {0x94000040, A64_CALL, 0, X(30), 0x10100},             /* bl #256 */
    {0xb4000040, A64_BRANCH_IF, X(0), 0, 0x10008},         /* cbz x0, #8 */
    {0xb7f00050, A64_BRANCH_IF, X(16), 0, 0x10008},        /* tbnz x16, #62, #8 */
    {0x54000041, A64_BRANCH_IF, 0, 0, 0x10008},            /* b.ne #8 */
    {0xd63f0100, A64_CALL_REGISTER, X(8), X(30), 0},       /* blr x8 */
    {0xd63f091f, A64_CALL_REGISTER, X(8), X(30), 0},       /* blraaz x8 */
    {0xd71f0a11, A64_JUMP_REGISTER, X(16) | X(17), 0, 0},  /* braa x16, x17 */
    {0xd65f03c0, A64_RETURN, X(30), 0, 0},                 /* ret */
    {0xd65f0fff, A64_RETURN, X(30), 0, 0},                 /* retab */
    {0xd503237f, A64_OTHER, X(30), X(30), 0},              /* pacibsp */
    {0xd503201f, A64_OTHER, 0, 0, 0},                      /* nop */
    {0xd4200020, A64_TRAP, 0, 0, 0},                       /* brk #1 */
    {0x00000000, A64_TRAP, 0, 0, 0},                       /* udf #0 */
    {0xd53bd060, A64_OTHER, 0, X(0), 0},                   /* mrs x0, tpidrro_el0 */
    {0xd51bd060, A64_OTHER, X(0), 0, 0},                   /* msr tpidrro_el0, x0 */
    {0x9b0a2528, A64_OTHER, X(9) | X(10), X(8), 0},        /* madd x8, x9, x10, x9 */
    {0x9e670100, A64_OTHER, X(8), 0, 0},                   /* fmov d0, x8 */
    {0x9e660008, A64_OTHER, 0, X(8), 0},                   /* fmov x8, d0 */
    {0x4e080d00, A64_OTHER, X(8), 0, 0},                   /* dup v0.2d, x8 */
    {0xc8df7d09, A64_OTHER, X(8), X(9), 0},                /* ldlar x9, [x8] */
    {0xc8a97d0a, A64_OTHER, X(8) | X(9) | X(10), X(9), 0}, /* cas x9, x10, [x8] */
    {0xf829010a, A64_OTHER, X(8) | X(9), X(10), 0},        /* ldadd x9, x10, [x8] */
    {0x04000000, A64_UNKNOWN, ALL, 0, 0},                  /* SVE */
};

static void a64_decode__kinds_registers_and_targets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        struct a64 insn;
        a64_decode(&insn, instructions[i].word, 0x10000);
        if (insn.kind != instructions[i].kind || insn.reads != instructions[i].reads ||
            insn.writes != instructions[i].writes || insn.value != instructions[i].value)
            fail_msg("%08x: kind %d reads %x writes %x value %llx", instructions[i].word,
                     (int)insn.kind, insn.reads, insn.writes, (unsigned long long)insn.value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(count_signed__counts_what_the_pass_grants),
        cmocka_unit_test(count_signed__refuses_other_schemes),
        cmocka_unit_test(build__compares_with_the_assembly),
        cmocka_unit_test(build__names_the_artifact),
        cmocka_unit_test(a64_decode__kinds_registers_and_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
