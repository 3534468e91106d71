// validate.c: `ooze validate`: reads a scene, makes its world, takes one step of it, and tells what
// a run would cost. Nothing is written.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../src/scene/scene.h"
#include "cli.h"

// bytes of a particle in a frame: VTU has 53, written as 4 letters for 3 bytes
#define VTU_BYTES (53.0 * 4 / 3)
#define PLY_BYTES 40.0

static void print_costs(const oz_scene *scene, oz_world *world, const oz_step_report *report)
{
	const oz_output_def *output = oz_scene_output(scene);
	double particles = oz_world_particle_count(world);
	double frames = ceil((double)output->duration * (double)output->frame_rate - 1e-3) + 1;
	double frame_bytes =
	        particles * ((output->vtu ? VTU_BYTES : 0) + (output->ply ? PLY_BYTES : 0));
	printf("memory       %s\n", oz_cli_bytes((double)oz_world_bytes(world)).s);
	if (report->time_step > 0)
		printf("time step    %.3g s to begin with (set by %s), about %s steps\n",
		       (double)report->time_step, oz_limit_name(report->limit),
		       oz_cli_count(
		               (uint64_t)((double)output->duration / (double)report->time_step))
		               .s);
	printf("output       %g s, %s frames, %s", (double)output->duration,
	       oz_cli_count((uint64_t)frames).s, oz_cli_bytes(frame_bytes * frames).s);
	printf(" on disk (%s a frame)\n", oz_cli_bytes(frame_bytes).s);
}

static int report_on(const oz_scene *scene, oz_world *world, bool quiet)
{
	oz_step_report report;
	oz_error error = {OZ_OK, ""};
	if (quiet)
		return OZ_CLI_DONE;
	printf("scene        %s\n", oz_scene_name(scene));
	int status = oz_cli_describe(world);
	if (status != OZ_CLI_DONE)
		return status;
	if (oz_world_step(world, &report, &error) != OZ_OK)
		return oz_cli_fail("%s", error.text);
	print_costs(scene, world, &report);
	return OZ_CLI_DONE;
}

int oz_cli_validate(int argc, char **argv)
{
	uint32_t threads = 0;
	const oz_cli_option options[] = {
	        {"threads", 't', "N", "threads to use; 0 (default): one for each core",
	         OZ_CLI_COUNT, &threads, 0, 1024},
	};
	oz_cli_spec spec = {
	        .usage = "validate SCENE [options]",
	        .help = "Checks a scene and tells what it will make: particles by body, memory, "
	                "time\nstep and the size of the output. Ends with 1 and a sentence if the "
	                "scene is wrong.",
	        .options = options,
	        .option_count = 1,
	        .least = 1,
	        .most = 1,
	};
	int status = oz_cli_parse(&spec, argc, argv);
	if (status != OZ_CLI_GO)
		return status;
	oz_scene *scene = NULL;
	oz_world *world = NULL;
	oz_error error = {OZ_OK, ""};
	oz_hooks hooks = {.log = oz_cli_log, .context = &spec.verbose};
	if (oz_scene_load(spec.arguments[0], &scene, &error) != OZ_OK ||
	    oz_scene_build(scene, threads, &hooks, &world, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	else
		status = report_on(scene, world, spec.quiet);
	oz_world_destroy(world);
	oz_scene_free(scene);
	return status;
}
