// phase.cl: melting and freezing of elastic bodies.
//
// A particle melts when its liquid share (heat.h) is 1 and freezes when it is 0. In the melting
// range between, it keeps its state, and its stiffness falls with the liquid share. A particle that
// melts leaves the rest shape and flows as a fluid. A particle that freezes gets a rest position:
// that of a solid neighbour plus their present difference, rotated back by the neighbour's
// rotation. set.cl makes it free of stress there. Particles without a solid neighbour that freeze
// in the same step start a new rest shape together, at their present positions.
#include "device/kernel.h"
#include "math/quat.h"
#include "math/sph.h"
#include "models/heat/heat.h"

#define OZ_PHASE_MELTS   1u
#define OZ_PHASE_FREEZES 2u
#define OZ_PHASE_JOINS   3u // freezes onto a solid
#define OZ_PHASE_SEED    4u // freezes with no solid around

typedef struct oz_phase_news {
	uint melting, freezing;
	uint seed; // the lowest slot of those that begin a rest shape
} oz_phase_news;

#define phase_mark_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, shapeless)                                                                        \
	IN(uint, material)                                                                         \
	IN(float, temperature) IN(oz_matter, matter) OUT(uint, mark) OUT(oz_phase_news, news)
OZ_ARGS(phase_mark)

// marks slots that melt or freeze by their temperature, and counts both
OZ_FN void phase_mark_at(const phase_mark_args *a, uint i)
{
	const uint p = a->particle_of_slot[i], molten = a->shapeless[i];
	const oz_matter m = a->matter[a->material[p]];
	const float liquid = heat_liquid_share(m.melting_point, m.melting_range, a->temperature[p]);
	uint mark = 0u;
	if ((m.firm & OZ_FIRM) && !molten && liquid >= 1.0f)
		mark = OZ_PHASE_MELTS;
	if ((m.firm & OZ_FIRM) && molten && liquid <= 0.0f)
		mark = OZ_PHASE_FREEZES;
	a->mark[i] = mark;
	if (mark == OZ_PHASE_MELTS)
		oz_atomic_add(&a->news->melting, 1u);
	if (mark == OZ_PHASE_FREEZES)
		oz_atomic_add(&a->news->freezing, 1u);
}

#define phase_change_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, list)                                                                             \
	IN(uint, start)                                                                            \
	IN(uint, count)                                                                            \
	IN(uint, slot)                                                                             \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_float4, position)                                                                    \
	IN(uint, particle_of_slot)                                                                 \
	OUT(oz_float4, velocity)                                                                   \
	IN(uint, mark)                                                                             \
	OUT(uint, outcome)                                                                         \
	OUT(uint, shapeless)                                                                       \
	OUT(uint, component)                                                                       \
	OUT(float, own_alpha)                                                                      \
	OUT(oz_float4, rest)                                                                       \
	OUT(oz_float4, rotation)                                                                   \
	OUT(oz_float4, hold)                                                                       \
	OUT(oz_phase_news, news)                                                                   \
	VAL(oz_fluid, fluid)                                                                       \
	VAL(uint, listed) VAL(uint, slots) VAL(uint, stride) VAL(uint, seeds)

OZ_ARGS(phase_change)

// the slot of neighbour c of particle p if it is of the same material and stays solid; else
// OZ_NO_SLOT
#define OZ_NO_SLOT 0xffffffffu
OZ_FN uint phase_solid_neighbour(const phase_change_args *a, uint p, uint c)
{
	const uint j = a->list[oz_list_at(a->start[p], p, c, a->stride)], k = a->slot[j];
	if (k >= a->slots || a->mark[k] != 0u || a->material[j] != a->material[p])
		return OZ_NO_SLOT;
	return a->shapeless[k] ? OZ_NO_SLOT : k;
}

OZ_FN float phase_distance2(oz_float4 x, oz_float4 y)
{
	const oz_vec3 d = oz_v3(x.x - y.x, x.y - y.y, x.z - y.z);
	return oz_dot(d, d);
}

// the slot of the nearest solid neighbour within the support radius of elastic bodies; OZ_NO_SLOT:
// none
OZ_FN uint phase_nearest(const phase_change_args *a, uint p, uint count)
{
	float best = a->fluid.h * a->fluid.h;
	uint nearest = OZ_NO_SLOT;
	for (uint c = 0; c < count; c++) {
		const uint k = phase_solid_neighbour(a, p, c);
		const float r2 = k == OZ_NO_SLOT
		                         ? best
		                         : phase_distance2(a->position[a->particle_of_slot[k]],
		                                           a->position[p]);
		if (r2 < best) {
			best = r2;
			nearest = k;
		}
	}
	return nearest;
}

