// scene_body.c: loads the meshes of bodies: of volumes, of layers on a surface, and of rows of
// particles along lines.
//
// The mesh of a volume must be closed; that of a layer may be open; that of a row consists of
// lines, which an importer otherwise leaves out.
#include <math.h>
#include <string.h>

#include "geometry/mesh.h"
#include "scene_data.h"

static oz_result load(const oz_scene *scene, const scene_body *body, oz_mesh *mesh, oz_error *error)
{
	char path[4096];
	oz_result result = OZ_OK;
	if (body->fill == SCENE_FILL_LINE)
		return oz_scene_load_lines(scene, body->mesh, mesh, error);
	result = oz_scene_load_mesh(scene, body->mesh, mesh, path, sizeof path, error);
	if (result == OZ_OK && body->fill < OZ_FILL_COUNT)
		result = oz_mesh_check_closed(mesh, path, error);
	return result;
}

oz_result oz_scene_load_body(const oz_scene *scene, const scene_body *body, oz_mesh *mesh,
                             oz_error *error)
{
	const oz_result result = load(scene, body, mesh, error);
	if (result == OZ_OK)
		oz_mesh_transform(mesh, body->scale, body->shape.rotation, body->shape.position);
	else
		oz_mesh_free(mesh);
	return result;
}

double oz_fill_dimension(uint32_t fill)
{
	return fill == SCENE_FILL_SURFACE ? 2 : fill == SCENE_FILL_LINE ? 1 : 3;
}

typedef struct triple {
	double x, y, z;
} triple;

static triple cross(triple a, triple b)
{
	return (triple){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static triple between(oz_vec3 from, oz_vec3 to)
{
	return (triple){(double)to.x - (double)from.x, (double)to.y - (double)from.y,
	                (double)to.z - (double)from.z};
}

static double length(triple a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

double oz_scene_mesh_particles(const scene_body *body, const oz_mesh *mesh, double spacing)
{
	double sum = 0;
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const oz_vec3 a = mesh->vertices[mesh->triangles[i][0]];
		const oz_vec3 b = mesh->vertices[mesh->triangles[i][1]];
		const oz_vec3 c = mesh->vertices[mesh->triangles[i][2]];
		const triple face = cross(between(a, b), between(a, c));
		if (body->fill == SCENE_FILL_LINE)
			sum += length(between(a, b));
		else if (body->fill == SCENE_FILL_SURFACE)
			sum += length(face) / 2;
		else
			sum += ((double)a.x * face.x + (double)a.y * face.y +
			        (double)a.z * face.z) /
			       6;
	}
	return fabs(sum) / pow(spacing, oz_fill_dimension(body->fill));
}
