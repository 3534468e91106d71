// test_plot_draw.c: ticks are those that people would choose, curves lie where the axes say, and
// texts of plots and legends do not overlap.

#ifdef OZ_HAVE_CAIRO
#include <cairo.h>
#endif

#include "render/plot.h"
#include "support.h"

#define HEADER                                                                                     \
	"time,step,particles,time_step,limit,max_speed,mean_compression,max_compression,"          \
	"kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,neighbours,wall_ms\n"
// a table with all columns there are
#define FULL                                                                                       \
	"time,step,particles,time_step,limit,max_speed,mean_compression,max_compression,"          \
	"kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,neighbours,volume,"      \
	"density_error,pressure_rounds,density_error_left,wall_ms\n"
#define FULL_0 "0,0,100,,,,,,0,50,0,0,0,,,,,,1.5\n"
#define FULL_1 "0.1,10,100,0.01,sound,1,0.001,0.01,5,44,1,-2,3,30,0.5,0.01,3,8e-05,2.5\n"
#define FULL_2 "0.2,30,100,0.01,sound,2,0.002,0.02,20,28,2,-4,6,31,0.25,0.02,4,9e-05,2\n"
#define ROW_0  "0,0,100,,,,,,0,50,0,0,0,,1.5\n"
#define ROW_1  "0.1,10,100,0.01,sound,1,0.001,0.01,5,44,1,-2,3,30,2.5\n"
#define ROW_2  "0.2,20,100,0.01,sound,2,0.002,0.02,20,28,2,-4,6,31,2.25\n"

// ---- ticks ------------------------------------------------------------------------------------

static void expect_ticks(double low, double high, uint32_t most, const char *wanted, int exponent)
{
	oz_ticks ticks = oz_ticks_span(low, high, most);
	char all[400] = "";
	for (uint32_t k = 0; k < ticks.count; k++) {
		char label[48];
		oz_ticks_label(&ticks, k, label, sizeof label);
		size_t used = strlen(all);
		snprintf(all + used, sizeof all - used, "%s%s", k ? " " : "", label);
	}
	assert_string_equal(all, wanted);
	assert_int_equal(ticks.exponent, exponent);
	double slack = 1e-5 * ticks.step;
	assert_true(oz_ticks_value(&ticks, 0) <= low + slack);
	assert_true(oz_ticks_value(&ticks, ticks.count - 1) >= high - slack);
}

static void ticks_are_round_numbers_around_the_values(void **state)
{
	(void)state;
	expect_ticks(0, 1, 6, "0.0 0.2 0.4 0.6 0.8 1.0", 0);
	expect_ticks(0, 0.6, 7, "0.0 0.1 0.2 0.3 0.4 0.5 0.6", 0);
	expect_ticks(3, 97, 6, "0 20 40 60 80 100", 0);
	expect_ticks(-180, 327, 8, "−200 −100 0 100 200 300 400", 0);
	expect_ticks(-7.5, -2.5, 6, "−8 −7 −6 −5 −4 −3 −2", 0);
	expect_ticks(1000.25, 1001, 4, "1000.0 1000.5 1001.0", 0);
}

static void ticks_of_a_constant_have_it_inside(void **state)
{
	(void)state;
	expect_ticks(0, 0, 5, "−1.0 −0.5 0.0 0.5 1.0", 0);
	expect_ticks(100, 100, 5, "90 95 100 105 110", 0);
	expect_ticks(-2, -2, 5, "−2.2 −2.1 −2.0 −1.9 −1.8", 0);
	// the last of nine digits is noise
	expect_ticks(1000, 1000.000001, 5, "900 950 1000 1050 1100", 0);
}

static void ticks_of_tiny_and_huge_values_share_a_power_of_ten(void **state)
{
	(void)state;
	expect_ticks(0, 3e-4, 4, "0 100 200 300", -6);
	expect_ticks(-2e-9, 2e-9, 5, "−2 −1 0 1 2", -9);
	expect_ticks(0, 1.5e6, 4, "0.0 0.5 1.0 1.5", 6);
	expect_ticks(-1e300, 1e300, 5, "−1.0 −0.5 0.0 0.5 1.0", 300);
	expect_ticks(0, 1e-310, 5, "−1.0 −0.5 0.0 0.5 1.0", 0);
}

static void expect_title(double most, const char *unit, const char *wanted)
{
	const oz_ticks ticks = oz_ticks_span(0, most, 5);
	char text[96];
	oz_ticks_title(&ticks, "energy", unit, text, sizeof text);
	assert_string_equal(text, wanted);
}

