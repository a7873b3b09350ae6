// SPDX-License-Identifier: GPL-2.0-only
/*
 * fiozone: takes iozone's command line, lets fio do what iozone would do, and
 * prints iozone's report.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena_text.h"
#include "auto_mode.h"
#include "command_line.h"
#include "header.h"
#include "job_file.h"
#include "message.h"
#include "output_file.h"
#include "runner.h"
#include "step_result.h"
#include "test_files.h"
#include "translate.h"
#include "version.h"

/* The longest that iozone's clock may be wrong: no child's time is below it. */
#define CLOCK_TICK_S 0.000001
/* The run log of a job file that is only printed. */
#define PRINTED_LOG "fiozone-log.csv"

struct session {
	struct command_line line;
	struct job_plan plan;
	struct test_files files;
	struct runner runner;
	struct work_folder folder;
	char engine[PATH_MAX];
	struct step_result *results; /* one a step */
	size_t result_count;
	bool whole;   /* nothing is missing so far */
	bool started; /* fio has been let at the files */
};

static int out_of_memory(void)
{
	complain(NULL, 0, "out of memory");
	return -1;
}

/* Paths that go into the job file. */
static int check_path(const char *path)
{
	const char *trouble = job_name_trouble(path);

	if (!trouble)
		return 0;
	complain(path, 0, "a job file cannot hold this path: %s", trouble);
	return -1;
}

/* ---- what runs nothing ------------------------------------------------------ */

static int finish_standard_output(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return TRANSLATE_WHOLE;
	complain("standard output", 0, "%s", strerror(errno));
	return TRANSLATE_NONE;
}

static int print_help(const struct command_line *line)
{
	if (line->version)
		puts("fiozone " FIO_IOZONE_VERSION ", with the command line of iozone 3.489");
	else
		command_line_help(stdout);
	return finish_standard_output();
}

/* Several runs of fio are several job files: each begins with a comment. */
static int print_jobs(struct session *session)
{
	const struct job_plan *plan = &session->plan;

	if (engine_find(session->line.engine, session->engine) || check_path(session->engine))
		return TRANSLATE_NONE;
	for (size_t i = 0; i < plan->step_count; i++) {
		if (plan->step_count > 1)
			printf("%s; run %zu of %zu%s\n", i ? "\n" : "", i + 1, plan->step_count,
			       plan->steps[i].ends_round && !session->line.keep_files ?
				       ", after which the files are removed" :
				       "");
		job_write(stdout, &session->line, plan, &plan->steps[i], session->engine,
			  PRINTED_LOG);
	}
	return finish_standard_output();
}

/* ---- a run of fio ----------------------------------------------------------- */

