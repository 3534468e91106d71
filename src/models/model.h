// model.h: the door of models.
//
// A model is one static table of functions over whole arrays, a state of its own and fields of its
// own. The world calls the tables in their order and knows no model by name; a model sees the sim
// that it is handed, and not the world. docs/architecture.md tells how to add one.
#ifndef OZ_MODEL_H
#define OZ_MODEL_H

#include "contact/slots.h"
#include "models/traits.h"
#include "params/section.h"
#include "particles/sim.h"

// What a model can be called for, in the order of a step.
typedef enum oz_pass {
	// prepare, on the host; all but the last in worlds where something has a rest shape
	OZ_PASS_FOLLOW,  // take over what follows time and temperature
	OZ_PASS_CHANGE,  // melt and freeze: slots leave and join rest shapes
	OZ_PASS_DECIDE,  // say which components take a new rest shape (slots->reshape)
	OZ_PASS_GROUP,   // change the groups in which rest neighbours are looked for
	OZ_PASS_LISTED,  // rest lists are new
	OZ_PASS_SETTLE,  // what was decided is done
	OZ_PASS_NAMED,   // components have their names
	OZ_PASS_RESERVE, // take the scratch of this step
	// on the device
	OZ_PASS_HEAT,
	OZ_PASS_FORCES, // after contact; the fluid, first in the table, writes the accelerations of
	                // plain particles, all others add to them
	OZ_PASS_SHAPE,  // draw bodies back to their rest shapes
	OZ_PASS_ELASTIC, // resist deformation
	OZ_PASS_MOVED,   // particles have moved
	OZ_PASS_DONE,    // give the scratch back, also where a step has failed
	OZ_PASS_COUNT
} oz_pass;

// why the host has to look
#define OZ_HOST_NOW    1u // in the step that begins now
#define OZ_HOST_ALWAYS 2u // in every step: none may be launched ahead

#define OZ_ALL_MODELS OZ_NONE // of oz_model_ops.model: acts on materials of every model

// Things of a kind that a model owns: regions, handles.
typedef struct oz_thing_ops {
	oz_param_group group; // that defines one
	size_t offset;        // of their oz_array in the state
	oz_result (*add)(oz_sim *sim, const void *def, oz_id *id, oz_error *error);
} oz_thing_ops;

typedef struct oz_model_ops {
	const char *word;  // as in scenes
	uint32_t model;    // its number in oz_model; OZ_ALL_MODELS
	size_t state_size; // bytes; zero when a world is made
	// its fields, whose pointers are in the state
	const oz_field_row *particle_rows, *slot_rows;
	uint32_t particle_row_count, slot_row_count;
	// whether an addition needs its fields; NULL: if the body is of its model
	bool (*needed)(const oz_sim *sim, const void *state, const oz_addition *addition);
	void (*open)(oz_sim *sim, void *state); // a world is made
	void (*close)(oz_sim *sim, void *state);
	// adds what kernels know of a material
	void (*matter)(const oz_sim *sim, const oz_material_def *def, oz_matter *matter);
	oz_result (*check_material)(const oz_sim *sim, const oz_material_def *def,
	                            const char *where, oz_error *error);
	oz_result (*check_body)(const oz_sim *sim, const oz_body_def *def, oz_error *error);
	// particles and slots have been added
	void (*added)(oz_sim *sim, void *state, const oz_addition *addition);
	// the longest time step, `cfl` of what is stable; `fixed`: as long as is bearable where the
	// user sets it
	float (*limit)(const oz_sim *sim, const void *state, bool fixed, oz_limit *limit);
	uint32_t (*needs_host)(const oz_sim *sim, const void *state); // OZ_HOST_…
	oz_result (*pass[OZ_PASS_COUNT])(oz_sim *sim, void *state, oz_error *error);
	const oz_thing_ops *things; // NULL: it owns none
	// a section of snapshots, of what else it is made of; NULL: none
	const char *section;
	void (*save)(const oz_sim *sim, const void *state, oz_section *section);
	oz_result (*load)(oz_sim *sim, void *state, oz_section *section, oz_error *error);
	uint32_t section_since; // version of the first snapshot that has it
	// what is wrong after a load; NULL: all is well; oz_no_memory_to_look
	const char *(*check)(oz_sim *sim, void *state);
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

extern const char oz_no_memory_to_look[]; // the one answer of `check` that does not blame the file

// ---- models.c ---------------------------------------------------------------------------------

// Makes the states of all models of a new world.
oz_result oz_models_open(oz_sim *sim, oz_error *error);
void oz_models_close(oz_sim *sim);
// Adds a model to the table of all worlds that are made from now on, under the number that
// materials name it by (ops->model, from OZ_MODEL_COUNT on). Not while another thread makes one.
oz_result oz_models_register(const oz_model_ops *ops, oz_error *error);

// The entry of a model number or a table; NULL if there is none.
oz_model_entry *oz_model_of(const oz_sim *sim, uint32_t model);
void *oz_model_state(const oz_sim *sim, const oz_model_ops *ops);
// What kernels know of a material.
oz_matter oz_matter_of(const oz_sim *sim, const oz_material_def *def);
// Takes the fields of a model into the registry, if they are not there yet.
oz_result oz_model_open_fields(oz_sim *sim, oz_model_entry *entry, oz_error *error);
// The same of all models that an addition needs.
oz_result oz_models_need(oz_sim *sim, const oz_addition *addition, oz_error *error);
// Takes the sets of fields back that came after the first `sets` of the registry.
void oz_models_close_fields(oz_sim *sim, uint32_t sets);
// Calls a pass of all models; the first failure ends it.
oz_result oz_models_run(oz_sim *sim, oz_pass pass, oz_error *error);
uint32_t oz_models_need_host(const oz_sim *sim);
// Whether a model that has a pass needs the host in the step that begins now.
bool oz_models_are_due(const oz_sim *sim, oz_pass pass);
// Bytes of a particle of a material, in fields and lists of models, beyond those of a fluid.
double oz_models_bytes(const oz_world_def *def, const oz_material_def *material, bool on_gpu);

// Adds a thing to the model that owns its kind; counts them; gives one, NULL if there is none.
oz_result oz_models_add_thing(oz_sim *sim, oz_param_group group, const void *def, oz_id *id,
                              oz_error *error);
uint32_t oz_models_count_things(const oz_sim *sim, oz_param_group group);
const void *oz_models_get_thing(const oz_sim *sim, oz_param_group group, oz_id id);

// Whether a body that has particles is of a model, and its material is as asked; NULL: of the model
// alone.
bool oz_any_body(const oz_sim *sim, uint32_t model, bool (*is)(const oz_material_def *material));
// Whether a body that has particles is of a model that the table of traits does not know.
bool oz_any_stranger(const oz_sim *sim);
// Whether a body that has particles has a trait.
bool oz_any_trait(const oz_sim *sim, uint32_t trait);

#endif
