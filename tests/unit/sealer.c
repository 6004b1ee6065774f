#include "unit/sealer.h"

#include <stdlib.h>
#include <string.h>

#include "unit/macho_builder.h"
#include "unit/superblob.h"

#define BASE_ADDRESS    0x100000u
#define LINKEDIT_TABLES SEALER_TABLES

static uint64_t text_len(const struct sealer_image *image)
{
    return image->code_len != 0 ? image->code_len : 0x600;
}

static uint32_t version_of(const struct sealer_spec *spec)
{
    return spec->version != 0 ? spec->version : 0x20400;
}

static const char *identifier_of(const struct sealer_spec *spec)
{
    return spec->identifier != NULL ? spec->identifier : SEALER_IDENTIFIER;
}

static uint64_t page_len(const struct sealer_spec *spec)
{
    return UINT64_C(1) << (spec->page_shift != 0 ? spec->page_shift : 12);
}

static uint32_t page_count(const struct sealer_spec *spec, struct view code)
{
    return (uint32_t)((code.len + page_len(spec) - 1) / page_len(spec));
}

static void append_hash(struct buf *out, uint8_t hash_type, struct view bytes)
{
    uint8_t hash[DIGEST_MAX] = {0};
    codesig_hash_bytes(hash, hash_type, bytes);
    buf_append(out, hash, codesig_hash_len(hash_type));
}

static void append_pages(struct buf *out, uint8_t hash_type, struct view code,
                         const struct sealer_spec *spec)
{
    for (uint64_t at = 0; at < code.len; at += page_len(spec)) {
        uint64_t left = code.len - at;
        append_hash(out, hash_type,
                    (struct view){code.data + at, left < page_len(spec) ? left : page_len(spec)});
    }
}

static size_t blob_count(const struct sealer_spec *spec)
{
    size_t count = 0;
    while (count < SEALER_BLOBS_MAX && spec->blobs[count].slot != 0)
        count++;
    return count;
}

static uint32_t special_count(const struct sealer_spec *spec, const struct sealer_image *image)
{
    uint32_t highest = spec->special_count;
    if (highest < 1 && (spec->info_plist.len > 0 || image->info_plist != NULL))
        highest = 1;
    if (highest < 3 && spec->resources.len > 0)
        highest = 3;
    for (size_t i = 0; i < blob_count(spec); i++)
        if (spec->blobs[i].slot < CODESIG_SLOT_ALTERNATE && spec->blobs[i].slot > highest)
            highest = spec->blobs[i].slot;
    return highest;
}

/* The hash of one special slot: zeros when it seals nothing. */
static void append_special(struct buf *out, uint8_t hash_type, uint32_t slot,
                           const struct sealer_spec *spec, const struct sealer_image *image)
{
    struct view sealed = {0};
    own_buf struct buf blob = {0};
    if (slot == CODESIG_SLOT_INFO && spec->info_plist.len > 0)
        sealed = spec->info_plist;
    else if (slot == CODESIG_SLOT_INFO && image->info_plist != NULL)
        sealed = (struct view){(const uint8_t *)image->info_plist, strlen(image->info_plist)};
    if (slot == CODESIG_SLOT_RESOURCES)
        sealed = spec->resources;
    for (size_t i = 0; i < blob_count(spec); i++) {
        if (spec->blobs[i].slot != slot)
            continue;
        superblob_put_blob(&blob, slot, spec->blobs[i].payload);
        sealed = (struct view){blob.data, blob.len};
    }
    if (sealed.len == 0)
        buf_zeros(out, codesig_hash_len(hash_type));
    else
        append_hash(out, hash_type, sealed);
}

static uint64_t exec_limit(const struct sealer_image *image, enum sealer_limit limit)
{
    if (image->filetype == MH_OBJECT)
        return 0;
    switch (limit) {
    case SEALER_LIMIT_LINKEDIT:
        return text_len(image);
    case SEALER_LIMIT_SIGNATURE:
        return text_len(image) + LINKEDIT_TABLES;
    default:
        return text_len(image) - image->data_len;
    }
}

/* Fields behind the first 44 bytes; offsets are filled in afterwards. */
static void append_later_fields(struct buf *out, struct view code, const struct sealer_image *image,
                                const struct sealer_spec *spec)
{
    uint32_t version = version_of(spec);
    if (version >= 0x20100)
        buf_u32be(out, 0); /* scatter */
    if (version >= 0x20200)
        buf_u32be(out, 0); /* team */
    if (version >= 0x20300)
        buf_zeros(out, 12); /* reserved, 64-bit code limit */
    if (version >= 0x20400) {
        buf_zeros(out, 8); /* base */
        buf_u64be(out, exec_limit(image, spec->exec_limit));
        buf_u32be(out, 0);
        buf_u32be(out, (uint32_t)spec->exec_flags);
    }
    if (version >= 0x20500) {
        buf_u32be(out, spec->runtime);
        buf_u32be(out, 0); /* pre-encryption hashes */
    }
    if (version >= 0x20600)
        buf_zeros(out, 12); /* linkage */
    (void)code;
}

