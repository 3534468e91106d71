// capillary.h: surface tension of liquids, and the angle at which they meet walls and solids.
#ifndef OZ_CAPILLARY_H
#define OZ_CAPILLARY_H

#include "models/capillary/capillary_rules.h"
#include "models/model.h"

struct capillary_sums;
struct capillary_error;

typedef struct oz_capillary {
	capillary_rules rules;
	oz_array interfaces; // oz_interface_def

	// scratch of the present step; see capillary.cl
	oz_float4 *solid;  // x: 1 for particles of solids; y: cosine of their contact angle
	oz_float4 *lining; // b of walls, 1/m; w: cosine of their contact angle
	oz_float4 *rub;    // velocity of walls, m/s; w: how much of its surroundings are walls
	oz_float4 *edge;   // n; w: a, m²
	oz_float4 *meets;  // normal of walls and solids; w: cosine of their contact angle
	oz_float4 *skin;   // m; w: A, m²
	oz_float4 *bend;   // x: κ, 1/m; y: A; z: A ∜(σ ρ s)/s²
	oz_float4 *force;  // F, N; w: A
	float *tension;    // N/m
	float *touch;      // how much of its surroundings are walls and solids
	uint *liquid;      // entries of the list of particles with surface tension; 0: others
	uint *outer;       // the same of those at a surface
	// of interfaces; NULL: the world has none
	oz_float4 *side;  // 1 at the number of its liquid, of those with tension between them
	oz_float4 *stray; // x: 1 for a particle alone in another liquid, 0 at a smooth interface
	// sheets; see capillary_sheets.cl and capillary_sum.cl
	uint *parent;                  // of the forest of particles
	uint *sheet;                   // the first particle of the sheet
	uint *members;                 // of a first particle: particles in its sheet
	uint *number;                  // of a first particle: sheets before it that have a force
	struct capillary_sums *sums;   // of each sheet that has a force
	struct capillary_error *error; // the same
} oz_capillary;

// The capillary length of a liquid, √(σ/(ρ g)), m; infinite without surface tension or gravity.
double oz_capillary_length(const oz_world_def *world, const oz_material_def *material);
// The largest spacing at which surface tension acts, m; 0: the material has none.
double oz_capillary_spacing(const oz_world_def *world, const oz_material_def *material);

// The largest spacing at which a tension between two liquids acts, m.
double oz_interface_spacing(const oz_world_def *world, const oz_material_def *a,
                            const oz_material_def *b, double tension);
// N/m, what an entry of the table of interfaces sets for its materials.
double oz_interface_tension(const oz_material_def *a, const oz_material_def *b,
                            const oz_interface_def *def);
// Bytes of a particle in a world with this interface, beyond those that oz_models_bytes gives for
// the materials; 0: the interface does not act at this spacing.
double oz_interface_bytes(const oz_world_def *world, const oz_material_def *a,
                          const oz_material_def *b, const oz_interface_def *def);
// Whether a material is a liquid that can have surface tension.
bool oz_capillary_flows(const oz_material_def *material);

// ---- interfaces.c ------------------------------------------------------------------------------

// Adds an entry to the table of interfaces.
oz_result oz_interface_add(oz_sim *sim, const void *def, oz_id *id, oz_error *error);
// Whether an entry names the material.
bool oz_interfaces_have(const oz_capillary *c, oz_id material);
// Writes the liquids with tension between them, and the tensions, to the rules.
void oz_interfaces_follow(const oz_sim *sim, oz_capillary *c);
// The largest tension between two liquids over the lower density, m³/s².
float oz_interfaces_largest(const oz_sim *sim, const oz_capillary *c);
void oz_interfaces_save(const oz_capillary *c, oz_section *section);
oz_result oz_interfaces_load(oz_sim *sim, oz_section *section, oz_error *error);

extern const oz_model_ops oz_capillary_model;

#endif
