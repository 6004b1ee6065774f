/*
 * The programs of a stand-in developer directory (tests/standin/make), all in one: the name it is
 * started by says which one it is. Each answers as Apple's own does, as far as hallmark asks, and
 * has the pinned LLVM or hallmark's own modules do the work:
 *
 *     xcrun clang ld lipo codesign pkgutil xcode-select
 *
 * What they answer is in small files in standin/ of that directory; a lie is another text there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "macho/adhoc.h"
#include "macho/arch.h"
#include "macho/arm64e.h"
#include "macho/fat.h"
#include "macho/sigcheck.h"
#include "port/child.h"

#define ANSWER_MAX   4096u
#define FILE_MAX_LEN (64u << 20)
#define WORDS_MAX    1024u
#define TOOL_LD      3u

/* A compiler is confined to what it needs, and the leak checker needs more; it is no test of this
 * program. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

extern char **environ;

static char *root; /* the directory that has standin/ */

/* ---- what it is to answer ------------------------------------------------------------------- */

static int find_root(const char *program)
{
    own_mem char *folder = realpath(program, NULL);
    while (folder != NULL && strrchr(folder, '/') != folder && strchr(folder, '/') != NULL) {
        *strrchr(folder, '/') = '\0';
        own_mem char *mark = text_printf("%s/standin/program", folder);
        if (access(mark, F_OK) == 0) {
            root = steal_mem(&folder);
            return 0;
        }
    }
    fprintf(stderr, "standin: '%s' is in no stand-in developer directory\n", program);
    return -1;
}

/* The text of standin/NAME without its line end; NULL when there is none. Free it. */
static char *answer(const char *name)
{
    own_mem char *path = text_printf("%s/standin/%s", root, name);
    own_buf struct buf text = {0};
    own_fail struct fail ignored = {0};
    if (fs_read(&text, path, ANSWER_MAX, &ignored) < 0)
        return NULL;
    char *line = mem_copy(buf_text(&text), strcspn(buf_text(&text), "\n"));
    return line;
}

static char *answer_or(const char *name, const char *other)
{
    char *text = answer(name);
    return text == NULL ? text_copy(other) : text;
}

static int failed(const struct fail *fail, const char *program)
{
    fail_print(fail, program, stderr);
    return 1;
}

/* ---- command lines of others ---------------------------------------------------------------- */

struct words {
    const char *list[WORDS_MAX + 1];
    size_t count;
};

static void add(struct words *words, const char *word)
{
    if (words->count < WORDS_MAX)
        words->list[words->count++] = word;
}

/* One of LLVM's own programs: its exit status; what it prints is ours. */
static int run_llvm(const char *name, struct words *words)
{
    own_fail struct fail fail = {0};
    own_mem char *folder = answer_or("llvm", "/usr/lib/llvm-19/bin");
    own_mem char *path = text_printf("%s/%s", folder, name);
    words->list[0] = path;
    words->list[words->count] = NULL;
    struct child child = {
        .program = path, .argv = words->list, .envp = (const char *const *)environ};
    int result = child_run(&child, &fail) < 0 ? failed(&fail, name) : 0;
    fputs(buf_text(&child.output), stdout);
    fputs(buf_text(&child.errors), stderr);
    if (result == 0)
        result = child.exit_code < 0 ? 1 : child.exit_code;
    child_release(&child);
    return result;
}

/* ---- clang ---------------------------------------------------------------------------------- */

/* After so many questions for its version it is another one; 0 when that is over. */
static int still_honest(void)
{
    own_mem char *left = answer("clang-drifts-after");
    if (left == NULL)
        return 1;
    unsigned long count = strtoul(left, NULL, 10);
    own_mem char *path = text_printf("%s/standin/clang-drifts-after", root);
    own_mem char *text = text_printf("%lu\n", count == 0 ? 0 : count - 1);
    own_fail struct fail ignored = {0};
    (void)!fs_write_new(path, text, strlen(text), 0644, FS_REPLACE, &ignored);
    return count > 0;
}

