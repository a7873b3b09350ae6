// SPDX-License-Identifier: GPL-2.0-only
/* What fio's JSON means. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "arena.h"
#include "fio_json.h"
#include "fio_value.h"

/* Bounds that fio's own limits keep it below. */
#define JOBS_MAX (1U << 20)
#define OPTIONS_MAX (1U << 16)

/* The name that fio's client gives to the sum over its servers. */
static const char all_clients[] = "All clients";

/* Objects and arrays that are looked into; whatever else is passed over. */
enum place {
	PLACE_OUTSIDE,
	PLACE_DOCUMENT,
	PLACE_GLOBAL,  /* options */
	PLACE_SERVERS, /* array of the servers' options */
	PLACE_SERVER,  /* options */
	PLACE_JOBS,    /* array */
	PLACE_JOB,
	PLACE_JOB_OPTIONS,
	PLACE_DIRECTION,
};
#define PLACE_DEPTH 5

/* The value that comes next. */
enum field {
	FIELD_NONE,
	FIELD_VERSION,
	FIELD_TIMESTAMP,
	FIELD_GLOBAL,
	FIELD_JOBS,
	FIELD_CLIENTS,
	FIELD_NAME,
	FIELD_HOST,
	FIELD_PORT,
	FIELD_GROUP,
	FIELD_ERROR,
	FIELD_START,
	FIELD_ELAPSED,
	FIELD_USER,
	FIELD_SYSTEM,
	FIELD_OPTIONS,
	FIELD_READ,
	FIELD_WRITE,
	FIELD_MIXED,
	FIELD_BYTES,
	FIELD_KBYTES,
	FIELD_RUNTIME,
	FIELD_IOS,
	FIELD_OPTION,
};

struct key {
	const char *name;
	size_t length;
	enum field field;
};

#define KEY(name, field) \
	{ \
		name, sizeof(name) - 1, field \
	}
#define LAST_KEY \
	{ \
		NULL, 0, FIELD_NONE \
	}

static const struct key document_keys[] = {
	KEY("fio version", FIELD_VERSION),   KEY("timestamp", FIELD_TIMESTAMP),
	KEY("global options", FIELD_GLOBAL), KEY("jobs", FIELD_JOBS),
	KEY("client_stats", FIELD_CLIENTS),  LAST_KEY,
};

static const struct key job_keys[] = {
	KEY("jobname", FIELD_NAME),    KEY("groupid", FIELD_GROUP),
	KEY("error", FIELD_ERROR),     KEY("job_start", FIELD_START),
	KEY("elapsed", FIELD_ELAPSED), KEY("job options", FIELD_OPTIONS),
	KEY("read", FIELD_READ),       KEY("write", FIELD_WRITE),
	KEY("mixed", FIELD_MIXED),     KEY("usr_cpu", FIELD_USER),
	KEY("sys_cpu", FIELD_SYSTEM),  KEY("hostname", FIELD_HOST),
	KEY("port", FIELD_PORT),       LAST_KEY,
};

static const struct key direction_keys[] = {
	KEY("io_bytes", FIELD_BYTES),
	KEY("io_kbytes", FIELD_KBYTES),
	KEY("runtime", FIELD_RUNTIME),
	KEY("total_ios", FIELD_IOS),
	LAST_KEY,
};

static const struct key server_keys[] = {
	KEY("hostname", FIELD_HOST),
	KEY("port", FIELD_PORT),
	LAST_KEY,
};

struct option_list {
	struct fio_option_value *list;
	size_t count, room;
};

struct fio_json {
	yajl_handle parser;
	struct json_filter *filter;
	struct arena *arena;
	struct fio_output output; /* as it grows */
	size_t job_room, server_room;
	struct option_list options; /* of the object that is open */
	enum place places[PLACE_DEPTH];
	unsigned int depth;
	unsigned int passed_over; /* open objects and arrays of no interest */
	enum field field;
	const char *option; /* name of the option that comes next */
	const char *host;   /* of the server whose options are open */
	unsigned int port;
	struct fio_direction *direction; /* that is open */
	bool bytes_sane, runtime_sane;
	bool has_name, has_group; /* the job that is open */
	bool has_version, has_jobs;
	bool has_kbytes; /* io_bytes is bytes: io_kbytes is beside it */
	bool out_of_memory;
	const char *cause;
	char parser_cause[128];
};

