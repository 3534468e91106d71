// text.c: makes UTF-8 drawable: invalid bytes are replaced, long texts are cut after a whole
// letter, and signs are replaced by ASCII for fonts that lack them.
#include <stdio.h>
#include <string.h>

#include "render/canvas.h"

// Number of bytes of the UTF-8 letter at the start of a text; 0 if it is not valid and printable.
static size_t letter_size(const char *text)
{
	const unsigned char *u = (const unsigned char *)text;
	if (u[0] < 0x80)
		return u[0] >= ' ' && u[0] != 0x7f;
	size_t size = u[0] >= 0xc2 && u[0] < 0xe0   ? 2
	              : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
	              : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
	                                            : 0;
	for (size_t k = 1; k < size; k++)
		if ((u[k] & 0xc0) != 0x80)
			return 0;
	// overlong forms, surrogates, and values above Unicode's range
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] >= 0x90) ||
	    (u[0] == 0xef && u[1] == 0xbf && u[2] >= 0xbe))
		return 0;
	return size;
}

void oz_text_clean(char *to, size_t size, const char *from, size_t letters)
{
	size_t used = 0;
	for (; *from && letters && used + 8 < size; letters--) {
		const size_t bytes = letter_size(from);
		if (bytes)
			memcpy(to + used, from, bytes);
		else
			to[used] = '?';
		used += bytes ? bytes : 1;
		from += bytes ? bytes : 1;
	}
	snprintf(to + used, size - used, "%s", *from ? "…" : "");
}

// ---- ASCII ------------------------------------------------------------------------------------

static const struct {
	const char *sign, *plain;
	bool raised;
} signs[] = {
        {"−", "-", false}, {"·", " ", false}, {"…", "...", false}, {"°", "", false},
        {"⁻", "-", true},  {"⁰", "0", true},  {"¹", "1", true},    {"²", "2", true},
        {"³", "3", true},  {"⁴", "4", true},  {"⁵", "5", true},    {"⁶", "6", true},
        {"⁷", "7", true},  {"⁸", "8", true},  {"⁹", "9", true},
};
#define SIGNS (sizeof signs / sizeof signs[0])

void oz_text_plain(char *to, size_t size, const char *from)
{
	size_t used = 0;
	bool raised = false;
	while (*from && used + 8 < size) {
		const size_t bytes = letter_size(from);
		size_t k = 0;
		while (k < SIGNS &&
		       (strlen(signs[k].sign) != bytes || memcmp(signs[k].sign, from, bytes) != 0))
			k++;
		if (k < SIGNS)
			used += (size_t)snprintf(to + used, size - used, "%s%s",
			                         signs[k].raised && !raised ? "^" : "",
			                         signs[k].plain);
		else
			to[used++] = bytes == 1 ? *from : '?';
		raised = k < SIGNS && signs[k].raised;
		from += bytes ? bytes : 1;
	}
	to[used] = 0;
}
