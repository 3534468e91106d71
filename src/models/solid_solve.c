// solid_solve.c: conjugate gradients for implicit solids, and the quickest swing of explicit ones.
#include <math.h>

#include "world/world.h"

#include "models/grip.h"
#include "models/solid_drift.cl"
#include "models/solid_pair.h"
#include "models/solid_solve.cl"

#define TOLERANCE  1e-3f // of the residual, against that of the beginning
#define STILL      1e-4f // share of a step under gravity that is no motion
#define ITERATIONS 200u
#define WILD       100.0f // times the imbalance of the beginning: no solution at all
#define SHAKES     24u    // rounds of power iteration

// places of sums; those of groups come behind
enum { SUM_NORM, SUM_OTHER, SUM_ENERGY, SUM_GROUPS = OZ_SOLID_SUMS };

static bool is_implicit(const oz_material_def *m)
{
	return m->implicit;
}

bool oz_has_implicit(const oz_world *w)
{
	return oz_any_body(w, OZ_COROTATED, is_implicit);
}

static uint32_t groups_of(uint32_t items)
{
	return (items - 1) / OZ_GROUP + 1;
}

// where groups of slots put their sums: those of one are the result
static uint32_t first_sums(const oz_world *w, uint32_t place)
{
	return groups_of(w->blend.count) > 1 ? SUM_GROUPS : place;
}

// sums of groups into one, at `place`
static void join_sums(oz_world *w, uint32_t place)
{
	oz_float4 *sums = w->solid.sums;
	uint32_t at = SUM_GROUPS, groups = groups_of(w->blend.count);
	while (groups > 1) {
		const uint32_t next = groups_of(groups);
		OZ_LAUNCH(w->device, solid_join, next, .in = sums, .out = sums, .from = at,
		          .items = groups, .to = next > 1 ? at + groups : place);
		at += groups;
		groups = next;
	}
}

static oz_float4 read_sums(oz_world *w, uint32_t place)
{
	oz_float4 sums = {0, 0, 0, 0};
	w->device->ops->read(w->device, &sums, w->solid.sums, sizeof sums * place, sizeof sums);
	return sums;
}

// from what the changes of the last two steps lead to, or what a handle wants
static void begin(oz_world *w, float kick, float span)
{
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	OZ_LAUNCH(d, solid_guess, b->count, .hold = s->hold, .grips = s->grips, .stiff = s->stiff,
	          .lean = s->lean, .where = b->where, .position = p->position,
	          .velocity = p->velocity, .material = p->material, .matter = w->matter,
	          .spring = s->spring, .change = s->change, .earlier = s->earlier, .owed = s->owed,
	          .probe = s->probe, .dt = w->time_step, .span = span);
	oz_solids_pull(w, s->probe, OZ_TANGENT_TURNED);
	OZ_LAUNCH(d, solid_residual, groups_of(b->count), .push = s->push, .where = b->where,
	          .acceleration = p->acceleration, .change = s->change, .owed = s->owed,
	          .probe = s->probe, .out = s->sums, .items = b->count,
	          .to = first_sums(w, SUM_NORM), .kick = kick, .span = span);
	join_sums(w, SUM_NORM);
}

// `norm` is the place of r·z; the new one goes to the other
static void iterate(oz_world *w, float span, uint32_t norm)
{
	oz_device *d = w->device;
	oz_solid *s = &w->solid;
	const uint32_t slots = w->blend.count, next = SUM_NORM + SUM_OTHER - norm;
	oz_solids_pull(w, s->probe, OZ_TANGENT_TURNED);
	OZ_LAUNCH(d, solid_energy, groups_of(slots), .owed = s->owed, .probe = s->probe,
	          .push = s->push, .out = s->sums, .items = slots, .to = first_sums(w, SUM_ENERGY),
	          .span = span);
	join_sums(w, SUM_ENERGY);
	OZ_LAUNCH(d, solid_advance, groups_of(slots), .sums = s->sums, .probe = s->probe,
	          .push = s->push, .change = s->change, .owed = s->owed, .out = s->sums,
	          .items = slots, .to = first_sums(w, next), .span = span, .norm = norm,
	          .energy = SUM_ENERGY);
	join_sums(w, next);
	OZ_LAUNCH(d, solid_aim, slots, .sums = s->sums, .owed = s->owed, .change = s->change,
	          .probe = s->probe, .norm = next, .before = norm);
}

// told once, and again only after one was solved
static void tell_unsolved(oz_world *w, bool unsolved, float share)
{
	if (unsolved && !w->solid.unsolved)
		oz_raise(w, OZ_EVENT_NOT_CONVERGED, OZ_NONE, share,
		         "implicit solids: %.1g of the imbalance is left after %u rounds; lower "
		         "time_step or young_modulus",
		         (double)share, ITERATIONS);
	w->solid.unsolved = unsolved;
}

// a residual that is nothing against what gravity does in a step, kg/m³ m²/s²
static float still(const oz_world *w)
{
	const float speed = STILL * oz_length(w->def.gravity) * w->time_step;
	return 1e3f * speed * speed * (float)w->blend.count;
}

