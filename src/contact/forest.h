// forest.h: union-find: joins elements to sets.
//
// Joined sets form a forest: the parent of an element has a lower number or is the element itself,
// and the root is the lowest element of its set. To join two roots, the higher one gets the lower
// one as parent if it still is a root; otherwise the search continues from its new parent. Parents
// only decrease, so no item waits for another, and the final root does not depend on the order of
// items. At first each element is its own parent.
#ifndef OZ_FOREST_H
#define OZ_FOREST_H

#include "device/kernel.h"

// the root of an element while other items join sets; shortens the path to it for later searches
OZ_FN uint oz_forest_root_shared(OZ_GLOBAL uint *parent, uint k)
{
	for (uint up = oz_atomic_load(&parent[k]); up != k;) {
		const uint next = oz_atomic_load(&parent[up]);
		if (next != up)
			oz_atomic_min(&parent[k], next);
		k = up;
		up = next;
	}
	return k;
}

// joins the sets of a and b; returns their common root at that moment
OZ_FN uint oz_forest_join(OZ_GLOBAL uint *parent, uint a, uint b)
{
	uint low = oz_forest_root_shared(parent, a), high = oz_forest_root_shared(parent, b);
	while (low != high) {
		if (low > high) {
			const uint swap = low;
			low = high;
			high = swap;
		}
		const uint was = oz_atomic_swap(&parent[high], high, low);
		if (was == high)
			return low;
		high = oz_forest_root_shared(parent, was);
		low = oz_forest_root_shared(parent, low);
	}
	return low;
}

// the root of an element, after all sets were joined
OZ_FN uint oz_forest_root(OZ_GLOBAL const uint *parent, uint k)
{
	while (parent[k] != k)
		k = parent[k];
	return k;
}

#endif
