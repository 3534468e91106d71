// test_snapshot.c: everything survives a snapshot, and a file that is cut, damaged, foreign or
// lying is refused with the right result and a sentence that names it, without a leak.
#include <sys/stat.h>
#include <unistd.h>

#include "world/snapshot.h"
#include "world/snapshot_format.h"
#include "worlds.h"

#define PATH  "broken.ooze"
#define FIRST sizeof(snapshot_header) // where the first section begins

static char *good;       // a whole snapshot
static size_t good_size; // bytes
static size_t modest;    // bytes that reading a file of that size may take

// eight blended particles, each with an α of its own
static void add_jelly(oz_world *w)
{
	static const oz_alpha_key keys[] = {{0, 0.4f}, {1, 0.4f}, {2, 0.9f}};
	oz_material_def def = oz_material_default(OZ_BLEND);
	oz_body_def body = oz_body_default();
	oz_vec3 points[8];
	float alphas[8];
	def.alpha_keys = keys;
	def.alpha_key_count = 3;
	def.update_steps = 10;
	def.merges = false;
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	for (int k = 0; k < 8; k++) {
		points[k] = (oz_vec3){0.2f + 0.08f * (float)(k & 1), 0.04f * (float)(k & 2),
		                      0.02f * (float)(k & 4)};
		alphas[k] = 0.1f * (float)k;
	}
	body.points = points;
	body.alphas = alphas;
	body.count = 8;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
}

// a bit of everything; few particles, as it is loaded hundreds of times
static oz_world *make_world(test_memory *memory)
{
	oz_world *w = test_busy_dam(1, 0.08f, memory);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.shape.position = (oz_vec3){0, -0.31f, 0};
	floor.shape.rotation = (oz_quat){0, 0, 0.6f, 0.8f};
	floor.restitution = 0.25f;
	assert_int_equal(oz_world_add_collider(w, &floor, NULL, NULL), OZ_OK);
	oz_body_def empty = oz_body_default();
	snprintf(empty.name, sizeof empty.name, "nobody");
	empty.material = 1;
	assert_int_equal(oz_world_add_body(w, &empty, NULL, NULL), OZ_OK);
	add_jelly(w);
	return w;
}

// host memory of a world with nothing in it, its device's included
static size_t bytes_of_nothing(void)
{
	test_memory memory = {0};
	oz_world_def def = oz_world_default();
	def.threads = 1;
	def.hooks = test_memory_hooks(&memory);
	oz_world_destroy(test_world(&def));
	test_memory_is_empty(&memory);
	return memory.peak;
}

static int make_good(void **state)
{
	(void)state;
	oz_world *w = make_world(NULL);
	test_steps(w, 25);
	assert_int_equal(oz_world_save(w, "good.ooze", NULL), OZ_OK);
	oz_world_destroy(w);
	good = test_read("good.ooze", &good_size);
	// sections come and go through pieces of a megabyte
	modest = bytes_of_nothing() + 10 * good_size + (3u << 20);
	return 0;
}

static int drop_good(void **state)
{
	(void)state;
	free(good);
	return 0;
}

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
	oz_world *a = make_world(&memory), *b;
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
	oz_world *w;
	size_t size;
	assert_int_equal(oz_world_load("good.ooze", NULL, 1, NULL, &w, NULL), OZ_OK);
	assert_int_equal(oz_world_save(w, "again.ooze", NULL), OZ_OK);
	oz_world_destroy(w);
	char *again = test_read("again.ooze", &size);
	assert_int_equal(size, good_size);
	assert_memory_equal(again, good, size);
	free(again);
}

// ---- what is refused --------------------------------------------------------------------------

