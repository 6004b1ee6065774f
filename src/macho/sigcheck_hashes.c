#include <inttypes.h>

#include "macho/pagehash.h"
#include "macho/sigcheck_parts.h"

static void report_page(const struct sigcheck *check, const struct codesig_directory *cd,
                        const struct pagehash *set, uint64_t page)
{
    struct view bytes = pagehash_page(set, check->image->file, page);
    struct view expected = {0};
    uint8_t actual[DIGEST_MAX] = {0};
    char place[IMAGE_PLACE_MAX] = "";
    char hex[2 * DIGEST_MAX + 1] = "";
    uint64_t offset = page == 0 ? 0 : page * set->page_len;
    image_locate_offset(place, check->image, offset);
    struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.page-hash",
                                           "page %" PRIu64 " at offset %" PRIu64 " (%s), %s", page,
                                           offset, place, codesig_hash_name(cd->hash_type));
    codesig_hash_bytes(actual, cd->hash_type, bytes);
    if (codesig_page_hash(&expected, cd, page)) {
        text_hex(hex, expected.data, expected.len);
        finding_expected(finding, "%s", hex);
    }
    text_hex(hex, actual, cd->hash_size);
    finding_actual(finding, "%s", hex);
    finding_remedy(finding, "the file was changed after it was signed; sign it again if that was "
                            "meant");
}

void sigcheck_pages(const struct sigcheck *check, const struct codesig_directory *cd)
{
    own_fail struct fail fail = {0};
    struct view first = {0};
    struct pagehash set = {.hash_type = cd->hash_type,
                           .page_len = codesig_page_len(cd),
                           .limit = codesig_code_limit(cd),
                           .count = cd->code_count};
    if (!codesig_page_hash(&first, cd, 0)) /* the hashes are in one piece, checked as a whole */
        return;
    set.expected = first.data;
    if (pagehash_run(&set, 1, check->image->file, check->options->threads, &fail) < 0) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.page-hash", "pages, %s",
                                               codesig_hash_name(cd->hash_type));
        finding_actual(finding, "not looked at: %s", fail.message);
        return;
    }
    for (uint64_t i = 0; i < set.bad_count && i < PAGEHASH_LISTED; i++)
        report_page(check, cd, &set, set.bad[i]);
    if (set.bad_count > PAGEHASH_LISTED) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.page-hash", "further pages, %s",
                         codesig_hash_name(cd->hash_type));
        finding_actual(finding, "%" PRIu64 " more of %" PRIu64 " pages have another hash",
                       set.bad_count - PAGEHASH_LISTED, set.count);
    }
}
