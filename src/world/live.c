// live.c: public functions that change a world between steps: colliders and handles that a call
// moves, the parameters of a material, gravity.
#include <stdio.h>
#include <string.h>

#include "particles/rules.h"
#include "world/world.h"

static oz_result no_world(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; create one first");
}

// ---- poses -------------------------------------------------------------------------------------

oz_result oz_world_move_collider(oz_world *w, oz_id collider, oz_vec3 position, oz_quat rotation,
                                 double time, oz_error *error)
{
	const oz_goal goal = {position, rotation, time};
	return w ? oz_colliders_move(&w->boundary, &w->sim, collider, &goal, error)
	         : no_world(error);
}

oz_result oz_world_place_collider(oz_world *w, oz_id collider, oz_vec3 position, oz_quat rotation,
                                  oz_error *error)
{
	const oz_goal goal = {.position = position, .rotation = rotation};
	return w ? oz_colliders_put(&w->boundary, &w->sim, collider, &goal, error)
	         : no_world(error);
}

oz_result oz_world_move_rigid(oz_world *w, oz_id body, oz_vec3 position, oz_quat rotation,
                              double time, oz_error *error)
{
	const oz_goal goal = {position, rotation, time};
	if (w && body >= w->sim.bodies.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no body %u; there are %u", body,
		               w->sim.bodies.count);
	return w ? oz_models_move_rigid(&w->sim, body, &goal, error) : no_world(error);
}

oz_result oz_world_move_handle(oz_world *w, oz_id handle, oz_vec3 position, oz_quat rotation,
                               double time, oz_error *error)
{
	const oz_goal goal = {position, rotation, time};
	return w ? oz_models_move_handle(&w->sim, handle, &goal, error) : no_world(error);
}

oz_result oz_world_hold_handle(oz_world *w, oz_id handle, oz_error *error)
{
	return w ? oz_models_hold(&w->sim, handle, true, error) : no_world(error);
}

oz_result oz_world_release_handle(oz_world *w, oz_id handle, oz_error *error)
{
	return w ? oz_models_hold(&w->sim, handle, false, error) : no_world(error);
}

// ---- materials ---------------------------------------------------------------------------------

// A parameter that cannot change after its material was added, and why.
typedef struct lasting {
	const char *name, *why;
} lasting;

static const lasting lasts[] = {
        {"model", "bodies keep their model"},
        {"density", "particles keep their mass"},
        {"cluster_radius", "the clusters are made when bodies are added"},
        {"paper", "it belongs to the whole world"},
        {"elasticity", "the rest shape is made for it"},
        {"implicit", "the time integration is chosen when bodies are added"},
        {"fixed", "a body is fixed or free from the start"},
        {"link_law", "it belongs to the whole world"},
        {"link_reach", "the table of links is made for it"},
        {"thickness", "particles keep their mass"},
        {"prestretch", "the mesh is made for it"},
        {"gauge_pressure", "bodies are filled when they are added"},
        {"gas_amount", "bodies are filled when they are added"},
};

// whether a parameter, which is a single number or word, differs
static bool differs(const oz_param *row, const oz_material_def *a, const oz_material_def *b)
{
	const size_t size = row->type == OZ_PARAM_BOOL ? sizeof(bool) : sizeof(float);
	return memcmp((const char *)a + row->offset, (const char *)b + row->offset, size) != 0;
}

// fails if a parameter of `lasts` differs
static oz_result check_lasting(const oz_material_def *old, const oz_material_def *def,
                               oz_error *error)
{
	uint32_t count;
	const oz_param *rows = oz_params(OZ_PARAMS_MATERIAL, &count);
	for (uint32_t r = 0; r < count; r++)
		for (size_t k = 0; k < sizeof lasts / sizeof *lasts; k++)
			if (strcmp(rows[r].name, lasts[k].name) == 0 && differs(&rows[r], old, def))
				return oz_fail(error, OZ_ERROR_ARGUMENT,
				               "material '%s' cannot change '%s': %s; add a second "
				               "material",
				               old->name, lasts[k].name, lasts[k].why);
	if (def->alpha_keys != old->alpha_keys || def->alpha_key_count != old->alpha_key_count)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "material '%s' cannot change alpha_keys; begin with a copy of "
		               "oz_world_get_material",
		               old->name);
	return OZ_OK;
}

