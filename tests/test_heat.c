// test_heat.c: conduction against the analytic solutions, heat kept, regions, melting.
// test_heat_state.c has threads, snapshots and what is refused.
//
// The worlds have no gravity, and their blocks stand still in empty space: all that happens is
// heat. Sound is slow, so that steps are as long as heat allows.
#include "heat.h"
#include "models/heat/heat_model.h"
#include "world/world.h"

// a box from `low` on, in spacings
// J/m³ of particles, summed: heat above 0 °C, latent heat included
// ---- conduction --------------------------------------------------------------------------------

// the largest distance from the two half-space solution, as a share of the jump; 100 °C on the
// left, 0 °C on the right, joined at x = 0
static double worst_from_erf(oz_world *w, double interface, double left, double right, double time)
{
	const uint32_t count = oz_world_particle_count(w);
	test_particle *all = test_particles_read(w).at;
	double worst = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double x = (double)all[i].x.x;
		const double spread = 2 * sqrt((x < 0 ? left : right) * time);
		const double share = erf(fabs(x) / spread);
		const double exact = interface + share * ((x < 0 ? 100 : 0) - interface);
		worst = fmax(worst, fabs((double)all[i].temperature - exact) / 100);
	}
	free(all);
	return worst;
}

static void joined_blocks_follow_the_error_function(void **state)
{
	(void)state;
	static const oz_fill fills[] = {OZ_FILL_LATTICE, OZ_FILL_HEXAGONAL};
	static const oz_kernel_kind kernels[] = {OZ_KERNEL_CUBIC, OZ_KERNEL_WENDLAND,
	                                         OZ_KERNEL_MULLER};
	for (int k = 0; k < 4; k++) {
		oz_world_def def = oz_world_default();
		oz_body_def body = oz_body_default();
		oz_shape box =
		        oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){20 * HEAT_SPACING, 6 * HEAT_SPACING,
		                                              6 * HEAT_SPACING});
		oz_vec3 *points;
		def.spacing = HEAT_SPACING;
		def.gravity = (oz_vec3){0, 0, 0};
		def.sound_speed = 0.001f;
		def.time_step_max = 1;
		def.kernel = kernels[k % 3];
		oz_world *w = test_world(&def);
		body.material = test_conductor(w, 100, 1000, 1000);
		for (int side = 0; side < 2; side++) {
			box.position.x = (side ? 10 : -10) * HEAT_SPACING;
			body.temperature = side ? 0 : 100;
			assert_int_equal(oz_shape_fill(&box, HEAT_SPACING, fills[k / 3], &points,
			                               &body.count, NULL),
			                 OZ_OK);
			body.points = points;
			assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
			oz_points_free(points);
		}
		// 1e-4 m²/s: after 9 s heat has gone three spacings
		test_run_freely(w, 9);
		const double worst = worst_from_erf(w, 50, 1e-4, 1e-4, 9);
		print_message("kernel %d, fill %d: %.2f %% of the jump, %u steps\n", k % 3, k / 3,
		              100 * worst, (unsigned)oz_world_step_count(w));
		assert_true(worst < 0.03);
		oz_world_destroy(w);
	}
}

static void an_interface_takes_the_temperature_of_the_effusivities(void **state)
{
	(void)state;
	// √(k ρ c) is twice as large on the left
	oz_world *w = test_still_world(0, 1);
	const oz_id left = test_conductor(w, 200, 1000, 1000),
	            right = test_conductor(w, 50, 2000, 500);
	test_add_warm_box(w, left, (oz_vec3){-24, -3, -3}, (oz_vec3){24, 6, 6}, 100);
	test_add_warm_box(w, right, (oz_vec3){0, -3, -3}, (oz_vec3){24, 6, 6}, 0);
	test_run_freely(w, 8);
	const double interface = 100 * 2.0 / 3;
	const double worst = worst_from_erf(w, interface, 2e-4, 5e-5, 8);
	print_message("%.2f %% of the jump\n", 100 * worst);
	assert_true(worst < 0.03);
	// half way between the layers on both sides
	test_particle *all = test_particles_read(w).at;
	double sum[2] = {0, 0}, count[2] = {0, 0};
	for (uint32_t i = 0; i < oz_world_particle_count(w); i++)
		if (fabs(all[i].x.x) < (double)HEAT_SPACING) {
			sum[all[i].x.x > 0] += (double)all[i].temperature;
			count[all[i].x.x > 0]++;
		}
	free(all);
	// the drop from layer to border is as much larger on the right as that conducts worse
	const double hot = sum[0] / count[0], cold = sum[1] / count[1];
	const double border = (200 * hot + 50 * cold) / 250;
	print_message("border at %.2f °C, exactly %.2f\n", border, interface);
	assert_true(fabs(border - interface) < 1);
	oz_world_destroy(w);
}

