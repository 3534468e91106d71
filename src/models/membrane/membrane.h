// membrane.h: inflated skins (Mesit & Guha): closed triangle meshes that hold gas or a liquid.
//
// The vertices of the mesh are particles with slots. Faces and edges have the indices of their
// vertices; indices run through all chambers. Host arrays hold the mesh; the device has a copy.
//
//   membrane.c       material, time step, state, hash
//   membrane_mesh.c  checks a mesh, makes faces and edges
//   membrane_save.c  snapshots
//   membrane_copy.c  the mesh on the device, scratch
//   membrane_step.c  the step
//   membrane_press.c the skin in the rounds of the pressure solver
//   membrane_face.c  large faces press
//   membrane_surface.c  pressure and viscosity among the points of a skin
//   membrane_chamber.c  divides a mesh into its closed shells; their state
#ifndef OZ_MEMBRANE_H
#define OZ_MEMBRANE_H

#include "models/membrane/membrane_parts.h"
#include "models/model.h"
#include "solver/cg.h"

// A chamber: a closed shell of a body; saved in snapshots.
typedef struct oz_membrane_chamber {
	double amount;      // mol of gas
	double filled;      // m³ of a liquid at the pressure 0
	double temperature; // °C, mean of the vertices
	double pressure;    // Pa, inside over outside, in the last step
	double volume;      // m³, in the last step
	double area, torn;  // m², of whole and of torn faces, in the last step
	uint32_t body;
	uint32_t first_vertex, vertices, first_face, faces, first_edge, edges;
	uint32_t unused;
} oz_membrane_chamber;

// device buffers, made again when the mesh changes
typedef struct oz_membrane_buffers {
	oz_membrane_face *faces;
	oz_membrane_edge *edges;
	uint *slot_of, *chamber_of; // of each vertex
	uint *start, *parts;        // the forces of each vertex, see membrane.cl
	uint *link_start, *link;    // of each edge of each vertex, see find_links
	float *spring_sum;          // N/m, of each vertex, of the simplified step
	float *rest_crowd;          // 1/m³, of each vertex, n₀ of membrane_surface.cl
	oz_membrane_chunk *face_chunks, *vertex_chunks;
	oz_membrane_sums *chunk_sums, *sums; // of chunks and of chambers
	oz_membrane_chamber_now *chambers;
	oz_float4 *cg_sums;
} oz_membrane_buffers;

// Of the fluid of the points of skins: scratch of a step, for each particle; NULL if no skin has it
typedef struct oz_membrane_surface {
	oz_float4 *spot, *flow, *load, *force; // see membrane_surface.cl
	uint *reached;
} oz_membrane_surface;

// Factors of that fluid, by the spacing of the world (membrane_surface.c).
typedef struct oz_membrane_surface_factors {
	float push; // k ρ/K
	float drag; // b ρ/μ, 1/m⁴
	float wave; // 1/m², bound of ω² ρ/K
} oz_membrane_surface_factors;

typedef struct oz_membrane_surface_rules {
	float core; // m, the core radius
	float rate; // 1/m², bound of the rate of viscous decay times ρ/μ
	oz_membrane_surface_factors kept, printed; // that keeps energy; as printed
} oz_membrane_surface_rules;

// scratch of a step
typedef struct oz_membrane_work {
	oz_float4 *place, *direction, *residual, *image, *delta_v, *outer; // of each vertex
	oz_float4 *stretched, *bent, *taut, *block; // of faces and edges, see membrane.cl
	cg_block *brace;                            // the preconditioner of each vertex
	oz_float4 *swell;                           // m², of each vertex, see membrane.cl
	oz_float4 *part; // N, forces of faces and edges on their vertices
	oz_membrane_surface surface;
} oz_membrane_work;

// Contact of large faces (membrane_face.c): scratch, held while neighbour lists are valid.
typedef struct oz_membrane_contact {
	uint *first, *near;       // particles near each face
	uint *start, *face_of;    // faces near each particle
	oz_membrane_touch *touch; // OZ_FACES_EACH of each particle, in a step
	float *mobility;          // m³/kg, of each particle
	oz_membrane_frame *frame; // of each face, in a step
	float *crowd;             // of each vertex, in a step, see membrane_rub.cl
	uint32_t pairs, faces;    // faces: when pairs were listed
	uint32_t builds;          // of the neighbour lists for which pairs were listed
	bool valid;               // pairs were listed, and no `skin_contact` has changed since
} oz_membrane_contact;

// numbers of elements on the device
typedef struct oz_membrane_counts {
	uint32_t vertices, faces, edges, chambers, face_chunks, vertex_chunks;
} oz_membrane_counts;

// bounds of the stiffness over mass, over all vertices
typedef struct oz_membrane_stiffness {
	float stretch, bend, filling; // 1/s²
	bool springs;                 // all chambers have the law `springs`
} oz_membrane_stiffness;

