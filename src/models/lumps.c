// lumps.c: what hangs together, and when it takes a new reference shape.
//
// A lump is a connected set of clusters, named after its lowest slot. Every `update_steps` steps a
// lump asks what it has felt since it asked last: the mean contact per particle, less the weight
// that a body at rest bears anyway. If that is more than f_u = γ_u (1 - α) (eq 14), its reference
// shape becomes the shape it has now (section 3.2): it may fall into several lumps, or join others
// that change at the same moment, if all their materials allow it. The paper asks this once for the
// whole world; a lump that asks for itself does not melt when another one crashes.
//
// All of it happens on the device (lumps.cl, lumps_join.cl). The host launches, learns whether
// anybody changes, and tells what has become of the lumps.
#include <math.h>
#include <string.h>

#include "world/world.h"

#include "models/lumps.cl"
#include "models/lumps_join.cl"

#define AT_REST 0.02f // of √(g spacing): slower lumps keep their shape, whatever they bear

static oz_result no_memory(const oz_world *w, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the lumps of %u particles; use a larger spacing",
	               w->blend.count);
}

// ---- asking ------------------------------------------------------------------------------------

// What lumps ask with, on the device. Slots are without their positions and rotations until the
// step matches shapes: these fields lend their memory.
typedef struct inquiry {
	oz_float4 *value;
	oz_lump_most *most;
	oz_lump_contact *contact;
	oz_lump_limit *limit;
	oz_lump *lumps;
	uint *pours; // of each body: it has fresh particles
	oz_lump_news *news;
} inquiry;

_Static_assert(sizeof(oz_lump_most) <= sizeof(oz_float4) &&
                       sizeof(oz_lump_contact) <= sizeof(oz_float4) &&
                       sizeof(oz_lump_limit) <= sizeof(oz_float4),
               "a record of a slot lends its memory");

static oz_result begin_inquiry(oz_world *w, inquiry *q, oz_error *error)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	*q = (inquiry){.value = b->now,
	               .most = (oz_lump_most *)b->row_x,
	               .contact = (oz_lump_contact *)b->row_y,
	               .limit = (oz_lump_limit *)b->row_z,
	               .lumps = d->ops->alloc(d, sizeof(oz_lump) * b->count),
	               .pours = d->ops->alloc(d, sizeof(uint) * w->bodies.count),
	               .news = d->ops->alloc(d, sizeof(oz_lump_news))};
	return q->lumps && q->pours && q->news ? OZ_OK : no_memory(w, error);
}

static void end_inquiry(oz_world *w, inquiry *q)
{
	oz_device *d = w->device;
	d->ops->release(d, q->lumps, sizeof(oz_lump) * w->blend.count);
	d->ops->release(d, q->pours, sizeof(uint) * w->bodies.count);
	d->ops->release(d, q->news, sizeof(oz_lump_news));
}

static void sum_lumps(oz_world *w, const inquiry *q)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	const oz_particles *p = &w->particles;
	const uint32_t batches = oz_batch_items(b->count, d->stride);
	oz_lump_news news = {0};
	memset(news.name, 0xff, sizeof news.name);
	d->ops->write(d, q->news, 0, &news, sizeof news);
	d->ops->clear(d, q->pours, sizeof(uint) * w->bodies.count);
	OZ_LAUNCH(d, lump_open, b->count, .felt = b->felt, .felt_for = b->felt_for,
	          .own_alpha = b->own_alpha, .fresh = b->fresh, .where = b->where,
	          .material = p->material, .body = p->body, .matter = w->matter,
	          .velocity = p->velocity, .value = q->value, .most = q->most,
	          .contact = q->contact, .limit = q->limit, .lumps = q->lumps, .pours = q->pours);
	OZ_LAUNCH(d, lump_largest, batches, .value = q->value, .lump = b->lump, .most = q->most,
	          .slots = b->count, .stride = d->stride);
	OZ_LAUNCH(d, lump_sum, batches, .value = q->value, .lump = b->lump, .most = q->most,
	          .where = b->where, .material = p->material, .body = p->body, .matter = w->matter,
	          .pours = q->pours, .contact = q->contact, .limit = q->limit, .lumps = q->lumps,
	          .slots = b->count, .stride = d->stride);
}

