// membrane.c: the model of membranes: material, time step, state; membrane_step.c moves them.
#include "models/membrane/membrane.h"

#include <math.h>
#include <string.h>

#include "contact/contact.h"
#include "math/sph.h"

#define SOUND_SHARE  0.25f // of the support radius, that sound crosses in a step
#define IMPACT_SHARE 0.05f // of the support radius, that a particle in contact crosses
#define STABLE_SHARE 1.4   // time step over 1/ω of the explicit step; leapfrog is stable up to 2

// ---- material ----------------------------------------------------------------------------------

// A particle has the volume t d² of a skin of thickness t, d being the spacing; the engine counts
// d³: its density is that of the skin times t/d. A prestretched skin is thinner by prestretch².
float oz_membrane_share(const oz_sim *sim, const oz_material_def *def)
{
	return def->thickness / (sim->def.spacing * def->prestretch * def->prestretch);
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	const float share = oz_membrane_share(sim, def);
	m->density = def->density * share;
	m->inv_density = 1 / m->density;
	m->viscous = sqrtf(10 * def->viscosity +
	                   (m->viscous * m->viscous - 10 * def->viscosity) * share);
	m->kinematic = def->viscosity * m->inv_density;
	m->alpha = 0;
	m->rest_reach = sim->solid.h;
	m->firm = OZ_FIRM_MEMBRANE;
	m->friction = def->friction;
}

static oz_result check_body(const oz_sim *sim, const oz_body_def *def, oz_error *error)
{
	return oz_membrane_check(sim, def, error);
}

const oz_material_def *oz_membrane_material(const oz_sim *sim, const oz_membrane_chamber *chamber)
{
	return oz_material_of(sim, chamber->body);
}

float oz_membrane_longest_delay(const oz_sim *sim, const oz_membrane *m)
{
	float longest = 0;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		longest =
		        fmaxf(longest,
		              oz_membrane_material(sim, &oz_membrane_chambers(m)[k])->skin_damping);
	return longest;
}

// ---- chambers ----------------------------------------------------------------------------------

#define GAS_CONSTANT 8.314462618 // J/(mol·K)
#define ZERO_CELSIUS 273.15

// sets what a new chamber holds: the gas or liquid that gives its gauge pressure
static void fill(const oz_material_def *def, oz_membrane_chamber *b)
{
	const double gauge = (double)def->gauge_pressure;
	b->pressure = def->filling == OZ_FILLING_NONE ? 0 : gauge;
	b->filled = b->volume * (1 + gauge / (double)def->bulk_modulus);
	b->amount = def->gas_amount > 0 ? (double)def->gas_amount
	                                : ((double)def->outside_pressure + gauge) * b->volume /
	                                          (GAS_CONSTANT * (b->temperature + ZERO_CELSIUS));
}

// appends a chamber; false: out of memory
static bool add_chamber(oz_sim *sim, oz_membrane *m, const oz_addition *a)
{
	oz_membrane_chamber *b = oz_array_add(sim->heap, &m->chambers);
	if (!b)
		return false;
	const bool room = oz_array_add(sim->heap, &m->now) && oz_array_add(sim->heap, &m->sums);
	*b = (oz_membrane_chamber){.body = a->body,
	                           .temperature = (double)a->temperature,
	                           .volume = fabs(oz_membrane_volume(a->points, a->triangles,
	                                                             a->triangle_count))};
	fill(oz_material_of(sim, a->body), b);
	return oz_membrane_add_mesh(sim, m, a) && room;
}

static void added(oz_sim *sim, void *state, const oz_addition *a)
{
	oz_membrane *m = state;
	if (oz_material_of(sim, a->body)->model != OZ_MEMBRANE || a->count == 0)
		return;
	if (!oz_membrane_divide(sim, m, a, add_chamber))
		m->failed = true;
}

static void changed(oz_sim *sim, void *state, oz_id material)
{
	oz_membrane_stiffen(sim, state, material);
}

uint64_t oz_membrane_hash(const oz_sim *sim, uint64_t hash)
{
	const oz_membrane *m = oz_model_state(sim, &oz_membrane_model);
	const oz_membrane_face *faces = m->faces.count ? oz_membrane_view_faces(sim, m) : NULL;
	hash = oz_hash(m->chambers.items, sizeof(oz_membrane_chamber) * m->chambers.count, hash);
	hash = faces ? oz_hash(faces, sizeof *faces * m->faces.count, hash) : hash;
	const oz_membrane_edge *edges =
	        oz_membrane_flows(m) ? oz_membrane_view_edges(sim, m) : NULL;
	return edges ? oz_hash(edges, sizeof *edges * m->edges.count, hash) : hash;
}

