// links_table.c: the table of links: made anew with the neighbour lists, saved, checked.
//
// A new table has the links of the old one that are not broken, with their rest lengths, and links
// with neighbours that have come within reach since.
//
// The new table replaces the old one only when it is complete, so that a step that runs out of
// memory can be repeated.
#include <math.h>

#include "boundary/boundary.h"
#include "models/links/links.h"

#include "models/links/links_table.cl"

#define PADDING 16u // entries behind the last row that a vector may read

static oz_result no_memory(oz_error *error, uint32_t particles)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the links of %u particles; use a larger spacing or a "
	               "smaller extensibility",
	               particles);
}

// ---- memory ------------------------------------------------------------------------------------

void oz_link_table_free(oz_device *d, oz_link_table *t)
{
	d->ops->release(d, t->list, sizeof *t->list * t->capacity);
	d->ops->release(d, t->rest, sizeof *t->rest * t->capacity);
	d->ops->release(d, t->start, sizeof *t->start * t->row_capacity);
	d->ops->release(d, t->count, sizeof *t->count * t->row_capacity);
	*t = (oz_link_table){0};
}

// frees list and rest
static void release_entries(oz_device *d, oz_link_table *t)
{
	d->ops->release(d, t->list, sizeof *t->list * t->capacity);
	d->ops->release(d, t->rest, sizeof *t->rest * t->capacity);
	t->list = NULL;
	t->rest = NULL;
	t->capacity = 0;
}

// allocates a number of entries; keeps the old buffers if they are large enough
static bool alloc_entries(oz_device *d, oz_link_table *t, uint64_t entries)
{
	static const uint zeros[PADDING];
	t->used = entries;
	if (t->capacity < entries + PADDING) {
		release_entries(d, t);
		t->capacity = entries + entries / 4 + PADDING;
		t->list = d->ops->alloc(d, sizeof *t->list * t->capacity);
		t->rest = d->ops->alloc(d, sizeof *t->rest * t->capacity);
	}
	if (!t->list || !t->rest)
		return false;
	// rows of a GPU have spare entries, which the hash sees
	if (d->stride > 1) {
		d->ops->clear(d, t->list, sizeof *t->list * entries);
		d->ops->clear(d, t->rest, sizeof *t->rest * entries);
	}
	// a vector may read behind the last row: these entries must be valid particles
	d->ops->write(d, t->list, sizeof *t->list * entries, zeros, sizeof zeros);
	d->ops->write(d, t->rest, sizeof *t->rest * entries, zeros, sizeof zeros);
	return true;
}

// makes start and count large enough for a number of rows; false: out of memory
static bool alloc_rows(oz_device *d, oz_link_table *t, uint32_t rows)
{
	t->rows = rows;
	if (t->row_capacity < rows + 1) { // at least one: alloc(0) returns NULL
		d->ops->release(d, t->start, sizeof *t->start * t->row_capacity);
		d->ops->release(d, t->count, sizeof *t->count * t->row_capacity);
		t->row_capacity = rows + rows / 4 + 1;
		t->start = d->ops->alloc(d, sizeof *t->start * t->row_capacity);
		t->count = d->ops->alloc(d, sizeof *t->count * t->row_capacity);
	}
	return t->start && t->count;
}

// ---- making ------------------------------------------------------------------------------------

// scratch of making a table
typedef struct build_work {
	uint *particle, *room;
	oz_u64 *made;
	oz_link_renewal renewal;
	float least2, most2; // m², see link_view
} build_work;

static void give_work(oz_sim *sim, build_work *k)
{
	oz_scratch_give(&sim->scratch, k->particle);
	oz_scratch_give(&sim->scratch, k->room);
	oz_scratch_give(&sim->scratch, k->made);
}

static bool take_work(oz_sim *sim, const oz_link_table *old, build_work *k)
{
	const size_t n = sim->particles.capacity + (size_t)1;
	k->particle = OZ_TAKE(&sim->scratch, uint, "particle of link row", old->rows + (size_t)1);
	k->room = OZ_TAKE(&sim->scratch, uint, "link room", n);
	k->made = OZ_TAKE(&sim->scratch, oz_u64, "new links", n);
	return k->particle && k->room && k->made;
}

