// png_absent.c: replaces png.c in a build without libpng; writing always fails.
#include "base/base.h"
#include "render/render.h"

oz_result oz_picture_write(const oz_picture *picture, const char *path, oz_error *error)
{
	(void)picture;
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "%s cannot be written: this build of ooze leaves out PNG; install libpng "
	               "and build it again",
	               path);
}
