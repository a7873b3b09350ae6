// SPDX-License-Identifier: GPL-2.0-only
/* The report as CSV: a row a test, a row a child. */
#include <csv.h>
#include <inttypes.h>
#include <string.h>

#include "report_fields.h"

struct csv_row {
	FILE *out;
	bool names; /* the header row: names in place of values */
	bool started;
};

static void separate(struct csv_row *row)
{
	if (row->started)
		putc(',', row->out);
	row->started = true;
}

static void put_cell(struct csv_row *row, const char *text)
{
	csv_fwrite(row->out, text, strlen(text));
}

static void put_text(void *context, const char *name, const char *value)
{
	struct csv_row *row = context;

	separate(row);
	if (row->names)
		put_cell(row, name);
	else if (value)
		put_cell(row, value);
}

static void put_count(void *context, const char *name, uint64_t value, bool known)
{
	struct csv_row *row = context;

	separate(row);
	if (row->names)
		put_cell(row, name);
	else if (known)
		fprintf(row->out, "%" PRIu64, value);
}

static void put_real(void *context, const char *name, double value, int decimals, bool known)
{
	struct csv_row *row = context;

	separate(row);
	if (row->names)
		put_cell(row, name);
	else if (known)
		fprintf(row->out, "%.*f", decimals, value);
}

static void write_row(FILE *out, bool names, const struct test_figures *test,
		      const struct child_figures *child)
{
	struct csv_row row = { .out = out, .names = names };
	const struct field_sink sink = {
		.text = put_text,
		.count = put_count,
		.real = put_real,
		.context = &row,
	};

	put_text(&row, "row", child ? "child" : "test");
	test_name_fields(&sink, test);
	test_fields(&sink, child ? NULL : test);
	child_fields(&sink, child);
	putc('\n', out);
}

void report_write_csv(FILE *out, const struct report *report)
{
	static const struct iozone_test no_test;
	static const struct test_figures none = { .test = &no_test };

	write_row(out, true, &none, NULL);
	for (size_t i = 0; i < report->figures->count; i++) {
		const struct test_figures *test = &report->figures->test[i];

		write_row(out, false, test, NULL);
		for (size_t k = 0; k < test->child_count && test->state != FIGURES_SUMS; k++)
			write_row(out, false, test, &test->child[k]);
	}
}
