// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-iozone: iozone's throughput tests as an external engine of fio.
 *
 * fio starts the children, hands over a turn at a time and shows progress.
 * What makes the figures is done here: the common start, one call a record,
 * the stop flag, the untimed tail, the clocks.  Each child then writes a line
 * to the run log.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fio.h"
#include "optgroup.h"

#include "extras.h"
#include "host.h"
#include "lifeline.h"
#include "option_table.h"
#include "remount.h"
#include "run.h"
#include "setup.h"
#include "shuffle.h"

/* ---- failures ------------------------------------------------------------ */

/* Says what failed, and lets fio know.  Returns 1. */
static int job_failed(struct job *job)
{
	struct child *child = &job->child;

	child->end = END_FAILED;
	log_err("fio-iozone: %s: child %u of %u: %s: %s\n", job->group->row->name, child->number,
		child->children, child->path, child->failure.what);
	td_verror(job->td, child->failure.error, "fio-iozone");
	meet_break(child->meet, child->number, "child %u of %u failed: %s", child->number,
		   child->children, child->failure.what);
	return 1;
}

/* There will be no release.  One child says why; all of them fail. */
static int gate_broken(struct job *job)
{
	struct child *child = &job->child;
	struct meet *meet = child->meet;
	bool interrupted = meet_interrupted(meet);

	child->end = interrupted ? END_INTERRUPTED : END_FAILED;
	child->failure.error = interrupted ? EINTR : ECANCELED;
	snprintf(child->failure.what, sizeof(child->failure.what), "not started: %s",
		 meet_why(meet));
	if (meet_tell(meet))
		log_err("fio-iozone: %s: %s\n", job->group->row->name, child->failure.what);
	td_verror(job->td, child->failure.error, "fio-iozone");
	return 1;
}

/* ---- the world outside the meeting point --------------------------------- */

/* fio's main process notes it when one of its children is gone. */
static bool peer_gone(const void *context, unsigned int i)
{
	const struct job *self = context;
	const struct job *peer = self->group->jobs[i];

	return !peer || peer->td->runstate >= TD_EXITED;
}

static bool orphaned(const struct job *job)
{
	return !job->child.thread && getppid() != job->main_process;
}

static const char *over(const void *context)
{
	const struct job *job = context;

	if (orphaned(job))
		return "fio's main process is gone";
	return job->td->terminate ? "the run was told to stop" : NULL;
}

static struct meet_world world_of(const struct job *job)
{
	return (struct meet_world){ peer_gone, over, job };
}

/* ---- before the test ------------------------------------------------------ */

/* What the command prints goes to standard error: fio's output may be on the other one. */
static int run_shell(const char *command)
{
	char *line;
	int status;

	if (asprintf(&line, "exec >&2\n%s", command) < 0)
		return -1;
	status = system(line);
	free(line);
	return status;
}

static int run_command(const struct child *child, const char *command)
{
	int status = run_shell(command);

	if (status == 0)
		return 0;
	if (status < 0)
		meet_break(child->meet, child->number, "iozone_before=%.100s: %s", command,
			   strerror(errno));
	else if (WIFEXITED(status))
		meet_break(child->meet, child->number, "iozone_before=%.100s: exit status %d",
			   command, WEXITSTATUS(status));
	else
		meet_break(child->meet, child->number, "iozone_before=%.100s: signal %d", command,
			   WTERMSIG(status));
	return -1;
}

/* What happens once before a test, outside all clocks. */
static int settle(void *argument)
{
	struct job *job = argument;
	struct group *group = job->group;
	struct meet_world world = world_of(job);
	unsigned int self = job->child.number;
	char why[200];

	if (group->before && run_command(&job->child, group->before))
		return -1;
	if (group->remount && remount(&group->remount_place, why, sizeof(why))) {
		meet_break(group->meet, self, "%s", why);
		return -1;
	}
	if (!group->settle_ns)
		return 0;
	sync();
	if (meet_pause(group->meet, &world, group->settle_ns)) {
		meet_break(group->meet, self, "the run was told to stop");
		return -1;
	}
	return 0;
}

