// test_render.c: pictures show what is there, where it is; what cannot be drawn is said.
#ifdef OZ_HAVE_PNG
#include <png.h>
#endif

#include "export/export.h"
#include "pictures.h"
#include "worlds.h"

// ---- where things are -------------------------------------------------------------------------

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
		oz_painting painting = test_painting();
		oz_grain grain = {.position = places[k]};
		painting.grains = &grain;
		painting.colours = &red;
		painting.count = 1;
		oz_picture picture = test_paint(&painting, 1);
		const oz_vec3 at = oz_camera_project(&painting.camera, places[k]);
		const double r = (double)(painting.camera.scale * painting.radius / at.z);
		double x, y;
		uint32_t count = find_red(&picture, &x, &y);
		assert_true(fabs(x - (double)at.x) < 1 && fabs(y - (double)at.y) < 1);
		// where it is seen at a slant, the rim mirrors the sky
		assert_true(fabs(count / (3.14159 * r * r) - 1) < 0.25);
		oz_picture_free(&picture);
	}
}

static void a_collider_hides_what_is_behind_it(void **state)
{
	(void)state;
	const oz_vec3 red = {0.8f, 0.02f, 0.02f};
	oz_painting painting = test_painting();
	oz_grain grain = {.position = {0, 0.5f, 0}};
	oz_collider_view ball = {.shape = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.2f, 0, 0})};
	const oz_vec3 forward = painting.camera.forward;
	ball.shape.position =
	        (oz_vec3){-0.4f * forward.x, 0.5f - 0.4f * forward.y, -0.4f * forward.z};
	painting.grains = &grain;
	painting.colours = &red;
	painting.count = 1;
	painting.colliders = &ball;
	painting.collider_count = 1;
	double x, y;
	oz_picture before = test_paint(&painting, 1);
	assert_int_equal(find_red(&before, &x, &y), 0);
	ball.shape.position =
	        (oz_vec3){0.4f * forward.x, 0.5f + 0.4f * forward.y, 0.4f * forward.z};
	oz_picture behind = test_paint(&painting, 1);
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
	oz_painting painting = test_painting();
	oz_picture none = test_paint(&painting, 1);
	for (uint32_t k = 0; k < WIDTH * HEIGHT; k++) {
		const uint8_t *c = none.pixels + 3 * (size_t)k;
		assert_true(c[0] > 40 && c[0] < 230);
		assert_true(abs(c[0] - c[1]) < 25 && abs(c[1] - c[2]) < 25);
	}
	painting.grains = lost;
	painting.colours = red;
	painting.count = 3;
	oz_picture still = test_paint(&painting, 1);
	test_same_picture(&none, &still);
	oz_picture_free(&none);
	oz_picture_free(&still);
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
	oz_collider_view colliders[OZ_SHAPE_TORUS + 1];
	for (int k = 0; k <= OZ_SHAPE_TORUS; k++) {
		colliders[k] = (oz_collider_view){.vessel = k % 2,
		                                  .look = k % 4 == 2 ? OZ_COLLIDER_GLASS
		                                                     : OZ_COLLIDER_AUTO};
		colliders[k].shape = oz_shape_make((oz_shape_kind)k, (oz_vec3){0.15f, 0.1f, 0.2f});
		colliders[k].shape.position = (oz_vec3){0.25f * (float)(k % 3) - 0.25f, 0.3f, 0};
	}
	oz_painting painting = test_painting();
	painting.grains = grains;
	painting.colours = colours;
	painting.count = 400;
	painting.colliders = colliders;
	painting.collider_count = OZ_SHAPE_TORUS + 1;
	oz_picture one = test_paint(&painting, 1);
	for (uint32_t threads = 2; threads <= 3; threads++) {
		oz_picture more = test_paint(&painting, threads);
		test_same_picture(&one, &more);
		oz_picture_free(&more);
	}
	oz_picture_free(&one);
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
	assert_int_equal(oz_tracer_create(0, 10, 1, &tracer, &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "give at least 1 × 1"));
	assert_null(tracer);
	assert_int_equal(oz_tracer_create(WIDTH, HEIGHT, 1, &tracer, &error), OZ_OK);
	assert_int_equal(oz_picture_create(WIDTH, HEIGHT + 1, &picture, &error), OZ_OK);
	oz_painting painting = test_painting();
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_ERROR_ARGUMENT);
	picture.height = HEIGHT;
	painting.samples = OZ_SAMPLES_MAX + 1;
	assert_int_equal(oz_tracer_draw(tracer, &painting, &picture, &error), OZ_ERROR_RANGE);
	painting.samples = 1;
	oz_vec3 corners[8];
	oz_drawn_mesh skin = {.mesh = test_box_mesh(corners, (oz_vec3){0, 0, 0},
	                                            (oz_vec3){1, 1, 1}),
	                      .appearance = {OZ_LOOK_LIQUID, {1, 1, 1}, 1}};
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
static void every_collider_is_drawn(void **state)
{
	(void)state;
	oz_painting painting = test_painting();
	painting.samples = 4;
	oz_picture none = test_paint(&painting, 0);
	for (int k = OZ_SHAPE_BOX; k <= OZ_SHAPE_TORUS; k++)
		for (int vessel = 0; vessel < 2; vessel++) {
			oz_collider_view solid = {.shape = oz_shape_make((oz_shape_kind)k,
			                                                 (oz_vec3){0.2f, 0.1f,
			                                                           0.3f}),
			                          .vessel = vessel};
			solid.shape.position.y = 0.5f;
			solid.shape.rotation = (oz_quat){0.6f, 0, 0, 0.8f};
			painting.colliders = &solid;
			painting.collider_count = 1;
			oz_picture with = test_paint(&painting, 0);
			uint32_t changed = 0;
			for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
				changed += abs(with.pixels[3 * i] - none.pixels[3 * i]) > 8;
			if (changed < (vessel ? 20u : 100u))
				fail_msg("shape %d: only %u pixels show it", k, changed);
			oz_picture_free(&with);
		}
	oz_picture_free(&none);
}

