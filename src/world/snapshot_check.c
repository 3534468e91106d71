// snapshot_check.c: checks the values of a snapshot, after its checksums.
//
// No value of a file may make a world hang, run out of memory or access memory out of range.
#include <math.h>
#include <string.h>

#include "world/snapshot_format.h"

#define MAX_DUE ((double)(1 << 22)) // particles that an emitter may add in the first step

// ---- state ------------------------------------------------------------------------------------

// whether a and b differ by at most 1 %
static bool is_about(float a, float b)
{
	return fabsf(a - b) <= 0.01f * b;
}

// whether a grid is one that oz_grid_choose could have made for this reach: not more cells than
// particles, except for the smallest grid
static bool is_grid_for(float reach, const oz_grid *g, uint32_t particles)
{
	const uint32_t bits[3] = {g->bits_x, g->bits_y, g->bits_z};
	const float periods[3] = {g->period_x, g->period_y, g->period_z};
	uint32_t all = 0;
	for (int k = 0; k < 3; k++) {
		if (bits[k] < OZ_GRID_MIN_BITS || bits[k] > OZ_GRID_MAX_BITS ||
		    !is_about(periods[k], reach * (float)(1u << bits[k])))
			return false;
		all += bits[k];
	}
	return is_about(g->inv_cell * reach, 1) && is_about(g->radius2, reach * reach) &&
	       (all <= 3 * OZ_GRID_MIN_BITS || 1ull << all <= particles);
}

// whether a grid is one that this world could have made, with or without the skin
static bool is_own_grid(const oz_sim *s, const oz_grid *g, uint32_t particles)
{
	const float h = oz_support_radius(s);
	return is_grid_for(h * (1 + s->def.skin), g, particles) || is_grid_for(h, g, particles);
}

static bool is_sane(const oz_world *w, const snapshot_state *s)
{
	const oz_last_step *t = &s->last_step;
	// 2 × OZ_SPEED_MAX: that limit holds for each axis
	const bool numbers = s->time >= 0 && s->time <= SNAPSHOT_LATE && t->max_speed >= 0 &&
	                     t->max_speed <= 2 * OZ_SPEED_MAX && t->max_acceleration >= 0 &&
	                     t->max_separation >= 0 &&
	                     isfinite(t->max_acceleration + t->max_separation) &&
	                     t->time_step >= 0 && t->time_step <= 1;
	return numbers && (!s->listed || is_own_grid(&w->sim, &s->grid, s->particles));
}

const char *oz_snapshot_check_state(const oz_world *w, const snapshot_state *s)
{
	return is_sane(w, s) ? NULL
	                     : "its time, or a speed or length of its last step, is out of range";
}

// ---- particles --------------------------------------------------------------------------------

// the records of a field of all particles on the host; NULL: out of memory
static const void *read_particles(const oz_world *w, const void *buffer, size_t size)
{
	oz_device *d = w->sim.device;
	return d->ops->view(d, buffer, size * w->sim.particles.count);
}

// compares the particles of each body with its count; leaves `inside` of bodies at 0
static const char *check_bodies(const oz_world *w, const uint *body)
{
	oz_body *bodies = oz_bodies(&w->sim);
	for (uint32_t i = 0; i < w->sim.particles.count; i++)
		bodies[body[i]].inside++;
	for (uint32_t k = 0; k < w->sim.bodies.count; k++) {
		if (bodies[k].inside != bodies[k].count)
			return "the particle count of a body is wrong";
		bodies[k].inside = 0;
	}
	return NULL;
}

static const char *check_numbers(const oz_world *w, uint32_t next_id)
{
	const oz_sim *s = &w->sim;
	const uint *material = read_particles(w, s->particles.material, sizeof *material);
	const uint *body = read_particles(w, s->particles.body, sizeof *body);
	const uint *id = read_particles(w, s->particles.id, sizeof *id);
	if (s->particles.count && (!material || !body || !id))
		return oz_no_memory_to_check;
	for (uint32_t i = 0; i < s->particles.count; i++) {
		if (material[i] >= s->materials.count || body[i] >= s->bodies.count)
			return "a particle names a body or material that does not exist";
		if (id[i] >= next_id)
			return "a particle has an id that is not below the next id";
	}
	return check_bodies(w, body);
}

static const char *check_nozzles(const oz_world *w)
{
	const float *nozzle =
	        w->boundary.nozzle ? read_particles(w, w->boundary.nozzle, sizeof *nozzle) : NULL;
	for (uint32_t i = 0; nozzle && i < w->sim.particles.count; i++)
		if (fabsf(nozzle[i]) > (float)w->boundary.nozzles.count ||
		    nozzle[i] != rintf(nozzle[i]))
			return "a particle is in a nozzle that does not exist";
	return NULL;
}

