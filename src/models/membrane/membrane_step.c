// membrane_step.c: a step of membranes.
//
// The host computes the pressure of each chamber from its volume, by its filling:
//
//   gas      P = N R T/V - P_outside,   - dP/dV = N R T/V²
//   liquid   P = B (V₀ - V)/V₀,         - dP/dV = B/V₀
//
// Gas leaves, or enters, through openings and torn faces of the area A at the rate
// 0.6 A √(2 |P|/ρ). The implicit step multiplies stiffnesses by Δt and adds the damping; the
// explicit one multiplies the damping alone: `ahead` is Δt or 0.
#include <math.h>

#include "models/heat/heat_model.h"
#include "models/membrane/membrane.h"
#include "models/rigid/rigid_math.h"
#include "solver/cg.h"

#include "models/membrane/membrane.cl"
#include "models/membrane/membrane_solve.cl"
#include "models/membrane/membrane_sum.cl"
#include "models/membrane/membrane_yield.cl"

#define TOLERANCE  1e-3f // of the residual, over the first one
#define STILL      1e-4f // speeds below this share of g Δt count as 0
#define ITERATIONS 200u  // at most, of conjugate gradients
#define SOFT       1.0f // largest stiffness of bending times Δt² in an explicit step; stable up to 2
#define DIVERGED   100.0f // a residual r·r above this multiple of the first is no solution

// ---- the filling -------------------------------------------------------------------------------

#define GAS_CONSTANT 8.314462618 // J/(mol·K)
#define ZERO_CELSIUS 273.15
#define AIR          0.02896 // kg/mol
#define WATER        1000.0  // kg/m³, of a liquid filling that has no weight
#define OUTFLOW      0.6     // contraction of a jet from a sharp edge
#define LEAST_VOLUME 1e-3    // of that at rest: gas is not compressed further

// Subtracts what flows out through openings and torn faces in a step, at most until the pressure
// is 0; an inflow is negative.
static void leak(const oz_material_def *def, oz_membrane_chamber *b, double time, double dt)
{
	const double area = oz_membrane_opening(def, time) + b->torn;
	const double kelvin = b->temperature + ZERO_CELSIUS,
	             outside = (double)def->outside_pressure;
	if (!(area > 0))
		return;
	if (def->filling == OZ_FILLING_LIQUID) {
		const double rho = def->filling_density > 0 ? (double)def->filling_density : WATER;
		const double flow = OUTFLOW * area * sqrt(2 * fabs(b->pressure) / rho);
		const double most = b->filled - b->volume;
		b->filled -= copysign(fmin(flow * dt, fabs(most)), most);
		return;
	}
	const double molar = GAS_CONSTANT * kelvin / fmax(outside, outside + b->pressure);
	const double flow = OUTFLOW * area * sqrt(2 * fabs(b->pressure) * molar / AIR);
	const double most = b->amount - outside * b->volume / (GAS_CONSTANT * kelvin);
	b->amount -= copysign(fmin(flow * dt / molar, fabs(most)), most);
}

// writes the pressure of a chamber at its present volume; returns - dP/dV, Pa/m³
static double find_pressure(const oz_material_def *def, oz_membrane_chamber *b)
{
	if (def->filling == OZ_FILLING_NONE) {
		b->pressure = 0;
		return 0;
	}
	if (def->filling == OZ_FILLING_LIQUID) {
		const double filled = fmax(b->filled, 1e-30), bulk = (double)def->bulk_modulus;
		b->pressure = bulk * (filled - b->volume) / filled;
		return bulk / filled;
	}
	const double heat = b->amount * GAS_CONSTANT * (b->temperature + ZERO_CELSIUS);
	const double least = LEAST_VOLUME * heat / fmax((double)def->outside_pressure, 1);
	const double volume = fmax(b->volume, fmax(least, 1e-30));
	b->pressure = heat / volume - (double)def->outside_pressure;
	return heat / (volume * volume);
}

// ---- chambers ----------------------------------------------------------------------------------

