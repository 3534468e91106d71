// test_twins_opencl.c: every kernel of a real run gives on OpenCL what it gives on the CPU
// (twins.h).
#include "twins.h"

#include "kernels/kernels.h"
#include "world/world.h"

#include "contact/slots.cl"
#include "device/probe.cl"
#include "models/elastic/elastic.h"
#include "particles/neighbours.cl"

static oz_id grip_sheet(oz_world *w)
{
	oz_handle_def def =
	        oz_handle_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 0.4f, 0.6f}));
	def.shape.position = (oz_vec3){-0.3f, 0.55f, 0};
	def.shape.rotation = (oz_quat){0, 0.28f, 0, 0.96f};
	oz_id id = OZ_NONE;
	oz_error error = {0};
	if (oz_world_add_handle(w, &def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

static uint32_t count_molten(oz_world *w)
{
	uint32_t molten = 0;
	for (uint32_t k = 0; k < w->slots.count; k++)
		molten += w->slots.shapeless[k];
	return molten;
}

static void every_launch_of_a_step_gives_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_twin_fluids();
	test_twins_step(w, 5);
	// what the CPU does in its own way is launched here for the comparison
	oz_particles *p = &w->sim.particles;
	oz_neighbours *n = &w->sim.neighbours;
	oz_device *d = w->sim.device;
	const uint32_t cells = 1u << (n->grid.bits_x + n->grid.bits_y + n->grid.bits_z);
	const size_t size = sizeof(uint) * p->count, hits_size = sizeof(uint64_t) * 9 * p->count;
	uint *count = d->ops->alloc(d, size), *key = d->ops->alloc(d, size);
	uint *index = d->ops->alloc(d, size), *list = d->ops->alloc(d, 4 * n->list_capacity);
	uint *cell_start = d->ops->alloc(d, sizeof(uint) * (cells + 1));
	uint64_t *hits = d->ops->alloc(d, hits_size);
	OZ_LAUNCH(d, cell_key, p->count, .position = p->anchor, .key = key, .index = index,
	          .grid = n->grid);
	OZ_LAUNCH(d, cell_search, cells + 1, .key = key, .start = cell_start,
	          .particles = p->count);
	assert_memory_equal(cell_start, n->cell_start, sizeof(uint) * (cells + 1));
	OZ_LAUNCH(d, neighbour_count, p->count, .position = p->anchor, .cell_start = cell_start,
	          .count = count, .hits = hits, .particles = p->count, .grid = n->grid);
	OZ_LAUNCH(d, neighbour_fill, p->count, .position = p->anchor, .cell_start = cell_start,
	          .start = n->start, .hits = hits, .list = list, .particles = p->count,
	          .grid = n->grid, .stride = n->stride);
	OZ_LAUNCH(d, probe, 100, .result = (float *)list, .loops = 10);
	d->ops->release(d, count, size);
	d->ops->release(d, key, size);
	d->ops->release(d, index, size);
	d->ops->release(d, list, 4 * n->list_capacity);
	d->ops->release(d, cell_start, sizeof(uint) * (cells + 1));
	d->ops->release(d, hits, hits_size);
	test_twins_end(w);
	oz_world_destroy(w);
}

static void blended_bodies_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_twin_blends();
	const uint64_t before = oz_hash(w->slots.rest, sizeof(oz_float4) * w->slots.count, 0);
	test_twins_step(w, 18);
	test_twins_end(w);
	// the reference shape has changed on the way
	assert_true(oz_hash(w->slots.rest, sizeof(oz_float4) * w->slots.count, 0) != before);
	oz_world_destroy(w);
}

// which only blocks need
static void launch_place(oz_world *w)
{
	oz_device *d = w->sim.device;
	oz_slots *b = &w->slots;
	const size_t size = sizeof(uint) * b->count;
	uint *key = d->ops->alloc(d, size), *order = d->ops->alloc(d, size);
	OZ_LAUNCH(d, slot_morton_key, b->count, .rest = b->rest, .component = b->component,
	          .key = key, .order = order, .spacing = w->sim.def.spacing);
	d->ops->release(d, key, size);
	d->ops->release(d, order, size);
}

