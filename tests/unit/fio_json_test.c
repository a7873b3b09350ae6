// SPDX-License-Identifier: GPL-2.0-only
/* What fio's JSON means, and what can be wrong with it. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fio_read.h"

#define MAX "9223372036854775807" /* INT64_MAX */
#define BEYOND "9223372036854775808"
#define DOCUMENT(version, jobs) "{\"fio version\":\"" version "\",\"jobs\":[" jobs "]}\n"
#define NEW(jobs) DOCUMENT("fio-3.33", jobs)
#define JOB(rest) "{\"jobname\":\"w\",\"groupid\":0,\"error\":0," rest "}"
#define WRITE(figures) JOB("\"write\":{" figures "}")
#define FIGURES "\"io_bytes\":4096,\"io_kbytes\":4,\"runtime\":7,\"total_ios\":2"
#define GOOD_JOB WRITE(FIGURES)

/* The only job of a document. */
static void read_job(const char *text, struct fio_output *output)
{
	read_good(text, output);
	assert_int_equal(output->job_count, 1);
}

static void expect_write(const char *text, bool sane, uint64_t bytes, uint64_t runtime)
{
	struct fio_output output;

	read_job(text, &output);
	assert_true(output.jobs[0].write.present);
	assert_int_equal(output.jobs[0].write.sane, sane);
	if (sane) {
		assert_int_equal(output.jobs[0].write.bytes, bytes);
		assert_int_equal(output.jobs[0].write.runtime_ms, runtime);
	}
	fio_output_free(&output);
}

static void units_by_version(void **state)
{
	(void)state;
#define OLD_FIGURES "\"io_bytes\":4,\"runtime\":7"
	expect_write(DOCUMENT("fio-2.0.10", WRITE(OLD_FIGURES)), true, 4096, 7);
	expect_write(DOCUMENT("fio-2.20", WRITE(OLD_FIGURES)), true, 4096, 7);
	expect_write(DOCUMENT("fio-2.20-14-gabcd", WRITE(OLD_FIGURES)), true, 4096, 7);
	expect_write(DOCUMENT("fio-2.2.10", WRITE(OLD_FIGURES)), true, 4096, 7);
	/* between the releases it is io_kbytes that tells */
	expect_write(DOCUMENT("fio-2.20-99-gabcd", WRITE(FIGURES)), true, 4096, 7);
	expect_write(DOCUMENT("fio-2.21", WRITE(OLD_FIGURES)), true, 4, 7);
	expect_write(DOCUMENT("fio-2.99", WRITE(OLD_FIGURES)), true, 4, 7);
	expect_write(DOCUMENT("fio-3.0", WRITE(OLD_FIGURES)), true, 4, 7);
	expect_write(DOCUMENT("fio-10.1", WRITE(OLD_FIGURES)), true, 4, 7);
	/* a version that is none tells nothing */
	expect_write(DOCUMENT("fio-HEAD", WRITE(OLD_FIGURES)), false, 0, 0);
	expect_write(DOCUMENT("fio-HEAD", WRITE(FIGURES)), true, 4096, 7);
	/* sorted, the jobs come before the version */
	expect_write("{\"jobs\":[" WRITE(OLD_FIGURES) "],\"fio version\":\"fio-2.5\"}", true, 4096,
		     7);
	/* KiB that are more bytes than there can be */
	expect_write(DOCUMENT("fio-2.5", WRITE("\"io_bytes\":9007199254740991,\"runtime\":1")),
		     true, 9007199254740991 * 1024, 1);
	expect_write(DOCUMENT("fio-2.5", WRITE("\"io_bytes\":9007199254740992,\"runtime\":1")),
		     false, 0, 0);
}

