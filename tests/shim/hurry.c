// SPDX-License-Identifier: GPL-2.0-only
/* For LD_PRELOAD: nobody sleeps for seconds or waits for the disks between two tests. */
#include <unistd.h>

unsigned int sleep(unsigned int seconds)
{
	(void)seconds;
	return 0;
}

void sync(void)
{
}
