// test_light.c: light in pictures behaves as light does, and looks stay as they are.
//
// It is held against what is known without a picture: in a furnace, where as much comes from
// everywhere, a white thing cannot be told from the wall; what a slab swallows; where shadows fall.
// The looks themselves are held against small pictures in tests/reference, which
// OZ_WRITE_REFERENCES=1 writes anew.

#ifdef OZ_HAVE_PNG
#include <png.h>
#endif

#include "pictures.h"

// Mean of the green light within `radius` pixels of where a point is seen, and the largest
// difference from `wanted` there.
static double mean_around(const oz_vec3 *light, const oz_camera *camera, oz_vec3 point,
                          float radius, double wanted, double *worst)
{
	const oz_vec3 at = oz_camera_project(camera, point);
	double sum = 0;
	uint32_t count = 0;
	*worst = 0;
	for (uint32_t k = 0; k < WIDTH * HEIGHT; k++) {
		const float dx = (float)(k % WIDTH) + 0.5f - at.x,
		            dy = (float)(k / WIDTH) + 0.5f - at.y;
		if (dx * dx + dy * dy > radius * radius)
			continue;
		*worst = fmax(*worst, fabs((double)light[k].y - wanted));
		sum += (double)light[k].y;
		count++;
	}
	return sum / count;
}

static void assert_in_furnace(oz_appearance appearance, double wanted, double mean_limit,
                              double pixel_limit)
{
	const oz_vec3 centre = {0, 0.5f, 0};
	round_mesh *ball = test_round_mesh(centre, 0, 0.3f);
	const oz_drawn_mesh skin = {.mesh = ball->mesh, .appearance = appearance};
	oz_painting painting = test_furnace();
	painting.skins = &skin;
	painting.skin_count = 1;
	const float seen =
	        painting.camera.scale * 0.3f / oz_camera_project(&painting.camera, centre).z;
	oz_vec3 *light = test_light_of(&painting);
	double worst;
	const double mean =
	        mean_around(light, &painting.camera, centre, 0.9f * seen, wanted, &worst);
	if (!(fabs(mean / wanted - 1) < mean_limit && worst < pixel_limit * wanted))
		fail_msg("look %d: mean %g, worst %g off, where %g is right", (int)appearance.look,
		         mean, worst, wanted);
	free(light);
	free(ball);
}

static void a_white_ball_vanishes_in_a_white_furnace(void **state)
{
	(void)state;
	assert_in_furnace((oz_appearance){OZ_LOOK_MATTE, {1, 1, 1}, 0}, 1, 0.01, 0.01);
	assert_in_furnace((oz_appearance){OZ_LOOK_MATTE, {0.5f, 0.5f, 0.5f}, 0}, 0.5, 0.01, 0.01);
	assert_in_furnace((oz_appearance){OZ_LOOK_PLASTIC, {1, 1, 1}, 0}, 1, 0.01, 0.05);
}

static void clear_things_vanish_in_a_white_furnace(void **state)
{
	(void)state;
	assert_in_furnace((oz_appearance){OZ_LOOK_LIQUID, {1, 1, 1}, 0.1f}, 1, 0.01, 0.02);
	assert_in_furnace((oz_appearance){OZ_LOOK_JELLY, {1, 1, 1}, 0.1f}, 1, 0.02, 0.05);
}

static double normal_fresnel(double ior)
{
	return (ior - 1) * (ior - 1) / ((ior + 1) * (ior + 1));
}

// what leaves the front of a slab: R + (1 - R)² τ / (1 - R τ), all inner reflections summed
static void a_slab_swallows_light_by_its_depth(void **state)
{
	(void)state;
	const float depths[] = {0.1f, 0.2f, 0.8f};
	const double thick = 0.2, share[3] = {0.25, 0.5, 0.9};
	for (size_t k = 0; k < sizeof depths / sizeof depths[0]; k++) {
		oz_vec3 corners[8];
		const oz_drawn_mesh slab = {.mesh = test_box_mesh(corners, (oz_vec3){-2, -2, -0.1f},
		                                                  (oz_vec3){2, 2, 0.1f}),
		                            .appearance = {OZ_LOOK_LIQUID,
		                                           {0.25f, 0.5f, 0.9f},
		                                           depths[k]}};
		oz_painting painting = test_furnace();
		painting.skins = &slab;
		painting.skin_count = 1;
		painting.camera =
		        oz_camera_look((oz_vec3){0, 0, 3}, (oz_vec3){0, 0, 0}, 2, WIDTH, HEIGHT);
		oz_vec3 *light = test_light_of(&painting);
		double mean[3] = {0};
		for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
			mean[0] += (double)light[i].x / (WIDTH * HEIGHT);
			mean[1] += (double)light[i].y / (WIDTH * HEIGHT);
			mean[2] += (double)light[i].z / (WIDTH * HEIGHT);
		}
		for (int c = 0; c < 3; c++) {
			const double r = normal_fresnel(1.33);
			const double tau = pow(share[c], thick / (double)depths[k]);
			const double wanted = r + (1 - r) * (1 - r) * tau / (1 - r * tau);
			if (fabs(mean[c] / wanted - 1) > 0.01)
				fail_msg("depth %g: %g of white is left, not %g", (double)depths[k],
				         mean[c], wanted);
		}
		free(light);
	}
}

