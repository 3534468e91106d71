// edges.c: vessels as thin lines: the edges of a box, circles and sides of round ones.
#include <string.h>

#include "math/quat.h"
#include "render/sight.h"

#define ARCS  48   // lines of a full circle
#define WIDTH 1.1f // half a line's width, in samples

typedef struct pen {
	const oz_shape *shape;
	oz_edge *edges;
	uint32_t count;
} pen;

static void line(pen *p, oz_vec3 a, oz_vec3 b)
{
	const oz_quat turn = oz_quat_normalize(p->shape->rotation);
	if (p->count < OZ_EDGES)
		p->edges[p->count++] =
		        (oz_edge){oz_add(p->shape->position, oz_quat_rotate(turn, a)),
		                  oz_add(p->shape->position, oz_quat_rotate(turn, b))};
}

// a share of the circle about `centre` through centre + x, towards y
static void arc(pen *p, oz_vec3 centre, oz_vec3 x, oz_vec3 y, float share)
{
	oz_vec3 last = oz_add(centre, x);
	const int lines = (int)(ARCS * share);
	for (int k = 1; k <= lines; k++) {
		const float angle = 6.2831853f * (float)k / (float)ARCS;
		const oz_vec3 next = oz_mad(oz_mad(centre, x, oz_cos(angle)), y, oz_sin(angle));
		line(p, last, next);
		last = next;
	}
}

static void box_edges(pen *p, oz_vec3 size)
{
	const oz_vec3 h = oz_scale(size, 0.5f);
	for (int k = 0; k < 4; k++) {
		const float a = k & 1 ? 1.0f : -1.0f, b = k & 2 ? 1.0f : -1.0f;
		line(p, oz_v3(-h.x, a * h.y, b * h.z), oz_v3(h.x, a * h.y, b * h.z));
		line(p, oz_v3(a * h.x, -h.y, b * h.z), oz_v3(a * h.x, h.y, b * h.z));
		line(p, oz_v3(a * h.x, b * h.y, -h.z), oz_v3(a * h.x, b * h.y, h.z));
	}
}

// rings at the ends of a round wall, four lines between them, and domes over them
static void round_edges(pen *p, float r, float height, float domes)
{
	const oz_vec3 x = oz_v3(r, 0.0f, 0.0f), z = oz_v3(0.0f, 0.0f, r);
	for (int end = 0; end < 2; end++) {
		const float side = end ? 1.0f : -1.0f;
		const oz_vec3 centre = oz_v3(0.0f, 0.5f * side * height, 0.0f);
		arc(p, centre, x, z, 1.0f);
		if (domes > 0.0f) {
			arc(p, centre, x, oz_v3(0.0f, side * r, 0.0f), 0.5f);
			arc(p, centre, z, oz_v3(0.0f, side * r, 0.0f), 0.5f);
		}
	}
	for (int k = 0; k < 4 && height > 0.0f; k++) {
		const oz_vec3 foot = oz_scale(k & 1 ? x : z, k & 2 ? 1.0f : -1.0f);
		line(p, oz_v3(foot.x, -0.5f * height, foot.z),
		     oz_v3(foot.x, 0.5f * height, foot.z));
	}
}

static void dome_edges(pen *p, float r)
{
	const oz_vec3 none = oz_v3(0.0f, 0.0f, 0.0f), y = oz_v3(0.0f, r, 0.0f);
	arc(p, none, oz_v3(r, 0.0f, 0.0f), oz_v3(0.0f, 0.0f, r), 1.0f);
	arc(p, none, oz_v3(r, 0.0f, 0.0f), y, 0.5f);
	arc(p, none, oz_v3(0.0f, 0.0f, r), y, 0.5f);
}

