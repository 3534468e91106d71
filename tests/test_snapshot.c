// test_snapshot.c: everything survives a snapshot, and files of older versions are read.
#include "damage.h"
#include "world/snapshot.h"
#include "worlds.h"

#define PATH "broken.ooze"

// ---- what survives ----------------------------------------------------------------------------

static void expect_same_materials(const oz_world *a, const oz_world *b)
{
	const uint32_t count = a->sim.materials.count;
	assert_int_equal(b->sim.materials.count, count);
	const oz_matter *matter = test_look(a, a->sim.matter, sizeof *matter * count);
	const oz_matter *other = test_look(b, b->sim.matter, sizeof *other * count);
	for (oz_id k = 0; k < count; k++) {
		const oz_material_def *m = oz_world_get_material(a, k);
		const oz_material_def *n = oz_world_get_material(b, k);
		assert_string_equal(m->name, n->name);
		assert_true(m->model == n->model && m->density == n->density);
		assert_true(m->viscosity == n->viscosity && m->damping == n->damping);
		assert_memory_equal(matter + k, other + k, sizeof *matter);
		assert_int_equal(m->alpha_key_count, n->alpha_key_count);
		assert_int_equal(m->update_steps, n->update_steps);
		assert_int_equal(m->merges, n->merges);
		if (m->alpha_key_count)
			assert_memory_equal(m->alpha_keys, n->alpha_keys,
			                    m->alpha_key_count * sizeof *m->alpha_keys);
	}
}

static void expect_same_bodies(const oz_world *a, const oz_world *b)
{
	assert_int_equal(a->sim.bodies.count, b->sim.bodies.count);
	for (oz_id k = 0; k < a->sim.bodies.count; k++) {
		const oz_body *m = &oz_bodies(&a->sim)[k], *n = &oz_bodies(&b->sim)[k];
		assert_string_equal(m->name, n->name);
		assert_int_equal(m->material, n->material);
		assert_int_equal(m->count, n->count);
		assert_int_equal(m->left, n->left);
	}
}

static void expect_same_colliders(const oz_world *a, const oz_world *b)
{
	assert_int_equal(a->boundary.colliders.count, b->boundary.colliders.count);
	for (oz_id k = 0; k < a->boundary.colliders.count; k++) {
		const oz_collider_def *m = &oz_collider_entries(&a->boundary)[k].def,
		                      *n = &oz_collider_entries(&b->boundary)[k].def;
		assert_int_equal(m->shape.kind, n->shape.kind);
		assert_memory_equal(&m->shape.size, &n->shape.size, sizeof m->shape.size);
		assert_memory_equal(&m->shape.position, &n->shape.position,
		                    sizeof m->shape.position);
		assert_memory_equal(&m->shape.rotation, &n->shape.rotation,
		                    sizeof m->shape.rotation);
		assert_true(m->inside == n->inside && m->loop == n->loop);
		assert_true(m->friction == n->friction && m->restitution == n->restitution);
		const oz_poser *v = &oz_collider_entries(&a->boundary)[k].poser,
		               *u = &oz_collider_entries(&b->boundary)[k].poser;
		assert_true(v->source == u->source);
		assert_int_equal(v->keyframe_count, u->keyframe_count);
		if (v->keyframe_count)
			assert_memory_equal(v->keyframes, u->keyframes,
			                    v->keyframe_count * sizeof *v->keyframes);
	}
}

static void expect_same_emitters(const oz_world *a, const oz_world *b)
{
	assert_int_equal(a->boundary.nozzles.count, b->boundary.nozzles.count);
	for (uint32_t k = 0; k < a->boundary.nozzles.count; k++) {
		const oz_nozzle *m = &oz_nozzles(&a->boundary)[k],
		                *n = &oz_nozzles(&b->boundary)[k];
		assert_memory_equal(&m->def, &n->def, sizeof m->def);
		assert_int_equal(m->body, n->body);
		assert_int_equal(m->layers, n->layers);
		assert_int_equal(m->columns.count, n->columns.count);
	}
}

static void expect_same_bytes(const oz_world *a, const void *of_a, const oz_world *b,
                              const void *of_b, size_t size)
{
	assert_memory_equal(test_look(a, of_a, size), test_look(b, of_b, size), size);
}

