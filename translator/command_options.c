// SPDX-License-Identifier: GPL-2.0-only
/* The table of iozone's options: what each means, and what becomes of it. */
#include "command_line.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arena_text.h"
#include "message.h"
#include "record_list.h"

#define KIB 1024u
/* iozone keeps a header line in so many bytes; a longer one runs into the next. */
#define SPLASH_LINE 80
/* The engine's limit of iozone_async. */
#define ASYNC_MAX 64

#define TAKE(function) \
	static int function(struct command_line *line, const struct command_option *option, \
			    const char *argument)
#define UNUSED(name) ((void)(name))

/* A function for an option that takes nothing and sets one member. */
#define FLAG(function, assignment) \
	TAKE(function) \
	{ \
		UNUSED(option); \
		UNUSED(argument); \
		line->assignment; \
		return 0; \
	}

FLAG(take_threads, threads = true)
FLAG(take_keep_files, keep_files = true)
FLAG(take_excel, style.excel = true)
FLAG(take_children, style.children = true)
FLAG(take_ops, style.ops = true)
FLAG(take_no_retest, no_retest = true)
FLAG(take_constant_total, constant_total = true)
FLAG(take_microseconds, microseconds = true)
FLAG(take_automatic, automatic = true)
FLAG(take_extended, extended = true)
FLAG(take_no_crossover, no_crossover = true)
FLAG(take_help, help = true)
FLAG(take_version, version = true)
FLAG(take_sync, sync = true)
FLAG(take_dsync, dsync = true)
FLAG(take_mapped, mapped = true)
FLAG(take_msync_sync, msync_sync = true)
FLAG(take_mmap_mix, mmap_mix = true)

TAKE(take_cpu)
{
	UNUSED(option);
	UNUSED(argument);
	line->style.cpu = true;
	return command_line_say(line, "CPU utilization Excel chart enabled");
}

TAKE(take_diagnose)
{
	UNUSED(option);
	UNUSED(argument);
	line->diagnose = true;
	return command_line_say(line, "Performance measurements are invalid in this mode.");
}

TAKE(take_auto_2)
{
	UNUSED(option);
	UNUSED(argument);
	line->automatic = true;
	line->write_read_only = true;
	line->no_crossover = true;
	line->tests |= 1u << 0 | 1u << 1;
	return 0;
}

TAKE(take_msync_async)
{
	UNUSED(option);
	UNUSED(argument);
	line->mapped = true;
	line->msync_async = true;
	return command_line_set(line, "iozone_mmap", "1");
}

TAKE(take_exists)
{
	UNUSED(option);
	UNUSED(argument);
	line->exists = true;
	line->keep_files = true;
	return 0;
}

/* ---- numbers ---------------------------------------------------------------- */

static int small_number(const struct command_option *option, const char *argument, uint64_t least,
			uint64_t most, unsigned int *value)
{
	uint64_t wide;

	if (command_line_number(option, argument, least, most, &wide))
		return -1;
	*value = (unsigned int)wide;
	return 0;
}

TAKE(take_count)
{
	unsigned int count;

	if (small_number(option, argument, 1, CHILDREN_MAX, &count))
		return -1;
	if (line->count_count == RANGE_MAX) {
		complain(NULL, 0, "-t: more than %d of them", RANGE_MAX);
		return -1;
	}
	line->counts[line->count_count++] = count;
	line->throughput = true;
	return 0;
}

TAKE(take_least)
{
	line->throughput = true;
	return small_number(option, argument, 1, CHILDREN_MAX, &line->least);
}

TAKE(take_most)
{
	line->throughput = true;
	return small_number(option, argument, 1, CHILDREN_MAX, &line->most);
}

TAKE(take_size)
{
	uint64_t bytes;

	if (command_line_size(option, argument, &bytes))
		return -1;
	if (line->size_count == RANGE_MAX) {
		complain(NULL, 0, "-s: more than %d of them", RANGE_MAX);
		return -1;
	}
	line->sizes[line->size_count++] = bytes;
	return command_line_say(line, "File size set to %llu kB",
				(unsigned long long)(bytes / KIB));
}

