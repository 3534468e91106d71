// elastic_blocks.h: the lists of rest neighbours, joined for eight slots at a time.
//
// A block is eight slots that lie next to each other in the rest shape. Its list holds whoever is
// in the list of one of them, with a weight for each of the eight, 0 for those that it is not near
// to. So a neighbour is fetched once for eight slots, a vector's worth, and nothing is shuffled;
// two of five lanes do work that counts. Only a device whose vectors are that long has blocks.
#ifndef OZ_ELASTIC_BLOCKS_H
#define OZ_ELASTIC_BLOCKS_H

#include "device/pack.h"
#include "particles/matter.h"

#define OZ_BLOCK 8u

typedef struct oz_blocks {
	uint *slot;           // OZ_BLOCK of each block; the one behind the last fills up
	uint *first;          // entry of each block; one more for the end
	uint *near;           // slot, of each entry
	ushort *weight;       // OZ_BLOCK of each entry: ω as floats of 16 bits, of a unit, see
	                      // elastic_simd.h
	uint32_t count, room; // blocks, and what there is memory for
	uint64_t entry_room;
} oz_blocks;

// What building them takes: once with `fill` 0, which counts the entries of block b into first[b],
// and once with the places that follow from that.
typedef struct oz_block_build {
	oz_blocks blocks;
	const oz_float4 *rest, *stiff;
	oz_fluid fluid;
	uint slots, fill;
	uint *beyond; // set where a list has too many entries, or a weight is beyond 16 bits
} oz_block_build;

#define elastic_join_blocks_ARGS(IN, OUT, VAL) IN(oz_block_build, build)
OZ_ARGS_OF(elastic_join_blocks, 1)

#endif
