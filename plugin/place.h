/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a file lies: the mount it is on. */
#ifndef PLACE_H
#define PLACE_H

#include <limits.h>
#include <stdint.h>

/* A line of the kernel's table of mounts, unescaped. */
struct place {
	char mount[PATH_MAX];	 /* mount point */
	char root[PATH_MAX];	 /* what of the file system is mounted there, "/" for all of it */
	char type[64];		 /* "nfs", "ext4", … */
	char source[PATH_MAX];	 /* "server:/export", "/dev/sda1" */
	char mount_options[512]; /* of the mount */
	char options[2048];	 /* of the file system */
	unsigned int major, minor;
};

/*
 * Finds the mount that path is on; a path that is not there yet is where its
 * directory is.  Returns 0, or -1 with errno set; *place is then all empty.
 */
int place_of(const char *path, struct place *place);

/*
 * Finds the mount whose mount point is directory, the uppermost one.
 * Returns 0, or -1 with errno set: ENOENT when it is no mount point.
 */
int place_mounted_on(const char *directory, struct place *place);

/* How many mounts share the file system major:minor. */
unsigned int place_count(unsigned int major, unsigned int minor);

/* Bytes of main memory, 0 when the system does not tell. */
uint64_t main_memory(void);

#endif
