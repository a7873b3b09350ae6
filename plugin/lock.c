// SPDX-License-Identifier: GPL-2.0-only
/* Locks of whole files (-W) and of single records (-+l), as iozone places them. */
#include <fcntl.h>

#include "careful.h"

static int set_lock(int fd, short type, off_t start, off_t length)
{
	struct flock lock = {
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = start,
		.l_len = length,
	};

	return fcntl(fd, F_SETLKW, &lock);
}

/* Some tests of iozone wait for their lock with a clock that runs already. */
bool locks_before_clock(const struct child *child)
{
	switch (child->part->id) {
	case TEST_REWRITE:
	case TEST_REVERSE_READ:
	case TEST_RANDOM_READ:
		return false;
	default:
		return true;
	}
}

static int lock_failed(struct child *child, off_t offset)
{
	return child_fail(child, errno, (uint64_t)offset, "lock");
}

int lock_whole(struct child *child)
{
	short type = child->part->writes ? F_WRLCK : F_RDLCK;

	return set_lock(child->fd, type, 0, 0) ? lock_failed(child, 0) : 0;
}

int unlock_whole(struct child *child)
{
	return set_lock(child->fd, F_UNLCK, 0, 0) ? lock_failed(child, 0) : 0;
}

/*
 * The lock begins where the file stands: pwrite, pread, mappings and POSIX AIO
 * never move it from 0.  Iozone's pread asks for a lock for writing on a file
 * that is open for reading; that fails, and nobody minds.
 */
int lock_record(struct child *child)
{
	struct extras *extras = child->extras;
	bool for_writing = child->part->writes || child->part->id == TEST_PREAD;

	extras->locked = lseek(child->fd, 0, SEEK_CUR);
	if (extras->locked < 0)
		return seek_failed(child, extras->offset);
	if (!set_lock(child->fd, for_writing ? F_WRLCK : F_RDLCK, extras->locked,
		      (off_t)extras->size))
		return 0;
	if (child->part->id == TEST_PREAD && errno == EBADF)
		return 0;
	return lock_failed(child, extras->locked);
}

int unlock_record(struct child *child)
{
	struct extras *extras = child->extras;

	if (set_lock(child->fd, F_UNLCK, extras->locked, (off_t)extras->size))
		return lock_failed(child, extras->locked);
	return 0;
}
