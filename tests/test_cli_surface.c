// test_cli_surface.c: `ooze surface` as its users meet it: meshes that other programs read, for all
// particles or for each body, and a sentence for whatever is missing or wrong.
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support.h"

// two bodies far apart, of which one never moves, and a nozzle that opens after the first frame
static const char scene[] =
        "{ \"world\": { \"spacing\": 0.05 },\n"
        "  \"bodies\": [ { \"name\": \"left one\", \"material\": \"water\", \"shape\": \"box\",\n"
        "                \"size\": [0.3, 0.3, 0.3], \"position\": [-0.5, 0.15, 0] },\n"
        "              { \"name\": \"right/one\", \"material\": \"honey\", \"shape\": \"ball\",\n"
        "                \"size\": 0.2, \"position\": [0.5, 0.3, 0] } ],\n"
        "  \"materials\": { \"honey\": { \"colour\": [1, 0.5, 0] } },\n"
        "  \"colliders\": [ { \"shape\": \"plane\" } ],\n"
        "  \"emitters\": [ { \"material\": \"oil\", \"position\": [0, 1, 1], \"radius\": 0.1,\n"
        "                  \"start\": 0.05 } ],\n"
        "  \"surface\": { \"cell\": 1, \"smoothing\": 1 },\n"
        "  \"output\": { \"duration\": 0.2, \"frame_rate\": 10, \"vtu\": %s, \"ply\": %s } }\n";

static void make_run(const char *folder, bool ply)
{
	char text[2000], words[200];
	snprintf(text, sizeof text, scene, ply ? "false" : "true", ply ? "true" : "false");
	test_write("scene.json", text, strlen(text));
	snprintf(words, sizeof words, "run scene.json -o %s -q --force", folder);
	assert_int_equal(test_ooze("%s", words), 0);
}

static void expect_exists(const char *path, bool wanted)
{
	if ((access(path, F_OK) == 0) != wanted)
		fail_msg("%s %s", path, wanted ? "is missing" : "is there");
}

static void expect_says(int status, const char *arguments, const char *wanted)
{
	if (test_ooze("%s", arguments) != status)
		fail_msg("'ooze %s' did not end with %d", arguments, status);
	test_expect_in("err.txt", wanted);
}

// runs a script that knows `mesh(path)`: vertices and triangles of a PLY file, and `volume(m)`
static void expect_python(const char *script)
{
	static const char begin[] =
	        "import meshio, numpy as np\n"
	        "def mesh(path):\n"
	        "    m = meshio.read(path)\n"
	        "    t = [c.data for c in m.cells if c.type == 'triangle']\n"
	        "    return m.points, (t[0] if t else np.zeros((0, 3), int)), m\n"
	        "def volume(m):\n"
	        "    a, b, c = (m[0][m[1][:, k]].astype(float) for k in range(3))\n"
	        "    return np.einsum('ij,ij->i', a, np.cross(b, c)).sum() / 6\n";
	char text[4000];
	snprintf(text, sizeof text, "%s%s", begin, script);
	test_write("check.py", text, strlen(text));
	test_expect_shell("$PYTHON check.py", 0);
}

// ---- meshes -----------------------------------------------------------------------------------

static void every_frame_becomes_a_mesh(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(test_ooze("surface out"), 0);
	test_expect_in("out.txt", "3 frames, ");
	test_expect_in("out.txt", " triangles, ");
	test_expect_in("out.txt", " particles/s, in out/surfaces\n");
	expect_exists("out/surfaces/surface_00002.ply", true);
	expect_exists("out/surfaces.pvd", false);
	// a cube of 0.3 m and a ball of 0.2 m: 0.027 and 0.0335 m³, at spacings that are coarse
	expect_python("m = mesh('out/surfaces/surface_00000.ply')\n"
	              "assert 0.04 < volume(m) < 0.075, volume(m)\n"
	              "names = m[2].point_data.keys()\n"
	              "for n in ('nx', 'vx', 'body', 'material'): assert n in names, names\n"
	              "assert set(np.unique(m[2].point_data['body'])) == {0, 1}\n"
	              "assert set(np.unique(m[2].point_data['material'])) == {0, 1}\n"
	              // honey as the scene says; it is the first material since it has an entry
	              "honey = m[2].point_data['material'] == 0\n"
	              "rgb = np.stack([m[2].point_data[c].view(np.uint8) for c in "
	              "('red', 'green', 'blue')], 1)\n"
	              "assert abs(rgb[honey].astype(int) - [255, 128, 0]).max() <= 1\n"
	              "assert rgb[~honey][0][2] > rgb[~honey][0][0], 'water is blue'\n");
}