static int clang_version(void)
{
    int honest = still_honest();
    own_mem char *version = answer_or("clang-version", "21.0.0");
    own_mem char *build = answer_or(honest ? "clang-build" : "clang-build-later", "none");
    own_mem char *bin = answer_or("bin", "usr/bin");
    own_mem char *vendor = answer_or("clang-vendor", "Apple");
    printf("%s clang version %s (%s)\nTarget: arm64-apple-darwin25.4.0\n"
           "Thread model: posix\nInstalledDir: %s/%s\n",
           vendor, version, build, root, bin);
    return 0;
}

/* What Apple's clang does by itself for arm64e; jump tables and outlined code come out of it in
 * forms that the linker behind cannot sign. */
static void add_arm64e(struct words *words)
{
    static const char *const flags[] = {
        "-fptrauth-intrinsics",     "-fptrauth-calls",
        "-fptrauth-returns",        "-fptrauth-auth-traps",
        "-fptrauth-indirect-gotos", "-fptrauth-init-fini",
        "-fno-jump-tables",         "-mno-outline",
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        add(words, flags[i]);
}

static int clang(int argc, char **argv)
{
    own_mem char *toolchain = answer_or("toolchain", "usr");
    own_mem char *resources = text_printf("%s/%s/lib/clang/21", root, toolchain);
    own_mem char *linker = text_printf("--ld-path=%s/%s/bin/ld", root, toolchain);
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return clang_version();
    if (argc == 2 && strcmp(argv[1], "-print-resource-dir") == 0)
        return puts(resources) < 0;
    struct words words = {.count = 1};
    bool arm64e = false;
    bool links = true;
    for (int i = 1; i < argc; i++) {
        arm64e = arm64e || strncmp(argv[i], "arm64e", 6) == 0;
        links = links && strcmp(argv[i], "-c") != 0 && strcmp(argv[i], "-S") != 0 &&
                strcmp(argv[i], "-E") != 0;
        add(&words, argv[i]);
    }
    add(&words, "-resource-dir");
    add(&words, resources);
    if (links) {
        add(&words, "-mlinker-version=1266"); /* lld knows -platform_version alone */
        add(&words, linker);
    } else if (arm64e)
        add_arm64e(&words);
    return run_llvm("clang", &words);
}

/* ---- ld ------------------------------------------------------------------------------------- */

static int ld_version(void)
{
    own_mem char *version = answer_or("ld-version", "1266.8");
    fprintf(stderr,
            "@(#)PROGRAM:ld PROJECT:ld-%s\nBUILD 12:00:00 Mar  1 2026\n"
            "configured to support archs: armv6 armv7 armv7s arm64 arm64e arm64_32 i386 x86_64 "
            "x86_64h armv6m armv7k armv7m armv7em\n"
            "LTO support using: LLVM version 21.0.0 (static support for 30, runtime is 30)\n"
            "TAPI support using: Apple TAPI version 21.0.0 (tapi-2100.0.2.5)\n",
            version);
    return 0;
}

/* "1266.8" as LC_BUILD_VERSION holds it. */
static uint32_t packed(const char *version)
{
    uint32_t parts[3] = {0};
    for (size_t i = 0; i < 3 && *version != '\0'; i++) {
        char *end = NULL;
        parts[i] = (uint32_t)strtoul(version, &end, 10);
        version = *end == '.' ? end + 1 : end;
    }
    return parts[0] << 16 | parts[1] << 8 | parts[2];
}

/* Says that Apple's ld made it, and signs it as that does. */
static int finish_image(struct buf *bytes, const char *name, struct fail *fail)
{
    own_mem char *answered = answer_or("ld-version", "1266.8");
    own_mem char *version = answer_or("ld-writes", answered);
    own_image struct image image = {0};
    own_buf struct buf result = {0};
    if (image_open(&image, (struct view){bytes->data, bytes->len}, fail) < 0)
        return -1;
    for (uint32_t i = 0; i < image.build_count; i++) {
        const struct load_command *command = &image.commands[image.builds[i].command];
        if (command->cmd != LC_BUILD_VERSION || image.builds[i].tool_count == 0)
            continue;
        buf_set_u32le(bytes, (size_t)command->offset + 24, TOOL_LD);
        buf_set_u32le(bytes, (size_t)command->offset + 28, packed(version));
    }
    const struct adhoc_options options = {.style = ADHOC_LINKER, .file_name = name};
    if (adhoc_sign(&result, &image, &options, fail) < 0)
        return -1;
    buf_truncate(bytes, 0);
    buf_append(bytes, result.data, result.len);
    return 0;
}

static int finish_file(const char *path, bool arm64e, struct fail *fail)
{
    own_buf struct buf bytes = {0};
    const char *slash = strrchr(path, '/');
    if (fs_read(&bytes, path, FILE_MAX_LEN, fail) < 0)
        return -1;
    if (arm64e) {
        own_image struct image image = {0};
        own_arm64e struct arm64e_account account = {0};
        own_buf struct buf signed_bytes = {0};
        if (image_open(&image, (struct view){bytes.data, bytes.len}, fail) < 0 ||
            arm64e_convert(&signed_bytes, &account, &image, fail) < 0)
            return -1;
        buf_truncate(&bytes, 0);
        buf_append(&bytes, signed_bytes.data, signed_bytes.len);
    }
    if (finish_image(&bytes, slash == NULL ? path : slash + 1, fail) < 0)
        return -1;
    return fs_write_new(path, bytes.data, bytes.len, 0755, FS_REPLACE, fail);
}

static int ld(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "-v") == 0)
        return ld_version();
    struct words words = {.count = 1};
    const char *output = "a.out";
    bool arm64e = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-reproducible") == 0)
            continue;
        add(&words, argv[i]);
        if (i + 1 == argc)
            break;
        if (strcmp(argv[i], "-o") == 0) {
            output = argv[i + 1];
        } else if (strcmp(argv[i], "-arch") == 0 && strcmp(argv[i + 1], "arm64e") == 0) {
            arm64e = true;
            add(&words, "arm64");
            i++;
        }
    }
    add(&words, "-no_adhoc_codesign");
    add(&words, "-fixup_chains");
    if (arm64e)
        add(&words, "-init_offsets");
    int result = run_llvm("ld64.lld", &words);
    own_fail struct fail fail = {0};
    if (result == 0 && finish_file(output, arm64e, &fail) < 0)
        result = failed(&fail, "ld");
    return result;
}

