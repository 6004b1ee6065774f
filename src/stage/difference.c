#include "stage/difference.h"

#include "base/fail.h"
#include "base/own.h"
#include "macho/image.h"

char *difference_text(struct view expected, struct view given)
{
    uint64_t common = expected.len < given.len ? expected.len : given.len;
    uint64_t at = 0;
    uint64_t count = 0;
    for (uint64_t i = common; i > 0; i--) {
        if (expected.data[i - 1] != given.data[i - 1]) {
            at = i - 1;
            count++;
        }
    }
    if (count == 0)
        return text_printf("%llu bytes instead of %llu, equal as far as the shorter goes",
                           (unsigned long long)given.len, (unsigned long long)expected.len);
    own_fail struct fail ignored = {0};
    own_image struct image image = {0};
    char place[IMAGE_PLACE_MAX] = "";
    if (image_kind(expected) == IMAGE_THIN && image_open(&image, expected, &ignored) == 0)
        image_locate_offset(place, &image, at);
    return text_printf("%llu %s, the first at offset %llu%s%s%s (0x%02x instead of 0x%02x)%s",
                       (unsigned long long)count, count == 1 ? "byte differs" : "bytes differ",
                       (unsigned long long)at, *place ? " (" : "", place, *place ? ")" : "",
                       given.data[at], expected.data[at],
                       given.len == expected.len ? "" : ", and the sizes differ");
}