// every field of the registry that decides how a world goes on
static void expect_same_fields(oz_world *a, oz_world *b)
{
	oz_field_at at;
	uint32_t n = 0;
	assert_int_equal(a->sim.particles.count, b->sim.particles.count);
	assert_int_equal(a->slots.count, b->slots.count);
	assert_int_equal(a->slots.count, 8);
	assert_int_equal(a->slots.components, b->slots.components);
	for (uint32_t k = 0; oz_fields_next(&a->sim.fields, k, &at); k++) {
		const uint32_t count =
		        at.items == OZ_ITEMS_SLOTS ? a->slots.count : a->sim.particles.count;
		if (at.row->kind == OZ_KIND_RESULT)
			continue;
		const void *other = oz_fields_find(&b->sim.fields, at.row->name);
		if (!other)
			fail_msg("%s is not there", at.row->name);
		expect_same_bytes(a, *at.buffer, b, other, at.row->size * count);
		n++;
	}
	assert_true(n > 12);
}

static void expect_same_world(oz_world *a, oz_world *b)
{
	uint32_t rows;
	const oz_param *row = oz_params(OZ_PARAMS_WORLD, &rows);
	for (uint32_t k = 0; k < rows; k++) {
		const char *m = (const char *)&a->sim.def + row[k].offset;
		const char *n = (const char *)&b->sim.def + row[k].offset;
		const size_t size = row[k].type == OZ_PARAM_BOOL   ? sizeof(bool)
		                    : row[k].type == OZ_PARAM_VEC3 ? sizeof(oz_vec3)
		                                                   : sizeof(float);
		assert_memory_equal(m, n, size);
	}
	assert_true(a->sim.time == b->sim.time && a->sim.step == b->sim.step &&
	            a->sim.next_id == b->sim.next_id);
	assert_memory_equal(&a->sim.last_step, &b->sim.last_step, sizeof a->sim.last_step);
	assert_memory_equal(&a->sim.neighbours.grid, &b->sim.neighbours.grid, sizeof(oz_grid));
	assert_int_equal(a->sim.neighbours.valid, b->sim.neighbours.valid);
	assert_int_equal(a->measuring.squeezed, b->measuring.squeezed);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
}

