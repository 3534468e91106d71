// clouds.c: clouds of points, surfaces around them, and the proof that a mesh is closed.
#include "clouds.h"

oz_surface_input test_surface_input(const oz_vec3 *points, uint32_t count)
{
	return (oz_surface_input){.position = {points, sizeof *points, count}};
}

oz_surface *test_surface(oz_surface_def def)
{
	oz_surface *s;
	oz_error error = {0};
	if (oz_surface_create(&def, &s, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return s;
}

oz_surface_mesh test_surface_build(oz_surface *s, oz_surface_input input)
{
	oz_surface_mesh mesh;
	oz_error error = {0};
	if (oz_surface_build(s, &input, &mesh, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return mesh;
}

oz_surface_def test_surface_def(oz_surface_kind kind, float spacing)
{
	oz_surface_def def = oz_surface_default(spacing);
	def.kind = kind;
	def.smoothing = 0;
	def.specks = 0;
	def.fit = 0;
	return def;
}

static corner_table find_corners(const oz_surface_mesh *m)
{
	corner_table t = {malloc((3 * (size_t)m->triangle_count + 1) * sizeof *t.corners),
	                  calloc(m->vertex_count + 2u, sizeof *t.start)};
	// counted one place too high, so that filling brings every start to its place
	for (uint32_t i = 0; i < 3 * m->triangle_count; i++) {
		assert_true(m->triangles[i / 3][i % 3] < m->vertex_count);
		t.start[m->triangles[i / 3][i % 3] + 2]++;
	}
	for (uint32_t v = 0; v < m->vertex_count; v++)
		t.start[v + 2] += t.start[v + 1];
	for (uint32_t i = 0; i < m->triangle_count; i++)
		for (int c = 0; c < 3; c++) {
			const uint32_t *v = m->triangles[i];
			t.corners[t.start[v[c] + 1]++] = (corner){v[(c + 1) % 3], v[(c + 2) % 3]};
		}
	return t;
}

// how often the directed edge is there; its last triangle's next corner
static uint32_t find_edge(const corner_table *t, uint32_t from, uint32_t to, uint32_t *next)
{
	uint32_t found = 0;
	for (uint32_t k = t->start[from]; k < t->start[from + 1]; k++)
		if (t->corners[k].to == to) {
			found++;
			*next = t->corners[k].next;
		}
	return found;
}

// each edge once each way; from triangle to triangle around the vertex, all of them are met
static void check_vertex(const corner_table *t, uint32_t v)
{
	const uint32_t begin = t->start[v], end = t->start[v + 1];
	uint32_t met = 0, next = 0, at;
	assert_true(begin < end);
	for (uint32_t k = begin; k < end; k++) {
		assert_true(t->corners[k].to != v);
		assert_int_equal(find_edge(t, v, t->corners[k].to, &next), 1);
		assert_int_equal(find_edge(t, t->corners[k].to, v, &next), 1);
	}
	at = t->corners[begin].to;
	do {
		assert_int_equal(find_edge(t, v, at, &at), 1);
		met++;
	} while (at != t->corners[begin].to && met <= end - begin);
	assert_int_equal(met, end - begin);
}

long test_surface_is_closed(const oz_surface_mesh *m)
{
	const corner_table t = find_corners(m);
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		check_vertex(&t, v);
		assert_true(isfinite(oz_length2(m->position[v])));
		assert_true(fabsf(oz_length(m->normal[v]) - 1.0f) < 1e-4f);
	}
	free(t.corners);
	free(t.start);
	assert_int_equal(3 * m->triangle_count % 2, 0);
	return (long)m->vertex_count - (long)(3 * (size_t)m->triangle_count / 2) +
	       (long)m->triangle_count;
}

// a fill that was made before
typedef struct kept_fill {
	oz_shape shape;
	float spacing;
	oz_fill way;
	cloud points;
} kept_fill;

static bool is_same_fill(const kept_fill *k, const oz_shape *shape, float spacing, oz_fill way)
{
	const oz_shape *s = &k->shape;
	return k->points.points && s->kind == shape->kind && k->spacing == spacing &&
	       k->way == way && memcmp(&s->size, &shape->size, sizeof s->size) == 0 &&
	       memcmp(&s->position, &shape->position, sizeof s->position) == 0 &&
	       memcmp(&s->rotation, &shape->rotation, sizeof s->rotation) == 0;
}

// The points of a shape that has no SDF. Filling takes longer than most of what tests do with the
// points, and they fill the same ball again and again: the last few are kept.
static const cloud *fill_once(const oz_shape *shape, float spacing, oz_fill way)
{
	enum { KEPT = 4 };
	static kept_fill kept[KEPT];
	static uint32_t next;
	for (uint32_t k = 0; k < KEPT; k++)
		if (is_same_fill(&kept[k], shape, spacing, way))
			return &kept[k].points;
	kept_fill *fill = &kept[next++ % KEPT];
	oz_points_free(fill->points.points);
	*fill = (kept_fill){.shape = *shape, .spacing = spacing, .way = way};
	assert_int_equal(oz_shape_fill(shape, spacing, way, &fill->points.points,
	                               &fill->points.count, NULL),
	                 OZ_OK);
	return &fill->points;
}

cloud test_cloud(oz_shape shape, float spacing, oz_fill way)
{
	const cloud *filled = fill_once(&shape, spacing, way);
	cloud c = {malloc(sizeof *c.points * filled->count), filled->count};
	memcpy(c.points, filled->points, sizeof *c.points * c.count);
	return c;
}

cloud test_cloud_ball(float radius, float spacing, oz_fill way)
{
	return test_cloud(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){radius, 0, 0}), spacing, way);
}

void test_cloud_join(cloud *a, cloud b, oz_vec3 by)
{
	a->points = realloc(a->points, sizeof *a->points * (a->count + (size_t)b.count));
	for (uint32_t i = 0; i < b.count; i++)
		a->points[a->count++] = oz_add(b.points[i], by);
	free(b.points);
}

float test_between(uint64_t *seed, float low, float high)
{
	return low + (high - low) * (float)test_random(seed);
}

oz_vec3 test_in_box(uint64_t *seed, float edge)
{
	const float x = test_between(seed, 0, edge), y = test_between(seed, 0, edge);
	return oz_v3(x, y, test_between(seed, 0, edge));
}

uint32_t test_cloud_nearest(const cloud *c, oz_vec3 x)
{
	uint32_t nearest = 0;
	float least = INFINITY;
	for (uint32_t i = 0; i < c->count; i++) {
		const float d = oz_length2(oz_sub(c->points[i], x));
		if (d < least) {
			least = d;
			nearest = i;
		}
	}
	return nearest;
}

oz_vec3 random_point(int kind, uint64_t *seed, uint32_t i, oz_vec3 last, float d)
{
	const oz_vec3 x = test_in_box(seed, 6 * d), jitter = test_in_box(seed, 0.3f * d);
	switch (kind) {
	case CLUSTERED:
		return i % 40 ? oz_add(last, oz_sub(test_in_box(seed, d),
		                                    oz_scale(oz_v3(1, 1, 1), d / 2)))
		              : x;
	case SHEET: return oz_v3(2 * x.x, 2 * x.y, 0.1f * jitter.z);
	case LINE: return oz_mad(jitter, oz_v3(3, 2, 1), x.x);
	case LATTICE:
		return oz_scale(oz_v3((float)(i % 6), (float)(i / 6 % 6), (float)(i / 36)), d);
	case PAIRS: return i % 2 ? oz_add(last, oz_scale(jitter, 3)) : oz_scale(x, 2);
	case COINCIDENT: return i % 30 ? last : x;
	default: return x;
	}
}

cloud test_cloud_random(int kind, uint64_t *seed, uint32_t count, float spacing)
{
	cloud c = {malloc(sizeof(oz_vec3) * (count + 1)), count};
	const oz_vec3 origin =
	        oz_sub(test_in_box(seed, 40 * spacing), oz_scale(oz_v3(1, 1, 1), 20 * spacing));
	oz_vec3 last = {0, 0, 0};
	for (uint32_t i = 0; i < count; i++) {
		last = random_point(kind, seed, i, last, spacing);
		c.points[i] = oz_add(last, origin);
	}
	return c;
}