typedef struct oz_membrane {
	oz_array chambers;            // oz_membrane_chamber
	oz_array faces, edges, slots; // oz_membrane_face, oz_membrane_edge, uint32_t of each vertex
	oz_array now, sums;        // oz_membrane_chamber_now and oz_membrane_sums of each chamber
	oz_membrane_counts counts; // of `on_device`
	oz_membrane_buffers on_device;
	oz_membrane_work work;
	oz_membrane_contact contact;
	float ahead; // s, Δt of an implicit step, else 0; see membrane_step.c
	oz_membrane_stiffness stiff;
	oz_membrane_surface_rules surface_rules;
	uint32_t iterations; // of the solver in the last step
	bool failed;         // memory ran out when a body was added
	bool edges_changed;  // the stiffness of edges is not yet on the device
	bool unsolved;       // the last step did not converge, and an event was raised
	bool solved;         // the implicit step of this step has a solution
} oz_membrane;

#define oz_membrane_chambers(m) ((oz_membrane_chamber *)(m)->chambers.items)
#define oz_membrane_now(m)      ((oz_membrane_chamber_now *)(m)->now.items)

extern const oz_model_ops oz_membrane_model;

// Continues a hash with the state of all membranes.
uint64_t oz_membrane_hash(const oz_sim *sim, uint64_t hash);
// The material of a chamber.
const oz_material_def *oz_membrane_material(const oz_sim *sim, const oz_membrane_chamber *chamber);
// The density of particles over that of the skin.
float oz_membrane_share(const oz_sim *sim, const oz_material_def *def);
// The part of δ that one layer of particles at the distance of one spacing adds.
float oz_membrane_layer(const oz_sim *sim);
// The largest skin_damping of all chambers, s.
float oz_membrane_longest_delay(const oz_sim *sim, const oz_membrane *membrane);

// ---- membrane_chamber.c ------------------------------------------------------------------------

// Calls `add` for each closed shell of an addition, with an addition of its own; false: out of
// memory.
bool oz_membrane_divide(oz_sim *sim, oz_membrane *membrane, const oz_addition *addition,
                        bool (*add)(oz_sim *sim, oz_membrane *membrane, const oz_addition *part));
// Writes the state of a chamber of a body, or with OZ_NONE of all; false: there is none.
bool oz_membrane_get(const oz_sim *sim, oz_id body, uint32_t chamber, oz_membrane_state *state);
// Sets what the chambers of a body hold: mol of gas or m³ of liquid; false: the body is not a
// membrane.
bool oz_membrane_fill(oz_sim *sim, oz_id body, double amount);
// Lets the valve act: the amount changes as `filling_table` between two times.
void oz_membrane_turn_valve(const oz_material_def *def, oz_membrane_chamber *b, double from,
                            double to);
// The area of the opening at a time, m².
double oz_membrane_opening(const oz_material_def *def, double time);

// ---- membrane_mesh.c ---------------------------------------------------------------------------

// Fails if a mesh is open, non-manifold or twisted, has needles or points without a triangle.
oz_result oz_membrane_check(const oz_sim *sim, const oz_body_def *def, oz_error *error);
// Computes the stiffness of the edges of all bodies of a material anew.
void oz_membrane_stiffen(const oz_sim *sim, oz_membrane *membrane, oz_id material);
// Appends the faces, edges and vertices of an addition; false: out of memory.
bool oz_membrane_add_mesh(oz_sim *sim, oz_membrane *membrane, const oz_addition *addition);
// The volume of a chamber at the places of its points, m³.
double oz_membrane_volume(const oz_vec3 *points, const uint32_t (*triangles)[3], uint32_t count);

// ---- membrane_save.c ---------------------------------------------------------------------------

void oz_membrane_save(const oz_sim *sim, const void *state, oz_section *section);
oz_result oz_membrane_load(oz_sim *sim, void *state, oz_section *section, oz_error *error);
const char *oz_membrane_check_loaded(oz_sim *sim, void *state);

// ---- membrane_copy.c ---------------------------------------------------------------------------

// The faces as they are now: a torn face has a negative area. NULL: out of memory.
const oz_membrane_face *oz_membrane_view_faces(const oz_sim *sim, const oz_membrane *membrane);
// The edges as they are now: those of a skin that flows get longer. NULL: out of memory.
const oz_membrane_edge *oz_membrane_view_edges(const oz_sim *sim, const oz_membrane *membrane);
// Copies edges from the device, before they are changed on the host; false: out of memory.
bool oz_membrane_fetch_edges(const oz_sim *sim, oz_membrane *membrane);
// Copies the mesh to the device, unless the copy there is that of all chambers; edges also after
// their stiffness has changed.
oz_result oz_membrane_copy(oz_sim *sim, oz_membrane *membrane, oz_error *error);
oz_result oz_membrane_reserve(oz_sim *sim, void *state, oz_error *error);
oz_result oz_membrane_done(oz_sim *sim, void *state, oz_error *error);
// Frees the copy on the device.
void oz_membrane_release(oz_sim *sim, oz_membrane *membrane);

