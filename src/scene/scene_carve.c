// scene_carve.c: what colliders leave of a body.
//
// A body may be drawn roughly: a cylinder of liquid in a round vessel of the same size, a puddle
// with a post in it. Points that would stand in a wall at the start are left out, and so are those
// nearer to it than a particle at rest would be, since the wall would throw them back. A body that
// exactly fills its vessel stays whole: fills keep their points about half a spacing from their
// surface.
//
// A skin is a closed mesh and cannot be cut: one that stands in a wall is refused.
#include <math.h>
#include <stdio.h>

#include "scene_data.h"

#define NEAREST  0.42f // spacings from a wall; fills keep 0.44 or more from their surface
#define TOUCHING 0.01f // spacings that a skin may reach into a wall: rounding

typedef struct wall {
	oz_shape shape; // as it stands at the start
	bool inside;
	uint32_t index;
} wall;

// distance on the material's side
static float room(const wall *w, oz_vec3 point)
{
	const float distance = oz_shape_distance(&w->shape, point);
	return w->inside ? -distance : distance;
}

static uint32_t keep(const wall *w, float least, oz_vec3 *points, uint32_t count)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (room(w, points[i]) >= least)
			points[kept++] = points[i];
	return kept;
}

// the largest distance of any of the points
static float most_room(const wall *w, const oz_vec3 *points, uint32_t count)
{
	float most = -INFINITY;
	for (uint32_t i = 0; i < count; i++)
		most = fmaxf(most, room(w, points[i]));
	return most;
}

// All points are too near to `last`: `most` (m) is the largest of their distances, below 0 if all
// are on its wrong side. `first` took some points before; often it is the same collider.
static oz_result fail_empty(const oz_scene *scene, uint32_t body, const wall *first,
                            const wall *last, float most, oz_error *error)
{
	const double spacing = (double)scene->world.spacing;
	const oz_json *entry = oz_scene_entry(scene, "bodies", body);
	if (first->index != last->index)
		return oz_scene_fail(scene, entry, error, OZ_ERROR_SCENE,
		                     "has no particle that colliders[%u] and colliders[%u] leave "
		                     "room for; move it, or make it larger",
		                     first->index, last->index);
	if (most >= 0)
		return oz_scene_fail(scene, entry, error, OZ_ERROR_SCENE,
		                     "is too near to colliders[%u]: its particles are at most %.3g "
		                     "m from it and need %.3g m at a spacing of %g m; use a "
		                     "smaller spacing, or move it",
		                     last->index, (double)most, (double)NEAREST * spacing, spacing);
	if (last->inside)
		return oz_scene_fail(scene, entry, error, OZ_ERROR_SCENE,
		                     "stands wholly outside colliders[%u], a vessel; move it into "
		                     "the vessel, or set the collider's `inside` to false",
		                     last->index);
	return oz_scene_fail(scene, entry, error, OZ_ERROR_SCENE,
	                     "stands wholly inside colliders[%u]; move it, or set the collider's "
	                     "`inside` to true if it is a vessel",
	                     last->index);
}

oz_result oz_scene_carve(const oz_scene *scene, const oz_world *world, uint32_t body,
                         oz_vec3 *points, uint32_t *count, oz_error *error)
{
	const float least = NEAREST * scene->world.spacing;
	wall first = {.index = OZ_NONE};
	for (uint32_t c = 0; c < scene->collider_count; c++) {
		wall w = {.index = c};
		oz_result result = oz_world_get_collider(world, c, &w.shape, &w.inside, error);
		if (result != OZ_OK)
			return result;
		const uint32_t kept = keep(&w, least, points, *count);
		if (kept < *count && first.index == OZ_NONE)
			first = w;
		if (kept == 0)
			return fail_empty(scene, body, &first, &w, most_room(&w, points, *count),
			                  error);
		*count = kept;
	}
	return OZ_OK;
}

oz_result oz_scene_check_clear(const oz_scene *scene, const oz_world *world, uint32_t body,
                               const oz_vec3 *points, uint32_t count, oz_error *error)
{
	const float least = -TOUCHING * scene->world.spacing;
	for (uint32_t c = 0; c < scene->collider_count; c++) {
		wall w = {.index = c};
		uint32_t within = 0;
		const oz_result result =
		        oz_world_get_collider(world, c, &w.shape, &w.inside, error);
		if (result != OZ_OK)
			return result;
		for (uint32_t i = 0; i < count; i++)
			within += room(&w, points[i]) < least;
		if (within)
			return oz_scene_fail(scene, oz_scene_entry(scene, "bodies", body), error,
			                     OZ_ERROR_SCENE,
			                     "has %u of its %u points of skin %s colliders[%u]%s; "
			                     "move it, or make it smaller",
			                     within, count, w.inside ? "outside" : "inside", c,
			                     w.inside ? ", a vessel" : "");
	}
	return OZ_OK;
}