static void solids_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_twin_solids();
	oz_view phase;
	test_without_blocks(w);
	const uint32_t molten = count_molten(w);
	test_twins_begin(w);
	const oz_id grip = grip_sheet(w);
	// released, and caught again; another parameter
	assert_int_equal(oz_world_release_handle(w, grip, NULL), OZ_OK);
	assert_int_equal(oz_world_hold_handle(w, grip, NULL), OZ_OK);
	oz_material_def first_def = *oz_world_get_material(w, 0);
	first_def.viscosity *= 2;
	assert_int_equal(oz_world_set_material(w, 0, &first_def, NULL), OZ_OK);
	w->sim.neighbours.valid = false;
	test_steps(w, 11);
	const uint32_t first = count_molten(w);
	test_steps(w, 20);
	assert_int_equal(oz_world_view(w, OZ_FIELD_PHASE, &phase, NULL), OZ_OK);
	launch_place(w);
	test_twins_end(w);
	const uint32_t second = count_molten(w);
	print_message("molten: %u at first, then %u and %u of %u\n", molten, first, second,
	              w->slots.count);
	// of 150 in each of the two
	assert_true(molten == 150 && first != molten && second < first);
	oz_world_destroy(w);
}

static void push(oz_world *w)
{
	assert_int_equal(oz_models_run(&w->sim, OZ_PASS_RESERVE, NULL), OZ_OK);
	oz_elastic_accelerate_particles(&w->sim);
	oz_models_run(&w->sim, OZ_PASS_DONE, NULL);
}

// the passes by blocks, where there are any, against the plain ones
static void blocks_change_no_force(void **state)
{
	(void)state;
	oz_world *w = test_twin_solids();
	test_steps(w, 5);
	const uint32_t count = w->slots.count;
	oz_float4 *pushed = malloc(sizeof *pushed * count);
	assert_non_null(pushed);
	// once more, for rotations that are found
	push(w);
	push(w);
	memcpy(pushed, oz_elastic_of(&w->sim)->elastic_acceleration, sizeof *pushed * count);
	assert_true(w->sim.device->lanes < OZ_BLOCK || oz_elastic_of(&w->sim)->blocks.count > 0);
	oz_elastic_of(&w->sim)->blocks.count = 0;
	push(w);
	float largest = 0, apart = 0;
	for (uint32_t k = 0; k < count; k++) {
		const oz_float4 a = oz_elastic_of(&w->sim)->elastic_acceleration[k], b = pushed[k];
		largest = fmaxf(largest, fabsf(a.x) + fabsf(a.y) + fabsf(a.z));
		apart = fmaxf(apart, fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z));
	}
	print_message("forces are %g of %g m/s² apart\n", (double)apart, (double)largest);
	// E/(ρ spacing) is 5e4 m/s² for the stiffest: what a strain of 1e-6 is worth
	assert_true(largest > 5 && apart < 0.05f);
	free(pushed);
	oz_world_destroy(w);
}

static void sdf_walls_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_twin_reload(test_dam(1, 0.04f, NULL));
	test_twins_begin(w);
	const oz_id first = test_sdfs(w);
	test_twins_end(w);
	test_steps(w, 200);
	for (int k = 0; k < 6; k++) {
		test_twins_step(w, 2);
		test_twins_end(w);
		test_steps(w, 30);
	}
	oz_load load;
	// the water has been at all of them, and the last one moves
	for (oz_id k = first; k < first + 3; k++) {
		assert_int_equal(oz_world_take_load(w, k, &load, NULL), OZ_OK);
		assert_true(load.force[0] > 1);
		assert_int_equal(load.work != 0, k == first + 2);
	}
	oz_world_destroy(w);
}

// honey and mustard, one on the other in a tank that turns and says what it bears, a warm half, and
// a rubber cube between them
static void thick_fluids_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.02, 20);
	const oz_keyframe keys[2] = {{0, {0, 0.1f, 0}, {0, 0, 0, 1}},
	                             {1, {0, 0.1f, 0}, test_rotation(vec_of(0, 1, 0), 1)}};
	test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.4, 0.1)), true, keys, 2);
	oz_material_def honey = oz_material_default(OZ_FLUID), mustard = honey;
	honey.viscosity = 10;
	honey.viscosity_table = (oz_curve){3, {{0, 50}, {20, 10}, {60, 0.2f}}};
	mustard.viscosity = 20;
	mustard.yield_stress = 40;
	mustard.flow_exponent = 0.4f;
	mustard.rebuild_time = 1;
	mustard.breakdown = 1;
	test_add_lattice(w, test_add_material(w, &honey), vec_of(-0.1, 0, -0.1),
	                 vec_of(0.1, 0.1, 0.1), NULL, NULL);
	test_add_lattice(w, test_add_material(w, &mustard), vec_of(-0.1, 0.14, -0.1),
	                 vec_of(0.1, 0.2, 0.1), NULL, NULL);
	const oz_material_def rubber = test_elastic(1e5, 0.3);
	test_add_block(w, test_add_material(w, &rubber), vec_of(0, 0.12, 0),
	               vec_of(0.06, 0.04, 0.06));
	oz_region_def warm = oz_region_default(test_box(vec_of(0, 0, -1), vec_of(1, 1, 1)));
	warm.temperature = 60;
	assert_int_equal(oz_world_add_region(w, &warm, NULL, NULL), OZ_OK);
	w = test_twin_reload(w);
	test_without_blocks(w);
	test_steps(w, 60);
	test_twins_step(w, 4);
	test_twins_end(w);
	// it has been turned
	assert_true(test_load(w, 1).work > 0);
	oz_world_destroy(w);
}

