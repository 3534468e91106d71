// test_render.c: pictures show what is there, light behaves as light does, and damaged frames are
// told by name.
//
// Light is held against what is known without a picture: in a furnace, where as much comes from
// everywhere, a white thing cannot be told from the wall; what a slab swallows; where shadows fall.
// The looks themselves are held against small pictures in tests/reference, which
// OZ_WRITE_REFERENCES=1 writes anew.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef OZ_HAVE_PNG
#include <png.h>
#endif

#include "export/export.h"
#include "render/render.h"
#include "support.h"

#define WIDTH  160u
#define HEIGHT 120u

static const oz_box unit_box = {{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}};

// ---- things -----------------------------------------------------------------------------------

static oz_painting empty_painting(void)
{
	oz_painting painting = oz_painting_default(&unit_box, WIDTH, HEIGHT);
	painting.radius = 0.06f;
	return painting;
}

// The same light from everywhere, and nothing else.
static oz_painting furnace(void)
{
	oz_painting painting = empty_painting();
	painting.light = (oz_light){.horizon = {1, 1, 1}, .zenith = {1, 1, 1}};
	painting.light.sun_way = (oz_vec3){0, 1, 0};
	painting.ground = NAN;
	painting.samples = 64;
	return painting;
}

#define RINGS 48u

// A ball or (tube > 0) a ring about y, as a mesh with normals.
typedef struct round_mesh {
	oz_vec3 position[(RINGS + 1) * (2 * RINGS + 1)], normal[(RINGS + 1) * (2 * RINGS + 1)];
	uint32_t triangles[4 * RINGS * RINGS][3];
	oz_surface_mesh mesh;
} round_mesh;

static void round_vertex(round_mesh *m, uint32_t at, oz_vec3 centre, float ring, float radius,
                         float down, float turn)
{
	const oz_vec3 n = {sinf(down) * cosf(turn), cosf(down), sinf(down) * sinf(turn)};
	m->normal[at] = n;
	m->position[at] =
	        (oz_vec3){centre.x + ring * cosf(turn) + radius * n.x, centre.y + radius * n.y,
	                  centre.z + ring * sinf(turn) + radius * n.z};
}

static oz_surface_mesh *make_round(round_mesh *m, oz_vec3 centre, float ring, float radius)
{
	const float pi = 3.14159265f;
	uint32_t count = 0;
	for (uint32_t k = 0; k <= 2 * RINGS; k++)
		for (uint32_t i = 0; i <= RINGS; i++) {
			const uint32_t v = k * (RINGS + 1) + i;
			// what is met twice is the same, so that no gap is left
			const float turn = pi * (float)(k % (2 * RINGS)) / RINGS;
			const float full = ring > 0 ? 2 * pi : pi;
			const float down = full * (float)(ring > 0 ? i % RINGS : i) / RINGS;
			round_vertex(m, v, centre, ring, radius, down, turn);
			if (k == 2 * RINGS || i == RINGS)
				continue;
			const uint32_t faces[2][3] = {{v, v + RINGS + 1, v + 1},
			                              {v + 1, v + RINGS + 1, v + RINGS + 2}};
			memcpy(m->triangles[count], faces, sizeof faces);
			count += 2;
		}
	m->mesh = (oz_surface_mesh){.vertex_count = (RINGS + 1) * (2 * RINGS + 1),
	                            .triangle_count = count,
	                            .position = m->position,
	                            .normal = m->normal,
	                            .triangles = (const uint32_t(*)[3])m->triangles};
	return &m->mesh;
}

static round_mesh *new_round(oz_vec3 centre, float ring, float radius)
{
	round_mesh *m = malloc(sizeof *m);
	assert_non_null(m);
	make_round(m, centre, ring, radius);
	return m;
}