/* ---- lipo ----------------------------------------------------------------------------------- */

static bool names(const char *archs, const char *arch)
{
    own_mem char *all = text_printf(" %s ", archs);
    own_mem char *one = text_printf(" %s ", arch);
    return strstr(all, one) != NULL;
}

static char *archs_of(const char *path, struct fail *fail)
{
    own_fs_map struct fs_map map = {0};
    own_fat struct fat fat = {0};
    own_buf struct buf text = {0};
    if (fs_map_open(&map, path, fail) < 0 || fat_open(&fat, map.view, fail) < 0)
        return NULL;
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        own_image struct image image = {0};
        if (image_open(&image, fat.slices[i].data, fail) < 0)
            return NULL;
        buf_printf(&text, "%s%s", i == 0 ? "" : " ",
                   macho_arch_name(image.cputype, image.cpusubtype));
    }
    return buf_steal(&text);
}

/* lipo FILE -archs | FILE -verify_arch ARCH... */
static int lipo(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    if (argc < 3) {
        fprintf(stderr, "lipo: one of -archs, -verify_arch must be specified\n");
        return 1;
    }
    own_mem char *lie = answer("lipo-archs");
    own_mem char *archs = lie == NULL ? archs_of(argv[1], &fail) : text_copy(lie);
    if (archs == NULL)
        return failed(&fail, "lipo");
    if (strcmp(argv[2], "-archs") == 0)
        return puts(archs) < 0;
    if (strcmp(argv[2], "-verify_arch") != 0 || argc < 4) {
        fprintf(stderr, "lipo: unknown flag: %s\n", argv[2]);
        return 1;
    }
    for (int i = 3; i < argc; i++)
        if (!names(archs, argv[i]))
            return 1;
    return 0;
}

/* ---- codesign ------------------------------------------------------------------------------- */

