// pictures.c: small pictures and their light.
#include "pictures.h"

oz_painting test_painting(void)
{
	oz_painting painting = oz_painting_default(&test_unit_box, WIDTH, HEIGHT);
	painting.radius = 0.06f;
	return painting;
}

oz_painting test_furnace(void)
{
	oz_painting painting = test_painting();
	painting.light = (oz_light){.horizon = {1, 1, 1}, .zenith = {1, 1, 1}};
	painting.light.sun_direction = (oz_vec3){0, 1, 0};
	painting.ground = NAN;
	painting.samples = 64;
	return painting;
}

static void round_vertex(round_mesh *m, uint32_t at, oz_vec3 centre, float ring, float radius,
                         float down, float azimuth)
{
	const oz_vec3 n = {sinf(down) * cosf(azimuth), cosf(down), sinf(down) * sinf(azimuth)};
	m->normal[at] = n;
	m->position[at] =
	        (oz_vec3){centre.x + ring * cosf(azimuth) + radius * n.x, centre.y + radius * n.y,
	                  centre.z + ring * sinf(azimuth) + radius * n.z};
}

static oz_surface_mesh *make_round(round_mesh *m, oz_vec3 centre, float ring, float radius)
{
	const float pi = 3.14159265f;
	uint32_t count = 0;
	for (uint32_t k = 0; k <= 2 * RINGS; k++)
		for (uint32_t i = 0; i <= RINGS; i++) {
			const uint32_t v = k * (RINGS + 1) + i;
			// what is met twice is the same, so that no gap is left
			const float azimuth = pi * (float)(k % (2 * RINGS)) / RINGS;
			const float full = ring > 0 ? 2 * pi : pi;
			const float down = full * (float)(ring > 0 ? i % RINGS : i) / RINGS;
			round_vertex(m, v, centre, ring, radius, down, azimuth);
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

round_mesh *test_round_mesh(oz_vec3 centre, float ring, float radius)
{
	round_mesh *m = malloc(sizeof *m);
	assert_non_null(m);
	make_round(m, centre, ring, radius);
	return m;
}

oz_surface_mesh test_box_mesh(oz_vec3 position[8], oz_vec3 a, oz_vec3 b)
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

void trace(const oz_painting *painting, uint32_t threads, oz_picture *picture, oz_vec3 *light)
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

oz_picture test_paint(const oz_painting *painting, uint32_t threads)
{
	oz_picture picture;
	trace(painting, threads, &picture, NULL);
	return picture;
}

oz_vec3 *test_light_of(const oz_painting *painting)
{
	oz_picture picture;
	oz_vec3 *light = malloc(sizeof *light * WIDTH * HEIGHT);
	assert_non_null(light);
	trace(painting, 0, &picture, light);
	oz_picture_free(&picture);
	return light;
}

oz_vec3 test_light_at(const oz_vec3 *light, const oz_camera *camera, oz_vec3 point)
{
	const oz_vec3 at = oz_camera_project(camera, point);
	assert_true(at.x >= 0 && at.y >= 0 && at.x < WIDTH && at.y < HEIGHT);
	return light[(uint32_t)at.y * WIDTH + (uint32_t)at.x];
}

void test_same_picture(const oz_picture *a, const oz_picture *b)
{
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	assert_memory_equal(a->pixels, b->pixels, (size_t)a->width * a->height * 3);
}
