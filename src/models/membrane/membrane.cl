// membrane.cl: forces of skins: stretch of faces, gas, bending and springs of edges.
//
// F = (f1 f2) is the deformation gradient of a face over its plane at rest. With C = FᵀF and
// E = (C - 1)/2 its stress per length is, by the law of the skin,
//
//   linear   S = λ t tr E + 2 μ t E                                      plane stress
//   rubber   S = 2 C₁ t (1 - C⁻¹/c) + 2 C₂ t (1/c + (c - tr C/c) C⁻¹)    c = det C, incompressible
//
// and the force on a corner whose shape function has the gradient G is - A F S G. The gas adds P
// n/3 to each corner, n the area vector of the face. An edge has the angle θ between the normals of
// its faces and the force - k (θ - θ₀) ∇θ; with the law `springs` (eq 2.1) the force on its ends
// is - k (l - l₀) along it and faces have no stress.
//
// Each face writes three forces and each edge four into `part` (N), and each vertex sums those that
// act on it, in a fixed order. `state` of
// the kernels below keeps what the products with the stiffness need: three records of a face, three
// of an edge. In these products parts are of bending only: each vertex adds the filling and the
// springs or faces at its edges itself.
#include "models/membrane/membrane_parts.h"
#include "particles/matter.h"

// a symmetric 2 × 2 matrix
typedef struct membrane_sym {
	float xx, yy, xy;
} membrane_sym;

OZ_FN membrane_sym membrane_sym_of(float xx, float yy, float xy)
{
	membrane_sym s;
	s.xx = xx;
	s.yy = yy;
	s.xy = xy;
	return s;
}

#define membrane_copy_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(float, temperature)                                                                     \
	OUT(oz_float4, place) OUT(oz_float4, direction) VAL(uint, warm)
OZ_ARGS(membrane_copy)

// copies the position and the velocity (into `direction`) of the particle of each vertex; place.w:
// its temperature, °C
OZ_FN void membrane_copy_at(const membrane_copy_args *a, uint i)
{
	const uint p = a->particle_of_slot[a->slot_of[i]];
	const oz_float4 x = a->position[p], v = a->velocity[p];
	a->place[i] = oz_make4(x.x, x.y, x.z, a->warm ? a->temperature[p] : 20.0f);
	a->direction[i] = oz_make4(v.x, v.y, v.z, 0.0f);
}

// ---- faces -------------------------------------------------------------------------------------

// the stress S of a face, N/m, by the law of its skin; c: C = FᵀF
OZ_FN membrane_sym membrane_stress(OZ_GLOBAL const oz_membrane_chamber_now *b, membrane_sym c)
{
	if (b->law == OZ_LAW_RUBBER) {
		// C of a face without area has no inverse
		const float det = oz_max(c.xx * c.yy - c.xy * c.xy, 1e-3f), inv = 1.0f / det;
		const float plain = 2.0f * (b->c1 + b->c2 * inv);
		const float part = 2.0f * (b->c2 * (det - (c.xx + c.yy) * inv) - b->c1 * inv) * inv;
		return membrane_sym_of(plain + part * c.yy, plain + part * c.xx, -part * c.xy);
	}
	const float xx = 0.5f * (c.xx - 1.0f), yy = 0.5f * (c.yy - 1.0f), xy = 0.5f * c.xy;
	const float trace = b->lame * (xx + yy);
	return membrane_sym_of(trace + b->shear * xx, trace + b->shear * yy, b->shear * xy);
}

// the part of a stress that pulls: its negative principal values become 0
OZ_FN membrane_sym membrane_pull(membrane_sym s)
{
	const float mean = 0.5f * (s.xx + s.yy), spread = 0.5f * (s.xx - s.yy);
	const float radius = oz_sqrt(spread * spread + s.xy * s.xy);
	if (mean - radius >= 0.0f)
		return s;
	if (mean + radius <= 0.0f)
		return membrane_sym_of(0.0f, 0.0f, 0.0f);
	const float most = 0.5f * (mean + radius), scale = most / radius;
	return membrane_sym_of(most + scale * spread, most - scale * spread, scale * s.xy);
}

