// rigid_lead.c: rigid bodies that keyframes or calls lead.
//
// The body is added in the pose (p0, q0) of its first keyframe. In the pose (p, q) its rotation and
// the place of its centre are
//
//   R = q q0⁻¹,   c = p + R (c0 - p0)
//
// In each step it gets the velocities by which it reaches that pose at the end of the step. Forces
// do not move it; for the pressure its mass is infinite.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boundary/boundary.h"
#include "math/vec.h"
#include "models/rigid/rigid.h"
#include "models/rigid/rigid_math.h"

// what a body has that its material or its axis forbids; NULL: nothing
static const char *excess_motion(const oz_body_def *def, bool fixed)
{
	const bool moves = oz_dot(def->velocity, def->velocity) > 0,
	           spins = oz_dot(def->spin, def->spin) > 0,
	           hinged = oz_dot(def->axis, def->axis) > 0;
	if (fixed && def->keyframe_count)
		return "keyframes, but its material is fixed; leave them out or set fixed to false";
	if (fixed && (moves || spins))
		return "a velocity or spin, but its material is fixed; leave these out or set "
		       "fixed to false";
	if (def->keyframe_count && hinged)
		return "keyframes and an axis; keep one of the two";
	if (def->keyframe_count && (moves || spins))
		return "keyframes, which give its motion, and a velocity or spin; leave these out";
	if (hinged && moves)
		return "an axis, about which alone it moves, and a velocity; leave one of them "
		       "out";
	return NULL;
}

oz_result oz_rigid_check_motion(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	char where[OZ_NAME_SIZE + 16];
	snprintf(where, sizeof where, "body '%.*s'", OZ_NAME_SIZE - 1, def->name);
	const oz_result result =
	        oz_keyframes_check(def->keyframes, def->keyframe_count, where, error);
	const char *excess = excess_motion(def, oz_materials(sim)[def->material].fixed);
	if (result != OZ_OK || !excess)
		return result;
	return oz_fail(error, OZ_ERROR_ARGUMENT, "%s has %s", where, excess);
}

bool oz_rigid_add_lead(oz_sim *sim, oz_rigid *r, const oz_addition *a)
{
	const oz_body *body = &oz_bodies(sim)[a->body];
	oz_rigid_body *b = &oz_rigid_bodies(r)[r->bodies.count - 1];
	if (body->keyframe_count == 0)
		return true;
	oz_rigid_lead *lead = oz_array_add(sim->heap, &r->leads);
	if (!lead)
		return false;
	memset(lead, 0, sizeof *lead);
	lead->number = r->bodies.count - 1;
	const oz_shape shape = {.position = body->keyframes[0].position,
	                        .rotation = body->keyframes[0].rotation};
	for (uint32_t i = 0; i < a->count; i++)
		lead->extent =
		        fmax(lead->extent, (double)oz_length(oz_sub(a->points[i], shape.position)));
	b->fixed = OZ_RIGID_LED;
	if (oz_poser_make(sim->heap, &shape, body->keyframes, body->keyframe_count, body->loop,
	                  &lead->way))
		return true;
	r->leads.count--;
	return false;
}

void oz_rigid_free_leads(oz_sim *sim, oz_rigid *r)
{
	for (uint32_t k = 0; k < r->leads.count; k++)
		oz_poser_free(sim->heap, &oz_rigid_leads(r)[k].way);
	oz_array_free(sim->heap, &r->leads);
}

// ---- motion ------------------------------------------------------------------------------------

// the product of two quaternions
static void multiply(const double a[4], const double b[4], double to[4])
{
	double u[3];
	oz_cross3d(a, b, u);
	for (int k = 0; k < 3; k++)
		to[k] = a[3] * b[k] + b[3] * a[k] + u[k];
	to[3] = a[3] * b[3] - oz_dot3d(a, b);
}

// a quaternion, or its inverse if `back`, in doubles and of unit length
static void widen(oz_quat q, bool back, double to[4])
{
	const double s = back ? -1 : 1;
	const double v[4] = {s * (double)q.x, s * (double)q.y, s * (double)q.z, (double)q.w};
	const double size = sqrt(oz_dot3d(v, v) + v[3] * v[3]);
	for (int k = 0; k < 4; k++)
		to[k] = v[k] / size;
}

