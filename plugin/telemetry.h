/* SPDX-License-Identifier: GPL-2.0-only */
/* Records as a file lists them (iozone -X and -Y): where, how large, how long to compute before. */
#ifndef TELEMETRY_H
#define TELEMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct telemetry_entry {
	uint64_t offset; /* in the file, bytes */
	uint64_t size;	 /* bytes, not 0 */
	uint64_t delay_ns;
	bool has_delay;
	uint64_t end; /* bytes of all the records up to this one, it included */
};

struct telemetry {
	size_t count;	  /* not 0 */
	uint64_t largest; /* bytes of the largest record */
	uint64_t extent;  /* bytes from the start of the file to the end of the last place */
	struct telemetry_entry *entries;
};

/*
 * Reads the file at path: a line a record, "offset size" or "offset size ms";
 * lines that are empty or begin with # say nothing.  NULL after putting what
 * is wrong into why; to be given to telemetry_free().
 */
struct telemetry *telemetry_read(const char *path, char *why, size_t why_size);
void telemetry_free(struct telemetry *telemetry);

/* How long to compute before a record that says so itself, or else otherwise_ns. */
uint64_t telemetry_delay_ns(const struct telemetry *telemetry, uint64_t record,
			    uint64_t otherwise_ns);

/* Bytes of the first so many records. */
uint64_t telemetry_bytes(const struct telemetry *telemetry, uint64_t records);

#endif
