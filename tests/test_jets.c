// test_jets.c: the shape of jets: their openings, the columns of particles in them, their volume.
#include "boundary/opening.h"
#include "worlds.h"

#define SPACING 0.02

// ---- openings ----------------------------------------------------------------------------------

typedef struct opening {
	double radius, width, height; // spacings; radius 0: a rectangle
} opening;

static oz_emitter_def emitter_of(oz_id material, opening o)
{
	oz_emitter_def def = oz_emitter_default(material);
	if (o.radius > 0)
		def.radius = (float)(o.radius * SPACING);
	def.width = (float)(o.width * SPACING);
	def.height = (float)(o.height * SPACING);
	return def;
}

static double layer_distance(const oz_emitter_def *def, const oz_columns *c)
{
	return c->count * pow(SPACING, 3) / oz_opening_area(def);
}

// the points of all columns in the layers from -3 to 3
static uint32_t fill_nozzle(const oz_emitter_def *def, const oz_columns *c, vec *points)
{
	uint32_t count = 0;
	oz_column at;
	for (uint32_t i = 0; i < c->across[0]; i++)
		for (uint32_t j = 0; j < c->across[1]; j++)
			for (int k = -3; k <= 3 && oz_columns_at(c, i, j, &at); k++)
				points[count++] = vec_of((double)at.width, (double)at.height,
				                         (k + at.phase) * layer_distance(def, c));
	return count;
}

static double nearest_distance(const vec *points, uint32_t count)
{
	double least = INFINITY;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < i; j++)
			least = fmin(least, vec_length(vec_sub(points[i], points[j])));
	return least;
}

static void check_columns(opening o)
{
	static vec points[20000];
	const oz_emitter_def def = emitter_of(0, o);
	const oz_columns c = oz_opening_columns(&def, SPACING);
	const double filled = c.count * (double)c.pitch[0] * (double)c.pitch[1];
	// rounding of the pitches to float
	test_near(filled / oz_opening_area(&def), 1, 1e-5,
	          "area of the columns over the opening's");
	const uint32_t count = fill_nozzle(&def, &c, points);
	assert_int_equal(count, 7 * c.count);
	const double nearest = nearest_distance(points, count) / SPACING;
	if (nearest < 0.85)
		fail_msg("opening %g, %g × %g spacings: particles are %g spacings apart", o.radius,
		         o.width, o.height, nearest);
}

static void columns_fill_any_opening_and_stay_apart(void **state)
{
	(void)state;
	for (double radius = 0.3; radius < 4; radius += 0.07)
		check_columns((opening){.radius = radius});
	for (double width = 0.3; width < 4; width += 0.23)
		for (double height = 0.25; height < 4; height += 0.19)
			check_columns((opening){.width = width, .height = height});
	check_columns((opening){.width = 20.4, .height = 2.5});
}

// The outline of a round opening, half a spacing outside its columns, is within 10 % of the circle
// in every direction. The least disc of a lattice of 2 spacings radius has a corner at 1.23 radii.
static void small_round_openings_are_round(void **state)
{
	(void)state;
	double worst = 0;
	for (double radius = 2; radius < 8; radius += 0.1) {
		const oz_emitter_def def = emitter_of(0, (opening){.radius = radius});
		const oz_columns c = oz_opening_columns(&def, SPACING);
		for (int k = 0; k < 72; k++) {
			const double angle = k * PI / 36;
			double far = 0;
			oz_column at;
			for (uint32_t i = 0; i < c.across[0]; i++)
				for (uint32_t j = 0; j < c.across[1]; j++)
					if (oz_columns_at(&c, i, j, &at))
						far = fmax(far,
						           cos(angle) * (double)at.width +
						                   sin(angle) * (double)at.height);
			const double error = (far / SPACING + 0.5) / radius - 1;
			worst = fmax(worst, fabs(error));
		}
	}
	print_message("outline within %.3f of the circle\n", worst);
	test_near(worst, 0, 0.1, "outline of round openings");
}

