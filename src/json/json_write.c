// json_write.c: the one writer of JSON.
//
// Values go straight to a file, a stream or a growing text; what is kept is the brackets that are
// open. Between two values stands a comma, and after it a blank or, in the pretty layout, a new
// line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "number.h"

// ---- sinks ------------------------------------------------------------------------------------

static bool put_to_file(void *to, const char *bytes, size_t size)
{
	oz_file *file = to;
	oz_file_put(file, bytes, size);
	return true; // the file keeps its failure for the commit
}

static bool put_to_stream(void *to, const char *bytes, size_t size)
{
	return fwrite(bytes, 1, size, to) == size;
}

static bool put_to_text(void *to, const char *bytes, size_t size)
{
	oz_json_text *text = to;
	if (text->length + size + 1 > text->capacity) {
		const size_t capacity = 2 * (text->length + size) + 256;
		char *grown = realloc(text->bytes, capacity);
		if (!grown)
			return false;
		text->bytes = grown;
		text->capacity = capacity;
	}
	memcpy(text->bytes + text->length, bytes, size);
	text->length += size;
	text->bytes[text->length] = 0;
	return true;
}

oz_json_writer oz_json_to_file(oz_file *file, oz_json_layout layout)
{
	return (oz_json_writer){.put = put_to_file, .to = file, .layout = layout, .first = true};
}

oz_json_writer oz_json_to_stream(FILE *stream, oz_json_layout layout)
{
	return (oz_json_writer){.put = put_to_stream,
	                        .to = stream,
	                        .layout = layout,
	                        .first = true};
}

oz_json_writer oz_json_to_text(oz_json_text *text, oz_json_layout layout)
{
	*text = (oz_json_text){0};
	return (oz_json_writer){.put = put_to_text, .to = text, .layout = layout, .first = true};
}

static void put_bytes(oz_json_writer *w, const char *bytes, size_t size)
{
	if (w->result == OZ_OK && !w->put(w->to, bytes, size))
		w->result = w->put == put_to_text ? OZ_ERROR_MEMORY : OZ_ERROR_FILE;
}

static void put_word(oz_json_writer *w, const char *word)
{
	put_bytes(w, word, strlen(word));
}

// ---- layout -----------------------------------------------------------------------------------

static bool is_flat(const oz_json_writer *w)
{
	return w->layout != OZ_JSON_PRETTY || (w->flat && w->depth >= w->flat);
}

static void put_line(oz_json_writer *w)
{
	put_word(w, "\n");
	for (uint32_t i = 0; i < w->depth; i++)
		put_word(w, "\t");
}

// writes one byte that may not stand in a string as it is: `"`, `\`, a control character, or a byte
// that is not UTF-8, which becomes U+FFFD
static void put_escape(oz_json_writer *w, char byte)
{
	static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const unsigned char c = (unsigned char)byte;
	const char *letter = strchr(letters, byte);
	char escape[8];
	if (letter)
		snprintf(escape, sizeof escape, "\\%c", names[letter - letters]);
	else if (c < 0x20)
		snprintf(escape, sizeof escape, "\\u%04x", c);
	else
		snprintf(escape, sizeof escape, "\xef\xbf\xbd");
	put_word(w, escape);
}

static void put_quoted(oz_json_writer *w, const char *text)
{
	size_t left = strlen(text), plain = 0;
	put_word(w, "\"");
	while (plain < left) {
		const size_t length = oz_utf8_length(text + plain, left - plain);
		const unsigned char c = (unsigned char)text[plain];
		if (length > 0 && c >= 0x20 && c != '"' && c != '\\') {
			plain += length;
			continue;
		}
		put_bytes(w, text, plain);
		put_escape(w, text[plain]);
		text += plain + 1;
		left -= plain + 1;
		plain = 0;
	}
	put_bytes(w, text, plain);
	put_word(w, "\"");
}

// writes what is before a value: comma, line break and key (NULL in lists)
static void put_key(oz_json_writer *w, const char *key)
{
	if (!w->first)
		put_word(w, is_flat(w) && w->layout != OZ_JSON_COMPACT ? ", " : ",");
	if (!is_flat(w) && w->depth)
		put_line(w);
	w->first = false;
	if (!key)
		return;
	put_quoted(w, key);
	put_word(w, w->layout == OZ_JSON_COMPACT ? ":" : ": ");
}

