// SPDX-License-Identifier: GPL-2.0-only
/* Feeds the reader of run logs, and looks at all that it hands over. */
#include "fuzz.h"
#include "run_log_reader.h"

static void touch_text(const char *text)
{
	must(text);
	fuzz_touch(text);
}

static void touch_number(uint64_t number)
{
	(void)number;
}

static void look_at_line(const struct run_log_line *line)
{
#define LOOK_AT(member, type) touch_##type(line->member);
	RUN_LOG_COLUMNS(LOOK_AT)
#undef LOOK_AT
	must(line->bytes <= line->file_size || !line->file_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run_log log = { .count = 0 };
	int result = run_log_read(fuzz_file(data, size), "input", &log);

	must(result == 0 || result == -1);
	must(fuzz_complaints() == (result ? 1 : 0));
	if (result)
		return 0;
	for (size_t i = 0; i < log.count; i++) {
		/* A carriage return alone ends a row, but no line. */
		must(log.numbers[i] > 1 && (!i || log.numbers[i] >= log.numbers[i - 1]));
		look_at_line(&log.lines[i]);
	}
	run_log_free(&log);
	return 0;
}
