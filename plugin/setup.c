// SPDX-License-Identifier: GPL-2.0-only
/*
 * The setup hook: fio calls it for every job in its main process before the
 * first fork.  Here the job's options are checked, fio's own habits that
 * iozone does not have are switched off, and the job gets its place in the
 * run.  A job that cannot be what it says is refused before a file is touched.
 */
#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fio.h"
#include "verify.h"

#include "extras.h"
#include "host.h"
#include "option_table.h"
#include "remount.h"
#include "run.h"
#include "run_log.h"
#include "telemetry.h"

/* A job was refused: nothing of the run shall start. */
static bool refused;

bool setup_refused(void)
{
	return refused;
}

static __attribute__((format(printf, 2, 3))) int refuse(struct thread_data *td, const char *format,
							...)
{
	char text[600];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	/* The other jobs of a section would only say the same again. */
	if (!td->subjob_number)
		log_err("fio-iozone: job %s: %s\n", td->o.name ? td->o.name : "?", text);
	refused = true;
	td_verror(td, EINVAL, "fio-iozone");
	return 1;
}

/* ---- what fio may not be asked to do beside ------------------------------- */

struct stranger {
	bool given;
	const char *option;
	const char *reason;
};

/* Options that would change the calls, the figures, or what a test is. */
static int refuse_strangers(struct thread_data *td)
{
	const struct thread_options *o = &td->o;
	const struct stranger strangers[] = {
		{ o->nr_files != 1, "nrfiles", "a child has one file" },
		{ o->loops > 1, "loops", "a test runs once" },
		{ o->time_based, "time_based", "a test ends with its file" },
		{ o->ramp_time, "ramp_time", "iozone measures from the start" },
		{ o->number_ios, "number_ios", "a test ends with its file" },
		{ o->io_size, "io_size", "a test ends with its file" },
		{ o->fill_device, "fill_device", "give size=" },
		{ o->start_offset, "offset", "files are read and written from their start" },
		{ o->size_percent, "size", "give the size in bytes, not in per cent" },
		{ o->verify != VERIFY_NONE, "verify", "use iozone_verify" },
		{ o->pre_read, "pre_read", "it would fill the cache" },
		{ o->thinktime, "thinktime", "use iozone_compute" },
		{ o->rate[DDIR_READ] || o->rate[DDIR_WRITE], "rate", "use iozone_op_rate" },
		{ o->rate_iops[DDIR_READ] || o->rate_iops[DDIR_WRITE], "rate_iops",
		  "use iozone_op_rate" },
		{ o->fsync_blocks, "fsync", "iozone has no fsync between records" },
		{ o->fdatasync_blocks, "fdatasync", "iozone has no fdatasync between records" },
		{ o->end_fsync, "end_fsync", "use iozone_flush" },
		{ o->fsync_on_close, "fsync_on_close", "use iozone_flush" },
		{ o->io_submit_mode, "io_submit_mode", "the child itself makes its calls" },
		{ o->zone_mode != ZONE_MODE_NONE, "zonemode", "iozone knows no zones" },
		{ o->read_iolog_file != NULL, "read_iolog", "a test has an access pattern" },
		{ o->sync_file_range, "sync_file_range", "iozone has none between records" },
		{ o->bssplit_nr[DDIR_READ] || o->bssplit_nr[DDIR_WRITE], "bssplit",
		  "all records have one size" },
		{ o->flow, "flow", "nothing but the test sets the pace" },
		{ o->wait_for != NULL, "wait_for", "a test begins with stonewall" },
		{ o->new_group && !o->stonewall, "new_group", "a test begins with stonewall" },
		{ o->start_delay, "startdelay", "the children start together" },
		{ exitall_on_terminate, "exitall", "it would cut off the tails of the others" },
		{ o->exec_postrun != NULL, "exec_postrun", "Parent would wait for it" },
		{ o->write_bw_log || o->write_lat_log || o->write_iops_log || o->write_hist_log,
		  "write_*_log", "Parent would wait for it; see iozone_latency_log" },
		{ o->refill_buffers || o->buffer_pattern_bytes || o->compress_percentage ||
			  o->dedupe_percentage,
		  "refill_buffers, buffer_* or dedupe_*",
		  "the data are iozone's; see iozone_dedup, iozone_verify" },
		{ fio_option_is_set(&td->o, rwmix[DDIR_READ]) ||
			  fio_option_is_set(&td->o, rwmix[DDIR_WRITE]),
		  "rwmixread", "use iozone_mix_read" },
		{ fio_option_is_set(&td->o, invalidate_cache) && o->invalidate_cache, "invalidate",
		  "iozone drops no caches; see iozone_remount" },
		{ o->trim_percentage, "trim_percentage", "iozone does not trim" },
		{ td->o.td_ddir & TD_DDIR_TRIM, "rw", "iozone does not trim" },
	};

	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		if (strangers[i].given)
			return refuse(td, "%s does not go with ioengine=iozone: %s",
				      strangers[i].option, strangers[i].reason);
	if (!o->create_serialize)
		return refuse(td, "create_serialize=0 does not go with ioengine=iozone: "
				  "the children could not meet");
	return 0;
}