// the factor on the stiffness of rubber by its stretch: 1/det C, at most 4; 1 for other laws
OZ_FN float membrane_softness(OZ_GLOBAL const oz_membrane_chamber_now *b, oz_vec3 f1, oz_vec3 f2)
{
	const float xy = oz_dot(f1, f2), det = oz_dot(f1, f1) * oz_dot(f2, f2) - xy * xy;
	return b->law == OZ_LAW_RUBBER ? oz_min(1.0f / oz_max(det, 0.25f), 4.0f) : 1.0f;
}

#define membrane_stretch_ARGS(IN, OUT, VAL)                                                        \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, place) OUT(oz_float4, state) OUT(oz_float4, part)
OZ_ARGS(membrane_stretch)

// the area vector of a face
OZ_FN oz_vec3 membrane_normal(OZ_GLOBAL const oz_membrane_face *f, OZ_GLOBAL const oz_float4 *place)
{
	const oz_vec3 x = membrane_vec(place[f->corner[0]]);
	return oz_scale(oz_cross(oz_sub(membrane_vec(place[f->corner[1]]), x),
	                         oz_sub(membrane_vec(place[f->corner[2]]), x)),
	                0.5f);
}

// the pressure of the filling at the middle of a face; a heavy one adds its weight
OZ_FN float membrane_pressure(const membrane_stretch_args *a,
                              OZ_GLOBAL const oz_membrane_chamber_now *b, oz_vec3 x, oz_vec3 d1,
                              oz_vec3 d2)
{
	if (b->skin_share == 1.0f)
		return b->pressure;
	const oz_vec3 from = oz_add(membrane_vec(a->place[b->first_vertex]), b->middle);
	const oz_vec3 at = oz_mad(oz_sub(x, from), oz_add(d1, d2), 1.0f / 3.0f);
	return b->pressure + oz_dot(b->tilt, at);
}

// Writes the forces of face i on its corners, by its stretch and by the filling. Writes f1, f2 and
// n into `state`; their w are xx, yy and xy of the part of S that pulls.
OZ_FN void membrane_stretch_at(const membrane_stretch_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_face *f = &a->faces[i];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[f->chamber];
	const oz_vec3 x = membrane_vec(a->place[f->corner[0]]);
	const oz_vec3 d1 = oz_sub(membrane_vec(a->place[f->corner[1]]), x);
	const oz_vec3 d2 = oz_sub(membrane_vec(a->place[f->corner[2]]), x);
	const oz_vec3 f1 = oz_scale(d1, f->grad_xx);
	const oz_vec3 f2 = oz_mad(oz_scale(d1, f->grad_xy), d2, f->grad_yy);
	const oz_vec3 n = oz_scale(oz_cross(d1, d2), 0.5f);
	const bool whole = f->area > 0.0f;
	const float area = whole && b->law != OZ_LAW_SPRINGS ? f->area : 0.0f;
	const membrane_sym c = membrane_sym_of(oz_dot(f1, f1), oz_dot(f2, f2), oz_dot(f1, f2));
	membrane_sym s = membrane_sym_of(0.0f, 0.0f, 0.0f), pull = s;
	if (area > 0.0f) {
		s = membrane_stress(b, c);
		pull = membrane_pull(s);
	}
	const oz_vec3 p1 = oz_mad(oz_scale(f1, s.xx), f2, s.xy);
	const oz_vec3 p2 = oz_mad(oz_scale(f1, s.xy), f2, s.yy);
	const oz_vec3 gas = oz_scale(n, whole ? membrane_pressure(a, b, x, d1, d2) / 3.0f : 0.0f);
	const oz_vec3 at_b = oz_mad(oz_scale(p1, -area * f->grad_xx), p2, -area * f->grad_xy);
	const oz_vec3 at_c = oz_scale(p2, -area * f->grad_yy);
	a->state[3u * i] = membrane_record(f1, pull.xx);
	a->state[3u * i + 1u] = membrane_record(f2, pull.yy);
	a->state[3u * i + 2u] = membrane_record(n, pull.xy);
	a->part[3u * i] = membrane_record(oz_sub(gas, oz_add(at_b, at_c)), 0.0f);
	a->part[3u * i + 1u] = membrane_record(oz_add(gas, at_b), 0.0f);
	a->part[3u * i + 2u] = membrane_record(oz_add(gas, at_c), 0.0f);
}

// ---- edges -------------------------------------------------------------------------------------

