// SPDX-License-Identifier: GPL-2.0-only
/* Looks through a list of records: "offset size" or "offset size ms" in each line. */
#include "record_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* A line's numbers: how many there are; -1 when it is no such line. */
static int read_numbers(const char *text, uint64_t numbers[3])
{
	int count = 0;

	for (;;) {
		char *end;

		text += strspn(text, " \t");
		if (!*text || *text == '\n')
			return count;
		if (count == 3 || *text < '0' || *text > '9')
			return -1;
		errno = 0;
		numbers[count++] = strtoull(text, &end, 10);
		if (errno)
			return -1;
		text = end;
	}
}

static int take_line(const char *text, bool first, struct record_list *list)
{
	uint64_t numbers[3], end;
	int count = read_numbers(text, numbers);

	if (count < 2 || __builtin_add_overflow(numbers[0], numbers[1], &end) || end > INT64_MAX)
		return -1;
	if (end > list->extent)
		list->extent = end;
	/* iozone goes by the first record */
	if (first)
		list->has_delays = count == 3;
	return 0;
}

static int read_lines(FILE *file, const char *path, struct record_list *list)
{
	unsigned long long number = 0, records = 0;
	char *text = NULL;
	size_t size = 0;
	int status = 0;

	while (!status && getline(&text, &size, file) > 0) {
		number++;
		if (*text == '#' || *text == '\n')
			continue;
		status = take_line(text, !records++, list);
	}
	free(text);
	if (status)
		complain(path, number, "not a record: offset and size in bytes, and perhaps ms");
	else if (ferror(file))
		complain(path, 0, "%s", strerror(errno));
	else if (!records)
		complain(path, 0, "there is no record in it");
	else
		return 0;
	return -1;
}

int record_list_read(const char *path, const char *option, struct record_list *list)
{
	FILE *file = fopen(path, "re");
	int status;

	*list = (struct record_list){ .extent = 0 };
	if (!file) {
		complain(path, 0, "%s: %s", option, strerror(errno));
		return -1;
	}
	status = read_lines(file, path, list);
	fclose(file);
	return status;
}
