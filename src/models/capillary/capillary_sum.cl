// capillary_sum.cl: subtracts the sum and the torque of the forces of each sheet, which are errors,
// and adds the forces to the accelerations.
//
// The forces on a closed surface have no sum and no torque. Those of particles have small ones, by
// the disorder of the sheet (capillary_sheets.cl). With F_i the forces, A_i the areas, r_i the
// positions from the mean of the areas,
//
//   c = Σ F / Σ A,   J = Σ A (r² 1 - r rᵀ),   d = J⁻¹ Σ r × F
//   F_i ← F_i - A_i (c + d × r_i)
//
// for a sheet that touches no wall and no solid. A flat wall of normal k and of one contact angle
// pulls a closed contact line along k alone: the forces along the wall have no sum, and no torque
// about k. There c is the part of Σ F/Σ A along the wall and d that about k. Without it a drop on a
// level plate creeps at 1 cm/s.
//
// Where k or the contact angle θ differ along the line, the forces have a sum along the wall: a
// drop on the border between glass and wax moves to the glass. That sum is at most
//
//   B = σ L (½ (max cos θ - min cos θ) + ½ |max k - min k|)
//
// with L the length of the line and max and min for each component of k; the torque is at most B
// times the radius of the sheet. What B may explain stays: c and d are multiplied with
// 1 - B/|Σ F|, at least 0.
//
// All sums are of whole numbers, so that the order of adding does not matter. They are of forces
// over σ s, areas over s², and positions from the first particle of the sheet over s; σ is the
// largest tension, s the spacing.
//
// **Contact lines** have friction: a particle at a surface that touches a wall is slowed by
//
//   a_i = - γ (v_i - v_wall),   γ = 0.3 |b_wall|/|b_flat| √(σ/(ρ s³))
//
// which is - ζ v on a unit of length, ζ = 0.3 √(σ ρ s), 0.05 Pa·s for water at 0.4 mm. Measured ζ
// of water are 0.01 to 1 Pa·s (Blake 2006). Without it drops below ten spacings of thin liquids
// gain energy at walls and come apart.
#include "device/batch.h"
#include "device/kernel.h"
#include "math/vec.h"
#include "models/capillary/capillary_rules.h"
#include "particles/matter.h"

// ---- sums --------------------------------------------------------------------------------------

// sums of a sheet, in whole quanta
typedef struct capillary_sums {
	oz_sum force[3], torque[3];
	oz_sum first[3];              // Σ A r
	oz_sum square[3], product[3]; // Σ A of x², y², z², and of xy, yz, zx
	oz_sum held[3];               // Σ touch k, k: normal of what the sheet touches
	oz_sum area;
	oz_sum line;  // Σ touch σ: σ L
	uint most[8]; // largest components of k, cos θ, -k, -cos θ, by capillary_word
} capillary_sums;

#define CAPILLARY_FINE   4294967296.0f // quanta in 1: of forces, areas, lines and `held`
#define CAPILLARY_MIDDLE 16777216.0f   // of torques and first moments,
#define CAPILLARY_COARSE 65536.0f      // of second moments
#define CAPILLARY_WORDS  536870912.0f  // of `most`

// the part of a sheet's sums from one batch
typedef struct capillary_tally {
	oz_vec3 force, torque, first, square, product, held;
	float area, line;
	oz_float4 high, low; // of k and (w) cos θ, and of their negatives; -1: none touches
} capillary_tally;

OZ_FN capillary_tally capillary_tally_zero(void)
{
	capillary_tally t;
	t.force = t.torque = t.first = t.square = t.product = t.held = oz_v3(0.0f, 0.0f, 0.0f);
	t.area = t.line = 0.0f;
	t.high = t.low = oz_make4(-1.0f, -1.0f, -1.0f, -1.0f);
	return t;
}

#define capillary_sum_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, force)                                                                       \
	IN(float, tension)                                                                         \
	IN(float, touch)                                                                           \
	IN(oz_float4, meets)                                                                       \
	IN(uint, sheet)                                                                            \
	IN(uint, members)                                                                          \
	IN(uint, number)                                                                           \
	OUT(capillary_sums, sums)                                                                  \
	VAL(uint, particles)                                                                       \
	VAL(uint, stride) VAL(float, most) VAL(float, inv_tension) VAL(float, inv_spacing)
OZ_ARGS(capillary_sum)

OZ_FN void capillary_store3(OZ_GLOBAL oz_sum *sum, oz_vec3 v, float quanta, float most)
{
	oz_sum_add(&sum[0], oz_sum_quanta(quanta * v.x, most));
	oz_sum_add(&sum[1], oz_sum_quanta(quanta * v.y, most));
	oz_sum_add(&sum[2], oz_sum_quanta(quanta * v.z, most));
}

