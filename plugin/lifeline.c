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
 *   destroys that.  So it is struck out when the kernel tells of the death.
 * - The handler that fio's children have for SIGTERM allocates and prints, and
 *   may come while the child does just that.  Ours does not.
 */
#include "lifeline.h"

#include <errno.h>
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

extern struct ioengine_ops ioengine;

static pid_t main_process;
/* In a child, what fork() found: it is a job of the main process. */
static bool forked_by_main;
static struct meet *meeting;

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

/* ---- in the main process ---------------------------------------------------- */

static bool is_dead(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno == ECHILD;
	return info.si_pid != 0;
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
}

/* It is the main thread that may be waiting: the signal has to come to it. */
static void on_child(int signal)
{
	int error = errno;

	if (syscall(SYS_gettid) == main_process)
		run_each_job(strike_out);
	else
		syscall(SYS_tgkill, main_process, main_process, signal);
	errno = error;
}

static void before_fork(void)
{
	forked_by_main = getpid() == main_process && all_jobs_ours();
}

/* ---- in a child -------------------------------------------------------------- */

/* Either fio lets the child start after all, or it will never do so. */
static void told_before_start(int signal)
{
	(void)signal;
	alarm(START_S);
}

static void after_fork(void)
{
	if (!forked_by_main)
		return;
	on_signal(SIGCHLD, SIG_DFL);
	on_signal(SIGTERM, told_before_start);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != main_process)
		_exit(1);
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
	on_signal(SIGCHLD, on_child);
	errno = pthread_atfork(before_fork, NULL, after_fork);
	return errno ? -1 : 0;
}
