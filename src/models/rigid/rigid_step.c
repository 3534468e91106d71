// rigid_step.c: the motion of rigid bodies, integrated on the host.
//
// A step sums the accelerations of a body's particles: first those of all forces; then, in each
// round of the solver of the incompressible pressure, those by the change of pressure, so that
// pressure sees the mass and inertia of the whole body; then walls stop it (rigid_stop.cl), and
// friction on them acts (rigid_friction.cl); and after the move what walls have changed.
//
// Leapfrog: the angular momentum L is that of mid-step. The rotation begins at R, and ends as
// exp(Δt Ω') R, with the angular velocities of the beginning and of the middle of the step
//
//   Ω = (R I R^T)⁻¹ L,   R' = exp(½ Δt Ω) R,   Ω' = (R' I R'^T)⁻¹ L
//
// Ω alone would be of first order, and a body that tumbles would gain energy.
#include <math.h>
#include <string.h>

#include "boundary/boundary.h"
#include "math/vec.h"
#include "models/rigid/rigid.h"
#include "models/rigid/rigid_math.h"

#include "models/rigid/rigid.cl"
#include "models/rigid/rigid_friction.cl"
#include "models/rigid/rigid_stop.cl"

// ---- memory ------------------------------------------------------------------------------------

oz_result oz_rigid_done(oz_sim *sim, void *state, oz_error *error)
{
	oz_rigid_work *w = &((oz_rigid *)state)->work;
	(void)error;
	oz_scratch_give(&sim->scratch, w->normal);
	oz_scratch_give(&sim->scratch, w->wall_velocity);
	oz_scratch_give(&sim->scratch, w->touched);
	oz_scratch_give(&sim->scratch, w->friction_delta_v);
	oz_scratch_give(&sim->scratch, w->stop);
	oz_scratch_give(&sim->scratch, w->stopper);
	oz_scratch_give(&sim->scratch, w->missing);
	w->normal = w->wall_velocity = w->friction_delta_v = w->missing = NULL;
	w->touched = w->stopper = NULL;
	w->stop = NULL;
	return OZ_OK;
}

void oz_rigid_release(oz_sim *sim, oz_rigid *r)
{
	oz_device *d = sim->device;
	oz_rigid_work *w = &r->work;
	d->ops->release(d, w->motion, sizeof *w->motion * w->capacity);
	d->ops->release(d, w->sums, sizeof *w->sums * w->capacity);
	d->ops->release(d, w->contacts, sizeof *w->contacts * w->capacity);
	oz_heap_free(sim->heap, w->host_motion, sizeof *w->motion * w->capacity);
	oz_heap_free(sim->heap, w->host_sums, sizeof *w->sums * w->capacity);
	oz_heap_free(sim->heap, w->host_contacts, sizeof *w->contacts * w->capacity);
	*w = (oz_rigid_work){0};
}

// makes the lasting buffers large enough for all bodies; false: out of memory
static bool grow(oz_sim *sim, oz_rigid *r)
{
	oz_device *d = sim->device;
	oz_rigid_work *w = &r->work;
	if (r->bodies.count <= w->capacity)
		return true;
	const uint32_t wanted = r->bodies.count + r->bodies.count / 2;
	oz_rigid_release(sim, r);
	w->capacity = wanted;
	w->motion = d->ops->alloc(d, sizeof *w->motion * wanted);
	w->sums = d->ops->alloc(d, sizeof *w->sums * wanted);
	w->contacts = d->ops->alloc(d, sizeof *w->contacts * wanted);
	w->host_motion = oz_heap_alloc(sim->heap, sizeof *w->motion * wanted);
	w->host_sums = oz_heap_alloc(sim->heap, sizeof *w->sums * wanted);
	w->host_contacts = oz_heap_alloc(sim->heap, sizeof *w->contacts * wanted);
	return w->motion && w->sums && w->contacts && w->host_motion && w->host_sums &&
	       w->host_contacts;
}

