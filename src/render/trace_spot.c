// trace_spot.c: where a ray ends: on which thing, how far, and which way its surface looks.
#include "render/trace.h"

struct RTCRayHit oz_ray_hit(oz_vec3 from, oz_vec3 way, float far)
{
	return (struct RTCRayHit){.ray = {.org_x = from.x,
	                                  .org_y = from.y,
	                                  .org_z = from.z,
	                                  .dir_x = way.x,
	                                  .dir_y = way.y,
	                                  .dir_z = way.z,
	                                  .tfar = far,
	                                  .mask = UINT32_MAX},
	                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID,
	                                  .instID = {RTC_INVALID_GEOMETRY_ID}}};
}

// Where the tangent planes of the corners would have the point: the shade of flat triangles does
// not show on a round thing (Hanika 2021).
static oz_vec3 lift(const oz_thing *thing, const uint32_t *corner, const float b[3], oz_vec3 at)
{
	oz_vec3 out = {0, 0, 0};
	for (int k = 0; k < 3; k++) {
		const oz_vec3 n = thing->normal[corner[k]];
		const float off = oz_dot(oz_sub(at, thing->position[corner[k]]), n);
		out = oz_mad(out, oz_mad(at, n, oz_max(-off, 0.0f)), b[k]);
	}
	return out;
}

static oz_vec3 blend(const oz_vec3 *values, const uint32_t *corner, const float b[3])
{
	return oz_mad(oz_mad(oz_scale(values[corner[0]], b[0]), values[corner[1]], b[1]),
	              values[corner[2]], b[2]);
}

static void spot_on_mesh(oz_spot *s, const struct RTCHit *hit)
{
	const oz_thing *thing = s->thing;
	const uint32_t *corner = thing->triangles[hit->primID];
	const oz_vec3 a = thing->position[corner[0]];
	const float b[3] = {1.0f - hit->u - hit->v, hit->u, hit->v};
	s->flat = oz_normalize(oz_cross(oz_sub(thing->position[corner[1]], a),
	                                oz_sub(thing->position[corner[2]], a)));
	s->normal = s->flat;
	if (thing->colour)
		s->colour = blend(thing->colour, corner, b);
	if (!thing->normal)
		return;
	const oz_vec3 n = oz_unit(blend(thing->normal, corner, b));
	if (oz_dot(n, s->flat) > 0.1f)
		s->normal = n;
	if (!thing->clear)
		s->lifted = lift(thing, corner, b, s->at);
}

void oz_spot_on_thing(const oz_set *set, oz_spot *s, const struct RTCHit *hit)
{
	const oz_thing *thing = &set->things[hit->geomID];
	s->thing = thing;
	s->colour = thing->coat.colour;
	if (thing->kind == OZ_THING_MESH) {
		spot_on_mesh(s, hit);
	} else if (thing->kind == OZ_THING_BALLS) {
		const float *ball = thing->balls[hit->primID];
		s->normal = s->flat = oz_unit(oz_sub(s->at, oz_v3(ball[0], ball[1], ball[2])));
		if (thing->colour)
			s->colour = thing->colour[thing->grain[hit->primID]];
	} else {
		s->normal = s->flat = oz_unit(oz_v3(hit->Ng_x, hit->Ng_y, hit->Ng_z));
	}
}

// normals that look at where the path comes from
void oz_spot_face(oz_spot *s, oz_vec3 way)
{
	s->leaving = oz_dot(way, s->flat) > 0.0f;
	if (s->leaving) {
		s->flat = oz_scale(s->flat, -1.0f);
		s->normal = oz_scale(s->normal, -1.0f);
		// the lifted place is in front of the other side
		s->lifted = s->at;
	}
	const float seen = oz_dot(way, s->normal);
	if (seen > -0.02f)
		s->normal = oz_unit(oz_mad(s->normal, way, -seen - 0.02f));
}

bool oz_spot_find(const oz_set *set, struct RTCIntersectContext *context, oz_vec3 from, oz_vec3 way,
                  oz_spot *s)
{
	float far = INFINITY;
	if (way.y < 0.0f && from.y > set->ground)
		far = (set->ground - from.y) / way.y;
	struct RTCRayHit rh = oz_ray_hit(from, way, far);
	rtcIntersect1(set->scene, context, &rh);
	const bool thing = rh.hit.geomID != RTC_INVALID_GEOMETRY_ID;
	if (!thing && far == INFINITY)
		return false;
	s->thing = NULL;
	s->distance = thing ? rh.ray.tfar : far;
	s->at = s->lifted = oz_mad(from, way, s->distance);
	if (thing) {
		oz_spot_on_thing(set, s, &rh.hit);
	} else {
		s->normal = s->flat = oz_v3(0.0f, 1.0f, 0.0f);
		s->at.y = s->lifted.y = set->ground;
	}
	oz_spot_face(s, way);
	return true;
}
