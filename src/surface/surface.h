// surface.h: the parts of a surface maker, in the order in which they work.
//
//   points    particles sorted by cells
//   weights   their densities, volumes and anisotropic kernels
//   blocks    the blocks of nodes that the surface passes, and the field in them
//   cubes     marching cubes: vertices and triangles
//   skin      smoothing, fitting to walls, normals, attributes
//   pieces    connected components of the mesh: volumes, and the removal of small ones
//
// All memory is kept from one surface to the next. Threads share the work by blocks, in the order
// of the particles; where two threads could write to one vertex, blocks are processed by colours.
#ifndef OZ_SURFACE_PARTS_H
#define OZ_SURFACE_PARTS_H

#include "base/base.h"
#include "device/device.h"
#include "device/pool.h"
#include "math/vec.h"
#include "ooze/surface.h"
#include "surface/field.h"
#include "surface/surface_simd.h"

// memory that grows and is kept for the next surface
typedef struct oz_store {
	void *data;
	size_t size; // bytes
} oz_store;

// shapes of the smooth kind's kernels
#define OZ_MAX_AXIS  1.3f // longest half axis, in reaches
#define OZ_LONE_AXIS 0.6f // of a kernel with few neighbours, in reaches
#define OZ_MAX_MOVE  0.6f // how far a centre may move, in spacings

// ---- points ------------------------------------------------------------------------------------

typedef struct oz_surface_points {
	oz_store position; // oz_float4, by cells; w: see oz_cloud
	oz_store order;    // uint: number in the input
	oz_store cell_start;
	oz_store density; // float, share of the rest density
	oz_store shape;   // oz_shape_slot
	oz_store mean;    // oz_vec3, m: from each particle to the mean of its neighbourhood
	oz_store digits;  // scratch of the sort
	oz_store colour;  // oz_vec3, by cells
	uint32_t count;
} oz_surface_points;

// ---- blocks ------------------------------------------------------------------------------------

#define OZ_CROSSINGS (3 * OZ_BLOCK_CELLS) // words of crossed edges: along x, y, z in each layer

// A block that the surface passes. It owns the vertices on edges that begin at its first 7³ nodes.
typedef struct oz_patch {
	oz_block block;
	uint32_t vertex, triangle;             // number of its first
	uint32_t centre;                       // number of its first vertex inside a cell
	uint32_t triangle_count, vertex_count; // vertices inside cells included
	uint32_t beyond[8];                    // patch one block higher; bits of the index: x, y, z
	uint64_t inside[OZ_BLOCK_NODES];
	uint16_t before[OZ_CROSSINGS]; // vertices of the block on edges of earlier words
} oz_patch;

typedef struct oz_surface_blocks {
	oz_store block; // oz_block, near particles
	uint32_t count;
	oz_store table; // uint32_t: hash of a block → its number + 1
	uint32_t table_bits;
	oz_store patch_of;      // uint32_t of each block: its patch, or OZ_NONE
	oz_store patch, values; // oz_patch, 512 floats
	oz_store skip;          // bool: lies within one particle of the distance kind
	oz_store batch, batch_inside, batch_passed;
	uint32_t patch_count;
} oz_surface_blocks;

// ---- cubes -------------------------------------------------------------------------------------

#define OZ_CUBE_TRIANGLES 12
#define OZ_CUBE_LOOP      12
#define OZ_CUBE_CENTRES   4

// The triangles of one of the 256 cubes. Corners and edges: see cube_table.c.
typedef struct oz_cube {
	uint16_t edges; // crossed edges, as bits
	uint8_t triangle_count, centre_count;
	uint8_t triangles[OZ_CUBE_TRIANGLES][3]; // edges; 12 and above: centres
	uint8_t loops[OZ_CUBE_CENTRES]
	             [OZ_CUBE_LOOP + 1]; // of a centre: number of edges, then the edges
} oz_cube;

// Fills the table; the bits of an index are the inside corners.
void oz_cube_table(oz_cube table[256]);

// ---- all ---------------------------------------------------------------------------------------