// takes the scratch of stop
static bool take_stops(oz_sim *sim, oz_rigid_work *w)
{
	oz_scratch *s = &sim->scratch;
	const uint32_t most = sim->particles.capacity;
	return (w->stop = OZ_TAKE(s, float, "stops of rigid bodies", most)) &&
	       (w->stopper = OZ_TAKE(s, uint, "walls that stop rigid bodies", most)) &&
	       (w->missing = OZ_TAKE(s, oz_float4, "velocities that stop rigid bodies", most));
}

oz_result oz_rigid_reserve(oz_sim *sim, void *state, oz_error *error)
{
	oz_rigid *r = state;
	oz_rigid_work *w = &r->work;
	if (r->bodies.count == 0 && !r->failed)
		return OZ_OK;
	bool all = !r->failed && grow(sim, r);
	all = all && (w->normal = oz_slots_take(sim, "contacts of rigid bodies"));
	all = all && (w->wall_velocity = oz_slots_take(sim, "velocities of walls"));
	all = all && (w->touched = OZ_TAKE(&sim->scratch, uint, "walls of rigid bodies",
	                                   sim->particles.capacity));
	all = all &&
	      (w->friction_delta_v = OZ_TAKE(&sim->scratch, oz_float4, "friction of rigid bodies",
	                                     sim->particles.capacity));
	if (sim->def.pressure == OZ_PRESSURE_EOS)
		all = all && take_stops(sim, w);
	if (all) {
		// of this step; find_contacts counts them
		memset(w->host_contacts, 0, sizeof *w->contacts * r->bodies.count);
		return OZ_OK;
	}
	oz_rigid_done(sim, state, NULL);
	oz_rigid_release(sim, r);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u rigid bodies; use fewer of them", r->bodies.count);
}

// ---- motion ------------------------------------------------------------------------------------

// whether it only rotates about an axis
static bool is_hinged(const oz_rigid_body *b)
{
	return oz_dot3d(b->axis, b->axis) > 0;
}

// (R I R^T)⁻¹ L; with an axis a, a (a·L)/(a·R I R^T a)
void oz_rigid_find_spin(const oz_rigid_body *b, const double momentum[3], double spin[3])
{
	double inner[3], solved[3];
	if (is_hinged(b)) {
		const double *I = b->inertia;
		double a[3];
		oz_rotate3d(b->rotation, b->axis, true, a);
		const double Ia[3] = {I[0] * a[0] + I[3] * a[1] + I[4] * a[2],
		                      I[3] * a[0] + I[1] * a[1] + I[5] * a[2],
		                      I[4] * a[0] + I[5] * a[1] + I[2] * a[2]};
		for (int c = 0; c < 3; c++)
			spin[c] = b->axis[c] * oz_dot3d(b->axis, momentum) / oz_dot3d(a, Ia);
		return;
	}
	oz_rotate3d(b->rotation, momentum, true, inner);
	oz_solve3d(b->inertia, inner, solved);
	oz_rotate3d(b->rotation, solved, false, spin);
}

static oz_vec3 to_floats(const double v[3])
{
	return oz_v3((float)v[0], (float)v[1], (float)v[2]);
}

// The solver of the pressure changes the pressures of all particles at once, and estimates the
// motion of a particle by its mobility. The particles of a rigid body move together: if pressure
// acts on one face of n^(2/3) of its n particles, the body moves with n^(-1/3) of the acceleration
// of a free particle. The factor is FACE times that, at most 1.
#define FACE 2.0

// the factor on the mobility of a body's particles
static double mobility_of(const oz_rigid_body *b)
{
	return b->fixed ? 0 : fmin(FACE / cbrt(b->count), 1);
}

// With a gain of 1 × particles/contacts a round would remove a sliding velocity that is the same at
// all contacts. It is chosen smaller, since an impulse also rotates the body, which moves its
// contacts more.
#define GAIN 0.3

// in one round of friction: the change of velocity of a particle in contact, over its sliding
// velocity; the change moves the whole body, so it is multiplied by particles/contacts
static double friction_gain_of(const oz_rigid_body *b, uint contacts)
{
	return contacts ? GAIN * b->count / contacts : 0;
}

