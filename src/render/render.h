// render.h: pictures of a run: reading frames, camera, path tracing, PNG.
//
//   oz_frame_read(path, &frame, &error);                the particles of a PLY frame
//   oz_painting painting = oz_painting_default(&box, 960, 540);   camera, light and ground
//   painting.grains = …; painting.skins = …; painting.colliders = …;
//   oz_tracer_create(960, 540, threads, &tracer, &error);
//   oz_tracer_draw(tracer, &painting, &picture, &error);
//   oz_picture_write(&picture, "frame.png", &error);
//
// Colours are linear, 0 … 1, in the fields of an oz_vec3; pictures hold sRGB bytes. The bytes of a
// picture do not depend on the number of threads.
#ifndef OZ_RENDER_H
#define OZ_RENDER_H

#include "ooze/ooze.h"
#include "ooze/surface.h"
#include "scene/scene.h"

// ---- frames -----------------------------------------------------------------------------------

// A particle as a PLY frame holds it.
typedef struct oz_grain {
	oz_vec3 position; // m
	oz_vec3 velocity; // m/s
	float density;    // kg/m³
	uint32_t material, body, id;
	float temperature; // °C
	uint32_t phase;    // 1 solid, 0 liquid; 1 for frames without this column
} oz_grain;

typedef struct oz_frame {
	oz_grain *grains;
	uint32_t count;
} oz_frame;

// Reads a frame as oz_export_ply writes it; free it with oz_frame_free, also after a failure.
oz_result oz_frame_read(const char *path, oz_frame *frame, oz_error *error);
void oz_frame_free(oz_frame *frame);

// Writes to counts[b] the number of particles of body b, b < bodies; 0 if one of them has melted or
// has no valid position.
void oz_frame_count_solid(const oz_frame *frame, uint32_t *counts, uint32_t bodies);

// Whether a position is finite and within 1e9 m of the origin.
bool oz_is_valid_position(oz_vec3 position);

// Lists the numbers of the files frame_NNNNN.ENDING in a folder, ascending; the caller frees
// *numbers with free(). A folder that does not exist has none.
oz_result oz_frame_list(const char *folder, const char *ending, uint32_t **numbers, uint32_t *count,
                        oz_error *error);

// ---- pictures ---------------------------------------------------------------------------------

typedef struct oz_picture {
	uint32_t width, height;
	uint8_t *pixels; // red, green, blue, by rows from the top
} oz_picture;

oz_result oz_picture_create(uint32_t width, uint32_t height, oz_picture *picture, oz_error *error);
void oz_picture_free(oz_picture *picture);
// Writes a PNG beside its name and then renames it.
oz_result oz_picture_write(const oz_picture *picture, const char *path, oz_error *error);
// Puts `from`, scaled by the area that pixels cover, into a rectangle of `picture`.
void oz_picture_place(oz_picture *picture, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const oz_picture *from);
// The size of letters on a picture, pixels.
double oz_picture_letters(uint32_t width, uint32_t height);
// Draws the colour map with title, unit and numbers in the lower right corner; nothing if the
// picture is too small.
oz_result oz_picture_legend(oz_picture *picture, const char *title, const char *unit, double low,
                            double high, oz_error *error);
// Draws up to ten names beside their linear colours in the same corner; a last row counts the rest.
oz_result oz_picture_names(oz_picture *picture, const char *const *names, const oz_vec3 *colours,
                           uint32_t count, oz_error *error);

// ---- colours ----------------------------------------------------------------------------------

// The colour map: dark violet, blue, green, yellow for 0 … 1; brightness increases evenly.
oz_vec3 oz_colour_map(float share);
// A colour for the number of a body or material.
oz_vec3 oz_colour_number(uint32_t number);
// The colour of a material with a known name, or else that of its number.
oz_vec3 oz_colour_material(const char *name, uint32_t number);
uint8_t oz_colour_byte(float linear);
// Converts an sRGB colour, 0 … 1, to linear light.
oz_vec3 oz_colour_linear(oz_vec3 srgb);

typedef enum oz_colouring {
	OZ_COLOUR_MATERIAL,
	OZ_COLOUR_BODY,
	OZ_COLOUR_NONE,  // one colour for all particles
	OZ_COLOUR_SPEED, // this and the following use the colour map
	OZ_COLOUR_DENSITY,
	OZ_COLOUR_PRESSURE,
	OZ_COLOUR_TEMPERATURE,
	OZ_COLOUR_COUNT
} oz_colouring;

