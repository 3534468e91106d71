// test_blend_figures.c: a number for each figure of blended bodies that the documentation shows.
//
// The scenes are those of the pictures, with fewer particles: bars that hang, balls that fall into
// a pool, a cube under a plate, a row from rubber to juice, a ball on a dome.
#include "scene/scene.h"
#include "worlds.h"

#define SPACING 0.01 // m

static oz_material_def preset(const char *name)
{
	uint32_t count;
	const oz_preset *all = oz_presets(&count);
	for (uint32_t k = 0; k < count; k++)
		if (strcmp(all[k].name, name) == 0)
			return all[k].material;
	fail_msg("there is no preset named %s", name);
	return all[0].material;
}

static oz_collider_def box_at(vec min, vec max, double friction)
{
	oz_collider_def box = oz_collider_default(test_box(min, max));
	box.friction = (float)friction;
	return box;
}

// ---- figure 2: bars ----------------------------------------------------------------------------

// spacings
#define HELD  6 // length within the clamp
#define FREE  20
#define THICK 6

// a bar with one end between two blocks
static oz_world *clamped_bar(double cluster_radius)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)SPACING;
	def.sound_speed = 15;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_material_def rubber = test_blend(0, 1100);
	rubber.cluster_radius = (float)cluster_radius;
	rubber.response = 0.001f;
	rubber.update_force = 1e9f;
	rubber.damping = 0.5f;
	const double held = HELD * SPACING, thick = 0.5 * THICK * SPACING;
	const oz_shape bar =
	        test_box(vec_of(-held, -thick, -thick), vec_of(FREE * SPACING, thick, thick));
	test_add_thrown(w, test_add_material(w, &rubber), &bar, vec_of(0, 0, 0));
	oz_collider_def jaw = box_at(vec_of(-held, -0.3, -0.3), vec_of(0, -thick, 0.3), 1);
	test_add_collider(w, &jaw);
	jaw = box_at(vec_of(-held, thick, -0.3), vec_of(0, 0.3, 0.3), 1);
	test_add_collider(w, &jaw);
	return w;
}

// m, how far the last two layers lie below where they were
static double tip_sag(oz_world *w, const test_particles *then)
{
	test_particles now = test_particles_read(w);
	double sum = 0;
	uint32_t count = 0;
	assert_true(test_particles_finite(&now));
	for (uint32_t k = 0; k < now.count; k++)
		if (then->at[k].x.x > (FREE - 2) * SPACING) {
			sum += then->at[k].x.y - now.at[k].x.y;
			count++;
		}
	test_particles_free(&now);
	assert_int_equal(count, 2 * THICK * THICK);
	return sum / count;
}

// over a second, in which the softest bar swings twice and a half
static double mean_sag(double cluster_radius)
{
	oz_world *w = clamped_bar(cluster_radius);
	test_particles then = test_particles_read(w);
	const double begin = test_is_long() ? 1 : 0.25;
	double sum = 0;
	for (int k = 0; k < 40; k++) {
		test_run_until(w, begin + 0.025 * k);
		sum += tip_sag(w, &then) / 40;
	}
	test_particles_free(&then);
	oz_world_destroy(w);
	return sum;
}

static void a_bar_sags_less_the_farther_its_clusters_reach(void **state)
{
	(void)state;
	static const double radii[] = {3, 5, 8};
	// the farthest takes as long as both others
	const int count = test_is_long() ? 3 : 2;
	double sag[3];
	for (int k = 0; k < count; k++) {
		sag[k] = mean_sag(radii[k]);
		print_message("reach %g: the tip sags by %.4f m\n", radii[k], sag[k]);
	}
	assert_true(sag[count - 1] > 0);
	for (int k = 1; k < count; k++)
		assert_true(sag[k] < 0.9 * sag[k - 1]);
}

// spacings, from the middle of a cell
static float shaken(int at, uint64_t *random)
{
	return (float)((at + 0.5 + 0.4 * (test_random(random) - 0.5)) * SPACING);
}

// mean number of the others in a cluster of the paper's bar, 10 × 40 × 9
static double mean_members(double cluster_radius)
{
	oz_vec3 points[3600];
	uint64_t random = 1;
	for (int k = 0; k < 3600; k++)
		points[k] = (oz_vec3){shaken(k % 10, &random), shaken(k / 10 % 40, &random),
		                      shaken(k / 400, &random)};
	oz_world *w = test_space(SPACING, 15);
	oz_material_def rubber = test_blend(0, 1100);
	rubber.cluster_radius = (float)cluster_radius;
	test_add_points(w, test_add_material(w, &rubber), points, 3600, (oz_vec3){0, 0, 0});
	test_step(w);
	const float *share = test_look(w, w->slots.inverse_count, sizeof *share * w->slots.count);
	double sum = 0;
	for (uint32_t k = 0; k < w->slots.count; k++)
		sum += 1 / (double)share[k] - 1;
	oz_world_destroy(w);
	return sum / 3600;
}

