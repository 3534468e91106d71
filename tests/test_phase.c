// test_phase.c: solids melt, and melts freeze.
//
// What is hot melts and no more, flows as the liquid of its material, and leaves mass and momentum
// as they were; what freezes keeps the shape it has then and is one with the solid it lies on;
// inside the melting range nothing changes. All of it as often as one likes.
#include "elastic.h"

#define S     0.02 // m, spacing
#define COLD  20
#define HOT   80
#define POINT 50 // °C, and 5 K more until all is liquid

static oz_world *make(double gravity)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)S;
	def.gravity.y = (float)-gravity;
	def.sound_speed = 20;
	def.threads = 2;
	return test_world(&def);
}

static oz_material_def wax(void)
{
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.melting_point = POINT;
	def.viscosity = 0.1f;
	return def;
}

typedef struct piece {
	oz_id material;
	oz_shape shape;
	double temperature;
	vec velocity, spin;
} piece;

static oz_id add(oz_world *w, const piece *p)
{
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	oz_body_def body = oz_body_default();
	oz_id id = OZ_NONE;
	body.material = p->material;
	body.temperature = (float)p->temperature;
	body.velocity = vec_narrow(p->velocity);
	body.spin = vec_narrow(p->spin);
	if (oz_shape_fill(&p->shape, (float)S, OZ_FILL_LATTICE, &points, &body.count, &error) !=
	    OZ_OK)
		fail_msg("%s", error.text);
	body.points = points;
	if (oz_world_add_body(w, &body, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_points_free(points);
	return id;
}

static oz_id add_wax(oz_world *w, oz_shape shape, double temperature)
{
	const oz_material_def def = wax();
	return add(w, &(piece){.material = test_add_material(w, &def),
	                       .shape = shape,
	                       .temperature = temperature});
}

// from now on, for so long
static void heat(oz_world *w, vec min, vec max, double temperature, double start, double duration)
{
	oz_error error = {OZ_OK, ""};
	oz_region_def def = oz_region_default(test_box(min, max));
	def.temperature = (float)temperature;
	def.rate = 1e4f;
	def.start = (float)start;
	def.duration = (float)duration;
	if (oz_world_add_region(w, &def, NULL, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

static void heat_all(oz_world *w, double temperature)
{
	heat(w, vec_of(-9, -9, -9), vec_of(9, 9, 9), temperature, oz_world_time(w), 0.02);
}

// of every particle by its id; free() it
static uint32_t *phases_of(oz_world *w)
{
	oz_view phase, id;
	const uint32_t count = oz_world_particle_count(w);
	uint32_t *phases = malloc((count + 1) * sizeof *phases), *ids = malloc(count * sizeof *ids);
	assert_true(phases && ids);
	assert_int_equal(oz_world_view(w, OZ_FIELD_ID, &id, NULL), OZ_OK);
	for (uint32_t i = 0; i < count; i++)
		memcpy(&ids[i], (const char *)id.data + i * id.stride, sizeof *ids);
	assert_int_equal(oz_world_view(w, OZ_FIELD_PHASE, &phase, NULL), OZ_OK);
	for (uint32_t i = 0; i < count; i++)
		memcpy(&phases[ids[i]], (const char *)phase.data + i * phase.stride,
		       sizeof *phases);
	free(ids);
	return phases;
}

static uint32_t count_solid(oz_world *w)
{
	uint32_t *phases = phases_of(w), count = 0;
	for (uint32_t i = 0; i < oz_world_particle_count(w); i++)
		count += phases[i];
	free(phases);
	return count;
}

static void set_gravity(oz_world *w, vec g)
{
	w->sim.def.gravity = w->sim.fluid.gravity = vec_narrow(g);
}

static double top_of(oz_world *w)
{
	return (double)test_stats(w).max.y;
}

static void expect_finite(oz_world *w)
{
	test_particles all = test_particles_read(w);
	assert_true(test_particles_finite(&all));
	test_particles_free(&all);
}

// the largest change of the distance of particles that were next to each other, over it; of those
// of one phase alone
static double strain_of(oz_world *w, const test_particles *then)
{
	test_particles now = test_particles_read(w);
	uint32_t *phases = phases_of(w);
	double most = 0;
	for (uint32_t i = 0; i < now.count; i++)
		for (uint32_t j = 0; j < i; j++) {
			const double d = vec_length(vec_sub(then->at[i].x, then->at[j].x));
			const double e = vec_length(vec_sub(now.at[i].x, now.at[j].x));
			if (phases[i] && phases[j] && d < 1.2 * S)
				most = fmax(most, fabs(e / d - 1));
		}
	free(phases);
	test_particles_free(&now);
	return most;
}

// ---- melting -----------------------------------------------------------------------------------

static void a_hot_cube_becomes_a_puddle(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	test_add_tank(w, vec_of(-0.2, 0, -0.1), vec_of(0.2, 1, 0.1));
	add_wax(w, test_box(vec_of(-0.08, 0, -0.08), vec_of(0.08, 0.16, 0.08)), HOT);
	const uint32_t count = oz_world_particle_count(w);
	const oz_stats first = test_stats(w);
	assert_int_equal(count_solid(w), count);
	test_step(w);
	assert_int_equal(count_solid(w), 0);
	test_run_until(w, 2);
	const oz_stats last = test_stats(w);
	// what the tank's floor holds, 0.4 × 0.2 m
	const double depth = 0.16 * 0.16 * 0.16 / (0.4 * 0.2);
	print_message("puddle: %.2f spacings high, %.2f if it were even\n", top_of(w) / S + 0.5,
	              depth / S);
	assert_int_equal(oz_world_particle_count(w), count);
	test_near(last.mass, first.mass, 0, "mass");
	test_near(top_of(w) / S + 0.5, depth / S, 1, "height of the puddle, spacings");
	expect_finite(w);
	oz_world_destroy(w);
}

static void a_cube_melts_where_it_is_hot_and_nowhere_else(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	test_add_tank(w, vec_of(-0.1, 0, -0.1), vec_of(0.5, 1, 0.1));
	add_wax(w, test_box(vec_of(-0.08, 0, -0.08), vec_of(0.08, 0.16, 0.08)), COLD);
	heat(w, vec_of(0, -1, -1), vec_of(1, 1, 1), HOT, 0, 0.005);
	test_particles then = test_particles_read(w);
	test_run_until(w, 1);
	uint32_t *phases = phases_of(w), wrong = 0, solid = 0;
	for (uint32_t i = 0; i < then.count; i++) {
		wrong += phases[i] != (then.at[i].x.x < 0);
		solid += phases[i];
	}
	const double strain = strain_of(w, &then);
	print_message("half a cube: %u of %u solid, %u are not as they should, strain %.4f\n",
	              solid, then.count, wrong, strain);
	assert_int_equal(wrong, 0);
	test_near(strain, 0, 0.06, "strain of the solid half");
	free(phases);
	test_particles_free(&then);
	oz_world_destroy(w);
}

static void a_sheet_melts(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	oz_shape sheet = oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){0.2f, 0, 0.2f});
	sheet.position.y = 0.1f;
	test_add_tank(w, vec_of(-0.2, 0, -0.2), vec_of(0.2, 1, 0.2));
	add_wax(w, sheet, COLD);
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(-0.05, 1, 1), NULL, 0, 1e9);
	test_run_until(w, 0.1);
	assert_true(top_of(w) > 0.09);
	heat_all(w, HOT);
	test_run_until(w, 1);
	assert_int_equal(count_solid(w), 0);
	// nothing is left to hold, and all of it lies on the floor
	print_message("a molten sheet: %.2f spacings high\n", top_of(w) / S);
	test_near(top_of(w) / S, 0.5, 0.5, "height of a molten sheet, spacings");
	expect_finite(w);
	oz_world_destroy(w);
}

// Column of a melt against the same of a fluid; both fall, and run alike for a while.
static void a_melt_flows_as_the_liquid_of_its_material(void **state)
{
	(void)state;
	double top[2], front[2], energy[2];
	for (int liquid = 0; liquid < 2; liquid++) {
		oz_world *w = make(GRAVITY);
		oz_material_def def = wax();
		def.model = liquid ? OZ_FLUID : OZ_COROTATED;
		def.viscosity = 3;
		test_add_tank(w, vec_of(-0.1, 0, -0.1), vec_of(0.4, 1, 0.1));
		add(w, &(piece){.material = test_add_material(w, &def),
		                .shape = test_box(vec_of(-0.1, 0, -0.1), vec_of(0.06, 0.24, 0.1)),
		                .temperature = HOT});
		test_run_until(w, 0.2);
		const oz_stats stats = test_stats(w);
		top[liquid] = stats.centre[1];
		front[liquid] = (double)stats.max.x;
		energy[liquid] = stats.kinetic_energy;
		oz_world_destroy(w);
	}
	print_message("melt and fluid: centre %.5f %.5f m, front %.5f %.5f m, %.5f %.5f J\n",
	              top[0], top[1], front[0], front[1], energy[0], energy[1]);
	test_near(top[0], top[1], 1e-3 * top[1], "height of the centre");
	test_near(front[0], front[1], 0.1 * S, "the front");
	test_near(energy[0], energy[1], 0.01 * energy[1], "kinetic energy");
}

static void nothing_changes_inside_the_range(void **state)
{
	(void)state;
	for (int hot = 0; hot < 2; hot++) {
		oz_world *w = make(0);
		add_wax(w, test_box(vec_of(-0.08, -0.08, -0.08), vec_of(0.08, 0.08, 0.08)),
		        hot ? HOT : COLD);
		test_steps(w, 11);
		const uint32_t solid = count_solid(w), all = oz_world_particle_count(w);
		assert_int_equal(solid, hot ? 0 : all);
		for (int k = 0; k < 4; k++) {
			static const double inside[] = {POINT + 0.1, POINT + 4.9, POINT + 2.5};
			heat_all(w, inside[k % 3]);
			test_steps(w, 60);
			assert_int_equal(count_solid(w), solid);
		}
		heat_all(w, hot ? POINT - 0.1 : POINT + 5.1);
		test_steps(w, 60);
		assert_int_equal(count_solid(w), hot ? all : 0);
		oz_world_destroy(w);
	}
}

// ---- freezing ----------------------------------------------------------------------------------

// m, how high a puddle has climbed after gravity went sideways
static double climbs(bool frozen, double *strain)
{
	oz_world *w = make(GRAVITY);
	test_add_tank(w, vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.4, 0.1));
	add_wax(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.08, 0.1)), HOT);
	test_run_until(w, 0.3);
	if (frozen)
		heat_all(w, COLD);
	test_run_until(w, 0.4);
	assert_int_equal(count_solid(w), frozen ? oz_world_particle_count(w) : 0);
	test_particles then = test_particles_read(w);
	set_gravity(w, vec_of(GRAVITY, 0, 0));
	test_run_until(w, 1.2);
	const double top = top_of(w);
	*strain = strain_of(w, &then);
	expect_finite(w);
	test_particles_free(&then);
	oz_world_destroy(w);
	return top;
}

