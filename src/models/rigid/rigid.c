// rigid.c: rigid bodies: their state, and its integration on the host.
//
// A step sums the accelerations of a body's particles twice: all forces before the incompressible
// pressure is solved, and in each round of that solver those by the change of pressure. So pressure
// sees the mass and inertia of the whole body. After the move it sums what walls have changed.
//
// Leapfrog: with R at the beginning of the step, the angular momentum is that of mid-step,
// Ω = (R I R^T)⁻¹ L, and R ends as exp(Δt Ω) R.
#include "models/rigid/rigid.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

#include "models/rigid/rigid.cl"

static const oz_field_row field_rows[] = {
#define RIGID_ROW(...) OZ_FIELD_ROW(oz_rigid, "rigid.", __VA_ARGS__)
        OZ_RIGID_FIELDS(RIGID_ROW)};

#define bodies_of(r) ((oz_rigid_body *)(r)->bodies.items)
#define steps_of(r)  ((oz_rigid_step *)(r)->steps.items)

// ---- vectors of doubles ------------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double to[3])
{
	to[0] = a[1] * b[2] - a[2] * b[1];
	to[1] = a[2] * b[0] - a[0] * b[2];
	to[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// to += a s
static void add(double to[3], const double a[3], double s)
{
	for (int k = 0; k < 3; k++)
		to[k] += s * a[k];
}

// rotates v by a unit quaternion, or back
static void rotate(const double q[4], const double v[3], bool back, double to[3])
{
	const double s = back ? -1 : 1, u[3] = {s * q[0], s * q[1], s * q[2]};
	double t[3], ut[3];
	cross(u, v, t);
	for (int k = 0; k < 3; k++)
		t[k] *= 2;
	cross(u, t, ut);
	for (int k = 0; k < 3; k++)
		to[k] = v[k] + q[3] * t[k] + ut[k];
}

// solves I x = b for a symmetric positive matrix xx yy zz xy xz yz
static void solve(const double I[6], const double b[3], double x[3])
{
	const double r0[3] = {I[0], I[3], I[4]}, r1[3] = {I[3], I[1], I[5]},
	             r2[3] = {I[4], I[5], I[2]};
	double a[3], c[3], d[3];
	cross(r1, r2, a);
	cross(r2, r0, c);
	cross(r0, r1, d);
	const double det = dot(r0, a);
	for (int k = 0; k < 3; k++)
		x[k] = det > 0 ? (a[k] * b[0] + c[k] * b[1] + d[k] * b[2]) / det : 0;
}

// (R I R^T)⁻¹ L
static void spin_of(const oz_rigid_body *b, const double momentum[3], double spin[3])
{
	double inner[3], turned[3];
	rotate(b->rotation, momentum, true, inner);
	solve(b->inertia, inner, turned);
	rotate(b->rotation, turned, false, spin);
}

// q = exp(Δt Ω) q
static void turn(double q[4], const double spin[3], double dt)
{
	const double angle = sqrt(dot(spin, spin)) * dt;
	const double s = angle > 1e-12 ? sin(0.5 * angle) / angle * dt : 0.5 * dt;
	const double u[3] = {s * spin[0], s * spin[1], s * spin[2]}, w = cos(0.5 * angle);
	const double v[3] = {q[0], q[1], q[2]};
	double uv[3];
	cross(u, v, uv);
	double to[4] = {w * v[0] + q[3] * u[0] + uv[0], w * v[1] + q[3] * u[1] + uv[1],
	                w * v[2] + q[3] * u[2] + uv[2], w * q[3] - dot(u, v)};
	const double size = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + to[3] * to[3]);
	for (int k = 0; k < 4; k++)
		q[k] = to[k] / size;
}

// ---- material and bodies -----------------------------------------------------------------------

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	m->alpha = 0;
	m->rest_reach = sim->solid.h;
	m->firm = OZ_FIRM_RIGID;
	m->friction = def->friction;
}

