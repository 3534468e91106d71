// section.h: the bytes of one section of a snapshot, written or read; definitions are stored by
// parameter name.
//
// A parameter that is missing in a file of an older version gets its default. A file of a newer
// version may have an unknown parameter; the error names it.
#ifndef OZ_SECTION_H
#define OZ_SECTION_H

#include "base/base.h"

// a growing buffer while writing; a buffer with a read position `at` while reading
typedef struct oz_section {
	oz_heap *heap;
	char *bytes;
	size_t size, capacity, at;
	bool failed; // out of memory, or read past the end
} oz_section;

// Appends bytes; sets `failed` when out of memory.
void oz_section_put(oz_section *section, const void *data, size_t size);
// Reads the next bytes; past the end it sets `failed` and writes zeros.
void oz_section_get(oz_section *section, void *data, size_t size);
void oz_section_free(oz_section *section);

#define OZ_SECTION_MOST 16384u // most elements of a list in a section

// Reads the number of elements that follow; above OZ_SECTION_MOST it returns 0 and sets `failed`.
uint32_t oz_section_get_count(oz_section *section);
// Write an error: the section has an unknown parameter, or ends too early. `what` is a plural noun.
oz_result oz_section_fail_unknown(const char *name, oz_error *error);
oz_result oz_section_fail_short(const char *what, oz_error *error);

// Reads keyframes into memory of the section's heap. The caller frees it, also on failure.
oz_result oz_section_get_keyframes(oz_section *section, oz_keyframe **frames, uint32_t *count,
                                   oz_error *error);

// Write and read the parameters of a definition by name. Reading returns false, and the name, if a
// parameter is unknown.
void oz_section_put_params(oz_section *section, oz_param_group group, const void *def);
bool oz_section_get_params(oz_section *section, oz_param_group group, void *def, char name[64]);

#endif
