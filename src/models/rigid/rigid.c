// rigid.c: the model of rigid bodies: material, bodies, snapshots; rigid_step.c moves them.
#include "models/rigid/rigid.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/elastic/elastic.h"
#include "models/rigid/rigid_math.h"

static const oz_field_row field_rows[] = {
#define RIGID_ROW(...) OZ_FIELD_ROW(oz_rigid, "rigid.", __VA_ARGS__)
        OZ_RIGID_FIELDS(RIGID_ROW)};

// ---- material and bodies -----------------------------------------------------------------------

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	m->alpha = 0;
	m->rest_reach = sim->solid.h;
	m->firm = OZ_FIRM_RIGID;
	m->friction = def->friction;
	m->flow.link.still = def->fixed;
}

static oz_result check_body_def(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	const oz_result result = oz_joints_check(sim, def, error);
	return result == OZ_OK ? oz_rigid_check_motion(sim, def, error) : result;
}

// the centre of the points, and the inertia: each particle is a cube of one spacing
static void find_inertia(oz_rigid_body *b, const oz_vec3 *points, double spacing)
{
	const double own = b->count * spacing * spacing / 6;
	for (uint32_t i = 0; i < b->count; i++) {
		const double x[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
		oz_add3d(b->origin, x, 1.0 / b->count);
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
		oz_cross3d(r, v, rv);
		oz_add3d(b->velocity, v, 1.0 / a->count);
		oz_add3d(momentum, rv, 1);
	}
	oz_add3d(b->velocity, g, -half);
	// of the points alone; a little more, so that a row of particles can be solved
	const double own =
	        0.999 * a->count * (double)sim->def.spacing * (double)sim->def.spacing / 6;
	for (int k = 0; k < 6; k++)
		points[k] = b->inertia[k] - (k < 3 ? own : 0);
	oz_solve3d(points, momentum, spin);
	const double *I = b->inertia;
	b->angular_momentum[0] = I[0] * spin[0] + I[3] * spin[1] + I[4] * spin[2];
	b->angular_momentum[1] = I[3] * spin[0] + I[1] * spin[1] + I[5] * spin[2];
	b->angular_momentum[2] = I[4] * spin[0] + I[5] * spin[1] + I[2] * spin[2];
}

static void find_axis(oz_rigid_body *b, oz_vec3 axis)
{
	const double a[3] = {(double)axis.x, (double)axis.y, (double)axis.z};
	const double size = sqrt(oz_dot3d(a, a));
	for (int c = 0; c < 3 && size > 0; c++)
		b->axis[c] = a[c] / size;
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

// adds a rigid body: its centre, inertia and motion
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
	find_axis(b, oz_bodies(sim)[a->body].axis);
	find_inertia(b, a->points, (double)sim->def.spacing);
	find_motion(sim, b, a);
	write_numbers(sim, r, a);
	r->failed = !oz_rigid_add_lead(sim, r, a) || r->failed;
}

static const oz_rigid_body *find(const oz_sim *sim, oz_id body)
{
	const oz_rigid *r = oz_model_state(sim, &oz_rigid_model);
	for (uint32_t k = 0; k < r->bodies.count; k++)
		if (oz_rigid_bodies(r)[k].body == body)
			return &oz_rigid_bodies(r)[k];
	return NULL;
}

bool oz_rigid_get(const oz_sim *sim, oz_id body, oz_rigid_state *state)
{
	const oz_rigid_body *b = find(sim, body);
	if (!b)
		return false;
	*state = (oz_rigid_state){.mass = b->mass * b->count};
	memcpy(state->position, b->place, sizeof b->place);
	memcpy(state->rotation, b->rotation, sizeof b->rotation);
	memcpy(state->force, b->force, sizeof b->force);
	memcpy(state->torque, b->torque, sizeof b->torque);
	if (b->fixed == OZ_RIGID_FIXED)
		return true;
	memcpy(state->velocity, b->velocity, sizeof b->velocity);
	oz_rigid_find_spin(b, b->angular_momentum, state->spin);
	return true;
}

uint64_t oz_rigid_hash(const oz_sim *sim, uint64_t hash)
{
	const oz_rigid *r = oz_model_state(sim, &oz_rigid_model);
	for (uint32_t k = 0; k < r->leads.count; k++)
		hash = oz_poser_hash(&oz_rigid_leads(r)[k].way, hash);
	return oz_hash(r->bodies.items, sizeof(oz_rigid_body) * r->bodies.count, hash);
}

// ---- memory ------------------------------------------------------------------------------------

// sets the record sizes of the empty arrays
static void open(oz_sim *sim, void *state)
{
	oz_rigid *r = state;
	(void)sim;
	r->bodies.size = sizeof(oz_rigid_body);
	r->steps.size = sizeof(oz_rigid_step);
	r->leads.size = sizeof(oz_rigid_lead);
}

static void close(oz_sim *sim, void *state)
{
	oz_rigid *r = state;
	if (sim->device)
		oz_rigid_release(sim, r);
	oz_array_free(sim->heap, &r->bodies);
	oz_array_free(sim->heap, &r->steps);
	oz_rigid_free_leads(sim, r);
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
	oz_rigid_save_leads(r, s);
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
	const oz_result result = s->failed ? OZ_OK : oz_rigid_load_leads(sim, r, s, error);
	return s->failed ? oz_section_fail_short("rigid bodies", error) : result;
}

static bool is_unit(const double *v, int count)
{
	double size2 = 0;
	for (int k = 0; k < count; k++)
		size2 += v[k] * v[k];
	return fabs(size2 - 1) < 1e-6;
}

static bool are_within(const double v[3], double most)
{
	return fabs(v[0]) <= most && fabs(v[1]) <= most && fabs(v[2]) <= most;
}

// whether a symmetric matrix xx yy zz xy xz yz is positive definite
static bool is_positive(const double I[6])
{
	const double minor = I[0] * I[1] - I[3] * I[3];
	const double det = I[2] * minor - I[5] * (I[0] * I[5] - I[3] * I[4]) +
	                   I[4] * (I[3] * I[5] - I[1] * I[4]);
	return I[0] > 0 && minor > 0 && det > 0;
}

// whether it is that of some points and, of each particle, that of a cube of one spacing
static bool is_inertia(const oz_sim *sim, const oz_rigid_body *b)
{
	const double spacing = (double)sim->def.spacing;
	double points[6];
	for (int k = 0; k < 6; k++)
		points[k] = b->inertia[k] - (k < 3 ? 0.99 * b->count * spacing * spacing / 6 : 0);
	return is_positive(points);
}

// a sentence if numbers of a loaded body are out of range, or do not fit the world
static const char *check_body(const oz_sim *sim, const oz_rigid_body *b)
{
	const double *numbers = b->origin, speed = (double)OZ_SPEED_MAX;
	double spin[3];
	for (size_t n = 0; n < offsetof(oz_rigid_body, body) / sizeof *numbers; n++)
		if (!isfinite(numbers[n]))
			return "a rigid body has a number that is not finite";
	if (b->body >= sim->bodies.count || b->count == 0 || b->count > sim->slots->count ||
	    !(b->mass > 0))
		return "a rigid body does not fit the bodies of the world";
	if (!is_unit(b->rotation, 4) || !is_inertia(sim, b) || b->fixed > OZ_RIGID_LED ||
	    (oz_dot3d(b->axis, b->axis) > 0 && !is_unit(b->axis, 3)))
		return "a rigid body has a rotation, inertia or axis that cannot be";
	oz_rigid_find_spin(b, b->angular_momentum, spin);
	if (!are_within(b->origin, (double)OZ_PLACE_MAX) ||
	    !are_within(b->place, (double)OZ_PLACE_MAX) || !are_within(b->velocity, speed) ||
	    !are_within(spin, speed))
		return "a rigid body is too far away or too fast";
	return NULL;
}

// every rigid body has as many slots as it says; `found` has a number for each
static const char *check_slots(const oz_sim *sim, const oz_rigid *r, uint32_t *found)
{
	const uint32_t slots = sim->slots->count;
	const uint *number = sim->device->ops->view(sim->device, r->number, sizeof *number * slots);
	if (slots && !number)
		return oz_no_memory_to_check;
	for (uint32_t k = 0; k < slots; k++) {
		if (number[k] > r->bodies.count)
			return "a particle is of a rigid body that does not exist";
		if (number[k])
			found[number[k] - 1]++;
	}
	for (uint32_t k = 0; k < r->bodies.count; k++)
		if (found[k] != oz_rigid_bodies(r)[k].count)
			return "the particle count of a rigid body is wrong";
	return NULL;
}

static const char *check(oz_sim *sim, void *state)
{
	const oz_rigid *r = state;
	const char *misled = oz_rigid_check_leads(r);
	if (misled)
		return misled;
	for (uint32_t k = 0; k < r->bodies.count; k++) {
		const char *wrong = check_body(sim, &oz_rigid_bodies(r)[k]);
		if (wrong)
			return wrong;
	}
	const size_t size = sizeof(uint32_t) * ((size_t)r->bodies.count + 1);
	uint32_t *found = oz_heap_alloc(sim->heap, size);
	if (!found)
		return oz_no_memory_to_check;
	memset(found, 0, size);
	const char *wrong = check_slots(sim, r, found);
	oz_heap_free(sim->heap, found, size);
	return wrong;
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
        .refuse.body = check_body_def,
        .added = added,
        .needs_host = needs_host,
        .pass = {[OZ_PASS_RESERVE] = oz_rigid_reserve,
                 [OZ_PASS_RIGID] = oz_rigid_bind,
                 [OZ_PASS_PRESSED] = oz_rigid_hold,
                 [OZ_PASS_MOVED] = oz_rigid_place,
                 [OZ_PASS_DONE] = oz_rigid_done},
        .press.bind = {.fix = oz_rigid_fix, .project = oz_rigid_project, .join = oz_rigid_join},
        .section = "rigid",
        .section_since = 9,
        .save = save,
        .load = load,
        .check = check,
};
