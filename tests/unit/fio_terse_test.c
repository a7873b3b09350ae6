// SPDX-License-Identifier: GPL-2.0-only
/* fio's terse output, versions 2 to 5, and what can be wrong with it. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "fio_read.h"

/* A line as fio's manual describes it. */
struct line {
	unsigned int version;
	const char *name;
	const char *group, *error;
	const char *kib[4], *runtime[4]; /* of each direction; NULL: no more */
	const char *user, *system;
	const char *after; /* disks, errors, description */
};

static const struct line plain = {
	.version = 3,
	.name = "job",
	.group = "1",
	.error = "0",
	.kib = { "4", "8" },
	.runtime = { "5", "9" },
	.user = "1.500000%",
	.system = "2.000000%",
	.after = "",
};

static void print_direction(FILE *out, const struct line *line, size_t i)
{
	/* KiB, bandwidth, IOPS, ms; slat and clat: min, max, mean, deviation */
	fprintf(out, ";%s;1;2;%s;0;0;0.000000;0.000000;1;2;3.000000;4.000000", line->kib[i],
		line->runtime[i]);
	for (int percentile = 0; percentile < 20; percentile++)
		fprintf(out, percentile < 17 ? ";%d.000000%%=3" : ";0%%=0", percentile + 1);
	/* lat; bandwidth: min, max, share, mean, deviation */
	fprintf(out, ";1;2;3.000000;4.000000;5;6;100.000000%%;7.000000;8.000000");
	if (line->version == 5)
		fprintf(out, ";9;10;11;12.000000;13.000000;14");
}

static void print_line(FILE *out, const struct line *line)
{
	fprintf(out, "%u", line->version);
	if (line->version > 2)
		fprintf(out, ";fio-3.33");
	fprintf(out, ";%s;%s;%s", line->name, line->group, line->error);
	for (size_t i = 0; i < 4 && line->kib[i]; i++)
		print_direction(out, line, i);
	/* processor, switches, faults; depths; latencies */
	fprintf(out, ";%s;%s;1;2;3", line->user, line->system);
	for (int i = 0; i < 7; i++)
		fprintf(out, ";0.1%%");
	for (int i = 0; i < 22; i++)
		fprintf(out, ";0.01%%");
	fprintf(out, "%s\n", line->after);
}

/* The text of some lines; the caller frees it. */
static char *text_of(const struct line *lines, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < count; i++)
		print_line(out, &lines[i]);
	fclose(out);
	return text;
}

static void read_line(const struct line *line, struct fio_output *output)
{
	char *text = text_of(line, 1);

	read_good(text, output);
	assert_int_equal(output->format, FIO_TERSE);
	assert_int_equal(output->job_count, 1);
	free(text);
}

static void expect(const struct fio_direction *direction, uint64_t bytes, uint64_t runtime)
{
	assert_true(direction->present);
	assert_true(direction->sane);
	assert_int_equal(direction->bytes, bytes);
	assert_int_equal(direction->runtime_ms, runtime);
	assert_false(direction->ios_known);
}

static void one_line(void **state)
{
	struct fio_output output;

	(void)state;
	read_line(&plain, &output);
	assert_int_equal(output.terse_version, 3);
	assert_string_equal(output.version, "fio-3.33");
	assert_int_equal(output.minor, 33);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.torn, 0);
	assert_string_equal(output.jobs[0].name, "job");
	assert_int_equal(output.jobs[0].group, 1);
	assert_int_equal(output.jobs[0].error, 0);
	assert_int_equal(output.jobs[0].line, 1);
	assert_true(output.jobs[0].user_cpu == 1.5);
	assert_true(output.jobs[0].system_cpu == 2);
	assert_int_equal(output.jobs[0].options.count, 0);
	expect(&output.jobs[0].read, 4096, 5);
	expect(&output.jobs[0].write, 8192, 9);
	assert_false(output.jobs[0].mixed.present);
	fio_output_free(&output);
}

/* Directions by version: trim from 2 and 4 on, the sum when asked for. */
static void directions(void **state)
{
	(void)state;
	for (unsigned int version = 2; version <= 5; version++) {
		struct line line = plain;
		struct fio_output output;

		line.version = version;
		/* read, write, trim, sum */
		for (unsigned int i = 0; i < 4; i++)
			line.kib[i] = line.runtime[i] = &"1\0002\0003\0004"[2 * i];
		if (version == 3) {
			line.kib[2] = line.runtime[2] = "4";
			line.kib[3] = NULL;
		}
		read_line(&line, &output);
		expect(&output.jobs[0].read, 1024, 1);
		expect(&output.jobs[0].write, 2048, 2);
		expect(&output.jobs[0].mixed, 4096, 4);
		fio_output_free(&output);

		/* without the sum */
		line.kib[version == 3 ? 2 : 3] = NULL;
		read_line(&line, &output);
		expect(&output.jobs[0].read, 1024, 1);
		expect(&output.jobs[0].write, 2048, 2);
		assert_false(output.jobs[0].mixed.present);
		fio_output_free(&output);

		/* nothing but the sum */
		line.kib[1] = NULL;
		read_line(&line, &output);
		expect(&output.jobs[0].mixed, 1024, 1);
		assert_false(output.jobs[0].read.present || output.jobs[0].write.present);
		assert_true(output.jobs[0].user_cpu == 1.5);
		fio_output_free(&output);
	}
}

