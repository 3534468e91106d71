// test_neighbours.c: neighbour lists against brute force, wherever particles are and however many
// share a cell; the vector way against the plain kernels; lists under a skin; order.
#include "world/world.h"

#include "particles/neighbours.cl"
#include "worlds.h"

typedef struct cloud {
	oz_heap heap;
	oz_device *device;
	oz_particles p;
	oz_neighbours n;
	oz_float4 *first; // positions by id
	oz_fields fields;
	oz_scratch scratch;
	oz_list_maker maker;
} cloud;

// particles and lists as the host sees them, until the device is used again
typedef struct sight {
	const oz_float4 *position, *velocity, *anchor;
	const uint *id, *body, *material;
	const uint *list, *start, *count;
	uint32_t stride;
} sight;

static sight see(oz_device *d, const oz_particles *p, const oz_neighbours *n)
{
	const size_t wide = sizeof(oz_float4) * p->count, narrow = sizeof(uint) * p->count;
	return (sight){.position = test_see(d, p->position, wide),
	               .velocity = test_see(d, p->velocity, wide),
	               .anchor = test_see(d, p->anchor, wide),
	               .id = test_see(d, p->id, narrow),
	               .body = test_see(d, p->body, narrow),
	               .material = test_see(d, p->material, narrow),
	               .list = test_see(d, n->list, sizeof(uint) * n->list_used),
	               .start = test_see(d, n->start, narrow),
	               .count = test_see(d, n->count, narrow),
	               .stride = n->stride};
}

// entry k of the list of i
static uint listed(const sight *s, uint32_t i, uint32_t k)
{
	return s->list[oz_list_at(s->start[i], i, k, s->stride)];
}

static void write_particles(const cloud *c, const oz_float4 *points, uint32_t count)
{
	const oz_device_ops *ops = c->device->ops;
	for (uint32_t i = 0; i < count; i++) {
		const oz_float4 velocity = {(float)i, -(float)i, 0, 1};
		const uint body = i % 7, material = i % 3;
		ops->write(c->device, c->p.velocity, i * sizeof velocity, &velocity,
		           sizeof velocity);
		ops->write(c->device, c->p.id, i * sizeof i, &i, sizeof i);
		ops->write(c->device, c->p.body, i * sizeof body, &body, sizeof body);
		ops->write(c->device, c->p.material, i * sizeof material, &material,
		           sizeof material);
	}
	ops->write(c->device, c->p.position, 0, points, sizeof *points * count);
}

// a device, and the particles' fields on it
static void open_cloud(cloud *c)
{
	const oz_field_set set = {oz_particle_rows, oz_particle_row_count, OZ_ITEMS_PARTICLES,
	                          &c->p};
	c->device = test_device(&c->heap, 2);
	c->fields.device = c->scratch.device = c->device;
	c->maker = (oz_list_maker){&c->fields, &c->scratch, &c->p, false};
	assert_int_equal(oz_fields_add(&c->fields, &set, 0, NULL), OZ_OK);
}

static void make_cloud(cloud *c, const oz_float4 *points, uint32_t count)
{
	*c = (cloud){0};
	oz_heap_init(&c->heap, NULL);
	open_cloud(c);
	assert_int_equal(oz_particles_reserve(&c->fields, &c->p, count, NULL), OZ_OK);
	c->p.count = count;
	c->first = malloc(sizeof *points * count);
	memcpy(c->first, points, sizeof *points * count);
	write_particles(c, points, count);
}

