// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffer through which all of a child's records go: where iozone has it
 * and with what iozone has in it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "careful.h"

/* iozone's largest record; its buffer area is that and a processor cache more. */
#define AREA (16u << 20)

/*
 * iozone's buffer is zero at first.  Its parent touches the start of it, a
 * byte every cache line, when the children of its first write test are on
 * their way: all processes that it starts later have these bytes in their
 * copy.  Then the buffer is filled as the first record.
 */
static void fill_buffer(const struct child *child, bool touched)
{
	const struct extras *extras = child->extras;
	size_t line = child->options->cache_line;
	size_t lines = touched ? child->record / line : 0;

	memset(child->buffer, 0, child->record);
	for (size_t i = 0; i < lines; i++)
		child->buffer[i * line] = CONTENTS_DEFAULT_BYTE;
	if (extras && extras->contents.kind != CONTENTS_LEFT)
		contents_fill(&extras->contents, child->buffer, child->record, 0);
	else
		contents_fill(&contents_default, child->buffer, child->record, 0);
}

/* Neighbours among the writers use different parts of the processor's cache. */
static size_t place_in_area(const struct child *child)
{
	size_t places = child->options->cache_size / child->record;

	if (child->part->stop != STOP_TAIL || places < 2)
		return 0;
	return child->number % places * child->record;
}

int child_buffer(struct child *child)
{
	size_t cache = child->options->cache_size;
	size_t area = child->record > AREA ? child->record : AREA;
	size_t place = place_in_area(child);
	uintptr_t start;

	if (area < cache)
		area = cache;
	child->allocation = malloc(area + cache);
	if (!child->allocation)
		return child_fail(child, ENOMEM, 0, "malloc");
	start = ((uintptr_t)child->allocation + cache) & ~(uintptr_t)(cache - 1);
	child->buffer = (char *)start + place;
	fill_buffer(child, child->after_write && !child->thread && !place);
	return 0;
}
