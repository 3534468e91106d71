// surfaces.c: small surface meshes for files.
#include "surfaces.h"

static void view_all(surface *s)
{
	s->mesh = (oz_surface_mesh){
	        .vertex_count = s->shape.vertex_count,
	        .triangle_count = s->shape.triangle_count,
	        .position = s->shape.vertices,
	        .normal = s->normal,
	        .velocity = s->velocity,
	        .colour = s->colour,
	        .body = s->body,
	        .material = s->material,
	        .triangles = (const uint32_t(*)[3])s->shape.triangles,
	};
}

surface test_dressed(oz_mesh shape)
{
	surface s = {.shape = shape};
	// one more, so that an empty mesh has arrays too
	size_t count = shape.vertex_count + 1;
	s.normal = calloc(count, sizeof *s.normal);
	s.velocity = calloc(count, sizeof *s.velocity);
	s.colour = calloc(count, sizeof *s.colour);
	s.body = calloc(count, sizeof *s.body);
	s.material = calloc(count, sizeof *s.material);
	for (uint32_t i = 0; i < shape.vertex_count; i++) {
		float t = (float)(i + 1) / (float)shape.vertex_count;
		s.normal[i] = oz_normalize(oz_add(shape.vertices[i], oz_v3(0.01f, -0.03f, 0.02f)));
		s.velocity[i] = oz_v3(t / 3, -1e-7f * t, 12345.678f * t);
		s.colour[i] = oz_v3(t, t * t, 1 - t);
		s.body[i] = i % 5;
		s.material[i] = i % 3;
	}
	view_all(&s);
	return s;
}

void test_dressed_free(surface *s)
{
	oz_mesh_free(&s->shape);
	free(s->normal);
	free(s->velocity);
	free(s->colour);
	free(s->body);
	free(s->material);
}
