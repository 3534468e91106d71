// scene_build.c: a world from a scene.
//
// Materials, then colliders, bodies, emitters, handles, regions, adhesions and interfaces, each in
// the order of the file, so that their numbers are their places there; colliders come before the
// bodies, which make room for them. Trouble on the way is told with the line of the entry it came
// from.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/mesh.h"
#include "models/capillary/capillary.h"
#include "models/model.h"
#include "scene_data.h"
#include "world/estimate.h"

typedef struct builder {
	oz_scene *scene; // left as it is, but for what is remembered of the last build
	oz_world *world;
	oz_hooks hooks;
	double particles; // so far, in all bodies
	scene_room room;
	scene_points *placed; // of each body
	uint32_t threads;
	oz_error *error;
} builder;

bool oz_scene_mesh_path(const char *folder, const char *mesh, char *path, size_t size)
{
	bool absolute = mesh[0] == '/' || folder[0] == 0;
	int length =
	        snprintf(path, size, "%s%s%s", absolute ? "" : folder, absolute ? "" : "/", mesh);
	return length >= 0 && (size_t)length < size;
}

// what a sentence of the library says about entry `index` of a list, without its subject, as the
// place in the scene names it already: " holds nothing …" of "handle 1 holds nothing …"; NULL: the
// sentence is about something else
static const char *said_of(const char *list, uint32_t index, const char *text)
{
	static const struct {
		const char *list, *noun;
		bool numbered;
	} rows[] = {{"colliders", "collider", true},    {"emitters", "emitter", true},
	            {"handles", "handle", true},        {"regions", "region", true},
	            {"adhesion", "an adhesion", false}, {"interfaces", "an interface", false}};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		char subject[32];
		const int length =
		        rows[k].numbered
		                ? snprintf(subject, sizeof subject, "%s %u", rows[k].noun, index)
		                : snprintf(subject, sizeof subject, "%s", rows[k].noun);
		if (strcmp(list, rows[k].list) == 0 &&
		    strncmp(text, subject, (size_t)length) == 0 &&
		    (text[length] == ' ' || text[length] == '.'))
			return text + length;
	}
	return NULL;
}

// hands on what went wrong below, with its place in the scene
static oz_result fail_entry(builder *b, const char *list, uint32_t index, const char *key,
                            const oz_error *cause)
{
	const oz_json *entry = oz_scene_entry(b->scene, list, index);
	const char *said = key ? NULL : said_of(list, index, cause->text);
	if (said)
		return oz_scene_fail(b->scene, entry, b->error, cause->code, "%s", said);
	return oz_scene_fail(b->scene, key ? oz_json_near(entry, key) : entry, b->error,
	                     cause->code, ": %s", cause->text);
}

static oz_result lay_mesh(const oz_mesh *mesh, float spacing, uint32_t fill, oz_vec3 **points,
                          uint32_t *count, oz_error *cause)
{
	if (fill == SCENE_FILL_SURFACE)
		return oz_mesh_fill_surface(mesh, spacing, points, count, cause);
	if (fill == SCENE_FILL_LINE)
		return oz_mesh_fill_lines(mesh, spacing, points, count, cause);
	return oz_mesh_fill(mesh, spacing, (oz_fill)fill, points, count, cause);
}

static oz_result fill_mesh(builder *b, uint32_t index, oz_vec3 **points, uint32_t *count)
{
	const scene_body *body = &b->scene->bodies[index];
	const double spacing = (double)b->scene->world.spacing;
	oz_mesh mesh;
	oz_error cause;
	memset(&mesh, 0, sizeof mesh);
	oz_result result = oz_scene_load_body(b->scene, body, &mesh, &cause);
	if (result != OZ_OK)
		return fail_entry(b, "bodies", index, "mesh", &cause);
	const double wanted = b->particles + oz_scene_mesh_particles(body, &mesh, spacing);
	const double most = fmin(OZ_SCENE_MAX_PARTICLES, b->room.memory / b->room.each);
	const double fits = spacing * pow(wanted / most, 1 / oz_fill_dimension(body->fill));
	const oz_json *entry = oz_scene_entry(b->scene, "bodies", index);
	if (wanted > OZ_SCENE_MAX_PARTICLES) {
		result = oz_scene_too_many(b->scene, entry, wanted, fits, b->error);
	} else if (wanted * b->room.each > b->room.memory) {
		result = oz_scene_too_large(b->scene, entry, wanted, &b->room, fits, b->error);
	} else {
		result =
		        lay_mesh(&mesh, b->scene->world.spacing, body->fill, points, count, &cause);
		if (result != OZ_OK)
			result = fail_entry(b, "bodies", index, "mesh", &cause);
	}
	oz_mesh_free(&mesh);
	return result;
}

