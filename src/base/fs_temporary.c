#include "base/fs_temporary.h"

#include <pthread.h>
#include <stddef.h>

#include "base/fs.h"

enum { TEMPORARIES_MAX = 32 };

static struct {
    int dir_fd;
    const char *name; /* NULL: the place is free */
} temporaries[TEMPORARIES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void remove_all(void)
{
    for (size_t i = 0; i < TEMPORARIES_MAX; i++) {
        if (temporaries[i].name != NULL)
            fs_remove_tree_at(temporaries[i].dir_fd, temporaries[i].name);
    }
}

int fs_temporary_add(int dir_fd, const char *name)
{
    int number = -1;
    pthread_mutex_lock(&lock);
    own_on_stop(remove_all);
    for (int i = 0; i < TEMPORARIES_MAX && number < 0; i++) {
        if (temporaries[i].name != NULL)
            continue;
        temporaries[i].dir_fd = dir_fd;
        temporaries[i].name = name;
        number = i;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

void fs_temporary_drop(int *number)
{
    if (*number < 0)
        return;
    pthread_mutex_lock(&lock);
    temporaries[*number].name = NULL;
    pthread_mutex_unlock(&lock);
    *number = -1;
}
