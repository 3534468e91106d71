// contact_line.h: which particles are at a surface, and the normal of a surface where it meets
// walls and solids; see capillary.cl.
#ifndef OZ_CONTACT_LINE_H
#define OZ_CONTACT_LINE_H

#include "device/kernel.h"
#include "math/vec.h"
#include "models/capillary/capillary_rules.h"

// |b| over that of a flat surface: below the first a particle is inside, above the second it is at
// the surface
#define CAPILLARY_INSIDE 0.3f
#define CAPILLARY_OUTER  0.6f
#define CAPILLARY_APART  0.2f // |b| of walls and solids, likewise: no contact below,
#define CAPILLARY_TOUCH  0.5f // the angle is given from here on
#define CAPILLARY_UNDER                                                                            \
	0.5f // sine of the normal to the wall over that of the contact angle, likewise, up to which
	     // it is an underside

// 0 inside, 1 at a surface; `size`: |b|
OZ_FN float capillary_at_surface(const capillary_rules *r, float size)
{
	const float t = oz_min(oz_max((size / r->slope_first - CAPILLARY_INSIDE) /
	                                      (CAPILLARY_OUTER - CAPILLARY_INSIDE),
	                              0.0f),
	                       1.0f);
	return t * t * (3.0f - 2.0f * t);
}

// what a particle touches: walls and solids
typedef struct capillary_contact {
	oz_vec3 b, k; // their part of b, 1/m; their normal towards the liquid, 0: none
	float cosine; // of the contact angle
	float touch;  // |b| over that of a flat wall, 0 to 1
} capillary_contact;

// The cosine that a surface against air is given for that of a contact angle. Below 90° the surface
// beside the wall is thinner than the layer in which its angle is given, and drops stand 6 to 9°
// too flat; the angle given is larger by that (7° sin 2θ, fitted).
#define CAPILLARY_FLATTER 0.24f
OZ_FN float capillary_given(float cosine)
{
	return cosine > 0.0f ? cosine * (1.0f - CAPILLARY_FLATTER * (1.0f - cosine * cosine))
	                     : cosine;
}

// `weight` and `wetting`: sums over solids
OZ_FN capillary_contact capillary_contact_of(const capillary_rules *r, oz_float4 lining, oz_vec3 of,
                                             float weight, float wetting)
{
	const oz_vec3 wall = oz_v3(lining.x, lining.y, lining.z);
	const float from_wall = oz_length(wall), from_solid = oz_length(of);
	capillary_contact c;
	c.b = oz_add(wall, of);
	const float length = oz_length(c.b);
	c.k = oz_scale(c.b, length > 0.0f ? -1.0f / length : 0.0f);
	c.cosine = (from_wall * lining.w + (weight < 0.0f ? from_solid * wetting / weight : 0.0f)) /
	           oz_max(from_wall + from_solid, 1e-30f);
	c.touch = oz_min(oz_max((length / r->slope_first - CAPILLARY_APART) /
	                                (CAPILLARY_TOUCH - CAPILLARY_APART),
	                        0.0f),
	                 1.0f);
	return c;
}

// the normal of a surface of normal n where it meets what it touches
OZ_FN oz_vec3 capillary_contact_normal(oz_vec3 n, const capillary_contact *c)
{
	const oz_vec3 along = oz_mad(n, c->k, -oz_dot(n, c->k));
	const float t = oz_length(along);
	const float sine = oz_sqrt(oz_max(1.0f - c->cosine * c->cosine, 0.0f));
	// the surface of a film on the wall has t = 0 and is no contact line; nor is there one at
	// 180°
	const float wets = oz_min(4.0f * (1.0f + c->cosine), 1.0f);
	const float share = c->touch * wets * oz_min(3.0f * t, 1.0f);
	if (!(share > 0.0f && t > 1e-3f))
		return n;
	const oz_vec3 given = oz_mad(oz_scale(c->k, c->cosine), along, sine / t);
	const oz_vec3 mixed = oz_mad(oz_scale(n, 1.0f - share), given, share);
	const float size = oz_length(mixed);
	return size > 0.0f ? oz_scale(mixed, 1.0f / size) : n;
}

// share of the area of a particle of normal n that is no underside
OZ_FN float capillary_open_share(oz_vec3 n, const capillary_contact *c)
{
	const float up = oz_dot(n, c->k);
	if (!(c->cosine < 0.0f && up < 0.0f))
		return 1.0f;
	const float t = oz_sqrt(oz_max(1.0f - up * up, 0.0f));
	const float sine = oz_sqrt(oz_max(1.0f - c->cosine * c->cosine, 0.0f));
	const float f = oz_min(t / (CAPILLARY_UNDER * sine + 1e-3f), 1.0f);
	return 1.0f - c->touch * (1.0f - f * f * (3.0f - 2.0f * f));
}

#endif
