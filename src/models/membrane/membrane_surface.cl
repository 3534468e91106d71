// membrane_surface.cl: the fluid of the points of a skin (Mesit & Guha, eq 2.2 to 2.6).
//
// With n = Σ W, its value n₀ in the shape that the body was given, and V = 1/n, sums over the
// points of the same chamber within the core radius,
//
//   ρ = m n,   P = k (ρ - ρ₀) = m p,   p = k (n - n₀)                          2.2, 2.3
//   a = - Σ (V_i² p_i + V_j² p_j) ∇W + V_i Σ V_j b (v_j - v_i) ∇²W_viscosity   2.4 to 2.6
//
// W is the spiky kernel. The first sum is the gradient of an energy: without viscosity energy is
// kept. With `paper` W of 2.2 is poly6, and 2.4 is as printed, but for the mean of pressures in
// place of P_i - P_j:
//
//   a = - V_i Σ V_j (p_i + p_j)/2 ∇W_spiky
//
// which has no energy: points that oscillate gain speed. All points of a chamber have the same
// mass, and a force is the paper's force density times the volume V, so that forces between two
// points are opposite and momentum is kept. k and b follow from the stiffness and the viscosity of
// the layer (membrane_surface.c).
//
// Records of points have the number of their chamber, from 1 on, as w; it is negative with `paper`,
// and 0 for all that is no point of such a fluid.
#include "math/sph.h"
#include "models/membrane/membrane_parts.h"

#define membrane_rest_spot_ARGS(IN, OUT, VAL)                                                      \
	IN(uint, slot_of)                                                                          \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers) IN(oz_float4, rest) OUT(oz_float4, spot)
OZ_ARGS(membrane_rest_spot)

// the w of the points of a chamber
OZ_FN float membrane_surface_mark(OZ_GLOBAL const oz_membrane_chamber_now *chambers, uint chamber)
{
	OZ_GLOBAL const oz_membrane_chamber_now *b = &chambers[chamber];
	const float number = (float)(chamber + 1u);
	const bool acts = b->surface.push > 0.0f || b->surface.drag > 0.0f;
	return !acts ? 0.0f : b->surface.printed ? -number : number;
}

// copies the rest position of vertex i to its slot
OZ_FN void membrane_rest_spot_at(const membrane_rest_spot_args *a, uint i)
{
	const uint k = a->slot_of[i];
	const oz_float4 r = a->rest[k];
	a->spot[k] = oz_make4(r.x, r.y, r.z, membrane_surface_mark(a->chambers, a->chamber_of[i]));
}

// W of a point that has the w `mark`
OZ_FN lane membrane_surface_w(float mark, lane r2, float core)
{
	return mark < 0.0f ? oz_poly6(r2, core) : oz_spiky(r2, core);
}

// W of neighbours with the same w as `own`
OZ_FN lane membrane_crowd(oz_float4 own, lane4 spot, float core)
{
	const lane x = own.x - spot.x, y = own.y - spot.y, z = own.z - spot.z;
	return lane_select(spot.w == own.w, membrane_surface_w(own.w, x * x + y * y + z * z, core),
	                   lane_of(0.0f));
}

// the sum of a point and its neighbours, 1/m³
OZ_FN float membrane_crowd_of(oz_float4 own, lane sum, float core)
{
	return lane_sum(sum) + oz_lane_first(membrane_surface_w(own.w, lane_of(0.0f), core));
}

typedef struct membrane_crowd_sum {
	oz_float4 own;
	lane n;
} membrane_crowd_sum;

#define membrane_rest_crowd_ARGS(IN, OUT, VAL)                                                     \
	IN(oz_float4, spot) OUT(float, rest_crowd) VAL(float, core)
#define membrane_rest_crowd_NEAR(PLACE, ALSO, CASE) ALSO(spot)
typedef membrane_crowd_sum membrane_rest_crowd_sum;
OZ_PAIR_ARGS(membrane_rest_crowd)

// writes n₀ of slot i
OZ_FN void membrane_rest_crowd_begin(const membrane_rest_crowd_args *a, uint i,
                                     membrane_rest_crowd_sum *s)
{
	s->own = a->spot[i];
	s->n = lane_of(0.0f);
}

