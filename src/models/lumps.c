// lumps.c: what hangs together, and when it takes a new reference shape.
//
// A lump is a connected set of clusters, named after its lowest slot. Every `update_steps` steps a
// lump asks what it has felt since it asked last: the mean contact per particle, less the weight
// that a body at rest bears anyway. If that is more than f_u = γ_u (1 - α) (eq 14), its reference
// shape becomes the shape it has now (section 3.2): it may fall into several lumps, or join others
// that change at the same moment, if all their materials allow it. The paper asks this once for the
// whole world; a lump that asks for itself does not melt when another one crashes.
#include <math.h>
#include <string.h>

#include "world/world.h"

#define AT_REST 0.02f // of √(g spacing): slower lumps keep their shape, whatever they bear

// ---- asking ------------------------------------------------------------------------------------

// the host's view of the slots
typedef struct slot_view {
	const uint *lump, *fresh, *where;
	const float *felt, *felt_for, *own_alpha;
	const oz_float4 *velocity, *position; // of the particles
	const uint *material, *body;
} slot_view;

static slot_view look(oz_world *w)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	const oz_particles *p = &w->particles;
	return (slot_view){.lump = d->ops->look(d, b->lump, 0),
	                   .fresh = d->ops->look(d, b->fresh, 0),
	                   .where = d->ops->look(d, b->where, 0),
	                   .felt = d->ops->look(d, b->felt, 0),
	                   .felt_for = d->ops->look(d, b->felt_for, 0),
	                   .own_alpha = d->ops->look(d, b->own_alpha, 0),
	                   .velocity = d->ops->look(d, p->velocity, 0),
	                   .position = d->ops->look(d, p->position, 0),
	                   .material = d->ops->look(d, p->material, 0),
	                   .body = d->ops->look(d, p->body, 0)};
}

// what is known of a lump, at the place of its lowest slot
typedef struct lump_sum {
	double felt;      // m/s
	double felt_for;  // s
	double threshold; // m/s², f_u
	double speed2;    // m²/s²
	uint32_t count;
	bool due, fresh, lone; // asks now; has poured particles; joins nobody
} lump_sum;

static bool is_due(const oz_world *w, const oz_material_def *m)
{
	return w->step > 0 && w->step % m->update_steps == 0;
}

static void add_slot(const oz_world *w, const slot_view *v, uint32_t k, lump_sum *sums)
{
	const uint32_t i = v->where[k];
	const oz_material_def *m = &oz_materials(w)[v->material[i]];
	const float alpha = v->own_alpha[k] >= 0 ? v->own_alpha[k] : oz_alpha_at(m, w->time);
	const oz_vec3 u = {v->velocity[i].x, v->velocity[i].y, v->velocity[i].z};
	lump_sum *s = &sums[v->lump[k]];
	if (s->count++ == 0)
		s->due = is_due(w, m);
	s->felt += (double)v->felt[k];
	s->felt_for += (double)v->felt_for[k];
	s->threshold += (double)(m->update_force * (1.0f - alpha));
	s->speed2 += (double)oz_length2(u);
	s->lone |= !m->merges;
}

static bool changes(const oz_world *w, const lump_sum *s)
{
	const double g = (double)oz_length(w->def.gravity);
	const double still = (double)AT_REST * sqrt(g * (double)w->def.spacing);
	if (!s->due || s->count == 0)
		return false;
	if (s->fresh)
		return true;
	return s->felt_for > 0 && s->felt / s->felt_for - g > s->threshold / s->count &&
	       s->speed2 / s->count > still * still;
}

// ---- joining -----------------------------------------------------------------------------------

static uint32_t find_root(uint32_t *parent, uint32_t k)
{
	while (parent[k] != k) {
		parent[k] = parent[parent[k]];
		k = parent[k];
	}
	return k;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
	const uint32_t one = find_root(parent, a), other = find_root(parent, b);
	parent[one > other ? one : other] = one > other ? other : one;
}

// names all lumps after their lowest slots; gives how many there are, but for what was just poured
// and has yet to find its own
static uint32_t name_lumps(oz_world *w, uint32_t *lump)
{
	oz_device *d = w->device;
	const oz_blend *b = &w->blend;
	const uint *list = d->ops->look(d, b->list, 0), *start = d->ops->look(d, b->start, 0);
	const uint *members = d->ops->look(d, b->members, 0), *fresh = d->ops->look(d, b->fresh, 0);
	uint32_t count = 0;
	for (uint32_t k = 0; k < b->count; k++)
		lump[k] = k;
	for (uint32_t k = 0; k < b->count; k++)
		for (uint32_t c = 0; c < members[k]; c++) {
			const uint32_t j = list[start[k] + c];
			if (j >= k)
				continue;
			join(lump, k, j);
		}
	for (uint32_t k = 0; k < b->count; k++) {
		lump[k] = find_root(lump, k);
		count += lump[k] == k && !fresh[k];
	}
	return count;
}

