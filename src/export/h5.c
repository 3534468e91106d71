// h5.c: HDF5 files, made by HDF5's "core" driver, which keeps them in memory.
//
// HDF5 prints nothing: its error printing is switched off while a file is made, and restored
// afterwards. Creation times are not stored, so the same particles give the same bytes.
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "h5.h"

#define CHUNK_ROWS 16384u // rows of a dataset that are compressed together
#define GROWTH     (1u << 20)

// HDF5 aborts the program if the library's version differs from the header's: check it first.
oz_result oz_h5_available(oz_error *error)
{
	unsigned major = 0, minor = 0, release = 0;
	H5get_libversion(&major, &minor, &release);
	if (major == H5_VERS_MAJOR && minor == H5_VERS_MINOR && release == H5_VERS_RELEASE)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "ooze was built with HDF5 %d.%d.%d, but the installed one is %u.%u.%u; "
	               "build ooze again",
	               H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, major, minor, release);
}

// Saves HDF5's error handler and switches it off.
static void silence_errors(oz_h5 *h5)
{
	H5E_auto2_t function = NULL;
	void *context = NULL;
	H5Eget_auto2(H5E_DEFAULT, &function, &context);
	memcpy(&h5->handler[0], &function, sizeof function);
	h5->handler[1] = context;
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void restore_errors(const oz_h5 *h5)
{
	H5E_auto2_t function;
	memcpy(&function, &h5->handler[0], sizeof function);
	H5Eset_auto2(H5E_DEFAULT, function, h5->handler[1]);
}

// Remembers a failure until the commit.
static void check(oz_h5 *h5, bool good)
{
	if (!good)
		h5->failed = true;
}

static oz_result cannot_make(const char *path, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory while making %s; close other programs and try again", path);
}

oz_result oz_h5_begin(oz_h5 *h5, const char *path, oz_error *error)
{
	*h5 = (oz_h5){.file = -1};
	oz_result result = oz_h5_available(error);
	if (result != OZ_OK)
		return result;
	silence_errors(h5);
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_core(access, GROWTH, 0);
	h5->file = H5Fcreate("ooze", H5F_ACC_TRUNC, H5P_DEFAULT, access);
	H5Pclose(access);
	if (h5->file >= 0)
		return OZ_OK;
	restore_errors(h5);
	return cannot_make(path, error);
}

// ---- attributes -------------------------------------------------------------------------------

static void put_attribute(oz_h5 *h5, const char *name, hid_t kind, hid_t memory, const void *value)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t attribute = H5Acreate2(h5->file, name, kind, space, H5P_DEFAULT, H5P_DEFAULT);
	check(h5, H5Awrite(attribute, memory, value) >= 0);
	H5Aclose(attribute);
	H5Sclose(space);
}

