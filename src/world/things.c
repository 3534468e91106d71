// things.c: public functions that add and read colliders, emitters, handles and regions.
#include <stdio.h>

#include "world/world.h"

static oz_result no_pointer(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_ARGUMENT, "world or def is NULL; pass both");
}

// ---- colliders ---------------------------------------------------------------------------------

oz_collider_def oz_collider_default(oz_shape shape)
{
	oz_collider_def def = {0};
	oz_params_default(OZ_PARAMS_COLLIDER, &def);
	def.shape = shape;
	return def;
}

oz_result oz_world_add_collider(oz_world *w, const oz_collider_def *def, oz_id *collider,
                                oz_error *error)
{
	return w && def ? oz_colliders_add(&w->boundary, &w->sim, def, collider, error)
	                : no_pointer(error);
}

uint32_t oz_world_collider_count(const oz_world *w)
{
	return w->boundary.colliders.count;
}

oz_result oz_world_get_collider(const oz_world *w, oz_id collider, oz_shape *shape, bool *inside,
                                oz_error *error)
{
	if (!w)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; create one first");
	const oz_boundary *b = &w->boundary;
	if (collider >= b->colliders.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no collider %u; there are %u",
		               collider, b->colliders.count);
	if (shape)
		*shape = oz_collider_pose(&oz_collider_entries(b)[collider], w->sim.time);
	if (inside)
		*inside = oz_collider_entries(b)[collider].def.inside;
	return OZ_OK;
}

oz_result oz_world_take_load(oz_world *w, oz_id collider, oz_load *load, oz_error *error)
{
	if (!w || !load)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or load is NULL; pass both");
	return oz_loads_take(&w->boundary, &w->sim, collider, load, error);
}

// ---- rigid bodies ------------------------------------------------------------------------------

oz_result oz_world_get_rigid(const oz_world *w, oz_id body, oz_rigid_state *state, oz_error *error)
{
	if (!w || !state)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or state is NULL; pass both");
	if (body >= w->sim.bodies.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no body %u; there are %u", body,
		               w->sim.bodies.count);
	if (!oz_models_get_rigid(&w->sim, body, state))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "body '%s' is not rigid; give it a material of model rigid",
		               oz_bodies(&w->sim)[body].name);
	return OZ_OK;
}

// ---- membranes ---------------------------------------------------------------------------------

static oz_result no_membrane(const oz_world *w, oz_id body, oz_error *error)
{
	if (body >= w->sim.bodies.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no body %u; there are %u", body,
		               w->sim.bodies.count);
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "body '%s' is no membrane; give it a material of model membrane",
	               oz_bodies(&w->sim)[body].name);
}

oz_result oz_world_get_membrane(const oz_world *w, oz_id body, oz_membrane_state *state,
                                oz_error *error)
{
	if (!w || !state)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world or state is NULL; pass both");
	return oz_models_get_membrane(&w->sim, body, OZ_NONE, state) ? OZ_OK
	                                                             : no_membrane(w, body, error);
}

oz_result oz_world_get_chamber(const oz_world *w, oz_id body, uint32_t chamber,
                               oz_membrane_state *state, oz_error *error)
{
	oz_membrane_state whole;
	const oz_result result = oz_world_get_membrane(w, body, state ? &whole : NULL, error);
	if (result != OZ_OK)
		return result;
	if (chamber < whole.chambers && oz_models_get_membrane(&w->sim, body, chamber, state))
		return OZ_OK;
	return oz_fail(error, OZ_ERROR_NOT_FOUND,
	               "body '%s' has no chamber %u; it has %u, numbered from 0",
	               oz_bodies(&w->sim)[body].name, chamber, whole.chambers);
}

oz_result oz_world_fill_membrane(oz_world *w, oz_id body, double amount, oz_error *error)
{
	if (!w)
		return oz_fail(error, OZ_ERROR_ARGUMENT, "world is NULL; pass a world");
	if (!(amount >= 0) || !(amount <= 1e30))
		return oz_fail(error, OZ_ERROR_RANGE,
		               "a membrane cannot hold %g; give 0 or more mol of gas, or m³",
		               amount);
	return oz_models_fill_membrane(&w->sim, body, amount) ? OZ_OK : no_membrane(w, body, error);
}

// ---- emitters ----------------------------------------------------------------------------------

oz_emitter_def oz_emitter_default(oz_id material)
{
	oz_emitter_def def = {0};
	oz_params_default(OZ_PARAMS_EMITTER, &def);
	def.material = material;
	return def;
}

