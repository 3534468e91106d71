// test_viscous_rheometer.c: the laws of thick fluids.
//
// A rheometer, two cylinders of which the inner one turns, finds the law that was set: power laws,
// yield stress, temperature, structure that breaks and rebuilds. Values without a meaning are
// refused.
#include "models/viscous/law.h"
#include "scenes.h"
#include "worlds.h"

static oz_material_def thick(double viscosity)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.viscosity = (float)viscosity;
	return def;
}

// ---- the rheometer ----------------------------------------------------------------------------

enum { INNER = 8, GAP = 8, HIGH = 4, KEYS = 40 };
static const double s = 0.01;   // m, spacing
static const double rate = 0.5; // rad/s

typedef struct rheometer {
	oz_world *world;
	double high; // m
} rheometer;

static rheometer make_rheometer(const oz_material_def *def, float temperature)
{
	static oz_vec3 points[8000];
	const oz_world_def space = test_space_def(s);
	rheometer r = {test_world(&space), 0};
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){(float)k / KEYS,
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), rate * k / KEYS)};
	const float wide = (INNER + GAP) * (float)s, thin = INNER * (float)s;
	test_add_wall(r.world, oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){wide, 1, 0}), true, NULL,
	              0);
	test_add_wall(r.world, oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){thin, 1, 0}), false, keys,
	              KEYS + 1);
	oz_body_def body = oz_body_default();
	body.count = test_rings(s, INNER, GAP, HIGH, points);
	body.material = test_add_material(r.world, def);
	body.points = points;
	body.temperature = temperature;
	oz_error error;
	test_must(oz_world_add_body(r.world, &body, NULL, &error), &error);
	r.high = body.count * s / (PI * (wide * wide - thin * thin) / (s * s));
	return r;
}

// N·m on the inner cylinder for each metre of height, once steady
static double torque_of(const oz_material_def *def, float temperature, double time)
{
	rheometer r = make_rheometer(def, temperature);
	test_run_until(r.world, time);
	test_load(r.world, 1);
	test_run_until(r.world, 1.2 * time);
	const double torque = -test_load(r.world, 1).torque[1] / r.high;
	oz_world_destroy(r.world);
	return torque;
}

// of a power law: shear stress K rate^n falls as 1/r²
static double power_law_torque(double k, double n)
{
	const double r1 = INNER * s, r2 = (INNER + GAP) * s;
	const double c = rate / (0.5 * n * (pow(r1, -2 / n) - pow(r2, -2 / n)));
	return 2 * PI * k * pow(c, n);
}

static void rheometer_finds_the_power_law(void **state)
{
	(void)state;
	oz_material_def def = thick(100);
	static const double exponents[] = {0.5, 1.5};
	for (int k = 0; k < (test_is_long() ? 2 : 1); k++) {
		def.flow_exponent = (float)exponents[k];
		const double ratio = torque_of(&def, 20, 0.2) / power_law_torque(100, exponents[k]);
		print_message("n = %g: torque %.4f of theory\n", exponents[k], ratio);
		// 3 %: 2 % of a Newtonian fluid there, and the rates at the layers next to walls
		test_near(ratio, 1, 0.03, "torque over theory");
	}
}

// of a Bingham fluid that flows everywhere: torque T with
// rate = T/(4 π μ) (1/r1² - 1/r2²) - τ/μ ln(r2/r1)
static void rheometer_finds_the_yield_stress(void **state)
{
	(void)state;
	const double r1 = INNER * s, r2 = (INNER + GAP) * s, mu = 100, yield = 20;
	oz_material_def def = thick(mu);
	def.yield_stress = (float)yield;
	const double wanted =
	        4 * PI * mu * (rate + yield / mu * log(r2 / r1)) / (1 / (r1 * r1) - 1 / (r2 * r2));
	// the whole gap flows
	assert_true(wanted / (2 * PI * r2 * r2) > yield);
	const double found = torque_of(&def, 20, 0.2);
	print_message("torque %.4f of theory\n", found / wanted);
	test_near(found / wanted, 1, 0.03, "torque over theory");
}

