// slices.c: a signed distance field, drawn in colours on three planes through its middle.
//
//     x = 0.2 m    y = 0.1 m    z = 0 m        red inside, blue outside, paler towards the
//     ┌───────┐    ┌───────┐    ┌───────┐      surface (dark line); thin lines are contours of
//     │       │    │       │    │       │      the distance. All cuts have the same scale.
//     └───────┘    └───────┘    └───────┘
//     |-----| 0.1 m                  [colours]
//
// The width of lines does not depend on the slope of the distance: the distance of a pixel from a
// line is estimated from the differences to its neighbours.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/vec.h"
#include "render/canvas.h"
#include "render/slices.h"

#define WIDE   1500.0 // pixels, width of all cuts together
#define HIGH   620.0  // pixels, height of the highest cut
#define MARGIN 24u    // pixels
#define TITLE  30u    // pixels above a cut
#define FOOT   74u    // pixels below the cuts
#define LETTER 17.0   // pixels, of the font
#define FINE   2u     // samples of a pixel along each axis
#define BAR    280u   // pixels of the colours' bar
#define PAGE   0xf4f4f2

// the axis perpendicular to each cut, and the axes to the right and upwards on it
static const struct {
	int across, right, up;
} cuts[3] = {{0, 2, 1}, {1, 0, 2}, {2, 0, 1}};

typedef struct layout {
	const oz_slices *slices;
	double scale;       // pixels a metre
	double low[3];      // m, lower corner of the cuts, with a margin around the mesh
	double size[3];     // m
	double contour;     // m, between contours
	uint32_t width[3];  // pixels, of the cuts
	uint32_t height[3]; //
	uint32_t tallest;
} layout;

static double axis_of(oz_vec3 v, int axis)
{
	return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z);
}

static layout lay_out(const oz_slices *s)
{
	layout l = {.slices = s};
	double wide = 0, high = 0;
	for (int a = 0; a < 3; a++) {
		const double room = 0.7 * (double)s->reach;
		l.low[a] = axis_of(s->min, a) - room;
		l.size[a] = axis_of(s->max, a) + room - l.low[a];
	}
	for (int k = 0; k < 3; k++) {
		wide += l.size[cuts[k].right];
		high = fmax(high, l.size[cuts[k].up]);
	}
	l.scale = fmin(WIDE / wide, HIGH / high);
	l.contour = oz_ticks_span(0, (double)s->reach, 6).step;
	for (int k = 0; k < 3; k++) {
		l.width[k] = (uint32_t)(l.size[cuts[k].right] * l.scale) + 1;
		l.height[k] = (uint32_t)(l.size[cuts[k].up] * l.scale) + 1;
		l.tallest = l.height[k] > l.tallest ? l.height[k] : l.tallest;
	}
	return l;
}

// ---- colours ----------------------------------------------------------------------------------

// sRGB for -1 (deep inside) … 1 (far outside)
static void shade(double share, double rgb[3])
{
	static const double steps[][3] = {{122, 30, 34},   {190, 66, 50},   {228, 132, 88},
	                                  {250, 202, 160}, {250, 240, 226}, {226, 238, 246},
	                                  {166, 204, 228}, {116, 170, 210}, {78, 134, 184},
	                                  {58, 108, 158}};
	const double at = 4.5 + 4.5 * fmin(fmax(share, -1), 1);
	const int k = at < 8 ? (int)at : 8;
	// no interpolation between the inside and the outside colours
	const double t = k == 4 ? (at >= 4.5) : at - k;
	for (int c = 0; c < 3; c++)
		rgb[c] = steps[k][c] + (steps[k + 1][c] - steps[k][c]) * t;
}

static void darken(double rgb[3], double share)
{
	static const double ink[3] = {26, 26, 34};
	const double s = fmin(fmax(share, 0), 1);
	for (int c = 0; c < 3; c++)
		rgb[c] += (ink[c] - rgb[c]) * s;
}

// The fraction of a pixel that a line of `width` covers, `away` pixels from the pixel's centre.
static double line(double away, double width)
{
	return 0.5 * width + 0.5 - fabs(away);
}

// Colour of a distance with its lines. `slope`: change of the distance per pixel; 0: the sign
// changes between this pixel and the next, so it lies on the surface.
static void colour_of(const layout *l, double distance, double slope, double rgb[3])
{
	const double reach = (double)l->slices->reach;
	const double nearest = l->contour * round(distance / l->contour);
	shade(distance / reach, rgb);
	if (!(slope > 0)) {
		darken(rgb, 1);
		return;
	}
	if (fabs(nearest) < 0.97 * reach && nearest != 0)
		darken(rgb, 0.3 * line((distance - nearest) / slope, 1));
	darken(rgb, line(distance / slope, 2.6));
}

// ---- cuts -------------------------------------------------------------------------------------

