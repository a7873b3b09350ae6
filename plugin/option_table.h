/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of the engine's options, for fio's parser. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "options.h"
#include "parse.h"

/* fio fills in members of the table while it parses. */
extern struct fio_option iozone_option_table[];

/* The name of an option whose value is none of its own; NULL when there is none. */
const char *options_out_of_range(const struct iozone_options *options);

#endif
