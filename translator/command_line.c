// SPDX-License-Identifier: GPL-2.0-only
/* Reads iozone's command line by the table of its options. */
#include "command_line.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arena_text.h"
#include "message.h"

/* fiozone's own options; they have no letter, so as to leave iozone's alone. */
enum own_option {
	OWN_JOB = 256,
	OWN_KEEP,
	OWN_FIO,
	OWN_ENGINE,
	OWN_LAYOUT,
	OWN_SETTLE,
	OWN_VERBOSE,
	OWN_HELP,
	OWN_VERSION,
};

struct own_row {
	struct option option;
	const char *argument;
	const char *meaning;
};

static const struct own_row own_rows[] = {
	{ { "job", no_argument, NULL, OWN_JOB }, NULL, "print the job file, run nothing" },
	{ { "keep", required_argument, NULL, OWN_KEEP },
	  "DIR",
	  "keep job file, fio's JSON and run log in DIR" },
	{ { "fio", required_argument, NULL, OWN_FIO },
	  "PATH",
	  "the fio to run (default: $FIO, or fio)" },
	{ { "engine", required_argument, NULL, OWN_ENGINE },
	  "PATH",
	  "the engine (default: beside fiozone, or the installed one)" },
	{ { "layout", required_argument, NULL, OWN_LAYOUT },
	  "VERSION",
	  "report as iozone 3.397 or 3.489 prints it" },
	{ { "settle", required_argument, NULL, OWN_SETTLE },
	  "S",
	  "sync and pause for S seconds before each test (default: iozone's)" },
	{ { "verbose", no_argument, NULL, OWN_VERBOSE }, NULL, "say what is being done" },
	{ { "help", no_argument, NULL, OWN_HELP }, NULL, "this text" },
	{ { "version", no_argument, NULL, OWN_VERSION }, NULL, "versions" },
};
#define OWN_COUNT (sizeof(own_rows) / sizeof(own_rows[0]))

/* ---- what the table's functions call ---------------------------------------- */

static int out_of_memory(void)
{
	complain(NULL, 0, "out of memory");
	return -1;
}

/* Room for one more in a list that grows in the arena: the list, or NULL. */
static void *grow(struct arena *arena, void *list, size_t count, size_t *room, size_t size)
{
	void *grown;

	if (count < *room)
		return list;
	*room = *room ? 2 * *room : 16;
	grown = arena_zeros(arena, *room, size);
	if (grown && count)
		memcpy(grown, list, count * size);
	return grown;
}

static int add_line(struct command_line *line, const char *text)
{
	line->lines = grow(line->arena, line->lines, line->line_count, &line->line_room,
			   sizeof(*line->lines));
	if (!line->lines)
		return out_of_memory();
	line->lines[line->line_count++] = text;
	return 0;
}

static const char *print_text(struct arena *arena, const char *format, va_list values)
{
	const char *kept;
	char *text;

	if (vasprintf(&text, format, values) < 0)
		return NULL;
	kept = arena_string(arena, text, strlen(text));
	free(text);
	return kept;
}

int command_line_say(struct command_line *line, const char *format, ...)
{
	va_list values;
	const char *text;

	va_start(values, format);
	text = print_text(line->arena, format, values);
	va_end(values);
	if (!text)
		return out_of_memory();
	if (line->say_twice) {
		line->say_twice = false;
		if (add_line(line, text))
			return -1;
	}
	return add_line(line, text);
}

int command_line_set(struct command_line *line, const char *name, const char *format, ...)
{
	va_list values;
	const char *text;

	va_start(values, format);
	text = print_text(line->arena, format, values);
	va_end(values);
	if (!text)
		return out_of_memory();
	/* the last one counts, as in iozone */
	for (size_t i = 0; i < line->setting_count; i++) {
		if (strcmp(line->settings[i].name, name) != 0)
			continue;
		line->settings[i].value = text;
		return 0;
	}
	line->settings = grow(line->arena, line->settings, line->setting_count, &line->setting_room,
			      sizeof(*line->settings));
	if (!line->settings)
		return out_of_memory();
	line->settings[line->setting_count++] = (struct job_setting){ name, text };
	return 0;
}

/* Digits, and what comes behind them; -1 when there are none, or too many. */
static int read_digits(const char *text, uint64_t *value, const char **end)
{
	char *after;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	*value = strtoull(text, &after, 10);
	*end = after;
	return errno ? -1 : 0;
}

