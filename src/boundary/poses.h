// poses.h: where a thing stands at a time, whatever moves it.
#ifndef OZ_POSES_H
#define OZ_POSES_H

#include "base/base.h"

struct oz_poser;

// A source of poses: nothing that moves, keyframes; later the caller's hand, rigid bodies.
typedef struct oz_pose_source {
	const char *name;
	bool moves;
	// where it stands; the shape's own place is where it stands if nothing moves it
	oz_shape (*at)(const struct oz_poser *poser, double time);
} oz_pose_source;

typedef struct oz_poser {
	const oz_pose_source *source;
	oz_shape shape;
	oz_keyframe *keyframes; // owned
	uint32_t keyframe_count;
	bool loop; // begin again after the last keyframe
} oz_poser;

extern const oz_pose_source oz_pose_fixed, oz_pose_keyframes;

// Copies a shape and its keyframes, if there are any; false if there is no memory.
bool oz_poser_make(oz_heap *heap, const oz_shape *shape, const oz_keyframe *keyframes,
                   uint32_t count, bool loop, oz_poser *poser);
void oz_poser_free(oz_heap *heap, oz_poser *poser);
// The shape as it stands at a time.
static inline oz_shape oz_pose_at(const oz_poser *poser, double time)
{
	return poser->source->at(poser, time);
}

// Refuses keyframes out of range or out of order.
oz_result oz_keyframes_check(const oz_keyframe *frames, uint32_t count, const char *where,
                             oz_error *error);

#endif
