// membrane_mesh.c: the mesh of a membrane: checks, faces and edges.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/mesh_repair.h"
#include "models/membrane/membrane.h"

#include "models/membrane/membrane.cl"

#define NEEDLE 0.02 // height of a face over its longest side; below it is a needle

// ---- checks ------------------------------------------------------------------------------------

static void subtract(const oz_vec3 *a, const oz_vec3 *b, double to[3])
{
	to[0] = (double)a->x - (double)b->x;
	to[1] = (double)a->y - (double)b->y;
	to[2] = (double)a->z - (double)b->z;
}

static void cross(const double a[3], const double b[3], double to[3])
{
	to[0] = a[1] * b[2] - a[2] * b[1];
	to[1] = a[2] * b[0] - a[0] * b[2];
	to[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double oz_membrane_volume(const oz_vec3 *points, const uint32_t (*triangles)[3], uint32_t count)
{
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		double a[3], b[3], c[3], bc[3];
		subtract(&points[triangles[i][0]], &points[triangles[0][0]], a);
		subtract(&points[triangles[i][1]], &points[triangles[0][0]], b);
		subtract(&points[triangles[i][2]], &points[triangles[0][0]], c);
		cross(b, c, bc);
		sum += dot(a, bc) / 6;
	}
	return sum;
}

// the smallest height of a face over its longest side
static double slimness(const oz_vec3 *points, const uint32_t t[3])
{
	double ab[3], ac[3], bc[3], n[3];
	subtract(&points[t[1]], &points[t[0]], ab);
	subtract(&points[t[2]], &points[t[0]], ac);
	subtract(&points[t[2]], &points[t[1]], bc);
	cross(ab, ac, n);
	const double longest = fmax(dot(ab, ab), fmax(dot(ac, ac), dot(bc, bc)));
	return longest > 0 ? sqrt(dot(n, n)) / longest : 0;
}

// fails if a face is a needle: too slim to have forces
static oz_result check_faces(const oz_body_def *def, oz_error *error)
{
	for (uint32_t i = 0; i < def->triangle_count; i++) {
		const uint32_t *t = def->triangles[i];
		for (int k = 0; k < 3; k++)
			if (t[k] >= def->count)
				return oz_fail(error, OZ_ERROR_MESH,
				               "body '%s': triangle %u names point %u of %u; "
				               "number points from 0",
				               def->name, i, t[k], def->count);
		const oz_vec3 p = def->points[t[0]];
		if (slimness(def->points, t) < NEEDLE)
			return oz_fail(error, OZ_ERROR_MESH,
			               "body '%s': triangle %u at (%g, %g, %g) is a needle or has "
			               "no area; merge its corners, or give the mesh to a scene, "
			               "which makes even triangles of it",
			               def->name, i, (double)p.x, (double)p.y, (double)p.z);
	}
	return OZ_OK;
}

// fails if a point belongs to no triangle
static oz_result check_all_used(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	uint8_t *used = oz_heap_alloc(sim->heap, def->count);
	uint32_t lone = 0;
	if (!used)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the mesh of body '%s'; use a larger spacing",
		               def->name);
	memset(used, 0, def->count);
	for (uint32_t i = 0; i < def->triangle_count; i++)
		for (int k = 0; k < 3; k++)
			used[def->triangles[i][k]] = 1;
	while (lone < def->count && used[lone])
		lone++;
	oz_heap_free(sim->heap, used, def->count);
	if (lone == def->count)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_MESH,
	               "body '%s': point %u belongs to no triangle; leave it out", def->name, lone);
}

// A copy of the triangles; all are flipped if the volume is negative, so that normals point
// outwards. NULL: out of memory.
static uint32_t (*outward(const oz_sim *sim, const oz_vec3 *points, const uint32_t (*triangles)[3],
                          uint32_t count))[3]
{
	uint32_t(*copy)[3] = oz_heap_alloc(sim->heap, sizeof *copy * count);
	if (!copy)
		return NULL;
	memcpy(copy, triangles, sizeof *copy * count);
	if (oz_membrane_volume(points, triangles, count) < 0)
		for (uint32_t i = 0; i < count; i++)
			oz_flip(copy[i]);
	return copy;
}

// the mean length of the sides of all triangles, m
static double mean_side(const oz_body_def *def)
{
	double sum = 0;
	for (uint32_t i = 0; i < def->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			const uint32_t *t = def->triangles[i];
			double way[3];
			subtract(&def->points[t[(k + 1) % 3]], &def->points[t[k]], way);
			sum += sqrt(dot(way, way));
		}
	return sum / (3.0 * def->triangle_count);
}

