// batch.h: several things to one item of a launch, where many add to few numbers.
//
// Things that follow each other mostly add to the same number. An item takes a batch of them and
// adds once for each number that it meets, so that not everybody goes to the same few words.
// Batches of `stride` items are interleaved, as lists are: item i takes the things
// oz_batch_at(i, c, stride) for c below OZ_BATCH, up to the first that is not there.
#ifndef OZ_BATCH_H
#define OZ_BATCH_H

#include "device/kernel.h"

#define OZ_BATCH 64u

OZ_FN uint oz_batch_at(uint i, uint c, uint stride)
{
	return (i / stride * OZ_BATCH + c) * stride + i % stride;
}

// how many items take `count` things
OZ_FN uint oz_batch_items(uint count, uint stride)
{
	return count ? ((count - 1u) / (stride * OZ_BATCH) + 1u) * stride : 0u;
}

#endif
