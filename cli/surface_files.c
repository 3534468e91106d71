// surface_files.c: the files of `ooze surface`.
//
//   DIR/surfaces/surface_00000.ply …             one mesh for all
//   DIR/surfaces/surface_body_NAME_00000.ply …   one for each body; surface_material_NAME_…
//   DIR/surfaces.pvd, surfaces_body_NAME.pvd …   where VTP is written: all frames as a time series
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/export/export.h"
#include "surface.h"

static const struct {
	const char *name;
	oz_result (*write)(const oz_surface_mesh *mesh, const char *path, oz_error *error);
} formats_known[] = {
        {"ply", oz_export_mesh_ply},
        {"obj", oz_export_mesh_obj},
        {"vtp", oz_export_mesh_vtp},
        {"glb", oz_export_mesh_glb},
};
#define FORMATS (uint32_t)(sizeof formats_known / sizeof formats_known[0])
#define VTP     2u // its place in the table

uint32_t oz_cli_surface_format(const char *word, size_t length)
{
	for (uint32_t k = 0; k < FORMATS; k++)
		if (strlen(formats_known[k].name) == length &&
		    memcmp(formats_known[k].name, word, length) == 0)
			return 1u << k;
	return 0;
}

// ---- names ------------------------------------------------------------------------------------

static bool is_taken(const char *name, char (*others)[OZ_CLI_SURFACE_NAME], uint32_t count)
{
	for (uint32_t k = 0; k < count; k++)
		if (strcmp(others[k], name) == 0)
			return true;
	return false;
}

void oz_cli_surface_file_name(const char *name, char (*others)[OZ_CLI_SURFACE_NAME],
                              uint32_t number, char *out)
{
	size_t used = 0;
	for (; name[used] && used < OZ_NAME_SIZE; used++) {
		const unsigned char c = (unsigned char)name[used];
		// keeps letters of other scripts, replaces characters that a shell interprets
		const bool plain = c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
		                   (c >= 'a' && c <= 'z') || c == '-';
		out[used] = plain ? name[used] : '_';
	}
	out[used] = 0;
	for (uint32_t k = number; out[0] == 0 || is_taken(out, others, number); k++)
		snprintf(out + used, 16, "%s%" PRIu32, used ? "_" : "", k);
}

// ---- writing ----------------------------------------------------------------------------------

oz_result oz_cli_surface_make_folder(const oz_run_folder *folder, oz_error *error)
{
	oz_run_path path = oz_run_folder_path(folder, "surfaces");
	if ((mkdir(folder->path, 0777) == 0 || errno == EEXIST) &&
	    (mkdir(path.s, 0777) == 0 || errno == EEXIST))
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_FILE,
	               "the folder %s cannot be made: %s; choose another with -o", path.s,
	               strerror(errno));
}

// Whether a name is the series, 5 digits or more, and the ending of one of the formats.
static bool is_of_series(const char *name, const char *series, uint32_t formats)
{
	const size_t length = strlen(series);
	if (strncmp(name, series, length) != 0)
		return false;
	const size_t digits = strspn(name + length, "0123456789");
	const char *ending = name + length + digits;
	for (uint32_t k = 0; digits >= 5 && ending[0] == '.' && k < FORMATS; k++)
		if (formats >> k & 1 && strcmp(ending + 1, formats_known[k].name) == 0)
			return true;
	return false;
}

oz_result oz_cli_surface_clear(const oz_run_folder *folder, const char *series, uint32_t formats,
                               oz_error *error)
{
	oz_run_path path = oz_run_folder_path(folder, "surfaces");
	DIR *list = opendir(path.s);
	if (!list)
		return oz_fail(error, OZ_ERROR_FILE, "the folder %s cannot be read: %s; check it",
		               path.s, strerror(errno));
	oz_result result = OZ_OK;
	for (struct dirent *entry; result == OZ_OK && (entry = readdir(list));)
		if (is_of_series(entry->d_name, series, formats) &&
		    unlinkat(dirfd(list), entry->d_name, 0) != 0)
			result = oz_fail(error, OZ_ERROR_FILE,
			                 "%s/%s is of an earlier call and cannot be removed: %s; "
			                 "remove it",
			                 path.s, entry->d_name, strerror(errno));
	closedir(list);
	return result;
}

static void print_file(char *out, size_t size, const char *series, uint32_t number, uint32_t format)
{
	snprintf(out, size, "surfaces/%s%05" PRIu32 ".%s", series, number,
	         formats_known[format].name);
}

oz_result oz_cli_surface_write(const oz_run_folder *folder, const char *series, uint32_t number,
                               uint32_t formats, const oz_surface_mesh *mesh, oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t k = 0; result == OZ_OK && k < FORMATS; k++) {
		char file[OZ_CLI_SURFACE_NAME + 48];
		if (!(formats >> k & 1))
			continue;
		print_file(file, sizeof file, series, number, k);
		result = formats_known[k].write(mesh, oz_run_folder_path(folder, file).s, error);
	}
	return result;
}

oz_result oz_cli_surface_write_list(const oz_run_folder *folder, const oz_show_frames *frames,
                                    const char *list, const char *series, uint32_t formats,
                                    oz_error *error)
{
	char(*names)[OZ_CLI_SURFACE_NAME + 48] = calloc((size_t)frames->count + 1, sizeof *names);
	const char **files = calloc((size_t)frames->count + 1, sizeof *files);
	double *times = calloc((size_t)frames->count + 1, sizeof *times);
	oz_result result = OZ_OK;
	if (!names || !files || !times)
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for the list of frames; close other programs");
	else if (formats >> VTP & 1) {
		for (uint32_t k = 0; k < frames->count; k++) {
			print_file(names[k], sizeof names[k], series, frames->numbers[k], VTP);
			files[k] = names[k];
			times[k] = oz_show_time(frames, frames->numbers[k]);
		}
		char file[OZ_CLI_SURFACE_NAME + 48];
		snprintf(file, sizeof file, "%s.pvd", list);
		result = oz_export_pvd(oz_run_folder_path(folder, file).s, files, times,
		                       frames->count, error);
	}
	free(names);
	free(files);
	free(times);
	return result;
}
