// SPDX-License-Identifier: GPL-2.0-only
/* fio's terse output, versions 2 to 5. */
#include <csv.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "fio_terse.h"
#include "fio_value.h"
#include "json_filter.h"

#define JOBS_MAX (1U << 20)
/* The longest lines have a few hundred: nine for each disk. */
#define FIELDS_MAX 4096

/* The name that fio's client gives to the sum over its servers. */
static const char all_clients[] = "All clients";

/*
 * Fields of a line: the job, one to four directions, the rest.  A ';' in the
 * job's name shifts all that follows, so the line is found by the percentiles
 * of the first direction, twenty fields of their own shape in a row.
 */
enum {
	/* before the first direction's percentiles */
	BEFORE_GROUP = 14,
	BEFORE_ERROR = 13,
	BEFORE_DIRECTION = 12,
	/* in a direction */
	DIRECTION_KIB = 0,
	DIRECTION_RUNTIME = 3,
	DIRECTION_PERCENTILES = 12,
	PERCENTILES = 20,
	DIRECTION_WIDTH = 41,
	DIRECTION_WIDTH_5 = 47, /* terse version 5: samples and iops too */
	/* in the rest: processor, depths, latencies; disks may follow */
	REST_USER = 0,
	REST_SYSTEM = 1,
	REST_WIDTH = 34,
	DIRECTIONS_MAX = 4,
};

struct field {
	const char *text;
	size_t length;
};

struct fio_terse {
	struct csv_parser csv;
	struct arena *arena;
	struct fio_output output; /* as it grows */
	size_t job_room;
	size_t pass; /* the job with which this pass begins */
	unsigned int passes;
	unsigned long long torn;
	/* the line at hand */
	struct field fields[FIELDS_MAX];
	size_t count;
	bool too_many;
	size_t used;
	char text[JSON_FILTER_TEXT_MAX + 1]; /* its fields, with ';' behind each */
};

/* Nothing is white space, and no character ends a line: it comes alone. */
static int no_character(unsigned char c)
{
	(void)c;
	return 0;
}

struct fio_terse *fio_terse_new(void)
{
	struct fio_terse *terse = malloc(sizeof(*terse));

	if (!terse)
		return NULL;
	/* Not all of it: most of the room is never touched. */
	terse->output = (struct fio_output){ .format = FIO_TERSE };
	terse->job_room = terse->pass = 0;
	terse->passes = 0;
	terse->torn = 0;
	terse->arena = arena_new();
	if (!terse->arena) {
		free(terse);
		return NULL;
	}
	csv_init(&terse->csv, 0);
	csv_set_delim(&terse->csv, ';');
	/* fio quotes nothing; NUL is in no line that comes here. */
	csv_set_quote(&terse->csv, '\0');
	csv_set_space_func(&terse->csv, no_character);
	csv_set_term_func(&terse->csv, no_character);
	return terse;
}

void fio_terse_free(struct fio_terse *terse)
{
	if (!terse)
		return;
	csv_free(&terse->csv);
	arena_free(terse->arena);
	free(terse->output.jobs);
	free(terse);
}

unsigned long long fio_terse_torn(const struct fio_terse *terse)
{
	return terse->torn;
}

/* ---- a line's fields ---- */

static void on_field(void *text, size_t length, void *context)
{
	struct fio_terse *terse = context;
	char *copy = terse->text + terse->used;

	if (terse->count == FIELDS_MAX || length >= sizeof(terse->text) - terse->used) {
		terse->too_many = true;
		return;
	}
	memcpy(copy, text, length);
	copy[length] = ';';
	terse->fields[terse->count++] = (struct field){ .text = copy, .length = length };
	terse->used += length + 1;
}

static void on_end(int c, void *context)
{
	(void)c;
	(void)context;
}

static bool split(struct fio_terse *terse, const char *line, size_t length)
{
	terse->count = terse->used = 0;
	terse->too_many = false;
	return csv_parse(&terse->csv, line, length, on_field, on_end, terse) == length &&
	       csv_fini(&terse->csv, on_field, on_end, terse) == 0;
}

/* "99.500000%=47", "0%=0" */
static bool is_percentile(const struct field *field)
{
	const char *sign = memchr(field->text, '%', field->length);

	return sign && sign > field->text && isdigit((unsigned char)*field->text) &&
	       sign + 1 < field->text + field->length && sign[1] == '=';
}

static bool percentiles_at(const struct fio_terse *terse, size_t at)
{
	if (at + PERCENTILES > terse->count)
		return false;
	for (size_t i = 0; i < PERCENTILES; i++)
		if (!is_percentile(&terse->fields[at + i]))
			return false;
	return true;
}

/* Where the first percentiles are; 0 when there are none. */
static size_t find_percentiles(const struct fio_terse *terse, size_t from)
{
	for (size_t at = from; at + PERCENTILES <= terse->count; at++)
		if (percentiles_at(terse, at))
			return at;
	return 0;
}

static bool ends_in_percent(const struct field *field)
{
	return field->length && field->text[field->length - 1] == '%';
}

static bool number(const struct field *field, uint64_t *number)
{
	return fio_number(field->text, field->length, number);
}

/* ---- a line's meaning ---- */

static struct fio_direction direction(const struct field *fields)
{
	struct fio_direction direction = { .present = true };
	uint64_t kib = 0, runtime = 0;

	direction.sane = number(&fields[DIRECTION_KIB], &kib) &&
			 number(&fields[DIRECTION_RUNTIME], &runtime) && kib <= INT64_MAX / 1024;
	if (direction.sane) {
		direction.bytes = kib * 1024;
		direction.runtime_ms = runtime;
	}
	return direction;
}

/*
 * Read and write, trim but for version 3, and the sum of both where
 * unified_rw_reporting asks for it besides; or nothing but the sum.
 */