static int refuse(struct fio_json *json, const char *cause)
{
	json->cause = cause;
	return 0;
}

static int no_memory(struct fio_json *json)
{
	json->out_of_memory = true;
	return refuse(json, "out of memory");
}

static enum place place(const struct fio_json *json)
{
	return json->depth ? json->places[json->depth - 1] : PLACE_OUTSIDE;
}

static struct fio_job *job(const struct fio_json *json)
{
	return &json->output.jobs[json->output.job_count - 1];
}

/* Room for one more in a list that grows by halves. */
static void *grown(void *list, size_t count, size_t *room, size_t size)
{
	size_t more = count + count / 2 + 16;
	void *larger;

	if (count < *room)
		return list;
	larger = realloc(list, more * size);
	if (larger)
		*room = more;
	return larger;
}

/* ---- options ---- */

static int add_option(struct fio_json *json, const char *value, size_t length)
{
	struct option_list *options = &json->options;
	const char *kept = arena_string(json->arena, value, length);
	struct fio_option_value *larger;

	if (options->count == OPTIONS_MAX)
		return refuse(json, "more than 65536 options in one list");
	larger = grown(options->list, options->count, &options->room, sizeof(*larger));
	if (!kept || !larger) {
		if (larger)
			options->list = larger;
		return no_memory(json);
	}
	options->list = larger;
	options->list[options->count++] =
		(struct fio_option_value){ .name = json->option, .value = kept };
	return 1;
}

static bool same_options(const struct fio_options *kept, const struct option_list *options)
{
	if (kept->count != options->count)
		return false;
	/* Equal strings are the same string. */
	for (size_t i = 0; i < kept->count; i++)
		if (kept->list[i].name != options->list[i].name ||
		    kept->list[i].value != options->list[i].value)
			return false;
	return true;
}

/* The options that are open, kept; those of "like" when they are the same. */
static int keep_options(struct fio_json *json, struct fio_options *kept,
			const struct fio_options *like)
{
	struct option_list *options = &json->options;
	size_t size = options->count * sizeof(*options->list);

	*kept = (struct fio_options){ 0 };
	if (!options->count)
		return 1;
	if (like && same_options(like, options)) {
		*kept = *like;
		return 1;
	}
	kept->list = arena_take(json->arena, size);
	if (!kept->list)
		return no_memory(json);
	memcpy(kept->list, options->list, size);
	kept->count = options->count;
	return 1;
}

static int keep_job_options(struct fio_json *json)
{
	/* numjobs children of one section have the same ones. */
	const struct fio_options *like = json->output.job_count > 1 ? &job(json)[-1].options : NULL;

	return keep_options(json, &job(json)->options, like);
}

static int keep_server_options(struct fio_json *json)
{
	struct fio_output *output = &json->output;
	struct fio_host_options *larger;

	larger = grown(output->host_global, output->host_global_count, &json->server_room,
		       sizeof(*larger));
	if (!larger)
		return no_memory(json);
	output->host_global = larger;
	larger += output->host_global_count++;
	larger->host = json->host;
	larger->port = json->port;
	return keep_options(json, &larger->options, NULL);
}

/* ---- jobs ---- */

static unsigned long long line(struct fio_json *json)
{
	if (!json->filter)
		return 0;
	return json_filter_place(json->filter, yajl_get_bytes_consumed(json->parser)).line;
}

static int begin_job(struct fio_json *json)
{
	struct fio_output *output = &json->output;
	struct fio_job *larger;

	if (output->job_count == JOBS_MAX)
		return refuse(json, "more than 1048576 jobs");
	larger = grown(output->jobs, output->job_count, &json->job_room, sizeof(*larger));
	if (!larger)
		return no_memory(json);
	output->jobs = larger;
	output->jobs[output->job_count++] = (struct fio_job){ .line = line(json) };
	json->has_name = json->has_group = false;
	return 1;
}

