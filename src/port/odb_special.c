/*
 * Files of a repository that libgit2 opens and reads: a named pipe or a device among them would
 * keep it waiting without end. They are looked at before it gets to see them.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "port/odb_impl.h"

enum { CHAIN_MAX = 5, REFERENCE_MAX = 4096 };

/* 1: a regular file, 0: nothing to read there, -1: FAIL_INPUT. */
static int look(const char *path, struct fail *fail)
{
    struct stat info;
    if (stat(path, &info) < 0 || S_ISDIR(info.st_mode))
        return 0;
    if (S_ISREG(info.st_mode))
        return 1;
    return fail_set(fail, FAIL_INPUT, "'%s' of the repository is not a regular file", path);
}

int odb_refuse_special_files(const char *git_dir, struct fail *fail)
{
    static const char *const names[] = {
        "HEAD",        "config",  "config.worktree", "commondir",   "gitdir",
        "packed-refs", "shallow", "info/attributes", "info/grafts", "objects/info/alternates"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        own_mem char *path = text_printf("%s%s%s", git_dir,
                                         git_dir[strlen(git_dir) - 1] == '/' ? "" : "/", names[i]);
        if (look(path, fail) < 0)
            return -1;
    }
    return 0;
}

/* The file of a reference in one of the two directories, and what it points to in turn. */
static int look_at_reference(struct odb *odb, const char *directory, const char *name, int depth,
                             struct fail *fail)
{
    own_mem char *path = text_printf("%s%s", directory, name);
    own_buf struct buf text = {0};
    own_fail struct fail ignored = {0}; /* libgit2 reports what cannot be read */
    int there = look(path, fail);
    if (there <= 0 || depth >= CHAIN_MAX)
        return there < 0 ? -1 : 0;
    if (fs_read(&text, path, REFERENCE_MAX, &ignored) < 0 ||
        strncmp(buf_text(&text), "ref: ", 5) != 0)
        return 0;
    own_mem char *target = mem_copy(text.data + 5, strcspn(buf_text(&text) + 5, "\r\n"));
    if (!fs_path_contained(target))
        return 0;
    if (look_at_reference(odb, odb_git_dir(odb), target, depth + 1, fail) < 0)
        return -1;
    return look_at_reference(odb, odb_common_dir(odb), target, depth + 1, fail);
}

int odb_refuse_special_reference(struct odb *odb, const char *revision, struct fail *fail)
{
    static const char *const formats[][2] = {{"", ""},
                                             {"refs/", ""},
                                             {"refs/tags/", ""},
                                             {"refs/heads/", ""},
                                             {"refs/remotes/", ""},
                                             {"refs/remotes/", "/HEAD"}};
    size_t len = strcspn(revision, "^~:@{ ");
    own_mem char *base = len == 0 ? text_copy("HEAD") : mem_copy(revision, len);
    if (!fs_path_contained(base))
        return 0; /* no name of a reference; libgit2 says so */
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        own_mem char *name = text_printf("%s%s%s", formats[i][0], base, formats[i][1]);
        if (look_at_reference(odb, odb_git_dir(odb), name, 0, fail) < 0 ||
            look_at_reference(odb, odb_common_dir(odb), name, 0, fail) < 0)
            return -1;
    }
    return 0;
}
