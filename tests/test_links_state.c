// test_links_state.c: worlds with links on any number of threads, saved, damaged, at extremes, and
// refused.
#include "damage.h"
#include "links.h"
#include "models/links/links_table.cl"

#define PATH  "links.ooze"
#define WRONG "wrong.ooze"

static const double s = 0.01; // m, spacing

static oz_world_def make_def(oz_pressure pressure, uint32_t threads)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = threads;
	return def;
}

// ---- threads and snapshots ---------------------------------------------------------------------

typedef enum link_kind { STRETCH, PAPER, SPRINGS } link_kind;

// warm slime and cold wax that fall onto a floor and a post, a stone in the slime, a nozzle
static oz_world *make_world(oz_pressure pressure, link_kind kind, uint32_t threads)
{
	const oz_world_def def = make_def(pressure, threads);
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
	test_add_wall(w, test_box(vec_of(-0.02, 0, -0.02), vec_of(0.02, 0.05, 0.02)), false, NULL,
	              0);
	oz_material_def slime = test_slime(300, 0.1), wax = test_slime(20000, 0.5);
	oz_material_def stone = oz_material_default(OZ_RIGID);
	stone.density = 2500;
	wax.melting_point = 50;
	wax.conductivity = slime.conductivity = 2;
	slime.activation_energy = 30000;
	slime.paper = wax.paper = kind == PAPER;
	slime.link_law = wax.link_law = kind == SPRINGS ? OZ_LINKS_SPRINGS : OZ_LINKS_STRETCH;
	const oz_shape one = test_box(vec_of(-0.05, 0.06, -0.04), vec_of(0.03, 0.12, 0.04));
	const oz_shape two = test_box(vec_of(-0.03, 0.13, -0.03), vec_of(0.03, 0.17, 0.03));
	const oz_shape cube = test_box(vec_of(0.04, 0.08, -0.02), vec_of(0.07, 0.11, 0.01));
	const oz_id a = test_add_material(w, &slime), b = test_add_material(w, &wax),
	            c = test_add_material(w, &stone);
	test_add_warm(w, a, &one, 60);
	test_add_warm(w, b, &two, 20);
	test_add_thrown(w, c, &cube, vec_of(-1, -0.3, 0));
	oz_adhesion_def adhesion = oz_adhesion_default(b, c);
	test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
	oz_emitter_def nozzle = oz_emitter_default(a);
	nozzle.position = oz_v3(0.08f, 0.2f, 0);
	nozzle.radius = 0.02f;
	test_must(oz_world_add_emitter(w, &nozzle, NULL, NULL), NULL);
	return w;
}

enum { STEPS = 110, SAVED = 60 };

static void same_bits(oz_pressure pressure, link_kind kind)
{
	oz_world *w = make_world(pressure, kind, 1);
	test_steps(w, SAVED);
	test_must(oz_world_save(w, PATH, NULL), NULL);
	test_steps(w, STEPS - SAVED);
	const uint64_t golden = oz_world_hash(w);
	oz_world_destroy(w);
	const uint32_t tried[] = {1, 2, 3, 8};
	for (int k = test_is_quick() ? 2 : 0; k < (test_is_long() ? 4 : 3); k++) {
		oz_error error = {OZ_OK, ""};
		test_must(oz_world_load(PATH, NULL, tried[k], NULL, &w, &error), &error);
		test_steps(w, STEPS - SAVED);
		assert_true(oz_world_hash(w) == golden);
		oz_world_destroy(w);
		w = make_world(pressure, kind, tried[k]);
		test_steps(w, STEPS);
		assert_true(oz_world_hash(w) == golden);
		oz_world_destroy(w);
	}
}

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	same_bits(OZ_PRESSURE_INCOMPRESSIBLE, STRETCH);
	same_bits(OZ_PRESSURE_INCOMPRESSIBLE, PAPER);
	same_bits(OZ_PRESSURE_EOS, STRETCH);
	same_bits(OZ_PRESSURE_EOS, SPRINGS);
}

// the hash sees links: another rest length is another hash
static void the_hash_of_a_world_depends_on_its_links(void **state)
{
	(void)state;
	oz_world *w = make_world(OZ_PRESSURE_EOS, STRETCH, 1);
	test_steps(w, 20);
	const uint64_t before = oz_world_hash(w);
	const oz_links *l = oz_model_state(&w->sim, &oz_links_model);
	const float rest = 0.0123f;
	test_put(w, l->table.rest, 0, &rest, sizeof rest);
	assert_true(oz_world_hash(w) != before);
	oz_world_destroy(w);
}

