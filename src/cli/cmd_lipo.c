/* hallmark lipo: in the words of Apple's lipo, whose options have one dash. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/pieces.h"
#include "cli/commands.h"
#include "macho/arch.h"
#include "macho/fat.h"
#include "macho/fat_write.h"
#include "port/json.h"
#include "stage/check_bundle.h"

enum action { NONE, INFO, ARCHS, VERIFY_ARCH, CREATE, EXTRACT, THIN };

static const struct {
    const char *word;
    enum action action;
} ACTIONS[] = {
    {"-info", INFO},     {"-archs", ARCHS},     {"-verify_arch", VERIFY_ARCH},
    {"-create", CREATE}, {"-extract", EXTRACT}, {"-thin", THIN},
};

struct arguments {
    enum action action;
    const char *word; /* of the action */
    const char *output;
    const char **files;
    size_t file_count;
    const char **archs;
    size_t arch_count;
};

#define own_arguments __attribute__((cleanup(arguments_release)))
static void arguments_release(struct arguments *arguments)
{
    own_release_mem(&arguments->files);
    own_release_mem(&arguments->archs);
}

static void print_help(void)
{
    fputs("usage: hallmark lipo FILE... -info\n"
          "       hallmark lipo FILE -archs\n"
          "       hallmark lipo FILE -verify_arch ARCH...\n"
          "       hallmark lipo FILE... -create -output OUT\n"
          "       hallmark lipo FILE -extract ARCH... -output OUT\n"
          "       hallmark lipo FILE -thin ARCH -output OUT\n\n"
          "Looks at universal files, joins images into one and takes them out again.\n\n"
          "  -info         tell the architectures of each file, in a line\n"
          "  -archs        print only the names of the architectures\n"
          "  -verify_arch  exit code 0 when the file has them all, 1 when it has not\n"
          "  -create       join the images of the files into a universal file\n"
          "  -extract      a universal file of these architectures only (may be repeated)\n"
          "  -thin         the image of this architecture alone\n"
          "  -output OUT   the new file; nothing is ever replaced\n\n"
          "The manual page hallmark(1) tells it all.\n",
          stdout);
}

/* ---- the command line ----------------------------------------------------------------------- */

static enum action find_action(const char *word)
{
    for (size_t i = 0; i < sizeof ACTIONS / sizeof ACTIONS[0]; i++) {
        if (strcmp(ACTIONS[i].word, word) == 0)
            return ACTIONS[i].action;
    }
    return NONE;
}

static int take_action(struct arguments *out, const struct opt_env *env, const char *word,
                       struct fail *fail)
{
    enum action action = find_action(word);
    if (action == NONE)
        return opt_usage(env, fail, "unknown option '%s'", word);
    if (out->action != NONE && !(action == EXTRACT && out->action == EXTRACT))
        return opt_usage(env, fail, "both '%s' and '%s' are given", out->word, word);
    out->action = action;
    out->word = word;
    return 0;
}

/* Whether the word behind an option is an architecture's name. */
static bool takes_arch(const struct arguments *arguments, bool first)
{
    return arguments->action == VERIFY_ARCH ||
           (first && (arguments->action == EXTRACT || arguments->action == THIN));
}

/* Options and files in any order; 1: help was printed. */
static int read_arguments(struct arguments *out, const struct opt_env *env, int argc, char **argv,
                          struct fail *fail)
{
    out->files = mem_new((size_t)argc, sizeof *out->files);
    out->archs = mem_new((size_t)argc, sizeof *out->archs);
    bool behind_action = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help();
            return 1;
        }
        int global = opt_take_global(env->globals, word, fail);
        if (global != 0) {
            if (global < 0)
                return -1;
        } else if (strcmp(word, "-output") == 0 || strcmp(word, "-o") == 0) {
            if (i + 1 == argc)
                return opt_usage(env, fail, "option '%s' needs a file name", word);
            out->output = argv[++i];
            behind_action = false;
        } else if (word[0] == '-' && word[1] != '\0') {
            if (take_action(out, env, word, fail) < 0)
                return -1;
            behind_action = true;
        } else if (takes_arch(out, behind_action)) {
            out->archs[out->arch_count++] = word;
            behind_action = false;
        } else {
            out->files[out->file_count++] = word;
        }
    }
    return 0;
}

