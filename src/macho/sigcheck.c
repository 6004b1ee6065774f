#include "macho/sigcheck.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/sigcheck_parts.h"

#define LINKEDIT "__LINKEDIT"

struct finding *sigcheck_add(const struct sigcheck *check, enum finding_level level, const char *id,
                             const char *place, ...)
{
    struct finding *finding = finding_add(check->out, level, id);
    va_list args;
    va_start(args, place);
    own_mem char *text = text_vprintf(place, args);
    va_end(args);
    finding_place(finding, "%s", text);
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
    struct finding *finding =
        sigcheck_add(check, level, "sig.padding", "%s at offset %" PRIu64, what, base + first);
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
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.structure",
                                               "%s at offset %" PRIu64, whole, base + from);
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
            struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.structure",
                                                   "%s of the %s at offset %" PRIu64,
                                                   ranges[i].what, whole, base + ranges[i].start);
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

static const char *blob_name(uint32_t slot)
{
    switch (slot) {
    case CODESIG_SLOT_DIRECTORY:
        return "CodeDirectory";
    case CODESIG_SLOT_REQUIREMENTS:
        return "requirement set";
    case CODESIG_SLOT_ENTITLEMENTS:
        return "entitlements";
    case CODESIG_SLOT_ENTITLEMENTS_DER:
        return "DER entitlements";
    case CODESIG_SLOT_CMS:
        return "CMS signature";
    default:
        return slot < CODESIG_SLOT_ALTERNATE ? "blob" : "alternate CodeDirectory";
    }
}

/* Each slot once, in ascending order, and every byte of the SuperBlob owned by one blob. */
static void check_index(const struct sigcheck *check)
{
    const struct codesig *sig = check->sig;
    struct sigcheck_range ranges[CODESIG_BLOBS_MAX + 1] = {0};
    size_t count = 0;
    ranges[count++] = (struct sigcheck_range){
        .end = CODESIG_SUPERBLOB_LEN + sig->blob_count * CODESIG_INDEX_LEN, .what = "index"};
    for (size_t i = 0; i < sig->blob_count; i++) {
        const struct codesig_blob *blob = &sig->blobs[i];
        if (i > 0 && blob->slot <= sig->blobs[i - 1].slot) {
            struct finding *finding =
                sigcheck_add(check, FINDING_ERROR, "sig.structure",
                             "index entry %zu of the signature at offset %" PRIu64, i,
                             check->start + CODESIG_SUPERBLOB_LEN + i * CODESIG_INDEX_LEN);
            finding_expected(finding, "slots in ascending order, each once");
            finding_actual(finding, "slot 0x%" PRIx32 " behind slot 0x%" PRIx32, blob->slot,
                           sig->blobs[i - 1].slot);
        }
        if (blob->bytes.len > 0)
            ranges[count++] = (struct sigcheck_range){.start = blob->offset,
                                                      .end = blob->offset + blob->bytes.len,
                                                      .what = blob_name(blob->slot)};
    }
    sigcheck_ranges(check, ranges, count, sig->super_blob, check->start, 0, "SuperBlob");
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* What two CodeDirectories of one signature contradict each other in; NULL: nothing. */
static const char *contradiction(const struct codesig_directory *a,
                                 const struct codesig_directory *b)
{
    if (!same_text(a->identifier, b->identifier))
        return "the same identifier";
    if (a->flags != b->flags)
        return "the same flags";
    if (codesig_code_limit(a) != codesig_code_limit(b))
        return "the same code limit";
    if (a->team_off != 0 && b->team_off != 0 && !same_text(a->team, b->team))
        return "the same team";
    return a->hash_type == b->hash_type ? "a hash type of its own" : NULL;
}

/* All CodeDirectories seal the same code under the same name, each with another hash. */
static void check_alternates(const struct sigcheck *check)
{
    const struct codesig *sig = check->sig;
    if (sig->directory_count > 0 && sig->directories[0].slot != CODESIG_SLOT_DIRECTORY) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.structure",
                                               "signature at offset %" PRIu64, check->start);
        finding_expected(finding, "a CodeDirectory in slot 0");
        finding_actual(finding, "the first is in slot 0x%" PRIx32, sig->directories[0].slot);
    }
    for (size_t i = 1; i < sig->directory_count; i++) {
        const struct codesig_directory *other = &sig->directories[i];
        for (size_t k = 0; k < i; k++) {
            const char *expected = contradiction(&sig->directories[k], other);
            if (!expected)
                continue;
            struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.alternate",
                                                   "alternate CodeDirectory at offset %" PRIu64,
                                                   check->start + other->offset);
            finding_expected(finding, "%s", expected);
            finding_actual(finding, "it contradicts the CodeDirectory at offset %" PRIu64,
                           check->start + sig->directories[k].offset);
        }
    }
}

