// loads.c: loads of colliders: the momentum that particles give them, summed on the device.
//
// Sums are integers. One quantum is 2^-24 of the momentum of a particle of water at the speed of
// sound. Integer sums are exact, so that the result does not depend on threads. A sum grows until
// oz_loads_take reads it and sets it to 0.
#include <string.h>

#include "boundary/boundary.h"

#define QUANTUM 0x1p-24 // of 1000 kg/m³ × spacing³ × speed of sound
#define REST    1000.0  // kg/m³

// momentum of one quantum, kg·m/s
static double quantum(const oz_sim *sim)
{
	const double s = (double)sim->def.spacing;
	return QUANTUM * REST * s * s * s * (double)sim->def.sound_speed;
}

float oz_load_quanta(const oz_sim *sim)
{
	const double s = (double)sim->def.spacing;
	return (float)(s * s * s / quantum(sim));
}

static size_t reaction_bytes(uint32_t loads)
{
	return sizeof(oz_reaction) * OZ_REACTION_SLOTS * loads;
}

void oz_loads_free(oz_boundary *b, oz_device *d)
{
	d->ops->release(d, b->reactions, reaction_bytes(b->load_count));
	b->reactions = NULL;
	b->load_count = 0;
}

oz_result oz_loads_add(oz_boundary *b, const oz_sim *sim, oz_collider_entry *entry, oz_error *error)
{
	oz_device *d = sim->device;
	const size_t old = reaction_bytes(b->load_count), size = reaction_bytes(b->load_count + 1);
	oz_reaction *more = d->ops->alloc(d, size);
	if (!more)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for the load of a collider; close other programs");
	d->ops->clear(d, more, size);
	if (old)
		d->ops->copy(d, more, b->reactions, old);
	d->ops->release(d, b->reactions, old);
	b->reactions = more;
	entry->load = ++b->load_count;
	entry->load_since = sim->time;
	return OZ_OK;
}

// adds a signed 64-bit sum of the device
static void add_up(double *total, oz_sum sum)
{
	*total += (double)(int64_t)oz_sum_get(sum);
}

// adds the slots of one load, in quanta
static oz_load sum_up(const oz_reaction *slots)
{
	oz_load load = {0};
	for (uint32_t k = 0; k < OZ_REACTION_SLOTS; k++) {
		for (int axis = 0; axis < 3; axis++) {
			add_up(&load.force[axis], slots[k].force[axis]);
			add_up(&load.torque[axis], slots[k].torque[axis]);
		}
		add_up(&load.work, slots[k].work);
	}
	return load;
}

oz_result oz_loads_take(oz_boundary *b, const oz_sim *sim, oz_id collider, oz_load *load,
                        oz_error *error)
{
	if (collider >= b->colliders.count)
		return oz_fail(error, OZ_ERROR_NOT_FOUND, "there is no collider %u; there are %u",
		               collider, b->colliders.count);
	oz_collider_entry *entry = &oz_collider_entries(b)[collider];
	if (!entry->load)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "collider %u does not sum its load; set `load` in its definition",
		               collider);
	oz_device *d = sim->device;
	oz_reaction slots[OZ_REACTION_SLOTS];
	const size_t at = reaction_bytes(entry->load - 1);
	d->ops->read(d, slots, b->reactions, at, sizeof slots);
	const oz_result result = oz_device_check(d, error);
	if (result != OZ_OK)
		return result;
	*load = sum_up(slots);
	memset(slots, 0, sizeof slots);
	d->ops->write(d, b->reactions, at, slots, sizeof slots);
	const double unit = quantum(sim), span = sim->time - entry->load_since;
	entry->load_since = sim->time;
	load->span = span;
	load->work *= unit * (double)(OZ_REACTION_SPEED_UNIT * sim->def.sound_speed);
	for (int axis = 0; axis < 3; axis++) {
		load->force[axis] *= span > 0 ? unit / span : 0;
		load->torque[axis] *= span > 0 ? unit * (double)sim->def.spacing / span : 0;
	}
	return OZ_OK;
}
