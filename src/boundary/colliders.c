// colliders.c: adds colliders, writes their poses to the device, launches the λ of walls.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/boundary.h"
#include "boundary/nozzle.h"
#include "boundary/sdf_data.h"
#include "boundary/walls.cl"

#define CONTACT 0.25f // least distance of a particle from a wall, in spacings

oz_result oz_boundary_init(oz_boundary *b, oz_sim *sim, oz_error *error)
{
	b->colliders.size = sizeof(oz_collider_entry);
	b->nozzles.size = sizeof(oz_nozzle);
	return oz_wall_table_init(b, sim, error);
}

void oz_boundary_free(oz_boundary *b, oz_sim *sim)
{
	oz_device *d = sim->device;
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		oz_poser_free(sim->heap, &oz_collider_entries(b)[k].poser);
		oz_sdf_release(oz_collider_entries(b)[k].def.shape.sdf);
	}
	if (d) {
		d->ops->release(d, b->collider, sizeof(oz_collider) * b->colliders.count);
		d->ops->release(d, b->guide, sizeof(oz_guide) * b->nozzles.count);
		d->ops->release(d, b->wall_table, oz_wall_table_size());
		oz_sdfs_free(b, d);
		oz_loads_free(b, d);
	}
	oz_array_free(sim->heap, &b->colliders);
	oz_array_free(sim->heap, &b->nozzles);
}

// ---- adding ------------------------------------------------------------------------------------

static oz_result check_sdf(const oz_collider_def *def, float spacing, const char *where,
                           oz_error *error)
{
	if (!def->shape.sdf)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is an SDF but has none; make one with oz_sdf_make", where);
	const float cell = def->shape.sdf->frame.cell, most = 0.5f * spacing;
	// the contact layer is half a cell thick: no particle passes a thin wall between two nodes
	if (cell > 1.01f * most)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s has an SDF with cells of %g m, too coarse for a spacing of %g "
		               "m: particles would slip past thin parts; make them at most %g m",
		               where, (double)cell, (double)spacing, (double)most);
	return OZ_OK;
}

oz_result oz_check_shape(const oz_shape *shape, const char *where, oz_error *error)
{
	const oz_shape_kind kind = shape->kind;
	if (kind == OZ_SHAPE_SHEET || kind == OZ_SHAPE_ROD)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is a sheet or a rod, which have no inside; use a thin box or "
		               "capsule",
		               where);
	if (kind == OZ_SHAPE_PLANE || kind == OZ_SHAPE_SDF)
		return OZ_OK;
	const oz_vec3 s = shape->size;
	const bool box = kind == OZ_SHAPE_BOX;
	const bool two = box || kind == OZ_SHAPE_CYLINDER || kind == OZ_SHAPE_CAPSULE ||
	                 kind == OZ_SHAPE_TORUS;
	if (!(s.x > 0) || (two && !(s.y > 0)) || (box && !(s.z > 0)))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s has size %g %g %g m; every length that its shape reads must be "
		               "above 0",
		               where, (double)s.x, (double)s.y, (double)s.z);
	return OZ_OK;
}

static oz_result check_shape(const oz_collider_def *def, float spacing, const char *where,
                             oz_error *error)
{
	const oz_result result = oz_check_shape(&def->shape, where, error);
	if (result != OZ_OK)
		return result;
	if (def->shell && def->inside)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is a shell and has its material inside; a shell has it on both "
		               "sides: set one of the two",
		               where);
	return def->shape.kind == OZ_SHAPE_SDF ? check_sdf(def, spacing, where, error) : OZ_OK;
}

// copies the SDF of a collider to the device and makes the sums of its load there
static oz_result add_device_data(oz_boundary *b, oz_sim *sim, oz_collider_entry *o, oz_error *error)
{
	oz_result result = OZ_OK;
	if (o->def.shape.kind == OZ_SHAPE_SDF)
		result = oz_sdfs_add(b, sim, o, error);
	else
		o->thin = oz_shape_is_thin(sim, &o->def, CONTACT * sim->def.spacing);
	if (result == OZ_OK && o->def.load)
		result = oz_loads_add(b, sim, o, error);
	return result;
}

