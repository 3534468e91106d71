// sim.h: oz_sim, the state that walls, contact, pressure and models read and write.
//
// The world owns it. Slots, contact and models belong to higher rooms: here they are opaque
// pointers.
#ifndef OZ_SIM_H
#define OZ_SIM_H

#include "base/base.h"
#include "particles/particles.h"

#define OZ_EVENTS 64u // length of the queue; a new event then replaces the oldest

typedef struct oz_events {
	oz_event items[OZ_EVENTS];
	uint32_t first, count;
} oz_events;

typedef struct oz_body {
	char name[OZ_NAME_SIZE];
	oz_id material;
	uint32_t count;     // particles
	uint32_t inside;    // particles inside the bounds at the last count
	bool left;          // the event OZ_EVENT_BODY_LEFT was raised
	uint32_t join;      // bodies with the same number are glued together; 0: not glued. Used
	                    // until the first step only, so snapshots do not have it
	uint32_t component; // first slot of the bodies that are glued together
	oz_vec3 axis;       // of a rigid body, while it is added
	const oz_keyframe *keyframes; // likewise
	uint32_t keyframe_count;
	bool loop;
} oz_body;

// extremes of the last step: they set the next time step and show when neighbour lists are stale
typedef struct oz_last_step {
	float max_speed;        // m/s
	float max_acceleration; // m/s²
	float max_separation;   // m, see oz_measured
	float time_step;        // s; 0 before the first step
} oz_last_step;

struct oz_boundary;
struct oz_slots;
struct oz_contact;
struct oz_model_list;
struct oz_pressure_state;

typedef struct oz_sim {
	oz_heap *heap;
	oz_device *device;
	oz_world_def def;
	oz_fluid fluid; // constants for kernels, from `def`
	oz_fluid solid; // the same for contact, and for the inside of elastic bodies

	// definitions; change when materials and bodies are added
	oz_array materials; // oz_material_def
	oz_array bodies;    // oz_body
	oz_array matters;   // oz_matter of each material
	oz_matter *matter;  // copy of `matters` on the device
	uint32_t next_id;   // id of the next particle

	// the particles and their data
	oz_fields fields;
	oz_scratch scratch;
	oz_particles particles;
	oz_neighbours neighbours;
	struct oz_boundary *boundary;
	struct oz_slots *slots;
	struct oz_contact *contact;
	struct oz_model_list *models;
	struct oz_pressure_state *pressure;

	// time
	double time; // s
	uint64_t step;
	float time_step; // s, of the present step
	oz_last_step last_step;
	oz_step_report report; // of the present step
	oz_events events;
} oz_sim;

#define oz_materials(s) ((oz_material_def *)(s)->materials.items)
#define oz_bodies(s)    ((oz_body *)(s)->bodies.items)

static inline float oz_support_radius(const oz_sim *s)
{
	return s->def.support * s->def.spacing;
}

// kg, of a particle of a material
static inline float oz_particle_mass(const oz_sim *s, oz_id material)
{
	const float d = s->def.spacing;
	return ((const oz_matter *)s->matters.items)[material].density * d * d * d;
}

// s, time over which an acceleration changes a velocity: half of the last step and half of this one
static inline float oz_kick(const oz_sim *s)
{
	return 0.5f * (s->last_step.time_step + s->time_step);
}

// The material of a body.
static inline const oz_material_def *oz_material_of(const oz_sim *s, oz_id body)
{
	return &oz_materials(s)[oz_bodies(s)[body].material];
}

// Adds an event to the queue and logs its sentence, which must name the setting that helps.
void oz_event_raise(oz_sim *sim, oz_event_kind kind, oz_id body, float value, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));

#endif
