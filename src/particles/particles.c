// particles.c: the table of particle fields, and their memory.
#include "particles/particles.h"

#define PARTICLE_ROW(...) OZ_FIELD_ROW(oz_particles, "", __VA_ARGS__)
const oz_field_row oz_particle_rows[] = {OZ_PARTICLE_FIELDS(PARTICLE_ROW)};
const uint32_t oz_particle_row_count = sizeof oz_particle_rows / sizeof *oz_particle_rows;

oz_result oz_particles_reserve(oz_fields *f, oz_particles *p, uint32_t capacity, oz_error *error)
{
	const oz_result result =
	        oz_fields_reserve(f, OZ_ITEMS_PARTICLES, p->count, capacity, error);
	p->capacity = f->capacity[OZ_ITEMS_PARTICLES];
	return result;
}

oz_result oz_particles_take_scratch(oz_scratch *s, oz_particles *p, oz_error *error)
{
	p->wall = OZ_TAKE(s, oz_float4, "wall", p->capacity);
	p->wall_clearance = OZ_TAKE(s, float, "wall clearance", p->capacity);
	p->delta = OZ_TAKE(s, float, "delta", p->capacity);
	if (p->wall && p->wall_clearance && p->delta)
		return OZ_OK;
	oz_particles_give_scratch(s, p);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u particles; use a larger spacing", p->count);
}

void oz_particles_give_scratch(oz_scratch *s, oz_particles *p)
{
	oz_scratch_give(s, p->wall);
	oz_scratch_give(s, p->wall_clearance);
	oz_scratch_give(s, p->delta);
	p->wall = NULL;
	p->wall_clearance = p->delta = NULL;
}
