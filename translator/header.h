/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands above the first test, worked out from the run. */
#ifndef HEADER_H
#define HEADER_H

#include "arena.h"
#include "model.h"
#include "report.h"

/*
 * Fills in what is zero in header: sizes, options, the iozone command line
 * that the run corresponds to.  Texts come from the arena.  Returns 0, or -1
 * when memory is short.
 */
int header_of_run(const struct run *run, const struct report_style *style, bool no_retest,
		  struct arena *arena, struct report_header *header);

/*
 * Did the run leave out the second of every pair (-+n)?  False when it has no
 * pair.
 */
bool run_has_no_retest(const struct run *run);

/* What fio-iozone measured the run, with which fio; NULL when memory is short. */
const char *measured_by(const struct run *run, struct arena *arena);

#endif
