// separate.cl: takes neighbours that a thin wall separates out of each other's lists.
//
// Particles on the two sides of a wall that is thinner than the support radius would be neighbours
// through it. The share λ of a wall counts as if the wall went on behind its surface (lambda.h), so
// that a particle beside a thin wall, without the particles behind it, has the density of one
// beside a thick wall.
//
//      i •              the segment i j meets a surface: i and j are no neighbours
//   ══════╪══════ ·     the segment i k passes beside the edge: i and k are neighbours
//       j •        • k
//
// When the lists are made each particle beside a wall gets a ball that holds it and no thin wall:
//
//      ╭─────╮ ╭─────╮   the middle of i j is in the balls of i and of j, so that the segment is in
//      │  ·  │ │  ·  │   them: nothing separates i and j
//      │ i • ╰─╯ • j │
//   ═══╧═════════════╧══
//
// Where the balls do not decide, the segment is followed (separate.h). All pairs of the lists are
// tested in one direction, from the lower index to the higher, so that both lists agree.
#include "boundary/separate.h"

#define SEPARATE_AWAY 0.7f // of the reach of lists: the middle of a ball from its particle
#define SEPARATE_LESS                                                                              \
	0.05f // spacings: OZ_BETWEEN_ERROR a spacing away from a wall, where it is smooth

#define wall_beside_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, anchor)                                                                      \
	IN(float, wall_clearance)                                                                  \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(uint, thin)                                                                             \
	OUT(uint, beside) OUT(oz_float4, ball) VAL(oz_wall_rules, rules) VAL(float, reach)
OZ_ARGS(wall_beside)

OZ_FN oz_vec3 separate_point(oz_float4 x)
{
	return oz_v3(x.x, x.y, x.z);
}

// whether a thin part of collider c is within half of the reach of lists from p
OZ_FN bool separate_is_beside(const wall_beside_args *a, OZ_GLOBAL const oz_collider *c, oz_vec3 p)
{
	if (c->kind != OZ_KIND_SDF)
		return oz_abs(oz_local_distance(c->kind, c->size, p)) <= 0.5f * a->reach;
	const oz_sdf_spot s = oz_sdf_find(&c->sdf, a->places, p);
	return s.node < OZ_SDF_INSIDE && a->thin[s.node / OZ_SDF_NODES] != 0u;
}

// the distance of p from the nearest thin wall
OZ_FN float separate_distance(const wall_beside_args *a, const oz_walls *w, oz_vec3 p)
{
	float d = OZ_FAR;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (c->thin)
			d = oz_min(d, oz_wall_distance(w, c, oz_begin_local(c, p)));
	}
	return d;
}

// Centre and radius of a ball that holds p and no thin wall; radius 0: none was found, OZ_FAR: all
// neighbours are in it. The centre of most is farther than p from the nearest wall.
OZ_FN oz_float4 separate_ball(const wall_beside_args *a, const oz_walls *w, oz_vec3 p)
{
	const float error = SEPARATE_LESS * a->rules.spacing;
	oz_vec3 normal = oz_v3(0.0f, 0.0f, 0.0f);
	float d = OZ_FAR;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (!c->thin)
			continue;
		const oz_surface_sample s =
		        oz_wall_sample(w, c, oz_begin_local(c, p), a->rules.step);
		if (s.distance < d) {
			d = s.distance;
			normal = oz_begin_rotate(c, s.normal);
		}
	}
	if (d - error >= a->reach)
		return oz_make4(p.x, p.y, p.z, OZ_FAR);
	// the middle of a pair is nearer than half of the reach
	if (d - error >= 0.5f * a->reach)
		return oz_make4(p.x, p.y, p.z, d - error);
	for (float away = SEPARATE_AWAY * a->reach; away > 0.1f * a->reach; away *= 0.5f) {
		const oz_vec3 centre = oz_mad(p, normal, away);
		const float radius = separate_distance(a, w, centre) - error;
		if (radius > away)
			return oz_make4(centre.x, centre.y, centre.z, radius);
	}
	return oz_make4(p.x, p.y, p.z, 0.0f);
}

// Writes the ball of particle i, and sets a bit for each thin wall that it is beside; colliders 32
// apart have the same bit. Of two particles that a wall separates one is beside it.
OZ_FN void wall_beside_at(const wall_beside_args *a, uint i)
{
	const oz_vec3 p = separate_point(a->anchor[i]);
	oz_walls w;
	w.places = a->places;
	w.nearest = a->nearest;
	uint bits = 0u;
	a->ball[i] = a->wall_clearance[i] < a->reach ? separate_ball(a, &w, p)
	                                             : oz_make4(p.x, p.y, p.z, OZ_FAR);
	for (uint k = 0; k < a->rules.colliders && a->wall_clearance[i] < a->reach; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (c->thin && separate_is_beside(a, c, oz_begin_local(c, p)))
			bits |= 1u << (k & 31u);
	}
	a->beside[i] = bits;
}

#define wall_separate_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, anchor)                                                                      \
	IN(float, wall_clearance)                                                                  \
	IN(uint, beside)                                                                           \
	IN(oz_float4, ball)                                                                        \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_guide, guide)                                                                        \
	IN(uint, start)                                                                            \
	OUT(uint, list)                                                                            \
	OUT(uint, count)                                                                           \
	VAL(oz_wall_rules, rules) VAL(uint, guides) VAL(uint, stride)
OZ_ARGS(wall_separate)

OZ_FN bool separate_in_ball(oz_float4 ball, oz_vec3 p)
{
	const oz_vec3 r = oz_sub(p, separate_point(ball));
	return oz_dot(r, r) < ball.w * ball.w;
}

// whether a thin wall is between particles i and j, i < j
OZ_FN bool separate_pair(const wall_separate_args *a, const oz_walls *w, uint i, uint j)
{
	const uint beside = a->beside[i] | a->beside[j];
	if (beside == 0u)
		return false;
	const oz_vec3 p = separate_point(a->anchor[i]), q = separate_point(a->anchor[j]);
	const oz_vec3 way = oz_sub(q, p);
	const float free = a->wall_clearance[i] + a->wall_clearance[j];
	if (free > 0.0f && free * free >= oz_dot(way, way))
		return false;
	const oz_vec3 middle = oz_mad(p, way, 0.5f);
	if (separate_in_ball(a->ball[i], middle) && separate_in_ball(a->ball[j], middle))
		return false;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (c->thin && (beside & 1u << (k & 31u)) &&
		    oz_wall_is_between(w, c, oz_begin_local(c, p), oz_begin_local(c, q),
		                       a->rules.spacing))
			return !oz_in_one_nozzle(a->guide, a->guides, p, q);
	}
	return false;
}

// closes the gaps that separated neighbours leave in the list of particle i
OZ_FN void wall_separate_at(const wall_separate_args *a, uint i)
{
	const uint start = a->start[i], count = a->count[i];
	uint kept = 0;
	if (a->ball[i].w >= OZ_FAR)
		return;
	oz_walls w;
	w.places = a->places;
	w.nearest = a->nearest;
	for (uint c = 0; c < count; c++) {
		const uint j = a->list[oz_list_at(start, i, c, a->stride)];
		if (separate_pair(a, &w, i < j ? i : j, i < j ? j : i))
			continue;
		a->list[oz_list_at(start, i, kept, a->stride)] = j;
		kept++;
	}
	a->count[i] = kept;
}

#define separate_KERNELS(X)                                                                        \
	X(wall_beside, EACH)                                                                       \
	X(wall_separate, EACH)
OZ_KERNELS(separate_KERNELS)
