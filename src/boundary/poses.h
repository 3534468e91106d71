// poses.h: the pose of a shape as a function of time.
#ifndef OZ_POSES_H
#define OZ_POSES_H

#include "base/base.h"

struct oz_poser;

// A source of poses: fixed or keyframes.
typedef struct oz_pose_source {
	const char *name;
	bool moves;
	// the shape with its pose at a time; a fixed source returns the pose of `shape`
	oz_shape (*at)(const struct oz_poser *poser, double time);
} oz_pose_source;

typedef struct oz_poser {
	const oz_pose_source *source;
	oz_shape shape;
	oz_keyframe *keyframes; // owned
	uint32_t keyframe_count;
	bool loop; // start again from the first keyframe after the last
} oz_poser;

extern const oz_pose_source oz_pose_fixed, oz_pose_keyframes;

// Copies a shape and its keyframes; without keyframes it is fixed. False: out of memory.
bool oz_poser_make(oz_heap *heap, const oz_shape *shape, const oz_keyframe *keyframes,
                   uint32_t count, bool loop, oz_poser *poser);
void oz_poser_free(oz_heap *heap, oz_poser *poser);
// The shape with its pose at a time.
static inline oz_shape oz_pose_at(const oz_poser *poser, double time)
{
	return poser->source->at(poser, time);
}

// Refuses keyframes that are out of range or not sorted by time.
oz_result oz_keyframes_check(const oz_keyframe *frames, uint32_t count, const char *where,
                             oz_error *error);

#endif
