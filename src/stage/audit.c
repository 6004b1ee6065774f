#include "stage/audit_parts.h"

#include <stdlib.h>
#include <string.h>

#include "port/digest.h"
#include "stage/difference.h"
#include "stage/pipeline.h"

void audit_release(struct audit *audit)
{
    for (size_t i = 0; i < audit->count; i++)
        free(audit->entries[i].name);
    free(audit->entries);
    findings_release(&audit->findings);
    free(audit->name);
    free(audit->version);
    free(audit->commit);
    free(audit->toolchain);
    free(audit->build_id);
    free(audit->kept);
    fail_release(&audit->missing);
    *audit = (struct audit){0};
}

const char *audit_status_text(enum audit_status status)
{
    switch (status) {
    case AUDIT_IDENTICAL:
        return "identical";
    case AUDIT_DIFFERS:
        return "differs";
    case AUDIT_MISSING:
        return "missing";
    case AUDIT_UNEXPECTED:
        return "unexpected";
    case AUDIT_NOT_DERIVABLE:
        return "not-derivable";
    }
    return "?";
}

struct audit_entry *audit_add_entry(struct audit *audit, const char *name, enum audit_status status)
{
    audit->entries = mem_resize(audit->entries, audit->count + 1, sizeof *audit->entries);
    struct audit_entry *entry = &audit->entries[audit->count++];
    *entry = (struct audit_entry){.name = text_copy(name), .status = status};
    return entry;
}

struct finding *audit_complain(struct audit *audit, const char *id, const char *place)
{
    struct finding *finding = finding_add(&audit->findings, FINDING_ERROR, id);
    finding_place(finding, "%s", place);
    return finding;
}

static void hint_at_gzip(struct finding *finding, const struct release *derived, const char *name,
                         const struct provenance *claimed)
{
    if (derived->record.archive_name == NULL || strcmp(name, derived->record.archive_name) != 0)
        return;
    if (claimed->tar_sha256 != NULL && strcmp(claimed->tar_sha256, derived->record.tar_sha256) == 0)
        finding_remedy(finding,
                       "the record states the same tar (SHA-256 %s): only the compression "
                       "differs, look for another zlib",
                       derived->record.tar_sha256);
}

int audit_compare_file(struct audit *audit, struct release_dir *dir, struct release *release,
                       const char *name, struct fail *fail)
{
    own_fs_map struct fs_map derived = {0};
    own_fs_map struct fs_map given = {0};
    own_fail struct fail inner = {0};
    if (fs_map_open_at(&derived, release->stage.fd, name, fail) < 0)
        return fail_while(fail, "comparing '%s'", name);
    struct audit_entry *entry = audit_add_entry(audit, name, AUDIT_MISSING);
    digest_sha256_hex(entry->expected, derived.view.data, (size_t)derived.view.len);
    const char *listed = dir->files.has_sums ? sums_find(&dir->files.sums, name) : NULL;
    bool there = fs_map_open_at(&given, dir->files.fd, name, &inner) == 0;
    if (!there && !(dir->manifest && listed != NULL)) {
        finding_actual(audit_complain(audit, "audit.missing", name), "%s",
                       inner.message == NULL ? "no such file" : inner.message);
        return 0;
    }
    if (there)
        digest_sha256_hex(entry->actual, given.view.data, (size_t)given.view.len);
    else
        memcpy(entry->actual, listed, sizeof entry->actual);
    entry->status = strcmp(entry->expected, entry->actual) == 0 ? AUDIT_IDENTICAL : AUDIT_DIFFERS;
    if (entry->status == AUDIT_IDENTICAL)
        return 0;
    own_mem char *text = there ? difference_text(derived.view, given.view)
                               : text_printf("SHA-256 %s", entry->actual);
    struct finding *finding = audit_complain(audit, "audit.differs", name);
    finding_expected(finding, "SHA-256 %s", entry->expected);
    finding_actual(finding, "%s", text);
    hint_at_gzip(finding, release, name, &dir->record);
    return 0;
}

static bool is_listed(const struct prov_list *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->list[i], name) == 0)
            return true;
    }
    return false;
}

