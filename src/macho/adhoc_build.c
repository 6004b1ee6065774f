#include <stdlib.h>
#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/pagehash.h"

/* What codesign keeps free for a CMS signature, and the header of that blob. */
#define CMS_RESERVE     18000u
#define RESERVED_HEADER 88u /* the CodeDirectory header that its estimate reckons with */

static uint64_t page_len(const struct adhoc_directory *directory)
{
    return directory->page_shift == 0 ? UINT64_MAX : UINT64_C(1) << directory->page_shift;
}

static uint64_t page_count(const struct adhoc_directory *directory, uint64_t code_limit)
{
    return pagehash_count(code_limit, page_len(directory));
}

uint64_t adhoc_build_page(const struct adhoc_profile *profile)
{
    uint64_t longest = 1;
    for (size_t i = 0; i < profile->directory_count; i++)
        if (page_len(&profile->directories[i]) > longest)
            longest = page_len(&profile->directories[i]);
    return longest;
}

/* Offset of the hash of page 0 in the CodeDirectory. */
static uint64_t hash_offset(const struct adhoc_profile *profile,
                            const struct adhoc_directory *directory)
{
    uint64_t offset = codesig_header_len(directory->version) + strlen(profile->identifier) + 1;
    if (directory->has_team)
        offset += strlen(profile->team) + 1;
    return offset + directory->gap +
           (uint64_t)directory->special_count * codesig_hash_len(directory->hash_type);
}

static uint64_t directory_len(const struct adhoc_profile *profile,
                              const struct adhoc_directory *directory, uint64_t code_limit)
{
    return hash_offset(profile, directory) + directory->tail +
           page_count(directory, code_limit) * codesig_hash_len(directory->hash_type);
}

static uint64_t item_len(const struct adhoc_profile *profile, const struct adhoc_item *item,
                         uint64_t code_limit)
{
    return item->directory ? directory_len(profile, item->directory, code_limit) : item->bytes.len;
}

uint64_t adhoc_build_len(const struct adhoc_profile *profile, uint64_t code_limit)
{
    uint64_t len = CODESIG_SUPERBLOB_LEN + profile->item_count * CODESIG_INDEX_LEN + profile->tail;
    for (size_t i = 0; i < profile->item_count; i++)
        len += profile->items[i].gap + item_len(profile, &profile->items[i], code_limit);
    return len;
}

/* codesign estimates before it knows the CMS signature: without that blob, with room for it. */
static uint64_t reserved_space(const struct adhoc_profile *profile, uint64_t len)
{
    uint64_t space = len + CMS_RESERVE + CODESIG_BLOB_LEN;
    for (size_t i = 0; i < profile->item_count; i++)
        if (profile->items[i].slot == CODESIG_SLOT_CMS)
            space -= profile->items[i].bytes.len;
    for (size_t i = 0; i < profile->directory_count; i++)
        space = space + RESERVED_HEADER - codesig_header_len(profile->directories[i].version);
    if (profile->directory_count == 2)
        space += CODESIG_INDEX_LEN;
    return adhoc_align_up(space, 16);
}

uint64_t adhoc_build_space(const struct adhoc_profile *profile, uint64_t code_limit)
{
    uint64_t len = adhoc_build_len(profile, code_limit);
    switch (profile->space) {
    case ADHOC_SPACE_EXACT:
        break;
    case ADHOC_SPACE_ALIGN8:
        return adhoc_align_up(len, 8);
    case ADHOC_SPACE_RESERVED:
        return reserved_space(profile, len);
    case ADHOC_SPACE_FIXED:
        return profile->space_len > len ? profile->space_len : len;
    }
    return len;
}

static void put_header(struct buf *out, const struct adhoc_profile *profile,
                       const struct adhoc_directory *directory, uint64_t code_limit)
{
    uint32_t header_len = (uint32_t)codesig_header_len(directory->version);
    uint32_t team_off = header_len + (uint32_t)strlen(profile->identifier) + 1;
    buf_u32be(out, CODESIG_MAGIC_DIRECTORY);
    buf_u32be(out, (uint32_t)directory_len(profile, directory, code_limit));
    buf_u32be(out, directory->version);
    buf_u32be(out, directory->flags);
    buf_u32be(out, (uint32_t)hash_offset(profile, directory));
    buf_u32be(out, header_len);
    buf_u32be(out, directory->special_count);
    buf_u32be(out, (uint32_t)page_count(directory, code_limit));
    buf_u32be(out, (uint32_t)code_limit); /* LC_CODE_SIGNATURE cannot name more than 32 bits */
    buf_putc(out, (char)codesig_hash_len(directory->hash_type));
    buf_putc(out, (char)directory->hash_type);
    buf_putc(out, (char)directory->platform);
    buf_putc(out, (char)directory->page_shift);
    buf_u32be(out, 0);
    if (directory->version >= 0x20100)
        buf_u32be(out, 0);
    if (directory->version >= 0x20200)
        buf_u32be(out, directory->has_team ? team_off : 0);
    if (directory->version >= 0x20300) {
        buf_u32be(out, 0);
        buf_u64be(out, 0);
    }
    if (directory->version >= 0x20400) {
        buf_u64be(out, directory->exec_base);
        buf_u64be(out, directory->exec_to_signature ? code_limit : directory->exec_limit);
        buf_u64be(out, directory->exec_flags);
    }
    if (directory->version >= 0x20500) {
        buf_u32be(out, directory->runtime);
        buf_u32be(out, 0);
    }
    if (directory->version >= 0x20600)
        buf_zeros(out, 12); /* no linkage data */
}

