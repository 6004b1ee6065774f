/*
 * pthread.h: POSIX threads.
 * Facts: POSIX.1-2008, <pthread.h>; apple-oss-distributions libpthread,
 * include/pthread/pthread.h, pthread_impl.h and qos.h (constants, initial
 * values, functions ending in _np).
 */
#ifndef _PTHREAD_H
#define _PTHREAD_H

#include <Availability.h>
#include <sched.h>
#include <stddef.h>
#include <sys/_timespec.h>
#include <sys/qos.h>
#include <sys/types.h>
#include <time.h>

__BEGIN_DECLS

#define PTHREAD_CREATE_JOINABLE 1
#define PTHREAD_CREATE_DETACHED 2
#define PTHREAD_INHERIT_SCHED 1
#define PTHREAD_EXPLICIT_SCHED 2
#define PTHREAD_CANCEL_ENABLE 0x01
#define PTHREAD_CANCEL_DISABLE 0x00
#define PTHREAD_CANCEL_DEFERRED 0x02
#define PTHREAD_CANCEL_ASYNCHRONOUS 0x00
#define PTHREAD_CANCELED ((void *)1)
#define PTHREAD_SCOPE_SYSTEM 1
#define PTHREAD_SCOPE_PROCESS 2
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_PROCESS_PRIVATE 2
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_ERRORCHECK 1
#define PTHREAD_MUTEX_RECURSIVE 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL

#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER {0x32AAABA1, {0}}
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER {0x32AAABA2, {0}}
#define PTHREAD_COND_INITIALIZER {0x3CB0B1BB, {0}}
#define PTHREAD_ONCE_INIT {0x30B1BCBA, {0}}
#define PTHREAD_RWLOCK_INITIALIZER {0x2DA8B3B4, {0}}

/* threads */
extern int pthread_create(pthread_t _Nullable *_Nonnull restrict thread,
                          const pthread_attr_t *_Nullable restrict attributes,
                          void *_Nullable (*_Nonnull start)(void *_Nullable),
                          void *_Nullable restrict argument);
extern int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
extern int pthread_detach(pthread_t _Nonnull thread);
extern void pthread_exit(void *_Nullable result) __dead2;
extern pthread_t _Nonnull pthread_self(void);
extern int pthread_equal(pthread_t _Nullable a, pthread_t _Nullable b);
extern int pthread_kill(pthread_t _Nonnull thread, int signal_number);
extern int pthread_once(pthread_once_t *_Nonnull once, void (*_Nonnull routine)(void));
extern int pthread_atfork(void (*_Nullable prepare)(void), void (*_Nullable parent)(void),
                          void (*_Nullable child)(void));
extern int pthread_getconcurrency(void);
extern int pthread_setconcurrency(int level);
extern int pthread_getschedparam(pthread_t _Nonnull thread, int *_Nullable restrict policy,
                                 struct sched_param *_Nullable restrict parameters);
extern int pthread_setschedparam(pthread_t _Nonnull thread, int policy,
                                 const struct sched_param *_Nonnull parameters);

/* cancellation */
extern int pthread_cancel(pthread_t _Nonnull thread);
extern int pthread_setcancelstate(int state, int *_Nullable old_state);
extern int pthread_setcanceltype(int type, int *_Nullable old_type);
extern void pthread_testcancel(void);

/* The two macros open and close one block and must stand in pairs. */
#define pthread_cleanup_push(function, value)                                                      \
    do {                                                                                           \
        struct __darwin_pthread_handler_rec __handler;                                             \
        pthread_t __self = pthread_self();                                                         \
        __handler.__routine = (function);                                                          \
        __handler.__arg = (value);                                                                 \
        __handler.__next = __self->__cleanup_stack;                                                \
        __self->__cleanup_stack = &__handler
#define pthread_cleanup_pop(execute)                                                               \
        __self->__cleanup_stack = __handler.__next;                                                \
        if (execute)                                                                               \
            (__handler.__routine)(__handler.__arg);                                                \
    } while (0)

/* attributes of threads */
extern int pthread_attr_init(pthread_attr_t *_Nonnull attributes);
extern int pthread_attr_destroy(pthread_attr_t *_Nonnull attributes);
extern int pthread_attr_getdetachstate(const pthread_attr_t *_Nonnull attributes,
                                       int *_Nonnull state);
