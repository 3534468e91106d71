// opening.h: the opening of a nozzle and the columns of particles that fill it.
//
// A layer of a nozzle has one particle in each column. Column (a, b) has its own phase along the
// axis, frac(α a + β b) layers, so that no two neighbouring columns have their particles side by
// side: a jet has no planes of particles along which it could come apart. Since phases are linear
// in a and b, the particles are a lattice, and all have the same density.
//
// Columns are so far apart that together they fill the area of the opening:
//
//   area = count · pitch[0] · pitch[1],    distance of two layers · area = count · spacing³
#ifndef OZ_OPENING_H
#define OZ_OPENING_H

#include "ooze/ooze.h"

typedef struct oz_columns {
	uint32_t count;     // particles in a layer
	uint32_t across[2]; // columns along width and height, corners included
	uint32_t reach2; // columns with a² + b² ≤ reach2 are filled; a, b: twice the places from
	                 // the centre, over the pitches
	float pitch[2];  // m, distance of neighbouring columns along width and height
	double phase[2]; // layers, difference of phase of neighbouring columns: α, β
} oz_columns;

// one column: its place in the opening and its phase
typedef struct oz_column {
	float width, height; // m, from the centre of the opening
	double phase;        // layers, 0 … 1
} oz_column;

// whether the opening is a rectangle; else it is round
static inline bool oz_opening_is_rectangle(const oz_emitter_def *def)
{
	return def->width > 0;
}

// m²
double oz_opening_area(const oz_emitter_def *def);
// Gives the directions of width and height: unit vectors at right angles to the jet and to each
// other.
void oz_opening_axes(const oz_emitter_def *def, oz_vec3 *width, oz_vec3 *height);
// Gives the columns of an opening, at least one.
oz_columns oz_opening_columns(const oz_emitter_def *def, double spacing);
// Gives the columns of a round opening that have this reach2; false if none have it.
bool oz_opening_disc(const oz_emitter_def *def, double spacing, uint32_t reach2,
                     oz_columns *columns);
// Gives the columns that round openings had before format 14 of snapshots.
oz_columns oz_opening_least_disc(const oz_emitter_def *def, double spacing);
// Gives the column in row i < across[0] and j < across[1]; false if it is outside a round opening.
bool oz_columns_at(const oz_columns *columns, uint32_t i, uint32_t j, oz_column *column);

#endif
