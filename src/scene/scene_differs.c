// scene_differs.c: compares a scene with a world that was loaded from a snapshot.
//
// A run that continues takes everything that moves, and all laws, from its snapshot. If the scene
// in its folder was edited since, the edits of world, materials and colliders have no effect; here
// they are found, parameter by parameter. Bodies are particles in a snapshot and cannot be
// compared.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/boundary.h"
#include "scene_data.h"
#include "world/world.h"

static size_t size_of(const oz_param *row)
{
	switch (row->type) {
	case OZ_PARAM_FLOAT:
	case OZ_PARAM_UINT: return 4;
	case OZ_PARAM_CHOICE: return sizeof(oz_model); // an enum
	case OZ_PARAM_BOOL: return sizeof(bool);
	case OZ_PARAM_VEC3: return sizeof(oz_vec3);
	case OZ_PARAM_TABLE: return sizeof(uint32_t);
	default: return 0; // names and places do not change a world
	}
}

static bool same_field(const oz_param *row, const void *a, const void *b)
{
	const char *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;
	if (row->type == OZ_PARAM_QUAT) { // the world has normalised it
		const oz_quat p = *(const oz_quat *)(const void *)x,
		              q = *(const oz_quat *)(const void *)y;
		return fabsf(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w) > 1 - 1e-6f;
	}
	if (memcmp(x, y, size_of(row)) != 0)
		return false;
	if (row->type != OZ_PARAM_TABLE)
		return true;
	const oz_curve *one = (const oz_curve *)(const void *)x;
	return memcmp(one->points, ((const oz_curve *)(const void *)y)->points,
	              sizeof *one->points * one->count) == 0;
}

// Compares two definitions of a group, but for the parameters `but` and `nor` and for those that
// the models of `mask` do not read.
static bool same_params(oz_param_group group, const void *a, const void *b, uint32_t mask,
                        const char *but, const char *nor)
{
	uint32_t count;
	const oz_param *rows = oz_params(group, &count);
	for (uint32_t k = 0; k < count; k++)
		if ((rows[k].models == 0 || rows[k].models & mask) &&
		    strcmp(rows[k].name, but) != 0 && strcmp(rows[k].name, nor) != 0 &&
		    !same_field(&rows[k], a, b))
			return false;
	return true;
}

static bool same_materials(const oz_scene *scene, const oz_world *world)
{
	bool same = scene->material_count == oz_world_material_count(world);
	for (uint32_t k = 0; k < scene->material_count && same; k++)
		same = same_params(OZ_PARAMS_MATERIAL, &scene->materials[k].def,
		                   oz_world_get_material(world, k),
		                   1u << scene->materials[k].def.model, "", "");
	return same;
}

static bool same_collider(const scene_collider *one, const oz_collider_def *def)
{
	// one that keyframes lead stands where they say
	const bool led = one->keyframe_count > 0;
	oz_shape shape = one->def.shape;
	if (led) {
		shape.position = def->shape.position;
		shape.rotation = def->shape.rotation;
	}
	return same_params(OZ_PARAMS_COLLIDER, &one->def, def, 0, "", "") &&
	       same_params(OZ_PARAMS_SHAPE, &shape, &def->shape, 0, "", "");
}

static bool same_colliders(const oz_scene *scene, const oz_world *world)
{
	const oz_boundary *b = &world->boundary;
	bool same = scene->collider_count == b->colliders.count;
	for (uint32_t k = 0; k < scene->collider_count && same; k++)
		same = same_collider(&scene->colliders[k], &oz_collider_entries(b)[k].def);
	return same;
}

bool oz_scene_differs(const oz_scene *scene, const oz_world *world, char *parts, size_t size)
{
	// threads and the skin of lists, which depends on the device, change no result
	const bool differs[3] = {!same_params(OZ_PARAMS_WORLD, &scene->world,
	                                      oz_world_get_def(world), 0, "threads", "skin"),
	                         !same_materials(scene, world), !same_colliders(scene, world)};
	static const char *const names[3] = {"world", "materials", "colliders"};
	size_t length = 0;
	parts[0] = 0;
	for (int k = 0, left = differs[0] + differs[1] + differs[2]; k < 3; k++) {
		if (!differs[k] || length >= size)
			continue;
		left--;
		length += (size_t)snprintf(parts + length, size - length, "%s%s", names[k],
		                           left > 1   ? ", "
		                           : left > 0 ? " and "
		                                      : "");
	}
	return parts[0] != 0;
}
