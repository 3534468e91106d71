// legend.c: what the colours of a picture mean, in its lower right corner: the colour map with
// round numbers under it, or names beside their colours.
//
//       speed m/s                     honey ■
//   ███████████████                   water ■
//   0   1   2   3
#include <stdio.h>
#include <string.h>

#include "render/plot.h"
#include "render/render.h"

#define TICKS     7u  // about, before those beyond the ends are left out
#define ROWS_MOST 10u // names; what is more is counted
#define NAME_MOST 24u // letters

typedef struct legend {
	oz_picture *picture;
	uint32_t size, margin, line; // pixels: of a dot, to the rim, of a row
} legend;

static legend legend_of(oz_picture *picture)
{
	const uint32_t size = 1 + picture->height / 400;
	return (legend){picture, size, 10 * size, 11 * size};
}

static void fill(const legend *l, uint32_t left, uint32_t top, uint32_t width, uint32_t height,
                 oz_vec3 c)
{
	const uint8_t bytes[3] = {oz_colour_byte(c.x), oz_colour_byte(c.y), oz_colour_byte(c.z)};
	for (uint32_t y = top; y < top + height && y < l->picture->height; y++)
		for (uint32_t x = left; x < left + width && x < l->picture->width; x++)
			memcpy(l->picture->pixels + 3 * ((size_t)y * l->picture->width + x), bytes,
			       3);
}

static void end_text(const legend *l, uint32_t right, uint32_t y, const char *text)
{
	const uint32_t width = oz_text_width(l->size, text);
	oz_picture_text(l->picture, right > width ? right - width : 0, y, l->size, text);
}

// ---- numbers ----------------------------------------------------------------------------------

// Round numbers with room for each of them on a bar.
static oz_ticks ticks_of(const legend *l, double low, double high, uint32_t width)
{
	oz_ticks ticks = oz_ticks_span(low, high, TICKS);
	for (uint32_t most = TICKS - 1; most >= 2; most--) {
		uint32_t widest = 0;
		for (uint32_t k = 0; k < ticks.count; k++) {
			char text[32];
			oz_ticks_label(&ticks, k, text, sizeof text);
			const uint32_t wide = oz_text_width(l->size, text);
			widest = wide > widest ? wide : widest;
		}
		if (widest + 4 * l->size <= ticks.step / (high - low) * width)
			break;
		ticks = oz_ticks_span(low, high, most);
	}
	return ticks;
}

// Writes a number under its place, or as near as the picture's rim allows.
static void draw_tick(const legend *l, uint32_t x, uint32_t y, const char *text)
{
	const uint32_t width = oz_text_width(l->size, text) - l->size, half = width / 2;
	const uint32_t most = l->picture->width - l->size - width, left = x > half ? x - half : 0;
	oz_picture_text(l->picture, left < most ? left : most, y, l->size, text);
}

static void draw_ticks(const legend *l, const oz_ticks *ticks, double low, double high,
                       uint32_t left, uint32_t width, uint32_t y)
{
	const oz_vec3 dark = {0.02f, 0.02f, 0.02f};
	for (uint32_t k = 0; k < ticks->count; k++) {
		char text[32];
		const double share = (oz_ticks_value(ticks, k) - low) / (high - low);
		if (share < -1e-6 || share > 1 + 1e-6)
			continue;
		const uint32_t x = left + (uint32_t)(share * (width - 1) + 0.5);
		oz_ticks_label(ticks, k, text, sizeof text);
		fill(l, x, y, 1 + l->size / 2, 2 * l->size, dark);
		draw_tick(l, x, y + 4 * l->size, text);
	}
}

void oz_picture_legend(oz_picture *picture, const char *title, double low, double high)
{
	const legend l = legend_of(picture);
	const uint32_t width = 120 * l.size, thick = 7 * l.size;
	if (picture->width < width + 2 * l.margin || picture->height < 2 * l.margin + 3 * l.line)
		return;
	const uint32_t right = picture->width - l.margin, left = right - width;
	const uint32_t top = picture->height - l.margin - l.line - thick;
	const oz_ticks ticks = ticks_of(&l, low, high, width);
	char text[64];
	for (uint32_t x = 0; x < width; x++)
		fill(&l, left + x, top, 1, thick, oz_colour_map((float)x / (float)(width - 1)));
	snprintf(text, sizeof text, "%s", title);
	if (ticks.exponent)
		snprintf(text, sizeof text, "%s x 1e%d", title, ticks.exponent);
	end_text(&l, right, top - l.line, text);
	draw_ticks(&l, &ticks, low, high, left, width, top + thick);
}

// ---- names ------------------------------------------------------------------------------------

void oz_picture_names(oz_picture *picture, const char *const *names, const oz_vec3 *colours,
                      uint32_t count)
{
	const legend l = legend_of(picture);
	const uint32_t room = picture->height / 2 / l.line,
	               most = room < ROWS_MOST ? room : ROWS_MOST;
	const uint32_t rows = count <= most ? count : most, box = 7 * l.size;
	const oz_vec3 white = {0.8f, 0.8f, 0.8f};
	if (picture->width < 100 * l.size)
		return;
	uint32_t y = picture->height - l.margin - rows * l.line;
	const uint32_t right = picture->width - l.margin, rim = (l.size + 1) / 2;
	for (uint32_t k = 0; k < rows; k++, y += l.line) {
		char text[NAME_MOST + 16];
		snprintf(text, sizeof text, "%.*s", (int)NAME_MOST, names[k]);
		if (k + 1 == rows && count > rows) {
			snprintf(text, sizeof text, "and %u more", count - k);
			end_text(&l, right, y, text);
			continue;
		}
		end_text(&l, right - box - 4 * l.size, y, text);
		fill(&l, right - box - rim, y - rim, box + 2 * rim, box + 2 * rim, white);
		fill(&l, right - box, y, box, box, colours[k]);
	}
}
