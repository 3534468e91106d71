// test_export.c: frames are read back by programs that are not ours (meshio, assimp) and hold the
// very numbers that the world has.
#include <unistd.h>

#ifdef OZ_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif

#include "base/base.h"
#include "export/export.h"
#include "ooze/ooze.h"
#include "support.h"

// ---- a small world ----------------------------------------------------------------------------

static oz_id add_material(oz_world *world, oz_model model, const char *name)
{
	oz_error error;
	oz_id material;
	oz_material_def def = oz_material_default(model);
	snprintf(def.name, sizeof def.name, "%s", name);
	assert_int_equal(oz_world_add_material(world, &def, &material, &error), OZ_OK);
	return material;
}

static void add_box(oz_world *world, oz_id material, oz_vec3 position, oz_vec3 velocity)
{
	oz_error error;
	oz_vec3 *points;
	oz_body_def body = oz_body_default();
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.2f, 0.2f});
	box.position = position;
	assert_int_equal(oz_shape_fill(&box, 0.02f, OZ_FILL_LATTICE, &points, &body.count, &error),
	                 OZ_OK);
	body.material = material;
	body.points = points;
	body.velocity = velocity;
	body.temperature = 30 + 100 * position.x;
	assert_int_equal(oz_world_add_body(world, &body, NULL, &error), OZ_OK);
	oz_points_free(points);
}

// Two bodies of two materials, a liquid and a solid, that have taken a few steps, so that no field
// is trivial.
static oz_world *make_world(void)
{
	oz_error error;
	oz_world *world;
	oz_world_def def = oz_world_default();
	def.spacing = 0.02f;
	def.threads = 2;
	assert_int_equal(oz_world_create(&def, &world, &error), OZ_OK);
	add_material(world, OZ_FLUID, "water");
	oz_id rubber = add_material(world, OZ_COROTATED, "rubber");
	add_box(world, 0, (oz_vec3){0, 0.5f, 0}, (oz_vec3){1, 0, 0});
	add_box(world, rubber, (oz_vec3){0.21f, 0.5f, 0}, (oz_vec3){-1, 0, 0.5f});
	for (int i = 0; i < 20; i++)
		assert_int_equal(oz_world_step(world, NULL, &error), OZ_OK);
	return world;
}

static oz_world *make_empty_world(void)
{
	oz_error error;
	oz_world *world;
	oz_world_def def = oz_world_default();
	assert_int_equal(oz_world_create(&def, &world, &error), OZ_OK);
	return world;
}

// ---- the other side ---------------------------------------------------------------------------

static const char prelude[] = "import sys, numpy as np, meshio\n"
                              "def raw(name, kind='<f4'): return np.fromfile(name + '.bin', kind)\n"
                              "def same(a, b, name):\n"
                              "    if not np.array_equal(np.asarray(a).ravel(), b.ravel()): "
                              "sys.exit('not the same: ' + name)\n"
                              "ints = ['phase', 'id', 'body', 'material']\n";

// Runs a script after the prelude; it fails the test by ending with a message.
static void run_python(const char *script)
{
	FILE *stream = fopen("check.py", "w");
	assert_non_null(stream);
	fputs(prelude, stream);
	fputs(script, stream);
	assert_int_equal(fclose(stream), 0);
	test_expect_shell("$PYTHON check.py", 0);
}

// ---- tests ------------------------------------------------------------------------------------

static void meshio_reads_the_very_values_from_vtu(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = make_world();
	test_dump_world(world);
	assert_int_equal(oz_export_vtu(world, "frame.vtu", &error), OZ_OK);
	assert_int_equal(oz_world_particle_count(world), 2000);
	run_python("m = meshio.read('frame.vtu')\n"
	           "assert m.points.shape == (2000, 3), m.points.shape\n"
	           "same(m.points.astype('f4'), raw('position'), 'position')\n"
	           "assert [c.type for c in m.cells] == ['vertex']\n"
	           "same(m.cells[0].data, np.arange(2000), 'cells')\n"
	           "for f in ['velocity', 'density', 'pressure', 'temperature']:\n"
	           "    assert m.point_data[f].dtype == np.float32\n"
	           "    same(m.point_data[f], raw(f), f)\n"
	           "for f in ints: same(m.point_data[f], raw(f, '<u4'), f)\n"
	           "assert len(set(m.point_data['body'].ravel())) == 2\n"
	           "assert set(m.point_data['phase'].ravel()) == {0, 1}\n"
	           "assert np.ptp(m.point_data['density']) > 0\n");
	oz_world_destroy(world);
}

