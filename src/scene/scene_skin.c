// scene_skin.c: meshes that are shown for bodies while they are solid.
//
// A skin is the body's own mesh or another file, and is placed as the body is. A skin whose size or
// position is wrong does not lie around the particles that carry it. This is found by comparing the
// two bounding boxes; the tolerance allows thin parts of the skin that hold no particles.
#include <string.h>

#include "base/base.h"
#include "geometry/cover.h"
#include "math/vec.h"
#include "models/traits.h"
#include "scene_data.h"

#define LOOSE  4.0f // spacings that the boxes may differ by, and these shares of the longest side:
#define BEYOND 0.5f // where the skin is larger
#define WITHIN 0.1f // where the body is

// ---- reading ----------------------------------------------------------------------------------

static oz_result read_file(scene_reader *reader, scene_body *body, const oz_json *value)
{
	const section_part *part;
	const oz_param *row = oz_section_find(&oz_section_body, "skin", &part);
	if (value->count == 0)
		return oz_read_fail(reader, value, "is empty; name a file, or write true");
	return oz_read_row(reader, row, (char *)body + part->offset, NULL, value);
}

// fails for a body that is always liquid, since it would never show its skin
static oz_result check_material(scene_reader *reader, const oz_json *value, const scene_body *body)
{
	const scene_material *material = &reader->scene->materials[body->def.material];
	const oz_material_def *def = &material->def;
	const bool whole = def->alpha >= 1.0f && !material->alpha_key_count && !body->has_alphas;
	const uint32_t shaped = oz_models_with(OZ_TRAIT_SHAPED);
	const uint32_t mixed = oz_models_with(OZ_TRAIT_ALPHA);
	char always[100], partly[100];
	if (oz_model_has(def->model, OZ_TRAIT_SHAPED) &&
	    !(oz_model_has(def->model, OZ_TRAIT_ALPHA) && whole))
		return OZ_OK;
	oz_models_words(shaped & ~mixed, always, sizeof always);
	oz_models_words(shaped & mixed, partly, sizeof partly);
	return oz_read_fail(reader, value,
	                    "is for solids, and %s is a liquid; leave the skin out, or use a "
	                    "material of model %s, or of model %s with an alpha below 1",
	                    body->material, always, partly);
}

oz_result oz_read_body_skin(scene_reader *reader, const oz_json *object, scene_body *body)
{
	const oz_json *value = oz_json_get(object, "skin");
	oz_result result = OZ_OK;
	if (!value)
		return OZ_OK;
	if (oz_json_is(value, OZ_JSON_TEXT))
		result = read_file(reader, body, value);
	else if (!oz_json_is(value, OZ_JSON_BOOL))
		result = oz_read_fail(reader, value, "needs true or a file, as in \"fine.ply\"");
	else if (value->truth && !body->mesh[0])
		result = oz_read_fail(reader, value,
		                      "is true, but the body has no mesh of its own; name "
		                      "a file, as in \"fine.ply\"");
	else if (value->truth && body->fill == SCENE_FILL_LINE)
		result = oz_read_fail(reader, value,
		                      "is true, but the body's mesh is of lines; name a "
		                      "file with triangles, as in \"fine.ply\"");
	else
		body->own_skin = value->truth;
	if (result == OZ_OK && (body->own_skin || body->skin[0]))
		result = check_material(reader, value, body);
	return result;
}

// ---- loading ----------------------------------------------------------------------------------

bool oz_scene_has_skin(const oz_scene *scene, oz_id body)
{
	return body < scene->body_count &&
	       (scene->bodies[body].own_skin || scene->bodies[body].skin[0] ||
	        oz_scene_is_surface(scene, body));
}

bool oz_scene_is_surface(const oz_scene *scene, uint32_t body)
{
	const oz_id material = scene->bodies[body].def.material;
	return oz_model_has(scene->materials[material].def.model, OZ_TRAIT_SKIN);
}

oz_result oz_scene_cover(const oz_scene *scene, uint32_t index, oz_mesh *even, oz_error *error)
{
	const scene_body *body = &scene->bodies[index];
	const float spacing = scene->world.spacing;
	oz_mesh mesh = {0};
	memset(even, 0, sizeof *even);
	if (!body->mesh[0])
		return oz_shape_cover(&body->shape, spacing, &even->vertices, &even->vertex_count,
		                      &even->triangles, &even->triangle_count, error);
	oz_result result = oz_scene_load_body(scene, body, &mesh, error);
	if (result == OZ_OK)
		result = oz_mesh_cover(&mesh, spacing, even, error);
	oz_mesh_free(&mesh);
	return result;
}

oz_result oz_scene_load_skin(const oz_scene *scene, oz_id index, oz_mesh *mesh, oz_error *error)
{
	const scene_body *body = &scene->bodies[index];
	char path[4096];
	memset(mesh, 0, sizeof *mesh);
	// a surface is its own skin
	if (!body->own_skin && !body->skin[0])
		return oz_scene_cover(scene, index, mesh, error);
	oz_result result = oz_scene_load_mesh(scene, body->own_skin ? body->mesh : body->skin, mesh,
	                                      path, sizeof path, error);
	if (result != OZ_OK)
		return result;
	result = oz_mesh_check_vertices(mesh, path, error);
	if (result != OZ_OK)
		oz_mesh_free(mesh);
	else
		oz_mesh_transform(mesh, body->scale, body->shape.rotation, body->shape.position);
	return result;
}

// ---- checking ---------------------------------------------------------------------------------

typedef struct box {
	oz_vec3 min, max;
} box;

static box box_of(const oz_vec3 *points, uint32_t count)
{
	box b = {points[0], points[0]};
	for (uint32_t i = 1; i < count; i++) {
		b.min = oz_min3(b.min, points[i]);
		b.max = oz_max3(b.max, points[i]);
	}
	return b;
}

// how far one box reaches out of another
static float reach_out(const box *a, const box *of)
{
	const oz_vec3 out = oz_max3(oz_sub(of->min, a->min), oz_sub(a->max, of->max));
	return oz_max(out.x, oz_max(out.y, out.z));
}

oz_result oz_scene_check_skin(const oz_scene *scene, uint32_t index, const oz_vec3 *points,
                              uint32_t count, oz_error *error)
{
	oz_mesh mesh;
	// a mesh that was filled lies around its particles
	if (!scene->bodies[index].skin[0] || count == 0)
		return OZ_OK;
	oz_result result = oz_scene_load_skin(scene, index, &mesh, error);
	if (result != OZ_OK)
		return result;
	const box a = box_of(points, count), b = box_of(mesh.vertices, mesh.vertex_count);
	const float side = oz_max_abs(oz_sub(a.max, a.min)), spare = LOOSE * scene->world.spacing;
	if (reach_out(&b, &a) > spare + BEYOND * side || reach_out(&a, &b) > spare + WITHIN * side)
		result = oz_fail(
		        error, OZ_ERROR_SCENE,
		        "the skin reaches from (%g, %g, %g) to (%g, %g, %g), the body's particles "
		        "from (%g, %g, %g) to (%g, %g, %g); give the mesh the size and place of "
		        "the body, or set scale",
		        (double)b.min.x, (double)b.min.y, (double)b.min.z, (double)b.max.x,
		        (double)b.max.y, (double)b.max.z, (double)a.min.x, (double)a.min.y,
		        (double)a.min.z, (double)a.max.x, (double)a.max.y, (double)a.max.z);
	oz_mesh_free(&mesh);
	return result;
}
