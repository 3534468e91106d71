// h5.h: small HDF5 files, made in memory and written like all others: beside and then renamed.
//
// HDF5 does not write to the disk itself, so the old file survives a full disk or a killed run, and
// the error sentences are those of all other files. The first failure is kept; oz_h5_commit returns
// it.
#ifndef OZ_H5_H
#define OZ_H5_H

#include "ooze/ooze.h"

typedef enum oz_h5_type { OZ_H5_FLOAT, OZ_H5_UINT } oz_h5_type;

typedef struct oz_h5 {
	int64_t file;
	bool failed;
	void *handler[2]; // HDF5's error handler and its context, as the caller's program set them
} oz_h5;

// OZ_ERROR_UNAVAILABLE where the installed HDF5 is not the version of the build.
oz_result oz_h5_available(oz_error *error);
// Begins an empty file in memory; `path` is for the error sentence.
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
// Closes the file and writes it to the disk.
oz_result oz_h5_commit(oz_h5 *h5, const char *path, oz_error *error);

// Reads a number attribute of the root group and the number of rows of a dataset.
oz_result oz_h5_read_header(const char *path, const char *attribute, double *value,
                            const char *dataset, uint64_t *rows, oz_error *error);

#endif