static oz_collider_view plane_at(float y, oz_quat rotation)
{
	oz_collider_view solid = {.shape = oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){1, 1, 1})};
	solid.shape.position.y = y;
	solid.shape.rotation = rotation;
	return solid;
}

// walls, ramps and ceilings stand on the ground or above it; they are not the ground
static void the_ground_is_the_highest_level_floor(void **state)
{
	(void)state;
	const oz_quat level = {0, 0, 0, 1}, rotated = {0, 0.6f, 0, 0.8f}, wall = {0, 0, 0.6f, 0.8f},
	              over = {1, 0, 0, 0};
	oz_collider_view colliders[] = {plane_at(5, wall), plane_at(-1, level),
	                                plane_at(0.25f, rotated), plane_at(7, over),
	                                plane_at(8, level)};
	colliders[4].vessel = true;
	assert_true(oz_ground_of(colliders, 5, 3) == 0.25f);
	assert_true(oz_ground_of(colliders, 2, 3) == -1);
	assert_true(oz_ground_of(colliders, 1, 3) == 3);
	assert_true(oz_ground_of(NULL, 0, 3) == 3);
}

// how many pixels a plane changes where the ground is at 0
static uint32_t seen_of(oz_collider_view plane)
{
	oz_painting painting = test_painting();
	painting.samples = 4;
	painting.ground = 0;
	oz_picture none = test_paint(&painting, 0);
	painting.colliders = &plane;
	painting.collider_count = 1;
	oz_picture with = test_paint(&painting, 0);
	uint32_t changed = 0;
	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
		changed += with.pixels[3 * i] != none.pixels[3 * i];
	oz_picture_free(&none);
	oz_picture_free(&with);
	return changed;
}

static void only_the_floor_that_is_the_ground_is_not_drawn_again(void **state)
{
	(void)state;
	const oz_quat level = {0, 0, 0, 1}, ramp = {0, 0, 0.1f, 0.995f};
	assert_int_equal(seen_of(plane_at(0, level)), 0);
	assert_true(seen_of(plane_at(0.3f, level)) > 1000);
	assert_true(seen_of(plane_at(0, ramp)) > 1000);
}

// ---- skins ------------------------------------------------------------------------------------

#define CUBE 8u // grains along its edge

// a cube of grains of a material at x, the last of them nowhere
static void fill_cube(oz_grain *grains, uint32_t material, float x)
{
	for (uint32_t k = 0; k < CUBE * CUBE * CUBE; k++)
		grains[k] = (oz_grain){.position = {x + 0.1f * (float)(k % CUBE),
		                                    0.1f * (float)(k / CUBE % CUBE),
		                                    0.1f * (float)(k / CUBE / CUBE)},
		                       .velocity = {(float)(k % 7), 0, 0},
		                       .material = material};
	grains[CUBE * CUBE * CUBE - 1].position.x = NAN;
}