static void figures_that_cannot_be_true(void **state)
{
	static const char *const wrong[] = {
		"-1",
		"-4096",
		BEYOND,
		"18446744073709551615",
		"18446744073709551616",
		"1e30",
		"1e999",
		"-0.5",
		"0.5",
		"4096.5",
		"null",
		"nan",
		"-nan",
		"inf",
		"\"4096\"",
		"true",
		"{}",
		"[4096]",
		"1e-400",
		"[[[[[[4096]]]]]]",
		"99999999999999999999999999999999999999999999999999999999999999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char text[1024];

		snprintf(text, sizeof(text), NEW(WRITE("\"io_bytes\":%s,\"runtime\":1")), wrong[i]);
		/* the smallest number is no whole one, but strtod makes it zero */
		if (!strcmp(wrong[i], "1e-400"))
			expect_write(text, true, 0, 1);
		else
			expect_write(text, false, 0, 0);
		snprintf(text, sizeof(text), NEW(WRITE("\"io_bytes\":1,\"runtime\":%s")), wrong[i]);
		if (strcmp(wrong[i], "1e-400") != 0)
			expect_write(text, false, 0, 0);
	}
	expect_write(NEW(WRITE("\"runtime\":1")), false, 0, 0);
	expect_write(NEW(WRITE("\"io_bytes\":1")), false, 0, 0);
	expect_write(NEW(WRITE("")), false, 0, 0);
	expect_write(NEW(JOB("\"write\":null")), false, 0, 0);
	expect_write(NEW(JOB("\"write\":4096")), false, 0, 0);
	expect_write(NEW(JOB("\"write\":[4096]")), false, 0, 0);
}

static void figures_that_can_be_true(void **state)
{
	(void)state;
	expect_write(NEW(WRITE("\"io_bytes\":0,\"runtime\":0")), true, 0, 0);
	expect_write(NEW(WRITE("\"io_bytes\":4096,\"runtime\":0")), true, 4096, 0);
	expect_write(NEW(WRITE("\"io_bytes\":" MAX ",\"runtime\":" MAX)), true, INT64_MAX,
		     INT64_MAX);
	expect_write(NEW(WRITE("\"io_bytes\":4096.000,\"runtime\":1e3")), true, 4096, 1000);
	expect_write(NEW(WRITE("\"bw_agg\":-2.28,\"bw_dev\":-nan,\"iops\":inf," FIGURES)), true,
		     4096, 7);
	/* what is in other parts does not count */
	expect_write(NEW(WRITE(FIGURES ",\"lat_ns\":{\"io_bytes\":1,\"runtime\":nan}")), true, 4096,
		     7);
}

static void calls(void **state)
{
	struct fio_output output;

	(void)state;
	read_job(NEW(GOOD_JOB), &output);
	assert_true(output.jobs[0].write.ios_known);
	assert_int_equal(output.jobs[0].write.ios, 2);
	fio_output_free(&output);
	read_job(NEW(WRITE("\"io_bytes\":1,\"runtime\":1")), &output);
	assert_false(output.jobs[0].write.ios_known);
	fio_output_free(&output);
	read_job(NEW(WRITE("\"io_bytes\":1,\"runtime\":1,\"total_ios\":-1")), &output);
	assert_false(output.jobs[0].write.ios_known);
	assert_true(output.jobs[0].write.sane);
	fio_output_free(&output);
}

