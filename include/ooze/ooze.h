// ooze.h: everything between a liquid and a solid.
//
//   oz_world_def def = oz_world_default();      describe a world, then make it
//   oz_world *world;
//   oz_world_create(&def, &world, NULL);
//   oz_material_def water = oz_material_default(OZ_FLUID);
//   oz_world_add_material(world, &water, &water_id, NULL);
//   oz_world_add_body(world, &body, NULL, NULL);   particles of one material
//   oz_world_step(world, &report, NULL);           advance by one time step
//   oz_world_destroy(world);
//
// Definitions are copied by the call that gets them, so they may live on the stack. Materials,
// bodies and colliders of a world are named by small numbers (oz_id). Every call that can fail
// returns an oz_result and fills the oz_error, if it is not NULL; the library never prints, exits
// or aborts. Use a world in one thread at a time; different worlds are independent. SI units,
// right-handed, y up.
#ifndef OOZE_OOZE_H
#define OOZE_OOZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OZ_VERSION   "0.1.0"
#define OZ_NAME_SIZE 48 // bytes for the name of a material or body, with the closing zero
#define OZ_NONE      UINT32_MAX

#define OZ_NEVER_MELTS 1e6f // °C

// Groups members of a definition in an unnamed struct; they are accessed as direct members.
#ifdef __GNUC__
#define OZ_UNNAMED __extension__
#else
#define OZ_UNNAMED
#endif

// A member with two names; code with the earlier name still compiles.
#define OZ_RENAMED(type, name, earlier)                                                            \
	OZ_UNNAMED union {                                                                         \
		type name;                                                                         \
		type earlier;                                                                      \
	}

typedef struct oz_world oz_world;
typedef uint32_t
        oz_id; // of a material, body, collider, emitter or region: 0, 1, 2 … in order of creation

// ---- hooks ------------------------------------------------------------------------------------

// Allocates, resizes or (size 0) frees a block. Must return memory aligned to 64 bytes or NULL.
typedef void *(*oz_alloc_fn)(void *context, void *block, size_t old_size, size_t new_size);
typedef enum oz_log_level {
	OZ_LOG_INFO,
	OZ_LOG_WARNING,
	OZ_LOG_PROGRESS, // the text names work that begins and may take seconds; empty: it has
	                 // ended
} oz_log_level;
typedef void (*oz_log_fn)(void *context, oz_log_level level, const char *text);

typedef struct oz_hooks {
	oz_alloc_fn alloc; // NULL: the allocator of the C library
	oz_log_fn log;     // NULL: no log
	void *context;     // passed to both
} oz_hooks;

// ---- shapes -----------------------------------------------------------------------------------

// Shapes with an exact signed distance. They are used as bodies, filled with particles, and as
// colliders. The meaning of `size` depends on the kind; positions are relative to the shape's
// origin.
typedef enum oz_shape_kind {
	OZ_SHAPE_PLANE,    // half-space below y = 0 (colliders only)
	OZ_SHAPE_BOX,      // size: edge lengths x, y, z
	OZ_SHAPE_BALL,     // size.x: radius
	OZ_SHAPE_DOME,     // upper half of a ball, flat side at y = 0; size.x: radius
	OZ_SHAPE_CYLINDER, // around y; size.x: radius, size.y: height
	OZ_SHAPE_CAPSULE,  // around y; size.x: radius, size.y: height between the two centres
	OZ_SHAPE_TORUS,    // around y; size.x: radius of the ring, size.y: radius of the tube
	OZ_SHAPE_SHEET,    // one layer of particles in the xz plane; size.x, size.z: edges (bodies
	                   // only)
	OZ_SHAPE_ROD,      // one row of particles along y; size.y: length (bodies only)
	OZ_SHAPE_SDF,      // any form, given by a signed distance field (colliders only)
	OZ_SHAPE_COUNT
} oz_shape_kind;

typedef struct oz_sdf oz_sdf;

typedef struct oz_shape {
	oz_shape_kind kind;
	oz_vec3 size;     // m
	oz_vec3 position; // m
	oz_quat rotation;
	OZ_RENAMED(const oz_sdf *, sdf, chart); // of OZ_SHAPE_SDF only
} oz_shape;

typedef enum oz_fill {
	OZ_FILL_LATTICE,
	OZ_FILL_HEXAGONAL,
	OZ_FILL_BLUE_NOISE,
	OZ_FILL_COUNT
} oz_fill;

// Returns a shape of this kind and size at the origin, not rotated.
oz_shape oz_shape_make(oz_shape_kind kind, oz_vec3 size);
// Returns the signed distance (m) of a point from the shape's surface, negative inside.
float oz_shape_distance(const oz_shape *shape, oz_vec3 point);
// Fills a shape with points, one for each spacing³ of volume. The caller owns *points and frees it
// with oz_points_free. Fails if the shape is too thin for a point, or if memory is out.
oz_result oz_shape_fill(const oz_shape *shape, float spacing, oz_fill fill, oz_vec3 **points,
                        uint32_t *count, oz_error *error);
void oz_points_free(oz_vec3 *points);

// ---- signed distance fields --------------------------------------------------------------------

// The vector from the nearest point of a surface to a given point, and the signed distance of that
// point, negative inside.
typedef struct oz_nearest_point {
	float x, y, z; // m
	float distance;
} oz_nearest_point;

// Writes one record for each point. It is called from several threads at the same time.
typedef void (*oz_nearest_fn)(void *context, const oz_vec3 *points, uint32_t count,
                              oz_nearest_point *nearest);

typedef struct oz_sdf_def {
	oz_vec3 min, max; // m, a box around the surface
	float cell;       // m, edge of the grid's cells; half a spacing suits a world
	float reach; // m, distance from the surface that the grid covers; a support radius plus two
	             // cells is enough
	oz_nearest_fn nearest;
	void *context;    // passed to `nearest`
	uint32_t threads; // 0: one for each core
	oz_hooks hooks;
} oz_sdf_def;

