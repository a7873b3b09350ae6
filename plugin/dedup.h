/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of which a known share is the same in all records or files: iozone -+w, -+y, -+C. */
#ifndef DEDUP_H
#define DEDUP_H

#include <stddef.h>
#include <stdint.h>

struct dedup;

/* Shares in per cent, 0 .. 100. */
struct dedup_shares {
	unsigned int across; /* of a record: the same in the other files (-+w) */
	unsigned int within; /* of that: the same in the other records too (-+y) */
	unsigned int own;    /* of that: in the records of the same file only (-+C) */
};

/*
 * For records of size bytes in files of so many records.  NULL when there is
 * no memory; to be given to dedup_free().
 */
struct dedup *dedup_new(const struct dedup_shares *shares, size_t size, uint64_t records,
			unsigned int child);
void dedup_free(struct dedup *dedup);

/* Fills the record of this number, as far as iozone does: about half of it stays as it was. */
void dedup_fill(const struct dedup *dedup, char *record, uint64_t number);

#endif
