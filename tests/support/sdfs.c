// sdfs.c: meshes that SDFs are made of, and their SDFs.
#include "sdfs.h"

oz_mesh test_mesh_welded(oz_mesh m)
{
	uint32_t *to = malloc(sizeof *to * m.vertex_count), count = 0;
	for (uint32_t i = 0; i < m.vertex_count; i++) {
		uint32_t j = 0;
		while (j < count && memcmp(&m.vertices[j], &m.vertices[i], sizeof(oz_vec3)) != 0)
			j++;
		to[i] = j;
		m.vertices[j] = m.vertices[i];
		count += j == count;
	}
	for (uint32_t i = 0; i < 3 * m.triangle_count; i++)
		m.triangles[i / 3][i % 3] = to[m.triangles[i / 3][i % 3]];
	m.vertex_count = count;
	free(to);
	return m;
}

oz_mesh test_mesh_stretched(oz_mesh m, float x, float y, float z)
{
	oz_mesh_transform(&m, oz_v3(x, y, z), oz_quat_identity(), oz_v3(0, 0, 0));
	return m;
}

oz_mesh test_mesh_rotated(oz_mesh m)
{
	const oz_quat q = {0.2f, 0.5f, -0.3f, 0.78f};
	oz_mesh_transform(&m, oz_v3(1, 1, 1), q, oz_v3(0.013f, -0.027f, 0.041f));
	return m;
}

oz_vec3 test_trefoil(double u)
{
	return oz_v3((float)(0.3 * (sin(u) + 2 * sin(2 * u))),
	             (float)(0.3 * (cos(u) - 2 * cos(2 * u))), (float)(-0.4 * sin(3 * u)));
}

oz_vec3 test_eight(double u)
{
	return oz_v3((float)sin(u), (float)(sin(u) * cos(u)), 0);
}

oz_mesh test_mesh_tube(curve at, float radius, uint32_t around, uint32_t across)
{
	oz_mesh m = test_mesh_torus(1, radius, around, across);
	for (uint32_t i = 0; i < m.vertex_count; i++) {
		const double u = 2 * PI * (i / across) / around, v = 2 * PI * (i % across) / across;
		const oz_vec3 ahead = oz_normalize(oz_sub(at(u + 1e-3), at(u - 1e-3)));
		const oz_vec3 side = oz_normalize(oz_cross(ahead, oz_v3(0.1f, 0.1f, 1)));
		const oz_vec3 up = oz_cross(side, ahead);
		const oz_vec3 out =
		        oz_add(oz_scale(side, (float)cos(v)), oz_scale(up, (float)sin(v)));
		m.vertices[i] = oz_mad(at(u), out, radius);
	}
	return m;
}

oz_mesh test_mesh_spike(void)
{
	return test_mesh_rotated(test_mesh_stretched(test_mesh_tetrahedron(), 0.02f, 1.3f, 0.05f));
}

oz_mesh test_mesh_hollow_cube(void)
{
	return test_mesh_joined(test_mesh_cube(),
	                        test_mesh_flipped(
	                                test_mesh_placed(test_mesh_cube(), 0.5f, oz_v3(0, 0, 0))));
}

oz_mesh test_mesh_overlapping(void)
{
	return test_mesh_joined(test_mesh_cube(),
	                        test_mesh_placed(test_mesh_cube(), 0.8f, oz_v3(0.4f, 0.3f, 0.2f)));
}

oz_mesh_sdf_def test_sdf_def(float cell)
{
	return (oz_mesh_sdf_def){.cell = cell, .reach = 3.3f * cell, .cache = "", .threads = 2};
}

oz_sdf *test_sdf_of(const oz_mesh *m, const oz_mesh_sdf_def *def, oz_mesh_report *report)
{
	oz_sdf *sdf = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_sdf(m, "m", def, &sdf, report, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_true(oz_sdf_is_sound(sdf));
	return sdf;
}

oz_vec3 test_sdf_node(const oz_sdf *c, uint32_t place, uint32_t node)
{
	const oz_sdf_frame *f = &c->frame;
	const uint32_t x = place % f->blocks[0] * 4 + node % 5;
	const uint32_t y = place / f->blocks[0] % f->blocks[1] * 4 + node / 5 % 5;
	const uint32_t z = place / (f->blocks[0] * f->blocks[1]) * 4 + node / 25;
	return oz_v3(f->origin.x + f->cell * (float)x, f->origin.y + f->cell * (float)y,
	             f->origin.z + f->cell * (float)z);
}