static void a_frozen_puddle_keeps_its_shape(void **state)
{
	(void)state;
	double strain, none;
	const double frozen = climbs(true, &strain), liquid = climbs(false, &none);
	print_message("gravity sideways: frozen %.2f spacings high, strain %.4f; liquid %.2f\n",
	              frozen / S, strain, liquid / S);
	// nothing keeps it from turning about
	test_near(strain, 0, 0.1, "strain of the frozen puddle");
	assert_true(liquid / S > 15 && frozen / S < 12);
}

static void what_freezes_in_flight_keeps_momentum_and_energy(void **state)
{
	(void)state;
	oz_world *w = make(0);
	const oz_material_def def = wax();
	add(w, &(piece){.material = test_add_material(w, &def),
	                .shape = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.1f, 0, 0}),
	                .temperature = HOT,
	                .velocity = {1, 0.5, 0},
	                .spin = {0, 1, 2}});
	test_run_until(w, 0.1);
	const test_momenta before = test_momenta_of(w);
	const double energy = test_kinetic_energy(w);
	assert_int_equal(count_solid(w), 0);
	heat_all(w, COLD);
	double most = 0;
	for (int k = 0; k < 20; k++) {
		test_run_until(w, 0.1 + 0.02 * (k + 1));
		most = fmax(most, test_kinetic_energy(w));
	}
	const test_momenta after = test_momenta_of(w);
	const double linear =
	        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale;
	const double angular =
	        vec_length(vec_sub(after.angular, before.angular)) / before.angular_scale;
	print_message("frozen in flight: momentum %.2g, angular %.2g, energy at most %.5f\n",
	              linear, angular, most / energy);
	assert_int_equal(count_solid(w), oz_world_particle_count(w));
	test_near(linear, 0, 1e-4, "change of momentum");
	test_near(angular, 0, 1e-4, "change of angular momentum");
	assert_true(most < 1.001 * energy);
	oz_world_destroy(w);
}