// Loads the file: this result, a sentence that names it, no world and no byte left.
static size_t expect_refused(const char *path, oz_result expected)
{
	test_memory memory = {.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_world *w = (oz_world *)1;
	oz_error error = {0};
	const oz_result result = oz_world_load(path, NULL, 1, &hooks, &w, &error);
	if (result != expected)
		fail_msg("%d instead of %d: %s", (int)result, (int)expected, error.text);
	assert_null(w);
	assert_int_equal(error.code, expected);
	if (!strstr(error.text, path))
		fail_msg("the path is not in: %s", error.text);
	test_memory_is_empty(&memory);
	return memory.peak;
}

static void a_file_cut_anywhere_is_damaged(void **state)
{
	(void)state;
	const size_t stride = good_size / 200 + 1;
	for (size_t length = 0; length < good_size; length += length < 64 ? 1 : stride) {
		test_write(PATH, good, length);
		expect_refused(PATH, length < sizeof(snapshot_header) ? OZ_ERROR_FORMAT
		                                                      : OZ_ERROR_CHECKSUM);
	}
	test_write(PATH, good, good_size - 1);
	expect_refused(PATH, OZ_ERROR_CHECKSUM);
}

static oz_result result_of_flip(size_t at)
{
	if (at < offsetof(snapshot_header, version))
		return OZ_ERROR_FORMAT;
	if (at < offsetof(snapshot_header, order))
		return OZ_ERROR_VERSION;
	return at < sizeof(snapshot_header) ? OZ_ERROR_FORMAT : OZ_ERROR_CHECKSUM;
}

static void a_flipped_bit_anywhere_is_found(void **state)
{
	(void)state;
	const size_t stride = good_size / 440 + 1;
	uint64_t seed = 8;
	for (size_t at = 0; at < good_size; at += at < 64 ? 1 : stride) {
		const char kept = good[at];
		good[at] = (char)(kept ^ (1 << test_random_bits(&seed) % 8));
		test_write(PATH, good, good_size);
		good[at] = kept;
		expect_refused(PATH, result_of_flip(at));
	}
}

static void what_is_no_snapshot_is_said_to_be_none(void **state)
{
	(void)state;
	expect_refused("there_is_no_such_file.ooze", OZ_ERROR_FILE);
	test_write(PATH, "", 0);
	expect_refused(PATH, OZ_ERROR_FORMAT);
	test_write(PATH, "{ \"spacing\": 0.02, \"bodies\": [] }", 33);
	expect_refused(PATH, OZ_ERROR_FORMAT);
}

static void a_folder_is_no_snapshot(void **state)
{
	(void)state;
	assert_int_equal(mkdir("folder.ooze", 0700), 0);
	expect_refused("folder.ooze", OZ_ERROR_FILE);
	oz_world *w = make_world(NULL);
	oz_error error = {0};
	assert_int_equal(oz_world_save(w, "folder.ooze", &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "folder.ooze"));
	assert_int_equal(oz_world_save(w, "no/such/folder/x.ooze", &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "no/such/folder/x.ooze"));
	oz_world_destroy(w);
}

static void write_with_header(const snapshot_header *header)
{
	char *changed = malloc(good_size);
	memcpy(changed, good, good_size);
	memcpy(changed, header, sizeof *header);
	test_write(PATH, changed, good_size);
	free(changed);
}

static void other_formats_and_byte_orders_are_told_apart(void **state)
{
	(void)state;
	snapshot_header header;
	memcpy(&header, good, sizeof header);
	header.version = OZ_SNAPSHOT_VERSION + 1;
	write_with_header(&header);
	expect_refused(PATH, OZ_ERROR_VERSION);
	header.version = OZ_SNAPSHOT_VERSION;
	header.order = 0x04030201u;
	write_with_header(&header);
	expect_refused(PATH, OZ_ERROR_FORMAT);
	header.order = SNAPSHOT_ORDER;
	memcpy(header.magic, "OOZESNAQ", 8);
	write_with_header(&header);
	expect_refused(PATH, OZ_ERROR_FORMAT);
}

// ---- what lies, with right checksums ----------------------------------------------------------

static section_header section_at(size_t at)
{
	section_header header;
	memcpy(&header, good + at, sizeof header);
	return header;
}

static size_t find_section(const char *tag, size_t from)
{
	size_t at = from;
	while (strcmp(good + at, tag) != 0)
		at += sizeof(section_header) + section_at(at).size;
	return at;
}

// writes the good file with some bytes of a section changed and its checksum made right
static void write_changed_at(size_t at, size_t offset, const void *bytes, size_t size)
{
	const size_t body = at + sizeof(section_header);
	section_header header = section_at(at);
	char *changed = malloc(good_size);
	memcpy(changed, good, good_size);
	memcpy(changed + body + offset, bytes, size);
	header.hash = oz_hash(changed + body, header.size, snapshot_seed(&header));
	memcpy(changed + at, &header, sizeof header);
	test_write(PATH, changed, good_size);
	free(changed);
}

static void write_changed(const char *tag, size_t offset, const void *bytes, size_t size)
{
	write_changed_at(find_section(tag, FIRST), offset, bytes, size);
}

// the particles' fields come after the nozzles; one has the name of another section
static void write_changed_field(const char *tag, size_t offset, const void *bytes, size_t size)
{
	write_changed_at(find_section(tag, find_section("nozzles", FIRST)), offset, bytes, size);
}

static snapshot_state good_state(size_t *offset)
{
	snapshot_state s;
	const size_t at = find_section("world", FIRST);
	*offset = section_at(at).size - sizeof s;
	memcpy(&s, good + at + sizeof(section_header) + *offset, sizeof s);
	return s;
}

static void expect_state_refused(const snapshot_state *changed)
{
	size_t offset;
	good_state(&offset);
	write_changed("world", offset, changed, sizeof *changed);
	assert_true(expect_refused(PATH, OZ_ERROR_CHECKSUM) < modest);
}

static void a_count_that_the_file_cannot_hold_takes_no_memory(void **state)
{
	(void)state;
	static const uint32_t claims[] = {0x80000000u, 0x7fffffffu, UINT32_MAX, 1000000};
	size_t offset;
	for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
		snapshot_state s = good_state(&offset);
		s.particles = claims[k];
		expect_state_refused(&s);
	}
	snapshot_state s = good_state(&offset);
	s.particles--;
	expect_state_refused(&s);
}

