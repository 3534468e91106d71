// blend.c: the stages of the step that match shapes.
#include <math.h>

#include "world/world.h"

#include "models/blend.cl"
#include "models/contact.cl"

float oz_cluster_radius(const oz_world *w, const oz_material_def *m)
{
	if (m->model == OZ_FLUID)
		return 0;
	if (m->model == OZ_COROTATED)
		return oz_support_radius(w);
	return w->def.spacing * (m->cluster_radius > 0 ? m->cluster_radius : w->def.support);
}

oz_radii oz_cluster_radii(const oz_world *w)
{
	oz_radii radii = {INFINITY, 0};
	for (uint32_t b = 0; b < w->bodies.count; b++) {
		const oz_material_def *m = &oz_materials(w)[oz_bodies(w)[b].material];
		if (m->model == OZ_FLUID || oz_bodies(w)[b].count == 0)
			continue;
		if (m->model == OZ_BLEND)
			radii.least = fminf(radii.least, oz_cluster_radius(w, m));
		radii.most = fmaxf(radii.most, oz_cluster_radius(w, m));
	}
	return radii;
}

// by default twice the longest step that sound allows
float oz_response_of(const oz_world *w, const oz_material_def *m)
{
	return m->response > 0 ? m->response : 0.5f * oz_support_radius(w) / w->def.sound_speed;
}

// ---- α over time -------------------------------------------------------------------------------

float oz_alpha_at(const oz_material_def *m, double time)
{
	const oz_alpha_key *key = m->alpha_keys;
	const uint32_t count = m->alpha_key_count;
	if (count == 0)
		return m->alpha;
	if (time <= (double)key[0].time)
		return key[0].alpha;
	for (uint32_t k = 1; k < count; k++)
		if (time < (double)key[k].time) {
			const double from = (double)key[k - 1].time, to = (double)key[k].time;
			const float share = (float)((time - from) / (to - from));
			return key[k - 1].alpha + share * (key[k].alpha - key[k - 1].alpha);
		}
	return key[count - 1].alpha;
}

// what a material's α is now; tells whether it has changed since kernels were told
static bool set_alpha(oz_world *w, uint32_t m)
{
	oz_device *d = w->device;
	const oz_material_def *def = &oz_materials(w)[m];
	const oz_matter now = oz_matter_of(w, def);
	if (w->blend.alphas_known && now.alpha == oz_alpha_at(def, w->blend.alphas_at))
		return false;
	d->ops->write(d, w->matter, sizeof now * m, &now, sizeof now);
	return true;
}

void oz_blend_set_alphas(oz_world *w)
{
	bool changed = false;
	for (uint32_t m = 0; m < w->materials.count; m++)
		if (oz_materials(w)[m].alpha_key_count)
			changed |= set_alpha(w, m);
	w->blend.alphas_known = true;
	w->blend.alphas_at = w->time;
	if (changed && !w->blend.stale)
		oz_clusters_weigh(w);
}

// ---- stages ------------------------------------------------------------------------------------

void oz_ties_free(oz_device *d, oz_blend *b)
{
	d->ops->release(d, b->tie, sizeof *b->tie * b->tie_capacity);
	d->ops->release(d, b->touching, sizeof *b->touching * b->tie_capacity);
	d->ops->release(d, b->alone, sizeof *b->alone * b->tie_capacity);
	b->tie = NULL;
	b->touching = b->alone = NULL;
	b->tie_capacity = 0;
	b->tied = false;
}

oz_result oz_blend_reserve(oz_world *w, oz_error *error)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	const uint32_t particles = w->particles.capacity;
	const bool solids = w->solid.capacity > 0;
	if (b->count == 0 || (particles <= b->tie_capacity && (!solids || b->touching)))
		return OZ_OK;
	oz_ties_free(d, b);
	b->tie_capacity = particles;
	b->tie = d->ops->alloc(d, sizeof *b->tie * particles);
	b->touching = solids ? d->ops->alloc(d, sizeof *b->touching * particles) : NULL;
	b->alone = solids ? d->ops->alloc(d, sizeof *b->alone * particles) : NULL;
	if (b->tie && (!solids || (b->touching && b->alone)))
		return OZ_OK;
	oz_ties_free(d, b);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u particles; use a larger spacing", w->particles.count);
}

void oz_blend_sorted(oz_world *w)
{
	w->blend.tied = false;
	if (w->blend.count)
		OZ_LAUNCH(w->device, blend_find, w->particles.count, .slot = w->particles.slot,
		          .where = w->blend.where, .slots = w->blend.count);
}

#define SQUEEZE 1.5f // support radii that solids bring into one

static blend_reach reach_of(const oz_world *w)
{
	const float least = fminf(oz_cluster_radii(w).least, 1e9f), firm = SQUEEZE * w->fluid.h;
	return (blend_reach){.soft2 = least * least, .firm2 = firm * firm};
}