oz_result oz_membrane_check(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	char where[OZ_NAME_SIZE + 16];
	if (def->count == 0)
		return OZ_OK;
	if (!def->triangles || def->triangle_count < 4)
		return oz_fail(error, OZ_ERROR_MESH,
		               "body '%s' is a membrane of %u triangles; pass the triangles of a "
		               "closed mesh between its points",
		               def->name, def->triangles ? def->triangle_count : 0);
	oz_result result = check_faces(def, error);
	if (result == OZ_OK)
		result = check_all_used(sim, def, error);
	if (result == OZ_OK)
		result = oz_membrane_check_surface(sim, &oz_materials(sim)[def->material],
		                                   def->name, mean_side(def), error);
	if (result != OZ_OK)
		return result;
	uint32_t(*triangles)[3] = outward(sim, def->points, def->triangles, def->triangle_count);
	if (!triangles)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the mesh of body '%s'; use a larger spacing",
		               def->name);
	const oz_mesh mesh = {(oz_vec3 *)def->points, def->count, triangles, def->triangle_count};
	snprintf(where, sizeof where, "body '%s'", def->name);
	result = oz_mesh_check_closed(&mesh, where, error);
	oz_heap_free(sim->heap, triangles, sizeof *triangles * def->triangle_count);
	return result;
}

// ---- faces and edges ---------------------------------------------------------------------------

// appends a triangle; false: out of memory
static bool add_face(oz_sim *sim, oz_membrane *m, const oz_vec3 *points, const uint32_t t[3],
                     const oz_membrane_chamber *chamber)
{
	const double stretch = (double)oz_membrane_material(sim, chamber)->prestretch;
	double ab[3], ac[3], n[3];
	oz_membrane_face *f = oz_array_add(sim->heap, &m->faces);
	if (!f)
		return false;
	subtract(&points[t[1]], &points[t[0]], ab);
	subtract(&points[t[2]], &points[t[0]], ac);
	cross(ab, ac, n);
	const double l = sqrt(dot(ab, ab)) / stretch, x = dot(ab, ac) / (l * stretch * stretch);
	const double y = sqrt(dot(n, n)) / (l * stretch * stretch);
	*f = (oz_membrane_face){.chamber = m->chambers.count - 1,
	                        .grad_xx = (float)(1 / l),
	                        .grad_xy = (float)(-x / (l * y)),
	                        .grad_yy = (float)(1 / y),
	                        .area = (float)(0.5 * l * y)};
	for (int k = 0; k < 3; k++)
		f->corner[k] = chamber->first_vertex + t[k];
	return true;
}

// Poisson's ratio of a skin; rubber keeps its volume
static double poisson_of(const oz_material_def *def)
{
	return def->skin_law == OZ_SKIN_RUBBER    ? 0.5
	       : def->skin_law == OZ_SKIN_SPRINGS ? 1.0 / 3
	                                          : (double)def->poisson_ratio;
}

// Stiffness of bending D l²/(A1 + A2), with D = E t³/12 (1 - ν²), and of the spring,
// E t (A1 + A2)/l² (Van Gelder 1998)
static void find_stiffness(const oz_material_def *def, const oz_membrane_face *faces,
                           oz_membrane_edge *e)
{
	const double nu = poisson_of(def), t = (double)def->thickness;
	// the area of a torn face is negative
	const double areas =
	        fabs((double)faces[e->face[0]].area) + fabs((double)faces[e->face[1]].area);
	const double young = (double)def->young_modulus, l2 = (double)e->length * (double)e->length;
	const double even = e->even > 0 ? (double)e->even : 1;
	e->bend = (float)(even * young * t * t * t / (12 * (1 - nu * nu)) * l2 / areas);
	e->spring = (float)(young * t * areas / l2);
}

// appends an edge with its two faces; false: out of memory
static bool add_edge(oz_sim *sim, oz_membrane *m, const oz_vec3 *points, const oz_edge *edge,
                     const oz_edge_entry at[2], const oz_mesh *mesh)
{
	const uint32_t chamber = m->chambers.count - 1;
	const oz_membrane_chamber *b = &oz_membrane_chambers(m)[chamber];
	const oz_material_def *def = oz_membrane_material(sim, b);
	const oz_membrane_face *faces = m->faces.items;
	oz_membrane_edge *e = oz_array_add(sim->heap, &m->edges);
	if (!e)
		return false;
	// in the first face the edge runs from its lower to its higher vertex
	const int first =
	        oz_runs_along(mesh->triangles[at[0].triangle], edge->low, edge->high) ? 0 : 1;
	const oz_edge_entry *one = &at[first], *two = &at[1 - first];
	const membrane_hinge h = membrane_hinge_of(points[edge->low], points[edge->high],
	                                           points[one->third], points[two->third]);
	double way[3];
	subtract(&points[edge->high], &points[edge->low], way);
	*e = (oz_membrane_edge){.a = b->first_vertex + edge->low,
	                        .b = b->first_vertex + edge->high,
	                        .c = b->first_vertex + one->third,
	                        .d = b->first_vertex + two->third,
	                        .face = {b->first_face + one->triangle,
	                                 b->first_face + two->triangle},
	                        .chamber = chamber,
	                        .length = (float)(sqrt(dot(way, way)) / (double)def->prestretch),
	                        .angle = h.angle};
	find_stiffness(def, faces, e);
	return true;
}