static void every_body_has_a_mesh_of_its_own_even_an_empty_one(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(test_ooze("surface out --each body -q"), 0);
	expect_python("a = mesh('out/surfaces/surface_body_left_one_00000.ply')\n"
	              "b = mesh('out/surfaces/surface_body_right_one_00000.ply')\n"
	              "assert 0.018 < volume(a) < 0.04, volume(a)\n"
	              "assert 0.022 < volume(b) < 0.045, volume(b)\n"
	              "assert a[0][:, 0].max() < 0 < b[0][:, 0].min()\n"
	              "assert set(b[2].point_data['body']) == {1}\n"
	              // nothing was poured at the start, and something later
	              "e = open('out/surfaces/surface_body_emitter_0_00000.ply', 'rb').read()\n"
	              "assert e.startswith(b'ply') and b'element face 0\\n' in e\n"
	              "assert len(mesh('out/surfaces/surface_body_emitter_0_00002.ply')[1]) > 0\n");
	assert_int_equal(test_ooze("surface out --each material -q"), 0);
	expect_exists("out/surfaces/surface_material_water_00001.ply", true);
	expect_exists("out/surfaces/surface_material_honey_00001.ply", true);
	expect_exists("out/surfaces/surface_material_oil_00001.ply", true);
}

static void every_format_is_written_and_vtp_gets_its_series(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(test_ooze("surface out --format ply,obj,vtp,glb -q"), 0);
	static const char *const endings[] = {"ply", "obj", "vtp", "glb"};
	for (size_t k = 0; k < 4; k++) {
		char path[100];
		snprintf(path, sizeof path, "out/surfaces/surface_00001.%s", endings[k]);
		expect_exists(path, true);
	}
	test_expect_in("out/surfaces.pvd", "file=\"surfaces/surface_00002.vtp\"");
	test_expect_in("out/surfaces.pvd", "timestep=\"0.2\"");
	expect_python("a = mesh('out/surfaces/surface_00001.ply')\n"
	              "b = mesh('out/surfaces/surface_00001.obj')\n"
	              "assert a[1].shape == b[1].shape and np.allclose(a[0], b[0][:, :3], "
	              "atol=1e-5)\n");
	assert_int_equal(test_ooze("surface out --format vtp --each body -q"), 0);
	test_expect_in("out/surfaces_body_left_one.pvd",
	               "file=\"surfaces/surface_body_left_one_00000.vtp\"");
}

static void one_frame_leaves_the_others_as_they_are(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(system("rm -rf out/surfaces && mkdir out/surfaces"), 0);
	test_write("out/surfaces/surface_00099.ply", "old", 3);
	test_write("out/surfaces/surface_00099.obj", "old", 3);
	test_write("out/surfaces/notes.ply", "mine", 4);
	assert_int_equal(test_ooze("surface out --frame 1"), 0);
	test_expect_in("out.txt", "1 frame, ");
	expect_exists("out/surfaces/surface_00001.ply", true);
	expect_exists("out/surfaces/surface_00000.ply", false);
	expect_exists("out/surfaces/surface_00099.ply", true);
	// all frames: what an earlier run left of the same series goes, and nothing else
	assert_int_equal(test_ooze("surface out -q"), 0);
	expect_exists("out/surfaces/surface_00099.ply", false);
	expect_exists("out/surfaces/surface_00099.obj", true);
	expect_exists("out/surfaces/notes.ply", true);
	assert_int_equal(system("mkdir out/surfaces/surface_00099.ply"), 0);
	assert_int_equal(test_ooze("surface out -q"), 1);
	test_expect_in("err.txt", "out/surfaces/surface_00099.ply is of an earlier call");
	assert_int_equal(rmdir("out/surfaces/surface_00099.ply"), 0);
}

static void results_go_where_they_are_sent(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(test_ooze("surface out --format vtp -o elsewhere"), 0);
	test_expect_in("out.txt", "in elsewhere/surfaces\n");
	expect_exists("elsewhere/surfaces/surface_00002.vtp", true);
	test_expect_in("elsewhere/surfaces.pvd", "file=\"surfaces/surface_00002.vtp\"");
	expect_exists("out/surfaces/surface_00002.vtp", false);
	expect_says(1, "surface out -o no/such/folder", "choose another with -o");
}

