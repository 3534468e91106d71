// test_show.c: what is drawn how, without the program and without files: when a body shows its
// skin, which particles make one mesh, where the camera stands, what materials look like, which
// frame a moment shows. Frames are kept in memory, as a page or Python would keep them.
#include "meshes.h"
#include "scenes.h"
#include "show/show.h"

#define RING_VERTICES 800u
#define FRAMES        4u
#define WIDTH         160u
#define HEIGHT        90u

// Ring a is hot at first and cold later, ring b is neither; a ball of water; an emitter that begins
// after the last frame.
static const char scene_text[] =
        "{ \"world\": { \"spacing\": 0.05 },\n"
        "  \"materials\": {\n"
        "    \"stuff\": { \"model\": \"corotated\", \"melting_point\": 50,\n"
        "                 \"colour\": [1, 0.5, 0] },\n"
        "    \"pudding\": { \"preset\": \"jelly\" } },\n"
        "  \"bodies\": [\n"
        "    { \"material\": \"stuff\", \"shape\": \"torus\", \"size\": [0.3, 0.1],\n"
        "      \"skin\": \"ring.obj\", \"position\": [0, 1, 0], \"name\": \"a\" },\n"
        "    { \"material\": \"stuff\", \"shape\": \"torus\", \"size\": [0.3, 0.1],\n"
        "      \"skin\": \"ring.obj\", \"position\": [1.5, 1, 0], \"name\": \"b\" },\n"
        "    { \"material\": \"water\", \"shape\": \"ball\", \"size\": 0.2,\n"
        "      \"position\": [-1.5, 1, 0], \"name\": \"c\" } ],\n"
        "  \"emitters\": [ { \"material\": \"pudding\", \"position\": [0, 3, 0],\n"
        "      \"direction\": [0, -1, 0], \"radius\": 0.1, \"speed\": 1, \"start\": 5 } ],\n"
        "  \"regions\": [\n"
        "    { \"shape\": \"ball\", \"size\": 0.6, \"position\": [0, 1, 0],\n"
        "      \"temperature\": 200, \"rate\": 100, \"duration\": 0.04 },\n"
        "    { \"shape\": \"ball\", \"size\": 0.6, \"position\": [0, 1, 0],\n"
        "      \"temperature\": -50, \"rate\": 200, \"start\": 0.06 } ],\n"
        "  \"output\": { \"duration\": 0.15, \"frame_rate\": 20 } }\n";

// ---- frames in memory -------------------------------------------------------------------------

typedef struct memory_run {
	oz_scene *scene;
	oz_frame kept[FRAMES];
	uint32_t numbers[FRAMES];
	uint32_t reads;
	uint32_t lost_number, lost, lost_of;
	oz_show_frames frames;
} memory_run;

static void check(oz_result result, const oz_error *error)
{
	if (result != OZ_OK)
		fail_msg("%s", error->text);
}

static oz_result read_kept(void *context, uint32_t number, oz_frame *frame, oz_error *error)
{
	memory_run *run = context;
	(void)error;
	assert_true(number < FRAMES);
	const oz_frame *from = &run->kept[number];
	run->reads++;
	frame->grains = malloc(sizeof *frame->grains * (from->count + 1));
	frame->count = from->count;
	memcpy(frame->grains, from->grains, sizeof *frame->grains * from->count);
	return OZ_OK;
}

static void note_lost(void *context, uint32_t number, uint32_t lost, uint32_t count)
{
	memory_run *run = context;
	run->lost_number = number;
	run->lost = lost;
	run->lost_of = count;
}

static void open_run(memory_run *run, const char *text)
{
	oz_error error = {OZ_OK, ""};
	*run = (memory_run){.scene = test_scene(text)};
	oz_world *world = test_scene_build(run->scene);
	for (uint32_t k = 0; k < FRAMES; k++) {
		while (oz_world_time(world) < 0.05 * k)
			check(oz_world_step_until(world, 0.05 * k, NULL, &error), &error);
		check(oz_show_frame_of_world(world, &run->kept[k], &error), &error);
		run->numbers[k] = k;
	}
	oz_world_destroy(world);
	run->frames = (oz_show_frames){run->scene,   test_scene_build(run->scene),
	                               run->numbers, FRAMES,
	                               read_kept,    note_lost,
	                               run};
}

