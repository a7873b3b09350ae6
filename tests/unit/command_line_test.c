// SPDX-License-Identifier: GPL-2.0-only
/* iozone's command line: what its options come to, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "caught_stderr.h"
#include "command_line.h"

#define WORDS_MAX 64

struct parsed {
	struct command_line line;
	struct caught_stderr caught;
	char words[1024];
	char *argv[WORDS_MAX];
	int argc;
};

static int begin(void **state)
{
	*state = calloc(1, sizeof(struct parsed));
	return *state ? 0 : -1;
}

static int end(void **state)
{
	struct parsed *parsed = *state;

	command_line_free(&parsed->line);
	free(parsed);
	return 0;
}

/* Reads "-t 2 -s 1m" as fiozone would; a new one takes the place of the last. */
static int parse(struct parsed *parsed, const char *words)
{
	char *save, *word;
	int status;

	command_line_free(&parsed->line);
	assert_in_range(strlen(words), 0, sizeof(parsed->words) - 1);
	strcpy(parsed->words, words);
	parsed->argc = 0;
	parsed->argv[parsed->argc++] = (char *)"fiozone";
	for (word = strtok_r(parsed->words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		parsed->argv[parsed->argc++] = word;
	parsed->argv[parsed->argc] = NULL;
	catch_stderr(&parsed->caught);
	status = command_line_read(&parsed->line, parsed->argc, parsed->argv);
	release_stderr(&parsed->caught);
	return status;
}

static const struct command_line *accept(void **state, const char *words)
{
	struct parsed *parsed = *state;

	if (parse(parsed, words))
		fail_msg("%s: %s", words, parsed->caught.text);
	assert_string_equal(parsed->caught.text, "");
	return &parsed->line;
}

/* One line on standard error, with the text in it. */
static void refuse(void **state, const char *words, const char *text)
{
	struct parsed *parsed = *state;
	const char *end;

	if (!parse(parsed, words))
		fail_msg("%s: taken", words);
	end = strchr(parsed->caught.text, '\n');
	if (!end || end[1] || !strstr(parsed->caught.text, text))
		fail_msg("%s: \"%s\" is not one line with \"%s\"", words, parsed->caught.text,
			 text);
}

static const char *setting(const struct command_line *line, const char *name)
{
	for (size_t i = 0; i < line->setting_count; i++)
		if (!strcmp(line->settings[i].name, name))
			return line->settings[i].value;
	return "not set";
}

/* ---- sizes ------------------------------------------------------------------ */

static void sizes_are_kilobytes_unless_they_say_so(void **state)
{
	const struct {
		const char *words;
		uint64_t bytes;
	} sizes[] = {
		{ "-s 1024", 1 << 20 },	   { "-s1g", 1 << 30 },
		{ "-s 3G", 3LL << 30 },	   { "-s 512k", 512 << 10 },
		{ "-s 7K", 7 << 10 },	   { "-s 4m", 4 << 20 },
		{ "-s 10M", 10 << 20 },	   { "-s 1", 1 << 10 },
		{ "-s 8388607t -s 1", 0 }, { "-s 8589934591g", 8589934591LL << 30 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char words[64];

		snprintf(words, sizeof(words), "-t 1 %s", sizes[i].words);
		if (sizes[i].bytes)
			assert_int_equal(accept(state, words)->sizes[0], sizes[i].bytes);
		else
			refuse(state, words, "not a size");
	}
}

static void sizes_that_are_none(void **state)
{
	const char *const words[] = {
		"-s 0",	  "-s -1",  "-s x",	      "-s 1.5g",
		"-s 1kb", "-s 1 k", "-s 8589934592g", "-s 99999999999999999999",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		refuse(state, words[i], i == 5 ? "no such word" : "not a size");
	refuse(state, "-t 1 -r 16385", "at most 16384 kB");
	assert_int_equal(accept(state, "-t 1 -r 16m")->records[0], 16 << 20);
}

/* ---- iozone's way with words ------------------------------------------------ */

static void arguments_may_be_glued_but_not_those_of_plus(void **state)
{
	const struct command_line *line = accept(state, "-t32 -s1g -r16k -i0 -i 1 -+n -+q 3 -ec");

	assert_true(line->throughput);
	assert_int_equal(line->counts[0], 32);
	assert_int_equal(line->records[0], 16384);
	assert_int_equal(line->tests, 3);
	assert_true(line->no_retest);
	assert_int_equal(line->rest_s, 3);
	assert_string_equal(setting(line, "iozone_flush"), "1");
	assert_string_equal(setting(line, "iozone_close"), "1");
	refuse(state, "-t 1 -+q3", "-+q3 is no option");
	refuse(state, "-t 1 -+q", "-+q: S is missing");
	refuse(state, "-t 1 -+", "a letter is missing");
	refuse(state, "-t", "-t: N is missing");
	refuse(state, "-t 1 -+Y", "-+Y is no option");
	refuse(state, "-t 1 -9", "-9 is no option");
	refuse(state, "-t 1 more", "more: iozone takes no such word");
	refuse(state, "-t 1 --nothing", "--nothing is no option");
	refuse(state, "", "no options given");
}

static void numbers_have_limits(void **state)
{
	refuse(state, "-t 0", "-t 0: not a number from 1 to 1024");
	refuse(state, "-t 100000", "from 1 to 1024");
	refuse(state, "-t -3", "from 1 to 1024");
	refuse(state, "-t 2x", "from 1 to 1024");
	refuse(state, "-i 99", "-i 99: not a number from 0 to 12");
	refuse(state, "-V 256", "from 0 to 255");
	refuse(state, "-t 1 -+p 101", "from 0 to 100");
	refuse(state, "-t 1 -j 0", "from 1 to");
	refuse(state, "-l 3 -u 2", "-l is above -u");
	assert_int_equal(accept(state, "-t 1024")->counts[0], 1024);
}

static void names_of_files_are_as_many_as_children(void **state)
{
	const struct command_line *line = accept(state, "-t 3 -F a b c -s 1m");

	assert_int_equal(line->name_count, 3);
	assert_string_equal(line->names[0], "a");
	assert_string_equal(line->names[2], "c");
	assert_int_equal(line->sizes[0], 1 << 20);
	assert_int_equal(accept(state, "-u 2 -F a b")->name_count, 2);
	assert_int_equal(accept(state, "-t 1 -t 3 -F a b c")->name_count, 3);
	refuse(state, "-t 3 -F a b", "2 names are not enough for 3 children");
	refuse(state, "-t 3 -F a b -s 1m", "2 names are not enough for 3 children");
	refuse(state, "-F a", "say how many children");
	refuse(state, "-t 1 -f a -F b", "-f and -F");
	refuse(state, "-t 1 -F b -f a", "-f and -F");
	refuse(state, "-t 2 -F a b c", "c: iozone takes no such word");
}

/* ---- what options come to --------------------------------------------------- */

static void options_become_lines_of_the_job(void **state)
{
	static const struct {
		const char *words, *name, *value;
	} rows[] = {
		{ "-e", "iozone_flush", "1" },
		{ "-c", "iozone_close", "1" },
		{ "-x", "iozone_stonewall", "0" },
		{ "-I", "direct", "1" },
		{ "-o", "sync", "sync" },
		{ "-+r", "sync", "sync" },
		{ "-+D", "sync", "dsync" },
		{ "-o -+D", "sync", "sync" },
		{ "-T", "thread", "1" },
		{ "-B", "iozone_mmap", "1" },
		{ "-B", "iozone_msync", "not set" },
		{ "-D", "iozone_mmap", "1" },
		{ "-D", "iozone_msync", "async" },
		{ "-G", "iozone_mmap", "not set" },
		{ "-G", "iozone_msync", "not set" },
		{ "-B -G", "iozone_msync", "sync" },
		{ "-G -D", "iozone_msync", "both" },
		{ "-H 4", "iozone_async", "4" },
		{ "-H 4", "iozone_async_nocopy", "not set" },
		{ "-k 4", "iozone_async_nocopy", "1" },
		{ "-W", "iozone_lock", "1" },
		{ "-+l", "iozone_record_lock", "1" },
		{ "-+L", "iozone_record_lock", "1" },
		{ "-+L", "iozone_share_file", "1" },
		{ "-+V", "iozone_share_file", "1" },
		{ "-K", "iozone_jitter", "1" },
		{ "-j 5", "iozone_stride", "5" },
		{ "-j 5 -j 6", "iozone_stride", "6" },
		{ "-J 20", "iozone_compute", "20" },
		{ "-+J", "iozone_compute_counts", "1" },
		{ "-d 500", "iozone_start_delay", "500" },
		{ "-V 7", "iozone_verify", "7" },
		{ "-V 0", "iozone_verify", "95" },
		{ "-V 7", "iozone_check", "not set" },
		{ "-e", "iozone_check", "1" },
		{ "-+d", "iozone_verify_bytes", "1" },
		{ "-+p 0", "iozone_mix_read", "1" },
		{ "-+B", "iozone_mix_sequential", "1" },
		{ "-+w 50 -+y 20 -+C 10", "iozone_dedup", "50" },
		{ "-+w 50 -+y 20 -+C 10", "iozone_dedup_within", "20" },
		{ "-+w 50 -+y 20 -+C 10", "iozone_dedup_between", "10" },
		{ "-p", "iozone_purge", "1" },
		{ "-S 512", "iozone_cache_size", "524288" },
		{ "-S 0", "iozone_cache_size", "1048576" },
		{ "-L 64", "iozone_cache_line", "64" },
		{ "-m", "iozone_multi_buffer", "1" },
		{ "-Q", "iozone_latency_log", "." },
		{ "-+z", "iozone_histogram", "." },
		{ "-+A 2", "iozone_madvise", "2" },
		{ "-+N", "iozone_recreate", "0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char words[64];

		snprintf(words, sizeof(words), "-t 2 %s", rows[i].words);
		assert_string_equal(setting(accept(state, words), rows[i].name), rows[i].value);
	}
}

static void options_speak_in_their_order(void **state)
{
	static const char *const lines[] = {
		"Verify Mode. Pattern 7070707",
		"Performance measurements are invalid in this mode.",
		"File size set to 1024 kB",
		"Record Size 16 kB",
		"Binding of processors beginning with 0 ",
		"Delay 1 seconds between tests enabled.",
		"Percent read in mix test is 70",
		"SYNC Mode. ",
		"POSIX Async I/O (no bcopy). Depth 2 ",
		"CPU utilization Resolution = 0.000 seconds.",
		"CPU utilization Excel chart enabled",
	};
	const struct command_line *line = accept(
		state, "-V 7 -s 1m -r 16k -t 1 -C -P 0 -T -+q 1 -+p 70 -o -k 2 -+u -+k -j 3");

	assert_int_equal(line->line_count, sizeof(lines) / sizeof(lines[0]));
	for (size_t i = 0; i < line->line_count; i++)
		assert_string_equal(line->lines[i], lines[i]);
	line = accept(state, "-t 1 -J 1");
	assert_int_equal(line->compute_line_count, 1);
	assert_string_equal(line->compute_lines[0],
			    "Compute time 0.001000 seconds for reads and writes.");
}

static void own_options_are_not_iozones(void **state)
{
	const struct command_line *line = accept(
		state, "--job -t 2 --keep kept -s 1m --fio=/x/fio --layout 3.397 -i 0 --verbose");

	assert_string_equal(line->command, "iozone -t 2 -s 1m -i 0");
	assert_true(line->job_only);
	assert_true(line->verbose);
	assert_string_equal(line->keep, "kept");
	assert_string_equal(line->fio, "/x/fio");
	assert_int_equal(line->style.layout, LAYOUT_3397);
	refuse(state, "-t 1 --layout 3.5", "--layout 3.5");
}

/* ---- what does not go together ---------------------------------------------- */

static void what_iozone_refuses(void **state)
{
	refuse(state, "-t 1 -a", "-a");
	refuse(state, "-t 1 -n 64k", "-n");
	refuse(state, "-t 1 -s 1m -s 2m", "more than one -s");
	refuse(state, "-t 1 -r 4k -r 8k", "more than one -r");
	refuse(state, "-t 1 -N", "-N");
	refuse(state, "-t 1 -U /mnt", "-U");
	refuse(state, "-t 1 -f x", "-F");
	refuse(state, "-t 1 -H 2 -k 2", "-H and -k");
	refuse(state, "-t 1 -H 2 -B", "do not go together");
	refuse(state, "-t 1 -+d -+w 3", "-+d and -+w");
	refuse(state, "-t 1 -+E -F a", "-i");
	refuse(state, "-t 1 -+E -F a -i 0", "tests that write");
	refuse(state, "-t 1 -+E -i 1", "-F");
	accept(state, "-t 1 -+E -F a -i 1 -i 3 -i 5 -i 7 -i 10");
	refuse(state, "-a -Z", "-Z");
	refuse(state, "-a -T", "throughput");
	accept(state, "-t 1 -Z -E");
}

/* ---- the table -------------------------------------------------------------- */

static void every_refusal_has_its_reason(void **state)
{
	size_t count;
	const struct command_option *options = command_options(&count);

	for (size_t i = 0; i < count; i++) {
		char words[64];

		assert_non_null(options[i].meaning);
		assert_non_null(options[i].becomes);
		assert_ptr_equal(command_option_named(options[i].name), &options[i]);
		if (options[i].way != WAY_REFUSED)
			continue;
		snprintf(words, sizeof(words), "-t 1 -%s 1", options[i].name);
		refuse(state, words, options[i].becomes);
	}
}

/* Each option of the table does something, or says that it does nothing. */
static void no_option_is_swallowed(void **state)
{
	size_t count;
	const struct command_option *options = command_options(&count);

	(void)state;
	for (size_t i = 0; i < count; i++)
		if (options[i].way != WAY_REFUSED && strcmp(options[i].name, "F") != 0 &&
		    !options[i].take && !options[i].sets)
			fail_msg("-%s is swallowed", options[i].name);
}

static void help_names_every_option(void **state)
{
	char *text = NULL;
	size_t length = 0, count;
	const struct command_option *options = command_options(&count);
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	command_line_help(out);
	fclose(out);
	for (size_t i = 0; i < count; i++) {
		char start[16];

		snprintf(start, sizeof(start), "\n  -%s ", options[i].name);
		if (!strstr(text, start))
			fail_msg("-%s is not in the help", options[i].name);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sizes_are_kilobytes_unless_they_say_so, begin, end),
		cmocka_unit_test_setup_teardown(sizes_that_are_none, begin, end),
		cmocka_unit_test_setup_teardown(arguments_may_be_glued_but_not_those_of_plus, begin,
						end),
		cmocka_unit_test_setup_teardown(numbers_have_limits, begin, end),
		cmocka_unit_test_setup_teardown(names_of_files_are_as_many_as_children, begin, end),
		cmocka_unit_test_setup_teardown(options_become_lines_of_the_job, begin, end),
		cmocka_unit_test_setup_teardown(options_speak_in_their_order, begin, end),
		cmocka_unit_test_setup_teardown(own_options_are_not_iozones, begin, end),
		cmocka_unit_test_setup_teardown(what_iozone_refuses, begin, end),
		cmocka_unit_test_setup_teardown(every_refusal_has_its_reason, begin, end),
		cmocka_unit_test(no_option_is_swallowed),
		cmocka_unit_test(help_names_every_option),
	};

	return cmocka_run_group_tests_name("command_line", tests, NULL, NULL);
}