// ---- damaged files -----------------------------------------------------------------------------

static char *saved_world(size_t *size)
{
	oz_world *w = make_world(OZ_PRESSURE_EOS, STRETCH, 1);
	test_steps(w, 10);
	test_must(oz_world_save(w, PATH, NULL), NULL);
	oz_world_destroy(w);
	return test_read(PATH, size);
}

// whatever four bytes of the table of links become: it is refused, or it is a world that runs
static void links_of_any_bytes_are_refused_or_run(void **state)
{
	(void)state;
	static const uint32_t words[] = {0xffffffffu, 0x7ff00000u, 0xfff80000u, 0x10000000u, 77};
	size_t size;
	uint32_t refused = 0, tried = 0;
	char *file = saved_world(&size);
	section_header header;
	const size_t at = test_find_section(file, "links", &header);
	assert_true(at > 0 && header.size > 1000);
	const size_t step = header.size / (test_is_long() ? 200 : 40) / 4 * 4 + 4;
	for (size_t k = 0; k + 4 <= header.size; k += k < 64 ? 4 : step) {
		test_write_changed(WRONG, file, size, "links", k, &words[tried++ % 5], 4);
		refused += test_is_refused(WRONG, NULL);
	}
	// fields of particles: a wall or a row that does not exist, a row twice
	const float walls[] = {0.5f, 7, 5e6f, -9, NAN};
	for (int k = 0; k < 5; k++) {
		test_write_changed(WRONG, file, size, "links.hold", 12, &walls[k], 4);
		assert_true(test_is_refused(WRONG, NULL));
	}
	uint32_t second;
	section_header rows;
	const size_t at_rows = test_find_section(file, "links.row", &rows);
	memcpy(&second, file + at_rows + sizeof rows + 4, 4);
	test_write_changed(WRONG, file, size, "links.row", 0, &second, 4);
	assert_true(test_is_refused(WRONG, "two particles have the same links"));
	print_message("%u of %u damaged tables are refused\n", refused, tried);
	assert_true(refused > tried / 5);
	// the opposite: the same file, not changed, runs
	test_write(WRONG, file, size);
	assert_false(test_is_refused(WRONG, NULL));
	free(file);
}

// ---- extremes ----------------------------------------------------------------------------------

// m/s, the top speed after some steps; all numbers stay finite
static double run_finite(oz_world *w, uint32_t steps)
{
	test_steps(w, steps);
	test_particles all = test_particles_read(w);
	assert_true(test_particles_finite(&all));
	test_particles_free(&all);
	const double speed = test_top_speed(w);
	oz_world_destroy(w);
	return speed;
}

static oz_world *space_of(oz_pressure pressure)
{
	oz_world_def def = make_def(pressure, 1);
	def.gravity = oz_v3(0, 0, 0);
	return test_world(&def);
}

static void one_particle_a_row_and_a_layer_stay_where_they_are(void **state)
{
	(void)state;
	const int edges[][3] = {{1, 1, 1}, {6, 1, 1}, {6, 1, 6}, {1, 6, 1}};
	for (size_t k = 0; k < 4; k++)
		for (oz_pressure p = 0; p < OZ_PRESSURE_COUNT; p++) {
			oz_world *w = space_of(p);
			const oz_material_def slime = test_slime(1e5, 0.1);
			test_add_block(w, test_add_material(w, &slime), vec_of(0, 0, 0),
			               vec_of(edges[k][0] * s, edges[k][1] * s, edges[k][2] * s));
			assert_true(run_finite(w, 60) < 1e-3);
		}
}

// each particle gets a link to each other one: more than a thousand; they fly apart and stay finite
static void a_thousand_links_a_particle_are_borne(void **state)
{
	(void)state;
	oz_world *w = space_of(OZ_PRESSURE_EOS);
	const oz_material_def slime = test_slime(1e4, 1);
	uint64_t seed = 1;
	oz_vec3 points[1200];
	for (int k = 0; k < 1200; k++)
		points[k] = oz_v3((float)(s * (test_random(&seed) - 0.5)),
		                  (float)(s * (test_random(&seed) - 0.5)),
		                  (float)(s * (test_random(&seed) - 0.5)));
	test_add_points(w, test_add_material(w, &slime), points, 1200, oz_v3(0, 0, 0));
	test_step(w);
	const oz_links *l = oz_model_state(&w->sim, &oz_links_model);
	assert_true(l->table.used >= 1199u * 1200u);
	run_finite(w, 20);
}

