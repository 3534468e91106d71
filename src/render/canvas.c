// canvas.c: a cairo surface over a picture or for an SVG file, and what is drawn there.
//
// A picture has three bytes a pixel, cairo four: pixels are copied when a canvas is opened, and
// back when it is closed. Pixels that are not drawn on keep their bytes.
//
// The font is DejaVu Sans, or fontconfig's substitute for it. Where there is no font at all, cairo
// draws ASCII with strokes. Letters are not snapped to pixels, so that a layout is the same at
// every scale and in SVG, where letters are outlines and need no font.
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "render/canvas.h"

#define FONT      "DejaVu Sans"
#define TEXT_SIZE 512u // bytes

// Translates a status of cairo into an error.
static oz_result check(cairo_status_t status, oz_error *error)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return OZ_OK;
	if (status == CAIRO_STATUS_NO_MEMORY)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for drawing; choose a smaller size, or close other "
		               "programs");
	if (status == CAIRO_STATUS_INVALID_SIZE)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a picture may not have more than 32767 pixels along an edge to be "
		               "drawn on; choose a smaller size");
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "cairo cannot draw: %s; check that cairo and a font such as DejaVu Sans are "
	               "installed",
	               cairo_status_to_string(status));
}

// ---- pictures ---------------------------------------------------------------------------------

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

// Copies the pixels of a picture to those of a surface, or back.
static void copy_pixels(const oz_canvas *canvas, cairo_surface_t *surface, bool back)
{
	const oz_picture *p = canvas->picture;
	const size_t width = (size_t)cairo_image_surface_get_width(surface);
	const size_t height = (size_t)cairo_image_surface_get_height(surface);
	unsigned char *bytes = cairo_image_surface_get_data(surface);
	for (size_t y = 0; y < height; y++) {
		uint8_t *pixel = p->pixels + 3 * ((canvas->top + y) * p->width + canvas->left);
		uint32_t *word =
		        (uint32_t *)(void *)(bytes +
		                             y * (size_t)cairo_image_surface_get_stride(surface));
		for (size_t x = 0; x < width; x++, pixel += 3, word++)
			if (back) {
				pixel[0] = (uint8_t)(*word >> 16);
				pixel[1] = (uint8_t)(*word >> 8);
				pixel[2] = (uint8_t)*word;
			} else {
				*word = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 |
				        pixel[2];
			}
	}
}

static oz_result open_surface(oz_canvas *canvas, cairo_surface_t *surface, oz_error *error)
{
	const oz_result result = check(cairo_surface_status(surface), error);
	if (result == OZ_OK) {
		canvas->cairo = cairo_create(surface); // holds the surface
		cairo_scale(canvas->cairo, canvas->scale, canvas->scale);
	}
	cairo_surface_destroy(surface);
	return result;
}

static oz_result open_pixels(oz_canvas *canvas, uint32_t width, uint32_t height, oz_error *error)
{
	// cairo refuses sizes above its limit
	cairo_surface_t *surface =
	        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)smaller(width, INT32_MAX),
	                                   (int)smaller(height, INT32_MAX));
	if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
		cairo_surface_flush(surface);
		copy_pixels(canvas, surface, false);
		cairo_surface_mark_dirty(surface);
	}
	return open_surface(canvas, surface, error);
}

oz_result oz_canvas_open_picture(oz_canvas *canvas, oz_picture *picture, double scale,
                                 oz_error *error)
{
	*canvas = (oz_canvas){.width = picture->width / scale,
	                      .height = picture->height / scale,
	                      .scale = scale,
	                      .picture = picture};
	return open_pixels(canvas, picture->width, picture->height, error);
}

oz_result oz_canvas_open_part(oz_canvas *canvas, oz_picture *picture, uint32_t left, uint32_t top,
                              uint32_t width, uint32_t height, oz_error *error)
{
	*canvas = (oz_canvas){.width = width,
	                      .height = height,
	                      .scale = 1,
	                      .picture = picture,
	                      .left = smaller(left, picture->width),
	                      .top = smaller(top, picture->height)};
	return open_pixels(canvas, smaller(width, picture->width - canvas->left),
	                   smaller(height, picture->height - canvas->top), error);
}

