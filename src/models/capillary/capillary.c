// capillary.c: surface tension: launches its kernels, and limits the time step.
#include "models/capillary/capillary.h"

#include <math.h>

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "math/vec.h"

#include "models/capillary/capillary.cl"
#include "models/capillary/capillary_front.cl"
#include "models/capillary/capillary_sum.cl"

#define SHARE 0.5f // of the time in which the shortest capillary wave moves by one radian

// A puddle is at most two capillary lengths, √(σ/(ρ g)), high. Below three spacings of height the
// surface has no shape that particles could have, so surface tension is left out.
#define PUDDLE_MOST  2.0
#define PUDDLE_LEAST 3.0 // spacings

bool oz_capillary_flows(const oz_material_def *m)
{
	return oz_model_has(m->model, OZ_TRAIT_FLOWS) && m->model != OZ_BLEND;
}

static bool has_surface(const oz_material_def *m)
{
	return m->surface_tension > 0 && oz_capillary_flows(m);
}

double oz_capillary_length(const oz_world_def *world, const oz_material_def *m)
{
	const double g = (double)oz_length(world->gravity);
	return has_surface(m) && g > 0 ? sqrt((double)m->surface_tension / ((double)m->density * g))
	                               : INFINITY;
}

double oz_capillary_spacing(const oz_world_def *world, const oz_material_def *m)
{
	return has_surface(m) ? PUDDLE_MOST / PUDDLE_LEAST * oz_capillary_length(world, m) : 0;
}

double oz_interface_spacing(const oz_world_def *world, const oz_material_def *a,
                            const oz_material_def *b, double tension)
{
	const double weight =
	        fabs((double)a->density - (double)b->density) * (double)oz_length(world->gravity);
	return PUDDLE_MOST / PUDDLE_LEAST * (weight > 0 ? sqrt(tension / weight) : INFINITY);
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	const bool acts = (double)sim->def.spacing <= oz_capillary_spacing(&sim->def, def);
	m->flow.surface_tension = acts ? def->surface_tension : 0;
	// holds single particles to the surface
	m->flow.cohesion = fmaxf(m->flow.cohesion, m->flow.surface_tension / sim->def.spacing);
	m->wetting = cosf(def->contact_angle * (float)(M_PI / 180));
}

static bool needed(const oz_sim *sim, const void *state, const oz_addition *a)
{
	// also where gravity leaves it out now: gravity may change
	const oz_id m = oz_bodies(sim)[a->body].material;
	return has_surface(&oz_materials(sim)[m]) || oz_interfaces_have(state, m);
}

// the largest σ/ρ of all surfaces and interfaces, m³/s²; 0: there is none
static float largest_tension(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	float most = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		most = fmaxf(most, m[k].flow.surface_tension * m[k].inv_density);
	return fmaxf(most, oz_interfaces_largest(sim, oz_model_state(sim, &oz_capillary_model)));
}

static bool has_fronts(const oz_capillary *c)
{
	for (int k = 0; k < CAPILLARY_FRONTS * CAPILLARY_FRONTS; k++)
		if (c->rules.between[k] > 0)
			return true;
	return false;
}

// ---- scratch -----------------------------------------------------------------------------------

static uint32_t groups_of(uint32_t items)
{
	return (items - 1) / OZ_GROUP + 1;
}

// records of `sums`: the groups of all levels
static uint32_t count_sums(uint32_t particles)
{
	uint32_t all = 1;
	for (uint32_t groups = groups_of(particles); groups > 1; groups = groups_of(groups))
		all += groups;
	return all;
}

static oz_result give_scratch(oz_sim *sim, void *state, oz_error *error)
{
	oz_capillary *c = state;
	const void *taken[] = {c->solid, c->lining,  c->rub,   c->edge,   c->sheet,
	                       c->bend,  c->force,   c->touch, c->liquid, c->outer,
	                       c->sums,  c->tension, c->side,  c->stray,  c->meets};
	(void)error;
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	*c = (oz_capillary){.rules = c->rules, .interfaces = c->interfaces};
	return OZ_OK;
}

static bool take_all(oz_sim *sim, oz_capillary *c)
{
	const uint32_t n = sim->particles.capacity;
	oz_scratch *s = &sim->scratch;
	oz_float4 **records[] = {&c->solid, &c->lining, &c->rub,  &c->edge,  &c->sheet,
	                         &c->bend,  &c->force,  &c->side, &c->stray, &c->meets};
	for (size_t k = 0; k < sizeof records / sizeof *records; k++)
		if (!(*records[k] = OZ_TAKE(s, oz_float4, "surface tension", n)))
			return false;
	return (c->tension = OZ_TAKE(s, float, "tension of surfaces", n)) &&
	       (c->touch = OZ_TAKE(s, float, "touch of surfaces", n)) &&
	       (c->liquid = OZ_TAKE(s, uint, "liquids with surface tension", n)) &&
	       (c->outer = OZ_TAKE(s, uint, "particles at surfaces", n)) &&
	       (c->sums = OZ_TAKE(s, capillary_sums, "sums of surface tension", count_sums(n)));
}

