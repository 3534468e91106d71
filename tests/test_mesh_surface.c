// test_mesh_surface.c: meshes as one layer of particles, and lines as one row: how many, how far
// apart, and whether every place of the surface has one near.
#include "meshes.h"
#include "scene/scene.h"

typedef struct layer {
	oz_mesh mesh;
	float spacing;
	oz_vec3 *at;
	uint32_t count;
} layer;

// ---- surfaces ---------------------------------------------------------------------------------

static layer covered(oz_mesh mesh, float spacing)
{
	layer l = {.mesh = mesh, .spacing = spacing};
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_fill_surface(&l.mesh, spacing, &l.at, &l.count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return l;
}

static void layer_free(layer *l)
{
	oz_mesh_free(&l->mesh);
	oz_points_free(l->at);
}

// A rectangle at y = 0 of so many squares, two triangles each.
static oz_mesh sheet(uint32_t nx, uint32_t nz, float x, float z)
{
	oz_mesh m = test_mesh((nx + 1) * (nz + 1), nx * nz * 2);
	for (uint32_t i = 0; i < m.vertex_count; i++)
		m.vertices[i] = oz_v3(x * (float)(i / (nz + 1)) / (float)nx, 0,
		                      z * (float)(i % (nz + 1)) / (float)nz);
	for (uint32_t i = 0; i < nx * nz; i++) {
		const uint32_t a = i / nz * (nz + 1) + i % nz, b = a + nz + 1;
		memcpy(m.triangles[2 * i], (uint32_t[3]){a, a + 1, b}, sizeof(uint32_t[3]));
		memcpy(m.triangles[2 * i + 1], (uint32_t[3]){b, a + 1, b + 1}, sizeof(uint32_t[3]));
	}
	return m;
}

static void corners_of(const oz_mesh *m, uint32_t triangle, oz_vec3 v[3])
{
	for (int k = 0; k < 3; k++)
		v[k] = m->vertices[m->triangles[triangle][k]];
}

static double triangle_area(const oz_mesh *m, uint32_t triangle)
{
	oz_vec3 v[3];
	corners_of(m, triangle, v);
	return 0.5 * (double)oz_length(oz_cross(oz_sub(v[1], v[0]), oz_sub(v[2], v[0])));
}

static double area_of(const oz_mesh *m)
{
	double area = 0;
	for (uint32_t i = 0; i < m->triangle_count; i++)
		area += triangle_area(m, i);
	return area;
}

// The distance to the nearest point but one, in spacings.
static float nearest(const layer *l, oz_vec3 p, uint32_t but)
{
	float best = INFINITY;
	for (uint32_t i = 0; i < l->count; i++)
		if (i != but)
			best = fminf(best, oz_length2(oz_sub(p, l->at[i])));
	return sqrtf(best) / l->spacing;
}

static float least_distance(const layer *l)
{
	float least = INFINITY;
	for (uint32_t i = 0; i < l->count; i++)
		least = fminf(least, nearest(l, l->at[i], i));
	return least;
}

// The widest gap: from all corners, and from places strewn over the triangles, corners and edges
// included.
static float widest_gap(const layer *l)
{
	const uint32_t places = 3000000 / l->count;
	const double stride = area_of(&l->mesh) / places;
	float widest = 0;
	double passed = 0;
	uint64_t seed = 1;
	for (uint32_t t = 0; t < l->mesh.triangle_count; t++) {
		oz_vec3 v[3];
		corners_of(&l->mesh, t, v);
		if (l->mesh.triangle_count < 1000)
			for (int k = 0; k < 3; k++)
				widest = fmaxf(widest, nearest(l, v[k], UINT32_MAX));
		for (passed += triangle_area(&l->mesh, t); passed > stride; passed -= stride) {
			float u = (float)test_random(&seed), w = (float)test_random(&seed);
			const bool beyond = u + w > 1;
			u = beyond ? 1 - u : u;
			w = beyond ? 1 - w : w;
			const oz_vec3 on = oz_mad(v[0], oz_sub(v[1], v[0]), u);
			widest = fmaxf(widest,
			               nearest(l, oz_mad(on, oz_sub(v[2], v[0]), w), UINT32_MAX));
		}
	}
	return widest;
}

static void expect_even(const char *name, layer l)
{
	const double wanted = area_of(&l.mesh) / ((double)l.spacing * (double)l.spacing);
	const float least = least_distance(&l), widest = widest_gap(&l);
	if (fabs(l.count - wanted) > 0.05 * wanted + 0.5)
		fail_msg("%s: %u points, %.1f wanted", name, l.count, wanted);
	if (!(least >= 0.75f))
		fail_msg("%s: two points at %g spacings", name, (double)least);
	if (!(widest <= 1))
		fail_msg("%s: no point within %g spacings", name, (double)widest);
	layer_free(&l);
}

static void layers_are_even_and_without_gaps(void **state)
{
	(void)state;
	expect_even("cube", covered(test_mesh_cube(), 0.06f));
	expect_even("tetrahedron", covered(test_mesh_tetrahedron(), 0.04f));
	expect_even("ball", covered(test_mesh_ball(0.5f, 4), 0.06f));
	expect_even("coarse ball", covered(test_mesh_ball(0.5f, 4), 0.3f));
	expect_even("torus", covered(test_mesh_torus(0.5f, 0.12f, 60, 30), 0.05f));
	expect_even("sheet", covered(sheet(1, 1, 1, 0.7f), 0.03f));
	oz_mesh open = test_mesh_cube();
	open.triangle_count -= 2;
	expect_even("open cube", covered(open, 0.05f));
}

// Many triangles to a point, or many points to a triangle, or slivers: the layer is the same.
static void triangles_do_not_matter(void **state)
{
	(void)state;
	expect_even("soup", covered(sheet(300, 300, 1, 1), 0.05f));
	expect_even("slivers", covered(sheet(400, 1, 1, 1), 0.05f));
	expect_even("long slivers", covered(sheet(1, 2000, 3, 0.5f), 0.05f));
	expect_even("fine ball", covered(test_mesh_ball(0.5f, 6), 0.06f));
	layer fine = covered(sheet(100, 100, 1, 1), 0.1f);
	assert_int_equal(fine.count, 100);
	layer_free(&fine);
}

static void ball_points_lie_on_the_ball(void **state)
{
	(void)state;
	layer l = covered(test_mesh_ball(0.5f, 5), 0.05f);
	for (uint32_t i = 0; i < l.count; i++) {
		const float off = oz_length(l.at[i]) - 0.5f;
		if (!(fabsf(off) < 0.02f * l.spacing))
			fail_msg("a point lies %g m off the ball", (double)off);
	}
	layer_free(&l);
}

// A flat mesh gives a flat layer, wherever it lies, and no point beyond its border.
static void sheet_points_stay_within_the_border(void **state)
{
	(void)state;
	for (uint32_t squares = 1; squares <= 200; squares += 199) {
		layer l =
		        covered(test_mesh_placed(sheet(squares, squares, 1, 1), 1, oz_v3(3, -2, 5)),
		                0.04f);
		for (uint32_t i = 0; i < l.count; i++) {
			assert_true(fabsf(l.at[i].y + 2) < 1e-6f);
			assert_true(l.at[i].x > 3 && l.at[i].x < 4);
			assert_true(l.at[i].z > 5 && l.at[i].z < 6);
		}
		layer_free(&l);
	}
}

// A ribbon narrower than a spacing: as many points as its area asks for, all along it.
static void narrow_ribbon_is_filled_all_along(void **state)
{
	(void)state;
	layer l = covered(sheet(1, 1, 4, 0.02f), 0.05f);
	assert_int_equal(l.count, 32);
	for (float x = 0.1f; x < 4; x += 0.05f)
		assert_true(nearest(&l, oz_v3(x, 0, 0.01f), UINT32_MAX) * 0.05f < 0.13f);
	layer_free(&l);
}

static void same_mesh_gives_the_same_layer(void **state)
{
	(void)state;
	layer a = covered(test_mesh_torus(0.5f, 0.15f, 50, 20), 0.04f);
	layer b = covered(test_mesh_torus(0.5f, 0.15f, 50, 20), 0.04f);
	assert_int_equal(a.count, b.count);
	assert_memory_equal(a.at, b.at, a.count * sizeof *a.at);
	layer_free(&a);
	layer_free(&b);
}

static void expect_bare(oz_mesh m, float spacing, oz_result code, const char *text)
{
	oz_vec3 *points = (oz_vec3 *)&m;
	uint32_t count = 7;
	oz_error error = {OZ_OK, ""};
	assert_int_equal(oz_mesh_fill_surface(&m, spacing, &points, &count, &error), code);
	assert_null(points);
	assert_int_equal(count, 0);
	assert_string_equal(error.text, text);
	oz_mesh_free(&m);
}

static void bad_surfaces_are_told(void **state)
{
	(void)state;
	expect_bare(sheet(1, 1, 1, 1), 0, OZ_ERROR_ARGUMENT,
	            "the spacing to cover the mesh with is 0 m; it must be at least 1e-15 m");
	expect_bare(sheet(1, 1, 1, 0), 0.1f, OZ_ERROR_MESH,
	            "the mesh has no area: its triangles are lines or points; export it as a "
	            "surface");
	expect_bare(sheet(1, 1, 1, 1), 2, OZ_ERROR_ARGUMENT,
	            "the surface of the mesh, 1 m², is too small for a point at a spacing of 2 m; "
	            "use a spacing of 1 m, or a larger scale");
	expect_bare(sheet(1, 1, 1, 1), 1e-5f, OZ_ERROR_MEMORY,
	            "the surface of the mesh takes about 1e+10 points at a spacing of 1e-05 m, "
	            "more "
	            "than 2^31; use a spacing of 2.3e-05 m");
	expect_bare(sheet(1, 1, 100, 1), 1e-6f, OZ_ERROR_ARGUMENT,
	            "the mesh is 100 m wide, more than 1e+06 times the spacing of 1e-06 m; check "
	            "its scale, or make the spacing larger");
	oz_mesh m = sheet(1, 1, 1, 1);
	m.vertices[2].x = NAN;
	expect_bare(m, 0.1f, OZ_ERROR_MESH,
	            "vertex 2 of the mesh is (nan, 0, 0), which is not finite; repair the file or "
	            "its "
	            "scale");
	expect_bare((oz_mesh){0}, 0.1f, OZ_ERROR_MESH,
	            "the mesh has no triangles; export it as a surface");
	assert_int_equal(oz_mesh_fill_surface(NULL, 1, NULL, NULL, NULL), OZ_ERROR_ARGUMENT);
}

// ---- lines ------------------------------------------------------------------------------------

static layer along_lines(const char *obj, float spacing)
{
	layer l = {.spacing = spacing};
	oz_error error = {OZ_OK, ""};
	test_write_text("lines.obj", obj);
	if (oz_mesh_load_lines("lines.obj", &l.mesh, &error) != OZ_OK ||
	    oz_mesh_fill_lines(&l.mesh, spacing, &l.at, &l.count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return l;
}

static void polyline_is_filled_evenly_along_its_length(void **state)
{
	(void)state;
	// 1 m along x and 0.5 m up, drawn in an order of its own and once more
	layer l =
	        along_lines("v 1 0 0\nv 0 0 0\nv 1 0.5 0\nv 0.3 0 0\nl 4 1\nl 2 4\nl 3 1\nl 1 3\n",
	                    0.05f);
	assert_int_equal(l.count, 30);
	uint32_t low = 0;
	for (uint32_t i = 0; i < l.count; i++) {
		const double along = (double)(l.at[i].x + l.at[i].y) / 0.05 - 0.5;
		assert_true(fabs(along - round(along)) < 1e-4);
		assert_true(l.at[i].y == 0 || fabsf(l.at[i].x - 1) < 1e-6f);
		low += l.at[i].y == 0;
	}
	assert_int_equal(low, 20);
	assert_true(fabsf(least_distance(&l) - sqrtf(0.5f)) < 1e-4f); // around the corner
	layer_free(&l);
}

static void ring_closes_evenly(void **state)
{
	(void)state;
	char obj[8192];
	size_t at = 0;
	for (int i = 0; i < 90; i++)
		at += (size_t)snprintf(obj + at, sizeof obj - at, "v %.9g 0 %.9g\n",
		                       0.3 * cos(2 * PI * i / 90), 0.3 * sin(2 * PI * i / 90));
	at += (size_t)snprintf(obj + at, sizeof obj - at, "l");
	for (int i = 0; i <= 90; i++)
		at += (size_t)snprintf(obj + at, sizeof obj - at, " %d", i % 90 + 1);
	layer l = along_lines(obj, 0.031f);
	assert_int_equal(l.count, 61); // 1.8846 m
	for (uint32_t i = 0; i < l.count; i++) {
		const float on = oz_length(oz_sub(l.at[(i + 1) % l.count], l.at[i]));
		assert_true(fabsf(on - 1.88458f / 61) < 0.02f * l.spacing);
	}
	assert_true(least_distance(&l) > 0.98f);
	layer_free(&l);
}

// Three rods that meet at one place.
static void fork_has_all_of_its_rods(void **state)
{
	(void)state;
	layer l =
	        along_lines("v 0 0 0\nv 1 0 0\nv -0.5 0.866 0\nv -0.5 -0.866 0\nl 1 2\nl 1 3\nl 1 "
	                    "4\n",
	                    0.1f);
	assert_int_equal(l.count, 30);
	assert_true(least_distance(&l) > 0.8f);
	layer_free(&l);
}

static void bad_lines_are_told(void **state)
{
	(void)state;
	oz_mesh m;
	oz_vec3 *points;
	uint32_t count;
	oz_error error;
	test_mesh_save(test_mesh_cube(), "cube.obj");
	assert_int_equal(oz_mesh_load_lines("cube.obj", &m, &error), OZ_ERROR_MESH);
	assert_string_equal(error.text,
	                    "cube.obj holds triangles and no lines; export it with edges alone, as "
	                    "OBJ");
	test_write_text("short.obj", "v 0 0 0\nv 0.1 0 0\nl 1 2\n");
	assert_int_equal(oz_mesh_load_lines("short.obj", &m, &error), OZ_OK);
	assert_int_equal(oz_mesh_fill_lines(&m, 1, &points, &count, &error), OZ_ERROR_ARGUMENT);
	assert_string_equal(error.text,
	                    "the longest line of the mesh, 0.1 m, is too short for a point at a "
	                    "spacing of 1 m; make it longer, or the spacing smaller");
	assert_int_equal(oz_mesh_fill_lines(&m, 1e-12f, &points, &count, &error), OZ_ERROR_MEMORY);
	assert_int_equal(oz_mesh_fill_lines(&m, -1, &points, &count, &error), OZ_ERROR_ARGUMENT);
	assert_null(points);
	oz_mesh_free(&m);
}

// ---- scenes -----------------------------------------------------------------------------------

static oz_result build(const char *text, uint32_t *count, oz_error *error)
{
	oz_scene *scene = NULL;
	oz_world *world = NULL;
	oz_result result = oz_scene_parse(text, strlen(text), "t.json", ".", &scene, error);
	if (result == OZ_OK)
		result = oz_scene_build(scene, "cpu", 1, NULL, &world, error);
	if (result == OZ_OK && oz_scene_write(scene, "resolved.json", error) != OZ_OK)
		fail_msg("%s", error->text);
	*count = world ? oz_world_particle_count(world) : 0;
	oz_world_destroy(world);
	oz_scene_free(scene);
	return result;
}

#define BODY(rest)                                                                                 \
	"{\"world\": {\"spacing\": 0.05}, \"bodies\": [{\"material\": \"water\", " rest "}]}"

static void expect_particles(const char *text, uint32_t wanted)
{
	oz_error error = {OZ_OK, ""};
	uint32_t count, again = 0;
	oz_scene *scene = NULL;
	oz_world *world = NULL;
	if (build(text, &count, &error) != OZ_OK ||
	    oz_scene_load("resolved.json", &scene, &error) != OZ_OK ||
	    oz_scene_build(scene, "cpu", 1, NULL, &world, &error) != OZ_OK)
		fail_msg("%s", error.text);
	again = oz_world_particle_count(world);
	oz_world_destroy(world);
	oz_scene_free(scene);
	assert_int_equal(count, wanted);
	assert_int_equal(again, wanted);
}

static void scenes_have_layers_and_rows(void **state)
{
	(void)state;
	oz_mesh open = test_mesh_cube();
	open.triangle_count -= 2;
	test_mesh_save(open, "open.obj");
	test_write_text("bow.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n");
	expect_particles(BODY("\"mesh\": \"open.obj\", \"fill\": \"surface\""), 2000);
	expect_particles(BODY("\"mesh\": \"open.obj\", \"fill\": \"surface\", \"scale\": 0.5"),
	                 500);
	expect_particles(BODY("\"mesh\": \"bow.obj\", \"fill\": \"line\", \"scale\": 2"), 80);
}

static void expect_no_scene(const char *text, const char *sentence)
{
	oz_error error = {OZ_OK, ""};
	uint32_t count;
	assert_int_not_equal(build(text, &count, &error), OZ_OK);
	if (!strstr(error.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, error.text);
}

static void scenes_tell_what_no_layer_is(void **state)
{
	(void)state;
	test_write_text("bow.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n");
	expect_no_scene(BODY("\"mesh\": \"bow.obj\", \"fill\": \"surface\""),
	                "bodies[0].mesh: ./bow.obj holds lines and no triangles");
	expect_no_scene(BODY("\"shape\": \"box\", \"size\": [1, 1, 1], \"fill\": \"surface\""),
	                "bodies[0].fill is for meshes; the shapes of one layer or one row are the "
	                "sheet and the rod");
	oz_mesh open = test_mesh_cube();
	open.triangle_count -= 2;
	test_mesh_save(open, "open.obj");
	expect_no_scene(BODY("\"mesh\": \"open.obj\""), "is open");
	expect_no_scene(BODY("\"mesh\": \"open.obj\", \"fill\": \"surface\", \"scale\": 1e3"),
	                "takes the scene beyond the memory");
	expect_no_scene(BODY("\"mesh\": \"open.obj\", \"fill\": \"surface\", \"scale\": 1e6"),
	                "brings the scene to 2e+15 particles, and 2147483648 is the most");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(layers_are_even_and_without_gaps),
	        cmocka_unit_test(triangles_do_not_matter),
	        cmocka_unit_test(ball_points_lie_on_the_ball),
	        cmocka_unit_test(sheet_points_stay_within_the_border),
	        cmocka_unit_test(narrow_ribbon_is_filled_all_along),
	        cmocka_unit_test(same_mesh_gives_the_same_layer),
	        cmocka_unit_test(bad_surfaces_are_told),
	        cmocka_unit_test(polyline_is_filled_evenly_along_its_length),
	        cmocka_unit_test(ring_closes_evenly),
	        cmocka_unit_test(fork_has_all_of_its_rods),
	        cmocka_unit_test(bad_lines_are_told),
	        cmocka_unit_test(scenes_have_layers_and_rows),
	        cmocka_unit_test(scenes_tell_what_no_layer_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
