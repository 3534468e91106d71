// poses.c: sources of poses: fixed, interpolated between keyframes, and led by calls.
#include "boundary/poses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"

static oz_shape stand_still(const oz_poser *p, double time)
{
	(void)time;
	return p->shape;
}

const oz_pose_source oz_pose_fixed = {.name = "fixed", .at = stand_still};

// ---- keyframes ---------------------------------------------------------------------------------

oz_result oz_keyframes_check(const oz_keyframe *frames, uint32_t count, const char *where,
                             oz_error *error)
{
	if (count && !frames)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has keyframe_count %u but keyframes is NULL; pass them", where,
		               count);
	for (uint32_t k = 0; k < count; k++) {
		char at[64];
		snprintf(at, sizeof at, "%s.keyframes[%u]", where, k);
		const oz_result result = oz_params_check(OZ_PARAMS_KEYFRAME, &frames[k], at, error);
		if (result != OZ_OK)
			return result;
		if (k && !(frames[k].time > frames[k - 1].time))
			return oz_fail(error, OZ_ERROR_RANGE,
			               "%s.time is %g s, not after the keyframe before it; sort "
			               "keyframes by time",
			               at, (double)frames[k].time);
	}
	return OZ_OK;
}

// linear interpolation, in double: the velocity of a wall is a small difference of two poses
static float mix(float a, float b, double t)
{
	return (float)((double)a + ((double)b - (double)a) * t);
}

// the shape between keyframes k and k + 1
static oz_shape between(const oz_poser *p, uint32_t k, double time)
{
	const oz_keyframe *a = &p->keyframes[k], *b = a + 1;
	const double t = (time - (double)a->time) / ((double)b->time - (double)a->time);
	oz_shape shape = p->shape;
	shape.position =
	        oz_v3(mix(a->position.x, b->position.x, t), mix(a->position.y, b->position.y, t),
	              mix(a->position.z, b->position.z, t));
	shape.rotation = oz_quat_slerp(oz_quat_normalize(a->rotation),
	                               oz_quat_normalize(b->rotation), (float)t);
	return shape;
}

static oz_shape at_keyframe(const oz_poser *p, uint32_t k)
{
	oz_shape shape = p->shape;
	shape.position = p->keyframes[k].position;
	shape.rotation = oz_quat_normalize(p->keyframes[k].rotation);
	return shape;
}

// the pose at a time: interpolated; before the first keyframe the first, after the last the last,
// or the loop again
static oz_shape keyframed_pose(const oz_poser *p, double time)
{
	const uint32_t last = p->keyframe_count - 1;
	const double begin = (double)p->keyframes[0].time, end = (double)p->keyframes[last].time;
	if (p->loop && time > end && end > begin)
		time = begin + fmod(time - begin, end - begin);
	if (time <= begin)
		return at_keyframe(p, 0);
	if (time >= end)
		return at_keyframe(p, last);
	uint32_t k = 0;
	while ((double)p->keyframes[k + 1].time < time)
		k++;
	return between(p, k, time);
}

const oz_pose_source oz_pose_keyframes = {.name = "keyframes", .moves = true, .at = keyframed_pose};

// ---- led by calls ------------------------------------------------------------------------------

static oz_shape led_pose(const oz_poser *p, double time)
{
	const oz_led_motion *l = &p->lead;
	oz_shape shape = p->shape;
	const bool there = l->end > l->begin ? time >= l->end : time > l->begin;
	shape.position = there ? l->to : l->from;
	shape.rotation = there ? l->rotation_to : l->rotation_from;
	if (there || time <= l->begin)
		return shape;
	const double t = (time - l->begin) / (l->end - l->begin);
	shape.position = oz_v3(mix(l->from.x, l->to.x, t), mix(l->from.y, l->to.y, t),
	                       mix(l->from.z, l->to.z, t));
	shape.rotation = oz_quat_slerp(l->rotation_from, l->rotation_to, (float)t);
	return shape;
}

const oz_pose_source oz_pose_led = {.name = "led", .moves = true, .at = led_pose};

static oz_result check_goal(const oz_goal *goal, const char *where, oz_error *error)
{
	const oz_keyframe frame = {.position = goal->position, .rotation = goal->rotation};
	char at[64];
	snprintf(at, sizeof at, "the new pose of %s", where);
	if (!isfinite(goal->time))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has a time that is not finite; pass the time of the world for "
		               "the end of the next step",
		               at);
	return oz_params_check(OZ_PARAMS_KEYFRAME, &frame, at, error);
}

double oz_pose_way(const oz_shape *from, const oz_shape *to, double extent)
{
	const oz_quat d = oz_quat_mul(to->rotation, oz_quat_conjugate(from->rotation));
	// 2 asin(x) ≤ π x
	const double angle = 3.15 * (double)oz_length(oz_v3(d.x, d.y, d.z));
	return (double)oz_length(oz_sub(to->position, from->position)) + angle * extent;
}

