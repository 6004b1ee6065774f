/*
 * Attribute files, wildcards, conversions and export-subst on any bytes. The input is cut at the
 * first two bytes 0x1e: the .gitattributes of the root, that of the directory "d", and a path
 * that is also taken for content. What must hold: asking twice gives the same, a frame that was
 * popped leaves nothing, wildcards agree with a plain recursive matcher, and converting in pieces
 * gives what converting at once gives.
 */
#include "fuzz/fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/gitattr.h"
#include "format/gitconv.h"
#include "format/gitmatch.h"
#include "format/gitsubst.h"

struct part {
    const char *data;
    size_t len;
};

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_attr: does not hold: %s\n", what);
    abort();
}

static struct part next_part(struct part *rest)
{
    const char *cut = rest->len > 0 ? memchr(rest->data, 0x1e, rest->len) : NULL;
    struct part part = {rest->data, cut != NULL ? (size_t)(cut - rest->data) : rest->len};
    size_t taken = part.len + (cut != NULL);
    *rest = (struct part){rest->data + taken, rest->len - taken};
    return part;
}

static bool same_values(const struct gitattr_value *a, const struct gitattr_value *b)
{
    for (size_t i = 0; i < GITATTR_COUNT; i++) {
        if (a[i].state != b[i].state)
            return false;
        if (a[i].state == GITATTR_TEXTUAL && strcmp(a[i].text, b[i].text) != 0)
            return false;
    }
    return true;
}

static void check_attributes(struct part root, struct part below, struct part path)
{
    own_gitattr struct gitattr attr = {.fold = path.len % 2 == 0};
    own_fail struct fail fail = {0};
    struct gitattr_value before[GITATTR_COUNT];
    struct gitattr_value after[GITATTR_COUNT];
    own_mem char *subject = mem_new(path.len + 3, 1);
    memcpy(subject, "d/", 2);
    memcpy(subject + 2, path.data, path.len);
    size_t len = path.len + 2;
    must(gitattr_push(&attr, "", 0, root.data, root.len, &fail) == 0, "a small file is taken");
    gitattr_find(before, &attr, subject, len);
    gitattr_find(after, &attr, subject, len);
    must(same_values(before, after), "asking twice gives the same");
    must(gitattr_push(&attr, "d", 1, below.data, below.len, &fail) == 0, "a small file is taken");
    gitattr_find(after, &attr, subject, len);
    gitconv_eol(after);
    gitattr_pop(&attr);
    gitattr_find(after, &attr, subject, len);
    must(same_values(before, after), "a popped file leaves nothing");
}

/* Stars and question marks by recursion, for patterns without brackets and backslashes. */
static bool match_plainly(const char *pattern, size_t pattern_len, const char *text,
                          size_t text_len)
{
    if (pattern_len == 0)
        return text_len == 0;
    if (*pattern == '*')
        return match_plainly(pattern + 1, pattern_len - 1, text, text_len) ||
               (text_len > 0 && match_plainly(pattern, pattern_len, text + 1, text_len - 1));
    if (text_len == 0 || (*pattern != '?' && *pattern != *text))
        return false;
    return match_plainly(pattern + 1, pattern_len - 1, text + 1, text_len - 1);
}

static void check_wildcards(struct part pattern, struct part text)
{
    size_t pattern_len = pattern.len < 200 ? pattern.len : 200;
    size_t text_len = text.len < 400 ? text.len : 400;
    bool plain = gitmatch(pattern.data, pattern_len, text.data, text_len, GITMATCH_PLAIN);
    bool path = gitmatch(pattern.data, pattern_len, text.data, text_len, GITMATCH_PATH);
    bool doubtful = false;
    bool fold =
        gitmatch_fold(pattern.data, pattern_len, text.data, text_len, GITMATCH_FOLD, &doubtful);
    must(plain || !path || memchr(pattern.data, '/', pattern_len) != NULL,
         "what matches as a path matches plainly, unless stars swallow a slash");
    must(fold || !plain || doubtful, "what matches exactly matches in any case");
    bool simple = memchr(pattern.data, '[', pattern_len) == NULL &&
                  memchr(pattern.data, '\\', pattern_len) == NULL;
    if (simple && pattern_len <= 10 && text_len <= 14)
        must(plain == match_plainly(pattern.data, pattern_len, text.data, text_len),
             "wildcards agree with the plain matcher");
}

static void check_conversions(struct part content)
{
    own_buf struct buf whole = {0};
    own_buf struct buf pieces = {0};
    own_buf struct buf ident = {0};
    struct gitconv_stats stats = {0};
    uint8_t last = 0;
    for (size_t at = 0; at < content.len; at += 3) {
        size_t len = content.len - at < 3 ? content.len - at : 3;
        gitconv_count(&stats, content.data + at, len);
        gitconv_crlf_piece(&pieces, &last, content.data + at, len);
    }
    bool changed = gitconv_add_crlf(&whole, content.data, content.len, GITCONV_EOL_CRLF);
    must(changed == gitconv_wants_crlf(&stats, GITCONV_EOL_CRLF), "pieces are counted alike");
    must(pieces.len == content.len + stats.lone_lf, "the counted size is the size");
    must(!changed || (whole.len == pieces.len && memcmp(whole.data, pieces.data, whole.len) == 0),
         "pieces are converted alike");
    gitconv_add_ident(&ident, content.data, content.len, "0123");
    const struct gitsubst_person person = {true, "N", "a@b", 1700000000, 60};
    const struct gitsubst_commit commit = {.id = "1",
                                           .tree = "2",
                                           .parents = "",
                                           .author = person,
                                           .committer = person,
                                           .message = "s\n\nb",
                                           .message_len = 4};
    own_fail struct fail fail = {0};
    own_buf struct buf subst = {0};
    if (gitsubst_expand(&subst, content.data, content.len, &commit, 65536, &fail) < 0)
        must(fail.code == FAIL_INPUT && fail.message != NULL, "a refusal says why");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 65536)
        return 0;
    struct part rest = {(const char *)data, size};
    struct part root = next_part(&rest);
    struct part below = next_part(&rest);
    check_attributes(root, below, rest);
    if (rest.len > 0 && root.len > 0)
        check_wildcards(root, rest);
    if (rest.len > 0)
        check_conversions(rest);
    return 0;
}

size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    static const char *const seeds[] = {
        "*.c text eol=crlf\na -ident\n\x1e*.c !eol\n\x1e"
        "a.c",
        "[attr]m text eol=crlf\n[attr]n m -ident\n* n\n\x1e[attr]m -text\n\x1ex/y",
        "\"q \\164\\\"\" export-ignore\r\n\x1e/e/**/f filter=x\n\x1e"
        "e/g/f",
        "*a?b*\x1e\x1exxaybzb",
        "**/a*/[!x-z[:digit:]]\\*\x1e\x1ex/ab/c*",
        "d/ binary\n!a text\n# c\n* te$t\n\x1e\x1e"
        "e/",
        "\x1e\x1e$Id$ $Id: x$\r\n$Format:%H %an %ad %s%n%b$\n\x1a",
        "[[:upper:]]* text=auto\n\x1e\x1e"
        "aB",
    };
    return fuzz_give_text(seeds, sizeof seeds / sizeof *seeds, index, out, out_size);
}