// How far from the middle of a ball's shadow it is half as dark, and over how many metres the shade
// fades from 80 % to 20 %.
static void measure_shadow(float sun_radius, double *half, double *soft)
{
	const oz_grain test_particle = {.position = {0, 0.6f, 0}};
	const oz_vec3 grey = {0.5f, 0.5f, 0.5f};
	oz_painting painting = test_painting();
	painting.light = (oz_light){.sun = {3, 3, 3}, .sun_radius = sun_radius};
	painting.light.sun_direction = (oz_vec3){0.6f, 0.8f, 0};
	painting.grains = &test_particle;
	painting.colours = &grey;
	painting.count = 1;
	painting.radius = 0.2f;
	painting.samples = 64;
	painting.camera =
	        oz_camera_look((oz_vec3){-0.45f, 3, 0}, (oz_vec3){-0.45f, 0, 0}, 24, WIDTH, HEIGHT);
	oz_vec3 *light = test_light_of(&painting);
	const float open = test_light_at(light, &painting.camera, (oz_vec3){-0.45f, 0, 0.55f}).y;
	double ends[3] = {0};
	// across the sun's way, from the middle of the shadow outwards
	for (int k = 0; k < 3; k++)
		for (float z = 0; z < 0.5f && ends[k] == 0; z += 0.002f) {
			const oz_vec3 at = {-0.6f * 0.6f / 0.8f, 0, z};
			if (test_light_at(light, &painting.camera, at).y >
			    open * (0.2f + 0.3f * (float)k))
				ends[k] = (double)z;
		}
	*half = ends[1];
	*soft = ends[2] - ends[0];
	free(light);
}

static void a_shadow_lies_where_the_light_is_blocked_and_is_soft(void **state)
{
	(void)state;
	double half, soft, small_half, small_soft;
	measure_shadow(0.01f, &small_half, &small_soft);
	measure_shadow(0.12f, &half, &soft);
	// the ball's rim is 0.2 m aside, and the ground 0.75 m behind it
	assert_true(fabs(small_half - 0.2) < 0.02);
	assert_true(fabs(half - 0.2) < 0.035);
	assert_true(soft > 0.05 && soft < 0.2);
	assert_true(small_soft < 0.04);
}

static void a_clear_ball_turns_the_world_upside_down(void **state)
{
	(void)state;
	const oz_vec3 centre = {0, 0.5f, 0};
	round_mesh *ball = test_round_mesh(centre, 0, 0.3f);
	const oz_drawn_mesh skin = {.mesh = ball->mesh,
	                            .appearance = {OZ_LOOK_LIQUID, {1, 1, 1}, 1}};
	oz_painting painting = test_furnace();
	painting.light.horizon = (oz_vec3){0, 0, 0};
	painting.camera = oz_camera_look((oz_vec3){0, 0.5f, 3}, centre, 24, WIDTH, HEIGHT);
	const oz_vec3 up = {0, 0.62f, 0}, down = {0, 0.38f, 0};
	oz_vec3 *plain = test_light_of(&painting);
	painting.skins = &skin;
	painting.skin_count = 1;
	oz_vec3 *turned = test_light_of(&painting);
	assert_true(test_light_at(plain, &painting.camera, up).y >
	            test_light_at(plain, &painting.camera, down).y + 0.02f);
	assert_true(test_light_at(turned, &painting.camera, down).y >
	            test_light_at(turned, &painting.camera, up).y + 0.1f);
	free(plain);
	free(turned);
	free(ball);
}

// One of each look on a table with a rod.
typedef struct still_life {
	round_mesh *round[3];
	oz_vec3 corners[8];
	oz_drawn_mesh skins[4];
	oz_collider_view colliders[2];
} still_life;

