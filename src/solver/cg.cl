// cg.cl: conjugate gradients for (1 + s K) u = b, with K symmetric under the inner product that is
// weighted by mass.
//
// The caller provides - K p (`image`) for a search direction p (`direction`), the first residual
// and the preconditioner. Records of an unknown:
//
//   residual    r; w: its mass, 0: the value is prescribed
//   direction   p; w is not touched
//   delta_v     the sought change of u; w: the preconditioner, the inverse diagonal
//   block       if `blocks`: the preconditioner, in place of that, see cg_sums.h
#include "solver/cg_sums.h"

#define cg_energy_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_float4, residual)                                                                    \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, image) OUT(oz_float4, groups) VAL(uint, first) VAL(float, span)
OZ_ARGS(cg_energy)
OZ_REDUCE(cg_energy, oz_float4, cg_plus, groups, first)

// sum x: p·(1 + s K) p
OZ_FN oz_float4 cg_energy_at(const cg_energy_args *a, uint i)
{
	const oz_float4 p = a->direction[i];
	const float energy = cg_dot(p, p) - a->span * cg_dot(p, a->image[i]);
	return oz_make4(a->residual[i].w * energy, 0.0f, 0.0f, 0.0f);
}

#define cg_total_ARGS(IN, OUT, VAL)                                                                \
	IN(oz_float4, in) OUT(oz_float4, groups) VAL(uint, from) VAL(uint, first)
OZ_ARGS(cg_total)
OZ_REDUCE(cg_total, oz_float4, cg_plus, groups, first)

// sums the partial sums of groups; `in` and `groups` are the same buffer
OZ_FN oz_float4 cg_total_at(const cg_total_args *a, uint i)
{
	return a->in[a->from + i];
}

#define cg_advance_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, sums)                                                                        \
	IN(oz_float4, direction)                                                                   \
	IN(oz_float4, image)                                                                       \
	IN(cg_block, block)                                                                        \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, groups)                                                                     \
	VAL(uint, first)                                                                           \
	VAL(float, span) VAL(uint, norm) VAL(uint, energy) VAL(uint, blocks)
OZ_ARGS(cg_advance)
OZ_REDUCE(cg_advance, oz_float4, cg_plus, groups, first)

// moves delta_v along the search direction and updates the residual; sums x and y as in cg_sums.h
OZ_FN oz_float4 cg_advance_at(const cg_advance_args *a, uint i)
{
	const float energy = a->sums[a->energy].x;
	const float step = energy > 0.0f ? a->sums[a->norm].x / energy : 0.0f;
	const oz_float4 p = a->direction[i], q = a->image[i], c = a->delta_v[i];
	oz_float4 r = a->residual[i];
	if (!(r.w > 0.0f))
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	a->delta_v[i] = oz_make4(c.x + step * p.x, c.y + step * p.y, c.z + step * p.z, c.w);
	r = oz_make4(r.x - step * (p.x - a->span * q.x), r.y - step * (p.y - a->span * q.y),
	             r.z - step * (p.z - a->span * q.z), r.w);
	const float size = r.w * cg_dot(r, r);
	a->residual[i] = r;
	const float by_block = a->blocks ? r.w * cg_dot(r, cg_solve_block(&a->block[i], r)) : 0.0f;
	return oz_make4(a->blocks ? by_block : c.w * size, size, 0.0f, 0.0f);
}

#define cg_direct_ARGS(IN, OUT, VAL)                                                               \
	IN(oz_float4, sums)                                                                        \
	IN(oz_float4, residual)                                                                    \
	IN(oz_float4, delta_v)                                                                     \
	IN(cg_block, block)                                                                        \
	OUT(oz_float4, direction) VAL(uint, norm) VAL(uint, before) VAL(uint, blocks)
OZ_ARGS(cg_direct)

// the next search direction; `norm` and `before` are the places of the new and the old r·z
OZ_FN void cg_direct_at(const cg_direct_args *a, uint i)
{
	const float before = a->sums[a->before].x;
	const float keep = before > 0.0f ? a->sums[a->norm].x / before : 0.0f;
	const oz_float4 r = a->residual[i], p = a->direction[i];
	const float w = a->delta_v[i].w;
	const oz_float4 z = a->blocks ? cg_solve_block(&a->block[i], r)
	                              : oz_make4(w * r.x, w * r.y, w * r.z, 0.0f);
	if (r.w > 0.0f)
		a->direction[i] =
		        oz_make4(z.x + keep * p.x, z.y + keep * p.y, z.z + keep * p.z, p.w);
	else
		a->direction[i] = oz_make4(0.0f, 0.0f, 0.0f, p.w);
}

#define cg_KERNELS(X)                                                                              \
	X(cg_energy, REDUCE)                                                                       \
	X(cg_total, REDUCE)                                                                        \
	X(cg_advance, REDUCE)                                                                      \
	X(cg_direct, EACH)
OZ_KERNELS(cg_KERNELS)