/* Two runs where there are two pages, so that an entry behind the first is tried too. */
static void append_scatter(struct buf *out, uint32_t pages, const struct sealer_spec *spec)
{
    uint32_t first = pages > 1 ? 1 : 0;
    for (uint32_t page = 0, count = 0; page < pages; page += count) {
        count = page == 0 && first != 0 ? first : pages - page;
        buf_u32be(out, count);
        buf_u32be(out, page);
        buf_u32be(out, 0);
        buf_u32be(out, (uint32_t)(page * page_len(spec)));
        buf_zeros(out, 8);
    }
    buf_zeros(out, CODESIG_SCATTER_LEN);
}

static void append_linkage(struct buf *out, uint8_t hash_type)
{
    static const uint8_t linked[] = {'l', 'i', 'n', 'k'};
    buf_set_u32be(out, 96, (uint32_t)hash_type << 24 | 1u << 16);
    buf_set_u32be(out, 100, (uint32_t)out->len);
    buf_set_u32be(out, 104, codesig_hash_len(hash_type));
    append_hash(out, hash_type, (struct view){linked, sizeof linked});
}

static void put_directory(struct buf *out, uint8_t hash_type, struct view code,
                          const struct sealer_image *image, const struct sealer_spec *spec)
{
    uint32_t special = special_count(spec, image);
    uint8_t hash_len = codesig_hash_len(hash_type);
    const uint32_t fields[] = {CODESIG_MAGIC_DIRECTORY,
                               0,
                               version_of(spec),
                               spec->flags != 0 ? spec->flags : CODESIG_FLAG_ADHOC,
                               0,
                               0,
                               special,
                               page_count(spec, code),
                               (uint32_t)code.len,
                               (uint32_t)hash_len << 24 | (uint32_t)hash_type << 16 |
                                   (spec->page_shift != 0 ? spec->page_shift : 12u),
                               0};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        buf_u32be(out, fields[i]);
    append_later_fields(out, code, image, spec);
    if (spec->scatter) {
        buf_set_u32be(out, 44, (uint32_t)out->len);
        append_scatter(out, page_count(spec, code), spec);
    }
    buf_set_u32be(out, 20, (uint32_t)out->len);
    buf_append(out, identifier_of(spec), strlen(identifier_of(spec)) + 1);
    if (spec->team != NULL) {
        buf_set_u32be(out, 48, (uint32_t)out->len);
        buf_append(out, spec->team, strlen(spec->team) + 1);
    }
    if (spec->pre_encrypt) {
        buf_set_u32be(out, 92, (uint32_t)out->len);
        append_pages(out, hash_type, code, spec);
    }
    if (spec->linkage)
        append_linkage(out, hash_type);
    for (uint32_t slot = special; slot > 0; slot--)
        append_special(out, hash_type, slot, spec, image);
    buf_set_u32be(out, 16, (uint32_t)out->len);
    append_pages(out, hash_type, code, spec);
    buf_set_u32be(out, 4, (uint32_t)out->len);
}

static uint8_t hash_type_of(const struct sealer_spec *spec, size_t index)
{
    return spec->hash_types[0] == 0 && index == 0 ? CODESIG_HASH_SHA256 : spec->hash_types[index];
}

static size_t directory_count(const struct sealer_spec *spec)
{
    size_t count = 1;
    while (count < SEALER_HASHES_MAX && spec->hash_types[count] != 0)
        count++;
    return count;
}

static void add_directory(struct superblob *super, uint32_t slot, uint8_t hash_type,
                          struct view code, const struct sealer_image *image,
                          const struct sealer_spec *spec)
{
    own_buf struct buf directory = {0};
    put_directory(&directory, hash_type, code, image, spec);
    superblob_add(super, slot, (struct view){directory.data, directory.len});
}

static void add_blob(struct superblob *super, const struct sealer_blob *blob)
{
    own_buf struct buf whole = {0};
    superblob_put_blob(&whole, blob->slot, blob->payload);
    superblob_add(super, blob->slot, (struct view){whole.data, whole.len});
}