int command_line_number(const struct command_option *option, const char *text, uint64_t least,
			uint64_t most, uint64_t *value)
{
	const char *end;

	if (read_digits(text, value, &end) || *end || *value < least || *value > most) {
		complain(NULL, 0, "-%s %s: not a number from %llu to %llu", option->name, text,
			 (unsigned long long)least, (unsigned long long)most);
		return -1;
	}
	return 0;
}

/* The binary digits that k, m or g stand for; -1 for any other letter. */
static int unit_shift(const char *unit)
{
	if (!*unit)
		return 10;
	if (unit[1])
		return -1;
	switch (tolower((unsigned char)*unit)) {
	case 'k':
		return 10;
	case 'm':
		return 20;
	case 'g':
		return 30;
	default:
		return -1;
	}
}

int command_line_size(const struct command_option *option, const char *text, uint64_t *bytes)
{
	const char *unit;
	uint64_t number;
	int shift = -1;

	if (!read_digits(text, &number, &unit))
		shift = unit_shift(unit);
	/* more than any file may have */
	if (shift < 0 || !number || number > (uint64_t)INT64_MAX >> shift) {
		complain(NULL, 0, "-%s %s: not a size: a number of kB, or one with k, m or g",
			 option->name, text);
		return -1;
	}
	*bytes = number << shift;
	return 0;
}

/* ---- options ---------------------------------------------------------------- */

static int set_constant(struct command_line *line, const char *setting)
{
	const char *equals = strchr(setting, '=');
	const char *name = arena_string(line->arena, setting, (size_t)(equals - setting));

	if (!name)
		return out_of_memory();
	return command_line_set(line, name, "%s", equals + 1);
}

static int honour(struct command_line *line, const struct command_option *option,
		  const char *argument)
{
	if (option->way == WAY_REFUSED) {
		complain(NULL, 0, "-%s is not supported: %s", option->name, option->becomes);
		return -1;
	}
	if (option->sets && set_constant(line, option->sets))
		return -1;
	if (option->says && command_line_say(line, "%s", option->says))
		return -1;
	return option->take ? option->take(line, option, argument) : 0;
}

/* -F takes as many of the following words as there are children. */
static int take_names(struct command_line *line, char **argv, int argc)
{
	unsigned int wanted = line->most;
	const char **names;

	for (size_t i = 0; i < line->count_count; i++)
		if (line->counts[i] > wanted)
			wanted = line->counts[i];
	if (!wanted) {
		complain(NULL, 0, "-F: say how many children there are first: -t N -F FILE...");
		return -1;
	}
	optind--;
	if (argc - optind < (int)wanted) {
		complain(NULL, 0, "-F: %d names are not enough for %u children", argc - optind,
			 wanted);
		return -1;
	}
	names = arena_zeros(line->arena, wanted, sizeof(*names));
	if (!names)
		return out_of_memory();
	for (unsigned int i = 0; i < wanted; i++) {
		names[i] = argv[optind++];
		if (names[i][0] == '-' || !names[i][0]) {
			complain(NULL, 0, "-F: %u names are not enough for %u children", i, wanted);
			return -1;
		}
	}
	if (line->file) {
		complain(NULL, 0, "-f and -F cannot be used together");
		return -1;
	}
	line->names = names;
	line->name_count = wanted;
	return 0;
}

/* -+x and its like: the argument is the next word. */
static int take_plus(struct command_line *line, char **argv, int argc)
{
	const char name[] = { '+', optarg[0], '\0' };
	const struct command_option *option = command_option_named(name);
	const char *argument = NULL;

	if (!option || optarg[1]) {
		complain(NULL, 0, "-+%s is no option of iozone's", optarg);
		return -1;
	}
	if (option->argument && option->way != WAY_REFUSED) {
		if (optind >= argc) {
			complain(NULL, 0, "-%s: %s is missing", option->name, option->argument);
			return -1;
		}
		argument = argv[optind++];
	}
	return honour(line, option, argument);
}

static int take_letter(struct command_line *line, int letter, char **argv, int argc)
{
	const char name[] = { (char)letter, '\0' };

	if (letter == '+')
		return take_plus(line, argv, argc);
	if (letter == 'F')
		return take_names(line, argv, argc);
	return honour(line, command_option_named(name), optarg);
}

static int take_layout(struct command_line *line, const char *name)
{
	if (!strcmp(name, "3.489"))
		line->style.layout = LAYOUT_3489;
	else if (!strcmp(name, "3.397"))
		line->style.layout = LAYOUT_3397;
	else {
		complain(NULL, 0, "--layout %s: there are 3.397 and 3.489", name);
		return -1;
	}
	return 0;
}

