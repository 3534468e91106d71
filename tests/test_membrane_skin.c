// test_membrane_skin.c: what skins are made of: bending stiffness of a plate, skins that flow, and
// each preset.
#include "models/membrane/membrane.h"
#include "scene/scene.h"
#include "worlds.h"

static oz_membrane_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	return state;
}

static oz_id add_ball(oz_world *w, const oz_material_def *def, double radius)
{
	oz_error error = {OZ_OK, ""};
	const oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)radius, 0, 0));
	oz_id body;
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, def), &body, &error), &error);
	return body;
}

static double radius_of(oz_world *w, oz_id body)
{
	return cbrt(get(w, body).volume * 3 / (4 * M_PI));
}

// ---- bending -----------------------------------------------------------------------------------

enum { LONGER = 4, SHORTER = 6 }; // degrees of harmonics

// the harmonic of that degree with the axis y, of a unit vector
static double harmonic(int degree, vec n)
{
	const double y2 = n.y * n.y;
	return degree == LONGER ? ((35 * y2 - 30) * y2 + 3) / 8
	                        : (((231 * y2 - 315) * y2 + 105) * y2 - 5) / 16;
}

typedef struct bulge {
	int degree;
	double height; // m
} bulge;

static vec swell(const void *context, vec from)
{
	const bulge *b = context;
	const double radius = vec_length(from);
	const vec n = vec_mad(vec_of(0, 0, 0), from, 1 / radius);
	return vec_mad(from, n, b->height * harmonic(b->degree, n));
}

// kg m/s², minus the derivative of the energy of a bulged ball by the height of the bulge
static double force_on(const bulge *b, double radius, double thickness, double young)
{
	const double dt = 1e-6;
	oz_world_def world = test_space_def(0.01);
	world.time_step = (float)dt;
	oz_world *w = test_world(&world);
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.integration = OZ_INTEGRATE_EXPLICIT;
	def.filling = OZ_FILLING_NONE;
	def.skin_damping = 0;
	def.damping = def.viscosity = 0;
	def.thickness = (float)thickness;
	def.young_modulus = (float)young;
	def.poisson_ratio = 1.0f / 3;
	def.density = (float)(1 / thickness); // 1 kg/m²
	const oz_id ball = add_ball(w, &def, radius);
	const double mass = get(w, ball).mass / get(w, ball).points;
	test_place_particles(w, swell, b);
	test_steps(w, 1);
	test_particles all = test_particles_read(w);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec n = vec_mad(vec_of(0, 0, 0), all.at[i].x, 1 / vec_length(all.at[i].x));
		sum += mass * 2 / dt * vec_dot(all.at[i].v, n) * harmonic(b->degree, n);
	}
	test_particles_free(&all);
	oz_world_destroy(w);
	return sum;
}

// The angles of a ball of the radius R that bulges by w Y_l along its normals change by the
// curvature
// - ∇∇w, and with L = l (l + 1) the energy of bending is
//
//   D/(2 R⁴) (L² - (1 - ν) L) ∫ w²,   ∫ Y_l² = 4 π R²/(2 l + 1)
//
// Two skins with the same E t stretch alike: the difference of their forces is that of bending.
static void a_skin_bends_as_a_plate(void **state)
{
	(void)state;
	const double R = 0.1, young = 1e6, thin = 1e-3, thick = 2e-2;
	for (int degree = LONGER; degree <= SHORTER; degree += 2) {
		const bulge b = {degree, 2e-4};
		const double most = young * thin / thick;
		const double found = force_on(&b, R, thick, most) - force_on(&b, R, thin, young);
		const double plate =
		        (most * pow(thick, 3) - young * pow(thin, 3)) / (12 * (1 - 1.0 / 9));
		const double k = degree * (degree + 1);
		const double theory = -plate / pow(R, 4) * (k * k - 2.0 / 3 * k) * b.height * 4 *
		                      M_PI * R * R / (2 * degree + 1);
		print_message("harmonic of degree %d: %.4g N, of a plate %.4g N\n", degree, found,
		              theory);
		test_near(found / theory, 1, 0.1, "force over that of a plate");
	}
}

// ---- skins that flow ---------------------------------------------------------------------------

// a ball with the gas of its own volume that air outside presses as much
static oz_material_def foil(double yield)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.young_modulus = 1e6f;
	def.thickness = 1e-3f;
	def.skin_damping = 0.02f;
	def.yield_stretch = (float)yield;
	return def;
}

