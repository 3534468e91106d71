// snapshot_format.h: the fixed records of a snapshot file.
#ifndef OZ_SNAPSHOT_FORMAT_H
#define OZ_SNAPSHOT_FORMAT_H

#include <stdio.h>
#include <string.h>

#include "params/section.h"
#include "world/world.h"

#define SNAPSHOT_MAGIC "OOZESNAP"
#define SNAPSHOT_ORDER 0x01020304u // differs on a machine of the other byte order
#define SNAPSHOT_END   "end"
#define SNAPSHOT_PIECE ((size_t)1 << 20) // bytes of a field that are read and hashed at a time
#define SNAPSHOT_LATE  1e9               // s, latest time that is accepted

typedef struct snapshot_header {
	char magic[8];
	uint32_t version, order;
} snapshot_header;

// Sections: world, materials, bodies, colliders, nozzles, those of models, then the fields
// of particles and slots by name, in any order, then the end. A missing field means an older
// version, an unknown one a newer version.
typedef struct section_header {
	char tag[24]; // padded with zeros
	uint64_t size, hash;
} section_header;

typedef struct snapshot_state {
	double time;
	uint64_t step;
	uint32_t next_id, particles;
	oz_last_step last_step;
	oz_grid grid;
	uint32_t listed, squeezed;
	uint32_t slots, components; // since version 2
	float near;                 // since version 4
	uint32_t spare;             // zero
} snapshot_state;

// State of reading a snapshot.
typedef struct oz_loader {
	FILE *stream;
	uint64_t left; // bytes of the file not yet read
	uint32_t version;
	uint64_t seed; // of the checksum of the section that was begun last
	const char *path;
	oz_hooks hooks;
	const char *device;
	uint32_t threads;
	oz_world *world;
	oz_section section;
	oz_error *error;
} oz_loader;

// snapshot_load.c: fails with "FILE is damaged: what"; reads bytes, false at the end of the file;
// reads the header of the next section
oz_result oz_snapshot_damaged(const oz_loader *loader, const char *what);
bool oz_snapshot_get(oz_loader *loader, void *data, size_t size);
oz_result oz_snapshot_next(oz_loader *loader, section_header *header);

// snapshot_fields.c: writes all fields of the registry to a file; reads them
void oz_snapshot_put_fields(oz_world *world, oz_file *file, char *piece);
oz_result oz_snapshot_get_fields(oz_loader *loader, const snapshot_state *state);

// Checks the state, before anything else is read. Returns the fault, or NULL.
const char *oz_snapshot_check_state(const oz_world *world, const snapshot_state *state);
// Checks all fields, after all is read. Returns the fault, or NULL.
const char *oz_snapshot_check_particles(oz_world *world, const snapshot_state *state);

static inline section_header snapshot_header_of(const char *tag, size_t size)
{
	section_header header = {.size = size};
	strncpy(header.tag, tag, sizeof header.tag - 1);
	return header;
}

// the start value of a section's checksum, so that the checksum covers the tag
static inline uint64_t snapshot_seed(const section_header *header)
{
	return oz_hash(header->tag, sizeof header->tag, 0);
}

#endif
