#include "unit.h"

#include <signal.h>

#include "port/emu.h"

#define CODE    UINT64_C(0x100000)
#define DATA    UINT64_C(0x200000)
#define SCRATCH UINT64_C(0x1000)
#define AWAY    UINT64_C(0x7000000) /* no memory */
#define WORLD   UINT64_C(0x6000)    /* another place without memory */

/* Instructions of the Arm Architecture Reference Manual. */
#define NOP      0xd503201fu
#define BLR_X0   0xd63f0000u
#define BLRAA    0xd73f0801u /* blraa x0, x1 */
#define RET      0xd65f03c0u
#define B_SELF   0x14000000u
#define BRK      0xd4200020u
#define LDR_X0   0xf9400020u /* ldr x0, [x1] */
#define STR_X0   0xf9000020u /* str x0, [x1] */
#define AUTIA    0xdac11020u /* autia x0, x1 */
#define PACIBSP  0xd503237fu
#define RETAB    0xd65f0fffu
#define MOV_X0_7 0xd28000e0u
#define BR_X1    0xd61f0020u

static const struct emu_limits limits = {.instructions = 100000, .memory_len = 1 << 20};

#ifdef HALLMARK_UNICORN
static void open_with(struct emu **emu, bool authenticate, const uint32_t *code, size_t count)
{
    own_fail struct fail fail = {0};
    assert_works(emu_open(emu, authenticate, &limits, &fail), &fail);
    assert_works(emu_map(*emu, CODE, 4096, EMU_READ | EMU_EXECUTE, &fail), &fail);
    assert_works(emu_map(*emu, DATA, 8192, EMU_READ | EMU_WRITE, &fail), &fail);
    assert_true(emu_write(*emu, CODE, code, count * sizeof *code));
    emu_set(*emu, EMU_PC, CODE);
    emu_set(*emu, EMU_LR, AWAY);
    emu_set(*emu, EMU_SP, DATA + 4096);
}

static void emu_run__ends_where_no_memory_is(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {NOP, BLR_X0, MOV_X0_7, RET};
    open_with(&emu, false, code, 4);
    emu_set(emu, EMU_X0, WORLD);
    emu_set(emu, EMU_LR, AWAY);
    struct emu_exit exit = emu_run(emu);
    assert_int_equal(exit.end, EMU_END_BRANCH);
    assert_int_equal(exit.address, WORLD);
    assert_int_equal(exit.pc, CODE + 4);
    assert_int_equal(exit.instruction, BLR_X0);
    assert_int_equal(emu_get(emu, EMU_LR), CODE + 8);
    assert_int_equal(emu_instructions(emu), 2);
    /* The stand-in returns, and the run goes on. */
    emu_set(emu, EMU_PC, emu_get(emu, EMU_LR));
    emu_set(emu, EMU_LR, AWAY);
    exit = emu_run(emu);
    assert_int_equal(exit.end, EMU_END_BRANCH);
    assert_int_equal(exit.address, AWAY);
    assert_int_equal(emu_get(emu, EMU_X0), 7);
}

static void emu_run__a_branch_into_data_is_an_end(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {BLR_X0};
    open_with(&emu, false, code, 1);
    emu_set(emu, EMU_X0, DATA);
    struct emu_exit exit = emu_run(emu);
    assert_int_equal(exit.end, EMU_END_BRANCH);
    assert_int_equal(exit.address, DATA);
}

