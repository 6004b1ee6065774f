#include "macho/image_commands.h"

#include <inttypes.h>
#include <stdio.h>

#include "macho/arch.h"
#include "macho/image_parts.h"

#define DYLIB_USE_SIZE 28u /* where the path begins, when flags come before it */

void image_command_text(char out[IMAGE_COMMAND_TEXT_MAX], const struct image *image,
                        uint32_t command)
{
    uint32_t cmd = image->commands[command].cmd;
    const char *name = macho_command_name(cmd);
    if (name != NULL)
        (void)snprintf(out, IMAGE_COMMAND_TEXT_MAX, "load command %" PRIu32 " (%s)", command, name);
    else
        (void)snprintf(out, IMAGE_COMMAND_TEXT_MAX, "load command %" PRIu32 " (0x%" PRIx32 ")",
                       command, cmd);
}

int image_check_fields(const struct image_reading *r, struct fail *fail)
{
    if (!r->cursor.failed)
        return 0;
    return fail_set(fail, FAIL_INPUT, "%s is too short for its fields (it has %" PRIu64 " bytes)",
                    r->name, r->cursor.view.len);
}

int image_check_single(const struct image_reading *r, uint32_t earlier, struct fail *fail)
{
    if (earlier == IMAGE_NO_COMMAND)
        return 0;
    return fail_set(fail, FAIL_INPUT, "%s repeats load command %" PRIu32, r->name, earlier);
}

/* A string of a command: a field with its offset, then a NUL before the command ends. */
static const char *read_string(struct image_reading *r, uint32_t offset, struct fail *fail)
{
    const char *text = offset < 8 ? NULL : view_text(r->cursor.view, offset);
    if (text == NULL)
        fail_set(fail, FAIL_INPUT,
                 "%s: its text at offset %" PRIu32 " does not end inside the command", r->name,
                 offset);
    return text;
}

static int read_library(struct image_reading *r, enum library_kind kind, struct fail *fail)
{
    struct image *image = r->image;
    struct image_library library = {.command = r->command, .kind = kind};
    uint32_t offset = cursor_u32(&r->cursor);
    library.timestamp = cursor_u32(&r->cursor);
    library.current_version = cursor_u32(&r->cursor);
    library.compatibility_version = cursor_u32(&r->cursor);
    if (library.timestamp == DYLIB_USE_MARKER && offset == DYLIB_USE_SIZE)
        library.use_flags = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    library.path = read_string(r, offset, fail);
    if (library.path == NULL)
        return -1;
    if (kind == LIBRARY_ID) {
        if (image->id.path != NULL && image_check_single(r, image->id.command, fail) < 0)
            return -1;
        image->id = library;
        return 0;
    }
    image->libraries =
        mem_grow(image->libraries, image->library_count, r->libraries, sizeof *image->libraries);
    image->libraries[image->library_count++] = library;
    return 0;
}

static int read_rpath(struct image_reading *r, struct fail *fail)
{
    struct image *image = r->image;
    uint32_t offset = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    const char *path = read_string(r, offset, fail);
    if (path == NULL)
        return -1;
    image->rpaths = mem_grow(image->rpaths, image->rpath_count, r->rpaths, sizeof *image->rpaths);
    image->rpaths[image->rpath_count++] = (struct image_rpath){.command = r->command, .path = path};
    return 0;
}

static int read_dylinker(struct image_reading *r, struct fail *fail)
{
    uint32_t offset = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    if (r->image->dylinker != NULL)
        return fail_set(fail, FAIL_INPUT, "%s names a second dynamic linker", r->name);
    r->image->dylinker = read_string(r, offset, fail);
    return r->image->dylinker == NULL ? -1 : 0;
}

static void add_build(struct image_reading *r, const struct image_build *build)
{
    struct image *image = r->image;
    image->builds = mem_grow(image->builds, image->build_count, r->builds, sizeof *image->builds);
    image->builds[image->build_count++] = *build;
}

static int read_build_version(struct image_reading *r, struct fail *fail)
{
    struct image *image = r->image;
    struct image_build build = {.command = r->command, .first_tool = image->tool_count};
    build.platform = cursor_u32(&r->cursor);
    build.min_os = cursor_u32(&r->cursor);
    build.sdk = cursor_u32(&r->cursor);
    build.tool_count = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    if (build.tool_count > cursor_left(&r->cursor) / 8)
        return fail_set(fail, FAIL_INPUT, "%s counts %" PRIu32 " tools, but has room for %" PRIu64,
                        r->name, build.tool_count, cursor_left(&r->cursor) / 8);
    for (uint32_t i = 0; i < build.tool_count; i++) {
        image->tools = mem_grow(image->tools, image->tool_count, r->tools, sizeof *image->tools);
        struct image_tool *tool = &image->tools[image->tool_count++];
        tool->tool = cursor_u32(&r->cursor);
        tool->version = cursor_u32(&r->cursor);
    }
    add_build(r, &build);
    return 0;
}

