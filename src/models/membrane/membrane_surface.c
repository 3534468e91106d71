// membrane_surface.c: the fluid of the points of a skin (membrane_surface.cl).
//
// `surface_stiffness` K and `surface_viscosity` μ are those of a layer with the thickness and the
// density of the skin. On a lattice of equilateral triangles with one point for each d², d being
// the spacing, the sums have the bulk modulus K t and the viscosity μ t, N/m and N s/m, if
//
//   k = 4 K/(ρ V² (Σ r |W'|)²),   as printed 8 K/(ρ V² Σ r |W'_poly6| Σ r |W'_spiky|)
//   b = 4 μ/(ρ V² Σ r² ∇²W)
//
// Forces are explicit. With D(q) = Σ W' x/r sin(q x) a plane wave of the wave number q has the
// frequency ω² = k V² D², as printed k V² D_poly6 D_spiky/2; the limit of the time step has twice
// that, for uneven meshes.
#include <math.h>

#include "math/sph.h"
#include "models/membrane/membrane.h"

#include "models/membrane/membrane_surface.cl"

#define STABLE_SHARE  1.4f // time step over 1/ω; leapfrog is stable up to 2
#define VISCOUS_SHARE 0.5f // time step over 1/rate; stable up to 2
#define WAVES         24   // wave numbers that are tried, up to 2 π/d

// ---- constants ---------------------------------------------------------------------------------

// the sums over a lattice of a kernel whose slope - W' at r is `slope`
typedef struct kernel_sums {
	float crowd;       // Σ W
	float slope;       // Σ r |W'|
	float wave[WAVES]; // D(q)
} kernel_sums;

typedef struct lattice_sums {
	kernel_sums poly6, spiky;
	float spread, drag; // Σ r² ∇²W, Σ ∇²W
} lattice_sums;

// adds a point at (x, .); `slope`: - W'/r
static void add_to_kernel(kernel_sums *s, float w, float slope, float r2, float x, float d)
{
	s->crowd += w;
	s->slope += r2 * slope;
	for (int k = 0; k < WAVES; k++)
		s->wave[k] += slope * x * sinf(2 * OZ_PI * (float)(k + 1) / (float)WAVES * x / d);
}

static void add_point(lattice_sums *s, float x, float y, float d, float core)
{
	const float r2 = x * x + y * y, u = fmaxf(1 - r2 / (core * core), 0);
	const float peak = oz_lane_first(oz_poly6(lane_of(0.0f), core)),
	            spiky = oz_lane_first(oz_spiky(lane_of(r2), core));
	// the slope of the spiky kernel is not finite over r at the point itself
	const float spiky_slope = r2 > 0 ? -oz_lane_first(oz_spiky_gradient(lane_of(r2), core)) : 0;
	const float drag = r2 > 0 ? oz_lane_first(oz_viscosity_laplacian(lane_of(r2), core)) : 0;
	add_to_kernel(&s->poly6, peak * u * u * u, 6 * peak * u * u / (core * core), r2, x, d);
	add_to_kernel(&s->spiky, spiky, spiky_slope, r2, x, d);
	s->spread += r2 * drag;
	s->drag += drag;
}

// the factors of a fluid whose density has the kernel `w`
static oz_membrane_surface_factors factors_of(const lattice_sums *s, const kernel_sums *w,
                                              float push)
{
	const float n2 = w->crowd * w->crowd, slopes = w->slope * s->spiky.slope;
	float wave = 0;
	for (int k = 0; k < WAVES; k++)
		wave = fmaxf(wave, fabsf(w->wave[k] * s->spiky.wave[k]));
	return (oz_membrane_surface_factors){.push = push * n2 / slopes,
	                                     .drag = 4 * n2 / s->spread,
	                                     .wave = 8 * wave / slopes};
}

oz_membrane_surface_rules oz_membrane_surface_rules_of(const oz_sim *sim)
{
	const float d = sim->def.spacing, core = sim->solid.h;
	const float side = 1.07456993f * d, row = d * d / side;
	const int reach = 2 * (int)(core / d) + 2;
	lattice_sums s = {0};
	for (int x = -reach; x <= reach; x++)
		for (int y = -reach; y <= reach; y++)
			add_point(&s, side * ((float)x + 0.5f * (float)y), row * (float)y, d, core);
	return (oz_membrane_surface_rules){.core = core,
	                                   .rate = 8 * s.drag / s.spread,
	                                   .kept = factors_of(&s, &s.spiky, 4),
	                                   .printed = factors_of(&s, &s.poly6, 8)};
}

