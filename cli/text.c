// text.c: messages on stderr, suggestions for misspelt words, formatted numbers.
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

// ---- sentences --------------------------------------------------------------------------------

static void say(const char *prefix, const char *format, va_list arguments)
{
	// flush stdout first, so that both streams keep their order in one file
	fflush(stdout);
	fputs(prefix, stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

int oz_cli_fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say("ooze: ", format, arguments);
	va_end(arguments);
	return OZ_CLI_FAILED;
}

int oz_cli_wrong(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say("ooze: ", format, arguments);
	va_end(arguments);
	return OZ_CLI_WRONG_USE;
}

void oz_cli_warn(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say("ooze: warning: ", format, arguments);
	va_end(arguments);
}

void oz_cli_log(void *context, oz_log_level level, const char *text)
{
	const bool *verbose = context;
	if (level == OZ_LOG_WARNING)
		oz_cli_warn("%s", text);
	else if (level == OZ_LOG_PROGRESS && text[0])
		oz_cli_begin_work("%s", text);
	else if (level == OZ_LOG_PROGRESS)
		oz_cli_end_work();
	else if (verbose && *verbose)
		fprintf(stderr, "ooze: %s\n", text);
}

int oz_cli_finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	return oz_cli_fail(
	        "the output could not be written completely; free some space on the disk "
	        "and try again");
}

int oz_cli_columns(int descriptor)
{
	struct winsize size;
	if (!isatty(descriptor))
		return 0;
	if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

// Number of characters of UTF-8 text.
static int width_of(const char *text, size_t length)
{
	int width = 0;
	for (size_t i = 0; i < length; i++)
		width += ((unsigned char)text[i] & 0xC0) != 0x80;
	return width;
}

void oz_cli_wrap(const char *text, int column, int indent)
{
	int columns = oz_cli_columns(STDOUT_FILENO);
	int limit = columns ? (columns > 110 ? 110 : columns) : 100000;
	bool first = true;
	while (*text) {
		size_t length = strcspn(text, " \n");
		int width = width_of(text, length);
		if (!first && column + 1 + width > limit) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, text);
		column += width;
		first = false;
		text += length + strspn(text + length, " \n");
	}
	putchar('\n');
}

bool oz_cli_ends_with(const char *name, const char *ending)
{
	const size_t length = strlen(name), wanted = strlen(ending);
	return length > wanted && strcasecmp(name + length - wanted, ending) == 0;
}

// ---- nearest word -----------------------------------------------------------------------------

#define WORD 40

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

// Levenshtein distance of two words; WORD if one is too long.
static size_t edits(const char *a, const char *b)
{
	size_t row[WORD + 1], m = strlen(a), n = strlen(b);
	if (m > WORD || n > WORD)
		return WORD;
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; i <= m; i++) {
		size_t corner = row[0];
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t above = row[j];
			size_t swap = corner + (a[i - 1] != b[j - 1]);
			row[j] = least(swap, least(above, row[j - 1]) + 1);
			corner = above;
		}
	}
	return row[n];
}

const char *oz_cli_nearest(const char *word, const char *const *words, size_t count)
{
	const char *nearest = NULL;
	size_t best = WORD, length = strlen(word);
	for (size_t i = 0; i < count; i++) {
		size_t distance = edits(word, words[i]);
		// a prefix of a word counts as near
		if (length >= 2 && strncmp(word, words[i], length) == 0)
			distance = 1;
		if (distance < best && distance <= 1 + strlen(words[i]) / 3) {
			best = distance;
			nearest = words[i];
		}
	}
	return nearest;
}

// ---- numbers ----------------------------------------------------------------------------------

oz_cli_text oz_cli_count(uint64_t number)
{
	char plain[24];
	oz_cli_text text = {""};
	int length = snprintf(plain, sizeof plain, "%" PRIu64, number);
	char *out = text.s;
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = plain[i];
	}
	return text;
}

// Three digits with the largest SI prefix that leaves a value of at least 1.
static oz_cli_text with_prefix(double value, const char *unit)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
	size_t step = 0;
	for (; value >= 999.5 && step < 5; step++)
		value /= 1000;
	int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	oz_cli_text text;
	snprintf(text.s, sizeof text.s, "%.*f%s%s%s", step ? digits : 0, value,
	         step || unit[0] ? " " : "", prefixes[step], unit);
	return text;
}

oz_cli_text oz_cli_bytes(double bytes)
{
	return with_prefix(bytes, "B");
}

oz_cli_text oz_cli_rate(double per_second)
{
	return with_prefix(per_second, "");
}

oz_cli_text oz_cli_clock(double seconds)
{
	oz_cli_text text;
	if (!(seconds < 360000.0)) {
		snprintf(text.s, sizeof text.s, "%.0f days", seconds / 86400);
		return text;
	}
	int whole = (int)(seconds + 0.5);
	if (whole >= 3600)
		snprintf(text.s, sizeof text.s, "%d:%02d:%02d", whole / 3600, whole / 60 % 60,
		         whole % 60);
	else
		snprintf(text.s, sizeof text.s, "%d:%02d", whole / 60, whole % 60);
	return text;
}
