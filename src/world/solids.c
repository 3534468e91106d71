// solids.c: colliders: fixed or led by keyframes, and their stage of the step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/chart_data.h"
#include "boundary/walls.cl"
#include "world/world.h"

#define CONTACT 0.25f // the nearest a particle comes to a wall, in spacings

oz_collider_def oz_collider_default(oz_shape shape)
{
	oz_collider_def def = {0};
	oz_params_default(OZ_PARAMS_COLLIDER, &def);
	def.shape = shape;
	return def;
}

static oz_result check_chart(const oz_collider_def *def, float spacing, const char *where,
                             oz_error *error)
{
	if (!def->shape.chart)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is charted but has no chart; make one with oz_chart_make",
		               where);
	const float cell = def->shape.chart->frame.cell, most = 0.5f * spacing;
	// two steps of contact in a cell: nothing slips past a wall, however thin it is
	if (cell > 1.01f * most)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s has a chart with cells of %g m, too coarse for a spacing of %g "
		               "m: particles would slip past thin parts; make them at most %g m",
		               where, (double)cell, (double)spacing, (double)most);
	return OZ_OK;
}

oz_result oz_check_solid(const oz_shape *shape, const char *where, oz_error *error)
{
	const oz_shape_kind kind = shape->kind;
	if (kind == OZ_SHAPE_SHEET || kind == OZ_SHAPE_ROD)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is a sheet or a rod, which have no inside; use a thin box or "
		               "capsule",
		               where);
	if (kind == OZ_SHAPE_PLANE || kind == OZ_SHAPE_CHART)
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
	const oz_result result = oz_check_solid(&def->shape, where, error);
	if (result != OZ_OK)
		return result;
	if (def->shell && def->inside)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is a shell and has its material inside; a shell has it on both "
		               "sides: set one of the two",
		               where);
	return def->shape.kind == OZ_SHAPE_CHART ? check_chart(def, spacing, where, error) : OZ_OK;
}

oz_result oz_keyframes_check(const oz_keyframe *frames, uint32_t count, const char *where,
                             oz_error *error)
{
	if (count && !frames)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has %u keyframes but none are given; pass them", where, count);
	for (uint32_t k = 0; k < count; k++) {
		char at[64];
		snprintf(at, sizeof at, "%s.keyframes[%u]", where, k);
		const oz_result result = oz_params_check(OZ_PARAMS_KEYFRAME, &frames[k], at, error);
		if (result != OZ_OK)
			return result;
		if (k && !(frames[k].time > frames[k - 1].time))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "%s.time is %g s, not after the one before; put keyframes "
			               "in "
			               "order of time",
			               at, (double)frames[k].time);
	}
	return OZ_OK;
}

// takes what kernels need on the device before anything is kept
static oz_result prepare(oz_world *w, oz_obstacle *solid, oz_error *error)
{
	oz_result result = OZ_OK;
	if (solid->def.shape.kind == OZ_SHAPE_CHART)
		result = oz_charts_add(w, &solid->def, &solid->chart, error);
	if (result == OZ_OK && solid->def.load)
		result = oz_loads_add(w, solid, error);
	return result;
}