// Numbers lumps one after the other, for the ties: a lump comes after its lowest slot.
static void tag_lumps(oz_world *w, const uint32_t *lump, uint32_t *tag)
{
	uint32_t next = 0;
	for (uint32_t k = 0; k < w->blend.count; k++)
		tag[k] = lump[k] == k ? next++ % OZ_TAGS : tag[lump[k]];
	w->device->ops->write(w->device, w->blend.tag, 0, tag, sizeof(uint) * w->blend.count);
}

#define MOST_TOLD 4u // of one kind in a step

// Tells of those whose particles are now of several others: old lumps that split, new ones that
// merged. `seen` is scratch.
static void tell_parted(oz_world *w, const slot_view *v, const uint32_t *from, const uint32_t *to,
                        uint32_t *seen, const char *what, uint32_t now)
{
	uint32_t told = 0;
	memset(seen, 0xff, sizeof *seen * w->blend.count);
	for (uint32_t k = 0; k < w->blend.count && told < MOST_TOLD; k++) {
		const uint32_t name = from[k];
		if (seen[name] == OZ_NONE)
			seen[name] = to[k];
		if (seen[name] == to[k] || seen[name] == OZ_NONE - 1)
			continue;
		seen[name] = OZ_NONE - 1;
		const uint32_t body = v->body[v->where[name]];
		oz_raise(w, OZ_EVENT_LUMPS, body, (float)now,
		         "lump %u of body '%s' %s; lumps now: %u", name, oz_bodies(w)[body].name,
		         what, now);
		told++;
	}
}

// ---- changing ----------------------------------------------------------------------------------

// what a change needs, all of it taken before anything is changed
typedef struct change {
	lump_sum *sums;
	uint32_t *lump, *group, *joined; // host
	bool *will;                      // of each slot: it takes a new reference shape
	bool *pours;                     // of each body: it has fresh particles
	uint *device_group;
	oz_float4 *rest; // device
} change;

static oz_result begin_change(oz_world *w, change *c, oz_error *error)
{
	oz_device *d = w->device;
	const uint32_t n = w->blend.count;
	c->sums = oz_arena_take(&w->heap, &w->arena, sizeof *c->sums * n);
	c->lump = oz_arena_take(&w->heap, &w->arena, sizeof *c->lump * n);
	c->group = oz_arena_take(&w->heap, &w->arena, sizeof *c->group * n);
	c->joined = oz_arena_take(&w->heap, &w->arena, sizeof *c->joined * n);
	c->will = oz_arena_take(&w->heap, &w->arena, sizeof *c->will * n);
	c->pours = oz_arena_take(&w->heap, &w->arena, sizeof *c->pours * w->bodies.count);
	c->device_group = d->ops->alloc(d, sizeof(uint) * n);
	c->rest = d->ops->alloc(d, sizeof(oz_float4) * n);
	if (c->sums && c->lump && c->group && c->joined && c->will && c->pours && c->device_group &&
	    c->rest)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the lumps of %u particles; use a larger spacing", n);
}

static void end_change(oz_world *w, change *c)
{
	oz_device *d = w->device;
	const uint32_t n = w->blend.count;
	d->ops->release(d, c->device_group, sizeof(uint) * n);
	d->ops->release(d, c->rest, sizeof(oz_float4) * n);
}

// A body that is being poured changes all the time: else what comes out now would not hang on what
// came out before.
static void find_pours(const oz_world *w, const slot_view *v, change *c)
{
	memset(c->pours, 0, sizeof *c->pours * w->bodies.count);
	for (uint32_t k = 0; k < w->blend.count; k++)
		c->pours[v->body[v->where[k]]] |= v->fresh[k] != 0;
	for (uint32_t k = 0; k < w->blend.count; k++)
		c->sums[v->lump[k]].fresh |= c->pours[v->body[v->where[k]]];
}

// Two lumps that change may grow together if all their materials allow it, or if they were poured
// as one body.
static bool may_join(const slot_view *v, const change *c, uint32_t k, uint32_t other)
{
	if (!c->will[k] || !c->will[other])
		return false;
	const uint32_t body = v->body[v->where[k]];
	return (!c->sums[v->lump[k]].lone && !c->sums[v->lump[other]].lone) ||
	       (body == v->body[v->where[other]] && c->pours[body]);
}

static bool touch(oz_float4 a, oz_float4 b, float reach2)
{
	const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
	return x * x + y * y + z * z < reach2;
}