TAKE(take_record)
{
	uint64_t bytes;

	if (command_line_size(option, argument, &bytes))
		return -1;
	if (bytes > RECORD_MAX) {
		complain(NULL, 0, "-r %s: a record is at most %u kB", argument, RECORD_MAX / KIB);
		return -1;
	}
	if (line->record_count == RANGE_MAX) {
		complain(NULL, 0, "-r: more than %d of them", RANGE_MAX);
		return -1;
	}
	line->records[line->record_count++] = bytes;
	return command_line_say(line, "Record Size %llu kB", (unsigned long long)(bytes / KIB));
}

TAKE(take_test)
{
	unsigned int number;

	if (small_number(option, argument, 0, TEST_NUMBER_COUNT - 1, &number))
		return -1;
	line->tests |= 1u << number;
	/* iozone's own line, whose build has no test of that number */
	if (number == TEST_PREADV)
		return command_line_say(line, "Selected test not available on the version.");
	return 0;
}

TAKE(take_stride)
{
	if (small_number(option, argument, 1, 1u << 30, &line->stride))
		return -1;
	return command_line_set(line, "iozone_stride", "%u", line->stride);
}

TAKE(take_rest)
{
	if (small_number(option, argument, 0, 86400, &line->rest_s))
		return -1;
	return command_line_say(line, "Delay %u seconds between tests enabled.", line->rest_s);
}

TAKE(take_mix_read)
{
	unsigned int percent;

	if (small_number(option, argument, 0, 100, &percent))
		return -1;
	percent = percent ? percent : 1;
	if (command_line_set(line, "iozone_mix_read", "%u", percent))
		return -1;
	return command_line_say(line, "Percent read in mix test is %u", percent);
}

TAKE(take_verify)
{
	unsigned int byte;

	if (small_number(option, argument, 0, 255, &byte))
		return -1;
	byte = byte ? byte : 0x5f;
	if (command_line_set(line, "iozone_verify", "%u", byte) ||
	    command_line_say(line, "Verify Mode. Pattern %x", byte * 0x01010101u))
		return -1;
	return command_line_say(line, "Performance measurements are invalid in this mode.");
}

TAKE(take_start_delay)
{
	unsigned int delay;

	if (small_number(option, argument, 0, 3600000000u, &delay))
		return -1;
	return command_line_set(line, "iozone_start_delay", "%u", delay);
}

TAKE(take_compute)
{
	if (small_number(option, argument, 0, 3600000, &line->compute_ms))
		return -1;
	line->compute = true;
	return command_line_set(line, "iozone_compute", "%u", line->compute_ms);
}

TAKE(take_cpu_number)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (small_number(option, argument, 0, 1u << 20, &line->first_cpu))
		return -1;
	if (online > 0 && line->first_cpu > (unsigned long)online)
		line->first_cpu = 0;
	line->bind = true;
	return command_line_say(line, "Binding of processors beginning with %u ", line->first_cpu);
}

TAKE(take_async)
{
	bool in_place = option->name[0] == 'k';

	if (small_number(option, argument, 1, ASYNC_MAX, &line->async_depth))
		return -1;
	if (line->async_given && line->async_in_place != in_place) {
		complain(NULL, 0, "-H and -k cannot be used together");
		return -1;
	}
	line->async_given = true;
	line->async_in_place = in_place;
	if (command_line_set(line, "iozone_async", "%u", line->async_depth))
		return -1;
	if (in_place && command_line_set(line, "iozone_async_nocopy", "1"))
		return -1;
	if (in_place)
		return command_line_say(line, "POSIX Async I/O (no bcopy). Depth %u ",
					line->async_depth);
	return command_line_say(line, "POSIX async I/O (with bcopy). Depth %u", line->async_depth);
}