/* The hash of a special slot: of the blob in it, or what the profile states. */
static void put_special(struct buf *out, const struct adhoc_profile *profile,
                        const struct adhoc_directory *directory, uint32_t slot)
{
    uint8_t hash[DIGEST_MAX] = {0};
    memcpy(hash, directory->special[slot], sizeof(hash));
    for (size_t i = 0; i < profile->item_count; i++) {
        const struct adhoc_item *item = &profile->items[i];
        if (item->slot == slot && !item->directory)
            codesig_hash_bytes(hash, directory->hash_type,
                               (struct view){item->bytes.data, item->bytes.len});
    }
    buf_append(out, hash, codesig_hash_len(directory->hash_type));
}

/* Appends a CodeDirectory with zeros for the code hashes; their offset in `out` is returned. */
static size_t put_directory(struct buf *out, const struct adhoc_profile *profile,
                            const struct adhoc_directory *directory, uint64_t code_limit)
{
    put_header(out, profile, directory, code_limit);
    buf_append(out, profile->identifier, strlen(profile->identifier) + 1);
    if (directory->has_team)
        buf_append(out, profile->team, strlen(profile->team) + 1);
    buf_zeros(out, (size_t)directory->gap);
    for (uint32_t slot = directory->special_count; slot > 0; slot--)
        put_special(out, profile, directory, slot);
    size_t hashes = out->len;
    buf_zeros(out,
              (size_t)(page_count(directory, code_limit) * codesig_hash_len(directory->hash_type) +
                       directory->tail));
    return hashes;
}

/* All pages, part by part, for all CodeDirectories at once. */
static int put_hashes(struct buf *out, const struct adhoc_profile *profile,
                      const size_t hashes[ADHOC_DIRECTORIES_MAX], const struct pieces *code,
                      struct fail *fail)
{
    uint64_t offset = 0;
    for (size_t part = 0; part < code->count; part++) {
        struct pagehash sets[ADHOC_DIRECTORIES_MAX] = {0};
        struct view bytes = code->list[part].bytes;
        for (size_t i = 0; i < profile->directory_count; i++) {
            const struct adhoc_directory *directory = &profile->directories[i];
            uint64_t first = offset / page_len(directory);
            sets[i] = (struct pagehash){.hash_type = directory->hash_type,
                                        .page_len = page_len(directory),
                                        .limit = bytes.len,
                                        .count = page_count(directory, bytes.len),
                                        .out = out->data + hashes[i] +
                                               first * codesig_hash_len(directory->hash_type)};
        }
        if (pagehash_run(sets, profile->directory_count, bytes, 0, fail) < 0)
            return -1;
        offset += bytes.len;
    }
    return 0;
}

static void put_index(struct buf *out, const struct adhoc_profile *profile, uint64_t code_limit)
{
    uint64_t offsets[CODESIG_BLOBS_MAX] = {0};
    uint64_t offset = CODESIG_SUPERBLOB_LEN + profile->item_count * CODESIG_INDEX_LEN;
    for (size_t i = 0; i < profile->item_count; i++) {
        const struct adhoc_item *item = &profile->items[profile->order[i]];
        offset += item->gap;
        offsets[profile->order[i]] = offset;
        offset += item_len(profile, item, code_limit);
    }
    buf_u32be(out, CODESIG_MAGIC_SUPERBLOB);
    buf_u32be(out, (uint32_t)adhoc_build_len(profile, code_limit));
    buf_u32be(out, (uint32_t)profile->item_count);
    for (size_t i = 0; i < profile->item_count; i++) {
        buf_u32be(out, profile->items[i].slot);
        buf_u32be(out, (uint32_t)offsets[i]);
    }
}

int adhoc_build(struct buf *out, const struct adhoc_profile *profile, const struct pieces *code,
                struct fail *fail)
{
    size_t hashes[ADHOC_DIRECTORIES_MAX] = {0};
    put_index(out, profile, code->len);
    for (size_t i = 0; i < profile->item_count; i++) {
        const struct adhoc_item *item = &profile->items[profile->order[i]];
        buf_zeros(out, (size_t)item->gap);
        if (item->directory)
            hashes[item->directory - profile->directories] =
                put_directory(out, profile, item->directory, code->len);
        else
            buf_append(out, item->bytes.data, item->bytes.len);
    }
    buf_zeros(out, (size_t)profile->tail);
    return put_hashes(out, profile, hashes, code, fail);
}
