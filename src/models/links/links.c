// links.c: the model of viscoelastic fluids: material, time step, snapshots; links_step.c
// computes the forces.
#include "models/links/links.h"

#include <math.h>

#include "contact/contact.h"
#include "models/heat/heat_model.h"
#include "models/links/links_pair.h"
#include "models/viscous/law.h"

static const oz_field_row field_rows[] = {
#define LINKS_ROW(...) OZ_FIELD_ROW(oz_links, "links.", __VA_ARGS__)
        OZ_LINKS_FIELDS(LINKS_ROW)};

// ---- material ----------------------------------------------------------------------------------

// the constants of the paper: per time step, lengths in support radii
static oz_link link_of_paper(const oz_material_def *def, float h)
{
	return (oz_link){.on = OZ_LINK_PAPER,
	                 .yield = def->link_yield * h,
	                 .start = def->link_correction,
	                 .least = def->link_least,
	                 .weakening = def->link_weakening};
}

// the constants of links by the shear modulus, as kernels read them
static oz_link physical_link(const oz_material_def *def, float h, float volume)
{
	const float reach = def->link_reach * h, r2 = reach * reach;
	const bool springs = def->link_law == OZ_LINKS_SPRINGS;
	const float sum = springs ? OZ_LINK_SUM_SPRINGS : OZ_LINK_SUM;
	return (oz_link){
	        .on = springs ? OZ_LINK_SPRINGS : OZ_LINK_STRETCH,
	        .stiffness = 3 * def->shear_modulus * volume * volume / (sum * r2 * r2 * reach),
	        .rate = 1 / def->relaxation_time,
	        .yield = def->yield_strain,
	        .brittle = def->sticky > 0 ? 3 * def->shear_modulus / def->sticky : 0,
	        .sets = oz_can_melt(def),
	        .activation = def->activation_energy / OZ_GAS,
	        .reference = def->viscosity_temperature + OZ_LAW_KELVIN,
	};
}

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	const float h = oz_support_radius(sim), s = sim->def.spacing;
	m->viscous = m->flow.viscous;
	m->flow.cohesion = def->cohesion;
	m->flow.link = def->paper ? link_of_paper(def, h) : physical_link(def, h, s * s * s);
	m->flow.link.modulus = def->shear_modulus;
	m->flow.link.sticky = def->sticky;
	m->flow.link.reach = def->link_reach * h;
	// springs break at the distance at which they are made
	m->flow.link.longest =
	        (def->link_law == OZ_LINKS_SPRINGS ? def->link_reach : def->extensibility) * h;
	m->flow.link.avoids = oz_adhesions_avoided(sim, def);
}

// fails if the parameters of a material contradict each other, or those of another material with
// links
static oz_result check_material(const oz_sim *sim, const oz_material_def *def, const char *where,
                                oz_error *error)
{
	if (def->paper && def->link_law == OZ_LINKS_SPRINGS)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has paper true and link_law springs, but the constants of "
		               "the paper are of links that only pull; remove one of the two",
		               where);
	if (def->paper && def->link_least > def->link_correction)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s has a link_least of %g above its link_correction of %g; lower "
		               "it",
		               where, (double)def->link_least, (double)def->link_correction);
	for (uint32_t k = 0; k < sim->materials.count; k++) {
		const oz_material_def *other = &oz_materials(sim)[k];
		if (other->model != OZ_LINKS || other == def)
			continue;
		const char *differs = other->paper != def->paper         ? "paper"
		                      : other->link_law != def->link_law ? "link_law"
		                                                         : NULL;
		if (differs)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "%s and material '%s' differ in '%s', but links of both "
			               "kinds cannot be in one world; set it alike",
			               where, other->name, differs);
	}
	return OZ_OK;
}

// ---- memory ------------------------------------------------------------------------------------

static void close(oz_sim *sim, void *state)
{
	oz_links *l = state;
	if (sim->device) {
		oz_link_table_free(sim->device, &l->table);
		oz_link_table_free(sim->device, &l->spare);
	}
	oz_array_free(sim->heap, &l->adhesions);
}

