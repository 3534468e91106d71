// bench_takamatsu.c: every column of Takamatsu & Kanai's table 1.
//
// The paper's scans may not be distributed; simple bodies replace them, with the same number of
// particles and of neighbours. For each body a cluster radius is searched that gives the paper's
// mean number of neighbours. Bodies fall on the floor from half their height, so that flight,
// impact and rest are timed. FPS (1) counts steps; FPS (2) makes a surface on the paper's grid
// after each step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "bench.h"
#include "cli.h"
#include "ooze/surface.h"
#include "world/world.h"

#define SPACING 0.01f
#define SHAKE   0.4f // spacings, random offset, so that the number of neighbours varies continuously
#define WARM_UP 20
#define SECONDS 0.6 // least duration of every timing

typedef enum stand_in { BAR, CUBE, HEAD, LIMBS, EARS, BALLS } stand_in;

typedef struct column {
	const char *label;
	stand_in body;
	uint32_t particles;
	double neighbours;
	float alpha, update_force;
	uint32_t grid; // cells along the shorter side
	double fps1, fps2;
} column;

static const column columns[] = {
        {"Fig 2 bar, sigma 8", BAR, 3600, 755.3, 0.0f, 8, 96, 1.8, 1.3},
        {"Fig 2 bar, sigma 5", BAR, 3600, 256.5, 0.0f, 8, 96, 4.7, 2.4},
        {"Fig 2 bar, sigma 3", BAR, 3600, 64.3, 0.0f, 8, 96, 14.2, 3.8},
        {"Fig 3 cube, fine", CUBE, 10648, 80.7, 0.7f, 12, 128, 4.1, 0.35},
        {"Fig 3 cube", CUBE, 3375, 23.6, 0.7f, 12, 128, 25.1, 1.2},
        {"Fig 5a head, fine", HEAD, 3764, 85.3, 0.0f, 6, 160, 8.7, 0.56},
        {"Fig 5a head", HEAD, 2015, 43.1, 0.0f, 6, 64, 26.6, 5.4},
        {"Fig 5b armadillo, fine", LIMBS, 4157, 27.1, 0.8f, 6, 160, 21.9, 0.68},
        {"Fig 5b armadillo", LIMBS, 2680, 16.6, 0.8f, 6, 64, 42.2, 6.3},
        {"Fig 5c bunny, fine", EARS, 4185, 35.1, 0.85f, 6, 160, 17.4, 0.42},
        {"Fig 5c bunny", EARS, 1328, 26.7, 0.85f, 6, 32, 64.6, 36.8},
        {"Fig 5d balls", BALLS, 8264, 28.3, 0.9f, 10, 160, 11.3, 0.20},
};
#define COLUMNS (sizeof columns / sizeof *columns)

// ---- bodies ------------------------------------------------------------------------------------

typedef struct lattice {
	oz_vec3 *points;
	uint32_t count, capacity;
} lattice;

// Depth of a point inside an ellipsoid of half axes a, b, c; negative outside.
static double ellipsoid(double x, double y, double z, double a, double b, double c)
{
	return 1 - sqrt(x * x / (a * a) + y * y / (b * b) + z * z / (c * c));
}

// Depth of a point inside a body of about unit size; negative outside.
static double depth(stand_in body, double x, double y, double z)
{
	const double side = fabs(x);
	switch (body) {
	case BAR:
	case CUBE: break; // filled by number
	case HEAD:        // a long face, a chin, a nose
		return fmax(ellipsoid(x, y, z, 0.4, 0.8, 0.45),
		            fmax(ellipsoid(x, y + 0.55, z, 0.42, 0.3, 0.5),
		                 ellipsoid(x, y, z - 0.4, 0.12, 0.35, 0.2)));
	case LIMBS: // a trunk, a head, two arms, two legs
		return fmax(fmax(ellipsoid(x, y, z, 0.35, 0.5, 0.3),
		                 ellipsoid(x, y - 0.65, z, 0.22, 0.25, 0.25)),
		            fmax(ellipsoid(side - 0.5, y - 0.25, z, 0.4, 0.14, 0.14),
		                 ellipsoid(side - 0.25, y + 0.65, z, 0.16, 0.4, 0.18)));
	case EARS: // a body, a head, two ears
		return fmax(ellipsoid(x, y + 0.2, z + 0.1, 0.45, 0.45, 0.6),
		            fmax(ellipsoid(x, y - 0.35, z - 0.4, 0.27, 0.27, 0.3),
		                 ellipsoid(side - 0.15, y - 0.75, z - 0.3, 0.08, 0.35, 0.12)));
	case BALLS: // four of them in a row of two layers
		return 0.5 - sqrt((side - 0.52) * (side - 0.52) +
		                  (fabs(y) - 0.52) * (fabs(y) - 0.52) + z * z);
	}
	return -1;
}