// How particles are coloured; `world` gives the materials and the equation of state.
typedef struct oz_paint {
	oz_colouring by;
	const oz_world *world;
	const oz_vec3 *materials; // colour of each; NULL: by its name
	double low, high;         // ends of the colour map
} oz_paint;

const char *oz_colouring_name(oz_colouring by);
// Title and unit in the legend; NULL where the colour map is not used.
const char *oz_colouring_title(oz_colouring by);
const char *oz_colouring_unit(oz_colouring by);
// The value by which a grain is coloured; 0 where the colour map is not used.
float oz_paint_value(const oz_paint *paint, const oz_grain *grain);
oz_vec3 oz_paint_colour(const oz_paint *paint, const oz_grain *grain);
// The colour of such a value, or of a body; not for colouring by material.
oz_vec3 oz_paint_shade(const oz_paint *paint, float value, uint32_t body);

// ---- drawing ----------------------------------------------------------------------------------

typedef struct oz_box {
	oz_vec3 min, max; // m
} oz_box;

#define OZ_RIM 26 // directions from a cube's centre to its faces, edges and corners

// One of those directions, components -1, 0 or 1.
oz_vec3 oz_rim_direction(int number);

// The extent and the values of a sequence of frames, accumulated frame by frame.
typedef struct oz_survey {
	oz_box box;          // empty while min > max
	oz_vec3 rim[OZ_RIM]; // the outermost point in each direction, m
	float reach[OZ_RIM]; // its product with the direction
	double low, high;    // range of the values
	double count, sum, squares;
} oz_survey;

oz_survey oz_survey_begin(void);
// Adds the grains of a frame; stray ones, more than six deviations away, do not extend the box.
void oz_survey_add_frame(oz_survey *survey, const oz_frame *frame, const oz_paint *paint,
                         float radius);
// Sets the ends of the colour map: the range of values, at most three deviations from the mean.
void oz_survey_range(const oz_survey *survey, oz_paint *paint);

// Where rays come from.
typedef struct oz_camera {
	oz_vec3 eye;
	oz_vec3 right, up, forward; // unit vectors
	float scale;                // pixels for a slope of one
	float centre[2];            // pixels, where `forward` points
} oz_camera;

// A camera that sees all points, or a whole box, from its wide side and a little from above.
oz_camera oz_camera_frame(const oz_vec3 *points, uint32_t count, uint32_t width, uint32_t height);
oz_camera oz_camera_fit(const oz_box *box, uint32_t width, uint32_t height);
// A camera at `eye` that looks at `target`; `angle`: vertical view angle in degrees.
oz_camera oz_camera_look(oz_vec3 eye, oz_vec3 target, float angle, uint32_t width, uint32_t height);
// The same camera moved sideways: `target` is in the middle of the picture, as far away as `middle`
// was.
oz_camera oz_camera_aim(const oz_camera *camera, oz_vec3 middle, oz_vec3 target, uint32_t width,
                        uint32_t height);
// Projects a point: x and y in pixels, z its depth along `forward` in m.
oz_vec3 oz_camera_project(const oz_camera *camera, oz_vec3 point);

// ---- what is drawn ----------------------------------------------------------------------------

// The appearance of a material, completely chosen: `look` is not OZ_LOOK_AUTO.
typedef struct oz_appearance {
	oz_look look;
	oz_vec3 colour; // reflected; of liquid and jelly: white light after a path of `depth`
	float depth;    // m
} oz_appearance;

// Whether the table of appearances has a name.
bool oz_appearance_is_known(const char *name);
// Completes a finish, from the material's name and number and the size of the scene (m).
oz_appearance oz_appearance_of(const oz_finish *finish, const char *name, uint32_t number,
                               float size);

// A mesh with its appearance; closed for liquid and jelly. Without normals its triangles are flat;
// colours of vertices replace that of the appearance.
typedef struct oz_drawn_mesh {
	oz_surface_mesh mesh;
	oz_appearance appearance;
} oz_drawn_mesh;

// A mesh prepared for pictures: smooth normals, except at sharp edges.
typedef struct oz_shaded_mesh oz_shaded_mesh;

