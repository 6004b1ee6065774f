/*
 * Purpose: end the processes that a child started and left behind, also those
 *     that left its process group.
 *
 * Layer: port. Part of child.c.
 *
 * Calling sequence: orphans_adopt() before the first child is made;
 *     orphans_end() when every child has been waited for: whatever is our child
 *     then was left by one.
 *
 * Errors: none; where the system has no such thing (it is Linux's), nothing is done.
 */
#ifndef HALLMARK_PORT_CHILD_ORPHANS_H
#define HALLMARK_PORT_CHILD_ORPHANS_H

/* From now on processes whose parent ended become ours instead of init's. */
void orphans_adopt(void);

/* Kills and waits for all of them. */
void orphans_end(void);

#endif
