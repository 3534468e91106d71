// test_elastic_state.c: a world of solids is saved in mid-run and goes on as if nothing had
// happened.
//
// Solids that are stepped either way, a sheet, handles that stand, move and have let go, blocks
// that melt and melts that freeze: bit for bit the same after loading, on any number of threads.
// What holds and handles cannot be is refused, also under a right checksum.
#include "damage.h"
#include "elastic.h"
#include "models/elastic/elastic.h"

#define SPACING 0.04f
#define PATH    "solids.ooze"
#define WRONG   "wrong.ooze"

static oz_id add(oz_world *w, const oz_material_def *def, oz_shape shape, vec at,
                 double temperature)
{
	oz_vec3 *points;
	oz_body_def body = oz_body_default();
	oz_id id = OZ_NONE;
	shape.position = vec_narrow(at);
	body.material = test_add_material(w, def);
	body.temperature = (float)temperature;
	body.spin = (oz_vec3){1, 2, -1};
	assert_int_equal(oz_shape_fill(&shape, SPACING, OZ_FILL_LATTICE, &points, &body.count,
	                               NULL),
	                 OZ_OK);
	body.points = points;
	assert_int_equal(oz_world_add_body(w, &body, &id, NULL), OZ_OK);
	oz_points_free(points);
	return id;
}

static void add_place(oz_world *w, vec min, vec max, double temperature, double rate)
{
	oz_region_def def = oz_region_default(test_box(min, max));
	def.temperature = (float)temperature;
	def.rate = (float)rate;
	assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
}

// a block that melts from its left, a melt that freezes from its right
static void add_waxes(oz_world *w)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.16f, 0.16f});
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.conductivity = 200;
	def.melting_point = 50;
	def.latent_heat = 2000;
	add(w, &def, box, vec_of(-0.2, 0.2, 0), 45);
	def.young_modulus = 3e4f;
	add(w, &def, box, vec_of(0.2, 0.2, 0), 65);
	add_place(w, vec_of(-0.5, -1, -1), vec_of(-0.2, 1, 1), 120, 20);
	add_place(w, vec_of(0.2, -1, -1), vec_of(0.5, 1, 1), 0, 20);
}

static oz_handle_def box_handle(vec min, vec max)
{
	return oz_handle_default(test_box(min, max));
}

static void add_handles(oz_world *w, oz_id sheet, oz_id block)
{
	static const oz_keyframe way[] = {{0, {0, 0.5f, 0}, {0, 0, 0, 1}},
	                                  {0.05f, {0, 0.55f, 0.02f}, {0, 0.38268f, 0, 0.92388f}},
	                                  {0.1f, {0, 0.5f, 0}, {0, 0, 0, 1}}};
	oz_handle_def rotated = box_handle(vec_of(-0.2, 0.4, -0.3), vec_of(-0.08, 0.6, 0.3)),
	              moved = box_handle(vec_of(-0.05, 0.4, -0.3), vec_of(0.05, 0.6, 0.3)),
	              brief = box_handle(vec_of(-0.5, -0.5, -0.5), vec_of(0.5, 0.5, 0.5));
	rotated.shape.rotation = test_rotation(vec_of(1, 2, 3), 0.1);
	moved.keyframes = way;
	moved.keyframe_count = 3;
	moved.loop = true;
	moved.body = rotated.body = sheet;
	brief.body = block;
	brief.release = 0.03f;
	assert_int_equal(oz_world_add_handle(w, &rotated, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_add_handle(w, &moved, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_add_handle(w, &brief, NULL, NULL), OZ_OK);
}

// a body of two pieces, point by point in turn
static void add_pieces(oz_world *w)
{
	oz_vec3 points[54];
	oz_material_def def = oz_material_default(OZ_COROTATED);
	oz_body_def body = oz_body_default();
	for (uint32_t k = 0; k < 54; k++)
		points[k] =
		        (oz_vec3){0.1f + 0.16f * (float)(k % 2) + SPACING * (float)(k / 2 % 3),
		                  0.6f + SPACING * (float)(k / 6 % 3), SPACING * (float)(k / 18)};
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	body.points = points;
	body.count = 54;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
}

static oz_world *make_world(uint32_t threads)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f}),
	               flat = oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){0.4f, 0, 0.24f});
	oz_world_def space = oz_world_default();
	space.spacing = SPACING;
	space.threads = threads;
	oz_world *w = test_world(&space);
	test_add_tank(w, vec_of(-0.4, -0.3, -0.2), vec_of(0.4, 1, 0.2));
	test_add_lattice(w, test_water(w), vec_of(-0.4, -0.3, -0.2), vec_of(-0.08, 0.02, 0.2), NULL,
	                 NULL);
	oz_material_def def = oz_material_default(OZ_COROTATED);
	const oz_id block = add(w, &def, box, vec_of(0.15, -0.15, 0), 20);
	def.implicit = true;
	def.young_modulus = 1e6f;
	add(w, &def, box, vec_of(0.3, -0.15, 0), 20);
	def = oz_material_default(OZ_COROTATED);
	const oz_id sheet = add(w, &def, flat, vec_of(0, 0.5, 0), 20);
	add_waxes(w);
	add_pieces(w);
	add_handles(w, sheet, block);
	return w;
}

