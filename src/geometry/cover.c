// cover.c: an even mesh on the surface of a volume: isotropic remeshing after Botsch & Kobbelt
// (2004), A remeshing approach to multiresolution modeling, with vertices on the surface.
#include "geometry/cover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/vec.h"

#define SIDE   1.0746f // side of equilateral triangles with one vertex for each unit of area
#define CELL   0.7f    // of the first mesh, spacings
#define ROUNDS 12
#define SMOOTH 6     // the last passes only move vertices
#define ENOUGH 0.015 // error of the number of vertices
#define TRIES  6     // sides that are tried
#define LEAST  32    // fewest vertices of a mesh
#define MOST   4e6   // most vertices, estimated

bool oz_cover_add_vertex(oz_cover *c, oz_vec3 vertex, uint32_t *number)
{
	if (c->mesh.vertex_count == c->vertex_room) {
		const uint32_t room = 2 * c->vertex_room + 1024;
		oz_vec3 *more = realloc(c->mesh.vertices, sizeof *more * room);
		if (!more)
			return false;
		c->mesh.vertices = more;
		c->vertex_room = room;
	}
	*number = c->mesh.vertex_count++;
	c->mesh.vertices[*number] = vertex;
	return true;
}

bool oz_cover_add_triangle(oz_cover *cover, uint32_t a, uint32_t b, uint32_t c)
{
	oz_mesh *m = &cover->mesh;
	if (m->triangle_count == cover->triangle_room) {
		const uint32_t room = 2 * cover->triangle_room + 1024;
		uint32_t(*more)[3] = realloc(m->triangles, sizeof *more * room);
		if (!more)
			return false;
		m->triangles = more;
		cover->triangle_room = room;
	}
	uint32_t *t = m->triangles[m->triangle_count++];
	t[0] = a, t[1] = b, t[2] = c;
	return true;
}

// ---- vertices ----------------------------------------------------------------------------------

// the outward normal of a volume near p, by differences of its distance over `step`, m
static oz_vec3 gradient_at(const oz_volume *v, oz_vec3 p, float step)
{
	const float reach = 4 * step;
	oz_vec3 g = {0, 0, 0};
	g.x = v->distance(v->context, oz_v3(p.x + step, p.y, p.z), reach) -
	      v->distance(v->context, oz_v3(p.x - step, p.y, p.z), reach);
	g.y = v->distance(v->context, oz_v3(p.x, p.y + step, p.z), reach) -
	      v->distance(v->context, oz_v3(p.x, p.y - step, p.z), reach);
	g.z = v->distance(v->context, oz_v3(p.x, p.y, p.z + step), reach) -
	      v->distance(v->context, oz_v3(p.x, p.y, p.z - step), reach);
	return oz_normalize(g);
}

// the point of the surface near p
static oz_vec3 project(const oz_cover *c, oz_vec3 p)
{
	const oz_volume *v = c->volume;
	for (int k = 0; k < 3; k++) {
		const float d = v->distance(v->context, p, c->side);
		if (!(oz_abs(d) < c->side))
			return p;
		const oz_vec3 n =
		        v->outward ? v->outward(v->context, p) : gradient_at(v, p, 1e-2f * c->side);
		p = oz_mad(p, n, -d);
	}
	return p;
}

// Moves each vertex in its plane to the mean of the triangles around it, weighted by area, and then
// onto the surface. `sums`: 2 for each vertex.
static void smooth(oz_cover *c, oz_vec3 *sums, float *weights)
{
	oz_mesh *m = &c->mesh;
	memset(sums, 0, 2 * sizeof *sums * m->vertex_count);
	memset(weights, 0, sizeof *weights * m->vertex_count);
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		const uint32_t *t = m->triangles[i];
		const oz_vec3 a = m->vertices[t[0]], b = m->vertices[t[1]], d = m->vertices[t[2]];
		const oz_vec3 n = oz_cross(oz_sub(b, a), oz_sub(d, a));
		const float area = oz_length(n);
		const oz_vec3 middle = oz_scale(oz_add(a, oz_add(b, d)), area / 3);
		for (int k = 0; k < 3; k++) {
			sums[2 * t[k]] = oz_add(sums[2 * t[k]], middle);
			sums[2 * t[k] + 1] = oz_add(sums[2 * t[k] + 1], n);
			weights[t[k]] += area;
		}
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		if (!(weights[v] > 0))
			continue;
		const oz_vec3 x = m->vertices[v], n = oz_normalize(sums[2 * v + 1]);
		oz_vec3 way = oz_sub(oz_scale(sums[2 * v], 1 / weights[v]), x);
		way = oz_mad(way, n, -oz_dot(way, n));
		m->vertices[v] = project(c, oz_add(x, way));
	}
}

