#include "macho/codesig.h"

#include <inttypes.h>
#include <string.h>

/* One malformed structure. `expected` and `actual` belong to the caller's sentence. */
static struct finding *malformed(struct findings *findings, const char *what, uint64_t offset)
{
    struct finding *finding = finding_add(findings, FINDING_ERROR, "sig.structure");
    finding_at(finding, offset, "%s", what);
    finding_remedy(finding, "sign the file again");
    return finding;
}

uint64_t codesig_header_len(uint32_t version)
{
    switch (version) {
    case 0x20001:
        return 44;
    case 0x20100:
        return 48;
    case 0x20200:
        return 52;
    case 0x20300:
        return 64;
    case 0x20400:
        return 88;
    case 0x20500:
        return 96;
    case 0x20600:
        return 108;
    default:
        return 0;
    }
}

uint8_t codesig_hash_len(uint8_t hash_type)
{
    switch (hash_type) {
    case CODESIG_HASH_SHA1:
    case CODESIG_HASH_SHA256_TRUNCATED:
        return SHA1_LEN;
    case CODESIG_HASH_SHA256:
        return SHA256_LEN;
    case CODESIG_HASH_SHA384:
        return DIGEST_MAX;
    default:
        return 0;
    }
}

const char *codesig_hash_name(uint8_t hash_type)
{
    switch (hash_type) {
    case CODESIG_HASH_SHA1:
        return "sha1";
    case CODESIG_HASH_SHA256:
        return "sha256";
    case CODESIG_HASH_SHA256_TRUNCATED:
        return "sha256-truncated";
    case CODESIG_HASH_SHA384:
        return "sha384";
    default:
        return "unknown";
    }
}

enum digest_kind codesig_hash_kind(uint8_t hash_type)
{
    if (hash_type == CODESIG_HASH_SHA1)
        return DIGEST_SHA1;
    return hash_type == CODESIG_HASH_SHA384 ? DIGEST_SHA384 : DIGEST_SHA256;
}

void codesig_hash_bytes(uint8_t *out, uint8_t hash_type, struct view bytes)
{
    uint8_t whole[DIGEST_MAX] = {0};
    digest_once(whole, codesig_hash_kind(hash_type), bytes.data, bytes.len);
    memcpy(out, whole, codesig_hash_len(hash_type));
}

/* The fields that later versions added; those that this version lacks stay zero. */
static void read_later_fields(struct codesig_directory *out, struct cursor *cursor)
{
    if (out->version >= 0x20100)
        out->scatter_off = cursor_u32(cursor);
    if (out->version >= 0x20200)
        out->team_off = cursor_u32(cursor);
    if (out->version >= 0x20300) {
        out->spare3 = cursor_u32(cursor);
        out->code_limit64 = cursor_u64(cursor);
    }
    if (out->version >= 0x20400) {
        out->exec_base = cursor_u64(cursor);
        out->exec_limit = cursor_u64(cursor);
        out->exec_flags = cursor_u64(cursor);
    }
    if (out->version >= 0x20500) {
        out->runtime = cursor_u32(cursor);
        out->pre_encrypt_off = cursor_u32(cursor);
    }
    if (out->version >= 0x20600) {
        out->linkage_hash_type = cursor_u8(cursor);
        out->linkage_type = cursor_u8(cursor);
        out->linkage_subtype = cursor_u16(cursor);
        out->linkage_off = cursor_u32(cursor);
        out->linkage_size = cursor_u32(cursor);
    }
}

