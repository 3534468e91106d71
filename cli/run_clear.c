// run_clear.c: removes the results of an old run before a new one, and pictures and surfaces made
// from them, which would be mistaken for those of the new frames.
//
// Removes only files with names that this program gives: frame_00012.ply, but not mine.ply.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "../src/render/plot.h"
#include "run.h"

#define DIGITS "0123456789"

static oz_result remove_file(const char *path, oz_error *error)
{
	// test the existence first: on a read-only disk unlink fails also for files that do not
	// exist
	if (access(path, F_OK) != 0 || unlink(path) == 0 || errno == ENOENT)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_FILE,
	               "%s of an earlier run cannot be removed: %s; choose another folder with -o",
	               path, strerror(errno));
}

// ---- names of results -------------------------------------------------------------------------

// Whether it is one of the endings, or one with .part (a file that was not finished).
static bool ends_as(const char *ending, const char *const *endings, size_t count)
{
	char part[16];
	for (size_t i = 0; i < count; i++) {
		snprintf(part, sizeof part, "%s.part", endings[i]);
		if (strcmp(ending, endings[i]) == 0 || strcmp(ending, part) == 0)
			return true;
	}
	return false;
}

static bool is_frame(const char *name)
{
	static const char *const endings[] = {".vtu", ".ply", ".h5"};
	return strncmp(name, "frame_", 6) == 0 &&
	       ends_as(name + 6 + strspn(name + 6, DIGITS), endings, 3);
}

static bool is_picture(const char *name)
{
	static const char *const endings[] = {".png"};
	const size_t digits = strncmp(name, "frame_", 6) == 0 ? strspn(name + 6, DIGITS) : 0;
	return digits >= 5 && ends_as(name + 6 + digits, endings, 1);
}

// surface_00012.ply or surface_body_NAME_00012.ply
static bool is_surface(const char *name)
{
	static const char *const endings[] = {".ply", ".obj", ".vtp", ".glb"};
	const char *dot = strchr(name, '.'), *digits = dot;
	if (strncmp(name, "surface_", 8) != 0 || !dot)
		return false;
	while (digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	return dot - digits >= 5 && digits[-1] == '_' && ends_as(dot, endings, 4);
}

static bool is_plot(const char *name)
{
	static const char *const endings[] = {".svg", ".png"};
	for (uint32_t k = 0; k < oz_plot_count(); k++) {
		const size_t length = strlen(oz_plot_name(k));
		if (strncmp(name, oz_plot_name(k), length) == 0 &&
		    ends_as(name + length, endings, 2))
			return true;
	}
	return false;
}

// Files in the run's folder itself: single pictures, contact sheet, video, lists of surfaces.
static bool is_in_run_folder(const char *name)
{
	static const char *const endings[] = {".pvd"};
	static const char *const names[] = {"contact_sheet.png", "contact_sheet.png.part",
	                                    "movie.mp4", "movie.mp4.part", "poses.glb"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	if (is_picture(name))
		return true;
	// surfaces.pvd and surfaces_body_NAME.pvd
	const char *dot = strchr(name, '.');
	return strncmp(name, "surfaces", 8) == 0 && (name[8] == '.' || name[8] == '_') && dot &&
	       ends_as(dot, endings, 1);
}

// ---- clearing ---------------------------------------------------------------------------------

// Removes result files from a folder inside the run's; `inner` NULL: from the run's folder itself.
static oz_result clear_folder(const oz_run_folder *folder, const char *inner,
                              bool (*is_result)(const char *name), oz_error *error)
{
	DIR *list = opendir(inner ? oz_run_folder_path(folder, inner).s : folder->path);
	if (!list)
		return OZ_OK;
	oz_result result = OZ_OK;
	for (struct dirent *entry; result == OZ_OK && (entry = readdir(list));) {
		if (!is_result(entry->d_name))
			continue;
		char name[300];
		snprintf(name, sizeof name, "%s%s%s", inner ? inner : "", inner ? "/" : "",
		         entry->d_name);
		result = remove_file(oz_run_folder_path(folder, name).s, error);
	}
	closedir(list);
	return result;
}

oz_result oz_run_folder_remove_snapshot(const oz_run_folder *folder, oz_error *error)
{
	return remove_file(oz_run_folder_path(folder, "snapshot.ooze").s, error);
}

oz_result oz_run_folder_clear(const oz_run_folder *folder, oz_error *error)
{
	static const char *const names[] = {"snapshot.ooze", "snapshot.ooze.part",
	                                    "stats.csv",     "stats.csv.part",
	                                    "bodies.csv",    "bodies.csv.part",
	                                    "frames.pvd",    "frames.pvd.part",
	                                    "particles.h5",  "particles.h5.part",
	                                    "particles.xmf", "particles.xmf.part"};
	static const struct {
		const char *folder;
		bool (*is_result)(const char *name);
	} places[] = {{"frames", is_frame},
	              {"pictures", is_picture},
	              {"surfaces", is_surface},
	              {"plots", is_plot},
	              {NULL, is_in_run_folder}};
	oz_result result = OZ_OK;
	for (size_t i = 0; result == OZ_OK && i < sizeof names / sizeof names[0]; i++)
		result = remove_file(oz_run_folder_path(folder, names[i]).s, error);
	for (size_t i = 0; result == OZ_OK && i < sizeof places / sizeof places[0]; i++)
		result = clear_folder(folder, places[i].folder, places[i].is_result, error);
	return result;
}
