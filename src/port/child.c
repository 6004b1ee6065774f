#include "port/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#    include <sys/prctl.h>
#endif

#include "base/stop.h"
#include "base/system.h"
#include "port/child_orphans.h"
#include "port/sandbox.h"

enum { STREAMS = 2, POLL_MS = 100, SETUP_FAILED = 127 };

/* A child while it runs. */
struct running {
    struct child *child;
    pid_t pid; /* 0: this place is free */
    int streams[STREAMS];
    struct timespec started;
    bool killed;
};

static void set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

/* Lowers a limit; one that is lower already stays. */
static bool limit(int resource, uint64_t most)
{
    struct rlimit limits;
    if (most == 0 || getrlimit(resource, &limits) < 0)
        return most == 0;
    if (limits.rlim_max == RLIM_INFINITY || limits.rlim_max > most)
        limits.rlim_max = (rlim_t)most;
    if (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > limits.rlim_max)
        limits.rlim_cur = limits.rlim_max;
    return setrlimit(resource, &limits) == 0;
}

/* Runs in the new process: only async-signal-safe calls from here on. */
static _Noreturn void become(struct child *child, const int *write_ends, int null_fd,
                             int sandbox_fd, pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* hallmark died before prctl() */
        _exit(SETUP_FAILED);
#else
    (void)parent;
#endif
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    static const char complaint[] = "hallmark: cannot start the program\n";
    bool ready = dup2(null_fd, STDIN_FILENO) >= 0 && dup2(write_ends[0], STDOUT_FILENO) >= 0 &&
                 dup2(child->merge ? write_ends[0] : write_ends[1], STDERR_FILENO) >= 0 &&
                 (child->directory == NULL || chdir(child->directory) == 0) &&
                 (sandbox_fd < 0 || sandbox_enter(sandbox_fd) == 0) &&
                 limit(RLIMIT_FSIZE, child->file_max) &&
                 (!system_limits_memory() || limit(RLIMIT_AS, child->memory_max));
    if (ready)
        execve(child->program, (char *const *)child->argv, (char *const *)child->envp);
    ssize_t ignored = write(STDERR_FILENO, complaint, sizeof complaint - 1);
    (void)ignored;
    _exit(SETUP_FAILED);
}

static int start(struct running *place, struct child *child, struct fail *fail)
{
    own_fd int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null_fd < 0)
        return fail_errno(fail, "cannot open '/dev/null'");
    if (access(child->program, X_OK) < 0)
        return fail_errno(fail, "cannot run '%s'", child->program);
    own_fd int read_out = -1, write_out = -1, read_err = -1, write_err = -1, sandbox_fd = -1;
    int ends[2];
    if (system_pipe(ends) < 0)
        return fail_errno(fail, "cannot make a pipe");
    read_out = ends[0];
    write_out = ends[1];
    if (system_pipe(ends) < 0)
        return fail_errno(fail, "cannot make a pipe");
    read_err = ends[0];
    write_err = ends[1];
    if (child->writable != NULL) {
        sandbox_fd = sandbox_prepare(child->writable, child->readable);
        child->confined = sandbox_fd >= 0;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid < 0)
        return fail_errno(fail, "cannot make a process for '%s'", child->program);
    if (pid == 0)
        become(child, (int[]){write_out, write_err}, null_fd, sandbox_fd, parent);
    setpgid(pid, pid); /* both sides, so that neither can be too late */
    set_nonblocking(read_out);
    set_nonblocking(read_err);
    *place = (struct running){.child = child, .pid = pid};
    place->streams[0] = steal_fd(&read_out);
    place->streams[1] = steal_fd(&read_err);
    clock_gettime(CLOCK_MONOTONIC, &place->started);
    child->exit_code = -1;
    return 0;
}

/* Reads what is there; closes the stream at its end. */
static void drain(struct running *place, int index)
{
    struct child *child = place->child;
    struct buf *kept = index == 0 ? &child->output : &child->errors;
    char chunk[16384];
    for (;;) {
        ssize_t got = read(place->streams[index], chunk, sizeof chunk);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            close(place->streams[index]);
            place->streams[index] = -1;
            return;
        }
        size_t room = kept->len < CHILD_OUTPUT_MAX ? CHILD_OUTPUT_MAX - kept->len : 0;
        buf_append(kept, chunk, (size_t)got < room ? (size_t)got : room);
    }
}

static void kill_group(const struct running *place)
{
    kill(-place->pid, SIGKILL);
    kill(place->pid, SIGKILL);
}