extern int pthread_attr_setdetachstate(pthread_attr_t *_Nonnull attributes, int state);
extern int pthread_attr_getguardsize(const pthread_attr_t *_Nonnull restrict attributes,
                                     size_t *_Nonnull restrict size);
extern int pthread_attr_setguardsize(pthread_attr_t *_Nonnull attributes, size_t size);
extern int pthread_attr_getinheritsched(const pthread_attr_t *_Nonnull restrict attributes,
                                        int *_Nonnull restrict inherit);
extern int pthread_attr_setinheritsched(pthread_attr_t *_Nonnull attributes, int inherit);
extern int pthread_attr_getschedparam(const pthread_attr_t *_Nonnull restrict attributes,
                                      struct sched_param *_Nonnull restrict parameters);
extern int pthread_attr_setschedparam(pthread_attr_t *_Nonnull restrict attributes,
                                      const struct sched_param *_Nonnull restrict parameters);
extern int pthread_attr_getschedpolicy(const pthread_attr_t *_Nonnull restrict attributes,
                                       int *_Nonnull restrict policy);
extern int pthread_attr_setschedpolicy(pthread_attr_t *_Nonnull attributes, int policy);
extern int pthread_attr_getscope(const pthread_attr_t *_Nonnull restrict attributes,
                                 int *_Nonnull restrict scope);
extern int pthread_attr_setscope(pthread_attr_t *_Nonnull attributes, int scope);
extern int pthread_attr_getstack(const pthread_attr_t *_Nonnull restrict attributes,
                                 void *_Nullable *_Nonnull restrict address,
                                 size_t *_Nonnull restrict size);
extern int pthread_attr_setstack(pthread_attr_t *_Nonnull attributes, void *_Nonnull address,
                                 size_t size);
extern int pthread_attr_getstackaddr(const pthread_attr_t *_Nonnull restrict attributes,
                                     void *_Nullable *_Nonnull restrict address);
extern int pthread_attr_setstackaddr(pthread_attr_t *_Nonnull attributes,
                                     void *_Nonnull address);
extern int pthread_attr_getstacksize(const pthread_attr_t *_Nonnull restrict attributes,
                                     size_t *_Nonnull restrict size);
extern int pthread_attr_setstacksize(pthread_attr_t *_Nonnull attributes, size_t size);

/* mutexes */
extern int pthread_mutex_init(pthread_mutex_t *_Nonnull restrict mutex,
                              const pthread_mutexattr_t *_Nullable restrict attributes);
extern int pthread_mutex_destroy(pthread_mutex_t *_Nonnull mutex);
extern int pthread_mutex_lock(pthread_mutex_t *_Nonnull mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *_Nonnull mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *_Nonnull mutex);
extern int pthread_mutex_getprioceiling(const pthread_mutex_t *_Nonnull restrict mutex,
                                        int *_Nonnull restrict ceiling);
extern int pthread_mutex_setprioceiling(pthread_mutex_t *_Nonnull restrict mutex, int ceiling,
                                        int *_Nonnull restrict old_ceiling);
extern int pthread_mutexattr_init(pthread_mutexattr_t *_Nonnull attributes);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *_Nonnull attributes);
extern int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *_Nonnull restrict attributes,
                                            int *_Nonnull restrict ceiling);
extern int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *_Nonnull attributes, int ceiling);
extern int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *_Nonnull restrict attributes,
                                         int *_Nonnull restrict protocol);
extern int pthread_mutexattr_setprotocol(pthread_mutexattr_t *_Nonnull attributes, int protocol);
extern int pthread_mutexattr_getpshared(const pthread_mutexattr_t *_Nonnull restrict attributes,
                                        int *_Nonnull restrict shared);
extern int pthread_mutexattr_setpshared(pthread_mutexattr_t *_Nonnull attributes, int shared);
extern int pthread_mutexattr_gettype(const pthread_mutexattr_t *_Nonnull restrict attributes,
                                     int *_Nonnull restrict type);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *_Nonnull attributes, int type);

