// components.cl: union-find over slots: joins them to components (component_join.h) and names
// these.
#include "contact/component.h"
#include "contact/component_join.h"

// the root of a slot, after all sets were joined
OZ_FN uint component_root(OZ_GLOBAL const uint *parent, uint k)
{
	while (parent[k] != k)
		k = parent[k];
	return k;
}

#define component_init_parent_ARGS(IN, OUT, VAL) OUT(uint, parent)
OZ_ARGS(component_init_parent)

// makes each slot a set of its own
OZ_FN void component_init_parent_at(const component_init_parent_args *a, uint i)
{
	a->parent[i] = i;
}

// Two components that change may merge if all their materials merge, or if both are of one poured
// body.
OZ_FN bool component_may_join(uint one, uint other, bool poured_together)
{
	const bool change = (one & other & COMPONENT_CHANGES) != 0u;
	return change && (((one | other) & COMPONENT_LONE) == 0u || poured_together);
}

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

// joins components that change, may merge and have particles nearer to each other than √reach2
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

#define component_group_ARGS(IN, OUT, VAL)                                                         \
	IN(uint, parent)                                                                           \
	IN(uint, component)                                                                        \
	IN(oz_component, components)                                                               \
	IN(uint, particle_of_slot)                                                                 \
	IN(oz_float4, position) IN(oz_float4, rest) OUT(uint, group) OUT(oz_float4, new_rest)
OZ_ARGS(component_group)

// Writes the group of each slot: joined components have the same group, so that their slots become
// rest neighbours. Slots of components that change get their present position as new rest position.
OZ_FN void component_group_at(const component_group_args *a, uint i)
{
	const uint own = a->component[i];
	const bool changes = (a->components[own].flags & COMPONENT_CHANGES) != 0u;
	a->group[i] = component_root(a->parent, own);
	a->new_rest[i] = changes ? a->position[a->particle_of_slot[i]] : a->rest[i];
}

// ---- naming ------------------------------------------------------------------------------------

#define component_lowest_ARGS(IN, OUT, VAL)                                                        \
	IN(uint, list) IN(uint, start) IN(uint, members) OUT(uint, parent) VAL(uint, stride)
OZ_ARGS(component_lowest)

// Makes the lowest slot of its list the parent of each slot: most of the joining, without atomics.
// The padding of lists has a higher number than all slots.
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

// joins each slot with all slots of its list
OZ_FN void component_link_at(const component_link_args *a, uint i)
{
	uint own = component_root_shared(a->parent, i);
	for (uint c = 0; c < a->members[i]; c++) {
		const uint j = a->list[oz_list_at(a->start[i], i, c, a->stride)];
		if (j < i && oz_atomic_load(&a->parent[j]) != own)
			own = component_join(a->parent, own, j);
	}
}

#define component_name_ARGS(IN, OUT, VAL)                                                          \
	IN(uint, parent)                                                                           \
	IN(uint, shapeless) OUT(uint, component) OUT(uint, first) OUT(oz_component_news, news)
OZ_ARGS(component_name)

// Writes the name of each slot's component and counts the components; `first` is 1 for a slot that
// names one.
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

#define component_tag_ARGS(IN, OUT, VAL)                                                           \
	IN(uint, component) IN(uint, before) OUT(uint, tag) VAL(uint, tags)
OZ_ARGS(component_tag)

// Writes the tag of each slot, for contact keys: the number of its component modulo `tags`.
// `before`: components with a lower name.
OZ_FN void component_tag_at(const component_tag_args *a, uint i)
{
	a->tag[i] = a->before[a->component[i]] % a->tags;
}

// ---- split and merged components ---------------------------------------------------------------

// Inserts a name into the sorted list of the lowest names: each entry keeps the lower of two names
// and passes the higher one on to the next entry.
OZ_FN void component_keep_lowest(OZ_GLOBAL uint *names, uint name)
{
	if (name >= oz_atomic_load(&names[OZ_COMPONENTS_REPORTED - 1u]))
		return;
	for (uint k = 0; k < OZ_COMPONENTS_REPORTED; k++) {
		const uint was = oz_atomic_min(&names[k], name);
		name = was > name ? was : name;
	}
}

// sets a flag of a component; the item that sets it first inserts the name
OZ_FN void component_report_once(OZ_GLOBAL oz_component *components, OZ_GLOBAL uint *names,
                                 uint name, uint flag)
{
	if ((oz_atomic_load(&components[name].flags) & flag) == 0u &&
	    (oz_atomic_or(&components[name].flags, flag) & flag) == 0u)
		component_keep_lowest(names, name);
}

#define component_compare_ARGS(IN, OUT, VAL)                                                       \
	IN(uint, before)                                                                           \
	IN(uint, component) OUT(oz_component, components) OUT(oz_component_news, news)
OZ_ARGS(component_compare)

// An old component has split if one of its slots has another name now than its lowest slot. A new
// component has merged if one of its slots had another name before than its lowest slot.
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

// writes the body of each reported component
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