// Makes a signed distance field: vectors and distances on a grid around a surface, from a function
// that computes nearest points. An SDF never changes. Worlds and callers share it by a reference
// count: oz_sdf_keep increments it and returns the SDF, oz_sdf_release decrements it and frees the
// SDF at 0; NULL is allowed.
oz_result oz_sdf_make(const oz_sdf_def *def, oz_sdf **sdf, oz_error *error);
const oz_sdf *oz_sdf_keep(const oz_sdf *sdf);
void oz_sdf_release(const oz_sdf *sdf);
// Interpolates vector and distance at a point; farther than `reach` from the surface the vector is
// zero and the distance is at least `reach`.
oz_nearest_point oz_sdf_at(const oz_sdf *sdf, oz_vec3 point);
size_t oz_sdf_bytes(const oz_sdf *sdf);

// ---- world ------------------------------------------------------------------------------------

// How pressures are found.
typedef enum oz_pressure {
	OZ_PRESSURE_EOS,            // from the density, by an equation of state
	OZ_PRESSURE_INCOMPRESSIBLE, // such that the volume is kept, by a solver
	OZ_PRESSURE_COUNT
} oz_pressure;

// How the incompressible pressures are solved for.
typedef enum oz_solver {
	OZ_SOLVER_ACCELERATED, // steps as long as the last one shows to be best
	OZ_SOLVER_JACOBI,      // relaxed Jacobi iteration (Ihmsen et al. 2014)
	OZ_SOLVER_COUNT
} oz_solver;

typedef enum oz_eos { OZ_EOS_LINEAR, OZ_EOS_TAIT, OZ_EOS_COUNT } oz_eos;
typedef enum oz_kernel_kind {
	OZ_KERNEL_CUBIC,    // cubic spline for density and gradient
	OZ_KERNEL_WENDLAND, // Wendland C2 for both
	OZ_KERNEL_MULLER,   // poly6 for density, spiky for the gradient
	OZ_KERNEL_FITTED,   // blind to the packing of particles; for a support of 2.2 spacings
	OZ_KERNEL_COUNT
} oz_kernel_kind;

typedef struct oz_world_def {
	float spacing;         // m, between particles at rest: the resolution
	float support;         // support radius of the kernels, in spacings
	oz_vec3 gravity;       // m/s²
	float sound_speed;     // m/s; about ten times the fastest flow
	oz_pressure pressure;  // how pressures are found
	oz_eos eos;            // equation of state: pressure from density
	oz_solver solver;      // of the incompressible pressure
	float density_error;   // mean error of the density at which that solver stops
	uint32_t max_rounds;   // of that solver in a step
	bool tension;          // pressure may become negative
	oz_kernel_kind kernel; // smoothing kernel
	float time_step;       // s, fixed; 0 adapts it to the flow
	float time_step_max;   // s, longest adapted step
	float cfl;             // time step over the longest stable one
	float skin; // extra radius of neighbour lists, in support radii; -1: chosen by the device
	float overlap_time;    // s, in which what overlapped when it was added gets stiff again
	float max_compression; // compression, relative to the rest density, that raises an event
	oz_vec3 bounds_min;    // m; a body with no particle inside these bounds has left
	oz_vec3 bounds_max;    // m
	const char *device;    // address of the device that runs steps; NULL: see oz_device_info
	uint32_t threads;      // 0: one for each core
	oz_hooks hooks;
	// Mean compression in a step by velocities at which the solver of the incompressible
	// pressure stops, if velocities and densities are solved for apart; 0: together.
	float divergence_error;
} oz_world_def;

// Returns a definition with the default of every parameter.
oz_world_def oz_world_default(void);
// Makes an empty world; *world is NULL on failure. Destroy it with oz_world_destroy.
oz_result oz_world_create(const oz_world_def *def, oz_world **world, oz_error *error);
// Frees a world with all its contents; NULL is allowed.
void oz_world_destroy(oz_world *world);

// A device that runs worlds. Its address is "cpu"; "opencl", the first of oz_devices; or
// "opencl:2", the third. If no address is given, it is OOZE_DEVICE of the environment, else "cpu".
typedef struct oz_device_info {
	char address[16];
	char name[96];
	char driver[128];
	uint64_t memory;  // bytes
	uint64_t largest; // bytes of the largest buffer; 0 for cpu
	uint32_t units;   // compute units, or threads
	bool gpu;
} oz_device_info;

// Writes up to `room` OpenCL devices of this machine into `devices`, GPUs first ("cpu" always
// exists and is not listed); returns how many there are. The first call may take a second, because
// it loads drivers.
uint32_t oz_devices(oz_device_info *devices, uint32_t room);

// ---- materials and bodies ---------------------------------------------------------------------

typedef enum oz_model {
	OZ_FLUID, // a liquid
	OZ_BLEND, // between a liquid and an elastic solid, by one number (Takamatsu & Kanai 2011)
	OZ_COROTATED, // an elastic solid, sheet or rod (Becker, Ihmsen & Teschner 2009)
	OZ_RIGID,     // a rigid body
	OZ_LINKS,     // a viscoelastic fluid: particles with links (Takahashi et al. 2014)
	OZ_POLYMER,   // a polymer solution: a fluid with viscoelastic stress
	OZ_MEMBRANE,  // an inflated skin, a closed mesh that holds gas (Mesit & Guha)
	OZ_MODEL_COUNT
} oz_model;

// α at a time; α is interpolated linearly between keys.
typedef struct oz_alpha_key {
	float time; // s; keys come in order of time
	float alpha;
} oz_alpha_key;

