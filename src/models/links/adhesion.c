// adhesion.c: the table of adhesion: which materials stick to each other.
//
// Kernels read it as bits of a material's record (oz_link.avoids), which has room for the first
// OZ_ADHESION_MOST materials of a world.
#include "models/links/links.h"

static const oz_adhesion_def *entries(const oz_links *l)
{
	return l->adhesions.items;
}

// fails if an adhesion names a material that is not there, or has no bit (OZ_ADHESION_MOST)
static oz_result check(const oz_sim *sim, const oz_adhesion_def *def, oz_error *error)
{
	const oz_id highest = def->material > def->other ? def->material : def->other;
	if (highest >= sim->materials.count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an adhesion names material %u, but there are %u; add the material "
		               "first",
		               highest, sim->materials.count);
	if (highest >= OZ_ADHESION_MOST)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an adhesion names material %u, but only the first %u can have "
		               "one; add the materials that stick first",
		               highest, OZ_ADHESION_MOST);
	return OZ_OK;
}

// fails if an adhesion would have no effect (links_sticks.h)
static oz_result check_effect(const oz_sim *sim, const oz_adhesion_def *def, oz_error *error)
{
	const oz_material_def *a = &oz_materials(sim)[def->material];
	const oz_material_def *b = &oz_materials(sim)[def->other];
	const oz_matter *one = (const oz_matter *)sim->matters.items + def->material;
	const oz_matter *two = (const oz_matter *)sim->matters.items + def->other;
	if (a == b)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an adhesion names material '%s' twice, but particles of one "
		               "material always hold together; use two materials",
		               a->name);
	if (!one->flow.link.on && !two->flow.link.on)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an adhesion names '%s' and '%s', which have no links, so that it "
		               "has no effect; one of them needs the model links",
		               a->name, b->name);
	if (!def->sticks || link_can_join(one, two))
		return OZ_OK;
	if (link_can_end(one) && link_can_end(two))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "an adhesion lets '%s' stick to '%s', but the sticky of '%s' is 0; "
		               "raise it",
		               a->name, b->name, link_is_sticky(one) ? b->name : a->name);
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "an adhesion lets '%s' stick to '%s', but links hold each other and "
	               "solids, and no other fluid; leave it out",
	               a->name, b->name);
}

// updates the record of a material on the host and on the device
static void update_matter(oz_sim *sim, oz_id m)
{
	oz_matter *matter = (oz_matter *)sim->matters.items + m;
	*matter = oz_matter_of(sim, &oz_materials(sim)[m]);
	sim->device->ops->write(sim->device, sim->matter, sizeof *matter * m, matter,
	                        sizeof *matter);
}

static oz_result add(oz_sim *sim, const oz_adhesion_def *def, oz_error *error)
{
	oz_links *l = oz_model_state(sim, &oz_links_model);
	const oz_result result = check(sim, def, error);
	if (result != OZ_OK)
		return result;
	oz_adhesion_def *added = oz_array_add(sim->heap, &l->adhesions);
	if (!added)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for an adhesion; close other programs");
	*added = *def;
	update_matter(sim, def->material);
	update_matter(sim, def->other);
	return OZ_OK;
}

oz_result oz_adhesion_add(oz_sim *sim, const void *thing, oz_id *id, oz_error *error)
{
	const oz_adhesion_def *def = thing;
	const oz_links *l = oz_model_state(sim, &oz_links_model);
	oz_result result = check(sim, def, error);
	if (result == OZ_OK)
		result = check_effect(sim, def, error);
	if (result == OZ_OK)
		result = add(sim, def, error);
	if (result != OZ_OK)
		return result;
	if (id)
		*id = l->adhesions.count - 1;
	return oz_device_check(sim->device, error);
}

uint oz_adhesions_avoided(const oz_sim *sim, const oz_material_def *def)
{
	const oz_links *l = oz_model_state(sim, &oz_links_model);
	uint avoids = 0;
	for (uint32_t k = 0; k < l->adhesions.count; k++) {
		const oz_adhesion_def *one = &entries(l)[k];
		const bool first = def == &oz_materials(sim)[one->material];
		if (!first && def != &oz_materials(sim)[one->other])
			continue;
		const uint bit = 1u << (first ? one->other : one->material);
		avoids = one->sticks ? avoids & ~bit : avoids | bit;
	}
	return avoids;
}

oz_link_renewal oz_adhesions_renewal(const oz_links *l)
{
	oz_link_renewal renewal = {{0}};
	for (uint32_t k = l->followed; k < l->adhesions.count; k++) {
		const oz_adhesion_def *one = &entries(l)[k];
		if (!one->sticks)
			continue;
		renewal.with[one->material] |= 1u << one->other;
		renewal.with[one->other] |= 1u << one->material;
	}
	return renewal;
}

// ---- snapshots ---------------------------------------------------------------------------------

void oz_adhesions_save(const oz_links *l, oz_section *s)
{
	oz_section_put(s, &l->adhesions.count, sizeof l->adhesions.count);
	for (uint32_t k = 0; k < l->adhesions.count; k++) {
		const oz_adhesion_def *one = &entries(l)[k];
		oz_section_put(s, &one->material, sizeof one->material);
		oz_section_put(s, &one->other, sizeof one->other);
		oz_section_put_params(s, OZ_PARAMS_ADHESION, one);
	}
}

oz_result oz_adhesions_load(oz_sim *sim, oz_section *s, oz_error *error)
{
	const uint32_t count = oz_section_get_count(s);
	for (uint32_t k = 0; k < count && !s->failed; k++) {
		char name[64];
		oz_adhesion_def def = {0};
		oz_section_get(s, &def.material, sizeof def.material);
		oz_section_get(s, &def.other, sizeof def.other);
		if (!oz_section_get_params(s, OZ_PARAMS_ADHESION, &def, name))
			return oz_section_fail_unknown(name, error);
		const oz_result result = s->failed ? OZ_OK : add(sim, &def, error);
		if (result != OZ_OK)
			return result;
	}
	return s->failed ? oz_section_fail_short("adhesions", error) : OZ_OK;
}
