// SPDX-License-Identifier: GPL-2.0-only
/* The fields of the CSV and JSON reports. */
#include "report_fields.h"

static const char *state_name(enum figures_state state)
{
	switch (state) {
	case FIGURES_WHOLE:
		return "whole";
	case FIGURES_SUMS:
		return "sums";
	case FIGURES_INTERRUPTED:
		return "interrupted";
	default:
		return "failed";
	}
}

void test_name_fields(const struct field_sink *sink, const struct test_figures *test)
{
	sink->count(sink->context, "round", test->round, true);
	sink->count(sink->context, "group", test->group, true);
	sink->text(sink->context, "test", test->test->name);
	sink->count(sink->context, "iozone_test_number", test->test->number, true);
	sink->text(sink->context, "label", test->test->label);
}

/* Throughputs: KiB with three digits behind the point, as are records. */
static void throughput_fields(const struct field_sink *sink, const struct test_figures *test,
			      bool records)
{
	static const char *const names[2][6] = {
		{ "children_see_KiB_per_s", "parent_sees_KiB_per_s", "min_KiB_per_s",
		  "max_KiB_per_s", "avg_KiB_per_s", "min_transferred_KiB" },
		{ "children_see_records_per_s", "parent_sees_records_per_s", "min_records_per_s",
		  "max_records_per_s", "avg_records_per_s", "min_transferred_records" },
	};
	static const struct throughput none;
	const struct throughput *from = !test ? &none : records ? &test->ops : &test->kb;
	bool whole = test && test->state == FIGURES_WHOLE && (test->has_ops || !records);
	bool sums = whole || (test && test->state == FIGURES_SUMS && (test->has_ops || !records));
	const char *const *name = names[records];

	sink->real(sink->context, name[0], from->children, 3, sums);
	sink->real(sink->context, name[1], from->parent, 3, sums && test->has_parent);
	sink->real(sink->context, name[2], from->min, 3, whole);
	sink->real(sink->context, name[3], from->max, 3, whole);
	sink->real(sink->context, name[4], from->avg, 3, sums);
	sink->real(sink->context, name[5], from->min_xfer, 3, whole);
}

static void time_fields(const struct field_sink *sink, const struct test_figures *test)
{
	static const struct test_figures none;
	bool figures = test && (test->state == FIGURES_WHOLE || test->state == FIGURES_SUMS);
	bool cpu = figures && test->has_cpu, moments = figures && test->has_moments;

	if (!test)
		test = &none;
	sink->real(sink->context, "wall_s", test->wall_s, 6, cpu);
	sink->real(sink->context, "cpu_s", test->cpu_s, 6, cpu);
	sink->real(sink->context, "cpu_percent", cpu_utilization(test->cpu_s, test->wall_s), 2,
		   cpu);
	sink->real(sink->context, "start_spread_s", test->start_spread_s, 9, moments);
	sink->real(sink->context, "stop_spread_s", test->stop_spread_s, 9, moments);
	sink->real(sink->context, "last_stop_to_end_s", test->settle_s, 9, moments);
	sink->real(sink->context, "release_to_end_s", test->release_to_end_s, 9, moments);
	sink->count(sink->context, "bytes", test->bytes, figures);
	sink->count(sink->context, "tail_bytes", test->tail_bytes, moments);
}

void test_fields(const struct field_sink *sink, const struct test_figures *test)
{
	sink->text(sink->context, "state", test ? state_name(test->state) : NULL);
	sink->count(sink->context, "children", test ? test->children : 0, test);
	sink->count(sink->context, "missing_children", test ? test->missing : 0, test);
	sink->count(sink->context, "record_size_bytes", test ? test->record_size : 0,
		    test && test->record_size);
	sink->count(sink->context, "file_size_bytes", test ? test->file_size : 0,
		    test && test->file_size);
	throughput_fields(sink, test, false);
	throughput_fields(sink, test, true);
	time_fields(sink, test);
}

void child_fields(const struct field_sink *sink, const struct child_figures *child)
{
	static const struct child_figures none;
	bool measured = child && !child->failure, any = child;

	if (!child)
		child = &none;
	sink->count(sink->context, "child", child->number, any);
	sink->text(sink->context, "child_host", child->host);
	sink->text(sink->context, "child_job", child->job);
	sink->text(sink->context, "child_file", child->file);
	sink->text(sink->context, "child_failure", child->failure);
	sink->count(sink->context, "child_errno", child->error > 0 ? (unsigned int)child->error : 0,
		    child->error > 0);
	sink->count(sink->context, "child_error_offset_bytes", child->error_offset,
		    child->error > 0);
	sink->count(sink->context, "child_bytes", child->bytes, any);
	sink->count(sink->context, "child_records", child->records, any);
	sink->real(sink->context, "child_time_s", child->seconds, 9, measured);
	sink->real(sink->context, "child_KiB_per_s", child->kb_per_s, 3, measured);
	sink->real(sink->context, "child_records_per_s", child->ops_per_s, 3, measured);
	sink->real(sink->context, "child_wall_s", child->wall_s, 6, measured);
	sink->real(sink->context, "child_cpu_s", child->cpu_s, 6, measured);
}