// the arguments of a kernel and of its version for vectors
#define LINK_COUNT_BUFFERS                                                                         \
	.position = p->position, .looked = l->looked, .material = p->material,                     \
	.matter = sim->matter, .row = l->row, .particle = k->particle, .list = n->list,            \
	.start = n->start, .near = n->count, .old_list = OZ_OPTIONAL(old->list),                   \
	.old_start = OZ_OPTIONAL(old->start), .old_count = OZ_OPTIONAL(old->count),                \
	.old_rest = OZ_OPTIONAL(old->rest), .count = t->count, .made = k->made,                    \
	.renewal = k->renewal, .stride = n->stride, .mixed = sim->materials.count > 1,             \
	.least2 = k->least2, .most2 = k->most2
#define LINK_FILL_BUFFERS                                                                          \
	.position = p->position, .looked = l->looked, .material = p->material,                     \
	.matter = sim->matter, .row = l->row, .particle = k->particle, .list = n->list,            \
	.start = n->start, .near = n->count, .old_list = OZ_OPTIONAL(old->list),                   \
	.old_start = OZ_OPTIONAL(old->start), .old_count = OZ_OPTIONAL(old->count),                \
	.old_rest = OZ_OPTIONAL(old->rest), .made = k->made, .to_start = t->start,                 \
	.to_count = t->count, .to = t->list, .rest = t->rest, .renewal = k->renewal,               \
	.stride = n->stride, .mixed = sim->materials.count > 1, .least2 = k->least2,               \
	.most2 = k->most2

// finds the squares of the least and the largest distance below which links are made
static void find_reaches(const oz_sim *sim, build_work *k)
{
	const oz_matter *m = sim->matters.items;
	float least = OZ_PLACE_MAX, most = 0;
	for (uint32_t n = 0; n < sim->matters.count; n++)
		if (m[n].flow.link.on) {
			least = fminf(least, m[n].flow.link.reach);
			most = fmaxf(most, m[n].flow.link.reach);
		}
	for (uint32_t n = 0; n < OZ_ADHESION_MOST; n++)
		if (k->renewal.with[n])
			least = 0;
	k->least2 = least * least;
	k->most2 = most * most;
}

// counts the links of all particles and allocates the new table
static bool count_links(oz_sim *sim, const oz_links *l, const build_work *k, oz_link_table *t)
{
	oz_device *d = sim->device;
	const oz_particles *p = &sim->particles;
	const oz_neighbours *n = &sim->neighbours;
	const oz_link_table *old = &l->table;
	uint64_t entries;
	if (!alloc_rows(d, t, p->count))
		return false;
	d->ops->clear(d, k->particle, sizeof(uint) * (old->rows + (size_t)1));
	OZ_LAUNCH(d, link_particle, p->count, .row = l->row, .particle = k->particle);
	if (d->ops->can_launch(d, &oz_kernel_link_count_wide))
		OZ_LAUNCH(d, link_count_wide, p->count, LINK_COUNT_BUFFERS);
	else
		OZ_LAUNCH(d, link_count, p->count, LINK_COUNT_BUFFERS);
	const uint64_t used = oz_list_starts(d, t->count, p->count, k->room, t->start, &entries);
	return used / d->stride <= UINT32_MAX && alloc_entries(d, t, used);
}

// writes the links of all particles into the new table
static void fill_links(oz_sim *sim, const oz_links *l, const build_work *k, const oz_link_table *t)
{
	oz_device *d = sim->device;
	const oz_particles *p = &sim->particles;
	const oz_neighbours *n = &sim->neighbours;
	const oz_link_table *old = &l->table;
	if (d->ops->can_launch(d, &oz_kernel_link_fill_wide))
		OZ_LAUNCH(d, link_fill_wide, p->count, LINK_FILL_BUFFERS);
	else
		OZ_LAUNCH(d, link_fill, p->count, LINK_FILL_BUFFERS);
	OZ_LAUNCH(d, link_number, p->count, .position = p->position, .row = l->row,
	          .looked = l->looked);
}

