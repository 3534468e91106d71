// rules.h: constants of the kernel sums, computed from a world's definition.
#ifndef OZ_RULES_H
#define OZ_RULES_H

#include "ooze/ooze.h"

#include "particles/matter.h"

typedef struct oz_rules {
	oz_fluid fluid;
	oz_fluid solid; // of contact, and of the inside of elastic bodies
	float heat_sum; // 1/m², κ V Σ |∇W|/r of a lattice at rest: limits the time step of heat
} oz_rules;

oz_rules oz_rules_of(const oz_world_def *def);
// The members of oz_matter that all models share, with α = 1 (a fluid); a model changes its own.
oz_matter oz_matter_base(const oz_world_def *world, const oz_material_def *def);

#endif
