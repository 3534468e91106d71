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

// density of the lightest solid that has particles, kg/m³; 0: no solid has friction
static float lightest_with_friction(const oz_sim *sim)
{
	float density = INFINITY, friction = 0;
	for (uint32_t b = 0; b < sim->bodies.count; b++) {
		if (!oz_bodies(sim)[b].count || !matter_of(sim, b)->firm)
			continue;
		density = fminf(density, matter_of(sim, b)->density);
		friction = fmaxf(friction, matter_of(sim, b)->friction);
	}
	return friction > 0 ? density : 0;
}

bool oz_contact_leaves_plain(const oz_sim *sim)
{
	return sim->slots->count == 0 || sim->contact->plain;
}

// ---- memory ------------------------------------------------------------------------------------

#define CONTACT_ROW(...) OZ_FIELD_ROW(oz_contact, "contact.", __VA_ARGS__)
static const oz_field_row contact_rows[] = {OZ_CONTACT_FIELDS(CONTACT_ROW)};

enum { ROW_TIE, ROW_TOUCHING, ROW_PLAIN, ROW_ALONE, ROW_HELD, ROW_NORMAL, ROW_COUNT };
_Static_assert(sizeof contact_rows / sizeof *contact_rows == ROW_COUNT, "a number for each row");

size_t oz_contact_bytes(bool friction)
{
	// two fields, and scratch as large
	return oz_rows_bytes(contact_rows, ROW_HELD) + (friction ? 4 * sizeof(oz_float4) : 0);
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
	// also if no solid has friction now: it may have been switched off
	if (strcmp(name, contact_rows[ROW_HELD].name) != 0 &&
	    strcmp(name, contact_rows[ROW_NORMAL].name) != 0)
		return OZ_OK;
	const oz_result result = open_row(sim, ROW_HELD, error);
	return result == OZ_OK ? open_row(sim, ROW_NORMAL, error) : result;
}

void oz_contact_forget(oz_sim *sim)
{
	oz_device *d = sim->device;
	const oz_contact *c = sim->contact;
	if (!c->held || lightest_with_friction(sim) > 0)
		return;
	d->ops->clear(d, c->held, sizeof *c->held * sim->particles.count);
	d->ops->clear(d, c->normal, sizeof *c->normal * sim->particles.count);
}

oz_result oz_contact_reserve(oz_sim *sim, oz_error *error)
{
	if (sim->slots->count == 0)
		return OZ_OK;
	const bool fluid = has_fluid(sim), firm = has_firm(sim),
	           friction = lightest_with_friction(sim) > 0;
	const bool needed[ROW_COUNT] = {true, fluid || firm, fluid, firm, friction, friction};
	for (uint32_t k = 0; k < ROW_COUNT; k++) {
		const oz_result result = needed[k] ? open_row(sim, k, error) : OZ_OK;
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

// what particles keep for the next step, while others read that of the last one; scratch
typedef struct kept {
	oz_float4 *held, *normal;
} kept;

static void give_kept(oz_sim *sim, const kept *next)
{
	oz_scratch_give(&sim->scratch, next->held);
	oz_scratch_give(&sim->scratch, next->normal);
}

static oz_result take_kept(oz_sim *sim, kept *next, oz_error *error)
{
	const uint32_t room = sim->particles.capacity;
	next->held = OZ_TAKE(&sim->scratch, oz_float4, "friction of the next step", room);
	next->normal = OZ_TAKE(&sim->scratch, oz_float4, "normals of the next step", room);
	if (next->held && next->normal)
		return OZ_OK;
	give_kept(sim, next);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the friction of %u particles; use a larger spacing",
	               sim->particles.count);
}

oz_result oz_contact_reserve_scratch(oz_sim *sim, oz_error *error)
{
	kept next = {NULL, NULL};
	const oz_result result = sim->contact->held && lightest_with_friction(sim) > 0
	                                 ? take_kept(sim, &next, error)
	                                 : OZ_OK;
	if (result == OZ_OK)
		give_kept(sim, &next);
	return result;
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

#define GRIP                                                                                       \
	0.1f // share of a sliding velocity that friction stops in a step, if μ does not limit it

// friction between solids
static oz_result rub(oz_sim *sim, const oz_lists *lists, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	const float density = lightest_with_friction(sim);
	kept next;
	if (!c->held || !(density > 0))
		return OZ_OK;
	const oz_result result = take_kept(sim, &next, error);
	if (result != OZ_OK)
		return result;
	OZ_LAUNCH_PAIRS(sim->device, contact_friction, p->count, lists, .position = p->position,
	                .velocity = p->velocity, .contact_key = c->contact_key, .held = c->held,
	                .normal = c->normal, .material = p->material, .matter = sim->matter,
	                .next_held = next.held, .next_normal = next.normal,
	                .acceleration = p->acceleration, .solid = sim->solid,
	                .reach = oz_contact_reach(sim), .grip = GRIP / oz_kick(sim),
	                .unit = sim->solid.volume / density, .faces = c->faces);
	// a kernel: a copy would act even where steps ahead of the host are halted
	OZ_LAUNCH(sim->device, contact_hold, p->count, .next_held = next.held,
	          .next_normal = next.normal, .held = c->held, .normal = c->normal);
	give_kept(sim, &next);
	return OZ_OK;
}

oz_result oz_contact_forces(oz_sim *sim, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_contact *c = sim->contact;
	if (sim->slots->count == 0)
		return OZ_OK;
	const oz_lists lists = oz_contact_lists(sim, c->touching),
	               inner = oz_contact_lists(sim, c->alone);
	OZ_LAUNCH_PAIRS(sim->device, contact_force, p->count, &lists, .position = p->position,
	                .velocity = p->velocity, .contact_key = c->contact_key, .wall = p->wall,
	                .plain = OZ_OPTIONAL(c->plain), .slot = sim->slots->slot,
	                .material = p->material, .matter = sim->matter, .touch = sim->slots->touch,
	                .acceleration = p->acceleration, .fluid = sim->fluid, .solid = sim->solid,
	                .reach = oz_contact_reach(sim), .has_plain = c->plain != NULL,
	                .slots = sim->slots->count);
	const oz_result result = rub(sim, &lists, error);
	if (c->alone)
		OZ_LAUNCH_PAIRS(sim->device, contact_damp, p->count, &inner,
		                .position = p->position, .velocity = p->velocity,
		                .material = p->material, .matter = sim->matter,
		                .acceleration = p->acceleration, .fluid = sim->fluid);
	return result;
}