// which motion of bodies is written for kernels
typedef enum motion_kind {
	MOTION_LAST,    // velocities after the last move
	MOTION_FORCED,  // velocities with the forces of this step so far
	MOTION_PRESSURE // accelerations by the change of pressure
} motion_kind;

// the record of body k for kernels
static oz_rigid_motion motion_of(const oz_rigid *r, uint32_t k, motion_kind kind)
{
	const oz_rigid_body *b = &oz_rigid_bodies(r)[k];
	const oz_rigid_step *s = &oz_rigid_steps(r)[k];
	const double none[3] = {0, 0, 0};
	const bool led = b->fixed == OZ_RIGID_LED;
	const double *linear = kind == MOTION_LAST || led ? b->velocity
	                       : kind == MOTION_FORCED    ? s->velocity
	                                                  : s->pressure;
	const double *momentum = kind == MOTION_LAST || led ? b->angular_momentum
	                         : kind == MOTION_FORCED    ? s->angular_momentum
	                                                    : s->pressure_torque;
	const bool still = b->fixed == OZ_RIGID_FIXED || (led && kind == MOTION_PRESSURE);
	double spin[3];
	oz_rigid_find_spin(b, still ? none : momentum, spin);
	return (oz_rigid_motion){.rotation = {(float)b->rotation[0], (float)b->rotation[1],
	                                      (float)b->rotation[2], (float)b->rotation[3]},
	                         .origin = to_floats(b->origin),
	                         .place = to_floats(b->place),
	                         .linear = to_floats(still || is_hinged(b) ? none : linear),
	                         .angular = to_floats(spin),
	                         .mobility = (float)mobility_of(b),
	                         .friction_gain =
	                                 (float)friction_gain_of(b, r->work.host_contacts[k]),
	                         .stop_gain = (float)s->stop_gain};
}

// writes the pose and a motion of each body to the device
static void write_motion(oz_sim *sim, const oz_rigid *r, motion_kind kind)
{
	for (uint32_t k = 0; k < r->bodies.count; k++)
		r->work.host_motion[k] = motion_of(r, k, kind);
	sim->device->ops->write(sim->device, r->work.motion, 0, r->work.host_motion,
	                        sizeof *r->work.motion * r->bodies.count);
}

#define SUM_MOST 4.6e18f // quanta of all particles together; half of what a sum holds

// Sums vectors of particles over each body, for get_sums. `relative` is 1: the motion that was
// written last is subtracted from them. `unit`: the kick (s) if they are accelerations, 1 if they
// are velocities. Sums are of velocities, m/s, as accelerations can be too large for them: up to
// 1e7 m/s² in impacts at 100 m/s.
static void sum_vectors(oz_sim *sim, const oz_rigid *r, const oz_float4 *vector, uint relative,
                        float unit)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const size_t size = sizeof *r->work.sums * r->bodies.count;
	d->ops->clear(d, r->work.sums, size);
	OZ_LAUNCH(d, rigid_sum, oz_batch_items(s->count, d->stride), .number = r->number,
	          .rest = s->rest, .particle_of_slot = s->particle_of_slot, .vector = vector,
	          .motion = r->work.motion, .sums = r->work.sums, .slots = s->count,
	          .stride = d->stride, .inv_spacing = 1 / sim->def.spacing, .relative = relative,
	          .unit = unit, .most = SUM_MOST / (float)s->count);
	d->ops->read(d, r->work.host_sums, r->work.sums, 0, size);
}

// the mean of the vectors that sum_vectors summed over body k, and the sum of r × vector, each
// times `factor`
static void get_sums(const oz_sim *sim, const oz_rigid *r, uint32_t k, double factor,
                     double mean[3], double torque[3])
{
	const oz_rigid_sums *sums = &r->work.host_sums[k];
	const double linear = factor / (double)OZ_RIGID_LINEAR / oz_rigid_bodies(r)[k].count;
	const double angular = factor * (double)sim->def.spacing / (double)OZ_RIGID_TORQUE;
	for (int c = 0; c < 3; c++) {
		mean[c] = linear * (double)(oz_i64)oz_sum_get(sums->linear[c]);
		torque[c] = angular * (double)(oz_i64)oz_sum_get(sums->torque[c]);
	}
}

