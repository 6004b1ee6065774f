#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/plist.h"

/* "UUID" in ASCII codes: what codesign puts between a name and the UUID behind it. */
#define UUID_MARK "55554944"

#define COMMON_HEADER_LEN 28u

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int need_identifier(struct fail *fail, const char *why)
{
    fail_set(fail, FAIL_INPUT, "there is no default identifier: %s", why);
    return fail_hint(fail, "give one with --identifier");
}

/* CFBundleIdentifier of the embedded Info.plist; NULL when there is none. Free the text. */
static char *bundle_identifier(const struct image *image)
{
    own_fail struct fail fail = {0};
    own_plist struct plist list = {0};
    const struct image_section *section = image_section(image, "__TEXT", "__info_plist");
    if (!section || plist_parse(&list, image_section_data(image, section), &fail) < 0)
        return NULL;
    const struct plist_node *node = plist_get(&list, "CFBundleIdentifier");
    if (!node || node->type != PLIST_STRING || node->bytes[0] == '\0')
        return NULL;
    return text_copy(node->bytes);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * The name that codesign makes of a file's: without its last extension, unless that begins with a
 * digit, and without version numbers behind the first one: libfoo.dylib: libfoo, libz.1.2.3.dylib:
 * libz.1, libfoo7.3.dylib: libfoo7, tool.9: tool.9.
 */
static char *canonical_name(const char *base)
{
    size_t len = strlen(base);
    const char *dot = strrchr(base, '.');
    if (dot && dot[1] != '\0' && !is_digit(dot[1]))
        len = (size_t)(dot - base);
    if (len > 0 && !is_digit(base[0]) && base[0] != '.') {
        size_t end = len;
        while (end > 0 && (is_digit(base[end - 1]) || base[end - 1] == '.'))
            end--;
        if (end < len && base[end] == '.')
            end++;
        while (end < len && is_digit(base[end]))
            end++;
        len = end;
    }
    return text_printf("%.*s", (int)len, base);
}

/* What tells images of the same name apart: LC_UUID, or else the header's 28 bytes that both word
 * sizes have and all load commands, a present LC_CODE_SIGNATURE included. */
static char *unique_name(const struct image *image)
{
    char hex[2 * DIGEST_MAX + 1] = "";
    if (image->has_uuid) {
        text_hex(hex, image->uuid, sizeof(image->uuid));
        return text_printf(UUID_MARK "%s", hex);
    }
    struct view commands = {0};
    own_digest struct digest digest = {0};
    uint8_t hash[DIGEST_MAX] = {0};
    (void)view_slice(&commands, image->file, image->header_size, image->commands_size);
    digest_start(&digest, DIGEST_SHA1);
    digest_update(&digest, image->file.data, COMMON_HEADER_LEN);
    digest_update(&digest, commands.data, (size_t)commands.len);
    digest_finish(hash, &digest);
    text_hex(hex, hash, SHA1_LEN);
    return text_copy(hex);
}

static int codesign_identifier(char **out, const struct image *image, const char *file_name,
                               struct fail *fail)
{
    *out = bundle_identifier(image);
    if (*out && strchr(*out, '.'))
        return 0;
    if (!*out && !file_name)
        return need_identifier(fail, "the file has no name");
    own_mem char *name = *out ? steal_mem(out) : canonical_name(base_name(file_name));
    if (strchr(name, '.')) {
        *out = steal_mem(&name);
        return 0;
    }
    own_mem char *unique = unique_name(image);
    *out = text_printf("%s-%s", name, unique);
    return 0;
}

/* Returns the identifier of a present linker's signature; NULL when there is none. */
static char *present_identifier(const struct image *image)
{
    own_codesig struct codesig sig = {0};
    if (!adhoc_linker_signature(&sig, image) || codesig_best(&sig)->identifier[0] == '\0')
        return NULL;
    return text_copy(codesig_best(&sig)->identifier);
}

int adhoc_default_identifier(char **out, const struct image *image,
                             const struct adhoc_options *options, bool lld_layout,
                             struct fail *fail)
{
    if (options->style == ADHOC_CODESIGN)
        return codesign_identifier(out, options->lead ? options->lead : image, options->file_name,
                                   fail);
    *out = present_identifier(image);
    if (*out)
        return 0;
    if (lld_layout && image->id.path && base_name(image->id.path)[0] != '\0')
        *out = text_copy(base_name(image->id.path));
    else if (adhoc_is_go(image))
        *out = text_copy("a.out");
    else if (options->file_name)
        *out = text_copy(base_name(options->file_name));
    else
        return need_identifier(fail, "the file has no name");
    return 0;
}
