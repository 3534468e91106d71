// nozzles.c: emitters: round layers of particles, one after the other, along a straight jet.
//
// A layer leaves the opening (layer volume) / rate seconds after the one before it. It starts at
// the rear end of the nozzle, 1.5 support radii behind the opening, and moves through the nozzle at
// the jet's velocity; no force acts on it, and its pressure pushes away the particles in front of
// the opening. So no particle is created on top of another, and the jet does not depend on the time
// step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/boundary.h"
#include "boundary/nozzle.h"

#define NOZZLE_DEPTH 1.5f // in support radii

// two unit vectors at right angles to the jet and to each other
static void jet_axes(oz_vec3 along, oz_vec3 *u, oz_vec3 *v)
{
	const bool steep = fabsf(along.y) > 0.9f;
	*u = oz_normalize(oz_cross(along, steep ? oz_v3(1, 0, 0) : oz_v3(0, 1, 0)));
	*v = oz_cross(along, *u);
}

// A layer is a square lattice of the rest spacing, so that a full jet has no pressure: the points
// (a, b) with a² + b² ≤ q. Returns how many they are.
static uint32_t lattice_points(uint32_t q)
{
	const int reach = (int)sqrt((double)q);
	uint32_t count = 0;
	for (int a = -reach; a <= reach; a++)
		for (int b = -reach; b <= reach; b++)
			count += (uint32_t)(a * a + b * b) <= q;
	return count;
}

// chooses the least q = reach2 that gives at least as many points as the opening has spacings²
static void shape_layer(oz_nozzle *n, float spacing)
{
	const double area = M_PI * pow((double)n->def.radius / (double)spacing, 2);
	// start a little below the disc of that area
	const double first = area / M_PI - 2 * sqrt(area) - 2;
	n->reach2 = first > 0 ? (uint32_t)first : 0;
	while (lattice_points(n->reach2) < area)
		n->reach2++;
	n->count = lattice_points(n->reach2);
}

// flow through the whole opening at the jet's speed, m³/s
static double full_rate(const oz_emitter_def *def)
{
	return M_PI * (double)def->radius * (double)def->radius * (double)def->speed;
}

oz_result oz_nozzles_check(const oz_boundary *b, const oz_sim *sim, const oz_emitter_def *def,
                           oz_error *error)
{
	char where[32];
	snprintf(where, sizeof where, "emitter %u", b->nozzles.count);
	const oz_result result = oz_params_check(OZ_PARAMS_EMITTER, def, where, error);
	if (result != OZ_OK)
		return result;
	if (def->material >= sim->materials.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s names material %u, but there are %u; add the material first",
		               where, def->material, sim->materials.count);
	if (!(oz_length(def->direction) > 0))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.direction is zero; give the direction of the jet, such as 0 -1 "
		               "0",
		               where);
	if ((double)def->rate > 1.0001 * full_rate(def))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.rate is %g m³/s, but its opening lets through at most %g at "
		               "that "
		               "speed; raise "
		               "its radius or speed",
		               where, (double)def->rate, full_rate(def));
	if ((double)def->radius / (double)sim->def.spacing > 500)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.radius is %g m, %.0f spacings: too wide for a nozzle; use at "
		               "most 500",
		               where, (double)def->radius,
		               (double)(def->radius / sim->def.spacing));
	return OZ_OK;
}

static const oz_field_row nozzle_rows[] = {
#define NOZZLE_ROW(...) OZ_FIELD_ROW(oz_boundary, "", __VA_ARGS__)
        OZ_NOZZLE_FIELDS(NOZZLE_ROW)};

// adds the field `nozzle` of particles with the first nozzle
static oz_result add_field(oz_boundary *b, oz_sim *sim, oz_error *error)
{
	const oz_field_set set = {.rows = nozzle_rows,
	                          .count = sizeof nozzle_rows / sizeof *nozzle_rows,
	                          .items = OZ_ITEMS_PARTICLES,
	                          .holder = b};
	return b->nozzles.count > 1
	               ? OZ_OK
	               : oz_fields_add(&sim->fields, &set, sim->particles.count, error);
}

