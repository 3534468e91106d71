// field_simd.h: computes the field at the nodes of a block, with SIMD vectors of nodes.
#ifndef OZ_FIELD_SIMD_H
#define OZ_FIELD_SIMD_H

#include "particles/candidates_simd.h"
#include "surface/field.h"

#define COLLECT 1024u // particles that are collected for a block at a time
#define LAYER   64    // nodes of a layer

static inline void store_lane(float *p, lane v)
{
	memcpy(p, &v, sizeof v);
}

// ---- particles near a block --------------------------------------------------------------------

// Iterates over the particles of the cells that touch a box, in the order z, y, x of the cells. The
// grid wraps around; it has more cells along each axis than a box can touch.
typedef struct walk {
	const oz_cloud *f;
	float low[3], high[3];   // m, the block's box
	uint first[3], count[3]; // cells
	uint row;                // of count[1] · count[2]
	bool second;             // the part of the row after the wrap-around
	uint at, end;            // particles of the current part of a row
	bool done;
} walk;

// Sets at and end to the particles of the current part of the current row.
static void walk_set_range(walk *w)
{
	const oz_grid *g = &w->f->grid;
	const uint y = (w->first[1] + w->row % w->count[1]) & ((1u << g->bits_y) - 1u);
	const uint z = (w->first[2] + w->row / w->count[1]) & ((1u << g->bits_z) - 1u);
	const uint row = oz_row_of(g, y, z) << g->bits_x, cells = 1u << g->bits_x;
	const uint last = w->first[0] + w->count[0]; // beyond, unwrapped
	const uint begin = w->second ? 0 : w->first[0];
	const uint end = w->second ? last - cells : last < cells ? last : cells;
	w->at = w->f->cell_start[row + begin];
	w->end = w->f->cell_start[row + end];
}

// Goes on to the next part of the row, or to the next row; sets `done` after the last.
static void walk_next(walk *w)
{
	const bool wraps = w->first[0] + w->count[0] > 1u << w->f->grid.bits_x;
	if (wraps && !w->second) {
		w->second = true;
	} else {
		w->second = false;
		w->row++;
	}
	w->done = w->row == w->count[1] * w->count[2];
	if (!w->done)
		walk_set_range(w);
}

// Starts at the first cell within reach of block b.
static walk walk_begin(const oz_cloud *f, oz_block b)
{
	walk w = {.f = f};
	const oz_grid *g = &f->grid;
	const float periods[3] = {g->period_x, g->period_y, g->period_z};
	const uint bits[3] = {g->bits_x, g->bits_y, g->bits_z};
	const int block[3] = {b.x, b.y, b.z};
	const float margin = f->reach * 1.001f;
	for (int k = 0; k < 3; k++) {
		w.low[k] = (float)(block[k] * OZ_BLOCK_CELLS) * f->cell;
		w.high[k] = (float)((block[k] + 1) * OZ_BLOCK_CELLS) * f->cell;
		const float width = w.high[k] - w.low[k] + 2.0f * margin;
		w.first[k] = oz_wrap(w.low[k] - margin, periods[k], g->inv_cell, bits[k]);
		w.count[k] = (uint)(width * g->inv_cell) + 2u;
		if (w.count[k] > 1u << bits[k])
			w.count[k] = 1u << bits[k];
	}
	walk_set_range(&w);
	return w;
}

// Distance of x from the interval [low, high]; 0 inside.
static inline lane interval_distance(lane x, float low, float high)
{
	return lane_max(lane_max(low - x, x - high), lane_of(0.0f));
}

// Particles within reach of a block, as arrays.
typedef struct near_block {
	_Alignas(64) float x[COLLECT + OZ_LANES];
	_Alignas(64) float y[COLLECT + OZ_LANES];
	_Alignas(64) float z[COLLECT + OZ_LANES];
	_Alignas(64) float w[COLLECT + OZ_LANES];
	_Alignas(64) uint index[COLLECT + OZ_LANES];
	uint count;
} near_block;

// Writes the lanes whose bit is set, one after the other.
static inline void pack_floats(float *to, lane from, uint bits)
{
	_Alignas(64) uint words[OZ_LANES], packed[OZ_LANES];
	memcpy(words, &from, sizeof words);
	lane_pack(packed, words, bits);
	memcpy(to, packed, sizeof packed);
}

