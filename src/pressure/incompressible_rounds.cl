// incompressible_rounds.cl: the iteration of incompressible.cl: sums over all particles, the length
// of the next step, the next trial, the end.
//
// A round ends in `press_total`, which joins the sums and chooses from them the length of the next
// step of the iteration, on the device. So the host can queue several rounds and read one record.
// Once the solution is found, `press_total` sets *go to 0, and the rounds that are queued behind do
// nothing.
//
// An error left is |e|, but at a bound of P only the part that P can still change.
#include "device/kernel.h"
#include "particles/matter.h"

// sums and maxima over all particles, of the last two rounds
typedef struct press_sums {
	float residual; // sum of |press_residual|
	float active;   // particles with a residual or a pressure
	float largest;  // largest |press_residual| of particles with a rest shape
	float wave2;    // m²/s², largest |P|/ρ0
	float speed2;   // m²/s², largest speed of a particle that has a pressure
	float low;      // m²/s², largest g·x
	float high;     // m²/s², largest -g·x
	float length2;  // Σ diagonal (x - x_before)²
	float energy;   // Σ (x - x_before) (e_before - e)
	float change2;  // Σ (e_before - e)²/diagonal, of particles with P > 0
	float slope;    // Σ (x - x_before) e_before
	float value;    // - ½ Σ x (e(0) + e) and the work of the slack: the solution minimises it
} press_sums;

OZ_FN press_sums press_sums_join(press_sums a, press_sums b)
{
	a.residual += b.residual;
	a.active += b.active;
	a.largest = oz_max(a.largest, b.largest);
	a.wave2 = oz_max(a.wave2, b.wave2);
	a.speed2 = oz_max(a.speed2, b.speed2);
	a.low = oz_max(a.low, b.low);
	a.high = oz_max(a.high, b.high);
	a.length2 += b.length2;
	a.energy += b.energy;
	a.change2 += b.change2;
	a.slope += b.slope;
	a.value += b.value;
	return a;
}

#define press_measure_ARGS(IN, OUT, VAL)                                                           \
	IN(float, start)                                                                           \
	IN(float, change)                                                                          \
	IN(float, before)                                                                          \
	IN(float, error)                                                                           \
	IN(float, error_before)                                                                    \
	IN(float, source)                                                                          \
	IN(float, diagonal)                                                                        \
	IN(uint, slot)                                                                             \
	IN(float, slack)                                                                           \
	IN(float, bound) IN(float, most) OUT(press_sums, groups) VAL(uint, first) VAL(uint, slots)
OZ_ARGS(press_measure)
OZ_REDUCE(press_measure, press_sums, press_sums_join, groups, first)

// press_sums of the items of a vector; those of press_wave are 0
typedef struct press_measure_lanes {
	lane residual, active, largest, length2, energy, change2, slope, value;
} press_measure_lanes;

OZ_FN press_measure_lanes press_measure_join_lanes(press_measure_lanes a, press_measure_lanes b)
{
	a.residual += b.residual;
	a.active += b.active;
	a.largest = lane_max(a.largest, b.largest);
	a.length2 += b.length2;
	a.energy += b.energy;
	a.change2 += b.change2;
	a.slope += b.slope;
	a.value += b.value;
	return a;
}

OZ_FN press_sums press_measure_fold(press_measure_lanes l)
{
	press_sums s;
	s.residual = lane_sum(l.residual);
	s.active = lane_sum(l.active);
	s.largest = oz_lane_most(l.largest);
	s.wave2 = s.speed2 = s.low = s.high = 0.0f;
	s.length2 = lane_sum(l.length2);
	s.energy = lane_sum(l.energy);
	s.change2 = lane_sum(l.change2);
	s.slope = lane_sum(l.slope);
	s.value = lane_sum(l.value);
	return s;
}

// P after a step of the iteration by gain e, within its bounds. A negative P, a tension, is changed
// by e + slack.
OZ_FN lane press_next(lane P, lane e, lane gain, lane slack, lane bound, lane most)
{
	const lane zero = lane_of(0.0f);
	const lane presses = P + gain * e, pulls = presses + gain * slack;
	return lane_max(lane_select(presses > zero, lane_min(presses, most), lane_min(pulls, zero)),
	                bound);
}

#define OZ_LEAST_DIAGONAL 1e-30f // 1/Pa, instead of 0 where it divides

