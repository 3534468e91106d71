// components.cl: which slots hang together, and what they are called.
//
// Sets that are joined form a forest: every slot has a parent that is not above it, and a root is
// the lowest of its set. To join two roots, the higher one is hung under the lower if it still is a
// root; otherwise the search goes on from its new parent. Numbers only fall on the way, so no item
// waits for another, and which slot ends up as root does not depend on the order of items.
#include "contact/component.h"

// the root of a slot, while others join; shortens the way there for all who come after
OZ_FN uint component_root_shared(OZ_GLOBAL uint *parent, uint k)
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
OZ_FN uint component_join(OZ_GLOBAL uint *parent, uint a, uint b)
{
	uint low = component_root_shared(parent, a), high = component_root_shared(parent, b);
	while (low != high) {
		if (low > high) {
			const uint swap = low;
			low = high;
			high = swap;
		}
		const uint was = oz_atomic_swap(&parent[high], high, low);
		if (was == high)
			return low;
		high = component_root_shared(parent, was);
		low = component_root_shared(parent, low);
	}
	return low;
}

// the root of a slot, when all is joined
OZ_FN uint component_root(OZ_GLOBAL const uint *parent, uint k)
{
	while (parent[k] != k)
		k = parent[k];
	return k;
}

#define component_init_parent_ARGS(IN, OUT, VAL) OUT(uint, parent)
OZ_ARGS(component_init_parent)

OZ_FN void component_init_parent_at(const component_init_parent_args *a, uint i)
{
	a->parent[i] = i;
}

// Two components that change may grow together if all their materials allow it, or if they were
// poured as one body.
OZ_FN bool component_may_join(uint one, uint other, bool poured_together)
{
	const bool change = (one & other & COMPONENT_CHANGES) != 0u;
	return change && (((one | other) & COMPONENT_LONE) == 0u || poured_together);
}

// joins components that touch, which the fluid's neighbours tell
#define component_join_touching_ARGS(IN, OUT, VAL)                                                 \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, count)                                                                            \
	IN(uint, slot)                                                                             \
	IN(uint, body)                                                                             \
	IN(oz_float4, position)                                                                    \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, component)                                                                        \
	IN(oz_component, components)                                                               \
	IN(uint, pours)                                                                            \
	OUT(uint, parent)                                                                          \
	VAL(float, reach2) VAL(uint, listed) VAL(uint, slots) VAL(uint, stride)
OZ_ARGS(component_join_touching)

OZ_FN void component_join_touching_at(const component_join_touching_args *a, uint i)
{
	const uint p = a->particle_of_slot[i], own = a->component[i],
	           flags = a->components[own].flags;
	const oz_float4 x = a->position[p];
	const uint count = p < a->listed && (flags & COMPONENT_CHANGES) ? a->count[p] : 0u;
	for (uint c = 0; c < count; c++) {
		const uint q = a->list[oz_list_at(a->start[p], p, c, a->stride)],
		           other = a->slot[q];
		if (other >= a->slots || a->component[other] == own)
			continue;
		const oz_float4 y = a->position[q];
		const float dx = x.x - y.x, dy = x.y - y.y, dz = x.z - y.z;
		const bool together = a->body[p] == a->body[q] && a->pours[a->body[p]];
		if (dx * dx + dy * dy + dz * dz < a->reach2 &&
		    component_may_join(flags, a->components[a->component[other]].flags, together))
			component_join(a->parent, own, a->component[other]);
	}
}

// Components that change and touch share a group, and so grow together; all others stay by
// themselves.
#define component_group_ARGS(IN, OUT, VAL)                                                         \
	IN(uint, parent)                                                                           \
	IN(uint, component)                                                                        \
	IN(oz_component, components)                                                               \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position) IN(oz_float4, rest) OUT(uint, group) OUT(oz_float4, new_rest)
OZ_ARGS(component_group)

OZ_FN void component_group_at(const component_group_args *a, uint i)
{
	const uint own = a->component[i];
	const bool changes = (a->components[own].flags & COMPONENT_CHANGES) != 0u;
	a->group[i] = component_root(a->parent, own);
	a->new_rest[i] = changes ? a->position[a->particle_of_slot[i]] : a->rest[i];
}

// ---- naming ------------------------------------------------------------------------------------