// Appends the particles of the lanes whose bit is set in `near`.
static void append_near(near_block *n, lane4 p, const uint *numbers, uint near)
{
	pack_floats(n->x + n->count, p.x, near);
	pack_floats(n->y + n->count, p.y, near);
	pack_floats(n->z + n->count, p.z, near);
	pack_floats(n->w + n->count, p.w, near);
	lane_pack(n->index + n->count, numbers, near);
	n->count += (uint)__builtin_popcount(near);
}

// Replaces n by the next particles within reach of the box, at most COLLECT; count 0: no more.
static void walk_collect(walk *w, near_block *n)
{
	const float reach2 = w->f->reach * w->f->reach;
	n->count = 0;
	while (!w->done && n->count + OZ_LANES <= COLLECT) {
		if (w->at >= w->end) {
			walk_next(w);
			continue;
		}
		const lane_mask numbers = lane_iota() + (int32_t)w->at;
		uint index[OZ_LANES];
		memcpy(index, &numbers, sizeof index);
		// positions have room for a vector beyond the last
		const lane4 p = lane_fetch((const float *)w->f->position, index);
		const lane x = interval_distance(p.x, w->low[0], w->high[0]);
		const lane y = interval_distance(p.y, w->low[1], w->high[1]);
		const lane z = interval_distance(p.z, w->low[2], w->high[2]);
		const uint left = w->end - w->at;
		uint near = lane_less(x * x + y * y + z * z, reach2);
		if (left < OZ_LANES)
			near &= (1u << left) - 1u;
		append_near(n, p, index, near);
		w->at += left < OZ_LANES ? left : OZ_LANES;
	}
}

// ---- bounds ------------------------------------------------------------------------------------

// Distance of x from the far_end_distance end of the interval [low, high].
static inline lane far_end_distance(lane x, float low, float high)
{
	return lane_max(x - low, high - x);
}

// Squared distances (m²) to the nearest and to the farthest point of the box.
static inline lane near2_of(const walk *w, lane x, lane y, lane z)
{
	const lane a = interval_distance(x, w->low[0], w->high[0]),
	           b = interval_distance(y, w->low[1], w->high[1]);
	const lane c = interval_distance(z, w->low[2], w->high[2]);
	return a * a + b * b + c * c;
}

static inline lane far2_of(const walk *w, lane x, lane y, lane z)
{
	const lane a = far_end_distance(x, w->low[0], w->high[0]),
	           b = far_end_distance(y, w->low[1], w->high[1]);
	const lane c = far_end_distance(z, w->low[2], w->high[2]);
	return a * a + b * b + c * c;
}

// (1 - q²)³, 0 from q = 1 on.
static inline lane kernel_of(lane q2)
{
	const lane t = lane_max(1.0f - q2, lane_of(0.0f));
	return t * t * t;
}

// The greatest lane.
static inline float greatest(lane a)
{
	float values[OZ_LANES], most = -OZ_FAR;
	memcpy(values, &a, sizeof values);
	for (int k = 0; k < OZ_LANES; k++)
		most = values[k] > most ? values[k] : most;
	return most;
}

// Fills the last vector with particles of weight 0 at a great distance.
static void pad_near(near_block *n)
{
	for (uint k = 0; k < OZ_LANES; k++) {
		n->x[n->count + k] = OZ_FAR;
		n->y[n->count + k] = n->z[n->count + k] = n->w[n->count + k] = 0.0f;
	}
}

// Whether the level may lie between a lower and an upper bound of the sum in the box. Nodes are
// summed in another order and rounded differently: the bounds are widened by a tolerance.
static bool sum_may_cross(const walk *w, near_block *n)
{
	const float inv_r2 = 1.0f / (w->f->reach * w->f->reach), doubt = 1e-4f;
	lane least = lane_of(0.0f), most = least;
	pad_near(n);
	for (uint k = 0; k < n->count; k += OZ_LANES) {
		const lane x = load_lane(n->x + k), y = load_lane(n->y + k),
		           z = load_lane(n->z + k);
		const lane weight = load_lane(n->w + k);
		least += weight * kernel_of(far2_of(w, x, y, z) * inv_r2);
		most += weight * kernel_of(near2_of(w, x, y, z) * inv_r2);
	}
	return lane_sum(least) - doubt < w->f->level && lane_sum(most) + doubt > w->f->level;
}

