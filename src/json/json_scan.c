// json_scan.c: the words of JSON: blanks, comments, text, numbers.
//
// Escapes are decoded where they stand, so that a text points into the scanned memory. Lines are
// counted as they pass; a column counts characters, so the bytes inside of UTF-8 are left out.
#include "json_scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

// ---- places and sentences ---------------------------------------------------------------------

oz_json_place oz_scan_here(const oz_json_scan *s)
{
	return (oz_json_place){s->line, (uint32_t)(s->at - s->line_at - s->hidden + 1)};
}

oz_result oz_scan_fail(const oz_json_scan *s, oz_json_place place, const char *format, ...)
{
	char sentence[700];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	return oz_fail(s->error, s->rules->code, "%s:%u:%u: %s", s->name, place.line, place.column,
	               sentence);
}

// fails with OZ_ERROR_MEMORY and the name of the text
oz_result oz_scan_fail_memory(const oz_json_scan *s)
{
	return oz_fail(s->error, OZ_ERROR_MEMORY,
	               "there is no memory left to read %s; close other programs", s->name);
}

// “ ” „ as word processors write them
static bool is_curly_quote(const oz_json_scan *s)
{
	return oz_scan_sees(s, "\xe2\x80\x9c") || oz_scan_sees(s, "\xe2\x80\x9d") ||
	       oz_scan_sees(s, "\xe2\x80\x9e");
}

oz_result oz_scan_fail_expected(const oz_json_scan *s, const char *expected)
{
	char found[48] = "the end of the text";
	const unsigned char c = s->at < s->size ? (unsigned char)s->text[s->at] : 0;
	if (c == '\n' || c == '\r')
		snprintf(found, sizeof found, "the end of the line");
	else if (c == ' ' || c == '\t')
		snprintf(found, sizeof found, "a blank");
	else if (s->at < s->size && c >= 0x20 && c < 0x7f)
		snprintf(found, sizeof found, "%c", c);
	else if (oz_utf8_length(s->text + s->at, s->size - s->at) > 1)
		snprintf(found, sizeof found, "%.*s%s",
		         (int)oz_utf8_length(s->text + s->at, s->size - s->at), s->text + s->at,
		         is_curly_quote(s) ? "; write straight quotes, \"" : "");
	else if (s->at < s->size)
		snprintf(found, sizeof found, "the byte 0x%02x", c);
	return oz_scan_fail(s, oz_scan_here(s), "expected %s but found %s", expected, found);
}

// ---- blanks and comments ----------------------------------------------------------------------

bool oz_scan_sees(const oz_json_scan *s, const char *word)
{
	const size_t length = strlen(word);
	return s->size - s->at >= length && memcmp(s->text + s->at, word, length) == 0;
}

static void skip(oz_json_scan *s, size_t count)
{
	for (const size_t end = s->at + count; s->at < end;) {
		const unsigned char c = (unsigned char)s->text[s->at++];
		s->hidden += (c & 0xc0) == 0x80;
		if (c == '\n') {
			s->line++;
			s->line_at = s->at;
			s->hidden = 0;
		}
	}
}

static oz_result skip_comment(oz_json_scan *s)
{
	const char *rest = s->text + s->at;
	const size_t left = s->size - s->at;
	if (rest[1] == '/') {
		const char *end = memchr(rest, '\n', left);
		skip(s, end ? (size_t)(end - rest) : left);
		return OZ_OK;
	}
	for (size_t i = 2; i + 1 < left; i++) {
		if (rest[i] == '*' && rest[i + 1] == '/') {
			skip(s, i + 2);
			return OZ_OK;
		}
	}
	return oz_scan_fail(s, oz_scan_here(s),
	                    "a comment begins with /* and never ends; close it with */");
}

oz_result oz_scan_blanks(oz_json_scan *s)
{
	for (;;) {
		const char c = oz_scan_next(s);
		if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			skip(s, 1);
		} else if (c == '/' && (oz_scan_sees(s, "//") || oz_scan_sees(s, "/*"))) {
			const oz_result result = skip_comment(s);
			if (result != OZ_OK)
				return result;
		} else {
			return OZ_OK;
		}
	}
}

// ---- text -------------------------------------------------------------------------------------

// the four digits after \u; -1 if they are not there
static int32_t read_hex(const oz_json_scan *s, size_t at)
{
	int32_t code = 0;
	for (size_t i = at; i < at + 4; i++) {
		const char c = i < s->size ? s->text[i] : 0;
		if (!isxdigit((unsigned char)c))
			return -1;
		code = 16 * code + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return code;
}

static size_t put_utf8(char *to, uint32_t code)
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	const size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
	for (size_t i = more; i > 0; i--, code >>= 6)
		to[i] = (char)(0x80 | (code & 0x3f));
	to[0] = (char)(marks[more] | code);
	return more + 1;
}

