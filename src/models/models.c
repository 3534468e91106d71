// models.c: the table of models, and the calls that go to all of them.
#include "models/model.h"

#include <string.h>

#include "models/blend/blend.h"
#include "models/capillary/capillary.h"
#include "models/elastic/elastic.h"
#include "models/fluid/fluid.h"
#include "models/heat/heat_model.h"
#include "models/links/links.h"
#include "models/membrane/membrane.h"
#include "models/polymer/polymer.h"
#include "models/rigid/rigid.h"
#include "models/viscous/viscous.h"
#include "particles/rules.h"

// a pass calls them in this order
static const oz_model_ops *table[OZ_MODELS_MOST] = {&oz_fluid_model,    &oz_heat_model,
                                                    &oz_blend_model,    &oz_links_model,
                                                    &oz_viscous_model,  &oz_elastic_model,
                                                    &oz_membrane_model, &oz_rigid_model,
                                                    &oz_polymer_model,  &oz_capillary_model};
static uint32_t table_count = 10;

const char oz_no_memory_to_check[] = "there is no memory left to check it";

oz_result oz_models_register(const oz_model_ops *ops, oz_error *error)
{
	for (uint32_t k = 0; k < table_count; k++)
		if (table[k] == ops)
			return OZ_OK;
	bool taken = ops->model < OZ_MODEL_COUNT;
	for (uint32_t k = 0; k < table_count; k++)
		taken = taken || table[k]->model == ops->model;
	if (table_count == OZ_MODELS_MOST || taken)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "model '%s' cannot be added with the number %u; use a free number "
		               "from %u on, and at most %u models",
		               ops->word, ops->model, OZ_MODEL_COUNT, OZ_MODELS_MOST);
	table[table_count++] = ops;
	return OZ_OK;
}

// ---- states ------------------------------------------------------------------------------------

oz_result oz_models_open(oz_sim *sim, oz_error *error)
{
	oz_model_list *list = sim->models;
	for (uint32_t k = 0; k < table_count; k++) {
		const size_t size = table[k]->state_size ? table[k]->state_size : 1;
		oz_model_entry *e = &list->entries[list->count];
		*e = (oz_model_entry){.ops = table[k], .state = oz_heap_alloc(sim->heap, size)};
		if (!e->state)
			return oz_fail(error, OZ_ERROR_MEMORY,
			               "out of memory for a world; close other programs");
		memset(e->state, 0, size);
		list->count++;
		if (table[k]->open)
			table[k]->open(sim, e->state);
	}
	return OZ_OK;
}

void oz_models_close(oz_sim *sim)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		oz_model_entry *e = &sim->models->entries[k];
		if (e->ops->close)
			e->ops->close(sim, e->state);
		oz_heap_free(sim->heap, e->state, e->ops->state_size ? e->ops->state_size : 1);
	}
	sim->models->count = 0;
}

oz_model_entry *oz_model_of(const oz_sim *sim, uint32_t model)
{
	for (uint32_t k = 0; k < sim->models->count; k++)
		if (sim->models->entries[k].ops->model == model && model != OZ_ALL_MODELS)
			return &sim->models->entries[k];
	return NULL;
}

void *oz_model_state(const oz_sim *sim, const oz_model_ops *ops)
{
	for (uint32_t k = 0; k < sim->models->count; k++)
		if (sim->models->entries[k].ops == ops)
			return sim->models->entries[k].state;
	return NULL;
}

// ---- fields ------------------------------------------------------------------------------------

oz_result oz_model_open_fields(oz_sim *sim, oz_model_entry *e, oz_error *error)
{
	const oz_field_set particles = {e->ops->particle_rows, e->ops->particle_row_count,
	                                OZ_ITEMS_PARTICLES, e->state};
	const oz_field_set slots = {e->ops->slot_rows, e->ops->slot_row_count, OZ_ITEMS_SLOTS,
	                            e->state};
	if (e->open)
		return OZ_OK;
	const uint32_t sets = sim->fields.set_count;
	oz_result result = OZ_OK;
	if (particles.count)
		result = oz_fields_add(&sim->fields, &particles, sim->particles.count, error);
	if (result == OZ_OK && slots.count)
		result = oz_fields_add(&sim->fields, &slots, sim->slots->count, error);
	// if the second set fails, remove the first one too
	if (result != OZ_OK && sim->fields.set_count > sets)
		oz_fields_drop_last(&sim->fields);
	e->open = result == OZ_OK;
	return result;
}

