// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffer through which all of a child's records go: where iozone has it
 * and with what iozone has in it.
 */
#include "child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* iozone's largest record; its buffer area is that and a processor cache more. */
#define AREA (16u << 20)
#define PAGE 4096u
#define FILL 0x5f
#define PAGE_MARK 8

/*
 * Eight bytes of FILL begin each page, the rest is zero.  iozone's parent also
 * touches the start of its buffer area, a byte every cache line, when the
 * children of its first write test are on their way: all processes that it
 * starts later have these bytes in their copy.
 */
static void fill_default(const struct child *child, bool touched)
{
	char *buffer = child->buffer;
	size_t bytes = child->record;

	memset(buffer, 0, bytes);
	for (size_t at = 0; touched && at < bytes; at += child->options->cache_line)
		buffer[at] = FILL;
	for (size_t at = 0; at < bytes; at += PAGE)
		memset(buffer + at, FILL, bytes - at < PAGE_MARK ? bytes - at : PAGE_MARK);
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
	fill_default(child, child->after_write && !child->thread && !place);
	return 0;
}