static void names(void **state)
{
	static const char *const names[] = {
		"",
		";",
		"a;b",
		"a;b;3;fio-3.33",
		";;;0;0;1.0%=2",
		" a ",
		"\"a\"",
		"\"a;b",
		"a\"b\"",
		"{\"x\":1}",
		"1.000000%=3;2.000000%=3",
		"\xc3\xa4",
		"0",
		"3;fio-3.33;x;0;0;1;2;3;4",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		for (unsigned int version = 2; version <= 5; version++) {
			struct line line = plain;
			struct fio_output output;

			line.name = names[i];
			line.version = version;
			if (version != 3) {
				line.kib[2] = "12";
				line.runtime[2] = "13";
			}
			read_line(&line, &output);
			assert_string_equal(output.jobs[0].name, names[i]);
			assert_int_equal(output.jobs[0].group, 1);
			expect(&output.jobs[0].read, 4096, 5);
			expect(&output.jobs[0].write, 8192, 9);
			fio_output_free(&output);
		}
	}
}

static void what_comes_after(void **state)
{
	static const char *const afters[] = {
		";vda;0;1;2;3;4;5;6;0.00%",
		";md0;0;1;2;3;4;5;6;0.00%;sda;0;1;2;3;4;5;6;0.00%",
		";3;28",
		";a description; with ; in it",
		";",
		"\n;a description of version 2",
		";{\"fio\":1}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(afters) / sizeof(*afters); i++) {
		struct line line = plain;
		struct fio_output output;

		line.after = afters[i];
		read_line(&line, &output);
		expect(&output.jobs[0].write, 8192, 9);
		assert_int_equal(output.torn, 0);
		fio_output_free(&output);
	}
}

static void figures(void **state)
{
	static const char *const wrong[] = { "-1", "",	    "nan",
					     "x",  "0.5",   "9007199254740992",
					     "4k", "1e400", "99999999999999999999999" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct line line = plain;
		struct fio_output output;

		line.kib[1] = wrong[i];
		read_line(&line, &output);
		assert_true(output.jobs[0].read.sane);
		assert_true(output.jobs[0].write.present);
		assert_false(output.jobs[0].write.sane);
		fio_output_free(&output);
	}
	for (size_t i = 0; i < 2; i++) {
		struct line line = plain;
		struct fio_output output;

		line.error = i ? "28" : "what";
		line.kib[0] = "9007199254740991";
		line.runtime[0] = "0";
		line.system = "nan%";
		read_line(&line, &output);
		assert_int_equal(output.jobs[0].error, i ? 28 : -1);
		expect(&output.jobs[0].read, 9007199254740991 * 1024, 0);
		assert_true(output.jobs[0].system_cpu == 0);
		fio_output_free(&output);
	}
}

static void text_between(void **state)
{
	struct fio_output output;
	char *line = text_of(&plain, 1), *text = NULL;

	(void)state;
	assert_true(asprintf(&text,
			     "\xef\xbb\xbfjob: (g=0): rw=write\r\n2; not this\n%s\n"
			     "Jobs: 1 (f=1): [W(1)][eta 00m:00s]\r%s<host> %s;vda;0;0;0.00%%\nend",
			     line, line, line) > 0);
	read_good(text, &output);
	assert_int_equal(output.job_count, 3);
	assert_int_equal(output.jobs[0].line, 3);
	assert_int_equal(output.jobs[1].line, 5);
	assert_int_equal(output.jobs[2].line, 6);
	assert_string_equal(output.jobs[2].name, "job");
	assert_int_equal(output.torn, 0);
	fio_output_free(&output);
	free(text);
	/* Windows' line ends, and none at all */
	line[strlen(line) - 1] = '\r';
	read_good(line, &output);
	fio_output_free(&output);
	line[strlen(line) - 1] = '\0';
	read_good(line, &output);
	fio_output_free(&output);
	free(line);
}

