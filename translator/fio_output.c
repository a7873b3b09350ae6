// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads what fio printed, in one pass and whatever it is: the documents go to
 * the JSON reader, the lines around them to the terse reader and here.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "fio_json.h"
#include "fio_output.h"
#include "fio_terse.h"
#include "json_filter.h"
#include "message.h"

/* Why a document is not the result, and where that shows. */
struct fault {
	struct json_place place; /* line 0: there is none */
	char cause[160];
};

struct reading {
	struct json_filter *filter;
	struct fio_json *json; /* the document that is open */
	struct fio_terse *terse;
	struct fio_output result; /* the last whole document */
	struct json_place begun;  /* the document that is open */
	struct fault broken;	  /* the last document of fio's that is not whole */
	struct fault foreign;	  /* the last one that is not fio's */
	unsigned long long torn;  /* "broken" came after the result */
	unsigned int documents;
	unsigned int killed;
	bool interrupted;
	bool normal; /* there is normal output */
	bool utf16;
	bool out_of_memory;
	unsigned long long first_line; /* that is not empty */
	unsigned long long said_line;
	char said[160]; /* the first thing that fio complained of */
};

/* ---- text ---- */

static bool has(const char *line, size_t length, const char *words)
{
	return memmem(line, length, words, strlen(words));
}

static bool begins_with(const char *line, size_t length, const char *words)
{
	return length >= strlen(words) && !memcmp(line, words, strlen(words));
}

/* What fio itself says; a client puts the server's name in front. */
static void fio_says(struct reading *reading, const char *line, size_t length,
		     unsigned long long number)
{
	if (has(line, length, "fio: terminating on signal"))
		reading->interrupted = true;
	if (has(line, length, "got signal="))
		reading->killed++;
	if (!reading->said_line && begins_with(line, length, "fio:")) {
		if (length >= sizeof(reading->said))
			length = sizeof(reading->said) - 1;
		memcpy(reading->said, line, length);
		reading->said[length] = '\0';
		reading->said_line = number;
	}
}

static void on_text(void *context, const char *line, size_t length, unsigned long long number)
{
	struct reading *reading = context;

	if (!reading->first_line) {
		reading->first_line = number;
		reading->utf16 = begins_with(line, length, "\xff\xfe") ||
				 begins_with(line, length, "\xfe\xff");
	}
	if (has(line, length, "fio: "))
		fio_says(reading, line, length, number);
	if (has(line, length, ": (groupid="))
		reading->normal = true;
	if (!fio_terse_line(reading->terse, line, length, number)) {
		reading->out_of_memory = true;
		json_filter_stop(reading->filter);
	}
}

/* ---- documents ---- */

static void set_fault(struct fault *fault, struct json_place place, const char *cause)
{
	fault->place = place;
	strncpy(fault->cause, cause, sizeof(fault->cause) - 1);
	fault->cause[sizeof(fault->cause) - 1] = '\0';
}

static void close_document(struct reading *reading)
{
	fio_json_free(reading->json);
	reading->json = NULL;
}

static void on_begin(void *context, struct json_place place)
{
	struct reading *reading = context;

	reading->begun = place;
	if (!reading->first_line)
		reading->first_line = place.line;
	reading->json = fio_json_new(reading->filter);
	if (!reading->json) {
		reading->out_of_memory = true;
		json_filter_stop(reading->filter);
	}
}

static bool wants(void *context, unsigned int depth, const char *key, size_t length)
{
	(void)context;
	return fio_json_wants(depth, key, length);
}

static bool on_bytes(void *context, const char *bytes, size_t length, size_t *bad)
{
	struct reading *reading = context;

	/* Only when there was no memory for it, and all is over. */
	if (!reading->json) {
		*bad = 0;
		return false;
	}
	return fio_json_bytes(reading->json, bytes, length, bad);
}

static void on_broken(void *context, struct json_place place, const char *cause)
{
	struct reading *reading = context;

	if (!reading->json)
		return;
	if (fio_json_out_of_memory(reading->json)) {
		reading->out_of_memory = true;
		json_filter_stop(reading->filter);
	}
	if (!cause)
		cause = fio_json_cause(reading->json);
	if (fio_json_is_fios(reading->json)) {
		set_fault(&reading->broken, place, cause);
		reading->torn = place.line;
	}
	close_document(reading);
}