static const oz_membrane_surface_factors *factors_for(const oz_membrane_surface_rules *rules,
                                                      const oz_material_def *def)
{
	return def->paper ? &rules->printed : &rules->kept;
}

bool oz_membrane_has_surface(const oz_material_def *def)
{
	return def->surface_stiffness > 0 || def->surface_viscosity > 0;
}

void oz_membrane_write_surface(const oz_membrane_surface_rules *rules, const oz_material_def *def,
                               oz_membrane_chamber_now *now)
{
	const oz_membrane_surface_factors *factors = factors_for(rules, def);
	now->surface = (oz_membrane_surface_now){.push = factors->push * def->surface_stiffness /
	                                                 def->density,
	                                         .drag = factors->drag * def->surface_viscosity /
	                                                 def->density,
	                                         .printed = def->paper};
}

float oz_membrane_surface_limit(const oz_sim *sim, const oz_membrane *m, oz_limit *rule)
{
	float frequency2 = 0, rate = 0;
	for (uint32_t k = 0; k < m->chambers.count; k++) {
		const oz_material_def *def = oz_membrane_material(sim, &oz_membrane_chambers(m)[k]);
		frequency2 = fmaxf(frequency2, factors_for(&m->surface_rules, def)->wave *
		                                       def->surface_stiffness / def->density);
		rate = fmaxf(rate, m->surface_rules.rate * def->surface_viscosity / def->density);
	}
	const float wave = frequency2 > 0 ? STABLE_SHARE / sqrtf(frequency2) : INFINITY;
	const float drag = rate > 0 ? VISCOUS_SHARE / rate : INFINITY;
	*rule = drag < wave ? OZ_LIMIT_VISCOSITY : OZ_LIMIT_ELASTIC;
	return sim->def.cfl * fminf(wave, drag);
}

// ---- checks ------------------------------------------------------------------------------------

oz_result oz_membrane_check_material(const oz_sim *sim, const oz_material_def *def,
                                     const char *where, oz_error *error)
{
	(void)sim;
	if (def->yield_stretch > 0 && def->yield_stretch < 1)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has yield_stretch %g: a skin at rest has the stretch 1 and "
		               "would "
		               "flow; set it to 1 or more, or to 0",
		               where, (double)def->yield_stretch);
	if (!def->paper || oz_membrane_has_surface(def))
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "%s has paper true, which changes the pressure of surface_stiffness, but "
	               "neither that nor surface_viscosity; set surface_stiffness, or remove paper",
	               where);
}

oz_result oz_membrane_check_surface(const oz_sim *sim, const oz_material_def *def, const char *body,
                                    double edge, oz_error *error)
{
	const double core = (double)sim->solid.h;
	if (!oz_membrane_has_surface(def) || edge < core)
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_MESH,
	               "body '%s': surface_stiffness and surface_viscosity act between points "
	               "nearer than %.3g m, but its edges are %.3g m long on average; set both to "
	               "0, or use a finer mesh or a larger spacing",
	               body, core, edge);
}

// the mean length of the edges of a chamber in the shape that its body was given, m
static double mean_edge(const oz_sim *sim, const oz_membrane *m, const oz_membrane_chamber *b)
{
	const oz_membrane_edge *edges = (const oz_membrane_edge *)m->edges.items + b->first_edge;
	double sum = 0;
	for (uint32_t k = 0; k < b->edges; k++)
		sum += (double)edges[k].length;
	return sum * (double)oz_membrane_material(sim, b)->prestretch / b->edges;
}

oz_result oz_membrane_check_change(const oz_sim *sim, const void *state, oz_id material,
                                   const oz_material_def *def, oz_error *error)
{
	const oz_membrane *m = state;
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < m->chambers.count && result == OZ_OK; k++) {
		const oz_membrane_chamber *b = &oz_membrane_chambers(m)[k];
		const oz_body *body = &oz_bodies(sim)[b->body];
		if (body->material == material)
			result = oz_membrane_check_surface(sim, def, body->name,
			                                   mean_edge(sim, m, b), error);
	}
	return result;
}

// ---- memory ------------------------------------------------------------------------------------

// whether a chamber has a surface fluid
static bool any_surface(const oz_sim *sim, const oz_membrane *m)
{
	bool any = false;
	for (uint32_t k = 0; k < m->chambers.count; k++)
		any = any || oz_membrane_has_surface(
		                     oz_membrane_material(sim, &oz_membrane_chambers(m)[k]));
	return any;
}

