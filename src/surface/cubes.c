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

static float share_of_edge(float a, float b, float level)
{
	const float t = (level - a) / (b - a);
	return t < MIN_EDGE ? MIN_EDGE : t > 1.0f - MIN_EDGE ? 1.0f - MIN_EDGE : t;
}

static void place_patch(const march_task *t, const oz_patch *p, const float *values)
{
	const oz_cloud *f = &t->s->field;
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
				x[axis] += share_of_edge(value[0], value[stride[axis]], f->level);
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

// The number of the vertex on an edge that begins at a node, which may lie on the upper borders.
static uint32_t vertex_at(const march_task *t, const oz_patch *p, int axis, int x, int y, int z)
{
	const int side =
	        (x == OZ_BLOCK_CELLS) | (y == OZ_BLOCK_CELLS) << 1 | (z == OZ_BLOCK_CELLS) << 2;
	const oz_patch *owner = side ? &t->patches[p->beyond[side]] : p;
	const int layer = z % OZ_BLOCK_CELLS;
	const int node = x % OZ_BLOCK_CELLS + 8 * (y % OZ_BLOCK_CELLS);
	const uint64_t before = crossed(owner, layer, axis) & (((uint64_t)1 << node) - 1);
	return owner->vertex + owner->before[3 * layer + axis] +
	       (uint32_t)__builtin_popcountll(before);
}

static uint32_t vertex_of_edge(const march_task *t, const oz_patch *p, int node, int layer,
                               int edge)
{
	const int axis = edge / 4, next = (axis + 1) % 3, after = (axis + 2) % 3;
	int at[3] = {node % 8, node / 8, layer};
	at[next] += edge & 1;
	at[after] += edge >> 1 & 1;
	return vertex_at(t, p, axis, at[0], at[1], at[2]);
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

static void march_cell(const march_task *t, const oz_patch *p, int node, int layer,
                       march_cursor *at)
{
	const oz_cube *cube = &t->s->cubes[cube_at(p, layer, node)];
	uint32_t number[12 + OZ_CUBE_CENTRES];
	for (int edge = 0; edge < 12; edge++)
		if (cube->edges >> edge & 1)
			number[edge] = vertex_of_edge(t, p, node, layer, edge);
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
	for (uint32_t k = begin; k < end; k++) {
		const oz_patch *p = &t->patches[k];
		march_cursor at = {p->triangle, p->centre};
		for (int layer = 0; layer < OZ_BLOCK_CELLS; layer++)
			for (uint64_t left = passed(p, layer); left; left &= left - 1)
				march_cell(t, p, __builtin_ctzll(left), layer, &at);
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
