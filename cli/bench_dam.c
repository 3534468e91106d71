// bench_dam.c: the benchmark of complete steps: a dam break in motion.
//
// A column of water, with random offsets from the lattice, starts with a velocity and a rotation,
// so that particles are as fast as half a second after the gate opened. Complete steps are timed:
// search, density, forces, walls, move.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "cli.h"
#include "world/world.h"

#define WARM_UP  10u     // steps before the clock starts
#define THICK    2000.0f // Pa·s: μ Δt/(ρ s²) is near 1
#define TOGETHER 32u     // steps of one call of oz_world_run

// whether the dam holds a thick fluid, by its name; a benchmark may have none
static bool is_thick(const oz_benchmark *b)
{
	return b->name && strncmp(b->name, "thick", 5) == 0;
}

// Adds a column of 1 m × 2 m × 1 m at the end of a tank of 4 m.
static oz_result add_column(oz_world *w, float spacing, oz_error *error)
{
	oz_shape column = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 2, 1});
	column.position = (oz_vec3){0.5f, 1, 0.5f};
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	oz_result result =
	        oz_shape_fill(&column, spacing, OZ_FILL_LATTICE, &points, &body.count, error);
	if (result != OZ_OK)
		return result;
	uint32_t state = 1;
	for (uint32_t i = 0; i < body.count; i++) {
		points[i].x += 0.05f * spacing * oz_bench_random(&state);
		points[i].y += 0.05f * spacing * oz_bench_random(&state);
		points[i].z += 0.05f * spacing * oz_bench_random(&state);
	}
	body.points = points;
	body.velocity = (oz_vec3){1.5f, -0.5f, 0};
	body.spin = (oz_vec3){0, 0, -1.5f};
	result = oz_world_add_body(w, &body, NULL, error);
	oz_points_free(points);
	return result;
}

static oz_result build(const oz_benchmark *b, const oz_bench_place *place, oz_world **world,
                       oz_error *error)
{
	oz_world_def def = oz_world_default();
	// a whole number across, so that the column fits its tank
	def.spacing = (float)(1 / round(cbrt(b->particles / 2.0)));
	def.support = b->support;
	def.sound_speed = 60;
	def.time_step = (float)place->time_step;
	def.device = place->device;
	def.hooks.log = oz_cli_log;
	def.threads = place->threads;
	oz_material_def water = oz_material_default((oz_model)b->kind);
	water.alpha = 0.7f;
	if (is_thick(b))
		water.viscosity = THICK;
	oz_shape tank = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){4, 4, 1});
	tank.position = (oz_vec3){2, 2, 0.5f};
	oz_collider_def collider = oz_collider_default(tank);
	collider.inside = true;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &water, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_collider(*world, &collider, NULL, error);
	if (result == OZ_OK)
		result = add_column(*world, def.spacing, error);
	return result;
}

#define COUNTED 2000u // particles whose neighbours are counted
#define LONGEST 512u  // most entries of a list that are read

// Number of neighbours of particle i within the support radius; copies its list from the device.
static uint32_t count_near(oz_world *w, uint32_t i, const oz_float4 *position)
{
	oz_device *d = w->sim.device;
	const oz_neighbours *n = &w->sim.neighbours;
	const float h2 = w->sim.fluid.h * w->sim.fluid.h;
	uint start, count, near = 0;
	d->ops->read(d, &start, n->start, sizeof start * i, sizeof start);
	d->ops->read(d, &count, n->count, sizeof count * i, sizeof count);
	count = count < LONGEST ? count : LONGEST;
	for (uint32_t k = 0; k < count; k++) {
		const size_t at = oz_list_at(start, i, k, n->stride);
		uint j;
		d->ops->read(d, &j, n->list, sizeof j * at, sizeof j);
		const oz_float4 a = position[i], b = position[j];
		const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
		near += x * x + y * y + z * z < h2;
	}
	return near;
}

