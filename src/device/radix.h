// radix.h: exclusive scan and stable radix sort on the threads of a pool.
#ifndef OZ_RADIX_H
#define OZ_RADIX_H

#include "device/kernel.h"
#include "device/pool.h"

// Exclusive scan: replaces each value by the sum of the values before it.
void oz_scan(oz_pool *pool, uint *values, uint32_t count);
// Stable sort of pairs by their keys of at most `bits` bits, into keys and values; `digits` is
// memory for oz_radix_digits(count) numbers.
void oz_radix_sort(oz_pool *pool, uint *keys, uint *values, uint *spare_keys, uint *spare_values,
                   uint32_t count, uint32_t bits, uint *digits);
uint32_t oz_radix_digits(uint32_t count);

#endif