static oz_result take_scratch(oz_sim *sim, void *state, oz_error *error)
{
	if (largest_tension(sim) == 0 || take_all(sim, state))
		return OZ_OK;
	give_scratch(sim, state, NULL);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the surface tension of %u particles; use a larger "
	               "spacing",
	               sim->particles.count);
}

// ---- the step ----------------------------------------------------------------------------------

// V Σ ∇W and V Σ W over the layers of a cubic lattice from `first` layers away on, 1/m and 1
static void add_layers(const oz_fluid *f, float spacing, int first, float *slope, float *lack)
{
	const int reach = (int)(f->h / spacing) + 1;
	for (int y = first; y <= reach; y++)
		for (int x = -reach; x <= reach; x++)
			for (int z = -reach; z <= reach; z++) {
				const float r2 = (float)(x * x + y * y + z * z) * spacing * spacing;
				*slope -= f->volume * (float)y * spacing *
				          oz_sph_gradient(f->smoothing, lane_of(r2), f->h)[0];
				*lack += f->volume * oz_sph_w(f->smoothing, lane_of(r2), f->h)[0];
			}
}

static void open(oz_sim *sim, void *state)
{
	capillary_rules r = {.h = oz_support_radius(sim), .spacing = sim->def.spacing};
	add_layers(&sim->fluid, r.spacing, 1, &r.slope_first, &r.lack_first);
	add_layers(&sim->fluid, r.spacing, 2, &r.slope_second, &r.lack_second);
	r.doubled = 0.5f + 0.5f * powf(1 - r.spacing * r.spacing / (r.h * r.h), 3);
	oz_capillary *c = state;
	c->rules = r;
	c->interfaces.size = sizeof(oz_interface_def);
	oz_interfaces_follow(sim, c);
}

// writes n and a, and which particles are at a surface
static void find_edge(oz_sim *sim, const oz_capillary *c)
{
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, c->rules.h);
	OZ_LAUNCH(sim->device, capillary_gather, p->count, .material = p->material,
	          .matter = sim->matter, .slot = OZ_OPTIONAL(sim->slots->slot),
	          .shapeless = OZ_OPTIONAL(sim->slots->shapeless), .listed = lists.count,
	          .nozzle = OZ_OPTIONAL(b->nozzle), .solid = c->solid, .liquid = c->liquid,
	          .tension = c->tension, .slots = sim->slots->count,
	          .nozzles = b->nozzle ? b->nozzles.count : 0);
	if (b->colliders.count)
		OZ_LAUNCH(sim->device, capillary_walls, p->count, .position = p->position,
		          .wall = p->wall, .collider = b->collider, .table = b->wall_table,
		          .places = OZ_OPTIONAL(b->sdfs.places),
		          .nearest = OZ_OPTIONAL(b->sdfs.nearest),
		          .wall_nodes = OZ_OPTIONAL(b->sdfs.wall_nodes), .lining = c->lining,
		          .rub = c->rub, .walls = oz_wall_rules_of(b, sim), .rules = c->rules,
		          .dt = sim->time_step);
	lists.count = c->liquid;
	OZ_LAUNCH_PAIRS(sim->device, capillary_outline, p->count, &lists, .position = p->position,
	                .solid = c->solid, .lining = c->lining, .liquid = c->liquid,
	                .edge = c->edge, .outer = c->outer, .touch = c->touch, .meets = c->meets,
	                .fluid = sim->fluid, .rules = c->rules, .lined = b->colliders.count > 0);
}

// the same for the interfaces of liquids
static void find_front(oz_sim *sim, const oz_capillary *c)
{
	const oz_particles *p = &sim->particles;
	const oz_boundary *b = sim->boundary;
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, c->rules.h);
	OZ_LAUNCH(sim->device, capillary_side, p->count, .material = p->material,
	          .listed = lists.count, .nozzle = OZ_OPTIONAL(b->nozzle), .side = c->side,
	          .liquid = c->liquid, .rules = c->rules,
	          .nozzles = b->nozzle ? b->nozzles.count : 0);
	lists.count = c->liquid;
	OZ_LAUNCH_PAIRS(sim->device, capillary_front, p->count, &lists, .position = p->position,
	                .side = c->side, .solid = c->solid, .lining = c->lining,
	                .liquid = c->liquid, .edge = c->edge, .outer = c->outer, .touch = c->touch,
	                .meets = c->meets, .tension = c->tension, .stray = c->stray,
	                .fluid = sim->fluid, .rules = c->rules, .lined = b->colliders.count > 0);
}