double oz_bench_neighbours(oz_world *w)
{
	oz_device *d = w->sim.device;
	const uint32_t count = w->sim.particles.count, every = (count - 1) / COUNTED + 1;
	const oz_float4 *position =
	        d->ops->view(d, w->sim.particles.position, sizeof *position * count);
	uint64_t near = 0, taken = 0;
	for (uint32_t i = 0; i < count && position; i += every, taken++)
		near += count_near(w, i, position);
	return taken ? (double)near / (double)taken : 0;
}

static oz_result run_steps(oz_world *w, uint32_t steps, oz_bench_outcome *o, oz_error *error)
{
	oz_result result = OZ_OK;
	o->rebuilt = 0;
	o->extras[0] = (oz_bench_number){"rounds", 0};
	for (uint32_t done = 0; done < steps && result == OZ_OK;) {
		oz_step_report reports[TOGETHER];
		const uint32_t left = steps - done, most = left < TOGETHER ? left : TOGETHER;
		uint32_t taken;
		result = oz_world_run(w, INFINITY, most, reports, &taken, error);
		for (uint32_t k = 0; k < taken; k++) {
			for (int s = 0; s < OZ_STAGE_COUNT; s++)
				o->stages[s].value += (double)reports[k].stage_ns[s];
			o->rebuilt += reports[k].rebuilt;
			o->extras[0].value += reports[k].rounds;
		}
		done += taken;
	}
	return result;
}

// On a GPU, timing the stages slows the steps, so stages are timed in separate steps.
static oz_result measure(oz_world *w, uint32_t steps, oz_bench_outcome *o, oz_error *error)
{
	oz_result result = oz_world_run(w, INFINITY, WARM_UP, NULL, NULL, error);
	if (result == OZ_OK && w->sim.device->queues) {
		oz_world_time_stages(w, true);
		result = run_steps(w, steps, o, error);
		oz_world_time_stages(w, false);
	}
	if (result != OZ_OK)
		return result;
	const uint64_t begin = oz_clock_ns();
	result = run_steps(w, steps, o, error);
	o->seconds = (double)(oz_clock_ns() - begin) * 1e-9;
	return result;
}

// Rounds of the solver of viscosity in a step, and ns of one a particle: the first guess is as much
// work as a round.
static void fill_rounds(const oz_bench_outcome *o, uint32_t steps, oz_bench_number extras[2])
{
	const double viscous = o->stages[OZ_STAGE_VISCOUS].value / steps / o->particles;
	extras[0].value /= steps;
	extras[1] = (oz_bench_number){"round_ns", viscous / (extras[0].value + 1)};
}

static void fill_outcome(oz_world *w, oz_bench_outcome *o)
{
	o->particles = oz_world_particle_count(w);
	o->threads = oz_world_threads(w);
	o->lanes = w->sim.device->lanes;
	o->device = *oz_world_device(w);
	o->bytes_per_particle = (double)oz_world_bytes(w) / o->particles;
	o->neighbours = oz_bench_neighbours(w);
	o->hash = oz_world_hash(w);
}

oz_result oz_bench_dam(const oz_benchmark *b, uint32_t steps, const oz_bench_place *place,
                       oz_bench_outcome *o, oz_error *error)
{
	_Static_assert(OZ_STAGE_COUNT <= OZ_BENCH_STAGES, "every stage has its place");
	oz_world *w = NULL;
	for (int s = 0; s < OZ_STAGE_COUNT; s++)
		o->stages[s].name = oz_stage_name((oz_stage)s);
	o->stage_count = OZ_STAGE_COUNT;
	oz_result result = build(b, place, &w, error);
	if (result == OZ_OK)
		result = measure(w, steps, o, error);
	if (result == OZ_OK)
		fill_outcome(w, o);
	if (result == OZ_OK && (is_thick(b) || b->kind == OZ_POLYMER)) {
		fill_rounds(o, steps, o->extras);
		o->extra_count = 2;
	}
	oz_world_destroy(w);
	return result;
}
