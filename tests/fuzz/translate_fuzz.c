// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds the whole translator: two bytes that choose how the report is to look,
 * fio's output, a line "%%%%", and a run log.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "translate.h"

static const char separator[] = "\n%%%%\n";

/* A file that holds these bytes, and has a name. */
struct named {
	int fd;
	char name[64];
};

static void fill(struct named *file, const uint8_t *data, size_t size)
{
	if (!file->name[0]) {
		file->fd = memfd_create("input", MFD_CLOEXEC);
		must(file->fd >= 0);
		snprintf(file->name, sizeof(file->name), "/proc/self/fd/%d", file->fd);
	}
	must(!ftruncate(file->fd, 0));
	must(pwrite(file->fd, data, size, 0) == (ssize_t)size);
}

static void print_nowhere(void)
{
	static bool done;
	int nowhere;

	if (done)
		return;
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	must(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
	close(nowhere);
	done = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct named output, log;
	const char *const logs[] = { log.name };
	const struct group_name names[] = {
		{ .group = 0, .test = iozone_test_row(TEST_PREAD) },
		{ .group = 1, .test = iozone_test_row(TEST_WRITE) },
	};
	struct translate_request request = { .input = output.name };
	const uint8_t *middle;
	enum translate_status status;
	unsigned int complaints;

	if (size < 2)
		return 0;
	print_nowhere();
	request.style.format = data[0] % 3;
	request.style.layout = data[0] & 4 ? LAYOUT_3397 : LAYOUT_3489;
	request.style.excel = data[0] & 8;
	request.style.children = data[0] & 16;
	request.style.ops = data[0] & 32;
	request.style.cpu = data[0] & 64;
	request.style.verbose = data[0] & 128;
	request.no_log = data[1] & 1;
	request.no_retest = data[1] & 2;
	request.names = names;
	request.name_count = data[1] % 16 == 4 ? 2 : 0;
	data += 2;
	size -= 2;
	middle = memmem(data, size, separator, strlen(separator));
	fill(&output, data, middle ? (size_t)(middle - data) : size);
	if (middle) {
		const uint8_t *begin = middle + strlen(separator);

		fill(&log, begin, data + size - begin);
		request.logs = logs;
		request.log_count = request.no_log ? 0 : 1;
	}
	status = translate(&request);
	complaints = fuzz_complaints();
	must(status == TRANSLATE_WHOLE || status == TRANSLATE_PART || status == TRANSLATE_NONE);
	/* What is missing has been said. */
	must(status == TRANSLATE_WHOLE || complaints);
	return 0;
}