// Blows a ball up, and lets the gas out again; returns its radius over that at first. `most`: the
// pressure, Pa, and the radius when it is full, over that at first.
static double blow_up(const oz_material_def *def, double more, double most[2])
{
	oz_world *w = test_space(0.02, 20);
	const oz_id ball = add_ball(w, def, 0.1);
	oz_error error = {OZ_OK, ""};
	const double first = radius_of(w, ball), amount = get(w, ball).amount;
	test_must(oz_world_fill_membrane(w, ball, more * amount, &error), &error);
	test_run_until(w, 0.6);
	most[0] = get(w, ball).pressure;
	most[1] = radius_of(w, ball) / first;
	oz_material_def empty = *oz_world_get_material(w, 0);
	empty.filling = OZ_FILLING_NONE;
	test_must(oz_world_set_material(w, 0, &empty, &error), &error);
	test_run_until(w, 1.2);
	const double left = radius_of(w, ball) / first;
	oz_world_destroy(w);
	return left;
}

// With the stretch Λ in all, of which the skin has kept p = Λ/λ_y, it is p² thinner: the shell of
// the radius p R bears P = 2 S t/(p³ λ_y R), S = E/(1 - ν) (λ_y² - 1)/2.
static void a_skin_flows_above_its_yield_stretch(void **state)
{
	(void)state;
	const double yield = 1.05;
	for (int law = 0; law < 2; law++) {
		oz_material_def def = foil(yield);
		double most[2];
		def.skin_law = law ? OZ_SKIN_SPRINGS : OZ_SKIN_LINEAR;
		const double left = blow_up(&def, 1.6, most), kept = most[1] / yield;
		const double stress = (yield * yield - 1) / 2 / (1 - 0.3);
		const double theory = 2 * 1e6 * 1e-3 * stress / (pow(kept, 3) * yield * 0.1);
		print_message("%s: full %.4f of the radius at first and %.0f Pa, theory %.0f Pa; "
		              "empty %.4f, theory %.4f\n",
		              law ? "springs" : "linear", most[1], most[0], theory, left, kept);
		assert_true(kept > 1.05);
		if (!law)
			test_near(most[0] / theory, 1, 0.03, "pressure over that of a shell");
		test_near(left, kept, 0.01, "radius that it keeps");
		// the opposite: a skin that does not flow bears more and comes back
		def.yield_stretch = 0;
		const double back = blow_up(&def, 1.6, most);
		print_message("without flow: full %.4f and %.0f Pa, empty %.4f\n", most[1], most[0],
		              back);
		test_near(back, 1, 0.005, "radius of a skin that does not flow");
	}
}

// Below its yield stretch a skin is the one that does not flow, bit for bit.
static void below_its_yield_stretch_nothing_flows(void **state)
{
	(void)state;
	double one[2], two[2];
	const oz_material_def flows = foil(1.5), stays = foil(0);
	const double a = blow_up(&flows, 1.2, one), b = blow_up(&stays, 1.2, two);
	assert_true(a == b && one[0] == two[0] && one[1] == two[1]);
}

// A skin that flows gets thinner and tears where its area is that of the stretch `tear`; one with
// the same gas that flows and never tears holds it.
static void a_skin_that_flows_tears_where_it_is_thin(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		oz_material_def def = foil(1.05);
		def.tear = k ? 1.1f : 0;
		oz_world *w = test_space(0.02, 20);
		const oz_id ball = add_ball(w, &def, 0.1);
		oz_error error = {OZ_OK, ""};
		test_must(oz_world_fill_membrane(w, ball, 1.6 * get(w, ball).amount, &error),
		          &error);
		test_run_until(w, 0.3);
		const oz_membrane_state s = get(w, ball);
		print_message("tear %.1f: torn %.4f of %.4f m², %.0f Pa\n", (double)def.tear,
		              s.torn, s.area + s.torn, s.pressure);
		assert_true(k ? s.torn > 0 && s.pressure < 100 : s.torn == 0 && s.pressure > 300);
		oz_world_destroy(w);
	}
}

#define PATH "flows.ooze"

static oz_world *make_flowing(oz_skin_law law)
{
	oz_world *w = test_space(0.025, 20);
	oz_material_def def = foil(1.02);
	def.skin_law = law;
	def.gauge_pressure = 60000;
	add_ball(w, &def, 0.1);
	return w;
}