static void a_lost_frame_is_told(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(unlink("out/frames/frame_00001.ply"), 0);
	expect_says(0, "surface out", "warning: frame 1 is missing in out/frames");
	expect_says(1, "surface out --frame 1", "frame 1 is missing in out/frames");
}

static void a_particle_that_is_nowhere_is_left_out_and_told(void **state)
{
	(void)state;
	make_run("out", true);
	assert_int_equal(system("printf '\\000\\000\\300\\177' | dd of=out/frames/frame_00001.ply "
	                        "bs=1 "
	                        "seek=$(($(grep -a -b -o end_header out/frames/frame_00001.ply | "
	                        "cut -d: -f1) + 11)) conv=notrunc status=none"),
	                 0);
	expect_says(0, "surface out", "warning: frame 1: 1 of ");
}

// ---- options ----------------------------------------------------------------------------------

static uint32_t triangles(const char *arguments)
{
	char words[200];
	snprintf(words, sizeof words, "surface out --frame 0 %s", arguments);
	assert_int_equal(test_ooze("%s", words), 0);
	size_t size;
	char *text = test_read("out.txt", &size), *at = strstr(text, "frame, ");
	uint32_t count = 0;
	assert_non_null(at);
	for (at += 7; *at != ' '; at++)
		if (*at != ',')
			count = 10 * count + (uint32_t)(*at - '0');
	free(text);
	return count;
}

static void options_take_the_place_of_the_scene(void **state)
{
	(void)state;
	make_run("out", true);
	const uint32_t coarse = triangles(""), fine = triangles("--cell 0.5");
	assert_true(coarse > 100);
	// half the edge of a cell is four times the triangles
	assert_true(fine > 3 * coarse && fine < 6 * coarse);
	assert_int_equal(triangles("--cell 1 --threads 2"), coarse);
	// both bodies are less than a million particles
	assert_int_equal(triangles("--specks 1000000"), 0);
	assert_true(triangles("--kind distance --reach 3 --smoothing 0 --fit 0") > 100);
	assert_true(triangles("--kind density") > 100);
}

static void wrong_options_are_told(void **state)
{
	(void)state;
	expect_says(2, "surface", "an argument is missing");
	expect_says(2, "surface out --format stl", "it is one or more of ply, obj, vtp, glb");
	expect_says(2, "surface out --format ply,,obj", "parted by commas");
	expect_says(2, "surface out --each bodies", "--each is 'bodies'; it is one of all, body");
	expect_says(2, "surface out --cell 9", "--cell is '9', which must be a number from 0.05");
	expect_says(2, "surface out --smothing 9", "did you mean '--smoothing'?");
	expect_says(2, "surface out --kind round",
	            "--kind is 'round'; it is one of density, distance, smooth");
	expect_says(2, "surface out --kind densty", "did you mean 'density'?");
	assert_int_equal(test_ooze("help surface"), 0);
	test_expect_in("out.txt", "--specks");
	test_expect_in("out.txt", "[spacings]");
}

static void what_is_missing_is_told(void **state)
{
	(void)state;
	mkdir("hollow", 0777);
	expect_says(1, "surface nowhere", "there is no folder nowhere");
	expect_says(1, "surface hollow", "hollow holds no frames; make them with: ooze run SCENE");
	make_run("vtu", false);
	expect_says(1, "surface vtu", "surfaces are made from PLY: set output.ply to true");
	make_run("out", true);
	expect_says(1, "surface out --frame 7", "there is no frame 7 in out/frames; there are 0");
	test_write("out/frames/frame_00001.ply", "ply\n", 4);
	expect_says(1, "surface out", "frame 1: out/frames/frame_00001.ply is not a frame");
	unlink("out/scene.json");
	expect_says(1, "surface out", "out/scene.json does not exist");
	assert_int_equal(system("rm -rf out"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_frame_becomes_a_mesh),
	        cmocka_unit_test(every_body_has_a_mesh_of_its_own_even_an_empty_one),
	        cmocka_unit_test(every_format_is_written_and_vtp_gets_its_series),
	        cmocka_unit_test(one_frame_leaves_the_others_as_they_are),
	        cmocka_unit_test(results_go_where_they_are_sent),
	        cmocka_unit_test(a_lost_frame_is_told),
	        cmocka_unit_test(a_particle_that_is_nowhere_is_left_out_and_told),
	        cmocka_unit_test(options_take_the_place_of_the_scene),
	        cmocka_unit_test(wrong_options_are_told),
	        cmocka_unit_test(what_is_missing_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