static int take_settle(struct command_line *line, const char *text)
{
	const char *end;
	uint64_t seconds;

	if (read_digits(text, &seconds, &end) || *end || seconds > 86400) {
		complain(NULL, 0, "--settle %s: not a number of seconds", text);
		return -1;
	}
	line->settle_s = (int)seconds;
	return 0;
}

static int take_own(struct command_line *line, int own)
{
	switch ((enum own_option)own) {
	case OWN_JOB:
		line->job_only = true;
		return 0;
	case OWN_KEEP:
		line->keep = optarg;
		return 0;
	case OWN_FIO:
		line->fio = optarg;
		return 0;
	case OWN_ENGINE:
		line->engine = optarg;
		return 0;
	case OWN_LAYOUT:
		return take_layout(line, optarg);
	case OWN_SETTLE:
		return take_settle(line, optarg);
	case OWN_VERBOSE:
		line->verbose = true;
		return 0;
	case OWN_HELP:
		line->help = true;
		return 0;
	case OWN_VERSION:
		line->version = true;
		return 0;
	}
	return -1;
}

/* What getopt has not understood. */
static int refuse_word(int result, char **argv)
{
	const struct command_option *option;
	char name[] = { (char)optopt, '\0' };

	if (result == ':' && optopt < 256) {
		option = command_option_named(optopt == '+' ? "+n" : name);
		complain(NULL, 0, "-%s: %s is missing", name,
			 optopt == '+' ? "a letter" : option->argument);
	} else if (result == ':') {
		complain(NULL, 0, "%s: an argument is missing", argv[optind - 1]);
	} else if (optopt && optopt < 256) {
		complain(NULL, 0, "-%c is no option of iozone's", optopt);
	} else {
		complain(NULL, 0, "%s is no option of iozone's or fiozone's", argv[optind - 1]);
	}
	return -1;
}

/* ":a:b+:", from the table. */
static const char *short_options(struct arena *arena)
{
	size_t count, length = 0;
	const struct command_option *options = command_options(&count);
	char *letters = arena_zeros(arena, 1, 2 * count + 8);

	if (!letters)
		return NULL;
	letters[length++] = ':';
	for (size_t i = 0; i < count; i++) {
		if (options[i].name[0] == '+')
			continue;
		letters[length++] = options[i].name[0];
		if (options[i].argument)
			letters[length++] = ':';
	}
	letters[length++] = '+';
	letters[length++] = ':';
	return letters;
}

static int take_all(struct command_line *line, int argc, char **argv)
{
	struct option long_options[OWN_COUNT + 1] = { 0 };
	const char *letters = short_options(line->arena);
	int result;

	if (!letters)
		return out_of_memory();
	for (size_t i = 0; i < OWN_COUNT; i++)
		long_options[i] = own_rows[i].option;
	optind = 0;
	while ((result = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
		if (result == '?' || result == ':')
			return refuse_word(result, argv);
		if (result >= 256 ? take_own(line, result) : take_letter(line, result, argv, argc))
			return -1;
	}
	if (optind < argc) {
		complain(NULL, 0, "%s: iozone takes no such word", argv[optind]);
		return -1;
	}
	return 0;
}

/* ---- what does not go together ---------------------------------------------- */

struct clash {
	bool there;
	const char *message;
};

static int first_clash(const struct clash *clashes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!clashes[i].there)
			continue;
		complain(NULL, 0, "%s", clashes[i].message);
		return -1;
	}
	return 0;
}
#define FIRST_CLASH(list) first_clash(list, sizeof(list) / sizeof((list)[0]))

static bool is_set(const struct command_line *line, const char *name)
{
	for (size_t i = 0; i < line->setting_count; i++)
		if (!strcmp(line->settings[i].name, name))
			return true;
	return false;
}

static int check_throughput(const struct command_line *line)
{
	const struct clash clashes[] = {
		{ line->automatic, "-t and -a (or -A) do not go together" },
		{ line->least_size || line->most_size || line->least_record || line->most_record,
		  "-t and the sizes of auto mode, -n -g -y -q, do not go together" },
		{ line->size_count > 1, "-t and more than one -s do not go together" },
		{ line->record_count > 1, "-t and more than one -r do not go together" },
		{ line->file, "-t and -f do not go together: give each child a name with -F" },
		{ line->microseconds, "-t and -N do not go together: iozone has microseconds in "
				      "auto mode only" },
		{ is_set(line, "iozone_remount"),
		  "-t and -U do not go together: iozone remounts in auto mode only" },
		{ line->least && line->most && line->least > line->most && !line->count_count,
		  "-l is above -u" },
	};

	return FIRST_CLASH(clashes);
}

