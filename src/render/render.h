// render.h: pictures of a run: frames read back, a camera, light that is traced, PNG.
//
//   oz_frame_read(path, &frame, &error);                the particles of a PLY frame
//   oz_painting painting = oz_painting_default(&box, 960, 540);   camera, light and ground
//   painting.grains = …; painting.skins = …; painting.solids = …;   what is to be seen
//   oz_tracer_create(960, 540, threads, &tracer, &error);
//   oz_tracer_draw(tracer, &painting, &picture, &error);
//   oz_picture_write(&picture, "frame.png", &error);
//
// Colours are linear, 0 … 1, in the fields of an oz_vec3; pictures hold sRGB bytes. A picture is
// the same bit for bit whatever the number of threads.
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
	uint32_t phase;    // 1 solid, 0 liquid; of frames that do not tell: 1
} oz_grain;

typedef struct oz_frame {
	oz_grain *grains;
	uint32_t count;
} oz_frame;

// Reads a frame as oz_export_ply writes it; free it with oz_frame_free, also after a failure.
oz_result oz_frame_read(const char *path, oz_frame *frame, oz_error *error);
void oz_frame_free(oz_frame *frame);

// Counts the particles that each of `bodies` has in a frame; none of a body that is not solid,
// which it is no more once one of its particles has melted or is nowhere.
void oz_frame_count_solid(const oz_frame *frame, uint32_t *collider, uint32_t bodies);

// Whether a grain is anywhere: finite, and not flung out of all bounds.
bool oz_is_place(oz_vec3 position);

// The numbers of the files frame_NNNNN.ENDING in a folder, in order; the caller frees *numbers with
// free(). A folder that is not there holds none.
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
// Draws the bar of the colour map with what it means, in the lower right corner; nothing where the
// picture is too small for it.
oz_result oz_picture_legend(oz_picture *picture, const char *title, const char *unit, double low,
                            double high, oz_error *error);
// Draws names beside their linear colours there, up to ten; a count stands for the rest.
oz_result oz_picture_names(oz_picture *picture, const char *const *names, const oz_vec3 *colours,
                           uint32_t count, oz_error *error);

// ---- colours ----------------------------------------------------------------------------------

// The colour map: dark violet, blue, green, yellow for 0 … 1, each step as bright as it is far.
oz_vec3 oz_colour_map(float share);
// A colour for the number of a body or material.
oz_vec3 oz_colour_number(uint32_t number);
// The colour one expects of a material of that name, or that of its number.
oz_vec3 oz_colour_material(const char *name, uint32_t number);
uint8_t oz_colour_byte(float linear);
// Linear light of a colour as people write it, 0 … 1.
oz_vec3 oz_colour_linear(oz_vec3 srgb);

typedef enum oz_colouring {
	OZ_COLOUR_MATERIAL,
	OZ_COLOUR_BODY,
	OZ_COLOUR_NONE,  // the same for all
	OZ_COLOUR_SPEED, // this and the following by the colour map
	OZ_COLOUR_DENSITY,
	OZ_COLOUR_PRESSURE,
	OZ_COLOUR_TEMPERATURE,
	OZ_COLOUR_COUNT
} oz_colouring;

// How particles are coloured; `world` tells the materials and how pressure follows density.
typedef struct oz_paint {
	oz_colouring by;
	const oz_world *world;
	const oz_vec3 *materials; // colour of each; NULL: by its name
	double low, high;         // ends of the colour map
} oz_paint;

const char *oz_colouring_name(oz_colouring by);
// What the legend says, and the unit; NULL where there is none.
const char *oz_colouring_title(oz_colouring by);
const char *oz_colouring_unit(oz_colouring by);
// The number that a grain is coloured by.
float oz_paint_value(const oz_paint *paint, const oz_grain *grain);
oz_vec3 oz_paint_colour(const oz_paint *paint, const oz_grain *grain);
// The colour of such a number, or that of a body, where the material does not tell it.
oz_vec3 oz_paint_shade(const oz_paint *paint, float value, uint32_t body);

// ---- drawing ----------------------------------------------------------------------------------

typedef struct oz_box {
	oz_vec3 min, max; // m
} oz_box;

#define OZ_RIM 26 // ways from a cube's middle to its faces, edges and corners

// One of those ways.
oz_vec3 oz_rim_way(int number);

// What a sequence holds all in all: grown by what is added, then asked.
typedef struct oz_survey {
	oz_box box;          // empty while min > max
	oz_vec3 rim[OZ_RIM]; // the outermost point each way
	float reach[OZ_RIM]; // and how far that is
	double low, high;    // of the values
	double count, sum, squares;
} oz_survey;

oz_survey oz_survey_begin(void);
// Adds the grains of a frame; the few that are far from all others do not widen the box.
void oz_survey_add_frame(oz_survey *survey, const oz_frame *frame, const oz_paint *paint,
                         float radius);
// Ends of a colour map that a few extreme values do not stretch.
void oz_survey_range(const oz_survey *survey, oz_paint *paint);

// Where rays come from.
typedef struct oz_camera {
	oz_vec3 eye;
	oz_vec3 right, up, forward; // unit vectors
	float scale;                // pixels for a slope of one
	float centre[2];            // pixels, where `forward` points
} oz_camera;

