// depth.cl: what a charted solid fills of the kernel at each node, in its true form.
//
// The share of a flat wall at the node's distance is known (wall_table.c). What the true form adds
// or lacks against it, where the solid bends, has edges, is thin or comes round again, is a sum
// over the nodes y around the node x, of the solid and of the flat wall alike:
//
//   Λ(x) = λ(d) + c Σ_y q³ (f(y) W(x - y′) - f_flat(y) W(x - y″))
//
// f is the part of y's cell that is solid. So a flat wall has exactly the table's share. Every bit
// of the wall is seen as the mirror image of the fluid, as the table has it: with n the normal and
// d the distance from x to the tangent plane at the point of the surface that is nearest to y, it
// stands at y′ = y - (D(d) - d) n.
//
// Kept is the distance at which a flat wall has the share Λ: it is linear along a flat wall, so
// that it can be interpolated, where Λ could not.
#include "boundary/share.h"

typedef struct oz_depth_rules {
	oz_chart_frame chart;
	float side; // see oz_collider
	float h, spacing;
	float scale; // c V / s³ of the sum
	float reach; // m, distance beyond which a flat wall has no share
	float deep;  // m, in the solid, that interpolation looks at
	float least; // m, the nearest that particles come
	uint stride; // nodes from one that is summed up to the next
} oz_depth_rules;

typedef struct oz_depth_view {
	OZ_GLOBAL const uint *places;
	OZ_GLOBAL const oz_float4 *leads;
	OZ_GLOBAL const float *smooth; // W
	oz_depth_rules rules;
} oz_depth_view;

#define DEPTH_INV_PI    0.31830988618f
#define OZ_SMOOTH_TABLE 256u // intervals of W over 0 … h²

OZ_FN float depth_smooth(OZ_GLOBAL const float *smooth, float r2_over_h2)
{
	const float t = r2_over_h2 * (float)OZ_SMOOTH_TABLE;
	if (!(t < (float)OZ_SMOOTH_TABLE))
		return 0.0f;
	const uint k = (uint)t;
	return smooth[k] + (smooth[k + 1u] - smooth[k]) * (t - (float)k);
}

// D(d) - d: how far a bit of the wall seems moved away
OZ_FN float depth_shift(float d, float s)
{
	const float x = d - 0.5f * s;
	if (x > 0.0f) {
		// a parabola for the sine: both walls take the same, so that it cancels where they
		// are alike
		const float t = x / s, u = t - (float)(int)(t + 0.5f);
		return s * (0.5f * DEPTH_INV_PI) * u * (8.0f - 16.0f * oz_abs(u));
	}
	// one whose plane lies behind is not mirrored
	return d >= 0.0f ? x : -oz_max(0.5f * s + d, 0.0f);
}

// a node's place in the whole grid
typedef struct oz_depth_place {
	int x, y, z;
} oz_depth_place;

// of item i of a launch over all nodes, in a block at `place`
OZ_FN oz_depth_place depth_place(const oz_chart_frame *f, uint place, uint i)
{
	const uint n = i % OZ_CHART_NODES;
	oz_depth_place p;
	p.x = (int)(OZ_CHART_CELLS * (place % f->blocks[0]) + n % OZ_CHART_EDGE);
	p.y = (int)(OZ_CHART_CELLS * (place / f->blocks[0] % f->blocks[1]) +
	            n / OZ_CHART_EDGE % OZ_CHART_EDGE);
	p.z = (int)(OZ_CHART_CELLS * (place / (f->blocks[0] * f->blocks[1])) +
	            n / (OZ_CHART_EDGE * OZ_CHART_EDGE));
	return p;
}

