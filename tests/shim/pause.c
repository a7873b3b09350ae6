// SPDX-License-Identifier: GPL-2.0-only
/* For LD_PRELOAD: every sleep() takes PAUSE_NS nanoseconds, so that benches of iozone are short. */
#include <time.h>
#include <unistd.h>

unsigned int sleep(unsigned int seconds)
{
	const struct timespec pause = {
		.tv_sec = PAUSE_NS / 1000000000,
		.tv_nsec = PAUSE_NS % 1000000000,
	};

	(void)seconds;
	nanosleep(&pause, NULL);
	return 0;
}