static void a_thin_frozen_layer_is_one_with_the_solid_below(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	const oz_material_def def = wax();
	const oz_id material = test_add_material(w, &def);
	test_add_tank(w, vec_of(-0.1, 0, -0.1), vec_of(0.1, 2, 0.1));
	add(w, &(piece){.material = material,
	                .shape = test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.08, 0.1)),
	                .temperature = COLD});
	add(w, &(piece){.material = material,
	                .shape = test_box(vec_of(-0.1, 0.08, -0.1), vec_of(0.1, 0.08 + S, 0.1)),
	                .temperature = HOT});
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(1, S, 1), NULL, 0, 1e9);
	test_run_until(w, 0.3);
	heat_all(w, COLD);
	test_run_until(w, 0.4);
	assert_int_equal(count_solid(w), oz_world_particle_count(w));
	test_particles then = test_particles_read(w);
	set_gravity(w, vec_of(0, GRAVITY, 0));
	test_run_until(w, 1);
	test_particles now = test_particles_read(w);
	double way = 0;
	for (uint32_t i = 0; i < now.count; i++)
		way = fmax(way, vec_length(vec_sub(now.at[i].x, then.at[i].x)));
	print_message("a frozen layer upside down moves by %.3f spacings, strain %.4f, %u "
	              "components\n",
	              way / S, strain_of(w, &then), w->slots.components);
	test_near(way / S, 0, 0.5, "way of a frozen layer, spacings");
	assert_int_equal(w->slots.components, 1);
	test_particles_free(&then);
	test_particles_free(&now);
	oz_world_destroy(w);
}

