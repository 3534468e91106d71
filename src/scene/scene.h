// scene.h: scene files: JSON with comments, read into definitions, resolved, made into a world.
//
// Every key comes from the parameter tables (oz_params and those of this folder); unknown keys are
// errors. Sentences begin with file:line:column and the path of the value: "dam.json:12:20:
// bodies[0].size …".
#ifndef OZ_SCENE_H
#define OZ_SCENE_H

#include "ooze/ooze.h"
#include "ooze/surface.h"
#include "sdf/mesh_sdf.h"

typedef struct oz_scene oz_scene;

// What a run writes, and when.
typedef struct oz_output_def {
	float duration;          // s, simulated
	float frame_rate;        // frames per simulated second
	bool vtu;                // write frames as VTU + PVD
	bool ply;                // write frames as PLY
	bool h5;                 // write all frames into one HDF5 archive, with XDMF
	float snapshot_interval; // s, simulated, between snapshots
} oz_output_def;

// What a material looks like in pictures.
typedef enum oz_look {
	OZ_LOOK_AUTO, // as its name suggests, or its preset
	OZ_LOOK_MATTE,
	OZ_LOOK_PLASTIC,
	OZ_LOOK_LIQUID,
	OZ_LOOK_JELLY,
	OZ_LOOK_COUNT
} oz_look;

// What a collider looks like in pictures.
typedef enum oz_collider_look {
	OZ_COLLIDER_AUTO, // vessels as lines, or as glass if they are meshes; all else is matte
	OZ_COLLIDER_MATTE,
	OZ_COLLIDER_GLASS, // thin and clear
	OZ_COLLIDER_HIDDEN,
	OZ_COLLIDER_LOOK_COUNT
} oz_collider_look;

typedef struct oz_finish {
	oz_look look;
	oz_vec3 colour; // 0…1, sRGB; negative: chosen by the material's name or preset
	float depth;    // m of liquid or jelly through which light takes on the colour; 0: chosen
} oz_finish;

#define OZ_SAMPLES_MAX 4096u // a pixel

// How pictures are made.
typedef struct oz_picture_def {
	bool particles;   // draw particles, not the surface around them
	oz_vec3 camera;   // m; below -1e9: left out, as in the next
	oz_vec3 target;   // m, what it looks at
	float view_angle; // °, vertical
	uint32_t samples; // a pixel; 0: the renderer's default
} oz_picture_def;

// Reads and checks a scene; *scene is NULL on failure. Mesh paths are relative to the scene's
// folder.
oz_result oz_scene_load(const char *path, oz_scene **scene, oz_error *error);
// The same from text: `name` stands in for the file in sentences, `folder` is where meshes are.
oz_result oz_scene_parse(const char *text, size_t size, const char *name, const char *folder,
                         oz_scene **scene, oz_error *error);
void oz_scene_free(oz_scene *scene);

const char *oz_scene_name(const oz_scene *scene);
const oz_output_def *oz_scene_output(const oz_scene *scene);
const oz_world_def *oz_scene_world(const oz_scene *scene);
const oz_picture_def *oz_scene_picture(const oz_scene *scene);
// How surfaces are made; spacing and threads are those of the world.
const oz_surface_def *oz_scene_surface(const oz_scene *scene);
// What a material looks like; one that the scene does not have looks as it would by default.
oz_finish oz_scene_finish(const oz_scene *scene, oz_id material);
// The preset that a material began with; empty if there is none.
const char *oz_scene_preset(const oz_scene *scene, oz_id material);

// What a collider looks like; auto for one that the scene does not have.
oz_collider_look oz_scene_collider_look(const oz_scene *scene, oz_id collider);

// The mesh of a collider, as the last build read it.
typedef struct oz_collider_mesh {
	const char *path;      // as the scene names it
	oz_mesh mesh;          // scaled, in the collider's own frame
	oz_mesh_report report; // its size, holes and repairs
	float cell;            // m, of its SDF
	size_t bytes;          // of its SDF
} oz_collider_mesh;

// NULL for a collider that is a shape, or that no build has read.
const oz_collider_mesh *oz_scene_get_collider_mesh(const oz_scene *scene, oz_id collider);

// Whether a body shows a skin while it is solid; a body that the scene does not have shows none.
bool oz_scene_has_skin(const oz_scene *scene, oz_id body);
// Reads the skin of a body that has one, placed as the body is; the caller frees the mesh with
// oz_mesh_free.
oz_result oz_scene_load_skin(const oz_scene *scene, oz_id body, oz_mesh *mesh, oz_error *error);

// Makes the world: fills every body with particles, but for places where a collider stands. The
// scene stays as it is; `device` and `threads` (0: the scene's) are those of oz_world_def. Fails at
// once if the particles would not fit into this machine's memory.
oz_result oz_scene_build(const oz_scene *scene, const char *device, uint32_t threads,
                         const oz_hooks *hooks, oz_world **world, oz_error *error);
// How many particles of a body the last build left out, since a collider stands there.
uint32_t oz_scene_left_out(const oz_scene *scene, uint32_t body);
// About how many particles the emitters will have poured by a time, in s.
double oz_scene_poured(const oz_scene *scene, double time);
// About how many steps a run takes; `stats` and `report` are of its world after the first step.
double oz_scene_steps(const oz_scene *scene, const oz_stats *stats, const oz_step_report *report);
// Whether a world, loaded from a snapshot, has other parameters, materials or colliders than the
// scene; `parts` gets which of them: "world and colliders".
bool oz_scene_differs(const oz_scene *scene, const oz_world *world, char *parts, size_t size);
// Writes the scene with every default filled in, beside and then renamed; it loads to the same
// world. Comments of the text that was read are not written.
oz_result oz_scene_write(const oz_scene *scene, const char *path, oz_error *error);

// The rows of the tables of oz_output_def, oz_picture_def and oz_finish.
const oz_param *oz_scene_output_params(uint32_t *count);
const oz_param *oz_scene_picture_params(uint32_t *count);
const oz_param *oz_scene_finish_params(uint32_t *count);

// A named material with values in SI units, and where they come from.
typedef struct oz_preset {
	const char *name;
	const char *sentence; // what it looks like, and the source of its numbers
	oz_material_def material;
} oz_preset;

const oz_preset *oz_presets(uint32_t *count);

// The JSON Schema and the docs page of all parameters, as text that the caller frees with free().
char *oz_scene_schema(void);
char *oz_scene_params_markdown(void);

#endif