// the centre of the points, and the inertia: each particle is a cube of one spacing
static void find_inertia(oz_rigid_body *b, const oz_vec3 *points, double spacing)
{
	const double own = b->count * spacing * spacing / 6;
	for (uint32_t i = 0; i < b->count; i++) {
		const double x[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
		add(b->origin, x, 1.0 / b->count);
	}
	memcpy(b->place, b->origin, sizeof b->place);
	for (int k = 0; k < 3; k++)
		b->inertia[k] = own;
	for (uint32_t i = 0; i < b->count; i++) {
		const double x = (double)points[i].x - b->origin[0],
		             y = (double)points[i].y - b->origin[1],
		             z = (double)points[i].z - b->origin[2];
		const double more[6] = {y * y + z * z, x * x + z * z, x * x + y * y,
		                        -x * y,        -x * z,        -y * z};
		for (int k = 0; k < 6; k++)
			b->inertia[k] += more[k];
	}
}

// the motion that fits the velocities of the particles best; velocities are of mid-step
static void find_motion(const oz_sim *sim, oz_rigid_body *b, const oz_addition *a)
{
	const double half = 0.5 * (double)sim->last_step.time_step;
	const double g[3] = {(double)sim->def.gravity.x, (double)sim->def.gravity.y,
	                     (double)sim->def.gravity.z};
	double momentum[3] = {0}, points[6], spin[3];
	for (uint32_t i = 0; i < a->count; i++) {
		const oz_vec3 p = a->points[i], u = a->velocities[i];
		const double v[3] = {(double)u.x, (double)u.y, (double)u.z};
		const double r[3] = {(double)p.x - b->place[0], (double)p.y - b->place[1],
		                     (double)p.z - b->place[2]};
		double rv[3];
		cross(r, v, rv);
		add(b->velocity, v, 1.0 / a->count);
		add(momentum, rv, 1);
	}
	add(b->velocity, g, -half);
	// of the points alone; a little more, so that a row of particles can be solved
	const double own =
	        0.999 * a->count * (double)sim->def.spacing * (double)sim->def.spacing / 6;
	for (int k = 0; k < 6; k++)
		points[k] = b->inertia[k] - (k < 3 ? own : 0);
	solve(points, momentum, spin);
	const double *I = b->inertia;
	b->angular_momentum[0] = I[0] * spin[0] + I[3] * spin[1] + I[4] * spin[2];
	b->angular_momentum[1] = I[3] * spin[0] + I[1] * spin[1] + I[5] * spin[2];
	b->angular_momentum[2] = I[4] * spin[0] + I[5] * spin[1] + I[2] * spin[2];
}

#define WRITTEN 1024u // numbers in one write to the device

static void write_numbers(oz_sim *sim, const oz_rigid *r, const oz_addition *a)
{
	uint numbers[WRITTEN];
	for (uint32_t k = 0; k < WRITTEN; k++)
		numbers[k] = r->bodies.count;
	for (uint32_t done = 0; done < a->count; done += WRITTEN) {
		const uint32_t some = a->count - done < WRITTEN ? a->count - done : WRITTEN;
		sim->device->ops->write(sim->device, r->number, sizeof *numbers * (a->slot + done),
		                        numbers, sizeof *numbers * some);
	}
}

static void added(oz_sim *sim, void *state, const oz_addition *a)
{
	oz_rigid *r = state;
	const oz_material_def *def = oz_material_of(sim, a->body);
	if (def->model != OZ_RIGID || a->count == 0)
		return;
	oz_rigid_body *b = oz_array_add(sim->heap, &r->bodies);
	oz_rigid_step *s = b ? oz_array_add(sim->heap, &r->steps) : NULL;
	if (!s) {
		r->bodies.count -= b != NULL;
		r->failed = true;
		return;
	}
	memset(s, 0, sizeof *s);
	*b = (oz_rigid_body){.rotation = {0, 0, 0, 1},
	                     .mass = (double)oz_particle_mass(sim,
	                                                      oz_bodies(sim)[a->body].material),
	                     .body = a->body,
	                     .count = a->count,
	                     .fixed = def->fixed};
	find_inertia(b, a->points, (double)sim->def.spacing);
	find_motion(sim, b, a);
	write_numbers(sim, r, a);
}

const oz_rigid_body *oz_rigid_of(const oz_sim *sim, oz_id body)
{
	const oz_rigid *r = oz_model_state(sim, &oz_rigid_model);
	for (uint32_t k = 0; k < r->bodies.count; k++)
		if (bodies_of(r)[k].body == body)
			return &bodies_of(r)[k];
	return NULL;
}

// ---- memory ------------------------------------------------------------------------------------

static void open(oz_sim *sim, void *state)
{
	oz_rigid *r = state;
	(void)sim;
	r->bodies.size = sizeof(oz_rigid_body);
	r->steps.size = sizeof(oz_rigid_step);
}

static void release(oz_sim *sim, oz_rigid *r)
{
	oz_device *d = sim->device;
	d->ops->release(d, r->motion, sizeof *r->motion * r->capacity);
	d->ops->release(d, r->sums, sizeof *r->sums * r->capacity);
	r->motion = NULL;
	r->sums = NULL;
	r->capacity = 0;
}

static void close(oz_sim *sim, void *state)
{
	oz_rigid *r = state;
	if (sim->device)
		release(sim, r);
	oz_array_free(sim->heap, &r->bodies);
	oz_array_free(sim->heap, &r->steps);
}

static oz_result reserve(oz_sim *sim, void *state, oz_error *error)
{
	oz_rigid *r = state;
	oz_device *d = sim->device;
	if (r->bodies.count > r->capacity) {
		const uint32_t wanted = r->bodies.count + r->bodies.count / 2;
		release(sim, r);
		r->motion = d->ops->alloc(d, sizeof *r->motion * wanted);
		r->sums = d->ops->alloc(d, sizeof *r->sums * wanted);
		r->capacity = wanted;
	}
	if (!r->failed && (r->bodies.count == 0 || (r->motion && r->sums)))
		return OZ_OK;
	release(sim, r);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for %u rigid bodies; use fewer of them", r->bodies.count);
}

// ---- the step ----------------------------------------------------------------------------------

static oz_vec3 to_floats(const double v[3])
{
	return oz_v3((float)v[0], (float)v[1], (float)v[2]);
}

// The mobility of a particle is that with which the particles of a face of the body move when
// pressure acts on all of them: the solver changes the pressures of all particles at once.
#define FACE 2.0

static double mobility_of(const oz_rigid_body *b)
{
	return b->fixed ? 0 : fmin(FACE / cbrt(b->count), 1);
}

// writes the pose and a motion of each body to the device; `motions`: linear and angular
typedef void motion_of(const oz_rigid_body *b, const oz_rigid_step *s, double linear[3],
                       double angular[3]);

static void write_motion(oz_sim *sim, const oz_rigid *r, motion_of *motion)
{
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		const oz_rigid_body *b = &bodies_of(r)[k];
		double linear[3] = {0}, angular[3] = {0};
		if (!b->fixed)
			motion(b, &steps_of(r)[k], linear, angular);
		const oz_rigid_motion m = {.rotation = {(float)b->rotation[0],
		                                        (float)b->rotation[1],
		                                        (float)b->rotation[2],
		                                        (float)b->rotation[3]},
		                           .origin = to_floats(b->origin),
		                           .place = to_floats(b->place),
		                           .linear = to_floats(linear),
		                           .angular = to_floats(angular),
		                           .mobility = (float)mobility_of(b)};
		sim->device->ops->write(sim->device, r->motion, sizeof m * k, &m, sizeof m);
	}
}

