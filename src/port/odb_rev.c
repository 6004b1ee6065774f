#include <stdlib.h>
#include <string.h>

#include "port/odb_impl.h"

#define PREFIX_MIN     4u  /* digits of the shortest id that git accepts */
#define CANDIDATES_MAX 5u  /* objects that are named for an ambiguous id */
#define TAG_DEPTH_MAX  64u /* tags of tags */

/* Where a name is looked up, in git's order (gitrevisions(7)). */
static const char *const rules[] = {
    "%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"};
#define RULE_COUNT (sizeof rules / sizeof rules[0])

static char *rule_name(size_t rule, const char *name)
{
    const char *hole = strstr(rules[rule], "%s");
    return text_printf("%.*s%s%s", (int)(hole - rules[rule]), rules[rule], name, hole + 2);
}

static int does_not_exist(const struct odb *odb, const char *revision, struct fail *fail)
{
    fail_set(fail, FAIL_INPUT, "revision '%s' does not exist in repository '%s'", revision,
             odb->path);
    if (odb->is_shallow)
        return fail_hint(fail, "it is a shallow clone, which holds only a part of the history: "
                               "run 'git fetch --unshallow' there");
    return fail_hint(fail, "'git tag' and 'git branch -a' there list what can be named; "
                           "'git fetch --tags' gets more");
}

/* ---- references ---- */

/* 1 and the object that reference `name` stands for, 0 when there is none, -1. */
static int read_ref(struct odb_id *out, struct odb *odb, const char *name, struct fail *fail)
{
    git_reference *ref = NULL;
    git_reference *direct = NULL;
    int error = git_reference_lookup(&ref, odb->repo, name);
    if (error == GIT_ENOTFOUND || error == GIT_EINVALIDSPEC) {
        git_error_clear();
        return 0;
    }
    if (error < 0)
        return odb_library_fail(fail, "cannot read reference '%s' of '%s'", name, odb->path);
    error = git_reference_resolve(&direct, ref);
    if (error == GIT_ENOTFOUND) {
        const char *target = git_reference_symbolic_target(ref);
        fail_set(fail, FAIL_INPUT, "'%s' of repository '%s' points to '%s', which has no commit",
                 name, odb->path, target != NULL ? target : "");
        fail_hint(fail, "commit something first, or name another revision");
    } else if (error < 0) {
        odb_library_fail(fail, "cannot read reference '%s' of '%s'", name, odb->path);
    } else {
        memcpy(out->bytes, git_reference_target(direct)->id, ODB_ID_LEN);
    }
    git_error_clear();
    git_reference_free(direct);
    git_reference_free(ref);
    return error < 0 ? -1 : 1;
}

/* Looks a name up by all rules; `found` becomes the full name of the first. More than one is
 * ambiguous: git would warn and take the first. */
static int find_ref(struct odb_id *out, char **found, struct odb *odb, const char *name,
                    struct fail *fail)
{
    for (size_t i = 0; i < RULE_COUNT; i++) {
        own_mem char *full = rule_name(i, name);
        struct odb_id id;
        int there = read_ref(&id, odb, full, fail);
        if (there < 0)
            return -1;
        if (there == 0)
            continue;
        if (*found != NULL) {
            fail_set(fail, FAIL_INPUT, "revision '%s' is ambiguous in repository '%s': %s and %s",
                     name, odb->path, *found, full);
            return fail_hint(fail, "write '%s' or '%s'", *found, full);
        }
        *found = steal_mem(&full);
        *out = id;
    }
    return *found != NULL;
}

/* ---- abbreviated ids ---- */

static bool is_prefix(const char *name)
{
    size_t len = strlen(name);
    return len >= PREFIX_MIN && len < ODB_ID_HEX - 1 &&
           strspn(name, "0123456789abcdefABCDEF") == len;
}

static int ambiguous_prefix(struct odb *odb, const char *digits, const struct odb_id *ids,
                            size_t count, struct fail *fail)
{
    own_buf struct buf names = {0};
    for (size_t i = 0; i < count && i < CANDIDATES_MAX; i++) {
        enum odb_kind kind = ODB_BLOB;
        uint64_t len = 0;
        char hex[ODB_ID_HEX];
        if (store_object_open(&kind, &len, odb->store, &ids[i], fail) < 0)
            return -1;
        odb_id_hex(hex, &ids[i]);
        buf_printf(&names, "%s%s %s", i > 0 ? ", " : "", odb_kind_name(kind), hex);
    }
    if (count > CANDIDATES_MAX)
        buf_puts(&names, ", ...");
    fail_set(fail, FAIL_INPUT, "abbreviated id '%s' is ambiguous in repository '%s': %s", digits,
             odb->path, buf_text(&names));
    return fail_hint(fail, "write more digits");
}

