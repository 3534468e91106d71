// lambda.h: λ, the contribution of walls to the density of a particle.
//
// A wall counts as if it were filled with particles at rest (after Harada et al.): λ(d) is their
// part of the kernel sum at distance d from a flat wall, tabulated. A wall of mean curvature H that
// is convex towards the particles fills less: λ(d) + H μ(d), with μ < 0. For shapes with edges, λ_k
// is that of the plane or curved surface of face k:
//
//   λ = Π λ_k             outside a box, a cylinder, a dome
//   1 - λ = Π (1 - λ_k)   inside one, and for several colliders together
//
// An SDF collider stores at every node the equivalent distance: the distance at which a flat wall
// has the λ of the collider's true form (wall_nodes.cl). It is smoother than λ.
#ifndef OZ_LAMBDA_H
#define OZ_LAMBDA_H

#include "boundary/collider.h"

#define OZ_WALL_TABLE   128u // intervals of the table over -h … h
#define OZ_WALL_COLUMNS 5u
#define OZ_WALL_LAMBDA  0u // λ
#define OZ_WALL_SLOPE   1u // dλ/dd, 1/m
#define OZ_WALL_BEND    2u // μ, m
#define OZ_WALL_BENT    3u // dμ/dd
#define OZ_WALL_STICK   4u // rate of viscous drag along the wall for a viscosity of 1, 1/m²

#define OZ_WALL_BRIM 1.05f // in contact distances: a nearer particle may touch the wall

// the walls that were added so far
typedef struct oz_wall_sum {
	float free;       // Π (1 - λ_k): the corner of two walls is not counted twice
	oz_vec3 gradient; // 1/m, of `free`
} oz_wall_sum;

// one smooth part of a wall, relative to a particle
typedef struct oz_face {
	float d;        // m, distance, positive on the side of the particles
	float bend;     // 1/m, mean curvature: positive where the collider is convex
	oz_vec3 normal; // gradient of d, in the collider's frame
} oz_face;

typedef struct oz_faces {
	oz_face face[3];
	uint count;
} oz_faces;

// interpolates a column of the wall table; `d` in support radii
OZ_FN float oz_wall_lookup(OZ_GLOBAL const float *table, float d, uint column)
{
	const float t = oz_clamp(0.5f + 0.5f * d, 0.0f, 1.0f) * (float)OZ_WALL_TABLE;
	const uint k = t < (float)OZ_WALL_TABLE ? (uint)t : OZ_WALL_TABLE - 1u;
	const float f = t - (float)k;
	OZ_GLOBAL const float *row = table + OZ_WALL_COLUMNS * k + column;
	return row[0] * (1.0f - f) + row[OZ_WALL_COLUMNS] * f;
}

// of a face: x, y, z: gradient of λ, 1/m; w: λ
OZ_FN oz_float4 oz_face_lambda(OZ_GLOBAL const float *table, const oz_face *f, float inv_h)
{
	const float d = f->d * inv_h;
	float lambda = oz_wall_lookup(table, d, OZ_WALL_LAMBDA);
	float slope = oz_wall_lookup(table, d, OZ_WALL_SLOPE);
	if (f->bend != 0.0f) {
		lambda += f->bend * oz_wall_lookup(table, d, OZ_WALL_BEND);
		slope += f->bend * oz_wall_lookup(table, d, OZ_WALL_BENT);
	}
	if (!(lambda > 0.0f))
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	return oz_make4(slope * f->normal.x, slope * f->normal.y, slope * f->normal.z, lambda);
}

// makes a face
OZ_FN oz_face oz_face_of(float d, oz_vec3 normal, float bend)
{
	oz_face f;
	f.d = d;
	f.normal = normal;
	f.bend = bend;
	return f;
}

// (x, y, z) / length; 0 for a length of 0
OZ_FN oz_vec3 oz_radial(float x, float y, float z, float length)
{
	const float inverse = length > 0.0f ? 1.0f / length : 0.0f;
	return oz_v3(x * inverse, y * inverse, z * inverse);
}

