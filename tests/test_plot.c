// test_plot.c: ticks are those that people would choose, curves show every row where it belongs,
// texts do not overlap, and tables that are damaged are told by file and line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef OZ_HAVE_PNG
#include <png.h>
#endif
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
	"density_error,iterations,wall_ms\n"
#define FULL_0 "0,0,100,,,,,,0,50,0,0,0,,,,,1.5\n"
#define FULL_1 "0.1,10,100,0.01,sound,1,0.001,0.01,5,44,1,-2,3,30,0.5,0.01,3,2.5\n"
#define FULL_2 "0.2,30,100,0.01,sound,2,0.002,0.02,20,28,2,-4,6,31,0.25,0.02,4,2\n"
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

// ---- reading ----------------------------------------------------------------------------------

static void expect_complaint(const char *text, size_t size, const char *wanted)
{
	oz_error error = {OZ_OK, ""};
	oz_table table;
	test_write("broken.csv", text, size);
	assert_int_equal(oz_table_read("broken.csv", &table, &error), OZ_ERROR_FORMAT);
	assert_string_equal(error.text, wanted);
	oz_table_free(&table);
}

#define COMPLAINT(text, wanted) expect_complaint(text, sizeof(text) - 1, wanted)

static void a_wrong_header_is_told_by_its_column(void **state)
{
	(void)state;
	COMPLAINT("", "broken.csv:1: the table ends before its first row; run the scene again");
	COMPLAINT(HEADER, "broken.csv:2: the table ends before its first row; run the scene again");
	COMPLAINT("time,steps\n1,2\n", "broken.csv:1: column 2 is 'steps' instead of 'step'; this "
	                               "is not a table of this "
	                               "version of ooze: run the scene again");
	COMPLAINT("time,step\n", "broken.csv:1: the line has 2 cells instead of 15; remove it, or "
	                         "run the scene again");
}

static void columns_that_may_be_lacking_are_missed_by_none(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_table table;
	test_write("full.csv", FULL FULL_0 FULL_1, sizeof(FULL FULL_0 FULL_1) - 1);
	assert_int_equal(oz_table_read("full.csv", &table, &error), OZ_OK);
	assert_true(isnan(table.rows[0][OZ_COLUMN_VOLUME]));
	assert_true(table.rows[1][OZ_COLUMN_VOLUME] == 0.5);
	assert_true(table.rows[1][OZ_COLUMN_DENSITY_ERROR] == 0.01);
	assert_true(table.rows[1][OZ_COLUMN_ITERATIONS] == 3);
	assert_true(table.rows[1][OZ_COLUMN_WALL_MS] == 2.5);
	oz_table_free(&table);
	test_write("old.csv", HEADER ROW_1, sizeof(HEADER ROW_1) - 1);
	assert_int_equal(oz_table_read("old.csv", &table, &error), OZ_OK);
	assert_true(isnan(table.rows[0][OZ_COLUMN_VOLUME]));
	assert_true(isnan(table.rows[0][OZ_COLUMN_ITERATIONS]));
	assert_true(table.rows[0][OZ_COLUMN_WALL_MS] == 2.5);
	oz_table_free(&table);
	COMPLAINT(FULL ROW_0, "broken.csv:2: the line has 15 cells instead of 18; remove it, or "
	                      "run the scene again");
	COMPLAINT(HEADER FULL_0, "broken.csv:2: the line has 18 cells instead of 15; remove it, or "
	                         "run the scene again");
}

