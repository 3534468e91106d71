// elastic.c: the model of elastic solids: material, rest shape, passes of the step.
#include "models/elastic/elastic.h"

#include <math.h>

#include "models/elastic/grip.h"
#include "models/heat/heat.h"
#include "models/heat/heat_model.h"
#include "models/viscous/viscous.h"
#include "solver/cg.h"

#include "models/elastic/elastic.cl"
#include "models/elastic/elastic_drift.cl"
#include "models/elastic/elastic_fit.cl"
#include "models/elastic/elastic_solve.cl"

#define STABLE_SHARE 1.4f // time step over 1/ω, ω the highest frequency; leapfrog is stable up to 2
// The same beside thick fluids: their implicit step counts with the elastic forces of the last step
// (viscous_bind). A fluid that holds a particle firmly leaves x' - x = - (ω Δt)² (x - x_before),
// which is stable up to 1.
#define HELD_SHARE 0.9f

static const oz_field_row field_rows[] = {
#define ELASTIC_ROW(...) OZ_FIELD_ROW(oz_elastic, "elastic.", __VA_ARGS__)
        OZ_ELASTIC_FIELDS(ELASTIC_ROW)};

// ---- material ----------------------------------------------------------------------------------

// OZ_FIRM_… flags of a material: it is elastic, by which method, with which strain and solver
static uint32_t elastic_flags(const oz_material_def *m)
{
	static const uint32_t ways[OZ_ELASTIC_COUNT] = {
	        [OZ_ELASTIC_CORRECTED] = 0,
	        [OZ_ELASTIC_PAPER] = OZ_FIRM_PAPER,
	        [OZ_ELASTIC_PLAIN] = OZ_FIRM_PLAIN,
	        [OZ_ELASTIC_MLS] = OZ_FIRM_MLS,
	};
	return OZ_FIRM | ways[m->elasticity] | (m->strain == OZ_STRAIN_GREEN ? OZ_FIRM_GREEN : 0) |
	       (m->implicit ? OZ_FIRM_IMPLICIT : 0);
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	m->alpha = 0;
	m->rest_reach = sim->solid.h;
	m->firm = elastic_flags(def);
	m->elastic.young = def->young_modulus;
	m->elastic.poisson = def->poisson_ratio;
	m->elastic.hourglass = def->hourglass;
	m->elastic.bending = def->bending;
	m->friction = def->friction;
}

// Refuses two bodies that cannot be joined: elastic ones of different elasticity, a rigid body with
// an implicit one, whose forces the host does not know in time.
static oz_result check_joint(const oz_sim *sim, const oz_body_def *def, uint32_t k, oz_error *error)
{
	const oz_material_def *own = &oz_materials(sim)[def->material];
	const oz_material_def *other = oz_material_of(sim, k);
	const oz_material_def *rigid = own->model == OZ_RIGID     ? own
	                               : other->model == OZ_RIGID ? other
	                                                          : NULL;
	const oz_material_def *elastic = rigid == own ? other : own;
	if (!rigid && own->elasticity != other->elasticity)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' joins '%s', but their materials differ in elasticity; "
		               "give both materials the same elasticity",
		               def->name, oz_bodies(sim)[k].name);
	if (rigid && elastic->model == OZ_COROTATED &&
	    (elastic->implicit || elastic->elasticity != OZ_ELASTIC_CORRECTED))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' joins '%s', one of them rigid, but the elastic material "
		               "has %s; use implicit false and elasticity corrected",
		               def->name, oz_bodies(sim)[k].name,
		               elastic->implicit ? "implicit true" : "another elasticity");
	return OZ_OK;
}

// Fails if a body cannot be joined to those with the same `join`, or if the world has stepped: the
// first step makes the rest shape.
oz_result oz_joints_check(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	oz_result result = OZ_OK;
	if (!def->join)
		return OZ_OK;
	if (sim->step)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' has a join, but the world has taken %llu steps; add the "
		               "body before the first step",
		               def->name, (unsigned long long)sim->step);
	for (uint32_t k = 0; k < sim->bodies.count && result == OZ_OK; k++)
		if (oz_bodies(sim)[k].join == def->join)
			result = check_joint(sim, def, k, error);
	return result;
}

// ---- memory ------------------------------------------------------------------------------------

// sets the record size of the empty array of handles
static void open(oz_sim *sim, void *state)
{
	(void)sim;
	((oz_elastic *)state)->handles.size = sizeof(oz_handle);
}

