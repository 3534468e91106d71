// checks.c: rewrites the text of kernels so that it checks the index of each access to a buffer.
//
// The text was flattened by the build: no comments, no macros, and the forms that kernel_opencl.h
// gives to structs of arguments, to parameters and to loops over pairs. The rewriter goes
// through it word by word and changes these forms:
//
//   typedef struct k_args { … } k_args;     members: sizes are added
//   __kernel … void k(…)                    parameters: sizes are added
//   k_args oz_a;   oz_a.x = x;              the sizes are copied, too
//   a->x[…]   oz_a.x[…]   oz_list…[…]       the index is checked
//   = *oz_next;                             the next entry of a list of pairs: likewise
#include "device/opencl/checks.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BUFFERS 48u // most buffers among the parameters of a kernel
#define NESTED  16u // most accesses inside the index of another
#define SHOWN   80u // most characters of an index in a sentence

static const char head[] = "static inline ulong oz_checked(__global uint *report, ulong size, "
                           "ulong index, uint site)\n"
                           "{\n"
                           "	if (index < size)\n"
                           "		return index;\n"
                           "	if (atomic_cmpxchg(report, 0u, site + 1u) == 0u) {\n"
                           "		report[1] = (uint)get_global_id(0);\n"
                           "		report[2] = (uint)index;\n"
                           "		report[3] = (uint)(index >> 32);\n"
                           "		report[4] = (uint)size;\n"
                           "		report[5] = (uint)(size >> 32);\n"
                           "	}\n"
                           "	return 0;\n"
                           "}\n";

typedef struct word {
	const char *at;
	size_t size;
} word;

typedef struct rewriter {
	oz_heap *heap;
	oz_cl_checks *checks;
	const char *text, *at; // what is left to read begins at `at`
	size_t room;           // of checks->text
	bool failed;           // out of memory, or a text of another form
	word buffers[BUFFERS]; // of the present kernel
	uint32_t buffer_count;
	uint32_t depth; // of brackets
	struct {
		uint32_t depth, site;
	} open[NESTED]; // accesses whose index is being copied
	uint32_t open_count;
} rewriter;

// ---- writing ----------------------------------------------------------------------------------

static void put(rewriter *r, const char *text, size_t size)
{
	oz_cl_checks *c = r->checks;
	if (c->size + size + 1 > r->room && !r->failed) {
		const size_t room = 2 * (c->size + size) + 1024;
		char *fresh = oz_heap_resize(r->heap, c->text, r->room, room);
		r->failed = !fresh;
		c->text = fresh ? fresh : c->text;
		r->room = fresh ? room : r->room;
	}
	if (r->failed)
		return;
	memcpy(c->text + c->size, text, size);
	c->size += size;
	c->text[c->size] = 0;
}

__attribute__((format(printf, 2, 3))) static void put_text(rewriter *r, const char *format, ...)
{
	char line[400];
	va_list list;
	va_start(list, format);
	const int size = vsnprintf(line, sizeof line, format, list);
	va_end(list);
	r->failed |= size < 0 || (size_t)size >= sizeof line;
	if (!r->failed)
		put(r, line, (size_t)size);
}

// copies up to `end`
static void copy_to(rewriter *r, const char *end)
{
	put(r, r->at, (size_t)(end - r->at));
	r->at = end;
}

// ---- reading ----------------------------------------------------------------------------------

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static word word_at(const char *at)
{
	word w = {at, 0};
	while (in_word(at[w.size]))
		w.size++;
	return w;
}

static bool is(word w, const char *text)
{
	return strlen(text) == w.size && memcmp(w.at, text, w.size) == 0;
}

