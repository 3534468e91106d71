// blend.c: the model of blends: α over time, weights of the rest shape, passes of the step.
#include "models/blend/blend.h"

#include <math.h>

#include "models/heat/heat_model.h"

#include "models/blend/blend.cl"

#define ELASTIC_SHARE 0.5f
#define ALPHA_STEPS   8u // steps between two updates of α from the temperature

static const oz_field_row blend_rows[] = {
#define BLEND_ROW(...) OZ_FIELD_ROW(oz_blend, "blend.", __VA_ARGS__)
        OZ_BLEND_FIELDS(BLEND_ROW)};
static const oz_field_row matched_rows[] = {OZ_MATCHED_FIELDS(BLEND_ROW)};

bool oz_blend_melts(const oz_material_def *m)
{
	return m->model == OZ_BLEND && oz_can_melt(m);
}

// ---- material ----------------------------------------------------------------------------------

// no particle has an alpha of its own yet
static void open(oz_sim *sim, void *state)
{
	(void)sim;
	((oz_blend *)state)->least_alpha = 1;
}

static oz_result check_material(const oz_sim *sim, const oz_material_def *def, const char *where,
                                oz_error *error)
{
	if (def->cluster_radius > 0 && def->cluster_radius < sim->def.support)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s.cluster_radius is %g spacings, less than the world's support of "
		               "%g; raise it to that, or set 0, which means the support",
		               where, (double)def->cluster_radius, (double)sim->def.support);
	return OZ_OK;
}

static oz_result check_body(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	if (def->alphas && oz_blend_melts(&oz_materials(sim)[def->material]))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' has alphas, but its material melts, and alpha follows "
		               "the temperature; leave one of the two out",
		               def->name);
	return OZ_OK;
}

// α of a material at a time: linear between keyframes, constant before the first and after the last
static float alpha_at(const oz_material_def *m, double time)
{
	const oz_alpha_key *key = m->alpha_keys;
	const uint32_t count = m->alpha_key_count;
	if (count == 0)
		return m->alpha;
	if (time <= (double)key[0].time)
		return key[0].alpha;
	for (uint32_t k = 1; k < count; k++)
		if (time < (double)key[k].time) {
			const double from = (double)key[k - 1].time, to = (double)key[k].time;
			const float share = (float)((time - from) / (to - from));
			return key[k - 1].alpha + share * (key[k].alpha - key[k - 1].alpha);
		}
	return key[count - 1].alpha;
}

// τ, s; by default twice the longest time step that the speed of sound allows
static float response_of(const oz_sim *sim, const oz_material_def *m)
{
	return m->response > 0 ? m->response : 0.5f * oz_support_radius(sim) / sim->def.sound_speed;
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	const float radius = def->cluster_radius > 0 ? def->cluster_radius : sim->def.support;
	m->alpha = alpha_at(def, sim->time);
	m->alpha_hot = def->alpha_hot;
	m->response = response_of(sim, def);
	m->rest_reach = sim->def.spacing * radius;
	m->paper = def->paper;
	m->reshape.update_force = def->update_force;
	m->reshape.update_steps = def->update_steps;
	m->reshape.merges = def->merges;
}

// ---- bodies ------------------------------------------------------------------------------------

#define WRITTEN 1024u // records in one write to the device

// sets α of all slots of an addition
static void write_same(oz_sim *sim, const oz_addition *a, float alpha)
{
	float same[WRITTEN];
	for (uint32_t k = 0; k < WRITTEN; k++)
		same[k] = alpha;
	for (uint32_t done = 0; done < a->count; done += WRITTEN) {
		const uint32_t some = a->count - done < WRITTEN ? a->count - done : WRITTEN;
		sim->device->ops->write(sim->device, sim->slots->own_alpha,
		                        sizeof *same * (a->slot + done), same, sizeof *same * some);
	}
}

