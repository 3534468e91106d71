// separate.h: whether a surface of a collider is between two points, by sphere tracing. Neighbour
// lists (separate.cl) and the faces of membranes (models/membrane/membrane_face.cl) use it.
#ifndef OZ_SEPARATE_H
#define OZ_SEPARATE_H

#include "boundary/lambda.h"
#include "boundary/nozzle.h"

#define OZ_BETWEEN_STEPS 48    // along a segment; after these nothing is between
#define OZ_BETWEEN_MEETS 0.1f  // spacings: a segment that comes so near to a surface meets it
#define OZ_BETWEEN_KNOWN 0.02f // spacings: at a nearer point the side is not known

// Whether a surface of collider c is between p and q, points of its frame. Around either end a ball
// of the distance of its centre from the surface is free.
OZ_FN bool oz_wall_is_between(const oz_walls *w, OZ_GLOBAL const oz_collider *c, oz_vec3 p,
                              oz_vec3 q, float spacing)
{
	// an interpolated distance may fall by up to twice the way
	const float share = c->kind == OZ_KIND_SDF ? 0.5f : 1.0f;
	const oz_vec3 way = oz_sub(q, p);
	const float length = oz_length(way);
	const float first = oz_wall_distance(w, c, p);
	if (share * first >= length)
		return false;
	const float last = oz_wall_distance(w, c, q), least = oz_min(first, last);
	if (least < OZ_BETWEEN_KNOWN * spacing)
		return false;
	const float meets = oz_min(OZ_BETWEEN_MEETS * spacing, 0.4f * least);
	// the balls around both ends touch on a surface, too: only where they overlap nothing is
	// between
	const float end = length - share * last + meets;
	float d = first, t = 0.0f;
	for (int k = 0; k < OZ_BETWEEN_STEPS; k++) {
		t += oz_max(share * d, meets);
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