static void assert_same_skin(const oz_drawn_mesh *a, const oz_drawn_mesh *b)
{
	const oz_surface_mesh *m = &a->mesh, *n = &b->mesh;
	assert_true(m->triangle_count > 100);
	assert_int_equal(m->vertex_count, n->vertex_count);
	assert_int_equal(m->triangle_count, n->triangle_count);
	assert_memory_equal(m->position, n->position, sizeof *m->position * m->vertex_count);
	assert_memory_equal(m->normal, n->normal, sizeof *m->normal * m->vertex_count);
	assert_memory_equal(m->colour, n->colour, sizeof *m->colour * m->vertex_count);
	assert_memory_equal(m->triangles, n->triangles, sizeof *m->triangles * m->triangle_count);
	assert_true(a->appearance.look == b->appearance.look);
}

static void skins_of_several_materials_are_those_of_each_alone(void **state)
{
	(void)state;
	static oz_grain grains[3 * CUBE * CUBE * CUBE];
	const uint32_t each = CUBE * CUBE * CUBE;
	const oz_appearance appearances[3] = {{OZ_LOOK_LIQUID, {1, 1, 1}, 1},
	                                      {OZ_LOOK_MATTE, {1, 1, 1}, 1},
	                                      {OZ_LOOK_JELLY, {1, 1, 1}, 1}};
	const oz_paint colouring = {.by = OZ_COLOUR_SPEED, .high = 7};
	oz_surface_def def = oz_surface_default(0.1f);
	oz_surface_maker *all, *alone;
	oz_painting together, single;
	oz_error error = {OZ_OK, ""};
	def.threads = 2;
	for (uint32_t k = 0; k < 3; k++)
		fill_cube(grains + k * each, k, 2.0f * (float)k);
	assert_int_equal(oz_surface_maker_create(&def, appearances, 3, &all, &error), OZ_OK);
	const oz_frame frame = {grains, 3 * each};
	assert_int_equal(oz_surface_maker_make(all, &frame, &colouring, NULL, 0, &together, &error),
	                 OZ_OK);
	assert_int_equal(together.skin_count, 3);
	for (uint32_t k = 0; k < 3; k++) {
		const oz_frame part = {grains + k * each, each};
		assert_int_equal(oz_surface_maker_create(&def, appearances, 3, &alone, &error),
		                 OZ_OK);
		assert_int_equal(oz_surface_maker_make(alone, &part, &colouring, NULL, 0, &single,
		                                       &error),
		                 OZ_OK);
		assert_int_equal(single.skin_count, 1);
		assert_same_skin(&together.skins[k], &single.skins[0]);
		oz_surface_maker_destroy(alone);
	}
	oz_surface_maker_destroy(all);
}

static void the_camera_sees_all_of_a_box(void **state)
{
	(void)state;
	const oz_box boxes[] = {test_unit_box,
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
			const oz_vec3 at = oz_camera_project(&camera, p);
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
		const oz_vec3 at = oz_camera_project(&camera, grains[k].position);
		assert_true(at.x > 0 && at.y > 0 && at.x < WIDTH && at.y < HEIGHT);
		low = fminf(low, at.x);
		high = fmaxf(high, at.x);
	}
	assert_true(high - low > 0.85f * WIDTH);
}

static void a_target_alone_moves_the_camera_sideways(void **state)
{
	(void)state;
	const oz_box box = {{-1, 0, -0.5f}, {1, 1, 0.5f}};
	const oz_vec3 middle = {0, 0.5f, 0}, target = {0.8f, 0.1f, 0.3f};
	const oz_camera own = oz_camera_fit(&box, WIDTH, HEIGHT);
	const oz_camera moved = oz_camera_aim(&own, middle, target, WIDTH, HEIGHT);
	const oz_vec3 at = oz_camera_project(&moved, target), was = oz_camera_project(&own, middle);
	assert_true(fabsf(at.x - 0.5f * WIDTH) < 0.01f && fabsf(at.y - 0.5f * HEIGHT) < 0.01f);
	assert_true(fabsf(at.z - was.z) < 1e-4f);
	assert_memory_equal(&moved.forward, &own.forward, sizeof own.forward);
}

static uint32_t count_colour(const oz_picture *picture, uint8_t red, uint8_t green, uint8_t blue)
{
	uint32_t count = 0;
	for (size_t k = 0; k < (size_t)picture->width * picture->height; k++) {
		const uint8_t *c = picture->pixels + 3 * k;
		count += c[0] == red && c[1] == green && c[2] == blue;
	}
	return count;
}

