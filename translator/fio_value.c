// SPDX-License-Identifier: GPL-2.0-only
/* Single values as fio prints them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fio_value.h"

/* Every whole number up to here is a double of its own. */
#define EXACT_MAX 9007199254740992.0
#define REAL_LENGTH 64

/* A number as strtod() reads it, all of it; NAN otherwise. */
static double real(const char *text, size_t length)
{
	char copy[REAL_LENGTH];
	char *end;
	double value;

	if (!length || length >= sizeof(copy) || isspace((unsigned char)*text))
		return NAN;
	memcpy(copy, text, length);
	copy[length] = '\0';
	value = strtod(copy, &end);
	return end == copy + length ? value : NAN;
}

bool fio_number(const char *text, size_t length, uint64_t *number)
{
	uint64_t sum = 0;
	double value;
	size_t i;

	for (i = 0; i < length && isdigit((unsigned char)text[i]); i++) {
		unsigned int digit = text[i] - '0';

		if (sum > ((uint64_t)INT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	if (!i)
		return false;
	if (i < length) {
		value = real(text, length);
		if (!(value >= 0 && value <= EXACT_MAX) || value != floor(value))
			return false;
		sum = value;
	}
	*number = sum;
	return true;
}

double fio_percent(const char *text, size_t length)
{
	double value;

	if (length && text[length - 1] == '%')
		length--;
	value = real(text, length);
	return isfinite(value) ? value : 0;
}

/* The digits at *text, which then points behind them. */
static unsigned int digits(const char **text)
{
	unsigned int sum = 0;

	for (; isdigit((unsigned char)**text); ++*text)
		if (sum < 100000)
			sum = sum * 10 + (**text - '0');
	return sum;
}

void fio_version(struct fio_output *output, const char *text, size_t length)
{
	unsigned int *const parts[] = { &output->major, &output->minor, &output->patch };
	size_t part = 0;

	if (length >= sizeof(output->version))
		length = sizeof(output->version) - 1;
	memcpy(output->version, text, length);
	output->version[length] = '\0';
	output->major = output->minor = output->patch = 0;
	text = output->version;
	if (!strncmp(text, "fio-", 4))
		text += 4;
	while (part < 3 && isdigit((unsigned char)*text)) {
		*parts[part++] = digits(&text);
		if (*text != '.')
			break;
		text++;
	}
}