// sets the record size of the empty array of adhesions
static void open(oz_sim *sim, void *state)
{
	(void)sim;
	((oz_links *)state)->adhesions.size = sizeof(oz_adhesion_def);
}

// the implicit step reads residuals on the host
static uint32_t needs_host(const oz_sim *sim, const void *state)
{
	(void)state;
	return oz_links_are_soft(sim, oz_longest_time_step(sim)) ? 0 : OZ_HOST_ALWAYS;
}

uint64_t oz_links_hash(const oz_sim *sim, uint64_t hash)
{
	const oz_links *l = oz_model_state(sim, &oz_links_model);
	const oz_link_table *t = &l->table;
	oz_device *d = sim->device;
	if (!t->rows)
		return hash;
	const void *list = d->ops->view(d, t->list, sizeof *t->list * t->used);
	hash = list ? oz_hash(list, sizeof *t->list * t->used, hash) : hash;
	const void *rest = d->ops->view(d, t->rest, sizeof *t->rest * t->used);
	return rest ? oz_hash(rest, sizeof *t->rest * t->used, hash) : hash;
}

static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	const double reach = (double)def->support * (double)m->link_reach;
	return 3.0 * oz_list_bytes(reach, on_gpu) + 3.0 * sizeof(oz_float4) +
	       (double)oz_rows_bytes(field_rows, sizeof field_rows / sizeof *field_rows);
}

// ---- snapshots ---------------------------------------------------------------------------------

static void save(const oz_sim *sim, const void *state, oz_section *s)
{
	const oz_links *l = state;
	oz_adhesions_save(l, s);
	oz_link_table_save(sim, l, s);
	oz_section_put(s, &l->followed, sizeof l->followed);
}

static oz_result load(oz_sim *sim, void *state, oz_section *s, oz_error *error)
{
	oz_links *l = state;
	oz_result result = oz_adhesions_load(sim, s, error);
	if (result == OZ_OK)
		result = oz_link_table_load(sim, l, s, error);
	if (result != OZ_OK)
		return result;
	// files of formats before 14 end here
	l->followed = l->adhesions.count;
	if (s->at < s->size)
		oz_section_get(s, &l->followed, sizeof l->followed);
	return s->failed ? oz_section_fail_short("links", error) : OZ_OK;
}

static const char *check(oz_sim *sim, void *state)
{
	const oz_links *l = state;
	if (l->followed > l->adhesions.count)
		return "links follow adhesions that do not exist";
	return oz_link_table_check(sim, l);
}

// Links are computed with the pressure of the last step. With longer steps than this, links and
// pressure together increased the energy of a cube that hit a floor.
static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *limit)
{
	(void)state;
	float dt = INFINITY;
	for (uint32_t k = 0; k < sim->materials.count; k++) {
		const oz_material_def *m = &oz_materials(sim)[k];
		if (m->model == OZ_LINKS && !m->paper && m->shear_modulus > 0)
			dt = fminf(dt, oz_links_longest_step(sim, m, oz_links_most(m->link_law)));
	}
	*limit = OZ_LIMIT_ELASTIC;
	(void)fixed;
	return sim->def.cfl * dt;
}

static const oz_thing_ops adhesions = {OZ_PARAMS_ADHESION, offsetof(oz_links, adhesions),
                                       oz_adhesion_add};

const oz_model_ops oz_links_model = {
        .word = "links",
        .model = OZ_LINKS,
        .state_size = sizeof(oz_links),
        .particle_rows = field_rows,
        .particle_row_count = sizeof field_rows / sizeof *field_rows,
        .open = open,
        .close = close,
        .matter = fill_matter,
        .refuse.material = check_material,
        .limit = limit,
        .needs_host = needs_host,
        .things = &adhesions,
        .pass = {[OZ_PASS_RESERVE] = oz_links_reserve,
                 [OZ_PASS_LINKS] = oz_links_pull,
                 [OZ_PASS_DONE] = oz_links_done},
        .section = "links",
        .section_since = 10,
        .save = save,
        .load = load,
        .check = check,
        .bytes = bytes,
};
