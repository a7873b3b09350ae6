// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of mounts and the remount, on real mounts in a namespace of their
 * own, and on lines of the table that no machine has at hand.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Their parsers are nobody else's business. */
#include "place.c"
#include "remount.c"

struct ground {
	char folder[64];
	bool mounts; /* may we mount? */
};

static int set_up(void **state)
{
	struct ground *ground = calloc(1, sizeof(*ground));

	if (!ground)
		return -1;
	strcpy(ground->folder, "/tmp/place-test-XXXXXX");
	if (!mkdtemp(ground->folder))
		return -1;
	ground->mounts = !unshare(CLONE_NEWNS) && !mount("", "/", "", MS_REC | MS_PRIVATE, NULL);
	*state = ground;
	return 0;
}

static int tear_down(void **state)
{
	struct ground *ground = *state;

	while (!umount2(ground->folder, MNT_DETACH))
		;
	if (rmdir(ground->folder))
		return -1;
	free(ground);
	return 0;
}

static void mount_tmpfs(const struct ground *ground, const char *directory, unsigned long flags,
			const char *data)
{
	if (!ground->mounts)
		skip();
	assert_int_equal(mount("some source", directory, "tmpfs", flags, data), 0);
}

static void touch(const char *folder, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static bool is_there(const char *folder, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return !access(path, F_OK);
}

/* ---- lines of the table --------------------------------------------------------------- */

static int parse(const char *line, struct place *place)
{
	char *copy = strdup(line);
	int failed;

	assert_non_null(copy);
	memset(place, 0, sizeof(*place));
	failed = parse_line(copy, place);
	free(copy);
	return failed;
}

static void a_line_of_nfs(void **state)
{
	struct place *place = malloc(sizeof(*place));

	(void)state;
	assert_non_null(place);
	assert_int_equal(
		parse("36 35 0:98 /sub /mnt/a\\040b\\134c rw,noatime shared:1 master:2 - nfs4 "
		      "server:/export\\011x rw,vers=4.2,addr=10.0.0.1\n",
		      place),
		0);
	assert_string_equal(place->mount, "/mnt/a b\\c");
	assert_string_equal(place->root, "/sub");
	assert_string_equal(place->type, "nfs4");
	assert_string_equal(place->source, "server:/export\tx");
	assert_string_equal(place->mount_options, "rw,noatime");
	assert_string_equal(place->options, "rw,vers=4.2,addr=10.0.0.1");
	assert_int_equal(place->major, 0);
	assert_int_equal(place->minor, 98);
	free(place);
}

static void a_line_without_optional_fields(void **state)
{
	struct place *place = malloc(sizeof(*place));

	(void)state;
	assert_non_null(place);
	assert_int_equal(parse("1 1 8:1 / / rw - ext4 /dev/sda1 rw\n", place), 0);
	assert_string_equal(place->mount, "/");
	assert_string_equal(place->source, "/dev/sda1");
	assert_int_equal(place->major, 8);
	free(place);
}

static void lines_that_are_none(void **state)
{
	static const char *const lines[] = {
		"",
		"\n",
		"36 35 0:98 / /mnt rw",
		"36 35 0:98 / - tmpfs x rw",
		"36 35 nonsense / /mnt rw - tmpfs x rw",
		"36 35 0:98 / /mnt rw - tmpfs",
		" - ",
	};
	struct place *place = malloc(sizeof(*place));

	(void)state;
	assert_non_null(place);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(parse(lines[i], place), -1);
	free(place);
}

/* A backslash that begins no escape, and names longer than there is room for. */
static void odd_escapes(void **state)
{
	char text[8];

	(void)state;
	unescape(text, sizeof(text), "a\\04");
	assert_string_equal(text, "a\\04");
	unescape(text, sizeof(text), "\\040\\040");
	assert_string_equal(text, "  ");
	unescape(text, sizeof(text), "0123456789");
	assert_string_equal(text, "0123456");
}

/* ---- where a file is --------------------------------------------------------------------- */

static void a_mount_with_an_odd_name(void **state)
{
	static const char name[] = "a b\tc\nd\\e,f\"g";
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place));
	char folder[200], path[300];

	assert_non_null(place);
	snprintf(folder, sizeof(folder), "%s/%s", ground->folder, name);
	mount_tmpfs(ground, ground->folder, 0, NULL);
	assert_int_equal(mkdir(folder, 0755), 0);
	mount_tmpfs(ground, folder, MS_NOEXEC, "size=64k");
	snprintf(path, sizeof(path), "%s/file", folder);
	assert_int_equal(place_of(path, place), 0);
	assert_string_equal(place->mount, folder);
	assert_string_equal(place->type, "tmpfs");
	assert_string_equal(place->source, "some source");
	assert_non_null(strstr(place->mount_options, "noexec"));
	assert_non_null(strstr(place->options, "size=64k"));
	assert_int_equal(umount(folder), 0);
	free(place);
}