static oz_lump_news read_news(oz_world *w, const inquiry *q)
{
	oz_lump_news news;
	w->device->ops->read(w->device, &news, q->news, 0, sizeof news);
	return news;
}

// gives how many slots take a new reference shape
static uint32_t ask(oz_world *w, const inquiry *q)
{
	const float g = oz_length(w->def.gravity);
	sum_lumps(w, q);
	OZ_LAUNCH(w->device, lump_decide, w->blend.count, .where = w->blend.where,
	          .material = w->particles.material, .matter = w->matter, .most = q->most,
	          .contact = q->contact, .limit = q->limit, .lumps = q->lumps, .news = q->news,
	          .step = w->step, .gravity = g, .still2 = AT_REST * AT_REST * g * w->def.spacing);
	return read_news(w, q).changed;
}

static void forget(oz_world *w, const inquiry *q)
{
	oz_blend *b = &w->blend;
	OZ_LAUNCH(w->device, lump_forget, b->count, .lump = b->lump, .lumps = q->lumps,
	          .felt = b->felt, .felt_for = b->felt_for, .turn = b->turn, .fresh = b->fresh);
}

// ---- changing ----------------------------------------------------------------------------------

// what a change needs on the device, all of it taken before anything is changed
typedef struct change {
	uint *parent, *group, *lump;
	oz_float4 *rest;
} change;

static oz_result begin_change(oz_world *w, change *c, oz_error *error)
{
	oz_device *d = w->device;
	const size_t size = sizeof(uint) * w->blend.count;
	*c = (change){.parent = d->ops->alloc(d, size),
	              .group = d->ops->alloc(d, size),
	              .lump = d->ops->alloc(d, size),
	              .rest = d->ops->alloc(d, sizeof(oz_float4) * w->blend.count)};
	return c->parent && c->group && c->lump && c->rest ? OZ_OK : no_memory(w, error);
}

static void end_change(oz_world *w, change *c)
{
	oz_device *d = w->device;
	const size_t size = sizeof(uint) * w->blend.count;
	d->ops->release(d, c->parent, size);
	d->ops->release(d, c->group, size);
	d->ops->release(d, c->lump, size);
	d->ops->release(d, c->rest, sizeof(oz_float4) * w->blend.count);
}

// the new reference shape, and which lumps grow together in it
static void choose_groups(oz_world *w, const inquiry *q, const change *c, uint32_t changed)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	const oz_particles *p = &w->particles;
	const oz_neighbours *n = &w->neighbours;
	OZ_LAUNCH(d, lump_alone, b->count, .parent = c->parent);
	if (changed && n->listed)
		OZ_LAUNCH(d, lump_touch, b->count, .list = n->list, .start = n->start,
		          .count = n->count, .slot = p->slot, .body = p->body,
		          .position = p->position, .where = b->where, .lump = b->lump,
		          .lumps = q->lumps, .pours = q->pours, .parent = c->parent,
		          .reach2 = w->fluid.h * w->fluid.h, .listed = n->listed, .slots = b->count,
		          .stride = n->stride);
	OZ_LAUNCH(d, lump_group, b->count, .parent = c->parent, .lump = b->lump, .lumps = q->lumps,
	          .where = b->where, .position = p->position, .rest = b->rest, .group = c->group,
	          .fresh_rest = c->rest);
	oz_phases_group(w, c->group);
}

// names all lumps after their lowest slots, and numbers them
static void name_lumps(oz_world *w, const inquiry *q, const change *c)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	uint *before = c->group; // groups have served
	OZ_LAUNCH(d, lump_lowest, b->count, .list = b->list, .start = b->start,
	          .members = b->members, .parent = c->parent, .stride = d->stride);
	OZ_LAUNCH(d, lump_link, b->count, .list = b->list, .start = b->start, .members = b->members,
	          .parent = c->parent, .stride = d->stride);
	OZ_LAUNCH(d, lump_name, b->count, .parent = c->parent, .fresh = b->fresh, .lump = c->lump,
	          .first = before, .news = q->news);
	oz_device_scan(d, before, b->count);
	OZ_LAUNCH(d, lump_tag, b->count, .lump = c->lump, .before = before, .tag = b->tag,
	          .tags = OZ_TAGS);
	b->tied = false;
}

