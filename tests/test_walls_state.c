// test_walls_state.c: SDF walls are part of a world's state: the same on any number of threads,
// whole in a snapshot, refused with a sentence where they make no sense, and never a leak.
#include <fcntl.h>
#include <unistd.h>

#include "boundary/sdf_data.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"
#include "worlds.h"

#define SPACING 0.05f // m
#define PATH    "walls.ooze"

// ---- SDFs of balls and rings -----------------------------------------------------------------

static void near_ball(void *context, const oz_vec3 *points, uint32_t count,
                      oz_nearest_point *nearest)
{
	const float radius = *(const float *)context;
	for (uint32_t k = 0; k < count; k++) {
		const float r = oz_length(points[k]), d = r - radius;
		const oz_vec3 way = r > 0 ? oz_scale(points[k], d / r) : oz_v3(d, 0, 0);
		nearest[k] = (oz_nearest_point){way.x, way.y, way.z, d};
	}
}

static void near_ring(void *context, const oz_vec3 *points, uint32_t count,
                      oz_nearest_point *nearest)
{
	const float *size = context;
	for (uint32_t k = 0; k < count; k++) {
		const oz_vec3 p = points[k];
		const float r = hypotf(p.x, p.z);
		const oz_vec3 core = r > 0 ? oz_v3(p.x / r * size[0], 0, p.z / r * size[0])
		                           : oz_v3(size[0], 0, 0);
		const oz_vec3 out = oz_sub(p, core);
		const float length = oz_length(out), d = length - size[1];
		const oz_vec3 way = length > 0 ? oz_scale(out, d / length) : oz_v3(0, d, 0);
		nearest[k] = (oz_nearest_point){way.x, way.y, way.z, d};
	}
}

static float ball_radius, ring_size[2]; // m

static int usual_walls(void **state)
{
	(void)state;
	ball_radius = 0.12f;
	ring_size[0] = 0.2f;
	ring_size[1] = 0.06f;
	return 0;
}

// for worlds that are made again and again
static int small_walls(void **state)
{
	(void)state;
	ball_radius = 0.03f;
	ring_size[0] = 0.04f;
	ring_size[1] = 0.02f;
	return 0;
}

static oz_sdf_def ball_def(const oz_hooks *hooks)
{
	const float r = ball_radius;
	return (oz_sdf_def){.min = {-r, -r, -r},
	                    .max = {r, r, r},
	                    .cell = 0.5f * SPACING,
	                    .reach = 3.5f * SPACING,
	                    .nearest = near_ball,
	                    .context = &ball_radius,
	                    .threads = 1,
	                    .hooks = hooks ? *hooks : (oz_hooks){0}};
}

static oz_sdf_def ring_def(const oz_hooks *hooks)
{
	oz_sdf_def def = ball_def(hooks);
	const float wide = ring_size[0] + ring_size[1];
	def.min = (oz_vec3){-wide, -ring_size[1], -wide};
	def.max = (oz_vec3){wide, ring_size[1], wide};
	def.nearest = near_ring;
	def.context = ring_size;
	return def;
}

static oz_sdf *sdf_of(const oz_sdf_def *def)
{
	oz_sdf *sdf = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_sdf_make(def, &sdf, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return sdf;
}

// ---- a world with all of them ------------------------------------------------------------------

enum { TANK, STILL, MOVING, RING, SHELL, COLLIDERS };

static const oz_keyframe frames[] = {{0, {0.25f, -0.1f, 0}, {0, 0, 0, 1}},
                                     {0.3f, {-0.1f, -0.1f, 0.1f}, {0, 0.6f, 0, 0.8f}},
                                     {0.6f, {0.25f, -0.1f, 0}, {0, 0, 0, 1}}};

static oz_result add_sdf(oz_world *w, const oz_sdf *sdf, oz_vec3 at, int kind, oz_error *error)
{
	oz_shape shape = oz_shape_make(OZ_SHAPE_SDF, (oz_vec3){0, 0, 0});
	shape.sdf = sdf;
	shape.position = at;
	oz_collider_def def = oz_collider_default(shape);
	def.load = true;
	def.friction = 0.2f;
	def.shell = kind == RING || kind == SHELL;
	def.keyframes = kind == MOVING ? frames : NULL;
	def.keyframe_count = kind == MOVING ? 3 : 0;
	def.loop = true;
	return oz_world_add_collider(w, &def, NULL, error);
}

static oz_result add_walls(oz_world *w, const oz_sdf *ball, const oz_sdf *other, const oz_sdf *ring,
                           oz_error *error)
{
	oz_collider_def tank =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1.2f, 0.8f, 0.5f}));
	tank.inside = true;
	tank.load = true;
	oz_result result = oz_world_add_collider(w, &tank, NULL, error);
	if (result == OZ_OK)
		result = add_sdf(w, ball, (oz_vec3){-0.2f, -0.2f, 0}, STILL, error);
	if (result == OZ_OK)
		result = add_sdf(w, other, (oz_vec3){0, 0, 0}, MOVING, error);
	if (result == OZ_OK)
		result = add_sdf(w, ring, (oz_vec3){0.25f, 0.2f, 0}, RING, error);
	if (result == OZ_OK)
		result = add_sdf(w, ball, (oz_vec3){-0.45f, 0.1f, 0.1f}, SHELL, error);
	return result;
}

