// contact.c: launches the kernels that write contact keys and those that use them.
#include "contact/contact.h"

#include <math.h>
#include <string.h>

#include "contact/slots.h"

#include "contact/contact.cl"
#include "contact/friction.cl"

// ---- materials in use --------------------------------------------------------------------------

static const oz_matter *matter_of(const oz_sim *sim, oz_id body)
{
	return (const oz_matter *)sim->matters.items + oz_bodies(sim)[body].material;
}

// whether a body without a rest shape has particles
static bool has_fluid(const oz_sim *sim)
{
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_bodies(sim)[b].count && !(matter_of(sim, b)->rest_reach > 0))
			return true;
	return false;
}

// whether an elastic body has particles
static bool has_firm(const oz_sim *sim)
{
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_bodies(sim)[b].count && matter_of(sim, b)->firm)
			return true;
	return false;
}

// whether an elastic body with friction has particles
static bool has_friction(const oz_sim *sim)
{
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_bodies(sim)[b].count && matter_of(sim, b)->firm &&
		    matter_of(sim, b)->friction > 0)
			return true;
	return false;
}

bool oz_contact_leaves_plain(const oz_sim *sim)
{
	return sim->slots->count == 0 || sim->contact->plain;
}

// ---- memory ------------------------------------------------------------------------------------

#define CONTACT_ROW(...) OZ_FIELD_ROW(oz_contact, "contact.", __VA_ARGS__)
static const oz_field_row contact_rows[] = {OZ_CONTACT_FIELDS(CONTACT_ROW)};

enum { ROW_TIE, ROW_TOUCHING, ROW_PLAIN, ROW_ALONE, ROW_HELD, ROW_COUNT };
_Static_assert(sizeof contact_rows / sizeof *contact_rows == ROW_COUNT, "a number for each row");

size_t oz_contact_bytes(void)
{
	return oz_rows_bytes(contact_rows, ROW_COUNT);
}

static oz_float4 *take_held(oz_sim *sim)
{
	return OZ_TAKE(&sim->scratch, oz_float4, "held", sim->particles.capacity);
}

// adds a field to the registry, if it is not there
static oz_result open_row(oz_sim *sim, uint32_t k, oz_error *error)
{
	oz_contact *c = sim->contact;
	const oz_field_set set = {&contact_rows[k], 1, OZ_ITEMS_PARTICLES, c};
	if (c->fields & 1u << k)
		return OZ_OK;
	const oz_result result = oz_fields_add(&sim->fields, &set, sim->particles.count, error);
	if (result == OZ_OK) {
		c->fields |= 1u << k;
		c->keys_valid = false;
	}
	return result;
}

oz_result oz_contact_open_field(oz_sim *sim, const char *name, oz_error *error)
{
	const bool held = strcmp(name, contact_rows[ROW_HELD].name) == 0 && has_friction(sim);
	return held ? open_row(sim, ROW_HELD, error) : OZ_OK;
}

oz_result oz_contact_reserve(oz_sim *sim, oz_error *error)
{
	const oz_contact *c = sim->contact;
	if (sim->slots->count == 0)
		return OZ_OK;
	const bool fluid = has_fluid(sim), firm = has_firm(sim);
	const bool needed[ROW_COUNT] = {true, fluid || firm, fluid, firm, has_friction(sim)};
	for (uint32_t k = 0; k < ROW_COUNT; k++) {
		const oz_result result = needed[k] ? open_row(sim, k, error) : OZ_OK;
		if (result != OZ_OK)
			return result;
	}
	oz_float4 *next = c->held ? take_held(sim) : NULL;
	oz_scratch_give(&sim->scratch, next);
	if (c->held && !next)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u particles; use a larger spacing",
		               sim->particles.count);
	return OZ_OK;
}

// ---- keys --------------------------------------------------------------------------------------

#define SQUEEZE 1.5f // rest distance of inner pairs of elastic bodies, in support radii, at most

// For blends the smallest rest reach of all of them: an inner pair is then inner from both sides.
contact_reach oz_contact_reach(const oz_sim *sim)
{
	const float firm = SQUEEZE * sim->solid.h;
	float soft = 1e9f;
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_has_slots(sim, b) && !matter_of(sim, b)->firm)
			soft = fminf(soft, matter_of(sim, b)->rest_reach);
	return (contact_reach){.soft2 = soft * soft, .firm2 = firm * firm};
}

