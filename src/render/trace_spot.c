// trace_spot.c: the point where a ray ends: object, distance and normals.
#include "render/trace.h"

struct RTCRayHit oz_ray_hit(oz_vec3 from, oz_vec3 direction, float far)
{
	return (struct RTCRayHit){.ray = {.org_x = from.x,
	                                  .org_y = from.y,
	                                  .org_z = from.z,
	                                  .dir_x = direction.x,
	                                  .dir_y = direction.y,
	                                  .dir_z = direction.z,
	                                  .tfar = far,
	                                  .mask = UINT32_MAX},
	                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID,
	                                  .instID = {RTC_INVALID_GEOMETRY_ID}}};
}

// Moves a point of a triangle towards the tangent planes of its corners, so that shadows do not
// show the flat triangles of a curved surface (Hanika 2021).
static oz_vec3 lift(const oz_object *object, const uint32_t *corner, const float b[3], oz_vec3 at)
{
	oz_vec3 out = {0, 0, 0};
	for (int k = 0; k < 3; k++) {
		const oz_vec3 n = object->normal[corner[k]];
		const float off = oz_dot(oz_sub(at, object->position[corner[k]]), n);
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
	const oz_object *object = s->object;
	const uint32_t *corner = object->triangles[hit->primID];
	const oz_vec3 a = object->position[corner[0]];
	const float b[3] = {1.0f - hit->u - hit->v, hit->u, hit->v};
	s->flat = oz_normalize(oz_cross(oz_sub(object->position[corner[1]], a),
	                                oz_sub(object->position[corner[2]], a)));
	s->normal = s->flat;
	if (object->colour)
		s->colour = blend(object->colour, corner, b);
	if (!object->normal)
		return;
	const oz_vec3 n = oz_unit(blend(object->normal, corner, b));
	if (oz_dot(n, s->flat) > 0.1f)
		s->normal = n;
	if (!object->clear)
		s->lifted = lift(object, corner, b, s->at);
}

void oz_spot_on_object(const oz_set *set, oz_spot *s, const struct RTCHit *hit)
{
	const oz_object *object = &set->objects[hit->geomID];
	s->object = object;
	s->colour = object->appearance.colour;
	if (object->kind == OZ_OBJECT_MESH) {
		spot_on_mesh(s, hit);
	} else if (object->kind == OZ_OBJECT_BALLS) {
		const float *ball = object->balls[hit->primID];
		s->normal = s->flat = oz_unit(oz_sub(s->at, oz_v3(ball[0], ball[1], ball[2])));
		if (object->colour)
			s->colour = object->colour[object->grain[hit->primID]];
	} else {
		s->normal = s->flat = oz_unit(oz_v3(hit->Ng_x, hit->Ng_y, hit->Ng_z));
	}
}

void oz_spot_face(oz_spot *s, oz_vec3 direction)
{
	s->leaving = oz_dot(direction, s->flat) > 0.0f;
	if (s->leaving) {
		s->flat = oz_scale(s->flat, -1.0f);
		s->normal = oz_scale(s->normal, -1.0f);
		// the lifted point belongs to the other side
		s->lifted = s->at;
	}
	const float seen = oz_dot(direction, s->normal);
	if (seen > -0.02f)
		s->normal = oz_unit(oz_mad(s->normal, direction, -seen - 0.02f));
}

bool oz_spot_find(const oz_set *set, struct RTCIntersectContext *context, oz_vec3 from,
                  oz_vec3 direction, oz_spot *s)
{
	float far = INFINITY;
	if (direction.y < 0.0f && from.y > set->ground)
		far = (set->ground - from.y) / direction.y;
	struct RTCRayHit rh = oz_ray_hit(from, direction, far);
	rtcIntersect1(set->scene, context, &rh);
	const bool object = rh.hit.geomID != RTC_INVALID_GEOMETRY_ID;
	if (!object && far == INFINITY)
		return false;
	s->object = NULL;
	s->distance = object ? rh.ray.tfar : far;
	s->at = s->lifted = oz_mad(from, direction, s->distance);
	if (object) {
		oz_spot_on_object(set, s, &rh.hit);
	} else {
		s->normal = s->flat = oz_v3(0.0f, 1.0f, 0.0f);
		s->at.y = s->lifted.y = set->ground;
	}
	oz_spot_face(s, direction);
	return true;
}
