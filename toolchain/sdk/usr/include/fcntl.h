/*
 * fcntl.h: opening files; see sys/fcntl.h.
 * Facts: POSIX.1-2008, <fcntl.h>.
 */
#include <sys/fcntl.h>
