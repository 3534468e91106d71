// cubes.c: marching cubes, patch by patch.
//
// The signs of a block's nodes are bits of eight words, so the edges that the surface crosses are
// found by shifting words and comparing. A vertex has no entry anywhere: its number is that of the
// block's first one plus the crossed edges before it, counted in the words. Vertices on a border
// belong to the block above it.
#include <math.h>

#include "surface/surface.h"

#define OWN      0x007f7f7f7f7f7f7fu // nodes of a layer that are not on the upper borders
#define MIN_EDGE 0.01f               // a vertex keeps this share of an edge from its ends

typedef struct march_task {
	oz_surface *s;
	oz_patch *patches;
	const float *values; // 512 for each patch
	oz_vec3 *position;
	uint32_t (*triangles)[3];
} march_task;

// edges along an axis that are crossed in a layer, by their lower nodes
static uint64_t crossed(const oz_patch *p, int layer, int axis)
{
	const uint64_t a = p->inside[layer];
	const uint64_t b = axis == 0 ? a >> 1 : axis == 1 ? a >> 8 : p->inside[layer + 1];
	return (a ^ b) & OWN;
}

// cells of a layer that the surface passes
static uint64_t passed(const oz_patch *p, int layer)
{
	const uint64_t a = p->inside[layer], b = p->inside[layer + 1];
	const uint64_t some = a | b, every = a & b;
	const uint64_t some_row = some | some >> 1, every_row = every & every >> 1;
	return (some_row | some_row >> 8) & ~(every_row & every_row >> 8) & OWN;
}

static int cube_at(const oz_patch *p, int layer, int node)
{
	const uint64_t a = p->inside[layer] >> node, b = p->inside[layer + 1] >> node;
	return (int)((a & 3) | (a >> 8 & 3) << 2 | (b & 3) << 4 | (b >> 8 & 3) << 6);
}

// ---- counting ----------------------------------------------------------------------------------

static void count_patch(const oz_surface *s, oz_patch *p)
{
	uint32_t vertices = 0, triangles = 0, centres = 0;
	for (int layer = 0; layer < OZ_BLOCK_CELLS; layer++) {
		for (int axis = 0; axis < 3; axis++) {
			p->before[3 * layer + axis] = (uint16_t)vertices;
			vertices += (uint32_t)__builtin_popcountll(crossed(p, layer, axis));
		}
		for (uint64_t left = passed(p, layer); left; left &= left - 1) {
			const oz_cube *cube = &s->cubes[cube_at(p, layer, __builtin_ctzll(left))];
			triangles += cube->triangle_count;
			centres += cube->centre_count;
		}
	}
	p->centre = vertices;
	p->vertex_count = vertices + centres;
	p->triangle_count = triangles;
}

static void count(void *context, uint32_t begin, uint32_t end)
{
	const march_task *t = context;
	for (uint32_t k = begin; k < end; k++) {
		oz_patch *p = &t->patches[k];
		count_patch(t->s, p);
		for (int side = 0; side < 8; side++)
			p->beyond[side] =
			        oz_blocks_patch(t->s, (oz_block){p->block.x + (side & 1),
			                                         p->block.y + (side >> 1 & 1),
			                                         p->block.z + (side >> 2)});
	}
}

// gives every patch its numbers; false if there are too many
static bool number_patches(oz_surface *s, oz_patch *patches)
{
	uint64_t vertices = 0, triangles = 0;
	for (uint32_t k = 0; k < s->blocks.patch_count; k++) {
		oz_patch *p = &patches[k];
		p->vertex = (uint32_t)vertices;
		p->triangle = (uint32_t)triangles;
		p->centre += p->vertex;
		vertices += p->vertex_count;
		triangles += p->triangle_count;
	}
	s->skin.vertex_count = (uint32_t)vertices;
	s->skin.triangle_count = (uint32_t)triangles;
	return vertices < OZ_NONE && triangles < OZ_NONE;
}

// ---- vertices ----------------------------------------------------------------------------------

// Kernels fall off as cubes: their roots are nearly straight between two nodes, the values are not.
static float straighten(const oz_cloud *f, float value)
{
	return f->distance ? value : cbrtf(value);
}

static float share_of_edge(float a, float b, float level)
{
	const float t = (level - a) / (b - a);
	return t < MIN_EDGE ? MIN_EDGE : t > 1.0f - MIN_EDGE ? 1.0f - MIN_EDGE : t;
}

static void place_patch(const march_task *t, const oz_patch *p, const float *values)
{
	const oz_cloud *f = &t->s->field;
	const float level = straighten(f, f->level);
	static const int stride[3] = {1, 8, 64};
	oz_vec3 *out = t->position + p->vertex;
	for (int layer = 0; layer < OZ_BLOCK_CELLS; layer++)
		for (int axis = 0; axis < 3; axis++)
			for (uint64_t left = crossed(p, layer, axis); left; left &= left - 1) {
				const int node = __builtin_ctzll(left);
				const float *value = values + 64 * layer + node;
				float x[3] = {(float)(p->block.x * OZ_BLOCK_CELLS + node % 8),
				              (float)(p->block.y * OZ_BLOCK_CELLS + node / 8),
				              (float)(p->block.z * OZ_BLOCK_CELLS + layer)};
				x[axis] += share_of_edge(straighten(f, value[0]),
				                         straighten(f, value[stride[axis]]), level);
				*out++ = oz_v3(x[0] * f->cell, x[1] * f->cell, x[2] * f->cell);
			}
}

