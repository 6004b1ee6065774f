#include "unit.h"

#include <string.h>

#include "config/trial.h"

static void trial_parse__everything(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_trial struct trial trial = {0};
    static const char text[] =
        "reason: all keys\n"
        "artifacts: [\"*-arm64.dylib\"]\n"
        "main: probe\n"
        "arguments: [\"--all\"]\n"
        "environment: [A=1, \"B=\"]\n"
        "each: [C=1, C=2]\n"
        "program: p\n"
        "classes:\n"
        "  - {name: Base, super: NSObject, families: [\"-1\", \"1001-1003\"], threadgroup_memory: "
        "5, starts: true}\n"
        "  - {name: Sub, super: Base, families: [], asks_super: [families], "
        "fixed: [starts], threadgroup_memory: 18446744073709551615}\n"
        "devices:\n"
        "  - {class: Sub, name: G, registry_id: 9, starts: 2, headless: true}\n"
        "expect:\n"
        "  devices:\n"
        "    - {yes: [\"1001\"], no: [\"1004-1005\"], threadgroup_memory: 5, working_set: 6}\n"
        "  log: [one]\n"
        "  exit: 3\n"
        "  output: [two, \"\"]\n";
    assert_works(trial_parse(&trial, unit_text(text), "t.yaml", &fail), &fail);
    assert_int_equal(trial.classes_count, 2);
    assert_int_equal(trial.classes[0].ranges[0].first, -1);
    assert_int_equal(trial.classes[0].ranges[1].last, 1003);
    assert_int_equal(*trial.classes[0].threadgroup_memory, 5);
    assert_null(trial.classes[0].working_set);
    assert_true(trial.classes[1].has_families);
    assert_int_equal(trial.classes[1].families_count, 0);
    assert_int_equal(trial.classes[1].asks_super[0], TRIAL_FAMILIES);
    assert_int_equal(trial.classes[1].fixed[0], TRIAL_STARTS);
    assert_int_equal(*trial.classes[1].threadgroup_memory, UINT64_MAX);
    assert_int_equal(*trial.devices[0].starts, 2);
    assert_int_equal(trial.devices[0].headless, TRIAL_YES);
    assert_int_equal(trial.expect.devices[0].no_ranges[0].last, 1005);
    assert_int_equal(*trial.expect.exit, 3);
    assert_string_equal(trial.expect.output[1], "");
    assert_true(trial_applies(&trial, "x-arm64.dylib"));
    assert_false(trial_applies(&trial, "x-arm64e.dylib"));
}

static void trial_parse__no_devices_are_not_the_default(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_trial struct trial none = {0};
    own_trial struct trial silent = {0};
    assert_works(
        trial_parse(&none, unit_text("reason: x\ndevices: []\nexpect: {log: [a]}\n"), "t", &fail),
        &fail);
    assert_true(none.has_devices);
    assert_works(trial_parse(&silent, unit_text("reason: x\nexpect: {log: [a]}\n"), "t", &fail),
                 &fail);
    assert_false(silent.has_devices);
    assert_true(trial_applies(&silent, "anything"));
}

static void trial_parse__refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"expect: {log: [a]}\n", "key 'reason' is missing"},
        {"reason: x\n", "key 'expect' is missing"},
        {"reason: x\nexpect: {}\n", "the trial expects nothing in 't.yaml' line 2"},
        {"reason: x\nexpect: {devices: [{yes: [\"a\"]}]}\n", "'a' is no family"},
        {"reason: x\nexpect: {devices: [{yes: [\"1-\"]}]}\n", "'1-' is no family"},
        {"reason: x\nexpect: {devices: [{yes: [\"9-1\"]}]}\n", "'9-1' is no family"},
        {"reason: x\nexpect: {devices: [{yes: [\"1-100000\"]}]}\n", "'1-100000' is no family"},
        {"reason: x\nexpect: {devices: [{yes: [\"01\"]}]}\n", "'01' is no family"},
        {"reason: x\nexpect: {devices: [{}]}\n", "nothing is asked of device 0"},
        {"reason: x\nexpect: {devices: [{yes: [\"1\"]}, {yes: [\"1\"]}]}\n",
         "answers of 2 devices are expected, there are 1"},
        {"reason: x\nenvironment: [A]\nexpect: {log: [a]}\n", "'A' is not NAME=value"},
        {"reason: x\neach: [\"=a\"]\nexpect: {log: [a]}\n", "'=a' is not NAME=value"},
        {"reason: x\nclasses: [{name: A, super: B}]\nexpect: {log: [a]}\n",
         "class 'A' has the superclass 'B', which comes not before it"},
        {"reason: x\nclasses: [{name: A}, {name: A}]\nexpect: {log: [a]}\n",
         "class 'A' occurs twice"},
        {"reason: r\nexpect: {devices: [{working_set: 18446744073709551616}]}\n",
         "which is not a decimal number up to 18446744073709551615"},
        {"reason: r\nexpect: {devices: [{working_set: 99999999999999999999999}]}\n",
         "which is not a decimal number up to 18446744073709551615"},
        {"reason: r\nclasses: [{name: NSObject}]\nexpect: {log: [a]}\n",
         "every world has a class 'NSObject' of its own"},
        {"reason: r\nclasses: [{name: NSArray}]\nexpect: {log: [a]}\n",
         "every world has a class 'NSArray' of its own"},
        {"reason: x\nclasses: [{name: A, asks_super: [starts]}]\nexpect: {log: [a]}\n",
         "asks its superclass for 'starts' but does not define it"},
        {"reason: x\nclasses: [{name: A, starts: maybe}]\nexpect: {log: [a]}\n",
         "unknown starts 'maybe'"},
        {"reason: x\ndevices: [{class: B}]\nexpect: {log: [a]}\n", "there is no class 'B'"},
        {"reason: x\ndevices: [{class: _MTLDevice, starts: 0}]\nexpect: {log: [a]}\n",
         "'starts' is not between 1 and 64"},
        {"reason: x\nexpect: {exit: 0}\n", "arguments, exit and output need a 'main'"},
        {"reason: x\nworld: y\nexpect: {log: [a]}\n", "unknown key 'world'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        own_trial struct trial trial = {0};
        own_fail struct fail fail = {0};
        assert_fails(trial_parse(&trial, unit_text(bad[i].text), "t.yaml", &fail), &fail,
                     FAIL_INPUT, bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trial_parse__everything),
        cmocka_unit_test(trial_parse__no_devices_are_not_the_default),
        cmocka_unit_test(trial_parse__refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