// adds the sums to the velocities and angular momenta of all bodies in this step
static void add_sums(const oz_sim *sim, const oz_rigid *r)
{
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		oz_rigid_step *s = &oz_rigid_steps(r)[k];
		double mean[3], torque[3];
		get_sums(sim, r, k, 1, mean, torque);
		oz_add3d(s->velocity, mean, 1);
		oz_add3d(s->angular_momentum, torque, 1);
	}
}

// writes the accelerations by which particles get the velocities of their bodies
static void accelerate(oz_sim *sim, const oz_rigid *r)
{
	write_motion(sim, r, MOTION_FORCED);
	OZ_LAUNCH(sim->device, rigid_accelerate, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->work.motion, .velocity = sim->particles.velocity,
	          .acceleration = sim->particles.acceleration, .kick = oz_kick(sim));
}

// ---- the step ----------------------------------------------------------------------------------

oz_result oz_rigid_bind(oz_sim *sim, void *state, oz_error *error)
{
	const oz_rigid *r = state;
	if (r->bodies.count == 0)
		return OZ_OK;
	oz_rigid_lead_bodies(sim, r);
	write_motion(sim, r, MOTION_LAST);
	sum_vectors(sim, r, sim->particles.acceleration, 0, oz_kick(sim));
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		const oz_rigid_body *b = &oz_rigid_bodies(r)[k];
		oz_rigid_step *s = &oz_rigid_steps(r)[k];
		memset(s, 0, sizeof *s);
		memcpy(s->velocity, b->velocity, sizeof s->velocity);
		memcpy(s->angular_momentum, b->angular_momentum, sizeof s->angular_momentum);
	}
	add_sums(sim, r);
	accelerate(sim, r);
	return oz_device_check(sim->device, error);
}

void oz_rigid_fix(oz_sim *sim, const void *state, oz_float4 *guess)
{
	const oz_rigid *r = state;
	if (r->bodies.count)
		OZ_LAUNCH(sim->device, rigid_fix, sim->slots->count, .number = r->number,
		          .particle_of_slot = sim->slots->particle_of_slot,
		          .motion = r->work.motion, .guess = guess);
}

// Replaces vectors of particles by those of the motions of their bodies. The vectors are divided by
// the mobility of their body if they are `scaled` by it. `unit` as in sum_vectors.
static void project(oz_sim *sim, const oz_rigid *r, oz_float4 *vector, bool scaled, float unit)
{
	sum_vectors(sim, r, vector, 0, unit);
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		const oz_rigid_body *b = &oz_rigid_bodies(r)[k];
		oz_rigid_step *s = &oz_rigid_steps(r)[k];
		const double mobility = scaled || b->fixed ? mobility_of(b) : 1;
		get_sums(sim, r, k, mobility > 0 ? 1 / (mobility * (double)unit) : 0, s->pressure,
		         s->pressure_torque);
	}
	write_motion(sim, r, MOTION_PRESSURE);
	OZ_LAUNCH(sim->device, rigid_spread, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->work.motion, .vector = vector);
}

void oz_rigid_project(oz_sim *sim, const void *state, oz_float4 *acceleration)
{
	const oz_rigid *r = state;
	if (r->bodies.count)
		project(sim, r, acceleration, true, oz_kick(sim));
}

void oz_rigid_join(oz_sim *sim, const void *state, oz_float4 *acceleration)
{
	const oz_rigid *r = state;
	if (r->bodies.count == 0)
		return;
	write_motion(sim, r, MOTION_LAST);
	project(sim, r, acceleration, false, oz_kick(sim));
}

#define STOP_ROUNDS 20u