static void close_run(memory_run *run)
{
	for (uint32_t k = 0; k < FRAMES; k++)
		oz_frame_free(&run->kept[k]);
	oz_world_destroy(run->frames.world);
	oz_scene_free(run->scene);
}

static uint32_t count_of(const oz_frame *frame, uint32_t body, uint32_t phase)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < frame->count; i++)
		count += frame->grains[i].body == body && frame->grains[i].phase == phase;
	return count;
}

static int write_ring(void **state)
{
	(void)state;
	test_mesh_save(test_mesh_torus(0.3f, 0.1f, 40, 20), "ring.obj");
	return 0;
}

static oz_show_surfaces *surfaces_of(const memory_run *run, oz_show_each each)
{
	oz_show_surfaces *surfaces = NULL;
	oz_error error = {OZ_OK, ""};
	oz_surface_def def = *oz_scene_surface(run->scene);
	def.threads = 1;
	check(oz_show_surfaces_create(&run->frames, each, &def, &surfaces, &error), &error);
	return surfaces;
}

static oz_surface_mesh mesh_at(oz_show_surfaces *surfaces, uint32_t number, uint32_t group)
{
	oz_surface_mesh mesh;
	oz_error error = {OZ_OK, ""};
	check(oz_show_surfaces_read(surfaces, number, &error), &error);
	check(oz_show_surfaces_mesh(surfaces, group, &mesh, &error), &error);
	return mesh;
}

static bool shows_skin(oz_show_surfaces *surfaces, uint32_t number, uint32_t body)
{
	const oz_surface_mesh mesh = mesh_at(surfaces, number, body);
	assert_true(mesh.vertex_count > 100);
	return mesh.vertex_count == RING_VERTICES;
}

// ---- skins ------------------------------------------------------------------------------------

static void a_body_shows_its_skin_while_solid_and_its_surface_from_when_it_melts(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	// a is molten in frame 1 and solid again in the last
	const uint32_t all = count_of(&run.kept[0], 0, 1);
	assert_true(all > 100);
	assert_int_equal(count_of(&run.kept[1], 0, 0), all);
	assert_int_equal(count_of(&run.kept[3], 0, 1), all);
	oz_show_surfaces *surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	for (uint32_t k = 0; k < FRAMES; k++) {
		assert_int_equal(shows_skin(surfaces, k, 0), k == 0);
		assert_true(shows_skin(surfaces, k, 1));
	}
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);
}

static void the_skin_of_the_first_frame_is_the_mesh_of_the_scene(void **state)
{
	(void)state;
	memory_run run;
	oz_error error = {OZ_OK, ""};
	open_run(&run, scene_text);
	oz_show_surfaces *surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	const oz_surface_mesh mesh = mesh_at(surfaces, 0, 1);
	oz_mesh wanted;
	check(oz_scene_load_skin(run.scene, 1, &wanted, &error), &error);
	assert_int_equal(mesh.vertex_count, wanted.vertex_count);
	assert_int_equal(mesh.triangle_count, wanted.triangle_count);
	for (uint32_t v = 0; v < wanted.vertex_count; v++)
		assert_true(oz_length(oz_sub(mesh.position[v], wanted.vertices[v])) < 1e-5f);
	assert_memory_equal(mesh.triangles, wanted.triangles,
	                    sizeof *wanted.triangles * wanted.triangle_count);
	oz_mesh_free(&wanted);
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);
}

static void earlier_frames_are_read_only_where_something_can_melt(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	oz_show_surfaces *surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	run.reads = 0;
	assert_false(shows_skin(surfaces, 3, 0));
	assert_true(run.reads > 1);
	assert_true(shows_skin(surfaces, 0, 0));
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);

	// the same without a melting point
	static const char melting[] = "\"melting_point\": 50,";
	char text[sizeof scene_text];
	memcpy(text, scene_text, sizeof text);
	memset(strstr(text, melting), ' ', sizeof melting - 1);
	open_run(&run, text);
	surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	run.reads = 0;
	assert_true(shows_skin(surfaces, 3, 0));
	assert_int_equal(run.reads, 1);
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);
}