// A lower bound, over the box, of max_j (b_j - |x - x_j|): the least of the bounds of its eighths.
// An eighth gives a higher bound than the whole box.
static float distance_floor(const walk *w, const near_block *n)
{
	float floor = OZ_FAR;
	for (int part = 0; part < 8; part++) {
		walk eighth = *w;
		for (int k = 0; k < 3; k++) {
			const float middle = 0.5f * (w->low[k] + w->high[k]);
			*(part >> k & 1 ? &eighth.low[k] : &eighth.high[k]) = middle;
		}
		lane least = lane_of(-OZ_FAR);
		for (uint k = 0; k < n->count; k += OZ_LANES) {
			const lane far2 = far2_of(&eighth, load_lane(n->x + k), load_lane(n->y + k),
			                          load_lane(n->z + k));
			least = lane_max(least, load_lane(n->w + k) - lane_sqrt(far2));
		}
		floor = oz_min(floor, greatest(least));
	}
	return floor;
}

// Removes particles whose value b - |x - x_j| is below `floor` in the whole box: they are never the
// maximum. high: upper bounds of the values.
static void remove_below(near_block *n, const lane *high, float floor)
{
	const uint count = n->count;
	n->count = 0;
	for (uint k = 0; k < count; k += OZ_LANES) {
		const lane4 p = {load_lane(n->x + k), load_lane(n->y + k), load_lane(n->z + k),
		                 load_lane(n->w + k)};
		uint index[OZ_LANES];
		memcpy(index, n->index + k, sizeof index);
		uint keep = ~lane_less(high[k / OZ_LANES], floor);
		keep &= count - k < OZ_LANES ? (1u << (count - k)) - 1u
		                             : (1u << (OZ_LANES - 1)) * 2u - 1u;
		append_near(n, p, index, keep);
	}
}

// As sum_may_cross for the distance field; also removes particles that are never the maximum.
static bool distance_may_cross(const walk *w, near_block *n)
{
	const float doubt = 1e-4f * w->f->reach;
	lane most = lane_of(-OZ_FAR), high[COLLECT / OZ_LANES + 1];
	pad_near(n);
	for (uint k = 0; k < n->count; k += OZ_LANES) {
		const lane near2 =
		        near2_of(w, load_lane(n->x + k), load_lane(n->y + k), load_lane(n->z + k));
		high[k / OZ_LANES] = load_lane(n->w + k) - lane_sqrt(near2);
		most = lane_max(most, high[k / OZ_LANES]);
	}
	if (greatest(most) + doubt <= w->f->level)
		return false;
	const float floor = distance_floor(w, n) - doubt;
	remove_below(n, high, floor);
	return floor < w->f->level;
}

// Whether the surface may pass the box; for the smooth kind, whether any particle is near.
static bool may_cross(const walk *w, near_block *n)
{
	if (w->f->shapes)
		return n->count > 0;
	return w->f->distance ? distance_may_cross(w, n) : sum_may_cross(w, n);
}

// ---- nodes -------------------------------------------------------------------------------------

// Two blocks compute the nodes that they share and must get the same bits. Products are fused
// explicitly, so that the compiler cannot fuse them in one row of a block and not in another.

// Positions of a block's nodes (m): x and y are the same in every layer.
typedef struct node_layer {
	_Alignas(64) float x[LAYER];
	_Alignas(64) float y[LAYER];
	float z[OZ_BLOCK_NODES];
} node_layer;

static void place_nodes(node_layer *n, const oz_cloud *f, oz_block b)
{
	for (int k = 0; k < LAYER; k++) {
		n->x[k] = (float)(b.x * OZ_BLOCK_CELLS + k % OZ_BLOCK_NODES) * f->cell;
		n->y[k] = (float)(b.y * OZ_BLOCK_CELLS + k / OZ_BLOCK_NODES) * f->cell;
	}
	for (int k = 0; k < OZ_BLOCK_NODES; k++)
		n->z[k] = (float)(b.z * OZ_BLOCK_CELLS + k) * f->cell;
}

