/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run of fio has left behind: its output, its run log, its figures. */
#ifndef STEP_RESULT_H
#define STEP_RESULT_H

#include <stdbool.h>

#include "figures.h"
#include "fio_output.h"
#include "model.h"
#include "run_log_reader.h"

struct step_result {
	struct fio_output output;
	bool has_output;
	struct run_log log;
	bool has_log;
	struct run run;
	bool has_run;
	struct figures figures;
	bool has_figures;
};

/*
 * Reads fio's JSON and the run log.  What is missing is said on standard
 * error, and result->run.whole tells it.  Returns 0, or -1 when there are no
 * figures.  In either case step_result_free() is due.
 */
int step_result_read(struct step_result *result, const char *json, const char *log);

void step_result_free(struct step_result *result);

#endif
