// slots.c: memory of slots, and the slots of new bodies.
#include "contact/slots.h"

#include <string.h>

#include "contact/contact.h"

#include "contact/slots.cl"

#define SLOT_ROW(...)    OZ_FIELD_ROW(oz_slots, "slot.", __VA_ARGS__)
#define SLOT_OF_ROW(...) OZ_FIELD_ROW(oz_slots, "", __VA_ARGS__)
static const oz_field_row slot_rows[] = {OZ_SLOT_FIELDS(SLOT_ROW)};
static const oz_field_row slot_of_rows[] = {OZ_SLOT_OF_FIELDS(SLOT_OF_ROW)};

bool oz_has_slots(const oz_sim *sim, oz_id body)
{
	const oz_matter *matters = sim->matters.items;
	return oz_bodies(sim)[body].count && matters[oz_bodies(sim)[body].material].rest_reach > 0;
}

// ---- memory ------------------------------------------------------------------------------------

// adds the fields of slots to the registry
static oz_result open(oz_sim *sim, oz_error *error)
{
	const oz_field_set slots = {slot_rows, sizeof slot_rows / sizeof *slot_rows, OZ_ITEMS_SLOTS,
	                            sim->slots};
	const oz_field_set of_particles = {slot_of_rows, sizeof slot_of_rows / sizeof *slot_of_rows,
	                                   OZ_ITEMS_PARTICLES, sim->slots};
	oz_result result = oz_fields_add(&sim->fields, &of_particles, sim->particles.count, error);
	if (result != OZ_OK)
		return result;
	result = oz_fields_add(&sim->fields, &slots, 0, error);
	if (result != OZ_OK)
		oz_fields_drop_last(&sim->fields);
	sim->slots->open = result == OZ_OK;
	return result;
}

oz_result oz_slots_reserve(oz_sim *sim, uint32_t count, oz_error *error)
{
	const oz_result result = sim->slots->open ? OZ_OK : open(sim, error);
	if (result != OZ_OK || count + 1ull <= sim->fields.capacity[OZ_ITEMS_SLOTS])
		return result;
	// scratch buffers have the capacity of the fields: free those that are not in use, they
	// would be too small
	oz_scratch_drop(&sim->scratch);
	const uint64_t wanted = count + 1ull + (sim->slots->count ? count / 8 : 0);
	return oz_fields_reserve(&sim->fields, OZ_ITEMS_SLOTS, sim->slots->count,
	                         wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX, error);
}

void oz_slots_free(oz_sim *sim)
{
	oz_slots *s = sim->slots;
	sim->device->ops->release(sim->device, s->list, sizeof(uint) * s->list_capacity);
	*s = (oz_slots){0};
}

oz_float4 *oz_slots_take(oz_sim *sim, const char *name)
{
	const oz_float4 zero = {0, 0, 0, 0};
	oz_float4 *records =
	        OZ_TAKE(&sim->scratch, oz_float4, name, sim->fields.capacity[OZ_ITEMS_SLOTS]);
	if (records)
		sim->device->ops->write(sim->device, records, sizeof zero * sim->slots->count,
		                        &zero, sizeof zero);
	return records;
}

bool oz_slots_have_field(const char *name)
{
	for (size_t k = 0; k < sizeof slot_rows / sizeof *slot_rows; k++)
		if (strcmp(slot_rows[k].name, name) == 0)
			return true;
	return strcmp(slot_of_rows[0].name, name) == 0;
}

double oz_slots_bytes(double reach, bool friction, bool on_gpu)
{
	const double rows =
	        (double)(oz_rows_bytes(slot_rows, sizeof slot_rows / sizeof *slot_rows) +
	                 oz_rows_bytes(slot_of_rows, sizeof slot_of_rows / sizeof *slot_of_rows));
	return rows + (double)oz_contact_bytes(friction) + oz_rest_list_bytes(reach, on_gpu);
}

// ---- adding ------------------------------------------------------------------------------------

#define WRITTEN 1024u // slots in one write to the device, at most

// the fields of some slots
typedef struct slot_records {
	oz_float4 rest[WRITTEN], rotation[WRITTEN];
	uint component[WRITTEN], shapeless[WRITTEN], particle[WRITTEN];
	float own_alpha[WRITTEN];
} slot_records;

