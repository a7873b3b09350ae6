// SPDX-License-Identifier: GPL-2.0-only
/* From fio's output to a report. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena_text.h"
#include "header.h"
#include "message.h"
#include "output_file.h"
#include "translate.h"

static const char standard_input[] = "standard input";

struct translation {
	const struct translate_request *request;
	struct arena *arena;
	struct fio_output output;
	bool has_output;
	struct run_log *logs;
	size_t log_count;
	struct run run;
	bool has_run;
	struct figures figures;
	bool has_figures;
	char *text;
	size_t length;
};

static int out_of_memory(void)
{
	complain(NULL, 0, "not enough memory");
	return -1;
}

/* ---- fio's output ---------------------------------------------------------- */

static bool from_standard_input(const struct translate_request *request)
{
	return !request->input || !strcmp(request->input, "-");
}

static int read_output(struct translation *translation)
{
	const struct translate_request *request = translation->request;
	bool standard = from_standard_input(request);
	const char *name = standard ? standard_input : request->input;
	int fd = standard ? STDIN_FILENO : open(request->input, O_RDONLY | O_CLOEXEC);
	int status;

	if (fd < 0) {
		complain(name, 0, "%s", strerror(errno));
		return -1;
	}
	status = fio_output_read(fd, name, &translation->output);
	if (!standard)
		close(fd);
	translation->has_output = !status;
	return status;
}

/* ---- run logs -------------------------------------------------------------- */

static int read_log(struct translation *translation, int fd, const char *name)
{
	struct run_log *logs =
		reallocarray(translation->logs, translation->log_count + 1, sizeof(*logs));
	int status = -1;

	if (logs) {
		translation->logs = logs;
		status = run_log_read(fd, name, &logs[translation->log_count]);
	} else {
		out_of_memory();
	}
	if (!status)
		translation->log_count++;
	close(fd);
	return status;
}

static int read_named_logs(struct translation *translation)
{
	const struct translate_request *request = translation->request;

	for (size_t i = 0; i < request->log_count; i++) {
		int fd = open(request->logs[i], O_RDONLY | O_CLOEXEC | O_NOCTTY);

		if (fd < 0) {
			complain(request->logs[i], 0, "run log: %s", strerror(errno));
			return -1;
		}
		if (read_log(translation, fd, request->logs[i]))
			return -1;
	}
	return 0;
}

/* A relative path beside fio's output; NULL when that is nowhere else. */
static const char *beside_input(struct translation *translation, const char *path)
{
	const struct translate_request *request = translation->request;
	const char *slash = from_standard_input(request) ? NULL : strrchr(request->input, '/');

	if (!slash || *path == '/')
		return NULL;
	return arena_print(translation->arena, "%.*s/%s", (int)(slash - request->input),
			   request->input, path);
}

static int open_log_of_job(struct translation *translation, const struct fio_job *job,
			   const char **path)
{
	const char *other;
	int error, fd = run_log_open_untrusted(*path);

	if (fd >= 0)
		return fd;
	error = errno;
	other = beside_input(translation, *path);
	if (other && error == ENOENT) {
		fd = run_log_open_untrusted(other);
		if (fd >= 0) {
			*path = other;
			return fd;
		}
		if (errno != ENOENT)
			error = errno;
	}
	complain(
		translation->output.name, job->line,
		"the run log \"%s\" cannot be read: %s (--log FILE names another, --no-log goes without)",
		*path, error == EINVAL ? "not a regular file" : strerror(error));
	return -1;
}

static bool is_known_log(const char *const *paths, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(paths[i], path))
			return true;
	return false;
}

/* The logs that the jobs' own option iozone_log leads to. */
static int read_jobs_logs(struct translation *translation)
{
	const struct fio_output *output = &translation->output;
	const char **paths = NULL;
	size_t count = 0;
	int status = 0;

	for (size_t i = 0; i < output->job_count && !status; i++) {
		const struct fio_job *job = &output->jobs[i];
		const char *path =
			job->all_clients ? NULL : fio_job_option(output, job, "iozone_log");
		const char **more;
		int fd;

		if (!path || !*path || is_known_log(paths, count, path))
			continue;
		more = reallocarray(paths, count + 1, sizeof(*paths));
		if (!more) {
			status = out_of_memory();
			break;
		}
		paths = more;
		paths[count++] = path;
		fd = open_log_of_job(translation, job, &path);
		status = fd < 0 ? -1 : read_log(translation, fd, path);
	}
	free(paths);
	return status;
}