static oz_result add_solid(oz_world *w, const oz_collider_def *def, const char *where,
                           oz_id *collider, oz_error *error)
{
	oz_obstacle solid = {.def = *def};
	// only charted shapes are asked for theirs
	if (def->shape.kind != OZ_SHAPE_CHART)
		solid.def.shape.chart = NULL;
	const oz_result result = prepare(w, &solid, error);
	if (result != OZ_OK)
		return result;
	oz_device *d = w->device;
	const size_t old = sizeof(oz_collider) * w->solids.count;
	const size_t frames = sizeof(oz_keyframe) * def->keyframe_count;
	oz_keyframe *keyframes = oz_heap_alloc(&w->heap, frames);
	oz_collider *table = d->ops->alloc(d, old + sizeof *table);
	oz_obstacle *added =
	        (!frames || keyframes) && table ? oz_array_add(&w->heap, &w->solids) : NULL;
	if (!added) {
		oz_heap_free(&w->heap, keyframes, frames);
		d->ops->release(d, table, old + sizeof *table);
		return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for %s; close other programs",
		               where);
	}
	if (frames)
		memcpy(keyframes, def->keyframes, frames);
	*added = solid;
	added->def.keyframes = keyframes;
	added->def.shape.rotation = oz_quat_normalize(def->shape.rotation);
	oz_chart_keep(added->def.shape.chart);
	d->ops->release(d, w->collider, old);
	w->collider = table;
	for (uint32_t k = 0; k < w->solids.count; k++)
		oz_obstacles(w)[k].placed = false;
	if (collider)
		*collider = w->solids.count - 1;
	return OZ_OK;
}

oz_result oz_world_add_collider(oz_world *w, const oz_collider_def *def, oz_id *collider,
                                oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	char where[32];
	snprintf(where, sizeof where, "collider %u", w->solids.count);
	oz_result result = oz_params_check(OZ_PARAMS_COLLIDER, def, where, error);
	if (result == OZ_OK)
		result = oz_params_check(OZ_PARAMS_SHAPE, &def->shape, where, error);
	if (result == OZ_OK)
		result = check_shape(def, w->def.spacing, where, error);
	if (result == OZ_OK)
		result = oz_keyframes_check(def->keyframes, def->keyframe_count, where, error);
	if (result != OZ_OK)
		return result;
	return add_solid(w, def, where, collider, error);
}

// in double: the difference of two poses over a time step is the velocity of the wall
static float mix(float a, float b, double t)
{
	return (float)((double)a + ((double)b - (double)a) * t);
}

static oz_shape between(const oz_collider_def *def, uint32_t k, double time)
{
	const oz_keyframe *a = &def->keyframes[k], *b = a + 1;
	const double t = (time - (double)a->time) / ((double)b->time - (double)a->time);
	oz_shape shape = def->shape;
	shape.position =
	        oz_v3(mix(a->position.x, b->position.x, t), mix(a->position.y, b->position.y, t),
	              mix(a->position.z, b->position.z, t));
	shape.rotation = oz_quat_slerp(oz_quat_normalize(a->rotation),
	                               oz_quat_normalize(b->rotation), (float)t);
	return shape;
}

static oz_shape at_keyframe(const oz_collider_def *def, uint32_t k)
{
	oz_shape shape = def->shape;
	shape.position = def->keyframes[k].position;
	shape.rotation = oz_quat_normalize(def->keyframes[k].rotation);
	return shape;
}

oz_shape oz_pose_at(const oz_collider_def *def, double time)
{
	const uint32_t last = def->keyframe_count - 1;
	if (def->keyframe_count == 0)
		return def->shape;
	const double begin = (double)def->keyframes[0].time,
	             end = (double)def->keyframes[last].time;
	if (def->loop && time > end && end > begin)
		time = begin + fmod(time - begin, end - begin);
	if (time <= begin)
		return at_keyframe(def, 0);
	if (time >= end)
		return at_keyframe(def, last);
	uint32_t k = 0;
	while ((double)def->keyframes[k + 1].time < time)
		k++;
	return between(def, k, time);
}

oz_shape oz_obstacle_pose(const oz_obstacle *solid, double time)
{
	return oz_pose_at(&solid->def, time);
}

oz_result oz_world_get_collider(const oz_world *w, oz_id collider, oz_shape *shape, bool *inside,
                                oz_error *error)
{
	if (!w)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; create one first");
	if (collider >= w->solids.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no collider %u; there are %u",
		               collider, w->solids.count);
	if (shape)
		*shape = oz_obstacle_pose(&oz_obstacles(w)[collider], w->time);
	if (inside)
		*inside = oz_obstacles(w)[collider].def.inside;
	return OZ_OK;
}

