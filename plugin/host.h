/* SPDX-License-Identifier: GPL-2.0-only */
/* Is the fio that loaded the engine the one it was built for? */
#ifndef HOST_H
#define HOST_H

#include <stddef.h>

struct thread_data;

/*
 * Compares the host's structures with those that the engine was compiled
 * against.  Touches nothing of the job, and no pointer that it has not tried
 * first.  Returns NULL when all is well, or the reason why not.
 */
const char *host_mismatch(struct thread_data *td);

/* The host's own version string, such as "fio-3.33". */
const char *host_version(void);

#endif