// ---- slots ------------------------------------------------------------------------------------

static const char *check_shapes(const oz_world *w)
{
	oz_device *d = w->sim.device;
	const oz_slots *s = &w->slots;
	const float *alpha = d->ops->view(d, s->own_alpha, sizeof *alpha * s->count);
	const uint *shapeless = d->ops->view(d, s->shapeless, sizeof *shapeless * s->count);
	const uint *component = d->ops->view(d, s->component, sizeof *component * s->count);
	if (!alpha || !shapeless || !component)
		return oz_no_memory_to_check;
	for (uint32_t k = 0; k < s->count; k++)
		if (!(alpha[k] <= 1) || shapeless[k] > 1 || component[k] > k)
			return "a slot has alpha, shapeless or component out of range";
	return NULL;
}

// every slot has one particle, of a material with a rest shape; `taken` is a byte for each slot
static const char *check_places(const oz_world *w, char *taken)
{
	const oz_sim *s = &w->sim;
	const oz_matter *matters = s->matters.items;
	const uint32_t slots = w->slots.count;
	const uint *material = read_particles(w, s->particles.material, sizeof *material);
	const uint *slot = w->slots.open ? read_particles(w, w->slots.slot, sizeof *slot) : NULL;
	uint32_t found = 0;
	for (uint32_t i = 0; i < s->particles.count; i++) {
		const bool shaped = matters[material[i]].rest_reach > 0;
		const uint own = slot ? slot[i] : OZ_NONE;
		if ((own < slots) != shaped || (!shaped && own != OZ_NONE))
			return "the slot of a particle is wrong";
		if (shaped && taken[own])
			return "two particles have the same slot";
		if (shaped)
			taken[own] = 1;
		found += shaped;
	}
	return found == slots ? NULL : "a slot has no particle";
}

static const char *check_slots(oz_world *w)
{
	const uint32_t slots = w->slots.count;
	char *taken = slots ? oz_heap_alloc(&w->heap, slots) : NULL;
	const char *wrong = slots && !taken ? oz_no_memory_to_check : NULL;
	if (taken)
		memset(taken, 0, slots);
	if (!wrong && slots)
		wrong = check_shapes(w);
	if (!wrong)
		wrong = check_places(w, taken);
	oz_heap_free(&w->heap, taken, slots);
	return wrong;
}

// ---- all --------------------------------------------------------------------------------------

// checks that every value is within the limits of its row
static const char *check_fields(oz_world *w)
{
	oz_fields *f = &w->sim.fields;
	bool looked = true;
	const char *name = oz_fields_check(f, OZ_ITEMS_PARTICLES, w->sim.particles.count, &looked);
	if (!name)
		name = oz_fields_check(f, OZ_ITEMS_SLOTS, w->slots.count, &looked);
	if (!looked)
		return oz_no_memory_to_check;
	return name ? "a field holds a value out of range" : NULL;
}

static const char *check_models(oz_world *w)
{
	const char *wrong = NULL;
	for (uint32_t k = 0; k < w->models.count && !wrong; k++) {
		const oz_model_entry *e = &w->models.entries[k];
		if (e->open && e->ops->check)
			wrong = e->ops->check(&w->sim, e->state);
	}
	return wrong;
}

// Refuses an emitter that would have to add more than MAX_DUE particles in one step.
static const char *check_emitters(const oz_world *w, double time)
{
	const double s = (double)w->sim.def.spacing;
	for (uint32_t k = 0; k < w->boundary.nozzles.count; k++) {
		const oz_nozzle *n = &oz_nozzles(&w->boundary)[k];
		const double full = oz_opening_area(&n->def) * (double)n->def.speed;
		const double flow = n->def.rate > 0 ? fmin((double)n->def.rate, full) : full;
		const double pours = fmin(time - (double)n->def.start, (double)n->def.duration);
		const double count = oz_bodies(&w->sim)[n->body].count;
		if ((double)n->layers * n->columns.count != count)
			return "the layers of an emitter do not match the particles of its body";
		if (pours * flow / (s * s * s) - count > MAX_DUE)
			return "an emitter has emitted too few layers for its time";
	}
	return NULL;
}

const char *oz_snapshot_check_particles(oz_world *w, const snapshot_state *s)
{
	const char *wrong = check_fields(w);
	if (!wrong)
		wrong = check_numbers(w, s->next_id);
	if (!wrong)
		wrong = check_nozzles(w);
	if (!wrong)
		wrong = check_slots(w);
	if (!wrong)
		wrong = check_models(w);
	return wrong ? wrong : check_emitters(w, s->time);
}