// the centre and the rotation of the body at a time
static void pose_at(const oz_rigid_lead *lead, const oz_rigid_body *b, double time, double place[3],
                    double rotation[4])
{
	const oz_shape pose = oz_pose_at(&lead->way, time);
	const oz_vec3 p = pose.position, p0 = lead->way.shape.position;
	const double arm[3] = {b->origin[0] - (double)p0.x, b->origin[1] - (double)p0.y,
	                       b->origin[2] - (double)p0.z};
	double q[4], back[4];
	widen(pose.rotation, false, q);
	widen(lead->way.shape.rotation, true, back);
	multiply(q, back, rotation);
	oz_rotate3d(rotation, arm, false, place);
	place[0] += (double)p.x;
	place[1] += (double)p.y;
	place[2] += (double)p.z;
}

// the angular velocity that rotates by q in the time dt, on the shorter way
static void spin_of(const double q[4], double dt, double spin[3])
{
	const double sine = sqrt(oz_dot3d(q, q)), side = q[3] < 0 ? -1 : 1;
	const double angle = 2 * atan2(sine, side * q[3]);
	for (int k = 0; k < 3; k++)
		spin[k] = sine > 0 ? side * q[k] / sine * angle / dt : 0;
}

// the angular momentum at an angular velocity: R I R^T Ω
static void momentum_of(const oz_rigid_body *b, const double spin[3], double momentum[3])
{
	const double *I = b->inertia;
	double u[3];
	oz_rotate3d(b->rotation, spin, true, u);
	const double Iu[3] = {I[0] * u[0] + I[3] * u[1] + I[4] * u[2],
	                      I[3] * u[0] + I[1] * u[1] + I[5] * u[2],
	                      I[4] * u[0] + I[5] * u[1] + I[2] * u[2]};
	oz_rotate3d(b->rotation, Iu, false, momentum);
}

void oz_rigid_lead_bodies(const oz_sim *sim, const oz_rigid *r)
{
	const double dt = (double)sim->time_step;
	for (uint32_t k = 0; k < r->leads.count; k++) {
		oz_rigid_lead *lead = &oz_rigid_leads(r)[k];
		oz_rigid_body *b = &oz_rigid_bodies(r)[lead->number];
		const double back[4] = {-b->rotation[0], -b->rotation[1], -b->rotation[2],
		                        b->rotation[3]};
		double rotation[4], spin[3];
		pose_at(lead, b, sim->time + dt, lead->place, lead->rotation);
		multiply(lead->rotation, back, rotation);
		spin_of(rotation, dt, spin);
		for (int c = 0; c < 3; c++)
			b->velocity[c] = (lead->place[c] - b->place[c]) / dt;
		momentum_of(b, spin, b->angular_momentum);
	}
}

void oz_rigid_place_led(const oz_rigid *r)
{
	for (uint32_t k = 0; k < r->leads.count; k++) {
		const oz_rigid_lead *lead = &oz_rigid_leads(r)[k];
		oz_rigid_body *b = &oz_rigid_bodies(r)[lead->number];
		double spin[3];
		oz_rigid_find_spin(b, b->angular_momentum, spin);
		memcpy(b->place, lead->place, sizeof b->place);
		memcpy(b->rotation, lead->rotation, sizeof b->rotation);
		// the angular velocity of the step, in the new pose
		momentum_of(b, spin, b->angular_momentum);
	}
}

oz_result oz_rigid_move(oz_sim *sim, oz_id body, const oz_goal *goal, oz_error *error)
{
	const oz_rigid *r = oz_model_state(sim, &oz_rigid_model);
	oz_motion_rules rules = oz_motion_rules_of(sim);
	char where[OZ_NAME_SIZE + 16];
	for (uint32_t k = 0; k < r->leads.count; k++) {
		oz_rigid_lead *lead = &oz_rigid_leads(r)[k];
		if (oz_rigid_bodies(r)[lead->number].body != body)
			continue;
		rules.extent = lead->extent;
		snprintf(where, sizeof where, "body '%s'", oz_bodies(sim)[body].name);
		return oz_poser_move(sim->heap, &lead->way, goal, &rules, where,
		                     "pass a later time", error);
	}
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "body '%s' is not led by keyframes; add it with at least one",
	               oz_bodies(sim)[body].name);
}