static int write_job(struct session *session, const struct job_step *step, const char *path,
		     const char *log)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int failed;

	if (!out) {
		complain(path, 0, "%s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	job_write(out, &session->line, &session->plan, step, session->engine, log);
	failed = ferror(out);
	if (fclose(out) || failed) {
		complain(path, 0, "%s", strerror(errno));
		return -1;
	}
	return 0;
}

static int must_be_new(const char *path)
{
	if (access(path, F_OK))
		return 0;
	complain(path, 0, "%s", strerror(EEXIST));
	return -1;
}

static void say_step(const struct session *session, size_t number)
{
	const struct job_step *step = &session->plan.steps[number];

	if (!session->line.verbose && (!session->runner.progress || session->plan.step_count == 1))
		return;
	fprintf(stderr, "fiozone: run %zu of %zu: %u %s, %llu kB each, records of %llu kB\n",
		number + 1, session->plan.step_count, step->children,
		session->line.threads ? "threads" : "processes",
		(unsigned long long)step->size / 1024, (unsigned long long)step->record / 1024);
}

/*
 * Runs a step and reads what it has left.  Returns 0; or -1 when there are no
 * figures, after a message.
 */
static int run_step(struct session *session, size_t number)
{
	unsigned int suffix = session->plan.step_count > 1 ? (unsigned int)number + 1 : 0;
	char job[PATH_MAX], json[PATH_MAX], log[PATH_MAX];
	const struct work_folder *folder = &session->folder;
	int status;

	if (work_folder_path(folder, "job", suffix, "fio", job) ||
	    work_folder_path(folder, "fio", suffix, "json", json) ||
	    work_folder_path(folder, "run-log", suffix, "csv", log) || must_be_new(json) ||
	    must_be_new(log) || check_path(log) ||
	    write_job(session, &session->plan.steps[number], job, log))
		return -1;
	say_step(session, number);
	session->started = true;
	status = runner_run(&session->runner, job, json);
	if (status < 0 || session->runner.signal)
		return -1;
	if (step_result_read(&session->results[number], json, log)) {
		step_result_free(&session->results[number]);
		complain(NULL, 0, "fio has measured nothing (exit status %d)", status);
		return -1;
	}
	session->result_count = number + 1;
	if (status || !session->results[number].run.whole)
		session->whole = false;
	return 0;
}

static void end_round(struct session *session, const struct job_step *step)
{
	if (step->ends_round && !session->line.keep_files)
		test_files_remove(&session->files, false);
	/* iozone does so before each row, and between two rounds */
	sync();
}

static void run_steps(struct session *session)
{
	for (size_t i = 0; i < session->plan.step_count; i++) {
		if (runner_interrupted(&session->runner))
			return;
		if (run_step(session, i)) {
			session->whole = false;
			return;
		}
		if (!session->whole)
			return;
		end_round(session, &session->plan.steps[i]);
	}
}

/* ---- the report ------------------------------------------------------------- */

static unsigned int children_in_header(const struct command_line *line)
{
	if (!line->throughput)
		return 0;
	if (line->count_count)
		return line->counts[line->count_count - 1];
	return line->least ? line->least : 1;
}

static int make_header(struct session *session, struct report_header *header)
{
	const struct command_line *line = &session->line;
	const struct run *run = &session->results[0].run;

	*header = (struct report_header){
		.measured_by = measured_by(run, line->arena),
		.began = run->began,
		.option_lines = line->lines,
		.option_line_count = line->line_count,
		.command = line->command,
		.more_lines = line->compute_lines,
		.more_line_count = line->compute_line_count,
		.telemetry = line->write_list,
		.resolution = CLOCK_TICK_S,
		.cache_size = line->cache_size,
		.cache_line = line->cache_line,
		.stride = line->stride,
		.threads = line->threads,
		.children = children_in_header(line),
	};
	if (line->least || line->most) {
		header->least = line->least ? line->least : 1;
		header->most = line->most ? line->most : header->least;
	}
	if (line->throughput) {
		header->file_size = session->plan.steps[0].size;
		header->record_size = session->plan.steps[0].record;
	}
	return header->measured_by ? 0 : out_of_memory();
}

/* All tests of all steps, one after another, with the plan's rounds. */
static int join_figures(const struct session *session, struct figures *all)
{
	size_t room = 0;

	*all = (struct figures){ .rounds = 0 };
	for (size_t i = 0; i < session->result_count; i++)
		room += session->results[i].figures.count;
	all->test = arena_zeros(session->line.arena, room + 1, sizeof(*all->test));
	if (!all->test)
		return out_of_memory();
	for (size_t i = 0; i < session->result_count; i++) {
		const struct figures *some = &session->results[i].figures;
		unsigned int round = session->plan.steps[i].round;

		for (size_t j = 0; j < some->count; j++) {
			all->test[all->count] = some->test[j];
			all->test[all->count++].round = round;
		}
		all->rounds = round + 1;
	}
	return 0;
}

static int write_throughput(FILE *out, struct session *session, struct report *report)
{
	const struct run *run = &session->results[0].run;

	report->facts = (struct report_facts){
		.fio = *run->fio ? run->fio : NULL,
		.engine = run->engine,
		.run_id = run->id,
		.whole = session->whole,
		.notes = run->notes,
		.note_count = run->note_count,
	};
	return report_write(out, report);
}

static struct auto_figure figure_of(const struct test_figures *test)
{
	const struct child_figures *child = test->child_count == 1 ? &test->child[0] : NULL;

	if (!child || child->failure)
		return (struct auto_figure){ .records = 0 };
	return (struct auto_figure){
		.bytes = child->bytes,
		.records = child->records,
		.seconds = child->seconds,
		.cpu_s = child->cpu_s,
		.wall_s = child->wall_s,
	};
}

static int write_auto(FILE *out, struct session *session, struct report *report)
{
	const struct job_plan *plan = &session->plan;
	struct auto_row *rows =
		arena_zeros(session->line.arena, session->result_count, sizeof(*rows));

	if (!rows)
		return out_of_memory();
	for (size_t i = 0; i < session->result_count; i++) {
		const struct figures *figures = &session->results[i].figures;

		rows[i].size = plan->steps[i].size;
		rows[i].record = plan->steps[i].record;
		for (size_t j = 0; j < figures->count && j < plan->steps[i].group_count; j++)
			rows[i].figures[plan->steps[i].groups[j].column] =
				figure_of(&figures->test[j]);
	}
	/* -N has no line "Output is in" either */
	report->style.ops |= session->line.microseconds;
	report_write_header(out, report);
	auto_table_write(out, &session->line, rows, session->result_count);
	return 0;
}

static int write_report(FILE *out, struct session *session)
{
	struct report report = {
		.style = session->line.style,
		.no_retest = session->line.no_retest,
	};
	struct figures figures;

	if (make_header(session, &report.header) || join_figures(session, &figures))
		return -1;
	report.figures = &figures;
	if (!session->line.throughput)
		return write_auto(out, session, &report);
	return write_throughput(out, session, &report);
}

static int print_report(struct session *session)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int status;

	if (!out)
		return out_of_memory();
	status = write_report(out, session);
	if (ferror(out) | fclose(out))
		status = out_of_memory();
	if (!status)
		status = output_write(STDOUT_FILENO, "standard output", text, length);
	free(text);
	return status;
}