struct codesign {
    bool verify, force, sign;
    const char *identity, *identifier, *page_size, *file;
};

static bool takes(const char *word, const char *name, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

static int codesign_arguments(struct codesign *out, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (takes(word, "--sign", "-s") && value != NULL) {
            out->sign = true;
            out->identity = argv[++i];
        } else if (takes(word, "--identifier", "-i") && value != NULL) {
            out->identifier = argv[++i];
        } else if (takes(word, "--pagesize", "-P") && value != NULL) {
            out->page_size = argv[++i];
        } else if (takes(word, "--force", "-f")) {
            out->force = true;
        } else if (takes(word, "--verify", "-v")) {
            out->verify = true;
        } else if (strcmp(word, "--strict") == 0 || strncmp(word, "--verbose", 9) == 0 ||
                   strcmp(word, "--timestamp=none") == 0) {
            continue;
        } else if (word[0] == '-' || out->file != NULL) {
            fprintf(stderr, "codesign: unrecognized option '%s'\n", word);
            return 2;
        } else {
            out->file = word;
        }
    }
    if (out->file == NULL || (!out->sign && !out->verify)) {
        fprintf(stderr, "Usage: codesign -s identity [-fv*] path ... # sign\n");
        return 2;
    }
    return 0;
}

static int codesign_sign(const struct codesign *job, const struct buf *bytes, struct fail *fail)
{
    own_mem char *lie = answer("codesign-identifier");
    const char *slash = strrchr(job->file, '/');
    own_pieces struct pieces pieces = {0};
    own_buf struct buf result = {0};
    const struct adhoc_options options = {
        .style = ADHOC_CODESIGN,
        .identifier = lie != NULL ? lie : job->identifier,
        .file_name = slash == NULL ? job->file : slash + 1,
        .page_size = job->page_size == NULL ? 0 : (uint32_t)strtoul(job->page_size, NULL, 10),
    };
    if (adhoc_sign_file(&pieces, (struct view){bytes->data, bytes->len}, &options, fail) < 0)
        return -1;
    pieces_join(&result, &pieces);
    return fs_write_new(job->file, result.data, result.len, 0755, FS_REPLACE, fail);
}

static int slice_problem(const char **out, const struct fat_slice *slice, struct fail *fail)
{
    own_image struct image image = {0};
    own_findings struct findings findings = {0};
    if (image_open(&image, slice->data, fail) < 0)
        return -1;
    sigcheck_verify(&findings, &image, &(struct sigcheck_options){.strict = true});
    if (!image_has(&image.code_signature))
        *out = "code object is not signed at all";
    else if (findings.error_count > 0)
        *out = "invalid signature (code or signature have been modified)";
    return 0;
}

static int codesign(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    own_buf struct buf bytes = {0};
    own_fat struct fat fat = {0};
    own_mem char *lie = answer("codesign-verify");
    struct codesign job = {0};
    int wrong = codesign_arguments(&job, argc, argv);
    if (wrong != 0)
        return wrong;
    if (fs_read(&bytes, job.file, FILE_MAX_LEN, &fail) < 0 ||
        fat_open(&fat, (struct view){bytes.data, bytes.len}, &fail) < 0)
        return failed(&fail, "codesign");
    const char *problem = job.sign ? NULL : lie;
    bool is_signed = true;
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        const char *found = NULL;
        if (slice_problem(&found, &fat.slices[i], &fail) < 0)
            return failed(&fail, "codesign");
        is_signed = found == NULL || strstr(found, "at all") == NULL;
        if (problem == NULL && !job.sign)
            problem = found;
    }
    if (job.sign && is_signed && !job.force)
        problem = "is already signed";
    if (problem != NULL) {
        fprintf(stderr, "%s: %s\n", job.file, problem);
        return 1;
    }
    if (job.sign && is_signed)
        fprintf(stderr, "%s: replacing existing signature\n", job.file);
    return job.sign && codesign_sign(&job, &bytes, &fail) < 0 ? failed(&fail, "codesign") : 0;
}

/* ---- xcrun, pkgutil and the rest ------------------------------------------------------------ */

