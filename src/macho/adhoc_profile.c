#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "macho/adhoc_parts.h"
#include "macho/plist.h"

/* Versions of Apple's linker (major number) from which on it states something else. */
#define LD_ALIGNS_SPACE    951u
#define LD_STATES_TEXT_LEN 1015u

#define VERSION_DEFAULT      0x20400u
#define VERSION_NO_EXEC      0x20100u /* without an execution segment */
#define LLD_DIRECTORY_OFFSET 24u

void adhoc_profile_release(struct adhoc_profile *profile)
{
    own_release_mem(&profile->identifier);
    own_release_mem(&profile->team);
    for (size_t i = 0; i < profile->item_count; i++)
        buf_release(&profile->items[i].bytes);
    *profile = (struct adhoc_profile){0};
}

struct adhoc_item *adhoc_profile_add(struct adhoc_profile *profile, uint32_t slot)
{
    size_t index = profile->item_count++;
    profile->order[index] = index;
    profile->items[index] = (struct adhoc_item){.slot = slot};
    return &profile->items[index];
}

/* Appends a blob with its header. */
static void add_blob(struct adhoc_profile *profile, uint32_t slot, uint32_t magic, const void *data,
                     size_t len)
{
    struct buf *bytes = &adhoc_profile_add(profile, slot)->bytes;
    buf_u32be(bytes, magic);
    buf_u32be(bytes, (uint32_t)(CODESIG_BLOB_LEN + len));
    if (len > 0)
        buf_append(bytes, data, len);
}

static uint64_t text_file_size(const struct image *image)
{
    const struct image_segment *text = image_segment(image, "__TEXT");
    return text ? text->file_size : 0;
}

uint64_t adhoc_text_section_size(const struct image *image)
{
    /* A section can name a segment that is not there. */
    const struct image_segment *segment = image_segment(image, "__TEXT");
    const struct image_section *text = image_section(image, "__TEXT", "__text");
    return segment && text ? text->size : text_file_size(image);
}

void adhoc_exec_segment(struct adhoc_directory *directory, const struct image *image)
{
    const struct image_segment *text = image_segment(image, "__TEXT");
    directory->exec_base = text ? text->offset : 0;
    directory->exec_limit = text_file_size(image);
    directory->exec_flags = image->filetype == MH_EXECUTE ? CODESIG_EXEC_MAIN_BINARY : 0;
}

/* Slot 1 of a bare file seals its embedded Info.plist. */
void adhoc_seal_info_plist(struct adhoc_directory *directory, const struct image *image)
{
    const struct image_section *section = image_section(image, "__TEXT", "__info_plist");
    if (section)
        codesig_hash_bytes(directory->special[CODESIG_SLOT_INFO], directory->hash_type,
                           image_section_data(image, section));
}

static void choose_by_linker(struct adhoc_profile *profile, bool *lld_layout,
                             const struct image *image)
{
    struct adhoc_directory *directory = &profile->directories[0];
    struct image_tool linker = {0};
    profile->space = ADHOC_SPACE_EXACT;
    if (!adhoc_find_linker(&linker, image))
        return;
    uint32_t major = linker.version >> 16;
    bool stripped = linker.tool != ADHOC_TOOL_ZIG && adhoc_is_stripped(image);
    *lld_layout = linker.tool == ADHOC_TOOL_LLD && !stripped;
    if (linker.tool == ADHOC_TOOL_ZIG || stripped ||
        (linker.tool == ADHOC_TOOL_LD && major >= LD_ALIGNS_SPACE))
        profile->space = ADHOC_SPACE_ALIGN8;
    if (linker.tool == ADHOC_TOOL_LD && !stripped && major >= LD_STATES_TEXT_LEN)
        directory->exec_limit = adhoc_text_section_size(image);
    if (linker.tool == ADHOC_TOOL_ZIG)
        directory->page_shift = 14;
}

