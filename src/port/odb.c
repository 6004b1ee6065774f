#include "port/odb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "port/odb_impl.h"

#define SHALLOW_MAX (64u << 20) /* bytes of the files `shallow` and `info/grafts` */

/* ---- ids ---- */

void odb_id_hex(char out[ODB_ID_HEX], const struct odb_id *id)
{
    text_hex(out, id->bytes, ODB_ID_LEN);
}

int odb_id_parse(struct odb_id *out, const char *hex)
{
    char lower[ODB_ID_HEX];
    if (strnlen(hex, ODB_ID_HEX) != ODB_ID_HEX - 1)
        return -1;
    for (size_t i = 0; i < ODB_ID_HEX; i++)
        lower[i] = hex[i] >= 'A' && hex[i] <= 'F' ? (char)(hex[i] - 'A' + 'a') : hex[i];
    return text_unhex(out->bytes, ODB_ID_LEN, lower);
}

bool odb_id_equal(const struct odb_id *a, const struct odb_id *b)
{
    return memcmp(a->bytes, b->bytes, ODB_ID_LEN) == 0;
}

const char *odb_kind_name(enum odb_kind kind)
{
    switch (kind) {
    case ODB_COMMIT:
        return "commit";
    case ODB_TREE:
        return "tree";
    case ODB_BLOB:
        return "blob";
    case ODB_TAG:
        return "tag";
    }
    return "object";
}

static int compare_ids(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct odb_id));
}

void id_set_add(struct id_set *set, const struct odb_id *id)
{
    set->list = mem_grow(set->list, set->count, &set->capacity, sizeof *set->list);
    set->list[set->count++] = *id;
}

void id_set_sort(struct id_set *set)
{
    if (set->count > 0)
        qsort(set->list, set->count, sizeof *set->list, compare_ids);
}

bool id_set_has(const struct id_set *set, const struct odb_id *id)
{
    return set->count > 0 &&
           bsearch(id, set->list, set->count, sizeof *set->list, compare_ids) != NULL;
}

/* ---- libgit2 ---- */

int odb_library_fail(struct fail *fail, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *what = text_vprintf(format, args);
    va_end(args);
    const git_error *error = git_error_last();
    enum fail_code code =
        error != NULL && (error->klass == GIT_ERROR_OS || error->klass == GIT_ERROR_NOMEMORY)
            ? FAIL_SYSTEM
            : FAIL_INPUT;
    fail_set(fail, code, "%s: %s", what,
             error != NULL && error->message != NULL ? error->message : "libgit2 gives no reason");
    git_error_clear();
    return -1;
}

/*
 * Where libgit2 is built on mbedTLS (Debian), starting it reads and decodes every certificate
 * authority of the machine, which takes longer than anything that hallmark asks of it (measured:
 * 53 of the 151 million instructions of a release). hallmark opens no connection: the program's own
 * definition comes before the library's, and reads none. Elsewhere nobody calls it.
 */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);
int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
    (void)chain;
    (void)path;
    return 0;
}

/*
 * Options of the whole library: nothing of the user or the system is read, who owns a
 * repository does not matter (odb.h says why), and packs are mapped in small windows.
 */
static int start_library(struct fail *fail)
{
    static const int levels[] = {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                                 GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA};
    static const char *extensions[] = {"objectformat", "worktreeconfig", "partialclone",
                                       "preciousobjects", "relativeworktrees"};
    if (odb_library_open(fail) < 0)
        return -1;
    if (git_libgit2_init() < 0)
        return odb_library_fail(fail, "libgit2 cannot start");
    int result = 0;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        result |= git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
    result |= git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    result |= git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
    result |= git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)1 << 20);
    result |= git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)16 << 20);
    result |= git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
                               sizeof extensions / sizeof extensions[0]);
    if (result < 0) {
        odb_library_fail(fail, "libgit2 refuses an option");
        (void)git_libgit2_shutdown();
        return -1;
    }
    return 0;
}

/* ---- opening ---- */

static int check_path(const char *path, struct fail *fail)
{
    struct stat info;
    if (path[0] == '\0')
        return fail_set(fail, FAIL_INPUT, "the path of the repository is empty");
    if (stat(path, &info) < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return fail_errno(fail, "cannot look at repository '%s'", path);
        fail_set(fail, FAIL_INPUT, "repository '%s' does not exist", path);
        return fail_hint(fail, "name a directory inside of a git repository with --repo");
    }
    if (!S_ISDIR(info.st_mode)) {
        fail_set(fail, FAIL_INPUT, "repository '%s' is not a directory", path);
        return fail_hint(fail, "name a directory inside of a git repository with --repo");
    }
    return 0;
}

