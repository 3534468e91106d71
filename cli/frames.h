// frames.h: the frames of a run, for commands that make something of them.
//
//   oz_cli_frames_open(&frames, "out", "surfaces", threads, &hooks, &error);
//   for (k = 0; k < frames.count; k++)
//           oz_cli_frames_read(&frames, frames.numbers[k], &frame, &error);
//   oz_cli_frames_close(&frames);
#ifndef OZ_CLI_FRAMES_H
#define OZ_CLI_FRAMES_H

#include "../src/render/render.h"
#include "run.h"

typedef struct oz_cli_frames {
	oz_run_folder folder;
	oz_scene *scene;
	oz_world *world;          // as it was at the start: names, materials, colliders
	uint32_t *numbers, count; // of the frames, in order
} oz_cli_frames;

// Finds the PLY frames of a run and reads its scene; `what` is made of them ("surfaces"). Close it
// also after a failure.
oz_result oz_cli_frames_open(oz_cli_frames *frames, const char *folder, const char *what,
                             uint32_t threads, const oz_hooks *hooks, oz_error *error);
void oz_cli_frames_close(oz_cli_frames *frames);
// Warns where numbers are left out: a frame was lost.
void oz_cli_frames_warn_of_gaps(const oz_cli_frames *frames);
// Fails where there is no frame of that number.
oz_result oz_cli_frames_check(const oz_cli_frames *frames, uint32_t number, oz_error *error);
// Leaves one frame of all.
oz_result oz_cli_frames_pick(oz_cli_frames *frames, uint32_t number, oz_error *error);
// When a frame was taken, in s.
double oz_cli_frames_time(const oz_cli_frames *frames, uint32_t number);
// Reads the particles of a frame; free it with oz_frame_free, also after a failure.
oz_result oz_cli_frames_read(const oz_cli_frames *frames, uint32_t number, oz_frame *frame,
                             oz_error *error);
// Takes out the particles of a frame that have no finite position, with a warning.
void oz_cli_frames_drop_lost(uint32_t number, oz_frame *frame);
// The linear colours of the materials, those of the scene or of their names, and a black one after
// the last; to be freed with free().
oz_result oz_cli_frames_colours(const oz_cli_frames *frames, oz_vec3 **colours, oz_error *error);

#endif