static void lists_of_things_that_end_too_early_are_damaged(void **state)
{
	(void)state;
	static const char *const tags[] = {"materials", "bodies", "colliders", "nozzles"};
	static const uint32_t claims[] = {UINT32_MAX, 1000, 5};
	for (size_t k = 0; k < 4; k++)
		for (size_t c = 0; c < 3; c++) {
			write_changed(tags[k], 0, &claims[c], sizeof claims[c]);
			assert_true(expect_refused(PATH, OZ_ERROR_CHECKSUM) < modest);
		}
}

static void a_section_longer_than_the_file_takes_no_memory(void **state)
{
	(void)state;
	static const char *const tags[] = {"world", "bodies", "position"};
	for (size_t k = 0; k < 3; k++) {
		const uint64_t claim = (uint64_t)1 << 40;
		char *changed = malloc(good_size);
		memcpy(changed, good, good_size);
		memcpy(changed + find_section(tags[k], FIRST) + offsetof(section_header, size),
		       &claim, sizeof claim);
		test_write(PATH, changed, good_size);
		free(changed);
		assert_true(expect_refused(PATH, OZ_ERROR_CHECKSUM) < modest);
	}
}

static void a_state_that_makes_no_sense_is_refused(void **state)
{
	(void)state;
	size_t offset;
	const snapshot_state fine = good_state(&offset);
	snapshot_state s = fine;
	s.time = (double)NAN;
	expect_state_refused(&s);
	s = fine, s.last_step.max_speed = INFINITY;
	expect_state_refused(&s);
	s = fine, s.last_step.time_step = -1;
	expect_state_refused(&s);
	s = fine, s.grid.bits_x = 31;
	expect_state_refused(&s);
	s = fine, s.grid.period_y = NAN;
	expect_state_refused(&s);
}

// A grid or a reach that the saved world cannot have had: refused or put right, but no reason to
// take more memory than the file is worth.
static void expect_modest_load(const snapshot_state *changed)
{
	size_t offset;
	good_state(&offset);
	write_changed("world", offset, changed, sizeof *changed);
	test_memory memory = {.limit = modest};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_world *w;
	oz_error error = {0};
	oz_world_load(PATH, NULL, 1, &hooks, &w, &error);
	if (memory.refused)
		fail_msg("more than %zu bytes: %s", memory.limit, error.text);
	oz_world_destroy(w);
	test_memory_is_empty(&memory);
}

static void a_grid_larger_than_the_particles_need_takes_no_memory(void **state)
{
	(void)state;
	size_t offset;
	snapshot_state s = good_state(&offset);
	assert_int_equal(s.listed, 1);
	s.grid.bits_x = s.grid.bits_y = s.grid.bits_z = 10;
	expect_modest_load(&s);
}

static void a_grid_of_endless_cells_is_refused(void **state)
{
	(void)state;
	size_t offset;
	const snapshot_state fine = good_state(&offset);
	snapshot_state s = fine;
	s.grid.inv_cell = INFINITY;
	expect_state_refused(&s);
	s = fine, s.grid.period_z = INFINITY;
	expect_state_refused(&s);
	s = fine, s.grid.radius2 = INFINITY;
	expect_state_refused(&s);
}

static void a_particle_of_no_body_or_at_no_place_is_refused(void **state)
{
	(void)state;
	const uint32_t none = 77;
	const float nowhere = NAN;
	write_changed_field("body", 40, &none, sizeof none);
	expect_refused(PATH, OZ_ERROR_CHECKSUM);
	write_changed_field("material", 40, &none, sizeof none);
	expect_refused(PATH, OZ_ERROR_CHECKSUM);
	write_changed_field("position", 160, &nowhere, sizeof nowhere);
	expect_refused(PATH, OZ_ERROR_CHECKSUM);
	write_changed_field("velocity", 160, &nowhere, sizeof nowhere);
	expect_refused(PATH, OZ_ERROR_CHECKSUM);
	const float nozzles[] = {0.5f, 1e6f, -99, NAN};
	for (size_t k = 0; k < sizeof nozzles / sizeof *nozzles; k++) {
		write_changed_field("nozzle", 0, &nozzles[k], sizeof nozzles[k]);
		expect_refused(PATH, OZ_ERROR_CHECKSUM);
	}
}

