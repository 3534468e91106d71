// support.h: what several tests share: counted memory, devices, small worlds, whole files, plain
// random numbers.
#ifndef OZ_TEST_SUPPORT_H
#define OZ_TEST_SUPPORT_H

#include "base/base.h"
#include "ooze/ooze.h"

struct oz_device;

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

// ---- devices ----------------------------------------------------------------------------------

// Every test that names no device runs on that of OOZE_DEVICE, and reaches what lies there through
// these alone.

// The device of the environment; fails the test if there is none.
struct oz_device *test_device(oz_heap *heap, uint32_t threads);
bool test_is_cpu(const oz_world *world);
// The threads that a world has which was asked for so many: those, or what its device has.
uint32_t test_threads(const oz_world *world, uint32_t asked);

// A buffer with these bytes in it.
void *test_upload(struct oz_device *device, const void *host, size_t size);
// Its first bytes, until the device is used again.
const void *test_see(struct oz_device *device, const void *buffer, size_t size);
// The same of a world's buffers.
const void *test_look(const oz_world *world, const void *buffer, size_t size);
void test_put(const oz_world *world, void *buffer, size_t offset, const void *host, size_t size);

// ---- worlds -----------------------------------------------------------------------------------

// A box vessel of 0.8 × 0.6 × 0.4 m with a block of water in its corner; about 800 particles for
// a spacing of 0.04 m. `memory` may be NULL.
oz_world *test_dam(uint32_t threads, float spacing, test_memory *memory);
// The same, with a nozzle that pours a second liquid and a ball that keyframes lead to and fro.
oz_world *test_busy_dam(uint32_t threads, float spacing, test_memory *memory);
// Adds SDF walls to such a dam, in front of the water, each of which sums up what it bears: a
// block, a ring that is a shell, and a ball that keyframes lead to and fro. Gives the first one.
oz_id test_sdfs(oz_world *world);
// An empty world of that definition; fails the test if there is none.
oz_world *test_world(const oz_world_def *def);
oz_id test_water(oz_world *world);
// Adds a body of these points.
oz_id test_body(oz_world *world, oz_id material, const oz_vec3 *points, uint32_t count);
void test_steps(oz_world *world, uint32_t count);

// ---- files and numbers ------------------------------------------------------------------------

// The whole file, to be freed with free().
char *test_read(const char *path, size_t *size);
void test_write(const char *path, const void *data, size_t size);
// Every field that frames hold, as bytes: position.bin, velocity.bin …
void test_dump_world(oz_world *world);

// Uniform in [0, 1), the same row on every machine.
double test_random(uint64_t *state);
uint32_t test_random_bits(uint64_t *state);

#endif
