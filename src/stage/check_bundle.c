#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "macho/codesig.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "stage/check_bundle.h"

void check_bundle_release(struct check_bundle *bundle)
{
    fs_map_release(&bundle->info_plist);
    fs_map_release(&bundle->resources);
    *bundle = (struct check_bundle){0};
}

/* Cuts the last component off and returns it; NULL when there is none left. */
static const char *pop(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    return slash + 1;
}

static bool is_bundle_name(const char *name)
{
    static const char *const endings[] = {
        ".app",    ".appex",    ".bundle", ".component",       ".dext",   ".framework", ".kext",
        ".plugin", ".prefPane", ".saver",  ".systemextension", ".xctest", ".xpc",
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(dot, endings[i]) == 0)
            return true;
    }
    return false;
}

/* The folder that holds _CodeSignature, and in *info the folder of Info.plist below it; NULL when
 * the file lies in no bundle. */
static char *find_root(const char **info, const char *real)
{
    own_mem char *path = text_copy(real);
    *info = "";
    if (pop(path) == NULL)
        return NULL;
    own_mem char *folder = text_copy(path);
    const char *last = pop(path);
    if (last == NULL)
        return NULL;
    if (is_bundle_name(last))
        return steal_mem(&folder);
    const char *second = pop(path);
    if (second == NULL)
        return NULL;
    if (strcmp(last, "MacOS") == 0 && strcmp(second, "Contents") == 0)
        return fs_path_folder(folder);
    const char *third = pop(path);
    if (strcmp(second, "Versions") == 0 && third != NULL && is_bundle_name(third)) {
        *info = "Resources/";
        return steal_mem(&folder);
    }
    return NULL;
}

static int map_if_there(bool *there, struct fs_map *out, const char *path, struct fail *fail)
{
    struct stat info;
    if (stat(path, &info) < 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return 0;
        return fail_errno(fail, "cannot look at '%s'", path);
    }
    if (fs_map_open(out, path, fail) < 0)
        return -1;
    *there = true;
    return 0;
}

int check_bundle_open(struct check_bundle *bundle, const char *path, struct fail *fail)
{
    const char *info = "";
    own_mem char *real = realpath(path, NULL);
    if (real == NULL)
        return fail_errno(fail, "cannot resolve '%s'", path);
    own_mem char *root = find_root(&info, real);
    if (root == NULL)
        return 0;
    bundle->there = true;
    own_mem char *info_plist = text_printf("%s/%sInfo.plist", root, info);
    own_mem char *resources = text_printf("%s/_CodeSignature/CodeResources", root);
    if (map_if_there(&bundle->has_info_plist, &bundle->info_plist, info_plist, fail) < 0 ||
        map_if_there(&bundle->has_resources, &bundle->resources, resources, fail) < 0)
        return fail_while(fail, "reading the bundle around '%s'", path);
    return 0;
}

static struct sigcheck_outside outside(const struct check_bundle *bundle, bool has,
                                       const struct fs_map *map)
{
    if (has)
        return (struct sigcheck_outside){SIGCHECK_GIVEN, map->view};
    return (struct sigcheck_outside){.state = bundle->there ? SIGCHECK_ABSENT : SIGCHECK_NOT_GIVEN};
}

void check_bundle_give(struct sigcheck_options *options, const struct check_bundle *bundle)
{
    options->info_plist = outside(bundle, bundle->has_info_plist, &bundle->info_plist);
    options->resources = outside(bundle, bundle->has_resources, &bundle->resources);
}

static int compare_slice(struct check_bundle_broken *out, const struct sigcheck_options *options,
                         struct view slice, struct fail *fail)
{
    own_image struct image image = {0};
    own_codesig struct codesig sig = {0};
    if (image_open_any(&image, slice, fail) < 0)
        return -1;
    if (!image_has(&image.code_signature))
        return 0;
    if (codesig_read(&sig, image_range_data(&image, &image.code_signature), fail) < 0)
        return -1;
    if (!sigcheck_slot_holds(&image, &sig, CODESIG_SLOT_INFO, options))
        out->info_plist = true;
    if (!sigcheck_slot_holds(&image, &sig, CODESIG_SLOT_RESOURCES, options))
        out->resources = true;
    return 0;
}

int check_bundle_compare(struct check_bundle_broken *out, const struct check_bundle *bundle,
                         struct view file, struct fail *fail)
{
    own_fat struct fat fat = {0};
    struct sigcheck_options options = {0};
    *out = (struct check_bundle_broken){0};
    check_bundle_give(&options, bundle);
    if (fat_open(&fat, file, fail) < 0)
        return -1;
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        if (compare_slice(out, &options, fat.slices[i].data, fail) < 0)
            return -1;
    }
    return 0;
}

/* ---- a bundle where a file is expected ------------------------------------------------------ */

static void close_directory(DIR **dir)
{
    if (*dir != NULL)
        closedir(*dir);
}

/* The name of the file in that folder that is called `name`, or is the only one; NULL when neither
 * is there. */
static char *obvious_file(DIR *folder, const char *name)
{
    own_mem char *only = NULL;
    size_t count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        struct stat info;
        if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISREG(info.st_mode))
            continue;
        if (strcmp(entry->d_name, name) == 0)
            return text_copy(name);
        if (count++ == 0)
            only = text_copy(entry->d_name);
    }
    return count == 1 ? steal_mem(&only) : NULL;
}

/* Where the Mach-O file of a bundle lies; NULL when it does not look like one from inside. */
static char *bundle_file(const char *path, const char *name)
{
    static const char *const folders[] = {"/Contents/MacOS", "/Versions/A",
                                          "/Contents/Resources/DWARF"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        own_mem char *folder = text_printf("%s%s", path, folders[i]);
        __attribute__((cleanup(close_directory))) DIR *dir = opendir(folder);
        if (dir == NULL)
            continue;
        own_mem char *file = obvious_file(dir, name);
        return text_printf("%s/%s", folder, file == NULL ? "..." : file);
    }
    /* A shallow one, as iOS has them, keeps its Info.plist beside the executable. */
    struct stat info;
    own_mem char *plist = text_printf("%s/Info.plist", path);
    own_mem char *file = text_printf("%s/%s", path, name);
    if (lstat(plist, &info) < 0)
        return NULL;
    return lstat(file, &info) == 0 && S_ISREG(info.st_mode) ? steal_mem(&file)
                                                            : text_printf("%s/...", path);
}

int check_bundle_refuse(const char *path, struct fail *fail)
{
    own_mem char *bundle = text_copy(path);
    struct stat info;
    for (size_t len = strlen(bundle); len > 1 && bundle[len - 1] == '/'; len--)
        bundle[len - 1] = '\0';
    const char *slash = strrchr(bundle, '/');
    own_mem char *name = text_copy(slash == NULL ? bundle : slash + 1);
    char *dot = strrchr(name, '.');
    if (dot == NULL || (!is_bundle_name(name) && strcmp(dot, ".dSYM") != 0) ||
        stat(bundle, &info) < 0 || !S_ISDIR(info.st_mode))
        return 0;
    *dot = '\0';
    own_mem char *file = bundle_file(bundle, name);
    if (file == NULL)
        return 0;
    return fail_set(fail, FAIL_INPUT, "'%s' is a bundle; give the Mach-O file in it, '%s'", path,
                    file);
}
