// handles.c: handles, which hold and move parts of elastic bodies.
//
// A handle holds the particles that are inside its shape when it is made. Each of them has a fixed
// position in the frame of the handle; in each step it gets the velocity that leads to that
// position at the end of the step.
#include <stdio.h>
#include <string.h>

#include "boundary/boundary.h"
#include "models/elastic/elastic.h"
#include "models/elastic/grip.h"

#include "models/elastic/elastic_solve.cl"

#define OZ_HOLDS_ON 1e9f  // s, as the default of `release`
#define CATCH_UP    0.01f // support radii per step; small enough not to shorten the time step

void oz_handles_free(oz_sim *sim, oz_elastic *e)
{
	for (uint32_t k = 0; k < e->handles.count; k++)
		oz_poser_free(sim->heap, &oz_handles(e)[k].way);
	oz_array_free(sim->heap, &e->handles);
	sim->device->ops->release(sim->device, e->on_device.grips,
	                          sizeof *e->on_device.grips * e->on_device.grip_capacity);
}

static oz_result check_handle(const oz_sim *sim, const oz_handle_def *def, const char *where,
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
	if (kind == OZ_SHAPE_SHEET || kind == OZ_SHAPE_ROD || kind == OZ_SHAPE_SDF)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s is a sheet, a rod or an SDF, which handles cannot use; use a "
		               "box, "
		               "ball, cylinder, capsule or plane",
		               where);
	if (def->body != OZ_NONE && def->body >= sim->bodies.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND,
		               "%s names body %u, but the world has %u bodies; add the body first",
		               where, def->body, sim->bodies.count);
	return OZ_OK;
}

// room for one more grip on the device
static bool reserve_grip(oz_sim *sim, oz_elastic *e)
{
	oz_device *d = sim->device;
	if (e->handles.count < e->on_device.grip_capacity)
		return true;
	const uint32_t capacity = 2 * e->on_device.grip_capacity + 4;
	oz_grip *grips = d->ops->alloc(d, sizeof *grips * capacity);
	if (!grips)
		return false;
	d->ops->release(d, e->on_device.grips, sizeof *grips * e->on_device.grip_capacity);
	e->on_device.grips = grips;
	e->on_device.grip_capacity = capacity;
	return true;
}

// appends a handle to the list, with its own copy of the keyframes
static oz_result store_handle(oz_sim *sim, oz_elastic *e, const oz_handle_def *def, oz_error *error)
{
	oz_handle h = {.body = def->body, .release = def->release};
	const bool room = oz_poser_make(sim->heap, &def->shape, def->keyframes, def->keyframe_count,
	                                def->loop, &h.way) &&
	                  reserve_grip(sim, e);
	oz_handle *added = room ? oz_array_add(sim->heap, &e->handles) : NULL;
	if (added) {
		*added = h;
		return OZ_OK;
	}
	oz_poser_free(sim->heap, &h.way);
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory for handle %u; close other programs",
	               e->handles.count);
}

// holds the free elastic particles inside a handle, `number` from 1 on; returns their number
static uint32_t grip_particles(oz_sim *sim, oz_elastic *e, uint32_t number)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const oz_handle *h = &oz_handles(e)[number - 1];
	const oz_shape pose = oz_pose_at(&h->way, sim->time);
	uint *counter = (uint *)d->total, count = 0;
	if (!e->hold)
		return 0;
	d->ops->clear(d, counter, sizeof *counter);
	oz_grips_update(sim);
	const oz_grasp grasp = {.kind = (uint)pose.kind,
	                        .size = pose.size,
	                        .rotation = pose.rotation,
	                        .place = pose.position,
	                        .body = h->body,
	                        .number = number};
	OZ_LAUNCH(d, elastic_grasp, s->count, .position = sim->particles.position,
	          .grips = OZ_OPTIONAL(e->on_device.grips), .particle_of_slot = s->particle_of_slot,
	          .shapeless = s->shapeless, .body = sim->particles.body,
	          .material = sim->particles.material, .matter = sim->matter, .hold = e->hold,
	          .count = counter, .grasp = grasp);
	d->ops->read(d, &count, counter, 0, sizeof count);
	return count;
}

oz_result oz_handles_add(oz_sim *sim, const oz_handle_def *def, bool take_hold, oz_id *handle,
                         oz_error *error)
{
	oz_elastic *e = oz_elastic_of(sim);
	char where[32];
	snprintf(where, sizeof where, "handle %u", e->handles.count);
	oz_result result = check_handle(sim, def, where, error);
	if (result == OZ_OK)
		result = store_handle(sim, e, def, error);
	if (result != OZ_OK)
		return result;
	if (take_hold && grip_particles(sim, e, e->handles.count) == 0) {
		oz_poser_free(sim->heap, &oz_handles(e)[--e->handles.count].way);
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "handle %u holds nothing: no particle of an elastic solid that is "
		               "not held is inside it; move or enlarge it",
		               e->handles.count);
	}
	if (handle)
		*handle = e->handles.count - 1;
	return OZ_OK;
}

// ---- calls between steps -----------------------------------------------------------------------

static oz_result find_handle(const oz_sim *sim, oz_id handle, oz_handle **h, oz_error *error)
{
	const oz_elastic *e = oz_elastic_of(sim);
	*h = handle < e->handles.count ? &oz_handles(e)[handle] : NULL;
	return *h ? OZ_OK
	          : oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no handle %u; there are %u",
	                    handle, e->handles.count);
}

