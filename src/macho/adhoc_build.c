#include <stdlib.h>
#include <string.h>

#include "macho/adhoc_parts.h"

/* What codesign keeps free for a CMS signature, and the header of that blob. */
#define CMS_RESERVE     18000u
#define RESERVED_HEADER 88u /* the CodeDirectory header that its estimate reckons with */

#define LLD_DIRECTORY_OFFSET 24u

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static uint64_t page_count(const struct adhoc_directory *directory, uint64_t code_limit)
{
    if (directory->page_shift == 0)
        return code_limit != 0;
    return (code_limit + (UINT64_C(1) << directory->page_shift) - 1) >> directory->page_shift;
}

/* Offset of the hash of page 0 in the CodeDirectory. */
static uint64_t hash_offset(const struct adhoc_profile *profile,
                            const struct adhoc_directory *directory)
{
    uint64_t offset = codesig_header_len(directory->version) + strlen(profile->identifier) + 1;
    if (profile->team && directory->version >= 0x20200)
        offset += strlen(profile->team) + 1;
    offset += (uint64_t)directory->special_count * codesig_hash_len(directory->hash_type);
    if (profile->lld_layout)
        offset = align_up(LLD_DIRECTORY_OFFSET + offset, 16) - LLD_DIRECTORY_OFFSET;
    return offset;
}

static uint64_t directory_len(const struct adhoc_profile *profile,
                              const struct adhoc_directory *directory, uint64_t code_limit)
{
    return hash_offset(profile, directory) +
           page_count(directory, code_limit) * codesig_hash_len(directory->hash_type);
}

static uint64_t first_offset(const struct adhoc_profile *profile)
{
    uint64_t index_len = CODESIG_SUPERBLOB_LEN +
                         (profile->directory_count + profile->blob_count) * CODESIG_INDEX_LEN;
    return profile->lld_layout ? align_up(index_len, 8) : index_len;
}

static uint64_t super_blob_len(const struct adhoc_profile *profile, uint64_t code_limit)
{
    uint64_t len = first_offset(profile);
    for (size_t i = 0; i < profile->directory_count; i++)
        len += directory_len(profile, &profile->directories[i], code_limit);
    for (size_t i = 0; i < profile->blob_count; i++)
        len += profile->blobs[i].bytes.len;
    return len;
}

/* codesign estimates before it knows the CMS signature: without that blob, with room for it. */
static uint64_t reserved_space(const struct adhoc_profile *profile, uint64_t len)
{
    uint64_t space = len + CMS_RESERVE + CODESIG_BLOB_LEN;
    for (size_t i = 0; i < profile->blob_count; i++)
        if (profile->blobs[i].slot == CODESIG_SLOT_CMS)
            space -= profile->blobs[i].bytes.len;
    for (size_t i = 0; i < profile->directory_count; i++)
        space = space + RESERVED_HEADER - codesig_header_len(profile->directories[i].version);
    if (profile->directory_count == 2)
        space += CODESIG_INDEX_LEN;
    return align_up(space, 16);
}

