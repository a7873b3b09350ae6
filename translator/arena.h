/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is given back all at once, and strings that are kept once
 * however often they come.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena;

/* NULL when there is no memory. */
struct arena *arena_new(void);

/* Gives back everything that came from the arena; NULL is fine. */
void arena_free(struct arena *arena);

/*
 * Memory of size bytes, aligned for anything, not cleared.  NULL when there
 * is none.
 */
void *arena_take(struct arena *arena, size_t size);

/*
 * The string of these bytes: the same pointer for the same bytes.  NUL bytes
 * in it become '?'.  NULL when there is no memory.
 */
const char *arena_string(struct arena *arena, const char *bytes, size_t length);

#endif