// Every slot under the lowest of its list: most of the joining, without atomics. What fills up
// lists is above all slots.
#define component_lowest_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, list) IN(uint, start) IN(uint, members) OUT(uint, parent) VAL(uint, stride)
OZ_ARGS(component_lowest)

OZ_FN void component_lowest_at(const component_lowest_args *a, uint i)
{
	uint lowest = i;
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		lowest = j < lowest ? j : lowest;
	}
	a->parent[i] = lowest;
}

#define component_link_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, list) IN(uint, start) IN(uint, members) OUT(uint, parent) VAL(uint, stride)
OZ_ARGS(component_link)

OZ_FN void component_link_at(const component_link_args *a, uint i)
{
	uint own = component_root_shared(a->parent, i);
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (j < i && oz_atomic_load(&a->parent[j]) != own)
			own = component_join(a->parent, own, j);
	}
}

// `first` is 1 for slots that name a component
#define component_name_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, parent)                                                                           \
	IN(uint, shapeless) OUT(uint, component) OUT(uint, first) OUT(oz_component_news, news)
OZ_ARGS(component_name)

OZ_FN void component_name_at(const component_name_args *a, uint i)
{
	const uint root = component_root(a->parent, i);
	a->component[i] = root;
	a->first[i] = root == i ? 1u : 0u;
	if (root == i)
		oz_atomic_add(&a->news->names, 1u);
	if (root == i && !a->shapeless[i])
		oz_atomic_add(&a->news->components, 1u);
}

// Numbers components one after the other, for the ties; `before` counts those before a component.
#define component_tag_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, component) IN(uint, before) OUT(uint, tag) VAL(uint, tags)
OZ_ARGS(component_tag)

OZ_FN void component_tag_at(const component_tag_args *a, uint i)
{
	a->tag[i] = a->before[a->component[i]] % a->tags;
}

// ---- telling -----------------------------------------------------------------------------------

// Keeps the lowest names in order: a place takes the lower of two and passes the other on, so every
// place sees all but those that the places before it keep.
OZ_FN void component_keep_lowest(OZ_GLOBAL uint *names, uint name)
{
	if (name >= oz_atomic_load(&names[OZ_COMPONENTS_REPORTED - 1u]))
		return;
	for (uint k = 0; k < OZ_COMPONENTS_REPORTED; k++) {
		const uint was = oz_atomic_min(&names[k], name);
		name = was > name ? was : name;
	}
}

// tells of a component once
OZ_FN void component_report_once(OZ_GLOBAL oz_component *components, OZ_GLOBAL uint *names,
                                 uint name, uint flag)
{
	if ((oz_atomic_load(&components[name].flags) & flag) == 0u &&
	    (oz_atomic_or(&components[name].flags, flag) & flag) == 0u)
		component_keep_lowest(names, name);
}

// A component has split if one of its slots has another name now than its lowest; one has merged if
// one of its slots had another name before.
#define component_compare_ARGS(IN, OUT, VAL)                                                       \
	IN(uint, before)                                                                           \
	IN(uint, component) OUT(oz_component, components) OUT(oz_component_news, news)
OZ_ARGS(component_compare)

OZ_FN void component_compare_at(const component_compare_args *a, uint i)
{
	const uint before = a->before[i], now = a->component[i];
	if (now != a->component[before])
		component_report_once(a->components, a->news->name, before, COMPONENT_SPLIT);
	if (before != a->before[now])
		component_report_once(a->components, a->news->name + OZ_COMPONENTS_REPORTED, now,
		                      COMPONENT_MERGED);
}

#define component_find_body_ARGS(IN, OUT, VAL)                                                     \
	IN(uint, particle_of_slot) IN(uint, body) OUT(oz_component_news, news)
OZ_ARGS(component_find_body)

OZ_FN void component_find_body_at(const component_find_body_args *a, uint i)
{
	const uint name = a->news->name[i];
	if (name != OZ_NO_COMPONENT)
		a->news->body[i] = a->body[a->particle_of_slot[name]];
}

#define components_KERNELS(X)                                                                      \
	X(component_init_parent, EACH)                                                             \
	X(component_join_touching, EACH)                                                           \
	X(component_group, EACH)                                                                   \
	X(component_lowest, EACH)                                                                  \
	X(component_link, EACH)                                                                    \
	X(component_name, EACH)                                                                    \
	X(component_tag, EACH)                                                                     \
	X(component_compare, EACH)                                                                 \
	X(component_find_body, EACH)
OZ_KERNELS(components_KERNELS)
