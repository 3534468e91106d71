// trace_facets.c: the faces of colliders as triangles with normals.
//
// All shapes except box and plane are surfaces of revolution about y. Their profile is a list of
// points in the half plane (r, y), each with its normal; a corner of the profile is listed twice.
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "render/shaded_mesh.h"
#include "render/trace.h"

#define AROUND       128u // faces of a full circle
#define PROFILE_MOST 160u // most points of a profile

typedef struct profile {
	float r[PROFILE_MOST], y[PROFILE_MOST], nr[PROFILE_MOST], ny[PROFILE_MOST];
	uint32_t count;
} profile;

static void add_point(profile *p, float r, float y, float nr, float ny)
{
	if (p->count == PROFILE_MOST)
		return;
	p->r[p->count] = oz_max(r, 0.0f);
	p->y[p->count] = y;
	p->nr[p->count] = nr;
	p->ny[p->count] = ny;
	p->count++;
}

// Adds an add_arc about (r, y); angles from the +y axis, as fractions of a full circle.
static void add_arc(profile *p, float r, float y, float radius, float from, float to)
{
	const uint32_t steps = (uint32_t)((float)AROUND * oz_abs(to - from)) + 1;
	for (uint32_t k = 0; k <= steps; k++) {
		const float a = 2.0f * OZ_PI * (from + (to - from) * (float)k / (float)steps);
		add_point(p, r + radius * sinf(a), y + radius * cosf(a), sinf(a), cosf(a));
	}
}

static profile profile_of(oz_shape_kind kind, oz_vec3 size, float swell)
{
	profile p = {.count = 0};
	const float r = size.x + swell, half = 0.5f * size.y;
	switch (kind) {
	case OZ_SHAPE_DOME:
		add_arc(&p, 0.0f, 0.0f, r, 0.0f, 0.25f);
		add_point(&p, r, 0.0f, 0.0f, -1.0f);
		add_point(&p, 0.0f, 0.0f, 0.0f, -1.0f);
		break;
	case OZ_SHAPE_CYLINDER:
		add_point(&p, 0.0f, half + swell, 0.0f, 1.0f);
		add_point(&p, r, half + swell, 0.0f, 1.0f);
		add_point(&p, r, half + swell, 1.0f, 0.0f);
		add_point(&p, r, -half - swell, 1.0f, 0.0f);
		add_point(&p, r, -half - swell, 0.0f, -1.0f);
		add_point(&p, 0.0f, -half - swell, 0.0f, -1.0f);
		break;
	case OZ_SHAPE_CAPSULE:
		add_arc(&p, 0.0f, half, r, 0.0f, 0.25f);
		add_arc(&p, 0.0f, -half, r, 0.25f, 0.5f);
		break;
	case OZ_SHAPE_TORUS: add_arc(&p, size.x, 0.0f, size.y + swell, 0.0f, 1.0f); break;
	default: add_arc(&p, 0.0f, 0.0f, r, 0.0f, 0.5f); break;
	}
	return p;
}

static oz_facets *facets_make(uint32_t vertices, uint32_t triangles)
{
	oz_facets *f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->position = malloc(sizeof *f->position * vertices);
	f->normal = malloc(sizeof *f->normal * vertices);
	f->triangles = malloc(sizeof *f->triangles * triangles);
	if (f->position && f->normal && f->triangles)
		return f;
	oz_facets_free(f);
	return NULL;
}

void oz_facets_free(oz_facets *f)
{
	if (!f)
		return;
	free(f->position);
	free(f->normal);
	free(f->triangles);
	free(f);
}

static uint32_t add_vertex(oz_facets *f, oz_vec3 position, oz_vec3 normal)
{
	f->position[f->vertices] = position;
	f->normal[f->vertices] = normal;
	return f->vertices++;
}

static void add_triangle(oz_facets *f, uint32_t a, uint32_t b, uint32_t c)
{
	f->triangles[f->count][0] = a;
	f->triangles[f->count][1] = b;
	f->triangles[f->count][2] = c;
	f->count++;
}