// Lengths at rest are in snapshots, and a stiffness that changes between steps leaves them.
static void a_skin_that_has_flowed_is_saved(void **state)
{
	(void)state;
	static const oz_skin_law laws[2] = {OZ_SKIN_LINEAR, OZ_SKIN_SPRINGS};
	for (int k = 0; k < 2; k++) {
		oz_error error = {OZ_OK, ""};
		uint64_t hash[2];
		for (int loaded = 0; loaded < 2; loaded++) {
			oz_world *w = make_flowing(laws[k]);
			test_run_until(w, 0.05);
			if (loaded) {
				test_must(oz_world_save(w, PATH, &error), &error);
				oz_world_destroy(w);
				test_must(oz_world_load(PATH, NULL, 2, NULL, &w, &error), &error);
			}
			oz_material_def def = *oz_world_get_material(w, 0);
			def.young_modulus = 2e6f;
			test_must(oz_world_set_material(w, 0, &def, &error), &error);
			test_run_until(w, 0.1);
			hash[loaded] = oz_world_hash(w);
			const oz_membrane *m = oz_model_state(&w->sim, &oz_membrane_model);
			double sum = 0, first = 0;
			const oz_membrane_edge *edges = oz_membrane_view_edges(&w->sim, m);
			for (uint32_t e = 0; e < m->edges.count; e++)
				sum += (double)edges[e].length;
			oz_world_destroy(w);
			w = make_flowing(laws[k]);
			test_steps(w, 1);
			m = oz_model_state(&w->sim, &oz_membrane_model);
			edges = m->edges.items;
			for (uint32_t e = 0; e < m->edges.count; e++)
				first += (double)edges[e].length;
			oz_world_destroy(w);
			print_message("springs have %.4f of their lengths at first\n", sum / first);
			assert_true(k ? sum > 1.05 * first : sum == first);
		}
		assert_true(hash[0] == hash[1]);
	}
}

static void a_yield_stretch_below_one_is_refused(void **state)
{
	(void)state;
	oz_world *w = test_space(0.02, 20);
	oz_material_def def = foil(0.9);
	oz_error error = {OZ_OK, ""};
	assert_true(oz_world_add_material(w, &def, NULL, &error) != OZ_OK);
	assert_non_null(strstr(error.text, "yield_stretch"));
	def.yield_stretch = 1;
	test_must(oz_world_add_material(w, &def, NULL, &error), &error);
	oz_world_destroy(w);
}

// ---- presets -----------------------------------------------------------------------------------

// A ball of each preset falls on a floor: it stays above it, whole, and holds what is in it.
static void every_preset_holds_what_is_in_it(void **state)
{
	(void)state;
	uint32_t count, skins = 0;
	const oz_preset *all = oz_presets(&count);
	for (uint32_t k = 0; k < count; k++) {
		if (all[k].material.model != OZ_MEMBRANE)
			continue;
		oz_world *w = test_floor(0.02, 20);
		oz_error error = {OZ_OK, ""};
		oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
		oz_id body;
		ball.position = oz_v3(0, 0.12f, 0);
		test_must(oz_world_add_shape(w, &ball, test_add_material(w, &all[k].material),
		                             &body, &error),
		          &error);
		const oz_membrane_state before = get(w, body);
		test_run_until(w, 0.15);
		const oz_membrane_state after = get(w, body);
		test_particles points = test_particles_read(w);
		double lowest = INFINITY;
		for (uint32_t i = 0; i < points.count; i++)
			lowest = fmin(lowest, points.at[i].x.y);
		print_message("%s: %.0f Pa, volume %.4f of before, lowest point at %.1f spacings\n",
		              all[k].name, after.pressure, after.volume / before.volume,
		              lowest / 0.02);
		assert_true(test_particles_finite(&points));
		test_particles_free(&points);
		assert_true(lowest > 0 && after.torn == 0);
		if (all[k].material.filling != OZ_FILLING_NONE) {
			test_near(after.amount / before.amount, 1, 1e-6, "what is in it");
			assert_true(after.volume > 0.9 * before.volume &&
			            after.volume < 1.3 * before.volume);
		}
		skins++;
		oz_world_destroy(w);
	}
	assert_int_equal(skins, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_skin_bends_as_a_plate),
	        cmocka_unit_test(a_skin_flows_above_its_yield_stretch),
	        cmocka_unit_test(below_its_yield_stretch_nothing_flows),
	        cmocka_unit_test(a_skin_that_flows_tears_where_it_is_thin),
	        cmocka_unit_test(a_skin_that_has_flowed_is_saved),
	        cmocka_unit_test(a_yield_stretch_below_one_is_refused),
	        cmocka_unit_test(every_preset_holds_what_is_in_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
