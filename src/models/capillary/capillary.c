// capillary.c: surface tension: launches its kernels, and limits the time step.
#include "models/capillary/capillary.h"

#include <math.h>

#include "boundary/boundary.h"
#include "contact/contact.h"
#include "device/batch.h"
#include "math/vec.h"

#include "models/capillary/capillary.cl"
#include "models/capillary/capillary_front.cl"
#include "models/capillary/capillary_sheets.cl"
#include "models/capillary/capillary_sum.cl"

#define SHARE 0.5f // of the time in which the shortest capillary wave moves by one radian

// A puddle is at most two capillary lengths, √(σ/(ρ g)), high. Where that is less than three
// spacings, particles cannot resolve the shape of its surface, and surface tension is left out.
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
	// single particles, which have no curvature, are held to the surface by cohesion
	m->flow.cohesion = fmaxf(m->flow.cohesion, m->flow.surface_tension / sim->def.spacing);
	m->wetting = cosf(def->contact_angle * (float)(M_PI / 180));
}

static bool needed(const oz_sim *sim, const void *state, const oz_addition *a)
{
	// also where it is left out because of gravity: gravity may change
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

// the largest tension of all surfaces and interfaces, N/m
static float largest_surface(const oz_sim *sim)
{
	const oz_matter *m = sim->matters.items;
	const oz_capillary *c = oz_model_state(sim, &oz_capillary_model);
	float most = 0;
	for (uint32_t k = 0; k < sim->matters.count; k++)
		most = fmaxf(most, m[k].flow.surface_tension);
	for (int k = 0; k < CAPILLARY_FRONTS * CAPILLARY_FRONTS; k++)
		most = fmaxf(most, c->rules.between[k]);
	return most;
}

static bool has_fronts(const oz_capillary *c)
{
	for (int k = 0; k < CAPILLARY_FRONTS * CAPILLARY_FRONTS; k++)
		if (c->rules.between[k] > 0)
			return true;
	return false;
}

// ---- scratch -----------------------------------------------------------------------------------

// sheets with a force that so many particles can have, at most
static uint32_t most_sheets(uint32_t particles)
{
	return particles / CAPILLARY_SHEET_LEAST + 1;
}

// the buffers of a step, with the size of an item
typedef struct buffer {
	size_t offset; // of the pointer in oz_capillary
	size_t size;
	const char *name;
	enum { OF_PARTICLES, OF_FRONTS, OF_SHEETS } items; // FRONTS: particles, with interfaces
} buffer;

#define BUFFER(member, type, items, name)                                                          \
	{                                                                                          \
		offsetof(oz_capillary, member), sizeof(type), name, items                          \
	}

static const buffer buffers[] = {
        BUFFER(solid, oz_float4, OF_PARTICLES, "particles of solids"),
        BUFFER(lining, oz_float4, OF_PARTICLES, "walls at surfaces"),
        BUFFER(rub, oz_float4, OF_PARTICLES, "velocity of walls at surfaces"),
        BUFFER(edge, oz_float4, OF_PARTICLES, "normals of surfaces"),
        BUFFER(meets, oz_float4, OF_PARTICLES, "normals of walls at surfaces"),
        BUFFER(skin, oz_float4, OF_PARTICLES, "mean normals of surfaces"),
        BUFFER(bend, oz_float4, OF_PARTICLES, "curvature of surfaces"),
        BUFFER(force, oz_float4, OF_PARTICLES, "forces of surfaces"),
        BUFFER(tension, float, OF_PARTICLES, "tension of surfaces"),
        BUFFER(touch, float, OF_PARTICLES, "touch of surfaces"),
        BUFFER(liquid, uint, OF_PARTICLES, "liquids with surface tension"),
        BUFFER(outer, uint, OF_PARTICLES, "particles at surfaces"),
        BUFFER(side, oz_float4, OF_FRONTS, "liquids with interfaces"),
        BUFFER(stray, oz_float4, OF_FRONTS, "strays at interfaces"),
        BUFFER(parent, uint, OF_PARTICLES, "parents in sheets"),
        BUFFER(sheet, uint, OF_PARTICLES, "sheets of surfaces"),
        BUFFER(members, uint, OF_PARTICLES, "members of sheets"),
        BUFFER(number, uint, OF_PARTICLES, "numbers of sheets"),
        BUFFER(sums, capillary_sums, OF_SHEETS, "sums of sheets"),
        BUFFER(error, capillary_error, OF_SHEETS, "errors of sheets"),
};
#define BUFFERS (sizeof buffers / sizeof *buffers)

// bytes for each particle
static double bytes_of(const buffer *b)
{
	return (double)b->size / (b->items == OF_SHEETS ? CAPILLARY_SHEET_LEAST : 1);
}

// the member of the state that points to a buffer
static void **place_of(oz_capillary *c, const buffer *b)
{
	return (void **)(void *)((char *)c + b->offset);
}

static oz_result give_scratch(oz_sim *sim, void *state, oz_error *error)
{
	(void)error;
	for (size_t k = 0; k < BUFFERS; k++) {
		void **place = place_of(state, &buffers[k]);
		oz_scratch_give(&sim->scratch, *place);
		*place = NULL;
	}
	return OZ_OK;
}

static bool take_all(oz_sim *sim, oz_capillary *c)
{
	const uint32_t n = sim->particles.capacity;
	for (size_t k = 0; k < BUFFERS; k++) {
		const buffer *b = &buffers[k];
		const uint32_t items = b->items == OF_SHEETS ? most_sheets(n) : n;
		if (b->items == OF_FRONTS && !has_fronts(c))
			continue;
		void *taken = oz_scratch_take(&sim->scratch, b->name, b->size * items);
		if (!taken)
			return false;
		*place_of(c, b) = taken;
	}
	return true;
}

static oz_result take_scratch(oz_sim *sim, void *state, oz_error *error)
{
	// before the buffers: interfaces need some of their own
	oz_interfaces_follow(sim, state);
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

// Σ (1 - q²)² over the neighbours of a particle in a cubic lattice
static float count_neighbours(float h, float spacing)
{
	const int reach = (int)(h / spacing) + 1;
	float sum = 0;
	for (int z = -reach; z <= reach; z++)
		for (int y = -reach; y <= reach; y++)
			for (int x = -reach; x <= reach; x++) {
				const float q2 = (float)(x * x + y * y + z * z) * spacing *
				                 spacing / (h * h);
				sum += q2 > 0 && q2 < 1 ? (1 - q2) * (1 - q2) : 0;
			}
	return sum;
}

static void open(oz_sim *sim, void *state)
{
	capillary_rules r = {.h = oz_support_radius(sim), .spacing = sim->def.spacing};
	add_layers(&sim->fluid, r.spacing, 1, &r.slope_first, &r.lack_first);
	add_layers(&sim->fluid, r.spacing, 2, &r.slope_second, &r.lack_second);
	r.neighbours = count_neighbours(r.h, r.spacing);
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

// pushes single particles out of the other liquid
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
	                .edge = c->edge, .touch = c->touch, .meets = c->meets, .skin = c->skin,
	                .rules = c->rules);
	OZ_LAUNCH_PAIRS(sim->device, capillary_bend, p->count, &lists, .position = p->position,
	                .skin = c->skin, .tension = c->tension, .material = p->material,
	                .matter = sim->matter, .bend = c->bend, .rules = c->rules);
	OZ_LAUNCH_PAIRS(sim->device, capillary_pull, p->count, &lists, .position = p->position,
	                .velocity = p->velocity, .skin = c->skin, .bend = c->bend,
	                .tension = c->tension, .force = c->force, .rules = c->rules);
}

// finds the sheet of each particle with an area, and numbers the sheets that have a force
static void find_sheets(oz_sim *sim, const oz_capillary *c)
{
	const oz_particles *p = &sim->particles;
	const oz_neighbours *n = &sim->neighbours;
	oz_device *d = sim->device;
	OZ_LAUNCH(d, capillary_begin_sheets, p->count, .parent = c->parent, .members = c->members);
	OZ_LAUNCH(d, capillary_join, p->count, .position = p->position, .force = c->force,
	          .list = n->list, .start = n->start, .outer = c->outer, .parent = c->parent,
	          .reach2 = c->rules.h * c->rules.h, .stride = n->stride);
	OZ_LAUNCH(d, capillary_count, oz_batch_items(p->count, d->stride), .force = c->force,
	          .parent = c->parent, .sheet = c->sheet, .members = c->members,
	          .particles = p->count, .stride = d->stride);
	OZ_LAUNCH(d, capillary_mark, p->count, .members = c->members, .number = c->number);
	oz_device_scan(d, c->number, p->count);
}

// adds the forces to the accelerations, without the errors of their sheets
static void add_force(oz_sim *sim, const oz_capillary *c, bool rubs)
{
	const oz_particles *p = &sim->particles;
	oz_device *d = sim->device;
	const float s = sim->def.spacing, unit = largest_surface(sim);
	const uint32_t sheets = most_sheets(p->count),
	               batches = oz_batch_items(p->count, d->stride);
	find_sheets(sim, c);
	d->ops->clear(d, c->sums, sizeof *c->sums * sheets);
	OZ_LAUNCH(d, capillary_sum, batches, .position = p->position, .force = c->force,
	          .tension = c->tension, .touch = c->touch, .meets = c->meets, .sheet = c->sheet,
	          .members = c->members, .number = c->number, .sums = c->sums,
	          .particles = p->count, .stride = d->stride, .most = 0x1p62f / (float)batches,
	          .inv_tension = 1 / unit, .inv_spacing = 1 / s);
	OZ_LAUNCH(d, capillary_find_error, sheets, .sums = c->sums, .error = c->error);
	OZ_LAUNCH(d, capillary_add, p->count, .position = p->position, .velocity = p->velocity,
	          .rub = c->rub, .force = c->force, .sheet = c->sheet, .members = c->members,
	          .number = c->number, .error = c->error, .material = p->material,
	          .matter = sim->matter, .acceleration = p->acceleration, .tension = unit,
	          .spacing = s, .lined = rubs && sim->boundary->colliders.count > 0);
}

// OZ_PASS_FORCES
static oz_result pull_surfaces(oz_sim *sim, void *state, oz_error *error)
{
	(void)error;
	if (sim->particles.count == 0 || largest_tension(sim) == 0)
		return OZ_OK;
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
	double sum = 0;
	(void)on_gpu;
	for (size_t k = 0; k < BUFFERS && (double)def->spacing <= oz_capillary_spacing(def, m); k++)
		sum += buffers[k].items == OF_FRONTS ? 0 : bytes_of(&buffers[k]);
	return sum;
}

double oz_interface_bytes(const oz_world_def *def, const oz_material_def *a,
                          const oz_material_def *b, const oz_interface_def *interface)
{
	const double tension = oz_interface_tension(a, b, interface);
	const bool acts =
	        tension > 0 && (double)def->spacing <= oz_interface_spacing(def, a, b, tension);
	const bool surface = bytes(def, a, false) + bytes(def, b, false) > 0;
	double sum = 0;
	for (size_t k = 0; k < BUFFERS && acts; k++)
		sum += surface && buffers[k].items != OF_FRONTS ? 0 : bytes_of(&buffers[k]);
	return sum;
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