static void on_end(void *context)
{
	struct reading *reading = context;
	struct fio_output whole = { .documents = 0 };

	if (!reading->json)
		return;
	if (fio_json_end(reading->json, &whole)) {
		/* The documents of one run add up: the last one has it all. */
		fio_output_free(&reading->result);
		reading->result = whole;
		reading->documents++;
		reading->torn = 0;
	} else {
		set_fault(fio_json_is_fios(reading->json) ? &reading->broken : &reading->foreign,
			  reading->begun, fio_json_cause(reading->json));
	}
	close_document(reading);
}

/* ---- the end ---- */

static void complain_of(const char *name, const struct fault *fault)
{
	complain(name, fault->place.line, "%s (byte %llu)", fault->cause, fault->place.byte);
}

/* Says why there is nothing to report on: the likeliest of all reasons. */
static void complain_of_nothing(const struct reading *reading, const char *name)
{
	if (reading->broken.place.line)
		complain_of(name, &reading->broken);
	else if (fio_terse_torn(reading->terse))
		complain(name, fio_terse_torn(reading->terse),
			 "a line of fio's terse output that stops short or is spoilt");
	else if (reading->normal)
		complain(name, reading->first_line,
			 "fio's normal output, which only people can read: "
			 "let fio print --output-format=json");
	else if (reading->said_line)
		complain(name, reading->said_line, "no results of fio in it; fio says: %s",
			 reading->said);
	else if (reading->foreign.place.line)
		complain_of(name, &reading->foreign);
	else if (reading->utf16)
		complain(name, reading->first_line,
			 "text in UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
	else if (reading->first_line)
		complain(name, reading->first_line,
			 "no output of fio in it, neither JSON nor terse");
	else
		complain(name, 1, "empty: there is no output of fio in it");
}

static int finish(struct reading *reading, const char *name, struct fio_output *output)
{
	if (reading->documents) {
		*output = reading->result;
		output->documents = reading->documents;
		output->torn = reading->torn;
		reading->result = (struct fio_output){ .documents = 0 };
	} else if (!fio_terse_end(reading->terse, output)) {
		complain_of_nothing(reading, name);
		return -1;
	}
	output->name = name;
	output->interrupted = reading->interrupted;
	output->killed = reading->killed;
	return 0;
}

static ssize_t read_file(void *source, void *buffer, size_t size)
{
	return read(*(int *)source, buffer, size);
}

static int read_all(struct reading *reading, const char *name, struct fio_output *output)
{
	int error;

	if (!reading->filter || !reading->terse) {
		complain(name, 0, "out of memory");
		return -1;
	}
	error = json_filter_run(reading->filter);
	if (reading->out_of_memory) {
		complain(name, 0, "out of memory");
		return -1;
	}
	if (error) {
		complain(name, 0, "cannot read: %s", strerror(error));
		return -1;
	}
	return finish(reading, name, output);
}

int fio_output_read(int fd, const char *name, struct fio_output *output)
{
	struct reading reading = { .documents = 0 };
	const struct json_filter_sink sink = {
		.text = on_text,
		.begin = on_begin,
		.wants = wants,
		.bytes = on_bytes,
		.end = on_end,
		.broken = on_broken,
		.context = &reading,
	};
	int result;

	*output = (struct fio_output){ .name = name };
	reading.filter = json_filter_new(read_file, &fd, &sink);
	reading.terse = fio_terse_new();
	result = read_all(&reading, name, output);
	fio_output_free(&reading.result);
	close_document(&reading);
	fio_terse_free(reading.terse);
	json_filter_free(reading.filter);
	return result;
}

void fio_output_free(struct fio_output *output)
{
	free(output->jobs);
	free(output->host_global);
	arena_free(output->memory);
	*output = (struct fio_output){ .name = output->name };
}

/* A name may be there twice: the last one counts. */
static const char *value_of(const struct fio_options *options, const char *name)
{
	for (size_t i = options->count; i--;)
		if (!strcmp(options->list[i].name, name))
			return options->list[i].value;
	return NULL;
}

static bool is_server(const struct fio_host_options *server, const struct fio_job *job)
{
	return server->host && job->host && !strcmp(server->host, job->host) &&
	       server->port == job->port;
}

const char *fio_job_option(const struct fio_output *output, const struct fio_job *job,
			   const char *name)
{
	const char *value = value_of(&job->options, name);

	for (size_t i = 0; !value && i < output->host_global_count; i++)
		if (is_server(&output->host_global[i], job))
			value = value_of(&output->host_global[i].options, name);
	return value ? value : value_of(&output->global, name);
}