static void build(cloud *c, float radius)
{
	oz_error error = {0};
	if (oz_neighbours_reserve(&c->maker, &c->n, radius, &error) != OZ_OK ||
	    oz_neighbours_build(&c->maker, &c->n, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_true(c->n.valid);
}

static void drop_cloud(cloud *c)
{
	oz_neighbours_free(c->device, &c->n);
	oz_scratch_free(&c->scratch);
	oz_fields_free(&c->fields);
	oz_device_destroy(c->device);
	assert_int_equal(c->heap.bytes, 0);
	free(c->first);
}

// ---- brute force ------------------------------------------------------------------------------

static double distance2(oz_float4 a, oz_float4 b)
{
	const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
	const double z = (double)a.z - (double)b.z;
	return x * x + y * y + z * z;
}

// marks the list of i in `near`; a mark of i stands for "listed by i"
static void mark_list(const cloud *c, const sight *s, uint32_t i, uint32_t *near)
{
	for (uint32_t k = 0; k < s->count[i]; k++) {
		assert_true(oz_list_at(s->start[i], i, k, s->stride) < c->n.list_used);
		const uint j = listed(s, i, k);
		assert_true(j < c->p.count);
		assert_int_not_equal(j, i);
		assert_int_not_equal(near[j], i + 1); // no particle twice
		near[j] = i + 1;
	}
}

// what all lists take: those of `stride` particles together the room of their longest
static uint64_t room_of(const sight *s, uint32_t particles)
{
	uint64_t room = 0;
	for (uint32_t i = 0; i < particles; i += s->stride) {
		uint32_t longest = 0;
		for (uint32_t k = i; k < i + s->stride && k < particles; k++)
			longest = s->count[k] > longest ? s->count[k] : longest;
		room += (uint64_t)longest * s->stride;
	}
	return room;
}

// Pairs whose distance is the radius to within `slack` (a share of its square) may be either.
static void expect_brute_force(const cloud *c, float radius, double slack)
{
	const double r2 = (double)radius * (double)radius;
	const sight s = see(c->device, &c->p, &c->n);
	uint32_t *near = calloc(c->p.count, sizeof *near);
	for (uint32_t i = 0; i < c->p.count; i++) {
		mark_list(c, &s, i, near);
		for (uint32_t j = 0; j < c->p.count; j++) {
			const double d2 = distance2(s.position[i], s.position[j]);
			const bool is_listed = near[j] == i + 1;
			if (j != i && d2 < r2 * (1 - slack) && !is_listed)
				fail_msg("%u is %g m from %u and not listed", j, sqrt(d2), i);
			if (d2 >= r2 * (1 + slack) && is_listed)
				fail_msg("%u is %g m from %u and listed", j, sqrt(d2), i);
		}
	}
	assert_int_equal(room_of(&s, c->p.count), c->n.list_used);
	free(near);
}

static uint *starts_of(const uint *counts, uint32_t count)
{
	uint *start = malloc(sizeof *start * (count + 1));
	start[0] = 0;
	for (uint32_t i = 0; i < count; i++)
		start[i + 1] = start[i] + counts[i];
	return start;
}

// The same lists by the plain kernels, one behind the other; as all walk cells alike, even the
// order is the same.
static void expect_plain_kernels_agree(const cloud *c)
{
	const uint32_t count = c->p.count;
	const size_t size = sizeof(uint) * count;
	oz_device *d = c->device;
	const size_t hits_size = sizeof(uint64_t) * OZ_ROWS * (count + 1);
	uint *counts = d->ops->alloc(d, size);
	uint64_t *hits = d->ops->alloc(d, hits_size);
	assert_true(counts && hits);
	OZ_LAUNCH(d, neighbour_count, count, .position = c->p.anchor, .cell_start = c->n.cell_start,
	          .count = counts, .hits = hits, .particles = count, .grid = c->n.grid);
	uint *start = starts_of(test_see(d, counts, size), count);
	const size_t list_size = sizeof(uint) * (start[count] + 1);
	uint *starts = test_upload(d, start, size), *list = d->ops->alloc(d, list_size);
	assert_non_null(list);
	OZ_LAUNCH(d, neighbour_fill, count, .position = c->p.anchor, .cell_start = c->n.cell_start,
	          .start = starts, .hits = hits, .list = list, .particles = count,
	          .grid = c->n.grid, .stride = 1);
	const sight s = see(d, &c->p, &c->n);
	const uint *plain = test_see(d, list, list_size), *lengths = test_see(d, counts, size);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(lengths[i], s.count[i]);
		for (uint32_t k = 0; k < lengths[i]; k++)
			assert_int_equal(plain[start[i] + k], listed(&s, i, k));
	}
	d->ops->release(d, counts, size);
	d->ops->release(d, hits, hits_size);
	d->ops->release(d, starts, size);
	d->ops->release(d, list, list_size);
	free(start);
}

// what belongs to a particle came along with it
static void expect_whole_particles(const cloud *c)
{
	const sight s = see(c->device, &c->p, &c->n);
	uint64_t ids = 0;
	for (uint32_t i = 0; i < c->p.count; i++) {
		const uint id = s.id[i];
		assert_true(id < c->p.count);
		assert_memory_equal(&s.position[i], &c->first[id], sizeof(oz_float4));
		assert_memory_equal(&s.anchor[i], &c->first[id], sizeof(oz_float4));
		assert_true(s.velocity[i].x == (float)id && s.velocity[i].y == -(float)id);
		assert_int_equal(s.body[i], id % 7);
		assert_int_equal(s.material[i], id % 3);
		ids += id;
	}
	assert_int_equal(ids, (uint64_t)c->p.count * (c->p.count - 1) / 2);
}

static void check_cloud(const oz_float4 *points, uint32_t count, float radius, double slack)
{
	cloud c;
	make_cloud(&c, points, count);
	build(&c, radius);
	expect_whole_particles(&c);
	expect_brute_force(&c, radius, slack);
	if (slack < 1e-4)
		expect_plain_kernels_agree(&c);
	// what is already sorted stays as it is
	build(&c, radius);
	expect_whole_particles(&c);
	expect_brute_force(&c, radius, slack);
	drop_cloud(&c);
}

// ---- clouds -----------------------------------------------------------------------------------

#define COUNT 2000u
#define SLACK 1e-6 // rounding of squares in float

static oz_float4 points[4000];

static float spread(uint64_t *seed, double width)
{
	return (float)((test_random(seed) - 0.5) * width);
}

static void fill(uint32_t from, uint32_t to, oz_vec3 centre, oz_vec3 width, uint64_t seed)
{
	for (uint32_t i = from; i < to; i++)
		points[i] = (oz_float4){centre.x + spread(&seed, (double)width.x),
		                        centre.y + spread(&seed, (double)width.y),
		                        centre.z + spread(&seed, (double)width.z), 0};
}

static void lists_of_random_points_equal_brute_force_for_every_radius(void **state)
{
	(void)state;
	static const float radii[] = {1e-4f, 0.01f, 0.04f, 0.1f, 0.3f, 1, 5};
	fill(0, COUNT, (oz_vec3){0.5f, 0.5f, 0.5f}, (oz_vec3){1, 1, 1}, 1);
	for (size_t k = 0; k < sizeof radii / sizeof *radii; k++)
		check_cloud(points, COUNT, radii[k], SLACK);
}

static void negative_coordinates_are_like_any_other(void **state)
{
	(void)state;
	fill(0, COUNT, (oz_vec3){-3, -40, -500}, (oz_vec3){1, 1, 1}, 2);
	check_cloud(points, COUNT, 0.1f, SLACK);
	fill(0, COUNT, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}, 3);
	check_cloud(points, COUNT, 0.1f, SLACK);
}