// sets record k to the n-th slot of an addition
static void set_record(const oz_sim *sim, const oz_addition *a, uint32_t n, slot_records *r,
                       uint32_t k)
{
	const uint32_t i = a->order ? a->order[n] : n;
	const oz_vec3 rest = a->points[i];
	const bool poured = a->nozzle != 0;
	r->rest[k] = oz_make4(rest.x, rest.y, rest.z, 0.0f);
	r->rotation[k] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
	r->component[k] = poured ? a->slot + n : oz_bodies(sim)[a->body].component;
	r->own_alpha[k] = -1.0f;
	r->shapeless[k] = poured;
	r->particle[k] = a->particle + i;
}

// writes records of one field from slot `at` on
static void write_field(oz_sim *sim, void *field, uint32_t at, const void *records, size_t size,
                        uint32_t count)
{
	sim->device->ops->write(sim->device, field, size * at, records, size * count);
}

// writes all fields of `count` slots, at most WRITTEN
static void write_slots(oz_sim *sim, const oz_addition *a, uint32_t first, uint32_t count)
{
	const oz_slots *s = sim->slots;
	const uint32_t at = a->slot + first;
	slot_records r;
	for (uint32_t k = 0; k < count; k++)
		set_record(sim, a, first + k, &r, k);
	write_field(sim, s->rest, at, r.rest, sizeof *r.rest, count);
	write_field(sim, s->rotation, at, r.rotation, sizeof *r.rotation, count);
	write_field(sim, s->component, at, r.component, sizeof *r.component, count);
	write_field(sim, s->own_alpha, at, r.own_alpha, sizeof *r.own_alpha, count);
	write_field(sim, s->shapeless, at, r.shapeless, sizeof *r.shapeless, count);
	write_field(sim, s->particle_of_slot, at, r.particle, sizeof *r.particle, count);
}

// writes the field `slot` of the new particles
static void write_slot_of(oz_sim *sim, const oz_addition *a)
{
	uint slot[WRITTEN];
	for (uint32_t i = 0; i < a->count; i++) {
		const uint32_t k = i % WRITTEN;
		slot[k] = a->slot + (a->rank ? a->rank[i] : i);
		if (k == WRITTEN - 1 || i == a->count - 1)
			sim->device->ops->write(sim->device, sim->slots->slot,
			                        sizeof *slot * (a->particle + i - k), slot,
			                        sizeof *slot * (k + 1));
	}
}

void oz_slots_add(oz_sim *sim, const oz_addition *a)
{
	write_slot_of(sim, a);
	oz_fields_write_first(&sim->fields, 0, OZ_ITEMS_SLOTS, a->slot, a->slot + a->count);
	for (uint32_t done = 0; done < a->count; done += WRITTEN)
		write_slots(sim, a, done, a->count - done < WRITTEN ? a->count - done : WRITTEN);
	sim->slots->count += a->count;
	sim->slots->stale = true;
}

void oz_slots_update_particles(oz_sim *sim)
{
	if (sim->slots->count)
		OZ_LAUNCH(sim->device, slot_update_particle, sim->particles.count,
		          .slot = sim->slots->slot,
		          .particle_of_slot = sim->slots->particle_of_slot,
		          .slots = sim->slots->count);
}

void oz_slots_write_phase(oz_sim *sim, uint *phase)
{
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(sim->device, slot_phase, sim->particles.count, .slot = OZ_OPTIONAL(s->slot),
	          .shapeless = OZ_OPTIONAL(s->shapeless), .own_alpha = OZ_OPTIONAL(s->own_alpha),
	          .material = sim->particles.material, .matter = sim->matter, .phase = phase,
	          .slots = s->count);
}

void oz_slots_write_viscous(oz_sim *sim, oz_id material)
{
	const oz_slots *s = sim->slots;
	OZ_LAUNCH(sim->device, slot_viscous, sim->particles.count, .slot = OZ_OPTIONAL(s->slot),
	          .shapeless = OZ_OPTIONAL(s->shapeless), .material = sim->particles.material,
	          .matter = sim->matter, .velocity = sim->particles.velocity, .slots = s->count,
	          .changed = material);
}