// by conduction, from a cold floor: layer on layer, all of one piece
static void a_puddle_freezes_from_below_into_one_piece(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	oz_material_def def = wax();
	def.conductivity = 4000;
	def.latent_heat = 5000;
	test_add_tank(w, vec_of(-0.1, 0, -0.1), vec_of(0.1, 1, 0.1));
	add(w, &(piece){.material = test_add_material(w, &def),
	                .shape = test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.1, 0.1)),
	                .temperature = 60});
	heat(w, vec_of(-1, -1, -1), vec_of(1, 1.1 * S, 1), 0, 0.2, 100);
	uint32_t last = 0, sizes = 0;
	for (int k = 0; k < 100 && last < oz_world_particle_count(w); k++) {
		test_run_until(w, 0.2 + 0.05 * (k + 1));
		const uint32_t solid = count_solid(w);
		sizes += solid > last;
		assert_true(solid >= last);
		last = solid;
	}
	print_message("frozen from below: %u of %u after %.2f s, in %u looks, %u components\n",
	              last, oz_world_particle_count(w), oz_world_time(w), sizes,
	              w->slots.components);
	assert_int_equal(last, oz_world_particle_count(w));
	assert_true(sizes >= 3);
	assert_int_equal(w->slots.components, 1);
	test_particles then = test_particles_read(w);
	set_gravity(w, vec_of(GRAVITY, 0, 0));
	test_run_until(w, oz_world_time(w) + 0.5);
	const double strain = strain_of(w, &then);
	print_message("sideways, its strain is %.4f\n", strain);
	test_near(strain, 0, 0.1, "strain of what froze from below");
	test_particles_free(&then);
	oz_world_destroy(w);
}

// ---- energy ------------------------------------------------------------------------------------