static void particles_under_a_skin_leave_the_frame_with_their_colours(void **state)
{
	(void)state;
	memory_run run;
	oz_show_skins skins;
	oz_frame frame;
	oz_error error = {OZ_OK, ""};
	const oz_hooks hooks = {0};
	open_run(&run, scene_text);
	check(oz_show_skins_open(&skins, &run.frames, false, 1, &hooks, &error), &error);
	assert_int_equal(skins.count, 2);
	check(read_kept(&run, 1, &frame, &error), &error);
	const uint32_t under = count_of(&frame, 1, 1), before = frame.count;
	oz_vec3 *colour = malloc(sizeof *colour * frame.count);
	for (uint32_t i = 0; i < frame.count; i++)
		colour[i] = oz_v3((float)frame.grains[i].id, 0, 0);
	check(oz_show_skins_pose(&skins, 1, &frame, colour, &error), &error);
	assert_false(skins.skins[0].shown);
	assert_true(skins.skins[1].shown);
	assert_int_equal(before - frame.count, under);
	assert_int_equal(count_of(&frame, 1, 1), 0);
	for (uint32_t i = 0; i < frame.count; i++)
		assert_true(colour[i].x == (float)frame.grains[i].id);
	free(colour);
	oz_frame_free(&frame);
	oz_show_skins_close(&skins);
	close_run(&run);
}

static void a_body_that_lost_a_particle_shows_no_skin_and_the_loss_is_reported(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	oz_frame *frame = &run.kept[2];
	uint32_t i = 0;
	while (frame->grains[i].body != 1)
		i++;
	frame->grains[i].position.y = NAN;
	oz_frame finite;
	oz_error error = {OZ_OK, ""};
	check(oz_show_read_frame(&run.frames, 2, &finite, &error), &error);
	assert_int_equal(finite.count, frame->count - 1);
	for (uint32_t k = 0; k < finite.count; k++)
		assert_true(isfinite(finite.grains[k].position.y));
	oz_frame_free(&finite);
	run.lost = 0;
	oz_show_surfaces *surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	assert_true(shows_skin(surfaces, 1, 1));
	assert_int_equal(run.lost, 0);
	assert_false(shows_skin(surfaces, 2, 1));
	assert_int_equal(run.lost_number, 2);
	assert_int_equal(run.lost, 1);
	assert_int_equal(run.lost_of, frame->count);
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);
}

// ---- groups -----------------------------------------------------------------------------------

// bodies that are apart: however they are grouped, their meshes together have the same size
static void groups_part_the_particles_by_body_or_material(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	uint32_t vertices[3] = {0};
	for (int each = OZ_SHOW_ALL; each <= OZ_SHOW_MATERIALS; each++) {
		oz_show_surfaces *surfaces = surfaces_of(&run, (oz_show_each)each);
		const uint32_t groups = oz_show_group_count(run.frames.world, (oz_show_each)each);
		for (uint32_t k = 0; k < groups; k++) {
			const oz_surface_mesh mesh = mesh_at(surfaces, 1, k);
			vertices[each] += mesh.vertex_count;
			for (uint32_t v = 0; v < mesh.vertex_count; v++)
				assert_true(each == OZ_SHOW_ALL ||
				            (each == OZ_SHOW_BODIES ? mesh.body
				                                    : mesh.material)[v] == k);
		}
		oz_show_surfaces_destroy(surfaces);
	}
	assert_true(vertices[OZ_SHOW_ALL] > RING_VERTICES);
	assert_int_equal(vertices[OZ_SHOW_BODIES], vertices[OZ_SHOW_ALL]);
	assert_int_equal(vertices[OZ_SHOW_MATERIALS], vertices[OZ_SHOW_ALL]);
	close_run(&run);
}

static void groups_are_named_and_an_empty_one_gives_an_empty_mesh(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	const oz_world *world = run.frames.world;
	assert_int_equal(oz_show_group_count(world, OZ_SHOW_ALL), 1);
	assert_string_equal(oz_show_group_name(world, OZ_SHOW_ALL, 0), "");
	assert_int_equal(oz_show_group_count(world, OZ_SHOW_BODIES), 4);
	assert_string_equal(oz_show_group_name(world, OZ_SHOW_BODIES, 2), "c");
	assert_int_equal(oz_show_group_count(world, OZ_SHOW_MATERIALS), 3);
	assert_string_equal(oz_show_group_name(world, OZ_SHOW_MATERIALS, 0), "stuff");
	oz_show_surfaces *surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	assert_int_equal(mesh_at(surfaces, 0, 3).vertex_count, 0);
	assert_true(mesh_at(surfaces, 0, 2).vertex_count > 0);
	assert_true(oz_show_surfaces_work(surfaces).triangles > 0);
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);
}