TAKE(take_cache_size)
{
	unsigned int kib;

	if (small_number(option, argument, 0, 1u << 20, &kib))
		return -1;
	line->cache_size = (uint64_t)(kib ? kib : KIB) * KIB;
	return command_line_set(line, "iozone_cache_size", "%llu",
				(unsigned long long)line->cache_size);
}

TAKE(take_cache_line)
{
	unsigned int bytes;

	if (small_number(option, argument, 0, 65536, &bytes))
		return -1;
	line->cache_line = bytes ? bytes : 32;
	return command_line_set(line, "iozone_cache_line", "%llu",
				(unsigned long long)line->cache_line);
}

TAKE(take_madvise)
{
	unsigned int advice;

	if (small_number(option, argument, 0, 4, &advice) ||
	    command_line_set(line, "iozone_madvise", "%u", advice))
		return -1;
	return command_line_say(line, "Madvise enabled: %u", advice);
}

TAKE(take_op_rate)
{
	unsigned int rate;

	if (small_number(option, argument, 1, 1u << 30, &rate) ||
	    command_line_set(line, "iozone_op_rate", "%u", rate))
		return -1;
	return command_line_say(line, "Rate control active %u Ops/sec .", rate);
}

/* -+w, -+y, -+C, -+a: a share of the data, in per cent. */
static int take_share(struct command_line *line, const struct command_option *option,
		      const char *argument, const char *sets, const char *before, const char *after)
{
	unsigned int percent;

	if (small_number(option, argument, 0, 100, &percent))
		return -1;
	if (sets && command_line_set(line, sets, "%u", percent))
		return -1;
	return command_line_say(line, "%s %u%s", before, percent, after);
}

TAKE(take_dedup)
{
	line->dedup = true;
	return take_share(line, option, argument, "iozone_dedup", "Dedup activated", " percent.");
}

TAKE(take_dedup_within)
{
	return take_share(line, option, argument, "iozone_dedup_within", "Dedup within & across",
			  " percent.");
}

TAKE(take_dedup_between)
{
	return take_share(line, option, argument, "iozone_dedup_between", "Dedup within",
			  " percent.");
}

TAKE(take_zero_share)
{
	return take_share(line, option, argument, NULL, "Zero Percent", "");
}

/* ---- auto mode -------------------------------------------------------------- */

TAKE(take_multiplier)
{
	if (small_number(option, argument, 0, 1024, &line->multiplier))
		return -1;
	if (line->multiplier < 2)
		line->multiplier = 2;
	return 0;
}

TAKE(take_least_size)
{
	if (command_line_size(option, argument, &line->least_size))
		return -1;
	if (line->least_size < 4096)
		line->least_size = 4096;
	return command_line_say(line, "Using minimum file size of %llu kilobytes.",
				(unsigned long long)(line->least_size / KIB));
}

TAKE(take_most_size)
{
	if (command_line_size(option, argument, &line->most_size))
		return -1;
	if (line->most_size < 4096)
		line->most_size = 4096;
	return command_line_say(line, "Using maximum file size of %llu kilobytes.",
				(unsigned long long)(line->most_size / KIB));
}

TAKE(take_least_record)
{
	if (command_line_size(option, argument, &line->least_record))
		return -1;
	return command_line_say(line, "Using Minimum Record Size %llu kB",
				(unsigned long long)(line->least_record / KIB));
}

TAKE(take_most_record)
{
	if (command_line_size(option, argument, &line->most_record))
		return -1;
	if (line->most_record > RECORD_MAX) {
		complain(NULL, 0, "-q %s: a record is at most %u kB", argument, RECORD_MAX / KIB);
		return -1;
	}
	return command_line_say(line, "Using Maximum Record Size %llu kB",
				(unsigned long long)(line->most_record / KIB));
}

/* ---- files ------------------------------------------------------------------ */

TAKE(take_file)
{
	UNUSED(option);
	if (line->names) {
		complain(NULL, 0, "-f and -F cannot be used together");
		return -1;
	}
	if (!*argument) {
		complain(NULL, 0, "-f: the name is empty");
		return -1;
	}
	line->file = argument;
	return 0;
}

