#include "base/stop.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t pending;

static void handle(int signal_number)
{
    if (pending == 0)
        pending = signal_number;
}

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};

void stop_install(void)
{
    for (size_t i = 0; i < sizeof stopping / sizeof stopping[0]; i++) {
        struct sigaction before;
        if (sigaction(stopping[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN)
            continue;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = handle;
        sigemptyset(&action.sa_mask);
        sigaction(stopping[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int stop_pending(void)
{
    return pending;
}

int stop_check(struct fail *fail)
{
    if (pending == 0)
        return 0;
    return fail_set(fail, FAIL_SIGNAL, "stopped by %s", strsignal(pending));
}

void stop_raise(void)
{
    int signal_number = pending;
    if (signal_number == 0)
        return;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}