static oz_result check_def(const oz_sim *sim, const oz_collider_def *def, const char *where,
                           oz_error *error)
{
	oz_result result = oz_params_check(OZ_PARAMS_COLLIDER, def, where, error);
	if (result == OZ_OK)
		result = oz_params_check(OZ_PARAMS_SHAPE, &def->shape, where, error);
	if (result == OZ_OK)
		result = check_shape(def, sim->def.spacing, where, error);
	if (result == OZ_OK)
		result = oz_keyframes_check(def->keyframes, def->keyframe_count, where, error);
	return result;
}

static oz_result no_memory(const char *where, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for %s; close other programs", where);
}

// copies a definition into an entry and makes its poser from the keyframes; the SDF and the load
// are added by store_entry
static oz_result make_entry(oz_sim *sim, const oz_collider_def *def, const char *where,
                            oz_collider_entry *o, oz_error *error)
{
	*o = (oz_collider_entry){.def = *def};
	// the poser holds a copy of the keyframes
	o->def.keyframes = NULL;
	o->def.keyframe_count = 0;
	// the SDF of other shapes is not used
	if (def->shape.kind != OZ_SHAPE_SDF)
		o->def.shape.sdf = NULL;
	if (oz_poser_make(sim->heap, &o->def.shape, def->keyframes, def->keyframe_count, def->loop,
	                  &o->poser))
		return OZ_OK;
	return no_memory(where, error);
}

// Puts an entry into the list of colliders. Allocates the list and the records first, because an
// SDF or a load that was added to the device cannot be removed.
static oz_result store_entry(oz_boundary *b, oz_sim *sim, oz_collider_entry *o, const char *where,
                             oz_error *error)
{
	oz_device *d = sim->device;
	const size_t old = sizeof(oz_collider) * b->colliders.count;
	oz_collider *table = d->ops->alloc(d, old + sizeof *table);
	const bool room = table && oz_array_add(sim->heap, &b->colliders);
	b->colliders.count -= room;
	const oz_result result = room ? add_device_data(b, sim, o, error) : no_memory(where, error);
	if (result != OZ_OK) {
		d->ops->release(d, table, old + sizeof *table);
		return result;
	}
	const oz_shape at = oz_collider_pose(o, sim->time);
	o->separated_at = at.position;
	o->separated_rotation = at.rotation;
	b->thin = b->thin || o->thin;
	// thin walls separate lists by the wall clearance, which this collider changes
	sim->neighbours.valid = sim->neighbours.valid && !b->thin;
	oz_collider_entries(b)[b->colliders.count++] = *o;
	oz_sdf_keep(o->def.shape.sdf);
	d->ops->release(d, b->collider, old);
	b->collider = table;
	for (uint32_t k = 0; k < b->colliders.count; k++)
		oz_collider_entries(b)[k].placed = false;
	return OZ_OK;
}

oz_result oz_colliders_add(oz_boundary *b, oz_sim *sim, const oz_collider_def *def, oz_id *collider,
                           oz_error *error)
{
	char where[32];
	snprintf(where, sizeof where, "collider %u", b->colliders.count);
	oz_collider_entry o = {0};
	oz_result result = check_def(sim, def, where, error);
	if (result == OZ_OK)
		result = make_entry(sim, def, where, &o, error);
	if (result == OZ_OK)
		result = store_entry(b, sim, &o, where, error);
	if (result != OZ_OK)
		oz_poser_free(sim->heap, &o.poser);
	else if (collider)
		*collider = b->colliders.count - 1;
	return result;
}

oz_shape oz_collider_pose(const oz_collider_entry *o, double time)
{
	return oz_pose_at(&o->poser, time);
}

// an upper bound of the distance of any point of an SDF from the collider's origin
static float sdf_extent(const oz_sdf_frame *f)
{
	const float block = f->cell * (float)OZ_SDF_CELLS;
	const oz_vec3 size = oz_v3(block * (float)f->blocks[0], block * (float)f->blocks[1],
	                           block * (float)f->blocks[2]);
	return oz_length(f->origin) + oz_length(size);
}

static float extent_of(const oz_collider_entry *o)
{
	return o->def.shape.kind == OZ_SHAPE_SDF ? sdf_extent(&o->sdf)
	                                         : oz_length(o->def.shape.size);
}

