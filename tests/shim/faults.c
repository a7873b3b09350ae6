// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes calls on chosen files fail on demand; loaded with LD_PRELOAD.
 *
 * The environment variable FAULTS holds rules, separated by white space:
 *
 *	CALL:PATTERN:OFFSET:ACTION
 *
 * CALL	open, close, read, write (pread and pwrite are taken for these), fsync
 * PATTERN	of the file's path, as in fnmatch(3)
 * OFFSET	empty: always; a number: calls that reach beyond this offset
 * ACTION	EIO, ENOSPC, … the call fails so, without being made
 *		short=N: it moves N bytes at most
 *		slow=MS: it takes MS milliseconds more
 *		kill=SIGNAL: the process gets the signal instead
 *
 * All rules that fit a call are followed in their order, until one makes it
 * fail.  A rule that cannot be read ends the program with status 99.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RULES_MAX 32
#define FILES_MAX 8192

enum call { CALL_OPEN, CALL_CLOSE, CALL_READ, CALL_WRITE, CALL_FSYNC };
enum action { ACTION_FAIL, ACTION_SHORT, ACTION_SLOW, ACTION_KILL };

struct rule {
	enum call call;
	char *pattern;
	bool anywhere;
	uint64_t offset;
	enum action action;
	unsigned long value; /* errno, bytes, ms, signal */
};

static struct rule rules[RULES_MAX];
static unsigned int rule_count;
/* Paths of open files that some rule is about, by descriptor. */
static char *paths[FILES_MAX];

struct word {
	const char *name;
	unsigned long value;
};

static const struct word call_words[] = {
	{ "open", CALL_OPEN },	 { "close", CALL_CLOSE }, { "read", CALL_READ },
	{ "write", CALL_WRITE }, { "fsync", CALL_FSYNC }, { NULL, 0 },
};

static const struct word error_words[] = {
	{ "EACCES", EACCES }, { "EDQUOT", EDQUOT }, { "EINTR", EINTR },	  { "EINVAL", EINVAL },
	{ "EIO", EIO },	      { "EMFILE", EMFILE }, { "ENOENT", ENOENT }, { "ENOSPC", ENOSPC },
	{ "EROFS", EROFS },   { "ESTALE", ESTALE }, { NULL, 0 },
};

static _Noreturn void bad_rule(const char *rule)
{
	fprintf(stderr, "faults: %s: not a rule\n", rule);
	_exit(99);
}

static unsigned long value_of(const struct word *words, const char *name, const char *rule)
{
	for (; words->name; words++)
		if (!strcmp(words->name, name))
			return words->value;
	bad_rule(rule);
}

static unsigned long number(const char *text, const char *rule)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end)
		bad_rule(rule);
	return value;
}

static void read_action(struct rule *rule, const char *action, const char *text)
{
	if (!strncmp(action, "short=", 6))
		rule->action = ACTION_SHORT;
	else if (!strncmp(action, "slow=", 5))
		rule->action = ACTION_SLOW;
	else if (!strncmp(action, "kill=", 5))
		rule->action = ACTION_KILL;
	rule->value = rule->action == ACTION_FAIL ? value_of(error_words, action, text) :
						    number(strchr(action, '=') + 1, text);
}

static void read_rule(const char *text)
{
	struct rule *rule = &rules[rule_count];
	char *copy = strdup(text), *rest = copy;
	char *call = strsep(&rest, ":"), *pattern = strsep(&rest, ":");
	char *offset = strsep(&rest, ":");

	if (!rest || rule_count == RULES_MAX)
		bad_rule(text);
	rule->call = (enum call)value_of(call_words, call, text);
	rule->pattern = strdup(pattern);
	rule->anywhere = !*offset;
	rule->offset = rule->anywhere ? 0 : number(offset, text);
	read_action(rule, rest, text);
	rule_count++;
	free(copy);
}

static __attribute__((constructor)) void read_rules(void)
{
	const char *given = getenv("FAULTS");
	char *copy = given ? strdup(given) : NULL, *save, *word;

	for (word = copy ? strtok_r(copy, " \t\n", &save) : NULL; word;
	     word = strtok_r(NULL, " \t\n", &save))
		read_rule(word);
	free(copy);
}

static bool fits(const struct rule *rule, enum call call, const char *path, uint64_t end)
{
	return rule->call == call && !fnmatch(rule->pattern, path, 0) &&
	       (rule->anywhere || end > rule->offset);
}

