// SPDX-License-Identifier: GPL-2.0-only
/* Throughput mode as runs of fio, and the text of job files. */
#include "job_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena_text.h"
#include "message.h"

#define KIB UINT64_C(1024)
#define DEFAULT_SIZE (512 * KIB)
#define DEFAULT_RECORD (4 * KIB)
/* fio has room for 4096 jobs. */
#define JOBS_MAX 4000
/* How much fio hands over at a time, about: many records, so that fio's own work does not show. */
#define TURN (8192 * KIB)

static int out_of_memory(void)
{
	complain(NULL, 0, "out of memory");
	return -1;
}

int job_step_room(struct arena *arena, struct job_step *step, size_t count)
{
	step->groups = arena_zeros(arena, count, sizeof(*step->groups));
	step->group_count = 0;
	return step->groups ? 0 : out_of_memory();
}

/* ---- which tests ------------------------------------------------------------ */

/* iozone's real program breaks on stdio with mappings or async I/O. */
static bool stdio_impossible(const struct command_line *line)
{
	return line->mapped || line->async_given;
}

static bool is_wanted(const struct command_line *line, const struct iozone_test *test)
{
	if (!command_line_wants(line, test->number))
		return false;
	if (line->no_retest && test->partner)
		return false;
	if (line->exists && test->writes)
		return false;
	return test->access != ACCESS_STDIO || !stdio_impossible(line);
}

/* In throughput mode iozone says nothing about these, and runs nothing. */
static void note_silent_tests(const struct command_line *line, struct job_plan *plan)
{
	if (line->tests & 1u << TEST_RECORD_REWRITE)
		plan->notes[plan->note_count++] = "-i 4: iozone has no such test in throughput "
						  "mode: nothing is printed for it";
	if (line->tests & 1u << TEST_PWRITEV)
		plan->notes[plan->note_count++] = "-i 11: iozone 3.489 prints nothing for it";
	if (line->tests & 1u << TEST_PREADV)
		plan->notes[plan->note_count++] = "-i 12: iozone 3.489 prints nothing for it";
}

static int check_stdio(const struct command_line *line, struct job_plan *plan)
{
	unsigned int stdio = 1u << iozone_test_row(TEST_FWRITE)->number |
			     1u << iozone_test_row(TEST_FREAD)->number;

	if (!stdio_impossible(line))
		return 0;
	if (line->tests & stdio) {
		complain(NULL, 0,
			 "-i 6 and -i 7 do not go with -B, -D, -H or -k: "
			 "stdio neither maps nor is asynchronous");
		return -1;
	}
	if (!line->tests)
		plan->notes[plan->note_count++] = "fwrite and fread are left out: "
						  "stdio neither maps nor is asynchronous";
	return 0;
}

/*
 * iozone lets the storage settle after every test, and once more before those
 * that are neither the first of all nor sequential nor stdio.
 */
static unsigned int settle_before(const struct command_line *line, const struct iozone_test *test,
				  bool first)
{
	bool once_more = test->access != ACCESS_SEQUENTIAL && test->access != ACCESS_STDIO;

	return (first ? 0 : 2 + line->rest_s) + (once_more ? 2 : 0);
}

static unsigned int chosen_tests(const struct command_line *line,
				 const struct iozone_test *tests[TEST_COUNT])
{
	unsigned int count = 0;

	for (unsigned int id = 0; id < TEST_COUNT; id++)
		if (is_wanted(line, iozone_test_row(id)))
			tests[count++] = iozone_test_row(id);
	return count;
}

/* ---- which files ------------------------------------------------------------ */

const char *job_name_trouble(const char *name)
{
	static const char *const keywords[] = { "${", "$pagesize", "$mb_memory", "$ncpus" };
	size_t length = strlen(name);

	if (!length)
		return "it is empty";
	if (length > 3000)
		return "it is too long";
	if (strpbrk(name, "\n\r"))
		return "it has an end of line in it";
	if (strchr(" \t", name[0]) || strchr(" \t", name[length - 1]))
		return "it begins or ends with a blank";
	if (strpbrk(name, ";#"))
		return "fio takes ; and # for the start of a comment";
	if (name[0] == ':')
		return "it begins with a colon";
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strstr(name, keywords[i]))
			return "fio puts something else in the place of its $";
	return NULL;
}