static uint32_t molten(oz_world *w)
{
	const uint32_t *shapeless =
	        test_look(w, w->slots.shapeless, sizeof *shapeless * w->slots.count);
	uint32_t count = 0;
	for (uint32_t k = 0; k < w->slots.count; k++)
		count += shapeless[k];
	return count;
}

static uint64_t hash_of_holds(oz_world *w)
{
	return oz_hash(test_look(w, oz_elastic_of(&w->sim)->hold,
	                         sizeof(oz_float4) * w->slots.count),
	               sizeof(oz_float4) * w->slots.count, 0);
}

static oz_world *load(const char *path, uint32_t threads)
{
	oz_world *w = NULL;
	oz_error error = {0};
	if (oz_world_load(path, NULL, threads, NULL, &w, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return w;
}

static void save(oz_world *w, const char *path)
{
	oz_error error = {0};
	if (oz_world_save(w, path, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

// ---- going on ----------------------------------------------------------------------------------

// saved at steps before, at and after a look at temperatures, from lists that are fresh or old
static void a_loaded_world_goes_on_bit_for_bit(void **state)
{
	(void)state;
	static const uint32_t at[] = {0, 1, 9, 10, 37, 60, 61, 110, 150, 203, 240};
	oz_world *w = make_world(2);
	uint32_t least = UINT32_MAX, most = 0;
	for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
		test_steps(w, at[k] - (uint32_t)oz_world_step_count(w));
		save(w, PATH);
		oz_world *other = load(PATH, 1 + (uint32_t)k % 4), *never = make_world(2);
		assert_true(oz_world_hash(other) == oz_world_hash(w));
		test_steps(other, 25);
		test_steps(never, at[k] + 25);
		if (oz_world_hash(other) != oz_world_hash(never))
			fail_msg("saved at step %u: 25 steps later it is another world", at[k]);
		assert_true(hash_of_holds(other) == hash_of_holds(never));
		least = molten(w) < least ? molten(w) : least;
		most = molten(w) > most ? molten(w) : most;
		oz_world_destroy(never);
		oz_world_destroy(other);
	}
	print_message("time %.3f s, molten from %u to %u of %u\n", oz_world_time(w), least, most,
	              w->slots.count);
	assert_true(oz_world_time(w) > 0.03);
	assert_true(most > least);
	oz_world_destroy(w);
}

// solids alone, whose time step follows from how stiff they are and whether they touch anything;
// at first they are farther from the floor and from each other than neighbour lists reach
static oz_world *make_falling(bool implicit, float young, float time_step)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.12f, 0.12f});
	oz_world_def space = oz_world_default();
	space.spacing = SPACING;
	space.time_step = time_step;
	oz_world *w = test_world(&space);
	test_add_tank(w, vec_of(-0.4, 0, -0.3), vec_of(0.4, 1, 0.3));
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.implicit = implicit;
	add(w, &def, box, vec_of(0, 0.14, 0), 20);
	def.young_modulus = young;
	add(w, &def, box, vec_of(0.05, 0.32, 0.02), 20);
	return w;
}

static void a_loaded_world_of_explicit_solids_takes_the_same_time_steps(void **state)
{
	(void)state;
	static const uint32_t at[] = {0, 1, 2, 7, 40, 41, 90, 140, 200};
	oz_world *w = make_falling(false, 3e5f, 0);
	bool touched = false, flew = false;
	for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
		test_steps(w, at[k] - (uint32_t)oz_world_step_count(w));
		save(w, PATH);
		oz_world *other = load(PATH, 1), *never = make_falling(false, 3e5f, 0);
		test_steps(never, at[k]);
		for (int n = 0; n < 20; n++) {
			const oz_step_report a = test_step(other), b = test_step(never);
			if (a.time_step != b.time_step || a.limit != b.limit)
				fail_msg("saved at step %u: step %u is %.9g s (%s), not %.9g s "
				         "(%s)",
				         at[k], at[k] + (uint32_t)n, (double)a.time_step,
				         oz_limit_name(a.limit), (double)b.time_step,
				         oz_limit_name(b.limit));
			touched |= at[k] && b.limit == OZ_LIMIT_SOUND;
			flew |= b.limit == OZ_LIMIT_ELASTIC;
		}
		assert_true(oz_world_hash(other) == oz_world_hash(never));
		oz_world_destroy(never);
		oz_world_destroy(other);
	}
	// both rules had their say
	print_message("touched %d, flew %d, %.3f s\n", touched, flew, oz_world_time(w));
	assert_true(touched && flew);
	oz_world_destroy(w);
}

