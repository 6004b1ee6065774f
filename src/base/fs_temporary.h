/*
 * Purpose: the list of temporaries that exist right now, so that a process which
 *     has to end at once (own_stop()) still leaves none behind. In the
 *     ordinary course, failures and signals included, their owners remove them.
 *
 * Layer: base; private to fs*.c.
 *
 * Calling sequence: the number that fs_temporary_add() gives is handed to
 *     fs_temporary_drop() when the thing is published or removed. -1 (no room, or
 *     dropped already) may be dropped too. Safe from several threads.
 */
#ifndef HALLMARK_BASE_FS_TEMPORARY_H
#define HALLMARK_BASE_FS_TEMPORARY_H

/* `name` below `dir_fd` (AT_FDCWD with an absolute path); both must live until the drop. */
int fs_temporary_add(int dir_fd, const char *name);
/* Sets *number to -1. */
void fs_temporary_drop(int *number);

#endif
