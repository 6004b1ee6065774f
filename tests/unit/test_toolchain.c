/*
 * Toolchain pins: what is read, and the message of each refusal.
 */
#include <string.h>

#include "base/own.h"
#include "config/toolchain.h"
#include "unit/unit.h"

#define DIGEST "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char good[] = "name: llvm-19\n"
                           "family: llvm\n"
                           "compiler: {program: clang, version: \"19.1.7\"}\n"
                           "linker: {program: ld64.lld, version: 19.1.7}\n"
                           "sdk: {path: toolchain/sdk, version: \"14.0\"}\n"
                           "builds:\n"
                           "  - {id: debian-12-amd64, compiler: " DIGEST ", linker: " DIGEST "}\n"
                           "  - {id: other, compiler: " DIGEST ", linker: " DIGEST "}\n";

/* One replacement in a good pin, and what is said of it. */
struct refusal {
    const char *from, *to, *message;
};

static void expect_refusals(const char *text, const char *name, const struct refusal *cases,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        own_fail struct fail fail = {0};
        own_toolchain struct toolchain pin = {0};
        const char *at = strstr(text, cases[i].from);
        assert_non_null(at);
        own_mem char *changed = text_printf("%.*s%s%s", (int)(at - text), text, cases[i].to,
                                            at + strlen(cases[i].from));
        if (toolchain_parse(&pin, unit_text(changed), "f", name, &fail) == 0)
            fail_msg("accepted, expected: %s", cases[i].message);
        if (fail.code != FAIL_INPUT || strstr(fail.message, cases[i].message) == NULL)
            fail_msg("expected '%s', got '%s'", cases[i].message, fail.message);
        assert_null(pin.name);
    }
}

static void parse__good(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_toolchain struct toolchain pin = {0};
    assert_int_equal(toolchain_parse(&pin, unit_text(good), "f", "llvm-19", &fail), 0);
    assert_string_equal(pin.name, "llvm-19");
    assert_int_equal(pin.family, TOOLCHAIN_LLVM);
    assert_string_equal(toolchain_family_text(pin.family), "llvm");
    assert_string_equal(pin.compiler.program, "clang");
    assert_string_equal(pin.linker.version, "19.1.7");
    assert_string_equal(pin.sdk.path, "toolchain/sdk");
    assert_int_equal(pin.builds_count, 2);
    assert_string_equal(pin.builds[1].id, "other");
    assert_string_equal(pin.builds[1].linker, DIGEST);
}

static void parse__no_builds(void **state)
{
    (void)state;
    static const char *const tails[] = {"", "builds: []\n"};
    for (size_t i = 0; i < 2; i++) {
        own_fail struct fail fail = {0};
        own_toolchain struct toolchain pin = {0};
        const char *builds = strstr(good, "builds:");
        own_mem char *text = text_printf("%.*s%s", (int)(builds - good), good, tails[i]);
        assert_int_equal(toolchain_parse(&pin, unit_text(text), "f", NULL, &fail), 0);
        assert_int_equal(pin.builds_count, 0);
    }
}

static void parse__refuses(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"family: llvm", "family: gcc", "unknown family 'gcc' in 'f' line 2 column 9"},
        {"family: llvm\n", "", "key 'family' is missing in 'f' line 1"},
        {"family: llvm", "famly: llvm", "unknown key 'famly' in 'f' line 2 column 1"},
        {"program: clang", "program: /usr/bin/clang",
         "compiler.program '/usr/bin/clang' has a character"},
        {"program: clang", "program: ..", "compiler.program '..' begins with a dot"},
        {"program: ld64.lld", "program: a/b", "linker.program 'a/b' has a character"},
        {"\"19.1.7\"", "19.x", "compiler.version '19.x' is not a version"},
        {"\"19.1.7\"", "\"\"", "'compiler.version' is empty in 'f' line 3"},
        {"version: 19.1.7", "version: 1.2.3.4.5", "linker.version '1.2.3.4.5' is not a version"},
        {"toolchain/sdk", "/sdk", "sdk.path '/sdk' is absolute in 'f' line 5"},
        {"toolchain/sdk", "../sdk", "sdk.path '../sdk' is not a plain path"},
        {"\"14.0\"", "\"14\"", "sdk.version '14' has too few numbers"},
        {"id: other", "id: debian-12-amd64",
         "build id 'debian-12-amd64' occurs twice in 'f' line 8"},
        {"id: other", "id: a/b", "build id 'a/b' has a character"},
        {"compiler: sha256:0", "compiler: sha256:G",
         "compiler of build 'debian-12-amd64' is not 'sha256:' and 64"},
        {"compiler: sha256:0", "compiler: sha256:", "compiler of build 'debian-12-amd64' is not"},
        {"linker: sha256:0", "linker: sha256:A", "linker of build 'debian-12-amd64' is not"},
        {"name: llvm-19", "name: llvm-18",
         "toolchain 'llvm-19' calls itself 'llvm-18' in 'f' line 1"},
        {"name: llvm-19", "name: a b", "name 'a b' has a character"},
        {"path: toolchain/sdk, ", "", "key 'sdk.path' is missing, which family 'llvm' needs"},
        {"builds:", "developer_dir: /x\nbuilds:",
         "key 'developer_dir' is for family 'apple' alone"},
        {"program: clang", "program: clang, build: x",
         "key 'compiler.build' is for family 'apple'"},
        {"sdk: {", "sdk: {contents: x, ", "key 'sdk.contents' is for family 'apple' alone"},
    };
    expect_refusals(good, "llvm-19", cases, sizeof(cases) / sizeof(cases[0]));
}