static bool add(lattice *l, oz_vec3 x)
{
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? 2 * l->capacity : 4096;
		oz_vec3 *grown = realloc(l->points, sizeof *grown * l->capacity);
		if (!grown)
			return false;
		l->points = grown;
	}
	l->points[l->count++] = x;
	return true;
}

static float shaken(int at, uint32_t *state)
{
	return ((float)at + 0.5f + SHAKE * oz_bench_random(state)) * SPACING;
}

static bool fill_box(lattice *l, int nx, int ny, int nz)
{
	uint32_t state = 1;
	l->count = 0;
	for (int k = 0; k < nx * ny * nz; k++) {
		const float x = shaken(k % nx - nx / 2, &state);
		const float y = shaken(k / nx % ny - ny / 2, &state);
		if (!add(l, (oz_vec3){x, y, shaken(k / (nx * ny) - nz / 2, &state)}))
			return false;
	}
	return true;
}

// Fills the body, scaled to `scale` spacings, with the points of a lattice, each moved a little at
// random; false: out of memory.
static bool fill(lattice *l, stand_in body, double scale)
{
	const int reach = (int)(1.3 * scale) + 1;
	uint32_t state = 1;
	l->count = 0;
	for (int k = -reach; k < reach; k++)
		for (int j = -reach; j < reach; j++)
			for (int i = -reach; i < reach; i++) {
				const double x = i + 0.5, y = j + 0.5, z = k + 0.5;
				if (depth(body, x / scale, y / scale, z / scale) > 0 &&
				    !add(l, (oz_vec3){shaken(i, &state), shaken(j, &state),
				                      shaken(k, &state)}))
					return false;
			}
	return true;
}

// Fills the body at the scale whose number of particles is nearest to the paper's.
static bool fill_to(lattice *l, stand_in body, uint32_t particles)
{
	double low = 2, high = 80;
	const int edge = (int)round(cbrt(particles));
	if (body == BAR)
		return fill_box(l, 10, (int)(particles / 90), 9);
	if (body == CUBE)
		return fill_box(l, edge, edge, edge);
	for (int k = 0; k < 40; k++) {
		const double middle = 0.5 * (low + high);
		if (!fill(l, body, middle))
			return false;
		*(l->count < particles ? &low : &high) = middle;
	}
	return fill(l, body, high);
}

// Mean number of particles within a radius (spacings), the particle itself not counted, as in the
// paper.
static double count_neighbours(const lattice *l, double radius)
{
	const float r2 = (float)(radius * radius) * SPACING * SPACING;
	uint64_t near = 0;
	for (uint32_t i = 0; i < l->count; i++)
		for (uint32_t j = 0; j < l->count; j++) {
			const float x = l->points[i].x - l->points[j].x;
			const float y = l->points[i].y - l->points[j].y;
			const float z = l->points[i].z - l->points[j].z;
			near += x * x + y * y + z * z < r2;
		}
	return (double)near / l->count - 1;
}

static double find_radius(const lattice *l, double neighbours)
{
	double low = 1.2, high = 12;
	for (int k = 0; k < 12; k++) {
		const double middle = 0.5 * (low + high);
		*(count_neighbours(l, middle) < neighbours ? &low : &high) = middle;
	}
	return fabs(count_neighbours(l, low) - neighbours) <
	                       fabs(count_neighbours(l, high) - neighbours)
	               ? low
	               : high;
}

// ---- timing ------------------------------------------------------------------------------------

static oz_result build(const column *c, const lattice *l, double radius,
                       const oz_bench_place *place, oz_world **world, oz_error *error)
{
	oz_world_def def = oz_world_default();
	def.spacing = SPACING;
	def.kernel = OZ_KERNEL_CUBIC;
	def.support = (float)fmin(fmax(radius, 1.7), 2);
	def.device = place->device;
	def.hooks.log = oz_cli_log;
	def.threads = place->threads;
	oz_material_def m = oz_material_default(OZ_BLEND);
	m.alpha = c->alpha;
	m.update_force = c->update_force;
	m.cluster_radius = (float)fmax(radius, (double)def.support);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	float low = 0, high = 0;
	for (uint32_t i = 0; i < l->count; i++) {
		low = fminf(low, l->points[i].y);
		high = fmaxf(high, l->points[i].y);
	}
	floor.shape.position.y = low - 0.5f * (high - low);
	floor.friction = 0.3f;
	oz_body_def body = oz_body_default();
	body.points = l->points;
	body.count = l->count;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_world_add_material(*world, &m, NULL, error);
	if (result == OZ_OK)
		result = oz_world_add_collider(*world, &floor, NULL, error);
	return result == OZ_OK ? oz_world_add_body(*world, &body, NULL, error) : result;
}