// ---- membrane_face.c ---------------------------------------------------------------------------

// OZ_PASS_DENSITY: finds the contacts of large faces, and adds them to densities.
oz_result oz_membrane_touch_faces(oz_sim *sim, void *state, oz_error *error);
// OZ_PASS_FORCES: adds the accelerations by the pressure on large faces.
oz_result oz_membrane_press_faces(oz_sim *sim, void *state, oz_error *error);
// How the pressure solver sees the contact of faces (oz_density_ops).
void oz_membrane_rate(oz_sim *sim, const void *state, const oz_float4 *velocity, float span,
                      float *rate);
void oz_membrane_push(oz_sim *sim, const void *state, const oz_float4 *trial,
                      oz_float4 *acceleration);
void oz_membrane_diagonal(oz_sim *sim, const void *state, const oz_float4 *guess, float span,
                          float least, float *diagonal);

// ---- membrane_surface.c ------------------------------------------------------------------------

oz_membrane_surface_rules oz_membrane_surface_rules_of(const oz_sim *sim);
// Whether points of a skin press on each other or drag each other along.
bool oz_membrane_has_surface(const oz_material_def *def);
// Writes the constants of that fluid for a chamber.
void oz_membrane_write_surface(const oz_membrane_surface_rules *rules, const oz_material_def *def,
                               oz_membrane_chamber_now *now);
// The longest time step in which its explicit forces are stable, s.
float oz_membrane_surface_limit(const oz_sim *sim, const oz_membrane *membrane, oz_limit *rule);
// oz_refuse_ops.material: `paper` needs such a fluid.
oz_result oz_membrane_check_material(const oz_sim *sim, const oz_material_def *def,
                                     const char *where, oz_error *error);
// Fails if the material has this fluid and edges are longer than its core radius. `edge`: mean
// length of the edges of the body, m.
oz_result oz_membrane_check_surface(const oz_sim *sim, const oz_material_def *def, const char *body,
                                    double edge, oz_error *error);
// oz_refuse_ops.change: the same for all bodies of a material.
oz_result oz_membrane_check_change(const oz_sim *sim, const void *state, oz_id material,
                                   const oz_material_def *def, oz_error *error);
// Takes the scratch if a chamber has such a fluid; false: out of memory.
bool oz_membrane_take_surface(oz_sim *sim, const oz_membrane *membrane,
                              oz_membrane_surface *surface);
void oz_membrane_give_surface(oz_sim *sim, oz_membrane_surface *surface);
// Finds the density at rest of all points, if a chamber has such a fluid. Rest lists must be valid.
oz_result oz_membrane_find_rest_crowd(oz_sim *sim, oz_membrane *membrane, oz_error *error);
// Adds its accelerations to those in `image`, if a chamber has such a fluid.
void oz_membrane_add_surface(oz_sim *sim, const oz_membrane *membrane);

// ---- membrane_step.c ---------------------------------------------------------------------------

// The mass of a liquid filling, kg.
double oz_membrane_filling_mass(const oz_material_def *def, const oz_membrane_chamber *chamber);
// Copies the constants of all chambers to the device. If the `skin_contact` of one has changed, the
// pairs of faces and particles are no longer valid.
void oz_membrane_write_skins(oz_sim *sim, oz_membrane *membrane);
// Whether a skin flows above a stretch (membrane_yield.cl).
bool oz_membrane_flows(const oz_membrane *membrane);
// OZ_PASS_ELASTIC: adds the accelerations by skins and by their filling.
oz_result oz_membrane_pull(oz_sim *sim, void *state, oz_error *error);
// The solver of the implicit step. It leaves bending out where that is so soft that an explicit
// step is stable.
oz_cg oz_membrane_cg(oz_sim *sim, const oz_membrane *membrane, float kick);
bool oz_membrane_bends(const oz_sim *sim, const oz_membrane *membrane, float kick);
// Writes minus the product of stiffness and damping with `direction` into `image`: of faces and
// filling, and if `bent` of edges.
void oz_membrane_multiply(oz_sim *sim, const oz_membrane *membrane, bool bent);
// Finds the rigid motion that each chamber gets back for the momentum that delta_v has lost, and
// its temperature.
void oz_membrane_return_momentum(oz_sim *sim, oz_membrane *membrane, float kick);

// ---- membrane_press.c --------------------------------------------------------------------------

// oz_bind_ops.fix: lowers the mobility of vertices, which carry a filling.
void oz_membrane_fix(oz_sim *sim, const void *state, oz_float4 *guess);
// oz_bind_ops.project: replaces the accelerations of vertices by those of an implicit step.
void oz_membrane_project(oz_sim *sim, const void *state, oz_float4 *acceleration);

#endif
