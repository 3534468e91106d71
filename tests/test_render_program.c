// test_render_program.c: `ooze render` and `ooze movie` make pictures of runs, replace old ones,
// and say what is missing.
#include <sys/stat.h>
#include <unistd.h>

#ifdef OZ_HAVE_PNG
#include <png.h>
#endif

#include "export/export.h"
#include "pictures.h"
#include "worlds.h"

// ---- the program ------------------------------------------------------------------------------

// Runs `ooze` with these words; what it says is in `said`.
static int ooze(const char *before, const char *words, char said[4000])
{
	char command[1000];
	snprintf(command, sizeof command, "%s '%s' %s 2>&1", before, test_program(), words);
	FILE *pipe = popen(command, "r");
	assert_non_null(pipe);
	size_t size = fread(said, 1, 3999, pipe);
	said[size] = 0;
	int status = pclose(pipe);
	return status >> 8;
}

static void assert_says(int wanted, const char *words, const char *sentence)
{
	char said[4000];
	int status = ooze("", words, said);
	if (status != wanted || !strstr(said, sentence))
		fail_msg("ooze %s ended with %d and said \"%s\", not \"%s\"", words, status, said,
		         sentence);
}

static const char tiny_scene[] =
        "{ \"world\": { \"spacing\": 0.05 },\n"
        "  \"bodies\": [ { \"material\": \"water\", \"shape\": \"box\", \"size\": [0.3, 0.3, "
        "0.3],\n"
        "                \"position\": [0, 0.3, 0] } ],\n"
        "  \"colliders\": [ { \"shape\": \"box\", \"inside\": true, \"size\": [0.6, 0.8, 0.4],\n"
        "                   \"position\": [0, 0.4, 0] } ],\n"
        "  \"output\": { \"duration\": 0.2, \"frame_rate\": 10, \"vtu\": %s, \"ply\": %s } }\n";

static void run_tiny(const char *folder, bool ply)
{
	char scene[1000], words[200];
	snprintf(scene, sizeof scene, tiny_scene, ply ? "false" : "true", ply ? "true" : "false");
	test_write("tiny.json", scene, strlen(scene));
	snprintf(words, sizeof words, "run tiny.json -o %s -q --force", folder);
	assert_says(0, words, "");
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	mkdir("hollow", 0777);
	assert_says(1, "render nowhere", "there is no folder nowhere");
	assert_says(1, "render hollow", "holds no frames");
	assert_says(1, "movie hollow", "holds no pictures; draw them first: ooze render hollow");
	assert_says(2, "render hollow --size 10x", "--size is '10x'");
	assert_says(2, "render hollow --size 1x1", "--size is '1x1'");
	assert_says(2, "render hollow --colour sped", "did you mean 'speed'?");
	assert_says(2, "render hollow --kind smoth", "did you mean 'smooth'?");
	assert_says(2, "render hollow --times 0,x", "--times is '0,x'");
	assert_says(2, "render hollow --times 0,1 --frame 2", "exclude each other");
	assert_says(2, "render hollow --frame 2 -o two.jpg", "ends in .png");
	assert_says(2, "movie hollow -o film.gif", "ends in .mp4");
	assert_says(2, "render hollow --colour speed --range 3,1", "--range is '3,1'");
	assert_says(2, "render hollow --range 0,1", "--range works only with a field as colour");
	assert_says(2, "render hollow --samples 0", "--samples");
	assert_says(2, "render", "an argument is missing");
	run_tiny("vtu", false);
	assert_says(1, "render vtu", "output.ply to true");
}

#if defined OZ_HAVE_PNG && defined OZ_HAVE_EMBREE
static void assert_exists(const char *path, bool wanted)
{
	if ((access(path, F_OK) == 0) != wanted)
		fail_msg("%s %s", path, wanted ? "is missing" : "is there");
}
#endif

static void a_run_becomes_pictures_and_a_movie(void **state)
{
	(void)state;
#if defined OZ_HAVE_PNG && defined OZ_HAVE_EMBREE
	char said[4000];
	run_tiny("tiny", true);
	assert_says(0, "render tiny --size 161x91 --colour speed", "3 pictures");
	assert_exists("tiny/pictures/frame_00002.png", true);
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, "tiny/contact_sheet.png"));
	assert_int_equal(image.width, 161 / 3 * 6);
	assert_int_equal(image.height, 91 / 3 * 2);
	png_image_free(&image);
	assert_says(0, "render tiny --frame 1 --size 64x48 -o 'one picture.png'",
	            "one picture.png");
	assert_exists("one picture.png", true);
	assert_says(1, "render tiny --frame 9", "there are 0 to 2");
	for (int k = 0; k < 3; k++) {
		const char *kinds[] = {"density", "distance", "smooth"};
		char words[200];
		snprintf(words, sizeof words,
		         "render tiny --frame 2 --size 64x48 --kind %s --colour body -o kind.png",
		         kinds[k]);
		assert_says(0, words, "kind.png");
	}
	assert_says(1, "render tiny --frame 0 --size 65535x65535", "choose a smaller");

	assert_int_equal(ooze("PATH=/nowhere", "movie tiny", said), 1);
	assert_non_null(strstr(said, "ffmpeg was not found"));
	assert_exists("tiny/movie.mp4", false);
	if (system("command -v ffmpeg > /dev/null") == 0) {
		assert_says(0, "movie tiny", "tiny/movie.mp4");
		assert_exists("tiny/movie.mp4", true);
		test_write("tiny/pictures/frame_00001.png", "no picture", 10);
		assert_says(1, "movie tiny -o broken.mp4", "ffmpeg could not make broken.mp4");
		assert_exists("broken.mp4", false);
		assert_exists("broken.mp4.part", false);
	}
	unlink("tiny/pictures/frame_00001.png");
	assert_says(1, "movie tiny", "picture 1 is missing");
	unlink("tiny/scene.json");
	assert_says(1, "render tiny", "tiny/scene.json does not exist");
