// json_read.c: JSON with comments into a tree, in one pass, strictly.
//
// The text is copied once; keys and texts point into the copy. Nodes are appended as their values
// begin. Lists and objects are read by recursion, whose depth the rules limit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_scan.h"
#include "number.h"

typedef struct member_key {
	const char *key;
	uint32_t node;
} member_key;

typedef struct reader {
	oz_json_scan scan;
	oz_json *nodes;
	uint32_t count, capacity;
	uint32_t depth;
	member_key *keys; // members of the object that ends, sorted
	uint32_t key_capacity;
} reader;

// ---- numbers and words ------------------------------------------------------------------------

static oz_result read_number(reader *r, uint32_t self)
{
	char where[300];
	const oz_json_place place = oz_scan_here(&r->scan);
	const char *begin = r->scan.text + r->scan.at;
	const oz_result result = oz_scan_number(&r->scan);
	if (result != OZ_OK)
		return result;
	const size_t length = (size_t)(r->scan.text + r->scan.at - begin);
	if (length > OZ_NUMBER_READ_MAX)
		return oz_scan_fail(&r->scan, place,
		                    "a number has %zu characters; write at most %d", length,
		                    OZ_NUMBER_READ_MAX);
	oz_json *node = &r->nodes[self];
	node->number = oz_number_read(begin, length);
	if (isfinite(node->number))
		return OZ_OK;
	oz_json_path(node, r->scan.rules->noun, where, sizeof where);
	return oz_scan_fail(&r->scan, place,
	                    "%s is %.*s%s; a number must be between -1.79e308 and 1.79e308", where,
	                    length > 40 ? 40 : (int)length, begin, length > 40 ? "…" : "");
}

static oz_result read_word(reader *r, oz_json *node)
{
	static const char *const words[] = {"null", "false", "true"};
	for (int i = 0; i < 3; i++) {
		if (oz_scan_sees(&r->scan, words[i])) {
			r->scan.at += strlen(words[i]);
			node->kind = i ? OZ_JSON_BOOL : OZ_JSON_NULL;
			node->truth = i == 2;
			return OZ_OK;
		}
	}
	if (oz_scan_next(&r->scan) == '\'')
		return oz_scan_fail(&r->scan, oz_scan_here(&r->scan),
		                    "text stands in double quotes, not in single ones");
	if (oz_scan_next(&r->scan) == ']')
		return oz_scan_fail(&r->scan, oz_scan_here(&r->scan),
		                    "the comma before ] is one too many; take it away");
	return oz_scan_fail_expected(&r->scan, "a value (a number, text in double quotes, true, "
	                                       "false, [ or {)");
}

// ---- lists and objects ------------------------------------------------------------------------

static oz_result read_value(reader *r, oz_json node);

// ends a list or object that holds `count` members
static void close_node(reader *r, uint32_t self, uint32_t count)
{
	r->nodes[self].count = count;
	r->nodes[self].span = r->count - self;
	r->depth--;
	r->scan.at++;
}

static oz_result read_list(reader *r, uint32_t self)
{
	oz_result result;
	uint32_t count = 0;
	r->scan.at++;
	if ((result = oz_scan_blanks(&r->scan)) != OZ_OK)
		return result;
	for (bool more = oz_scan_next(&r->scan) != ']'; more; count++) {
		result = read_value(r, (oz_json){.up = r->count - self, .index = count});
		if (result != OZ_OK || (result = oz_scan_blanks(&r->scan)) != OZ_OK)
			return result;
		more = oz_scan_next(&r->scan) == ',';
		if (!more && oz_scan_next(&r->scan) != ']')
			return oz_scan_fail_expected(&r->scan, "a comma or ] in the list");
		r->scan.at += more;
		if (more && (result = oz_scan_blanks(&r->scan)) != OZ_OK)
			return result;
	}
	close_node(r, self, count);
	return OZ_OK;
}

static oz_result read_member(reader *r, uint32_t self, uint32_t index)
{
	oz_json member = {.up = r->count - self, .index = index, .key_at = oz_scan_here(&r->scan)};
	uint32_t length;
	if (oz_scan_next(&r->scan) == '}')
		return oz_scan_fail(&r->scan, oz_scan_here(&r->scan),
		                    "the comma before } is one too many; take it away");
	if (oz_scan_sees_decimal_comma(&r->scan))
		return oz_scan_fail_decimal_comma(&r->scan);
	if (oz_scan_next(&r->scan) != '"')
		return oz_scan_fail_expected(&r->scan, "a key in double quotes");
	oz_result result = oz_scan_text(&r->scan, &member.key, &length);
	if (result != OZ_OK || (result = oz_scan_blanks(&r->scan)) != OZ_OK)
		return result;
	if (oz_scan_next(&r->scan) != ':')
		return oz_scan_fail_expected(&r->scan, "a colon after the key");
	r->scan.at++;
	if ((result = oz_scan_blanks(&r->scan)) != OZ_OK ||
	    (result = read_value(r, member)) != OZ_OK)
		return result;
	return oz_scan_blanks(&r->scan);
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
			return oz_scan_fail_memory(&r->scan);
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
		return oz_scan_fail(&r->scan, second->key_at,
		                    "%s is given twice, first in line %u; keep one of them", where,
		                    first->key_at.line);
	}
	return OZ_OK;
}

