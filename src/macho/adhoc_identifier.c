#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/plist.h"

/* "UUID" in ASCII codes: what codesign puts between a name and the UUID behind it. */
#define UUID_MARK "55554944"

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

static int codesign_identifier(char **out, const struct image *image, const char *file_name,
                               struct fail *fail)
{
    *out = bundle_identifier(image);
    if (*out)
        return 0;
    if (!file_name)
        return need_identifier(fail, "the file has no name");
    const char *base = base_name(file_name);
    const char *dot = strrchr(base, '.');
    /* The dot of a hidden file begins a name, not an extension. */
    int stem_len = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    own_mem char *stem = text_printf("%.*s", stem_len, base);
    if (strchr(stem, '.')) {
        *out = steal_mem(&stem);
        return 0;
    }
    if (!image->has_uuid)
        return need_identifier(fail, "the file has no LC_UUID");
    char hex[2 * sizeof(image->uuid) + 1] = "";
    text_hex(hex, image->uuid, sizeof(image->uuid));
    *out = text_printf("%s-" UUID_MARK "%s", stem, hex);
    return 0;
}

/* Returns the identifier of a present linker's signature; NULL when there is none. */
static char *present_identifier(const struct image *image)
{
    own_fail struct fail fail = {0};
    own_codesig struct codesig sig = {0};
    if (!image_has(&image->code_signature) ||
        codesig_read(&sig, image_range_data(image, &image->code_signature), &fail) < 0 ||
        codesig_kind(&sig) != CODESIG_LINKER || codesig_best(&sig)->identifier[0] == '\0')
        return NULL;
    return text_copy(codesig_best(&sig)->identifier);
}

int adhoc_default_identifier(char **out, const struct image *image,
                             const struct adhoc_options *options, bool lld_layout,
                             struct fail *fail)
{
    if (options->style == ADHOC_CODESIGN)
        return codesign_identifier(out, image, options->file_name, fail);
    *out = present_identifier(image);
    if (*out)
        return 0;
    if (lld_layout && image->id.path && base_name(image->id.path)[0] != '\0')
        *out = text_copy(base_name(image->id.path));
    else if (options->file_name)
        *out = text_copy(base_name(options->file_name));
    else
        return need_identifier(fail, "the file has no name");
    return 0;
}
