// test_sdf_cache.c: SDFs of meshes that were made before are taken from disk, if they can be
// trusted.
#include <sys/stat.h>
#include <unistd.h>

#include "boundary/sdf_data.h"
#include "meshes.h"
#include "sdf/mesh_sdf_file.h"

static uint32_t warnings;
static char warning[8192];

static void note(void *context, oz_log_level level, const char *text)
{
	(void)context;
	warnings += level == OZ_LOG_WARNING;
	snprintf(warning, sizeof warning, "%s", text);
}

static oz_mesh_sdf_def kept(const char *folder)
{
	return (oz_mesh_sdf_def){.cell = 0.06f,
	                         .reach = 0.2f,
	                         .cache = folder,
	                         .threads = 2,
	                         .hooks = {.log = note}};
}

// Makes the SDF of a torus with a hole; gives its hash and whether it came from the cache.
static bool sdf(const oz_mesh_sdf_def *def, uint64_t *hash, oz_mesh_report *report)
{
	oz_mesh m = test_mesh_torus(1, 0.3f, 30, 12);
	m.triangle_count -= 2;
	oz_sdf *c = NULL;
	oz_error error = {OZ_OK, ""};
	if (oz_mesh_sdf(&m, "m", def, &c, report, &error) != OZ_OK)
		fail_msg("%s", error.text);
	*hash = oz_sdf_hash(c);
	oz_sdf_release(c);
	oz_mesh_free(&m);
	return report->cached;
}

static oz_sdf_entry place_of(const oz_mesh_sdf_def *def)
{
	oz_mesh m = test_mesh_torus(1, 0.3f, 30, 12);
	m.triangle_count -= 2;
	const oz_sdf_entry place = oz_sdf_entry_of(&m, def);
	oz_mesh_free(&m);
	return place;
}

static void kept_sdfs_are_the_same_bit_for_bit(void **state)
{
	(void)state;
	const oz_mesh_sdf_def def = kept("a/b/sdf");
	uint64_t fresh, again;
	oz_mesh_report first, second;
	warnings = 0;
	assert_false(sdf(&def, &fresh, &first));
	assert_true(sdf(&def, &again, &second));
	assert_true(fresh == again);
	second.cached = false;
	assert_memory_equal(&first, &second, sizeof first);
	assert_int_equal(first.hole_count, 1);
	assert_int_equal(warnings, 0);
}

static void another_sdf_has_another_name(void **state)
{
	(void)state;
	oz_mesh_sdf_def def = kept("names");
	const uint64_t key = place_of(&def).key;
	assert_true(place_of(&def).key == key);
	def.cell = 0.07f;
	assert_true(place_of(&def).key != key);
	def = kept("names");
	def.reach = 0.3f;
	assert_true(place_of(&def).key != key);
	def = kept("names");
	def.shell = true;
	assert_true(place_of(&def).key != key);
	def = kept("names");
	oz_mesh m = test_mesh_torus(1, 0.3f, 30, 12);
	m.triangle_count -= 2;
	m.vertices[100].y += 1e-6f;
	assert_true(oz_sdf_entry_of(&m, &def).key != key);
	oz_mesh_free(&m);
}

typedef void (*damage)(char *data, size_t *size);

static void change_a_nearest_point(char *data, size_t *size)
{
	data[*size - 1000] ^= 4;
}

static void change_the_report(char *data, size_t *size)
{
	(void)size;
	data[150] ^= 1;
}

static void change_the_version(char *data, size_t *size)
{
	(void)size;
	data[8]++;
}

static void change_the_magic(char *data, size_t *size)
{
	(void)size;
	data[0] = 'X';
}

static void change_the_key(char *data, size_t *size)
{
	(void)size;
	data[17] ^= 1;
}

static void cut_the_end(char *data, size_t *size)
{
	(void)data;
	*size -= 5;
}

static void cut_nearly_all(char *data, size_t *size)
{
	(void)data;
	*size = 11;
}

static void cut_all(char *data, size_t *size)
{
	(void)data;
	*size = 0;
}

static void damaged_sdfs_are_made_anew_and_told_once(void **state)
{
	(void)state;
	static const damage damages[] = {change_a_nearest_point, change_the_report,
	                                 change_the_version,     change_the_magic,
	                                 change_the_key,         cut_the_end,
	                                 cut_nearly_all,         cut_all};
	const oz_mesh_sdf_def def = kept("damaged");
	const oz_sdf_entry place = place_of(&def);
	uint64_t fresh, again;
	oz_mesh_report report;
	assert_false(sdf(&def, &fresh, &report));
	for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
		size_t size;
		char *data = test_read(place.path, &size);
		damages[k](data, &size);
		test_write(place.path, data, size);
		free(data);
		warnings = 0;
		assert_false(sdf(&def, &again, &report));
		assert_true(again == fresh);
		assert_int_equal(warnings, 1);
		assert_non_null(strstr(warning, place.path));
		assert_non_null(strstr(warning, "it is made anew"));
		assert_true(sdf(&def, &again, &report));
		assert_true(again == fresh);
		assert_int_equal(warnings, 1);
	}
}

static void folders_that_cannot_be_written_are_no_trouble(void **state)
{
	(void)state;
	test_write_text("file", "no folder");
	const oz_mesh_sdf_def def = kept("file/sdf");
	uint64_t fresh, again;
	oz_mesh_report report;
	warnings = 0;
	assert_false(sdf(&def, &fresh, &report));
	assert_false(sdf(&def, &again, &report));
	assert_true(fresh == again);
	// a folder lies where the file should
	const oz_mesh_sdf_def taken = kept("taken");
	const oz_sdf_entry place = place_of(&taken);
	assert_int_equal(mkdir(place.path, 0777), 0);
	assert_false(sdf(&taken, &again, &report));
	assert_true(fresh == again);
	assert_int_equal(warnings, 0);
}

static void without_a_folder_the_users_own_is_taken(void **state)
{
	(void)state;
	setenv("OOZE_CACHE_DIR", "own", 1);
	oz_mesh_sdf_def def = kept(NULL);
	uint64_t fresh, again;
	oz_mesh_report report;
	assert_memory_equal(place_of(&def).path, "own/sdf/", 8);
	assert_false(sdf(&def, &fresh, &report));
	assert_true(sdf(&def, &again, &report));
	def.cache = "";
	assert_false(sdf(&def, &again, &report));
	assert_string_equal(place_of(&def).path, "");
	unsetenv("OOZE_CACHE_DIR");
	setenv("XDG_CACHE_HOME", "desktop", 1);
	def.cache = NULL;
	assert_memory_equal(place_of(&def).path, "desktop/ooze/sdf/", 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(kept_sdfs_are_the_same_bit_for_bit),
	        cmocka_unit_test(another_sdf_has_another_name),
	        cmocka_unit_test(damaged_sdfs_are_made_anew_and_told_once),
	        cmocka_unit_test(folders_that_cannot_be_written_are_no_trouble),
	        cmocka_unit_test(without_a_folder_the_users_own_is_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
