// share.h: what a wall adds to a particle's density.
//
// A wall counts as if it were filled with particles at rest (after Harada et al.): λ(d) is their
// share of the kernel sum at distance d from a flat wall, tabulated. A wall that bends away by its
// mean curvature H fills less, by H μ(d). A solid with edges is where several faces overlap:
//
//   λ = Π λ_k          outside a box, a cylinder, a dome
//   1 - λ = Π (1 - λ_k)   inside one, and where several colliders meet
//
// A charted solid has the share of its true form at every node (depth.cl), told as the depth at
// which a flat wall has it: that is smooth where λ is not.
#ifndef OZ_SHARE_H
#define OZ_SHARE_H

#include "boundary/collider.h"

#define OZ_WALL_TABLE   128u // intervals of the table over -h … h
#define OZ_WALL_COLUMNS 5u
#define OZ_WALL_SHARE   0u // λ
#define OZ_WALL_SLOPE   1u // dλ/dd, 1/m
#define OZ_WALL_BEND    2u // μ, m
#define OZ_WALL_BENT    3u // dμ/dd
#define OZ_WALL_STICK   4u // what viscosity rubs off along the wall, 1/m²

#define OZ_WALL_BRIM 1.05f // what is nearer, in contact distances, may touch: it rubs

// the walls so far: the share of the kernel they leave free, and its gradient
typedef struct oz_wall_sum {
	float free;       // Π (1 - λ_k): two walls that meet do not fill their corner twice
	oz_vec3 gradient; // 1/m, of `free`
} oz_wall_sum;

// one smooth part of a wall, as a particle sees it
typedef struct oz_face {
	float d;    // m, from the material's side
	float bend; // 1/m, mean curvature: positive where the solid is round towards the material
	oz_vec3 normal; // in the collider's frame, or the gradient of d
} oz_face;

typedef struct oz_faces {
	oz_face face[3];
	uint count;
} oz_faces;

// `d` in support radii
OZ_FN float oz_wall_lookup(OZ_GLOBAL const float *table, float d, uint column)
{
	const float t = oz_clamp(0.5f + 0.5f * d, 0.0f, 1.0f) * (float)OZ_WALL_TABLE;
	const uint k = t < (float)OZ_WALL_TABLE ? (uint)t : OZ_WALL_TABLE - 1u;
	const float f = t - (float)k;
	OZ_GLOBAL const float *row = table + OZ_WALL_COLUMNS * k + column;
	return row[0] * (1.0f - f) + row[OZ_WALL_COLUMNS] * f;
}

// λ of a face and its gradient, as a vector and the share that it leaves of 1
OZ_FN oz_float4 oz_face_share(OZ_GLOBAL const float *table, const oz_face *f, float inv_h)
{
	const float d = f->d * inv_h;
	float share = oz_wall_lookup(table, d, OZ_WALL_SHARE);
	float slope = oz_wall_lookup(table, d, OZ_WALL_SLOPE);
	if (f->bend != 0.0f) {
		share += f->bend * oz_wall_lookup(table, d, OZ_WALL_BEND);
		slope += f->bend * oz_wall_lookup(table, d, OZ_WALL_BENT);
	}
	if (!(share > 0.0f))
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	return oz_make4(slope * f->normal.x, slope * f->normal.y, slope * f->normal.z, share);
}

OZ_FN oz_face oz_face_of(float d, oz_vec3 normal, float bend)
{
	oz_face f;
	f.d = d;
	f.normal = normal;
	f.bend = bend;
	return f;
}

OZ_FN oz_vec3 oz_radial(float x, float y, float z, float length)
{
	const float inverse = length > 0.0f ? 1.0f / length : 0.0f;
	return oz_v3(x * inverse, y * inverse, z * inverse);
}

// distances to the faces of a shape, outside positive, and their curvatures
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
		// a tube bends around itself, and along the ring
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

// joins a wall with share s.w and gradient s to those so far
OZ_FN void oz_wall_add(oz_wall_sum *sum, oz_float4 s)
{
	const float free = 1.0f - s.w;
	sum->gradient = oz_mad(oz_scale(sum->gradient, free), oz_v3(s.x, s.y, s.z), -sum->free);
	sum->free *= free;
}

// the share of a solid that is where all its faces overlap
OZ_FN oz_float4 oz_overlap(OZ_GLOBAL const float *table, const oz_faces *f, float inv_h)
{
	oz_float4 all = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
	for (uint k = 0; k < f->count; k++) {
		const oz_float4 s = oz_face_share(table, &f->face[k], inv_h);
		all = oz_make4(all.x * s.w + s.x * all.w, all.y * s.w + s.y * all.w,
		               all.z * s.w + s.z * all.w, all.w * s.w);
	}
	return all;
}

