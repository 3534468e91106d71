// test_blend_falls.c: blended bodies on a floor, in a tank, and as α changes.
//
// What one sees: rubber springs back, water runs away, all between lies between; what lies still
// stays as it is; light floats, heavy sinks.
#include "worlds.h"

// ---- cubes that fall ---------------------------------------------------------------------------

#define SPACING 0.01
#define EDGE    0.1 // m

typedef struct fallen {
	double centre, height; // m
	double misfit;         // RMS, share of the edge
} fallen;

static oz_stats stats_of(oz_world *w)
{
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	return stats;
}

static fallen drop_cube(const oz_material_def *def, double height, double time)
{
	oz_world *w = test_floor(SPACING, 40);
	test_add_block(w, test_add_material(w, def), vec_of(0, height + 0.5 * EDGE, 0),
	               vec_of(EDGE, EDGE, EDGE));
	test_particles then = test_particles_read(w);
	test_run_until(w, time);
	test_particles now = test_particles_read(w);
	const fallen f = {stats_of(w).centre[1], test_height(w), test_misfit(&now, &then) / EDGE};
	assert_true(test_particles_finite(&now));
	test_particles_free(&then);
	test_particles_free(&now);
	oz_world_destroy(w);
	return f;
}

static void the_more_fluid_a_cube_the_flatter_it_lands(void **state)
{
	(void)state;
	static const double alphas[] = {0, 0.3, 0.7, 1};
	fallen f[4];
	for (int k = 0; k < 4; k++) {
		const oz_material_def def = test_blend(alphas[k], 1000);
		f[k] = drop_cube(&def, 0.1, test_is_long() ? 1.2 : 0.7);
		print_message("alpha %g: centre at %.4f m, %.2f %% from its shape\n", alphas[k],
		              f[k].centre, 100 * f[k].misfit);
	}
	// 0 and 0.3 keep their shape; which of them lies a little lower depends on how it landed
	assert_true(f[0].misfit < 0.02 && f[1].misfit < 0.02);
	for (int k = 2; k < 4; k++) {
		assert_true(f[k].misfit > fmax(f[0].misfit, f[k - 1].misfit));
		assert_true(f[k].centre < fmin(f[0].centre, f[k - 1].centre));
	}
	assert_true(f[3].height < 4 * SPACING);
}

static void rubber_comes_back_to_its_shape(void **state)
{
	(void)state;
	oz_material_def def = test_blend(0, 1000);
	def.update_force = 1e6f;
	const fallen f = drop_cube(&def, 0.1, 1);
	assert_true(f.misfit <= 0.01);
}

// ---- at rest -----------------------------------------------------------------------------------

static void expect_same_place(const oz_stats *a, const oz_stats *b, double tolerance)
{
	for (int k = 0; k < 3; k++)
		test_near(b->centre[k], a->centre[k], tolerance, "the centre");
	const float from[] = {a->min.x, a->min.y, a->min.z, a->max.x, a->max.y, a->max.z};
	const float to[] = {b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z};
	for (int k = 0; k < 6; k++)
		test_near((double)to[k], (double)from[k], tolerance, "a side");
}

// the softest of them; all of them if OOZE_LONG=1
static void a_body_at_rest_stays_for_a_minute(void **state)
{
	(void)state;
	static const double alphas[] = {0.9, 0.7, 0.3, 0};
	const double spacing = 0.02;
	for (int k = 0; k < (test_is_long() ? 4 : 1); k++) {
		oz_world *w = test_floor(spacing, 10);
		const oz_material_def def = test_blend(alphas[k], 1000);
		test_add_block(w, test_add_material(w, &def), vec_of(0, 0.06, 0),
		               vec_of(0.12, 0.12, 0.12));
		test_run_until(w, 5);
		const oz_stats before = stats_of(w);
		const uint64_t rest = test_rest_hash(w, 0, w->slots.count);
		test_run_until(w, 60);
		const oz_stats after = stats_of(w);
		expect_same_place(&before, &after, 0.2 * spacing);
		assert_true(test_rest_hash(w, 0, w->slots.count) == rest);
		assert_int_equal(w->slots.components, 1);
		oz_world_destroy(w);
	}
}

// ---- the time step -----------------------------------------------------------------------------

typedef struct track {
	double centre[10], width[10]; // m
} track;

static track follow(const oz_material_def *def, double time_step)
{
	oz_world_def world = oz_world_default();
	world.spacing = (float)SPACING;
	world.sound_speed = 20;
	world.time_step = (float)time_step;
	world.threads = 1;
	oz_world *w = test_world(&world);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.friction = 0.5f;
	test_add_collider(w, &floor);
	test_add_block(w, test_add_material(w, def), vec_of(0, 0.09, 0), vec_of(0.08, 0.08, 0.08));
	track t;
	for (int k = 0; k < 10; k++) {
		test_run_until(w, 0.1 * (k + 1));
		const oz_stats stats = stats_of(w);
		t.centre[k] = stats.centre[1];
		t.width[k] = (double)(stats.max.x - stats.min.x);
	}
	oz_world_destroy(w);
	return t;
}

// within 5 % of the edge, from one moment on
static void expect_near(const track *one, const track *other, int first)
{
	for (int k = first; k < 10; k++) {
		test_near(other->centre[k], one->centre[k], 0.05 * 0.08, "height of the centre");
		test_near(other->width[k], one->width[k], 0.05 * 0.08, "width");
	}
}

#define TIME_STEP 1.6e-4 // s

