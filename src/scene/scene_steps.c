// scene_steps.c: estimates the number of steps of a run.
//
// With an equation of state the speed of sound sets the time step, so the first step tells. With
// the incompressible pressure the first steps are short, and speeds set the later ones. The speed
// is taken as that of a free fall through the height of what the world holds,
//
//   v² = v0² + 2 g H,   Δt = cfl min(0.4 s/v, 0.6 s/√(g H), 0.1 √(s/g))
//
// with the constants of the step (src/pressure/incompressible.c), at most what the materials
// allowed in the first step: stiffness, surface tension and heat do not change much.
#include <math.h>

#include "scene_data.h"

#define SPEED_SHARE 0.4
#define PRESS_SHARE 0.6
#define FALL_SHARE  0.1

static double size_of(oz_vec3 v)
{
	return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y +
	            (double)v.z * (double)v.z);
}

// the lowest height of a box along gravity, and its extent, m
static double height_of(const oz_stats *stats, oz_vec3 gravity, double *extent)
{
	const double g = size_of(gravity);
	const double down[3] = {(double)gravity.x / g, (double)gravity.y / g,
	                        (double)gravity.z / g};
	const float min[3] = {stats->min.x, stats->min.y, stats->min.z};
	const float max[3] = {stats->max.x, stats->max.y, stats->max.z};
	double low = 0;
	*extent = 0;
	for (int k = 0; k < 3; k++) {
		low -= down[k] * (double)(down[k] > 0 ? min[k] : max[k]);
		*extent += fabs(down[k]) * ((double)max[k] - (double)min[k]);
	}
	return low;
}

// the square of the speed of a jet that falls to a height, m²/s²
static double jet_speed2(const oz_emitter_def *e, oz_vec3 gravity, double low)
{
	const double g = size_of(gravity);
	const double along = (double)gravity.x * (double)e->position.x +
	                     (double)gravity.y * (double)e->position.y +
	                     (double)gravity.z * (double)e->position.z;
	const double fall = g > 0 ? fmax(-along / g - low, 0) : 0;
	return (double)e->speed * (double)e->speed + 2 * g * fall;
}

// s, the likely time step once the scene is in motion: from the speed of a fall through its height
// and of its jets
static double later_step(const oz_scene *scene, const oz_stats *stats, double speed)
{
	const oz_world_def *def = &scene->world;
	const double g = size_of(def->gravity), s = (double)def->spacing;
	double extent = 0, low = 0, speed2 = speed * speed;
	if (g > 0 && stats->particles)
		low = height_of(stats, def->gravity, &extent);
	speed2 += 2 * g * extent;
	for (uint32_t k = 0; k < scene->emitter_count; k++)
		speed2 = fmax(speed2, jet_speed2(&scene->emitters[k].def, def->gravity, low));
	double dt = (double)def->time_step_max / (double)def->cfl;
	if (speed2 > 0)
		dt = fmin(dt, SPEED_SHARE * s / sqrt(speed2));
	if (g * extent > 0)
		dt = fmin(dt, PRESS_SHARE * s / sqrt(g * extent));
	if (g > 0)
		dt = fmin(dt, FALL_SHARE * sqrt(s / g));
	return dt * (double)def->cfl;
}

double oz_scene_steps(const oz_scene *scene, const oz_stats *stats, const oz_step_report *report)
{
	const double first = (double)report->time_step, duration = (double)scene->output.duration;
	const bool adapts =
	        scene->world.time_step == 0 && scene->world.pressure == OZ_PRESSURE_INCOMPRESSIBLE;
	double dt = first;
	if (adapts)
		dt = fmin(later_step(scene, stats, (double)report->max_speed),
		          (double)report->models_time_step);
	// steps end at frames
	const double frame = 1 / (double)scene->output.frame_rate;
	if (adapts && frame < duration)
		dt = frame / ceil(frame / dt);
	return dt > 0 ? duration / dt : 0;
}
