// cg.h: conjugate gradients on the device (cg.cl); host code.
#ifndef OZ_CG_H
#define OZ_CG_H

#include "device/device.h"
#include "solver/cg_sums.h"

// indices of sums; the partial sums of groups follow
enum { OZ_CG_NORM, OZ_CG_OTHER, OZ_CG_ENERGY, OZ_CG_GROUPS };

typedef struct oz_cg {
	oz_device *device;
	uint32_t count; // unknowns
	float span;     // the factor s of the matrix 1 + s K; s K has no unit
	oz_float4 *residual, *direction, *image, *delta_v, *sums;
	const cg_block *block; // preconditioner of each unknown; NULL: delta_v.w
	// writes - K p of the search direction p into `image`
	void (*apply)(void *context);
	void *context;
} oz_cg;

// when to stop
typedef struct oz_cg_goal {
	float enough;    // r·r
	uint32_t rounds; // at most
} oz_cg_goal;

// records of `sums` for a number of unknowns
uint32_t oz_cg_sums(uint32_t count);
// index where the groups of a REDUCE launch over all unknowns write their sums, so that
// oz_cg_join gives their total at `place`
uint32_t oz_cg_first(const oz_cg *cg, uint32_t place);
// sums the partial sums of groups, level by level, into the record at `place`
void oz_cg_join(const oz_cg *cg, uint32_t place);
oz_float4 oz_cg_read(const oz_cg *cg, uint32_t place);
// Iterates from a residual whose sums are at OZ_CG_NORM. *left: in, the first r·r; out, the last.
// Returns the number of rounds.
uint32_t oz_cg_solve(const oz_cg *cg, oz_cg_goal goal, float *left);

#endif
