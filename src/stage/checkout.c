/*
 * The checkout stage: the folders of the sources and the SDK, out of the object
 * database into private scratch space. What could lead out of it is refused.
 */
#include "stage/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/datadir.h"
#include "base/stop.h"
#include "format/sums.h"
#include "port/digest.h"
#include "stage/release.h"

enum {
    CHECKOUT_FILES_MAX = 50000,
    CHECKOUT_DEPTH_MAX = 64,
};
#define CHECKOUT_FILE_MAX  (64ull << 20)
#define CHECKOUT_TOTAL_MAX (1ull << 30)

/* One tree of files that is being written below a directory of the scratch space. */
struct checkout {
    struct release *release;
    const char *root; /* WORK_TREE or WORK_SDK */
    int fd;           /* of that directory */
    bool is_sdk;
    char *folder;           /* the one that was written to last, NULL: none; */
    int folder_fd;          /* files come folder by folder */
    struct prov_list paths; /* everything that was written, folders included */
    uint64_t total;
    struct sums sums; /* of the SDK's files */
};

static void checkout_close(struct checkout *checkout)
{
    if (checkout->fd >= 0)
        close(checkout->fd);
    if (checkout->folder_fd >= 0)
        close(checkout->folder_fd);
    free(checkout->folder);
    prov_list_release(&checkout->paths);
    sums_release(&checkout->sums);
}
#define own_checkout __attribute__((cleanup(checkout_close)))

static int checkout_open(struct checkout *checkout, struct release *release, const char *root,
                         struct fail *fail)
{
    *checkout = (struct checkout){.release = release, .root = root, .fd = -1, .folder_fd = -1};
    checkout->is_sdk = strcmp(root, WORK_SDK) == 0;
    if (mkdirat(release->scratch.fd, root, 0755) < 0)
        return fail_errno(fail, "cannot make directory '%s/%s'", release->scratch.path, root);
    checkout->fd = openat(release->scratch.fd, root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkout->fd < 0)
        return fail_errno(fail, "cannot open '%s/%s'", release->scratch.path, root);
    return 0;
}

static int note_path(struct checkout *checkout, const char *path, struct fail *fail)
{
    if (!fs_path_contained(path))
        return fail_set(fail, FAIL_INPUT, "the tree has a path that is not safe to check out: '%s'",
                        path);
    if (checkout->paths.count >= CHECKOUT_FILES_MAX) {
        fail_set(fail, FAIL_INPUT, "more than %d files beside the sources", CHECKOUT_FILES_MAX);
        return fail_hint(fail, "keep the sources in a folder of their own");
    }
    prov_list_add(&checkout->paths, path);
    return 0;
}

/* Opens the folder of a path, making it when need be: checkout->folder_fd. The last component,
 * which is to be written there; NULL with a failure. */
static const char *enter_folder(struct checkout *checkout, const char *path, struct fail *fail)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - path);
    const char *name = slash == NULL ? path : slash + 1;
    if (checkout->folder != NULL && strlen(checkout->folder) == len &&
        memcmp(checkout->folder, path, len) == 0)
        return name;
    int fd = fs_open_parents_at(checkout->fd, path, fail);
    if (fd < 0)
        return NULL;
    if (checkout->folder_fd >= 0)
        close(checkout->folder_fd);
    free(checkout->folder);
    checkout->folder_fd = fd;
    checkout->folder = mem_copy(path, len);
    return name;
}

