// SPDX-License-Identifier: GPL-2.0-only
/* What is put together in an arena: texts by a format, memory all zeros. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arena_text.h"

const char *arena_print(struct arena *arena, const char *format, ...)
{
	va_list arguments, again;
	char *text = NULL;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length >= 0)
		text = arena_take(arena, (size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	return text;
}

void *arena_zeros(struct arena *arena, size_t count, size_t size)
{
	void *memory;

	if (__builtin_mul_overflow(count, size, &size))
		return NULL;
	memory = arena_take(arena, size);
	return memory ? memset(memory, 0, size) : NULL;
}