static void a_particle_of_an_unknown_body_is_refused(void **state)
{
	(void)state;
	memory_run run;
	oz_error error = {OZ_OK, ""};
	open_run(&run, scene_text);
	run.kept[0].grains[7].body = 9;
	oz_show_surfaces *surfaces = surfaces_of(&run, OZ_SHOW_BODIES);
	assert_int_equal(oz_show_surfaces_read(surfaces, 0, &error), OZ_ERROR_FORMAT);
	assert_non_null(strstr(error.text, "has a body or material that is not in the scene"));
	assert_int_equal(oz_show_surfaces_read(surfaces, 1, &error), OZ_OK);
	oz_show_surfaces_destroy(surfaces);
	close_run(&run);
}

// ---- pictures ---------------------------------------------------------------------------------

static oz_show_painter *painter_of(const memory_run *run, const oz_show_picture_def *def)
{
	oz_show_painter *painter = NULL;
	oz_error error = {OZ_OK, ""};
	check(oz_show_painter_create(&run->frames, def, &painter, &error), &error);
	return painter;
}

static const oz_painting *painting_at(oz_show_painter *painter, uint32_t number)
{
	const oz_painting *painting;
	oz_error error = {OZ_OK, ""};
	check(oz_show_painter_paint(painter, number, &painting, &error), &error);
	return painting;
}

static void the_camera_frames_all_bodies_of_all_frames_and_stands_still(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	oz_show_picture_def def = oz_show_picture_default(WIDTH, HEIGHT);
	def.threads = 1;
	oz_show_painter *painter = painter_of(&run, &def);
	const oz_camera first = painting_at(painter, 0)->camera;
	float left = INFINITY, right = -INFINITY;
	for (uint32_t k = 0; k < FRAMES; k++) {
		const oz_camera now = painting_at(painter, k)->camera;
		assert_memory_equal(&now, &first, sizeof now);
		for (uint32_t i = 0; i < run.kept[k].count; i++) {
			const oz_vec3 at = oz_camera_project(&now, run.kept[k].grains[i].position);
			assert_true(at.x > 0 && at.x < WIDTH && at.y > 0 && at.y < HEIGHT);
			assert_true(at.z > 0);
			left = fminf(left, at.x);
			right = fmaxf(right, at.x);
		}
	}
	// and not from far away: the row of bodies fills the width
	assert_true(right - left > 0.7f * WIDTH);
	oz_show_painter_destroy(painter);
	close_run(&run);
}

static void a_camera_that_the_scene_places_takes_its_place(void **state)
{
	(void)state;
	memory_run run;
	char text[sizeof scene_text + 100];
	snprintf(text, sizeof text, "%.*s, \"picture\": { \"camera\": [1, 2, 7] } }",
	         (int)(strrchr(scene_text, '}') - scene_text), scene_text);
	open_run(&run, text);
	const oz_show_picture_def def = oz_show_picture_default(WIDTH, HEIGHT);
	oz_show_painter *painter = painter_of(&run, &def);
	const oz_painting *painting = painting_at(painter, 0);
	assert_true(painting->camera.eye.x == 1 && painting->camera.eye.y == 2 &&
	            painting->camera.eye.z == 7);
	// it looks at the middle of all
	const oz_vec3 middle = oz_scale(oz_add(painting->box.min, painting->box.max), 0.5f);
	const oz_vec3 at = oz_camera_project(&painting->camera, middle);
	assert_true(fabsf(at.x - 0.5f * WIDTH) < 1 && fabsf(at.y - 0.5f * HEIGHT) < 1);
	oz_show_painter_destroy(painter);
	close_run(&run);
}

// of the garments of a painting: vertices that have the look
static uint32_t dressed_in(const oz_painting *painting, oz_look look)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k < painting->skin_count; k++)
		if (painting->skins[k].appearance.look == look)
			count += painting->skins[k].mesh.vertex_count;
	return count;
}

