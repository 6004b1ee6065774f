#include "stage/artifact.h"

#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/arm64e.h"
#include "macho/codesig.h"
#include "macho/fixups.h"
#include "macho/sigcheck.h"
#include "port/digest.h"

enum { UUID_TEXT = 37 };

static void uuid_text(char out[UUID_TEXT], const uint8_t uuid[16])
{
    char hex[33];
    text_hex(hex, uuid, 16);
    snprintf(out, UUID_TEXT, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16,
             hex + 20);
}

/* The build command for macOS; the first one if there is none for it; NULL for none at all. */
static const struct image_build *macos_build(const struct image *image)
{
    for (uint32_t i = 0; i < image->build_count; i++) {
        if (image->builds[i].platform == PLATFORM_MACOS)
            return &image->builds[i];
    }
    return image->build_count == 0 ? NULL : &image->builds[0];
}

/* "lld 19.1.7": the tool that linked the image; NULL when none is named. */
static char *linker_text(const struct image *image, const struct image_build *build)
{
    for (uint32_t i = 0; build != NULL && i < build->tool_count; i++) {
        const struct image_tool *tool = &image->tools[build->first_tool + i];
        const char *tool_name = macho_tool_name(tool->tool);
        if (tool_name == NULL || (strcmp(tool_name, "ld") != 0 && strcmp(tool_name, "lld") != 0))
            continue;
        char version[MACHO_VERSION_MAX];
        macho_version_text(version, tool->version);
        return text_printf("%s %s", tool_name, version);
    }
    return NULL;
}

static char *version_text(uint32_t version)
{
    char text[MACHO_VERSION_MAX];
    macho_version_text(text, version);
    return text_copy(text);
}

static void describe_build(struct prov_artifact *out, const struct image *image)
{
    const struct image_build *build = macos_build(image);
    out->min_macos = build == NULL ? text_copy("none") : version_text(build->min_os);
    out->sdk = build == NULL ? text_copy("none") : version_text(build->sdk);
    out->linker = linker_text(image, build);
    if (out->linker == NULL)
        out->linker = text_copy("none");
    if (image->has_uuid) {
        char text[UUID_TEXT];
        uuid_text(text, image->uuid);
        out->uuid = text_copy(text);
    }
    if (image->id.path != NULL)
        out->install_name = text_copy(image->id.path);
    for (uint32_t i = 0; i < image->library_count; i++)
        prov_list_add(&out->libraries, image->libraries[i].path);
}

static void describe_signature(struct prov_artifact *out, const struct image *image)
{
    own_codesig struct codesig sig = {0};
    own_findings struct findings ignored = {0}; /* artifact_check() reports them */
    if (image_has(&image->code_signature))
        codesig_parse(&sig, &ignored, image_range_data(image, &image->code_signature));
    const struct codesig_directory *directory = codesig_best(&sig);
    out->signature = text_copy(codesig_kind_name(codesig_kind(&sig)));
    out->identifier = text_copy(directory == NULL ? "" : directory->identifier);
    out->sign_flags = text_printf("0x%x", directory == NULL ? 0 : directory->flags);
    out->page_size = directory == NULL ? 0 : codesig_page_len(directory);
    char cdhash[CDHASH_HEX] = "";
    if (directory != NULL)
        text_hex(cdhash, directory->cdhash, CDHASH_LEN);
    out->cdhash = text_copy(cdhash);
}

static uint32_t filetype_of(enum recipe_kind kind)
{
    switch (kind) {
    case RECIPE_DYLIB:
        return MH_DYLIB;
    case RECIPE_BUNDLE:
        return MH_BUNDLE;
    case RECIPE_EXECUTABLE:
        return MH_EXECUTE;
    case RECIPE_UNIVERSAL: /* no image of its own */
        break;
    }
    return 0;
}

/* The recipe's word for a file type; the reader's own word for one that no recipe makes. */
static const char *kind_text(uint32_t filetype)
{
    static const enum recipe_kind kinds[] = {RECIPE_DYLIB, RECIPE_BUNDLE, RECIPE_EXECUTABLE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (filetype_of(kinds[i]) == filetype)
            return recipe_kind_text(kinds[i]);
    }
    const char *name = macho_filetype_name(filetype);
    return name == NULL ? "unknown" : name;
}

/* "__DATA_CONST,__got+0x8: auth-bind _puts key IA diversity 0x0000 address". What cannot be read
 * is told by the checks of the artifact. */