#else
	skip();
#endif
}

#if defined OZ_HAVE_PNG && defined OZ_HAVE_EMBREE
#define FAST " --size 64x48 --particles --samples 1"

static void times_alone_make_a_sheet_of_full_size(void **state)
{
	(void)state;
	char said[4000];
	run_tiny("tiny", true);
	assert_says(0, "render tiny --times 0,0.1" FAST " -o balls", "2 moments in balls/contact");
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, "balls/contact_sheet.png"));
	assert_int_equal(image.width, 2 * 64);
	assert_int_equal(image.height, 48);
	png_image_free(&image);
	assert_exists("balls/pictures", false);
	// the table stands for its folder
	assert_says(0, "plot tiny/stats.csv", "in tiny/plots");
	assert_says(0, "render tiny --times 0,0.1" FAST " -o two.png", "2 moments in two.png");
	assert_int_equal(access("two.png/contact_sheet.png", F_OK), -1);
	assert_says(2, "render tiny -o all.png", "each frame makes one");
	assert_says(0, "render tiny --times 0,9" FAST, "--times has 9, but the run ends at 0.2 s");
	assert_int_equal(ooze("", "render tiny --times 0.2" FAST, said), 0);
	assert_null(strstr(said, "warning"));
}

// seven tiles in rows of four: the last cell has none
static void a_cell_without_a_picture_is_not_black(void **state)
{
	(void)state;
	run_tiny("tiny", true);
	assert_says(0, "render tiny --times 0,0,0,0,0,0,0" FAST, "7 moments");
	oz_error error = {OZ_OK, ""};
	oz_picture sheet;
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, "tiny/contact_sheet.png"));
	image.format = PNG_FORMAT_RGB;
	assert_int_equal(oz_picture_create(image.width, image.height, &sheet, &error), OZ_OK);
	assert_true(png_image_finish_read(&image, NULL, sheet.pixels, 0, NULL));
	assert_int_equal(sheet.width, 4 * 64);
	assert_int_equal(sheet.height, 2 * 48);
	assert_true(sheet.pixels[3 * (sheet.width * sheet.height - 1)] > 150);
	oz_picture_free(&sheet);
}

static void a_range_changes_the_colours_alike_each_time(void **state)
{
	(void)state;
	run_tiny("tiny", true);
	const char *ranges[] = {"", "--range 0,50", "--range 0,50 --quiet"};
	char *data[3], words[200];
	size_t sizes[3];
	for (int k = 0; k < 3; k++) {
		snprintf(words, sizeof words,
		         "render tiny --frame 2 --colour speed %s -o range.png" FAST, ranges[k]);
		assert_says(0, words, "");
		data[k] = test_read("range.png", &sizes[k]);
	}
	assert_true(sizes[0] != sizes[1] || memcmp(data[0], data[1], sizes[0]) != 0);
	assert_int_equal(sizes[1], sizes[2]);
	assert_memory_equal(data[1], data[2], sizes[1]);
	for (int k = 0; k < 3; k++)
		free(data[k]);
}

static void pictures_are_replaced_and_those_beyond_removed(void **state)
{
	(void)state;
	run_tiny("tiny", true);
	assert_says(0, "render tiny -q" FAST, "");
	test_write("tiny/pictures/frame_00001.png", "old", 3);
	test_write("tiny/pictures/frame_00009.png", "old", 3);
	test_write("tiny/pictures/mine.png", "mine", 4);
	// a call that fails at once leaves what was there
	test_write("tiny/frames/frame_00000.ply", "ply\n", 4);
	assert_says(1, "render tiny -q" FAST, "frame_00000.ply");
	assert_exists("tiny/pictures/frame_00009.png", true);
	run_tiny("fresh", true);
	assert_int_equal(rename("fresh/frames/frame_00000.ply", "tiny/frames/frame_00000.ply"), 0);
	assert_says(0, "render tiny -q" FAST, "");
	assert_exists("tiny/pictures/frame_00009.png", false);
	assert_exists("tiny/pictures/mine.png", true);
	size_t size;
	free(test_read("tiny/pictures/frame_00001.png", &size));
	assert_true(size > 100);
}

