// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio has no stable interface for engines, and its version number for them
 * does not tell all layouts apart.  What can be compared at run time: the
 * version strings, the offsets in the host's own table of options, and that
 * what we read through thread_data is what must be there.
 */
#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fio.h"

#include "options.h"

#ifndef FIO_BUILT_FOR
#error "FIO_BUILT_FOR: the version of the fio to build for, such as \"fio-3.33\""
#endif

extern struct ioengine_ops ioengine;

struct known_offset {
	const char *option;
	size_t offset;
};

#define OPTION(name, member) \
	{ \
		name, offsetof(struct thread_options, member) \
	}

/* Options of all supported fios, from all over the structure. */
static const struct known_offset known[] = {
	OPTION("description", description),
	OPTION("name", name),
	OPTION("directory", directory),
	OPTION("filename", filename),
	OPTION("rw", td_ddir),
	OPTION("iodepth", iodepth),
	OPTION("size", size),
	OPTION("io_size", io_size),
	OPTION("fill_device", fill_device),
	OPTION("filesize", file_size_low),
	OPTION("bs", bs),
	OPTION("nrfiles", nr_files),
	OPTION("invalidate", invalidate_cache),
	OPTION("create_serialize", create_serialize),
	OPTION("create_on_open", create_on_open),
	OPTION("direct", odirect),
	OPTION("sync", sync_io),
	OPTION("thread", use_thread),
	OPTION("unlink", unlink),
	OPTION("scramble_buffers", scramble_buffers),
	OPTION("time_based", time_based),
	OPTION("loops", loops),
	OPTION("numjobs", numjobs),
	OPTION("thinktime", thinktime),
	OPTION("group_reporting", group_reporting),
	OPTION("stonewall", stonewall),
	OPTION("exec_prerun", exec_prerun),
	OPTION("unified_rw_reporting", unified_rw_rep),
	OPTION("uid", uid),
	OPTION("flow", flow),
};

/* Reads memory that may not be there. */
static bool peek(const void *from, void *to, size_t bytes)
{
	struct iovec local = { .iov_base = to, .iov_len = bytes };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)from, .iov_len = bytes };
	ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);

	if (got < 0 && (errno == ENOSYS || errno == EPERM)) {
		/* A sandbox forbids the question; the version and the offsets did agree. */
		memcpy(to, from, bytes);
		return true;
	}
	return got == (ssize_t)bytes;
}

static const struct fio_option *host_option(const char *name)
{
	for (const struct fio_option *option = fio_options; option->name; option++)
		if (!strcmp(option->name, name) || (option->alias && !strcmp(option->alias, name)))
			return option;
	return NULL;
}

/* The first option that the host has at another place, or NULL. */
static const char *option_elsewhere(void)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct fio_option *option = host_option(known[i].option);

		if (option && option->off1 != known[i].offset)
			return known[i].option;
	}
	return NULL;
}

static bool our_options_missing(struct thread_data *td)
{
	struct iozone_options options;

	return !peek(td->eo, &options, sizeof(options)) || options.mark != OPTIONS_MARK;
}

/* The first file of a job has a name, and it is a printable one. */
static bool no_file_name(struct thread_data *td)
{
	struct fio_file *file;
	const char *name;
	char begin[1];

	if (td->o.nr_files == 0 || !peek(td->files, &file, sizeof(file)) ||
	    !peek(&file->file_name, &name, sizeof(name)) || !peek(name, begin, sizeof(begin)))
		return true;
	return begin[0] == '\0';
}

const char *host_version(void)
{
	return fio_version_string;
}

const char *host_mismatch(struct thread_data *td)
{
	static char why[300];
	const char *option = option_elsewhere();
	const char *what = NULL;

	if (strcmp(fio_version_string, FIO_BUILT_FOR))
		what = "another version";
	else if (option)
		what = "same version, but its options lie elsewhere";
	else if (td->io_ops != &ioengine)
		what = "same version, but another thread_data";
	else if (our_options_missing(td))
		what = "same version, but the engine's options are not where they should be";
	else if (no_file_name(td))
		what = "same version, but the files are not where they should be";
	if (!what)
		return NULL;
	snprintf(why, sizeof(why),
		 "built for %s, loaded by %s (%s%s%s): rebuild with make FIO=<this fio> "
		 "FIO_SRC=<its source tree>",
		 FIO_BUILT_FOR, fio_version_string, what, option ? ", first " : "",
		 option ? option : "");
	return why;
}