static void warm_honey_is_thin_honey(void **state)
{
	(void)state;
	oz_material_def def = thick(100);
	def.activation_energy = 5e4f;
	// 40 °C: by Arrhenius
	const double thinner = exp(5e4 / 8.314462 * (1 / 313.15 - 1 / 293.15));
	const double cold = torque_of(&def, 20, 0.2), warm = torque_of(&def, 40, 0.4);
	test_near(warm / cold, thinner, 0.01 * thinner, "torque at 40 °C over that at 20 °C");
}

// of honey with 18 % of water, roughly
static const oz_curve honey_curve = {5, {{0, 50}, {20, 10}, {30, 3}, {40, 1}, {60, 0.2f}}};

static void honey_of_a_table_has_its_viscosities(void **state)
{
	(void)state;
	oz_material_def def = thick(10);
	def.viscosity_table = honey_curve;
	// at a point, half-way between two, and beyond the last one; the model of the rheometer is
	// ten times thicker, so that it is steady after 0.2 s
	def.viscosity = 100;
	for (uint32_t k = 0; k < def.viscosity_table.count; k++)
		def.viscosity_table.points[k][1] *= 10;
	static const double temperatures[] = {30, 10, -20}, wanted[] = {30, 223.60680, 500};
	for (int k = 0; test_is_long() && k < 3; k++) {
		const double mu =
		        torque_of(&def, (float)temperatures[k], 0.2) / power_law_torque(1, 1);
		print_message("%g °C: %.2f Pa·s, %.2f by the table\n", temperatures[k], mu,
		              wanted[k]);
		// 2 %: the claim of the rheometer
		test_near(mu / wanted[k], 1, 0.02, "viscosity over that of the table");
	}
	// the law itself, without a flow
	oz_world *w = test_space(0.01, 20);
	const oz_matter m = oz_matter_of(&w->sim, &def);
	for (uint32_t k = 0; k < 5; k++)
		test_near((double)law_at_temperature(&m.law, honey_curve.points[k][0]) * 10 /
		                  (double)honey_curve.points[k][1],
		          1, 1e-5, "viscosity at a point over that of the table");
	test_near((double)law_at_temperature(&m.law, 200), 0.02, 1e-6, "beyond the last point");
	oz_world_destroy(w);
}

// 1/s, of a thixotropic fluid under a shear stress: μ (s + (1 - s)/(1 + b t γ)) γ = stress
static double thixotropic_rate(const oz_material_def *m, double stress)
{
	double low = 0, high = stress / (double)(m->viscosity * m->broken_share);
	for (int k = 0; k < 60; k++) {
		const double g = 0.5 * (low + high), share = (double)m->broken_share;
		const double built = 1 / (1 + (double)(m->breakdown * m->rebuild_time) * g);
		*(((double)m->viscosity * (share + (1 - share) * built) * g) < stress ? &low
		                                                                      : &high) = g;
	}
	return low;
}

// N·m for each metre of height, steady: the rates across the gap sum to that of the inner cylinder
static double thixotropic_torque(const oz_material_def *m)
{
	enum { PARTS = 400 };
	double low = 0, high = power_law_torque((double)m->viscosity, 1);
	for (int k = 0; k < 40; k++) {
		const double torque = 0.5 * (low + high);
		double sum = 0;
		for (int n = 0; n < PARTS; n++) {
			const double r = (INNER + GAP * (n + 0.5) / PARTS) * s;
			sum += thixotropic_rate(m, torque / (2 * PI * r * r)) / r * GAP * s / PARTS;
		}
		*(sum < rate ? &low : &high) = torque;
	}
	return low;
}

