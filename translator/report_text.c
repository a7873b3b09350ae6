// SPDX-License-Identifier: GPL-2.0-only
/* The report as text, to the byte what IOzone's throughput mode prints. */
#include <inttypes.h>
#include <time.h>

#include "report.h"

const char *report_unit(const struct report_style *style)
{
	if (style->ops)
		return "ops";
	return style->layout == LAYOUT_3397 ? "KB" : "kB";
}

/* "kBytes", "kByte": the words that the header and -R have for it. */
static const char *kilobytes(const struct report_style *style, bool plural)
{
	if (style->layout == LAYOUT_3397)
		return plural ? "Kbytes" : "Kbyte";
	return plural ? "kBytes" : "kByte";
}

static const char *rate_words(const struct report_style *style)
{
	if (style->ops)
		return "ops";
	return kilobytes(style, true);
}

static const char *child_word(const struct report_header *header)
{
	return header->threads ? "thread" : "process";
}

/* Text that others chose: it must stay on its line, and steer no terminal. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}

/* An empty line has no tab: iozone -M prints one. */
static void put_line(FILE *out, const char *text)
{
	if (*text)
		putc('\t', out);
	put_text(out, text);
	putc('\n', out);
}

/* ---- header --------------------------------------------------------------- */

static void write_date(FILE *out, uint64_t began)
{
	time_t seconds = (time_t)began;
	struct tm when;
	char text[64];

	if (!began || (uint64_t)seconds != began || !localtime_r(&seconds, &when))
		return;
	if (strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &when))
		fprintf(out, "\tRun began: %s\n\n", text);
}

/* Parsers take the first line for the start of a run. */
static void write_title(FILE *out, const struct report_header *header)
{
	fputs("\tIozone: Performance Test of File I/O\n", out);
	fputs("\t        Report by fio2iozone " FIO_IOZONE_VERSION "; measured by ", out);
	put_text(out, header->measured_by ? header->measured_by : "fio");
	fputs(", not by iozone.\n\n", out);
	write_date(out, header->began);
}

static void write_command(FILE *out, const struct report *report)
{
	const struct report_header *header = &report->header;

	if (header->command) {
		fputs("\tCommand line used: ", out);
		put_text(out, header->command);
		putc('\n', out);
	}
	if (!report->style.ops)
		fprintf(out, "\tOutput is in %s/sec\n", kilobytes(&report->style, true));
	for (size_t i = 0; i < header->more_line_count; i++)
		put_line(out, header->more_lines[i]);
}

static void write_sizes(FILE *out, const struct report *report)
{
	const struct report_header *header = &report->header;
	const char *kilo = kilobytes(&report->style, true);

	if (header->resolution > 0)
		fprintf(out, "\tTime Resolution = %1.6f seconds.\n", header->resolution);
	if (header->cache_size)
		fprintf(out, "\tProcessor cache size set to %" PRIu64 " %s.\n",
			header->cache_size / 1024, kilo);
	if (header->cache_line)
		fprintf(out, "\tProcessor cache line size set to %" PRIu64 " bytes.\n",
			header->cache_line);
	if (header->stride)
		fprintf(out, "\tFile stride size set to %u * record size.\n", header->stride);
	if (header->least && header->most) {
		fprintf(out, "\tMin %s = %u \n", child_word(header), header->least);
		fprintf(out, "\tMax %s = %u \n", child_word(header), header->most);
	}
	if (header->children)
		fprintf(out, "\tThroughput test with %u %s%s\n", header->children,
			child_word(header),
			header->children == 1 ? "" :
			header->threads	      ? "s" :
						"es");
}

/* Stands above the tests of every round: its own sizes, where it has others. */
static void write_work(FILE *out, const struct report *report, const struct test_figures *test)
{
	const struct report_header *header = &report->header;
	const struct test_figures *first = report->figures->count ? report->figures->test : NULL;
	uint64_t file_size = header->file_size, record_size = header->record_size;
	const char *kilo = kilobytes(&report->style, false);

	if (test && test->file_size && first &&
	    (test->file_size != first->file_size || test->record_size != first->record_size)) {
		file_size = test->file_size;
		record_size = test->record_size;
	}
	if (header->telemetry)
		fprintf(out,
			"\tEach %s writes a %" PRIu64 " %s file in telemetry controlled records\n",
			child_word(header), header->file_size / 1024, kilo);
	else if (file_size && record_size)
		fprintf(out, "\tEach %s writes a %" PRIu64 " %s file in %" PRIu64 " %s records\n",
			child_word(header), file_size / 1024, kilo, record_size / 1024, kilo);
}

void report_write_header(FILE *out, const struct report *report)
{
	const struct report_header *header = &report->header;

	write_title(out, header);
	for (size_t i = 0; i < header->option_line_count; i++)
		put_line(out, header->option_lines[i]);
	write_command(out, report);
	write_sizes(out, report);
	write_work(out, report, NULL);
}