static void smallest_opening_has_one_column(void **state)
{
	(void)state;
	const oz_emitter_def thin = emitter_of(0, (opening){.radius = 0.3}),
	                     slit = emitter_of(0, (opening){.width = 0.5, .height = 0.2});
	assert_int_equal(oz_opening_columns(&thin, SPACING).count, 1);
	assert_int_equal(oz_opening_columns(&slit, SPACING).count, 1);
}

static void width_is_level_and_rolls_about_the_jet(void **state)
{
	(void)state;
	oz_emitter_def def = oz_emitter_default(0);
	oz_vec3 u, v;
	oz_opening_axes(&def, &u, &v);
	assert_true(u.x == 1 && fabsf(v.z) == 1); // the jet falls
	def.direction = (oz_vec3){3, -4, 2};
	oz_opening_axes(&def, &u, &v);
	assert_true(u.y == 0);
	const oz_vec3 level = u, steep = v;
	def.roll = 90;
	oz_opening_axes(&def, &u, &v);
	test_near((double)vec_dot(vec_of((double)u.x, (double)u.y, (double)u.z),
	                          vec_of((double)steep.x, (double)steep.y, (double)steep.z)),
	          1, 1e-6, "cosine of rolled width and height");
	test_near((double)vec_dot(vec_of((double)v.x, (double)v.y, (double)v.z),
	                          vec_of((double)level.x, (double)level.y, (double)level.z)),
	          -1, 1e-6, "cosine of rolled height and width");
}

// ---- jets --------------------------------------------------------------------------------------

typedef struct jet {
	oz_world *world;
	oz_emitter_def def;
	oz_columns columns;
} jet;

// Without gravity. Without sound, a particle feels no other.
static jet make_jet(opening o, oz_vec3 direction, float sound_speed, float time_step)
{
	oz_world_def world = test_space_def(SPACING);
	world.sound_speed = sound_speed;
	world.time_step = time_step;
	jet j = {.world = test_world(&world)};
	const bool mute = sound_speed < 1;
	const oz_id liquid = test_add_liquid(j.world, 1000, mute ? 0 : 0.001f, mute ? 0 : 0.05f);
	j.def = emitter_of(liquid, o);
	j.def.position = (oz_vec3){0.3f, -0.1f, 0.2f};
	j.def.direction = direction;
	j.def.roll = 30;
	j.def.speed = 2;
	j.columns = oz_opening_columns(&j.def, SPACING);
	assert_int_equal(oz_world_add_emitter(j.world, &j.def, NULL, NULL), OZ_OK);
	return j;
}

static vec vec_from(oz_vec3 a)
{
	return vec_of((double)a.x, (double)a.y, (double)a.z);
}

// m: along the width, along the height and along the jet, from the opening
static vec seen_from_opening(const jet *j, vec x)
{
	oz_vec3 u, v;
	oz_opening_axes(&j->def, &u, &v);
	const vec d = vec_sub(x, vec_from(j->def.position)), way = vec_from(j->def.direction);
	return vec_of(vec_dot(d, vec_from(u)), vec_dot(d, vec_from(v)),
	              vec_dot(d, way) / vec_length(way));
}

// all particles, seen from the opening
static test_particles read_jet(const jet *j)
{
	test_particles all = test_particles_read(j->world);
	for (uint32_t i = 0; i < all.count; i++)
		all.at[i].x = seen_from_opening(j, all.at[i].x);
	return all;
}

static const opening openings[] = {{.radius = 1},
                                   {.radius = 1.3},
                                   {.radius = 2.04},
                                   {.radius = 4},
                                   {.radius = 9.3},
                                   {.width = 6.4, .height = 1.5},
                                   {.width = 3, .height = 11.2}};
static const oz_vec3 directions[] = {{0, -1, 0}, {1, 0, 0}, {2, -3, 1}};

