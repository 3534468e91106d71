// test_sdf.c: SDFs of meshes: distances against those to all triangles, one by one.
#include "sdfs.h"

static double to_segment(vec p, vec a, vec b)
{
	const vec ab = vec_sub(b, a), ap = vec_sub(p, a);
	double t = vec_dot(ab, ab) > 0 ? vec_dot(ap, ab) / vec_dot(ab, ab) : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	const vec d = {ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z};
	return sqrt(vec_dot(d, d));
}

// Within the three planes that stand on the edges it is the face's height, else an edge is nearest.
static double to_triangle(vec p, vec a, vec b, vec c)
{
	const vec u = vec_sub(b, a), v = vec_sub(c, a);
	const vec n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
	const vec corners[3] = {a, b, c};
	bool above = vec_dot(n, n) > 0;
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		const vec e = vec_sub(corners[(k + 1) % 3], corners[k]), q = vec_sub(p, corners[k]);
		const vec in = {n.y * e.z - n.z * e.y, n.z * e.x - n.x * e.z,
		                n.x * e.y - n.y * e.x};
		above = above && vec_dot(in, q) >= 0;
		least = fmin(least, to_segment(p, corners[k], corners[(k + 1) % 3]));
	}
	return above ? fabs(vec_dot(n, vec_sub(p, a))) / sqrt(vec_dot(n, n)) : least;
}

static double by_all_triangles(const oz_mesh *m, vec p)
{
	double least = INFINITY;
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		const uint32_t *t = m->triangles[i];
		least = fmin(least,
		             to_triangle(p, vec_wide(m->vertices[t[0]]),
		                         vec_wide(m->vertices[t[1]]), vec_wide(m->vertices[t[2]])));
	}
	return least;
}

static float size_of(const oz_mesh_report *r)
{
	return oz_max_abs(oz_sub(r->max, r->min));
}

// ---- distances --------------------------------------------------------------------------------

// Looks at some nodes of all blocks: their distances, and that their nearest points lie on the
// surface.
static void check_distances(oz_mesh m, int cells)
{
	oz_mesh_report r;
	assert_int_equal(oz_mesh_survey(&m, "m", &r, NULL), OZ_OK);
	const oz_mesh_sdf_def def = test_sdf_def(size_of(&r) / (float)cells);
	oz_sdf *c = test_sdf_of(&m, &def, &r);
	const double rounding = 1e-6 * ((double)oz_max_abs(r.max) + (double)oz_max_abs(r.min));
	uint64_t state = 7;
	uint32_t looked = 0;
	for (uint32_t place = 0; place < c->place_count; place++) {
		const uint block = c->places[place];
		for (int k = 0; k < 2 && block < OZ_SDF_INSIDE; k++, looked++) {
			const uint32_t n = test_random_bits(&state) % OZ_SDF_NODES;
			const oz_vec3 p = test_sdf_node(c, place, n);
			const oz_float4 nearest = c->nearest[block * OZ_SDF_NODES + n];
			const double truth = by_all_triangles(&m, vec_wide(p));
			assert_true(fabs(fabs((double)nearest.w) - truth) <= 1e-5 * truth);
			const vec foot =
			        vec_sub(vec_wide(p), (vec){(double)nearest.x, (double)nearest.y,
			                                   (double)nearest.z});
			assert_true(by_all_triangles(&m, foot) <= 1e-5 * truth + rounding);
			const double length =
			        (double)oz_length(oz_v3(nearest.x, nearest.y, nearest.z));
			assert_true(fabs(length - truth) <= 1e-5 * truth + rounding);
		}
	}
	assert_true(looked > 100);
	oz_sdf_release(c);
	oz_mesh_free(&m);
}

