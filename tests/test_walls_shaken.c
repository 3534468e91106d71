// test_walls_shaken.c: nothing passes an SDF wall that moves: vessels of any form that are shaken,
// and paddles.
//
// A witness (witness.h) compares each particle with the mesh of the wall, not with its SDF. With
// OOZE_LONG=1 in the environment vessels are shaken for a minute at four spacings, else for a few
// seconds at three.
#include "witness.h"

// ---- vessels that are shaken -------------------------------------------------------------------

static oz_mesh box_vessel(void)
{
	return test_mesh_slab(vec_of(2, 1.2, 1.2), vec_of(0, 0, 0));
}

// a ring of tube: limbs as thin as the spacing allows, bent all along
static oz_mesh ring_vessel(void)
{
	return test_mesh_tilted(test_mesh_torus(1.35f, 0.45f, 96, 40), vec_of(1, 0, 0), 0.5 * PI);
}

static oz_mesh head_vessel(void)
{
	oz_mesh m = test_mesh_of_scene("head", 1);
	oz_vec3 low = m.vertices[0], high = low;
	for (uint32_t i = 1; i < m.vertex_count; i++) {
		low = oz_v3(fminf(low.x, m.vertices[i].x), fminf(low.y, m.vertices[i].y),
		            fminf(low.z, m.vertices[i].z));
		high = oz_v3(fmaxf(high.x, m.vertices[i].x), fmaxf(high.y, m.vertices[i].y),
		             fmaxf(high.z, m.vertices[i].z));
	}
	m = test_mesh_placed(m, 1, oz_scale(oz_add(low, high), -0.5f));
	const float narrow = fminf(high.x - low.x, high.z - low.z);
	return test_mesh_placed(m, 1.2f / narrow, oz_v3(0, 0, 0));
}

typedef struct vessel {
	const char *name;
	oz_mesh (*make)(void);
	double across; // m
} vessel;

static const vessel vessels[] = {{"a box", box_vessel, 1.2},
                                 {"a ring", ring_vessel, 0.9},
                                 {"a head", head_vessel, 1.2}};

// to and fro and round about, with a kink at every keyframe; a loop of three seconds
enum { SHAKES = 13 };
static void shake(oz_keyframe *frames)
{
	for (int k = 0; k < SHAKES; k++) {
		const double t = 0.25 * k, p = 2 * PI * t / 3;
		frames[k] =
		        (oz_keyframe){.time = (float)t,
		                      .position =
		                              vec_narrow(vec_of(0.15 * sin(2 * p),
		                                                0.08 * sin(3 * p), 0.1 * sin(p))),
		                      .rotation = test_rotation(vec_of(sin(p) + 1.5, 0.5, cos(p)),
		                                                0.6 * sin(2 * p))};
	}
}

static int by_height(const void *a, const void *b)
{
	const oz_vec3 *p = a, *q = b;
	return (p->y > q->y) - (p->y < q->y);
}