static void a_title_tells_the_unit_and_the_power_of_ten(void **state)
{
	(void)state;
	expect_title(10, "J", "energy (J)");
	expect_title(10, NULL, "energy");
	expect_title(3e-4, "J", "energy (10⁻⁶ J)");
	expect_title(3e128, "J", "energy (10¹²⁶ J)");
	expect_title(1e6, NULL, "energy (10⁶)");
}

static void expect_clean(const char *text, size_t letters, const char *clean, const char *plain)
{
	char to[80];
	oz_text_clean(to, sizeof to, text, letters);
	assert_string_equal(to, clean);
	oz_text_plain(to, sizeof to, clean);
	assert_string_equal(to, plain);
}

static void texts_are_whole_letters_and_have_a_form_in_ascii(void **state)
{
	(void)state;
	expect_clean("kg·m/s (10⁻¹² m³)", 80, "kg·m/s (10⁻¹² m³)", "kg m/s (10^-12 m^3)");
	expect_clean("−5 °C", 80, "−5 °C", "-5 C");
	expect_clean("αβγδ", 2, "αβ…", "??...");
	expect_clean("a\xff\xc3\n\xe2\x82z", 80, "a?????z", "a?????z");
	char text[200];
	memset(text, 'x', sizeof text);
	text[199] = 0;
	char to[80];
	oz_text_clean(to, sizeof to, text, 1000);
	assert_int_equal(strlen(to), 72 + 3);
}

#ifdef OZ_HAVE_CAIRO
// ---- drawing ----------------------------------------------------------------------------------

// What was written on the canvas: texts, and the pixels that they cover.
static struct {
	struct {
		char text[128];
		double low[2], high[2];
	} texts[64];
	uint32_t count;
} seen;

// Takes the place of cairo's function, so that a test knows what is written and where.
void cairo_show_text(cairo_t *cairo, const char *text)
{
	cairo_text_extents_t e;
	double x, y;
	cairo_get_current_point(cairo, &x, &y);
	cairo_text_extents(cairo, text, &e);
	assert_in_range(seen.count, 0, 63);
	double *low = seen.texts[seen.count].low, *high = seen.texts[seen.count].high;
	snprintf(seen.texts[seen.count++].text, 128, "%s", text);
	low[0] = low[1] = INFINITY;
	high[0] = high[1] = -INFINITY;
	for (int corner = 0; corner < 4; corner++) {
		double at[2] = {x + e.x_bearing + (corner & 1) * e.width,
		                y + e.y_bearing + (corner >> 1) * e.height};
		cairo_user_to_device(cairo, &at[0], &at[1]);
		for (int k = 0; k < 2; k++) {
			low[k] = fmin(low[k], at[k]);
			high[k] = fmax(high[k], at[k]);
		}
	}
}

static uint32_t kind_of(const char *name)
{
	uint32_t kind = 0;
	while (strcmp(oz_plot_name(kind), name) != 0)
		kind++;
	return kind;
}

// Draws a plot of a table; the caller frees the picture.
static oz_picture draw(const char *name, const char *text, double scale)
{
	oz_error error = {OZ_OK, ""};
	oz_table table;
	oz_picture picture;
	oz_canvas canvas;
	test_write("drawn.csv", text, strlen(text));
	assert_int_equal(oz_table_read("drawn.csv", &table, &error), OZ_OK);
	oz_plot_run run = {.table = &table};
	oz_plot_run_name(&run, "one");
	seen.count = 0;
	assert_int_equal(oz_picture_create((uint32_t)(900 * scale), (uint32_t)(540 * scale),
	                                   &picture, &error),
	                 OZ_OK);
	assert_int_equal(oz_canvas_open_picture(&canvas, &picture, scale, &error), OZ_OK);
	oz_result result = oz_plot_draw(kind_of(name), &run, 1, &canvas, &error);
	assert_int_equal(oz_canvas_close(&canvas, result, &error), OZ_OK);
	oz_table_free(&table);
	return picture;
}

static uint32_t find_text(const char *text)
{
	uint32_t k = 0;
	while (k < seen.count && strcmp(seen.texts[k].text, text) != 0)
		k++;
	if (k == seen.count)
		fail_msg("'%s' is not written", text);
	return k;
}

