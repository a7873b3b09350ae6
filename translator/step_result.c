// SPDX-License-Identifier: GPL-2.0-only
/* Reads what a run of fio has left behind. */
#include "step_result.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		complain(path, 0, "%s", strerror(errno));
	return fd;
}

static int read_output(struct step_result *result, const char *path)
{
	int fd = open_file(path);

	if (fd < 0)
		return -1;
	result->has_output = !fio_output_read(fd, path, &result->output);
	close(fd);
	return result->has_output ? 0 : -1;
}

static int read_log(struct step_result *result, const char *path)
{
	int fd = open_file(path);

	if (fd < 0)
		return -1;
	result->has_log = !run_log_read(fd, path, &result->log);
	close(fd);
	return result->has_log ? 0 : -1;
}

int step_result_read(struct step_result *result, const char *json, const char *log)
{
	*result = (struct step_result){ .has_output = false };
	if (read_output(result, json) || read_log(result, log))
		return -1;
	if (run_build(&result->output, &result->log, 1, NULL, 0, &result->run))
		return -1;
	result->has_run = true;
	if (figures_of_run(&result->run, &result->figures)) {
		complain(NULL, 0, "out of memory");
		return -1;
	}
	result->has_figures = true;
	return 0;
}

void step_result_free(struct step_result *result)
{
	if (result->has_figures)
		figures_free(&result->figures);
	if (result->has_run)
		run_free(&result->run);
	if (result->has_log)
		run_log_free(&result->log);
	if (result->has_output)
		fio_output_free(&result->output);
	*result = (struct step_result){ .has_output = false };
}
