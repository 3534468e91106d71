// test_failed_step.c: a step that fails for want of memory after it has sorted the particles can be
// taken again: it makes lists again, and links and the contact of faces follow the new order.
#include "links.h"
#include "models/membrane/membrane.h"

static const double s = 0.01; // m, spacing

// slime on a floor, and a ball of skin with water inside that lies beside it
static oz_world *make_world(test_memory *memory)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	def.threads = 1;
	def.hooks = test_memory_hooks(memory);
	oz_world *w = test_world(&def);
	test_add_tank(w, vec_of(-0.1, 0, -0.06), vec_of(0.1, 0.3, 0.06));
	const oz_material_def slime = test_slime(1000, 1);
	const oz_shape lump = test_box(vec_of(-0.1, 0, -0.06), vec_of(0, 0.05, 0.06));
	test_add_filled(w, test_add_material(w, &slime), &lump, OZ_FILL_LATTICE);
	const oz_shape pool = test_box(vec_of(0, 0, -0.06), vec_of(0.1, 0.03, 0.06));
	test_add_filled(w, test_water(w), &pool, OZ_FILL_LATTICE);
	oz_material_def skin = oz_material_default(OZ_MEMBRANE);
	skin.young_modulus = 1e5f;
	skin.thickness = 1e-3f;
	skin.gauge_pressure = 4000; // it grows until its faces are large and press
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.03f, 0, 0));
	ball.position = oz_v3(0.05f, 0.065f, 0);
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, &skin), NULL, NULL), NULL);
	test_run_until(w, 0.1);
	return w;
}

// Moves all particles closer together, so that their lists get longer, and adds a thin wall far
// away: the next step makes the lists again.
static void make_lists_stale(oz_world *w)
{
	const oz_particles *p = &w->sim.particles;
	const size_t size = sizeof *p->position * p->count;
	oz_float4 *x = malloc(size);
	assert_non_null(x);
	memcpy(x, test_look(w, p->position, size), size);
	for (uint32_t i = 0; i < p->count; i++)
		x[i] = oz_make4(0.85f * x[i].x, 0.85f * x[i].y, 0.85f * x[i].z, x[i].w);
	test_put(w, p->position, 0, x, size);
	free(x);
	const oz_collider_def sheet =
	        oz_collider_default(test_box(vec_of(4, 0, -0.1), vec_of(4 + 0.3 * s, 0.1, 0.1)));
	test_add_collider(w, &sheet);
}

static uint64_t order_of(const oz_world *w)
{
	const oz_particles *p = &w->sim.particles;
	return oz_hash(test_look(w, p->id, sizeof *p->id * p->count), sizeof *p->id * p->count, 1);
}

// Tries a step with a little more memory each time, until it succeeds. Gives the number of those
// that failed after they had sorted the particles and made all lists.
static uint32_t step_with_little_memory(oz_world *w, test_memory *memory)
{
	const uint64_t before = order_of(w);
	uint32_t listed = 0;
	oz_error error = {OZ_OK, ""};
	for (size_t spare = 0;; spare += 20000) {
		memory->limit = memory->bytes + spare;
		oz_step_report report;
		if (oz_world_step(w, &report, &error) == OZ_OK) {
			// what follows lists is made again, too
			assert_true(report.rebuilt);
			break;
		}
		assert_int_equal(error.code, OZ_ERROR_MEMORY);
		listed += order_of(w) != before && w->sim.neighbours.start != NULL;
	}
	memory->limit = 0;
	return listed;
}

static void links_and_faces_follow_the_order_that_a_failed_step_has_left(void **state)
{
	(void)state;
	test_memory memory[2] = {{.poison = 0xa5}, {.poison = 0xa5}};
	oz_world *w[2];
	test_particles all[2];
	for (int k = 0; k < 2; k++) {
		w[k] = make_world(&memory[k]);
		const oz_membrane *m = oz_model_state(&w[k]->sim, &oz_membrane_model);
		assert_true(m->contact.pairs > 0);
		make_lists_stale(w[k]);
		if (k)
			assert_true(step_with_little_memory(w[k], &memory[k]) > 0);
		else
			test_step(w[k]);
		test_steps(w[k], 4);
		all[k] = test_particles_read(w[k]);
	}
	double apart = 0;
	for (uint32_t i = 0; i < all[0].count; i++)
		apart = fmax(apart, vec_length(vec_sub(all[0].at[i].x, all[1].at[i].x)));
	print_message("particles are up to %.1e m from where they are without a failure\n", apart);
	assert_true(apart < 1e-3 * s);
	for (int k = 0; k < 2; k++) {
		test_particles_free(&all[k]);
		oz_world_destroy(w[k]);
		test_memory_is_empty(&memory[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(links_and_faces_follow_the_order_that_a_failed_step_has_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
