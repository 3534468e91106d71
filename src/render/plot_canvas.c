// plot_canvas.c: strokes and texts that go into an SVG and into a picture alike.
//
// A stroke of the picture is first gathered as the share that it covers of each pixel, the largest
// where its pieces overlap, and then laid down once: joints and crossings are no darker than the
// rest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"

#define LETTER 6 // dots from one letter to the next

static const uint8_t ink[3] = {40, 44, 52};

oz_result oz_canvas_begin(oz_canvas *canvas, const char *svg, uint32_t width, uint32_t height,
                          oz_error *error)
{
	uint32_t dot = width / 450 < height / 270 ? width / 450 : height / 270;
	*canvas = (oz_canvas){.dot = dot ? dot : 1};
	oz_result result = oz_picture_create(width, height, &canvas->picture, error);
	if (result != OZ_OK)
		return result;
	memset(canvas->picture.pixels, 255, (size_t)3 * width * height);
	canvas->cover = calloc((size_t)width * height, sizeof *canvas->cover);
	if (!canvas->cover)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "memory is out for a plot of %u × %u; choose a smaller size", width,
		               height);
	result = oz_file_begin(&canvas->svg, svg, error);
	if (result != OZ_OK)
		return result;
	oz_file_print(&canvas->svg,
	              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
	              "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"%u\">\n"
	              "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
	              width, height, width, height, 9 * canvas->dot);
	return OZ_OK;
}

oz_result oz_canvas_end(oz_canvas *canvas, oz_result result, const char *png, oz_error *error)
{
	if (result == OZ_OK) {
		oz_file_print(&canvas->svg, "</svg>\n");
		result = oz_file_commit(&canvas->svg, error);
	} else {
		oz_file_cancel(&canvas->svg);
	}
	if (result == OZ_OK)
		result = oz_picture_write(&canvas->picture, png, error);
	oz_picture_free(&canvas->picture);
	free(canvas->cover);
	canvas->cover = NULL;
	return result;
}

// ---- strokes ----------------------------------------------------------------------------------

