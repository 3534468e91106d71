// files.c: whole files, the fields of a world as files, paths of the source tree.
#include <unistd.h>

#include "support.h"

char *test_read(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "rb");
	if (!stream)
		fail_msg("%s cannot be read", path);
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	const size_t length = (size_t)ftell(stream);
	rewind(stream);
	char *data = malloc(length + 1);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, length, stream), length);
	fclose(stream);
	data[length] = 0;
	if (size)
		*size = length;
	return data;
}

void test_write(const char *path, const void *data, size_t size)
{
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	assert_int_equal(fwrite(data, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

static void dump_field(oz_world *world, oz_field field, size_t size, const char *path)
{
	oz_view view;
	oz_error error;
	assert_int_equal(oz_world_view(world, field, &view, &error), OZ_OK);
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	for (uint32_t i = 0; i < view.count; i++)
		fwrite((const char *)view.data + i * view.stride, size, 1, stream);
	assert_int_equal(fclose(stream), 0);
}

void test_dump_world(oz_world *world)
{
	dump_field(world, OZ_FIELD_POSITION, 12, "position.bin");
	dump_field(world, OZ_FIELD_VELOCITY, 12, "velocity.bin");
	dump_field(world, OZ_FIELD_DENSITY, 4, "density.bin");
	dump_field(world, OZ_FIELD_PRESSURE, 4, "pressure.bin");
	dump_field(world, OZ_FIELD_TEMPERATURE, 4, "temperature.bin");
	dump_field(world, OZ_FIELD_PHASE, 4, "phase.bin");
	dump_field(world, OZ_FIELD_ID, 4, "id.bin");
	dump_field(world, OZ_FIELD_BODY, 4, "body.bin");
	dump_field(world, OZ_FIELD_MATERIAL, 4, "material.bin");
}

void test_write_text(const char *path, const char *text)
{
	test_write(path, text, strlen(text));
}

bool test_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

void test_expect_in(const char *path, const char *wanted)
{
	char *text = test_read(path, NULL);
	if (!strstr(text, wanted))
		fail_msg("'%s' is not in %s:\n%s", wanted, path, text);
	free(text);
}

const char *test_source(const char *path)
{
	static char paths[8][1000];
	static int next;
	char *to = paths[next++ % 8];
	snprintf(to, sizeof paths[0], "%s/%s", OZ_SOURCE_DIR, path);
	return to;
}
