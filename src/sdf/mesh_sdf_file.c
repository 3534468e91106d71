// mesh_sdf_file.c: cache of SDFs on disk; the name of a file is the hash of mesh and definition.
//
// A file holds its head, `places` and `nearest`, as they are in memory; the head gives sizes and a
// hash of all of it. A file that does not match is ignored, and the SDF is made anew.
#include "sdf/mesh_sdf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boundary/sdf_data.h"

#define VERSION   2u
#define ORDER     0x01020304u // differs on a machine of the other byte order
#define MOST_READ ((size_t)8 << 30)

typedef struct head {
	char magic[8];
	uint32_t version, order;
	uint64_t key;
	uint64_t hash; // of the head with 0 here, and of the rest of the file
	oz_sdf_frame frame;
	uint32_t block_count;
	oz_mesh_report report;
} head;

static const char magic[8] = "OOZECHT";

// ---- file name --------------------------------------------------------------------------------

// hash of mesh and definition
static uint64_t key_of(const oz_mesh *mesh, const oz_mesh_sdf_def *def)
{
	const uint32_t counts[4] = {VERSION, mesh->vertex_count, mesh->triangle_count, def->shell};
	const float sizes[2] = {def->cell, def->reach};
	uint64_t h = oz_hash(counts, sizeof counts, sizeof(head));
	h = oz_hash(sizes, sizeof sizes, h);
	h = oz_hash(mesh->vertices, sizeof *mesh->vertices * mesh->vertex_count, h);
	return oz_hash(mesh->triangles, sizeof *mesh->triangles * mesh->triangle_count, h);
}

oz_sdf_entry oz_sdf_entry_of(const oz_mesh *mesh, const oz_mesh_sdf_def *def)
{
	oz_sdf_entry entry = {0, ""};
	char folder[4000];
	if (def->cache && !def->cache[0])
		return entry;
	if (def->cache) {
		const int length = snprintf(folder, sizeof folder, "%s", def->cache);
		if ((size_t)length >= sizeof folder || oz_folder_make(folder, NULL) != OZ_OK)
			return entry;
	} else if (!oz_cache_folder("sdf", folder, sizeof folder)) {
		return entry;
	}
	entry.key = key_of(mesh, def);
	snprintf(entry.path, sizeof entry.path, "%s/%016llx.sdf", folder,
	         (unsigned long long)entry.key);
	return entry;
}

// ---- reading ----------------------------------------------------------------------------------

static uint64_t hash_of(const head *h, const void *places, size_t place_bytes, const void *nearest,
                        size_t nearest_bytes)
{
	head bare = *h;
	bare.hash = 0;
	const uint64_t hash = oz_hash(&bare, sizeof bare, 0);
	return oz_hash(nearest, nearest_bytes, oz_hash(places, place_bytes, hash));
}

static size_t place_bytes(const head *h)
{
	return sizeof(uint) * oz_sdf_place_count(&h->frame);
}

static size_t nearest_bytes(const head *h)
{
	return sizeof(oz_float4) * OZ_SDF_NODES * h->block_count;
}

// what is wrong with a file, as the end of a sentence; NULL: nothing
static const char *find_fault(const head *h, const char *data, size_t size, uint64_t key)
{
	const char *rest = data + sizeof *h;
	if (size < sizeof *h || memcmp(h->magic, magic, sizeof magic) != 0)
		return "is not an SDF file";
	if (h->version != VERSION || h->order != ORDER || h->key != key)
		return "is of another version or mesh";
	if (size != sizeof *h + place_bytes(h) + nearest_bytes(h))
		return "has the wrong size";
	if (h->hash != hash_of(h, rest, place_bytes(h), rest + place_bytes(h), nearest_bytes(h)))
		return "is damaged";
	return NULL;
}

// makes an SDF from the rest of a file; NULL: out of memory, or not valid
static oz_sdf *unpack(const head *h, const char *rest, const oz_hooks *hooks)
{
	oz_sdf *c = oz_sdf_alloc(&h->frame, h->block_count, hooks);
	if (!c)
		return NULL;
	memcpy(c->places, rest, place_bytes(h));
	if (h->block_count)
		memcpy(c->nearest, rest + place_bytes(h), nearest_bytes(h));
	if (oz_sdf_is_sound(c))
		return c;
	oz_sdf_release(c);
	return NULL;
}

oz_sdf *oz_sdf_load(const oz_sdf_entry *entry, const oz_mesh_sdf_def *def, oz_mesh_report *report)
{
	char *data = NULL;
	size_t size = 0;
	if (!entry->path[0] || access(entry->path, R_OK) != 0 ||
	    oz_file_read(entry->path, MOST_READ, &data, &size, NULL) != OZ_OK)
		return NULL;
	head h = {0};
	memcpy(&h, data, size < sizeof h ? size : sizeof h);
	const char *fault = find_fault(&h, data, size, entry->key);
	oz_sdf *sdf = fault ? NULL : unpack(&h, data + sizeof h, &def->hooks);
	free(data);
	if (!sdf) {
		oz_heap heap;
		oz_heap_init(&heap, &def->hooks);
		oz_heap_log(&heap, OZ_LOG_WARNING, "the SDF %s %s; it is made anew", entry->path,
		            fault ? fault : "cannot be used");
		return NULL;
	}
	*report = h.report;
	report->cached = true;
	return sdf;
}

// ---- writing ----------------------------------------------------------------------------------

void oz_sdf_save(const oz_sdf_entry *entry, const oz_sdf *sdf, const oz_mesh_report *report)
{
	oz_file file;
	if (!entry->path[0] || oz_file_begin(&file, entry->path, NULL) != OZ_OK)
		return;
	head h;
	// the padding of the struct is hashed, too
	memset(&h, 0, sizeof h);
	memcpy(h.magic, magic, sizeof magic);
	h.version = VERSION;
	h.order = ORDER;
	h.key = entry->key;
	h.frame = sdf->frame;
	h.block_count = sdf->block_count;
	h.report = *report;
	h.hash = hash_of(&h, sdf->places, place_bytes(&h), sdf->nearest, nearest_bytes(&h));
	oz_file_put(&file, &h, sizeof h);
	oz_file_put(&file, sdf->places, place_bytes(&h));
	oz_file_put(&file, sdf->nearest, nearest_bytes(&h));
	oz_file_commit(&file, NULL);
}
