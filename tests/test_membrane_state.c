// test_membrane_state.c: worlds with membranes on any number of threads, saved, damaged and
// refused; membranes together with all other models.
//
// A membrane with water, rubber, jelly and a stone gives the same bits on 1, 2 and 3 threads and
// after a snapshot, torn or whole. A snapshot with a membrane that is not possible is refused with
// a sentence.
#include "damage.h"
#include "models/membrane/membrane.h"

#define PATH  "membrane.ooze"
#define WRONG "wrong.ooze"

static const double s = 0.025; // m, spacing

static oz_membrane_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	return state;
}

static oz_material_def skin_def(double tear)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.young_modulus = 1e6f;
	def.thickness = 2e-3f;
	def.gauge_pressure = 2000;
	def.tear = (float)tear;
	return def;
}

static oz_id add_ball(oz_world *w, const oz_material_def *def, double radius, vec at)
{
	oz_error error = {OZ_OK, ""};
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	oz_id body;
	ball.position = vec_narrow(at);
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, def), &body, &error), &error);
	return body;
}

static oz_world *make_world(oz_pressure pressure, double tear, uint32_t threads)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = threads;
	oz_world *w = test_world(&def);
	const oz_material_def skin = skin_def(tear);
	oz_material_def stone = oz_material_default(OZ_RIGID), springs = skin_def(0);
	const oz_material_def rubber = test_elastic(1e5, 0.3), jelly = test_blend(0.5, 900);
	springs.skin_law = OZ_SKIN_SPRINGS;
	// it grows until its faces are large and press
	springs.gauge_pressure = 40000;
	springs.surface_stiffness = 1e5f;
	springs.surface_viscosity = 20;
	oz_collider_def vessel =
	        oz_collider_default(test_box(vec_of(0, 0, 0), vec_of(0.4, 0.8, 0.25)));
	vessel.inside = true;
	test_add_collider(w, &vessel);
	add_ball(w, &skin, 0.08, vec_of(0.1, 0.2, 0.12));
	add_ball(w, &springs, 0.07, vec_of(0.29, 0.22, 0.12));
	const oz_shape pool = test_box(vec_of(0, 0, 0), vec_of(0.2, 0.1, 0.25));
	test_add_filled(w, test_water(w), &pool, OZ_FILL_LATTICE);
	stone.density = 2000;
	const oz_shape block = test_box(vec_of(0.05, 0.3, 0.05), vec_of(0.15, 0.4, 0.15));
	test_add_thrown(w, test_add_material(w, &stone), &block, vec_of(0, -1, 0));
	const oz_shape cube = test_box(vec_of(0.25, 0.32, 0.05), vec_of(0.35, 0.4, 0.15));
	test_add_thrown(w, test_add_material(w, &rubber), &cube, vec_of(0, -1, 0));
	const oz_shape lump = test_box(vec_of(0.25, 0.02, 0.05), vec_of(0.35, 0.1, 0.15));
	test_add_thrown(w, test_add_material(w, &jelly), &lump, vec_of(0, 0, 0));
	return w;
}

enum { STEPS = 150, SAVED = 90 };

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		const oz_pressure pressure = k == 1 ? OZ_PRESSURE_INCOMPRESSIBLE : OZ_PRESSURE_EOS;
		// the third one tears where the stone hits it
		const double tear = k == 2 ? 1.03 : 0;
		oz_world *w = make_world(pressure, tear, 1);
		test_steps(w, SAVED);
		test_must(oz_world_save(w, PATH, NULL), NULL);
		test_steps(w, STEPS - SAVED);
		const uint64_t golden = oz_world_hash(w);
		const oz_membrane_state skin = get(w, 0);
		print_message("%.3f s: %.1f Pa, torn %.2e m²\n", oz_world_time(w), skin.pressure,
		              skin.torn);
		assert_true(k == 2 ? skin.torn > 0 : skin.torn == 0);
		const oz_membrane *m = oz_model_state(&w->sim, &oz_membrane_model);
		assert_true(m->contact.pairs > 0);
		oz_world_destroy(w);
		for (uint32_t threads = test_is_quick() ? 3 : 1; threads <= 3; threads++) {
			oz_error error = {OZ_OK, ""};
			test_must(oz_world_load(PATH, NULL, threads, NULL, &w, &error), &error);
			test_steps(w, STEPS - SAVED);
			assert_true(oz_world_hash(w) == golden);
			oz_world_destroy(w);
			w = make_world(pressure, tear, threads);
			test_steps(w, STEPS);
			assert_true(oz_world_hash(w) == golden);
			oz_world_destroy(w);
		}
	}
}