// Adds the impulses g w n of a round of rigid_stop.cl to the motion of body k, and writes g.
// Returns whether there are any.
static bool push(const oz_sim *sim, const oz_rigid *r, uint32_t k)
{
	const oz_rigid_body *b = &oz_rigid_bodies(r)[k];
	oz_rigid_step *s = &oz_rigid_steps(r)[k];
	const double square =
	        (double)oz_sum_get(r->work.host_sums[k].square) / (double)OZ_RIGID_SQUARE;
	double mean[3], torque[3], spin[3];
	get_sums(sim, r, k, 1, mean, torque);
	oz_rigid_find_spin(b, torque, spin);
	const double linear = is_hinged(b) ? 0 : b->count * oz_dot3d(mean, mean);
	const double answer = linear + oz_dot3d(spin, torque);
	s->stop_gain = square > 0 && answer > 0 ? square / answer : 0;
	oz_add3d(s->velocity, mean, s->stop_gain);
	oz_add3d(s->angular_momentum, torque, s->stop_gain);
	return s->stop_gain > 0;
}

static void launch_stop(oz_sim *sim, const oz_rigid *r, bool first)
{
	const oz_boundary *b = sim->boundary;
	const oz_particles *p = &sim->particles;
	write_motion(sim, r, MOTION_FORCED);
	OZ_LAUNCH(sim->device, rigid_stop, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->work.motion, .position = p->position,
	          .wall_clearance = p->wall_clearance, .material = p->material,
	          .matter = sim->matter, .collider = b->collider, .table = b->wall_table,
	          .places = OZ_OPTIONAL(b->sdfs.places), .nearest = OZ_OPTIONAL(b->sdfs.nearest),
	          .wall_nodes = OZ_OPTIONAL(b->sdfs.wall_nodes),
	          .reactions = OZ_OPTIONAL(b->reactions), .stop = r->work.stop,
	          .stopper = r->work.stopper, .missing = r->work.missing,
	          .rules = oz_wall_rules_of(b, sim), .first = first, .quanta = oz_load_quanta(sim),
	          .dt = sim->time_step);
}

// Walls stop bodies that would reach them in this step; returns whether there are any.
static bool stop_at_walls(oz_sim *sim, const oz_rigid *r)
{
	uint32_t round = 0;
	for (; round < STOP_ROUNDS; round++) {
		bool pushed = false;
		launch_stop(sim, r, round == 0);
		sum_vectors(sim, r, r->work.missing, 0, 1);
		for (uint32_t k = 0; k < r->bodies.count; k++)
			pushed = push(sim, r, k) || pushed;
		if (!pushed)
			return round > 0;
	}
	// the impulses of the last round
	launch_stop(sim, r, false);
	return true;
}

// finds the contacts with walls; returns whether there are any
static bool find_contacts(oz_sim *sim, const oz_rigid *r, bool stops)
{
	oz_device *d = sim->device;
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	const size_t size = sizeof *r->work.contacts * r->bodies.count;
	uint32_t found = 0;
	if (b->colliders.count == 0)
		return false;
	d->ops->clear(d, r->work.contacts, size);
	OZ_LAUNCH(d, rigid_touch, sim->slots->count, .number = r->number,
	          .particle_of_slot = sim->slots->particle_of_slot, .position = p->position,
	          .wall = p->wall, .material = p->material, .matter = sim->matter,
	          .collider = b->collider, .table = b->wall_table,
	          .places = OZ_OPTIONAL(b->sdfs.places), .nearest = OZ_OPTIONAL(b->sdfs.nearest),
	          .wall_nodes = OZ_OPTIONAL(b->sdfs.wall_nodes), .normal = r->work.normal,
	          .wall_velocity = r->work.wall_velocity, .touched = r->work.touched,
	          .contacts = r->work.contacts, .stop = OZ_OPTIONAL(r->work.stop),
	          .stopper = OZ_OPTIONAL(r->work.stopper), .rules = oz_wall_rules_of(b, sim),
	          .stops = stops, .kick = oz_kick(sim), .dt = sim->time_step);
	d->ops->read(d, r->work.host_contacts, r->work.contacts, 0, size);
	for (uint32_t k = 0; k < r->bodies.count; k++)
		found += r->work.host_contacts[k];
	return found > 0;
}

#define FRICTION_ROUNDS 10u

