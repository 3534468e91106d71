// field.h: the scalar field whose level is the surface, and the blocks of nodes it is sampled on.
//
//   density   φ(x) = Σ V_j W(x - x_j, R)            V_j: volume of particle j
//   smooth    φ(x) = Σ V_j |G_j| W(G_j (x - x̄_j))   G_j: squeezes kernel j along the normal
//   distance  φ(x) = max_j (b_j - |x - x_j|)        b_j: more within than on the skin
//
// with W(q) = c (1 - q²)³, which needs no root. Nodes lie at whole multiples of the cell, wherever
// the particles are, so that a surface at rest does not crawl. A block has 8 × 8 × 8 nodes and
// 7 × 7 × 7 cells: blocks that touch share a layer of nodes, each block computes all of its own,
// and since particles are added in one order everywhere, both agree on every sign.
//
// What is here is shared by the host's files and the SIMD code, which is compiled once for each
// width of vectors (surface_simd.c).
#ifndef OZ_FIELD_H
#define OZ_FIELD_H

#include "math/vec.h"
#include "particles/grid.h"

#define OZ_BLOCK_NODES  8
#define OZ_BLOCK_CELLS  7
#define OZ_BLOCK_VALUES 512
#define OZ_BLOCK_LIMIT  (1 << 20) // blocks on either side of the origin

// A squeezed kernel: q² = dᵀ M d, and the box around the ellipsoid q = 1.
typedef struct oz_blob {
	float x, y, z; // m, its centre
	float weight;
	float xx, yy, zz, yz, xz, xy; // M, 1/m²; the last three doubled
	float extent_x, extent_y, extent_z;
	float least, most; // m, half axes
	float unused;
} oz_blob;

// What is known of a particle's neighbourhood, weighted by 1 - (r/radius)².
typedef struct oz_moment {
	float count; // neighbours within the radius, itself included
	float sum;   // of the weights
	float x, y, z;
	float xx, yy, zz, yz, xz, xy;
	float unused;
} oz_moment;

// A neighbourhood, and in its place afterwards the kernel that is made from it.
typedef union oz_shape_slot {
	oz_moment moment;
	oz_blob blob;
} oz_shape_slot;

// What W is at its centre for a particle of the volume spacing³; the radius is in spacings.
OZ_FN float oz_kernel_peak(float reach)
{
	return 315.0f / (64.0f * 3.14159265f * reach * reach * reach);
}

typedef struct oz_cloud {
	oz_grid grid; // of the search
	const uint *cell_start;
	const oz_float4 *position;   // m, by cells; w: weight, or b for distances
	const oz_shape_slot *shapes; // smooth only: one for each position
	uint count;
	bool distance;
	float cell;  // m
	float reach; // m, beyond which nothing is added
	float touch; // m, beyond which no surface is
	float bonus; // m, b of particles within, for distances; on the skin it is zero
	float level; // of the surface
} oz_cloud;

typedef struct oz_block {
	int x, y, z; // in blocks
} oz_block;

// Samples a block; `inside` gets a bit for each node of the eight layers, x fastest. False if the
// surface does not pass through it: then the values are not worth keeping.
typedef bool (*oz_sample_block_fn)(const oz_cloud *f, oz_block block, float values[OZ_BLOCK_VALUES],
                                   uint64_t inside[OZ_BLOCK_NODES]);

typedef struct oz_moments_args {
	const oz_cloud *field;
	float radius2;   // m², of the moments; not beyond the grid's
	float kernel_r2; // m², of the density
	float kernel;    // density that a particle has of itself alone, share of the rest density
	float *density;  // out: share of the rest density
	oz_shape_slot *shape; // out: moments; NULL: not wanted
} oz_moments_args;

// Sums over the neighbours of the particles [begin, end).
typedef void (*oz_moments_fn)(const oz_moments_args *a, uint begin, uint end);

typedef struct oz_shares_args {
	const oz_cloud *field;
	float radius2; // m²
	const oz_vec3 *vertex;
	const oz_vec3 *velocity, *colour;         // of the particles by cells; NULL: none
	oz_vec3 *vertex_velocity, *vertex_colour; // out, means
	uint *nearest;                            // out, particle by cells
} oz_shares_args;

// What the vertices [begin, end) take over from the particles around them.
typedef void (*oz_shares_fn)(const oz_shares_args *a, uint begin, uint end);

#endif
