// canvas_absent.c: replaces canvas.c in a build without cairo: opening a canvas always fails.
#include "render/canvas.h"

static oz_result absent(oz_canvas *canvas, oz_error *error)
{
	*canvas = (oz_canvas){0};
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "this build of ooze leaves out plots and texts in pictures; install cairo "
	               "and build it again");
}

oz_result oz_canvas_open_picture(oz_canvas *canvas, oz_picture *picture, double scale,
                                 oz_error *error)
{
	(void)picture, (void)scale;
	return absent(canvas, error);
}

oz_result oz_canvas_open_part(oz_canvas *canvas, oz_picture *picture, uint32_t left, uint32_t top,
                              uint32_t width, uint32_t height, oz_error *error)
{
	(void)picture, (void)left, (void)top, (void)width, (void)height;
	return absent(canvas, error);
}

oz_result oz_canvas_open_svg(oz_canvas *canvas, const char *path, double width, double height,
                             oz_error *error)
{
	(void)path, (void)width, (void)height;
	return absent(canvas, error);
}

oz_result oz_canvas_close(oz_canvas *canvas, oz_result result, oz_error *error)
{
	(void)canvas, (void)error;
	return result;
}

void oz_canvas_stroke(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen)
{
	(void)canvas, (void)points, (void)count, (void)pen;
}

void oz_canvas_fill(oz_canvas *canvas, oz_rectangle r, uint32_t rgb)
{
	(void)canvas, (void)r, (void)rgb;
}

void oz_canvas_fill_colours(oz_canvas *canvas, oz_rectangle r, const uint32_t *rgb, size_t count)
{
	(void)canvas, (void)r, (void)rgb, (void)count;
}

void oz_canvas_veil(oz_canvas *canvas, oz_rectangle r, double radius)
{
	(void)canvas, (void)r, (void)radius;
}

double oz_canvas_whole_pixels(const oz_canvas *canvas, double width)
{
	(void)canvas;
	return width;
}

double oz_canvas_snap(const oz_canvas *canvas, double at, double width)
{
	(void)canvas, (void)width;
	return at;
}

void oz_canvas_text(oz_canvas *canvas, double x, double y, const oz_lettering *lettering,
                    const char *text)
{
	(void)canvas, (void)x, (void)y, (void)lettering, (void)text;
}

double oz_canvas_text_width(const oz_canvas *canvas, double size, const char *text)
{
	(void)canvas, (void)size, (void)text;
	return 0;
}

double oz_canvas_widest_label(const oz_canvas *canvas, double size, const oz_ticks *ticks)
{
	(void)canvas, (void)size, (void)ticks;
	return 0;
}
