#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "macho/image.h"

static char *directory;
static int before = -1;

void unit_assert_contains(const char *text, const char *part, const char *file, int line)
{
    if (text != NULL && strstr(text, part) != NULL)
        return;
    print_error("expected a text with: %s\n  got: %s\n", part, text == NULL ? "none" : text);
    _fail(file, line);
}

size_t unit_count_findings(const struct findings *findings, const char *id)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += strcmp(findings->list[i].id, id) == 0;
    return count;
}

void unit_verify(struct findings *out, const struct buf *file,
                 const struct sigcheck_options *options)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    assert_works(image_open_any(&image, (struct view){file->data, file->len}, &fail), &fail);
    sigcheck_verify(out, &image, options);
}

const struct finding *unit_find_finding(const struct findings *findings, enum finding_level level,
                                        const char *id, const char *text)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        if (finding->level == level && strcmp(finding->id, id) == 0 &&
            (strstr(finding->place, text) != NULL ||
             (finding->expected != NULL && strstr(finding->expected, text) != NULL) ||
             (finding->actual != NULL && strstr(finding->actual, text) != NULL)))
            return finding;
    }
    return NULL;
}

void unit_expect_finding(const struct findings *findings, enum finding_level level, const char *id,
                         const char *text)
{
    if (unit_find_finding(findings, level, id, text) != NULL)
        return;
    for (size_t i = 0; i < findings->count; i++)
        print_message("%s: %s: expected %s, found %s\n", findings->list[i].id,
                      findings->list[i].place, findings->list[i].expected,
                      findings->list[i].actual);
    fail_msg("no %s with '%s'", id, text);
}

size_t unit_stride(size_t *start, size_t under_asan)
{
    const char *variant = getenv("HALLMARK_VARIANT");
    const char *given = getenv("HALLMARK_SEED");
    *start = 0;
    if (variant == NULL || strcmp(variant, "asan") != 0)
        return 1;
    unsigned long long seed = given != NULL && given[0] != '\0' ? strtoull(given, NULL, 10) : 1;
    print_message("HALLMARK_SEED=%llu\n", seed);
    *start = (size_t)(seed % under_asan);
    return under_asan;
}

void unit_enter_directory(void)
{
    const char *base = getenv("TMPDIR");
    directory = text_printf("%s/unit-XXXXXX", base == NULL ? "/tmp" : base);
    before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(before >= 0);
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
}

void unit_leave_directory(void)
{
    assert_int_equal(fchdir(before), 0);
    close(before);
    fs_remove_tree_at(AT_FDCWD, directory);
    free(directory);
    directory = NULL;
}

int unit_setup_directory(void **state)
{
    (void)state;
    unit_enter_directory();
    return 0;
}

int unit_teardown_directory(void **state)
{
    (void)state;
    unit_leave_directory();
    return 0;
}