// Friction force per sliding speed, in units of a pair's force, where μ does not limit it: sliding
// stops within a few steps. 0: no friction.
static float grip_of(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	float density = INFINITY, friction = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++) {
		if (!m[k].firm)
			continue;
		density = fminf(density, m[k].density);
		friction = fmaxf(friction, m[k].friction);
	}
	return friction > 0 ? 0.1f * density / (sim->solid.volume * oz_kick(sim)) : 0;
}

oz_lists oz_contact_lists(const oz_sim *sim, const uint *count)
{
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, sim->fluid.h);
	if (count)
		lists.count = count;
	return lists;
}

const uint *oz_contact_counts(const oz_sim *sim)
{
	return sim->contact->touching ? sim->contact->touching : sim->neighbours.count;
}

void oz_contact_find_key(oz_sim *sim)
{
	oz_device *d = sim->device;
	const oz_particles *p = &sim->particles;
	const oz_slots *s = sim->slots;
	oz_contact *c = sim->contact;
	const oz_lists lists = oz_contact_lists(sim, NULL);
	if (s->count == 0 || c->keys_valid)
		return;
	OZ_LAUNCH(d, contact_find_key, p->count, .slot = s->slot, .rest = s->rest, .tag = s->tag,
	          .shapeless = s->shapeless, .material = p->material, .matter = sim->matter,
	          .contact_key = c->contact_key, .slots = s->count);
	if (c->touching)
		OZ_LAUNCH_PAIRS(d, contact_classify, p->count, &lists, .position = p->anchor,
		                .contact_key = c->contact_key, .slot = s->slot,
		                .listed = sim->neighbours.count, .plain = OZ_OPTIONAL(c->plain),
		                .touching = c->touching, .alone = OZ_OPTIONAL(c->alone),
		                .reach = oz_contact_reach(sim),
		                .radius2 = 2 * sim->neighbours.grid.radius2, .slots = s->count,
		                .has_plain = c->plain != NULL, .has_alone = c->alone != NULL);
	c->keys_valid = true;
}

// ---- passes ------------------------------------------------------------------------------------

void oz_contact_density(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *s = sim->slots;
	const oz_contact *c = sim->contact;
	if (s->count == 0)
		return;
	const oz_lists lists = oz_contact_lists(sim, c->touching);
	OZ_LAUNCH_PAIRS(sim->device, contact_density, p->count, &lists, .position = p->position,
	                .contact_key = c->contact_key, .wall = p->wall, .slot = s->slot,
	                .own_rest = s->own_rest, .plain = OZ_OPTIONAL(c->plain), .delta = p->delta,
	                .contact_delta = s->contact_delta, .fluid = sim->fluid, .solid = sim->solid,
	                .reach = oz_contact_reach(sim), .slots = s->count,
	                .has_plain = c->plain != NULL,
	                .shared = sim->def.pressure == OZ_PRESSURE_INCOMPRESSIBLE);
}

// friction between solids
static void rub(oz_sim *sim, const oz_lists *lists)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	const float grip = grip_of(sim);
	oz_float4 *next = c->held && grip > 0 ? take_held(sim) : NULL; // it was reserved
	if (!next)
		return;
	OZ_LAUNCH_PAIRS(sim->device, contact_friction, p->count, lists, .position = p->position,
	                .velocity = p->velocity, .contact_key = c->contact_key, .held = c->held,
	                .material = p->material, .matter = sim->matter, .next = next,
	                .acceleration = p->acceleration, .solid = sim->solid,
	                .reach = oz_contact_reach(sim), .grip = grip);
	sim->device->ops->copy(sim->device, c->held, next, sizeof *next * p->count);
	oz_scratch_give(&sim->scratch, next);
}

void oz_contact_forces(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	if (sim->slots->count == 0)
		return;
	const oz_lists lists = oz_contact_lists(sim, c->touching),
	               inner = oz_contact_lists(sim, c->alone);
	OZ_LAUNCH_PAIRS(sim->device, contact_force, p->count, &lists, .position = p->position,
	                .velocity = p->velocity, .contact_key = c->contact_key, .wall = p->wall,
	                .plain = OZ_OPTIONAL(c->plain), .slot = sim->slots->slot,
	                .material = p->material, .matter = sim->matter, .touch = sim->slots->touch,
	                .acceleration = p->acceleration, .fluid = sim->fluid, .solid = sim->solid,
	                .reach = oz_contact_reach(sim), .has_plain = c->plain != NULL,
	                .slots = sim->slots->count);
	rub(sim, &lists);
	if (c->alone)
		OZ_LAUNCH_PAIRS(sim->device, contact_damp, p->count, &inner,
		                .position = p->position, .velocity = p->velocity,
		                .material = p->material, .matter = sim->matter,
		                .acceleration = p->acceleration, .fluid = sim->fluid);
}
