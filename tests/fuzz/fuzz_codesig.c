/*
 * The signature reader and the verifier. An input is a signature alone, which is put into a small
 * file of a kind that the first byte chooses; the second byte tells whether the hashes in it are
 * made good before, so that a change behind them is not hidden by pages that do not match.
 *
 * Reading strictly and reading on must agree; a file without findings has one after any change of
 * its code or its CodeDirectories.
 */
#include "fuzz/fuzz.h"
#include "macho/codesig.h"
#include "macho/image.h"
#include "macho/sigcheck.h"
#include "unit/sealer.h"

#define ROOM     1024u /* for signatures that grow */
#define KINDS    32u
#define PREFIX   2u /* the bytes before the signature */
#define SLOT_MAX 16u

enum {
    FIX_PAGES = 1,
    FIX_SLOTS = 2,
    FIX_LENGTH = 4,
    STRICT = 8,
    RESIDUE = 16,
    REQUIRE_SHA256 = 32,
};

/* A sound file of each kind with room behind its signature; made once. */
struct base {
    struct buf file;
    uint64_t at; /* of the signature */
};

static const struct base *base_of(size_t kind)
{
    static struct base bases[KINDS];
    struct base *base = &bases[kind];
    if (base->file.len > 0)
        return base;
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    struct sealer_spec spec = sealer_kinds[kind].spec;
    spec.reserved += ROOM;
    sealer_file(&base->file, &sealer_kinds[kind].image, &spec);
    if (image_open_any(&image, fuzz_view(&base->file), &fail) < 0 ||
        image.code_signature.size < ROOM)
        abort();
    base->at = image.code_signature.offset;
    return base;
}

/* The place in `file` that a view into the signature, which is in it, names. */
static uint8_t *writable(const struct buf *file, struct view part)
{
    return file->data + (part.data - file->data);
}

static void fix_slots(struct buf *file, const struct codesig *sig,
                      const struct codesig_directory *cd)
{
    for (uint32_t slot = 1; slot <= cd->special_count && slot < SLOT_MAX; slot++) {
        struct view stated = {0};
        const struct codesig_blob *blob = codesig_find(sig, slot);
        if (blob && blob->bytes.len > 0 && codesig_special_hash(&stated, cd, slot))
            codesig_hash_bytes(writable(file, stated), cd->hash_type, blob->bytes);
    }
}

static void fix_pages(struct buf *file, uint64_t at, const struct codesig_directory *cd)
{
    uint64_t limit = codesig_code_limit(cd);
    uint64_t page_len = codesig_page_len(cd);
    for (uint64_t page = 0; page < cd->code_count && page < 64; page++) {
        struct view stated = {0};
        uint64_t start = page_len == UINT64_MAX ? 0 : page * page_len;
        if (start >= limit || limit > at || !codesig_page_hash(&stated, cd, page))
            break;
        uint64_t len = limit - start < page_len ? limit - start : page_len;
        codesig_hash_bytes(writable(file, stated), cd->hash_type,
                           (struct view){file->data + start, len});
    }
}

static void fix(struct buf *file, uint64_t at, unsigned control)
{
    own_codesig struct codesig sig = {0};
    own_findings struct findings findings = {0};
    codesig_parse(&sig, &findings, (struct view){file->data + at, file->len - at});
    for (size_t i = 0; i < sig.directory_count; i++) {
        if (codesig_hash_len(sig.directories[i].hash_type) != sig.directories[i].hash_size)
            continue;
        if (control & FIX_SLOTS)
            fix_slots(file, &sig, &sig.directories[i]);
        if (control & FIX_PAGES)
            fix_pages(file, at, &sig.directories[i]);
    }
}

static size_t verify(struct view file, unsigned control)
{
    own_image struct image image = {0};
    own_findings struct findings findings = {0};
    own_fail struct fail fail = {0};
    const struct sigcheck_options options = {.strict = control & STRICT,
                                             .allow_residue = control & RESIDUE,
                                             .require_sha256 = control & REQUIRE_SHA256,
                                             .threads = 1};
    if (image_open_any(&image, file, &fail) < 0)
        return 1;
    sigcheck_verify(&findings, &image, &options);
    for (size_t i = 0; i < findings.count; i++)
        fuzz_must(findings.list[i].place != NULL, "a finding has a place");
    return findings.count;
}

