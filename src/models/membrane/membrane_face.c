// membrane_face.c: large faces of skins press; host code of membrane_face.cl.
#include <math.h>

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "models/membrane/membrane.h"

#include "models/membrane/membrane_face.cl"
#include "models/membrane/membrane_rub.cl"

// ---- memory ------------------------------------------------------------------------------------

static void give(oz_sim *sim, oz_membrane_contact *c)
{
	const void *taken[] = {c->first, c->near,     c->start, c->face_of,
	                       c->touch, c->mobility, c->frame, c->crowd};
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*c = (oz_membrane_contact){0};
}

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the contact of the faces of membranes; use a larger "
	               "spacing, or skin_contact points");
}

// ---- pairs -------------------------------------------------------------------------------------

// counts the particles near faces, or writes them with the keys of the sort
static void search(oz_sim *sim, const oz_membrane *m, uint *key, bool write)
{
	const oz_membrane_buffers *b = &m->on_device;
	const oz_membrane_contact *c = &m->contact;
	const float skin = sqrtf(sim->neighbours.grid.radius2) - oz_support_radius(sim);
	const float inner2 = oz_contact_reach(sim).firm2;
	OZ_LAUNCH(sim->device, face_pairs, c->faces + 1, .faces = b->faces, .chambers = b->chambers,
	          .slot_of = b->slot_of, .particle_of_slot = sim->slots->particle_of_slot,
	          .anchor = sim->particles.anchor, .contact_key = sim->contact->contact_key,
	          .cell_start = sim->neighbours.cell_start,
	          .alone = OZ_OPTIONAL(sim->contact->alone), .first = c->first, .count = c->first,
	          .near = OZ_OPTIONAL(c->near), .key = OZ_OPTIONAL(key),
	          .face_of = OZ_OPTIONAL(c->face_of), .grid = sim->neighbours.grid, .all = c->faces,
	          .has_alone = sim->contact->alone && !sim->boundary->thin, .write = write,
	          .inner2 = inner2, .reach = OZ_FACE_REACH * sim->def.spacing + fmaxf(skin, 0),
	          .spacing = sim->def.spacing);
}

static uint32_t bits_of(uint32_t number)
{
	uint32_t bits = 1;
	while (bits < 32 && number >> bits)
		bits++;
	return bits;
}

static oz_result count_pairs(oz_sim *sim, oz_membrane *m, oz_error *error)
{
	oz_membrane_contact *c = &m->contact;
	c->faces = m->counts.faces;
	c->first = OZ_TAKE(&sim->scratch, uint, "first near particles", c->faces + 1ull);
	if (!c->first)
		return no_memory(error);
	search(sim, m, NULL, false);
	oz_device_scan(sim->device, c->first, c->faces + 1);
	sim->device->ops->read(sim->device, &c->pairs, c->first, sizeof(uint) * c->faces,
	                       sizeof c->pairs);
	return oz_device_check(sim->device, error);
}

// scratch of the sort of pairs by particle
typedef struct pair_sort {
	uint *key, *spare_key, *spare;
} pair_sort;

// lists the pairs of faces and particles, from both sides
static oz_result list_pairs(oz_sim *sim, oz_membrane *m, oz_error *error)
{
	oz_scratch *pool = &sim->scratch;
	oz_membrane_contact *c = &m->contact;
	const size_t room = sim->particles.capacity + (size_t)1;
	oz_result result = OZ_OK;
	c->near = OZ_TAKE(pool, uint, "near particles", c->pairs);
	c->face_of = OZ_TAKE(pool, uint, "near faces", c->pairs);
	c->start = OZ_TAKE(pool, uint, "first near faces", room);
	c->touch = OZ_TAKE(pool, oz_membrane_touch, "contacts of faces", OZ_FACES_EACH * room);
	c->mobility = OZ_TAKE(pool, float, "mobility", room);
	c->frame = OZ_TAKE(pool, oz_membrane_frame, "frames of faces", c->faces);
	c->crowd = OZ_TAKE(pool, float, "contacts of vertices", m->counts.vertices);
	const pair_sort sort = {OZ_TAKE(pool, uint, "near key", c->pairs),
	                        OZ_TAKE(pool, uint, "spare key", c->pairs),
	                        OZ_TAKE(pool, uint, "spare index", c->pairs)};
	if (c->near && c->face_of && c->start && c->touch && c->mobility && c->frame && c->crowd &&
	    sort.key && sort.spare_key && sort.spare) {
		search(sim, m, sort.key, true);
		result = oz_device_sort(sim->device, sort.key, c->face_of, sort.spare_key,
		                        sort.spare, c->pairs, bits_of(sim->particles.count), error);
	} else {
		result = no_memory(error);
	}
	if (result == OZ_OK)
		oz_cells_find_starts(sim->device, sort.key, c->pairs, c->start,
		                     sim->particles.count);
	oz_scratch_give(pool, sort.key);
	oz_scratch_give(pool, sort.spare_key);
	oz_scratch_give(pool, sort.spare);
	return result;
}