oz_result oz_nozzles_add(oz_boundary *b, oz_sim *sim, const oz_emitter_def *def, oz_id body,
                         oz_error *error)
{
	oz_device *d = sim->device;
	const size_t old = sizeof(oz_guide) * b->nozzles.count;
	oz_guide *guide = d->ops->alloc(d, old + sizeof *guide);
	oz_nozzle *added = guide ? oz_array_add(sim->heap, &b->nozzles) : NULL;
	const oz_result result =
	        added ? add_field(b, sim, error)
	              : oz_fail(error, OZ_ERROR_MEMORY,
	                        "out of memory for emitter %u; close other programs",
	                        b->nozzles.count);
	if (result != OZ_OK) {
		b->nozzles.count -= added != NULL;
		d->ops->release(d, guide, old + sizeof *guide);
		return result;
	}
	*added = (oz_nozzle){.def = *def, .body = body};
	shape_layer(added, sim->def.spacing);
	d->ops->release(d, b->guide, old);
	b->guide = guide;
	for (uint32_t k = 0; k < b->nozzles.count; k++)
		oz_nozzles(b)[k].guided = false;
	return OZ_OK;
}

// time between two layers, s
static double layer_time(const oz_sim *sim, const oz_nozzle *n)
{
	const double s = (double)sim->def.spacing;
	return n->count * s * s * s / (n->def.rate > 0 ? (double)n->def.rate : full_rate(&n->def));
}

// time of a layer in the nozzle, s
static double nozzle_time(const oz_sim *sim, const oz_nozzle *n)
{
	return (double)(NOZZLE_DEPTH * oz_support_radius(sim)) / (double)n->def.speed;
}

// writes the record of nozzle k to the device
static void set_guide(oz_boundary *b, const oz_sim *sim, uint32_t k)
{
	const oz_nozzle *n = &oz_nozzles(b)[k];
	const float rim = (sqrtf((float)n->reach2) + 0.5f) * sim->def.spacing;
	const oz_guide guide = {
	        .opening = n->def.position,
	        .velocity = oz_scale(oz_normalize(n->def.direction), n->def.speed),
	        .inv_speed2 = 1 / (n->def.speed * n->def.speed),
	        .flight_time = (float)(nozzle_time(sim, n) * 1.001),
	        .mouth = oz_support_radius(sim) / n->def.speed,
	        .radius2 = rim * rim,
	};
	sim->device->ops->write(sim->device, b->guide, k * sizeof guide, &guide, sizeof guide);
}

// time at which the next layer passes the opening, s; it enters the nozzle earlier
static double next_layer(const oz_sim *sim, const oz_nozzle *n)
{
	return (double)n->def.start + (double)n->layers * layer_time(sim, n);
}

bool oz_nozzle_is_due(const oz_sim *sim, const oz_nozzle *n)
{
	const double due = next_layer(sim, n);
	return due - nozzle_time(sim, n) <= sim->time &&
	       due < (double)n->def.start + (double)n->def.duration;
}

bool oz_emit_is_due(const oz_boundary *b, const oz_sim *sim)
{
	for (uint32_t k = 0; k < b->nozzles.count; k++)
		if (oz_nozzle_is_due(sim, &oz_nozzles(b)[k]))
			return true;
	return false;
}

void oz_nozzles_place(oz_boundary *b, const oz_sim *sim)
{
	for (uint32_t k = 0; k < b->nozzles.count; k++) {
		if (!oz_nozzles(b)[k].guided)
			set_guide(b, sim, k);
		oz_nozzles(b)[k].guided = true;
	}
}

// `ahead`: s until the layer passes the opening; a layer that is late has been in free flight since
void oz_nozzle_layer(const oz_boundary *b, const oz_sim *sim, const oz_nozzle *n, oz_layer *layer)
{
	const double ahead = next_layer(sim, n) - sim->time;
	const oz_vec3 u = oz_scale(oz_normalize(n->def.direction), n->def.speed);
	const float flown = ahead < 0 ? -(float)ahead : 0;
	const oz_vec3 g = sim->def.gravity, velocity = oz_mad(u, g, flown);
	const oz_vec3 centre =
	        oz_mad(oz_mad(n->def.position, u, -(float)ahead), g, 0.5f * flown * flown);
	const int reach = (int)sqrt((double)n->reach2);
	const float number = (float)(n - oz_nozzles(b)) + 1;
	oz_vec3 u1, u2;
	uint32_t next = 0;
	jet_axes(oz_normalize(n->def.direction), &u1, &u2);
	for (int i = -reach; i <= reach; i++)
		for (int j = -reach; j <= reach; j++) {
			if ((uint32_t)(i * i + j * j) > n->reach2)
				continue;
			const oz_vec3 row = oz_mad(centre, u1, (float)i * sim->def.spacing);
			layer->points[next] = oz_mad(row, u2, (float)j * sim->def.spacing);
			layer->velocities[next++] = velocity;
		}
	layer->state = ahead < 0 ? -number : number;
}
