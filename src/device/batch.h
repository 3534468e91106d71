// batch.h: batches of elements for each item of a launch, where many elements add to few sums.
//
// Consecutive elements mostly add to the same sum. An item processes a batch of elements and does
// one atomic addition for each sum that occurs in it: fewer atomic additions to the same words.
// Batches of `stride` items are interleaved, as lists are: item i processes the elements
// oz_batch_at(i, c, stride) for c below OZ_BATCH, while they are below the number of elements.
#ifndef OZ_BATCH_H
#define OZ_BATCH_H

#include "device/kernel.h"

#define OZ_BATCH 64u

// index of element c of the batch of item i
OZ_FN uint oz_batch_at(uint i, uint c, uint stride)
{
	return (i / stride * OZ_BATCH + c) * stride + i % stride;
}

// the number of items that process `count` elements
OZ_FN uint oz_batch_items(uint count, uint stride)
{
	return count ? ((count - 1u) / (stride * OZ_BATCH) + 1u) * stride : 0u;
}

#endif
