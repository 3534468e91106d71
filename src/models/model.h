// model.h: the interface of models.
//
// A model is a static table of functions over whole arrays, a state, and fields. The world calls
// the tables in their order and does not name a model. A model reads and writes the oz_sim that its
// functions are given and does not include world/. docs/architecture.md describes how to add one.
#ifndef OZ_MODEL_H
#define OZ_MODEL_H

#include "contact/slots.h"
#include "models/traits.h"
#include "params/section.h"
#include "particles/sim.h"

// The passes of a step, in their order. A model may have a function for each.
typedef enum oz_pass {
	// prepare, on the host; all but RESERVE only in worlds with slots
	OZ_PASS_FOLLOW,   // update values that depend on time or temperature
	OZ_PASS_CHANGE,   // melt and freeze: slots leave and join rest shapes
	OZ_PASS_DECIDE,   // mark components that take a new rest shape (slots->reshape)
	OZ_PASS_GROUP,    // change the groups within which rest neighbours are searched
	OZ_PASS_LISTED,   // rest lists have been made anew
	OZ_PASS_RESHAPED, // marked components have their new rest shape
	OZ_PASS_JOINED,   // rest neighbours are joined to components; join more slots
	OZ_PASS_NAMED,    // the component of each slot is known
	OZ_PASS_RESERVE,  // take the scratch of this step
	// on the device
	OZ_PASS_DENSITY, // δ of all particles and δc of all slots are known; add to them
	OZ_PASS_HEAT,
	OZ_PASS_FORCES, // after contact; the fluid, first in the table, writes the accelerations of
	                // plain particles, all others add to them
	OZ_PASS_SHAPE,  // add the accelerations of shape matching
	OZ_PASS_LINKS,  // add the accelerations of links
	OZ_PASS_VISCOUS, // add the accelerations of viscous stress
	OZ_PASS_STRESS,  // within VISCOUS: velocity gradients of thick fluids are known; add
	                 // stress to them
	OZ_PASS_ELASTIC, // add the accelerations of elastic stress
	OZ_PASS_RIGID,   // make accelerations of rigid bodies those of a rigid motion
	OZ_PASS_PRESSED, // pressures are known
	OZ_PASS_MOVED,   // particles have moved
	OZ_PASS_DONE,    // give the scratch back; called after a failed step too
	OZ_PASS_COUNT
} oz_pass;

// flags of `needs_host`: when the passes of the host must run
#define OZ_HOST_NOW    1u // in the step that begins now
#define OZ_HOST_ALWAYS 2u // in every step: no step may be launched ahead of the host

#define OZ_ALL_MODELS OZ_NONE // value of oz_model_ops.model: acts on materials of every model

// Objects of one kind that a model owns: regions, handles.
typedef struct oz_thing_ops {
	oz_param_group group; // the parameters that define one
	size_t offset;        // of their oz_array in the state, bytes
	oz_result (*add)(oz_sim *sim, const void *def, oz_id *id, oz_error *error);
} oz_thing_ops;

// How particles that do not move freely answer the incompressible pressure; NULL: they move freely.
typedef struct oz_bind_ops {
	// lowers w, the mobility; 0 for particles whose velocity the model prescribes
	void (*fix)(oz_sim *sim, const void *state, oz_float4 *guess);
	// replaces accelerations, forces times the mobility, by those that the bodies allow
	void (*project)(oz_sim *sim, const void *state, oz_float4 *acceleration);
	// the same before the stage of pressure, of forces over masses
	void (*join)(oz_sim *sim, const void *state, oz_float4 *acceleration);
} oz_bind_ops;

// How the incompressible pressure sees what a model adds to densities in OZ_PASS_DENSITY; NULL: it
// adds nothing.
typedef struct oz_density_ops {
	// adds `span` times the rate of that density by velocities of particles
	void (*rate)(oz_sim *sim, const void *state, const oz_float4 *velocity, float span,
	             float *rate);
	// adds the accelerations by the pressures in w of `trial`; `diagonal` came before
	void (*push)(oz_sim *sim, const void *state, const oz_float4 *trial,
	             oz_float4 *acceleration);
	// adds to the diagonal of the matrix, where it is not 0 or the sum is above `least`
	void (*diagonal)(oz_sim *sim, const void *state, const oz_float4 *guess, float span,
	                 float least, float *diagonal);
} oz_density_ops;

