// run_folder.c: the folder of a run.
//
//   DIR/scene.json               the scene with every default filled in
//   DIR/frames/frame_00000.vtu   and .ply, .h5
//   DIR/frames.pvd  DIR/particles.h5  DIR/particles.xmf  DIR/stats.csv  DIR/bodies.csv
//   DIR/snapshot.ooze
//
// The folder itself is locked while a run writes to it. The lock ends with the process in any case
// and needs no file.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "run.h"

oz_result oz_run_folder_name(oz_run_folder *folder, const char *path, oz_error *error)
{
	size_t length = strlen(path);
	folder->lock = -1;
	folder->path[0] = 0;
	if (length > OZ_RUN_FOLDER_MAX)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %.60s… has too long a name; choose a shorter one", path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	memcpy(folder->path, path, length);
	folder->path[length] = 0;
	return OZ_OK;
}

oz_run_path oz_run_folder_path(const oz_run_folder *folder, const char *name)
{
	oz_run_path path;
	snprintf(path.s, sizeof path.s, "%s/%s", folder->path, name);
	return path;
}

oz_run_path oz_run_folder_frame(const oz_run_folder *folder, uint32_t frame, const char *ending)
{
	oz_run_path path;
	snprintf(path.s, sizeof path.s, "%s/frames/frame_%05" PRIu32 ".%s", folder->path, frame,
	         ending);
	return path;
}

bool oz_run_folder_has(const oz_run_folder *folder, const char *name)
{
	oz_run_path path = oz_run_folder_path(folder, name);
	return access(path.s, F_OK) == 0;
}

bool oz_run_folder_is_empty(const oz_run_folder *folder)
{
	// scene.json.part remains if a run was killed at its beginning
	static const char *const nothing[] = {".", "..", "scene.json.part"};
	DIR *list = opendir(folder->path);
	if (!list)
		return true;
	bool empty = true;
	for (struct dirent *entry; empty && (entry = readdir(list));) {
		empty = false;
		for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
			empty = empty || strcmp(entry->d_name, nothing[i]) == 0;
	}
	closedir(list);
	return empty;
}

// ---- creating and locking ---------------------------------------------------------------------

static oz_result lock_folder(oz_run_folder *folder, oz_error *error)
{
	folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder->lock < 0)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %s cannot be opened: %s; choose another with -o",
		               folder->path, strerror(errno));
	// some network disks have no locks: other errors are ignored, and the folder is not
	// protected
	if (flock(folder->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return oz_fail(error, OZ_ERROR_FILE,
		               "another run is writing to %s; wait for it to end, or choose "
		               "another folder with -o",
		               folder->path);
	return OZ_OK;
}

oz_result oz_run_folder_enter(oz_run_folder *folder, oz_error *error)
{
	oz_result result = oz_folder_make(folder->path, error);
	if (result == OZ_OK && access(folder->path, W_OK | X_OK) != 0)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the folder %s cannot be written to: %s; choose another with -o",
		               folder->path, strerror(errno));
	return result == OZ_OK ? lock_folder(folder, error) : result;
}

oz_result oz_run_folder_add_frames(const oz_run_folder *folder, oz_error *error)
{
	return oz_folder_make(oz_run_folder_path(folder, "frames").s, error);
}

void oz_run_folder_leave(oz_run_folder *folder)
{
	if (folder->lock >= 0)
		close(folder->lock);
	folder->lock = -1;
}
