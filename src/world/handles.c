// handles.c: what holds elastic solids and takes them along.
//
// A handle takes hold of what is inside its shape when it is made. Every such particle keeps its
// place in the handle's frame; in each step it is given the velocity that leads to where that place
// will be.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

#include "models/grip.h"
#include "models/solid_solve.cl"

#define CATCH_UP 0.01f // support radii in a step: less than what would shorten the next one

oz_handle_def oz_handle_default(oz_shape shape)
{
	oz_handle_def def = {0};
	oz_params_default(OZ_PARAMS_HANDLE, &def);
	def.shape = shape;
	def.body = OZ_NONE;
	return def;
}

uint32_t oz_world_handle_count(const oz_world *w)
{
	return w->handles.count;
}

void oz_handles_free(oz_world *w)
{
	for (uint32_t k = 0; k < w->handles.count; k++) {
		const oz_collider_def *way = &oz_handles(w)[k].way;
		oz_heap_free(&w->heap, (void *)(uintptr_t)way->keyframes,
		             sizeof(oz_keyframe) * way->keyframe_count);
	}
	oz_array_free(&w->heap, &w->handles);
}

static oz_result check(const oz_world *w, const oz_handle_def *def, const char *where,
                       oz_error *error)
{
	oz_result result = oz_params_check(OZ_PARAMS_HANDLE, def, where, error);
	if (result == OZ_OK)
		result = oz_params_check(OZ_PARAMS_SHAPE, &def->shape, where, error);
	if (result == OZ_OK)
		result = oz_keyframes_check(def->keyframes, def->keyframe_count, where, error);
	if (result != OZ_OK)
		return result;
	const oz_shape_kind kind = def->shape.kind;
	if (kind == OZ_SHAPE_SHEET || kind == OZ_SHAPE_ROD || kind == OZ_SHAPE_CHART)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has a shape without a simple inside; use a box, ball, "
		               "cylinder, capsule or plane",
		               where);
	if (def->body != OZ_NONE && def->body >= w->bodies.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s names body %u, but there are %u; add the body first", where,
		               def->body, w->bodies.count);
	return OZ_OK;
}

// room for one more grip on the device
static bool reserve_grip(oz_world *w)
{
	oz_device *d = w->device;
	oz_solid *s = &w->solid;
	if (w->handles.count < s->grip_capacity)
		return true;
	const uint32_t capacity = 2 * s->grip_capacity + 4;
	oz_grip *grips = d->ops->alloc(d, sizeof *grips * capacity);
	if (!grips)
		return false;
	d->ops->release(d, s->grips, sizeof *grips * s->grip_capacity);
	s->grips = grips;
	s->grip_capacity = capacity;
	return true;
}

oz_result oz_handle_keep(oz_world *w, const oz_handle_def *def, oz_error *error)
{
	char where[32];
	snprintf(where, sizeof where, "handle %u", w->handles.count);
	const oz_result result = check(w, def, where, error);
	if (result != OZ_OK)
		return result;
	const size_t frames = sizeof(oz_keyframe) * def->keyframe_count;
	oz_keyframe *keyframes = oz_heap_alloc(&w->heap, frames);
	const bool room = (!frames || keyframes) && reserve_grip(w);
	oz_handle *added = room ? oz_array_add(&w->heap, &w->handles) : NULL;
	if (!added) {
		oz_heap_free(&w->heap, keyframes, frames);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for handle %u; close other programs",
		               w->handles.count);
	}
	if (frames)
		memcpy(keyframes, def->keyframes, frames);
	*added = (oz_handle){.way = {.shape = def->shape,
	                             .keyframes = keyframes,
	                             .keyframe_count = def->keyframe_count,
	                             .loop = def->loop},
	                     .body = def->body,
	                     .release = def->release};
	added->way.shape.rotation = oz_quat_normalize(def->shape.rotation);
	return OZ_OK;
}

// what stands inside the last handle; gives how many
static uint32_t grasp(oz_world *w)
{
	oz_device *d = w->device;
	const uint32_t number = w->handles.count;
	const oz_handle *h = &oz_handles(w)[number - 1];
	const oz_shape pose = oz_pose_at(&h->way, w->time);
	uint *counter = (uint *)d->total, count = 0;
	if (!w->solid.capacity)
		return 0;
	d->ops->clear(d, counter, sizeof *counter);
	oz_grips_place(w);
	OZ_LAUNCH(d, solid_grasp, w->blend.count, .position = w->particles.position,
	          .grips = w->solid.grips, .where = w->blend.where, .fresh = w->blend.fresh,
	          .body = w->particles.body, .material = w->particles.material, .matter = w->matter,
	          .hold = w->solid.hold, .count = counter,
	          .grasp = {.kind = (uint)pose.kind,
	                    .size = pose.size,
	                    .turn = pose.rotation,
	                    .place = pose.position,
	                    .body = h->body,
	                    .number = number});
	d->ops->read(d, &count, counter, 0, sizeof count);
	return count;
}

static void drop_last(oz_world *w)
{
	oz_handle *h = &oz_handles(w)[--w->handles.count];
	oz_heap_free(&w->heap, (void *)(uintptr_t)h->way.keyframes,
	             sizeof(oz_keyframe) * h->way.keyframe_count);
}

oz_result oz_world_add_handle(oz_world *w, const oz_handle_def *def, oz_id *handle, oz_error *error)
{
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	const oz_result result = oz_handle_keep(w, def, error);
	if (result != OZ_OK)
		return result;
	if (grasp(w) == 0) {
		drop_last(w);
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "handle %u grips nothing: no particle of an elastic solid that is "
		               "free stands inside it; move or enlarge it",
		               w->handles.count);
	}
	if (handle)
		*handle = w->handles.count - 1;
	return OZ_OK;
}

void oz_grips_place(oz_world *w)
{
	const double end = w->time + (double)w->time_step;
	for (uint32_t k = 0; k < w->handles.count; k++) {
		const oz_handle *h = &oz_handles(w)[k];
		const oz_shape from = oz_pose_at(&h->way, w->time), pose = oz_pose_at(&h->way, end);
		const oz_grip grip = {.from_turn = from.rotation,
		                      .turn = pose.rotation,
		                      .from = from.position,
		                      .back = CATCH_UP * oz_support_radius(w),
		                      .place = pose.position,
		                      .holds = w->time < (double)h->release};
		w->device->ops->write(w->device, w->solid.grips, sizeof grip * k, &grip,
		                      sizeof grip);
	}
}
