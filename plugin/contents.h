/* SPDX-License-Identifier: GPL-2.0-only */
/* What is in a record: filling it before it is written, checking it after it is read. */
#ifndef CONTENTS_H
#define CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum contents_kind {
	CONTENTS_LEFT,	/* what child_buffer() put there; nothing is checked */
	CONTENTS_PAGES, /* the first eight bytes of each page (iozone's default) */
	CONTENTS_BYTE,	/* one byte throughout (-V) */
	CONTENTS_WORDS, /* words that differ from record to record (-+d) */
	CONTENTS_DEDUP, /* partly the same in all records or files (-+w); not checked */
};

struct dedup;

struct contents {
	enum contents_kind kind;
	unsigned char byte; /* of CONTENTS_PAGES and CONTENTS_BYTE */
	size_t line;	    /* bytes; a record is filled by whole lines of this size */
	unsigned int child; /* whose words they are */
	struct dedup *dedup;
};

/* A byte that is not what it should be. */
struct mismatch {
	size_t at; /* in the record */
	unsigned char found, expected;
};

/* iozone's own byte, and how much of each page it marks with it. */
#define CONTENTS_DEFAULT_BYTE 0x5f
#define CONTENTS_PAGE 4096
#define CONTENTS_MARK 8

/* What iozone writes when it is asked for nothing else. */
extern const struct contents contents_default;

/* Fills size bytes as the record of this number (from 0, by its place in the file). */
void contents_fill(const struct contents *contents, char *record, size_t size, uint64_t number);

/* True when the record is as it should be; else the first wrong byte is in *mismatch. */
bool contents_check(const struct contents *contents, const char *record, size_t size,
		    uint64_t number, struct mismatch *mismatch);

#endif
