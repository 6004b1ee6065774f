#include "stage/pin_sdk.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "port/digest.h"
#include "port/json.h"

#define SWIFT_FOLDER ".swiftmodule"

void pin_sdk_settings(char **version, char **digest, char **problem, const char *sdk)
{
    own_fail struct fail why = {0};
    own_mem char *path = text_printf("%s/" PIN_SDK_SETTINGS, sdk);
    own_buf struct buf text = {0};
    own_json json_t *doc = NULL;
    if (fs_read(&text, path, PIN_SDK_SETTINGS_MAX, &why) < 0 ||
        js_parse(&doc, (struct view){text.data, text.len}, path, &why) < 0) {
        if (problem != NULL && *problem == NULL)
            *problem = text_copy(why.message);
        return;
    }
    const char *found = js_get_text(doc, "Version");
    *version = found == NULL ? NULL : text_clean(found);
    char hex[SHA256_HEX];
    digest_sha256_hex(hex, text.data, text.len);
    if (digest != NULL)
        *digest = text_printf("sha256:%s", hex);
}

/* The manual, and what the Swift compiler alone reads: usr/share and folders *.swiftmodule. */
static bool is_left_out(const char *path)
{
    if (strncmp(path, "usr/share", 9) == 0 && (path[9] == '/' || path[9] == '\0'))
        return true;
    for (const char *at = strstr(path, SWIFT_FOLDER); at != NULL;
         at = strstr(at + 1, SWIFT_FOLDER)) {
        char behind = at[strlen(SWIFT_FOLDER)];
        if (behind == '/' || behind == '\0')
            return true;
    }
    return false;
}

static int add_link(struct digest *digest, int fd, const struct fs_entry *entry, struct fail *fail)
{
    char target[PATH_MAX];
    ssize_t len = readlinkat(fd, entry->path, target, sizeof target);
    if (len < 0)
        return fail_errno(fail, "cannot read the link '%s'", entry->path);
    if ((size_t)len == sizeof target || memchr(target, '\n', (size_t)len) != NULL)
        return fail_set(fail, FAIL_INPUT, "the link '%s' leads to no plain path", entry->path);
    own_mem char *line = text_printf("%.*s -> %s\n", (int)len, target, entry->path);
    digest_update(digest, line, strlen(line));
    return 0;
}

static int add_file(struct digest *digest, int fd, const struct fs_entry *entry, struct fail *fail)
{
    char hex[SHA256_HEX];
    own_fd int file = openat(fd, entry->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return fail_errno(fail, "cannot open '%s'", entry->path);
    if (digest_fd(hex, file, entry->path, fail) < 0)
        return -1;
    own_mem char *line = text_printf("%s  %s\n", hex, entry->path);
    digest_update(digest, line, strlen(line));
    return 0;
}

static int add_entry(struct digest *digest, int fd, const struct fs_entry *entry, struct fail *fail)
{
    if (entry->kind == FS_DIRECTORY || is_left_out(entry->path))
        return 0;
    if (strchr(entry->path, '\n') != NULL)
        return fail_set(fail, FAIL_INPUT, "a file name has a line end");
    switch (entry->kind) {
    case FS_FILE:
        return add_file(digest, fd, entry, fail);
    case FS_SYMLINK:
        return add_link(digest, fd, entry, fail);
    case FS_DIRECTORY:
    case FS_OTHER:
        break;
    }
    return fail_set(fail, FAIL_INPUT, "'%s' is neither a file nor a link", entry->path);
}

int pin_sdk_contents(char **digest, const char *sdk, struct fail *fail)
{
    own_fs_listing struct fs_listing listing = {0};
    own_digest struct digest text = {0};
    uint8_t sum[SHA256_LEN];
    char hex[SHA256_HEX];
    own_fd int fd = open(sdk, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail_errno(fail, "cannot open the SDK '%s'", sdk);
    if (fs_list(&listing, fd, PIN_SDK_FILES_MAX, fail) < 0)
        return fail_while(fail, "listing the SDK '%s'", sdk);
    digest_start(&text, DIGEST_SHA256);
    for (size_t i = 0; i < listing.count; i++)
        if (add_entry(&text, fd, &listing.list[i], fail) < 0)
            return fail_while(fail, "reading the SDK '%s'", sdk);
    digest_finish(sum, &text);
    text_hex(hex, sum, sizeof sum);
    *digest = text_printf("sha256:%s", hex);
    return 0;
}
