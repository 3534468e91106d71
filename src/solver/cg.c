// cg.c: conjugate gradients; launches cg.cl.
#include "solver/cg.h"

#include "solver/cg.cl"

#define MANY 50000u // unknowns: a round takes longer than reading

static uint32_t groups_of(uint32_t items)
{
	return (items - 1) / OZ_GROUP + 1;
}

uint32_t oz_cg_sums(uint32_t count)
{
	const uint32_t groups = count / OZ_GROUP + 1;
	return OZ_CG_GROUPS + groups + groups / OZ_GROUP + 2;
}

// `place` itself if there is one group
uint32_t oz_cg_first(const oz_cg *cg, uint32_t place)
{
	return groups_of(cg->count) > 1 ? OZ_CG_GROUPS : place;
}

void oz_cg_join(const oz_cg *cg, uint32_t place)
{
	uint32_t at = OZ_CG_GROUPS, groups = groups_of(cg->count);
	while (groups > 1) {
		const uint32_t next = groups_of(groups);
		OZ_LAUNCH(cg->device, cg_total, groups, .in = cg->sums, .groups = cg->sums,
		          .from = at, .first = next > 1 ? at + groups : place);
		at += groups;
		groups = next;
	}
}

oz_float4 oz_cg_read(const oz_cg *cg, uint32_t place)
{
	oz_float4 sums = {0, 0, 0, 0};
	cg->device->ops->read(cg->device, &sums, cg->sums, sizeof sums * place, sizeof sums);
	return sums;
}

// One round. `norm`, OZ_CG_NORM or OZ_CG_OTHER, is the index of r·z; the new r·z goes to the other
// one.
static void iterate(const oz_cg *cg, uint32_t norm)
{
	oz_device *d = cg->device;
	const uint32_t next = OZ_CG_NORM + OZ_CG_OTHER - norm;
	cg->apply(cg->context);
	OZ_LAUNCH(d, cg_energy, cg->count, .residual = cg->residual, .direction = cg->direction,
	          .image = cg->image, .groups = cg->sums, .first = oz_cg_first(cg, OZ_CG_ENERGY),
	          .span = cg->span);
	oz_cg_join(cg, OZ_CG_ENERGY);
	OZ_LAUNCH(d, cg_advance, cg->count, .sums = cg->sums, .direction = cg->direction,
	          .image = cg->image, .block = OZ_OPTIONAL(cg->block), .delta_v = cg->delta_v,
	          .residual = cg->residual, .groups = cg->sums, .first = oz_cg_first(cg, next),
	          .span = cg->span, .norm = norm, .energy = OZ_CG_ENERGY,
	          .blocks = cg->block != NULL);
	oz_cg_join(cg, next);
	OZ_LAUNCH(d, cg_direct, cg->count, .sums = cg->sums, .residual = cg->residual,
	          .delta_v = cg->delta_v, .block = OZ_OPTIONAL(cg->block),
	          .direction = cg->direction, .norm = next, .before = norm,
	          .blocks = cg->block != NULL);
}

uint32_t oz_cg_solve(const oz_cg *cg, oz_cg_goal goal, float *left)
{
	uint32_t rounds = 0;
	// reading the residual of a device with a queue waits for it: rounds of few unknowns are
	// cheaper than that, and extra ones do no harm
	const uint32_t look = cg->device->queues && cg->count < MANY ? 8 : 1;
	while (*left > goal.enough && rounds < goal.rounds) {
		iterate(cg, rounds % 2);
		rounds++;
		if (rounds % look == 0)
			*left = oz_cg_read(cg, OZ_CG_NORM + rounds % 2).y;
	}
	return rounds;
}