static void expect_texts(const char *name, const char *table, const char *wanted)
{
	char words[400], *rest = words;
	oz_picture picture = draw(name, table, 1);
	oz_picture_free(&picture);
	snprintf(words, sizeof words, "%s", wanted);
	for (char *word = strtok_r(words, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
		find_text(word);
}

static void axes_and_curves_are_named(void **state)
{
	(void)state;
	expect_texts("energy", HEADER ROW_0 ROW_1 ROW_2,
	             "kinetic|potential|total|energy (J)|time (s)|0.20");
	expect_texts("momentum", HEADER ROW_0 ROW_1 ROW_2, "x|y|z|momentum (kg·m/s)|−4");
	expect_texts("compression", HEADER ROW_0 ROW_1 ROW_2, "mean|max");
	expect_texts("wall_clock", HEADER ROW_0 ROW_1, "wall clock per frame (ms)|one");
	expect_texts("volume", FULL FULL_0 FULL_1 FULL_2, "volume (m³)|one");
	expect_texts("density_error", FULL FULL_0 FULL_1, "density error (of rest density)");
	expect_texts("pressure_rounds", FULL FULL_0 FULL_1,
	             "rounds of the pressure solver (per step)");
	expect_texts("density_error_left", FULL FULL_0 FULL_1,
	             "density error left by the pressure solver (10⁻⁶ of rest density)");
	// 2.5 ms for 10 steps, then 2 ms for 20
	expect_texts("step_clock", FULL FULL_0 FULL_1 FULL_2, "wall clock per step (ms)|0.10|0.25");
	expect_texts("time_step", HEADER ROW_0, "nothing measured yet");
}

// The colour where the tick of one text meets that of another; the line ends there, so it is
// looked for a pixel before.
static const uint8_t *pixel_at(const oz_picture *picture, const char *x_label, const char *y_label)
{
	const uint32_t i = find_text(x_label), j = find_text(y_label);
	const double x = 0.5 * (seen.texts[i].low[0] + seen.texts[i].high[0]);
	const double y = 0.5 * (seen.texts[j].low[1] + seen.texts[j].high[1]);
	return picture->pixels + 3 * ((size_t)(y + 0.5) * picture->width + (size_t)(x - 2));
}

static void curves_lie_where_the_axes_say(void **state)
{
	(void)state;
	for (double scale = 1; scale <= 2; scale++) {
		// kinetic 5 and 20, potential 44 and 28
		oz_picture picture = draw("energy", HEADER ROW_0 ROW_1 ROW_2, scale);
		const uint8_t *kinetic = pixel_at(&picture, "0.20", "20");
		assert_true(kinetic[2] > kinetic[0] + 60);
		const uint8_t *paper = pixel_at(&picture, "0.20", "10");
		assert_true(paper[0] > 200 && paper[2] > 200);
		oz_picture_free(&picture);
		// a row alone: x, y and z are 1, -2 and 3
		picture = draw("momentum", HEADER ROW_1, scale);
		const uint8_t *y = pixel_at(&picture, "0.100", "−2");
		assert_true(y[0] > y[2] + 60);
		oz_picture_free(&picture);
	}
}

// ---- layout -----------------------------------------------------------------------------------

// A table in which what is measured is `base` and some times `step`, late in a run, where times
// have many digits.
static oz_table wave(double base, double step)
{
	oz_table table = {.count = 12, .capacity = 12};
	table.rows = calloc(table.count, sizeof *table.rows);
	assert_non_null(table.rows);
	for (uint32_t row = 0; row < table.count; row++)
		for (uint32_t k = 0; k < OZ_COLUMN_COUNT; k++)
			table.rows[row][k] = k == OZ_COLUMN_STEP   ? row
			                     : k == OZ_COLUMN_TIME ? 12345.678 + 1e-4 * row
			                                           : base + step * ((row * k) % 7);
	return table;
}

static void expect_apart(uint32_t width, uint32_t height, const char *what)
{
	for (uint32_t i = 0; i < seen.count; i++) {
		const double *low = seen.texts[i].low, *high = seen.texts[i].high;
		if (low[0] < 0 || low[1] < 0 || high[0] > width || high[1] > height)
			fail_msg("%s: '%s' leaves the sheet", what, seen.texts[i].text);
		for (uint32_t j = 0; j < i; j++)
			if (low[0] < seen.texts[j].high[0] && high[0] > seen.texts[j].low[0] &&
			    low[1] < seen.texts[j].high[1] && high[1] > seen.texts[j].low[1])
				fail_msg("%s: '%s' and '%s' overlap", what, seen.texts[i].text,
				         seen.texts[j].text);
	}
}

static void expect_layout(uint32_t width, uint32_t height, double base, double step, uint32_t count,
                          const char *name)
{
	oz_error error = {OZ_OK, ""};
	oz_table table = wave(base, step);
	oz_plot_run runs[OZ_PLOT_RUNS];
	oz_picture picture;
	oz_canvas canvas;
	char what[200];
	for (uint32_t r = 0; r < count; r++) {
		runs[r].table = &table;
		oz_plot_run_name(&runs[r], name);
	}
	assert_int_equal(oz_picture_create(width, height, &picture, &error), OZ_OK);
	for (uint32_t kind = 0; kind < oz_plot_count(); kind++) {
		seen.count = 0;
		assert_int_equal(oz_canvas_open_picture(&canvas, &picture, 1, &error), OZ_OK);
		oz_result result = oz_plot_draw(kind, runs, count, &canvas, &error);
		assert_int_equal(oz_canvas_close(&canvas, result, &error), OZ_OK);
		snprintf(what, sizeof what, "%s of %u runs, %u x %u, %g + %g", oz_plot_name(kind),
		         count, width, height, base, step);
		expect_apart(width, height, what);
	}
	oz_picture_free(&picture);
	oz_table_free(&table);
}

static void texts_stay_on_the_sheet_and_apart_from_each_other(void **state)
{
	(void)state;
	static const uint32_t sizes[][2] = {{320, 200},
	                                    {900, 540},
	                                    {2048, 320},
	                                    {320, 2048},
	                                    {1920, 1080}};
	static const double values[][2] = {{0, 1},        {0, 2e-13},
	                                   {-7e14, 3e14}, {12345.678, 1e-4},
	                                   {-1e3, 1e3},   {0, 1e300},
	                                   {5, 0}};
	for (uint32_t s = 0; s < 5; s += test_is_quick() ? 3 : 1)
		for (uint32_t v = 0; v < 7; v++) {
			expect_layout(sizes[s][0], sizes[s][1], values[v][0], values[v][1], 1, "a");
			expect_layout(sizes[s][0], sizes[s][1], values[v][0], values[v][1], 4,
			              "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW");
		}
}

// Draws the legend of a picture; gives the height of its title.
static double expect_legend(uint32_t width, uint32_t height, double low, double high)
{
	oz_error error = {OZ_OK, ""};
	oz_picture picture;
	char what[100];
	seen.count = 0;
	assert_int_equal(oz_picture_create(width, height, &picture, &error), OZ_OK);
	assert_int_equal(oz_picture_legend(&picture, "temperature", "°C", low, high, &error),
	                 OZ_OK);
	oz_picture_free(&picture);
	snprintf(what, sizeof what, "legend of %u x %u, %g to %g", width, height, low, high);
	expect_apart(width, height, what);
	// the title and a number, where there is room
	if (width >= 160 && seen.count < 2)
		fail_msg("%s has %u texts", what, seen.count);
	return seen.count ? seen.texts[0].high[1] - seen.texts[0].low[1] : 0;
}

static void the_numbers_of_a_legend_stay_apart_and_grow_with_the_picture(void **state)
{
	(void)state;
	static const uint32_t sizes[][2] = {{40, 30},   {160, 120}, {320, 180},
	                                    {960, 540}, {540, 960}, {3840, 2160}};
	for (uint32_t s = 0; s < 6; s++) {
		expect_legend(sizes[s][0], sizes[s][1], 0, 3.3);
		expect_legend(sizes[s][0], sizes[s][1], -2e-13, 7e-13);
		expect_legend(sizes[s][0], sizes[s][1], 1e14, 3e14);
		expect_legend(sizes[s][0], sizes[s][1], 1000.01, 1000.02);
	}
	const double small = expect_legend(960, 540, 0, 1), large = expect_legend(3840, 2160, 0, 1);
	assert_true(fabs(large / small - 4) < 0.1);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(ticks_are_round_numbers_around_the_values),
	        cmocka_unit_test(ticks_of_a_constant_have_it_inside),
	        cmocka_unit_test(ticks_of_tiny_and_huge_values_share_a_power_of_ten),
	        cmocka_unit_test(a_title_tells_the_unit_and_the_power_of_ten),
	        cmocka_unit_test(texts_are_whole_letters_and_have_a_form_in_ascii),
#ifdef OZ_HAVE_CAIRO
	        cmocka_unit_test(axes_and_curves_are_named),
	        cmocka_unit_test(curves_lie_where_the_axes_say),
	        cmocka_unit_test(texts_stay_on_the_sheet_and_apart_from_each_other),
	        cmocka_unit_test(the_numbers_of_a_legend_stay_apart_and_grow_with_the_picture),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