// A box from a to b with flat faces.
static oz_surface_mesh box_mesh(oz_vec3 position[8], oz_vec3 a, oz_vec3 b)
{
	static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
	                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
	                                      {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
	for (int k = 0; k < 8; k++)
		position[k] = (oz_vec3){k & 1 ? b.x : a.x, k & 2 ? b.y : a.y, k & 4 ? b.z : a.z};
	return (oz_surface_mesh){.vertex_count = 8,
	                         .triangle_count = 12,
	                         .position = position,
	                         .triangles = faces};
}

// ---- painting ---------------------------------------------------------------------------------

static void trace(const oz_painting *painting, uint32_t threads, oz_picture *picture,
                  oz_vec3 *light)
{
	oz_error error = {OZ_OK, ""};
	oz_tracer *tracer = NULL;
#ifndef OZ_HAVE_EMBREE
	assert_int_equal(oz_tracer_create(WIDTH, HEIGHT, threads, &tracer, &error),
	                 OZ_ERROR_UNAVAILABLE);
	assert_non_null(strstr(error.text, "install Embree"));
	skip();
#endif
	assert_int_equal(oz_tracer_create(WIDTH, HEIGHT, threads, &tracer, &error), OZ_OK);
	assert_int_equal(oz_picture_create(WIDTH, HEIGHT, picture, &error), OZ_OK);
	if (oz_tracer_draw(tracer, painting, picture, &error) != OZ_OK)
		fail_msg("%s", error.text);
	if (light)
		memcpy(light, oz_tracer_light(tracer), sizeof *light * WIDTH * HEIGHT);
	oz_tracer_destroy(tracer);
}

static oz_picture paint(const oz_painting *painting, uint32_t threads)
{
	oz_picture picture;
	trace(painting, threads, &picture, NULL);
	return picture;
}

// The light of a painting, to be freed with free().
static oz_vec3 *light_of(const oz_painting *painting)
{
	oz_picture picture;
	oz_vec3 *light = malloc(sizeof *light * WIDTH * HEIGHT);
	assert_non_null(light);
	trace(painting, 0, &picture, light);
	oz_picture_free(&picture);
	return light;
}

static oz_vec3 light_at(const oz_vec3 *light, const oz_camera *camera, oz_vec3 point)
{
	const oz_vec3 at = oz_camera_see(camera, point);
	assert_true(at.x >= 0 && at.y >= 0 && at.x < WIDTH && at.y < HEIGHT);
	return light[(uint32_t)at.y * WIDTH + (uint32_t)at.x];
}

// Mean of the green light within `radius` pixels of where a point is seen, and the largest
// difference from `wanted` there.
static double mean_around(const oz_vec3 *light, const oz_camera *camera, oz_vec3 point,
                          float radius, double wanted, double *worst)
{
	const oz_vec3 at = oz_camera_see(camera, point);
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

static void assert_in_furnace(oz_coat coat, double wanted, double mean_limit, double pixel_limit)
{
	const oz_vec3 centre = {0, 0.5f, 0};
	round_mesh *ball = new_round(centre, 0, 0.3f);
	const oz_skin skin = {.mesh = ball->mesh, .coat = coat};
	oz_painting painting = furnace();
	painting.skins = &skin;
	painting.skin_count = 1;
	const float seen = painting.camera.scale * 0.3f / oz_camera_see(&painting.camera, centre).z;
	oz_vec3 *light = light_of(&painting);
	double worst;
	const double mean =
	        mean_around(light, &painting.camera, centre, 0.9f * seen, wanted, &worst);
	if (!(fabs(mean / wanted - 1) < mean_limit && worst < pixel_limit * wanted))
		fail_msg("look %d: mean %g, worst %g off, where %g is right", (int)coat.look, mean,
		         worst, wanted);
	free(light);
	free(ball);
}

static void a_white_ball_vanishes_in_a_white_furnace(void **state)
{
	(void)state;
	assert_in_furnace((oz_coat){OZ_LOOK_MATTE, {1, 1, 1}, 0}, 1, 0.01, 0.01);
	assert_in_furnace((oz_coat){OZ_LOOK_MATTE, {0.5f, 0.5f, 0.5f}, 0}, 0.5, 0.01, 0.01);
	assert_in_furnace((oz_coat){OZ_LOOK_PLASTIC, {1, 1, 1}, 0}, 1, 0.01, 0.05);
}

static void clear_things_vanish_in_a_white_furnace(void **state)
{
	(void)state;
	assert_in_furnace((oz_coat){OZ_LOOK_LIQUID, {1, 1, 1}, 0.1f}, 1, 0.01, 0.02);
	assert_in_furnace((oz_coat){OZ_LOOK_JELLY, {1, 1, 1}, 0.1f}, 1, 0.02, 0.05);
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
		const oz_skin slab = {.mesh = box_mesh(corners, (oz_vec3){-2, -2, -0.1f},
		                                       (oz_vec3){2, 2, 0.1f}),
		                      .coat = {OZ_LOOK_LIQUID, {0.25f, 0.5f, 0.9f}, depths[k]}};
		oz_painting painting = furnace();
		painting.skins = &slab;
		painting.skin_count = 1;
		painting.camera =
		        oz_camera_look((oz_vec3){0, 0, 3}, (oz_vec3){0, 0, 0}, 2, WIDTH, HEIGHT);
		oz_vec3 *light = light_of(&painting);
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
	const oz_grain grain = {.position = {0, 0.6f, 0}};
	const oz_vec3 grey = {0.5f, 0.5f, 0.5f};
	oz_painting painting = empty_painting();
	painting.light = (oz_light){.sun = {3, 3, 3}, .sun_radius = sun_radius};
	painting.light.sun_way = (oz_vec3){0.6f, 0.8f, 0};
	painting.grains = &grain;
	painting.colours = &grey;
	painting.count = 1;
	painting.radius = 0.2f;
	painting.samples = 64;
	painting.camera =
	        oz_camera_look((oz_vec3){-0.45f, 3, 0}, (oz_vec3){-0.45f, 0, 0}, 24, WIDTH, HEIGHT);
	oz_vec3 *light = light_of(&painting);
	const float open = light_at(light, &painting.camera, (oz_vec3){-0.45f, 0, 0.55f}).y;
	double ends[3] = {0};
	// across the sun's way, from the middle of the shadow outwards
	for (int k = 0; k < 3; k++)
		for (float z = 0; z < 0.5f && ends[k] == 0; z += 0.002f) {
			const oz_vec3 at = {-0.6f * 0.6f / 0.8f, 0, z};
			if (light_at(light, &painting.camera, at).y >
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
	round_mesh *ball = new_round(centre, 0, 0.3f);
	const oz_skin skin = {.mesh = ball->mesh, .coat = {OZ_LOOK_LIQUID, {1, 1, 1}, 1}};
	oz_painting painting = furnace();
	painting.light.horizon = (oz_vec3){0, 0, 0};
	painting.camera = oz_camera_look((oz_vec3){0, 0.5f, 3}, centre, 24, WIDTH, HEIGHT);
	const oz_vec3 up = {0, 0.62f, 0}, down = {0, 0.38f, 0};
	oz_vec3 *plain = light_of(&painting);
	painting.skins = &skin;
	painting.skin_count = 1;
	oz_vec3 *turned = light_of(&painting);
	assert_true(light_at(plain, &painting.camera, up).y >
	            light_at(plain, &painting.camera, down).y + 0.02f);
	assert_true(light_at(turned, &painting.camera, down).y >
	            light_at(turned, &painting.camera, up).y + 0.1f);
	free(plain);
	free(turned);
	free(ball);
}

// ---- where things are -------------------------------------------------------------------------

static void assert_same_picture(const oz_picture *a, const oz_picture *b)
{
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	assert_memory_equal(a->pixels, b->pixels, (size_t)a->width * a->height * 3);
}

// Mean place and number of the pixels that are red as nothing else is.
static uint32_t find_red(const oz_picture *picture, double *x, double *y)
{
	uint32_t count = 0;
	*x = *y = 0;
	for (uint32_t k = 0; k < picture->width * picture->height; k++) {
		const uint8_t *c = picture->pixels + 3 * (size_t)k;
		if (c[0] < c[1] + 20 || c[0] < c[2] + 20)
			continue;
		*x += k % picture->width + 0.5;
		*y += k / picture->width + 0.5;
		count++;
	}
	*x /= count ? count : 1;
	*y /= count ? count : 1;
	return count;
}

static void a_ball_appears_where_it_is(void **state)
{
	(void)state;
	const oz_vec3 places[] = {{0, 0.5f, 0}, {-0.4f, 0.9f, 0.4f}, {0.4f, 0.1f, -0.4f}};
	const oz_vec3 red = {0.8f, 0.02f, 0.02f};
	for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
		oz_painting painting = empty_painting();
		oz_grain grain = {.position = places[k]};
		painting.grains = &grain;
		painting.colours = &red;
		painting.count = 1;
		oz_picture picture = paint(&painting, 1);
		const oz_vec3 at = oz_camera_see(&painting.camera, places[k]);
		const double r = (double)(painting.camera.scale * painting.radius / at.z);
		double x, y;
		uint32_t count = find_red(&picture, &x, &y);
		assert_true(fabs(x - (double)at.x) < 1 && fabs(y - (double)at.y) < 1);
		// where it is seen at a slant, the rim mirrors the sky
		assert_true(fabs(count / (3.14159 * r * r) - 1) < 0.25);
		oz_picture_free(&picture);
	}
}

static void a_solid_hides_what_is_behind_it(void **state)
{
	(void)state;
	const oz_vec3 red = {0.8f, 0.02f, 0.02f};
	oz_painting painting = empty_painting();
	oz_grain grain = {.position = {0, 0.5f, 0}};
	oz_solid_view ball = {.shape = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.2f, 0, 0})};
	const oz_vec3 forward = painting.camera.forward;
	ball.shape.position =
	        (oz_vec3){-0.4f * forward.x, 0.5f - 0.4f * forward.y, -0.4f * forward.z};
	painting.grains = &grain;
	painting.colours = &red;
	painting.count = 1;
	painting.solids = &ball;
	painting.solid_count = 1;
	double x, y;
	oz_picture before = paint(&painting, 1);
	assert_int_equal(find_red(&before, &x, &y), 0);
	ball.shape.position =
	        (oz_vec3){0.4f * forward.x, 0.5f + 0.4f * forward.y, 0.4f * forward.z};
	oz_picture behind = paint(&painting, 1);
	assert_true(find_red(&behind, &x, &y) > 20);
	oz_picture_free(&before);
	oz_picture_free(&behind);
}

static void nothing_leaves_the_ground_alone(void **state)
{
	(void)state;
	const oz_vec3 red[3] = {{0.8f, 0, 0}, {0.8f, 0, 0}, {0.8f, 0, 0}};
	const oz_grain lost[3] = {{.position = {NAN, 0.5f, 0}},
	                          {.position = {0, INFINITY, 0}},
	                          {.position = {0, -1e30f, 1e30f}}};
	oz_painting painting = empty_painting();
	oz_picture none = paint(&painting, 1);
	for (uint32_t k = 0; k < WIDTH * HEIGHT; k++) {
		const uint8_t *c = none.pixels + 3 * (size_t)k;
		assert_true(c[0] > 40 && c[0] < 230);
		assert_true(abs(c[0] - c[1]) < 25 && abs(c[1] - c[2]) < 25);
	}
	painting.grains = lost;
	painting.colours = red;
	painting.count = 3;
	oz_picture still = paint(&painting, 1);
	assert_same_picture(&none, &still);
	oz_picture_free(&none);
	oz_picture_free(&still);
}

// One of each look on a table with a rod.
typedef struct still_life {
	round_mesh *round[3];
	oz_vec3 corners[8];
	oz_skin skins[4];
	oz_solid_view solids[2];
} still_life;

static oz_painting arrange(still_life *s)
{
	oz_painting painting = empty_painting();
	s->round[0] = new_round((oz_vec3){-0.3f, 0.2f, 0}, 0, 0.2f);
	s->round[1] = new_round((oz_vec3){0.05f, 0.07f, 0.35f}, 0.18f, 0.07f);
	s->round[2] = new_round((oz_vec3){0.1f, 0.16f, -0.3f}, 0, 0.16f);
	s->skins[0] = (oz_skin){s->round[0]->mesh, {OZ_LOOK_LIQUID, {0.2f, 0.5f, 0.8f}, 0.4f}};
	s->skins[1] = (oz_skin){s->round[1]->mesh, {OZ_LOOK_LIQUID, {0.9f, 0.4f, 0.02f}, 0.1f}};
	s->skins[2] = (oz_skin){s->round[2]->mesh, {OZ_LOOK_PLASTIC, {0.1f, 0.5f, 0.2f}, 0}};
	s->skins[3] = (oz_skin){box_mesh(s->corners, (oz_vec3){0.2f, 0, -0.1f},
	                                 (oz_vec3){0.5f, 0.3f, 0.2f}),
	                        {OZ_LOOK_JELLY, {0.9f, 0.1f, 0.06f}, 0.1f}};
	s->solids[0] = (oz_solid_view){oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 1, 1}), true};
	s->solids[1] =
	        (oz_solid_view){oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){0.06f, 0.6f, 0}), false};
	s->solids[0].shape.position.y = 0.5f;
	s->solids[1].shape.position = (oz_vec3){-0.3f, 0.3f, -0.35f};
	painting.skins = s->skins;
	painting.skin_count = 4;
	painting.solids = s->solids;
	painting.solid_count = 2;
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
	oz_picture one = paint(&painting, 1);
	for (uint32_t threads = 2; threads <= 3; threads++) {
		oz_picture more = paint(&painting, threads);
		assert_same_picture(&one, &more);
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
	oz_picture quick = paint(&painting, 0);
	painting.samples = 256;
	oz_picture slow = paint(&painting, 0);
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

static void every_number_of_threads_draws_the_same(void **state)
{
	(void)state;
	uint64_t random = 7;
	oz_grain grains[400];
	oz_vec3 colours[400];
	for (int i = 0; i < 400; i++) {
		grains[i].position =
		        (oz_vec3){(float)test_random(&random) - 0.5f, (float)test_random(&random),
		                  (float)test_random(&random) - 0.5f};
		colours[i] = oz_colour_map((float)i / 400);
	}
	oz_solid_view solids[OZ_SHAPE_TORUS + 1];
	for (int k = 0; k <= OZ_SHAPE_TORUS; k++) {
		solids[k].shape = oz_shape_make((oz_shape_kind)k, (oz_vec3){0.15f, 0.1f, 0.2f});
		solids[k].shape.position = (oz_vec3){0.25f * (float)(k % 3) - 0.25f, 0.3f, 0};
		solids[k].vessel = k % 2;
	}
	oz_painting painting = empty_painting();
	painting.grains = grains;
	painting.colours = colours;
	painting.count = 400;
	painting.solids = solids;
	painting.solid_count = OZ_SHAPE_TORUS + 1;
	oz_picture one = paint(&painting, 1);
	for (uint32_t threads = 2; threads <= 3; threads++) {
		oz_picture more = paint(&painting, threads);
		assert_same_picture(&one, &more);
		oz_picture_free(&more);
	}
	oz_picture_free(&one);
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
	snprintf(path, sizeof path, "%s/tests/reference/%s.png", OZ_SOURCE_DIR, name);
	snprintf(here, sizeof here, "%s.png", name);
	oz_picture drawn = paint(painting, 0);
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
	oz_grain grains[64];
	oz_vec3 greens[64];
	for (int k = 0; k < 64; k++) {
		grains[k].position =
		        (oz_vec3){0.1f + 0.1f * (float)(k % 4), 0.05f + 0.1f * (float)(k / 16),
		                  0.1f * (float)(k / 4 % 4)};
		greens[k] = oz_colour_number((uint32_t)k / 16);
	}
	painting.grains = grains;
	painting.colours = greens;
	painting.count = 64;
	painting.radius = 0.055f;
	assert_looks_like(&painting, "balls");
	// and one that is seen to differ, so that the limit is known to mean something
	painting.light.sun.x *= 1.2f;
	oz_picture warm = paint(&painting, 0);
	oz_picture plain = read_picture(OZ_SOURCE_DIR "/tests/reference/balls.png");
	assert_true(difference(&warm, &plain) > 0.5);
	oz_picture_free(&warm);
	oz_picture_free(&plain);
	free(colours);
	tidy(&life);
#else
	skip();
#endif
}

static void names_tell_looks(void **state)
{
	(void)state;
	const oz_finish open = {OZ_LOOK_AUTO, {-1, -1, -1}, 0};
	assert_int_equal(oz_coat_of(&open, "water", 0, 1).look, OZ_LOOK_LIQUID);
	assert_int_equal(oz_coat_of(&open, "sugar syrup", 0, 1).look, OZ_LOOK_LIQUID);
	assert_int_equal(oz_coat_of(&open, "milk", 0, 1).look, OZ_LOOK_PLASTIC);
	assert_int_equal(oz_coat_of(&open, "gelatin", 0, 1).look, OZ_LOOK_JELLY);
	assert_int_equal(oz_coat_of(&open, "spirit", 3, 1).look, OZ_LOOK_LIQUID);
	assert_int_equal(oz_coat_of(&open, NULL, 0, 1).look, OZ_LOOK_LIQUID);
	assert_true(oz_coat_of(&open, "water", 0, 2).depth ==
	            2 * oz_coat_of(&open, "water", 0, 1).depth);
	const oz_finish set = {OZ_LOOK_MATTE, {1, 0, 0}, 0.3f};
	const oz_coat coat = oz_coat_of(&set, "water", 0, 1);
	assert_int_equal(coat.look, OZ_LOOK_MATTE);
	assert_true(coat.colour.x == 1 && coat.colour.y == 0 && coat.depth == 0.3f);
}

// liquids that overlap have one interface, and the first is there: a copy inside changes nothing
static void liquids_that_overlap_are_one(void **state)
{
	(void)state;
	oz_vec3 outer[8], inner[8];
	const oz_coat coat = {OZ_LOOK_LIQUID, {0.25f, 0.5f, 0.9f}, 0.2f};
	const oz_skin skins[2] =
	        {{box_mesh(outer, (oz_vec3){-2, -2, -0.1f}, (oz_vec3){2, 2, 0.1f}), coat},
	         {box_mesh(inner, (oz_vec3){-1, -1, -0.1f}, (oz_vec3){1, 1, 0.05f}), coat}};
	oz_painting painting = furnace();
	painting.skins = skins;
	painting.camera = oz_camera_look((oz_vec3){0, 0, 3}, (oz_vec3){0, 0, 0}, 2, WIDTH, HEIGHT);
	double mean[2], worst;
	for (uint32_t k = 0; k < 2; k++) {
		painting.skin_count = k + 1;
		oz_vec3 *light = light_of(&painting);
		mean[k] = mean_around(light, &painting.camera, (oz_vec3){0, 0, 0}, 40, 0, &worst);
		free(light);
	}
	assert_true(mean[0] > 0.4 && mean[0] < 0.6);
	assert_true(fabs(mean[1] / mean[0] - 1) < 0.01);
}

// ---- what cannot be drawn ---------------------------------------------------------------------

static void what_cannot_be_drawn_is_said(void **state)
{
	(void)state;
#ifndef OZ_HAVE_EMBREE
	skip();
#endif
	oz_error error = {OZ_OK, ""};
	oz_tracer *tracer;
	oz_picture picture;
	assert_int_equal(oz_tracer_create(4000000000u, 4000000000u, 1, &tracer, &error),
	                 OZ_ERROR_MEMORY);
	assert_non_null(strstr(error.text, "choose a smaller"));
	assert_null(tracer);
	assert_int_equal(oz_tracer_create(0, 10, 1, &tracer, &error), OZ_ERROR_MEMORY);
	assert_int_equal(oz_tracer_create(WIDTH, HEIGHT, 1, &tracer, &error), OZ_OK);
	assert_int_equal(oz_picture_create(WIDTH, HEIGHT + 1, &picture, &error), OZ_OK);
	oz_painting painting = empty_painting();
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_ERROR_ARGUMENT);
	picture.height = HEIGHT;
	painting.samples = OZ_SAMPLES_MAX + 1;
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_ERROR_RANGE);
	painting.samples = 1;
	oz_vec3 corners[8];
	oz_skin skin = {.mesh = box_mesh(corners, (oz_vec3){0, 0, 0}, (oz_vec3){1, 1, 1}),
	                .coat = {OZ_LOOK_LIQUID, {1, 1, 1}, 1}};
	skin.mesh.vertex_count = 7;
	painting.skins = &skin;
	painting.skin_count = 1;
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_ERROR_MESH);
	assert_non_null(strstr(error.text, "names vertex 7 of 7"));
	// vertices that are nowhere are left out with their triangles
	skin.mesh.vertex_count = 8;
	corners[3].y = NAN;
	corners[5].z = INFINITY;
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_OK);
	skin.mesh.triangle_count = 0;
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_OK);
	oz_picture_free(&picture);
	oz_tracer_destroy(tracer);
	oz_tracer_destroy(NULL);
}

