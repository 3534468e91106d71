// wall_nodes.cl: the equivalent distance of an SDF collider at each node.
//
// λ(d) of a flat wall at the node's distance d is tabulated (wall_table.c). The difference between
// the true form (curved, with edges, thin, concave) and that flat wall is a sum over the nodes y
// around the node x:
//
//   Λ(x) = λ(d) + c Σ_y q³ (f(y) W(x - y′) - f_flat(y) W(x - y″))
//
// f is the part of y's cell inside the collider, f_flat the part behind the flat wall. So for a
// flat wall Λ is exactly the table's λ. As in the table, the wall is the mirror image of the fluid:
// with n the normal and d the distance from x to the tangent plane at the point of the surface
// nearest to y, the volume at y counts at y′ = y - (D(d) - d) n.
//
// A node stores the equivalent distance: the distance at which a flat wall has λ = Λ. At a flat
// wall it is linear in space and can be interpolated; Λ cannot.
//
// A block is thin if one of its nodes counts the space behind a sheet or a thin wall (separate.cl).
#include "boundary/lambda.h"

// raise it when a bit of `level`, `slope` or `thin` changes: stores of SDFs keep them
#define OZ_WALL_NODE_VERSION 2u

typedef struct oz_wall_node_rules {
	oz_sdf_frame sdf;
	float side; // see oz_collider
	float h, spacing;
	float scale; // c V / s³, factor of the sum
	float reach; // m, distance beyond which λ of a flat wall is 0
	float deep;  // m, depth inside the collider up to which nodes are interpolated
	float least; // m, least distance of particles
	uint stride; // the sum takes every stride-th node along each axis; q is stride cells
} oz_wall_node_rules;

typedef struct oz_wall_node_view {
	OZ_GLOBAL const uint *places;
	OZ_GLOBAL const oz_float4 *nearest;
	OZ_GLOBAL const float *smooth; // table of W over r² / h²
	oz_wall_node_rules rules;
} oz_wall_node_view;

#define WALL_INV_PI     0.31830988618f
#define OZ_SMOOTH_TABLE 256u // intervals of W over 0 … h²

// W from its table
OZ_FN float wall_node_kernel(OZ_GLOBAL const float *smooth, float r2_over_h2)
{
	const float t = r2_over_h2 * (float)OZ_SMOOTH_TABLE;
	if (!(t < (float)OZ_SMOOTH_TABLE))
		return 0.0f;
	const uint k = (uint)t;
	return smooth[k] + (smooth[k + 1u] - smooth[k]) * (t - (float)k);
}

// D(d) - d: the shift of the mirrored wall away from the particle, m
OZ_FN float wall_node_shift(float d, float s)
{
	const float x = d - 0.5f * s;
	if (x > 0.0f) {
		// a parabola instead of the sine: the error cancels between the true form and the
		// flat wall where the two agree
		const float t = x / s, u = t - (float)(int)(t + 0.5f);
		return s * (0.5f * WALL_INV_PI) * u * (8.0f - 16.0f * oz_abs(u));
	}
	// a plane with x behind it is not mirrored
	return d >= 0.0f ? x : -oz_max(0.5f * s + d, 0.0f);
}

// coordinates of a node in the whole grid
typedef struct oz_wall_node_place {
	int x, y, z;
} oz_wall_node_place;

// those of item i of a launch over all nodes, in a block at `place`
OZ_FN oz_wall_node_place wall_node_place(const oz_sdf_frame *f, uint place, uint i)
{
	const uint n = i % OZ_SDF_NODES;
	oz_wall_node_place p;
	p.x = (int)(OZ_SDF_CELLS * (place % f->blocks[0]) + n % OZ_SDF_EDGE);
	p.y = (int)(OZ_SDF_CELLS * (place / f->blocks[0] % f->blocks[1]) +
	            n / OZ_SDF_EDGE % OZ_SDF_EDGE);
	p.z = (int)(OZ_SDF_CELLS * (place / (f->blocks[0] * f->blocks[1])) +
	            n / (OZ_SDF_EDGE * OZ_SDF_EDGE));
	return p;
}