// The angle of the vector (x, y), by the polynomial of Abramowitz & Stegun 4.4.49: to 1e-6, in a
// third of the time of atan2.
OZ_FN float membrane_angle(float y, float x)
{
	const float across = oz_abs(y), along = oz_abs(x);
	const float most = oz_max(across, along);
	const float t = most > 0.0f ? oz_min(across, along) / most : 0.0f, s = t * t;
	float p = 0.0028662257f;
	p = p * s - 0.0161657367f;
	p = p * s + 0.0429096138f;
	p = p * s - 0.0752896400f;
	p = p * s + 0.1065626393f;
	p = p * s - 0.1420889944f;
	p = p * s + 0.1999355085f;
	p = p * s - 0.3333314528f;
	p = t + t * s * p;
	p = across > along ? 0.5f * OZ_PI - p : p;
	p = x < 0.0f ? OZ_PI - p : p;
	return y < 0.0f ? -p : p;
}

// the angle of an edge and its gradient
typedef struct membrane_hinge {
	float angle;
	oz_vec3 a, b, c, d; // gradient at each vertex, 1/m
} membrane_hinge;

#define OZ_HINGE_SLIM 1e-4f // height of a face over the length of the edge; below it the angle is 0

// The angle between the faces (a, b, c) and (b, a, d); positive where the surface is concave. Angle
// and gradient are 0 if a face has no area.
OZ_FN membrane_hinge membrane_hinge_of(oz_vec3 a, oz_vec3 b, oz_vec3 c, oz_vec3 d)
{
	membrane_hinge h;
	const oz_vec3 e = oz_sub(b, a), zero = oz_v3(0.0f, 0.0f, 0.0f);
	const oz_vec3 n1 = oz_cross(oz_sub(c, a), oz_sub(c, b));
	const oz_vec3 n2 = oz_cross(oz_sub(d, b), oz_sub(d, a));
	const float l2 = oz_dot(e, e), m1 = oz_dot(n1, n1), m2 = oz_dot(n2, n2);
	const float least = OZ_HINGE_SLIM * OZ_HINGE_SLIM * l2 * l2;
	h.angle = 0.0f;
	h.a = h.b = h.c = h.d = zero;
	if (!(m1 > least && m2 > least && l2 > 0.0f))
		return h;
	const float l = oz_sqrt(l2), inv = 1.0f / l;
	const oz_vec3 u1 = oz_scale(n1, 1.0f / m1), u2 = oz_scale(n2, 1.0f / m2);
	h.angle = membrane_angle(oz_dot(oz_cross(n2, n1), e) * inv, oz_dot(n1, n2));
	h.c = oz_scale(u1, l);
	h.d = oz_scale(u2, l);
	h.a = oz_mad(oz_scale(u1, oz_dot(oz_sub(c, b), e) * inv), u2,
	             oz_dot(oz_sub(d, b), e) * inv);
	h.b = oz_mad(oz_scale(u1, -oz_dot(oz_sub(c, a), e) * inv), u2,
	             -oz_dot(oz_sub(d, a), e) * inv);
	return h;
}

// the share of the two faces at an edge that are not torn: 0, 1/2 or 1
OZ_FN float membrane_whole(OZ_GLOBAL const oz_membrane_edge *e,
                           OZ_GLOBAL const oz_membrane_face *faces)
{
	return (faces[e->face[0]].area > 0.0f ? 0.5f : 0.0f) +
	       (faces[e->face[1]].area > 0.0f ? 0.5f : 0.0f);
}

#define membrane_bend_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_membrane_edge, edges)                                                                \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, place)                                                                       \
	OUT(oz_float4, state) OUT(oz_float4, taut) OUT(oz_float4, part) VAL(uint, first)
OZ_ARGS(membrane_bend)