static oz_result add_water(oz_world *w, oz_error *error)
{
	oz_material_def water = oz_material_default(OZ_FLUID);
	oz_body_def body = oz_body_default();
	oz_vec3 points[8 * 9 * 8];
	for (uint32_t k = 0; k < 8 * 9 * 8; k++) {
		const oz_vec3 p = {-0.05f + SPACING * (float)(k % 8),
		                   -0.02f + SPACING * (float)(k / 8 % 9),
		                   -0.18f + SPACING * (float)(k / 72)};
		points[body.count] = p;
		// not in the walls
		const float r = hypotf(p.x - 0.25f, p.z) - ring_size[0];
		body.count += oz_length(oz_sub(p, frames[0].position)) > 0.15f &&
		              fabsf(hypotf(r, p.y - 0.2f) - ring_size[1]) > 0.02f;
	}
	body.points = points;
	const oz_result result = oz_world_add_material(w, &water, &body.material, error);
	return result == OZ_OK ? oz_world_add_body(w, &body, NULL, error) : result;
}

// `apart`: colliders do not share an SDF
static oz_result make_walls(uint32_t threads, const oz_hooks *hooks, bool apart, oz_world **world,
                            oz_error *error)
{
	const oz_sdf_def of_ball = ball_def(hooks), of_ring = ring_def(hooks);
	oz_sdf *ball = NULL, *other = NULL, *ring = NULL;
	oz_world_def def = oz_world_default();
	def.spacing = SPACING;
	def.threads = threads;
	def.hooks = of_ball.hooks;
	oz_result result = oz_world_create(&def, world, error);
	if (result == OZ_OK)
		result = oz_sdf_make(&of_ball, &ball, error);
	if (result == OZ_OK && apart)
		result = oz_sdf_make(&of_ball, &other, error);
	if (result == OZ_OK)
		result = oz_sdf_make(&of_ring, &ring, error);
	if (result == OZ_OK)
		result = add_walls(*world, ball, apart ? other : ball, ring, error);
	// the world holds them
	oz_sdf_release(ball);
	oz_sdf_release(other);
	oz_sdf_release(ring);
	return result == OZ_OK ? add_water(*world, error) : result;
}

