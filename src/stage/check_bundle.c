#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