static void the_uppermost_of_two_mounts(void **state)
{
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place));

	assert_non_null(place);
	mount_tmpfs(ground, ground->folder, 0, "size=64k");
	mount_tmpfs(ground, ground->folder, 0, "size=128k");
	assert_int_equal(place_mounted_on(ground->folder, place), 0);
	assert_non_null(strstr(place->options, "size=128k"));
	free(place);
}

static void a_mount_is_not_its_name_prolonged(void **state)
{
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place));
	char folder[100], neighbour[100];

	assert_non_null(place);
	snprintf(folder, sizeof(folder), "%s/data", ground->folder);
	snprintf(neighbour, sizeof(neighbour), "%s/data2", ground->folder);
	mount_tmpfs(ground, ground->folder, 0, NULL);
	mkdir(folder, 0755);
	mkdir(neighbour, 0755);
	mount_tmpfs(ground, folder, 0, NULL);
	assert_int_equal(place_of(neighbour, place), 0);
	assert_string_equal(place->mount, ground->folder);
	assert_int_equal(umount(folder), 0);
	free(place);
}

static void symbolic_links_are_followed(void **state)
{
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place));
	char folder[100], link[100], path[120];

	assert_non_null(place);
	snprintf(folder, sizeof(folder), "%s/data", ground->folder);
	snprintf(link, sizeof(link), "%s/link", ground->folder);
	snprintf(path, sizeof(path), "%s/not there yet", link);
	mount_tmpfs(ground, ground->folder, 0, NULL);
	mkdir(folder, 0755);
	mount_tmpfs(ground, folder, 0, NULL);
	assert_int_equal(symlink(folder, link), 0);
	assert_int_equal(place_of(path, place), 0);
	assert_string_equal(place->mount, folder);
	assert_int_equal(umount(folder), 0);
	free(place);
}

static void a_path_that_is_nowhere(void **state)
{
	struct place *place = malloc(sizeof(*place));
	char *path = calloc(1, 2 * PATH_MAX);

	(void)state;
	assert_non_null(place);
	assert_non_null(path);
	assert_int_equal(place_of("/no/such/folder/file", place), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(place->type, "");
	memset(path, 'x', 2 * PATH_MAX - 1);
	assert_int_equal(place_of(path, place), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	free(path);
	free(place);
}

static void no_mount_point(void **state)
{
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place));

	assert_non_null(place);
	assert_int_equal(place_mounted_on(ground->folder, place), -1);
	assert_int_equal(errno, ENOENT);
	free(place);
}

static void main_memory_is_known(void **state)
{
	(void)state;
	assert_true(main_memory() > 16 << 20);
}

/* ---- options of a mount -------------------------------------------------------------------- */

static void flags_and_data(void **state)
{
	char *data;

	(void)state;
	assert_int_equal(flags_of("rw,nosuid,noatime,vers=3,hard"), MS_NOSUID | MS_NOATIME);
	assert_int_equal(flags_of("ro"), MS_RDONLY);
	assert_int_equal(flags_of(""), 0);
	data = data_of("rw,noatime,vers=3,rsize=1048576,mountport=20048,seclabel,addr=10.0.0.1");
	assert_string_equal(data, "vers=3,rsize=1048576,addr=10.0.0.1");
	free(data);
	data = data_of("rw");
	assert_string_equal(data, "");
	free(data);
}

/* ---- unmount and mount again ------------------------------------------------------------------ */