static void a_damaged_row_is_told_by_its_line(void **state)
{
	(void)state;
	COMPLAINT(HEADER ROW_0 ROW_1 "0.2,20,100\n",
	          "broken.csv:4: the line has 3 cells instead of 15; remove it, or run the scene "
	          "again");
	COMPLAINT(HEADER ROW_0 "\n" ROW_1,
	          "broken.csv:3: the line has 1 cells instead of 15; remove it, or run the scene "
	          "again");
	COMPLAINT(HEADER ROW_0 "0.1,1,1,1,sound,1,1,1,nan,1,1,1,1,1,1\n",
	          "broken.csv:3: kinetic_energy is 'nan', which is not a number that can be drawn; "
	          "remove the line, or run the scene again");
	COMPLAINT(HEADER "0.1,1,1,1,sound,1,1,1,1,1,1,1,-inf,1,1\n",
	          "broken.csv:2: momentum_z is '-inf', which is not a number that can be drawn; "
	          "remove the line, or run the scene again");
	COMPLAINT(HEADER ROW_0 "0.1,1,1,fast,sound,1,1,1,1,1,1,1,1,1,1\n",
	          "broken.csv:3: time_step is 'fast', which is not a number that can be drawn; "
	          "remove the line, or run the scene again");
	COMPLAINT(HEADER ",1,1,1,sound,1,1,1,1,1,1,1,1,1,1\n",
	          "broken.csv:2: time is '', which is not a number that can be drawn; remove the "
	          "line, or run the scene again");
	COMPLAINT(HEADER ROW_0 "0.1,1\0,1\n",
	          "broken.csv:3: the line holds a zero byte; remove it, or run the scene again");
}

static void empty_cells_are_kept_as_such(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_table table;
	test_write("good.csv", HEADER ROW_0 ROW_1, sizeof(HEADER ROW_0 ROW_1) - 1);
	assert_int_equal(oz_table_read("good.csv", &table, &error), OZ_OK);
	assert_int_equal(table.count, 2);
	assert_true(isnan(table.rows[0][OZ_COLUMN_TIME_STEP]));
	assert_true(table.rows[0][OZ_COLUMN_WALL_MS] == 1.5);
	assert_true(table.rows[1][OZ_COLUMN_MOMENTUM_Y] == -2);
	oz_table_free(&table);
}

// ---- the program ------------------------------------------------------------------------------

static void put_run(const char *folder, const char *text)
{
	char path[200];
	mkdir(folder, 0777);
	snprintf(path, sizeof path, "%s/stats.csv", folder);
	test_write(path, text, strlen(text));
}

static void expect_says(int wanted_status, const char *arguments, const char *wanted)
{
	char line[1000];
	snprintf(line, sizeof line, "'%s' plot %s >said.txt 2>&1 </dev/null", OZ_PROGRAM,
	         arguments);
	int status = system(line);
	size_t size;
	char *said;
	assert_int_equal(oz_file_read("said.txt", 100000, &said, &size, NULL), OZ_OK);
	assert_string_equal(said, wanted);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), wanted_status);
	free(said);
}

// Fails unless an SVG is XML, in which the strokes that are thicker than the grid have these
// numbers of points (legend lines have two).
static void expect_svg(const char *path, const char *strokes)
{
	static const char script[] =
	        "import re, sys, xml.etree.ElementTree as E\n"
	        "n = []\n"
	        "for p in "
	        "E.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}path'):\n"
	        // the width is an attribute or a part of the style
	        "    a = p.get('style', '') + ';' + ';'.join(k + ':' + v for k, v in p.items())\n"
	        "    w = re.search('stroke-width:([0-9.]+)', a)\n"
	        "    if w and float(w[1]) > 1: n.append(len(re.findall('[ML]', p.get('d'))))\n"
	        "assert ' '.join(map(str, n)) == sys.argv[2], n\n";
	char line[1000];
	test_write("check.py", script, sizeof script - 1);
	snprintf(line, sizeof line, "%s check.py '%s' '%s'", OZ_PYTHON, path, strokes);
	assert_int_equal(system(line), 0);
}

static void expect_same_bytes(const char *one, const char *other)
{
	size_t sizes[2];
	char *data[2] = {test_read(one, &sizes[0]), test_read(other, &sizes[1])};
	assert_int_equal(sizes[0], sizes[1]);
	assert_memory_equal(data[0], data[1], sizes[0]);
	free(data[0]);
	free(data[1]);
}

