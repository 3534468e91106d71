// rigid.h: the model of rigid bodies: filled with particles that keep their distances.
#ifndef OZ_RIGID_MODEL_H
#define OZ_RIGID_MODEL_H

#include "boundary/poses.h"
#include "models/model.h"

//      type   name  kind   most  first, since
#define OZ_RIGID_FIELDS(X)                                                                         \
	X(uint, number, STATE, 0, 0, 9) /* 1-based number of its rigid body; 0: none */            \
	X(oz_float4, friction, STATE, OZ_SPEED_MAX, 0, 9) /* m/s, impulse of walls per mass */

// A rigid body. Sums over particles count each with mass 1; `mass` is that of one particle. The
// particle with the rest position X is at R (X - origin) + place.
typedef struct oz_rigid_body {
	double origin[3];           // m, centre of the rest positions
	double place[3];            // m, centre
	double rotation[4];         // R, a quaternion x y z w
	double velocity[3];         // m/s, of the centre, at mid-step
	double angular_momentum[3]; // m²/s
	double axis[3];             // of unit length, in space: it only rotates about it; 0: free
	double inertia[6];          // m², about the centre in the frame of rest: xx yy zz xy xz yz
	double force[3], torque[3]; // N, N·m, of the last step, without gravity
	double mass;                // kg, of a particle
	uint32_t body, count;       // its body, and its particles
	uint32_t fixed, unused;     // OZ_RIGID_…
} oz_rigid_body;

// values of `fixed`: it moves freely if 0
#define OZ_RIGID_FIXED 1u // it does not move
#define OZ_RIGID_LED   2u // keyframes or calls lead it

// The motion of a body that is led.
typedef struct oz_rigid_lead {
	oz_poser way;       // poses over time; its shape has the pose of the first keyframe
	uint32_t number;    // of the rigid body
	double extent;      // m, farthest particle from the position of that pose
	double place[3];    // m, at the end of the present step
	double rotation[4]; // likewise
} oz_rigid_lead;

// forces and torques in the present step, as accelerations
typedef struct oz_rigid_step {
	double velocity[3], angular_momentum[3]; // with all forces but the change of pressure
	double pressure[3], pressure_torque[3];  // m/s², m²/s²: by that change
	double stop_gain;                        // g of rigid_stop.cl
} oz_rigid_step;

struct oz_rigid_motion;
struct oz_rigid_sums;

// one record for each body; `capacity` is that of all
typedef struct oz_rigid_work {
	struct oz_rigid_motion *motion, *host_motion; // on the device, and their copies on the host
	struct oz_rigid_sums *sums, *host_sums;
	uint *contacts, *host_contacts; // particles that touch walls
	uint32_t capacity;
	oz_float4 *normal, *wall_velocity; // scratch, of each slot
	uint *touched;                     // scratch, of each slot: the wall that presses it
	oz_float4 *friction_delta_v;       // scratch, m/s, of each particle: by friction
	float *stop;        // scratch, m/s, of each slot: impulse that has stopped it at a wall
	uint *stopper;      // scratch, of each slot: that wall
	oz_float4 *missing; // scratch, m/s, of each particle: w n of rigid_stop.cl
} oz_rigid_work;

typedef struct oz_rigid {
	OZ_RIGID_FIELDS(OZ_FIELD_MEMBER)
	oz_array bodies; // oz_rigid_body
	oz_array steps;  // oz_rigid_step of each
	oz_array leads;  // oz_rigid_lead
	bool failed;     // memory was out when a body was added
	oz_rigid_work work;
} oz_rigid;

#define oz_rigid_bodies(r) ((oz_rigid_body *)(r)->bodies.items)
#define oz_rigid_steps(r)  ((oz_rigid_step *)(r)->steps.items)
#define oz_rigid_leads(r)  ((oz_rigid_lead *)(r)->leads.items)

extern const oz_model_ops oz_rigid_model;

// Writes the state of a rigid body; false: the body is not rigid.
bool oz_rigid_get(const oz_sim *sim, oz_id body, oz_rigid_state *state);
// Continues a hash with the state of all rigid bodies.
uint64_t oz_rigid_hash(const oz_sim *sim, uint64_t hash);
// The angular velocity for an angular momentum, about the axis if there is one.
void oz_rigid_find_spin(const oz_rigid_body *body, const double momentum[3], double spin[3]);

// ---- rigid_lead.c ------------------------------------------------------------------------------

// Refuses keyframes that are wrong, and motions that exclude each other: keyframes, a velocity, an
// axis, and a material that is fixed.
oz_result oz_rigid_check_motion(const oz_sim *sim, const oz_body_def *def, oz_error *error);
// Leads the rigid body that was added last, if it has keyframes; false: out of memory.
bool oz_rigid_add_lead(oz_sim *sim, oz_rigid *rigid, const oz_addition *addition);
void oz_rigid_free_leads(oz_sim *sim, oz_rigid *rigid);
// Writes the velocities of the bodies that are led; after the step, their poses.
void oz_rigid_lead_bodies(const oz_sim *sim, const oz_rigid *rigid);
void oz_rigid_place_led(const oz_rigid *rigid);
// Leads a body to a pose by a call.
oz_result oz_rigid_move(oz_sim *sim, oz_id body, const oz_goal *goal, oz_error *error);
void oz_rigid_save_leads(const oz_rigid *rigid, oz_section *section);
oz_result oz_rigid_load_leads(oz_sim *sim, oz_rigid *rigid, oz_section *section, oz_error *error);
// A sentence if the motions do not fit the bodies.
const char *oz_rigid_check_leads(const oz_rigid *rigid);

// ---- rigid_step.c ------------------------------------------------------------------------------

// Take the memory of a step and give it back; release frees what lasts.
oz_result oz_rigid_reserve(oz_sim *sim, void *state, oz_error *error);
oz_result oz_rigid_done(oz_sim *sim, void *state, oz_error *error);
void oz_rigid_release(oz_sim *sim, oz_rigid *rigid);
// OZ_PASS_RIGID: sums the accelerations by all forces over each body and replaces them by those of
// its rigid motion.
oz_result oz_rigid_bind(oz_sim *sim, void *state, oz_error *error);
// For the incompressible pressure: set the mobility of particles, and replace accelerations by
// those of whole bodies (oz_bind_ops).
void oz_rigid_fix(oz_sim *sim, const void *state, oz_float4 *guess);
void oz_rigid_project(oz_sim *sim, const void *state, oz_float4 *acceleration);
void oz_rigid_join(oz_sim *sim, const void *state, oz_float4 *acceleration);
// OZ_PASS_PRESSED: adds the motion by the change of pressure and friction on walls.
oz_result oz_rigid_hold(oz_sim *sim, void *state, oz_error *error);
// OZ_PASS_MOVED: adds the changes of velocity by walls, moves the bodies and places their
// particles.
oz_result oz_rigid_place(oz_sim *sim, void *state, oz_error *error);

#endif