static oz_painting arrange(still_life *s)
{
	oz_painting painting = test_painting();
	s->round[0] = test_round_mesh((oz_vec3){-0.3f, 0.2f, 0}, 0, 0.2f);
	s->round[1] = test_round_mesh((oz_vec3){0.05f, 0.07f, 0.35f}, 0.18f, 0.07f);
	s->round[2] = test_round_mesh((oz_vec3){0.1f, 0.16f, -0.3f}, 0, 0.16f);
	s->skins[0] =
	        (oz_drawn_mesh){s->round[0]->mesh, {OZ_LOOK_LIQUID, {0.2f, 0.5f, 0.8f}, 0.4f}};
	s->skins[1] =
	        (oz_drawn_mesh){s->round[1]->mesh, {OZ_LOOK_LIQUID, {0.9f, 0.4f, 0.02f}, 0.1f}};
	s->skins[2] = (oz_drawn_mesh){s->round[2]->mesh, {OZ_LOOK_PLASTIC, {0.1f, 0.5f, 0.2f}, 0}};
	s->skins[3] = (oz_drawn_mesh){test_box_mesh(s->corners, (oz_vec3){0.2f, 0, -0.1f},
	                                            (oz_vec3){0.5f, 0.3f, 0.2f}),
	                              {OZ_LOOK_JELLY, {0.9f, 0.1f, 0.06f}, 0.1f}};
	s->colliders[0] =
	        (oz_collider_view){.shape = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 1, 1}),
	                           .vessel = true};
	s->colliders[1] = (oz_collider_view){
	        .shape = oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){0.06f, 0.6f, 0})};
	s->colliders[0].shape.position.y = 0.5f;
	s->colliders[1].shape.position = (oz_vec3){-0.3f, 0.3f, -0.35f};
	painting.skins = s->skins;
	painting.skin_count = 4;
	painting.colliders = s->colliders;
	painting.collider_count = 2;
	return painting;
}

static void tidy(still_life *s)
{
	for (int k = 0; k < 3; k++)
		free(s->round[k]);
}

static void every_number_of_threads_draws_the_same_looks(void **state)
{
	(void)state;
	still_life life;
	oz_painting painting = arrange(&life);
	painting.samples = 3;
	oz_picture one = test_paint(&painting, 1);
	for (uint32_t threads = 2; threads <= 3; threads++) {
		oz_picture more = test_paint(&painting, threads);
		test_same_picture(&one, &more);
		oz_picture_free(&more);
	}
	oz_picture_free(&one);
	tidy(&life);
}

// edges included; flat parts are far below
static void little_noise_is_left_by_default(void **state)
{
	(void)state;
	still_life life;
	oz_painting painting = arrange(&life);
	oz_picture quick = test_paint(&painting, 0);
	painting.samples = 256;
	oz_picture slow = test_paint(&painting, 0);
	double squares = 0;
	for (uint32_t k = 0; k < 3 * WIDTH * HEIGHT; k++)
		squares += pow((double)quick.pixels[k] - slow.pixels[k], 2);
	const double rms = sqrt(squares / (3.0 * WIDTH * HEIGHT));
	print_message("noise: %.2f of 255\n", rms);
	assert_true(rms < 3);
	oz_picture_free(&quick);
	oz_picture_free(&slow);
	tidy(&life);
}

// ---- looks ------------------------------------------------------------------------------------

#ifdef OZ_HAVE_PNG

static oz_picture read_picture(const char *path)
{
	oz_picture picture = {0};
	png_image image = {.version = PNG_IMAGE_VERSION};
	if (!png_image_begin_read_from_file(&image, path))
		fail_msg("%s cannot be read: %s; write it with OZ_WRITE_REFERENCES=1", path,
		         image.message);
	image.format = PNG_FORMAT_RGB;
	assert_int_equal(oz_picture_create(image.width, image.height, &picture, NULL), OZ_OK);
	assert_true(png_image_finish_read(&image, NULL, picture.pixels, 0, NULL));
	return picture;
}