static void expect_png_size(const char *path, uint32_t width, uint32_t height)
{
#ifdef OZ_HAVE_PNG
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, path));
	assert_int_equal(image.width, width);
	assert_int_equal(image.height, height);
	image.format = PNG_FORMAT_RGB;
	uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
	assert_non_null(pixels);
	assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
	// the first curve is blue, also where it is thin
	uint32_t blue = 0;
	for (size_t k = 0; k < (size_t)width * height; k++) {
		const uint8_t *p = pixels + 3 * k;
		blue += p[2] > p[1] + 20 && p[2] > p[0] + 60;
	}
	assert_true(blue > 50);
	free(pixels);
#endif
}

static void a_run_is_drawn_with_a_point_a_row(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	expect_says(0, "one/", "9 plots, as SVG and PNG, in one/plots\n");
	expect_svg("one/plots/energy.svg", "3 3 3 2 2 2");
	expect_svg("one/plots/momentum.svg", "3 3 3 2 2 2");
	// the cells of frame 0 are empty
	expect_svg("one/plots/compression.svg", "2 2 2 2");
	expect_svg("one/plots/wall_clock.svg", "3 2");
	expect_svg("one/plots/step_clock.svg", "2 2");
	expect_png_size("one/plots/energy.png", 900, 540);
	// what the table lacks is not drawn
	assert_int_not_equal(access("one/plots/volume.svg", F_OK), 0);
	assert_int_not_equal(access("one/plots/iterations.svg", F_OK), 0);
}

static void volume_error_and_iterations_are_drawn_where_they_are_measured(void **state)
{
	(void)state;
	put_run("full", FULL FULL_0 FULL_1 FULL_2);
	expect_says(0, "full", "12 plots, as SVG and PNG, in full/plots\n");
	expect_svg("full/plots/volume.svg", "2 2");
	expect_svg("full/plots/density_error.svg", "2 2");
	expect_svg("full/plots/iterations.svg", "2 2");
	// 2.5 ms for 10 steps, then 2 ms for 20
	expect_svg("full/plots/step_clock.svg", "2 2");
	// a solver that does not iterate counts none
	put_run("none",
	        FULL FULL_0 "0.1,10,100,0.01,sound,1,0.001,0.01,5,44,1,-2,3,30,0.5,0.01,0,2.5\n");
	expect_says(0, "none", "11 plots, as SVG and PNG, in none/plots\n");
	assert_int_not_equal(access("none/plots/iterations.svg", F_OK), 0);
	// beside a table that lacks them, as a curve less
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	expect_says(0, "full one -o mixed", "12 plots, as SVG and PNG, in mixed\n");
	expect_svg("mixed/volume.svg", "2 2 2");
}

// 1 m³ of water in 1000 particles
static void a_run_measures_its_volume(void **state)
{
	(void)state;
	static const char scene[] =
	        "{ \"world\": { \"spacing\": 0.1, \"gravity\": [0, 0, 0] }, \"bodies\": [ { "
	        "\"material\": \"water\", \"shape\": \"box\", \"size\": [1, 1, 1] } ], "
	        "\"colliders\": [ { \"shape\": \"box\", \"inside\": true, \"size\": [1, 1, 1] } ], "
	        "\"output\": { \"duration\": 0.02, \"frame_rate\": 100, \"vtu\": false } }";
	oz_error error = {OZ_OK, ""};
	oz_table table;
	test_write("cube.json", scene, sizeof scene - 1);
	assert_int_equal(system("'" OZ_PROGRAM "' run cube.json -o cube -q"), 0);
	assert_int_equal(oz_table_read("cube/stats.csv", &table, &error), OZ_OK);
	assert_int_equal(table.count, 3);
	assert_true(isnan(table.rows[0][OZ_COLUMN_VOLUME]));
	for (uint32_t row = 1; row < 3; row++) {
		assert_true(fabs(table.rows[row][OZ_COLUMN_VOLUME] - 1) < 0.02);
		assert_true(table.rows[row][OZ_COLUMN_DENSITY_ERROR] < 0.02);
	}
	assert_true(isnan(table.rows[1][OZ_COLUMN_ITERATIONS]));
	oz_table_free(&table);
}