// How an elastic solid measures its deformation.
typedef enum oz_elasticity {
	OZ_ELASTIC_CORRECTED, // corotated, with kernel gradients that are exact for linear fields
	OZ_ELASTIC_PAPER,     // corotated as Becker et al. print it: too soft, most at surfaces
	OZ_ELASTIC_PLAIN,     // without rotations (Solenthaler et al. 2007): resists rotation
	OZ_ELASTIC_MLS,       // corotated moving least squares (after Müller et al. 2004)
	OZ_ELASTIC_COUNT
} oz_elasticity;

typedef enum oz_strain { OZ_STRAIN_LINEAR, OZ_STRAIN_GREEN, OZ_STRAIN_COUNT } oz_strain;

// How the viscosity of a fluid acts.
typedef enum oz_viscous_form {
	OZ_VISCOUS_AUTO,   // as stress from 0.05 Pa·s on, or with a law other than Newton's
	OZ_VISCOUS_PAIRS,  // as a force between pairs, in explicit steps; for thin fluids
	OZ_VISCOUS_STRESS, // as the stress of the velocity gradient, solved implicitly
	OZ_VISCOUS_COUNT
} oz_viscous_form;

// How links pull.
typedef enum oz_link_law {
	OZ_LINKS_STRETCH, // links that are too long pull (Takahashi et al. 2014)
	OZ_LINKS_SPRINGS, // they also push; at predicted positions (Clavet et al. 2005)
	OZ_LINK_LAW_COUNT
} oz_link_law;

// How the stress of a polymer follows the flow.
typedef enum oz_polymer_law {
	OZ_POLYMER_OLDROYD,      // Oldroyd-B: chains that stretch with the flow and relax
	OZ_POLYMER_GIESEKUS,     // the same, relaxing faster where they are stretched
	OZ_POLYMER_COROTATIONAL, // Maxwell's law in a frame that rotates with the fluid
	OZ_POLYMER_LAW_COUNT
} oz_polymer_law;

// How the skin of a membrane resists stretch.
typedef enum oz_skin_law {
	OZ_SKIN_LINEAR,  // stress linear in Green's strain, in each triangle
	OZ_SKIN_RUBBER,  // Mooney & Rivlin: softer when stretched, and keeps its volume
	OZ_SKIN_SPRINGS, // springs along the edges, as in the paper
	OZ_SKIN_COUNT
} oz_skin_law;

// How membranes are integrated.
typedef enum oz_integration {
	OZ_INTEGRATE_IMPLICIT,   // by conjugate gradients
	OZ_INTEGRATE_SIMPLIFIED, // the approximation of the paper (Kang et al. 2000)
	OZ_INTEGRATE_EXPLICIT,   // with short time steps
	OZ_INTEGRATE_COUNT
} oz_integration;

// What a membrane holds.
typedef enum oz_filling {
	OZ_FILLING_GAS,    // ideal gas
	OZ_FILLING_LIQUID, // a liquid that keeps its volume
	OZ_FILLING_NONE,   // nothing: no pressure, as if it were open
	OZ_FILLING_COUNT
} oz_filling;

// What of a skin presses on particles of other bodies.
typedef enum oz_skin_contact {
	OZ_SKIN_FACES,  // its points, and its faces where they are large
	OZ_SKIN_POINTS, // its points only
	OZ_SKIN_CONTACT_COUNT
} oz_skin_contact;

#define OZ_CURVE_MOST 8
// A value over another one: points in ascending order of x; between two points the logarithm of y
// is linear, beyond the ends y is constant.
typedef struct oz_curve {
	uint32_t count;                 // 0: there is no table
	float points[OZ_CURVE_MOST][2]; // x, y
} oz_curve;

