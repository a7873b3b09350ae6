// SPDX-License-Identifier: GPL-2.0-only
/* Runs fio, stands between it and signals, and cleans up behind it. */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

#define ENGINE_NAME "fio-iozone.so"
#ifndef ENGINE_DIR
#define ENGINE_DIR "/usr/local/lib/fio"
#endif
/* What the shell says of a command that is not there. */
#define EXIT_NOT_FOUND 127

/* ---- signals ---------------------------------------------------------------- */

static bool is_ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) && action.sa_handler == SIG_IGN;
}

void runner_open(struct runner *runner, const char *fio)
{
	*runner = (struct runner){ .fio = fio, .progress = isatty(STDERR_FILENO), .cpu = -1 };
	sigemptyset(&runner->blocked);
	sigaddset(&runner->blocked, SIGCHLD);
	/* scripts start what is in their background with SIGINT ignored, and may yet send it */
	sigaddset(&runner->blocked, SIGINT);
	sigaddset(&runner->blocked, SIGTERM);
	/* that is how nohup asks to go on */
	if (!is_ignored(SIGHUP))
		sigaddset(&runner->blocked, SIGHUP);
	sigprocmask(SIG_BLOCK, &runner->blocked, &runner->before);
}

void runner_close(struct runner *runner)
{
	sigprocmask(SIG_SETMASK, &runner->before, NULL);
}

static void note_signal(struct runner *runner, int signal)
{
	if (signal != SIGCHLD && !runner->signal)
		runner->signal = signal;
}

bool runner_interrupted(struct runner *runner)
{
	const struct timespec at_once = { 0, 0 };
	int signal;

	while ((signal = sigtimedwait(&runner->blocked, NULL, &at_once)) > 0)
		note_signal(runner, signal);
	return runner->signal;
}

/*
 * Waits for fio.  The first signal asks it to stop, which it does when each
 * child has come to the end of a call; the second one kills all its processes.
 */
static int wait_for(struct runner *runner, pid_t fio)
{
	int status;

	for (;;) {
		pid_t ended = waitpid(fio, &status, WNOHANG);
		int signal;

		if (ended == fio)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		if (ended < 0 && errno != EINTR)
			return -1;
		signal = sigwaitinfo(&runner->blocked, NULL);
		if (signal <= 0 || signal == SIGCHLD)
			continue;
		if (runner->signal)
			kill(-fio, SIGKILL);
		else
			kill(fio, signal == SIGHUP ? SIGTERM : signal);
		note_signal(runner, signal);
	}
}

/* ---- processes -------------------------------------------------------------- */

/* iozone's parent binds itself too, and children that do not bind inherit it. */
static void bind_to(int cpu)
{
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	sched_setaffinity(0, sizeof(only), &only);
}

/* In the child: a process group of its own, which dies with its parent. */
static void become_fio(const struct runner *runner, const char *const *words, int out)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (runner->cpu >= 0)
		bind_to(runner->cpu);
	/* a signal that comes before fio has its own handlers ends it all the same */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &runner->before, NULL);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp(runner->fio, (char *const *)words);
	_exit(EXIT_NOT_FOUND);
}

static pid_t start(const struct runner *runner, const char *const *words, int out)
{
	pid_t fio = fork();

	if (!fio)
		become_fio(runner, words, out);
	if (fio < 0) {
		complain(runner->fio, 0, "cannot be started: %s", strerror(errno));
		return -1;
	}
	/* whoever comes first; the child may have gone on to exec */
	setpgid(fio, fio);
	return fio;
}

static int say_missing(const struct runner *runner)
{
	complain(runner->fio, 0,
		 "this fio cannot be run: install it (Debian: apt-get install fio), "
		 "or name another with --fio PATH or FIO=PATH");
	return -1;
}

static size_t read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while (length + 1 < size && (got = read(fd, text + length, size - 1 - length)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		length += (size_t)got;
	}
	text[length] = '\0';
	return length;
}

