// test_liquids.c: with the fitted kernel a liquid has no shear strength, so that waves between two
// liquids grow as theory says, and rests; with cohesion it holds together when it is stretched.
#include "worlds.h"

#include "math/sph.h"

static const double s = 0.01; // m, spacing

static oz_world_def liquid_def(oz_kernel_kind kernel)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.threads = 1;
	def.kernel = kernel;
	def.support = kernel == OZ_KERNEL_FITTED ? OZ_FITTED_SUPPORT : 2;
	return def;
}

// ---- the kernel --------------------------------------------------------------------------------

// Σ W over a lattice with one point for each unit of volume: `count` points of a cubic cell
static double lattice_sum(const double (*cell)[3], int count)
{
	const double edge = cbrt(count);
	double sum = 0;
	for (int x = -3; x <= 3; x++)
		for (int y = -3; y <= 3; y++)
			for (int z = -3; z <= 3; z++)
				for (int k = 0; k < count; k++) {
					const vec p = vec_of((x + cell[k][0]) * edge,
					                     (y + cell[k][1]) * edge,
					                     (z + cell[k][2]) * edge);
					const float r2 = (float)vec_dot(p, p);
					sum += (double)oz_fitted(lane_of(r2), OZ_FITTED_SUPPORT)[0];
				}
	return sum;
}

static void three_lattices_have_the_same_kernel_sum(void **state)
{
	(void)state;
	static const double simple[][3] = {{0, 0, 0}}, centred[][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}},
	                    packed[][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
	const double one = lattice_sum(simple, 1);
	// 0.05 %: with the cubic spline they differ by 1 %
	test_near(lattice_sum(centred, 2) / one, 1, 5e-4, "sum of the body-centred lattice");
	test_near(lattice_sum(packed, 4) / one, 1, 5e-4, "sum of the face-centred lattice");
}

// ---- overturning -------------------------------------------------------------------------------

enum { WIDE = 24, HIGH = 24, DEEP = 8 }; // spacings

// Heavy over light, with gravity tilted by 2°: the share of the exchange that is reached after 3 s.
static double overturned(oz_kernel_kind kernel, float ratio)
{
	oz_world_def def = liquid_def(kernel);
	def.gravity.x = 0.3f;
	oz_world *w = test_world(&def);
	const vec low = {0, 0, 0}, mid = {WIDE * s, HIGH / 2 * s, DEEP * s};
	const oz_shape below = test_box(low, mid),
	               above = test_box(vec_of(0, HIGH / 2 * s, 0),
	                                vec_of(WIDE * s, HIGH * s, DEEP * s));
	const float damping = oz_material_default(OZ_FLUID).damping;
	test_add_tank(w, low, vec_of(WIDE * s, 3 * HIGH * s, DEEP * s));
	const oz_id light = test_add_filled(w, test_add_liquid(w, 1000, 0.02f, damping), &below,
	                                    OZ_FILL_LATTICE),
	            heavy = test_add_filled(w, test_add_liquid(w, 1000 * ratio, 0.02f, damping),
	                                    &above, OZ_FILL_LATTICE);
	const double before = test_mean_height(w, heavy) - test_mean_height(w, light);
	test_run_until(w, 3);
	const double share =
	        (before - (test_mean_height(w, heavy) - test_mean_height(w, light))) / (2 * before);
	print_message("kernel %d, %g : 1: %.3f of the exchange\n", (int)kernel, (double)ratio,
	              share);
	oz_world_destroy(w);
	return share;
}

static void a_heavy_liquid_sinks_through_a_light_one(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	// 0.5 with a Wendland kernel and a support of 3; 0.32 to 0.55 here, by the tilt
	assert_true(overturned(OZ_KERNEL_FITTED, 1.1f) > 0.3);
}

static void with_the_cubic_spline_it_is_held_as_by_a_crystal(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	// what the fitted kernel is for: if this fails, another change has cured the cubic spline
	assert_true(overturned(OZ_KERNEL_CUBIC, 1.1f) < 0.1);
}

// ---- growth of a wave between two liquids ------------------------------------------------------

enum { WAVE = 32, LAYERS = 24 }; // spacings, width and height of both layers together

typedef struct wave {
	oz_world *world;
	oz_id heavy; // its material
	double k;    // 1/m, of half a wave in the box
} wave;