oz_result oz_link_table_build(oz_sim *sim, oz_links *l, oz_error *error)
{
	build_work work = {.renewal = oz_adhesions_renewal(l)};
	find_reaches(sim, &work);
	const oz_link_table old = l->table;
	const bool complete = take_work(sim, &old, &work) && count_links(sim, l, &work, &l->spare);
	if (complete)
		fill_links(sim, l, &work, &l->spare);
	give_work(sim, &work);
	if (!complete) {
		oz_link_table_free(sim->device, &l->spare);
		return no_memory(error, sim->particles.count);
	}
	l->table = l->spare;
	l->spare = old;
	l->followed = l->adhesions.count;
	return OZ_OK;
}

// ---- snapshots ---------------------------------------------------------------------------------

// saves the links particle by particle: the file does not depend on the layout of the device
void oz_link_table_save(const oz_sim *sim, const oz_links *l, oz_section *s)
{
	oz_device *d = sim->device;
	const oz_link_table *t = &l->table;
	oz_section_put(s, &t->rows, sizeof t->rows);
	if (t->rows == 0)
		return;
	const size_t size = sizeof(uint) * t->rows, entries = (size_t)t->used + 1;
	uint *start = oz_heap_alloc(sim->heap, size), *count = oz_heap_alloc(sim->heap, size);
	uint *list = oz_heap_alloc(sim->heap, sizeof(uint) * entries);
	float *rest = oz_heap_alloc(sim->heap, sizeof(float) * entries);
	s->failed = s->failed || !start || !count || !list || !rest;
	if (!s->failed) {
		d->ops->read(d, start, t->start, 0, size);
		d->ops->read(d, count, t->count, 0, size);
		d->ops->read(d, list, t->list, 0, sizeof(uint) * t->used);
		d->ops->read(d, rest, t->rest, 0, sizeof(float) * t->used);
		oz_section_put(s, count, size);
	}
	for (uint32_t i = 0; i < t->rows && !s->failed; i++)
		for (uint32_t c = 0; c < count[i]; c++) {
			const size_t at = oz_list_at(start[i], i, c, d->stride);
			oz_section_put(s, &list[at], sizeof list[at]);
			oz_section_put(s, &rest[at], sizeof rest[at]);
		}
	oz_heap_free(sim->heap, start, size);
	oz_heap_free(sim->heap, count, size);
	oz_heap_free(sim->heap, list, sizeof(uint) * entries);
	oz_heap_free(sim->heap, rest, sizeof(float) * entries);
}

// where rows begin, in rows of `stride` entries; returns the number of entries with padding
static uint64_t find_starts(const uint *count, uint32_t rows, uint32_t stride, uint *start)
{
	uint64_t at = 0;
	for (uint32_t first = 0; first < rows; first += stride) {
		uint longest = 0;
		for (uint32_t i = first; i < rows && i < first + stride; i++) {
			start[i] = (uint)at;
			longest = count[i] > longest ? count[i] : longest;
		}
		at += longest;
	}
	return at * stride;
}

// reads the entries of all rows and writes the table; false when out of memory
static bool load_entries(oz_sim *sim, oz_link_table *t, const uint *count, uint *start,
                         oz_section *s)
{
	oz_device *d = sim->device;
	const uint64_t used = find_starts(count, t->rows, d->stride, start);
	const size_t size = sizeof(uint) * ((size_t)used + 1);
	uint *list = oz_heap_alloc(sim->heap, size);
	float *rest = oz_heap_alloc(sim->heap, size);
	bool whole = list && rest && alloc_entries(d, t, used);
	if (whole) {
		memset(list, 0, size);
		memset(rest, 0, size);
		for (uint32_t i = 0; i < t->rows; i++)
			for (uint32_t c = 0; c < count[i] && !s->failed; c++) {
				const size_t at = oz_list_at(start[i], i, c, d->stride);
				oz_section_get(s, &list[at], sizeof list[at]);
				oz_section_get(s, &rest[at], sizeof rest[at]);
			}
		d->ops->write(d, t->list, 0, list, sizeof(uint) * used);
		d->ops->write(d, t->rest, 0, rest, sizeof(float) * used);
		d->ops->write(d, t->start, 0, start, sizeof(uint) * t->rows);
		d->ops->write(d, t->count, 0, count, sizeof(uint) * t->rows);
	}
	oz_heap_free(sim->heap, list, size);
	oz_heap_free(sim->heap, rest, size);
	return whole;
}

