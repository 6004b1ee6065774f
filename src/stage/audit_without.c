/* audit.h: where the toolchain is not. */
#include <stdlib.h>
#include <string.h>

#include "format/sums.h"
#include "port/digest.h"
#include "stage/audit_parts.h"
#include "stage/pipeline.h"

#define LINES_SHOWN    20u /* of those that differ */
#define EXCERPT_MAX    160u
#define EXCERPT_BEFORE 40u

/* ---- the record ----------------------------------------------------------------------------- */

/* From a little before the first difference, so that what differs is in it. */
static char *excerpt(const char *line, size_t len, size_t at)
{
    size_t indented = strspn(line, " "); /* which says nothing */
    size_t from = at > indented + EXCERPT_BEFORE ? at - EXCERPT_BEFORE : indented;
    if (from > len)
        from = len;
    size_t shown = len - from < EXCERPT_MAX ? len - from : EXCERPT_MAX;
    return text_printf("%s%.*s%s", from == indented ? "" : "...", (int)shown, line + from,
                       from + shown < len ? "..." : "");
}

static void report_line(struct audit *audit, size_t number, const char *derived, size_t derived_len,
                        const char *stated, size_t stated_len)
{
    size_t at = 0;
    while (at < derived_len && at < stated_len && derived[at] == stated[at])
        at++;
    own_mem char *place = text_printf(PROVENANCE_JSON_NAME ": line %zu", number);
    own_mem char *expected = excerpt(derived, derived_len, at);
    own_mem char *actual = excerpt(stated, stated_len, at);
    struct finding *finding = audit_complain(audit, "audit.differs", place);
    finding_expected(finding, "%s", expected);
    finding_actual(finding, "%s", actual);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n' ? 1 : 0;
    return count;
}