// \u00e9, or two of them for a character beyond U+FFFF
static oz_result read_code(oz_json_scan *s, char **to)
{
	int32_t code = read_hex(s, s->at + 2);
	size_t length = 6;
	if (code < 0)
		return oz_scan_fail(s, oz_scan_here(s), "\\u needs four hexadecimal digits");
	if (code == 0)
		return oz_scan_fail(s, oz_scan_here(s),
		                    "\\u0000 is not allowed in text; take it away");
	if (code >= 0xd800 && code < 0xe000) {
		const bool pair = s->size - s->at > 7 && memcmp(s->text + s->at + 6, "\\u", 2) == 0;
		const int32_t low = pair ? read_hex(s, s->at + 8) : -1;
		if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
			return oz_scan_fail(s, oz_scan_here(s),
			                    "\\u%04x is half of a surrogate pair; write both "
			                    "halves, or "
			                    "the character itself",
			                    (unsigned)code);
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		length = 12;
	}
	*to += put_utf8(*to, (uint32_t)code);
	s->at += length;
	return OZ_OK;
}

static oz_result read_escape(oz_json_scan *s, char **to)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char c = s->at + 1 < s->size ? s->text[s->at + 1] : 0;
	if (c == 'u')
		return read_code(s, to);
	const char *letter = c ? strchr(letters, c) : NULL;
	if (!letter)
		return oz_scan_fail(s, oz_scan_here(s),
		                    "a backslash in text must be followed by one of \" \\ / b f n "
		                    "r t "
		                    "u; write \\\\ for a backslash");
	*(*to)++ = meanings[letter - letters];
	s->at += 2;
	return OZ_OK;
}

// `to` is never ahead of s->at: what is decoded is not longer than how it was written
static oz_result read_character(oz_json_scan *s, char **to)
{
	if (oz_scan_next(s) == '\\')
		return read_escape(s, to);
	const size_t length = oz_utf8_length(s->text + s->at, s->size - s->at);
	if (length == 0)
		return oz_scan_fail(s, oz_scan_here(s),
		                    "the text is not UTF-8; save the file as UTF-8");
	if ((unsigned char)oz_scan_next(s) < 0x20)
		return oz_scan_fail_expected(s, "a printable character in text");
	memmove(*to, s->text + s->at, length);
	*to += length;
	s->at += length;
	s->hidden += length - 1;
	return OZ_OK;
}

oz_result oz_scan_text(oz_json_scan *s, const char **text, uint32_t *length)
{
	const oz_json_place begin = oz_scan_here(s);
	char *first = s->text + ++s->at, *to = first;
	while (s->at < s->size && oz_scan_next(s) != '\n' && oz_scan_next(s) != '\r') {
		if (oz_scan_next(s) == '"') {
			*to = 0;
			s->at++;
			*text = first;
			*length = (uint32_t)(to - first);
			return OZ_OK;
		}
		const oz_result result = read_character(s, &to);
		if (result != OZ_OK)
			return result;
	}
	return oz_scan_fail(s, begin,
	                    "text begins with \" and does not end in this line; close it");
}

// ---- numbers ----------------------------------------------------------------------------------

static size_t skip_digits(oz_json_scan *s)
{
	const size_t begin = s->at;
	while (oz_scan_next(s) >= '0' && oz_scan_next(s) <= '9')
		s->at++;
	return s->at - begin;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

// where the digits before the comma behind which the scan is, and their sign, begin
static size_t begin_before_comma(const oz_json_scan *s)
{
	size_t begin = s->at - 1;
	while (begin > 0 && is_digit(s->text[begin - 1]))
		begin--;
	return begin - (begin > 0 && s->text[begin - 1] == '-');
}

bool oz_scan_sees_decimal_comma(const oz_json_scan *s)
{
	if (s->at < 2 || !is_digit(oz_scan_next(s)) || s->text[s->at - 1] != ',' ||
	    !is_digit(s->text[s->at - 2]))
		return false;
	const size_t begin = begin_before_comma(s);
	const char before = begin > 0 ? s->text[begin - 1] : 0;
	return before != '.' && before != 'e' && before != 'E' && before != '+';
}

oz_result oz_scan_fail_decimal_comma(const oz_json_scan *s)
{
	const size_t begin = begin_before_comma(s);
	size_t end = s->at;
	while (end < s->size && is_digit(s->text[end]))
		end++;
	return oz_scan_fail(s, oz_scan_here(s),
	                    "a decimal number has a point, not a comma: write %.*s.%.*s",
	                    (int)(s->at - 1 - begin), s->text + begin, (int)(end - s->at),
	                    s->text + s->at);
}

oz_result oz_scan_number(oz_json_scan *s)
{
	s->at += oz_scan_next(s) == '-';
	const bool zero = oz_scan_next(s) == '0';
	const size_t whole = skip_digits(s);
	if (whole == 0)
		return oz_scan_fail_expected(s, "a digit");
	if (zero && whole > 1) {
		s->at -= whole;
		if (oz_scan_sees_decimal_comma(s))
			return oz_scan_fail_decimal_comma(s);
		return oz_scan_fail(s, oz_scan_here(s),
		                    "a number must not begin with 0; take it away");
	}
	if (oz_scan_next(s) == '.') {
		s->at++;
		if (skip_digits(s) == 0)
			return oz_scan_fail_expected(s, "a digit after the point");
	}
	if (oz_scan_next(s) == 'e' || oz_scan_next(s) == 'E') {
		s->at++;
		s->at += oz_scan_next(s) == '+' || oz_scan_next(s) == '-';
		if (skip_digits(s) == 0)
			return oz_scan_fail_expected(s, "a digit in the exponent");
	}
	return OZ_OK;
}
