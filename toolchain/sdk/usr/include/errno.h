/*
 * errno.h: the thread's error number; see sys/errno.h.
 * Facts: C11 7.5; POSIX.1-2008, <errno.h>.
 */
#include <sys/errno.h>
