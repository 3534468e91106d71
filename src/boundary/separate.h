// separate.h: whether a surface of a collider is between two points, by sphere tracing. Neighbour
// lists (separate.cl) and the faces of membranes (models/membrane/membrane_face.cl) use it.
#ifndef OZ_SEPARATE_H
#define OZ_SEPARATE_H

#include "boundary/lambda.h"
#include "boundary/nozzle.h"

#define OZ_BETWEEN_STEPS 48    // along a segment; after these nothing is between
#define OZ_BETWEEN_MEETS 0.1f  // spacings: a segment that comes so near to a surface meets it
#define OZ_BETWEEN_KNOWN 0.02f // spacings: at a nearer point the side is not known
#define OZ_BETWEEN_ERROR 0.15f // spacings: of a distance that was interpolated near a wall

// The radius of a ball without the wall around a point at the distance d: an interpolated distance
// is OZ_BETWEEN_ERROR too large at most, and may fall by up to twice the way.
OZ_FN float oz_wall_free(OZ_GLOBAL const oz_collider *c, float d, float spacing)
{
	return c->kind == OZ_KIND_SDF ? oz_max(0.5f * d, d - OZ_BETWEEN_ERROR * spacing) : d;
}

// Whether a surface of collider c is between p and q, points of its frame.
OZ_FN bool oz_wall_is_between(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                              oz_vec3 q, float spacing)
{
	const oz_vec3 way = oz_sub(q, p);
	const float length = oz_length(way);
	const float first = oz_wall_distance(w, c, p);
	if (oz_wall_free(c, first, spacing) >= length)
		return false;
	const float last = oz_wall_distance(w, c, q), least = oz_min(first, last);
	if (least < OZ_BETWEEN_KNOWN * spacing)
		return false;
	const float meets = oz_min(OZ_BETWEEN_MEETS * spacing, 0.4f * least);
	// the balls around both ends touch on a surface, too: only where they overlap nothing is
	// between
	const float end = length - oz_wall_free(c, last, spacing) + meets;
	float d = first, t = 0.0f;
	for (int k = 0; k < OZ_BETWEEN_STEPS; k++) {
		t += oz_max(oz_wall_free(c, d, spacing), meets);
		if (t >= end)
			return false;
		d = oz_wall_distance(w, c, oz_mad(p, way, t / length));
		if (d < meets)
			return true;
	}
	return false;
}

// whether both points are in the same nozzle, which pierces walls
OZ_FN bool oz_in_one_nozzle(OZ_GLOBAL const oz_guide *guide, uint guides, oz_vec3 p, oz_vec3 q)
{
	for (uint k = 0; k < guides; k++) {
		const oz_guide g = guide[k];
		if (oz_guide_contains(&g, p) && oz_guide_contains(&g, q))
			return true;
	}
	return false;
}

#endif