// The residual of a particle is the error that a change of P must remove, e or e + slack; at a
// bound, which P is within rounding, only as much of it as P can change. Where the diagonal is 0
// there is none.
OZ_FN press_measure_lanes press_measure_at(const press_measure_args *a, uint i, uint end)
{
	const lane zero = lane_of(0.0f);
	const lane x = oz_lane_get(a->change, i, end), e = oz_lane_get(a->error, i, end);
	const lane before = oz_lane_get(a->before, i, end);
	const lane error_before = oz_lane_get(a->error_before, i, end);
	const lane source = oz_lane_get(a->source, i, end), d = oz_lane_get(a->diagonal, i, end);
	const lane slack = oz_lane_get(a->slack, i, end);
	const lane P = oz_lane_get(a->start, i, end) + x;
	const lane inverse = 1.0f / lane_max(d, lane_of(OZ_LEAST_DIAGONAL));
	const lane next = press_next(P, e, inverse, slack, oz_lane_get(a->bound, i, end),
	                             oz_lane_get(a->most, i, end));
	const lane error = d * (next - P), moved = x - before, fallen = error_before - e;
	press_measure_lanes s;
	s.residual = lane_select(d > zero, lane_max(error, -error), zero);
	s.active = lane_select((d > zero) & ((error != zero) | (P != zero)), lane_of(1.0f), zero);
	s.largest = zero;
	if (a->slots) {
		float largest = 0.0f;
		for (uint k = 0; k < OZ_WIDTH && i + k < end; k++)
			if (a->slot[i + k] < a->slots)
				largest = oz_max(oz_lane_at(s.residual, k), largest);
		s.largest = lane_of(largest);
	}
	s.length2 = d * moved * moved;
	s.energy = moved * fallen;
	s.change2 = lane_select((d > zero) & (P > zero), fallen * fallen * inverse, zero);
	s.slope = moved * error_before;
	s.value = slack * lane_max(-P, zero) - 0.5f * x * (source + e);
	return s;
}

#define press_wave_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(press_sums, groups)                                                                    \
	VAL(uint, first) VAL(float, gravity_x) VAL(float, gravity_y) VAL(float, gravity_z)
OZ_ARGS(press_wave)
OZ_REDUCE(press_wave, press_sums, press_sums_join, groups, first)

// wave2 and speed2, which limit the next time step, and low and high alone
OZ_FN press_sums press_wave_at(const press_wave_args *a, uint i)
{
	const oz_float4 x = a->position[i], v = a->velocity[i];
	const float P = x.w;
	press_sums s;
	s.residual = s.active = s.largest = s.length2 = s.energy = s.change2 = 0.0f;
	s.slope = s.value = 0.0f;
	s.wave2 = oz_abs(P) * a->matter[a->material[i]].inv_density;
	s.speed2 = P != 0.0f ? oz_max(oz_square_sum(v.x, v.y, v.z), 0.0f) : 0.0f;
	s.low = a->gravity_x * x.x + a->gravity_y * x.y + a->gravity_z * x.z;
	s.high = -s.low;
	return s;
}

// ---- the choice of the next step ---------------------------------------------------------------

#define OZ_PRESS_JACOBI  0.5f   // length of a step of Ihmsen et al. 2014
#define OZ_PRESS_LONGEST 200.0f // step of the accelerated iteration

#define OZ_SHORT_LENGTHS 5    // of the last rounds; the shortest of them is taken
#define OZ_SHORT_SHARE   0.3f // below this share of the long length the short one is taken, first
#define OZ_SHORT_CHANGE  0.9f // of that share, when it was taken
#define OZ_NO_LENGTH     1e30f

#define OZ_PRESS_VALUES 6 // of the last rounds; a step that exceeds them all is shortened

// In a body with a rest shape few particles are in contact: the mean of all does not show their
// errors.
#define OZ_REST_SHAPE_ERROR 20.0f // largest error of a particle with a rest shape, over the mean

// Some errors cannot be removed, such as that of a drop inside a solid. The iteration ends when
// PATIENCE rounds have not reduced the errors to a share of PROGRESS.
#define OZ_PRESS_PATIENCE 80u
#define OZ_PRESS_PROGRESS 0.9f