/* __TIMESTAMP__ tells a file's time: make it the commit's. */
static int set_time(struct checkout *checkout, const char *name, struct fail *fail)
{
    time_t seconds = (time_t)checkout->release->record.epoch;
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    if (utimensat(checkout->folder_fd, name, times, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_errno(fail, "cannot set the time of '%s'", name);
    return 0;
}

static int write_file(struct checkout *checkout, const char *path, const struct buf *bytes,
                      mode_t mode, struct fail *fail)
{
    checkout->total += bytes->len;
    if (checkout->total > CHECKOUT_TOTAL_MAX)
        return fail_set(fail, FAIL_INPUT, "the files beside the sources have more than %llu bytes",
                        CHECKOUT_TOTAL_MAX);
    if (checkout->is_sdk) {
        char digest[SHA256_HEX];
        digest_sha256_hex(digest, bytes->data, bytes->len);
        sums_add(&checkout->sums, path, digest);
    }
    const char *name = enter_folder(checkout, path, fail);
    if (name == NULL ||
        fs_create_at(checkout->folder_fd, name, bytes->data, bytes->len, mode, fail) < 0 ||
        set_time(checkout, name, fail) < 0)
        return fail_while(fail, "writing '%s'", path);
    return 0;
}

static int write_link(struct checkout *checkout, const char *path, const struct buf *target,
                      struct fail *fail)
{
    own_mem char *folder = fs_path_folder(path);
    own_mem char *inside =
        strlen(buf_text(target)) == target->len ? fs_path_join(folder, buf_text(target)) : NULL;
    if (checkout->is_sdk || inside == NULL || *inside == '\0' || !fs_path_contained(inside))
        return fail_set(fail, FAIL_INPUT,
                        "'%s' is a symbolic link to '%s', which leads out of the %s", path,
                        buf_text(target), checkout->is_sdk ? "SDK (it may hold no links)" : "tree");
    const char *name = enter_folder(checkout, path, fail);
    if (name == NULL)
        return -1;
    if (symlinkat(buf_text(target), checkout->folder_fd, name) < 0)
        return fail_errno(fail, "cannot make symbolic link '%s'", path);
    return 0;
}

/* A pointer where a compiler would read a source: it would complain of its syntax only. */
static int refuse_pointer(const char *path, const struct buf *bytes, struct fail *fail)
{
    static const char *const suffixes[] = {".h", ".c", ".m", ".inc", ".def", ".pch"};
    const char *dot = strrchr(path, '.');
    bool is_source = false;
    for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof suffixes[0]; i++)
        is_source = is_source || strcmp(dot, suffixes[i]) == 0;
    if (!is_source ||
        strncmp(buf_text(bytes), LFS_POINTER_START, sizeof LFS_POINTER_START - 1) != 0)
        return 0;
    fail_set(fail, FAIL_INPUT, "'%s' is a git LFS pointer, its content is not in git", path);
    return fail_hint(fail, "store sources in git itself");
}

static int write_entry(struct checkout *checkout, const struct odb_entry *entry, const char *path,
                       struct fail *fail)
{
    if (stop_check(fail) < 0 || note_path(checkout, path, fail) < 0)
        return -1;
    own_buf struct buf bytes = {0};
    if (odb_blob_read(&bytes, checkout->release->odb, &entry->id, CHECKOUT_FILE_MAX, fail) < 0)
        return fail_while(fail, "checking out '%s'", path);
    if (entry->mode == ODB_MODE_LINK)
        return write_link(checkout, path, &bytes, fail);
    if (refuse_pointer(path, &bytes, fail) < 0)
        return -1;
    return write_file(checkout, path, &bytes, entry->mode == ODB_MODE_EXECUTABLE ? 0755 : 0644,
                      fail);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* git writes no folder that has a name twice, but a repository can hold one. */
static int refuse_twins(const struct odb_tree *tree, const char *path, struct fail *fail)
{
    own_mem const char **names = mem_new(tree->count, sizeof *names);
    for (size_t i = 0; i < tree->count; i++)
        names[i] = tree->list[i].name;
    qsort(names, tree->count, sizeof *names, compare_names);
    for (size_t i = 1; i < tree->count; i++) {
        if (strcmp(names[i - 1], names[i]) == 0)
            return fail_set(fail, FAIL_INPUT, "folder '%s' of the tree has the name '%s' twice",
                            path, names[i]);
    }
    return 0;
}

/* `path` is the folder below the root of the checkout, "" for the root itself. */
static int write_tree(struct checkout *checkout, const struct odb_id *id, const char *path,
                      int depth, struct fail *fail)
{
    if (depth > CHECKOUT_DEPTH_MAX)
        return fail_set(fail, FAIL_INPUT, "'%s' is nested deeper than %d folders", path,
                        CHECKOUT_DEPTH_MAX);
    own_odb_tree struct odb_tree tree = {0};
    if (odb_tree_read(&tree, checkout->release->odb, id, fail) < 0)
        return fail_while(fail, "reading folder '%s' of the tree", path);
    if (refuse_twins(&tree, path, fail) < 0)
        return -1;
    for (size_t i = 0; i < tree.count; i++) {
        const struct odb_entry *entry = &tree.list[i];
        own_mem char *below =
            *path == '\0' ? text_copy(entry->name) : text_printf("%s/%s", path, entry->name);
        if (entry->mode == ODB_MODE_SUBMODULE) {
            if (checkout->is_sdk)
                return fail_set(fail, FAIL_INPUT, "'%s' of the SDK is a submodule", below);
            continue; /* what lies in it is refused where a recipe names it */
        }
        int result = 0;
        if (entry->mode == ODB_MODE_TREE)
            result = note_path(checkout, below, fail) < 0
                         ? -1
                         : write_tree(checkout, &entry->id, below, depth + 1, fail);
        else
            result = write_entry(checkout, entry, below, fail);
        if (result < 0)
            return -1;
    }
    return 0;
}

static int compare_folded(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;
    int order = strcasecmp(*left, *right);
    return order != 0 ? order : strcmp(*left, *right);
}

/* Two names that a file system which folds case takes for one. */
static int refuse_collisions(struct checkout *checkout, struct fail *fail)
{
    struct prov_list *paths = &checkout->paths;
    if (paths->count > 1)
        qsort(paths->list, paths->count, sizeof *paths->list, compare_folded);
    for (size_t i = 1; i < paths->count; i++) {
        if (strcasecmp(paths->list[i - 1], paths->list[i]) != 0)
            continue;
        fail_set(fail, FAIL_INPUT, "'%s' and '%s' are one file where case is folded",
                 paths->list[i - 1], paths->list[i]);
        return fail_hint(fail, "rename one of them; the release must be derivable on macOS too");
    }
    return 0;
}

/* Whether `path` is `folder` or below it. */
static bool lies_in(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return len == 0 || (strncmp(path, folder, len) == 0 && (path[len] == '\0' || path[len] == '/'));
}

/* Keeps the list free of folders that lie in others of the list. */
static void add_folder(struct prov_list *folders, const char *folder)
{
    for (size_t i = 0; i < folders->count; i++) {
        if (lies_in(folder, folders->list[i]))
            return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < folders->count; i++) {
        if (lies_in(folders->list[i], folder))
            free(folders->list[i]);
        else
            folders->list[kept++] = folders->list[i];
    }
    folders->count = kept;
    prov_list_add(folders, folder);
}

static void collect_folders(struct prov_list *folders, const struct recipe *recipe)
{
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        const struct recipe_artifact *artifact = &recipe->artifacts[i];
        for (size_t k = 0; k < artifact->sources_count; k++) {
            const char *path = artifact->source_paths[k];
            own_mem char *folder = fs_path_folder(path);
            add_folder(folders, folder);
        }
        for (size_t k = 0; k < artifact->include_paths_count; k++)
            add_folder(folders, artifact->include_paths[k]);
    }
}

/* Names the submodule that a path lies in, if it does. */
static int explain_missing(struct release *release, const char *path, struct fail *fail)
{
    own_mem char *part = text_copy(path);
    for (char *slash = strrchr(part, '/'); slash != NULL; slash = strrchr(part, '/')) {
        *slash = '\0';
        struct odb_entry entry;
        int found = odb_tree_find(&entry, release->odb, &release->commit.tree, part, fail);
        if (found < 0)
            return -1;
        if (found > 0 && entry.mode == ODB_MODE_SUBMODULE)
            return fail_set(fail, FAIL_INPUT, "source '%s' lies in the submodule '%s'", path, part);
    }
    fail_set(fail, FAIL_INPUT, "source '%s' is not in the tree of commit %s", path,
             release->record.commit);
    return fail_hint(fail, "hallmark reads the revision, not the working tree: commit the file");
}

static int check_source(struct release *release, const char *path, struct fail *fail)
{
    struct odb_entry entry;
    int found = odb_tree_find(&entry, release->odb, &release->commit.tree, path, fail);
    if (found < 0)
        return -1;
    if (found == 0)
        return explain_missing(release, path, fail);
    if (entry.mode == ODB_MODE_SUBMODULE)
        return fail_set(fail, FAIL_INPUT, "source '%s' is a submodule", path);
    if (entry.mode == ODB_MODE_TREE)
        return fail_set(fail, FAIL_INPUT, "source '%s' is a directory", path);
    if (entry.mode == ODB_MODE_LINK)
        return fail_set(fail, FAIL_INPUT, "source '%s' is a symbolic link", path);
    own_buf struct buf bytes = {0};
    if (odb_blob_read(&bytes, release->odb, &entry.id, CHECKOUT_FILE_MAX, fail) < 0)
        return fail_while(fail, "reading source '%s'", path);
    if (strncmp(buf_text(&bytes), LFS_POINTER_START, sizeof LFS_POINTER_START - 1) == 0) {
        fail_set(fail, FAIL_INPUT, "source '%s' is a git LFS pointer, its content is not in git",
                 path);
        return fail_hint(fail, "store sources in git itself");
    }
    return 0;
}

static int check_sources(struct release *release, struct fail *fail)
{
    const struct recipe *recipe = &release->recipe;
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        for (size_t k = 0; k < recipe->artifacts[i].sources_count; k++) {
            if (check_source(release, recipe->artifacts[i].source_paths[k], fail) < 0)
                return fail_while(fail, "checking the sources of artifact '%s'",
                                  recipe->artifacts[i].name);
        }
    }
    return 0;
}