static bool read_fields(struct codesig_directory *out, struct findings *findings)
{
    struct cursor cursor = cursor_start(out->bytes, BIG_ENDIAN_BYTES);
    cursor_skip(&cursor, CODESIG_BLOB_LEN);
    out->version = cursor_u32(&cursor);
    out->flags = cursor_u32(&cursor);
    out->hash_off = cursor_u32(&cursor);
    out->ident_off = cursor_u32(&cursor);
    out->special_count = cursor_u32(&cursor);
    out->code_count = cursor_u32(&cursor);
    out->code_limit32 = cursor_u32(&cursor);
    out->hash_size = cursor_u8(&cursor);
    out->hash_type = cursor_u8(&cursor);
    out->platform = cursor_u8(&cursor);
    out->page_shift = cursor_u8(&cursor);
    out->spare2 = cursor_u32(&cursor);
    out->header_len = codesig_header_len(out->version);
    if (!cursor.failed && out->header_len == 0) {
        struct finding *finding = malformed(findings, "CodeDirectory version", out->offset + 8);
        finding_expected(finding, "0x20001, 0x20100, 0x20200, 0x20300, 0x20400, 0x20500, 0x20600");
        finding_actual(finding, "0x%" PRIx32, out->version);
        return false;
    }
    read_later_fields(out, &cursor);
    if (cursor.failed) {
        struct finding *finding = malformed(findings, "CodeDirectory", out->offset);
        finding_expected(finding, "at least %" PRIu64 " bytes", out->header_len);
        finding_actual(finding, "%" PRIu64 " bytes", out->bytes.len);
    }
    return !cursor.failed;
}

/* Both arrays of hashes lie inside the blob, and the hash type is one that we can compute. */
static bool check_hashes(const struct codesig_directory *cd, struct findings *findings)
{
    uint8_t expected_size = codesig_hash_len(cd->hash_type);
    if (expected_size == 0 || cd->hash_size != expected_size) {
        struct finding *finding = malformed(findings, "CodeDirectory hash type", cd->offset + 36);
        finding_expected(finding, "a known type with its size (sha1 20, sha256 32, "
                                  "sha256-truncated 20, sha384 48)");
        finding_actual(finding, "type %u with size %u", cd->hash_type, cd->hash_size);
        return false;
    }
    uint64_t special_len = (uint64_t)cd->special_count * cd->hash_size;
    uint64_t code_len = (uint64_t)cd->code_count * cd->hash_size;
    bool good = true;
    if (special_len + cd->header_len > cd->hash_off) {
        struct finding *finding = malformed(findings, "special hashes", cd->offset + 24);
        finding_expected(finding, "%" PRIu32 " hashes between header and offset %" PRIu32,
                         cd->special_count, cd->hash_off);
        finding_actual(finding, "%" PRIu64 " bytes of hashes", special_len);
        good = false;
    }
    if (!range_fits(cd->hash_off, code_len, cd->bytes.len)) {
        struct finding *finding = malformed(findings, "code hashes", cd->offset + 16);
        finding_expected(finding, "%" PRIu32 " hashes inside %" PRIu64 " bytes", cd->code_count,
                         cd->bytes.len);
        finding_actual(finding, "%" PRIu64 " bytes from offset %" PRIu32, code_len, cd->hash_off);
        good = false;
    }
    return good;
}

/* The string at an offset behind the header; "" and a finding when there is none. */
static const char *read_string(const struct codesig_directory *cd, uint32_t offset,
                               const char *what, struct findings *findings)
{
    const char *text = NULL;
    if (offset >= cd->header_len)
        text = view_text(cd->bytes, offset);
    if (text)
        return text;
    struct finding *finding = malformed(findings, what, cd->offset + offset);
    finding_expected(finding,
                     "a string that ends with a NUL, behind the header of %" PRIu64
                     " bytes and before byte %" PRIu64,
                     cd->header_len, cd->bytes.len);
    finding_actual(finding, "offset %" PRIu32 " in the CodeDirectory", offset);
    return "";
}

/* A page of 2^32 bytes or more is taken for malformed, so that shifts below stay defined. */
static bool check_page_shift(const struct codesig_directory *cd, struct findings *findings)
{
    if (cd->page_shift < 32)
        return true;
    struct finding *finding = malformed(findings, "CodeDirectory page size", cd->offset + 39);
    finding_expected(finding, "a power of two below 32");
    finding_actual(finding, "2^%u", cd->page_shift);
    return false;
}