static void check_limit(struct running *place)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (place->child->limit_sec == 0 || place->killed)
        return;
    double elapsed = (double)(now.tv_sec - place->started.tv_sec) +
                     (double)(now.tv_nsec - place->started.tv_nsec) / 1e9;
    if (elapsed < (double)place->child->limit_sec)
        return;
    place->child->timed_out = true;
    place->killed = true;
    kill_group(place);
}

/* Takes the status of a child that ended; false while it runs. */
static bool reap(struct running *place, int flags)
{
    int status = 0;
    pid_t got = waitpid(place->pid, &status, flags);
    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    if (got == place->pid && WIFEXITED(status))
        place->child->exit_code = WEXITSTATUS(status);
    else if (got == place->pid && WIFSIGNALED(status))
        place->child->signal = WTERMSIG(status);
    kill(-place->pid, SIGKILL); /* whatever it left behind in its group */
    for (int i = 0; i < STREAMS; i++) {
        if (place->streams[i] >= 0)
            drain(place, i);
        if (place->streams[i] >= 0)
            close(place->streams[i]);
    }
    place->pid = 0;
    return true;
}

/* Waits until something is to read or the poll interval is over. */
static void wait_for_output(struct running *places, size_t count)
{
    struct pollfd polled[2 * 64];
    nfds_t used = 0;
    for (size_t i = 0; i < count; i++) {
        for (int s = 0; places[i].pid != 0 && s < STREAMS; s++) {
            if (places[i].streams[s] >= 0 && used < sizeof polled / sizeof polled[0])
                polled[used++] = (struct pollfd){.fd = places[i].streams[s], .events = POLLIN};
        }
    }
    /* With both streams closed the end of the process is all that is left: look often. */
    poll(polled, used, used == 0 ? 1 : POLL_MS);
}

static void stop_all(struct running *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (places[i].pid == 0)
            continue;
        kill_group(&places[i]);
        while (!reap(&places[i], 0))
            ;
    }
}

static unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

/* One turn of the loop: reads, ends what is over; how many are still running. */
static size_t attend(struct running *places, size_t parallel)
{
    size_t alive = 0;
    wait_for_output(places, parallel);
    for (size_t i = 0; i < parallel; i++) {
        struct running *place = &places[i];
        if (place->pid == 0)
            continue;
        for (int s = 0; s < STREAMS; s++) {
            if (place->streams[s] >= 0)
                drain(place, s);
        }
        check_limit(place);
        if (!reap(place, WNOHANG))
            alive++;
    }
    return alive;
}

static int run_all(struct child *children, size_t count, unsigned parallel, struct fail *fail)
{
    enum { PARALLEL_MAX = 64 };
    struct running places[PARALLEL_MAX];
    memset(places, 0, sizeof places);
    if (parallel == 0)
        parallel = processors();
    if (parallel > PARALLEL_MAX)
        parallel = PARALLEL_MAX;
    size_t next = 0;
    size_t alive = 0;
    while (next < count || alive > 0) {
        for (size_t i = 0; i < parallel && next < count; i++) {
            if (places[i].pid != 0)
                continue;
            if (start(&places[i], &children[next], fail) < 0) {
                stop_all(places, parallel);
                return -1;
            }
            next++;
        }
        alive = attend(places, parallel);
        if (stop_pending()) {
            stop_all(places, parallel);
            return stop_check(fail);
        }
    }
    return 0;
}

int child_run_all(struct child *children, size_t count, unsigned parallel, struct fail *fail)
{
    orphans_adopt();
    int result = run_all(children, count, parallel, fail);
    orphans_end();
    return result;
}

int child_run(struct child *child, struct fail *fail)
{
    return child_run_all(child, 1, 1, fail);
}

bool child_succeeded(const struct child *child)
{
    return child->exit_code == 0 && child->signal == 0 && !child->timed_out;
}

int child_fail(const struct child *child, struct fail *fail)
{
    const char *slash = strrchr(child->program, '/');
    const char *name = slash == NULL ? child->program : slash + 1;
    if (child->timed_out)
        fail_set(fail, FAIL_CHILD, "'%s' ran longer than %u s and was killed", name,
                 child->limit_sec);
    else if (child->signal != 0)
        fail_set(fail, FAIL_CHILD, "'%s' was killed by signal %d (%s)", name, child->signal,
                 strsignal(child->signal));
    else
        fail_set(fail, FAIL_CHILD, "'%s' exited with status %d", name, child->exit_code);
    own_buf struct buf all = {0};
    buf_append(&all, child->output.data, child->output.len);
    buf_append(&all, child->errors.data, child->errors.len);
    return fail_output(fail, buf_text(&all), all.len);
}

void child_release(struct child *child)
{
    buf_release(&child->output);
    buf_release(&child->errors);
}