static void check_kind(const struct sigcheck *check)
{
    static const enum codesig_kind kinds[] = {
        [SIGCHECK_ANY] = CODESIG_NONE,
        [SIGCHECK_LINKER] = CODESIG_LINKER,
        [SIGCHECK_ADHOC] = CODESIG_ADHOC,
        [SIGCHECK_CMS] = CODESIG_CMS,
    };
    enum codesig_kind kind = codesig_kind(check->sig);
    const struct codesig_directory *best = codesig_best(check->sig);
    if (check->options->kind != SIGCHECK_ANY && kind != kinds[check->options->kind]) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.kind",
                                               "signature at offset %" PRIu64, check->start);
        finding_expected(finding, "%s", codesig_kind_name(kinds[check->options->kind]));
        finding_actual(finding, "%s", codesig_kind_name(kind));
    }
    if (kind == CODESIG_LINKER && check->sig->blob_count != 1) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.structure",
                                               "signature at offset %" PRIu64, check->start);
        finding_expected(finding, "a CodeDirectory alone, as linkers write it");
        finding_actual(finding, "%zu blobs", check->sig->blob_count);
    }
    if (kind == CODESIG_ADHOC && check->sig->blob_count == 1) {
        struct finding *finding = sigcheck_add(check, FINDING_WARNING, "sig.flags",
                                               "signature at offset %" PRIu64, check->start);
        finding_expected(finding, "the linker-signed flag on a CodeDirectory alone");
        finding_actual(finding, "0x%" PRIx32, best->flags);
    }
    if (best && best->hash_type == CODESIG_HASH_SHA1) {
        enum finding_level level = check->options->require_sha256 ? FINDING_ERROR : FINDING_WARNING;
        struct finding *finding = sigcheck_add(check, level, "sig.weak-hash",
                                               "signature at offset %" PRIu64, check->start);
        finding_expected(finding, "a CodeDirectory with sha256 or stronger");
        finding_actual(finding, "sha1 alone");
    }
}

/* The signature proper: everything inside of what the load command names. */
static void check_signature(const struct sigcheck *outer, struct view data)
{
    own_codesig struct codesig sig = {0};
    struct sigcheck check = *outer;
    size_t first = check.out->count;
    codesig_parse(&sig, check.out, data);
    own_mem char *prefix = text_printf("signature at file offset %" PRIu64, check.start);
    findings_prefix(check.out, first, prefix);
    check.sig = &sig;
    if (sig.super_blob.len == 0)
        return;
    check_index(&check);
    check_kind(&check);
    check_alternates(&check);
    own_mem struct pagehash *pages = sigcheck_hash_pages(&check);
    for (size_t i = 0; i < sig.directory_count; i++) {
        sigcheck_directory(&check, &sig.directories[i]);
        sigcheck_slots(&check, &sig.directories[i]);
        if (pages != NULL)
            sigcheck_report_pages(&check, &sig.directories[i], &pages[i]);
    }
    sigcheck_entitlements(&check);
    sigcheck_zeros(&check, check.options->allow_residue ? FINDING_WARNING : FINDING_ERROR, data,
                   sig.super_blob.len, data.len, check.start, "space behind the signature");
}

