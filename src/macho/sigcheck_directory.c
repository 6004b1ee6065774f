#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "macho/sigcheck_parts.h"

/* Flags that have a meaning in a CodeDirectory on disk. */
#define FLAGS_KNOWN 0x0007ff0fu
#define EXEC_KNOWN  0x000003f1u

static struct finding *add(const struct sigcheck *check, const struct codesig_directory *cd,
                           enum finding_level level, const char *id)
{
    return sigcheck_add(check, level, id, check->at + cd->offset, "CodeDirectory");
}

/* Every byte of the blob belongs to a field, a string or a hash, or is a zero between them. */
static void check_layout(const struct sigcheck *check, const struct codesig_directory *cd)
{
    struct sigcheck_range ranges[7] = {{0, cd->header_len, "header"}};
    size_t count = 1;
    uint64_t special_len = (uint64_t)cd->special_count * cd->hash_size;
    uint64_t code_len = (uint64_t)cd->code_count * cd->hash_size;
    ranges[count++] = (struct sigcheck_range){
        cd->ident_off, cd->ident_off + strlen(cd->identifier) + 1, "identifier"};
    if (cd->team)
        ranges[count++] =
            (struct sigcheck_range){cd->team_off, cd->team_off + strlen(cd->team) + 1, "team"};
    ranges[count++] =
        (struct sigcheck_range){cd->hash_off - special_len, cd->hash_off + code_len, "hashes"};
    if (cd->pre_encrypt_off != 0)
        ranges[count++] = (struct sigcheck_range){
            cd->pre_encrypt_off, cd->pre_encrypt_off + code_len, "pre-encryption hashes"};
    if (cd->linkage_off != 0)
        ranges[count++] = (struct sigcheck_range){
            cd->linkage_off, (uint64_t)cd->linkage_off + cd->linkage_size, "linkage data"};
    if (cd->scatter_off != 0)
        ranges[count++] = (struct sigcheck_range){
            cd->scatter_off, cd->scatter_off + codesig_scatter_len(cd), "scatter table"};
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].end <= cd->bytes.len)
            continue;
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.structure");
        finding_expected(finding, "%s inside its %" PRIu64 " bytes", ranges[i].what, cd->bytes.len);
        finding_actual(finding, "it ends at byte %" PRIu64, ranges[i].end);
    }
    sigcheck_ranges(check, ranges, count, cd->bytes, check->at + cd->offset, 15, "CodeDirectory");
}

static void check_code_limit(const struct sigcheck *check, const struct codesig_directory *cd)
{
    uint64_t limit = codesig_code_limit(cd);
    uint64_t page = codesig_page_len(cd);
    bool wide = cd->code_limit64 != 0;
    if (limit != check->start || (wide && check->start <= UINT32_MAX)) {
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.code-limit");
        finding_expected(finding, "%" PRIu64 " in the %s field", check->start,
                         check->start <= UINT32_MAX ? "32-bit" : "64-bit");
        finding_actual(finding, "%" PRIu64 " in the %s field", limit, wide ? "64-bit" : "32-bit");
    }
    uint32_t wanted = check->options->page_size;
    if (wanted != 0 ? page != wanted : page != 4096 && page != 16384) {
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.page-size");
        finding_expected(finding, wanted != 0 ? "%" PRIu32 : "4096 or 16384", wanted);
        if (cd->page_shift == 0)
            finding_actual(finding, "one page of everything");
        else
            finding_actual(finding, "2^%u", cd->page_shift);
    }
    uint64_t pages = pagehash_count(limit, page);
    if (cd->code_count != pages) {
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.page-count");
        finding_expected(finding, "%" PRIu64 " hashes for %" PRIu64 " bytes", pages, limit);
        finding_actual(finding, "%" PRIu32, cd->code_count);
    }
}