#define ROW 40u

// gives how many events there were
static uint32_t expect_rows_as_single(float young, float time_step)
{
	oz_world *rows = make_falling(true, young, time_step);
	oz_world *single = make_falling(true, young, time_step);
	oz_step_report reports[ROW];
	uint32_t taken = 0, rounds = 0, rebuilt = 0;
	for (uint32_t k = 1; k <= 5; k++) {
		assert_int_equal(oz_world_run(rows, INFINITY, ROW, reports, &taken, NULL), OZ_OK);
		assert_int_equal(taken, ROW);
		for (uint32_t n = 0; n < ROW; n++) {
			const oz_step_report a = reports[n], b = test_step(single);
			assert_true(a.step == b.step && a.time == b.time && a.limit == b.limit);
			assert_true(a.max_speed == b.max_speed && a.repaired == b.repaired);
			assert_int_equal(a.rounds, b.rounds);
			rounds += b.rounds;
			rebuilt += b.rebuilt;
		}
		if (oz_world_hash(rows) != oz_world_hash(single))
			fail_msg("after %u steps in rows it is another world", k * ROW);
	}
	const uint32_t events = test_count_events(rows, OZ_EVENT_NOT_CONVERGED);
	assert_int_equal(test_count_events(single, OZ_EVENT_NOT_CONVERGED), events);
	print_message("%g Pa: %u rounds, lists built %u times, %u events\n", (double)young, rounds,
	              rebuilt, events);
	assert_true(rounds > 0 && rebuilt > 2);
	oz_world_destroy(rows);
	oz_world_destroy(single);
	return events;
}

