/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of the CSV and JSON reports, each with its name and its unit, in
 * one place: both formats have the same ones, and docs/formats.md lists them.
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "report.h"

/* Takes fields one by one; what is not known comes with known false, or NULL. */
struct field_sink {
	void (*text)(void *context, const char *name, const char *value);
	void (*count)(void *context, const char *name, uint64_t value, bool known);
	void (*real)(void *context, const char *name, double value, int decimals, bool known);
	void *context;
};

/* What names a test: its round, group, name. */
void test_name_fields(const struct field_sink *sink, const struct test_figures *test);

/* The figures of a test; NULL passes all fields as not known. */
void test_fields(const struct field_sink *sink, const struct test_figures *test);

/* The figures of a child; NULL likewise. */
void child_fields(const struct field_sink *sink, const struct child_figures *child);

#endif