static int end_job(struct fio_json *json)
{
	const struct fio_job *ended = job(json);

	if (!json->has_name)
		return refuse(json, "a job without a \"jobname\"");
	if (!json->has_group)
		return refuse(json, "a job without a \"groupid\"");
	if (!ended->read.present && !ended->write.present && !ended->mixed.present)
		return refuse(json, "a job without \"read\", \"write\" and \"mixed\"");
	return 1;
}

static int name_job(struct fio_json *json, const char *name, size_t length)
{
	const char *kept = arena_string(json->arena, name, length);

	if (!kept)
		return no_memory(json);
	/*
	 * The name comes first in each job of fio's.  Where another one comes,
	 * it is another job's, and so are the figures behind it.
	 */
	if (json->has_name && job(json)->name != kept) {
		*job(json) = (struct fio_job){ .line = job(json)->line };
		json->has_group = false;
	}
	job(json)->name = kept;
	json->has_name = true;
	return 1;
}

static struct fio_direction *direction_of(const struct fio_json *json, enum field field)
{
	switch (field) {
	case FIELD_READ:
		return &job(json)->read;
	case FIELD_WRITE:
		return &job(json)->write;
	case FIELD_MIXED:
		return &job(json)->mixed;
	default:
		return NULL;
	}
}

static void begin_direction(struct fio_json *json)
{
	json->direction = direction_of(json, json->field);
	*json->direction = (struct fio_direction){ .present = true };
	json->bytes_sane = json->runtime_sane = false;
}

/* Where figures should be, there is null or worse. */
static void spoil_direction(struct fio_json *json, enum field field)
{
	*direction_of(json, field) = (struct fio_direction){ .present = true };
}

static void end_direction(struct fio_json *json)
{
	json->direction->sane = json->bytes_sane && json->runtime_sane;
	json->direction = NULL;
}

/* ---- values ---- */

enum kind { KIND_STRING, KIND_NUMBER, KIND_WORD /* null, true, false */ };

/* A value that is neither object nor array. */
struct value {
	enum kind kind;
	const char *text;
	size_t length;
	bool sane;	 /* it is a number that fio can have counted */
	uint64_t number; /* which; 0 otherwise */
};

static int document_value(struct fio_json *json, enum field field, const struct value *value)
{
	if (field == FIELD_VERSION) {
		json->has_version = value->kind == KIND_STRING;
		if (json->has_version)
			fio_version(&json->output, value->text, value->length);
	} else if (field == FIELD_TIMESTAMP) {
		json->output.timestamp = value->number;
	}
	return 1;
}

static int server_value(struct fio_json *json, enum field field, const struct value *value)
{
	if (field == FIELD_PORT) {
		json->port = value->number <= UINT16_MAX ? value->number : 0;
		return 1;
	}
	if (field != FIELD_HOST)
		return add_option(json, value->text, value->length);
	json->host = arena_string(json->arena, value->text, value->length);
	return json->host ? 1 : no_memory(json);
}

static int job_value(struct fio_json *json, enum field field, const struct value *value)
{
	struct fio_job *open = job(json);

	switch (field) {
	case FIELD_NAME:
		if (value->kind != KIND_STRING)
			return refuse(json, "a \"jobname\" that is no string");
		return name_job(json, value->text, value->length);
	case FIELD_HOST:
		open->host = arena_string(json->arena, value->text, value->length);
		return open->host ? 1 : no_memory(json);
	case FIELD_PORT:
		open->port = value->number <= UINT16_MAX ? value->number : 0;
		break;
	case FIELD_GROUP:
		json->has_group = value->sane && value->number <= UINT32_MAX;
		open->group = json->has_group ? value->number : 0;
		break;
	case FIELD_ERROR:
		open->error = value->sane && value->number <= INT32_MAX ? (int)value->number : -1;
		break;
	case FIELD_START:
		/* The client's sum of several servers has a zero. */
		open->has_start = value->number > 0;
		open->start_ms = value->number;
		break;
	case FIELD_ELAPSED:
		open->elapsed_s = value->number;
		break;
	case FIELD_USER:
		open->user_cpu = fio_percent(value->text, value->length);
		break;
	case FIELD_SYSTEM:
		open->system_cpu = fio_percent(value->text, value->length);
		break;
	case FIELD_READ:
	case FIELD_WRITE:
	case FIELD_MIXED:
		spoil_direction(json, field);
		break;
	default:
		break;
	}
	return 1;
}

