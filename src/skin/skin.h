// skin.h: what a skin holds: particles at rest, what ties vertices to them, and the pose.
//
//   skin   checks, memory, who is who
//   bind   the grid of the particles at rest, their neighbourhoods, the bonds of the vertices
//   pose   maps of the particles, then vertices, then normals
//
// Particles are kept by cells and within a cell by id, so that nothing depends on the order in
// which they were given.
#ifndef OZ_SKIN_DATA_H
#define OZ_SKIN_DATA_H

#include "base/base.h"
#include "device/pool.h"
#include "math/mat3.h"
#include "ooze/skin.h"

// A particle's place among those of the skin, by id.
typedef struct oz_skin_place {
	uint32_t id, slot;
} oz_skin_place;

// How much of its map a particle's neighbourhood at rest tells: in all directions, but for a normal
// (a sheet), but for all at right angles to an axis (a rod), or nothing (alone).
typedef enum oz_skin_rank { OZ_RANK_NONE, OZ_RANK_LINE, OZ_RANK_PLANE, OZ_RANK_FULL } oz_skin_rank;

typedef struct oz_skin_fit {
	float xx, yy, zz, yz, xz, xy; // (pseudo-)inverse of Σ w d dᵀ over the neighbours at rest
	oz_vec3 axis;                 // of a line, or normal of a plane
	oz_skin_rank rank;
} oz_skin_fit;

// A vertex hangs on a particle.
typedef struct oz_bond {
	uint32_t slot;
	float weight;
} oz_bond;

// Particles at rest by cells.
typedef struct oz_skin_grid {
	oz_vec3 min, max; // m, the box around all
	float cell;       // m
	uint32_t size[3]; // cells
	uint32_t *start;  // of each cell, and the end
} oz_skin_grid;

struct oz_skin {
	oz_heap heap;
	oz_arena arena; // all arrays
	oz_pool *pool;
	float spacing, reach; // m
	bool carries_normals;

	struct { // particles, by slot
		uint32_t count;
		oz_skin_place *places; // in order of id
		oz_skin_grid grid;
		oz_vec3 *rest;        // m
		bool *carries;        // some vertex hangs on it; the others need no map
		uint32_t *near_start; // neighbours at rest, all slots
		uint32_t *near;
		oz_skin_fit *fit;
		bool all_full; // every one of these has a rank of three
	};

	struct { // vertices and triangles
		uint32_t vertex_count, triangle_count;
		oz_vec3 *vertex;      // m, at rest
		oz_vec3 *rest_normal; // if they are carried
		uint32_t *bond_start;
		oz_bond *bonds;
		uint32_t *nearest; // slot of the particle with the most weight
		uint32_t (*triangles)[3];
		uint32_t *fan_start, *fan; // triangles around each vertex
	};

	struct {                         // the pose
		uint32_t *input_of_slot; // by slot: number in the input; OZ_NONE: not met
		oz_vec3 *now;            // m, by slot
		oz_mat3 *map;            // by slot
		oz_vec3 *face;           // by triangle: twice the area times the normal
		oz_vec3 *position, *normal, *velocity, *colour;
		uint32_t *body, *material;
	};
};

// Memory that lasts as long as the skin, zeroed; a sentence where there is none.
oz_result oz_skin_take(oz_skin *skin, void *array, uint64_t count, size_t size, oz_error *error);
// Sorts the particles at rest by cells: fills `rest`, slots and the grid. `points` are by id.
oz_result oz_skin_sort(oz_skin *skin, const oz_vec3 *points, oz_error *error);
// Ties the vertices to particles.
oz_result oz_skin_find_bonds(oz_skin *skin, oz_error *error);
// Finds the neighbourhoods of the particles that vertices hang on, and what they tell.
oz_result oz_skin_find_fits(oz_skin *skin, oz_error *error);

// (1 - r²/h²)³
static inline float oz_skin_kernel(float r2, float inverse_h2)
{
	const float t = oz_max(1.0f - r2 * inverse_h2, 0.0f);
	return t * t * t;
}

static inline oz_vec3 oz_view_vec(oz_view view, uint32_t i)
{
	return *(const oz_vec3 *)(const void *)((const char *)view.data + i * view.stride);
}

static inline uint32_t oz_view_uint(oz_view view, uint32_t i)
{
	return *(const uint32_t *)(const void *)((const char *)view.data + i * view.stride);
}

// finite, and not flung out of all bounds
static inline bool oz_skin_is_place(oz_vec3 p)
{
	return oz_abs(p.x) < 1e9f && oz_abs(p.y) < 1e9f && oz_abs(p.z) < 1e9f;
}

#endif