typedef struct oz_surface_skin {
	oz_store position, normal, velocity, colour; // oz_vec3
	oz_store body, material, nearest;            // uint32_t
	oz_store triangles;                          // uint32_t[3]
	oz_store moved, degree;                      // of the smoothing
	oz_store piece, volume, area;                // of connected pieces, by their first vertex
	oz_store before, centre;                     // of pieces: volume before smoothing, middle
	uint32_t vertex_count, triangle_count;
} oz_surface_skin;

#define OZ_SURFACE_STAGES(X)                                                                       \
	X(TAKE, "take") /* select and sort */                                                      \
	X(WEIGH, "weigh")                                                                          \
	X(FIND, "find")                                                                            \
	X(SAMPLE, "sample")                                                                        \
	X(MARCH, "march")                                                                          \
	X(SMOOTH, "smooth")                                                                        \
	X(FIT, "fit")                                                                              \
	X(SHADE, "shade")                                                                          \
	X(SHARE, "share")                                                                          \
	X(SPECKS, "specks")

typedef enum oz_surface_stage {
#define OZ_SURFACE_STAGE_CODE(code, name) OZ_SURFACE_STAGE_##code,
	OZ_SURFACE_STAGES(OZ_SURFACE_STAGE_CODE)
#undef OZ_SURFACE_STAGE_CODE
	        OZ_SURFACE_STAGE_COUNT
} oz_surface_stage;

const char *oz_surface_stage_name(int stage);

struct oz_surface {
	oz_surface_def def;
	uint64_t stage_ns[OZ_SURFACE_STAGE_COUNT]; // of the last surface
	oz_heap heap;
	oz_pool *pool;
	const oz_surface_simd *simd;
	oz_cloud field;
	float lone_volume; // m³, greatest volume of a particle: that of a lone one
	float layer_gain;  // of the kernels of a single layer, so that it is one spacing thick
	float spread;      // m², variance along an axis of a full neighbourhood: radius² / 7
	oz_surface_points points;
	oz_surface_blocks blocks;
	oz_surface_skin skin;
	oz_store walls; // oz_shape, of a world
	oz_cube cubes[256];
};

// Reserves memory for `count` elements of `size` bytes; old contents are kept only where `keep` is
// true.
oz_result oz_store_reserve(oz_surface *s, oz_store *store, uint64_t count, size_t size, bool keep,
                           oz_error *error);

// The particles from which a surface is made.
typedef struct oz_surface_choice {
	const oz_surface_input *input;
	oz_id body; // OZ_NONE: all
} oz_surface_choice;

// Radius of the neighbourhoods of the moments, in m.
float oz_moment_radius(const oz_surface_def *def);
// Selects the particles of the choice and sorts them by cells; fails at a position that is not
// finite.
oz_result oz_points_sort(oz_surface *s, oz_surface_choice choice, oz_error *error);
// Computes density, weight and, for the smooth kind, kernel of each particle.
oz_result oz_points_weigh(oz_surface *s, oz_error *error);
// Lists the blocks near particles.
oz_result oz_blocks_find(oz_surface *s, oz_error *error);
// Samples the field in these blocks; those that the surface passes become patches.
oz_result oz_blocks_sample(oz_surface *s, oz_error *error);
// The patch of a block; OZ_NONE if the surface does not pass there.
uint32_t oz_blocks_patch(const oz_surface *s, oz_block block);
// Makes vertices and triangles of the patches, by marching cubes.
oz_result oz_cubes_march(oz_surface *s, oz_error *error);
// Smooths the mesh and restores the volume of each piece.
oz_result oz_skin_smooth(oz_surface *s, oz_error *error);
// Moves vertices that are near a wall onto it.
oz_result oz_skin_fit(oz_surface *s, const oz_surface_input *input);
// Computes the normals of the vertices.
oz_result oz_skin_normals(oz_surface *s, oz_error *error);
// Computes velocity, colour, body and material of the vertices from the particles near them.
oz_result oz_skin_attributes(oz_surface *s, const oz_surface_input *input, oz_error *error);
// Removes pieces with a smaller volume than `specks` particles.
oz_result oz_pieces_remove_specks(oz_surface *s, const oz_surface_input *input, oz_error *error);

// Labels each vertex with the first vertex of its piece, and sets the volumes to zero.
oz_result oz_pieces_find(oz_surface *s, oz_error *error);
// Adds the volume of each piece to skin.volume, and writes its area.
void oz_pieces_measure(oz_surface *s);

#endif
