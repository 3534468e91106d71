// capillary_sum.cl: takes back the sum and the torque of the forces of surface tension, and adds
// the forces to the accelerations.
//
// With F_i and A_i the forces and areas, r_i the positions from the mean of the areas,
//
//   c = Σ F / Σ A,   J = Σ A (r² 1 - r rᵀ),   d = J⁻¹ Σ r × F
//   F_i ← F_i - A_i (c + d × r_i)
//
// where nothing holds the surfaces. A flat wall holds them along its normal k alone: the forces of
// a closed contact line along it have no sum, and no torque about k. There c is the part of Σ F/Σ A
// along the wall and d that about k. Without it a drop on a level plate creeps at 1 cm/s. At other
// walls and solids nothing is taken back.
//
// **Contact lines** have friction: a particle at a surface that touches a wall is slowed by
//
//   a_i = - γ (v_i - v_wall),   γ = 0.3 |b_wall|/|b_flat| √(σ/(ρ s³))
//
// which is - ζ v on a unit of length, ζ = 0.3 √(σ ρ s), 0.05 Pa·s for water at 0.4 mm. Measured ζ
// of water are 0.01 to 1 Pa·s (Blake 2006). Without it drops below ten spacings of thin liquids
// gain energy at walls and come apart.
#include "device/kernel.h"
#include "math/vec.h"
#include "particles/matter.h"

// sums over the particles of all surfaces, from one of their particles
typedef struct capillary_sums {
	oz_vec3 force, torque;        // N, N·m
	float area;                   // m²
	oz_vec3 first;                // Σ A r
	float xx, yy, zz, xy, yz, zx; // Σ A r rᵀ
	float touches;                // sum of `touch`; above 0 the surfaces are held
	oz_vec3 held;                 // Σ touch k, k: normal of what holds them
} capillary_sums;

OZ_FN capillary_sums capillary_sums_join(capillary_sums a, capillary_sums b)
{
	a.force = oz_add(a.force, b.force);
	a.torque = oz_add(a.torque, b.torque);
	a.area += b.area;
	a.first = oz_add(a.first, b.first);
	a.xx += b.xx;
	a.yy += b.yy;
	a.zz += b.zz;
	a.xy += b.xy;
	a.yz += b.yz;
	a.zx += b.zx;
	a.touches += b.touches;
	a.held = oz_add(a.held, b.held);
	return a;
}

// from particle 0, so that places far from the origin cost no digits
OZ_FN oz_vec3 capillary_place(OZ_GLOBAL const oz_float4 *position, uint i)
{
	return oz_v3(position[i].x - position[0].x, position[i].y - position[0].y,
	             position[i].z - position[0].z);
}

#define capillary_sum_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, force)                                                                       \
	IN(float, touch) IN(oz_float4, meets) OUT(capillary_sums, groups) VAL(uint, first)
OZ_ARGS(capillary_sum)
OZ_REDUCE(capillary_sum, capillary_sums, capillary_sums_join, groups, first)

// the sums of one particle
OZ_FN capillary_sums capillary_sum_at(const capillary_sum_args *a, uint i)
{
	const oz_float4 f = a->force[i];
	const oz_vec3 r = capillary_place(a->position, i);
	const oz_vec3 force = oz_v3(f.x, f.y, f.z);
	capillary_sums s;
	s.force = force;
	s.torque = oz_cross(r, force);
	s.area = f.w;
	s.first = oz_scale(r, f.w);
	s.xx = f.w * r.x * r.x;
	s.yy = f.w * r.y * r.y;
	s.zz = f.w * r.z * r.z;
	s.xy = f.w * r.x * r.y;
	s.yz = f.w * r.y * r.z;
	s.zx = f.w * r.z * r.x;
	s.touches = a->touch[i];
	s.held = oz_scale(oz_v3(a->meets[i].x, a->meets[i].y, a->meets[i].z), s.touches);
	return s;
}

#define capillary_total_ARGS(IN, OUT, VAL)                                                         \
	IN(capillary_sums, in) OUT(capillary_sums, groups) VAL(uint, from) VAL(uint, first)
OZ_ARGS(capillary_total)
OZ_REDUCE(capillary_total, capillary_sums, capillary_sums_join, groups, first)

// joins the sums of groups
OZ_FN capillary_sums capillary_total_at(const capillary_total_args *a, uint i)
{
	return a->in[a->from + i];
}

// γ over √(σ/(ρ s³)): friction of a contact line
#define CAPILLARY_FRICTION 0.3f

#define capillary_add_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, rub)                                                                         \
	IN(oz_float4, force)                                                                       \
	IN(capillary_sums, sums)                                                                   \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(float, volume) VAL(uint, at) VAL(uint, lined)
OZ_ARGS(capillary_add)

// Below these there is hardly a surface and the quotients would not be finite: the force or the
// torque is not taken back. Sum of areas, m²; Σ A r² from their mean, m⁴.
#define CAPILLARY_LEAST_AREA   1e-20f
#define CAPILLARY_LEAST_SPREAD 1e-30f