// the velocities of the last step
static void last_motion(const oz_rigid_body *b, const oz_rigid_step *s, double linear[3],
                        double angular[3])
{
	(void)s;
	memcpy(linear, b->velocity, sizeof b->velocity);
	spin_of(b, b->angular_momentum, angular);
}

// the velocities with all forces but the change of pressure
static void forced_motion(const oz_rigid_body *b, const oz_rigid_step *s, double linear[3],
                          double angular[3])
{
	memcpy(linear, s->velocity, sizeof s->velocity);
	spin_of(b, s->angular_momentum, angular);
}

// the accelerations by the change of pressure
static void pressed_motion(const oz_rigid_body *b, const oz_rigid_step *s, double linear[3],
                           double angular[3])
{
	memcpy(linear, s->pressure, sizeof s->pressure);
	spin_of(b, s->pressure_torque, angular);
}

// sums vectors of particles on the device; the sums lie in sim->device's memory
static void launch_sum(oz_sim *sim, const oz_rigid *r, const oz_float4 *vector, uint relative)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	d->ops->clear(d, r->sums, sizeof *r->sums * r->bodies.count);
	OZ_LAUNCH(d, rigid_sum, oz_batch_items(s->count, d->stride), .number = r->number,
	          .rest = s->rest, .particle_of_slot = s->particle_of_slot, .vector = vector,
	          .motion = r->motion, .sums = r->sums, .slots = s->count, .stride = d->stride,
	          .inv_spacing = 1 / sim->def.spacing, .relative = relative);
}

