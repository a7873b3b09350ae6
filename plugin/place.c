// SPDX-License-Identifier: GPL-2.0-only
/* Reads the kernel's table of mounts, /proc/self/mountinfo; see proc(5). */
#include "place.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MOUNT_TABLE "/proc/self/mountinfo"

/* The kernel writes white space and the backslash as \ooo. */
static void unescape(char *to, size_t size, const char *from)
{
	size_t length = 0;

	while (*from && length + 1 < size) {
		if (from[0] == '\\' && from[1] && from[2] && from[3]) {
			to[length++] = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 |
					      (from[3] - '0'));
			from += 4;
		} else {
			to[length++] = *from++;
		}
	}
	to[length] = '\0';
}

static int parse_line(char *line, struct place *place)
{
	char *fields[6], *save, *tail = strstr(line, " - ");
	char *type, *source, *options;

	if (!tail)
		return -1;
	*tail = '\0';
	for (unsigned int i = 0; i < 6; i++) {
		fields[i] = strtok_r(i ? NULL : line, " ", &save);
		if (!fields[i])
			return -1;
	}
	type = strtok_r(tail + 3, " \n", &save);
	source = strtok_r(NULL, " \n", &save);
	options = strtok_r(NULL, " \n", &save);
	if (!options || sscanf(fields[2], "%u:%u", &place->major, &place->minor) != 2)
		return -1;
	unescape(place->root, sizeof(place->root), fields[3]);
	unescape(place->mount, sizeof(place->mount), fields[4]);
	unescape(place->mount_options, sizeof(place->mount_options), fields[5]);
	unescape(place->type, sizeof(place->type), type);
	unescape(place->source, sizeof(place->source), source);
	unescape(place->options, sizeof(place->options), options);
	return 0;
}

/* Calls take(place, argument) for each mount, from the first to the last. */
static int each_mount(void (*take)(const struct place *place, void *argument), void *argument)
{
	FILE *table = fopen(MOUNT_TABLE, "re");
	struct place *place = malloc(sizeof(*place));
	char *line = NULL;
	size_t size = 0;

	if (!table || !place) {
		int error = errno;

		if (table)
			fclose(table);
		free(place);
		errno = error;
		return -1;
	}
	while (getline(&line, &size, table) > 0)
		if (!parse_line(line, place))
			take(place, argument);
	free(line);
	free(place);
	fclose(table);
	return 0;
}

struct quest {
	const char *path;
	struct place *found;
	size_t length; /* of the longest mount point so far */
	bool exactly;
	unsigned int major, minor, count;
};

/* Is path the mount point, or below it? */
static bool lies_on(const char *path, const char *mount, size_t length)
{
	if (strncmp(path, mount, length))
		return false;
	return path[length] == '\0' || path[length] == '/' || (length && mount[length - 1] == '/');
}

static void take_longest(const struct place *place, void *argument)
{
	struct quest *quest = argument;
	size_t length = strlen(place->mount);

	if (quest->exactly && strcmp(quest->path, place->mount))
		return;
	if (length < quest->length || !lies_on(quest->path, place->mount, length))
		return;
	quest->length = length;
	*quest->found = *place;
}

static void count_same(const struct place *place, void *argument)
{
	struct quest *quest = argument;

	if (place->major == quest->major && place->minor == quest->minor)
		quest->count++;
}

/* The path without symbolic links; of its directory when it is not there. */
static int resolve(const char *path, char resolved[PATH_MAX])
{
	char directory[PATH_MAX];
	char *slash;

	if (realpath(path, resolved))
		return 0;
	if (strlen(path) >= sizeof(directory)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(directory, path);
	slash = strrchr(directory, '/');
	if (!slash)
		strcpy(directory, ".");
	else
		slash[slash == directory] = '\0';
	return realpath(directory, resolved) ? 0 : -1;
}

static int find(const char *path, struct place *place, bool exactly)
{
	char resolved[PATH_MAX];
	struct quest quest = { .path = resolved, .found = place, .exactly = exactly };

	memset(place, 0, sizeof(*place));
	if (resolve(path, resolved) || each_mount(take_longest, &quest))
		return -1;
	if (place->type[0])
		return 0;
	errno = ENOENT;
	return -1;
}

int place_of(const char *path, struct place *place)
{
	return find(path, place, false);
}

int place_mounted_on(const char *directory, struct place *place)
{
	return find(directory, place, true);
}

unsigned int place_count(unsigned int major, unsigned int minor)
{
	struct quest quest = { .major = major, .minor = minor };

	return each_mount(count_same, &quest) ? 0 : quest.count;
}

uint64_t main_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	long bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}
