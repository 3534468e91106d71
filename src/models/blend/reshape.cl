// reshape.cl: what lumps have felt, and which of them take a new reference shape.
//
// Sums are of whole numbers, so that the order in which slots add to them makes no difference: a
// lump's values are counted in quanta of 2^-32 of a power of two above the largest of them. Then
// each is below 2^32, and 2^31 slots, more than a world holds, do not fill 64 bits.
#include "contact/component.h"
#include "device/batch.h"
#include "particles/matter.h"

#define LUMP_MOST 1e20f // beyond every speed and every threshold: absurd values become this

// never negative, and a number
OZ_FN float lump_sane(float x)
{
	return oz_min(oz_max(x, 0.0f), LUMP_MOST);
}

// Values of each slot: felt (m/s), for how long (s), f_u (m/s²), square of the speed (m²/s²). A
// body with fresh slots is being poured.
#define lump_open_ARGS(IN, OUT, VAL)                                                               \
	IN(float, felt)                                                                            \
	IN(float, felt_for)                                                                        \
	IN(float, own_alpha)                                                                       \
	IN(uint, fresh)                                                                            \
	IN(uint, where)                                                                            \
	IN(uint, material)                                                                         \
	IN(uint, body)                                                                             \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, velocity)                                                                    \
	OUT(oz_float4, value)                                                                      \
	OUT(oz_lump_most, most)                                                                    \
	OUT(oz_lump_contact, contact) OUT(oz_lump_limit, limit) OUT(oz_lump, lumps) OUT(uint, pours)
OZ_KERNEL(lump_open)
{
	const uint p = a->where[i];
	const oz_matter m = a->matter[a->material[p]];
	const oz_float4 v = a->velocity[p];
	const float speed2 = oz_fma(v.x, v.x, oz_fma(v.y, v.y, v.z * v.z));
	const float solid = 1.0f - matter_alpha(a->own_alpha[i], m.alpha);
	a->value[i] = oz_make4(lump_sane(a->felt[i]), lump_sane(a->felt_for[i]),
	                       lump_sane(m.update_force * solid), lump_sane(speed2));
	a->most[i].felt = a->most[i].felt_for = a->most[i].threshold = a->most[i].speed2 = 0u;
	a->contact[i].felt.low = a->contact[i].felt.high = 0u;
	a->contact[i].felt_for.low = a->contact[i].felt_for.high = 0u;
	a->limit[i].threshold.low = a->limit[i].threshold.high = 0u;
	a->limit[i].speed2.low = a->limit[i].speed2.high = 0u;
	a->lumps[i].count = a->lumps[i].flags = 0u;
	if (a->fresh[i] && !oz_atomic_load(&a->pours[a->body[p]]))
		oz_atomic_or(&a->pours[a->body[p]], 1u);
}

OZ_FN void lump_raise(OZ_GLOBAL oz_lump_most *most, oz_float4 v)
{
	oz_atomic_max(&most->felt, oz_bits_of_float(v.x));
	oz_atomic_max(&most->felt_for, oz_bits_of_float(v.y));
	oz_atomic_max(&most->threshold, oz_bits_of_float(v.z));
	oz_atomic_max(&most->speed2, oz_bits_of_float(v.w));
}

#define lump_largest_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, value)                                                                       \
	IN(uint, lump) OUT(oz_lump_most, most) VAL(uint, slots) VAL(uint, stride)
OZ_KERNEL(lump_largest)
{
	oz_float4 most = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	uint name = OZ_NO_LUMP;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->slots)
			break;
		if (a->lump[k] != name) {
			if (name != OZ_NO_LUMP)
				lump_raise(&a->most[name], most);
			most = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
			name = a->lump[k];
		}
		const oz_float4 v = a->value[k];
		most = oz_make4(oz_max(most.x, v.x), oz_max(most.y, v.y), oz_max(most.z, v.z),
		                oz_max(most.w, v.w));
	}
	if (name != OZ_NO_LUMP)
		lump_raise(&a->most[name], most);
}

// The exponent of a float, E, says that it is below 2^(E - 126). From 32 on, a quantum of
// 2^(E - 158) is a float too.
OZ_FN uint lump_exponent(uint most)
{
	return most >> 23 > 32u ? most >> 23 : 32u;
}

OZ_FN float lump_quanta(uint most) // in one
{
	return oz_float_of_bits((285u - lump_exponent(most)) << 23);
}

OZ_FN float lump_quantum(uint most)
{
	return oz_float_of_bits((lump_exponent(most) - 31u) << 23);
}

// what a batch adds to a lump
typedef struct lump_tally {
	oz_u64 felt, felt_for, threshold, speed2; // quanta
	uint count, flags;
} lump_tally;

OZ_FN lump_tally lump_nothing(void)
{
	lump_tally t;
	t.felt = t.felt_for = t.threshold = t.speed2 = 0u;
	t.count = t.flags = 0u;
	return t;
}