// reads the mean of the vectors of body k, and the sum of r × vector
static void read_sums(oz_sim *sim, const oz_rigid *r, uint32_t k, double mean[3], double torque[3])
{
	const oz_rigid_body *b = &bodies_of(r)[k];
	const double unit = (double)sim->def.spacing / (double)OZ_RIGID_TORQUE;
	oz_rigid_sums sums;
	sim->device->ops->read(sim->device, &sums, r->sums, sizeof sums * k, sizeof sums);
	for (int c = 0; c < 3; c++) {
		mean[c] = (double)(oz_i64)oz_sum_get(sums.linear[c]) / (double)OZ_RIGID_LINEAR /
		          b->count;
		torque[c] = (double)(oz_i64)oz_sum_get(sums.torque[c]) * unit;
	}
}

// OZ_PASS_RIGID: makes the accelerations of all forces those of rigid bodies
static oz_result bind(oz_sim *sim, void *state, oz_error *error)
{
	const oz_rigid *r = state;
	const double kick = (double)oz_kick(sim);
	if (r->bodies.count == 0)
		return OZ_OK;
	write_motion(sim, r, last_motion);
	launch_sum(sim, r, sim->particles.acceleration, 0);
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		const oz_rigid_body *b = &bodies_of(r)[k];
		oz_rigid_step *s = &steps_of(r)[k];
		double mean[3], torque[3];
		memset(s, 0, sizeof *s);
		read_sums(sim, r, k, mean, torque);
		memcpy(s->velocity, b->velocity, sizeof s->velocity);
		memcpy(s->angular_momentum, b->angular_momentum, sizeof s->angular_momentum);
		add(s->velocity, mean, kick);
		add(s->angular_momentum, torque, kick);
	}
	write_motion(sim, r, forced_motion);
	OZ_LAUNCH(sim->device, rigid_accelerate, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->motion, .velocity = sim->particles.velocity,
	          .acceleration = sim->particles.acceleration, .kick = (float)kick);
	return oz_device_check(sim->device, error);
}

static void fix(oz_sim *sim, const void *state, oz_float4 *guess)
{
	const oz_rigid *r = state;
	if (r->bodies.count)
		OZ_LAUNCH(sim->device, rigid_fix, sim->slots->count, .number = r->number,
		          .particle_of_slot = sim->slots->particle_of_slot, .motion = r->motion,
		          .guess = guess);
}

// `acceleration` holds forces times the mobility of the guess
static void project(oz_sim *sim, const void *state, oz_float4 *acceleration)
{
	const oz_rigid *r = state;
	if (r->bodies.count == 0)
		return;
	launch_sum(sim, r, acceleration, 0);
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		oz_rigid_step *s = &steps_of(r)[k];
		const double mobility = mobility_of(&bodies_of(r)[k]);
		read_sums(sim, r, k, s->pressure, s->pressure_torque);
		for (int c = 0; c < 3; c++) {
			s->pressure[c] *= mobility > 0 ? 1 / mobility : 0;
			s->pressure_torque[c] *= mobility > 0 ? 1 / mobility : 0;
		}
	}
	write_motion(sim, r, pressed_motion);
	OZ_LAUNCH(sim->device, rigid_spread, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->motion, .vector = acceleration);
}

// advances a body from its velocities with all forces and walls
static void advance(oz_sim *sim, oz_rigid_body *b, const oz_rigid_step *s)
{
	const double kick = (double)oz_kick(sim), dt = (double)sim->time_step;
	const double mass = b->mass * b->count;
	double spin[3];
	for (int c = 0; c < 3; c++) {
		b->force[c] = mass * (s->velocity[c] - b->velocity[c]) / kick;
		b->torque[c] = b->mass * (s->angular_momentum[c] - b->angular_momentum[c]) / kick;
	}
	if (b->fixed)
		return;
	memcpy(b->velocity, s->velocity, sizeof b->velocity);
	memcpy(b->angular_momentum, s->angular_momentum, sizeof b->angular_momentum);
	spin_of(b, b->angular_momentum, spin);
	add(b->place, b->velocity, dt);
	turn(b->rotation, spin, dt);
}