static oz_result fill_shape(builder *b, uint32_t index, oz_vec3 **points, uint32_t *count)
{
	const scene_body *body = &b->scene->bodies[index];
	oz_error cause;
	oz_result result = oz_shape_fill(&body->shape, b->scene->world.spacing, (oz_fill)body->fill,
	                                 points, count, &cause);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "bodies", index, NULL, &cause);
}

// an even mesh on the surface of a body
static oz_result cover_body(builder *b, uint32_t index, oz_mesh *even)
{
	oz_error cause;
	const oz_result result = oz_scene_cover(b->scene, index, even, &cause);
	return result == OZ_OK
	               ? OZ_OK
	               : fail_entry(b, "bodies", index,
	                            b->scene->bodies[index].mesh[0] ? "mesh" : NULL, &cause);
}

// leaves out what stands in a collider, and says so
static oz_result carve(builder *b, uint32_t index, oz_vec3 *points, uint32_t *count)
{
	scene_body *body = &b->scene->bodies[index];
	const uint32_t filled = *count;
	oz_result result = oz_scene_carve(b->scene, b->world, index, points, count, b->error);
	body->left_out = result == OZ_OK ? filled - *count : 0;
	if (body->left_out && b->hooks.log) {
		char text[160];
		snprintf(text, sizeof text,
		         "bodies[%u]: %u of %u particles are left out where a collider stands",
		         index, body->left_out, filled);
		b->hooks.log(b->hooks.context, OZ_LOG_INFO, text);
	}
	return result;
}

// adds the points as a body, with alpha for each of them if the scene gives a field
static oz_result add_points(builder *b, uint32_t index, oz_body_def *def)
{
	const scene_body *body = &b->scene->bodies[index];
	oz_error cause = {OZ_ERROR_MEMORY, "there is no memory left for its alphas"};
	float *alphas = body->has_alphas ? malloc(sizeof *alphas * (def->count + 1ull)) : NULL;
	if (body->has_alphas && !alphas)
		return fail_entry(b, "bodies", index, NULL, &cause);
	if (alphas)
		oz_scene_alphas(&body->alphas, def->points, def->count, alphas);
	def->alphas = alphas;
	def->keyframe_count = body->keyframe_count;
	oz_keyframe *keyframes = oz_scene_way(body->keyframes, &def->keyframe_count, &cause);
	def->keyframes = def->keyframe_count ? keyframes : NULL;
	oz_result result = OZ_ERROR_MEMORY;
	if (keyframes)
		result = oz_world_add_body(b->world, def, NULL, &cause);
	free(keyframes);
	free(alphas);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "bodies", index, NULL, &cause);
}

static oz_result build_body(builder *b, uint32_t index)
{
	const scene_body *body = &b->scene->bodies[index];
	oz_body_def def = body->def;
	oz_vec3 *points = NULL;
	oz_mesh even = {0};
	const bool skin = oz_scene_is_surface(b->scene, index);
	oz_log_progress(&b->hooks, "bodies[%u]: filling %s with particles", index,
	                body->mesh[0] ? body->mesh : "it");
	oz_result result = skin            ? cover_body(b, index, &even)
	                   : body->mesh[0] ? fill_mesh(b, index, &points, &def.count)
	                                   : fill_shape(b, index, &points, &def.count);
	if (result == OZ_OK && !skin)
		result = carve(b, index, points, &def.count);
	if (result == OZ_OK && skin)
		result = oz_scene_check_clear(b->scene, b->world, index, even.vertices,
		                              even.vertex_count, b->error);
	if (result != OZ_OK) {
		oz_points_free(skin ? even.vertices : points);
		oz_triangles_free(even.triangles);
		return result;
	}
	if (skin) {
		points = even.vertices;
		def.count = even.vertex_count;
		def.triangles = (const uint32_t(*)[3])even.triangles;
		def.triangle_count = even.triangle_count;
	}
	def.points = points;
	b->particles += def.count;
	oz_error cause;
	if (oz_scene_check_skin(b->scene, index, points, def.count, &cause) != OZ_OK)
		result = fail_entry(b, "bodies", index, "skin", &cause);
	if (result == OZ_OK)
		result = add_points(b, index, &def);
	oz_triangles_free(even.triangles);
	b->placed[index] = (scene_points){points, def.count};
	return result;
}

