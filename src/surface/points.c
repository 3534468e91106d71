// points.c: the particles of a surface: those that are wanted, sorted by cells.
#include <math.h>
#include <string.h>

#include "device/radix.h"
#include "particles/particles.h"
#include "surface/surface.h"

#define CHUNK      4096u
#define TAKE_CHUNK 65536u

// ---- taking ------------------------------------------------------------------------------------

typedef struct take_task {
	oz_surface_choice choice;
	float limit; // m, beyond which the grid has no nodes
	oz_float4 *position;
	uint *order;
	uint32_t *taken; // of each chunk; then where its first goes
	uint32_t *bad;   // of each chunk: a position that is not finite
} take_task;

static oz_vec3 vec_at(oz_view view, size_t i)
{
	oz_vec3 v;
	memcpy(&v, (const char *)view.data + i * view.stride, sizeof v);
	return v;
}

static uint32_t number_at(oz_view view, size_t i)
{
	uint32_t v;
	memcpy(&v, (const char *)view.data + i * view.stride, sizeof v);
	return v;
}

static bool is_wanted(const take_task *t, size_t i, oz_vec3 x)
{
	const bool chosen =
	        t->choice.body == OZ_NONE || number_at(t->choice.input->body, i) == t->choice.body;
	return chosen && fabsf(x.x) < t->limit && fabsf(x.y) < t->limit && fabsf(x.z) < t->limit;
}

static void count_wanted(void *context, uint32_t begin, uint32_t end)
{
	const take_task *t = context;
	uint32_t taken = 0, bad = OZ_NONE;
	for (uint32_t i = begin; i < end; i++) {
		const oz_vec3 x = vec_at(t->choice.input->position, i);
		if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
			bad = bad < i ? bad : i;
		taken += is_wanted(t, i, x);
	}
	t->taken[begin / TAKE_CHUNK] = taken;
	t->bad[begin / TAKE_CHUNK] = bad;
}

static void copy_wanted(void *context, uint32_t begin, uint32_t end)
{
	const take_task *t = context;
	uint32_t at = t->taken[begin / TAKE_CHUNK];
	for (uint32_t i = begin; i < end; i++) {
		const oz_vec3 x = vec_at(t->choice.input->position, i);
		if (!is_wanted(t, i, x))
			continue;
		t->position[at] = oz_make4(x.x, x.y, x.z, 0.0f);
		t->order[at++] = i;
	}
}

static oz_result find_wanted(oz_surface *s, take_task *t, uint32_t count, oz_error *error)
{
	const uint32_t chunks = (count + TAKE_CHUNK - 1) / TAKE_CHUNK;
	s->points.count = 0;
	if (chunks == 0)
		return OZ_OK;
	oz_result result =
	        oz_store_need(s, &s->points.digits, chunks, 2 * sizeof(uint), false, error);
	if (result != OZ_OK)
		return result;
	t->taken = s->points.digits.data;
	t->bad = t->taken + chunks;
	oz_pool_run(s->pool, count, TAKE_CHUNK, count_wanted, t);
	uint32_t sum = 0;
	for (uint32_t c = 0; c < chunks; c++) {
		if (t->bad[c] != OZ_NONE)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "particle %u has no finite position; leave it out or run "
			               "again with a smaller cfl",
			               t->bad[c]);
		const uint32_t taken = t->taken[c];
		t->taken[c] = sum;
		sum += taken;
	}
	s->points.count = sum;
	return OZ_OK;
}

static oz_result take(oz_surface *s, oz_surface_choice choice, oz_error *error)
{
	oz_surface_points *p = &s->points;
	const uint32_t count = choice.input->position.count;
	take_task t = {.choice = choice,
	               .limit = (float)(OZ_BLOCK_LIMIT - 4) * OZ_BLOCK_CELLS * s->field.cell};
	oz_result result = find_wanted(s, &t, count, error);
	if (result == OZ_OK)
		result = oz_store_need(s, &p->gathered, p->count, sizeof(oz_float4), false, error);
	for (int k = 0; k < 4 && result == OZ_OK; k++)
		result = oz_store_need(s, &p->keys[k], p->count, sizeof(uint), false, error);
	t.position = p->gathered.data;
	t.order = p->keys[3].data;
	if (result == OZ_OK)
		oz_pool_run(s->pool, count, TAKE_CHUNK, copy_wanted, &t);
	return result;
}

