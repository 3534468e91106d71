// json.c: the tree of a JSON text: its getters, and the characters of UTF-8.
#include "json.h"

#include <stdlib.h>
#include <string.h>

#define KEY_SHOWN 60 // bytes of a key in a path

// ---- the tree ---------------------------------------------------------------------------------

void oz_json_free(oz_json_doc *doc)
{
	free(doc->root);
	free(doc->text);
	free(doc->name);
	*doc = (oz_json_doc){0};
}

bool oz_json_is(const oz_json *value, oz_json_kind kind)
{
	return value && value->kind == kind;
}

const oz_json *oz_json_parent(const oz_json *value)
{
	return value->up ? value - value->up : NULL;
}

const oz_json *oz_json_first(const oz_json *list)
{
	const bool holds = oz_json_is(list, OZ_JSON_LIST) || oz_json_is(list, OZ_JSON_OBJECT);
	return holds && list->count ? list + 1 : NULL;
}

const oz_json *oz_json_next(const oz_json *value)
{
	const oz_json *parent = oz_json_parent(value);
	return parent && value->index + 1 < parent->count ? value + value->span : NULL;
}

const oz_json *oz_json_item(const oz_json *list, uint32_t index)
{
	const oz_json *one = oz_json_first(list);
	while (one && index--)
		one = oz_json_next(one);
	return one;
}

const oz_json *oz_json_get(const oz_json *object, const char *key)
{
	if (!oz_json_is(object, OZ_JSON_OBJECT))
		return NULL;
	const oz_json *one = oz_json_first(object);
	while (one && strcmp(one->key, key) != 0)
		one = oz_json_next(one);
	return one;
}

const oz_json *oz_json_near(const oz_json *object, const char *key)
{
	const oz_json *value = oz_json_get(object, key);
	return value ? value : object;
}

// the steps from the root to the value, one after the other
// bytes of a key that a path shows: whole characters, KEY_SHOWN bytes at most
static size_t shown_length(const char *key)
{
	const size_t size = strlen(key);
	size_t length = 0, more = 0;
	while (length < size && (more = oz_utf8_length(key + length, size - length)) > 0 &&
	       length + more <= KEY_SHOWN)
		length += more;
	return length;
}

static size_t put_path(const oz_json *value, char *text, size_t size)
{
	const oz_json *parent = oz_json_parent(value);
	if (!parent)
		return 0;
	const size_t used = put_path(parent, text, size);
	if (used >= size)
		return used;
	const int more = value->key ? snprintf(text + used, size - used, "%s%.*s", used ? "." : "",
	                                       (int)shown_length(value->key), value->key)
	                            : snprintf(text + used, size - used, "[%u]", value->index);
	return used + (more > 0 ? (size_t)more : 0);
}

void oz_json_path(const oz_json *value, const char *root, char *text, size_t size)
{
	snprintf(text, size, "%s", root);
	(void)put_path(value, text, size);
}

// ---- UTF-8 ------------------------------------------------------------------------------------

size_t oz_utf8_length(const char *text, size_t left)
{
	const unsigned char *c = (const unsigned char *)text;
	if (left == 0)
		return 0;
	if (c[0] < 0x80)
		return 1;
	const size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
	if (c[0] < 0xc2 || c[0] > 0xf4 || length > left)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	// longer than needed, half a surrogate pair, beyond U+10FFFF
	const bool wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
	                   (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
	return wrong ? 0 : length;
}

bool oz_utf8_is_valid(const char *text)
{
	size_t left = strlen(text);
	while (left > 0) {
		const size_t length = oz_utf8_length(text, left);
		if (length == 0)
			return false;
		text += length;
		left -= length;
	}
	return true;
}
