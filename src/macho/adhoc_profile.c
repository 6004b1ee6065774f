#include <inttypes.h>
#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/plist.h"

#define TOOL_LD  3u
#define TOOL_LLD 4u
#define TOOL_ZIG 5u

/* Versions of Apple's linker (major number) from which on it states something else. */
#define LD_ALIGNS_SPACE    955u
#define LD_STATES_TEXT_LEN 1015u

#define VERSION_DEFAULT 0x20400u
#define EXEC_OTHER      0x3e0u /* bits that entitlements of the OS set */

void adhoc_profile_release(struct adhoc_profile *profile)
{
    own_release_mem(&profile->identifier);
    own_release_mem(&profile->team);
    for (size_t i = 0; i < profile->blob_count; i++)
        buf_release(&profile->blobs[i].bytes);
    *profile = (struct adhoc_profile){0};
}

/* Appends a blob with its header. */
static void add_blob(struct adhoc_profile *profile, uint32_t slot, uint32_t magic, const void *data,
                     size_t len)
{
    struct adhoc_blob *blob = &profile->blobs[profile->blob_count++];
    *blob = (struct adhoc_blob){.slot = slot};
    buf_u32be(&blob->bytes, magic);
    buf_u32be(&blob->bytes, (uint32_t)(CODESIG_BLOB_LEN + len));
    if (len > 0)
        buf_append(&blob->bytes, data, len);
}

/* The linker that wrote the image; false when LC_BUILD_VERSION does not tell. */
static bool find_linker(struct image_tool *out, const struct image *image)
{
    for (uint32_t i = 0; i < image->tool_count; i++) {
        uint32_t tool = image->tools[i].tool;
        if (tool == TOOL_LD || tool == TOOL_LLD || tool == TOOL_ZIG) {
            *out = image->tools[i];
            return true;
        }
    }
    return false;
}

/* Reads the present signature; false when there is none that can be read. */
static bool read_present(struct codesig *out, const struct image *image)
{
    own_fail struct fail fail = {0};
    return image_has(&image->code_signature) &&
           codesig_read(out, image_range_data(image, &image->code_signature), &fail) == 0;
}

static uint64_t text_file_size(const struct image *image)
{
    const struct image_segment *text = image_segment(image, "__TEXT");
    return text ? text->file_size : 0;
}

static uint64_t text_section_size(const struct image *image)
{
    const struct image_section *text = image_section(image, "__TEXT", "__text");
    return text ? text->size : 0;
}

static void set_exec_segment(struct adhoc_directory *directory, const struct image *image)
{
    const struct image_segment *text = image_segment(image, "__TEXT");
    directory->exec_base = text ? text->offset : 0;
    directory->exec_limit = text_file_size(image);
    directory->exec_flags = image->filetype == MH_EXECUTE ? CODESIG_EXEC_MAIN_BINARY : 0;
}

/* Slot 1 of a bare file seals its embedded Info.plist. */
static void seal_info_plist(struct adhoc_directory *directory, const struct image *image)
{
    const struct image_section *section = image_section(image, "__TEXT", "__info_plist");
    if (section)
        codesig_hash_bytes(directory->special[CODESIG_SLOT_INFO], directory->hash_type,
                           image_section_data(image, section));
}

/* Layout, execution limit and space as the linker of that file has them. */
static void choose_linker(struct adhoc_profile *profile, const struct image *image)
{
    struct adhoc_directory *directory = &profile->directories[0];
    struct image_tool linker = {0};
    own_codesig struct codesig present = {0};
    profile->space = ADHOC_SPACE_EXACT;
    if (find_linker(&linker, image)) {
        uint32_t major = linker.version >> 16;
        profile->lld_layout = linker.tool == TOOL_LLD;
        if (linker.tool == TOOL_ZIG || (linker.tool == TOOL_LD && major >= LD_ALIGNS_SPACE))
            profile->space = ADHOC_SPACE_ALIGN8;
        if (linker.tool == TOOL_LD && major >= LD_STATES_TEXT_LEN)
            directory->exec_limit = text_section_size(image);
        if (linker.tool == TOOL_ZIG)
            directory->page_shift = 14;
    }
    if (!read_present(&present, image) || codesig_kind(&present) != CODESIG_LINKER)
        return;
    /* What the last tool did outweighs who linked first: strip and objcopy sign again. */
    const struct codesig_directory *cd = codesig_best(&present);
    profile->lld_layout = cd->offset == 24;
    if (profile->lld_layout)
        profile->space = ADHOC_SPACE_EXACT;
    directory->exec_limit = text_file_size(image);
    if (cd->exec_limit != directory->exec_limit && cd->exec_limit == text_section_size(image))
        directory->exec_limit = cd->exec_limit;
    if (!profile->lld_layout && image->code_signature.size != present.super_blob.len)
        profile->space = ADHOC_SPACE_ALIGN8;
}

