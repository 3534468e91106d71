// components.c: connected components of the rest shapes: joins and names them.
//
// A component is a connected set of rest neighbours, named after its lowest slot. When components
// take new rest shapes, they may split, or merge with others that change in the same step. The
// device does all of it (components.cl); the host launches the kernels and raises events.
#include <string.h>

#include "contact/slots.h"

#include "contact/components.cl"

static oz_result no_memory(const oz_sim *sim, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the components of %u particles; use a larger spacing",
	               sim->slots->count);
}

oz_result oz_reshape_begin(oz_sim *sim, oz_reshape *r, oz_error *error)
{
	oz_device *d = sim->device;
	oz_scratch *s = &sim->scratch;
	// capacity, not count: the scratch pool then holds blocks of few sizes
	const uint32_t slots = sim->fields.capacity[OZ_ITEMS_SLOTS];
	*r = (oz_reshape){.components = OZ_TAKE(s, oz_component, "components", slots),
	                  .pours = OZ_TAKE(s, uint, "pours", sim->bodies.count),
	                  .news = OZ_TAKE(s, oz_component_news, "component news", 1),
	                  .parent = OZ_TAKE(s, uint, "component parent", slots),
	                  .group = OZ_TAKE(s, uint, "component group", slots),
	                  .component = OZ_TAKE(s, uint, "component name", slots),
	                  .before = OZ_TAKE(s, uint, "components before", slots),
	                  .rest = OZ_TAKE(s, oz_float4, "new rest", slots)};
	sim->slots->reshape = r;
	if (!r->components || !r->pours || !r->news || !r->parent || !r->group || !r->component ||
	    !r->before || !r->rest)
		return no_memory(sim, error);
	oz_component_news news = {0};
	memset(news.name, 0xff, sizeof news.name);
	d->ops->write(d, r->news, 0, &news, sizeof news);
	d->ops->clear(d, r->pours, sizeof *r->pours * sim->bodies.count);
	d->ops->clear(d, r->components, sizeof *r->components * sim->slots->count);
	return OZ_OK;
}

void oz_reshape_end(oz_sim *sim, oz_reshape *r)
{
	const void *taken[] = {r->components, r->pours,     r->news,   r->parent,
	                       r->group,      r->component, r->before, r->rest};
	for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
		oz_scratch_give(&sim->scratch, taken[k]);
	sim->slots->reshape = NULL;
}

oz_component_news oz_reshape_read_news(oz_sim *sim, const oz_reshape *r)
{
	oz_component_news news;
	sim->device->ops->read(sim->device, &news, r->news, 0, sizeof news);
	return news;
}

void oz_components_group(oz_sim *sim, const oz_reshape *r)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const oz_particles *p = &sim->particles;
	const oz_neighbours *n = &sim->neighbours;
	OZ_LAUNCH(d, component_init_parent, s->count, .parent = r->parent);
	if (r->changed && n->listed)
		OZ_LAUNCH(d, component_join_touching, s->count, .list = n->list, .start = n->start,
		          .count = n->count, .slot = s->slot, .body = p->body,
		          .position = p->position, .particle_of_slot = s->particle_of_slot,
		          .component = s->component, .components = r->components, .pours = r->pours,
		          .parent = r->parent, .reach2 = sim->fluid.h * sim->fluid.h,
		          .listed = n->listed, .slots = s->count, .stride = n->stride);
	OZ_LAUNCH(d, component_group, s->count, .parent = r->parent, .component = s->component,
	          .components = r->components, .particle_of_slot = s->particle_of_slot,
	          .position = p->position, .rest = s->rest, .group = r->group, .new_rest = r->rest);
}

void oz_components_link(oz_sim *sim, const oz_reshape *r)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(d, component_lowest, s->count, .list = s->list, .start = s->start,
	          .members = s->members, .parent = r->parent, .stride = d->stride);
	OZ_LAUNCH(d, component_link, s->count, .list = s->list, .start = s->start,
	          .members = s->members, .parent = r->parent, .stride = d->stride);
}

// names all components after their lowest slots, counts them and numbers them
static void name_components(oz_sim *sim, const oz_reshape *r)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(d, component_name, s->count, .parent = r->parent, .shapeless = s->shapeless,
	          .component = r->component, .first = r->before, .news = r->news);
	oz_device_scan(d, r->before, s->count);
	OZ_LAUNCH(d, component_tag, s->count, .component = r->component, .before = r->before,
	          .tag = s->tag, .tags = OZ_TAGS);
}

// finds the old components that have split and the new ones that have merged
static void find_changes(oz_sim *sim, const oz_reshape *r)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(d, component_compare, s->count, .before = s->component, .component = r->component,
	          .components = r->components, .news = r->news);
	OZ_LAUNCH(d, component_find_body, 2 * OZ_COMPONENTS_REPORTED,
	          .particle_of_slot = s->particle_of_slot, .body = sim->particles.body,
	          .news = r->news);
}

// raises an event for each component that has split or merged
static void raise_events(oz_sim *sim, const oz_component_news *news)
{
	for (uint32_t k = 0; k < 2 * OZ_COMPONENTS_REPORTED; k++)
		if (news->name[k] != OZ_NO_COMPONENT)
			oz_event_raise(sim, OZ_EVENT_COMPONENTS, news->body[k],
			               (float)news->components,
			               "component %u of body '%s' %s; components now: %u",
			               news->name[k], oz_bodies(sim)[news->body[k]].name,
			               k < OZ_COMPONENTS_REPORTED ? "has split"
			                                          : "has merged with others",
			               news->components);
}

oz_result oz_components_name(oz_sim *sim, const oz_reshape *r, oz_error *error)
{
	oz_slots *s = sim->slots;
	name_components(sim, r);
	if (r->changed && s->components)
		find_changes(sim, r);
	sim->device->ops->copy(sim->device, s->component, r->component, sizeof(uint) * s->count);
	const oz_component_news news = oz_reshape_read_news(sim, r);
	const oz_result result = oz_device_check(sim->device, error);
	if (result != OZ_OK)
		return result;
	s->components = news.components;
	s->names = news.names;
	raise_events(sim, &news);
	return OZ_OK;
}