static void pause_ms(unsigned long ms)
{
	struct timespec left = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* Returns -1 with errno set when the call shall fail; may make *bytes fewer. */
static int follow_rules(enum call call, const char *path, uint64_t offset, size_t *bytes)
{
	uint64_t end = offset + (bytes ? *bytes : 0);

	for (unsigned int i = 0; path && i < rule_count; i++) {
		const struct rule *rule = &rules[i];

		if (!fits(rule, call, path, end))
			continue;
		switch (rule->action) {
		case ACTION_FAIL:
			errno = (int)rule->value;
			return -1;
		case ACTION_SHORT:
			if (bytes && *bytes > rule->value)
				*bytes = rule->value;
			break;
		case ACTION_SLOW:
			pause_ms(rule->value);
			break;
		case ACTION_KILL:
			kill(getpid(), (int)rule->value);
			pause_ms(1000);
			break;
		}
	}
	return 0;
}

static void *real(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		_exit(99);
	return found;
}

#define REAL(name) ((__typeof__(name) *)real(#name))

static const char *path_of(int fd)
{
	return fd >= 0 && fd < FILES_MAX ? paths[fd] : NULL;
}

static void remember(int fd, const char *path)
{
	if (fd < 0 || fd >= FILES_MAX)
		return;
	for (unsigned int i = 0; i < rule_count; i++)
		if (!fnmatch(rules[i].pattern, path, 0)) {
			free(paths[fd]);
			paths[fd] = strdup(path);
			return;
		}
}

static int open_file(const char *path, int flags, mode_t mode)
{
	int fd;

	if (follow_rules(CALL_OPEN, path, 0, NULL))
		return -1;
	fd = REAL(open64)(path, flags, mode);
	remember(fd, path);
	return fd;
}

static mode_t mode_of(int flags, va_list arguments)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		va_list arguments; \
		mode_t mode; \
\
		va_start(arguments, flags); \
		mode = mode_of(flags, arguments); \
		va_end(arguments); \
		return open_file(path, flags, mode); \
	}

OPEN(open)
OPEN(open64)

/* What a compiler that fortifies calls instead. */
int __open_2(const char *path, int flags)
{
	return open_file(path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
	return open_file(path, flags, 0);
}

int creat(const char *path, mode_t mode)
{
	return open_file(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode)
{
	return open_file(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int close(int fd)
{
	char *path = (char *)path_of(fd);
	int failed = follow_rules(CALL_CLOSE, path, 0, NULL);
	int error = errno;

	if (path) {
		paths[fd] = NULL;
		free(path);
	}
	if (!failed)
		return REAL(close)(fd);
	REAL(close)(fd);
	errno = error;
	return -1;
}

int fsync(int fd)
{
	return follow_rules(CALL_FSYNC, path_of(fd), 0, NULL) ? -1 : REAL(fsync)(fd);
}

static uint64_t here(int fd)
{
	off_t offset = path_of(fd) ? lseek(fd, 0, SEEK_CUR) : 0;

	return offset > 0 ? (uint64_t)offset : 0;
}

ssize_t read(int fd, void *to, size_t bytes)
{
	return follow_rules(CALL_READ, path_of(fd), here(fd), &bytes) ? -1 :
									REAL(read)(fd, to, bytes);
}

ssize_t write(int fd, const void *from, size_t bytes)
{
	return follow_rules(CALL_WRITE, path_of(fd), here(fd), &bytes) ?
		       -1 :
		       REAL(write)(fd, from, bytes);
}

ssize_t pread64(int fd, void *to, size_t bytes, off64_t offset)
{
	return follow_rules(CALL_READ, path_of(fd), (uint64_t)offset, &bytes) ?
		       -1 :
		       REAL(pread64)(fd, to, bytes, offset);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t offset)
{
	return follow_rules(CALL_WRITE, path_of(fd), (uint64_t)offset, &bytes) ?
		       -1 :
		       REAL(pwrite64)(fd, from, bytes, offset);
}

ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
	return pread64(fd, to, bytes, offset);
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
	return pwrite64(fd, from, bytes, offset);
}

ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
	(void)room;
	return read(fd, to, bytes);
}

ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room)
{
	(void)room;
	return pread64(fd, to, bytes, offset);
}

ssize_t __pread64_chk(int fd, void *to, size_t bytes, off64_t offset, size_t room)
{
	(void)room;
	return pread64(fd, to, bytes, offset);
}
