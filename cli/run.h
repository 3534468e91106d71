// run.h: the parts of `ooze run`: its folder, its table of measurements, its progress bar.
#ifndef OZ_CLI_RUN_H
#define OZ_CLI_RUN_H

#include "../src/export/export.h"
#include "../src/scene/scene.h"
#include "ooze/ooze.h"

// ---- folder -----------------------------------------------------------------------------------

#define OZ_RUN_FOLDER_MAX 3700
#define OZ_RUN_PATH_SIZE  4096

// The folder of a run's results; locked by one program at a time.
typedef struct oz_run_folder {
	char path[OZ_RUN_FOLDER_MAX + 1];
	int lock; // descriptor of the folder; -1 while it is not locked
} oz_run_folder;

typedef struct oz_run_path {
	char s[OZ_RUN_PATH_SIZE];
} oz_run_path;

// Stores the folder's path without trailing slashes; creates nothing.
oz_result oz_run_folder_name(oz_run_folder *folder, const char *path, oz_error *error);
oz_run_path oz_run_folder_path(const oz_run_folder *folder, const char *name);
oz_run_path oz_run_folder_frame(const oz_run_folder *folder, uint32_t frame, const char *ending);
bool oz_run_folder_has(const oz_run_folder *folder, const char *name);
// Whether the folder does not exist or is empty.
bool oz_run_folder_is_empty(const oz_run_folder *folder);
// Creates the folder and its parents, and locks it against other runs until oz_run_folder_leave.
oz_result oz_run_folder_enter(oz_run_folder *folder, oz_error *error);
// Creates the folder `frames` in it.
oz_result oz_run_folder_add_frames(const oz_run_folder *folder, oz_error *error);
// Removes the snapshot of an earlier run.
oz_result oz_run_folder_remove_snapshot(const oz_run_folder *folder, oz_error *error);
// Removes the results of an earlier run, and pictures, surfaces and plots made from them; files
// with other names stay.
oz_result oz_run_folder_clear(const oz_run_folder *folder, oz_error *error);
void oz_run_folder_leave(oz_run_folder *folder);

// ---- measurements -----------------------------------------------------------------------------

// A table with rows for each frame, each written completely or not at all.
typedef struct oz_run_table {
	char path[OZ_RUN_PATH_SIZE];
	int descriptor; // -1: it is not open
	int64_t size;   // bytes of complete rows
} oz_run_table;

// Opens a table. `keep`: keeps the rows up to `step`; else, or if it does not exist, begins a new
// one.
oz_result oz_run_table_open(oz_run_table *table, const char *path, const char *header, bool keep,
                            uint64_t step, oz_error *error);
oz_result oz_run_table_add(oz_run_table *table, const char *row, size_t length, oz_error *error);
// Waits until all rows are on the disk.
oz_result oz_run_table_flush(oz_run_table *table, oz_error *error);
void oz_run_table_close(oz_run_table *table);

extern const char oz_run_stats_header[];
// Appends a row to stats.csv; `report`: of the frame's last step, NULL before the first step.
oz_result oz_run_stats_add(oz_run_table *stats, oz_world *world, const oz_step_report *report,
                           double wall_ms, oz_error *error);

// bodies.csv: the pose, motion and load of each rigid body and of each collider with `load`.
bool oz_run_bodies_exist(oz_world *world);
extern const char oz_run_bodies_header[];
oz_result oz_run_bodies_add(oz_run_table *table, oz_world *world, oz_error *error);

// ---- progress ---------------------------------------------------------------------------------

// A progress bar on stderr if that is a terminal, else a line every ten seconds.
typedef struct oz_run_progress {
	bool on, terminal, blocks; // whether progress is shown; as a bar; with block characters
	bool drawn;                // a bar is on the terminal's last line
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
// Erases the bar, so that a line can be printed.
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
	oz_run_table stats;
	oz_run_table bodies; // open if there are rigid bodies or loads
	oz_archive *archive; // NULL: no HDF5 output
	oz_run_progress progress;
	oz_step_report report; // of the last step
	uint32_t steps_at_once;
	uint64_t frame_ns; // when work on the frame began
	uint64_t list_ns;  // when the lists of frames were written
	uint64_t begun_at; // step at which this program began
	uint32_t events[OZ_EVENT_COUNT];
	uint32_t lost_steps; // consecutive steps in which too many particles were stopped
	bool lost;           // the run is unstable and cannot be continued
} oz_run;

// The simulated time of a frame, s.
double oz_run_frame_time(const oz_run *run, uint32_t frame);
// Simulates up to the last frame. OZ_ERROR_STOPPED: a signal stopped it, and a snapshot was
// written. Sets `lost` if the run became unstable: continuing it would fail again.
oz_result oz_run_frames(oz_run *run, oz_error *error);
void oz_run_log(void *context, oz_log_level level, const char *text);

#endif
