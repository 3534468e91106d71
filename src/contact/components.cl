// components.cl: which slots hang together, and what they are called.
//
// Sets that are joined form a forest: every slot has a parent that is not above it, and a root is
// the lowest of its set. To join two roots, the higher one is hung under the lower if it still is a
// root; otherwise the search goes on from its new parent. Numbers only fall on the way, so no item
// waits for another, and which slot ends up as root does not depend on the order of items.
#include "contact/component.h"

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
		const uint q = a->list[oz_list_at(a->start[p], p, c, a->stride)],
		           other = a->slot[q];
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

// Every slot under the lowest of its list: most of the joining, without atomics. What fills up
// lists is above all slots.
#define lump_lowest_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, list) IN(uint, start) IN(uint, members) OUT(uint, parent) VAL(uint, stride)
OZ_KERNEL(lump_lowest)
{
	uint lowest = i;
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
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
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
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
	if (root == i)
		oz_atomic_add(&a->news->names, 1u);
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
