/*
 * Which flags a recipe may use. The refused list is what a hostile recipe would try.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/own.h"
#include "config/cflags.h"
#include "config/recipe.h"

static void problem__allows(void **state)
{
    (void)state;
    static const char *const flags[] = {
        "-O3",
        "-Os",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-parameter",
        "-Wformat=2",
        "-Werror=return-type",
        "-W",
        "-pedantic",
        "-ansi",
        "-std=c17",
        "-std=gnu2x",
        "-fobjc-arc",
        "-fno-objc-arc",
        "-fblocks",
        "-fvisibility=hidden",
        "-fno-common",
        "-fwrapv",
        "-fstack-protector-strong",
        "-fno-stack-protector",
        "-ffp-contract=off",
        "-DNDEBUG",
        "-DNAME=value with blanks",
        "-D_X=\"a\"",
        "-DX=",
        "-UNDEBUG",
        "-Iinclude",
        "-g0",
        "-ftrivial-auto-var-init=zero",
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (cflags_problem(flags[i]) != NULL)
            fail_msg("%s is refused: %s", flags[i], cflags_problem(flags[i]));
}

static const struct {
    const char *flag, *reason;
} refused[] = {
    {"@args", "response files"},
    {"-Wl,-x", "to the linker"},
    {"-Wa,-x", "to the assembler"},
    {"-Wp,-MD,x", "to the preprocessor"},
    {"-Wfoo,bar", "no warning's name"},
    {"-Wfoo/bar", "no warning's name"},
    {"-Xlinker", "to the linker"},
    {"-Xclang", "past the driver"},
    {"-mllvm", "past the driver"},
    {"-fplugin=x.so", "loads code"},
    {"-fplugin-arg-x-y", "loads code"},
    {"-fpass-plugin=x.so", "loads code"},
    {"-fuse-ld=/bin/sh", "chooses the linker"},
    {"--ld-path=/bin/sh", "not one of the flags"},
    {"-fmodules", "modules"},
    {"-fmodules-cache-path=/tmp", "modules"},
    {"-fmodule-file=x", "modules"},
    {"-fprofile-use=/etc/x", "files that are not in the tree"},
    {"-fprofile-instr-generate=/x", "files that are not in the tree"},
    {"-fcoverage-mapping", "files that are not in the tree"},
    {"-fcrash-diagnostics-dir=/x", "writes files"},
    {"-ftime-trace=/x", "writes files"},
    {"-fsave-optimization-record", "writes files"},
    {"-fdebug-prefix-map=a=b", "which paths reach the output"},
    {"-fdebug-compilation-dir=x", "which paths reach the output"},
    {"-ffile-prefix-map=a=b", "which paths reach the output"},
    {"-fmacro-prefix-map=a=b", "which paths reach the output"},
    {"-fsanitize=address", "run-time library"},
    {"-fsanitize-ignorelist=/x", "run-time library"},
    {"-fembed-bitcode", "more into the output"},
    {"-flto", "link-time"},
    {"-fptrauth-calls", "pointer authentication"},
    {"-fdiagnostics-format=sarif", "how messages look"},
    {"-fno-such-thing", "not one of the flags"},
    {"-fvisibility=other", "not one of the flags"},
    {"-finstrument-functions", "not one of the flags"},
    {"-fintegrated-cc1", "not one of the flags"},
    {"-fno-integrated-as", "not one of the flags"},
    {"-g", "paths of the machine"},
    {"-gdwarf-5", "paths of the machine"},
    {"-gsplit-dwarf", "paths of the machine"},
    {"-target", "follows from 'arch'"},
    {"--target=x86_64-linux", "follows from 'arch'"},
    {"-arch", "follows from 'arch'"},
    {"-mcpu=apple-m1", "follows from 'arch'"},
    {"-mmacosx-version-min=10.0", "follows from 'arch'"},
    {"-isysroot", "SDK follows"},
    {"-isysroot/", "SDK follows"},
    {"--sysroot=/", "SDK follows"},
    {"-o", "names the output"},
    {"-o/etc/passwd", "names the output"},
    {"-L/usr/lib", "libraries follow"},
    {"-lfoo", "libraries follow"},
    {"-F/Library", "in the SDK only"},
    {"-framework", "named in 'frameworks'"},
    {"-install_name", "the key 'install_name'"},
    {"-include", "by -I only"},
    {"-include/etc/passwd", "by -I only"},
    {"-imacros", "by -I only"},
    {"-isystem/x", "by -I only"},
    {"-idirafter/x", "by -I only"},
    {"-iquote/x", "by -I only"},
    {"-B/tmp", "own programs"},
    {"-x", "source's name"},
    {"-xassembler", "source's name"},
    {"-w", "hides warnings"},
    {"-MF/etc/x", "files that were read"},
    {"-MD", "files that were read"},
    {"-E", "not one of the flags"},
    {"-S", "not one of the flags"},
    {"-c", "not one of the flags"},
    {"-v", "not one of the flags"},
    {"-###", "not one of the flags"},
    {"-save-temps", "not one of the flags"},
    {"--save-temps", "not one of the flags"},
    {"-dumpdir", "not one of the flags"},
    {"-emit-llvm", "not one of the flags"},
    {"--config=/x", "not one of the flags"},
    {"-resource-dir", "not one of the flags"},
    {"-nostdinc", "not one of the flags"},
    {"-T", "not one of the flags"},
    {"-", "not one of the flags"},
    {"-O9", "not one of the flags"},
    {"-std=c++17", "not one of the flags"},
    {"-D", "in the same word"},
    {"-D1X", "begins with a digit"},
    {"-DF(x)=1", "none of A-Z"},
    {"-UX=1", "none of A-Z"},
    {"-I", "in the same word"},
    {"x.m", "it is not a flag"},
    {"/etc/passwd", "it is not a flag"},
};

static void problem__refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        const char *reason = cflags_problem(refused[i].flag);
        if (reason == NULL || strstr(reason, refused[i].reason) == NULL)
            fail_msg("%s: expected '%s', got '%s'", refused[i].flag, refused[i].reason,
                     reason ? reason : "allowed");
    }
}

/* The refusal names artifact, flag, reason and place. */
static void recipe__refused_flag(void **state)
{
    (void)state;
    static const struct {
        const char *flag, *message;
    } cases[] = {
        {"\"-Wl,-x\"", "flag '-Wl,-x' of 'x' is refused (it passes options to the linker) in 'r' "
                       "line 5 column 13"},
        {"-I/usr/include", "flag '-I/usr/include' of 'x' is refused (its directory is absolute)"},
        {"-I../..", "flag '-I../..' of 'x' is refused (its directory leaves the tree)"},
        {"-I../../x", "(its directory leaves the tree)"},
        {"-Ia/../b", "(its directory is not a plain path inside of the tree)"},
        {"-I../=x", "flag '-I../=x' of 'x' is refused (the compiler takes '=' for the SDK)"},
        {"-I-", "(its directory has a component that begins with '-' or '@')"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_fail struct fail fail = {0};
        own_recipe struct recipe recipe = {0};
        own_mem char *text = text_printf("name: a\nversion: 1\ntoolchain: t\nartifacts:\n- "
                                         "{cflags: [%s], name: x, kind: executable, arch: arm64, "
                                         "min_macos: 13.0, sources: [x.c]}\n",
                                         cases[i].flag);
        struct view view = {(const uint8_t *)text, strlen(text)};
        assert_int_equal(recipe_parse(&recipe, view, "r", "shim", &fail), -1);
        assert_int_equal(fail.code, FAIL_INPUT);
        if (strstr(fail.message, cases[i].message) == NULL)
            fail_msg("expected '%s', got '%s'", cases[i].message, fail.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problem__allows),
        cmocka_unit_test(problem__refuses),
        cmocka_unit_test(recipe__refused_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