// ---- memory ------------------------------------------------------------------------------------

// sets the record sizes of the empty arrays
static void open(oz_sim *sim, void *state)
{
	oz_membrane *m = state;
	m->chambers.size = sizeof(oz_membrane_chamber);
	m->faces.size = sizeof(oz_membrane_face);
	m->edges.size = sizeof(oz_membrane_edge);
	m->slots.size = sizeof(uint32_t);
	m->now.size = sizeof(oz_membrane_chamber_now);
	m->sums.size = sizeof(oz_membrane_sums);
	m->surface_rules = oz_membrane_surface_rules_of(sim);
}

static void close(oz_sim *sim, void *state)
{
	oz_membrane *m = state;
	if (sim->device)
		oz_membrane_release(sim, m);
	oz_array_free(sim->heap, &m->chambers);
	oz_array_free(sim->heap, &m->faces);
	oz_array_free(sim->heap, &m->edges);
	oz_array_free(sim->heap, &m->slots);
	oz_array_free(sim->heap, &m->now);
	oz_array_free(sim->heap, &m->sums);
}

// the host finds pressures
static uint32_t needs_host(const oz_sim *sim, const void *state)
{
	(void)sim;
	return ((const oz_membrane *)state)->chambers.count ? OZ_HOST_ALWAYS : 0;
}

// The limits in contact. Sound, with an equation of state: particles of a thin skin are lighter
// than those that press on them, so the time step is multiplied by √share. Speed: the stress of a
// skin is computed once in a step, so a step must be much shorter than an impact.
static float contact_limit(const oz_sim *sim, const oz_membrane *m, oz_limit *rule)
{
	const float h = sim->def.cfl * sim->solid.h, speed = sim->last_step.max_speed;
	const float flown = speed > 0 ? IMPACT_SHARE * h / speed : INFINITY;
	float share = 1;
	*rule = OZ_LIMIT_SPEED;
	if (m->chambers.count == 0 || !(sim->contact->near || sim->step == 0))
		return INFINITY;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		share = fminf(share,
		              oz_membrane_share(sim,
		                                oz_membrane_material(sim,
		                                                     &oz_membrane_chambers(m)[k])));
	const float sound = sim->def.pressure == OZ_PRESSURE_EOS
	                            ? SOUND_SHARE * h * sqrtf(share) / sim->def.sound_speed
	                            : INFINITY;
	if (sound < flown)
		*rule = OZ_LIMIT_SOUND;
	return fminf(sound, flown);
}

// the limit by the stiffness of the skin and the filling: of the explicit and of the simplified
// integration
static float skin_limit(const oz_sim *sim, const oz_membrane *m)
{
	const oz_integration way =
	        m->chambers.count ? oz_membrane_material(sim, oz_membrane_chambers(m))->integration
	                          : OZ_INTEGRATE_IMPLICIT;
	if (way == OZ_INTEGRATE_IMPLICIT || m->counts.vertices == 0)
		return INFINITY;
	// the simplified integration is implicit in the springs, explicit in the gas
	const bool all = way == OZ_INTEGRATE_EXPLICIT;
	const float frequency =
	        sqrtf(m->stiff.filling + (all ? m->stiff.stretch + m->stiff.bend : 0));
	if (!(frequency > 0))
		return INFINITY;
	const float damping = all ? oz_membrane_longest_delay(sim, m) * frequency : 0;
	return sim->def.cfl * (float)STABLE_SHARE / frequency /
	       (damping + sqrtf(damping * damping + 1));
}

static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	oz_limit surface_rule;
	const float contact = contact_limit(sim, state, rule), skin = skin_limit(sim, state),
	            surface = oz_membrane_surface_limit(sim, state, &surface_rule);
	(void)fixed;
	if (skin < contact)
		*rule = OZ_LIMIT_ELASTIC;
	if (surface < fminf(contact, skin))
		*rule = surface_rule;
	return fminf(fminf(contact, skin), surface);
}

// ---- rest --------------------------------------------------------------------------------------

#include "models/membrane/membrane_rest.cl"

