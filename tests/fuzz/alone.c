// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzzer where there is no libFuzzer: damages the seeds, one after
 * another, and feeds them.  Begins at the same point each time.
 *	PROGRAM SECONDS FOLDER SEED...
 * The input that is being tried stands in FOLDER/last.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define SEEDS_MAX 256
#define INPUT_MAX 65536

struct seed {
	uint8_t bytes[INPUT_MAX];
	size_t size;
};

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state % limit;
}

static void load(const char *name, struct seed *seed)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, seed->bytes, sizeof(seed->bytes));

	if (got < 0) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		exit(2);
	}
	seed->size = got;
	close(fd);
}

/* Some bytes from anywhere in a seed to anywhere in the input. */
static void insert(struct seed *input, const struct seed *seed, uint32_t *state)
{
	size_t from, length, to;

	if (!seed->size)
		return;
	from = random_below(state, seed->size);
	length = random_below(state, seed->size - from) + 1;
	to = random_below(state, input->size + 1);
	if (length > INPUT_MAX - input->size)
		return;
	memmove(input->bytes + to + length, input->bytes + to, input->size - to);
	memcpy(input->bytes + to, seed->bytes + from, length);
	input->size += length;
}

static void cut(struct seed *input, uint32_t *state)
{
	size_t from, length;

	if (!input->size)
		return;
	from = random_below(state, input->size);
	length = random_below(state, input->size - from) + 1;
	memmove(input->bytes + from, input->bytes + from + length, input->size - from - length);
	input->size -= length;
}

static void change(struct seed *input, uint32_t *state)
{
	static const char telling[] = "{}[]\",:;\\\n\r\t -+.0123456789eEnulifa%=";
	size_t at;

	if (!input->size)
		return;
	at = random_below(state, input->size);
	input->bytes[at] = random_below(state, 2) ?
				   (uint8_t)telling[random_below(state, sizeof(telling))] :
				   random_below(state, 256);
}

static void damage(struct seed *input, const struct seed *seeds, size_t count, uint32_t *state)
{
	for (uint32_t times = random_below(state, 6); times; times--) {
		switch (random_below(state, 4)) {
		case 0:
			insert(input, &seeds[random_below(state, count)], state);
			break;
		case 1:
			cut(input, state);
			break;
		default:
			change(input, state);
		}
	}
}

/* A file that still has the input when the program has crashed. */
static struct seed *kept_input(const char *folder)
{
	char name[4096];
	struct seed *input;
	int fd;

	snprintf(name, sizeof(name), "%s/last", folder);
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || ftruncate(fd, sizeof(*input))) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		exit(2);
	}
	input = mmap(NULL, sizeof(*input), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(input != MAP_FAILED);
	close(fd);
	return input;
}

int main(int argc, char **argv)
{
	static struct seed seeds[SEEDS_MAX];
	size_t count = argc > 3 ? argc - 3 : 0;
	unsigned long long tries = 0;
	uint32_t state = 1;
	struct seed *input;
	time_t end;

	if (!count || count > SEEDS_MAX) {
		fprintf(stderr, "Usage: %s SECONDS FOLDER SEED...\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < count; i++)
		load(argv[i + 3], &seeds[i]);
	input = kept_input(argv[2]);
	end = time(NULL) + atol(argv[1]);
	do {
		*input = seeds[tries % count];
		/* Each of them as it is, to begin with. */
		if (tries >= count)
			damage(input, seeds, count, &state);
		LLVMFuzzerTestOneInput(input->bytes, input->size);
		tries++;
	} while (tries % 64 || time(NULL) < end);
	printf("stat::number_of_executed_units: %llu\n", tries);
	return 0;
}
