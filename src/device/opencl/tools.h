// tools.h: sizes that tools.cl and sort.c share.
#ifndef OZ_CL_TOOLS_H
#define OZ_CL_TOOLS_H

#define OZ_TILE_ITEMS 256u // work items of a group
#define OZ_TILE_EACH  4u   // numbers of a tile for each item
#define OZ_TILE       (OZ_TILE_ITEMS * OZ_TILE_EACH)
#define OZ_TILE_BINS  16u // of one pass of the sort inside a tile: four bits

// Local memory, in words. Scan: a tile, and a sum for each item. Sort: two tiles of keys and two of
// values, a sum and a start for each item, a padded 16-bit count for each item and bin.
#define OZ_SCAN_LOCAL (OZ_TILE + OZ_TILE_ITEMS)
#define OZ_SORT_LOCAL (4u * OZ_TILE + 2u * OZ_TILE_ITEMS + (OZ_TILE_BINS + 1u) * OZ_TILE_ITEMS / 2u)

#endif