// with c = 1 a step takes back all of a stretch; a ball that hits the floor stays slower than that
static void the_paper_with_c_of_1_is_bounded(void **state)
{
	(void)state;
	for (oz_pressure p = 0; p < OZ_PRESSURE_COUNT; p++) {
		const oz_world_def def = make_def(p, 1);
		oz_world *w = test_world(&def);
		test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
		oz_material_def slime = test_slime(1, 1);
		slime.paper = true;
		slime.link_correction = 1;
		const oz_shape box = test_box(vec_of(-0.03, 0.01, -0.03), vec_of(0.03, 0.07, 0.03));
		test_add_thrown(w, test_add_material(w, &slime), &box, vec_of(0, -2, 0));
		assert_true(run_finite(w, 300) < 6);
	}
}

// a fixed time step ten times too long for sound and speed alike, and stiff links
static void a_step_ten_times_too_long_stays_finite(void **state)
{
	(void)state;
	oz_world_def def = make_def(OZ_PRESSURE_INCOMPRESSIBLE, 1);
	def.time_step = 0.02f;
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
	const oz_material_def slime = test_slime(1e6, 1);
	const oz_shape box = test_box(vec_of(-0.03, 0.01, -0.03), vec_of(0.03, 0.07, 0.03));
	test_add_thrown(w, test_add_material(w, &slime), &box, vec_of(0, -1, 0));
	// the fall, and what compression by such a step gives back at most
	assert_true(run_finite(w, 100) < 10);
}

// Stiff slime hits the floor; steps are implicit and adapt. Its kinetic energy never exceeds that
// of the fall.
static void an_impact_of_stiff_links_gains_no_energy(void **state)
{
	(void)state;
	const double moduli[] = {1e4, 1e5, 1e6};
	for (int k = 0; k < 3; k++) {
		const oz_world_def def = make_def(OZ_PRESSURE_INCOMPRESSIBLE, 1);
		oz_world *w = test_world(&def);
		test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)), false, NULL, 0);
		const oz_material_def slime = test_slime(moduli[k], 1);
		const oz_shape box = test_box(vec_of(-0.03, 0.01, -0.03), vec_of(0.03, 0.07, 0.03));
		test_add_thrown(w, test_add_material(w, &slime), &box, vec_of(0, -1, 0));
		const double mass = 0.06 * 0.06 * 0.06 * 1000;
		const double most = 0.5 * mass + mass * 9.81 * 0.02;
		double kinetic = 0;
		uint32_t solved = 0;
		for (int n = 0; n < 300; n++) {
			solved += test_step(w).rounds > 0;
			kinetic = fmax(kinetic, test_kinetic_energy(w));
		}
		print_message("%g Pa: kinetic energy %.3f of %.3f J at most\n", moduli[k], kinetic,
		              most);
		assert_true(kinetic < most && solved > 100);
		// it has come to a stop by half at least
		assert_true(test_kinetic_energy(w) < 0.5 * most);
		oz_world_destroy(w);
	}
}

// two halves part at 100 m/s: all links between them break in one step, and no particle is faster
static void everything_may_be_cut_at_once(void **state)
{
	(void)state;
	oz_world *w = space_of(OZ_PRESSURE_INCOMPRESSIBLE);
	oz_material_def slime = test_slime(1000, 1);
	slime.extensibility = 1;
	const oz_id material = test_add_material(w, &slime);
	const oz_shape left = test_box(vec_of(-0.06, 0, 0), vec_of(0, 0.06, 0.06)),
	               right = test_box(vec_of(0, 0, 0), vec_of(0.06, 0.06, 0.06));
	test_add_thrown(w, material, &left, vec_of(-50, 0, 0));
	test_add_thrown(w, material, &right, vec_of(50, 0, 0));
	assert_true(run_finite(w, 300) < 50.5);
}

#define REACH 0.022 // m, the support radius

// Whether a particle is inside: its neighbours are on all sides of it, or below it the floor, which
// its density includes.
static bool is_inside(const test_particles *all, uint32_t i)
{
	const vec x = all->at[i].x;
	vec lean = vec_of(0, 0, 0);
	uint32_t near = 0;
	if (x.y < 0.5 * REACH)
		return false;
	for (uint32_t j = 0; j < all->count; j++) {
		const vec way = vec_sub(all->at[j].x, x);
		const double d = vec_length(way);
		if (j == i || d >= REACH)
			continue;
		lean = vec_mad(lean, vec_of(way.x, x.y < REACH ? 0 : way.y, way.z), 1 / d);
		near++;
	}
	return near > 30 && vec_length(lean) < 0.1 * near;
}

