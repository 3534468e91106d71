// fields.h: what a particle carries, listed once. The struct, allocation, reorder and snapshot come
// from this list.
//
// STATE is what decides how a world goes on: it is reordered and saved. ANCHOR is saved too, but
// set anew whenever particles are reordered. RESULT is computed anew in every step before it is
// read; between steps it is there to look at, and while particles are reordered its memory serves
// as scratch.
#ifndef OZ_FIELDS_H
#define OZ_FIELDS_H

//      type       name          kind    meaning
#define OZ_PARTICLE_FIELDS(X)                                                                      \
	X(oz_float4, position,                                                                     \
	  STATE) /* m; w: k inside nozzle k - 1, -k before its mouth, else 0 */                    \
	X(oz_float4, velocity, STATE) /* m/s, at mid-step; w: √ of its viscous weight */         \
	X(oz_float4, anchor, ANCHOR)  /* m, where its neighbours were listed; w: pressure */       \
	X(uint, id, STATE)            /* its number for life */                                    \
	X(uint, body, STATE)          /* the body it belongs to */                                 \
	X(uint, material, STATE)      /* what it is made of */                                     \
	X(uint, slot, STATE)          /* its place among blended particles; OZ_NONE: none */       \
	X(float, temperature, STATE)  /* °C */                                                    \
	X(float, warmth, STATE)       /* K, what the temperature's last digit leaves out */        \
	X(oz_float4, wall, RESULT)    /* ∇λ of the walls, 1/m; w: λ, share of the kernel */    \
	X(oz_float4, flow, RESULT)    /* m, position; w: κ p/δ², Pa */                          \
	X(oz_float4, acceleration, RESULT) /* m/s²; w: 1 if it was repaired */                    \
	X(float, density, RESULT)          /* kg/m³ */                                            \
	X(float, gap, RESULT)              /* m that it may go before it can touch a wall */

#endif
