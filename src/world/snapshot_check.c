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
static bool is_own_grid(const oz_world *w, const oz_grid *g, uint32_t particles)
{
	const float reach = oz_support_radius(w) * (1 + w->def.skin);
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
	                     t->parted >= 0 && isfinite(t->max_acceleration + t->parted) &&
	                     t->last_time_step >= 0 && t->last_time_step <= 1;
	return numbers && (!s->listed || is_own_grid(w, &s->grid, s->particles));
}

const char *oz_snapshot_check_state(const oz_world *w, const snapshot_state *s)
{
	return is_sane(w, s) ? NULL : "its state makes no sense";
}

// ---- particles --------------------------------------------------------------------------------

// written so that a NaN fails
static bool is_within(oz_float4 v, float most)
{
	return fabsf(v.x) <= most && fabsf(v.y) <= most && fabsf(v.z) <= most && isfinite(v.w);
}

const char oz_snapshot_no_memory[] = "there is no memory left to look at it";

// what the host sees of the particles; false if there is no memory for that
typedef struct particle_view {
#define OZ_VIEW_MEMBER(type, name, kind) const type *name;
	OZ_PARTICLE_FIELDS(OZ_VIEW_MEMBER)
} particle_view;

static bool look_at_particles(const oz_world *w, particle_view *v)
{
	oz_device *d = w->device;
	const oz_particles *p = &w->particles;
	bool whole = true;
#define LOOK_STATE(type, name)                                                                     \
	v->name = d->ops->look(d, p->name, sizeof(type) * p->count);                               \
	whole = whole && (v->name || p->count == 0);
#define LOOK_ANCHOR(type, name) LOOK_STATE(type, name)
#define LOOK_RESULT(type, name)
#define OZ_FIELD_LOOK(type, name, kind) LOOK_##kind(type, name)
	OZ_PARTICLE_FIELDS(OZ_FIELD_LOOK)
#undef OZ_FIELD_LOOK
	return whole;
}

static const char *check_bodies(const oz_world *w, const particle_view *p)
{
	oz_body *bodies = oz_bodies(w);
	for (uint32_t i = 0; i < w->particles.count; i++)
		bodies[p->body[i]].inside++;
	for (uint32_t k = 0; k < w->bodies.count; k++) {
		if (bodies[k].inside != bodies[k].count)
			return "a body has another number of particles than it says";
		bodies[k].inside = 0;
	}
	return NULL;
}

static const char *check_particles(const oz_world *w, const particle_view *p, uint32_t next_id)
{
	for (uint32_t i = 0; i < w->particles.count; i++) {
		if (p->material[i] >= w->materials.count || p->body[i] >= w->bodies.count)
			return "a particle names a body or material that is not there";
		if (!is_within(p->position[i], OZ_PLACE_MAX) ||
		    !is_within(p->anchor[i], OZ_PLACE_MAX) ||
		    !is_within(p->velocity[i], OZ_SPEED_MAX))
			return "a particle is at no place that can be, or too fast";
		const float nozzle = p->position[i].w;
		if (fabsf(nozzle) > (float)w->nozzles.count || nozzle != rintf(nozzle))
			return "a particle is in a nozzle that is not there";
		if (!isfinite(p->temperature[i]) || !isfinite(p->warmth[i]))
			return "a particle has no temperature that can be";
		if (p->id[i] >= next_id)
			return "a particle has a number that was not given out";
	}
	return check_bodies(w, p);
}

// likewise the slots
typedef struct slot_view {
#define OZ_VIEW_SLOT(type, name, kind) const type *name;
	OZ_SLOT_FIELDS(OZ_VIEW_SLOT)
} slot_view;

static bool look_at_slots(const oz_world *w, slot_view *v)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	bool whole = true;
#define OZ_SLOT_LOOK(type, name, kind)                                                             \
	v->name = OZ_IS_##kind ? d->ops->look(d, b->name, sizeof(type) * b->count) : NULL;         \
	whole = whole && (v->name || !OZ_IS_##kind);
	OZ_SLOT_FIELDS(OZ_SLOT_LOOK)
#undef OZ_SLOT_LOOK
	return whole;
}

static const char *check_shapes(const oz_world *w, const slot_view *b)
{
	for (uint32_t k = 0; k < w->blend.count; k++) {
		if (!is_within(b->rest[k], OZ_PLACE_MAX) || !is_within(b->turn[k], 2) ||
		    !(b->own_alpha[k] <= 1) || !(b->felt[k] >= 0 && isfinite(b->felt[k])) ||
		    !(b->felt_for[k] >= 0 && isfinite(b->felt_for[k])) || b->fresh[k] > 1 ||
		    b->lump[k] > k)
			return "a reference shape makes no sense";
	}
	return NULL;
}

// every slot has one particle, of a blended material; `taken` is a byte for each slot
static const char *check_places(const oz_world *w, const particle_view *p, char *taken)
{
	const uint32_t slots = w->blend.count;
	uint32_t found = 0;
	if (slots)
		memset(taken, 0, slots);
	for (uint32_t i = 0; i < w->particles.count; i++) {
		const bool blended = oz_materials(w)[p->material[i]].model != OZ_FLUID;
		if ((p->slot[i] < slots) != blended || (!blended && p->slot[i] != OZ_NONE))
			return "a particle's place in its reference shape is wrong";
		if (blended && taken[p->slot[i]])
			return "two particles share a place in a reference shape";
		if (blended)
			taken[p->slot[i]] = 1;
		found += blended;
	}
	return found == slots ? NULL : "a reference shape has lost a particle";
}