/* Appends the directory when at least its header and its hashes can be used. */
static void read_directory(struct codesig *sig, const struct codesig_blob *blob,
                           struct findings *findings)
{
    struct codesig_directory cd = {
        .slot = blob->slot, .offset = blob->offset, .bytes = blob->bytes, .identifier = ""};
    if (!read_fields(&cd, findings))
        return;
    bool usable = check_hashes(&cd, findings);
    usable = check_page_shift(&cd, findings) && usable;
    cd.identifier = read_string(&cd, cd.ident_off, "identifier", findings);
    if (cd.team_off != 0)
        cd.team = read_string(&cd, cd.team_off, "team identifier", findings);
    if (!usable)
        return;
    uint8_t hash[DIGEST_MAX] = {0};
    codesig_hash_bytes(hash, cd.hash_type, cd.bytes);
    memcpy(cd.cdhash, hash, CDHASH_LEN);
    sig->directories[sig->directory_count++] = cd;
}

static bool is_directory_slot(uint32_t slot)
{
    return slot == CODESIG_SLOT_DIRECTORY ||
           (slot >= CODESIG_SLOT_ALTERNATE && slot < CODESIG_SLOT_ALTERNATE_END);
}

/* The magic number that the blob of a slot must have; 0 when the slot has none of its own. */
static uint32_t expected_magic(uint32_t slot)
{
    if (is_directory_slot(slot))
        return CODESIG_MAGIC_DIRECTORY;
    switch (slot) {
    case CODESIG_SLOT_REQUIREMENTS:
        return CODESIG_MAGIC_REQUIREMENTS;
    case CODESIG_SLOT_ENTITLEMENTS:
        return CODESIG_MAGIC_ENTITLEMENTS;
    case CODESIG_SLOT_ENTITLEMENTS_DER:
        return CODESIG_MAGIC_ENTITLEMENTS_DER;
    case CODESIG_SLOT_CONSTRAINT_SELF:
    case CODESIG_SLOT_CONSTRAINT_PARENT:
    case CODESIG_SLOT_CONSTRAINT_RESPONSIBLE:
    case CODESIG_SLOT_CONSTRAINT_LIBRARY:
        return CODESIG_MAGIC_CONSTRAINT;
    case CODESIG_SLOT_CMS:
        return CODESIG_MAGIC_CMS;
    default:
        return 0;
    }
}

static void read_blob(struct codesig *sig, uint32_t index, struct findings *findings)
{
    uint64_t entry = CODESIG_SUPERBLOB_LEN + (uint64_t)index * CODESIG_INDEX_LEN;
    struct codesig_blob *blob = &sig->blobs[sig->blob_count++];
    uint32_t offset = 0;
    uint32_t len = 0;
    *blob = (struct codesig_blob){0};
    (void)view_u32(&blob->slot, sig->super_blob, entry, BIG_ENDIAN_BYTES);
    (void)view_u32(&offset, sig->super_blob, entry + 4, BIG_ENDIAN_BYTES);
    blob->offset = offset;
    if (!view_u32(&blob->magic, sig->super_blob, offset, BIG_ENDIAN_BYTES) ||
        !view_u32(&len, sig->super_blob, (uint64_t)offset + 4, BIG_ENDIAN_BYTES) ||
        len < CODESIG_BLOB_LEN || !view_slice(&blob->bytes, sig->super_blob, offset, len)) {
        blob->bytes = (struct view){0};
        struct finding *finding = malformed(findings, "blob", offset);
        finding_expected(finding, "slot 0x%" PRIx32 " inside the SuperBlob of %" PRIu64 " bytes",
                         blob->slot, sig->super_blob.len);
        finding_actual(finding, "offset %" PRIu32 ", length %" PRIu32, offset, len);
        return;
    }
    uint32_t magic = expected_magic(blob->slot);
    if (magic != blob->magic) {
        struct finding *finding = malformed(findings, "blob", offset);
        if (magic == 0)
            finding_expected(finding, "a slot that can hold a blob");
        else
            finding_expected(finding, "magic 0x%08" PRIx32 " in slot 0x%" PRIx32, magic,
                             blob->slot);
        finding_actual(finding, "magic 0x%08" PRIx32 " in slot 0x%" PRIx32, blob->magic,
                       blob->slot);
        return;
    }
    if (is_directory_slot(blob->slot))
        read_directory(sig, blob, findings);
}

