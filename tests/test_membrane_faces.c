// test_membrane_faces.c: nothing passes a skin whose faces are large.
//
// Contact acts on points. Where a skin is stretched, or its mesh is coarse, its points are farther
// apart than those of the fluid, and water would run out between them: its faces must press.
#include "models/membrane/membrane.h"
#include "worlds.h"

static const double s = 0.01; // m, spacing

// a ball of a mesh whose edges are `coarse` spacings, scaled by `stretch`
typedef struct skin_shape {
	double radius, coarse, stretch;
	vec centre;
} skin_shape;

static oz_id add_skin(oz_world *w, oz_material_def def, const skin_shape *skin)
{
	oz_error error = {OZ_OK, ""};
	const double at_rest = skin->radius / skin->stretch;
	const oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)at_rest, 0, 0));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	uint32_t(*triangles)[3];
	oz_id id;
	test_must(oz_shape_cover(&ball, (float)(skin->coarse * s), &points, &body.count, &triangles,
	                         &body.triangle_count, &error),
	          &error);
	for (uint32_t k = 0; k < body.count; k++)
		points[k] = vec_narrow(vec_mad(skin->centre,
		                               vec_of(points[k].x, points[k].y, points[k].z),
		                               skin->stretch));
	def.prestretch = (float)skin->stretch;
	body.material = test_add_material(w, &def);
	body.points = points;
	body.triangles = (const uint32_t(*)[3])triangles;
	test_must(oz_world_add_body(w, &body, &id, &error), &error);
	oz_points_free(points);
	oz_triangles_free(triangles);
	return id;
}

// rubber whose points weigh as much as those of a skin of 1 mm in its present shape
static oz_material_def rubber(const skin_shape *skin)
{
	oz_material_def def = oz_material_default(OZ_MEMBRANE);
	def.filling = OZ_FILLING_NONE;
	def.skin_law = OZ_SKIN_RUBBER;
	def.young_modulus = 2e5f;
	def.thickness = 1e-3f;
	def.density = (float)(1000 * skin->stretch * skin->stretch * skin->coarse * skin->coarse);
	def.skin_damping = 0.01f;
	return def;
}

static oz_world *make_world(oz_pressure pressure, double gravity)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.gravity = oz_v3(0, -(float)gravity, 0);
	def.sound_speed = 20;
	def.threads = 1;
	return test_world(&def);
}

static vec centre_of(const test_particles *all, oz_id body)
{
	vec sum = vec_of(0, 0, 0);
	double count = 0;
	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i].body == body) {
			sum = vec_mad(sum, all->at[i].x, 1);
			count += 1;
		}
	return vec_mad(vec_of(0, 0, 0), sum, 1 / count);
}

// the positions of the vertices of all skins; free() it
static vec *vertices_of(oz_world *w, const oz_membrane *m)
{
	const uint32_t *slot_of = m->slots.items, slots = w->slots.count;
	vec *all = malloc(sizeof *all * m->slots.count);
	uint32_t *particle = malloc(sizeof *particle * slots);
	assert_true(all && particle);
	memcpy(particle, test_look(w, w->slots.particle_of_slot, sizeof *particle * slots),
	       sizeof *particle * slots);
	const oz_float4 *x =
	        test_look(w, w->sim.particles.position, sizeof *x * oz_world_particle_count(w));
	for (uint32_t k = 0; k < m->slots.count; k++) {
		const oz_float4 p = x[particle[slot_of[k]]];
		all[k] = vec_of((double)p.x, (double)p.y, (double)p.z);
	}
	free(particle);
	return all;
}

// the solid angle of a triangle seen from a point, over 4 π (Van Oosterom & Strackee 1983)
static double angle_of(vec a, vec b, vec c)
{
	const double la = vec_length(a), lb = vec_length(b), lc = vec_length(c);
	return atan2(vec_dot(a, vec_cross(b, c)),
	             la * lb * lc + vec_dot(a, b) * lc + vec_dot(b, c) * la + vec_dot(c, a) * lb) /
	       (2 * M_PI);
}

// the number of particles of a body that are not inside the faces of the only skin
static uint32_t count_outside(oz_world *w, oz_id water)
{
	const oz_membrane *m = oz_model_state(&w->sim, &oz_membrane_model);
	const oz_membrane_face *faces = m->faces.items;
	test_particles all = test_particles_read(w);
	vec *corner = vertices_of(w, m);
	uint32_t outside = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		double turns = 0;
		for (uint32_t f = 0; f < m->faces.count && all.at[i].body == water; f++)
			turns += angle_of(vec_sub(corner[faces[f].corner[0]], x),
			                  vec_sub(corner[faces[f].corner[1]], x),
			                  vec_sub(corner[faces[f].corner[2]], x));
		outside += all.at[i].body == water && turns < 0.5;
	}
	free(corner);
	test_particles_free(&all);
	return outside;
}