// a number from -1 to 1 as a word that is ordered like it; 0 for -1
OZ_FN uint capillary_word(float value)
{
	return (uint)((oz_min(oz_max(value, -1.0f), 1.0f) + 1.0f) * CAPILLARY_WORDS);
}

OZ_FN void capillary_store_most(OZ_GLOBAL uint *most, oz_float4 v)
{
	oz_atomic_max(&most[0], capillary_word(v.x));
	oz_atomic_max(&most[1], capillary_word(v.y));
	oz_atomic_max(&most[2], capillary_word(v.z));
	oz_atomic_max(&most[3], capillary_word(v.w));
}

// adds a tally to the sums of a sheet
OZ_FN void capillary_store(OZ_GLOBAL capillary_sums *s, const capillary_tally *t, float most)
{
	capillary_store3(s->force, t->force, CAPILLARY_FINE, most);
	capillary_store3(s->torque, t->torque, CAPILLARY_MIDDLE, most);
	capillary_store3(s->first, t->first, CAPILLARY_MIDDLE, most);
	capillary_store3(s->square, t->square, CAPILLARY_COARSE, most);
	capillary_store3(s->product, t->product, CAPILLARY_COARSE, most);
	oz_sum_add(&s->area, oz_sum_quanta(CAPILLARY_FINE * t->area, most));
	if (!(t->line > 0.0f))
		return;
	capillary_store3(s->held, t->held, CAPILLARY_FINE, most);
	oz_sum_add(&s->line, oz_sum_quanta(CAPILLARY_FINE * t->line, most));
	capillary_store_most(&s->most[0], t->high);
	capillary_store_most(&s->most[4], t->low);
}

OZ_FN oz_float4 capillary_most4(oz_float4 a, oz_float4 b)
{
	return oz_make4(oz_max(a.x, b.x), oz_max(a.y, b.y), oz_max(a.z, b.z), oz_max(a.w, b.w));
}

// position of a particle from the first of its sheet, over the spacing
OZ_FN oz_vec3 capillary_place(OZ_GLOBAL const oz_float4 *position, uint i, uint first,
                              float inv_spacing)
{
	return oz_scale(oz_v3(position[i].x - position[first].x, position[i].y - position[first].y,
	                      position[i].z - position[first].z),
	                inv_spacing);
}

// adds a particle to a tally
OZ_FN void capillary_tally_add(const capillary_sum_args *a, uint i, capillary_tally *t)
{
	const oz_float4 f = a->force[i], k = a->meets[i];
	const oz_vec3 r = capillary_place(a->position, i, a->sheet[i], a->inv_spacing);
	const oz_vec3 force = oz_scale(oz_v3(f.x, f.y, f.z), a->inv_tension * a->inv_spacing);
	const float area = f.w * a->inv_spacing * a->inv_spacing, touch = a->touch[i];
	t->force = oz_add(t->force, force);
	t->torque = oz_add(t->torque, oz_cross(r, force));
	t->area += area;
	t->first = oz_mad(t->first, r, area);
	t->square = oz_mad(t->square, oz_v3(r.x * r.x, r.y * r.y, r.z * r.z), area);
	t->product = oz_mad(t->product, oz_v3(r.x * r.y, r.y * r.z, r.z * r.x), area);
	if (!(touch > 0.0f))
		return;
	t->held = oz_mad(t->held, oz_v3(k.x, k.y, k.z), touch);
	t->line += touch * a->tension[i] * a->inv_tension;
	t->high = capillary_most4(t->high, k);
	t->low = capillary_most4(t->low, oz_make4(-k.x, -k.y, -k.z, -k.w));
}

// One batch of particles: adds them to the sums of their sheets. `most`: the most quanta that a
// batch adds.
OZ_FN void capillary_sum_at(const capillary_sum_args *a, uint i)
{
	capillary_tally t = capillary_tally_zero();
	uint sheet = 0;
	for (uint c = 0; c < OZ_BATCH; c++) {
		const uint k = oz_batch_at(i, c, a->stride);
		if (k >= a->particles)
			break;
		const uint own = a->sheet[k];
		if (!(a->force[k].w > 0.0f) || a->members[own] < CAPILLARY_SHEET_LEAST)
			continue;
		if (own != sheet && t.area > 0.0f) {
			capillary_store(&a->sums[a->number[sheet]], &t, a->most);
			t = capillary_tally_zero();
		}
		sheet = own;
		capillary_tally_add(a, k, &t);
	}
	if (t.area > 0.0f)
		capillary_store(&a->sums[a->number[sheet]], &t, a->most);
}

// ---- the error of a sheet ----------------------------------------------------------------------