typedef struct oz_material_def {
	char name[OZ_NAME_SIZE];
	oz_model model;
	float density;   // kg/m³ at rest
	float viscosity; // Pa·s
	float damping;   // of noise, no unit: artificial viscosity; resistance to compression in
	                 // fluids with OZ_KERNEL_FITTED

	// heat
	OZ_UNNAMED struct {
		float conductivity;  // W/(m·K); 0: conducts no heat
		float heat_capacity; // J/(kg·K)
		float melting_point; // °C, start of melting; OZ_NEVER_MELTS or more: never
		float melting_range; // K, from the start to the end of melting
		float latent_heat;   // J/kg for melting, spread over the range
	};

	// of OZ_FLUID only; cohesion and the influence of temperature of OZ_LINKS, too
	OZ_UNNAMED struct {
		float cohesion;        // Pa, largest tension when stretched
		float surface_tension; // N/m, against air
		oz_viscous_form viscous_form;
		float yield_stress;      // Pa, stress below which it hardly flows
		float flow_exponent;     // n: below 1 it thins under shear, above it thickens
		float creep_rate;        // 1/s, rate of shear below which it flows as a very thick
		                         // Newtonian fluid
		float carreau_time;      // s; above 0 Carreau's law holds
		float fast_viscosity;    // Pa·s, of Carreau's law at high rates of shear
		float activation_energy; // J/mol, of Arrhenius' law; 0: none
		float viscosity_temperature; // °C, at which `viscosity` and yield_stress hold
		oz_curve viscosity_table; // °C, Pa·s: the viscosity over temperature, in place of
		                          // activation_energy
		float rebuild_time; // s, in which the structure of a fluid at rest rebuilds; 0: it
		                    // has none
		float breakdown;    // share of the structure that breaks for each unit of shear
		float broken_share; // viscosity without structure over that with all of it
	};

	// of OZ_BLEND only
	OZ_UNNAMED struct {
		float alpha;          // share of the fluid: 0 an elastic solid, 1 a liquid
		float alpha_hot;      // the same above the melting range; linear inside it
		float cluster_radius; // of shape matching, in spacings; 0: the support radius
		float response;     // s, time in which a shape returns: shorter is stiffer (Δt_SM
		                    // of the paper); 0: as stiff as the speed of sound allows
		float update_force; // m/s², γ_u: contact above which the rest shape is replaced by
		                    // the present shape, at α = 0
		uint32_t update_steps; // m_u: steps between two tests of that contact
		bool merges;           // components may merge with others that may
		bool paper;            // as the paper prints it; of OZ_LINKS, too
		const oz_alpha_key
		        *alpha_keys; // NULL: alpha is constant; read only during the call
		uint32_t alpha_key_count;
	};

	// of OZ_COROTATED only
	OZ_UNNAMED struct {
		float young_modulus; // Pa
		float poisson_ratio;
		oz_elasticity elasticity;
		oz_strain strain;
		float hourglass;     // stiffness of motion that is not linear; 1 bends bodies right
		float bending;       // stiffness of sheets and rods, relative to that of their
		                     // thickness
		bool implicit;       // implicit time integration: long time steps for stiff solids
		float friction;      // Coulomb coefficient between solids
		float contact_angle; // °, of liquids on it
		bool fixed;          // a rigid body that does not move
	};

	// of OZ_LINKS only
	OZ_UNNAMED struct {
		float shear_modulus;   // Pa, of small deformations
		float relaxation_time; // s, in which the stress of a held shape falls to 1/e
		float yield_strain;    // stretch below which a link does not relax
		float extensibility;   // support radii, length at which a link breaks
		float sticky;     // Pa, tension at which it comes off other things; 0: never sticks
		float link_reach; // support radii, distance below which links are made
		oz_link_law link_law;  // how links pull
		float link_correction; // with `paper`: c, share of the stretch that a step takes
		                       // back
		float link_least;      // l, least value of c
		float link_weakening;  // w, 1/s, fall of c for each link beyond link_yield
		float link_yield;      // γ, support radii, stretch above which c falls
	};

	// of OZ_POLYMER only, with cohesion, activation_energy, viscosity_temperature,
	// shear_modulus and relaxation_time
	OZ_UNNAMED struct {
		oz_polymer_law polymer_law;
		float mobility; // of OZ_POLYMER_GIESEKUS
	};

	// of OZ_MEMBRANE only; density, young_modulus and poisson_ratio are those of the skin
	OZ_UNNAMED struct {
		float thickness;  // m, of the skin
		float prestretch; // stretch of the skin in the shape that the body is given
		oz_skin_law skin_law;
		oz_integration integration;
		oz_filling filling;
		float gauge_pressure;   // Pa, inside over outside in the shape that is given
		float gas_amount;       // mol; 0: from gauge_pressure
		float outside_pressure; // Pa
		float bulk_modulus;     // Pa, of a liquid filling
		float skin_damping;     // s, viscous stress over elastic stress and rate
		float opening;          // m², area through which the filling passes
		float tear;             // stretch at which the skin tears; 0: never
		float yield_stretch;    // stretch above which rest lengths follow; 0: never
		oz_skin_contact skin_contact;
		float filling_density; // kg/m³, of a liquid filling
		// the points of the skin as those of a fluid in a layer of its thickness; 0: none
		float surface_stiffness; // Pa, bulk modulus of the layer, k of the paper
		float surface_viscosity; // Pa·s, of the layer
		// a valve: s, amount over that at first; s, m², its opening, in place of
		// `opening`; linear between points
		oz_curve filling_table, opening_table;
	};
} oz_material_def;

oz_material_def oz_material_default(oz_model model);
oz_result oz_world_add_material(oz_world *world, const oz_material_def *def, oz_id *material,
                                oz_error *error);

// A pose at a time.
typedef struct oz_keyframe {
	float time;       // s; keyframes come in order of time
	oz_vec3 position; // m
	oz_quat rotation; // reached from the one before by the shortest rotation
} oz_keyframe;

typedef struct oz_body_def {
	char name[OZ_NAME_SIZE]; // empty: "body NUMBER"
	oz_id material;
	const oz_vec3 *points; // m, one for each particle; only read during the call
	uint32_t count;
	oz_vec3 velocity;    // m/s
	oz_vec3 spin;        // rad/s about the points' mean
	const float *alphas; // one for each particle, of OZ_BLEND; NULL: the material's
	uint32_t join;       // of OZ_COROTATED and OZ_RIGID: bodies with the same number are glued
	                     // together where they are nearer than a support radius, two rigid
	                     // bodies excepted; 0: not glued
	float temperature;   // °C
	oz_vec3 axis; // of OZ_RIGID: it only rotates, about this axis through its centre; 0: free
	const uint32_t (*triangles)[3]; // of OZ_MEMBRANE: a closed mesh between the points; only
	                                // read during the call
	uint32_t triangle_count;
	// of OZ_RIGID: they lead it, and no force moves it; NULL: none. The points are those in the
	// pose of the first; read only during the call
	const oz_keyframe *keyframes;
	uint32_t keyframe_count;
	bool loop; // repeat the keyframes
} oz_body_def;

oz_body_def oz_body_default(void);
// Adds particles as one body; a body may be empty. Bodies with `join` must be added before the
// first step.
oz_result oz_world_add_body(oz_world *world, const oz_body_def *def, oz_id *body, oz_error *error);
// Fills a shape with particles of a material, as a lattice of the world's spacing, and adds them as
// one body at rest; `body` may be NULL.
oz_result oz_world_add_shape(oz_world *world, const oz_shape *shape, oz_id material, oz_id *body,
                             oz_error *error);

// ---- colliders --------------------------------------------------------------------------------

