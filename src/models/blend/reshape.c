// reshape.c: when a component of a blend takes a new rest shape.
//
// Every `update_steps` steps a component is due. Its contact acceleration since it was due last,
// the mean per particle less gravity (a body at rest has that too), is compared with f_u = γ_u (1 -
// α) (eq 14). If it is larger, the present shape becomes the rest shape (section 3.2). The
// component may then split into several, or join others that change in the same step, if the
// materials of all allow it. The paper decides once for the whole world; here each component is
// decided alone.
#include <math.h>

#include "math/vec.h"
#include "models/blend/blend.h"

#include "models/blend/reshape.cl"

#define AT_REST 0.02f // share of √(g spacing): slower components keep their rest shape

// scratch of a decision, on the device, one record for each slot
typedef struct decision_scratch {
	oz_float4 *value;
	oz_component_most *most;
	oz_component_contact *contact;
	oz_component_limit *limit;
} decision_scratch;

static void give_scratch(oz_sim *sim, decision_scratch *q)
{
	oz_scratch_give(&sim->scratch, q->value);
	oz_scratch_give(&sim->scratch, q->most);
	oz_scratch_give(&sim->scratch, q->contact);
	oz_scratch_give(&sim->scratch, q->limit);
}

static oz_result take_scratch(oz_sim *sim, decision_scratch *q, oz_error *error)
{
	oz_scratch *s = &sim->scratch;
	const uint32_t slots = sim->fields.capacity[OZ_ITEMS_SLOTS];
	*q = (decision_scratch){.value = OZ_TAKE(s, oz_float4, "contact values", slots),
	                        .most = OZ_TAKE(s, oz_component_most, "largest values", slots),
	                        .contact = OZ_TAKE(s, oz_component_contact, "contact sums", slots),
	                        .limit = OZ_TAKE(s, oz_component_limit, "limit sums", slots)};
	if (q->value && q->most && q->contact && q->limit)
		return OZ_OK;
	give_scratch(sim, q);
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the components of %u particles; use a larger spacing",
	               slots);
}

// sums the values of slots into those of their components
static void sum_components(oz_sim *sim, const oz_blend *b, const decision_scratch *q,
                           const oz_reshape *r)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const oz_particles *p = &sim->particles;
	const uint32_t batches = oz_batch_items(s->count, d->stride);
	OZ_LAUNCH(d, component_open, s->count, .contact_impulse = b->contact_impulse,
	          .contact_time = b->contact_time, .own_alpha = s->own_alpha,
	          .shapeless = s->shapeless, .particle_of_slot = s->particle_of_slot,
	          .material = p->material, .body = p->body, .matter = sim->matter,
	          .velocity = p->velocity, .value = q->value, .most = q->most,
	          .contact = q->contact, .limit = q->limit, .components = r->components,
	          .pours = r->pours);
	OZ_LAUNCH(d, component_largest, batches, .value = q->value, .component = s->component,
	          .most = q->most, .slots = s->count, .stride = d->stride);
	OZ_LAUNCH(d, component_sum, batches, .value = q->value, .component = s->component,
	          .most = q->most, .particle_of_slot = s->particle_of_slot, .material = p->material,
	          .body = p->body, .matter = sim->matter, .pours = r->pours, .contact = q->contact,
	          .limit = q->limit, .components = r->components, .slots = s->count,
	          .stride = d->stride);
}

oz_result oz_blend_decide(oz_sim *sim, void *state, oz_error *error)
{
	oz_reshape *r = sim->slots->reshape;
	const float g = oz_length(sim->def.gravity);
	decision_scratch q;
	const oz_result result = take_scratch(sim, &q, error);
	if (result != OZ_OK)
		return result;
	sum_components(sim, state, &q, r);
	OZ_LAUNCH(sim->device, component_decide, sim->slots->count,
	          .particle_of_slot = sim->slots->particle_of_slot,
	          .material = sim->particles.material, .matter = sim->matter, .most = q.most,
	          .contact = q.contact, .limit = q.limit, .components = r->components,
	          .news = r->news, .step = sim->step, .gravity = g,
	          .still2 = AT_REST * AT_REST * g * sim->def.spacing,
	          .listed = sim->neighbours.listed);
	r->changed += oz_reshape_read_news(sim, r).changed;
	give_scratch(sim, &q);
	return OZ_OK;
}

oz_result oz_blend_reset_contact(oz_sim *sim, void *state, oz_error *error)
{
	const oz_blend *b = state;
	const oz_slots *s = sim->slots;
	(void)error;
	OZ_LAUNCH(sim->device, component_reset, s->count, .component = s->component,
	          .components = s->reshape->components, .contact_impulse = b->contact_impulse,
	          .contact_time = b->contact_time, .rotation = s->rotation,
	          .shapeless = s->shapeless);
	return OZ_OK;
}

bool oz_blend_is_due(const oz_sim *sim)
{
	for (uint32_t m = 0; m < sim->materials.count; m++) {
		const oz_material_def *def = &oz_materials(sim)[m];
		if (def->model == OZ_BLEND && sim->step > 0 && sim->step % def->update_steps == 0)
			return true;
	}
	return false;
}
