// field.h: the scalar field whose level is the surface, and the blocks of nodes it is sampled on.
//
//   density   φ(x) = Σ V_j W(x - x_j, R)            V_j: volume of particle j
//   smooth    φ(x) = Σ V_j |G_j| W(G_j (x - x̄_j))   G_j: anisotropy of kernel j, short along the
//   normal distance  φ(x) = max_j (b_j - |x - x_j|)        b_j: `bonus` inside a body, 0 at its
//   surface
//
// with W(q) = c (1 - q²)³, which needs no square root. Nodes lie at integer multiples of the cell,
// independent of the particles, so the mesh of a fluid at rest does not change between frames. A
// block has 8 × 8 × 8 nodes and 7 × 7 × 7 cells. Adjacent blocks share a layer of nodes; each block
// computes all of its nodes. Every block adds particles in the same order, so both blocks compute
// the same sign at a shared node.
//
// The host's files and the SIMD code, which is compiled once for each width of vectors
// (surface_simd.c), share this header.
#ifndef OZ_FIELD_H
#define OZ_FIELD_H

#include "math/vec.h"
#include "particles/grid.h"

#define OZ_BLOCK_NODES  8
#define OZ_BLOCK_CELLS  7
#define OZ_BLOCK_VALUES 512
#define OZ_BLOCK_LIMIT  (1 << 20) // blocks on either side of the origin

// An anisotropic kernel: q² = dᵀ M d, and the box around the ellipsoid q = 1.
typedef struct oz_ellipsoid {
	float x, y, z; // m, its centre
	float weight;
	float xx, yy, zz, yz, xz, xy;       // M, 1/m²; the last three doubled
	float extent_x, extent_y, extent_z; // m, half sizes of that box
	float least, most;                  // m, half axes
	float unused;
} oz_ellipsoid;

// Sums over a particle's neighbours, each with the weight w = 1 - (r/radius)².
typedef struct oz_moment {
	float count;                  // neighbours within the radius, itself included
	float sum;                    // of the weights
	float x, y, z;                // m, Σ w d, d: from the particle to the neighbour
	float xx, yy, zz, yz, xz, xy; // m², Σ w d dᵀ
	float unused;
} oz_moment;

// First the moments of a particle's neighbourhood, then, in the same memory, its kernel.
typedef union oz_shape_slot {
	oz_moment moment;
	oz_ellipsoid ellipsoid;
} oz_shape_slot;

// Value at the centre of the kernel of a particle of volume spacing³; `reach`: radius in spacings.
OZ_FN float oz_kernel_peak(float reach)
{
	return 315.0f / (64.0f * OZ_PI * reach * reach * reach);
}

// The particles of a surface, sorted by cells, and the parameters of the field.
typedef struct oz_cloud {
	oz_grid grid; // of the neighbour search
	const uint *cell_start;
	const oz_float4 *position;   // m, by cells; w: weight, or b for distances
	const oz_shape_slot *shapes; // smooth only: one for each position
	uint count;
	bool distance;
	float cell;  // m
	float reach; // m, radius within which a particle changes the field
	float touch; // m, greatest distance of the surface from a particle
	float bonus; // m, b of particles inside a body, for distances; at its surface b is zero
	float level; // value of the field at the surface
} oz_cloud;

typedef struct oz_block {
	int x, y, z; // in blocks
} oz_block;

// Samples the field at the nodes of a block. `inside` gets a bit for each node at or above the
// level: a word for each layer, x fastest. False if the surface does not pass through the block;
// the values are then undefined.
typedef bool (*oz_sample_block_fn)(const oz_cloud *f, oz_block block, float values[OZ_BLOCK_VALUES],
                                   uint64_t inside[OZ_BLOCK_NODES]);

typedef struct oz_moments_args {
	const oz_cloud *field;
	float radius2;        // m², of the moments; not beyond the grid's
	float kernel_r2;      // m², of the density
	float kernel;         // density from a particle's own kernel over the rest density
	float *density;       // out: density over the rest density
	oz_shape_slot *shape; // out: moments; NULL: not computed
} oz_moments_args;

// Computes density and moments of the particles [begin, end).
typedef void (*oz_moments_fn)(const oz_moments_args *a, uint begin, uint end);

typedef struct oz_attributes_args {
	const oz_cloud *field;
	float radius2; // m²
	const oz_vec3 *vertex;
	const oz_vec3 *velocity, *colour;         // of the particles by cells; NULL: none
	oz_vec3 *vertex_velocity, *vertex_colour; // out, means
	uint *nearest;                            // out, particle by cells
} oz_attributes_args;

// Computes velocity, colour and nearest particle of the vertices [begin, end).
typedef void (*oz_attributes_fn)(const oz_attributes_args *a, uint begin, uint end);

#endif
