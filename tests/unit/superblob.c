#include "unit/superblob.h"

#include "macho/codesig.h"

struct superblob superblob_begin(struct buf *out, size_t count)
{
    struct superblob super = {
        .out = out, .start = out->len, .entry = out->len + CODESIG_SUPERBLOB_LEN};
    buf_u32be(out, CODESIG_MAGIC_SUPERBLOB);
    buf_u32be(out, (uint32_t)(CODESIG_SUPERBLOB_LEN + count * CODESIG_INDEX_LEN));
    buf_u32be(out, (uint32_t)count);
    buf_zeros(out, count * CODESIG_INDEX_LEN);
    return super;
}

void superblob_add(struct superblob *super, uint32_t slot, struct view blob)
{
    struct buf *out = super->out;
    buf_set_u32be(out, super->entry, slot);
    buf_set_u32be(out, super->entry + 4, (uint32_t)(out->len - super->start));
    super->entry += CODESIG_INDEX_LEN;
    if (blob.len > 0)
        buf_append(out, blob.data, (size_t)blob.len);
    buf_set_u32be(out, super->start + 4, (uint32_t)(out->len - super->start));
}

static uint32_t magic_of(uint32_t slot)
{
    switch (slot) {
    case CODESIG_SLOT_REQUIREMENTS:
        return CODESIG_MAGIC_REQUIREMENTS;
    case CODESIG_SLOT_ENTITLEMENTS:
        return CODESIG_MAGIC_ENTITLEMENTS;
    case CODESIG_SLOT_ENTITLEMENTS_DER:
        return CODESIG_MAGIC_ENTITLEMENTS_DER;
    case CODESIG_SLOT_CMS:
        return CODESIG_MAGIC_CMS;
    default:
        return CODESIG_MAGIC_CONSTRAINT;
    }
}

void superblob_put_blob(struct buf *out, uint32_t slot, struct view payload)
{
    buf_u32be(out, magic_of(slot));
    buf_u32be(out, (uint32_t)(CODESIG_BLOB_LEN + payload.len));
    if (payload.len > 0)
        buf_append(out, payload.data, (size_t)payload.len);
}