// the constants of the skin of a chamber
static void write_skin(const oz_sim *sim, const oz_membrane *m, const oz_material_def *def,
                       oz_membrane_chamber_now *n)
{
	const bool rubber = def->skin_law == OZ_SKIN_RUBBER;
	const float nu = rubber ? 0.5f : def->poisson_ratio;
	const float young = def->young_modulus * def->thickness, d = sim->def.spacing;
	n->lame = young * nu / (1 - nu * nu);
	n->shear = young / (1 + nu);
	n->c1 = young / 6.6f;
	n->c2 = 0.1f * n->c1;
	n->delay = def->skin_damping;
	n->bounds.tear = def->tear;
	n->bounds.yield = def->yield_stretch;
	n->faces_press = def->skin_contact == OZ_SKIN_FACES;
	n->law = rubber                             ? OZ_LAW_RUBBER
	         : def->skin_law == OZ_SKIN_SPRINGS ? OZ_LAW_SPRINGS
	                                            : OZ_LAW_LINEAR;
	n->density = def->density * oz_membrane_share(sim, def);
	n->inv_mass = 1 / (n->density * d * d * d);
	oz_membrane_write_surface(&m->surface_rules, def, n);
	n->linear = n->angular = n->centre = n->fall = n->middle = n->tilt = oz_v3(0, 0, 0);
}

// divides the mass of a liquid filling among the vertices
static void carry_filling(const oz_sim *sim, const oz_membrane_chamber *b,
                          oz_membrane_chamber_now *n)
{
	const oz_material_def *def = oz_membrane_material(sim, b);
	const double skin = b->vertices / (double)n->inv_mass;
	n->skin_share = (float)(skin / (skin + oz_membrane_filling_mass(def, b)));
	n->inv_mass *= n->skin_share;
	n->density /= n->skin_share;
}

double oz_membrane_filling_mass(const oz_material_def *def, const oz_membrane_chamber *b)
{
	return def->filling == OZ_FILLING_LIQUID ? (double)def->filling_density * b->filled : 0;
}

// copies the constants of chambers to the device
static void write_chambers(oz_sim *sim, const oz_membrane *m)
{
	sim->device->ops->write(sim->device, m->on_device.chambers, 0, m->now.items,
	                        sizeof *m->on_device.chambers * m->chambers.count);
}

void oz_membrane_write_skins(oz_sim *sim, oz_membrane *m)
{
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		const oz_membrane_chamber *b = &oz_membrane_chambers(m)[k];
		oz_membrane_chamber_now *now = &oz_membrane_now(m)[k];
		const uint pressed = now->faces_press;
		write_skin(sim, m, oz_membrane_material(sim, b), now);
		carry_filling(sim, b, now);
		m->contact.valid = m->contact.valid && now->faces_press == pressed;
	}
	write_chambers(sim, m);
}

bool oz_membrane_flows(const oz_membrane *m)
{
	bool any = false;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		any = any || oz_membrane_now(m)[k].bounds.yield > 0;
	return any;
}

// adds up the sums of chunks for each chamber, on the device
static void join(oz_sim *sim, const oz_membrane *m, uint of_faces, uint exact)
{
	const oz_membrane_buffers *b = &m->on_device;
	OZ_LAUNCH(sim->device, membrane_join, m->chambers.count, .chambers = b->chambers,
	          .chunk_sums = b->chunk_sums, .sums = b->sums, .of_faces = of_faces,
	          .exact = exact);
}

// reads the sums of chambers on the host
static const oz_membrane_sums *read_sums(oz_sim *sim, const oz_membrane *m)
{
	sim->device->ops->read(sim->device, m->sums.items, m->on_device.sums, 0,
	                       sizeof(oz_membrane_sums) * m->chambers.count);
	return m->sums.items;
}

// whether the filling of a chamber has a mass
static bool any_heavy(const oz_membrane *m)
{
	bool any = false;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		any = any || oz_membrane_now(m)[k].skin_share < 1;
	return any;
}