static void emu_run__refused_accesses_tell_address_and_instruction(void **state)
{
    (void)state;
    const struct {
        uint32_t instruction;
        uint64_t address;
        enum emu_end end;
    } cases[] = {
        {LDR_X0, AWAY + 8, EMU_END_READ},
        {STR_X0, AWAY + 8, EMU_END_WRITE},
        {STR_X0, CODE, EMU_END_WRITE},
        {LDR_X0, SCRATCH, EMU_END_READ}, /* a page of emu.c's own */
        {STR_X0, SCRATCH, EMU_END_WRITE},
        {BR_X1, SCRATCH, EMU_END_BRANCH},
        {BRK, 0, EMU_END_TRAP},
        {0xd5381000, 0, EMU_END_TRAP}, /* mrs x0, sctlr_el1: the switch of authentication */
        {0xd5181000, 0, EMU_END_TRAP}, /* msr sctlr_el1, x0 */
        {0xd53be040, 0, EMU_END_TRAP}, /* mrs x0, cntvct_el0: a clock */
        {0xd53b2400, 0, EMU_END_TRAP}, /* mrs x0, rndr: chance */
        {0xd503207f, 0, EMU_END_TRAP}, /* wfi */
        {0, 0, EMU_END_TRAP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_emu struct emu *emu = NULL;
        const uint32_t code[] = {NOP, cases[i].instruction};
        open_with(&emu, false, code, 2);
        emu_set(emu, EMU_X0 + 1, cases[i].address);
        struct emu_exit exit = emu_run(emu);
        assert_int_equal(exit.end, cases[i].end);
        assert_int_equal(exit.pc, CODE + 4);
        assert_int_equal(exit.instruction, cases[i].instruction);
        if (cases[i].end != EMU_END_TRAP)
            assert_int_equal(exit.address, cases[i].address);
    }
}

/* What macOS lets a process do: floating point, its thread's pointer, dc zva. */
static void emu_run__is_a_process(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {0x9e670020 /* fmov d0, x1 */,  0xd53bd040 /* mrs x0, tpidr_el0 */,
                             0xd53b4400 /* mrs x0, fpcr */, 0xd50b7421 /* dc zva, x1 */,
                             0xd503205f /* wfe */,          RET};
    open_with(&emu, false, code, 6);
    emu_set(emu, EMU_X0 + 1, DATA);
    struct emu_exit exit = emu_run(emu);
    assert_int_equal(exit.end, EMU_END_BRANCH);
    assert_int_equal(exit.address, AWAY);
    assert_int_equal(emu_get_vector(emu, 0), DATA);
}

static void emu_work__is_of_the_same_budget(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    enum emu_end end = EMU_END_TRAP;
    const uint32_t code[] = {B_SELF};
    open_with(&emu, false, code, 1);
    assert_true(emu_work(emu, limits.instructions - 10, &end));
    assert_int_equal(emu_run(emu).end, EMU_END_BUDGET);
    assert_int_equal(emu_instructions(emu), 10);
    assert_false(emu_work(emu, 1, &end));
    assert_int_equal(end, EMU_END_BUDGET);
    assert_false(emu_work(emu, UINT64_MAX, &end));
}

static void emu_allows__regions_that_touch_are_one(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {NOP};
    open_with(&emu, false, code, 1);
    assert_works(emu_map(emu, DATA - 4096, 4096, EMU_READ, &fail), &fail);
    assert_true(emu_allows(emu, DATA - 8, 16, EMU_READ));
    assert_true(emu_allows(emu, DATA, 8192, EMU_READ | EMU_WRITE));
    assert_false(emu_allows(emu, DATA - 8, 16, EMU_WRITE));
    assert_false(emu_allows(emu, DATA, 8193, EMU_READ));
    assert_false(emu_allows(emu, UINT64_MAX, 2, 0));
    assert_false(emu_allows(emu, SCRATCH, 4, 0));
    assert_false(emu_write(emu, SCRATCH, code, 4));
    assert_true(emu_allows(emu, AWAY, 0, EMU_WRITE));
}

static void emu_run__a_loop_ends_at_the_budget(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {B_SELF};
    open_with(&emu, false, code, 1);
    struct emu_exit exit = emu_run(emu);
    assert_int_equal(exit.end, EMU_END_BUDGET);
    assert_int_equal(emu_instructions(emu), limits.instructions);
    assert_int_equal(emu_run(emu).end, EMU_END_BUDGET);
}

static void emu_run__a_loop_ends_at_the_deadline(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_emu struct emu *emu = NULL;
    const struct emu_limits patient = {
        .instructions = UINT64_MAX, .memory_len = 1 << 20, .time_sec = 1};
    const uint32_t code[] = {B_SELF};
    assert_works(emu_open(&emu, false, &patient, &fail), &fail);
    assert_works(emu_map(emu, CODE, 4096, EMU_READ | EMU_EXECUTE, &fail), &fail);
    assert_true(emu_write(emu, CODE, code, sizeof code));
    emu_set(emu, EMU_PC, CODE);
    assert_int_equal(emu_run(emu).end, EMU_END_TIME);
}

static void emu_map__memory_is_bounded(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_emu struct emu *emu = NULL;
    assert_works(emu_open(&emu, false, &limits, &fail), &fail);
    assert_works(emu_map(emu, DATA, limits.memory_len, EMU_READ, &fail), &fail);
    assert_fails(emu_map(emu, CODE, 4096, EMU_READ, &fail), &fail, FAIL_INPUT,
                 "(0 bytes of 1048576 left, 4096 asked for)");
}

static void emu_map__overlap_and_odd_addresses_are_refused(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {NOP};
    open_with(&emu, false, code, 1);
    own_fail struct fail overlap = {0};
    assert_fails(emu_map(emu, DATA + 4096, 8192, EMU_READ, &overlap), &overlap, FAIL_INPUT,
                 "0x2000 bytes at address 0x201000 overlap");
    own_fail struct fail odd = {0};
    assert_fails(emu_map(emu, DATA + 0x8001, 4096, EMU_READ, &odd), &odd, FAIL_INPUT,
                 "at address 0x208001");
}

static void emu_protect__takes_away_what_was_allowed(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {STR_X0, RET};
    open_with(&emu, false, code, 2);
    emu_set(emu, EMU_X0 + 1, DATA);
    assert_int_equal(emu_run(emu).end, EMU_END_BRANCH);
    assert_works(emu_protect(emu, DATA, 8192, EMU_READ, &fail), &fail);
    emu_set(emu, EMU_PC, CODE);
    struct emu_exit exit = emu_run(emu);
    assert_int_equal(exit.end, EMU_END_WRITE);
    assert_int_equal(exit.address, DATA);
}

static void emu_sign__keys_and_modifiers_make_different_codes(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {NOP};
    open_with(&emu, true, code, 1);
    for (enum emu_key key = EMU_KEY_IA; key <= EMU_KEY_DB; key++) {
        uint64_t signed_pointer = emu_sign(emu, WORLD, key, 5);
        assert_int_not_equal(signed_pointer, WORLD);
        assert_int_equal(emu_strip(emu, signed_pointer), WORLD);
        assert_true(emu_is_signed(emu, signed_pointer, key, 5));
        assert_false(emu_is_signed(emu, signed_pointer, key, 6));
        assert_false(emu_is_signed(emu, WORLD, key, 5));
        for (enum emu_key other = EMU_KEY_IA; other <= EMU_KEY_DB; other++)
            assert_int_equal(emu_is_signed(emu, signed_pointer, other, 5), other == key);
    }
    assert_int_equal(emu_get(emu, EMU_PC), CODE);
}

static void emu_sign__is_nothing_without_authentication(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {BLRAA};
    open_with(&emu, false, code, 1);
    assert_int_equal(emu_sign(emu, WORLD, EMU_KEY_IA, 5), WORLD);
    assert_true(emu_is_signed(emu, WORLD, EMU_KEY_IA, 5));
    emu_set(emu, EMU_X0, WORLD);
    assert_int_equal(emu_run(emu).address, WORLD);
}

/* What the guest does with pointers that we signed, rightly and wrongly. */
static void emu_run__only_rightly_signed_pointers_are_followed(void **state)
{
    (void)state;
    const struct {
        bool sign;
        enum emu_key key;
        uint64_t modifier;
        bool good;
    } cases[] = {
        {true, EMU_KEY_IA, 5, true},  {true, EMU_KEY_IA, 6, false},  {true, EMU_KEY_IB, 5, false},
        {true, EMU_KEY_DA, 5, false}, {false, EMU_KEY_IA, 5, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_emu struct emu *emu = NULL;
        const uint32_t code[] = {NOP, BLRAA};
        open_with(&emu, true, code, 2);
        uint64_t pointer = WORLD;
        if (cases[i].sign)
            pointer = emu_sign(emu, WORLD, cases[i].key, cases[i].modifier);
        emu_set(emu, EMU_X0, pointer);
        emu_set(emu, EMU_X0 + 1, 5);
        struct emu_exit exit = emu_run(emu);
        assert_int_equal(exit.end, EMU_END_BRANCH);
        assert_int_equal(exit.address == WORLD, cases[i].good);
        assert_int_equal(emu_strip(emu, exit.address), WORLD);
        assert_int_equal(exit.pc, CODE + 4);
    }
}

static void emu_run__return_addresses_are_authenticated(void **state)
{
    (void)state;
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {PACIBSP, NOP, RETAB};
    open_with(&emu, true, code, 3);
    struct emu_exit exit = emu_run(emu);
    assert_int_equal(exit.address, AWAY);
    emu_set(emu, EMU_PC, CODE + 4);
    emu_set(emu, EMU_LR, AWAY);
    exit = emu_run(emu);
    assert_int_not_equal(exit.address, AWAY);
}

static void emu_watch__the_last_reads_newest_first(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_emu struct emu *emu = NULL;
    const uint32_t code[] = {LDR_X0, 0xf9400420 /* ldr x0, [x1, #8] */, RET};
    open_with(&emu, false, code, 3);
    assert_works(emu_watch(emu, DATA, 16, &fail), &fail);
    uint64_t reads[EMU_READS_MAX] = {0};
    assert_int_equal(emu_last_reads(emu, reads), 0);
    emu_set(emu, EMU_X0 + 1, DATA);
    assert_int_equal(emu_run(emu).end, EMU_END_BRANCH);
    assert_int_equal(emu_last_reads(emu, reads), 2);
    assert_int_equal(reads[0], DATA + 8);
    assert_int_equal(reads[1], DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emu_run__ends_where_no_memory_is),
        cmocka_unit_test(emu_run__a_branch_into_data_is_an_end),
        cmocka_unit_test(emu_run__refused_accesses_tell_address_and_instruction),
        cmocka_unit_test(emu_run__is_a_process),
        cmocka_unit_test(emu_work__is_of_the_same_budget),
        cmocka_unit_test(emu_allows__regions_that_touch_are_one),
        cmocka_unit_test(emu_run__a_loop_ends_at_the_budget),
        cmocka_unit_test(emu_run__a_loop_ends_at_the_deadline),
        cmocka_unit_test(emu_map__memory_is_bounded),
        cmocka_unit_test(emu_map__overlap_and_odd_addresses_are_refused),
        cmocka_unit_test(emu_protect__takes_away_what_was_allowed),
        cmocka_unit_test(emu_sign__keys_and_modifiers_make_different_codes),
        cmocka_unit_test(emu_sign__is_nothing_without_authentication),
        cmocka_unit_test(emu_run__only_rightly_signed_pointers_are_followed),
        cmocka_unit_test(emu_run__return_addresses_are_authenticated),
        cmocka_unit_test(emu_watch__the_last_reads_newest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void emu_open__says_what_is_missing(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_emu struct emu *emu = NULL;
    assert_fails(emu_open(&emu, true, &limits, &fail), &fail, FAIL_SYSTEM, "without Unicorn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(emu_open__says_what_is_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