// m³ that have passed the opening against area × speed × time, at ten times
static void volume_poured_is_area_times_speed_times_time(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < sizeof openings / sizeof *openings; k++) {
		jet j = make_jet(openings[k], directions[k % 3], 1e-3f, 0.0031f);
		const double rate = oz_opening_area(&j.def) * (double)j.def.speed;
		for (int step = 1; step <= 10; step++) {
			test_steps(j.world, 3);
			test_particles all = read_jet(&j);
			uint32_t out = 0;
			for (uint32_t i = 0; i < all.count; i++)
				out += all.at[i].x.z > 0;
			test_particles_free(&all);
			const double due = rate * oz_world_time(j.world) / pow(SPACING, 3);
			// particles: phases of few columns are less even
			test_near(out, due, 1.5 + 0.06 * j.columns.count, "particles poured");
		}
		oz_world_destroy(j.world);
	}
}

// one column's particles in two layers: their distance is the volume of a layer over the area
static void rate_is_exact_for_any_opening(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < sizeof openings / sizeof *openings; k++) {
		jet j = make_jet(openings[k], directions[k % 3], 1e-3f, 0.0031f);
		test_steps(j.world, 1);
		test_particles all = read_jet(&j);
		const uint32_t n = j.columns.count;
		assert_true(all.count >= 2 * n);
		for (uint32_t i = 0; i < n; i++) {
			const double apart = all.at[i].x.z - all.at[i + n].x.z;
			test_near(apart * oz_opening_area(&j.def) / (n * pow(SPACING, 3)), 1, 1e-4,
			          "volume that passes between two layers over a layer's");
		}
		test_particles_free(&all);
		oz_world_destroy(j.world);
	}
}

static int compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void layer_lies_in_no_plane(void **state)
{
	(void)state;
	jet j = make_jet((opening){.radius = 4}, directions[2], 1e-3f, 0.001f);
	test_steps(j.world, 1);
	test_particles all = read_jet(&j);
	const double apart = layer_distance(&j.def, &j.columns);
	double along[200], gap = 0;
	const uint32_t n = j.columns.count;
	assert_in_range(n, 40, 199);
	for (uint32_t i = 0; i < n; i++)
		along[i] = all.at[i].x.z;
	qsort(along, n, sizeof *along, compare_numbers);
	for (uint32_t i = 1; i < n; i++)
		gap = fmax(gap, along[i] - along[i - 1]);
	// 1/n if they were perfectly even
	assert_true(gap < 5 * apart / n);
	test_near((along[n - 1] - along[0]) / apart, 1, 0.1, "spread of a layer");
	test_particles_free(&all);
	oz_world_destroy(j.world);
}

static void particles_start_behind_the_opening(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < sizeof openings / sizeof *openings; k++) {
		jet j = make_jet(openings[k], directions[k % 3], 1e-3f, 0.002f);
		uint32_t known = 0;
		for (int step = 0; step < 20; step++) {
			test_steps(j.world, 1);
			test_particles all = read_jet(&j);
			// a new one has moved for one step; 3 spacings are 1.5 support radii
			for (uint32_t i = step ? known : all.count; i < all.count; i++)
				assert_true(all.at[i].x.z <= -2.7 * SPACING + 0.004 &&
				            all.at[i].x.z > -6.01 * SPACING);
			known = all.count;
			test_particles_free(&all);
		}
		oz_world_destroy(j.world);
	}
}

// greatest distance of a particle from the axis (round) or along width and height, in m
static vec extent(const jet *j, const test_particles *all, double from, double to, uint32_t *count)
{
	const bool rectangle = oz_opening_is_rectangle(&j->def);
	vec most = vec_of(0, 0, 0);
	*count = 0;
	for (uint32_t i = 0; i < all->count; i++) {
		const vec x = all->at[i].x;
		if (x.z < from || x.z >= to)
			continue;
		(*count)++;
		most.x = fmax(most.x, rectangle ? fabs(x.x) : hypot(x.x, x.y));
		most.y = fmax(most.y, fabs(x.y));
	}
	return most;
}

