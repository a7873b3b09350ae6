// SPDX-License-Identifier: GPL-2.0-only
/*
 * Real outputs of fio, from 2.0.10 to 3.42, against what jq and awk find in
 * them (tests/fixtures/fio/expect), and the streams that hold them.
 */
#include <glob.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include "fio_read.h"

#define FIXTURES "tests/fixtures/fio/"

static void print_direction(FILE *out, const struct fio_direction *direction)
{
	if (!direction->present)
		fprintf(out, "\t-\t-");
	else if (!direction->sane)
		fprintf(out, "\tinsane\tinsane");
	else
		fprintf(out, "\t%" PRIu64 "\t%" PRIu64, direction->bytes, direction->runtime_ms);
}

/* The jobs as the *.jobs files have them; tabs in names are blanks there. */
static char *jobs_of(const struct fio_output *output)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < output->job_count; i++) {
		const struct fio_job *job = &output->jobs[i];

		for (const char *c = job->name; *c; c++)
			putc(*c == '\t' ? ' ' : *c, out);
		fprintf(out, "\t%u\t%d", job->group, job->error);
		print_direction(out, &job->read);
		print_direction(out, &job->write);
		print_direction(out, &job->mixed);
		putc('\n', out);
	}
	fclose(out);
	return text;
}

static bool ends_in(const char *name, const char *end)
{
	return strlen(name) >= strlen(end) && !strcmp(name + strlen(name) - strlen(end), end);
}

static bool is_beside_fixture(const char *name)
{
	return ends_in(name, ".jobs") || ends_in(name, ".error") || ends_in(name, ".fio");
}

/* True when the fixture was found to be what stands beside it. */
static bool agrees(const char *path)
{
	struct caught_stderr said;
	struct fio_output output;
	char *bytes, *expected, *got, beside[512];
	size_t length, ignored;
	bool same;
	int result;

	bytes = load(path, &length);
	result = read_bytes(bytes, length, &output, &said);
	free(bytes);
	snprintf(beside, sizeof(beside), "%s.%s", path, result ? "error" : "jobs");
	expected = load(beside, &ignored);
	if (result) {
		char *end = strchr(said.text, '\n');
		char *place = strstr(said.text, ": input:");

		assert_true(place && end && !end[1]);
		got = strdup(place + strlen(": input:"));
	} else {
		assert_string_equal(said.text, "");
		got = jobs_of(&output);
	}
	same = !strcmp(got, expected);
	if (!same)
		print_error("%s:\n%sshould be\n%s", path, got, expected);
	free(got);
	free(expected);
	fio_output_free(&output);
	return same;
}