// Takamatsu & Kanai's table 1; `ooze bench takamatsu` times the bar with these reaches
static void clusters_of_the_papers_bar_hold_what_the_paper_counts(void **state)
{
	(void)state;
	static const struct {
		double radius, members;
	} rows[] = {{2.71, 64.3}, {4.55, 256.5}, {7.30, 755.3}};
	for (int k = 0; k < 3; k++) {
		const double members = mean_members(rows[k].radius);
		print_message("reach %g: %.1f members\n", rows[k].radius, members);
		test_near(members, rows[k].members, 0.1 * rows[k].members, "members");
	}
}

// ---- figure 5d: balls into a pool --------------------------------------------------------------

#define POOL_SPACING 0.0125

// a pool, body 0, and four balls above it, all of custard
static oz_world *pool_and_balls(bool merges)
{
	static const double at[4][3] = {{-0.06, 0.14, 0.05},
	                                {0.05, 0.19, -0.06},
	                                {-0.05, 0.25, -0.06},
	                                {0.06, 0.31, 0.05}};
	oz_world_def def = oz_world_default();
	def.spacing = (float)POOL_SPACING;
	def.sound_speed = 22;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_material_def custard = preset("custard");
	custard.alpha = 0.9f;
	custard.merges = merges;
	const oz_id id = test_add_material(w, &custard);
	test_add_block(w, id, vec_of(0, 0.03125, 0), vec_of(0.25, 0.0625, 0.25));
	for (int k = 0; k < 4; k++) {
		oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.04f, 0, 0});
		ball.position = vec_narrow(vec_of(at[k][0], at[k][1], at[k][2]));
		test_add_thrown(w, id, &ball, vec_of(0, 0, 0));
	}
	oz_collider_def tank = box_at(vec_of(-0.125, 0, -0.125), vec_of(0.125, 0.6, 0.125), 0.3);
	tank.inside = true;
	test_add_collider(w, &tank);
	test_step(w);
	assert_int_equal(w->slots.components, 5);
	return w;
}

static void balls_of_custard_become_part_of_the_pool(void **state)
{
	(void)state;
	oz_world *w = pool_and_balls(true);
	test_run_until(w, test_is_long() ? 1 : 0.6);
	assert_int_equal(w->slots.components, 1);
	oz_world_destroy(w);
}

static void balls_that_do_not_merge_stay_four(void **state)
{
	(void)state;
	oz_world *w = pool_and_balls(false);
	test_run_until(w, test_is_long() ? 1 : 0.6);
	assert_int_equal(w->slots.components, 5);
	// the name of a component is a slot of the same body: no particle has changed its body
	const uint32_t n = w->slots.count;
	const uint *where = test_look(w, w->slots.particle_of_slot, sizeof *where * n);
	const uint *component = test_look(w, w->slots.component, sizeof *component * n);
	const uint *body =
	        test_look(w, w->sim.particles.body, sizeof *body * w->sim.particles.count);
	for (uint32_t k = 0; k < n; k++)
		assert_int_equal(body[where[k]], body[where[component[k]]]);
	oz_world_destroy(w);
}

// ---- the pressed cube --------------------------------------------------------------------------

typedef struct press {
	double least, after; // heights under the plate and at the end, share of the edge
} press;

// comes down to half the height of a cube, waits, and leaves
static void add_plate(oz_world *w, double edge)
{
	const float e = (float)edge;
	const oz_quat flat = {0, 0, 0, 1};
	const oz_keyframe path[] = {{0.1f, {0, 1.2f * e, 0}, flat},
	                            {0.5f, {0, 0.6f * e, 0}, flat},
	                            {0.6f, {0, 0.6f * e, 0}, flat},
	                            {0.75f, {0, 2 * e, 0}, flat}};
	oz_collider_def plate =
	        box_at(vec_of(-edge, -0.1 * edge, -edge), vec_of(edge, 0.1 * edge, edge), 0.5);
	plate.keyframes = path;
	plate.keyframe_count = sizeof path / sizeof *path;
	test_add_collider(w, &plate);
}

// a cube of 10 × 10 × 10 particles
static press press_cube(const oz_material_def *def, double edge, bool plate)
{
	const double spacing = edge / 10;
	oz_world *w = test_floor(spacing, 15);
	test_add_block(w, test_add_material(w, def), vec_of(0, 0.5 * edge, 0),
	               vec_of(edge, edge, edge));
	if (plate)
		add_plate(w, edge);
	press p;
	test_run_until(w, 0.59);
	p.least = (test_height(w) + spacing) / edge;
	test_run_until(w, 1.5);
	p.after = (test_height(w) + spacing) / edge;
	print_message("%s, %s: %.3f of its height, then %.3f\n", def->name,
	              plate ? "pressed" : "left alone", p.least, p.after);
	oz_world_destroy(w);
	return p;
}

