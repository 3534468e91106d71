// scene_data.h: what a read scene holds, and what the files of this folder share.
//
// An entry is a definition plus what only a scene file knows: names of materials, mesh files, and
// angles in degrees as they were written, so that the scene can be written back without a loss.
#ifndef OZ_SCENE_DATA_H
#define OZ_SCENE_DATA_H

#include <stdio.h>

#include "scene.h"
#include "json/json.h"

#define OZ_SCENE_MAX_BYTES     ((size_t)16 << 20)
#define OZ_SCENE_MAX_DEPTH     32
#define OZ_SCENE_MAX_ENTRIES   10000   // of a list, or materials
#define OZ_SCENE_MAX_KEYFRAMES 100000  // of one collider, handle or material
#define OZ_SCENE_MAX_VALUES    1048576 // in the text
#define OZ_MESH_PATH_SIZE      1024

typedef struct scene_material {
	char preset[OZ_NAME_SIZE];
	oz_material_def def;
	oz_finish finish;
	oz_alpha_key *alpha_keys; // put into the definition when a world is built
	uint32_t alpha_key_count;
} scene_material;

// alpha along a line through a body, from its first particle to its last
typedef struct scene_alphas {
	float from, to;
	oz_vec3 axis;
} scene_alphas;

// How a body is filled: as oz_fill says, or as what only a mesh can be.
typedef enum scene_fill {
	SCENE_FILL_SURFACE = OZ_FILL_COUNT, // one layer over its triangles
	SCENE_FILL_LINE,                    // one row along its lines
	SCENE_FILL_COUNT
} scene_fill;

typedef struct scene_keyframe {
	oz_keyframe def;
	double angles[3];
} scene_keyframe;

typedef struct scene_body {
	char material[OZ_NAME_SIZE];
	char mesh[OZ_MESH_PATH_SIZE]; // empty: the shape counts
	oz_vec3 scale;                // of the mesh
	bool own_skin;                // the mesh is the skin
	char skin[OZ_MESH_PATH_SIZE]; // file of another one
	uint32_t fill;                // oz_fill or scene_fill
	oz_shape shape;               // its position and rotation place the mesh too
	double angles[3];
	oz_body_def def;
	scene_keyframe *keyframes;
	uint32_t keyframe_count;
	char join[OZ_NAME_SIZE]; // name of those it is glued to; empty: none
	bool has_alphas;
	scene_alphas alphas;
	uint32_t left_out; // particles that stood in a collider when a world was last built
} scene_body;

typedef struct scene_collider {
	char mesh[OZ_MESH_PATH_SIZE]; // empty: the shape counts
	oz_vec3 scale;                // of the mesh
	float cell;                   // m, of its SDF; 0: half a spacing
	oz_collider_look look;
	oz_collider_def def; // the shape's kind tells that there is a mesh, too
	double angles[3];
	scene_keyframe *keyframes;
	uint32_t keyframe_count;
	oz_collider_mesh collider_mesh; // what the last build read
	uint32_t twin; // collider whose mesh and SDF are used here too; its own index: none
} scene_collider;

typedef struct scene_emitter {
	char material[OZ_NAME_SIZE];
	oz_emitter_def def;
} scene_emitter;

typedef struct scene_handle {
	char body[OZ_NAME_SIZE]; // what it holds of; empty: of all
	oz_handle_def def;
	double angles[3];
	scene_keyframe *keyframes;
	uint32_t keyframe_count;
} scene_handle;

typedef struct scene_region {
	oz_region_def def;
	double angles[3];
} scene_region;

typedef struct scene_adhesion {
	char material[OZ_NAME_SIZE], other[OZ_NAME_SIZE];
	oz_adhesion_def def;
} scene_adhesion;

typedef struct scene_interface {
	char material[OZ_NAME_SIZE], other[OZ_NAME_SIZE];
	oz_interface_def def;
} scene_interface;

// the mesh that was read last
typedef struct scene_recent_mesh {
	char path[4096]; // empty: none
	oz_mesh mesh;
} scene_recent_mesh;