void oz_membrane_stiffen(const oz_sim *sim, oz_membrane *m, oz_id material)
{
	oz_membrane_edge *edges = m->edges.items;
	if (!oz_membrane_fetch_edges(sim, m))
		m->failed = true;
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		const oz_membrane_chamber *b = &oz_membrane_chambers(m)[k];
		if (oz_bodies(sim)[b->body].material != material)
			continue;
		for (uint32_t e = b->first_edge; e < b->first_edge + b->edges; e++)
			find_stiffness(&oz_materials(sim)[material], m->faces.items, &edges[e]);
		m->edges_changed = true;
	}
}

// The mean of θ² over all directions in which the surface may be bent to a cylinder of curvature 1,
// m², of an edge whose faces are laid flat. With the edge from (0, 0) to (l, 0) and its opposite
// vertices at (x, h) and (x', -h'),
//
//   θ = κ_xx p + κ_xy q + κ_yy r,   p = (x (x - l)/h + x' (x' - l)/h')/2,  q = x - x',  r = (h +
//   h')/2
static double bent2(const oz_vec3 *points, const oz_edge *edge, const oz_edge_entry at[2])
{
	double along[3], to[3], n[3], x[2], h[2];
	subtract(&points[edge->high], &points[edge->low], along);
	const double l = sqrt(dot(along, along));
	for (int k = 0; k < 2; k++) {
		subtract(&points[at[k].third], &points[edge->low], to);
		cross(along, to, n);
		x[k] = dot(along, to) / l;
		h[k] = sqrt(dot(n, n)) / l;
	}
	const double p = 0.5 * (x[0] * (x[0] - l) / h[0] + x[1] * (x[1] - l) / h[1]),
	             q = x[0] - x[1], r = 0.5 * (h[0] + h[1]);
	return 3.0 / 8 * (p * p + r * r) + 1.0 / 8 * (q * q + 2 * p * r);
}

// Multiplies the stiffness of bending of all edges of a mesh by a factor with which the energy of a
// cylinder is that of a plate. Where triangles are equilateral it is 1; edges between others turn
// against each other, and store more than the plate.
static void make_even(oz_membrane *m, const oz_material_def *def, const oz_mesh *mesh,
                      const oz_edges *edges, uint32_t first)
{
	const oz_membrane_face *faces = m->faces.items;
	oz_membrane_edge *e = (oz_membrane_edge *)m->edges.items + first;
	const uint32_t count = m->edges.count - first;
	oz_edge edge = {0};
	double stored = 0, area = 0;
	for (uint32_t k = 0; k < count && oz_edge_next(edges, &edge); k++) {
		const double l2 = (double)e[k].length * (double)e[k].length;
		const double both =
		        (double)faces[e[k].face[0]].area + (double)faces[e[k].face[1]].area;
		stored += l2 / both * bent2(mesh->vertices, &edge, edges->entries + edge.begin);
		area += both / 3;
	}
	for (uint32_t k = 0; k < count && stored > 0; k++) {
		e[k].even = (float)(area / stored);
		find_stiffness(def, faces, &e[k]);
	}
}

static bool add_edges(oz_sim *sim, oz_membrane *m, const oz_mesh *mesh)
{
	const uint32_t first = m->edges.count;
	oz_edges edges = {0};
	oz_edge edge = {0};
	bool all = oz_edges_make(&edges, mesh);
	while (all && oz_edge_next(&edges, &edge))
		all = add_edge(sim, m, mesh->vertices, &edge, edges.entries + edge.begin, mesh);
	if (all)
		make_even(m,
		          oz_membrane_material(sim,
		                               &oz_membrane_chambers(m)[m->chambers.count - 1]),
		          mesh, &edges, first);
	oz_edges_free(&edges);
	return all;
}

bool oz_membrane_add_mesh(oz_sim *sim, oz_membrane *m, const oz_addition *a)
{
	oz_membrane_chamber *b = &oz_membrane_chambers(m)[m->chambers.count - 1];
	uint32_t(*triangles)[3] = outward(sim, a->points, a->triangles, a->triangle_count);
	const oz_mesh mesh = {(oz_vec3 *)a->points, a->count, triangles, a->triangle_count};
	bool all = triangles != NULL;
	b->first_vertex = m->slots.count;
	b->first_face = m->faces.count;
	b->first_edge = m->edges.count;
	for (uint32_t i = 0; i < a->count && all; i++) {
		uint32_t *slot = oz_array_add(sim->heap, &m->slots);
		all = slot != NULL;
		if (all)
			*slot = a->slot + (a->rank ? a->rank[i] : i);
	}
	for (uint32_t i = 0; i < a->triangle_count && all; i++)
		all = add_face(sim, m, a->points, triangles[i], b);
	all = all && add_edges(sim, m, &mesh);
	b->vertices = m->slots.count - b->first_vertex;
	b->faces = m->faces.count - b->first_face;
	b->edges = m->edges.count - b->first_edge;
	oz_heap_free(sim->heap, triangles, sizeof *triangles * a->triangle_count);
	return all;
}