// The number of a node, by its place in the whole grid. One on the faces of several blocks is the
// same in each, and some of these may not be there; where none is, on which side it lies.
OZ_FN uint depth_node(const oz_chart_frame *f, OZ_GLOBAL const uint *places, int x, int y, int z)
{
	const int cells = (int)OZ_CHART_CELLS;
	uint side = OZ_CHART_OUTSIDE;
	for (int k = 0; k < 8; k++) {
		const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
		if ((i && x % cells) || (j && y % cells) || (l && z % cells))
			continue;
		const int bx = x / cells - i, by = y / cells - j, bz = z / cells - l;
		if (x < 0 || y < 0 || z < 0 || bx < 0 || by < 0 || bz < 0 ||
		    bx >= (int)f->blocks[0] || by >= (int)f->blocks[1] || bz >= (int)f->blocks[2])
			continue;
		const uint block =
		        places[f->place + ((uint)bz * f->blocks[1] + (uint)by) * f->blocks[0] +
		               (uint)bx];
		if (block >= OZ_CHART_INSIDE) {
			side = block;
			continue;
		}
		return (f->block + block) * OZ_CHART_NODES +
		       (uint)(((z - cells * bz) * (int)OZ_CHART_EDGE + y - cells * by) *
		                      (int)OZ_CHART_EDGE +
		              x - cells * bx);
	}
	return side;
}

// The lead of a node. Where the chart has none it is the distance alone, on the side that its place
// tells.
OZ_FN oz_float4 depth_lead(const oz_chart_frame *f, OZ_GLOBAL const uint *places,
                           OZ_GLOBAL const oz_float4 *leads, int x, int y, int z)
{
	const uint node = depth_node(f, places, x, y, z);
	if (node < OZ_CHART_INSIDE)
		return leads[node];
	return oz_make4(0.0f, 0.0f, 0.0f, node == OZ_CHART_INSIDE ? -f->reach : f->reach);
}

// a lead from the material's side: the normal away from the wall, and the distance
OZ_FN oz_float4 depth_side(oz_float4 lead, float side, oz_vec3 otherwise)
{
	const float length = oz_sqrt(lead.x * lead.x + lead.y * lead.y + lead.z * lead.z);
	const float turn =
	        (side < 0.0f ? -1.0f : 1.0f) * (side != 0.0f && lead.w < 0.0f ? -1.0f : 1.0f);
	const float d = side == 0.0f ? length : side * lead.w;
	// on the surface, or where the chart knows the distance alone
	if (!(length > 0.0f))
		return oz_make4(otherwise.x, otherwise.y, otherwise.z,
		                side == 0.0f ? oz_abs(lead.w) : d);
	const float inverse = turn / length;
	return oz_make4(lead.x * inverse, lead.y * inverse, lead.z * inverse, d);
}

// distance at which a flat wall has the share
OZ_FN float depth_of(OZ_GLOBAL const float *table, float share, float h)
{
	uint low = 0, high = OZ_WALL_TABLE;
	while (high - low > 1u) {
		const uint mid = (low + high) / 2u;
		if (table[OZ_WALL_COLUMNS * mid + OZ_WALL_SHARE] >= share)
			low = mid;
		else
			high = mid;
	}
	const float a = table[OZ_WALL_COLUMNS * low + OZ_WALL_SHARE];
	const float b = table[OZ_WALL_COLUMNS * high + OZ_WALL_SHARE];
	const float t = a > b ? oz_clamp((a - share) / (a - b), 0.0f, 1.0f) : 0.5f;
	return h * (2.0f * ((float)low + t) / (float)OZ_WALL_TABLE - 1.0f);
}