// A sliding contact is stopped within a few steps, in units of a pair's force; 0: nobody rubs.
static float grip_of(const oz_world *w)
{
	const float dt = 0.5f * (w->steering.last_time_step + w->time_step);
	float density = INFINITY, friction = 0;
	for (uint32_t m = 0; m < w->materials.count; m++) {
		const oz_material_def *def = &oz_materials(w)[m];
		if (def->model != OZ_COROTATED)
			continue;
		density = fminf(density, def->density);
		friction = fmaxf(friction, def->friction);
	}
	return friction > 0 ? 0.1f * density / (w->fluid.volume * dt) : 0;
}

// The neighbour lists, with as many entries of each as `count` says; NULL: all.
static oz_lists lists_of(const oz_world *w, const uint *count)
{
	oz_lists lists = oz_neighbours_lists(&w->neighbours, w->fluid.h);
	if (count)
		lists.count = count;
	return lists;
}

static void tie(oz_world *w)
{
	oz_device *d = w->device;
	const oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	const oz_lists lists = lists_of(w, NULL);
	OZ_LAUNCH(d, blend_tie, p->count, .slot = p->slot, .rest = b->rest, .tag = b->tag,
	          .fresh = b->fresh, .material = p->material, .matter = w->matter, .tie = b->tie,
	          .slots = b->count);
	if (b->touching)
		OZ_LAUNCH_PAIRS(d, blend_alone, p->count, &lists, .position = p->anchor,
		                .tie = b->tie, .listed = w->neighbours.count,
		                .touching = b->touching, .alone = b->alone, .reach = reach_of(w),
		                .radius2 = 2 * w->neighbours.grid.radius2);
	b->tied = true;
}

void oz_blend_density(oz_world *w)
{
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	if (!b->tied)
		tie(w);
	const oz_lists lists = lists_of(w, b->touching);
	OZ_LAUNCH_PAIRS(d, blend_density, p->count, &lists, .position = p->position, .tie = b->tie,
	                .wall = p->wall, .slot = p->slot, .own_rest = b->own_rest,
	                .own_alpha = b->own_alpha, .material = p->material, .matter = w->matter,
	                .inner = b->inner, .flow = p->flow, .anchor = p->anchor,
	                .density = p->density, .fluid = w->fluid, .reach = reach_of(w),
	                .slots = b->count);
	OZ_LAUNCH(d, blend_share, p->count, .slot = p->slot, .tag = b->tag, .inner = b->inner,
	          .tie = b->tie, .slots = b->count);
}

void oz_blend_forces(oz_world *w)
{
	oz_particles *p = &w->particles;
	const oz_blend *b = &w->blend;
	const oz_lists lists = lists_of(w, b->touching), inner = lists_of(w, b->alone);
	OZ_LAUNCH_PAIRS(w->device, blend_force, p->count, &lists, .position = p->flow,
	                .velocity = p->velocity, .tie = b->tie, .wall = p->wall,
	                .material = p->material, .matter = w->matter,
	                .acceleration = p->acceleration, .fluid = w->fluid, .reach = reach_of(w),
	                .grip = grip_of(w));
	if (b->alone)
		OZ_LAUNCH_PAIRS(w->device, blend_damp, p->count, &inner, .position = p->flow,
		                .velocity = p->velocity, .material = p->material,
		                .matter = w->matter, .acceleration = p->acceleration,
		                .fluid = w->fluid);
}

oz_result oz_stage_shape(oz_world *w, oz_error *error)
{
	(void)error;
	oz_device *d = w->device;
	oz_particles *p = &w->particles;
	oz_blend *b = &w->blend;
	if (!oz_any_body(w, OZ_BLEND, NULL))
		return OZ_OK;
	const oz_lists clusters = {.list = b->list,
	                           .start = b->start,
	                           .count = w->solid.capacity ? w->solid.matched : b->members,
	                           .stride = d->stride};
	OZ_LAUNCH(d, blend_take, b->count, .position = p->position, .rest = b->rest,
	          .where = b->where, .now = b->now);
	OZ_LAUNCH_PAIRS(d, blend_match, b->count, &clusters, .position = b->now, .rest = b->rest,
	                .centre = b->centre, .row_x = b->row_x, .row_y = b->row_y,
	                .row_z = b->row_z);
	OZ_LAUNCH(d, blend_turn, b->count, .rest = b->rest, .centre = b->centre, .turn = b->turn,
	          .row_x = b->row_x, .row_y = b->row_y, .row_z = b->row_z);
	OZ_LAUNCH_PAIRS(d, blend_goal, b->count, &clusters, .row_x = b->row_x, .row_y = b->row_y,
	                .row_z = b->row_z, .rest = b->rest, .where = b->where, .share = b->share,
	                .own_alpha = b->own_alpha, .material = p->material, .matter = w->matter,
	                .velocity = p->velocity, .now = b->now, .felt = b->felt,
	                .felt_for = b->felt_for, .acceleration = p->acceleration,
	                .dt = w->time_step,
	                .kick = 0.5f * (w->steering.last_time_step + w->time_step));
	return OZ_OK;
}

void oz_blend_moved(oz_world *w)
{
	oz_blend *b = &w->blend;
	if (oz_any_body(w, OZ_BLEND, NULL))
		OZ_LAUNCH(w->device, blend_feel, b->count, .velocity = w->particles.velocity,
		          .now = b->now, .where = b->where, .material = w->particles.material,
		          .matter = w->matter, .felt = b->felt);
}