static void every_fixture(void **state)
{
	glob_t found;
	size_t tried = 0, wrong = 0;

	(void)state;
	assert_int_equal(glob(FIXTURES "*/*", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (is_beside_fixture(found.gl_pathv[i]))
			continue;
		tried++;
		wrong += !agrees(found.gl_pathv[i]);
	}
	globfree(&found);
	/* There were so many when this was written: none may get lost. */
	assert_true(tried >= 85);
	assert_int_equal(wrong, 0);
}

static void read_fixture(const char *name, struct fio_output *output)
{
	size_t length;
	char *bytes;

	bytes = load(name, &length);
	read_good(bytes, output);
	free(bytes);
}

/*
 * By the job file itself: four tests of four children, 4 MiB each.  In 2.21
 * and 3.1 numjobs children without files of their own did nothing.
 */
static void four_tests(const char *version, const char *file, unsigned int idle)
{
	static const char *const tests[] = { "write", "rewrite", "read", "reread" };
	struct fio_output output;
	char path[256];
	unsigned int idle_found = 0;

	snprintf(path, sizeof(path), FIXTURES "%s/%s", version, file);
	read_fixture(path, &output);
	assert_int_equal(output.job_count, 16);
	for (unsigned int i = 0; i < 16; i++) {
		const struct fio_job *job = &output.jobs[i];
		const struct fio_direction *busy = i < 8 ? &job->write : &job->read;
		const struct fio_direction *other = i < 8 ? &job->read : &job->write;

		assert_string_equal(job->name, tests[i / 4]);
		assert_int_equal(job->group, i / 4);
		assert_int_equal(job->error, 0);
		assert_true(busy->present && busy->sane && other->present && other->sane);
		assert_int_equal(other->bytes, 0);
		if (!busy->bytes)
			idle_found++;
		else
			assert_int_equal(busy->bytes, 4 << 20);
		if (busy->ios_known)
			assert_int_equal(busy->ios, busy->bytes / 16384);
	}
	assert_int_equal(idle_found, idle);
	fio_output_free(&output);
}

static void plain_runs_of_all_versions(void **state)
{
	static const struct {
		const char *version;
		unsigned int idle;
	} runs[] = {
		{ "2.0.10", 0 }, { "2.1.4", 0 }, { "2.2.5", 0 }, { "2.20", 0 }, { "2.21", 9 },
		{ "3.1", 9 },	 { "3.25", 0 },	 { "3.33", 0 },	 { "3.39", 0 }, { "3.42", 0 },
	};
	static const char *const files[] = {
		"plain.json",	"plain.json+",	"json+normal.txt", "plain.terse2",
		"plain.terse3", "plain.terse4", "plain.terse5",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		for (size_t j = 0; j < sizeof(files) / sizeof(*files); j++) {
			char path[256];

			snprintf(path, sizeof(path), FIXTURES "%s/%s", runs[i].version, files[j]);
			if (!access(path, F_OK))
				four_tests(runs[i].version, files[j], runs[i].idle);
		}
	}
}

static void what_surrounds_the_jobs(void **state)
{
	struct fio_output output;

	(void)state;
	read_fixture(FIXTURES "3.42/plain.json", &output);
	assert_int_equal(output.format, FIO_JSON);
	assert_int_equal(output.terse_version, 0);
	assert_string_equal(output.version, "fio-3.42");
	assert_int_equal(output.major, 3);
	assert_int_equal(output.minor, 42);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.torn, 0);
	assert_false(output.client_server || output.interrupted);
	assert_true(output.jobs[0].has_start);
	assert_true(output.jobs[0].start_ms / 1000 <= output.timestamp);
	assert_true(output.jobs[0].start_ms / 1000 + 60 > output.timestamp);
	assert_string_equal(fio_job_option(&output, &output.jobs[15], "rw"), "read");
	assert_string_equal(fio_job_option(&output, &output.jobs[15], "numjobs"), "4");
	assert_string_equal(fio_job_option(&output, &output.jobs[4], "overwrite"), "1");
	assert_null(fio_job_option(&output, &output.jobs[8], "overwrite"));
	fio_output_free(&output);

	read_fixture(FIXTURES "3.33/plain.json", &output);
	assert_false(output.jobs[0].has_start);
	assert_int_equal(output.jobs[0].elapsed_s, 1);
	assert_int_equal(output.jobs[0].line, 17);
	assert_int_equal(output.jobs[1].line, 260);
	fio_output_free(&output);

	read_fixture(FIXTURES "2.0.10/plain.json", &output);
	assert_int_equal(output.major, 2);
	assert_int_equal(output.minor, 0);
	assert_int_equal(output.patch, 10);
	assert_int_equal(output.timestamp, 0);
	assert_false(output.jobs[0].write.ios_known);
	fio_output_free(&output);

	read_fixture(FIXTURES "3.33/plain.terse5", &output);
	assert_int_equal(output.format, FIO_TERSE);
	assert_int_equal(output.terse_version, 5);
	assert_string_equal(output.version, "fio-3.33");
	assert_int_equal(output.documents, 1);
	assert_null(fio_job_option(&output, &output.jobs[0], "rw"));
	fio_output_free(&output);

	read_fixture(FIXTURES "2.0.10/plain.terse2", &output);
	assert_int_equal(output.terse_version, 2);
	assert_string_equal(output.version, "");
	fio_output_free(&output);
}

