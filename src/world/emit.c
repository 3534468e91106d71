// emit.c: adds the layers of emitters that are due.
#include "world/world.h"

// adds a layer of particles of a nozzle to its body
static oz_result emit_layer(oz_world *w, const oz_nozzle *n, oz_error *error)
{
	const uint32_t count = n->columns.count;
	oz_vec3 *points = oz_arena_take(&w->heap, &w->arena, 2 * count * sizeof *points);
	if (!points)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a layer of an emitter; use a shorter duration");
	oz_nozzle_layer(&w->sim, n, points, points + count);
	oz_addition a = {.body = n->body,
	                 .points = points,
	                 .velocities = points + count,
	                 .count = count,
	                 .nozzle = (float)(n - oz_nozzles(&w->boundary)) + 1,
	                 .temperature = n->def.temperature};
	return oz_particles_add(w, &a, error);
}

oz_result oz_emit(oz_world *w, oz_error *error)
{
	oz_nozzles_place(&w->boundary, &w->sim);
	for (uint32_t k = 0; k < w->boundary.nozzles.count; k++) {
		oz_nozzle *n = &oz_nozzles(&w->boundary)[k];
		while (oz_nozzle_is_due(&w->sim, n)) {
			const oz_result result = emit_layer(w, n, error);
			if (result != OZ_OK)
				return result;
			n->layers++;
		}
	}
	return OZ_OK;
}
