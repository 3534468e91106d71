// bench_incompressible.c: the benchmark of incompressible water and slime: a dam break from rest.
//
// A column of 0.8 m × 0.8 m × 0.64 m stands in a tank 3.2 m long. Steps are as long as the flow
// allows, for a second of simulated time. Rounds of the pressure are counted, and the compression
// of the water is measured; of slime, the time that links take. In one benchmark a thousand rigid
// cubes fall on the column, in a tank as wide as it.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "cli.h"
#include "models/links/links.h"
#include "world/world.h"

#define EDGE      0.8 // m, width and height of the column
#define SIMULATED 1.0 // s

// sums over the steps
typedef struct sums {
	double rounds, compression;
	double largest; // compression of a particle
} sums;

// whether the dam is of slime, by its name
static bool is_linked(const oz_benchmark *b)
{
	return strncmp(b->name, "links", 5) == 0;
}

// adds the column of the first material
static oz_result add_column(oz_world *w, oz_vec3 size, float spacing, oz_error *error)
{
	oz_shape column = oz_shape_make(OZ_SHAPE_BOX, size);
	column.position = (oz_vec3){0.5f * size.x, 0.5f * size.y, 0.5f * size.z};
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	oz_result result =
	        oz_shape_fill(&column, spacing, OZ_FILL_LATTICE, &points, &body.count, error);
	if (result != OZ_OK)
		return result;
	body.points = points;
	result = oz_world_add_body(w, &body, NULL, error);
	oz_points_free(points);
	return result;
}

#define CUBES        1000u
#define ROW          8u   // cubes along x, and 6 along z
#define EDGE_OF_CUBE 4.0f // spacings

static bool has_cubes(const oz_benchmark *b)
{
	return strncmp(b->name, "cubes", 5) == 0;
}

// layers of 48 cubes, one above the other, that fall at 2 m/s
static oz_result add_cubes(oz_world *w, oz_error *error)
{
	const float s = oz_world_get_def(w)->spacing, e = (float)EDGE;
	oz_material_def wood = oz_material_default(OZ_RIGID);
	wood.density = 700;
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	const oz_shape shape =
	        oz_shape_make(OZ_SHAPE_BOX,
	                      (oz_vec3){EDGE_OF_CUBE * s, EDGE_OF_CUBE * s, EDGE_OF_CUBE * s});
	oz_result result = oz_shape_fill(&shape, s, OZ_FILL_LATTICE, &points, &body.count, error);
	if (result == OZ_OK)
		result = oz_world_add_material(w, &wood, &body.material, error);
	body.points = points;
	body.velocity.y = -2;
	oz_vec3 at = {0, 0, 0};
	for (uint32_t k = 0; k < CUBES && result == OZ_OK; k++) {
		const oz_vec3 to = {0.1f * (float)(k % ROW) + 0.05f,
		                    e + 0.05f + 0.1f * (float)(k / (6 * ROW)),
		                    0.1f * (float)(k / ROW % 6) + 0.07f};
		for (uint32_t i = 0; i < body.count; i++) {
			points[i].x += to.x - at.x;
			points[i].y += to.y - at.y;
			points[i].z += to.z - at.z;
		}
		at = to;
		result = oz_world_add_body(w, &body, NULL, error);
	}
	oz_points_free(points);
	return result;
}

// makes the world of a benchmark: tank, column, cubes
static oz_result build(const oz_benchmark *b, const oz_bench_place *place, oz_world **world,
                       oz_error *error)
{
	// whole numbers of particles, so that the column fits its tank
	const double across = round(cbrt(b->particles / 0.8));
	const double deep = round(b->particles / (across * across));
	oz_world_def def = oz_world_default();
	def.spacing = (float)(EDGE / across);
	def.support = b->support;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.solver = (oz_solver)b->kind;
	def.max_rounds = 10000;
	def.time_step = (float)place->time_step;
	def.device = place->device;
	def.hooks.log = oz_cli_log;
	def.threads = place->threads;
	const oz_material_def water = oz_material_default(is_linked(b) ? OZ_LINKS : OZ_FLUID);
	const float e = (float)EDGE;
	const oz_vec3 size = {e, e, (float)(deep * EDGE / across)};
	const float length = has_cubes(b) ? e : 4 * e;
	oz_shape tank = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){length, 5 * e, size.z});
	tank.position = (oz_vec3){0.5f * length, 2.5f * e, 0.5f * size.z};
	oz_collider_def collider = oz_collider_default(tank);
	collider.inside = true;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &water, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_collider(*world, &collider, NULL, error);
	if (result == OZ_OK)
		result = add_column(*world, size, def.spacing, error);
	if (result == OZ_OK && has_cubes(b))
		result = add_cubes(*world, error);
	return result;
}