// every kind, some of them turned or out of all bounds
static void every_solid_is_drawn(void **state)
{
	(void)state;
	oz_painting painting = empty_painting();
	painting.samples = 4;
	oz_picture none = paint(&painting, 0);
	for (int k = OZ_SHAPE_BOX; k <= OZ_SHAPE_TORUS; k++)
		for (int vessel = 0; vessel < 2; vessel++) {
			oz_solid_view solid = {.shape = oz_shape_make((oz_shape_kind)k,
			                                              (oz_vec3){0.2f, 0.1f, 0.3f}),
			                       .vessel = vessel};
			solid.shape.position.y = 0.5f;
			solid.shape.rotation = (oz_quat){0.6f, 0, 0, 0.8f};
			painting.solids = &solid;
			painting.solid_count = 1;
			oz_picture with = paint(&painting, 0);
			uint32_t changed = 0;
			for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
				changed += abs(with.pixels[3 * i] - none.pixels[3 * i]) > 8;
			if (changed < (vessel ? 20u : 100u))
				fail_msg("shape %d: only %u pixels show it", k, changed);
			oz_picture_free(&with);
		}
	oz_picture_free(&none);
}

static void the_camera_sees_all_of_a_box(void **state)
{
	(void)state;
	const oz_box boxes[] = {unit_box,
	                        {{0, 0, 0}, {10, 0.1f, 0.1f}},
	                        {{-1e-3f, 5, -3}, {1e-3f, 5.01f, 4}},
	                        {{0, 0, 0}, {0.1f, 40, 0.1f}},
	                        {{1, 1, 1}, {1, 1, 1}}};
	for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
		const oz_camera camera = oz_camera_fit(&boxes[k], WIDTH, HEIGHT);
		for (int c = 0; c < 8; c++) {
			const oz_vec3 p = {c & 1 ? boxes[k].max.x : boxes[k].min.x,
			                   c & 2 ? boxes[k].max.y : boxes[k].min.y,
			                   c & 4 ? boxes[k].max.z : boxes[k].min.z};
			const oz_vec3 at = oz_camera_see(&camera, p);
			assert_true(at.z > 0 && at.x > 0 && at.y > 0);
			assert_true(at.x < WIDTH && at.y < HEIGHT);
		}
	}
}

