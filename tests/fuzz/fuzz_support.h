// fuzz_support.h: files for fuzzers: a folder of their own, and seeds that are made, not kept.
#ifndef OZ_FUZZ_SUPPORT_H
#define OZ_FUZZ_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What must hold, whatever the input is.
#define CLAIM(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

// A path in this process's own folder under TMPDIR (/tmp).
static inline const char *scratch(const char *name)
{
	static char folder[1024], path[1200];
	if (!folder[0]) {
		const char *parent = getenv("TMPDIR");
		snprintf(folder, sizeof folder, "%s/ooze-fuzz-XXXXXX", parent ? parent : "/tmp");
		CLAIM(mkdtemp(folder));
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static inline void write_file(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wb");
	CLAIM(file);
	CLAIM(fwrite(data, 1, size, file) == size);
	CLAIM(fclose(file) == 0);
}

static inline char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	CLAIM(file && fseek(file, 0, SEEK_END) == 0);
	*size = (size_t)ftell(file);
	rewind(file);
	char *data = malloc(*size + 1);
	CLAIM(data && fread(data, 1, *size, file) == *size);
	fclose(file);
	return data;
}

// Keeps a seed in the folder that OZ_FUZZ_SEEDS names, if it does.
static inline void keep_seed(const char *name, const void *data, size_t size)
{
	char path[1200];
	const char *folder = getenv("OZ_FUZZ_SEEDS");
	if (!folder)
		return;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	write_file(path, data, size);
}

#endif
