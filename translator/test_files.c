// SPDX-License-Identifier: GPL-2.0-only
/* The files that the children work on: are they there, can they be, and away. */
#include "test_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena_text.h"
#include "message.h"

/* "a/b/c" lies in "a/b", "c" in ".". */
static const char *folder_of(struct arena *arena, const char *name)
{
	const char *slash = strrchr(name, '/');

	if (!slash)
		return ".";
	if (slash == name)
		return "/";
	return arena_string(arena, name, (size_t)(slash - name));
}

/*
 * Rights alone do not tell: there are file systems that take no files of
 * anybody.  The name is not one of the test's, whose calls are iozone's only.
 */
static int try_to_make(struct arena *arena, const char *folder)
{
	const char *name = arena_print(arena, "%s/.fiozone.%ld", folder, (long)getpid());
	int fd = name ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;

	if (fd < 0) {
		complain(folder, 0, "no test files can be made in this folder: %s",
			 strerror(errno));
		return -1;
	}
	close(fd);
	unlink(name);
	return 0;
}

/* Nothing is done for the folder that was looked at last. */
static int check_folder(struct arena *arena, const char *name, const char **last)
{
	const char *folder = folder_of(arena, name);
	struct stat status;

	if (!folder) {
		complain(NULL, 0, "out of memory");
		return -1;
	}
	if (*last && !strcmp(folder, *last))
		return 0;
	*last = folder;
	if (stat(folder, &status)) {
		complain(folder, 0, "no folder for the test files: %s", strerror(errno));
		return -1;
	}
	if (!S_ISDIR(status.st_mode)) {
		complain(folder, 0, "no folder for the test files: %s", strerror(ENOTDIR));
		return -1;
	}
	return try_to_make(arena, folder);
}

static int check_present(const char *name, uint64_t bytes, bool writes)
{
	struct stat status;

	if (stat(name, &status)) {
		complain(name, 0, "%s (the first test needs it: -i 0 writes files, -w leaves them)",
			 strerror(errno));
		return -1;
	}
	if (S_ISDIR(status.st_mode)) {
		complain(name, 0, "%s", strerror(EISDIR));
		return -1;
	}
	if (access(name, writes ? R_OK | W_OK : R_OK)) {
		complain(name, 0, "%s", strerror(errno));
		return -1;
	}
	if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size >= bytes)
		return 0;
	complain(name, 0, "the file has %lld bytes, and %" PRIu64 " are to be read",
		 (long long)status.st_size, bytes);
	return -1;
}

static bool writes_anything(const struct job_step *step)
{
	for (size_t i = 0; i < step->group_count; i++)
		if (step->groups[i].test->writes)
			return true;
	return false;
}

/* Of the first round: the later ones have the files that it leaves, or none. */
static int check_file(const struct command_line *line, const struct job_plan *plan, size_t i,
		      bool there, const char **last_folder)
{
	const struct job_step *first = &plan->steps[0];
	const struct iozone_test *test = first->groups[0].test;
	uint64_t bytes = first->size / first->record * first->record;
	bool needs = (!test->writes || test->id == TEST_REWRITE) &&
		     (line->shared || i < first->children);

	if (line->read_list)
		bytes = line->read_extent;
	if (needs)
		return check_present(plan->files[i], bytes, writes_anything(first));
	if (!there)
		return check_folder(line->arena, plan->files[i], last_folder);
	return check_present(plan->files[i], 0, writes_anything(first));
}

static int check_rounds(const struct command_line *line, const struct job_plan *plan)
{
	const struct job_step *last = &plan->steps[plan->step_count - 1];

	if (plan->steps[0].groups[0].test->writes || line->keep_files ||
	    (!last->round && line->throughput) || plan->step_count == 1)
		return 0;
	complain(NULL, 0,
		 "the files are removed after the first round, and the next one begins "
		 "with reading: -w leaves them");
	return -1;
}

int test_files_check(struct test_files *files, const struct command_line *line,
		     const struct job_plan *plan)
{
	const char *last_folder = NULL;

	*files = (struct test_files){ .plan = plan };
	files->were_there = arena_zeros(line->arena, plan->file_count, sizeof(bool));
	if (!files->were_there) {
		complain(NULL, 0, "out of memory");
		return -1;
	}
	for (size_t i = 0; i < plan->file_count; i++) {
		files->were_there[i] = !access(plan->files[i], F_OK);
		if (check_file(line, plan, i, files->were_there[i], &last_folder))
			return -1;
	}
	return check_rounds(line, plan);
}

void test_files_remove(const struct test_files *files, bool made_only)
{
	struct stat status;

	for (size_t i = 0; i < files->plan->file_count; i++) {
		const char *name = files->plan->files[i];

		if (made_only && files->were_there[i])
			continue;
		if (!stat(name, &status) && S_ISREG(status.st_mode) && unlink(name))
			complain(name, 0, "cannot be removed: %s", strerror(errno));
	}
}