/* A comma at the end says only that another member follows: that one is what differs. */
static bool same_line(const char *a, size_t a_len, const char *b, size_t b_len)
{
    a_len -= a_len > 0 && a[a_len - 1] == ',' ? 1 : 0;
    b_len -= b_len > 0 && b[b_len - 1] == ',' ? 1 : 0;
    return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* Each line that differs; the first one alone when lines are missing or added. */
static void compare_lines(struct audit *audit, const char *derived, const char *stated)
{
    size_t left = count_lines(derived) == count_lines(stated) ? LINES_SHOWN : 1;
    for (size_t number = 1; left > 0 && (*derived != '\0' || *stated != '\0'); number++) {
        size_t derived_len = strcspn(derived, "\n");
        size_t stated_len = strcspn(stated, "\n");
        if (!same_line(derived, derived_len, stated, stated_len)) {
            report_line(audit, number, derived, derived_len, stated, stated_len);
            left--;
        }
        derived += derived_len + (derived[derived_len] == '\n' ? 1 : 0);
        stated += stated_len + (stated[stated_len] == '\n' ? 1 : 0);
    }
}

/* The record as it was derived, with what only the toolchain could tell taken as it is stated:
 * release_dir_check_record() holds that against the files. */
static void compare_record(struct audit *audit, const struct provenance *derived,
                           const struct provenance *stated)
{
    struct provenance whole = *derived; /* borrows everything */
    own_mem struct prov_trial *trials = mem_new(derived->trial_count + 1, sizeof *trials);
    whole.artifacts = stated->artifacts;
    whole.artifact_count = stated->artifact_count;
    whole.rules = stated->rules;
    whole.rule_count = stated->rule_count;
    whole.universals = stated->universals;
    whole.universal_count = stated->universal_count;
    whole.trials = trials;
    for (size_t i = 0; i < derived->trial_count; i++) {
        trials[i] = derived->trials[i];
        if (i < stated->trial_count) {
            trials[i].results = stated->trials[i].results;
            trials[i].result_count = stated->trials[i].result_count;
        }
    }
    if (whole.sdk_sha256 == NULL)
        whole.sdk_sha256 = stated->sdk_sha256;
    own_buf struct buf expected = {0};
    own_buf struct buf actual = {0};
    intoto_print(&expected, &whole);
    intoto_print(&actual, stated);
    compare_lines(audit, buf_text(&expected), buf_text(&actual));
}

/* ---- the files ------------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What the recipe makes, sorted. */
static void list_files(struct prov_list *names, const struct release *release)
{
    const struct recipe *recipe = &release->recipe;
    for (size_t i = 0; i < recipe->artifacts_count; i++)
        prov_list_add(names, recipe->artifacts[i].name);
    for (size_t i = 0; i < recipe->universals_count; i++)
        prov_list_add(names, recipe->universals[i].name);
    if (release->record.recipe.outside)
        prov_list_add(names, RELEASE_RECIPE_NAME);
    prov_list_add(names, release->record.archive_name);
    prov_list_add(names, PROVENANCE_JSON_NAME);
    prov_list_add(names, PROVENANCE_MD_NAME);
    prov_list_add(names, SUMS_NAME);
    qsort(names->list, names->count, sizeof *names->list, compare_names);
}

/* Whether it is there; that it is not is a finding of the sums. */
static void add_underivable(struct audit *audit, const struct release_dir *dir, const char *name)
{
    own_fail struct fail ignored = {0};
    own_fs_map struct fs_map given = {0};
    const char *listed = dir->files.has_sums ? sums_find(&dir->files.sums, name) : NULL;
    struct audit_entry *entry = audit_add_entry(audit, name, AUDIT_MISSING);
    if (fs_map_open_at(&given, dir->files.fd, name, &ignored) == 0)
        digest_sha256_hex(entry->actual, given.view.data, (size_t)given.view.len);
    else if (dir->manifest && listed != NULL)
        memcpy(entry->actual, listed, sizeof entry->actual);
    else
        return;
    entry->status = AUDIT_NOT_DERIVABLE;
}

/* The source archive is there already; a recipe from outside the revision is in the record. */
static int put_recipe(const struct release *release, struct fail *fail)
{
    const struct prov_text *recipe = &release->record.recipe;
    return recipe->outside ? fs_create_at(release->stage.fd, RELEASE_RECIPE_NAME, recipe->text,
                                          strlen(recipe->text), 0644, fail)
                           : 0;
}

static int compare_files(struct audit *audit, struct release_dir *dir, struct release *release,
                         struct fail *fail)
{
    own_prov_list struct prov_list names = {0};
    list_files(&names, release);
    if (put_recipe(release, fail) < 0)
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.list[i];
        bool derived = strcmp(name, release->record.archive_name) == 0 ||
                       strcmp(name, RELEASE_RECIPE_NAME) == 0;
        if (!derived)
            add_underivable(audit, dir, name);
        else if (audit_compare_file(audit, dir, release, name, fail) < 0)
            return -1;
    }
    audit_find_unexpected(audit, dir, &names);
    return 0;
}

int audit_without_toolchain(struct audit *audit, struct release_dir *dir,
                            const struct release_request *request, struct fail *why,
                            struct fail *fail)
{
    const struct release_check as_recorded = {0};
    own_release struct release release = RELEASE_INIT;
    own_fail struct fail inner = {0};
    struct release_request rest = *request;
    rest.without_toolchain = true;
    fail_move(&audit->missing, why);
    progress_stage(request->progress, "record", "toolchain '%s' is not here: all but what it makes",
                   dir->record.toolchain);
    if (release_dir_check_record(dir, &audit->findings, &as_recorded, fail) < 0)
        return -1;
    if (release_run(&release, &rest, &inner) < 0)
        return audit_not_derived(audit, &inner, fail);
    if (request->keep) {
        audit->kept = text_copy(release.scratch.path);
        release.stage.published = true; /* it stays where it was derived */
    }
    compare_record(audit, &release.record, &dir->record);
    if (compare_files(audit, dir, &release, fail) < 0)
        return fail_while(fail, "comparing with what was derived");
    return 0;
}