oz_result oz_handles_move(oz_sim *sim, oz_id handle, const oz_goal *goal, oz_error *error)
{
	char where[32];
	oz_handle *h;
	oz_motion_rules rules = oz_motion_rules_of(sim);
	snprintf(where, sizeof where, "handle %u", handle);
	const oz_result result = find_handle(sim, handle, &h, error);
	if (result != OZ_OK)
		return result;
	rules.extent =
	        h->way.shape.kind == OZ_SHAPE_PLANE ? 0 : (double)oz_length(h->way.shape.size);
	return oz_poser_move(sim->heap, &h->way, goal, &rules, where, "pass a later time", error);
}

oz_result oz_handles_release(oz_sim *sim, oz_id handle, oz_error *error)
{
	oz_handle *h;
	const oz_result result = find_handle(sim, handle, &h, error);
	// 0: before any step
	if (result == OZ_OK)
		h->release = 0;
	return result;
}

oz_result oz_handles_hold(oz_sim *sim, oz_id handle, oz_error *error)
{
	oz_elastic *e = oz_elastic_of(sim);
	oz_handle *h;
	const oz_result result = find_handle(sim, handle, &h, error);
	if (result != OZ_OK)
		return result;
	const bool held = sim->time < (double)h->release;
	if (!held && e->hold) {
		// those that it held before and that are outside its shape now stay free
		OZ_LAUNCH(sim->device, elastic_let_go, sim->slots->count, .hold = e->hold,
		          .number = handle + 1);
	}
	h->release = OZ_HOLDS_ON;
	if (grip_particles(sim, e, handle + 1) > 0 || held)
		return OZ_OK;
	h->release = 0;
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "handle %u holds nothing: no particle of an elastic solid that is not held "
	               "is inside it; move it there first",
	               handle);
}

uint64_t oz_handles_hash(const oz_sim *sim, uint64_t hash)
{
	const oz_elastic *e = oz_elastic_of(sim);
	for (uint32_t k = 0; k < e->handles.count; k++)
		hash = oz_poser_hash(&oz_handles(e)[k].way, hash);
	return hash;
}

void oz_grips_update(oz_sim *sim)
{
	const oz_elastic *e = oz_elastic_of(sim);
	const double end = sim->time + (double)sim->time_step;
	for (uint32_t k = 0; k < e->handles.count; k++) {
		const oz_handle *h = &oz_handles(e)[k];
		const oz_shape from = oz_pose_at(&h->way, sim->time),
		               pose = oz_pose_at(&h->way, end);
		const oz_grip grip = {.from_rotation = from.rotation,
		                      .rotation = pose.rotation,
		                      .from = from.position,
		                      .back = CATCH_UP * oz_support_radius(sim),
		                      .place = pose.position,
		                      .holds = sim->time < (double)h->release};
		sim->device->ops->write(sim->device, e->on_device.grips, sizeof grip * k, &grip,
		                        sizeof grip);
	}
}

// ---- snapshots ---------------------------------------------------------------------------------

void oz_handles_save(const oz_sim *sim, const void *state, oz_section *s)
{
	const oz_elastic *e = state;
	(void)sim;
	oz_section_put(s, &e->handles.count, sizeof e->handles.count);
	for (uint32_t k = 0; k < e->handles.count; k++) {
		const oz_handle *h = &oz_handles(e)[k];
		const oz_handle_def def = {.release = h->release, .loop = h->way.loop};
		oz_section_put_params(s, OZ_PARAMS_HANDLE, &def);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &h->way.shape);
		oz_section_put(s, &h->body, sizeof h->body);
		oz_section_put(s, &h->way.keyframe_count, sizeof h->way.keyframe_count);
		for (uint32_t f = 0; f < h->way.keyframe_count; f++)
			oz_section_put_params(s, OZ_PARAMS_KEYFRAME, &h->way.keyframes[f]);
	}
	for (uint32_t k = 0; k < e->handles.count; k++)
		oz_poser_save_lead(&oz_handles(e)[k].way, s);
}

static oz_result load_handle(oz_sim *sim, oz_section *s, oz_error *error)
{
	char name[64];
	oz_handle_def def = {0};
	oz_shape shape = {0};
	oz_keyframe *frames = NULL;
	if (!oz_section_get_params(s, OZ_PARAMS_HANDLE, &def, name) ||
	    !oz_section_get_params(s, OZ_PARAMS_SHAPE, &shape, name))
		return oz_section_fail_unknown(name, error);
	def.shape = shape;
	oz_section_get(s, &def.body, sizeof def.body);
	oz_result result = oz_section_get_keyframes(s, &frames, &def.keyframe_count, error);
	def.keyframes = frames;
	if (result == OZ_OK && !s->failed)
		result = oz_handles_add(sim, &def, false, NULL, error);
	oz_heap_free(s->heap, frames, sizeof *frames * def.keyframe_count);
	return result;
}

oz_result oz_handles_load(oz_sim *sim, void *state, oz_section *s, oz_error *error)
{
	const uint32_t count = oz_section_get_count(s);
	oz_result result = OZ_OK;
	(void)state;
	for (uint32_t k = 0; k < count && result == OZ_OK && !s->failed; k++)
		result = load_handle(sim, s, error);
	// files before format 10 end here
	for (uint32_t k = 0; k < count && result == OZ_OK && !s->failed && s->at < s->size; k++)
		result = oz_poser_load_lead(sim->heap, &oz_handles(oz_elastic_of(sim))[k].way, s,
		                            error);
	return result == OZ_OK && s->failed ? oz_section_fail_short("handles", error) : result;
}
