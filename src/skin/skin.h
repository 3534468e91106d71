// skin.h: the data of a skin: particles at rest, bonds of vertices to particles, and the pose.
//
//   skin.c   checks, memory, the order of particles
//   bind.c   the grid of the particles at rest, their neighbours, the bonds of the vertices
//   pose.c   deformation of the particles, then vertices, then normals
//
// Particles are sorted by cell and within a cell by id, so the result does not depend on the order
// of the input.
#ifndef OZ_SKIN_DATA_H
#define OZ_SKIN_DATA_H

#include "base/base.h"
#include "device/pool.h"
#include "math/mat3.h"
#include "ooze/skin.h"

// The slot of a particle, found by its id.
typedef struct oz_skin_place {
	uint32_t id, slot;
} oz_skin_place;

// The number of directions in which the neighbours at rest determine the map of a particle: 0 (no
// neighbours), 1 (a rod), 2 (a sheet), 3.
typedef enum oz_skin_rank { OZ_RANK_NONE, OZ_RANK_LINE, OZ_RANK_PLANE, OZ_RANK_FULL } oz_skin_rank;

typedef struct oz_skin_fit {
	float xx, yy, zz, yz, xz, xy; // (pseudo-)inverse of Σ w d dᵀ over the neighbours at rest
	oz_vec3 axis;                 // direction of a line, or normal of a plane
	oz_skin_rank rank;
} oz_skin_fit;

// The weight of a particle for a vertex.
typedef struct oz_bond {
	uint32_t slot;
	float weight;
} oz_bond;

// Particles at rest by cells.
typedef struct oz_skin_grid {
	oz_vec3 min, max; // m, bounding box of all particles
	float cell;       // m, edge
	uint32_t size[3]; // cells along each axis
	uint32_t *start;  // first slot of each cell; one more for the end
} oz_skin_grid;

struct oz_skin {
	oz_heap heap;
	oz_arena arena; // all arrays
	oz_pool *pool;
	float spacing, reach; // m
	bool carries_normals;

	struct { // particles, by slot
		uint32_t count;
		oz_skin_place *places; // sorted by id
		oz_skin_grid grid;
		oz_vec3 *rest;        // m
		bool *carries;        // whether a vertex has a bond to it; else it needs no map
		uint32_t *near_start; // first neighbour of each slot; one more for the end
		uint32_t *near;       // slots of neighbours at rest
		oz_skin_fit *fit;
		bool all_full; // all particles that carry have the rank 3
	};

	struct { // vertices and triangles
		uint32_t vertex_count, triangle_count;
		oz_vec3 *vertex;      // m, at rest
		oz_vec3 *rest_normal; // if the definition has normals
		uint32_t *bond_start; // first bond of each vertex; one more for the end
		oz_bond *bonds;
		uint32_t *nearest; // slot of the particle with the most weight
		uint32_t (*triangles)[3];
		uint32_t *fan_start, *fan; // triangles around each vertex
	};

	struct {                         // the pose
		uint32_t *input_of_slot; // by slot: index in the input; OZ_NONE: not found
		oz_vec3 *now;            // m, by slot: present position
		oz_mat3 *map;            // by slot: deformation gradient
		oz_vec3 *face;           // by triangle: twice the area times the normal
		oz_vec3 *position, *normal, *velocity, *colour;
		uint32_t *body, *material;
	};
};

// Allocates zeroed memory that lives as long as the skin; `array` is the address of a pointer.
oz_result oz_skin_alloc(oz_skin *skin, void *array, uint64_t count, size_t size, oz_error *error);
// Sorts the particles at rest by cells: fills `rest`, the slots of `places` and the grid. `points`
// are sorted by id.
oz_result oz_skin_sort(oz_skin *skin, const oz_vec3 *points, oz_error *error);
// Finds the bonds of all vertices.
oz_result oz_skin_find_bonds(oz_skin *skin, oz_error *error);
// Finds neighbours and fits of the particles that have bonds.
oz_result oz_skin_find_fits(oz_skin *skin, oz_error *error);

// (1 - r²/h²)³ for r < h, else 0
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

// whether a position is finite and within 1e9 m
static inline bool oz_skin_is_valid_position(oz_vec3 p)
{
	return oz_abs(p.x) < 1e9f && oz_abs(p.y) < 1e9f && oz_abs(p.z) < 1e9f;
}

#endif