/*
 * fio has buffers of its own, which nobody uses here: of many children they
 * would take more memory than the test itself.  It makes them between these
 * two hooks, and only for jobs that read or write.
 */
static void no_buffers_yet(struct thread_data *td)
{
	td->o.td_ddir = 0;
}

static int iozone_post_init(struct thread_data *td)
{
	const struct job *job = td->io_ops_data;

	td->o.td_ddir = job->child.part->writes ? TD_DDIR_WRITE : TD_DDIR_READ;
	return 0;
}

static int iozone_init(struct thread_data *td)
{
	struct job *job = td->io_ops_data;
	struct child *child = &job->child;
	const struct meet_world world = world_of(job);

	meet_enter(child->meet, child->number, td->pid);
	lifeline_hold(job);
	/* What came before now was told to fio alone, not to iozone_terminate(). */
	if (over(job))
		meet_interrupt(child->meet);
	if (setup_refused()) {
		meet_break(child->meet, child->number, "a job of the run was refused");
		meet_tell(child->meet);
		return gate_broken(job);
	}
	if (child->meet->joined < child->meet->children)
		meet_break(child->meet, child->number,
			   "a job of its group has another ioengine: put stonewall before it");
	if (meet_settle(child->meet, child->number, &world, settle, job))
		return gate_broken(job);
	no_buffers_yet(td);
	return 0;
}

/* ---- the clock ------------------------------------------------------------ */

static uint64_t timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

static void cpu_time(const struct child *child, uint64_t *user_ns, uint64_t *system_ns)
{
	struct rusage usage;

	getrusage(child->thread ? RUSAGE_THREAD : RUSAGE_SELF, &usage);
	*user_ns = timeval_ns(usage.ru_utime);
	*system_ns = timeval_ns(usage.ru_stime);
}

static void start_clock(struct child *child)
{
	cpu_time(child, &child->user_ns, &child->system_ns);
	child->start_ns = monotonic_ns();
	atomic_store(&child->meet->seats[child->number].start_ns, child->start_ns);
	child->clock_runs = true;
}

static void stop_clock(struct child *child)
{
	if (!child->clock_runs)
		return;
	child->stop_ns = monotonic_ns();
	child->clock_runs = false;
}

/* The child's time on the processor; iozone counts the tail too. */
static void take_cpu_time(struct child *child)
{
	uint64_t user_ns, system_ns;

	cpu_time(child, &user_ns, &system_ns);
	child->user_ns = user_ns - child->user_ns;
	child->system_ns = system_ns - child->system_ns;
	child->wall_ns = monotonic_ns() - child->start_ns;
}

/* ---- start ---------------------------------------------------------------- */

static int prepare(struct child *child)
{
	if (child_buffer(child) || extras_ready(child))
		return -1;
	if (child->part->access != ACCESS_SHUFFLED)
		return 0;
	child->order = shuffled_records(child->count);
	return child->order ? 0 : child_fail(child, ENOMEM, 0, "malloc");
}

static int iozone_open_file(struct thread_data *td, struct fio_file *f)
{
	struct job *job = td->io_ops_data;
	struct child *child = &job->child;
	const struct meet_world world = world_of(job);

	if (child->end != END_NONE)
		return 1;
	if (extras_prepare(child) || child->medium->open(child)) {
		job_failed(job);
		goto fail;
	}
	child->opened = true;
	if (prepare(child)) {
		job_failed(job);
		goto fail;
	}
	if (meet_wait(child->meet, child->number, &world)) {
		gate_broken(job);
		goto fail;
	}
	if (extras_released(child)) {
		job_failed(job);
		goto fail;
	}
	f->fd = child->fd;
	start_clock(child);
	return 0;
fail:
	if (child->opened)
		child->medium->finish(child);
	return 1;
}

