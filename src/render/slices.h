// slices.h: a picture of distances to a solid, cut through its middle along x, y and z.
#ifndef OZ_SLICES_H
#define OZ_SLICES_H

#include "render/render.h"

typedef struct oz_slices {
	const oz_sdf *sdf;
	oz_vec3 min, max; // m, of the solid
	float reach;      // m, beyond which distances are not known
	bool shell;       // there is no inside
	const char *name; // written above
} oz_slices;

// Draws into a new picture, which the caller frees with oz_picture_free.
oz_result oz_slices_draw(const oz_slices *slices, oz_picture *picture, oz_error *error);

#endif