static void every_part_of_a_world_survives(void **state)
{
	(void)state;
	test_memory memory = {.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_world *a = test_saved_world(&memory), *b;
	test_steps(a, 25);
	assert_true(oz_nozzles(&a->boundary)[0].layers > 0);
	a->measuring.squeezed = true;
	oz_bodies(&a->sim)[1].left = true;
	assert_int_equal(oz_world_save(a, "all.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_load("all.ooze", NULL, 1, &hooks, &b, NULL), OZ_OK);
	expect_same_materials(a, b);
	expect_same_bodies(a, b);
	expect_same_colliders(a, b);
	expect_same_emitters(a, b);
	expect_same_fields(a, b);
	expect_same_world(a, b);
	oz_world_destroy(a);
	oz_world_destroy(b);
	test_memory_is_empty(&memory);
}

static oz_world_def unusual_def(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.0371f;
	def.support = 2.3f;
	def.gravity = (oz_vec3){0.1f, -3.3f, 1e-7f};
	def.sound_speed = 33.3f;
	def.eos = OZ_EOS_TAIT;
	def.tension = true;
	def.kernel = OZ_KERNEL_MULLER;
	def.time_step = 1.1e-4f;
	def.time_step_max = 0.003f;
	def.cfl = 0.7f;
	def.skin = 0.21f;
	def.max_compression = 0.3f;
	def.bounds_min = (oz_vec3){-1, -2, -3};
	def.bounds_max = (oz_vec3){4, 5, 6};
	def.threads = 1;
	return def;
}

static void every_parameter_of_a_world_survives(void **state)
{
	(void)state;
	const oz_world_def def = unusual_def();
	oz_world *a = test_world(&def), *b;
	assert_int_equal(oz_world_save(a, "def.ooze", NULL), OZ_OK);
	assert_int_equal(oz_world_load("def.ooze", NULL, 1, NULL, &b, NULL), OZ_OK);
	expect_same_world(a, b);
	test_steps(b, 3); // an empty world goes on too
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void a_loaded_world_saves_the_same_bytes(void **state)
{
	(void)state;
	size_t good_size, size;
	oz_world *w = test_saved_world(NULL);
	test_steps(w, 25);
	assert_int_equal(oz_world_save(w, "good.ooze", NULL), OZ_OK);
	oz_world_destroy(w);
	char *good = test_read("good.ooze", &good_size);
	assert_int_equal(oz_world_load("good.ooze", NULL, 1, NULL, &w, NULL), OZ_OK);
	assert_int_equal(oz_world_save(w, "again.ooze", NULL), OZ_OK);
	oz_world_destroy(w);
	char *again = test_read("again.ooze", &size);
	assert_int_equal(size, good_size);
	assert_memory_equal(again, good, size);
	free(again);
	free(good);
}

// ---- older versions ----------------------------------------------------------------------------

static void expect_stats(oz_world *w, const oz_stats *wanted)
{
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	assert_int_equal(stats.step, wanted->step);
	assert_int_equal(stats.particles, wanted->particles);
	test_near(stats.time, wanted->time, 1e-6, "time");
	test_near(stats.kinetic_energy, wanted->kinetic_energy, 1e-5 * wanted->kinetic_energy,
	          "kinetic energy");
	test_near(stats.centre[1], wanted->centre[1], 1e-6, "height");
}

// Loads a file of an older version. `wanted` are the numbers of the program that wrote it, at the
// moment of writing.
static oz_world *load_older(const char *name, oz_stats wanted)
{
	oz_world *w;
	oz_error error = {0};
	char path[64];
	snprintf(path, sizeof path, "tests/snapshots/%s.ooze", name);
	if (oz_world_load(test_source(path), NULL, 1, NULL, &w, &error) != OZ_OK)
		fail_msg("%s", error.text);
	expect_stats(w, &wanted);
	return w;
}

// Version 1 knew of no blended bodies. The numbers are those of the program that wrote the file,
// at the end of the same run.
static void a_file_of_version_1_goes_on_as_it_would_have(void **state)
{
	(void)state;
	oz_stats stats;
	oz_world *w = load_older("version_1", (oz_stats){.step = 173,
	                                                 .particles = 204,
	                                                 .time = 0.2,
	                                                 .kinetic_energy = 16.077813,
	                                                 .centre = {0, 0.243662, 0}});
	assert_int_equal(oz_world_get_material(w, 1)->model, OZ_FLUID);
	assert_int_equal(oz_world_get_material(w, 1)->update_steps,
	                 oz_material_default(OZ_FLUID).update_steps);
	while (oz_world_time(w) < 0.3)
		assert_int_equal(oz_world_step_until(w, 0.3, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_particle_count(w), 222);
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	// 71.440 with the flat layers of that program; the columns of a layer are poured after its
	// first particle now
	assert_true(fabs(stats.kinetic_energy - 26.344) < 0.01 * 26.344);
	assert_true(fabs(stats.potential_energy - 72.219) < 0.001 * 72.219);
	assert_int_equal(oz_world_save(w, PATH, NULL), OZ_OK);
	oz_world_destroy(w);
	assert_int_equal(oz_world_load(PATH, NULL, 1, NULL, &w, NULL), OZ_OK);
	oz_world_destroy(w);
}

// Version 3 knew of no heat. The numbers are those of the program that wrote the file, at the end
// of the same run.
static void a_file_of_version_3_goes_on_as_it_would_have(void **state)
{
	(void)state;
	oz_stats stats;
	oz_view t;
	oz_world *w = load_older("version_3", (oz_stats){.step = 129,
	                                                 .particles = 177,
	                                                 .time = 0.15,
	                                                 .kinetic_energy = 11.7047358,
	                                                 .centre = {0, 0.15092164, 0}});
	assert_int_equal(oz_world_region_count(w), 0);
	assert_true(oz_world_get_material(w, 0)->melting_point >= OZ_NEVER_MELTS);
	assert_true(oz_world_get_material(w, 1)->conductivity == 0);
	while (oz_world_time(w) < 0.3)
		assert_int_equal(oz_world_step_until(w, 0.3, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_particle_count(w), 182);
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	assert_true(fabs(stats.kinetic_energy - 9.7739) < 0.02 * 9.7739);
	assert_true(fabs(stats.potential_energy - 28.240) < 0.01 * 28.240);
	// also of what was poured since
	assert_int_equal(oz_world_view(w, OZ_FIELD_TEMPERATURE, &t, NULL), OZ_OK);
	for (uint32_t i = 0; i < t.count; i++)
		assert_true(((const float *)t.data)[i] == 20);
	oz_world_destroy(w);
}

// Version 4 kept the nozzle in the w of positions and wrote fields that no body needs. It has
// water, a jelly, rubber that a handle holds and that may melt, a hot region, and particles in a
// nozzle. The numbers are those of the program that wrote the file, after the same steps.
static void expect_melting_scene(const char *name)
{
	oz_view t;
	double sum = 0;
	uint32_t poured = 0;
	oz_world *w = load_older(name, (oz_stats){.step = 40,
	                                          .particles = 106,
	                                          .time = 0.0361924192,
	                                          .kinetic_energy = 3.71512938,
	                                          .centre = {0, 0.182782807, 0}});
	assert_int_equal(oz_world_handle_count(w), 1);
	assert_int_equal(oz_world_region_count(w), 1);
	const uint32_t n = oz_world_particle_count(w);
	const float *nozzle = test_look(w, w->boundary.nozzle, sizeof *nozzle * n);
	for (uint32_t i = 0; i < n; i++)
		poured += nozzle[i] != 0;
	assert_true(poured > 5 && poured < n / 2);
	test_steps(w, 60);
	// with the flat layers of that program 0.1947822 m and 7.70544 J; with its implicit steps,
	// of first order, 7.70613 J
	expect_stats(w, &(oz_stats){.step = 100,
	                            .particles = 121,
	                            .time = 0.0893657,
	                            .kinetic_energy = 7.70645318,
	                            .centre = {0, 0.1968025, 0}});
	assert_int_equal(oz_world_view(w, OZ_FIELD_TEMPERATURE, &t, NULL), OZ_OK);
	for (uint32_t i = 0; i < t.count; i++)
		sum += (double)((const float *)t.data)[i];
	assert_true(fabs(sum / t.count - 26.971572) < 1e-4);
	oz_world_destroy(w);
}

static void a_file_of_version_4_goes_on_as_it_would_have(void **state)
{
	(void)state;
	expect_melting_scene("version_4");
}

// the same world; version 5 had other tags for the fields of slots and elastic bodies
static void a_file_of_version_5_goes_on_as_it_would_have(void **state)
{
	(void)state;
	expect_melting_scene("version_5");
}

// Version 6 had neither densities nor deficits. It has water, a jelly, rubber and a nozzle. The
// numbers are those of the program that wrote the file, after the same steps.
static void a_file_of_version_6_goes_on_as_it_would_have(void **state)
{
	(void)state;
	oz_world *w = load_older("version_6", (oz_stats){.step = 60,
	                                                 .particles = 134,
	                                                 .time = 0.0687255351,
	                                                 .kinetic_energy = 6.81960592,
	                                                 .centre = {0, 0.2156762, 0}});
	assert_int_equal(oz_world_get_def(w)->kernel, OZ_KERNEL_CUBIC);
	assert_true(oz_world_get_def(w)->support == 2);
	test_steps(w, 60);
	expect_stats(w, &(oz_stats){.step = 120,
	                            .particles = 144,
	                            .time = 0.135420623,
	                            .kinetic_energy = 13.4158079,
	                            .centre = {0, 0.202905641, 0}});
	oz_world_destroy(w);
}

// Writes a file of a world without interfaces between liquids as one of version 12.
static void write_version_12(const char *path, char *file, size_t size)
{
	section_header gone;
	snapshot_header header;
	const size_t at = test_find_section(file, "interfaces", &gone),
	             length = sizeof gone + gone.size;
	memcpy(&header, file, sizeof header);
	header.version = 12;
	memcpy(file, &header, sizeof header);
	memmove(file + at, file + at + length, size - at - length);
	test_write(path, file, size - length);
}

// In version 12 the liquid in a membrane had no mass, and faces did not press.
static void a_membrane_of_version_12_has_a_liquid_without_mass(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_membrane_state full, loaded;
	oz_world *w = test_space(0.025, 20);
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	const oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(0.1f, 0, 0));
	oz_id body;
	size_t size;
	def.filling = OZ_FILLING_LIQUID;
	test_must(oz_world_add_shape(w, &ball, test_add_material(w, &def), &body, &error), &error);
	test_steps(w, 2);
	test_must(oz_world_get_membrane(w, body, &full, &error), &error);
	test_must(oz_world_save(w, PATH, &error), &error);
	oz_world_destroy(w);
	char *file = test_read(PATH, &size);
	write_version_12(PATH, file, size);
	free(file);
	test_must(oz_world_load(PATH, NULL, 1, NULL, &w, &error), &error);
	assert_true(oz_world_get_material(w, 0)->filling_density == 0);
	assert_int_equal(oz_world_get_material(w, 0)->skin_contact, OZ_SKIN_POINTS);
	test_must(oz_world_get_membrane(w, body, &loaded, &error), &error);
	print_message("mass %.3f kg, of version 12 %.3f kg\n", full.mass, loaded.mass);
	assert_true(full.mass > 4 && loaded.mass < 0.3);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_part_of_a_world_survives),
	        cmocka_unit_test(every_parameter_of_a_world_survives),
	        cmocka_unit_test(a_loaded_world_saves_the_same_bytes),
	        cmocka_unit_test(a_file_of_version_1_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_3_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_4_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_5_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_6_goes_on_as_it_would_have),
	        cmocka_unit_test(a_membrane_of_version_12_has_a_liquid_without_mass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
