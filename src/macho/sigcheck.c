#include "macho/sigcheck.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/sigcheck_parts.h"

#define LINKEDIT "__LINKEDIT"

struct finding *sigcheck_add(const struct sigcheck *check, enum finding_level level, const char *id,
                             uint64_t offset, const char *structure, ...)
{
    struct finding *finding = finding_add(check->out, level, id);
    va_list args;
    va_start(args, structure);
    finding_vat(finding, offset, structure, args);
    va_end(args);
    finding_remedy(finding, "sign the file again");
    return finding;
}

void sigcheck_zeros(const struct sigcheck *check, enum finding_level level, struct view bytes,
                    uint64_t from, uint64_t to, uint64_t base, const char *what)
{
    uint64_t first = 0;
    uint64_t count = 0;
    for (uint64_t i = from; i < to && i < bytes.len; i++) {
        if (bytes.data[i] == 0)
            continue;
        if (count++ == 0)
            first = i;
    }
    if (count == 0)
        return;
    struct finding *finding = sigcheck_add(check, level, "sig.padding", base + first, "%s", what);
    finding_expected(finding, "zeros from offset %" PRIu64 " to %" PRIu64, base + from, base + to);
    finding_actual(finding, "%" PRIu64 " bytes that are not zero, the first 0x%02x", count,
                   bytes.data[first]);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct sigcheck_range *left = a;
    const struct sigcheck_range *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return left->end < right->end ? -1 : left->end > right->end;
}

static void check_gap(const struct sigcheck *check, struct view bytes, uint64_t from, uint64_t to,
                      uint64_t base, uint64_t max, const char *whole)
{
    if (to - from > max) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.structure", base + from, "%s", whole);
        finding_expected(finding, "at most %" PRIu64 " bytes that belong to nothing", max);
        finding_actual(finding, "%" PRIu64 " bytes", to - from);
    }
    own_mem char *what = text_printf("gap in the %s", whole);
    sigcheck_zeros(check, FINDING_ERROR, bytes, from, to, base, what);
}

void sigcheck_ranges(const struct sigcheck *check, struct sigcheck_range *ranges, size_t count,
                     struct view bytes, uint64_t base, uint64_t tail_max, const char *whole)
{
    uint64_t end = 0;
    const char *last = "nothing";
    qsort(ranges, count, sizeof(*ranges), compare_ranges);
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].start < end) {
            struct finding *finding =
                sigcheck_add(check, FINDING_ERROR, "sig.structure", base + ranges[i].start,
                             "%s of the %s", ranges[i].what, whole);
            finding_expected(finding, "nothing before offset %" PRIu64, base + end);
            finding_actual(finding, "it overlaps %s", last);
        } else if (ranges[i].start > end) {
            check_gap(check, bytes, end, ranges[i].start, base, 15, whole);
        }
        if (ranges[i].end >= end) {
            end = ranges[i].end;
            last = ranges[i].what;
        }
    }
    if (end < bytes.len)
        check_gap(check, bytes, end, bytes.len, base, tail_max, whole);
}

/* The signature proper: everything inside of what the load command names. */
static void check_signature(const struct sigcheck *outer, struct view data)
{
    own_codesig struct codesig sig = {0};
    struct sigcheck check = *outer;
    size_t first = check.out->count;
    codesig_parse(&sig, check.out, data);
    findings_shift(check.out, first, check.at);
    check.sig = &sig;
    if (sig.super_blob.len == 0)
        return;
    sigcheck_index(&check);
    sigcheck_kinds(&check);
    sigcheck_alternates(&check);
    own_mem struct pagehash *pages = sigcheck_hash_pages(&check);
    for (size_t i = 0; i < sig.directory_count; i++) {
        sigcheck_directory(&check, &sig.directories[i]);
        sigcheck_slots(&check, &sig.directories[i]);
        if (pages != NULL)
            sigcheck_report_pages(&check, &sig.directories[i], &pages[i]);
    }
    sigcheck_requirements(&check);
    sigcheck_entitlements(&check);
    sigcheck_constraints(&check);
    sigcheck_cms(&check);
    sigcheck_zeros(&check, check.options->allow_residue ? FINDING_WARNING : FINDING_ERROR, data,
                   sig.super_blob.len, data.len, check.at, "space behind the signature");
}

/* Whether a segment lies behind __LINKEDIT. Images with split segments have those that can be
 * written at higher addresses. */
static bool is_behind(const struct image *image, const struct image_segment *segment,
                      const struct image_segment *linkedit)
{
    if (segment == linkedit)
        return false;
    if (segment->file_size > 0 && segment->offset + segment->file_size > linkedit->offset)
        return true;
    return segment->address > linkedit->address && !(image->flags & MH_SPLIT_SEGS);
}