oz_result oz_drift_reserve(oz_world *w, oz_error *error)
{
	oz_device *d = w->device;
	oz_solid *s = &w->solid;
	if (w->blend.names <= s->drift_capacity)
		return OZ_OK;
	d->ops->release(d, s->drift, sizeof *s->drift * s->drift_capacity);
	s->drift_capacity = w->blend.names;
	s->drift = d->ops->alloc(d, sizeof *s->drift * s->drift_capacity);
	if (s->drift)
		return OZ_OK;
	s->drift_capacity = 0;
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u solid pieces; use a larger spacing", w->blend.names);
}

// Momentum that is lost, to the lumps that nobody holds. Not where these are more than tags tell
// apart.
static void give_back(oz_world *w, float kick)
{
	oz_device *d = w->device;
	const oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	if (b->names > OZ_TAGS)
		return;
	d->ops->clear(d, s->drift, sizeof *s->drift * b->names);
	OZ_LAUNCH(d, solid_drift, oz_batch_items(b->count, d->stride), .lump = b->lump,
	          .tag = b->tag, .owed = s->owed, .change = s->change, .stiff = s->stiff,
	          .where = b->where, .position = p->position, .outer = b->now, .drift = s->drift,
	          .slots = b->count, .stride = d->stride, .kick = kick, .spacing = w->def.spacing);
	OZ_LAUNCH(d, solid_return, b->count, .lump = b->lump, .tag = b->tag, .owed = s->owed,
	          .where = b->where, .position = p->position, .drift = s->drift,
	          .change = s->change, .spacing = w->def.spacing);
}

oz_result oz_solids_solve(oz_world *w, float kick, oz_error *error)
{
	oz_device *d = w->device;
	const float span = kick * w->time_step;
	begin(w, kick, span);
	const oz_float4 first = read_sums(w, SUM_NORM);
	const float size = fmaxf(first.y, first.z);
	float left = first.y;
	const float enough = fmaxf(TOLERANCE * TOLERANCE * size, still(w));
	uint32_t rounds = 0;
	// a device that queues is asked now and then; what it does beyond the goal does no harm
	const uint32_t look = d->queues ? 8 : 1;
	while (left > enough && rounds < ITERATIONS) {
		iterate(w, span, rounds % 2);
		rounds++;
		if (rounds % look == 0)
			left = read_sums(w, SUM_NORM + rounds % 2).y;
	}
	const bool solved = left <= 100 * enough;
	w->solid.iterations = rounds;
	tell_unsolved(w, !solved, size > 0 ? sqrtf(left / size) : 0);
	// beyond what floats can solve: better to fly on as a rigid body
	if (!(left <= WILD * size))
		d->ops->clear(d, w->solid.change, sizeof *w->solid.change * w->blend.count);
	give_back(w, kick);
	OZ_LAUNCH(d, solid_finish, w->blend.count, .change = w->solid.change,
	          .stiff = w->solid.stiff, .where = w->blend.where,
	          .acceleration = w->particles.acceleration, .kick = kick);
	// nothing to begin the next one with
	if (!solved) {
		d->ops->clear(d, w->solid.change, sizeof *w->solid.change * w->blend.count);
		d->ops->clear(d, w->solid.earlier, sizeof *w->solid.earlier * w->blend.count);
	}
	return oz_device_check(d, error);
}

// E/(ρ s²) of the stiffest material, 1/s²
static float quickest_guess(const oz_world *w)
{
	float most = 1;
	for (uint32_t k = 0; k < w->materials.count; k++) {
		const oz_material_def *m = &oz_materials(w)[k];
		if (m->model == OZ_COROTATED)
			most = fmaxf(most, m->young_modulus / m->density);
	}
	return most / (w->def.spacing * w->def.spacing);
}

float oz_solids_shake(oz_world *w)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	oz_solid *s = &w->solid;
	const uint32_t groups = groups_of(b->count), to = first_sums(w, SUM_NORM);
	OZ_LAUNCH(d, solid_shake, groups, .stiff = s->stiff, .where = b->where,
	          .material = w->particles.material, .matter = w->matter, .probe = s->probe,
	          .owed = s->owed, .out = s->sums, .items = b->count, .to = to);
	const float unit = quickest_guess(w);
	float value = 0;
	for (uint32_t k = 0; k < SHAKES; k++) {
		join_sums(w, SUM_NORM);
		const float norm = sqrtf(read_sums(w, SUM_NORM).y);
		if (!(norm > 0))
			return 0;
		value = k ? norm : 0;
		OZ_LAUNCH(d, solid_again, b->count, .owed = s->owed, .probe = s->probe,
		          .scale = 1 / norm);
		oz_solids_pull(w, s->probe, OZ_TANGENT_AT_REST);
		OZ_LAUNCH(d, solid_image, groups, .push = s->push, .owed = s->owed, .out = s->sums,
		          .items = b->count, .to = to, .unit = unit);
	}
	return value * unit;
}