static oz_result check_way(double way, double steps, const oz_motion_rules *rules,
                           const char *where, const char *instead, oz_error *error)
{
	if (way <= rules->most * steps)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s would move %.3g m in a step, more than the support radius of %.3g m, "
	               "and "
	               "pass particles; %s",
	               where, way / steps, rules->most, instead);
}

// replaces keyframes by a motion
static void lead(oz_heap *heap, oz_poser *p, const oz_led_motion *motion)
{
	oz_poser_free(heap, p);
	p->keyframe_count = 0;
	p->loop = false;
	p->source = &oz_pose_led;
	p->lead = *motion;
}

oz_result oz_poser_move(oz_heap *heap, oz_poser *p, const oz_goal *goal,
                        const oz_motion_rules *rules, const char *where, const char *instead,
                        oz_error *error)
{
	oz_result result = check_goal(goal, where, error);
	if (result != OZ_OK)
		return result;
	const double span = fmax(goal->time - rules->now, 0);
	const oz_shape from = oz_pose_at(p, rules->now);
	oz_shape to = from;
	to.position = goal->position;
	to.rotation = oz_quat_normalize(goal->rotation);
	// of a span in steps of unknown length nothing is known
	if (span == 0 || rules->step > 0)
		result = check_way(oz_pose_way(&from, &to, rules->extent),
		                   span > 0 ? fmax(span / rules->step, 1) : 1, rules, where,
		                   instead, error);
	if (result != OZ_OK)
		return result;
	const oz_led_motion motion = {.begin = rules->now,
	                              .end = rules->now + span,
	                              .from = from.position,
	                              .to = to.position,
	                              .rotation_from = from.rotation,
	                              .rotation_to = to.rotation};
	lead(heap, p, &motion);
	return OZ_OK;
}

oz_result oz_poser_put(oz_heap *heap, oz_poser *p, const oz_goal *goal, double now,
                       const char *where, oz_error *error)
{
	const oz_result result = check_goal(goal, where, error);
	if (result != OZ_OK)
		return result;
	const oz_quat rotation = oz_quat_normalize(goal->rotation);
	const oz_led_motion motion = {.begin = now,
	                              .end = now,
	                              .from = goal->position,
	                              .to = goal->position,
	                              .rotation_from = rotation,
	                              .rotation_to = rotation};
	lead(heap, p, &motion);
	return OZ_OK;
}

uint64_t oz_poser_hash(const oz_poser *p, uint64_t hash)
{
	return p->source == &oz_pose_led ? oz_hash(&p->lead, sizeof p->lead, hash) : hash;
}

void oz_poser_save_lead(const oz_poser *p, oz_section *s)
{
	const uint32_t led = p->source == &oz_pose_led;
	oz_section_put(s, &led, sizeof led);
	if (led)
		oz_section_put(s, &p->lead, sizeof p->lead);
}

bool oz_is_pose(oz_vec3 x, oz_quat q)
{
	return fabsf(x.x) <= 1e9f && fabsf(x.y) <= 1e9f && fabsf(x.z) <= 1e9f &&
	       fabsf(oz_quat_dot(q, q) - 1) < 1e-3f;
}

oz_result oz_poser_load_lead(oz_heap *heap, oz_poser *p, oz_section *s, oz_error *error)
{
	uint32_t led;
	oz_led_motion motion;
	oz_section_get(s, &led, sizeof led);
	if (led == 0 || s->failed)
		return s->failed ? oz_section_fail_short("poses", error) : OZ_OK;
	oz_section_get(s, &motion, sizeof motion);
	if (s->failed || !isfinite(motion.begin) || !isfinite(motion.end) ||
	    !oz_is_pose(motion.from, motion.rotation_from) ||
	    !oz_is_pose(motion.to, motion.rotation_to))
		return oz_fail(error, OZ_ERROR_CHECKSUM, "a motion by calls is out of range");
	lead(heap, p, &motion);
	return OZ_OK;
}

// ---- memory ------------------------------------------------------------------------------------

bool oz_poser_make(oz_heap *heap, const oz_shape *shape, const oz_keyframe *keyframes,
                   uint32_t count, bool loop, oz_poser *p)
{
	const size_t size = sizeof *keyframes * count;
	*p = (oz_poser){.source = count ? &oz_pose_keyframes : &oz_pose_fixed,
	                .shape = *shape,
	                .keyframes = oz_heap_alloc(heap, size),
	                .keyframe_count = count,
	                .loop = loop};
	p->shape.rotation = oz_quat_normalize(shape->rotation);
	if (count && !p->keyframes)
		return false;
	if (count)
		memcpy(p->keyframes, keyframes, size);
	return true;
}

void oz_poser_free(oz_heap *heap, oz_poser *p)
{
	oz_heap_free(heap, p->keyframes, sizeof *p->keyframes * p->keyframe_count);
	p->keyframes = NULL;
}