static void keys_that_come_twice(void **state)
{
	struct fio_output output;

	(void)state;
	/* figures */
	expect_write(NEW(WRITE("\"io_bytes\":1,\"io_bytes\":2,\"runtime\":3,\"runtime\":4")), true,
		     2, 4);
	expect_write(NEW(WRITE("\"io_bytes\":1,\"runtime\":3,\"io_bytes\":nan")), false, 0, 0);
	/* a part: the second one, all of it */
	expect_write(NEW(JOB("\"write\":{" FIGURES "},\"write\":{\"io_bytes\":5,\"runtime\":6}")),
		     true, 5, 6);
	expect_write(NEW(JOB("\"write\":{" FIGURES "},\"write\":{\"io_bytes\":5}")), false, 0, 0);
	/* the jobs */
	expect_write("{\"fio version\":\"fio-3.33\",\"jobs\":[" GOOD_JOB "," GOOD_JOB "],"
		     "\"jobs\":[" WRITE("\"io_bytes\":5,\"runtime\":6") "]}",
		     true, 5, 6);
	/* a second name is another job's: nothing of the first one may stay */
	read_job(NEW(JOB("\"read\":{" FIGURES "},\"elapsed\":9,\"job options\":{\"a\":\"b\"},"
			 "\"jobname\":\"x\",\"groupid\":3,\"write\":{" FIGURES "}")),
		 &output);
	assert_string_equal(output.jobs[0].name, "x");
	assert_int_equal(output.jobs[0].group, 3);
	assert_false(output.jobs[0].read.present);
	assert_true(output.jobs[0].write.sane);
	assert_int_equal(output.jobs[0].elapsed_s, 0);
	assert_null(fio_job_option(&output, &output.jobs[0], "a"));
	fio_output_free(&output);
	refuse(NEW(JOB("\"write\":{" FIGURES "},\"jobname\":\"x\"")),
	       "1: a job without a \"groupid\" (byte 151)");
	/* the same name again is no other job */
	expect_write(NEW(JOB("\"write\":{" FIGURES "},\"jobname\":\"w\"")), true, 4096, 7);
	/* the version */
	expect_write("{\"fio version\":\"fio-2.5\",\"fio version\":\"fio-3.0\",\"jobs\":[" WRITE(
			     "\"io_bytes\":4,\"runtime\":1") "]}",
		     true, 4, 1);
}

static void options(void **state)
{
	struct fio_output output;
	const struct fio_job *jobs;

	(void)state;
	read_good(
		"{\"fio version\":\"fio-3.33\",\"global options\":{\"bs\":\"4k\",\"size\":\"1m\","
		"\"flag\":\"\",\"bs\":\"16k\",\"odd\":{\"size\":\"9m\"},\"n\":5,\"z\":null},"
		"\"jobs\":[" JOB("\"job options\":{\"rw\":\"read\",\"size\":\"2m\"},\"read\":{}") "," JOB("\"job options\":{\"rw\":\"read\",\"size\":\"2m\"},\"read\":{}") "," JOB(
			"\"job options\":{\"rw\":\"read\",\"rw\":\"write\"},\"read\":{}") "," JOB("\"job options\":[\"rw\"],\"read\":{}") "," JOB("\"read\":{}") "]}",
		&output);
	jobs = output.jobs;
	assert_string_equal(fio_job_option(&output, &jobs[0], "rw"), "read");
	assert_string_equal(fio_job_option(&output, &jobs[0], "size"), "2m");
	assert_string_equal(fio_job_option(&output, &jobs[0], "bs"), "16k");
	assert_string_equal(fio_job_option(&output, &jobs[0], "flag"), "");
	assert_string_equal(fio_job_option(&output, &jobs[0], "n"), "5");
	assert_string_equal(fio_job_option(&output, &jobs[0], "z"), "");
	assert_null(fio_job_option(&output, &jobs[0], "odd"));
	assert_null(fio_job_option(&output, &jobs[0], "none"));
	assert_string_equal(fio_job_option(&output, &jobs[2], "rw"), "write");
	assert_string_equal(fio_job_option(&output, &jobs[2], "size"), "1m");
	assert_null(fio_job_option(&output, &jobs[3], "rw"));
	assert_null(fio_job_option(&output, &jobs[4], "rw"));
	/* children of one section share them: thousands do not cost more */
	assert_ptr_equal(jobs[0].options.list, jobs[1].options.list);
	assert_ptr_equal(jobs[0].name, jobs[4].name);
	fio_output_free(&output);
}