static void close(oz_sim *sim, void *state)
{
	oz_elastic *e = state;
	oz_device *d = sim->device;
	const oz_elastic_buffers *b = &e->on_device;
	if (!d)
		return;
	d->ops->release(d, b->sums, sizeof *b->sums * b->sums_capacity);
	d->ops->release(d, b->drift, sizeof *b->drift * b->drift_capacity);
	oz_handles_free(sim, e);
	oz_blocks_free(sim, e);
}

static oz_result no_memory(const oz_sim *sim, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for elastic bodies of %u particles; use a larger spacing",
	               sim->slots->count);
}

static oz_result reserve_sums(oz_sim *sim, oz_elastic *e, oz_error *error)
{
	oz_device *d = sim->device;
	oz_elastic_buffers *b = &e->on_device;
	const uint32_t wanted = oz_cg_sums(sim->fields.capacity[OZ_ITEMS_SLOTS]);
	if (wanted <= b->sums_capacity)
		return OZ_OK;
	d->ops->release(d, b->sums, sizeof *b->sums * b->sums_capacity);
	b->sums = d->ops->alloc(d, sizeof *b->sums * wanted);
	b->sums_capacity = b->sums ? wanted : 0;
	return b->sums ? OZ_OK : no_memory(sim, error);
}

// returns the scratch of `work` to the pool; pointers that are NULL are skipped
static oz_result give_work(oz_sim *sim, void *state, oz_error *error)
{
	oz_elastic_work *w = &((oz_elastic *)state)->work;
	const void *taken[] = {w->place, w->row_x,  w->row_y,  w->row_z,
	                       w->outer, w->answer, w->pressed};
	(void)error;
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*w = (oz_elastic_work){0};
	return OZ_OK;
}

static oz_result take_work(oz_sim *sim, void *state, oz_error *error)
{
	oz_elastic_work *w = &((oz_elastic *)state)->work;
	w->place = oz_slots_take(sim, "elastic place");
	w->row_x = oz_slots_take(sim, "stress x");
	w->row_y = oz_slots_take(sim, "stress y");
	w->row_z = oz_slots_take(sim, "stress z");
	const bool implicit = oz_has_implicit(sim);
	const bool answers = implicit && sim->def.pressure == OZ_PRESSURE_INCOMPRESSIBLE;
	w->outer = implicit ? oz_slots_take(sim, "outer forces") : NULL;
	w->answer = answers ? oz_slots_take(sim, "answer to pressure") : NULL;
	w->pressed = answers ? oz_slots_take(sim, "forces of pressure") : NULL;
	if (w->place && w->row_x && w->row_y && w->row_z && (w->outer || !implicit) &&
	    ((w->answer && w->pressed) || !answers))
		return OZ_OK;
	give_work(sim, state, error);
	return no_memory(sim, error);
}

#define WRITTEN 1024u // records in one write to the device

// writes the liquid share of new slots, from their temperature, and no set
static void added(oz_sim *sim, void *state, const oz_addition *a)
{
	const oz_material_def *def = oz_material_of(sim, a->body);
	const float soft =
	        heat_liquid_share(def->melting_point, def->melting_range, a->temperature);
	oz_float4 set[WRITTEN];
	if (def->model != OZ_COROTATED)
		return;
	for (uint32_t k = 0; k < WRITTEN; k++)
		set[k] = oz_make4(0.0f, 0.0f, soft, 0.0f);
	for (uint32_t done = 0; done < a->count; done += WRITTEN) {
		const uint32_t some = a->count - done < WRITTEN ? a->count - done : WRITTEN;
		sim->device->ops->write(sim->device, ((oz_elastic *)state)->set_b,
		                        sizeof *set * (a->slot + done), set, sizeof *set * some);
	}
}

// ---- the rest shape ----------------------------------------------------------------------------

// raises an event if elastic particles have no rest neighbour; in step 0 only, because later they
// may have melted or split off
static void report_lone(oz_sim *sim, const uint *lone)
{
	uint count = 0;
	sim->device->ops->read(sim->device, &count, lone, 0, sizeof count);
	if (count && sim->step == 0)
		oz_event_raise(sim, OZ_EVENT_LONE, OZ_NONE, (float)count,
		               "%u particle%s of elastic solids ha%s no neighbour at rest and no "
		               "elastic "
		               "force; use a smaller spacing or join the bodies",
		               count, count > 1 ? "s" : "", count > 1 ? "ve" : "s");
}

