/* SPDX-License-Identifier: GPL-2.0-only */
/* The version of fio-iozone: engine, translator and command line share it. */
#ifndef FIO_IOZONE_VERSION_H
#define FIO_IOZONE_VERSION_H

#define FIO_IOZONE_VERSION "1.0"

#endif