static void options_of_servers(void **state)
{
	struct fio_output output;
	const struct fio_job *jobs;

	(void)state;
	read_good(
		"{\"fio version\":\"fio-3.42\",\"global options\":["
		"{\"hostname\":\"a\",\"port\":1,\"bs\":\"1k\"},"
		"{\"hostname\":\"a\",\"port\":2,\"bs\":\"2k\"},"
		"{\"bs\":\"3k\"},7,[8],{\"hostname\":\"b\",\"port\":1,\"bs\":\"4k\"}],"
		"\"client_stats\":[" JOB("\"read\":{},\"hostname\":\"a\",\"port\":2") "," JOB("\"read\":{},\"hostname\":\"b\",\"port\":1,\"job options\":{\"bs\":\"5k\"}") "," JOB(
			"\"read\":{},\"hostname\":\"b\",\"port\":2") "," JOB("\"read\":{}") "]}",
		&output);
	jobs = output.jobs;
	assert_string_equal(fio_job_option(&output, &jobs[0], "bs"), "2k");
	assert_string_equal(fio_job_option(&output, &jobs[1], "bs"), "5k");
	assert_null(fio_job_option(&output, &jobs[2], "bs"));
	assert_null(fio_job_option(&output, &jobs[3], "bs"));
	fio_output_free(&output);
}

static void all_clients(void **state)
{
	struct fio_output output;

	(void)state;
#define SUM "{\"jobname\":\"All clients\",\"groupid\":1,\"error\":0,\"read\":{" FIGURES "}}"
	read_good("{\"fio version\":\"fio-3.33\",\"client_stats\":[" GOOD_JOB "," SUM "]}",
		  &output);
	assert_true(output.client_server);
	assert_false(output.jobs[0].all_clients);
	assert_true(output.jobs[1].all_clients);
	fio_output_free(&output);
	/* anybody may call a job so where there are no clients */
	read_good(NEW(GOOD_JOB "," SUM), &output);
	assert_false(output.client_server);
	assert_false(output.jobs[1].all_clients);
	fio_output_free(&output);
	/* a server refused the job, and fio exits 0 */
	read_good("{\"fio version\":\"fio-3.33\",\"client_stats\":[]}", &output);
	assert_true(output.client_server);
	assert_int_equal(output.job_count, 0);
	fio_output_free(&output);
}

static void single_values(void **state)
{
	struct fio_output output;
	const struct fio_job *job;

	(void)state;
	read_job("{\"fio version\":\"fio-3.36.1-2-gabc\",\"timestamp\":1700000000,\"jobs\":["
		 "{\"jobname\":\"a\\u00e4\\u0000\tb\",\"groupid\":7,\"error\":28,"
		 "\"job_start\":1700000000123,\"elapsed\":5,\"usr_cpu\":1.5,\"sys_cpu\":nan,"
		 "\"read\":{" FIGURES "},\"trim\":{\"io_bytes\":9}}]}",
		 &output);
	job = output.jobs;
	assert_string_equal(output.version, "fio-3.36.1-2-gabc");
	assert_int_equal(output.major, 3);
	assert_int_equal(output.minor, 36);
	assert_int_equal(output.patch, 1);
	assert_int_equal(output.timestamp, 1700000000);
	assert_string_equal(job->name, "a\xc3\xa4?\tb");
	assert_int_equal(job->group, 7);
	assert_int_equal(job->error, 28);
	assert_true(job->has_start);
	assert_int_equal(job->start_ms, 1700000000123);
	assert_int_equal(job->elapsed_s, 5);
	assert_true(job->user_cpu == 1.5);
	assert_true(job->system_cpu == 0);
	assert_null(job->host);
	assert_false(job->write.present || job->mixed.present);
	fio_output_free(&output);

	/* An error that cannot be read is one. */
	read_job(NEW("{\"jobname\":\"a\",\"groupid\":0,\"error\":nan,\"read\":{}}"), &output);
	assert_int_equal(output.jobs[0].error, -1);
	fio_output_free(&output);
	read_job(NEW("{\"jobname\":\"a\",\"groupid\":0,\"error\":4294967296,\"read\":{}}"),
		 &output);
	assert_int_equal(output.jobs[0].error, -1);
	fio_output_free(&output);
	read_job(NEW("{\"jobname\":\"a\",\"groupid\":0,\"mixed\":{" FIGURES "}}"), &output);
	assert_int_equal(output.jobs[0].error, 0);
	assert_true(output.jobs[0].mixed.sane);
	fio_output_free(&output);
}

