// show.h: decides how a run is drawn: whether a body shows its skin, how surfaces are grouped, the
// appearance of materials, the camera, the frame for a given time. Nothing here prints or reads
// files: the caller supplies the frames, from files, from memory or from a world.
//
//   oz_show_frames frames = {scene, world, numbers, count, read, NULL, context};
//
//   oz_show_surfaces_create(&frames, OZ_SHOW_BODIES, &def, &surfaces, &error);   meshes
//   oz_show_surfaces_read(surfaces, number, &error);
//   oz_show_surfaces_mesh(surfaces, group, &mesh, &error);
//
//   oz_show_painter_create(&frames, &def, &painter, &error);                    pictures
//   oz_show_painter_paint(painter, number, &painting, &error);    for a program that draws itself
//   oz_show_painter_draw(painter, number, tracer, &picture, &error);
#ifndef OZ_SHOW_H
#define OZ_SHOW_H

#include "ooze/ooze.h"
#include "ooze/skin.h"
#include "ooze/surface.h"
#include "render/render.h"
#include "scene/scene.h"

// ---- frames -----------------------------------------------------------------------------------

// The frames of a run. All pointers stay valid as long as anything below uses them.
typedef struct oz_show_frames {
	const oz_scene *scene;
	oz_world *world;         // at the start of the run: names, materials, colliders
	const uint32_t *numbers; // of the frames, in ascending order
	uint32_t count;
	// Reads a frame; it is freed with oz_frame_free, also after a failure.
	oz_result (*read)(void *context, uint32_t number, oz_frame *frame, oz_error *error);
	// Reports that `lost` of `count` particles of a frame have no finite position and are left
	// out; may be NULL.
	void (*report_lost)(void *context, uint32_t number, uint32_t lost, uint32_t count);
	void *context;
} oz_show_frames;

bool oz_show_has_frame(const oz_show_frames *frames, uint32_t number);
// The simulated time of a frame, in s.
double oz_show_time(const oz_show_frames *frames, uint32_t number);
// The index of the frame nearest to a time in s; 0 where there are no frames.
uint32_t oz_show_nearest_frame(const oz_show_frames *frames, double time);
// Reads a frame, reports and removes the particles without a finite position. Free the frame with
// oz_frame_free, also after a failure.
oz_result oz_show_read_frame(const oz_show_frames *frames, uint32_t number, oz_frame *frame,
                             oz_error *error);
// Makes a frame of a world as it is now. Free the frame with oz_frame_free, also after a failure.
oz_result oz_show_frame_of_world(oz_world *world, oz_frame *frame, oz_error *error);

// ---- looks ------------------------------------------------------------------------------------

// Gives the linear colours of the materials, those of the scene or of their names, and black after
// the last; the caller frees them with free().
oz_result oz_show_colours(const oz_scene *scene, const oz_world *world, oz_vec3 **colours,
                          oz_error *error);
// The appearance of a material: from the scene, or from its name, or from its preset. `size`: of
// the drawn box, m.
oz_appearance oz_show_appearance(const oz_scene *scene, const oz_world *world, oz_id material,
                                 float size);

// ---- skins ------------------------------------------------------------------------------------

// A body that shows a skin while it is solid.
typedef struct oz_show_skin {
	oz_skin *skin;
	uint32_t body, material;
	uint32_t particles;   // of the body at the start
	uint32_t melted;      // first frame, of those read, in which the body is not solid; OZ_NONE
	bool shown;           // in the frame that was posed last
	oz_surface_mesh mesh; // of that frame, if `shown`; lasts until the next pose
} oz_show_skin;

typedef struct oz_show_skins {
	oz_show_skin *skins;
	uint32_t count;
	uint32_t *skin_of;     // by body: its skin, or OZ_NONE
	uint32_t *solid_count; // by body: particles in the frame, 0 if the body is not solid
	uint32_t body_count;
	const oz_show_frames *frames;
	uint32_t known; // frames with lower numbers have been read, if a body may melt
} oz_show_skins;

// Loads the skins of a scene and binds them to the particles of frame 0, or of the world where
// there is no frame 0. `sharp`: for pictures, vertices on sharp edges of the mesh are split. Close
// the skins also after a failure.
oz_result oz_show_skins_open(oz_show_skins *skins, const oz_show_frames *frames, bool sharp,
                             uint32_t threads, const oz_hooks *hooks, oz_error *error);
void oz_show_skins_close(oz_show_skins *skins);
// Poses the skins of all bodies that are solid in a frame and in all frames before it, and removes
// their particles from `frame`. `colour` is NULL or has an element for each particle; the elements
// of removed particles are removed. Reads earlier frames that were not posed if a material can
// melt.
oz_result oz_show_skins_pose(oz_show_skins *skins, uint32_t number, oz_frame *frame,
                             oz_vec3 *colour, oz_error *error);

// ---- surfaces ---------------------------------------------------------------------------------

// Which particles make one mesh.
typedef enum oz_show_each { OZ_SHOW_ALL, OZ_SHOW_BODIES, OZ_SHOW_MATERIALS } oz_show_each;

