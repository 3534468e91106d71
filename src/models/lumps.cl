// lumps.cl: the kernels of lumps.c: sums over lumps, and which slots hang together.
//
// What is known of a lump stands at the place of its lowest slot, which is its name. Sums are of
// whole numbers, so that the order in which slots add to them makes no difference: a lump's values
// are counted in quanta of 2^-32 of a power of two above the largest of them. Then each is below
// 2^32, and 2^31 slots, more than a world holds, do not fill 64 bits.
//
// Sets that are joined form a forest: every slot has a parent that is not above it, and a root is
// the lowest of its set. Who joins two roots hangs the higher one under the lower, if it still is
// a root, or else goes on from where it hangs now. Numbers only ever fall on the way, so nobody
// waits for anybody; and which slot ends up as root does not depend on who came first.
#include "device/batch.h"
#include "models/matter.h"

#define OZ_NO_LUMP    0xffffffffu
#define OZ_LUMPS_TOLD 4u // of one kind in a step

// what a lump is found to be
#define LUMP_LONE    1u  // joins nobody
#define LUMP_POURS   2u  // has a body that is being poured
#define LUMP_DUE     4u  // asks now
#define LUMP_CHANGES 8u  // takes a new reference shape
#define LUMP_SPLIT   16u // is no longer whole
#define LUMP_MERGED  32u // is made of several

typedef struct oz_lump {
	uint count, flags;
} oz_lump;

// bits of the largest values; floats that are not negative are ordered as their bits
typedef struct oz_lump_most {
	uint felt, felt_for, threshold, speed2;
} oz_lump_most;

typedef struct oz_lump_contact {
	oz_sum felt, felt_for;
} oz_lump_contact;

typedef struct oz_lump_limit {
	oz_sum threshold, speed2;
} oz_lump_limit;

// what the host reads
typedef struct oz_lump_news {
	uint changed;                 // slots that take a new reference shape
	uint lumps;                   // but for what was just poured
	uint name[2 * OZ_LUMPS_TOLD]; // the lowest that split, then the lowest that merged
	uint body[2 * OZ_LUMPS_TOLD]; // of these
} oz_lump_news;

// ---- asking ------------------------------------------------------------------------------------

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

// ---- joining -----------------------------------------------------------------------------------

// the root of a slot, while others join; shortens the way there for all who come after
OZ_FN uint lump_climb(OZ_GLOBAL uint *parent, uint k)
{
	for (uint up = oz_atomic_load(&parent[k]); up != k;) {
		const uint next = oz_atomic_load(&parent[up]);
		if (next != up)
			oz_atomic_min(&parent[k], next);
		k = up;
		up = next;
	}
	return k;
}

// joins the sets of a and b; gives a root that both had
OZ_FN uint lump_join(OZ_GLOBAL uint *parent, uint a, uint b)
{
	uint low = lump_climb(parent, a), high = lump_climb(parent, b);
	while (low != high) {
		if (low > high) {
			const uint swap = low;
			low = high;
			high = swap;
		}
		const uint was = oz_atomic_swap(&parent[high], high, low);
		if (was == high)
			return low;
		high = lump_climb(parent, was);
		low = lump_climb(parent, low);
	}
	return low;
}

// the root of a slot, when all is joined
OZ_FN uint lump_root(OZ_GLOBAL const uint *parent, uint k)
{
	while (parent[k] != k)
		k = parent[k];
	return k;
}

#define lump_alone_ARGS(IN, OUT, VAL) OUT(uint, parent)
OZ_KERNEL(lump_alone)
{
	a->parent[i] = i;
}

// Two lumps that change may grow together if all their materials allow it, or if they were poured
// as one body.
OZ_FN bool lump_may_join(uint one, uint other, bool poured_together)
{
	const bool change = (one & other & LUMP_CHANGES) != 0u;
	return change && (((one | other) & LUMP_LONE) == 0u || poured_together);
}

// joins lumps that touch, which the fluid's neighbours tell
#define lump_touch_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, count)                                                                            \
	IN(uint, slot)                                                                             \
	IN(uint, body)                                                                             \
	IN(oz_float4, position)                                                                    \
	IN(uint, where)                                                                            \
	IN(uint, lump)                                                                             \
	IN(oz_lump, lumps)                                                                         \
	IN(uint, pours)                                                                            \
	OUT(uint, parent)                                                                          \
	VAL(float, reach2) VAL(uint, listed) VAL(uint, slots) VAL(uint, stride)