// polymer solutions of all laws in a tank that turns, one of them warm, and water on top
static void polymers_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.02, 20);
	const oz_keyframe keys[2] = {{0, {0, 0.1f, 0}, {0, 0, 0, 1}},
	                             {1, {0, 0.1f, 0}, test_rotation(vec_of(0, 1, 0), 1)}};
	test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.4, 0.1)), true, keys, 2);
	for (int k = 0; k < OZ_POLYMER_LAW_COUNT; k++) {
		oz_material_def def = oz_material_default(OZ_POLYMER);
		def.polymer_law = (oz_polymer_law)k;
		def.mobility = k == OZ_POLYMER_GIESEKUS ? 0.2f : 0;
		def.activation_energy = k == OZ_POLYMER_GIESEKUS ? 3e4f : 0;
		def.conductivity = k == OZ_POLYMER_GIESEKUS ? 0.5f : 0;
		def.relaxation_time = 0.1f;
		test_add_lattice(w, test_add_material(w, &def), vec_of(-0.1, 0.06 * k, -0.1),
		                 vec_of(0.1, 0.06 * (k + 1), 0.1), NULL, NULL);
	}
	test_add_block(w, test_water(w), vec_of(0, 0.22, 0), vec_of(0.08, 0.08, 0.08));
	w = test_twin_reload(w);
	test_without_blocks(w);
	test_steps(w, 60);
	test_twins_step(w, 4);
	test_twins_end(w);
	// it has been turned
	assert_true(test_load(w, 1).work > 0);
	oz_world_destroy(w);
}

// Drops with surface tension: one beside a wall and a rigid block, with oil that does
// not mix with it; and one in free fall, whose forces are summed up over more than one group of
// particles.
static void surface_tension_gives_the_same_on_opencl(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		oz_world_def def = test_space_def(0.001);
		def.sound_speed = 3;
		oz_world *w = test_world(&def);
		oz_material_def water = oz_material_default(OZ_FLUID), oil = water;
		water.surface_tension = 0.072f;
		oil.surface_tension = 0.03f;
		const oz_id of_water = test_add_material(w, &water);
		test_add_block(w, of_water, vec_of(0, 0.005, 0), vec_of(0.012, 0.01, 0.012));
		if (k == 0) {
			oz_collider_def plane = oz_collider_default(
			        oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
			oz_material_def stone = oz_material_default(OZ_RIGID);
			plane.contact_angle = 60;
			stone.contact_angle = 120;
			test_add_collider(w, &plane);
			const oz_id of_oil = test_add_material(w, &oil);
			test_add_block(w, of_oil, vec_of(0.009, 0.003, 0),
			               vec_of(0.006, 0.006, 0.006));
			const oz_interface_def both = oz_interface_default(of_water, of_oil);
			test_must(oz_world_add_interface(w, &both, NULL), NULL);
			test_add_block(w, test_add_material(w, &stone), vec_of(0, 0.013, 0),
			               vec_of(0.004, 0.006, 0.004));
			oz_emitter_def nozzle = oz_emitter_default(of_water);
			nozzle.position = (oz_vec3){-0.012f, 0.003f, 0};
			nozzle.radius = 0.002f;
			nozzle.speed = 0.2f;
			test_must(oz_world_add_emitter(w, &nozzle, NULL, NULL), NULL);
		}
		w = test_twin_reload(w);
		test_steps(w, 20);
		test_twins_step(w, 3);
		test_twins_end(w);
		oz_world_destroy(w);
	}
}