static void a_run_fills_its_picture(void **state)
{
	(void)state;
	// a lean tower in a wide puddle: its box would waste the corners
	static oz_grain grains[400];
	for (int k = 0; k < 200; k++) {
		grains[k].position.y = 0.005f * (float)k;
		grains[200 + k].position =
		        (oz_vec3){cosf(0.1f * (float)k), 0, sinf(0.1f * (float)k)};
	}
	const oz_frame frame = {grains, 400};
	const oz_paint paint = {.by = OZ_COLOUR_NONE};
	oz_survey survey = oz_survey_begin();
	oz_survey_add_frame(&survey, &frame, &paint, 0.01f);
	const oz_camera camera = oz_camera_frame(survey.rim, OZ_RIM, WIDTH, HEIGHT);
	float low = WIDTH, high = 0;
	for (int k = 0; k < 400; k++) {
		const oz_vec3 at = oz_camera_see(&camera, grains[k].position);
		assert_true(at.x > 0 && at.y > 0 && at.x < WIDTH && at.y < HEIGHT);
		low = fminf(low, at.x);
		high = fmaxf(high, at.x);
	}
	assert_true(high - low > 0.85f * WIDTH);
}

static void a_png_decodes_to_the_same_pixels(void **state)
{
	(void)state;
#ifdef OZ_HAVE_PNG
	oz_error error = {OZ_OK, ""};
	oz_painting painting = empty_painting();
	oz_picture drawn = paint(&painting, 1), read;
	assert_int_equal(oz_picture_write(&drawn, "picture.png", &error), OZ_OK);
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, "picture.png"));
	image.format = PNG_FORMAT_RGB;
	assert_int_equal(oz_picture_create(image.width, image.height, &read, &error), OZ_OK);
	assert_true(png_image_finish_read(&image, NULL, read.pixels, 0, NULL));
	assert_same_picture(&drawn, &read);
	assert_int_equal(oz_picture_write(&drawn, "no/such/folder.png", &error), OZ_ERROR_FILE);
	oz_picture_free(&drawn);
	oz_picture_free(&read);