// another ball is added after some steps: the first one stays torn, and what was saved goes on
static void a_body_that_is_added_later_changes_no_other(void **state)
{
	(void)state;
	oz_world *w = test_space(s, 20);
	const oz_material_def skin = skin_def(1.005), other = skin_def(0);
	const oz_id first = add_ball(w, &skin, 0.1, vec_of(0, 0, 0));
	test_run_until(w, 0.1);
	const oz_membrane_state before = get(w, first);
	assert_true(before.torn > 0);
	const oz_id second = add_ball(w, &other, 0.08, vec_of(0.3, 0, 0));
	test_steps(w, 1);
	assert_true(get(w, first).torn > 0.9 * before.torn);
	test_run_until(w, 0.3);
	assert_true(get(w, first).pressure < 10 && get(w, second).pressure > 100);
	oz_world_destroy(w);
}

// ---- what is refused ---------------------------------------------------------------------------

static char *saved_world(size_t *size)
{
	oz_world *w = make_world(OZ_PRESSURE_EOS, 0, 1);
	test_steps(w, 10);
	test_must(oz_world_save(w, PATH, NULL), NULL);
	oz_world_destroy(w);
	return test_read(PATH, size);
}

static void a_membrane_that_cannot_be_is_refused(void **state)
{
	(void)state;
	const size_t bodies = 4 * sizeof(uint32_t),
	             faces = bodies + 2 * sizeof(oz_membrane_chamber);
	static const double bad = NAN;
	static const float none = -1;
	static const uint32_t many = 0x7fffffff;
	size_t size;
	char *file = saved_world(&size);
	section_header header;
	uint32_t counts[4];
	memcpy(counts, file + test_find_section(file, "membrane", &header) + sizeof header,
	       sizeof counts);
	const size_t edges = faces + counts[1] * sizeof(oz_membrane_face),
	             slots = edges + counts[2] * sizeof(oz_membrane_edge);
	const struct {
		size_t at;
		const void *bytes;
		size_t count;
		const char *sentence;
	} wrong[] = {
	        {bodies, &bad, sizeof bad, "not finite"},
	        {bodies + offsetof(oz_membrane_chamber, body), &many, 4,
	         "names a body that is none"},
	        {bodies + offsetof(oz_membrane_chamber, first_vertex), &many, 4, "do not follow"},
	        {bodies + offsetof(oz_membrane_chamber, faces), &many, 4, "do not follow"},
	        {faces, &many, 4, "a face of a membrane cannot be"},
	        {faces + offsetof(oz_membrane_face, chamber), &many, 4, "a face of a membrane"},
	        {faces + offsetof(oz_membrane_face, area), &bad, 4, NULL},
	        {edges, &many, 4, "an edge of a membrane cannot be"},
	        {edges + offsetof(oz_membrane_edge, face), &many, 4, "an edge of a membrane"},
	        {edges + offsetof(oz_membrane_edge, length), &none, 4, "an edge of a membrane"},
	        {slots, &many, 4, "has no slot of its own"},
	        {slots,
	         file + test_find_section(file, "membrane", &header) + sizeof header + slots + 4, 4,
	         "has no slot of its own"},
	};
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		test_write_changed(WRONG, file, size, "membrane", wrong[k].at, wrong[k].bytes,
		                   wrong[k].count);
		const bool refused = test_is_refused(WRONG, wrong[k].sentence);
		if (wrong[k].sentence && !refused)
			fail_msg("number %zu is not refused", k);
	}
	// the opposite: the same file, not changed, runs
	test_write(WRONG, file, size);
	assert_false(test_is_refused(WRONG, NULL));
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	        cmocka_unit_test(a_body_that_is_added_later_changes_no_other),
	        cmocka_unit_test(a_membrane_that_cannot_be_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
