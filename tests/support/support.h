// support.h: what all tests share.
//
// Two libraries hold it. test_support needs the core alone; test_support_tools holds the files that
// need scenes, meshes or pictures (support_of_tools in tests/CMakeLists.txt). Tests that `make
// test` runs under TSan link the first one, all others link both.
//
//     support.h      cmocka, counted memory, devices, files, the program, numbers
//     worlds.h       worlds and what is put into them; it includes particles.h and vec.h
//     mixes.h        bodies of any model
//     heat.h         worlds in which nothing happens but heat
//     sdf_world.h    a tank of water with SDF colliders
//     elastic.h      forces and energies of elastic bodies
//     meshes.h, sdfs.h, witness.h    triangle meshes, their distance fields, walls watched by them
//     clouds.h, surfaces.h           clouds of points, surfaces around them, surfaces for files
//     scenes.h, pictures.h           scenes from text; small pictures and their light
//     runs.h                         runs of the program, compared
//     twins.h                        launches compared between the CPU and OpenCL
//
// What a test calls here fails the test if it cannot be done.
#ifndef OZ_TEST_SUPPORT_H
#define OZ_TEST_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "ooze/ooze.h"

#define PI 3.14159265358979323846

struct oz_device;

// Fails the test with the sentence of the error, unless the result is OZ_OK. The error may be NULL.
void test_must(oz_result result, const oz_error *error);

// ---- memory -----------------------------------------------------------------------------------

// Counts what goes through the alloc hook. New memory is filled with `poison`, so that a result
// that depends on what was there before shows.
typedef struct test_memory {
	size_t bytes;   // out now
	size_t blocks;  // out now
	size_t peak;    // out at most
	uint32_t wrong; // blocks given back with another size than they were taken with
	size_t limit;   // bytes beyond which memory is refused; 0: none
	uint32_t refused;
	unsigned char poison;
} test_memory;

oz_hooks test_memory_hooks(test_memory *memory);
// Fails the test unless every block came back, with its right size.
void test_memory_is_empty(const test_memory *memory);
// An alloc hook that refuses everything.
void *test_no_memory(void *context, void *block, size_t old_size, size_t new_size);

// ---- devices ----------------------------------------------------------------------------------

// Every test that names no device runs on that of OOZE_DEVICE, and reaches what lies there through
// these alone.

// The device of the environment.
struct oz_device *test_device(oz_heap *heap, uint32_t threads);
bool test_is_cpu(const oz_world *world);
// The threads of a world that asked for so many: those, or what its device has.
uint32_t test_threads(const oz_world *world, uint32_t asked);

// A buffer with these bytes in it.
void *test_upload(struct oz_device *device, const void *host, size_t size);
// Its first bytes, until the device is used again.
const void *test_see(struct oz_device *device, const void *buffer, size_t size);
// The same of a world's buffers.
const void *test_look(const oz_world *world, const void *buffer, size_t size);
void test_put(const oz_world *world, void *buffer, size_t offset, const void *host, size_t size);

// ---- files ------------------------------------------------------------------------------------

// The whole file with a zero behind it, to be freed with free(). `size` may be NULL.
char *test_read(const char *path, size_t *size);
void test_write(const char *path, const void *data, size_t size);
void test_write_text(const char *path, const char *text);
bool test_exists(const char *path);
// Fails unless the text is somewhere in the file.
void test_expect_in(const char *path, const char *wanted);
// Every field that frames hold, as bytes: position.bin, velocity.bin …
void test_dump_world(oz_world *world);
// The path of a file of the source tree, such as "scenes/dam_break.json"; valid until the ninth
// call after this one.
const char *test_source(const char *path);

// ---- programs ---------------------------------------------------------------------------------

// Runs a line of the shell in which $OOZE is the program, $PYTHON Python and $SOURCE the source
// tree. What it says goes to out.txt and err.txt. Gives its exit status.
int test_shell(const char *line);
// The same, and fails the test, with what was said, if the status is another.
void test_expect_shell(const char *line, int status);
// Runs the program with these arguments; otherwise as test_shell.
int test_ooze(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *test_program(void);

// ---- numbers ----------------------------------------------------------------------------------

// Uniform in [0, 1), the same numbers on every machine.
double test_random(uint64_t *state);
uint32_t test_random_bits(uint64_t *state);
// Fails unless |value - wanted| <= tolerance, and says all three.
void test_near(double value, double wanted, double tolerance, const char *what);
// Compares two oz_vec3 by their x, for qsort().
int test_by_x(const void *a, const void *b);

// ---- errors -----------------------------------------------------------------------------------

// Fails unless a call, which takes &error, fails with a result and a sentence that has a word.
#define test_expect_told(call, expected, word)                                                     \
	do {                                                                                       \
		oz_error error = {0};                                                              \
		const oz_result result = (call);                                                   \
		if (result != (expected) || error.code != (expected))                              \
			fail_msg("%s: %d, not %d: %s", #call, (int)result, (int)(expected),        \
			         error.text);                                                      \
		if (!strstr(error.text, word))                                                     \
			fail_msg("%s: no '%s' in: %s", #call, word, error.text);                   \
	} while (0)

// ---- duration ---------------------------------------------------------------------------------

// Whether OOZE_LONG=1 is in the environment: then tests that can run longer do.
bool test_is_long(void);
// Skips the case otherwise.
#define TEST_LONG_ONLY                                                                             \
	if (!test_is_long())                                                                       \
	skip()
// Whether OOZE_QUICK=1 is in the environment: `make test` sets it under ASan and TSan.
bool test_is_quick(void);
// Skips the case if OOZE_QUICK=1, as the label slow skips a program.
#define TEST_SLOW                                                                                  \
	if (test_is_quick())                                                                       \
	skip()

#endif