static oz_vec3 place(const layout *l, int cut, double right, double up)
{
	double p[3];
	p[cuts[cut].across] = l->low[cuts[cut].across] + 0.5 * l->size[cuts[cut].across];
	p[cuts[cut].right] = l->low[cuts[cut].right] + right;
	p[cuts[cut].up] = l->low[cuts[cut].up] + up;
	return oz_v3((float)p[0], (float)p[1], (float)p[2]);
}

// Allocates and computes the distances (m) at all samples of a cut, by rows from the top.
static float *sample_distances(const layout *l, int cut)
{
	const uint32_t w = FINE * l->width[cut], h = FINE * l->height[cut];
	float *d = malloc(sizeof *d * w * h);
	const double step = 1 / (FINE * l->scale);
	for (uint32_t y = 0; d && y < h; y++)
		for (uint32_t x = 0; x < w; x++) {
			const oz_vec3 p = place(l, cut, (x + 0.5) * step, (h - y - 0.5) * step);
			const float distance = oz_sdf_at(l->slices->sdf, p).distance;
			d[(size_t)y * w + x] = l->slices->shell ? fabsf(distance) : distance;
		}
	return d;
}

// Slope of the distance at a pixel of a slice, limited to [1/4, 1] of its largest value; 0 at the
// surface.
static double slope_at(const layout *l, const float *d, uint32_t w, uint32_t h, uint32_t x,
                       uint32_t y)
{
	const uint32_t left = x ? x - 1 : x, right = x + 1 < w ? x + 1 : x;
	const uint32_t above = y ? y - 1 : y, below = y + 1 < h ? y + 1 : y;
	const double dx = (double)(d[(size_t)y * w + right] - d[(size_t)y * w + left]);
	const double dy = (double)(d[(size_t)below * w + x] - d[(size_t)above * w + x]);
	const double most = 1 / l->scale;
	const bool sign = d[(size_t)y * w + x] < 0;
	// the sign changes to a neighbour: the surface, also in walls thinner than a pixel
	if (sign != (d[(size_t)y * w + right] < 0) || sign != (d[(size_t)below * w + x] < 0))
		return 0;
	// at jumps and ridges of the distance the difference is not its slope: limit it
	return fmin(fmax(0.5 * FINE * hypot(dx, dy), 0.25 * most), most);
}

static void put_pixel(const layout *l, const float *d, int cut, uint32_t x, uint32_t y,
                      uint8_t pixel[3])
{
	const uint32_t w = FINE * l->width[cut], h = FINE * l->height[cut];
	double sum[3] = {0, 0, 0};
	for (uint32_t k = 0; k < FINE * FINE; k++) {
		const uint32_t sx = FINE * x + k % FINE, sy = FINE * y + k / FINE;
		double rgb[3];
		colour_of(l, (double)d[(size_t)sy * w + sx], slope_at(l, d, w, h, sx, sy), rgb);
		for (int c = 0; c < 3; c++)
			sum[c] += rgb[c];
	}
	for (int c = 0; c < 3; c++)
		pixel[c] = (uint8_t)(sum[c] / (FINE * FINE) + 0.5);
}

// Upper edge of a cut, pixels; the lower edges of all cuts are aligned.
static uint32_t top_of(const layout *l, int cut)
{
	return 2 * MARGIN + 2 * TITLE + l->tallest - l->height[cut];
}

static bool draw_cut(const layout *l, int cut, oz_picture *picture, uint32_t left)
{
	const uint32_t top = top_of(l, cut);
	float *d = sample_distances(l, cut);
	for (uint32_t y = 0; d && y < l->height[cut]; y++)
		for (uint32_t x = 0; x < l->width[cut]; x++)
			put_pixel(l, d, cut, x, y,
			          picture->pixels +
			                  3 * ((size_t)(top + y) * picture->width + left + x));
	const bool room = d != NULL;
	free(d);
	return room;
}

// ---- texts ------------------------------------------------------------------------------------

static void write(oz_canvas *canvas, double x, double y, oz_anchor anchor, const char *text)
{
	const oz_lettering lettering = {.size = LETTER, .rgb = OZ_INK, .anchor = anchor};
	oz_canvas_text(canvas, x, y, &lettering, text);
}

// Draws the name of the mesh, and the position above each cut.
static void draw_titles(const layout *l, oz_canvas *canvas)
{
	const oz_lettering large = {.size = 1.4 * LETTER,
	                            .rgb = OZ_INK,
	                            .most = canvas->width - 2 * MARGIN};
	double left = MARGIN;
	oz_canvas_text(canvas, MARGIN, MARGIN + 10, &large, l->slices->name);
	for (int k = 0; k < 3; k++) {
		const int across = cuts[k].across;
		const double at = l->low[across] + 0.5 * l->size[across];
		char text[48];
		snprintf(text, sizeof text, "%c = %.3g m", "xyz"[across],
		         fabs(at) < 1e-3 * l -> size[across] ? 0 : at);
		write(canvas, left, top_of(l, k) - 0.5 * TITLE, OZ_ANCHOR_START, text);
		left += l->width[k] + MARGIN;
	}
}

