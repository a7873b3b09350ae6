// SPDX-License-Identifier: GPL-2.0-only
/* Feeds the reader of fio's output, JSON and terse, and looks at all that it hands over. */
#include <math.h>

#include "fio_output.h"
#include "fuzz.h"

static void look_at_direction(const struct fio_direction *direction)
{
	must(direction->present || !direction->sane);
	must(!direction->sane || direction->bytes <= INT64_MAX);
	must(!direction->sane || direction->runtime_ms <= INT64_MAX);
	must(direction->ios_known || !direction->ios);
	must(direction->ios <= INT64_MAX);
}

static void look_at_options(const struct fio_options *options)
{
	for (size_t i = 0; i < options->count; i++) {
		must(options->list[i].name && options->list[i].value);
		fuzz_touch(options->list[i].name);
		fuzz_touch(options->list[i].value);
	}
}

static void look_at_job(const struct fio_output *output, const struct fio_job *job)
{
	must(job->name);
	must(job->line > 0);
	must(job->error >= -1);
	must(job->port <= UINT16_MAX);
	must(job->has_start || !job->start_ms);
	must(isfinite(job->user_cpu) && isfinite(job->system_cpu));
	must(job->read.present || job->write.present || job->mixed.present);
	must(output->client_server || !job->all_clients);
	fuzz_touch(job->name);
	fuzz_touch(job->host);
	look_at_direction(&job->read);
	look_at_direction(&job->write);
	look_at_direction(&job->mixed);
	look_at_options(&job->options);
	fuzz_touch(fio_job_option(output, job, "iozone_log"));
}

static void look_at(const struct fio_output *output)
{
	must(output->documents > 0);
	must(output->format == FIO_JSON || output->job_count);
	must((output->format == FIO_TERSE) == (output->terse_version >= 2));
	must(output->terse_version <= 5);
	fuzz_touch(output->version);
	look_at_options(&output->global);
	for (size_t i = 0; i < output->host_global_count; i++) {
		fuzz_touch(output->host_global[i].host);
		look_at_options(&output->host_global[i].options);
	}
	for (size_t i = 0; i < output->job_count; i++)
		look_at_job(output, &output->jobs[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fio_output output;
	int result = fio_output_read(fuzz_file(data, size), "input", &output);

	must(result == 0 || result == -1);
	must(fuzz_complaints() == (result ? 1 : 0));
	if (!result)
		look_at(&output);
	fio_output_free(&output);
	return 0;
}
