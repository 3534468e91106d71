// test_walls_damage.c: snapshots with SDFs that are damaged, and SDFs and colliders that contradict
// themselves, are refused with a sentence; memory that runs out leaves nothing behind.
#include <fcntl.h>
#include <unistd.h>

#include "sdf_world.h"
#include "world/snapshot.h"
#include "world/snapshot_format.h"

#define PATH "walls.ooze"

// ---- damaged snapshots -------------------------------------------------------------------------

typedef struct paper {
	char *bytes;
	size_t size;
	size_t colliders; // where that section's header is
	size_t frame;     // where the first SDF's frame is
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
	oz_world *w = test_walls(1, false);
	test_steps(w, 20);
	assert_int_equal(oz_world_save(w, PATH, NULL), OZ_OK);
	p.bytes = test_read(PATH, &p.size);
	p.colliders = sizeof(snapshot_header);
	while (strcmp(p.bytes + p.colliders, "colliders") != 0)
		p.colliders += sizeof(section_header) + header_at(&p, p.colliders).size;
	const oz_sdf_frame *frame =
	        &oz_collider_entries(&w->boundary)[WALL_STILL].def.shape.sdf->frame;
	p.frame = p.colliders;
	while (memcmp(p.bytes + p.frame, frame, sizeof *frame) != 0)
		p.frame++;
	assert_true(p.frame < p.colliders + header_at(&p, p.colliders).size);
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
	section_header header = header_at(p, p->colliders);
	const size_t body = p->colliders + sizeof header;
	header.hash = oz_hash(changed + body, header.size, snapshot_seed(&header));
	memcpy(changed + p->colliders, &header, sizeof header);
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
			expect_damaged(&p, nearest + 40, &lengths[k], 4, "a nearest point");
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
	const size_t body = p.colliders + sizeof(section_header);
	const size_t end = body + header_at(&p, p.colliders).size;
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
	of_world.spacing = WALLS_SPACING;
	oz_world *w = test_world(&of_world), *v;
	oz_sdf_def def = test_ball_def(NULL);
	def.reach = 42 * WALLS_SPACING;
	oz_sdf *sdf = test_sdf_made(&def);
	assert_true(oz_sdf_bytes(sdf) > (size_t)70 << 20);
	assert_int_equal(test_add_sdf(w, sdf, (oz_vec3){0, 0, 0}, WALL_STILL, NULL), OZ_OK);
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

static int bad_value; // which of the four numbers of a nearest point is not finite
static float bad_from;

static void near_nothing(void *context, const oz_vec3 *points, uint32_t count,
                         oz_nearest_point *nearest)
{
	test_near_ball(context, points, count, nearest);
	for (uint32_t k = 0; k < count; k++)
		if (points[k].x > bad_from)
			(&nearest[k].x)[bad_value] = bad_value % 2 ? NAN : INFINITY;
}

static void sdfs_that_make_no_sense_get_a_sentence(void **state)
{
	(void)state;
	oz_sdf_def d = test_ball_def(NULL);
	d.nearest = NULL;
	expect_refused(&d, OZ_ERROR_ARGUMENT, "nearest");
	const float lengths[] = {0, -1, NAN, INFINITY};
	for (int k = 0; k < 4; k++) {
		d = test_ball_def(NULL);
		d.cell = lengths[k];
		expect_refused(&d, OZ_ERROR_RANGE, "above 0");
		d = test_ball_def(NULL);
		d.reach = lengths[k];
		expect_refused(&d, OZ_ERROR_RANGE, "above 0");
	}
	d = test_ball_def(NULL);
	d.max.y = -1;
	expect_refused(&d, OZ_ERROR_RANGE, "below");
	d.max.y = NAN;
	expect_refused(&d, OZ_ERROR_RANGE, "box");
	d = test_ball_def(NULL);
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
	oz_sdf_def d = test_ball_def(NULL);
	d.nearest = near_nothing;
	for (bad_value = 0; bad_value < 4; bad_value++)
		for (bad_from = -1; bad_from < 0.3f; bad_from += 0.4f)
			expect_refused(&d, OZ_ERROR_RANGE, "distances that are not finite");
}

static void colliders_that_make_no_sense_get_a_sentence(void **state)
{
	(void)state;
	oz_world *w = test_walls(1, false);
	oz_error error = {OZ_OK, ""};
	oz_load load;
	assert_int_equal(test_add_sdf(w, NULL, (oz_vec3){0, 0, 0}, WALL_STILL, &error),
	                 OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "is an SDF but has none"));
	const oz_sdf_def d = test_ball_def(NULL);
	oz_sdf *sdf = test_sdf_made(&d);
	oz_shape shape = oz_shape_make(OZ_SHAPE_SDF, (oz_vec3){0, 0, 0});
	shape.sdf = sdf;
	oz_collider_def def = oz_collider_default(shape);
	def.shell = def.inside = true;
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "shell"));
	def.inside = false;
	def.keyframe_count = 2;
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_world_collider_count(w), WALL_COLLIDERS);
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	assert_int_not_equal(oz_shape_fill(&shape, WALLS_SPACING, OZ_FILL_LATTICE, &points, &count,
	                                   &error),
	                     OZ_OK);
	assert_null(points);
	def = oz_collider_default(shape);
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_OK);
	assert_int_equal(oz_world_take_load(w, WALL_COLLIDERS, &load, &error), OZ_ERROR_ARGUMENT);
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
	oz_result result = test_make_walls(1, hooks, true, world, error);
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
	const oz_sdf_def d = test_ball_def(NULL);
	oz_sdf *sdf = test_sdf_made(&d);
	oz_world *w = NULL, *calm = test_walls(1, true);
	assert_int_equal(test_make_walls(1, &hooks, true, &w, NULL), OZ_OK);
	test_steps(w, 5);
	test_steps(calm, 5);
	const oz_vec3 at = {0.3f, -0.3f, 0};
	oz_result result = OZ_ERROR_MEMORY;
	for (int64_t allowed = 0; result != OZ_OK; allowed++) {
		r.left = allowed;
		result = test_add_sdf(w, sdf, at, WALL_MOVING, NULL);
		assert_true(result == OZ_OK || result == OZ_ERROR_MEMORY);
		r.left = INT64_MAX;
		if (result == OZ_OK)
			assert_int_equal(test_add_sdf(calm, sdf, at, WALL_MOVING, NULL), OZ_OK);
		test_steps(w, 2);
		test_steps(calm, 2);
		assert_true(oz_world_hash(w) == oz_world_hash(calm));
	}
	test_steps(w, 40);
	test_steps(calm, 40);
	test_same_walls(w, calm);
	oz_sdf_release(sdf);
	oz_world_destroy(calm);
	oz_world_destroy(w);
	assert_true(r.bytes == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sdfs_that_lie_are_refused),
	        cmocka_unit_test_setup_teardown(
	                a_snapshot_with_sdfs_cut_or_changed_anywhere_is_a_world_or_a_sentence,
	                test_small_walls, test_usual_walls),
	        cmocka_unit_test(an_sdf_of_a_hundred_megabytes_survives),
	        cmocka_unit_test(a_file_of_version_2_goes_on),
	        cmocka_unit_test(sdfs_that_make_no_sense_get_a_sentence),
	        cmocka_unit_test(a_function_that_gives_no_numbers_is_found_out),
	        cmocka_unit_test(colliders_that_make_no_sense_get_a_sentence),
	        cmocka_unit_test_setup_teardown(memory_that_runs_out_anywhere_leaves_nothing_behind,
	                                        test_small_walls, test_usual_walls),
	        cmocka_unit_test(a_wall_that_found_no_memory_can_be_added_again),
	};
	return cmocka_run_group_tests(tests, test_usual_walls, NULL);
}