// Adds one of two layers, displaced as by the flow of a standing wave of amplitude s between them.
static void add_layer(const wave *v, oz_id material, bool above)
{
	const double half = LAYERS / 2 * s, k = v->k;
	oz_vec3 points[WAVE * LAYERS / 2 * DEEP];
	uint32_t count = 0;
	for (int x = 0; x < WAVE; x++)
		for (int y = 0; y < LAYERS / 2; y++)
			for (int z = 0; z < DEEP; z++) {
				const double along = k * (x + 0.5) * s, up = k * (y + 0.5) * s;
				const double slide = s * sin(along) * cosh(up) / sinh(k * half);
				const double rise = s * cos(along) * sinh(up) / sinh(k * half);
				const double from = (y + 0.5) * s;
				points[count++] =
				        oz_v3((float)((x + 0.5) * s + (above ? slide : -slide)),
				              (float)((above ? 2 * half - from : from) + rise),
				              (float)((z + 0.5) * s));
			}
	oz_body_def body = oz_body_default();
	body.points = points;
	body.count = count;
	body.material = material;
	test_must(oz_world_add_body(v->world, &body, NULL, NULL), NULL);
}

static wave make_wave(float ratio)
{
	oz_world_def def = liquid_def(OZ_KERNEL_FITTED);
	wave v = {.world = test_world(&def), .k = PI / (WAVE * s)};
	const float damping = oz_material_default(OZ_FLUID).damping;
	test_add_tank(v.world, vec_of(0, 0, 0), vec_of(WAVE * s, 2 * LAYERS * s, DEEP * s));
	const oz_id light = test_add_liquid(v.world, 1000, 0.001f, damping);
	v.heavy = test_add_liquid(v.world, 1000 * ratio, 0.001f, damping);
	add_layer(&v, light, false);
	add_layer(&v, v.heavy, true);
	return v;
}

// amplitude of the wave, spacings: the first Fourier term of the border of the two
static double amplitude(const wave *v)
{
	oz_view x, material;
	double sum = 0;
	test_must(oz_world_view(v->world, OZ_FIELD_MATERIAL, &material, NULL), NULL);
	test_must(oz_world_view(v->world, OZ_FIELD_POSITION, &x, NULL), NULL);
	for (uint32_t i = 0; i < x.count; i++) {
		oz_vec3 at;
		uint32_t of;
		memcpy(&at, (const char *)x.data + i * x.stride, sizeof at);
		memcpy(&of, (const char *)material.data + i * material.stride, sizeof of);
		sum -= of == v->heavy ? cos(v->k * (double)at.x) : 0;
	}
	return 2 * sum / (WAVE * DEEP);
}

// Growth rate over that of Taylor's theory, √(A g k tanh kH), while the wave grows from 1.15 to
// twice its first amplitude: a k is below 0.2. A wave that begins at rest grows as cosh. A
// viscosity of 0.03 Pa·s (0.001, and 0.028 of damping) slows it by 0.5 %.
static double growth_over_theory(float ratio)
{
	wave v = make_wave(ratio);
	const double atwood = ((double)ratio - 1) / ((double)ratio + 1);
	const double theory = sqrt(atwood * GRAVITY * v.k * tanh(v.k * LAYERS / 2 * s)); // 1/s
	const double first = amplitude(&v), step = 0.02 / theory;
	double now = first, time = 0, begin = 0, low = 0;
	while (now < 2 * first && time * theory < 6) {
		time += step;
		test_run_until(v.world, time);
		now = amplitude(&v);
		if (begin == 0 && now > 1.15 * first) {
			begin = time;
			low = now;
		}
	}
	oz_world_destroy(v.world);
	const double growth =
	        begin > 0 ? (acosh(now / first) - acosh(low / first)) / (time - begin) : 0;
	print_message("%g : 1: grows at %.3f/s, %.3f of the theory\n", (double)ratio, growth,
	              growth / theory);
	return growth / theory;
}

static void a_wave_under_a_heavy_liquid_grows_as_taylor_says(void **state)
{
	(void)state;
	// 15 %: the claim
	test_near(growth_over_theory(1.1f), 1, 0.15, "growth over theory at 1.1 : 1");
	test_near(growth_over_theory(3), 1, 0.15, "growth over theory at 3 : 1");
}

static void a_wave_grows_at_all_ratios(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	test_near(growth_over_theory(1.2f), 1, 0.15, "growth over theory at 1.2 : 1");
	// 40 %: the claim; the driving stress is near what the packing still resists
	test_near(growth_over_theory(1.05f), 1, 0.4, "growth over theory at 1.05 : 1");
}

// ---- rest --------------------------------------------------------------------------------------

// test_hydrostatics holds the pressures of such a column
static void a_column_comes_to_rest(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	const oz_world_def def = liquid_def(OZ_KERNEL_FITTED);
	oz_world *w = test_world(&def);
	const vec top = {16 * s, 24 * s, 16 * s};
	const oz_shape box = test_box(vec_of(0, 0, 0), top);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(top.x, 1, top.z));
	test_add_filled(w, test_water(w), &box, OZ_FILL_LATTICE);
	test_run_until(w, 4);
	const oz_stats stats = test_stats(w);
	// 1 cm/s: a two thousandth of the speed of sound
	test_near(sqrt(2 * stats.kinetic_energy / stats.mass), 0, 0.01, "rms speed after 4 s");
	// 2.4 kPa at the floor compress by 0.6 %
	test_near(stats.centre[1] / (0.5 * top.y), 1, 0.02, "height of the centre");
	oz_world_destroy(w);
}