// What node (x, y, z) adds, as the solid and as the flat wall; `to` leads from it to the point that
// is looked at, of which `here` is the normal and the distance, and `away` the shift of the wall.
OZ_FN float depth_bit(const oz_depth_view *a, int x, int y, int z, oz_vec3 to, oz_float4 here,
                      float away)
{
	const float q = (float)a->rules.stride * a->rules.chart.cell;
	const float inv_h2 = 1.0f / (a->rules.h * a->rules.h), r2 = oz_dot(to, to);
	const oz_vec3 n = oz_v3(here.x, here.y, here.z);
	const float along = oz_dot(to, n);
	const float plane = here.w - along; // of the node, before the flat wall
	const float flat = oz_clamp(0.5f - plane / q, 0.0f, 1.0f);
	const oz_float4 lead = depth_lead(&a->rules.chart, a->places, a->leads, x, y, z);
	const oz_float4 there = depth_side(lead, a->rules.side, n);
	oz_vec3 face = oz_v3(there.x, there.y, there.z);
	float solid = oz_clamp(0.5f - there.w / q, 0.0f, 1.0f);
	// the tangent plane at the point of the surface nearest to the node
	float before = oz_dot(to, face) + there.w;
	const float alike = oz_dot(face, n);
	// deep in the solid, where the chart knows no more than that
	if (lead.x == 0.0f && lead.y == 0.0f && lead.z == 0.0f)
		before = here.w;
	// it lies behind a sheet, or beyond a thin wall
	if (there.w > 0.0f && before < 0.0f && plane < 0.0f && alike < -0.3f) {
		solid = oz_clamp(0.5f + there.w / q, 0.0f, 1.0f);
		face = n;
		before = here.w;
	}
	float sum = 0.0f;
	if (solid > 0.0f) {
		// a wall that bends moves as one, faces at an edge each by itself
		const float one = oz_max(alike, 0.0f);
		const float b = depth_shift(before + one * (here.w - before), a->rules.spacing);
		const oz_vec3 moved = oz_mad(oz_scale(face, 1.0f - one), n, one);
		const oz_vec3 seen = oz_mad(to, moved, b);
		sum = solid * depth_smooth(a->smooth, oz_dot(seen, seen) * inv_h2);
	}
	if (flat > 0.0f) {
		const float d2 = r2 + 2.0f * along * away + away * away;
		sum -= flat * depth_smooth(a->smooth, d2 * inv_h2);
	}
	return sum;
}

// where a flat wall at distance d seems to stand, as the table has it
OZ_FN float depth_seen(float d, float s)
{
	return d < 0.5f * s ? 2.0f * d - 0.5f * s : d + depth_shift(d, s);
}

// What the true form adds to the share of a flat wall `out` beyond node (x, y, z), where `here` is
// the normal and the distance.
OZ_FN float depth_excess(const oz_depth_view *a, int x, int y, int z, oz_float4 here, float out)
{
	const int stride = (int)a->rules.stride;
	const float q = (float)a->rules.stride * a->rules.chart.cell;
	// what mirroring may bring into the support
	const float reach = a->rules.h + 0.5f * a->rules.spacing;
	const int rows = (int)((reach + out) / q);
	const oz_vec3 at = oz_scale(oz_v3(here.x, here.y, here.z), out);
	const float away = depth_shift(here.w, a->rules.spacing);
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
				sum += depth_bit(a, x + stride * i, y + stride * j, z + stride * k,
				                 oz_v3(row.x - q * (float)i, row.y, row.z), here,
				                 away);
		}
	return a->rules.scale * q * q * q * sum;
}

#define chart_depth_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, places)                                                                           \
	IN(oz_float4, leads)                                                                       \
	IN(uint, where)                                                                            \
	IN(float, table) IN(float, smooth) OUT(oz_depth, depths) VAL(oz_depth_rules, rules)
