// SPDX-License-Identifier: GPL-2.0-only
/* Memory that is given back all at once, and strings kept once. */
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "arena.h"

#define CHUNK_SIZE 16384

struct chunk {
	struct chunk *next;
	alignas(max_align_t) unsigned char bytes[];
};

/* A hash table, open addressing. */
struct table {
	const char **strings;
	size_t slots; /* a power of two, or 0 */
	size_t used;
	uint64_t seed;
};

struct arena {
	struct chunk *chunks;
	unsigned char *free; /* the rest of the first chunk */
	size_t left;
	struct table table;
};

struct arena *arena_new(void)
{
	return calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	while (arena->chunks) {
		struct chunk *chunk = arena->chunks;

		arena->chunks = chunk->next;
		free(chunk);
	}
	free(arena->table.strings);
	free(arena);
}

/* A chunk of its own for what is large, so that no chunk's rest is lost. */
static void *take_alone(struct arena *arena, size_t size)
{
	struct chunk *chunk = malloc(sizeof(*chunk) + size);

	if (!chunk)
		return NULL;
	if (arena->chunks) {
		chunk->next = arena->chunks->next;
		arena->chunks->next = chunk;
	} else {
		chunk->next = NULL;
		arena->chunks = chunk;
	}
	return chunk->bytes;
}

static void *take(struct arena *arena, size_t size, size_t alignment)
{
	size_t skip = -(uintptr_t)arena->free & (alignment - 1);
	struct chunk *chunk;
	unsigned char *taken;

	if (size > CHUNK_SIZE / 4)
		return take_alone(arena, size);
	if (arena->left < skip || arena->left - skip < size) {
		chunk = malloc(sizeof(*chunk) + CHUNK_SIZE);
		if (!chunk)
			return NULL;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->free = chunk->bytes;
		arena->left = CHUNK_SIZE;
		skip = 0;
	}
	taken = arena->free + skip;
	arena->free = taken + size;
	arena->left -= skip + size;
	return taken;
}

void *arena_take(struct arena *arena, size_t size)
{
	return take(arena, size, alignof(max_align_t));
}

static size_t slot_of(const struct table *table, const char *string, size_t length)
{
	uint64_t hash = table->seed ^ length;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)string[i]) * 0x100000001b3;
	/* The low bits depend on too few of the string's. */
	hash ^= hash >> 32;
	hash *= 0x9e3779b97f4a7c15;
	hash ^= hash >> 29;
	return hash & (table->slots - 1);
}

/* The slot that has the string, or the empty one where it belongs. */
static const char **find(const struct table *table, const char *string, size_t length)
{
	size_t slot = slot_of(table, string, length);

	while (table->strings[slot]) {
		const char *there = table->strings[slot];

		if (!strncmp(there, string, length) && !there[length])
			break;
		slot = (slot + 1) & (table->slots - 1);
	}
	return &table->strings[slot];
}

static int grow(struct table *table)
{
	struct table larger = {
		.slots = table->slots ? table->slots * 2 : 64,
		.used = table->used,
		.seed = table->seed,
	};

	/*
	 * With a seed that no file can know, no file can be made whose strings
	 * all fall into one slot.  Without entropy it is no worse than zero.
	 */
	if (!table->slots &&
	    getrandom(&larger.seed, sizeof(larger.seed), GRND_NONBLOCK) != sizeof(larger.seed))
		larger.seed = 0;
	larger.strings = calloc(larger.slots, sizeof(*larger.strings));
	if (!larger.strings)
		return -1;
	for (size_t i = 0; i < table->slots; i++) {
		const char *string = table->strings[i];

		if (string)
			*find(&larger, string, strlen(string)) = string;
	}
	free(table->strings);
	*table = larger;
	return 0;
}

/* A copy that is a C string: a NUL byte in it would hide what follows. */
static char *copy(struct arena *arena, const char *bytes, size_t length)
{
	char *string = take(arena, length + 1, 1);

	if (!string)
		return NULL;
	for (size_t i = 0; i < length; i++)
		string[i] = bytes[i] ? bytes[i] : '?';
	string[length] = '\0';
	return string;
}

const char *arena_string(struct arena *arena, const char *bytes, size_t length)
{
	struct table *table = &arena->table;
	const char **slot;

	/* Rare: looked for by what it becomes. */
	if (memchr(bytes, '\0', length)) {
		char *clean = copy(arena, bytes, length);

		return clean ? arena_string(arena, clean, length) : NULL;
	}
	if (table->used >= table->slots / 2 && grow(table))
		return NULL;
	slot = find(table, bytes, length);
	if (!*slot) {
		*slot = copy(arena, bytes, length);
		if (*slot)
			table->used++;
	}
	return *slot;
}