bool oz_membrane_take_surface(oz_sim *sim, const oz_membrane *m, oz_membrane_surface *s)
{
	const uint32_t n = sim->fields.capacity[OZ_ITEMS_PARTICLES];
	oz_scratch *pool = &sim->scratch;
	if (!any_surface(sim, m))
		return true;
	return (s->spot = OZ_TAKE(pool, oz_float4, "points of skins", n)) &&
	       (s->flow = OZ_TAKE(pool, oz_float4, "flow of skins", n)) &&
	       (s->load = OZ_TAKE(pool, oz_float4, "pressure of skins", n)) &&
	       (s->force = OZ_TAKE(pool, oz_float4, "force of skins", n)) &&
	       (s->reached = OZ_TAKE(pool, uint, "near points of skins", n));
}

void oz_membrane_give_surface(oz_sim *sim, oz_membrane_surface *s)
{
	const void *taken[] = {s->spot, s->flow, s->load, s->force, s->reached};
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*s = (oz_membrane_surface){0};
}

// ---- rest --------------------------------------------------------------------------------------

oz_result oz_membrane_find_rest_crowd(oz_sim *sim, oz_membrane *m, oz_error *error)
{
	const oz_slots *s = sim->slots;
	oz_device *d = sim->device;
	const oz_lists lists = oz_rest_lists(sim, s->members);
	if (!any_surface(sim, m))
		return OZ_OK;
	const oz_result result = oz_membrane_copy(sim, m, error);
	if (result != OZ_OK)
		return result;
	oz_float4 *spot = oz_slots_take(sim, "rest points of skins");
	float *crowd = OZ_TAKE(&sim->scratch, float, "rest density of skins",
	                       sim->fields.capacity[OZ_ITEMS_SLOTS]);
	if (!spot || !crowd) {
		oz_scratch_give(&sim->scratch, spot);
		oz_scratch_give(&sim->scratch, crowd);
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for membranes of %u points; use a larger spacing",
		               m->slots.count);
	}
	oz_membrane_write_skins(sim, m);
	d->ops->clear(d, spot, sizeof *spot * s->count);
	OZ_LAUNCH(d, membrane_rest_spot, m->slots.count, .slot_of = m->on_device.slot_of,
	          .chamber_of = m->on_device.chamber_of, .chambers = m->on_device.chambers,
	          .rest = s->rest, .spot = spot);
	OZ_LAUNCH_PAIRS(d, membrane_rest_crowd, s->count, &lists, .spot = spot, .rest_crowd = crowd,
	                .core = m->surface_rules.core);
	OZ_LAUNCH(d, membrane_rest_keep, m->slots.count, .slot_of = m->on_device.slot_of,
	          .crowd = crowd, .rest_crowd = m->on_device.rest_crowd);
	oz_scratch_give(&sim->scratch, spot);
	oz_scratch_give(&sim->scratch, crowd);
	return oz_device_check(d, error);
}

// ---- a step ------------------------------------------------------------------------------------

void oz_membrane_add_surface(oz_sim *sim, const oz_membrane *m)
{
	const oz_membrane_buffers *b = &m->on_device;
	const oz_membrane_surface *s = &m->work.surface;
	const uint32_t particles = sim->particles.count;
	const float core = m->surface_rules.core;
	oz_device *d = sim->device;
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, oz_support_radius(sim));
	if (!s->spot)
		return;
	OZ_LAUNCH(d, membrane_surface_clear, particles, .position = sim->particles.position,
	          .spot = s->spot, .flow = s->flow, .load = s->load, .reached = s->reached);
	OZ_LAUNCH(d, membrane_surface_gather, m->slots.count, .slot_of = b->slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot, .chamber_of = b->chamber_of,
	          .chambers = b->chambers, .direction = m->work.direction,
	          .rest_crowd = b->rest_crowd, .listed = lists.count, .spot = s->spot,
	          .flow = s->flow, .load = s->load, .reached = s->reached);
	lists.count = s->reached;
	OZ_LAUNCH_PAIRS(d, membrane_surface_density, particles, &lists, .spot = s->spot,
	                .flow = s->flow, .load = s->load, .core = core);
	OZ_LAUNCH_PAIRS(d, membrane_surface_force, particles, &lists, .spot = s->spot,
	                .flow = s->flow, .load = s->load, .force = s->force, .core = core);
	OZ_LAUNCH(d, membrane_surface_add, m->slots.count, .slot_of = b->slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot, .chamber_of = b->chamber_of,
	          .chambers = b->chambers, .force = s->force, .image = m->work.image);
}