static void a_field_from_the_future_is_named(void **state)
{
	(void)state;
	oz_error error = {0};
	oz_world *w;
	const size_t at = find_section("velocity", FIRST);
	section_header header = section_at(at);
	char *changed = malloc(good_size);
	memcpy(changed, good, good_size);
	memcpy(header.tag, "loudness", sizeof "loudness");
	header.hash = oz_hash(good + at + sizeof header, header.size, snapshot_seed(&header));
	memcpy(changed + at, &header, sizeof header);
	test_write(PATH, changed, good_size);
	free(changed);
	expect_refused(PATH, OZ_ERROR_VERSION);
	assert_int_equal(oz_world_load(PATH, NULL, 1, NULL, &w, &error), OZ_ERROR_VERSION);
	assert_non_null(strstr(error.text, "the field 'loudness'"));
}

static void a_field_that_an_older_version_lacked_is_named(void **state)
{
	(void)state;
	oz_error error = {0};
	oz_world *w;
	const size_t at = find_section("velocity", FIRST);
	const size_t size = sizeof(section_header) + section_at(at).size;
	char *changed = malloc(good_size);
	memcpy(changed, good, at);
	memcpy(changed + at, good + at + size, good_size - at - size);
	test_write(PATH, changed, good_size - size);
	free(changed);
	expect_refused(PATH, OZ_ERROR_VERSION);
	assert_int_equal(oz_world_load(PATH, NULL, 1, NULL, &w, &error), OZ_ERROR_VERSION);
	assert_non_null(strstr(error.text, "lacks the field 'velocity'"));
}

static void a_parameter_from_the_future_is_named(void **state)
{
	(void)state;
	oz_error error = {0};
	oz_world *w;
	char name[64] = "surface_tension";
	write_changed("world", sizeof(uint32_t), name, sizeof name);
	expect_refused(PATH, OZ_ERROR_VERSION);
	assert_int_equal(oz_world_load(PATH, NULL, 1, NULL, &w, &error), OZ_ERROR_VERSION);
	assert_non_null(strstr(error.text, "surface_tension"));
}

static void arguments_that_are_missing_are_told(void **state)
{
	(void)state;
	oz_world *w;
	oz_error error;
	assert_int_equal(oz_world_load(NULL, NULL, 1, NULL, &w, &error), OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_world_load("good.ooze", NULL, 1, NULL, NULL, &error),
	                 OZ_ERROR_ARGUMENT);
	assert_int_equal(oz_world_load("good.ooze", NULL, 1000000, NULL, &w, &error),
	                 OZ_ERROR_RANGE);
	assert_null(w);
	assert_int_equal(oz_world_save(NULL, PATH, &error), OZ_ERROR_ARGUMENT);
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
	// with the flat layers of that program 0.1947822 m and 7.70544 J
	expect_stats(w, &(oz_stats){.step = 100,
	                            .particles = 121,
	                            .time = 0.0893657,
	                            .kinetic_energy = 7.70613,
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_part_of_a_world_survives),
	        cmocka_unit_test(every_parameter_of_a_world_survives),
	        cmocka_unit_test(a_loaded_world_saves_the_same_bytes),
	        cmocka_unit_test(a_file_cut_anywhere_is_damaged),
	        cmocka_unit_test(a_flipped_bit_anywhere_is_found),
	        cmocka_unit_test(what_is_no_snapshot_is_said_to_be_none),
	        cmocka_unit_test(a_folder_is_no_snapshot),
	        cmocka_unit_test(other_formats_and_byte_orders_are_told_apart),
	        cmocka_unit_test(a_count_that_the_file_cannot_hold_takes_no_memory),
	        cmocka_unit_test(lists_of_things_that_end_too_early_are_damaged),
	        cmocka_unit_test(a_section_longer_than_the_file_takes_no_memory),
	        cmocka_unit_test(a_state_that_makes_no_sense_is_refused),
	        cmocka_unit_test(a_grid_larger_than_the_particles_need_takes_no_memory),
	        cmocka_unit_test(a_grid_of_endless_cells_is_refused),
	        cmocka_unit_test(a_particle_of_no_body_or_at_no_place_is_refused),
	        cmocka_unit_test(a_field_from_the_future_is_named),
	        cmocka_unit_test(a_field_that_an_older_version_lacked_is_named),
	        cmocka_unit_test(a_parameter_from_the_future_is_named),
	        cmocka_unit_test(a_file_of_version_1_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_3_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_4_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_5_goes_on_as_it_would_have),
	        cmocka_unit_test(a_file_of_version_6_goes_on_as_it_would_have),
	        cmocka_unit_test(arguments_that_are_missing_are_told),
	};
	return cmocka_run_group_tests(tests, make_good, drop_good);
}
