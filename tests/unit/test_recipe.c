/*
 * Recipes: what is read, what is filled in, and the message of each refusal. A case is the good
 * recipe with one text replaced.
 */
#include <string.h>

#include "base/buf.h"
#include "config/recipe.h"
#include "unit/unit.h"

static const char good[] = "name: Shim\n"
                           "version: 1.0\n"
                           "repository: https://example.org/shim.git\n"
                           "toolchain: llvm-19\n"
                           "policy: policy.yaml\n"
                           "archive: {prefix: \"shim-1/\", paths: [shim, toolchain]}\n"
                           "artifacts:\n"
                           "  - name: Shim-arm64.dylib\n"
                           "    kind: dylib\n"
                           "    arch: arm64\n"
                           "    min_macos: \"13.0\"\n"
                           "    sources: [Shim.m, ../common/log.c]\n"
                           "    install_name: \"@rpath/Shim.dylib\"\n"
                           "    frameworks: [Foundation, Metal]\n"
                           "    cflags: [-O3, -Wall, -Iinclude, -I../common, -I.]\n"
                           "    sign: {style: linker, identifier: org.shim, page_size: 16384}\n"
                           "  - name: probe\n"
                           "    kind: executable\n"
                           "    arch: arm64\n"
                           "    min_macos: 11.5\n"
                           "    sources: [probe.m]\n";

/* `good` with the first `from` replaced by `to`. */
static char *replaced(const char *from, const char *to)
{
    const char *at = strstr(good, from);
    assert_non_null(at);
    return text_printf("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
}

static void expect_failure(const char *text, size_t len, const char *message, const char *hint)
{
    own_fail struct fail fail = {0};
    own_recipe struct recipe recipe = {0};
    int result = recipe_parse(&recipe, (struct view){(const uint8_t *)text, len},
                              "shim/hallmark.yaml", "shim", &fail);
    if (result == 0)
        fail_msg("accepted, expected: %s", message);
    if (fail.code != FAIL_INPUT || strstr(fail.message, message) == NULL)
        fail_msg("expected '%s', got '%s' (code %d)", message, fail.message, (int)fail.code);
    if (hint != NULL && (fail.hint == NULL || strstr(fail.hint, hint) == NULL))
        fail_msg("expected the hint '%s', got '%s'", hint, fail.hint ? fail.hint : "none");
    assert_null(recipe.name);
    assert_int_equal(recipe.artifacts_count, 0);
}

static void parse__fills_everything(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_recipe struct recipe recipe = {0};
    assert_int_equal(recipe_parse(&recipe, unit_text(good), "r", "shim", &fail), 0);
    assert_string_equal(recipe.name, "Shim");
    assert_string_equal(recipe.version, "1.0");
    assert_string_equal(recipe.repository, "https://example.org/shim.git");
    assert_string_equal(recipe.policy_path, "shim/policy.yaml");
    assert_string_equal(recipe.archive.prefix, "shim-1/");
    assert_int_equal(recipe.archive.paths_count, 2);
    assert_int_equal(recipe.artifacts_count, 2);
    const struct recipe_artifact *dylib = &recipe.artifacts[0];
    assert_int_equal(dylib->kind, RECIPE_DYLIB);
    assert_int_equal(dylib->arch, RECIPE_ARM64);
    assert_int_equal(dylib->min_macos_packed, 0x000d0000);
    assert_string_equal(dylib->source_paths[0], "shim/Shim.m");
    assert_string_equal(dylib->source_paths[1], "common/log.c");
    assert_string_equal(dylib->rooted_cflags[1], "-Wall");
    assert_string_equal(dylib->rooted_cflags[2], "-Ishim/include");
    assert_string_equal(dylib->rooted_cflags[3], "-Icommon");
    assert_string_equal(dylib->rooted_cflags[4], "-Ishim");
    assert_int_equal(dylib->include_paths_count, 3);
    assert_string_equal(dylib->include_paths[1], "common");
    assert_int_equal(dylib->sign.style, RECIPE_STYLE_LINKER);
    assert_int_equal(dylib->sign.page_size, 16384);
}

static void parse__fills_defaults(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_recipe struct recipe recipe = {0};
    static const char text[] = "name: a\nversion: \"2\"\ntoolchain: t\nartifacts:\n"
                               "- {name: x.dylib, kind: dylib, arch: arm64, min_macos: 12.3, "
                               "sources: [x.c], install_name: /usr/local/lib/x.dylib}\n"
                               "- {name: y.bundle, kind: bundle, arch: arm64, min_macos: 12.3, "
                               "sources: [y.c], cflags: [-I.]}\n";
    assert_int_equal(recipe_parse(&recipe, unit_text(text), "r", "", &fail), 0);
    assert_null(recipe.repository);
    assert_null(recipe.policy_path);
    assert_string_equal(recipe.archive.prefix, "a-2/");
    assert_int_equal(recipe.archive.paths_count, 0);
    assert_string_equal(recipe.artifacts[0].sign.identifier, "x");
    assert_int_equal(recipe.artifacts[0].sign.style, RECIPE_STYLE_CODESIGN);
    assert_int_equal(recipe.artifacts[0].sign.page_size, 4096);
    assert_string_equal(recipe.artifacts[0].source_paths[0], "x.c");
    assert_int_equal(recipe.artifacts[0].min_macos_packed, 0x000c0300);
    assert_string_equal(recipe.artifacts[1].sign.identifier, "y");
    assert_string_equal(recipe.artifacts[1].rooted_cflags[0], "-I.");
    assert_null(recipe.artifacts[1].install_name);
}

static void parse__empty_prefix_stays(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_recipe struct recipe recipe = {0};
    own_mem char *text = replaced("\"shim-1/\"", "\"\"");
    assert_int_equal(recipe_parse(&recipe, unit_text(text), "r", "shim", &fail), 0);
    assert_string_equal(recipe.archive.prefix, "");
}

struct refusal {
    const char *from, *to, *message, *hint;
};

static void expect_refusals(const struct refusal *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        own_mem char *text = replaced(list[i].from, list[i].to);
        expect_failure(text, strlen(text), list[i].message, list[i].hint);
    }
}
#define EXPECT_REFUSALS(list) expect_refusals(list, sizeof(list) / sizeof((list)[0]))

