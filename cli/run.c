// run.c: `ooze run`: simulates a scene into a folder, from the beginning or from a snapshot.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "cli.h"
#include "run.h"

#define FRAMES_MAX 1000000u

typedef struct run_options {
	const char *scene;  // NULL: the folder's own
	const char *folder; // NULL: not given
	bool resume, force;
	const char *device; // NULL: the environment's, or the CPU
	uint32_t threads;
	uint32_t frames; // OZ_NONE: the scene's
	double duration; // s; negative: the scene's
} run_options;

static int parse(run_options *o, oz_run *run, int argc, char **argv)
{
	const oz_cli_option options[] = {
	        {"output", 'o', "DIR", "folder for the results; created if it does not exist",
	         OZ_CLI_TEXT, &o->folder, 0, 0},
	        {"resume", 'r', NULL, "go on from DIR/snapshot.ooze; SCENE may be left out",
	         OZ_CLI_FLAG, &o->resume, 0, 0},
	        {"force", 'f', NULL, "replace the results of an earlier run in DIR", OZ_CLI_FLAG,
	         &o->force, 0, 0},
	        {"device", 'D', "NAME",
	         "where to run: cpu (default), opencl, or one that `ooze devices` lists",
	         OZ_CLI_TEXT, &o->device, 0, 0},
	        {"threads", 't', "N",
	         "threads to use, up to 256; 0 (default): as many as the scene says, or one for "
	         "each core",
	         OZ_CLI_COUNT, &o->threads, 0, 256},
	        {"duration", 'd', "S",
	         "simulated seconds to end at, rounded up to a whole frame (default: the "
	         "scene's)",
	         OZ_CLI_NUMBER, &o->duration, 0, 1e9},
	        {"frames", 'n', "N", "frame to end at, in place of --duration", OZ_CLI_COUNT,
	         &o->frames, 0, FRAMES_MAX},
	};
	oz_cli_spec spec = {
	        .usage = "run SCENE -o DIR [options]",
	        .help = "Simulates a scene and writes to DIR:\n"
	                "  frames/frame_00000.vtu …  particles at every frame; .ply unless "
	                "output.ply is false\n"
	                "  frames.pvd                all frames as one time series, for ParaView\n"
	                "  particles.h5, .xmf        all frames as HDF5 and XDMF, if output.h5 is "
	                "true\n"
	                "  stats.csv                 energy, momentum, compression … of each "
	                "frame\n"
	                "  scene.json                the scene with every default filled in\n"
	                "  snapshot.ooze             the whole state, to go on from with --resume\n"
	                "Ctrl-C ends the step, writes a snapshot and stops.",
	        .options = options,
	        .option_count = sizeof options / sizeof options[0],
	        .most = 1,
	};
	int status = oz_cli_parse(&spec, argc, argv);
	o->scene = spec.arguments[0];
	run->quiet = spec.quiet;
	run->verbose = spec.verbose;
	return status;
}

static int check_use(const run_options *o)
{
	if (!o->scene && !o->resume)
		return oz_cli_wrong("no scene is given; usage: ooze run SCENE -o DIR");
	if (!o->folder)
		return oz_cli_wrong("no folder is given; name one for the results: ooze run %s -o "
		                    "DIR",
		                    o->scene ? o->scene : "SCENE");
	if (o->resume && o->force)
		return oz_cli_wrong("--resume continues a run and --force replaces it; give one "
		                    "of the two");
	if (o->duration >= 0 && o->frames != OZ_NONE)
		return oz_cli_wrong("--duration and --frames both say when to end; give one of the "
		                    "two");
	return OZ_CLI_GO;
}

// ---- the scene --------------------------------------------------------------------------------