static void describe_pointers(struct prov_artifact *out, const struct image *image)
{
    own_fixups struct fixup_list fixups = {0};
    own_fail struct fail ignored = {0};
    if (fixups_read(&fixups, image, &ignored) < 0)
        return;
    for (size_t i = 0; i < fixups.count; i++) {
        char place[IMAGE_PLACE_MAX];
        own_buf struct buf line = {0};
        if (!fixups.list[i].auth)
            continue;
        image_locate_offset(place, image, fixups.list[i].offset);
        buf_printf(&line, "%s: ", place);
        fixup_text(&line, &fixups, &fixups.list[i]);
        prov_list_add(&out->auth_fixups, buf_text(&line));
    }
}

unsigned artifact_record_format(const struct recipe *recipe)
{
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        if (recipe->artifacts[i].arch == RECIPE_ARM64E)
            return 2;
    }
    return recipe->trials == NULL && recipe->universals_count == 0 ? 1 : 2;
}

void artifact_describe(struct prov_artifact *out, const char *name, const struct image *image)
{
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, image->file.data, (size_t)image->file.len);
    out->name = text_copy(name);
    out->kind = text_copy(kind_text(image->filetype));
    out->len = image->file.len;
    out->sha256 = text_copy(digest);
    out->arch = text_copy(macho_arch_name(image->cputype, image->cpusubtype));
    out->cpusubtype = text_printf("0x%08x", image->cpusubtype);
    describe_build(out, image);
    describe_signature(out, image);
    describe_pointers(out, image);
}

/* A finding when two texts differ; NULL stands for "none". */
static void compare(struct findings *findings, const char *id, const char *place,
                    const char *expected, const char *actual)
{
    if (expected == NULL)
        expected = "none";
    if (actual == NULL)
        actual = "none";
    if (strcmp(expected, actual) != 0)
        finding_error(findings, id, place, expected, actual);
}

bool artifact_is_arch(uint32_t cputype, uint32_t cpusubtype, const char *arch)
{
    uint32_t wanted_type = 0;
    uint32_t wanted_subtype = 0;
    if (!macho_arch_parse(&wanted_type, &wanted_subtype, arch) || cputype != wanted_type)
        return false;
    /* arm64e has versioned ABIs in the capability bits, 64-bit executables the one for libraries. */
    if (strcmp(arch, "arm64e") == 0)
        return strcmp(macho_arch_name(cputype, cpusubtype), arch) == 0;
    return (cpusubtype & ~CPU_SUBTYPE_LIB64) == wanted_subtype;
}

void artifact_check_arch(struct findings *findings, const char *name, const struct image *image,
                         const char *arch)
{
    uint32_t cputype = 0;
    uint32_t cpusubtype = 0;
    char found[MACHO_ARCH_MAX];
    if (artifact_is_arch(image->cputype, image->cpusubtype, arch))
        return;
    macho_arch_text(found, image->cputype, image->cpusubtype);
    (void)macho_arch_parse(&cputype, &cpusubtype, arch);
    own_mem char *expected = text_printf("%s (cpusubtype 0x%08x)", arch, cpusubtype);
    own_mem char *actual = text_printf("%s (cpusubtype 0x%08x)", found, image->cpusubtype);
    compare(findings, "arch.mismatch", name, expected, actual);
}

/* The pass writes one ABI of arm64e: others, and the one before they had versions, are not it. */
static void check_abi(struct findings *findings, const char *name, const struct image *image,
                      const struct recipe_artifact *artifact)
{
    if (artifact->arch != RECIPE_ARM64E ||
        !artifact_is_arch(image->cputype, image->cpusubtype, recipe_arch_text(artifact->arch)))
        return;
    own_mem char *place = text_printf("%s: cpusubtype", name);
    own_mem char *expected = text_printf("0x%08x", ARM64E_CPUSUBTYPE);
    own_mem char *actual = text_printf("0x%08x", image->cpusubtype);
    compare(findings, "arch.mismatch", place, expected, actual);
}

static void check_build(struct findings *findings, const char *name, const struct image *image,
                        const struct recipe_artifact *artifact)
{
    const struct image_build *build = macos_build(image);
    own_mem char *place = text_printf("%s: LC_BUILD_VERSION", name);
    if (build == NULL || build->platform != PLATFORM_MACOS || image->build_count != 1) {
        own_mem char *found = build == NULL
                                  ? text_copy("none")
                                  : text_printf("%u platforms, the first %s", image->build_count,
                                                macho_platform_name(build->platform) == NULL
                                                    ? "unknown"
                                                    : macho_platform_name(build->platform));
        compare(findings, "build.platform", place, "macOS alone", found);
        return;
    }
    own_mem char *expected = version_text(artifact->min_macos_packed);
    own_mem char *minimum = version_text(build->min_os);
    compare(findings, "build.min-os", place, expected, minimum);
}

