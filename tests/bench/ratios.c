// SPDX-License-Identifier: GPL-2.0-only
/*
 * Medians of paired ratios, with bootstrap intervals, from the rounds that
 * tests/bench/fidelity has written: fio-iozone against iozone, and iozone
 * against itself in the same rounds.
 *
 * A ratio is taken within a round, so that a machine which gets slower or
 * faster in the meantime moves both sides.  The interval holds the middle
 * 95 % of the medians of 4000 resamples of the rounds (percentile bootstrap;
 * B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 4000
#define MAX_ROUNDS 1000
#define MAX_SERIES 1000
#define FIGURES 5

enum program { IOZONE, OURS, IOZONE_AGAIN, PROGRAMS };

static const char *const program_names[PROGRAMS] = { "iozone", "fio-iozone", "iozone-again" };
static const char *const figure_names[FIGURES] = { "Children", "Parent", "Min", "Max", "Min xfer" };

/* A test at one record size and number of processes. */
struct series {
	char key[200];
	double value[PROGRAMS][FIGURES][MAX_ROUNDS];
	bool seen[PROGRAMS][MAX_ROUNDS];
	unsigned int rounds;
};

struct estimate {
	double median, low, high;
	unsigned int count;
};

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, unsigned int count)
{
	qsort(values, count, sizeof(*values), by_size);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* A generator of its own, so that the same rounds give the same interval. */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static struct estimate estimate(const double *ratios, unsigned int count)
{
	static double medians[RESAMPLES], sample[MAX_ROUNDS];
	uint64_t state = 88172645463325252ull;
	struct estimate e = { .count = count };

	if (!count)
		return e;
	for (unsigned int i = 0; i < RESAMPLES; i++) {
		for (unsigned int j = 0; j < count; j++)
			sample[j] = ratios[draw(&state) % count];
		medians[i] = median(sample, count);
	}
	qsort(medians, RESAMPLES, sizeof(*medians), by_size);
	memcpy(sample, ratios, count * sizeof(*ratios));
	e.median = median(sample, count);
	e.low = medians[RESAMPLES * 25 / 1000];
	e.high = medians[RESAMPLES * 975 / 1000];
	return e;
}

static struct estimate against_iozone(const struct series *series, enum program program,
				      unsigned int figure)
{
	static double ratios[MAX_ROUNDS];
	unsigned int count = 0;

	for (unsigned int round = 0; round < series->rounds; round++) {
		double base = series->value[IOZONE][figure][round];

		if (series->seen[IOZONE][round] && series->seen[program][round] && base > 0)
			ratios[count++] = series->value[program][figure][round] / base;
	}
	return estimate(ratios, count);
}

static struct series *find(struct series **list, unsigned int *count, const char *key)
{
	for (unsigned int i = 0; i < *count; i++)
		if (!strcmp(list[i]->key, key))
			return list[i];
	if (*count == MAX_SERIES)
		return NULL;
	list[*count] = calloc(1, sizeof(**list));
	if (!list[*count])
		return NULL;
	snprintf(list[*count]->key, sizeof(list[*count]->key), "%s", key);
	return list[(*count)++];
}

static int program_of(const char *name)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (!strcmp(name, program_names[i]))
			return i;
	return -1;
}

/* record,processes,options,round,program,test,children,parent,min,max,min_xfer */
static int take_line(char *line, struct series **list, unsigned int *count)
{
	char record[32], options[64], program[32], test[32], key[200];
	unsigned int processes, round;
	double v[FIGURES];
	struct series *series;
	int p;

	if (sscanf(line, "%31[^,],%u,%63[^,],%u,%31[^,],%31[^,],%lf,%lf,%lf,%lf,%lf", record,
		   &processes, options, &round, program, test, &v[0], &v[1], &v[2], &v[3],
		   &v[4]) != 11)
		return -1;
	p = program_of(program);
	if (p < 0 || round >= MAX_ROUNDS)
		return -1;
	snprintf(key, sizeof(key), "%-6s %3u %-8s %-10s", record, processes, options, test);
	series = find(list, count, key);
	if (!series)
		return -1;
	for (unsigned int i = 0; i < FIGURES; i++)
		series->value[p][i][round] = v[i];
	series->seen[p][round] = true;
	if (series->rounds <= round)
		series->rounds = round + 1;
	return 0;
}

static void print_series(const struct series *series)
{
	for (unsigned int figure = 0; figure < FIGURES; figure++) {
		struct estimate ours = against_iozone(series, OURS, figure);
		struct estimate self = against_iozone(series, IOZONE_AGAIN, figure);

		if (!ours.count)
			continue;
		printf("%s %-9s %3u   %6.3f  %6.3f .. %6.3f", series->key, figure_names[figure],
		       ours.count, ours.median, ours.low, ours.high);
		if (self.count)
			printf("   %6.3f  %6.3f .. %6.3f", self.median, self.low, self.high);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	static struct series *list[MAX_SERIES];
	unsigned int count = 0;
	char line[512];
	FILE *file = argc == 2 ? fopen(argv[1], "re") : NULL;

	if (!file) {
		fprintf(stderr, "ratios: %s: %s\n", argc == 2 ? argv[1] : "usage: ratios FILE.csv",
			argc == 2 ? strerror(errno) : "one file");
		return 2;
	}
	for (unsigned int number = 1; fgets(line, sizeof(line), file); number++) {
		if (number > 1 && take_line(line, list, &count)) {
			fprintf(stderr, "ratios: %s:%u: not a line of rounds\n", argv[1], number);
			return 2;
		}
	}
	fclose(file);
	printf("%-6s %3s %-8s %-10s %-9s %3s   %-24s   %s\n", "record", "n", "options", "test",
	       "figure", "", "fio-iozone / iozone", "iozone / iozone");
	printf("%-6s %3s %-8s %-10s %-9s %3s   %6s  %-16s   %6s  %s\n", "", "", "", "", "", "",
	       "median", "95 %", "median", "95 %");
	for (unsigned int i = 0; i < count; i++)
		print_series(list[i]);
	return 0;
}
