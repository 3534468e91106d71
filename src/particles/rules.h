// rules.h: constants of the kernel sums, which follow from a world's definition.
#ifndef OZ_RULES_H
#define OZ_RULES_H

#include "ooze/ooze.h"

#include "particles/matter.h"

typedef struct oz_rules {
	oz_fluid fluid;
	float heat_sum; // 1/m², κ V Σ |∇W|/r: how much of a neighbourhood heat reaches
} oz_rules;

oz_rules oz_rules_of(const oz_world_def *def);
// What kernels know of every material, whatever its model: it is a fluid.
oz_matter oz_matter_base(const oz_world_def *world, const oz_material_def *def);

#endif
