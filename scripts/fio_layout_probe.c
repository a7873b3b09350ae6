/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A throw-away engine that the build loads into the fio which will load the
 * real one: does that fio lay out its structures as the headers say that this
 * was compiled with?  scripts/host-fio runs it on one I/O of one job and reads
 * the verdict, one line on standard error that begins with "layout:".
 *
 * The first check needs nothing of fio but its table of options, which holds
 * fio's own offsets into struct thread_options.  The next ones look for known
 * values in struct thread_data and struct io_u.
 */
#include "fio.h"
#include "parse.h"
#include "optgroup.h"

#define PROBE_NAME "fio_layout_probe"
#define PROBE_FILE "fio-layout-probe-file"
#define PROBE_DEFAULT 20031
#define PROBE_SIZE 4096

struct probe_options {
	void *pad; /* fio takes offset 0 for no offset */
	unsigned int value;
};

struct known_option {
	const char *name;
	unsigned int offset;
};

#define KNOWN(option, member) \
	{ \
		.name = option, .offset = offsetof(struct thread_options, member), \
	}

/* Names that all of fio 3.28 to 3.42 have, from all over the structure. */
static const struct known_option known[] = {
	KNOWN("description", description),
	KNOWN("name", name),
	KNOWN("directory", directory),
	KNOWN("filename", filename),
	KNOWN("filename_format", filename_format),
	KNOWN("rw", td_ddir),
	KNOWN("iodepth", iodepth),
	KNOWN("size", size),
	KNOWN("bs", bs[DDIR_READ]),
	KNOWN("nrfiles", nr_files),
	KNOWN("direct", odirect),
	KNOWN("invalidate", invalidate_cache),
	KNOWN("create_on_open", create_on_open),
	KNOWN("verify_interval", verify_interval),
	KNOWN("thread", use_thread),
	KNOWN("unlink", unlink),
	KNOWN("norandommap", norandommap),
	KNOWN("fsync", fsync_blocks),
	KNOWN("runtime", timeout),
	KNOWN("loops", loops),
	KNOWN("numjobs", numjobs),
	KNOWN("nice", nice),
	KNOWN("fadvise_hint", fadvise_hint),
	KNOWN("clat_percentiles", clat_percentiles),
	KNOWN("write_bw_log", bw_log_file),
	KNOWN("exec_prerun", exec_prerun),
	KNOWN("thinktime", thinktime),
	KNOWN("rate_cycle", ratecycle),
	KNOWN("uid", uid),
	KNOWN("number_ios", number_ios),
	KNOWN("latency_target", latency_target),
	KNOWN("per_job_logs", per_job_logs),
	KNOWN("allow_file_create", allow_create),
};

extern struct fio_option fio_options[];
extern struct ioengine_ops ioengine;

static void __attribute__((noreturn, format(printf, 1, 2))) differs(const char *format, ...)
{
	va_list arguments;

	fputs("layout: differs: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	fflush(stderr);
	_exit(1);
}

static void check_option(const struct known_option *expected)
{
	const struct fio_option *option;

	for (option = fio_options; option->name; option++)
		if (!strcmp(option->name, expected->name))
			break;
	if (!option->name)
		differs("fio has no option %s", expected->name);
	if (option->off1 != expected->offset)
		differs("option %s is at %u, by the headers at %u", expected->name,
			(unsigned int)option->off1, expected->offset);
}

/* Runs when fio has loaded this, before it asks for anything. */
static void __attribute__((constructor)) check_options(void)
{
	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		check_option(&known[i]);
}

static int check_thread_data(struct thread_data *td)
{
	const struct probe_options *own = td->eo;

	if (td->o.size != PROBE_SIZE || td->o.numjobs != 1)
		differs("struct thread_options, size and numjobs");
	if (!own || own->value != PROBE_DEFAULT)
		differs("struct thread_data, eo");
	if (td->io_ops != &ioengine)
		differs("struct thread_data, io_ops");
	if (td->files_index != 1)
		differs("struct thread_data, files_index");
	if (!strstr(td->files[0]->file_name, PROBE_FILE))
		differs("struct fio_file, file_name");
	return 0;
}

static int probe_setup(struct thread_data *td)
{
	check_thread_data(td);
	td->files[0]->real_file_size = PROBE_SIZE;
	fio_file_set_size_known(td->files[0]);
	return 0;
}

static enum fio_q_status probe_queue(struct thread_data *td, struct io_u *io_u)
{
	check_thread_data(td);
	if (io_u->file != td->files[0] || io_u->ddir != DDIR_READ || io_u->offset != 0)
		differs("struct io_u, file, ddir and offset");
	if (io_u->buflen != PROBE_SIZE || io_u->xfer_buflen != PROBE_SIZE ||
	    io_u->xfer_buf != io_u->buf)
		differs("struct io_u, buffers");
	fputs("layout: same\n", stderr);
	return FIO_Q_COMPLETED;
}

static int probe_open(struct thread_data *td, struct fio_file *file)
{
	(void)td;
	(void)file;
	return 0;
}

static struct fio_option probe_options[] = {
	{
		.name = "probe_value",
		.lname = "Probe value",
		.type = FIO_OPT_INT,
		.off1 = offsetof(struct probe_options, value),
		.def = "20031",
		.help = "Known default",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = NULL,
	},
};

struct ioengine_ops ioengine = {
	.name = PROBE_NAME,
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_SYNCIO | FIO_DISKLESSIO | FIO_NODISKUTIL,
	.setup = probe_setup,
	.queue = probe_queue,
	.open_file = probe_open,
	.option_struct_size = sizeof(struct probe_options),
	.options = probe_options,
};
