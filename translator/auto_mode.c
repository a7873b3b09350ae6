// SPDX-License-Identifier: GPL-2.0-only
/* Auto mode: which rows there are, what each of them runs, and the table. */
#include "auto_mode.h"

#include <inttypes.h>
#include <string.h>

#include "arena_text.h"
#include "figures.h"
#include "message.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define DEFAULT_FILE "iozone.tmp"
#define SINGLE_SIZE (512 * KIB) /* without -a */
#define SINGLE_RECORD (4 * KIB)
#define LEAST_SIZE (64 * KIB) /* with -a */
#define MOST_SIZE (512 * MIB)
#define LEAST_RECORD (4 * KIB)
#define CROSSOVER_SIZE (16 * MIB) /* above it, small records are left out */
#define CROSSOVER_RECORD (64 * KIB)

/* One of iozone's test functions: one or two columns. */
struct column {
	unsigned int number; /* -i */
	enum iozone_test_id test;
	bool retest;	    /* the second of a pair */
	const char *before; /* blanks before the figure and its title */
	int title_width, width;
	const char *upper, *lower; /* titles */
	const char *excel;
};

static const struct column columns[AUTO_COLUMNS] = {
	{ 0, TEST_WRITE, false, "", 9, 9, " ", "write", "Writer" },
	{ 0, TEST_REWRITE, true, "", 9, 9, " ", "rewrite", "Re-writer" },
	{ 1, TEST_READ, false, "", 8, 9, " ", "read", "Reader" },
	{ 1, TEST_REREAD, true, "", 10, 9, " ", "reread", "Re-Reader" },
	{ 2, TEST_RANDOM_READ, false, "", 8, 9, "random", "read", "Random read" },
	{ 2, TEST_RANDOM_WRITE, false, " ", 9, 9, "random", "write", "Random write" },
	{ 3, TEST_REVERSE_READ, false, "", 9, 9, "bkwd", "read", "Backward read" },
	{ 4, TEST_REWRITE, false, " ", 9, 10, "record", "rewrite", "Record rewrite" },
	{ 5, TEST_STRIDE_READ, false, " ", 9, 10, "stride", "read", "Stride read" },
	{ 6, TEST_FWRITE, false, "", 9, 9, " ", "fwrite", "Fwrite" },
	{ 6, TEST_FWRITE, true, "", 9, 9, " ", "frewrite", "Re-Fwrite" },
	{ 7, TEST_FREAD, false, "", 9, 9, " ", "fread", "Fread" },
	{ 7, TEST_FREAD, true, "", 9, 9, " ", "freread", "Re-Fread" },
	{ 9, TEST_PWRITE, false, "", 8, 9, " ", "pwrite", "Pwrite" },
	{ 9, TEST_PWRITE, true, "", 9, 9, " ", "repwrite", "Re-Pwrite" },
	{ 10, TEST_PREAD, false, "", 8, 8, " ", "pread", "Pread" },
	{ 10, TEST_PREAD, true, "", 10, 9, " ", "repread", "Re-Pread" },
};

/* How wide iozone leaves the room of a test that is not run. */
static const int blank_width[] = { 18, 18, 18, 9, 10, 10, 18, 17, 0, 18, 18 };
#define BLANK_COUNT (sizeof(blank_width) / sizeof(blank_width[0]))

/* ---- rows ------------------------------------------------------------------- */

struct sizes {
	uint64_t list[64];
	unsigned int count;
};

static void add_size(struct sizes *sizes, uint64_t size)
{
	if (sizes->count < sizeof(sizes->list) / sizeof(sizes->list[0]))
		sizes->list[sizes->count++] = size;
}

/* iozone goes from each size to the next larger one in its list. */
static void add_rising(struct sizes *sizes, const uint64_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!sizes->count || list[i] > sizes->list[sizes->count - 1])
			add_size(sizes, list[i]);
}

static void add_range(struct sizes *sizes, uint64_t least, uint64_t most, unsigned int factor)
{
	for (uint64_t size = least; size <= most; size *= factor) {
		add_size(sizes, size);
		if (size > most / factor)
			break;
	}
}

static bool is_table(const struct command_line *line)
{
	return line->automatic || line->size_count > 1 || line->record_count > 1;
}

static uint64_t or_else(uint64_t given, uint64_t otherwise)
{
	return given ? given : otherwise;
}

static struct sizes file_sizes(const struct command_line *line)
{
	struct sizes sizes = { .count = 0 };
	uint64_t only = line->size_count == 1 ? line->sizes[0] : 0;

	if (!is_table(line))
		add_size(&sizes, or_else(only, SINGLE_SIZE));
	else if (line->size_count > 1)
		add_rising(&sizes, line->sizes, line->size_count);
	else
		add_range(&sizes, or_else(line->least_size, or_else(only, LEAST_SIZE)),
			  or_else(line->most_size, or_else(only, MOST_SIZE)), line->multiplier);
	return sizes;
}

static uint64_t least_record(const struct command_line *line)
{
	uint64_t only = line->record_count == 1 ? line->records[0] : 0;

	return or_else(line->least_record, or_else(only, LEAST_RECORD));
}