// takes so many steps, or with 0 those of the simulated time
static oz_result run_steps(oz_world *w, uint32_t steps, oz_bench_outcome *o, sums *s,
                           oz_error *error)
{
	oz_result result = OZ_OK;
	*s = (sums){0};
	o->rebuilt = 0;
	for (o->steps = 0; steps ? o->steps < steps : oz_world_time(w) < SIMULATED; o->steps++) {
		oz_step_report r;
		result = oz_world_step(w, &r, error);
		if (result != OZ_OK)
			return result;
		for (int k = 0; k < OZ_STAGE_COUNT; k++)
			o->stages[k].value += (double)r.stage_ns[k];
		o->rebuilt += r.rebuilt;
		s->rounds += r.pressure_rounds;
		s->compression += (double)r.mean_compression;
		s->largest = fmax(s->largest, (double)r.max_compression);
	}
	return result;
}

// The first trial of the pressures is as much work as a round.
static void fill_outcome(oz_world *w, const sums *s, oz_bench_outcome *o)
{
	const double n = oz_world_particle_count(w), steps = o->steps, time = oz_world_time(w);
	const double rounds = s->rounds / steps;
	const double pressure = o->stages[OZ_STAGE_PRESSURE].value / (n * steps);
	const double links = o->stages[OZ_STAGE_LINKS].value / (n * steps);
	const oz_links *l = oz_model_state(&w->sim, &oz_links_model);
	double all = 0;
	for (int k = 0; k < OZ_STAGE_COUNT; k++)
		all += o->stages[k].value / (n * steps);
	o->particles = oz_world_particle_count(w);
	o->threads = oz_world_threads(w);
	o->lanes = w->sim.device->lanes;
	o->device = *oz_world_device(w);
	o->bytes_per_particle = (double)oz_world_bytes(w) / n;
	o->neighbours = oz_bench_neighbours(w);
	o->hash = oz_world_hash(w);
	const oz_bench_number extras[] = {{"rounds", rounds},
	                                  {"round_ns", pressure / (rounds + 1)},
	                                  {"step_ns", o->seconds * 1e9 / (n * steps)},
	                                  {"simulated", time},
	                                  {"seconds_per_simulated_second", o->seconds / time},
	                                  {"real_time_factor", time / o->seconds},
	                                  {"mean_compression", s->compression / steps},
	                                  {"max_compression", s->largest},
	                                  {"links", (double)l->table.used / n},
	                                  {"links_ns", links},
	                                  {"links_share", links / all}};
	o->extra_count = sizeof extras / sizeof *extras;
	if (l->table.used == 0)
		o->extra_count -= 3; // what is said of links
	for (uint32_t k = 0; k < o->extra_count; k++)
		o->extras[k] = extras[k];
}

// One run from rest. On a GPU, timing the stages slows the steps, so they are timed in another run.
static oz_result run_once(const oz_benchmark *b, uint32_t steps, const oz_bench_place *place,
                          bool stages, oz_bench_outcome *o, oz_error *error)
{
	oz_world *w = NULL;
	sums s;
	oz_result result = build(b, place, &w, error);
	if (result == OZ_OK && stages)
		oz_world_time_stages(w, true);
	const uint64_t begin = oz_clock_ns();
	if (result == OZ_OK)
		result = run_steps(w, steps, o, &s, error);
	if (!stages)
		o->seconds = (double)(oz_clock_ns() - begin) * 1e-9;
	if (result == OZ_OK)
		fill_outcome(w, &s, o);
	oz_world_destroy(w);
	return result;
}

oz_result oz_bench_incompressible(const oz_benchmark *b, uint32_t steps,
                                  const oz_bench_place *place, oz_bench_outcome *o, oz_error *error)
{
	_Static_assert(OZ_STAGE_COUNT <= OZ_BENCH_STAGES, "every stage has its place");
	for (int k = 0; k < OZ_STAGE_COUNT; k++)
		o->stages[k].name = oz_stage_name((oz_stage)k);
	o->stage_count = OZ_STAGE_COUNT;
	oz_result result = run_once(b, steps, place, false, o, error);
	// on the processor stages are always timed
	if (result == OZ_OK && o->stages[OZ_STAGE_PRESSURE].value == 0)
		result = run_once(b, steps, place, true, o, error);
	return result;
}
