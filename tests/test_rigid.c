// test_rigid.c: rigid bodies by themselves, on walls and on each other.
//
// Free fall, free spin and the inertia are those of solid boxes; cubes rest, slide by Coulomb's
// law, pile up and collide with their momentum kept, under both pressures; bodies of one particle,
// a row and a plane move as bodies do. test_rigid_fluid.c has water, test_rigid_state.c snapshots.
#include "worlds.h"

static const double s = 0.02; // m, spacing

// the two pressures
static const oz_pressure pressures[] = {OZ_PRESSURE_INCOMPRESSIBLE, OZ_PRESSURE_EOS};

static oz_world_def rigid_def(oz_pressure pressure, vec gravity)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.gravity = vec_narrow(gravity);
	def.threads = 1;
	return def;
}

static oz_world *make_space(oz_pressure pressure)
{
	const oz_world_def def = rigid_def(pressure, vec_of(0, 0, 0));
	return test_world(&def);
}

static oz_id add_rigid(oz_world *w, double density)
{
	oz_material_def def = oz_material_default(OZ_RIGID);
	def.density = (float)density;
	return test_add_material(w, &def);
}

// a block of so many particles along each edge
static oz_id add_block(oz_world *w, oz_id material, vec centre, const int edges[3], vec velocity,
                       vec spin)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX,
	                             vec_narrow(vec_of(edges[0] * s, edges[1] * s, edges[2] * s)));
	oz_body_def body = oz_body_default();
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points;
	oz_id id;
	box.position = vec_narrow(centre);
	test_must(oz_shape_fill(&box, (float)s, OZ_FILL_LATTICE, &points, &body.count, &error),
	          &error);
	assert_int_equal(body.count, edges[0] * edges[1] * edges[2]);
	body.material = material;
	body.points = points;
	body.velocity = vec_narrow(velocity);
	body.spin = vec_narrow(spin);
	test_must(oz_world_add_body(w, &body, &id, &error), &error);
	oz_points_free(points);
	return id;
}

static oz_id add_cube(oz_world *w, oz_id material, vec centre, int edge)
{
	const int edges[3] = {edge, edge, edge};
	return add_block(w, material, centre, edges, vec_of(0, 0, 0), vec_of(0, 0, 0));
}

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

static vec vec_from(const double v[3])
{
	return vec_of(v[0], v[1], v[2]);
}

static void add_floor(oz_world *w, double friction)
{
	oz_collider_def floor = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	floor.friction = (float)friction;
	floor.load = true;
	test_add_collider(w, &floor);
}

// ---- free motion -------------------------------------------------------------------------------

static const int brick[3] = {9, 6, 3};

// v rotated by the inverse of a quaternion x y z w
static vec unrotate(const double q[4], vec v)
{
	const vec u = vec_of(-q[0], -q[1], -q[2]), t = vec_cross(u, v);
	return vec_mad(vec_mad(v, t, 2 * q[3]), vec_cross(u, t), 2);
}

// moments of a solid box of these edges and that mass
static vec box_inertia(const int edges[3], double mass)
{
	const double x = edges[0] * s, y = edges[1] * s, z = edges[2] * s;
	return vec_of(mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z),
	              mass / 12 * (x * x + y * y));
}

// energy of rotation, J, and the angular momentum in the world's frame, by the solid box's moments
static double spin_energy(const oz_rigid_state *r, const int edges[3], double *momentum)
{
	const vec I = box_inertia(edges, r->mass), o = unrotate(r->rotation, vec_from(r->spin));
	const vec L = vec_of(I.x * o.x, I.y * o.y, I.z * o.z);
	*momentum = vec_length(L);
	return 0.5 * vec_dot(L, o);
}

static void free_fall_is_exact(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		const oz_world_def def = rigid_def(pressures[k], vec_of(0, -GRAVITY, 0));
		oz_world *w = test_world(&def);
		const oz_id body = add_block(w, add_rigid(w, 7850), vec_of(1, 2, 3), brick,
		                             vec_of(0.3, 0.5, -0.2), vec_of(0, 0, 0));
		test_run_until(w, 0.5);
		const oz_rigid_state r = get(w, body);
		test_near(r.position[0], 1 + 0.3 * 0.5, 1e-6, "way along x");
		test_near(r.position[1], 2 + 0.5 * 0.5 - 0.5 * GRAVITY * 0.25, 1e-5, "height");
		test_near(r.position[2], 3 - 0.2 * 0.5, 1e-6, "way along z");
		test_near(vec_length(vec_from(r.spin)), 0, 1e-6, "spin");
		test_near(vec_length(vec_from(r.force)), 0, 1e-4 * r.mass * GRAVITY, "force");
		test_near(r.mass, 7850 * 9 * 6 * 3 * s * s * s, 1e-4 * r.mass, "mass");
		oz_world_destroy(w);
	}
}