// lists the pairs, if neighbour lists are new or `skin_contact` has changed
static oz_result update(oz_sim *sim, oz_membrane *m, oz_error *error)
{
	oz_membrane_contact *c = &m->contact;
	if (c->valid && c->builds == sim->neighbours.builds && c->faces == m->counts.faces)
		return OZ_OK;
	give(sim, c);
	oz_result result = count_pairs(sim, m, error);
	if (result == OZ_OK && c->pairs)
		result = list_pairs(sim, m, error);
	if (result != OZ_OK)
		give(sim, c);
	c->builds = sim->neighbours.builds;
	c->valid = result == OZ_OK;
	return result;
}

// ---- a step ------------------------------------------------------------------------------------

oz_result oz_membrane_touch_faces(oz_sim *sim, void *state, oz_error *error)
{
	oz_membrane *m = state;
	const oz_membrane_contact *c = &m->contact;
	const oz_particles *p = &sim->particles;
	const oz_boundary *walls = sim->boundary;
	oz_wall_rules rules = oz_wall_rules_of(walls, sim);
	if (m->chambers.count == 0)
		return OZ_OK;
	oz_membrane_write_skins(sim, m);
	const oz_result result = update(sim, m, error);
	sim->contact->faces = c->pairs && sim->contact->held;
	if (result != OZ_OK || c->pairs == 0)
		return result;
	OZ_LAUNCH(sim->device, face_frame, c->faces, .faces = m->on_device.faces,
	          .chambers = m->on_device.chambers, .slot_of = m->on_device.slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot, .position = p->position,
	          .frame = c->frame, .spacing = sim->def.spacing, .layer = oz_membrane_layer(sim));
	rules.colliders = walls->thin ? rules.colliders : 0;
	OZ_LAUNCH(sim->device, face_touch, p->count, .frame = c->frame, .start = c->start,
	          .face_of = c->face_of, .position = p->position, .slot = sim->slots->slot,
	          .wall_clearance = p->wall_clearance, .collider = OZ_OPTIONAL(walls->collider),
	          .places = OZ_OPTIONAL(walls->sdfs.places),
	          .nearest = OZ_OPTIONAL(walls->sdfs.nearest), .guide = OZ_OPTIONAL(walls->guide),
	          .touch = c->touch, .delta = p->delta, .contact_delta = sim->slots->contact_delta,
	          .rules = rules, .guides = walls->nozzles.count, .slots = sim->slots->count,
	          .spacing = sim->def.spacing);
	return oz_device_check(sim->device, error);
}

// writes the mobility of particles: that of `guess`, or without one that of free particles
static void find_mobility(oz_sim *sim, const oz_membrane_contact *c, const oz_float4 *guess)
{
	OZ_LAUNCH(sim->device, face_mobility, sim->particles.count,
	          .material = sim->particles.material, .matter = sim->matter,
	          .guess = OZ_OPTIONAL(guess), .mobility = c->mobility, .guessed = guess != NULL);
}

