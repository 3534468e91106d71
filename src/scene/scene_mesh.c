// scene_mesh.c: meshes that a scene names: found, loaded, and made into the SDFs of colliders.
//
// A collider's mesh is scaled and checked, and its SDF is made; the collider keeps the position,
// rotation and keyframes. Repairs are listed in one line of the log. Colliders with the same mesh
// share one SDF.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/mesh_repair.h"
#include "scene_data.h"

#define NODE_BYTES  16.0  // of an SDF
#define BLOCK_NODES 125.0 // of a block of four cells a side

// with so many triangles; returns false if memory ran out
static bool copy_mesh(const oz_mesh *from, uint32_t triangles, oz_mesh *to)
{
	*to = (oz_mesh){malloc(sizeof *to->vertices * (from->vertex_count + 1ull)),
	                from->vertex_count, malloc(sizeof *to->triangles * (triangles + 1ull)),
	                triangles};
	if (!to->vertices || !to->triangles) {
		oz_mesh_free(to);
		return false;
	}
	memcpy(to->vertices, from->vertices, sizeof *to->vertices * to->vertex_count);
	memcpy(to->triangles, from->triangles, sizeof *to->triangles * triangles);
	return true;
}

#define RECENT_MOST 65536u // vertices, and triangles, of a mesh that is kept

// keeps a mesh as the one that was read last, if it is small
static void keep_recent(scene_recent_mesh *recent, const char *path, const oz_mesh *mesh)
{
	oz_mesh_free(&recent->mesh);
	recent->path[0] = 0;
	if (mesh->vertex_count <= RECENT_MOST && mesh->triangle_count <= RECENT_MOST &&
	    copy_mesh(mesh, mesh->triangle_count, &recent->mesh))
		snprintf(recent->path, sizeof recent->path, "%s", path);
}

oz_result oz_scene_load_mesh(const oz_scene *scene, const char *mesh, oz_mesh *loaded, char *path,
                             size_t size, oz_error *error)
{
	if (!oz_scene_mesh_path(scene->folder, mesh, path, size))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the path is too long; move the mesh nearer to the scene");
	if (strcmp(path, scene->recent->path) == 0 &&
	    copy_mesh(&scene->recent->mesh, scene->recent->mesh.triangle_count, loaded))
		return OZ_OK;
	const oz_result result = oz_mesh_load(path, loaded, error);
	if (result == OZ_OK)
		keep_recent(scene->recent, path, loaded);
	return result;
}

oz_result oz_scene_load_lines(const oz_scene *scene, const char *mesh, oz_mesh *loaded,
                              oz_error *error)
{
	char path[4096];
	if (!oz_scene_mesh_path(scene->folder, mesh, path, sizeof path))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the path is too long; move the mesh nearer to the scene");
	return oz_mesh_load_lines(path, loaded, error);
}

// ---- twins ------------------------------------------------------------------------------------

static bool is_twin(const scene_collider *a, const scene_collider *b)
{
	return strcmp(a->mesh, b->mesh) == 0 && a->scale.x == b->scale.x &&
	       a->scale.y == b->scale.y && a->scale.z == b->scale.z && a->cell == b->cell &&
	       a->def.shell == b->def.shell;
}

// an earlier collider with the same SDF, or `index` itself
static uint32_t find_twin(const oz_scene *scene, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (is_twin(&scene->colliders[i], &scene->colliders[index]))
			return i;
	return index;
}

static oz_result sdf_of_twin(const scene_sdf_making *c, uint32_t twin, const oz_sdf **sdf,
                             oz_error *error)
{
	oz_shape shape;
	bool inside;
	const oz_result result = oz_world_get_collider(c->world, twin, &shape, &inside, error);
	if (result == OZ_OK)
		*sdf = oz_sdf_keep(shape.sdf);
	return result;
}

// ---- what is wrong with it --------------------------------------------------------------------

// bytes of blocks that an SDF's band takes, about
static double guess_bytes(const oz_mesh_report *report, double cell, double reach)
{
	const double block = 4 * cell;
	const double x = (double)(report->max.x - report->min.x) + 2 * reach;
	const double y = (double)(report->max.y - report->min.y) + 2 * reach;
	const double z = (double)(report->max.z - report->min.z) + 2 * reach;
	const double box = x * y * z, band = fmin(report->area * (2 * reach + block), box);
	return (band * BLOCK_NODES * NODE_BYTES + box * sizeof(uint32_t)) / (block * block * block);
}