// the largest change of a distance between two particles, m
static double distance_change(const test_particles *now, const test_particles *then)
{
	double most = 0;
	for (uint32_t i = 0; i < now->count; i++)
		for (uint32_t j = 0; j < i; j++)
			most = fmax(most, fabs(vec_length(vec_sub(now->at[i].x, now->at[j].x)) -
			                       vec_length(vec_sub(then->at[i].x, then->at[j].x))));
	return most;
}

// about the intermediate axis, a little off: it flips over and over (Euler's equations)
static void a_spinning_brick_tumbles_and_keeps_energy_and_momentum(void **state)
{
	(void)state;
	oz_world *w = make_space(OZ_PRESSURE_INCOMPRESSIBLE);
	const oz_id body = add_block(w, add_rigid(w, 700), vec_of(0, 0, 0), brick,
	                             vec_of(0.1, -0.2, 0.05), vec_of(0.02, 8, 0.02));
	test_particles then = test_particles_read(w);
	double L0, L;
	oz_rigid_state r = get(w, body);
	const double E0 = spin_energy(&r, brick, &L0);
	double worst_L = 0, worst_E = 0, least = 8, most = -8;
	const double until = test_is_long() ? 60 : 20;
	for (double t = 0.05; t < until; t += 0.05) {
		test_run_until(w, t);
		r = get(w, body);
		const double E = spin_energy(&r, brick, &L);
		const double along = unrotate(r.rotation, vec_from(r.spin)).y;
		worst_L = fmax(worst_L, fabs(L / L0 - 1));
		worst_E = fmax(worst_E, fabs(E / E0 - 1));
		least = fmin(least, along);
		most = fmax(most, along);
	}
	test_particles now = test_particles_read(w);
	const double change = distance_change(&now, &then) / (9 * s);
	print_message("%llu steps: momentum off by %.1e, energy by %.1e; spin along its middle "
	              "axis "
	              "%.2f to %.2f; distances change by %.1e of its size\n",
	              (unsigned long long)oz_world_step_count(w), worst_L, worst_E, least, most,
	              change);
	test_near(worst_L, 0, 1e-4, "change of angular momentum");
	test_near(worst_E, 0, 1e-3, "change of energy");
	// it flips
	assert_true(least < -7.5 && most > 7.5);
	test_near(change, 0, 1e-5, "change of distances");
	test_near(r.position[0], 0.1 * oz_world_time(w), 1e-4, "way along x");
	test_near(r.position[1], -0.2 * oz_world_time(w), 1e-4, "way along y");
	test_particles_free(&then);
	test_particles_free(&now);
	oz_world_destroy(w);
}

// the opposite: about the axes of the least and the largest moment it does not
static void about_its_other_axes_a_brick_spins_on(void **state)
{
	(void)state;
	for (int axis = 0; axis < 3; axis += 2) {
		oz_world *w = make_space(OZ_PRESSURE_INCOMPRESSIBLE);
		vec spin = vec_of(0.02, 0.02, 0.02);
		(&spin.x)[axis] = 8;
		const oz_id body = add_block(w, add_rigid(w, 700), vec_of(0, 0, 0), brick,
		                             vec_of(0, 0, 0), spin);
		double least = 8;
		for (double t = 0.1; t < 6; t += 0.1) {
			test_run_until(w, t);
			const oz_rigid_state r = get(w, body);
			const vec o = unrotate(r.rotation, vec_from(r.spin));
			least = fmin(least, (&o.x)[axis]);
		}
		test_near(least, 8, 0.01, "spin about the axis");
		oz_world_destroy(w);
	}
}

// Ω follows from the particles' velocities; the angular momentum from the moments of the solid box
static void the_inertia_is_that_of_the_solid_box(void **state)
{
	(void)state;
	oz_world *w = make_space(OZ_PRESSURE_INCOMPRESSIBLE);
	add_block(w, add_rigid(w, 700), vec_of(0, 0, 0), brick, vec_of(0, 0, 0), vec_of(1, 2, 3));
	const oz_rigid_state r = get(w, 0);
	test_near(r.spin[0], 1, 1e-3, "spin x");
	test_near(r.spin[1], 2, 1e-3, "spin y");
	test_near(r.spin[2], 3, 1e-3, "spin z");
	oz_world_destroy(w);
}