static bool same(word a, word b)
{
	return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static bool ends_with(word w, const char *tail)
{
	const size_t size = strlen(tail);
	return w.size > size && memcmp(w.at + w.size - size, tail, size) == 0;
}

// the last word before `end`
static word word_before(const char *begin, const char *end)
{
	while (end > begin && !in_word(end[-1]))
		end--;
	const char *at = end;
	while (at > begin && in_word(at[-1]))
		at--;
	return (word){at, (size_t)(end - at)};
}

// whether [begin, end) declares a pointer to a buffer
static bool is_buffer(const char *begin, const char *end)
{
	static const char mark[] = "__global ";
	while (begin < end && *begin == ' ')
		begin++;
	return (size_t)(end - begin) > sizeof mark && memcmp(begin, mark, sizeof mark - 1) == 0 &&
	       memchr(begin, '*', (size_t)(end - begin));
}

// the first of two characters from `at` on; the end of the text, if there is none
static const char *find_either(const char *at, char a, char b)
{
	while (*at && *at != a && *at != b)
		at++;
	return at;
}

// ---- declarations -----------------------------------------------------------------------------

// `typedef struct k_args {`: adds a size to each buffer; at the word `typedef`
static bool rewrite_struct(rewriter *r)
{
	const word kind = word_at(r->at + strlen("typedef "));
	const word name = is(kind, "struct") ? word_at(kind.at + kind.size + 1) : kind;
	if (!is(kind, "struct") || !ends_with(name, "_args") ||
	    strncmp(name.at + name.size, " {", 2) != 0)
		return false;
	copy_to(r, name.at + name.size + 2);
	put_text(r, " __global uint *oz_report;");
	for (;;) {
		const char *end = find_either(r->at, ';', '}');
		if (*end != ';')
			break;
		const bool buffer = is_buffer(r->at, end);
		const word member = word_before(r->at, end);
		copy_to(r, end + 1);
		if (buffer)
			put_text(r, " ulong oz_size_%.*s;", (int)member.size, member.at);
	}
	return true;
}

// the parameters of a kernel: adds a size to each buffer and oz_report; at the word `__kernel`
static bool rewrite_parameters(rewriter *r)
{
	const char *name = strstr(r->at, "void ");
	const char *at = name ? strchr(name, '(') : NULL;
	if (!at) {
		r->failed = true;
		return false;
	}
	copy_to(r, at + 1);
	r->buffer_count = 0;
	for (;;) {
		const char *end = find_either(r->at, ',', ')');
		const bool buffer = is_buffer(r->at, end);
		const word parameter = word_before(r->at, end);
		copy_to(r, end);
		if (buffer && is(parameter, "oz_go")) {
			put_text(r, ", __global uint *oz_report");
		} else if (buffer && r->buffer_count < BUFFERS) {
			put_text(r, ", ulong oz_size_%.*s", (int)parameter.size, parameter.at);
			r->buffers[r->buffer_count++] = parameter;
		}
		if (*end != ',')
			break;
		copy_to(r, end + 1);
	}
	return true;
}

// `oz_a;` and `oz_a.x = x;`: copies oz_report and the sizes; at the word `oz_a`
static bool rewrite_copy(rewriter *r)
{
	const char *after = r->at + strlen("oz_a");
	if (*after == ';') {
		copy_to(r, after + 1);
		put_text(r, " oz_a.oz_report = oz_report;");
		return true;
	}
	const word member = *after == '.' ? word_at(after + 1) : (word){after, 0};
	const char *end = member.at + member.size;
	if (member.size == 0 || strncmp(end, " = ", 3) != 0 || !same(member, word_at(end + 3)) ||
	    end[3 + member.size] != ';')
		return false;
	copy_to(r, end + 4 + member.size);
	for (uint32_t k = 0; k < r->buffer_count; k++)
		if (same(member, r->buffers[k]))
			put_text(r, " oz_a.oz_size_%.*s = oz_size_%.*s;", (int)member.size,
			         member.at, (int)member.size, member.at);
	return true;
}

// ---- accesses ---------------------------------------------------------------------------------

// a new site; the size of its index follows when it is known
static uint32_t add_site(rewriter *r, word name, const char *index)
{
	oz_cl_site *site = oz_array_add(r->heap, &r->checks->sites);
	r->failed |= !site;
	if (!site)
		return 0;
	*site = (oz_cl_site){(uint32_t)(name.at - r->text), (uint32_t)name.size,
	                     (uint32_t)(index - r->text), 0};
	return r->checks->sites.count - 1;
}

// `holder` x [: begins the check of an index. `name` is followed by a bracket, and `report` is how
// oz_report is read there.
static void begin_index(rewriter *r, const char *holder, word name)
{
	const char *bracket = name.at + name.size;
	if (r->open_count == NESTED) {
		r->failed = true;
		return;
	}
	copy_to(r, bracket + 1);
	const bool listed = !holder[0];
	put_text(r, "oz_checked(%soz_report, %soz_size_%.*s, (ulong)(", listed ? "" : holder,
	         holder, (int)name.size, name.at);
	r->depth++;
	r->open[r->open_count].depth = r->depth;
	r->open[r->open_count++].site = add_site(r, name, bracket + 1);
}

// `a->x[` and `oz_a.x[`, `holder` being the part before x; at its begin
static bool rewrite_access(rewriter *r, const char *holder)
{
	const size_t size = strlen(holder);
	if (strncmp(r->at, holder, size) != 0)
		return false;
	const word name = word_at(r->at + size);
	if (name.size == 0 || name.at[name.size] != '[')
		return false;
	begin_index(r, holder, name);
	return true;
}

// `]`: ends the check of an index, if this bracket belongs to one
static void end_bracket(rewriter *r)
{
	if (r->open_count && r->open[r->open_count - 1].depth == r->depth) {
		const uint32_t number = r->open[--r->open_count].site;
		put_text(r, "), %uu)", number);
		if (number < r->checks->sites.count) {
			oz_cl_site *site = (oz_cl_site *)r->checks->sites.items + number;
			site->index_size = (uint32_t)(r->at - r->text) - site->index;
		}
	}
	r->depth -= r->depth > 0;
	copy_to(r, r->at + 1);
}

// `*oz_next;`: the next entry of a list of pairs
static bool rewrite_next(rewriter *r)
{
	static const char use[] = "*oz_next;";
	if (strncmp(r->at, use, sizeof use - 1) != 0)
		return false;
	const word name = {r->at + 1, strlen("oz_next")};
	const uint32_t number = add_site(r, name, name.at);
	put_text(r,
	         "oz_list[oz_checked(oz_report, oz_size_oz_list, (ulong)(oz_next - oz_list), "
	         "%uu)];",
	         number);
	r->at += sizeof use - 1;
	return true;
}

// a word that none of the rules begins with is copied
static void rewrite_word(rewriter *r)
{
	const word w = word_at(r->at);
	const bool is_list = is(w, "oz_list") || is(w, "oz_list_start") || is(w, "oz_list_count");
	if (is(w, "typedef") && rewrite_struct(r))
		return;
	if (is(w, "__kernel") && rewrite_parameters(r))
		return;
	if (is(w, "oz_a") && (rewrite_copy(r) || rewrite_access(r, "oz_a.")))
		return;
	if (is(w, "a") && rewrite_access(r, "a->"))
		return;
	if (is_list && w.at[w.size] == '[') {
		begin_index(r, "", w);
		return;
	}
	copy_to(r, w.at + w.size);
}

static void rewrite(rewriter *r)
{
	put(r, head, sizeof head - 1);
	while (*r->at && !r->failed) {
		if (in_word(*r->at)) {
			rewrite_word(r);
		} else if (*r->at == ']') {
			end_bracket(r);
		} else if (*r->at != '*' || !rewrite_next(r)) {
			r->depth += *r->at == '[';
			copy_to(r, r->at + 1);
		}
	}
}

bool oz_cl_checks_make(oz_heap *heap, const char *text, oz_cl_checks *checks)
{
	*checks = (oz_cl_checks){.sites = {.size = sizeof(oz_cl_site)}};
	rewriter r = {.heap = heap, .checks = checks, .text = text, .at = text};
	rewrite(&r);
	// the block is freed by its size
	if (!r.failed && r.room > checks->size + 1) {
		char *fitting = oz_heap_resize(heap, checks->text, r.room, checks->size + 1);
		if (fitting)
			checks->text = fitting, r.room = checks->size + 1;
	}
	checks->size = r.room;
	if (!r.failed)
		return true;
	oz_cl_checks_free(heap, checks);
	return false;
}

// the same characters without a leading oz_, which only the text has
static word shown(const char *at, size_t size)
{
	const bool own = size > 3 && memcmp(at, "oz_", 3) == 0;
	return own ? (word){at + 3, size - 3} : (word){at, size};
}

void oz_cl_checks_describe(const oz_cl_checks *checks, const char *text,
                           const uint32_t report[OZ_REPORT_WORDS], char *sentence, size_t size)
{
	const oz_cl_site *site =
	        (const oz_cl_site *)checks->sites.items + report[OZ_REPORT_SITE] - 1;
	const word name = shown(text + site->name, site->name_size);
	const word index = shown(text + site->index, site->index_size);
	const uint64_t at = (uint64_t)report[OZ_REPORT_INDEX + 1] << 32 | report[OZ_REPORT_INDEX];
	const uint64_t room = (uint64_t)report[OZ_REPORT_SIZE + 1] << 32 | report[OZ_REPORT_SIZE];
	snprintf(sentence, size,
	         "item %u: the index of %.*s[%.*s] is %llu, and it has %llu elements",
	         report[OZ_REPORT_ITEM], (int)name.size, name.at,
	         (int)(index.size < SHOWN ? index.size : SHOWN), index.at, (unsigned long long)at,
	         (unsigned long long)room);
}

void oz_cl_checks_free(oz_heap *heap, oz_cl_checks *checks)
{
	oz_heap_free(heap, checks->text, checks->size);
	oz_array_free(heap, &checks->sites);
	*checks = (oz_cl_checks){0};
}