static void clusters_equal_brute_force(void **state)
{
	(void)state;
	uint64_t seed = 4;
	for (uint32_t k = 0; k < 20; k++)
		fill(100 * k, 100 * k + 100,
		     (oz_vec3){spread(&seed, 4), spread(&seed, 4), spread(&seed, 4)},
		     (oz_vec3){0.05f, 0.1f, 0.02f}, 50 + k);
	check_cloud(points, COUNT, 0.04f, SLACK);
	check_cloud(points, COUNT, 0.2f, SLACK);
}

static uint32_t lattice(float spacing, int edge)
{
	uint32_t n = 0;
	for (int x = 0; x < edge; x++)
		for (int y = 0; y < edge; y++)
			for (int z = 0; z < edge; z++)
				points[n++] = (oz_float4){(float)x * spacing, (float)y * spacing,
				                          (float)z * spacing, 0};
	return n;
}

static void a_neighbour_exactly_at_the_radius_is_not_one(void **state)
{
	(void)state;
	// powers of two: every square is exact, so there is no doubt about any pair
	const uint32_t n = lattice(0.25f, 12);
	check_cloud(points, n, 0.25f, 0);
	check_cloud(points, n, 0.5f, 0);
	cloud c;
	make_cloud(&c, points, n);
	build(&c, 0.5f);
	const sight s = see(c.device, &c.p, &c.n);
	uint32_t most = 0;
	for (uint32_t i = 0; i < n; i++)
		most = s.count[i] > most ? s.count[i] : most;
	assert_int_equal(most, 26); // the cube around it; the six at two spacings are at the radius
	drop_cloud(&c);
}

static void a_lattice_of_any_spacing_equals_brute_force(void **state)
{
	(void)state;
	const uint32_t n = lattice(0.02f, 12);
	// pairs at the very radius differ by rounding alone: leave them out
	check_cloud(points, n, 0.04f, 2e-4);
	check_cloud(points, n, 0.044f, SLACK);
}

