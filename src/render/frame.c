// frame.c: reads the PLY frames of a run, and lists those in a folder.
//
// It reads the exporter's format only: binary, little-endian, the columns in their order; those
// after the tenth may be missing. Any other header is an error, so that no column is taken for
// another.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/vec.h"
#include "render/render.h"

#define WORDS       12 // of a record, 4 bytes each
#define OLD_WORDS   10 // in frames without temperature and phase
#define OLD_CELSIUS 20.0f
#define FILE_LIMIT  ((size_t)1 << 40)

static const char *const columns[WORDS] = {
        "float x",       "float y",      "float z",  "float vx", "float vy",          "float vz",
        "float density", "int material", "int body", "int id",   "float temperature", "int phase",
};

static oz_result refuse(const char *path, const char *what, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_FORMAT,
	               "%s is not a frame of ooze: %s; run the scene again with output.ply true",
	               path, what);
}

// Cuts the next line off the text and returns it; NULL if no newline is left.
static char *next_line(char **text, const char *end)
{
	char *line = *text;
	char *stop = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
	if (!stop)
		return NULL;
	*stop = 0;
	*text = stop + 1;
	return line;
}

static bool starts(const char *line, const char *with)
{
	return line && strncmp(line, with, strlen(with)) == 0;
}

// Reads the header and its end; *text then points to the first record.
static oz_result read_header(const char *path, char **text, const char *end, uint32_t *count,
                             uint32_t *words, oz_error *error)
{
	const char *line = next_line(text, end);
	uint32_t found = 0;
	bool counted = false;
	if (!line || strcmp(line, "ply") != 0)
		return refuse(path, "it does not begin with 'ply'", error);
	line = next_line(text, end);
	if (!line || strcmp(line, "format binary_little_endian 1.0") != 0)
		return refuse(path, "it is not binary, little-endian, version 1.0", error);
	while ((line = next_line(text, end)) && strcmp(line, "end_header") != 0) {
		if (starts(line, "comment "))
			continue;
		char *rest = NULL;
		unsigned long long number = 0;
		if (starts(line, "element vertex ") && !counted)
			number = strtoull(line + 15, &rest, 10);
		if (rest && rest != line + 15 && !*rest && number < OZ_NONE) {
			*count = (uint32_t)number;
			counted = true;
		} else if (starts(line, "property ") && found < WORDS &&
		           strcmp(line + 9, columns[found]) == 0) {
			found++;
		} else {
			return refuse(path, "its header has a line that frames do not have", error);
		}
	}
	if (!line || !counted || found < OLD_WORDS)
		return refuse(path, "its header ends too early", error);
	*words = found;
	return OZ_OK;
}

static uint32_t word_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

// Reads a record of `count` words, which are in the order of the struct.
static void unpack(oz_grain *grain, const uint8_t *record, uint32_t count)
{
	uint32_t words[WORDS];
	_Static_assert(sizeof words == sizeof *grain, "a grain is a record");
	for (uint32_t k = 0; k < count; k++)
		words[k] = word_at(record + 4 * k);
	grain->temperature = OLD_CELSIUS;
	grain->phase = 1;
	memcpy(grain, words, 4 * (size_t)count);
}

static oz_result read_grains(const char *path, char *data, size_t size, oz_frame *frame,
                             oz_error *error)
{
	char *text = data;
	uint32_t count = 0, words = 0;
	oz_result result = read_header(path, &text, data + size, &count, &words, error);
	if (result != OZ_OK)
		return result;
	size_t left = (size_t)(data + size - text);
	if (left != (size_t)count * words * 4)
		return oz_fail(error, OZ_ERROR_FORMAT,
		               "%s is damaged: %zu bytes of particles where its header says %zu; "
		               "run the scene again",
		               path, left, (size_t)count * words * 4);
	frame->grains = malloc(sizeof *frame->grains * ((size_t)count + 1));
	if (!frame->grains)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "%s has %u particles, more than memory holds; close other programs",
		               path, count);
	frame->count = count;
	for (uint32_t i = 0; i < count; i++)
		unpack(&frame->grains[i], (const uint8_t *)text + (size_t)i * words * 4, words);
	return OZ_OK;
}

oz_result oz_frame_read(const char *path, oz_frame *frame, oz_error *error)
{
	char *data = NULL;
	size_t size = 0;
	*frame = (oz_frame){0};
	oz_result result = oz_file_read(path, FILE_LIMIT, &data, &size, error);
	if (result == OZ_OK)
		result = read_grains(path, data, size, frame, error);
	free(data);
	return result;
}

void oz_frame_count_solid(const oz_frame *frame, uint32_t *counts, uint32_t bodies)
{
	memset(counts, 0, sizeof *counts * bodies);
	for (uint32_t i = 0; i < frame->count; i++)
		if (frame->grains[i].body < bodies)
			counts[frame->grains[i].body]++;
	for (uint32_t i = 0; i < frame->count; i++) {
		const oz_grain *g = &frame->grains[i];
		if (g->body < bodies && (g->phase != 1 || !oz_is_valid_position(g->position)))
			counts[g->body] = 0;
	}
}

bool oz_is_valid_position(oz_vec3 p)
{
	// component by component: a maximum may discard a NaN
	return oz_abs(p.x) < 1e9f && oz_abs(p.y) < 1e9f && oz_abs(p.z) < 1e9f;
}

void oz_frame_free(oz_frame *frame)
{
	free(frame->grains);
	*frame = (oz_frame){0};
}

// ---- the frames of a folder -------------------------------------------------------------------

// Whether a name is "frame_", 5 to 9 digits, a dot and the ending; gives the number.
static bool is_frame(const char *name, const char *ending, uint32_t *number)
{
	if (!starts(name, "frame_"))
		return false;
	size_t digits = strspn(name + 6, "0123456789");
	const char *rest = name + 6 + digits;
	if (digits < 5 || digits > 9 || rest[0] != '.' || strcmp(rest + 1, ending) != 0)
		return false;
	*number = (uint32_t)strtoul(name + 6, NULL, 10);
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static oz_result collect(DIR *list, const char *ending, uint32_t **numbers, uint32_t *count,
                         oz_error *error)
{
	uint32_t capacity = 0, number;
	for (struct dirent *entry; (entry = readdir(list));) {
		if (!is_frame(entry->d_name, ending, &number))
			continue;
		if (*count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			uint32_t *grown = realloc(*numbers, sizeof **numbers * capacity);
			if (!grown)
				return oz_fail(error, OZ_ERROR_MEMORY,
				               "out of memory after %u frames; close other "
				               "programs",
				               *count);
			*numbers = grown;
		}
		(*numbers)[(*count)++] = number;
	}
	return OZ_OK;
}

oz_result oz_frame_list(const char *folder, const char *ending, uint32_t **numbers, uint32_t *count,
                        oz_error *error)
{
	*numbers = NULL;
	*count = 0;
	DIR *list = opendir(folder);
	if (!list && errno == ENOENT)
		return OZ_OK;
	if (!list)
		return oz_fail(error, OZ_ERROR_FILE, "the folder %s cannot be read: %s; check it",
		               folder, strerror(errno));
	oz_result result = collect(list, ending, numbers, count, error);
	closedir(list);
	if (*count)
		qsort(*numbers, *count, sizeof **numbers, by_number);
	return result;
}
