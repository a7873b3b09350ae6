/* SPDX-License-Identifier: GPL-2.0-only */
/* iozone's histogram of latencies (-+z). */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>
#include <stdio.h>

#define HISTOGRAM_BUCKETS 40

struct histogram {
	uint64_t counts[HISTOGRAM_BUCKETS];
};

/* Counts a latency. */
void histogram_add(struct histogram *histogram, uint64_t latency_ns);

/* Writes the histogram of a child's test as iozone does. */
void histogram_write(const struct histogram *histogram, FILE *file, unsigned int child,
		     const char *operation);

struct child;

/* A step: counts the record's latency. */
int histogram_step(struct child *child);

/*
 * Adds the child's histogram to Iozone_histogram_child_<number>.txt in the
 * directory of the option.  Returns 0, or -1 after child_fail().
 */
int histogram_save(struct child *child);

#endif