static bool is_crossed(const struct command_line *line, uint64_t file_size)
{
	return file_size > CROSSOVER_SIZE && !line->no_crossover && !line->size_count &&
	       !line->record_count && !line->least_record && !line->most_record;
}

static struct sizes record_sizes(const struct command_line *line, uint64_t file_size)
{
	struct sizes sizes = { .count = 0 };
	uint64_t only = line->record_count == 1 ? line->records[0] : 0;
	uint64_t least = least_record(line);

	if (!is_table(line))
		add_size(&sizes, or_else(only, SINGLE_RECORD));
	else if (line->record_count > 1)
		add_rising(&sizes, line->records, line->record_count);
	else
		add_range(&sizes, is_crossed(line, file_size) ? CROSSOVER_RECORD : least,
			  or_else(line->most_record, or_else(only, RECORD_MAX)), line->multiplier);
	return sizes;
}

/* ---- what a row runs -------------------------------------------------------- */

static bool stdio_impossible(const struct command_line *line)
{
	return line->mapped || line->async_given;
}

/* Does the table of this command line have the column at all? */
static bool has_column(const struct command_line *line, const struct column *column)
{
	if (line->write_read_only)
		return column->number <= 1;
	if (column->number >= 9)
		return line->extended && !stdio_impossible(line);
	return true;
}

static bool is_run(const struct command_line *line, const struct column *column)
{
	if (!has_column(line, column) || !command_line_wants(line, column->number))
		return false;
	if (line->no_retest && column->retest)
		return false;
	if (line->exists && iozone_test_row(column->test)->writes)
		return false;
	return iozone_test_row(column->test)->access != ACCESS_STDIO || !stdio_impossible(line);
}

static int plan_row(const struct command_line *line, struct job_step *step, uint64_t size,
		    uint64_t record)
{
	step->children = 1;
	step->size = size;
	step->record = record;
	step->ends_round = true;
	if (job_step_room(line->arena, step, AUTO_COLUMNS))
		return -1;
	for (unsigned int i = 0; i < AUTO_COLUMNS; i++) {
		if (!is_run(line, &columns[i]))
			continue;
		step->groups[step->group_count++] = (struct job_group){
			.test = iozone_test_row(columns[i].test),
			.column = i,
			.settle_s = i ? line->rest_s : 0,
			.sets = columns[i].number == TEST_RECORD_REWRITE ? "iozone_same_record=1" :
									   NULL,
		};
	}
	return 0;
}

static int plan_rows(const struct command_line *line, struct job_plan *plan,
		     const struct sizes *files)
{
	for (unsigned int i = 0; i < files->count; i++) {
		struct sizes records = record_sizes(line, files->list[i]);

		for (unsigned int j = 0; j < records.count; j++) {
			if (records.list[j] > files->list[i])
				break;
			if (plan_row(line, &plan->steps[plan->step_count++], files->list[i],
				     records.list[j]))
				return -1;
		}
	}
	return 0;
}

static int note_what_is_left_out(const struct command_line *line, struct job_plan *plan)
{
	if (line->tests & (1u << TEST_PWRITEV | 1u << TEST_PREADV))
		plan->notes[plan->note_count++] = "-i 11 and -i 12: iozone 3.489 prints nothing "
						  "for them";
	if (line->tests & 1u << iozone_test_row(TEST_MIXED)->number)
		plan->notes[plan->note_count++] = "-i 8: iozone has no such test in auto mode: "
						  "nothing is printed for it";
	if (plan->steps[0].group_count)
		return 0;
	complain(NULL, 0, "there is no test to run%s%s", plan->note_count ? ": " : "",
		 plan->note_count ? plan->notes[plan->note_count - 1] : "");
	return -1;
}

int auto_plan_make(const struct command_line *line, struct job_plan *plan)
{
	struct sizes files = file_sizes(line);
	const char *name = line->file ? line->file : DEFAULT_FILE;
	const char *trouble = job_name_trouble(name);
	uint64_t least = record_sizes(line, 0).list[0];

	if (trouble) {
		complain(name, 0, "fio cannot have a file of that name: %s", trouble);
		return -1;
	}
	if (!files.count || least > files.list[0]) {
		complain(NULL, 0,
			 "a record of %" PRIu64 " kB is above the file size of %" PRIu64 " kB",
			 least / KIB, files.count ? files.list[0] / KIB : 0);
		return -1;
	}
	plan->files = arena_zeros(line->arena, 1, sizeof(*plan->files));
	plan->steps = arena_zeros(line->arena, (size_t)64 * files.count, sizeof(*plan->steps));
	if (!plan->files || !plan->steps) {
		complain(NULL, 0, "out of memory");
		return -1;
	}
	plan->files[plan->file_count++] = name;
	if (plan_rows(line, plan, &files))
		return -1;
	return note_what_is_left_out(line, plan);
}

/* ---- figures ---------------------------------------------------------------- */

