/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The figures of a run, test by test: what a report prints.  Throughputs are
 * held twice, in KiB (which IOzone calls kB or KB) and in records (-O), so
 * that a writer of reports picks and never computes.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iozone_tests.h"

struct run;

/* A test in one unit: KiB or records, and those per second. */
struct throughput {
	double children;      /* "Children see" */
	double parent;	      /* "Parent sees" */
	double min, max, avg; /* of a child */
	double min_xfer;      /* the smallest amount of a child; not per second */
};

enum figures_state {
	FIGURES_WHOLE,	     /* every line can be printed */
	FIGURES_SUMS,	     /* no figures of single children: no Min, Max, Min xfer */
	FIGURES_FAILED,	     /* children are missing: no throughput at all */
	FIGURES_INTERRUPTED, /* fio was told to stop in this test: likewise */
};

struct child_figures {
	unsigned int number; /* as in Child[number] */
	const char *host;    /* NULL when the run has one host only */
	const char *job;     /* fio's name of the job; may be NULL */
	const char *file;    /* its file; NULL when nothing tells */
	const char *failure; /* NULL, or in words why there is no figure */
	uint64_t bytes;	     /* before the stop */
	uint64_t records;
	double seconds; /* its clock */
	double kb, kb_per_s;
	double ops, ops_per_s;
	double wall_s, cpu_s;  /* 0 when nothing tells */
	int error;	       /* errno, 0 when there was none */
	uint64_t error_offset; /* bytes, of the call that failed */
};

struct test_figures {
	const struct iozone_test *test;
	unsigned int round;    /* from 0: a new one begins when a test comes again */
	unsigned int group;    /* fio's group */
	unsigned int children; /* how many there should be */
	unsigned int missing;  /* how many of them have no figure, where that can be told */
	enum figures_state state;
	struct throughput kb, ops;
	bool has_parent;	     /* false: several hosts, whose clocks differ */
	bool has_ops;		     /* false: nothing tells the number of records */
	bool has_cpu;		     /* wall_s and cpu_s are known */
	double wall_s;		     /* of the longest child */
	double cpu_s;		     /* of all children, user and system */
	bool has_moments;	     /* the four below are known: run log only */
	double start_spread_s;	     /* first start of a child's clock to the last */
	double stop_spread_s;	     /* first stop of a child's clock to the last */
	double settle_s;	     /* last stop of a child's clock to the end of the last child */
	double release_to_end_s;     /* the parent's clock */
	uint64_t record_size;	     /* bytes; 0 when unknown */
	uint64_t file_size;	     /* bytes; 0 when unknown */
	uint64_t bytes, tail_bytes;  /* of all children */
	struct child_figures *child; /* by number; under FIGURES_SUMS the sums of each host */
	size_t child_count;
};

struct figures {
	struct test_figures *test;
	size_t count;
	unsigned int rounds;
	void *memory; /* owns the lists above */
};

/*
 * Works out the figures of a run.  The texts in them are those of the run, so
 * it has to outlive them.  Returns 0, or -1 when memory is short.
 */
int figures_of_run(const struct run *run, struct figures *figures);

void figures_free(struct figures *figures);

/* Per cent of wall time, as IOzone's -+u prints it: 0 when there was no time. */
double cpu_utilization(double cpu_s, double wall_s);

#endif
