// scene_keyframes.c: the way of a collider or a handle: keyframes as they are read, and as a world
// takes them.
//
// A world knows rotations alone, and goes from one to the next by the shortest turn. A scene gives
// angles, and 720° means two turns: where an angle changes by half a turn or more, all three go
// evenly from one keyframe to the next, and keyframes in between tell the world so.
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "scene_data.h"

#define HALF_TURN  180.0 // °
#define PIECE      45.0  // ° that an angle changes by at most: three of them are no half turn
#define PIECES_MAX 200000

static double pieces_after(const scene_keyframe *a)
{
	double most = 0;
	for (int i = 0; i < 3; i++)
		most = fmax(most, fabs(a[1].angles[i] - a[0].angles[i]));
	return most < HALF_TURN ? 1 : ceil(most / PIECE);
}

static double pieces_of(const scene_keyframe *keyframes, uint32_t count)
{
	double sum = 0;
	for (uint32_t k = 0; k + 1 < count; k++)
		sum += pieces_after(&keyframes[k]);
	return sum;
}

// ---- reading ----------------------------------------------------------------------------------

static oz_result read_keyframe(scene_reader *reader, const oz_json *object, void *entry)
{
	scene_keyframe *keyframe = entry;
	oz_result result = oz_read_section(reader, &oz_section_keyframe, object, keyframe);
	if (result != OZ_OK)
		return result;
	if (!oz_json_get(object, "time"))
		return oz_read_fail(reader, object, "needs a time, as in \"time\": 0.5");
	// entries lie one after the other, so the one before is there
	if (object->index > 0 && !(keyframe->def.time > keyframe[-1].def.time))
		return oz_read_fail(reader, oz_json_get(object, "time"),
		                    "is %g s; it must be after the one before, %g s",
		                    (double)keyframe->def.time, (double)keyframe[-1].def.time);
	return OZ_OK;
}

oz_result oz_read_keyframes(scene_reader *reader, const oz_json *object, scene_keyframe **keyframes,
                            uint32_t *count)
{
	const oz_json *list = oz_json_get(object, "keyframes");
	void *entries = NULL;
	if (!list)
		return oz_refuse_key(reader, object, "loop", "needs keyframes to repeat; add some");
	oz_result result = oz_read_list(reader, list, &oz_section_keyframe, sizeof(scene_keyframe),
	                                OZ_SCENE_MAX_KEYFRAMES, read_keyframe, &entries, count);
	*keyframes = entries;
	if (result != OZ_OK)
		return result;
	if (*count == 0)
		return oz_read_fail(reader, list, "is empty; add a keyframe or take it away");
	if (pieces_of(entries, *count) > PIECES_MAX)
		return oz_read_fail(reader, list,
		                    "turn more than %.0f times in all; lower their angles, or loop "
		                    "fewer turns",
		                    PIECES_MAX * PIECE / 360);
	return OZ_OK;
}

// ---- the way ----------------------------------------------------------------------------------

static float mix(double a, double b, double share)
{
	return (float)(a + (b - a) * share);
}

static oz_keyframe between(const scene_keyframe *a, float time)
{
	const oz_keyframe *from = &a[0].def, *to = &a[1].def;
	const double share =
	        ((double)time - (double)from->time) / ((double)to->time - (double)from->time);
	const oz_vec3 p = from->position, q = to->position;
	double angles[3];
	for (int i = 0; i < 3; i++)
		angles[i] = a[0].angles[i] + (a[1].angles[i] - a[0].angles[i]) * share;
	return (oz_keyframe){.time = time,
	                     .position = {mix((double)p.x, (double)q.x, share),
	                                  mix((double)p.y, (double)q.y, share),
	                                  mix((double)p.z, (double)q.z, share)},
	                     .rotation = oz_quat_from_degrees(angles)};
}

oz_keyframe *oz_scene_way(const scene_keyframe *keyframes, uint32_t *count, oz_error *cause)
{
	const uint32_t given = *count;
	const size_t most = (size_t)pieces_of(keyframes, given) + 2;
	oz_keyframe *way = calloc(most, sizeof *way);
	if (!way)
		oz_fail(cause, OZ_ERROR_MEMORY, "there is no memory left for its keyframes");
	*count = 0;
	for (uint32_t k = 0; way && k < given; k++) {
		const scene_keyframe *a = &keyframes[k];
		way[(*count)++] = a->def;
		const double pieces = k + 1 < given ? pieces_after(a) : 1;
		for (double j = 1; j < pieces; j++) {
			const float time =
			        mix((double)a->def.time, (double)a[1].def.time, j / pieces);
			// too near to each other for single precision: the next one serves
			if (time > way[*count - 1].time && time < a[1].def.time)
				way[(*count)++] = between(a, time);
		}
	}
	return way;
}