// How far the volume is off that at rest. `inside`: the mean over the particles inside; `pressed`:
// the compression of all, those with a low density, at the surface, as if at rest.
typedef struct volume_error {
	double inside, pressed;
} volume_error;

static volume_error volume_error_of(oz_world *w)
{
	test_particles all = test_particles_read(w);
	double volume = 0, pressed = 0, count = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		pressed += 1 - 1000 / fmax(all.at[i].density, 1000);
		if (!is_inside(&all, i))
			continue;
		volume += 1000 / all.at[i].density;
		count += 1;
	}
	assert_true(count > 20);
	pressed /= all.count;
	test_particles_free(&all);
	return (volume_error){fabs(volume / count - 1), pressed};
}

// A lump in a vessel is pressed and sheared by a stamp that goes down, sideways and up again; gives
// the largest errors.
static volume_error knead(double cohesion, double until)
{
	const oz_world_def def = make_def(OZ_PRESSURE_INCOMPRESSIBLE, 1);
	oz_world *w = test_world(&def);
	const oz_vec3 from = {0, 0.1f, 0}, to = {0, 0.06f, 0}, side = {0.015f, 0.06f, 0};
	const oz_keyframe frames[] = {{.time = 0, .position = from, .rotation = {0, 0, 0, 1}},
	                              {.time = 0.4f, .position = to, .rotation = {0, 0, 0, 1}},
	                              {.time = 0.8f, .position = side, .rotation = {0, 0, 0, 1}},
	                              {.time = 1.2f, .position = from, .rotation = {0, 0, 0, 1}}};
	test_add_tank(w, vec_of(-0.05, 0, -0.05), vec_of(0.05, 0.3, 0.05));
	oz_collider_def stamp = oz_collider_default(
	        test_box(vec_of(-0.025, -0.02, -0.025), vec_of(0.025, 0.02, 0.025)));
	stamp.keyframes = frames;
	stamp.keyframe_count = 4;
	stamp.loop = true;
	test_add_collider(w, &stamp);
	oz_material_def dough = test_slime(2000, 1);
	dough.sticky = 2000;
	dough.cohesion = (float)cohesion;
	const oz_shape lump = test_box(vec_of(-0.04, 0, -0.04), vec_of(0.04, 0.08, 0.04));
	test_add_filled(w, test_add_material(w, &dough), &lump, OZ_FILL_BLUE_NOISE);
	volume_error worst = {0, 0};
	for (int k = 1; 0.1 * k < until; k++) {
		test_run_until(w, 0.1 * k);
		const volume_error now = volume_error_of(w);
		worst.inside = fmax(worst.inside, now.inside);
		worst.pressed = fmax(worst.pressed, now.pressed);
	}
	oz_world_destroy(w);
	print_message("cohesion %g Pa, %g s: volume inside changes by %.1e, compression %.1e\n",
	              cohesion, until, worst.inside, worst.pressed);
	return worst;
}

// with the cohesion of the presets, twice the shear modulus
static void a_lump_that_is_kneaded_keeps_its_volume(void **state)
{
	(void)state;
	const volume_error with = knead(4000, test_is_long() ? 60 : 2.4), without = knead(0, 2.4);
	test_near(with.inside, 0, 5e-3, "change of the volume inside");
	test_near(with.pressed, 0, 5e-3, "compression");
	test_near(without.pressed, 0, 5e-3, "compression without cohesion");
	// the opposite: without cohesion the stamp that goes up pulls voids into it
	assert_true(with.inside < 0.5 * without.inside);
}

// ---- sentences ---------------------------------------------------------------------------------

static void expect_refused(oz_world *w, const oz_material_def *def, const char *sentence)
{
	oz_error error = {OZ_OK, ""};
	oz_id id;
	assert_int_not_equal(oz_world_add_material(w, def, &id, &error), OZ_OK);
	assert_string_equal(error.text, sentence);
}

