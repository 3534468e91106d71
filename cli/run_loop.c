// run_loop.c: simulates and writes frame after frame.
//
// Frames lie at exact multiples of 1/frame_rate, computed from their number, so a resumed run has
// the same times. The order of writing makes it safe to be killed at any moment: frame files, the
// row of stats.csv, then (when due) the lists of frames and last the snapshot. All frames before a
// snapshot exist; those after it are written again.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/base.h"
#include "cli.h"
#include "run.h"

#define LIST_INTERVAL 1000000000u // ns between writings of the lists of frames
#define STEPS_MAX     32u         // most steps of one call
#define MOMENT        1e8         // ns, wanted duration of a call

// A run is unstable if at least this fraction of all particles had to be stopped in each of this
// many consecutive steps. With fewer, it goes on with warnings.
#define LOST_SHARE 0.1
#define LOST_STEPS 10u

double oz_run_frame_time(const oz_run *run, uint32_t frame)
{
	return (double)frame / (double)run->output.frame_rate;
}

void oz_run_log(void *context, oz_log_level level, const char *text)
{
	oz_run *run = context;
	// warnings of steps are also events (print_events); those of building the world are not
	const bool is_event = level == OZ_LOG_WARNING && run->world;
	if (is_event || (level == OZ_LOG_INFO && !run->verbose))
		return;
	oz_run_progress_clear(&run->progress);
	oz_cli_log(&run->verbose, level, text);
}

// ---- stepping ---------------------------------------------------------------------------------

// Prints the first event of each kind and counts the others.
static void print_events(oz_run *run)
{
	oz_event event;
	while (oz_world_next_event(run->world, &event)) {
		const bool note =
		        event.kind == OZ_EVENT_COMPONENTS; // not a problem: printed with -v only
		if ((unsigned)event.kind >= OZ_EVENT_COUNT ||
		    (note ? !run->verbose : run->events[event.kind]++ > 0))
			continue;
		oz_run_progress_clear(&run->progress);
		if (note) {
			fprintf(stderr, "at %.4g s: %s\n", event.time, event.text);
			continue;
		}
		oz_cli_warn("at %.4g s: %s", event.time, event.text);
	}
}

static oz_result fail_unstable(oz_run *run, const oz_step_report *report, oz_error *error)
{
	const oz_world_def *def = oz_world_get_def(run->world);
	char remedy[120];
	if (def->time_step > 0)
		snprintf(remedy, sizeof remedy,
		         "set world.time_step to 0, which adapts it, or far below %g s",
		         (double)def->time_step);
	else
		snprintf(remedy, sizeof remedy, "lower world.cfl from %g", (double)def->cfl);
	run->lost = true;
	return oz_fail(error, OZ_ERROR_RANGE,
	               "unstable at %.4g s, before frame %" PRIu32 " of %" PRIu32
	               ": in %u consecutive steps at least a tenth of all particles (%" PRIu32
	               " of %" PRIu32 " now) flew apart; %s, and start again with --force",
	               report->time, run->frame, run->last, LOST_STEPS, report->repaired,
	               report->particles, remedy);
}

static oz_result check_lost(oz_run *run, const oz_step_report *reports, uint32_t count,
                            oz_error *error)
{
	for (uint32_t k = 0; k < count; k++) {
		const oz_step_report *r = &reports[k];
		const bool bad = r->repaired > 0 && r->repaired >= LOST_SHARE * r->particles;
		run->lost_steps = bad ? run->lost_steps + 1 : 0;
		if (run->lost_steps >= LOST_STEPS)
			return fail_unstable(run, r, error);
	}
	return OZ_OK;
}

// Takes as many steps as last about MOMENT: few enough to react to a signal soon, several at once
// for a GPU.
static oz_result take_steps(oz_run *run, double time, oz_error *error)
{
	oz_step_report reports[STEPS_MAX];
	uint32_t taken;
	const uint64_t begin = oz_clock_ns();
	const uint32_t most = run->steps_at_once ? run->steps_at_once : 1;
	if (oz_world_step_count(run->world) == run->begun_at)
		oz_cli_begin_work("taking the first steps%s",
		                  strcmp(oz_world_device(run->world)->address, "cpu") == 0
		                          ? ""
		                          : "; some drivers compile a kernel when it is used "
		                            "for the first time");
	oz_result result = oz_world_run(run->world, time, most, reports, &taken, error);
	oz_cli_end_work();
	if (taken == 0)
		return result;
	const double each = (double)(oz_clock_ns() - begin) / taken;
	const double fit = MOMENT / (each > 1 ? each : 1);
	run->steps_at_once = fit < STEPS_MAX ? (uint32_t)fit : STEPS_MAX;
	run->report = reports[taken - 1];
	oz_run_progress_steps(&run->progress, run->frame, reports, taken);
	print_events(run);
	return result == OZ_OK ? check_lost(run, reports, taken, error) : result;
}

static oz_result step_to(oz_run *run, double time, oz_error *error)
{
	oz_result result = OZ_OK;
	while (result == OZ_OK && oz_world_time(run->world) < time)
		result = oz_cli_stop_wanted() ? OZ_ERROR_STOPPED : take_steps(run, time, error);
	return result;
}

// ---- writing ----------------------------------------------------------------------------------