static bool is_straight(oz_quat q)
{
	return q.x == 0 && q.y == 0 && q.z == 0;
}

// poses at the step's begin and end, for the kernels
static void place_colliders(oz_world *w)
{
	for (uint32_t k = 0; k < w->solids.count; k++) {
		oz_obstacle *solid = &oz_obstacles(w)[k];
		if (solid->placed)
			continue;
		const oz_shape from = oz_obstacle_pose(solid, w->time);
		const oz_shape to = oz_obstacle_pose(solid, w->time + (double)w->time_step);
		solid->placed = solid->def.keyframe_count == 0;
		const oz_collider c = {.kind = (uint)from.kind,
		                       .side = oz_side_of(&solid->def),
		                       .flat = solid->def.flat,
		                       .load = solid->load,
		                       .lever = w->def.spacing,
		                       .inv_pace = 1.0f / (OZ_BURDEN_PACE * w->def.sound_speed),
		                       .chart = solid->chart,
		                       .friction = solid->def.friction,
		                       .restitution = solid->def.restitution,
		                       .turns = !is_straight(from.rotation) ||
		                                !is_straight(to.rotation),
		                       .size = from.size,
		                       .from = from.position,
		                       .to = to.position,
		                       .turn = from.rotation,
		                       .turned = to.rotation};
		w->device->ops->write(w->device, w->collider, k * sizeof c, &c, sizeof c);
	}
}

// the farthest that a point of the chart is from its origin, or more
static float chart_extent(const oz_chart_frame *f)
{
	const float block = f->cell * (float)OZ_CHART_CELLS;
	const oz_vec3 size = oz_v3(block * (float)f->blocks[0], block * (float)f->blocks[1],
	                           block * (float)f->blocks[2]);
	return oz_length(f->origin) + oz_length(size);
}

// the farthest that any point of a solid moves in the step
static float solid_motion(const oz_world *w, const oz_obstacle *solid)
{
	if (solid->def.keyframe_count == 0)
		return 0;
	const oz_shape from = oz_obstacle_pose(solid, w->time);
	const oz_shape to = oz_obstacle_pose(solid, w->time + (double)w->time_step);
	const oz_quat change = oz_quat_mul(to.rotation, oz_quat_conjugate(from.rotation));
	const float turn = 4 * oz_length(oz_v3(change.x, change.y, change.z)); // at least the angle
	const float extent = from.kind == OZ_SHAPE_PLANE   ? 1e9f
	                     : from.kind == OZ_SHAPE_CHART ? chart_extent(&solid->chart)
	                                                   : oz_length(from.size);
	return oz_length(oz_sub(to.position, from.position)) + turn * extent;
}

oz_wall_rules oz_wall_rules_of(const oz_world *w)
{
	const float h = oz_support_radius(w), contact = CONTACT * w->def.spacing;
	float motion = 0;
	for (uint32_t k = 0; k < w->solids.count; k++)
		motion = fmaxf(motion, solid_motion(w, &oz_obstacles(w)[k]));
	return (oz_wall_rules){.colliders = w->solids.count,
	                       .h = h,
	                       .contact = contact,
	                       .step = 0.05f * w->def.spacing,
	                       .motion = motion,
	                       .reach = w->wall_reach,
	                       .spacing = w->def.spacing};
}

oz_result oz_stage_walls(oz_world *w, oz_error *error)
{
	(void)error;
	oz_particles *p = &w->particles;
	place_colliders(w);
	OZ_LAUNCH(w->device, wall_weight, p->count, .position = p->position,
	          .collider = w->collider, .table = w->wall_table, .places = w->charts.places,
	          .leads = w->charts.leads, .depths = w->charts.depths, .wall = p->wall,
	          .gap = p->gap, .rules = oz_wall_rules_of(w));
	return OZ_OK;
}