// What the incompressible pressure calls in its rounds.
typedef struct oz_press_ops {
	oz_bind_ops bind;
	oz_density_ops density;
} oz_press_ops;

// What a model does not allow: each function fails with a sentence; NULL: nothing.
typedef struct oz_refuse_ops {
	oz_result (*material)(const oz_sim *sim, const oz_material_def *def, const char *where,
	                      oz_error *error);
	oz_result (*body)(const oz_sim *sim, const oz_body_def *def, oz_error *error);
	// new parameters of a material that bodies have
	oz_result (*change)(const oz_sim *sim, const void *state, oz_id material,
	                    const oz_material_def *def, oz_error *error);
} oz_refuse_ops;

typedef struct oz_model_ops {
	const char *word;  // as in scenes
	uint32_t model;    // its number in oz_model; OZ_ALL_MODELS
	size_t state_size; // bytes; zero when a world is made
	// its fields; their pointers are members of the state
	const oz_field_row *particle_rows, *slot_rows;
	uint32_t particle_row_count, slot_row_count;
	// whether an addition needs its fields; NULL: yes if the body is of its model
	bool (*needed)(const oz_sim *sim, const void *state, const oz_addition *addition);
	void (*open)(oz_sim *sim, void *state);  // called when a world is made
	void (*close)(oz_sim *sim, void *state); // called when a world is destroyed
	// writes the members of `matter` (the material as kernels read it) that the model owns
	void (*matter)(const oz_sim *sim, const oz_material_def *def, oz_matter *matter);
	oz_refuse_ops refuse;
	// called after the parameters of a material have changed between steps
	void (*changed)(oz_sim *sim, void *state, oz_id material);
	// called after particles and slots were added; writes their first values
	void (*added)(oz_sim *sim, void *state, const oz_addition *addition);
	// the longest time step, s: `cfl` times the longest stable one; `fixed`: the user has fixed
	// the time step, so return the longest one that the model can still compute
	float (*limit)(const oz_sim *sim, const void *state, bool fixed, oz_limit *limit);
	uint32_t (*needs_host)(const oz_sim *sim, const void *state); // OZ_HOST_…
	oz_result (*pass[OZ_PASS_COUNT])(oz_sim *sim, void *state, oz_error *error);
	oz_press_ops press;         // in the rounds of the incompressible pressure
	const oz_thing_ops *things; // NULL: it owns none
	// the name of its section of snapshots, for state that is not a field; NULL: none
	const char *section;
	void (*save)(const oz_sim *sim, const void *state, oz_section *section);
	oz_result (*load)(oz_sim *sim, void *state, oz_section *section, oz_error *error);
	uint32_t section_since; // version of the first snapshot that has it
	// checks a loaded state: NULL if it is valid, else a sentence, or oz_no_memory_to_check
	const char *(*check)(oz_sim *sim, void *state);
	// bytes of a particle of a material beyond those of a fluid
	double (*bytes)(const oz_world_def *def, const oz_material_def *material, bool on_gpu);
} oz_model_ops;

typedef struct oz_model_entry {
	const oz_model_ops *ops;
	void *state;
	bool open; // its fields are in the registry
} oz_model_entry;

#define OZ_MODELS_MOST 24u

typedef struct oz_model_list {
	oz_model_entry entries[OZ_MODELS_MOST];
	uint32_t count;
} oz_model_list;

// returned by `check` when memory ran out: the file may be valid
extern const char oz_no_memory_to_check[];

// ---- models.c ---------------------------------------------------------------------------------

// Makes the states of all models of a new world.
oz_result oz_models_open(oz_sim *sim, oz_error *error);
// Frees the states of all models.
void oz_models_close(oz_sim *sim);
// Adds a model to the table of all worlds that are made from now on. Materials name it by
// ops->model, a number from OZ_MODEL_COUNT on. Do not call it while another thread makes a world.
oz_result oz_models_register(const oz_model_ops *ops, oz_error *error);