#else
	skip();
#endif
}

// ---- frames -----------------------------------------------------------------------------------

static const void *element(const oz_view *view, uint32_t i)
{
	return (const char *)view->data + i * view->stride;
}

static void frames_are_read_as_they_were_written(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = test_busy_dam(1, 0.04f, NULL);
	test_steps(world, 40);
	oz_frame frame;
	oz_view position, pressure;
	assert_int_equal(oz_export_ply(world, "frame.ply", &error), OZ_OK);
	assert_int_equal(oz_frame_read("frame.ply", &frame, &error), OZ_OK);
	assert_int_equal(frame.count, oz_world_particle_count(world));
	oz_world_view(world, OZ_FIELD_POSITION, &position, &error);
	oz_world_view(world, OZ_FIELD_PRESSURE, &pressure, &error);
	oz_paint paint = {.by = OZ_COLOUR_PRESSURE, .world = world};
	float most = 0;
	for (uint32_t i = 0; i < frame.count; i++) {
		const float wanted = *(const float *)element(&pressure, i);
		assert_memory_equal(&frame.grains[i].position, element(&position, i),
		                    sizeof(oz_vec3));
		// density in float leaves this much of the pressure
		assert_true(fabsf(oz_paint_value(&paint, &frame.grains[i]) - wanted) <
		            1.0f + 1e-3f * wanted);
		most = fmaxf(most, wanted);
	}
	assert_true(most > 100);
	oz_frame_free(&frame);
	oz_world_destroy(world);
}

