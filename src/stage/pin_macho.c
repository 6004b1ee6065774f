#include "stage/pin_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/own.h"
#include "macho/fat.h"
#include "macho/image.h"

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? text_copy(".") : mem_copy(path, (size_t)(slash - path));
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* A path with @loader_path or @executable_path in front; NULL when it begins with neither "/". */
static char *expand(const char *path, const char *loader, const char *program)
{
    static const char at_loader[] = "@loader_path/";
    static const char at_program[] = "@executable_path/";
    const char *anchor = NULL;
    size_t skip = 0;
    if (strncmp(path, at_loader, strlen(at_loader)) == 0) {
        anchor = loader;
        skip = strlen(at_loader);
    } else if (strncmp(path, at_program, strlen(at_program)) == 0) {
        anchor = program;
        skip = strlen(at_program);
    }
    if (anchor == NULL)
        return path[0] == '/' ? text_copy(path) : NULL;
    own_mem char *directory = directory_of(anchor);
    return text_printf("%s/%s", directory, path + skip);
}

/* The real path of a library, NULL when it is no file. */
static char *resolve(const struct image *image, const char *path, const char *loader,
                     const char *program)
{
    if (strncmp(path, "@rpath/", 7) != 0) {
        own_mem char *plain = expand(path, loader, program);
        return plain == NULL ? NULL : realpath(plain, NULL);
    }
    for (uint32_t i = 0; i < image->rpath_count; i++) {
        own_mem char *rpath = expand(image->rpaths[i].path, loader, program);
        if (rpath == NULL)
            continue;
        own_mem char *candidate = text_printf("%s/%s", rpath, path + 7);
        char *real = realpath(candidate, NULL);
        if (real != NULL)
            return real;
    }
    /* The run path of the program counts too; toolchains keep their libraries in ../lib. */
    own_mem char *directory = directory_of(program);
    own_mem char *candidate = text_printf("%s/../lib/%s", directory, path + 7);
    return realpath(candidate, NULL);
}

static int add_libraries(struct pin_program *program, const char *file, struct fail *fail)
{
    own_fs_map struct fs_map map = {0};
    own_fat struct fat fat = {0};
    if (fs_map_open(&map, file, fail) < 0 || fat_open(&fat, map.view, fail) < 0)
        return fail_while(fail, "reading '%s'", file);
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        own_image struct image image = {0};
        if (image_open_any(&image, fat.slices[i].data, fail) < 0)
            return fail_while(fail, "reading '%s'", file);
        for (uint32_t j = 0; j < image.library_count; j++) {
            const char *path = image.libraries[j].path;
            own_mem char *real = resolve(&image, path, file, program->real_path);
            if (real != NULL)
                pin_files_add(program, real, pin_files_is_own(base_name(real)));
            else if (pin_files_is_own(base_name(path)) && program->problem == NULL)
                program->problem = text_printf("%s, which it loads, is not there", path);
        }
    }
    return 0;
}

int pin_macho_libraries(struct pin_program *program, struct fail *fail)
{
    /* The list grows while it is walked: libraries load libraries. */
    for (size_t i = 0; i < program->files_count; i++) {
        own_mem char *path = text_copy(program->files[i].path);
        if (add_libraries(program, path, fail) < 0)
            return -1;
    }
    return 0;
}