static void added(oz_sim *sim, void *state, const oz_addition *a)
{
	oz_blend *b = state;
	const oz_material_def *def = oz_material_of(sim, a->body);
	const oz_matter matter = oz_matter_of(sim, def);
	if (def->model != OZ_BLEND)
		return;
	if (oz_blend_melts(def))
		write_same(sim, a, heat_alpha(&matter, a->temperature));
	if (a->alphas)
		sim->device->ops->write(sim->device, sim->slots->own_alpha, sizeof(float) * a->slot,
		                        a->alphas, sizeof(float) * a->count);
	for (uint32_t i = 0; a->alphas && i < a->count; i++)
		b->least_alpha = fminf(b->least_alpha, a->alphas[i]);
}

// after a load: finds the smallest α set per particle. Particles that melt are left out: limit()
// takes their bounds from the material.
static const char *find_least_alpha(oz_sim *sim, void *state)
{
	oz_device *d = sim->device;
	const uint32_t slots = sim->slots->count;
	const uint32_t particles = sim->particles.count;
	const float *own = d->ops->view(d, sim->slots->own_alpha, sizeof *own * slots);
	const uint *slot = d->ops->view(d, sim->slots->slot, sizeof *slot * particles);
	const uint *material =
	        d->ops->view(d, sim->particles.material, sizeof *material * particles);
	oz_blend *b = state;
	if (slots && (!own || !slot || !material))
		return oz_no_memory_to_check;
	for (uint32_t i = 0; i < particles; i++)
		if (slot[i] < slots && own[slot[i]] >= 0 &&
		    !oz_blend_melts(&oz_materials(sim)[material[i]]))
			b->least_alpha = fminf(b->least_alpha, own[slot[i]]);
	return NULL;
}

// ---- α over time and temperature ---------------------------------------------------------------

// computes the weights of slots and the centres of clusters from α
static void update_weights(oz_sim *sim, const oz_blend *b)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(d, blend_weigh, s->count, .particle_of_slot = s->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter,
	          .own_alpha = s->own_alpha, .inverse_count = s->inverse_count, .rest = s->rest);
	OZ_LAUNCH(d, blend_centre, s->count, .rest = s->rest, .list = s->list, .start = s->start,
	          .members = s->members, .centre = b->centre, .stride = d->stride);
}

// writes a material's present α to the device; true: it has changed since it was last written
static bool set_alpha(oz_sim *sim, const oz_blend *b, uint32_t m)
{
	oz_device *d = sim->device;
	const oz_material_def *def = &oz_materials(sim)[m];
	const oz_matter now = oz_matter_of(sim, def);
	if (b->alphas_known && now.alpha == alpha_at(def, b->alphas_at))
		return false;
	((oz_matter *)sim->matters.items)[m] = now;
	d->ops->write(d, sim->matter, sizeof now * m, &now, sizeof now);
	return true;
}

// updates α of materials with keyframes
static void follow_time(oz_sim *sim, oz_blend *b)
{
	bool changed = false;
	for (uint32_t m = 0; m < sim->materials.count; m++)
		if (oz_materials(sim)[m].alpha_key_count)
			changed |= set_alpha(sim, b, m);
	b->alphas_known = true;
	b->alphas_at = sim->time;
	if (changed && !sim->slots->stale)
		update_weights(sim, b);
}

// updates α of slots that melt, every ALPHA_STEPS steps
static void follow_temperature(oz_sim *sim, const oz_blend *b)
{
	bool melting = false;
	for (uint32_t m = 0; m < sim->materials.count; m++)
		melting |= oz_blend_melts(&oz_materials(sim)[m]);
	const float *temperature = oz_heat_of(sim)->temperature;
	if (!melting || !temperature || sim->step % ALPHA_STEPS != 0)
		return;
	OZ_LAUNCH(sim->device, blend_alpha_from_heat, sim->slots->count,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter,
	          .temperature = temperature, .own_alpha = sim->slots->own_alpha,
	          .never = OZ_NEVER_MELTS);
	if (!sim->slots->stale)
		update_weights(sim, b);
}