static void control_c_ends_after_a_picture_and_says_where(void **state)
{
	(void)state;
	char said[4000];
	run_tiny("tiny", true);
	// the first picture is written: stop the program, and look at what is left
	const char *begin =
	        "rm -rf halt; (i=0; while [ ! -e halt/pictures/frame_00000.png ] && "
	        "[ $i -lt 2000 ]; do sleep 0.01; i=$((i+1)); done; "
	        "kill -INT $(cat halt.pid)) & sh -c 'echo $$ > halt.pid; exec \"$@\"' - ";
	int status = ooze(begin, "render tiny --size 640x480 --samples 8 -t 1 -o halt", said);
	assert_int_equal(status, 1);
	assert_non_null(strstr(said, "stopped at frame "));
	assert_non_null(strstr(said, " of 3; run the same command again"));
	assert_exists("halt/pictures/frame_00002.png", false);
	assert_exists("halt/contact_sheet.png", false);
	assert_int_equal(system("ls halt/pictures | grep -q part"), 256);
}

static void a_movie_tells_of_pictures_that_are_not_those_of_the_frames(void **state)
{
	(void)state;
	run_tiny("tiny", true);
	assert_says(0, "render tiny -q" FAST, "");
	unlink("tiny/pictures/frame_00002.png");
	const bool filmed = system("command -v ffmpeg > /dev/null") == 0;
	const int status = filmed ? 0 : 1;
	assert_says(status, "movie tiny",
	            "3 frames, 2 pictures: the render was not finished; go on with: ooze render "
	            "tiny");
	unlink("tiny/frames/frame_00001.ply");
	unlink("tiny/frames/frame_00002.ply");
	assert_says(status, "movie tiny", "1 frames, 2 pictures: some are of an earlier run");
	assert_says(1, "movie tiny -o no/such/film.mp4",
	            "no/such/film.mp4 cannot be written: No such file or directory; choose");
}

// a picture of a ball of that material, as the bytes of its file; the caller frees it
static char *look_of(const char *materials, const char *material, size_t *size)
{
	char scene[1000], *bytes = NULL;
	oz_error error = {OZ_OK, ""};
	snprintf(scene, sizeof scene,
	         "{ \"world\": { \"spacing\": 0.05 }, \"materials\": { %s }, \"bodies\": [ { "
	         "\"material\": \"%s\", \"shape\": \"ball\", \"size\": 0.2 } ], \"output\": { "
	         "\"vtu\": false } }",
	         materials, material);
	test_write("look.json", scene, strlen(scene));
	assert_says(0, "run look.json -o look -q --force --frames 0", "");
	assert_says(0, "render look --frame 0 -o look.png --size 64x48 --samples 4", "");
	if (oz_file_read("look.png", 1 << 24, &bytes, size, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return bytes;
}

static void a_material_of_another_name_looks_like_its_preset(void **state)
{
	(void)state;
	size_t sizes[4];
	char *const looks[] = {
	        look_of("", "firm gelatin", &sizes[0]),
	        look_of("\"dessert\": { \"preset\": \"firm gelatin\" }", "dessert", &sizes[1]),
	        look_of("\"dessert\": { \"model\": \"corotated\" }", "dessert", &sizes[2]),
	        // what the name says comes first
	        look_of("\"gelatin\": { \"preset\": \"soft rubber\" }", "gelatin", &sizes[3]),
	};
	for (int k = 1; k < 4; k++) {
		const bool same = sizes[k] == sizes[0] && !memcmp(looks[k], looks[0], sizes[0]);
		assert_int_equal(same, k != 2);
	}
	for (int k = 0; k < 4; k++)
		free(looks[k]);
}

static void a_lost_frame_is_told(void **state)
{
	(void)state;
	run_tiny("tiny", true);
	unlink("tiny/frames/frame_00001.ply");
	assert_says(0, "render tiny" FAST, "warning: frame 1 is missing in tiny/frames");
	assert_says(1, "render tiny --frame 1" FAST, "frame 1 is missing in tiny/frames");
	assert_says(1, "movie tiny", "and frame 1 too; repeat the run");
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_missing_is_said),
	        cmocka_unit_test(a_run_becomes_pictures_and_a_movie),
#ifdef FAST
	        cmocka_unit_test(times_alone_make_a_sheet_of_full_size),
	        cmocka_unit_test(a_cell_without_a_picture_is_not_black),
	        cmocka_unit_test(a_range_changes_the_colours_alike_each_time),
	        cmocka_unit_test(pictures_are_replaced_and_those_beyond_removed),
	        cmocka_unit_test(control_c_ends_after_a_picture_and_says_where),
	        cmocka_unit_test(a_movie_tells_of_pictures_that_are_not_those_of_the_frames),
	        cmocka_unit_test(a_material_of_another_name_looks_like_its_preset),
	        cmocka_unit_test(a_lost_frame_is_told),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
