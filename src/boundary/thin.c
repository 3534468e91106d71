// thin.c: walls thinner than the support radius: they separate the neighbour lists of their two
// sides.
//
// The lists are separated once, in the first step that uses them, with the poses that the colliders
// have then. A snapshot holds these poses, since it holds anchors instead of lists. When a thin
// wall has moved by half a spacing since then, or a collider or a nozzle was added, the lists are
// made again.
#include <math.h>

#include "boundary/boundary.h"
#include "boundary/nozzle.h"
#include "boundary/separate.cl"

#define MOVED 0.5f // spacings that a thin wall may move before lists are made again

// The distance within which two particles may be in each other's lists.
static float list_reach(const oz_sim *sim)
{
	return oz_support_radius(sim) * (1 + sim->def.skin);
}

bool oz_shape_is_thin(const oz_sim *sim, const oz_collider_def *def, float contact)
{
	const oz_vec3 size = def->shape.size;
	const float most = list_reach(sim) - 2 * contact;
	if (def->shell || def->inside)
		return def->shell;
	return (def->shape.kind == OZ_SHAPE_BOX && fminf(fminf(size.x, size.y), size.z) < most) ||
	       (def->shape.kind == OZ_SHAPE_CYLINDER && size.y < most);
}

oz_shape oz_separated_pose(const oz_collider_entry *o)
{
	oz_shape at = oz_collider_pose(o, 0);
	at.position = o->separated_at;
	at.rotation = o->separated_rotation;
	return at;
}

bool oz_thin_walls_moved(const oz_boundary *b, const oz_sim *sim)
{
	for (uint32_t k = 0; k < b->colliders.count && b->thin && sim->neighbours.separated; k++) {
		const oz_collider_entry *o = &oz_collider_entries(b)[k];
		if (!o->thin || !o->poser.source->moves)
			continue;
		const oz_shape now = oz_collider_pose(o, sim->time), then = oz_separated_pose(o);
		if (oz_collider_way(o, &then, &now) > MOVED * sim->def.spacing)
			return true;
	}
	return false;
}

// ---- lists -------------------------------------------------------------------------------------

// scratch of oz_thin_walls_separate: for each particle the thin walls that it is beside, and a ball
// that holds none
typedef struct separate_work {
	uint *beside;
	oz_float4 *ball;
} separate_work;

static void give_work(oz_sim *sim, separate_work *w)
{
	oz_scratch_give(&sim->scratch, w->beside);
	oz_scratch_give(&sim->scratch, w->ball);
}

static oz_result take_work(oz_sim *sim, separate_work *w, oz_error *error)
{
	const uint32_t n = sim->particles.capacity;
	w->beside = OZ_TAKE(&sim->scratch, uint, "beside thin walls", n);
	w->ball = OZ_TAKE(&sim->scratch, oz_float4, "balls without thin walls", n);
	if (w->beside && w->ball)
		return OZ_OK;
	give_work(sim, w);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the neighbour lists of %u particles beside thin walls; "
	               "use a larger spacing",
	               sim->particles.count);
}

oz_result oz_thin_walls_reserve(const oz_boundary *b, oz_sim *sim, oz_error *error)
{
	separate_work work;
	const oz_result result = b->thin ? take_work(sim, &work, error) : OZ_OK;
	if (b->thin && result == OZ_OK)
		give_work(sim, &work);
	return result;
}

oz_result oz_thin_walls_separate_again(const oz_boundary *b, oz_sim *sim, oz_error *error)
{
	oz_neighbours *n = &sim->neighbours;
	oz_particles *p = &sim->particles;
	separate_work work;
	const oz_result result = take_work(sim, &work, error);
	if (result != OZ_OK)
		return result;
	const oz_wall_rules rules = oz_wall_rules_of(b, sim);
	OZ_LAUNCH(sim->device, wall_beside, p->count, .anchor = p->anchor,
	          .wall_clearance = p->wall_clearance, .collider = b->collider,
	          .places = OZ_OPTIONAL(b->sdfs.places), .nearest = OZ_OPTIONAL(b->sdfs.nearest),
	          .thin = OZ_OPTIONAL(b->sdfs.thin), .beside = work.beside, .ball = work.ball,
	          .rules = rules, .reach = list_reach(sim));
	OZ_LAUNCH(sim->device, wall_separate, p->count, .anchor = p->anchor,
	          .wall_clearance = p->wall_clearance, .beside = work.beside, .ball = work.ball,
	          .collider = b->collider, .places = OZ_OPTIONAL(b->sdfs.places),
	          .nearest = OZ_OPTIONAL(b->sdfs.nearest), .guide = OZ_OPTIONAL(b->guide),
	          .start = n->start, .list = n->list, .count = n->count, .rules = rules,
	          .guides = b->nozzles.count, .stride = n->stride);
	give_work(sim, &work);
	n->separated = true;
	return OZ_OK;
}

bool oz_thin_walls_are_due(const oz_boundary *b, const oz_sim *sim)
{
	return b->thin && sim->neighbours.valid && !sim->neighbours.separated;
}

oz_result oz_thin_walls_separate(oz_boundary *b, oz_sim *sim, oz_error *error)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		oz_collider_entry *o = &oz_collider_entries(b)[k];
		const oz_shape at = oz_collider_pose(o, sim->time);
		o->separated_at = at.position;
		o->separated_rotation = at.rotation;
	}
	return oz_thin_walls_separate_again(b, sim, error);
}

void oz_thin_walls_save(const oz_boundary *b, oz_section *s)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		const oz_collider_entry *o = &oz_collider_entries(b)[k];
		oz_section_put(s, &o->separated_at, sizeof o->separated_at);
		oz_section_put(s, &o->separated_rotation, sizeof o->separated_rotation);
	}
}

oz_result oz_thin_walls_load(oz_boundary *b, oz_section *s, oz_error *error)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		oz_collider_entry *o = &oz_collider_entries(b)[k];
		oz_section_get(s, &o->separated_at, sizeof o->separated_at);
		oz_section_get(s, &o->separated_rotation, sizeof o->separated_rotation);
		if (s->failed || !oz_is_pose(o->separated_at, o->separated_rotation))
			return oz_fail(error, OZ_ERROR_CHECKSUM,
			               "a pose of a collider is out of range");
	}
	return OZ_OK;
}
