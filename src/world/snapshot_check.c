// snapshot_check.c: whether what a snapshot says can be true, once its checksums are right.
//
// A number that lies must not make a world hang, grow beyond memory or reach where nothing is.
#include <math.h>
#include <string.h>

#include "world/snapshot_format.h"

#define MAX_DUE ((double)(1 << 22)) // particles that an emitter may be behind by

// ---- state ------------------------------------------------------------------------------------

static bool is_about(float a, float b)
{
	return fabsf(a - b) <= 0.01f * b;
}

// whether lists of this world could have been made with the grid: its reach, and no more cells than
// particles, or the fewest there are
static bool is_own_grid(const oz_sim *s, const oz_grid *g, uint32_t particles)
{
	const float reach = oz_support_radius(s) * (1 + s->def.skin);
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

static bool is_sane(const oz_world *w, const snapshot_state *s)
{
	const oz_steering *t = &s->steering;
	// twice: along all three axes at once
	const bool numbers = s->time >= 0 && s->time <= SNAPSHOT_LATE && t->max_speed >= 0 &&
	                     t->max_speed <= 2 * OZ_SPEED_MAX && t->max_acceleration >= 0 &&
	                     t->max_separation >= 0 &&
	                     isfinite(t->max_acceleration + t->max_separation) &&
	                     t->last_time_step >= 0 && t->last_time_step <= 1;
	return numbers && (!s->listed || is_own_grid(&w->sim, &s->grid, s->particles));
}

const char *oz_snapshot_check_state(const oz_world *w, const snapshot_state *s)
{
	return is_sane(w, s) ? NULL : "its state makes no sense";
}

// ---- particles --------------------------------------------------------------------------------

// what the host sees of a field of particles
static const void *look_at(const oz_world *w, const void *buffer, size_t size)
{
	oz_device *d = w->sim.device;
	return d->ops->look(d, buffer, size * w->sim.particles.count);
}

static const char *check_bodies(const oz_world *w, const uint *body)
{
	oz_body *bodies = oz_bodies(&w->sim);
	for (uint32_t i = 0; i < w->sim.particles.count; i++)
		bodies[body[i]].inside++;
	for (uint32_t k = 0; k < w->sim.bodies.count; k++) {
		if (bodies[k].inside != bodies[k].count)
			return "a body has another number of particles than it says";
		bodies[k].inside = 0;
	}
	return NULL;
}

static const char *check_numbers(const oz_world *w, uint32_t next_id)
{
	const oz_sim *s = &w->sim;
	const uint *material = look_at(w, s->particles.material, sizeof *material);
	const uint *body = look_at(w, s->particles.body, sizeof *body);
	const uint *id = look_at(w, s->particles.id, sizeof *id);
	if (s->particles.count && (!material || !body || !id))
		return oz_no_memory_to_check;
	for (uint32_t i = 0; i < s->particles.count; i++) {
		if (material[i] >= s->materials.count || body[i] >= s->bodies.count)
			return "a particle names a body or material that is not there";
		if (id[i] >= next_id)
			return "a particle has a number that was not given out";
	}
	return check_bodies(w, body);
}

static const char *check_nozzles(const oz_world *w)
{
	const float *nozzle =
	        w->boundary.nozzle ? look_at(w, w->boundary.nozzle, sizeof *nozzle) : NULL;
	for (uint32_t i = 0; nozzle && i < w->sim.particles.count; i++)
		if (fabsf(nozzle[i]) > (float)w->boundary.nozzles.count ||
		    nozzle[i] != rintf(nozzle[i]))
			return "a particle is in a nozzle that is not there";
	return NULL;
}

// ---- slots ------------------------------------------------------------------------------------

static const char *check_shapes(const oz_world *w)
{
	oz_device *d = w->sim.device;
	const oz_slots *s = &w->slots;
	const float *alpha = d->ops->look(d, s->own_alpha, sizeof *alpha * s->count);
	const uint *shapeless = d->ops->look(d, s->shapeless, sizeof *shapeless * s->count);
	const uint *component = d->ops->look(d, s->component, sizeof *component * s->count);
	if (!alpha || !shapeless || !component)
		return oz_no_memory_to_check;
	for (uint32_t k = 0; k < s->count; k++)
		if (!(alpha[k] <= 1) || shapeless[k] > 1 || component[k] > k)
			return "a reference shape makes no sense";
	return NULL;
}

// every slot has one particle, of a material with a rest shape; `taken` is a byte for each slot
static const char *check_places(const oz_world *w, char *taken)
{
	const oz_sim *s = &w->sim;
	const oz_matter *matters = s->matters.items;
	const uint32_t slots = w->slots.count;
	const uint *material = look_at(w, s->particles.material, sizeof *material);
	const uint *slot = w->slots.open ? look_at(w, w->slots.slot, sizeof *slot) : NULL;
	uint32_t found = 0;
	for (uint32_t i = 0; i < s->particles.count; i++) {
		const bool shaped = matters[material[i]].rest_reach > 0;
		const uint own = slot ? slot[i] : OZ_NONE;
		if ((own < slots) != shaped || (!shaped && own != OZ_NONE))
			return "a particle's place in its reference shape is wrong";
		if (shaped && taken[own])
			return "two particles share a place in a reference shape";
		if (shaped)
			taken[own] = 1;
		found += shaped;
	}
	return found == slots ? NULL : "a reference shape has lost a particle";
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

// every number within the limits of its row
static const char *check_fields(oz_world *w)
{
	oz_fields *f = &w->sim.fields;
	bool looked = true;
	const char *name = oz_fields_check(f, OZ_ITEMS_PARTICLES, w->sim.particles.count, &looked);
	if (!name)
		name = oz_fields_check(f, OZ_ITEMS_SLOTS, w->slots.count, &looked);
	if (!looked)
		return oz_no_memory_to_check;
	return name ? "a field holds a number that cannot be" : NULL;
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

// An emitter that lags far behind its jet would flood the world in one step.
static const char *check_emitters(const oz_world *w, double time)
{
	const double s = (double)w->sim.def.spacing;
	for (uint32_t k = 0; k < w->boundary.nozzles.count; k++) {
		const oz_nozzle *n = &oz_nozzles(&w->boundary)[k];
		const double r = (double)n->def.radius;
		const double full = M_PI * r * r * (double)n->def.speed;
		const double flow = n->def.rate > 0 ? fmin((double)n->def.rate, full) : full;
		const double pours = fmin(time - (double)n->def.start, (double)n->def.duration);
		const double count = oz_bodies(&w->sim)[n->body].count;
		if ((double)n->layers * n->count != count)
			return "an emitter has poured more or less than it says";
		if (pours * flow / (s * s * s) - count > MAX_DUE)
			return "an emitter is too far behind its time";
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