// finds the acceleration of chambers with a heavy filling, and the gradient of its pressure
static void find_falls(oz_sim *sim, const oz_membrane *m)
{
	const oz_membrane_buffers *b = &m->on_device;
	const oz_vec3 g = sim->def.gravity;
	if (!any_heavy(m))
		return;
	OZ_LAUNCH(sim->device, membrane_mean, m->counts.vertex_chunks, .chunks = b->vertex_chunks,
	          .chambers = b->chambers, .place = m->work.place, .slot_of = b->slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .acceleration = sim->particles.acceleration, .sums = b->chunk_sums);
	join(sim, m, 0, false);
	const oz_membrane_sums *sums = read_sums(sim, m);
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		const oz_membrane_chamber *chamber = &oz_membrane_chambers(m)[k];
		oz_membrane_chamber_now *now = &oz_membrane_now(m)[k];
		const float *s = sums[k].s, one = 1 / (float)chamber->vertices,
		            skin = now->skin_share;
		const double mass =
		        oz_membrane_filling_mass(oz_membrane_material(sim, chamber), chamber);
		const oz_vec3 mean =
		        oz_v3(one * s[OZ_SUM_P], one * s[OZ_SUM_P + 1], one * s[OZ_SUM_P + 2]);
		now->fall = oz_mad(oz_scale(g, 1 - skin), mean, skin);
		now->middle =
		        oz_v3(one * s[OZ_SUM_X], one * s[OZ_SUM_X + 1], one * s[OZ_SUM_X + 2]);
		now->tilt = oz_scale(oz_sub(g, now->fall),
		                     (float)(mass / fmax(chamber->volume, 1e-30)));
	}
	write_chambers(sim, m);
}

// finds the volume of each chamber, lets gas or liquid leave, and finds the pressure
static void inflate(oz_sim *sim, oz_membrane *m)
{
	const oz_membrane_buffers *b = &m->on_device;
	OZ_LAUNCH(sim->device, membrane_volume, m->counts.face_chunks, .chunks = b->face_chunks,
	          .faces = b->faces, .chambers = b->chambers, .place = m->work.place,
	          .sums = b->chunk_sums);
	join(sim, m, 1, true);
	const oz_membrane_sums *sums = read_sums(sim, m);
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		oz_membrane_chamber *chamber = &oz_membrane_chambers(m)[k];
		oz_membrane_chamber_now *now = &oz_membrane_now(m)[k];
		const oz_material_def *def = oz_membrane_material(sim, chamber);
		const float *s = sums[k].s;
		chamber->volume = (double)s[OZ_SUM_VOLUME] + (double)s[OZ_SUM_ROUNDING];
		chamber->area = (double)s[OZ_SUM_AREA];
		chamber->torn = (double)s[OZ_SUM_TORN];
		oz_membrane_turn_valve(def, chamber, sim->time, sim->time + (double)sim->time_step);
		leak(def, chamber, sim->time, (double)sim->time_step);
		now->stiffness = (float)find_pressure(def, chamber);
		now->pressure = (float)chamber->pressure;
	}
	write_chambers(sim, m);
}

// ---- forces ------------------------------------------------------------------------------------

// the accelerations of the skin into `image`
static void find_forces(oz_sim *sim, const oz_membrane *m)
{
	const oz_membrane_buffers *b = &m->on_device;
	const oz_membrane_work *w = &m->work;
	OZ_LAUNCH(sim->device, membrane_stretch, m->faces.count, .faces = b->faces,
	          .chambers = b->chambers, .place = w->place, .state = w->stretched,
	          .part = w->part);
	OZ_LAUNCH(sim->device, membrane_bend, m->edges.count, .edges = b->edges, .faces = b->faces,
	          .chambers = b->chambers, .place = w->place, .state = w->bent, .taut = w->taut,
	          .part = w->part, .first = 3 * m->faces.count);
	OZ_LAUNCH(sim->device, membrane_add, m->slots.count, .start = b->start, .parts = b->parts,
	          .chamber_of = b->chamber_of, .chambers = b->chambers, .part = w->part,
	          .image = w->image);
	oz_membrane_add_surface(sim, m);
}

