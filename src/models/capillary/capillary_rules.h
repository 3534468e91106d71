// capillary_rules.h: constants of surface tension, of a world; C and OpenCL C.
#ifndef OZ_CAPILLARY_RULES_H
#define OZ_CAPILLARY_RULES_H

#define CAPILLARY_FRONTS 4 // most liquids of a world with tension between them

#define CAPILLARY_SHEET_LEAST 8u // fewest particles of a sheet that has a force

typedef struct capillary_rules {
	float h;       // m, radius of the sums
	float spacing; // m
	// of a lattice that ends at a flat surface: V |Σ ∇W| of its first and second layer, 1/m,
	// and what they lack of δ
	float slope_first, slope_second, lack_first, lack_second;
	float neighbours; // Σ u² over the neighbours in a lattice, u = 1 - q²
	float doubled;    // areas of two layers beside each other, over their sum
	// liquids with tension between them
	unsigned fronts[CAPILLARY_FRONTS];                  // their materials; OZ_NONE: no more
	float surface[CAPILLARY_FRONTS];                    // N/m, their tensions against air
	float between[CAPILLARY_FRONTS * CAPILLARY_FRONTS]; // N/m, tension of each two
} capillary_rules;

#endif