/* condition variables */
extern int pthread_cond_init(pthread_cond_t *_Nonnull restrict condition,
                             const pthread_condattr_t *_Nullable restrict attributes);
extern int pthread_cond_destroy(pthread_cond_t *_Nonnull condition);
extern int pthread_cond_signal(pthread_cond_t *_Nonnull condition);
extern int pthread_cond_broadcast(pthread_cond_t *_Nonnull condition);
extern int pthread_cond_wait(pthread_cond_t *_Nonnull restrict condition,
                             pthread_mutex_t *_Nonnull restrict mutex);
extern int pthread_cond_timedwait(pthread_cond_t *_Nonnull restrict condition,
                                  pthread_mutex_t *_Nonnull restrict mutex,
                                  const struct timespec *_Nullable restrict deadline);
extern int pthread_cond_timedwait_relative_np(pthread_cond_t *_Nonnull condition,
                                              pthread_mutex_t *_Nonnull mutex,
                                              const struct timespec *_Nullable duration);
extern int pthread_condattr_init(pthread_condattr_t *_Nonnull attributes);
extern int pthread_condattr_destroy(pthread_condattr_t *_Nonnull attributes);
extern int pthread_condattr_getpshared(const pthread_condattr_t *_Nonnull restrict attributes,
                                       int *_Nonnull restrict shared);
extern int pthread_condattr_setpshared(pthread_condattr_t *_Nonnull attributes, int shared);

/* read-write locks */
extern int pthread_rwlock_init(pthread_rwlock_t *_Nonnull restrict lock,
                               const pthread_rwlockattr_t *_Nullable restrict attributes);
extern int pthread_rwlock_destroy(pthread_rwlock_t *_Nonnull lock);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *_Nonnull lock);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *_Nonnull lock);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *_Nonnull lock);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *_Nonnull lock);
extern int pthread_rwlock_unlock(pthread_rwlock_t *_Nonnull lock);
extern int pthread_rwlockattr_init(pthread_rwlockattr_t *_Nonnull attributes);
extern int pthread_rwlockattr_destroy(pthread_rwlockattr_t *_Nonnull attributes);
extern int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *_Nonnull restrict attributes,
                                         int *_Nonnull restrict shared);
extern int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *_Nonnull attributes, int shared);

/* data of each thread */
extern int pthread_key_create(pthread_key_t *_Nonnull key,
                              void (*_Nullable destructor)(void *_Nonnull));
extern int pthread_key_delete(pthread_key_t key);
extern void *_Nullable pthread_getspecific(pthread_key_t key);
extern int pthread_setspecific(pthread_key_t key, const void *_Nullable value);

/* Apple's additions */
extern int pthread_is_threaded_np(void);
extern int pthread_main_np(void);
extern int pthread_threadid_np(pthread_t _Nullable thread, __uint64_t *_Nonnull identifier);
extern int pthread_getname_np(pthread_t _Nonnull thread, char *_Nonnull name, size_t size);
extern int pthread_setname_np(const char *_Nonnull name);
extern __darwin_mach_port_t pthread_mach_thread_np(pthread_t _Nonnull thread);
extern pthread_t _Nullable pthread_from_mach_thread_np(__darwin_mach_port_t port);
extern void *_Nonnull pthread_get_stackaddr_np(pthread_t _Nonnull thread);
extern size_t pthread_get_stacksize_np(pthread_t _Nonnull thread);
extern void pthread_yield_np(void);
extern void pthread_jit_write_protect_np(int enabled);
extern int pthread_jit_write_protect_supported_np(void);

/* quality of service */
extern int pthread_attr_set_qos_class_np(pthread_attr_t *_Nonnull attributes, qos_class_t qos_class,
                                         int relative_priority);
extern int pthread_attr_get_qos_class_np(pthread_attr_t *_Nonnull restrict attributes,
                                         qos_class_t *_Nullable restrict qos_class,
                                         int *_Nullable restrict relative_priority);
extern int pthread_set_qos_class_self_np(qos_class_t qos_class, int relative_priority);
extern int pthread_get_qos_class_np(pthread_t _Nonnull thread,
                                    qos_class_t *_Nullable restrict qos_class,
                                    int *_Nullable restrict relative_priority);

__END_DECLS

#endif
