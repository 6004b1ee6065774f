#include "stage/witness.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "port/digest.h"
#include "stage/difference.h"
#include "stage/scratch.h"
#include "stage/tool.h"

#define WORDS_MAX 400u /* of a witness, in a finding */

/* codesign(1) and lipo: 1 is a verdict, everything else that is not 0 a question not understood. */
#define EXIT_REJECTED 1

bool witness_is_promised(const struct release *release)
{
    return release->toolchain.family == TOOLCHAIN_APPLE;
}

/* One question to one witness. */
struct question {
    struct prov_list words;
    struct child child;
};

static void question_release(struct question *question)
{
    prov_list_release(&question->words);
    child_release(&question->child);
}
#define own_question __attribute__((cleanup(question_release)))

/* The first word of the command line. */
static int call(struct question *question, const struct release *release,
                const struct pin_program *witness, const char *name, struct fail *fail)
{
    if (witness->path != NULL) {
        prov_list_add(&question->words, witness->path);
        return 0;
    }
    fail_set(fail, FAIL_PIN, "toolchain '%s' has no '%s' here, which is to witness the release%s%s",
             release->toolchain.name, name, witness->problem == NULL ? "" : ": ",
             witness->problem == NULL ? "" : witness->problem);
    return fail_hint(fail, "install package '%s' %s anew", release->toolchain.package.id,
                     release->toolchain.package.version);
}

static void words(struct question *question, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        prov_list_add(&question->words, list[i]);
}

/* Runs it; 1: it accepts, 0: it rejects, -1: it could not be asked. */
static int ask(struct question *question, struct release *release, struct fail *fail)
{
    own_tool_room struct tool_room room = {0};
    tool_room_open(&room, release);
    tool_terminate(&question->words);
    question->child = tool_child(&room, release, &question->words);
    question->child.readable = NULL; /* what it reads leaves no trace in the release */
    question->child.merge = true;
    if (child_run(&question->child, fail) < 0)
        return -1;
    if (child_succeeded(&question->child))
        return 1;
    if (question->child.exit_code == EXIT_REJECTED)
        return 0;
    return child_fail(&question->child, fail);
}

/* What it printed, in one line, with the file's name in the place of its path. */
static char *said(const struct question *question, const char *path, const char *name)
{
    own_buf struct buf text = {0};
    const char *program = tool_name(question->child.program);
    const char *at = buf_text(&question->child.output);
    buf_printf(&text, "%s: ", program);
    size_t prefix_len = text.len;
    while (*at != '\0' && text.len < WORDS_MAX) {
        if (strncmp(at, path, strlen(path)) == 0) {
            buf_puts(&text, name);
            at += strlen(path);
            continue;
        }
        bool ends = strspn(at, "\n") == strlen(at);
        if (!ends && *at == '\n')
            buf_puts(&text, "; ");
        else if (!ends)
            buf_putc(&text, *at);
        at++;
    }
    if (text.len == prefix_len)
        buf_printf(&text, "exit status %d, without a word", question->child.exit_code);
    return buf_steal(&text);
}

/* Puts a copy of the bytes into scratch space; its path. NULL with a failure. */
static char *put_copy(struct release *release, const char *folder, const char *name,
                      struct view bytes, struct fail *fail)
{
    own_mem char *below = text_printf(WORK_WITNESS "/%s", folder);
    own_mem char *path = text_printf("%s/%s/%s", release->scratch.path, below, name);
    const char *const folders[] = {WORK_WITNESS, below};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (mkdirat(release->scratch.fd, folders[i], 0700) < 0 && errno != EEXIST) {
            fail_errno(fail, "cannot make directory '%s'", folders[i]);
            return NULL;
        }
    }
    if (fs_write_new(path, bytes.data, (size_t)bytes.len, 0755, FS_NO_REPLACE, fail) < 0)
        return NULL;
    return steal_mem(&path);
}

/* ---- the signature -------------------------------------------------------------------------- */

static int compare_signatures(struct release *release, const char *name, const char *path,
                              struct view signed_bytes, struct fail *fail)
{
    own_fs_map struct fs_map made = {0};
    if (fs_map_open(&made, path, fail) < 0) {
        if (fail->code == FAIL_INPUT)
            fail->code = FAIL_CHILD; /* nothing that was given to hallmark is bad */
        return fail_while(fail, "reading what codesign made of '%s'", name);
    }
    if (made.view.len == signed_bytes.len &&
        memcmp(made.view.data, signed_bytes.data, (size_t)signed_bytes.len) == 0)
        return 0;
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, made.view.data, (size_t)made.view.len);
    own_mem char *parts = difference_text(made.view, signed_bytes);
    struct finding *finding =
        finding_add(&release->findings, FINDING_ERROR, "witness.codesign-bytes");
    finding_place(finding, "%s", name);
    finding_expected(finding, "codesign: SHA-256 %s", digest);
    finding_actual(finding, "hallmark: %s", parts);
    finding_remedy(finding, "compare both with 'hallmark inspect' (--keep leaves what codesign "
                            "made in " WORK_WITNESS "/): Apple's signer may have changed");
    return 0;
}