/* ---- a test --------------------------------------------------------------- */

static void write_sees(FILE *out, const char *who, const struct test_figures *test,
		       const char *tabs, double figure, const char *unit)
{
	fprintf(out, "\t%s throughput for ", who);
	if (test->test->count[1] == '2')
		fprintf(out, "%2u", test->children);
	else
		fprintf(out, "%u", test->children);
	fprintf(out, " %s%s= %10.2f %s/sec\n", test->test->label, tabs, figure, unit);
}

static void write_throughput(FILE *out, const struct report *report,
			     const struct test_figures *test)
{
	const struct throughput *figures = report->style.ops ? &test->ops : &test->kb;
	const char *unit = report_unit(&report->style), *child = child_word(&report->header);

	write_sees(out, "Children see", test, test->test->children_tabs, figures->children, unit);
	if (test->has_parent)
		write_sees(out, "Parent sees", test, test->test->parent_tabs, figures->parent,
			   unit);
	/* IOzone has a space at the end of this line, and of no other. */
	if (test->state == FIGURES_WHOLE) {
		fprintf(out, "\tMin throughput per %s \t\t\t= %10.2f %s/sec \n", child,
			figures->min, unit);
		fprintf(out, "\tMax throughput per %s \t\t\t= %10.2f %s/sec\n", child, figures->max,
			unit);
	}
	fprintf(out, "\tAvg throughput per %s \t\t\t= %10.2f %s/sec\n", child, figures->avg, unit);
	if (test->state == FIGURES_WHOLE)
		fprintf(out, "\tMin xfer \t\t\t\t\t= %10.2f %s\n", figures->min_xfer, unit);
}

static void write_cpu(FILE *out, const struct test_figures *test)
{
	/* IOzone's first test spells it so when there was any time. */
	bool capital = test->test->id == TEST_WRITE && test->wall_s > 0;

	fprintf(out,
		"\tCPU %ctilization: Wall time %8.3f    CPU time %8.3f    CPU utilization %6.2f %%\n\n",
		capital ? 'U' : 'u', test->wall_s, test->cpu_s,
		cpu_utilization(test->cpu_s, test->wall_s));
}

static void write_child(FILE *out, const struct report *report, const struct test_figures *test,
			const struct child_figures *child)
{
	const struct report_style *style = &report->style;
	const char *unit = report_unit(style);

	fprintf(out, "\tChild[%u] ", child->number);
	if (child->failure) {
		fputs("gave no figure: ", out);
		put_text(out, child->failure);
	} else {
		fprintf(out, "xfer count = %10.2f %s, Throughput = %10.2f %s/sec",
			style->ops ? child->ops : child->kb, unit,
			style->ops ? child->ops_per_s : child->kb_per_s, unit);
		if (style->cpu && test->has_cpu)
			fprintf(out, ", wall=%6.3f, cpu=%6.3f, %%=%6.2f", child->wall_s,
				child->cpu_s, cpu_utilization(child->cpu_s, child->wall_s));
	}
	if (child->host) {
		fputs(", host=", out);
		put_text(out, child->host);
	}
	putc('\n', out);
}

/*
 * A test that failed has no line that a parser or a hasty reader could take
 * for a figure of it.
 */
static void write_no_throughput(FILE *out, const struct test_figures *test)
{
	const char *how = test->state == FIGURES_INTERRUPTED ? "interrupted" : "failed";

	if (test->missing)
		fprintf(out, "\tTest %s: %u of %u %s gave no figure, so none is printed for it.\n",
			how, test->missing, test->children, test->test->label);
	else
		fprintf(out, "\tTest %s: %u %s, none of whose figures is printed.\n", how,
			test->children, test->test->label);
}

static bool has_throughput(const struct report *report, const struct test_figures *test)
{
	if (test->state != FIGURES_WHOLE && test->state != FIGURES_SUMS)
		return false;
	return test->has_ops || !report->style.ops;
}

static void write_test(FILE *out, const struct report *report, const struct test_figures *test)
{
	bool told = has_throughput(report, test);

	putc('\n', out);
	if (told) {
		write_throughput(out, report, test);
		if (report->style.cpu && test->has_cpu)
			write_cpu(out, test);
	} else if (test->state == FIGURES_WHOLE || test->state == FIGURES_SUMS) {
		fprintf(out, "\tNothing tells how many records the %u %s moved.\n", test->children,
			test->test->label);
	} else {
		write_no_throughput(out, test);
	}
	if (!report->style.children || test->state == FIGURES_SUMS)
		return;
	for (size_t i = 0; i < test->child_count; i++)
		if (told || test->child[i].failure || !report->style.ops || test->has_ops)
			write_child(out, report, test, &test->child[i]);
}

/* ---- -R ------------------------------------------------------------------- */

static const struct test_figures *find_test(const struct report *report, enum iozone_test_id id,
					    unsigned int round)
{
	for (size_t i = 0; i < report->figures->count; i++) {
		const struct test_figures *test = &report->figures->test[i];

		if (test->test->id == id && test->round == round)
			return test;
	}
	return NULL;
}