static int checkout_folder(struct checkout *checkout, const char *folder, struct fail *fail)
{
    struct release *release = checkout->release;
    if (*folder == '\0')
        return write_tree(checkout, &release->commit.tree, "", 0, fail);
    struct odb_entry entry;
    int found = odb_tree_find(&entry, release->odb, &release->commit.tree, folder, fail);
    if (found < 0)
        return -1;
    if (found == 0 || entry.mode != ODB_MODE_TREE)
        return fail_set(fail, FAIL_INPUT, "'%s' is not a directory in the tree of commit %s",
                        folder, release->record.commit);
    if (note_path(checkout, folder, fail) < 0)
        return -1;
    return write_tree(checkout, &entry.id, folder, 0, fail);
}

static int checkout_sources(struct release *release, struct fail *fail)
{
    own_checkout struct checkout checkout = {.fd = -1, .folder_fd = -1};
    own_prov_list struct prov_list folders = {0};
    if (checkout_open(&checkout, release, WORK_TREE, fail) < 0)
        return -1;
    collect_folders(&folders, &release->recipe);
    for (size_t i = 0; i < folders.count; i++) {
        if (checkout_folder(&checkout, folders.list[i], fail) < 0)
            return -1;
    }
    return refuse_collisions(&checkout, fail);
}

