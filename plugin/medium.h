/* SPDX-License-Identifier: GPL-2.0-only */
/* A file by its descriptor: what other ways to open and close one are built on. */
#ifndef MEDIUM_H
#define MEDIUM_H

#include "child.h"

int plain_open(struct child *child);
int plain_flush(struct child *child);
int plain_close(struct child *child);
int plain_finish(struct child *child);
int plain_close_for_stop(struct child *child);
int plain_reopen(struct child *child);

extern const struct medium mapping_medium;
extern const struct medium async_medium;

#endif