struct oz_scene {
	char name[OZ_NAME_SIZE];
	oz_json_doc json; // kept to find lines
	char *folder;     // where relative mesh paths begin
	oz_world_def world;
	oz_surface_def surface;
	oz_picture_def picture;
	oz_output_def output;
	scene_material *materials;
	uint32_t material_count, material_capacity;
	scene_body *bodies;
	uint32_t body_count;
	scene_collider *colliders;
	uint32_t collider_count;
	scene_emitter *emitters;
	uint32_t emitter_count;
	scene_handle *handles;
	uint32_t handle_count;
	scene_region *regions;
	uint32_t region_count;
	scene_adhesion *adhesions;
	uint32_t adhesion_count;
	scene_interface *interfaces;
	uint32_t interface_count;
	scene_recent_mesh *recent; // a thousand bodies may have the same mesh
};

// ---- places in the text -----------------------------------------------------------------------

#define OZ_SCENE_ROOT "the scene" // what sentences call the object that holds all

// Fill the error with "file:line:column: path sentence"; the place is that of the value, or that of
// its key.
oz_result oz_scene_fail(const oz_scene *scene, const oz_json *value, oz_error *error,
                        oz_result code, const char *format, ...)
        __attribute__((format(printf, 5, 6)));
oz_result oz_scene_fail_key(const oz_scene *scene, const oz_json *value, oz_error *error,
                            oz_result code, const char *format, ...)
        __attribute__((format(printf, 5, 6)));
// An entry of "bodies" or another list of the scene; the root if it is not there.
const oz_json *oz_scene_entry(const oz_scene *scene, const char *list, uint32_t index);

// ---- sections ---------------------------------------------------------------------------------

// Rows of a table and where in an entry their struct stands.
typedef struct section_part {
	const oz_param *rows; // NULL: those of the group
	uint32_t count;
	oz_param_group group;
	size_t offset;
	size_t angles;  // of the double[3] that keeps a rotation's angles
	uint32_t trait; // that the material's model must have for these keys; 0: none
} section_part;

typedef enum child_kind { CHILD_OBJECT, CHILD_LIST, CHILD_MAP } child_kind;

typedef struct scene_section scene_section;

// A key that holds other sections.
typedef struct section_child {
	const char *name;
	child_kind kind;
	const scene_section *section;
	const char *sentence;
} section_child;

// An object of a scene file: all keys it may have.
struct scene_section {
	const char *name; // "body"
	const char *noun; // "a body"
	const char *sentence;
	const char *needed; // keys that must be there, parted by spaces; NULL for none
	uint32_t trait;     // that the material's model must have for this object; 0: none
	section_part parts[4];
	uint32_t part_count;
	section_child children[12];
	uint32_t child_count;
};

extern const scene_section oz_section_scene, oz_section_world, oz_section_material, oz_section_body,
        oz_section_collider, oz_section_keyframe, oz_section_emitter, oz_section_handle,
        oz_section_region, oz_section_adhesion, oz_section_interface, oz_section_surface,
        oz_section_picture, oz_section_output, oz_section_alpha_keyframe, oz_section_alphas;

const oz_param *oz_part_rows(const section_part *part, uint32_t *count);
// Whether a row's default lies outside its range, so that it means: the program chooses.
bool oz_row_is_chosen(const oz_param *row);
// Whether such a row was left out.
bool oz_row_left_out(const oz_param *row, const void *def);
// Finds a key's row, and the part it belongs to; NULL if there is none.
const oz_param *oz_section_find(const scene_section *section, const char *key,
                                const section_part **part);
const section_child *oz_section_child(const scene_section *section, const char *key);
// The key that was probably meant, NULL if none is near.
const char *oz_section_nearest(const scene_section *section, const char *key);
// Keeps the nearer of `best` and `candidate` to `word`; `distance` begins at the most that counts.
const char *oz_nearer(const char *word, const char *best, const char *candidate,
                      uint32_t *distance);
uint32_t oz_near_enough(const char *word);
// Sets every field that has a row to its default.
void oz_section_default(const scene_section *section, void *entry);
const oz_preset *oz_preset_find(const char *name);

// ---- values -----------------------------------------------------------------------------------

// A scene on its way in, and where the sentence goes.
typedef struct scene_reader {
	oz_scene *scene;
	oz_error *error;
} scene_reader;

#define oz_read_fail(reader, value, ...)                                                           \
	oz_scene_fail((reader)->scene, value, (reader)->error, OZ_ERROR_SCENE, __VA_ARGS__)
#define oz_read_fail_key(reader, value, ...)                                                       \
	oz_scene_fail_key((reader)->scene, value, (reader)->error, OZ_ERROR_SCENE, __VA_ARGS__)

