// SPDX-License-Identifier: GPL-2.0-only
/* The filter before the JSON parser, with streams of all kinds in pieces of all sizes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json_filter.h"

/* A stream that comes in pieces, and what the filter makes of it, in words. */
struct stream {
	const char *bytes;
	size_t length, at, step;
	int error;	  /* after the last byte */
	bool interrupted; /* the next read is, by a signal */
	struct json_filter *filter;
	FILE *told;
	bool open; /* a document is */
	bool stop; /* at the first text */
};

static ssize_t read_stream(void *source, void *buffer, size_t size)
{
	struct stream *stream = source;
	size_t left = stream->length - stream->at;

	if (stream->interrupted) {
		stream->interrupted = false;
		errno = EINTR;
		return -1;
	}
	if (size > left)
		size = left;
	if (size > stream->step)
		size = stream->step;
	if (!size && stream->error) {
		errno = stream->error;
		return -1;
	}
	memcpy(buffer, stream->bytes + stream->at, size);
	stream->at += size;
	return size;
}

static void on_text(void *context, const char *bytes, size_t length, unsigned long long line)
{
	struct stream *stream = context;

	fprintf(stream->told, "text %llu: %.*s\n", line, (int)length, bytes);
	if (stream->stop)
		json_filter_stop(stream->filter);
}

static void on_begin(void *context, struct json_place place)
{
	struct stream *stream = context;

	assert_false(stream->open);
	stream->open = true;
	fprintf(stream->told, "json %llu %llu: ", place.line, place.byte);
}

/* "old" is passed over; '!' is refused; '@' tells its line. */
static bool on_bytes(void *context, const char *bytes, size_t length, size_t *bad)
{
	struct stream *stream = context;

	assert_true(stream->open);
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '!') {
			*bad = i;
			return false;
		}
		if (bytes[i] == '@')
			fprintf(stream->told, "<%llu>", json_filter_place(stream->filter, i).line);
		putc(bytes[i], stream->told);
	}
	return true;
}

static bool wants(void *context, unsigned int depth, const char *key, size_t length)
{
	(void)context;
	return depth < 1 || length != 3 || memcmp(key, "old", 3) != 0;
}

static void on_end(void *context)
{
	struct stream *stream = context;

	assert_true(stream->open);
	stream->open = false;
	fprintf(stream->told, " end\n");
}

static void on_broken(void *context, struct json_place place, const char *cause)
{
	struct stream *stream = context;

	assert_true(stream->open);
	stream->open = false;
	fprintf(stream->told, " broken %llu %llu %s\n", place.line, place.byte,
		cause ? cause : "refused");
}

/* Runs the filter; what it told is the caller's to free. */
static char *tell(struct stream *stream, int *result)
{
	const struct json_filter_sink sink = {
		.text = on_text,
		.begin = on_begin,
		.wants = wants,
		.bytes = on_bytes,
		.end = on_end,
		.broken = on_broken,
		.context = stream,
	};
	char *told = NULL;
	size_t size = 0;

	stream->told = open_memstream(&told, &size);
	assert_non_null(stream->told);
	stream->filter = json_filter_new(read_stream, stream, &sink);
	assert_non_null(stream->filter);
	*result = json_filter_run(stream->filter);
	json_filter_free(stream->filter);
	fclose(stream->told);
	assert_false(stream->open && !stream->stop);
	return told;
}

static void expect_of(const char *bytes, size_t length, const char *expected)
{
	static const size_t steps[] = { SIZE_MAX, 1, 2, 3, 7, 4096 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct stream stream = { .bytes = bytes, .length = length, .step = steps[i] };
		int result;
		char *told;

		/* Long ones byte by byte would take too long. */
		if (length / steps[i] > 100000)
			continue;
		told = tell(&stream, &result);
		assert_int_equal(result, 0);
		assert_string_equal(told, expected);
		free(told);
	}
}

