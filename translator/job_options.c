// SPDX-License-Identifier: GPL-2.0-only
/* What the options of a fio job mean, as far as a report needs them. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "job_options.h"
#include "run_log.h"

/*
 * What a suffix multiplies by.  By default fio has k for 1024 and KiB for
 * 1000, which is how old job files come to mean what they always did;
 * kb_base=1000 turns that round.
 */
static bool suffix_factor(const char *suffix, unsigned int kb_base, uint64_t *factor)
{
	static const char letters[] = "kmgtp";
	const char *letter;
	unsigned int base = kb_base;

	*factor = 1;
	if (!*suffix)
		return true;
	letter = strchr(letters, tolower((unsigned char)*suffix));
	if (!letter)
		return false;
	if (!strcasecmp(suffix + 1, "ib"))
		base = kb_base == 1000 ? 1024 : 1000;
	else if (suffix[1] && strcasecmp(suffix + 1, "b") != 0)
		return false;
	for (const char *power = letters; power <= letter; power++)
		*factor *= base;
	return true;
}

bool parse_size(const char *text, unsigned int kb_base, uint64_t *bytes)
{
	bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	uint64_t factor, value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, hexadecimal ? 16 : 10);
	if (errno || !suffix_factor(end, kb_base, &factor))
		return false;
	return !__builtin_mul_overflow(value, factor, bytes);
}

bool job_size(const struct fio_output *output, const struct fio_job *job, const char *name,
	      uint64_t *bytes)
{
	const char *value = fio_job_option(output, job, name);
	const char *kb_base = fio_job_option(output, job, "kb_base");

	return value && parse_size(value, kb_base && !strcmp(kb_base, "1000") ? 1000 : 1024, bytes);
}

bool job_number(const struct fio_output *output, const struct fio_job *job, const char *name,
		uint64_t *number)
{
	const char *value = fio_job_option(output, job, name);
	char *end;

	if (!value || !isdigit((unsigned char)*value))
		return false;
	errno = 0;
	*number = strtoull(value, &end, 10);
	return !errno && !*end;
}

bool job_flag(const struct fio_output *output, const struct fio_job *job, const char *name)
{
	const char *value = fio_job_option(output, job, name);

	return value && strcmp(value, "0") != 0;
}

enum job_rw job_rw(const struct fio_output *output, const struct fio_job *job)
{
	static const struct {
		const char *word;
		enum job_rw rw;
	} words[] = {
		{ "read", RW_READ },
		{ "write", RW_WRITE },
		{ "randread", RW_RANDOM_READ },
		{ "randwrite", RW_RANDOM_WRITE },
		{ "rw", RW_MIXED },
		{ "readwrite", RW_MIXED },
		{ "randrw", RW_MIXED },
	};
	const char *value = fio_job_option(output, job, "rw");
	size_t length;

	if (!value)
		value = fio_job_option(output, job, "readwrite");
	if (!value)
		return RW_UNKNOWN;
	/* "randread:8" has the number of I/Os before a new offset behind it. */
	length = strcspn(value, ":,");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].word) == length && !strncmp(words[i].word, value, length))
			return words[i].rw;
	return RW_UNKNOWN;
}

unsigned int job_numjobs(const struct fio_output *output, const struct fio_job *job)
{
	uint64_t number;

	if (!job_number(output, job, "numjobs", &number) || !number || number > USHRT_MAX)
		return 1;
	return (unsigned int)number;
}

static bool has_option(const struct fio_output *output, const struct fio_job *job,
		       const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fio_job_option(output, job, names[i]))
			return true;
	return false;
}

/* Options that end a job by the clock. */
static bool is_timed(const struct fio_output *output, const struct fio_job *job)
{
	static const char *const names[] = { "runtime", "timeout", "time_based" };

	return has_option(output, job, names, sizeof(names) / sizeof(names[0]));
}

/* Other options that end a job before its size is done, or let it go on after. */
static bool has_other_end(const struct fio_output *output, const struct fio_job *job)
{
	static const char *const names[] = {
		"io_size",
		"io_limit",
		"number_ios",
		"fill_device",
		"fill_fs",
		"read_iolog",
		"loops",
		"steadystate",
		"ss",
		"exitall",
		"zonemode",
		"zonesize",
		"size_percent",
		"exit_what",
		"exitall_on_error",
		"continue_on_error",
		"flow",
		"io_submit_mode",
		"verify",
		"experimental_verify",
		"file_service_type",
		"nrfiles",
		"filesize",
		"offset",
		"offset_increment",
		"bssplit",
		"bsrange",
		"blocksize_range",
		"norandommap",
		"rwmixread",
		"rwmixwrite",
	};

	return has_option(output, job, names, sizeof(names) / sizeof(names[0]));
}

bool job_is_ours(const struct fio_output *output, const struct fio_job *job)
{
	static const char *const names[] = { "iozone_test", "iozone_log", RUN_LOG_RUN_OPTION };
	const char *engine = fio_job_option(output, job, "ioengine");

	if (has_option(output, job, names, sizeof(names) / sizeof(names[0])))
		return true;
	return engine && strstr(engine, "iozone");
}

/* The bytes of the job's size, if nothing but the clock ends it otherwise. */
static bool sized_bytes(const struct fio_output *output, const struct fio_job *job, uint64_t *bytes)
{
	const char *rw = fio_job_option(output, job, "rw");
	uint64_t size, block;

	/* "rw=read:4k" leaves holes. */
	if (rw && strchr(rw, ':'))
		return false;
	if (has_other_end(output, job) || !job_size(output, job, "size", &size))
		return false;
	if (!job_size(output, job, "iozone_record", &block) &&
	    !job_size(output, job, "bs", &block) && !job_size(output, job, "blocksize", &block))
		block = 4096;
	if (!block || size < block)
		return false;
	*bytes = size - size % block;
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool job_same_files(const struct fio_output *output, const struct fio_job *a,
		    const struct fio_job *b)
{
	static const char *const names[] = { "directory", "filename", "filename_format", "offset" };
	bool named = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = fio_job_option(output, a, names[i]);

		if (!same_text(value, fio_job_option(output, b, names[i])))
			return false;
		/* Without either, a file has its job's name. */
		if (value && (!strcmp(names[i], "filename") ||
			      (!strcmp(names[i], "filename_format") && !strstr(value, "$jobname"))))
			named = true;
	}
	return named || same_text(a->name, b->name);
}

bool job_whole_bytes(const struct fio_output *output, const struct fio_job *job, uint64_t *bytes)
{
	return !is_timed(output, job) && sized_bytes(output, job, bytes);
}

bool job_timed_bytes(const struct fio_output *output, const struct fio_job *job, uint64_t *bytes)
{
	return is_timed(output, job) && sized_bytes(output, job, bytes);
}