static int choose_entitlements(struct adhoc_profile *profile, const struct image *image,
                               struct view xml, struct fail *fail)
{
    struct adhoc_directory *directory = &profile->directories[0];
    own_plist struct plist list = {0};
    own_buf struct buf der = {0};
    if (plist_parse_xml(&list, xml, fail) < 0 || plist_encode_der(&der, &list, fail) < 0)
        return fail_while(fail, "reading the entitlements");
    add_blob(profile, CODESIG_SLOT_ENTITLEMENTS, CODESIG_MAGIC_ENTITLEMENTS, xml.data,
             (size_t)xml.len);
    add_blob(profile, CODESIG_SLOT_ENTITLEMENTS_DER, CODESIG_MAGIC_ENTITLEMENTS_DER, der.data,
             der.len);
    directory->special_count = CODESIG_SLOT_ENTITLEMENTS_DER;
    const struct plist_node *debug = plist_get(&list, "get-task-allow");
    if (debug && debug->type == PLIST_BOOL && debug->number && image->filetype == MH_EXECUTE)
        directory->exec_flags |= CODESIG_EXEC_ALLOW_UNSIGNED;
    return 0;
}

static int choose_codesign(struct adhoc_profile *profile, const struct image *image,
                           const struct adhoc_options *options, struct fail *fail)
{
    static const uint8_t no_requirements[4] = {0};
    struct adhoc_directory *directory = &profile->directories[0];
    directory->flags = CODESIG_FLAG_ADHOC;
    directory->special_count = CODESIG_SLOT_REQUIREMENTS;
    seal_info_plist(directory, image);
    profile->space = ADHOC_SPACE_RESERVED;
    add_blob(profile, CODESIG_SLOT_REQUIREMENTS, CODESIG_MAGIC_REQUIREMENTS, no_requirements,
             sizeof(no_requirements));
    if (options->entitlements.data &&
        choose_entitlements(profile, image, options->entitlements, fail) < 0)
        return -1;
    add_blob(profile, CODESIG_SLOT_CMS, CODESIG_MAGIC_CMS, NULL, 0);
    return 0;
}

static int check_identifier(const char *identifier, struct fail *fail)
{
    size_t len = strlen(identifier);
    bool printable = len > 0;
    for (size_t i = 0; i < len; i++)
        printable = printable && (unsigned char)identifier[i] >= 0x20 && identifier[i] != 0x7f;
    if (!printable)
        return fail_set(fail, FAIL_INPUT, "identifier '%s' is empty or has control characters",
                        identifier);
    if (len > ADHOC_IDENTIFIER_MAX)
        return fail_set(fail, FAIL_INPUT, "identifier is too long (%zu bytes, at most %u)", len,
                        ADHOC_IDENTIFIER_MAX);
    return 0;
}

int adhoc_profile_choose(struct adhoc_profile *out, const struct image *image,
                         const struct adhoc_options *options, struct fail *fail)
{
    *out = (struct adhoc_profile){.directory_count = 1};
    struct adhoc_directory *directory = &out->directories[0];
    *directory = (struct adhoc_directory){
        .version = VERSION_DEFAULT, .hash_type = CODESIG_HASH_SHA256, .page_shift = 12};
    set_exec_segment(directory, image);
    if (options->style == ADHOC_LINKER) {
        if (options->entitlements.data)
            return fail_set(fail, FAIL_INPUT,
                            "a linker's signature holds no entitlements; use style codesign");
        directory->flags = CODESIG_FLAG_ADHOC | CODESIG_FLAG_LINKER_SIGNED;
        choose_linker(out, image);
    } else if (choose_codesign(out, image, options, fail) < 0) {
        return -1;
    }
    if (options->page_size != 0 && options->page_size != 4096 && options->page_size != 16384)
        return fail_set(fail, FAIL_INPUT, "page size %" PRIu32 " is not 4096 or 16384",
                        options->page_size);
    if (options->page_size != 0)
        directory->page_shift = options->page_size == 4096 ? 12 : 14;
    if (options->identifier)
        out->identifier = text_copy(options->identifier);
    else if (adhoc_default_identifier(&out->identifier, image, options, out->lld_layout, fail) < 0)
        return -1;
    return check_identifier(out->identifier, fail);
}