// ---- snapshots ---------------------------------------------------------------------------------

void oz_rigid_save_leads(const oz_rigid *r, oz_section *s)
{
	oz_section_put(s, &r->leads.count, sizeof r->leads.count);
	for (uint32_t k = 0; k < r->leads.count; k++) {
		const oz_rigid_lead *lead = &oz_rigid_leads(r)[k];
		const oz_poser *way = &lead->way;
		const oz_collider_def def = {.loop = way->loop};
		oz_section_put(s, &lead->number, sizeof lead->number);
		oz_section_put(s, &lead->extent, sizeof lead->extent);
		oz_section_put_params(s, OZ_PARAMS_COLLIDER, &def);
		oz_section_put_params(s, OZ_PARAMS_SHAPE, &way->shape);
		oz_section_put(s, &way->keyframe_count, sizeof way->keyframe_count);
		for (uint32_t f = 0; f < way->keyframe_count; f++)
			oz_section_put_params(s, OZ_PARAMS_KEYFRAME, &way->keyframes[f]);
		oz_poser_save_lead(way, s);
	}
}

static oz_result load_lead(oz_sim *sim, oz_rigid *r, oz_section *s, oz_error *error)
{
	char name[64];
	oz_rigid_lead lead = {0};
	oz_collider_def def = {0};
	oz_shape shape = {0};
	oz_keyframe *frames = NULL;
	uint32_t count = 0;
	oz_section_get(s, &lead.number, sizeof lead.number);
	oz_section_get(s, &lead.extent, sizeof lead.extent);
	if (!oz_section_get_params(s, OZ_PARAMS_COLLIDER, &def, name) ||
	    !oz_section_get_params(s, OZ_PARAMS_SHAPE, &shape, name))
		return oz_section_fail_unknown(name, error);
	oz_result result = oz_section_get_keyframes(s, &frames, &count, error);
	if (result == OZ_OK)
		result = oz_keyframes_check(frames, count, "a rigid body", error);
	if (result == OZ_OK)
		result = oz_params_check(OZ_PARAMS_SHAPE, &shape, "a rigid body", error);
	oz_rigid_lead *added = result == OZ_OK ? oz_array_add(sim->heap, &r->leads) : NULL;
	if (added) {
		*added = lead;
		if (!oz_poser_make(sim->heap, &shape, frames, count, def.loop, &added->way)) {
			r->leads.count--;
			added = NULL;
		} else {
			// as it was saved, not normalized again
			added->way.shape.rotation = shape.rotation;
		}
	}
	if (result == OZ_OK && !added)
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for rigid bodies; close other programs");
	oz_heap_free(s->heap, frames, sizeof *frames * count);
	return result == OZ_OK ? oz_poser_load_lead(sim->heap, &added->way, s, error) : result;
}

oz_result oz_rigid_load_leads(oz_sim *sim, oz_rigid *r, oz_section *s, oz_error *error)
{
	oz_result result = OZ_OK;
	// files of format 9 end here
	const uint32_t count = s->at < s->size ? oz_section_get_count(s) : 0;
	for (uint32_t k = 0; k < count && result == OZ_OK && !s->failed; k++)
		result = load_lead(sim, r, s, error);
	return result;
}

const char *oz_rigid_check_leads(const oz_rigid *r)
{
	uint32_t led = 0;
	for (uint32_t k = 0; k < r->bodies.count; k++)
		led += oz_rigid_bodies(r)[k].fixed == OZ_RIGID_LED;
	for (uint32_t k = 0; k < r->leads.count; k++) {
		const oz_rigid_lead *lead = &oz_rigid_leads(r)[k];
		if (lead->number >= r->bodies.count ||
		    oz_rigid_bodies(r)[lead->number].fixed != OZ_RIGID_LED ||
		    (k && lead->number <= lead[-1].number) || !isfinite(lead->extent))
			return "the motion of a rigid body belongs to none";
	}
	return led == r->leads.count ? NULL : "a rigid body that is led has no motion";
}
