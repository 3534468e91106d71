// nozzles.c: emitters: round layers of particles, one after the other, along a straight jet.
//
// A layer leaves the opening when the one before it has made room: after (layer volume) / rate
// seconds. It comes from behind: a nozzle is a support radius and more deep, and layers pass
// through it at the jet's speed, unmoved by forces, pushing away whatever lies before the opening.
// So no particle ever appears on top of another, and a jet is exact whatever the time step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/nozzle.h"
#include "world/world.h"

#define NOZZLE_DEPTH 1.5f // in support radii

oz_emitter_def oz_emitter_default(oz_id material)
{
	oz_emitter_def def = {0};
	oz_params_default(OZ_PARAMS_EMITTER, &def);
	def.material = material;
	return def;
}

// two directions across the jet
static void across(oz_vec3 along, oz_vec3 *u, oz_vec3 *v)
{
	const bool steep = fabsf(along.y) > 0.9f;
	*u = oz_normalize(oz_cross(along, steep ? oz_v3(1, 0, 0) : oz_v3(0, 1, 0)));
	*v = oz_cross(along, *u);
}

// A layer is a square lattice at rest spacing, so that a full jet is under no pressure: the points
// a, b with a² + b² ≤ q, for the least q that gives as many as the opening has spacings².
static uint32_t lattice_points(uint32_t q)
{
	const int reach = (int)sqrt((double)q);
	uint32_t count = 0;
	for (int a = -reach; a <= reach; a++)
		for (int b = -reach; b <= reach; b++)
			count += (uint32_t)(a * a + b * b) <= q;
	return count;
}

static void shape_layer(oz_nozzle *n, float spacing)
{
	const double area = M_PI * pow((double)n->def.radius / (double)spacing, 2);
	// the disc of that area is nearly it
	const double first = area / M_PI - 2 * sqrt(area) - 2;
	n->reach2 = first > 0 ? (uint32_t)first : 0;
	while (lattice_points(n->reach2) < area)
		n->reach2++;
	n->count = lattice_points(n->reach2);
}

// m³/s through the whole opening
static double full_rate(const oz_emitter_def *def)
{
	return M_PI * (double)def->radius * (double)def->radius * (double)def->speed;
}

static oz_result check_def(const oz_world *w, const oz_emitter_def *def, oz_error *error)
{
	char where[32];
	snprintf(where, sizeof where, "emitter %u", w->nozzles.count);
	const oz_result result = oz_params_check(OZ_PARAMS_EMITTER, def, where, error);
	if (result != OZ_OK)
		return result;
	if (def->material >= w->materials.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s names material %u, but there are %u; add the material first",
		               where, def->material, w->materials.count);
	if (oz_materials(w)[def->material].model == OZ_COROTATED)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s pours '%s', an elastic solid, which has one rest shape from the "
		               "start; pour a fluid or a blend",
		               where, oz_materials(w)[def->material].name);
	if (!(oz_length(def->direction) > 0))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.direction is zero; give the way the jet points, as in 0 -1 0",
		               where);
	if ((double)def->rate > 1.0001 * full_rate(def))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.rate is %g m³/s, but its opening passes at most %g at that "
		               "speed; raise "
		               "its radius or speed",
		               where, (double)def->rate, full_rate(def));
	if ((double)def->radius / (double)w->def.spacing > 500)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.radius is %g m, %.0f spacings: too wide for a nozzle; use at "
		               "most 500",
		               where, (double)def->radius, (double)(def->radius / w->def.spacing));
	return OZ_OK;
}

oz_result oz_world_add_emitter(oz_world *w, const oz_emitter_def *def, oz_id *emitter,
                               oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	oz_result result = check_def(w, def, error);
	if (result != OZ_OK)
		return result;
	oz_body_def body = oz_body_default();
	body.material = def->material;
	snprintf(body.name, sizeof body.name, "emitter %u", w->nozzles.count);
	oz_device *d = w->device;
	const size_t old = sizeof(oz_guide) * w->nozzles.count;
	oz_guide *guide = d->ops->alloc(d, old + sizeof *guide);
	oz_nozzle *added = guide ? oz_array_add(&w->heap, &w->nozzles) : NULL;
	if (added) {
		*added = (oz_nozzle){.def = *def};
		shape_layer(added, w->def.spacing);
		result = oz_world_add_body(w, &body, &added->body, error);
		w->nozzles.count -= result != OZ_OK;
	} else {
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for emitter %u; close other programs",
		                 w->nozzles.count);
	}
	if (result != OZ_OK) {
		d->ops->release(d, guide, old + sizeof *guide);
		return result;
	}
	d->ops->release(d, w->guide, old);
	w->guide = guide;
	for (uint32_t k = 0; k < w->nozzles.count; k++)
		oz_nozzles(w)[k].guided = false;
	if (emitter)
		*emitter = w->nozzles.count - 1;
	return OZ_OK;
}