static oz_result steps(oz_world *w, oz_surface *s, uint32_t count, oz_error *error)
{
	oz_surface_mesh mesh;
	for (uint32_t k = 0; k < count; k++) {
		oz_result result = oz_world_step(w, NULL, error);
		oz_view view;
		if (result == OZ_OK && s)
			result = oz_world_view(w, OZ_FIELD_POSITION, &view, error);
		if (result == OZ_OK && s)
			result = oz_surface_build(s, &(oz_surface_input){.position = view}, &mesh,
			                          error);
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

// Measures steps per second over at least SECONDS; with a surface after each step if s is not NULL.
static oz_result time_steps(oz_world *w, oz_surface *s, double *fps, oz_error *error)
{
	const uint32_t batch = s ? 5 : 20;
	uint32_t done = 0;
	oz_result result = steps(w, s, WARM_UP, error);
	const uint64_t begin = oz_clock_ns();
	double seconds = 0;
	while (seconds < SECONDS && result == OZ_OK) {
		result = steps(w, s, batch, error);
		done += batch;
		seconds = (double)(oz_clock_ns() - begin) * 1e-9;
	}
	*fps = done / seconds;
	return result;
}

static oz_surface_def surface_of(const column *c, const lattice *l, uint32_t threads)
{
	float low[2] = {0, 0}, high[2] = {0, 0};
	for (uint32_t i = 0; i < l->count; i++) {
		low[0] = fminf(low[0], l->points[i].x), high[0] = fmaxf(high[0], l->points[i].x);
		low[1] = fminf(low[1], l->points[i].z), high[1] = fmaxf(high[1], l->points[i].z);
	}
	const float wide = fmaxf(high[0] - low[0], high[1] - low[1]);
	oz_surface_def def = oz_surface_default(SPACING);
	def.kind = OZ_SURFACE_DISTANCE;
	def.cell = (wide / SPACING + 3) / (float)c->grid;
	def.smoothing = 0;
	def.threads = threads;
	return def;
}

typedef struct timing {
	double neighbours, fps1, fps2;
	uint32_t particles;
} timing;

static oz_result time_column(const column *c, const oz_bench_place *place, timing *t,
                             oz_error *error)
{
	lattice l = {0};
	oz_world *w = NULL;
	oz_surface *s = NULL;
	if (!fill_to(&l, c->body, c->particles)) {
		free(l.points);
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory; close other programs");
	}
	const double radius = find_radius(&l, c->neighbours);
	const oz_surface_def def = surface_of(c, &l, place->threads);
	t->particles = l.count;
	t->neighbours = count_neighbours(&l, radius);
	oz_result result = build(c, &l, radius, place, &w, error);
	if (result == OZ_OK)
		result = oz_surface_create(&def, &s, error);
	if (result == OZ_OK)
		result = time_steps(w, NULL, &t->fps1, error);
	if (result == OZ_OK)
		result = time_steps(w, s, &t->fps2, error);
	oz_surface_destroy(s);
	oz_world_destroy(w);
	free(l.points);
	return result;
}

static void put_column(oz_json_writer *w, const column *c, const timing *t)
{
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "label", c->label);
	oz_json_put_count(w, "particles", t->particles);
	oz_json_put_rounded(w, "neighbours", t->neighbours, 1);
	oz_json_put_rounded(w, "fps1", t->fps1, 1);
	oz_json_put_rounded(w, "fps2", t->fps2, 1);
	oz_json_put_number(w, "paper_fps1", c->fps1);
	oz_json_put_number(w, "paper_fps2", c->fps2);
	oz_json_end(w);
}

oz_result oz_bench_takamatsu(const oz_bench_place *place, oz_json_writer *json, oz_error *error)
{
	if (json)
		oz_json_begin_list(json, "columns");
	for (size_t k = 0; k < COLUMNS; k++) {
		const column *c = &columns[k];
		timing t = {0};
		const oz_result result = time_column(c, place, &t, error);
		if (result != OZ_OK)
			return result;
		if (json)
			put_column(json, c, &t);
		else
			printf("%-24s %6u particles (paper %u), %5.1f neighbours (%5.1f), %7.1f "
			       "steps/s = "
			       "%4.0f x, with surface %6.1f = %4.0f x\n",
			       c->label, t.particles, c->particles, t.neighbours, c->neighbours,
			       t.fps1, t.fps1 / c->fps1, t.fps2, t.fps2 / c->fps2);
		fflush(stdout);
	}
	if (json)
		oz_json_end(json);
	return OZ_OK;
}