// whether the section holds as many entries as the rows say
static bool fits(const oz_section *s, const uint *count, uint32_t rows)
{
	uint64_t entries = 0;
	for (uint32_t i = 0; i < rows; i++)
		entries += count[i];
	return !s->failed && entries <= (s->size - s->at) / (sizeof(uint) + sizeof(float));
}

oz_result oz_link_table_load(oz_sim *sim, oz_links *l, oz_section *s, oz_error *error)
{
	uint32_t rows = 0;
	oz_section_get(s, &rows, sizeof rows);
	if (s->failed || rows > (s->size - s->at) / sizeof(uint))
		return oz_section_fail_short("links", error);
	if (rows == 0)
		return OZ_OK;
	const size_t size = sizeof(uint) * rows;
	uint *count = oz_heap_alloc(sim->heap, size), *start = oz_heap_alloc(sim->heap, size);
	bool whole = count && start && alloc_rows(sim->device, &l->table, rows), enough = true;
	if (whole) {
		oz_section_get(s, count, size);
		enough = fits(s, count, rows);
		whole = !enough || load_entries(sim, &l->table, count, start, s);
	}
	oz_heap_free(sim->heap, count, size);
	oz_heap_free(sim->heap, start, size);
	if (!enough)
		return oz_section_fail_short("links", error);
	return whole ? OZ_OK : no_memory(error, rows);
}

// no row belongs to two particles
static const char *check_rows(oz_sim *sim, const uint *row, const oz_link_table *t)
{
	const uint32_t particles = sim->particles.count;
	const size_t size = (size_t)t->rows + 1;
	unsigned char *taken = oz_heap_alloc(sim->heap, size);
	const char *wrong = taken ? NULL : oz_no_memory_to_check;
	if (taken)
		memset(taken, 0, size);
	for (uint32_t i = 0; i < particles && !wrong; i++) {
		if (row[i] == OZ_NONE)
			continue;
		if (row[i] >= t->rows)
			wrong = "a particle has links that do not exist";
		else if (taken[row[i]]++)
			wrong = "two particles have the same links";
	}
	oz_heap_free(sim->heap, taken, size);
	return wrong;
}

// walls that hold particles exist
static const char *check_holds(oz_sim *sim, const oz_float4 *hold)
{
	const float colliders = (float)sim->boundary->colliders.count;
	for (uint32_t i = 0; i < sim->particles.count; i++)
		if (!(fabsf(hold[i].w) <= colliders && hold[i].w == floorf(hold[i].w)))
			return "a wall that does not exist holds a particle";
	return NULL;
}

// checks that rows and partners exist and that rest lengths are in their range
const char *oz_link_table_check(oz_sim *sim, const oz_links *l)
{
	oz_device *d = sim->device;
	const oz_link_table *t = &l->table;
	const uint32_t particles = sim->particles.count;
	if (t->rows > particles)
		return "there are more rows of links than particles";
	const uint *list = d->ops->view(d, t->list, sizeof *list * t->used);
	for (uint64_t k = 0; list && k < t->used; k++)
		if (list[k] >= particles)
			return "a link leads to a particle that does not exist";
	const float *rest = d->ops->view(d, t->rest, sizeof *rest * t->used);
	for (uint64_t k = 0; rest && k < t->used; k++)
		if (!(rest[k] >= 0 && rest[k] < OZ_PLACE_MAX))
			return "a link has a rest length that is negative, too large or not a "
			       "number";
	const uint *row = d->ops->view(d, l->row, sizeof *row * particles);
	if ((t->used && (!list || !rest)) || (particles && !row))
		return oz_no_memory_to_check;
	const char *wrong = particles ? check_rows(sim, row, t) : NULL;
	const oz_float4 *hold = wrong ? NULL : d->ops->view(d, l->hold, sizeof *hold * particles);
	return wrong       ? wrong
	       : hold      ? check_holds(sim, hold)
	       : particles ? oz_no_memory_to_check
	                   : NULL;
}