OZ_KERNEL(lump_touch)
{
	const uint p = a->where[i], own = a->lump[i], flags = a->lumps[own].flags;
	const oz_float4 x = a->position[p];
	const uint count = p < a->listed && (flags & LUMP_CHANGES) ? a->count[p] : 0u;
	for (uint c = 0; c < count; c++) {
		const uint q = a->list[a->start[p] + c * a->stride], other = a->slot[q];
		if (other >= a->slots || a->lump[other] == own)
			continue;
		const oz_float4 y = a->position[q];
		const float dx = x.x - y.x, dy = x.y - y.y, dz = x.z - y.z;
		const bool together = a->body[p] == a->body[q] && a->pours[a->body[p]];
		if (dx * dx + dy * dy + dz * dz < a->reach2 &&
		    lump_may_join(flags, a->lumps[a->lump[other]].flags, together))
			lump_join(a->parent, own, a->lump[other]);
	}
}

// Lumps that change and touch share a group, and so grow together; all others stay by themselves.
#define lump_group_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, parent)                                                                           \
	IN(uint, lump)                                                                             \
	IN(oz_lump, lumps)                                                                         \
	IN(uint, where)                                                                            \
	IN(oz_float4, position) IN(oz_float4, rest) OUT(uint, group) OUT(oz_float4, fresh_rest)
OZ_KERNEL(lump_group)
{
	const uint own = a->lump[i];
	const bool changes = (a->lumps[own].flags & LUMP_CHANGES) != 0u;
	a->group[i] = lump_root(a->parent, own);
	a->fresh_rest[i] = changes ? a->position[a->where[i]] : a->rest[i];
}

// ---- naming ------------------------------------------------------------------------------------

// Everyone under the lowest of his cluster: most of the joining, without a quarrel. What fills up
// lists is above all slots.
#define lump_lowest_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, list) IN(uint, start) IN(uint, members) OUT(uint, parent) VAL(uint, stride)
OZ_KERNEL(lump_lowest)
{
	uint lowest = i;
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[a->start[i] + c * a->stride];
		lowest = j < lowest ? j : lowest;
	}
	a->parent[i] = lowest;
}

#define lump_link_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, list) IN(uint, start) IN(uint, members) OUT(uint, parent) VAL(uint, stride)
OZ_KERNEL(lump_link)
{
	uint own = lump_climb(a->parent, i);
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[a->start[i] + c * a->stride];
		if (j < i && oz_atomic_load(&a->parent[j]) != own)
			own = lump_join(a->parent, own, j);
	}
}

// `first` is 1 for slots that name a lump
#define lump_name_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, parent) IN(uint, fresh) OUT(uint, lump) OUT(uint, first) OUT(oz_lump_news, news)
OZ_KERNEL(lump_name)
{
	const uint root = lump_root(a->parent, i);
	a->lump[i] = root;
	a->first[i] = root == i ? 1u : 0u;
	if (root == i && !a->fresh[i])
		oz_atomic_add(&a->news->lumps, 1u);
}

// Numbers lumps one after the other, for the ties; `before` counts those before a lump.
#define lump_tag_ARGS(IN, OUT, VAL) IN(uint, lump) IN(uint, before) OUT(uint, tag) VAL(uint, tags)
OZ_KERNEL(lump_tag)
{
	a->tag[i] = a->before[a->lump[i]] % a->tags;
}

// ---- telling -----------------------------------------------------------------------------------

// Keeps the lowest names in order: a place takes the lower of two and passes the other on, so every
// place sees all but those that the places before it keep.
OZ_FN void lump_keep(OZ_GLOBAL uint *names, uint name)
{
	if (name >= oz_atomic_load(&names[OZ_LUMPS_TOLD - 1u]))
		return;
	for (uint k = 0; k < OZ_LUMPS_TOLD; k++) {
		const uint was = oz_atomic_min(&names[k], name);
		name = was > name ? was : name;
	}
}

// tells of a lump once
OZ_FN void lump_mark(OZ_GLOBAL oz_lump *lumps, OZ_GLOBAL uint *names, uint name, uint flag)
{
	if ((oz_atomic_load(&lumps[name].flags) & flag) == 0u &&
	    (oz_atomic_or(&lumps[name].flags, flag) & flag) == 0u)
		lump_keep(names, name);
}

// A lump has split if one of its slots has another name now than its lowest; one has merged if one
// of its slots had another name before.
#define lump_tell_ARGS(IN, OUT, VAL)                                                               \
	IN(uint, before) IN(uint, lump) OUT(oz_lump, lumps) OUT(oz_lump_news, news)
OZ_KERNEL(lump_tell)
{
	const uint before = a->before[i], now = a->lump[i];
	if (now != a->lump[before])
		lump_mark(a->lumps, a->news->name, before, LUMP_SPLIT);
	if (before != a->before[now])
		lump_mark(a->lumps, a->news->name + OZ_LUMPS_TOLD, now, LUMP_MERGED);
}

#define lump_whose_ARGS(IN, OUT, VAL) IN(uint, where) IN(uint, body) OUT(oz_lump_news, news)
OZ_KERNEL(lump_whose)
{
	const uint name = a->news->name[i];
	if (name != OZ_NO_LUMP)
		a->news->body[i] = a->body[a->where[name]];
}