/* ---- all of it -------------------------------------------------------------- */

static const char *fio_of(const struct command_line *line)
{
	const char *set = getenv("FIO");

	if (line->fio)
		return line->fio;
	return set && *set ? set : "fio";
}

static int check_fio(struct session *session)
{
	char version[64];

	if (runner_version(&session->runner, version, sizeof(version)))
		return -1;
#ifdef FIO_BUILT_FOR
	/* programs that were built where there was no fio fit any */
	if (strcmp(FIO_BUILT_FOR, "fio-") != 0 && strcmp(version, FIO_BUILT_FOR) != 0) {
		complain(fio_of(&session->line), 0,
			 "this is %s, and fio-iozone was built for " FIO_BUILT_FOR
			 ": name that fio with --fio PATH, or build for this one with "
			 "make FIO=PATH FIO_SRC=ITS-SOURCE",
			 version);
		return -1;
	}
#endif
	return 0;
}

static void say_notes(const struct session *session)
{
	for (size_t i = 0; i < session->plan.note_count; i++)
		complain(NULL, 0, "%s", session->plan.notes[i]);
}

static enum translate_status run_all(struct session *session)
{
	if (engine_find(session->line.engine, session->engine) || check_path(session->engine) ||
	    check_fio(session) ||
	    test_files_check(&session->files, &session->line, &session->plan) ||
	    work_folder_open(&session->folder, session->line.keep))
		return TRANSLATE_NONE;
	session->results = calloc(session->plan.step_count, sizeof(*session->results));
	if (!session->results) {
		out_of_memory();
		return TRANSLATE_NONE;
	}
	say_notes(session);
	session->whole = true;
	run_steps(session);
	if (session->runner.signal || !session->result_count) {
		/* iozone leaves nothing when it is interrupted; a run that never began, all */
		if (!session->line.keep_files)
			test_files_remove(&session->files,
					  !session->runner.signal || !session->started);
		return TRANSLATE_NONE;
	}
	/* where something went wrong, the user may want to look at files of his own */
	if (!session->line.keep_files)
		test_files_remove(&session->files, !session->whole);
	if (print_report(session))
		return TRANSLATE_NONE;
	return session->whole ? TRANSLATE_WHOLE : TRANSLATE_PART;
}

static int run_session(struct session *session)
{
	int status;

	runner_open(&session->runner, fio_of(&session->line));
	if (session->line.bind)
		session->runner.cpu = (int)session->line.first_cpu;
	status = run_all(session);
	for (size_t i = 0; i < session->result_count; i++)
		step_result_free(&session->results[i]);
	free(session->results);
	work_folder_close(&session->folder);
	if (session->runner.signal)
		status = 128 + session->runner.signal;
	runner_close(&session->runner);
	return status;
}

int main(int argc, char **argv)
{
	struct session session = { .whole = false };
	int status = TRANSLATE_NONE;

	if (!command_line_read(&session.line, argc, argv)) {
		if (session.line.help || session.line.version)
			status = print_help(&session.line);
		else if (job_plan_make(&session.line, &session.plan))
			status = TRANSLATE_NONE;
		else if (session.line.job_only)
			status = print_jobs(&session);
		else
			status = run_session(&session);
	}
	command_line_free(&session.line);
	return status;
}