oz_result oz_shaded_mesh_make(const oz_mesh *mesh, oz_shaded_mesh **shaded, oz_error *error);
void oz_shaded_mesh_free(oz_shaded_mesh *shaded);

typedef struct oz_collider_view {
	oz_shape shape;
	bool vessel; // the particles are inside
	oz_collider_look look;
	const oz_shaded_mesh *shaded; // the mesh of a signed distance field; NULL: it is not drawn
} oz_collider_view;

// Writes the poses of all colliders at a time (s) to `views`, one for each collider; looks and
// shaded meshes are not changed.
void oz_collider_views(const oz_world *world, double time, oz_collider_view *views);
// Adds a visible collider; points above `top` (m) are lowered to it.
void oz_survey_add_collider(oz_survey *survey, const oz_collider_view *collider, float top);
// Whether a collider is a horizontal plane below the particles.
bool oz_is_floor(const oz_collider_view *collider);
// The height (m) of the highest floor, which hides the others; without a floor: `otherwise`.
float oz_ground_of(const oz_collider_view *colliders, uint32_t count, float otherwise);

// The sky, and the sun as a disc at infinity.
typedef struct oz_light {
	oz_vec3 horizon, zenith; // radiance
	oz_vec3 sun;             // irradiance on a face perpendicular to it; zero: no sun
	oz_vec3 sun_direction;   // unit vector to its centre
	float sun_radius;        // rad; larger: softer shadows
} oz_light;

typedef struct oz_painting {
	oz_camera camera;
	oz_box box; // m, what the camera was fitted to
	oz_light light;
	float ground; // m, height of the ground, which replaces the highest floor; NAN: none
	const oz_drawn_mesh *skins;
	uint32_t skin_count;
	const oz_grain *grains; // drawn as balls
	const oz_vec3 *colours; // one for each grain
	uint32_t count;
	float radius; // m, of a grain
	const oz_collider_view *colliders;
	uint32_t collider_count;
	uint32_t samples; // a pixel; 0: OZ_SAMPLES
	bool raw;         // do not filter the noise
} oz_painting;

#define OZ_SAMPLES 12u

// A painting without objects: camera and light for a box, ground at the bottom of the box.
oz_painting oz_painting_default(const oz_box *box, uint32_t width, uint32_t height);

// ---- surfaces ---------------------------------------------------------------------------------

typedef struct oz_surface_maker oz_surface_maker;

// Creates an object that makes the surface of each of `count` materials.
oz_result oz_surface_maker_create(const oz_surface_def *def, const oz_appearance *appearances,
                                  uint32_t count, oz_surface_maker **maker, oz_error *error);
void oz_surface_maker_destroy(oz_surface_maker *maker);
// Puts the surfaces of a frame into a painting; they are valid until the next call. Where fields or
// bodies give the colours, vertices have colours; else the appearance of the material is used.
oz_result oz_surface_maker_make(oz_surface_maker *maker, const oz_frame *frame,
                                const oz_paint *paint, const oz_collider_view *colliders,
                                uint32_t collider_count, oz_painting *painting, oz_error *error);

// Adds a mesh with the appearance of a material, after the surfaces of the frame. The caller keeps
// the mesh while the painting is used; colour.x of its vertices is the value that `paint` colours.
oz_result oz_surface_maker_add(oz_surface_maker *maker, const oz_surface_mesh *mesh,
                               uint32_t material, const oz_paint *paint, oz_painting *painting,
                               oz_error *error);

// ---- drawing ----------------------------------------------------------------------------------

typedef struct oz_tracer oz_tracer;

// Creates a tracer for pictures of one size; threads 0: one for each core.
oz_result oz_tracer_create(uint32_t width, uint32_t height, uint32_t threads, oz_tracer **tracer,
                           oz_error *error);
void oz_tracer_destroy(oz_tracer *tracer);
// Draws into a picture of the tracer's size. Particles and triangles that are not finite are left
// out.
oz_result oz_tracer_draw(oz_tracer *tracer, const oz_painting *painting, oz_picture *picture,
                         oz_error *error);
// The linear light of the picture drawn last, by rows from the top.
const oz_vec3 *oz_tracer_light(const oz_tracer *tracer);

#endif