static void runs_that_went_wrong(void **state)
{
	struct fio_output output;

	(void)state;
	read_fixture(FIXTURES "quirks-3.33/json-sigint.json", &output);
	assert_true(output.interrupted);
	assert_int_equal(output.killed, 0);
	fio_output_free(&output);
	read_fixture(FIXTURES "quirks-3.33/killed.json", &output);
	assert_false(output.interrupted);
	assert_int_equal(output.killed, 1);
	fio_output_free(&output);
	/* --runtime is no interruption */
	read_fixture(FIXTURES "quirks-3.33/timeout.json", &output);
	assert_false(output.interrupted);
	fio_output_free(&output);
	read_fixture(FIXTURES "quirks-3.33/json-status-interval.txt", &output);
	assert_int_equal(output.documents, 4);
	fio_output_free(&output);
	read_fixture(FIXTURES "3.33/status.json", &output);
	assert_int_equal(output.documents, 7);
	fio_output_free(&output);
}

static void several_servers(void **state)
{
	struct fio_output output;
	size_t sums = 0;

	(void)state;
	read_fixture(FIXTURES "quirks-3.42/client-2servers.json", &output);
	assert_true(output.client_server);
	assert_int_equal(output.host_global_count, 2);
	for (size_t i = 0; i < output.job_count; i++) {
		const struct fio_job *job = &output.jobs[i];

		sums += job->all_clients;
		assert_int_equal(job->all_clients, i == 8);
		assert_int_equal(job->has_start, i != 8);
		assert_string_equal(job->host, "127.0.0.1");
		assert_int_equal(job->port, i % 2 || i == 8 ? 18766 : 18765);
		assert_string_equal(fio_job_option(&output, job, "bs"), "16k");
	}
	assert_int_equal(sums, 1);
	fio_output_free(&output);

	read_fixture(FIXTURES "quirks-3.33/client-2hosts.json", &output);
	assert_true(output.client_server);
	assert_int_equal(output.host_global_count, 0);
	assert_string_equal(output.jobs[0].host, "/run/fio/s2.sock");
	assert_string_equal(output.jobs[4].host, "/run/fio/s1.sock");
	assert_string_equal(fio_job_option(&output, &output.jobs[4], "bs"), "16k");
	assert_true(output.jobs[8].all_clients);
	fio_output_free(&output);

	read_fixture(FIXTURES "quirks-2.1.4/client.json", &output);
	assert_true(output.client_server);
	assert_string_equal(output.jobs[0].host, "127.0.0.1");
	assert_int_equal(output.jobs[0].port, 18765);
	fio_output_free(&output);

	read_fixture(FIXTURES "quirks-3.42/client-2servers.terse3", &output);
	assert_true(output.client_server);
	assert_int_equal(output.job_count, 9);
	assert_int_equal(output.documents, 1);
	assert_true(output.jobs[8].all_clients);
	assert_false(output.jobs[3].all_clients);
	fio_output_free(&output);
}