// The index of the node with grid coordinates (x, y, z) in the block at (bx, by, bz). OZ_SDF_INSIDE
// or OZ_SDF_OUTSIDE: that block is not stored, or not in the grid.
OZ_FN uint wall_node_index_in(const oz_sdf_frame *f, OZ_GLOBAL const uint *places, uint bx, uint by,
                              uint bz, uint x, uint y, uint z)
{
	if (bx >= f->blocks[0] || by >= f->blocks[1] || bz >= f->blocks[2])
		return OZ_SDF_OUTSIDE;
	const uint block = places[f->place + (bz * f->blocks[1] + by) * f->blocks[0] + bx];
	if (block >= OZ_SDF_INSIDE)
		return block;
	return (f->block + block) * OZ_SDF_NODES +
	       ((z - OZ_SDF_CELLS * bz) * OZ_SDF_EDGE + y - OZ_SDF_CELLS * by) * OZ_SDF_EDGE + x -
	       OZ_SDF_CELLS * bx;
}

// The same in the first stored block that holds it; several blocks hold the nodes on their faces.
// OZ_SDF_INSIDE or OZ_SDF_OUTSIDE: no such block is stored.
OZ_FN uint wall_node_index(const oz_sdf_frame *f, OZ_GLOBAL const uint *places, int x, int y, int z)
{
	if (x < 0 || y < 0 || z < 0)
		return OZ_SDF_OUTSIDE;
	const uint ux = (uint)x, uy = (uint)y, uz = (uint)z;
	const uint bx = ux / OZ_SDF_CELLS, by = uy / OZ_SDF_CELLS, bz = uz / OZ_SDF_CELLS;
	const bool face_x = ux % OZ_SDF_CELLS == 0u, face_y = uy % OZ_SDF_CELLS == 0u,
	           face_z = uz % OZ_SDF_CELLS == 0u;
	uint side = wall_node_index_in(f, places, bx, by, bz, ux, uy, uz);
	if (side < OZ_SDF_INSIDE || !(face_x || face_y || face_z))
		return side;
	for (uint k = 1u; k < 8u; k++) {
		const uint i = k & 1u, j = k >> 1 & 1u, l = k >> 2;
		if ((i && (!face_x || bx == 0u)) || (j && (!face_y || by == 0u)) ||
		    (l && (!face_z || bz == 0u)))
			continue;
		const uint node = wall_node_index_in(f, places, bx - i, by - j, bz - l, ux, uy, uz);
		if (node < OZ_SDF_INSIDE)
			return node;
		side = node == OZ_SDF_OUTSIDE ? side : node;
	}
	return side;
}

// The vector from the nearest point and the distance of a node; (0, 0, 0, ±reach) where no block is
// stored.
OZ_FN oz_float4 wall_node_nearest(const oz_sdf_frame *f, OZ_GLOBAL const uint *places,
                                  OZ_GLOBAL const oz_float4 *nearest, int x, int y, int z)
{
	const uint node = wall_node_index(f, places, x, y, z);
	if (node < OZ_SDF_INSIDE)
		return nearest[node];
	return oz_make4(0.0f, 0.0f, 0.0f, node == OZ_SDF_INSIDE ? -f->reach : f->reach);
}

// x, y, z: the normal away from the wall on the side of particles; w: the distance on that side.
// `otherwise` is the normal where the vector from the nearest point is zero.
OZ_FN oz_float4 wall_node_normal_distance(oz_float4 nearest, float side, oz_vec3 otherwise)
{
	const float length =
	        oz_sqrt(nearest.x * nearest.x + nearest.y * nearest.y + nearest.z * nearest.z);
	const float sign =
	        (side < 0.0f ? -1.0f : 1.0f) * (side != 0.0f && nearest.w < 0.0f ? -1.0f : 1.0f);
	const float d = side == 0.0f ? length : side * nearest.w;
	// on the surface, or where no block is stored
	if (!(length > 0.0f))
		return oz_make4(otherwise.x, otherwise.y, otherwise.z,
		                side == 0.0f ? oz_abs(nearest.w) : d);
	const float inverse = sign / length;
	return oz_make4(nearest.x * inverse, nearest.y * inverse, nearest.z * inverse, d);
}

