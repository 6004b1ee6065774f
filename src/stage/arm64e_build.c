#include "stage/arm64e_build.h"

#include <string.h>

#include "macho/arm64e.h"

bool arm64e_is_passed(const struct toolchain *pin, const struct recipe_artifact *artifact)
{
    return artifact->arch == RECIPE_ARM64E && pin->family == TOOLCHAIN_LLVM;
}

const char *const arm64e_flags[] = {
    "-fptrauth-intrinsics",
    "-fptrauth-calls",
    "-fptrauth-returns",
    "-fptrauth-auth-traps",
    "-fptrauth-indirect-gotos",
    "-fptrauth-init-fini",
    "-fno-jump-tables", /* so that the pass can follow every path of the code */
    "-mno-outline",
    NULL,
};

#define WISH    "@AUTH("
#define GRANTED "@AUTH(ia,0)" /* a function pointer of C */

/* Text in quotes is data: it may say anything. */
static bool is_text(const char *line)
{
    line += strspn(line, " \t");
    return strncmp(line, ".asci", 5) == 0 || strncmp(line, ".string", 7) == 0;
}

int arm64e_count_signed(size_t *count, const char *assembly, const char *source, struct fail *fail)
{
    const char *next = NULL;
    for (const char *line = assembly; *line != '\0'; line = next) {
        size_t len = strcspn(line, "\n");
        next = line + len + (line[len] == '\n' ? 1 : 0);
        own_mem char *copy = mem_copy(line, len);
        const char *wish = is_text(copy) ? NULL : strstr(copy, WISH);
        for (; wish != NULL; wish = strstr(wish + 1, WISH)) {
            if (strncmp(wish, GRANTED, strlen(GRANTED)) != 0) {
                const char *start = copy + strspn(copy, " \t");
                return fail_set(fail, FAIL_INPUT,
                                "'%s' has a pointer in data that is signed in another way than a "
                                "function pointer of C ('%.*s')",
                                source, (int)strcspn(start, "\r"), start);
            }
            ++*count;
        }
    }
    return 0;
}

int arm64e_build(struct buf *bytes, const char *name, size_t signed_count, struct fail *fail)
{
    own_image struct image image = {0};
    own_arm64e struct arm64e_account account = {0};
    own_buf struct buf made = {0};
    own_fail struct fail why = {0};
    struct view linked = {.data = bytes->data, .len = bytes->len};
    size_t found = 0;
    if (image_open(&image, linked, &why) < 0)
        return fail_set(fail, FAIL_CHILD, "the linker made no Mach-O file '%s': %s", name,
                        why.message);
    if (arm64e_convert(&made, &account, &image, fail) < 0)
        return fail_while(fail, "making '%s'", name);
    for (size_t i = 0; i < account.count; i++)
        found += account.list[i].role == ARM64E_CODE_POINTER ? 1 : 0;
    if (found != signed_count)
        return fail_set(fail, FAIL_INPUT,
                        "the compiler wants %zu pointers in the data of '%s' signed, but %zu of "
                        "them lead to functions",
                        signed_count, name, found);
    arm64e_account_release(&account); /* its names lie in the old bytes */
    buf_release(bytes);
    *bytes = made;
    made = (struct buf){0};
    return 0;
}