// ---- sorting -----------------------------------------------------------------------------------

// cells that a block and its reach can touch along an axis
static uint32_t least_bits(const oz_cloud *f, float radius)
{
	const float cells = (OZ_BLOCK_CELLS * f->cell + 2.01f * f->reach) / radius + 3.0f;
	uint32_t bits = OZ_GRID_MIN_BITS;
	while ((float)(1u << bits) < cells)
		bits++;
	return bits;
}

static oz_grid choose_grid(const oz_surface *s, float radius)
{
	float axes[3][OZ_GRID_SAMPLE];
	const oz_float4 *position = s->points.gathered.data;
	const uint32_t count = s->points.count, stride = (count - 1) / OZ_GRID_SAMPLE + 1;
	uint32_t taken = 0;
	for (uint32_t i = 0; i < count; i += stride, taken++) {
		axes[0][taken] = position[i].x;
		axes[1][taken] = position[i].y;
		axes[2][taken] = position[i].z;
	}
	return oz_grid_fit(axes, taken, count, radius, least_bits(&s->field, radius));
}

typedef struct sort_task {
	const oz_grid *grid;
	const oz_float4 *from;
	oz_float4 *to;
	uint *key, *index, *start;
	const uint *order_from;
	uint *order_to;
	uint32_t count, cells;
} sort_task;

static void find_keys(void *context, uint32_t begin, uint32_t end)
{
	const sort_task *t = context;
	for (uint32_t i = begin; i < end; i++) {
		t->key[i] = oz_key_of(t->grid, oz_cell_of(t->grid, t->from[i]));
		t->index[i] = i;
	}
}

// particle i and its order to their place; cells from the last particle's to this one's begin here
static void put_in_place(void *context, uint32_t begin, uint32_t end)
{
	const sort_task *t = context;
	for (uint32_t i = begin; i < end; i++) {
		const uint first = i ? t->key[i - 1] + 1 : 0;
		const uint last = i < t->count ? t->key[i] : t->cells;
		for (uint c = first; c <= last && c <= t->cells; c++)
			t->start[c] = i;
		if (i == t->count)
			return;
		t->to[i] = t->from[t->index[i]];
		t->order_to[i] = t->order_from[t->index[i]];
	}
}

static oz_result sort(oz_surface *s, float radius, oz_error *error)
{
	oz_surface_points *p = &s->points;
	oz_cloud *f = &s->field;
	f->grid = choose_grid(s, radius);
	const uint32_t bits = f->grid.bits_x + f->grid.bits_y + f->grid.bits_z;
	oz_result result =
	        oz_store_need(s, &p->position, p->count + 16ull, sizeof(oz_float4), false, error);
	if (result == OZ_OK)
		result = oz_store_need(s, &p->order, p->count, sizeof(uint), false, error);
	if (result == OZ_OK)
		result = oz_store_need(s, &p->cell_start, (1ull << bits) + 1, sizeof(uint), false,
		                       error);
	if (result == OZ_OK)
		result = oz_store_need(s, &p->digits, oz_radix_digits(p->count), sizeof(uint),
		                       false, error);
	// keys[3] holds the order so far, the density's memory is spare
	if (result == OZ_OK)
		result = oz_store_need(s, &p->density, p->count, sizeof(float), false, error);
	if (result != OZ_OK)
		return result;
	sort_task t = {.grid = &f->grid,
	               .from = p->gathered.data,
	               .to = p->position.data,
	               .key = p->keys[0].data,
	               .index = p->keys[1].data,
	               .start = p->cell_start.data,
	               .order_from = p->keys[3].data,
	               .order_to = p->order.data,
	               .count = p->count,
	               .cells = 1u << bits};
	oz_pool_run(s->pool, p->count, CHUNK, find_keys, &t);
	oz_radix_sort(s->pool, t.key, t.index, p->keys[2].data, p->density.data, p->count, bits,
	              p->digits.data);
	oz_pool_run(s->pool, p->count + 1, CHUNK, put_in_place, &t);
	f->cell_start = p->cell_start.data;
	f->position = p->position.data;
	f->count = p->count;
	return OZ_OK;
}

oz_result oz_points_take(oz_surface *s, oz_surface_choice choice, oz_error *error)
{
	oz_result result = take(s, choice, error);
	s->field.count = 0;
	if (result != OZ_OK || s->points.count == 0)
		return result;
	return sort(s, oz_moment_radius(&s->def), error);
}
