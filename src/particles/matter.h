// matter.h: what kernels know of a material and of the world's fluid rules.
#ifndef OZ_MATTER_H
#define OZ_MATTER_H

#include "device/kernel.h"

// a particle farther out or faster than these is lost, and put to rest
#define OZ_PLACE_MAX 1e15f // m
#define OZ_SPEED_MAX 1e9f  // m/s

// how a solid is one
#define OZ_FIRM          1u
#define OZ_FIRM_PAPER    2u  // rotations from A_pq, gradients as printed
#define OZ_FIRM_PLAIN    4u  // no rotations, gradients as printed
#define OZ_FIRM_MLS      8u  // weighed by W instead of its slope
#define OZ_FIRM_GREEN    16u // strain
#define OZ_FIRM_IMPLICIT 32u

// one for each material
typedef struct oz_matter {
	float density;      // kg/m³ at rest
	float inv_density;  // m³/kg
	float viscous;      // √(10 μ + damping ρ c h/2), √(Pa·s)
	float kinematic;    // m²/s, physical viscosity over density
	float alpha;        // share of fluid, 0 … 1
	float response;     // s, τ: how soon a particle is where its clusters want it
	float rest_reach;   // m, how far rest neighbours reach; 0: it has no rest shape
	uint paper;         // pressure and kernel as Takamatsu & Kanai print them
	float update_force; // m/s², γ_u: contact that changes the shape for good, at α = 0
	uint update_steps;  // between two looks at that
	uint merges;        // may grow together with others that do
	uint firm;          // an elastic solid: OZ_FIRM and how it is one
	float young;        // Pa, E
	float poisson;      // ν
	float hourglass, bending;
	float friction; // between solids

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
	float volume; // m³ that a particle stands for in kernel sums; a lattice at rest sums to 1
	float self;   // what a particle adds to its own density, a share of 1
	float stress; // κ: what the sum of kernel gradients is multiplied by
	float sound2; // m²/s², square of the speed of sound
	float softening; // m², keeps the viscous pair force finite
	oz_vec3 gravity; // m/s²
} oz_fluid;

// α of a particle: its own, or where that is negative its material's
OZ_FN float matter_alpha(float own, float of_material)
{
	return own < 0.0f ? of_material : own;
}

#endif