static int check_auto(const struct command_line *line)
{
	const struct clash clashes[] = {
		{ line->names, "-F is for throughput mode, -t: give auto mode a file with -f" },
		{ line->mmap_mix, "-Z is not supported in auto mode: the engine does not mix "
				  "mappings and file I/O" },
		{ line->shared || line->bind || line->threads || line->constant_total,
		  "-T -P -+V -+L -+k are for throughput mode: give a number of children with -t" },
	};

	return FIRST_CLASH(clashes);
}

/* iozone has these rules for -X and -Y. */
static int check_telemetry(const struct command_line *line)
{
	const struct clash clashes[] = {
		{ !line->throughput, "-X and -Y need -t: auto mode has records of one size" },
		{ is_set(line, "iozone_verify") || line->diagnose,
		  "-X and -Y do not go with -V and -+d" },
		{ is_set(line, "iozone_jitter"), "-X and -Y do not go with -K" },
		{ is_set(line, "iozone_stride"), "-X and -Y do not go with -j" },
		{ line->write_list && line->size_count,
		  "-X and -s do not go together: the list says how large the file is" },
		{ line->write_list && line->record_count,
		  "-X and -r do not go together: the list says how large records are" },
	};

	return line->write_list || line->read_list ? FIRST_CLASH(clashes) : 0;
}

static int check_both(const struct command_line *line)
{
	const struct clash clashes[] = {
		{ line->async_given && line->mapped, "-H or -k, and -B or -D do not go together" },
		{ line->dedup && line->diagnose, "-+d and -+w do not go together" },
		{ line->exists && !line->tests, "-+E: say which tests to run, with -i" },
		{ line->exists && !line->names && !line->file,
		  "-+E: name the files that exist, with -F (or -f in auto mode)" },
		{ line->exists && (line->tests & (1u << 0 | 1u << 2 | 1u << 4 | 1u << 6 | 1u << 8 |
						  1u << 9 | 1u << 11)),
		  "-+E: leave out the tests that write, -i 0 2 4 6 8 9 11" },
	};

	return FIRST_CLASH(clashes);
}

/* ---- what takes more than one option to know -------------------------------- */

/* O_SYNC is more than O_DSYNC, and readers have it too. */
static int settle_sync(struct command_line *line)
{
	if (line->sync)
		return command_line_set(line, "sync", "sync");
	return line->dsync ? command_line_set(line, "sync", "dsync") : 0;
}

static int settle_msync(struct command_line *line)
{
	if (!line->mapped || !(line->msync_async || line->msync_sync))
		return 0;
	return command_line_set(line, "iozone_msync", "%s",
				!line->msync_async ? "sync" :
				line->msync_sync   ? "both" :
						     "async");
}

/* With -X or -Y iozone runs nothing but writes and reads, and what these need. */
static void settle_tests(struct command_line *line)
{
	unsigned int write = 1u << 0, read = 1u << 1, mixed = 1u << 8, given = line->tests;

	if (!line->write_list && !line->read_list)
		return;
	line->tests &= write | read | (is_set(line, "iozone_mix_sequential") ? mixed : 0);
	if (!given)
		line->tests = write | read;
	if (line->read_list && !(line->tests & read))
		line->tests |= write | read;
	if (line->write_list)
		line->tests |= write;
}

