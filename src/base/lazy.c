#include "base/lazy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int cannot_load(const char *soname, struct fail *fail)
{
    const char *reason = dlerror();
    fail_set(fail, FAIL_SYSTEM, "cannot load library '%s': %s", soname,
             reason != NULL ? reason : "no reason given");
    return fail_hint(fail, "install it, or build hallmark again with the version that is there");
}

static int load(const char *soname, const struct lazy_symbol *symbols, size_t count,
                struct fail *fail)
{
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL); /* again: the same one */
    if (library == NULL)
        return cannot_load(soname, fail);
    own_mem void **found = mem_new(count, sizeof(found[0]));
    for (size_t i = 0; i < count; i++) {
        found[i] = dlsym(library, symbols[i].name);
        if (found[i] == NULL)
            return cannot_load(soname, fail);
    }
    for (size_t i = 0; i < count; i++)
        memcpy(symbols[i].pointer, &found[i], sizeof(found[i]));
    return 0;
}

int lazy_load(const char *soname, const struct lazy_symbol *symbols, size_t count,
              struct fail *fail)
{
    pthread_mutex_lock(&lock);
    int result = load(soname, symbols, count, fail);
    pthread_mutex_unlock(&lock);
    return result;
}
