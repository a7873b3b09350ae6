// SPDX-License-Identifier: GPL-2.0-only
/* fio2iozone: prints what fio measured as IOzone would have printed it. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "output_file.h"
#include "translate.h"

enum long_option {
	OPTION_LOG = 256,
	OPTION_NO_LOG,
	OPTION_LAYOUT,
	OPTION_CPU,
	OPTION_VERBOSE,
	OPTION_TEST,
	OPTION_FORMAT,
	OPTION_COMMAND,
	OPTION_HEADER_LINE,
	OPTION_NO_HEADER,
	OPTION_VERSION,
};

static const struct option long_options[] = {
	{ "log", required_argument, NULL, OPTION_LOG },
	{ "no-log", no_argument, NULL, OPTION_NO_LOG },
	{ "layout", required_argument, NULL, OPTION_LAYOUT },
	{ "excel", no_argument, NULL, 'R' },
	{ "children", no_argument, NULL, 'C' },
	{ "ops", no_argument, NULL, 'O' },
	{ "cpu", no_argument, NULL, OPTION_CPU },
	{ "verbose", no_argument, NULL, OPTION_VERBOSE },
	{ "test", required_argument, NULL, OPTION_TEST },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "output", required_argument, NULL, 'o' },
	{ "command", required_argument, NULL, OPTION_COMMAND },
	{ "header-line", required_argument, NULL, OPTION_HEADER_LINE },
	{ "no-header", no_argument, NULL, OPTION_NO_HEADER },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"usage: fio2iozone [options] [FILE]\n"
	"\n"
	"Prints what fio measured as IOzone's throughput report. FILE, or standard\n"
	"input, is fio's output: JSON or terse.\n"
	"\n"
	"  --log FILE         run log of fio-iozone; once a host (default: the path in\n"
	"                     the jobs' own option iozone_log)\n"
	"  --no-log           read no run log\n"
	"  --test GROUP=NAME  what a group of fio's jobs is: write, rewrite, read, reread,\n"
	"                     reverse_read, stride_read, random_read, mixed, random_write,\n"
	"                     pwrite, pread, fwrite, fread\n"
	"  --layout VERSION   words of that iozone: 3.397 (KB) or 3.489 (kB, the default)\n"
	"  -R, --excel        a block for spreadsheets at the end\n"
	"  -C, --children     a line for each child\n"
	"  -O, --ops          records in place of kB\n"
	"  -+u, --cpu         CPU utilization\n"
	"  --verbose          comments after the report: spread of starts and stops, notes\n"
	"  --format FORMAT    text (default), csv or json\n"
	"  -o, --output FILE  write there, when all is done, and not to standard output\n"
	"  --no-header        begin with the first test\n"
	"  --command LINE     what to print as \"Command line used\"\n"
	"  --header-line TEXT what an option says in the header; may be repeated\n"
	"  -h, --help         this\n"
	"  --version          print the version\n"
	"\n"
	"Exit status: 0 a whole run; 1 a report from which something is missing, which\n"
	"standard error names; 2 no report.\n";

/* Lists that grow by the option; argc bounds them all. */
struct lists {
	const char **logs;
	const char **lines;
	struct group_name *names;
};

static int bad_usage(const char *what, const char *argument)
{
	complain(NULL, 0, "%s: %s (--help tells more)", argument, what);
	return TRANSLATE_NONE;
}

static int set_layout(struct translate_request *request, const char *argument)
{
	char *end;
	double version = strtod(argument, &end);

	/* 3.421 to 3.423 were never published. */
	if (*end || end == argument || !(version >= 3 && version < 4))
		return bad_usage("no version of iozone", argument);
	request->style.layout = version < 3.424 ? LAYOUT_3397 : LAYOUT_3489;
	return 0;
}

static int set_format(struct translate_request *request, const char *argument)
{
	static const struct {
		const char *name;
		enum report_format format;
	} formats[] = {
		{ "text", REPORT_TEXT },
		{ "csv", REPORT_CSV },
		{ "json", REPORT_JSON },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, argument)) {
			request->style.format = formats[i].format;
			return 0;
		}
	return bad_usage("the formats are text, csv and json", argument);
}