static void far_flung_blobs_equal_brute_force(void **state)
{
	(void)state;
	const oz_vec3 one = {1, 1, 1}, wide = {20, 20, 20};
	fill(0, 500, (oz_vec3){0, 0, 0}, one, 10);
	fill(500, 1000, (oz_vec3){1e3f, -1e3f, 1e3f}, one, 11);
	fill(1000, 1500, (oz_vec3){1e5f, 0, -1e5f}, wide, 12);
	fill(1500, 1999, (oz_vec3){-1e6f, 1e6f, 1e6f}, wide, 13);
	points[1999] = (oz_float4){1e6f, 1e6f, -1e6f, 0};
	check_cloud(points, COUNT, 0.1f, SLACK);
	check_cloud(points, COUNT, 2, SLACK);
}

static void places_no_float_can_tell_apart_do_no_harm(void **state)
{
	(void)state;
	const oz_vec3 one = {1, 1, 1};
	fill(0, 300, (oz_vec3){0, 0, 0}, one, 14);
	fill(300, 600, (oz_vec3){1e9f, -1e9f, 0}, one, 15);
	fill(600, 900, (oz_vec3){1e18f, 1e12f, -1e15f}, one, 16);
	check_cloud(points, 900, 0.1f, SLACK);
}

static void coincident_points_list_each_other(void **state)
{
	(void)state;
	fill(0, COUNT, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}, 20);
	for (uint32_t i = 500; i < 1000; i++)
		points[i] = (oz_float4){0.25f, 0.25f, 0.25f, 0};
	check_cloud(points, COUNT, 0.1f, SLACK);
}

static void a_cell_may_hold_more_than_the_vector_way_takes(void **state)
{
	(void)state;
	fill(0, 3000, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}, 21);
	fill(100, 2400, (oz_vec3){0.3f, 0.3f, 0.3f}, (oz_vec3){0.02f, 0.02f, 0.02f}, 22);
	for (uint32_t i = 1200; i < 2300; i++)
		points[i] = points[1199];
	check_cloud(points, 3000, 0.04f, SLACK);
}

static void one_or_two_particles_are_enough(void **state)
{
	(void)state;
	points[0] = (oz_float4){1, 2, 3, 0};
	points[1] = (oz_float4){1, 2.05f, 3, 0};
	check_cloud(points, 1, 0.1f, SLACK);
	check_cloud(points, 2, 0.1f, SLACK);
	check_cloud(points, 2, 0.01f, SLACK);
	points[1] = points[0];
	check_cloud(points, 2, 0.1f, SLACK);
}

static void lines_and_planes_equal_brute_force(void **state)
{
	(void)state;
	static const oz_vec3 widths[] = {{50, 0, 0}, {0, 50, 0}, {0, 0, 50},
	                                 {3, 3, 0},  {3, 0, 3},  {0, 3, 3}};
	for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
		fill(0, COUNT, (oz_vec3){-1, 2, 0.5f}, widths[k], 30 + k);
		check_cloud(points, COUNT, 0.1f, SLACK);
	}
}

static void no_particle_is_no_trouble(void **state)
{
	(void)state;
	cloud c = {0};
	oz_heap_init(&c.heap, NULL);
	open_cloud(&c);
	assert_int_equal(oz_neighbours_reserve(&c.maker, &c.n, 0.1f, NULL), OZ_OK);
	assert_int_equal(oz_neighbours_build(&c.maker, &c.n, NULL), OZ_OK);
	assert_int_equal(oz_neighbours_restore(&c.maker, &c.n, NULL), OZ_OK);
	drop_cloud(&c);
}

// ---- memory and order -------------------------------------------------------------------------

static void a_stray_particle_costs_no_memory_and_no_cell(void **state)
{
	(void)state;
	cloud near, far;
	fill(0, 3000, (oz_vec3){0, 0, 0}, (oz_vec3){1, 0.5f, 1}, 40);
	make_cloud(&near, points, 3000);
	build(&near, 0.08f);
	points[1024] = (oz_float4){1e6f, -1e6f, 1e6f, 0};
	make_cloud(&far, points, 3000);
	build(&far, 0.08f);
	assert_int_equal(near.device->bytes, far.device->bytes);
	assert_int_equal(near.n.cell_capacity, far.n.cell_capacity);
	assert_int_equal(near.n.grid.bits_x, far.n.grid.bits_x);
	assert_int_equal(near.n.grid.bits_y, far.n.grid.bits_y);
	assert_int_equal(near.n.grid.bits_z, far.n.grid.bits_z);
	assert_true(near.n.cell_capacity <= 3000 + 1);
	drop_cloud(&near);
	drop_cloud(&far);
}

