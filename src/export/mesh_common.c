// mesh_common.c: functions of all mesh writers: the limits of the formats, and colours.
#include <inttypes.h>

#include "../math/srgb.h"
#include "pack.h"

oz_result oz_export_check_mesh(const oz_surface_mesh *mesh, const char *path, oz_error *error)
{
	// corners are numbered by int in PLY and VTP
	const uint32_t most = INT32_MAX;
	if (mesh->vertex_count <= most && mesh->triangle_count <= most / 3)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_RANGE,
	               "%s would hold %" PRIu32 " triangles, the limit is %" PRIu32
	               "; make the cells of the surface larger",
	               path, mesh->triangle_count, most / 3);
}

static float clamp(float value)
{
	// written so that NaN becomes 0
	return value > 0 ? fminf(value, 1) : 0;
}

oz_vec3 oz_colour_clamp(oz_vec3 colour)
{
	return (oz_vec3){clamp(colour.x), clamp(colour.y), clamp(colour.z)};
}

oz_vec3 oz_colour_to_srgb(oz_vec3 linear)
{
	oz_vec3 c = oz_colour_clamp(linear);
	return (oz_vec3){oz_linear_to_srgb(c.x), oz_linear_to_srgb(c.y), oz_linear_to_srgb(c.z)};
}