static int read_logs(struct translation *translation)
{
	if (translation->request->no_log)
		return 0;
	if (translation->request->log_count)
		return read_named_logs(translation);
	return read_jobs_logs(translation);
}

/* ---- run, figures, report -------------------------------------------------- */

static int build_run(struct translation *translation)
{
	const struct translate_request *request = translation->request;

	if (run_build(&translation->output, translation->logs, translation->log_count,
		      request->names, request->name_count, &translation->run))
		return -1;
	translation->has_run = true;
	if (figures_of_run(&translation->run, &translation->figures))
		return out_of_memory();
	translation->has_figures = true;
	return 0;
}

/* What the report was asked for, and cannot tell. */
static void say_what_style_lacks(struct translation *translation)
{
	const struct report_style *style = &translation->request->style;

	if (!style->ops || style->format != REPORT_TEXT)
		return;
	for (size_t i = 0; i < translation->figures.count; i++) {
		const struct test_figures *test = &translation->figures.test[i];

		if (test->has_ops)
			continue;
		translation->run.whole = false;
		complain(translation->output.name, 0,
			 "%s: nothing tells how many records were moved, so there is no -O",
			 test->test->label);
	}
}

static int write_report(struct translation *translation)
{
	const struct translate_request *request = translation->request;
	const struct run *run = &translation->run;
	struct report report = {
		.style = request->style,
		.header = request->header,
		.facts = {
			.fio = *run->fio ? run->fio : NULL,
			.engine = run->engine,
			.run_id = run->id,
			.whole = run->whole,
			.notes = run->notes,
			.note_count = run->note_count,
		},
		.figures = &translation->figures,
		.no_retest = request->no_retest || run_has_no_retest(run),
	};
	FILE *out;
	int status;

	if (header_of_run(run, &request->style, report.no_retest, translation->arena,
			  &report.header))
		return out_of_memory();
	out = open_memstream(&translation->text, &translation->length);
	if (!out)
		return out_of_memory();
	status = report_write(out, &report);
	if (ferror(out))
		status = -1;
	if (fclose(out))
		status = -1;
	return status ? out_of_memory() : 0;
}

static bool same_file(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Is path what the report is made from? */
static bool is_a_source(const struct translation *translation, const char *path)
{
	if (!from_standard_input(translation->request) &&
	    same_file(path, translation->request->input))
		return true;
	for (size_t i = 0; i < translation->log_count; i++)
		if (same_file(path, translation->logs[i].name))
			return true;
	return false;
}

static int print_report(const struct translation *translation)
{
	const char *path = translation->request->output;

	if (path && is_a_source(translation, path)) {
		complain(path, 0, "the report is made from this file: left as it is");
		return -1;
	}
	if (path)
		return output_file_replace(path, translation->text, translation->length);
	return output_write(STDOUT_FILENO, "standard output", translation->text,
			    translation->length);
}

static void clean_up(struct translation *translation)
{
	free(translation->text);
	if (translation->has_figures)
		figures_free(&translation->figures);
	if (translation->has_run)
		run_free(&translation->run);
	for (size_t i = 0; i < translation->log_count; i++)
		run_log_free(&translation->logs[i]);
	free(translation->logs);
	if (translation->has_output)
		fio_output_free(&translation->output);
	arena_free(translation->arena);
}

enum translate_status translate(const struct translate_request *request)
{
	struct translation translation = { .request = request, .arena = arena_new() };
	enum translate_status status = TRANSLATE_NONE;

	if (!translation.arena) {
		out_of_memory();
		return TRANSLATE_NONE;
	}
	if (!read_output(&translation) && !read_logs(&translation) && !build_run(&translation)) {
		say_what_style_lacks(&translation);
		if (!write_report(&translation) && !print_report(&translation))
			status = translation.run.whole ? TRANSLATE_WHOLE : TRANSLATE_PART;
	}
	clean_up(&translation);
	return status;
}