// finds the old lumps that have split and the new ones that have merged
static void compare_lumps(oz_world *w, const inquiry *q, const change *c)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	OZ_LAUNCH(d, lump_tell, b->count, .before = b->lump, .lump = c->lump, .lumps = q->lumps,
	          .news = q->news);
	OZ_LAUNCH(d, lump_whose, 2 * OZ_LUMPS_TOLD, .where = b->where, .body = w->particles.body,
	          .news = q->news);
}

static void tell(oz_world *w, const oz_lump_news *news)
{
	for (uint32_t k = 0; k < 2 * OZ_LUMPS_TOLD; k++)
		if (news->name[k] != OZ_NO_LUMP)
			oz_raise(w, OZ_EVENT_LUMPS, news->body[k], (float)news->lumps,
			         "lump %u of body '%s' %s; lumps now: %u", news->name[k],
			         oz_bodies(w)[news->body[k]].name,
			         k < OZ_LUMPS_TOLD ? "has split" : "has merged with others",
			         news->lumps);
}

static oz_result change_shapes(oz_world *w, const inquiry *q, uint32_t changed, oz_error *error)
{
	oz_blend *b = &w->blend;
	change c;
	oz_result result = begin_change(w, &c, error);
	if (result == OZ_OK) {
		choose_groups(w, q, &c, changed);
		result = oz_clusters_build(w, c.rest, c.group, error);
	}
	if (result == OZ_OK) {
		forget(w, q);
		name_lumps(w, q, &c);
		if (changed && b->lumps)
			compare_lumps(w, q, &c);
		w->device->ops->copy(w->device, b->lump, c.lump, sizeof(uint) * b->count);
		const oz_lump_news news = read_news(w, q);
		result = oz_device_check(w->device, error);
		if (result == OZ_OK) {
			b->lumps = news.lumps;
			b->names = news.names;
			tell(w, &news);
			result = oz_solids_ready(w, error);
		}
	}
	end_change(w, &c);
	return result;
}

static bool anyone_is_due(const oz_world *w)
{
	for (uint32_t m = 0; m < w->materials.count; m++) {
		const oz_material_def *def = &oz_materials(w)[m];
		if (def->model == OZ_BLEND && w->step > 0 && w->step % def->update_steps == 0)
			return true;
	}
	return false;
}

// The lists of the shapes as they are, in a world that has been loaded or has grown: what melts
// and freezes asks them.
static oz_result catch_up(oz_world *w, oz_error *error)
{
	inquiry q;
	oz_result result = begin_inquiry(w, &q, error);
	if (result == OZ_OK) {
		sum_lumps(w, &q);
		result = change_shapes(w, &q, 0, error);
	}
	end_inquiry(w, &q);
	return result;
}

bool oz_topology_is_due(const oz_world *w)
{
	return w->blend.count && (w->blend.stale || anyone_is_due(w) || oz_phases_are_due(w));
}

oz_result oz_topology_take(oz_world *w, oz_error *error)
{
	if (w->blend.count == 0)
		return OZ_OK;
	oz_blend_set_alphas(w);
	oz_heat_set_alphas(w);
	const bool melts = oz_phases_are_due(w);
	oz_result result = melts && w->step && w->blend.stale ? catch_up(w, error) : OZ_OK;
	if (result == OZ_OK && melts)
		result = oz_phases_take(w, error);
	if (result != OZ_OK || !(w->blend.stale || anyone_is_due(w)))
		return result;
	inquiry q;
	result = begin_inquiry(w, &q, error);
	if (result == OZ_OK) {
		const uint32_t changed = ask(w, &q);
		if (changed || w->blend.stale)
			result = change_shapes(w, &q, changed, error);
		else
			forget(w, &q);
	}
	end_inquiry(w, &q);
	return result;
}

// A world with solids has been through it before its time step was chosen, but for what was poured
// since.
oz_result oz_stage_topology(oz_world *w, oz_error *error)
{
	if (w->solid.capacity && !w->blend.stale)
		return OZ_OK;
	return oz_topology_take(w, error);
}
