// sdf.h: signed distance field (SDF) of a shape of any form, on a grid around its surface.
//
// A node holds the vector from the nearest point of the surface to the node, and the signed
// distance. Between nodes the vector is interpolated, as Harada et al. do: that is exact for a flat
// face, a straight edge and a corner, where interpolated distances are too long. The divergence of
// the vectors of a cell differs in two cases:
//
//     <-- <-- | --> -->     diverging: a surface passes, perhaps a sheet thinner than a cell. The
//                           vector is zero on it, so that no particle passes through
//     --> --> : <-- <--     converging: two faces are equally far. The vector would be zero in the
//                           middle between them; the signed distance is interpolated instead
//
// Nodes are stored in blocks of 4³ cells. A block holds the nodes on all its faces, so that the
// eight corners of a cell are in one block. A place is the position of a block in the grid of
// blocks. Blocks farther from the surface than `reach` are not stored; `places` then holds the
// side.
#ifndef OZ_SDF_H
#define OZ_SDF_H

#include "device/kernel.h"
#include "math/vec.h"

#define OZ_SDF_CELLS   4u   // cells along an edge of a block
#define OZ_SDF_EDGE    5u   // nodes along an edge
#define OZ_SDF_NODES   125u // nodes of a block
#define OZ_SDF_OUTSIDE 0xffffffffu
#define OZ_SDF_INSIDE  0xfffffffeu

// the grid of an SDF, and its offsets in the arrays that hold all SDFs of a world
typedef struct oz_sdf_frame {
	oz_vec3 origin;       // m, its lowest node, in the collider's frame
	float cell, inv_cell; // m, 1/m
	float reach;          // m, distance beyond which it stores the side only
	uint blocks[3];       // along each axis
	uint place;           // index of its first place
	uint block;           // index of its first block
} oz_sdf_frame;

// a cell, and the position of a point in it
typedef struct oz_sdf_spot {
	uint node;  // lowest corner of the cell; OZ_SDF_OUTSIDE or OZ_SDF_INSIDE: no block
	oz_vec3 at; // 0 … 1 along each axis
} oz_sdf_spot;

// signed distance and normal at a point
typedef struct oz_surface_sample {
	float distance; // m, negative inside; ±reach where no block is stored
	oz_vec3 normal; // outward unit vector; zero where no block is stored
} oz_surface_sample;

// finds the cell of a point p of the collider's frame
OZ_FN oz_sdf_spot oz_sdf_find(OZ_GLOBAL const oz_sdf_frame *f, OZ_GLOBAL const uint *places,
                              oz_vec3 p)
{
	const oz_vec3 g = oz_scale(oz_sub(p, f->origin), f->inv_cell);
	oz_sdf_spot s;
	s.node = OZ_SDF_OUTSIDE;
	s.at = g;
	// negated, so that a NaN counts as outside
	if (!(g.x >= 0.0f && g.y >= 0.0f && g.z >= 0.0f &&
	      g.x < (float)(OZ_SDF_CELLS * f->blocks[0]) &&
	      g.y < (float)(OZ_SDF_CELLS * f->blocks[1]) &&
	      g.z < (float)(OZ_SDF_CELLS * f->blocks[2])))
		return s;
	const uint x = (uint)g.x, y = (uint)g.y, z = (uint)g.z;
	const uint place = (z / OZ_SDF_CELLS * f->blocks[1] + y / OZ_SDF_CELLS) * f->blocks[0] +
	                   x / OZ_SDF_CELLS;
	const uint block = places[f->place + place];
	s.node = block;
	if (block >= OZ_SDF_INSIDE)
		return s;
	s.node = (f->block + block) * OZ_SDF_NODES +
	         (z % OZ_SDF_CELLS * OZ_SDF_EDGE + y % OZ_SDF_CELLS) * OZ_SDF_EDGE +
	         x % OZ_SDF_CELLS;
	s.at = oz_v3(g.x - (float)x, g.y - (float)y, g.z - (float)z);
	return s;
}

// the sample where no block is stored: ±reach, no normal
OZ_FN oz_surface_sample oz_sdf_sample_beyond(OZ_GLOBAL const oz_sdf_frame *f, uint side)
{
	oz_surface_sample s;
	s.distance = side == OZ_SDF_INSIDE ? -f->reach : f->reach;
	s.normal = oz_v3(0.0f, 0.0f, 0.0f);
	return s;
}

// trilinear interpolation of the nodes n of a cell at the point `at` (0 … 1)
OZ_FN oz_float4 oz_sdf_interpolate(OZ_GLOBAL const oz_float4 *n, oz_vec3 at)
{
	const uint up = OZ_SDF_EDGE, back = OZ_SDF_EDGE * OZ_SDF_EDGE;
	const oz_float4 a = oz_mix4(n[0], n[1], at.x), b = oz_mix4(n[up], n[up + 1u], at.x);
	const oz_float4 c = oz_mix4(n[back], n[back + 1u], at.x);
	const oz_float4 d = oz_mix4(n[back + up], n[back + up + 1u], at.x);
	return oz_mix4(oz_mix4(a, b, at.y), oz_mix4(c, d, at.y), at.z);
}

