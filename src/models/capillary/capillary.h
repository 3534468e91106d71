// capillary.h: surface tension of liquids, and the angle at which they meet walls and solids.
#ifndef OZ_CAPILLARY_H
#define OZ_CAPILLARY_H

#include "models/capillary/capillary_rules.h"
#include "models/model.h"

struct capillary_sums;

typedef struct oz_capillary {
	capillary_rules rules;

	// scratch of the present step; see capillary.cl
	oz_float4 *solid;  // x: 1 for particles of solids; y: cosine of their contact angle
	oz_float4 *lining; // b of walls, 1/m; w: cosine of their contact angle
	oz_float4 *rub;    // velocity of walls, m/s; w: how much of its surroundings are walls
	oz_float4 *edge;   // n; w: a, m²
	oz_float4 *sheet;  // m; w: A, m²
	oz_float4 *bend;   // x: κ, 1/m; y: A
	oz_float4 *force;  // F, N; w: A
	float *touch;      // how much of its surroundings are walls and solids
	uint *liquid;      // entries of the list of particles with surface tension; 0: others
	uint *outer;       // the same of those at a surface
	struct capillary_sums *sums;
} oz_capillary;

// The capillary length of a liquid, √(σ/(ρ g)), m; infinite without surface tension or gravity.
double oz_capillary_length(const oz_world_def *world, const oz_material_def *material);
// The largest spacing at which surface tension acts, m; 0: the material has none.
double oz_capillary_spacing(const oz_world_def *world, const oz_material_def *material);

extern const oz_model_ops oz_capillary_model;

#endif
