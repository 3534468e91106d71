// fill.c: fills shapes with points.
//
// A shape is filled in its own frame; then the points are rotated and moved. So a rotated box has
// rows of points along its edges.
#include "geometry/fill.h"
#include "geometry/cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/quat.h"
#include "math/vec.h"

// The meaning of the members of `size` for each kind of shape.
typedef struct shape_row {
	const char *name;
	const char *words[3]; // what size.x, size.y and size.z are; NULL: not read
} shape_row;

static const shape_row rows[OZ_SHAPE_COUNT] = {
        [OZ_SHAPE_PLANE] = {"the plane", {NULL, NULL, NULL}},
        [OZ_SHAPE_BOX] = {"the box", {"edge along x", "edge along y", "edge along z"}},
        [OZ_SHAPE_BALL] = {"the ball", {"radius", NULL, NULL}},
        [OZ_SHAPE_DOME] = {"the dome", {"radius", NULL, NULL}},
        [OZ_SHAPE_CYLINDER] = {"the cylinder", {"radius", "height", NULL}},
        [OZ_SHAPE_CAPSULE] = {"the capsule", {"radius", "height", NULL}},
        [OZ_SHAPE_TORUS] = {"the torus", {"radius of the ring", "radius of the tube", NULL}},
        [OZ_SHAPE_SHEET] = {"the sheet", {"edge along x", NULL, "edge along z"}},
        [OZ_SHAPE_ROD] = {"the rod", {NULL, "length", NULL}},
};

static float shape_distance(void *context, oz_vec3 point, float reach)
{
	(void)reach;
	return oz_shape_distance(context, point);
}

// Distance to the rim of a sheet, within its plane; oz_shape_distance would be 0 or more
// everywhere.
static float sheet_distance(void *context, oz_vec3 point, float reach)
{
	(void)reach;
	const oz_shape *shape = context;
	const float x = fabsf(point.x) - shape->size.x / 2;
	const float z = fabsf(point.z) - shape->size.z / 2;
	return x > z ? x : z;
}

static float rod_distance(void *context, oz_vec3 point, float reach)
{
	(void)reach;
	return fabsf(point.y) - ((const oz_shape *)context)->size.y / 2;
}

// half the size of the bounding box, m
static oz_vec3 half_extent(const oz_shape *shape)
{
	const oz_vec3 s = shape->size;
	switch (shape->kind) {
	case OZ_SHAPE_BALL:
	case OZ_SHAPE_DOME: return oz_v3(s.x, s.x, s.x);
	case OZ_SHAPE_CYLINDER: return oz_v3(s.x, s.y / 2, s.x);
	case OZ_SHAPE_CAPSULE: return oz_v3(s.x, s.y / 2 + s.x, s.x);
	case OZ_SHAPE_TORUS: return oz_v3(s.x + s.y, s.y, s.x + s.y);
	case OZ_SHAPE_SHEET: return oz_v3(s.x / 2, 0, s.z / 2);
	case OZ_SHAPE_ROD: return oz_v3(0, s.y / 2, 0);
	default: return oz_scale(s, 0.5f);
	}
}

// m³; 0: not known
static double size_of(const oz_shape *shape)
{
	const double x = (double)shape->size.x, y = (double)shape->size.y;
	switch (shape->kind) {
	case OZ_SHAPE_BOX: return x * y * (double)shape->size.z;
	case OZ_SHAPE_BALL: return 4 * M_PI / 3 * x * x * x;
	case OZ_SHAPE_DOME: return 2 * M_PI / 3 * x * x * x;
	case OZ_SHAPE_CYLINDER: return M_PI * x * x * y;
	case OZ_SHAPE_CAPSULE: return M_PI * x * x * (y + 4 * x / 3);
	// not of a ring that overlaps itself
	case OZ_SHAPE_TORUS: return x >= y ? 2 * M_PI * M_PI * x * y * y : 0;
	default: return 0;
	}
}

// The volume of a shape in its own frame. `straight`, the shape without position and rotation, must
// live as long as the volume.
static oz_volume volume_of(oz_shape *straight)
{
	const oz_vec3 half = half_extent(straight);
	oz_volume volume = {.name = rows[straight->kind].name,
	                    .min = oz_scale(half, -1),
	                    .max = half,
	                    .size = size_of(straight),
	                    .distance = shape_distance,
	                    .context = straight};
	if (straight->kind == OZ_SHAPE_DOME)
		volume.min.y = 0;
	if (straight->kind == OZ_SHAPE_SHEET)
		volume.distance = sheet_distance;
	if (straight->kind == OZ_SHAPE_ROD)
		volume.distance = rod_distance;
	return volume;
}

