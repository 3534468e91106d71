// reshape.cl: sums the contact of components, and marks those that take a new rest shape.
//
// Sums are of integers, so the order of addition does not change the result. A component's values
// are counted in quanta; a quantum is 2^-32 of a power of two above the largest value. So each
// value is below 2^32 quanta, and the sum over 2^31 slots, more than a world holds, fits 64 bits.
#include "contact/component.h"
#include "device/batch.h"
#include "particles/matter.h"

#define COMPONENT_MOST 1e20f // upper bound of values, above every speed and threshold

// clamps to 0 … COMPONENT_MOST; NaN becomes a number
OZ_FN float component_clamp(float x)
{
	return oz_min(oz_max(x, 0.0f), COMPONENT_MOST);
}

#define component_open_ARGS(IN, OUT, VAL)                                                          \
	IN(float, contact_impulse)                                                                 \
	IN(float, contact_time)                                                                    \
	IN(float, own_alpha)                                                                       \
	IN(uint, shapeless)                                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(uint, body)                                                                             \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, velocity)                                                                    \
	OUT(oz_float4, value)                                                                      \
	OUT(oz_component_most, most)                                                               \
	OUT(oz_component_contact, contact)                                                         \
	OUT(oz_component_limit, limit) OUT(oz_component, components) OUT(uint, pours)
OZ_ARGS(component_open)

// Writes the values of each slot: contact impulse (m/s), its time (s), f_u (m/s²), square of the
// speed (m²/s²). Clears the sums of components. Marks bodies with shapeless slots in `pours`: an
// emitter is adding particles to them.
OZ_FN void component_open_at(const component_open_args *a, uint i)
{
	const uint p = a->particle_of_slot[i];
	const oz_matter m = a->matter[a->material[p]];
	const oz_float4 v = a->velocity[p];
	const float speed2 = oz_fma(v.x, v.x, oz_fma(v.y, v.y, v.z * v.z));
	const float elastic = 1.0f - matter_alpha(a->own_alpha[i], m.alpha);
	a->value[i] = oz_make4(component_clamp(a->contact_impulse[i]),
	                       component_clamp(a->contact_time[i]),
	                       component_clamp(m.reshape.update_force * elastic),
	                       component_clamp(speed2));
	a->most[i].contact_impulse = a->most[i].contact_time = a->most[i].threshold =
	        a->most[i].speed2 = 0u;
	a->contact[i].contact_impulse.low = a->contact[i].contact_impulse.high = 0u;
	a->contact[i].contact_time.low = a->contact[i].contact_time.high = 0u;
	a->limit[i].threshold.low = a->limit[i].threshold.high = 0u;
	a->limit[i].speed2.low = a->limit[i].speed2.high = 0u;
	a->components[i].count = a->components[i].flags = 0u;
	if (a->shapeless[i] && !oz_atomic_load(&a->pours[a->body[p]]))
		oz_atomic_or(&a->pours[a->body[p]], 1u);
}

// raises the largest values of a component to at least v; the bits of floats >= 0 sort as integers
OZ_FN void component_raise(OZ_GLOBAL oz_component_most *most, oz_float4 v)
{
	oz_atomic_max(&most->contact_impulse, oz_bits_of_float(v.x));
	oz_atomic_max(&most->contact_time, oz_bits_of_float(v.y));
	oz_atomic_max(&most->threshold, oz_bits_of_float(v.z));
	oz_atomic_max(&most->speed2, oz_bits_of_float(v.w));
}

#define component_largest_ARGS(IN, OUT, VAL)                                                       \
	IN(oz_float4, value)                                                                       \
	IN(uint, component) OUT(oz_component_most, most) VAL(uint, slots) VAL(uint, stride)
OZ_ARGS(component_largest)

// the largest values of each component; one work item takes OZ_BATCH slots
OZ_FN void component_largest_at(const component_largest_args *a, uint i)
{
	oz_float4 most = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	uint name = OZ_NO_COMPONENT;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->slots)
			break;
		if (a->component[k] != name) {
			if (name != OZ_NO_COMPONENT)
				component_raise(&a->most[name], most);
			most = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
			name = a->component[k];
		}
		const oz_float4 v = a->value[k];
		most = oz_make4(oz_max(most.x, v.x), oz_max(most.y, v.y), oz_max(most.z, v.z),
		                oz_max(most.w, v.w));
	}
	if (name != OZ_NO_COMPONENT)
		component_raise(&a->most[name], most);
}

// The exponent bits E of the largest value, at least 32. The value is below 2^(E - 126), and a
// quantum is 2^(E - 158), a normal float for E from 32 on.
OZ_FN uint component_exponent(uint most)
{
	return most >> 23 > 32u ? most >> 23 : 32u;
}

// quanta in 1
OZ_FN float component_quanta(uint most)
{
	return oz_float_of_bits((285u - component_exponent(most)) << 23);
}

// the value of one quantum
OZ_FN float component_quantum(uint most)
{
	return oz_float_of_bits((component_exponent(most) - 31u) << 23);
}

// the part of a component's sums from one batch
typedef struct component_tally {
	oz_u64 contact_impulse, contact_time, threshold, speed2; // quanta
	uint count, flags;
} component_tally;

OZ_FN component_tally component_tally_zero(void)
{
	component_tally t;
	t.contact_impulse = t.contact_time = t.threshold = t.speed2 = 0u;
	t.count = t.flags = 0u;
	return t;
}

