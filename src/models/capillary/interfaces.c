// interfaces.c: the table of interfaces: which liquids have tension between them.
//
// A liquid that an entry names has a number below CAPILLARY_FRONTS, by which kernels look its
// tensions up. A tension acts where the spacing resolves the shapes that it makes, as that of a
// surface does.
#include "models/capillary/capillary.h"

#include <math.h>

// kernels have records of four: one number for each liquid
_Static_assert(CAPILLARY_FRONTS == 4, "capillary_front.cl has records of four");

static const oz_interface_def *entries(const oz_capillary *c)
{
	return c->interfaces.items;
}

bool oz_interfaces_have(const oz_capillary *c, oz_id material)
{
	for (uint32_t k = 0; k < c->interfaces.count; k++)
		if (entries(c)[k].material == material || entries(c)[k].other == material)
			return true;
	return false;
}

// the number of a liquid; it gets the next one if it has none. CAPILLARY_FRONTS: all are taken
static uint32_t number_of(capillary_rules *r, oz_id material)
{
	uint32_t k = 0;
	while (k < CAPILLARY_FRONTS && r->fronts[k] != material && r->fronts[k] != OZ_NONE)
		k++;
	if (k < CAPILLARY_FRONTS)
		r->fronts[k] = material;
	return k;
}

double oz_interface_tension(const oz_material_def *a, const oz_material_def *b,
                            const oz_interface_def *def)
{
	return def->tension < 0 ? fabs((double)a->surface_tension - (double)b->surface_tension)
	                        : (double)def->tension;
}

// N/m; 0 where the spacing is too large for it
static float tension_of(const oz_sim *sim, const oz_interface_def *def)
{
	const oz_material_def *a = &oz_materials(sim)[def->material],
	                      *b = &oz_materials(sim)[def->other];
	const double tension = oz_interface_tension(a, b, def);
	const bool acts =
	        (double)sim->def.spacing <= oz_interface_spacing(&sim->def, a, b, tension);
	return acts ? (float)tension : 0;
}

void oz_interfaces_follow(const oz_sim *sim, oz_capillary *c)
{
	capillary_rules *r = &c->rules;
	for (uint32_t k = 0; k < CAPILLARY_FRONTS; k++) {
		r->fronts[k] = OZ_NONE;
		r->surface[k] = 0;
	}
	for (uint32_t k = 0; k < CAPILLARY_FRONTS * CAPILLARY_FRONTS; k++)
		r->between[k] = 0;
	for (uint32_t k = 0; k < c->interfaces.count; k++) {
		const uint32_t a = number_of(r, entries(c)[k].material),
		               b = number_of(r, entries(c)[k].other);
		const float tension = tension_of(sim, &entries(c)[k]);
		r->between[CAPILLARY_FRONTS * a + b] = tension;
		r->between[CAPILLARY_FRONTS * b + a] = tension;
	}
	for (uint32_t k = 0; k < CAPILLARY_FRONTS && r->fronts[k] != OZ_NONE; k++)
		r->surface[k] = oz_materials(sim)[r->fronts[k]].surface_tension;
}

float oz_interfaces_largest(const oz_sim *sim, const oz_capillary *c)
{
	float most = 0;
	for (uint32_t k = 0; k < c->interfaces.count; k++) {
		const oz_interface_def *one = &entries(c)[k];
		const float least = fminf(oz_materials(sim)[one->material].density,
		                          oz_materials(sim)[one->other].density);
		most = fmaxf(most, tension_of(sim, one) / least);
	}
	return most;
}

// ---- adding ------------------------------------------------------------------------------------