// OZ_PASS_MOVED: adds what walls have changed, and places the particles
static oz_result place(oz_sim *sim, void *state, oz_error *error)
{
	const oz_rigid *r = state;
	const oz_particles *p = &sim->particles;
	const double kick = (double)oz_kick(sim);
	if (r->bodies.count == 0)
		return OZ_OK;
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		oz_rigid_step *s = &steps_of(r)[k];
		add(s->velocity, s->pressure, kick);
		add(s->angular_momentum, s->pressure_torque, kick);
	}
	write_motion(sim, r, forced_motion);
	launch_sum(sim, r, p->velocity, 1);
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		oz_rigid_step *s = &steps_of(r)[k];
		double mean[3], torque[3];
		read_sums(sim, r, k, mean, torque);
		add(s->velocity, mean, 1);
		add(s->angular_momentum, torque, 1);
		advance(sim, &bodies_of(r)[k], s);
	}
	write_motion(sim, r, last_motion);
	OZ_LAUNCH(sim->device, rigid_place, sim->slots->count, .number = r->number,
	          .rest = sim->slots->rest, .particle_of_slot = sim->slots->particle_of_slot,
	          .motion = r->motion, .position = p->position, .velocity = p->velocity);
	return oz_device_check(sim->device, error);
}

// the host integrates the bodies
static uint32_t needs_host(const oz_sim *sim, const void *state)
{
	(void)sim;
	return ((const oz_rigid *)state)->bodies.count ? OZ_HOST_ALWAYS : 0;
}

// ---- snapshots ---------------------------------------------------------------------------------

static void save(const oz_sim *sim, const void *state, oz_section *s)
{
	const oz_rigid *r = state;
	(void)sim;
	oz_section_put(s, &r->bodies.count, sizeof r->bodies.count);
	oz_section_put(s, r->bodies.items, sizeof(oz_rigid_body) * r->bodies.count);
}

static oz_result load(oz_sim *sim, void *state, oz_section *s, oz_error *error)
{
	oz_rigid *r = state;
	uint32_t count = 0;
	oz_section_get(s, &count, sizeof count);
	for (uint32_t k = 0; k < count && !s->failed; k++) {
		oz_rigid_body *b = oz_array_add(sim->heap, &r->bodies);
		oz_rigid_step *step = b ? oz_array_add(sim->heap, &r->steps) : NULL;
		if (!step)
			return oz_fail(error, OZ_ERROR_MEMORY,
			               "out of memory for %u rigid bodies; close other programs",
			               count);
		memset(step, 0, sizeof *step);
		oz_section_get(s, b, sizeof *b);
	}
	return s->failed ? oz_section_fail_short("rigid bodies", error) : OZ_OK;
}

// a sentence if numbers of a loaded body are not finite, or its counts do not fit the world
static const char *check(oz_sim *sim, void *state)
{
	const oz_rigid *r = state;
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		const oz_rigid_body *b = &bodies_of(r)[k];
		const double *numbers = b->origin;
		for (size_t n = 0; n < offsetof(oz_rigid_body, body) / sizeof *numbers; n++)
			if (!isfinite(numbers[n]))
				return "a rigid body has a number that is not finite";
		if (b->body >= sim->bodies.count || b->count == 0 || b->count > sim->slots->count ||
		    !(b->mass > 0))
			return "a rigid body does not fit the bodies of the world";
	}
	return NULL;
}

const oz_model_ops oz_rigid_model = {
        .word = "rigid",
        .model = OZ_RIGID,
        .state_size = sizeof(oz_rigid),
        .slot_rows = field_rows,
        .slot_row_count = sizeof field_rows / sizeof *field_rows,
        .open = open,
        .close = close,
        .matter = fill_matter,
        .added = added,
        .needs_host = needs_host,
        .pass = {[OZ_PASS_RESERVE] = reserve, [OZ_PASS_RIGID] = bind, [OZ_PASS_MOVED] = place},
        .bind = {.fix = fix, .project = project},
        .section = "rigid",
        .section_since = 9,
        .save = save,
        .load = load,
        .check = check,
};
