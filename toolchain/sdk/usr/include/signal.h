/*
 * signal.h: functions on signals; see sys/signal.h for the rest.
 * Facts: C11 7.14; POSIX.1-2008, <signal.h>; apple-oss-distributions Libc,
 * include/signal.h (sys_siglist, sys_signame).
 */
#ifndef _SIGNAL_H_
#define _SIGNAL_H_

#include <sys/cdefs.h>
#include <sys/signal.h>
#include <sys/types.h>

__BEGIN_DECLS

typedef int sig_atomic_t;

extern const char *const sys_signame[NSIG];
extern const char *const sys_siglist[NSIG];

extern void (*signal(int number, void (*handler)(int)))(int);
extern int raise(int number);
extern int kill(pid_t process, int number);
extern int killpg(pid_t group, int number);
extern int sigaction(int number, const struct sigaction *restrict action,
                     struct sigaction *restrict old_action);
extern int sigaltstack(const stack_t *restrict stack, stack_t *restrict old_stack);
extern int sigaddset(sigset_t *set, int number);
extern int sigdelset(sigset_t *set, int number);
extern int sigemptyset(sigset_t *set);
extern int sigfillset(sigset_t *set);
extern int sigismember(const sigset_t *set, int number);
extern int siginterrupt(int number, int flag);
extern int sigpending(sigset_t *set);
extern int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old_set);
extern int sigsuspend(const sigset_t *set);
extern int sigwait(const sigset_t *restrict set, int *restrict number);
extern int pthread_sigmask(int how, const sigset_t *set, sigset_t *old_set);
extern void psignal(unsigned int number, const char *message);

__END_DECLS

#endif