// writes the rest volume and the number of bonds of each slot
static void find_volumes(oz_sim *sim, oz_elastic *e)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const oz_lists lists = oz_rest_lists(sim, s->members);
	uint *lone = (uint *)d->total;
	d->ops->clear(d, lone, sizeof *lone);
	OZ_LAUNCH(d, elastic_count, s->count + 1, .rest = s->rest, .position = e->work.place,
	          .slots = s->count);
	OZ_LAUNCH_PAIRS(d, elastic_volume, s->count, &lists, .position = e->work.place,
	                .inverse_count = s->inverse_count, .particle_of_slot = s->particle_of_slot,
	                .material = sim->particles.material, .shapeless = s->shapeless,
	                .matter = sim->matter, .rest = s->rest, .bonds = e->bonds, .lone = lone,
	                .fluid = sim->solid, .spacing = sim->def.spacing);
	if (oz_any_body(sim, OZ_RIGID, NULL))
		OZ_LAUNCH(d, elastic_bind, s->count, .list = s->list, .start = s->start,
		          .members = s->members, .inverse_count = s->inverse_count,
		          .particle_of_slot = s->particle_of_slot,
		          .material = sim->particles.material, .shapeless = s->shapeless,
		          .matter = sim->matter, .rest = s->rest, .bonds = e->bonds,
		          .stride = d->stride, .slots = s->count, .spacing = sim->def.spacing);
	report_lone(sim, lone);
}

// writes L, N, stiffness and Σ V ω d of each slot (elastic_fit.cl)
static void fit(oz_sim *sim, oz_elastic *e)
{
	const oz_slots *s = sim->slots;
	const oz_lists lists = oz_rest_lists(sim, e->bonds);
	OZ_LAUNCH_PAIRS(sim->device, elastic_fit, s->count, &lists, .rest = s->rest,
	                .particle_of_slot = s->particle_of_slot,
	                .material = sim->particles.material, .shapeless = s->shapeless,
	                .matter = sim->matter, .fit_a = e->fit_a, .fit_b = e->fit_b,
	                .fit_c = e->fit_c, .stiff = e->stiff, .kappa = e->kappa,
	                .hourglass_force = e->hourglass_force, .moment = e->moment,
	                .fluid = sim->solid, .spacing = sim->def.spacing);
	if (oz_any_body(sim, OZ_RIGID, NULL))
		OZ_LAUNCH(sim->device, elastic_borrow, s->count, .list = s->list, .start = s->start,
		          .bonds = e->bonds, .particle_of_slot = s->particle_of_slot,
		          .material = sim->particles.material, .shapeless = s->shapeless,
		          .matter = sim->matter, .stiff = e->stiff, .kappa = e->kappa,
		          .stride = sim->device->stride, .slots = s->count);
}

// OZ_PASS_LISTED: computes all that depends on the rest lists alone
static oz_result listed(oz_sim *sim, void *state, oz_error *error)
{
	oz_elastic *e = state;
	e->work.place = oz_slots_take(sim, "elastic place");
	if (!e->work.place)
		return no_memory(sim, error);
	find_volumes(sim, e);
	fit(sim, e);
	oz_phases_restore_set(sim);
	return give_work(sim, state, error);
}

// OZ_PASS_NAMED: makes blocks, and finds the highest frequency for the time step
static oz_result named(oz_sim *sim, void *state, oz_error *error)
{
	oz_elastic *e = state;
	const oz_slots *s = sim->slots;
	const oz_lists lists = oz_rest_lists(sim, e->bonds);
	oz_result result = reserve_sums(sim, e, error);
	if (result == OZ_OK)
		result = take_work(sim, state, error);
	if (result != OZ_OK)
		return result;
	oz_blocks_make(sim, &lists);
	OZ_LAUNCH_PAIRS(sim->device, elastic_spring, s->count, &lists, .rest = s->rest,
	                .fit_a = e->fit_a, .fit_b = e->fit_b, .stiff = e->stiff,
	                .moment = e->moment, .spring = e->spring, .fluid = sim->solid);
	e->steps.highest_frequency = sqrtf(oz_elastic_largest_eigenvalue(sim));
	give_work(sim, state, error);
	return oz_has_implicit(sim) ? oz_drift_reserve(sim, error) : OZ_OK;
}

// ---- the step ----------------------------------------------------------------------------------

// Green's strain is (3 s² - 1)/2 times stiffer at a stretch s; half the share is stable to s = 1.7
static float stable_share(const oz_sim *sim)
{
	const float share = oz_viscous_acts(sim) ? HELD_SHARE : STABLE_SHARE;
	for (uint32_t k = 0; k < sim->materials.count; k++) {
		const oz_material_def *m = &oz_materials(sim)[k];
		if (m->model == OZ_COROTATED && m->strain == OZ_STRAIN_GREEN && !m->implicit)
			return 0.5f * share;
	}
	return share;
}