static bool is_name(const struct codesig *sig, const uint8_t *byte)
{
    for (size_t i = 0; i < sig->directory_count; i++) {
        const uint8_t *name = (const uint8_t *)sig->directories[i].identifier;
        const uint8_t *team = (const uint8_t *)sig->directories[i].team;
        if (byte >= name && byte <= name + strlen((const char *)name))
            return true;
        if (team && byte >= team && byte <= team + strlen((const char *)team))
            return true;
    }
    return false;
}

/* Changes a byte of the code or of a CodeDirectory, but not of its identifier, which nothing else
 * in the file tells. */
static void check_change(struct buf *file, uint64_t at, unsigned control, uint32_t choice)
{
    own_codesig struct codesig sig = {0};
    own_fail struct fail fail = {0};
    const struct view data = {file->data + at, file->len - at};
    fuzz_must(codesig_read(&sig, data, &fail) == 0, "what has no finding can be read");
    const struct codesig_directory *cd = codesig_best(&sig);
    uint64_t total = at + cd->bytes.len;
    uint64_t offset = choice % total;
    uint8_t *byte = offset < at ? file->data + offset : writable(file, cd->bytes) + (offset - at);
    if (offset >= at && is_name(&sig, byte))
        return;
    *byte ^= (uint8_t)(1u << (choice >> 24) % 8);
    if (verify(fuzz_view(file), control) == 0) {
        fprintf(stderr, "changed: byte %zu of the file\n", (size_t)(byte - file->data));
        fuzz_must(false, "a change is found");
    }
}

/* Reading strictly fails exactly when there is a finding. */
static void check_reading(struct view data)
{
    own_codesig struct codesig strict = {0};
    own_codesig struct codesig lenient = {0};
    own_findings struct findings findings = {0};
    own_fail struct fail fail = {0};
    codesig_parse(&lenient, &findings, data);
    int result = codesig_read(&strict, data, &fail);
    fuzz_must((result == 0) == (findings.count == 0), "both ways of reading agree");
    if (result < 0)
        fuzz_must_say_why(&fail);
    (void)codesig_kind_name(codesig_kind(&lenient));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < PREFIX)
        return 0;
    const struct base *base = base_of(data[0] % sealer_kind_count);
    unsigned control = data[1];
    own_buf struct buf file = {0};
    size_t room = base->file.len - (size_t)base->at;
    size_t len = size - PREFIX < room ? size - PREFIX : room;
    buf_append(&file, base->file.data, (size_t)base->at);
    if (len > 0)
        buf_append(&file, data + PREFIX, len);
    buf_zeros(&file, room - len);
    if ((control & FIX_LENGTH) && len >= 8)
        buf_set_u32be(&file, (size_t)base->at + 4, (uint32_t)len);
    fix(&file, base->at, control);

    uint32_t choice = 0;
    for (size_t i = 0; i < size; i++)
        choice = (choice ^ data[i]) * 0x01000193u;
    check_reading((struct view){file.data + base->at, room});
    check_reading((struct view){file.data + base->at, len});
    size_t count = verify(fuzz_view(&file), control);
    fuzz_must(count == verify(fuzz_view(&file), control), "the same findings twice");
    if (count == 0)
        check_change(&file, base->at, control, choice);
    return 0;
}

/* Each kind, made good before and as it stands. */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    own_buf struct buf seed = {0};
    own_buf struct buf file = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    if (sealer_kind_count > KINDS)
        abort();
    if (index >= 2 * sealer_kind_count)
        return 0;
    const struct sealer_kind *kind = &sealer_kinds[index / 2];
    struct sealer_spec spec = kind->spec;
    spec.reserved = 0;
    sealer_file(&file, &kind->image, &spec);
    if (image_open_any(&image, fuzz_view(&file), &fail) < 0)
        abort();
    buf_putc(&seed, (char)(index / 2));
    buf_putc(&seed, index % 2 ? STRICT | RESIDUE : FIX_PAGES | FIX_SLOTS | FIX_LENGTH);
    buf_append(&seed, file.data + image.code_signature.offset, image.code_signature.size);
    return fuzz_give(&seed, out, out_size);
}