void oz_membrane_multiply(oz_sim *sim, const oz_membrane *m, bool bent)
{
	const oz_membrane_buffers *b = &m->on_device;
	const oz_membrane_work *w = &m->work;
	OZ_LAUNCH(sim->device, membrane_flux, m->counts.vertex_chunks, .chunks = b->vertex_chunks,
	          .swell = w->swell, .direction = w->direction, .sums = b->chunk_sums);
	join(sim, m, 0, true);
	if (bent)
		OZ_LAUNCH(sim->device, membrane_bend_product, m->edges.count, .edges = b->edges,
		          .chambers = b->chambers, .direction = w->direction, .state = w->bent,
		          .part = w->part, .first = 3 * m->faces.count, .ahead = m->ahead);
	OZ_LAUNCH(sim->device, membrane_product, m->slots.count, .start = b->start,
	          .parts = b->parts, .link_start = b->link_start, .link = b->link,
	          .chamber_of = b->chamber_of, .chambers = b->chambers, .flux = b->sums,
	          .swell = w->swell, .taut = w->taut, .block = w->block, .direction = w->direction,
	          .part = w->part, .image = w->image, .bent = bent,
	          .edge_parts = 3 * m->faces.count, .ahead = m->ahead);
}

static void apply_all(void *context)
{
	oz_membrane_multiply(context, oz_model_state(context, &oz_membrane_model), true);
}

static void apply_faces(void *context)
{
	oz_membrane_multiply(context, oz_model_state(context, &oz_membrane_model), false);
}

// ---- the solution ------------------------------------------------------------------------------

// raises an event at the first of successive steps that do not converge
static void report(oz_sim *sim, oz_membrane *m, bool unsolved, float share)
{
	if (unsolved && !m->unsolved)
		oz_event_raise(sim, OZ_EVENT_NOT_CONVERGED, OZ_NONE, share,
		               "membranes: %.1g of the residual is left after %u iterations; lower "
		               "time_step_max or young_modulus",
		               (double)share, ITERATIONS);
	m->unsolved = unsolved;
}

// a residual r·r that is negligible against the change of velocity by gravity
static float negligible(const oz_sim *sim, const oz_membrane *m)
{
	const float speed = STILL * oz_length(sim->def.gravity) * sim->time_step;
	float density = 0;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		density = fmaxf(density, oz_membrane_now(m)[k].density);
	return density * speed * speed * (float)m->slots.count;
}

// the implicit step: solves for delta_v by conjugate gradients
static void solve(oz_sim *sim, oz_membrane *m, const oz_cg *cg)
{
	const oz_float4 first = oz_cg_read(cg, OZ_CG_NORM);
	const float enough =
	        fmaxf(TOLERANCE * TOLERANCE * fmaxf(first.y, first.z), negligible(sim, m));
	float left = first.y;
	m->iterations =
	        oz_cg_solve(cg, (oz_cg_goal){.enough = enough, .rounds = ITERATIONS}, &left);
	report(sim, m, !(left <= 100 * enough), first.y > 0 ? sqrtf(left / first.y) : 0);
	m->solved = left <= DIVERGED * fmaxf(first.y, first.z);
	// the solver diverged: drop its result; the chamber moves as if it were rigid
	if (!m->solved)
		sim->device->ops->clear(sim->device, m->work.delta_v,
		                        sizeof *m->work.delta_v * m->slots.count);
}

// delta_v by the simplified step (eq 2.7-2.10)
static void step_simply(oz_sim *sim, const oz_membrane *m, float kick)
{
	const oz_membrane_buffers *b = &m->on_device;
	OZ_LAUNCH(sim->device, membrane_simplified, m->slots.count, .start = b->start,
	          .parts = b->parts, .chamber_of = b->chamber_of, .edges = b->edges,
	          .chambers = b->chambers, .spring_sum = b->spring_sum,
	          .residual = m->work.residual, .delta_v = m->work.delta_v,
	          .edge_parts = 3 * m->faces.count,
	          .span = kick * (sim->time_step + oz_membrane_longest_delay(sim, m)));
}

// The integration of all chambers is that of the first one.
static oz_integration integration_of(const oz_sim *sim, const oz_membrane *m)
{
	return oz_membrane_material(sim, oz_membrane_chambers(m))->integration;
}

bool oz_membrane_bends(const oz_sim *sim, const oz_membrane *m, float kick)
{
	const float delay = oz_membrane_longest_delay(sim, m);
	return kick * (sim->time_step + delay) * m->stiff.bend > SOFT;
}