static void sort_directions(struct fio_job *job, unsigned int version, const struct field *fields,
			    size_t count, size_t width)
{
	size_t with_sum = version == 3 ? 3 : 4;

	if (count == 1) {
		job->mixed = direction(fields);
		return;
	}
	job->read = direction(fields);
	job->write = direction(fields + width);
	if (count == with_sum)
		job->mixed = direction(fields + (count - 1) * width);
}

static bool is_whole(const struct fio_terse *terse, size_t rest)
{
	if (rest + REST_WIDTH > terse->count)
		return false;
	return ends_in_percent(&terse->fields[rest + REST_USER]) &&
	       ends_in_percent(&terse->fields[rest + REST_SYSTEM]) &&
	       ends_in_percent(&terse->fields[rest + REST_WIDTH - 1]);
}

static int error_of(const struct field *field)
{
	uint64_t error = 0;

	return number(field, &error) && error <= INT32_MAX ? (int)error : -1;
}

/* Fills in the job; false when the line is not whole. */
static bool parse(struct fio_terse *terse, unsigned int version, struct fio_job *job)
{
	const struct field *fields = terse->fields;
	size_t name = version == 2 ? 1 : 2;
	size_t width = version == 5 ? DIRECTION_WIDTH_5 : DIRECTION_WIDTH;
	size_t first = find_percentiles(terse, name + 1 + BEFORE_GROUP);
	size_t directions = 0;
	const struct field *group;
	uint64_t group_number = 0;
	size_t rest;

	if (!first)
		return false;
	group = &fields[first - BEFORE_GROUP];
	while (directions < DIRECTIONS_MAX && percentiles_at(terse, first + directions * width))
		directions++;
	rest = first - BEFORE_DIRECTION + directions * width;
	if (!is_whole(terse, rest) || !number(group, &group_number) || group_number > UINT32_MAX)
		return false;
	job->group = group_number;
	job->error = error_of(&fields[first - BEFORE_ERROR]);
	job->user_cpu = fio_percent(fields[rest + REST_USER].text, fields[rest + REST_USER].length);
	job->system_cpu =
		fio_percent(fields[rest + REST_SYSTEM].text, fields[rest + REST_SYSTEM].length);
	sort_directions(job, version, fields + first - BEFORE_DIRECTION, directions, width);
	/* Up to the ';' before the group: the name's own are still in the text. */
	job->name =
		arena_string(terse->arena, fields[name].text, group->text - 1 - fields[name].text);
	return true;
}

/* ---- lines ---- */

/* Where a terse line begins: its start may be glued to other text. */
static const char *begin_of(const char *line, size_t length)
{
	const char *glued;

	if (length >= 2 && line[0] == '2' && line[1] == ';')
		return line;
	glued = memmem(line, length, ";fio-", 5);
	if (!glued || glued == line || glued[-1] < '3' || glued[-1] > '5')
		return NULL;
	return glued - 1;
}

static bool add_job(struct fio_terse *terse, const struct fio_job *job)
{
	struct fio_output *output = &terse->output;

	if (output->job_count == terse->job_room) {
		size_t room = terse->job_room + terse->job_room / 2 + 16;
		struct fio_job *larger = realloc(output->jobs, room * sizeof(*larger));

		if (!larger)
			return false;
		output->jobs = larger;
		terse->job_room = room;
	}
	/* --status-interval prints all groups from the first one again. */
	if (!output->job_count || job->group < output->jobs[output->job_count - 1].group) {
		terse->pass = output->job_count;
		terse->passes++;
		terse->torn = 0;
	}
	output->jobs[output->job_count++] = *job;
	return true;
}

bool fio_terse_line(struct fio_terse *terse, const char *line, size_t length,
		    unsigned long long number)
{
	const char *begin = begin_of(line, length);
	struct fio_job job = { .line = number };
	struct fio_output *output = &terse->output;
	unsigned int version;

	if (!begin)
		return true;
	length -= begin - line;
	version = *begin - '0';
	if (memchr(begin, '\0', length) || !split(terse, begin, length) || terse->too_many ||
	    output->job_count == JOBS_MAX || !parse(terse, version, &job)) {
		/* Other text may begin with "2;" as well. */
		if (!terse->torn && (version > 2 || terse->count > BEFORE_GROUP))
			terse->torn = number;
		return true;
	}
	if (!job.name || !add_job(terse, &job))
		return false;
	output->terse_version = version;
	if (version > 2)
		fio_version(output, terse->fields[1].text, terse->fields[1].length);
	return true;
}

bool fio_terse_end(struct fio_terse *terse, struct fio_output *output)
{
	struct fio_output *mine = &terse->output;
	struct fio_job *last;

	if (!mine->job_count)
		return false;
	last = &mine->jobs[mine->job_count - 1];
	/* The servers' lines come one server after another, then their sum. */
	if (mine->job_count > 1 && !strcmp(last->name, all_clients)) {
		last->all_clients = true;
		mine->client_server = true;
	} else {
		mine->job_count -= terse->pass;
		memmove(mine->jobs, mine->jobs + terse->pass, mine->job_count * sizeof(*last));
	}
	output->format = FIO_TERSE;
	output->terse_version = mine->terse_version;
	memcpy(output->version, mine->version, sizeof(output->version));
	output->major = mine->major;
	output->minor = mine->minor;
	output->patch = mine->patch;
	output->documents = mine->client_server ? 1 : terse->passes;
	output->client_server = mine->client_server;
	output->torn = terse->torn;
	output->jobs = mine->jobs;
	output->job_count = mine->job_count;
	output->memory = terse->arena;
	/* They are the output's now. */
	mine->jobs = NULL;
	terse->arena = NULL;
	return true;
}