/* No table of __LINKEDIT may reach into the signature. */
static void check_tables(const struct sigcheck *check)
{
    const struct image *image = check->image;
    const struct image_range *ranges[] = {
        &image->dyld_info.rebase,    &image->dyld_info.bind,    &image->dyld_info.weak_bind,
        &image->dyld_info.lazy_bind, &image->dyld_info.exports, &image->chained_fixups,
        &image->exports_trie,        &image->function_starts,   &image->data_in_code,
        &image->segment_split_info,  &image->code_sign_drs,     &image->dysymtab.indirect,
    };
    static const char *const names[] = {
        "rebase opcodes",
        "bind opcodes",
        "weak bind opcodes",
        "lazy bind opcodes",
        "export trie",
        "chained fix-ups",
        "export trie",
        "function starts",
        "data in code",
        "split segment info",
        "code sign requirements",
        "indirect symbols",
    };
    struct sigcheck_range tables[sizeof(ranges) / sizeof(ranges[0]) + 2] = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (image_has(ranges[i]))
            tables[count++] = (struct sigcheck_range){
                ranges[i]->offset, ranges[i]->offset + ranges[i]->size, names[i]};
    const struct image_symtab *symtab = &image->symtab;
    if (symtab->command != IMAGE_NO_COMMAND) {
        tables[count++] = (struct sigcheck_range){
            symtab->symbols_offset, symtab->symbols_offset + symtab->symbols_size, "symbol table"};
        tables[count++] = (struct sigcheck_range){
            symtab->strings_offset, symtab->strings_offset + symtab->strings_size, "string table"};
    }
    for (size_t i = 0; i < count; i++) {
        if (tables[i].end <= check->start || tables[i].start == tables[i].end)
            continue;
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.linkedit", "%s at offset %" PRIu64,
                         tables[i].what, tables[i].start);
        finding_expected(finding, "it ends before the signature at offset %" PRIu64, check->start);
        finding_actual(finding, "it ends at offset %" PRIu64, tables[i].end);
    }
}

static void check_linkedit(const struct sigcheck *check, uint64_t end)
{
    const struct image *image = check->image;
    const struct image_segment *linkedit = image_segment(image, LINKEDIT);
    if (!linkedit) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.linkedit", LINKEDIT);
        finding_expected(finding, "a segment that holds the signature");
        finding_actual(finding, "none");
        return;
    }
    if (linkedit->offset > check->start || linkedit->offset + linkedit->file_size != end) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.linkedit",
                                               LINKEDIT " at offset %" PRIu64, linkedit->offset);
        finding_expected(finding, "it holds the signature and ends with it at offset %" PRIu64,
                         end);
        finding_actual(finding, "it ends at offset %" PRIu64,
                       linkedit->offset + linkedit->file_size);
    }
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *other = &image->segments[i];
        bool behind =
            other != linkedit &&
            ((other->file_size > 0 && other->offset + other->file_size > linkedit->offset) ||
             other->address > linkedit->address);
        if (!behind)
            continue;
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.linkedit", "segment %s", other->name);
        finding_expected(finding, LINKEDIT " as the last segment");
        finding_actual(finding, "%s overlaps or follows it", other->name);
    }
}

/* Where the load command puts the signature. */
static void check_place(const struct sigcheck *check, uint64_t end)
{
    const struct image *image = check->image;
    unsigned commands = 0;
    for (uint32_t i = 0; i < image->command_count; i++)
        commands += image->commands[i].cmd == LC_CODE_SIGNATURE;
    if (commands != 1) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.structure", "load commands");
        finding_expected(finding, "one LC_CODE_SIGNATURE");
        finding_actual(finding, "%u", commands);
    }
    if (check->start % 16 != 0) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.alignment",
                                               "signature at offset %" PRIu64, check->start);
        finding_expected(finding, "a multiple of 16");
        finding_actual(finding, "%" PRIu64, check->start);
    }
    if (end != image->file.len) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.trailing-data", "offset %" PRIu64, end);
        finding_expected(finding, "the end of the file");
        finding_actual(finding, "%" PRIu64 " more bytes", image->file.len - end);
    }
}

static void verify(struct findings *out, const struct image *image,
                   const struct sigcheck_options *options)
{
    struct sigcheck check = {.out = out, .image = image, .options = options};
    if (!image_has(&image->code_signature)) {
        struct finding *finding =
            sigcheck_add(&check, FINDING_ERROR, "sig.missing", "load commands");
        finding_expected(finding, "LC_CODE_SIGNATURE");
        finding_actual(finding, "none");
        finding_remedy(finding, "sign the file");
        return;
    }
    struct view data = image_range_data(image, &image->code_signature);
    uint64_t end = image->code_signature.offset + image->code_signature.size;
    check.start = image->code_signature.offset;
    check_place(&check, end);
    check_linkedit(&check, end);
    check_tables(&check);
    check_signature(&check, data);
}

void sigcheck_verify(struct findings *out, const struct image *image,
                     const struct sigcheck_options *options)
{
    size_t first = out->count;
    verify(out, image, options);
    for (size_t i = first; options->strict && i < out->count; i++) {
        out->error_count += out->list[i].level != FINDING_ERROR;
        out->list[i].level = FINDING_ERROR;
    }
}