static oz_result build_material(builder *b, uint32_t index)
{
	const scene_material *material = &b->scene->materials[index];
	oz_material_def def = material->def;
	oz_error cause;
	def.alpha_keys = material->alpha_keys;
	def.alpha_key_count = material->alpha_key_count;
	oz_result result = oz_world_add_material(b->world, &def, NULL, &cause);
	if (result == OZ_OK)
		return OZ_OK;
	const oz_json *entry = oz_json_get(oz_json_get(b->scene->json.root, "materials"), def.name);
	if (entry)
		return oz_scene_fail(b->scene, entry, b->error, cause.code, ": %s", cause.text);
	return oz_scene_fail(b->scene, b->scene->json.root, b->error, cause.code,
	                     ": the preset %s: %s", def.name, cause.text);
}

// what an SDF takes is not there for particles
static oz_result sdf_collider(builder *b, uint32_t index, const oz_sdf **sdf)
{
	const scene_sdf_making sdf_making = {.scene = b->scene,
	                                     .world = b->world,
	                                     .memory = b->room.memory,
	                                     .whose = b->room.whose,
	                                     .threads = b->threads,
	                                     .hooks = b->hooks};
	const char *key = NULL;
	oz_error cause;
	const oz_result result = oz_scene_make_sdf(&sdf_making, index, sdf, &key, &cause);
	if (result != OZ_OK)
		return fail_entry(b, "colliders", index, key, &cause);
	b->room.memory -= (double)b->scene->colliders[index].collider_mesh.bytes;
	return OZ_OK;
}

static oz_result add_collider(builder *b, uint32_t index, const oz_sdf *sdf)
{
	const scene_collider *collider = &b->scene->colliders[index];
	oz_collider_def def = collider->def;
	oz_error cause;
	def.keyframe_count = collider->keyframe_count;
	oz_keyframe *keyframes = oz_scene_way(collider->keyframes, &def.keyframe_count, &cause);
	if (!keyframes)
		return fail_entry(b, "colliders", index, NULL, &cause);
	def.shape.sdf = sdf;
	def.keyframes = def.keyframe_count ? keyframes : NULL;
	oz_result result = oz_world_add_collider(b->world, &def, NULL, &cause);
	free(keyframes);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "colliders", index, NULL, &cause);
}

static oz_result build_collider(builder *b, uint32_t index)
{
	const oz_sdf *sdf = NULL;
	oz_result result = OZ_OK;
	if (b->scene->colliders[index].mesh[0])
		result = sdf_collider(b, index, &sdf);
	if (result == OZ_OK)
		result = add_collider(b, index, sdf);
	oz_sdf_release(sdf);
	return result;
}

static oz_result build_emitter(builder *b, uint32_t index)
{
	oz_error cause;
	oz_result result =
	        oz_world_add_emitter(b->world, &b->scene->emitters[index].def, NULL, &cause);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "emitters", index, NULL, &cause);
}

static oz_result build_handle(builder *b, uint32_t index)
{
	const scene_handle *handle = &b->scene->handles[index];
	oz_handle_def def = handle->def;
	oz_error cause;
	def.keyframe_count = handle->keyframe_count;
	oz_keyframe *keyframes = oz_scene_way(handle->keyframes, &def.keyframe_count, &cause);
	if (!keyframes)
		return fail_entry(b, "handles", index, NULL, &cause);
	def.keyframes = def.keyframe_count ? keyframes : NULL;
	oz_result result = oz_world_add_handle(b->world, &def, NULL, &cause);
	free(keyframes);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "handles", index, NULL, &cause);
}

static oz_result build_region(builder *b, uint32_t index)
{
	oz_error cause;
	oz_result result =
	        oz_world_add_region(b->world, &b->scene->regions[index].def, NULL, &cause);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "regions", index, NULL, &cause);
}

static oz_result build_adhesion(builder *b, uint32_t index)
{
	oz_error cause;
	oz_result result = oz_world_add_adhesion(b->world, &b->scene->adhesions[index].def, &cause);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "adhesion", index, NULL, &cause);
}

static oz_result build_interface(builder *b, uint32_t index)
{
	oz_error cause;
	const oz_interface_def *def = &b->scene->interfaces[index].def;
	const oz_result result = oz_world_add_interface(b->world, def, &cause);
	return result == OZ_OK ? OZ_OK : fail_entry(b, "interfaces", index, NULL, &cause);
}