static double lab_curve(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

// CIELAB of the mean of 3 × 3 pixels, since nobody sees single ones
static void lab_at(const oz_picture *p, uint32_t x, uint32_t y, double lab[3])
{
	double sum[3] = {0};
	for (uint32_t k = 0; k < 9; k++) {
		const uint8_t *c =
		        p->pixels + 3 * ((size_t)(y + k / 3 - 1) * p->width + x + k % 3 - 1);
		const oz_vec3 l = oz_colour_linear((
		        oz_vec3){(float)c[0] / 255.0f, (float)c[1] / 255.0f, (float)c[2] / 255.0f});
		sum[0] += (double)l.x / 9;
		sum[1] += (double)l.y / 9;
		sum[2] += (double)l.z / 9;
	}
	const double fx = lab_curve((0.4124 * sum[0] + 0.3576 * sum[1] + 0.1805 * sum[2]) / 0.9505);
	const double fy = lab_curve(0.2126 * sum[0] + 0.7152 * sum[1] + 0.0722 * sum[2]);
	const double fz = lab_curve((0.0193 * sum[0] + 0.1192 * sum[1] + 0.9505 * sum[2]) / 1.089);
	lab[0] = 116 * fy - 16;
	lab[1] = 500 * (fx - fy);
	lab[2] = 200 * (fy - fz);
}

// Mean difference as people see it: 1 is what one just notices side by side.
static double difference(const oz_picture *a, const oz_picture *b)
{
	double sum = 0;
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	for (uint32_t y = 1; y + 1 < a->height; y++)
		for (uint32_t x = 1; x + 1 < a->width; x++) {
			double p[3], q[3];
			lab_at(a, x, y, p);
			lab_at(b, x, y, q);
			sum += sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) +
			            pow(p[2] - q[2], 2));
		}
	return sum / ((a->width - 2) * (a->height - 2));
}

static void assert_looks_like(const oz_painting *painting, const char *name)
{
	char path[600], here[100];
	snprintf(path, sizeof path, "%s/%s.png", test_source("tests/reference"), name);
	snprintf(here, sizeof here, "%s.png", name);
	oz_picture drawn = test_paint(painting, 0);
	if (getenv("OZ_WRITE_REFERENCES"))
		assert_int_equal(oz_picture_write(&drawn, path, NULL), OZ_OK);
	assert_int_equal(oz_picture_write(&drawn, here, NULL), OZ_OK);
	oz_picture wanted = read_picture(path);
	const double seen = difference(&drawn, &wanted);
	if (seen > 0.5)
		fail_msg("%s differs by %.2f from %s; look at both", here, seen, path);
	oz_picture_free(&drawn);
	oz_picture_free(&wanted);
}

#endif

static void looks_are_as_they_were(void **state)
{
	(void)state;
#ifdef OZ_HAVE_PNG
	still_life life;
	oz_painting painting = arrange(&life);
	painting.samples = 32;
	assert_looks_like(&painting, "still_life");
	oz_vec3 *colours = malloc(sizeof *colours * life.round[0]->mesh.vertex_count);
	for (uint32_t v = 0; v < life.round[0]->mesh.vertex_count; v++)
		colours[v] = oz_colour_map(2.5f * life.round[0]->position[v].y);
	life.skins[0].mesh.colour = colours;
	painting.skin_count = 1;
	oz_grain test_particles[64];
	oz_vec3 greens[64];
	for (int k = 0; k < 64; k++) {
		test_particles[k].position =
		        (oz_vec3){0.1f + 0.1f * (float)(k % 4), 0.05f + 0.1f * (float)(k / 16),
		                  0.1f * (float)(k / 4 % 4)};
		greens[k] = oz_colour_number((uint32_t)k / 16);
	}
	painting.grains = test_particles;
	painting.colours = greens;
	painting.count = 64;
	painting.radius = 0.055f;
	assert_looks_like(&painting, "balls");
	// and one that is seen to differ, so that the limit is known to mean something
	painting.light.sun.x *= 1.2f;
	oz_picture warm = test_paint(&painting, 0);
	oz_picture plain = read_picture(test_source("tests/reference/balls.png"));
	assert_true(difference(&warm, &plain) > 0.5);
	oz_picture_free(&warm);
	oz_picture_free(&plain);
	free(colours);
	tidy(&life);
#else
	skip();
#endif
}

// white paper in the sun is white, and its shade is not black
static void the_exposure_fits_a_white_ball(void **state)
{
	(void)state;
	round_mesh *ball = test_round_mesh((oz_vec3){0, 0.3f, 0}, 0, 0.3f);
	const oz_drawn_mesh skin = {ball->mesh, {OZ_LOOK_MATTE, {0.9f, 0.9f, 0.9f}, 0}};
	oz_painting painting = test_painting();
	painting.skins = &skin;
	painting.skin_count = 1;
	oz_picture picture = test_paint(&painting, 0);
	uint8_t least = 255, most = 0;
	for (uint32_t k = 0; k < 3 * WIDTH * HEIGHT; k++) {
		least = picture.pixels[k] < least ? picture.pixels[k] : least;
		most = picture.pixels[k] > most ? picture.pixels[k] : most;
	}
	assert_true(most > 220 && most < 250);
	assert_true(least > 20);
	oz_picture_free(&picture);
	free(ball);
}

