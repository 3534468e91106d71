// mesh.c: transforms meshes, and checks that they are closed surfaces.
//
// In a closed surface each edge is in exactly two triangles, which run along it in opposite
// directions. Each directed edge is listed under its lower vertex; after sorting, the two
// directions of an edge are adjacent.
#include "geometry/mesh.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/quat.h"
#include "math/vec.h"

typedef struct edge_table {
	uint64_t *start; // first edge of each vertex; one more for the end
	uint64_t *edges; // upper vertex × 2 + (1 if it runs from the upper to the lower vertex)
} edge_table;

typedef struct edge_faults {
	// edges with one triangle, with more than two, with two of the same direction
	uint64_t open, non_manifold, twisted;
	uint32_t first[2];    // vertices of the first faulty edge
	uint32_t first_faces; // triangles at it
} edge_faults;

void oz_mesh_free(oz_mesh *mesh)
{
	if (!mesh)
		return;
	free(mesh->vertices);
	free(mesh->triangles);
	*mesh = (oz_mesh){0};
}

void oz_mesh_transform(oz_mesh *mesh, oz_vec3 scale, oz_quat rotation, oz_vec3 position)
{
	const oz_quat q = oz_quat_normalize(rotation);
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		oz_vec3 *v = &mesh->vertices[i];
		const oz_vec3 scaled = oz_v3(v->x * scale.x, v->y * scale.y, v->z * scale.z);
		*v = oz_add(position, oz_quat_rotate(q, scaled));
	}
	if (!(scale.x * scale.y * scale.z < 0))
		return;
	// mirroring turns a mesh inside out, so flip its triangles
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t swap = mesh->triangles[i][1];
		mesh->triangles[i][1] = mesh->triangles[i][2];
		mesh->triangles[i][2] = swap;
	}
}

// ---- vertices ---------------------------------------------------------------------------------

oz_result oz_mesh_check_vertices(const oz_mesh *mesh, const char *path, oz_error *error)
{
	if (mesh->triangle_count == 0 || mesh->vertex_count == 0)
		return oz_fail(error, OZ_ERROR_MESH, "%s has no triangles; export it as a surface",
		               path);
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		const oz_vec3 v = mesh->vertices[i];
		if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
			return oz_fail(error, OZ_ERROR_MESH,
			               "vertex %u of %s is (%g, %g, %g), which is not finite; "
			               "repair "
			               "the file or its scale",
			               i, path, (double)v.x, (double)v.y, (double)v.z);
	}
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++)
			if (mesh->triangles[i][k] >= mesh->vertex_count)
				return oz_fail(error, OZ_ERROR_MESH,
				               "triangle %u of %s names vertex %u of %u; the file "
				               "is damaged, export it again",
				               i, path, mesh->triangles[i][k], mesh->vertex_count);
	return OZ_OK;
}

static void bounds(const oz_mesh *mesh, oz_vec3 *min, oz_vec3 *max)
{
	*min = *max = mesh->vertices[mesh->triangles[0][0]];
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			*min = oz_min3(*min, mesh->vertices[mesh->triangles[i][k]]);
			*max = oz_max3(*max, mesh->vertices[mesh->triangles[i][k]]);
		}
}

static oz_result check_extent(const oz_mesh *mesh, const char *path, oz_error *error)
{
	oz_vec3 min, max;
	bounds(mesh, &min, &max);
	const double size[3] = {(double)max.x - (double)min.x, (double)max.y - (double)min.y,
	                        (double)max.z - (double)min.z};
	for (int axis = 0; axis < 3; axis++)
		if (!(size[axis] > 0))
			return oz_fail(error, OZ_ERROR_MESH,
			               "%s is flat: it has no thickness along %c; give it a "
			               "thickness, or use a sheet",
			               path, "xyz"[axis]);
	return OZ_OK;
}

// ---- edges ------------------------------------------------------------------------------------

// Whether a triangle uses a vertex twice: it has no area, and its edges are ignored.
static bool is_degenerate(const uint32_t t[3])
{
	return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static uint32_t lower(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

// counts the edges of each vertex, and sums the counts to starts
static void count_edges(const oz_mesh *mesh, uint64_t *start)
{
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *t = mesh->triangles[i];
		for (int k = 0; k < 3 && !is_degenerate(t); k++)
			start[(size_t)lower(t[k], t[(k + 1) % 3]) + 1]++;
	}
	for (uint32_t v = 0; v < mesh->vertex_count; v++)
		start[(size_t)v + 1] += start[v];
}

// Lists the edges of each vertex. Filling moves each start to the next one; the last loop moves
// them back.
static void list_edges(const oz_mesh *mesh, edge_table *file)
{
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *t = mesh->triangles[i];
		for (int k = 0; k < 3 && !is_degenerate(t); k++) {
			const uint32_t a = t[k], b = t[(k + 1) % 3];
			const uint64_t upper = a < b ? b : a;
			file->edges[file->start[lower(a, b)]++] = upper * 2 + (a > b);
		}
	}
	for (size_t v = mesh->vertex_count; v > 0; v--)
		file->start[v] = file->start[v - 1];
	file->start[0] = 0;
}