// Writes the forces of edge i on its four vertices, by bending and by its spring. Writes the
// gradient of the angle at a, b and c into `state` (that at d is minus their sum); the first w is
// the stiffness of bending. The stiffness of the spring is q qᵀ + w, of which w, N/m, is that
// across the edge: writes q and w into `taut`.
OZ_FN void membrane_bend_at(const membrane_bend_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_edge *e = &a->edges[i];
	const oz_vec3 xa = membrane_vec(a->place[e->a]), xb = membrane_vec(a->place[e->b]);
	const membrane_hinge h = membrane_hinge_of(xa, xb, membrane_vec(a->place[e->c]),
	                                           membrane_vec(a->place[e->d]));
	const float whole = membrane_whole(e, a->faces), bend = whole > 0.9f ? e->bend : 0.0f;
	float bent = h.angle - e->angle;
	// the difference of two angles, between -π and π
	bent += bent > OZ_PI ? -2.0f * OZ_PI : bent < -OZ_PI ? 2.0f * OZ_PI : 0.0f;
	const float force = -bend * bent;
	const oz_vec3 way = oz_sub(xb, xa);
	const float length = oz_max(oz_length(way), 1e-6f * e->length);
	const float spring =
	        a->chambers[e->chamber].law == OZ_LAW_SPRINGS ? whole * e->spring : 0.0f;
	const float over = spring * (length - e->length) / length;
	const float across = oz_max(over, 0.0f);
	const oz_vec3 tight = oz_scale(way, over);
	const uint s = 3u * i, p = a->first + 4u * i;
	a->state[s] = membrane_record(h.a, bend);
	a->state[s + 1u] = membrane_record(h.b, 0.0f);
	a->state[s + 2u] = membrane_record(h.c, 0.0f);
	a->taut[i] = membrane_record(oz_scale(way, oz_sqrt(spring - across) / length), across);
	a->part[p] = membrane_record(oz_mad(tight, h.a, force), 0.0f);
	a->part[p + 1u] = membrane_record(oz_sub(oz_scale(h.b, force), tight), 0.0f);
	a->part[p + 2u] = membrane_record(oz_scale(h.c, force), 0.0f);
	a->part[p + 3u] = membrane_record(oz_scale(h.d, force), 0.0f);
}

#define membrane_bend_product_ARGS(IN, OUT, VAL)                                                   \
	IN(oz_membrane_edge, edges)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, state) OUT(oz_float4, part) VAL(uint, first) VAL(float, ahead)
OZ_ARGS(membrane_bend_product)

// writes the forces of edge i on its vertices by velocities `direction`: minus the product of its
// stiffness and damping against bending with them
OZ_FN void membrane_bend_product_at(const membrane_bend_product_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_edge *e = &a->edges[i];
	const uint s = 3u * i, p = a->first + 4u * i;
	const oz_float4 ha = a->state[s];
	const oz_vec3 ga = membrane_vec(ha), gb = membrane_vec(a->state[s + 1u]),
	              gc = membrane_vec(a->state[s + 2u]);
	const oz_vec3 gd = oz_scale(oz_add(ga, oz_add(gb, gc)), -1.0f);
	const float rate = oz_dot(ga, membrane_vec(a->direction[e->a])) +
	                   oz_dot(gb, membrane_vec(a->direction[e->b])) +
	                   oz_dot(gc, membrane_vec(a->direction[e->c])) +
	                   oz_dot(gd, membrane_vec(a->direction[e->d]));
	const float force = -(a->ahead + a->chambers[e->chamber].delay) * ha.w * rate;
	a->part[p] = membrane_record(oz_scale(ga, force), 0.0f);
	a->part[p + 1u] = membrane_record(oz_scale(gb, force), 0.0f);
	a->part[p + 2u] = membrane_record(oz_scale(gc, force), 0.0f);
	a->part[p + 3u] = membrane_record(oz_scale(gd, force), 0.0f);
}

// ---- vertices ----------------------------------------------------------------------------------

#define membrane_add_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, start)                                                                            \
	IN(uint, parts)                                                                            \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, part) OUT(oz_float4, image)
OZ_ARGS(membrane_add)

// writes the acceleration of vertex i: the sum of its forces over its mass
OZ_FN void membrane_add_at(const membrane_add_args *a, uint i)
{
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	const uint end = a->start[i + 1u];
	for (uint k = a->start[i]; k < end; k++)
		sum = oz_add(sum, membrane_vec(a->part[a->parts[k]]));
	a->image[i] = membrane_record(oz_scale(sum, a->chambers[a->chamber_of[i]].inv_mass), 0.0f);
}

#define membrane_swell_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, start)                                                                            \
	IN(uint, parts)                                                                            \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_float4, state) OUT(oz_float4, swell) VAL(uint, end_part)
OZ_ARGS(membrane_swell)

