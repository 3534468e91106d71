// mesh_nearest_absent.c: replaces mesh_nearest.c in a build without Embree; every call fails.
#include "base/base.h"
#include "geometry/mesh_nearest.h"

oz_result oz_nearest_create(const oz_mesh *mesh, uint32_t threads, oz_nearest **nearest,
                            oz_error *error)
{
	(void)mesh, (void)threads;
	*nearest = NULL;
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "this build of ooze has no walls made of meshes; install Embree 3 "
	               "(libembree-dev) and build it again");
}

void oz_nearest_destroy(oz_nearest *nearest)
{
	(void)nearest;
}

void oz_nearest_find(const oz_nearest *nearest, const oz_vec3 *points, uint32_t count,
                     oz_nearest_point *found)
{
	(void)nearest, (void)points, (void)count, (void)found;
}