typedef struct oz_collider_def {
	oz_shape shape;      // its position and rotation are used if there are no keyframes
	bool inside;         // the material is inside the shape (a vessel), not outside
	bool shell;          // only the surface is solid, with material on both sides
	bool flat;           // treated as a plane at each contact, as in Harada et al.
	bool load;           // sum force and torque of the material, for oz_world_take_load
	float friction;      // Coulomb coefficient
	float restitution;   // normal speed after an impact over that before
	bool slip;           // fluids slide along it freely; else viscosity holds them
	bool sticks;         // sticky materials stick to it
	float contact_angle; // °, between its surface and that of a liquid, in the liquid
	const oz_keyframe *keyframes; // NULL: fixed; read only during the call
	uint32_t keyframe_count;
	bool loop; // repeat the keyframes
} oz_collider_def;

oz_collider_def oz_collider_default(oz_shape shape);
oz_result oz_world_add_collider(oz_world *world, const oz_collider_def *def, oz_id *collider,
                                oz_error *error);

// Force, torque and work between the material and a collider.
typedef struct oz_load {
	double span;      // s, time of the sums
	double force[3];  // N, mean over the span
	double torque[3]; // N·m about the collider's position, mean over the span
	double work;      // J done by the collider on the material
} oz_load;

// Returns the load of a collider with `load` set, since the last call, or since the collider was
// added or the world loaded.
oz_result oz_world_take_load(oz_world *world, oz_id collider, oz_load *load, oz_error *error);

// Moves a collider by a call: from its present pose, evenly, to a pose that it reaches at `time`,
// s; at the end of the next step, if `time` is not after the time of the world. It then stands
// there until the next call. Its keyframes no longer count. Fails if it would move by more than a
// support radius in a step.
oz_result oz_world_move_collider(oz_world *world, oz_id collider, oz_vec3 position,
                                 oz_quat rotation, double time, oz_error *error);
// Puts a collider to a pose at once: the wall has no velocity, and particles that are inside it now
// are pushed out in the next step.
oz_result oz_world_place_collider(oz_world *world, oz_id collider, oz_vec3 position,
                                  oz_quat rotation, oz_error *error);

// ---- rigid bodies -----------------------------------------------------------------------------

// The pose, motion and load of a rigid body.
typedef struct oz_rigid_state {
	double position[3];         // m, its centre of mass
	double rotation[4];         // from its pose when it was added; quaternion x y z w
	double velocity[3];         // m/s
	double spin[3];             // rad/s
	double mass;                // kg
	double force[3], torque[3]; // N, N·m about its centre, in the last step, without gravity
} oz_rigid_state;

// Writes the state of a rigid body; fails if the body is not of the model OZ_RIGID.
oz_result oz_world_get_rigid(const oz_world *world, oz_id body, oz_rigid_state *state,
                             oz_error *error);

// Moves a rigid body that has keyframes by a call, as oz_world_move_collider moves a collider; the
// pose is one of its keyframes.
oz_result oz_world_move_rigid(oz_world *world, oz_id body, oz_vec3 position, oz_quat rotation,
                              double time, oz_error *error);

// ---- membranes --------------------------------------------------------------------------------

// What a membrane holds, and its skin.
typedef struct oz_membrane_state {
	double volume;      // m³
	double pressure;    // Pa, inside over outside
	double amount;      // mol of gas; m³ of a liquid
	double temperature; // °C
	double area;        // m², of the skin
	double torn;        // m², of holes
	double mass;        // kg, of the skin and of a liquid filling
	uint32_t points, faces, edges;
	uint32_t chambers; // closed shells, each with a filling of its own
} oz_membrane_state;

// Writes the state of a membrane, as of the last step; fails if the body is not of the model
// OZ_MEMBRANE. Of several chambers it gives the sums, and the mean pressure and temperature.
oz_result oz_world_get_membrane(const oz_world *world, oz_id body, oz_membrane_state *state,
                                oz_error *error);
// The same of one chamber, numbered from 0 in the order of the lowest points.
oz_result oz_world_get_chamber(const oz_world *world, oz_id body, uint32_t chamber,
                               oz_membrane_state *state, oz_error *error);
// Sets what a membrane holds, mol of gas or m³ of a liquid, as through a valve; fails if the body
// is not of the model OZ_MEMBRANE or the amount is negative or not finite. Chambers keep their
// shares.
oz_result oz_world_fill_membrane(oz_world *world, oz_id body, double amount, oz_error *error);
// Makes an even closed mesh of the surface of a shape, with a point for each spacing², for a
// membrane; the caller frees the points with oz_points_free and the triangles with
// oz_triangles_free.
oz_result oz_shape_cover(const oz_shape *shape, float spacing, oz_vec3 **points, uint32_t *count,
                         uint32_t (**triangles)[3], uint32_t *triangle_count, oz_error *error);
void oz_triangles_free(uint32_t (*triangles)[3]);

// ---- handles ----------------------------------------------------------------------------------

// A handle fixes particles of elastic solids to its motion: to pin a beam to a wall, to twist, pull
// or press it. It does not move particles through a collider, and releases particles that melt.
typedef struct oz_handle_def {
	oz_shape shape; // particles inside it when the handle is added are held; its position and
	                // rotation are used if there are no keyframes
	oz_id body;     // only particles of this body; OZ_NONE: of all bodies
	float release;  // s, time at which it releases its particles
	const oz_keyframe *keyframes; // NULL: fixed; read only during the call. The first is the
	                              // pose in which it is added
	uint32_t keyframe_count;
	bool loop; // repeat the keyframes
} oz_handle_def;

oz_handle_def oz_handle_default(oz_shape shape);
// Adds a handle; add the bodies first. Fails if no particle is inside.
oz_result oz_world_add_handle(oz_world *world, const oz_handle_def *def, oz_id *handle,
                              oz_error *error);
// Moves a handle by a call, with all that it holds, as oz_world_move_collider moves a collider.
oz_result oz_world_move_handle(oz_world *world, oz_id handle, oz_vec3 position, oz_quat rotation,
                               double time, oz_error *error);
