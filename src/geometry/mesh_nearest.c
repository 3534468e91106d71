// mesh_nearest.c: finds nearest points with Embree; distances are computed in doubles.
//
// A search starts with a radius at which one triangle is known to lie: the best of those found for
// recent points. Embree gets the mesh moved to the origin, where floats are most precise; distances
// are computed to the mesh at its true position. Of triangles at equal distances the first in the
// mesh is taken, so the result does not depend on the start of the search.
#include "geometry/mesh_nearest.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/vec.h"

#define NONE   UINT32_MAX
#define RECENT 32u // results kept as guesses for the next points

struct oz_nearest {
	const oz_mesh *mesh;
	RTCDevice device;
	RTCScene scene;
	double middle[3]; // m, the point that is the origin of Embree's mesh
};

typedef struct search {
	const oz_mesh *mesh;
	oz_vec3 at;        // m, the point
	double point[3];   // the same in doubles
	double offset[3];  // m, from the best point of the mesh so far to the point
	double least;      // m², square of its length
	float far;         // m², slightly more than `least`
	uint32_t triangle; // of the best point; NONE: none yet
} search;

// ---- one triangle -----------------------------------------------------------------------------

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// p = ap - s ab - t ac; returns |p|²
static double difference(const double ap[3], const double ab[3], double s, const double ac[3],
                         double t, double p[3])
{
	for (int k = 0; k < 3; k++)
		p[k] = ap[k] - s * ab[k] - t * ac[k];
	return dot(p, p);
}

static double clamp(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The vector p from the nearest point of the candidate edges (of ab, ac, bc), and its square.
static double from_edges(const double ap[3], const double ab[3], const double ac[3],
                         const bool candidate[3], double p[3])
{
	const double zero[3] = {0, 0, 0};
	const double bc[3] = {ac[0] - ab[0], ac[1] - ab[1], ac[2] - ab[2]};
	const double bp[3] = {ap[0] - ab[0], ap[1] - ab[1], ap[2] - ab[2]};
	const double *edges[3] = {ab, ac, bc}, *from[3] = {ap, ap, bp};
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		if (!candidate[k])
			continue;
		const double length = dot(edges[k], edges[k]);
		const double s = length > 0 ? clamp(dot(from[k], edges[k]) / length) : 0;
		double q[3];
		const double d = difference(from[k], edges[k], s, zero, 0, q);
		if (d >= least)
			continue;
		least = d;
		p[0] = q[0], p[1] = q[1], p[2] = q[2];
	}
	return least;
}

// Whether the bounding box of a triangle is farther than the best point: a fast test that rejects
// most triangles.
static bool is_far(const search *s, oz_vec3 a, oz_vec3 b, oz_vec3 c)
{
	const oz_vec3 low = oz_min3(oz_min3(a, b), c), high = oz_max3(oz_max3(a, b), c);
	const oz_vec3 p = s->at;
	const float x = oz_max(oz_max(low.x - p.x, p.x - high.x), 0.0f);
	const float y = oz_max(oz_max(low.y - p.y, p.y - high.y), 0.0f);
	const float z = oz_max(oz_max(low.z - p.z, p.z - high.z), 0.0f);
	return x * x + y * y + z * z > s->far;
}

// The vector p from the nearest point of a triangle, and its square. The nearest point is the
// projection onto the plane if that lies in the triangle, else it is on an edge.
static double from_triangle(const double at[3], oz_vec3 a, oz_vec3 b, oz_vec3 c, double p[3])
{
	const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z;
	const double ab[3] = {(double)b.x - ax, (double)b.y - ay, (double)b.z - az};
	const double ac[3] = {(double)c.x - ax, (double)c.y - ay, (double)c.z - az};
	const double ap[3] = {at[0] - ax, at[1] - ay, at[2] - az};
	const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
	const double pb = dot(ap, ab), pc = dot(ap, ac);
	const double area = bb * cc - bc * bc;
	const double s = cc * pb - bc * pc, u = bb * pc - bc * pb;
	const bool flat = !(area > 1e-14 * bb * cc);
	// the nearest point is on an edge that has the projection on its outer side
	const bool outside[3] = {flat || !(u > 0), flat || !(s > 0), flat || !(s + u < area)};
	if (outside[0] || outside[1] || outside[2])
		return from_edges(ap, ab, ac, outside, p);
	return difference(ap, ab, s / area, ac, u / area, p);
}

// takes a triangle as the best if it is nearer, or as near and earlier in the mesh
static bool try_triangle(search *s, uint32_t triangle)
{
	const uint32_t *t = s->mesh->triangles[triangle];
	const oz_vec3 *v = s->mesh->vertices;
	if (is_far(s, v[t[0]], v[t[1]], v[t[2]]))
		return false;
	double p[3];
	const double d = from_triangle(s->point, v[t[0]], v[t[1]], v[t[2]], p);
	if (d > s->least || (d == s->least && triangle >= s->triangle))
		return false;
	s->least = d;
	s->far = (float)d * (1 + 1e-6f);
	s->triangle = triangle;
	s->offset[0] = p[0], s->offset[1] = p[1], s->offset[2] = p[2];
	return true;
}

// ---- searching --------------------------------------------------------------------------------

// slightly more than the best distance, so that triangles at the same distance are visited too
static float radius_of(const search *s)
{
	return (float)(sqrt(s->least) * (1 + 1e-6));
}