static void a_painting_holds_skins_and_surfaces_or_particles(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	oz_show_picture_def def = oz_show_picture_default(WIDTH, HEIGHT);
	oz_show_painter *painter = painter_of(&run, &def);
	const oz_painting *painting = painting_at(painter, 0);
	assert_int_equal(painting->count, 0);
	assert_int_equal(dressed_in(painting, OZ_LOOK_PLASTIC), 2 * RING_VERTICES);
	assert_true(dressed_in(painting, OZ_LOOK_LIQUID) > 100);
	// the surface around molten ring a, and the skin of b
	painting = painting_at(painter, 1);
	assert_true(dressed_in(painting, OZ_LOOK_PLASTIC) > RING_VERTICES + 100);
	assert_int_not_equal(dressed_in(painting, OZ_LOOK_PLASTIC), 2 * RING_VERTICES);
	oz_show_painter_destroy(painter);
	def.particles = true;
	painter = painter_of(&run, &def);
	painting = painting_at(painter, 1);
	assert_int_equal(painting->count, run.kept[1].count);
	assert_int_equal(painting->skin_count, 0);
	oz_show_painter_destroy(painter);
	close_run(&run);
}

static void materials_look_as_the_scene_their_name_or_their_preset_says(void **state)
{
	(void)state;
	memory_run run;
	oz_vec3 *colours;
	oz_error error = {OZ_OK, ""};
	open_run(&run, scene_text);
	const oz_world *world = run.frames.world;
	for (oz_id k = 0; k < oz_world_material_count(world); k++) {
		const char *name = oz_world_get_material(world, k)->name;
		const oz_look look = oz_show_appearance(run.scene, world, k, 1).look;
		// the elastic one has neither a known name nor a preset
		assert_int_equal(look, strcmp(name, "stuff") == 0     ? OZ_LOOK_PLASTIC
		                       : strcmp(name, "pudding") == 0 ? OZ_LOOK_JELLY
		                                                      : OZ_LOOK_LIQUID);
	}
	check(oz_show_colours(run.scene, world, &colours, &error), &error);
	assert_true(fabsf(colours[0].x - 1) < 1e-5f);
	assert_true(colours[0].y > 0.2f && colours[0].y < 0.22f); // 0.5 in sRGB
	assert_true(colours[0].z == 0);
	free(colours);
	close_run(&run);
}

static bool has_legend(const memory_run *run, oz_colouring by, bool material_names)
{
	oz_picture picture, plain;
	oz_error error = {OZ_OK, ""};
	oz_show_picture_def def = oz_show_picture_default(WIDTH, HEIGHT);
	def.by = by;
	def.material_names = material_names;
	def.low = 1;
	def.high = 2;
	oz_show_painter *painter = painter_of(run, &def);
	check(oz_picture_create(WIDTH, HEIGHT, &picture, &error), &error);
	check(oz_picture_create(WIDTH, HEIGHT, &plain, &error), &error);
	check(oz_show_painter_legend(painter, &picture, &error), &error);
	const bool drawn = memcmp(picture.pixels, plain.pixels, (size_t)3 * WIDTH * HEIGHT) != 0;
	oz_picture_free(&picture);
	oz_picture_free(&plain);
	oz_show_painter_destroy(painter);
	return drawn;
}

static void the_legend_tells_numbers_and_names_and_those_of_materials_on_demand(void **state)
{
	(void)state;
	memory_run run;
	open_run(&run, scene_text);
	assert_true(has_legend(&run, OZ_COLOUR_SPEED, false));
	assert_true(has_legend(&run, OZ_COLOUR_BODY, false));
	assert_true(has_legend(&run, OZ_COLOUR_MATERIAL, true));
	assert_false(has_legend(&run, OZ_COLOUR_MATERIAL, false));
	assert_false(has_legend(&run, OZ_COLOUR_NONE, true));
	close_run(&run);
}

// ---- the sheet --------------------------------------------------------------------------------

