#include <inttypes.h>

#include "base/fs.h"
#include "macho/sigcheck_parts.h"

#define MAPPED_AT_ONCE (UINT64_C(2) << 20) /* bytes that may be mapped when one of them is read */

static void forget_around(struct view file, uint64_t offset)
{
    struct view bytes = {0};
    uint64_t start = offset > MAPPED_AT_ONCE ? offset - MAPPED_AT_ONCE : 0;
    uint64_t left = file.len > start ? file.len - start : 0;
    if (view_slice(&bytes, file, start, left < 2 * MAPPED_AT_ONCE ? left : 2 * MAPPED_AT_ONCE))
        fs_map_forget(bytes);
}

static void report_page(const struct sigcheck *check, const struct codesig_directory *cd,
                        const struct pagehash *set, uint64_t page)
{
    struct view bytes = pagehash_page(set, check->image->file, page);
    struct view expected = {0};
    uint8_t actual[DIGEST_MAX] = {0};
    char place[IMAGE_PLACE_MAX] = "";
    char hex[2 * DIGEST_MAX + 1] = "";
    uint64_t offset = page * set->page_len; /* of a page that is there */
    image_locate_offset(place, check->image, offset);
    struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.page-hash",
                                           check->options->offset + offset, "page %" PRIu64, page);
    finding_detail(finding, " (%s), %s", place, codesig_hash_name(cd->hash_type));
    codesig_hash_bytes(actual, cd->hash_type, bytes);
    forget_around(check->image->file, offset);
    if (codesig_page_hash(&expected, cd, page)) {
        text_hex(hex, expected.data, expected.len);
        finding_expected(finding, "%s", hex);
    }
    text_hex(hex, actual, cd->hash_size);
    finding_actual(finding, "%s", hex);
    finding_remedy(finding, "the file was changed after it was signed; sign it again if that was "
                            "meant");
}

struct pagehash *sigcheck_hash_pages(const struct sigcheck *check)
{
    own_fail struct fail fail = {0};
    const struct codesig *sig = check->sig;
    own_mem struct pagehash *sets = mem_new(sig->directory_count, sizeof(sets[0]));
    for (size_t i = 0; i < sig->directory_count; i++) {
        const struct codesig_directory *cd = &sig->directories[i];
        struct view first = {0};
        uint64_t pages = pagehash_count(codesig_code_limit(cd), codesig_page_len(cd));
        (void)codesig_page_hash(&first, cd, 0); /* all are in one piece; none without a page */
        sets[i] = (struct pagehash){.hash_type = cd->hash_type,
                                    .page_len = codesig_page_len(cd),
                                    .limit = codesig_code_limit(cd),
                                    /* other numbers of hashes: sig.page-count */
                                    .count = cd->code_count < pages ? cd->code_count : pages,
                                    .expected = first.data};
    }
    if (pagehash_run(sets, sig->directory_count, check->image->file, check->options->threads,
                     &fail) == 0)
        return steal_mem(&sets);
    struct finding *finding =
        sigcheck_add(check, FINDING_ERROR, "sig.page-hash", check->at, "pages of the signature");
    finding_actual(finding, "not looked at: %s", fail.message);
    return NULL;
}

void sigcheck_report_pages(const struct sigcheck *check, const struct codesig_directory *cd,
                           const struct pagehash *set)
{
    for (uint64_t i = 0; i < set->bad_count && i < PAGEHASH_LISTED; i++)
        report_page(check, cd, set, set->bad[i]);
    if (set->bad_count <= PAGEHASH_LISTED)
        return;
    struct finding *finding =
        sigcheck_add(check, FINDING_ERROR, "sig.page-hash", check->at + cd->offset,
                     "further pages of the CodeDirectory");
    finding_detail(finding, ", %s", codesig_hash_name(cd->hash_type));
    finding_expected(finding, "the hashes that it states");
    finding_actual(finding, "%" PRIu64 " more of %" PRIu64 " pages have another hash",
                   set->bad_count - PAGEHASH_LISTED, set->count);
}