// called by Embree for each triangle in reach; true: the radius of the query was reduced
static bool visit_triangle(struct RTCPointQueryFunctionArguments *arguments)
{
	search *s = arguments->userPtr;
	if (!try_triangle(s, arguments->primID))
		return false;
	const float radius = radius_of(s);
	if (radius >= arguments->query->radius)
		return false;
	arguments->query->radius = radius;
	return true;
}

static void find_one(const oz_nearest *n, search *s, uint32_t guess)
{
	s->least = s->far = INFINITY;
	s->triangle = NONE;
	if (guess != NONE)
		try_triangle(s, guess);
	struct RTCPointQueryContext context;
	rtcInitPointQueryContext(&context);
	struct RTCPointQuery query = {.x = (float)(s->point[0] - n->middle[0]),
	                              .y = (float)(s->point[1] - n->middle[1]),
	                              .z = (float)(s->point[2] - n->middle[2]),
	                              .radius = guess == NONE ? INFINITY : radius_of(s)};
	rtcPointQuery(n->scene, &query, &context, visit_triangle, s);
}

// the triangles and nearest points found for the last points
typedef struct recent {
	oz_vec3 at[RECENT];
	uint32_t triangle[RECENT];
} recent;

// the recent triangle whose nearest point is closest to `point`; NONE: there is none
static uint32_t guess_from(const recent *t, uint32_t count, oz_vec3 point)
{
	uint32_t best = NONE;
	float least = INFINITY;
	for (uint32_t k = 0; k < count; k++) {
		const float d = oz_length2(oz_sub(t->at[k], point));
		best = d < least ? t->triangle[k] : best;
		least = d < least ? d : least;
	}
	return best;
}

void oz_nearest_find(const oz_nearest *n, const oz_vec3 *points, uint32_t count,
                     oz_nearest_point *found)
{
	recent t;
	search s = {.mesh = n->mesh};
	for (uint32_t i = 0; i < count; i++) {
		s.at = points[i];
		s.point[0] = (double)s.at.x;
		s.point[1] = (double)s.at.y;
		s.point[2] = (double)s.at.z;
		find_one(n, &s, guess_from(&t, i < RECENT ? i : RECENT, s.at));
		found[i] = (oz_nearest_point){(float)s.offset[0], (float)s.offset[1],
		                              (float)s.offset[2], (float)sqrt(s.least)};
		t.at[i % RECENT] = oz_sub(s.at, oz_v3(found[i].x, found[i].y, found[i].z));
		t.triangle[i % RECENT] = s.triangle;
	}
}

// ---- making -----------------------------------------------------------------------------------

// copies the vertices to Embree, relative to the middle, and builds its tree
static bool build_scene(oz_nearest *n)
{
	const oz_mesh *m = n->mesh;
	RTCGeometry g = rtcNewGeometry(n->device, RTC_GEOMETRY_TYPE_TRIANGLE);
	oz_vec3 *vertices = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
	                                            sizeof(oz_vec3), m->vertex_count);
	rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m->triangles, 0,
	                           sizeof *m->triangles, m->triangle_count);
	for (uint32_t i = 0; i < m->vertex_count && vertices; i++)
		vertices[i] = oz_v3((float)((double)m->vertices[i].x - n->middle[0]),
		                    (float)((double)m->vertices[i].y - n->middle[1]),
		                    (float)((double)m->vertices[i].z - n->middle[2]));
	rtcCommitGeometry(g);
	n->scene = rtcNewScene(n->device);
	rtcSetSceneBuildQuality(n->scene, RTC_BUILD_QUALITY_MEDIUM);
	rtcAttachGeometry(n->scene, g);
	rtcReleaseGeometry(g);
	rtcCommitScene(n->scene);
	return vertices && rtcGetDeviceError(n->device) == RTC_ERROR_NONE;
}

static void find_middle(oz_nearest *n)
{
	oz_vec3 min = n->mesh->vertices[n->mesh->triangles[0][0]], max = min;
	for (uint32_t i = 0; i < n->mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++) {
			min = oz_min3(min, n->mesh->vertices[n->mesh->triangles[i][k]]);
			max = oz_max3(max, n->mesh->vertices[n->mesh->triangles[i][k]]);
		}
	n->middle[0] = (double)(0.5f * min.x + 0.5f * max.x);
	n->middle[1] = (double)(0.5f * min.y + 0.5f * max.y);
	n->middle[2] = (double)(0.5f * min.z + 0.5f * max.z);
}

oz_result oz_nearest_create(const oz_mesh *mesh, uint32_t threads, oz_nearest **nearest,
                            oz_error *error)
{
	*nearest = NULL;
	oz_nearest *n = calloc(1, sizeof *n);
	if (!n)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for nearest points; close other programs");
	char config[64];
	snprintf(config, sizeof config, "threads=%u,set_affinity=0", threads);
	n->mesh = mesh;
	n->device = rtcNewDevice(config);
	find_middle(n);
	if (n->device && build_scene(n)) {
		*nearest = n;
		return OZ_OK;
	}
	const oz_result result =
	        n->device ? oz_fail(error, OZ_ERROR_MEMORY,
	                            "out of memory for the search tree of %u triangles of a mesh; "
	                            "simplify it",
	                            mesh->triangle_count)
	                  : oz_fail(error, OZ_ERROR_DEVICE,
	                            "Embree does not start (its error %d); check that this machine "
	                            "has SSE2 and memory left",
	                            (int)rtcGetDeviceError(NULL));
	oz_nearest_destroy(n);
	return result;
}

void oz_nearest_destroy(oz_nearest *n)
{
	if (!n)
		return;
	if (n->scene)
		rtcReleaseScene(n->scene);
	if (n->device)
		rtcReleaseDevice(n->device);
	free(n);
}