static void a_legend_of_names_has_a_square_for_each(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	const char *names[14] = {"a", "b"};
	oz_vec3 colours[14] = {{1, 0, 0}, {0, 1, 0}};
	for (int k = 2; k < 14; k++) {
		names[k] = "a name that is far too long for a picture of this size";
		colours[k] = (oz_vec3){0, 0, 1};
	}
	for (uint32_t count = 2; count <= 14; count += 12) {
		oz_picture picture;
		assert_int_equal(oz_picture_create(320, 300, &picture, &error), OZ_OK);
		assert_int_equal(oz_picture_names(&picture, names, colours, count, &error), OZ_OK);
		const uint32_t square = count_colour(&picture, 255, 0, 0);
		assert_true(square >= 25);
		assert_int_equal(count_colour(&picture, 0, 255, 0), square);
		// ten rows, of which the last is a count of the others
		assert_int_equal(count_colour(&picture, 0, 0, 255), count == 2 ? 0 : 7 * square);
		oz_picture_free(&picture);
	}
}

static void a_png_decodes_to_the_same_pixels(void **state)
{
	(void)state;
#ifdef OZ_HAVE_PNG
	oz_error error = {OZ_OK, ""};
	oz_painting painting = test_painting();
	oz_picture drawn = test_paint(&painting, 1), read;
	assert_int_equal(oz_picture_write(&drawn, "picture.png", &error), OZ_OK);
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, "picture.png"));
	image.format = PNG_FORMAT_RGB;
	assert_int_equal(oz_picture_create(image.width, image.height, &read, &error), OZ_OK);
	assert_true(png_image_finish_read(&image, NULL, read.pixels, 0, NULL));
	test_same_picture(&drawn, &read);
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
	// a frame has densities: without damping they give the pressure
	oz_world *world = test_undamped_dam(1, 0.04f);
	test_steps(world, 40);
	oz_frame frame;
	oz_view position, pressure;
	assert_int_equal(oz_export_ply(world, "frame.ply", &error), OZ_OK);
	assert_int_equal(oz_frame_read("frame.ply", &frame, &error), OZ_OK);
	assert_int_equal(frame.count, oz_world_particle_count(world));
	for (uint32_t i = 0; i < frame.count; i++)
		assert_true(frame.grains[i].temperature == 20);
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

// frames held no temperature once
static void frames_without_temperature_are_as_warm_as_a_room(void **state)
{
	(void)state;
	const char head[] = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n"
	                    "property float x\nproperty float y\nproperty float z\n"
	                    "property float vx\nproperty float vy\nproperty float vz\n"
	                    "property float density\nproperty int material\nproperty int body\n"
	                    "property int id\nend_header\n";
	char file[sizeof head - 1 + 40];
	memcpy(file, head, sizeof head - 1);
	const float numbers[7] = {1, 2, 3, 4, 5, 6, 1000};
	const uint32_t codes[3] = {7, 8, 9};
	memcpy(file + sizeof head - 1, numbers, sizeof numbers);
	memcpy(file + sizeof head - 1 + sizeof numbers, codes, sizeof codes);
	test_write("old.ply", file, sizeof file);
	oz_frame frame;
	assert_int_equal(oz_frame_read("old.ply", &frame, NULL), OZ_OK);
	const oz_grain *g = frame.grains;
	assert_int_equal(frame.count, 1);
	assert_true(g->position.z == 3 && g->velocity.x == 4 && g->density == 1000 && g->id == 9);
	const oz_paint paint = {.by = OZ_COLOUR_TEMPERATURE};
	assert_true(oz_paint_value(&paint, g) == 20);
	oz_frame_free(&frame);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_ball_appears_where_it_is),
	        cmocka_unit_test(a_collider_hides_what_is_behind_it),
	        cmocka_unit_test(nothing_leaves_the_ground_alone),
	        cmocka_unit_test(every_number_of_threads_draws_the_same),
	        cmocka_unit_test(what_cannot_be_drawn_is_said),
	        cmocka_unit_test(every_collider_is_drawn),
	        cmocka_unit_test(the_ground_is_the_highest_level_floor),
	        cmocka_unit_test(only_the_floor_that_is_the_ground_is_not_drawn_again),
	        cmocka_unit_test(skins_of_several_materials_are_those_of_each_alone),
	        cmocka_unit_test(the_camera_sees_all_of_a_box),
	        cmocka_unit_test(a_run_fills_its_picture),
	        cmocka_unit_test(a_target_alone_moves_the_camera_sideways),
	        cmocka_unit_test(a_legend_of_names_has_a_square_for_each),
	        cmocka_unit_test(a_png_decodes_to_the_same_pixels),
	        cmocka_unit_test(frames_are_read_as_they_were_written),
	        cmocka_unit_test(frames_without_temperature_are_as_warm_as_a_room),
	        cmocka_unit_test(damaged_frames_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
