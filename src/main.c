/*
 * The command table; turns what a command returns into the exit code, and
 * makes sure that the answer reached stdout.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/stop.h"
#include "cli/commands.h"
#include "cli/opt.h"

#define HALLMARK_VERSION "1.1.0"

static const struct opt_command commands[] = {
    {"release",
     "--rev REV --out DIR [--recipe PATH | --recipe-file FILE] [--toolchain NAME] [--repo DIR]"
     " [--time-limit SEC] [--keep]",
     "cut a release from a frozen revision", cmd_release},
    {"audit", "RELEASE_DIR --repo DIR [--manifest] [--time-limit SEC] [--keep]",
     "derive a release again and compare it byte for byte", cmd_audit},
    {"verify",
     "PATH... [--recipe FILE] [--policy FILE] [--arch ARCH] [--identifier ID] "
     "[--require-sha256] [--trust FILE]... [--strict]",
     "check architecture, signature, policy and sums", cmd_verify},
    {"inspect", "FILE... [--symbols] [--fixups]", "tell what a Mach-O file is", cmd_inspect},
    {"sign",
     "FILE [-o OUT] [--identifier ID] [--page-size N|auto] [--style codesign|linker] "
     "[--entitlements PLIST] [--renew]",
     "sign a Mach-O file ad hoc", cmd_sign},
    {"strip-signature", "FILE [-o OUT]", "take the signature of a Mach-O file away",
     cmd_strip_signature},
    {"archive", "--rev REV [--repo DIR] [--prefix P/] [--format tar|tar.gz] [-o FILE] [PATH...]",
     "write the bytes that git archive writes", cmd_archive},
    {"sums", "write|check DIR", "write or check SHA256SUMS of a directory", cmd_sums},
    {"lipo",
     "FILE... -info | -archs | -verify_arch ARCH... | -create | -extract ARCH... | -thin ARCH",
     "look at universal files, join and take apart", cmd_lipo},
    {"assay", "DYLIB [--main PROGRAM] [--trial FILE] [--env NAME=VALUE]... [--argument ARG]...",
     "run the dylib's bytes in an emulated process and print what it answers", cmd_assay},
    {"pin", "show|check|write NAME [OPTION...]",
     "tell what a toolchain pin asks for and what is here", cmd_pin},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *stream)
{
    fputs("usage: hallmark [-C DIR] [--json] [--quiet] [--color=auto|always|never] COMMAND ...\n\n"
          "Cuts releases of Apple dylibs that anyone can check.\n\ncommands:\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(stream, "  %-15s %s\n", commands[i].name, commands[i].summary);
    fputs("\n'hallmark COMMAND --help' tells the options of a command.\n"
          "exit codes: 0 good, 1 findings, 2 usage, 3 invalid input, 4 toolchain not as pinned,\n"
          "            5 a child process failed, 6 output is there already, 7 system, 70 bug\n",
          stream);
}

static const struct opt_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int change_directory(const char *directory, struct fail *fail)
{
    if (directory == NULL)
        return fail_set(fail, FAIL_USAGE, "option '-C' needs a directory");
    if (chdir(directory) < 0)
        return fail_errno(fail, "cannot change to directory '%s'", directory);
    return 0;
}

/* Takes the words before the command; 0: go on at *index, 1: done (help, version), -1 failure. */
static int take_globals(int *index, struct opt_globals *globals, char **argv, struct fail *fail)
{
    for (; argv[*index] != NULL && argv[*index][0] == '-'; ++*index) {
        const char *word = argv[*index];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_usage(stdout);
            return 1;
        }
        if (strcmp(word, "--version") == 0) {
            puts("hallmark " HALLMARK_VERSION);
            return 1;
        }
        if (strcmp(word, "-C") == 0) {
            if (change_directory(argv[++*index], fail) < 0)
                return -1;
            continue;
        }
        int taken = opt_take_global(globals, word, fail);
        if (taken < 0)
            return -1;
        if (taken == 0) {
            fail_set(fail, FAIL_USAGE, "unknown option '%s'", word);
            return fail_hint(fail, "'hallmark --help' lists the options and commands");
        }
    }
    return 0;
}

static int dispatch(const char **command_name, int argc, char **argv, struct fail *fail)
{
    struct opt_globals globals = {0};
    int index = 1;
    int taken = take_globals(&index, &globals, argv, fail);
    if (taken != 0)
        return taken < 0 ? -1 : 0;
    if (index >= argc) {
        fail_set(fail, FAIL_USAGE, "no command given");
        return fail_hint(fail, "'hallmark --help' lists the commands");
    }
    if (strcmp(argv[index], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    const struct opt_command *command = find_command(argv[index]);
    if (command == NULL) {
        fail_set(fail, FAIL_USAGE, "unknown command '%s'", argv[index]);
        return fail_hint(fail, "'hallmark --help' lists the commands");
    }
    *command_name = command->name;
    struct opt_env env = {.command = command, .globals = &globals};
    return command->run(&env, argc - index, argv + index, fail);
}

/* A full disk or a closed pipe shows only now. */
static int check_stdout(struct fail *fail)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    if (errno == 0)
        errno = EIO;
    return fail_errno(fail, "cannot write the answer to stdout");
}

/*
 * A standard descriptor that is closed would become the number of the next file that is opened,
 * and the answer would be written into that. Writing to this stdout fails, as to a closed one.
 */
static void occupy_standard_descriptors(void)
{
    static const int flags[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        if (open("/dev/null", flags[fd]) != fd)
            _exit(FAIL_SYSTEM);
    }
}

int main(int argc, char **argv)
{
    static char stderr_buffer[4096];
    own_fail struct fail fail = {0};
    const char *command = NULL;
    occupy_standard_descriptors();
    setvbuf(stderr, stderr_buffer, _IOLBF, sizeof stderr_buffer); /* whole lines, not bytes */
    stop_install();
    int result = dispatch(&command, argc, argv, &fail);
    if (result >= 0 && check_stdout(&fail) < 0)
        result = -1;
    if (result >= 0)
        return result;
    if (fail.code == FAIL_NONE)
        fail_set(&fail, FAIL_BUG, "failed without a message");
    fail_print(&fail, command, stderr);
    if (fail.code == FAIL_SIGNAL) {
        fflush(stderr);
        stop_raise();
    }
    return fail.code == FAIL_SIGNAL ? FAIL_SYSTEM : (int)fail.code;
}