// Releases the particles of a handle now. The handle stays, and can be moved and hold again.
oz_result oz_world_release_handle(oz_world *world, oz_id handle, oz_error *error);
// Lets a handle hold the free particles of elastic solids that are inside its shape in its present
// pose, until it is released by a call. Fails if there are none.
oz_result oz_world_hold_handle(oz_world *world, oz_id handle, oz_error *error);
// The number of handles, also of those that have released their particles.
uint32_t oz_world_handle_count(const oz_world *world);

// ---- emitters ---------------------------------------------------------------------------------

typedef struct oz_emitter_def {
	oz_id material;
	oz_vec3 position;  // m, centre of the opening
	oz_vec3 direction; // of the jet; any length except zero
	float radius;      // m, of a round opening; not used if width and height are above 0
	float width;    // m, of a rectangular opening: horizontal, along x if the jet is vertical
	float height;   // m, at right angles to the jet and the width; 0 with width 0: round
	float roll;     // °, rotation of a rectangular opening about the jet
	float speed;    // m/s at the opening
	float rate;     // m³/s; 0: a full jet, area × speed
	float start;    // s
	float duration; // s
	float temperature; // °C
} oz_emitter_def;

oz_emitter_def oz_emitter_default(oz_id material);
// Adds an emitter and a new, empty body for its particles.
oz_result oz_world_add_emitter(oz_world *world, const oz_emitter_def *def, oz_id *emitter,
                               oz_error *error);

// ---- regions ----------------------------------------------------------------------------------

// A region that heats or cools: the temperature of particles inside approaches that of the region,
// the difference falls as exp(-rate t). Latent heat slows this down inside a melting range.
typedef struct oz_region_def {
	oz_shape shape;    // any kind with an inside, except OZ_SHAPE_SDF
	float temperature; // °C
	float rate;        // 1/s
	float start;       // s
	float duration;    // s
} oz_region_def;

oz_region_def oz_region_default(oz_shape shape);
// Adds a region.
oz_result oz_world_add_region(oz_world *world, const oz_region_def *def, oz_id *region,
                              oz_error *error);

// ---- adhesion ---------------------------------------------------------------------------------

// Whether particles of two materials stick to each other. Without an entry they do if one has links
// and `sticky` > 0, and the other is a solid or has links and `sticky` > 0, too.
typedef struct oz_adhesion_def {
	oz_id material, other;
	bool sticks;
} oz_adhesion_def;

oz_adhesion_def oz_adhesion_default(oz_id material, oz_id other);
// Adds an entry to the table of adhesion; of two entries for the same materials the later counts.
// The next step removes links between the two that it forbids, or links them wherever they are near
// each other, also where links have come off. Fails if the entry could have no effect.
oz_result oz_world_add_adhesion(oz_world *world, const oz_adhesion_def *def, oz_error *error);

// ---- interfaces -------------------------------------------------------------------------------

// The tension between two liquids that do not mix. Without an entry two liquids have none.
typedef struct oz_interface_def {
	oz_id material, other;
	float tension; // N/m; -1: the difference of both surface tensions (Antonow's rule)
} oz_interface_def;

oz_interface_def oz_interface_default(oz_id material, oz_id other);
// Adds an entry to the table of interfaces, or overwrites that of the same two materials. At most
// four liquids of a world can have entries.
oz_result oz_world_add_interface(oz_world *world, const oz_interface_def *def, oz_error *error);

// ---- stepping ---------------------------------------------------------------------------------

#define OZ_STAGES(X)                                                                               \
	X(EMIT, "emit")                                                                            \
	X(TOPOLOGY, "topology")                                                                    \
	X(NEIGHBOURS, "neighbours")                                                                \
	X(WALLS, "walls")                                                                          \
	X(DENSITY, "density")                                                                      \
	X(HEAT, "heat")                                                                            \
	X(FORCES, "forces")                                                                        \
	X(SHAPE, "shape")                                                                          \
	X(LINKS, "links")                                                                          \
	X(VISCOUS, "viscous")                                                                      \
	X(ELASTIC, "elastic")                                                                      \
	X(PRESSURE, "pressure")                                                                    \
	X(MOVE, "move")                                                                            \
	X(MEASURE, "measure")

typedef enum oz_stage {
#define OZ_STAGE_CODE(code, name) OZ_STAGE_##code,
	OZ_STAGES(OZ_STAGE_CODE)
#undef OZ_STAGE_CODE
	        OZ_STAGE_COUNT
} oz_stage;

// Which rule set the time step.
typedef enum oz_limit {
	OZ_LIMIT_FIXED,     // time_step of the definition
	OZ_LIMIT_MAX,       // time_step_max
	OZ_LIMIT_SPEED,     // distance that the fastest particle moves (Takamatsu eq 12)
	OZ_LIMIT_SOUND,     // distance that sound travels
	OZ_LIMIT_FORCE,     // distance that the largest acceleration moves a particle from rest
	OZ_LIMIT_VISCOSITY, // distance over which momentum diffuses
	OZ_LIMIT_ELASTIC,   // a shape must not overshoot its goal
	OZ_LIMIT_HEAT,      // distance over which heat diffuses
	OZ_LIMIT_TENSION,   // period of the shortest capillary wave
	OZ_LIMIT_COUNT
} oz_limit;

