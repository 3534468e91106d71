// topology.c: updates rest shapes: melting, freezing, new rest shapes.
//
// Models decide which slots change; contact/ then makes the rest lists and components.
#include "world/world.h"

// makes rest lists and components after models have decided which components change
static oz_result rebuild(oz_world *w, oz_reshape *r, oz_error *error)
{
	oz_sim *s = &w->sim;
	oz_components_group(s, r);
	oz_result result = oz_models_run(s, OZ_PASS_GROUP, error);
	if (result == OZ_OK)
		result = oz_rest_lists_build(s, r->rest, r->group, error);
	if (result == OZ_OK)
		result = oz_models_run(s, OZ_PASS_LISTED, error);
	if (result == OZ_OK)
		result = oz_models_run(s, OZ_PASS_RESHAPED, error);
	if (result == OZ_OK) {
		oz_components_link(s, r);
		result = oz_models_run(s, OZ_PASS_JOINED, error);
	}
	if (result == OZ_OK)
		result = oz_components_name(s, r, error);
	s->contact->keys_valid = false;
	if (result == OZ_OK)
		result = oz_models_run(s, OZ_PASS_NAMED, error);
	// a rebuild that failed is repeated in the next step
	s->slots->stale = result != OZ_OK;
	return result;
}

// Makes stale lists without changing rest shapes: melting and freezing read them, in a world that
// was loaded or has got new particles.
static oz_result rebuild_stale_lists(oz_world *w, oz_error *error)
{
	oz_reshape r;
	oz_result result = oz_reshape_begin(&w->sim, &r, error);
	if (result == OZ_OK)
		result = rebuild(w, &r, error);
	oz_reshape_end(&w->sim, &r);
	return result;
}

// lets models decide which components change; rebuilds if any does, or if lists are stale
static oz_result reshape(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	oz_reshape r;
	oz_result result = oz_reshape_begin(s, &r, error);
	if (result == OZ_OK)
		result = oz_models_run(s, OZ_PASS_DECIDE, error);
	if (result == OZ_OK)
		result = r.changed || s->slots->stale ? rebuild(w, &r, error)
		                                      : oz_models_run(s, OZ_PASS_RESHAPED, error);
	oz_reshape_end(s, &r);
	return result;
}

bool oz_topology_is_due(const oz_world *w)
{
	return w->slots.count && (w->slots.stale || (oz_models_need_host(&w->sim) & OZ_HOST_NOW));
}

oz_result oz_topology_update(oz_world *w, oz_error *error)
{
	oz_sim *s = &w->sim;
	if (s->slots->count == 0)
		return OZ_OK;
	oz_result result = oz_models_run(s, OZ_PASS_FOLLOW, error);
	const bool changes = oz_pass_is_due(s, OZ_PASS_CHANGE);
	if (result == OZ_OK && changes && s->step && s->slots->stale)
		result = rebuild_stale_lists(w, error);
	if (result == OZ_OK && changes)
		result = oz_models_run(s, OZ_PASS_CHANGE, error);
	if (result != OZ_OK || !(s->slots->stale || oz_pass_is_due(s, OZ_PASS_DECIDE)))
		return result;
	return reshape(w, error);
}
