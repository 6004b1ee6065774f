/*
 * Finding and proving compiler and linker, with scripts that stand for them.
 */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/own.h"
#include "stage/pin.h"
#include "unit/macho_builder.h"

static char here[PATH_MAX];

#define GOOD_CLANG                                        \
    "#!/bin/sh\n"                                         \
    "echo run >>\"${0%/*}/count\"\n"                      \
    "case $1 in\n"                                        \
    "--version) echo 'Some clang version 7.1.2 (x)' ;;\n" \
    "-print-resource-dir) echo \"${0%/*}/res\" ;;\n"      \
    "esac\n"
#define GOOD_LLD "#!/bin/sh\necho run >>\"${0%/*}/count\"\necho 'Some LLD 7.1.2 (compatible)'\n"

static void write_script(const char *name, const char *text, mode_t mode)
{
    own_mem char *path = text_printf("%s/%s", here, name);
    (void)unlink(path);
    own_fd int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
}

static unsigned runs(void)
{
    own_mem char *path = text_printf("%s/bin/count", here);
    own_fail struct fail fail = {0};
    own_buf struct buf text = {0};
    if (fs_read(&text, path, 1 << 20, &fail) < 0)
        return 0;
    return (unsigned)(text.len / 4);
}

/* A fresh directory with both programs, an empty cache, and the pin that asks for them. */
static int set_up(void **state)
{
    (void)state;
    own_mem char *work = text_printf("%s/pin-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(work) == NULL || realpath(work, here) == NULL)
        return -1;
    own_mem char *bin = text_printf("%s/bin", here);
    own_mem char *res = text_printf("%s/bin/res", here);
    own_mem char *cache = text_printf("%s/cache", here);
    if (mkdir(bin, 0755) < 0 || mkdir(res, 0755) < 0 || mkdir(cache, 0700) < 0)
        return -1;
    setenv("XDG_CACHE_HOME", cache, 1);
    write_script("bin/clang", GOOD_CLANG, 0755);
    write_script("bin/ld64.lld", GOOD_LLD, 0755);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return fs_remove_tree_at(AT_FDCWD, here);
}

static int find(struct pin *out, const struct toolchain *toolchain, struct pin_options options,
                struct fail *fail)
{
    own_mem char *bin = text_printf("%s/bin", here);
    const char *const directories[] = {bin, NULL};
    options.directories = directories;
    if (options.limit_sec == 0)
        options.limit_sec = 20;
    return pin_find(out, toolchain, &options, fail);
}

static struct toolchain wanted(struct toolchain_build *builds, size_t count)
{
    return (struct toolchain){
        .name = (char *)(uintptr_t) "t",
        .family = TOOLCHAIN_LLVM,
        .compiler = {.program = (char *)(uintptr_t) "clang",
                     .version = (char *)(uintptr_t) "7.1.2"},
        .linker = {.program = (char *)(uintptr_t) "ld64.lld",
                   .version = (char *)(uintptr_t) "7.1.2"},
        .sdk = {.path = (char *)(uintptr_t) "sdk", .version = (char *)(uintptr_t) "14.0"},
        .builds = builds,
        .builds_count = count};
}

/* The message begins with that text. */
static void expect_refusal(const char *message, const char *hint, unsigned limit_sec)
{
    own_fail struct fail fail = {0};
    own_pin struct pin pin = {0};
    struct toolchain toolchain = wanted(NULL, 0);
    assert_int_equal(find(&pin, &toolchain, (struct pin_options){.limit_sec = limit_sec}, &fail),
                     -1);
    own_mem char *text = text_printf("%s", fail.message);
    /* the directory is another one in each run */
    for (char *at = strstr(text, here); at != NULL; at = strstr(text, here)) {
        *at = '%';
        memmove(at + 1, at + strlen(here), strlen(at + strlen(here)) + 1);
    }
    if (fail.code != FAIL_PIN || strncmp(text, message, strlen(message)) != 0)
        fail_msg("expected '%s', got '%s' (code %d)", message, text, (int)fail.code);
    if (hint != NULL && (fail.hint == NULL || strstr(fail.hint, hint) == NULL))
        fail_msg("expected the hint '%s', got '%s'", hint, fail.hint ? fail.hint : "none");
    assert_null(pin.name);
}

static void find__good(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_pin struct pin pin = {0};
    struct toolchain toolchain = wanted(NULL, 0);
    if (find(&pin, &toolchain, (struct pin_options){0}, &fail) < 0)
        fail_msg("%s", fail.message);
    own_mem char *clang = text_printf("%s/bin/clang", here);
    own_mem char *res = text_printf("%s/bin/res", here);
    assert_string_equal(pin.name, "t");
    assert_string_equal(pin.sdk_version, "14.0");
    assert_string_equal(pin.compiler.path, clang);
    assert_string_equal(pin.compiler.real_path, clang);
    assert_string_equal(pin.compiler.version, "7.1.2");
    assert_string_equal(pin.linker.version, "7.1.2");
    assert_string_equal(pin.resource_dir, res);
    assert_int_equal(pin.compiler.files_count, 1);
    assert_true(pin.compiler.files[0].own);
    char hex[SHA256_HEX];
    digest_sha256_hex(hex, GOOD_CLANG, strlen(GOOD_CLANG));
    assert_string_equal(pin.compiler.files[0].sha256, hex);
    own_mem char *line = text_printf("%s  clang\n", hex);
    digest_sha256_hex(hex, line, strlen(line));
    own_mem char *digest = text_printf("sha256:%s", hex);
    assert_string_equal(pin.compiler.digest, digest);
    assert_null(pin.build_id);
    assert_string_equal(pin.note, "pin 't' lists no builds: any build of the version is accepted");
}

/* The versioned name counts first; a link is followed for the digest, not for the call. */
static void find__versioned_name(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_pin struct pin pin = {0};
    struct toolchain toolchain = wanted(NULL, 0);
    own_mem char *link = text_printf("%s/bin/clang-7", here);
    own_mem char *real = text_printf("%s/bin/clang", here);
    assert_int_equal(symlink("clang", link), 0);
    assert_int_equal(find(&pin, &toolchain, (struct pin_options){0}, &fail), 0);
    assert_string_equal(pin.compiler.path, link);
    assert_string_equal(pin.compiler.real_path, real);
}

static void find__missing(void **state)
{
    (void)state;
    write_script("bin/clang", GOOD_CLANG, 0644); /* not executable */
    write_script("bin/other", GOOD_LLD, 0755);
    own_mem char *linker = text_printf("%s/bin/ld64.lld", here);
    assert_int_equal(unlink(linker), 0);
    expect_refusal("toolchain 't' does not match this machine: compiler 'clang': expected version "
                   "7.1.2, found none on this machine; linker 'ld64.lld': expected version 7.1.2, "
                   "found none on this machine",
                   "7", 0);
}

static void find__other_version(void **state)
{
    (void)state;
    write_script("bin/clang", "#!/bin/sh\necho clang version 7.1.20\n", 0755);
    write_script("bin/ld64.lld", "#!/bin/sh\necho LLD 7.1.2-rc1\n", 0755);
    expect_refusal("toolchain 't' does not match this machine: compiler 'clang': expected version "
                   "7.1.2, found version 7.1.20 ('%/bin/clang'); linker 'ld64.lld': expected "
                   "version 7.1.2, found version 7.1.2-rc1 ('%/bin/ld64.lld')",
                   "7", 0);
    write_script("bin/clang",
                 "#!/bin/sh\ncase $1 in --version) echo clang version 7.1.20;; *) echo "
                 "/tmp;; esac\n",
                 0755);
    write_script("bin/ld64.lld", GOOD_LLD, 0755);
    expect_refusal("toolchain 't' does not match this machine: compiler 'clang': expected version "
                   "7.1.2, found version 7.1.20 ('%/bin/clang')",
                   "clang-7", 0);
}

static void find__hangs(void **state)
{
    (void)state;
    write_script("bin/ld64.lld", "#!/bin/sh\nexec sleep 100\n", 0755);
    expect_refusal("toolchain 't' does not match this machine: linker 'ld64.lld': expected version "
                   "7.1.2, found '%/bin/ld64.lld' that cannot be used ('ld64.lld' ran longer than "
                   "1 s and was killed)",
                   NULL, 1);
}

static void find__is_killed(void **state)
{
    (void)state;
    write_script("bin/clang", "#!/bin/sh\nkill -SEGV $$\n", 0755);
    expect_refusal(
        "toolchain 't' does not match this machine: compiler 'clang': expected version "
        "7.1.2, found '%/bin/clang' that cannot be used ('clang' was killed by signal 11",
        NULL, 0);
}

static void find__fails(void **state)
{
    (void)state;
    write_script("bin/ld64.lld", "#!/bin/sh\necho LLD 7.1.2\nexit 3\n", 0755);
    expect_refusal("toolchain 't' does not match this machine: linker 'ld64.lld': expected version "
                   "7.1.2, found '%/bin/ld64.lld' that cannot be used ('ld64.lld' exited with "
                   "status 3)",
                   NULL, 0);
}

static void find__strange_answers(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *problem;
    } cases[] = {
        {"", "its answer to --version is not understood"},
        {"hello", "its answer to --version is not understood"},
        {"hello\nLLD 7.1.2", "its answer to --version is not understood"},
        {"LLD ", "its answer to --version is not understood"},
        {"Apple LLD 7.1.2", "it is Apple's own, whose versions count differently"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_mem char *script = text_printf("#!/bin/sh\ncat <<'X'\n%s\nX\n", cases[i].answer);
        own_mem char *message = text_printf(
            "toolchain 't' does not match this machine: linker 'ld64.lld': expected version 7.1.2, "
            "found '%%/bin/ld64.lld' that cannot be used (%s)",
            cases[i].problem);
        write_script("bin/ld64.lld", script, 0755);
        expect_refusal(message, NULL, 0);
    }
}

/* What is no clang is asked for its version, and nothing else. */
static void find__other_program(void **state)
{
    (void)state;
    write_script("bin/clang", "#!/bin/sh\necho $1 >>\"${0%/*}/asked\"\necho git version 7.1.2\n",
                 0755);
    expect_refusal("toolchain 't' does not match this machine: compiler 'clang': expected version "
                   "7.1.2, found '%/bin/clang' that cannot be used (its answer to --version is not "
                   "understood)",
                   NULL, 0);
    own_mem char *asked = text_printf("%s/bin/asked", here);
    own_fail struct fail fail = {0};
    own_buf struct buf text = {0};
    assert_int_equal(fs_read(&text, asked, 1 << 20, &fail), 0);
    assert_string_equal(buf_text(&text), "--version\n");
}

/* A clang that does not say where its headers are. */
static void find__no_resource_dir(void **state)
{
    (void)state;
    write_script("bin/clang", "#!/bin/sh\necho clang version 7.1.2\n", 0755);
    expect_refusal("toolchain 't' does not match this machine: compiler 'clang': expected version "
                   "7.1.2, found '%/bin/clang' that cannot be used (its answer to "
                   "-print-resource-dir is not understood)",
                   NULL, 0);
}

/* What was proven is not what is there any more. */
static void again__changed(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_pin struct pin first = {0};
    struct toolchain any = wanted(NULL, 0);
    own_mem char *bin = text_printf("%s/bin", here);
    const char *const directories[] = {bin, NULL};
    const struct pin_options options = {.directories = directories, .limit_sec = 20};
    assert_int_equal(find(&first, &any, (struct pin_options){0}, &fail), 0);
    assert_int_equal(pin_again(&first, &any, &options, &fail), 0);
    write_script("bin/clang", GOOD_CLANG "# another\n", 0755);
    assert_int_equal(pin_again(&first, &any, &options, &fail), -1);
    assert_int_equal(fail.code, FAIL_PIN);
    own_mem char *start = text_printf("toolchain 't' changed while it was used: compiler digest "
                                      "was %s, and is sha256:",
                                      first.compiler.digest);
    assert_memory_equal(fail.message, start, strlen(start));
    own_fail struct fail gone = {0};
    write_script("bin/clang", GOOD_CLANG, 0755);
    write_script("bin/ld64.lld", GOOD_LLD, 0644);
    assert_int_equal(pin_again(&first, &any, &options, &gone), -1);
    assert_non_null(strstr(gone.message, "linker version was 7.1.2, and is not there"));
    assert_null(strstr(gone.message, "compiler"));
}

static void find__builds(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_pin struct pin first = {0};
    struct toolchain any = wanted(NULL, 0);
    assert_int_equal(find(&first, &any, (struct pin_options){0}, &fail), 0);
    char zeros[] = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
    char mixed_id[] = "mixed";
    char other_id[] = "other";
    char this_id[] = "this";
    struct toolchain_build builds[] = {
        {mixed_id, first.compiler.digest, zeros},
        {other_id, zeros, first.linker.digest},
        {this_id, first.compiler.digest, first.linker.digest},
    };
    own_pin struct pin pin = {0};
    struct toolchain listed = wanted(builds, 3);
    assert_int_equal(find(&pin, &listed, (struct pin_options){0}, &fail), 0);
    assert_string_equal(pin.build_id, "this");
    assert_null(pin.note);
    own_pin struct pin none = {0};
    struct toolchain unlisted = wanted(builds, 2);
    assert_int_equal(find(&none, &unlisted, (struct pin_options){0}, &fail), -1);
    assert_int_equal(fail.code, FAIL_PIN);
    own_mem char *expected = text_printf(
        "toolchain 't' does not list this machine's build: expected mixed (compiler "
        "%s, linker %s) or other (compiler %s, linker %s); found compiler %s, linker %s",
        first.compiler.digest, zeros, zeros, first.linker.digest, first.compiler.digest,
        first.linker.digest);
    assert_string_equal(fail.message, expected);
    assert_non_null(fail.hint);
    own_fail struct fail fail_any = {0};
    assert_int_equal(find(&none, &unlisted, (struct pin_options){.any_build = true}, &fail_any), 0);
    assert_null(none.build_id);
    assert_non_null(strstr(none.note, "does not list this machine's build"));
}

/* A Mach-O file in `here` that loads these libraries and has one run path. */
static void write_macho(const char *name, const char *rpath, const char *const *libraries)
{
    struct macho_builder builder;
    const uint32_t words[] = {0};
    macho_begin(&builder);
    macho_segment(&builder, "__TEXT", 0, 0x1000, 5);
    for (size_t i = 0; libraries[i] != NULL; i++)
        macho_library(&builder, LC_LOAD_DYLIB, libraries[i], 1, 1);
    if (rpath != NULL)
        macho_command_text(&builder, LC_RPATH, words, 1, rpath);
    macho_finish(&builder, 0x1000);
    own_mem char *path = text_printf("%s/%s", here, name);
    own_fail struct fail fail = {0};
    (void)unlink(path);
    assert_int_equal(
        fs_write_new(path, builder.out.data, builder.out.len, 0755, FS_NO_REPLACE, &fail), 0);
    macho_release(&builder);
}

static int observe(struct pin *out, struct fail *fail)
{
    own_mem char *bin = text_printf("%s/bin", here);
    const char *const directories[] = {bin, NULL};
    struct toolchain toolchain = wanted(NULL, 0);
    return pin_observe(out, &toolchain, &(struct pin_options){.directories = directories}, fail);
}

/* Libraries are followed through run paths; those that are no files are the system's. */
static void observe__macho_libraries(void **state)
{
    (void)state;
    static const char *const program[] = {"@rpath/libclang-cpp.dylib", "/usr/lib/libSystem.B.dylib",
                                          "@executable_path/../lib/libz.dylib", NULL};
    static const char *const cpp[] = {"@loader_path/libLLVM.dylib", "@rpath/libclang-cpp.dylib",
                                      NULL};
    static const char *const none[] = {"/usr/lib/libSystem.B.dylib", NULL};
    own_mem char *lib = text_printf("%s/lib", here);
    assert_int_equal(mkdir(lib, 0755), 0);
    write_macho("bin/clang", "@loader_path/../lib", program);
    write_macho("lib/libclang-cpp.dylib", NULL, cpp);
    write_macho("lib/libLLVM.dylib", NULL, none);
    write_macho("lib/libz.dylib", NULL, none);
    own_fail struct fail fail = {0};
    own_pin struct pin pin = {0};
    if (observe(&pin, &fail) < 0)
        fail_msg("%s", fail.message);
    static const struct {
        const char *name;
        bool own;
    } expected[] = {{"bin/clang", true},
                    {"lib/libLLVM.dylib", true},
                    {"lib/libclang-cpp.dylib", true},
                    {"lib/libz.dylib", false}};
    assert_int_equal(pin.compiler.files_count, 4);
    for (size_t i = 0; i < 4; i++) {
        own_mem char *path = text_printf("%s/%s", here, expected[i].name);
        assert_string_equal(pin.compiler.files[i].path, path);
        assert_int_equal(pin.compiler.files[i].own, expected[i].own);
    }
    own_mem char *text = text_printf("%s  clang\n%s  libLLVM.dylib\n%s  libclang-cpp.dylib\n",
                                     pin.compiler.files[0].sha256, pin.compiler.files[1].sha256,
                                     pin.compiler.files[2].sha256);
    char hex[SHA256_HEX];
    digest_sha256_hex(hex, text, strlen(text));
    own_mem char *digest = text_printf("sha256:%s", hex);
    assert_string_equal(pin.compiler.digest, digest);
}

static void observe__macho_library_missing(void **state)
{
    (void)state;
    static const char *const program[] = {"@rpath/libLLVM.dylib", NULL};
    write_macho("bin/clang", "@loader_path/../lib", program);
    own_fail struct fail fail = {0};
    own_pin struct pin pin = {0};
    assert_int_equal(observe(&pin, &fail), 0);
    assert_string_equal(pin.compiler.problem, "@rpath/libLLVM.dylib, which it loads, is not there");
}

/* A Mach-O program that is cut short is no reason to crash, and none to go on. */
static void observe__macho_truncated(void **state)
{
    (void)state;
    write_script("bin/clang", "\xcf\xfa\xed\xfe and nothing more", 0755);
    own_fail struct fail fail = {0};
    own_pin struct pin pin = {0};
    assert_int_equal(observe(&pin, &fail), -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    assert_null(pin.name);
}

/* A changed byte of the program is another build. */
static void find__changed_program(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_pin struct pin first = {0};
    struct toolchain any = wanted(NULL, 0);
    assert_int_equal(find(&first, &any, (struct pin_options){0}, &fail), 0);
    char id[] = "this";
    struct toolchain_build builds[] = {{id, first.compiler.digest, first.linker.digest}};
    write_script("bin/clang", GOOD_CLANG "#\n", 0755);
    own_pin struct pin pin = {0};
    struct toolchain listed = wanted(builds, 1);
    assert_int_equal(find(&pin, &listed, (struct pin_options){0}, &fail), -1);
    assert_int_equal(fail.code, FAIL_PIN);
}

/* Programs are asked once as long as they are the same; `fresh` asks again. */
static void cache__answers(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct toolchain toolchain = wanted(NULL, 0);
    for (unsigned i = 0; i < 3; i++) {
        own_pin struct pin pin = {0};
        assert_int_equal(find(&pin, &toolchain, (struct pin_options){.fresh = i == 2}, &fail), 0);
        assert_string_equal(pin.compiler.version, "7.1.2");
        assert_int_equal(runs(), i < 2 ? 3 : 6);
    }
    write_script("bin/ld64.lld", GOOD_LLD "#\n", 0755);
    own_pin struct pin pin = {0};
    assert_int_equal(find(&pin, &toolchain, (struct pin_options){0}, &fail), 0);
    assert_int_equal(runs(), 7);
}

/* What is in the cache never outlives the directory that it names. */
static void cache__missing_resource_dir(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct toolchain toolchain = wanted(NULL, 0);
    own_pin struct pin pin = {0};
    assert_int_equal(find(&pin, &toolchain, (struct pin_options){0}, &fail), 0);
    own_mem char *res = text_printf("%s/bin/res", here);
    assert_int_equal(rmdir(res), 0);
    own_pin struct pin again = {0};
    assert_int_equal(find(&again, &toolchain, (struct pin_options){0}, &fail), -1);
    assert_int_equal(fail.code, FAIL_PIN);
    assert_non_null(strstr(fail.message, "does not say where its own headers are"));
}

/* Without a place for the cache everything works, and nothing is made. */
static void cache__no_home(void **state)
{
    (void)state;
    static const char *const homes[] = {NULL, "", "relative", "/nonexistent/home"};
    own_mem char *home = text_copy(getenv("HOME") ? getenv("HOME") : "");
    for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
        unsetenv("XDG_CACHE_HOME");
        if (homes[i] == NULL)
            unsetenv("HOME");
        else
            setenv("HOME", homes[i], 1);
        own_fail struct fail fail = {0};
        own_pin struct pin pin = {0};
        struct toolchain toolchain = wanted(NULL, 0);
        assert_int_equal(find(&pin, &toolchain, (struct pin_options){0}, &fail), 0);
        assert_int_equal(runs(), 3 * (i + 1));
    }
    setenv("HOME", home, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(find__good, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__versioned_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__other_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__hangs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__is_killed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__strange_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__other_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__no_resource_dir, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__builds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(again__changed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(observe__macho_libraries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(observe__macho_library_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(observe__macho_truncated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(find__changed_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache__answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache__missing_resource_dir, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cache__no_home, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