// of a vessel: what its faces do not leave free
OZ_FN oz_float4 oz_around(OZ_GLOBAL const float *table, const oz_faces *f, float inv_h)
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
			oz_wall_add(&sum, oz_face_share(table, &face, inv_h));
	}
	return oz_make4(-sum.gradient.x, -sum.gradient.y, -sum.gradient.z, 1.0f - sum.free);
}

// of a wall that counts as flat
OZ_FN oz_float4 oz_flat_share(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                              float inv_h, float step)
{
	const oz_sight s = oz_wall_see(w, c, p, step);
	const oz_face face = oz_face_of(s.distance, s.normal, 0.0f);
	return oz_face_share(w->table, &face, inv_h);
}

// a number between eight corners, and how it changes along x, y and z, for each cell
OZ_FN oz_float4 oz_corner_mix(const float n[8], oz_vec3 at)
{
	const float ax = n[1] - n[0], bx = n[3] - n[2], cx = n[5] - n[4], dx = n[7] - n[6];
	const float a = n[0] + ax * at.x, b = n[2] + bx * at.x;
	const float c = n[4] + cx * at.x, d = n[6] + dx * at.x;
	const float low = a + (b - a) * at.y, high = c + (d - c) * at.y;
	const float lowx = ax + (bx - ax) * at.y, highx = cx + (dx - cx) * at.y;
	return oz_make4(lowx + (highx - lowx) * at.z, (b - a) + ((d - c) - (b - a)) * at.z,
	                high - low, low + (high - low) * at.z);
}

// of a charted solid
OZ_FN oz_float4 oz_chart_share(const oz_walls *w, const oz_wall_rules *rules,
                               OZ_GLOBAL const oz_collider *c, oz_vec3 p, float *gap)
{
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	const oz_chart_spot s = oz_chart_find(&c->chart, w->places, p);
	// where a surface passes, interpolated distances are below this, however thin it is
	const float rough = oz_max(OZ_WALL_BRIM * rules->contact, 0.87f * c->chart.cell);
	if (s.node >= OZ_CHART_INSIDE) {
		const bool behind =
		        c->side != 0.0f && (s.node == OZ_CHART_INSIDE) == (c->side > 0.0f);
		*gap = behind ? 0.0f : oz_min(*gap, 0.5f * (c->chart.reach - rough));
		return none;
	}
	OZ_GLOBAL const oz_depth *n = w->depths + s.node;
	const uint up = OZ_CHART_EDGE, back = OZ_CHART_EDGE * OZ_CHART_EDGE;
	const oz_depth node[8] = {n[0],    n[1],         n[up],        n[up + 1u],
	                          n[back], n[back + 1u], n[back + up], n[back + up + 1u]};
	float depths[8], distances[8];
	for (int k = 0; k < 8; k++) {
		depths[k] = oz_depth_of(node[k]);
		distances[k] = oz_distance_of(node[k]);
	}
	const float unit = 2.0f / 32767.0f * rules->h;
	const float distance = unit * oz_corner_mix(distances, s.at).w;
	// and they may fall by more than the way
	*gap = oz_min(*gap, 0.5f * (distance - rough));
	const oz_float4 depth = oz_corner_mix(depths, s.at);
	if (unit * depth.w >= rules->h)
		return none;
	const float k = unit * c->chart.inv_cell;
	const oz_face face =
	        oz_face_of(unit * depth.w, oz_v3(k * depth.x, k * depth.y, k * depth.z), 0.0f);
	return oz_face_share(w->table, &face, 1.0f / rules->h);
}

// The share of a collider at a point of its frame, and its gradient there. `gap` becomes at most
// the way that a particle may go, seen from the collider, before it can touch it.
OZ_FN oz_float4 oz_wall_share(const oz_walls *w, const oz_wall_rules *rules,
                              OZ_GLOBAL const oz_collider *c, oz_vec3 p, float *gap)
{
	const float h = rules->h, inv_h = 1.0f / h, step = rules->step;
	if (c->kind == OZ_KIND_CHART && !c->flat)
		return oz_chart_share(w, rules, c, p, gap);
	const float d = oz_wall_distance(w, c, p);
	*gap = oz_min(*gap, c->kind == OZ_KIND_CHART ? 0.5f * (d - OZ_WALL_BRIM * rules->contact)
	                                             : d - OZ_WALL_BRIM * rules->contact);
	if (d >= h)
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	if (c->flat || c->side == 0.0f)
		return oz_flat_share(w, c, p, inv_h, step);
	oz_faces faces;
	oz_shape_faces(c, p, step, &faces);
	return c->side > 0.0f ? oz_overlap(w->table, &faces, inv_h)
	                      : oz_around(w->table, &faces, inv_h);
}

#endif