static oz_result check_size(const oz_shape *shape, oz_error *error)
{
	const float size[3] = {shape->size.x, shape->size.y, shape->size.z};
	const shape_row *row = &rows[shape->kind];
	for (int axis = 0; axis < 3; axis++) {
		if (!row->words[axis])
			continue;
		// a capsule of no height is a ball
		const bool zero = shape->kind == OZ_SHAPE_CAPSULE && axis == 1 && size[axis] == 0;
		if (!(size[axis] > 0 || zero) || !isfinite(size[axis]))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "the %s of %s (size.%c) is %g m; it must be a positive "
			               "number",
			               row->words[axis], row->name, "xyz"[axis],
			               (double)size[axis]);
		if (size[axis] > OZ_FILL_MAX)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "the %s of %s (size.%c) is %g m; it must be at most %g m",
			               row->words[axis], row->name, "xyz"[axis], (double)size[axis],
			               (double)OZ_FILL_MAX);
	}
	return OZ_OK;
}

static oz_result check_place(const oz_shape *shape, oz_error *error)
{
	const oz_vec3 p = shape->position;
	const oz_quat q = shape->rotation;
	const char *name = rows[shape->kind].name;
	if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the position of %s is (%g, %g, %g) m; it must be finite", name,
		               (double)p.x, (double)p.y, (double)p.z);
	const float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	if (!(length2 > 1e-12f) || !isfinite(length2))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the rotation of %s is the quaternion (%g, %g, %g, %g), which is no "
		               "rotation; use (0, 0, 0, 1) for none",
		               name, (double)q.x, (double)q.y, (double)q.z, (double)q.w);
	return OZ_OK;
}

static oz_result check(const oz_shape *shape, oz_fill fill, oz_error *error)
{
	if ((unsigned)shape->kind >= OZ_SHAPE_COUNT)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "there is no shape of kind %d; use one of OZ_SHAPE_BOX …",
		               (int)shape->kind);
	if (shape->kind == OZ_SHAPE_SDF)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an SDF cannot be filled; fill the mesh that it was made from");
	if (shape->kind == OZ_SHAPE_PLANE)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a plane is infinite and cannot be filled; use a box");
	if ((unsigned)fill >= OZ_FILL_COUNT)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "there is no fill %d; use OZ_FILL_LATTICE, OZ_FILL_HEXAGONAL or "
		               "OZ_FILL_BLUE_NOISE",
		               (int)fill);
	const oz_result size = check_size(shape, error);
	return size != OZ_OK ? size : check_place(shape, error);
}

// rotates and moves points from the frame of a shape to the world
static void place(const oz_shape *shape, oz_vec3 *points, uint32_t count)
{
	const oz_quat q = oz_quat_normalize(shape->rotation);
	for (uint32_t i = 0; i < count; i++)
		points[i] = oz_add(shape->position, oz_quat_rotate(q, points[i]));
}

oz_result oz_shape_fill(const oz_shape *shape, float spacing, oz_fill fill, oz_vec3 **points,
                        uint32_t *count, oz_error *error)
{
	if (!shape || !points || !count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "filling a shape needs a shape, points and a count, but one of them "
		               "is NULL; give all three");
	*points = NULL;
	*count = 0;
	oz_result result = check(shape, fill, error);
	if (result != OZ_OK)
		return result;
	oz_shape straight = oz_shape_make(shape->kind, shape->size);
	const oz_volume volume = volume_of(&straight);
	result = oz_volume_fill(&volume, spacing, fill, points, count, error);
	if (result == OZ_OK)
		place(shape, *points, *count);
	return result;
}

oz_result oz_shape_cover(const oz_shape *shape, float spacing, oz_vec3 **points, uint32_t *count,
                         uint32_t (**triangles)[3], uint32_t *triangle_count, oz_error *error)
{
	if (!shape || !points || !count || !triangles || !triangle_count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "covering a shape needs a shape, points, triangles and their "
		               "counts, "
		               "but one of them is NULL; give all");
	*points = NULL;
	*triangles = NULL;
	*count = *triangle_count = 0;
	oz_result result = check(shape, OZ_FILL_LATTICE, error);
	if (result != OZ_OK)
		return result;
	oz_shape straight = oz_shape_make(shape->kind, shape->size);
	const oz_volume volume = volume_of(&straight);
	oz_mesh mesh;
	if (oz_volume_dimension(&volume) < 3)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s encloses no volume and cannot be covered; use a box or a ball",
		               volume.name);
	result = oz_volume_cover(&volume, spacing, &mesh, error);
	if (result != OZ_OK)
		return result;
	place(shape, mesh.vertices, mesh.vertex_count);
	*points = mesh.vertices;
	*count = mesh.vertex_count;
	*triangles = mesh.triangles;
	*triangle_count = mesh.triangle_count;
	return OZ_OK;
}

void oz_triangles_free(uint32_t (*triangles)[3])
{
	free(triangles);
}

void oz_points_free(oz_vec3 *points)
{
	free(points);
}