// ---- files ------------------------------------------------------------------------------------

// Always succeeds for cairo: the file keeps a failure, and its commit returns it.
static cairo_status_t put_bytes(void *file, const unsigned char *bytes, unsigned int size)
{
	oz_file_put(file, bytes, size);
	return CAIRO_STATUS_SUCCESS;
}

oz_result oz_canvas_open_svg(oz_canvas *canvas, const char *path, double width, double height,
                             oz_error *error)
{
	*canvas = (oz_canvas){.width = width, .height = height, .scale = 1};
	const oz_result result = oz_file_begin(&canvas->svg, path, error);
	if (result != OZ_OK)
		return result;
	cairo_surface_t *surface =
	        cairo_svg_surface_create_for_stream(put_bytes, &canvas->svg, width, height);
	cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
	return open_surface(canvas, surface, error);
}

oz_result oz_canvas_close(oz_canvas *canvas, oz_result result, oz_error *error)
{
	if (canvas->cairo) {
		cairo_surface_t *surface = cairo_get_target(canvas->cairo);
		cairo_status_t status = cairo_status(canvas->cairo);
		if (canvas->picture) {
			cairo_surface_flush(surface);
			copy_pixels(canvas, surface, true);
		} else {
			cairo_surface_finish(surface);
			status = status ? status : cairo_surface_status(surface);
		}
		if (result == OZ_OK)
			result = check(status, error);
		cairo_destroy(canvas->cairo);
		canvas->cairo = NULL;
	}
	if (result == OZ_OK && !canvas->picture)
		return oz_file_commit(&canvas->svg, error);
	if (canvas->svg.stream)
		oz_file_cancel(&canvas->svg);
	return result;
}

// ---- lines and areas --------------------------------------------------------------------------

static void set_colour(cairo_t *cairo, uint32_t rgb)
{
	cairo_set_source_rgb(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
	                     (rgb & 255) / 255.0);
}

void oz_canvas_stroke(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen)
{
	cairo_t *cairo = canvas->cairo;
	set_colour(cairo, pen->rgb);
	if (count == 1) {
		cairo_arc(cairo, points[0].x, points[0].y, 1.8 * pen->width, 0, 2 * M_PI);
		cairo_fill(cairo);
		return;
	}
	for (size_t k = 0; k < count; k++)
		cairo_line_to(cairo, points[k].x, points[k].y);
	cairo_set_line_width(cairo, pen->width);
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
	cairo_set_dash(cairo, pen->dash, pen->dash[0] > 0 ? 2 : 0, 0);
	cairo_stroke(cairo);
}

void oz_canvas_fill(oz_canvas *canvas, oz_rectangle r, uint32_t rgb)
{
	set_colour(canvas->cairo, rgb);
	cairo_rectangle(canvas->cairo, r.left, r.top, r.width, r.height);
	cairo_fill(canvas->cairo);
}

void oz_canvas_fill_colours(oz_canvas *canvas, oz_rectangle r, const uint32_t *rgb, size_t count)
{
	cairo_pattern_t *pattern = cairo_pattern_create_linear(r.left, 0, r.left + r.width, 0);
	for (size_t k = 0; k < count; k++)
		cairo_pattern_add_color_stop_rgb(pattern, (double)k / (double)(count - 1),
		                                 (rgb[k] >> 16 & 255) / 255.0,
		                                 (rgb[k] >> 8 & 255) / 255.0,
		                                 (rgb[k] & 255) / 255.0);
	cairo_set_source(canvas->cairo, pattern);
	cairo_rectangle(canvas->cairo, r.left, r.top, r.width, r.height);
	cairo_fill(canvas->cairo);
	cairo_pattern_destroy(pattern);
}

void oz_canvas_veil(oz_canvas *canvas, oz_rectangle r, double radius)
{
	cairo_t *cairo = canvas->cairo;
	const double right = r.left + r.width, bottom = r.top + r.height;
	cairo_new_sub_path(cairo);
	cairo_arc(cairo, right - radius, r.top + radius, radius, -M_PI / 2, 0);
	cairo_arc(cairo, right - radius, bottom - radius, radius, 0, M_PI / 2);
	cairo_arc(cairo, r.left + radius, bottom - radius, radius, M_PI / 2, M_PI);
	cairo_arc(cairo, r.left + radius, r.top + radius, radius, M_PI, 1.5 * M_PI);
	cairo_close_path(cairo);
	cairo_set_source_rgba(cairo, 1, 1, 1, 0.72);
	cairo_fill(cairo);
}

