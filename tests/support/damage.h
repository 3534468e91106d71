// damage.h: snapshots with bytes changed, which must be refused or run.
#ifndef OZ_TEST_DAMAGE_H
#define OZ_TEST_DAMAGE_H

#include "world/snapshot_format.h"
#include "worlds.h"

// Where the section with a tag begins in a snapshot; writes its header.
size_t test_find_section(const char *file, const char *tag, section_header *header);
// Writes a snapshot to a path with some bytes of a section changed and its checksum right.
void test_write_changed(const char *path, const char *file, size_t size, const char *tag,
                        size_t offset, const void *bytes, size_t count);
// Whether the snapshot at a path is refused: with a sentence that holds this one (NULL: any), no
// world, and all memory given back. If it is not refused, its world must run.
bool test_is_refused(const char *path, const char *sentence);

#endif