static void parse__keys(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"    sources: [Shim", "    sourcs: [Shim",
         "unknown key 'sourcs' in 'shim/hallmark.yaml' line 12 column 5",
         "known keys here: name, kind"},
        {"version:", "verson:", "unknown key 'verson' in 'shim/hallmark.yaml' line 2 column 1",
         "known keys here: name, version, repository"},
        {"style:", "stile:", "unknown key 'stile' in 'shim/hallmark.yaml' line 16 column 12",
         "style, identifier, page_size"},
        {"version: 1.0\n", "", "key 'version' is missing in 'shim/hallmark.yaml' line 1", NULL},
        {"toolchain: llvm-19\n", "", "key 'toolchain' is missing", NULL},
        {"    kind: dylib\n", "",
         "key 'kind' of 'artifacts[0]' is missing in 'shim/hallmark.yaml' line 8", NULL},
        {"    sources: [probe.m]\n", "", "key 'sources' of 'artifacts[1]' is missing", NULL},
        {"version: 1.0\n", "version: 1.0\nversion: 2.0\n",
         "key 'version' occurs twice in 'shim/hallmark.yaml' line 3", NULL},
        {"sources: [probe.m]", "sources: probe.m", "'artifacts[1].sources' must be a list", NULL},
        {"sources: [probe.m]", "sources: []", "'artifacts[1].sources' is an empty list", NULL},
        {"sources: [probe.m]", "sources: [[probe.m]]",
         "'artifacts[1].sources[0]' must be a single value", NULL},
        {"name: Shim\n", "name: [Shim]\n", "'name' must be a single value", NULL},
        {"name: Shim\n", "name:\n", "'name' is empty in 'shim/hallmark.yaml' line 1", NULL},
        {"name: Shim\n", "? [a]\n: b\n", "a key must be plain text", NULL},
    };
    EXPECT_REFUSALS(cases);
}

