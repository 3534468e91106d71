// points.c: selects the particles of a surface and sorts them by cells of the search grid.
#include <math.h>
#include <string.h>

#include "device/radix.h"
#include "particles/particles.h"
#include "surface/surface.h"

#define CHUNK      4096u
#define TAKE_CHUNK 65536u

// ---- selection ---------------------------------------------------------------------------------

typedef struct select_task {
	oz_surface_choice choice;
	float limit; // m, beyond which the grid has no nodes
	oz_grid grid;
	uint *key, *order;
	uint32_t
	        *taken; // of each chunk: selected particles; later: index of its first selected one
	uint32_t *bad;  // of each chunk: first particle with a position that is not finite; OZ_NONE
} select_task;

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

// Whether particle i belongs to the chosen body.
static bool is_of_body(const select_task *t, size_t i)
{
	return t->choice.body == OZ_NONE || number_at(t->choice.input->body, i) == t->choice.body;
}

// Whether particle i, at x, belongs to the chosen body and lies within the limit.
static bool is_selected(const select_task *t, size_t i, oz_vec3 x)
{
	return is_of_body(t, i) && fabsf(x.x) < t->limit && fabsf(x.y) < t->limit &&
	       fabsf(x.z) < t->limit;
}

// Pool task, one chunk: counts the selected particles and finds a bad position.
static void count_selected(void *context, uint32_t begin, uint32_t end)
{
	const select_task *t = context;
	uint32_t taken = 0, bad = OZ_NONE;
	for (uint32_t i = begin; i < end; i++) {
		const oz_vec3 x = vec_at(t->choice.input->position, i);
		if (is_of_body(t, i) && !(isfinite(x.x) && isfinite(x.y) && isfinite(x.z)))
			bad = bad < i ? bad : i;
		taken += is_selected(t, i, x);
	}
	t->taken[begin / TAKE_CHUNK] = taken;
	t->bad[begin / TAKE_CHUNK] = bad;
}

// Counts the selected particles and finds where those of each chunk go; fails at a bad position.
static oz_result find_selected(oz_surface *s, select_task *t, uint32_t count, oz_error *error)
{
	const uint32_t chunks = (count + TAKE_CHUNK - 1) / TAKE_CHUNK;
	s->points.count = 0;
	if (chunks == 0)
		return OZ_OK;
	oz_result result =
	        oz_store_reserve(s, &s->points.digits, chunks, 2 * sizeof(uint), false, error);
	if (result != OZ_OK)
		return result;
	t->taken = s->points.digits.data;
	t->bad = t->taken + chunks;
	oz_pool_run(s->pool, count, TAKE_CHUNK, count_selected, t);
	uint32_t sum = 0;
	for (uint32_t c = 0; c < chunks; c++) {
		if (t->bad[c] != OZ_NONE)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "the position of particle %u is not finite; leave the "
			               "particle "
			               "out or run again with a smaller cfl",
			               t->bad[c]);
		const uint32_t taken = t->taken[c];
		t->taken[c] = sum;
		sum += taken;
	}
	s->points.count = sum;
	return OZ_OK;
}

// ---- sorting -----------------------------------------------------------------------------------

// log2 of the least number of cells along an axis: a block and its reach must not wrap around.
static uint32_t least_bits(const oz_cloud *f, float radius)
{
	const float cells = (OZ_BLOCK_CELLS * f->cell + 2.01f * f->reach) / radius + 3.0f;
	uint32_t bits = OZ_GRID_MIN_BITS;
	while ((float)(1u << bits) < cells)
		bits++;
	return bits;
}

// Chooses the search grid from a sample of the selected particles.
static oz_grid choose_grid(const oz_surface *s, const select_task *t)
{
	float axes[3][OZ_GRID_SAMPLE];
	const float radius = oz_moment_radius(&s->def);
	const oz_view view = t->choice.input->position;
	const uint32_t stride = (view.count - 1) / OZ_GRID_SAMPLE + 1;
	uint32_t taken = 0;
	for (uint32_t i = 0; i < view.count; i += stride) {
		const oz_vec3 x = vec_at(view, i);
		if (!is_selected(t, i, x))
			continue;
		axes[0][taken] = x.x, axes[1][taken] = x.y, axes[2][taken] = x.z;
		taken++;
	}
	return oz_grid_fit(axes, taken, s->points.count, radius, least_bits(&s->field, radius));
}