// Writes frames.pvd up to frame `last`, with names relative to it.
static oz_result write_pvd(oz_run *run, uint32_t last, oz_error *error)
{
	if (!run->output.vtu)
		return OZ_OK;
	uint32_t count = last + 1;
	double *times = malloc(count * sizeof *times);
	const char **files = malloc(count * sizeof *files);
	char(*names)[32] = malloc(count * sizeof *names);
	oz_result result = OZ_ERROR_MEMORY;
	if (times && files && names) {
		for (uint32_t i = 0; i < count; i++) {
			snprintf(names[i], sizeof names[i], "frames/frame_%05" PRIu32 ".vtu", i);
			files[i] = names[i];
			times[i] = oz_run_frame_time(run, i);
		}
		oz_run_path path = oz_run_folder_path(&run->folder, "frames.pvd");
		result = oz_export_pvd(path.s, files, times, count, error);
	} else {
		oz_fail(error, result,
		        "out of memory for the list of %" PRIu32
		        " frames; close other programs and resume the run",
		        count);
	}
	free(times);
	free(files);
	free(names);
	return result;
}

// Writes the lists of frames: frames.pvd, particles.h5, particles.xmf.
static oz_result write_lists(oz_run *run, uint32_t last, oz_error *error)
{
	oz_result result = write_pvd(run, last, error);
	if (result == OZ_OK && run->archive)
		result = oz_archive_list(run->archive, error);
	run->list_ns = oz_clock_ns();
	return result;
}

// Writes the lists and then the snapshot, which requires them.
static oz_result write_snapshot(oz_run *run, uint32_t last, oz_error *error)
{
	oz_result result = oz_run_table_flush(&run->stats, error);
	if (result == OZ_OK)
		result = oz_run_table_flush(&run->bodies, error);
	if (result == OZ_OK)
		result = write_lists(run, last, error);
	if (result == OZ_OK)
		result = oz_world_save(run->world,
		                       oz_run_folder_path(&run->folder, "snapshot.ooze").s, error);
	return result;
}

static bool snapshot_is_due(const oz_run *run)
{
	double interval = (double)run->output.snapshot_interval;
	if (run->frame == run->last || !(interval > 0))
		return run->frame == run->last;
	if (run->frame == 0)
		return true;
	// 1e-6: a frame time may be less than the interval by rounding
	double now = floor(oz_run_frame_time(run, run->frame) / interval * (1 + 1e-6));
	double before = floor(oz_run_frame_time(run, run->frame - 1) / interval * (1 + 1e-6));
	return now > before;
}

static oz_result write_files(oz_run *run, oz_error *error)
{
	oz_result result = OZ_OK;
	if (run->output.vtu)
		result = oz_export_vtu(run->world,
		                       oz_run_folder_frame(&run->folder, run->frame, "vtu").s,
		                       error);
	if (result == OZ_OK && run->output.ply)
		result = oz_export_ply(run->world,
		                       oz_run_folder_frame(&run->folder, run->frame, "ply").s,
		                       error);
	if (result == OZ_OK && run->archive)
		result = oz_archive_add(run->archive, run->world, run->frame,
		                        oz_run_frame_time(run, run->frame), error);
	return result;
}

static void print_frame(oz_run *run, double wall_ms)
{
	if (!run->verbose)
		return;
	oz_run_progress_clear(&run->progress);
	fprintf(stderr,
	        "frame %" PRIu32 "/%" PRIu32 "  %.4g s  step %" PRIu64 "  %" PRIu32
	        " particles  time step %.3g s (%s)  max speed %.3g m/s  %.0f ms\n",
	        run->frame, run->last, oz_world_time(run->world), oz_world_step_count(run->world),
	        oz_world_particle_count(run->world), (double)run->report.time_step,
	        run->report.step ? oz_limit_name(run->report.limit) : "none yet",
	        (double)run->report.max_speed, wall_ms);
}

static oz_result write_frame(oz_run *run, oz_error *error)
{
	oz_result result = write_files(run, error);
	double wall_ms = (double)(oz_clock_ns() - run->frame_ns) * 1e-6;
	if (result == OZ_OK)
		result = oz_run_stats_add(&run->stats, run->world,
		                          run->report.step ? &run->report : NULL, wall_ms, error);
	if (result == OZ_OK && run->bodies.descriptor >= 0)
		result = oz_run_bodies_add(&run->bodies, run->world, error);
	if (result != OZ_OK)
		return result;
	print_frame(run, wall_ms);
	if (snapshot_is_due(run))
		return write_snapshot(run, run->frame, error);
	if (oz_clock_ns() - run->list_ns > LIST_INTERVAL)
		return write_lists(run, run->frame, error);
	return OZ_OK;
}

static oz_result all_frames(oz_run *run, oz_error *error)
{
	for (; run->frame <= run->last; run->frame++) {
		run->frame_ns = oz_clock_ns();
		oz_result result = step_to(run, oz_run_frame_time(run, run->frame), error);
		if (result == OZ_OK)
			result = write_frame(run, error);
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

oz_result oz_run_frames(oz_run *run, oz_error *error)
{
	oz_run_progress_begin(&run->progress, !run->quiet, run->last, oz_world_time(run->world),
	                      oz_run_frame_time(run, run->last));
	run->begun_at = oz_world_step_count(run->world);
	oz_cli_catch_stop();
	oz_result result = all_frames(run, error);
	if (result == OZ_ERROR_STOPPED) {
		// frames are written before the next step, so frame - 1 exists
		oz_result saved = write_snapshot(run, run->frame ? run->frame - 1 : 0, error);
		result = saved == OZ_OK ? OZ_ERROR_STOPPED : saved;
	}
	// an unstable run: list its frames, keep the older snapshot
	if (run->lost)
		write_lists(run, run->frame ? run->frame - 1 : 0, NULL);
	oz_run_progress_clear(&run->progress);
	return result;
}