typedef struct node_range {
	int first, last; // in the block
} node_range;

// Nodes of a block along one axis within `extent` of x; first > last: none.
static inline node_range nodes_near(float x, float extent, float inv_cell, int block)
{
	const int first = (int)ceilf((x - extent) * inv_cell) - block * OZ_BLOCK_CELLS;
	const int last = (int)floorf((x + extent) * inv_cell) - block * OZ_BLOCK_CELLS;
	return (node_range){first > 0 ? first : 0,
	                    last < OZ_BLOCK_NODES - 1 ? last : OZ_BLOCK_NODES - 1};
}

// first SIMD vector of a row of nodes, and the one after its last
#define VECTOR_OF(row)     ((row)*OZ_BLOCK_NODES / OZ_LANES)
#define VECTOR_BEYOND(row) (((row + 1) * OZ_BLOCK_NODES + OZ_LANES - 1) / OZ_LANES)

// Adds an isotropic kernel of weight p.w to the nodes of the rows y and layers z.
static void add_round(const node_layer *n, float *values, oz_float4 p, float inv_r2, node_range y,
                      node_range z)
{
	for (int k = z.first; k <= z.last; k++) {
		const float dz = n->z[k] - p.z, from = 1.0f - dz * dz * inv_r2;
		for (int v = VECTOR_OF(y.first); v < VECTOR_BEYOND(y.last); v++) {
			float *value = values + k * LAYER + v * OZ_LANES;
			const lane dx = load_lane(n->x + v * OZ_LANES) - p.x;
			const lane dy = load_lane(n->y + v * OZ_LANES) - p.y;
			const lane r2 = lane_fused(dx, dx, dy * dy);
			const lane t = lane_max(lane_fused(r2, lane_of(-inv_r2), lane_of(from)),
			                        lane_of(0.0f));
			store_lane(value, lane_fused(p.w * t * t, t, load_lane(value)));
		}
	}
}

// Adds an anisotropic kernel to the nodes of the rows y and layers z.
static void add_ellipsoid(const node_layer *n, float *values, const oz_ellipsoid *b, node_range y,
                          node_range z)
{
	for (int k = z.first; k <= z.last; k++) {
		const float dz = n->z[k] - b->z, from = 1.0f - b->zz * dz * dz;
		const float by_x = b->xz * dz, by_y = b->yz * dz;
		for (int v = VECTOR_OF(y.first); v < VECTOR_BEYOND(y.last); v++) {
			float *value = values + k * LAYER + v * OZ_LANES;
			const lane dx = load_lane(n->x + v * OZ_LANES) - b->x;
			const lane dy = load_lane(n->y + v * OZ_LANES) - b->y;
			const lane of_y = lane_fused(lane_of(b->yy), dy, lane_of(by_y));
			const lane of_x = lane_fused(lane_of(b->xy), dy, lane_of(by_x));
			const lane q2 =
			        lane_fused(dx, lane_fused(lane_of(b->xx), dx, of_x), dy * of_y);
			const lane t = lane_max(from - q2, lane_of(0.0f));
			store_lane(value, lane_fused(b->weight * t * t, t, load_lane(value)));
		}
	}
}

// b has one of two values. For either, the squared distance (m²) to the nearest particle is kept;
// square roots are taken once at the end.
typedef struct node_distances {
	_Alignas(64) float skin2[OZ_BLOCK_VALUES], within2[OZ_BLOCK_VALUES];
} node_distances;

// Lowers the squared distances of the nodes of the rows y and layers z to those from p.
static void add_distance(const node_layer *n, float *nearest2, oz_float4 p, node_range y,
                         node_range z)
{
	for (int k = z.first; k <= z.last; k++) {
		const float dz = n->z[k] - p.z, dz2 = dz * dz;
		for (int v = VECTOR_OF(y.first); v < VECTOR_BEYOND(y.last); v++) {
			float *value = nearest2 + k * LAYER + v * OZ_LANES;
			const lane dx = load_lane(n->x + v * OZ_LANES) - p.x;
			const lane dy = load_lane(n->y + v * OZ_LANES) - p.y;
			const lane r2 = lane_fused(dx, dx, dy * dy) + dz2;
			store_lane(value, lane_min(load_lane(value), r2));
		}
	}
}