// opens the models whose fields the particles of a material need now, such as temperatures
static oz_result open_models(oz_world *w, oz_id material, oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t b = 0; b < w->sim.bodies.count && result == OZ_OK; b++) {
		const oz_addition none = {.body = b, .temperature = 20};
		if (oz_bodies(&w->sim)[b].material == material && oz_bodies(&w->sim)[b].count)
			result = oz_models_open_needed(&w->sim, &none, error);
	}
	return result;
}

// writes the record that kernels read, and all that is made from it
static void update_material(oz_world *w, oz_id material)
{
	oz_sim *s = &w->sim;
	const oz_matter matter = oz_matter_of(s, &oz_materials(s)[material]);
	((oz_matter *)s->matters.items)[material] = matter;
	s->device->ops->write(s->device, s->matter, sizeof matter * material, &matter,
	                      sizeof matter);
	oz_slots_write_viscous(s, material);
	// stiffness, weights and contact keys are made with the lists of rest neighbours
	if (matter.rest_reach > 0 && w->slots.count)
		w->slots.stale = true;
	w->contact.keys_valid = false;
	oz_contact_forget(s);
	oz_models_follow_material(s, material);
}

oz_result oz_world_set_material(oz_world *w, oz_id material, const oz_material_def *def,
                                oz_error *error)
{
	char where[OZ_NAME_SIZE + 16];
	if (!w || !def)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
	if (material >= w->sim.materials.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no material %u; there are %u",
		               material, w->sim.materials.count);
	oz_material_def *kept = &oz_materials(&w->sim)[material];
	const oz_material_def old = *kept;
	snprintf(where, sizeof where, "material %.*s", OZ_NAME_SIZE - 1, old.name);
	oz_result result = oz_material_check(w, def, where, error);
	if (result == OZ_OK)
		result = check_lasting(&old, def, error);
	if (result == OZ_OK)
		result = oz_models_check_change(&w->sim, material, def, error);
	if (result != OZ_OK)
		return result;
	const uint32_t sets = w->sim.fields.set_count;
	*kept = *def;
	memcpy(kept->name, old.name, sizeof old.name);
	result = open_models(w, material, error);
	if (result == OZ_OK) {
		update_material(w, material);
		return oz_device_check(w->sim.device, error);
	}
	*kept = old;
	oz_models_drop_fields(&w->sim, sets);
	return result;
}

// ---- gravity -----------------------------------------------------------------------------------

// writes the record of a material anew if it depends on gravity, as surface tension does
static void follow_gravity(oz_world *w, oz_id material)
{
	const oz_matter *old = (const oz_matter *)w->sim.matters.items + material;
	const oz_matter now = oz_matter_of(&w->sim, &oz_materials(&w->sim)[material]);
	if (memcmp(old, &now, sizeof now) != 0)
		update_material(w, material);
}

oz_result oz_world_set_gravity(oz_world *w, oz_vec3 gravity, oz_error *error)
{
	if (!w)
		return no_world(error);
	oz_world_def def = w->sim.def;
	def.gravity = gravity;
	const oz_result result = oz_params_check(OZ_PARAMS_WORLD, &def, "world", error);
	if (result != OZ_OK)
		return result;
	w->sim.def.gravity = gravity;
	const oz_rules rules = oz_rules_of(&w->sim.def);
	w->sim.fluid = rules.fluid;
	w->sim.solid = rules.solid;
	for (uint32_t m = 0; m < w->sim.materials.count; m++)
		follow_gravity(w, m);
	return oz_device_check(w->sim.device, error);
}
