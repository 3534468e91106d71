// test_snapshot_damage.c: a snapshot that is cut, damaged, of another format, or wrong in spite of
// a right checksum is refused with the right result and a sentence that names it, without a leak.
#include <sys/stat.h>
#include <unistd.h>

#include "world/snapshot.h"
#include "world/snapshot_format.h"
#include "worlds.h"

#define PATH "broken.ooze"

#define FIRST sizeof(snapshot_header) // where the first section begins

static char *good;       // a whole snapshot
static size_t good_size; // bytes
static size_t modest;    // bytes that reading a file of that size may take

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
	oz_world *w = test_saved_world(NULL);
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
	oz_world *w = test_saved_world(NULL);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	        cmocka_unit_test(arguments_that_are_missing_are_told),
	};
	return cmocka_run_group_tests(tests, make_good, drop_good);
}
