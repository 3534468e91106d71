// slices.h: a picture of a signed distance field on three planes through its middle.
#ifndef OZ_SLICES_H
#define OZ_SLICES_H

#include "render/render.h"

typedef struct oz_slices {
	const oz_sdf *sdf;
	oz_vec3 min, max; // m, box of the mesh
	float reach;      // m, greatest distance that the field stores
	bool shell;       // the mesh has no inside
	const char *name; // title of the picture
} oz_slices;

// Draws into a new picture, which the caller frees with oz_picture_free.
oz_result oz_slices_draw(const oz_slices *slices, oz_picture *picture, oz_error *error);

#endif