int runner_version(struct runner *runner, char *version, size_t size)
{
	const char *const words[] = { runner->fio, "--version", NULL };
	int ends[2], status;
	pid_t fio;

	if (pipe2(ends, O_CLOEXEC)) {
		complain(NULL, 0, "pipe: %s", strerror(errno));
		return -1;
	}
	fio = start(runner, words, ends[1]);
	close(ends[1]);
	if (fio > 0)
		read_all(ends[0], version, size);
	close(ends[0]);
	if (fio < 0)
		return -1;
	status = wait_for(runner, fio);
	version[strcspn(version, "\n")] = '\0';
	if (runner->signal)
		return -1;
	if (!status && !strncmp(version, "fio-", 4))
		return 0;
	return say_missing(runner);
}

int runner_run(struct runner *runner, const char *job, const char *output)
{
	char to[PATH_MAX + 16];
	const char *const words[] = {
		runner->fio, "--output-format=json",
		to,	     runner->progress ? "--eta=always" : "--eta=never",
		job,	     NULL,
	};
	pid_t fio;
	int status;

	snprintf(to, sizeof(to), "--output=%s", output);
	fio = start(runner, words, STDERR_FILENO);
	if (fio < 0)
		return -1;
	status = wait_for(runner, fio);
	/* fio leaves the cursor behind its last line of progress */
	if (runner->progress)
		fputc('\n', stderr);
	return status == EXIT_NOT_FOUND ? say_missing(runner) : status;
}

/* ---- folder ----------------------------------------------------------------- */

static int make_temporary(struct work_folder *folder)
{
	const char *parent = getenv("TMPDIR");
	int length;

	length = snprintf(folder->path, sizeof(folder->path), "%s/fiozone.XXXXXX",
			  parent && *parent == '/' ? parent : "/tmp");
	if (length < 0 || (size_t)length >= sizeof(folder->path) || !mkdtemp(folder->path)) {
		complain(folder->path, 0, "no folder for temporary files: %s", strerror(errno));
		folder->path[0] = '\0';
		return -1;
	}
	folder->temporary = true;
	return 0;
}

int work_folder_open(struct work_folder *folder, const char *keep)
{
	*folder = (struct work_folder){ .temporary = false };
	if (!keep)
		return make_temporary(folder);
	if (mkdir(keep, 0777) && errno != EEXIST) {
		complain(keep, 0, "%s", strerror(errno));
		return -1;
	}
	if (!realpath(keep, folder->path)) {
		complain(keep, 0, "%s", strerror(errno));
		folder->path[0] = '\0';
		return -1;
	}
	return 0;
}

void work_folder_close(struct work_folder *folder)
{
	DIR *stream;
	struct dirent *entry;

	if (!folder->temporary || !folder->path[0])
		return;
	stream = opendir(folder->path);
	while (stream && (entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(stream), entry->d_name, 0);
	if (stream)
		closedir(stream);
	rmdir(folder->path);
}

int work_folder_path(const struct work_folder *folder, const char *stem, unsigned int number,
		     const char *extension, char path[PATH_MAX])
{
	int length;

	if (number)
		length = snprintf(path, PATH_MAX, "%s/%s.%u.%s", folder->path, stem, number,
				  extension);
	else
		length = snprintf(path, PATH_MAX, "%s/%s.%s", folder->path, stem, extension);
	if (length > 0 && length < PATH_MAX)
		return 0;
	complain(folder->path, 0, "%s", strerror(ENAMETOOLONG));
	return -1;
}

/* ---- engine ----------------------------------------------------------------- */

static bool is_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* The engine in a folder; false when the path is too long. */
static bool join(char path[PATH_MAX], const char *folder)
{
	int length = snprintf(path, PATH_MAX, "%s/" ENGINE_NAME, folder);

	return length > 0 && length < PATH_MAX;
}

static int beside_program(char path[PATH_MAX])
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (length < 0)
		return -1;
	program[length] = '\0';
	slash = strrchr(program, '/');
	if (!slash)
		return -1;
	*slash = '\0';
	return join(path, program) && is_file(path) ? 0 : -1;
}

int engine_find(const char *given, char path[PATH_MAX])
{
	if (given) {
		if (realpath(given, path) && is_file(path))
			return 0;
		complain(given, 0, "there is no engine of that name");
		return -1;
	}
	if (!beside_program(path))
		return 0;
	if (join(path, ENGINE_DIR) && is_file(path))
		return 0;
	complain(NULL, 0,
		 "the engine " ENGINE_NAME " is neither beside fiozone nor in " ENGINE_DIR
		 ": build it with make, or name it with --engine PATH");
	return -1;
}
