/* SPDX-License-Identifier: GPL-2.0-only */
/* iozone's offset and latency files (-Q): a line a record. */
#ifndef LATENCY_LOG_H
#define LATENCY_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "careful.h"

/* Are the child's offsets asked of the kernel, or known? */
bool latency_log_asks(const struct child *child);

/* Writers but rewriters open theirs when they are released, the others before they are ready. */
bool latency_log_is_late(const struct child *child);

/*
 * Opens Child_<number>_<test>.dat in the directory of the option, to add to
 * it, and puts iozone's heading there.  Returns 0, or -1 after child_fail().
 */
int latency_log_open(struct child *child);
int latency_log_close(struct child *child);

/* Steps: note where the file stands; write the record's line. */
int latency_log_where(struct child *child);
int latency_log_line(struct child *child);

#endif