static void add_distances(const oz_cloud *f, const node_layer *n, oz_block block, node_distances *d,
                          const near_block *near)
{
	const float inv_cell = 1.0f / f->cell;
	for (uint k = 0; k < near->count; k++) {
		const oz_float4 p = oz_make4(near->x[k], near->y[k], near->z[k], near->w[k]);
		add_distance(n, p.w > 0.0f ? d->within2 : d->skin2, p,
		             nodes_near(p.y, f->reach, inv_cell, block.y),
		             nodes_near(p.z, f->reach, inv_cell, block.z));
	}
}

// values = max(-skin, bonus - within).
static void join_distances(const oz_cloud *f, const node_distances *d, float *values)
{
	for (int k = 0; k < OZ_BLOCK_VALUES; k += OZ_LANES) {
		const lane skin = -lane_sqrt(load_lane(d->skin2 + k));
		const lane within = f->bonus - lane_sqrt(load_lane(d->within2 + k));
		store_lane(values + k, lane_max(skin, within));
	}
}

// Adds the kernel of the k-th collected particle to the nodes of the block.
static void add_particle(const oz_cloud *f, const node_layer *n, oz_block block, float *values,
                         const near_block *near, uint k)
{
	const float inv_cell = 1.0f / f->cell;
	if (f->shapes) {
		const oz_ellipsoid *b = &f->shapes[near->index[k]].ellipsoid;
		const node_range x = nodes_near(b->x, b->extent_x, inv_cell, block.x);
		if (x.first <= x.last)
			add_ellipsoid(n, values, b,
			              nodes_near(b->y, b->extent_y, inv_cell, block.y),
			              nodes_near(b->z, b->extent_z, inv_cell, block.z));
		return;
	}
	const oz_float4 p = oz_make4(near->x[k], near->y[k], near->z[k], near->w[k]);
	add_round(n, values, p, 1.0f / (f->reach * f->reach),
	          nodes_near(p.y, f->reach, inv_cell, block.y),
	          nodes_near(p.z, f->reach, inv_cell, block.z));
}

// Sets a bit for each node at or above the level; false if all bits are equal.
static bool find_inside(const float *values, float level, uint64_t inside[OZ_BLOCK_NODES])
{
	uint64_t some = 0, every = ~(uint64_t)0;
	for (int k = 0; k < OZ_BLOCK_NODES; k++) {
		uint64_t below = 0;
		for (int v = 0; v < LAYER / OZ_LANES; v++)
			below |= (uint64_t)lane_less(load_lane(values + k * LAYER + v * OZ_LANES),
			                             level)
			         << v * OZ_LANES;
		inside[k] = ~below;
		some |= inside[k];
		every &= inside[k];
	}
	return some != 0 && every != ~(uint64_t)0;
}

// sums the kernels of the particles near a block at its nodes
static void sample_sum(walk *w, near_block *near, oz_block block, float values[OZ_BLOCK_VALUES])
{
	node_layer n;
	place_nodes(&n, w->f, block);
	memset(values, 0, sizeof(float) * OZ_BLOCK_VALUES);
	for (; near->count; walk_collect(w, near))
		for (uint k = 0; k < near->count; k++)
			add_particle(w->f, &n, block, values, near, k);
}

static void sample_distance(walk *w, near_block *near, oz_block block,
                            float values[OZ_BLOCK_VALUES])
{
	node_layer n;
	node_distances d;
	place_nodes(&n, w->f, block);
	for (int k = 0; k < OZ_BLOCK_VALUES; k++)
		d.skin2[k] = d.within2[k] = w->f->reach * w->f->reach;
	for (; near->count; walk_collect(w, near))
		add_distances(w->f, &n, block, &d, near);
	join_distances(w->f, &d, values);
}

// oz_sample_block_fn.
static bool sample_block(const oz_cloud *f, oz_block block, float values[OZ_BLOCK_VALUES],
                         uint64_t inside[OZ_BLOCK_NODES])
{
	near_block near;
	walk w = walk_begin(f, block);
	walk_collect(&w, &near);
	if (w.done && !may_cross(&w, &near))
		return false;
	(f->distance ? sample_distance : sample_sum)(&w, &near, block, values);
	return find_inside(values, f->level, inside);
}

#endif