TAKE(take_write_list)
{
	struct record_list list;

	UNUSED(option);
	if (record_list_read(argument, "-X", &list))
		return -1;
	line->write_list = argument;
	line->write_delays = list.has_delays;
	if (command_line_set(line, "iozone_write_telemetry", "%s", argument))
		return -1;
	return command_line_say(line, "Using write telemetry file \"%s\"", argument);
}

TAKE(take_read_list)
{
	struct record_list list;

	UNUSED(option);
	if (record_list_read(argument, "-Y", &list))
		return -1;
	line->read_list = argument;
	line->read_delays = list.has_delays;
	line->read_extent = list.extent;
	if (command_line_set(line, "iozone_read_telemetry", "%s", argument))
		return -1;
	return command_line_say(line, "Using read telemetry file \"%s\"", argument);
}

TAKE(take_remount)
{
	UNUSED(option);
	return command_line_set(line, "iozone_remount", "%s", argument);
}

/* One file, and in it the data that child 0 would write. */
TAKE(take_shared)
{
	UNUSED(option);
	UNUSED(argument);
	line->shared = true;
	return command_line_set(line, "iozone_share_file", "1");
}

TAKE(take_shared_locked)
{
	if (command_line_set(line, "iozone_record_lock", "1"))
		return -1;
	return take_shared(line, option, argument);
}

/* ---- report ----------------------------------------------------------------- */

/*
 * What uname -a prints, as far as uname(2) tells it.  iozone puts the line
 * into too small a room, and then prints what comes after it twice.
 */
TAKE(take_machine)
{
	struct utsname name;
	const char *text;

	UNUSED(option);
	UNUSED(argument);
	if (uname(&name)) {
		complain(NULL, 0, "-M: uname does not answer");
		return -1;
	}
	text = arena_print(line->arena, "Machine = %s %s %s %s %s GNU/Linux", name.sysname,
			   name.nodename, name.release, name.version, name.machine);
	if (!text || command_line_say(line, "%s", "") || command_line_say(line, "%s", text))
		return -1;
	line->say_twice = strlen("\n\t\n") + strlen(text) >= SPLASH_LINE;
	return 0;
}

/* ---- the table -------------------------------------------------------------- */

#define FIO(sets_) .way = WAY_FIO, .becomes = "`" sets_ "` (fio's)", .sets = sets_
#define ENGINE(sets_) .way = WAY_ENGINE, .becomes = "`" sets_ "`", .sets = sets_
#define BY_ENGINE(becomes_) .way = WAY_ENGINE, .becomes = becomes_
#define BY_FIO(becomes_) .way = WAY_FIO, .becomes = becomes_
#define BY_FIOZONE(becomes_) .way = WAY_FIOZONE, .becomes = becomes_
#define NOTHING(why) .way = WAY_NOTHING, .becomes = why
#define REFUSED(why) .way = WAY_REFUSED, .becomes = why

#define NETWORK "iozone's own network of test machines: use fio --client and fio --server"
#define DEDUP_EXTRA "fio-iozone writes iozone's plain deduplicable data only (-+w, -+y, -+C)"