static void thin_things_conduct_like_thick_ones(void **state)
{
	(void)state;
	const float edges[] = {1, 2, 8};
	for (int k = 0; k < 3; k++) {
		oz_world *w = test_still_world(0, 1);
		const oz_id m = test_conductor(w, 100, 1000, 1000);
		const float e = edges[k];
		test_add_warm_box(w, m, (oz_vec3){-20, -e / 2, -e / 2}, (oz_vec3){20, e, e}, 100);
		test_add_warm_box(w, m, (oz_vec3){0, -e / 2, -e / 2}, (oz_vec3){20, e, e}, 0);
		test_run_freely(w, 9);
		assert_true(worst_from_erf(w, 50, 1e-4, 1e-4, 9) < 0.03);
		oz_world_destroy(w);
	}
}

static void heat_is_kept(void **state)
{
	(void)state;
	// water's own conductivity: what a step conducts is far below the last digit of the
	// temperature
	const float conductivities[] = {300, 0.6f};
	for (int k = 0; k < 2; k++) {
		oz_world *w = test_still_world(k ? 0.01f : 0, 1);
		const oz_id a = test_conductor(w, conductivities[k], 1000, 4180);
		const oz_id b = test_conductor(w, 3 * conductivities[k], 3000, 900);
		test_add_warm_box(w, a, (oz_vec3){-6, -3, -3}, (oz_vec3){6, 6, 6}, 90);
		test_add_warm_box(w, b, (oz_vec3){0, -3, -3}, (oz_vec3){6, 6, 6}, 10);
		const double before = test_heat_of(w);
		test_steps(w, 800);
		const double after = test_heat_of(w);
		test_particle *all = test_particles_read(w).at;
		print_message("%.1e of the heat lost in %g s; a corner at %.6f °C\n",
		              fabs(after / before - 1), oz_world_time(w),
		              (double)all[0].temperature);
		free(all);
		assert_true(fabs(after / before - 1) < 1e-5);
		oz_world_destroy(w);
	}
}

static void what_conducts_little_conducts_as_much_in_many_steps(void **state)
{
	(void)state;
	double rise[2];
	const uint32_t steps[] = {200, 4000};
	for (int k = 0; k < 2; k++) {
		oz_world *w = test_still_world(10.0f / (float)steps[k], 1);
		const oz_id m = test_conductor(w, 0.05f, 1000, 4180);
		test_add_warm_box(w, m, (oz_vec3){-3, -2, -2}, (oz_vec3){3, 4, 4}, 20);
		test_add_warm_box(w, m, (oz_vec3){0, -2, -2}, (oz_vec3){3, 4, 4}, 30);
		test_steps(w, steps[k]);
		test_particle *all = test_particles_read(w).at;
		double warmest = 0;
		for (uint32_t i = 0; i < oz_world_particle_count(w); i++)
			if (all[i].x.x < 0)
				warmest = fmax(warmest, (double)all[i].temperature);
		rise[k] = warmest - 20;
		free(all);
		oz_world_destroy(w);
	}
	print_message("%g K and %g K\n", rise[0], rise[1]);
	assert_true(rise[0] > 0.01 && fabs(rise[1] / rise[0] - 1) < 1e-3);
}

static void a_long_fixed_step_stays_stable(void **state)
{
	(void)state;
	oz_world *w = test_still_world(1, 1);
	const oz_id a = test_conductor(w, 400, 1000, 400), b = test_conductor(w, 1e5f, 1000, 1);
	test_add_warm_box(w, a, (oz_vec3){-4, -2, -2}, (oz_vec3){4, 4, 4}, 100);
	test_add_warm_box(w, b, (oz_vec3){0, -2, -2}, (oz_vec3){4, 4, 4}, 0);
	test_steps(w, 50);
	test_particle *all = test_particles_read(w).at;
	for (uint32_t i = 0; i < oz_world_particle_count(w); i++)
		assert_true(all[i].temperature >= -0.001f && all[i].temperature <= 100.001f);
	free(all);
	oz_event event;
	assert_true(oz_world_next_event(w, &event));
	assert_int_equal(event.kind, OZ_EVENT_UNSTABLE);
	oz_world_destroy(w);
}