// seconds between two layers
static double layer_time(const oz_world *w, const oz_nozzle *n)
{
	const double s = (double)w->def.spacing;
	return n->count * s * s * s / (n->def.rate > 0 ? (double)n->def.rate : full_rate(&n->def));
}

static double nozzle_time(const oz_world *w, const oz_nozzle *n)
{
	return (double)(NOZZLE_DEPTH * oz_support_radius(w)) / (double)n->def.speed;
}

// `ahead`: seconds until the layer reaches the opening; after that it has been in free flight
static oz_result emit_layer(oz_world *w, const oz_nozzle *n, double ahead, oz_error *error)
{
	const oz_vec3 u = oz_scale(oz_normalize(n->def.direction), n->def.speed);
	const float flown = ahead < 0 ? -(float)ahead : 0;
	const oz_vec3 g = w->def.gravity, velocity = oz_mad(u, g, flown);
	const oz_vec3 centre =
	        oz_mad(oz_mad(n->def.position, u, -(float)ahead), g, 0.5f * flown * flown);
	const size_t size = sizeof(oz_vec3) * n->count;
	oz_vec3 *points = oz_arena_take(&w->heap, &w->arena, 2 * size);
	if (!points)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory while emitting; shorten the duration");
	oz_vec3 *velocities = points + n->count, u1, u2;
	const int reach = (int)sqrt((double)n->reach2);
	uint32_t next = 0;
	across(oz_normalize(n->def.direction), &u1, &u2);
	for (int a = -reach; a <= reach; a++)
		for (int b = -reach; b <= reach; b++) {
			if ((uint32_t)(a * a + b * b) > n->reach2)
				continue;
			const oz_vec3 row = oz_mad(centre, u1, (float)a * w->def.spacing);
			points[next] = oz_mad(row, u2, (float)b * w->def.spacing);
			velocities[next++] = velocity;
		}
	const float number = (float)(n - oz_nozzles(w)) + 1;
	return oz_particles_add(w, n->body, points, velocities, n->count,
	                        ahead < 0 ? -number : number, n->def.temperature, error);
}

static void set_guide(oz_world *w, uint32_t k)
{
	const oz_nozzle *n = &oz_nozzles(w)[k];
	const float rim = (sqrtf((float)n->reach2) + 0.5f) * w->def.spacing;
	const oz_guide guide = {
	        .opening = n->def.position,
	        .velocity = oz_scale(oz_normalize(n->def.direction), n->def.speed),
	        .inv_speed2 = 1 / (n->def.speed * n->def.speed),
	        .depth = (float)(nozzle_time(w, n) * 1.001),
	        .mouth = oz_support_radius(w) / n->def.speed,
	        .radius2 = rim * rim,
	};
	w->device->ops->write(w->device, w->guide, k * sizeof guide, &guide, sizeof guide);
}

// when the next layer leaves the opening; it sets off earlier
static double next_layer(const oz_world *w, const oz_nozzle *n)
{
	return (double)n->def.start + (double)n->layers * layer_time(w, n);
}

static bool is_due(const oz_world *w, const oz_nozzle *n)
{
	const double due = next_layer(w, n);
	return due - nozzle_time(w, n) <= w->time &&
	       due < (double)n->def.start + (double)n->def.duration;
}

bool oz_emit_is_due(const oz_world *w)
{
	for (uint32_t k = 0; k < w->nozzles.count; k++)
		if (is_due(w, &oz_nozzles(w)[k]))
			return true;
	return false;
}

oz_result oz_stage_emit(oz_world *w, oz_error *error)
{
	for (uint32_t k = 0; k < w->nozzles.count; k++) {
		oz_nozzle *n = &oz_nozzles(w)[k];
		if (!n->guided)
			set_guide(w, k);
		n->guided = true;
		while (is_due(w, n)) {
			const oz_result result =
			        emit_layer(w, n, next_layer(w, n) - w->time, error);
			if (result != OZ_OK)
				return result;
			n->layers++;
		}
	}
	return OZ_OK;
}
