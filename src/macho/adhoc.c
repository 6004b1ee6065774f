#include "macho/adhoc.h"

#include <inttypes.h>

#include "macho/adhoc_parts.h"

/* The memory size that __LINKEDIT needs with a signature of `space` bytes. */
static uint64_t memory_with(const struct image *image, const struct adhoc_place *place,
                            const struct adhoc_profile *profile, uint64_t space)
{
    uint64_t file_size = place->start + space - place->linkedit->offset;
    if (file_size == place->linkedit->file_size)
        return place->linkedit->memory_size;
    if (place->memory_size >= file_size)
        return place->memory_size;
    if (place->exact && profile->exact_memory)
        return file_size;
    return adhoc_align_up(file_size, adhoc_segment_alignment(image));
}

/*
 * The code in three parts: the changed header, up to a multiple of the page length; the middle
 * straight from the file; and, when zeros come in front of the signature, the last page with them.
 */
static int write_code(struct pieces *code, const struct image *image,
                      const struct adhoc_place *place, const struct adhoc_profile *profile,
                      uint64_t space, struct fail *fail)
{
    own_buf struct buf head = {0};
    own_buf struct buf last = {0};
    struct view middle = {0};
    uint64_t page = adhoc_build_page(profile);
    uint64_t commands_end = place->command + (place->present ? 0 : 16);
    if (commands_end < image->header_size + image->commands_size)
        commands_end = image->header_size + image->commands_size;
    uint64_t head_len = adhoc_align_up(commands_end, page);
    head_len = head_len < place->start ? head_len : place->start;
    uint64_t middle_end = place->kept;
    if (place->kept < place->start)
        middle_end = place->kept / page * page;
    middle_end = middle_end > head_len ? middle_end : head_len;
    if (adhoc_place_header(&head, image, place, space, memory_with(image, place, profile, space),
                           head_len, fail) < 0)
        return -1;
    pieces_take(code, &head);
    if (middle_end > head_len && view_slice(&middle, image->file, head_len, middle_end - head_len))
        pieces_borrow(code, middle);
    if (middle_end < place->start) {
        buf_append(&last, image->file.data + middle_end, (size_t)(place->kept - middle_end));
        buf_zeros(&last, (size_t)(place->start - place->kept));
        pieces_take(code, &last);
    }
    return 0;
}

static int write_signed(struct pieces *out, const struct image *image,
                        const struct adhoc_place *place, const struct adhoc_profile *profile,
                        struct fail *fail)
{
    own_buf struct buf signature = {0};
    uint64_t space = adhoc_build_space(profile, place->start);
    if (space > UINT32_MAX || place->start > UINT32_MAX - space)
        return fail_set(fail, FAIL_INPUT,
                        "the file is too large to be signed (%" PRIu64
                        " bytes with its signature, at most 4294967295)",
                        place->start + space);
    if (write_code(out, image, place, profile, space, fail) < 0 ||
        adhoc_build(&signature, profile, out, fail) < 0)
        return -1;
    uint64_t left = space - signature.len;
    bool residue = profile->residue.len == left && profile->residue_at == signature.len;
    pieces_take(out, &signature);
    if (residue)
        pieces_borrow(out, profile->residue);
    else
        pieces_zeros(out, left);
    return 0;
}

int adhoc_sign_image(struct pieces *out, const struct image *image,
                     const struct adhoc_options *options, struct fail *fail)
{
    own_adhoc_profile struct adhoc_profile profile = {0};
    own_pieces struct pieces file = {0};
    struct adhoc_place place = {0};
    if (adhoc_place_find(&place, image, ADHOC_SIGN, fail) < 0 ||
        adhoc_profile_choose(&profile, image, options, fail) < 0 ||
        write_signed(&file, image, &place, &profile, fail) < 0)
        return -1;
    pieces_move(out, &file);
    return 0;
}

int adhoc_renew_image(struct pieces *out, const struct image *image, struct fail *fail)
{
    own_adhoc_profile struct adhoc_profile profile = {0};
    own_pieces struct pieces file = {0};
    struct adhoc_place place = {0};
    if (adhoc_profile_present(&profile, image, fail) < 0 ||
        adhoc_place_find(&place, image, ADHOC_RENEW, fail) < 0 ||
        write_signed(&file, image, &place, &profile, fail) < 0)
        return -1;
    pieces_move(out, &file);
    return 0;
}

int adhoc_strip_image(struct pieces *out, const struct image *image, struct fail *fail)
{
    own_buf struct buf head = {0};
    struct adhoc_place place = {0};
    struct view rest = {0};
    if (!image_has(&image->code_signature)) {
        pieces_borrow(out, image->file);
        return 0;
    }
    if (adhoc_place_find(&place, image, ADHOC_STRIP, fail) < 0)
        return -1;
    uint64_t head_len = image->header_size + image->commands_size;
    if (adhoc_place_header(&head, image, &place, 0, place.memory_size, head_len, fail) < 0)
        return -1;
    pieces_take(out, &head);
    if (view_slice(&rest, image->file, head_len, place.kept - head_len))
        pieces_borrow(out, rest);
    return 0;
}

int adhoc_sign(struct buf *out, const struct image *image, const struct adhoc_options *options,
               struct fail *fail)
{
    own_pieces struct pieces file = {0};
    if (adhoc_sign_image(&file, image, options, fail) < 0)
        return -1;
    pieces_join(out, &file);
    return 0;
}

int adhoc_renew(struct buf *out, const struct image *image, struct fail *fail)
{
    own_pieces struct pieces file = {0};
    if (adhoc_renew_image(&file, image, fail) < 0)
        return -1;
    pieces_join(out, &file);
    return 0;
}

int adhoc_strip(struct buf *out, const struct image *image, struct fail *fail)
{
    own_pieces struct pieces file = {0};
    if (adhoc_strip_image(&file, image, fail) < 0)
        return -1;
    pieces_join(out, &file);
    return 0;
}
