// painter.h: the struct behind oz_show_painter; for the files of this folder only.
//
//   looks     materials, colliders, the legend
//   camera    the extent of all frames, and the camera
//   painter   a frame as a painting
#ifndef OZ_SHOW_PAINTER_H
#define OZ_SHOW_PAINTER_H

#include "show/show.h"

// Names of bodies or materials beside their colours.
typedef struct oz_painter_names {
	const char **names; // NULL: none are drawn
	oz_vec3 *colours;
	uint32_t count;
} oz_painter_names;

struct oz_show_painter {
	const oz_show_frames *frames;
	oz_show_picture_def def;
	oz_paint paint;
	oz_vec3 *colours; // of the materials, linear
	oz_painter_names names;
	oz_painting painting;
	oz_surface_maker *maker; // NULL: particles are drawn
	oz_show_skins skins;
	oz_collider_view *colliders;
	oz_shaded_mesh **shaded_meshes; // of colliders that are meshes; one for each mesh

	// the frame that was painted last
	oz_frame frame;
	oz_vec3 *grain_colours; // of each grain, where particles are drawn
};

// Chooses the looks of colliders; colliders with the same mesh share its shaded mesh.
oz_result oz_painter_choose_looks(oz_show_painter *painter, oz_error *error);
// Collects the names for the legend, if it names bodies or materials.
oz_result oz_painter_name_colours(oz_show_painter *painter, oz_error *error);
// Reads all frames, chooses the ends of the colour map, places camera and light.
oz_result oz_painter_survey(oz_show_painter *painter, oz_error *error);

#endif