// smooths `times` times; false: out of memory
static bool smooth_some(oz_cover *c, int times)
{
	oz_vec3 *sums = malloc(2 * sizeof *sums * ((size_t)c->mesh.vertex_count + 1));
	float *weights = malloc(sizeof *weights * ((size_t)c->mesh.vertex_count + 1));
	const bool room = sums && weights;
	for (int k = 0; k < times && room; k++)
		smooth(c, sums, weights);
	free(sums);
	free(weights);
	return room;
}

// ---- the whole ---------------------------------------------------------------------------------

// repeats a pass until it changes hardly anything
static bool repeat(oz_cover *c, bool (*pass)(oz_cover *, uint32_t *))
{
	bool room = true;
	for (int k = 0; k < 8 && room; k++) {
		uint32_t changed = 0;
		room = pass(c, &changed);
		if (changed <= c->mesh.triangle_count / 1000)
			break;
	}
	return room;
}

// makes edges equally long; false: out of memory
static bool even_out(oz_cover *c, int rounds)
{
	bool room = true;
	for (int k = 0; k < rounds && room; k++)
		room = repeat(c, oz_cover_split) && repeat(c, oz_cover_collapse) &&
		       repeat(c, oz_cover_flip) && smooth_some(c, 2);
	return room && repeat(c, oz_cover_flip) && smooth_some(c, SMOOTH);
}

static double area_of(const oz_mesh *m)
{
	double sum = 0;
	for (uint32_t i = 0; i < m->triangle_count; i++) {
		const uint32_t *t = m->triangles[i];
		const oz_vec3 a = m->vertices[t[0]];
		sum += 0.5 * (double)oz_length(oz_cross(oz_sub(m->vertices[t[1]], a),
		                                        oz_sub(m->vertices[t[2]], a)));
	}
	return sum;
}

// changes the side until there is a vertex for each spacing²
static bool fit_count(oz_cover *c, float spacing)
{
	bool room = even_out(c, ROUNDS);
	for (int k = 0; k < TRIES && room; k++) {
		const double wanted = area_of(&c->mesh) / ((double)spacing * (double)spacing);
		const double share = c->mesh.vertex_count / wanted;
		if (fabs(share - 1) < ENOUGH)
			break;
		c->side *= (float)sqrt(share);
		room = even_out(c, 4);
	}
	return room;
}

oz_result oz_volume_cover(const oz_volume *volume, float spacing, oz_mesh *mesh, oz_error *error)
{
	const oz_vec3 size = oz_sub(volume->max, volume->min);
	const double sides =
	        2.0 * ((double)size.x * (double)size.y + (double)size.y * (double)size.z +
	               (double)size.z * (double)size.x);
	oz_cover c = {.volume = volume, .side = SIDE * spacing};
	memset(mesh, 0, sizeof *mesh);
	if (!(spacing > OZ_FILL_MIN) || !isfinite(spacing))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the spacing is %g m; it must be a positive number",
		               (double)spacing);
	if (sides / ((double)spacing * (double)spacing) > MOST)
		return oz_fill_too_many(volume, spacing,
		                        sides / ((double)spacing * (double)spacing), error);
	if (!oz_cover_march(&c, CELL * spacing) || !fit_count(&c, spacing)) {
		oz_mesh_free(&c.mesh);
		return oz_fill_no_memory(volume, spacing,
		                         sides / ((double)spacing * (double)spacing), error);
	}
	if (c.mesh.vertex_count < LEAST) {
		oz_mesh_free(&c.mesh);
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the surface of %s has room for fewer than %d points at a spacing "
		               "of "
		               "%g m; use a smaller spacing",
		               volume->name, LEAST, (double)spacing);
	}
	*mesh = c.mesh;
	return OZ_OK;
}