// The entry of a model number; NULL if there is none.
oz_model_entry *oz_model_of(const oz_sim *sim, uint32_t model);
// The state of the model with this table; NULL if there is none.
void *oz_model_state(const oz_sim *sim, const oz_model_ops *ops);
// The record of a material that kernels read.
oz_matter oz_matter_of(const oz_sim *sim, const oz_material_def *def);
// Adds the fields of a model to the registry, unless they are there.
oz_result oz_model_open_fields(oz_sim *sim, oz_model_entry *entry, oz_error *error);
// Adds the fields of all models that an addition needs.
oz_result oz_models_open_needed(oz_sim *sim, const oz_addition *addition, oz_error *error);
// Removes all sets of fields behind the first `keep` from the registry, and closes their models.
void oz_models_drop_fields(oz_sim *sim, uint32_t keep);
// Calls a pass of all open models in the order of the table; stops at the first failure.
oz_result oz_models_run(oz_sim *sim, oz_pass pass, oz_error *error);
// Call `fix`, `project` and `join` of all open models.
void oz_models_fix(oz_sim *sim, oz_float4 *guess);
void oz_models_project(oz_sim *sim, oz_float4 *acceleration);
void oz_models_join(oz_sim *sim, oz_float4 *acceleration);
// Whether an open model has `join`: then oz_models_join has an effect.
bool oz_models_have_join(const oz_sim *sim);
// Call `rate`, `push` and `diagonal` of all open models.
void oz_models_add_rate(oz_sim *sim, const oz_float4 *velocity, float span, float *rate);
void oz_models_push(oz_sim *sim, const oz_float4 *trial, oz_float4 *acceleration);
void oz_models_add_diagonal(oz_sim *sim, const oz_float4 *guess, float span, float least,
                            float *diagonal);
// OZ_HOST_… flags of all open models together.
uint32_t oz_models_need_host(const oz_sim *sim);
// Whether an open model that has this pass needs the host in the step that begins now.
bool oz_pass_is_due(const oz_sim *sim, oz_pass pass);
// Fails if bodies that exist cannot have the new parameters of their material.
oz_result oz_models_check_change(const oz_sim *sim, oz_id material, const oz_material_def *def,
                                 oz_error *error);
// Tells all models that the parameters of a material have changed.
void oz_models_follow_material(oz_sim *sim, oz_id material);
// Bytes of a particle of a material, in fields and lists of models, beyond those of a fluid.
double oz_models_bytes(const oz_world_def *def, const oz_material_def *material, bool on_gpu);

// The elastic energy of elastic bodies and blends in the middle of the last step, J; NAN: out of
// memory.
double oz_models_energy(oz_sim *sim);

// Continues a hash with the state of models that is not a field: the poses of rigid bodies.
uint64_t oz_models_hash(const oz_sim *sim, uint64_t hash);
// Writes the state of a chamber of a membrane (OZ_NONE: of all), or sets what all hold; false: the
// body has none.
bool oz_models_get_membrane(const oz_sim *sim, oz_id body, uint32_t chamber,
                            oz_membrane_state *state);
bool oz_models_fill_membrane(oz_sim *sim, oz_id body, double amount);
// Writes the state of a rigid body; false: the body is not rigid.
bool oz_models_get_rigid(const oz_sim *sim, oz_id body, oz_rigid_state *state);

struct oz_goal;
// Leads a rigid body that has keyframes, or a handle, to a pose.
oz_result oz_models_move_rigid(oz_sim *sim, oz_id body, const struct oz_goal *goal,
                               oz_error *error);
oz_result oz_models_move_handle(oz_sim *sim, oz_id handle, const struct oz_goal *goal,
                                oz_error *error);
// Lets a handle hold the particles inside its shape, or release those that it holds.
oz_result oz_models_hold(oz_sim *sim, oz_id handle, bool holds, oz_error *error);

// Adds an object such as a region or a handle to the model that owns its kind; `id` may be NULL.
oz_result oz_models_add_thing(oz_sim *sim, oz_param_group group, const void *def, oz_id *id,
                              oz_error *error);
uint32_t oz_models_count_things(const oz_sim *sim, oz_param_group group);
// The object with an id; NULL if there is none.
const void *oz_models_get_thing(const oz_sim *sim, oz_param_group group, oz_id id);

// Whether a body with at least one particle is of a model and its material satisfies `is`; `is` may
// be NULL.
bool oz_any_body(const oz_sim *sim, uint32_t model, bool (*is)(const oz_material_def *material));
// Whether a body with at least one particle is of a model without a row in the table of traits.
bool oz_any_unknown_model(const oz_sim *sim);
// Whether the model of a body with at least one particle has a trait.
bool oz_any_trait(const oz_sim *sim, uint32_t trait);

#endif