OZ_FN void lump_count(lump_tally *t, oz_float4 v, oz_lump_most most, uint flags)
{
	t->felt += (uint)(v.x * lump_quanta(most.felt));
	t->felt_for += (uint)(v.y * lump_quanta(most.felt_for));
	t->threshold += (uint)(v.z * lump_quanta(most.threshold));
	t->speed2 += (uint)(v.w * lump_quanta(most.speed2));
	t->count++;
	t->flags |= flags;
}

OZ_FN void lump_add(OZ_GLOBAL oz_lump_contact *contact, OZ_GLOBAL oz_lump_limit *limit,
                    OZ_GLOBAL oz_lump *lump, const lump_tally *t)
{
	oz_sum_add(&contact->felt, t->felt);
	oz_sum_add(&contact->felt_for, t->felt_for);
	oz_sum_add(&limit->threshold, t->threshold);
	oz_sum_add(&limit->speed2, t->speed2);
	oz_atomic_add(&lump->count, t->count);
	if (t->flags)
		oz_atomic_or(&lump->flags, t->flags);
}

#define lump_sum_ARGS(IN, OUT, VAL)                                                                \
	IN(oz_float4, value)                                                                       \
	IN(uint, lump)                                                                             \
	IN(oz_lump_most, most)                                                                     \
	IN(uint, where)                                                                            \
	IN(uint, material)                                                                         \
	IN(uint, body)                                                                             \
	IN(oz_matter, matter)                                                                      \
	IN(uint, pours)                                                                            \
	OUT(oz_lump_contact, contact)                                                              \
	OUT(oz_lump_limit, limit) OUT(oz_lump, lumps) VAL(uint, slots) VAL(uint, stride)
OZ_KERNEL(lump_sum)
{
	lump_tally t = lump_nothing();
	uint name = OZ_NO_LUMP;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->slots)
			break;
		if (a->lump[k] != name) {
			if (name != OZ_NO_LUMP)
				lump_add(&a->contact[name], &a->limit[name], &a->lumps[name], &t);
			t = lump_nothing();
			name = a->lump[k];
		}
		const uint p = a->where[k];
		const uint flags = (a->matter[a->material[p]].merges ? 0u : LUMP_LONE) |
		                   (a->pours[a->body[p]] ? LUMP_POURS : 0u);
		lump_count(&t, a->value[k], a->most[name], flags);
	}
	if (name != OZ_NO_LUMP)
		lump_add(&a->contact[name], &a->limit[name], &a->lumps[name], &t);
}

OZ_FN float lump_total(oz_sum sum, uint most)
{
	return (float)oz_sum_get(sum) * lump_quantum(most);
}

// A lump that is due changes if the mean contact, less gravity, is above the mean f_u and it is not
// at rest; what is being poured changes all the time: else what comes out now would not hang on
// what came out before.
#define lump_decide_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, where)                                                                            \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_lump_most, most)                                                                     \
	IN(oz_lump_contact, contact)                                                               \
	IN(oz_lump_limit, limit)                                                                   \
	OUT(oz_lump, lumps)                                                                        \
	OUT(oz_lump_news, news) VAL(oz_u64, step) VAL(float, gravity) VAL(float, still2)
OZ_KERNEL(lump_decide)
{
	const oz_lump lump = a->lumps[i];
	const oz_lump_most most = a->most[i];
	const float count = (float)lump.count;
	if (lump.count == 0u || a->step == 0u ||
	    a->step % a->matter[a->material[a->where[i]]].update_steps != 0u)
		return;
	const float felt = lump_total(a->contact[i].felt, most.felt);
	const float felt_for = lump_total(a->contact[i].felt_for, most.felt_for);
	const float threshold = lump_total(a->limit[i].threshold, most.threshold);
	const float speed2 = lump_total(a->limit[i].speed2, most.speed2);
	const bool crashed = felt_for > 0.0f &&
	                     felt * count > oz_fma(a->gravity, count, threshold) * felt_for &&
	                     speed2 > a->still2 * count;
	const bool changes = crashed || (lump.flags & LUMP_POURS) != 0u;
	a->lumps[i].flags = lump.flags | LUMP_DUE | (changes ? LUMP_CHANGES : 0u);
	if (changes)
		oz_atomic_add(&a->news->changed, lump.count);
}

// those that have asked begin to count anew; those that changed are not turned and not fresh
#define lump_forget_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, lump)                                                                             \
	IN(oz_lump, lumps)                                                                         \
	OUT(float, felt) OUT(float, felt_for) OUT(oz_float4, turn) OUT(uint, fresh)
OZ_KERNEL(lump_forget)
{
	const uint flags = a->lumps[a->lump[i]].flags;
	if (flags & LUMP_DUE)
		a->felt[i] = a->felt_for[i] = 0.0f;
	if (flags & LUMP_CHANGES) {
		a->turn[i] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
		a->fresh[i] = 0u;
	}
}