// half full, or with as many as can be watched for a minute; none nearer to the wall than rests
static void fill_vessel(oz_world *w, witness *a, const oz_shape *pose)
{
	oz_vec3 *points;
	uint32_t count, kept = 0;
	oz_error error = {OZ_OK, ""};
	test_must(oz_mesh_fill(&a->mesh, (float)a->spacing, OZ_FILL_LATTICE, &points, &count,
	                       &error),
	          &error);
	qsort(points, count, sizeof *points, by_height);
	for (uint32_t i = 0; i < count / 2 && kept < 2000; i++)
		if (test_witness_distance(a, points[i]) > 0.3 * a->spacing)
			points[kept++] =
			        oz_add(pose->position, oz_quat_rotate(pose->rotation, points[i]));
	assert_true(kept > 5);
	test_add_points(w, test_add_liquid(w, 1000, 0.001f, 0.1f), points, kept,
	                (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

static void shake_vessel(const vessel *v, int across, double cell, double time)
{
	const double spacing = v->across / across;
	witness a;
	test_witness_make(&a, v->make(), spacing, cell, false);
	oz_keyframe frames[SHAKES];
	shake(frames);
	oz_world_def world = oz_world_default();
	world.spacing = (float)spacing;
	world.sound_speed = 20;
	world.threads = 1;
	oz_world *w = test_world(&world);
	oz_collider_def def = test_collider_of(&a);
	def.inside = true;
	def.keyframes = frames;
	def.keyframe_count = SHAKES;
	def.loop = true;
	test_add_collider(w, &def);
	oz_shape pose;
	test_must(oz_world_get_collider(w, 0, &pose, NULL, NULL), NULL);
	fill_vessel(w, &a, &pose);
	test_witness_look(&a, w, 0, true, false);
	for (uint32_t i = 0; i < a.count; i++)
		assert_true(a.side[i] < 0);
	double nearest = 1e9, fastest = 0;
	for (int frame = 1; frame <= (int)(30 * time); frame++) {
		test_run_until(w, frame / 30.0);
		test_witness_look(&a, w, 0, true, false);
		for (uint32_t i = 0; i < a.count; i++)
			nearest = fmin(nearest, test_witness_distance(&a, a.before[i]) / spacing);
		fastest = fmax(fastest, (double)test_step(w).max_speed);
	}
	print_message("%s, %d across, %u particles, %llu steps: %u outside, nearest %.3g spacings, "
	              "up to %.3g m/s\n",
	              v->name, across, a.count, (unsigned long long)oz_world_step_count(w),
	              a.crossed, nearest, fastest);
	if (a.crossed)
		fail_msg("%u outside of %s, by up to %g spacings", a.crossed, v->name, a.deepest);
	oz_world_destroy(w);
	test_witness_free(&a);
}

static void shake_all(int across, double shortly)
{
	const char *vessel_wanted = getenv("OOZE_VESSEL");
	for (size_t k = 0; k < sizeof vessels / sizeof *vessels; k++)
		if (vessel_wanted ? atoi(vessel_wanted) == (int)k
		                  : k != 1 || across < 16 || test_seconds(0, 1) > 0)
			shake_vessel(&vessels[k], across, 0.5, test_seconds(shortly, 60));
}

static void a_vessel_4_spacings_across_keeps_all(void **state)
{
	(void)state;
	NEEDS_SDFS;
	shake_all(4, 6);
}

static void a_vessel_8_spacings_across_keeps_all(void **state)
{
	(void)state;
	NEEDS_SDFS;
	shake_all(8, 2);
}

static void a_vessel_16_spacings_across_keeps_all(void **state)
{
	(void)state;
	NEEDS_SDFS;
	shake_all(16, 0.2);
}

static void a_vessel_24_spacings_across_keeps_all(void **state)
{
	(void)state;
	NEEDS_SDFS;
	TEST_LONG_ONLY;
	shake_all(24, 60);
}

// ---- walls that move ---------------------------------------------------------------------------

// Water in a tank, and something SDF that goes through it.
static void stir(const char *name, oz_mesh mesh, const oz_keyframe *frames, uint32_t count,
                 bool closed, bool shell)
{
	const double spacing = 0.04;
	witness a;
	test_witness_make(&a, mesh, spacing, 0.5, shell);
	oz_world_def world = oz_world_default();
	world.spacing = (float)spacing;
	world.sound_speed = 60;
	world.threads = 1;
	oz_world *w = test_world(&world);
	oz_collider_def def = test_collider_of(&a);
	def.shell = shell;
	def.keyframes = frames;
	def.keyframe_count = count;
	def.loop = true;
	test_add_collider(w, &def);
	test_add_tank(w, vec_of(-0.6, -0.3, -0.3), vec_of(0.6, 0.9, 0.3));
	const oz_shape pool = test_box(vec_of(-0.4, -0.28, -0.28), vec_of(0.56, 0.04, 0.28));
	test_add_filled(w, test_add_liquid(w, 1000, 0.001f, 0.1f), &pool, OZ_FILL_LATTICE);
	while (oz_world_time(w) < test_seconds(0.25, 1.2)) {
		test_witness_look(&a, w, 0, closed, true);
		test_step(w);
	}
	if (a.crossed || a.pierced)
		fail_msg("%s: %u on the other side (%.3g spacings), %u ways pierce it, of %u "
		         "particles in %llu steps",
		         name, a.crossed, a.deepest, a.pierced, a.count,
		         (unsigned long long)oz_world_step_count(w));
	oz_world_destroy(w);
	test_witness_free(&a);
}

static const oz_quat straight = {0, 0, 0, 1};

static void paddles_at_5_metres_a_second_pass_no_particle(void **state)
{
	(void)state;
	NEEDS_SDFS;
	const oz_keyframe frames[] = {{0, {-0.55f, 0, 0}, straight},
	                              {0.2f, {0.45f, 0, 0}, straight},
	                              {0.4f, {-0.55f, 0, 0}, straight}};
	const vec size = {0.08, 0.4, 0.4}, thin = {0.004, 0.4, 0.4};
	if (test_is_long())
		stir("a paddle", test_mesh_slab(size, vec_of(0, 0, 0)), frames, 3, true, false);
	stir("a thin paddle", test_mesh_slab(thin, vec_of(0, 0, 0)), frames, 3, true, false);
}

static void turning_paddles_pass_no_particle(void **state)
{
	(void)state;
	NEEDS_SDFS;
	oz_keyframe frames[9];
	for (int k = 0; k < 9; k++)
		frames[k] = (oz_keyframe){.time = 0.1f * (float)k,
		                          .position = {0, 0.1f, 0},
		                          .rotation = test_rotation(vec_of(0, 0, 1), 0.5 * PI * k)};
	const vec size = {0.7, 0.08, 0.4}, thin = {0.7, 0.004, 0.4};
	if (test_is_long())
		stir("a turning paddle", test_mesh_slab(size, vec_of(0, 0, 0)), frames, 9, true,
		     false);
	stir("a thin turning paddle", test_mesh_slab(thin, vec_of(0, 0, 0)), frames, 9, true,
	     false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_vessel_4_spacings_across_keeps_all),
	        cmocka_unit_test(a_vessel_8_spacings_across_keeps_all),
	        cmocka_unit_test(a_vessel_16_spacings_across_keeps_all),
	        cmocka_unit_test(a_vessel_24_spacings_across_keeps_all),
	        cmocka_unit_test(paddles_at_5_metres_a_second_pass_no_particle),
	        cmocka_unit_test(turning_paddles_pass_no_particle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