static int sdk_from_tree(struct checkout *checkout, struct fail *fail)
{
    struct release *release = checkout->release;
    const char *path = release->toolchain.sdk.path;
    struct odb_entry entry;
    int found = odb_tree_find(&entry, release->odb, &release->commit.tree, path, fail);
    if (found < 0)
        return -1;
    if (found == 0 || entry.mode != ODB_MODE_TREE)
        return fail_set(fail, FAIL_INPUT,
                        "SDK '%s' of toolchain '%s' is not a directory in the tree of commit %s",
                        path, release->toolchain.name, release->record.commit);
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, &entry.id);
    release->record.sdk_tree = text_copy(hex);
    return write_tree(checkout, &entry.id, "", 0, fail);
}

static int sdk_from_data(struct checkout *checkout, struct fail *fail)
{
    own_mem char *path =
        text_printf("%s/%s", datadir_path(), checkout->release->toolchain.sdk.path);
    own_fd int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail_errno(fail, "cannot open the SDK '%s'", path);
    own_fs_listing struct fs_listing listing = {0};
    if (fs_list(&listing, fd, CHECKOUT_FILES_MAX, fail) < 0)
        return fail_while(fail, "listing the SDK '%s'", path);
    for (size_t i = 0; i < listing.count; i++) {
        const struct fs_entry *entry = &listing.list[i];
        if (note_path(checkout, entry->path, fail) < 0)
            return -1;
        if (entry->kind == FS_DIRECTORY)
            continue;
        own_buf struct buf bytes = {0};
        if (fs_read_at(&bytes, fd, entry->path, CHECKOUT_FILE_MAX, fail) < 0 ||
            write_file(checkout, entry->path, &bytes, 0644, fail) < 0)
            return fail_while(fail, "copying the SDK '%s'", path);
    }
    return 0;
}