// Pool task, one chunk: writes cell key and input number of the selected particles.
static void find_keys(void *context, uint32_t begin, uint32_t end)
{
	const select_task *t = context;
	uint32_t at = t->taken[begin / TAKE_CHUNK];
	for (uint32_t i = begin; i < end; i++) {
		const oz_vec3 x = vec_at(t->choice.input->position, i);
		if (!is_selected(t, i, x))
			continue;
		const oz_cell cell = oz_cell_of(&t->grid, oz_make4(x.x, x.y, x.z, 0.0f));
		t->key[at] = oz_key_of(&t->grid, cell);
		t->order[at++] = i;
	}
}

typedef struct place_task {
	oz_view view;
	const uint *key, *order;
	oz_float4 *position;
	uint *start;
	uint32_t count, cells;
} place_task;

// Pool task: copies the position of sorted particle i. The cells after the cell of particle i - 1,
// up to its own cell, begin at i.
static void place_sorted(void *context, uint32_t begin, uint32_t end)
{
	const place_task *t = context;
	for (uint32_t i = begin; i < end; i++) {
		const uint first = i ? t->key[i - 1] + 1 : 0;
		const uint last = i < t->count ? t->key[i] : t->cells;
		for (uint c = first; c <= last && c <= t->cells; c++)
			t->start[c] = i;
		if (i == t->count)
			return;
		const oz_vec3 x = vec_at(t->view, t->order[i]);
		t->position[i] = oz_make4(x.x, x.y, x.z, 0.0f);
	}
}

// particles of padding: SIMD vectors read beyond the last particle
#define BEYOND 16ull

static oz_result reserve(oz_surface *s, uint32_t bits, oz_error *error)
{
	oz_surface_points *p = &s->points;
	oz_result result = oz_store_reserve(s, &p->position, p->count + BEYOND, sizeof(oz_float4),
	                                    false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &p->order, p->count, sizeof(uint), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &p->density, p->count, sizeof(float), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &p->cell_start, (1ull << bits) + 1, sizeof(uint),
		                          false, error);
	return result;
}

// Sorts the selected particles by cell. The memory of the densities holds the keys meanwhile, that
// of the positions the spare arrays of the sort.
static oz_result sort(oz_surface *s, select_task *t, oz_error *error)
{
	oz_surface_points *p = &s->points;
	const uint32_t bits = t->grid.bits_x + t->grid.bits_y + t->grid.bits_z;
	const oz_view view = t->choice.input->position;
	oz_result result = reserve(s, bits, error);
	if (result != OZ_OK)
		return result;
	t->key = p->density.data;
	t->order = p->order.data;
	oz_pool_run(s->pool, view.count, TAKE_CHUNK, find_keys, t);
	result = oz_store_reserve(s, &p->digits, oz_radix_digits(p->count), sizeof(uint), false,
	                          error);
	if (result != OZ_OK)
		return result;
	uint *spare = p->position.data;
	oz_radix_sort(s->pool, t->key, t->order, spare, spare + p->count, p->count, bits,
	              p->digits.data);
	place_task place = {.view = view,
	                    .key = t->key,
	                    .order = t->order,
	                    .position = p->position.data,
	                    .start = p->cell_start.data,
	                    .count = p->count,
	                    .cells = 1u << bits};
	oz_pool_run(s->pool, p->count + 1, CHUNK, place_sorted, &place);
	return OZ_OK;
}

oz_result oz_points_sort(oz_surface *s, oz_surface_choice choice, oz_error *error)
{
	oz_cloud *f = &s->field;
	select_task t = {.choice = choice,
	                 .limit = (float)(OZ_BLOCK_LIMIT - 4) * OZ_BLOCK_CELLS * f->cell};
	f->count = 0;
	oz_result result = find_selected(s, &t, choice.input->position.count, error);
	if (result != OZ_OK || s->points.count == 0)
		return result;
	t.grid = choose_grid(s, &t);
	result = sort(s, &t, error);
	if (result != OZ_OK)
		return result;
	f->grid = t.grid;
	f->cell_start = s->points.cell_start.data;
	f->position = s->points.position.data;
	f->count = s->points.count;
	return OZ_OK;
}
