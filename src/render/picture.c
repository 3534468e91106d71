// picture.c: pictures in memory, and their scaling.
#include <stdlib.h>

#include "base/base.h"
#include "render/render.h"

oz_result oz_picture_create(uint32_t width, uint32_t height, oz_picture *picture, oz_error *error)
{
	picture->width = width;
	picture->height = height;
	picture->pixels = calloc((size_t)width * height, 3);
	if (!picture->pixels)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "a picture of %u × %u does not fit into memory; choose a smaller "
		               "size",
		               width, height);
	return OZ_OK;
}

void oz_picture_free(oz_picture *picture)
{
	free(picture->pixels);
	*picture = (oz_picture){0};
}

// Mean colour of the rectangle x0 … x1, y0 … y1; pixels at its border count with the covered area.
static void mean_of(const oz_picture *from, double x0, double y0, double x1, double y1,
                    uint8_t mean[3])
{
	double sum[3] = {0}, area = 0;
	for (uint32_t y = (uint32_t)y0; y < y1 && y < from->height; y++) {
		double high = (y + 1 < y1 ? y + 1 : y1) - (y > y0 ? y : y0);
		for (uint32_t x = (uint32_t)x0; x < x1 && x < from->width; x++) {
			double part = high * ((x + 1 < x1 ? x + 1 : x1) - (x > x0 ? x : x0));
			const uint8_t *pixel = from->pixels + 3 * ((size_t)y * from->width + x);
			for (int c = 0; c < 3; c++)
				sum[c] += part * pixel[c];
			area += part;
		}
	}
	for (int c = 0; c < 3; c++)
		mean[c] = (uint8_t)(area > 0 ? sum[c] / area + 0.5 : 0);
}

void oz_picture_place(oz_picture *picture, uint32_t left, uint32_t top, uint32_t width,
                      uint32_t height, const oz_picture *from)
{
	const double sx = (double)from->width / width, sy = (double)from->height / height;
	for (uint32_t y = 0; y < height && top + y < picture->height; y++)
		for (uint32_t x = 0; x < width && left + x < picture->width; x++)
			mean_of(from, x * sx, y * sy, (x + 1) * sx, (y + 1) * sy,
			        picture->pixels +
			                3 * ((size_t)(top + y) * picture->width + left + x));
}