/* Header of the SuperBlob: the number of index entries, 0 when there is nothing to read. */
static uint32_t read_super_blob(struct codesig *sig, struct findings *findings)
{
    uint32_t magic = 0;
    uint32_t len = 0;
    uint32_t count = 0;
    if (!view_u32(&magic, sig->data, 0, BIG_ENDIAN_BYTES) ||
        !view_u32(&len, sig->data, 4, BIG_ENDIAN_BYTES) ||
        !view_u32(&count, sig->data, 8, BIG_ENDIAN_BYTES)) {
        struct finding *finding = malformed(findings, "SuperBlob", 0);
        finding_expected(finding, "at least %u bytes", CODESIG_SUPERBLOB_LEN);
        finding_actual(finding, "%" PRIu64 " bytes", sig->data.len);
        return 0;
    }
    if (magic != CODESIG_MAGIC_SUPERBLOB) {
        struct finding *finding = malformed(findings, "SuperBlob", 0);
        finding_expected(finding, "magic 0x%08x", (unsigned)CODESIG_MAGIC_SUPERBLOB);
        finding_actual(finding, "magic 0x%08" PRIx32, magic);
        return 0;
    }
    if (len < CODESIG_SUPERBLOB_LEN || !view_slice(&sig->super_blob, sig->data, 0, len)) {
        struct finding *finding = malformed(findings, "SuperBlob length", 4);
        finding_expected(finding, "%u to %" PRIu64 " bytes", CODESIG_SUPERBLOB_LEN, sig->data.len);
        finding_actual(finding, "%" PRIu32 " bytes", len);
        return 0;
    }
    uint64_t room = (len - CODESIG_SUPERBLOB_LEN) / CODESIG_INDEX_LEN;
    if (count > room || count > CODESIG_BLOBS_MAX) {
        struct finding *finding = malformed(findings, "SuperBlob count", 8);
        finding_expected(finding, "at most %" PRIu64 " entries",
                         room < CODESIG_BLOBS_MAX ? room : CODESIG_BLOBS_MAX);
        finding_actual(finding, "%" PRIu32 " entries", count);
        return 0;
    }
    return count;
}

void codesig_parse(struct codesig *out, struct findings *findings, struct view data)
{
    *out = (struct codesig){.data = data};
    size_t errors = findings->error_count;
    uint32_t count = read_super_blob(out, findings);
    out->blobs = mem_new(count, sizeof(*out->blobs));
    out->directories = mem_new(count, sizeof(*out->directories));
    for (uint32_t i = 0; i < count; i++)
        read_blob(out, i, findings);
    if (out->directory_count == 0 && findings->error_count == errors) {
        struct finding *finding = malformed(findings, "SuperBlob", 0);
        finding_expected(finding, "a CodeDirectory");
        finding_actual(finding, "none among %" PRIu32 " blobs", count);
    }
}

int codesig_read(struct codesig *out, struct view data, struct fail *fail)
{
    own_findings struct findings findings = {0};
    codesig_parse(out, &findings, data);
    if (findings.count == 0)
        return 0;
    const struct finding *first = &findings.list[0];
    fail_set(fail, FAIL_INPUT, "code signature is malformed: %s: expected %s, found %s",
             first->place, first->expected, first->actual);
    codesig_release(out);
    return fail_hint(fail, "%s", first->remedy);
}

void codesig_release(struct codesig *sig)
{
    own_release_mem(&sig->blobs);
    own_release_mem(&sig->directories);
    *sig = (struct codesig){0};
}

const struct codesig_blob *codesig_find(const struct codesig *sig, uint32_t slot)
{
    for (size_t i = 0; i < sig->blob_count; i++)
        if (sig->blobs[i].slot == slot && sig->blobs[i].bytes.len > 0)
            return &sig->blobs[i];
    return NULL;
}