// refuses a material that cannot be poured
static oz_result check_poured(const oz_world *w, oz_id material, oz_error *error)
{
	const oz_material_def *m = &oz_materials(&w->sim)[material];
	const oz_model_traits *traits = oz_model_traits_of(m->model);
	if (!traits || traits->traits & OZ_TRAIT_POURED)
		return OZ_OK;
	char pourable[160];
	oz_models_nouns(oz_models_with(OZ_TRAIT_POURED), pourable, sizeof pourable);
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "emitter %u pours '%s', %s, which has one rest shape from the start; pour "
	               "%s",
	               w->boundary.nozzles.count, m->name, traits->noun, pourable);
}

oz_result oz_world_add_emitter(oz_world *w, const oz_emitter_def *def, oz_id *emitter,
                               oz_error *error)
{
	if (!w || !def)
		return no_pointer(error);
	oz_result result = oz_nozzles_check(&w->boundary, &w->sim, def, error);
	if (result == OZ_OK)
		result = check_poured(w, def->material, error);
	if (result != OZ_OK)
		return result;
	oz_body_def body = oz_body_default();
	oz_id number;
	body.material = def->material;
	snprintf(body.name, sizeof body.name, "emitter %u", w->boundary.nozzles.count);
	result = oz_world_add_body(w, &body, &number, error);
	if (result != OZ_OK)
		return result;
	result = oz_nozzles_add(&w->boundary, &w->sim, def, number, error);
	if (result != OZ_OK)
		w->sim.bodies.count--;
	else if (emitter)
		*emitter = w->boundary.nozzles.count - 1;
	return result;
}

// ---- handles and regions, which models own -----------------------------------------------------

oz_handle_def oz_handle_default(oz_shape shape)
{
	oz_handle_def def = {0};
	oz_params_default(OZ_PARAMS_HANDLE, &def);
	def.shape = shape;
	def.body = OZ_NONE;
	return def;
}

oz_result oz_world_add_handle(oz_world *w, const oz_handle_def *def, oz_id *handle, oz_error *error)
{
	return w && def ? oz_models_add_thing(&w->sim, OZ_PARAMS_HANDLE, def, handle, error)
	                : no_pointer(error);
}

uint32_t oz_world_handle_count(const oz_world *w)
{
	return oz_models_count_things(&w->sim, OZ_PARAMS_HANDLE);
}

oz_region_def oz_region_default(oz_shape shape)
{
	oz_region_def def = {0};
	oz_params_default(OZ_PARAMS_REGION, &def);
	def.shape = shape;
	return def;
}

oz_result oz_world_add_region(oz_world *w, const oz_region_def *def, oz_id *region, oz_error *error)
{
	return w && def ? oz_models_add_thing(&w->sim, OZ_PARAMS_REGION, def, region, error)
	                : no_pointer(error);
}

oz_adhesion_def oz_adhesion_default(oz_id material, oz_id other)
{
	oz_adhesion_def def = {0};
	oz_params_default(OZ_PARAMS_ADHESION, &def);
	def.material = material;
	def.other = other;
	return def;
}

oz_result oz_world_add_adhesion(oz_world *w, const oz_adhesion_def *def, oz_error *error)
{
	return w && def ? oz_models_add_thing(&w->sim, OZ_PARAMS_ADHESION, def, NULL, error)
	                : no_pointer(error);
}

oz_interface_def oz_interface_default(oz_id material, oz_id other)
{
	oz_interface_def def = {0};
	oz_params_default(OZ_PARAMS_INTERFACE, &def);
	def.material = material;
	def.other = other;
	return def;
}

oz_result oz_world_add_interface(oz_world *w, const oz_interface_def *def, oz_error *error)
{
	return w && def ? oz_models_add_thing(&w->sim, OZ_PARAMS_INTERFACE, def, NULL, error)
	                : no_pointer(error);
}

uint32_t oz_world_region_count(const oz_world *w)
{
	return oz_models_count_things(&w->sim, OZ_PARAMS_REGION);
}

const oz_region_def *oz_world_get_region(const oz_world *w, oz_id region)
{
	return oz_models_get_thing(&w->sim, OZ_PARAMS_REGION, region);
}

uint32_t oz_world_interface_count(const oz_world *w)
{
	return oz_models_count_things(&w->sim, OZ_PARAMS_INTERFACE);
}

const oz_interface_def *oz_world_get_interface(const oz_world *w, oz_id entry)
{
	return oz_models_get_thing(&w->sim, OZ_PARAMS_INTERFACE, entry);
}
