// boundary.h: the boundary of the particles: colliders, their signed distance fields (SDFs) and
// loads, and nozzles.
//
//   poses.c       poses of colliders over time     colliders.c  adds colliders; λ of each particle
//   sdfs.c        SDFs on the device               loads.c      force, torque and work on colliders
//   wall_table.c  λ of a flat wall                 nozzles.c    emitters
//   opening.c     columns of particles in an opening
//   thin.c        thin walls separate the neighbour lists of their two sides
//
// λ of a wall is the part of the kernel sum of a particle that the wall fills, 0 … 1 (lambda.h).
#ifndef OZ_BOUNDARY_H
#define OZ_BOUNDARY_H

#include "boundary/opening.h"
#include "boundary/poses.h"
#include "boundary/walls.h"
#include "particles/sim.h"

// A collider as the host keeps it; oz_collider is its record on the device.
typedef struct oz_collider_entry {
	oz_collider_def def;  // keyframes are in `poser`; holds a reference to its SDF
	oz_poser poser;       // gives its pose at a time
	bool placed;          // its record on the device is up to date, and it does not move
	bool thin;            // particles on both sides may be within reach of each other
	oz_sdf_frame sdf;     // geometry of its SDF, and its offsets in oz_sdfs
	uint32_t load;        // 1-based index of its load; 0: no load is summed
	double load_since;    // s, time at which the present sum began
	oz_vec3 separated_at; // m, its pose when the neighbour lists were separated (thin.c)
	oz_quat separated_rotation;
} oz_collider_entry;

// device buffers: the SDFs of all colliders, one after the other
typedef struct oz_sdfs {
	uint *places;             // number of the block at each place, see sdf_data.h
	oz_float4 *nearest;       // per node: vector from the nearest point, signed distance
	oz_wall_node *wall_nodes; // see wall_nodes.cl
	uint *thin;               // of each block, 1: a thin part of the wall is near
	uint32_t place_count, block_count;
} oz_sdfs;

typedef struct oz_nozzle {
	oz_emitter_def def;
	oz_id body;
	uint64_t layers; // layers emitted so far
	oz_columns columns;
	bool guided; // its record on the device is up to date
} oz_nozzle;

//      type   name    kind   most  first, since
#define OZ_NOZZLE_FIELDS(X)                                                                        \
	X(float, nozzle, STATE, 1e6f, 0, 5) /* k inside nozzle k - 1, -k before its mouth, else 0  \
	                                     */

typedef struct oz_boundary {
	oz_array colliders; // oz_collider_entry
	oz_array nozzles;   // oz_nozzle
	oz_collider
	        *collider; // device, one for each collider; moving ones are written in every step
	struct oz_guide *guide; // device, one for each nozzle
	float *wall_table;      // device
	float wall_reach;       // m, distance from a wall beyond which its λ is 0
	float wall_scale; // c of wall_table.c: scales λ so that a lattice that ends at a wall is at
	                  // rest
	oz_sdfs sdfs;
	oz_reaction *reactions; // device, sums of force, torque and work on colliders
	uint32_t load_count;    // colliders that have such sums
	bool thin;              // a collider is thin
	OZ_NOZZLE_FIELDS(OZ_FIELD_MEMBER)
} oz_boundary;

#define oz_collider_entries(b) ((oz_collider_entry *)(b)->colliders.items)
#define oz_nozzles(b)          ((oz_nozzle *)(b)->nozzles.items)

// the side of the surface on which particles are: 1 outside, -1 inside, 0 both sides of a shell
static inline float oz_side_of(const oz_collider_def *def)
{
	return def->shell ? 0.0f : def->inside ? -1.0f : 1.0f;
}

// colliders.c: makes a boundary without colliders; fills the wall table for the world's kernel
oz_result oz_boundary_init(oz_boundary *boundary, oz_sim *sim, oz_error *error);
void oz_boundary_free(oz_boundary *boundary, oz_sim *sim);
// checks and copies a definition; *collider becomes its number, and may be NULL
oz_result oz_colliders_add(oz_boundary *boundary, oz_sim *sim, const oz_collider_def *def,
                           oz_id *collider, oz_error *error);
// refuses a shape without an inside (sheet, rod) or with a size that is not above 0
oz_result oz_check_shape(const oz_shape *shape, const char *where, oz_error *error);
// the shape of a collider with its pose at a time
oz_shape oz_collider_pose(const oz_collider_entry *entry, double time);
// leads a collider to a pose; puts it there at once
oz_result oz_colliders_move(oz_boundary *boundary, oz_sim *sim, oz_id collider, const oz_goal *goal,
                            oz_error *error);
oz_result oz_colliders_put(oz_boundary *boundary, oz_sim *sim, oz_id collider, const oz_goal *goal,
                           oz_error *error);