static int say_compute(struct command_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int say_compute(struct command_line *line, const char *format, ...)
{
	va_list values;
	const char *text;

	va_start(values, format);
	text = print_text(line->arena, format, values);
	va_end(values);
	if (!text)
		return out_of_memory();
	line->compute_lines[line->compute_line_count++] = text;
	return 0;
}

/* What iozone says of the computing of one kind of call under -X, -Y. */
static int say_compute_of(struct command_line *line, const char *calls, bool listed, bool delays)
{
	bool both = line->write_list && line->read_list;

	if (listed && delays)
		return say_compute(line, "Compute time from telemetry files for %s.", calls);
	if (line->compute)
		return say_compute(line, "Compute time %f seconds for %s.",
				   line->compute_ms / 1000.0, calls);
	return both ? say_compute(line, "No compute time for %s.", calls) : 0;
}

static int settle_compute(struct command_line *line)
{
	bool reads_first = line->read_list;

	if (!line->write_list && !line->read_list)
		return line->compute ?
			       say_compute(line, "Compute time %f seconds for reads and writes.",
					   line->compute_ms / 1000.0) :
			       0;
	if (!reads_first && say_compute_of(line, "writes", line->write_list, line->write_delays))
		return -1;
	if (say_compute_of(line, "reads", line->read_list, line->read_delays))
		return -1;
	if (!reads_first)
		return 0;
	return say_compute_of(line, "writes", line->write_list, line->write_delays);
}

/*
 * By itself iozone fills eight bytes of each page, and checks them when it
 * reads.  With -m it fills the first record only, and fails in its own check.
 */
static int settle_check(struct command_line *line)
{
	if (line->exists || line->diagnose || line->dedup || line->write_list || line->read_list ||
	    is_set(line, "iozone_verify") || is_set(line, "iozone_multi_buffer"))
		return 0;
	return command_line_set(line, "iozone_check", "1");
}

static int settle(struct command_line *line)
{
	settle_tests(line);
	if (settle_sync(line) || settle_msync(line))
		return -1;
	return settle_compute(line) || settle_check(line) ? -1 : 0;
}

/* ---- all of it -------------------------------------------------------------- */

/* Is argv[i] one of fiozone's own?  Then so may be the next one. */
static const struct own_row *own_row_of(const char *word)
{
	size_t length = strcspn(word, "=");

	if (strncmp(word, "--", 2) != 0 || length == 2)
		return NULL;
	for (size_t i = 0; i < OWN_COUNT; i++)
		if (!strncmp(word + 2, own_rows[i].option.name, length - 2))
			return &own_rows[i];
	return NULL;
}

static const char *iozone_command(struct arena *arena, int argc, char **argv)
{
	const char *command = "iozone";

	for (int i = 1; i < argc && command; i++) {
		const struct own_row *own = own_row_of(argv[i]);

		if (!own)
			command = arena_print(arena, "%s %s", command, argv[i]);
		else if (own->argument && !strchr(argv[i], '='))
			i++;
	}
	return command;
}

int command_line_read(struct command_line *line, int argc, char **argv)
{
	*line = (struct command_line){
		.arena = arena_new(),
		.cache_size = 1 << 20,
		.cache_line = 32,
		.stride = 17,
		.multiplier = 2,
		.settle_s = -1,
	};
	if (!line->arena)
		return out_of_memory();
	/* before getopt moves words about */
	line->command = iozone_command(line->arena, argc, argv);
	if (!line->command)
		return out_of_memory();
	if (argc < 2) {
		complain(NULL, 0, "no options given; see fiozone --help");
		return -1;
	}
	if (take_all(line, argc, argv))
		return -1;
	if (line->help || line->version)
		return 0;
	if (check_both(line) || check_telemetry(line) ||
	    (line->throughput ? check_throughput(line) : check_auto(line)))
		return -1;
	return settle(line);
}

void command_line_free(struct command_line *line)
{
	arena_free(line->arena);
	line->arena = NULL;
}

bool command_line_wants(const struct command_line *line, unsigned int number)
{
	return !line->tests || line->tests & 1u << number;
}

static void help_line(FILE *out, const char *dashes, const char *name, const char *argument,
		      const char *meaning)
{
	char option[64];

	snprintf(option, sizeof(option), "%s%s%s%s", dashes, name, argument ? " " : "",
		 argument ? argument : "");
	fprintf(out, "  %-16s %s\n", option, meaning);
}

void command_line_help(FILE *out)
{
	size_t count;
	const struct command_option *options = command_options(&count);

	fputs("usage: fiozone [fiozone's own options] <iozone's options>\n\n"
	      "Does with fio what iozone does with these options, and prints its report.\n\n"
	      "fiozone's own options:\n",
	      out);
	for (size_t i = 0; i < OWN_COUNT; i++)
		help_line(out, "--", own_rows[i].option.name, own_rows[i].argument,
			  own_rows[i].meaning);
	fputs("\niozone's options (sizes in kB, or with k, m, g):\n", out);
	for (size_t i = 0; i < count; i++)
		if (options[i].way != WAY_REFUSED)
			help_line(out, "-", options[i].name, options[i].argument,
				  options[i].meaning);
	fputs("\nrefused:\n", out);
	for (size_t i = 0; i < count; i++)
		if (options[i].way == WAY_REFUSED)
			help_line(out, "-", options[i].name, options[i].argument,
				  options[i].becomes);
}