// the rest position: the mean over all solid neighbours of one component, weighted by W
OZ_FN oz_vec3 phase_rest(const phase_change_args *a, uint p, uint count, uint component)
{
	const oz_float4 x = a->position[p];
	oz_vec3 sum = oz_v3(0.0f, 0.0f, 0.0f);
	float weights = 0.0f;
	for (uint c = 0; c < count; c++) {
		const uint k = phase_solid_neighbour(a, p, c);
		if (k == OZ_NO_SLOT || a->component[k] != component)
			continue;
		const oz_float4 y = a->position[a->particle_of_slot[k]], r = a->rest[k],
		                t = a->rotation[k];
		const float w =
		        oz_lane_first(oz_sph_w(a->fluid.smoothing, lane_of(phase_distance2(x, y)),
		                               a->fluid.h)) +
		        1e-20f;
		const oz_quat back = oz_quat_conjugate(oz_quat_of(t.x, t.y, t.z, t.w));
		const oz_vec3 way = oz_quat_rotate(back, oz_v3(x.x - y.x, x.y - y.y, x.z - y.z));
		sum = oz_mad(sum, oz_add(oz_v3(r.x, r.y, r.z), way), w);
		weights += w;
	}
	return oz_scale(sum, 1.0f / weights);
}

// Melts and freezes marked slots. A slot that freezes reads only slots that were solid before and
// stay solid; this kernel does not write those, so there is no race.
OZ_FN void phase_change_at(const phase_change_args *a, uint i)
{
	const uint p = a->particle_of_slot[i], mark = a->mark[i];
	const uint count = p < a->listed ? a->count[p] : 0u;
	a->outcome[i] = 0u;
	if (mark == OZ_PHASE_MELTS) {
		const oz_matter m = a->matter[a->material[p]];
		a->own_alpha[i] = 1.0f;
		a->shapeless[i] = 1u;
		a->velocity[p].w = m.flow.viscous;
		// handles do not hold molten particles
		a->hold[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	}
	if (mark != OZ_PHASE_FREEZES)
		return;
	const uint k = phase_nearest(a, p, count);
	const oz_float4 x = a->position[p];
	if (k == OZ_NO_SLOT && !a->seeds)
		return;
	a->own_alpha[i] = -1.0f;
	a->velocity[p].w = a->matter[a->material[p]].viscous;
	if (k == OZ_NO_SLOT) {
		a->rest[i] = oz_make4(x.x, x.y, x.z, a->rest[i].w);
		a->rotation[i] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
		a->outcome[i] = OZ_PHASE_SEED;
		oz_atomic_min(&a->news->seed, i);
		return;
	}
	const oz_vec3 r = phase_rest(a, p, count, a->component[k]);
	a->rest[i] = oz_make4(r.x, r.y, r.z, a->rest[i].w);
	a->rotation[i] = a->rotation[k];
	a->component[i] = a->component[k];
	a->outcome[i] = OZ_PHASE_JOINS;
}

#define phase_freeze_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_phase_news, news)                                                                    \
	IN(uint, outcome) OUT(uint, mark) OUT(uint, shapeless) OUT(uint, component)
OZ_ARGS(phase_freeze)

// after phase_change: slots that froze become solid, and all seeds get one component
OZ_FN void phase_freeze_at(const phase_freeze_args *a, uint i)
{
	const uint outcome = a->outcome[i];
	if (outcome == 0u)
		return;
	if (outcome == OZ_PHASE_SEED)
		a->component[i] = a->news->seed;
	a->shapeless[i] = 0u;
	a->mark[i] = 0u;
}

#define phase_group_ARGS(IN, OUT, VAL)                                                             \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) IN(uint, shapeless) OUT(uint, group) OUT(uint, molten)
OZ_ARGS(phase_group)

// gives each molten slot a group of its own, so that it has no rest neighbours; counts them
OZ_FN void phase_group_at(const phase_group_args *a, uint i)
{
	if (!a->shapeless[i] || !a->matter[a->material[a->particle_of_slot[i]]].firm)
		return;
	a->group[i] = ~i;
	oz_atomic_add(a->molten, 1u);
}

#define phase_KERNELS(X)                                                                           \
	X(phase_mark, EACH)                                                                        \
	X(phase_change, EACH)                                                                      \
	X(phase_freeze, EACH)                                                                      \
	X(phase_group, EACH)
OZ_KERNELS(phase_KERNELS)