/* ---- the end of the loop --------------------------------------------------- */

static bool has_tail(const struct child *child)
{
	return child->part->stop == STOP_TAIL;
}

static void raise_flag(struct child *child)
{
	if (child->options->stonewall)
		meet_stop(child->meet);
}

/*
 * What follows the last record.  Writers with a tail raise the flag at once,
 * the others when their time is taken: so does iozone.
 */
static void finish_loop(struct child *child)
{
	if (has_tail(child))
		raise_flag(child);
	if (child->options->flush)
		child->medium->flush(child);
	if (child->options->close)
		child->medium->close(child);
	stop_clock(child);
	if (!has_tail(child))
		raise_flag(child);
	take_cpu_time(child);
}

/* The flag is up: a writer takes its time here, before its tail. */
static void stop_before_tail(struct child *child)
{
	bool closes = child->options->close && child->part->id == TEST_WRITE;

	if (child->options->flush)
		child->medium->flush(child);
	if (closes)
		child->medium->close_for_stop(child);
	stop_clock(child);
	if (closes && !child->failure.error)
		child->medium->reopen(child);
}

static void end_loop(struct child *child)
{
	child->end = child->counted == child->count ? END_FINISHED : END_STOPPED;
	if (has_tail(child) && child->next < child->count)
		stop_before_tail(child);
	else
		finish_loop(child);
}

/* fio was told to stop: there is no tail then, and nothing to be stopped by. */
static void interrupt_loop(struct child *child)
{
	stop_clock(child);
	take_cpu_time(child);
	child->end = END_INTERRUPTED;
}

/* Ends the loop, or notes the failure.  Returns 0, or errno. */
static int take_end(struct job *job, enum turn_end end)
{
	struct child *child = &job->child;

	atomic_store(&child->meet->seats[child->number].records, child->counted);
	if (end == TURN_FAILED) {
		stop_clock(child);
		take_cpu_time(child);
	} else if (child->next == child->count) {
		end_loop(child);
	} else if (end == TURN_STOPPED) {
		/* The loop's look at the flag was a relaxed one: this one orders the next. */
		(void)atomic_load_explicit(child->stop, memory_order_acquire);
		if (meet_interrupted(child->meet))
			interrupt_loop(child);
		else
			end_loop(child);
	}
	if (!child->failure.error)
		return 0;
	job_failed(job);
	return child->failure.error;
}

static int iozone_prep(struct thread_data *td, struct io_u *io_u)
{
	struct job *job = td->io_ops_data;
	struct child *child = &job->child;

	(void)io_u;
	/* Without a record to do the loop looks at the flag only, if that is what comes next. */
	if (child->end == END_NONE && atomic_load_explicit(child->stop, memory_order_relaxed))
		take_end(job, child->loop(child, child->next));
	if (child->end == END_NONE)
		return 0;
	/* Not "terminate": fio would not tell the child of a Ctrl-C any more. */
	td->done = 1;
	return 1;
}

static enum fio_q_status iozone_queue(struct thread_data *td, struct io_u *io_u)
{
	struct job *job = td->io_ops_data;
	struct child *child = &job->child;
	uint64_t counted = child->counted;
	uint64_t end = child->next + io_u->xfer_buflen / child->record;

	fio_ro_check(td, io_u);
	if (end > child->count)
		end = child->count;
	io_u->error = take_end(job, child->loop(child, end));
	/* fio shall count what was done in time, and take it for all there was. */
	io_u->buflen = io_u->xfer_buflen =
		child_bytes(child, child->counted) - child_bytes(child, counted);
	io_u->resid = 0;
	return FIO_Q_COMPLETED;
}

/* ---- after fio's clock ------------------------------------------------------ */