static oz_result read_object(reader *r, uint32_t self)
{
	oz_result result;
	uint32_t count = 0;
	r->scan.at++;
	if ((result = oz_scan_blanks(&r->scan)) != OZ_OK)
		return result;
	for (bool more = oz_scan_next(&r->scan) != '}'; more; count++) {
		if ((result = read_member(r, self, count)) != OZ_OK)
			return result;
		more = oz_scan_next(&r->scan) == ',';
		if (!more && oz_scan_next(&r->scan) != '}')
			return oz_scan_fail_expected(&r->scan, "a comma or } in the object");
		r->scan.at += more;
		if (more && (result = oz_scan_blanks(&r->scan)) != OZ_OK)
			return result;
	}
	close_node(r, self, count);
	return refuse_twins(r, self, count);
}

// ---- values -----------------------------------------------------------------------------------

static oz_result add_node(reader *r, oz_json node)
{
	if (r->count == r->scan.rules->values)
		return oz_scan_fail(&r->scan, oz_scan_here(&r->scan),
		                    "%s holds too many values; %s", r->scan.rules->noun,
		                    r->scan.rules->remedy);
	if (r->count == r->capacity) {
		const uint32_t capacity = r->capacity ? 2 * r->capacity : 64;
		oz_json *nodes = realloc(r->nodes, capacity * sizeof *nodes);
		if (!nodes)
			return oz_scan_fail_memory(&r->scan);
		r->nodes = nodes;
		r->capacity = capacity;
	}
	r->nodes[r->count++] = node;
	return OZ_OK;
}

static oz_result read_nested(reader *r, uint32_t self)
{
	if (r->depth == r->scan.rules->depth)
		return oz_scan_fail(&r->scan, oz_scan_here(&r->scan),
		                    "lists and objects are nested more than %u deep",
		                    r->scan.rules->depth);
	r->depth++;
	const bool list = oz_scan_next(&r->scan) == '[';
	r->nodes[self].kind = list ? OZ_JSON_LIST : OZ_JSON_OBJECT;
	return list ? read_list(r, self) : read_object(r, self);
}

// `node` says where it stands and what its key is
static oz_result read_value(reader *r, oz_json node)
{
	const uint32_t self = r->count;
	const char c = oz_scan_next(&r->scan);
	node.span = 1;
	node.at = oz_scan_here(&r->scan);
	node.key_at = node.key ? node.key_at : node.at;
	oz_result result = add_node(r, node);
	if (result != OZ_OK)
		return result;
	if (c == '[' || c == '{')
		return read_nested(r, self);
	oz_json *made = &r->nodes[self];
	if (c == '"') {
		made->kind = OZ_JSON_TEXT;
		return oz_scan_text(&r->scan, &made->text, &made->count);
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
	r->scan.at = r->scan.line_at = oz_scan_sees(&r->scan, "\xef\xbb\xbf") ? 3 : 0;
	if (oz_scan_sees(&r->scan, "\xff\xfe") || oz_scan_sees(&r->scan, "\xfe\xff"))
		return oz_scan_fail(&r->scan, oz_scan_here(&r->scan),
		                    "the text is UTF-16; save the file as UTF-8");
	oz_result result = oz_scan_blanks(&r->scan);
	if (result != OZ_OK)
		return result;
	snprintf(expected, sizeof expected, "{ at the beginning of %s", r->scan.rules->noun);
	if (r->scan.rules->object && oz_scan_next(&r->scan) != '{')
		return oz_scan_fail_expected(&r->scan, expected);
	if ((result = read_value(r, (oz_json){0})) != OZ_OK ||
	    (result = oz_scan_blanks(&r->scan)) != OZ_OK)
		return result;
	if (r->scan.at == r->scan.size)
		return OZ_OK;
	return oz_scan_fail_expected(&r->scan, r->scan.rules->object ? "nothing after the closing }"
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
	reader r = {.scan = {.size = size, .line = 1, .name = name, .error = error}};
	r.scan.rules = rules ? rules : &any;
	if (size >= UINT32_MAX)
		return oz_fail(error, r.scan.rules->code,
		               "%s has %zu bytes, which is too much; split it", name, size);
	r.scan.text = copy_bytes(text, size);
	doc->name = copy_bytes(name, strlen(name));
	const oz_result result =
	        r.scan.text && doc->name ? read_all(&r) : oz_scan_fail_memory(&r.scan);
	free(r.keys);
	doc->text = r.scan.text;
	doc->root = r.nodes;
	if (result != OZ_OK)
		oz_json_free(doc);
	return result;
}