// the faces of a shape (not of an SDF) for a point p of its frame; distances are positive outside
OZ_FN void oz_shape_faces(OZ_GLOBAL const oz_collider *c, oz_vec3 p, float step, oz_faces *f)
{
	f->count = 1u;
	if (c->kind == OZ_KIND_BOX) {
		f->face[0] = oz_face_of(oz_abs(p.x) - 0.5f * c->size.x,
		                        oz_v3(p.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f), 0.0f);
		f->face[1] = oz_face_of(oz_abs(p.y) - 0.5f * c->size.y,
		                        oz_v3(0.0f, p.y < 0.0f ? -1.0f : 1.0f, 0.0f), 0.0f);
		f->face[2] = oz_face_of(oz_abs(p.z) - 0.5f * c->size.z,
		                        oz_v3(0.0f, 0.0f, p.z < 0.0f ? -1.0f : 1.0f), 0.0f);
		f->count = 3u;
	} else if (c->kind == OZ_KIND_CYLINDER) {
		const float r = oz_hypot(p.x, p.z);
		f->face[0] =
		        oz_face_of(r - c->size.x, oz_radial(p.x, 0.0f, p.z, r), 0.5f / c->size.x);
		f->face[1] = oz_face_of(oz_abs(p.y) - 0.5f * c->size.y,
		                        oz_v3(0.0f, p.y < 0.0f ? -1.0f : 1.0f, 0.0f), 0.0f);
		f->count = 2u;
	} else if (c->kind == OZ_KIND_BALL || c->kind == OZ_KIND_DOME) {
		const float r = oz_length(p);
		f->face[0] =
		        oz_face_of(r - c->size.x, oz_radial(p.x, p.y, p.z, r), 1.0f / c->size.x);
		f->face[1] = oz_face_of(-p.y, oz_v3(0.0f, -1.0f, 0.0f), 0.0f);
		f->count = c->kind == OZ_KIND_DOME ? 2u : 1u;
	} else {
		const float r = oz_hypot(p.x, p.z);
		const bool end = oz_abs(p.y) > 0.5f * c->size.y;
		// a torus has two curvatures: around its tube and around its ring
		const float out = r > 0.0f ? 1.0f - c->size.x / r : 0.0f;
		const float bend = c->kind == OZ_KIND_PLANE ? 0.0f
		                   : c->kind == OZ_KIND_TORUS
		                           ? 0.5f / c->size.y + 0.5f * out / c->size.y
		                   : end ? 1.0f / c->size.x
		                         : 0.5f / c->size.x;
		f->face[0] = oz_face_of(oz_local_distance(c->kind, c->size, p),
		                        oz_local_normal(c->kind, c->size, p, step), bend);
	}
}

// adds a wall with λ = s.w and the gradient (s.x, s.y, s.z)
OZ_FN void oz_wall_add(oz_wall_sum *sum, oz_float4 s)
{
	const float free = 1.0f - s.w;
	sum->gradient = oz_mad(oz_scale(sum->gradient, free), oz_v3(s.x, s.y, s.z), -sum->free);
	sum->free *= free;
}

// λ outside a shape: Π λ_k; x, y, z: its gradient
OZ_FN oz_float4 oz_outside_lambda(OZ_GLOBAL const float *table, const oz_faces *f, float inv_h)
{
	oz_float4 all = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
	for (uint k = 0; k < f->count; k++) {
		const oz_float4 s = oz_face_lambda(table, &f->face[k], inv_h);
		all = oz_make4(all.x * s.w + s.x * all.w, all.y * s.w + s.y * all.w,
		               all.z * s.w + s.z * all.w, all.w * s.w);
	}
	return all;
}

// λ inside a shape: 1 - Π (1 - λ_k); x, y, z: its gradient
OZ_FN oz_float4 oz_inside_lambda(OZ_GLOBAL const float *table, const oz_faces *f, float inv_h)
{
	oz_wall_sum sum;
	sum.free = 1.0f;
	sum.gradient = oz_v3(0.0f, 0.0f, 0.0f);
	for (uint k = 0; k < f->count; k++) {
		oz_face face = f->face[k];
		face.d = -face.d;
		face.bend = -face.bend;
		face.normal = oz_scale(face.normal, -1.0f);
		if (face.d * inv_h < 1.0f)
			oz_wall_add(&sum, oz_face_lambda(table, &face, inv_h));
	}
	return oz_make4(-sum.gradient.x, -sum.gradient.y, -sum.gradient.z, 1.0f - sum.free);
}

// λ of a collider whose `flat` is set, or of a shell; x, y, z: its gradient
OZ_FN oz_float4 oz_flat_lambda(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                               float inv_h, float step)
{
	const oz_surface_sample s = oz_wall_sample(w, c, p, step);
	const oz_face face = oz_face_of(s.distance, s.normal, 0.0f);
	return oz_face_lambda(w->table, &face, inv_h);
}

