// boundary.h: what bounds the particles: colliders, their distance fields and loads, and nozzles.
//
//   poses.c       where a collider stands      colliders.c  adding them, their share of the density
//   SDFs.c      distance fields on the device   loads.c   what colliders bear
//   wall_table.c  the share of a flat wall     nozzles.c    emitters
#ifndef OZ_BOUNDARY_H
#define OZ_BOUNDARY_H

#include "boundary/poses.h"
#include "boundary/walls.h"
#include "particles/sim.h"

typedef struct oz_obstacle {
	oz_collider_def def; // without its shape's pose and its keyframes; holds its SDF
	oz_poser poser;      // where it stands
	bool placed;         // its record on the device is up to date, and it does not move
	oz_sdf_frame sdf;    // where its SDF lies among those of all
	uint32_t load;       // 1-based index of its load; 0: no load is summed
	double load_since;   // s, when that was last taken
} oz_obstacle;

// the SDFs of all colliders, one after the other, on the device
typedef struct oz_sdfs {
	uint *places;
	oz_float4 *nearest;
	oz_wall_node *wall_nodes; // see wall_nodes.cl
	uint32_t place_count, block_count;
} oz_sdfs;

typedef struct oz_nozzle {
	oz_emitter_def def;
	oz_id body;
	uint64_t layers; // given out so far
	uint32_t count;  // particles in a layer
	uint32_t reach2; // of a layer, spacings²
	bool guided;     // its record on the device is up to date
} oz_nozzle;

//      type   name    kind   most  first, since
#define OZ_NOZZLE_FIELDS(X)                                                                        \
	X(float, nozzle, STATE, 1e6f, 0, 5) /* k inside nozzle k - 1, -k before its mouth, else 0  \
	                                     */

typedef struct oz_boundary {
	oz_array colliders; // oz_obstacle
	oz_array nozzles;   // oz_nozzle
	oz_collider
	        *collider; // device, one for each collider; those that move are set in every step
	struct oz_guide *guide; // device, one for each nozzle
	float *wall_table;      // device
	float wall_reach;       // m, from a wall, beyond which its λ is 0
	float wall_scale;       // that makes the share of a wall that of a lattice which ends there
	oz_sdfs sdfs;
	oz_reaction *reactions; // device, what colliders bear
	uint32_t load_count;    // colliders of which that is summed
	OZ_NOZZLE_FIELDS(OZ_FIELD_MEMBER)
} oz_boundary;

#define oz_obstacles(b) ((oz_obstacle *)(b)->colliders.items)
#define oz_nozzles(b)   ((oz_nozzle *)(b)->nozzles.items)

// where its material is: outside 1, inside -1, on both sides of a shell 0
static inline float oz_side_of(const oz_collider_def *def)
{
	return def->shell ? 0.0f : def->inside ? -1.0f : 1.0f;
}

// colliders.c: an empty boundary for the kernel and spacing of a world
oz_result oz_boundary_init(oz_boundary *boundary, oz_sim *sim, oz_error *error);
void oz_boundary_free(oz_boundary *boundary, oz_sim *sim);
oz_result oz_colliders_add(oz_boundary *boundary, oz_sim *sim, const oz_collider_def *def,
                           oz_id *collider, oz_error *error);
// refuses a shape that has no inside
oz_result oz_check_shape(const oz_shape *shape, const char *where, oz_error *error);
// where a collider stands at a time
oz_shape oz_obstacle_pose(const oz_obstacle *obstacle, double time);
// the arguments of wall kernels in this step
oz_wall_rules oz_wall_rules_of(const oz_boundary *boundary, const oz_sim *sim);
// places the colliders, and finds their share of every particle's density
void oz_walls_find_lambda(oz_boundary *boundary, oz_sim *sim);

// wall_table.c: the wall's share of the kernel sum, from 0 to the support radius
size_t oz_wall_table_size(void); // bytes
oz_result oz_wall_table_init(oz_boundary *boundary, const oz_sim *sim, oz_error *error);

// SDFs.c: puts the SDF of a collider on the device, and says where it lies
oz_result oz_sdfs_add(oz_boundary *boundary, oz_sim *sim, const oz_collider_def *def,
                      oz_sdf_frame *frame, oz_error *error);
void oz_sdfs_free(oz_boundary *boundary, oz_device *device);

// loads.c: what colliders bear; the sums on the device, and momentum's quanta for each kg/m³ m/s
oz_result oz_loads_add(oz_boundary *boundary, const oz_sim *sim, oz_obstacle *obstacle,
                       oz_error *error);
void oz_loads_free(oz_boundary *boundary, oz_device *device);
float oz_load_quanta(const oz_sim *sim);
// takes what a collider has borne since it was last taken
oz_result oz_loads_take(oz_boundary *boundary, const oz_sim *sim, oz_id collider, oz_load *load,
                        oz_error *error);

// nozzles.c: keeps an emitter whose body is `body`
oz_result oz_nozzles_check(const oz_boundary *boundary, const oz_sim *sim,
                           const oz_emitter_def *def, oz_error *error);
oz_result oz_nozzles_add(oz_boundary *boundary, oz_sim *sim, const oz_emitter_def *def, oz_id body,
                         oz_error *error);
// writes the records of new nozzles to the device
void oz_nozzles_place(oz_boundary *boundary, const oz_sim *sim);

// one layer on its way out of a nozzle
typedef struct oz_layer {
	oz_vec3 *points, *velocities; // m, m/s; room for as many as the nozzle's `count`
	float state;                  // their `nozzle`
} oz_layer;

// whether a layer is due now, and makes it; the caller counts it
bool oz_nozzle_is_due(const oz_sim *sim, const oz_nozzle *nozzle);
void oz_nozzle_layer(const oz_boundary *boundary, const oz_sim *sim, const oz_nozzle *nozzle,
                     oz_layer *layer);
bool oz_emit_is_due(const oz_boundary *boundary, const oz_sim *sim);

#endif
