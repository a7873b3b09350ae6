/* SPDX-License-Identifier: GPL-2.0-only */
/* Unmounts and mounts a file system again, so that the client's cache is empty. */
#ifndef REMOUNT_H
#define REMOUNT_H

#include <stddef.h>

struct place;

/*
 * Can directory be unmounted and mounted again?  Changes nothing.  Leaves in
 * *place what remount() needs.  Returns 0, or -1 after putting the reason
 * into why.
 */
int remount_possible(const char *directory, struct place *place, char *why, size_t why_size);

/* Does it.  Returns 0, or -1 after putting the reason into why. */
int remount(const struct place *place, char *why, size_t why_size);

#endif