// writes the change of the volume of its chamber by the position of vertex i, m²: a third of the
// area vectors of its whole faces
OZ_FN void membrane_swell_at(const membrane_swell_args *a, uint i)
{
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	const uint end = a->start[i + 1u];
	for (uint k = a->start[i]; k < end && a->parts[k] < a->end_part; k++) {
		const uint face = a->parts[k] / 3u;
		if (a->faces[face].area > 0.0f)
			sum = oz_add(sum, membrane_vec(a->state[3u * face + 2u]));
	}
	a->swell[i] = membrane_record(oz_scale(sum, 1.0f / 3.0f), 0.0f);
}

#define membrane_block_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_membrane_edge, edges)                                                                \
	IN(oz_membrane_face, faces)                                                                \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, state) OUT(oz_float4, block) VAL(float, ahead)
OZ_ARGS(membrane_block)

// a 3 × 3 matrix by its rows
typedef struct membrane_rows {
	oz_vec3 x, y, z;
} membrane_rows;

// adds s a bᵀ
OZ_FN void membrane_add_outer(membrane_rows *m, float s, oz_vec3 a, oz_vec3 b)
{
	m->x = oz_mad(m->x, b, s * a.x);
	m->y = oz_mad(m->y, b, s * a.y);
	m->z = oz_mad(m->z, b, s * a.z);
}

// the gradient of the shape function of a vertex of a face
OZ_FN oz_float4 membrane_gradient(OZ_GLOBAL const oz_membrane_face *f, uint vertex)
{
	if (f->corner[1] == vertex)
		return oz_make4(f->grad_xx, f->grad_xy, 0.0f, 0.0f);
	if (f->corner[2] == vertex)
		return oz_make4(0.0f, f->grad_yy, 0.0f, 0.0f);
	return oz_make4(-f->grad_xx, -f->grad_xy - f->grad_yy, 0.0f, 0.0f);
}

// Adds what a face gives to the force on vertex a by the velocity of b. With w = F G that is
//
//   - A (λ' w_a w_bᵀ + μ' ((G_a·G_b) F Fᵀ + w_b w_aᵀ) + Δt (G_a·S G_b)),   S: what pulls of it
OZ_FN void membrane_add_face(const membrane_block_args *a, membrane_rows *m, uint face,
                             OZ_GLOBAL const oz_membrane_edge *e)
{
	OZ_GLOBAL const oz_membrane_face *f = &a->faces[face];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[f->chamber];
	const oz_float4 s1 = a->state[3u * face], s2 = a->state[3u * face + 1u],
	                s3 = a->state[3u * face + 2u];
	const oz_vec3 f1 = membrane_vec(s1), f2 = membrane_vec(s2);
	const float area = f->area;
	if (!(area > 0.0f) || b->law == OZ_LAW_SPRINGS) // no stress
		return;
	const float elastic = -area * (a->ahead + b->delay) * membrane_softness(b, f1, f2);
	const oz_float4 ga = membrane_gradient(f, e->a), gb = membrane_gradient(f, e->b);
	const oz_vec3 wa = oz_mad(oz_scale(f1, ga.x), f2, ga.y),
	              wb = oz_mad(oz_scale(f1, gb.x), f2, gb.y);
	const float shear = 0.5f * elastic * b->shear, both = shear * (ga.x * gb.x + ga.y * gb.y);
	const float pull =
	        -area * a->ahead *
	        (s1.w * ga.x * gb.x + s3.w * (ga.x * gb.y + ga.y * gb.x) + s2.w * ga.y * gb.y);
	membrane_add_outer(m, elastic * b->lame, wa, wb);
	membrane_add_outer(m, shear, wb, wa);
	membrane_add_outer(m, both, f1, f1);
	membrane_add_outer(m, both, f2, f2);
	m->x.x += pull;
	m->y.y += pull;
	m->z.z += pull;
}

// Writes the matrix of edge i: the force on its vertex a by a velocity of b relative to a, by the
// stiffness and damping of its two faces. That on b by a is the transposed one, and the sum over
// the edges of a vertex is all that its faces do. `state`: of faces; `ahead`: s, see
// membrane_step.c.
OZ_FN void membrane_block_at(const membrane_block_args *a, uint i)
{
	OZ_GLOBAL const oz_membrane_edge *e = &a->edges[i];
	membrane_rows m;
	m.x = m.y = m.z = oz_v3(0.0f, 0.0f, 0.0f);
	membrane_add_face(a, &m, e->face[0], e);
	membrane_add_face(a, &m, e->face[1], e);
	a->block[3u * i] = membrane_record(m.x, 0.0f);
	a->block[3u * i + 1u] = membrane_record(m.y, 0.0f);
	a->block[3u * i + 2u] = membrane_record(m.z, 0.0f);
}