static void heat_limits_an_adapted_step(void **state)
{
	(void)state;
	oz_step_report report;
	oz_world *w = test_still_world(0, 1);
	const oz_id m = test_conductor(w, 400, 1000, 1000);
	test_add_warm_box(w, m, (oz_vec3){-4, -2, -2}, (oz_vec3){4, 4, 4}, 100);
	assert_int_equal(oz_world_step(w, &report, NULL), OZ_OK);
	assert_int_equal(report.limit, OZ_LIMIT_HEAT);
	assert_string_equal(oz_limit_name(report.limit), "heat");
	// a time in which heat goes about a spacing
	assert_true(report.time_step > 0.01f && report.time_step < 0.25f);
	oz_world_destroy(w);
}

// ---- regions -----------------------------------------------------------------------------------

static void a_region_relaxes_exponentially_whatever_the_step(void **state)
{
	(void)state;
	const float time_steps[] = {1, 0.25f, 0.01f};
	for (int k = 0; k < 3; k++) {
		oz_world *w = test_still_world(time_steps[k], 1);
		oz_region_def def = test_ball_region(4 * HEAT_SPACING, 300, 0.4f);
		def.start = 1;
		def.duration = 2.5f;
		test_add_warm_box(w, test_conductor(w, 0, 1000, 1000), (oz_vec3){-6, -6, -6},
		                  (oz_vec3){12, 12, 12}, 20);
		assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
		assert_int_equal(oz_world_region_count(w), 1);
		test_run_freely(w, 5);
		test_particle *all = test_particles_read(w).at;
		const double exact = 300 + (20 - 300) * exp(-0.4 * 2.5);
		uint32_t inside = 0;
		for (uint32_t i = 0; i < oz_world_particle_count(w); i++) {
			const bool in = oz_length(vec_narrow(all[i].x)) <= 4 * HEAT_SPACING;
			const double expected = in ? exact : 20;
			assert_true(fabs((double)all[i].temperature - expected) < 1e-3);
			inside += in;
		}
		assert_true(inside > 200 && inside < 300);
		free(all);
		oz_world_destroy(w);
	}
}

static void a_rotated_region_holds_what_its_shape_holds(void **state)
{
	(void)state;
	static const oz_shape_kind kinds[] = {OZ_SHAPE_PLANE,    OZ_SHAPE_BOX,     OZ_SHAPE_DOME,
	                                      OZ_SHAPE_CYLINDER, OZ_SHAPE_CAPSULE, OZ_SHAPE_TORUS};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		oz_world *w = test_still_world(0.1f, 1);
		oz_region_def def =
		        oz_region_default(oz_shape_make(kinds[k], (oz_vec3){0.03f, 0.02f, 0.05f}));
		def.shape.position = (oz_vec3){0.011f, -0.007f, 0.003f};
		def.shape.rotation = oz_quat_normalize((oz_quat){0.3f, 0.1f, -0.2f, 0.9f});
		def.rate = 1e6f;
		def.temperature = -100;
		test_add_warm_box(w, test_conductor(w, 0, 1000, 1000), (oz_vec3){-5, -5, -5},
		                  (oz_vec3){10, 10, 10}, 20);
		assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
		test_steps(w, 1);
		test_particle *all = test_particles_read(w).at;
		uint32_t inside = 0;
		for (uint32_t i = 0; i < oz_world_particle_count(w); i++) {
			const float d = oz_shape_distance(&def.shape, vec_narrow(all[i].x));
			if (fabsf(d) > 1e-6f)
				assert_true(fabs(all[i].temperature - (d < 0 ? -100 : 20)) < 1e-3);
			inside += d < 0;
		}
		assert_true(inside > 20);
		free(all);
		oz_world_destroy(w);
	}
}

// ---- melting -----------------------------------------------------------------------------------

