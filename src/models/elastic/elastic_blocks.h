// elastic_blocks.h: the lists of rest neighbours, joined for eight slots at a time.
//
// A block is eight slots that are close to each other in the rest shape. Its list is the union of
// their lists; each entry has eight weights, 0 for slots that it is no neighbour of. So a neighbour
// is loaded once for eight slots, one SIMD vector, without shuffles; about two of five lanes have a
// weight above 0. Only a device with vectors of eight floats has blocks.
#ifndef OZ_ELASTIC_BLOCKS_H
#define OZ_ELASTIC_BLOCKS_H

#include "device/pack.h"
#include "particles/matter.h"

#define OZ_BLOCK 8u

typedef struct oz_blocks {
	uint *slot;           // OZ_BLOCK slots of each block; padded with the slot behind the last
	uint *first;          // first entry of each block; one more for the end
	uint *near;           // slot of each entry
	ushort *weight;       // OZ_BLOCK weights ω of each entry, floats of 16 bits, in units of
	                      // elastic_unit (elastic_simd.h)
	uint32_t count, room; // blocks, and blocks that fit the memory
	uint64_t entry_room;  // entries that fit the memory
} oz_blocks;

// Arguments of building blocks. It runs twice: with `fill` 0 it counts the entries of block b into
// first[b]; after a prefix sum of these, with `fill` 1, it writes the entries.
typedef struct oz_block_build {
	oz_blocks blocks;
	const oz_float4 *rest, *stiff;
	oz_fluid fluid;
	uint slots, fill;
	uint *beyond; // set to 1 if a block has too many entries or a weight exceeds 16 bits
} oz_block_build;

#define elastic_join_blocks_ARGS(IN, OUT, VAL) IN(oz_block_build, build)
OZ_ARGS_OF(elastic_join_blocks, 1)

#endif