static oz_world *walls(uint32_t threads, bool apart)
{
	oz_world *w = NULL;
	oz_error error = {OZ_OK, ""};
	if (make_walls(threads, NULL, apart, &w, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return w;
}

typedef struct loads {
	oz_load of[COLLIDERS];
} loads;

static loads take_loads(oz_world *w)
{
	loads all;
	memset(&all, 0, sizeof all);
	for (oz_id k = 0; k < COLLIDERS; k++)
		assert_int_equal(oz_world_take_load(w, k, &all.of[k], NULL), OZ_OK);
	return all;
}

static void expect_same(oz_world *a, oz_world *b)
{
	const loads p = take_loads(a), q = take_loads(b);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	assert_memory_equal(&p, &q, sizeof p);
}

// ---- determinism -------------------------------------------------------------------------------

static void threads_change_neither_state_nor_loads(void **state)
{
	(void)state;
	oz_world *one = walls(1, false), *two = walls(2, false), *three = walls(3, false);
	test_steps(one, 300);
	test_steps(two, 300);
	test_steps(three, 300);
	const loads first = take_loads(one), second = take_loads(two), third = take_loads(three);
	assert_memory_equal(&first, &second, sizeof first);
	assert_memory_equal(&first, &third, sizeof first);
	assert_true(oz_world_hash(one) == oz_world_hash(two));
	assert_true(oz_world_hash(one) == oz_world_hash(three));
	// every wall has been met, and the one that moves has done work
	for (int k = 0; k < COLLIDERS - 1; k++)
		assert_true(first.of[k].force[0] != 0);
	assert_true(first.of[MOVING].work != 0);
	oz_world_destroy(one);
	oz_world_destroy(two);
	oz_world_destroy(three);
}

static void a_snapshot_in_mid_run_goes_on_bit_for_bit(void **state)
{
	(void)state;
	oz_world *a = walls(2, false), *b;
	oz_error error = {OZ_OK, ""};
	test_steps(a, 150);
	take_loads(a);
	assert_int_equal(oz_world_save(a, PATH, NULL), OZ_OK);
	if (oz_world_load(PATH, NULL, 2, NULL, &b, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(oz_collider_entries(&b->boundary)[STILL].sdf.block,
	                 oz_collider_entries(&b->boundary)[MOVING].sdf.block);
	test_steps(a, 200);
	test_steps(b, 200);
	expect_same(a, b);
	// and what it saves is the same file
	size_t p, q;
	assert_int_equal(oz_world_save(a, "a.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_save(b, "b.ooze", NULL), OZ_OK);
	char *of_a = test_read("a.ooze", &p), *of_b = test_read("b.ooze", &q);
	assert_int_equal(p, q);
	assert_memory_equal(of_a, of_b, p);
	free(of_a);
	free(of_b);
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void colliders_that_share_an_sdf_are_as_two_with_their_own(void **state)
{
	(void)state;
	oz_world *shared = walls(1, false), *apart = walls(1, true);
	assert_true(shared->boundary.sdfs.block_count < apart->boundary.sdfs.block_count);
	test_steps(shared, 200);
	test_steps(apart, 200);
	expect_same(shared, apart);
	oz_world_destroy(shared);
	oz_world_destroy(apart);
}

static void an_sdf_lives_as_long_as_anyone_holds_it(void **state)
{
	(void)state;
	test_memory memory = {.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&memory);
	const oz_sdf_def def = ball_def(&hooks);
	oz_sdf *sdf = sdf_of(&def);
	const oz_nearest_point before = oz_sdf_at(sdf, (oz_vec3){0.1f, 0.1f, 0.1f});
	oz_world_def of_world = oz_world_default();
	of_world.spacing = SPACING;
	of_world.threads = 1;
	of_world.hooks = hooks;
	oz_world *w = test_world(&of_world);
	assert_int_equal(add_sdf(w, sdf, (oz_vec3){0, 0, 0}, STILL, NULL), OZ_OK);
	assert_ptr_equal(oz_sdf_keep(sdf), sdf);
	oz_sdf_release(sdf);
	oz_world_destroy(w);
	const oz_nearest_point after = oz_sdf_at(sdf, (oz_vec3){0.1f, 0.1f, 0.1f});
	assert_memory_equal(&before, &after, sizeof before);
	oz_sdf_release(sdf);
	oz_sdf_release(NULL);
	assert_null(oz_sdf_keep(NULL));
	test_memory_is_empty(&memory);
}

// ---- damaged snapshots -------------------------------------------------------------------------

typedef struct paper {
	char *bytes;
	size_t size;
	size_t solids; // where that section's header is
	size_t frame;  // where the first SDF's frame is
} paper;

static section_header header_at(const paper *p, size_t at)
{
	section_header header;
	memcpy(&header, p->bytes + at, sizeof header);
	return header;
}

static paper write_paper(void)
{
	paper p = {0};
	oz_world *w = walls(1, false);
	test_steps(w, 20);
	assert_int_equal(oz_world_save(w, PATH, NULL), OZ_OK);
	p.bytes = test_read(PATH, &p.size);
	p.solids = sizeof(snapshot_header);
	while (strcmp(p.bytes + p.solids, "colliders") != 0)
		p.solids += sizeof(section_header) + header_at(&p, p.solids).size;
	const oz_sdf_frame *frame = &oz_collider_entries(&w->boundary)[STILL].def.shape.sdf->frame;
	p.frame = p.solids;
	while (memcmp(p.bytes + p.frame, frame, sizeof *frame) != 0)
		p.frame++;
	assert_true(p.frame < p.solids + header_at(&p, p.solids).size);
	oz_world_destroy(w);
	return p;
}

// Writes the file with some bytes of the colliders changed, and a checksum that fits.
static void write_changed(const paper *p, size_t at, const void *bytes, size_t size)
{
	char *changed = malloc(p->size);
	assert_non_null(changed);
	memcpy(changed, p->bytes, p->size);
	memcpy(changed + at, bytes, size);
	section_header header = header_at(p, p->solids);
	const size_t body = p->solids + sizeof header;
	header.hash = oz_hash(changed + body, header.size, snapshot_seed(&header));
	memcpy(changed + p->solids, &header, sizeof header);
	test_write(PATH, changed, p->size);
	free(changed);
}

// Loads what was written: a world that goes on, or a sentence; nothing leaks either way.
static oz_result try_file(size_t limit)
{
	test_memory memory = {.poison = 0xa5, .limit = limit};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_error error = {OZ_OK, ""};
	oz_world *w = NULL;
	const oz_result result = oz_world_load(PATH, NULL, 1, &hooks, &w, &error);
	if (result == OZ_OK)
		for (int k = 0; k < 3; k++)
			assert_int_equal(oz_world_step(w, NULL, &error), OZ_OK);
	else
		assert_true(w == NULL && strchr(error.text, ';') != NULL);
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
	return result;
}

static void expect_damaged(const paper *p, size_t at, const void *bytes, size_t size,
                           const char *what)
{
	write_changed(p, at, bytes, size);
	// what a lie asks for is never taken
	const oz_result result = try_file((size_t)64 << 20);
	if (result != OZ_ERROR_CHECKSUM)
		fail_msg("%s was answered by result %d", what, (int)result);
}

static void sdfs_that_lie_are_refused(void **state)
{
	(void)state;
	const paper p = write_paper();
	const size_t f = p.frame, count = f + sizeof(oz_sdf_frame), places = count + 4;
	uint32_t blocks, along[3];
	memcpy(&blocks, p.bytes + count, sizeof blocks);
	memcpy(along, p.bytes + f + offsetof(oz_sdf_frame, blocks), sizeof along);
	const size_t nearest = places + sizeof(uint) * along[0] * along[1] * along[2];
	const uint32_t counts[] = {UINT32_MAX, 0x7fffffff, 0x02000000, blocks + 1, blocks - 1, 0};
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
		expect_damaged(&p, count, &counts[k], sizeof *counts, "a number of blocks");
	const uint32_t edges[] = {UINT32_MAX, 0x10000, 0x80000000, along[0] + 1, 0};
	for (size_t k = 0; k < 15; k++)
		expect_damaged(&p, f + offsetof(oz_sdf_frame, blocks) + 4 * (k % 3), &edges[k / 3],
		               sizeof *edges, "blocks along an edge");
	const float lengths[] = {NAN, INFINITY, -1, 0};
	for (size_t k = 0; k < 4; k++) {
		expect_damaged(&p, f + offsetof(oz_sdf_frame, cell), &lengths[k], 4, "a cell");
		expect_damaged(&p, f + offsetof(oz_sdf_frame, reach), &lengths[k], 4, "a reach");
		if (k < 2)
			expect_damaged(&p, nearest + 40, &lengths[k], 4, "a lead");
		if (k < 2)
			expect_damaged(&p, f, &lengths[k], 4, "an origin");
	}
	const uint32_t far = 100000000, twice = 0;
	expect_damaged(&p, f + offsetof(oz_sdf_frame, place), &far, 4, "a first place");
	expect_damaged(&p, f + offsetof(oz_sdf_frame, block), &far, 4, "a first block");
	expect_damaged(&p, places, &far, 4, "a block that is not there");
	uint32_t at = 0, held;
	do
		memcpy(&held, p.bytes + places + 4 * at++, sizeof held);
	while (held != 1);
	expect_damaged(&p, places + 4 * (at - 1), &twice, 4, "a block in two places");
	free(p.bytes);
}

static void a_snapshot_with_sdfs_cut_or_changed_anywhere_is_a_world_or_a_sentence(void **state)
{
	(void)state;
	const paper p = write_paper();
	uint64_t random = 11;
	for (int k = 0; k < 60; k++) {
		test_write(PATH, p.bytes, p.size * (size_t)k / 60);
		assert_int_not_equal(try_file(0), OZ_OK);
	}
	const size_t body = p.solids + sizeof(section_header);
	const size_t end = body + header_at(&p, p.solids).size;
	uint32_t refused = 0;
	for (int k = 0; k < 150; k++) {
		// half of them in what is not leads
		const size_t most = k & 1 ? end - body : p.frame + 200 - body;
		const size_t at = body + (size_t)(test_random(&random) * (double)(most - 4));
		const uint32_t bits = test_random_bits(&random);
		write_changed(&p, at, &bits, k % 3 ? 1 : 4);
		refused += try_file((size_t)256 << 20) != OZ_OK;
	}
	assert_true(refused > 10);
	free(p.bytes);
}

// A fine SDF of a large thing has more bytes than all else together.
static void an_sdf_of_a_hundred_megabytes_survives(void **state)
{
	(void)state;
	oz_world_def of_world = oz_world_default();
	of_world.spacing = SPACING;
	oz_world *w = test_world(&of_world), *v;
	oz_sdf_def def = ball_def(NULL);
	def.reach = 42 * SPACING;
	oz_sdf *sdf = sdf_of(&def);
	assert_true(oz_sdf_bytes(sdf) > (size_t)70 << 20);
	assert_int_equal(add_sdf(w, sdf, (oz_vec3){0, 0, 0}, STILL, NULL), OZ_OK);
	oz_sdf_release(sdf);
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_world_save(w, PATH, &error), OZ_OK);
	oz_world_destroy(w);
	if (oz_world_load(PATH, NULL, 1, NULL, &v, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_world_destroy(v);
	assert_int_equal(unlink(PATH), 0);
}

static void a_file_of_version_2_goes_on(void **state)
{
	(void)state;
	oz_world *w;
	oz_error error = {OZ_OK, ""};
	oz_stats stats, later;
	if (oz_world_load(test_source("tests/snapshots/version_2.ooze"), NULL, 1, NULL, &w,
	                  &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(oz_world_step_count(w), 25);
	assert_int_equal(oz_world_collider_count(w), 3);
	for (uint32_t k = 0; k < 3; k++) {
		const oz_collider_def *def = &oz_collider_entries(&w->boundary)[k].def;
		assert_false(def->shell || def->flat || def->load);
	}
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	test_steps(w, 50);
	assert_int_equal(oz_world_stats(w, &later, NULL), OZ_OK);
	assert_true(later.kinetic_energy + later.potential_energy <
	            1.5 * (stats.kinetic_energy + stats.potential_energy) + 100);
	oz_world_destroy(w);
}

// ---- what is refused ---------------------------------------------------------------------------

static void expect_refused(const oz_sdf_def *def, oz_result code, const char *sentence)
{
	test_memory memory = {0};
	oz_sdf_def d = *def;
	d.hooks = test_memory_hooks(&memory);
	oz_sdf *sdf = (oz_sdf *)1;
	oz_error error = {OZ_OK, ""};
	const oz_result result = oz_sdf_make(&d, &sdf, &error);
	if (result != code || !strstr(error.text, sentence) || !strchr(error.text, ';'))
		fail_msg("result %d: '%s'", (int)result, error.text);
	assert_null(sdf);
	assert_true(memory.peak < (size_t)1 << 20);
	test_memory_is_empty(&memory);
}

static int bad_value; // which of a lead's four is no number
static float bad_from;

static void near_nothing(void *context, const oz_vec3 *points, uint32_t count,
                         oz_nearest_point *nearest)
{
	near_ball(context, points, count, nearest);
	for (uint32_t k = 0; k < count; k++)
		if (points[k].x > bad_from)
			(&nearest[k].x)[bad_value] = bad_value % 2 ? NAN : INFINITY;
}

static void sdfs_that_make_no_sense_get_a_sentence(void **state)
{
	(void)state;
	oz_sdf_def d = ball_def(NULL);
	d.nearest = NULL;
	expect_refused(&d, OZ_ERROR_ARGUMENT, "nearest");
	const float lengths[] = {0, -1, NAN, INFINITY};
	for (int k = 0; k < 4; k++) {
		d = ball_def(NULL);
		d.cell = lengths[k];
		expect_refused(&d, OZ_ERROR_RANGE, "above 0");
		d = ball_def(NULL);
		d.reach = lengths[k];
		expect_refused(&d, OZ_ERROR_RANGE, "above 0");
	}
	d = ball_def(NULL);
	d.max.y = -1;
	expect_refused(&d, OZ_ERROR_RANGE, "below");
	d.max.y = NAN;
	expect_refused(&d, OZ_ERROR_RANGE, "box");
	d = ball_def(NULL);
	d.max = (oz_vec3){1e6f, 1e6f, 1e6f};
	d.cell = 1e-6f;
	expect_refused(&d, OZ_ERROR_RANGE, "too fine");
	d.max = (oz_vec3){3e38f, 3e38f, 3e38f};
	d.min = (oz_vec3){-3e38f, -3e38f, -3e38f};
	expect_refused(&d, OZ_ERROR_RANGE, "box");
	assert_int_equal(oz_sdf_make(NULL, NULL, NULL), OZ_ERROR_ARGUMENT);
}

static void a_function_that_gives_no_numbers_is_found_out(void **state)
{
	(void)state;
	oz_sdf_def d = ball_def(NULL);
	d.nearest = near_nothing;
	for (bad_value = 0; bad_value < 4; bad_value++)
		for (bad_from = -1; bad_from < 0.3f; bad_from += 0.4f)
			expect_refused(&d, OZ_ERROR_RANGE, "distances that are not finite");
}

static void colliders_that_make_no_sense_get_a_sentence(void **state)
{
	(void)state;
	oz_world *w = walls(1, false);
	oz_error error = {OZ_OK, ""};
	oz_load load;
	assert_int_equal(add_sdf(w, NULL, (oz_vec3){0, 0, 0}, STILL, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "is an SDF but has none"));
	const oz_sdf_def d = ball_def(NULL);
	oz_sdf *sdf = sdf_of(&d);
	oz_shape shape = oz_shape_make(OZ_SHAPE_SDF, (oz_vec3){0, 0, 0});
	shape.sdf = sdf;
	oz_collider_def def = oz_collider_default(shape);
	def.shell = def.inside = true;
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "shell"));
	def.inside = false;
	def.keyframe_count = 2;
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_world_collider_count(w), COLLIDERS);
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	assert_int_not_equal(oz_shape_fill(&shape, SPACING, OZ_FILL_LATTICE, &points, &count,
	                                   &error),
	                     OZ_OK);
	assert_null(points);
	def = oz_collider_default(shape);
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_OK);
	assert_int_equal(oz_world_take_load(w, COLLIDERS, &load, &error), OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_world_take_load(w, 99, &load, &error), OZ_ERROR_NOT_FOUND);
	assert_int_equal(oz_world_take_load(NULL, 0, &load, &error), OZ_ERROR_ARGUMENT);
	test_steps(w, 3);
	oz_sdf_release(sdf);
	oz_world_destroy(w);
}

// ---- memory that runs out ----------------------------------------------------------------------

typedef struct ration {
	int64_t left, bytes;
} ration;

static void *rationed(void *context, void *block, size_t old_size, size_t new_size)
{
	ration *r = context;
	if (new_size && r->left-- <= 0)
		return NULL;
	char *fresh = new_size ? aligned_alloc(64, (new_size + 63) / 64 * 64) : NULL;
	if (new_size)
		memset(fresh, 0xa5, new_size);
	if (fresh && block)
		memcpy(fresh, block, old_size < new_size ? old_size : new_size);
	r->bytes += (int64_t)new_size - (block ? (int64_t)old_size : 0);
	free(block);
	return fresh;
}

static oz_result live(const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	oz_result result = make_walls(1, hooks, true, world, error);
	for (int k = 0; result == OZ_OK && k < 3; k++)
		result = oz_world_step(*world, NULL, error);
	return result == OZ_OK ? oz_world_save(*world, "memory.ooze", error) : result;
}

static void memory_that_runs_out_anywhere_leaves_nothing_behind(void **state)
{
	(void)state;
	oz_result result = OZ_ERROR_MEMORY;
	int64_t allowed = 0;
	for (; result != OZ_OK; allowed++) {
		ration r = {.left = allowed};
		const oz_hooks hooks = {.alloc = rationed, .context = &r};
		oz_world *w = NULL;
		oz_error error = {OZ_OK, ""};
		result = live(&hooks, &w, &error);
		oz_world_destroy(w);
		assert_true(result == OZ_OK || (result == OZ_ERROR_MEMORY && error.text[0]));
		assert_true(r.bytes == 0);
	}
	assert_true(allowed > 40);
	oz_world *w = NULL;
	result = OZ_ERROR_MEMORY;
	for (allowed = 0; result != OZ_OK; allowed++) {
		ration r = {.left = allowed};
		const oz_hooks hooks = {.alloc = rationed, .context = &r};
		result = oz_world_load("memory.ooze", NULL, 1, &hooks, &w, NULL);
		oz_world_destroy(w);
		assert_true(result == OZ_OK || result == OZ_ERROR_MEMORY);
		assert_true(r.bytes == 0);
	}
}

// a collider for which memory ran out is not added, and the world goes on as without it
static void a_wall_that_found_no_memory_can_be_added_again(void **state)
{
	(void)state;
	ration r = {.left = INT64_MAX};
	const oz_hooks hooks = {.alloc = rationed, .context = &r};
	const oz_sdf_def d = ball_def(NULL);
	oz_sdf *sdf = sdf_of(&d);
	oz_world *w = NULL, *calm = walls(1, true);
	assert_int_equal(make_walls(1, &hooks, true, &w, NULL), OZ_OK);
	test_steps(w, 5);
	test_steps(calm, 5);
	const oz_vec3 at = {0.3f, -0.3f, 0};
	oz_result result = OZ_ERROR_MEMORY;
	for (int64_t allowed = 0; result != OZ_OK; allowed++) {
		r.left = allowed;
		result = add_sdf(w, sdf, at, MOVING, NULL);
		assert_true(result == OZ_OK || result == OZ_ERROR_MEMORY);
		r.left = INT64_MAX;
		if (result == OZ_OK)
			assert_int_equal(add_sdf(calm, sdf, at, MOVING, NULL), OZ_OK);
		test_steps(w, 2);
		test_steps(calm, 2);
		assert_true(oz_world_hash(w) == oz_world_hash(calm));
	}
	test_steps(w, 40);
	test_steps(calm, 40);
	expect_same(w, calm);
	oz_sdf_release(sdf);
	oz_world_destroy(calm);
	oz_world_destroy(w);
	assert_true(r.bytes == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_change_neither_state_nor_loads),
	        cmocka_unit_test(a_snapshot_in_mid_run_goes_on_bit_for_bit),
	        cmocka_unit_test(colliders_that_share_an_sdf_are_as_two_with_their_own),
	        cmocka_unit_test(an_sdf_lives_as_long_as_anyone_holds_it),
	        cmocka_unit_test(sdfs_that_lie_are_refused),
	        cmocka_unit_test_setup_teardown(
	                a_snapshot_with_sdfs_cut_or_changed_anywhere_is_a_world_or_a_sentence,
	                small_walls, usual_walls),
	        cmocka_unit_test(an_sdf_of_a_hundred_megabytes_survives),
	        cmocka_unit_test(a_file_of_version_2_goes_on),
	        cmocka_unit_test(sdfs_that_make_no_sense_get_a_sentence),
	        cmocka_unit_test(a_function_that_gives_no_numbers_is_found_out),
	        cmocka_unit_test(colliders_that_make_no_sense_get_a_sentence),
	        cmocka_unit_test_setup_teardown(memory_that_runs_out_anywhere_leaves_nothing_behind,
	                                        small_walls, usual_walls),
	        cmocka_unit_test(a_wall_that_found_no_memory_can_be_added_again),
	};
	return cmocka_run_group_tests(tests, usual_walls, NULL);
}
