// join.c: concatenates meshes into one.
//
// All arrays of the mesh lie in one allocation, which is reused for the next mesh.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "show/show.h"

// The arrays of a joined mesh, in their order in memory.
typedef struct joint_arrays {
	oz_vec3 *position, *normal, *velocity, *colour;
	uint32_t *body, *material, (*triangles)[3];
} joint_arrays;

// Places the arrays in the allocation.
static joint_arrays arrays_in(char *memory, size_t vertices)
{
	const size_t vectors = sizeof(oz_vec3) * vertices, numbers = sizeof(uint32_t) * vertices;
	char *rest = memory + 4 * vectors;
	return (joint_arrays){(void *)memory,
	                      (void *)(memory + vectors),
	                      (void *)(memory + 2 * vectors),
	                      (void *)(memory + 3 * vectors),
	                      (void *)rest,
	                      (void *)(rest + numbers),
	                      (void *)(rest + 2 * numbers)};
}

// Copies a mesh to the given first vertex and first triangle.
static void copy_mesh(const joint_arrays *a, const oz_surface_mesh *m, uint32_t vertex,
                      uint32_t triangle)
{
	const size_t n = m->vertex_count;
	memcpy(a->position + vertex, m->position, sizeof *m->position * n);
	memcpy(a->normal + vertex, m->normal, sizeof *m->normal * n);
	memcpy(a->velocity + vertex, m->velocity, sizeof *m->velocity * n);
	memcpy(a->colour + vertex, m->colour, sizeof *m->colour * n);
	memcpy(a->body + vertex, m->body, sizeof *m->body * n);
	memcpy(a->material + vertex, m->material, sizeof *m->material * n);
	for (uint32_t k = 0; k < m->triangle_count; k++)
		for (int c = 0; c < 3; c++)
			a->triangles[triangle + k][c] = vertex + m->triangles[k][c];
}

static bool make_room(oz_show_joint *joint, uint64_t vertices, uint64_t triangles)
{
	const size_t size = (4 * sizeof(oz_vec3) + 2 * sizeof(uint32_t)) * (size_t)vertices +
	                    3 * sizeof(uint32_t) * (size_t)triangles + 1;
	if (size <= joint->size)
		return true;
	free(joint->memory);
	joint->memory = malloc(size);
	joint->size = joint->memory ? size : 0;
	return joint->memory;
}

oz_result oz_show_join(oz_show_joint *joint, const oz_surface_mesh *const *parts, uint32_t count,
                       oz_error *error)
{
	uint64_t vertices = 0, triangles = 0;
	for (uint32_t k = 0; k < count; k++) {
		vertices += parts[k]->vertex_count;
		triangles += parts[k]->triangle_count;
	}
	if (vertices >= OZ_NONE || triangles >= OZ_NONE || !make_room(joint, vertices, triangles))
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a mesh of %.0f vertices; make one for each body "
		               "with --each body",
		               (double)vertices);
	const joint_arrays a = arrays_in(joint->memory, (size_t)vertices);
	uint32_t vertex = 0, triangle = 0;
	for (uint32_t k = 0; k < count; k++) {
		copy_mesh(&a, parts[k], vertex, triangle);
		vertex += parts[k]->vertex_count;
		triangle += parts[k]->triangle_count;
	}
	joint->mesh = (oz_surface_mesh){.vertex_count = vertex,
	                                .triangle_count = triangle,
	                                .position = a.position,
	                                .normal = a.normal,
	                                .velocity = a.velocity,
	                                .colour = a.colour,
	                                .body = a.body,
	                                .material = a.material,
	                                .triangles = (const uint32_t(*)[3])a.triangles};
	return OZ_OK;
}