// The rotation about x, then y, then z.
oz_quat oz_quat_from_degrees(const double angles[3]);
// Reads one value into the field of its row.
oz_result oz_read_row(scene_reader *reader, const oz_param *row, char *def, double *angles,
                      const oz_json *value);
// The words that a scene may choose from: all but the SDF, which is made from a mesh.
void oz_scene_choices_text(const oz_param *row, char *text, size_t size);
// A hint for a list that should have `count` numbers: where it has more, all of them whole, as in
// [0,5, 1, 2], that decimal numbers have a point; else "".
const char *oz_comma_hint(const oz_json *list, uint32_t count);
// Reads `count` numbers from a list.
oz_result oz_read_numbers(scene_reader *reader, const oz_json *value, uint32_t count,
                          const char *example, double *numbers);
// Reads all keys of an object but `size`, `scale`, `skin` and those of children; refuses unknown
// ones, and holds every field against its range.
oz_result oz_read_section(scene_reader *reader, const scene_section *section, const oz_json *object,
                          void *entry);
// Reads the size of a shape, whose kind is known by now, and refuses lengths of zero.
oz_result oz_read_size(scene_reader *reader, oz_shape *shape, const oz_json *object);
oz_result oz_read_scale(scene_reader *reader, oz_vec3 *scale, const oz_json *object);
// The word of a shape's kind.
const char *oz_shape_word(oz_shape_kind kind, char word[OZ_NAME_SIZE]);

typedef oz_result (*oz_read_entry)(scene_reader *reader, const oz_json *object, void *entry);

// Reads a list of entries into memory of its own; *count counts those that were begun.
oz_result oz_read_list(scene_reader *reader, const oz_json *list, const scene_section *section,
                       size_t size, uint32_t most, oz_read_entry read, void **entries,
                       uint32_t *count);
// Refuses a key, if it is there, with the sentence `why`.
oz_result oz_refuse_key(scene_reader *reader, const oz_json *object, const char *key,
                        const char *why);

// Reads the map of materials, with room for as many presets as there are `users`.
oz_result oz_read_materials(scene_reader *reader, const oz_json *map, size_t users);
// Turns a name into the number that the material will have, and takes in presets that are used.
oz_result oz_find_material(scene_reader *reader, const oz_json *object, const char *key,
                           const char *name, oz_id *id);
// Read the key `alpha_keyframes` of a material and the key `alphas` of a body, when all other keys
// have been read.
oz_result oz_read_material_alphas(scene_reader *reader, const oz_json *object,
                                  scene_material *material);
oz_result oz_read_body_alphas(scene_reader *reader, const oz_json *object, scene_body *body);
// Reads the key `skin` of a body, when all other keys have been read; fails if its material is
// always liquid.
oz_result oz_read_body_skin(scene_reader *reader, const oz_json *object, scene_body *body);
// Fills in alpha at each point of a body that has a field of it.
void oz_scene_alphas(const scene_alphas *field, const oz_vec3 *points, uint32_t count,
                     float *alphas);
// The mask of the models that a row, a section or a key is for; 0: all.
uint32_t oz_row_models(const section_part *part, const oz_param *row);
uint32_t oz_section_models(const scene_section *section);
uint32_t oz_key_models(const scene_section *section, const char *key);
// Refuses the keys of a material or body that are for other models than `model`, its material's.
oz_result oz_refuse_other_models(scene_reader *reader, const scene_section *section,
                                 const oz_json *object, oz_model model);
// Reads the keyframes of a body, collider or handle.
oz_result oz_read_keyframes(scene_reader *reader, const oz_json *object, scene_keyframe **keyframes,
                            uint32_t *count);
// The same as a world takes them, which has more of them where they turn far; the caller frees
// them. Never NULL but for want of memory; *count gets how many there are.
oz_keyframe *oz_scene_way(const scene_keyframe *keyframes, uint32_t *count, oz_error *cause);
// Turns the word `join` of a body, which was read, into a number: bodies with equal words get equal
// numbers, from 1.
oz_result oz_read_join(scene_reader *reader, const oz_json *object, scene_body *body);
// An entry of handles; bodies are read before.
oz_result oz_read_handle(scene_reader *reader, const oz_json *object, void *entry);
// Reads all of a scene from its tree.
oz_result oz_read_root(scene_reader *reader, const oz_json *root);
oz_result oz_read_fail_memory(scene_reader *reader);

// ---- counting ---------------------------------------------------------------------------------