static int check_name(const char *name)
{
	const char *trouble = job_name_trouble(name);

	if (!trouble)
		return 0;
	complain(name, 0, "fio cannot have a file of that name: %s", trouble);
	return -1;
}

static int name_files(const struct command_line *line, struct job_plan *plan, unsigned int most)
{
	plan->file_count = line->shared ? 1 : most;
	plan->files = arena_zeros(line->arena, plan->file_count, sizeof(*plan->files));
	if (!plan->files)
		return out_of_memory();
	for (unsigned int i = 0; i < plan->file_count; i++) {
		plan->files[i] = line->names ? line->names[i] :
					       arena_print(line->arena, "iozone.DUMMY.%u", i);
		if (!plan->files[i])
			return out_of_memory();
		if (check_name(plan->files[i]))
			return -1;
	}
	return 0;
}

/* ---- throughput mode -------------------------------------------------------- */

/* The numbers of children, one after another. */
struct counts {
	const unsigned int *list; /* -t; NULL: from least to most */
	unsigned int least, count;
};

static struct counts counts_of(const struct command_line *line)
{
	unsigned int least = line->least ? line->least : 1;
	unsigned int most = line->most ? line->most : least;

	if (line->count_count)
		return (struct counts){ line->counts, 0, (unsigned int)line->count_count };
	return (struct counts){ NULL, least, most - least + 1 };
}

static unsigned int count_at(const struct counts *counts, unsigned int i)
{
	return counts->list ? counts->list[i] : counts->least + i;
}

static int check_size(const struct job_step *step)
{
	if (step->record <= step->size)
		return 0;
	complain(NULL, 0, "a record of %" PRIu64 " kB is above the file size of %" PRIu64 " kB",
		 step->record / KIB, step->size / KIB);
	return -1;
}

static uint64_t size_for(const struct command_line *line, unsigned int children)
{
	uint64_t size = line->size_count ? line->sizes[0] : DEFAULT_SIZE;

	/* so does iozone, and without -s it does not */
	if (line->read_list && line->size_count)
		size = line->read_extent / KIB * KIB;
	if (line->constant_total && children > 1)
		return size / KIB / children * KIB;
	return size;
}

static struct job_step *begin_step(const struct command_line *line, struct job_plan *plan,
				   unsigned int round, unsigned int children)
{
	struct job_step *step = &plan->steps[plan->step_count++];

	step->children = children;
	step->round = round;
	step->size = size_for(line, children);
	step->record = line->record_count ? line->records[0] : DEFAULT_RECORD;
	if (check_size(step) || job_step_room(line->arena, step, TEST_COUNT))
		return NULL;
	return step;
}

/* A round, in as many steps as fio's room for jobs asks for. */
static int plan_round(const struct command_line *line, struct job_plan *plan, unsigned int round,
		      unsigned int children)
{
	const struct iozone_test *tests[TEST_COUNT];
	unsigned int count = chosen_tests(line, tests);
	struct job_step *step = NULL;

	for (unsigned int i = 0; i < count; i++) {
		if (!step || (step->group_count + 1) * children > JOBS_MAX)
			step = begin_step(line, plan, round, children);
		if (!step)
			return -1;
		step->groups[step->group_count++] = (struct job_group){
			.test = tests[i],
			.settle_s = settle_before(line, tests[i], !round && !i),
		};
		/* between two rounds: two seconds, the files are removed, two seconds */
		if (round && !i)
			step->groups[0].settle_s += line->keep_files ? 2 : 4;
	}
	if (step)
		step->ends_round = true;
	return 0;
}

int job_plan_make(const struct command_line *line, struct job_plan *plan)
{
	const struct iozone_test *tests[TEST_COUNT];
	struct counts counts;
	unsigned int most = 0;

	*plan = (struct job_plan){ 0 };
	if (check_stdio(line, plan))
		return -1;
	if (!line->throughput)
		return auto_plan_make(line, plan);
	note_silent_tests(line, plan);
	if (!chosen_tests(line, tests)) {
		complain(NULL, 0, "there is no test to run%s%s", plan->note_count ? ": " : "",
			 plan->note_count ? plan->notes[0] : "");
		return -1;
	}
	counts = counts_of(line);
	for (unsigned int i = 0; i < counts.count; i++)
		if (count_at(&counts, i) > most)
			most = count_at(&counts, i);
	plan->steps =
		arena_zeros(line->arena, (size_t)counts.count * TEST_COUNT, sizeof(*plan->steps));
	if (!plan->steps)
		return out_of_memory();
	if (name_files(line, plan, most))
		return -1;
	for (unsigned int i = 0; i < counts.count; i++)
		if (plan_round(line, plan, i, count_at(&counts, i)))
			return -1;
	return 0;
}

