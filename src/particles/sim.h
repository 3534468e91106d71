// sim.h: what the rooms of the engine share: all that walls, contact, pressure and models may
// touch.
//
// The world owns it. Rooms above this one add what is theirs: contact and models are known here as
// pointers only.
#ifndef OZ_SIM_H
#define OZ_SIM_H

#include "base/base.h"
#include "particles/particles.h"

#define OZ_EVENTS 64u // that wait to be taken; the oldest is dropped for a new one

typedef struct oz_events {
	oz_event items[OZ_EVENTS];
	uint32_t first, count;
} oz_events;

typedef struct oz_body {
	char name[OZ_NAME_SIZE];
	oz_id material;
	uint32_t count;     // particles
	uint32_t inside;    // of the bounds, at the last look
	bool left;          // said that it has left
	uint32_t join;      // number it shares with those it is glued to; 0: alone. Known until the
	                    // first step, so snapshots go without
	uint32_t component; // first slot of those
} oz_body;

// the last step's extremes: they set the next time step and tell when lists are stale
typedef struct oz_steering {
	float max_speed;        // m/s
	float max_acceleration; // m/s²
	float max_separation; // m, the most that two particles have moved apart since their anchors
	float last_time_step; // s, 0 before the first
} oz_steering;

struct oz_slots;
struct oz_contact;
struct oz_model_list;

typedef struct oz_sim {
	oz_heap *heap;
	oz_device *device;
	oz_world_def def;
	oz_fluid fluid; // kernel, spacing and gravity as kernels see them

	// what it is made of; changes when things are added
	oz_array materials; // oz_material_def
	oz_array bodies;    // oz_body
	oz_array matters;   // oz_matter, of each material
	oz_matter *matter;  // the same on the device
	uint32_t next_id;   // of particles

	// the particles, and what hangs on them
	oz_fields fields;
	oz_scratch scratch;
	oz_particles particles;
	oz_neighbours neighbours;
	struct oz_slots *slots;
	struct oz_contact *contact;
	struct oz_model_list *models;

	// time
	double time; // s
	uint64_t step;
	float time_step; // s, of the step under way
	oz_steering steering;
	bool near; // in the last step a wall or a foreign particle was within reach of a solid

	oz_step_report report; // of the step under way
	oz_events events;
} oz_sim;

#define oz_materials(s) ((oz_material_def *)(s)->materials.items)
#define oz_bodies(s)    ((oz_body *)(s)->bodies.items)

static inline float oz_support_radius(const oz_sim *s)
{
	return s->def.support * s->def.spacing;
}

static inline float oz_particle_mass(const oz_sim *s, oz_id material)
{
	const float d = s->def.spacing;
	return oz_materials(s)[material].density * d * d * d;
}

// the kick of the step under way: half of the last step and half of this one
static inline float oz_kick(const oz_sim *s)
{
	return 0.5f * (s->steering.last_time_step + s->time_step);
}

// The material of a body.
static inline const oz_material_def *oz_material_of(const oz_sim *s, oz_id body)
{
	return &oz_materials(s)[oz_bodies(s)[body].material];
}

// Tells the user something, with the setting that cures it.
void oz_raise(oz_sim *sim, oz_event_kind kind, oz_id body, float value, const char *format, ...)
        __attribute__((format(printf, 5, 6)));

#endif