static void particles_are_sorted_by_cell_and_keep_their_order_within_one(void **state)
{
	(void)state;
	enum { SIZE = 3000 * sizeof(uint) };
	cloud c;
	fill(0, 3000, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}, 41);
	make_cloud(&c, points, 3000);
	build(&c, 0.2f);
	oz_device *d = c.device;
	uint *keys = d->ops->alloc(d, SIZE), *index = d->ops->alloc(d, SIZE);
	OZ_LAUNCH(d, cell_key, 3000, .position = c.p.position, .key = keys, .index = index,
	          .grid = c.n.grid);
	const uint *key = test_see(d, keys, SIZE), *id = test_see(d, c.p.id, SIZE);
	for (uint32_t i = 1; i < 3000; i++) {
		assert_true(key[i - 1] <= key[i]);
		if (key[i - 1] == key[i])
			assert_true(id[i - 1] < id[i]);
	}
	d->ops->release(d, keys, SIZE);
	d->ops->release(d, index, SIZE);
	drop_cloud(&c);
}

static void restored_lists_are_the_lists_of_the_anchors(void **state)
{
	(void)state;
	cloud c;
	fill(0, COUNT, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}, 42);
	make_cloud(&c, points, COUNT);
	build(&c, 0.1f);
	const uint64_t used = c.n.list_used;
	oz_device *d = c.device;
	uint64_t seed = 1;
	for (uint32_t i = 0; i < COUNT; i++) {
		const float x = points[i].x + spread(&seed, 0.1);
		d->ops->write(d, c.p.position, sizeof *points * i, &x, sizeof x);
	}
	assert_int_equal(oz_neighbours_restore(&c.maker, &c.n, NULL), OZ_OK);
	assert_true(c.n.valid);
	assert_int_equal(c.n.list_used, used);
	d->ops->copy(d, c.p.position, c.p.anchor, sizeof *points * COUNT);
	expect_brute_force(&c, 0.1f, SLACK);
	// out of the grid's order, there is nothing to restore
	const oz_float4 last = see(d, &c.p, &c.n).anchor[COUNT - 1];
	d->ops->write(d, c.p.anchor, 0, &last, sizeof last);
	assert_int_equal(oz_neighbours_restore(&c.maker, &c.n, NULL), OZ_OK);
	assert_false(c.n.valid);
	drop_cloud(&c);
}

static void room_for_more_particles_keeps_those_that_are_there(void **state)
{
	(void)state;
	cloud c;
	fill(0, 100, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}, 43);
	make_cloud(&c, points, 100);
	build(&c, 0.1f);
	assert_int_equal(oz_particles_reserve(&c.fields, &c.p, 5000, NULL), OZ_OK);
	assert_int_equal(c.p.capacity, 5000);
	assert_int_equal(oz_particles_reserve(&c.fields, &c.p, 50, NULL), OZ_OK);
	assert_int_equal(c.p.capacity, 5000);
	build(&c, 0.1f);
	expect_whole_particles(&c);
	expect_brute_force(&c, 0.1f, SLACK);
	drop_cloud(&c);
}

// ---- under a skin -----------------------------------------------------------------------------

static void positions_by_id(const oz_world *w, oz_float4 *out)
{
	const uint32_t n = w->sim.particles.count;
	const uint *id = test_look(w, w->sim.particles.id, sizeof *id * n);
	const oz_float4 *x = test_look(w, w->sim.particles.position, sizeof *x * n);
	for (uint32_t i = 0; i < n; i++)
		out[id[i]] = x[i];
}

// the lists that a step used hold every pair that was within reach when it began
static void expect_complete(const oz_world *w, const oz_float4 *before, uint32_t *near)
{
	const sight s = see(w->sim.device, &w->sim.particles, &w->sim.neighbours);
	const double h = (double)oz_support_radius(&w->sim), reach2 = h * h * (1 - SLACK);
	memset(near, 0, sizeof *near * w->sim.particles.count);
	for (uint32_t i = 0; i < w->sim.particles.count; i++) {
		for (uint32_t k = 0; k < s.count[i]; k++)
			near[listed(&s, i, k)] = i + 1;
		for (uint32_t j = 0; j < w->sim.particles.count; j++)
			if (j != i && near[j] != i + 1 &&
			    distance2(before[s.id[i]], before[s.id[j]]) < reach2)
				fail_msg("step %u: %u and %u are near and not listed",
				         (unsigned)w->sim.step, s.id[i], s.id[j]);
	}
}

