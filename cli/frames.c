// frames.c: finds the frames of a run's folder and loads its scene.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "cli.h"
#include "frames.h"

// Fails because a folder has no PLY frames; says how to make them. `what`: the command's product.
static oz_result fail_without_frames(const oz_cli_frames *frames, const char *path,
                                     const char *what, oz_error *error)
{
	uint32_t *numbers, count;
	oz_result result = oz_frame_list(path, "vtu", &numbers, &count, error);
	free(numbers);
	if (result != OZ_OK)
		return result;
	if (count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s holds VTU frames only; %s are made from PLY: set output.ply to "
		               "true in the scene and run it again",
		               path, what);
	return oz_fail(error, OZ_ERROR_NOT_FOUND,
	               "%s holds no frames; make them with: ooze run SCENE -o %s",
	               frames->folder.path, frames->folder.path);
}

static oz_result find_frames(oz_cli_frames *frames, const char *what, oz_error *error)
{
	oz_run_path path = oz_run_folder_path(&frames->folder, "frames");
	if (access(frames->folder.path, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "there is no folder %s; name the folder of a run (ooze run SCENE -o "
		               "DIR)",
		               frames->folder.path);
	oz_result result =
	        oz_frame_list(path.s, "ply", &frames->numbers, &frames->all.count, error);
	if (result == OZ_OK && frames->all.count == 0)
		result = fail_without_frames(frames, path.s, what, error);
	return result;
}

static oz_result load_scene(oz_cli_frames *frames, uint32_t threads, const oz_hooks *hooks,
                            oz_error *error)
{
	oz_run_path path = oz_run_folder_path(&frames->folder, "scene.json");
	if (access(path.s, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s does not exist; it gives the size of particles and the "
		               "colliders: copy the scene of the run to it",
		               path.s);
	oz_result result = oz_scene_load(path.s, &frames->scene, error);
	if (result == OZ_OK)
		result = oz_scene_build(frames->scene, "cpu", threads, hooks, &frames->all.world,
		                        error);
	return result;
}

static oz_result read_frame(void *context, uint32_t number, oz_frame *frame, oz_error *error)
{
	const oz_cli_frames *frames = context;
	return oz_frame_read(oz_run_folder_frame(&frames->folder, number, "ply").s, frame, error);
}

static void warn_of_lost(void *context, uint32_t number, uint32_t lost, uint32_t count)
{
	(void)context;
	oz_cli_warn("frame %" PRIu32 ": %s of %s particles have no finite position "
	            "and are left out; run again with a smaller cfl",
	            number, oz_cli_count(lost).s, oz_cli_count(count).s);
}

oz_result oz_cli_frames_open(oz_cli_frames *frames, const char *folder, const char *what,
                             uint32_t threads, const oz_hooks *hooks, oz_error *error)
{
	*frames = (oz_cli_frames){
	        .all = {.read = read_frame, .report_lost = warn_of_lost, .context = frames}};
	oz_result result = oz_run_folder_name(&frames->folder, folder, error);
	if (result == OZ_OK)
		result = find_frames(frames, what, error);
	if (result == OZ_OK)
		result = load_scene(frames, threads, hooks, error);
	frames->all.scene = frames->scene;
	frames->all.numbers = frames->numbers;
	return result;
}

void oz_cli_frames_close(oz_cli_frames *frames)
{
	free(frames->numbers);
	oz_world_destroy(frames->all.world);
	oz_scene_free(frames->scene);
	*frames = (oz_cli_frames){.scene = NULL};
}

void oz_cli_frames_warn_of_gaps(const oz_cli_frames *frames)
{
	uint32_t first = 0, missing = 0, next = 0;
	for (uint32_t k = 0; k < frames->all.count; k++) {
		if (frames->numbers[k] > next && missing == 0)
			first = next;
		missing += frames->numbers[k] - next;
		next = frames->numbers[k] + 1;
	}
	if (missing == 0)
		return;
	char others[48] = "";
	if (missing > 1)
		snprintf(others, sizeof others, " and %" PRIu32 " more", missing - 1);
	oz_cli_warn("frame %" PRIu32 "%s %s missing in %s/frames and left out; to get all, repeat "
	            "the run: ooze run -o %s --force",
	            first, others, missing > 1 ? "are" : "is", frames->folder.path,
	            frames->folder.path);
}

oz_result oz_cli_frames_check(const oz_cli_frames *frames, uint32_t number, oz_error *error)
{
	const uint32_t last = frames->numbers[frames->all.count - 1];
	if (oz_show_has_frame(&frames->all, number))
		return OZ_OK;
	if (number < last)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "frame %" PRIu32 " is missing in %s/frames, whose last is %" PRIu32
		               "; choose another, or repeat the run: ooze run -o %s --force",
		               number, frames->folder.path, last, frames->folder.path);
	return oz_fail(error, OZ_ERROR_NOT_FOUND,
	               "there is no frame %" PRIu32 " in %s/frames; there are %" PRIu32
	               " to %" PRIu32,
	               number, frames->folder.path, frames->numbers[0], last);
}