static void expect(const char *text, const char *expected)
{
	expect_of(text, strlen(text), expected);
}

static void documents_and_text(void **state)
{
	(void)state;
	expect("", "");
	expect("\n\r\n", "");
	expect("no JSON", "text 1: no JSON\n");
	expect("{\"a\":1}", "json 1 1: {\"a\":1} end\n");
	expect("one\ntwo\n{\"a\":\n1}\nthree\n",
	       "text 1: one\ntext 2: two\njson 3 9: {\"a\":\n1} end\ntext 5: three\n");
	expect("eta\rETA {\"a\":1}rest\n", "text 1: eta\ntext 1: ETA \njson 1 9: {\"a\":1} end\n"
					   "text 1: rest\n");
	expect("\xef\xbb\xbf{\"a\":1}", "json 1 4: {\"a\":1} end\n");
	expect("{\"a\":1}{\"b\":[{}]}\n\n{ \"c\" : \"}\" }",
	       "json 1 1: {\"a\":1} end\njson 1 8: {\"b\":[{}]} end\n"
	       "json 3 20: { \"c\" : \"}\" } end\n");
}

static void braces_in_text(void **state)
{
	(void)state;
	expect("{", "text 1: {\n");
	expect("{}", "text 1: {}\n");
	expect("job{1}: (g=0)\n{\"a\":1}", "text 1: job{1}: (g=0)\njson 2 15: {\"a\":1} end\n");
	expect("{\"a\" 1}", "text 1: {\"a\" 1}\n");
	expect("{\"a\n\":1}", "text 1: {\"a\ntext 2: \":1}\n");
	expect("{{{\"a\":1}", "text 1: {{\njson 1 3: {\"a\":1} end\n");
	/* a document only by its looks: what follows is read all the same */
	expect("{\"a\":!\n{\"b\":1}", "json 1 1: {\"a\": broken 1 6 refused\n"
				      "text 1: !\njson 2 8: {\"b\":1} end\n");
	/* JSON in the name of a job is no document, but fio's is one */
	expect("3;a{\"b\":1};x\n3;{\"fio version\":1}\n",
	       "text 1: 3;a{\"b\":1};x\ntext 2: 3;\njson 2 16: {\"fio version\":1} end\n");
}

static void control_characters_in_strings(void **state)
{
	static const char nul[] = "{\"a\":\"b\0c\"}";

	(void)state;
	expect("{\"a\":1,\"a\tb\":\"c\nd\re\x01\x1f\x7f\"}",
	       "json 1 1: {\"a\":1,\"a\\u0009b\":\"c\\u000ad\\u000de\\u0001\\u001f\x7f\"} end\n");
	expect_of(nul, sizeof(nul) - 1, "json 1 1: {\"a\":\"b\\u0000c\"} end\n");
	/* outside of strings they stay */
	expect("{\t\"a\"\r:\n1}", "json 1 1: {\t\"a\"\r:\n1} end\n");
}

static void backslashes_in_strings(void **state)
{
	(void)state;
	expect("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\"}",
	       "json 1 1: {\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\"} end\n");
	expect("{\"a\":\"C\\:\\dir\\u12\"}", "json 1 1: {\"a\":\"C\\\\:\\\\dir\\\\u12\"} end\n");
	expect("{\"a\":\"\\\n\"}", "json 1 1: {\"a\":\"\\\\\\u000a\"} end\n");
	expect("{\"a\":\"b\\", "json 1 1: {\"a\":\"b\\\\ broken 1 9 the JSON is cut off\n");
}

