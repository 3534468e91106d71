// component_join.h: joins sets of slots while other items join others.
//
// Joined sets form a forest: the parent of a slot has a lower number or is the slot itself, and the
// root is the lowest slot of its set. To join two roots, the higher one gets the lower one as
// parent if it still is a root; otherwise the search continues from its new parent. Parents only
// decrease, so no item waits for another, and the final root does not depend on the order of items.
#ifndef OZ_COMPONENT_JOIN_H
#define OZ_COMPONENT_JOIN_H

#include "device/kernel.h"

// the root of a slot while other items join sets; shortens the path to it for later searches
OZ_FN uint component_root_shared(OZ_GLOBAL uint *parent, uint k)
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
OZ_FN uint component_join(OZ_GLOBAL uint *parent, uint a, uint b)
{
	uint low = component_root_shared(parent, a), high = component_root_shared(parent, b);
	while (low != high) {
		if (low > high) {
			const uint swap = low;
			low = high;
			high = swap;
		}
		const uint was = oz_atomic_swap(&parent[high], high, low);
		if (was == high)
			return low;
		high = component_root_shared(parent, was);
		low = component_root_shared(parent, low);
	}
	return low;
}

#endif