static void distances_agree_with_all_triangles(void **state)
{
	(void)state;
	check_distances(test_mesh_rotated(test_mesh_stretched(test_mesh_cube(), 1, 0.4f, 0.7f)),
	                20);
	check_distances(test_mesh_ball(0.7f, 2), 24);
	check_distances(test_mesh_ball(0.7f, 4), 24);
	check_distances(test_mesh_rotated(test_mesh_torus(1, 0.3f, 30, 12)), 30);
	check_distances(test_mesh_rotated(test_mesh_stretched(test_mesh_cube(), 1, 0.01f, 0.8f)),
	                16);
	check_distances(test_mesh_spike(), 40);
	check_distances(test_mesh_tube(test_trefoil, 0.15f, 120, 8), 32);
	check_distances(test_mesh_rotated(test_mesh_overlapping()), 20);
	check_distances(test_mesh_rotated(test_mesh_hollow_cube()), 20);
	check_distances(test_mesh_stretched(test_mesh_tube(test_eight, 0.2f, 60, 7), 40, 40, 40),
	                24);
	check_distances(test_mesh_placed(test_mesh_rotated(test_mesh_cube()), 0.5f,
	                                 oz_v3(100, -200, 300)),
	                16);
}

static void nodes_between_blocks_are_the_same_in_each(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_rotated(test_mesh_torus(1, 0.3f, 30, 12));
	const oz_mesh_sdf_def def = test_sdf_def(0.05f);
	oz_sdf *c = test_sdf_of(&m, &def, NULL);
	uint32_t looked = 0;
	for (uint32_t place = 0; place + 1 < c->place_count; place++) {
		const uint a = c->places[place], b = c->places[place + 1];
		if (a >= OZ_SDF_INSIDE || b >= OZ_SDF_INSIDE ||
		    place / c->frame.blocks[0] != (place + 1) / c->frame.blocks[0])
			continue;
		for (uint32_t n = 0; n < OZ_SDF_NODES; n += 5, looked++)
			assert_memory_equal(&c->nearest[a * OZ_SDF_NODES + n + 4],
			                    &c->nearest[b * OZ_SDF_NODES + n], sizeof(oz_float4));
	}
	assert_true(looked > 1000);
	oz_sdf_release(c);
	oz_mesh_free(&m);
}

static void shells_have_distances_on_both_sides(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_rotated(test_mesh_cube());
	oz_mesh_sdf_def def = test_sdf_def(0.05f);
	oz_sdf *solid = test_sdf_of(&m, &def, NULL);
	def.shell = true;
	oz_sdf *shell = test_sdf_of(&m, &def, NULL);
	assert_int_equal(solid->block_count, shell->block_count);
	uint32_t inside = 0;
	for (size_t k = 0; k < (size_t)shell->block_count * OZ_SDF_NODES; k++) {
		inside += solid->nearest[k].w < 0;
		assert_true(shell->nearest[k].w == fabsf(solid->nearest[k].w));
	}
	assert_true(inside > 1000);
	for (uint32_t k = 0; k < shell->place_count; k++)
		assert_true(shell->places[k] != OZ_SDF_INSIDE);
	oz_sdf_release(solid);
	oz_sdf_release(shell);
	oz_mesh_free(&m);
}

static void threads_do_not_change_an_sdf(void **state)
{
	(void)state;
	oz_mesh m = test_mesh_tube(test_trefoil, 0.15f, 120, 8);
	m.triangle_count -= 40;
	oz_mesh_sdf_def def = test_sdf_def(0.04f);
	uint64_t hashes[3];
	for (uint32_t k = 0; k < 3; k++) {
		def.threads = k + 1;
		oz_sdf *c = test_sdf_of(&m, &def, NULL);
		hashes[k] = oz_sdf_hash(c);
		oz_sdf_release(c);
	}
	assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
	oz_mesh_free(&m);
}

static void sdfs_give_their_memory_back(void **state)
{
	(void)state;
	test_memory memory = {0};
	oz_mesh m = test_mesh_cube();
	oz_mesh_sdf_def def = test_sdf_def(0.05f);
	def.hooks = test_memory_hooks(&memory);
	oz_sdf *c = test_sdf_of(&m, &def, NULL);
	assert_true(memory.bytes > 0);
	oz_sdf_release(c);
	test_memory_is_empty(&memory);
	oz_mesh_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(distances_agree_with_all_triangles),
	        cmocka_unit_test(nodes_between_blocks_are_the_same_in_each),
	        cmocka_unit_test(shells_have_distances_on_both_sides),
	        cmocka_unit_test(threads_do_not_change_an_sdf),
	        cmocka_unit_test(sdfs_give_their_memory_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