uint64_t auto_figure_value(const struct command_line *line, const struct auto_figure *figure)
{
	if (!figure->records || figure->seconds <= 0)
		return 0;
	if (line->style.ops)
		return (uint64_t)((double)figure->records / figure->seconds);
	if (line->microseconds)
		return (uint64_t)(figure->seconds * 1e6 / (double)figure->records);
	return (uint64_t)((double)figure->bytes / figure->seconds) / KIB;
}

/* ---- the table -------------------------------------------------------------- */

static bool has_title(const struct command_line *line, const struct column *column)
{
	if (line->write_read_only)
		return column->number <= 1;
	return column->number <= 8 || line->extended;
}

static void write_titles(FILE *out, const struct command_line *line, bool lower)
{
	/* without -E iozone has no titles for stdio when there is none */
	bool nameless = stdio_impossible(line) && !line->extended && !line->write_read_only;

	fprintf(out, "%16s%8s", lower ? "kB" : " ", lower ? "reclen" : " ");
	for (unsigned int i = 0; i < AUTO_COLUMNS; i++) {
		const struct column *column = &columns[i];
		const char *title = lower ? column->lower : column->upper;

		if (!has_title(line, column))
			continue;
		if (nameless && (column->number == 6 || column->number == 7))
			title = "";
		fprintf(out, "%s%*s", column->before, column->title_width, title);
	}
	putc('\n', out);
}

static unsigned int test_number_end(const struct command_line *line)
{
	if (line->write_read_only)
		return 2;
	if (stdio_impossible(line))
		return 7;
	return line->extended ? BLANK_COUNT : 9;
}

static void write_test(FILE *out, const struct command_line *line, const struct auto_row *row,
		       unsigned int number)
{
	const unsigned int mixed = iozone_test_row(TEST_MIXED)->number;
	bool stdio = number == 6 || number == 7;

	if (!command_line_wants(line, number) || number == mixed) {
		fprintf(out, "%*s", blank_width[number], "");
		return;
	}
	if (stdio && stdio_impossible(line))
		return;
	for (unsigned int i = 0; i < AUTO_COLUMNS; i++)
		if (columns[i].number == number)
			fprintf(out, "%*" PRIu64, columns[i].width,
				auto_figure_value(line, &row->figures[i]));
}

static void write_row(FILE *out, const struct command_line *line, const struct auto_row *row)
{
	fprintf(out, "%16" PRIu64 "%8" PRIu64, row->size / KIB, row->record / KIB);
	for (unsigned int number = 0; number < test_number_end(line); number++)
		write_test(out, line, row, number);
	putc('\n', out);
}

/* ---- -R --------------------------------------------------------------------- */

/* Records that the table leaves out for large files still have their place. */
static unsigned int left_out(const struct command_line *line, uint64_t file_size)
{
	unsigned int count = 0;

	if (!is_crossed(line, file_size))
		return 0;
	for (uint64_t record = least_record(line); record < CROSSOVER_RECORD; record *= 2)
		count++;
	return count;
}

static void write_excel_value(FILE *out, const struct command_line *line,
			      const struct auto_figure *figure, bool cpu)
{
	if (cpu)
		fprintf(out, " %6.2f",
			figure ? cpu_utilization(figure->cpu_s, figure->wall_s) : 0.0);
	else
		fprintf(out, " %" PRIu64 " ", figure ? auto_figure_value(line, figure) : 0);
}

static void write_excel_table(FILE *out, const struct command_line *line,
			      const struct auto_row *rows, size_t count, unsigned int column,
			      bool cpu)
{
	struct sizes records = record_sizes(line, 0);

	fprintf(out, "\n\"%s%s report%s\"\n      ", columns[column].excel,
		cpu ? " CPU utilization" : "", cpu ? " (Zero values should be ignored)" : "");
	for (unsigned int i = 0; i < records.count; i++)
		fprintf(out, "  \"%" PRIu64 "\"", records.list[i] / KIB);
	putc('\n', out);
	for (size_t i = 0; i < count; i++) {
		if (!i || rows[i].size != rows[i - 1].size) {
			fprintf(out, "%s\"%" PRIu64 "\"  ", i ? "\n" : "", rows[i].size / KIB);
			for (unsigned int j = left_out(line, rows[i].size); j; j--)
				write_excel_value(out, line, NULL, cpu);
		}
		write_excel_value(out, line, &rows[i].figures[column], cpu);
	}
	putc('\n', out);
}

static void write_excel(FILE *out, const struct command_line *line, const struct auto_row *rows,
			size_t count)
{
	fputs("Excel output is below:\n", out);
	for (int cpu = 0; cpu <= line->style.cpu; cpu++)
		for (unsigned int i = 0; i < AUTO_COLUMNS; i++)
			if (has_title(line, &columns[i]) &&
			    command_line_wants(line, columns[i].number))
				write_excel_table(out, line, rows, count, i, cpu);
}

void auto_table_write(FILE *out, const struct command_line *line, const struct auto_row *rows,
		      size_t count)
{
	write_titles(out, line, false);
	write_titles(out, line, true);
	for (size_t i = 0; i < count; i++)
		write_row(out, line, &rows[i]);
	fputs("\niozone test complete.\n", out);
	if (line->style.excel)
		write_excel(out, line, rows, count);
}