static void what_is_no_number(void **state)
{
	(void)state;
	expect("{\"a\":[nan,-nan,inf,-inf,NaN,Infinity,-Infinity,+inf,nan(0x8),-nan(ind)]}",
	       "json 1 1: {\"a\":[null,null,null,null,null,null,null,null,null,null]} end\n");
	expect("{\"a\":1.#INF00,\"b\":-1.#IND00,\"c\":1.#QNAN0}",
	       "json 1 1: {\"a\":null,\"b\":null,\"c\":null} end\n");
	expect("{\"a\":null,\"b\":true,\"c\":false,\"d\":-1.5e+3,\"inf\":\"-nan\"}",
	       "json 1 1: {\"a\":null,\"b\":true,\"c\":false,\"d\":-1.5e+3,\"inf\":\"-nan\"} end\n");
	/* these are not nan, and the parser's to refuse */
	expect("{\"a\":nana,\"b\":xnan,\"c\":in}",
	       "json 1 1: {\"a\":nana,\"b\":xnan,\"c\":in} end\n");
}

static void cut_off(void **state)
{
	static const char whole[] =
		"{\"fio version\":\"a\\tb\",\n\"old\":{\"x\":[1,\"2\"]},\"b\":nan}";
	struct stream stream = { .bytes = whole, .step = 5 };

	(void)state;
	for (size_t length = strlen("{\"fio version\":"); length < strlen(whole); length++) {
		int result;
		char *told, expected[64];

		stream.length = length;
		stream.at = 0;
		told = tell(&stream, &result);
		snprintf(expected, sizeof(expected), " broken %d %zu the JSON is cut off\n",
			 length > 22 ? 2 : 1, length + 1);
		assert_non_null(strstr(told, expected));
		assert_null(strstr(told, " end\n"));
		free(told);
	}
}

static void cut_off_by_another(void **state)
{
	(void)state;
	/* between tokens, in a number */
	expect("{\"a\":1,{ \"fio version\" : 2}",
	       "json 1 1: {\"a\":1, broken 1 8 the JSON is cut off by another one\n"
	       "json 1 8: { \"fio version\" : 2} end\n");
	expect("{\"fio version\":1,\"old\":{\"x\":1{\"fio version\":2}",
	       "json 1 1: {\"fio version\":1,\"old\":{ broken 1 30 the JSON is cut off by another one\n"
	       "json 1 30: {\"fio version\":2} end\n");
	/* in a string, which then ends at the other's first quote */
	expect("{\"a\":\"b{\n \"fio version\" : !2}",
	       "json 1 1: {\"a\":\"b{\\u000a \"fio version\" :  broken 2 27 refused\n"
	       "json 1 8: {\n \"fio version\" :  broken 2 27 refused\ntext 2: !2}\n");
	/* in a string of a part that nobody wants: letters stand outside of strings */
	expect("{\"fio version\":1,\"old\":{\"x{\n  \"fio version\" : 2}",
	       "json 1 1: {\"fio version\":1,\"old\":{ broken 2 34 what stands here is not JSON\n"
	       "json 1 27: {\n  \"fio version\" : 2} end\n");
}

static void parts_that_nobody_wants(void **state)
{
	(void)state;
	expect("{\"fio version\":1,\"old\" : {\"a\":[{}],\"b\\\"]\":\"}\tC\\:\"} ,\"new\":[1]}",
	       "json 1 1: {\"fio version\":1,\"old\" : {} ,\"new\":[1]} end\n");
	expect("{\"fio version\":1,\"old\":[nan,{},\n@],\"b\":@}",
	       "json 1 1: {\"fio version\":1,\"old\":[ broken 2 33 what stands here is not JSON\n"
	       "text 2: @],\"b\":@}\n");
	expect("{\"fio version\":1,\"old\":[\n{},\n\"\n\"],\"b\":@}",
	       "json 1 1: {\"fio version\":1,\"old\":[],\"b\":<4>@} end\n");
	/* brackets have to match there too */
	expect("{\"fio version\":1,\"old\":[{]}]}",
	       "json 1 1: {\"fio version\":1,\"old\":[ broken 1 26 what stands here is not JSON\n"
	       "text 1: ]}]}\n");
	/* scalars are not passed over, nor is what is not fio's */
	expect("{\"fio version\":1,\"old\":2}", "json 1 1: {\"fio version\":1,\"old\":2} end\n");
	expect("{\"version\":1,\"old\":[2]}", "json 1 1: {\"version\":1,\"old\":[2]} end\n");
}

