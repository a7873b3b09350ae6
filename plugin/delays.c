// SPDX-License-Identifier: GPL-2.0-only
/* What takes time on purpose: computing (-J), a limited rate (-+O), late starts (-d). */
#include <time.h>

#include "careful.h"
#include "telemetry.h"

#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull
/* So long may a sleeping child overhear that the run is told to stop. */
#define DOZE_NS (50 * NS_PER_MS)

void sleep_until(const struct child *child, uint64_t when_ns)
{
	for (uint64_t now = monotonic_ns(); now < when_ns; now = monotonic_ns()) {
		uint64_t doze = when_ns - now < DOZE_NS ? when_ns - now : DOZE_NS;
		struct timespec time = { .tv_nsec = (long)doze };

		if (meet_interrupted(child->meet))
			return;
		nanosleep(&time, NULL);
	}
}

static void spin_until(const struct child *child, uint64_t when_ns)
{
	while (monotonic_ns() < when_ns)
		if (meet_interrupted(child->meet))
			return;
}

/*
 * The processor is kept busy, as by a program that works with its data.  The
 * clock does not count it, unless -+J asks for that; a writer's tail has no
 * clock.
 */
int compute(struct child *child)
{
	uint64_t delay_ns = child->options->compute_ms * NS_PER_MS;
	uint64_t began = monotonic_ns();

	if (child->telemetry)
		delay_ns = telemetry_delay_ns(child->telemetry, child->next, delay_ns);
	if (!delay_ns)
		return 0;
	spin_until(child, began + delay_ns);
	if (child->clock_runs && !child->options->compute_counts)
		child->excluded_ns += monotonic_ns() - began;
	return 0;
}

/* Sleeps for whole milliseconds and spins for the rest: iozone is that exact. */
int hold_rate(struct child *child)
{
	uint64_t until = child->extras->called_ns + NS_PER_S / child->options->op_rate;
	uint64_t now = monotonic_ns();

	if (now >= until)
		return 0;
	sleep_until(child, now + (until - now) / NS_PER_MS * NS_PER_MS);
	spin_until(child, until);
	return 0;
}
