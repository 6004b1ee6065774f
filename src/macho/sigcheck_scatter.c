#include <inttypes.h>

#include "macho/sigcheck_parts.h"

static struct finding *add(const struct sigcheck *check, const struct codesig_directory *cd,
                           uint64_t index)
{
    return sigcheck_add(check, FINDING_ERROR, "sig.scatter",
                        check->at + cd->offset + cd->scatter_off + index * CODESIG_SCATTER_LEN,
                        "scatter entry %" PRIu64 "", index);
}

/* An entry begins at the page behind the one before it: what is between would not be sealed, and
 * what comes twice would have two hashes. */
static void check_entry(const struct sigcheck *check, const struct codesig_directory *cd,
                        uint64_t index, const struct codesig_scatter *entry, uint64_t next_page)
{
    uint64_t page_len = codesig_page_len(cd);
    bool last = entry->page_count == 0;
    uint64_t target = last || next_page == 0 ? 0 : next_page * page_len;
    uint64_t first = last ? 0 : next_page;
    if (entry->first_page == first && entry->target_offset == target && entry->spare == 0)
        return;
    struct finding *finding = add(check, cd, index);
    finding_expected(finding,
                     last ? "zeros behind the count of zero"
                          : "page %" PRIu64 " at offset %" PRIu64 ", reserved field 0",
                     first, target);
    finding_actual(finding, "page %" PRIu32 " at offset %" PRIu64 ", reserved field 0x%" PRIx64,
                   entry->first_page, entry->target_offset, entry->spare);
}

/*
 * A table in which this finds nothing gives hash N to page N, as if there were none. A loader that
 * finds a page in no entry takes it for one without a hash.
 */
void sigcheck_scatter(const struct sigcheck *check, const struct codesig_directory *cd)
{
    struct codesig_scatter entry = {0};
    uint64_t pages = 0;
    uint64_t index = 0;
    bool ended = false;
    if (cd->scatter_off == 0)
        return;
    while (!ended && codesig_scatter_entry(&entry, cd, index)) {
        check_entry(check, cd, index, &entry, pages);
        pages += entry.page_count;
        ended = entry.page_count == 0;
        index++;
    }
    if (!ended || pages != cd->code_count) {
        struct finding *finding = add(check, cd, index);
        finding_expected(finding, "%" PRIu32 " pages in all, then an entry of zeros",
                         cd->code_count);
        finding_actual(finding, "%" PRIu64 " pages%s", pages,
                       ended ? "" : ", and no end inside of the CodeDirectory");
    }
}