// joins lumps that touch, which the fluid's neighbours tell
static void join_touching(oz_world *w, const slot_view *v, change *c)
{
	oz_device *d = w->device;
	const oz_neighbours *n = &w->neighbours;
	const uint *list = d->ops->look(d, n->list, 0), *start = d->ops->look(d, n->start, 0);
	const uint *count = d->ops->look(d, n->count, 0),
	           *slot = d->ops->look(d, w->particles.slot, 0);
	const float reach2 = w->fluid.h * w->fluid.h;
	for (uint32_t k = 0; k < w->blend.count; k++) {
		const uint32_t i = v->where[k];
		for (uint32_t m = 0; c->will[k] && i < n->listed && m < count[i]; m++) {
			const uint32_t j = list[start[i] + m], other = slot[j];
			if (other < w->blend.count && v->lump[other] != v->lump[k] &&
			    touch(v->position[i], v->position[j], reach2) &&
			    may_join(v, c, k, other))
				join(c->joined, v->lump[k], v->lump[other]);
		}
	}
}

// Lumps that change and touch share a group, and so grow together; all others stay by themselves.
static uint32_t choose_groups(oz_world *w, const slot_view *v, change *c)
{
	const uint32_t n = w->blend.count;
	uint32_t changed = 0;
	memset(c->sums, 0, sizeof *c->sums * n);
	for (uint32_t k = 0; k < n; k++)
		add_slot(w, v, k, c->sums);
	find_pours(w, v, c);
	for (uint32_t k = 0; k < n; k++) {
		c->joined[k] = k;
		c->will[k] = changes(w, &c->sums[v->lump[k]]);
		changed += c->will[k];
	}
	if (changed)
		join_touching(w, v, c);
	for (uint32_t k = 0; k < n; k++)
		c->group[k] = find_root(c->joined, v->lump[k]);
	return changed;
}

static void set_rest(oz_world *w, const slot_view *v, change *c)
{
	oz_device *d = w->device;
	d->ops->copy(d, c->rest, w->blend.rest, sizeof(oz_float4) * w->blend.count);
	for (uint32_t k = 0; k < w->blend.count; k++)
		if (c->will[k])
			d->ops->write(d, c->rest, sizeof(oz_float4) * k, &v->position[v->where[k]],
			              sizeof(oz_float4));
}

// those that have asked begin to count anew; those that changed are not turned and not fresh
static void forget(oz_world *w, const slot_view *v, const change *c)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	const oz_float4 unturned = {0, 0, 0, 1};
	const float none = 0;
	const uint no = 0;
	for (uint32_t k = 0; k < b->count; k++) {
		if (c->sums[v->lump[k]].due) {
			d->ops->write(d, b->felt, sizeof none * k, &none, sizeof none);
			d->ops->write(d, b->felt_for, sizeof none * k, &none, sizeof none);
		}
		if (!c->will[k])
			continue;
		d->ops->write(d, b->turn, sizeof unturned * k, &unturned, sizeof unturned);
		d->ops->write(d, b->fresh, sizeof no * k, &no, sizeof no);
	}
}

static oz_result change_shapes(oz_world *w, change *c, oz_error *error)
{
	oz_device *d = w->device;
	oz_blend *b = &w->blend;
	const slot_view v = look(w);
	const uint32_t changed = choose_groups(w, &v, c);
	const bool anew = changed || b->stale;
	if (anew) {
		set_rest(w, &v, c);
		d->ops->write(d, c->device_group, 0, c->group, sizeof(uint) * b->count);
		const oz_result result = oz_clusters_build(w, c->rest, c->device_group, error);
		if (result != OZ_OK)
			return result;
	}
	forget(w, &v, c);
	if (anew) {
		const uint32_t lumps = name_lumps(w, c->lump);
		if (changed && b->lumps) {
			tell_parted(w, &v, v.lump, c->lump, c->joined, "has split", lumps);
			tell_parted(w, &v, c->lump, v.lump, c->joined, "has merged with others",
			            lumps);
		}
		d->ops->write(d, b->lump, 0, c->lump, sizeof(uint) * b->count);
		tag_lumps(w, c->lump, c->joined);
		b->tied = false;
		b->lumps = lumps;
	}
	return OZ_OK;
}

static bool anyone_is_due(const oz_world *w)
{
	for (uint32_t m = 0; m < w->materials.count; m++)
		if (oz_materials(w)[m].model == OZ_BLEND && is_due(w, &oz_materials(w)[m]))
			return true;
	return false;
}

bool oz_topology_is_due(const oz_world *w)
{
	return w->blend.count && (w->blend.stale || anyone_is_due(w));
}

oz_result oz_stage_topology(oz_world *w, oz_error *error)
{
	oz_blend *b = &w->blend;
	if (b->count == 0)
		return OZ_OK;
	oz_blend_set_alphas(w);
	oz_result result = OZ_OK;
	if (oz_topology_is_due(w)) {
		change c = {0};
		result = begin_change(w, &c, error);
		if (result == OZ_OK)
			result = change_shapes(w, &c, error);
		end_change(w, &c);
	}
	return result;
}