static void check_size(opening o, oz_vec3 direction)
{
	jet j = make_jet(o, direction, 40, 0);
	test_run_until(j.world, 22 * SPACING / (double)j.def.speed);
	test_particles all = read_jet(&j);
	uint32_t count;
	const vec first = extent(&j, &all, -2.5 * SPACING, 0, &count);
	// half a spacing of matter around the outermost particles; pieces of 2.5 spacings
	const double rim = 0.5 * SPACING, piece = 2.5 * SPACING;
	const double wanted = oz_opening_area(&j.def) * piece / pow(SPACING, 3);
	for (int k = 0; k < 8; k++) {
		const vec now = extent(&j, &all, k * piece, (k + 1) * piece, &count);
		test_near((now.x + rim) / (first.x + rim), 1, 0.05, "width of the jet");
		test_near((now.y + rim) / (first.y + rim), 1, 0.05, "height of the jet");
		test_near(count / wanted, 1, 0.06, "particles in a piece of the jet");
	}
	test_particles_free(&all);
	oz_world_destroy(j.world);
}

static void jet_in_empty_space_keeps_its_size_and_has_no_gaps(void **state)
{
	(void)state;
	check_size((opening){.radius = 4}, directions[0]);
	check_size((opening){.radius = 2.5}, directions[2]);
	check_size((opening){.width = 12.4, .height = 2.6}, directions[2]);
}

// A jet of water of 5 spacings radius falls and becomes thinner: its radius is √(Q/(π v)) with
// v² = v₀² + 2 g z. z begins a support radius below the opening: within it, the liquid in the
// nozzle, which keeps its speed, acts on the jet.
static void a_falling_jet_becomes_thinner_as_it_becomes_faster(void **state)
{
	(void)state;
	const double radius = 5 * SPACING, speed = 1, last = 2 * SPACING; // m, m/s, m
	const double mouth = 2.2 * SPACING;                               // m, a support radius
	oz_world_def world = test_space_def(SPACING);
	world.sound_speed = 40;
	world.gravity.y = (float)-GRAVITY;
	oz_world *w = test_world(&world);
	oz_material_def water = oz_material_default(OZ_FLUID);
	water.density = 1000;
	water.viscosity = 0.001f;
	water.cohesion = 50; // that of the preset water
	oz_emitter_def def = oz_emitter_default(test_add_material(w, &water));
	def.radius = (float)radius;
	def.speed = (float)speed;
	test_must(oz_world_add_emitter(w, &def, NULL, NULL), NULL);
	const double end = speed * pow(radius / last, 2); // m/s, where the jet has the last radius
	test_run_until(w, 1.15 * (end - speed) / GRAVITY);
	test_particles all = test_particles_read(w);
	const double piece = 4 * SPACING, way = (end * end - speed * speed) / (2 * GRAVITY);
	double worst = 0;
	for (double z = 0; z < way; z += piece) {
		double sum = 0;
		uint32_t count = 0, filled[4] = {0};
		for (uint32_t i = 0; i < all.count; i++) {
			const vec x = all.at[i].x;
			if (-x.y < z || -x.y >= z + piece)
				continue;
			sum += x.x * x.x + x.z * x.z;
			count++;
			filled[(int)((-x.y - z) / SPACING) & 3]++;
		}
		for (int k = 0; k < 4; k++)
			if (!filled[k])
				fail_msg("a gap of a spacing %g m below the nozzle",
				         z + k * SPACING);
		const double fall = fmax(z + 0.5 * piece - mouth, 0);
		const double v = sqrt(speed * speed + 2 * GRAVITY * fall);
		const double wanted = radius * sqrt(speed / v), found = sqrt(2 * sum / count);
		worst = fmax(worst, fabs(found / wanted - 1));
	}
	print_message("radius of a falling jet from 5 to 2 spacings: within %.3f\n", worst);
	test_near(worst, 0, 0.1, "radius over √(Q/(π v))");
	test_particles_free(&all);
	oz_world_destroy(w);
}

// ---- repeated runs -----------------------------------------------------------------------------

