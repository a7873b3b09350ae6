// SPDX-License-Identifier: GPL-2.0-only
/* Files of records; what iozone would end on or misread is said with its line. */
#include "telemetry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000ull
#define BLANKS " \t\r\n"
/* iozone has room for as many characters in a line. */
#define LINE 200
/* What an offset in a file can be. */
#define OFFSET_MAX INT64_MAX
#define DELAY_MAX 3600000ull

/* The number that begins at *at, which is left behind it.  False: there is none. */
static bool take_number(char **at, uint64_t most, uint64_t *number)
{
	char *end;

	*at += strspn(*at, BLANKS);
	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*number = strtoull(*at, &end, 10);
	if (errno || *number > most || (*end && !strchr(BLANKS, *end)))
		return false;
	*at = end + strspn(end, BLANKS);
	return true;
}

/* What is wrong with a line; NULL when it is an entry. */
static const char *take_entry(char *line, struct telemetry_entry *entry)
{
	uint64_t delay_ms;

	memset(entry, 0, sizeof(*entry));
	if (!take_number(&line, OFFSET_MAX, &entry->offset))
		return "no offset in bytes";
	if (!take_number(&line, OFFSET_MAX - entry->offset, &entry->size) || !entry->size)
		return "no size in bytes";
	if (!*line)
		return NULL;
	if (!take_number(&line, DELAY_MAX, &delay_ms))
		return "no delay in milliseconds";
	entry->delay_ns = delay_ms * NS_PER_MS;
	entry->has_delay = true;
	return *line ? "more than three numbers" : NULL;
}

static bool says_nothing(const char *line)
{
	return line[0] == '#' || !line[strspn(line, BLANKS)];
}

static bool append(struct telemetry *telemetry, struct telemetry_entry entry)
{
	size_t count = telemetry->count;
	uint64_t end = entry.offset + entry.size;

	/* Room grows by doubling: the count is a power of two whenever it is used up. */
	if (!(count & (count - 1))) {
		size_t room = count ? 2 * count : 1;
		void *entries = realloc(telemetry->entries, room * sizeof(entry));

		if (!entries)
			return false;
		telemetry->entries = entries;
	}
	entry.end = telemetry_bytes(telemetry, count) + entry.size;
	telemetry->entries[telemetry->count++] = entry;
	if (entry.size > telemetry->largest)
		telemetry->largest = entry.size;
	if (end > telemetry->extent)
		telemetry->extent = end;
	return true;
}

static bool read_lines(FILE *file, struct telemetry *telemetry, const char *path, char *why,
		       size_t why_size)
{
	char line[LINE + 2];

	for (unsigned int number = 1; fgets(line, sizeof(line), file); number++) {
		struct telemetry_entry entry;
		const char *wrong;

		if (says_nothing(line) && strchr(line, '\n'))
			continue;
		wrong = strlen(line) > LINE ? "too long" : take_entry(line, &entry);
		if (wrong) {
			snprintf(why, why_size, "%s:%u: %s", path, number, wrong);
			return false;
		}
		if (!append(telemetry, entry)) {
			snprintf(why, why_size, "%s", strerror(ENOMEM));
			return false;
		}
	}
	if (ferror(file))
		snprintf(why, why_size, "%s: %s", path, strerror(errno));
	else if (!telemetry->count)
		snprintf(why, why_size, "%s: no records in it", path);
	else
		return true;
	return false;
}

struct telemetry *telemetry_read(const char *path, char *why, size_t why_size)
{
	struct telemetry *telemetry = calloc(1, sizeof(*telemetry));
	FILE *file = telemetry ? fopen(path, "re") : NULL;

	if (!file) {
		snprintf(why, why_size, "%s: %s", path, strerror(errno));
		free(telemetry);
		return NULL;
	}
	if (!read_lines(file, telemetry, path, why, why_size)) {
		telemetry_free(telemetry);
		telemetry = NULL;
	}
	fclose(file);
	return telemetry;
}

void telemetry_free(struct telemetry *telemetry)
{
	if (telemetry)
		free(telemetry->entries);
	free(telemetry);
}

uint64_t telemetry_delay_ns(const struct telemetry *telemetry, uint64_t record,
			    uint64_t otherwise_ns)
{
	const struct telemetry_entry *entry = &telemetry->entries[record];

	return entry->has_delay ? entry->delay_ns : otherwise_ns;
}

uint64_t telemetry_bytes(const struct telemetry *telemetry, uint64_t records)
{
	return records ? telemetry->entries[records - 1].end : 0;
}
