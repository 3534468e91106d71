// cubes.c: marching cubes, patch by patch.
//
// The signs of a block's nodes are the bits of eight 64-bit words, one for each layer. The edges
// that the surface crosses are found by shifting and comparing words. There is no table of
// vertices: the number of a vertex is the number of the block's first vertex plus the count of
// crossed edges before it. A vertex on the border of two blocks belongs to the block with the
// higher coordinate.
#include <math.h>

#include "surface/surface.h"

#define OWN      0x007f7f7f7f7f7f7fu // nodes of a layer that are not on the upper borders
#define MIN_EDGE 0.01f               // least distance of a vertex from an edge's ends, in edges

typedef struct march_task {
	oz_surface *s;
	oz_patch *patches;
	const float *values; // 512 for each patch
	oz_vec3 *position;
	uint32_t (*triangles)[3];
} march_task;

// Crossed edges of a layer along an axis: a bit at the lower node of each.
static uint64_t crossed_edges(const oz_patch *p, int layer, int axis)
{
	const uint64_t a = p->inside[layer];
	const uint64_t b = axis == 0 ? a >> 1 : axis == 1 ? a >> 8 : p->inside[layer + 1];
	return (a ^ b) & OWN;
}

// Cells of a layer that the surface passes: a bit at the lowest node of each.
static uint64_t passed_cells(const oz_patch *p, int layer)
{
	const uint64_t a = p->inside[layer], b = p->inside[layer + 1];
	const uint64_t some = a | b, every = a & b;
	const uint64_t some_row = some | some >> 1, every_row = every & every >> 1;
	return (some_row | some_row >> 8) & ~(every_row & every_row >> 8) & OWN;
}

// The signs of a cell's eight corners: index into the table of cubes.
static int cube_index(const oz_patch *p, int layer, int node)
{
	const uint64_t a = p->inside[layer] >> node, b = p->inside[layer + 1] >> node;
	return (int)((a & 3) | (a >> 8 & 3) << 2 | (b & 3) << 4 | (b >> 8 & 3) << 6);
}

// ---- counting ----------------------------------------------------------------------------------

// Counts vertices and triangles of a patch; `before`: vertices on earlier words of edges.
static void count_patch_elements(const oz_surface *s, oz_patch *p)
{
	uint32_t vertices = 0, triangles = 0, centres = 0;
	for (int layer = 0; layer < OZ_BLOCK_CELLS; layer++) {
		for (int axis = 0; axis < 3; axis++) {
			p->before[3 * layer + axis] = (uint16_t)vertices;
			vertices += (uint32_t)__builtin_popcountll(crossed_edges(p, layer, axis));
		}
		for (uint64_t left = passed_cells(p, layer); left; left &= left - 1) {
			const oz_cube *cube =
			        &s->cubes[cube_index(p, layer, __builtin_ctzll(left))];
			triangles += cube->triangle_count;
			centres += cube->centre_count;
		}
	}
	p->centre = vertices;
	p->vertex_count = vertices + centres;
	p->triangle_count = triangles;
}

// Pool task: counts patches [begin, end) and looks up their upper neighbours.
static void count(void *context, uint32_t begin, uint32_t end)
{
	const march_task *t = context;
	for (uint32_t k = begin; k < end; k++) {
		oz_patch *p = &t->patches[k];
		count_patch_elements(t->s, p);
		for (int side = 0; side < 8; side++)
			p->beyond[side] =
			        oz_blocks_patch(t->s, (oz_block){p->block.x + (side & 1),
			                                         p->block.y + (side >> 1 & 1),
			                                         p->block.z + (side >> 2)});
	}
}

// Assigns first vertex and first triangle to every patch; false if a number exceeds 32 bits.
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

// Kernels are cubes, (1 - q²)³: the cube root of the field is nearly linear between two nodes.
static float linearized(const oz_cloud *f, float value)
{
	return f->distance ? value : cbrtf(value);
}

// Where the level lies between the node values a and b: fraction of the edge, MIN_EDGE off its
// ends.
static float edge_fraction(float a, float b, float level)
{
	const float t = (level - a) / (b - a);
	return t < MIN_EDGE ? MIN_EDGE : t > 1.0f - MIN_EDGE ? 1.0f - MIN_EDGE : t;
}