oz_result oz_rigid_hold(oz_sim *sim, void *state, oz_error *error)
{
	const oz_rigid *r = state;
	const oz_boundary *b = sim->boundary;
	if (r->bodies.count == 0)
		return OZ_OK;
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		oz_rigid_step *s = &oz_rigid_steps(r)[k];
		oz_add3d(s->velocity, s->pressure, (double)oz_kick(sim));
		oz_add3d(s->angular_momentum, s->pressure_torque, (double)oz_kick(sim));
	}
	const bool soft = sim->def.pressure == OZ_PRESSURE_EOS,
	           stops = soft && b->colliders.count && stop_at_walls(sim, r);
	const uint32_t rounds = find_contacts(sim, r, stops) ? FRICTION_ROUNDS : 0;
	for (uint32_t k = 0; k < rounds; k++) {
		write_motion(sim, r, MOTION_FORCED);
		OZ_LAUNCH(sim->device, rigid_grip, sim->slots->count, .number = r->number,
		          .rest = sim->slots->rest,
		          .particle_of_slot = sim->slots->particle_of_slot,
		          .motion = r->work.motion, .normal = r->work.normal,
		          .wall_velocity = r->work.wall_velocity, .touched = r->work.touched,
		          .position = sim->particles.position, .material = sim->particles.material,
		          .matter = sim->matter, .collider = b->collider,
		          .reactions = OZ_OPTIONAL(b->reactions), .quanta = oz_load_quanta(sim),
		          .dt = sim->time_step, .friction = r->friction,
		          .delta_v = r->work.friction_delta_v, .first = k == 0,
		          .damped = k == 0 && soft);
		sum_vectors(sim, r, r->work.friction_delta_v, 0, 1);
		add_sums(sim, r);
	}
	// friction may have turned them towards a wall
	if (stops)
		stop_at_walls(sim, r);
	accelerate(sim, r);
	return oz_device_check(sim->device, error);
}

// keeps only the rotation about the axis, if the body has one
static void hinge(const oz_rigid_body *b, oz_rigid_step *s)
{
	const double along = oz_dot3d(b->axis, s->angular_momentum);
	if (!is_hinged(b))
		return;
	for (int c = 0; c < 3; c++) {
		s->velocity[c] = 0;
		s->angular_momentum[c] = along * b->axis[c];
	}
}

// writes the force and torque on a body and, if it is free, its new velocities and pose
static void advance(const oz_sim *sim, oz_rigid_body *b, oz_rigid_step *s)
{
	const double kick = (double)oz_kick(sim), dt = (double)sim->time_step;
	const oz_vec3 g = sim->def.gravity;
	const double gravity[3] = {(double)g.x, (double)g.y, (double)g.z};
	oz_rigid_body middle;
	double spin[3];
	for (int c = 0; c < 3; c++) {
		const double pushed = (s->velocity[c] - b->velocity[c]) / kick - gravity[c];
		b->force[c] = b->mass * b->count * pushed;
		b->torque[c] = b->mass * (s->angular_momentum[c] - b->angular_momentum[c]) / kick;
	}
	if (b->fixed)
		return;
	hinge(b, s);
	memcpy(b->velocity, s->velocity, sizeof b->velocity);
	memcpy(b->angular_momentum, s->angular_momentum, sizeof b->angular_momentum);
	oz_rigid_find_spin(b, b->angular_momentum, spin);
	middle = *b;
	oz_turn3d(middle.rotation, spin, 0.5 * dt);
	oz_rigid_find_spin(&middle, b->angular_momentum, spin);
	oz_add3d(b->place, b->velocity, dt);
	oz_turn3d(b->rotation, spin, dt);
}

oz_result oz_rigid_place(oz_sim *sim, void *state, oz_error *error)
{
	const oz_rigid *r = state;
	const oz_particles *p = &sim->particles;
	if (r->bodies.count == 0)
		return OZ_OK;
	sum_vectors(sim, r, p->velocity, 1, 1);
	add_sums(sim, r);
	for (uint32_t k = 0; k < r->bodies.count; k++)
		advance(sim, &oz_rigid_bodies(r)[k], &oz_rigid_steps(r)[k]);
	oz_rigid_place_led(r);
	write_motion(sim, r, MOTION_LAST);
	OZ_LAUNCH(sim->device, rigid_place, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->work.motion, .position = p->position, .velocity = p->velocity);
	return oz_device_check(sim->device, error);
}