static void structure_breaks_under_shear_and_rebuilds_at_rest(void **state)
{
	(void)state;
	oz_material_def def = thick(200);
	def.rebuild_time = 0.05f;
	def.breakdown = 40;
	def.broken_share = 0.2f;
	const double whole = power_law_torque(200, 1), wanted = thixotropic_torque(&def),
	             found = torque_of(&def, 20, 0.25);
	print_message("torque %.4f of that of the whole structure, %.4f by theory\n", found / whole,
	              wanted / whole);
	assert_true(wanted < 0.6 * whole);
	// 3 %: as of a power law
	test_near(found / wanted, 1, 0.03, "torque over theory");
	// the law itself: what is broken rebuilds by 1 - exp(-t/rebuild_time), in one step or ten
	oz_world *w = test_space(0.01, 20);
	const oz_matter m = oz_matter_of(&w->sim, &def);
	float slow = 0.1f;
	for (int k = 0; k < 10; k++)
		slow = law_structure(&m.law, slow, 0, 0.005f);
	test_near((double)slow, 1 - 0.9 * exp(-1), 1e-5, "structure after ten steps");
	test_near((double)law_structure(&m.law, 0.1f, 0, 0.05f), (double)slow, 1e-5, "after one");
	test_near((double)law_structure(&m.law, 1, 2, 1e6f), 1.0 / (1 + 40 * 0.05 * 2), 1e-5,
	          "structure under shear");
	oz_world_destroy(w);
}

static void table_survives_scenes_and_snapshots(void **state)
{
	(void)state;
	oz_scene *scene = test_scene(
	        "{ \"world\": { \"spacing\": 0.02 }, \"materials\": { \"honey\": { \"viscosity\": "
	        "10, \"viscosity_table\": [[0, 50], [20, 10], [30, 3], [40, 1], [60, 0.2]] } },"
	        " \"bodies\": [{ \"material\": \"honey\", \"shape\": \"box\", \"size\": [0.1, "
	        "0.1, 0.1] }], \"output\": { \"duration\": 1 } }");
	test_scene_round_trip(scene);
	oz_world *w = test_scene_build(scene), *again = NULL;
	oz_error error;
	test_must(oz_world_save(w, "table.ooze", &error), &error);
	test_must(oz_world_load("table.ooze", NULL, 1, NULL, &again, &error), &error);
	for (int k = 0; k < 2; k++) {
		const oz_material_def *m = oz_world_get_material(k ? again : w, 0);
		assert_memory_equal(&m->viscosity_table, &honey_curve, sizeof honey_curve);
	}
	oz_world_destroy(w);
	oz_world_destroy(again);
	oz_scene_free(scene);
}

static void laws_are_the_printed_ones(void **state)
{
	(void)state;
	const oz_law blood = {.thick = 1,
	                      .base = 0.056f,
	                      .fast = 0.00345f,
	                      .time = 3.313f,
	                      .exponent = 0.3568f,
	                      .reference = 293.15f};
	const oz_law mayonnaise = {.thick = 1,
	                           .base = 30,
	                           .yield = 100,
	                           .exponent = 0.5f,
	                           .creep_rate = 1e-3f,
	                           .reference = 293.15f};
	static const double rates[] = {0, 1e-4, 1e-2, 1, 100};
	for (int k = 0; k < 5; k++) {
		const double g = rates[k], x = 3.313 * g, r = 1e-3;
		const double carreau =
		        0.00345 + (0.056 - 0.00345) * pow(1 + x * x, 0.5 * (0.3568 - 1));
		const double held = g > 0 ? 100 * (1 - exp(-g / r)) / g : 100 / r;
		const double bulkley = held + 30 * pow(g * g + r * r, -0.25);
		test_near((double)law_viscosity(&blood, (float)g) / carreau, 1, 1e-5, "Carreau");
		test_near((double)law_viscosity(&mayonnaise, (float)g) / bulkley, 1, 1e-4,
		          "Herschel and Bulkley");
	}
	// nothing is infinite
	const oz_law stone = {.thick = 1,
	                      .base = 1e6f,
	                      .yield = 1e9f,
	                      .exponent = 0.05f,
	                      .creep_rate = 1e-7f,
	                      .activation = 1e5f,
	                      .reference = 1e4f};
	assert_true(law_viscosity(&stone, 0) <= OZ_LAW_MOST);
	assert_true(isfinite(law_thinning(stone.activation, stone.reference, -273.15f)));
}

