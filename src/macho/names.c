#include "macho/names.h"

#include <inttypes.h>

/* Sharing happens (merged tails, repeated local labels); sixty-fourfold does not. */
#define SHARING_MAX 64u
#define SMALL       (1u << 20)

struct names names_start(struct view strings)
{
    return (struct names){.strings = strings, .left = strings.len * SHARING_MAX + SMALL};
}

const char *names_at(struct names *names, uint64_t offset)
{
    uint64_t len = 0;
    const char *name = names->left == 0 ? NULL : view_text_len(&len, names->strings, offset);
    if (name == NULL)
        return NULL;
    names->left = len < names->left ? names->left - len - 1 : 0;
    return name;
}

int names_fail(const struct names *names, const char *what, uint64_t index, uint64_t offset,
               struct fail *fail)
{
    if (names->left == 0)
        return fail_set(fail, FAIL_INPUT,
                        "the names of the %ss are far longer than the %" PRIu64
                        " bytes that they lie in",
                        what, names->strings.len);
    return fail_set(fail, FAIL_INPUT,
                    "the name of %s %" PRIu64 " at offset %" PRIu64
                    " does not end inside the %" PRIu64 " bytes of names",
                    what, index, offset, names->strings.len);
}