// ---- water inside ------------------------------------------------------------------------------

// A stretched ball that presses the water in it, in space; returns how many particles have left it.
static uint32_t hold(oz_pressure pressure, double stretch, double coarse, bool faces, double until)
{
	oz_world *w = make_world(pressure, 0);
	const skin_shape skin = {8 * s, coarse, stretch, vec_of(0, 0, 0)};
	oz_material_def material = rubber(&skin);
	material.skin_contact = faces ? OZ_SKIN_FACES : OZ_SKIN_POINTS;
	const oz_id body = add_skin(w, material, &skin);
	const oz_shape inner =
	        oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(skin.radius - 1.5 * s), 0, 0));
	const oz_id water = test_add_filled(w, test_water(w), &inner, OZ_FILL_LATTICE);
	test_run_until(w, until);
	const uint32_t outside = count_outside(w, water);
	oz_error error = {OZ_OK, ""};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, &error), &error);
	print_message("%s, stretch %.1f, edges of %.1f spacings, %s: %u of %u particles have left "
	              "after %.1f s, volume %.3f l; %.2f m/s at most, %llu steps\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", stretch,
	              coarse * stretch, faces ? "faces" : "points", outside,
	              oz_world_particle_count(w) - state.points, until, 1e3 * state.volume,
	              test_top_speed(w), (unsigned long long)oz_world_step_count(w));
	oz_world_destroy(w);
	return outside;
}

static void a_stretched_skin_holds_water(void **state)
{
	(void)state;
	const double until = test_is_long() ? 2 : 0.25;
	if (test_is_long()) {
		assert_int_equal(hold(OZ_PRESSURE_INCOMPRESSIBLE, 2, 1, true, until), 0);
		assert_int_equal(hold(OZ_PRESSURE_EOS, 2, 1, true, until), 0);
	}
	assert_int_equal(hold(OZ_PRESSURE_INCOMPRESSIBLE, 3, 1, true, until), 0);
	assert_int_equal(hold(OZ_PRESSURE_EOS, 3, 1, true, until), 0);
	// the opposite: points alone leak
	assert_true(hold(OZ_PRESSURE_INCOMPRESSIBLE, 3, 1, false, 0.15) > 100);
	if (test_is_long())
		assert_true(hold(OZ_PRESSURE_INCOMPRESSIBLE, 2, 1, false, 0.15) > 10);
}

static void a_coarse_skin_holds_water(void **state)
{
	(void)state;
	const double until = test_is_long() ? 2 : 0.3;
	assert_int_equal(hold(OZ_PRESSURE_INCOMPRESSIBLE, 1.25, 1.6, true, until), 0);
	assert_int_equal(hold(OZ_PRESSURE_INCOMPRESSIBLE, 1.25, 2, true, until), 0);
	if (test_is_long())
		assert_int_equal(hold(OZ_PRESSURE_EOS, 1.25, 2, true, until), 0);
	assert_true(hold(OZ_PRESSURE_INCOMPRESSIBLE, 1.25, 2, false, 0.3) > 10);
}

// The mean height of water in a stretched skin on the floor, in spacings.
static double stand(double tear)
{
	oz_world *w = make_world(OZ_PRESSURE_INCOMPRESSIBLE, GRAVITY);
	const skin_shape skin = {8 * s, 1, 3, vec_of(0, 8.5 * s, 0)};
	oz_collider_def floor = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	test_add_collider(w, &floor);
	oz_material_def material = rubber(&skin);
	material.tear = (float)tear;
	const oz_id body = add_skin(w, material, &skin);
	oz_shape inner = oz_shape_make(OZ_SHAPE_BALL, oz_v3(6.5f * (float)s, 0, 0));
	inner.position.y = 8.5f * (float)s;
	const oz_id water = test_add_filled(w, test_water(w), &inner, OZ_FILL_LATTICE);
	test_run_until(w, 0.3);
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, body, &state, NULL), NULL);
	const double height = test_mean_height(w, water) / s;
	print_message("tears at %.1f: torn %.4f m², mean height of the water %.1f spacings\n", tear,
	              state.torn, height);
	oz_world_destroy(w);
	return height;
}

// the opposite of a whole skin: torn faces do not press
static void a_torn_skin_lets_water_out(void **state)
{
	(void)state;
	assert_true(stand(2.8) < 2.5);
	assert_true(stand(4) > 4.5);
}