// J, and m/s of the fastest, at their most within a time
static double liveliest(oz_world *w, double duration, double *speed)
{
	const double end = oz_world_time(w) + duration;
	double most = 0;
	*speed = 0;
	while (oz_world_time(w) < end) {
		*speed = fmax(*speed, (double)test_step(w).max_speed);
		most = fmax(most, test_kinetic_energy(w));
	}
	return most;
}

// A bar is held stretched by a tenth, a melt lies on it and freezes: the new solid has no stress,
// and that of the bar is as it was.
static void freezing_onto_a_strained_solid_adds_no_energy(void **state)
{
	(void)state;
	static const oz_keyframe still[] = {{0, {-0.18f, 0, 0}, {0, 0, 0, 1}}},
	                         pulled[] = {{0, {0.18f, 0, 0}, {0, 0, 0, 1}},
	                                     {0.3f, {0.216f, 0, 0}, {0, 0, 0, 1}}};
	oz_world *w = make(0);
	oz_material_def def = wax();
	def.damping = 1;
	// the melt is calm before it freezes
	def.viscosity = 1;
	const oz_id material = test_add_material(w, &def);
	add(w, &(piece){.material = material,
	                .shape = test_box(vec_of(-0.2, -0.04, -0.04), vec_of(0.2, 0.04, 0.04)),
	                .temperature = COLD});
	add(w, &(piece){.material = material,
	                .shape = test_box(vec_of(-0.1, 0.04, -0.04), vec_of(0.1, 0.08, 0.04)),
	                .temperature = HOT});
	test_add_handle(w, vec_of(-0.2, -0.1, -0.1), vec_of(-0.16, 0.1, 0.1), still, 1, 1e9);
	test_add_handle(w, vec_of(0.16, -0.1, -0.1), vec_of(0.2, 0.1, 0.1), pulled, 2, 1e9);
	test_run_until(w, 1);
	const double before = test_kinetic_energy(w);
	const double strain = 0.036 / 0.32, volume = 0.32 * 0.08 * 0.08;
	const double held = 0.5 * (double)def.young_modulus * strain * strain * volume;
	double speed;
	heat_all(w, COLD);
	const double most = liveliest(w, 0.2, &speed);
	print_message("onto a stretched bar of %.3g J: %.3g J before, at most %.3g J, %.3g m/s\n",
	              held, before, most, speed);
	assert_int_equal(count_solid(w), oz_world_particle_count(w));
	assert_int_equal(w->slots.components, 1);
	test_near(most, before, 1e-3 * held, "kinetic energy that freezing brings");
	oz_world_destroy(w);
}

// A beam sags while it is soft, and is cooled: it does not spring back.
static void what_hardens_keeps_the_shape_it_has_sagged_to(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	oz_material_def def = wax();
	def.young_modulus = 3e5f;
	def.damping = 1;
	add(w, &(piece){.material = test_add_material(w, &def),
	                .shape = test_box(vec_of(0, 0, -0.04), vec_of(0.2, 0.08, 0.04)),
	                .temperature = POINT + 4.9});
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(0.06, 1, 1), NULL, 0, 1e9);
	const double first = test_stats(w).centre[1];
	test_settle(w, 1e-4, 20000);
	const double sunk = first - test_stats(w).centre[1], before = test_kinetic_energy(w);
	double speed;
	heat_all(w, COLD);
	const double most = liveliest(w, 0.5, &speed);
	const double rise = test_stats(w).centre[1] - first + sunk;
	const double lost = test_stats(w).mass * GRAVITY * sunk;
	print_message("a soft beam: sunk by %.4f m, %.3g J; hardened it rises by %.3g of that, "
	              "%.3g "
	              "J moving, %.3g J before\n",
	              sunk, lost, rise / sunk, most, before);
	assert_true(sunk > 0.01);
	// what holds zigzags down has no set, and is all that springs back
	test_near(rise / sunk, 0, 0.15, "share of its sag that a beam springs back");
	assert_true(most < before + 0.05 * lost);
	oz_world_destroy(w);
}

