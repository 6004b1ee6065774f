#include "unit.h"

#include <string.h>

#include "base/buf.h"
#include "format/gitattr.h"
#include "format/gitconv.h"
#include "format/gitmatch.h"
#include "format/gitsubst.h"

/* ---- wildcards ---- */

static bool plain(const char *pattern, const char *text)
{
    return gitmatch(pattern, strlen(pattern), text, strlen(text), GITMATCH_PLAIN);
}

static bool path(const char *pattern, const char *text)
{
    return gitmatch(pattern, strlen(pattern), text, strlen(text), GITMATCH_PATH);
}

static void gitmatch__stars_and_slashes(void **state)
{
    (void)state;
    assert_true(plain("a*c", "a/b/c"));
    assert_false(path("a*c", "a/b/c"));
    assert_true(path("a/*/c", "a/b/c"));
    assert_false(path("a?c", "a/c"));
    assert_true(plain("a?c", "a/c"));
    assert_true(path("*", ""));
    assert_false(path("?", ""));
    assert_true(path("*a*b*a", "xxaybzaa"));
    assert_false(path("*a*b*a", "xxaybzab"));
}

static void gitmatch__two_stars_are_directories(void **state)
{
    (void)state;
    assert_true(path("**/a", "a"));
    assert_true(path("**/a", "x/y/a"));
    assert_false(path("**/a", "x/ya"));
    assert_true(path("a/**/b", "a/b"));
    assert_true(path("a/**/b", "a/x/y/b"));
    assert_false(path("a/**/b", "a/xb"));
    assert_true(path("a/**", "a/x/y"));
    assert_false(path("a/**", "a"));
    assert_false(path("a**/b", "a/x/b"));
    assert_true(path("a**/b", "ax/b"));
    assert_true(path("**/a*/**/b", "x/ay/z/b"));
}

static void gitmatch__brackets(void **state)
{
    (void)state;
    assert_true(path("[abc]", "b"));
    assert_true(path("[!abc]", "x"));
    assert_false(path("[^abc]", "b"));
    assert_true(path("[]-]", "]"));
    assert_true(path("[a-c-e]", "-"));
    assert_false(path("[a-c-e]", "d"));
    assert_true(path("[[:digit:]x]", "7"));
    assert_false(path("[[:nonsense:]]", "n"));
    assert_true(path("[[:x]", ":"));
    assert_false(path("[!a]", "/"));
    assert_false(path("[", "["));
    assert_false(path("[a", "a"));
    assert_true(path("[\\]]", "]"));
    assert_true(path("\\*", "*"));
    assert_false(path("\\*", "x"));
    assert_false(path("a\\", "a\\"));
    assert_true(path("[\x80-\xff]", "\xe9"));
}

static void gitmatch__hostile_pattern_ends(void **state)
{
    (void)state;
    own_buf struct buf pattern = {0};
    own_buf struct buf text = {0};
    for (size_t i = 0; i < 500; i++)
        buf_puts(&pattern, "*a");
    buf_puts(&pattern, "b");
    for (size_t i = 0; i < 4000; i++)
        buf_puts(&text, "a");
    assert_false(path(buf_text(&pattern), buf_text(&text)));
}

static void gitmatch__fold_says_when_a_bracket_is_doubtful(void **state)
{
    (void)state;
    bool doubtful = false;
    assert_true(gitmatch_fold("ABC", 3, "abc", 3, GITMATCH_FOLD, &doubtful));
    assert_false(doubtful);
    gitmatch_fold("[A]", 3, "a", 1, GITMATCH_FOLD, &doubtful);
    assert_true(doubtful);
}

/* ---- attributes ---- */

struct world {
    struct gitattr attr;
    struct fail fail;
};

static void file(struct world *world, const char *directory, const char *text)
{
    assert_works(
        gitattr_push(&world->attr, directory, strlen(directory), text, strlen(text), &world->fail),
        &world->fail);
}

/* "" unknown, "-" false, "!" unset, "+" true, or the text. */
static const char *ask(struct world *world, const char *subject, enum gitattr_name name)
{
    static const char *const shown[] = {"", "!", "-", "+"};
    struct gitattr_value values[GITATTR_COUNT];
    gitattr_find(values, &world->attr, subject, strlen(subject));
    return values[name].state == GITATTR_TEXTUAL ? values[name].text : shown[values[name].state];
}