static oz_result check(const oz_sim *sim, const oz_capillary *c, const oz_interface_def *def,
                       oz_error *error)
{
	const oz_id both[2] = {def->material, def->other};
	capillary_rules r = c->rules;
	const oz_result result = oz_params_check(OZ_PARAMS_INTERFACE, def, "an interface", error);
	if (result != OZ_OK)
		return result;
	for (int k = 0; k < 2; k++) {
		if (both[k] >= sim->materials.count)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "an interface names material %u, but there are %u; add the "
			               "material first",
			               both[k], sim->materials.count);
		const oz_material_def *m = &oz_materials(sim)[both[k]];
		if (!oz_capillary_flows(m))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "an interface names '%s', which is no liquid; name a fluid, "
			               "a fluid with links or a polymer solution",
			               m->name);
		if (number_of(&r, both[k]) == CAPILLARY_FRONTS)
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "an interface names '%s', but %d other liquids have "
			               "interfaces already; remove some",
			               m->name, CAPILLARY_FRONTS);
	}
	return def->material == def->other
	               ? oz_fail(error, OZ_ERROR_ARGUMENT,
	                         "an interface names '%s' twice; name two liquids",
	                         oz_materials(sim)[def->material].name)
	       : def->tension < 0 && def->tension != -1
	               ? oz_fail(error, OZ_ERROR_RANGE,
	                         "the tension of an interface is %g N/m; use 0 or more, or -1 "
	                         "for the difference of both surface tensions",
	                         (double)def->tension)
	               : OZ_OK;
}

static oz_result open_model(oz_sim *sim, oz_error *error)
{
	for (uint32_t k = 0; k < sim->models->count; k++)
		if (sim->models->entries[k].ops == &oz_capillary_model)
			return oz_model_open_fields(sim, &sim->models->entries[k], error);
	return OZ_OK;
}

// the entry for the same two materials, in any order; NULL: there is none
static oz_interface_def *entry_of(const oz_capillary *c, const oz_interface_def *def)
{
	oz_interface_def *all = c->interfaces.items;
	for (uint32_t k = 0; k < c->interfaces.count; k++)
		if ((all[k].material == def->material && all[k].other == def->other) ||
		    (all[k].material == def->other && all[k].other == def->material))
			return &all[k];
	return NULL;
}

oz_result oz_interface_add(oz_sim *sim, const void *thing, oz_id *id, oz_error *error)
{
	const oz_interface_def *def = thing;
	oz_capillary *c = oz_model_state(sim, &oz_capillary_model);
	oz_result result = check(sim, c, def, error);
	if (result == OZ_OK)
		result = open_model(sim, error);
	if (result != OZ_OK)
		return result;
	oz_interface_def *entry = entry_of(c, def);
	if (!entry)
		entry = oz_array_add(sim->heap, &c->interfaces);
	if (!entry)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for an interface; close other programs");
	*entry = *def;
	oz_interfaces_follow(sim, c);
	if (id)
		*id = (oz_id)(entry - entries(c));
	return OZ_OK;
}

// ---- snapshots ---------------------------------------------------------------------------------

void oz_interfaces_save(const oz_capillary *c, oz_section *s)
{
	oz_section_put(s, &c->interfaces.count, sizeof c->interfaces.count);
	for (uint32_t k = 0; k < c->interfaces.count; k++) {
		const oz_interface_def *one = &entries(c)[k];
		oz_section_put(s, &one->material, sizeof one->material);
		oz_section_put(s, &one->other, sizeof one->other);
		oz_section_put_params(s, OZ_PARAMS_INTERFACE, one);
	}
}

oz_result oz_interfaces_load(oz_sim *sim, oz_section *s, oz_error *error)
{
	const uint32_t count = oz_section_get_count(s);
	for (uint32_t k = 0; k < count && !s->failed; k++) {
		char name[64];
		oz_interface_def def = {0};
		oz_section_get(s, &def.material, sizeof def.material);
		oz_section_get(s, &def.other, sizeof def.other);
		if (!oz_section_get_params(s, OZ_PARAMS_INTERFACE, &def, name))
			return oz_section_fail_unknown(name, error);
		const oz_result result =
		        s->failed ? OZ_OK : oz_interface_add(sim, &def, NULL, error);
		if (result != OZ_OK)
			return result;
	}
	return s->failed ? oz_section_fail_short("interfaces", error) : OZ_OK;
}
