#include "config/cflags.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT "0123456789"

static const char *const allowed[] = {
    /* optimisation */
    "-O",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-Os",
    "-Oz",
    "-Og",
    "-Ofast",
    /* language */
    "-std=c89",
    "-std=c90",
    "-std=c99",
    "-std=c11",
    "-std=c17",
    "-std=c18",
    "-std=c23",
    "-std=c2x",
    "-std=gnu89",
    "-std=gnu90",
    "-std=gnu99",
    "-std=gnu11",
    "-std=gnu17",
    "-std=gnu18",
    "-std=gnu23",
    "-std=gnu2x",
    "-ansi",
    "-pedantic",
    "-pedantic-errors",
    "-pthread",
    "-g0",
};

/* "-f" and "-fno-" of these. */
static const char *const switches[] = {
    "objc-arc",
    "objc-arc-exceptions",
    "objc-weak",
    "objc-exceptions",
    "blocks",
    "exceptions",
    "asynchronous-unwind-tables",
    "unwind-tables",
    "common",
    "strict-aliasing",
    "wrapv",
    "trapv",
    "strict-overflow",
    "strict-enums",
    "strict-return",
    "strict-flex-arrays",
    "delete-null-pointer-checks",
    "builtin",
    "freestanding",
    "signed-char",
    "unsigned-char",
    "short-enums",
    "short-wchar",
    "ms-extensions",
    "pascal-strings",
    "dollars-in-identifiers",
    "gnu89-inline",
    "gnu-keywords",
    "trigraphs",
    "digraphs",
    "lax-vector-conversions",
    "constant-cfstrings",
    "math-errno",
    "fast-math",
    "finite-math-only",
    "associative-math",
    "reciprocal-math",
    "signed-zeros",
    "trapping-math",
    "rounding-math",
    "unsafe-math-optimizations",
    "honor-infinities",
    "honor-nans",
    "omit-frame-pointer",
    "inline",
    "inline-functions",
    "inline-hint-functions",
    "unroll-loops",
    "rerolling-loops",
    "vectorize",
    "slp-vectorize",
    "tree-vectorize",
    "tree-slp-vectorize",
    "merge-all-constants",
    "jump-tables",
    "optimize-sibling-calls",
    "escaping-block-tail-calls",
    "finite-loops",
    "function-sections",
    "data-sections",
    "stack-protector",
    "stack-protector-strong",
    "stack-protector-all",
    "stack-clash-protection",
    "zero-call-used-regs",
    "PIC",
    "pic",
    "use-line-directives",
    "application-extension",
    "autolink",
    "addrsig",
    "ident",
};

/* "-fNAME=VALUE" with a closed set of values. */
static const char *const valued[] = {
    "-fvisibility=hidden",
    "-fvisibility=default",
    "-fvisibility=protected",
    "-fvisibility=internal",
    "-ffp-contract=on",
    "-ffp-contract=off",
    "-ffp-contract=fast",
    "-ffp-model=precise",
    "-ffp-model=strict",
    "-ffp-model=fast",
    "-ftrivial-auto-var-init=zero",
    "-ftrivial-auto-var-init=pattern",
    "-ftrivial-auto-var-init=uninitialized",
    "-fstrict-flex-arrays=0",
    "-fstrict-flex-arrays=1",
    "-fstrict-flex-arrays=2",
    "-fstrict-flex-arrays=3",
    "-fzero-call-used-regs=skip",
    "-fzero-call-used-regs=used",
    "-fzero-call-used-regs=used-gpr",
    "-fzero-call-used-regs=all",
    "-fzero-call-used-regs=all-gpr",
};