static void several_runs_share_a_plot(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	put_run("a <b> & \"c\"\xff", HEADER ROW_0 ROW_1);
	mkdir("x", 0777);
	put_run("x/one", HEADER ROW_1 ROW_2);
	expect_says(0, "one 'a <b> & \"c\"\xff' x/one --size 640x400 -o both",
	            "9 plots, as SVG and PNG, in both\n");
	expect_svg("both/energy.svg", "3 3 3 2 2 2 2 2 2 2 2 2 2 2 2");
	// names in the legend: bytes that are not UTF-8 are replaced, the second "one" has a number
	put_run("a <b> & \"c\"?", HEADER ROW_0 ROW_1);
	put_run("one (3)", HEADER ROW_1 ROW_2);
	expect_says(0, "one 'a <b> & \"c\"?' 'one (3)' --size 640x400 -q -o spelt", "");
	expect_same_bytes("both/energy.svg", "spelt/energy.svg");
	expect_png_size("both/energy.png", 640, 400);
	expect_says(0, "one --size 320x200 -q -o both", "");
	expect_png_size("both/energy.png", 320, 200);
	expect_png_size("both/particles.png", 320, 200);
}

static void a_run_of_one_frame_is_drawn_as_dots(void **state)
{
	(void)state;
	put_run("short", HEADER ROW_0);
	expect_says(0, "short", "9 plots, as SVG and PNG, in short/plots\n");
	expect_svg("short/plots/energy.svg", "2 2 2");
	expect_svg("short/plots/time_step.svg", "2");
}

static void what_is_missing_or_wrong_is_said(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0);
	put_run("bad", HEADER ROW_0 "0.1\n");
	mkdir("bare", 0777);
	expect_says(1, "gone",
	            "ooze: there is no folder gone; name the folder of a run (ooze run SCENE -o "
	            "DIR)\n");
	expect_says(1, "one bare",
	            "ooze: bare/stats.csv is not there; name the folder of a run (ooze run SCENE "
	            "-o DIR)\n");
	expect_says(1, "one bad",
	            "ooze: bad/stats.csv:3: the line has 1 cells instead of 15; remove it, or run "
	            "the scene again\n");
	expect_says(1, "one -o no/such",
	            "ooze: the folder no/such cannot be made: No such file or directory; choose "
	            "another with -o\n");
	expect_says(2, "one --size 10x10",
	            "ooze: --size is '10x10'; write width x height in pixels, from 320x200 to "
	            "8192x8192: --size 900x540\n");
}

// ---- drawing ----------------------------------------------------------------------------------

#ifdef OZ_HAVE_CAIRO

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
	expect_texts("iterations", FULL FULL_0 FULL_1,
	             "iterations of the pressure solver (per step)");
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

// A table in which what is measured is `base` and some times `step`.
static oz_table wave(double base, double step)
{
	oz_table table = {.count = 12, .capacity = 12};
	table.rows = calloc(table.count, sizeof *table.rows);
	assert_non_null(table.rows);
	for (uint32_t row = 0; row < table.count; row++)
		for (uint32_t k = 0; k < OZ_COLUMN_COUNT; k++)
			table.rows[row][k] = k == OZ_COLUMN_STEP   ? row
			                     : k == OZ_COLUMN_TIME ? 0.037 * row
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
	for (uint32_t s = 0; s < 5; s++)
		for (uint32_t v = 0; v < 7; v++) {
			expect_layout(sizes[s][0], sizes[s][1], values[v][0], values[v][1], 1, "a");
			expect_layout(sizes[s][0], sizes[s][1], values[v][0], values[v][1], 4,
			              "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW");
		}
}
#endif