static int read_version_min(struct image_reading *r, uint32_t platform, struct fail *fail)
{
    struct image_build build = {
        .command = r->command, .is_version_min = true, .platform = platform};
    build.min_os = cursor_u32(&r->cursor);
    build.sdk = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    add_build(r, &build);
    return 0;
}

static int read_uuid(struct image_reading *r, struct fail *fail)
{
    struct image *image = r->image;
    struct view bytes = cursor_bytes(&r->cursor, 16);
    if (image_check_fields(r, fail) < 0 ||
        image_check_single(r, image->has_uuid ? image->uuid_command : IMAGE_NO_COMMAND, fail) < 0)
        return -1;
    for (size_t i = 0; i < 16; i++)
        image->uuid[i] = bytes.data[i];
    image->has_uuid = true;
    image->uuid_command = r->command;
    return 0;
}

static int read_main(struct image_reading *r, struct fail *fail)
{
    struct image *image = r->image;
    if (image->has_main)
        return fail_set(fail, FAIL_INPUT, "%s states a second entry point", r->name);
    image->has_main = true;
    image->main_offset = cursor_u64(&r->cursor);
    image->main_stack_size = cursor_u64(&r->cursor);
    return image_check_fields(r, fail);
}

static int read_source_version(struct image_reading *r, struct fail *fail)
{
    struct image *image = r->image;
    if (image->has_source_version)
        return fail_set(fail, FAIL_INPUT, "%s states a second source version", r->name);
    image->has_source_version = true;
    image->source_version = cursor_u64(&r->cursor);
    return image_check_fields(r, fail);
}

static int read_other_command(struct image_reading *r, uint32_t cmd, struct fail *fail)
{
    switch (cmd) {
    case LC_SEGMENT:
    case LC_SEGMENT_64:
        return image_read_segment(r, fail);
    case LC_ID_DYLIB:
        return read_library(r, LIBRARY_ID, fail);
    case LC_LOAD_DYLIB:
        return read_library(r, LIBRARY_LOAD, fail);
    case LC_LOAD_WEAK_DYLIB:
        return read_library(r, LIBRARY_WEAK, fail);
    case LC_REEXPORT_DYLIB:
        return read_library(r, LIBRARY_REEXPORT, fail);
    case LC_LOAD_UPWARD_DYLIB:
        return read_library(r, LIBRARY_UPWARD, fail);
    case LC_LAZY_LOAD_DYLIB:
        return read_library(r, LIBRARY_LAZY, fail);
    case LC_RPATH:
        return read_rpath(r, fail);
    case LC_LOAD_DYLINKER:
    case LC_ID_DYLINKER:
        return read_dylinker(r, fail);
    case LC_BUILD_VERSION:
        return read_build_version(r, fail);
    case LC_VERSION_MIN_MACOSX:
        return read_version_min(r, PLATFORM_MACOS, fail);
    case LC_VERSION_MIN_IPHONEOS:
        return read_version_min(r, PLATFORM_IOS, fail);
    case LC_VERSION_MIN_TVOS:
        return read_version_min(r, PLATFORM_TVOS, fail);
    case LC_VERSION_MIN_WATCHOS:
        return read_version_min(r, PLATFORM_WATCHOS, fail);
    case LC_UUID:
        return read_uuid(r, fail);
    case LC_MAIN:
        return read_main(r, fail);
    case LC_SOURCE_VERSION:
        return read_source_version(r, fail);
    default:
        return 0; /* kept in the table of commands */
    }
}

int image_read_commands(struct image *image, struct fail *fail)
{
    size_t capacity[6] = {0};
    struct image_reading r = {.image = image,
                              .segments = &capacity[0],
                              .sections = &capacity[1],
                              .builds = &capacity[2],
                              .tools = &capacity[3],
                              .libraries = &capacity[4],
                              .rpaths = &capacity[5]};
    for (uint32_t i = 0; i < image->command_count; i++) {
        const struct load_command *command = &image->commands[i];
        struct view bytes = {0};
        if (!view_slice(&bytes, image->file, command->offset, command->size))
            return fail_set(fail, FAIL_BUG, "load command %" PRIu32 " was not checked", i);
        r.command = i;
        r.cursor = cursor_start(bytes, image->order);
        cursor_skip(&r.cursor, 8);
        image_command_text(r.name, image, i);
        int result = image_read_table(&r, command->cmd, fail);
        if (result > 0)
            result = read_other_command(&r, command->cmd, fail);
        if (result < 0)
            return -1;
    }
    return image_check_dysymtab(image, fail);
}
