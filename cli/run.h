// run.h: the parts of `ooze run`: its folder, its table of measurements, its progress bar.
#ifndef OZ_CLI_RUN_H
#define OZ_CLI_RUN_H

#include "../src/export/export.h"
#include "../src/scene/scene.h"
#include "ooze/ooze.h"

// ---- folder -----------------------------------------------------------------------------------

#define OZ_RUN_FOLDER_MAX 3700
#define OZ_RUN_PATH_SIZE  4096

// Where a run leaves its results. Held by one program at a time.
typedef struct oz_run_folder {
	char path[OZ_RUN_FOLDER_MAX + 1];
	int lock; // descriptor of the folder; -1 while it is not held
} oz_run_folder;

typedef struct oz_run_path {
	char s[OZ_RUN_PATH_SIZE];
} oz_run_path;

// Takes note of the folder's name; nothing is made yet.
oz_result oz_run_folder_name(oz_run_folder *folder, const char *path, oz_error *error);
oz_run_path oz_run_folder_path(const oz_run_folder *folder, const char *name);
oz_run_path oz_run_folder_frame(const oz_run_folder *folder, uint32_t frame, const char *ending);
bool oz_run_folder_has(const oz_run_folder *folder, const char *name);
// Tells whether the folder is missing or holds nothing.
bool oz_run_folder_is_empty(const oz_run_folder *folder);
// Makes the folder, and those above it, and keeps other runs out until it is left.
oz_result oz_run_folder_enter(oz_run_folder *folder, oz_error *error);
// Makes the folder of the frames in it.
oz_result oz_run_folder_add_frames(const oz_run_folder *folder, oz_error *error);
// Removes the snapshot of an earlier run, then its other results and what was made of them
// (pictures, surfaces, plots), by their known names, and nothing else.
oz_result oz_run_folder_forget(const oz_run_folder *folder, oz_error *error);
oz_result oz_run_folder_clear(const oz_run_folder *folder, oz_error *error);
void oz_run_folder_leave(oz_run_folder *folder);

// ---- measurements -----------------------------------------------------------------------------

// stats.csv: a row a frame, each written whole or not at all.
typedef struct oz_run_stats {
	char path[OZ_RUN_PATH_SIZE];
	int descriptor;
	int64_t size; // bytes of whole rows
} oz_run_stats;

// Opens the table and keeps the rows up to `step`; a table that is not there yet is begun.
oz_result oz_run_stats_open(oz_run_stats *stats, const char *path, bool keep, uint64_t step,
                            oz_error *error);
// `report` is of the frame's last step; NULL before the first.
oz_result oz_run_stats_add(oz_run_stats *stats, oz_world *world, const oz_step_report *report,
                           double wall_ms, oz_error *error);
// Waits until all rows are on the disk.
oz_result oz_run_stats_flush(oz_run_stats *stats, oz_error *error);
void oz_run_stats_close(oz_run_stats *stats);

// ---- progress ---------------------------------------------------------------------------------

// A bar on stderr where that is a terminal, a line every ten seconds elsewhere.
typedef struct oz_run_progress {
	bool on, terminal, blocks; // draw at all; as a bar; with block characters
	bool drawn;                // a bar stands on the last line
	uint32_t frames;
	double begin, end; // s, simulated
	uint64_t started_ns, drawn_ns;
	double particle_steps;
} oz_run_progress;

void oz_run_progress_begin(oz_run_progress *progress, bool on, uint32_t frames, double begin,
                           double end);
// Counts steps, at least one of them, and draws the bar as it is after the last.
void oz_run_progress_steps(oz_run_progress *progress, uint32_t frame, const oz_step_report *reports,
                           uint32_t count);
// Takes the bar away, so that a line can be printed.
void oz_run_progress_clear(oz_run_progress *progress);
double oz_run_progress_seconds(const oz_run_progress *progress);
// Particle-steps a second since the beginning.
double oz_run_progress_rate(const oz_run_progress *progress);

// ---- the run itself ---------------------------------------------------------------------------

typedef struct oz_run {
	oz_run_folder folder;
	oz_scene *scene;
	oz_output_def output;
	oz_world *world;
	bool quiet, verbose;
	uint32_t frame; // to be written next
	uint32_t last;  // frame
	oz_run_stats stats;
	oz_archive *archive; // NULL: none is wanted
	oz_run_progress progress;
	oz_step_report report; // of the last step
	uint32_t steps_at_once;
	uint64_t frame_ns; // when work on the frame began
	uint64_t list_ns;  // when the lists of frames were written
	uint64_t begun_at; // step at which this program began
	uint32_t events[OZ_EVENT_COUNT];
	uint32_t lost_steps; // in a row, in which too many particles were put to rest
	bool lost;           // beyond rescue
} oz_run;

// The time at which a frame is taken.
double oz_run_frame_time(const oz_run *run, uint32_t frame);
// Goes on to the last frame. OZ_ERROR_STOPPED: asked to stop, and a snapshot of that moment is
// written. `lost` tells of a run that is beyond rescue: a failure that going on would meet again.
oz_result oz_run_frames(oz_run *run, oz_error *error);
void oz_run_log(void *context, oz_log_level level, const char *text);

#endif