// the distance at which a flat wall has this λ, by bisection in the table
OZ_FN float wall_node_equivalent_distance(OZ_GLOBAL const float *table, float lambda, float h)
{
	uint low = 0, high = OZ_WALL_TABLE;
	while (high - low > 1u) {
		const uint mid = (low + high) / 2u;
		if (table[OZ_WALL_COLUMNS * mid + OZ_WALL_LAMBDA] >= lambda)
			low = mid;
		else
			high = mid;
	}
	const float a = table[OZ_WALL_COLUMNS * low + OZ_WALL_LAMBDA];
	const float b = table[OZ_WALL_COLUMNS * high + OZ_WALL_LAMBDA];
	const float t = a > b ? oz_clamp((a - lambda) / (a - b), 0.0f, 1.0f) : 0.5f;
	return h * (2.0f * ((float)low + t) / (float)OZ_WALL_TABLE - 1.0f);
}

// W at the mirror image of a node, times the part of its cell that is inside. `before`: distance of
// the point from the plane with the normal `face` behind which the node lies; `alike`: n · face.
OZ_FN float wall_node_mirrored(const oz_wall_node_view *a, oz_vec3 to, oz_float4 here, oz_vec3 face,
                               float before, float alike, float inside)
{
	if (!(inside > 0.0f))
		return 0.0f;
	// shift along n where the normals agree (a curved wall), along the own normal of the face
	// where they do not (an edge)
	const float one = oz_max(alike, 0.0f);
	const float b = wall_node_shift(before + one * (here.w - before), a->rules.spacing);
	const oz_vec3 moved =
	        oz_mad(oz_scale(face, 1.0f - one), oz_v3(here.x, here.y, here.z), one);
	const oz_vec3 seen = oz_mad(to, moved, b);
	return inside * wall_node_kernel(a->smooth, oz_dot(seen, seen) / (a->rules.h * a->rules.h));
}

// Whether a node outside is behind a sheet or a thin wall: 0 no, 1 yes. It grows from 0 to 1 within
// small ranges, so that rounding does not decide. `before`, `alike` as above; `plane`: distance of
// the node from the flat wall.
OZ_FN float wall_node_behind(float before, float plane, float alike, float q)
{
	const float steep = 20.0f / q;
	return oz_clamp(-steep * before, 0.0f, 1.0f) * oz_clamp(-steep * plane, 0.0f, 1.0f) *
	       oz_clamp(20.0f * (-0.3f - alike), 0.0f, 1.0f);
}

// The term f W - f_flat W of node (x, y, z) in the sum at a point. `to`: vector from the node to
// that point; `here`: normal and distance of that point; `away`: shift of its flat wall. Sets
// *thin if the node is behind a sheet or a thin wall.
OZ_FN float wall_node_term(const oz_wall_node_view *a, int x, int y, int z, oz_vec3 to,
                           oz_float4 here, float away, bool *thin)
{
	const float q = (float)a->rules.stride * a->rules.sdf.cell;
	const oz_vec3 n = oz_v3(here.x, here.y, here.z);
	const float along = oz_dot(to, n);
	const float plane = here.w - along; // distance of the node from the flat wall
	const float flat = oz_clamp(0.5f - plane / q, 0.0f, 1.0f);
	const oz_float4 nearest = wall_node_nearest(&a->rules.sdf, a->places, a->nearest, x, y, z);
	// flat and inside are 0, as at most nodes: skip the square root
	if (plane > q && a->rules.side * nearest.w > q)
		return 0.0f;
	const oz_float4 there = wall_node_normal_distance(nearest, a->rules.side, n);
	const oz_vec3 face = oz_v3(there.x, there.y, there.z);
	const float inside = oz_clamp(0.5f - there.w / q, 0.0f, 1.0f), alike = oz_dot(face, n);
	// the tangent plane at the point of the surface nearest to the node; deep inside the
	// collider no block is stored: take the plane of the flat wall
	const bool stored = nearest.x != 0.0f || nearest.y != 0.0f || nearest.z != 0.0f;
	const float before = stored ? oz_dot(to, face) + there.w : here.w;
	const float behind =
	        there.w > 0.0f && stored ? wall_node_behind(before, plane, alike, q) : 0.0f;
	float sum = 0.0f;
	if (behind < 1.0f)
		sum = (1.0f - behind) *
		      wall_node_mirrored(a, to, here, face, before, alike, inside);
	// behind a sheet: mirror the node's distance into the wall
	if (behind > 0.0f) {
		*thin = true;
		sum += behind * wall_node_mirrored(a, to, here, n, here.w, 1.0f,
		                                   oz_clamp(0.5f + there.w / q, 0.0f, 1.0f));
	}
	if (flat > 0.0f) {
		const float d2 = oz_dot(to, to) + 2.0f * along * away + away * away;
		sum -= flat * wall_node_kernel(a->smooth, d2 / (a->rules.h * a->rules.h));
	}
	return sum;
}

