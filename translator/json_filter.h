/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes what fio printed apart into JSON documents and the text around them,
 * and makes of each document JSON that a strict parser accepts.
 *
 * fio prints warnings, banners and progress before its JSON, normal or terse
 * output after it, and one document after another with --status-interval.  In
 * a document it leaves control characters in strings as they are, in old
 * versions backslashes too, and prints what is not a number as nan and inf.
 */
#ifndef JSON_FILTER_H
#define JSON_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Bounds that no output of fio comes near.  The first one also sets the size
 * of the buffer: a fuzzer makes it small, and the longest number with it.
 */
#ifndef JSON_FILTER_STRING_MAX
#define JSON_FILTER_STRING_MAX 65536 /* bytes of a string in a document */
#endif
#define JSON_FILTER_TEXT_MAX JSON_FILTER_STRING_MAX /* of a line of text: the rest is left out */
#ifndef JSON_FILTER_NUMBER_MAX
#define JSON_FILTER_NUMBER_MAX 1024 /* bytes of a number: longer ones may be refused */
#endif
#define JSON_FILTER_DEPTH_MAX 64 /* of objects and arrays in each other */

/* Where in the stream something is; both count from 1. */
struct json_place {
	unsigned long long line;
	unsigned long long byte;
};

/* Who takes the parts of the stream, in their order. */
struct json_filter_sink {
	/*
	 * A line of text, or the part of one before or after a document.  Line
	 * feeds and carriage returns end lines and are not in it; empty lines
	 * are left out.  bytes has room for JSON_FILTER_TEXT_MAX of them.
	 */
	void (*text)(void *context, const char *bytes, size_t length, unsigned long long line);

	/* A document begins; nothing says yet that it is one of fio's. */
	void (*begin)(void *context, struct json_place place);

	/*
	 * Some of the document's bytes: no token is split, but for strings.
	 * Returns true; or false when a byte makes no sense, its number from 0
	 * in *bad: that is the document's end, and broken() follows.
	 */
	bool (*bytes)(void *context, const char *bytes, size_t length, size_t *bad);

	/*
	 * Whether bytes() has to see what is in the object or array that is the
	 * value of a key; depth is the number of objects and arrays around it,
	 * from 1.  If not, bytes() sees an empty one, and what was in it has been
	 * looked at only to find its end.  NULL: everything is wanted.
	 */
	bool (*wants)(void *context, unsigned int depth, const char *key, size_t length);

	/* The document has ended with its closing brace. */
	void (*end)(void *context);

	/*
	 * The document has ended some other way, for what cause says; NULL is
	 * what bytes() refused.
	 */
	void (*broken)(void *context, struct json_place place, const char *cause);

	void *context;
};

/* Where the stream comes from: like read(2), but that source stands for fd. */
typedef ssize_t json_filter_read(void *source, void *buffer, size_t size);

struct json_filter;

/* NULL when there is no memory. */
struct json_filter *json_filter_new(json_filter_read *read, void *source,
				    const struct json_filter_sink *sink);

void json_filter_free(struct json_filter *filter);

/* Reads the stream to its end.  Returns 0, or the errno of the read. */
int json_filter_run(struct json_filter *filter);

/* For the sink: ends the reading, and nothing more is called. */
void json_filter_stop(struct json_filter *filter);

/* For the sink's bytes(): the place of one of the bytes that it has. */
struct json_place json_filter_place(struct json_filter *filter, size_t offset);

#endif