static void meshio_reads_the_very_values_from_ply(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = make_world();
	test_dump_world(world);
	assert_int_equal(oz_export_ply(world, "frame.ply", &error), OZ_OK);
	run_python(
	        "m = meshio.read('frame.ply')\n"
	        "assert m.points.shape == (2000, 3) and m.points.dtype == np.float32\n"
	        "same(m.points, raw('position'), 'position')\n"
	        "d = m.point_data\n"
	        "same(np.column_stack([d['vx'], d['vy'], d['vz']]), raw('velocity'), 'velocity')\n"
	        "same(d['density'], raw('density'), 'density')\n"
	        "same(d['temperature'], raw('temperature'), 'temperature')\n"
	        "for f in ints: same(d[f], raw(f, '<i4'), f)\n");
	oz_world_destroy(world);
}

#ifdef OZ_HAVE_ASSIMP
static void assimp_reads_the_points_of_ply(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_view view;
	oz_world *world = make_world();
	assert_int_equal(oz_export_ply(world, "assimp.ply", &error), OZ_OK);
	const struct aiScene *scene = aiImportFile("assimp.ply", 0);
	assert_non_null(scene);
	assert_int_equal(scene->mNumMeshes, 1);
	const struct aiMesh *mesh = scene->mMeshes[0];
	assert_int_equal(oz_world_view(world, OZ_FIELD_POSITION, &view, &error), OZ_OK);
	assert_int_equal(mesh->mNumVertices, view.count);
	for (uint32_t i = 0; i < view.count; i++)
		assert_memory_equal(&mesh->mVertices[i], (const char *)view.data + i * view.stride,
		                    12);
	aiReleaseImport(scene);
	oz_world_destroy(world);
}
#endif

static void a_world_without_particles_makes_whole_files(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = make_empty_world();
	assert_int_equal(oz_export_vtu(world, "empty.vtu", &error), OZ_OK);
	assert_int_equal(oz_export_ply(world, "empty.ply", &error), OZ_OK);
	run_python(
	        "assert len(meshio.read('empty.ply').points) == 0\n"
	        "import xml.etree.ElementTree as E\n"
	        "piece = E.parse('empty.vtu').getroot()[0][0]\n"
	        "assert piece.attrib['NumberOfPoints'] == '0'\n"
	        "assert all(a.text.strip() == 'AAAAAAAAAAA=' for a in piece.iter('DataArray'))\n");
	oz_world_destroy(world);
}

static void pvd_lists_every_frame_with_its_exact_time(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	const char *files[] = {"frames/a & b.vtu", "frames/<2>.vtu", "frames/\"3\".vtu"};
	const double times[] = {0, 1.0 / 30, 1.0 / 3};
	assert_int_equal(oz_export_pvd("frames.pvd", files, times, 3, &error), OZ_OK);
	run_python("import xml.etree.ElementTree as E\n"
	           "rows = list(E.parse('frames.pvd').getroot().iter('DataSet'))\n"
	           "names = [r.attrib['file'] for r in rows]\n"
	           "assert names == ['frames/a & b.vtu', 'frames/<2>.vtu', 'frames/\"3\".vtu'], "
	           "names\n"
	           "times = [float(r.attrib['timestep']) for r in rows]\n"
	           "assert times == [0, 1 / 30, 1 / 3], times\n");
}

static void an_export_that_fails_leaves_the_old_file(void **state)
{
	(void)state;
	oz_error error = {OZ_OK, ""};
	oz_world *world = make_world();
	assert_int_equal(oz_export_vtu(world, "no/such/folder/frame.vtu", &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "no/such/folder/frame.vtu"));
	assert_int_equal(oz_export_ply(world, "/dev/full", &error), OZ_ERROR_FILE);
	assert_non_null(strstr(error.text, "the disk is full"));
	assert_int_equal(oz_export_vtu(world, "/dev/full", &error), OZ_ERROR_FILE);
	assert_int_equal(access("/dev/full.part", F_OK), -1);
	oz_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(meshio_reads_the_very_values_from_vtu),
	        cmocka_unit_test(meshio_reads_the_very_values_from_ply),
#ifdef OZ_HAVE_ASSIMP
	        cmocka_unit_test(assimp_reads_the_points_of_ply),
#endif
	        cmocka_unit_test(a_world_without_particles_makes_whole_files),
	        cmocka_unit_test(pvd_lists_every_frame_with_its_exact_time),
	        cmocka_unit_test(an_export_that_fails_leaves_the_old_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