// D(d): the distance of the mirrored flat wall, as in wall_table.c
OZ_FN float wall_node_mirrored_distance(float d, float s)
{
	return d < 0.5f * s ? 2.0f * d - 0.5f * s : d + wall_node_shift(d, s);
}

// Λ - λ at the point `out` m along the normal from node (x, y, z); `here`: the normal and the
// distance of that point. Sets *thin where the wall is thin.
OZ_FN float wall_node_excess(const oz_wall_node_view *a, int x, int y, int z, oz_float4 here,
                             float out, bool *thin)
{
	const int stride = (int)a->rules.stride;
	const float q = (float)a->rules.stride * a->rules.sdf.cell;
	// mirroring moves the wall by up to s/2 towards the point
	const float reach = a->rules.h + 0.5f * a->rules.spacing;
	const int rows = (int)((reach + out) / q);
	const oz_vec3 at = oz_scale(oz_v3(here.x, here.y, here.z), out);
	const float away = wall_node_shift(here.w, a->rules.spacing);
	float sum = 0.0f;
	for (int k = -rows; k <= rows; k++)
		for (int j = -rows; j <= rows; j++) {
			const oz_vec3 row = oz_v3(at.x, at.y - q * (float)j, at.z - q * (float)k);
			const float left = reach * reach - row.y * row.y - row.z * row.z;
			if (!(left > 0.0f))
				continue;
			const float half_width = oz_sqrt(left);
			const int end = (int)oz_floor((at.x + half_width) / q);
			for (int i = -(int)oz_floor((half_width - at.x) / q); i <= end; i++)
				sum += wall_node_term(a, x + stride * i, y + stride * j,
				                      z + stride * k,
				                      oz_v3(row.x - q * (float)i, row.y, row.z),
				                      here, away, thin);
		}
	return a->rules.scale * q * q * q * sum;
}

#define sdf_wall_node_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(uint, place_of_block)                                                                   \
	IN(float, table)                                                                           \
	IN(float, smooth)                                                                          \
	OUT(oz_wall_node, wall_nodes) OUT(uint, thin) VAL(oz_wall_node_rules, rules)
OZ_ARGS(sdf_wall_node)

// writes the `level` of every node of an SDF, once where several blocks hold it: see
// wall_node_index; sets `thin` of its block
OZ_FN void sdf_wall_node_at(const sdf_wall_node_args *a, uint i)
{
	const oz_wall_node_rules r = a->rules;
	const uint node = r.sdf.block * OZ_SDF_NODES + i;
	const oz_wall_node_place at =
	        wall_node_place(&r.sdf, a->place_of_block[i / OZ_SDF_NODES], i);
	// the first stored block that holds the node computes it; sdf_wall_slope copies the level
	if (wall_node_index(&r.sdf, a->places, at.x, at.y, at.z) != node)
		return;
	const oz_float4 here =
	        wall_node_normal_distance(a->nearest[node], r.side, oz_v3(0.0f, 1.0f, 0.0f));
	const float d = here.w;
	// deeper in the collider than interpolation needs, or out of reach: the distance itself
	if (d < -r.deep || d >= r.reach) {
		a->wall_nodes[node].level = oz_wall_node_pack_level(d, d, r.h);
		return;
	}
	oz_wall_node_view view;
	view.places = a->places;
	view.nearest = a->nearest;
	view.smooth = a->smooth;
	view.rules = r;
	// nearer than particles come λ is close to 1 and hardly depends on the distance: compute
	// the equivalent distance at `least` and continue it linearly
	const float out = oz_max(r.least - d, 0.0f);
	const oz_float4 from = oz_make4(here.x, here.y, here.z, d + out);
	bool thin = false;
	const float excess = wall_node_excess(&view, at.x, at.y, at.z, from, out, &thin);
	if (thin)
		oz_atomic_or(&a->thin[node / OZ_SDF_NODES], 1u);
	const float lambda = excess + oz_wall_lookup(a->table, from.w / r.h, OZ_WALL_LAMBDA);
	// a smaller λ gives no distance: use the end of the table
	const float of_lambda =
	        lambda > 1e-4f ? wall_node_equivalent_distance(a->table, lambda, r.h) : r.reach;
	// Between two layers λ hardly depends on d, so that d as a function of λ jumps there. D is
	// smooth: use half its difference, because its slope is 2 at the layers.
	const float smoothed = from.w + 0.5f * (wall_node_mirrored_distance(of_lambda, r.spacing) -
	                                        wall_node_mirrored_distance(from.w, r.spacing));
	const float equivalent_distance = oz_max(smoothed, -r.least);
	a->wall_nodes[node].level =
	        oz_wall_node_pack_level(excess == 0.0f ? d : equivalent_distance - out, d, r.h);
}