static const char apple[] =
    "name: apple-clt\n"
    "family: apple\n"
    "developer_dir: /Library/Developer/Command Line Tools\n"
    "package: {id: com.apple.pkg.CLTools_Executables, version: \"26.4.0.0.1774242506\"}\n"
    "compiler: {program: clang, version: \"21.0.0\", build: clang-2100.0.123.102}\n"
    "linker: {program: ld, version: \"1266.8\"}\n"
    "sdk: {name: macosx, version: \"26.4\", settings: " DIGEST ", contents: " DIGEST "}\n";

static void parse__apple(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_toolchain struct toolchain pin = {0};
    assert_int_equal(toolchain_parse(&pin, unit_text(apple), "f", "apple-clt", &fail), 0);
    assert_int_equal(pin.family, TOOLCHAIN_APPLE);
    assert_string_equal(pin.developer_dir, "/Library/Developer/Command Line Tools");
    assert_string_equal(pin.package.id, "com.apple.pkg.CLTools_Executables");
    assert_string_equal(pin.package.version, "26.4.0.0.1774242506");
    assert_string_equal(pin.compiler.build, "clang-2100.0.123.102");
    assert_string_equal(pin.sdk.name, "macosx");
    assert_string_equal(pin.sdk.settings, DIGEST);
    assert_string_equal(pin.sdk.contents, DIGEST);
    assert_string_equal(toolchain_sdk_name(&pin), "macosx");
    assert_null(pin.sdk.path);
}

static void parse__apple_without_digests(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_toolchain struct toolchain pin = {0};
    own_mem char *text = text_printf("%.*s}\n", (int)(strstr(apple, ", settings") - apple), apple);
    assert_int_equal(toolchain_parse(&pin, unit_text(text), "f", NULL, &fail), 0);
    assert_null(pin.sdk.settings);
    assert_null(pin.sdk.contents);
}

static void parse__apple_refuses(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"developer_dir: /Library/Developer/Command Line Tools\n", "",
         "key 'developer_dir' is missing, which family 'apple' needs in 'f'"},
        {"developer_dir: /L", "developer_dir: L", "is not absolute in 'f' line 3"},
        {"/Library/Developer", "/Library/../Developer", "is not a plain path in 'f' line 3"},
        {"/Library/Developer/Command Line Tools", "/", "developer_dir '/' is not a plain path"},
        {"Tools\n", "Tools/\n", "is not a plain path in 'f' line 3"},
        {"id: com", "id: com/x", "package.id 'com/x.apple.pkg.CLTools_Executables' has a char"},
        {"id: com", "id: --com", "begins with a dash in 'f' line 4"},
        {"26.4.0.0.1774242506", "26 4", "package.version '26 4' has a character"},
        {"build: clang-2100", "build: -clang-2100",
         "compiler.build '-clang-2100.0.123.102' begins"},
        {", build: clang-2100.0.123.102", "",
         "key 'compiler.build' is missing, which family 'apple' needs"},
        {"\"1266.8\"", "\"1266.8\", build: ld-1", "key 'linker.build' is not known"},
        {"name: macosx, ", "", "key 'sdk.name' is missing, which family 'apple' needs"},
        {"name: macosx", "name: ../macosx", "sdk.name '../macosx' begins with a dot"},
        {"name: macosx", "path: sdk, name: macosx", "key 'sdk.path' is for family 'llvm' alone"},
        {"settings: sha256:0", "settings: sha256:", "' is not 'sha256:' and 64 lower-case digits"},
        {"contents: sha256:0", "contents: md5:0", "sdk.contents 'md5:0123"},
        {"\"26.4\"", "\"26\"", "sdk.version '26' has too few numbers"},
    };
    expect_refusals(apple, "apple-clt", cases, sizeof(cases) / sizeof(cases[0]));
}

static void name_check__cases(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    assert_int_equal(toolchain_name_check("llvm-19", &fail), 0);
    assert_int_equal(toolchain_name_check("../llvm-19", &fail), -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    assert_string_equal(fail.message, "toolchain name '../llvm-19' begins with a dot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse__good),
        cmocka_unit_test(parse__no_builds),
        cmocka_unit_test(parse__refuses),
        cmocka_unit_test(parse__apple),
        cmocka_unit_test(parse__apple_without_digests),
        cmocka_unit_test(parse__apple_refuses),
        cmocka_unit_test(name_check__cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