void oz_h5_number(oz_h5 *h5, const char *name, double value)
{
	put_attribute(h5, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void oz_h5_count(oz_h5 *h5, const char *name, uint64_t value)
{
	put_attribute(h5, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void oz_h5_text(oz_h5 *h5, const char *name, const char *text)
{
	hid_t type = H5Tcopy(H5T_C_S1);
	H5Tset_size(type, strlen(text) + 1);
	H5Tset_cset(type, H5T_CSET_UTF8);
	put_attribute(h5, name, type, type, text);
	H5Tclose(type);
}

// ---- datasets ---------------------------------------------------------------------------------

// Creation properties of a dataset: shuffled bytes and weak deflate, which saves a third at low
// cost.
static hid_t make_properties(uint32_t rows, uint32_t words)
{
	hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
	hsize_t chunk[2] = {rows < CHUNK_ROWS ? rows : CHUNK_ROWS, words};
	H5Pset_obj_track_times(properties, 0);
	if (rows) {
		H5Pset_chunk(properties, words > 1 ? 2 : 1, chunk);
		H5Pset_shuffle(properties);
		H5Pset_deflate(properties, 1);
	}
	return properties;
}

// Copies the elements of a view into one array, which the caller frees with free(); NULL: out of
// memory.
static void *gather(const oz_view *view, size_t size)
{
	char *rows = malloc(view->count * size + 1);
	for (size_t i = 0; rows && i < view->count; i++)
		memcpy(rows + i * size, (const char *)view->data + i * view->stride, size);
	return rows;
}

void oz_h5_array(oz_h5 *h5, const char *name, oz_h5_type type, const oz_view *view, uint32_t words)
{
	const hsize_t size[2] = {view->count, words};
	void *rows = gather(view, words * 4);
	hid_t properties = make_properties(view->count, words);
	hid_t space = H5Screate_simple(words > 1 ? 2 : 1, size, NULL);
	hid_t kind = type == OZ_H5_FLOAT ? H5T_IEEE_F32LE : H5T_STD_U32LE;
	hid_t memory = type == OZ_H5_FLOAT ? H5T_NATIVE_FLOAT : H5T_NATIVE_UINT32;
	hid_t set = H5Dcreate2(h5->file, name, kind, space, H5P_DEFAULT, properties, H5P_DEFAULT);
	check(h5, rows && set >= 0);
	if (rows && view->count)
		check(h5, H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
	check(h5, H5Dclose(set) >= 0);
	H5Sclose(space);
	H5Pclose(properties);
	free(rows);
}

void oz_h5_group(oz_h5 *h5, const char *name)
{
	hid_t group = H5Gcreate2(h5->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	check(h5, H5Gclose(group) >= 0);
}

void oz_h5_link(oz_h5 *h5, const char *name, const char *file)
{
	check(h5, H5Lcreate_external(file, "/", h5->file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

// ---- to and from the disk ---------------------------------------------------------------------

static oz_result write_image(const void *image, size_t size, const char *path, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_file_put(&file, image, size);
	return oz_file_commit(&file, error);
}

oz_result oz_h5_commit(oz_h5 *h5, const char *path, oz_error *error)
{
	void *image = NULL;
	check(h5, H5Fflush(h5->file, H5F_SCOPE_LOCAL) >= 0);
	ssize_t size = h5->failed ? -1 : H5Fget_file_image(h5->file, NULL, 0);
	if (size > 0)
		image = malloc((size_t)size);
	if (image && H5Fget_file_image(h5->file, image, (size_t)size) != size)
		size = -1;
	H5Fclose(h5->file);
	restore_errors(h5);
	oz_result result = image && size > 0 ? write_image(image, (size_t)size, path, error)
	                                     : cannot_make(path, error);
	free(image);
	return result;
}

// Reads a number of the root group and the row count of a dataset; false if either is missing.
static bool read_header(hid_t file, const char *attribute, double *value, const char *dataset,
                        uint64_t *rows)
{
	hid_t number = H5Aopen(file, attribute, H5P_DEFAULT);
	hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT);
	hid_t space = H5Dget_space(set);
	hsize_t size[2] = {0, 0};
	bool good = H5Aread(number, H5T_NATIVE_DOUBLE, value) >= 0 &&
	            H5Sget_simple_extent_ndims(space) == 2 &&
	            H5Sget_simple_extent_dims(space, size, NULL) == 2;
	*rows = size[0];
	H5Sclose(space);
	H5Dclose(set);
	H5Aclose(number);
	return good;
}

oz_result oz_h5_read_header(const char *path, const char *attribute, double *value,
                            const char *dataset, uint64_t *rows, oz_error *error)
{
	oz_h5 h5 = {.file = -1};
	oz_result result = oz_h5_available(error);
	if (result != OZ_OK)
		return result;
	silence_errors(&h5);
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	bool good = file >= 0 && read_header(file, attribute, value, dataset, rows);
	H5Fclose(file);
	restore_errors(&h5);
	return good ? OZ_OK
	            : oz_fail(error, OZ_ERROR_FILE,
	                      "%s is not a complete HDF5 file of particles; remove it, or start "
	                      "the run again",
	                      path);
}
