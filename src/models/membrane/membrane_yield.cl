// membrane_yield.cl: skins that flow: above a stretch λ_y their rest lengths follow.
//
// F = (d₁ d₂) B, with the edges d of a face and the map B of its plane at rest (membrane.cl), has
// the principal stretches λ along unit vectors v of that plane. The skin flows by F_p = Σ
// max(λ/λ_y, 1) v vᵀ, so that none of them is above λ_y, and B becomes B F_p⁻¹, rotated in that
// plane such that it is triangular as before. Flow keeps the volume of the skin: `area`, the volume
// over the thickness at first, does not change, and forces fall as the skin gets thinner. So do the
// springs of edges, k ∝ 1/l₀².
#include "models/membrane/membrane_parts.h"

#define membrane_yield_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_membrane_chamber_now, chambers) IN(oz_float4, state) OUT(oz_membrane_face, faces)
OZ_ARGS(membrane_yield)

// lets face i flow; `state` has the columns of its F
OZ_FN void membrane_yield_at(const membrane_yield_args *a, uint i)
{
	const oz_membrane_face f = a->faces[i];
	const float most = a->chambers[f.chamber].bounds.yield;
	const oz_vec3 f1 = membrane_vec(a->state[3u * i]), f2 = membrane_vec(a->state[3u * i + 1u]);
	const float xx = oz_dot(f1, f1), yy = oz_dot(f2, f2), xy = oz_dot(f1, f2);
	const float mean = 0.5f * (xx + yy), spread = 0.5f * (xx - yy);
	const float radius = oz_sqrt(spread * spread + xy * xy);
	const float one2 = mean + radius, two2 = mean - radius, most2 = most * most;
	if (!(most > 0.0f) || !(f.area > 0.0f) || !(one2 > most2))
		return;
	// F_p⁻¹ has the eigenvalues `one` and `two`; its eigenvectors are those of FᵀF
	const float one = most / oz_sqrt(one2), two = two2 > most2 ? most / oz_sqrt(two2) : 1.0f;
	const float turn = radius > 0.0f ? 0.5f * (one - two) / radius : 0.0f;
	const float pxx = 0.5f * (one + two) + turn * spread, pxy = turn * xy;
	const float pyy = 0.5f * (one + two) - turn * spread;
	const float bxx = f.grad_xx * pxx + f.grad_xy * pxy,
	            bxy = f.grad_xx * pxy + f.grad_xy * pyy;
	const float byx = f.grad_yy * pxy, byy = f.grad_yy * pyy;
	const float r = oz_sqrt(byx * byx + byy * byy);
	a->faces[i].grad_xx = (bxx * byy - bxy * byx) / r;
	a->faces[i].grad_xy = (bxx * byx + bxy * byy) / r;
	a->faces[i].grad_yy = r;
}

#define membrane_yield_edge_ARGS(IN, OUT, VAL)                                                     \
	IN(oz_membrane_chamber_now, chambers) IN(oz_float4, place) OUT(oz_membrane_edge, edges)
OZ_ARGS(membrane_yield_edge)

// lets the spring of edge i flow
OZ_FN void membrane_yield_edge_at(const membrane_yield_edge_args *a, uint i)
{
	OZ_GLOBAL oz_membrane_edge *e = &a->edges[i];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[e->chamber];
	const float now =
	        oz_length(oz_sub(membrane_vec(a->place[e->b]), membrane_vec(a->place[e->a])));
	if (b->law != OZ_LAW_SPRINGS || !(b->bounds.yield > 0.0f) ||
	    !(now > b->bounds.yield * e->length))
		return;
	const float longer = now / (b->bounds.yield * e->length);
	e->length *= longer;
	e->spring /= longer * longer;
}

#define membrane_yield_KERNELS(X)                                                                  \
	X(membrane_yield, EACH)                                                                    \
	X(membrane_yield_edge, EACH)
OZ_KERNELS(membrane_yield_KERNELS)