static void done(struct world *world)
{
    gitattr_release(&world->attr);
    fail_release(&world->fail);
}

static void gitattr__the_last_line_and_the_deepest_file_win(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "", "*.c text eol=lf\na.c eol=crlf\n*.c -ident\n");
    assert_string_equal(ask(&world, "a.c", GITATTR_EOL), "crlf");
    assert_string_equal(ask(&world, "b.c", GITATTR_EOL), "lf");
    file(&world, "d", "*.c !eol\n/e/x eol=x\n");
    assert_string_equal(ask(&world, "d/a.c", GITATTR_EOL), "!");
    assert_string_equal(ask(&world, "d/a.c", GITATTR_TEXT), "+");
    assert_string_equal(ask(&world, "d/e/x", GITATTR_EOL), "x");
    gitattr_pop(&world.attr);
    assert_string_equal(ask(&world, "d/a.c", GITATTR_EOL), "crlf");
    done(&world);
}

static void gitattr__macros_only_at_the_root(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "",
         "[attr]m text eol=crlf\n[attr]n m -ident\na n\nb -n\nc m eol=lf\nd eol=lf m\n");
    assert_string_equal(ask(&world, "a", GITATTR_EOL), "crlf");
    assert_string_equal(ask(&world, "a", GITATTR_IDENT), "-");
    assert_string_equal(ask(&world, "b", GITATTR_EOL), "");
    assert_string_equal(ask(&world, "c", GITATTR_EOL), "lf");
    assert_string_equal(ask(&world, "d", GITATTR_EOL), "crlf");
    file(&world, "s", "[attr]o ident\nx o\n[attr]m -text\ny m\n");
    assert_string_equal(ask(&world, "s/x", GITATTR_IDENT), "");
    assert_string_equal(ask(&world, "s/y", GITATTR_TEXT), "+");
    done(&world);
}

static void gitattr__binary_is_built_in_and_can_be_redefined(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "", "a binary\n");
    assert_string_equal(ask(&world, "a", GITATTR_TEXT), "-");
    done(&world);
    file(&world, "", "[attr]binary eol=lf\na binary\n");
    assert_string_equal(ask(&world, "a", GITATTR_TEXT), "");
    assert_string_equal(ask(&world, "a", GITATTR_EOL), "lf");
    done(&world);
}

static void gitattr__macro_of_itself_ends(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "", "[attr]a b text\n[attr]b a eol=lf\nx a\n");
    assert_string_equal(ask(&world, "x", GITATTR_TEXT), "+");
    assert_string_equal(ask(&world, "x", GITATTR_EOL), "lf");
    done(&world);
}

static void gitattr__lines_that_git_ignores(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "", "# a text\n!a text\na te$t text\na -\na --text\na =x\n  \n\ta eol=lf\n");
    assert_string_equal(ask(&world, "a", GITATTR_TEXT), "");
    assert_string_equal(ask(&world, "a", GITATTR_EOL), "lf");
    own_buf struct buf line = {0};
    buf_puts(&line, "a text");
    while (line.len < GITATTR_LINE_MAX)
        buf_puts(&line, " ");
    file(&world, "", buf_text(&line));
    assert_string_equal(ask(&world, "a", GITATTR_TEXT), "");
    buf_truncate(&line, GITATTR_LINE_MAX - 1);
    file(&world, "", buf_text(&line));
    assert_string_equal(ask(&world, "a", GITATTR_TEXT), "+");
    done(&world);
}

static void gitattr__quoted_patterns(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "", "\"a b\" text\n\"\\303\\251\" ident\n\"a\\q\" eol=lf\n\"x\"eol=lf\n");
    assert_string_equal(ask(&world, "a b", GITATTR_TEXT), "+");
    assert_string_equal(ask(&world, "\xc3\xa9", GITATTR_IDENT), "+");
    assert_string_equal(ask(&world, "\"aq\"", GITATTR_EOL), "lf");
    assert_string_equal(ask(&world, "x", GITATTR_EOL), "lf");
    done(&world);
}