static double distance_to(double x, double y, oz_point a, oz_point b)
{
	double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
	double t = square > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / square : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

static uint32_t pixel_of(double at, uint32_t size)
{
	return at <= 0 ? 0 : at >= size ? size : (uint32_t)at;
}

static void cover_segment(oz_canvas *canvas, oz_point a, oz_point b, double width)
{
	const oz_picture *p = &canvas->picture;
	const double reach = width / 2 + 1;
	const uint32_t x0 = pixel_of(fmin(a.x, b.x) - reach, p->width);
	const uint32_t x1 = pixel_of(fmax(a.x, b.x) + reach + 1, p->width);
	const uint32_t y0 = pixel_of(fmin(a.y, b.y) - reach, p->height);
	const uint32_t y1 = pixel_of(fmax(a.y, b.y) + reach + 1, p->height);
	for (uint32_t y = y0; y < y1; y++)
		for (uint32_t x = x0; x < x1; x++) {
			double share = width / 2 + 0.5 - distance_to(x + 0.5, y + 0.5, a, b);
			float *cover = &canvas->cover[(size_t)y * p->width + x];
			*cover = fmaxf(*cover, (float)fmin(fmax(share, 0), 1));
		}
}

// Walks along a segment and covers the parts that are not left out; gives the place in the dash.
static double cover_dashes(oz_canvas *canvas, oz_point a, oz_point b, const oz_pen *pen,
                           double place)
{
	const double length = hypot(b.x - a.x, b.y - a.y), period = pen->dash[0] + pen->dash[1];
	for (double at = 0; at < length;) {
		const bool drawn = place < pen->dash[0];
		double piece = fmin((drawn ? pen->dash[0] : period) - place, length - at);
		// a rest too short to move by is the end of the dash
		piece = fmax(piece, 1e-6);
		const double s = at / length, t = fmin((at + piece) / length, 1);
		oz_point from = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
		oz_point to = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
		if (drawn)
			cover_segment(canvas, from, to, pen->width);
		at += piece;
		place += piece;
		if (place >= period)
			place = 0;
	}
	return place;
}

static void lay_down_pixel(oz_canvas *canvas, size_t k, const uint8_t rgb[3])
{
	const float share = canvas->cover[k];
	uint8_t *pixel = canvas->picture.pixels + 3 * k;
	for (int c = 0; share > 0 && c < 3; c++)
		pixel[c] = (uint8_t)((1 - share) * (float)pixel[c] + share * (float)rgb[c] + 0.5f);
	canvas->cover[k] = 0;
}

// Lays down what was gathered, in the box that the stroke can have reached.
static void lay_down(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen)
{
	const oz_picture *p = &canvas->picture;
	const double reach = 2 * pen->width + 2;
	oz_point low = points[0], high = points[0];
	for (size_t k = 1; k < count; k++) {
		low = (oz_point){fmin(low.x, points[k].x), fmin(low.y, points[k].y)};
		high = (oz_point){fmax(high.x, points[k].x), fmax(high.y, points[k].y)};
	}
	const uint32_t x0 = pixel_of(low.x - reach, p->width);
	const uint32_t x1 = pixel_of(high.x + reach + 1, p->width);
	const uint32_t y1 = pixel_of(high.y + reach + 1, p->height);
	for (uint32_t y = pixel_of(low.y - reach, p->height); y < y1; y++)
		for (uint32_t x = x0; x < x1; x++)
			lay_down_pixel(canvas, (size_t)y * p->width + x, pen->rgb);
}

static void paint_stroke(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen)
{
	double place = 0;
	if (count == 1)
		cover_segment(canvas, points[0], points[0], 3 * pen->width);
	for (size_t k = 1; k < count; k++)
		if (pen->dash[0] > 0)
			place = cover_dashes(canvas, points[k - 1], points[k], pen, place);
		else
			cover_segment(canvas, points[k - 1], points[k], pen->width);
	lay_down(canvas, points, count, pen);
}

static void print_stroke(oz_file *svg, const oz_point *points, size_t count, const oz_pen *pen)
{
	const uint8_t *c = pen->rgb;
	if (count == 1) {
		oz_file_print(svg,
		              "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" "
		              "fill=\"#%02x%02x%02x\"/>\n",
		              points[0].x, points[0].y, 1.5 * pen->width, c[0], c[1], c[2]);
		return;
	}
	oz_file_print(svg, "<polyline fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"%.4g\"",
	              c[0], c[1], c[2], pen->width);
	if (pen->dash[0] > 0)
		oz_file_print(svg, " stroke-dasharray=\"%.4g %.4g\"", pen->dash[0], pen->dash[1]);
	oz_file_print(svg, " stroke-linejoin=\"round\" points=\"");
	for (size_t k = 0; k < count; k++)
		oz_file_print(svg, "%s%.2f,%.2f", k ? " " : "", points[k].x, points[k].y);
	oz_file_print(svg, "\"/>\n");
}

void oz_canvas_stroke(oz_canvas *canvas, const oz_point *points, size_t count, const oz_pen *pen)
{
	if (count == 0)
		return;
	print_stroke(&canvas->svg, points, count, pen);
	paint_stroke(canvas, points, count, pen);
}

// ---- texts ------------------------------------------------------------------------------------

// bytes that go on a letter of UTF-8 have no width of their own
static bool goes_on(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

double oz_canvas_text_width(const oz_canvas *canvas, const char *text)
{
	uint32_t letters = 0;
	for (; *text; text++)
		letters += !goes_on(*text);
	return (double)(LETTER * canvas->dot * letters);
}

static void print_text(const oz_canvas *canvas, oz_file *svg, double x, double y, const char *text)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	// capitals are about 0.72 of the font's size high
	const double drop = 9 * 0.36 * canvas->dot;
	oz_file_print(svg, "<text x=\"%.2f\" y=\"%.2f\" fill=\"#%02x%02x%02x\" text-anchor=\"%s\"",
	              x, y + drop, ink[0], ink[1], ink[2], anchors[canvas->anchor]);
	if (canvas->turned)
		oz_file_print(svg, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
	oz_file_print(svg, ">");
	for (; *text; text++)
		if (strchr("&<>\"", *text))
			oz_file_print(svg, "&#%d;", *text);
		else
			oz_file_put(svg, text, 1);
	oz_file_print(svg, "</text>\n");
}

static void fill_dot(oz_canvas *canvas, int64_t x, int64_t y)
{
	const oz_picture *p = &canvas->picture;
	for (int64_t v = y; v < y + canvas->dot; v++)
		for (int64_t u = x; u < x + canvas->dot; u++)
			if (u >= 0 && v >= 0 && u < p->width && v < p->height)
				memcpy(p->pixels + 3 * (v * p->width + u), ink, 3);
}

// `along` is where the letter begins on its line, pixels from (x, y).
static void paint_letter(oz_canvas *canvas, int64_t x, int64_t y, int64_t along, char letter)
{
	const uint8_t *rows = oz_font_rows(letter);
	const int64_t dot = canvas->dot;
	const int64_t top = (strchr("gpqy", letter) ? dot : 0) - 7 * dot / 2;
	for (int k = 0; k < 35; k++) {
		if (!(rows[k / 5] >> (4 - k % 5) & 1))
			continue;
		const int64_t u = along + k % 5 * dot, v = top + k / 5 * dot;
		if (canvas->turned)
			fill_dot(canvas, x + v, y - u - dot);
		else
			fill_dot(canvas, x + u, y + v);
	}
}

void oz_canvas_text(oz_canvas *canvas, double x, double y, const char *text)
{
	print_text(canvas, &canvas->svg, x, y, text);
	// the gap after the last letter does not count
	double width = oz_canvas_text_width(canvas, text) - canvas->dot;
	double along = -width / 2 * (double)canvas->anchor;
	for (; *text; text++) {
		if (goes_on(*text))
			continue;
		paint_letter(canvas, (int64_t)x, (int64_t)y, (int64_t)floor(along + 0.5), *text);
		along += LETTER * canvas->dot;
	}
}
