// world.h: what a world holds, grouped by who writes it.
#ifndef OZ_WORLD_H
#define OZ_WORLD_H

#include "base/base.h"
#include "boundary/walls.h"
#include "models/blend.h"
#include "models/matter.h"
#include "models/solid.h"
#include "particles/particles.h"

#define OZ_EVENTS 64u // that wait to be taken; older ones give way

typedef struct oz_body {
	char name[OZ_NAME_SIZE];
	oz_id material;
	uint32_t count;  // particles
	uint32_t inside; // of the bounds, at the last look
	bool left;       // said that it has left
	uint32_t join;   // number it shares with those it is glued to; 0: alone. Known until the
	                 // first step, so snapshots go without
	uint32_t lump;   // first slot of those
} oz_body;

typedef struct oz_obstacle {
	oz_collider_def def;  // keyframes are owned, and a hold on the chart
	bool placed;          // kernels know where it stands, and it does not move
	oz_chart_frame chart; // where its chart lies among those of all
	uint32_t load;        // number of its sums, from 1 on; 0: nobody asks what it bears
	double load_since;    // s, when that was last asked
} oz_obstacle;

// the charts of all solids, one after the other, on the device
typedef struct oz_charts {
	uint *places;
	oz_float4 *leads;
	oz_depth *depths; // see depth.cl
	uint32_t place_count, block_count;
} oz_charts;

typedef struct oz_handle {
	oz_collider_def way; // its shape, and where it goes; keyframes are owned
	oz_id body;          // that it may hold; OZ_NONE: any
	float release;       // s
} oz_handle;

typedef struct oz_nozzle {
	oz_emitter_def def;
	oz_id body;
	uint64_t layers; // given out so far
	uint32_t count;  // particles in a layer
	uint32_t reach2; // of a layer, spacings²
	bool guided;     // kernels know where it is
} oz_nozzle;

// the last step's extremes: they set the next time step and tell when lists are stale
typedef struct oz_steering {
	float max_speed;        // m/s
	float max_acceleration; // m/s²
	float parted;         // m, the most that two particles have moved apart since their anchors
	float last_time_step; // s, 0 before the first
} oz_steering;

struct oz_world {
	oz_heap heap;
	oz_arena arena; // temporaries of a step
	oz_world_def def;
	oz_device *device;
	oz_fluid fluid;
	float heat_sum; // 1/m², κ V Σ |∇W|/r: how much of a neighbourhood heat reaches

	// what it is made of; changes when things are added
	oz_array materials;     // oz_material_def
	oz_array bodies;        // oz_body
	oz_array solids;        // oz_obstacle
	oz_array nozzles;       // oz_nozzle
	oz_array regions;       // oz_region_def
	oz_array handles;       // oz_handle
	oz_matter *matter;      // device, one for each material
	oz_collider *collider;  // device, one for each solid, set anew in every step
	struct oz_guide *guide; // device, one for each nozzle, set anew in every step
	float *wall_table;      // device
	oz_charts charts;
	oz_burden *burdens;  // device, what walls bear
	uint32_t load_count; // walls of which that is asked
	uint32_t next_id;    // of particles

	// the particles
	oz_particles particles;
	oz_neighbours neighbours;
	oz_blend blend;
	oz_solid solid;
	uint *phase; // device, what has been shown
	uint32_t phase_capacity;
	struct oz_extremes *extremes; // device, records of groups of particles
	struct oz_measured *measured; // device, what came of each step that runs ahead
	uint32_t extremes_capacity;
	uint *inside;             // device, particles of each body inside the bounds
	uint32_t inside_capacity; // bodies

	// time
	double time; // s
	uint64_t step;
	float time_step; // s, of the step under way
	oz_steering steering;
	uint32_t ahead;   // steps under way that the host has not looked at
	float halt_at;    // m, `parted` at which the device stops by itself
	float wall_reach; // m, from a wall, beyond which its λ is 0
	float wall_scale; // that makes the share of a wall that of a lattice which ends there
	bool unstable;    // the fixed time step is too long, and that has been told
	bool near;        // in the last step solids had a wall or somebody else within reach
	bool squeezed;    // compression was too high in the last step and has been told

	oz_step_report report; // of the step under way
	oz_event events[OZ_EVENTS];
	uint32_t event_first, event_count;
};

#define oz_materials(w) ((oz_material_def *)(w)->materials.items)
#define oz_bodies(w)    ((oz_body *)(w)->bodies.items)
#define oz_obstacles(w) ((oz_obstacle *)(w)->solids.items)
#define oz_nozzles(w)   ((oz_nozzle *)(w)->nozzles.items)
#define oz_regions(w)   ((oz_region_def *)(w)->regions.items)
#define oz_handles(w)   ((oz_handle *)(w)->handles.items)

