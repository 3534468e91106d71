// scene_locate.c: the text of a scene, walked by the grammar of JSON with comments.
//
// The JSON library keeps no lines and forgives much (single quotes, keys given twice, NaN). So the
// text is walked here first, strictly: one walk checks it, blanks its comments and finds keys that
// stand twice; the same walk, later and only for a sentence, finds the line of a path.
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "scene_data.h"

typedef struct key_place {
	const char *key;
	size_t length;
	uint32_t line;
} key_place;

typedef struct walker {
	char *text;
	size_t size, at;
	uint32_t line;
	uint32_t values; // so far, weighed
	scene_path path; // where the walk stands
	const char *file;
	oz_error *error;
	// checking: the keys of all objects that are open, one after the other
	bool checking;
	key_place *keys;
	size_t key_count, key_capacity;
	// locating
	const scene_path *target;
	uint32_t matched; // steps of the target that the walk has met at most
	uint32_t found;   // line of the last of them
} walker;

// ---- paths ------------------------------------------------------------------------------------

static void push(scene_path *path, path_step step)
{
	if (path->count < sizeof path->steps / sizeof path->steps[0])
		path->steps[path->count++] = step;
}

void oz_path_key(scene_path *path, const char *key)
{
	push(path, (path_step){key, strlen(key), 0});
}

void oz_path_index(scene_path *path, uint32_t index)
{
	push(path, (path_step){NULL, 0, index});
}

void oz_path_text(const scene_path *path, char *text, size_t size)
{
	size_t used = 0;
	snprintf(text, size, "the scene");
	for (uint32_t i = 0; i < path->count && used < size; i++) {
		const path_step *step = &path->steps[i];
		// a key that is none may be as long as a file: its beginning tells enough
		int length = step->length < 60 ? (int)step->length : 60;
		int more = step->key ? snprintf(text + used, size - used, "%s%.*s", i ? "." : "",
		                                length, step->key)
		                     : snprintf(text + used, size - used, "[%u]", step->index);
		used += more > 0 ? (size_t)more : 0;
	}
}

// ---- sentences --------------------------------------------------------------------------------