/* Through a pipe, in small pieces: nothing is to be read twice. */
static void from_a_pipe(void **state)
{
	struct fio_output output;
	char *bytes, *expected, *got;
	size_t length, ignored;
	int ends[2], status;
	pid_t writer;

	(void)state;
	bytes = load(FIXTURES "3.33/json+normal.txt", &length);
	expected = load(FIXTURES "3.33/json+normal.txt.jobs", &ignored);
	assert_int_equal(pipe(ends), 0);
	writer = fork();
	assert_true(writer >= 0);
	if (!writer) {
		close(ends[0]);
		for (size_t at = 0; at < length; at += 997)
			if (write(ends[1], bytes + at, length - at < 997 ? length - at : 997) < 0)
				_exit(1);
		free(expected);
		free(bytes);
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(fio_output_read(ends[0], "-", &output), 0);
	close(ends[0]);
	assert_int_equal(waitpid(writer, &status, 0), writer);
	assert_int_equal(status, 0);
	got = jobs_of(&output);
	assert_string_equal(got, expected);
	fio_output_free(&output);
	free(got);
	free(expected);
	free(bytes);
}

/* Cut after any byte, a run is no result, and one line says so. */
static void cut_anywhere(void **state)
{
	size_t length;
	char *bytes = load(FIXTURES "quirks-3.33/json-sigint.json", &length);

	(void)state;
	while (bytes[length - 1] != '}')
		length--;
	for (size_t cut = 0; cut < length; cut++) {
		struct caught_stderr said;
		struct fio_output output;

		assert_int_equal(read_bytes(bytes, cut, &output, &said), -1);
		assert_non_null(strstr(said.text, ": input:"));
		assert_ptr_equal(strchr(said.text, '\n'), said.text + strlen(said.text) - 1);
	}
	free(bytes);
}

/* A document that stops short after whole ones: the last whole one, and torn. */
static void cut_after_whole_ones(void **state)
{
	struct caught_stderr said;
	struct fio_output output;
	size_t length;
	char *bytes;

	(void)state;
	bytes = load(FIXTURES "quirks-3.33/json-status-interval.txt", &length);
	assert_int_equal(read_bytes(bytes, length - 3000, &output, &said), 0);
	assert_string_equal(said.text, "");
	assert_int_equal(output.documents, 3);
	assert_true(output.torn > 814);
	assert_true(output.jobs[0].write.bytes < 64 << 20);
	fio_output_free(&output);
	free(bytes);
}

static void nothing_to_report_on(void **state)
{
	static const char utf16[] = "\xff\xfe{\0\"\0";

	(void)state;
	refuse("", "1: empty: there is no output of fio in it");
	refuse("\n \n", "2: no output of fio in it, neither JSON nor terse");
	refuse("\n\n\r\n", "1: empty: there is no output of fio in it");
	refuse("hello\nworld\n", "1: no output of fio in it, neither JSON nor terse");
	refuse("[1, 2]", "1: no output of fio in it, neither JSON nor terse");
	refuse("\n{\"a\":1}\n",
	       "2: JSON, but not fio's: there is no \"fio version\" in it (byte 2)");
	refuse("{\"jobs\":[],\"time\":1}",
	       "1: JSON, but not fio's: there is no \"fio version\" in it (byte 1)");
	refuse("{\"a\":[1,2}", "1: no output of fio in it, neither JSON nor terse");
	refuse("w: (groupid=0, jobs=1): err= 0: pid=1: Thu\n  write: IOPS=1\n",
	       "1: fio's normal output, which only people can read: "
	       "let fio print --output-format=json");
	refuse("x\nfio: failed opening job file y.fio\nfio: z\n",
	       "2: no results of fio in it; fio says: fio: failed opening job file y.fio");
	refuse("fio: \x1b[2Jgone\n", "1: no results of fio in it; fio says: fio: ?[2Jgone");
	refuse_bytes(utf16, sizeof(utf16) - 1,
		     "1: text in UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
}

static void a_file_that_cannot_be_read(void **state)
{
	struct caught_stderr said;
	struct fio_output output;
	int result;

	(void)state;
	catch_stderr(&said);
	result = fio_output_read(-1, "gone", &output);
	release_stderr(&said);
	assert_int_equal(result, -1);
	assert_non_null(strstr(said.text, ": gone: cannot read: Bad file descriptor\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fixture),
		cmocka_unit_test(plain_runs_of_all_versions),
		cmocka_unit_test(what_surrounds_the_jobs),
		cmocka_unit_test(runs_that_went_wrong),
		cmocka_unit_test(several_servers),
		cmocka_unit_test(from_a_pipe),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(cut_after_whole_ones),
		cmocka_unit_test(nothing_to_report_on),
		cmocka_unit_test(a_file_that_cannot_be_read),
	};

	return cmocka_run_group_tests_name("fio_output", tests, NULL, NULL);
}