static inline float oz_support_radius(const oz_world *w)
{
	return w->def.support * w->def.spacing;
}

static inline float oz_particle_mass(const oz_world *w, oz_id material)
{
	const float s = w->def.spacing;
	return oz_materials(w)[material].density * s * s * s;
}

// fluid.c: rules of the fluid from the world's definition; materials as kernels see them
oz_result oz_fluid_init(oz_world *world, oz_error *error);
oz_matter oz_matter_of(const oz_world *world, const oz_material_def *material);

// blend.c: bodies between fluid and solid; 0 for other materials
float oz_cluster_radius(const oz_world *world, const oz_material_def *material); // m
// of the bodies that have particles: a material that nobody uses changes nothing
typedef struct oz_radii {
	float least, most; // m
} oz_radii;
oz_radii oz_cluster_radii(const oz_world *world);
float oz_response_of(const oz_world *world, const oz_material_def *material); // s
float oz_alpha_at(const oz_material_def *material, double time);
void oz_blend_set_alphas(oz_world *world);
// finds the particles of all slots again, once they have been sorted
void oz_blend_sorted(oz_world *world);
// and takes the memory that its stages need
oz_result oz_blend_reserve(oz_world *world, oz_error *error);
// gives back what contact has taken
void oz_ties_free(oz_device *device, oz_blend *blend);
void oz_blend_density(oz_world *world);
void oz_blend_forces(oz_world *world);
void oz_blend_moved(oz_world *world);

// clusters.c: slots, and the lists of a reference shape. `rest` becomes the reference shape; slots
// of different groups share no cluster.
oz_result oz_slots_reserve(oz_world *world, uint32_t count, oz_error *error);
// writes `count` slots from `first` on
void oz_slots_set(oz_world *world, uint32_t first, const oz_slot_def *defs, uint32_t count);
oz_result oz_clusters_build(oz_world *world, oz_float4 *rest, const uint *group, oz_error *error);
// weighs the particles of all clusters anew, once α has changed
void oz_clusters_weigh(oz_world *world);
void oz_blend_free(oz_world *world);

// solid.c: elastic solids. Takes memory for the slots there are
oz_result oz_solids_reserve(oz_world *world, oz_error *error);
void oz_solids_free(oz_world *world);
uint32_t oz_firmness(const oz_material_def *material);
// once lists are new: volumes first, then what takes them
void oz_solids_measure(oz_world *world);
void oz_solids_fit(oz_world *world);
oz_result oz_solids_ready(oz_world *world, oz_error *error); // once lumps have their names
// How soft new slots are, by their temperature.
void oz_solids_begin(oz_world *world, uint32_t first, uint32_t count, float temperature,
                     const oz_material_def *material);
oz_result oz_drift_reserve(oz_world *world, oz_error *error);
// Gives an order of points in which neighbours follow each other; the first stays the first.
oz_result oz_slots_order(oz_world *world, const oz_vec3 *points, uint32_t count, uint32_t *order,
                         oz_error *error);
void oz_blocks_make(oz_world *world, const oz_lists *lists);
void oz_blocks_free(oz_world *world);
// The elastic acceleration of positions, or of velocities (a tangent), into `push`.
void oz_solids_pull(oz_world *world, const oz_float4 *position, uint tangent);
void oz_solids_push(oz_world *world); // of the particles as they stand

// solid_solve.c: velocities at the end of the step, of implicit solids
oz_result oz_solids_solve(oz_world *world, float kick, oz_error *error);
bool oz_has_implicit(const oz_world *world);
// the largest eigenvalue of explicit solids' stiffness over mass, 1/s²
float oz_solids_shake(oz_world *world);

// phase.c: solids that melt and freeze
bool oz_anything_melts(const oz_world *world);
bool oz_phases_are_due(const oz_world *world);
oz_result oz_phases_take(oz_world *world, oz_error *error); // marks lists stale if any changes
void oz_phases_meet(oz_world *world);                       // when lists are made
void oz_phases_group(oz_world *world, uint *group);
const uint *oz_phases_show(oz_world *world); // of each particle, on the device; NULL: no memory

// handles.c: adds one without looking for what it holds, which a snapshot knows
oz_result oz_handle_keep(oz_world *world, const oz_handle_def *def, oz_error *error);
// where handles stand at the end of the step, for the kernels
void oz_grips_place(oz_world *world);
void oz_handles_free(oz_world *world);

// wall_table.c: the wall's share of the kernel sum, from 0 to the support radius
size_t oz_wall_table_size(void); // bytes
oz_result oz_wall_table_init(oz_world *world, oz_error *error);