static int add_name(struct translate_request *request, struct lists *lists, const char *argument)
{
	const struct iozone_test *test;
	unsigned long group;
	char *end;

	errno = 0;
	group = strtoul(argument, &end, 10);
	if (*argument < '0' || *argument > '9' || *end != '=' || errno || group > UINT_MAX)
		return bad_usage("--test takes GROUP=NAME, as in 0=write", argument);
	test = iozone_test_named(end + 1);
	if (!test)
		return bad_usage("there is no such test", argument);
	lists->names[request->name_count++] = (struct group_name){ (unsigned int)group, test };
	return 0;
}

static int take_option(int option, struct translate_request *request, struct lists *lists)
{
	switch (option) {
	case OPTION_LOG:
		lists->logs[request->log_count++] = optarg;
		return 0;
	case OPTION_NO_LOG:
		request->no_log = true;
		return 0;
	case OPTION_LAYOUT:
		return set_layout(request, optarg);
	case 'R':
		request->style.excel = true;
		return 0;
	case 'C':
		request->style.children = true;
		return 0;
	case 'O':
		request->style.ops = true;
		return 0;
	case '+':
		/* IOzone's "-+u": to getopt, "-+" with the argument "u". */
		if (strcmp(optarg, "u") != 0)
			return bad_usage("the only option that begins with -+ is -+u", optarg);
		request->style.cpu = true;
		return 0;
	case OPTION_CPU:
		request->style.cpu = true;
		return 0;
	case OPTION_VERBOSE:
		request->style.verbose = true;
		return 0;
	case OPTION_TEST:
		return add_name(request, lists, optarg);
	case OPTION_FORMAT:
		return set_format(request, optarg);
	case 'o':
		request->output = optarg;
		return 0;
	case OPTION_COMMAND:
		request->header.command = optarg;
		return 0;
	case OPTION_HEADER_LINE:
		lists->lines[request->header.option_line_count++] = optarg;
		return 0;
	case OPTION_NO_HEADER:
		request->header.hidden = true;
		return 0;
	default:
		return TRANSLATE_NONE;
	}
}

/* getopt could not make head or tail of an option. */
static int bad_option(int option, const char *word)
{
	char letter[] = { '-', (char)optopt, '\0' };
	const char *what = option == ':' ? "an argument is missing" : "there is no such option";

	return bad_usage(what, !strncmp(word, "--", 2) || !optopt ? word : letter);
}

static int print(const char *text)
{
	return output_write(1, "standard output", text, strlen(text)) ? TRANSLATE_NONE : 0;
}

/* Returns an exit status, or -1 to go on. */
static int read_options(int argc, char **argv, struct translate_request *request,
			struct lists *lists)
{
	int option;

	while ((option = getopt_long(argc, argv, ":RCO+:o:h", long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			return bad_option(option, argv[optind - 1]);
		if (option == 'h')
			return print(help);
		if (option == OPTION_VERSION)
			return print("fio2iozone " FIO_IOZONE_VERSION "\n");
		if (take_option(option, request, lists))
			return TRANSLATE_NONE;
	}
	if (argc - optind > 1)
		return bad_usage("one file only", argv[optind + 1]);
	if (request->no_log && request->log_count)
		return bad_usage("does not go with --no-log", "--log");
	request->input = argv[optind];
	request->logs = lists->logs;
	request->names = lists->names;
	if (request->header.option_line_count)
		request->header.option_lines = lists->lines;
	return -1;
}

int main(int argc, char **argv)
{
	struct translate_request request = { .input = NULL };
	struct lists lists = {
		.logs = calloc((size_t)argc + 1, sizeof(*lists.logs)),
		.lines = calloc((size_t)argc + 1, sizeof(*lists.lines)),
		.names = calloc((size_t)argc + 1, sizeof(*lists.names)),
	};
	int status = TRANSLATE_NONE;

	if (lists.logs && lists.lines && lists.names) {
		status = read_options(argc, argv, &request, &lists);
		if (status < 0)
			status = translate(&request);
	} else {
		complain(NULL, 0, "not enough memory");
	}
	free(lists.logs);
	free(lists.lines);
	free(lists.names);
	return status;
}
