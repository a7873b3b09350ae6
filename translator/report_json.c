// SPDX-License-Identifier: GPL-2.0-only
/* The report as JSON: an object a test, in it an object a child. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "report_fields.h"

#define FORMAT_NAME "fio2iozone-report-1"

struct json {
	yajl_gen gen;
	bool no_memory;
};

/* How many bytes of a well-formed UTF-8 character begin here; 0 when none does. */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} kinds[] = {
		{ 0x80, 0, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 }
	};

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		uint32_t code = text[0] & (unsigned char)~kinds[kind].mask;

		if ((text[0] & kinds[kind].mask) != kinds[kind].lead)
			continue;
		for (size_t i = 1; i <= kind; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (text[i] & 0x3f);
		}
		if (code < kinds[kind].least || code > 0x10ffff ||
		    (code >= 0xd800 && code < 0xe000))
			return 0;
		return kind + 1;
	}
	return 0;
}

/* File names are bytes, JSON is UTF-8: what is none becomes a question mark. */
static void put_string(struct json *json, const char *text)
{
	size_t length = strlen(text);
	char *copy = strdup(text);

	if (!copy) {
		json->no_memory = true;
		return;
	}
	for (size_t i = 0; i < length;) {
		size_t valid = utf8_length((const unsigned char *)copy + i);

		if (!valid)
			copy[i] = '?';
		i += valid ? valid : 1;
	}
	yajl_gen_string(json->gen, (const unsigned char *)copy, length);
	free(copy);
}

static void put_name(struct json *json, const char *name)
{
	yajl_gen_string(json->gen, (const unsigned char *)name, strlen(name));
}

static void put_text(void *context, const char *name, const char *value)
{
	struct json *json = context;

	put_name(json, name);
	if (value)
		put_string(json, value);
	else
		yajl_gen_null(json->gen);
}

static void put_number(struct json *json, const char *name, const char *text, bool known)
{
	put_name(json, name);
	if (known)
		yajl_gen_number(json->gen, text, strlen(text));
	else
		yajl_gen_null(json->gen);
}

static void put_count(void *context, const char *name, uint64_t value, bool known)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_number(context, name, text, known);
}

static void put_real(void *context, const char *name, double value, int decimals, bool known)
{
	/* Room for the largest there is. */
	char text[400];

	snprintf(text, sizeof(text), "%.*f", decimals, value);
	put_number(context, name, text, known);
}

static void put_children(struct json *json, const struct field_sink *sink,
			 const struct test_figures *test)
{
	put_name(json, "child_figures");
	yajl_gen_array_open(json->gen);
	for (size_t i = 0; i < test->child_count && test->state != FIGURES_SUMS; i++) {
		yajl_gen_map_open(json->gen);
		child_fields(sink, &test->child[i]);
		yajl_gen_map_close(json->gen);
	}
	yajl_gen_array_close(json->gen);
}

static void put_facts(struct json *json, const struct report *report)
{
	const struct report_header *header = &report->header;

	put_text(json, "format", FORMAT_NAME);
	put_text(json, "fio2iozone_version", FIO_IOZONE_VERSION);
	put_text(json, "fio_version", report->facts.fio);
	put_text(json, "engine_version", report->facts.engine);
	put_text(json, "run_id", report->facts.run_id);
	put_name(json, "whole");
	yajl_gen_bool(json->gen, report->facts.whole);
	put_count(json, "began_s_since_1970", header->began, header->began);
	put_text(json, "iozone_command", header->command);
	put_text(json, "mode", header->threads ? "thread" : "process");
	put_count(json, "record_size_bytes", header->record_size, header->record_size);
	put_count(json, "file_size_bytes", header->file_size, header->file_size);
}

static void put_notes(struct json *json, const struct report *report)
{
	put_name(json, "notes");
	yajl_gen_array_open(json->gen);
	for (size_t i = 0; i < report->facts.note_count; i++)
		put_string(json, report->facts.notes[i]);
	yajl_gen_array_close(json->gen);
}

static void put_tests(struct json *json, const struct figures *figures)
{
	const struct field_sink sink = {
		.text = put_text,
		.count = put_count,
		.real = put_real,
		.context = json,
	};

	put_name(json, "tests");
	yajl_gen_array_open(json->gen);
	for (size_t i = 0; i < figures->count; i++) {
		yajl_gen_map_open(json->gen);
		test_name_fields(&sink, &figures->test[i]);
		test_fields(&sink, &figures->test[i]);
		put_children(json, &sink, &figures->test[i]);
		yajl_gen_map_close(json->gen);
	}
	yajl_gen_array_close(json->gen);
}

static void print(void *out, const char *text, size_t length)
{
	fwrite(text, 1, length, out);
}

int report_write_json(FILE *out, const struct report *report)
{
	struct json json = { .gen = yajl_gen_alloc(NULL) };

	if (!json.gen)
		return -1;
	yajl_gen_config(json.gen, yajl_gen_beautify, 1);
	yajl_gen_config(json.gen, yajl_gen_indent_string, "  ");
	yajl_gen_config(json.gen, yajl_gen_print_callback, print, out);
	yajl_gen_map_open(json.gen);
	put_facts(&json, report);
	put_notes(&json, report);
	put_tests(&json, report->figures);
	yajl_gen_map_close(json.gen);
	yajl_gen_free(json.gen);
	return json.no_memory ? -1 : 0;
}
