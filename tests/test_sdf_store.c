// test_sdf_store.c: what a world computes from an SDF is kept beside it and taken from there.
#include <glob.h>

#include "sdf/mesh_sdf_file.h"
#include "sdfs.h"
#include "worlds.h"

#define SPACING 0.04f

static oz_sdf *torus_in(const char *folder)
{
	oz_mesh m = test_mesh_torus(0.3f, 0.1f, 30, 12);
	oz_mesh_sdf_def def = test_sdf_def(0.5f * SPACING);
	def.cache = folder;
	def.reach = 3 * SPACING;
	oz_sdf *sdf = test_sdf_of(&m, &def, NULL);
	oz_mesh_free(&m);
	return sdf;
}

// ---- worlds -----------------------------------------------------------------------------------

// a store in memory of one record
typedef struct memory_store {
	oz_sdf_store calls;
	uint32_t asked, given, put;
	uint64_t key;
	size_t size;
	char data[1 << 22];
} memory_store;

static memory_store memory;

static bool get(const oz_sdf_store *store, uint64_t key, void *data, size_t size)
{
	(void)store;
	memory.asked++;
	if (key != memory.key || size != memory.size)
		return false;
	memcpy(data, memory.data, size);
	memory.given++;
	return true;
}

static void put(const oz_sdf_store *store, uint64_t key, const void *data, size_t size)
{
	(void)store;
	assert_true(size <= sizeof memory.data);
	memcpy(memory.data, data, size);
	memory.key = key;
	memory.size = size;
	memory.put++;
}

static void release(oz_sdf_store *store)
{
	(void)store;
}

// the state after a ball of water has fallen on a torus
static uint64_t hash_of_fall(const oz_sdf *sdf, float spacing)
{
	oz_world_def def = oz_world_default();
	def.spacing = spacing;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_shape torus = oz_shape_make(OZ_SHAPE_SDF, (oz_vec3){0, 0, 0});
	torus.sdf = sdf;
	oz_collider_def wall = oz_collider_default(torus);
	test_add_collider(w, &wall);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.12f, 0, 0});
	ball.position = (oz_vec3){0.3f, 0.23f, 0};
	test_add_filled(w, test_water(w), &ball, OZ_FILL_LATTICE);
	test_steps(w, 30);
	const uint64_t hash = oz_world_hash(w);
	oz_world_destroy(w);
	return hash;
}

static void wall_nodes_of_a_second_world_come_from_the_store(void **state)
{
	(void)state;
	oz_sdf *sdf = torus_in("");
	assert_null(sdf->store);
	const uint64_t alone = hash_of_fall(sdf, SPACING);
	memory = (memory_store){.calls = {get, put, release}};
	sdf->store = &memory.calls;
	assert_true(hash_of_fall(sdf, SPACING) == alone);
	assert_int_equal(memory.put, 1);
	assert_true(hash_of_fall(sdf, SPACING) == alone);
	assert_int_equal(memory.given, 1);
	assert_int_equal(memory.put, 1);
	// the opposite: a world takes what the store gives
	memset(memory.data, 0, memory.size);
	assert_true(hash_of_fall(sdf, SPACING) != alone);
	assert_int_equal(memory.given, 2);
	oz_sdf_release(sdf);
}

static void worlds_that_differ_have_records_of_their_own(void **state)
{
	(void)state;
	oz_sdf *sdf = torus_in("");
	memory = (memory_store){.calls = {get, put, release}};
	sdf->store = &memory.calls;
	hash_of_fall(sdf, SPACING);
	hash_of_fall(sdf, 1.1f * SPACING);
	assert_int_equal(memory.asked, 2);
	assert_int_equal(memory.given, 0);
	assert_int_equal(memory.put, 2);
	oz_sdf_release(sdf);
}

// ---- files ------------------------------------------------------------------------------------

static void records_are_read_as_they_were_written(void **state)
{
	(void)state;
	oz_sdf *sdf = torus_in("kept");
	const oz_sdf_store *store = sdf->store;
	assert_non_null(store);
	const char first[] = "of the first key", second[] = "of the second key";
	char read[sizeof second];
	assert_false(store->get(store, 1, read, sizeof first));
	store->put(store, 1, first, sizeof first);
	store->put(store, 2, second, sizeof second);
	assert_true(store->get(store, 1, read, sizeof first));
	assert_memory_equal(read, first, sizeof first);
	assert_true(store->get(store, 2, read, sizeof second));
	assert_memory_equal(read, second, sizeof second);
	assert_false(store->get(store, 2, read, sizeof first));
	oz_sdf_release(sdf);
	// another process finds the same record
	sdf = torus_in("kept");
	assert_true(sdf->store->get(sdf->store, 1, read, sizeof first));
	assert_memory_equal(read, first, sizeof first);
	oz_sdf_release(sdf);
}

static void damaged_records_are_not_read(void **state)
{
	(void)state;
	oz_sdf *sdf = torus_in("damaged");
	const oz_sdf_store *store = sdf->store;
	char record[100];
	for (size_t k = 0; k < sizeof record; k++)
		record[k] = (char)(3 * k);
	store->put(store, 7, record, sizeof record);
	glob_t found;
	assert_int_equal(glob("damaged/*.record", 0, NULL, &found), 0);
	const char *path = found.gl_pathv[0];
	size_t size;
	char *file = test_read(path, &size);
	for (size_t k = 0; k < size; k++) {
		file[k] ^= 16;
		test_write(path, file, size);
		assert_false(store->get(store, 7, record, sizeof record));
		file[k] ^= 16;
	}
	test_write(path, file, size - 1);
	assert_false(store->get(store, 7, record, sizeof record));
	test_write(path, file, size);
	assert_true(store->get(store, 7, record, sizeof record));
	free(file);
	globfree(&found);
	oz_sdf_release(sdf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(wall_nodes_of_a_second_world_come_from_the_store),
	        cmocka_unit_test(worlds_that_differ_have_records_of_their_own),
	        cmocka_unit_test(records_are_read_as_they_were_written),
	        cmocka_unit_test(damaged_records_are_not_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
