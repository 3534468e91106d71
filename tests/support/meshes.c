// meshes.c: small meshes made by hand.
#include "meshes.h"

oz_mesh test_mesh(uint32_t vertices, uint32_t triangles)
{
	return (oz_mesh){calloc(vertices, sizeof(oz_vec3)), vertices,
	                 calloc(triangles, sizeof(uint32_t[3])), triangles};
}

oz_mesh test_mesh_cube(void)
{
	static const uint32_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
	                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
	                                      {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
	oz_mesh m = test_mesh(8, 12);
	for (uint32_t i = 0; i < 8; i++)
		m.vertices[i] = oz_v3((float)(i & 1) - 0.5f, (float)(i >> 1 & 1) - 0.5f,
		                      (float)(i >> 2) - 0.5f);
	memcpy(m.triangles, faces, sizeof faces);
	return m;
}

oz_mesh test_mesh_tetrahedron(void)
{
	static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
	oz_mesh m = test_mesh(4, 4);
	m.vertices[1] = oz_v3(1, 0, 0);
	m.vertices[2] = oz_v3(0, 1, 0);
	m.vertices[3] = oz_v3(0, 0, 1);
	memcpy(m.triangles, faces, sizeof faces);
	return m;
}

// Parts every triangle into four, with vertices of its own for each.
static oz_mesh test_mesh_parted(oz_mesh from, float radius)
{
	oz_mesh m = test_mesh(from.triangle_count * 12, from.triangle_count * 4);
	static const int corners[4][3][2] = {{{0, 0}, {0, 1}, {2, 0}},
	                                     {{0, 1}, {1, 1}, {1, 2}},
	                                     {{2, 0}, {1, 2}, {2, 2}},
	                                     {{0, 1}, {1, 2}, {2, 0}}};
	for (uint32_t i = 0; i < from.triangle_count * 12; i++) {
		const uint32_t *t = from.triangles[i / 12];
		const int *pair = corners[i % 12 / 3][i % 3];
		const oz_vec3 a = from.vertices[t[pair[0]]], b = from.vertices[t[pair[1]]];
		m.vertices[i] = oz_scale(oz_normalize(oz_add(a, b)), radius);
		m.triangles[i / 3][i % 3] = i;
	}
	oz_mesh_free(&from);
	return m;
}

oz_mesh test_mesh_ball(float radius, int times)
{
	oz_mesh m = test_mesh_cube();
	for (int i = 0; i < times; i++)
		m = test_mesh_parted(m, radius);
	return m;
}

oz_mesh test_mesh_torus(float ring, float tube, uint32_t around, uint32_t across)
{
	oz_mesh m = test_mesh(around * across, around * across * 2);
	for (uint32_t i = 0; i < m.vertex_count; i++) {
		const double u = 2 * PI * (i / across) / around, v = 2 * PI * (i % across) / across;
		const double r = (double)ring + (double)tube * cos(v);
		m.vertices[i] = oz_v3((float)(r * cos(u)), (float)((double)tube * sin(v)),
		                      (float)(r * sin(u)));
		const uint32_t row = i / across * across, up = row + (i + 1) % across;
		const uint32_t next = across * around, a = (i + across) % next;
		const uint32_t b = (up + across) % next;
		memcpy(m.triangles[2 * i], (uint32_t[3]){i, up, b}, sizeof(uint32_t[3]));
		memcpy(m.triangles[2 * i + 1], (uint32_t[3]){i, b, a}, sizeof(uint32_t[3]));
	}
	return m;
}

oz_mesh test_mesh_joined(oz_mesh a, oz_mesh b)
{
	oz_mesh m = test_mesh(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
	memcpy(m.vertices, a.vertices, a.vertex_count * sizeof *a.vertices);
	memcpy(m.vertices + a.vertex_count, b.vertices, b.vertex_count * sizeof *b.vertices);
	memcpy(m.triangles, a.triangles, a.triangle_count * sizeof *a.triangles);
	for (uint32_t i = 0; i < b.triangle_count * 3; i++)
		m.triangles[a.triangle_count + i / 3][i % 3] =
		        b.triangles[i / 3][i % 3] + a.vertex_count;
	oz_mesh_free(&a);
	oz_mesh_free(&b);
	return m;
}

oz_mesh test_mesh_placed(oz_mesh m, float scale, oz_vec3 position)
{
	oz_mesh_transform(&m, oz_v3(scale, scale, scale), oz_quat_identity(), position);
	return m;
}

oz_mesh test_mesh_flipped(oz_mesh m)
{
	for (uint32_t i = 0; i < m.triangle_count; i++) {
		const uint32_t swap = m.triangles[i][0];
		m.triangles[i][0] = m.triangles[i][1];
		m.triangles[i][1] = swap;
	}
	return m;
}

void test_mesh_is_closed(const oz_mesh *m)
{
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_check_closed(m, "m", &error) != OZ_OK)
		fail_msg("%s", error.text);
}

uint32_t test_mesh_fill_count(const oz_mesh *m, float spacing, oz_fill fill)
{
	oz_vec3 *points;
	uint32_t count;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_fill(m, spacing, fill, &points, &count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_points_free(points);
	return count;
}