// pushes strays out of the other liquid
static void part_strays(oz_sim *sim, const oz_capillary *c)
{
	const oz_particles *p = &sim->particles;
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, c->rules.h);
	lists.count = c->liquid;
	OZ_LAUNCH_PAIRS(sim->device, capillary_part, p->count, &lists, .position = p->position,
	                .side = c->side, .stray = c->stray, .material = p->material,
	                .matter = sim->matter, .acceleration = p->acceleration, .fluid = sim->fluid,
	                .rules = c->rules);
}

// writes the forces of all particles at surfaces
static void find_force(oz_sim *sim, const oz_capillary *c)
{
	const oz_particles *p = &sim->particles;
	oz_lists lists = oz_neighbours_lists(&sim->neighbours, c->rules.h);
	lists.count = c->outer;
	OZ_LAUNCH_PAIRS(sim->device, capillary_sheet, p->count, &lists, .position = p->position,
	                .edge = c->edge, .touch = c->touch, .meets = c->meets, .sheet = c->sheet,
	                .rules = c->rules);
	OZ_LAUNCH_PAIRS(sim->device, capillary_bend, p->count, &lists, .position = p->position,
	                .sheet = c->sheet, .bend = c->bend, .rules = c->rules);
	OZ_LAUNCH_PAIRS(sim->device, capillary_pull, p->count, &lists, .position = p->position,
	                .sheet = c->sheet, .bend = c->bend, .tension = c->tension,
	                .force = c->force, .rules = c->rules);
}

// adds the forces to the accelerations, without their sum and torque if nothing holds the surfaces
static void add_force(oz_sim *sim, const oz_capillary *c, bool rubs)
{
	const oz_particles *p = &sim->particles;
	const float s = sim->def.spacing;
	uint32_t groups = groups_of(p->count), at = 0;
	OZ_LAUNCH(sim->device, capillary_sum, p->count, .position = p->position, .force = c->force,
	          .touch = c->touch, .meets = c->meets, .groups = c->sums, .first = 0);
	while (groups > 1) {
		OZ_LAUNCH(sim->device, capillary_total, groups, .in = c->sums, .groups = c->sums,
		          .from = at, .first = at + groups);
		at += groups;
		groups = groups_of(groups);
	}
	OZ_LAUNCH(sim->device, capillary_add, p->count, .position = p->position,
	          .velocity = p->velocity, .rub = c->rub, .force = c->force, .sums = c->sums,
	          .material = p->material, .matter = sim->matter, .acceleration = p->acceleration,
	          .volume = s * s * s, .at = at,
	          .lined = rubs && sim->boundary->colliders.count > 0);
}

// OZ_PASS_FORCES
static oz_result pull_surfaces(oz_sim *sim, void *state, oz_error *error)
{
	(void)error;
	if (sim->particles.count == 0 || largest_tension(sim) == 0)
		return OZ_OK;
	oz_interfaces_follow(sim, state);
	find_edge(sim, state);
	find_force(sim, state);
	add_force(sim, state, true);
	if (has_fronts(state)) {
		find_front(sim, state);
		part_strays(sim, state);
		find_force(sim, state);
		add_force(sim, state, false);
	}
	return OZ_OK;
}

// a wave of a length of two spacings: ω² = σ k³/ρ
static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	const float tension = largest_tension(sim), k = (float)M_PI / sim->def.spacing;
	(void)state;
	(void)fixed;
	*rule = OZ_LIMIT_TENSION;
	return tension > 0 ? sim->def.cfl * SHARE / sqrtf(tension * k * k * k) : INFINITY;
}

static void close(oz_sim *sim, void *state)
{
	oz_array_free(sim->heap, &((oz_capillary *)state)->interfaces);
}

static void save(const oz_sim *sim, const void *state, oz_section *section)
{
	(void)sim;
	oz_interfaces_save(state, section);
}

static oz_result load(oz_sim *sim, void *state, oz_section *section, oz_error *error)
{
	(void)state;
	return oz_interfaces_load(sim, section, error);
}

static const oz_thing_ops interfaces = {OZ_PARAMS_INTERFACE, offsetof(oz_capillary, interfaces),
                                        oz_interface_add};

static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	(void)on_gpu;
	return (double)def->spacing <= oz_capillary_spacing(def, m)
	               ? 10 * sizeof(oz_float4) + 2 * sizeof(float) + 2 * sizeof(uint)
	               : 0;
}

const oz_model_ops oz_capillary_model = {
        .word = "surface tension",
        .model = OZ_ALL_MODELS,
        .state_size = sizeof(oz_capillary),
        .open = open,
        .close = close,
        .needed = needed,
        .matter = fill_matter,
        .limit = limit,
        .pass = {[OZ_PASS_RESERVE] = take_scratch,
                 [OZ_PASS_FORCES] = pull_surfaces,
                 [OZ_PASS_DONE] = give_scratch},
        .things = &interfaces,
        .section = "interfaces",
        .section_since = 13,
        .save = save,
        .load = load,
        .bytes = bytes,
};