/* With -+n IOzone keeps the place of what it left out. */
static bool is_left_out(const struct report *report, enum iozone_test_id id, unsigned int round)
{
	return report->no_retest && iozone_test_row(id)->partner &&
	       find_test(report, id - 1, round) && !find_test(report, id, round);
}

/* Is there a figure to print in some column of a row? */
static bool has_row(const struct report *report, enum iozone_test_id id)
{
	for (unsigned int round = 0; round < report->figures->rounds; round++) {
		const struct test_figures *test = find_test(report, id, round);

		if ((test && has_throughput(report, test)) || is_left_out(report, id, round))
			return true;
	}
	return false;
}

static void write_cell(FILE *out, const struct report *report, enum iozone_test_id id,
		       unsigned int round, bool cpu)
{
	const struct test_figures *test = find_test(report, id, round);

	if (test && has_throughput(report, test))
		fprintf(out, " %10.2f ",
			cpu		  ? cpu_utilization(test->cpu_s, test->wall_s) :
			report->style.ops ? test->ops.children :
					    test->kb.children);
	else if (is_left_out(report, id, round))
		fprintf(out, " %10.2f ", 0.0);
	else
		fprintf(out, " %10s ", test ? "failed" : "-");
}

static void write_excel(FILE *out, const struct report *report, bool cpu)
{
	const struct report_style *style = &report->style;

	fprintf(out, "\n\"%s report Y-axis is type of test X-axis is number of %s\"\n",
		cpu ? "CPU utilization" : "Throughput",
		report->header.threads ? "threads" : "processes");
	if (report->header.record_size)
		fprintf(out, "\"Record size = %" PRIu64 " %s \"\n",
			report->header.record_size / 1024, kilobytes(style, true));
	if (cpu)
		fputs("\"Output is in CPU%\"\n\n", out);
	else
		fprintf(out, "\"Output is in %s/sec\"\n\n", rate_words(style));
	for (unsigned int id = 0; id < TEST_COUNT; id++) {
		if (!has_row(report, id))
			continue;
		fprintf(out, "\"%15s \"", iozone_test_row(id)->excel);
		for (unsigned int round = 0; round < report->figures->rounds; round++)
			write_cell(out, report, id, round, cpu);
		fputs("\n\n", out);
	}
}

/* ---- --verbose ------------------------------------------------------------ */

static void write_moments(FILE *out, const struct test_figures *test)
{
	fprintf(out, "# %s: ", test->test->name);
	if (!test->has_moments) {
		fputs("no run log tells when its children started and stopped\n", out);
		return;
	}
	fprintf(out,
		"starts within %.6f s, first stop to last %.6f s, last stop to the end %.6f s, release to the end %.6f s",
		test->start_spread_s, test->stop_spread_s, test->settle_s, test->release_to_end_s);
	fprintf(out, ", %" PRIu64 " bytes before the stop, %" PRIu64 " after it\n", test->bytes,
		test->tail_bytes);
}

static void write_comments(FILE *out, const struct report *report)
{
	for (size_t i = 0; i < report->figures->count; i++)
		if (has_throughput(report, &report->figures->test[i]))
			write_moments(out, &report->figures->test[i]);
	for (size_t i = 0; i < report->facts.note_count; i++) {
		fputs("# ", out);
		put_text(out, report->facts.notes[i]);
		putc('\n', out);
	}
}

/* ---- all of it ------------------------------------------------------------- */

static bool is_complete(const struct report *report)
{
	for (size_t i = 0; i < report->figures->count; i++)
		if (!has_throughput(report, &report->figures->test[i]))
			return false;
	return report->facts.whole && report->figures->count > 0;
}

void report_write_text(FILE *out, const struct report *report)
{
	const struct figures *figures = report->figures;

	if (!report->header.hidden)
		report_write_header(out, report);
	for (size_t i = 0; i < figures->count; i++) {
		if (i && figures->test[i].round != figures->test[i - 1].round) {
			fputs("\n\n", out);
			write_work(out, report, &figures->test[i]);
		}
		write_test(out, report, &figures->test[i]);
	}
	fputs("\n\n", out);
	if (report->style.excel)
		write_excel(out, report, false);
	if (report->style.excel && report->style.cpu)
		write_excel(out, report, true);
	/* Whoever looks for IOzone's own words has to miss them in the other case. */
	fputs(is_complete(report) ? "\niozone test complete.\n" : "\niozone test not complete.\n",
	      out);
	if (report->style.verbose)
		write_comments(out, report);
}

int report_write(FILE *out, const struct report *report)
{
	switch (report->style.format) {
	case REPORT_CSV:
		report_write_csv(out, report);
		return 0;
	case REPORT_JSON:
		return report_write_json(out, report);
	default:
		report_write_text(out, report);
		return 0;
	}
}
