// SPDX-License-Identifier: GPL-2.0-only
/* Puts a finished text where it belongs: all of it, or an error. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "output_file.h"

static int complain_of(const char *name, int error)
{
	complain(name, 0, "%s", strerror(error));
	return -1;
}

/* Returns 0, or errno. */
static int write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(fd, text, length);

		if (written < 0 && errno != EINTR)
			return errno;
		if (written > 0) {
			text += written;
			length -= (size_t)written;
		}
	}
	return 0;
}

int output_write(int fd, const char *name, const char *text, size_t length)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	int error;

	/* A reader that went away is an error like any other. */
	sigaction(SIGPIPE, &ignore, &before);
	error = write_all(fd, text, length);
	sigaction(SIGPIPE, &before, NULL);
	return error ? complain_of(name, error) : 0;
}

/* The file that a path leads to, through links; NULL when there is none. */
static char *target_of(const char *path)
{
	char *target = realpath(path, NULL);

	return target ? target : strdup(path);
}

/* A new file has the rights that the umask leaves, an old one keeps its own. */
static void set_mode(int fd, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask))
		return;
}

/* Returns 0, or errno. */
static int fill_and_rename(int fd, const char *temporary, const char *target, const char *text,
			   size_t length, const struct stat *old)
{
	int error = write_all(fd, text, length);

	set_mode(fd, old);
	if (!error && fsync(fd) && errno != EINVAL)
		error = errno;
	if (close(fd) && !error)
		error = errno;
	if (!error && rename(temporary, target))
		error = errno;
	if (error)
		unlink(temporary);
	return error;
}

static int replace(const char *path, const char *text, size_t length, const struct stat *old)
{
	char *target = target_of(path), *temporary = NULL;
	int fd, error = ENOMEM;

	if (target && asprintf(&temporary, "%s.XXXXXX", target) >= 0) {
		fd = mkostemp(temporary, O_CLOEXEC);
		error = fd < 0 ? errno : fill_and_rename(fd, temporary, target, text, length, old);
		free(temporary);
	}
	free(target);
	return error ? complain_of(path, error) : 0;
}

static int write_to(const char *path, const char *text, size_t length)
{
	int status, fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return complain_of(path, errno);
	status = output_write(fd, path, text, length);
	if (close(fd) && !status)
		return complain_of(path, errno);
	return status;
}

int output_file_replace(const char *path, const char *text, size_t length)
{
	struct stat old;

	if (stat(path, &old))
		return replace(path, text, length, NULL);
	if (S_ISREG(old.st_mode))
		return replace(path, text, length, &old);
	if (S_ISDIR(old.st_mode))
		return complain_of(path, EISDIR);
	return write_to(path, text, length);
}