/* Apple's tools put a scatter table in front of the identifier. */
static void check_identifier_place(const struct sigcheck *check, const struct codesig_directory *cd)
{
    uint64_t place = cd->header_len;
    if (cd->scatter_off == cd->header_len)
        place += codesig_scatter_len(cd);
    if (cd->ident_off == place)
        return;
    struct finding *finding = add(check, cd, FINDING_ERROR, "sig.structure");
    finding_expected(finding,
                     "the identifier at byte %" PRIu64 ", behind the %s of version 0x%" PRIx32,
                     place, place == cd->header_len ? "header" : "scatter table", cd->version);
    finding_actual(finding, "at byte %" PRIu32, cd->ident_off);
}

static void check_reserved(const struct sigcheck *check, const struct codesig_directory *cd)
{
    if (cd->spare2 != 0 || cd->spare3 != 0) {
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.reserved");
        finding_expected(finding, "zero in the reserved fields");
        finding_actual(finding, "0x%" PRIx32 " and 0x%" PRIx32, cd->spare2, cd->spare3);
    }
    if (cd->platform != 0) {
        struct finding *finding = add(check, cd, FINDING_WARNING, "sig.platform");
        finding_expected(finding, "0, as in all that is not part of the OS");
        finding_actual(finding, "%u", cd->platform);
    }
}

static void check_names(const struct sigcheck *check, const struct codesig_directory *cd)
{
    const char *wanted = check->options->identifier;
    const char *problem =
        utf8_problem((struct view){(const uint8_t *)cd->identifier, strlen(cd->identifier)});
    if (cd->identifier[0] == '\0' || problem || (wanted && strcmp(wanted, cd->identifier) != 0)) {
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.identifier");
        finding_expected(finding, "%s", wanted ? wanted : "a name of characters that show");
        finding_actual(finding, "%s", cd->identifier[0] ? cd->identifier : "an empty one");
        if (wanted)
            finding_remedy(finding, "ask for the identifier that it has, or sign the file again");
    }
    if (cd->team && cd->flags & CODESIG_FLAG_ADHOC) {
        struct finding *finding = add(check, cd, FINDING_WARNING, "sig.team");
        finding_expected(finding, "no team in an ad-hoc signature");
        finding_actual(finding, "%s", cd->team);
    }
}

/* The flags that a kind has, and nothing else; 0: none are known. */
static uint32_t kind_flags(enum sigcheck_kind kind)
{
    if (kind == SIGCHECK_LINKER)
        return CODESIG_FLAG_ADHOC | CODESIG_FLAG_LINKER_SIGNED;
    return kind == SIGCHECK_ADHOC ? CODESIG_FLAG_ADHOC : 0;
}

static void check_flags(const struct sigcheck *check, const struct codesig_directory *cd)
{
    struct view cms = {0};
    bool signer = codesig_cms(&cms, check->sig);
    bool adhoc = cd->flags & CODESIG_FLAG_ADHOC;
    bool linker = cd->flags & CODESIG_FLAG_LINKER_SIGNED;
    uint32_t exact = kind_flags(check->options->kind);
    enum finding_level level = FINDING_ERROR;
    const char *expected = NULL;
    if (adhoc == signer)
        expected = signer ? "no ad-hoc flag beside a CMS signature"
                          : "the ad-hoc flag, for want of a CMS signature";
    else if (linker && (!adhoc || cd->special_count != 0))
        expected = "the linker-signed flag only with the ad-hoc flag and without special slots";
    else if (cd->flags & ~FLAGS_KNOWN)
        expected = "known flags only";
    else if (exact != 0 && cd->flags != exact)
        expected = exact & CODESIG_FLAG_LINKER_SIGNED ? "0x20002" : "0x2";
    else if (linker && cd->flags != kind_flags(SIGCHECK_LINKER))
        expected = "0x20002, as linkers write it";
    if (!expected && adhoc && cd->flags & ~(CODESIG_FLAG_ADHOC | CODESIG_FLAG_LINKER_SIGNED) &&
        !(cd->flags == (CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME) && cd->version >= 0x20500)) {
        level = FINDING_WARNING;
        expected = "0x2 or 0x20002; others restrict what an ad-hoc signature may do";
    }
    if (!expected)
        return;
    struct finding *finding = add(check, cd, level, "sig.flags");
    finding_expected(finding, "%s", expected);
    finding_actual(finding, "0x%" PRIx32, cd->flags);
}