// a device that may run ahead is asked for many steps, and gives what single ones give; also where
// lists go stale in the middle of a row, and where the solver finds no end
static void rows_of_implicit_steps_are_single_steps(void **state)
{
	(void)state;
	expect_rows_as_single(3e5f, 0.001f);
	assert_true(expect_rows_as_single(1e9f, 0.008f) > 0);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
	(void)state;
	uint64_t hash[3];
	for (uint32_t k = 0; k < 3; k++) {
		oz_world *w = make_world(1u << k);
		test_steps(w, 260);
		hash[k] = oz_world_hash(w);
		oz_world_destroy(w);
	}
	assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void a_loaded_world_saves_the_same_bytes(void **state)
{
	(void)state;
	size_t size, again_size;
	oz_world *w = make_world(1);
	test_steps(w, 120);
	save(w, PATH);
	oz_world_destroy(w);
	w = load(PATH, 1);
	save(w, WRONG);
	oz_world_destroy(w);
	char *first = test_read(PATH, &size), *again = test_read(WRONG, &again_size);
	assert_int_equal(size, again_size);
	assert_memory_equal(first, again, size);
	free(first);
	free(again);
}

// ---- what is refused ---------------------------------------------------------------------------

static char *saved_world(size_t *size, size_t *pace)
{
	oz_world *w = make_world(1);
	*pace = !test_is_cpu(w) ? 20 : test_is_long() ? 1 : 3;
	test_steps(w, 12);
	save(w, PATH);
	oz_world_destroy(w);
	return test_read(PATH, size);
}

static void a_hold_that_cannot_be_is_refused(void **state)
{
	(void)state;
	static const float numbers[] = {4, 1e6f, 0.5f, -1, NAN, INFINITY}, places[] = {NAN, 1e30f};
	size_t size, pace;
	char *file = saved_world(&size, &pace);
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
		test_write_changed(WRONG, file, size, "elastic.hold", 5 * sizeof(oz_float4) + 12,
		                   &numbers[k], 4);
		assert_true(test_is_refused(WRONG, NULL));
	}
	for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
		test_write_changed(WRONG, file, size, "elastic.hold", 5 * sizeof(oz_float4),
		                   &places[k], 4);
		assert_true(test_is_refused(WRONG, NULL));
	}
	free(file);
}

// whatever four bytes of the handles become: it is refused, or it is a world that runs
static void handles_of_any_bytes_are_refused_or_run(void **state)
{
	(void)state;
	static const uint32_t words[] = {0xffffffffu, 0x7fc00000u, 0x7f800000u, 0x10000000u, 77};
	section_header header;
	size_t size, pace;
	uint32_t refused = 0, tried = 0;
	char *file = saved_world(&size, &pace);
	test_find_section(file, "handles", &header);
	for (size_t at = 0; at + 4 <= header.size; at += 4 * pace) {
		oz_world *w = NULL;
		test_write_changed(WRONG, file, size, "handles", at, &words[at / (4 * pace) % 5],
		                   4);
		tried++;
		if (test_is_refused(WRONG, NULL)) {
			refused++;
			continue;
		}
		assert_int_equal(oz_world_load(WRONG, NULL, 1, NULL, &w, NULL), OZ_OK);
		test_step(w);
		test_particles all = test_particles_read(w);
		assert_true(test_particles_finite(&all));
		test_particles_free(&all);
		oz_world_destroy(w);
	}
	print_message("%u of %u damaged handles are refused\n", refused, tried);
	assert_true(refused > tried / 10);
	free(file);
}

static void a_file_cut_within_its_handles_is_refused(void **state)
{
	(void)state;
	section_header header;
	size_t size, pace;
	char *file = saved_world(&size, &pace);
	const size_t at = test_find_section(file, "handles", &header);
	for (size_t cut = at; cut < at + sizeof header + header.size; cut += 13 * pace) {
		test_write(WRONG, file, cut);
		assert_true(test_is_refused(WRONG, NULL));
	}
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_loaded_world_goes_on_bit_for_bit),
	        cmocka_unit_test(a_loaded_world_of_explicit_solids_takes_the_same_time_steps),
	        cmocka_unit_test(rows_of_implicit_steps_are_single_steps),
	        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
	        cmocka_unit_test(a_loaded_world_saves_the_same_bytes),
	        cmocka_unit_test(a_hold_that_cannot_be_is_refused),
	        cmocka_unit_test(handles_of_any_bytes_are_refused_or_run),
	        cmocka_unit_test(a_file_cut_within_its_handles_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