// The number of groups, and the name of a group's body or material; "" for OZ_SHOW_ALL.
uint32_t oz_show_group_count(const oz_world *world, oz_show_each each);
const char *oz_show_group_name(const oz_world *world, oz_show_each each, uint32_t group);

typedef struct oz_show_surfaces oz_show_surfaces;

// Creates an object that makes the meshes of frames; *surfaces is NULL on failure. Destroy it with
// oz_show_surfaces_destroy, which accepts NULL.
oz_result oz_show_surfaces_create(const oz_show_frames *frames, oz_show_each each,
                                  const oz_surface_def *def, oz_show_surfaces **surfaces,
                                  oz_error *error);
void oz_show_surfaces_destroy(oz_show_surfaces *surfaces);
// Reads a frame, poses its skins and sorts its particles by group.
oz_result oz_show_surfaces_read(oz_show_surfaces *surfaces, uint32_t number, oz_error *error);
// Makes the mesh of a group of that frame: the skins of its bodies and the surface around all other
// particles; a group without particles gives an empty mesh. Vertices have the colours of their
// materials. The mesh is valid until the next call.
oz_result oz_show_surfaces_mesh(oz_show_surfaces *surfaces, uint32_t group, oz_surface_mesh *mesh,
                                oz_error *error);

// Totals of all meshes made so far.
typedef struct oz_show_work {
	uint64_t particles, triangles;
	uint64_t ns; // spent on surfaces and skins
} oz_show_work;

oz_show_work oz_show_surfaces_work(const oz_show_surfaces *surfaces);

// A mesh concatenated from others, and its memory.
typedef struct oz_show_joint {
	oz_surface_mesh mesh;
	void *memory;
	size_t size;
} oz_show_joint;

// Concatenates meshes that have all arrays; the caller frees joint->memory with free().
oz_result oz_show_join(oz_show_joint *joint, const oz_surface_mesh *const *parts, uint32_t count,
                       oz_error *error);

// ---- pictures ---------------------------------------------------------------------------------

// Settings of the pictures that override those of the scene.
typedef struct oz_show_picture_def {
	uint32_t width, height; // pixels
	oz_colouring by;
	bool material_names;  // the legend names materials, if they give the colours; it always
	                      // names bodies
	double low, high;     // ends of the colour map; low ≥ high: the range of all frames
	bool particles;       // draw particles as balls; false: as the scene says
	oz_surface_kind kind; // OZ_SURFACE_KIND_COUNT: the scene's
	uint32_t samples;     // a pixel; 0: the scene's
	uint32_t threads;     // 0: one for each core
	oz_hooks hooks;
} oz_show_picture_def;

// Uses the scene's settings; colours by material.
oz_show_picture_def oz_show_picture_default(uint32_t width, uint32_t height);

typedef struct oz_show_painter oz_show_painter;

// Makes a painter; *painter is NULL on failure. Reads all frames once, so that the camera does not
// move and a colour means the same value in all of them. Destroy it with oz_show_painter_destroy,
// which accepts NULL.
oz_result oz_show_painter_create(const oz_show_frames *frames, const oz_show_picture_def *def,
                                 oz_show_painter **painter, oz_error *error);
void oz_show_painter_destroy(oz_show_painter *painter);
// Prepares all that is drawn of a frame: camera, light, ground, colliders, skins and surfaces or
// particles. The painting belongs to the painter and is valid until the next call.
oz_result oz_show_painter_paint(oz_show_painter *painter, uint32_t number,
                                const oz_painting **painting, oz_error *error);
// Draws the legend into a picture: the colour map, or names beside their colours, or nothing.
oz_result oz_show_painter_legend(const oz_show_painter *painter, oz_picture *picture,
                                 oz_error *error);
// Paints a frame, traces it into a picture of the painter's and the tracer's size, adds the legend.
oz_result oz_show_painter_draw(oz_show_painter *painter, uint32_t number, oz_tracer *tracer,
                               oz_picture *picture, oz_error *error);

// ---- the contact sheet ------------------------------------------------------------------------

#define OZ_SHEET_MOST 24 // pictures on a sheet

// Pictures of several times of a run on one page.
typedef struct oz_show_sheet {
	const oz_show_frames *frames;
	uint32_t places[OZ_SHEET_MOST], place_count; // index of the frame in each place
	uint32_t tile_width, tile_height;            // pixels
	oz_picture picture;
} oz_show_sheet;

// Makes an empty sheet for the frames nearest to `count` times (s), with tiles of the pictures'
// size. With count 0: for six frames spread over the run, or for all if there are fewer, with tiles
// of two thirds of that size. Free it with oz_show_sheet_free, also after a failure.
oz_result oz_show_sheet_make(oz_show_sheet *sheet, const oz_show_frames *frames,
                             const double *moments, uint32_t count, uint32_t width, uint32_t height,
                             oz_error *error);
void oz_show_sheet_free(oz_show_sheet *sheet);
// Whether the sheet shows the frame with this index in oz_show_frames.
bool oz_show_sheet_has(const oz_show_sheet *sheet, uint32_t index);
// Puts the picture of that frame, with its time, into every place that shows it.
oz_result oz_show_sheet_put(oz_show_sheet *sheet, uint32_t index, const oz_picture *picture,
                            oz_error *error);

#endif