// what the iteration keeps from round to round; the host reads it
typedef struct press_round {
	press_sums sums;                // of the last round
	float runs;                     // 1: another round is needed; 0: solved, or given up
	float rounds;                   // number of rounds
	float ratio;                    // mean error over the one that is small enough
	float length;                   // of the next step; 0 after the last round
	float shorten;                  // share of the last step that is kept; 1: all of it
	float share;                    // see OZ_SHORT_SHARE
	float latest[OZ_SHORT_LENGTHS]; // short lengths of the last rounds
	float values[OZ_PRESS_VALUES];  // `value` of the last rounds
	float ratio_before;             // `ratio`, PATIENCE rounds ago
} press_round;

// The errors over what is small enough; at most 1 when solved.
OZ_FN float press_error_ratio(const press_sums *s, float tolerance)
{
	const float mean = s->active > 0.0f ? s->residual / s->active : 0.0f;
	return oz_max(mean, s->largest / OZ_REST_SHAPE_ERROR) / tolerance;
}

// The length of the next step of the iteration; JACOBI in the first round. The long length of
// Barzilai & Borwein suits errors of long waves, and makes those of short waves grow. Where the
// short length differs much from it there are such errors, and the shortest of the last rounds
// removes them (ABBmin, Frassoldati et al. 2008).
OZ_FN float press_length(press_round *r, const press_sums *s, uint rounds)
{
	if (rounds == 0u)
		return OZ_PRESS_JACOBI;
	const uint at = rounds % OZ_SHORT_LENGTHS;
	r->latest[at] = OZ_NO_LENGTH;
	if (!(s->energy > 0.0f))
		return OZ_PRESS_JACOBI;
	const float longer = s->length2 / s->energy;
	float shorter = s->change2 > 0.0f ? s->energy / s->change2 : longer;
	const bool differ = shorter < r->share * longer;
	r->latest[at] = shorter;
	for (uint k = 0; k < OZ_SHORT_LENGTHS; k++)
		shorter = oz_min(shorter, r->latest[k]);
	r->share *= differ ? OZ_SHORT_CHANGE : 1.0f / OZ_SHORT_CHANGE;
	return oz_min(differ ? shorter : longer, OZ_PRESS_LONGEST);
}

// The lengths of Barzilai & Borwein can overshoot. If the value exceeds those of the last rounds,
// the last step of the iteration is shortened to the minimum along it; there the value is quadratic
// and the errors are linear. Returns the share of the step that is kept.
OZ_FN float press_shortened(press_round *r, const press_sums *s, uint rounds)
{
	const float before = r->values[(rounds - 1u) % OZ_PRESS_VALUES];
	float most = r->values[0];
	for (uint k = 1; k < OZ_PRESS_VALUES && k < rounds; k++)
		most = oz_max(most, r->values[k]);
	const float share = s->slope / s->energy;
	const bool exceeds = !(s->value <= most) && share > 0.0f && share < 1.0f;
	r->values[rounds % OZ_PRESS_VALUES] =
	        exceeds ? before - share * (s->slope - 0.5f * share * s->energy) : s->value;
	return exceeds ? share : 1.0f;
}

#define press_total_ARGS(IN, OUT, VAL)                                                             \
	IN(press_sums, in)                                                                         \
	OUT(press_sums, groups)                                                                    \
	OUT(press_round, round)                                                                    \
	OUT(uint, go)                                                                              \
	VAL(uint, from)                                                                            \
	VAL(uint, first)                                                                           \
	VAL(uint, chooses)                                                                         \
	VAL(uint, begins)                                                                          \
	VAL(uint, jacobi) VAL(uint, halts) VAL(uint, most_rounds) VAL(float, tolerance)
OZ_ARGS(press_total)

// joins the sums of groups; `in` and `groups` are the same buffer
OZ_FN press_sums press_total_at(const press_total_args *a, uint i)
{
	return a->in[a->from + i];
}

// the beginning of an iteration
OZ_FN void press_round_clear(press_round *r, float value)
{
	for (uint k = 0; k < OZ_SHORT_LENGTHS; k++)
		r->latest[k] = OZ_NO_LENGTH;
	for (uint k = 0; k < OZ_PRESS_VALUES; k++)
		r->values[k] = value;
	r->rounds = 0.0f;
	r->share = OZ_SHORT_SHARE;
}