static void wrong_parameters_are_answered(void **state)
{
	(void)state;
	oz_world *w = space_of(OZ_PRESSURE_EOS);
	oz_material_def def = test_slime(-1, 1);
	expect_refused(w, &def,
	               "material.shear_modulus is -1 Pa; it must be between 0 and 1e+09 Pa");
	def = test_slime(1, 0);
	expect_refused(w, &def,
	               "material.relaxation_time is 0 s; it must be between 1e-06 and 1e+09 s");
	def = test_slime(1, NAN);
	expect_refused(w, &def,
	               "material.relaxation_time is nan s; it must be between 1e-06 and 1e+09 s");
	def = test_slime(1, 1);
	def.paper = true;
	def.link_least = 0.1f;
	expect_refused(w, &def,
	               "material has a link_least of 0.1 above its link_correction of 0.001; "
	               "lower it");
	def.link_least = 0;
	def.link_law = OZ_LINKS_SPRINGS;
	expect_refused(w, &def,
	               "material has paper true and link_law springs, but the constants of the "
	               "paper are of links that only pull; remove one of the two");
	def = test_slime(1, 1);
	snprintf(def.name, sizeof def.name, "slime");
	test_add_material(w, &def);
	def.link_law = OZ_LINKS_SPRINGS;
	snprintf(def.name, sizeof def.name, "gum");
	expect_refused(w, &def,
	               "material gum and material 'slime' differ in 'link_law', but links of "
	               "both kinds cannot be in one world; set it alike");
	oz_world_destroy(w);
}

// ---- vectors -----------------------------------------------------------------------------------

static bool launches_plain_kernels_of_links(const oz_device *d, const oz_kernel *k)
{
	(void)d;
	return k != &oz_kernel_link_count_wide && k != &oz_kernel_link_fill_wide;
}

// The hash of slime, wax that sticks to it for a while, and a stone, after an impact. `plain`: the
// table of links is made by the kernels for particles one by one.
static uint64_t hash_of_impact(bool plain, bool mixed)
{
	oz_world_def def = test_space_def(0.01);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.threads = 1;
	oz_world *w = test_world(&def);
	const oz_device_ops *ops = w->sim.device->ops;
	oz_device_ops changed = *ops;
	changed.can_launch = launches_plain_kernels_of_links;
	if (plain)
		w->sim.device->ops = &changed;
	const oz_material_def slime = test_slime(300, 0.5), wax = test_slime(1000, 5);
	const oz_material_def stone = oz_material_default(OZ_RIGID);
	const oz_shape left = test_box(vec_of(-0.06, 0, 0), vec_of(-0.01, 0.05, 0.05));
	const oz_shape right = test_box(vec_of(0, 0, 0), vec_of(0.05, 0.05, 0.05));
	const oz_shape below = test_box(vec_of(-0.03, -0.05, 0), vec_of(0.03, -0.01, 0.05));
	const oz_id one = test_add_material(w, &slime);
	const oz_id two = mixed ? test_add_material(w, &wax) : one;
	const oz_id three = mixed ? test_add_material(w, &stone) : one;
	test_add_thrown(w, one, &left, vec_of(1, 0, 0));
	test_add_thrown(w, two, &right, vec_of(-1, 0, 0));
	test_add_thrown(w, three, &below, vec_of(0, 1, 0));
	for (int k = 0; k < 3; k++) {
		test_run_until(w, 0.03 * (k + 1));
		oz_adhesion_def adhesion = oz_adhesion_default(one, two);
		adhesion.sticks = k > 0;
		if (mixed)
			test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
	}
	const uint64_t hash = oz_world_hash(w);
	w->sim.device->ops = ops;
	oz_world_destroy(w);
	return hash;
}

static void vectors_make_the_table_of_single_particles(void **state)
{
	(void)state;
	for (int mixed = 0; mixed < 2; mixed++)
		assert_true(hash_of_impact(false, mixed) == hash_of_impact(true, mixed));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	        cmocka_unit_test(the_hash_of_a_world_depends_on_its_links),
	        cmocka_unit_test(links_of_any_bytes_are_refused_or_run),
	        cmocka_unit_test(one_particle_a_row_and_a_layer_stay_where_they_are),
	        cmocka_unit_test(a_thousand_links_a_particle_are_borne),
	        cmocka_unit_test(the_paper_with_c_of_1_is_bounded),
	        cmocka_unit_test(a_step_ten_times_too_long_stays_finite),
	        cmocka_unit_test(an_impact_of_stiff_links_gains_no_energy),
	        cmocka_unit_test(everything_may_be_cut_at_once),
	        cmocka_unit_test(a_lump_that_is_kneaded_keeps_its_volume),
	        cmocka_unit_test(wrong_parameters_are_answered),
	        cmocka_unit_test(vectors_make_the_table_of_single_particles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
