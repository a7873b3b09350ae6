/* SPDX-License-Identifier: GPL-2.0-only */
/* What is put together in an arena: texts by a format, memory all zeros. */
#ifndef ARENA_TEXT_H
#define ARENA_TEXT_H

#include "arena.h"

/* A text as printf makes it; NULL when memory is short. */
const char *arena_print(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* count things of size bytes, all zeros; NULL when memory is short. */
void *arena_zeros(struct arena *arena, size_t count, size_t size);

#endif