/* ---- the job's own options -------------------------------------------------- */

static int check_options(struct thread_data *td, const struct iozone_options *options)
{
	const struct iozone_test *row = iozone_test_row(options->test - 1);
	const char *stray = options_out_of_range(options);
	const char *conflict;
	unsigned int direction;

	if (!row)
		return refuse(td, "iozone_test= is missing: which test is it?");
	direction = row->writes ? TD_DDIR_WRITE : TD_DDIR_READ;
	if (fio_option_is_set(&td->o, td_ddir) && !(td->o.td_ddir & direction))
		return refuse(td, "rw=%s does not go with iozone_test=%s",
			      row->writes ? "read" : "write", row->name);
	if (!td->o.size && !td->o.file_size_low)
		return refuse(td, "size= is missing");
	if (stray)
		return refuse(td, "%s is out of range", stray);
	conflict = extras_conflict(options, row);
	if (conflict)
		return refuse(td, "iozone_test=%s: %s", row->name, conflict);
	return 0;
}

static int size_file(struct thread_data *td, struct job *job)
{
	struct child *child = &job->child;
	unsigned long long size = td->o.size ? td->o.size : td->o.file_size_low;
	unsigned long long record = job->options.record;

	if (!record)
		record = td->o.min_bs[child->row->writes ? DDIR_WRITE : DDIR_READ];
	child->record = record;
	child->count = size / record;
	if (!child->count)
		return refuse(td, "a record of %llu bytes is larger than the file of %llu bytes",
			      record, size);
	if (child->count > UINT32_MAX)
		return refuse(td, "more than 2^32 records a file: use a larger iozone_record");
	return 0;
}

/* Mixed is one of the other tests for each of its children. */
static const struct iozone_test *part_of(const struct job *job)
{
	const struct iozone_options *o = &job->options;
	const struct child *child = &job->child;
	bool writes;

	if (child->row->id != TEST_MIXED)
		return child->row;
	if (o->mix_read)
		writes = child->number >= o->mix_read * child->children / 100;
	else
		writes = child->number % 2;
	if (o->mix_sequential)
		return iozone_test_row(writes ? TEST_WRITE : TEST_READ);
	return iozone_test_row(writes ? TEST_RANDOM_WRITE : TEST_RANDOM_READ);
}