static void assert_refused(const char *data, size_t size, const char *sentence)
{
	oz_frame frame;
	oz_error error = {OZ_OK, ""};
	test_write("bad.ply", data, size);
	assert_int_equal(oz_frame_read("bad.ply", &frame, &error), OZ_ERROR_FORMAT);
	assert_non_null(strstr(error.text, "bad.ply"));
	if (!strstr(error.text, sentence))
		fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
	oz_frame_free(&frame);
}

static void damaged_frames_are_refused(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = test_dam(1, 0.08f, NULL);
	size_t size;
	assert_int_equal(oz_export_ply(world, "good.ply", &error), OZ_OK);
	char *good = test_read("good.ply", &size);
	assert_refused(good, size - 1, "is damaged");
	assert_refused(good, size - 40, "is damaged");
	assert_refused(good, 100, "ends too early");
	assert_refused(good, 0, "begin with 'ply'");
	assert_refused("solid\n", 6, "begin with 'ply'");
	assert_refused("ply\nformat ascii 1.0\n", 21, "not binary");
	memcpy(strstr(good, "float vx"), "float nx", 8);
	assert_refused(good, size, "a line that frames do not have");
	const char huge[] = "ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\n";
	assert_refused(huge, sizeof huge - 1, "a line that frames do not have");
	// whatever a file is cut to, it is told and nothing is read beyond its end
	for (size_t cut = 0; cut < 400; cut++) {
		oz_frame frame;
		test_write("bad.ply", good, cut);
		assert_int_equal(oz_frame_read("bad.ply", &frame, NULL), OZ_ERROR_FORMAT);
		oz_frame_free(&frame);
	}
	free(good);
	oz_world_destroy(world);
}