// Computes the positions of the vertices on a patch's edges.
static void place_patch(const march_task *t, const oz_patch *p, const float *values)
{
	const oz_cloud *f = &t->s->field;
	const float level = linearized(f, f->level);
	static const int stride[3] = {1, 8, 64};
	oz_vec3 *out = t->position + p->vertex;
	for (int layer = 0; layer < OZ_BLOCK_CELLS; layer++)
		for (int axis = 0; axis < 3; axis++)
			for (uint64_t left = crossed_edges(p, layer, axis); left;
			     left &= left - 1) {
				const int node = __builtin_ctzll(left);
				const float *value = values + 64 * layer + node;
				float x[3] = {(float)(p->block.x * OZ_BLOCK_CELLS + node % 8),
				              (float)(p->block.y * OZ_BLOCK_CELLS + node / 8),
				              (float)(p->block.z * OZ_BLOCK_CELLS + layer)};
				x[axis] += edge_fraction(linearized(f, value[0]),
				                         linearized(f, value[stride[axis]]), level);
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

// Writes the vertex numbers of patch p into the table of the block below it. The bits of `side` say
// along which axes p lies one block higher (0: p is the block itself).
static void number_edges(edge_numbers *n, const oz_patch *p, int side)
{
	const uint64_t shown =
	        (side & 1 ? FIRST_X : ~(uint64_t)0) & (side & 2 ? FIRST_Y : ~(uint64_t)0);
	const int layers = side & 4 ? 1 : OZ_BLOCK_CELLS;
	const int shift = (side & 1 ? 7 : 0) + (side & 2 ? 56 : 0) + (side & 4 ? 448 : 0);
	for (int layer = 0; layer < layers; layer++)
		for (int axis = 0; axis < 3; axis++) {
			const uint64_t all = crossed_edges(p, layer, axis);
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

// Mean of the vertices of a loop; loop[0] is the number of its edges.
static oz_vec3 loop_centre(const march_task *t, const uint32_t number[12], const uint8_t *loop)
{
	oz_vec3 sum = {0, 0, 0};
	for (int k = 1; k <= loop[0]; k++)
		sum = oz_add(sum, t->position[number[loop[k]]]);
	return oz_scale(sum, 1.0f / (float)loop[0]);
}

// Next triangle and next centre vertex to write.
typedef struct march_cursor {
	uint32_t triangle, centre;
} march_cursor;

// Writes the triangles of one cell, and the vertices in the centres of its loops.
static void march_cell(const march_task *t, const oz_cube *cube, const edge_numbers *n, int node,
                       march_cursor *at)
{
	// offset from a cell's first node to the node where each of its edges begins
	static const int begins[12] = {0, 8, 64, 72, 0, 64, 1, 65, 0, 1, 8, 9};
	uint32_t number[12 + OZ_CUBE_CENTRES];
	for (unsigned left = cube->edges; left; left &= left - 1) {
		const int edge = __builtin_ctz(left);
		number[edge] = n->at[edge / 4][node + begins[edge]];
	}
	for (int k = 0; k < cube->centre_count; k++) {
		t->position[at->centre] = loop_centre(t, number, cube->loops[k]);
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
			for (uint64_t left = passed_cells(p, layer); left; left &= left - 1) {
				const int node = __builtin_ctzll(left);
				march_cell(t, &t->s->cubes[cube_index(p, layer, node)], &n,
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
		               "the surface has more vertices or triangles than 32-bit numbers can "
		               "count; use a larger cell");
	oz_result result =
	        oz_store_reserve(s, &k->position, k->vertex_count, sizeof(oz_vec3), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->triangles, k->triangle_count, 3 * sizeof(uint32_t),
		                          false, error);
	if (result != OZ_OK)
		return result;
	t.position = k->position.data;
	t.triangles = k->triangles.data;
	oz_pool_run(s->pool, patches, 16, place, &t);
	oz_pool_run(s->pool, patches, 16, march, &t);
	return OZ_OK;
}