static int check_arguments(const struct arguments *args, const struct opt_env *env,
                           struct fail *fail)
{
    bool makes = args->action == CREATE || args->action == EXTRACT || args->action == THIN;
    bool selects = args->action == VERIFY_ARCH || args->action == EXTRACT || args->action == THIN;
    if (args->action == NONE)
        return opt_usage(env, fail,
                         "one of -info, -archs, -verify_arch, -create, -extract and "
                         "-thin is needed");
    if (args->file_count == 0)
        return opt_usage(env, fail, "no file given");
    if (args->file_count > 1 && args->action != INFO && args->action != CREATE)
        return opt_usage(env, fail, "'%s' takes one file, %zu were given", args->word,
                         args->file_count);
    if (makes != (args->output != NULL))
        return opt_usage(env, fail, makes ? "'%s' needs -output OUT" : "'%s' has no output",
                         args->word);
    if (selects && args->arch_count == 0)
        return opt_usage(env, fail, "'%s' needs an architecture", args->word);
    if (args->action == THIN && args->arch_count > 1)
        return opt_usage(env, fail, "'-thin' takes one architecture");
    for (size_t i = 0; i < args->arch_count; i++) {
        uint32_t cputype = 0;
        uint32_t cpusubtype = 0;
        if (!macho_arch_parse(&cputype, &cpusubtype, args->archs[i]))
            return opt_usage(env, fail, "unknown architecture '%s'", args->archs[i]);
    }
    return 0;
}

/* ---- looking -------------------------------------------------------------------------------- */

struct source {
    struct fs_map map;
    struct fat fat;
    mode_t mode;
};

#define own_source __attribute__((cleanup(source_release)))
static void source_release(struct source *source)
{
    fat_release(&source->fat);
    fs_map_release(&source->map);
}

static int source_open(struct source *out, const char *path, struct fail *fail)
{
    struct stat status = {0};
    if (stat(path, &status) < 0)
        return fail_named(fail, "cannot open '%s'", path);
    out->mode = status.st_mode & 07777;
    if (check_bundle_refuse(path, fail) < 0 || fs_map_open(&out->map, path, fail) < 0)
        return -1;
    if (fat_open(&out->fat, out->map.view, fail) < 0)
        return fail_while(fail, "reading '%s'", path);
    return 0;
}

/* "arm64", or "cputype 0x..." for what has no name. */
static void put_archs(struct buf *out, const struct fat *fat, const char *separator)
{
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, fat->slices[i].cputype, fat->slices[i].cpusubtype);
        buf_printf(out, "%s%s", i == 0 ? "" : separator, arch);
    }
}

static json_t *json_of(const char *path, const struct fat *fat)
{
    json_t *object = js_object();
    json_t *archs = js_array();
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, fat->slices[i].cputype, fat->slices[i].cpusubtype);
        js_push(archs, js_text(arch));
    }
    js_set(object, "path", js_text(path));
    js_set(object, "universal", js_bool(fat->is_fat));
    js_set(object, "archs", archs);
    return object;
}

static void print_info(const struct arguments *args, const char *path, const struct fat *fat)
{
    own_buf struct buf archs = {0};
    own_mem char *clean = text_clean(path);
    put_archs(&archs, fat, " ");
    if (args->action == ARCHS)
        printf("%s\n", buf_text(&archs));
    else if (fat->is_fat)
        printf("Architectures in the fat file: %s are: %s \n", clean, buf_text(&archs));
    else
        printf("Non-fat file: %s is architecture: %s\n", clean, buf_text(&archs));
}

static int look(const struct arguments *args, const struct opt_env *env, struct fail *fail)
{
    own_json json_t *document = js_object();
    json_t *files = js_array();
    js_set(document, "files", files);
    for (size_t i = 0; i < args->file_count; i++) {
        own_source struct source source = {0};
        if (source_open(&source, args->files[i], fail) < 0)
            return -1;
        if (env->globals->json)
            js_push(files, json_of(args->files[i], &source.fat));
        else
            print_info(args, args->files[i], &source.fat);
    }
    if (env->globals->json) {
        own_buf struct buf text = {0};
        js_print(&text, document);
        fputs(buf_text(&text), stdout);
    }
    return 0;
}