static void a_sheet_shows_the_frames_nearest_to_its_moments(void **state)
{
	(void)state;
	static const double moments[] = {0.11, 0, 7};
	static const uint32_t nearest[] = {2, 0, 3};
	memory_run run;
	oz_show_sheet sheet;
	oz_picture white;
	oz_error error = {OZ_OK, ""};
	open_run(&run, scene_text);
	check(oz_show_sheet_make(&sheet, &run.frames, moments, 3, WIDTH, HEIGHT, &error), &error);
	assert_int_equal(sheet.place_count, 3);
	assert_memory_equal(sheet.places, nearest, sizeof nearest);
	assert_false(oz_show_sheet_has(&sheet, 1));
	assert_true(oz_show_sheet_has(&sheet, 3));
	assert_int_equal(sheet.picture.width, 3 * WIDTH);
	assert_int_equal(sheet.picture.height, HEIGHT);
	// the picture of frame 0 is in the second place alone
	check(oz_picture_create(WIDTH, HEIGHT, &white, &error), &error);
	memset(white.pixels, 255, (size_t)3 * WIDTH * HEIGHT);
	check(oz_show_sheet_put(&sheet, 0, &white, &error), &error);
	for (uint32_t place = 0; place < 3; place++)
		assert_int_equal(sheet.picture.pixels[3 * (place * WIDTH + WIDTH / 2)] == 255,
		                 place == 1);
	oz_picture_free(&white);
	oz_show_sheet_free(&sheet);
	close_run(&run);
}

static void a_sheet_of_a_whole_run_has_six_frames_spread_over_it(void **state)
{
	(void)state;
	static const uint32_t spread[] = {0, 2, 4, 6, 8, 10}, all[] = {0, 1, 2, 3};
	uint32_t numbers[11];
	memory_run run;
	oz_show_sheet sheet;
	oz_error error = {OZ_OK, ""};
	open_run(&run, scene_text);
	check(oz_show_sheet_make(&sheet, &run.frames, NULL, 0, WIDTH, HEIGHT, &error), &error);
	assert_int_equal(sheet.place_count, 4);
	assert_memory_equal(sheet.places, all, sizeof all);
	oz_show_sheet_free(&sheet);
	oz_show_frames more = run.frames;
	for (uint32_t k = 0; k < 11; k++)
		numbers[k] = 3 * k;
	more.numbers = numbers;
	more.count = 11;
	check(oz_show_sheet_make(&sheet, &more, NULL, 0, 90, 60, &error), &error);
	assert_int_equal(sheet.place_count, 6);
	assert_memory_equal(sheet.places, spread, sizeof spread);
	// two rows of three tiles, each two thirds of a picture
	assert_int_equal(sheet.picture.width, 3 * 60);
	assert_int_equal(sheet.picture.height, 2 * 40);
	oz_show_sheet_free(&sheet);
	close_run(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(
	                a_body_shows_its_skin_while_solid_and_its_surface_from_when_it_melts),
	        cmocka_unit_test(the_skin_of_the_first_frame_is_the_mesh_of_the_scene),
	        cmocka_unit_test(earlier_frames_are_read_only_where_something_can_melt),
	        cmocka_unit_test(particles_under_a_skin_leave_the_frame_with_their_colours),
	        cmocka_unit_test(
	                a_body_that_lost_a_particle_shows_no_skin_and_the_loss_is_reported),
	        cmocka_unit_test(groups_part_the_particles_by_body_or_material),
	        cmocka_unit_test(groups_are_named_and_an_empty_one_gives_an_empty_mesh),
	        cmocka_unit_test(a_particle_of_an_unknown_body_is_refused),
	        cmocka_unit_test(the_camera_frames_all_bodies_of_all_frames_and_stands_still),
	        cmocka_unit_test(a_camera_that_the_scene_places_takes_its_place),
	        cmocka_unit_test(a_painting_holds_skins_and_surfaces_or_particles),
	        cmocka_unit_test(materials_look_as_the_scene_their_name_or_their_preset_says),
	        cmocka_unit_test(
	                the_legend_tells_numbers_and_names_and_those_of_materials_on_demand),
	        cmocka_unit_test(a_sheet_shows_the_frames_nearest_to_its_moments),
	        cmocka_unit_test(a_sheet_of_a_whole_run_has_six_frames_spread_over_it),
	};
	return cmocka_run_group_tests(tests, write_ring, NULL);
}