/* As the real one: what the environment says counts before what was selected. */
static char *selected(void)
{
    const char *variable = getenv("DEVELOPER_DIR");
    return variable != NULL ? text_copy(variable) : answer_or("selected", root);
}

static int xcrun_find(const char *tool)
{
    static const char *const folders[] = {"Toolchains/XcodeDefault.xctoolchain/usr/bin", "usr/bin"};
    own_mem char *elsewhere = answer("xcrun-elsewhere");
    own_mem char *developer_dir = selected();
    const char *toolchains = getenv("TOOLCHAINS");
    const char *base = elsewhere != NULL ? elsewhere : developer_dir;
    if (toolchains != NULL)
        return printf("/Library/Developer/Toolchains/%s/usr/bin/%s\n", toolchains, tool) < 0;
    for (size_t i = 0; i < 2; i++) {
        own_mem char *path = text_printf("%s/%s/%s", base, folders[i], tool);
        if (access(path, X_OK) == 0)
            return puts(path) < 0;
    }
    fprintf(stderr,
            "xcrun: error: unable to find utility \"%s\", not a developer tool or in PATH\n", tool);
    return 72;
}

static int xcrun_sdk(const char *sdk)
{
    own_mem char *developer_dir = selected();
    own_mem char *place = answer_or("sdk", "SDKs/MacOSX.sdk");
    const char *variable = getenv("SDKROOT");
    if (variable != NULL)
        return puts(variable) < 0;
    if (sdk != NULL && strncmp(sdk, "macosx", 6) != 0) {
        fprintf(stderr, "xcrun: error: SDK \"%s\" cannot be located\n", sdk);
        return 1;
    }
    if (place[0] == '/')
        return puts(place) < 0;
    return printf("%s/%s\n", developer_dir, place) < 0;
}

static int xcrun(int argc, char **argv)
{
    const char *sdk = NULL;
    for (int i = 1; i < argc; i++) {
        if (takes(argv[i], "--sdk", "-sdk") && i + 1 < argc)
            sdk = argv[++i];
        else if (takes(argv[i], "--find", "-f") && i + 1 < argc)
            return xcrun_find(argv[i + 1]);
        else if (strcmp(argv[i], "--show-sdk-path") == 0)
            return xcrun_sdk(i + 2 < argc ? argv[i + 2] : sdk);
    }
    fprintf(stderr, "xcrun: error: the stand-in does not know that\n");
    return 64;
}

static int pkgutil(int argc, char **argv)
{
    own_mem char *id = answer("package-id");
    own_mem char *version = answer_or("package-version", "0");
    if (argc != 3 || strcmp(argv[1], "--pkg-info") != 0) {
        fprintf(stderr, "pkgutil: the stand-in knows --pkg-info alone\n");
        return 1;
    }
    if (id == NULL || strcmp(id, argv[2]) != 0) {
        fprintf(stderr, "No receipt for '%s' found at '/'.\n", argv[2]);
        return 1;
    }
    printf("package-id: %s\nversion: %s\nvolume: /\nlocation: /\ninstall-time: 1774300000\n", id,
           version);
    return 0;
}

static int xcode_select(int argc, char **argv)
{
    own_mem char *developer_dir = selected();
    if (argc == 2 && takes(argv[1], "--print-path", "-p"))
        return puts(developer_dir) < 0;
    fprintf(stderr, "xcode-select: error: the stand-in knows -p alone\n");
    return 64;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } programs[] = {
        {"clang", clang},
        {"ld", ld},
        {"lipo", lipo},
        {"codesign", codesign},
        {"xcrun", xcrun},
        {"pkgutil", pkgutil},
        {"xcode-select", xcode_select},
    };
    const char *slash = strrchr(argv[0], '/');
    if (find_root(argv[0]) < 0)
        return 2;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (strcmp(slash == NULL ? argv[0] : slash + 1, programs[i].name) == 0) {
            int result = programs[i].run(argc, argv);
            free(root);
            return fflush(stdout) != 0 ? 1 : result;
        }
    }
    fprintf(stderr, "standin: '%s' is none of its programs\n", argv[0]);
    return 2;
}