oz_cg oz_membrane_cg(oz_sim *sim, const oz_membrane *m, float kick)
{
	const oz_membrane_work *w = &m->work;
	return (oz_cg){.device = sim->device,
	               .count = m->slots.count,
	               .span = kick,
	               .residual = w->residual,
	               .direction = w->direction,
	               .image = w->image,
	               .delta_v = w->delta_v,
	               .block = w->brace,
	               .sums = m->on_device.cg_sums,
	               .apply = oz_membrane_bends(sim, m, kick) ? apply_all : apply_faces,
	               .context = sim};
}

// writes delta_v by the integration of the world
static void find_delta_v(oz_sim *sim, oz_membrane *m, float kick)
{
	const oz_membrane_buffers *b = &m->on_device;
	const oz_membrane_work *w = &m->work;
	const oz_slots *s = sim->slots;
	const oz_integration way = integration_of(sim, m);
	const oz_cg cg = oz_membrane_cg(sim, m, kick);
	m->solved = false;
	m->ahead = way == OZ_INTEGRATE_IMPLICIT ? sim->time_step : 0;
	OZ_LAUNCH(sim->device, membrane_begin, m->slots.count, .slot_of = b->slot_of,
	          .particle_of_slot = s->particle_of_slot, .chamber_of = b->chamber_of,
	          .chambers = b->chambers, .acceleration = sim->particles.acceleration,
	          .image = w->image, .outer = w->outer, .delta_v = w->delta_v,
	          .residual = w->residual, .gravity = sim->def.gravity, .kick = kick);
	if (!m->stiff.springs)
		OZ_LAUNCH(sim->device, membrane_block, m->edges.count, .edges = b->edges,
		          .faces = b->faces, .chambers = b->chambers, .state = w->stretched,
		          .block = w->block, .ahead = m->ahead);
	OZ_LAUNCH(sim->device, membrane_brace, m->slots.count, .start = b->start, .parts = b->parts,
	          .link_start = b->link_start, .link = b->link, .chamber_of = b->chamber_of,
	          .chambers = b->chambers, .swell = w->swell, .taut = w->taut, .matrix = w->block,
	          .state = w->bent, .block = w->brace, .kick = kick, .ahead = m->ahead,
	          .bent = oz_membrane_bends(sim, m, kick), .edge_parts = 3 * m->faces.count);
	oz_membrane_multiply(sim, m, true);
	OZ_LAUNCH(sim->device, membrane_residual, m->slots.count, .image = w->image,
	          .block = w->brace, .outer = w->outer, .residual = w->residual,
	          .direction = w->direction, .groups = b->cg_sums,
	          .first = oz_cg_first(&cg, OZ_CG_NORM), .kick = kick);
	oz_cg_join(&cg, OZ_CG_NORM);
	if (way == OZ_INTEGRATE_IMPLICIT)
		solve(sim, m, &cg);
	else if (way == OZ_INTEGRATE_SIMPLIFIED)
		step_simply(sim, m, kick);
	else
		OZ_LAUNCH(sim->device, membrane_explicit, m->slots.count, .residual = w->residual,
		          .delta_v = w->delta_v);
}

// ---- momentum ----------------------------------------------------------------------------------

// writes the rigid motion that has the momentum and angular momentum that the step has lost; s: the
// sums of `drift` (membrane_sum.cl)
static void find_lost(const float s[OZ_MEMBRANE_SUMS], oz_membrane_chamber_now *n)
{
	const double mass = fmax((double)s[OZ_SUM_MASS], 1);
	double centre[3], p[3], l[3], moved[3], spin[3];
	for (uint c = 0; c < 3; c++) {
		centre[c] = (double)s[OZ_SUM_X + c] / mass;
		p[c] = (double)s[OZ_SUM_P + c];
		l[c] = (double)s[OZ_SUM_L + c];
	}
	oz_cross3d(centre, p, moved);
	oz_add3d(l, moved, -1);
	const double xx = (double)s[OZ_SUM_XX] - mass * centre[0] * centre[0];
	const double xy = (double)s[OZ_SUM_XX + 1] - mass * centre[0] * centre[1];
	const double xz = (double)s[OZ_SUM_XX + 2] - mass * centre[0] * centre[2];
	const double yy = (double)s[OZ_SUM_XX + 3] - mass * centre[1] * centre[1];
	const double yz = (double)s[OZ_SUM_XX + 4] - mass * centre[1] * centre[2];
	const double zz = (double)s[OZ_SUM_XX + 5] - mass * centre[2] * centre[2];
	const double least = 1e-6 * (xx + yy + zz);
	const double inertia[6] =
	        {yy + zz + least, xx + zz + least, xx + yy + least, -xy, -xz, -yz};
	oz_solve3d(inertia, l, spin);
	n->linear = oz_v3((float)(p[0] / mass), (float)(p[1] / mass), (float)(p[2] / mass));
	n->angular = oz_v3((float)spin[0], (float)spin[1], (float)spin[2]);
	n->centre = oz_v3((float)centre[0], (float)centre[1], (float)centre[2]);
}

