// test_plot.c: `ooze plot` draws every row of a table, and tells tables that are damaged by file
// and line.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef OZ_HAVE_PNG
#include <png.h>
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
	assert_true(table.rows[1][OZ_COLUMN_PRESSURE_ROUNDS] == 3);
	assert_true(table.rows[1][OZ_COLUMN_DENSITY_ERROR_LEFT] == 8e-5);
	assert_true(table.rows[1][OZ_COLUMN_WALL_MS] == 2.5);
	oz_table_free(&table);
	test_write("old.csv", HEADER ROW_1, sizeof(HEADER ROW_1) - 1);
	assert_int_equal(oz_table_read("old.csv", &table, &error), OZ_OK);
	assert_true(isnan(table.rows[0][OZ_COLUMN_VOLUME]));
	assert_true(isnan(table.rows[0][OZ_COLUMN_PRESSURE_ROUNDS]));
	assert_true(table.rows[0][OZ_COLUMN_WALL_MS] == 2.5);
	oz_table_free(&table);
	COMPLAINT(FULL ROW_0, "broken.csv:2: the line has 15 cells instead of 19; remove it, or "
	                      "run the scene again");
	COMPLAINT(HEADER FULL_0, "broken.csv:2: the line has 19 cells instead of 15; remove it, or "
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
	snprintf(line, sizeof line, "'%s' plot %s >said.txt 2>&1 </dev/null", test_program(),
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
	assert_int_equal(test_ooze("run cube.json -o cube -q"), 0);
	assert_int_equal(oz_table_read("cube/stats.csv", &table, &error), OZ_OK);
	assert_int_equal(table.count, 3);
	assert_true(isnan(table.rows[0][OZ_COLUMN_VOLUME]));
	for (uint32_t row = 1; row < 3; row++) {
		assert_true(fabs(table.rows[row][OZ_COLUMN_VOLUME] - 1) < 0.02);
		assert_true(table.rows[row][OZ_COLUMN_DENSITY_ERROR] < 0.02);
	}
	assert_true(isnan(table.rows[1][OZ_COLUMN_PRESSURE_ROUNDS]));
	assert_true(isnan(table.rows[1][OZ_COLUMN_DENSITY_ERROR_LEFT]));
	oz_table_free(&table);
}

static void an_incompressible_run_counts_its_rounds(void **state)
{
	(void)state;
	static const char scene[] =
	        "{ \"world\": { \"spacing\": 0.1, \"pressure\": \"incompressible\" }, "
	        "\"bodies\": [ { \"material\": \"water\", \"shape\": \"box\", \"size\": [1, 1, 1] "
	        "} ], "
	        "\"colliders\": [ { \"shape\": \"box\", \"inside\": true, \"size\": [1, 1, 1] } ], "
	        "\"output\": { \"duration\": 0.1, \"frame_rate\": 50, \"vtu\": false } }";
	oz_error error = {OZ_OK, ""};
	oz_table table;
	test_write("still.json", scene, sizeof scene - 1);
	assert_int_equal(test_ooze("run still.json -o still -q"), 0);
	assert_int_equal(oz_table_read("still/stats.csv", &table, &error), OZ_OK);
	assert_true(isnan(table.rows[0][OZ_COLUMN_PRESSURE_ROUNDS]));
	double rounds = 0;
	for (uint32_t row = 1; row < table.count; row++) {
		rounds += table.rows[row][OZ_COLUMN_PRESSURE_ROUNDS];
		assert_true(table.rows[row][OZ_COLUMN_DENSITY_ERROR_LEFT] >= 0);
		assert_true(table.rows[row][OZ_COLUMN_DENSITY_ERROR_LEFT] <= 1e-4);
	}
	assert_true(rounds > 0);
	oz_table_free(&table);
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
	            "ooze: bare/stats.csv does not exist; name the folder of a run (ooze run SCENE "
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

#ifdef OZ_HAVE_CAIRO
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
	snprintf(line, sizeof line, "$PYTHON check.py '%s' '%s'", path, strokes);
	test_expect_shell(line, 0);
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
	assert_int_not_equal(access("one/plots/pressure_rounds.svg", F_OK), 0);
}

static void volume_error_and_rounds_are_drawn_where_they_are_measured(void **state)
{
	(void)state;
	put_run("full", FULL FULL_0 FULL_1 FULL_2);
	expect_says(0, "full", "13 plots, as SVG and PNG, in full/plots\n");
	expect_svg("full/plots/volume.svg", "2 2");
	expect_svg("full/plots/density_error.svg", "2 2");
	expect_svg("full/plots/pressure_rounds.svg", "2 2");
	expect_svg("full/plots/density_error_left.svg", "2 2");
	// 2.5 ms for 10 steps, then 2 ms for 20
	expect_svg("full/plots/step_clock.svg", "2 2");
	// a solver that does not iterate counts none
	put_run("none",
	        FULL FULL_0 "0.1,10,100,0.01,sound,1,0.001,0.01,5,44,1,-2,3,30,0.5,0.01,0,0,2.5\n");
	expect_says(0, "none", "11 plots, as SVG and PNG, in none/plots\n");
	assert_int_not_equal(access("none/plots/pressure_rounds.svg", F_OK), 0);
	// beside a table that lacks them, as a curve less
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	expect_says(0, "full one -o mixed", "13 plots, as SVG and PNG, in mixed\n");
	expect_svg("mixed/volume.svg", "2 2 2");
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
	assert_int_equal(system("rm -rf kept && mkdir kept"), 0);
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
#else
static void without_cairo_plots_are_refused(void **state)
{
	(void)state;
	put_run("one", HEADER ROW_0 ROW_1 ROW_2);
	expect_says(1, "one",
	            "ooze: this build of ooze leaves out plots and texts in pictures; install "
	            "cairo "
	            "and build it again\n");
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_wrong_header_is_told_by_its_column),
	        cmocka_unit_test(columns_that_may_be_lacking_are_missed_by_none),
	        cmocka_unit_test(a_damaged_row_is_told_by_its_line),
	        cmocka_unit_test(empty_cells_are_kept_as_such),
	        cmocka_unit_test(a_run_measures_its_volume),
	        cmocka_unit_test(an_incompressible_run_counts_its_rounds),
	        cmocka_unit_test(what_is_missing_or_wrong_is_said),
#ifdef OZ_HAVE_CAIRO
	        cmocka_unit_test(a_run_is_drawn_with_a_point_a_row),
	        cmocka_unit_test(volume_error_and_rounds_are_drawn_where_they_are_measured),
	        cmocka_unit_test(several_runs_share_a_plot),
	        cmocka_unit_test(a_run_of_one_frame_is_drawn_as_dots),
	        cmocka_unit_test(a_scale_makes_the_png_finer_and_leaves_the_svg),
	        cmocka_unit_test(the_same_table_gives_the_same_bytes),
	        cmocka_unit_test(a_plot_is_drawn_also_where_there_is_no_font),
	        cmocka_unit_test(a_file_that_cannot_be_written_leaves_nothing_behind),
#else
	        cmocka_unit_test(without_cairo_plots_are_refused),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
