// rigid.h: the model of rigid bodies: filled with particles that keep their distances.
#ifndef OZ_RIGID_MODEL_H
#define OZ_RIGID_MODEL_H

#include "models/model.h"

//      type   name  kind   most  first, since
#define OZ_RIGID_FIELDS(X)                                                                         \
	X(uint, number, STATE, 0, 0, 9) /* 1-based number of its rigid body; 0: none */

// A rigid body. Sums over particles count each with mass 1; `mass` is that of one particle. The
// particle with the rest position X is at R (X - origin) + place.
typedef struct oz_rigid_body {
	double origin[3];           // m, centre of the rest positions
	double place[3];            // m, centre
	double rotation[4];         // R, a quaternion x y z w
	double velocity[3];         // m/s, of the centre, at mid-step
	double angular_momentum[3]; // m²/s
	double inertia[6];          // m², about the centre in the frame of rest: xx yy zz xy xz yz
	double force[3], torque[3]; // N, N·m, of the last step, with gravity
	double mass;                // kg, of a particle
	uint32_t body, count;       // its body, and its particles
	uint32_t fixed, unused;     // 1: it does not move
} oz_rigid_body;

// forces and torques in the present step, as accelerations
typedef struct oz_rigid_step {
	double velocity[3], angular_momentum[3]; // with all forces but the change of pressure
	double pressure[3], pressure_torque[3];  // m/s², m²/s²: by that change
} oz_rigid_step;

struct oz_rigid_motion;
struct oz_rigid_sums;

typedef struct oz_rigid {
	OZ_RIGID_FIELDS(OZ_FIELD_MEMBER)
	oz_array bodies;                // oz_rigid_body
	oz_array steps;                 // oz_rigid_step of each
	bool failed;                    // memory was out when a body was added
	struct oz_rigid_motion *motion; // device, one for each body
	struct oz_rigid_sums *sums;     // device, one for each body
	uint32_t capacity;              // of both
} oz_rigid;

extern const oz_model_ops oz_rigid_model;

// The rigid body of a body; NULL if it is none.
const oz_rigid_body *oz_rigid_of(const oz_sim *sim, oz_id body);

#endif
