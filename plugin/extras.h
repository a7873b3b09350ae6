/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What iozone can be asked to do beside the calls of a test: locks, checks,
 * computing, mappings and so on.  A child that is asked for any of it runs the
 * careful loop; the fast loops know nothing of this.
 */
#ifndef EXTRAS_H
#define EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"

/* Does the child need the careful loop? */
bool extras_wanted(const struct child *child);

/* Why a test cannot be run with these options; NULL when it can. */
const char *extras_conflict(const struct iozone_options *options, const struct iozone_test *row);

/*
 * The stations of a child's life, in their order: before it opens its file,
 * when it has its file and its buffer, between the release and its clock, and
 * when its file is closed.  Each returns 0, or -1 after child_fail().
 */
int extras_prepare(struct child *child);
int extras_ready(struct child *child);
int extras_released(struct child *child);
int extras_finish(struct child *child);
void extras_free(struct child *child);

/* How long after the release of all the last child is released (-d). */
uint64_t extras_delay_ns(const struct child *child);

/* The loop of those who need it. */
enum turn_end careful_loop(struct child *child, uint64_t end);

#endif
