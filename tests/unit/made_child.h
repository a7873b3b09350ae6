/* SPDX-License-Identifier: GPL-2.0-only */
/* A child without a fio: for tests of its buffer, its loops and its file. */
#ifndef MADE_CHILD_H
#define MADE_CHILD_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "extras.h"
#include "meet.h"
#include "shuffle.h"

#define CHILD_RECORD 4096
#define CHILD_RECORDS 8

struct made_child {
	struct child child;
	struct iozone_options options;
	char path[64];
};

/* What fio's parser puts there by itself. */
static inline void made_options(struct iozone_options *options)
{
	*options = (struct iozone_options){
		.stonewall = 1,
		.stride = 17,
		.cache_size = 1 << 20,
		.cache_line = 32,
		.recreate = 1,
	};
}

static inline int made_flags(const struct iozone_test *row)
{
	if (!row->writes)
		return O_RDONLY;
	return row->id == TEST_REWRITE ? O_RDWR : O_RDWR | O_CREAT;
}

/* The options may still be changed; made_start() is what looks at them. */
static inline void made_child(struct made_child *made, enum iozone_test_id test)
{
	struct child *child = &made->child;

	memset(child, 0, sizeof(*child));
	made_options(&made->options);
	child->row = child->part = iozone_test_row(test);
	child->options = &made->options;
	child->path = made->path;
	child->record = CHILD_RECORD;
	child->count = CHILD_RECORDS;
	child->children = 4;
	child->meet = meet_create(child->children);
	child->stop = &child->meet->stop;
	child->fd = -1;
	child->open_flags = made_flags(child->row);
}

/* Up to the first record.  Returns 0, or -1: then child.failure says why. */
static inline int made_start(struct made_child *made)
{
	struct child *child = &made->child;

	child->loop = choose_loop(child);
	child->medium = choose_medium(child);
	if (extras_prepare(child) || child->medium->open(child))
		return -1;
	child->opened = true;
	if (child_buffer(child) || extras_ready(child))
		return -1;
	if (child->part->access == ACCESS_SHUFFLED)
		child->order = shuffled_records(child->count);
	if (extras_released(child))
		return -1;
	child->clock_runs = true;
	return 0;
}

static inline void made_end(struct made_child *made)
{
	struct child *child = &made->child;

	if (child->opened)
		child->medium->finish(child);
	extras_finish(child);
	extras_free(child);
	free((void *)(uintptr_t)child->order);
	free(child->stdio_buffer);
	free(child->allocation);
	meet_destroy(child->meet);
}

/* An empty file of its own for the child. */
static inline int made_path(struct made_child *made)
{
	int fd;

	strcpy(made->path, "/tmp/made-child-XXXXXX");
	fd = mkstemp(made->path);
	return fd < 0 ? -1 : close(fd);
}

/* Runs the whole of another test on the same file. */
static inline int made_run(struct made_child *made, enum iozone_test_id test)
{
	struct made_child other = *made;
	enum turn_end end = TURN_FAILED;

	made_child(&other, test);
	other.options = made->options;
	if (!made_start(&other))
		end = other.child.loop(&other.child, other.child.count);
	made_end(&other);
	return end == TURN_DONE ? 0 : -1;
}

#endif
