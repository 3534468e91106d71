// poses.c: sources of poses: fixed, and interpolated between keyframes.
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