/* With both in one stream JSON tells more. */
static void beside_json(void **state)
{
	static const char json[] = "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\","
				   "\"groupid\":0,\"error\":0,\"read\":{}}]}\n";
	struct fio_output output;
	char *line = text_of(&plain, 1), *text = NULL;

	(void)state;
	assert_true(asprintf(&text, "%s%s", line, json) > 0);
	read_good(text, &output);
	assert_int_equal(output.format, FIO_JSON);
	assert_int_equal(output.job_count, 1);
	fio_output_free(&output);
	free(text);
	/* but not when it is cut off */
	assert_true(asprintf(&text, "%s%.60s", line, json) > 0);
	read_good(text, &output);
	assert_int_equal(output.format, FIO_TERSE);
	fio_output_free(&output);
	free(text);
	free(line);
}

/* Cut after any byte, a line is no result, and one message says so. */
static void cut_anywhere(void **state)
{
	char *line = text_of(&plain, 1);
	size_t length = strlen(line);

	(void)state;
	for (size_t cut = strlen("3;fio-"); cut < length - 1; cut++)
		refuse_bytes(line, cut,
			     "1: a line of fio's terse output that stops short or is spoilt");
	free(line);
}

static void spoilt_lines(void **state)
{
	static const char complaint[] =
		"1: a line of fio's terse output that stops short or is spoilt";
	struct line line = plain;
	char *text, *many;
	size_t size;
	FILE *out;

	(void)state;
	line.group = "-1";
	text = text_of(&line, 1);
	refuse(text, complaint);
	free(text);
	line.group = "4294967296";
	text = text_of(&line, 1);
	refuse(text, complaint);
	free(text);
	/* a NUL byte */
	text = text_of(&plain, 1);
	text[50] = '\0';
	refuse_bytes(text, strlen(text) + 1 + strlen(text + 51), complaint);
	free(text);
	/* more fields than a line can have, and a longer line */
	out = open_memstream(&many, &size);
	fprintf(out, "3;fio-3.33");
	for (int i = 0; i < 10000; i++)
		fprintf(out, ";1");
	fclose(out);
	refuse(many, complaint);
	free(many);
	out = open_memstream(&many, &size);
	fprintf(out, "3;fio-3.33;%0200000d", 1);
	fclose(out);
	refuse(many, complaint);
	free(many);
}

/* Some whole lines and one that is not: the whole ones, and torn. */
static void torn(void **state)
{
	const struct line lines[] = { plain, plain, plain };
	struct fio_output output;
	char *text = text_of(lines, 3);

	(void)state;
	text[strlen(text) - 4] = '\0';
	read_good(text, &output);
	assert_int_equal(output.job_count, 2);
	assert_int_equal(output.torn, 3);
	fio_output_free(&output);
	free(text);
	/* in the middle too */
	text = text_of(lines, 3);
	memset(strchr(text, '\n') + 300, 'x', 30);
	read_good(text, &output);
	assert_int_equal(output.job_count, 2);
	assert_int_equal(output.torn, 2);
	fio_output_free(&output);
	free(text);
}

/* --status-interval prints all jobs again and again: the last time counts. */
static void several_passes(void **state)
{
	struct line lines[6];
	struct fio_output output;
	char *text;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		lines[i] = plain;
		lines[i].group = i % 3 ? "1" : "0";
		lines[i].kib[0] = i < 3 ? "1" : "2";
	}
	text = text_of(lines, 6);
	read_good(text, &output);
	assert_int_equal(output.documents, 2);
	assert_int_equal(output.job_count, 3);
	assert_int_equal(output.jobs[0].group, 0);
	assert_int_equal(output.jobs[0].line, 4);
	assert_int_equal(output.jobs[2].read.bytes, 2048);
	fio_output_free(&output);
	free(text);
	/* Several servers print theirs one after another; a sum ends them. */
	lines[5].name = "All clients";
	text = text_of(lines, 6);
	read_good(text, &output);
	assert_true(output.client_server);
	assert_int_equal(output.documents, 1);
	assert_int_equal(output.job_count, 6);
	assert_true(output.jobs[5].all_clients);
	assert_false(output.jobs[4].all_clients);
	fio_output_free(&output);
	free(text);
	/* Anybody may call a job so. */
	lines[5].name = "job";
	lines[4].name = "All clients";
	text = text_of(lines, 6);
	read_good(text, &output);
	assert_false(output.client_server);
	assert_false(output.jobs[1].all_clients);
	fio_output_free(&output);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line),	  cmocka_unit_test(directions),
		cmocka_unit_test(names),	  cmocka_unit_test(what_comes_after),
		cmocka_unit_test(figures),	  cmocka_unit_test(text_between),
		cmocka_unit_test(beside_json),	  cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(spoilt_lines),	  cmocka_unit_test(torn),
		cmocka_unit_test(several_passes),
	};

	return cmocka_run_group_tests_name("fio_terse", tests, NULL, NULL);
}