// Loads a scene and writes --duration or --frames into it, so that the scene in the folder, and a
// later --resume, end at the same time as this run.
static oz_result load_scene(oz_run *run, const run_options *o, const char *path, oz_scene **scene,
                            oz_error *error)
{
	oz_cli_begin_work("reading %s", path);
	oz_result result = oz_scene_load(path, scene, error);
	oz_cli_end_work();
	if (result != OZ_OK)
		return result;
	oz_output_def *output = (oz_output_def *)oz_scene_output(*scene);
	if (o->duration >= 0)
		output->duration = (float)o->duration;
	if (o->frames != OZ_NONE)
		output->duration = (float)o->frames / output->frame_rate;
	run->output = *output;
	if (output->h5)
		result = oz_archive_available(error);
	if (result != OZ_OK)
		return result;
	double frames = (double)output->duration * (double)output->frame_rate;
	if (!(frames <= FRAMES_MAX))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s has %.0f frames, the limit is %u; lower frame_rate or "
		               "duration",
		               path, frames, FRAMES_MAX);
	// a duration between two frames ends at the later one
	run->last = (uint32_t)ceil(frames - 1e-3);
	return OZ_OK;
}

static bool same_files(const char *one, const char *other)
{
	char *a = NULL, *b = NULL;
	size_t m = 0, n = 0;
	bool same = oz_file_read(one, SIZE_MAX / 4, &a, &m, NULL) == OZ_OK &&
	            oz_file_read(other, SIZE_MAX / 4, &b, &n, NULL) == OZ_OK && m == n &&
	            memcmp(a, b, m) == 0;
	free(a);
	free(b);
	return same;
}

// The folder's scene is used; warns if the given scene differs from it.
static void compare_scenes(oz_run *run, const run_options *o)
{
	oz_scene *scene = NULL;
	oz_run ignored;
	oz_run_path path = oz_run_folder_path(&run->folder, "scene.json.given");
	oz_run_path ours = oz_run_folder_path(&run->folder, "scene.json");
	bool same = load_scene(&ignored, o, o->scene, &scene, NULL) == OZ_OK &&
	            oz_scene_write(scene, path.s, NULL) == OZ_OK && same_files(path.s, ours.s);
	unlink(path.s);
	oz_scene_free(scene);
	if (!same)
		oz_cli_warn("%s is not the scene that %s was begun with; the run continues with "
		            "that one "
		            "(to start again, give --force instead of --resume)",
		            o->scene, run->folder.path);
}

// Warns of edits in the folder's scene that have no effect, as the snapshot counts.
static void warn_of_edits(const oz_run *run)
{
	char parts[64];
	if (oz_scene_differs(run->scene, run->world, parts, sizeof parts))
		oz_cli_warn("edits of %s in %s/scene.json have no effect: the run continues with "
		            "those of its snapshot (to start again, name the scene and give "
		            "--force instead of --resume)",
		            parts, run->folder.path);
}

// ---- beginning --------------------------------------------------------------------------------

static oz_result check_folder(const oz_run *run, const run_options *o, oz_error *error)
{
	const oz_run_folder *folder = &run->folder;
	if (o->force || oz_run_folder_is_empty(folder))
		return OZ_OK;
	if (!o->resume)
		return oz_fail(error, OZ_ERROR_FILE,
		               "%s is not empty; go on with the run in it (--resume), replace it "
		               "(--force), or choose another folder with -o",
		               folder->path);
	if (!oz_run_folder_has(folder, "snapshot.ooze") && !oz_run_folder_has(folder, "scene.json"))
		return oz_fail(error, OZ_ERROR_FILE,
		               "%s holds no run to continue; leave out --resume and choose an "
		               "empty folder with -o",
		               folder->path);
	return OZ_OK;
}

