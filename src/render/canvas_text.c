// canvas_text.c: texts by cairo in a font without serifs.
//
// The font is DejaVu Sans, or what fontconfig has in its place. Where there is no font at all,
// cairo draws strokes for ASCII. Letters are not moved to whole pixels, so that a layout is the
// same at every scale and in SVG, where letters are outlines and need no font to be seen.
#include <cairo.h>
#include <math.h>
#include <string.h>

#include "render/canvas.h"

#define FONT      "DejaVu Sans"
#define TEXT_SIZE 512u // bytes

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

// Whether the font has all letters; the strokes that cairo draws without a font are ASCII.
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

// Makes a text that cairo accepts, and where letters are lacking one in ASCII.
static void spell(cairo_t *cairo, char ready[TEXT_SIZE], const char *text)
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
	spell(canvas->cairo, ready, text);
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
	spell(cairo, ready, text);
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
	const uint32_t rgb = lettering->rgb;
	cairo_set_source_rgb(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
	                     (rgb & 255) / 255.0);
	cairo_move_to(cairo, -0.5 * width * (double)lettering->anchor,
	              -capital.y_bearing - 0.5 * capital.height);
	cairo_show_text(cairo, ready);
	cairo_new_path(cairo); // the end of a text would begin the next line
	cairo_restore(cairo);
}