static float reach_of(const oz_scene *scene, float cell)
{
	return scene->world.support * scene->world.spacing + 2.0f * cell;
}

static oz_result check_memory(const scene_sdf_making *c, const oz_mesh_report *report, float cell,
                              oz_error *error)
{
	double fits = (double)cell;
	const double bytes = guess_bytes(report, fits, (double)reach_of(c->scene, cell));
	if (!(bytes > c->memory))
		return OZ_OK;
	while (fits < 1e6 &&
	       guess_bytes(report, fits, (double)reach_of(c->scene, (float)fits)) > c->memory)
		fits *= 1.05;
	if (fits > 0.5 * (double)c->scene->world.spacing)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "would need about %.3g GB for distances in cells of %g m, and %s "
		               "has "
		               "%.3g GB left; the mesh is %.3g m wide: check its scale, or make "
		               "world.spacing larger",
		               bytes * 1e-9, (double)cell, c->whose, c->memory * 1e-9,
		               (double)(report->max.x - report->min.x));
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "would need about %.3g GB for distances in cells of %g m, and %s has %.3g "
	               "GB "
	               "left; a cell of %.2g m would fit",
	               bytes * 1e-9, (double)cell, c->whose, c->memory * 1e-9, fits);
}

static void say(const scene_sdf_making *c, oz_log_level level, uint32_t collider, const char *text)
{
	char line[512];
	if (!c->hooks.log)
		return;
	snprintf(line, sizeof line, "colliders[%u]: %s", collider, text);
	c->hooks.log(c->hooks.context, level, line);
}

static void add(char *text, size_t size, const char *format, uint32_t count)
{
	const size_t at = strlen(text);
	if (count == 0 || at + 2 >= size)
		return;
	if (at > 0)
		strcpy(text + at, ", ");
	snprintf(text + strlen(text), size - strlen(text), format, count);
}

static void tell_repairs(const scene_sdf_making *c, uint32_t collider, const oz_mesh_report *r)
{
	char text[300] = "", line[420];
	add(text, sizeof text, "%u triangles flipped", r->flipped);
	add(text, sizeof text, "%u duplicates left out", r->duplicates);
	add(text, sizeof text, "%u without area", r->degenerate);
	add(text, sizeof text, "%u edges of more than two triangles", r->non_manifold);
	if (!c->scene->colliders[collider].def.shell)
		add(text, sizeof text, "%u holes closed over", r->hole_count);
	snprintf(line, sizeof line, "the mesh was repaired: %s", text);
	if (text[0])
		say(c, OZ_LOG_INFO, collider, line);
}

// Warns if particles could pass the widest hole of an obstacle: the SDF closes it with a wall where
// the winding number is 1/2, which may not be what the user means.
static void tell_hole(const scene_sdf_making *c, uint32_t collider, const oz_mesh_report *r)
{
	char line[300];
	const oz_mesh_hole *h = &r->holes[0];
	if (r->hole_count == 0 || !(h->across > c->scene->world.spacing))
		return;
	snprintf(line, sizeof line,
	         "the mesh has a hole %.3g m across about (%.3g, %.3g, %.3g), which is closed over "
	         "smoothly; if that is not meant, close it, or let the surface alone be solid with "
	         "\"shell\": true",
	         (double)h->across, (double)h->centre.x, (double)h->centre.y, (double)h->centre.z);
	say(c, OZ_LOG_WARNING, collider, line);
}

// Checks the holes of the mesh: an error if a vessel leaks, a warning for an obstacle.
static oz_result check_holes(const scene_sdf_making *c, uint32_t collider, const char *path,
                             oz_error *error)
{
	const scene_collider *entry = &c->scene->colliders[collider];
	const oz_mesh_report *report = &entry->collider_mesh.report;
	if (entry->def.shell)
		return OZ_OK;
	if (entry->def.inside)
		return oz_mesh_check_vessel(report, path, c->scene->world.spacing, error);
	tell_hole(c, collider, report);
	return OZ_OK;
}

