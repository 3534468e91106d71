// tools.h: sizes that tools.cl and its host agree on.
#ifndef OZ_CL_TOOLS_H
#define OZ_CL_TOOLS_H

#define OZ_TILE_ITEMS 256u // work items of a group
#define OZ_TILE_EACH  4u   // numbers of one item
#define OZ_TILE       (OZ_TILE_ITEMS * OZ_TILE_EACH)
#define OZ_TILE_BINS  16u // of one pass of the sort over a tile: four bits

// local memory, in words: a tile and a sum for each item; two tiles of keys and values, a sum and a
// start for each item, and a padded count of 16 bits for each item and bin
#define OZ_SCAN_LOCAL (OZ_TILE + OZ_TILE_ITEMS)
#define OZ_SORT_LOCAL (4u * OZ_TILE + 2u * OZ_TILE_ITEMS + (OZ_TILE_BINS + 1u) * OZ_TILE_ITEMS / 2u)

#endif
