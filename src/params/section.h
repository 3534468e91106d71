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

// A definition's parameters, by name. Reading gives false, and the name, for one that is unknown.
void oz_section_put_params(oz_section *section, oz_param_group group, const void *def);
bool oz_section_get_params(oz_section *section, oz_param_group group, void *def, char name[64]);

#endif
