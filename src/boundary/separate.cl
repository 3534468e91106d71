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
// The segment is followed (separate.h) when the lists are made. All pairs of the lists are
// tested in one direction, from the lower index to the higher, so that both lists agree.
#include "boundary/separate.h"

#define SEPARATE_LAYER 0.4f // spacings: particles less apart along their normal are on one side

#define wall_beside_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, anchor)                                                                      \
	IN(float, wall_clearance)                                                                  \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(uint, thin) OUT(uint, beside) VAL(oz_wall_rules, rules) VAL(float, reach)
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

// Sets a bit for each thin wall that particle i is beside; colliders 32 apart have the same bit. Of
// two particles that a wall separates one is beside it.
OZ_FN void wall_beside_at(const wall_beside_args *a, uint i)
{
	const oz_vec3 p = separate_point(a->anchor[i]);
	uint bits = 0u;
	for (uint k = 0; k < a->rules.colliders && a->wall_clearance[i] < a->reach; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		if (c->thin && separate_is_beside(a, c, oz_begin_local(c, p)))
			bits |= 1u << (k & 31u);
	}
	a->beside[i] = bits;
}

#define wall_separate_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, anchor)                                                                      \
	IN(oz_float4, wall)                                                                        \
	IN(float, wall_clearance)                                                                  \
	IN(uint, beside)                                                                           \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_guide, guide)                                                                        \
	IN(uint, start)                                                                            \
	OUT(uint, list)                                                                            \
	OUT(uint, count)                                                                           \
	VAL(oz_wall_rules, rules) VAL(uint, guides) VAL(uint, stride) VAL(float, reach)
OZ_ARGS(wall_separate)

// Whether two particles are in one layer beside one wall, by their gradients of λ: most pairs near
// a wall are, and need no tracing. Where two walls face each other the gradient is small.
OZ_FN bool separate_same_layer(const wall_separate_args *a, uint i, uint j, oz_vec3 to_j)
{
	const oz_float4 wi = a->wall[i], wj = a->wall[j];
	const oz_vec3 gi = separate_point(wi), gj = separate_point(wj);
	const float i2 = oz_dot(gi, gi), j2 = oz_dot(gj, gj), both = oz_dot(gi, gj);
	const float s = a->rules.spacing, along = oz_dot(to_j, gi);
	return i2 * s * s > 4.0f * wi.w * wi.w && j2 * s * s > 4.0f * wj.w * wj.w && both > 0.0f &&
	       both * both > 0.8f * i2 * j2 &&
	       along * along < SEPARATE_LAYER * SEPARATE_LAYER * s * s * i2;
}

// whether a thin wall is between particles i and j, i < j
OZ_FN bool separate_pair(const wall_separate_args *a, const oz_walls *w, uint i, uint j)
{
	const oz_vec3 p = separate_point(a->anchor[i]), q = separate_point(a->anchor[j]);
	const oz_vec3 way = oz_sub(q, p);
	const uint beside = a->beside[i] | a->beside[j];
	const float free = a->wall_clearance[i] + a->wall_clearance[j];
	if (beside == 0u)
		return false;
	if (free > 0.0f && free * free >= oz_dot(way, way))
		return false;
	if (separate_same_layer(a, i, j, way))
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
	if (a->wall_clearance[i] >= a->reach)
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