// water, rubber that a handle holds, jelly, stiff rubber in implicit steps, a moving ball and a
// nozzle, which pours from 0.1 s on
static void incompressible_water_gives_the_same_on_opencl(void **state)
{
	(void)state;
	// more than one group of particles
	oz_world *w = test_incompressible_dam(1, 0.032f);
	oz_material_def stiff = test_elastic(1e6, 0.3);
	stiff.implicit = true;
	test_add_solid(w, &stiff, oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f}),
	               (oz_vec3){0.3f, 0.2f, 0.1f}, 20);
	test_run_until(w, 0.13);
	w = test_twin_reload(w);
	test_without_blocks(w);
	test_twins_begin(w);
	w->sim.neighbours.valid = false;
	uint32_t rounds = 0;
	for (int k = 0; k < 3; k++)
		rounds += test_step(w).pressure_rounds;
	// velocities and densities apart
	w->sim.def.divergence_error = 1e-5f;
	rounds += test_step(w).pressure_rounds;
	w->sim.def.divergence_error = 0;
	// so many rounds that a step of the solver overshoots and is shortened
	w->sim.def.density_error = 1e-7f;
	rounds += test_step(w).pressure_rounds;
	test_twins_end(w);
	print_message("%u rounds of pressure\n", rounds);
	assert_true(rounds > 3);
	oz_world_destroy(w);
}

// stone, wood, a block that is fixed, and foam in water, in a vessel with friction
static void compare_rigid_bodies(oz_world *w)
{
	static const float densities[] = {2500, 600, 1000, 500};
	for (int k = 0; k < 4; k++) {
		oz_material_def def = oz_material_default(OZ_RIGID);
		def.density = densities[k];
		def.fixed = k == 2;
		test_add_solid(w, &def, oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f}),
		               (oz_vec3){0.3f * (float)(k % 2), k < 2 ? 0.2f : -0.24f, 0.1f}, 20);
	}
	// the first falls on the floor and the water comes
	test_run_until(w, 0.34);
	w = test_twin_reload(w);
	test_without_blocks(w);
	test_twins_step(w, 3);
	test_twins_end(w);
	oz_rigid_state wood, fixed;
	const oz_id first = oz_world_body_count(w) - 4;
	assert_int_equal(oz_world_get_rigid(w, first + 1, &wood, NULL), OZ_OK);
	assert_int_equal(oz_world_get_rigid(w, first + 2, &fixed, NULL), OZ_OK);
	print_message("wood at %.3f m, the fixed block at %.3f m\n", wood.position[1],
	              fixed.position[1]);
	assert_true(wood.position[1] < 0.19);
	test_near(fixed.position[1], -0.24, 1e-6, "height of the fixed block");
	oz_world_destroy(w);
}

static void rigid_bodies_give_the_same_on_opencl(void **state)
{
	(void)state;
	compare_rigid_bodies(test_incompressible_dam(1, 0.04f));
	compare_rigid_bodies(test_dam(1, 0.04f, NULL));
}

// Slime and stiff wax between two plates that part, a warm half, a stone in the slime: first the
// explicit step of links, then the implicit one.
static void links_give_the_same_on_opencl(void **state)
{
	(void)state;
	for (int stiff = 0; stiff < 2; stiff++) {
		oz_world_def def = test_space_def(0.02);
		def.gravity = (oz_vec3){0, -9.81f, 0};
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		const oz_keyframe keys[2] = {{0, {0, 0.2f, 0}, {0, 0, 0, 1}},
		                             {1, {0, 0.6f, 0}, test_rotation(vec_of(0, 1, 0), 1)}};
		test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), false, NULL, 0);
		test_add_wall(w, test_box(vec_of(-0.2, 0.16, -0.2), vec_of(0.2, 0.24, 0.2)), false,
		              keys, 2);
		oz_material_def slime = oz_material_default(OZ_LINKS), wax = slime;
		slime.sticky = wax.sticky = 1e5f;
		slime.activation_energy = 3e4f;
		wax.shear_modulus = stiff ? 1e5f : 500;
		wax.melting_point = 50;
		const oz_shape left = test_box(vec_of(-0.1, 0, -0.1), vec_of(0, 0.16, 0.1)),
		               right = test_box(vec_of(0, 0, -0.1), vec_of(0.1, 0.16, 0.1));
		test_add_warm(w, test_add_material(w, &slime), &left, 30);
		test_add_warm(w, test_add_material(w, &wax), &right, 60);
		const oz_material_def stone = oz_material_default(OZ_RIGID);
		test_add_solid(w, &stone,
		               oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.08f, 0.08f, 0.08f}),
		               (oz_vec3){-0.14f, 0.1f, 0}, 20);
		test_run_until(w, 0.1);
		w = test_twin_reload(w);
		test_without_blocks(w);
		oz_adhesion_def adhesion = oz_adhesion_default(0, 1);
		adhesion.sticks = true;
		test_twins_begin(w);
		test_must(oz_world_add_adhesion(w, &adhesion, NULL), NULL);
		test_twins_end(w);
		test_twins_step(w, 3);
		test_twins_end(w);
		// it hangs on the upper plate
		assert_true(test_load(w, 1).force[1] < -1);
		oz_world_destroy(w);
	}
}