typedef struct oz_step_report {
	uint64_t step;          // number of steps so far, with this one
	double time;            // s, at the end of this step
	float time_step;        // s, of this step
	oz_limit limit;         // the rule that set time_step
	float models_time_step; // s, the longest step that materials allow, whatever speed and
	                        // pressure
	uint32_t particles;
	OZ_RENAMED(uint32_t, components, lumps); // connected pieces of bodies with a rest shape
	uint32_t rounds;                         // iterations of the implicit solver
	uint32_t pressure_rounds;                // iterations of the incompressible pressure
	float density_error;    // mean error of the predicted density that these left
	float neighbours;       // mean number within the support radius and skin
	bool rebuilt;           // neighbour lists were rebuilt
	float max_speed;        // m/s
	float max_acceleration; // m/s²
	float mean_compression; // mean of max(density / rest density - 1, 0) over all particles
	float max_compression;  // largest density / rest density - 1
	uint32_t repaired;      // particles that turned non-finite and were put to rest
	uint64_t stage_ns[OZ_STAGE_COUNT];
	// with divergence_error: of pressure_rounds those for velocities alone, and the mean
	// compression by velocities that these left
	uint32_t divergence_rounds;
	float divergence_error;
} oz_step_report;

// Advances by up to `most` time steps, at most to the time `until` (s; INFINITY: no limit).
// `reports` has room for `most` reports, or is NULL; *taken (may be NULL) gets the number of steps,
// also if one fails. With a fixed time step a GPU runs many steps without waiting for the host.
oz_result oz_world_run(oz_world *world, double until, uint32_t most, oz_step_report *reports,
                       uint32_t *taken, oz_error *error);
// Advances by one time step; `report` may be NULL.
oz_result oz_world_step(oz_world *world, oz_step_report *report, oz_error *error);
// The same, but ends exactly at `time` if the step would pass it (for frames at fixed times).
oz_result oz_world_step_until(oz_world *world, double time, oz_step_report *report,
                              oz_error *error);
const char *oz_stage_name(oz_stage stage);
const char *oz_limit_name(oz_limit limit);

typedef enum oz_event_kind {
	OZ_EVENT_BODY_LEFT,     // all particles of a body are outside the bounds
	OZ_EVENT_NAN,           // particles turned non-finite and were put to rest
	OZ_EVENT_NOT_CONVERGED, // compression above max_compression, or the implicit solver did not
	                        // converge
	OZ_EVENT_UNSTABLE,      // the fixed time step is far longer than the stable one
	OZ_EVENT_COMPONENTS,    // bodies of blends or elastic solids have split or merged
	OZ_EVENT_LONE,          // particles of elastic solids have no rest neighbour
	OZ_EVENT_COUNT
} oz_event_kind;

typedef struct oz_event {
	oz_event_kind kind;
	uint64_t step;
	double time;    // s
	oz_id body;     // OZ_NONE: the event concerns no single body
	float value;    // number of particles (NAN, LONE); compression or relative residual
	                // (NOT_CONVERGED); time step over the stable one (UNSTABLE); number of
	                // components (COMPONENTS)
	char text[160]; // a sentence with the setting that helps
} oz_event;

// Removes the oldest event from the queue and returns it in *event; false if there is none.
bool oz_world_next_event(oz_world *world, oz_event *event);

// ---- changes between steps ---------------------------------------------------------------------

// Sets the gravity from the next step on.
oz_result oz_world_set_gravity(oz_world *world, oz_vec3 gravity, oz_error *error);
// Sets the parameters of a material from the next step on. Begin with a copy of
// oz_world_get_material. Fails if one is out of its range, or is one that cannot change: model,
// density, alpha_keys, cluster_radius, paper, elasticity, implicit, fixed, link_law, link_reach,
// thickness, prestretch, gauge_pressure, gas_amount. Its name stays.
oz_result oz_world_set_material(oz_world *world, oz_id material, const oz_material_def *def,
                                oz_error *error);

// ---- reading state ----------------------------------------------------------------------------

typedef enum oz_field {
	OZ_FIELD_POSITION,     // oz_vec3, m
	OZ_FIELD_VELOCITY,     // oz_vec3, m/s, at the middle of the last step
	OZ_FIELD_ACCELERATION, // oz_vec3, m/s², of the last step; zero in a world just loaded
	OZ_FIELD_DENSITY,      // float, kg/m³, of the last step; zero in a world just loaded
	OZ_FIELD_PRESSURE,     // float, Pa, of the last step; zero in a world just loaded
	OZ_FIELD_ID,           // uint32_t, never changes
	OZ_FIELD_BODY,         // uint32_t
	OZ_FIELD_MATERIAL,     // uint32_t
	OZ_FIELD_TEMPERATURE,  // float, °C
	OZ_FIELD_PHASE,        // uint32_t, 1: has a rest shape, 0: flows
	OZ_FIELD_COUNT
} oz_field;

// A field in memory: element i begins at data + i * stride bytes. Valid until the next call that
// changes the world. Steps change the order of particles; OZ_FIELD_ID identifies them.
typedef struct oz_view {
	const void *data;
	size_t stride;  // bytes
	uint32_t count; // particles
} oz_view;

oz_result oz_world_view(oz_world *world, oz_field field, oz_view *view, oz_error *error);

typedef struct oz_stats {
	double time; // s
	uint64_t step;
	uint32_t particles;
	double mass;               // kg
	double kinetic_energy;     // J
	double potential_energy;   // J, in the field of gravity, zero at the origin
	double compression_energy; // J, by an equation of state, at the begin of the last step
	double elastic_energy; // J, of elastic bodies and blends at mid-step; 0 before the first
	                       // step
	double momentum[3];    // kg·m/s
	double angular_momentum[3]; // kg·m²/s about the origin
	double centre[3];           // m, of mass
	oz_vec3 min, max;           // m, the box around all particles
} oz_stats;

// Computes sums over all particles in double precision; they do not depend on the number of
// threads.
oz_result oz_world_stats(oz_world *world, oz_stats *stats, oz_error *error);

