// SPDX-License-Identifier: GPL-2.0-only
/* Takes what fio printed apart into JSON documents and the text around them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "json_filter.h"

/* A string, what is given away at once, what is looked at ahead, and as much to read. */
#define BUFFER_SIZE (4 * JSON_FILTER_STRING_MAX)
/* How far ahead a brace is looked at to tell whether a document begins. */
#define LOOK_AHEAD (JSON_FILTER_STRING_MAX / 16)
/* What stays of the bytes already given away: see abandon(). */
#define HISTORY LOOK_AHEAD
/*
 * A document is handed over in pieces that grow: where it turns out to be
 * none, little has been looked at in vain.
 */
#define FIRST_PIECE 64
#define LARGEST_PIECE JSON_FILTER_STRING_MAX
/* A number is not cut: a piece of nothing else has to be given up. */
_Static_assert(LARGEST_PIECE >= 2 * JSON_FILTER_NUMBER_MAX, "a number longer than a piece");
/* Longer than any way to write that something is not a number. */
#define WORD_MAX 64

/* The first key in every document of fio's. */
static const char first_key[] = "fio version";

struct json_filter {
	json_filter_read *read;
	void *source;
	struct json_filter_sink sink;
	unsigned char *buffer;
	/* indexes of the buffer */
	size_t length;	/* of what is in it */
	size_t at;	/* looked at up to here */
	size_t keep;	/* nothing before it is needed but as history */
	size_t given;	/* of a document: handed over up to here */
	size_t slice;	/* what the sink has now begins here */
	size_t counted; /* "line" is the number of the line here */
	unsigned long long line;
	uint64_t base;	   /* bytes of the stream before the buffer's */
	uint64_t document; /* where the document began, in the stream */
	uint64_t string;   /* where the last string began */
	size_t piece;	   /* how much to hand over at once */
	unsigned int depth;
	bool in_document;
	bool is_fios;	/* the document, by its first key */
	bool long_line; /* the rest of a line that has been cut */
	bool end;	/* of the stream */
	bool stopped;
	int error;
};

enum token {
	TOKEN_PLAIN, /* nothing to do here */
	TOKEN_QUOTE,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_WORD, /* may be nan or inf */
};

static const unsigned char token_of[256] = {
	['"'] = TOKEN_QUOTE, ['{'] = TOKEN_OPEN, ['['] = TOKEN_OPEN, ['}'] = TOKEN_CLOSE,
	[']'] = TOKEN_CLOSE, ['n'] = TOKEN_WORD, ['N'] = TOKEN_WORD, ['i'] = TOKEN_WORD,
	['I'] = TOKEN_WORD,  ['#'] = TOKEN_WORD,
};

/*
 * What matters in a part that nobody wants.  Most letters cannot stand outside
 * of strings: there the quotes have come out of step.
 */
enum passed {
	PASSED_WRONG,
	PASSED_PLAIN,
	PASSED_QUOTE,
	PASSED_OPEN,
	PASSED_CLOSE,
};

static const unsigned char passed_of[256] = {
	['"'] = PASSED_QUOTE,
	['{'] = PASSED_OPEN,
	['['] = PASSED_OPEN,
	['}'] = PASSED_CLOSE,
	[']'] = PASSED_CLOSE,
	/* white space, numbers, what stands between values */
	['\t'] = PASSED_PLAIN,
	['\n'] = PASSED_PLAIN,
	['\r'] = PASSED_PLAIN,
	[' '] = PASSED_PLAIN,
	['+' ... '.'] = PASSED_PLAIN,
	['0' ... ':'] = PASSED_PLAIN,
	['E'] = PASSED_PLAIN,
	/* true, false, null, and what is no number */
	['a'] = PASSED_PLAIN,
	['d' ... 'f'] = PASSED_PLAIN,
	['i'] = PASSED_PLAIN,
	['l'] = PASSED_PLAIN,
	['n'] = PASSED_PLAIN,
	['r' ... 'u'] = PASSED_PLAIN,
	['y'] = PASSED_PLAIN,
	['A'] = PASSED_PLAIN,
	['D'] = PASSED_PLAIN,
	['F'] = PASSED_PLAIN,
	['I'] = PASSED_PLAIN,
	['N'] = PASSED_PLAIN,
	['Q'] = PASSED_PLAIN,
	['#'] = PASSED_PLAIN,
	['('] = PASSED_PLAIN,
	[')'] = PASSED_PLAIN,
	['x'] = PASSED_PLAIN,
};