// ---- equivalent distance between nodes --------------------------------------------------------

// Weights of cubic Hermite interpolation between two nodes; slopes are per cell.
typedef struct oz_hermite {
	float v0, v1, s0, s1; // weights of the two values and of the two slopes
	float dv, ds0, ds1;   // derivatives of v1, s0 and s1; that of v0 is -dv
} oz_hermite;

OZ_FN oz_hermite oz_hermite_at(float t)
{
	const float u = 1.0f - t;
	oz_hermite h;
	h.v1 = t * t * (3.0f - 2.0f * t);
	h.v0 = 1.0f - h.v1;
	h.s0 = t * u * u;
	h.s1 = -t * t * u;
	h.dv = 6.0f * t * u;
	h.ds0 = u * (1.0f - 3.0f * t);
	h.ds1 = t * (3.0f * t - 2.0f);
	return h;
}

// at a point in a cell: equivalent distance and distance, m, and the gradient of the former
typedef struct oz_wall_interp {
	float equivalent_distance, distance;
	oz_vec3 slope;
} oz_wall_interp;

// interpolated along x between two nodes; lengths are packed units, derivatives are per cell
typedef struct oz_wall_interp_x {
	float v, vx;        // equivalent distance, its derivative along x
	float y, yx, z, zx; // its derivatives along y and z, and their derivatives along x
	float distance;
} oz_wall_interp_x;

OZ_FN oz_wall_interp_x oz_wall_interp_along_x(OZ_GLOBAL const oz_wall_node *n, const oz_hermite *h,
                                              float step)
{
	const oz_wall_node a = n[0], b = n[1];
	const oz_vec3 f = oz_scale(oz_wall_node_unpack_slope(a.slope), step),
	              g = oz_scale(oz_wall_node_unpack_slope(b.slope), step);
	const float from = oz_wall_node_unpack_equivalent(a.level),
	            to = oz_wall_node_unpack_equivalent(b.level);
	oz_wall_interp_x r;
	r.v = h->v0 * from + h->v1 * to + h->s0 * f.x + h->s1 * g.x;
	r.vx = h->dv * (to - from) + h->ds0 * f.x + h->ds1 * g.x;
	r.y = h->v0 * f.y + h->v1 * g.y;
	r.yx = h->dv * (g.y - f.y);
	r.z = h->v0 * f.z + h->v1 * g.z;
	r.zx = h->dv * (g.z - f.z);
	r.distance = h->v0 * oz_wall_node_unpack_distance(a.level) +
	             h->v1 * oz_wall_node_unpack_distance(b.level);
	return r;
}

// interpolated along x and y: the same names
typedef struct oz_wall_interp_xy {
	float v, vx, vy;
	float z, zx, zy;
	float distance;
} oz_wall_interp_xy;

OZ_FN oz_wall_interp_xy oz_wall_interp_along_y(const oz_wall_interp_x *a, const oz_wall_interp_x *b,
                                               const oz_hermite *h)
{
	oz_wall_interp_xy f;
	f.v = h->v0 * a->v + h->v1 * b->v + h->s0 * a->y + h->s1 * b->y;
	f.vx = h->v0 * a->vx + h->v1 * b->vx + h->s0 * a->yx + h->s1 * b->yx;
	f.vy = h->dv * (b->v - a->v) + h->ds0 * a->y + h->ds1 * b->y;
	f.z = h->v0 * a->z + h->v1 * b->z;
	f.zx = h->v0 * a->zx + h->v1 * b->zx;
	f.zy = h->dv * (b->z - a->z);
	f.distance = h->v0 * a->distance + h->v1 * b->distance;
	return f;
}