static int direction_value(struct fio_json *json, enum field field, const struct value *value)
{
	struct fio_direction *open = json->direction;

	switch (field) {
	case FIELD_BYTES:
		json->bytes_sane = value->sane;
		open->bytes = value->number;
		break;
	case FIELD_KBYTES:
		json->has_kbytes = true;
		break;
	case FIELD_RUNTIME:
		json->runtime_sane = value->sane;
		open->runtime_ms = value->number;
		break;
	case FIELD_IOS:
		open->ios_known = value->sane;
		open->ios = value->number;
		break;
	default:
		break;
	}
	return 1;
}

/* Most values are of no use; what is no job among the jobs is no use either, but wrong. */
static bool is_of_use(const struct fio_json *json)
{
	return !json->passed_over && (json->field != FIELD_NONE || place(json) == PLACE_JOBS);
}

static int take(struct fio_json *json, const struct value *value)
{
	enum field field = json->field;

	json->field = FIELD_NONE;
	switch (place(json)) {
	case PLACE_DOCUMENT:
		return document_value(json, field, value);
	case PLACE_GLOBAL:
	case PLACE_JOB_OPTIONS:
		return add_option(json, value->text, value->length);
	case PLACE_SERVER:
		return server_value(json, field, value);
	case PLACE_JOBS:
		return refuse(json, "an entry among the jobs that is no job");
	case PLACE_JOB:
		return job_value(json, field, value);
	case PLACE_DIRECTION:
		return direction_value(json, field, value);
	default:
		return 1;
	}
}

/* ---- the parser's events ---- */

static int on_word(struct fio_json *json)
{
	/* As an option's value: an option without one. */
	const struct value value = { .kind = KIND_WORD, .text = "" };

	return is_of_use(json) ? take(json, &value) : 1;
}

static int on_null(void *context)
{
	return on_word(context);
}

static int on_boolean(void *context, int is_true)
{
	(void)is_true;
	return on_word(context);
}

static int on_number(void *context, const char *text, size_t length)
{
	struct fio_json *json = context;
	struct value value = { .kind = KIND_NUMBER, .text = text, .length = length };

	if (!is_of_use(json))
		return 1;
	value.sane = fio_number(text, length, &value.number);
	return take(json, &value);
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	struct fio_json *json = context;
	const struct value value = {
		.kind = KIND_STRING,
		.text = (const char *)text,
		.length = length,
	};

	return is_of_use(json) ? take(json, &value) : 1;
}

static enum field field_named(const struct key *keys, const char *name, size_t length)
{
	while (keys->name && (keys->length != length || memcmp(keys->name, name, length) != 0))
		keys++;
	return keys->field;
}

static int on_key(void *context, const unsigned char *text, size_t length)
{
	struct fio_json *json = context;
	const char *name = (const char *)text;

	if (json->passed_over)
		return 1;
	switch (place(json)) {
	case PLACE_DOCUMENT:
		json->field = field_named(document_keys, name, length);
		return 1;
	case PLACE_JOB:
		json->field = field_named(job_keys, name, length);
		return 1;
	case PLACE_DIRECTION:
		json->field = field_named(direction_keys, name, length);
		return 1;
	case PLACE_SERVER:
		json->field = field_named(server_keys, name, length);
		if (json->field != FIELD_NONE)
			return 1;
		break;
	default:
		break;
	}
	json->field = FIELD_OPTION;
	json->option = arena_string(json->arena, name, length);
	return json->option ? 1 : no_memory(json);
}

