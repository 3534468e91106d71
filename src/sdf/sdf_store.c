// sdf_store.c: records that are kept beside an SDF in the cache on disk, a file for each key.
//
// A file holds its head and the record, as it is in memory. A file that does not match is ignored,
// and the record is computed anew.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boundary/sdf_data.h"
#include "sdf/mesh_sdf_file.h"

#define ORDER 0x01020304u // differs on a machine of the other byte order

typedef struct head {
	char magic[8];
	uint32_t version, order;
	uint64_t sdf, key; // of the SDF, of the record
	uint64_t hash;     // of the record
} head;

typedef struct folder_store {
	oz_sdf_store calls; // first: the pointer that the calls get
	oz_heap heap;
	oz_sdf_entry entry;
} folder_store;

static head head_of(const folder_store *f, uint64_t key, const void *data, size_t size)
{
	return (head){"OOZEREC", 1, ORDER, f->entry.key, key, oz_hash(data, size, key)};
}

// the file of a record: that of the SDF with another ending
static bool path_of(const folder_store *f, uint64_t key, char *path, size_t room)
{
	const int stem = (int)(strlen(f->entry.path) - strlen(".sdf"));
	const int length = snprintf(path, room, "%.*s-%016llx.record", stem, f->entry.path,
	                            (unsigned long long)key);
	return length > 0 && (size_t)length < room;
}

static bool get(const oz_sdf_store *store, uint64_t key, void *data, size_t size)
{
	const folder_store *f = (const folder_store *)store;
	char path[sizeof f->entry.path + 32];
	char *file = NULL;
	size_t length = 0;
	if (!path_of(f, key, path, sizeof path) || access(path, R_OK) != 0 ||
	    oz_file_read(path, sizeof(head) + size, &file, &length, NULL) != OZ_OK)
		return false;
	bool valid = length == sizeof(head) + size;
	if (valid) {
		const head h = head_of(f, key, file + sizeof h, size);
		valid = memcmp(&h, file, sizeof h) == 0;
	}
	if (valid)
		memcpy(data, file + sizeof(head), size);
	free(file);
	return valid;
}

static void put(const oz_sdf_store *store, uint64_t key, const void *data, size_t size)
{
	const folder_store *f = (const folder_store *)store;
	char path[sizeof f->entry.path + 32];
	oz_file file;
	if (!path_of(f, key, path, sizeof path) || oz_file_begin(&file, path, NULL) != OZ_OK)
		return;
	const head h = head_of(f, key, data, size);
	oz_file_put(&file, &h, sizeof h);
	oz_file_put(&file, data, size);
	oz_file_commit(&file, NULL);
}

static void release(oz_sdf_store *store)
{
	oz_heap heap = ((folder_store *)store)->heap;
	oz_heap_free(&heap, store, sizeof(folder_store));
}

void oz_sdf_attach_store(oz_sdf *sdf, const oz_sdf_entry *entry)
{
	if (!entry->path[0] || sdf->store)
		return;
	folder_store *f = oz_heap_alloc(&sdf->heap, sizeof *f);
	if (!f)
		return;
	*f = (folder_store){{get, put, release}, sdf->heap, *entry};
	sdf->store = &f->calls;
}