// the friction of contacts, whose pressures are known
static void rub(oz_sim *sim, const oz_membrane *m, oz_float4 *acceleration)
{
	const oz_membrane_contact *c = &m->contact;
	const oz_membrane_buffers *b = &m->on_device;
	OZ_LAUNCH(sim->device, rub_crowd, c->faces, .first = c->first, .near = c->near,
	          .touch = c->touch, .part = m->work.part);
	OZ_LAUNCH(sim->device, rub_join, m->counts.vertices, .start = b->start, .parts = b->parts,
	          .part = m->work.part, .crowd = c->crowd, .end_part = 3 * c->faces);
	OZ_LAUNCH(sim->device, rub_hold, sim->particles.count, .faces = b->faces,
	          .slot_of = b->slot_of, .particle_of_slot = sim->slots->particle_of_slot,
	          .start = c->start, .contact_key = sim->contact->contact_key,
	          .velocity = sim->particles.velocity, .mobility = c->mobility, .crowd = c->crowd,
	          .touch = c->touch, .held = sim->contact->held, .normal = sim->contact->normal,
	          .acceleration = acceleration, .kick = oz_kick(sim));
}

// Adds accelerations by the pressures in w of `trial`, with the mobility that was found; if
// `damped`, by viscosity and friction too.
static void push(oz_sim *sim, const oz_membrane *m, const oz_float4 *trial, bool damped,
                 oz_float4 *acceleration)
{
	const oz_membrane_contact *c = &m->contact;
	const oz_membrane_buffers *b = &m->on_device;
	OZ_LAUNCH(sim->device, face_load, sim->particles.count, .faces = b->faces,
	          .slot_of = b->slot_of, .particle_of_slot = sim->slots->particle_of_slot,
	          .start = c->start, .trial = trial, .velocity = sim->particles.velocity,
	          .mobility = c->mobility, .touch = c->touch, .acceleration = acceleration,
	          .fluid = sim->fluid, .damped = damped);
	if (damped && sim->contact->faces)
		rub(sim, m, acceleration);
	OZ_LAUNCH(sim->device, face_react, c->faces, .first = c->first, .near = c->near,
	          .touch = c->touch, .part = m->work.part);
	OZ_LAUNCH(sim->device, face_join, m->counts.vertices, .start = b->start, .parts = b->parts,
	          .slot_of = b->slot_of, .particle_of_slot = sim->slots->particle_of_slot,
	          .part = m->work.part, .mobility = c->mobility, .acceleration = acceleration,
	          .end_part = 3 * c->faces);
}

oz_result oz_membrane_press_faces(oz_sim *sim, void *state, oz_error *error)
{
	const oz_membrane *m = state;
	if (m->contact.pairs == 0)
		return OZ_OK;
	find_mobility(sim, &m->contact, NULL);
	push(sim, m, sim->particles.position, true, sim->particles.acceleration);
	return oz_device_check(sim->device, error);
}

// ---- the pressure solver -----------------------------------------------------------------------

void oz_membrane_diagonal(oz_sim *sim, const void *state, const oz_float4 *guess, float span,
                          float least, float *diagonal)
{
	const oz_membrane *m = state;
	const oz_membrane_contact *c = &m->contact;
	if (c->pairs == 0)
		return;
	// this mobility holds for all rounds
	find_mobility(sim, c, guess);
	OZ_LAUNCH(sim->device, face_diagonal, sim->particles.count, .faces = m->on_device.faces,
	          .slot_of = m->on_device.slot_of, .particle_of_slot = sim->slots->particle_of_slot,
	          .start = c->start, .touch = c->touch, .mobility = c->mobility,
	          .diagonal = diagonal, .span = span, .least = least);
}

void oz_membrane_push(oz_sim *sim, const void *state, const oz_float4 *trial,
                      oz_float4 *acceleration)
{
	const oz_membrane *m = state;
	if (m->contact.pairs)
		push(sim, m, trial, false, acceleration);
}

void oz_membrane_rate(oz_sim *sim, const void *state, const oz_float4 *velocity, float span,
                      float *rate)
{
	const oz_membrane *m = state;
	const oz_membrane_contact *c = &m->contact;
	if (c->pairs == 0)
		return;
	OZ_LAUNCH(sim->device, face_rate, sim->particles.count, .faces = m->on_device.faces,
	          .slot_of = m->on_device.slot_of, .particle_of_slot = sim->slots->particle_of_slot,
	          .start = c->start, .touch = c->touch, .velocity = velocity, .rate = rate,
	          .span = span);
}