typedef oz_result (*build_entry)(builder *b, uint32_t index);

static oz_result build_all(builder *b, uint32_t count, build_entry build)
{
	oz_result result = OZ_OK;
	for (uint32_t i = 0; i < count && result == OZ_OK; i++)
		result = build(b, i);
	return result;
}

static oz_particle_bytes bytes_of_particle(const builder *b, bool on_device)
{
	const oz_world_def *def = oz_world_get_def(b->world);
	oz_particle_bytes bytes = oz_world_particle_bytes(def, on_device);
	const scene_material *materials = b->scene->materials;
	double models = 0, interfaces = 0;
	for (uint32_t m = 0; m < b->scene->material_count; m++)
		models = fmax(models, oz_models_bytes(def, &materials[m].def, on_device));
	for (uint32_t k = 0; k < b->scene->interface_count; k++) {
		const oz_interface_def *i = &b->scene->interfaces[k].def;
		interfaces = fmax(interfaces, oz_interface_bytes(def, &materials[i->material].def,
		                                                 &materials[i->other].def, i));
	}
	bytes.fields += models + interfaces;
	return bytes;
}

// a device may have less than the machine, which holds all particles while they are laid out
static oz_result check_room(builder *b)
{
	const oz_device_info *device = oz_world_device(b->world);
	const bool on_device = strcmp(device->address, "cpu") != 0;
	const oz_particle_bytes bytes = bytes_of_particle(b, on_device);
	const double each = bytes.fields + bytes.lists;
	b->room = (scene_room){oz_machine_memory(), each, "this machine"};
	oz_result result = oz_scene_check_memory(b->scene, &b->room, b->error);
	if (result != OZ_OK || !on_device)
		return result;
	// all lists are one buffer
	const double lists = (double)device->largest * each / bytes.lists;
	const double memory = fmin((double)device->memory, lists);
	if (memory < b->room.memory)
		b->room = (scene_room){memory, each, device->name};
	return oz_scene_check_memory(b->scene, &b->room, b->error);
}

static oz_result build_world(builder *b, const char *device, uint32_t threads,
                             const oz_hooks *hooks)
{
	const oz_scene *scene = b->scene;
	oz_world_def def = scene->world;
	if (threads)
		def.threads = threads;
	b->threads = def.threads;
	def.device = device;
	if (hooks)
		def.hooks = b->hooks = *hooks;
	oz_result result = oz_world_create(&def, &b->world, b->error);
	if (result == OZ_OK)
		result = check_room(b);
	if (result == OZ_OK)
		result = build_all(b, scene->material_count, build_material);
	if (result == OZ_OK)
		result = build_all(b, scene->collider_count, build_collider);
	if (result == OZ_OK)
		result = build_all(b, scene->body_count, build_body);
	if (result == OZ_OK)
		result = build_all(b, scene->emitter_count, build_emitter);
	if (result == OZ_OK)
		result = build_all(b, scene->handle_count, build_handle);
	if (result == OZ_OK)
		result = build_all(b, scene->region_count, build_region);
	if (result == OZ_OK)
		result = build_all(b, scene->adhesion_count, build_adhesion);
	if (result == OZ_OK)
		result = build_all(b, scene->interface_count, build_interface);
	return result;
}

static void free_placed(builder *b)
{
	for (uint32_t i = 0; i < b->scene->body_count && b->placed; i++)
		oz_points_free(b->placed[i].at);
	free(b->placed);
}

oz_result oz_scene_build(const oz_scene *scene, const char *device, uint32_t threads,
                         const oz_hooks *hooks, oz_world **world, oz_error *error)
{
	builder b = {.scene = (oz_scene *)scene, .error = error};
	*world = NULL;
	b.placed = calloc((size_t)scene->body_count + 1, sizeof *b.placed);
	if (!b.placed)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u bodies; close other programs",
		               scene->body_count);
	oz_result result = build_world(&b, device, threads, hooks);
	oz_log_progress(&b.hooks, NULL);
	if (result == OZ_OK)
		oz_scene_warn_overlaps(scene, b.placed, &b.hooks);
	free_placed(&b);
	if (result == OZ_OK)
		*world = b.world;
	else
		oz_world_destroy(b.world);
	return result;
}

uint32_t oz_scene_left_out(const oz_scene *scene, uint32_t body)
{
	return body < scene->body_count ? scene->bodies[body].left_out : 0;
}