OZ_FN void membrane_rest_crowd_pair(const membrane_rest_crowd_args *a, membrane_rest_crowd_sum *s,
                                    const membrane_rest_crowd_near *j)
{
	// the entries that pad lists have w = 0, too
	if (s->own.w != 0.0f)
		s->n += membrane_crowd(s->own, j->spot, a->core);
}

OZ_FN void membrane_rest_crowd_end(const membrane_rest_crowd_args *a, uint i,
                                   membrane_rest_crowd_sum *s)
{
	a->rest_crowd[i] = membrane_crowd_of(s->own, s->n, a->core);
}

#define membrane_rest_keep_ARGS(IN, OUT, VAL)                                                      \
	IN(uint, slot_of) IN(float, crowd) OUT(float, rest_crowd)
OZ_ARGS(membrane_rest_keep)

// copies n₀ of the slot of vertex i
OZ_FN void membrane_rest_keep_at(const membrane_rest_keep_args *a, uint i)
{
	a->rest_crowd[i] = a->crowd[a->slot_of[i]];
}

// ---- in a step ---------------------------------------------------------------------------------

#define membrane_surface_clear_ARGS(IN, OUT, VAL)                                                  \
	IN(oz_float4, position)                                                                    \
	OUT(oz_float4, spot) OUT(oz_float4, flow) OUT(oz_float4, load) OUT(uint, reached)
OZ_ARGS(membrane_surface_clear)

// Writes the records of particle i as if it were no point of such a fluid. `spot` has the positions
// of all particles, since membrane_surface_density marks neighbours by it.
OZ_FN void membrane_surface_clear_at(const membrane_surface_clear_args *a, uint i)
{
	const oz_float4 x = a->position[i], zero = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	a->spot[i] = oz_make4(x.x, x.y, x.z, 0.0f);
	a->flow[i] = zero;
	a->load[i] = zero;
	a->reached[i] = 0u;
}

#define membrane_surface_gather_ARGS(IN, OUT, VAL)                                                 \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers)                                                      \
	IN(oz_float4, direction)                                                                   \
	IN(float, rest_crowd)                                                                      \
	IN(uint, listed)                                                                           \
	OUT(oz_float4, spot)                                                                       \
	OUT(oz_float4, flow)                                                                       \
	OUT(oz_float4, load) OUT(uint, reached)
OZ_ARGS(membrane_surface_gather)

// Writes the records of the particle of vertex i: `flow`, velocity; `load`, k, b and n₀. `reached`:
// the length of its list if its chamber has such a fluid.
OZ_FN void membrane_surface_gather_at(const membrane_surface_gather_args *a, uint i)
{
	const uint p = a->particle_of_slot[a->slot_of[i]], c = a->chamber_of[i];
	OZ_GLOBAL const oz_membrane_chamber_now *b = &a->chambers[c];
	const oz_float4 v = a->direction[i];
	const float mark = membrane_surface_mark(a->chambers, c);
	a->spot[p].w = mark;
	a->flow[p] = oz_make4(v.x, v.y, v.z, 0.0f);
	a->load[p] = oz_make4(0.0f, b->surface.push, b->surface.drag, a->rest_crowd[i]);
	a->reached[p] = mark != 0.0f ? a->listed[p] : 0u;
}

#define membrane_surface_density_ARGS(IN, OUT, VAL)                                                \
	IN(oz_float4, spot) OUT(oz_float4, flow) OUT(oz_float4, load) VAL(float, core)
#define membrane_surface_density_NEAR(PLACE, ALSO, CASE) PLACE(spot)
typedef membrane_crowd_sum membrane_surface_density_sum;
OZ_PAIR_ARGS(membrane_surface_density)

// writes V of particle i into flow.w and p into load.x
OZ_FN void membrane_surface_density_begin(const membrane_surface_density_args *a, uint i,
                                          membrane_surface_density_sum *s)
{
	s->own = a->spot[i];
	s->n = lane_of(0.0f);
}

OZ_FN void membrane_surface_density_pair(const membrane_surface_density_args *a,
                                         membrane_surface_density_sum *s,
                                         const membrane_surface_density_near *j)
{
	s->n += membrane_crowd(s->own, j->spot, a->core);
}

