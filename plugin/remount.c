// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unmount and mount again by the two system calls, with what the kernel's
 * table of mounts says of the file system: no fstab line is needed, and no
 * helper program that might wait for minutes.
 */
#include "remount.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>

#include "place.h"

#define TRIES 20
#define TRY_AGAIN_NS 250000000

static int because(char *why, size_t why_size, const char *directory, const char *reason)
{
	snprintf(why, why_size, "cannot unmount %s: %s", directory, reason);
	return -1;
}

/* Asks the kernel without unmounting: the first MNT_EXPIRE only leaves a mark. */
static const char *unmount_refused(const char *directory, bool *unmounted)
{
	struct stat status;
	int error;

	/* Somebody else's mark may have been there already: then it is unmounted now. */
	*unmounted = !umount2(directory, MNT_EXPIRE);
	if (*unmounted)
		return NULL;
	error = errno;
	/* Looking at it takes the mark away again. */
	if (stat(directory, &status) && !error)
		error = errno;
	switch (error) {
	case EAGAIN:
		return NULL;
	case EPERM:
		return "it takes root";
	case EBUSY:
		return "it is in use (an open file, or a process whose current directory it is)";
	case EINVAL:
		return "it is not a mount point that may be unmounted here";
	default:
		return strerror(error);
	}
}

struct mount_flag {
	const char *word;
	unsigned long flag;
};

static const struct mount_flag mount_flags[] = {
	{ "ro", MS_RDONLY },
	{ "nosuid", MS_NOSUID },
	{ "nodev", MS_NODEV },
	{ "noexec", MS_NOEXEC },
	{ "noatime", MS_NOATIME },
	{ "nodiratime", MS_NODIRATIME },
	{ "relatime", MS_RELATIME },
	{ "sync", MS_SYNCHRONOUS },
	{ "dirsync", MS_DIRSYNC },
	{ "mand", MS_MANDLOCK },
	{ "strictatime", MS_STRICTATIME },
	{ "lazytime", MS_LAZYTIME },
};

static unsigned long flag_of(const char *word)
{
	for (size_t i = 0; i < sizeof(mount_flags) / sizeof(mount_flags[0]); i++)
		if (!strcmp(word, mount_flags[i].word))
			return mount_flags[i].flag;
	return 0;
}

static unsigned long flags_of(const char *options)
{
	unsigned long flags = 0;
	char *copy = strdup(options), *save, *word;

	for (word = copy ? strtok_r(copy, ",", &save) : NULL; word;
	     word = strtok_r(NULL, ",", &save))
		flags |= flag_of(word);
	free(copy);
	return flags;
}

/*
 * What the file system itself is told.  The server's mount service may have
 * moved to another port meanwhile: without mountport= it is asked for.
 */
static bool is_data(const char *word)
{
	return strcmp(word, "rw") && !flag_of(word) && strncmp(word, "mountport=", 10) &&
	       strcmp(word, "seclabel");
}

static char *data_of(const char *options)
{
	char *copy = strdup(options), *data = calloc(1, strlen(options) + 1), *save, *word;

	if (!copy || !data) {
		free(copy);
		free(data);
		return NULL;
	}
	for (word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		if (!is_data(word))
			continue;
		if (*data)
			strcat(data, ",");
		strcat(data, word);
	}
	free(copy);
	return data;
}

static int unmount(const struct place *place)
{
	const struct timespec moment = { .tv_nsec = TRY_AGAIN_NS };

	for (unsigned int i = 0; i < TRIES; i++) {
		if (!umount2(place->mount, 0))
			return 0;
		if (errno != EBUSY)
			return -1;
		nanosleep(&moment, NULL);
	}
	return -1;
}

static int mount_again(const struct place *place, char *why, size_t why_size)
{
	unsigned long flags = flags_of(place->mount_options) | flags_of(place->options);
	char *data = data_of(place->options);
	int failed, error;

	if (!data)
		return because(why, why_size, place->mount, strerror(ENOMEM));
	failed = mount(place->source, place->mount, place->type, flags, data);
	error = errno;
	free(data);
	if (!failed)
		return 0;
	snprintf(why, why_size, "cannot mount %.80s on %.80s again, which is unmounted now: %s",
		 place->source, place->mount, strerror(error));
	return -1;
}

int remount(const struct place *place, char *why, size_t why_size)
{
	if (unmount(place))
		return because(why, why_size, place->mount, strerror(errno));
	return mount_again(place, why, why_size);
}

int remount_possible(const char *directory, struct place *place, char *why, size_t why_size)
{
	const char *refused;
	bool unmounted;

	if (place_mounted_on(directory, place))
		return because(why, why_size, directory,
			       errno == ENOENT ? "it is not a mount point" : strerror(errno));
	if (strcmp(place->root, "/") && strncmp(place->type, "nfs", 3))
		return because(why, why_size, directory, "it is a bind mount");
	if (place_count(place->major, place->minor) > 1)
		return because(why, why_size, directory,
			       "its file system is mounted elsewhere too, and so its cache would "
			       "stay");
	refused = unmount_refused(place->mount, &unmounted);
	if (unmounted)
		return mount_again(place, why, why_size);
	return refused ? because(why, why_size, directory, refused) : 0;
}
