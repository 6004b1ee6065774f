#include "unit/plist_hex.h"

#include <string.h>

#include "unit/unit.h"

/* Bytes of the notation "70 05 ..." (blanks anywhere). */
void plist_hex_put(struct buf *out, const char *hex)
{
    for (; *hex; hex++) {
        unsigned char byte = 0;
        if (*hex == ' ')
            continue;
        own_mem char *digits = mem_copy(hex, 2);
        assert_int_equal(text_unhex(&byte, 1, digits), 0);
        buf_putc(out, (char)byte);
        hex++;
    }
}

int plist_hex_parse(struct plist *out, const char *hex, bool der, struct fail *fail)
{
    own_buf struct buf bytes = {0};
    plist_hex_put(&bytes, hex);
    own_mem uint8_t *exact = mem_copy(buf_text(&bytes), bytes.len);
    const struct view view = {exact, bytes.len};
    return der ? plist_parse_der(out, view, fail) : plist_parse(out, view, fail);
}

char *plist_hex_text(const struct plist *list)
{
    own_buf struct buf text = {0};
    plist_text(&text, list, 0);
    return text_copy(buf_text(&text));
}
