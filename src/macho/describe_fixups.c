/* The fix-ups of a slice, one by one: where, and what the loader writes there. */
#include <inttypes.h>
#include <stdio.h>

#include "macho/describe_parts.h"

/* The library that an import is taken from; NULL when the ordinal names none. */
static const char *library_of(const struct image *image, const struct fixup_import *import)
{
    if (import->ordinal < 1 || (uint32_t)import->ordinal > image->library_count)
        return NULL;
    return image->libraries[import->ordinal - 1].path;
}

/* "__DATA,__data+0x8"; an address where the file has no bytes for it. */
static void place_text(char out[IMAGE_PLACE_MAX], const struct image *image,
                       const struct fixup *fixup)
{
    if (fixup->offset != 0)
        image_locate_offset(out, image, fixup->offset);
    else
        (void)snprintf(out, IMAGE_PLACE_MAX, "%s", image->segments[fixup->segment].name);
}

void describe_put_fixups(struct buf *out, const struct description_slice *slice)
{
    const struct fixup_list *fixups = &slice->fixups;
    const struct image *image = &slice->image;
    size_t width = 0;
    for (size_t i = 0; i < fixups->count; i++) {
        char place[IMAGE_PLACE_MAX];
        place_text(place, image, &fixups->list[i]);
        size_t len = describe_width(place);
        width = len > width ? len : width;
    }
    for (size_t i = 0; i < fixups->count; i++) {
        const struct fixup *fixup = &fixups->list[i];
        char place[IMAGE_PLACE_MAX];
        own_buf struct buf text = {0};
        place_text(place, image, fixup);
        fixup_text(&text, fixups, fixup);
        describe_label(out, "");
        buf_printf(out, "0x%08" PRIx64 " ", fixup->address);
        describe_put_padded(out, place, width);
        buf_putc(out, ' ');
        describe_put_name(out, buf_text(&text));
        const char *library =
            fixup->bind ? library_of(image, &fixups->imports[fixup->import]) : NULL;
        if (library != NULL) {
            buf_puts(out, " from ");
            describe_put_name(out, library);
        }
        buf_putc(out, '\n');
    }
}

static void set_bind(json_t *object, const struct image *image, const struct fixup_list *fixups,
                     const struct fixup *fixup)
{
    const struct fixup_import *import = fixup->bind ? &fixups->imports[fixup->import] : NULL;
    js_set(object, "target", fixup->bind ? json_null() : js_uint(fixup->target));
    js_set(object, "import", js_text(import == NULL ? NULL : import->name));
    js_set(object, "ordinal", import == NULL ? json_null() : json_integer(import->ordinal));
    js_set(object, "library", js_text(import == NULL ? NULL : library_of(image, import)));
    js_set(object, "weak", import == NULL ? json_null() : js_bool(import->weak));
    js_set(object, "addend", import == NULL ? json_null() : json_integer(fixup->addend));
}

static json_t *fixup_json(const struct image *image, const struct fixup_list *fixups,
                          const struct fixup *fixup)
{
    json_t *object = js_object();
    char place[IMAGE_PLACE_MAX];
    place_text(place, image, fixup);
    js_set(object, "address", js_uint(fixup->address));
    js_set(object, "offset", fixup->offset != 0 ? js_uint(fixup->offset) : json_null());
    js_set(object, "place", js_text(place));
    js_set(object, "kind", js_text(fixup->bind ? "bind" : "rebase"));
    set_bind(object, image, fixups, fixup);
    js_set(object, "signed", js_bool(fixup->auth));
    js_set(object, "key", js_text(fixup->auth ? fixup_key_name(fixup->key) : NULL));
    js_set(object, "diversity", fixup->auth ? js_uint(fixup->diversity) : json_null());
    js_set(object, "address_diversity",
           fixup->auth ? js_bool(fixup->address_diversity) : json_null());
    return object;
}

json_t *describe_fixups_json(const struct description_slice *slice)
{
    json_t *array = js_array();
    for (size_t i = 0; i < slice->fixups.count; i++)
        js_push(array, fixup_json(&slice->image, &slice->fixups, &slice->fixups.list[i]));
    return array;
}