OZ_FN void membrane_surface_density_end(const membrane_surface_density_args *a, uint i,
                                        membrane_surface_density_sum *s)
{
	const float n = membrane_crowd_of(s->own, s->n, a->core);
	if (s->own.w == 0.0f)
		return;
	a->flow[i].w = 1.0f / n;
	a->load[i].x = a->load[i].y * (n - a->load[i].w);
}

#define membrane_surface_force_ARGS(IN, OUT, VAL)                                                  \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, flow) IN(oz_float4, load) OUT(oz_float4, force) VAL(float, core)
#define membrane_surface_force_NEAR(PLACE, ALSO, CASE) PLACE(spot) ALSO(flow) ALSO(load)

typedef struct membrane_surface_force_sum {
	oz_float4 x, v;
	bool printed;
	float press; // V_i² p_i, as printed V_i p_i/2
	float drag;  // V_i b
	lane fx, fy, fz;
} membrane_surface_force_sum;

OZ_PAIR_ARGS(membrane_surface_force)

// writes the acceleration of particle i by pressure and viscosity of the surface fluid
OZ_FN void membrane_surface_force_begin(const membrane_surface_force_args *a, uint i,
                                        membrane_surface_force_sum *s)
{
	const oz_float4 own = a->load[i];
	s->x = a->spot[i];
	s->v = a->flow[i];
	s->printed = s->x.w < 0.0f;
	s->press = s->v.w * own.x * (s->printed ? 0.5f : s->v.w);
	s->drag = s->v.w * own.z;
	s->fx = s->fy = s->fz = lane_of(0.0f);
}

OZ_FN void membrane_surface_force_pair(const membrane_surface_force_args *a,
                                       membrane_surface_force_sum *s,
                                       const membrane_surface_force_near *j)
{
	const lane x = s->x.x - j->spot.x, y = s->x.y - j->spot.y, z = s->x.z - j->spot.z;
	const lane r2 = x * x + y * y + z * z, v = j->flow.w, zero = lane_of(0.0f);
	const lane_mask same = j->spot.w == s->x.w;
	const lane press = s->printed ? v * (s->press + 0.5f * s->v.w * j->load.x)
	                              : s->press + v * v * j->load.x;
	const lane push = lane_select(same, -press * oz_spiky_gradient(r2, a->core), zero);
	const lane drag =
	        lane_select(same, s->drag * v * oz_viscosity_laplacian(r2, a->core), zero);
	s->fx += push * x + drag * (j->flow.x - s->v.x);
	s->fy += push * y + drag * (j->flow.y - s->v.y);
	s->fz += push * z + drag * (j->flow.z - s->v.z);
}

OZ_FN void membrane_surface_force_end(const membrane_surface_force_args *a, uint i,
                                      membrane_surface_force_sum *s)
{
	a->force[i] = oz_make4(lane_sum(s->fx), lane_sum(s->fy), lane_sum(s->fz), 0.0f);
}

#define membrane_surface_add_ARGS(IN, OUT, VAL)                                                    \
	IN(uint, slot_of)                                                                          \
	IN(uint, particle_of_slot)                                                                 \
	IN(uint, chamber_of)                                                                       \
	IN(oz_membrane_chamber_now, chambers) IN(oz_float4, force) OUT(oz_float4, image)
OZ_ARGS(membrane_surface_add)

// adds that acceleration to those of vertex i in `image`; a heavy filling moves with the vertex
OZ_FN void membrane_surface_add_at(const membrane_surface_add_args *a, uint i)
{
	const oz_float4 f = a->force[a->particle_of_slot[a->slot_of[i]]], s = a->image[i];
	const float skin = a->chambers[a->chamber_of[i]].skin_share;
	a->image[i] = oz_make4(s.x + skin * f.x, s.y + skin * f.y, s.z + skin * f.z, s.w);
}

#define membrane_surface_KERNELS(X)                                                                \
	X(membrane_rest_spot, EACH)                                                                \
	X(membrane_rest_crowd, PAIRS_AT_REST)                                                      \
	X(membrane_rest_keep, EACH)                                                                \
	X(membrane_surface_clear, EACH)                                                            \
	X(membrane_surface_gather, EACH)                                                           \
	X(membrane_surface_density, PAIRS)                                                         \
	X(membrane_surface_force, PAIRS_MARKED)                                                    \
	X(membrane_surface_add, EACH)
OZ_KERNELS(membrane_surface_KERNELS)