/* .NET signs its executables itself, without room for a CMS signature, and states all in front of
 * __LINKEDIT, or of the signature. That nobody else does makes it worth to be so narrow. */
static bool is_limit_of_dotnet(const struct sigcheck *check, const struct codesig_directory *cd)
{
    const struct image_segment *linkedit = image_segment(check->image, "__LINKEDIT");
    if (!check->image->is64 || check->image->filetype != MH_EXECUTE || cd->version != 0x20400 ||
        cd->flags != CODESIG_FLAG_ADHOC ||
        check->image->code_signature.size >= check->sig->super_blob.len + 16)
        return false;
    return cd->exec_limit == codesig_code_limit(cd) ||
           (linkedit && cd->exec_limit == linkedit->offset);
}

/* ld64 and codesign state the file size of __TEXT, newer linkers of Apple the size of __text. */
static bool exec_limit_fits(const struct sigcheck *check, const struct image_segment *text,
                            const struct codesig_directory *cd)
{
    const struct image_section *code = image_section(check->image, "__TEXT", "__text");
    return cd->exec_limit == text->file_size || (code && cd->exec_limit == code->size) ||
           is_limit_of_dotnet(check, cd);
}

static void check_exec_segment(const struct sigcheck *check, const struct codesig_directory *cd)
{
    const struct image_segment *text = image_segment(check->image, "__TEXT");
    uint64_t flags = check->image->filetype == MH_EXECUTE ? CODESIG_EXEC_MAIN_BINARY : 0;
    if (cd->version < 0x20400)
        return;
    if (flags != 0)
        flags |= sigcheck_exec_flags(check->sig);
    if (!text) {
        if (cd->exec_base == 0 && cd->exec_limit == 0)
            return;
        struct finding *finding = add(check, cd, FINDING_ERROR, "sig.exec-segment");
        finding_expected(finding, "zero, since there is no __TEXT");
        finding_actual(finding, "base %" PRIu64 ", limit %" PRIu64, cd->exec_base, cd->exec_limit);
        return;
    }
    /* codesign states none for an image that states no platform. */
    bool absent = check->image->build_count == 0 && cd->exec_base == 0 && cd->exec_limit == 0;
    bool base_fits = cd->exec_base == text->offset;
    if (!absent && (!base_fits || !exec_limit_fits(check, text, cd))) {
        enum finding_level level =
            base_fits && cd->exec_limit == 0 ? FINDING_WARNING : FINDING_ERROR;
        struct finding *finding = add(check, cd, level, "sig.exec-segment");
        finding_expected(finding, "base %" PRIu64 ", limit %" PRIu64 " (__TEXT)", text->offset,
                         text->file_size);
        finding_actual(finding, "base %" PRIu64 ", limit %" PRIu64, cd->exec_base, cd->exec_limit);
    }
    if (cd->exec_flags != flags) {
        /* Entitlements of the OS set further bits; that they are set is worth knowing. */
        bool possible = (cd->exec_flags & ~(uint64_t)EXEC_KNOWN) == 0 &&
                        ((cd->exec_flags ^ flags) &
                         (CODESIG_EXEC_MAIN_BINARY | CODESIG_EXEC_ALLOW_UNSIGNED)) == 0;
        struct finding *finding =
            add(check, cd, possible ? FINDING_WARNING : FINDING_ERROR, "sig.exec-segment");
        finding_expected(finding, "flags 0x%" PRIx64, flags);
        finding_actual(finding, "flags 0x%" PRIx64, cd->exec_flags);
    }
}

/* codesign states the version of the SDK, unless it is told another. */
static bool is_built_for(const struct image *image, uint32_t version)
{
    bool fits = image->build_count == 0;
    for (uint32_t i = 0; i < image->build_count; i++)
        fits = fits || image->builds[i].sdk == version;
    return fits;
}