static int not_a_repository(int error, const char *path, struct fail *fail)
{
    if (error != GIT_ENOTFOUND)
        return odb_library_fail(fail, "cannot open repository '%s'", path);
    git_error_clear();
    fail_set(fail, FAIL_INPUT, "'%s' is not a git repository, and in none", path);
    return fail_hint(fail, "name a directory inside of a git repository with --repo");
}

static int add_replaced(const char *name, void *context)
{
    struct odb *odb = context;
    struct odb_id id;
    if (odb_id_parse(&id, name + strlen("refs/replace/")) == 0)
        id_set_add(&odb->replaced, &id);
    return 0;
}

static int load_replaced(struct odb *odb, struct fail *fail)
{
    bool wanted = true;
    if (odb_config_bool(&wanted, odb, "core.usereplacerefs", true, fail) < 0)
        return -1;
    if (wanted && git_reference_foreach_glob(odb->repo, "refs/replace/*", add_replaced, odb) < 0)
        return odb_library_fail(fail, "cannot list refs/replace of '%s'", odb->path);
    id_set_sort(&odb->replaced);
    return 0;
}

/* Adds the id at the beginning of each line of a file that may be absent. */
static int load_altered(bool *out, struct odb *odb, const char *name, struct fail *fail)
{
    own_mem char *path = text_printf("%s%s", odb_common_dir(odb), name);
    own_buf struct buf text = {0};
    int there = fs_exists(path, fail);
    if (there <= 0)
        return there;
    if (fs_read(&text, path, SHALLOW_MAX, fail) < 0)
        return -1;
    for (char *line = (char *)text.data, *next = NULL; line != NULL; line = next) {
        struct odb_id id;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        line[strcspn(line, " \r")] = '\0';
        if (odb_id_parse(&id, line) < 0)
            continue;
        id_set_add(&odb->altered, &id);
        *out = true;
    }
    return 0;
}

static int open_parts(struct odb *odb, struct fail *fail)
{
    git_buf found = {0};
    int error = git_repository_discover(&found, odb->path, 0, NULL);
    own_mem char *git_dir = error == 0 ? text_copy(found.ptr) : NULL;
    git_buf_dispose(&found);
    if (error < 0)
        return not_a_repository(error, odb->path, fail);
    if (odb_refuse_special_files(git_dir, fail) < 0 || odb_config_open(odb, git_dir, fail) < 0 ||
        odb_refuse_special_files(odb_common_dir(odb), fail) < 0)
        return -1;
    git_buf objects = {0};
    error = git_repository_item_path(&objects, odb->repo, GIT_REPOSITORY_ITEM_OBJECTS);
    own_mem char *objects_dir = error == 0 ? text_copy(objects.ptr) : NULL;
    git_buf_dispose(&objects);
    if (error < 0)
        return odb_library_fail(fail, "repository '%s' has no objects", odb->path);
    if (store_open(&odb->store, objects_dir, fail) < 0 || load_replaced(odb, fail) < 0 ||
        load_altered(&odb->is_shallow, odb, "shallow", fail) < 0 ||
        load_altered(&odb->has_grafts, odb, "info/grafts", fail) < 0)
        return -1;
    id_set_sort(&odb->altered);
    return 0;
}

int odb_open(struct odb **out, const char *path, struct fail *fail)
{
    if (check_path(path, fail) < 0 || start_library(fail) < 0)
        return -1;
    struct odb *odb = mem_new(1, sizeof *odb);
    odb->path = text_copy(path);
    if (open_parts(odb, fail) < 0) {
        odb_free(odb);
        return -1;
    }
    *out = odb;
    return 0;
}

void odb_free(struct odb *odb)
{
    if (odb == NULL)
        return;
    store_free(odb->store);
    git_config_free(odb->config);
    git_repository_free(odb->repo);
    free(odb->replaced.list);
    free(odb->altered.list);
    free(odb->path);
    free(odb);
    (void)git_libgit2_shutdown();
}

void odb_release(struct odb **odb)
{
    odb_free(*odb);
    *odb = NULL;
}

const char *odb_repository_path(const struct odb *odb)
{
    return odb->path;
}

const char *odb_git_dir(const struct odb *odb)
{
    return git_repository_path(odb->repo);
}

const char *odb_common_dir(const struct odb *odb)
{
    return git_repository_commondir(odb->repo);
}

bool odb_is_bare(const struct odb *odb)
{
    return odb->is_bare;
}