static void broken_documents(void **state)
{
	(void)state;
	refuse("\n{\"fio version\":\"fio-3.33\",\n\"jobs\":[" GOOD_JOB,
	       "3: the JSON is cut off (byte 140)");
	refuse("{\"fio version\":\"fio-3.33\",\"jobs\":[" GOOD_JOB "}",
	       "1: parse error: after array element, I expect ',' or ']' (byte 138)");
	refuse("{\"fio version\":\"fio-3.33\",\"jobs\":[],}",
	       "1: parse error: invalid object key (must be a string) (byte 37)");
	refuse("{\"fio version\":\"fio-3.33\",\"x\":bad}",
	       "1: lexical error: invalid char in json text. (byte 31)");
	refuse("{\"fio version\":\"fio-3.33\",\"time\":1}",
	       "1: there are no \"jobs\" in fio's JSON (byte 1)");
	refuse("{\"fio version\":\"fio-3.33\",\"jobs\":{}}",
	       "1: there are no \"jobs\" in fio's JSON (byte 1)");
	refuse(NEW("5"), "1: an entry among the jobs that is no job (byte 35)");
	refuse(NEW("[]"), "1: an entry among the jobs that is no job (byte 35)");
	refuse(NEW("{}"), "1: a job without a \"jobname\" (byte 36)");
	refuse(NEW("{\"groupid\":0,\"read\":{}}"), "1: a job without a \"jobname\" (byte 57)");
	refuse(NEW("{\"jobname\":7}"), "1: a \"jobname\" that is no string (byte 46)");
	refuse(NEW("{\"jobname\":\"a\",\"read\":{}}"), "1: a job without a \"groupid\" (byte 59)");
	refuse(NEW("{\"jobname\":\"a\",\"groupid\":-1,\"read\":{}}"),
	       "1: a job without a \"groupid\" (byte 72)");
	refuse(NEW("{\"jobname\":\"a\",\"groupid\":4294967296,\"read\":{}}"),
	       "1: a job without a \"groupid\" (byte 80)");
	refuse(NEW("{\"jobname\":\"a\",\"groupid\":0}"),
	       "1: a job without \"read\", \"write\" and \"mixed\" (byte 61)");
}

static void several_documents(void **state)
{
	struct fio_output output;

	(void)state;
#define BIG WRITE("\"io_bytes\":8192,\"runtime\":9")
	read_good(NEW(GOOD_JOB) NEW(BIG), &output);
	assert_int_equal(output.documents, 2);
	assert_int_equal(output.torn, 0);
	assert_int_equal(output.jobs[0].write.bytes, 8192);
	assert_int_equal(output.jobs[0].line, 2);
	fio_output_free(&output);
	/* the second one stops short: the first one, and where */
	read_good(NEW(GOOD_JOB) "\n{\"fio version\":\"fio-3.33\",\n\"jobs\":[", &output);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.torn, 4);
	assert_int_equal(output.jobs[0].write.bytes, 4096);
	fio_output_free(&output);
	/* the first one stops short, in a number, a string, a part passed over */
	read_good(
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\",\"groupid\":1" NEW(BIG),
		&output);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.torn, 0);
	fio_output_free(&output);
	read_good("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobna" NEW(BIG), &output);
	assert_int_equal(output.jobs[0].write.bytes, 8192);
	fio_output_free(&output);
	read_good("{\"fio version\":\"fio-3.33\",\"disk_util\":[{\"na" NEW(BIG), &output);
	assert_int_equal(output.jobs[0].write.bytes, 8192);
	fio_output_free(&output);
	/* other JSON before, after and around */
	read_good("{\"a\":1}\n" NEW(BIG) "{\"b\":[2]}", &output);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.torn, 0);
	fio_output_free(&output);
	read_good("{\"host\":\"h\",\"result\":" NEW(BIG) "}", &output);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.torn, 0);
	fio_output_free(&output);
	/* banners that begin like documents */
	read_good("job{\"x\": (g=0): rw=write\n" NEW(BIG), &output);
	fio_output_free(&output);
	read_good("job{\"x\": \"y\n" NEW(BIG), &output);
	assert_int_equal(output.jobs[0].write.bytes, 8192);
	fio_output_free(&output);
}

