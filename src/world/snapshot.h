// snapshot.h: reading and writing the pieces of a snapshot.
//
// A snapshot is a header and a row of sections, each with a tag, a size and a checksum. Definitions
// are written by parameter name, so that a file of an older version, which lacks a parameter, gets
// its default, and one of a newer version can say which parameter is unknown here.
#ifndef OZ_SNAPSHOT_H
#define OZ_SNAPSHOT_H

#include "world/world.h"

#define OZ_SNAPSHOT_VERSION 4u // 1 had no blended particles, 2 no charts, 3 no heat

// A section on its way out or in: bytes that grow, or bytes that are read up to their end.
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
