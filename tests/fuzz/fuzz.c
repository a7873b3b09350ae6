// SPDX-License-Identifier: GPL-2.0-only
/* What the fuzzers of the readers have in common. */
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "message.h"

static unsigned int complaints;
static volatile size_t touched;

/* In place of the one that prints: what is said is formatted, and counted. */
void complain(const char *file, unsigned long long line, const char *format, ...)
{
	char text[4096];
	va_list arguments;

	(void)file;
	(void)line;
	va_start(arguments, format);
	must(vsnprintf(text, sizeof(text), format, arguments) > 0);
	va_end(arguments);
	complaints++;
}

unsigned int fuzz_complaints(void)
{
	unsigned int count = complaints;

	complaints = 0;
	return count;
}

void fuzz_touch(const char *string)
{
	if (string)
		touched += strlen(string);
}

int fuzz_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	must(fd >= 0);
	must(!ftruncate(fd, 0));
	must(pwrite(fd, data, size, 0) == (ssize_t)size);
	must(!lseek(fd, 0, SEEK_SET));
	return fd;
}