/* Which of the known rules the present limit follows; the first one when none does. */
static uint64_t renewed_limit(const struct codesig_directory *cd, const struct image *image)
{
    if (cd->exec_limit == 0 || cd->exec_limit == text_section_size(image))
        return cd->exec_limit;
    return text_file_size(image);
}

static void renew_directory(struct adhoc_directory *out, const struct codesig_directory *cd,
                            const struct image *image)
{
    *out = (struct adhoc_directory){.slot = cd->slot,
                                    .version = cd->version,
                                    .hash_type = cd->hash_type,
                                    .page_shift = cd->page_shift,
                                    .platform = cd->platform,
                                    .flags = cd->flags,
                                    .runtime = cd->runtime,
                                    .special_count = cd->special_count};
    set_exec_segment(out, image);
    if (cd->exec_limit != out->exec_limit)
        out->exec_limit = renewed_limit(cd, image);
    out->exec_flags |= cd->exec_flags & (EXEC_OTHER | CODESIG_EXEC_ALLOW_UNSIGNED);
    for (uint32_t slot = 1; slot <= cd->special_count; slot++) {
        struct view hash = {0};
        if (codesig_special_hash(&hash, cd, slot))
            memcpy(out->special[slot], hash.data, (size_t)hash.len);
    }
    if (cd->special_count >= CODESIG_SLOT_INFO)
        seal_info_plist(out, image);
}

static int check_renewable(const struct codesig *sig, struct fail *fail)
{
    struct view cms = {0};
    if (codesig_cms(&cms, sig))
        return fail_set(fail, FAIL_INPUT,
                        "the signature has a CMS signature, which cannot be renewed without its "
                        "key");
    if (sig->directory_count > ADHOC_DIRECTORIES_MAX)
        return fail_set(fail, FAIL_INPUT, "the signature has %zu CodeDirectories (at most %u)",
                        sig->directory_count, ADHOC_DIRECTORIES_MAX);
    for (size_t i = 0; i < sig->directory_count; i++) {
        const struct codesig_directory *cd = &sig->directories[i];
        if (cd->scatter_off != 0 || cd->pre_encrypt_off != 0 || cd->version > 0x20500)
            return fail_set(fail, FAIL_INPUT,
                            "the CodeDirectory of version 0x%" PRIx32 " has a scatter table, "
                            "pre-encryption hashes or linkage data, which cannot be renewed",
                            cd->version);
        if (cd->special_count > CODESIG_SPECIAL_MAX)
            return fail_set(fail, FAIL_INPUT,
                            "the CodeDirectory has %" PRIu32 " special slots (at most %u)",
                            cd->special_count, CODESIG_SPECIAL_MAX);
        if (strcmp(cd->identifier, sig->directories[0].identifier) != 0)
            return fail_set(fail, FAIL_INPUT,
                            "the CodeDirectories have different identifiers "
                            "('%s' and '%s')",
                            sig->directories[0].identifier, cd->identifier);
    }
    return check_identifier(sig->directories[0].identifier, fail);
}

int adhoc_profile_present(struct adhoc_profile *out, const struct image *image, struct fail *fail)
{
    own_codesig struct codesig sig = {0};
    *out = (struct adhoc_profile){0};
    if (!image_has(&image->code_signature)) {
        fail_set(fail, FAIL_INPUT, "there is no signature to renew");
        return fail_hint(fail, "sign it without --renew");
    }
    if (codesig_read(&sig, image_range_data(image, &image->code_signature), fail) < 0 ||
        check_renewable(&sig, fail) < 0)
        return -1;
    out->identifier = text_copy(sig.directories[0].identifier);
    if (sig.directories[0].team)
        out->team = text_copy(sig.directories[0].team);
    out->lld_layout = sig.blob_count == 1 && sig.directories[0].offset == 24;
    for (size_t i = 0; i < sig.directory_count; i++)
        renew_directory(&out->directories[out->directory_count++], &sig.directories[i], image);
    for (size_t i = 0; i < sig.blob_count; i++) {
        const struct codesig_blob *blob = &sig.blobs[i];
        if (blob->magic == CODESIG_MAGIC_DIRECTORY)
            continue;
        struct adhoc_blob *copy = &out->blobs[out->blob_count++];
        *copy = (struct adhoc_blob){.slot = blob->slot};
        buf_append(&copy->bytes, blob->bytes.data, (size_t)blob->bytes.len);
    }
    out->space = ADHOC_SPACE_FIXED;
    out->space_len = image->code_signature.size;
    return 0;
}