// ---- the program ------------------------------------------------------------------------------

// Runs `ooze` with these words; what it says is in `said`.
static int ooze(const char *before, const char *words, char said[4000])
{
	char command[1000];
	snprintf(command, sizeof command, "%s '%s' %s 2>&1", before, OZ_PROGRAM, words);
	FILE *pipe = popen(command, "r");
	assert_non_null(pipe);
	size_t size = fread(said, 1, 3999, pipe);
	said[size] = 0;
	int status = pclose(pipe);
	return status >> 8;
}

static void assert_says(int wanted, const char *words, const char *sentence)
{
	char said[4000];
	int status = ooze("", words, said);
	if (status != wanted || !strstr(said, sentence))
		fail_msg("ooze %s ended with %d and said \"%s\", not \"%s\"", words, status, said,
		         sentence);
}

static const char tiny_scene[] =
        "{ \"world\": { \"spacing\": 0.05 },\n"
        "  \"bodies\": [ { \"material\": \"water\", \"shape\": \"box\", \"size\": [0.3, 0.3, "
        "0.3],\n"
        "                \"position\": [0, 0.3, 0] } ],\n"
        "  \"colliders\": [ { \"shape\": \"box\", \"inside\": true, \"size\": [0.6, 0.8, 0.4],\n"
        "                   \"position\": [0, 0.4, 0] } ],\n"
        "  \"output\": { \"duration\": 0.2, \"frame_rate\": 10, \"vtu\": %s, \"ply\": %s } }\n";

static void run_tiny(const char *folder, bool ply)
{
	char scene[1000], words[200];
	snprintf(scene, sizeof scene, tiny_scene, ply ? "false" : "true", ply ? "true" : "false");
	test_write("tiny.json", scene, strlen(scene));
	snprintf(words, sizeof words, "run tiny.json -o %s -q", folder);
	assert_says(0, words, "");
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	mkdir("hollow", 0777);
	assert_says(1, "render nowhere", "there is no folder nowhere");
	assert_says(1, "render hollow", "holds no frames");
	assert_says(1, "movie hollow", "holds no pictures; draw them first: ooze render hollow");
	assert_says(2, "render hollow --size 10x", "--size is '10x'");
	assert_says(2, "render hollow --size 1x1", "--size is '1x1'");
	assert_says(2, "render hollow --colour sped", "did you mean 'speed'?");
	assert_says(2, "render hollow --kind smoth", "--kind is 'smoth'");
	assert_says(2, "render hollow --times 0,x", "--times is '0,x'");
	assert_says(2, "render hollow --samples 0", "--samples");
	assert_says(2, "render", "something is missing");
	run_tiny("vtu", false);
	assert_says(1, "render vtu", "output.ply to true");
}