// what is subtracted from the forces of a sheet
typedef struct capillary_error {
	oz_vec3 mean; // of the areas, from the first particle, over s
	oz_vec3 c, d;
	float pulls; // 0: the sheet is too small and has no force
} capillary_error;

#define capillary_find_error_ARGS(IN, OUT, VAL) IN(capillary_sums, sums) OUT(capillary_error, error)
OZ_ARGS(capillary_find_error)

// Below these the quotients would be of rounding errors. An area over s²; a squared radius over s².
#define CAPILLARY_LEAST_AREA   1.0f
#define CAPILLARY_LEAST_SPREAD 0.01f

OZ_FN float capillary_value(oz_sum sum, float quanta)
{
	return (float)(oz_i64)oz_sum_get(sum) / quanta;
}

OZ_FN oz_vec3 capillary_value3(const oz_sum *sum, float quanta)
{
	return oz_v3(capillary_value(sum[0], quanta), capillary_value(sum[1], quanta),
	             capillary_value(sum[2], quanta));
}

// Σ A (r rᵀ) from the mean of the areas, and its trace
typedef struct capillary_spread {
	oz_vec3 square, product;
	float trace;
} capillary_spread;

OZ_FN capillary_spread capillary_spread_of(const capillary_sums *s, float area, oz_vec3 mean)
{
	capillary_spread p;
	p.square = oz_mad(capillary_value3(s->square, CAPILLARY_COARSE),
	                  oz_v3(mean.x * mean.x, mean.y * mean.y, mean.z * mean.z), -area);
	p.product = oz_mad(capillary_value3(s->product, CAPILLARY_COARSE),
	                   oz_v3(mean.x * mean.y, mean.y * mean.z, mean.z * mean.x), -area);
	p.trace = p.square.x + p.square.y + p.square.z;
	return p;
}

// d of a sheet that touches nothing, of torque t
OZ_FN oz_vec3 capillary_rotation(const capillary_spread *s, oz_vec3 t)
{
	const float per = 1.0f / s->trace;
	const float whole = 1.0f + 1e-6f; // above 1: particles in a straight row have a d, too
	const float xx = whole - s->square.x * per, yy = whole - s->square.y * per,
	            zz = whole - s->square.z * per;
	const float xy = -s->product.x * per, yz = -s->product.y * per, zx = -s->product.z * per;
	const float cxx = yy * zz - yz * yz, cxy = zx * yz - xy * zz, czx = xy * yz - zx * yy,
	            cyy = xx * zz - zx * zx, cyz = xy * zx - xx * yz, czz = xx * yy - xy * xy;
	const float det = xx * cxx + xy * cxy + zx * czx;
	if (!(det > 0.0f))
		return oz_v3(0.0f, 0.0f, 0.0f);
	return oz_scale(oz_v3(cxx * t.x + cxy * t.y + czx * t.z, cxy * t.x + cyy * t.y + cyz * t.z,
	                      czx * t.x + cyz * t.y + czz * t.z),
	                per / det);
}

// largest minus smallest value
OZ_FN float capillary_range(uint high, uint low)
{
	// both are from -1 on, so 1 + 1 of them is subtracted
	return oz_max((float)high + (float)low - 2.0f * CAPILLARY_WORDS, 0.0f) / CAPILLARY_WORDS;
}

// B over σ s
OZ_FN float capillary_bound(const capillary_sums *s, float line)
{
	const oz_vec3 k = oz_v3(capillary_range(s->most[0], s->most[4]),
	                        capillary_range(s->most[1], s->most[5]),
	                        capillary_range(s->most[2], s->most[6]));
	return 0.5f * line * (oz_length(k) + capillary_range(s->most[3], s->most[7]));
}

// share of a sum that a bound cannot explain
OZ_FN float capillary_share(float sum, float bound)
{
	return sum > bound ? 1.0f - bound / sum : 0.0f;
}

// c and d of a sheet that touches walls or solids
OZ_FN void capillary_held_error(const capillary_sums *s, const capillary_spread *spread, float area,
                                oz_vec3 force, oz_vec3 torque, float line, capillary_error *e)
{
	const oz_vec3 held = capillary_value3(s->held, CAPILLARY_FINE);
	const float length = oz_length(held);
	if (!(length > 0.0f))
		return;
	const oz_vec3 k = oz_scale(held, 1.0f / length);
	const oz_vec3 along = oz_mad(force, k, -oz_dot(force, k));
	const float bound = capillary_bound(s, line), turning = oz_dot(torque, k);
	e->c = oz_scale(along, capillary_share(oz_length(along), bound) / area);
	// Σ A of the squared distances from the axis along k
	const float axial = spread->square.x * k.x * k.x + spread->square.y * k.y * k.y +
	                    spread->square.z * k.z * k.z +
	                    2.0f * (spread->product.x * k.x * k.y + spread->product.y * k.y * k.z +
	                            spread->product.z * k.z * k.x);
	const float around = spread->trace - axial;
	if (!(around > CAPILLARY_LEAST_SPREAD * area))
		return;
	const float radius = oz_sqrt(around / area);
	e->d = oz_scale(k, turning * capillary_share(oz_abs(turning), bound * radius) / around);
}