// a particle is held by a handle that is there
static const char *check_holds(const oz_world *w)
{
	oz_device *d = w->device;
	const uint32_t slots = w->solid.capacity ? w->blend.count : 0;
	const oz_float4 *hold = d->ops->look(d, w->solid.hold, sizeof *hold * slots);
	if (slots && !hold)
		return oz_snapshot_no_memory;
	for (uint32_t k = 0; k < slots; k++)
		if (!is_within(hold[k], OZ_PLACE_MAX) ||
		    !(hold[k].w >= 0 && hold[k].w <= (float)w->handles.count) ||
		    hold[k].w != floorf(hold[k].w))
			return "a particle is held by a handle that is not there";
	return NULL;
}

static const char *check_changes(const oz_world *w)
{
	oz_device *d = w->device;
	const uint32_t slots = w->solid.capacity ? w->blend.count : 0;
	const oz_float4 *change = d->ops->look(d, w->solid.change, sizeof *change * slots);
	const oz_float4 *earlier = d->ops->look(d, w->solid.earlier, sizeof *earlier * slots);
	if (slots && !(change && earlier))
		return oz_snapshot_no_memory;
	for (uint32_t k = 0; k < slots; k++)
		if (!is_within(change[k], OZ_SPEED_MAX) || !isfinite(change[k].w) ||
		    !is_within(earlier[k], OZ_SPEED_MAX) || !isfinite(earlier[k].w))
			return "a solid changes its velocity too much";
	return NULL;
}

// the stretch of a set is no more than 1.4, see set.cl
static const char *check_sets(const oz_world *w)
{
	oz_device *d = w->device;
	const uint32_t slots = w->solid.capacity ? w->blend.count : 0;
	const oz_float4 *a = d->ops->look(d, w->solid.set_a, sizeof *a * slots);
	const oz_float4 *b = d->ops->look(d, w->solid.set_b, sizeof *b * slots);
	if (slots && !(a && b))
		return oz_snapshot_no_memory;
	for (uint32_t k = 0; k < slots; k++)
		if (!is_within(a[k], 2) || !(fabsf(a[k].w) <= 2) || !is_within(b[k], 2) ||
		    !(b[k].z >= 0 && b[k].z <= 1))
			return "a solid has set in a way that cannot be";
	return NULL;
}

// of particles that have their own for good: where it follows the temperature, the material tells
static void find_least_alpha(oz_world *w, const particle_view *p, const slot_view *b)
{
	for (uint32_t i = 0; i < w->particles.count; i++) {
		const float own = p->slot[i] < w->blend.count ? b->own_alpha[p->slot[i]] : -1;
		if (own >= 0 && !oz_melts(&oz_materials(w)[p->material[i]]))
			w->blend.least_alpha = fminf(w->blend.least_alpha, own);
	}
}

static const char *check_slots(oz_world *w, const particle_view *p)
{
	const uint32_t slots = w->blend.count;
	slot_view b = {0};
	char *taken = slots ? oz_heap_alloc(&w->heap, slots) : NULL;
	const char *wrong =
	        slots && (!taken || !look_at_slots(w, &b)) ? oz_snapshot_no_memory : NULL;
	if (!wrong && slots)
		wrong = check_shapes(w, &b);
	if (!wrong)
		wrong = check_places(w, p, taken);
	if (!wrong && slots)
		find_least_alpha(w, p, &b);
	if (!wrong)
		wrong = check_holds(w);
	if (!wrong)
		wrong = check_changes(w);
	if (!wrong)
		wrong = check_sets(w);
	oz_heap_free(&w->heap, taken, slots);
	if (!wrong)
		oz_blend_sorted(w);
	return wrong;
}

// An emitter that lags far behind its jet would flood the world in one step.
static const char *check_emitters(const oz_world *w, double time)
{
	const double s = (double)w->def.spacing;
	for (uint32_t k = 0; k < w->nozzles.count; k++) {
		const oz_nozzle *n = &oz_nozzles(w)[k];
		const double r = (double)n->def.radius;
		const double full = M_PI * r * r * (double)n->def.speed;
		const double flow = n->def.rate > 0 ? fmin((double)n->def.rate, full) : full;
		const double pours = fmin(time - (double)n->def.start, (double)n->def.duration);
		const double count = oz_bodies(w)[n->body].count;
		if ((double)n->layers * n->count != count)
			return "an emitter has poured more or less than it says";
		if (pours * flow / (s * s * s) - count > MAX_DUE)
			return "an emitter is too far behind its time";
	}
	return NULL;
}

const char *oz_snapshot_check_particles(oz_world *w, const snapshot_state *s)
{
	particle_view p;
	if (!look_at_particles(w, &p))
		return oz_snapshot_no_memory;
	const char *wrong = check_particles(w, &p, s->next_id);
	if (!wrong)
		wrong = check_slots(w, &p);
	return wrong ? wrong : check_emitters(w, s->time);
}
