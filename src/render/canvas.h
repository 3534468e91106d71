// canvas.h: lines, areas and texts, drawn by cairo into a picture or into an SVG file.
//
//   oz_canvas canvas;
//   oz_result result = oz_canvas_open_svg(&canvas, "plot.svg", 900, 540, &error);
//   if (result == OZ_OK)
//           oz_canvas_stroke(&canvas, points, count, &pen);
//   result = oz_canvas_close(&canvas, result, &error);
//
// Drawing functions work the same on both. Lengths are in units of the canvas, from its upper left
// corner; colours are sRGB, 0xRRGGBB. cairo keeps the first failure, and oz_canvas_close returns
// it.
#ifndef OZ_CANVAS_H
#define OZ_CANVAS_H

#include "base/base.h"
#include "render/render.h"
#include "render/ticks.h"

typedef struct oz_canvas {
	struct _cairo *cairo; // NULL: closed
	double width, height;
	double scale;        // pixels of a unit
	oz_picture *picture; // that is drawn on; NULL: an SVG file is written
	uint32_t left, top;  // pixels, corner of the canvas in the picture
	oz_file svg;
} oz_canvas;

typedef struct oz_point {
	double x, y;
} oz_point;

typedef struct oz_rectangle {
	double left, top, width, height;
} oz_rectangle;

// ---- canvases ---------------------------------------------------------------------------------

// Makes a canvas over all of a picture, `scale` pixels a unit.
oz_result oz_canvas_open_picture(oz_canvas *canvas, oz_picture *picture, double scale,
                                 oz_error *error);
// Makes a canvas over a part of a picture, one pixel a unit; drawing outside of the picture is cut
// off.
oz_result oz_canvas_open_part(oz_canvas *canvas, oz_picture *picture, uint32_t left, uint32_t top,
                              uint32_t width, uint32_t height, oz_error *error);
// Makes a canvas that becomes an SVG file, written beside its name and renamed at the close.
oz_result oz_canvas_open_svg(oz_canvas *canvas, const char *path, double width, double height,
                             oz_error *error);
// Writes the drawing to the picture or the file and returns the first failure. If `result` is a
// failure, discards the file and returns `result`; call it so also if the canvas could not be
// opened.
oz_result oz_canvas_close(oz_canvas *canvas, oz_result result, oz_error *error);

// ---- lines and areas --------------------------------------------------------------------------

typedef struct oz_pen {
	uint32_t rgb;
	double width;
	double dash[2]; // lengths of a dash and of the gap after it; 0: no dashes
} oz_pen;

// Draws a line through points; a single point becomes a dot.
void oz_canvas_stroke(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen);
void oz_canvas_fill(oz_canvas *canvas, oz_rectangle r, uint32_t rgb);
// Fills with a gradient through `count` colours from left to right.
void oz_canvas_fill_colours(oz_canvas *canvas, oz_rectangle r, const uint32_t *rgb, size_t count);
// Draws a translucent white rectangle with round corners, as a background for text.
void oz_canvas_veil(oz_canvas *canvas, oz_rectangle r, double radius);
// `width` rounded to a whole number of pixels, at least one.
double oz_canvas_whole_pixels(const oz_canvas *canvas, double width);
// The coordinate nearest to `at` at which a horizontal or vertical line of `width` covers whole
// pixels.
double oz_canvas_snap(const oz_canvas *canvas, double at, double width);

// ---- texts ------------------------------------------------------------------------------------

#define OZ_INK 0x22262bu // the colour of texts

typedef enum oz_anchor { OZ_ANCHOR_START, OZ_ANCHOR_MIDDLE, OZ_ANCHOR_END } oz_anchor;

typedef struct oz_lettering {
	double size; // of the font
	uint32_t rgb;
	oz_anchor anchor; // the part of the text that is at the given point
	bool upward;      // rotated by 90°: the text runs upwards
	double most;      // greatest length; longer texts get smaller letters; 0: no limit
} oz_lettering;

// Writes a line of UTF-8; (x, y) is at half the height of capital letters.
void oz_canvas_text(oz_canvas *canvas, double x, double y, const oz_lettering *lettering,
                    const char *text);
double oz_canvas_text_width(const oz_canvas *canvas, double size, const char *text);
// The width of the widest label of an axis.
double oz_canvas_widest_label(const oz_canvas *canvas, double size, const oz_ticks *ticks);

// Copies at most `letters` letters of UTF-8, then "…" if there are more. Bytes that are not UTF-8
// and control characters become question marks. `size` of 4 · letters + 4 is always enough.
void oz_text_clean(char *to, size_t size, const char *from, size_t letters);
// Copies UTF-8 with ASCII in place of the signs that labels use: 10⁻³ becomes 10^-3. Other letters
// become question marks.
void oz_text_plain(char *to, size_t size, const char *from);

#endif