static void check_toolchain(struct findings *findings, const char *name, const struct image *image,
                            const struct toolchain *pin)
{
    const struct image_build *build = macos_build(image);
    own_mem char *place = text_printf("%s: LC_BUILD_VERSION", name);
    own_mem char *sdk = build == NULL ? NULL : version_text(build->sdk);
    compare(findings, "build.sdk", place, pin->sdk.version, sdk);
    own_mem char *linker = linker_text(image, build);
    own_mem char *expected =
        text_printf("%s %s", pin->family == TOOLCHAIN_LLVM ? "lld" : "ld", pin->linker.version);
    compare(findings, "build.linker", place, expected, linker);
}

void artifact_check(struct findings *findings, const char *name, const struct image *image,
                    const struct recipe_artifact *artifact, const struct toolchain *pin)
{
    struct sigcheck_options options = {0};
    if (artifact != NULL) {
        artifact_check_arch(findings, name, image, recipe_arch_text(artifact->arch));
        check_abi(findings, name, image, artifact);
        own_mem char *place = text_printf("%s: file type", name);
        compare(findings, "arch.filetype", place, recipe_kind_text(artifact->kind),
                kind_text(image->filetype));
        check_build(findings, name, image, artifact);
        own_mem char *id_place = text_printf("%s: LC_ID_DYLIB", name);
        compare(findings, "build.install-name", id_place, artifact->install_name, image->id.path);
        options.identifier = artifact->sign.identifier;
        options.page_size = artifact->sign.page_size;
        options.kind =
            artifact->sign.style == RECIPE_STYLE_LINKER ? SIGCHECK_LINKER : SIGCHECK_ADHOC;
        options.require_sha256 = true;
        options.strict = true;
    }
    if (pin != NULL)
        check_toolchain(findings, name, image, pin);
    size_t first = findings->count;
    sigcheck_verify(findings, image, &options);
    findings_prefix(findings, first, name);
}

void artifact_check_claims(struct findings *findings, const struct prov_artifact *claimed,
                           const struct image *image)
{
    struct prov_artifact found = {0};
    artifact_describe(&found, claimed->name, image);
    own_mem char *claimed_len = text_printf("%llu", (unsigned long long)claimed->len);
    own_mem char *found_len = text_printf("%llu", (unsigned long long)found.len);
    own_mem char *claimed_page = text_printf("%llu", (unsigned long long)claimed->page_size);
    own_mem char *found_page = text_printf("%llu", (unsigned long long)found.page_size);
    own_buf struct buf claimed_libraries = {0};
    own_buf struct buf found_libraries = {0};
    own_buf struct buf claimed_pointers = {0};
    own_buf struct buf found_pointers = {0};
    prov_shell_line(&claimed_libraries, &claimed->libraries);
    prov_shell_line(&found_libraries, &found.libraries);
    prov_shell_line(&claimed_pointers, &claimed->auth_fixups);
    if (claimed->pass != NULL)
        prov_shell_line(&found_pointers, &found.auth_fixups);
    const struct {
        const char *what, *expected, *actual;
    } claims[] = {
        {"kind", claimed->kind, found.kind},
        {"size", claimed_len, found_len},
        {"SHA-256", claimed->sha256, found.sha256},
        {"architecture", claimed->arch, found.arch},
        {"cpusubtype", claimed->cpusubtype, found.cpusubtype},
        {"minimum macOS", claimed->min_macos, found.min_macos},
        {"SDK", claimed->sdk, found.sdk},
        {"linker", claimed->linker, found.linker},
        {"UUID", claimed->uuid, found.uuid},
        {"install name", claimed->install_name, found.install_name},
        {"libraries", buf_text(&claimed_libraries), buf_text(&found_libraries)},
        {"signed pointers", buf_text(&claimed_pointers), buf_text(&found_pointers)},
        {"signature kind", claimed->signature, found.signature},
        {"identifier", claimed->identifier, found.identifier},
        {"signature flags", claimed->sign_flags, found.sign_flags},
        {"page size", claimed_page, found_page},
        {"cdhash", claimed->cdhash, found.cdhash},
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        own_mem char *place = text_printf("%s: %s", claimed->name, claims[i].what);
        compare(findings, "provenance.claim", place, claims[i].expected, claims[i].actual);
    }
    prov_artifact_release(&found);
}