// Few particles, in no order: nothing around them spans a volume.
static void what_freezes_in_drops_stays_as_it_lies(void **state)
{
	(void)state;
	uint64_t seed = 5;
	double fastest = 0;
	for (int round = 0; round < 40; round++) {
		oz_world *w = make(0);
		const oz_material_def def = wax();
		oz_body_def body = oz_body_default();
		oz_vec3 points[6];
		oz_error error = {OZ_OK, ""};
		body.material = test_add_material(w, &def);
		body.temperature = HOT;
		body.points = points;
		body.count = 2 + (uint32_t)round % 5;
		for (uint32_t k = 0; k < body.count; k++)
			points[k] =
			        vec_narrow(vec_of((k + 0.3 * test_random(&seed)) * S,
			                          0.6 * test_random(&seed) * S,
			                          (1.2 * (k % 2) + 0.3 * test_random(&seed)) * S));
		if (oz_world_add_body(w, &body, NULL, &error) != OZ_OK)
			fail_msg("%s", error.text);
		test_steps(w, 11);
		assert_int_equal(count_solid(w), 0);
		heat_all(w, COLD);
		double speed;
		liveliest(w, 0.1, &speed);
		assert_int_equal(count_solid(w), body.count);
		fastest = fmax(fastest, speed);
		oz_world_destroy(w);
	}
	print_message("frozen drops: %.3g m/s\n", fastest);
	test_near(fastest, 0, 0.01, "speed of what froze at rest, m/s");
}

// ---- again and again ---------------------------------------------------------------------------

static void ten_times_in_a_row_nothing_breaks(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	test_add_tank(w, vec_of(-0.15, 0, -0.1), vec_of(0.15, 1, 0.1));
	add_wax(w, test_box(vec_of(-0.08, 0, -0.08), vec_of(0.08, 0.16, 0.08)), COLD);
	// its left half alone, and all of it, in turn
	for (int k = 0; k < 10; k++) {
		const vec max = {k % 2 ? 1 : 0, 1, 1};
		heat(w, vec_of(-1, -1, -1), max, HOT, 0.1 * k, 0.01);
		heat(w, vec_of(-1, -1, -1), max, COLD, 0.1 * k + 0.05, 0.01);
	}
	const uint32_t all = oz_world_particle_count(w);
	uint32_t repaired = 0, least = all;
	double speed = 0, dt = 1, contact = 0;
	while (oz_world_time(w) < 1.2) {
		const oz_step_report r = test_step(w);
		repaired += r.repaired;
		speed = fmax(speed, (double)r.max_speed);
		dt = fmin(dt, (double)r.time_step);
		if (r.step % 25 == 0) {
			least = (uint32_t)fmin(least, count_solid(w));
			contact = fmax(contact, test_contact_error(w));
		}
	}
	const oz_stats stats = test_stats(w);
	print_message("ten times: fastest %.2f m/s, least step %.2g s, at least %u solid, then %u "
	              "of %u, %u components, %.2f spacings high, kinetic %.2g J, contact off by "
	              "%.1e\n",
	              speed, dt, least, count_solid(w), all, w->slots.components, top_of(w) / S,
	              stats.kinetic_energy, contact);
	assert_int_equal(repaired, 0);
	// particles that are `alone` have no contact, whatever melts and freezes
	assert_true(contact < 1e-5);
	assert_int_equal(least, 0);
	assert_int_equal(count_solid(w), all);
	// 2 √(g h), the front of a dam of its height that breaks (Ritter 1892), and no faster
	assert_true(speed < 2 * sqrt(GRAVITY * 0.16) && dt > 1e-4);
	assert_true(top_of(w) < 0.17 && (double)stats.min.y > 0);
	expect_finite(w);
	oz_world_destroy(w);
}