double oz_canvas_whole_pixels(const oz_canvas *canvas, double width)
{
	return fmax(1, round(width * canvas->scale)) / canvas->scale;
}

double oz_canvas_snap(const oz_canvas *canvas, double at, double width)
{
	const double half = 0.5 * width * canvas->scale;
	return (round(at * canvas->scale - half) + half) / canvas->scale;
}

// ---- texts ------------------------------------------------------------------------------------

static void choose_font(cairo_t *cairo, double size)
{
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(cairo, options);
	cairo_font_options_destroy(options);
	cairo_select_font_face(cairo, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cairo, size);
}

// Whether the font has all letters of a text. Without a font cairo draws ASCII strokes only: false.
static bool has_letters(cairo_scaled_font_t *font, const char *text)
{
	cairo_glyph_t *glyphs = NULL;
	int count = 0;
	bool all = cairo_scaled_font_get_type(font) != CAIRO_FONT_TYPE_USER;
	if (all && cairo_scaled_font_text_to_glyphs(font, 0, 0, text, -1, &glyphs, &count, NULL,
	                                            NULL, NULL) != CAIRO_STATUS_SUCCESS)
		return false;
	for (int k = 0; k < count; k++)
		all &= glyphs[k].index != 0;
	cairo_glyph_free(glyphs);
	return all;
}

// Writes valid UTF-8 into `ready`, or ASCII where the font lacks letters.
static void make_drawable(cairo_t *cairo, char ready[TEXT_SIZE], const char *text)
{
	char clean[TEXT_SIZE];
	oz_text_clean(clean, sizeof clean, text, TEXT_SIZE);
	strcpy(ready, clean);
	if (!has_letters(cairo_get_scaled_font(cairo), clean))
		oz_text_plain(ready, TEXT_SIZE, clean);
}

static double width_of(cairo_t *cairo, const char *ready)
{
	cairo_text_extents_t extents;
	cairo_text_extents(cairo, ready, &extents);
	return extents.x_advance;
}

double oz_canvas_text_width(const oz_canvas *canvas, double size, const char *text)
{
	char ready[TEXT_SIZE];
	choose_font(canvas->cairo, size);
	make_drawable(canvas->cairo, ready, text);
	return width_of(canvas->cairo, ready);
}

double oz_canvas_widest_label(const oz_canvas *canvas, double size, const oz_ticks *ticks)
{
	double widest = 0;
	for (uint32_t k = 0; k < ticks->count; k++) {
		char text[48];
		oz_ticks_label(ticks, k, text, sizeof text);
		widest = fmax(widest, oz_canvas_text_width(canvas, size, text));
	}
	return widest;
}

void oz_canvas_text(oz_canvas *canvas, double x, double y, const oz_lettering *lettering,
                    const char *text)
{
	cairo_t *cairo = canvas->cairo;
	cairo_text_extents_t capital;
	char ready[TEXT_SIZE];
	choose_font(cairo, lettering->size);
	make_drawable(cairo, ready, text);
	double width = width_of(cairo, ready);
	if (lettering->most > 0 && width > lettering->most) {
		cairo_set_font_size(cairo, lettering->size * lettering->most / width);
		width = width_of(cairo, ready);
	}
	cairo_text_extents(cairo, "H", &capital);
	cairo_save(cairo);
	cairo_translate(cairo, x, y);
	if (lettering->upward)
		cairo_rotate(cairo, -M_PI / 2);
	set_colour(cairo, lettering->rgb);
	cairo_move_to(cairo, -0.5 * width * (double)lettering->anchor,
	              -capital.y_bearing - 0.5 * capital.height);
	cairo_show_text(cairo, ready);
	cairo_new_path(cairo); // else the next line would begin at the end of the text
	cairo_restore(cairo);
}