static void begin(oz_json_writer *w, const char *key, const char *brackets, bool flat)
{
	put_key(w, key);
	if (w->depth == OZ_JSON_DEPTH) {
		w->result = w->result == OZ_OK ? OZ_ERROR_RANGE : w->result;
		return;
	}
	put_bytes(w, brackets, 1);
	w->closing[w->depth++] = brackets[1];
	if (flat && !w->flat)
		w->flat = w->depth;
	w->first = true;
}

void oz_json_begin_object(oz_json_writer *w, const char *key)
{
	begin(w, key, "{}", false);
}

void oz_json_begin_record(oz_json_writer *w, const char *key)
{
	begin(w, key, "{}", true);
}

void oz_json_begin_list(oz_json_writer *w, const char *key)
{
	begin(w, key, "[]", false);
}

void oz_json_begin_row(oz_json_writer *w, const char *key)
{
	begin(w, key, "[]", true);
}

void oz_json_end(oz_json_writer *w)
{
	if (w->depth == 0) {
		w->result = w->result == OZ_OK ? OZ_ERROR_ARGUMENT : w->result;
		return;
	}
	const bool flat = is_flat(w);
	if (w->flat == w->depth)
		w->flat = 0;
	w->depth--;
	if (!flat && !w->first)
		put_line(w);
	put_bytes(w, &w->closing[w->depth], 1);
	w->first = false;
}

// ---- values -----------------------------------------------------------------------------------

void oz_json_put_text(oz_json_writer *w, const char *key, const char *text)
{
	put_key(w, key);
	put_quoted(w, text);
}

void oz_json_put_bool(oz_json_writer *w, const char *key, bool value)
{
	put_key(w, key);
	put_word(w, value ? "true" : "false");
}

void oz_json_put_null(oz_json_writer *w, const char *key)
{
	put_key(w, key);
	put_word(w, "null");
}

void oz_json_put_count(oz_json_writer *w, const char *key, uint64_t value)
{
	char text[OZ_NUMBER_SIZE];
	put_key(w, key);
	put_bytes(w, text, oz_number_uint(text, value));
}

// Writes null for infinity and NaN, 0 for zero, and -0.0 for negative zero, since many readers drop
// the sign of -0. false: another value; nothing was written.
static bool put_special(oz_json_writer *w, double value)
{
	if (!isfinite(value))
		put_word(w, "null");
	else if (fpclassify(value) == FP_ZERO)
		put_word(w, signbit(value) ? "-0.0" : "0");
	else
		return false;
	return true;
}

void oz_json_put_number(oz_json_writer *w, const char *key, double value)
{
	char text[OZ_NUMBER_SIZE];
	put_key(w, key);
	if (!put_special(w, value))
		put_bytes(w, text, oz_number_double(text, value));
}

void oz_json_put_float(oz_json_writer *w, const char *key, float value)
{
	char text[OZ_NUMBER_SIZE];
	put_key(w, key);
	if (!put_special(w, (double)value))
		put_bytes(w, text, oz_number_float(text, value));
}

void oz_json_put_rounded(oz_json_writer *w, const char *key, double value, int decimals)
{
	const double scale = pow(10, decimals), rounded = round(value * scale) / scale;
	oz_json_put_number(w, key, isfinite(rounded) ? rounded : value);
}

void oz_json_put_floats(oz_json_writer *w, const char *key, const float *values, uint32_t count)
{
	oz_json_begin_row(w, key);
	for (uint32_t i = 0; i < count; i++)
		oz_json_put_float(w, NULL, values[i]);
	oz_json_end(w);
}

// ---- the end ----------------------------------------------------------------------------------

oz_result oz_json_finish(oz_json_writer *w, oz_error *error)
{
	if (w->layout != OZ_JSON_COMPACT)
		put_word(w, "\n");
	if (w->result == OZ_OK && w->depth > 0)
		w->result = OZ_ERROR_ARGUMENT;
	switch (w->result) {
	case OZ_OK: return OZ_OK;
	case OZ_ERROR_MEMORY:
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "there is no memory left to write JSON; close other programs");
	case OZ_ERROR_FILE:
		return oz_fail(error, OZ_ERROR_FILE,
		               "what was printed could not all be written; free some space on "
		               "the disk and try again");
	case OZ_ERROR_RANGE:
		return oz_fail(error, OZ_ERROR_RANGE,
		               "lists and objects that are written must be nested at most %d deep",
		               OZ_JSON_DEPTH);
	default:
		return oz_fail(error, w->result,
		               "each list and object that is begun needs one oz_json_end");
	}
}
