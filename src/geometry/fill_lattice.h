// fill_lattice.h: lattices of points, and the choice of the points that fill a volume exactly.
#ifndef OZ_FILL_LATTICE_H
#define OZ_FILL_LATTICE_H

#include "geometry/fill_relax.h"

typedef struct oz_lattice {
	double origin[3]; // corner of the first cell
	double pitch[3];
	double count[3];
	double phase[2][3]; // share of a pitch; x by parity of the row, z by parity of the layer
} oz_lattice;

// The lattice of a fill, centred in the box of the volume, with rows rounded to the nearest number.
oz_lattice oz_lattice_make(const oz_volume *volume, double spacing, oz_fill fill);
// The point of a lattice in column x of a row in a layer.
oz_vec3 oz_lattice_point(const oz_lattice *l, uint64_t x, uint64_t layer, uint64_t row);
// The number of points inside the volume.
uint64_t oz_lattice_count(const oz_volume *volume, const oz_lattice *l);
// Whether all points inside are `clearance` (m) away from the surface.
bool oz_lattice_is_clear(const oz_volume *volume, const oz_lattice *l, float clearance);

// Fills a volume of three dimensions with the exact number of points, at rest. `done` is false if
// the lattice as it is does that already, or if the volume is too thin for points at rest.
oz_result oz_volume_fill_exact(const oz_volume *volume, float spacing, oz_fill fill,
                               oz_vec3 **points, uint32_t *count, bool *done, oz_error *error);

#endif
