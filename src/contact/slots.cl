// slots.cl: particles of slots, the order of slots, the phase of particles.
#include "device/kernel.h"
#include "particles/matter.h"

#define slot_update_particle_ARGS(IN, OUT, VAL)                                                    \
	IN(uint, slot) OUT(uint, particle_of_slot) VAL(uint, slots)
OZ_ARGS(slot_update_particle)

// writes the particle of each slot, after particles were sorted
OZ_FN void slot_update_particle_at(const slot_update_particle_args *a, uint i)
{
	const uint k = a->slot[i];
	if (k < a->slots)
		a->particle_of_slot[k] = i;
}

// the lowest ten bits of a cell coordinate, with two zero bits between each
OZ_FN uint slot_spread(float x)
{
	uint v = (uint)(int)oz_floor(oz_min(oz_max(x, -1e6f), 1e6f) + 0.5f) & 1023u;
	v = (v | v << 16) & 0x030000ffu;
	v = (v | v << 8) & 0x0300f00fu;
	v = (v | v << 4) & 0x030c30c3u;
	return (v | v << 2) & 0x09249249u;
}

#define slot_morton_key_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, rest) IN(uint, component) OUT(uint, key) OUT(uint, order) VAL(float, spacing)
OZ_ARGS(slot_morton_key)

// Writes the Morton key of each slot, for cells of one spacing: eight slots in sequence are
// neighbours. Positions are relative to the first slot of the component, so that the points of a
// lattice lie in the middle of cells.
OZ_FN void slot_morton_key_at(const slot_morton_key_args *a, uint i)
{
	const oz_float4 r = a->rest[i], o = a->rest[a->component[i]];
	const float s = 1.0f / a->spacing;
	a->key[i] = slot_spread((r.x - o.x) * s) | slot_spread((r.y - o.y) * s) << 1 |
	            slot_spread((r.z - o.z) * s) << 2;
	a->order[i] = i;
}

#define slot_phase_ARGS(IN, OUT, VAL)                                                              \
	IN(uint, slot)                                                                             \
	IN(uint, shapeless)                                                                        \
	IN(float, own_alpha)                                                                       \
	IN(uint, material) IN(oz_matter, matter) OUT(uint, phase) VAL(uint, slots)
OZ_ARGS(slot_phase)

// writes for each particle 1: it has a rest shape, 0: it flows
OZ_FN void slot_phase_at(const slot_phase_args *a, uint i)
{
	const uint k = a->slots ? a->slot[i] : 0u;
	const oz_matter m = a->matter[a->material[i]];
	const bool shaped =
	        k < a->slots &&
	        (m.firm ? !a->shapeless[k] : matter_alpha(a->own_alpha[k], m.alpha) < 0.999f);
	a->phase[i] = shaped ? 1u : 0u;
}

#define slot_viscous_ARGS(IN, OUT, VAL)                                                            \
	IN(uint, slot)                                                                             \
	IN(uint, shapeless)                                                                        \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) OUT(oz_float4, velocity) VAL(uint, slots) VAL(uint, changed)
OZ_ARGS(slot_viscous)

// writes the viscous weight of the particles of a material whose parameters have changed
OZ_FN void slot_viscous_at(const slot_viscous_args *a, uint i)
{
	if (a->material[i] != a->changed)
		return;
	const uint k = a->slots ? a->slot[i] : 0u;
	const oz_matter m = a->matter[a->changed];
	const bool molten = k < a->slots && (m.firm & OZ_FIRM) && a->shapeless[k];
	a->velocity[i].w = molten ? m.flow.viscous : m.viscous;
}

#define slots_KERNELS(X)                                                                           \
	X(slot_update_particle, EACH)                                                              \
	X(slot_morton_key, EACH)                                                                   \
	X(slot_phase, EACH)                                                                        \
	X(slot_viscous, EACH)
OZ_KERNELS(slots_KERNELS)
