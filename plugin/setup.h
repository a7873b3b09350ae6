/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's setup hook: options to a job of the run, before the first fork. */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>

struct thread_data;

/* Returns 0, or 1 after saying what is wrong; nothing has been touched then. */
int iozone_setup(struct thread_data *td);

/* Was any job refused?  Asked in the children, when all set-up is done. */
bool setup_refused(void);

#endif
