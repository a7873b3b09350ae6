// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report's text against real ones: each of iozone's reports is taken
 * apart into figures, and the figures have to give the same bytes again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report.h"

#define FIXTURES "tests/fixtures/iozone/"
#define TESTS_MAX 64
#define CHILDREN_MAX 64
#define LINES_MAX 32

/* A real report, taken apart. */
struct taken {
	char *text;
	char *lines[1024];
	size_t line_count;
	struct report report;
	struct figures figures;
	struct test_figures tests[TESTS_MAX];
	struct child_figures children[TESTS_MAX][CHILDREN_MAX];
	const char *options[LINES_MAX];
	const char *more[LINES_MAX];
};

static char *read_fixture(const char *name)
{
	char path[256];
	char *text;
	long size;
	FILE *file;

	snprintf(path, sizeof(path), FIXTURES "%s", name);
	file = fopen(path, "r");
	if (!file)
		fail_msg("%s is not there", path);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = malloc((size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	text[size] = '\0';
	fclose(file);
	return text;
}

static void cut_lines(struct taken *taken, char *text)
{
	taken->text = text;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		assert_true(taken->line_count < 1024);
		taken->lines[taken->line_count++] = line;
	}
}

static const char *skip_blanks(const char *line)
{
	return line + strspn(line, "\t ");
}

/* The number behind the "=" of a line. */
static double figure_of(const char *line)
{
	const char *sign = strchr(line, '=');

	assert_non_null(sign);
	return strtod(sign + 1, NULL);
}

static const struct iozone_test *test_of_label(const char *label)
{
	const struct iozone_test *found = NULL;

	for (unsigned int id = 0; id < TEST_COUNT; id++) {
		const struct iozone_test *test = iozone_test_row(id);
		size_t length = strlen(test->label);

		if (!strncmp(label, test->label, length) && strchr(" \t", label[length]))
			found = test;
	}
	if (!found)
		fail_msg("no such label: %s", label);
	return found;
}

static struct throughput *throughput_of(struct taken *taken, struct test_figures *test)
{
	return taken->report.style.ops ? &test->ops : &test->kb;
}

/* ---- the header ------------------------------------------------------------ */

static bool has_word(const char *command, const char *word)
{
	const char *at = strstr(command, word);

	return at && at[-1] == ' ' && strchr(" \n", at[strlen(word)]);
}

static void take_command(struct taken *taken, const char *command)
{
	struct report *report = &taken->report;

	report->header.command = command;
	report->style.excel = has_word(command, "-R");
	report->style.children = has_word(command, "-C");
	report->style.ops = has_word(command, "-O");
	report->style.cpu = has_word(command, "-+u");
	report->no_retest = has_word(command, "-+n");
}

static uint64_t first_number(const char *line)
{
	return strtoull(line + strcspn(line, "0123456789"), NULL, 10);
}

static void take_work(struct report_header *header, const char *line)
{
	const char *in = strstr(line, " file in ");

	assert_non_null(in);
	header->threads = strstr(line, "Each thread") != NULL;
	header->file_size = first_number(line) * 1024;
	header->record_size = first_number(in) * 1024;
}

/* Takes a line after "Command line used". */
static void take_header_line(struct taken *taken, const char *line)
{
	struct report_header *header = &taken->report.header;

	if (strstr(line, "Output is in"))
		return;
	if (strstr(line, "Time Resolution"))
		header->resolution = figure_of(line);
	else if (strstr(line, "cache size"))
		header->cache_size = first_number(line) * 1024;
	else if (strstr(line, "cache line size"))
		header->cache_line = first_number(line);
	else if (strstr(line, "stride size"))
		header->stride = (unsigned int)first_number(line);
	else if (strstr(line, "Min process") || strstr(line, "Min thread"))
		header->least = (unsigned int)first_number(line);
	else if (strstr(line, "Max process") || strstr(line, "Max thread"))
		header->most = (unsigned int)first_number(line);
	else if (strstr(line, "Throughput test"))
		header->children = (unsigned int)first_number(line);
	else if (strstr(line, "Each "))
		take_work(header, line);
	else
		taken->more[header->more_line_count++] = skip_blanks(line);
}

static size_t take_header(struct taken *taken)
{
	struct report_header *header = &taken->report.header;
	bool command = false;
	size_t i;

	header->option_lines = taken->options;
	header->more_lines = taken->more;
	for (i = 0; i < taken->line_count; i++) {
		char *line = taken->lines[i];

		if (strstr(line, "Children see"))
			break;
		if (!strncmp(skip_blanks(line), "Command line used: ", 19)) {
			take_command(taken, skip_blanks(line) + 19);
			command = true;
		} else if (command) {
			take_header_line(taken, line);
		} else {
			/* One tab is the report's; the layout of the seed has blanks for it. */
			taken->options[header->option_line_count++] =
				*line == '\t' ? line + 1 : skip_blanks(line);
		}
	}
	return i;
}

/* ---- tests ------------------------------------------------------------------ */

static struct test_figures *begin_test(struct taken *taken, const char *line)
{
	const struct test_figures *before =
		taken->figures.count ? &taken->tests[taken->figures.count - 1] : NULL;
	struct test_figures *test = &taken->tests[taken->figures.count];
	const char *label = strstr(line, "for ") + 4;
	char *end;

	assert_true(taken->figures.count < TESTS_MAX);
	test->children = (unsigned int)strtoul(label, &end, 10);
	test->test = test_of_label(end + 1);
	test->round = !before ? 0 : before->round + (before->test->id >= test->test->id);
	test->has_ops = true;
	test->child = taken->children[taken->figures.count++];
	taken->figures.rounds = test->round + 1;
	throughput_of(taken, test)->children = figure_of(line);
	return test;
}

static double between(double low, double high)
{
	return (low + high) / 2;
}

/*
 * Wall and CPU time are printed to the millisecond and their ratio to far
 * more: finds times that give all three.
 */
static void take_cpu(const char *line, double *wall, double *cpu)
{
	const char *at = strpbrk(line, "0123456789");
	double printed_wall, printed_cpu, ratio, low, high;
	char *end;

	printed_wall = strtod(at, &end);
	at = strpbrk(end, "0123456789");
	printed_cpu = strtod(at, &end);
	at = strpbrk(end, "0123456789");
	ratio = strtod(at, &end) / 100;
	low = printed_wall - 0.0005 < 1e-5 ? 1e-5 : printed_wall - 0.0005;
	high = printed_wall + 0.0005;
	if (ratio > 0) {
		double least = (printed_cpu - 0.0005) / ratio,
		       most = (printed_cpu + 0.0005) / ratio;

		low = least > low ? least : low;
		high = most < high ? most : high;
	}
	*wall = between(low, high);
	*cpu = ratio * *wall;
}

static void take_child(struct taken *taken, struct test_figures *test, const char *line)
{
	struct child_figures *child = &test->child[test->child_count];
	const char *throughput = strstr(line, "Throughput"), *wall = strstr(line, "wall=");

	assert_true(test->child_count < CHILDREN_MAX);
	child->number = (unsigned int)first_number(line);
	if (taken->report.style.ops) {
		child->ops = figure_of(line);
		child->ops_per_s = figure_of(throughput);
	} else {
		child->kb = figure_of(line);
		child->kb_per_s = figure_of(throughput);
	}
	if (wall)
		take_cpu(wall, &child->wall_s, &child->cpu_s);
	test->child_count++;
}

static void take_tests(struct taken *taken, size_t i)
{
	struct test_figures *test = NULL;

	for (; i < taken->line_count && taken->lines[i][0] != '"'; i++) {
		const char *line = taken->lines[i];

		if (strstr(line, "Children see"))
			test = begin_test(taken, line);
		else if (strstr(line, "Parent sees"))
			throughput_of(taken, test)->parent = figure_of(line);
		else if (strstr(line, "Min throughput"))
			throughput_of(taken, test)->min = figure_of(line);
		else if (strstr(line, "Max throughput"))
			throughput_of(taken, test)->max = figure_of(line);
		else if (strstr(line, "Avg throughput"))
			throughput_of(taken, test)->avg = figure_of(line);
		else if (strstr(line, "Min xfer"))
			throughput_of(taken, test)->min_xfer = figure_of(line);
		else if (strstr(line, "CPU ")) {
			take_cpu(line, &test->wall_s, &test->cpu_s);
			test->has_cpu = true;
		} else if (strstr(line, "Child["))
			take_child(taken, test, line);
		if (strstr(line, "Parent sees"))
			test->has_parent = true;
	}
	taken->figures.test = taken->tests;
	taken->report.figures = &taken->figures;
	taken->report.facts.whole = true;
}

static struct taken *take_apart(const char *name)
{
	struct taken *taken = calloc(1, sizeof(*taken));

	assert_non_null(taken);
	cut_lines(taken, read_fixture(name));
	take_tests(taken, take_header(taken));
	assert_true(taken->figures.count > 0);
	return taken;
}

static void throw_away(struct taken *taken)
{
	free(taken->text);
	free(taken);
}

static char *written(const struct report *report)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(report_write(out, report), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* ---- real reports ------------------------------------------------------------ */

/* What stands behind the title and the date: there the fixtures begin. */
static const char *from_options(const char *text)
{
	const char *title_end = strstr(text, "\n\n");

	assert_non_null(title_end);
	return title_end + 1;
}

static void check_real(void **state)
{
	const char *name = *state;
	char *fixture = read_fixture(name);
	struct taken *taken = take_apart(name);
	char *text = written(&taken->report);
	/* The file begins with the blank line after "Run began". */
	const char *expected = fixture;

	/* -M puts a blank line into its own text: it counts as the header's end here. */
	if (!strcmp(name, "uname.txt")) {
		expected = strstr(fixture, "\n\tChildren");
		assert_string_equal(strstr(text, "\n\tChildren"), expected);
	} else {
		assert_string_equal(from_options(text), expected);
	}
	free(text);
	free(fixture);
	throw_away(taken);
}

/* ---- the seed ----------------------------------------------------------------- */

/* Tabs to every eighth column, and no blanks at the ends of lines. */
static char *expand_tabs(const char *text)
{
	char *expanded = malloc(strlen(text) * 8 + 2), *to = expanded, *line = expanded;

	assert_non_null(expanded);
	for (; *text; text++) {
		if (*text == '\t') {
			do
				*to++ = ' ';
			while ((to - line) % 8);
		} else if (*text == '\n') {
			while (to > line && to[-1] == ' ')
				to--;
			*to++ = '\n';
			line = to;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
	return expanded;
}

static void seed_comes_out_again(void **state)
{
	static const char name[] = "seed-iozone-3.397-t32-s1g-r16k.txt";
	char *fixture = read_fixture(name), *seed = expand_tabs(fixture);
	struct taken *taken = take_apart(name);
	char *text, *expanded;

	(void)state;
	taken->report.style.layout = LAYOUT_3397;
	text = written(&taken->report);
	expanded = expand_tabs(text);
	assert_int_equal(taken->figures.count, 4);
	/* Whoever published it left out the newline at its end. */
	expanded[strlen(expanded) - 1] = '\0';
	assert_string_equal(strstr(expanded, "        Children see"),
			    strstr(seed, "        Children see"));
	/* And had two more blank lines above the first test. */
	*strstr(seed, "\n\n\n\n") = '\0';
	*strstr(expanded, "\n\n        Children") = '\0';
	assert_string_equal(strstr(expanded, "        File size"), seed);
	free(expanded);
	free(text);
	free(seed);
	free(fixture);
	throw_away(taken);
}

/* ---- what iozone never prints --------------------------------------------------- */

static struct child_figures two_children[] = {
	{ .number = 0, .kb = 1024, .kb_per_s = 100, .ops = 64, .ops_per_s = 6.25 },
	{ .number = 1, .failure = "failed at offset 16384: No space\nleft", .error = 28 },
};

static struct report report_of(struct figures *figures, struct test_figures *test)
{
	*figures = (struct figures){ .test = test, .count = 1, .rounds = 1 };
	return (struct report){
		.figures = figures,
		.header = { .hidden = true },
		.facts = { .whole = true },
	};
}

static void failed_test_has_no_figure(void **state)
{
	struct test_figures test = {
		.test = iozone_test_row(TEST_WRITE),
		.children = 2,
		.missing = 1,
		.state = FIGURES_FAILED,
		.has_parent = true,
		.has_ops = true,
		.kb = { .children = 123456 },
		.child = two_children,
		.child_count = 2,
	};
	struct figures figures;
	struct report report = report_of(&figures, &test);
	char *text;

	(void)state;
	report.style.children = true;
	report.style.excel = true;
	text = written(&report);
	assert_null(strstr(text, "sees"));
	assert_null(strstr(text, "see throughput"));
	assert_null(strstr(text, "123456"));
	assert_null(strstr(text, "Initial write"));
	assert_null(strstr(text, "iozone test complete."));
	assert_non_null(strstr(text, "\tTest failed: 1 of 2 initial writers gave no figure"));
	assert_non_null(strstr(
		text, "\tChild[0] xfer count =    1024.00 kB, Throughput =     100.00 kB/sec\n"));
	assert_non_null(
		strstr(text, "\tChild[1] gave no figure: failed at offset 16384: No space?left\n"));
	free(text);
}

static void interrupted_test_says_so(void **state)
{
	struct test_figures test = {
		.test = iozone_test_row(TEST_READ),
		.children = 2,
		.state = FIGURES_INTERRUPTED,
		.child = two_children,
		.child_count = 2,
	};
	struct figures figures;
	struct report report = report_of(&figures, &test);
	char *text = written(&report);

	(void)state;
	assert_non_null(strstr(text, "\tTest interrupted: 2 readers, none of whose figures"));
	assert_null(strstr(text, "iozone test complete."));
	free(text);
}

static void sums_have_no_extremes(void **state)
{
	struct test_figures test = {
		.test = iozone_test_row(TEST_READ),
		.children = 4,
		.state = FIGURES_SUMS,
		.has_parent = true,
		.kb = { .children = 4000, .parent = 3000, .avg = 1000 },
	};
	struct figures figures;
	struct report report = report_of(&figures, &test);
	char *text = written(&report);

	(void)state;
	assert_string_equal(text,
			    "\n\tChildren see throughput for  4 readers \t\t=    4000.00 kB/sec\n"
			    "\tParent sees throughput for  4 readers \t\t=    3000.00 kB/sec\n"
			    "\tAvg throughput per process \t\t\t=    1000.00 kB/sec\n"
			    "\n\n\niozone test complete.\n");
	free(text);
	/* what is not told of a run is nothing to be called complete */
	report.facts.whole = false;
	text = written(&report);
	assert_non_null(strstr(text, "\n\n\niozone test not complete.\n"));
	free(text);
}

static void several_hosts_have_no_parent(void **state)
{
	struct child_figures children[] = {
		{ .number = 0, .host = "alpha", .kb = 10, .kb_per_s = 5 },
		{ .number = 1, .host = "beta\x1b[2J", .kb = 10, .kb_per_s = 5 },
	};
	struct test_figures test = {
		.test = iozone_test_row(TEST_READ),
		.children = 2,
		.kb = { .children = 10, .min = 5, .max = 5, .avg = 5, .min_xfer = 10 },
		.child = children,
		.child_count = 2,
	};
	struct figures figures;
	struct report report = report_of(&figures, &test);
	char *text;

	(void)state;
	report.style.children = true;
	text = written(&report);
	assert_null(strstr(text, "Parent"));
	assert_non_null(strstr(text, "Throughput =       5.00 kB/sec, host=alpha\n"));
	assert_non_null(strstr(text, "Throughput =       5.00 kB/sec, host=beta?[2J\n"));
	free(text);
}

/* ---- CSV and JSON ----------------------------------------------------------------- */

static struct test_figures told_test(void)
{
	static struct child_figures children[] = {
		{ .number = 0,
		  .file = "a,\"b\"\n",
		  .bytes = 2048,
		  .records = 2,
		  .seconds = 0.5,
		  .kb = 2,
		  .kb_per_s = 4,
		  .ops = 2,
		  .ops_per_s = 4 },
	};

	return (struct test_figures){
		.test = iozone_test_row(TEST_MIXED),
		.group = 7,
		.children = 1,
		.has_parent = true,
		.has_ops = true,
		.kb = { .children = 4, .parent = 2, .min = 4, .max = 4, .avg = 4, .min_xfer = 2 },
		.ops = { .children = 4, .parent = 2, .min = 4, .max = 4, .avg = 4, .min_xfer = 2 },
		.record_size = 1024,
		.file_size = 2048,
		.bytes = 2048,
		.child = children,
		.child_count = 1,
	};
}

static void csv_has_a_row_each(void **state)
{
	struct test_figures test = told_test();
	struct figures figures;
	struct report report = report_of(&figures, &test);
	char *text, *second;

	(void)state;
	report.style.format = REPORT_CSV;
	text = written(&report);
	assert_int_equal(strncmp(text, "\"row\",\"round\",\"group\",\"test\",", 28), 0);
	second = strchr(text, '\n') + 1;
	assert_int_equal(strncmp(second,
				 "\"test\",0,7,\"mixed\",8,\"mixed workload\",\"whole\",1,0,"
				 "1024,2048,4.000,2.000,4.000,4.000,4.000,2.000,",
				 96),
			 0);
	assert_non_null(strstr(second, "\n\"child\",0,7,\"mixed\",8,\"mixed workload\",,,,,,"));
	assert_non_null(strstr(second, ",\"a,\"\"b\"\"\n\",,,,2048,2,0.500000000,4.000,4.000,"));
	free(text);
}

static void json_is_utf8_and_has_units(void **state)
{
	struct test_figures test = told_test();
	struct figures figures;
	struct report report = report_of(&figures, &test);
	const char *notes[] = { "byte \xff and \xc3\xa4 and \xc0\x80 and \xed\xa0\x80" };
	char *text;

	(void)state;
	report.style.format = REPORT_JSON;
	report.facts.notes = notes;
	report.facts.note_count = 1;
	text = written(&report);
	assert_non_null(strstr(text, "\"format\": \"fio2iozone-report-1\""));
	assert_non_null(strstr(text, "\"children_see_KiB_per_s\": 4.000"));
	assert_non_null(strstr(text, "\"child_file\": \"a,\\\"b\\\"\\n\""));
	assert_non_null(strstr(text, "\"fio_version\": null"));
	assert_non_null(strstr(text, "byte ? and \xc3\xa4 and ?? and ???"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{ "all-tests-default.txt", check_real, NULL, NULL, "all-tests-default.txt" },
		{ "all-tests.txt", check_real, NULL, NULL, "all-tests.txt" },
		{ "badrec.txt", check_real, NULL, NULL, "badrec.txt" },
		{ "flush.txt", check_real, NULL, NULL, "flush.txt" },
		{ "hdr-B.txt", check_real, NULL, NULL, "hdr-B.txt" },
		{ "hdr-H.txt", check_real, NULL, NULL, "hdr-H.txt" },
		{ "hdr-J.txt", check_real, NULL, NULL, "hdr-J.txt" },
		{ "hdr-P.txt", check_real, NULL, NULL, "hdr-P.txt" },
		{ "hdr-V.txt", check_real, NULL, NULL, "hdr-V.txt" },
		{ "hdr-W.txt", check_real, NULL, NULL, "hdr-W.txt" },
		{ "hdr-d.txt", check_real, NULL, NULL, "hdr-d.txt" },
		{ "hdr-j5.txt", check_real, NULL, NULL, "hdr-j5.txt" },
		{ "hdr-k.txt", check_real, NULL, NULL, "hdr-k.txt" },
		{ "hdr-m.txt", check_real, NULL, NULL, "hdr-m.txt" },
		{ "hdr-o.txt", check_real, NULL, NULL, "hdr-o.txt" },
		{ "hdr-p70.txt", check_real, NULL, NULL, "hdr-p70.txt" },
		{ "hdr-plusD.txt", check_real, NULL, NULL, "hdr-plusD.txt" },
		{ "hdr-plusr.txt", check_real, NULL, NULL, "hdr-plusr.txt" },
		{ "hdr-plusz.txt", check_real, NULL, NULL, "hdr-plusz.txt" },
		{ "hdr-q.txt", check_real, NULL, NULL, "hdr-q.txt" },
		{ "hdr-r1m.txt", check_real, NULL, NULL, "hdr-r1m.txt" },
		{ "hdr-w.txt", check_real, NULL, NULL, "hdr-w.txt" },
		{ "nfs32.txt", check_real, NULL, NULL, "nfs32.txt" },
		{ "noret.txt", check_real, NULL, NULL, "noret.txt" },
		{ "nostone.txt", check_real, NULL, NULL, "nostone.txt" },
		{ "ops.txt", check_real, NULL, NULL, "ops.txt" },
		{ "range.txt", check_real, NULL, NULL, "range.txt" },
		{ "threads.txt", check_real, NULL, NULL, "threads.txt" },
		{ "uname.txt", check_real, NULL, NULL, "uname.txt" },
		cmocka_unit_test(seed_comes_out_again),
		cmocka_unit_test(failed_test_has_no_figure),
		cmocka_unit_test(interrupted_test_says_so),
		cmocka_unit_test(sums_have_no_extremes),
		cmocka_unit_test(several_hosts_have_no_parent),
		cmocka_unit_test(csv_has_a_row_each),
		cmocka_unit_test(json_is_utf8_and_has_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