// Replaces the mesh, which pictures show, by the repaired one: holes closed, faces flipped.
static oz_result repair_mesh(oz_collider_mesh *collider_mesh, const char *path, oz_error *error)
{
	oz_repair repair = {0};
	oz_mesh_report same;
	oz_mesh repaired;
	oz_result result = oz_mesh_repair(&collider_mesh->mesh, path, &repair, &same, error);
	if (result == OZ_OK &&
	    !copy_mesh(&repair.mesh, repair.mesh.triangle_count + repair.fans, &repaired))
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for the repaired mesh; simplify it");
	oz_repair_free(&repair);
	if (result != OZ_OK)
		return result;
	oz_mesh_free(&collider_mesh->mesh);
	collider_mesh->mesh = repaired;
	return OZ_OK;
}

// ---- SDFs -----------------------------------------------------------------------------------

static oz_result make_sdf(const scene_sdf_making *c, uint32_t collider, const char *path,
                          oz_sdf **sdf, const char **key, oz_error *error)
{
	scene_collider *entry = &c->scene->colliders[collider];
	oz_collider_mesh *collider_mesh = &entry->collider_mesh;
	oz_mesh_transform(&collider_mesh->mesh, entry->scale, (oz_quat){0, 0, 0, 1},
	                  (oz_vec3){0, 0, 0});
	oz_result result =
	        oz_mesh_survey(&collider_mesh->mesh, path, &collider_mesh->report, error);
	if (result == OZ_OK)
		result = check_holes(c, collider, path, error);
	if (result != OZ_OK)
		return result;
	*key = entry->cell > 0 ? "cell" : "mesh";
	result = check_memory(c, &collider_mesh->report, collider_mesh->cell, error);
	if (result != OZ_OK)
		return result;
	*key = "mesh";
	const oz_mesh_sdf_def def = {.cell = collider_mesh->cell,
	                             .reach = reach_of(c->scene, collider_mesh->cell),
	                             .shell = entry->def.shell,
	                             .threads = c->threads,
	                             .hooks = c->hooks};
	oz_log_progress(&c->hooks, "colliders[%u]: making the signed distance field of %s",
	                collider, path);
	result = oz_mesh_sdf(&collider_mesh->mesh, path, &def, sdf, &collider_mesh->report, error);
	if (result != OZ_OK)
		return result;
	collider_mesh->bytes = oz_sdf_bytes(*sdf);
	tell_repairs(c, collider, &collider_mesh->report);
	if (entry->def.shell ||
	    (collider_mesh->report.hole_count == 0 && collider_mesh->report.flipped == 0))
		return OZ_OK;
	return repair_mesh(collider_mesh, path, error);
}

oz_result oz_scene_make_sdf(const scene_sdf_making *c, uint32_t collider, const oz_sdf **sdf,
                            const char **key, oz_error *error)
{
	scene_collider *entry = &c->scene->colliders[collider];
	char path[4096];
	oz_sdf *made = NULL;
	*key = "mesh";
	*sdf = NULL;
	oz_mesh_free(&entry->collider_mesh.mesh);
	entry->collider_mesh =
	        (oz_collider_mesh){.path = entry->mesh,
	                           .cell = entry->cell > 0 ? entry->cell
	                                                   : 0.5f * c->scene->world.spacing};
	entry->twin = find_twin(c->scene, collider);
	if (entry->twin != collider) {
		// the same mesh may be an obstacle here and a vessel there
		entry->collider_mesh.report = c->scene->colliders[entry->twin].collider_mesh.report;
		const oz_result sound = check_holes(c, collider, entry->mesh, error);
		return sound == OZ_OK ? sdf_of_twin(c, entry->twin, sdf, error) : sound;
	}
	oz_result result = oz_scene_load_mesh(c->scene, entry->mesh, &entry->collider_mesh.mesh,
	                                      path, sizeof path, error);
	if (result == OZ_OK)
		result = make_sdf(c, collider, path, &made, key, error);
	if (result != OZ_OK) {
		oz_mesh_free(&entry->collider_mesh.mesh);
		oz_sdf_release(made);
		made = NULL;
	}
	*sdf = made;
	return result;
}