/* An option is a row, and one that people can read. */
/* clang-format off */
static const struct command_option table[] = {
	{ .name = "a", .meaning = "auto mode: all sizes, all records",
	  BY_FIOZONE("a run of fio for each row of the table"),
	  .says = "Auto Mode", .take = take_automatic },
	{ .name = "A", .meaning = "auto mode 2: -a -z -i 0 -i 1",
	  BY_FIOZONE("as -a -z -i 0 -i 1, with the narrow table"),
	  .says = "Auto Mode 2. This option is obsolete. Use -az -i0 -i1 ", .take = take_auto_2 },
	{ .name = "b", .argument = "FILE", .meaning = "writes an Excel file",
	  REFUSED("the binary format of old Excels; -R prints the same figures as text") },
	{ .name = "B", .meaning = "files are mapped (mmap)", ENGINE("iozone_mmap=1"),
	  .says = "Using mmap files", .take = take_mapped },
	{ .name = "c", .meaning = "the clock covers close", ENGINE("iozone_close=1"),
	  .says = "Include close in write timing" },
	{ .name = "C", .meaning = "shows each child", BY_FIOZONE("lines Child[n] of the report"),
	  .take = take_children },
	{ .name = "d", .argument = "US", .meaning = "microseconds between the releases of two children",
	  BY_ENGINE("`iozone_start_delay=US`"), .take = take_start_delay },
	{ .name = "D", .meaning = "mapped files, msync(MS_ASYNC) after each record",
	  BY_ENGINE("`iozone_mmap=1`, `iozone_msync=async`"),
	  .says = "Using msync(MS_ASYNC) on mmap files", .take = take_msync_async },
	{ .name = "e", .meaning = "the clock covers fsync, fflush, msync",
	  ENGINE("iozone_flush=1"), .says = "Include fsync in write timing" },
	{ .name = "E", .meaning = "auto mode: pwrite and pread too",
	  BY_FIOZONE("columns of auto mode; iozone does nothing with it in throughput mode"),
	  .take = take_extended },
	{ .name = "f", .argument = "FILE", .meaning = "the file of auto mode",
	  BY_FIO("`filename=FILE`; with -t refused, as by iozone, which wants -F"),
	  .take = take_file },
	{ .name = "F", .argument = "FILE...", .meaning = "a file for each child",
	  BY_FIO("a section a child, with `filename=FILE`") },
	{ .name = "g", .argument = "SIZE", .meaning = "auto mode: the largest file",
	  BY_FIOZONE("rows of the table"), .take = take_most_size },
	{ .name = "G", .meaning = "msync(MS_SYNC) after each record, with -B or -D",
	  BY_ENGINE("`iozone_msync=sync` with -B; alone nothing, as in iozone"),
	  .says = "Using msync(MS_SYNC) on mmap files", .take = take_msync_sync },
	{ .name = "h", .meaning = "help", BY_FIOZONE("as --help"), .take = take_help },
	{ .name = "H", .argument = "N", .meaning = "POSIX async I/O, N at a time",
	  BY_ENGINE("`iozone_async=N`"), .take = take_async },
	{ .name = "i", .argument = "TEST", .meaning = "a test to run, by number",
	  BY_ENGINE("a group of jobs with `iozone_test`"), .take = take_test },
	{ .name = "I", .meaning = "O_DIRECT", FIO("direct=1"), .says = "O_DIRECT feature enabled" },
	{ .name = "j", .argument = "N", .meaning = "stride of the stride reads, in records",
	  BY_ENGINE("`iozone_stride=N`"), .take = take_stride },
	{ .name = "J", .argument = "MS", .meaning = "milliseconds of computing before each record",
	  BY_ENGINE("`iozone_compute=MS`"), .take = take_compute },
	{ .name = "k", .argument = "N", .meaning = "POSIX async I/O without a copy, N at a time",
	  BY_ENGINE("`iozone_async=N`, `iozone_async_nocopy=1`"), .take = take_async },
	{ .name = "K", .meaning = "readers jump about in every hundredth record",
	  ENGINE("iozone_jitter=1"), .says = "Disrupted read patterns selected." },
	{ .name = "l", .argument = "N", .meaning = "least number of children",
	  BY_FIOZONE("a run of fio for each number from -l to -u"), .take = take_least },
	{ .name = "L", .argument = "BYTES", .meaning = "a line of the processor's cache",
	  BY_ENGINE("`iozone_cache_line=BYTES`"), .take = take_cache_line },
	{ .name = "m", .meaning = "fwrite and fread use many buffers",
	  ENGINE("iozone_multi_buffer=1"), .says = "Multi_buffer. Work area 16777216 bytes" },
	{ .name = "M", .meaning = "shows the machine", BY_FIOZONE("a line of the header"),
	  .take = take_machine },
	{ .name = "n", .argument = "SIZE", .meaning = "auto mode: the smallest file",
	  BY_FIOZONE("rows of the table"), .take = take_least_size },
	{ .name = "N", .meaning = "microseconds a record",
	  BY_FIOZONE("figures of auto mode; with -t refused, as by iozone"),
	  .says = "Microseconds/op Mode. Output is in microseconds per operation.",
	  .take = take_microseconds },
	{ .name = "o", .meaning = "O_SYNC", BY_FIO("`sync=sync`"), .says = "SYNC Mode. ",
	  .take = take_sync },
	{ .name = "O", .meaning = "records a second, not kB",
	  BY_FIOZONE("figures of the report"),
	  .says = "OPS Mode. Output is in operations per second.", .take = take_ops },
	{ .name = "p", .meaning = "purges the processor's cache before each record",
	  ENGINE("iozone_purge=1"), .says = "Purge Mode On" },
	{ .name = "P", .argument = "CPU", .meaning = "binds the children to processors from CPU on",
	  BY_FIO("a section a child, with `cpus_allowed`"), .take = take_cpu_number },
	{ .name = "q", .argument = "SIZE", .meaning = "auto mode: the largest record",
	  BY_FIOZONE("rows of the table"), .take = take_most_record },
	{ .name = "Q", .meaning = "writes offset and latency of each record to files",
	  ENGINE("iozone_latency_log=."), .says = "Offset/latency files enabled." },
	{ .name = "r", .argument = "SIZE", .meaning = "a record",
	  BY_ENGINE("`iozone_record=SIZE`"), .take = take_record },
	{ .name = "R", .meaning = "prints tables for Excel", BY_FIOZONE("the end of the report"),
	  .says = "Excel chart generation enabled", .take = take_excel },
	{ .name = "s", .argument = "SIZE", .meaning = "a file",
	  BY_FIO("`size=SIZE`"), .take = take_size },
	{ .name = "S", .argument = "KB", .meaning = "the processor's cache",
	  BY_ENGINE("`iozone_cache_size`"), .take = take_cache_size },
	{ .name = "t", .argument = "N", .meaning = "so many children: throughput mode",
	  BY_FIO("`numjobs=N`"), .take = take_count },
	{ .name = "T", .meaning = "threads, not processes", FIO("thread=1"),
	  .take = take_threads },
	{ .name = "u", .argument = "N", .meaning = "greatest number of children",
	  BY_FIOZONE("a run of fio for each number from -l to -u"), .take = take_most },
	{ .name = "U", .argument = "MOUNT", .meaning = "unmounts and mounts before each test",
	  BY_ENGINE("`iozone_remount=MOUNT`; with -t refused, as by iozone"),
	  .take = take_remount },
	{ .name = "v", .meaning = "version", BY_FIOZONE("as --version"), .take = take_version },
	{ .name = "V", .argument = "BYTE", .meaning = "writes this byte only, checks all that is read",
	  BY_ENGINE("`iozone_verify=BYTE`"), .take = take_verify },
	{ .name = "w", .meaning = "leaves the files", BY_FIOZONE("removes none at the end"),
	  .says = "Setting no_unlink", .take = take_keep_files },
	{ .name = "W", .meaning = "locks the file", ENGINE("iozone_lock=1"),
	  .says = "Lock file when reading/writing." },
	{ .name = "x", .meaning = "no stop when the first child has finished",
	  ENGINE("iozone_stonewall=0"), .says = "Stonewall disabled" },
	{ .name = "X", .argument = "FILE", .meaning = "telemetry: offsets and sizes of the writes",
	  BY_ENGINE("`iozone_write_telemetry=FILE`; with -t only"), .take = take_write_list },
	{ .name = "y", .argument = "SIZE", .meaning = "auto mode: the smallest record",
	  BY_FIOZONE("rows of the table"), .take = take_least_record },
	{ .name = "Y", .argument = "FILE", .meaning = "telemetry: offsets and sizes of the reads",
	  BY_ENGINE("`iozone_read_telemetry=FILE`; with -t only"), .take = take_read_list },
	{ .name = "z", .meaning = "auto mode: small records for large files too",
	  BY_FIOZONE("rows of the table"), .says = "Cross over of record size disabled.",
	  .take = take_no_crossover },
	{ .name = "Z", .meaning = "auto mode: mixes mapping and file I/O",
	  NOTHING("nothing in throughput mode, as in iozone; refused in auto mode"),
	  .says = "Enable mmap & file I/O mixing.", .take = take_mmap_mix },
	{ .name = "+a", .argument = "PERCENT", .meaning = "share of zeros in data made by -+w -+M",
	  NOTHING("a line of the header: without -+M iozone 3.489 writes the same data"),
	  .take = take_zero_share },
	{ .name = "+A", .argument = "N",
	  .meaning = "madvise, with -B: 0 normal, 1 random, 2 sequential, 3 don't need, 4 will need",
	  BY_ENGINE("`iozone_madvise=N`"), .take = take_madvise },
	{ .name = "+b", .argument = "KB,MS", .meaning = "bursts, and pauses between them",
	  REFUSED("the engine makes no bursts; see fio's rate and thinktime") },
	{ .name = "+B", .meaning = "the mixed test goes from start to end",
	  ENGINE("iozone_mix_sequential=1"), .says = ">>> Sequential Mixed workload. <<<" },
	{ .name = "+c", .argument = "HOST", .meaning = "runs as a client", REFUSED(NETWORK) },
	{ .name = "+C", .argument = "PERCENT", .meaning = "share of the same within a file, with -+w -+y",
	  BY_ENGINE("`iozone_dedup_between=PERCENT`"), .take = take_dedup_between },
	{ .name = "+d", .meaning = "no two records are the same; checks every byte",
	  ENGINE("iozone_verify_bytes=1"), .says = ">>> I/O Diagnostic mode enabled. <<<",
	  .take = take_diagnose },
	{ .name = "+D", .meaning = "O_DSYNC", BY_FIO("`sync=dsync`"),
	  .says = ">>> O_DSYNC mode enabled. <<<", .take = take_dsync },
	{ .name = "+E", .meaning = "reads files that are not iozone's, and leaves them",
	  BY_ENGINE("no `iozone_check=1`, which is there otherwise"),
	  .says = ">>> No Verify mode. <<<", .take = take_exists },
	{ .name = "+F", .meaning = "writers of the sequential mixed test truncate",
	  ENGINE("iozone_truncate=1") },
	{ .name = "+h", .argument = "HOST", .meaning = "name of the controlling host", REFUSED(NETWORK) },
	{ .name = "+H", .argument = "HOST", .meaning = "time from a PIT server",
	  REFUSED("the clock is the kernel's, CLOCK_MONOTONIC") },
	{ .name = "+i", .argument = "PORT", .meaning = "port of the controlling host", REFUSED(NETWORK) },
	{ .name = "+J", .meaning = "the clock covers the computing of -J",
	  ENGINE("iozone_compute_counts=1"),
	  .says = ">>> Think time is included in throughput cal. <<<" },
	{ .name = "+k", .meaning = "-s is the size of all files together",
	  BY_FIOZONE("`size` is -s divided by the number of children"),
	  .take = take_constant_total },
	{ .name = "+K", .argument = "N", .meaning = "so many readers in the mixed test",
	  REFUSED("use -+p, the share of readers in per cent") },
	{ .name = "+l", .meaning = "locks each record", ENGINE("iozone_record_lock=1"),
	  .says = ">>> Record locking mode enabled. <<<" },
	{ .name = "+L", .meaning = "locks each record of one file for all children",
	  BY_ENGINE("`iozone_record_lock=1`, `iozone_share_file=1`, and one `filename` for all"),
	  .says = ">>> Record locking, shared file mode enabled. <<<", .take = take_shared_locked },
	{ .name = "+m", .argument = "FILE", .meaning = "many machines", REFUSED(NETWORK) },
	{ .name = "+M", .meaning = "data for deduplication and compression", REFUSED(DEDUP_EXTRA) },
	{ .name = "+n", .meaning = "no retests", BY_FIOZONE("leaves out the second of each pair"),
	  .says = "No retest option selected", .take = take_no_retest },
	{ .name = "+N", .meaning = "pwrite does not truncate its file first",
	  ENGINE("iozone_recreate=0") },
	{ .name = "+O", .argument = "N", .meaning = "at most N records a second for each child",
	  BY_ENGINE("`iozone_op_rate=N`"), .take = take_op_rate },
	{ .name = "+p", .argument = "PERCENT", .meaning = "share of readers in the mixed test",
	  BY_ENGINE("`iozone_mix_read=PERCENT`"), .take = take_mix_read },
	{ .name = "+P", .argument = "PORT", .meaning = "port of a PIT server",
	  REFUSED("the clock is the kernel's, CLOCK_MONOTONIC") },
	{ .name = "+q", .argument = "S", .meaning = "seconds between tests, besides iozone's two",
	  BY_ENGINE("`iozone_settle`"), .take = take_rest },
	{ .name = "+Q", .argument = "BYTES", .meaning = "granule of -+M", REFUSED(DEDUP_EXTRA) },
	{ .name = "+r", .meaning = "O_RSYNC and O_SYNC", BY_FIO("`sync=sync`"),
	  .says = "Read & Write sync mode active.", .take = take_sync },
	{ .name = "+R", .argument = "FILE", .meaning = "takes names of files from a file",
	  REFUSED("use -F, with the names: -F $(cat FILE)") },
	{ .name = "+s", .meaning = "a client that prints nothing", REFUSED(NETWORK) },
	{ .name = "+S", .argument = "N", .meaning = "seed of the data of -+w", REFUSED(DEDUP_EXTRA) },
	{ .name = "+t", .meaning = "measures the network", REFUSED(NETWORK) },
	{ .name = "+T", .meaning = "writes the times of tests to files",
	  REFUSED("the run log has the times of each child: --keep DIR") },
	{ .name = "+u", .meaning = "shows the use of processors",
	  BY_FIOZONE("lines of the report"), .says = "CPU utilization Resolution = 0.000 seconds.",
	  .take = take_cpu },
	{ .name = "+U", .meaning = "Windows: unbuffered I/O", REFUSED("Windows only") },
	{ .name = "+V", .meaning = "one file for all children",
	  BY_FIO("one `filename` for all, and `iozone_share_file=1`"),
	  .says = ">>> Shared file mode enabled. <<<",
	  .take = take_shared },
	{ .name = "+w", .argument = "PERCENT", .meaning = "share of data that is the same in all files",
	  BY_ENGINE("`iozone_dedup=PERCENT`"), .take = take_dedup },
	{ .name = "+W", .argument = "N", .meaning = "number of the first child for -+w",
	  REFUSED(DEDUP_EXTRA) },
	{ .name = "+x", .argument = "N", .meaning = "auto mode: factor from size to size",
	  BY_FIOZONE("rows of the table; iozone does nothing with it in throughput mode"),
	  .take = take_multiplier },
	{ .name = "+X", .meaning = "for the test of file systems that know iozone",
	  REFUSED("its results are not valid, as iozone says itself") },
	{ .name = "+y", .argument = "PERCENT", .meaning = "share of the same in, across files, with -+w",
	  BY_ENGINE("`iozone_dedup_within=PERCENT`"), .take = take_dedup_within },
	{ .name = "+z", .meaning = "writes histograms of the latencies to files",
	  ENGINE("iozone_histogram=."), .says = "Histogram summary enabled." },
	{ .name = "+Z", .meaning = "the data of old iozones",
	  REFUSED("use -V 165: the same byte, and checked") },
};
/* clang-format on */

const struct command_option *command_options(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}

const struct command_option *command_option_named(const char *name)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}
