// json_scan.h: a JSON text as it is scanned, for json_read.c.
#ifndef OZ_JSON_SCAN_H
#define OZ_JSON_SCAN_H

#include "json.h"

typedef struct oz_json_scan {
	char *text; // decoded in place
	size_t size, at;
	uint32_t line;
	size_t line_at; // where the line begins
	size_t hidden;  // bytes of the line, up to here, that begin no character
	const oz_json_rules *rules;
	const char *name; // of the file
	oz_error *error;
} oz_json_scan;

// the byte that is next; 0 at the end, as for a zero byte
static inline char oz_scan_next(const oz_json_scan *s)
{
	return s->at < s->size ? s->text[s->at] : 0;
}

// Whether the text goes on with a word.
bool oz_scan_sees(const oz_json_scan *s, const char *word);
oz_json_place oz_scan_here(const oz_json_scan *s);

// Fill the error with "file:line:column: sentence".
oz_result oz_scan_fail(const oz_json_scan *s, oz_json_place place, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// The same, here, with what was found instead of what was expected.
oz_result oz_scan_fail_expected(const oz_json_scan *s, const char *expected);
oz_result oz_scan_fail_memory(const oz_json_scan *s);

// Whether the next byte is a digit behind a comma behind a digit, without blanks: 0,02.
bool oz_scan_sees_decimal_comma(const oz_json_scan *s);
// Fails for such a number, which belongs with a point.
oz_result oz_scan_fail_decimal_comma(const oz_json_scan *s);

// Go beyond blanks and comments, a text in quotes, or a number.
oz_result oz_scan_blanks(oz_json_scan *s);
oz_result oz_scan_text(oz_json_scan *s, const char **text, uint32_t *length);
oz_result oz_scan_number(oz_json_scan *s);

#endif
