// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs two commands in turn and compares what they take:
 *	measure PAIRS COMMAND... -- COMMAND...
 * prints, for awk and people alike, the medians over the pairs of
 *	first: CPU seconds, wall clock seconds, KiB of memory at most
 *	second: the same
 *	first / second: CPU, its lowest and highest in a pair, wall clock, memory
 * in one line.  What the commands print is thrown away; one that fails ends it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAIRS_MAX 1001

struct sample {
	double cpu, wall, kib;
};

static double seconds(struct timeval time)
{
	return time.tv_sec + time.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void run_child(char **command)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 &&
	    dup2(nowhere, STDERR_FILENO) >= 0)
		execvp(command[0], command);
	_exit(127);
}

static struct sample run(char **command)
{
	struct rusage used;
	double begun = now();
	pid_t child = fork();
	int status;

	if (!child)
		run_child(command);
	if (child < 0 || wait4(child, &status, 0, &used) != child) {
		fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
		exit(2);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "measure: %s: it failed\n", command[0]);
		exit(2);
	}
	return (struct sample){
		.cpu = seconds(used.ru_utime) + seconds(used.ru_stime),
		.wall = now() - begun,
		.kib = used.ru_maxrss,
	};
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them, too. */
static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double median_of(const struct sample *samples, size_t count, size_t member)
{
	double values[PAIRS_MAX];

	for (size_t i = 0; i < count; i++)
		values[i] = *(const double *)((const char *)&samples[i] + member);
	return median(values, count);
}

static void print_samples(const struct sample *samples, size_t count)
{
	printf("%.4f %.4f %.0f ", median_of(samples, count, offsetof(struct sample, cpu)),
	       median_of(samples, count, offsetof(struct sample, wall)),
	       median_of(samples, count, offsetof(struct sample, kib)));
}

static void print_ratios(const struct sample *first, const struct sample *second, size_t count)
{
	double cpu[PAIRS_MAX], wall[PAIRS_MAX], kib[PAIRS_MAX], middle;

	for (size_t i = 0; i < count; i++) {
		cpu[i] = first[i].cpu / second[i].cpu;
		wall[i] = first[i].wall / second[i].wall;
		kib[i] = first[i].kib / second[i].kib;
	}
	middle = median(cpu, count);
	printf("%.4f %.4f %.4f %.4f %.4f\n", middle, cpu[0], cpu[count - 1], median(wall, count),
	       median(kib, count));
}

int main(int argc, char **argv)
{
	static struct sample first[PAIRS_MAX], second[PAIRS_MAX];
	long pairs = argc > 1 ? atol(argv[1]) : 0;
	char **other = argv;

	while (*other && strcmp(*other, "--") != 0)
		other++;
	if (pairs < 1 || pairs > PAIRS_MAX || argc < 5 || !*other || !other[1] ||
	    other == argv + 2) {
		fprintf(stderr, "Usage: measure PAIRS COMMAND... -- COMMAND...\n");
		return 2;
	}
	*other++ = NULL;
	/* Once each for the caches, and then in turn, each of them first half the times. */
	run(argv + 2);
	run(other);
	for (long i = 0; i < pairs; i++) {
		if (i % 2)
			second[i] = run(other);
		first[i] = run(argv + 2);
		if (!(i % 2))
			second[i] = run(other);
	}
	print_samples(first, pairs);
	print_samples(second, pairs);
	print_ratios(first, second, pairs);
	return 0;
}