// ---- packing ----------------------------------------------------------------------------------

// a fluid between two cylinders, the inner one rotating
typedef struct packing {
	const char *name;
	bool rings;             // particles begin on rings, else without order
	double viscosity, rate; // Pa·s; rad/s
	float sound_speed;      // m/s
	float support;          // spacings, of Wendland's kernel; 0: the default kernel
	double strain;          // shear in the middle of the gap
	double wanted, bound;   // of the torque, over that of theory
} packing;

enum { LAYERS = 6 };

static oz_world *make_packing_world(const packing *p, double time)
{
	oz_world_def space = test_space_def(s);
	space.sound_speed = p->sound_speed;
	if (p->support > 0) {
		space.kernel = OZ_KERNEL_WENDLAND;
		space.support = p->support;
	}
	oz_world *w = test_world(&space);
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){(float)(time * k / KEYS),
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), p->rate * time * k / KEYS)};
	for (int inside = 1; inside >= 0; inside--) {
		const float r = (float)s * (inside ? INNER + GAP : INNER);
		test_add_wall(w, oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){r, 1, 0}), inside,
		              inside ? NULL : keys, inside ? 0 : KEYS + 1);
	}
	for (int k = -1; k < 2; k += 2) {
		oz_collider_def plate = oz_collider_default(
		        test_box(vec_of(-1, k > 0 ? 0 : -1, -1), vec_of(1, k > 0 ? 1 : 0, 1)));
		plate.shape.position.y += (float)(0.5 * k * LAYERS * s);
		plate.slip = true;
		test_add_collider(w, &plate);
	}
	return w;
}

// points without order between the cylinders; gives their number
static uint32_t noise_between_cylinders(oz_vec3 *points)
{
	const float wide = (INNER + GAP) * (float)s;
	const oz_shape tube =
	        oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){wide, LAYERS * (float)s, 0});
	oz_error error;
	oz_vec3 *noise = NULL;
	uint32_t count = 0, kept = 0;
	test_must(oz_shape_fill(&tube, (float)s, OZ_FILL_BLUE_NOISE, &noise, &count, &error),
	          &error);
	for (uint32_t k = 0; k < count; k++)
		if (hypot((double)noise[k].x, (double)noise[k].z) > (INNER + 0.25) * s)
			points[kept++] = noise[k];
	oz_points_free(noise);
	return kept;
}

// N·m on the outer cylinder over theory
static double torque_of_packing(const packing *p)
{
	static oz_vec3 points[8000];
	const double time = p->strain * GAP / (INNER * p->rate);
	oz_world *w = make_packing_world(p, time);
	oz_material_def def = thick(p->viscosity);
	def.cohesion = 1e6f;
	const uint32_t count = p->rings ? test_rings(s, INNER, GAP, LAYERS, points)
	                                : noise_between_cylinders(points);
	test_add_points(w, test_add_material(w, &def), points, count, (oz_vec3){0, 0, 0});
	const double r1 = INNER * s, r2 = (INNER + GAP) * s;
	const double high = count * s * s * s / (PI * (r2 * r2 - r1 * r1));
	const double theory =
	        4 * PI * p->viscosity * high * p->rate / (1 / (r1 * r1) - 1 / (r2 * r2));
	test_run_until(w, 0.9 * time);
	test_load(w, 0);
	test_run_until(w, time);
	const double found = test_load(w, 0).torque[1] / theory;
	oz_world_destroy(w);
	return found;
}