static void place(void *context, uint32_t begin, uint32_t end)
{
	const march_task *t = context;
	for (uint32_t k = begin; k < end; k++)
		place_patch(t, &t->patches[k], t->values + (size_t)k * OZ_BLOCK_VALUES);
}

// ---- triangles ---------------------------------------------------------------------------------

// Numbers of the vertices on the edges that begin at each node of a block, upper borders included.
typedef struct edge_numbers {
	uint32_t at[3][OZ_BLOCK_VALUES];
} edge_numbers;

#define FIRST_X 0x0101010101010101u // nodes of a layer at the lower border
#define FIRST_Y 0x00000000000000ffu

// Writes the numbers of the vertices of a patch, which lies beyond the upper borders that the bits
// of `side` name, at the places that they have in the block below.
static void number_edges(edge_numbers *n, const oz_patch *p, int side)
{
	const uint64_t shown =
	        (side & 1 ? FIRST_X : ~(uint64_t)0) & (side & 2 ? FIRST_Y : ~(uint64_t)0);
	const int layers = side & 4 ? 1 : OZ_BLOCK_CELLS;
	const int shift = (side & 1 ? 7 : 0) + (side & 2 ? 56 : 0) + (side & 4 ? 448 : 0);
	for (int layer = 0; layer < layers; layer++)
		for (int axis = 0; axis < 3; axis++) {
			const uint64_t all = crossed(p, layer, axis);
			const uint32_t first = p->vertex + p->before[3 * layer + axis];
			uint32_t next = first;
			for (uint64_t left = all & shown; left; left &= left - 1) {
				const int node = __builtin_ctzll(left);
				const uint64_t before = all & (((uint64_t)1 << node) - 1);
				if (side)
					next = first + (uint32_t)__builtin_popcountll(before);
				n->at[axis][64 * layer + node + shift] = next++;
			}
		}
}

static oz_vec3 middle(const march_task *t, const uint32_t number[12], const uint8_t *loop)
{
	oz_vec3 sum = {0, 0, 0};
	for (int k = 1; k <= loop[0]; k++)
		sum = oz_add(sum, t->position[number[loop[k]]]);
	return oz_scale(sum, 1.0f / (float)loop[0]);
}

typedef struct march_cursor {
	uint32_t triangle, centre;
} march_cursor;

static void march_cell(const march_task *t, const oz_cube *cube, const edge_numbers *n, int node,
                       march_cursor *at)
{
	// from a cell's first node to that where each of its edges begins
	static const int begins[12] = {0, 8, 64, 72, 0, 64, 1, 65, 0, 1, 8, 9};
	uint32_t number[12 + OZ_CUBE_CENTRES];
	for (unsigned left = cube->edges; left; left &= left - 1) {
		const int edge = __builtin_ctz(left);
		number[edge] = n->at[edge / 4][node + begins[edge]];
	}
	for (int k = 0; k < cube->centre_count; k++) {
		t->position[at->centre] = middle(t, number, cube->loops[k]);
		number[12 + k] = at->centre++;
	}
	for (int k = 0; k < cube->triangle_count; k++, at->triangle++)
		for (int corner = 0; corner < 3; corner++)
			t->triangles[at->triangle][corner] = number[cube->triangles[k][corner]];
}

static void march(void *context, uint32_t begin, uint32_t end)
{
	const march_task *t = context;
	edge_numbers n;
	for (uint32_t k = begin; k < end; k++) {
		const oz_patch *p = &t->patches[k];
		march_cursor at = {p->triangle, p->centre};
		for (int side = 0; side < 8; side++)
			if (p->beyond[side] != OZ_NONE)
				number_edges(&n, &t->patches[p->beyond[side]], side);
		for (int layer = 0; layer < OZ_BLOCK_CELLS; layer++)
			for (uint64_t left = passed(p, layer); left; left &= left - 1) {
				const int node = __builtin_ctzll(left);
				march_cell(t, &t->s->cubes[cube_at(p, layer, node)], &n,
				           64 * layer + node, &at);
			}
	}
}

oz_result oz_cubes_march(oz_surface *s, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	march_task t = {.s = s, .patches = s->blocks.patch.data, .values = s->blocks.values.data};
	const uint32_t patches = s->blocks.patch_count;
	oz_pool_run(s->pool, patches, 16, count, &t);
	if (!number_patches(s, t.patches))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "the surface has more triangles than there are numbers for; use a "
		               "larger cell");
	oz_result result =
	        oz_store_need(s, &k->position, k->vertex_count, sizeof(oz_vec3), false, error);
	if (result == OZ_OK)
		result = oz_store_need(s, &k->triangles, k->triangle_count, 3 * sizeof(uint32_t),
		                       false, error);
	if (result != OZ_OK)
		return result;
	t.position = k->position.data;
	t.triangles = k->triangles.data;
	oz_pool_run(s->pool, patches, 16, place, &t);
	oz_pool_run(s->pool, patches, 16, march, &t);
	return OZ_OK;
}