// ---- order -------------------------------------------------------------------------------------

typedef struct order_work {
	oz_float4 *rest;
	uint *component, *key, *order, *spare_key, *spare_order;
} order_work;

static void give_work(oz_scratch *s, order_work *k)
{
	const void *taken[] = {k->rest,  k->component, k->key,
	                       k->order, k->spare_key, k->spare_order};
	for (size_t n = 0; n < sizeof taken / sizeof *taken; n++)
		oz_scratch_give(s, taken[n]);
}

static bool take_work(oz_scratch *s, order_work *k, uint32_t count)
{
	k->rest = OZ_TAKE(s, oz_float4, "order rest", count);
	k->component = OZ_TAKE(s, uint, "order component", count);
	k->key = OZ_TAKE(s, uint, "order key", count);
	k->order = OZ_TAKE(s, uint, "order of slots", count);
	k->spare_key = OZ_TAKE(s, uint, "order spare key", count);
	k->spare_order = OZ_TAKE(s, uint, "order spare", count);
	return k->rest && k->component && k->key && k->order && k->spare_key && k->spare_order;
}

static void write_points(oz_device *d, oz_float4 *rest, const oz_vec3 *points, uint32_t count)
{
	oz_float4 some[WRITTEN];
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t k = i % WRITTEN;
		some[k] = oz_make4(points[i].x, points[i].y, points[i].z, 0.0f);
		if (k == WRITTEN - 1 || i == count - 1)
			d->ops->write(d, rest, sizeof *some * (i - k), some,
			              sizeof *some * (k + 1));
	}
}

// fills a->order with the order of the points along the Morton curve
static oz_result sort_points(oz_sim *sim, const oz_addition *a, order_work *k, oz_error *error)
{
	oz_device *d = sim->device;
	const uint32_t count = a->count;
	write_points(d, k->rest, a->points, count);
	d->ops->clear(d, k->component, sizeof(uint) * count);
	OZ_LAUNCH(d, slot_morton_key, count, .rest = k->rest, .component = k->component,
	          .key = k->key, .order = k->order, .spacing = sim->def.spacing);
	const oz_result result =
	        oz_device_sort(d, k->key, k->order, k->spare_key, k->spare_order, count, 30, error);
	if (result == OZ_OK)
		d->ops->read(d, a->order, k->order, 0, sizeof(uint) * count);
	return result == OZ_OK ? oz_device_check(d, error) : result;
}

oz_result oz_slots_order(oz_sim *sim, oz_addition *a, oz_error *error)
{
	order_work k = {0};
	oz_result result = OZ_ERROR_MEMORY;
	a->order = oz_heap_alloc(sim->heap, 2 * sizeof *a->order * a->count);
	a->rank = a->order ? a->order + a->count : NULL;
	if (a->order && take_work(&sim->scratch, &k, a->count))
		result = sort_points(sim, a, &k, error);
	else
		oz_fail(error, OZ_ERROR_MEMORY,
		        "out of memory for a body of %u particles; use a larger spacing", a->count);
	give_work(&sim->scratch, &k);
	oz_scratch_drop(&sim->scratch);
	for (uint32_t n = 0; n < a->count && result == OZ_OK; n++)
		a->rank[a->order[n]] = n;
	return result;
}

void oz_slots_free_order(oz_sim *sim, oz_addition *a)
{
	oz_heap_free(sim->heap, a->order, 2 * sizeof *a->order * a->count);
	a->order = a->rank = NULL;
}

// first along the Morton curve, then by component: the sort is stable
bool oz_slots_sort(oz_sim *sim, uint *order, uint *key, uint *spare_key, uint *spare_order)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	oz_error error;
	OZ_LAUNCH(d, slot_morton_key, s->count, .rest = s->rest, .component = s->component,
	          .key = key, .order = order, .spacing = sim->def.spacing);
	if (oz_device_sort(d, key, order, spare_key, spare_order, s->count, 30, &error) != OZ_OK)
		return false;
	d->ops->gather(d, key, s->component, order, s->count, sizeof *key);
	return oz_device_sort(d, key, order, spare_key, spare_order, s->count, 32, &error) == OZ_OK;
}
