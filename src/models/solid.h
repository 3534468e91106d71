// solid.h: elastic solids, sheets and rods (Becker, Ihmsen & Teschner 2009).
//
// Particles of a solid have slots as those of a blend do (blend.h): slots hold the rest shape and
// the lists of rest neighbours, and their ties keep rest neighbours from pushing each other as
// strangers do. What only solids need stands here, slot by slot; it is there once a world has a
// solid.
#ifndef OZ_SOLID_H
#define OZ_SOLID_H

#include "device/device.h"
#include "models/solid_blocks.h"

//      type       name      kind    meaning
#define OZ_SOLID_FIELDS(X)                                                                         \
	X(oz_float4, hold, STATE)  /* m, in the frame of its handle; w: the handle's number + 1 */ \
	X(oz_float4, set_a, STATE) /* B - 1 xx xy xz yy, see set.cl */                             \
	X(oz_float4, set_b, STATE) /* B - 1 yz zz; z: its liquid share when last looked at */      \
	X(uint, bonds, RESULT)     /* entries of its list; 0 for blends */                         \
	X(uint, matched, RESULT)   /* likewise; 0 for solids */                                    \
	X(oz_float4, fit_a, RESULT) /* L xx xy xz yy, see solid.cl */                              \
	X(oz_float4, fit_b, RESULT) /* L yz zz, N xx xy */                                         \
	X(oz_float4, fit_c, RESULT) /* N xz yy yz zz */                                            \
	X(oz_float4, stiff, RESULT) /* μ, λ, κ, Pa; w: bits, how it is firm; 0: it is not */    \
	X(oz_float4, sway, RESULT)  /* s, 1/m; w: volume over mass, m³/kg */                      \
	X(oz_float4, lean,                                                                         \
	  RESULT) /* what an hourglass pulls, Pa; w: how stiff it is, 1 at rest */                 \
	X(oz_float4, push, RESULT) /* m/s², elastic */                                            \
	X(float, spring, RESULT)   /* 1/s², its own place in the stiffness over mass */

// what an implicit step solves with
#define OZ_SOLVE_FIELDS(X)                                                                         \
	X(oz_float4, change, STATE)  /* m/s, of the velocity; where the next one begins */         \
	X(oz_float4, earlier, STATE) /* m/s, that of the step before */                            \
	X(oz_float4, owed, RESULT)   /* m/s, residual; w: mass that counts, 0 where it is held */  \
	X(oz_float4, probe, RESULT)  /* m/s, direction of the search; w: κ */

#define OZ_SOLID_SUMS 3u // results of the solver, before the sums of groups

typedef struct oz_solid {
#define OZ_SOLID_MEMBER(type, name, kind) type *name;
	OZ_SOLID_FIELDS(OZ_SOLID_MEMBER)
	OZ_SOLVE_FIELDS(OZ_SOLID_MEMBER)
#undef OZ_SOLID_MEMBER
	uint32_t capacity; // slots, with room for the one behind the last
	oz_blocks blocks;  // of the lists; none if their count is 0
	oz_float4 *sums;   // of the solver, on the device
	uint32_t sums_capacity;
	struct oz_drift *drift; // device, one for each lump
	uint32_t drift_capacity;
	struct oz_grip *grips;  // device, one for each handle, set anew in every step
	uint32_t grip_capacity; // handles
	float quickest;         // rad/s, of all explicit solids' own swings; 0: not known yet
	uint32_t molten;        // particles, as of the last lists
	uint32_t iterations;    // that the last step took
	bool parted;            // its set waits for new lists
	bool unsolved;          // the last implicit step was not, and that has been told
} oz_solid;

#endif