/* Where an object or array leads that begins here. */
static enum place entered(const struct fio_json *json, bool array)
{
	switch (place(json)) {
	case PLACE_OUTSIDE:
		return array ? PLACE_OUTSIDE : PLACE_DOCUMENT;
	case PLACE_DOCUMENT:
		if (json->field == FIELD_GLOBAL)
			return array ? PLACE_SERVERS : PLACE_GLOBAL;
		if (array && (json->field == FIELD_JOBS || json->field == FIELD_CLIENTS))
			return PLACE_JOBS;
		return PLACE_OUTSIDE;
	case PLACE_SERVERS:
		return array ? PLACE_OUTSIDE : PLACE_SERVER;
	case PLACE_JOBS:
		return array ? PLACE_OUTSIDE : PLACE_JOB;
	case PLACE_JOB:
		if (!array && json->field == FIELD_OPTIONS)
			return PLACE_JOB_OPTIONS;
		if (!array && direction_of(json, json->field))
			return PLACE_DIRECTION;
		return PLACE_OUTSIDE;
	default:
		return PLACE_OUTSIDE;
	}
}

/* A key that is there twice counts the second time, all of it. */
static int begin_place(struct fio_json *json, enum place entered)
{
	struct fio_output *output = &json->output;

	switch (entered) {
	case PLACE_SERVERS:
	case PLACE_GLOBAL:
		output->host_global_count = 0;
		output->global = (struct fio_options){ 0 };
		json->options.count = 0;
		return 1;
	case PLACE_SERVER:
		json->host = NULL;
		json->port = 0;
		json->options.count = 0;
		return 1;
	case PLACE_JOBS:
		json->has_jobs = true;
		output->client_server = json->field == FIELD_CLIENTS;
		output->job_count = 0;
		return 1;
	case PLACE_JOB:
		return begin_job(json);
	case PLACE_JOB_OPTIONS:
		json->options.count = 0;
		return 1;
	case PLACE_DIRECTION:
		begin_direction(json);
		return 1;
	default:
		return 1;
	}
}

static int begin(struct fio_json *json, bool array)
{
	enum place next;

	if (json->passed_over) {
		json->passed_over++;
		return 1;
	}
	next = entered(json, array);
	if (next == PLACE_OUTSIDE) {
		if (place(json) == PLACE_JOBS)
			return refuse(json, "an entry among the jobs that is no job");
		if (place(json) == PLACE_JOB && direction_of(json, json->field))
			spoil_direction(json, json->field);
		json->passed_over = 1;
		return 1;
	}
	if (!begin_place(json, next))
		return 0;
	json->places[json->depth++] = next;
	json->field = FIELD_NONE;
	return 1;
}

static int end(void *context)
{
	struct fio_json *json = context;
	enum place left;

	if (json->passed_over) {
		json->passed_over--;
		return 1;
	}
	left = place(json);
	json->depth--;
	json->field = FIELD_NONE;
	switch (left) {
	case PLACE_GLOBAL:
		return keep_options(json, &json->output.global, NULL);
	case PLACE_SERVER:
		return keep_server_options(json);
	case PLACE_JOB_OPTIONS:
		return keep_job_options(json);
	case PLACE_DIRECTION:
		end_direction(json);
		return 1;
	case PLACE_JOB:
		return end_job(json);
	default:
		return 1;
	}
}

static int on_start_map(void *context)
{
	return begin(context, false);
}

static int on_start_array(void *context)
{
	return begin(context, true);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_start_map,
	.yajl_map_key = on_key,
	.yajl_end_map = end,
	.yajl_start_array = on_start_array,
	.yajl_end_array = end,
};

/* ---- the document ---- */

bool fio_json_wants(unsigned int depth, const char *key, size_t length)
{
	switch (depth) {
	case 1:
		return field_named(document_keys, key, length) != FIELD_NONE;
	case 3:
		return field_named(job_keys, key, length) != FIELD_NONE;
	default:
		return false;
	}
}

struct fio_json *fio_json_new(struct json_filter *filter)
{
	struct fio_json *json = calloc(1, sizeof(*json));