static int compare_edges(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

// Counts the faults of one edge, given as `count` sorted entries with the same two vertices.
static void check_edge(uint32_t low, const uint64_t *edges, uint64_t count, edge_faults *faults)
{
	const bool twisted = count == 2 && edges[0] == edges[1];
	if (count == 2 && !twisted)
		return;
	if (faults->open + faults->non_manifold + faults->twisted == 0) {
		faults->first[0] = low;
		faults->first[1] = (uint32_t)(edges[0] >> 1);
		faults->first_faces = (uint32_t)count;
	}
	faults->open += count == 1;
	faults->non_manifold += count > 2;
	faults->twisted += twisted;
}

// counts the faults of all edges listed under a vertex; sorts these
static void check_vertex(uint32_t vertex, uint64_t *edges, uint64_t count, edge_faults *faults)
{
	if (count > 1)
		qsort(edges, count, sizeof *edges, compare_edges);
	for (uint64_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && edges[end] >> 1 == edges[i] >> 1;)
			end++;
		check_edge(vertex, edges + i, end - i, faults);
	}
}

static oz_result find_faults(const oz_mesh *mesh, const char *path, edge_faults *faults,
                             oz_error *error)
{
	edge_table file = {calloc((size_t)mesh->vertex_count + 1, sizeof *file.start),
	                   malloc((size_t)mesh->triangle_count * 3 * sizeof *file.edges)};
	const bool room = file.start && file.edges;
	if (room) {
		count_edges(mesh, file.start);
		list_edges(mesh, &file);
		for (uint32_t v = 0; v < mesh->vertex_count; v++)
			check_vertex(v, file.edges + file.start[v],
			             file.start[v + 1] - file.start[v], faults);
	}
	free(file.start);
	free(file.edges);
	return room ? OZ_OK
	            : oz_fail(error, OZ_ERROR_MEMORY,
	                      "out of memory for checking the %u triangles of %s; simplify it",
	                      mesh->triangle_count, path);
}

static oz_result report_fault(const oz_mesh *mesh, const char *path, const edge_faults *f,
                              oz_error *error)
{
	const oz_vec3 a = mesh->vertices[f->first[0]], b = mesh->vertices[f->first[1]];
	const uint32_t faces = f->first_faces;
	const char *what = faces == 1  ? "is open: one triangle only"
	                   : faces > 2 ? "is non-manifold: more than two triangles"
	                               : "is twisted: two triangles that face opposite ways";
	const char *remedy = faces == 1  ? "close the holes"
	                     : faces > 2 ? "separate the surfaces that meet there"
	                                 : "make all faces point outwards";
	uint32_t degenerate = 0;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		degenerate += is_degenerate(mesh->triangles[i]);
	return oz_fail(error, OZ_ERROR_MESH,
	               "%s %s at the edge from (%g, %g, %g) to (%g, %g, %g); of its edges %llu are "
	               "open, %llu non-manifold, %llu twisted (%u degenerate triangles ignored); "
	               "%s",
	               path, what, (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
	               (double)b.z, (unsigned long long)f->open,
	               (unsigned long long)f->non_manifold, (unsigned long long)f->twisted,
	               degenerate, remedy);
}

// ---- volume -----------------------------------------------------------------------------------

// the signed volume of the tetrahedron of the origin and three corners
static double tetrahedron(const double a[3], const double b[3], const double c[3])
{
	return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
	        a[2] * (b[0] * c[1] - b[1] * c[0])) /
	       6;
}

// The signed volume over that of the bounding box: a share does not overflow or underflow.
static double volume_share(const oz_mesh *mesh)
{
	oz_vec3 min, max;
	bounds(mesh, &min, &max);
	const double size[3] = {(double)max.x - (double)min.x, (double)max.y - (double)min.y,
	                        (double)max.z - (double)min.z};
	double sum = 0;
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		double corner[3][3];
		for (int k = 0; k < 3; k++) {
			const oz_vec3 v = mesh->vertices[mesh->triangles[i][k]];
			corner[k][0] = ((double)v.x - (double)min.x) / size[0] - 0.5;
			corner[k][1] = ((double)v.y - (double)min.y) / size[1] - 0.5;
			corner[k][2] = ((double)v.z - (double)min.z) / size[2] - 0.5;
		}
		sum += tetrahedron(corner[0], corner[1], corner[2]);
	}
	return sum;
}

static oz_result check_volume(const oz_mesh *mesh, const char *path, oz_error *error)
{
	const double volume = volume_share(mesh);
	if (fabs(volume) < 1e-12)
		return oz_fail(error, OZ_ERROR_MESH,
		               "%s is flat: its surface encloses no volume; give it a thickness, "
		               "or use a sheet",
		               path);
	if (volume < 0)
		return oz_fail(error, OZ_ERROR_MESH,
		               "%s is inside out: its faces point inwards; flip them", path);
	return OZ_OK;
}

oz_result oz_mesh_check_closed(const oz_mesh *mesh, const char *path, oz_error *error)
{
	if (!mesh)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "the mesh to check is NULL; load a mesh first");
	if (!path)
		path = "the mesh";
	oz_result result = oz_mesh_check_vertices(mesh, path, error);
	if (result == OZ_OK)
		result = check_extent(mesh, path, error);
	edge_faults faults = {0};
	if (result == OZ_OK)
		result = find_faults(mesh, path, &faults, error);
	if (result != OZ_OK)
		return result;
	if (faults.open + faults.non_manifold + faults.twisted > 0)
		return report_fault(mesh, path, &faults, error);
	return check_volume(mesh, path, error);
}
