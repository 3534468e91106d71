// around_simd.h: sums over the neighbours of a particle or of a mesh vertex, with SIMD vectors.
#ifndef OZ_AROUND_SIMD_H
#define OZ_AROUND_SIMD_H

#include "surface/field_simd.h"

// ---- particles ---------------------------------------------------------------------------------

// Sums of one particle, a partial sum in each SIMD lane: see oz_moment; density: of the kernel.
typedef struct moment_sums {
	lane count, sum, x, y, z, xx, yy, zz, yz, xz, xy, density;
} moment_sums;

// Adds one vector of neighbours, at (x, y, z) from the particle, to the moments.
static inline void add_moments(moment_sums *s, lane x, lane y, lane z, lane r2, float inv_r2)
{
	const lane w = lane_max(1.0f - r2 * inv_r2, lane_of(0.0f));
	const lane wx = w * x, wy = w * y, wz = w * z;
	s->count += lane_select(w > 0.0f, lane_of(1.0f), lane_of(0.0f));
	s->sum += w;
	s->x += wx;
	s->y += wy;
	s->z += wz;
	s->xx += wx * x;
	s->yy += wy * y;
	s->zz += wz * z;
	s->yz += wy * z;
	s->xz += wx * z;
	s->xy += wx * y;
}

// Adds all candidates to the density sum and, where shapes are wanted, to the moments of a particle
// at p.
static void sum_candidates(const oz_moments_args *a, moment_sums *s, const candidates *c,
                           oz_float4 p)
{
	const float inv_k2 = 1.0f / a->kernel_r2, inv_r2 = 1.0f / a->radius2;
	for (uint n = 0; n < c->count; n += OZ_LANES) {
		const lane x = load_lane(c->x + n) - p.x, y = load_lane(c->y + n) - p.y;
		const lane z = load_lane(c->z + n) - p.z;
		const lane r2 = x * x + y * y + z * z;
		const lane t = lane_max(1.0f - r2 * inv_k2, lane_of(0.0f));
		s->density += t * t * t;
		if (a->shape)
			add_moments(s, x, y, z, r2, inv_r2);
	}
}

// Reduces the lanes and writes density and moments of particle i.
static void write_moments(const oz_moments_args *a, const moment_sums *s, uint i)
{
	a->density[i] = a->kernel * lane_sum(s->density);
	if (!a->shape)
		return;
	a->shape[i].moment = (oz_moment){.count = lane_sum(s->count),
	                                 .sum = lane_sum(s->sum),
	                                 .x = lane_sum(s->x),
	                                 .y = lane_sum(s->y),
	                                 .z = lane_sum(s->z),
	                                 .xx = lane_sum(s->xx),
	                                 .yy = lane_sum(s->yy),
	                                 .zz = lane_sum(s->zz),
	                                 .yz = lane_sum(s->yz),
	                                 .xz = lane_sum(s->xz),
	                                 .xy = lane_sum(s->xy)};
}

// Moments of particle i where the candidates exceed the arrays: sums at most CANDIDATES at a time.
static void sum_crowded(const oz_moments_args *a, oz_cell cell, candidates *c, uint i)
{
	const oz_cloud *f = a->field;
	moment_sums s = {0};
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&f->grid, cell, r);
		if (run.first > run.last)
			continue;
		const uint end = f->cell_start[run.last + 1];
		for (uint at = f->cell_start[run.first]; at < end; at += CANDIDATES) {
			c->count = 0;
			append_run(c, f->position, at,
			           end - at < CANDIDATES ? end : at + CANDIDATES);
			close_candidates(c);
			sum_candidates(a, &s, c, f->position[i]);
		}
	}
	write_moments(a, &s, i);
}

// oz_moments_fn: collects the candidates once for each cell and sums for each particle in it.
static void find_moments(const oz_moments_args *a, uint begin, uint end)
{
	const oz_cloud *f = a->field;
	candidates c;
	for (uint i = begin; i < end;) {
		const oz_cell cell = oz_cell_of(&f->grid, f->position[i]);
		uint cell_end = f->cell_start[oz_key_of(&f->grid, cell) + 1];
		if (cell_end > end)
			cell_end = end;
		const bool fits =
		        collect_candidates(&f->grid, f->cell_start, f->position, cell, &c);
		for (; i < cell_end; i++) {
			moment_sums s = {0};
			if (!fits) {
				sum_crowded(a, cell, &c, i);
				continue;
			}
			sum_candidates(a, &s, &c, f->position[i]);
			write_moments(a, &s, i);
		}
	}
}