void sealer_sign(struct buf *out, struct view code, const struct sealer_image *image,
                 const struct sealer_spec *spec)
{
    size_t blobs = blob_count(spec);
    size_t directories = directory_count(spec);
    struct superblob super = superblob_begin(out, blobs + directories);
    add_directory(&super, CODESIG_SLOT_DIRECTORY, hash_type_of(spec, 0), code, image, spec);
    for (size_t i = 0; i < blobs && spec->blobs[i].slot < CODESIG_SLOT_ALTERNATE; i++)
        add_blob(&super, &spec->blobs[i]);
    for (size_t i = 1; i < directories; i++)
        add_directory(&super, CODESIG_SLOT_ALTERNATE + (uint32_t)i - 1, hash_type_of(spec, i), code,
                      image, spec);
    if (blobs > 0 && spec->blobs[blobs - 1].slot == CODESIG_SLOT_CMS)
        add_blob(&super, &spec->blobs[blobs - 1]);
}

/* One segment without a name that holds everything, as in object files. */
static void build_object(struct macho_builder *b, uint64_t code_len)
{
    macho_segment(b, "", 0x200, code_len - 0x200, 7);
    macho_section(b, "__TEXT", "__text", 0x400, 0x40, 0x80000400u);
}

static void build_linked(struct macho_builder *b, const struct sealer_image *image,
                         uint64_t code_len, uint64_t signature_len)
{
    macho_segment(b, "__TEXT", 0, code_len - image->data_len, 5);
    macho_section(b, "__TEXT", "__text", 0x400, 0x40, 0x80000400u);
    if (image->info_plist != NULL) {
        macho_section(b, "__TEXT", "__info_plist", 0x480, strlen(image->info_plist), 0);
        macho_put(b, 0x480, image->info_plist, strlen(image->info_plist));
    }
    if (image->data_len != 0)
        macho_segment(b, "__DATA", code_len - image->data_len, image->data_len, 3);
    macho_segment(b, "__LINKEDIT", code_len, LINKEDIT_TABLES + signature_len,
                  image->linkedit_protection != 0 ? image->linkedit_protection : VM_PROT_READ);
    if (image->linkedit_section)
        macho_section(b, "__LINKEDIT", "__code", code_len + LINKEDIT_TABLES, 4, 0x80000400u);
}

static void build(struct macho_builder *b, const struct sealer_image *image, uint64_t signature_len)
{
    uint64_t code_len = text_len(image);
    const uint32_t build[] = {PLATFORM_MACOS, 13u << 16, image->sdk, 0};
    const uint32_t table[] = {(uint32_t)code_len, image->table_len};
    const uint32_t encryption[] = {0x400, 0x40, 1};
    const uint32_t signature[] = {(uint32_t)code_len + LINKEDIT_TABLES, (uint32_t)signature_len};
    macho_begin(b);
    b->is64 = !image->is32;
    b->order = image->big_endian ? BIG_ENDIAN_BYTES : LITTLE_ENDIAN_BYTES;
    b->cputype = image->cputype;
    b->cpusubtype = image->cpusubtype;
    b->filetype = image->filetype != 0 ? image->filetype : MH_DYLIB;
    b->flags = image->flags;
    b->base_address = BASE_ADDRESS;
    if (image->filetype == MH_OBJECT)
        build_object(b, code_len);
    else
        build_linked(b, image, code_len, signature_len);
    if (image->sdk != 0)
        macho_command_words(b, LC_BUILD_VERSION, build, 4);
    if (image->table_len != 0)
        macho_command_words(b, LC_FUNCTION_STARTS, table, 2);
    if (image->encrypted)
        macho_command_words(b, LC_ENCRYPTION_INFO, encryption, 3);
    if (image->command != 0)
        macho_command_words(b, image->command, image->words, SEALER_WORDS);
    macho_command_words(b, LC_CODE_SIGNATURE, signature, 2);
    for (uint64_t at = 0x400; at < 0x440; at += 4)
        macho_put_u32(b, at, (uint32_t)(at * 0x9e3779b1u));
    macho_finish(b, code_len + LINKEDIT_TABLES);
}

void sealer_file(struct buf *out, const struct sealer_image *image, const struct sealer_spec *spec)
{
    struct macho_builder b = {0};
    own_buf struct buf signature = {0};
    build(&b, image, 0x100);
    sealer_sign(&signature, macho_view(&b), image, spec); /* for its length */
    macho_release(&b);
    uint64_t len = (signature.len + spec->reserved + 15) / 16 * 16;
    build(&b, image, len);
    buf_truncate(&signature, 0);
    sealer_sign(&signature, macho_view(&b), image, spec);
    buf_zeros(&signature, (size_t)len - signature.len);
    buf_append(out, b.out.data, b.out.len);
    buf_append(out, signature.data, signature.len);
    macho_release(&b);
}
