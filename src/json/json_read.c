// json_read.c: JSON with comments into a tree, in one pass, strictly.
//
// The text is copied once; escapes are decoded where they stand, so that keys and texts point into
// the copy. Nodes are appended as their values begin. Lists and objects are read by recursion,
// whose depth the rules limit.
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "number.h"

typedef struct member_key {
	const char *key;
	uint32_t node;
} member_key;

typedef struct reader {
	char *text;
	size_t size, at;
	uint32_t line;
	size_t line_at; // where the line begins
	size_t hidden;  // bytes of the line, up to here, that begin no character
	oz_json *nodes;
	uint32_t count, capacity;
	uint32_t depth;
	member_key *keys; // members of the object that ends, sorted
	uint32_t key_capacity;
	const oz_json_rules *rules;
	const char *name;
	oz_error *error;
} reader;

// ---- places and sentences ---------------------------------------------------------------------

static oz_json_place here(const reader *r)
{
	return (oz_json_place){r->line, (uint32_t)(r->at - r->line_at - r->hidden + 1)};
}

static oz_result fail_at(const reader *r, oz_json_place place, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

static oz_result fail_at(const reader *r, oz_json_place place, const char *format, ...)
{
	char sentence[700];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	return oz_fail(r->error, r->rules->code, "%s:%u:%u: %s", r->name, place.line, place.column,
	               sentence);
}

static oz_result fail_memory(const reader *r)
{
	return oz_fail(r->error, OZ_ERROR_MEMORY,
	               "there is no memory left to read %s; close other programs", r->name);
}

static oz_result fail_expected(const reader *r, const char *expected)
{
	char found[32] = "the end of the text";
	const unsigned char c = r->at < r->size ? (unsigned char)r->text[r->at] : 0;
	if (c == '\n' || c == '\r')
		snprintf(found, sizeof found, "the end of the line");
	else if (c == ' ' || c == '\t')
		snprintf(found, sizeof found, "a blank");
	else if (r->at < r->size && c >= 0x20 && c < 0x7f)
		snprintf(found, sizeof found, "%c", c);
	else if (r->at < r->size)
		snprintf(found, sizeof found, "the byte 0x%02x", c);
	return fail_at(r, here(r), "expected %s but found %s", expected, found);
}

// ---- blanks and comments ----------------------------------------------------------------------

static bool looking_at(const reader *r, const char *word)
{
	const size_t length = strlen(word);
	return r->size - r->at >= length && memcmp(r->text + r->at, word, length) == 0;
}

// the byte that is next; 0 at the end, as for a zero byte
static char next(const reader *r)
{
	return r->at < r->size ? r->text[r->at] : 0;
}

static void skip(reader *r, size_t count)
{
	for (const size_t end = r->at + count; r->at < end;) {
		const unsigned char c = (unsigned char)r->text[r->at++];
		r->hidden += (c & 0xc0) == 0x80;
		if (c == '\n') {
			r->line++;
			r->line_at = r->at;
			r->hidden = 0;
		}
	}
}

static oz_result skip_comment(reader *r)
{
	const char *rest = r->text + r->at;
	const size_t left = r->size - r->at;
	if (rest[1] == '/') {
		const char *end = memchr(rest, '\n', left);
		skip(r, end ? (size_t)(end - rest) : left);
		return OZ_OK;
	}
	for (size_t i = 2; i + 1 < left; i++) {
		if (rest[i] == '*' && rest[i + 1] == '/') {
			skip(r, i + 2);
			return OZ_OK;
		}
	}
	return fail_at(r, here(r), "a comment begins with /* and never ends; close it with */");
}

static oz_result skip_blanks(reader *r)
{
	for (;;) {
		const char c = next(r);
		if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			skip(r, 1);
		} else if (c == '/' && (looking_at(r, "//") || looking_at(r, "/*"))) {
			const oz_result result = skip_comment(r);
			if (result != OZ_OK)
				return result;
		} else {
			return OZ_OK;
		}
	}
}

// ---- text -------------------------------------------------------------------------------------