// How many numbers a kind of shape reads from its size, and which components they are.
uint32_t oz_shape_numbers(oz_shape_kind kind, uint32_t components[3]);
// How many particles a shape will hold, about.
double oz_shape_particles(const oz_shape *shape, double spacing);
// Refuses a scene with more particles than there are numbers for.
oz_result oz_scene_check_count(const oz_scene *scene, oz_error *error);
// Says that an entry takes the scene beyond the most particles; `count` is that of all bodies, and
// at a spacing of `fits` they would be few enough.
oz_result oz_scene_too_many(const oz_scene *scene, const oz_json *entry, double count, double fits,
                            oz_error *error);
#define OZ_SCENE_MAX_PARTICLES 2147483648.0

// The bytes in which a scene has to fit, and of what they are the memory.
typedef struct scene_room {
	double memory;
	double each;       // of a particle in a world that has taken a step
	const char *whose; // "this machine", or the device's name
} scene_room;

// Refuses a scene whose particles, poured ones included, take more than there is room for.
oz_result oz_scene_check_memory(const oz_scene *scene, const scene_room *room, oz_error *error);
// Says so for an entry, with the spacing that fits.
oz_result oz_scene_too_large(const oz_scene *scene, const oz_json *entry, double count,
                             const scene_room *room, double fits, oz_error *error);

// the particles of a body as they were added to a world
typedef struct scene_points {
	oz_vec3 *at;
	uint32_t count;
} scene_points;

// Logs a warning for each pair of bodies of which one has particles inside the other.
void oz_scene_warn_overlaps(const oz_scene *scene, const scene_points *bodies,
                            const oz_hooks *hooks);

// Leaves out the points of a body that stand in a collider or too near to it; fails if none is
// left. The world has all colliders by now.
oz_result oz_scene_carve(const oz_scene *scene, const oz_world *world, uint32_t body,
                         oz_vec3 *points, uint32_t *count, oz_error *error);
// Fails if points of the skin of a body stand in colliders.
oz_result oz_scene_check_clear(const oz_scene *scene, const oz_world *world, uint32_t body,
                               const oz_vec3 *points, uint32_t count, oz_error *error);

// Loads the mesh that an entry names; *path gets where it lies, `size` bytes at most.
oz_result oz_scene_load_mesh(const oz_scene *scene, const char *mesh, oz_mesh *loaded, char *path,
                             size_t size, oz_error *error);
// The same of the lines that a file holds.
oz_result oz_scene_load_lines(const oz_scene *scene, const char *mesh, oz_mesh *loaded,
                              oz_error *error);
// Loads the mesh of a body as its fill needs it, and puts it where the body is.
oz_result oz_scene_load_body(const oz_scene *scene, const scene_body *body, oz_mesh *mesh,
                             oz_error *error);
// The estimated number of particles of a body from a mesh.
double oz_scene_mesh_particles(const scene_body *body, const oz_mesh *mesh, double spacing);
// 3: a fill of a volume, 2: of a surface, 1: of lines; the number of particles is proportional to
// 1 / spacing to this power.
double oz_fill_dimension(uint32_t fill);

// Refuses the skin of a body that cannot be read or does not lie around its particles.
// Whether a body is a closed surface, of a model with OZ_TRAIT_SKIN.
bool oz_scene_is_surface(const oz_scene *scene, uint32_t body);
// Makes an even mesh on the surface of a body's shape or mesh. The caller frees it with
// oz_mesh_free.
oz_result oz_scene_cover(const oz_scene *scene, uint32_t body, oz_mesh *even, oz_error *error);
oz_result oz_scene_check_skin(const oz_scene *scene, uint32_t body, const oz_vec3 *points,
                              uint32_t count, oz_error *error);

// What oz_scene_make_sdf needs.
typedef struct scene_sdf_making {
	oz_scene *scene;
	const oz_world *world; // with the colliders before this one
	double memory;         // bytes that are left
	const char *whose;     // "this machine", or the device's name
	uint32_t threads;
	oz_hooks hooks;
} scene_sdf_making;

// Makes the SDF of a collider's mesh, or takes that of an earlier one with the same mesh; the
// caller releases it. On failure *key is the key that caused it, or NULL.
oz_result oz_scene_make_sdf(const scene_sdf_making *c, uint32_t collider, const oz_sdf **sdf,
                            const char **key, oz_error *error);

// Puts the scene's folder before a relative mesh path; false if `size` bytes do not hold it.
bool oz_scene_mesh_path(const char *folder, const char *mesh, char *path, size_t size);

#endif