// ---- vertices ----------------------------------------------------------------------------------

// Weighted sums of the particle attributes at one vertex, and the nearest particle.
typedef struct attribute_sums {
	float weight, nearest2;
	uint nearest;
	oz_vec3 velocity, colour;
} attribute_sums;

// Adds particle j at squared distance r2 (m²), weight (1 - r²/R²)³.
static void add_attributes(const oz_attributes_args *a, attribute_sums *s, uint j, float r2)
{
	if (r2 < s->nearest2) {
		s->nearest2 = r2;
		s->nearest = j;
	}
	const float t = 1.0f - r2 / a->radius2, w = t * t * t;
	s->weight += w;
	if (a->velocity)
		s->velocity = oz_mad(s->velocity, a->velocity[j], w);
	if (a->colour)
		s->colour = oz_mad(s->colour, a->colour[j], w);
}

// Adds the particles [begin, end) that lie within the radius of x; tests them with SIMD vectors.
static void add_range(const oz_attributes_args *a, attribute_sums *s, oz_vec3 x, uint begin,
                      uint end)
{
	for (uint j = begin; j < end; j += OZ_LANES) {
		uint numbers[OZ_LANES];
		_Alignas(64) float r2[OZ_LANES];
		for (uint k = 0; k < OZ_LANES; k++)
			numbers[k] = j + k < end ? j + k : end - 1;
		const lane4 p = lane_fetch((const float *)a->field->position, numbers);
		const lane dx = p.x - x.x, dy = p.y - x.y, dz = p.z - x.z;
		const lane d2 = dx * dx + dy * dy + dz * dz;
		uint near = lane_less(d2, a->radius2);
		if (end - j < OZ_LANES)
			near &= (1u << (end - j)) - 1u;
		store_lane(r2, d2);
		for (; near; near &= near - 1u) {
			const uint k = (uint)__builtin_ctz(near);
			add_attributes(a, s, j + k, r2[k]);
		}
	}
}

// Updates s->nearest with the nearest of the particles [begin, end).
static void find_nearest(const oz_attributes_args *a, attribute_sums *s, oz_vec3 x, uint begin,
                         uint end)
{
	for (uint j = begin; j < end; j++) {
		const oz_float4 p = a->field->position[j];
		const float r2 = oz_length2(oz_sub(oz_v3(p.x, p.y, p.z), x));
		if (r2 < s->nearest2) {
			s->nearest2 = r2;
			s->nearest = j;
		}
	}
}

// Attributes of a vertex without a particle within the radius: those of the nearest particle.
// Searches the cells around the vertex first, then all particles.
static void copy_nearest(const oz_attributes_args *a, attribute_sums *s, oz_vec3 x, oz_cell cell)
{
	const oz_cloud *f = a->field;
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&f->grid, cell, r);
		if (run.first <= run.last)
			find_nearest(a, s, x, f->cell_start[run.first],
			             f->cell_start[run.last + 1]);
	}
	if (s->nearest2 > f->grid.radius2)
		find_nearest(a, s, x, 0, f->count);
	s->weight = 1.0f;
	if (a->velocity)
		s->velocity = a->velocity[s->nearest];
	if (a->colour)
		s->colour = a->colour[s->nearest];
}

static void write_attributes(const oz_attributes_args *a, const attribute_sums *s, uint v)
{
	const float scale = 1.0f / s->weight;
	if (a->velocity)
		a->vertex_velocity[v] = oz_scale(s->velocity, scale);
	if (a->colour)
		a->vertex_colour[v] = oz_scale(s->colour, scale);
	a->nearest[v] = s->nearest;
}

// oz_attributes_fn: means within the radius, or the nearest particle's values.
static void find_attributes(const oz_attributes_args *a, uint begin, uint end)
{
	const oz_cloud *f = a->field;
	for (uint v = begin; v < end; v++) {
		const oz_vec3 x = a->vertex[v];
		const oz_cell cell = oz_cell_of(&f->grid, oz_make4(x.x, x.y, x.z, 0.0f));
		attribute_sums s = {.nearest2 = OZ_FAR};
		for (uint r = 0; r < OZ_RUNS; r++) {
			const oz_run run = oz_run_of(&f->grid, cell, r);
			if (run.first <= run.last)
				add_range(a, &s, x, f->cell_start[run.first],
				          f->cell_start[run.last + 1]);
		}
		if (!(s.weight > 0.0f))
			copy_nearest(a, &s, x, cell);
		write_attributes(a, &s, v);
	}
}

#endif
