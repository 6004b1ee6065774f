#include <inttypes.h>

#include "macho/sigcheck_parts.h"
#include "macho/stated.h"

static void report(const struct sigcheck *check, const char *name, uint64_t start, uint64_t end)
{
    uint64_t base = check->options->offset;
    struct finding *finding =
        sigcheck_add(check, FINDING_ERROR, "sig.linkedit", base + start, "%s", name);
    finding_expected(finding, "it ends before the signature at offset %" PRIu64, check->at);
    finding_actual(finding, "it ends at offset %" PRIu64, base + end);
}

void sigcheck_tables(const struct sigcheck *check)
{
    const struct image *image = check->image;
    uint64_t commands_end = image->header_size + image->commands_size;
    struct stated range = {0};
    if (commands_end > check->start)
        report(check, "header and load commands", 0, commands_end);
    while (stated_next(&range, image)) {
        if (range.end <= check->start)
            continue;
        own_mem char *name = range.section != NULL
                                 ? text_printf("section %s,%s", range.section->segment, range.name)
                                 : text_copy(range.name);
        report(check, name, range.start, range.end);
    }
}