// a ball of one slime alone, which falls on a floor: links_pull_alike
static void links_of_one_material_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world_def def = test_space_def(0.02);
	def.gravity = (oz_vec3){0, -9.81f, 0};
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), false, NULL, 0);
	const oz_material_def slime = oz_material_default(OZ_LINKS);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.12f, 0, 0});
	ball.position.y = 0.13f;
	test_add_thrown(w, test_add_material(w, &slime), &ball, vec_of(0, -1, 0));
	test_run_until(w, 0.1);
	w = test_twin_reload(w);
	test_without_blocks(w);
	test_twins_step(w, 3);
	test_twins_end(w);
	oz_world_destroy(w);
}

// skins of each law, warm and cold, of which one tears and one flows and grows until its faces
// press, with water, by each way of integration
static void membranes_give_the_same_on_opencl(void **state)
{
	(void)state;
	for (int way = 0; way < OZ_INTEGRATE_COUNT; way++) {
		oz_world *w = way == OZ_INTEGRATE_IMPLICIT ? test_incompressible_dam(1, 0.04f)
		                                           : test_dam(1, 0.04f, NULL);
		oz_error error = {0};
		for (int k = 0; k < OZ_SKIN_COUNT; k++) {
			oz_material_def def = oz_material_default(OZ_MEMBRANE);
			oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.1f, 0, 0});
			ball.position = (oz_vec3){-0.25f + 0.25f * (float)k, 0.1f, 0};
			def.skin_law = (oz_skin_law)k;
			def.filling = k ? OZ_FILLING_GAS : OZ_FILLING_LIQUID;
			def.integration = (oz_integration)way;
			def.thickness = 0.01f;
			def.gauge_pressure = k == OZ_SKIN_SPRINGS ? 20000 : 3000;
			def.young_modulus = k == OZ_SKIN_SPRINGS ? 2e5f : def.young_modulus;
			def.tear = k == 1 ? 1.01f : 0;
			def.yield_stretch = k == OZ_SKIN_SPRINGS ? 1.02f : 0;
			def.conductivity = 1;
			def.surface_stiffness = k ? 2e4f : 0;
			def.surface_viscosity = k ? 5 : 0;
			def.paper = k == OZ_SKIN_SPRINGS;
			oz_id material;
			assert_int_equal(oz_world_add_material(w, &def, &material, NULL), OZ_OK);
			test_must(oz_world_add_shape(w, &ball, material, NULL, &error), &error);
		}
		test_run_until(w, 0.05);
		w = test_twin_reload(w);
		test_without_blocks(w);
		test_twins_step(w, 3);
		test_twins_end(w);
		oz_membrane_state s;
		test_must(oz_world_get_membrane(w, oz_world_body_count(w) - 2, &s, &error), &error);
		print_message("way %d: %.1f Pa, torn %.4f m²\n", way, s.pressure, s.torn);
		assert_true(s.torn > 0);
		oz_world_destroy(w);
	}
}

static void no_kernel_is_left_out(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < oz_core_kernels.count; k++)
		if (test_twins_launches(oz_core_kernels.kernels[k]) == 0 &&
		    oz_core_kernels.kernels[k]->way != OZ_WAY_CPU)
			fail_msg("%s was never launched", oz_core_kernels.kernels[k]->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_launch_of_a_step_gives_the_same_on_opencl),
	        cmocka_unit_test(blended_bodies_give_the_same_on_opencl),
	        cmocka_unit_test(sdf_walls_give_the_same_on_opencl),
	        cmocka_unit_test(solids_give_the_same_on_opencl),
	        cmocka_unit_test(blocks_change_no_force),
	        cmocka_unit_test(thick_fluids_give_the_same_on_opencl),
	        cmocka_unit_test(polymers_give_the_same_on_opencl),
	        cmocka_unit_test(incompressible_water_gives_the_same_on_opencl),
	        cmocka_unit_test(rigid_bodies_give_the_same_on_opencl),
	        cmocka_unit_test(links_give_the_same_on_opencl),
	        cmocka_unit_test(links_of_one_material_give_the_same_on_opencl),
	        cmocka_unit_test(membranes_give_the_same_on_opencl),
	        cmocka_unit_test(surface_tension_gives_the_same_on_opencl),
	        cmocka_unit_test(no_kernel_is_left_out),
	};
	return cmocka_run_group_tests(tests, test_twins_set_up, test_twins_tear_down);
}