static void what_melts_runs_out_of_its_handle(void **state)
{
	(void)state;
	oz_world *w = make(GRAVITY);
	test_add_tank(w, vec_of(-0.2, 0, -0.2), vec_of(0.2, 1, 0.2));
	// so thick that the fall of 0.3 m does not splash as high as that
	oz_material_def def = wax();
	def.viscosity = 2;
	add(w, &(piece){.material = test_add_material(w, &def),
	                .shape = test_box(vec_of(-0.06, 0.3, -0.06), vec_of(0.06, 0.42, 0.06)),
	                .temperature = COLD});
	test_add_handle(w, vec_of(-1, 0.36, -1), vec_of(1, 1, 1), NULL, 0, 1e9);
	test_run_until(w, 0.1);
	assert_true(top_of(w) > 0.4);
	heat_all(w, HOT);
	test_run_until(w, 0.6);
	const double fallen = top_of(w);
	// and it does not jump back into it
	heat_all(w, COLD);
	test_run_until(w, 0.8);
	print_message("out of its handle: %.3f m high, frozen %.3f m\n", fallen, top_of(w));
	assert_true(fallen < 0.3 && top_of(w) < 0.3);
	assert_int_equal(count_solid(w), oz_world_particle_count(w));
	oz_world_destroy(w);
}

// ---- friction ----------------------------------------------------------------------------------

// kg m/s along x that a body has
static double push_of(oz_world *w, oz_id body)
{
	test_particles all = test_particles_read(w);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == body)
			sum += all.at[i].v.x * 1000 * S * S * S;
	test_particles_free(&all);
	return sum;
}

// the molten side of a block slides along a solid that it is pressed against; what the one loses,
// the other has
static void a_molten_side_rubs_a_solid_and_is_rubbed_alike(void **state)
{
	(void)state;
	oz_world *w = make(0);
	oz_material_def def = wax();
	def.friction = 1;
	def.density = 1000;
	def.viscosity = 1;
	const oz_id material = test_add_material(w, &def);
	const oz_id still =
	        add(w,
	            &(piece){.material = material,
	                     .shape = test_box(vec_of(-0.16, -0.08, -0.08), vec_of(0.16, 0, 0.08)),
	                     .temperature = COLD});
	add(w, &(piece){.material = material,
	                .shape = test_box(vec_of(-0.16, S, -0.08), vec_of(0.08, 0.1 + S, 0.08)),
	                .temperature = COLD,
	                .velocity = {0.8, -0.6, 0}});
	heat(w, vec_of(-1, 0.3 * S, -1), vec_of(1, 0.06, 1), HOT, 0, 0.02);
	test_run_until(w, 0.02);
	const uint32_t solid = count_solid(w), all = oz_world_particle_count(w);
	const test_momenta before = test_momenta_of(w);
	test_run_until(w, 0.12);
	const test_momenta after = test_momenta_of(w);
	const double linear =
	        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale;
	const double angular =
	        vec_length(vec_sub(after.angular, before.angular)) / before.angular_scale;
	const double share = push_of(w, still) / before.linear.x;
	print_message("%u of %u are molten; momentum changes by %.2g, angular by %.2g; the solid "
	              "has %.3f of it\n",
	              all - solid, all, linear, angular, share);
	assert_true(solid > all / 2 && solid < all - 100);
	test_near(linear, 0, 1e-5, "change of momentum");
	test_near(angular, 0, 1e-3, "change of angular momentum");
	assert_true(share > 0.01);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_hot_cube_becomes_a_puddle),
	        cmocka_unit_test(a_cube_melts_where_it_is_hot_and_nowhere_else),
	        cmocka_unit_test(a_sheet_melts),
	        cmocka_unit_test(a_melt_flows_as_the_liquid_of_its_material),
	        cmocka_unit_test(nothing_changes_inside_the_range),
	        cmocka_unit_test(a_frozen_puddle_keeps_its_shape),
	        cmocka_unit_test(what_freezes_in_flight_keeps_momentum_and_energy),
	        cmocka_unit_test(a_thin_frozen_layer_is_one_with_the_solid_below),
	        cmocka_unit_test(a_puddle_freezes_from_below_into_one_piece),
	        cmocka_unit_test(freezing_onto_a_strained_solid_adds_no_energy),
	        cmocka_unit_test(what_hardens_keeps_the_shape_it_has_sagged_to),
	        cmocka_unit_test(what_freezes_in_drops_stays_as_it_lies),
	        cmocka_unit_test(ten_times_in_a_row_nothing_breaks),
	        cmocka_unit_test(what_melts_runs_out_of_its_handle),
	        cmocka_unit_test(a_molten_side_rubs_a_solid_and_is_rubbed_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