/* 1 and the object whose id begins with the digits, 0, -1. */
static int find_prefix(struct odb_id *out, struct odb *odb, const char *name, struct fail *fail)
{
    struct odb_id ids[CANDIDATES_MAX + 1];
    size_t count = 0;
    own_mem char *digits = text_copy(name);
    for (char *at = digits; *at != '\0'; at++) {
        if (*at >= 'A' && *at <= 'F')
            *at = (char)(*at - 'A' + 'a');
    }
    if (store_prefix(ids, &count, CANDIDATES_MAX + 1, odb->store, digits, fail) < 0)
        return -1;
    if (count > 1)
        return ambiguous_prefix(odb, name, ids, count, fail);
    if (count == 1)
        *out = ids[0];
    return count == 1;
}

/* ---- names ---- */

/* What `git describe` prints, "TAG-COUNT-gID", ends in an abbreviated id: that; else "". */
static const char *described_id(const char *name)
{
    const char *id = strrchr(name, '-');
    if (id == NULL || id[1] != 'g' || id == name)
        return "";
    const char *digit = id - 1;
    while (digit > name && *digit >= '0' && *digit <= '9')
        digit--;
    return digit > name && *digit == '-' && digit < id - 1 ? id + 2 : "";
}

/* A name without operators: an id, a reference or an abbreviated id. 1, 0 or -1. */
static int find_name(struct odb_id *out, struct odb *odb, const char *name, struct fail *fail)
{
    own_mem char *ref = NULL;
    struct odb_id by_prefix;
    if (odb_id_parse(out, name) == 0)
        return 1;
    if (find_ref(out, &ref, odb, strcmp(name, "@") == 0 ? "HEAD" : name, fail) < 0)
        return -1;
    if (ref == NULL && !is_prefix(name))
        name = described_id(name);
    if (!is_prefix(name))
        return ref != NULL;
    int found = find_prefix(&by_prefix, odb, name, fail);
    if (found < 0)
        return -1;
    if (found > 0 && ref != NULL) {
        char hex[ODB_ID_HEX];
        odb_id_hex(hex, &by_prefix);
        fail_set(fail, FAIL_INPUT,
                 "revision '%s' is ambiguous in repository '%s': %s and object %s", name, odb->path,
                 ref, hex);
        return fail_hint(fail, "write '%s', or more digits", ref);
    }
    if (found > 0)
        *out = by_prefix;
    return found > 0 || ref != NULL;
}

/* Where the operators begin: the first of ^ ~ : or @{ . */
static size_t name_length(const char *revision)
{
    size_t len = strcspn(revision, "^~:");
    const char *at = strstr(revision, "@{");
    return at != NULL && (size_t)(at - revision) < len ? (size_t)(at - revision) : len;
}

/* Whether an operator looks at parents: "~", or "^" without a brace. */
static bool walks_history(const char *operators)
{
    for (const char *at = operators; (at = strpbrk(at, "~^:")) != NULL && *at != ':'; at++) {
        if (*at == '~' || at[1] != '{' || at[2] == '/')
            return true;
    }
    return false;
}

static int check_text(struct odb *odb, const char *revision, const char *operators,
                      struct fail *fail)
{
    if (revision[0] == '\0') {
        fail_set(fail, FAIL_INPUT, "the revision is empty");
        return fail_hint(fail, "name a commit, a tag or a branch");
    }
    if (revision[0] == '-') {
        fail_set(fail, FAIL_INPUT, "revision '%s' begins with '-'", revision);
        return fail_hint(fail, "name a commit, a tag or a branch");
    }
    if (revision[0] == ':' && revision[1] != '/') {
        fail_set(fail, FAIL_INPUT, "revision '%s' names the index, not a commit", revision);
        return fail_hint(fail, "name a commit, a tag or a branch");
    }
    if ((odb->replaced.count > 0 || odb->has_grafts) &&
        (walks_history(operators) || strncmp(revision, ":/", 2) == 0)) {
        fail_set(fail, FAIL_INPUT, "revision '%s' follows a history that repository '%s' alters",
                 revision, odb->path);
        return fail_hint(fail, "it has refs/replace or info/grafts: name the commit by its id");
    }
    return 0;
}