// whether the registry has a set whose pointers are in `holder`
static bool has_fields_of(const oz_fields *f, const void *holder)
{
	for (uint32_t k = 0; k < f->set_count; k++)
		if (f->sets[k].holder == holder)
			return true;
	return false;
}

void oz_models_drop_fields(oz_sim *sim, uint32_t keep)
{
	while (sim->fields.set_count > keep)
		oz_fields_drop_last(&sim->fields);
	for (uint32_t k = 0; k < sim->models->count; k++) {
		oz_model_entry *e = &sim->models->entries[k];
		const uint32_t rows = e->ops->particle_row_count + e->ops->slot_row_count;
		e->open = e->open && (!rows || has_fields_of(&sim->fields, e->state));
	}
	sim->slots->open = sim->slots->open && has_fields_of(&sim->fields, sim->slots);
}

static bool is_needed(const oz_sim *sim, const oz_model_entry *e, const oz_addition *a)
{
	if (e->ops->needed)
		return e->ops->needed(sim, e->state, a);
	return (uint32_t)oz_material_of(sim, a->body)->model == e->ops->model;
}

oz_result oz_models_open_needed(oz_sim *sim, const oz_addition *a, oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < sim->models->count && result == OZ_OK; k++)
		if (is_needed(sim, &sim->models->entries[k], a))
			result = oz_model_open_fields(sim, &sim->models->entries[k], error);
	return result;
}

// ---- passes ------------------------------------------------------------------------------------

oz_result oz_models_run(oz_sim *sim, oz_pass pass, oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < sim->models->count && result == OZ_OK; k++) {
		oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->pass[pass])
			result = e->ops->pass[pass](sim, e->state, error);
	}
	return result;
}

void oz_models_fix(oz_sim *sim, oz_float4 *guess)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.bind.fix)
			e->ops->press.bind.fix(sim, e->state, guess);
	}
}

void oz_models_project(oz_sim *sim, oz_float4 *acceleration)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.bind.project)
			e->ops->press.bind.project(sim, e->state, acceleration);
	}
}

void oz_models_join(oz_sim *sim, oz_float4 *acceleration)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.bind.join)
			e->ops->press.bind.join(sim, e->state, acceleration);
	}
}

bool oz_models_have_join(const oz_sim *sim)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.bind.join)
			return true;
	}
	return false;
}

void oz_models_add_rate(oz_sim *sim, const oz_float4 *velocity, float span, float *rate)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.density.rate)
			e->ops->press.density.rate(sim, e->state, velocity, span, rate);
	}
}

void oz_models_push(oz_sim *sim, const oz_float4 *trial, oz_float4 *acceleration)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.density.push)
			e->ops->press.density.push(sim, e->state, trial, acceleration);
	}
}

void oz_models_add_diagonal(oz_sim *sim, const oz_float4 *guess, float span, float least,
                            float *diagonal)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->press.density.diagonal)
			e->ops->press.density.diagonal(sim, e->state, guess, span, least, diagonal);
	}
}

uint32_t oz_models_need_host(const oz_sim *sim)
{
	uint32_t why = 0;
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->needs_host)
			why |= e->ops->needs_host(sim, e->state);
	}
	return why;
}

bool oz_pass_is_due(const oz_sim *sim, oz_pass pass)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->open && e->ops->pass[pass] && e->ops->needs_host &&
		    (e->ops->needs_host(sim, e->state) & OZ_HOST_NOW))
			return true;
	}
	return false;
}

double oz_models_energy(oz_sim *sim)
{
	const oz_model_entry *elastic = oz_model_of(sim, OZ_COROTATED),
	                     *blend = oz_model_of(sim, OZ_BLEND);
	return (elastic->open ? oz_elastic_energy(sim, elastic->state) : 0) +
	       (blend->open ? oz_blend_energy(sim, blend->state) : 0);
}

uint64_t oz_models_hash(const oz_sim *sim, uint64_t hash)
{
	return oz_membrane_hash(sim,
	                        oz_links_hash(sim, oz_rigid_hash(sim, oz_handles_hash(sim, hash))));
}

bool oz_models_get_membrane(const oz_sim *sim, oz_id body, uint32_t chamber,
                            oz_membrane_state *state)
{
	return oz_membrane_get(sim, body, chamber, state);
}

bool oz_models_fill_membrane(oz_sim *sim, oz_id body, double amount)
{
	return oz_membrane_fill(sim, body, amount);
}