static char *repeat(const char *begin, const char *middle, size_t times, const char *end)
{
	size_t one = strlen(middle);
	char *text = malloc(strlen(begin) + times * one + strlen(end) + 1);
	char *at;

	assert_non_null(text);
	at = stpcpy(text, begin);
	for (size_t i = 0; i < times; i++)
		at = mempcpy(at, middle, one);
	memcpy(at, end, strlen(end) + 1);
	return text;
}

/* Runs the filter on a text that is then freed; what it told is the caller's. */
static char *tell_long(char *text)
{
	struct stream stream = { .bytes = text, .length = strlen(text), .step = SIZE_MAX };
	int result;
	char *told = tell(&stream, &result);

	assert_int_equal(result, 0);
	free(text);
	return told;
}

static void expect_broken(char *text, const char *cause)
{
	char *told = tell_long(text);

	assert_non_null(strstr(told, cause));
	assert_null(strstr(told, " end\n"));
	free(told);
}

static void expect_whole(char *text)
{
	char *told = tell_long(text);

	assert_null(strstr(told, "broken"));
	assert_non_null(strstr(told, " end\n"));
	free(told);
}

static void bounds(void **state)
{
	(void)state;
	expect_whole(repeat("{\"a\":", "[", 0, "1}"));
	/* depth: the document itself is one */
	expect_broken(repeat("{\"a\":", "[", 64, ""), "nested deeper than 64 levels");
	expect_broken(repeat("{\"a\":", "[", 100000, ""), "nested deeper than 64 levels");
	expect_broken(repeat("{\"fio version\":1,\"old\":", "[", 100000, ""),
		      "nested deeper than 64 levels");
	expect_broken(repeat("", "{\"a\":", 100000, ""), "nested deeper than 64 levels");
	/* strings, with quotes */
	expect_whole(repeat("{\"a\":\"", "x", JSON_FILTER_STRING_MAX - 1, "\"}"));
	expect_broken(repeat("{\"a\":\"", "x", 100000, "\"}"), "a string longer than 65536 bytes");
	expect_broken(repeat("{\"a\":\"", "\t", 100000, "\"}"), "a string longer than 65536 bytes");
	expect_broken(repeat("{\"fio version\":1,\"old\":[\"", "x", 100000, "\"]}"),
		      "a string longer than 65536 bytes");
	/* numbers */
	expect_whole(repeat("{\"a\":", "1", JSON_FILTER_NUMBER_MAX, "}"));
	expect_broken(repeat("{\"a\":", "1", 100000, "}"), "a number longer than 1024 digits");
	expect_broken(repeat("{\"a\":", "n", 100000, "}"), "a number longer than 1024 digits");
	/* white space is not bounded */
	expect_whole(repeat("{\"a\":", " \n", 100000, "1}"));
	expect_whole(repeat("{\"fio version\":1,\"old\":[", " \n", 100000, "]}"));
}

static void long_lines_of_text(void **state)
{
	char *told = tell_long(repeat("", "x", 3 * JSON_FILTER_TEXT_MAX + 1, "\nnext\n"));

	(void)state;
	/* cut once, and the rest left out */
	assert_int_equal(strlen(told), strlen("text 1: \ntext 2: next\n") + JSON_FILTER_TEXT_MAX);
	assert_non_null(strstr(told, "x\ntext 2: next\n"));
	free(told);
	told = tell_long(repeat("", "x", 3 * JSON_FILTER_TEXT_MAX + 1, "{\"a\":1}\n"));
	assert_non_null(strstr(told, "x\njson 1 196610: {\"a\":1} end\n"));
	free(told);
}