static void a_region_melts_by_the_energy_it_brings(void **state)
{
	(void)state;
	// c dT/dt = c rate (T_r - T), with c + L/ΔT in place of the first c inside the range: ten
	// times as much
	for (int way = 0; way < 2; way++) {
		const double from = way ? 80 : 40, to = way ? 20 : 100, rate = 0.5;
		const double enter = way ? 60 : 50, leave = way ? 50 : 60, end = way ? 45 : 65;
		const double time =
		        (log((from - to) / (enter - to)) + 10 * log((enter - to) / (leave - to)) +
		         log((leave - to) / (end - to))) /
		        rate;
		for (int k = 0; k < 2; k++) {
			oz_world *w = test_still_world(k ? 1 : 0.01f, 1);
			const oz_material_def m = test_wax(OZ_FLUID);
			const oz_region_def def = test_ball_region(1, (float)to, (float)rate);
			oz_id id;
			assert_int_equal(oz_world_add_material(w, &m, &id, NULL), OZ_OK);
			test_add_warm_box(w, id, (oz_vec3){-2, -2, -2}, (oz_vec3){4, 4, 4},
			                  (float)from);
			assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
			test_run_freely(w, time);
			test_particle *all = test_particles_read(w).at;
			assert_true(fabs((double)all[0].temperature - end) < 0.002);
			free(all);
			oz_world_destroy(w);
		}
	}
}

static void a_slab_takes_its_latent_heat_from_its_neighbour(void **state)
{
	(void)state;
	// a well-conducting block of known heat beside a thin slab: in the end both are as warm as
	// the balance of their enthalpies says, and half way through the slab is melting
	oz_world *w = test_still_world(0, 1);
	oz_material_def m = test_wax(OZ_FLUID);
	oz_id melting;
	m.conductivity = 50;
	assert_int_equal(oz_world_add_material(w, &m, &melting, NULL), OZ_OK);
	const oz_id iron = test_conductor(w, 500, 4000, 1000);
	test_add_warm_box(w, melting, (oz_vec3){-2, -4, -4}, (oz_vec3){2, 8, 8}, 40);
	test_add_warm_box(w, iron, (oz_vec3){0, -4, -4}, (oz_vec3){8, 8, 8}, 80);
	const double before = test_heat_of(w);
	// iron 8 × 4e6 (80 - T) = wax 2 × 900 (2000 (T - 40) + 180000 share)
	double low = 40, high = 80;
	while (high - low > 1e-9) {
		const double t = 0.5 * (low + high), share = fmin(fmax((t - 50) / 10, 0), 1);
		const double got = 2 * 900 * (2000 * (t - 40) + 180000 * share);
		if (8 * 4e6 * (80 - t) > got)
			low = t;
		else
			high = t;
	}
	// The heat that goes over is what melts: the time in the range against the power that
	// crosses the border at its beginning and end.
	double entered = -1, left = -1, at_entry = 0;
	while (oz_world_time(w) < 120) {
		test_steps(w, 1);
		test_particle *all = test_particles_read(w).at;
		const double t = (double)all[0].temperature; // a corner of the slab
		free(all);
		if (entered < 0 && t >= 50) {
			entered = oz_world_time(w);
			at_entry = test_heat_of(w);
		}
		if (left < 0 && t >= 60)
			left = oz_world_time(w);
	}
	test_particle *all = test_particles_read(w).at;
	const uint32_t count = oz_world_particle_count(w);
	for (uint32_t i = 0; i < count; i++)
		assert_true(fabs((double)all[i].temperature - low) < 0.01);
	free(all);
	print_message("ends at %.3f °C, melting from %.2f to %.2f s\n", low, entered, left);
	assert_true(fabs(test_heat_of(w) / before - 1) < 1e-5 &&
	            fabs(at_entry / before - 1) < 1e-5);
	assert_true(entered > 0 && left > 2 * entered);
	oz_world_destroy(w);
}

