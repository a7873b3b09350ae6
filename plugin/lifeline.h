/* SPDX-License-Identifier: GPL-2.0-only */
/* What binds fio's children and its main process together when either dies. */
#ifndef LIFELINE_H
#define LIFELINE_H

struct job;

/* In fio's main process, before the first fork.  Returns 0, or -1 with errno set. */
int lifeline_begin(void);

/*
 * In a child, when it comes to its meeting point: from here on it hears of the
 * end of fio's main process, and of a signal to itself, at the meeting point.
 */
void lifeline_hold(const struct job *job);

#endif
