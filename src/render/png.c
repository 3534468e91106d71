// png.c: encodes a picture as PNG in memory and writes it beside its name, then renames it.
#include <png.h>
#include <stdlib.h>

#include "base/base.h"
#include "render/render.h"

oz_result oz_picture_write(const oz_picture *picture, const char *path, oz_error *error)
{
	png_image image = {.version = PNG_IMAGE_VERSION,
	                   .width = picture->width,
	                   .height = picture->height,
	                   .format = PNG_FORMAT_RGB};
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	void *bytes = malloc(size);
	if (!bytes)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory while packing %s; choose a smaller size", path);
	oz_file file;
	oz_result result = OZ_OK;
	if (!png_image_write_to_memory(&image, bytes, &size, 0, picture->pixels, 0, NULL))
		result = oz_fail(error, OZ_ERROR_FILE,
		                 "%s cannot be packed as PNG: %s; choose another size", path,
		                 image.message);
	if (result == OZ_OK)
		result = oz_file_begin(&file, path, error);
	if (result == OZ_OK) {
		oz_file_put(&file, bytes, size);
		result = oz_file_commit(&file, error);
	}
	free(bytes);
	return result;
}