// length of the vector from the nearest point
OZ_FN float oz_nearest_length(oz_float4 nearest)
{
	return oz_sqrt(nearest.x * nearest.x + nearest.y * nearest.y + nearest.z * nearest.z);
}

// distance and normal at the point `at` of a cell; `mean`: oz_sdf_interpolate there
OZ_FN oz_surface_sample oz_sdf_sample_cell(OZ_GLOBAL const oz_float4 *n, oz_vec3 at, oz_float4 mean,
                                           float cell)
{
	const uint up = OZ_SDF_EDGE, back = OZ_SDF_EDGE * OZ_SDF_EDGE;
	// the six faces of the cell
	const oz_float4 left =
	        oz_mix4(oz_mix4(n[0], n[up], at.y), oz_mix4(n[back], n[back + up], at.y), at.z);
	const oz_float4 right = oz_mix4(oz_mix4(n[1], n[up + 1u], at.y),
	                                oz_mix4(n[back + 1u], n[back + up + 1u], at.y), at.z);
	const oz_float4 floor =
	        oz_mix4(oz_mix4(n[0], n[1], at.x), oz_mix4(n[back], n[back + 1u], at.x), at.z);
	const oz_float4 roof = oz_mix4(oz_mix4(n[up], n[up + 1u], at.x),
	                               oz_mix4(n[back + up], n[back + up + 1u], at.x), at.z);
	const oz_float4 low =
	        oz_mix4(oz_mix4(n[0], n[1], at.x), oz_mix4(n[up], n[up + 1u], at.x), at.y);
	const oz_float4 high = oz_mix4(oz_mix4(n[back], n[back + 1u], at.x),
	                               oz_mix4(n[back + up], n[back + up + 1u], at.x), at.y);
	// the divergence at a flat wall is 1: the vectors of opposite faces differ by one cell
	const bool apart = right.x - left.x + roof.y - floor.y + high.z - low.z > 0.5f * cell;
	const float length = oz_nearest_length(mean), side = mean.w >= 0.0f ? 1.0f : -1.0f;
	const oz_vec3 slope = oz_v3(right.w - left.w, roof.w - floor.w, high.w - low.w);
	const oz_vec3 out = oz_scale(oz_v3(mean.x, mean.y, mean.z), side);
	// At an edge the nearest point of a node lies on one face only, while its distance is right
	// for both: prefer the gradient of the distance, unless it contradicts the vector, as it
	// does on one side of a sheet.
	const float steep = oz_length(slope);
	const bool plain = steep > 0.5f * cell && oz_dot(slope, out) >= -0.5f * steep * length;
	const bool known = apart && !plain && length > 1e-3f * cell;
	oz_surface_sample sample;
	sample.distance = apart ? side * length : mean.w;
	sample.normal = oz_normalize(known ? out : slope);
	return sample;
}

// Distance and normal at p. `nearest` holds (vector from the nearest point, signed distance) of all
// nodes. The distances of a shell are positive on both sides.
OZ_FN oz_surface_sample oz_sdf_sample(OZ_GLOBAL const oz_sdf_frame *f, OZ_GLOBAL const uint *places,
                                      OZ_GLOBAL const oz_float4 *nearest, oz_vec3 p, bool shell)
{
	const oz_sdf_spot s = oz_sdf_find(f, places, p);
	oz_surface_sample sample;
	if (s.node >= OZ_SDF_INSIDE) {
		sample = oz_sdf_sample_beyond(f, s.node);
	} else {
		OZ_GLOBAL const oz_float4 *n = nearest + s.node;
		sample = oz_sdf_sample_cell(n, s.at, oz_sdf_interpolate(n, s.at), f->cell);
	}
	if (shell && sample.distance < 0.0f) {
		sample.distance = -sample.distance;
		sample.normal = oz_scale(sample.normal, -1.0f);
	}
	return sample;
}

// the distance alone; cheaper
OZ_FN float oz_sdf_distance(OZ_GLOBAL const oz_sdf_frame *f, OZ_GLOBAL const uint *places,
                            OZ_GLOBAL const oz_float4 *nearest, oz_vec3 p)
{
	const oz_sdf_spot s = oz_sdf_find(f, places, p);
	if (s.node >= OZ_SDF_INSIDE)
		return oz_sdf_sample_beyond(f, s.node).distance;
	OZ_GLOBAL const oz_float4 *n = nearest + s.node;
	const oz_float4 mean = oz_sdf_interpolate(n, s.at);
	const float length = oz_nearest_length(mean);
	// where vector and distance agree, both are right
	if (length >= 0.8f * oz_abs(mean.w))
		return mean.w >= 0.0f ? length : -length;
	return oz_sdf_sample_cell(n, s.at, mean, f->cell).distance;
}

#endif
