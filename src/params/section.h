// section.h: a section of a snapshot: bytes on their way out or in, and definitions by parameter
// name.
//
// A file of an older version lacks a parameter, which then gets its default; one of a newer version
// can say which parameter is unknown here.
#ifndef OZ_SECTION_H
#define OZ_SECTION_H

#include "base/base.h"

// bytes that grow, or bytes that are read up to their end
typedef struct oz_section {
	oz_heap *heap;
	char *bytes;
	size_t size, capacity, at;
	bool failed; // memory is out, or the end was passed
} oz_section;

void oz_section_put(oz_section *section, const void *data, size_t size);
void oz_section_get(oz_section *section, void *data, size_t size);
void oz_section_free(oz_section *section);

#define OZ_SECTION_MOST 16384u // things of a kind that a section may list

// Reads how many things follow; 0, and the section has failed, where that cannot be.
uint32_t oz_section_get_count(oz_section *section);
// Says that a section holds an unknown parameter, or ends too early.
oz_result oz_section_unknown(const char *name, oz_error *error);
oz_result oz_section_short(const char *what, oz_error *error);

// Reads keyframes into memory of the section's heap, which the caller frees; also on failure.
oz_result oz_section_get_keyframes(oz_section *section, oz_keyframe **frames, uint32_t *count,
                                   oz_error *error);

// A definition's parameters, by name. Reading gives false, and the name, for one that is unknown.
void oz_section_put_params(oz_section *section, oz_param_group group, const void *def);
bool oz_section_get_params(oz_section *section, oz_param_group group, void *def, char name[64]);

#endif
