// shaded_mesh.c: prepares a mesh for pictures: smooth normals, except at sharp edges.
//
// The normal at a corner of a triangle is the mean over those triangles around its vertex whose
// normals differ by less than 40°, weighted by the chords of their angles there. Where corners have
// different normals, the vertex is split into copies. All copies have the same `out`, along which
// vertices move when the mesh is enlarged, so that no crack opens between them.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/quat.h"
#include "render/shaded_mesh.h"

#define SHARP 0.766f // cosine of the least angle between faces at a sharp edge: 40°
#define SAME  1e-6f  // squared difference below which normals are equal

// The corners (3 × triangle + 0, 1 or 2) at each vertex.
typedef struct fans {
	uint32_t *start; // first corner of each vertex, and the end
	uint32_t *corner;
	oz_vec3 *face; // unit normal of each triangle; zero: it has no area
} fans;

static bool fans_make(fans *f, const oz_mesh *m)
{
	*f = (fans){calloc((size_t)m->vertex_count + 2, sizeof *f->start),
	            malloc(sizeof *f->corner * 3 * m->triangle_count),
	            malloc(sizeof *f->face * m->triangle_count)};
	if (!f->start || !f->corner || !f->face)
		return false;
	const uint32_t *at = &m->triangles[0][0];
	// counting sort; counts are shifted by two places, so that filling turns them into starts
	for (uint32_t c = 0; c < 3 * m->triangle_count; c++)
		f->start[at[c] + 2]++;
	for (uint32_t v = 0; v < m->vertex_count; v++)
		f->start[v + 2] += f->start[v + 1];
	for (uint32_t c = 0; c < 3 * m->triangle_count; c++)
		f->corner[f->start[at[c] + 1]++] = c;
	return true;
}

static void fans_free(fans *f)
{
	free(f->start);
	free(f->corner);
	free(f->face);
}

static oz_vec3 face_normal(const oz_mesh *m, uint32_t t)
{
	const oz_vec3 a = m->vertices[m->triangles[t][0]];
	const oz_vec3 n = oz_cross(oz_sub(m->vertices[m->triangles[t][1]], a),
	                           oz_sub(m->vertices[m->triangles[t][2]], a));
	const float length = oz_length(n);
	return length > 0.0f ? oz_scale(n, 1.0f / length) : oz_v3(0.0f, 0.0f, 0.0f);
}

// Weight of a triangle at a corner: the chord of its angle there.
static float corner_chord(const oz_mesh *m, uint32_t corner)
{
	const uint32_t *t = m->triangles[corner / 3];
	const oz_vec3 at = m->vertices[t[corner % 3]];
	const oz_vec3 a = oz_normalize(oz_sub(m->vertices[t[(corner + 1) % 3]], at));
	const oz_vec3 b = oz_normalize(oz_sub(m->vertices[t[(corner + 2) % 3]], at));
	return oz_length(oz_sub(a, b));
}

// Normal of a vertex: mean of the normals of its faces, weighted by corner_chord. Only faces count
// whose normal has a cosine above `least` with `like`.
static oz_vec3 fan_normal(const fans *f, const oz_mesh *m, uint32_t vertex, oz_vec3 like,
                          float least)
{
	oz_vec3 sum = {0, 0, 0};
	for (uint32_t k = f->start[vertex]; k < f->start[vertex + 1]; k++) {
		const oz_vec3 n = f->face[f->corner[k] / 3];
		if (oz_dot(n, like) > least)
			sum = oz_mad(sum, n, corner_chord(m, f->corner[k]));
	}
	return oz_normalize(sum);
}

// The copy of a vertex, from `first` on, that has this normal; vertex_count: none.
static uint32_t find_copy(const oz_shaded_mesh *shaded, uint32_t first, oz_vec3 normal)
{
	for (uint32_t v = first; v < shaded->vertex_count; v++) {
		const oz_vec3 d = oz_sub(shaded->normal[v], normal);
		if (oz_dot(d, d) < SAME)
			return v;
	}
	return shaded->vertex_count;
}

// Adds one copy of a vertex for each different normal, and sets the corners of its triangles.
static void split_vertex(oz_shaded_mesh *shaded, const fans *f, const oz_mesh *m, uint32_t vertex)
{
	const uint32_t first = shaded->vertex_count;
	const oz_vec3 out = fan_normal(f, m, vertex, oz_v3(0, 0, 0), -1.0f);
	for (uint32_t k = f->start[vertex]; k < f->start[vertex + 1]; k++) {
		const uint32_t corner = f->corner[k];
		const oz_vec3 like = f->face[corner / 3];
		const oz_vec3 normal =
		        oz_dot(like, like) > 0.0f ? fan_normal(f, m, vertex, like, SHARP) : out;
		const uint32_t copy = find_copy(shaded, first, normal);
		if (copy == shaded->vertex_count) {
			shaded->position[copy] = m->vertices[vertex];
			shaded->normal[copy] = normal;
			shaded->out[copy] = out;
			shaded->vertex_count++;
		}
		shaded->triangles[corner / 3][corner % 3] = copy;
	}
}

// Finds the outermost vertex in each direction.
static void find_rim(oz_shaded_mesh *shaded)
{
	float reach[OZ_RIM];
	for (uint32_t v = 0; v < shaded->vertex_count; v++)
		for (int k = 0; k < OZ_RIM; k++) {
			const float r = oz_dot(shaded->position[v], oz_rim_direction(k));
			if (v > 0 && !(r > reach[k]))
				continue;
			reach[k] = r;
			shaded->rim[k] = shaded->position[v];
		}
}

static oz_shaded_mesh *shaded_alloc(uint32_t triangles)
{
	oz_shaded_mesh *shaded = calloc(1, sizeof *shaded);
	const size_t corners = 3 * (size_t)triangles + 1;
	if (!shaded)
		return NULL;
	shaded->triangle_count = triangles;
	shaded->position = malloc(sizeof *shaded->position * corners);
	shaded->normal = malloc(sizeof *shaded->normal * corners);
	shaded->out = malloc(sizeof *shaded->out * corners);
	shaded->triangles = malloc(sizeof *shaded->triangles * (triangles + 1ull));
	if (shaded->position && shaded->normal && shaded->out && shaded->triangles)
		return shaded;
	oz_shaded_mesh_free(shaded);
	return NULL;
}

oz_result oz_shaded_mesh_make(const oz_mesh *m, oz_shaded_mesh **made, oz_error *error)
{
	fans f = {0};
	oz_shaded_mesh *shaded = shaded_alloc(m->triangle_count);
	const bool room = shaded && fans_make(&f, m);
	for (uint32_t t = 0; room && t < m->triangle_count; t++)
		f.face[t] = face_normal(m, t);
	for (uint32_t v = 0; room && v < m->vertex_count; v++)
		split_vertex(shaded, &f, m, v);
	fans_free(&f);
	if (room) {
		find_rim(shaded);
		*made = shaded;
		return OZ_OK;
	}
	*made = NULL;
	oz_shaded_mesh_free(shaded);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory while a mesh is prepared for pictures; simplify the mesh");
}

void oz_shaded_mesh_free(oz_shaded_mesh *shaded)
{
	if (!shaded)
		return;
	free(shaded->position);
	free(shaded->normal);
	free(shaded->out);
	free(shaded->triangles);
	free(shaded);
}