// ends a round, whose sums are known
OZ_FN void press_round_end(const press_total_args *a, press_sums s)
{
	press_round r = a->round[0];
	bool stuck = false;
	r.shorten = 1.0f;
	r.ratio = press_error_ratio(&s, a->tolerance);
	if (a->begins)
		press_round_clear(&r, s.value);
	else
		r.rounds += 1.0f;
	const uint rounds = (uint)r.rounds;
	if (rounds > 0u && !a->jacobi)
		r.shorten = press_shortened(&r, &s, rounds);
	if (rounds % OZ_PRESS_PATIENCE == 0u) {
		stuck = rounds > 0u && r.ratio > OZ_PRESS_PROGRESS * r.ratio_before;
		r.ratio_before = r.ratio;
	}
	const bool solved = r.ratio <= 1.0f && !(r.shorten < 1.0f);
	const bool runs = !solved && !stuck && rounds < a->most_rounds;
	r.runs = runs ? 1.0f : 0.0f;
	r.length = 0.0f;
	if (runs)
		r.length = a->jacobi ? OZ_PRESS_JACOBI : press_length(&r, &s, rounds);
	r.sums = s;
	a->round[0] = r;
	if (!runs && a->halts)
		a->go[0] = 0u;
}

typedef press_sums press_total_record;

OZ_FN press_sums press_total_join(press_sums a, press_sums b)
{
	return press_sums_join(a, b);
}

OZ_FN void press_total_store(const press_total_args *a, uint g, press_sums s)
{
	a->groups[a->first + g] = s;
	if (a->chooses)
		press_round_end(a, s);
}

// ---- the next trial ----------------------------------------------------------------------------

#define press_update_ARGS(IN, OUT, VAL)                                                            \
	IN(float, start)                                                                           \
	IN(float, error)                                                                           \
	IN(float, diagonal)                                                                        \
	IN(float, slack)                                                                           \
	IN(float, bound)                                                                           \
	IN(float, most)                                                                            \
	IN(press_round, round)                                                                     \
	OUT(float, change) OUT(oz_float4, trial) OUT(float, before) OUT(float, error_before)
OZ_ARGS(press_update)

// The next trial, x + length e/diagonal, within its bound. If the last step is shortened, x and its
// errors are those of the shorter step. With the length 0 this alone is done.
OZ_FN void press_update_at(const press_update_args *a, uint i, uint end)
{
	const lane P = oz_lane_get(a->start, i, end), d = oz_lane_get(a->diagonal, i, end);
	const float length = a->round[0].length, share = a->round[0].shorten;
	lane x = oz_lane_get(a->change, i, end), e = oz_lane_get(a->error, i, end);
	if (share < 1.0f) {
		const lane before = oz_lane_get(a->before, i, end);
		const lane error_before = oz_lane_get(a->error_before, i, end);
		x = before + share * (x - before);
		e = error_before + share * (e - error_before);
	}
	const lane gain = length / lane_max(d, lane_of(OZ_LEAST_DIAGONAL));
	const lane next = press_next(P + x, e, gain, oz_lane_get(a->slack, i, end),
	                             oz_lane_get(a->bound, i, end), oz_lane_get(a->most, i, end));
	const lane to = lane_select(d > lane_of(0.0f), next - P, -P);
	oz_lane_put(a->change, i, end, to);
	oz_lane_put_w(a->trial, i, end, to);
	oz_lane_put(a->before, i, end, x);
	oz_lane_put(a->error_before, i, end, e);
}

#define press_finish_ARGS(IN, OUT, VAL)                                                            \
	IN(float, change)                                                                          \
	IN(oz_float4, press)                                                                       \
	OUT(oz_float4, position)                                                                   \
	OUT(oz_float4, acceleration)                                                               \
	OUT(float, pressure) VAL(float, inv_stress) VAL(uint, rounds)
OZ_ARGS(press_finish)

// Adds the accelerations and the changes of P of the solution, if there was a round, and writes the
// pressure p.
OZ_FN void press_finish_at(const press_finish_args *a, uint i)
{
	const oz_float4 f = a->acceleration[i], b = a->press[i];
	if (a->rounds) {
		a->acceleration[i] = oz_make4(f.x + b.x, f.y + b.y, f.z + b.z, f.w);
		a->position[i].w += a->change[i];
	}
	a->pressure[i] = a->position[i].w * a->inv_stress;
}

#define incompressible_rounds_KERNELS(X)                                                           \
	X(press_measure, REDUCE_LANES)                                                             \
	X(press_wave, REDUCE)                                                                      \
	X(press_total, REDUCE)                                                                     \
	X(press_update, VECTOR)                                                                    \
	X(press_finish, EACH)
OZ_KERNELS(incompressible_rounds_KERNELS)