void audit_find_unexpected(struct audit *audit, const struct release_dir *dir,
                           const struct prov_list *expected)
{
    for (size_t i = 0; i < dir->files.listing.count; i++) {
        const char *name = dir->files.listing.list[i].path;
        if (is_listed(expected, name) || strcmp(name, RELEASE_OBSERVED_DIR) == 0 ||
            strcmp(name, RELEASE_OBSERVED) == 0)
            continue;
        audit_add_entry(audit, name, AUDIT_UNEXPECTED);
        finding_remedy(audit_complain(audit, "audit.unexpected", name),
                       "it does not come from the revision: find out who put it there");
    }
}

static int compare_all(struct audit *audit, struct release_dir *dir, struct release *release,
                       struct fail *fail)
{
    own_fs_listing struct fs_listing derived = {0};
    own_prov_list struct prov_list names = {0};
    if (fs_list(&derived, release->stage.fd, 1000, fail) < 0)
        return -1;
    for (size_t i = 0; i < derived.count; i++) {
        prov_list_add(&names, derived.list[i].path);
        if (audit_compare_file(audit, dir, release, derived.list[i].path, fail) < 0)
            return -1;
    }
    audit_find_unexpected(audit, dir, &names);
    return 0;
}

int audit_not_derived(struct audit *audit, struct fail *why, struct fail *fail)
{
    if (audit->findings.error_count == 0 || why->code == FAIL_SIGNAL || why->code == FAIL_SYSTEM ||
        why->code == FAIL_BUG)
        return fail_move(fail, why);
    struct finding *finding = audit_complain(audit, "audit.not-derived", PROVENANCE_JSON_NAME);
    finding_expected(finding, "a record that a release can be derived from");
    finding_actual(finding, "%s", why->message);
    finding_remedy(finding, "get an undamaged copy of the release");
    return 0;
}

/* The likely cause is not a damaged repository but another one. */
static int explain_missing_commit(const struct provenance *record, struct fail *fail)
{
    if (fail->code != FAIL_INPUT)
        return -1;
    free(fail->hint);
    fail->hint = text_copy("name the repository that the release was cut from; 'git fetch' there "
                           "brings commits that it lacks");
    return fail_while(fail, "looking for the commit %s of the release", record->commit);
}

static char *copy_or_null(const char *text)
{
    return text == NULL ? NULL : text_copy(text);
}

static int derive(struct audit *audit, struct release_dir *dir, const struct audit_request *request,
                  struct fail *fail)
{
    const struct provenance *record = &dir->record;
    struct release_request again = {
        .repository = request->repository,
        .revision = record->commit,
        .recipe_path = record->recipe.outside ? NULL : record->recipe.path,
        .recipe_text = record->recipe.outside ? record->recipe.text : NULL,
        .toolchain = record->toolchain,
        .any_build = true,
        .keep = request->keep,
        .limit_sec = request->limit_sec,
        .progress = request->progress,
        .expected = record,
    };
    own_release struct release release = RELEASE_INIT;
    own_fail struct fail why = {0};
    if (release_run(&release, &again, &why) < 0) {
        if (release.toolchain_missing) {
            release.scratch.keep = false; /* it holds nothing that was derived */
            return audit_without_toolchain(audit, dir, &again, &why, fail);
        }
        bool found = release.record.commit != NULL;
        if (audit_not_derived(audit, &why, fail) == 0)
            return 0;
        return found ? -1 : explain_missing_commit(record, fail);
    }
    audit->derived = true;
    audit->build_id = copy_or_null(release.pin.build_id);
    audit->kept = request->keep ? text_copy(release.scratch.path) : NULL;
    if (request->keep)
        release.stage.published = true; /* it stays where it was derived */
    progress_stage(request->progress, "compare", "%s", request->directory);
    if (compare_all(audit, dir, &release, fail) < 0)
        return fail_while(fail, "comparing with what was derived");
    findings_take(&audit->findings, &release.findings);
    return 0;
}

int audit_run(struct audit *out, const struct audit_request *request, struct fail *fail)
{
    own_release_dir struct release_dir dir = RELEASE_DIR_INIT;
    dir.manifest = request->manifest;
    progress_stage(request->progress, "sums", "%s", request->directory);
    if (release_dir_open(&dir, request->directory, fail) < 0 ||
        release_dir_check_sums(&dir, &out->findings, fail) < 0)
        return -1;
    if (!dir.has_record)
        return 0; /* provenance.malformed is among the findings */
    out->name = copy_or_null(dir.record.name);
    out->version = copy_or_null(dir.record.version);
    out->commit = copy_or_null(dir.record.commit);
    out->toolchain = copy_or_null(dir.record.toolchain);
    return derive(out, &dir, request, fail);
}