// Draws a scale bar of a round length, about a fifth of the widest cut.
static void draw_scale(const layout *l, oz_canvas *canvas, double top)
{
	const double wide = fmax(l->size[0], l->size[2]);
	const double length = oz_ticks_span(0, wide, 5).step, pixels = round(length * l->scale);
	char text[32];
	snprintf(text, sizeof text, "%.3g m", length);
	oz_canvas_fill(canvas, (oz_rectangle){MARGIN, top + 8, pixels, 2}, OZ_INK);
	oz_canvas_fill(canvas, (oz_rectangle){MARGIN, top + 2, 2, 14}, OZ_INK);
	oz_canvas_fill(canvas, (oz_rectangle){MARGIN + pixels - 2, top + 2, 2, 14}, OZ_INK);
	write(canvas, MARGIN + pixels + 12, top + 9, OZ_ANCHOR_START, text);
}

// Draws numbers below the bar, at as many contours as fit.
static void draw_numbers(const layout *l, oz_canvas *canvas, double left, double top, double low,
                         double high)
{
	double widest = 0;
	char text[32];
	for (double k = ceil(low / l->contour); k * l->contour <= high; k++) {
		snprintf(text, sizeof text, "%.3g", k * l->contour);
		widest = fmax(widest, oz_canvas_text_width(canvas, LETTER, text));
	}
	const double each = l->contour / (high - low) * BAR;
	const double step = l->contour * ceil((widest + 10) / each);
	for (double k = ceil(low / step - 1e-6); k * step <= high * (1 + 1e-6); k++) {
		const double value = k * step;
		snprintf(text, sizeof text, "%s%.3g", value < 0 ? "−" : "", fabs(value));
		write(canvas, left + (value - low) / (high - low) * BAR, top, OZ_ANCHOR_MIDDLE,
		      text);
	}
}

static void draw_bar(const layout *l, oz_canvas *canvas, double top)
{
	const double reach = (double)l->slices->reach, low = l->slices->shell ? 0 : -reach;
	const double left = canvas->width - MARGIN - BAR - 16;
	const char *title = l->slices->shell ? "distance (m)" : "inside < 0 < outside (m)";
	for (uint32_t x = 0; x < BAR; x++) {
		double rgb[3];
		const double step = (reach - low) / BAR;
		colour_of(l, low + (x + 0.5) * step, step, rgb);
		oz_canvas_fill(canvas, (oz_rectangle){left + x, top, 1, 18},
		               (uint32_t)(rgb[0] + 0.5) << 16 | (uint32_t)(rgb[1] + 0.5) << 8 |
		                       (uint32_t)(rgb[2] + 0.5));
	}
	draw_numbers(l, canvas, left, top + 33, low, reach);
	write(canvas, left - 18, top + 9, OZ_ANCHOR_END, title);
}

// ---- the whole --------------------------------------------------------------------------------

// Draws everything except the cuts, whose pixels are written directly.
static oz_result draw_frame(const layout *l, oz_picture *picture, oz_error *error)
{
	const double foot = 3 * MARGIN + 2 * TITLE + l->tallest;
	oz_canvas canvas;
	const oz_result result = oz_canvas_open_picture(&canvas, picture, 1, error);
	if (result == OZ_OK) {
		oz_canvas_fill(&canvas, (oz_rectangle){0, 0, canvas.width, canvas.height}, PAGE);
		draw_titles(l, &canvas);
		draw_scale(l, &canvas, foot);
		draw_bar(l, &canvas, foot);
	}
	return oz_canvas_close(&canvas, result, error);
}

oz_result oz_slices_draw(const oz_slices *s, oz_picture *picture, oz_error *error)
{
	const layout l = lay_out(s);
	const uint32_t least = 900;
	uint32_t width = 2 * MARGIN, left = MARGIN;
	bool room = true;
	for (int k = 0; k < 3; k++)
		width += l.width[k] + (k ? MARGIN : 0);
	oz_result result =
	        oz_picture_create(width > least ? width : least,
	                          3 * MARGIN + 2 * TITLE + l.tallest + FOOT, picture, error);
	if (result == OZ_OK)
		result = draw_frame(&l, picture, error);
	for (int k = 0; result == OZ_OK && k < 3; k++) {
		room &= draw_cut(&l, k, picture, left);
		left += l.width[k] + MARGIN;
	}
	if (!room)
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for a picture of slices; close other programs");
	if (result != OZ_OK)
		oz_picture_free(picture);
	return result;
}