static void a_remount_empties_a_tmpfs(void **state)
{
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place)), *again = malloc(sizeof(*again));
	char why[300] = "";

	assert_non_null(place);
	assert_non_null(again);
	mount_tmpfs(ground, ground->folder, MS_NOEXEC | MS_NOATIME, "size=64k,mode=700");
	touch(ground->folder, "file");
	assert_int_equal(remount_possible(ground->folder, place, why, sizeof(why)), 0);
	assert_true(is_there(ground->folder, "file"));
	assert_int_equal(remount(place, why, sizeof(why)), 0);
	assert_string_equal(why, "");
	assert_false(is_there(ground->folder, "file"));
	assert_int_equal(place_mounted_on(ground->folder, again), 0);
	assert_string_equal(again->mount_options, place->mount_options);
	assert_string_equal(again->options, place->options);
	assert_string_equal(again->source, place->source);
	free(again);
	free(place);
}

static void assert_impossible(const char *folder, const char *reason)
{
	struct place *place = malloc(sizeof(*place));
	char why[300] = "";

	assert_non_null(place);
	assert_int_equal(remount_possible(folder, place, why, sizeof(why)), -1);
	if (!strstr(why, reason))
		print_error("%s\n", why);
	assert_non_null(strstr(why, reason));
	free(place);
}

static void no_remount_of_what_is_no_mount(void **state)
{
	struct ground *ground = *state;

	assert_impossible(ground->folder, "it is not a mount point");
	assert_impossible("/no/such/folder", "it is not a mount point");
}

static void no_remount_in_use(void **state)
{
	struct ground *ground = *state;
	char path[100];
	int fd;

	mount_tmpfs(ground, ground->folder, 0, NULL);
	snprintf(path, sizeof(path), "%s/file", ground->folder);
	fd = open(path, O_CREAT | O_RDWR, 0600);
	assert_true(fd >= 0);
	assert_impossible(ground->folder, "it is in use");
	close(fd);
	assert_true(is_there(ground->folder, "file"));
}

static void no_remount_of_a_bind_mount(void **state)
{
	struct ground *ground = *state;
	char inner[100];

	mount_tmpfs(ground, ground->folder, 0, NULL);
	snprintf(inner, sizeof(inner), "%s/inner", ground->folder);
	mkdir(inner, 0755);
	assert_int_equal(mount(inner, inner, "none", MS_BIND, NULL), 0);
	assert_impossible(inner, "it is a bind mount");
	assert_impossible(ground->folder, "mounted elsewhere too");
	assert_int_equal(umount(inner), 0);
}

/* It must not fail half way: then the user's file system would be gone. */
static void no_remount_without_root(void **state)
{
	struct ground *ground = *state;
	int status;

	mount_tmpfs(ground, ground->folder, 0, "mode=777");
	if (!fork()) {
		struct place *place = malloc(sizeof(*place));
		char why[300] = "";

		if (!place || setuid(65534))
			_exit(2);
		_exit(remount_possible(ground->folder, place, why, sizeof(why)) == -1 &&
				      strstr(why, "it takes root") ?
			      0 :
			      1);
	}
	wait(&status);
	assert_int_equal(status, 0);
}

static void a_mount_that_fails_is_told(void **state)
{
	struct ground *ground = *state;
	struct place *place = malloc(sizeof(*place));
	char why[300] = "";

	assert_non_null(place);
	mount_tmpfs(ground, ground->folder, 0, NULL);
	assert_int_equal(remount_possible(ground->folder, place, why, sizeof(why)), 0);
	strcpy(place->options, "rw,no_such_option=1");
	assert_int_equal(remount(place, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "which is unmounted now: Invalid argument"));
	free(place);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_line_of_nfs),
		TEST(a_line_without_optional_fields),
		TEST(lines_that_are_none),
		TEST(odd_escapes),
		TEST(a_mount_with_an_odd_name),
		TEST(the_uppermost_of_two_mounts),
		TEST(a_mount_is_not_its_name_prolonged),
		TEST(symbolic_links_are_followed),
		TEST(a_path_that_is_nowhere),
		TEST(no_mount_point),
		TEST(main_memory_is_known),
		TEST(flags_and_data),
		TEST(a_remount_empties_a_tmpfs),
		TEST(no_remount_of_what_is_no_mount),
		TEST(no_remount_in_use),
		TEST(no_remount_of_a_bind_mount),
		TEST(no_remount_without_root),
		TEST(a_mount_that_fails_is_told),
	};
#undef TEST

	return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