bool codesig_cms(struct view *out, const struct codesig *sig)
{
    const struct codesig_blob *blob = codesig_find(sig, CODESIG_SLOT_CMS);
    if (!blob || blob->bytes.len <= CODESIG_BLOB_LEN)
        return false;
    return view_slice(out, blob->bytes, CODESIG_BLOB_LEN, blob->bytes.len - CODESIG_BLOB_LEN);
}

/* Stronger is greater; among equals the earlier directory counts. */
static int hash_rank(uint8_t hash_type)
{
    switch (hash_type) {
    case CODESIG_HASH_SHA1:
        return 1;
    case CODESIG_HASH_SHA256_TRUNCATED:
        return 2;
    case CODESIG_HASH_SHA256:
        return 3;
    case CODESIG_HASH_SHA384:
        return 4;
    default:
        return 0;
    }
}

const struct codesig_directory *codesig_best(const struct codesig *sig)
{
    const struct codesig_directory *best = NULL;
    for (size_t i = 0; i < sig->directory_count; i++) {
        const struct codesig_directory *cd = &sig->directories[i];
        if (!best || hash_rank(cd->hash_type) > hash_rank(best->hash_type))
            best = cd;
    }
    return best;
}

enum codesig_kind codesig_kind(const struct codesig *sig)
{
    struct view cms = {0};
    const struct codesig_directory *best = codesig_best(sig);
    if (!best)
        return CODESIG_NONE;
    if (codesig_cms(&cms, sig))
        return CODESIG_CMS;
    return best->flags & CODESIG_FLAG_LINKER_SIGNED ? CODESIG_LINKER : CODESIG_ADHOC;
}

const char *codesig_kind_name(enum codesig_kind kind)
{
    switch (kind) {
    case CODESIG_NONE:
        return "none";
    case CODESIG_LINKER:
        return "linker";
    case CODESIG_ADHOC:
        return "adhoc";
    case CODESIG_CMS:
        return "cms";
    }
    return "unknown";
}

uint64_t codesig_page_len(const struct codesig_directory *directory)
{
    return directory->page_shift == 0 ? UINT64_MAX : UINT64_C(1) << directory->page_shift;
}

uint64_t codesig_code_limit(const struct codesig_directory *directory)
{
    return directory->code_limit64 != 0 ? directory->code_limit64 : directory->code_limit32;
}

bool codesig_page_hash(struct view *out, const struct codesig_directory *directory, uint64_t page)
{
    if (page >= directory->code_count)
        return false;
    return view_slice(out, directory->bytes, directory->hash_off + page * directory->hash_size,
                      directory->hash_size);
}

bool codesig_special_hash(struct view *out, const struct codesig_directory *directory,
                          uint32_t slot)
{
    if (slot == 0 || slot > directory->special_count)
        return false;
    return view_slice(out, directory->bytes,
                      directory->hash_off - (uint64_t)slot * directory->hash_size,
                      directory->hash_size);
}

bool codesig_scatter_entry(struct codesig_scatter *out, const struct codesig_directory *directory,
                           uint64_t index)
{
    struct view bytes = {0};
    if (directory->scatter_off == 0 || index > directory->bytes.len / CODESIG_SCATTER_LEN ||
        !view_slice(&bytes, directory->bytes, directory->scatter_off + index * CODESIG_SCATTER_LEN,
                    CODESIG_SCATTER_LEN))
        return false;
    struct cursor cursor = cursor_start(bytes, BIG_ENDIAN_BYTES);
    out->page_count = cursor_u32(&cursor);
    out->first_page = cursor_u32(&cursor);
    out->target_offset = cursor_u64(&cursor);
    out->spare = cursor_u64(&cursor);
    return true;
}

uint64_t codesig_scatter_len(const struct codesig_directory *directory)
{
    struct codesig_scatter entry = {0};
    uint64_t count = 0;
    while (codesig_scatter_entry(&entry, directory, count)) {
        count++;
        if (entry.page_count == 0)
            break;
    }
    return count * CODESIG_SCATTER_LEN;
}