/* The rest of the file, untimed: later tests need it whole. */
static void write_tail(struct job *job)
{
	struct child *child = &job->child;
	uint64_t counted = child->counted;
	enum turn_end end;

	child->stop = &child->meet->interrupted;
	end = child->loop(child, child->count);
	child->counted = counted;
	/* The record that was under way at the stop is part of the tail. */
	child->tail = child->next - counted;
	if (end == TURN_DONE)
		finish_loop(child);
	else
		take_cpu_time(child);
	if (end == TURN_STOPPED)
		child->end = END_INTERRUPTED;
	if (child->failure.error)
		job_failed(job);
}

static void finish_test(struct job *job)
{
	struct child *child = &job->child;
	bool failed = child->end == END_FAILED;

	/* Set by fio itself when nothing was done in time; see iozone_prep(). */
	job->td->terminate = false;
	if (child->end == END_NONE)
		interrupt_loop(child);
	if (child->end == END_STOPPED && has_tail(child) && child->next < child->count)
		write_tail(job);
	child->medium->finish(child);
	extras_finish(child);
	child->done_ns = monotonic_ns();
	if (child->failure.error && !failed && child->end != END_FAILED)
		job_failed(job);
}

/* The child left its loop before the end, and not because of the stop flag. */
static void end_early(struct job *job)
{
	struct child *child = &job->child;

	child->end = END_INTERRUPTED;
	if (!job->td->error)
		return;
	child->end = END_FAILED;
	child->failure.error = job->td->error;
	snprintf(child->failure.what, sizeof(child->failure.what), "fio: %s", job->td->verror);
}

/* The child's last word.  A line that gets lost makes the job fail. */
static void leave(struct job *job)
{
	struct child *child = &job->child;

	if (child->end == END_NONE)
		end_early(job);
	/* With continue_on_error fio has taken the failure back. */
	if (child->failure.error)
		td_verror(job->td, child->failure.error, "fio-iozone");
	if (job_log(job))
		td_verror(job->td, EIO, "fio-iozone run log");
	meet_leave(child->meet, child->number, child->end);
}

static int iozone_close_file(struct thread_data *td, struct fio_file *f)
{
	struct job *job = td->io_ops_data;

	f->fd = -1;
	if (job->child.start_ns && !job->child.done_ns)
		finish_test(job);
	return 0;
}

/*
 * fio removes files before it closes them, and the last close then frees all
 * their blocks.  The test has to be over by then.
 */
static int iozone_unlink_file(struct thread_data *td, struct fio_file *f)
{
	struct job *job = td->io_ops_data;

	if (job)
		iozone_close_file(td, f);
	return unlink(f->file_name);
}

static void iozone_cleanup(struct thread_data *td)
{
	struct job *job = td->io_ops_data;

	if (!job)
		return;
	leave(job);
	extras_free(&job->child);
	free((void *)(uintptr_t)job->child.order);
	free(job->child.stdio_buffer);
	free(job->child.allocation);
	job->child.order = NULL;
	job->child.stdio_buffer = NULL;
	job->child.allocation = NULL;
	td->io_ops_data = NULL;
}

/* In fio's main process, perhaps in its signal handler. */
static void iozone_terminate(struct thread_data *td)
{
	struct job *job = td->io_ops_data;

	if (job)
		meet_interrupt(job->child.meet);
}

/* fio would drop the page cache; iozone does not. */
static int iozone_invalidate(struct thread_data *td, struct fio_file *f)
{
	(void)td;
	(void)f;
	return 0;
}

__attribute__((visibility("default"))) struct ioengine_ops ioengine = {
	.name = "iozone",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_SYNCIO,
	.setup = iozone_setup,
	.init = iozone_init,
	.post_init = iozone_post_init,
	.open_file = iozone_open_file,
	.prep = iozone_prep,
	.queue = iozone_queue,
	.close_file = iozone_close_file,
	.unlink_file = iozone_unlink_file,
	.cleanup = iozone_cleanup,
	.terminate = iozone_terminate,
	.invalidate = iozone_invalidate,
	.options = iozone_option_table,
	.option_struct_size = sizeof(struct iozone_options),
};
