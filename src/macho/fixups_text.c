/* fixups.h: a fix-up in words. */
#include <inttypes.h>

#include "macho/fixups.h"

const char *fixup_key_name(enum fixup_key key)
{
    static const char *const names[] = {"IA", "IB", "DA", "DB"};
    return names[key];
}

void fixup_text(struct buf *out, const struct fixup_list *list, const struct fixup *fixup)
{
    buf_puts(out, fixup->auth ? "auth-" : "");
    if (fixup->bind)
        buf_printf(out, "bind %s", list->imports[fixup->import].name);
    else
        buf_printf(out, "rebase 0x%" PRIx64, fixup->target);
    if (fixup->bind && fixup->addend != 0)
        buf_printf(out, " %c 0x%" PRIx64, fixup->addend < 0 ? '-' : '+',
                   fixup->addend < 0 ? UINT64_C(0) - (uint64_t)fixup->addend
                                     : (uint64_t)fixup->addend);
    if (fixup->auth)
        buf_printf(out, " key %s diversity 0x%04x%s", fixup_key_name(fixup->key), fixup->diversity,
                   fixup->address_diversity ? " address" : "");
}