// In layers a particle moves along with its neighbours. Without order particles change places all
// the time, pushed by the noise of the pressure, and what damps zigzags resists that: less where
// the pressure is weak beside the viscous stress, or a wider kernel makes less noise.
static void fluid_in_layers_has_its_viscosity_and_one_without_order_some_more(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	// 2 % is the claim of layers; without order and at a large strain the model is known to be
	// too thick, by as much as was found
	static const packing all[] = {
	        {"rings", true, 10, 0.5, 5, 0, 0.35, 1, 0.02},
	        {"rings", true, 10, 0.5, 5, 0, 1.2, 1, 0.02},
	        {"no order", false, 10, 0.5, 5, 0, 0.35, 1, 0.02},
	        {"no order", false, 10, 0.5, 5, 0, 1.2, 1.27, 0.1},
	        {"no order, Wendland's kernel", false, 10, 0.5, 5, 3, 1.2, 1.05, 0.05},
	        {"no order, weak pressure", false, 1000, 5, 15, 0, 1.2, 1, 0.05},
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		const double found = torque_of_packing(&all[k]);
		print_message("%s, shear %.2f: torque %.4f of theory\n", all[k].name, all[k].strain,
		              found);
		test_near(found, all[k].wanted, all[k].bound, "torque over theory");
	}
}

// ---- what is refused --------------------------------------------------------------------------

static void expect_refused(const oz_material_def *def, const char *words)
{
	oz_world *w = test_space(0.01, 20);
	oz_error error = {0};
	assert_true(oz_world_add_material(w, def, NULL, &error) != OZ_OK);
	if (!strstr(error.text, words))
		fail_msg("'%s' does not name '%s'", error.text, words);
	oz_world_destroy(w);
}

static void values_without_a_meaning_get_a_sentence(void **state)
{
	(void)state;
	oz_material_def def = thick(1);
	def.yield_stress = -1;
	expect_refused(&def, "yield_stress");
	def = thick(1);
	def.flow_exponent = -0.5f;
	expect_refused(&def, "flow_exponent");
	def = thick(1);
	def.creep_rate = 0;
	expect_refused(&def, "creep_rate");
	def = thick(1);
	def.carreau_time = 1;
	def.yield_stress = 10;
	expect_refused(&def, "Carreau");
	def = thick(1);
	def.carreau_time = 1;
	def.flow_exponent = 0.5f;
	def.fast_viscosity = 2;
	expect_refused(&def, "fast_viscosity");
	def = thick(1);
	def.viscous_form = OZ_VISCOUS_PAIRS;
	def.yield_stress = 10;
	expect_refused(&def, "pairs");
	def = thick(1);
	def.rebuild_time = -1;
	expect_refused(&def, "rebuild_time");
	def = thick(1);
	def.broken_share = 0;
	expect_refused(&def, "broken_share");
	def = thick(1);
	def.viscous_form = OZ_VISCOUS_PAIRS;
	def.rebuild_time = 1;
	expect_refused(&def, "pairs");
	def = thick(10);
	def.viscosity_table = honey_curve;
	def.activation_energy = 1e4f;
	expect_refused(&def, "activation_energy");
	def.activation_energy = 0;
	def.viscosity_temperature = 30;
	expect_refused(&def, "set viscosity to that");
	def.viscosity_temperature = 20;
	def.viscosity_table.points[2][0] = 19;
	expect_refused(&def, "not in order: point 2 is at 20 and point 3 at 19");
	def.viscosity_table = honey_curve;
	def.viscosity_table.points[4][1] = 0;
	expect_refused(&def, "point 5");
	def.viscosity_table = honey_curve;
	def.viscosity_table.points[4][0] = NAN;
	expect_refused(&def, "point 5");
	def.viscosity_table.count = 9;
	expect_refused(&def, "9 points");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rheometer_finds_the_power_law),
	        cmocka_unit_test(rheometer_finds_the_yield_stress),
	        cmocka_unit_test(warm_honey_is_thin_honey),
	        cmocka_unit_test(honey_of_a_table_has_its_viscosities),
	        cmocka_unit_test(structure_breaks_under_shear_and_rebuilds_at_rest),
	        cmocka_unit_test(table_survives_scenes_and_snapshots),
	        cmocka_unit_test(laws_are_the_printed_ones),
	        cmocka_unit_test(fluid_in_layers_has_its_viscosity_and_one_without_order_some_more),
	        cmocka_unit_test(values_without_a_meaning_get_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