uint64_t adhoc_build_space(const struct adhoc_profile *profile, uint64_t code_limit)
{
    uint64_t len = super_blob_len(profile, code_limit);
    switch (profile->space) {
    case ADHOC_SPACE_EXACT:
        break;
    case ADHOC_SPACE_ALIGN8:
        return align_up(len, 8);
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
    bool wide = code_limit > UINT32_MAX;
    buf_u32be(out, CODESIG_MAGIC_DIRECTORY);
    buf_u32be(out, (uint32_t)directory_len(profile, directory, code_limit));
    buf_u32be(out, directory->version);
    buf_u32be(out, directory->flags);
    buf_u32be(out, (uint32_t)hash_offset(profile, directory));
    buf_u32be(out, header_len);
    buf_u32be(out, directory->special_count);
    buf_u32be(out, (uint32_t)page_count(directory, code_limit));
    buf_u32be(out, wide ? UINT32_MAX : (uint32_t)code_limit);
    buf_putc(out, (char)codesig_hash_len(directory->hash_type));
    buf_putc(out, (char)directory->hash_type);
    buf_putc(out, (char)directory->platform);
    buf_putc(out, (char)directory->page_shift);
    buf_u32be(out, 0);
    if (directory->version >= 0x20100)
        buf_u32be(out, 0);
    if (directory->version >= 0x20200)
        buf_u32be(out, profile->team ? team_off : 0);
    if (directory->version >= 0x20300) {
        buf_u32be(out, 0);
        buf_u64be(out, wide ? code_limit : 0);
    }
    if (directory->version >= 0x20400) {
        buf_u64be(out, directory->exec_base);
        buf_u64be(out, directory->exec_limit);
        buf_u64be(out, directory->exec_flags);
    }
    if (directory->version >= 0x20500) {
        buf_u32be(out, directory->runtime);
        buf_u32be(out, 0);
    }
}

/* The hash of a special slot: of the blob in it, or what the profile states. */
static void put_special(struct buf *out, const struct adhoc_profile *profile,
                        const struct adhoc_directory *directory, uint32_t slot)
{
    uint8_t hash[DIGEST_MAX] = {0};
    memcpy(hash, directory->special[slot], sizeof(hash));
    for (size_t i = 0; i < profile->blob_count; i++)
        if (profile->blobs[i].slot == slot)
            codesig_hash_bytes(
                hash, directory->hash_type,
                (struct view){profile->blobs[i].bytes.data, profile->blobs[i].bytes.len});
    buf_append(out, hash, codesig_hash_len(directory->hash_type));
}

static void put_directory(struct buf *out, const struct adhoc_profile *profile,
                          const struct adhoc_directory *directory, struct view code)
{
    size_t start = out->len;
    put_header(out, profile, directory, code.len);
    buf_append(out, profile->identifier, strlen(profile->identifier) + 1);
    if (profile->team && directory->version >= 0x20200)
        buf_append(out, profile->team, strlen(profile->team) + 1);
    uint64_t special_len =
        (uint64_t)directory->special_count * codesig_hash_len(directory->hash_type);
    buf_zeros(out, (size_t)(start + hash_offset(profile, directory) - special_len - out->len));
    for (uint32_t slot = directory->special_count; slot > 0; slot--)
        put_special(out, profile, directory, slot);
    uint64_t page_len =
        directory->page_shift == 0 ? code.len : UINT64_C(1) << directory->page_shift;
    for (uint64_t at = 0; at < code.len; at += page_len) {
        uint8_t hash[DIGEST_MAX] = {0};
        uint64_t len = code.len - at < page_len ? code.len - at : page_len;
        codesig_hash_bytes(hash, directory->hash_type, (struct view){code.data + at, len});
        buf_append(out, hash, codesig_hash_len(directory->hash_type));
    }
}

struct item {
    uint32_t slot;
    const struct adhoc_directory *directory; /* else `blob` */
    const struct adhoc_blob *blob;
};

static int compare_items(const void *a, const void *b)
{
    uint32_t left = ((const struct item *)a)->slot;
    uint32_t right = ((const struct item *)b)->slot;
    return left < right ? -1 : left > right;
}

void adhoc_build(struct buf *out, const struct adhoc_profile *profile, struct view code,
                 uint64_t space)
{
    struct item items[ADHOC_DIRECTORIES_MAX + CODESIG_BLOBS_MAX] = {0};
    size_t count = 0;
    for (size_t i = 0; i < profile->directory_count; i++)
        items[count++] = (struct item){.slot = profile->directories[i].slot,
                                       .directory = &profile->directories[i]};
    for (size_t i = 0; i < profile->blob_count; i++)
        items[count++] = (struct item){.slot = profile->blobs[i].slot, .blob = &profile->blobs[i]};
    qsort(items, count, sizeof(items[0]), compare_items);

    size_t start = out->len;
    uint64_t offset = first_offset(profile);
    buf_u32be(out, CODESIG_MAGIC_SUPERBLOB);
    buf_u32be(out, (uint32_t)super_blob_len(profile, code.len));
    buf_u32be(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        buf_u32be(out, items[i].slot);
        buf_u32be(out, (uint32_t)offset);
        offset += items[i].directory ? directory_len(profile, items[i].directory, code.len)
                                     : items[i].blob->bytes.len;
    }
    buf_zeros(out, (size_t)(start + first_offset(profile) - out->len));
    for (size_t i = 0; i < count; i++) {
        if (items[i].directory)
            put_directory(out, profile, items[i].directory, code);
        else
            buf_append(out, items[i].blob->bytes.data, items[i].blob->bytes.len);
    }
    buf_zeros(out, (size_t)(start + space - out->len));
}