// m/s, the root mean square of the speeds of a body's particles
static double speed_of(oz_world *w, oz_id body)
{
	test_particles all = test_particles_read(w);
	double sum = 0, count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == body) {
			sum += vec_dot(all.at[i].v, all.at[i].v);
			count += 1;
		}
	test_particles_free(&all);
	return sqrt(sum / count);
}

// Water that a skin of twice its length at rest presses comes to rest, and so does the skin. A skin
// that the pressure solver takes for free points is thrown to and fro by it in each step.
static void water_in_a_stretched_skin_comes_to_rest(void **state)
{
	(void)state;
	for (int eos = 0; eos < (test_is_long() ? 2 : 1); eos++) {
		oz_world *w = make_world(eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE, 0);
		const skin_shape skin = {6 * s, 1, 2, vec_of(0, 0, 0)};
		const oz_id body = add_skin(w, rubber(&skin), &skin);
		const oz_shape inner = oz_shape_make(OZ_SHAPE_BALL, oz_v3(5 * (float)s, 0, 0));
		const oz_id water = test_add_filled(w, test_water(w), &inner, OZ_FILL_LATTICE);
		test_run_until(w, 0.15);
		const double before = speed_of(w, water);
		test_run_until(w, 0.5);
		const double after = speed_of(w, water), shaken = speed_of(w, body);
		print_message("%s: speed of the water %.3f m/s, then %.3f m/s, of the skin %.3f "
		              "m/s; %llu steps\n",
		              eos ? "eos" : "incompressible", before, after, shaken,
		              (unsigned long long)oz_world_step_count(w));
		assert_true(after < 0.6 * before);
		assert_true(after < 0.1 && shaken < 0.12);
		oz_world_destroy(w);
	}
}

// the pairs of faces and particles that the last step has listed
static uint32_t pairs_of(const oz_world *w)
{
	const oz_membrane *m = oz_model_state(&w->sim, &oz_membrane_model);
	return m->contact.pairs;
}

// The points of a skin are one component, however far apart: a face does not press on its corners.
static void a_face_does_not_press_on_its_own_skin(void **state)
{
	(void)state;
	oz_world *w = make_world(OZ_PRESSURE_INCOMPRESSIBLE, 0);
	const skin_shape skin = {8 * s, 1, 3, vec_of(0, 0, 0)};
	add_skin(w, rubber(&skin), &skin);
	assert_int_equal(test_step(w).components, 1);
	assert_int_equal(pairs_of(w), 0);
	// the opposite: water near it
	test_add_particle(w, test_water(w), oz_v3(6.8f * (float)s, 0, 0), oz_v3(0, 0, 0));
	test_steps(w, 1);
	assert_true(pairs_of(w) > 0);
	oz_world_destroy(w);
}

// `skin_contact` that is changed between steps acts in the next one
static void faces_are_switched_between_steps(void **state)
{
	(void)state;
	oz_world *w = make_world(OZ_PRESSURE_EOS, 0);
	const skin_shape skin = {8 * s, 1, 3, vec_of(0, 0, 0)};
	add_skin(w, rubber(&skin), &skin);
	const oz_shape inner = oz_shape_make(OZ_SHAPE_BALL, oz_v3(6.5f * (float)s, 0, 0));
	test_add_filled(w, test_water(w), &inner, OZ_FILL_LATTICE);
	test_steps(w, 1);
	const uint32_t first = pairs_of(w);
	assert_true(first > 0);
	for (int faces = 0; faces < 2; faces++) {
		oz_material_def def = *oz_world_get_material(w, 0);
		oz_error error = {OZ_OK, ""};
		def.skin_contact = faces ? OZ_SKIN_FACES : OZ_SKIN_POINTS;
		test_must(oz_world_set_material(w, 0, &def, &error), &error);
		// lists are as before
		assert_false(test_step(w).rebuilt);
		assert_int_equal(pairs_of(w), faces ? first : 0);
	}
	oz_world_destroy(w);
}

// ---- what comes from outside -------------------------------------------------------------------

// a ball full of gas, stretched, with points four spacings apart
static oz_id add_balloon(oz_world *w, const skin_shape *skin, bool faces)
{
	oz_material_def def = rubber(skin);
	def.filling = OZ_FILLING_GAS;
	def.gauge_pressure = 2000;
	def.friction = 0;
	def.skin_contact = faces ? OZ_SKIN_FACES : OZ_SKIN_POINTS;
	return add_skin(w, def, skin);
}

// the sums of momentum and angular momentum, and of their absolute values
typedef struct momenta {
	vec linear, angular;
	double linear_scale, angular_scale;
} momenta;

