// edges.c: lines that draw a vessel: the edges of a box, circles and side lines of round shapes.
#include "render/edges.h"
#include "math/quat.h"

#define ARCS 48 // segments of a full circle

typedef struct pen {
	const oz_shape *shape;
	oz_segment *edges;
	uint32_t count;
} pen;

static void add_line(pen *p, oz_vec3 a, oz_vec3 b)
{
	const oz_quat rotation = oz_quat_normalize(p->shape->rotation);
	if (p->count < OZ_EDGES)
		p->edges[p->count++] =
		        (oz_segment){oz_add(p->shape->position, oz_quat_rotate(rotation, a)),
		                     oz_add(p->shape->position, oz_quat_rotate(rotation, b))};
}

// Adds the fraction `share` of a circle about `centre`, from centre + x towards centre + y.
static void add_arc(pen *p, oz_vec3 centre, oz_vec3 x, oz_vec3 y, float share)
{
	oz_vec3 last = oz_add(centre, x);
	const int lines = (int)(ARCS * share);
	for (int k = 1; k <= lines; k++) {
		const float angle = 2.0f * OZ_PI * (float)k / (float)ARCS;
		const oz_vec3 next = oz_mad(oz_mad(centre, x, oz_cos(angle)), y, oz_sin(angle));
		add_line(p, last, next);
		last = next;
	}
}

static void box_edges(pen *p, oz_vec3 size)
{
	const oz_vec3 h = oz_scale(size, 0.5f);
	for (int k = 0; k < 4; k++) {
		const float a = k & 1 ? 1.0f : -1.0f, b = k & 2 ? 1.0f : -1.0f;
		add_line(p, oz_v3(-h.x, a * h.y, b * h.z), oz_v3(h.x, a * h.y, b * h.z));
		add_line(p, oz_v3(a * h.x, -h.y, b * h.z), oz_v3(a * h.x, h.y, b * h.z));
		add_line(p, oz_v3(a * h.x, b * h.y, -h.z), oz_v3(a * h.x, b * h.y, h.z));
	}
}

// Adds circles at the ends of a cylinder, four lines between them and, where domes > 0, half
// circles.
static void round_edges(pen *p, float r, float height, float domes)
{
	const oz_vec3 x = oz_v3(r, 0.0f, 0.0f), z = oz_v3(0.0f, 0.0f, r);
	for (int end = 0; end < 2; end++) {
		const float side = end ? 1.0f : -1.0f;
		const oz_vec3 centre = oz_v3(0.0f, 0.5f * side * height, 0.0f);
		add_arc(p, centre, x, z, 1.0f);
		if (domes > 0.0f) {
			add_arc(p, centre, x, oz_v3(0.0f, side * r, 0.0f), 0.5f);
			add_arc(p, centre, z, oz_v3(0.0f, side * r, 0.0f), 0.5f);
		}
	}
	for (int k = 0; k < 4 && height > 0.0f; k++) {
		const oz_vec3 foot = oz_scale(k & 1 ? x : z, k & 2 ? 1.0f : -1.0f);
		add_line(p, oz_v3(foot.x, -0.5f * height, foot.z),
		         oz_v3(foot.x, 0.5f * height, foot.z));
	}
}

static void dome_edges(pen *p, float r)
{
	const oz_vec3 none = oz_v3(0.0f, 0.0f, 0.0f), y = oz_v3(0.0f, r, 0.0f);
	add_arc(p, none, oz_v3(r, 0.0f, 0.0f), oz_v3(0.0f, 0.0f, r), 1.0f);
	add_arc(p, none, oz_v3(r, 0.0f, 0.0f), y, 0.5f);
	add_arc(p, none, oz_v3(0.0f, 0.0f, r), y, 0.5f);
}

uint32_t oz_shape_edges(const oz_shape *shape, oz_segment edges[OZ_EDGES])
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