// Interpolates the nodes n of a cell at the point `at` (0 … 1). Exact for a flat wall, and with a
// continuous gradient: particles at rest would oscillate at a kink. `unit`: m of a packed length.
OZ_FN oz_wall_interp oz_wall_interpolate(OZ_GLOBAL const oz_wall_node *n, oz_vec3 at, float cell,
                                         float unit)
{
	const uint up = OZ_SDF_EDGE, back = OZ_SDF_EDGE * OZ_SDF_EDGE;
	const oz_hermite x = oz_hermite_at(at.x), y = oz_hermite_at(at.y), z = oz_hermite_at(at.z);
	const float step = cell / (OZ_WALL_SLOPE_UNITS * unit);
	const oz_wall_interp_x a = oz_wall_interp_along_x(n, &x, step),
	                       b = oz_wall_interp_along_x(n + up, &x, step);
	const oz_wall_interp_x c = oz_wall_interp_along_x(n + back, &x, step);
	const oz_wall_interp_x d = oz_wall_interp_along_x(n + back + up, &x, step);
	const oz_wall_interp_xy f = oz_wall_interp_along_y(&a, &b, &y),
	                        g = oz_wall_interp_along_y(&c, &d, &y);
	const float rate = unit / cell;
	oz_wall_interp p;
	p.equivalent_distance = unit * (z.v0 * f.v + z.v1 * g.v + z.s0 * f.z + z.s1 * g.z);
	p.distance = unit * (z.v0 * f.distance + z.v1 * g.distance);
	p.slope = oz_v3(rate * (z.v0 * f.vx + z.v1 * g.vx + z.s0 * f.zx + z.s1 * g.zx),
	                rate * (z.v0 * f.vy + z.v1 * g.vy + z.s0 * f.zy + z.s1 * g.zy),
	                rate * (z.dv * (g.v - f.v) + z.ds0 * f.z + z.ds1 * g.z));
	return p;
}

// λ of an SDF collider at p; x, y, z: its gradient. Lowers *wall_clearance as oz_wall_lambda does.
OZ_FN oz_float4 oz_sdf_lambda(const oz_walls *w, const oz_wall_rules *rules,
                              OZ_GLOBAL const oz_collider *c, oz_vec3 p, float *wall_clearance)
{
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	const oz_sdf_spot s = oz_sdf_find(&c->sdf, w->places, p);
	// the interpolated distance is below `rough` wherever a surface passes, also a thin sheet
	const float rough = oz_max(OZ_WALL_BRIM * rules->contact, 0.87f * c->sdf.cell);
	if (s.node >= OZ_SDF_INSIDE) {
		const bool behind =
		        c->side != 0.0f && (s.node == OZ_SDF_INSIDE) == (c->side > 0.0f);
		*wall_clearance =
		        behind ? 0.0f : oz_min(*wall_clearance, 0.5f * (c->sdf.reach - rough));
		return none;
	}
	OZ_GLOBAL const oz_wall_node *nodes = w->wall_nodes + s.node;
	const float unit = 2.0f / 32767.0f * rules->h;
	// a lower bound of the distance in the cell: its diagonal is 1.74 cells long
	const float least = unit * oz_wall_node_unpack_distance(nodes->level) - 1.74f * c->sdf.cell;
	if (least >= rules->reach) {
		*wall_clearance = oz_min(*wall_clearance, 0.5f * (least - rough));
		return none;
	}
	const oz_wall_interp plumb = oz_wall_interpolate(nodes, s.at, c->sdf.cell, unit);
	// half: an interpolated distance may fall by up to twice the way of a particle
	*wall_clearance = oz_min(*wall_clearance, 0.5f * (plumb.distance - rough));
	if (plumb.equivalent_distance >= rules->h)
		return none;
	const oz_face face = oz_face_of(plumb.equivalent_distance, plumb.slope, 0.0f);
	return oz_face_lambda(w->table, &face, 1.0f / rules->h);
}

// λ of a collider at a point p of its frame; x, y, z: its gradient, 1/m. Lowers *wall_clearance to
// the way, m, that a particle can move without touching this collider.
OZ_FN oz_float4 oz_wall_lambda(const oz_walls *w, const oz_wall_rules *rules,
                               OZ_GLOBAL const oz_collider *c, oz_vec3 p, float *wall_clearance)
{
	const float h = rules->h, inv_h = 1.0f / h, step = rules->step;
	if (c->kind == OZ_KIND_SDF && !c->flat)
		return oz_sdf_lambda(w, rules, c, p, wall_clearance);
	const float d = oz_wall_distance(w, c, p);
	*wall_clearance = oz_min(*wall_clearance,
	                         c->kind == OZ_KIND_SDF ? 0.5f * (d - OZ_WALL_BRIM * rules->contact)
	                                                : d - OZ_WALL_BRIM * rules->contact);
	if (d >= h)
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	if (c->flat || c->side == 0.0f)
		return oz_flat_lambda(w, c, p, inv_h, step);
	oz_faces faces;
	oz_shape_faces(c, p, step, &faces);
	return c->side > 0.0f ? oz_outside_lambda(w->table, &faces, inv_h)
	                      : oz_inside_lambda(w->table, &faces, inv_h);
}

#endif