static const struct fat_slice *find_slice(const struct fat *fat, const char *arch)
{
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        if (strcmp(macho_arch_name(fat->slices[i].cputype, fat->slices[i].cpusubtype), arch) == 0)
            return &fat->slices[i];
    }
    return NULL;
}

static int verify_arch(const struct arguments *args, struct fail *fail)
{
    own_source struct source source = {0};
    if (source_open(&source, args->files[0], fail) < 0)
        return -1;
    for (size_t i = 0; i < args->arch_count; i++) {
        if (find_slice(&source.fat, args->archs[i]) == NULL)
            return EXIT_FINDINGS;
    }
    return 0;
}

/* ---- making --------------------------------------------------------------------------------- */

static int write_output(const struct arguments *args, const struct pieces *pieces, mode_t mode,
                        struct fail *fail)
{
    own_fs_new struct fs_new file = FS_NEW_INIT;
    if (fs_new_open(&file, args->output, mode, fail) < 0 ||
        pieces_write(pieces, file.fd, args->output, fail) < 0)
        return -1;
    return fs_new_publish(&file, FS_NO_REPLACE, fail);
}

static int join(const struct arguments *args, struct fat_input *inputs, size_t count, mode_t mode,
                struct fail *fail)
{
    own_pieces struct pieces pieces = {0};
    if (fat_write(&pieces, inputs, count, fail) < 0)
        return -1;
    return write_output(args, &pieces, mode, fail);
}

static int create(const struct arguments *args, struct fail *fail)
{
    struct source *sources = mem_new(args->file_count, sizeof *sources);
    struct fat_input *inputs = NULL;
    size_t count = 0;
    int result = 0;
    for (size_t i = 0; i < args->file_count && result == 0; i++) {
        result = source_open(&sources[i], args->files[i], fail);
        for (uint32_t k = 0; result == 0 && k < sources[i].fat.slice_count; k++) {
            inputs = mem_resize(inputs, count + 1, sizeof *inputs);
            inputs[count++] = (struct fat_input){.data = sources[i].fat.slices[k].data};
        }
    }
    if (result == 0)
        result = join(args, inputs, count, sources[0].mode, fail);
    for (size_t i = 0; i < args->file_count; i++)
        source_release(&sources[i]);
    own_release_mem(&sources);
    own_release_mem(&inputs);
    return result;
}

static const struct fat_slice *need_slice(const struct source *source, const char *path,
                                          const char *arch, struct fail *fail)
{
    own_buf struct buf archs = {0};
    const struct fat_slice *slice = find_slice(&source->fat, arch);
    if (slice != NULL)
        return slice;
    put_archs(&archs, &source->fat, ", ");
    fail_set(fail, FAIL_INPUT, "'%s' has no image for %s, it has %s", path, arch, buf_text(&archs));
    return NULL;
}

static int extract(const struct arguments *args, struct fail *fail)
{
    own_source struct source source = {0};
    own_mem struct fat_input *inputs = mem_new(args->arch_count, sizeof *inputs);
    if (source_open(&source, args->files[0], fail) < 0)
        return -1;
    if (!source.fat.is_fat)
        return fail_set(fail, FAIL_INPUT, "'%s' is not universal", args->files[0]);
    for (size_t i = 0; i < args->arch_count; i++) {
        const struct fat_slice *slice = need_slice(&source, args->files[0], args->archs[i], fail);
        if (slice == NULL)
            return -1;
        inputs[i].data = slice->data;
    }
    if (args->action == EXTRACT)
        return join(args, inputs, args->arch_count, source.mode, fail);
    own_pieces struct pieces pieces = {0};
    pieces_borrow(&pieces, inputs[0].data);
    return write_output(args, &pieces, source.mode, fail);
}

int cmd_lipo(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    own_arguments struct arguments args = {0};
    int parsed = read_arguments(&args, env, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (check_arguments(&args, env, fail) < 0)
        return -1;
    switch (args.action) {
    case INFO:
    case ARCHS:
        return look(&args, env, fail);
    case VERIFY_ARCH:
        return verify_arch(&args, fail);
    case CREATE:
        return create(&args, fail);
    case EXTRACT:
    case THIN:
        return extract(&args, fail);
    case NONE:
        break;
    }
    return fail_set(fail, FAIL_BUG, "lipo without an action");
}