// where its material is: outside 1, inside -1, on both sides of a shell 0
static inline float oz_side_of(const oz_collider_def *def)
{
	return def->shell ? 0.0f : def->inside ? -1.0f : 1.0f;
}

// charts.c: puts the chart of a collider on the device, and says where it lies
oz_result oz_charts_add(oz_world *world, const oz_collider_def *def, oz_chart_frame *frame,
                        oz_error *error);
void oz_charts_free(oz_world *world);

// loads.c: what walls bear; the sums on the device, and momentum's quanta for each kg/m³ m/s
oz_result oz_loads_add(oz_world *world, oz_obstacle *solid, oz_error *error);
void oz_loads_free(oz_world *world);
float oz_load_quanta(const oz_world *world);

// bodies.c: whether a body that has particles is of a model, and its material is as asked; NULL:
// of the model alone
bool oz_any_body(const oz_world *world, oz_model model,
                 bool (*is)(const oz_material_def *material));
// Adds particles at the end; `points` and `velocities` are in world space and new; `nozzle` is
// their position.w
oz_result oz_particles_add(oz_world *world, oz_id body, const oz_vec3 *points,
                           const oz_vec3 *velocities, uint32_t count, float nozzle,
                           float temperature, oz_error *error);

// solids.c: refuses a shape that has no inside
oz_result oz_check_solid(const oz_shape *shape, const char *where, oz_error *error);
// where a solid stands at a time
oz_shape oz_obstacle_pose(const oz_obstacle *solid, double time);
oz_shape oz_pose_at(const oz_collider_def *def, double time);
oz_result oz_keyframes_check(const oz_keyframe *frames, uint32_t count, const char *where,
                             oz_error *error);
// and what kernels need to know of all solids in this step
oz_wall_rules oz_wall_rules_of(const oz_world *world);

// measure.c
void oz_extremes_free(oz_world *world);
oz_result oz_extremes_reserve(oz_world *world, oz_error *error);
// Before several steps are launched, and after: gives how many of them the device took, and fills
// their reports.
void oz_measure_begin(oz_world *world);
uint32_t oz_measure_end(oz_world *world, uint32_t steps, oz_step_report *reports);

// step.c: gives the device all of a step, up to a time that it does not pass
oz_result oz_step_launch(oz_world *world, double until, oz_error *error);

// nozzles.c, lumps.c: whether the step that begins now needs the host
bool oz_emit_is_due(const oz_world *world);
bool oz_topology_is_due(const oz_world *world);
oz_result oz_topology_take(oz_world *world, oz_error *error);

// bounds.c: takes the memory that counting needs; tells of bodies that have left
void oz_bounds_free(oz_world *world);
oz_result oz_bounds_reserve(oz_world *world, oz_error *error);
bool oz_bounds_are_due(const oz_world *world, uint64_t step);
void oz_bounds_tell(oz_world *world);

// time_step.c
float oz_choose_time_step(oz_world *world, oz_limit *limit);

// events.c
void oz_raise(oz_world *world, oz_event_kind kind, oz_id body, float value, const char *format, ...)
        __attribute__((format(printf, 5, 6)));

// heat.c: the longest step in which heat goes no farther than to neighbours; INFINITY: none is
// conducted
float oz_heat_time_step(const oz_world *world); // s
// the same of a fixed step, which is gone through in parts
float oz_heat_longest(const oz_world *world); // s
// whether a material is a blend whose α follows its temperature, and the least that can become
bool oz_melts(const oz_material_def *material);
float oz_alpha_least(const oz_material_def *material, double time);
// its own α at a temperature; -1: that of its material
float oz_alpha_warm(const oz_world *world, const oz_material_def *material, float temperature);
// lets α of such blends follow, every few steps
void oz_heat_set_alphas(oz_world *world);

// the stages of a step, in files of their own
oz_result oz_stage_emit(oz_world *world, oz_error *error);
oz_result oz_stage_topology(oz_world *world, oz_error *error);
oz_result oz_stage_neighbours(oz_world *world, oz_error *error);
oz_result oz_stage_walls(oz_world *world, oz_error *error);
oz_result oz_stage_density(oz_world *world, oz_error *error);
oz_result oz_stage_heat(oz_world *world, oz_error *error);
oz_result oz_stage_forces(oz_world *world, oz_error *error);
oz_result oz_stage_shape(oz_world *world, oz_error *error);
oz_result oz_stage_elastic(oz_world *world, oz_error *error);
oz_result oz_stage_move(oz_world *world, oz_error *error);
oz_result oz_stage_measure(oz_world *world, oz_error *error);

#endif