static void gitattr__directories(void **state)
{
    (void)state;
    struct world world = {0};
    file(&world, "", "d/ text\n/e/f/ ident\n");
    assert_string_equal(ask(&world, "d/", GITATTR_TEXT), "+");
    assert_string_equal(ask(&world, "x/d/", GITATTR_TEXT), "+");
    assert_string_equal(ask(&world, "d", GITATTR_TEXT), "");
    assert_string_equal(ask(&world, "d/x", GITATTR_TEXT), "");
    assert_string_equal(ask(&world, "e/f/", GITATTR_IDENT), "+");
    assert_string_equal(ask(&world, "x/e/f/", GITATTR_IDENT), "");
    done(&world);
}

static void gitattr__too_large_is_refused(void **state)
{
    (void)state;
    struct world world = {0};
    own_buf struct buf text = {0};
    buf_zeros(&text, GITATTR_FILE_MAX + 1);
    assert_fails(gitattr_push(&world.attr, "", 0, text.data, text.len, &world.fail), &world.fail,
                 FAIL_INPUT, ".gitattributes of 4194305 bytes");
    done(&world);
}

static void gitattr__core_ignorecase_is_noticed(void **state)
{
    (void)state;
    struct world world = {.attr = {.fold = true}};
    file(&world, "", "*.C text\n*.h ident\n");
    assert_string_equal(ask(&world, "a.h", GITATTR_IDENT), "+");
    assert_false(world.attr.doubtful);
    assert_string_equal(ask(&world, "a.c", GITATTR_TEXT), "");
    assert_true(world.attr.doubtful);
    done(&world);
}

/* ---- conversions ---- */

static void expect_crlf(const char *text, size_t len, enum gitconv_eol eol, const char *expected)
{
    own_buf struct buf out = {0};
    bool changed = gitconv_add_crlf(&out, text, len, eol);
    assert_int_equal(changed, expected != NULL);
    if (expected != NULL)
        assert_string_equal(buf_text(&out), expected);
    /* In pieces of one byte it is the same. */
    struct gitconv_stats stats = {0};
    own_buf struct buf pieces = {0};
    uint8_t last = 0;
    for (size_t i = 0; i < len; i++) {
        gitconv_count(&stats, text + i, 1);
        gitconv_crlf_piece(&pieces, &last, text + i, 1);
    }
    assert_int_equal(gitconv_wants_crlf(&stats, eol), changed);
    if (changed) {
        assert_int_equal(pieces.len, out.len);
        assert_int_equal(pieces.len, len + stats.lone_lf);
        assert_memory_equal(pieces.data, out.data, out.len);
    }
}

static void gitconv__line_ends(void **state)
{
    (void)state;
    expect_crlf("a\nb\r\nc\n", 7, GITCONV_EOL_CRLF, "a\r\nb\r\nc\r\n");
    expect_crlf("a\nb\r\nc\n", 7, GITCONV_EOL_AUTO_CRLF, NULL);
    expect_crlf("a\nb\n", 4, GITCONV_EOL_AUTO_CRLF, "a\r\nb\r\n");
    expect_crlf("a\nb\n", 4, GITCONV_EOL_KEEP, NULL);
    expect_crlf("a\rb\n", 4, GITCONV_EOL_AUTO_CRLF, NULL);
    expect_crlf("a\0b\n", 4, GITCONV_EOL_AUTO_CRLF, NULL);
    expect_crlf("a\n\x1a", 3, GITCONV_EOL_AUTO_CRLF, "a\r\n\x1a");
    expect_crlf("a\x01\n", 3, GITCONV_EOL_AUTO_CRLF, NULL);
    expect_crlf("a\r\n", 3, GITCONV_EOL_CRLF, NULL);
    expect_crlf("", 0, GITCONV_EOL_CRLF, NULL);
}

static void expect_ident(const char *text, const char *expected)
{
    own_buf struct buf out = {0};
    bool changed = gitconv_add_ident(&out, text, strlen(text), "ID");
    assert_int_equal(changed, expected != NULL);
    if (expected != NULL)
        assert_string_equal(buf_text(&out), expected);
}

static void gitconv__ident(void **state)
{
    (void)state;
    expect_ident("a $Id$ b", "a $Id: ID $ b");
    expect_ident("$Id: old $", "$Id: ID $");
    expect_ident("$Id:$", "$Id: ID $");
    expect_ident("$Id: a b $", NULL);
    expect_ident("$Id: a\nb$", NULL);
    expect_ident("$Id", NULL);
    expect_ident("$Idx$Id$", "$Idx$Id: ID $");
    expect_ident("$Id: x", NULL);
    expect_ident("$", NULL);
}