static void names_tell_looks(void **state)
{
	(void)state;
	const oz_finish open = {OZ_LOOK_AUTO, {-1, -1, -1}, 0};
	assert_int_equal(oz_appearance_of(&open, "water", 0, 1).look, OZ_LOOK_LIQUID);
	assert_int_equal(oz_appearance_of(&open, "sugar syrup", 0, 1).look, OZ_LOOK_LIQUID);
	assert_int_equal(oz_appearance_of(&open, "milk", 0, 1).look, OZ_LOOK_PLASTIC);
	assert_int_equal(oz_appearance_of(&open, "gelatin", 0, 1).look, OZ_LOOK_JELLY);
	assert_int_equal(oz_appearance_of(&open, "spirit", 3, 1).look, OZ_LOOK_LIQUID);
	assert_int_equal(oz_appearance_of(&open, NULL, 0, 1).look, OZ_LOOK_LIQUID);
	assert_true(oz_appearance_of(&open, "water", 0, 2).depth ==
	            2 * oz_appearance_of(&open, "water", 0, 1).depth);
	// what looks like milk has its colour too
	const oz_vec3 milk = oz_appearance_of(&open, "milk", 0, 1).colour,
	              oat = oz_appearance_of(&open, "oat milk", 5, 1).colour;
	assert_true(milk.x == oat.x && milk.y == oat.y && milk.z == oat.z);
	const oz_finish set = {OZ_LOOK_MATTE, {1, 0, 0}, 0.3f};
	const oz_appearance appearance = oz_appearance_of(&set, "water", 0, 1);
	assert_int_equal(appearance.look, OZ_LOOK_MATTE);
	assert_true(appearance.colour.x == 1 && appearance.colour.y == 0 &&
	            appearance.depth == 0.3f);
}

// where liquids overlap the first is there: a dark one inside it changes nothing
static void liquids_that_overlap_are_one(void **state)
{
	(void)state;
	oz_vec3 outer[8], inner[8];
	const oz_appearance appearance = {OZ_LOOK_LIQUID, {0.25f, 0.5f, 0.9f}, 0.2f};
	const oz_appearance dark = {OZ_LOOK_LIQUID, {0.01f, 0.01f, 0.01f}, 0.05f};
	const oz_drawn_mesh skins[2] =
	        {{test_box_mesh(outer, (oz_vec3){-2, -2, -0.1f}, (oz_vec3){2, 2, 0.1f}),
	          appearance},
	         {test_box_mesh(inner, (oz_vec3){-1, -1, -0.1f}, (oz_vec3){1, 1, 0.05f}), dark}};
	oz_painting painting = test_furnace();
	painting.skins = skins;
	painting.camera = oz_camera_look((oz_vec3){0, 0, 3}, (oz_vec3){0, 0, 0}, 2, WIDTH, HEIGHT);
	double mean[2], worst;
	for (uint32_t k = 0; k < 2; k++) {
		painting.skin_count = k + 1;
		oz_vec3 *light = test_light_of(&painting);
		mean[k] = mean_around(light, &painting.camera, (oz_vec3){0, 0, 0}, 40, 0, &worst);
		free(light);
	}
	assert_true(mean[0] > 0.4 && mean[0] < 0.6);
	assert_true(fabs(mean[1] / mean[0] - 1) < 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_number_of_threads_draws_the_same_looks),
	        cmocka_unit_test(little_noise_is_left_by_default),
	        cmocka_unit_test(a_white_ball_vanishes_in_a_white_furnace),
	        cmocka_unit_test(clear_things_vanish_in_a_white_furnace),
	        cmocka_unit_test(a_slab_swallows_light_by_its_depth),
	        cmocka_unit_test(a_shadow_lies_where_the_light_is_blocked_and_is_soft),
	        cmocka_unit_test(a_clear_ball_turns_the_world_upside_down),
	        cmocka_unit_test(looks_are_as_they_were),
	        cmocka_unit_test(the_exposure_fits_a_white_ball),
	        cmocka_unit_test(names_tell_looks),
	        cmocka_unit_test(liquids_that_overlap_are_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
