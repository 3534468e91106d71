// poses.h: the pose of a shape as a function of time.
#ifndef OZ_POSES_H
#define OZ_POSES_H

#include "params/section.h"

struct oz_poser;

// A source of poses: fixed, keyframes, or led by calls.
typedef struct oz_pose_source {
	const char *name;
	bool moves;
	// the shape with its pose at a time; a fixed source returns the pose of `shape`
	oz_shape (*at)(const struct oz_poser *poser, double time);
} oz_pose_source;

// A motion that a call has begun: from one pose to another, evenly. If `end` is not after `begin`,
// the goal is reached in the first step after `begin`, whatever its length.
typedef struct oz_led_motion {
	double begin, end; // s
	oz_vec3 from, to;  // m
	oz_quat rotation_from, rotation_to;
} oz_led_motion;

typedef struct oz_poser {
	const oz_pose_source *source;
	oz_shape shape;
	oz_keyframe *keyframes; // owned
	uint32_t keyframe_count;
	bool loop;          // start again from the first keyframe after the last
	oz_led_motion lead; // of oz_pose_led
} oz_poser;

extern const oz_pose_source oz_pose_fixed, oz_pose_keyframes, oz_pose_led;

// Copies a shape and its keyframes; without keyframes it is fixed. False: out of memory.
bool oz_poser_make(oz_heap *heap, const oz_shape *shape, const oz_keyframe *keyframes,
                   uint32_t count, bool loop, oz_poser *poser);
void oz_poser_free(oz_heap *heap, oz_poser *poser);
// The shape with its pose at a time.
static inline oz_shape oz_pose_at(const oz_poser *poser, double time)
{
	return poser->source->at(poser, time);
}

// A pose to move to by a call, at `time`, s.
typedef struct oz_goal {
	oz_vec3 position; // m
	oz_quat rotation;
	double time;
} oz_goal;

// What bounds a motion by calls.
typedef struct oz_motion_rules {
	double now;    // s, time of the world
	double step;   // s, length of a step, or 0 if it is not known
	double most;   // m, longest way in a step
	double extent; // m, farthest point of the shape from its position
} oz_motion_rules;

// Leads from the present pose to the goal, in place of keyframes. Refuses a goal that is not finite
// or is too far for the time; `where` names the object, `instead` is the end of that sentence.
oz_result oz_poser_move(oz_heap *heap, oz_poser *poser, const oz_goal *goal,
                        const oz_motion_rules *rules, const char *where, const char *instead,
                        oz_error *error);
// Stands at the goal from now on, without a motion to it.
oz_result oz_poser_put(oz_heap *heap, oz_poser *poser, const oz_goal *goal, double now,
                       const char *where, oz_error *error);
// An upper bound of the distance that any point of a shape moves between two poses, m; `extent` is
// that of its farthest point from its position.
double oz_pose_way(const oz_shape *from, const oz_shape *to, double extent);
// Whether a position is in range and a rotation is a unit quaternion.
bool oz_is_pose(oz_vec3 position, oz_quat rotation);
// Continues a hash with a motion by calls.
uint64_t oz_poser_hash(const oz_poser *poser, uint64_t hash);
// Write and read the motion of an object that is led by calls, if it is.
void oz_poser_save_lead(const oz_poser *poser, oz_section *section);
oz_result oz_poser_load_lead(oz_heap *heap, oz_poser *poser, oz_section *section, oz_error *error);

// Refuses keyframes that are out of range or not sorted by time.
oz_result oz_keyframes_check(const oz_keyframe *frames, uint32_t count, const char *where,
                             oz_error *error);

#endif