static int open_flags(const struct thread_data *td, const struct job *job)
{
	const struct iozone_test *part = job->child.part;
	unsigned int sync = td->o.sync_io;
	int flags = O_RDONLY;

	if (part->writes)
		flags = part->id == TEST_REWRITE ? O_RDWR : O_RDWR | O_CREAT;
	if (part->writes && job->child.row->id == TEST_MIXED && job->options.truncate)
		flags |= O_TRUNC;
	if (td->o.odirect)
		flags |= O_DIRECT;
	/* iozone opens its readers with O_SYNC too, but not with O_DSYNC. */
	if ((sync & O_SYNC) == O_SYNC)
		flags |= O_SYNC;
	else if (sync && part->writes)
		flags |= O_DSYNC;
	return flags;
}

/* ---- what fio would do by itself ---------------------------------------------- */

static void calm_fio(struct thread_data *td, const struct job *job)
{
	struct thread_options *o = &td->o;
	const struct child *child = &job->child;
	struct fio_file *f = td->files[0];
	/* With bsrange= the upper end, since fio wants files no smaller than the lower one. */
	unsigned long long turn = o->max_bs[child->part->writes ? DDIR_WRITE : DDIR_READ];
	unsigned long long records = turn / child->record;

	/* A turn is a whole number of records; the file a whole number of turns. */
	turn = (records ? records : 1) * child->record;
	for (enum fio_ddir ddir = DDIR_READ; ddir <= DDIR_WRITE; ddir++)
		o->bs[ddir] = o->min_bs[ddir] = o->max_bs[ddir] = turn;
	o->size = (child->count * child->record + turn - 1) / turn * turn;
	o->file_size_low = o->file_size_high = 0;
	o->td_ddir = child->part->writes ? TD_DDIR_WRITE : TD_DDIR_READ;

	/* No layout, no dropping of caches, no hints, no filling of buffers. */
	o->create_on_open = 1;
	o->overwrite = 0;
	o->invalidate_cache = 0;
	o->fadvise_hint = F_ADV_NONE;
	o->fallocate_mode = FIO_FALLOCATE_NONE;
	o->scramble_buffers = 0;
	/* With one file it is all the same, but for the endless tries to open it. */
	o->file_service_type = FIO_FSERVICE_RR;
	td->flags &= ~(TD_F_SCRAMBLE_BUFFERS | TD_F_REFILL_BUFFERS);
	f->real_file_size = o->size;
}

/* fio prints the options of a job in its JSON: the run's id goes with them. */
static int put_run_id(struct thread_data *td)
{
	struct print_option *option = calloc(1, sizeof(*option));

	if (!option)
		return -1;
	option->name = strdup(RUN_LOG_RUN_OPTION);
	option->value = strdup(run_id());
	flist_add_tail(&option->list, &td->opt_list);
	return option->name && option->value ? 0 : -1;
}

/* ---- the job's place in the run --------------------------------------------------- */

static int same_test(struct thread_data *td, struct group *group, const struct iozone_test *row)
{
	if (!group->row)
		group->row = row;
	if (group->row == row)
		return 0;
	return refuse(td, "iozone_test=%s in a group that does %s: a test begins with stonewall",
		      row->name, group->row->name);
}

static int check_remount(struct thread_data *td, struct group *group,
			 const struct iozone_options *options)
{
	char why[300];

	if (!options->remount || group->remount)
		return 0;
	if (remount_possible(options->remount, &group->remount_place, why, sizeof(why)))
		return refuse(td, "iozone_remount: %s", why);
	group->remount = group->remount_place.mount;
	return 0;
}

static int open_log(struct thread_data *td, struct job *job)
{
	char why[200];

	if (!job->options.log)
		return 0;
	job->log_path = strdup(job->options.log);
	job->log = job->log_path ? run_log(job->log_path, why, sizeof(why)) : NULL;
	if (!job->log)
		return refuse(td, "iozone_log=%s: %s", job->options.log, why);
	return 0;
}

static void find_place(struct job *job)
{
	struct place *place = malloc(sizeof(*place));

	job->fs_type = job->fs_options = job->fs_mount = "";
	if (place && !place_of(job->child.path, place)) {
		job->fs_type = strdup(place->type);
		job->fs_options = strdup(place->options);
		job->fs_mount = strdup(place->mount);
	}
	free(place);
}

