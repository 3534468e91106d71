// h5.h: small HDF5 files, made in memory and written like all others: beside and then renamed.
//
// HDF5 itself never touches the disk when writing, so a full disk or a killed run leaves the old
// file, and the sentences are those of every other file. The first failure is kept and told at the
// commit.
#ifndef OZ_H5_H
#define OZ_H5_H

#include "ooze/ooze.h"

typedef enum oz_h5_type { OZ_H5_FLOAT, OZ_H5_UINT } oz_h5_type;

typedef struct oz_h5 {
	int64_t file;
	bool failed;
	void *handler[2]; // what the caller's program does with HDF5's own errors
} oz_h5;

// OZ_ERROR_UNAVAILABLE where another HDF5 is met than the one it was built with.
oz_result oz_h5_available(oz_error *error);
oz_result oz_h5_begin(oz_h5 *h5, const char *path, oz_error *error);
// Attributes of the root group.
void oz_h5_number(oz_h5 *h5, const char *name, double value);
void oz_h5_count(oz_h5 *h5, const char *name, uint64_t value);
void oz_h5_text(oz_h5 *h5, const char *name, const char *text);
// A dataset: a row for each element, which is `words` 4-byte values.
void oz_h5_array(oz_h5 *h5, const char *name, oz_h5_type type, const oz_view *view, uint32_t words);
void oz_h5_group(oz_h5 *h5, const char *name);
// A link to the root group of another file, whose name is relative to this one.
void oz_h5_link(oz_h5 *h5, const char *name, const char *file);
oz_result oz_h5_commit(oz_h5 *h5, const char *path, oz_error *error);

// Reads an attribute of the root group, and the rows of a dataset.
oz_result oz_h5_look(const char *path, const char *attribute, double *value, const char *dataset,
                     uint64_t *rows, oz_error *error);

#endif