static void check_runtime(const struct sigcheck *check, const struct codesig_directory *cd)
{
    bool stated = cd->runtime != 0;
    bool flagged = cd->flags & CODESIG_FLAG_RUNTIME;
    if (cd->version < 0x20500)
        return;
    if (stated != flagged) {
        struct finding *finding = add(check, cd, FINDING_WARNING, "sig.runtime");
        finding_expected(finding, "a runtime version with the runtime flag, and none without");
        finding_actual(finding, "runtime 0x%" PRIx32 ", flags 0x%" PRIx32, cd->runtime, cd->flags);
    } else if (stated && !is_built_for(check->image, cd->runtime)) {
        struct finding *finding = add(check, cd, FINDING_WARNING, "sig.runtime");
        finding_expected(finding, "the version of the SDK as the runtime version");
        finding_actual(finding, "0x%08" PRIx32, cd->runtime);
    }
}

/* Where nothing is encrypted, the hashes of the pages before encryption are those of the pages. */
static void check_pre_encryption(const struct sigcheck *check, const struct codesig_directory *cd)
{
    struct view before = {0};
    struct view after = {0};
    uint64_t code_len = (uint64_t)cd->code_count * cd->hash_size;
    if (cd->pre_encrypt_off == 0 || check->image->encryption.crypt_id != 0 ||
        !view_slice(&before, cd->bytes, cd->pre_encrypt_off, code_len) ||
        !view_slice(&after, cd->bytes, cd->hash_off, code_len))
        return;
    uint64_t at = 0;
    while (at < code_len && before.data[at] == after.data[at])
        at++;
    if (at == code_len)
        return;
    uint64_t page = at / cd->hash_size;
    struct finding *finding =
        sigcheck_add(check, FINDING_ERROR, "sig.pre-encryption",
                     check->at + cd->offset + cd->pre_encrypt_off + page * cd->hash_size,
                     "pre-encryption hash of page %" PRIu64 "", page);
    char hex[2 * DIGEST_MAX + 1] = "";
    text_hex(hex, after.data + page * cd->hash_size, cd->hash_size);
    finding_expected(finding, "%s, as of the page, since nothing is encrypted", hex);
    text_hex(hex, before.data + page * cd->hash_size, cd->hash_size);
    finding_actual(finding, "%s", hex);
}

/* The linkage hash is whole or cut to the length of a cdhash. */
static void check_linkage(const struct sigcheck *check, const struct codesig_directory *cd)
{
    uint8_t whole = codesig_hash_len(cd->linkage_hash_type);
    bool none = cd->linkage_off == 0 && cd->linkage_size == 0;
    bool fits =
        none ? cd->linkage_hash_type == 0 && cd->linkage_type == 0 && cd->linkage_subtype == 0
             : cd->linkage_off != 0 && whole != 0 &&
                   (cd->linkage_size == whole || cd->linkage_size == CDHASH_LEN);
    if (cd->version < 0x20600 || fits)
        return;
    struct finding *finding = add(check, cd, FINDING_ERROR, "sig.linkage");
    finding_expected(finding, none ? "no type without linkage data"
                                   : "a hash of a known type and of its length");
    finding_actual(finding,
                   "hash type %u, type %u.%u, %" PRIu32 " bytes at byte %" PRIu32
                   " of the CodeDirectory",
                   cd->linkage_hash_type, cd->linkage_type, cd->linkage_subtype, cd->linkage_size,
                   cd->linkage_off);
}

void sigcheck_directory(const struct sigcheck *check, const struct codesig_directory *cd)
{
    check_layout(check, cd);
    check_reserved(check, cd);
    check_identifier_place(check, cd);
    check_names(check, cd);
    check_flags(check, cd);
    check_runtime(check, cd);
    check_code_limit(check, cd);
    sigcheck_scatter(check, cd);
    check_pre_encryption(check, cd);
    check_linkage(check, cd);
    check_exec_segment(check, cd);
}