	if (!json)
		return NULL;
	json->filter = filter;
	json->arena = arena_new();
	json->parser = yajl_alloc(&callbacks, NULL, json);
	if (!json->arena || !json->parser) {
		fio_json_free(json);
		return NULL;
	}
	/* Paths and job names are bytes of whatever encoding. */
	yajl_config(json->parser, yajl_dont_validate_strings, 1);
	return json;
}

void fio_json_free(struct fio_json *json)
{
	if (!json)
		return;
	if (json->parser)
		yajl_free(json->parser);
	free(json->options.list);
	free(json->output.jobs);
	free(json->output.host_global);
	arena_free(json->arena);
	free(json);
}

/* Why the parser refused, in its words, without the newline behind them. */
static const char *parser_cause(struct fio_json *json)
{
	unsigned char *words = yajl_get_error(json->parser, 0, NULL, 0);

	snprintf(json->parser_cause, sizeof(json->parser_cause), "%s",
		 words ? (char *)words : "not JSON");
	json->parser_cause[strcspn(json->parser_cause, "\n")] = '\0';
	if (words)
		yajl_free_error(json->parser, words);
	return json->parser_cause;
}

bool fio_json_bytes(struct fio_json *json, const char *bytes, size_t length, size_t *bad)
{
	size_t consumed;

	if (yajl_parse(json->parser, (const unsigned char *)bytes, length) == yajl_status_ok)
		return true;
	consumed = yajl_get_bytes_consumed(json->parser);
	/* It has read the byte that it does not like. */
	*bad = consumed > length ? length - 1 : consumed ? consumed - 1 : 0;
	if (!json->cause)
		json->cause = parser_cause(json);
	return false;
}

const char *fio_json_cause(const struct fio_json *json)
{
	return json->cause;
}

bool fio_json_out_of_memory(const struct fio_json *json)
{
	return json->out_of_memory;
}

bool fio_json_is_fios(const struct fio_json *json)
{
	return json->has_version;
}

/* How many bytes io_bytes counts, by version; 0 when nothing tells. */
static unsigned int unit(const struct fio_json *json)
{
	const struct fio_output *output = &json->output;

	/* Up to 2.20 it is KiB, and there is no io_kbytes. */
	if (json->has_kbytes)
		return 1;
	if (!output->major)
		return 0;
	return output->major > 2 || output->minor >= 21 ? 1 : 1024;
}

static void scale(struct fio_direction *direction, unsigned int unit)
{
	if (!unit || direction->bytes > INT64_MAX / unit) {
		direction->sane = false;
		direction->bytes = 0;
	}
	direction->bytes *= unit;
}

static void finish_jobs(struct fio_json *json)
{
	unsigned int bytes = unit(json);

	for (size_t i = 0; i < json->output.job_count; i++) {
		struct fio_job *finished = &json->output.jobs[i];

		finished->all_clients =
			json->output.client_server && !strcmp(finished->name, all_clients);
		scale(&finished->read, bytes);
		scale(&finished->write, bytes);
		scale(&finished->mixed, bytes);
	}
}

bool fio_json_end(struct fio_json *json, struct fio_output *output)
{
	struct fio_output *mine = &json->output;

	if (yajl_complete_parse(json->parser) != yajl_status_ok)
		return refuse(json, json->cause ? json->cause : parser_cause(json));
	if (!json->has_version)
		return refuse(json, "JSON, but not fio's: there is no \"fio version\" in it");
	if (!json->has_jobs)
		return refuse(json, "there are no \"jobs\" in fio's JSON");
	finish_jobs(json);
	output->format = FIO_JSON;
	output->terse_version = 0;
	memcpy(output->version, mine->version, sizeof(output->version));
	output->major = mine->major;
	output->minor = mine->minor;
	output->patch = mine->patch;
	output->timestamp = mine->timestamp;
	output->client_server = mine->client_server;
	output->global = mine->global;
	output->host_global = mine->host_global;
	output->host_global_count = mine->host_global_count;
	output->jobs = mine->jobs;
	output->job_count = mine->job_count;
	output->memory = json->arena;
	/* They are the output's now. */
	mine->host_global = NULL;
	mine->jobs = NULL;
	json->arena = NULL;
	return true;
}