static oz_result follow(oz_sim *sim, void *state, oz_error *error)
{
	(void)error;
	follow_time(sim, state);
	follow_temperature(sim, state);
	return OZ_OK;
}

static uint32_t needs_host(const oz_sim *sim, const void *state)
{
	uint32_t why = oz_blend_is_due(sim) ? OZ_HOST_NOW : 0;
	(void)state;
	for (uint32_t m = 0; m < sim->materials.count; m++)
		if (oz_materials(sim)[m].alpha_key_count)
			why |= OZ_HOST_ALWAYS;
	return why;
}

// ---- the rest shape ----------------------------------------------------------------------------

// whether a body of another model has slots
static bool other_models_have_slots(const oz_sim *sim)
{
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_has_slots(sim, b) && oz_material_of(sim, b)->model != OZ_BLEND)
			return true;
	return false;
}

// adds the field `matched` to the registry, unless it is there
static oz_result add_matched(oz_sim *sim, oz_blend *b, oz_error *error)
{
	const oz_field_set set = {matched_rows, 1, OZ_ITEMS_SLOTS, b};
	if (b->shares_slots)
		return OZ_OK;
	const oz_result result = oz_fields_add(&sim->fields, &set, sim->slots->count, error);
	b->shares_slots = result == OZ_OK;
	return result;
}

// OZ_PASS_LISTED: computes all that depends on the rest lists
static oz_result listed(oz_sim *sim, void *state, oz_error *error)
{
	oz_blend *b = state;
	const oz_slots *s = sim->slots;
	update_weights(sim, b);
	if (!other_models_have_slots(sim))
		return OZ_OK;
	const oz_result result = add_matched(sim, b, error);
	if (result == OZ_OK)
		OZ_LAUNCH(sim->device, blend_members, s->count, .members = s->members,
		          .particle_of_slot = s->particle_of_slot,
		          .material = sim->particles.material, .matter = sim->matter,
		          .matched = b->matched);
	return result;
}

// ---- the step ----------------------------------------------------------------------------------

// the smallest α that particles of a material can have now
static float least_alpha(const oz_sim *sim, const oz_material_def *m)
{
	return fminf(alpha_at(m, sim->time), oz_blend_melts(m) ? m->alpha_hot : 1);
}

// a share of the shortest τ/√(1 - α), one over the angular frequency about the goal: a particle
// does not overshoot its goal
static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	const oz_blend *b = state;
	float tau = INFINITY;
	(void)fixed;
	for (uint32_t k = 0; k < sim->materials.count; k++) {
		const oz_material_def *m = &oz_materials(sim)[k];
		if (m->model != OZ_BLEND)
			continue;
		const float alpha = fminf(least_alpha(sim, m), b->least_alpha);
		tau = fminf(tau, response_of(sim, m) / sqrtf(fmaxf(1 - alpha, 1e-6f)));
	}
	*rule = OZ_LIMIT_ELASTIC;
	return sim->def.cfl * ELASTIC_SHARE * tau;
}

static oz_result done(oz_sim *sim, void *state, oz_error *error)
{
	oz_blend *b = state;
	const void *taken[] = {b->place, b->row_x, b->row_y, b->row_z, b->expected};
	(void)error;
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	b->place = b->row_x = b->row_y = b->row_z = NULL;
	b->expected = NULL;
	return OZ_OK;
}

static oz_result reserve(oz_sim *sim, void *state, oz_error *error)
{
	oz_blend *b = state;
	b->place = oz_slots_take(sim, "cluster place");
	b->row_x = oz_slots_take(sim, "cluster x");
	b->row_y = oz_slots_take(sim, "cluster y");
	b->row_z = oz_slots_take(sim, "cluster z");
	b->expected = OZ_TAKE(&sim->scratch, oz_vec3, "expected velocity",
	                      sim->fields.capacity[OZ_ITEMS_SLOTS]);
	if (b->place && b->row_x && b->row_y && b->row_z && b->expected)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the clusters of %u particles; use a larger spacing",
	               sim->slots->count);
}