#if defined OZ_HAVE_PNG && defined OZ_HAVE_EMBREE
static void assert_exists(const char *path, bool wanted)
{
	if ((access(path, F_OK) == 0) != wanted)
		fail_msg("%s %s", path, wanted ? "is missing" : "is there");
}
#endif

static void a_run_becomes_pictures_and_a_movie(void **state)
{
	(void)state;
#if defined OZ_HAVE_PNG && defined OZ_HAVE_EMBREE
	char said[4000];
	run_tiny("tiny", true);
	assert_says(0, "render tiny --size 161x91 --colour speed", "3 pictures");
	assert_exists("tiny/pictures/frame_00002.png", true);
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, "tiny/contact_sheet.png"));
	assert_int_equal(image.width, 161 / 3 * 6);
	assert_int_equal(image.height, 91 / 3 * 4);
	png_image_free(&image);
	assert_says(0, "render tiny --frame 1 --size 64x48 -o 'one picture.png'",
	            "one picture.png");
	assert_exists("one picture.png", true);
	assert_says(1, "render tiny --frame 9", "there are 0 to 2");
	assert_says(0, "render tiny --size 64x48 --times 0,0.1 --particles --samples 1 -o balls",
	            "2 moments");
	assert_true(png_image_begin_read_from_file(&image, "balls/contact_sheet.png"));
	assert_int_equal(image.width, 64 / 3 * 4);
	assert_int_equal(image.height, 48 / 3 * 2);
	png_image_free(&image);
	for (int k = 0; k < 3; k++) {
		const char *kinds[] = {"density", "distance", "smooth"};
		char words[200];
		snprintf(words, sizeof words,
		         "render tiny --frame 2 --size 64x48 --kind %s --colour body -o kind.png",
		         kinds[k]);
		assert_says(0, words, "kind.png");
	}
	assert_says(1, "render tiny --frame 0 --size 65535x65535", "choose a smaller");

	assert_int_equal(ooze("PATH=/nowhere", "movie tiny", said), 1);
	assert_non_null(strstr(said, "ffmpeg is not there"));
	assert_exists("tiny/movie.mp4", false);
	if (system("command -v ffmpeg > /dev/null") == 0) {
		assert_says(0, "movie tiny", "tiny/movie.mp4");
		assert_exists("tiny/movie.mp4", true);
		test_write("tiny/pictures/frame_00001.png", "no picture", 10);
		assert_says(1, "movie tiny -o broken.mp4", "ffmpeg could not make broken.mp4");
		assert_exists("broken.mp4", false);
		assert_exists("broken.mp4.part", false);
	}
	unlink("tiny/pictures/frame_00001.png");
	assert_says(1, "movie tiny", "picture 1 is missing");
	unlink("tiny/scene.json");
	assert_says(1, "render tiny", "tiny/scene.json is not there");
#else
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_ball_appears_where_it_is),
	        cmocka_unit_test(a_solid_hides_what_is_behind_it),
	        cmocka_unit_test(nothing_leaves_the_ground_alone),
	        cmocka_unit_test(every_number_of_threads_draws_the_same),
	        cmocka_unit_test(every_number_of_threads_draws_the_same_looks),
	        cmocka_unit_test(little_noise_is_left_by_default),
	        cmocka_unit_test(a_white_ball_vanishes_in_a_white_furnace),
	        cmocka_unit_test(clear_things_vanish_in_a_white_furnace),
	        cmocka_unit_test(a_slab_swallows_light_by_its_depth),
	        cmocka_unit_test(a_shadow_lies_where_the_light_is_blocked_and_is_soft),
	        cmocka_unit_test(a_clear_ball_turns_the_world_upside_down),
	        cmocka_unit_test(looks_are_as_they_were),
	        cmocka_unit_test(names_tell_looks),
	        cmocka_unit_test(liquids_that_overlap_are_one),
	        cmocka_unit_test(what_cannot_be_drawn_is_said),
	        cmocka_unit_test(every_solid_is_drawn),
	        cmocka_unit_test(the_camera_sees_all_of_a_box),
	        cmocka_unit_test(a_run_fills_its_picture),
	        cmocka_unit_test(a_png_decodes_to_the_same_pixels),
	        cmocka_unit_test(frames_are_read_as_they_were_written),
	        cmocka_unit_test(damaged_frames_are_refused),
	        cmocka_unit_test(what_is_missing_is_said),
	        cmocka_unit_test(a_run_becomes_pictures_and_a_movie),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