OZ_FN void capillary_find_error_at(const capillary_find_error_args *a, uint i)
{
	const capillary_sums s = a->sums[i];
	const float area = capillary_value(s.area, CAPILLARY_FINE);
	const float line = capillary_value(s.line, CAPILLARY_FINE);
	capillary_error e;
	e.mean = e.c = e.d = oz_v3(0.0f, 0.0f, 0.0f);
	e.pulls = area > CAPILLARY_LEAST_AREA ? 1.0f : 0.0f;
	if (e.pulls > 0.0f) {
		e.mean = oz_scale(capillary_value3(s.first, CAPILLARY_MIDDLE), 1.0f / area);
		const oz_vec3 force = capillary_value3(s.force, CAPILLARY_FINE);
		const oz_vec3 torque = oz_sub(capillary_value3(s.torque, CAPILLARY_MIDDLE),
		                              oz_cross(e.mean, force));
		const capillary_spread spread = capillary_spread_of(&s, area, e.mean);
		if (line > 0.0f)
			capillary_held_error(&s, &spread, area, force, torque, line, &e);
		else
			e.c = oz_scale(force, 1.0f / area);
		if (!(line > 0.0f) && spread.trace > CAPILLARY_LEAST_SPREAD * area)
			e.d = capillary_rotation(&spread, torque);
	}
	a->error[i] = e;
}

// ---- forces ------------------------------------------------------------------------------------

// γ over √(σ/(ρ s³)): friction of a contact line
#define CAPILLARY_FRICTION 0.3f

#define capillary_add_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, rub)                                                                         \
	IN(oz_float4, force)                                                                       \
	IN(uint, sheet)                                                                            \
	IN(uint, members)                                                                          \
	IN(uint, number)                                                                           \
	IN(capillary_error, error)                                                                 \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(float, tension) VAL(float, spacing) VAL(uint, lined)
OZ_ARGS(capillary_add)

// - γ (v - v of the walls) of a particle at a surface, m/s²
OZ_FN oz_vec3 capillary_friction(const capillary_add_args *a, uint i, OZ_GLOBAL const oz_matter *m)
{
	const oz_float4 v = a->velocity[i], w = a->rub[i];
	const float volume = a->spacing * a->spacing * a->spacing;
	const float rate = CAPILLARY_FRICTION * w.w *
	                   oz_sqrt(m->flow.surface_tension * m->inv_density / volume);
	return oz_scale(oz_v3(w.x - v.x, w.y - v.y, w.z - v.z), rate);
}

// the force on a particle without the error of its sheet, N
OZ_FN oz_vec3 capillary_force(const capillary_add_args *a, uint i)
{
	const oz_float4 f = a->force[i];
	const uint sheet = a->sheet[i];
	if (a->members[sheet] < CAPILLARY_SHEET_LEAST)
		return oz_v3(0.0f, 0.0f, 0.0f);
	const capillary_error e = a->error[a->number[sheet]];
	const oz_vec3 r = oz_sub(capillary_place(a->position, i, sheet, 1.0f / a->spacing), e.mean);
	const oz_vec3 error = oz_add(e.c, oz_cross(e.d, r));
	return oz_scale(oz_mad(oz_v3(f.x, f.y, f.z), error, -f.w * a->tension / a->spacing),
	                e.pulls);
}

// adds the force to the acceleration
OZ_FN void capillary_add_at(const capillary_add_args *a, uint i)
{
	if (!(a->force[i].w > 0.0f))
		return;
	OZ_GLOBAL const oz_matter *m = &a->matter[a->material[i]];
	const float volume = a->spacing * a->spacing * a->spacing;
	oz_vec3 change = oz_scale(capillary_force(a, i), m->inv_density / volume);
	if (a->lined)
		change = oz_add(change, capillary_friction(a, i, m));
	a->acceleration[i].x += change.x;
	a->acceleration[i].y += change.y;
	a->acceleration[i].z += change.z;
}

#define capillary_sum_KERNELS(X)                                                                   \
	X(capillary_sum, EACH)                                                                     \
	X(capillary_find_error, EACH)                                                              \
	X(capillary_add, EACH)
OZ_KERNELS(capillary_sum_KERNELS)