OZ_KERNEL(chart_depth)
{
	const oz_depth_rules r = a->rules;
	const uint node = r.chart.block * OZ_CHART_NODES + i;
	const oz_float4 here = depth_side(a->leads[node], r.side, oz_v3(0.0f, 1.0f, 0.0f));
	const float d = here.w;
	// deep in the solid, where no particle is near, or out of reach
	if (d < -r.deep || d >= r.reach) {
		a->depths[node].level = oz_depth_level(d, d, r.h);
		return;
	}
	const oz_depth_place at = depth_place(&r.chart, a->where[i / OZ_CHART_NODES], i);
	oz_depth_view view;
	view.places = a->places;
	view.leads = a->leads;
	view.smooth = a->smooth;
	view.rules = r;
	// where the solid fills nearly all, the share tells little: the depth goes on as it begins
	const float out = oz_max(r.least - d, 0.0f);
	const oz_float4 from = oz_make4(here.x, here.y, here.z, d + out);
	const float excess = depth_excess(&view, at.x, at.y, at.z, from, out);
	const float share = excess + oz_wall_lookup(a->table, from.w / r.h, OZ_WALL_SHARE);
	// too little to tell a distance by: where the table ends
	const float told = share > 1e-4f ? depth_of(a->table, share, r.h) : r.reach;
	// Between layers λ hardly changes, and a distance told by it alone would leap. Where the
	// wall seems to stand does not leap; at the layers' places that goes twice as far.
	const float lies =
	        from.w + 0.5f * (depth_seen(told, r.spacing) - depth_seen(from.w, r.spacing));
	const float depth = oz_max(lies, -r.least);
	a->depths[node].level = oz_depth_level(excess == 0.0f ? d : depth - out, d, r.h);
}

// Whether a sheet passes between two nodes on the material's side, the first below the second along
// an axis: their leads go apart along it.
OZ_FN bool depth_parted(float low, float low_w, float high, float high_w, float side)
{
	const bool both = side == 0.0f || (side * low_w > 0.0f && side * high_w > 0.0f);
	return both && low < 0.0f && high > 0.0f;
}

OZ_FN float depth_along(oz_float4 lead, int axis)
{
	return axis == 0 ? lead.x : axis == 1 ? lead.y : lead.z;
}

// how depths change along an axis at a node, for a cell: between its neighbours, or from one of
// them where the other is not there or behind a sheet
OZ_FN float depth_change(OZ_GLOBAL const oz_depth *depths, OZ_GLOBAL const oz_float4 *leads,
                         uint from, uint here, uint to, int axis, float side)
{
	const oz_float4 own = leads[here];
	bool before = from < OZ_CHART_INSIDE, after = to < OZ_CHART_INSIDE;
	before = before && !depth_parted(depth_along(leads[from], axis), leads[from].w,
	                                 depth_along(own, axis), own.w, side);
	after = after && !depth_parted(depth_along(own, axis), own.w, depth_along(leads[to], axis),
	                               leads[to].w, side);
	if (!before && !after)
		return 0.0f;
	const float low = oz_depth_of(depths[before ? from : here].level);
	const float high = oz_depth_of(depths[after ? to : here].level);
	return (high - low) * (before && after ? 0.5f : 1.0f);
}

#define chart_slope_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, places)                                                                           \
	IN(oz_float4, leads)                                                                       \
	IN(uint, where) OUT(oz_depth, depths) VAL(oz_depth_rules, rules)
OZ_KERNEL(chart_slope)
{
	const oz_chart_frame f = a->rules.chart;
	const uint node = f.block * OZ_CHART_NODES + i;
	const oz_depth_place p = depth_place(&f, a->where[i / OZ_CHART_NODES], i);
	float change[3];
	for (int axis = 0; axis < 3; axis++) {
		const int x = axis == 0, y = axis == 1, z = axis == 2;
		const uint from = depth_node(&f, a->places, p.x - x, p.y - y, p.z - z);
		const uint to = depth_node(&f, a->places, p.x + x, p.y + y, p.z + z);
		change[axis] =
		        depth_change(a->depths, a->leads, from, node, to, axis, a->rules.side);
	}
	const float unit = 2.0f / 32767.0f * a->rules.h / f.cell;
	a->depths[node].slope =
	        oz_depth_slope(oz_scale(oz_v3(change[0], change[1], change[2]), unit));
}
