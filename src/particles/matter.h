// matter.h: the constants of a material, and of the world, that kernels read.
#ifndef OZ_MATTER_H
#define OZ_MATTER_H

#include "device/kernel.h"

// a particle beyond these limits is repaired: put to rest
#define OZ_PLACE_MAX 1e15f // m
#define OZ_SPEED_MAX 1e9f  // m/s

// what new particles have in `deficit`: no stretch; the overlap of their δ (pressure_law.h)
#define OZ_DEFICIT_ANY 10.0f
#define OZ_OVERLAP_ANY 1e30f

// bits of oz_matter.firm
#define OZ_FIRM          1u   // an elastic solid
#define OZ_FIRM_PAPER    2u   // rotations from A_pq, gradients as printed
#define OZ_FIRM_PLAIN    4u   // no rotations, gradients as printed
#define OZ_FIRM_MLS      8u   // weights W instead of its gradient
#define OZ_FIRM_GREEN    16u  // Green's strain instead of the linear one
#define OZ_FIRM_IMPLICIT 32u  // implicit time integration
#define OZ_FIRM_RIGID    64u  // a rigid body; no other bit is set
#define OZ_FIRM_MEMBRANE 128u // a skin; no other bit is set

// values of oz_link.on: links by the shear modulus; by the paper's constants; springs that push,
// too
#define OZ_LINK_STRETCH 1u
#define OZ_LINK_PAPER   2u
#define OZ_LINK_SPRINGS 3u

// links of a viscoelastic fluid (models/links/links.cl)
typedef struct oz_link {
	uint on;         // OZ_LINK_…; 0: its particles make no links
	uint still;      // 1: it does not move, its mass counts as infinite
	uint avoids;     // bit m: it does not stick to material m
	float stiffness; // N/m, K of links_pair.h
	float modulus;   // Pa
	float rate;      // 1/s, one over the relaxation time
	float yield;     // stretch below which a link does not relax; of the paper: γ h, m
	float reach;     // m, distance below which links are made
	float longest;   // m, length at which a link breaks
	float brittle;   // largest inverse stretch of links to other materials; 0: no limit
	float sticky;    // Pa; 0: no links to other materials
	float start, least, weakening; // of the paper: c, l, w
	uint sets;                     // 1: links do not relax below the melting point
	float activation, reference;   // K, of Arrhenius' factor of the relaxation time
} oz_link;

// the polymer of a solution (models/polymer/polymer.cl)
typedef struct oz_polymer {
	uint rotates;   // 1: the corotational law
	float modulus;  // Pa, G; 0: no polymer
	float rate;     // 1/s, one over the relaxation time
	float mobility; // of Giesekus; 0: Oldroyd-B
} oz_polymer;

typedef struct oz_flow {
	float viscous;         // `viscous` of oz_matter where it flows, √(Pa·s)
	float bulk;            // Pa·s, ζ: pressure over the rate of compression
	float cohesion;        // Pa, largest tension of a stretched fluid
	float surface_tension; // N/m
	oz_link link;          // of viscoelastic fluids
	oz_polymer polymer;    // of polymer solutions
} oz_flow;

// the viscosity of a thick fluid (models/viscous/law.h)
#define OZ_THICK_ALWAYS 1u
#define OZ_THICK_MOLTEN 2u // where an elastic solid has melted
#define OZ_LAW_POINTS   8
typedef struct oz_law {
	uint thick;                  // OZ_THICK_…; 0: never
	float base;                  // Pa·s, viscosity
	float yield;                 // Pa
	float exponent;              // n
	float creep_rate;            // 1/s
	float time;                  // s, of Carreau; 0: Herschel & Bulkley
	float fast;                  // Pa·s, of Carreau, at high rates
	float activation;            // K, E/R; 0: temperature changes nothing
	float reference;             // K, at which `base` holds
	float rebuild;               // s, in which structure rebuilds; 0: there is none
	float breakdown;             // share of the structure that breaks for each unit of shear
	float broken;                // viscosity without structure over that with all of it
	uint points;                 // of the table; 0: there is none
	float warmth[OZ_LAW_POINTS]; // K, of each point, ascending
	float factor[OZ_LAW_POINTS]; // logarithm of the viscosity over that at the reference
} oz_law;

// when components of a blend take a new rest shape (models/blend/reshape.cl)
typedef struct oz_reshaping {
	float update_force; // m/s², γ_u: contact above which the rest shape is replaced, at α = 0
	uint update_steps;  // steps between two tests of that contact
	uint merges;        // components may merge with others that may
} oz_reshaping;

// of elastic solids
typedef struct oz_elastic_matter {
	float young;              // Pa, E
	float poisson;            // ν
	float hourglass, bending; // relative stiffness
} oz_elastic_matter;

// one for each material
typedef struct oz_matter {
	float density;         // kg/m³ at rest
	float inv_density;     // m³/kg
	float contact_density; // kg/m³, in the pressure of contact; the density, but for skins
	float viscous;         // √(10 μ + damping ρ c h/2), √(Pa·s)
	float kinematic;       // m²/s, physical viscosity over density
	oz_flow flow;          // where it flows: fluids and molten particles
	oz_law law;            // of thick fluids
	float alpha;           // share of fluid, 0 … 1
	float response;   // s, τ: time in which a particle returns to the goal of its clusters
	float rest_reach; // m, search radius of rest neighbours; 0: no rest shape
	uint paper;       // pressure and kernel as Takamatsu & Kanai print them
	oz_reshaping reshape;
	uint firm; // bits OZ_FIRM…; 0: neither elastic nor rigid
	oz_elastic_matter elastic;
	float friction; // Coulomb coefficient between elastic solids, rigid bodies and membranes
	float wetting;  // of solids: cosine of the contact angle of liquids

	// heat, see heat.h
	float conductivity;  // W/(m·K)
	float heat_capacity; // J/(kg·K)
	float melting_point; // °C
	float melting_range; // K
	float latent_heat;   // J/kg
	float alpha_hot;     // share of fluid above the melting range
} oz_matter;

// one for the world
typedef struct oz_fluid {
	uint smoothing; // oz_kernel_kind
	uint tait;      // the Tait equation of state instead of the linear one
	uint tension;   // pressure may become negative
	float h;        // m, support radius
	float volume; // m³, V of a particle in kernel sums; V Σ W of a cubic lattice at rest is 1
	float self;   // V W(0), what a particle adds to its own δ
	float stress; // κ: factor of the sum of kernel gradients
	// what a lattice half a spacing from a flat wall lacks of δ is wall λ in its first layer,
	// and wall_slope (λ - wall_from) in its first layer and in its second
	float wall, wall_slope, wall_from;
	float sound2;    // m²/s², square of the speed of sound
	float softening; // m², keeps the viscous pair force finite
	oz_vec3 gravity; // m/s²
} oz_fluid;

// α of a particle: its own; if that is negative, that of its material
OZ_FN float matter_alpha(float own, float of_material)
{
	return own < 0.0f ? of_material : own;
}

#endif
