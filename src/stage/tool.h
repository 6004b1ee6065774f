/*
 * Purpose: how the tools of a toolchain run: in a closed environment, in the tree of the revision,
 *     held to scratch space and the toolchain's own files where the kernel can.
 *
 * Layer: stage; used by the compile stage and by the witnesses.
 *
 * Calling sequence:
 *         own_tool_room struct tool_room room = {0};
 *         tool_room_open(&room, release);            the pin is proven, scratch space is there
 *         tool_terminate(&words);
 *         struct child child = tool_child(&room, release, &words);
 *         child_run(&child, &fail)
 *
 * Ownership: the room owns its lists; children borrow from it and from their words.
 *
 * Errors: none here; those of port/child.h.
 *
 * Determinism: the environment is a function of the release's commit time and of where scratch
 *     space and Apple's directories are. tool_record_environment() gives the same with $WORK,
 *     $DEVELOPER_DIR and $SDK in the place of these directories.
 *
 * Apple's tools find each other through DEVELOPER_DIR and SDKROOT: both are what the pin proved,
 * and nothing of TOOLCHAINS, xcode-select or the caller's own variables reaches them.
 */
#ifndef HALLMARK_STAGE_TOOL_H
#define HALLMARK_STAGE_TOOL_H

#include "port/child.h"
#include "stage/release.h"

/* Every list ends with a NULL that its count leaves out. */
struct tool_room {
    char *directory;
    struct prov_list environment;
    struct prov_list writable;
    struct prov_list readable;
};

#define own_tool_room __attribute__((cleanup(tool_room_release)))
void tool_room_open(struct tool_room *room, const struct release *release);
void tool_room_release(struct tool_room *room);

/* Puts a NULL behind the last word, as argv wants it. */
void tool_terminate(struct prov_list *list);

/* A run of words->list[0]. */
struct child tool_child(const struct tool_room *room, const struct release *release,
                        const struct prov_list *words);

/* The complete environment, as the record shows it. */
void tool_record_environment(struct prov_list *recorded, const struct release *release);

/* The name of a program without its folders. */
const char *tool_name(const char *path);

#endif