// OZ_PASS_SHAPE: A and c of clusters, R and t, then accelerations towards the goals
static oz_result match(oz_sim *sim, void *state, oz_error *error)
{
	oz_device *d = sim->device;
	const oz_particles *p = &sim->particles;
	const oz_slots *s = sim->slots;
	oz_blend *b = state;
	const oz_lists clusters = oz_rest_lists(sim, b->matched ? b->matched : s->members);
	(void)error;
	OZ_LAUNCH(d, blend_gather, s->count, .position = p->position, .rest = s->rest,
	          .particle_of_slot = s->particle_of_slot, .place = b->place);
	OZ_LAUNCH_PAIRS(d, blend_match, s->count, &clusters, .position = b->place, .rest = s->rest,
	                .centre = b->centre, .row_x = b->row_x, .row_y = b->row_y,
	                .row_z = b->row_z);
	OZ_LAUNCH(d, blend_rotate, s->count, .rest = s->rest, .centre = b->centre,
	          .rotation = s->rotation, .row_x = b->row_x, .row_y = b->row_y, .row_z = b->row_z);
	OZ_LAUNCH_PAIRS(d, blend_goal, s->count, &clusters, .row_x = b->row_x, .row_y = b->row_y,
	                .row_z = b->row_z, .rest = s->rest, .particle_of_slot = s->particle_of_slot,
	                .inverse_count = s->inverse_count, .own_alpha = s->own_alpha,
	                .material = p->material, .matter = sim->matter, .velocity = p->velocity,
	                .place = b->place, .touch = s->touch, .expected = b->expected,
	                .contact_impulse = b->contact_impulse, .contact_time = b->contact_time,
	                .acceleration = p->acceleration, .dt = sim->time_step,
	                .kick = oz_kick(sim));
	return OZ_OK;
}

// OZ_PASS_MOVED
static oz_result add_wall_impulse(oz_sim *sim, void *state, oz_error *error)
{
	const oz_blend *b = state;
	(void)error;
	OZ_LAUNCH(sim->device, blend_add_wall_impulse, sim->slots->count,
	          .velocity = sim->particles.velocity, .expected = b->expected,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter,
	          .contact_impulse = b->contact_impulse);
	return OZ_OK;
}

static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	const float reach = m->cluster_radius > def->support ? m->cluster_radius : def->support;
	return oz_slots_bytes((double)reach, false, on_gpu) +
	       (double)oz_rows_bytes(blend_rows, sizeof blend_rows / sizeof *blend_rows) +
	       4 * sizeof(oz_float4) + sizeof(oz_vec3);
}

const oz_model_ops oz_blend_model = {
        .word = "blend",
        .model = OZ_BLEND,
        .state_size = sizeof(oz_blend),
        .slot_rows = blend_rows,
        .slot_row_count = sizeof blend_rows / sizeof *blend_rows,
        .open = open,
        .matter = fill_matter,
        .refuse.material = check_material,
        .refuse.body = check_body,
        .added = added,
        .limit = limit,
        .needs_host = needs_host,
        .pass = {[OZ_PASS_FOLLOW] = follow,
                 [OZ_PASS_DECIDE] = oz_blend_decide,
                 [OZ_PASS_LISTED] = listed,
                 [OZ_PASS_RESHAPED] = oz_blend_reset_contact,
                 [OZ_PASS_RESERVE] = reserve,
                 [OZ_PASS_SHAPE] = match,
                 [OZ_PASS_MOVED] = add_wall_impulse,
                 [OZ_PASS_DONE] = done},
        .check = find_least_alpha,
        .bytes = bytes,
};
