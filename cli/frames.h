// frames.h: the frames of a run's folder, for the commands that read them.
//
//   oz_cli_frames_open(&frames, "out", "surfaces", threads, &hooks, &error);
//   … frames.all …
//   oz_cli_frames_close(&frames);
#ifndef OZ_CLI_FRAMES_H
#define OZ_CLI_FRAMES_H

#include "../src/show/show.h"
#include "run.h"

typedef struct oz_cli_frames {
	oz_run_folder folder;
	oz_scene *scene;
	uint32_t *numbers;
	oz_show_frames all; // reads from the folder; the struct around it must not move
} oz_cli_frames;

// Finds the PLY frames of a run and reads its scene; `what` ("surfaces"), the product of the
// command, is for error messages. Close it also after a failure.
oz_result oz_cli_frames_open(oz_cli_frames *frames, const char *folder, const char *what,
                             uint32_t threads, const oz_hooks *hooks, oz_error *error);
void oz_cli_frames_close(oz_cli_frames *frames);
// Warns if frames between the first and the last are missing.
void oz_cli_frames_warn_of_gaps(const oz_cli_frames *frames);
// Fails if the frame does not exist.
oz_result oz_cli_frames_check(const oz_cli_frames *frames, uint32_t number, oz_error *error);

#endif