/* Layout, execution limit and space as the linker of that file has them. */
static void choose_linker(struct adhoc_profile *profile, bool *lld_layout,
                          const struct image *image)
{
    struct adhoc_directory *directory = &profile->directories[0];
    own_codesig struct codesig present = {0};
    choose_by_linker(profile, lld_layout, image);
    directory->flags = CODESIG_FLAG_ADHOC | CODESIG_FLAG_LINKER_SIGNED;
    profile->exact_memory = !adhoc_is_stripped(image);
    adhoc_profile_add(profile, CODESIG_SLOT_DIRECTORY)->directory = directory;
    if (!adhoc_linker_signature(&present, image))
        return;
    /* What the last tool did outweighs who linked first: strip and objcopy sign again. */
    const struct codesig_directory *cd = codesig_best(&present);
    *lld_layout = cd->offset == LLD_DIRECTORY_OFFSET;
    directory->exec_limit = text_file_size(image);
    if (cd->exec_limit != directory->exec_limit && cd->exec_limit == adhoc_text_section_size(image))
        directory->exec_limit = cd->exec_limit;
    profile->space = ADHOC_SPACE_EXACT;
    if (!*lld_layout && image->code_signature.size != present.super_blob.len)
        profile->space = ADHOC_SPACE_ALIGN8;
}

/* lld puts the CodeDirectory and its hashes at multiples of 8 and 16. */
static void lay_out_lld(struct adhoc_profile *profile)
{
    struct adhoc_directory *directory = &profile->directories[0];
    uint64_t hashes = LLD_DIRECTORY_OFFSET + codesig_header_len(directory->version) +
                      strlen(profile->identifier) + 1;
    profile->items[0].gap = LLD_DIRECTORY_OFFSET - (CODESIG_SUPERBLOB_LEN + CODESIG_INDEX_LEN);
    directory->gap = adhoc_align_up(hashes, 16) - hashes;
}

static int choose_entitlements(struct adhoc_profile *profile, const struct image *image,
                               struct view xml, struct fail *fail)
{
    own_plist struct plist list = {0};
    own_buf struct buf der = {0};
    if (plist_parse_xml(&list, xml, fail) < 0 || plist_encode_der(&der, &list, fail) < 0)
        return fail_while(fail, "reading the entitlements");
    if (list.loose)
        return fail_set(fail, FAIL_INPUT, "the entitlements have %s", list.loose);
    add_blob(profile, CODESIG_SLOT_ENTITLEMENTS, CODESIG_MAGIC_ENTITLEMENTS, xml.data,
             (size_t)xml.len);
    add_blob(profile, CODESIG_SLOT_ENTITLEMENTS_DER, CODESIG_MAGIC_ENTITLEMENTS_DER, der.data,
             der.len);
    const struct plist_node *debug = plist_get(&list, "get-task-allow");
    bool debugged =
        debug && debug->type == PLIST_BOOL && debug->number && image->filetype == MH_EXECUTE;
    for (size_t i = 0; i < profile->directory_count; i++) {
        profile->directories[i].special_count = CODESIG_SLOT_ENTITLEMENTS_DER;
        if (debugged)
            profile->directories[i].exec_flags |= CODESIG_EXEC_ALLOW_UNSIGNED;
    }
    return 0;
}

/* Whether the oldest system that the image is for cannot do without SHA-1: it is then sealed
 * twice. codesign goes by the first platform that is stated. */
static bool needs_sha1(const struct image *image)
{
    if (image->build_count == 0)
        return true;
    const struct image_build *build = &image->builds[0];
    switch (build->platform) {
    case PLATFORM_MACOS:
        return build->min_os < (10u << 16 | 11u << 8 | 4u);
    case PLATFORM_IOS:
    case PLATFORM_TVOS:
        return build->min_os < 11u << 16;
    case PLATFORM_WATCHOS:
        return true;
    default:
        return false;
    }
}

static void choose_directories(struct adhoc_profile *profile, const struct image *image,
                               const struct adhoc_options *options)
{
    struct adhoc_directory *first = &profile->directories[0];
    first->flags = CODESIG_FLAG_ADHOC;
    first->special_count = CODESIG_SLOT_REQUIREMENTS;
    if (image->build_count == 0) {
        first->exec_base = 0;
        first->exec_limit = 0;
    }
    /* codesign takes the oldest version that has a field for all that it states. */
    if (first->exec_limit == 0)
        first->version = VERSION_NO_EXEC;
    if (needs_sha1(options->lead ? options->lead : image)) {
        profile->directories[profile->directory_count++] = *first;
        first->hash_type = CODESIG_HASH_SHA1;
    }
    for (size_t i = 0; i < profile->directory_count; i++)
        adhoc_seal_info_plist(&profile->directories[i], image);
}