uint32_t oz_shape_edges(const oz_shape *shape, oz_edge edges[OZ_EDGES])
{
	pen p = {.shape = shape, .edges = edges};
	switch (shape->kind) {
	case OZ_SHAPE_BOX: box_edges(&p, shape->size); break;
	case OZ_SHAPE_BALL: round_edges(&p, shape->size.x, 0.0f, 1.0f); break;
	case OZ_SHAPE_DOME: dome_edges(&p, shape->size.x); break;
	case OZ_SHAPE_CYLINDER: round_edges(&p, shape->size.x, shape->size.y, 0.0f); break;
	case OZ_SHAPE_CAPSULE: round_edges(&p, shape->size.x, shape->size.y, 1.0f); break;
	case OZ_SHAPE_TORUS:
		round_edges(&p, shape->size.x + shape->size.y, 0.0f, 0.0f);
		round_edges(&p, shape->size.x - shape->size.y, 0.0f, 0.0f);
		break;
	default: break;
	}
	return p.count;
}

// ---- drawing ----------------------------------------------------------------------------------

// A line from a to b, in samples and depth, over one row.
static void draw_row(const oz_sight *s, oz_vec3 a, oz_vec3 b, float slack, uint32_t row)
{
	const oz_vec3 d = oz_sub(b, a);
	const float length2 = d.x * d.x + d.y * d.y + 1e-6f, y = (float)row + 0.5f;
	// the part of the line whose rim can reach this row
	float from = 0.0f, to = 1.0f;
	if (oz_abs(d.y) > 1e-3f) {
		const float t0 = (y - WIDTH - 1.0f - a.y) / d.y,
		            t1 = (y + WIDTH + 1.0f - a.y) / d.y;
		from = oz_max(0.0f, oz_min(t0, t1));
		to = oz_min(1.0f, oz_max(t0, t1));
	}
	const float x0 = oz_min(a.x + from * d.x, a.x + to * d.x) - WIDTH - 1.0f;
	const float x1 = oz_max(a.x + from * d.x, a.x + to * d.x) + WIDTH + 1.0f;
	if (from > to || !(x1 > 0.0f) || !(x0 < (float)s->width))
		return;
	const uint32_t end = x1 < (float)s->width ? (uint32_t)x1 : s->width;
	for (uint32_t x = x0 > 0.0f ? (uint32_t)x0 : 0; x < end; x++) {
		const float px = (float)x + 0.5f - a.x, py = y - a.y;
		const float t = oz_min(oz_max((px * d.x + py * d.y) / length2, 0.0f), 1.0f);
		const float off = oz_length(oz_v3(px - t * d.x, py - t * d.y, 0.0f));
		const float ink = oz_min(oz_max(WIDTH + 0.5f - off, 0.0f), 1.0f);
		const size_t at = (size_t)row * s->width + x;
		// 1/depth is what runs evenly along a line in the picture
		const float depth = 1.0f / ((1.0f - t) / a.z + t / b.z);
		if (depth < s->depth[at] + slack && ink * 255.0f > (float)s->ink[at])
			s->ink[at] = (uint8_t)(ink * 255.0f);
	}
}

// Cuts off what is behind the eye; false if that is all.
static bool cut(const oz_camera *c, oz_edge *e)
{
	const float near = 1e-3f;
	const float za = oz_dot(oz_sub(e->a, c->eye), c->forward) - near;
	const float zb = oz_dot(oz_sub(e->b, c->eye), c->forward) - near;
	if (za <= 0.0f && zb <= 0.0f)
		return false;
	const oz_vec3 at = oz_mad(e->a, oz_sub(e->b, e->a), za == zb ? 0.0f : za / (za - zb));
	if (za <= 0.0f)
		e->a = at;
	if (zb <= 0.0f)
		e->b = at;
	return true;
}

void oz_sight_draw_edges(const oz_sight *s, const oz_shape *shape, float slack, uint32_t begin,
                         uint32_t end)
{
	oz_edge edges[OZ_EDGES];
	const uint32_t count = oz_shape_edges(shape, edges);
	for (uint32_t k = 0; k < count; k++) {
		if (!cut(&s->camera, &edges[k]))
			continue;
		const oz_vec3 a = oz_camera_see(&s->camera, edges[k].a),
		              b = oz_camera_see(&s->camera, edges[k].b);
		for (uint32_t y = begin; y < end; y++)
			draw_row(s, a, b, slack, y);
	}
}