// of a skin and of water
static momenta momenta_of(oz_world *w, oz_id skin)
{
	test_particles all = test_particles_read(w);
	momenta m = {vec_of(0, 0, 0), vec_of(0, 0, 0), 0, 0};
	oz_membrane_state state;
	test_must(oz_world_get_membrane(w, skin, &state, NULL), NULL);
	for (uint32_t i = 0; i < all.count; i++) {
		const double mass =
		        all.at[i].body == skin ? state.mass / state.points : 1000 * s * s * s;
		const vec turn = vec_cross(all.at[i].x, all.at[i].v);
		m.linear = vec_mad(m.linear, all.at[i].v, mass);
		m.angular = vec_mad(m.angular, turn, mass);
		m.linear_scale += mass * vec_length(all.at[i].v);
		m.angular_scale += mass * vec_length(turn);
	}
	test_particles_free(&all);
	return m;
}

// A drop flies past the centre of a stretched balloon and pushes it.
static void a_drop_that_hits_a_face_keeps_the_momentum(void **state)
{
	(void)state;
	for (int eos = 0; eos < 2; eos++) {
		oz_world *w = make_world(eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE, 0);
		const skin_shape skin = {8 * s, 1, 3, vec_of(0, 0, 0)};
		const oz_id balloon = add_balloon(w, &skin, true);
		oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3(2.5f * (float)s, 0, 0));
		ball.position = oz_v3(0.02f, 12 * (float)s, 0.01f);
		test_add_thrown(w, test_water(w), &ball, vec_of(0, -1, 0.2));
		test_steps(w, 1);
		const momenta before = momenta_of(w, balloon);
		test_run_until(w, 0.06);
		const momenta after = momenta_of(w, balloon);
		test_particles all = test_particles_read(w);
		const vec centre = centre_of(&all, balloon);
		double nearest = 1, pushed = 0, points = 0;
		for (uint32_t i = 0; i < all.count; i++)
			if (all.at[i].body == balloon) {
				pushed += all.at[i].v.y;
				points += 1;
			} else {
				nearest = fmin(nearest, vec_length(vec_sub(all.at[i].x, centre)));
			}
		test_particles_free(&all);
		const double linear = vec_length(vec_sub(after.linear, before.linear)),
		             angular = vec_length(vec_sub(after.angular, before.angular));
		print_message("momentum changes by %.1e, angular by %.1e; the balloon is pushed to "
		              "%.2f m/s, the drop is %.1f spacings and more from its centre\n",
		              linear / before.linear_scale, angular / before.angular_scale,
		              pushed / points, nearest / s);
		test_near(linear / before.linear_scale, 0, 1e-5, "change of momentum");
		test_near(angular / before.angular_scale, 0, 1e-5, "change of angular momentum");
		assert_true(nearest > 6 * s && pushed / points < -0.3);
		oz_world_destroy(w);
	}
}

// One particle flies at the middle of a face, and does not pass.
static void a_single_particle_does_not_pass(void **state)
{
	(void)state;
	for (int eos = 0; eos < 2; eos++)
		for (int points = 0; points < 2; points++) {
			oz_world *w =
			        make_world(eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE, 0);
			const skin_shape skin = {8 * s, 1, 4, vec_of(0, 0, 0)};
			oz_material_def def = rubber(&skin);
			def.filling = OZ_FILLING_GAS;
			def.gauge_pressure = 2000;
			def.skin_contact = points ? OZ_SKIN_POINTS : OZ_SKIN_FACES;
			const oz_id balloon = add_skin(w, def, &skin);
			const oz_id water = test_water(w);
			uint32_t inside = 0;
			for (int k = 0; k < 20; k++) {
				// directions that are spread evenly over the ball
				const double y = 1 - (2 * k + 1) / 20.0, turn = 2.4 * k;
				const double across = sqrt(1 - y * y);
				const vec at = vec_of(across * cos(turn), y, across * sin(turn));
				test_add_particle(w, water,
				                  vec_narrow(vec_mad(vec_of(0, 0, 0), at, 11 * s)),
				                  vec_narrow(vec_mad(vec_of(0, 0, 0), at, -1)));
			}
			// what passes is near the centre then
			test_run_until(w, 0.1);
			test_particles all = test_particles_read(w);
			const vec centre = centre_of(&all, balloon);
			for (uint32_t i = 0; i < all.count; i++)
				inside += all.at[i].body != balloon &&
				          vec_length(vec_sub(all.at[i].x, centre)) < 6 * s;
			test_particles_free(&all);
			print_message("%s, %s: %u of 20 particles are inside\n",
			              eos ? "eos" : "incompressible", points ? "points" : "faces",
			              inside);
			assert_true(points ? inside > 0 : inside == 0);
			oz_world_destroy(w);
		}
}