/* An SDK that does not come from the revision must be the one that the release was made with. */
static int expect_sdk(struct release *release, struct fail *fail)
{
    const struct provenance *expected = release->request->expected;
    const char *found = release->record.sdk_sha256;
    if (expected == NULL || strcmp(expected->sdk_sha256, found) == 0)
        return 0;
    fail_set(fail, FAIL_PIN, "the SDK of toolchain '%s' installed here has SHA-256 %s, expected %s",
             release->toolchain.name, found, expected->sdk_sha256);
    release->toolchain_missing = true;
    if (release->toolchain.family == TOOLCHAIN_LLVM)
        return fail_hint(
            fail, "install the hallmark that made the release, or set HALLMARK_DATA to its data");
    return fail_hint(fail, "install package '%s' %s anew: its SDK was changed",
                     release->toolchain.package.id, release->toolchain.package.version);
}

/* Apple's SDK stays where it is: the pin stage has read and proven it. */
static int record_apple_sdk(struct release *release, struct fail *fail)
{
    static const char kind[] = "sha256:";
    const char *digest = release->pin.apple.sdk_contents;
    if (digest == NULL || strncmp(digest, kind, strlen(kind)) != 0)
        return fail_set(fail, FAIL_BUG, "the digest of the SDK '%s' is not known",
                        release->toolchain.sdk.name);
    release->record.sdk_sha256 = text_copy(digest + strlen(kind));
    return expect_sdk(release, fail);
}

static int checkout_sdk(struct release *release, struct fail *fail)
{
    bool apple = release->toolchain.family == TOOLCHAIN_APPLE;
    if (release->request->without_toolchain && (apple || release->toolchain_installed))
        return 0; /* it is part of what is missing */
    if (apple)
        return record_apple_sdk(release, fail);
    own_checkout struct checkout checkout = {.fd = -1, .folder_fd = -1};
    if (checkout_open(&checkout, release, WORK_SDK, fail) < 0)
        return -1;
    int result = release->toolchain_installed ? sdk_from_data(&checkout, fail)
                                              : sdk_from_tree(&checkout, fail);
    if (result < 0 || refuse_collisions(&checkout, fail) < 0)
        return -1;
    if (checkout.sums.count == 0)
        return fail_set(fail, FAIL_INPUT, "SDK '%s' of toolchain '%s' is empty",
                        release->toolchain.sdk.path, release->toolchain.name);
    own_buf struct buf text = {0};
    sums_print(&text, &checkout.sums);
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, text.data, text.len);
    release->record.sdk_sha256 = text_copy(digest);
    return release->toolchain_installed ? expect_sdk(release, fail) : 0;
}

int stage_checkout(struct release *release, struct fail *fail)
{
    progress_stage(release->request->progress, "checkout", "sources and SDK");
    if (check_sources(release, fail) < 0)
        return -1;
    if (checkout_sources(release, fail) < 0 || checkout_sdk(release, fail) < 0)
        return fail_while(fail, "checking out commit %s", release->record.commit);
    return 0;
}