/* Would take hours if what is given up were looked at again and again. */
static void many_false_starts(void **state)
{
	static const char *const starts[] = {
		"{\"a\":!",
		"{\"a\":[!",
		"{\"a\":\"{\" !",
		"{ {",
		"{\"a\":\"{\n \"b\":!",
		"{\"a\":1}",
		"{\"a\":nan!",
		"{\"fio version\":!",
		"{\"fio version\":1,\"old\":{z",
		"{\"fio version\":1,\"old\":[\"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		char *text = repeat("", starts[i], 20000, "");
		struct stream stream = { .bytes = text, .length = strlen(text), .step = SIZE_MAX };
		int result;

		free(tell(&stream, &result));
		assert_int_equal(result, 0);
		free(text);
	}
}

/* A long document of all that the filter changes, and what comes of it. */
static void across_buffers(void **state)
{
	static const struct {
		const char *in, *out;
	} parts[] = {
		{ "\"a\tb\"", "\"a\\u0009b\"" },
		{ "-nan", "null" },
		{ "\"C\\:\"", "\"C\\\\:\"" },
		{ "12345678901234567890", "12345678901234567890" },
		{ "-1.#IND00", "null" },
		{ "\"\\u00e4 \\\\\"", "\"\\u00e4 \\\\\"" },
		{ "[true,\n\n{\"x\":null}]", "[true,\n\n{\"x\":null}]" },
	};
	char *in = NULL, *out = NULL;
	size_t in_size, out_size;
	FILE *in_file = open_memstream(&in, &in_size), *out_file = open_memstream(&out, &out_size);
	uint32_t random = 1;

	(void)state;
	fprintf(in_file, "{\"fio version\":[1");
	fprintf(out_file, "json 1 1: {\"fio version\":[1");
	for (size_t i = 0; i < 40000; i++) {
		size_t part;

		random = random * 1664525 + 1013904223;
		part = (random >> 16) % (sizeof(parts) / sizeof(*parts));
		fprintf(in_file, ",%*s%s", (int)(random >> 29), "", parts[part].in);
		fprintf(out_file, ",%*s%s", (int)(random >> 29), "", parts[part].out);
	}
	fprintf(in_file, "]}");
	fprintf(out_file, "]} end\n");
	fclose(in_file);
	fclose(out_file);
	for (size_t step = 32768; step < 70000; step += 4093) {
		struct stream stream = { .bytes = in, .length = in_size, .step = step };
		int result;
		char *told = tell(&stream, &result);

		assert_true(!strcmp(told, out));
		free(told);
	}
	free(in);
	free(out);
}

static void reading(void **state)
{
	struct stream stream = {
		.bytes = "a\n{\"b\":1}",
		.length = 9,
		.step = 4,
		.interrupted = true,
	};
	int result;
	char *told = tell(&stream, &result);

	(void)state;
	assert_int_equal(result, 0);
	assert_string_equal(told, "text 1: a\njson 2 3: {\"b\":1} end\n");
	free(told);

	stream.at = 0;
	stream.error = EIO;
	told = tell(&stream, &result);
	assert_int_equal(result, EIO);
	free(told);

	stream.at = 0;
	stream.error = 0;
	stream.stop = true;
	told = tell(&stream, &result);
	assert_string_equal(told, "text 1: a\n");
	free(told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_and_text),
		cmocka_unit_test(braces_in_text),
		cmocka_unit_test(control_characters_in_strings),
		cmocka_unit_test(backslashes_in_strings),
		cmocka_unit_test(what_is_no_number),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(cut_off_by_another),
		cmocka_unit_test(parts_that_nobody_wants),
		cmocka_unit_test(bounds),
		cmocka_unit_test(long_lines_of_text),
		cmocka_unit_test(many_false_starts),
		cmocka_unit_test(across_buffers),
		cmocka_unit_test(reading),
	};

	return cmocka_run_group_tests_name("json_filter", tests, NULL, NULL);
}
