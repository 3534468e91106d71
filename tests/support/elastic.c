// elastic.c: forces of elastic bodies and of contact; a way to rest.
#include "elastic.h"
#include "models/elastic/elastic.h"

static void make_ready(oz_world *w)
{
	oz_error error = {OZ_OK, ""};
	if (w->slots.stale && oz_topology_update(w, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

// what slots have, in the order of particles' numbers; worlds of solids alone
vec *test_slots_by_id(oz_world *w, const oz_float4 *field)
{
	const uint32_t count = w->slots.count;
	vec *sorted = malloc((count + 1) * sizeof *sorted);
	oz_float4 *records = malloc((count + 1) * sizeof *records);
	uint32_t *where = malloc((count + 1) * sizeof *where);
	assert_true(sorted && records && where);
	assert_int_equal(count, w->sim.particles.count);
	memcpy(records, test_look(w, field, sizeof *records * count), sizeof *records * count);
	memcpy(where, test_look(w, w->slots.particle_of_slot, sizeof *where * count),
	       sizeof *where * count);
	const uint32_t *id = test_look(w, w->sim.particles.id, sizeof *id * count);
	for (uint32_t k = 0; k < count; k++) {
		assert_in_range(id[where[k]], 0, count - 1);
		sorted[id[where[k]]] =
		        vec_of((double)records[k].x, (double)records[k].y, (double)records[k].z);
	}
	free(records);
	free(where);
	return sorted;
}

void test_compute_elastic_forces(oz_world *w)
{
	oz_error error = {OZ_OK, ""};
	if (oz_models_run(&w->sim, OZ_PASS_RESERVE, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_elastic_accelerate_particles(&w->sim);
	oz_models_run(&w->sim, OZ_PASS_DONE, NULL);
}

vec *test_elastic_forces(oz_world *w)
{
	make_ready(w);
	test_compute_elastic_forces(w);
	return test_slots_by_id(w, oz_elastic_of(&w->sim)->elastic_acceleration);
}

uint32_t test_settle(oz_world *w, double share, uint32_t most)
{
	double first = 0, before = 0;
	uint32_t k = 0;
	for (; k < most; k++) {
		test_step(w);
		const double now = test_stats(w).kinetic_energy;
		if (now < before) {
			first = fmax(first, before);
			if (before < share * first)
				break;
			test_stop(w);
			before = 0;
		} else
			before = now;
	}
	return k;
}

uint32_t test_count_alone(const oz_world *w)
{
	const uint32_t n = w->sim.particles.count;
	const uint *listed = test_look(w, w->contact.alone, sizeof *listed * n);
	uint32_t alone = 0;
	for (uint32_t i = 0; i < n; i++)
		alone += listed[i] > 0;
	return alone;
}

// accelerations by pressure and viscosity, and densities in w; free() it
static oz_float4 *contact_forces(oz_world *w)
{
	const uint32_t n = w->sim.particles.count;
	oz_float4 *forces = malloc(sizeof *forces * n);
	assert_non_null(forces);
	oz_sim *s = &w->sim;
	assert_int_equal(oz_particles_take_scratch(&s->scratch, &s->particles, NULL), OZ_OK);
	assert_int_equal(oz_walls_find_lambda(&w->boundary, s, NULL), OZ_OK);
	oz_density_compute(s);
	assert_int_equal(w->pressure->begin(s, NULL), OZ_OK);
	assert_int_equal(oz_contact_forces(s, NULL), OZ_OK);
	assert_int_equal(oz_models_run(s, OZ_PASS_FORCES, NULL), OZ_OK);
	oz_particles_give_scratch(&s->scratch, &s->particles);
	memcpy(forces, test_look(w, w->sim.particles.acceleration, sizeof *forces * n),
	       sizeof *forces * n);
	const float *density = test_look(w, w->sim.particles.density, sizeof *density * n);
	for (uint32_t i = 0; i < n; i++)
		forces[i].w = density[i];
	return forces;
}

// a copy of what a buffer of the world holds; free() it
static void *kept(const oz_world *w, const void *buffer, size_t size)
{
	void *copy = malloc(size);
	assert_non_null(copy);
	memcpy(copy, test_look(w, buffer, size), size);
	return copy;
}

double test_contact_error(oz_world *w)
{
	const oz_contact contact = w->contact;
	const uint32_t n = w->sim.particles.count;
	// forces depend on the density and the friction of the last step: both have the same
	float *last = kept(w, w->sim.particles.density, sizeof *last * n);
	oz_float4 *held = contact.held ? kept(w, contact.held, sizeof *held * n) : NULL;
	oz_float4 *normal = held ? kept(w, contact.normal, sizeof *normal * n) : NULL;
	oz_float4 *by_class = contact_forces(w);
	oz_device *device = w->sim.device;
	device->ops->write(device, w->sim.particles.density, 0, last, sizeof *last * n);
	if (held) {
		device->ops->write(device, contact.held, 0, held, sizeof *held * n);
		device->ops->write(device, contact.normal, 0, normal, sizeof *normal * n);
	}
	free(held);
	free(normal);
	free(last);
	w->contact.plain = w->contact.touching = w->contact.alone = NULL;
	oz_float4 *whole = contact_forces(w);
	w->contact = contact;
	double most = 1e-30, error = 0, denser = 0;
	for (uint32_t i = 0; i < w->sim.particles.count; i++) {
		const oz_float4 a = by_class[i], b = whole[i];
		const vec d = vec_of((double)(a.x - b.x), (double)(a.y - b.y), (double)(a.z - b.z));
		most = fmax(most, vec_length(vec_of((double)b.x, (double)b.y, (double)b.z)));
		error = fmax(error, vec_length(d));
		denser = fmax(denser, fabs((double)(a.w / b.w - 1)));
	}
	free(by_class);
	free(whole);
	return fmax(error / most, denser);
}