static void melting_takes_as_long_as_its_heat_needs(void **state)
{
	(void)state;
	// A layer of wax, so well conducting that it is of one temperature, beside a large bath of
	// 100 °C that a region keeps: what crosses is G (100 - T), G measured before it melts. Then
	// (c + L/ΔT) M dT/dt = G (100 - T) gives the time from 50 to 60 °C.
	oz_world *w = test_still_world(0, 1);
	oz_material_def m = test_wax(OZ_FLUID);
	oz_id melting;
	m.conductivity = 100;
	assert_int_equal(oz_world_add_material(w, &m, &melting, NULL), OZ_OK);
	const oz_id bath = test_conductor(w, 2, 1000, 1000);
	test_add_warm_box(w, melting, (oz_vec3){-1, -4, -4}, (oz_vec3){1, 8, 8}, 20);
	test_add_warm_box(w, bath, (oz_vec3){0, -4, -4}, (oz_vec3){2, 8, 8}, 100);
	oz_region_def def = oz_region_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 1, 1}));
	def.shape.position.x = 0.5f;
	def.temperature = 100;
	def.rate = 1e6f;
	assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
	double at[4] = {0};
	const double marks[4] = {35, 45, 50, 60};
	while (at[3] == 0 && oz_world_time(w) < 1e5) {
		double mean = 0, slab = 0;
		test_steps(w, 1);
		test_particle *all = test_particles_read(w).at;
		for (uint32_t i = 0; i < oz_world_particle_count(w); i++)
			if (all[i].x.x < 0) {
				mean += (double)all[i].temperature;
				slab++;
			}
		free(all);
		for (int k = 0; k < 4; k++)
			if (at[k] == 0 && mean / slab >= marks[k])
				at[k] = oz_world_time(w);
	}
	const double rate = log(65.0 / 55) / (at[1] - at[0]); // G / (c M)
	const double exact = 10 * log(50.0 / 40) / rate;
	print_message("melts in %.2f s, by the balance %.2f s\n", at[3] - at[2], exact);
	assert_true(fabs((at[3] - at[2]) / exact - 1) < 0.03);
	oz_world_destroy(w);
}

static void alpha_of_a_blend_follows_its_temperature(void **state)
{
	(void)state;
	oz_world *w = test_still_world(0.01f, 1);
	oz_material_def m = test_wax(OZ_BLEND);
	oz_id id, plain;
	m.alpha = 0.2f;
	m.alpha_hot = 0.8f;
	m.latent_heat = 0;
	assert_int_equal(oz_world_add_material(w, &m, &id, NULL), OZ_OK);
	m.melting_point = OZ_NEVER_MELTS;
	assert_int_equal(oz_world_add_material(w, &m, &plain, NULL), OZ_OK);
	test_add_warm_box(w, id, (oz_vec3){-3, -3, -3}, (oz_vec3){6, 6, 6}, 52.5f);
	test_add_warm_box(w, plain, (oz_vec3){30, -3, -3}, (oz_vec3){6, 6, 6}, 90);
	const float *own = test_look(w, w->slots.own_alpha, sizeof *own * w->slots.count);
	assert_true(fabsf(own[0] - 0.35f) < 1e-5f && own[w->slots.count - 1] == -1);
	const oz_region_def def = test_ball_region(0.1f, 80, 1e6f);
	assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
	test_steps(w, 1);
	const float stiff = ((const oz_float4 *)test_look(w, w->slots.rest, sizeof(oz_float4)))->w;
	test_steps(w, 9);
	own = test_look(w, w->slots.own_alpha, sizeof *own * w->slots.count);
	assert_true(fabsf(own[0] - 0.8f) < 1e-5f && own[w->slots.count - 1] == -1);
	// clusters were weighed anew: 1 - α went from 0.65 to 0.2
	const float soft = ((const oz_float4 *)test_look(w, w->slots.rest, sizeof(oz_float4)))->w;
	assert_true(fabsf(soft / stiff - 0.2f / 0.65f) < 1e-4f);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(joined_blocks_follow_the_error_function),
	        cmocka_unit_test(an_interface_takes_the_temperature_of_the_effusivities),
	        cmocka_unit_test(thin_things_conduct_like_thick_ones),
	        cmocka_unit_test(heat_is_kept),
	        cmocka_unit_test(what_conducts_little_conducts_as_much_in_many_steps),
	        cmocka_unit_test(a_long_fixed_step_stays_stable),
	        cmocka_unit_test(heat_limits_an_adapted_step),
	        cmocka_unit_test(a_region_relaxes_exponentially_whatever_the_step),
	        cmocka_unit_test(a_rotated_region_holds_what_its_shape_holds),
	        cmocka_unit_test(a_region_melts_by_the_energy_it_brings),
	        cmocka_unit_test(a_slab_takes_its_latent_heat_from_its_neighbour),
	        cmocka_unit_test(melting_takes_as_long_as_its_heat_needs),
	        cmocka_unit_test(alpha_of_a_blend_follows_its_temperature),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
