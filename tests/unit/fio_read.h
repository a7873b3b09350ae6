/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's output from memory into a struct fio_output, and what is said meanwhile. */
#ifndef FIO_READ_H
#define FIO_READ_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "caught_stderr.h"
#include "fio_output.h"

/* Reads length bytes as a file called "input". */
static inline int read_bytes(const char *bytes, size_t length, struct fio_output *output,
			     struct caught_stderr *said)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	int result;

	assert_true(fd >= 0);
	while (length) {
		ssize_t written = write(fd, bytes, length);

		assert_true(written > 0);
		bytes += written;
		length -= written;
	}
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	catch_stderr(said);
	result = fio_output_read(fd, "input", output);
	release_stderr(said);
	close(fd);
	return result;
}

/* Reads a text that is a result of fio's: nothing is to be said. */
static inline void read_good(const char *text, struct fio_output *output)
{
	struct caught_stderr said;
	int result = read_bytes(text, strlen(text), output, &said);

	assert_string_equal(said.text, "");
	assert_int_equal(result, 0);
}

/* Bytes that are none: one line "PROGRAM: input:" and then this is to be said. */
static inline void refuse_bytes(const char *bytes, size_t length, const char *complaint)
{
	struct fio_output output;
	struct caught_stderr said;
	int result = read_bytes(bytes, length, &output, &said);
	char expected[1024];

	snprintf(expected, sizeof(expected), "%s: input:%s\n", program_invocation_short_name,
		 complaint);
	assert_string_equal(said.text, expected);
	assert_int_equal(result, -1);
}

static inline void refuse(const char *text, const char *complaint)
{
	refuse_bytes(text, strlen(text), complaint);
}

/* A whole file; the caller frees it. */
static inline char *load(const char *path, size_t *length)
{
	FILE *file = fopen(path, "r");
	char *bytes;
	long size;

	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size >= 0);
	rewind(file);
	bytes = malloc(size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, size, file), size);
	bytes[size] = '\0';
	fclose(file);
	*length = size;
	return bytes;
}

#endif