// How far water that a large face is next to is pushed in 0.02 s, in spacings; with a thin wall
// between both or without one.
static double pushed(oz_pressure pressure, bool wall)
{
	oz_world *w = make_world(pressure, 0);
	// half a spacing from the wall, or in the way of the water
	const skin_shape skin = {8 * s, 1, 4, vec_of(0, wall ? -8.5 * s : -7 * s, 0)};
	const oz_shape plate = test_box(vec_of(-9 * s, 0, -9 * s), vec_of(9 * s, 0.1 * s, 9 * s));
	if (wall)
		test_add_wall(w, plate, false, NULL, 0);
	add_balloon(w, &skin, true);
	const oz_shape cube =
	        test_box(vec_of(-2 * s, 0.1 * s, -2 * s), vec_of(2 * s, 2.1 * s, 2 * s));
	const oz_id water = test_add_filled(w, test_water(w), &cube, OZ_FILL_LATTICE);
	const double before = test_mean_height(w, water);
	test_run_until(w, 0.02);
	const double way = (test_mean_height(w, water) - before) / s;
	print_message("%s, %s a wall: pushed by %.4f spacings, %u pairs\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible",
	              wall ? "with" : "without", way, pairs_of(w));
	oz_world_destroy(w);
	return way;
}

static void a_face_does_not_press_through_a_thin_wall(void **state)
{
	(void)state;
	for (int eos = 0; eos < 2; eos++) {
		const oz_pressure pressure = eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
		assert_true(fabs(pushed(pressure, true)) < 0.002);
	}
	// the opposite
	assert_true(pushed(OZ_PRESSURE_INCOMPRESSIBLE, false) > 0.03);
}

// A cube that is smaller than a face falls on a stretched balloon; returns how near to its centre
// the cube comes, in spacings.
static double fall(const oz_material_def *def, oz_pressure pressure, bool faces)
{
	oz_world *w = make_world(pressure, GRAVITY);
	const skin_shape skin = {8 * s, 1, 4, vec_of(0, 9 * s, 0)};
	oz_collider_def floor = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	test_add_collider(w, &floor);
	const oz_id balloon = add_balloon(w, &skin, faces);
	const oz_shape cube = test_box(vec_of(-s, 19 * s, -s), vec_of(s, 21 * s, s));
	const oz_id body = test_add_thrown(w, test_add_material(w, def), &cube, vec_of(0, -1, 0));
	double nearest = 1;
	for (int n = 1; n <= 20; n++) {
		test_run_until(w, 0.01 * n);
		test_particles all = test_particles_read(w);
		nearest =
		        fmin(nearest,
		             vec_length(vec_sub(centre_of(&all, body), centre_of(&all, balloon))));
		test_particles_free(&all);
	}
	print_message("model %d, %s, %s: the body comes to %.1f spacings of the centre\n",
	              def->model, pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible",
	              faces ? "faces" : "points", nearest / s);
	oz_world_destroy(w);
	return nearest / s;
}

static void nothing_falls_through_a_large_face(void **state)
{
	(void)state;
	oz_material_def stone = oz_material_default(OZ_RIGID);
	stone.density = 1500;
	const oz_material_def defs[3] = {stone, test_elastic(1e5, 0.3), test_blend(0.3, 1000)};
	for (int k = 0; k < 3; k++) {
		assert_true(fall(&defs[k], OZ_PRESSURE_INCOMPRESSIBLE, true) > 6);
		assert_true(fall(&defs[k], OZ_PRESSURE_EOS, true) > 6);
	}
	// the opposite
	assert_true(fall(&stone, OZ_PRESSURE_INCOMPRESSIBLE, false) < 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_stretched_skin_holds_water),
	        cmocka_unit_test(a_coarse_skin_holds_water),
	        cmocka_unit_test(a_torn_skin_lets_water_out),
	        cmocka_unit_test(water_in_a_stretched_skin_comes_to_rest),
	        cmocka_unit_test(a_face_does_not_press_on_its_own_skin),
	        cmocka_unit_test(faces_are_switched_between_steps),
	        cmocka_unit_test(a_face_does_not_press_through_a_thin_wall),
	        cmocka_unit_test(a_drop_that_hits_a_face_keeps_the_momentum),
	        cmocka_unit_test(a_single_particle_does_not_pass),
	        cmocka_unit_test(nothing_falls_through_a_large_face),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