// ---- poses by calls ----------------------------------------------------------------------------

static oz_result find_entry(oz_boundary *b, oz_id collider, oz_collider_entry **o, oz_error *error)
{
	*o = collider < b->colliders.count ? &oz_collider_entries(b)[collider] : NULL;
	return *o ? OZ_OK
	          : oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no collider %u; there are %u",
	                    collider, b->colliders.count);
}

oz_motion_rules oz_motion_rules_of(const oz_sim *sim)
{
	const float dt = sim->def.time_step > 0 ? sim->def.time_step : sim->last_step.time_step;
	return (oz_motion_rules){.now = sim->time,
	                         .step = (double)dt,
	                         .most = (double)oz_support_radius(sim)};
}

oz_result oz_colliders_move(oz_boundary *b, oz_sim *sim, oz_id collider, const oz_goal *goal,
                            oz_error *error)
{
	char where[32];
	oz_collider_entry *o;
	oz_motion_rules rules = oz_motion_rules_of(sim);
	snprintf(where, sizeof where, "collider %u", collider);
	oz_result result = find_entry(b, collider, &o, error);
	if (result != OZ_OK)
		return result;
	// a plane has no extent: only its position counts
	rules.extent = o->def.shape.kind == OZ_SHAPE_PLANE ? 0 : (double)extent_of(o);
	result = oz_poser_move(sim->heap, &o->poser, goal, &rules, where,
	                       "pass a later time, or use oz_world_place_collider", error);
	if (result == OZ_OK)
		o->placed = false;
	return result;
}

oz_result oz_colliders_put(oz_boundary *b, oz_sim *sim, oz_id collider, const oz_goal *goal,
                           oz_error *error)
{
	char where[32];
	oz_collider_entry *o;
	snprintf(where, sizeof where, "collider %u", collider);
	oz_result result = find_entry(b, collider, &o, error);
	if (result == OZ_OK)
		result = oz_poser_put(sim->heap, &o->poser, goal, sim->time, where, error);
	if (result == OZ_OK)
		o->placed = false;
	return result;
}

uint64_t oz_colliders_hash(const oz_boundary *b, uint64_t hash)
{
	for (uint32_t k = 0; k < b->colliders.count; k++)
		hash = oz_poser_hash(&oz_collider_entries(b)[k].poser, hash);
	return hash;
}

// ---- the step ----------------------------------------------------------------------------------

static bool is_unrotated(oz_quat q)
{
	return q.x == 0 && q.y == 0 && q.z == 0;
}

// the record of a collider with its poses at both ends of the step
static oz_collider record_of(const oz_sim *sim, const oz_collider_entry *o, const oz_shape *from,
                             const oz_shape *to)
{
	return (oz_collider){.kind = (uint)from->kind,
	                     .side = oz_side_of(&o->def),
	                     .flat = o->def.flat,
	                     .thin = o->thin,
	                     .load = o->load,
	                     .length_unit = sim->def.spacing,
	                     .inv_speed_unit =
	                             1.0f / (OZ_REACTION_SPEED_UNIT * sim->def.sound_speed),
	                     .sdf = o->sdf,
	                     .friction = o->def.friction,
	                     .restitution = o->def.restitution,
	                     .slip = o->def.slip,
	                     .sticks = o->def.sticks,
	                     .wetting = cosf(o->def.contact_angle * (float)(M_PI / 180)),
	                     .rotates =
	                             !is_unrotated(from->rotation) || !is_unrotated(to->rotation),
	                     .size = from->size,
	                     .from = from->position,
	                     .to = to->position,
	                     .rotation_from = from->rotation,
	                     .rotation_to = to->rotation};
}

// writes the records of new and of moving colliders, with their poses at both ends of the step
static void place_colliders(oz_boundary *b, const oz_sim *sim)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		oz_collider_entry *o = &oz_collider_entries(b)[k];
		if (o->placed)
			continue;
		const oz_shape from = oz_collider_pose(o, sim->time);
		const oz_shape to = oz_collider_pose(o, sim->time + (double)sim->time_step);
		o->placed = !o->poser.source->moves;
		const oz_collider c = record_of(sim, o, &from, &to);
		sim->device->ops->write(sim->device, b->collider, k * sizeof c, &c, sizeof c);
	}
}

