#include "damage.h"

size_t test_find_section(const char *file, const char *tag, section_header *header)
{
	size_t at = sizeof(snapshot_header);
	memcpy(header, file + at, sizeof *header);
	while (strcmp(header->tag, tag) != 0) {
		at += sizeof *header + header->size;
		memcpy(header, file + at, sizeof *header);
	}
	return at;
}

void test_write_changed(const char *path, const char *file, size_t size, const char *tag,
                        size_t offset, const void *bytes, size_t count)
{
	section_header header;
	const size_t at = test_find_section(file, tag, &header), body = at + sizeof header;
	char *changed = malloc(size);
	assert_non_null(changed);
	assert_true(offset + count <= header.size);
	memcpy(changed, file, size);
	memcpy(changed + body + offset, bytes, count);
	header.hash = oz_hash(changed + body, header.size, snapshot_seed(&header));
	memcpy(changed + at, &header, sizeof header);
	test_write(path, changed, size);
	free(changed);
}

bool test_is_refused(const char *path, const char *sentence)
{
	test_memory memory = {.poison = 0xa5};
	const oz_hooks hooks = test_memory_hooks(&memory);
	oz_world *w = NULL;
	oz_error error = {0};
	const oz_result result = oz_world_load(path, NULL, 1, &hooks, &w, &error);
	if (result == OZ_OK) {
		test_steps(w, 3);
		test_particles all = test_particles_read(w);
		assert_true(test_particles_finite(&all));
		test_particles_free(&all);
		oz_world_destroy(w);
	} else {
		assert_true(!w && strlen(error.text) > 10);
		if (sentence && !strstr(error.text, sentence))
			fail_msg("%s", error.text);
	}
	test_memory_is_empty(&memory);
	return result != OZ_OK;
}