bool oz_models_get_rigid(const oz_sim *sim, oz_id body, oz_rigid_state *state)
{
	return oz_rigid_get(sim, body, state);
}

oz_result oz_models_move_rigid(oz_sim *sim, oz_id body, const oz_goal *goal, oz_error *error)
{
	return oz_rigid_move(sim, body, goal, error);
}

oz_result oz_models_move_handle(oz_sim *sim, oz_id handle, const oz_goal *goal, oz_error *error)
{
	return oz_handles_move(sim, handle, goal, error);
}

oz_result oz_models_hold(oz_sim *sim, oz_id handle, bool holds, oz_error *error)
{
	return holds ? oz_handles_hold(sim, handle, error) : oz_handles_release(sim, handle, error);
}

// ---- things ------------------------------------------------------------------------------------

// the model that owns the objects of a group; NULL: none
static const oz_model_entry *owner_of(const oz_sim *sim, oz_param_group group)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_thing_ops *things = sim->models->entries[k].ops->things;
		if (things && things->group == group)
			return &sim->models->entries[k];
	}
	return NULL;
}

static const oz_array *things_of(const oz_model_entry *e)
{
	return (const oz_array *)(const void *)((const char *)e->state + e->ops->things->offset);
}

oz_result oz_models_add_thing(oz_sim *sim, oz_param_group group, const void *def, oz_id *id,
                              oz_error *error)
{
	const oz_model_entry *owner = owner_of(sim, group);
	if (!owner)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "no model has a %s; leave it out",
		               oz_params_name(group));
	return owner->ops->things->add(sim, def, id, error);
}

uint32_t oz_models_count_things(const oz_sim *sim, oz_param_group group)
{
	const oz_model_entry *owner = owner_of(sim, group);
	return owner ? things_of(owner)->count : 0;
}

const void *oz_models_get_thing(const oz_sim *sim, oz_param_group group, oz_id id)
{
	const oz_model_entry *owner = owner_of(sim, group);
	const oz_array *things = owner ? things_of(owner) : NULL;
	return things && id < things->count ? (const char *)things->items + things->size * id
	                                    : NULL;
}

// ---- materials and bodies ----------------------------------------------------------------------

oz_matter oz_matter_of(const oz_sim *sim, const oz_material_def *def)
{
	oz_matter m = oz_matter_base(&sim->def, def);
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_ops *ops = sim->models->entries[k].ops;
		if (ops->matter &&
		    (ops->model == OZ_ALL_MODELS || ops->model == (uint32_t)def->model))
			ops->matter(sim, def, &m);
	}
	return m;
}

oz_result oz_models_check_change(const oz_sim *sim, oz_id material, const oz_material_def *def,
                                 oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < sim->models->count && result == OZ_OK; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->ops->refuse.change)
			result = e->ops->refuse.change(sim, e->state, material, def, error);
	}
	return result;
}

void oz_models_follow_material(oz_sim *sim, oz_id material)
{
	for (uint32_t k = 0; k < sim->models->count; k++) {
		const oz_model_entry *e = &sim->models->entries[k];
		if (e->ops->changed)
			e->ops->changed(sim, e->state, material);
	}
}

double oz_models_bytes(const oz_world_def *def, const oz_material_def *material, bool on_gpu)
{
	double bytes = 0;
	for (uint32_t k = 0; k < table_count; k++)
		if (table[k]->bytes && (table[k]->model == OZ_ALL_MODELS ||
		                        table[k]->model == (uint32_t)material->model))
			bytes += table[k]->bytes(def, material, on_gpu);
	return bytes;
}

bool oz_any_body(const oz_sim *sim, uint32_t model, bool (*is)(const oz_material_def *material))
{
	for (uint32_t b = 0; b < sim->bodies.count; b++) {
		const oz_material_def *m = oz_material_of(sim, b);
		if (oz_bodies(sim)[b].count && (uint32_t)m->model == model && (!is || is(m)))
			return true;
	}
	return false;
}

bool oz_any_trait(const oz_sim *sim, uint32_t trait)
{
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_bodies(sim)[b].count && oz_model_has(oz_material_of(sim, b)->model, trait))
			return true;
	return false;
}

bool oz_any_unknown_model(const oz_sim *sim)
{
	for (uint32_t b = 0; b < sim->bodies.count; b++)
		if (oz_bodies(sim)[b].count && !oz_model_traits_of(oz_material_of(sim, b)->model))
			return true;
	return false;
}
