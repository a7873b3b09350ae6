// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio's children wait for its main process before they start, and the main
 * process waits for them, in ways that do not stand a death:
 *
 * - A child waits for ever when the main process dies before it has started
 *   all, or gives up ("job startup hung").  So a child dies with it at first;
 *   later it is told to stop.
 * - A child that dies while it waits remains in the books of the condition
 *   variable that it waits at, and the main process waits for ever when it
 *   destroys that.  So a thread of ours strikes the dead out.  (A handler of
 *   SIGCHLD would not do: it would end a select() that fio does not repeat.)
 * - The handler that fio's children have for SIGTERM allocates and prints, and
 *   may come while the child does just that.  Ours does not.  The one of the
 *   main process does the same, and fork() holds malloc()'s locks: signals wait
 *   until it is done.
 */
#include "lifeline.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fio.h"

#include "run.h"

/* fio gives up waiting for its children's start after 5 s. */
#define START_S 8

#define LOOK_NS 20000000

extern struct ioengine_ops ioengine;

static pid_t main_process;
/* In a child, what fork() found: it is a job of the main process. */
static bool forked_by_main;
static struct meet *meeting;
/* Of the thread that forks. */
static _Thread_local sigset_t signals_before;

static void on_signal(int signal, void (*handler)(int signal))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(signal, &action, NULL);
}

/* A job of another engine beside ours is none of our business. */
static bool all_jobs_ours(void)
{
	for (unsigned int i = 0; i < thread_number; i++) {
		const struct ioengine_ops *ops = tnumber_to_td(i)->io_ops;

		/* Jobs that are over have none. */
		if (ops && ops != &ioengine)
			return false;
	}
	return true;
}

static bool any_process(void)
{
	for (unsigned int i = 0; i < thread_number; i++)
		if (!tnumber_to_td(i)->o.use_thread)
			return true;
	return false;
}

/* ---- in the main process ---------------------------------------------------- */

static bool is_dead(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno == ECHILD;
	return info.si_pid != 0;
}

/* Whoever waits for a word of this to change looks again. */
static void wake_all(uint32_t *words, size_t size)
{
	for (size_t i = 0; i < size / sizeof(*words); i++) {
		syscall(SYS_futex, &words[i], FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
		syscall(SYS_futex, &words[i], FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	}
}

/* All zero is a condition variable that nobody waits at. */
static void strike_out(struct job *job)
{
	struct thread_data *td = job->td;

	if (job->struck_out || job->child.thread || !td->pid || !td->sem ||
	    atomic_load(&job->child.meet->seats[job->child.number].state) != SEAT_EMPTY ||
	    !is_dead(td->pid))
		return;
	job->struck_out = true;
	memset(&td->sem->cond, 0, sizeof(td->sem->cond));
	wake_all((uint32_t *)&td->sem->cond, sizeof(td->sem->cond));
}

/*
 * Sleeps while all children live.  fio does not reap a dead one at once, and at
 * times there is none at all: then a look each LOOK_NS.
 */
static void *strike_out_the_dead(void *unused)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	siginfo_t info;

	(void)unused;
	while (true) {
		if (!waitid(P_ALL, 0, &info, WEXITED | WNOWAIT))
			run_each_job(strike_out);
		nanosleep(&look, NULL);
	}
	return NULL;
}

/* Signals are for fio's own threads. */
static int start_watching(void)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t thread;

	errno = pthread_attr_init(&attributes);
	if (errno)
		return -1;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errno = pthread_create(&thread, &attributes, strike_out_the_dead, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return errno ? -1 : 0;
}

static void before_fork(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &signals_before);
	forked_by_main = getpid() == main_process && all_jobs_ours();
}

static void after_fork_in_parent(void)
{
	pthread_sigmask(SIG_SETMASK, &signals_before, NULL);
}

/* ---- in a child -------------------------------------------------------------- */

/* Either fio lets the child start after all, or it will never do so. */
static void told_before_start(int signal)
{
	(void)signal;
	alarm(START_S);
}

static void after_fork_in_child(void)
{
	if (forked_by_main) {
		on_signal(SIGTERM, told_before_start);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != main_process)
			_exit(1);
	}
	pthread_sigmask(SIG_SETMASK, &signals_before, NULL);
}

/* As fio does it: the whole run is to stop. */
static void told(int signal)
{
	int error = errno;

	(void)signal;
	for (unsigned int i = 0; i < thread_number; i++)
		if (!tnumber_to_td(i)->terminate)
			fio_mark_td_terminate(tnumber_to_td(i));
	meet_interrupt(meeting);
	errno = error;
}

void lifeline_hold(const struct job *job)
{
	if (job->child.thread)
		return;
	if (forked_by_main) {
		meeting = job->child.meet;
		on_signal(SIGTERM, told);
		alarm(0);
	}
	/* Again: a change of the user has taken it away. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

int lifeline_begin(void)
{
	main_process = getpid();
	errno = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	if (errno)
		return -1;
	return any_process() ? start_watching() : 0;
}