void oz_membrane_return_momentum(oz_sim *sim, oz_membrane *m, float kick)
{
	const oz_membrane_buffers *b = &m->on_device;
	OZ_LAUNCH(sim->device, membrane_drift, m->counts.vertex_chunks, .chunks = b->vertex_chunks,
	          .chambers = b->chambers, .place = m->work.place, .outer = m->work.outer,
	          .delta_v = m->work.delta_v, .sums = b->chunk_sums, .kick = kick);
	join(sim, m, 0, false);
	const oz_membrane_sums *sums = read_sums(sim, m);
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		oz_membrane_chamber *chamber = &oz_membrane_chambers(m)[k];
		chamber->temperature = (double)sums[k].s[OZ_SUM_TEMPERATURE] / chamber->vertices;
		// the jet from a hole accelerates a torn chamber: its momentum is not corrected
		if (!(chamber->torn > 0))
			find_lost(sums[k].s, &oz_membrane_now(m)[k]);
	}
	write_chambers(sim, m);
}

// ---- the step ----------------------------------------------------------------------------------

// lets faces tear, and skins flow
static void damage(oz_sim *sim, const oz_membrane *m)
{
	const oz_membrane_buffers *b = &m->on_device;
	bool tears = false;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		tears = tears || oz_membrane_now(m)[k].bounds.tear > 0;
	if (tears)
		OZ_LAUNCH(sim->device, membrane_tear, m->faces.count, .chambers = b->chambers,
		          .state = m->work.stretched, .faces = b->faces);
	if (!oz_membrane_flows(m))
		return;
	OZ_LAUNCH(sim->device, membrane_yield, m->faces.count, .chambers = b->chambers,
	          .state = m->work.stretched, .faces = b->faces);
	OZ_LAUNCH(sim->device, membrane_yield_edge, m->edges.count, .chambers = b->chambers,
	          .place = m->work.place, .edges = b->edges);
}

static void copy_particles(oz_sim *sim, const oz_membrane *m)
{
	const float *temperature = oz_heat_of(sim)->temperature;
	OZ_LAUNCH(sim->device, membrane_copy, m->slots.count, .slot_of = m->on_device.slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .position = sim->particles.position, .velocity = sim->particles.velocity,
	          .temperature = OZ_OPTIONAL(temperature), .place = m->work.place,
	          .direction = m->work.direction, .warm = temperature != NULL);
}

oz_result oz_membrane_pull(oz_sim *sim, void *state, oz_error *error)
{
	oz_membrane *m = state;
	const oz_membrane_buffers *b = &m->on_device;
	const float kick = oz_kick(sim);
	if (m->chambers.count == 0)
		return OZ_OK;
	copy_particles(sim, m);
	inflate(sim, m);
	find_falls(sim, m);
	find_forces(sim, m);
	damage(sim, m);
	OZ_LAUNCH(sim->device, membrane_swell, m->slots.count, .start = b->start, .parts = b->parts,
	          .faces = b->faces, .state = m->work.stretched, .swell = m->work.swell,
	          .end_part = 3 * m->faces.count);
	find_delta_v(sim, m, kick);
	oz_membrane_return_momentum(sim, m, kick);
	OZ_LAUNCH(sim->device, membrane_finish, m->slots.count, .slot_of = b->slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot, .chamber_of = b->chamber_of,
	          .chambers = b->chambers, .place = m->work.place, .delta_v = m->work.delta_v,
	          .acceleration = sim->particles.acceleration, .kick = kick);
	sim->report.rounds += m->iterations;
	return oz_device_check(sim->device, error);
}
