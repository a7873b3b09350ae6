// SPDX-License-Identifier: GPL-2.0-only
/* Messages for people: one line each, on standard error. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "message.h"

/* Longer messages lose their end: file names and causes fit in. */
#define MESSAGE_MAX 8192

struct message {
	char text[MESSAGE_MAX];
	size_t length;
};

static void append(struct message *message, const char *format, va_list arguments)
{
	/* Room for the newline that ends the message. */
	size_t room = sizeof(message->text) - 1 - message->length;
	int wanted = vsnprintf(message->text + message->length, room, format, arguments);

	if (wanted > 0)
		message->length += (size_t)wanted < room ? (size_t)wanted : room - 1;
}

__attribute__((format(printf, 2, 3))) static void add(struct message *message, const char *format,
						      ...)
{
	va_list arguments;

	va_start(arguments, format);
	append(message, format, arguments);
	va_end(arguments);
}

/* What files say must not steer a terminal, nor pass for a second message. */
static void disarm(struct message *message)
{
	for (size_t i = 0; i < message->length; i++) {
		unsigned char c = message->text[i];

		if (c < 0x20 || c == 0x7f)
			message->text[i] = '?';
	}
}

void complain(const char *file, unsigned long long line, const char *format, ...)
{
	struct message message = { .length = 0 };
	va_list arguments;

	add(&message, "%s: ", program_invocation_short_name);
	if (file)
		add(&message, line ? "%s:%llu: " : "%s: ", file, line);
	va_start(arguments, format);
	append(&message, format, arguments);
	va_end(arguments);
	disarm(&message);
	message.text[message.length++] = '\n';
	fwrite(message.text, 1, message.length, stderr);
}