// ---- cohesion ----------------------------------------------------------------------------------

static oz_id add_cohesive(oz_world *w, float viscosity, float cohesion)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.viscosity = viscosity;
	def.cohesion = cohesion;
	return test_add_material(w, &def);
}

// Second moment of a falling jet over that of a disc of its flow, where it has thinned to half its
// area and less.
static double width_of_jet(float cohesion)
{
	oz_world_def def = liquid_def(OZ_KERNEL_FITTED);
	oz_world *w = test_world(&def);
	oz_emitter_def jet = oz_emitter_default(add_cohesive(w, 2, cohesion));
	jet.radius = (float)(4 * s);
	jet.speed = 0.4f;
	test_must(oz_world_add_emitter(w, &jet, NULL, NULL), NULL);
	test_run_until(w, 0.5);
	test_particles all = test_particles_read(w);
	double moment = 0, speed = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		if (x.y > -0.1 || x.y < -0.3)
			continue;
		moment += x.x * x.x + x.z * x.z;
		speed -= all.at[i].v.y;
		count++;
	}
	test_particles_free(&all);
	oz_world_destroy(w);
	assert_true(count > 100);
	const double area = PI * 16 * s * s * 0.4 / (speed / count);
	const double width = sqrt(2 * moment / count / (area / PI));
	print_message("cohesion %g Pa: width %.3f, %u particles\n", (double)cohesion, width, count);
	return width;
}

static void a_cohesive_jet_thins_and_without_cohesion_it_bursts(void **state)
{
	(void)state;
	// 10 %: the claim
	test_near(width_of_jet(500), 1, 0.1, "width of a jet over √(Q/πv)");
	assert_true(width_of_jet(0) > 1.1);
}

static void a_cohesive_drop_rests_in_free_space(void **state)
{
	(void)state;
	oz_world_def def = liquid_def(OZ_KERNEL_FITTED);
	def.gravity = oz_v3(0, 0, 0);
	oz_world *w = test_world(&def);
	const oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(5 * s), 0, 0));
	test_add_filled(w, add_cohesive(w, 0.001f, 500), &ball, OZ_FILL_LATTICE);
	const oz_stats before = test_stats(w);
	test_run_until(w, 0.5);
	const oz_stats stats = test_stats(w);
	// a thousandth of the speed of sound
	test_near(sqrt(2 * stats.kinetic_energy / stats.mass), 0, 0.02, "rms speed");
	test_near((double)(stats.max.x / before.max.x), 1, 0.01, "radius");
	oz_world_destroy(w);
}

static void cohesive_drops_that_collide_keep_momentum(void **state)
{
	(void)state;
	oz_world_def def = liquid_def(OZ_KERNEL_FITTED);
	def.gravity = oz_v3(0, 0, 0);
	oz_world *w = test_world(&def);
	const oz_id honey = add_cohesive(w, 0.5f, 1000);
	const float r = (float)(4 * s);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(r, 0, 0));
	test_add_thrown(w, honey, &ball, vec_of(1, 0.2, 0));
	ball.position = oz_v3(2.2f * r, 0.5f * r, 0);
	test_add_thrown(w, honey, &ball, vec_of(-1, 0, 0.3));
	const oz_stats before = test_stats(w);
	test_run_until(w, 0.3);
	const oz_stats after = test_stats(w);
	for (int k = 0; k < 3; k++) {
		// 1e-5 of the momentum of one drop
		test_near(after.momentum[k], before.momentum[k], 1e-5 * 0.5 * before.mass,
		          "momentum");
		test_near(after.angular_momentum[k], before.angular_momentum[k],
		          1e-5 * 0.5 * before.mass * 4 * s, "angular momentum");
	}
	assert_true(after.kinetic_energy < before.kinetic_energy);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(three_lattices_have_the_same_kernel_sum),
	        cmocka_unit_test(a_wave_under_a_heavy_liquid_grows_as_taylor_says),
	        cmocka_unit_test(a_wave_grows_at_all_ratios),
	        cmocka_unit_test(a_heavy_liquid_sinks_through_a_light_one),
	        cmocka_unit_test(with_the_cubic_spline_it_is_held_as_by_a_crystal),
	        cmocka_unit_test(a_column_comes_to_rest),
	        cmocka_unit_test(a_cohesive_jet_thins_and_without_cohesion_it_bursts),
	        cmocka_unit_test(a_cohesive_drop_rests_in_free_space),
	        cmocka_unit_test(cohesive_drops_that_collide_keep_momentum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