// Begins a new run: checks the scene and makes the world before it changes the folder.
static oz_result begin(oz_run *run, const run_options *o, const oz_hooks *hooks, oz_error *error)
{
	oz_run_path own = oz_run_folder_path(&run->folder, "scene.json");
	if (!o->scene && access(own.s, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_FILE,
		               "%s holds no run to continue; name the scene: ooze run SCENE -o "
		               "%s",
		               run->folder.path, run->folder.path);
	oz_result result = load_scene(run, o, o->scene ? o->scene : own.s, &run->scene, error);
	if (result == OZ_OK)
		result = oz_scene_build(run->scene, o->device, o->threads, hooks, &run->world,
		                        error);
	if (result == OZ_OK)
		result = oz_run_folder_enter(&run->folder, error);
	// removes the snapshot first: an old run cannot be resumed, also if the rest fails
	if (result == OZ_OK)
		result = oz_run_folder_remove_snapshot(&run->folder, error);
	if (result == OZ_OK)
		result = oz_scene_write(run->scene, own.s, error);
	if (result == OZ_OK)
		result = oz_run_folder_clear(&run->folder, error);
	return result;
}

// The first frame that lies after a time.
static uint32_t frame_after(const oz_run *run, double time)
{
	double guess = floor(time * (double)run->output.frame_rate);
	uint32_t frame = guess > 2 ? (uint32_t)guess - 2 : 0;
	while (oz_run_frame_time(run, frame) <= time)
		frame++;
	return frame;
}

// Continues a run from its snapshot.
static oz_result resume(oz_run *run, const run_options *o, const oz_hooks *hooks, oz_error *error)
{
	oz_run_path scene = oz_run_folder_path(&run->folder, "scene.json");
	oz_run_path snapshot = oz_run_folder_path(&run->folder, "snapshot.ooze");
	oz_result result = oz_run_folder_enter(&run->folder, error);
	if (result == OZ_OK)
		result = load_scene(run, o, scene.s, &run->scene, error);
	if (result != OZ_OK)
		return result;
	oz_cli_begin_work("reading %s", snapshot.s);
	result = oz_world_load(snapshot.s, o->device, o->threads, hooks, &run->world, error);
	oz_cli_end_work();
	if (result == OZ_OK && (o->duration >= 0 || o->frames != OZ_NONE))
		result = oz_scene_write(run->scene, scene.s, error);
	if (result != OZ_OK)
		return result;
	if (o->scene)
		compare_scenes(run, o);
	warn_of_edits(run);
	run->frame = frame_after(run, oz_world_time(run->world));
	return OZ_OK;
}

static oz_result prepare(oz_run *run, const run_options *o, const oz_hooks *hooks, oz_error *error)
{
	oz_result result = oz_run_folder_name(&run->folder, o->folder, error);
	if (result == OZ_OK)
		result = check_folder(run, o, error);
	if (result != OZ_OK)
		return result;
	// the scene is not needed to resume, but a wrong name is an error
	if (o->resume && o->scene && access(o->scene, F_OK) != 0)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the scene %s cannot be read: %s; correct its name, or leave it out "
		               "to continue with the one in %s",
		               o->scene, strerror(errno), run->folder.path);
	bool go_on = o->resume && oz_run_folder_has(&run->folder, "snapshot.ooze");
	result = go_on ? resume(run, o, hooks, error) : begin(run, o, hooks, error);
	if (result == OZ_OK)
		result = oz_run_folder_add_frames(&run->folder, error);
	if (result == OZ_OK && run->output.h5)
		result = oz_archive_open(run->folder.path, run->frame, &run->archive, error);
	if (result == OZ_OK)
		result = oz_run_table_open(&run->stats,
		                           oz_run_folder_path(&run->folder, "stats.csv").s,
		                           oz_run_stats_header, go_on,
		                           oz_world_step_count(run->world), error);
	if (result == OZ_OK && oz_run_bodies_exist(run->world))
		result = oz_run_table_open(&run->bodies,
		                           oz_run_folder_path(&run->folder, "bodies.csv").s,
		                           oz_run_bodies_header, go_on,
		                           oz_world_step_count(run->world), error);
	return result;
}

// ---- messages ---------------------------------------------------------------------------------

// " on NVIDIA H200 (opencl:0)", or the threads
static void print_place(const oz_world *world)
{
	const oz_device_info *device = oz_world_device(world);
	const uint32_t threads = oz_world_threads(world);
	if (strcmp(device->address, "cpu") != 0)
		printf(" on %s (%s)\n", device->name, device->address);
	else
		printf(", %" PRIu32 " thread%s\n", threads, threads == 1 ? "" : "s");
}