// Without contact the δ of a skin is 1 minus this, as at the surface of a solid: contact begins at
// one spacing.
float oz_membrane_layer(const oz_sim *sim)
{
	const oz_fluid *f = &sim->solid;
	const float d = sim->def.spacing;
	float sum = 0;
	for (int x = -4; x <= 4; x++)
		for (int y = -4; y <= 4; y++) {
			const float r2 = d * d * (float)(x * x + y * y + 1);
			sum += oz_lane_first(oz_sph_w(f->smoothing, lane_of(r2), f->h));
		}
	return f->volume * sum;
}

// OZ_PASS_LISTED: writes the densities of the rest shape
static oz_result listed(oz_sim *sim, void *state, oz_error *error)
{
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(sim->device, membrane_rest, s->count, .particle_of_slot = s->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter,
	          .own_rest = s->own_rest, .value = 1 - oz_membrane_layer(sim));
	const oz_result result = oz_membrane_find_rest_crowd(sim, state, error);
	return result == OZ_OK ? oz_device_check(sim->device, error) : result;
}

// OZ_PASS_JOINED: The points of a skin are one component, also where the mesh is so coarse that
// they are no rest neighbours: a face must not press on its own corners.
static oz_result joined(oz_sim *sim, void *state, oz_error *error)
{
	oz_membrane *m = state;
	const oz_result result = oz_membrane_copy(sim, m, error);
	if (result != OZ_OK || m->edges.count == 0)
		return result;
	OZ_LAUNCH(sim->device, membrane_join_slots, m->edges.count, .edges = m->on_device.edges,
	          .slot_of = m->on_device.slot_of, .parent = sim->slots->reshape->parent);
	return oz_device_check(sim->device, error);
}

#define FACE_PAIRS 23.0 // particles near a large face, with a fluid on one side of the skin

// bytes of the contact of faces, for one point with its two faces (membrane_face.c)
static double contact_bytes(void)
{
	const double pairs = 2 * FACE_PAIRS * 5 * sizeof(uint32_t); // near, face_of, the sort
	const double faces = 2 * (sizeof(uint32_t) + sizeof(oz_membrane_frame));
	return pairs + faces + OZ_FACES_EACH * sizeof(oz_membrane_touch) + sizeof(uint32_t) +
	       sizeof(float);
}

// faces, edges and forces of a point: two faces and three edges; the contact of its faces as if the
// skin were stretched in a fluid
static double bytes(const oz_world_def *def, const oz_material_def *material, bool on_gpu)
{
	const double mesh = 2 * sizeof(oz_membrane_face) + 3 * sizeof(oz_membrane_edge);
	// forces; the states of faces and edges, springs
	const double parts = 18 * (sizeof(oz_float4) + sizeof(uint32_t)) + 27 * sizeof(oz_float4) +
	                     12 * sizeof(uint32_t);
	const double contact = material->skin_contact == OZ_SKIN_FACES ? contact_bytes() : 0;
	const double surface = oz_membrane_has_surface(material)
	                               ? sizeof(float) + 4 * sizeof(oz_float4) + sizeof(uint32_t)
	                               : 0;
	(void)def;
	return 2 * mesh + parts + 9 * sizeof(oz_float4) + contact + surface +
	       oz_slots_bytes(2, true, on_gpu);
}

const oz_model_ops oz_membrane_model = {
        .word = "membrane",
        .model = OZ_MEMBRANE,
        .state_size = sizeof(oz_membrane),
        .open = open,
        .close = close,
        .matter = fill_matter,
        .refuse.material = oz_membrane_check_material,
        .refuse.body = check_body,
        .refuse.change = oz_membrane_check_change,
        .changed = changed,
        .added = added,
        .limit = limit,
        .needs_host = needs_host,
        .pass = {[OZ_PASS_LISTED] = listed,
                 [OZ_PASS_JOINED] = joined,
                 [OZ_PASS_RESERVE] = oz_membrane_reserve,
                 [OZ_PASS_DENSITY] = oz_membrane_touch_faces,
                 [OZ_PASS_FORCES] = oz_membrane_press_faces,
                 [OZ_PASS_ELASTIC] = oz_membrane_pull,
                 [OZ_PASS_DONE] = oz_membrane_done},
        .press.bind = {.fix = oz_membrane_fix, .project = oz_membrane_project},
        .press.density = {.rate = oz_membrane_rate,
                          .push = oz_membrane_push,
                          .diagonal = oz_membrane_diagonal},
        .section = "membrane",
        .section_since = 10,
        .save = oz_membrane_save,
        .load = oz_membrane_load,
        .check = oz_membrane_check_loaded,
        .bytes = bytes,
};