static int choose_codesign(struct adhoc_profile *profile, const struct image *image,
                           const struct adhoc_options *options, struct fail *fail)
{
    static const uint8_t no_requirements[4] = {0};
    choose_directories(profile, image, options);
    profile->space = ADHOC_SPACE_RESERVED;
    adhoc_profile_add(profile, CODESIG_SLOT_DIRECTORY)->directory = &profile->directories[0];
    add_blob(profile, CODESIG_SLOT_REQUIREMENTS, CODESIG_MAGIC_REQUIREMENTS, no_requirements,
             sizeof(no_requirements));
    if (options->entitlements.data &&
        choose_entitlements(profile, image, options->entitlements, fail) < 0)
        return -1;
    for (size_t i = 1; i < profile->directory_count; i++)
        adhoc_profile_add(profile, CODESIG_SLOT_ALTERNATE + (uint32_t)i - 1)->directory =
            &profile->directories[i];
    add_blob(profile, CODESIG_SLOT_CMS, CODESIG_MAGIC_CMS, NULL, 0);
    return 0;
}

int adhoc_check_identifier(const char *identifier, struct fail *fail)
{
    size_t len = strlen(identifier);
    const char *problem =
        len == 0 ? "no characters" : utf8_problem((struct view){(const uint8_t *)identifier, len});
    if (problem != NULL) {
        fail_set(fail, FAIL_INPUT, "identifier '%s' has %s", identifier, problem);
        return fail_hint(fail, "name another, with --identifier");
    }
    if (len > ADHOC_IDENTIFIER_MAX)
        return fail_set(fail, FAIL_INPUT, "identifier is too long (%zu bytes, at most %u)", len,
                        ADHOC_IDENTIFIER_MAX);
    return 0;
}

static int check_options(const struct adhoc_options *options, struct fail *fail)
{
    if (options->style == ADHOC_LINKER && options->entitlements.data)
        return fail_set(fail, FAIL_INPUT,
                        "a linker's signature holds no entitlements; use style codesign");
    if (options->page_size == ADHOC_PAGE_SIZE_AUTO && options->style == ADHOC_LINKER)
        return fail_set(fail, FAIL_INPUT,
                        "an automatic page size is for style codesign; a linker has its own");
    if (options->page_size != 0 && options->page_size != ADHOC_PAGE_SIZE_AUTO &&
        options->page_size != 4096 && options->page_size != 16384)
        return fail_set(fail, FAIL_INPUT, "page size %" PRIu32 " is not 4096 or 16384",
                        options->page_size);
    return 0;
}

static uint8_t page_shift(const struct adhoc_options *options, const struct image *image)
{
    bool large = options->page_size == ADHOC_PAGE_SIZE_AUTO ? image->cputype == CPU_TYPE_ARM64
                                                            : options->page_size == 16384;
    return large ? 14 : 12;
}

int adhoc_profile_choose(struct adhoc_profile *out, const struct image *image,
                         const struct adhoc_options *options, struct fail *fail)
{
    bool lld_layout = false;
    *out = (struct adhoc_profile){.directory_count = 1};
    out->directories[0] = (struct adhoc_directory){
        .version = VERSION_DEFAULT, .hash_type = CODESIG_HASH_SHA256, .page_shift = 12};
    adhoc_exec_segment(&out->directories[0], image);
    if (check_options(options, fail) < 0)
        return -1;
    if (options->style == ADHOC_LINKER)
        choose_linker(out, &lld_layout, image);
    else if (choose_codesign(out, image, options, fail) < 0)
        return -1;
    for (size_t i = 0; options->page_size != 0 && i < out->directory_count; i++)
        out->directories[i].page_shift = page_shift(options, image);
    if (options->identifier)
        out->identifier = text_copy(options->identifier);
    else if (adhoc_default_identifier(&out->identifier, image, options, lld_layout, fail) < 0)
        return -1;
    if (lld_layout)
        lay_out_lld(out);
    return adhoc_check_identifier(out->identifier, fail);
}