static void parse__yaml(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"name: Shim\n", "name: &a Shim\n",
         "an anchor ('&a') is not allowed in 'shim/hallmark.yaml' line 1 column 7", NULL},
        {"name: Shim\n", "name: *a\n",
         "an alias ('*a') is not allowed in 'shim/hallmark.yaml' line 1 column 7", NULL},
        {"name: Shim\n", "name: !!str Shim\n", "a tag ('tag:yaml.org,2002:str') is not allowed",
         NULL},
        {"name: Shim\n", "<<: {name: x}\n", "unknown key '<<'", NULL},
        {"name: Shim\n", "name:\tShim\n", "has a tab in line 1 column 6", "indent with blanks"},
        {"name: Shim\n", "name: \x80Shim\n", "has bytes that are not UTF-8 in line 1 column 7",
         NULL},
        {"name: Shim\n", "name: \xc0\xafx\n", "has bytes that are not UTF-8", NULL},
        {"name: Shim\n", "name: \xed\xa0\x80x\n", "has bytes that are not UTF-8", NULL},
        {"name: Shim\n", "name: \xf4\x90\x80\x80x\n", "has bytes that are not UTF-8", NULL},
        {"name: Shim\n", "name: \x07Shim\n", "has a control character in line 1", NULL},
        {"name: Shim\n", "\xef\xbb\xbfname: Shim\n", "has a byte order mark in line 1 column 1",
         NULL},
        {"name: Shim\n", "name: Sh\xe2\x80\xaeim\n", "changes the direction of writing", NULL},
        {"name: Shim\n", "name: \"Sh\\0im\"\n", "'name' has a NUL byte", NULL},
        {"name: Shim\n", "name: \"Sh\\tim\"\n", "'name' has a tab", NULL},
        {"name: Shim\n", "name: |\n  Shim\n", "'name' has a line end", "folded with '>-'"},
        {"name: Shim\n", "name: \"Sh\\u202eim\"\n", "changes the direction of writing", NULL},
        {"name: Shim\n", "name: 'Shim\n", "this is not YAML", NULL},
        {"name: Shim\n", "name: Shim: x\n", "this is not YAML", NULL},
        {"name: Shim\n", "--- \nname: Shim\n--- \n", "is missing", NULL},
    };
    EXPECT_REFUSALS(cases);
    own_mem char *two = text_printf("%s---\nname: x\n", good);
    expect_failure(two, strlen(two),
                   "a second document is not allowed in 'shim/hallmark.yaml' line 22", NULL);
    expect_failure("", 0, "'shim/hallmark.yaml' is empty", NULL);
    expect_failure("# only a comment\n", 17, "'shim/hallmark.yaml' is empty", NULL);
    expect_failure("---\n", 4, "the file must be a mapping", NULL);
    expect_failure("- a\n", 4, "the file must be a mapping", NULL);
    expect_failure("text\n", 5, "the file must be a mapping", NULL);
    expect_failure("name: a\0b\n", 10, "has a NUL byte in line 1 column 8", NULL);
}

static void parse__size(void **state)
{
    (void)state;
    own_buf struct buf text = {0};
    buf_puts(&text, good);
    while (text.len <= 1u << 20)
        buf_puts(&text, "# ..............................................................\n");
    expect_failure(buf_text(&text), text.len, "(at most 1048576 are allowed)", NULL);
    buf_truncate(&text, 1u << 20);
    own_fail struct fail fail = {0};
    own_recipe struct recipe recipe = {0};
    assert_int_equal(recipe_parse(&recipe, (struct view){text.data, text.len}, "r", "", &fail), -1);
    assert_non_null(strstr(fail.message, "leaves the tree")); /* it was read up to its paths */
    own_buf struct buf deep = {0};
    for (int i = 0; i < 200000; i++)
        buf_putc(&deep, '[');
    expect_failure(buf_text(&deep), deep.len, "the file must be a mapping", NULL);
    own_buf struct buf many = {0};
    buf_puts(&many, "name: a\nversion: b\ntoolchain: c\nartifacts:\n- sources: [");
    for (int i = 0; i < 2000; i++)
        buf_puts(&many, "x,");
    expect_failure(buf_text(&many), many.len, "'artifacts[0].sources' has more than 1024 entries",
                   NULL);
}