// the four digits after \u; -1 if they are not there
static int32_t read_hex(const reader *r, size_t at)
{
	int32_t code = 0;
	for (size_t i = at; i < at + 4; i++) {
		const char c = i < r->size ? r->text[i] : 0;
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
static oz_result read_code(reader *r, char **to)
{
	int32_t code = read_hex(r, r->at + 2);
	size_t length = 6;
	if (code < 0)
		return fail_at(r, here(r), "\\u needs four hexadecimal digits");
	if (code == 0)
		return fail_at(r, here(r), "\\u0000 is not allowed in text; take it away");
	if (code >= 0xd800 && code < 0xe000) {
		const bool pair = r->size - r->at > 7 && memcmp(r->text + r->at + 6, "\\u", 2) == 0;
		const int32_t low = pair ? read_hex(r, r->at + 8) : -1;
		if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
			return fail_at(r, here(r),
			               "\\u%04x is half of a surrogate pair; write both halves, or "
			               "the character itself",
			               (unsigned)code);
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		length = 12;
	}
	*to += put_utf8(*to, (uint32_t)code);
	r->at += length;
	return OZ_OK;
}

static oz_result read_escape(reader *r, char **to)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char c = r->at + 1 < r->size ? r->text[r->at + 1] : 0;
	if (c == 'u')
		return read_code(r, to);
	const char *letter = c ? strchr(letters, c) : NULL;
	if (!letter)
		return fail_at(r, here(r),
		               "a backslash in text must be followed by one of \" \\ / b f n r t "
		               "u; write \\\\ for a backslash");
	*(*to)++ = meanings[letter - letters];
	r->at += 2;
	return OZ_OK;
}

// `to` is never ahead of r->at: what is decoded is not longer than how it was written
static oz_result read_character(reader *r, char **to)
{
	if (next(r) == '\\')
		return read_escape(r, to);
	const size_t length = oz_utf8_length(r->text + r->at, r->size - r->at);
	if (length == 0)
		return fail_at(r, here(r), "the text is not UTF-8; save the file as UTF-8");
	if ((unsigned char)next(r) < 0x20)
		return fail_expected(r, "a printable character in text");
	memmove(*to, r->text + r->at, length);
	*to += length;
	r->at += length;
	r->hidden += length - 1;
	return OZ_OK;
}

static oz_result read_text(reader *r, const char **text, uint32_t *length)
{
	const oz_json_place begin = here(r);
	char *first = r->text + ++r->at, *to = first;
	while (r->at < r->size && next(r) != '\n' && next(r) != '\r') {
		if (next(r) == '"') {
			*to = 0;
			r->at++;
			*text = first;
			*length = (uint32_t)(to - first);
			return OZ_OK;
		}
		const oz_result result = read_character(r, &to);
		if (result != OZ_OK)
			return result;
	}
	return fail_at(r, begin, "text begins with \" and does not end in this line; close it");
}

// ---- numbers and words ------------------------------------------------------------------------

static size_t skip_digits(reader *r)
{
	const size_t begin = r->at;
	while (next(r) >= '0' && next(r) <= '9')
		r->at++;
	return r->at - begin;
}

static oz_result walk_number(reader *r)
{
	r->at += next(r) == '-';
	const bool zero = next(r) == '0';
	const size_t whole = skip_digits(r);
	if (whole == 0)
		return fail_expected(r, "a digit");
	if (zero && whole > 1) {
		r->at -= whole;
		return fail_at(r, here(r), "a number must not begin with 0; take it away");
	}
	if (next(r) == '.') {
		r->at++;
		if (skip_digits(r) == 0)
			return fail_expected(r, "a digit after the point");
	}
	if (next(r) == 'e' || next(r) == 'E') {
		r->at++;
		r->at += next(r) == '+' || next(r) == '-';
		if (skip_digits(r) == 0)
			return fail_expected(r, "a digit in the exponent");
	}
	return OZ_OK;
}

static oz_result read_number(reader *r, uint32_t self)
{
	char where[300];
	const oz_json_place place = here(r);
	const char *begin = r->text + r->at;
	const oz_result result = walk_number(r);
	if (result != OZ_OK)
		return result;
	const size_t length = (size_t)(r->text + r->at - begin);
	if (length > OZ_NUMBER_READ_MAX)
		return fail_at(r, place, "a number has %zu characters; write at most %d", length,
		               OZ_NUMBER_READ_MAX);
	oz_json *node = &r->nodes[self];
	node->number = oz_number_read(begin, length);
	if (isfinite(node->number))
		return OZ_OK;
	oz_json_path(node, r->rules->noun, where, sizeof where);
	return fail_at(r, place, "%s is %.*s%s; a number must be between -1.79e308 and 1.79e308",
	               where, length > 40 ? 40 : (int)length, begin, length > 40 ? "…" : "");
}

static oz_result read_word(reader *r, oz_json *node)
{
	static const char *const words[] = {"null", "false", "true"};
	for (int i = 0; i < 3; i++) {
		if (looking_at(r, words[i])) {
			r->at += strlen(words[i]);
			node->kind = i ? OZ_JSON_BOOL : OZ_JSON_NULL;
			node->truth = i == 2;
			return OZ_OK;
		}
	}
	if (next(r) == '\'')
		return fail_at(r, here(r), "text stands in double quotes, not in single ones");
	if (next(r) == ']')
		return fail_at(r, here(r), "the comma before ] is one too many; take it away");
	return fail_expected(r, "a value (a number, text in double quotes, true, false, [ or {)");
}

// ---- lists and objects ------------------------------------------------------------------------

static oz_result read_value(reader *r, oz_json node);

// ends a list or object that holds `count` members
static void close_node(reader *r, uint32_t self, uint32_t count)
{
	r->nodes[self].count = count;
	r->nodes[self].span = r->count - self;
	r->depth--;
	r->at++;
}

static oz_result read_list(reader *r, uint32_t self)
{
	oz_result result;
	uint32_t count = 0;
	r->at++;
	if ((result = skip_blanks(r)) != OZ_OK)
		return result;
	for (bool more = next(r) != ']'; more; count++) {
		result = read_value(r, (oz_json){.up = r->count - self, .index = count});
		if (result != OZ_OK || (result = skip_blanks(r)) != OZ_OK)
			return result;
		more = next(r) == ',';
		if (!more && next(r) != ']')
			return fail_expected(r, "a comma or ] in the list");
		r->at += more;
		if (more && (result = skip_blanks(r)) != OZ_OK)
			return result;
	}
	close_node(r, self, count);
	return OZ_OK;
}

static oz_result read_member(reader *r, uint32_t self, uint32_t index)
{
	oz_json member = {.up = r->count - self, .index = index, .key_at = here(r)};
	uint32_t length;
	if (next(r) == '}')
		return fail_at(r, here(r), "the comma before } is one too many; take it away");
	if (next(r) != '"')
		return fail_expected(r, "a key in double quotes");
	oz_result result = read_text(r, &member.key, &length);
	if (result != OZ_OK || (result = skip_blanks(r)) != OZ_OK)
		return result;
	if (next(r) != ':')
		return fail_expected(r, "a colon after the key");
	r->at++;
	if ((result = skip_blanks(r)) != OZ_OK || (result = read_value(r, member)) != OZ_OK)
		return result;
	return skip_blanks(r);
}

// by key, and where two are the same by place
static int compare_members(const void *a, const void *b)
{
	const member_key *p = a, *q = b;
	const int order = strcmp(p->key, q->key);
	return order ? order : (p->node > q->node) - (p->node < q->node);
}

static oz_result sort_members(reader *r, uint32_t self, uint32_t count)
{
	if (count > r->key_capacity) {
		member_key *keys = realloc(r->keys, 2 * (size_t)count * sizeof *keys);
		if (!keys)
			return fail_memory(r);
		r->keys = keys;
		r->key_capacity = 2 * count;
	}
	uint32_t node = self + 1;
	for (uint32_t i = 0; i < count; i++, node += r->nodes[node].span)
		r->keys[i] = (member_key){r->nodes[node].key, node};
	if (count > 1)
		qsort(r->keys, count, sizeof *r->keys, compare_members);
	return OZ_OK;
}

// sorted, equal keys are neighbours
static oz_result refuse_twins(reader *r, uint32_t self, uint32_t count)
{
	char where[300];
	const oz_result result = sort_members(r, self, count);
	if (result != OZ_OK)
		return result;
	for (uint32_t i = 1; i < count; i++) {
		if (strcmp(r->keys[i - 1].key, r->keys[i].key) != 0)
			continue;
		const oz_json *first = &r->nodes[r->keys[i - 1].node];
		const oz_json *second = &r->nodes[r->keys[i].node];
		oz_json_path(second, "", where, sizeof where);
		return fail_at(r, second->key_at,
		               "%s is given twice, first in line %u; keep one of them", where,
		               first->key_at.line);
	}
	return OZ_OK;
}

static oz_result read_object(reader *r, uint32_t self)
{
	oz_result result;
	uint32_t count = 0;
	r->at++;
	if ((result = skip_blanks(r)) != OZ_OK)
		return result;
	for (bool more = next(r) != '}'; more; count++) {
		if ((result = read_member(r, self, count)) != OZ_OK)
			return result;
		more = next(r) == ',';
		if (!more && next(r) != '}')
			return fail_expected(r, "a comma or } in the object");
		r->at += more;
		if (more && (result = skip_blanks(r)) != OZ_OK)
			return result;
	}
	close_node(r, self, count);
	return refuse_twins(r, self, count);
}

// ---- values -----------------------------------------------------------------------------------

static oz_result add_node(reader *r, oz_json node)
{
	if (r->count == r->rules->values)
		return fail_at(r, here(r), "%s holds too many values; %s", r->rules->noun,
		               r->rules->remedy);
	if (r->count == r->capacity) {
		const uint32_t capacity = r->capacity ? 2 * r->capacity : 64;
		oz_json *nodes = realloc(r->nodes, capacity * sizeof *nodes);
		if (!nodes)
			return fail_memory(r);
		r->nodes = nodes;
		r->capacity = capacity;
	}
	r->nodes[r->count++] = node;
	return OZ_OK;
}

static oz_result read_nested(reader *r, uint32_t self)
{
	if (r->depth == r->rules->depth)
		return fail_at(r, here(r), "lists and objects are nested more than %u deep",
		               r->rules->depth);
	r->depth++;
	const bool list = next(r) == '[';
	r->nodes[self].kind = list ? OZ_JSON_LIST : OZ_JSON_OBJECT;
	return list ? read_list(r, self) : read_object(r, self);
}

// `node` says where it stands and what its key is
static oz_result read_value(reader *r, oz_json node)
{
	const uint32_t self = r->count;
	const char c = next(r);
	node.span = 1;
	node.at = here(r);
	node.key_at = node.key ? node.key_at : node.at;
	oz_result result = add_node(r, node);
	if (result != OZ_OK)
		return result;
	if (c == '[' || c == '{')
		return read_nested(r, self);
	oz_json *made = &r->nodes[self];
	if (c == '"') {
		made->kind = OZ_JSON_TEXT;
		return read_text(r, &made->text, &made->count);
	}
	if (c == '-' || (c >= '0' && c <= '9')) {
		made->kind = OZ_JSON_NUMBER;
		return read_number(r, self);
	}
	return read_word(r, made);
}

// ---- the whole text ---------------------------------------------------------------------------

static oz_result read_all(reader *r)
{
	char expected[80];
	// some editors begin UTF-8 with a mark
	r->at = r->line_at = looking_at(r, "\xef\xbb\xbf") ? 3 : 0;
	if (looking_at(r, "\xff\xfe") || looking_at(r, "\xfe\xff"))
		return fail_at(r, here(r), "the text is UTF-16; save the file as UTF-8");
	oz_result result = skip_blanks(r);
	if (result != OZ_OK)
		return result;
	snprintf(expected, sizeof expected, "{ at the beginning of %s", r->rules->noun);
	if (r->rules->object && next(r) != '{')
		return fail_expected(r, expected);
	if ((result = read_value(r, (oz_json){0})) != OZ_OK || (result = skip_blanks(r)) != OZ_OK)
		return result;
	if (r->at == r->size)
		return OZ_OK;
	return fail_expected(r, r->rules->object ? "nothing after the closing }"
	                                         : "nothing after the value");
}

static char *copy_bytes(const char *bytes, size_t size)
{
	char *copy = malloc(size + 1);
	if (copy) {
		memcpy(copy, bytes, size);
		copy[size] = 0;
	}
	return copy;
}

oz_result oz_json_read(oz_json_doc *doc, const char *name, const char *text, size_t size,
                       const oz_json_rules *rules, oz_error *error)
{
	static const oz_json_rules any = {.noun = "the text",
	                                  .remedy = "split it",
	                                  .depth = OZ_JSON_DEPTH,
	                                  .values = 1u << 20,
	                                  .code = OZ_ERROR_FILE};
	*doc = (oz_json_doc){0};
	reader r = {.size = size, .line = 1, .rules = rules ? rules : &any, .error = error};
	r.name = name;
	if (size >= UINT32_MAX)
		return oz_fail(error, r.rules->code,
		               "%s has %zu bytes, which is too much; split it", name, size);
	r.text = copy_bytes(text, size);
	doc->name = copy_bytes(name, strlen(name));
	const oz_result result = r.text && doc->name ? read_all(&r) : fail_memory(&r);
	free(r.keys);
	doc->text = r.text;
	doc->root = r.nodes;
	if (result != OZ_OK)
		oz_json_free(doc);
	return result;
}