// A camera that sees all of some points, or of a box, from the side that shows most of it, a little
// from above.
oz_camera oz_camera_frame(const oz_vec3 *points, uint32_t count, uint32_t width, uint32_t height);
oz_camera oz_camera_fit(const oz_box *box, uint32_t width, uint32_t height);
// A camera at `eye` that looks at `target`; `angle` in degrees, from the lower to the upper rim.
oz_camera oz_camera_look(oz_vec3 eye, oz_vec3 target, float angle, uint32_t width, uint32_t height);
// The same camera moved sideways: `target` is in the middle of the picture, as far away as `middle`
// was.
oz_camera oz_camera_aim(const oz_camera *camera, oz_vec3 middle, oz_vec3 target, uint32_t width,
                        uint32_t height);
// Where a point is seen (pixels), and its depth along `forward`.
oz_vec3 oz_camera_see(const oz_camera *camera, oz_vec3 point);

// ---- what is drawn ----------------------------------------------------------------------------

// What a thing is like, all chosen: `look` is not OZ_LOOK_AUTO.
typedef struct oz_coat {
	oz_look look;
	oz_vec3 colour; // of what comes back; of liquid and jelly: what is left of white after
	                // `depth`
	float depth;    // m
} oz_coat;

// Whether a name tells what it looks like.
bool oz_coat_knows(const char *name);
// Chooses what a finish leaves open, by the material's name and number and the size of the scene
// (m).
oz_coat oz_coat_of(const oz_finish *finish, const char *name, uint32_t number, float size);

// A closed mesh (liquid, jelly) or any other; without normals its triangles are flat, with colours
// they take the place of the coat's.
typedef struct oz_garment {
	oz_surface_mesh mesh;
	oz_coat coat;
} oz_garment;

// A mesh made ready for pictures: smooth where it is round, sharp where it has edges.
typedef struct oz_hull oz_hull;

oz_result oz_hull_make(const oz_mesh *mesh, oz_hull **hull, oz_error *error);
void oz_hull_free(oz_hull *hull);

typedef struct oz_collider_view {
	oz_shape shape;
	bool vessel; // the material is inside
	oz_collider_look look;
	const oz_hull *hull; // what an SDF looks like; NULL: it is not seen
} oz_collider_view;

// Places all colliders of a world as they stand at a time; `views` has room for each, and keeps
// its looks and hulls.
void oz_collider_views(const oz_world *world, double time, oz_collider_view *views);
// Adds a solid that is seen, what is above `top` (m) left out.
void oz_survey_add_collider(oz_survey *survey, const oz_collider_view *collider, float top);
// Whether it is a level plane with the material above it.
bool oz_is_floor(const oz_collider_view *collider);
// The height of the highest floor: those below it are out of sight. Without one: `otherwise`.
float oz_ground_of(const oz_collider_view *colliders, uint32_t count, float otherwise);

// A sky, from the horizon up, and one round light in it, far away.
typedef struct oz_light {
	oz_vec3 horizon, zenith; // radiance
	oz_vec3 sun;             // irradiance on a face turned to it; zero: none
	oz_vec3 sun_way;         // unit vector to its middle
	float sun_radius;        // rad; how soft shadows are
} oz_light;

typedef struct oz_painting {
	oz_camera camera;
	oz_box box; // m, what the camera was fitted to
	oz_light light;
	float ground; // m, its height, that of the floor which it stands for; NAN: there is none
	const oz_garment *skins;
	uint32_t skin_count;
	const oz_grain *grains; // drawn as balls
	const oz_vec3 *colours; // one for each grain
	uint32_t count;
	float radius; // m, of a grain
	const oz_collider_view *colliders;
	uint32_t collider_count;
	uint32_t samples; // a pixel; 0: OZ_SAMPLES
	bool raw;         // leave the noise in
} oz_painting;

#define OZ_SAMPLES 12u

// An empty painting of what is in a box: camera, light, the ground under the box, no noise.
oz_painting oz_painting_default(const oz_box *box, uint32_t width, uint32_t height);

// ---- surfaces ---------------------------------------------------------------------------------

typedef struct oz_dresser oz_dresser;

// Makes a maker of skins, one for each of `count` materials, with its coat.
oz_result oz_dresser_create(const oz_surface_def *def, const oz_coat *coats, uint32_t count,
                            oz_dresser **dresser, oz_error *error);
void oz_dresser_destroy(oz_dresser *dresser);
// Puts the skins of a frame into a painting; they last until the next call. Fields and bodies
// colour them, in place of the coat; materials do not.
oz_result oz_dresser_dress(oz_dresser *dresser, const oz_frame *frame, const oz_paint *paint,
                           const oz_collider_view *colliders, uint32_t collider_count,
                           oz_painting *painting, oz_error *error);

// Adds a mesh that is of a material, after the skins of the frame: it wears the same coat. The mesh
// lasts as long as the painting is used; its colours are numbers that the paint shades.
oz_result oz_dresser_add(oz_dresser *dresser, const oz_surface_mesh *mesh, uint32_t material,
                         const oz_paint *paint, oz_painting *painting, oz_error *error);

// ---- drawing ----------------------------------------------------------------------------------

typedef struct oz_tracer oz_tracer;

// Makes room for pictures of a size; threads 0: one for each core.
oz_result oz_tracer_create(uint32_t width, uint32_t height, uint32_t threads, oz_tracer **tracer,
                           oz_error *error);
void oz_tracer_destroy(oz_tracer *tracer);
// Draws into a picture of the tracer's size. Particles and triangles that are not finite are left
// out.
oz_result oz_tracer_draw(oz_tracer *tracer, const oz_painting *painting, oz_picture *picture,
                         oz_error *error);
// The light of the picture drawn last, by rows from the top, before it became bytes.
const oz_vec3 *oz_tracer_light(const oz_tracer *tracer);

#endif
