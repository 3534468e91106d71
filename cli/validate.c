// validate.c: `ooze validate`: reads a scene, makes its world, takes one step, and prints the cost
// of a run. It writes no files.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../src/models/capillary/capillary.h"
#include "../src/scene/scene.h"
#include "cli.h"

// bytes of a particle in a frame: VTU has 61, in base64 with 4 letters for 3 bytes
#define VTU_BYTES (61.0 * 4 / 3)
#define PLY_BYTES 48.0
// bytes of a particle in a world after a step
#define WORLD_BYTES 330.0

// a duration between two frames ends at the later one
static double last_frame(const oz_output_def *output)
{
	return ceil((double)output->duration * (double)output->frame_rate - 1e-3);
}

// Sum of poured particles over all frames; estimated from 1000 frames if there are more.
static double poured_in_frames(const oz_scene *scene)
{
	const oz_output_def *output = oz_scene_output(scene);
	const double frames = last_frame(output) + 1;
	const double samples = fmin(frames, 1000);
	double sum = 0;
	for (double k = 0; k < samples; k++)
		sum += oz_scene_poured(scene, floor((k + 0.5) * frames / samples) /
		                                      (double)output->frame_rate);
	return sum * frames / samples;
}

static void print_left_out(const oz_scene *scene, const oz_world *world)
{
	for (uint32_t b = 0; b < oz_world_body_count(world); b++)
		if (oz_scene_left_out(scene, b))
			printf("left out     %s of %s, inside a collider\n",
			       oz_cli_count(oz_scene_left_out(scene, b)).s,
			       oz_world_body_name(world, b));
}

// liquids whose surface tension is left out, and the spacings at which it acts
static void print_coarse(const oz_world *world)
{
	const oz_world_def *def = oz_world_get_def(world);
	bool any = false;
	for (uint32_t m = 0; m < oz_world_material_count(world); m++) {
		const oz_material_def *material = oz_world_get_material(world, m);
		const double most = oz_capillary_spacing(def, material);
		if (most == 0 || (double)def->spacing <= most)
			continue;
		printf("%s %.2g mm (%s)",
		       any ? "," : "left out     surface tension, which acts at spacings up to",
		       1e3 * most, material->name);
		any = true;
	}
	if (any)
		printf("\n");
}

static void print_poured(double poured, double particles)
{
	if (poured >= 1)
		printf("poured       about %s by emitters, which makes %s at the end\n",
		       oz_cli_count((uint64_t)poured).s,
		       oz_cli_count((uint64_t)(particles + poured)).s);
}

// `particles`: number before the step, which may have poured some.
static void print_costs(const oz_scene *scene, oz_world *world, double particles,
                        const oz_step_report *report)
{
	const oz_output_def *output = oz_scene_output(scene);
	const double frames = last_frame(output) + 1;
	const double poured = oz_scene_poured(scene, (double)output->duration);
	const double bytes = (output->vtu ? VTU_BYTES : 0) + (output->ply ? PLY_BYTES : 0);
	const double now = (double)oz_world_bytes(world);
	const double all = bytes * (particles * frames + poured_in_frames(scene));
	print_poured(poured, particles);
	printf("memory       %s", oz_cli_bytes(now).s);
	if (poured >= 1)
		printf(", about %s at the end",
		       oz_cli_bytes(fmax((particles + poured) * WORLD_BYTES, now)).s);
	printf("\n");
	oz_stats stats;
	if (report->time_step > 0 && oz_world_stats(world, &stats, NULL) == OZ_OK)
		printf("time step    %.3g s to begin with (set by %s), about %s steps\n",
		       (double)report->time_step, oz_limit_name(report->limit),
		       oz_cli_count((uint64_t)oz_scene_steps(scene, &stats, report)).s);
	printf("output       %g s, %s frames, %s on disk (%s a frame)\n", (double)output->duration,
	       oz_cli_count((uint64_t)frames).s, oz_cli_bytes(all).s, oz_cli_bytes(all / frames).s);
}

static int report_on(const oz_scene *scene, oz_world *world, bool quiet)
{
	oz_step_report report;
	oz_error error = {OZ_OK, ""};
	oz_cli_warn_if_empty(world);
	if (quiet)
		return OZ_CLI_DONE;
	printf("scene        %s\n", oz_scene_name(scene));
	int status = oz_cli_describe(world, scene);
	if (status != OZ_CLI_DONE)
		return status;
	print_left_out(scene, world);
	print_coarse(world);
	const double particles = oz_world_particle_count(world);
	oz_cli_begin_work("taking one step to learn its length");
	const oz_result result = oz_world_step(world, &report, &error);
	oz_cli_end_work();
	if (result != OZ_OK)
		return oz_cli_fail("%s", error.text);
	print_costs(scene, world, particles, &report);
	return OZ_CLI_DONE;
}

int oz_cli_validate(int argc, char **argv)
{
	uint32_t threads = 0;
	const char *device = NULL;
	const oz_cli_option options[] = {
	        {"device", 'D', "NAME",
	         "where it will run: cpu (default), opencl, or one that `ooze devices` lists",
	         OZ_CLI_TEXT, &device, 0, 0},
	        {"threads", 't', "N", "threads to use, up to 256; 0 (default): one for each core",
	         OZ_CLI_COUNT, &threads, 0, 256},
	};
	oz_cli_spec spec = {
	        .usage = "validate SCENE [options]",
	        .help = "Checks a scene and prints its size and cost: particles by body, memory, "
	                "time\nstep and the size of the output. Ends with 1 and a sentence if the "
	                "scene is wrong.",
	        .options = options,
	        .option_count = sizeof options / sizeof *options,
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
	    oz_scene_build(scene, device, threads, &hooks, &world, &error) != OZ_OK)
		status = oz_cli_fail("%s", error.text);
	else
		status = report_on(scene, world, spec.quiet);
	oz_world_destroy(world);
	oz_scene_free(scene);
	return status;
}
