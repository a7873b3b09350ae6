/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fio's JSON means, from version 2.0.10 on: the documents that the
 * filter finds become a struct fio_output.
 */
#ifndef FIO_JSON_H
#define FIO_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "fio_output.h"
#include "json_filter.h"

/* A document that is being read. */
struct fio_json;

/*
 * A document begins.  The filter is asked for the lines of the jobs; NULL:
 * they are not told.  NULL when there is no memory.
 */
struct fio_json *fio_json_new(struct json_filter *filter);

/* NULL is fine. */
void fio_json_free(struct fio_json *json);

/* Whether a part of a document matters: see struct json_filter_sink. */
bool fio_json_wants(unsigned int depth, const char *key, size_t length);

/*
 * Some of its bytes.  Returns true; or false when one of them makes no sense,
 * its number from 0 in *bad: fio_json_cause() then says why.
 */
bool fio_json_bytes(struct fio_json *json, const char *bytes, size_t length, size_t *bad);

/* Why fio_json_bytes() or fio_json_end() refused. */
const char *fio_json_cause(const struct fio_json *json);

/* Whether it was for want of memory. */
bool fio_json_out_of_memory(const struct fio_json *json);

/* Whether something in it so far is only in fio's JSON. */
bool fio_json_is_fios(const struct fio_json *json);

/*
 * The document has ended.  When it is a result of fio's, all of it goes into
 * output but the name and what the text around tells; the caller frees it.
 * Returns true; or false with output as it was.
 */
bool fio_json_end(struct fio_json *json, struct fio_output *output);

#endif