static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	const oz_elastic *e = state;
	(void)fixed;
	*rule = OZ_LIMIT_ELASTIC;
	return e->steps.highest_frequency > 0
	               ? sim->def.cfl * stable_share(sim) / e->steps.highest_frequency
	               : INFINITY;
}

static uint32_t needs_host(const oz_sim *sim, const void *state)
{
	(void)state;
	// the host reads the residuals of the solver
	return (oz_phases_are_due(sim) ? OZ_HOST_NOW : 0) |
	       (oz_has_implicit(sim) ? OZ_HOST_ALWAYS : 0);
}

// whether a material takes its rotation from A_pq, as the paper prints it
static bool has_paper_rotation(const oz_sim *sim)
{
	for (uint32_t m = 0; m < sim->materials.count; m++)
		if (oz_materials(sim)[m].model == OZ_COROTATED &&
		    oz_materials(sim)[m].elasticity == OZ_ELASTIC_PAPER)
			return true;
	return false;
}

// launches elastic_stretch over lists or blocks: sums M over the rest neighbours of each slot;
// `extra_flags`: OZ_FIRM_… flags that are set for all slots
static void stretch(oz_sim *sim, const oz_lists *lists, const oz_float4 *position, uint extra_flags)
{
	const oz_slots *b = sim->slots;
	const oz_elastic *s = oz_elastic_of(sim);
	OZ_LAUNCH_PAIRS(sim->device, elastic_stretch,
	                lists->blocks ? lists->blocks->count : b->count, lists,
	                .position = position, .rest = b->rest, .stiff = s->stiff,
	                .row_x = s->work.row_x, .row_y = s->work.row_y, .row_z = s->work.row_z,
	                .fluid = sim->solid, .extra_flags = extra_flags, .slots = b->count);
}

void oz_elastic_accelerate(oz_sim *sim, const oz_float4 *position, uint tangent)
{
	oz_device *d = sim->device;
	oz_slots *b = sim->slots;
	oz_elastic *s = oz_elastic_of(sim);
	oz_lists lists = oz_rest_lists(sim, s->bonds);
	if (!tangent && has_paper_rotation(sim)) {
		stretch(sim, &lists, position, OZ_FIRM_MLS);
		OZ_LAUNCH(d, elastic_rotate, b->count, .row_x = s->work.row_x,
		          .row_y = s->work.row_y, .row_z = s->work.row_z, .stiff = s->stiff,
		          .rotation = b->rotation);
	}
	lists.blocks = s->blocks.count ? &s->blocks : NULL;
	stretch(sim, &lists, position, 0);
	OZ_LAUNCH(d, elastic_stress, b->count, .rest = b->rest, .fit_a = s->fit_a,
	          .fit_b = s->fit_b, .fit_c = s->fit_c, .set_a = s->set_a, .set_b = s->set_b,
	          .stiff = s->stiff, .rotation = b->rotation, .row_x = s->work.row_x,
	          .row_y = s->work.row_y, .row_z = s->work.row_z,
	          .hourglass_force = s->hourglass_force, .tangent = tangent,
	          .sets = oz_anything_melts(sim));
	OZ_LAUNCH_PAIRS(d, elastic_accelerate, lists.blocks ? lists.blocks->count : b->count,
	                &lists, .row_x = s->work.row_x, .row_y = s->work.row_y,
	                .row_z = s->work.row_z, .rest = b->rest, .stiff = s->stiff,
	                .moment = s->moment, .hourglass_force = s->hourglass_force,
	                .elastic_acceleration = s->elastic_acceleration, .fluid = sim->solid,
	                .slots = b->count);
}

void oz_elastic_accelerate_particles(oz_sim *sim)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *b = sim->slots;
	oz_elastic *s = oz_elastic_of(sim);
	OZ_LAUNCH(sim->device, elastic_gather, b->count, .position = p->position,
	          .material = p->material, .matter = sim->matter, .set_b = s->set_b,
	          .stiff = s->stiff, .particle_of_slot = b->particle_of_slot,
	          .place = s->work.place, .hourglass_force = s->hourglass_force);
	oz_elastic_accelerate(sim, s->work.place, 0);
}