/* Why the well-known others are refused; the first prefix that fits counts. */
static const struct {
    const char *prefix;
    const char *reason;
} refused[] = {
    {"@", "response files are not read"},
    {"-Wl,", "it passes options to the linker"},
    {"-Wa,", "it passes options to the assembler"},
    {"-Wp,", "it passes options to the preprocessor"},
    {"-Xlinker", "it passes options to the linker"},
    {"-X", "it passes options past the driver"},
    {"-mllvm", "it passes options past the driver"},
    {"-fuse-ld", "it chooses the linker"},
    {"-fplugin", "it loads code into the compiler"},
    {"-fpass-plugin", "it loads code into the compiler"},
    {"-fsanitize", "it needs a run-time library that is not pinned"},
    {"-fprofile", "it reads or writes files that are not in the tree"},
    {"-fcs-profile", "it reads or writes files that are not in the tree"},
    {"-fauto-profile", "it reads or writes files that are not in the tree"},
    {"-fcoverage", "it reads or writes files that are not in the tree"},
    {"-fcrash", "it writes files"},
    {"-ftime-", "it writes files"},
    {"-fsave", "it writes files"},
    {"-fproc-stat", "it writes files"},
    {"-fmodule", "it builds modules, whose cache is not pinned"},
    {"-fimplicit-module", "it builds modules, whose cache is not pinned"},
    {"-fcxx-modules", "it builds modules, whose cache is not pinned"},
    {"-fbuild-session", "it builds modules, whose cache is not pinned"},
    {"-fdebug-", "hallmark itself says which paths reach the output"},
    {"-ffile-", "hallmark itself says which paths reach the output"},
    {"-fmacro-", "hallmark itself says which paths reach the output"},
    {"-frandom-seed", "hallmark itself sees to it that the output is reproducible"},
    {"-fembed", "it puts more into the output than the code"},
    {"-flto", "link-time optimisation is not supported yet"},
    {"-fdiagnostics", "hallmark itself says how messages look"},
    {"-fptrauth", "pointer authentication follows from the architecture"},
    {"-gen-", "it changes what the compiler writes"},
    {"-g", "debug information carries paths of the machine"},
    {"-isysroot", "the SDK follows from the toolchain"},
    {"--sysroot", "the SDK follows from the toolchain"},
    {"-target", "the target follows from 'arch' and 'min_macos'"},
    {"--target", "the target follows from 'arch' and 'min_macos'"},
    {"-arch", "the target follows from 'arch' and 'min_macos'"},
    {"-m", "the target follows from 'arch' and 'min_macos'"},
    {"-o", "hallmark names the output"},
    {"-l", "libraries follow from 'frameworks'"},
    {"-L", "libraries follow from 'frameworks'"},
    {"-F", "frameworks are found in the SDK only"},
    {"-framework", "frameworks are named in 'frameworks'"},
    {"-install_name", "the install name is the key 'install_name'"},
    {"-i", "headers are found by -I only"},
    {"-B", "the compiler's own programs are pinned"},
    {"-x", "the language follows from the source's name"},
    {"-w", "it hides warnings"},
    {"-M", "hallmark itself asks for the list of files that were read"},
};

static bool one_of(const char *text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* -DNAME, -DNAME=VALUE, -UNAME. There is no shell between: the value may be anything printable. */
static const char *define_problem(const char *flag)
{
    const char *name = flag + 2;
    size_t len = strspn(name, LOWER UPPER DIGIT "_");
    if (len == 0)
        return "write the macro's name in the same word";
    if (strchr(DIGIT, name[0]) != NULL)
        return "the macro's name begins with a digit";
    if (name[len] == '\0' || (flag[1] == 'D' && name[len] == '='))
        return NULL;
    return "the macro's name has a character that is none of A-Z a-z 0-9 _";
}

const char *cflags_include(const char *flag)
{
    return strncmp(flag, "-I", 2) == 0 ? flag + 2 : NULL;
}

const char *cflags_problem(const char *flag)
{
    if (strlen(flag) > 1024)
        return "it is too long";
    if (one_of(flag, allowed, COUNT(allowed)) || one_of(flag, valued, COUNT(valued)))
        return NULL;
    if (strncmp(flag, "-f", 2) == 0) {
        const char *name = strncmp(flag, "-fno-", 5) == 0 ? flag + 5 : flag + 2;
        if (one_of(name, switches, COUNT(switches)))
            return NULL;
    }
    if (strncmp(flag, "-D", 2) == 0 || strncmp(flag, "-U", 2) == 0)
        return define_problem(flag);
    if (cflags_include(flag) != NULL)
        return flag[2] == '\0' ? "write the directory in the same word" : NULL;
    for (size_t i = 0; i < COUNT(refused); i++)
        if (strncmp(flag, refused[i].prefix, strlen(refused[i].prefix)) == 0)
            return refused[i].reason;
    if (strncmp(flag, "-W", 2) == 0)
        return strspn(flag + 2, LOWER UPPER DIGIT "+=_-") == strlen(flag + 2)
                   ? NULL
                   : "it has a character that no warning's name has";
    if (flag[0] != '-')
        return "it is not a flag; sources are named in 'sources'";
    return "it is not one of the flags that a recipe may use";
}