static oz_result fail_at(walker *w, uint32_t line, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

static oz_result fail_at(walker *w, uint32_t line, const char *format, ...)
{
	char sentence[700];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	return oz_fail(w->error, OZ_ERROR_SCENE, "%s:%u: %s", w->file, line, sentence);
}

static oz_result fail_expected(walker *w, const char *expected)
{
	char found[32] = "the end of the text";
	unsigned char c = w->at < w->size ? (unsigned char)w->text[w->at] : 0;
	if (c == '\n' || c == '\r')
		snprintf(found, sizeof found, "the end of the line");
	else if (w->at < w->size && isprint(c) && c < 128)
		snprintf(found, sizeof found, "%c", c);
	else if (w->at < w->size)
		snprintf(found, sizeof found, "the byte 0x%02x", c);
	return fail_at(w, w->line, "expected %s but found %s", expected, found);
}

// ---- blanks and comments ----------------------------------------------------------------------

static bool looking_at(const walker *w, const char *word)
{
	size_t length = strlen(word);
	return w->size - w->at >= length && memcmp(w->text + w->at, word, length) == 0;
}

// blanked, so that the JSON library sees no comment; lines stay as they are
static void blank(walker *w, size_t count)
{
	for (size_t i = 0; i < count; i++, w->at++) {
		if (w->text[w->at] == '\n')
			w->line++;
		else if (w->checking)
			w->text[w->at] = ' ';
	}
}

static oz_result skip_comment(walker *w)
{
	const char *rest = w->text + w->at;
	size_t left = w->size - w->at;
	if (rest[1] == '/') {
		const char *end = memchr(rest, '\n', left);
		blank(w, end ? (size_t)(end - rest) : left);
		return OZ_OK;
	}
	for (size_t i = 2; i + 1 < left; i++) {
		if (rest[i] == '*' && rest[i + 1] == '/') {
			blank(w, i + 2);
			return OZ_OK;
		}
	}
	return fail_at(w, w->line, "a comment begins with /* and never ends; close it with */");
}

static oz_result skip_blanks(walker *w)
{
	while (w->at < w->size) {
		char c = w->text[w->at];
		if (looking_at(w, "//") || looking_at(w, "/*")) {
			oz_result result = skip_comment(w);
			if (result != OZ_OK)
				return result;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			w->line += c == '\n';
			w->at++;
		} else {
			break;
		}
	}
	return OZ_OK;
}

// ---- scalars ----------------------------------------------------------------------------------

static oz_result walk_escape(walker *w)
{
	char c = w->at + 1 < w->size ? w->text[w->at + 1] : 0;
	if (c == 'u') {
		for (size_t i = 2; i < 6; i++)
			if (w->at + i >= w->size || !isxdigit((unsigned char)w->text[w->at + i]))
				return fail_at(w, w->line, "\\u needs four hexadecimal digits");
		w->at += 6;
		return OZ_OK;
	}
	if (c == 0 || !strchr("\"\\/bfnrt", c))
		return fail_at(w, w->line,
		               "a backslash in text must be followed by one of \" \\ / b f n r t "
		               "u; write \\\\ for a backslash");
	w->at += 2;
	return OZ_OK;
}

static oz_result walk_string(walker *w)
{
	w->at++;
	while (w->at < w->size) {
		unsigned char c = (unsigned char)w->text[w->at];
		if (c == '"') {
			w->at++;
			return OZ_OK;
		}
		if (c == '\n' || c == '\r')
			break;
		if (c < 0x20)
			return fail_expected(w, "a printable character in text");
		oz_result result = OZ_OK;
		if (c == '\\')
			result = walk_escape(w);
		else
			w->at++;
		if (result != OZ_OK)
			return result;
	}
	return fail_at(w, w->line, "text begins with \" and does not end in this line; close it");
}

static size_t skip_digits(walker *w)
{
	size_t begin = w->at;
	while (w->at < w->size && isdigit((unsigned char)w->text[w->at]))
		w->at++;
	return w->at - begin;
}

static oz_result walk_number(walker *w)
{
	w->at += looking_at(w, "-");
	if (looking_at(w, "0") && w->at + 1 < w->size && isdigit((unsigned char)w->text[w->at + 1]))
		return fail_at(w, w->line, "a number must not begin with 0; take it away");
	if (skip_digits(w) == 0)
		return fail_expected(w, "a digit");
	if (looking_at(w, ".")) {
		w->at++;
		if (skip_digits(w) == 0)
			return fail_expected(w, "a digit after the point");
	}
	if (looking_at(w, "e") || looking_at(w, "E")) {
		w->at++;
		w->at += looking_at(w, "+") || looking_at(w, "-");
		if (skip_digits(w) == 0)
			return fail_expected(w, "a digit in the exponent");
	}
	return OZ_OK;
}

static oz_result walk_word(walker *w)
{
	static const char *const words[] = {"true", "false", "null"};
	for (int i = 0; i < 3; i++) {
		if (looking_at(w, words[i])) {
			w->at += strlen(words[i]);
			return OZ_OK;
		}
	}
	if (looking_at(w, "'"))
		return fail_at(w, w->line, "text stands in double quotes, not in single ones");
	if (looking_at(w, "]"))
		return fail_at(w, w->line, "the comma before ] is one too many; take it away");
	return fail_expected(w, "a value (a number, text in double quotes, true, false, [ or {)");
}

// ---- lists and objects ------------------------------------------------------------------------

static oz_result walk_value(walker *w);

// notes how much of the target has been met
static void match(walker *w)
{
	if (!w->target || w->path.count > w->target->count || w->path.count != w->matched + 1)
		return;
	const path_step *here = &w->path.steps[w->matched], *wanted;
	wanted = &w->target->steps[w->matched];
	bool same = here->key && wanted->key
	                    ? here->length == wanted->length &&
	                              memcmp(here->key, wanted->key, here->length) == 0
	                    : !here->key && !wanted->key && here->index == wanted->index;
	if (same) {
		w->matched++;
		w->found = w->line;
	}
}

// beyond what the target names no other place can be meant: keys do not stand twice
static void step_out(walker *w)
{
	w->path.count--;
	if (w->path.count < w->matched)
		w->target = NULL;
}

static oz_result walk_list(walker *w)
{
	oz_result result = OZ_OK;
	w->at++;
	if ((result = skip_blanks(w)) != OZ_OK)
		return result;
	if (looking_at(w, "]")) {
		w->at++;
		return OZ_OK;
	}
	for (uint32_t i = 0;; i++) {
		if ((result = skip_blanks(w)) != OZ_OK)
			return result;
		oz_path_index(&w->path, i);
		match(w);
		if ((result = walk_value(w)) != OZ_OK || (result = skip_blanks(w)) != OZ_OK)
			return result;
		step_out(w);
		bool more = looking_at(w, ",");
		if (!more && !looking_at(w, "]"))
			return fail_expected(w, "a comma or ] in the list");
		w->at++;
		if (!more)
			return OZ_OK;
	}
}

static oz_result keep_key(walker *w, path_step step)
{
	if (w->key_count == w->key_capacity) {
		size_t capacity = w->key_capacity ? 2 * w->key_capacity : 64;
		key_place *keys = realloc(w->keys, capacity * sizeof *keys);
		if (!keys)
			return oz_fail(w->error, OZ_ERROR_MEMORY,
			               "there is no memory left to read %s", w->file);
		w->keys = keys;
		w->key_capacity = capacity;
	}
	w->keys[w->key_count++] = (key_place){step.key, step.length, w->line};
	return OZ_OK;
}

static int compare_keys(const void *a, const void *b)
{
	const key_place *p = a, *q = b;
	size_t length = p->length < q->length ? p->length : q->length;
	int order = memcmp(p->key, q->key, length);
	if (order != 0)
		return order;
	if (p->length != q->length)
		return p->length < q->length ? -1 : 1;
	return p->key < q->key ? -1 : p->key > q->key;
}

// sorted, equal keys of one object are neighbours
static oz_result refuse_twins(walker *w, size_t first)
{
	char where[300];
	size_t count = w->key_count - first;
	if (count > 1)
		qsort(w->keys + first, count, sizeof *w->keys, compare_keys);
	for (size_t i = first + 1; i < w->key_count; i++) {
		const key_place *p = &w->keys[i - 1], *q = &w->keys[i];
		if (p->length != q->length || memcmp(p->key, q->key, p->length) != 0)
			continue;
		push(&w->path, (path_step){q->key, q->length, 0});
		oz_path_text(&w->path, where, sizeof where);
		return fail_at(w, q->line, "%s is given twice, first in line %u; keep one of them",
		               where, p->line);
	}
	w->key_count = first;
	return OZ_OK;
}

static oz_result walk_key(walker *w)
{
	if (looking_at(w, "}"))
		return fail_at(w, w->line, "the comma before } is one too many; take it away");
	if (!looking_at(w, "\""))
		return fail_expected(w, "a key in double quotes");
	const char *begin = w->text + w->at + 1;
	oz_result result = walk_string(w);
	if (result != OZ_OK)
		return result;
	path_step step = {begin, (size_t)(w->text + w->at - 1 - begin), 0};
	if (memchr(step.key, '\\', step.length))
		return fail_at(w, w->line, "a key must not hold a backslash; write it plainly");
	push(&w->path, step);
	match(w);
	return w->checking ? keep_key(w, step) : OZ_OK;
}

static oz_result walk_member(walker *w)
{
	oz_result result = walk_key(w);
	if (result != OZ_OK || (result = skip_blanks(w)) != OZ_OK)
		return result;
	if (!looking_at(w, ":"))
		return fail_expected(w, "a colon after the key");
	w->at++;
	if ((result = skip_blanks(w)) != OZ_OK || (result = walk_value(w)) != OZ_OK)
		return result;
	step_out(w);
	return skip_blanks(w);
}

static oz_result walk_object(walker *w)
{
	size_t first = w->key_count;
	oz_result result;
	w->at++;
	if ((result = skip_blanks(w)) != OZ_OK)
		return result;
	bool more = !looking_at(w, "}");
	w->at += !more;
	while (more) {
		if ((result = skip_blanks(w)) != OZ_OK || (result = walk_member(w)) != OZ_OK)
			return result;
		more = looking_at(w, ",");
		if (!more && !looking_at(w, "}"))
			return fail_expected(w, "a comma or } in the object");
		w->at++;
	}
	return refuse_twins(w, first);
}

static oz_result walk_value(walker *w)
{
	bool nested = looking_at(w, "{") || looking_at(w, "[");
	w->values += nested ? 8 : 1;
	if (w->values > OZ_SCENE_MAX_VALUES)
		return fail_at(w, w->line,
		               "the scene holds too many values; split it, or put "
		               "keyframes farther apart");
	if (nested && w->path.count >= OZ_SCENE_MAX_DEPTH)
		return fail_at(w, w->line, "lists and objects are nested more than %d deep",
		               OZ_SCENE_MAX_DEPTH);
	if (looking_at(w, "{"))
		return walk_object(w);
	if (looking_at(w, "["))
		return walk_list(w);
	if (looking_at(w, "\""))
		return walk_string(w);
	if (w->at < w->size && (w->text[w->at] == '-' || isdigit((unsigned char)w->text[w->at])))
		return walk_number(w);
	return walk_word(w);
}

// ---- the two walks ----------------------------------------------------------------------------

static oz_result walk_text(walker *w)
{
	oz_result result = skip_blanks(w);
	if (result != OZ_OK)
		return result;
	if (!looking_at(w, "{"))
		return fail_expected(w, "{ at the beginning of the scene");
	if ((result = walk_value(w)) != OZ_OK || (result = skip_blanks(w)) != OZ_OK)
		return result;
	return w->at == w->size ? OZ_OK : fail_expected(w, "nothing after the closing }");
}

oz_result oz_scene_scan(oz_scene *scene, oz_error *error)
{
	walker w = {.text = scene->text, .size = scene->size, .line = 1, .file = scene->file};
	w.error = error;
	w.checking = true;
	// some editors begin UTF-8 with a mark
	if (looking_at(&w, "\xef\xbb\xbf"))
		memset(w.text, ' ', 3);
	oz_result result = walk_text(&w);
	free(w.keys);
	return result;
}

uint32_t oz_scene_locate(const oz_scene *scene, const scene_path *path)
{
	walker w = {.text = scene->text, .size = scene->size, .line = 1, .file = scene->file};
	w.target = path;
	w.found = 1;
	// the text passed the check, so this walk meets no error
	(void)walk_text(&w);
	return w.found;
}

oz_result oz_scene_fail(const oz_scene *scene, const scene_path *path, oz_error *error,
                        oz_result code, const char *format, ...)
{
	char where[300], sentence[700];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	oz_path_text(path, where, sizeof where);
	return oz_fail(error, code, "%s:%u: %s%s%s", scene->file, oz_scene_locate(scene, path),
	               where, sentence[0] == ':' ? "" : " ", sentence);
}