static void a_cube_of_jelly_comes_back_from_the_press(void **state)
{
	(void)state;
	oz_material_def jelly = preset("jelly");
	// as soft as in the picture, whose spacing is 1 cm
	jelly.response *= 1.8f;
	const press p = press_cube(&jelly, 0.18, true);
	assert_true(p.least < 0.55);
	assert_true(p.after >= 0.9);
}

static void a_cube_of_toothpaste_stays_as_it_was_pressed(void **state)
{
	(void)state;
	const oz_material_def paste = preset("toothpaste");
	const press alone = press_cube(&paste, 0.1, false);
	assert_true(alone.after > 0.85);
	const press p = press_cube(&paste, 0.1, true);
	assert_true(p.least < 0.55);
	assert_true(p.after < 0.8);
}

// ---- the row of five ---------------------------------------------------------------------------

static void add_heights(oz_world *w, double scale, double height[5])
{
	test_particles now = test_particles_read(w);
	assert_true(test_particles_finite(&now));
	for (uint32_t k = 0; k < now.count; k++)
		height[now.at[k].body] += scale * now.at[k].x.y * 5 / now.count;
	test_particles_free(&now);
}

static void a_row_of_five_lies_the_lower_the_more_fluid_it_is(void **state)
{
	(void)state;
	static const double alphas[] = {0, 0.3, 0.7, 0.9, 1};
	const double edge = 0.08;
	double height[5] = {0};
	oz_world *w = test_floor(SPACING, 18);
	for (int k = 0; k < 5; k++) {
		const oz_material_def def = test_blend(alphas[k], 1000);
		test_add_block(w, test_add_material(w, &def), vec_of(2 * k, 0.05 + 0.5 * edge, 0),
		               vec_of(edge, edge, edge));
	}
	// rubber and jelly shake for a while
	const double begin = test_is_long() ? 1 : 0.5;
	for (int k = 0; k < 20; k++) {
		test_run_until(w, begin + 0.025 * k);
		add_heights(w, 0.05, height);
	}
	for (int k = 0; k < 5; k++)
		print_message("alpha %g: centre at %.5f m\n", alphas[k], height[k]);
	for (int k = 1; k < 5; k++)
		assert_true(height[k] < height[k - 1]);
	oz_world_destroy(w);
}

// ---- figure 5c: a ball on a dome ---------------------------------------------------------------

static oz_world *ball_over_dome(void)
{
	oz_world *w = test_floor(SPACING, 25);
	oz_material_def cream = preset("cream");
	cream.alpha = 0.85f;
	cream.viscosity = 0.2f;
	cream.update_force = 6; // the paper's
	cream.update_steps = 25;
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.06f, 0, 0});
	ball.position = (oz_vec3){0.02f, 0.32f, 0.01f};
	test_add_filled(w, test_add_material(w, &cream), &ball, OZ_FILL_BLUE_NOISE);
	const oz_collider_def dome =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_DOME, (oz_vec3){0.13f, 0, 0}));
	test_add_collider(w, &dome);
	return w;
}

// components that hold at least 2 % of all, so that a few drops do not count
static uint32_t count_pieces(const oz_world *w)
{
	const uint32_t n = w->slots.count;
	const uint *component = test_look(w, w->slots.component, sizeof *component * n);
	uint32_t *size = calloc(n, sizeof *size), pieces = 0;
	assert_non_null(size);
	for (uint32_t k = 0; k < n; k++)
		pieces += ++size[component[k]] == n / 50;
	free(size);
	return pieces;
}

static void a_ball_of_cream_tears_on_a_dome(void **state)
{
	(void)state;
	oz_world *w = ball_over_dome();
	test_run_until(w, 0.1);
	assert_int_equal(w->slots.components, 1);
	uint32_t components = 1, pieces = 1;
	for (int k = 1; k <= 30; k++) {
		test_run_until(w, 0.1 + 0.02 * k);
		const uint32_t now = count_pieces(w);
		pieces = now > pieces ? now : pieces;
		components = w->slots.components > components ? w->slots.components : components;
	}
	print_message("one component became up to %u, and up to %u large ones\n", components,
	              pieces);
	assert_true(pieces >= 2);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_bar_sags_less_the_farther_its_clusters_reach),
	        cmocka_unit_test(clusters_of_the_papers_bar_hold_what_the_paper_counts),
	        cmocka_unit_test(balls_of_custard_become_part_of_the_pool),
	        cmocka_unit_test(balls_that_do_not_merge_stay_four),
	        cmocka_unit_test(a_cube_of_jelly_comes_back_from_the_press),
	        cmocka_unit_test(a_cube_of_toothpaste_stays_as_it_was_pressed),
	        cmocka_unit_test(a_row_of_five_lies_the_lower_the_more_fluid_it_is),
	        cmocka_unit_test(a_ball_of_cream_tears_on_a_dome),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