// ---- on the floor ------------------------------------------------------------------------------

static void a_dropped_cube_rests_half_a_spacing_above_the_floor(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		const oz_world_def def = rigid_def(pressures[k], vec_of(0, -GRAVITY, 0));
		oz_world *w = test_world(&def);
		add_floor(w, 0.3);
		const oz_id body = add_cube(w, add_rigid(w, 2000), vec_of(0, 0.15, 0), 5);
		test_run_until(w, 1.5);
		const oz_rigid_state early = get(w, body);
		test_run_until(w, test_is_long() ? 61.5 : 11.5);
		const oz_rigid_state late = get(w, body);
		const double gap = (late.position[1] - 2.5 * s) / s;
		const double drift =
		        vec_length(vec_sub(vec_from(late.position), vec_from(early.position))) / s;
		const double force = late.force[1] / (late.mass * GRAVITY);
		const double load = -test_load(w, 0).force[1] / (late.mass * GRAVITY);
		print_message("%s: %llu steps, lowest layer at %.3f spacings, drifts %.4f, speed "
		              "%.1e, force %.4f, load %.4f of its weight; turned %.1e\n",
		              k ? "eos" : "incompressible",
		              (unsigned long long)oz_world_step_count(w), gap + 0.5, drift,
		              vec_length(vec_from(late.velocity)), force, load,
		              vec_length(vec_from(late.rotation)));
		oz_world_destroy(w);
	}
}

// a slope: gravity leans
static double slide(oz_pressure pressure, double degrees, double friction, double span)
{
	const double a = degrees * PI / 180;
	const oz_world_def def =
	        rigid_def(pressure, vec_of(GRAVITY * sin(a), -GRAVITY * cos(a), 0));
	oz_world *w = test_world(&def);
	add_floor(w, friction);
	const int flat[3] = {8, 4, 8};
	const oz_id body = add_block(w, add_rigid(w, 2000), vec_of(0, 2.0 * s, 0), flat,
	                             vec_of(0, 0, 0), vec_of(0, 0, 0));
	test_run_until(w, 0.3);
	const oz_rigid_state early = get(w, body);
	test_run_until(w, 0.3 + span);
	const oz_rigid_state late = get(w, body);
	const double faster = (late.velocity[0] - early.velocity[0]) / span;
	print_message("%s %g°, μ %g: v %.5f to %.5f m/s, a %.4f, y %.3f, tilt %.1e\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "inc", degrees, friction,
	              early.velocity[0], late.velocity[0], faster, late.position[1] / s,
	              vec_length(vec_from(late.rotation)));
	oz_world_destroy(w);
	return faster;
}

static void a_cube_stays_or_slides_by_coulombs_law(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		slide(pressures[k], 15, 0.3, 1);
		const double found = slide(pressures[k], 20, 0.3, 0.7), a = 20 * PI / 180;
		print_message("over theory %.4f\n", found / (GRAVITY * (sin(a) - 0.3 * cos(a))));
		slide(pressures[k], 20, 0, 0.5);
	}
}

static void five_cubes_stand_on_each_other(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		const oz_world_def def = rigid_def(pressures[k], vec_of(0, -GRAVITY, 0));
		oz_world *w = test_world(&def);
		add_floor(w, 0.3);
		const oz_id m = add_rigid(w, 2000);
		for (int n = 0; n < 5; n++)
			add_cube(w, m, vec_of(0, (2 + 4.1 * n) * s, 0), 4);
		for (double t = 1; t < (test_is_long() ? 10.5 : 3.5); t += 1) {
			test_run_until(w, t);
			print_message("%s t %.0f steps %llu:", k ? "eos" : "inc", t,
			              (unsigned long long)oz_world_step_count(w));
			for (uint32_t n = 0; n < 5; n++) {
				const oz_rigid_state r = get(w, n);
				print_message(" (%.2f, %.3f; %.0e %.0e)", r.position[0] / s,
				              r.position[1] / s - 2 - 4 * n,
				              vec_length(vec_from(r.velocity)),
				              vec_length(vec_from(r.rotation)));
			}
			print_message("\n");
		}
		oz_world_destroy(w);
	}
}