// Adds a rectangle centre ± x ± y with the normal x × y.
static void add_rectangle(oz_facets *f, oz_vec3 centre, oz_vec3 x, oz_vec3 y)
{
	const oz_vec3 n = oz_normalize(oz_cross(x, y));
	uint32_t v[4];
	for (int k = 0; k < 4; k++)
		v[k] = add_vertex(f,
		                  oz_mad(oz_mad(centre, x, k == 1 || k == 2 ? 1.0f : -1.0f), y,
		                         k >= 2 ? 1.0f : -1.0f),
		                  n);
	add_triangle(f, v[0], v[1], v[2]);
	add_triangle(f, v[0], v[2], v[3]);
}

static oz_facets *box_facets(oz_vec3 h)
{
	oz_facets *f = facets_make(24, 12);
	const oz_vec3 x = {h.x, 0, 0}, y = {0, h.y, 0}, z = {0, 0, h.z};
	for (int k = 0; f && k < 2; k++) {
		const float side = k ? -1.0f : 1.0f;
		add_rectangle(f, oz_scale(x, side), oz_scale(y, side), z);
		add_rectangle(f, oz_scale(y, side), oz_scale(z, side), x);
		add_rectangle(f, oz_scale(z, side), oz_scale(x, side), y);
	}
	return f;
}

static oz_facets *plane_facets(float reach)
{
	oz_facets *f = facets_make(4, 2);
	if (f)
		add_rectangle(f, oz_v3(0, 0, 0), oz_v3(0, 0, reach), oz_v3(reach, 0, 0));
	return f;
}

static oz_facets *revolved_facets(const profile *p)
{
	oz_facets *f = facets_make(p->count * (AROUND + 1), 2 * p->count * AROUND);
	for (uint32_t a = 0; f && a <= AROUND; a++) {
		const float rotation = 2.0f * OZ_PI * (float)(a % AROUND) / (float)AROUND;
		const float s = sinf(rotation), c = cosf(rotation);
		for (uint32_t k = 0; k < p->count; k++) {
			const uint32_t v = add_vertex(f, oz_v3(c * p->r[k], p->y[k], s * p->r[k]),
			                              oz_v3(c * p->nr[k], p->ny[k], s * p->nr[k]));
			if (a == AROUND || k + 1 == p->count)
				continue;
			add_triangle(f, v, v + p->count, v + 1);
			add_triangle(f, v + 1, v + p->count, v + p->count + 1);
		}
	}
	return f;
}

oz_facets *oz_facets_of(const oz_shape *shape, float swell, float reach)
{
	const oz_quat rotation = oz_quat_normalize(shape->rotation);
	oz_facets *f;
	if (shape->kind == OZ_SHAPE_BOX) {
		f = box_facets(oz_add(oz_scale(shape->size, 0.5f), oz_v3(swell, swell, swell)));
	} else if (shape->kind == OZ_SHAPE_PLANE) {
		f = plane_facets(reach);
	} else {
		const profile p = profile_of(shape->kind, shape->size, swell);
		f = revolved_facets(&p);
	}
	for (uint32_t v = 0; f && v < f->vertices; v++) {
		f->position[v] = oz_add(shape->position, oz_quat_rotate(rotation, f->position[v]));
		f->normal[v] = oz_quat_rotate(rotation, f->normal[v]);
	}
	return f;
}

oz_facets *oz_facets_of_mesh(const oz_shaded_mesh *shaded, const oz_shape *shape, float swell)
{
	const oz_quat rotation = oz_quat_normalize(shape->rotation);
	oz_facets *f = facets_make(shaded->vertex_count + 1, shaded->triangle_count + 1);
	if (!f)
		return NULL;
	f->vertices = shaded->vertex_count;
	f->count = shaded->triangle_count;
	for (uint32_t v = 0; v < f->vertices; v++) {
		const oz_vec3 at = oz_mad(shaded->position[v], shaded->out[v], swell);
		f->position[v] = oz_add(shape->position, oz_quat_rotate(rotation, at));
		f->normal[v] = oz_quat_rotate(rotation, shaded->normal[v]);
	}
	memcpy(f->triangles, shaded->triangles, sizeof *f->triangles * f->count);
	return f;
}