// OZ_PASS_ELASTIC: elastic accelerations, handles, the implicit solver
static oz_result add_elastic(oz_sim *sim, void *state, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	const oz_slots *b = sim->slots;
	oz_elastic *s = state;
	const float kick = oz_kick(sim);
	const bool implicit = oz_has_implicit(sim);
	oz_grips_update(sim);
	oz_elastic_accelerate_particles(sim);
	OZ_LAUNCH(sim->device, elastic_apply, b->count,
	          .elastic_acceleration = s->elastic_acceleration, .hold = OZ_OPTIONAL(s->hold),
	          .grips = OZ_OPTIONAL(s->on_device.grips), .particle_of_slot = b->particle_of_slot,
	          .position = p->position, .velocity = p->velocity, .stiff = s->stiff,
	          .rotation = b->rotation, .last = s->last_g, .earlier = s->earlier_g,
	          .outer = OZ_OPTIONAL(s->work.outer), .acceleration = p->acceleration,
	          .kick = kick, .dt = sim->time_step, .past = oz_elastic_past(sim),
	          .keeps_outer = implicit);
	const oz_result result = implicit ? oz_elastic_solve(sim, kick, error) : OZ_OK;
	sim->report.rounds += s->steps.iterations;
	return result;
}

// handles move the particles that they hold
static void fix_held(oz_sim *sim, const void *state, oz_float4 *guess)
{
	const oz_elastic *s = state;
	if (s->hold && s->handles.count)
		OZ_LAUNCH(sim->device, elastic_fix, sim->slots->count, .hold = s->hold,
		          .grips = s->on_device.grips,
		          .particle_of_slot = sim->slots->particle_of_slot, .guess = guess);
	oz_elastic_begin_answer(sim, guess);
}

// ---- after a load ------------------------------------------------------------------------------

// checks that `hold` names existing handles, and that sets are in their range
static const char *check(oz_sim *sim, void *state)
{
	oz_device *d = sim->device;
	const oz_elastic *e = state;
	const uint32_t slots = sim->slots->count;
	const oz_float4 *hold = d->ops->view(d, e->hold, sizeof *hold * slots);
	if (slots && !hold)
		return oz_no_memory_to_check;
	for (uint32_t k = 0; k < slots; k++)
		if (!(hold[k].w >= 0 && hold[k].w <= (float)e->handles.count) ||
		    hold[k].w != floorf(hold[k].w))
			return "a particle is held by a handle that does not exist";
	const oz_float4 *set_a = d->ops->view(d, e->set_a, sizeof *set_a * slots);
	const oz_float4 *set_b = d->ops->view(d, e->set_b, sizeof *set_b * slots);
	if (slots && (!set_a || !set_b))
		return oz_no_memory_to_check;
	for (uint32_t k = 0; k < slots; k++)
		if (!(fabsf(set_a[k].w) <= 2) || !(set_b[k].z >= 0 && set_b[k].z <= 1))
			return "the permanent set of an elastic particle is out of range";
	return NULL;
}

// a slot, and on the CPU an eighth of its block, whose entries have 20 bytes
static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	const double reach = fmin((double)def->support, 2), wide = reach + 0.72;
	const double rows =
	        (double)oz_rows_bytes(field_rows, sizeof field_rows / sizeof *field_rows);
	return oz_slots_bytes(reach, m->friction > 0, on_gpu) + rows +
	       (m->implicit ? 5.0 : 4.0) * sizeof(oz_float4) +
	       (on_gpu ? 0 : 20.0 / 8 * 4.18879 * wide * wide * wide);
}

static oz_result add_handle(oz_sim *sim, const void *def, oz_id *handle, oz_error *error)
{
	return oz_handles_add(sim, def, true, handle, error);
}

static const oz_thing_ops handles = {OZ_PARAMS_HANDLE, offsetof(oz_elastic, handles), add_handle};

const oz_model_ops oz_elastic_model = {
        .word = "corotated",
        .model = OZ_COROTATED,
        .state_size = sizeof(oz_elastic),
        .slot_rows = field_rows,
        .slot_row_count = sizeof field_rows / sizeof *field_rows,
        .open = open,
        .close = close,
        .matter = fill_matter,
        .refuse.body = oz_joints_check,
        .added = added,
        .limit = limit,
        .needs_host = needs_host,
        .pass = {[OZ_PASS_CHANGE] = oz_phases_update,
                 [OZ_PASS_GROUP] = oz_phases_group,
                 [OZ_PASS_LISTED] = listed,
                 [OZ_PASS_NAMED] = named,
                 [OZ_PASS_RESERVE] = take_work,
                 [OZ_PASS_ELASTIC] = add_elastic,
                 [OZ_PASS_PRESSED] = oz_elastic_keep_answer,
                 [OZ_PASS_DONE] = give_work},
        .press.bind = {.fix = fix_held, .project = oz_elastic_answer},
        .things = &handles,
        .section = "handles",
        .section_since = 4,
        .save = oz_handles_save,
        .load = oz_handles_load,
        .check = check,
        .bytes = bytes,
};