static void print_beginning(const oz_run *run)
{
	const oz_world *world = run->world;
	oz_cli_warn_if_empty(world);
	if (run->quiet)
		return;
	printf("%s: %s particles, spacing %g m", oz_scene_name(run->scene),
	       oz_cli_count(oz_world_particle_count(world)).s,
	       (double)oz_world_get_def(world)->spacing);
	print_place(world);
	double end = oz_run_frame_time(run, run->last);
	if (run->frame > run->last)
		printf("nothing to do: %s has reached %g s, where it ends\n", run->folder.path,
		       oz_world_time(world));
	else if (oz_world_step_count(world) > 0)
		printf("going on at %.4g s with frame %" PRIu32 " of %" PRIu32 ", to %g s\n",
		       oz_world_time(world), run->frame, run->last, end);
	else
		printf("%g s, %" PRIu32 " frames to %s\n", end, run->last + 1, run->folder.path);
	fflush(stdout);
}

static void print_events(const oz_run *run)
{
	static const char *const names[OZ_EVENT_COUNT] = {
	        [OZ_EVENT_BODY_LEFT] = "a body left the bounds",
	        [OZ_EVENT_NAN] = "particles turned non-finite",
	        [OZ_EVENT_NOT_CONVERGED] =
	                "the volume was not held, or implicit solids were not solved",
	        [OZ_EVENT_UNSTABLE] = "the fixed time step became too long",
	        [OZ_EVENT_COMPONENTS] = "components split or merged",
	        [OZ_EVENT_LONE] = "particles of solids stood alone",
	};
	for (int kind = 0; kind < OZ_EVENT_COUNT; kind++)
		if (run->events[kind] > 1)
			oz_cli_warn("%s times: %s", oz_cli_count(run->events[kind]).s, names[kind]);
}

static int print_end(const oz_run *run)
{
	print_events(run);
	if (run->quiet)
		return OZ_CLI_DONE;
	uint64_t steps = oz_world_step_count(run->world) - run->begun_at;
	printf("done in %s: %s steps, %s particle-steps/s\n",
	       oz_cli_clock(oz_run_progress_seconds(&run->progress)).s, oz_cli_count(steps).s,
	       oz_cli_rate(oz_run_progress_rate(&run->progress)).s);
	return OZ_CLI_DONE;
}

// Prints the command that continues the run.
static void print_resume_command(const oz_run *run)
{
	bool plain = !strpbrk(run->folder.path, " \t\n'\"$&();*?<>|\\`#!~[]{}");
	const char *quote = plain ? "" : "'", *device = oz_world_device(run->world)->address;
	bool cpu = strcmp(device, "cpu") == 0;
	if (oz_run_folder_has(&run->folder, "snapshot.ooze"))
		oz_cli_fail("go on with: ooze run -o %s%s%s --resume%s%s", quote, run->folder.path,
		            quote, cpu ? "" : " --device ", cpu ? "" : device);
}

static int simulate(oz_run *run)
{
	oz_error error = {OZ_OK, ""};
	oz_result result = oz_run_frames(run, &error);
	if (result == OZ_OK)
		return print_end(run);
	if (result == OZ_ERROR_STOPPED) {
		print_events(run);
		oz_cli_fail("stopped at %.4g s, on the way to frame %" PRIu32 " of %" PRIu32,
		            oz_world_time(run->world), run->frame, run->last);
	} else {
		oz_cli_fail("%s", error.text);
	}
	if (!run->lost)
		print_resume_command(run);
	return OZ_CLI_FAILED;
}

int oz_cli_run(int argc, char **argv)
{
	run_options o = {.frames = OZ_NONE, .duration = -1};
	oz_run run = {.folder = {.lock = -1},
	              .stats = {.descriptor = -1},
	              .bodies = {.descriptor = -1}};
	oz_hooks hooks = {.log = oz_run_log, .context = &run};
	oz_error error = {OZ_OK, ""};
	int status = parse(&o, &run, argc, argv);
	if (status == OZ_CLI_GO)
		status = check_use(&o);
	if (status != OZ_CLI_GO)
		return status;
	if (prepare(&run, &o, &hooks, &error) != OZ_OK) {
		status = oz_cli_fail("%s", error.text);
	} else {
		print_beginning(&run);
		status = run.frame > run.last ? OZ_CLI_DONE : simulate(&run);
	}
	oz_archive_close(run.archive);
	oz_run_table_close(&run.stats);
	oz_run_table_close(&run.bodies);
	oz_world_destroy(run.world);
	oz_scene_free(run.scene);
	oz_run_folder_leave(&run.folder);
	return status;
}