/* ---- export-subst ---- */

static const struct gitsubst_commit sample = {
    .id = "1111",
    .tree = "2222",
    .parents = "3333 4444",
    .author = {true, "A U", "a@x.org", 951782400, -90},
    .committer = {true, "C O", "c", 1700000000, 0},
    .message = "\nFix: a..b\n more\n\nbody\n",
    .message_len = 22,
};

static void expect_subst(const char *text, const char *expected)
{
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    assert_works(gitsubst_expand(&out, text, strlen(text), &sample, 4096, &fail), &fail);
    assert_string_equal(buf_text(&out), expected);
}

static void gitsubst__placeholders(void **state)
{
    (void)state;
    expect_subst("x $Format:%H %T$ y", "x 1111 2222 y");
    expect_subst("$Format:%P$", "3333 4444");
    expect_subst("$Format:%an|%ae|%al$", "A U|a@x.org|a");
    expect_subst("$Format:%ad$", "Mon Feb 28 22:30:00 2000 -0130");
    expect_subst("$Format:%aD$", "Mon, 28 Feb 2000 22:30:00 -0130");
    expect_subst("$Format:%at %ai$", "951782400 2000-02-28 22:30:00 -0130");
    expect_subst("$Format:%aI %as$", "2000-02-28T22:30:00-01:30 2000-02-28");
    expect_subst("$Format:%cn %ct$", "C O 1700000000");
    expect_subst("$Format:%s|%f$", "Fix: a..b  more|Fix-a.b");
    expect_subst("$Format:%b$", "body\n");
    expect_subst("$Format:%B$", "\nFix: a..b\n more\n\nbody\n");
    expect_subst("$Format:%%%n%x41$", "%\nA");
    expect_subst("$Format:%H", "$Format:%H");
    expect_subst("$Format:$", "");
}

static void expect_refused(const char *text, const char *message)
{
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    assert_fails(gitsubst_expand(&out, text, strlen(text), &sample, 4096, &fail), &fail, FAIL_INPUT,
                 message);
}

static void gitsubst__refusals(void **state)
{
    (void)state;
    expect_refused("$Format:%h$", "placeholder '%h'");
    expect_refused("$Format:%d$", "placeholder '%d'");
    expect_refused("$Format:%D$", "placeholder '%D'");
    expect_refused("$Format:%(describe:tags=true)$", "placeholder '%(describe:ta'");
    expect_refused("$Format:%ar$", "placeholder '%ar'");
    expect_refused("$Format:%aN$", "placeholder '%aN'");
    expect_refused("$Format:%N$", "placeholder '%N'");
    expect_refused("$Format:%$", "placeholder '%'");
    expect_refused("$Format:%x4$", "placeholder '%x4'");
    expect_refused(
        "$Format:%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B"
        "%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%"
        "B%B"
        "%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%"
        "B%B"
        "%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%"
        "B%B"
        "%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%B%"
        "B%B$",
        "more than 4096 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gitmatch__stars_and_slashes),
        cmocka_unit_test(gitmatch__two_stars_are_directories),
        cmocka_unit_test(gitmatch__brackets),
        cmocka_unit_test(gitmatch__hostile_pattern_ends),
        cmocka_unit_test(gitmatch__fold_says_when_a_bracket_is_doubtful),
        cmocka_unit_test(gitattr__the_last_line_and_the_deepest_file_win),
        cmocka_unit_test(gitattr__macros_only_at_the_root),
        cmocka_unit_test(gitattr__binary_is_built_in_and_can_be_redefined),
        cmocka_unit_test(gitattr__macro_of_itself_ends),
        cmocka_unit_test(gitattr__lines_that_git_ignores),
        cmocka_unit_test(gitattr__quoted_patterns),
        cmocka_unit_test(gitattr__directories),
        cmocka_unit_test(gitattr__too_large_is_refused),
        cmocka_unit_test(gitattr__core_ignorecase_is_noticed),
        cmocka_unit_test(gitconv__line_ends),
        cmocka_unit_test(gitconv__ident),
        cmocka_unit_test(gitsubst__placeholders),
        cmocka_unit_test(gitsubst__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