static void check_linkedit(const struct sigcheck *check, uint64_t end)
{
    const struct image *image = check->image;
    uint64_t base = check->options->offset;
    const struct image_segment *linkedit = image_segment(image, LINKEDIT);
    if (!linkedit && image->filetype == MH_OBJECT)
        return; /* an object file has one segment without a name, and its tables in none */
    if (!linkedit) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.linkedit",
                                               base + image->header_size, "load commands");
        finding_expected(finding, "a segment " LINKEDIT ", which holds the signature");
        finding_actual(finding, "none");
        return;
    }
    if (linkedit->offset > check->start || linkedit->offset + linkedit->file_size != end) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.linkedit", base + linkedit->offset, LINKEDIT);
        finding_expected(finding, "it holds the signature and ends with it at offset %" PRIu64,
                         base + end);
        finding_actual(finding, "it ends at offset %" PRIu64,
                       base + linkedit->offset + linkedit->file_size);
    }
    /* Old linkers of Go let it be written, which changes nothing for what can be read there. */
    if (linkedit->initial_protection & VM_PROT_EXECUTE) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.linkedit", base + linkedit->offset, LINKEDIT);
        finding_expected(finding, "no code: nothing seals what follows the code limit");
        finding_actual(finding, "it can be executed");
    }
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *other = &image->segments[i];
        if (!is_behind(image, other, linkedit))
            continue;
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.linkedit",
                                               base + other->offset, "segment %s", other->name);
        finding_expected(finding, LINKEDIT " as the last segment");
        finding_actual(finding, "%s overlaps or follows it", other->name);
    }
}

/* Whether dyld wants a signature at a multiple of the pointer size: for what was built with an SDK of
 * autumn 2019 or later (dyld, Policy.cpp and Image.cpp). Platforms that are not listed are about as young
 * themselves: simulators, Mac Catalyst, DriverKit, visionOS. */
static bool loads_aligned_only(const struct image *image)
{
    static const uint32_t first_sdks[] = {[PLATFORM_MACOS] = 10u << 16 | 15u << 8,
                                          [PLATFORM_IOS] = 13u << 16,
                                          [PLATFORM_TVOS] = 13u << 16,
                                          [PLATFORM_WATCHOS] = 6u << 16};
    if (image->filetype == MH_OBJECT || image->filetype == MH_KEXT_BUNDLE)
        return false;
    for (size_t i = 0; i < image->build_count; i++) {
        const struct image_build *build = &image->builds[i];
        if (build->platform >= sizeof first_sdks / sizeof first_sdks[0] ||
            build->sdk >= first_sdks[build->platform])
            return true;
    }
    return false;
}

static void check_alignment(const struct sigcheck *check)
{
    uint64_t pointer_len = check->image->is64 ? 8 : 4;
    if (check->start % 16 == 0)
        return;
    bool refused = check->start % pointer_len != 0 && loads_aligned_only(check->image);
    struct finding *finding = sigcheck_add(check, refused ? FINDING_ERROR : FINDING_WARNING,
                                           "sig.alignment", check->at, "signature");
    finding_expected(finding, "a multiple of 16 bytes from the start of the image");
    finding_actual(finding, "%" PRIu64 " bytes", check->start);
}

/* Where the load command puts the signature. */
static void check_place(const struct sigcheck *check, uint64_t end)
{
    const struct image *image = check->image;
    const struct load_command *second = NULL;
    unsigned commands = 0;
    for (uint32_t i = 0; i < image->command_count; i++) {
        if (image->commands[i].cmd != LC_CODE_SIGNATURE)
            continue;
        second = &image->commands[i];
        commands++;
    }
    if (commands > 1) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.structure",
                         check->options->offset + second->offset, "load command");
        finding_expected(finding, "one LC_CODE_SIGNATURE");
        finding_actual(finding, "%u", commands);
    }
    check_alignment(check);
    if (end != image->file.len) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.trailing-data", check->options->offset + end,
                         "end of the signature");
        finding_expected(finding, "the end of the image");
        finding_actual(finding, "%" PRIu64 " more bytes", image->file.len - end);
    }
}

static const char *remedy_of_none(uint32_t filetype)
{
    if (filetype == MH_OBJECT)
        return "object files hold none: verify what is linked from them";
    return filetype == MH_DSYM ? "debug symbols hold none: verify the file that they are of"
                               : "sign the file";
}

static void verify(struct findings *out, const struct image *image,
                   const struct sigcheck_options *options)
{
    struct sigcheck check = {.out = out, .image = image, .options = options};
    if (!image_has(&image->code_signature)) {
        struct finding *finding =
            sigcheck_add(&check, FINDING_ERROR, "sig.missing", options->offset + image->header_size,
                         "load commands");
        finding_expected(finding, "LC_CODE_SIGNATURE");
        finding_actual(finding, "none");
        finding_remedy(finding, "%s", remedy_of_none(image->filetype));
        return;
    }
    struct view data = image_range_data(image, &image->code_signature);
    uint64_t end = image->code_signature.offset + image->code_signature.size;
    check.start = image->code_signature.offset;
    check.at = options->offset + check.start;
    check_place(&check, end);
    check_linkedit(&check, end);
    sigcheck_tables(&check);
    check_signature(&check, data);
}

void sigcheck_verify(struct findings *out, const struct image *image,
                     const struct sigcheck_options *options)
{
    size_t first = out->count;
    verify(out, image, options);
    if (options->strict)
        findings_be_strict(out, first);
}
