// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds the filter the same stream in pieces of different sizes, and looks
 * whether it makes the same of it.  Built with a small buffer, so that short
 * inputs reach its end.
 */
#include <string.h>

#include "fuzz.h"
#include "json_filter.h"

#define TOLD_MAX (1 << 18)

struct stream {
	const uint8_t *data;
	size_t size, at, step;
	struct json_filter *filter;
	char *told;
	size_t length;
	bool open;
	bool loose; /* what is refused depends on the pieces, and may */
};

static ssize_t read_stream(void *source, void *buffer, size_t size)
{
	struct stream *stream = source;
	size_t left = stream->size - stream->at;

	must(size > 0);
	if (size > left)
		size = left;
	if (size > stream->step)
		size = stream->step;
	memcpy(buffer, stream->data + stream->at, size);
	stream->at += size;
	return size;
}

static void tell(struct stream *stream, const char *bytes, size_t length)
{
	must(length <= TOLD_MAX - stream->length);
	memcpy(stream->told + stream->length, bytes, length);
	stream->length += length;
}

static void tell_place(struct stream *stream, char kind, struct json_place place)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "%c%llu %llu:", kind, place.line, place.byte);

	must(place.line > 0 && place.line <= stream->at + 1);
	must(place.byte > 0 && place.byte <= stream->at + 1);
	tell(stream, text, length);
}

static void on_text(void *context, const char *bytes, size_t length, unsigned long long line)
{
	must(length > 0 && length <= JSON_FILTER_TEXT_MAX);
	must(!memchr(bytes, '\n', length) && !memchr(bytes, '\r', length));
	tell_place(context, 'T', (struct json_place){ .line = line, .byte = 1 });
	tell(context, bytes, length);
}

static void on_begin(void *context, struct json_place place)
{
	struct stream *stream = context;

	must(!stream->open);
	stream->open = true;
	tell_place(stream, 'B', place);
}

static bool wants(void *context, unsigned int depth, const char *key, size_t length)
{
	(void)context;
	must(depth > 0 && depth <= JSON_FILTER_DEPTH_MAX);
	return !length || key[0] != 'o';
}

/* '!' is refused, '@' tells its place. */
static bool on_bytes(void *context, const char *bytes, size_t length, size_t *bad)
{
	struct stream *stream = context;

	must(stream->open && length > 0);
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '!') {
			*bad = i;
			return false;
		}
		if (bytes[i] == '@')
			tell_place(stream, '@', json_filter_place(stream->filter, i));
		tell(stream, bytes + i, 1);
	}
	return true;
}

static void on_end(void *context)
{
	struct stream *stream = context;

	must(stream->open);
	stream->open = false;
	tell(stream, "E", 1);
}

static void on_broken(void *context, struct json_place place, const char *cause)
{
	struct stream *stream = context;

	must(stream->open);
	stream->open = false;
	if (cause && strstr(cause, "a number longer"))
		stream->loose = true;
	tell_place(stream, 'X', place);
	if (cause)
		tell(stream, cause, strlen(cause));
}

static void run(struct stream *stream)
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

	stream->length = 0;
	stream->filter = json_filter_new(read_stream, stream, &sink);
	must(stream->filter);
	must(!json_filter_run(stream->filter));
	must(!stream->open);
	must(stream->at == stream->size);
	json_filter_free(stream->filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char told[2][TOLD_MAX];
	struct stream whole = { .data = data, .size = size, .step = SIZE_MAX, .told = told[0] };
	struct stream pieces = {
		.data = data, .size = size, .step = size ? data[0] % 97 + 1 : 1, .told = told[1]
	};

	run(&whole);
	run(&pieces);
	if (!whole.loose && !pieces.loose) {
		must(whole.length == pieces.length);
		must(!memcmp(whole.told, pieces.told, whole.length));
	}
	return 0;
}