int witness_signature(struct release *release, const struct recipe_artifact *artifact,
                      struct view linked, struct view signed_bytes, struct fail *fail)
{
    own_question struct question question = {0};
    if (!witness_is_promised(release) || artifact->sign.style != RECIPE_STYLE_CODESIGN)
        return 0;
    if (call(&question, release, &release->pin.apple.codesign, "codesign", fail) < 0)
        return -1;
    own_mem char *path = put_copy(release, "signed", artifact->name, linked, fail);
    if (path == NULL)
        return fail_while(fail, "letting codesign sign '%s'", artifact->name);
    own_mem char *page_size = text_printf("%u", artifact->sign.page_size);
    const char *const arguments[] = {
        "--force",    "--sign",  "-", "--identifier", artifact->sign.identifier,
        "--pagesize", page_size, path};
    words(&question, arguments, sizeof arguments / sizeof arguments[0]);
    int accepted = ask(&question, release, fail);
    if (accepted < 0)
        return fail_while(fail, "letting codesign sign '%s'", artifact->name);
    if (accepted == 1)
        return compare_signatures(release, artifact->name, path, signed_bytes, fail);
    own_mem char *answer = said(&question, path, artifact->name);
    finding_error(&release->findings, "witness.codesign-bytes", artifact->name,
                  "hallmark: it can be signed", answer);
    return 0;
}

/* ---- the verdicts --------------------------------------------------------------------------- */

/* Whether a finding is of that kind ("sig.", "arch.") and of that file. */
static bool is_about(const struct finding *finding, const char *kind, const char *name)
{
    size_t len = strlen(name);
    return finding->level == FINDING_ERROR && strncmp(finding->id, kind, strlen(kind)) == 0 &&
           finding->place != NULL && strncmp(finding->place, name, len) == 0 &&
           (finding->place[len] == '\0' || finding->place[len] == ':');
}

/* hallmark's own finding of that kind; NULL: it accepts the file. */
static const struct finding *native_finding(const struct release *release, const char *kind,
                                            const char *name)
{
    for (size_t i = 0; i < release->findings.count; i++) {
        if (is_about(&release->findings.list[i], kind, name))
            return &release->findings.list[i];
    }
    return NULL;
}

/* Holds a witness's verdict against hallmark's own. */
static void compare_verdicts(struct release *release, const char *id, const char *kind,
                             const char *name, bool accepted, const char *answer)
{
    const struct finding *native = native_finding(release, kind, name);
    if (accepted == (native == NULL))
        return;
    own_mem char *ours = native == NULL
                             ? text_copy("hallmark: it is what the recipe asks for, and holds")
                             : text_printf("hallmark: %s: %s", native->id, native->place);
    own_mem char *theirs = accepted
                               ? text_printf("%.*s accepts it", (int)strcspn(answer, ":"), answer)
                               : text_copy(answer);
    finding_error(&release->findings, id, name, ours, theirs);
}

/* One witness's verdict on a copy; `finding`, `kind`: as for compare_verdicts(). */
struct hearing {
    const struct pin_program *witness;
    const char *program, *finding, *kind;
    struct prov_list arguments;
};

static int hear(struct release *release, const struct hearing *hearing, const char *name,
                const char *path, struct fail *fail)
{
    own_question struct question question = {0};
    if (call(&question, release, hearing->witness, hearing->program, fail) < 0)
        return -1;
    words(&question, (const char *const *)hearing->arguments.list, hearing->arguments.count);
    int accepted = ask(&question, release, fail);
    if (accepted < 0)
        return -1;
    own_mem char *answer = said(&question, path, name);
    compare_verdicts(release, hearing->finding, hearing->kind, name, accepted == 1, answer);
    return 0;
}

int witness_verdict(struct release *release, const char *name, struct view bytes,
                    const char *const *archs, size_t arch_count, struct fail *fail)
{
    struct hearing hearings[] = {
        {&release->pin.apple.lipo, "lipo", "witness.lipo", "arch.", {0}},
        {&release->pin.apple.codesign, "codesign", "witness.codesign", "sig.", {0}},
    };
    int result = 0;
    if (!witness_is_promised(release))
        return 0;
    own_mem char *path = put_copy(release, "verified", name, bytes, fail);
    if (path == NULL)
        return fail_while(fail, "asking the second witnesses of '%s'", name);
    prov_list_add(&hearings[0].arguments, path);
    prov_list_add(&hearings[0].arguments, "-verify_arch");
    for (size_t i = 0; i < arch_count; i++)
        prov_list_add(&hearings[0].arguments, archs[i]);
    prov_list_add(&hearings[1].arguments, "--verify");
    prov_list_add(&hearings[1].arguments, "--strict");
    prov_list_add(&hearings[1].arguments, path);
    for (size_t i = 0; i < sizeof hearings / sizeof hearings[0]; i++) {
        if (result == 0)
            result = hear(release, &hearings[i], name, path, fail);
        prov_list_release(&hearings[i].arguments);
    }
    return result < 0 ? fail_while(fail, "asking the second witnesses of '%s'", name) : 0;
}