// adds one slot to the sums of a batch
OZ_FN void component_count(component_tally *t, oz_float4 v, oz_component_most most, uint flags)
{
	t->contact_impulse += (uint)(v.x * component_quanta(most.contact_impulse));
	t->contact_time += (uint)(v.y * component_quanta(most.contact_time));
	t->threshold += (uint)(v.z * component_quanta(most.threshold));
	t->speed2 += (uint)(v.w * component_quanta(most.speed2));
	t->count++;
	t->flags |= flags;
}

// adds the sums of a batch to those of a component
OZ_FN void component_add(OZ_GLOBAL oz_component_contact *contact,
                         OZ_GLOBAL oz_component_limit *limit, OZ_GLOBAL oz_component *component,
                         const component_tally *t)
{
	oz_sum_add(&contact->contact_impulse, t->contact_impulse);
	oz_sum_add(&contact->contact_time, t->contact_time);
	oz_sum_add(&limit->threshold, t->threshold);
	oz_sum_add(&limit->speed2, t->speed2);
	oz_atomic_add(&component->count, t->count);
	if (t->flags)
		oz_atomic_or(&component->flags, t->flags);
}

#define component_sum_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, value)                                                                       \
	IN(uint, component)                                                                        \
	IN(oz_component_most, most)                                                                \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(uint, body)                                                                             \
	IN(oz_matter, matter)                                                                      \
	IN(uint, pours)                                                                            \
	OUT(oz_component_contact, contact)                                                         \
	OUT(oz_component_limit, limit)                                                             \
	OUT(oz_component, components) VAL(uint, slots) VAL(uint, stride)
OZ_ARGS(component_sum)

// the sums of each component; one work item takes OZ_BATCH slots
OZ_FN void component_sum_at(const component_sum_args *a, uint i)
{
	component_tally t = component_tally_zero();
	uint name = OZ_NO_COMPONENT;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->slots)
			break;
		if (a->component[k] != name) {
			if (name != OZ_NO_COMPONENT)
				component_add(&a->contact[name], &a->limit[name],
				              &a->components[name], &t);
			t = component_tally_zero();
			name = a->component[k];
		}
		const uint p = a->particle_of_slot[k];
		const uint flags =
		        (a->matter[a->material[p]].reshape.merges ? 0u : COMPONENT_LONE) |
		        (a->pours[a->body[p]] ? COMPONENT_POURS : 0u);
		component_count(&t, a->value[k], a->most[name], flags);
	}
	if (name != OZ_NO_COMPONENT)
		component_add(&a->contact[name], &a->limit[name], &a->components[name], &t);
}

// a sum of quanta as a float
OZ_FN float component_total(oz_sum sum, uint most)
{
	return (float)oz_sum_get(sum) * component_quantum(most);
}

#define component_decide_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_component_most, most)                                                                \
	IN(oz_component_contact, contact)                                                          \
	IN(oz_component_limit, limit)                                                              \
	OUT(oz_component, components)                                                              \
	OUT(oz_component_news, news)                                                               \
	VAL(oz_u64, step) VAL(float, gravity) VAL(float, still2) VAL(uint, listed)
OZ_ARGS(component_decide)

// Marks due components. A due component takes a new rest shape if its mean contact acceleration
// less gravity is above the mean f_u and it moves faster than √still2. A component of a body that
// an emitter fills always takes one: so new particles join those emitted before. Particles that
// were added in this step have no neighbour lists yet and wait until they are due again.
OZ_FN void component_decide_at(const component_decide_args *a, uint i)
{
	const oz_component component = a->components[i];
	const oz_component_most most = a->most[i];
	const float count = (float)component.count;
	if (component.count == 0u || a->step == 0u ||
	    a->step % a->matter[a->material[a->particle_of_slot[i]]].reshape.update_steps != 0u)
		return;
	const float contact_impulse =
	        component_total(a->contact[i].contact_impulse, most.contact_impulse);
	const float contact_time = component_total(a->contact[i].contact_time, most.contact_time);
	const float threshold = component_total(a->limit[i].threshold, most.threshold);
	const float speed2 = component_total(a->limit[i].speed2, most.speed2);
	const bool hit =
	        contact_time > 0.0f &&
	        contact_impulse * count > oz_fma(a->gravity, count, threshold) * contact_time &&
	        speed2 > a->still2 * count;
	const bool listed = a->particle_of_slot[i] < a->listed;
	const bool changes = hit || (listed && (component.flags & COMPONENT_POURS) != 0u);
	a->components[i].flags =
	        component.flags | COMPONENT_DUE | (changes ? COMPONENT_CHANGES : 0u);
	if (changes)
		oz_atomic_add(&a->news->changed, component.count);
}

#define component_reset_ARGS(IN, OUT, VAL)                                                         \
	IN(uint, component)                                                                        \
	IN(oz_component, components)                                                               \
	OUT(float, contact_impulse)                                                                \
	OUT(float, contact_time) OUT(oz_float4, rotation) OUT(uint, shapeless)
OZ_ARGS(component_reset)

// Sets the contact impulse and contact time of the slots of due components to 0. Slots of
// components that take a new rest shape get the identity rotation and are no longer shapeless.
OZ_FN void component_reset_at(const component_reset_args *a, uint i)
{
	const uint flags = a->components[a->component[i]].flags;
	if (flags & COMPONENT_DUE)
		a->contact_impulse[i] = a->contact_time[i] = 0.0f;
	if (flags & COMPONENT_CHANGES) {
		a->rotation[i] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
		a->shapeless[i] = 0u;
	}
}

#define reshape_KERNELS(X)                                                                         \
	X(component_open, EACH)                                                                    \
	X(component_largest, EACH)                                                                 \
	X(component_sum, EACH)                                                                     \
	X(component_decide, EACH)                                                                  \
	X(component_reset, EACH)
OZ_KERNELS(reshape_KERNELS)
