/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of IOzone's throughput tests: the one place where a test has its
 * name, its -i number, its words in the report and its access pattern.  The
 * engine, the translator and the command line all read it.
 */
#ifndef IOZONE_TESTS_H
#define IOZONE_TESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What a child does to its file; the engine has a record loop for each. */
enum iozone_access {
	ACCESS_SEQUENTIAL, /* one call a record, from the first to the last */
	ACCESS_REVERSE,	   /* from the last record to the first */
	ACCESS_STRIDE,	   /* every n-th record, then the ones beside them */
	ACCESS_SHUFFLED,   /* every record once, in a shuffled order */
	ACCESS_MIXED,	   /* some children read, the others write */
	ACCESS_POSITIONED, /* pwrite and pread */
	ACCESS_STDIO,	   /* fwrite and fread */
};

/* What a child does when another one has raised the stop flag. */
enum iozone_stop {
	STOP_LEAVES,  /* leaves the loop */
	STOP_TAIL,    /* takes its time, then goes on to the end, untimed */
	STOP_IGNORES, /* finishes its file, timed */
};

/*
 * IOZONE_TEST(id, name, number, partner, writes, access, stop,
 *             count, label, children tabs, parent tabs, excel)
 *
 * id		TEST_<id> in enum iozone_test_id; the order is the report's
 * name		the value of the engine's option iozone_test
 * number	iozone's -i
 * partner	true for the second of a pair, which -+n leaves out
 * writes	true if the children write (mixed: some of them)
 * count	how the report prints the number of children
 * label	what the report calls the children
 * ... tabs	what stands between the label and the "="
 * excel	what -R calls the test, 16 characters wide, right aligned
 */
#define IOZONE_TESTS(IOZONE_TEST) \
	IOZONE_TEST(WRITE, "write", 0, false, true, ACCESS_SEQUENTIAL, STOP_TAIL, "%2u", \
		    "initial writers", " \t", " \t", "Initial write") \
	IOZONE_TEST(REWRITE, "rewrite", 0, true, true, ACCESS_SEQUENTIAL, STOP_LEAVES, "%2u", \
		    "rewriters", " \t", " \t", "Rewrite") \
	IOZONE_TEST(READ, "read", 1, false, false, ACCESS_SEQUENTIAL, STOP_LEAVES, "%2u", \
		    "readers", " \t\t", " \t\t", "Read") \
	IOZONE_TEST(REREAD, "reread", 1, true, false, ACCESS_SEQUENTIAL, STOP_LEAVES, "%u", \
		    "re-readers", " \t", " \t", "Re-read") \
	IOZONE_TEST(REVERSE_READ, "reverse_read", 3, false, false, ACCESS_REVERSE, STOP_LEAVES, \
		    "%u", "reverse readers", " \t", " \t", "Reverse Read") \
	IOZONE_TEST(STRIDE_READ, "stride_read", 5, false, false, ACCESS_STRIDE, STOP_LEAVES, "%u", \
		    "stride readers", " \t", " \t", "Stride read") \
	IOZONE_TEST(RANDOM_READ, "random_read", 2, false, false, ACCESS_SHUFFLED, STOP_LEAVES, \
		    "%u", "random readers", " \t", " \t", "Random read") \
	IOZONE_TEST(MIXED, "mixed", 8, false, true, ACCESS_MIXED, STOP_LEAVES, "%u", \
		    "mixed workload", " \t", " \t", "Mixed workload") \
	IOZONE_TEST(RANDOM_WRITE, "random_write", 2, false, true, ACCESS_SHUFFLED, STOP_TAIL, \
		    "%u", "random writers", " \t", " \t", "Random write") \
	IOZONE_TEST(PWRITE, "pwrite", 9, false, true, ACCESS_POSITIONED, STOP_TAIL, "%u", \
		    "pwrite writers", " \t", " \t", "Pwrite") \
	IOZONE_TEST(PREAD, "pread", 10, false, false, ACCESS_POSITIONED, STOP_LEAVES, "%u", \
		    "pread readers", " \t", " \t", "Pread") \
	IOZONE_TEST(FWRITE, "fwrite", 6, false, true, ACCESS_STDIO, STOP_IGNORES, "%2u", \
		    "fwriters", " \t", " \t\t", "Fwrite") \
	IOZONE_TEST(FREAD, "fread", 7, false, false, ACCESS_STDIO, STOP_IGNORES, "%2u", \
		    "freaders", " \t", " \t\t", "Fread")

enum iozone_test_id {
#define IOZONE_TEST_ID(id, ...) TEST_##id,
	IOZONE_TESTS(IOZONE_TEST_ID)
#undef IOZONE_TEST_ID
		TEST_COUNT
};

struct iozone_test {
	enum iozone_test_id id;
	const char *name;
	unsigned int number;
	bool partner;
	bool writes;
	enum iozone_access access;
	enum iozone_stop stop;
	const char *count;
	const char *label;
	const char *children_tabs;
	const char *parent_tabs;
	const char *excel;
};

/* The row of a test; NULL when id is out of range. */
static inline const struct iozone_test *iozone_test_row(unsigned int id)
{
	static const struct iozone_test rows[TEST_COUNT] = {
#define IOZONE_TEST_ROW(id, ...) { TEST_##id, __VA_ARGS__ },
		IOZONE_TESTS(IOZONE_TEST_ROW)
#undef IOZONE_TEST_ROW
	};

	return id < TEST_COUNT ? &rows[id] : NULL;
}

/* The row of the test that iozone_test=NAME means; NULL when there is none. */
static inline const struct iozone_test *iozone_test_named(const char *name)
{
	for (unsigned int id = 0; id < TEST_COUNT; id++)
		if (!strcmp(iozone_test_row(id)->name, name))
			return iozone_test_row(id);
	return NULL;
}

#endif