static int fill_job(struct thread_data *td, struct job *job)
{
	struct child *child = &job->child;

	job->td = td;
	job->main_process = getpid();
	job->name = strdup(td->o.name ? td->o.name : "");
	child->path = strdup(td->files[0]->file_name);
	child->row = iozone_test_row(job->options.test - 1);
	child->options = &job->options;
	child->direct = td->o.odirect;
	child->thread = td->o.use_thread;
	child->fd = -1;
	if (!job->name || !child->path)
		return refuse(td, "%s", strerror(ENOMEM));
	return size_file(td, job);
}

/* The records of a child that follows a list of them. */
static int take_telemetry(struct thread_data *td, struct job *job)
{
	struct child *child = &job->child;
	const char *path =
		child->part->writes ? job->options.write_telemetry : job->options.read_telemetry;
	char why[500];

	if (!path)
		return 0;
	child->telemetry = telemetry_read(path, why, sizeof(why));
	if (!child->telemetry)
		return refuse(td, "iozone_%s_telemetry: %s", child->part->writes ? "write" : "read",
			      why);
	child->count = child->telemetry->count;
	child->record = child->telemetry->largest;
	return 0;
}

static int choose(struct thread_data *td, struct job *job)
{
	struct child *child = &job->child;

	child->part = part_of(job);
	if (take_telemetry(td, job))
		return 1;
	child->loop = choose_loop(child);
	child->medium = choose_medium(child);
	child->open_flags = open_flags(td, job);
	/* Those that pay no attention to the stop flag still stop when fio is told to. */
	child->stop =
		child->part->stop == STOP_IGNORES ? &child->meet->interrupted : &child->meet->stop;
	return 0;
}

static int join(struct thread_data *td, struct job *job, struct group *group)
{
	const struct iozone_options *options = &job->options;

	if (same_test(td, group, job->child.row) || check_remount(td, group, options) ||
	    open_log(td, job))
		return 1;
	if (options->before && !group->before)
		group->before = strdup(options->before);
	if (options->settle_us * 1000 > group->settle_ns)
		group->settle_ns = options->settle_us * 1000;
	if (group_add(group, job) || put_run_id(td))
		return refuse(td, "%s", strerror(errno));
	job->child.children = group->meet->children;
	job->child.after_write = run_wrote_before(group);
	if (choose(td, job))
		return 1;
	calm_fio(td, job);
	find_place(job);
	td->io_ops_data = job;
	/*
	 * The options are ours from here on.  Otherwise fio frees them once when
	 * it forks the job, and once more at the end if that job was killed.
	 */
	job->given = td->eo;
	td->eo = NULL;
	return 0;
}

static struct job *new_job(const struct iozone_options *options)
{
	struct job *job = calloc(1, sizeof(*job));

	if (job)
		job->options = *options;
	return job;
}

/* Nothing of td may be touched.  Once is enough for all jobs. */
static int refuse_host(const char *mismatch)
{
	static bool told;

	if (!told)
		log_err("fio-iozone: %s\n", mismatch);
	told = true;
	return 1;
}

int iozone_setup(struct thread_data *td)
{
	const char *mismatch = host_mismatch(td);
	const struct iozone_options *options;
	struct group *group;
	struct job *job;

	if (mismatch)
		return refuse_host(mismatch);
	options = td->eo;
	if (refuse_strangers(td) || check_options(td, options))
		return 1;
	job = new_job(options);
	if (!job || run_begin() || !(group = run_group(td)))
		return refuse(td, "%s", strerror(errno));
	if (fill_job(td, job) || join(td, job, group)) {
		meet_break(group->meet, group->meet->children, "job %s could not be set up",
			   td->o.name);
		return 1;
	}
	return 0;
}