double oz_world_time(const oz_world *world);
uint64_t oz_world_step_count(const oz_world *world);
uint32_t oz_world_particle_count(const oz_world *world);
uint32_t oz_world_body_count(const oz_world *world);
uint32_t oz_world_material_count(const oz_world *world);
uint32_t oz_world_collider_count(const oz_world *world);
uint32_t oz_world_region_count(const oz_world *world);
uint32_t oz_world_interface_count(const oz_world *world);
// All bytes that the world has allocated now, on the host and on the device.
size_t oz_world_bytes(const oz_world *world);
uint32_t oz_world_threads(const oz_world *world);
// Sets whether reports have the time of each stage. On the CPU they always have. On a GPU this is
// off at first, because it makes steps a little slower.
void oz_world_time_stages(oz_world *world, bool timed);
// The device of the world; valid until the world is destroyed.
const oz_device_info *oz_world_device(const oz_world *world);
const oz_world_def *oz_world_get_def(const oz_world *world);
// NULL if there is no such material.
const oz_material_def *oz_world_get_material(const oz_world *world, oz_id material);
// NULL if there is no such region.
const oz_region_def *oz_world_get_region(const oz_world *world, oz_id region);
// NULL if there is no such entry of the table of interfaces.
const oz_interface_def *oz_world_get_interface(const oz_world *world, oz_id entry);
// NULL if there is no such body.
const char *oz_world_body_name(const oz_world *world, oz_id body);
// Writes the shape of a collider with its pose at the world's time, and its flag `inside`.
oz_result oz_world_get_collider(const oz_world *world, oz_id collider, oz_shape *shape,
                                bool *inside, oz_error *error);
// Writes the component of every particle into `components`, in the order of the views. The number
// of a component is the lowest index of its particles; OZ_NONE: the particle is in no component.
oz_result oz_world_get_components(oz_world *world, uint32_t *components, oz_error *error);
// A hash of the state that determines the next steps: all saved fields of particles and of bodies
// with a rest shape, the time, the values that set the next time step, and the progress of
// emitters. Definitions are not part of it.
uint64_t oz_world_hash(oz_world *world);

// ---- snapshots --------------------------------------------------------------------------------

// Writes the whole world to one file, first under a temporary name, so that a crash leaves either
// the old file or the new one.
oz_result oz_world_save(oz_world *world, const char *path, oz_error *error);
// Makes a world from a file. On the same kind of device its next steps are equal, bit for bit, to
// those of the saved world. `device`, `threads` and `hooks` are given by the caller (NULL:
// defaults); all else comes from the file.
oz_result oz_world_load(const char *path, const char *device, uint32_t threads,
                        const oz_hooks *hooks, oz_world **world, oz_error *error);

// ---- parameters -------------------------------------------------------------------------------

typedef enum oz_param_type {
	OZ_PARAM_FLOAT,
	OZ_PARAM_VEC3,
	OZ_PARAM_UINT,
	OZ_PARAM_BOOL,
	OZ_PARAM_CHOICE, // an enum; `choices` lists its words, separated by spaces
	OZ_PARAM_STRING,
	OZ_PARAM_QUAT,  // in scenes: Euler angles in degrees, about x, then y, then z
	OZ_PARAM_TABLE, // an oz_curve; in scenes: [[x, y], [x, y]]
} oz_param_type;

// One row of the parameter table. The schema, --help, the docs and the sliders are made from it.
typedef struct oz_param {
	const char *name;
	oz_param_type type;
	const char *unit;    // "" for none
	double value[4];     // default
	double min, max;     // of each component
	const char *choices; // OZ_PARAM_CHOICE only
	const char *sentence;
	const char *hint; // ends the error for a number outside its range; NULL: none
	size_t offset;    // of the field in its definition struct
	uint32_t models;  // bit m: used by materials of model m; 0: used by all
} oz_param;

typedef enum oz_param_group {
	OZ_PARAMS_WORLD,     // of oz_world_def
	OZ_PARAMS_MATERIAL,  // of oz_material_def
	OZ_PARAMS_SHAPE,     // of oz_shape
	OZ_PARAMS_BODY,      // of oz_body_def
	OZ_PARAMS_COLLIDER,  // of oz_collider_def
	OZ_PARAMS_EMITTER,   // of oz_emitter_def
	OZ_PARAMS_KEYFRAME,  // of oz_keyframe
	OZ_PARAMS_HANDLE,    // of oz_handle_def
	OZ_PARAMS_SURFACE,   // of oz_surface_def (surface.h)
	OZ_PARAMS_REGION,    // of oz_region_def
	OZ_PARAMS_ADHESION,  // of oz_adhesion_def
	OZ_PARAMS_INTERFACE, // of oz_interface_def
	OZ_PARAMS_COUNT
} oz_param_group;

// Returns the rows of a group, a static array; *count (may be NULL) gets their number. NULL for an
// unknown group.
const oz_param *oz_params(oz_param_group group, uint32_t *count);
const char *oz_params_name(oz_param_group group);
// Sets every field of a definition that has a row to its default.
void oz_params_default(oz_param_group group, void *def);
// Checks that every field of a definition is in its range; the error sentence begins with `where`
// ("bodies[2]").
oz_result oz_params_check(oz_param_group group, const void *def, const char *where,
                          oz_error *error);

// ---- earlier names ----------------------------------------------------------------------------

// Old names, which still compile; use the names on the right.
#define oz_chart           oz_sdf
#define oz_chart_def       oz_sdf_def
#define oz_chart_make      oz_sdf_make
#define oz_chart_keep      oz_sdf_keep
#define oz_chart_release   oz_sdf_release
#define oz_chart_at        oz_sdf_at
#define oz_chart_bytes     oz_sdf_bytes
#define oz_lead            oz_nearest_point
#define oz_world_get_lumps oz_world_get_components
#define OZ_SHAPE_CHART     OZ_SHAPE_SDF
#define OZ_EVENT_LUMPS     OZ_EVENT_COMPONENTS

#ifdef __cplusplus
}
#endif
#endif