// the longest step passes the whole nozzle: layers are late, one column more than another
static void columns_fly_alike_after_any_time_step(void **state)
{
	(void)state;
	const float time_steps[] = {0.001f, 0.007f, 0.05f};
	test_particles all[3];
	for (int k = 0; k < 3; k++) {
		jet j = make_jet(openings[5], directions[2], 1e-3f, time_steps[k]);
		test_run_until(j.world, 0.35 - 1e-5);
		all[k] = test_particles_read(j.world);
		oz_world_destroy(j.world);
	}
	for (int k = 1; k < 3; k++)
		for (uint32_t i = 0; i < all[0].count && i < all[k].count; i++)
			test_near(vec_length(vec_sub(all[0].at[i].x, all[k].at[i].x)), 0, 2e-5,
			          "distance from the same particle after other steps");
	for (int k = 0; k < 3; k++) {
		assert_true(all[k].count > 100);
		test_particles_free(&all[k]);
	}
}

static uint64_t hash_after(oz_world *w, uint32_t steps)
{
	test_steps(w, steps);
	const uint64_t hash = oz_world_hash(w);
	oz_world_destroy(w);
	return hash;
}

static void rectangular_jet_goes_on_from_a_snapshot(void **state)
{
	(void)state;
	jet j = make_jet(openings[5], directions[2], 40, 0);
	oz_error error = {OZ_OK, ""};
	oz_world *loaded;
	test_steps(j.world, 60);
	assert_int_equal(oz_world_save(j.world, "jet.ooze", &error), OZ_OK);
	assert_int_equal(oz_world_load("jet.ooze", NULL, 2, NULL, &loaded, &error), OZ_OK);
	assert_int_equal(hash_after(j.world, 60), hash_after(loaded, 60));
}

// ---- refused -----------------------------------------------------------------------------------

static void expect_refused(oz_world *w, float width, float height, const char *sentence)
{
	oz_error error = {OZ_OK, ""};
	oz_emitter_def def = oz_emitter_default(0);
	def.width = width;
	def.height = height;
	assert_int_equal(oz_world_add_emitter(w, &def, NULL, &error), OZ_ERROR_RANGE);
	assert_string_equal(error.text, sentence);
}

static void openings_without_area_are_refused(void **state)
{
	(void)state;
	const oz_world_def def = test_space_def(SPACING);
	oz_world *w = test_world(&def);
	test_water(w);
	expect_refused(w, -1, 0.1f, "emitter 0.width is -1 m; it must be between 0 and 1e+06 m");
	expect_refused(w, 0, 0.1f,
	               "emitter 0.width is 0 m; a rectangular opening needs a width and a height, "
	               "at least 1e-06 m each; a round one has a radius instead");
	expect_refused(w, 0.1f, 1e-9f,
	               "emitter 0.height is 1e-09 m; a rectangular opening needs a width and a "
	               "height, at least 1e-06 m each; a round one has a radius instead");
	expect_refused(w, 0.1f, 30,
	               "emitter 0.height is 30 m, 1500 spacings: too wide for a nozzle; use at "
	               "most 1000");
	expect_refused(w, NAN, 0.1f, "emitter 0.width is nan m; it must be between 0 and 1e+06 m");
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(columns_fill_any_opening_and_stay_apart),
	        cmocka_unit_test(small_round_openings_are_round),
	        cmocka_unit_test(smallest_opening_has_one_column),
	        cmocka_unit_test(width_is_level_and_rolls_about_the_jet),
	        cmocka_unit_test(volume_poured_is_area_times_speed_times_time),
	        cmocka_unit_test(rate_is_exact_for_any_opening),
	        cmocka_unit_test(layer_lies_in_no_plane),
	        cmocka_unit_test(particles_start_behind_the_opening),
	        cmocka_unit_test(jet_in_empty_space_keeps_its_size_and_has_no_gaps),
	        cmocka_unit_test(a_falling_jet_becomes_thinner_as_it_becomes_faster),
	        cmocka_unit_test(columns_fly_alike_after_any_time_step),
	        cmocka_unit_test(rectangular_jet_goes_on_from_a_snapshot),
	        cmocka_unit_test(openings_without_area_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
