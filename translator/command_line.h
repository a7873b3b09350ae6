/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iozone's command line, as fiozone takes it: one table of all its options,
 * and what a command line of them asks for.
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "report.h"

/* iozone's own limits. */
#define CHILDREN_MAX 1024
#define RECORD_MAX (16u << 20) /* bytes */
#define RANGE_MAX 64	       /* -s, -r, -t so often */

/* iozone's tests by number, bits of command_line.tests. */
#define TEST_NUMBER_COUNT 13
#define TEST_RECORD_REWRITE 4 /* auto mode only, as are the two below */
#define TEST_PWRITEV 11
#define TEST_PREADV 12

/* A line of the job file: "iozone_flush", "1". */
struct job_setting {
	const char *name;
	const char *value;
};

struct command_line {
	/* fiozone's own options */
	const char *keep;   /* --keep: a directory, or NULL */
	const char *fio;    /* --fio, or NULL */
	const char *engine; /* --engine, or NULL */
	struct report_style style;

	/* the run: children; what they move, in bytes; files */
	size_t count_count;
	uint64_t sizes[RANGE_MAX]; /* -s */
	size_t size_count;
	uint64_t records[RANGE_MAX]; /* -r */
	size_t record_count;
	const char *file;	  /* -f */
	const char *const *names; /* -F */
	size_t name_count;
	const char *write_list, *read_list; /* -X, -Y */
	uint64_t read_extent;		    /* what -Y reaches to, bytes */
	uint64_t cache_size, cache_line;    /* -S, -L */

	/* auto mode, in bytes; 0: not given */
	uint64_t least_size, most_size;	    /* -n, -g */
	uint64_t least_record, most_record; /* -y, -q */

	/* lines for [global], in the options' order */
	struct job_setting *settings;
	size_t setting_count, setting_room;
	/* what the options say in the report's header, before and after "Output is in" */
	const char **lines;
	size_t line_count, line_room;
	const char *compute_lines[2];
	size_t compute_line_count;
	/* "iozone -t 2 -s 4m": fiozone's own options are not in it */
	const char *command;
	struct arena *arena; /* owns all texts and lists */

	unsigned int counts[RANGE_MAX]; /* -t */
	unsigned int least, most;	/* -l, -u: children; 0: not given */
	unsigned int tests;		/* 1 << number; 0: iozone's default */
	unsigned int rest_s;		/* -+q */
	unsigned int multiplier;	/* -+x */
	unsigned int async_depth;	/* -H, -k */
	unsigned int first_cpu;		/* -P */
	unsigned int stride;		/* -j, records */
	unsigned int compute_ms;	/* -J */
	int settle_s;			/* --settle; -1: iozone's pauses */

	bool help;
	bool version;
	bool job_only; /* --job */
	bool verbose;
	bool throughput; /* -t, -l or -u is there; else auto mode */
	bool threads;
	bool constant_total; /* -+k: the size is that of all files */
	bool no_retest;
	bool shared;			  /* -+V, -+L: all children use the first file */
	bool keep_files;		  /* -w */
	bool automatic;			  /* -a */
	bool write_read_only;		  /* -A */
	bool extended;			  /* -E */
	bool no_crossover;		  /* -z */
	bool microseconds;		  /* -N */
	bool mmap_mix;			  /* -Z */
	bool mapped;			  /* -B, -D */
	bool msync_async, msync_sync;	  /* -D, -G */
	bool async_given, async_in_place; /* -H or -k; -k */
	bool dedup;			  /* -+w */
	bool diagnose;			  /* -+d */
	bool bind;			  /* -P */
	bool exists;			  /* -+E: no test may write */
	bool compute;			  /* -J */
	bool write_delays, read_delays;	  /* -X, -Y: they have times to compute */
	bool sync, dsync;		  /* -o and -+r; -+D */
	bool say_twice;			  /* the next line, see -M */
};

/* How an option of iozone is honoured. */
enum option_way {
	WAY_FIO,     /* an option of fio */
	WAY_ENGINE,  /* an option of the engine */
	WAY_FIOZONE, /* fiozone does it, or prints it */
	WAY_NOTHING, /* iozone itself does nothing with it in these modes */
	WAY_REFUSED, /* an error, and the reason */
};

struct command_option {
	const char *name;     /* "s", "+n": without the first dash */
	const char *argument; /* what it takes, for people; NULL: nothing */
	enum option_way way;
	const char *meaning; /* what iozone does */
	const char *becomes; /* what it becomes, or why it is refused */
	const char *says;    /* its line in the report's header, or NULL */
	const char *sets;    /* its line in the job file, "NAME=VALUE", or NULL */
	/* what it does besides; returns 0, or -1 after a message */
	int (*take)(struct command_line *line, const struct command_option *option,
		    const char *argument);
};

/* The table of all iozone's options. */
const struct command_option *command_options(size_t *count);

/* The row of an option, "s" or "+n"; NULL when iozone has no such option. */
const struct command_option *command_option_named(const char *name);

/* For the table's functions: 0, or -1 after a message. */
int command_line_say(struct command_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int command_line_set(struct command_line *line, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A number, or a size in bytes of iozone's kind: digits and k, m or g, and kB
 * when there is none of these.  Returns 0, or -1 after a message that names
 * the option.
 */
int command_line_number(const struct command_option *option, const char *text, uint64_t least,
			uint64_t most, uint64_t *value);
int command_line_size(const struct command_option *option, const char *text, uint64_t *bytes);

/*
 * Reads a command line.  Returns 0, or -1 after one line on standard error.
 * In either case command_line_free() is due.
 */
int command_line_read(struct command_line *line, int argc, char **argv);
void command_line_free(struct command_line *line);

/* Is one of iozone's tests (by -i number) to be run? */
bool command_line_wants(const struct command_line *line, unsigned int number);

/* --help: every option in a line. */
void command_line_help(FILE *out);

#endif