/* git's operators are libgit2's work; the name in front is replaced by its full form. */
static int find_by_library(struct odb_id *out, struct odb *odb, const char *revision,
                           const char *text, struct fail *fail)
{
    git_object *object = NULL;
    int error = git_revparse_single(&object, odb->repo, text);
    if (error == 0) {
        memcpy(out->bytes, git_object_id(object)->id, ODB_ID_LEN);
        git_object_free(object);
        return 0;
    }
    if (error == GIT_ENOTFOUND || error == GIT_EUNBORNBRANCH) {
        git_error_clear();
        return does_not_exist(odb, revision, fail);
    }
    if (error == GIT_EINVALIDSPEC) {
        git_error_clear();
        fail_set(fail, FAIL_INPUT, "revision '%s' is malformed", revision);
        return fail_hint(fail, "see gitrevisions(7) for what can be written");
    }
    return odb_library_fail(fail, "cannot resolve revision '%s' in repository '%s'", revision,
                            odb->path);
}

static int resolve(struct odb_id *out, struct odb *odb, const char *revision, struct fail *fail)
{
    size_t len = name_length(revision);
    const char *operators = revision + len;
    own_mem char *name = mem_copy(revision, len);
    if (check_text(odb, revision, operators, fail) < 0 ||
        odb_refuse_special_reference(odb, revision, fail) < 0)
        return -1;
    if (len == 0)
        return find_by_library(out, odb, revision, revision, fail);
    int found = find_name(out, odb, name, fail);
    if (found <= 0)
        return found < 0 ? -1 : does_not_exist(odb, revision, fail);
    if (operators[0] == '\0')
        return 0;
    if (operators[0] == '@')
        return find_by_library(out, odb, revision, revision, fail);
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, out);
    own_mem char *text = text_printf("%s%s", hex, operators);
    return find_by_library(out, odb, revision, text, fail);
}

/* Follows tags to a commit or tree. */
static int peel(struct odb_id *id, enum odb_kind *kind, struct odb *odb, const char *revision,
                struct fail *fail)
{
    uint64_t len = 0;
    if (odb_object_open(kind, &len, odb, id, fail) < 0)
        return -1;
    for (unsigned depth = 0; *kind == ODB_TAG; depth++) {
        struct odb_id tag = *id;
        if (depth == TAG_DEPTH_MAX)
            return fail_set(fail, FAIL_INPUT, "revision '%s' is a tag of a tag, more than %u deep",
                            revision, TAG_DEPTH_MAX);
        if (odb_tag_target(id, odb, &tag, fail) < 0 ||
            odb_object_open(kind, &len, odb, id, fail) < 0)
            return -1;
    }
    return 0;
}

static int wrong_kind(const struct odb *odb, const char *revision, enum odb_kind kind,
                      const char *wanted, struct fail *fail)
{
    fail_set(fail, FAIL_INPUT, "revision '%s' in repository '%s' is a %s, not a %s", revision,
             odb->path, odb_kind_name(kind), wanted);
    return fail_hint(fail, "name a commit, a tag or a branch");
}

int odb_resolve_commit(struct odb_commit *out, struct odb *odb, const char *revision,
                       struct fail *fail)
{
    struct odb_id id;
    enum odb_kind kind = ODB_COMMIT;
    if (resolve(&id, odb, revision, fail) < 0)
        return -1;
    if (peel(&id, &kind, odb, revision, fail) < 0)
        return fail_while(fail, "resolving revision '%s'", revision);
    if (kind != ODB_COMMIT)
        return wrong_kind(odb, revision, kind, "commit", fail);
    return odb_commit_read(out, odb, &id, fail);
}

int odb_resolve_treeish(struct odb_treeish *out, struct odb *odb, const char *revision,
                        struct fail *fail)
{
    struct odb_id id;
    enum odb_kind kind = ODB_TREE;
    if (resolve(&id, odb, revision, fail) < 0)
        return -1;
    if (peel(&id, &kind, odb, revision, fail) < 0)
        return fail_while(fail, "resolving revision '%s'", revision);
    if (kind != ODB_COMMIT && kind != ODB_TREE)
        return wrong_kind(odb, revision, kind, "commit or tree", fail);
    if (kind == ODB_COMMIT && odb_commit_read(&out->commit, odb, &id, fail) < 0)
        return -1;
    out->has_commit = kind == ODB_COMMIT;
    out->tree = kind == ODB_COMMIT ? out->commit.tree : id;
    return 0;
}