/* ---- the text --------------------------------------------------------------- */

/* fio splits names at colons, but for those behind a backslash. */
static void put_name(FILE *out, const char *option, const char *name)
{
	fprintf(out, "%s=", option);
	for (; *name; name++) {
		if (*name == ':')
			putc('\\', out);
		putc(*name, out);
	}
	putc('\n', out);
}

/* In the largest unit that it is a whole number of, as people write sizes. */
static void put_size(FILE *out, const char *option, uint64_t bytes)
{
	static const char units[] = "\0kmg";
	unsigned int unit = 0;

	while (unit < 3 && bytes && bytes % KIB == 0) {
		bytes /= KIB;
		unit++;
	}
	fprintf(out, "%s=%" PRIu64, option, bytes);
	if (unit)
		putc(units[unit], out);
	putc('\n', out);
}

/* Whole records, one at least, and not more than the file has. */
static uint64_t turn_of(const struct job_step *step)
{
	uint64_t records = TURN / step->record, whole = step->size / step->record;

	if (!records)
		records = 1;
	return (records < whole ? records : whole) * step->record;
}

static void put_global(FILE *out, const struct command_line *line, const struct job_step *step,
		       const char *engine, const char *log)
{
	fprintf(out, "[global]\nioengine=external:%s\n", engine);
	put_size(out, "size", step->size);
	put_size(out, "iozone_record", step->record);
	put_size(out, "bs", turn_of(step));
	fputs("gtod_reduce=1\n", out);
	if (!line->throughput)
		fputs("iozone_stonewall=0\n", out);
	for (size_t i = 0; i < line->setting_count; i++)
		fprintf(out, "%s=%s\n", line->settings[i].name, line->settings[i].value);
	if (log)
		fprintf(out, "iozone_log=%s\n", log);
}

static void put_test(FILE *out, const struct command_line *line, const struct job_group *group,
		     bool first_child, bool first_group)
{
	unsigned int settle_s = line->settle_s < 0 ? group->settle_s : (unsigned int)line->settle_s;

	fprintf(out, "\n[%s]\n", group->test->name);
	if (first_child && !first_group)
		fputs("stonewall\n", out);
	fprintf(out, "iozone_test=%s\niozone_settle=%us\n", group->test->name, settle_s);
	if (group->sets)
		fprintf(out, "%s\n", group->sets);
}

/* A section a child: fio numbers neither names of -F nor processors of -P. */
static void put_children(FILE *out, const struct command_line *line, const struct job_plan *plan,
			 const struct job_step *step, const struct job_group *group, long online)
{
	for (unsigned int child = 0; child < step->children; child++) {
		put_test(out, line, group, child == 0, group == step->groups);
		put_name(out, "filename", plan->files[line->shared ? 0 : child]);
		/* iozone's stdio tests do not bind: their children stay where it is itself */
		if (line->bind && group->test->access != ACCESS_STDIO)
			fprintf(out, "cpus_allowed=%ld\n", (line->first_cpu + child) % online);
	}
}

void job_write(FILE *out, const struct command_line *line, const struct job_plan *plan,
	       const struct job_step *step, const char *engine, const char *log)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	bool sections = line->names || line->bind;

	fprintf(out, "; %s\n", line->command);
	put_global(out, line, step, engine, log);
	if (!sections) {
		fprintf(out, "numjobs=%u\n", step->children);
		if (line->throughput && !line->shared)
			fputs("filename_format=iozone.DUMMY.$jobnum\n", out);
		else
			put_name(out, "filename", plan->files[0]);
	}
	for (size_t i = 0; i < step->group_count; i++) {
		const struct job_group *group = &step->groups[i];

		if (sections)
			put_children(out, line, plan, step, group, online > 0 ? online : 1);
		else
			put_test(out, line, group, true, i == 0);
	}
}