static void parse__names(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"name: Shim\n", "name: .shim\n",
         "recipe name '.shim' begins with a dot in 'shim/hallmark.yaml' line 1", NULL},
        {"name: Shim\n", "name: a/b\n", "recipe name 'a/b' has a character", NULL},
        {"version: 1.0\n", "version: 1 0\n", "version '1 0' has a character", NULL},
        {"toolchain: llvm-19", "toolchain: ../llvm", "toolchain name '../llvm' begins with a dot",
         NULL},
        {"name: Shim-arm64.dylib", "name: -x",
         "artifact name '-x' begins with a dash in 'shim/hallmark.yaml' line 8", NULL},
        {"name: Shim-arm64.dylib", "name: ../x", "artifact name '../x' begins with a dot", NULL},
        {"name: Shim-arm64.dylib", "name: a/../x", "artifact name 'a/../x' has a character", NULL},
        {"name: Shim-arm64.dylib", "name: sha256sums",
         "artifact name 'sha256sums' is a name that the release itself uses", NULL},
        {"name: Shim-arm64.dylib", "name: PROVENANCE.md", "is a name that the release itself uses",
         NULL},
        {"name: Shim-arm64.dylib", "name: provenance.intoto.json",
         "is a name that the release itself uses", NULL},
        {"name: Shim-arm64.dylib", "name: recipe.yaml", "is a name that the release itself uses",
         NULL},
        {"name: Shim-arm64.dylib", "name: attestations", "is a name that the release itself uses",
         NULL},
        {"name: Shim-arm64.dylib", "name: Shim-source-12345678.tar.gz",
         "is a name that the release itself uses", NULL},
        {"name: Shim-arm64.dylib", "name: probe",
         "artifact name 'probe' occurs twice in 'shim/hallmark.yaml' line 17", NULL},
        {"name: Shim-arm64.dylib", "name: PROBE",
         "artifact names 'PROBE' and 'probe' are one where case does not count", NULL},
        {"repository: https:", "repository: ext:", "begins with none of https://", NULL},
        {"repository: https://", "repository: https://user:secret@",
         "carries a user name or a password", NULL},
        {"repository: https://example.org/shim.git", "repository: \"https://x/;reboot\"",
         "is not a plain address", NULL},
        {"repository: https://example.org/shim.git", "repository: ssh://-oProxyCommand=x",
         "is not a plain address", NULL},
    };
    EXPECT_REFUSALS(cases);
    own_buf struct buf name = {0};
    buf_puts(&name, "name: ");
    for (int i = 0; i < 129; i++)
        buf_putc(&name, 'a');
    own_mem char *text = replaced("name: Shim-arm64.dylib", buf_text(&name));
    expect_failure(text, strlen(text), "is too long", NULL);
}

static void parse__paths(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"sources: [probe.m]", "sources: [/etc/x.m]",
         "source '/etc/x.m' of 'probe' is absolute in 'shim/hallmark.yaml' line 21 column 15",
         NULL},
        {"sources: [probe.m]", "sources: [../../x.m]",
         "source '../../x.m' of 'probe' leaves the tree", NULL},
        {"sources: [probe.m]", "sources: [a/../x.m]", "is not a plain path inside of the tree",
         NULL},
        {"sources: [probe.m]", "sources: [a//x.m]", "is not a plain path inside of the tree", NULL},
        {"sources: [probe.m]", "sources: [./x.m]", "is not a plain path inside of the tree", NULL},
        {"sources: [probe.m]", "sources: [.git/x.m]", "is not a plain path inside of the tree",
         NULL},
        {"sources: [probe.m]", "sources: [../.GIT/x.m]", "is not a plain path inside of the tree",
         NULL},
        {"sources: [probe.m]", "sources: [-x.m]", "begins with '-' or '@'", NULL},
        {"sources: [probe.m]", "sources: [\"@x.m\"]", "begins with '-' or '@'", NULL},
        {"sources: [probe.m]", "sources: [..]", "is not a plain path", NULL},
        {"sources: [probe.m]", "sources: [x.s]",
         "source 'x.s' of 'probe' is neither Objective-C (.m) nor C (.c)", NULL},
        {"sources: [probe.m]", "sources: [x.m/y]", "is neither Objective-C", NULL},
        {"sources: [probe.m]", "sources: [x.m, ../shim/x.m]",
         "source '../shim/x.m' of 'probe' occurs twice", NULL},
        {"policy: policy.yaml", "policy: ../../p.yaml",
         "policy path '../../p.yaml' leaves the tree in 'shim/hallmark.yaml' line 5", NULL},
        {"policy: policy.yaml", "policy: /p.yaml", "policy path '/p.yaml' is absolute", NULL},
        {"\"shim-1/\"", "../x/", "archive prefix '../x/' is not a plain path", NULL},
        {"\"shim-1/\"", "/x/", "archive prefix '/x/' is absolute", NULL},
        {"\"shim-1/\"", "/", "archive prefix '/' is empty", NULL},
        {"paths: [shim, toolchain]", "paths: [shim, ../x]",
         "archive path '../x' is not a plain path", NULL},
        {"paths: [shim, toolchain]", "paths: []", "'archive.paths' is an empty list", NULL},
    };
    EXPECT_REFUSALS(cases);
}