static void text_around(void **state)
{
	struct fio_output output;

	(void)state;
	read_good("<h> fio: pid=1, got signal=9\n<h> fio: pid=2, got signal=11\n" NEW(
			  GOOD_JOB) "\n\nfio: terminating on signal 15\n",
		  &output);
	assert_int_equal(output.killed, 2);
	assert_true(output.interrupted);
	fio_output_free(&output);
	/* words in a name are no words of fio's */
	read_good("job: fio terminating on signal 2\n" NEW(GOOD_JOB), &output);
	assert_false(output.interrupted);
	assert_string_equal(output.name, "input");
	fio_output_free(&output);
}

/* Memory goes with the jobs, not with what else is in the file. */
static void much_of_no_use(void **state)
{
	struct fio_output output;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fprintf(out, "{\"fio version\":\"fio-3.33\",\"time\":[");
	for (size_t i = 0; i < 500000; i++)
		fprintf(out, "{\"k%zu\":[%zu,\"v%zu\"]},", i, i, i);
	fprintf(out, "0],\"jobs\":[" GOOD_JOB "]}");
	fclose(out);
	read_good(text, &output);
	assert_int_equal(output.jobs[0].write.bytes, 4096);
	fio_output_free(&output);
	free(text);
}

static void many_jobs(void **state)
{
	struct fio_output output;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fprintf(out, "{\"fio version\":\"fio-3.33\",\"jobs\":[\n");
	for (int i = 0; i < 20000; i++)
		fprintf(out,
			"{\"jobname\":\"j%d\",\"groupid\":%d,\"job options\":{\"n\":\"%d\",\"rw\":\"read\"},"
			"\"read\":{\"io_bytes\":%d,\"io_kbytes\":0,\"runtime\":%d}}%s\n",
			i, i / 10, i / 3, i, i * 2, i < 19999 ? "," : "]}");
	fclose(out);
	read_good(text, &output);
	assert_int_equal(output.job_count, 20000);
	for (int i = 0; i < 20000; i++) {
		const struct fio_job *job = &output.jobs[i];
		char expected[32];

		snprintf(expected, sizeof(expected), "j%d", i);
		assert_string_equal(job->name, expected);
		snprintf(expected, sizeof(expected), "%d", i / 3);
		assert_string_equal(fio_job_option(&output, job, "n"), expected);
		assert_int_equal(job->read.bytes, i);
		assert_int_equal(job->read.runtime_ms, i * 2);
		assert_int_equal(job->line, i + 2);
	}
	fio_output_free(&output);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_by_version),
		cmocka_unit_test(figures_that_cannot_be_true),
		cmocka_unit_test(figures_that_can_be_true),
		cmocka_unit_test(calls),
		cmocka_unit_test(keys_that_come_twice),
		cmocka_unit_test(options),
		cmocka_unit_test(options_of_servers),
		cmocka_unit_test(all_clients),
		cmocka_unit_test(single_values),
		cmocka_unit_test(broken_documents),
		cmocka_unit_test(several_documents),
		cmocka_unit_test(text_around),
		cmocka_unit_test(much_of_no_use),
		cmocka_unit_test(many_jobs),
	};

	return cmocka_run_group_tests_name("fio_json", tests, NULL, NULL);
}