// Whether a sheet passes between two neighbouring nodes on the side of particles: their vectors
// from the nearest point diverge along the axis. `low`, `high`: components of these along the axis.
OZ_FN bool wall_node_sheet_between(float low, float low_w, float high, float high_w, float side)
{
	const bool both = side == 0.0f || (side * low_w > 0.0f && side * high_w > 0.0f);
	return both && low < 0.0f && high > 0.0f;
}

// x, y or z
OZ_FN float wall_node_axis(oz_float4 nearest, int axis)
{
	return axis == 0 ? nearest.x : axis == 1 ? nearest.y : nearest.z;
}

// The derivative of the equivalent distance along an axis, packed units per cell: a central
// difference, or a one-sided one where a neighbour is not stored or lies behind a sheet.
OZ_FN float wall_node_difference(OZ_GLOBAL const oz_wall_node *wall_nodes,
                                 OZ_GLOBAL const oz_float4 *nearest, uint from, uint here, uint to,
                                 int axis, float side)
{
	const oz_float4 own = nearest[here];
	bool before = from < OZ_SDF_INSIDE, after = to < OZ_SDF_INSIDE;
	before = before &&
	         !wall_node_sheet_between(wall_node_axis(nearest[from], axis), nearest[from].w,
	                                  wall_node_axis(own, axis), own.w, side);
	after = after &&
	        !wall_node_sheet_between(wall_node_axis(own, axis), own.w,
	                                 wall_node_axis(nearest[to], axis), nearest[to].w, side);
	if (!before && !after)
		return 0.0f;
	const float low = oz_wall_node_unpack_equivalent(wall_nodes[before ? from : here].level);
	const float high = oz_wall_node_unpack_equivalent(wall_nodes[after ? to : here].level);
	return (high - low) * (before && after ? 0.5f : 1.0f);
}

#define sdf_wall_slope_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(uint, place_of_block) OUT(oz_wall_node, wall_nodes) VAL(oz_wall_node_rules, rules)
OZ_ARGS(sdf_wall_slope)

// writes the `slope` of every node from the levels of its neighbours, and copies its own `level`
// from the block that has it
OZ_FN void sdf_wall_slope_at(const sdf_wall_slope_args *a, uint i)
{
	const oz_sdf_frame f = a->rules.sdf;
	const uint node = f.block * OZ_SDF_NODES + i;
	const oz_wall_node_place p = wall_node_place(&f, a->place_of_block[i / OZ_SDF_NODES], i);
	const uint own = wall_node_index(&f, a->places, p.x, p.y, p.z);
	float gradient[3];
	for (int axis = 0; axis < 3; axis++) {
		const int x = axis == 0, y = axis == 1, z = axis == 2;
		const uint from = wall_node_index(&f, a->places, p.x - x, p.y - y, p.z - z);
		const uint to = wall_node_index(&f, a->places, p.x + x, p.y + y, p.z + z);
		gradient[axis] = wall_node_difference(a->wall_nodes, a->nearest, from, own, to,
		                                      axis, a->rules.side);
	}
	const float unit = 2.0f / 32767.0f * a->rules.h / f.cell;
	if (own != node)
		a->wall_nodes[node].level = a->wall_nodes[own].level;
	a->wall_nodes[node].slope = oz_wall_node_pack_slope(
	        oz_scale(oz_v3(gradient[0], gradient[1], gradient[2]), unit));
}

#define wall_nodes_KERNELS(X)                                                                      \
	X(sdf_wall_node, EACH)                                                                     \
	X(sdf_wall_slope, EACH)
OZ_KERNELS(wall_nodes_KERNELS)