// steps on, looks at the lists of every step, and gives how often they were rebuilt
static uint32_t watch_lists(oz_world *w, uint32_t steps)
{
	const uint32_t count = oz_world_particle_count(w);
	oz_float4 *before = malloc(sizeof *before * count);
	uint32_t *near = malloc(sizeof *near * count), rebuilt = 0;
	for (uint32_t k = 0; k < steps; k++) {
		oz_step_report report;
		positions_by_id(w, before);
		assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
		rebuilt += report.rebuilt;
		expect_complete(w, before, near);
	}
	free(before);
	free(near);
	return rebuilt;
}

static void lists_under_a_skin_stay_complete_until_they_are_rebuilt(void **state)
{
	(void)state;
	oz_world *w = test_dam(2, 0.05f, NULL);
	// both ways are seen
	assert_in_range(watch_lists(w, 150), 5, 145);
	oz_world_destroy(w);
}

static void lists_stay_complete_while_a_spinning_drop_falls(void **state)
{
	(void)state;
	oz_world_def def = oz_world_default();
	def.spacing = 0.05f;
	def.threads = 2;
	oz_world *w = test_world(&def);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.2f, 0, 0});
	oz_body_def drop = oz_body_default();
	oz_vec3 *filled;
	assert_int_equal(oz_shape_fill(&ball, 0.05f, OZ_FILL_LATTICE, &filled, &drop.count, NULL),
	                 OZ_OK);
	drop.material = test_water(w);
	drop.points = filled;
	drop.velocity = (oz_vec3){1, -3, 2};
	drop.spin = (oz_vec3){2, 0, 5};
	assert_int_equal(oz_world_add_body(w, &drop, NULL, NULL), OZ_OK);
	oz_points_free(filled);
	assert_in_range(watch_lists(w, 150), 2, 145);
	oz_world_destroy(w);
}

// Two particles just beyond each other's lists, on their way together: whoever moves, they are
// listed before they feel each other.
static void particles_that_come_from_afar_are_listed_in_time(void **state)
{
	(void)state;
	static const float speeds[][2] = {{1, -1}, {2, 0}, {0, -2}, {3, 1}, {-5, -7}};
	for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
		oz_world_def def = oz_world_default();
		def.spacing = 0.05f;
		def.gravity = (oz_vec3){0, 0, 0};
		def.time_step = 1e-4f;
		def.threads = 1;
		oz_world *w = test_world(&def);
		oz_vec3 at = {0, 0, 0};
		oz_body_def body = oz_body_default();
		body.material = test_water(w);
		body.points = &at;
		body.count = 1;
		for (int n = 0; n < 2; n++) {
			at.x = n ? 1.001f * oz_support_radius(&w->sim) * (1 + w->sim.def.skin) : 0;
			body.velocity.x = speeds[k][n];
			assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
		}
		assert_in_range(watch_lists(w, 80), 2, 40);
		const sight s = see(w->sim.device, &w->sim.particles, &w->sim.neighbours);
		assert_int_equal(s.count[0] + s.count[1], 2);
		oz_world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lists_of_random_points_equal_brute_force_for_every_radius),
	        cmocka_unit_test(negative_coordinates_are_like_any_other),
	        cmocka_unit_test(clusters_equal_brute_force),
	        cmocka_unit_test(a_neighbour_exactly_at_the_radius_is_not_one),
	        cmocka_unit_test(a_lattice_of_any_spacing_equals_brute_force),
	        cmocka_unit_test(far_flung_blobs_equal_brute_force),
	        cmocka_unit_test(places_no_float_can_tell_apart_do_no_harm),
	        cmocka_unit_test(coincident_points_list_each_other),
	        cmocka_unit_test(a_cell_may_hold_more_than_the_vector_way_takes),
	        cmocka_unit_test(one_or_two_particles_are_enough),
	        cmocka_unit_test(lines_and_planes_equal_brute_force),
	        cmocka_unit_test(no_particle_is_no_trouble),
	        cmocka_unit_test(a_stray_particle_costs_no_memory_and_no_cell),
	        cmocka_unit_test(particles_are_sorted_by_cell_and_keep_their_order_within_one),
	        cmocka_unit_test(restored_lists_are_the_lists_of_the_anchors),
	        cmocka_unit_test(room_for_more_particles_keeps_those_that_are_there),
	        cmocka_unit_test(lists_under_a_skin_stay_complete_until_they_are_rebuilt),
	        cmocka_unit_test(lists_stay_complete_while_a_spinning_drop_falls),
	        cmocka_unit_test(particles_that_come_from_afar_are_listed_in_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