// d: the rotation that takes the torque t back; `mean`: of the areas. Computed from J over its
// trace: the determinant of J itself is below the smallest float for drops of 0.3 mm.
OZ_FN oz_vec3 capillary_rotation(const capillary_sums *s, oz_vec3 mean)
{
	const oz_vec3 t = oz_sub(s->torque, oz_cross(mean, s->force));
	const float spread = s->xx + s->yy + s->zz - s->area * oz_dot(mean, mean);
	if (!(spread > CAPILLARY_LEAST_SPREAD))
		return oz_v3(0.0f, 0.0f, 0.0f);
	const float per = 1.0f / spread;
	const float whole = 1.0f + 1e-6f; // above 1: particles in a straight row have a d, too
	const float xx = whole - (s->xx - s->area * mean.x * mean.x) * per,
	            yy = whole - (s->yy - s->area * mean.y * mean.y) * per,
	            zz = whole - (s->zz - s->area * mean.z * mean.z) * per;
	const float xy = -(s->xy - s->area * mean.x * mean.y) * per,
	            yz = -(s->yz - s->area * mean.y * mean.z) * per,
	            zx = -(s->zx - s->area * mean.z * mean.x) * per;
	const float cxx = yy * zz - yz * yz, cxy = zx * yz - xy * zz, czx = xy * yz - zx * yy,
	            cyy = xx * zz - zx * zx, cyz = xy * zx - xx * yz, czz = xx * yy - xy * xy;
	const float det = xx * cxx + xy * cxy + zx * czx;
	if (!(det > 0.0f))
		return oz_v3(0.0f, 0.0f, 0.0f);
	return oz_scale(oz_v3(cxx * t.x + cxy * t.y + czx * t.z, cxy * t.x + cyy * t.y + cyz * t.z,
	                      czx * t.x + cyz * t.y + czz * t.z),
	                per / det);
}

// mean over the touching particles of the cosine between k and its mean from which on a wall is
// flat
#define CAPILLARY_FLAT 0.999f

// what is taken back from each area, N/m², at r from their mean
OZ_FN oz_vec3 capillary_back(const capillary_sums *s, oz_vec3 mean, oz_vec3 r)
{
	const oz_vec3 c = oz_scale(s->force, 1.0f / s->area);
	if (!(s->touches > 0.0f))
		return oz_mad(oz_cross(capillary_rotation(s, mean), r), c, 1.0f);
	const oz_vec3 k = oz_scale(s->held, 1.0f / s->touches);
	if (!(oz_length(k) > CAPILLARY_FLAT))
		return oz_v3(0.0f, 0.0f, 0.0f);
	const oz_vec3 back = oz_mad(c, k, -oz_dot(c, k));
	const oz_vec3 t = oz_sub(s->torque, oz_cross(mean, s->force));
	const float m = oz_dot(mean, k);
	// Σ A of the squared distances from the axis along k
	const float along = s->xx * k.x * k.x + s->yy * k.y * k.y + s->zz * k.z * k.z +
	                    2.0f * (s->xy * k.x * k.y + s->yz * k.y * k.z + s->zx * k.z * k.x);
	const float spread =
	        s->xx + s->yy + s->zz - s->area * oz_dot(mean, mean) - (along - s->area * m * m);
	if (!(spread > CAPILLARY_LEAST_SPREAD))
		return back;
	return oz_mad(back, oz_cross(k, r), oz_dot(t, k) / spread);
}

// - γ (v - v of the walls) of a particle at a surface, m/s²
OZ_FN oz_vec3 capillary_friction(const capillary_add_args *a, uint i, OZ_GLOBAL const oz_matter *m)
{
	const oz_float4 v = a->velocity[i], w = a->rub[i];
	const float rate = CAPILLARY_FRICTION * w.w *
	                   oz_sqrt(m->flow.surface_tension * m->inv_density / a->volume);
	return oz_scale(oz_v3(w.x - v.x, w.y - v.y, w.z - v.z), rate);
}

// adds the force to the acceleration, without its part of the sum and the torque of all
OZ_FN void capillary_add_at(const capillary_add_args *a, uint i)
{
	const oz_float4 f = a->force[i];
	if (!(f.w > 0.0f))
		return;
	const capillary_sums s = a->sums[a->at];
	oz_vec3 force = oz_v3(f.x, f.y, f.z);
	if (s.area > CAPILLARY_LEAST_AREA) {
		const oz_vec3 mean = oz_scale(s.first, 1.0f / s.area);
		const oz_vec3 r = oz_sub(capillary_place(a->position, i), mean);
		force = oz_mad(force, capillary_back(&s, mean, r), -f.w);
	}
	OZ_GLOBAL const oz_matter *m = &a->matter[a->material[i]];
	oz_vec3 change = oz_scale(force, m->inv_density / a->volume);
	if (a->lined)
		change = oz_add(change, capillary_friction(a, i, m));
	a->acceleration[i].x += change.x;
	a->acceleration[i].y += change.y;
	a->acceleration[i].z += change.z;
}

#define capillary_sum_KERNELS(X)                                                                   \
	X(capillary_sum, REDUCE)                                                                   \
	X(capillary_total, REDUCE)                                                                 \
	X(capillary_add, EACH)
OZ_KERNELS(capillary_sum_KERNELS)
