// nozzles.c: emitters: layers of particles, one after the other, along a straight jet.
//
// A layer leaves the opening (layer volume) / rate seconds after the one before it. Each of its
// particles is in a column of its own and passes the opening at its own phase (opening.h). The
// first particle starts at the rear end of the nozzle, 1.5 support radii behind the opening, the
// others behind it. They move through the nozzle at the jet's velocity; no force acts on them, and
// their pressure pushes away the particles in front of the opening. So no particle is created on
// top of another, and the jet does not depend on the time step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/boundary.h"
#include "boundary/nozzle.h"

#define NOZZLE_DEPTH 1.5f // in support radii

// flow through the whole opening at the jet's speed, m³/s
static double full_rate(const oz_emitter_def *def)
{
	return oz_opening_area(def) * (double)def->speed;
}

// refuses an opening of too many columns
static oz_result check_width(const oz_sim *sim, const oz_emitter_def *def, const char *where,
                             oz_error *error)
{
	const bool rectangle = oz_opening_is_rectangle(def), wide = def->width > def->height;
	const float side = rectangle ? fmaxf(def->width, def->height) : def->radius;
	const double spacings = (double)side / (double)sim->def.spacing;
	const char *name = !rectangle ? "radius" : wide ? "width" : "height";
	const int most = rectangle ? 1000 : 500;
	if (spacings <= most)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s.%s is %g m, %.0f spacings: too wide for a nozzle; use at most %d", where,
	               name, (double)side, spacings, most);
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
		               "that speed; use a larger opening or a higher speed",
		               where, (double)def->rate, full_rate(def));
	return check_width(sim, def, where, error);
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
	*added = (oz_nozzle){.def = *def,
	                     .body = body,
	                     .columns = oz_opening_columns(def, (double)sim->def.spacing)};
	d->ops->release(d, b->guide, old);
	b->guide = guide;
	for (uint32_t k = 0; k < b->nozzles.count; k++)
		oz_nozzles(b)[k].guided = false;
	// a nozzle pierces thin walls: they separate the lists again
	sim->neighbours.valid = sim->neighbours.valid && !b->thin;
	return OZ_OK;
}

// time between two layers, s
static double layer_time(const oz_sim *sim, const oz_nozzle *n)
{
	const double s = (double)sim->def.spacing, volume = n->columns.count * s * s * s;
	return volume / (n->def.rate > 0 ? (double)n->def.rate : full_rate(&n->def));
}

// time of a particle in the nozzle, from its rear end to the opening, s
static double nozzle_time(const oz_sim *sim, const oz_nozzle *n)
{
	return (double)(NOZZLE_DEPTH * oz_support_radius(sim)) / (double)n->def.speed;
}

// Time over which the phases of columns spread the particles of a layer, s: up to the next layer,
// but not longer than the nozzle, so that no particle starts farther than that behind it.
static double phase_time(const oz_sim *sim, const oz_nozzle *n)
{
	return fmin(layer_time(sim, n), nozzle_time(sim, n));
}

// writes the record of nozzle k to the device
static void set_guide(oz_boundary *b, const oz_sim *sim, uint32_t k)
{
	const oz_nozzle *n = &oz_nozzles(b)[k];
	const oz_columns *c = &n->columns;
	const float rim = 0.5f * sim->def.spacing;
	oz_guide guide = {
	        .opening = n->def.position,
	        .velocity = oz_scale(oz_normalize(n->def.direction), n->def.speed),
	        .inv_speed2 = 1 / (n->def.speed * n->def.speed),
	        .flight_time = (float)((nozzle_time(sim, n) + phase_time(sim, n)) * 1.001),
	        .mouth = oz_support_radius(sim) / n->def.speed,
	        .half_width = 0.5f * (float)(c->across[0] - 1) * c->pitch[0] + rim,
	        .half_height = 0.5f * (float)(c->across[1] - 1) * c->pitch[1] + rim,
	};
	const float corner2 =
	        guide.half_width * guide.half_width + guide.half_height * guide.half_height;
	const float radius = 0.5f * sqrtf((float)c->reach2) * c->pitch[0] + rim;
	guide.radius2 = oz_opening_is_rectangle(&n->def) ? corner2 : radius * radius;
	oz_opening_axes(&n->def, &guide.width, &guide.height);
	sim->device->ops->write(sim->device, b->guide, k * sizeof guide, &guide, sizeof guide);
}

// time at which the first particle of the next layer passes the opening, s; it enters the nozzle
// earlier
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

// writes the records (oz_guide) of new nozzles to the device
void oz_nozzles_place(oz_boundary *b, const oz_sim *sim)
{
	for (uint32_t k = 0; k < b->nozzles.count; k++) {
		if (!oz_nozzles(b)[k].guided)
			set_guide(b, sim, k);
		oz_nozzles(b)[k].guided = true;
	}
}

// Puts a particle at `offset` (m) from the axis. `ahead`: s until it passes the opening; a particle
// that is late has been in free flight since.
static void place_particle(const oz_sim *sim, const oz_nozzle *n, oz_vec3 offset, double ahead,
                           oz_vec3 *point, oz_vec3 *velocity)
{
	const oz_vec3 u = oz_scale(oz_normalize(n->def.direction), n->def.speed);
	const oz_vec3 g = sim->def.gravity, start = oz_add(n->def.position, offset);
	const float flown = ahead < 0 ? -(float)ahead : 0;
	*point = oz_mad(oz_mad(start, u, -(float)ahead), g, 0.5f * flown * flown);
	*velocity = oz_mad(u, g, flown);
}

void oz_nozzle_layer(const oz_sim *sim, const oz_nozzle *n, oz_vec3 *points, oz_vec3 *velocities)
{
	const double first = next_layer(sim, n) - sim->time, spread = phase_time(sim, n);
	oz_vec3 u, v;
	oz_column column;
	uint32_t next = 0;
	oz_opening_axes(&n->def, &u, &v);
	for (uint32_t i = 0; i < n->columns.across[0]; i++)
		for (uint32_t j = 0; j < n->columns.across[1]; j++) {
			if (!oz_columns_at(&n->columns, i, j, &column))
				continue;
			const oz_vec3 offset = oz_mad(oz_scale(u, column.width), v, column.height);
			place_particle(sim, n, offset, first + column.phase * spread, &points[next],
			               &velocities[next]);
			next++;
		}
}