/* What a string cannot have as it is. */
static const unsigned char special_in_string[256] = {
	[0 ... 0x1f] = 1,
	['"'] = 1,
	['\\'] = 1,
};

static bool is_space(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_bare(unsigned char c)
{
	return isalnum(c) || c == '+' || c == '-' || c == '.' || c == '_' || c == '#';
}

/*
 * The indent that begins here, eight by eight: fio's JSON is one third blanks.
 * The buffer is longer by that than what is in it.
 */
static size_t skip_indent(const unsigned char *buffer, size_t index, size_t limit)
{
	static const char blanks[8] = "        ";

	while (index < limit && !memcmp(buffer + index, blanks, sizeof(blanks)))
		index += sizeof(blanks);
	return index < limit ? index : limit;
}

struct json_filter *json_filter_new(json_filter_read *read, void *source,
				    const struct json_filter_sink *sink)
{
	struct json_filter *filter = calloc(1, sizeof(*filter));

	if (!filter)
		return NULL;
	/* Eight more: see skip_indent(). */
	filter->buffer = calloc(1, BUFFER_SIZE + 8);
	if (!filter->buffer) {
		free(filter);
		return NULL;
	}
	filter->read = read;
	filter->source = source;
	filter->sink = *sink;
	filter->line = 1;
	return filter;
}

void json_filter_free(struct json_filter *filter)
{
	if (!filter)
		return;
	free(filter->buffer);
	free(filter);
}

void json_filter_stop(struct json_filter *filter)
{
	filter->stopped = true;
}

/* ---- places ---- */

static size_t newlines(const unsigned char *bytes, size_t length)
{
	size_t count = 0;

	/* Blocks of a fixed size are what a compiler makes vectors of. */
	for (; length >= 64; bytes += 64, length -= 64) {
		unsigned char in_block = 0;

		for (size_t i = 0; i < 64; i++)
			in_block += bytes[i] == '\n';
		count += in_block;
	}
	for (size_t i = 0; i < length; i++)
		count += bytes[i] == '\n';
	return count;
}

static void count_to(struct json_filter *filter, size_t index)
{
	const unsigned char *buffer = filter->buffer;

	if (index >= filter->counted)
		filter->line += newlines(buffer + filter->counted, index - filter->counted);
	else
		filter->line -= newlines(buffer + index, filter->counted - index);
	filter->counted = index;
}

static struct json_place place(struct json_filter *filter, size_t index)
{
	count_to(filter, index);
	return (struct json_place){ .line = filter->line, .byte = filter->base + index + 1 };
}

struct json_place json_filter_place(struct json_filter *filter, size_t offset)
{
	size_t index = filter->slice + offset;

	return place(filter, index < filter->length ? index : filter->length);
}

/* ---- the buffer ---- */

static void shift(struct json_filter *filter)
{
	size_t gone = filter->keep > HISTORY ? filter->keep - HISTORY : 0;

	if (filter->counted < gone)
		count_to(filter, gone);
	memmove(filter->buffer, filter->buffer + gone, filter->length - gone);
	filter->base += gone;
	filter->length -= gone;
	filter->at -= gone;
	filter->keep -= gone;
	filter->counted -= gone;
	if (filter->in_document)
		filter->given -= gone;
}

/* Reads some more; moves what is in the buffer, so that indexes change. */
static void refill(struct json_filter *filter)
{
	ssize_t got;

	if (BUFFER_SIZE - filter->length < BUFFER_SIZE / 4)
		shift(filter);
	do {
		got = filter->read(filter->source, filter->buffer + filter->length,
				   BUFFER_SIZE - filter->length);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		filter->error = errno;
	if (got <= 0)
		filter->end = true;
	else
		filter->length += got;
}

/* Sees to it that so many bytes are there to look at, or all that are left. */
static void look_ahead(struct json_filter *filter, size_t wanted)
{
	while (filter->length - filter->at < wanted && !filter->end)
		refill(filter);
}

static size_t skip_space(const struct json_filter *filter, size_t index, size_t limit)
{
	while (index < limit && is_space(filter->buffer[index]))
		index++;
	return index;
}

/*
 * Whether the brace here opens an object whose first key is known, or is any
 * key when none is asked for.  It does not look further than it always can:
 * what a stream is must not depend on the pieces in which it comes.
 */
static bool opens_with(struct json_filter *filter, const char *wanted)
{
	const unsigned char *buffer = filter->buffer;
	size_t from, to, limit;

	look_ahead(filter, LOOK_AHEAD);
	limit = filter->length - filter->at > LOOK_AHEAD ? filter->at + LOOK_AHEAD : filter->length;
	from = skip_space(filter, filter->at + 1, limit);
	if (from == limit || buffer[from] != '"')
		return false;
	from++;
	for (to = from; to < limit && !special_in_string[buffer[to]]; to++)
		;
	if (to == limit || buffer[to] != '"')
		return false;
	if (wanted && (to - from != strlen(wanted) || memcmp(buffer + from, wanted, to - from)))
		return false;
	to = skip_space(filter, to + 1, limit);
	return to < limit && buffer[to] == ':';
}

/* ---- documents ---- */

static void begin(struct json_filter *filter)
{
	filter->keep = filter->at;
	filter->is_fios = opens_with(filter, first_key);
	filter->in_document = true;
	filter->given = filter->at;
	filter->document = filter->base + filter->at;
	filter->depth = 0;
	filter->piece = FIRST_PIECE;
	filter->sink.begin(filter->sink.context, place(filter, filter->at));
}

/*
 * Gives a document up; what follows is text again.  A string without its end
 * may have eaten the brace of the next document, which is then a few bytes
 * back: in fio's output the first quote after a cut is that of the next
 * document's first key.
 */
static void abandon(struct json_filter *filter, size_t index, const char *cause)
{
	uint64_t here, back;

	filter->sink.broken(filter->sink.context, place(filter, index), cause);
	here = filter->base + index;
	if (here <= filter->document)
		here = filter->document + 1;
	back = here > HISTORY ? here - HISTORY : 0;
	if (back <= filter->document)
		back = filter->document + 1;
	if (back < filter->base)
		back = filter->base;
	filter->in_document = false;
	filter->keep = filter->at = back - filter->base;
	while (filter->base + filter->at < here) {
		if (filter->buffer[filter->at] == '{' && opens_with(filter, first_key))
			break;
		filter->at++;
	}
	filter->keep = filter->at;
}

/* Hands over the document up to an index. */
static bool give(struct json_filter *filter, size_t to)
{
	size_t bad = 0;

	if (to <= filter->given)
		return true;
	filter->slice = filter->given;
	if (!filter->sink.bytes(filter->sink.context, (char *)filter->buffer + filter->given,
				to - filter->given, &bad)) {
		abandon(filter, filter->given + bad, NULL);
		return false;
	}
	filter->given = to;
	filter->keep = to;
	return true;
}

/* Hands over the document up to "from", and then other bytes for those up to "to". */
static bool give_instead(struct json_filter *filter, size_t from, size_t to, const char *bytes)
{
	size_t bad;

	if (!give(filter, from))
		return false;
	filter->slice = from;
	if (!filter->sink.bytes(filter->sink.context, bytes, strlen(bytes), &bad)) {
		abandon(filter, from, NULL);
		return false;
	}
	filter->given = filter->keep = filter->at = to;
	return true;
}

/* Hands over all but a number or word that may go on; reads more if it must. */
static void advance(struct json_filter *filter)
{
	size_t token = filter->at;

	while (token > filter->given && is_bare(filter->buffer[token - 1]))
		token--;
	if (filter->at - token > JSON_FILTER_NUMBER_MAX) {
		if (give(filter, token))
			abandon(filter, filter->at, "a number longer than 1024 digits");
		return;
	}
	if (!give(filter, token))
		return;
	if (filter->piece < LARGEST_PIECE)
		filter->piece *= 2;
	if (filter->at < filter->length)
		return;
	if (!filter->end)
		refill(filter);
	else if (give(filter, filter->at))
		abandon(filter, filter->at, "the JSON is cut off");
}

static bool is_escape(const unsigned char *bytes, size_t length)
{
	if (length < 2)
		return false;
	if (bytes[1] != 'u')
		return bytes[1] && strchr("\"\\/bfnrt", bytes[1]);
	return length >= 6 && isxdigit(bytes[2]) && isxdigit(bytes[3]) && isxdigit(bytes[4]) &&
	       isxdigit(bytes[5]);
}

/* A backslash: fio before 2.0.11 prints it as it stands in an option. */
static bool escape(struct json_filter *filter)
{
	const unsigned char *bytes;

	look_ahead(filter, 6);
	bytes = filter->buffer + filter->at;
	if (is_escape(bytes, filter->length - filter->at)) {
		filter->at += 2;
		return true;
	}
	return give_instead(filter, filter->at, filter->at + 1, "\\\\");
}

static bool control(struct json_filter *filter)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char c = filter->buffer[filter->at];
	char escaped[] = "\\u0000";

	escaped[4] = digits[c >> 4];
	escaped[5] = digits[c & 15];
	return give_instead(filter, filter->at, filter->at + 1, escaped);
}

/* From a string's quote to behind the one that ends it. */
static void string(struct json_filter *filter)
{
	uint64_t begun = filter->base + filter->at++;

	filter->string = begun;
	for (;;) {
		const unsigned char *buffer = filter->buffer;
		uint64_t longest = begun + JSON_FILTER_STRING_MAX + 1 - filter->base;
		size_t limit = longest < filter->length ? longest : filter->length;

		while (filter->at < limit && !special_in_string[buffer[filter->at]])
			filter->at++;
		if (filter->at >= longest) {
			if (give(filter, begun > filter->base ? begun - filter->base : 0))
				abandon(filter, filter->at, "a string longer than 65536 bytes");
			return;
		}
		if (filter->at == filter->length) {
			if (filter->end)
				return;
			refill(filter);
		} else if (buffer[filter->at] == '"') {
			filter->at++;
			return;
		} else if (buffer[filter->at] == '\\') {
			if (!escape(filter))
				return;
		} else if (!control(filter)) {
			return;
		}
	}
}

/* How printf() of one system or another says that there is no number. */
static bool is_no_number(const char *word, size_t length)
{
	static const char *const whole[] = { "nan", "inf", "infinity" };
	static const char *const begun[] = { "nan(", "1.#ind", "1.#inf", "1.#qnan", "1.#snan" };

	if (length && (*word == '-' || *word == '+')) {
		word++;
		length--;
	}
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (length == strlen(whole[i]) && !strncasecmp(word, whole[i], length))
			return true;
	for (size_t i = 0; i < sizeof(begun) / sizeof(*begun); i++)
		if (length > strlen(begun[i]) && !strncasecmp(word, begun[i], strlen(begun[i])))
			return true;
	return false;
}

/* A letter with which nan or inf may begin, or that stands in them. */
static void word(struct json_filter *filter)
{
	size_t from, to;

	look_ahead(filter, WORD_MAX);
	from = to = filter->at;
	while (from > filter->given && filter->at - from < JSON_FILTER_NUMBER_MAX &&
	       is_bare(filter->buffer[from - 1]))
		from--;
	while (to < filter->length && to - filter->at < WORD_MAX &&
	       (is_bare(filter->buffer[to]) || filter->buffer[to] == '(' ||
		filter->buffer[to] == ')'))
		to++;
	if (is_no_number((char *)filter->buffer + from, to - from))
		give_instead(filter, from, to, "null");
	else
		filter->at = to;
}

/* An object or array begins: false when that is one too many, or another document. */
static bool may_open(struct json_filter *filter, unsigned int depth)
{
	if (depth == JSON_FILTER_DEPTH_MAX) {
		if (give(filter, filter->at))
			abandon(filter, filter->at, "nested deeper than 64 levels");
		return false;
	}
	if (depth && filter->buffer[filter->at] == '{' && opens_with(filter, first_key)) {
		if (give(filter, filter->at))
			abandon(filter, filter->at, "the JSON is cut off by another one");
		return false;
	}
	return true;
}

/*
 * The key of the value here: the last string, when a colon stands behind it.
 * Returns its length; or 0 when there is none, or it is too far away.
 */
static size_t key_here(const struct json_filter *filter, const char **key)
{
	const unsigned char *buffer = filter->buffer;
	size_t from, to = filter->at;

	if (filter->string < filter->document || filter->base + to - filter->string > HISTORY)
		return 0;
	from = filter->string - filter->base + 1;
	while (to > from && is_space(buffer[to - 1]))
		to--;
	if (to <= from || buffer[to - 1] != ':')
		return 0;
	to--;
	while (to > from && is_space(buffer[to - 1]))
		to--;
	if (to <= from || buffer[to - 1] != '"')
		return 0;
	*key = (const char *)buffer + from;
	return to - 1 - from;
}

static bool is_wanted(const struct json_filter *filter)
{
	const char *key = NULL;
	size_t length;

	/* What may be none of fio's documents is looked at all over. */
	if (!filter->is_fios || !filter->sink.wants)
		return true;
	length = key_here(filter, &key);
	return !length || filter->sink.wants(filter->sink.context, filter->depth, key, length);
}

/* Nothing here goes to the sink; more is read. */
static bool pass_on(struct json_filter *filter)
{
	filter->given = filter->keep = filter->at;
	if (filter->at < filter->length)
		return true;
	if (!filter->end) {
		refill(filter);
		return true;
	}
	abandon(filter, filter->at, "the JSON is cut off");
	return false;
}

/* From a string's quote to behind the one that ends it. */
static bool pass_over_string(struct json_filter *filter)
{
	uint64_t begun = filter->base + filter->at++;
	bool escaped = false;

	for (;;) {
		unsigned char c;

		if (filter->at == filter->length) {
			if (!pass_on(filter))
				return false;
			continue;
		}
		c = filter->buffer[filter->at++];
		if (c == '"' && !escaped)
			return true;
		escaped = c == '\\' && !escaped;
		if (filter->base + filter->at - begun > JSON_FILTER_STRING_MAX) {
			abandon(filter, filter->at, "a string longer than 65536 bytes");
			return false;
		}
	}
}

static bool spoilt(struct json_filter *filter)
{
	filter->given = filter->keep = filter->at;
	abandon(filter, filter->at, "what stands here is not JSON");
	return false;
}

/*
 * From behind a bracket to the one that ends the part: by far the most of
 * fio's output is the distribution of latencies, and a parser's work.
 */
static bool pass_over(struct json_filter *filter)
{
	const unsigned char *buffer = filter->buffer;
	uint64_t braces = buffer[filter->at - 1] == '{';
	unsigned int depth = 1;
	size_t at;

	for (;;) {
		at = filter->at;
		while (at < filter->length && passed_of[buffer[at]] == PASSED_PLAIN)
			at = buffer[at] == '\n' ? skip_indent(buffer, at + 1, filter->length) :
						  at + 1;
		filter->at = at;
		if (filter->at >= filter->length) {
			if (!pass_on(filter))
				return false;
			continue;
		}
		switch (passed_of[buffer[at]]) {
		case PASSED_QUOTE:
			if (!pass_over_string(filter))
				return false;
			break;
		case PASSED_OPEN:
			filter->given = filter->keep = filter->at;
			if (!may_open(filter, filter->depth + depth))
				return false;
			braces = braces << 1 | (buffer[filter->at++] == '{');
			depth++;
			break;
		case PASSED_CLOSE:
			if ((braces & 1) != (buffer[filter->at] == '}'))
				return spoilt(filter);
			filter->given = filter->keep = filter->at;
			if (!--depth)
				return true;
			braces >>= 1;
			filter->at++;
			break;
		default:
			return spoilt(filter);
		}
	}
}

static void opening(struct json_filter *filter)
{
	bool wanted;

	if (!may_open(filter, filter->depth))
		return;
	wanted = is_wanted(filter);
	filter->at++;
	if (!wanted && (!give(filter, filter->at) || !pass_over(filter)))
		return;
	filter->depth++;
}

static void closing(struct json_filter *filter)
{
	filter->at++;
	if (--filter->depth || !give(filter, filter->at))
		return;
	filter->in_document = false;
	filter->sink.end(filter->sink.context);
}

static void scan_document(struct json_filter *filter)
{
	while (filter->in_document && !filter->stopped) {
		const unsigned char *buffer = filter->buffer;
		size_t limit = filter->length - filter->given > filter->piece ?
				       filter->given + filter->piece :
				       filter->length;
		size_t at = filter->at;

		while (at < limit && !token_of[buffer[at]])
			at++;
		filter->at = at;
		if (at >= limit) {
			advance(filter);
			continue;
		}
		switch (token_of[buffer[at]]) {
		case TOKEN_QUOTE:
			string(filter);
			break;
		case TOKEN_OPEN:
			opening(filter);
			break;
		case TOKEN_CLOSE:
			closing(filter);
			break;
		default:
			word(filter);
		}
	}
}

/* ---- text ---- */

/* A line's end, or a document's begin: what there is of the line is told. */
static void tell_line(struct json_filter *filter)
{
	size_t length = filter->at - filter->keep;

	if (length && !filter->long_line)
		filter->sink.text(filter->sink.context, (char *)filter->buffer + filter->keep,
				  length, place(filter, filter->keep).line);
	filter->keep = filter->at;
}

/* A terse line may have a JSON text in its job's name or description. */
static bool in_terse_line(const struct json_filter *filter)
{
	const unsigned char *line = filter->buffer + filter->keep;

	return filter->at - filter->keep >= 2 && isdigit(line[0]) && line[1] == ';';
}

static bool document_begins(struct json_filter *filter)
{
	return opens_with(filter, in_terse_line(filter) ? first_key : NULL);
}

static void scan_text(struct json_filter *filter)
{
	filter->keep = filter->at;
	filter->long_line = false;
	while (!filter->stopped) {
		unsigned char c;

		if (filter->at == filter->length)
			look_ahead(filter, 1);
		if (filter->at == filter->length) {
			tell_line(filter);
			return;
		}
		c = filter->buffer[filter->at];
		if (c == '\n' || c == '\r') {
			tell_line(filter);
			filter->keep = ++filter->at;
			filter->long_line = false;
			continue;
		}
		if (c == '{' && document_begins(filter)) {
			tell_line(filter);
			begin(filter);
			return;
		}
		filter->at++;
		if (filter->at - filter->keep == JSON_FILTER_TEXT_MAX) {
			tell_line(filter);
			filter->long_line = true;
		}
	}
}

static void skip_byte_order_mark(struct json_filter *filter)
{
	look_ahead(filter, 3);
	if (filter->length >= 3 && !memcmp(filter->buffer, "\xef\xbb\xbf", 3))
		filter->at = 3;
}

int json_filter_run(struct json_filter *filter)
{
	skip_byte_order_mark(filter);
	do {
		if (filter->in_document)
			scan_document(filter);
		else
			scan_text(filter);
	} while (!filter->stopped &&
		 (filter->in_document || filter->at < filter->length || !filter->end));
	return filter->error;
}