static void a_collision_keeps_momentum_and_gains_no_energy(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		oz_world *w = make_space(pressures[k]);
		const oz_id m = add_rigid(w, 1000), light = add_rigid(w, 300);
		const int four[3] = {4, 4, 4};
		add_block(w, m, vec_of(-0.1, 0, 0), four, vec_of(1, 0, 0), vec_of(0, 0, 3));
		add_block(w, light, vec_of(0.1, 0.03, 0.01), four, vec_of(-0.5, 0, 0),
		          vec_of(0, 1, 0));
		const test_momenta before = test_momenta_of(w);
		const double E = test_kinetic_energy(w);
		test_run_until(w, 0.5);
		const test_momenta after = test_momenta_of(w);
		const oz_rigid_state b = get(w, 1);
		print_message(
		        "%s: linear %.1e angular %.1e energy %.3f, v %.3f %.3f %.3f spin %.2f\n",
		        k ? "eos" : "inc",
		        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale,
		        vec_length(vec_sub(after.angular, before.angular)) / before.angular_scale,
		        test_kinetic_energy(w) / E, b.velocity[0], b.velocity[1], b.velocity[2],
		        vec_length(vec_from(b.spin)));
		oz_world_destroy(w);
	}
}

static void no_impact_passes_a_wall(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++)
		for (int way = 0; way < 3; way++) {
			oz_world *w = make_space(pressures[k]);
			test_add_tank(w, vec_of(-0.3, -0.3, -0.3), vec_of(0.3, 0.3, 0.3));
			static const vec ways[] = {{100, 0, 0}, {60, 80, 0}, {57, -58, 58}};
			const int four[3] = {4, 4, 4};
			add_block(w, add_rigid(w, 7850), vec_of(0, 0, 0), four, ways[way],
			          vec_of(5, 50, 10));
			const double E = test_kinetic_energy(w);
			double out = 0, most = 0;
			for (int n = 0; n < 300; n++) {
				test_steps(w, 1);
				const oz_stats stats = test_stats(w);
				out = fmax(out,
				           fmax((double)stats.max.x,
				                fmax((double)stats.max.y, (double)stats.max.z)));
				out = fmax(out,
				           -fmin((double)stats.min.x,
				                 fmin((double)stats.min.y, (double)stats.min.z)));
				most = fmax(most, test_kinetic_energy(w));
			}
			print_message("%s way %d: t %.4f, farthest %.4f, energy at most %.4f, at "
			              "the end %.4f\n",
			              k ? "eos" : "inc", way, oz_world_time(w), out, most / E,
			              test_kinetic_energy(w) / E);
			oz_world_destroy(w);
		}
}

static void few_particles(void **state)
{
	(void)state;
	static const int few[3][3] = {{1, 1, 1}, {6, 1, 1}, {5, 1, 5}};
	for (int k = 0; k < 2; k++)
		for (int n = 0; n < 3; n++) {
			const oz_world_def def = rigid_def(pressures[k], vec_of(0, -GRAVITY, 0));
			oz_world *w = test_world(&def);
			add_floor(w, 0.3);
			add_block(w, add_rigid(w, 2000), vec_of(0, 0.1, 0), few[n],
			          vec_of(0.2, 0, 0.1), vec_of(1, 2, 3));
			const oz_rigid_state a = get(w, 0);
			test_run_until(w, 0.05);
			const oz_rigid_state b = get(w, 0);
			test_run_until(w, 3);
			const oz_rigid_state c = get(w, 0);
			print_message("%s %d: spin %.3f %.3f %.3f, y %.5f of %.5f, rest y %.3f v "
			              "%.1e spin %.1e force %.3f\n",
			              k ? "eos" : "inc", n, a.spin[0], a.spin[1], a.spin[2],
			              b.position[1], 0.1 - 0.5 * GRAVITY * 0.0025,
			              c.position[1] / s, vec_length(vec_from(c.velocity)),
			              vec_length(vec_from(c.spin)), c.force[1] / c.mass / GRAVITY);
			oz_world_destroy(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(free_fall_is_exact),
	        cmocka_unit_test(a_spinning_brick_tumbles_and_keeps_energy_and_momentum),
	        cmocka_unit_test(about_its_other_axes_a_brick_spins_on),
	        cmocka_unit_test(the_inertia_is_that_of_the_solid_box),
	        cmocka_unit_test(a_dropped_cube_rests_half_a_spacing_above_the_floor),
	        cmocka_unit_test(a_cube_stays_or_slides_by_coulombs_law),
	        cmocka_unit_test(five_cubes_stand_on_each_other),
	        cmocka_unit_test(a_collision_keeps_momentum_and_gains_no_energy),
	        cmocka_unit_test(no_impact_passes_a_wall),
	        cmocka_unit_test(few_particles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
