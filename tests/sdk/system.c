/* A program on the C side of the system: threads, sysctl, clocks, files, numbers. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <mach/mach_time.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local unsigned rounds;
static bool ready;

static void make_key(void)
{
    if (pthread_key_create(&key, free) != 0)
        abort();
}

static void unlock(void *argument)
{
    pthread_mutex_unlock(argument);
}

static void *work(void *argument)
{
    const uint64_t *until = argument;
    pthread_setname_np("worker");
    pthread_once(&once, make_key);
    pthread_setspecific(key, strdup("value"));
    while (mach_absolute_time() < *until)
        rounds++;
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    ready = true;
    pthread_cond_signal(&condition);
    pthread_cleanup_pop(1);
    return NULL;
}

static int show_system(void)
{
    char model[128];
    size_t size = sizeof model;
    uint64_t memory = 0;
    int mib[2] = {CTL_HW, HW_MEMSIZE};
    size_t memory_size = sizeof memory;
    if (sysctlbyname("hw.model", model, &size, NULL, 0) != 0 ||
        sysctl(mib, 2, &memory, &memory_size, NULL, 0) != 0) {
        fprintf(stderr, "sysctl: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    printf("%s, %" PRIu64 " bytes, %ld processors, pages of %d\n", model, memory,
           sysconf(_SC_NPROCESSORS_ONLN), getpagesize());
    return EXIT_SUCCESS;
}

static double seconds(uint64_t ticks)
{
    mach_timebase_info_data_t base;
    if (mach_timebase_info(&base) != KERN_SUCCESS)
        return (double)NAN;
    return (double)ticks * base.numer / base.denom / 1e9;
}

int main(int argc, char **argv)
{
    struct timespec now;
    struct timeval today;
    char text[64], path[PATH_MAX];
    const uint64_t start = mach_absolute_time();
    uint64_t until = start + (argc > 1 ? strtoull(argv[1], NULL, 0) : 1000);
    pthread_t thread;

    signal(SIGPIPE, SIG_IGN);
    if (pthread_create(&thread, NULL, work, &until) != 0)
        return EXIT_FAILURE;
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);

    if (clock_gettime(CLOCK_UPTIME_RAW, &now) != 0 || gettimeofday(&today, NULL) != 0)
        return EXIT_FAILURE;
    struct tm local;
    strftime(text, sizeof text, "%Y-%m-%d", localtime_r(&today.tv_sec, &local));
    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    printf("%s, up %ld s, %.6f s, %.2f\n", text, now.tv_sec, seconds(mach_absolute_time() - start),
           sqrt(pow(2.0, 10.0)) + fabs(-M_PI));
    if (!realpath(argv[0], path) || isnan(seconds(1)) || !isfinite(1.0))
        return EXIT_FAILURE;
    return show_system();
}