// the bounds of a motion by calls; `extent` is 0
oz_motion_rules oz_motion_rules_of(const oz_sim *sim);
// continues a hash with the motions by calls
uint64_t oz_colliders_hash(const oz_boundary *boundary, uint64_t hash);
// the lengths that wall kernels use in this step
oz_wall_rules oz_wall_rules_of(const oz_boundary *boundary, const oz_sim *sim);
// writes the poses of the colliders to the device, then λ, its gradient and the wall clearance of
// every particle; separates new neighbour lists at thin walls
oz_result oz_walls_find_lambda(oz_boundary *boundary, oz_sim *sim, oz_error *error);
// separates the lists that were made from the anchors of a snapshot, with the poses of their time
oz_result oz_walls_restore_lists(oz_boundary *boundary, oz_sim *sim, oz_error *error);
// an upper bound of the distance that any point of a collider moves from one pose to another, m
float oz_collider_way(const oz_collider_entry *entry, const oz_shape *from, const oz_shape *to);

// thin.c: whether particles on the two sides of a collider that is no SDF may be in each other's
// lists; `contact`: m, their least distance from it
bool oz_shape_is_thin(const oz_sim *sim, const oz_collider_def *def, float contact);
// takes the scratch of oz_thin_walls_separate and gives it back: the pool keeps the memory
oz_result oz_thin_walls_reserve(const oz_boundary *boundary, oz_sim *sim, oz_error *error);
// whether a thin wall has moved so far since lists were separated that they have to be made again
bool oz_thin_walls_moved(const oz_boundary *boundary, const oz_sim *sim);
// whether there are thin walls and lists that they have not separated
bool oz_thin_walls_are_due(const oz_boundary *boundary, const oz_sim *sim);
// Takes the pairs that a thin wall separates out of lists that were made in this step; needs the
// colliders in place, and the wall clearance of all particles as if there were no nozzles: a
// snapshot does not hold which particles were in one then.
oz_result oz_thin_walls_separate(oz_boundary *boundary, oz_sim *sim, oz_error *error);
// the same for the lists of a snapshot, with the poses that it holds
oz_result oz_thin_walls_separate_again(const oz_boundary *boundary, oz_sim *sim, oz_error *error);
// the pose of a collider when lists were separated
oz_shape oz_separated_pose(const oz_collider_entry *entry);
// write and read these poses
void oz_thin_walls_save(const oz_boundary *boundary, oz_section *section);
oz_result oz_thin_walls_load(oz_boundary *boundary, oz_section *section, oz_error *error);

// wall_table.c: λ of a flat wall for distances from -h to h, on the device
size_t oz_wall_table_size(void); // bytes
oz_result oz_wall_table_init(oz_boundary *boundary, const oz_sim *sim, oz_error *error);

// sdfs.c: copies the part of a collider's SDF near its surface to the device, unless an equal one
// is there; sets `sdf` of the entry, its geometry and its offsets in the device buffers, and `thin`
oz_result oz_sdfs_add(oz_boundary *boundary, oz_sim *sim, oz_collider_entry *entry,
                      oz_error *error);
void oz_sdfs_free(oz_boundary *boundary, oz_device *device);

// loads.c: makes the sums of a collider's load on the device
oz_result oz_loads_add(oz_boundary *boundary, const oz_sim *sim, oz_collider_entry *entry,
                       oz_error *error);
void oz_loads_free(oz_boundary *boundary, oz_device *device);
// quanta of momentum of a particle for each kg/m³ of its density and m/s of its speed
float oz_load_quanta(const oz_sim *sim);
// gives the mean load of a collider since the last call, and sets its sums to 0
oz_result oz_loads_take(oz_boundary *boundary, const oz_sim *sim, oz_id collider, oz_load *load,
                        oz_error *error);

// nozzles.c: checks the definition of an emitter
oz_result oz_nozzles_check(const oz_boundary *boundary, const oz_sim *sim,
                           const oz_emitter_def *def, oz_error *error);
// copies a checked definition; `body` gets the particles
oz_result oz_nozzles_add(oz_boundary *boundary, oz_sim *sim, const oz_emitter_def *def, oz_id body,
                         oz_error *error);
// writes the records of new nozzles to the device
void oz_nozzles_place(oz_boundary *boundary, const oz_sim *sim);

// whether the next layer has to enter the nozzle now
bool oz_nozzle_is_due(const oz_sim *sim, const oz_nozzle *nozzle);
// writes the points (m) and velocities (m/s) of the next layer, columns.count of each; the caller
// increments `layers`
void oz_nozzle_layer(const oz_sim *sim, const oz_nozzle *nozzle, oz_vec3 *points,
                     oz_vec3 *velocities);
// whether any nozzle has a layer that is due
bool oz_emit_is_due(const oz_boundary *boundary, const oz_sim *sim);

#endif
