// json.h: JSON text, read into a tree with line and column of each value, and written.
//
//   oz_json_doc doc;
//   result = oz_json_read(&doc, "dam.json", text, size, NULL, &error);
//   const oz_json *world = oz_json_get(doc.root, "world");
//   for (const oz_json *one = oz_json_first(world); one; one = oz_json_next(one))
//           … one->key, one->kind, one->number, one->at.line …
//   oz_json_free(&doc);
//
//   oz_json_writer w = oz_json_to_stream(stdout, OZ_JSON_LINE);
//   oz_json_begin_object(&w, NULL);
//   oz_json_put_number(&w, "spacing", 0.02);
//   oz_json_end(&w);
//   result = oz_json_finish(&w, &error); // {"spacing": 0.02}
//
// Reading is strict: what RFC 8259 allows, a byte order mark, and comments (// and /* */) wherever
// blanks may stand. Refused with a sentence are also: a key that stands twice in an object, text
// that is not UTF-8, half a surrogate pair, \u0000, numbers beyond the range of a double.
#ifndef OZ_JSON_H
#define OZ_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/base.h"

// ---- the tree ---------------------------------------------------------------------------------

typedef enum oz_json_kind {
	OZ_JSON_NULL,
	OZ_JSON_BOOL,
	OZ_JSON_NUMBER,
	OZ_JSON_TEXT,
	OZ_JSON_LIST,
	OZ_JSON_OBJECT,
} oz_json_kind;

// Both count from 1 on; a column is a character, not a byte.
typedef struct oz_json_place {
	uint32_t line, column;
} oz_json_place;

// A value. The nodes of a document stand in one array, in the order of the text.
typedef struct oz_json {
	oz_json_kind kind;
	uint32_t span;        // nodes from this one to the one after it: itself and all inside it
	uint32_t up;          // nodes back to the list or object around it; 0: the root
	uint32_t index;       // in that list or object
	uint32_t count;       // members of a list or object; bytes of a text
	oz_json_place at;     // of the value
	oz_json_place key_at; // of the key, or of the value where there is none
	const char *key;      // NULL in a list and at the root
	union {
		bool truth;
		double number;
		const char *text; // UTF-8; a zero byte follows, and none is inside
	};
} oz_json;

typedef struct oz_json_doc {
	char *name;    // of the file, for sentences
	oz_json *root; // the first node
	char *text;    // keys and texts point into it
} oz_json_doc;

// What a text may hold, and what sentences call it.
typedef struct oz_json_rules {
	const char *noun;   // "the scene"
	const char *remedy; // where it holds too many values: "split it"
	uint32_t depth;     // lists and objects inside each other, at most OZ_JSON_DEPTH
	uint32_t values;
	bool object;    // whether it must be an object
	oz_result code; // of errors
} oz_json_rules;

#define OZ_JSON_DEPTH 64

// Reads a text, which need not end with a zero byte. Rules NULL: any value, a million of them. On
// failure the document is empty. The caller frees it with oz_json_free.
oz_result oz_json_read(oz_json_doc *doc, const char *name, const char *text, size_t size,
                       const oz_json_rules *rules, oz_error *error);
void oz_json_free(oz_json_doc *doc);

// The value of a key; NULL if there is none, or the value is no object. NULL gives NULL.
const oz_json *oz_json_get(const oz_json *object, const char *key);
// The same, or the object itself if it has no such key.
const oz_json *oz_json_near(const oz_json *object, const char *key);
// The value at a place of a list or object; NULL beyond its end.
const oz_json *oz_json_item(const oz_json *list, uint32_t index);
// The first value of a list or object, and the next beside a value; NULL where there is none.
const oz_json *oz_json_first(const oz_json *list);
const oz_json *oz_json_next(const oz_json *value);
// The list or object around a value; NULL at the root.
const oz_json *oz_json_parent(const oz_json *value);
bool oz_json_is(const oz_json *value, oz_json_kind kind);
// Writes where a value is, as "bodies[0].size"; `root` for the root. Long keys are cut.
void oz_json_path(const oz_json *value, const char *root, char *text, size_t size);

// Bytes of the character at the beginning of a text, if it is UTF-8; 0 if it is not.
size_t oz_utf8_length(const char *text, size_t left);
bool oz_utf8_is_valid(const char *text);

// ---- writing ----------------------------------------------------------------------------------

typedef enum oz_json_layout {
	OZ_JSON_COMPACT, // without blanks, for programs
	OZ_JSON_LINE,    // one line, with blanks
	OZ_JSON_PRETTY,  // a line for each value, indented by tabs
} oz_json_layout;

// Text that is written into memory; the caller frees it with free(). A zero byte follows.
typedef struct oz_json_text {
	char *bytes;
	size_t length, capacity;
} oz_json_text;

// The state of a writer. The first failure is kept; oz_json_finish returns it.
typedef struct oz_json_writer {
	bool (*put)(void *to, const char *bytes, size_t size); // false: it failed
	void *to;
	oz_json_layout layout;
	uint32_t depth;              // lists and objects that are open
	uint32_t flat;               // depth from which on all stands in one line; 0: nowhere
	bool first;                  // nothing stands in the innermost yet
	char closing[OZ_JSON_DEPTH]; // their brackets
	oz_result result;
} oz_json_writer;

oz_json_writer oz_json_to_file(oz_file *file, oz_json_layout layout);
oz_json_writer oz_json_to_stream(FILE *stream, oz_json_layout layout);
oz_json_writer oz_json_to_text(oz_json_text *text, oz_json_layout layout);

// The key is NULL in a list and at the root. A row is a list, a record an object in one line.
void oz_json_begin_object(oz_json_writer *w, const char *key);
void oz_json_begin_record(oz_json_writer *w, const char *key);
void oz_json_begin_list(oz_json_writer *w, const char *key);
void oz_json_begin_row(oz_json_writer *w, const char *key);
void oz_json_end(oz_json_writer *w);

// Bytes that are not UTF-8 become U+FFFD.
void oz_json_put_text(oz_json_writer *w, const char *key, const char *text);
void oz_json_put_bool(oz_json_writer *w, const char *key, bool value);
void oz_json_put_count(oz_json_writer *w, const char *key, uint64_t value);
// The shortest number that reads back as the same double or float; null if it is not finite.
void oz_json_put_number(oz_json_writer *w, const char *key, double value);
void oz_json_put_float(oz_json_writer *w, const char *key, float value);
// A number that is measured: rounded to so many digits after the point.
void oz_json_put_rounded(oz_json_writer *w, const char *key, double value, int decimals);
void oz_json_put_null(oz_json_writer *w, const char *key);
// A row of floats.
void oz_json_put_floats(oz_json_writer *w, const char *key, const float *values, uint32_t count);

// Ends the text, with a line's end but in the compact layout. The sentence of a failed write to a
// file is that of oz_file_commit.
oz_result oz_json_finish(oz_json_writer *w, oz_error *error);

#endif