static void how_a_body_bounces_does_not_depend_on_the_time_step(void **state)
{
	(void)state;
	oz_material_def jelly = test_blend(0.5, 1000);
	jelly.damping = 0.3f;
	jelly.update_force = 1e6f;
	const track whole = follow(&jelly, TIME_STEP);
	for (uint32_t n = 2; n <= (test_is_long() ? 4u : 2u); n *= 2) {
		const track part = follow(&jelly, TIME_STEP / n);
		expect_near(&whole, &part, 0);
	}
}

// looks at the shape come at the same times
static void nor_does_the_shape_that_it_takes(void **state)
{
	(void)state;
	oz_material_def jelly = test_blend(0.5, 1000);
	const track whole = follow(&jelly, TIME_STEP);
	for (uint32_t n = 2; n <= (test_is_long() ? 4u : 2u); n *= 2) {
		jelly.update_steps = 50 * n;
		const track part = follow(&jelly, TIME_STEP / n);
		expect_near(&whole, &part, 8);
	}
}

// ---- α here and there, now and then ------------------------------------------------------------

static void a_block_may_be_soft_on_one_side(void **state)
{
	(void)state;
	oz_world *w = test_floor(SPACING, 20);
	const oz_material_def def = test_blend(0.5, 1000);
	const oz_shape box = test_box(vec_of(-0.1, 0, -0.04), vec_of(0.1, 0.08, 0.04));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	assert_int_equal(oz_shape_fill(&box, (float)SPACING, OZ_FILL_LATTICE, &points, &body.count,
	                               NULL),
	                 OZ_OK);
	float *alphas = malloc(sizeof *alphas * body.count);
	assert_non_null(alphas);
	for (uint32_t i = 0; i < body.count; i++)
		alphas[i] = points[i].x < 0 ? 0.0f : 1.0f;
	body.material = test_add_material(w, &def);
	body.points = points;
	body.alphas = alphas;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	test_run_until(w, 1);
	double hard = 0, soft = 0;
	test_particles now = test_particles_read(w);
	for (uint32_t i = 0; i < now.count; i++)
		if (points[i].x < -0.03f)
			hard = fmax(hard, now.at[i].x.y);
		else if (points[i].x > 0.03f)
			soft = fmax(soft, now.at[i].x.y);
	assert_true(hard > 0.065 && hard < 0.085);
	assert_true(soft < 0.04);
	test_particles_free(&now);
	oz_points_free(points);
	free(alphas);
	oz_world_destroy(w);
}

static void a_body_melts_when_alpha_goes_to_one(void **state)
{
	(void)state;
	static const oz_alpha_key keys[] = {{0, 0}, {0.4f, 0}, {1, 1}};
	oz_world *w = test_floor(SPACING, 20);
	oz_material_def def = test_blend(0.5, 1000);
	def.alpha_keys = keys;
	def.alpha_key_count = 3;
	test_add_block(w, test_add_material(w, &def), vec_of(0, 0.04, 0), vec_of(0.08, 0.08, 0.08));
	test_run_until(w, 0.4);
	test_near(test_height(w), 0.07, 0.005, "height before it melts");
	test_run_until(w, 2);
	assert_true(test_height(w) < 4 * SPACING);
	oz_world_destroy(w);
}

// ---- in water ----------------------------------------------------------------------------------

// a cube dropped on a pool
typedef struct float_state {
	double bottom, top, level; // m
} float_state;

static float_state put_in_water(double density)
{
	const double s = test_is_long() ? 0.02 : 0.03;
	oz_world_def world = oz_world_default();
	world.spacing = (float)s;
	world.sound_speed = 20;
	world.threads = 1;
	oz_world *w = test_world(&world);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(0.36, 1, 0.36));
	const oz_id water = test_add_liquid(w, 1000, 0.001f, 0.2f);
	const oz_shape pool = test_box(vec_of(0, 0, 0), vec_of(0.36, 0.3, 0.36));
	test_add_filled(w, water, &pool, OZ_FILL_LATTICE);
	oz_material_def def = test_blend(0, density);
	def.damping = 0.2f;
	def.update_force = 1e6f;
	test_add_block(w, test_add_material(w, &def), vec_of(0.18, 0.38, 0.18),
	               vec_of(0.12, 0.12, 0.12));
	test_run_until(w, 4);
	float_state f = {1, 0, 0};
	test_particles now = test_particles_read(w);
	for (uint32_t i = 0; i < now.count; i++)
		if (now.at[i].material == water) {
			f.level = fmax(f.level, now.at[i].x.y + 0.5 * s);
		} else {
			f.bottom = fmin(f.bottom, now.at[i].x.y - 0.5 * s);
			f.top = fmax(f.top, now.at[i].x.y + 0.5 * s);
		}
	test_particles_free(&now);
	oz_world_destroy(w);
	return f;
}

static void light_rubber_floats_and_heavy_rubber_sinks(void **state)
{
	(void)state;
	const float_state light = put_in_water(500), heavy = put_in_water(2000);
	test_near((light.level - light.bottom) / (light.top - light.bottom), 0.5, 0.15,
	          "share under water");
	// a layer of water may stay under it
	assert_true(heavy.bottom < 0.03);
	assert_true(heavy.top < heavy.level);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_more_fluid_a_cube_the_flatter_it_lands),
	        cmocka_unit_test(rubber_comes_back_to_its_shape),
	        cmocka_unit_test(a_body_at_rest_stays_for_a_minute),
	        cmocka_unit_test(how_a_body_bounces_does_not_depend_on_the_time_step),
	        cmocka_unit_test(nor_does_the_shape_that_it_takes),
	        cmocka_unit_test(a_block_may_be_soft_on_one_side),
	        cmocka_unit_test(a_body_melts_when_alpha_goes_to_one),
	        cmocka_unit_test(light_rubber_floats_and_heavy_rubber_sinks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