// writes the records of all colliders with the poses of oz_thin_walls_separate
static void place_as_separated(oz_boundary *b, const oz_sim *sim)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		oz_collider_entry *o = &oz_collider_entries(b)[k];
		const oz_shape at = oz_separated_pose(o);
		const oz_collider c = record_of(sim, o, &at, &at);
		o->placed = false;
		sim->device->ops->write(sim->device, b->collider, k * sizeof c, &c, sizeof c);
	}
}

float oz_collider_way(const oz_collider_entry *o, const oz_shape *from, const oz_shape *to)
{
	const float extent = from->kind == OZ_SHAPE_PLANE ? 1e9f : extent_of(o);
	return (float)oz_pose_way(from, to, (double)extent);
}

// an upper bound of the distance that any point of a collider moves in the step, m
static float motion_of(const oz_sim *sim, const oz_collider_entry *o)
{
	if (!o->poser.source->moves)
		return 0;
	const oz_shape from = oz_collider_pose(o, sim->time);
	const oz_shape to = oz_collider_pose(o, sim->time + (double)sim->time_step);
	return oz_collider_way(o, &from, &to);
}

oz_wall_rules oz_wall_rules_of(const oz_boundary *b, const oz_sim *sim)
{
	const float h = oz_support_radius(sim), contact = CONTACT * sim->def.spacing;
	float motion = 0;
	for (uint32_t k = 0; k < b->colliders.count; k++)
		motion = fmaxf(motion, motion_of(sim, &oz_collider_entries(b)[k]));
	return (oz_wall_rules){.colliders = b->colliders.count,
	                       .h = h,
	                       .contact = contact,
	                       .step = 0.05f * sim->def.spacing,
	                       .motion = motion,
	                       .reach = b->wall_reach,
	                       .spacing = sim->def.spacing,
	                       .sound = sim->def.sound_speed};
}

// `nozzles`: in how many nozzles walls do not act on particles
static void find_lambda(const oz_boundary *b, const oz_sim *sim, const oz_float4 *position,
                        uint32_t nozzles)
{
	const oz_particles *p = &sim->particles;
	OZ_LAUNCH(sim->device, wall_lambda, p->count, .position = position,
	          .nozzle = OZ_OPTIONAL(b->nozzle), .collider = OZ_OPTIONAL(b->collider),
	          .table = b->wall_table, .places = OZ_OPTIONAL(b->sdfs.places),
	          .nearest = OZ_OPTIONAL(b->sdfs.nearest),
	          .wall_nodes = OZ_OPTIONAL(b->sdfs.wall_nodes), .wall = p->wall,
	          .wall_clearance = p->wall_clearance, .rules = oz_wall_rules_of(b, sim),
	          .nozzles = nozzles);
}

oz_result oz_walls_find_lambda(oz_boundary *b, oz_sim *sim, oz_error *error)
{
	const bool due = oz_thin_walls_are_due(b, sim);
	oz_result result = OZ_OK;
	place_colliders(b, sim);
	if (due) {
		find_lambda(b, sim, sim->particles.position, 0);
		result = oz_thin_walls_separate(b, sim, error);
	}
	if (!due || b->nozzles.count)
		find_lambda(b, sim, sim->particles.position, b->nozzles.count);
	return result;
}

oz_result oz_walls_restore_lists(oz_boundary *b, oz_sim *sim, oz_error *error)
{
	if (!b->thin || !sim->neighbours.valid)
		return OZ_OK;
	oz_result result = oz_particles_take_scratch(&sim->scratch, &sim->particles, error);
	if (result == OZ_OK)
		result = oz_thin_walls_reserve(b, sim, error);
	if (result == OZ_OK) {
		oz_nozzles_place(b, sim);
		place_as_separated(b, sim);
		find_lambda(b, sim, sim->particles.anchor, 0);
		result = oz_thin_walls_separate_again(b, sim, error);
	}
	oz_particles_give_scratch(&sim->scratch, &sim->particles);
	return result;
}