static void parse__artifacts(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"arch: arm64\n", "arch: mips\n",
         "unknown architecture 'mips' in 'shim/hallmark.yaml' line 10 column 11",
         "known: arm64, arm64e"},
        {"arch: arm64\n", "arch: 1\n", "unknown architecture '1'", NULL},
        {"arch: arm64\n", "arch: ARM64\n", "unknown architecture 'ARM64'", NULL},
        {"kind: dylib", "kind: library", "unknown kind 'library'",
         "known: dylib, bundle, executable"},
        {"style: linker", "style: none", "unknown style 'none'", "known: codesign, linker"},
        {"\"13.0\"", "13", "min_macos '13' of 'Shim-arm64.dylib' has too few numbers",
         "for example"},
        {"\"13.0\"", "13.0.1", "is not a version of numbers and dots", NULL},
        {"\"13.0\"", "13.x", "is not a version of numbers and dots", NULL},
        {"\"13.0\"", "013.0", "is not a version of numbers and dots", NULL},
        {"\"13.0\"", "10.15", "min_macos '10.15' of 'Shim-arm64.dylib' is out of range", NULL},
        {"\"13.0\"", "13.100", "is out of range", NULL},
        {"    install_name: \"@rpath/Shim.dylib\"\n", "",
         "dylib 'Shim-arm64.dylib' has no install_name", NULL},
        {"    sources: [probe.m]\n", "    sources: [probe.m]\n    install_name: /x\n",
         "'probe' is no dylib, so it has no install_name", NULL},
        {"@rpath/Shim.dylib", "Shim.dylib", "begins with none of @rpath/", NULL},
        {"@rpath/Shim.dylib", "@rpath/a,-b", "has a character that is none of", NULL},
        {"@rpath/Shim.dylib", "@rpath/", "ends with a slash", NULL},
        {"frameworks: [Foundation, Metal]", "frameworks: [../x]",
         "framework '../x' of 'Shim-arm64.dylib' is not a name", NULL},
        {"frameworks: [Foundation, Metal]", "frameworks: [\"Metal,-weak\"]", "is not a name", NULL},
        {"frameworks: [Foundation, Metal]", "frameworks: [Metal, Metal]",
         "framework 'Metal' of 'Shim-arm64.dylib' occurs twice", NULL},
        {"page_size: 16384", "page_size: 8192",
         "page_size 8192 of 'Shim-arm64.dylib' is neither 4096 nor 16384", NULL},
        {"page_size: 16384", "page_size: 0", "page_size 0 of 'Shim-arm64.dylib' is neither", NULL},
        {"page_size: 16384", "page_size: 131072",
         "page_size 131072 of 'Shim-arm64.dylib' is neither 4096 nor 16384", NULL},
        {"page_size: 16384", "page_size: 0x1000", "is '0x1000', which is not a decimal number",
         NULL},
        {"page_size: 16384", "page_size: -1", "is '-1', which is not a decimal number", NULL},
        {"page_size: 16384", "page_size: 99999999999", "is not a decimal number up to 4294967295",
         NULL},
        {"identifier: org.shim", "identifier: a b",
         "signature identifier 'a b' of 'Shim-arm64.dylib' has a character", NULL},
    };
    EXPECT_REFUSALS(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse__fills_everything),
        cmocka_unit_test(parse__fills_defaults),
        cmocka_unit_test(parse__empty_prefix_stays),
        cmocka_unit_test(parse__keys),
        cmocka_unit_test(parse__yaml),
        cmocka_unit_test(parse__size),
        cmocka_unit_test(parse__names),
        cmocka_unit_test(parse__paths),
        cmocka_unit_test(parse__artifacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