#define membrane_product_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, start)                                                                            \
	IN(uint, parts)                                                                            \
	IN(uint, link_start)                                                                       \
	IN(uint, link)                                                                             \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_membrane_sums, flux)                                                                 \
	IN(oz_float4, swell)                                                                       \
	IN(oz_float4, taut)                                                                        \
	IN(oz_float4, block)                                                                       \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, part)                                                                        \
	OUT(oz_float4, image) VAL(uint, bent) VAL(uint, edge_parts) VAL(float, ahead)
OZ_ARGS(membrane_product)

// the force of the springs of vertex i by velocities `direction`
OZ_FN oz_vec3 membrane_springs(const membrane_product_args *a, uint i, float delayed)
{
	const oz_vec3 own = membrane_vec(a->direction[i]);
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	const uint end = a->link_start[i + 1u];
	for (uint k = a->link_start[i]; k < end; k++) {
		const oz_float4 t = a->taut[a->link[2u * k + 1u] >> 1];
		const oz_vec3 q = membrane_vec(t);
		const oz_vec3 parting = oz_sub(membrane_vec(a->direction[a->link[2u * k]]), own);
		sum = oz_mad(sum, q, delayed * oz_dot(q, parting));
		sum = oz_mad(sum, parting, a->ahead * t.w);
	}
	return sum;
}

// the force of the faces of vertex i by velocities `direction`
OZ_FN oz_vec3 membrane_faces(const membrane_product_args *a, uint i)
{
	const oz_vec3 own = membrane_vec(a->direction[i]);
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	const uint end = a->link_start[i + 1u];
	for (uint k = a->link_start[i]; k < end; k++) {
		const uint edge = a->link[2u * k + 1u];
		OZ_GLOBAL const oz_float4 *m = &a->block[3u * (edge >> 1)];
		const oz_vec3 x = membrane_vec(m[0]), y = membrane_vec(m[1]),
		              z = membrane_vec(m[2]);
		const oz_vec3 u = oz_sub(membrane_vec(a->direction[a->link[2u * k]]), own);
		if (edge & 1u) // from b: transposed
			sum = oz_mad(oz_mad(oz_mad(sum, x, u.x), y, u.y), z, u.z);
		else
			sum = oz_add(sum, oz_v3(oz_dot(x, u), oz_dot(y, u), oz_dot(z, u)));
	}
	return sum;
}

// Writes the acceleration of vertex i by velocities `direction`: by its faces and edges, and by the
// filling, whose volume changes by `flux`, m³/s. `part`: forces of edges by bending.
OZ_FN void membrane_product_at(const membrane_product_args *a, uint i)
{
	const uint chamber = a->chamber_of[i], begin = a->start[i];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[chamber];
	const float rise = -a->ahead * b->stiffness * a->flux[chamber].s[0];
	oz_vec3 sum = oz_scale(membrane_vec(a->swell[i]), rise);
	if (b->law == OZ_LAW_SPRINGS)
		sum = oz_add(sum, membrane_springs(a, i, a->ahead + b->delay));
	else
		sum = oz_add(sum, membrane_faces(a, i));
	// from the last one on: parts of faces come first
	for (uint k = a->bent ? a->start[i + 1u] : begin; k > begin; k--) {
		const uint at = a->parts[k - 1u];
		if (at < a->edge_parts)
			break;
		sum = oz_add(sum, membrane_vec(a->part[at]));
	}
	a->image[i] = membrane_record(oz_scale(sum, b->inv_mass), 0.0f);
}

#define membrane_KERNELS(X)                                                                        \
	X(membrane_copy, EACH)                                                                     \
	X(membrane_stretch, EACH)                                                                  \
	X(membrane_bend, EACH)                                                                     \
	X(membrane_bend_product, EACH)                                                             \
	X(membrane_add, EACH)                                                                      \
	X(membrane_swell, EACH)                                                                    \
	X(membrane_block, EACH)                                                                    \
	X(membrane_product, EACH)
OZ_KERNELS(membrane_KERNELS)