static void a_scale_makes_the_png_finer_and_leaves_the_svg(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	expect_says(0, "one --scale 1 -q -o s1", "");
	expect_says(0, "one --scale 2.5 -q -o s2", "");
	expect_png_size("s1/energy.png", 900, 540);
	expect_png_size("s2/energy.png", 2250, 1350);
	expect_same_bytes("s1/energy.svg", "s2/energy.svg");
	expect_says(2, "one --scale 4 --size 8192x300",
	            "ooze: --size 8192x300 with --scale 4 is more than 16384 pixels along an edge; "
	            "choose a smaller size or scale\n");
}

static void the_same_table_gives_the_same_bytes(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	expect_says(0, "one -q -o first", "");
	expect_says(0, "one -q -o second", "");
	expect_same_bytes("first/energy.svg", "second/energy.svg");
	expect_same_bytes("first/energy.png", "second/energy.png");
}

static void a_plot_is_drawn_also_where_there_is_no_font(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	test_write("fonts.conf", "<fontconfig></fontconfig>", 25);
	setenv("FONTCONFIG_FILE", "fonts.conf", 1);
	expect_says(0, "one -o bare_plots", "9 plots, as SVG and PNG, in bare_plots\n");
	unsetenv("FONTCONFIG_FILE");
	expect_svg("bare_plots/energy.svg", "3 3 3 2 2 2");
	expect_png_size("bare_plots/energy.png", 900, 540);
}

static void a_file_that_cannot_be_written_leaves_nothing_behind(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	mkdir("kept", 0777);
	mkdir("kept/energy.svg", 0777);
	expect_says(1, "one -o kept",
	            "ooze: writing kept/energy.svg failed: it is a folder; name a file\n");
	assert_int_not_equal(access("kept/energy.svg.part", F_OK), 0);
	assert_int_equal(rmdir("kept/energy.svg"), 0);
	mkdir("kept/energy.png", 0777);
	expect_says(1, "one -o kept",
	            "ooze: writing kept/energy.png failed: it is a folder; name a file\n");
	assert_int_not_equal(access("kept/energy.png.part", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(ticks_are_round_numbers_around_the_values),
	        cmocka_unit_test(ticks_of_a_constant_have_it_inside),
	        cmocka_unit_test(ticks_of_tiny_and_huge_values_share_a_power_of_ten),
	        cmocka_unit_test(a_title_tells_the_unit_and_the_power_of_ten),
	        cmocka_unit_test(texts_are_whole_letters_and_have_a_form_in_ascii),
	        cmocka_unit_test(a_wrong_header_is_told_by_its_column),
	        cmocka_unit_test(columns_that_may_be_lacking_are_missed_by_none),
	        cmocka_unit_test(a_damaged_row_is_told_by_its_line),
	        cmocka_unit_test(empty_cells_are_kept_as_such),
	        cmocka_unit_test(a_run_is_drawn_with_a_point_a_row),
	        cmocka_unit_test(volume_error_and_iterations_are_drawn_where_they_are_measured),
	        cmocka_unit_test(a_run_measures_its_volume),
	        cmocka_unit_test(several_runs_share_a_plot),
	        cmocka_unit_test(a_run_of_one_frame_is_drawn_as_dots),
	        cmocka_unit_test(what_is_missing_or_wrong_is_said),
	        cmocka_unit_test(a_scale_makes_the_png_finer_and_leaves_the_svg),
	        cmocka_unit_test(the_same_table_gives_the_same_bytes),
	        cmocka_unit_test(a_plot_is_drawn_also_where_there_is_no_font),
	        cmocka_unit_test(a_file_that_cannot_be_written_leaves_nothing_behind),
#ifdef OZ_HAVE_CAIRO
	        cmocka_unit_test(axes_and_curves_are_named),
	        cmocka_unit_test(curves_lie_where_the_axes_say),
	        cmocka_unit_test(texts_stay_on_the_sheet_and_apart_from_each_other),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
