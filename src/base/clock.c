// clock.c: a monotonic clock and a hash that is the same on every machine.
#include <string.h>
#include <time.h>

#include "base/base.h"

uint64_t oz_clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

// little-endian number of `size` bytes, on every machine
static uint64_t read_word(const unsigned char *p, size_t size)
{
	uint64_t word = 0;
	for (size_t k = 0; k < size; k++)
		word |= (uint64_t)p[k] << 8 * k;
	return word;
}

// one round of xxHash64
static uint64_t mix(uint64_t state, uint64_t word)
{
	return rotate(state + word * PRIME_2, 31) * PRIME_1;
}

uint64_t oz_hash(const void *data, size_t size, uint64_t seed)
{
	const unsigned char *p = data;
	uint64_t state[4] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
	size_t left = size;
	for (; left >= 32; left -= 32, p += 32)
		for (int k = 0; k < 4; k++)
			state[k] = mix(state[k], read_word(p + 8 * k, 8));
	uint64_t h = rotate(state[0], 1) + rotate(state[1], 7) + rotate(state[2], 12) +
	             rotate(state[3], 18) + size;
	for (; left >= 8; left -= 8, p += 8)
		h = rotate(h ^ mix(0, read_word(p, 8)), 27) * PRIME_1 + PRIME_4;
	if (left)
		h = rotate(h ^ mix(0, read_word(p, left)), 23) * PRIME_2 + PRIME_3;
	h = (h ^ h >> 33) * PRIME_2;
	h = (h ^ h >> 29) * PRIME_3;
	return h ^ h >> 32;
}
