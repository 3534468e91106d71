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
		// sums over floats are rounded: 8e-6 is found
		test_near(vec_length(vec_from(r.spin)), 0, 1e-5, "spin");
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

// About the intermediate axis, a little off: it flips over and over (Euler's equations). Momentum
// and energy by the moments of the solid box: those of other moments would not be constant.
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

// ---- on the floor ------------------------------------------------------------------------------

typedef struct rest {
	double layer, drift; // spacings: the lowest layer above the floor, way of the centre
	double speed, rotation, load; // m/s; sine of half the angle; over its weight
} rest;

// a cube falls 10 cm; the drift is that from 1.5 s on
static rest rest_of(oz_pressure pressure, double span)
{
	const oz_world_def def = rigid_def(pressure, vec_of(0, -GRAVITY, 0));
	oz_world *w = test_world(&def);
	add_floor(w, 0.3);
	const oz_id body = add_cube(w, add_rigid(w, 2000), vec_of(0, 0.15, 0), 5);
	test_run_until(w, 1.5);
	const oz_rigid_state early = get(w, body);
	test_load(w, 0);
	test_run_until(w, 1.5 + span);
	const oz_rigid_state late = get(w, body);
	rest r = {.layer = late.position[1] / s - 2,
	          .drift = vec_length(vec_sub(vec_from(late.position), vec_from(early.position))) /
	                   s,
	          .speed = vec_length(vec_from(late.velocity)),
	          .rotation = vec_length(vec_from(late.rotation)),
	          .load = -test_load(w, 0).force[1] / (late.mass * GRAVITY)};
	// of single steps
	double force = 0;
	for (int k = 0; k < 100; k++) {
		test_step(w);
		force += get(w, body).force[1] / (100 * late.mass * GRAVITY);
	}
	print_message("%s: the lowest layer rests at %.3f spacings; in %g s it drifts %.4f "
	              "spacings; %.1e m/s, turned %.1e; load %.4f, force %.4f of its weight\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", r.layer, span,
	              r.drift, r.speed, r.rotation, r.load, force);
	test_near(force, 1, 0.02, "mean force over the weight");
	oz_world_destroy(w);
	return r;
}

static void a_dropped_cube_rests_half_a_spacing_above_the_floor(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		const rest r = rest_of(pressures[k], test_is_long() ? 60 : k ? 4 : 10);
		test_near(r.layer, 0.5, 0.05, "height of the lowest layer, spacings");
		test_near(r.drift, 0, 0.01, "drift, spacings");
		test_near(r.speed, 0, 5e-3, "speed");
		test_near(r.rotation, 0, 2e-3, "rotation");
		test_near(r.load, 1, 0.01, "load of the floor over the weight");
	}
}

// a slope: gravity leans. The velocity (m/s) down the slope after 0.3 s and `span` s later.
static void slide(oz_pressure pressure, double degrees, double friction, double span,
                  double velocity[2])
{
	const double a = degrees * PI / 180;
	const int flat[3] = {8, 4, 8};
	const oz_world_def def =
	        rigid_def(pressure, vec_of(GRAVITY * sin(a), -GRAVITY * cos(a), 0));
	oz_world *w = test_world(&def);
	add_floor(w, friction);
	const oz_id body = add_block(w, add_rigid(w, 2000), vec_of(0, 2 * s, 0), flat,
	                             vec_of(0, 0, 0), vec_of(0, 0, 0));
	test_run_until(w, 0.3);
	const double before = get(w, body).position[0];
	velocity[0] = get(w, body).velocity[0];
	test_load(w, 0);
	test_run_until(w, 0.3 + span);
	const oz_load load = test_load(w, 0);
	const oz_rigid_state late = get(w, body);
	velocity[1] = late.velocity[0];
	// what the slope bears along itself is what the block did not get in speed
	const double held = GRAVITY * sin(a) - (velocity[1] - velocity[0]) / span;
	test_near(load.force[0] / late.mass, held, 0.01 * GRAVITY, "friction in the load");
	test_near(-load.force[1] / late.mass, GRAVITY * cos(a), 0.01 * GRAVITY, "load");
	print_message("%s, %g°, μ %g: %.5f and %.5f m/s; moved %.5f m\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", degrees, friction,
	              velocity[0], velocity[1], late.position[0] - before);
	// it does not leave the slope
	test_near(late.position[1] / s, 2, 0.05, "height of the centre, spacings");
	oz_world_destroy(w);
}

static void below_the_angle_of_friction_a_block_stays(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		double v[2];
		slide(pressures[k], 15, 0.3, test_is_long() ? 10 : 1, v);
		test_near(v[1], 0, 1e-3, "velocity down the slope");
	}
}

static void above_it_a_block_slides_by_coulombs_law(void **state)
{
	(void)state;
	static const double frictions[] = {0.3, 0, 0.15};
	const double a = 20 * PI / 180;
	for (int k = 0; k < 2; k++)
		for (int n = 0; n < 3; n++) {
			const double wanted = GRAVITY * (sin(a) - frictions[n] * cos(a));
			double v[2];
			slide(pressures[k], 20, frictions[n], 0.5, v);
			test_near((v[1] - v[0]) / 0.5, wanted, 0.03 * wanted, "acceleration");
		}
}

// ---- on each other -----------------------------------------------------------------------------

// With an equation of state contacts are soft: at the default speed of sound a stack of four or
// more leans and falls within seconds, so that it is 80 m/s here.
static void five_cubes_stand_on_each_other(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		oz_world_def def = rigid_def(pressures[k], vec_of(0, -GRAVITY, 0));
		def.sound_speed = k ? 80 : def.sound_speed;
		oz_world *w = test_world(&def);
		add_floor(w, 0.3);
		const oz_id m = add_rigid(w, 2000);
		for (int n = 0; n < 5; n++)
			add_cube(w, m, vec_of(0, (2 + 4.1 * n) * s, 0), 4);
		test_run_until(w, test_is_long() ? 20 : k ? 1 : 3);
		const oz_rigid_state top = get(w, 4);
		print_message("%s: the highest of five cubes is %.3f spacings beside the lowest, "
		              "%.3f lower than stacked; %.1e m/s\n",
		              k ? "eos" : "incompressible",
		              (top.position[0] - get(w, 0).position[0]) / s,
		              18 - top.position[1] / s, vec_length(vec_from(top.velocity)));
		for (uint32_t n = 0; n < 5; n++) {
			const oz_rigid_state r = get(w, n);
			test_near(r.position[1] / s, 2 + 4 * n, 0.05, "height of a cube, spacings");
			test_near(r.position[0] / s, 0, 0.1, "place along x, spacings");
			test_near(r.position[2] / s, 0, 0.1, "place along z, spacings");
			test_near(vec_length(vec_from(r.velocity)), 0, 0.01, "speed");
		}
		oz_world_destroy(w);
	}
}

// linear and angular momentum and energy of two rigid bodies, of which each particle is a cube
static test_momenta momenta_of(oz_world *w, double *energy)
{
	test_momenta m = test_momenta_of(w);
	*energy = test_kinetic_energy(w);
	for (uint32_t k = 0; k < 2; k++) {
		const oz_rigid_state r = get(w, k);
		const vec own = vec_mad(vec_of(0, 0, 0), vec_from(r.spin), r.mass * s * s / 6);
		m.angular = vec_mad(m.angular, own, 1);
		*energy += 0.5 * vec_dot(own, vec_from(r.spin));
	}
	return m;
}

static void collide(oz_pressure pressure, double friction)
{
	const int four[3] = {4, 4, 4};
	oz_world *w = make_space(pressure);
	oz_material_def def = oz_material_default(OZ_RIGID);
	def.friction = (float)friction;
	const oz_id heavy = test_add_material(w, &def);
	def.density = 300;
	const oz_id light = test_add_material(w, &def);
	add_block(w, heavy, vec_of(-0.1, 0, 0), four, vec_of(1, 0, 0), vec_of(0, 0, 3));
	add_block(w, light, vec_of(0.1, 0.03, 0.01), four, vec_of(-0.5, 0, 0), vec_of(0, 1, 0));
	double E0, E, most = 0;
	const test_momenta before = momenta_of(w, &E0);
	for (double t = 0.01; t < 0.5; t += 0.01) {
		test_run_until(w, t);
		momenta_of(w, &E);
		most = fmax(most, E / E0);
	}
	const test_momenta after = momenta_of(w, &E);
	const oz_rigid_state b = get(w, 1);
	const double linear = vec_length(vec_sub(after.linear, before.linear)),
	             angular = vec_length(vec_sub(after.angular, before.angular));
	print_message("%s, μ %g: momentum changes by %.1e, angular by %.1e; %.3f of the energy is "
	              "left; the light one: %.2f m/s, %.1f rad/s\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", friction,
	              linear / before.linear_scale, angular / before.angular_scale, E / E0,
	              b.velocity[0], vec_length(vec_from(b.spin)));
	test_near(linear / before.linear_scale, 0, 1e-5, "change of momentum");
	// friction acts at the centres of two particles, not at one point
	test_near(angular / before.angular_scale, 0, friction > 0 ? 0.02 : 1e-5,
	          "change of angular momentum");
	assert_true(most < 1.0001);
	// the opposite: they have met
	assert_true(b.velocity[0] > 0.3 && vec_length(vec_from(b.spin)) > 2);
	oz_world_destroy(w);
}

static void a_collision_keeps_momentum_and_gains_no_energy(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		collide(pressures[k], 0);
		collide(pressures[k], 0.3);
	}
}

// ---- impacts -----------------------------------------------------------------------------------

static const vec fast[] = {{100, 0, 0}, {60, 80, 0}, {57, -58, 58}};

// the largest coordinate of a particle in 300 steps
static double farthest(oz_pressure pressure, vec velocity)
{
	const int four[3] = {4, 4, 4};
	oz_world *w = make_space(pressure);
	test_add_tank(w, vec_of(-0.3, -0.3, -0.3), vec_of(0.3, 0.3, 0.3));
	add_block(w, add_rigid(w, 7850), vec_of(0, 0, 0), four, velocity, vec_of(5, 50, 10));
	const double E = test_kinetic_energy(w);
	double out = 0, most = 0;
	for (int n = 0; n < 300; n++) {
		test_step(w);
		const oz_stats stats = test_stats(w);
		for (int c = 0; c < 3; c++)
			out = fmax(out,
			           fmax((double)(&stats.max.x)[c], -(double)(&stats.min.x)[c]));
		most = fmax(most, test_kinetic_energy(w) / E);
	}
	print_message("%s: farthest particle %.2f spacings inside the wall's surface; energy at "
	              "most "
	              "%.4f, then %.4f\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible", (0.3 - out) / s, most,
	              test_kinetic_energy(w) / E);
	assert_true(most < 1.001);
	// the opposite: it has hit the wall
	assert_true(test_kinetic_energy(w) < 0.5 * E);
	oz_world_destroy(w);
	return out;
}

static void a_body_at_100_m_per_s_passes_no_wall(void **state)
{
	(void)state;
	for (int way = 0; way < 3; way++) {
		assert_true(farthest(OZ_PRESSURE_INCOMPRESSIBLE, fast[way]) < 0.3);
		// five times the speed of sound
		assert_true(farthest(OZ_PRESSURE_EOS, fast[way]) < 0.3);
	}
}

// A cube of steel falls on its edge or its corner, and one of lead on top of it. Returns the least
// height of a particle, spacings; `gain`: of the energy over that of the beginning; `balance`: what
// the floor has borne over what the cubes have lost of their momentum.
static double lowest_under_load(double friction, bool corner, double *gain, double *balance)
{
	const oz_world_def def = rigid_def(OZ_PRESSURE_EOS, vec_of(0, -GRAVITY, 0));
	const oz_vec3 size = vec_narrow(vec_of(6 * s, 6 * s, 6 * s));
	oz_world *w = test_world(&def);
	oz_shape low = oz_shape_make(OZ_SHAPE_BOX, size), high = low;
	add_floor(w, friction);
	low.position.y = (float)(6 * s);
	low.rotation = corner ? test_rotation(vec_of(1, 0, -1), 0.955)
	                      : test_rotation(vec_of(0, 0, 1), 0.7);
	high.position = vec_narrow(vec_of(0.01, 15 * s, 0));
	test_add_thrown(w, add_rigid(w, 7850), &low, vec_of(0, -1, 0));
	test_add_thrown(w, add_rigid(w, 11340), &high, vec_of(0, -4, 0));
	const vec before = test_momenta_of(w).linear;
	const oz_stats first = test_stats(w);
	const double E = first.kinetic_energy + first.potential_energy;
	double least = 9, most = 0;
	test_load(w, 0);
	while (oz_world_time(w) < 0.5) {
		test_step(w);
		const oz_stats now = test_stats(w);
		least = fmin(least, (double)now.min.y / s);
		most = fmax(most,
		            now.kinetic_energy + now.potential_energy + now.compression_energy);
	}
	const double t = oz_world_time(w), weight = first.mass * GRAVITY * t;
	*gain = most / E - 1;
	*balance =
	        -test_load(w, 0).force[1] * t / (test_momenta_of(w).linear.y - before.y + weight);
	oz_world_destroy(w);
	return least;
}

static void a_heavy_edge_under_a_load_enters_no_wall(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		double gain, balance;
		const double least = lowest_under_load(k & 1 ? 0.5 : 0, k & 2, &gain, &balance);
		print_message("%s, μ %g: lowest particle at %.2f spacings; energy changes by %.4f "
		              "at most; the floor bears %.4f of the momentum\n",
		              k & 2 ? "corner" : "edge", k & 1 ? 0.5 : 0.0, least, gain, balance);
		assert_true(least > 0.2);
		assert_true(gain < 0.001);
		test_near(balance, 1, 0.01, "what the floor bears");
	}
}

// ---- few particles -----------------------------------------------------------------------------

static void one_particle_a_row_and_a_plane_are_bodies(void **state)
{
	(void)state;
	static const int few[3][3] = {{1, 1, 1}, {6, 1, 1}, {5, 1, 5}};
	// a point has no spin, a row none about itself
	static const vec spins[3] = {{0, 0, 0}, {0, 2, 3}, {1, 2, 3}};
	for (int k = 0; k < 2; k++)
		for (int n = 0; n < 3; n++) {
			const oz_world_def def = rigid_def(pressures[k], vec_of(0, -GRAVITY, 0));
			oz_world *w = test_world(&def);
			add_floor(w, 0.3);
			add_block(w, add_rigid(w, 2000), vec_of(0, 0.1, 0), few[n],
			          vec_of(0.2, 0, 0.1), vec_of(1, 2, 3));
			const oz_rigid_state first = get(w, 0);
			const double off = vec_length(vec_sub(vec_from(first.spin), spins[n]));
			test_near(off, 0, 0.01, "spin off that of its particles");
			test_run_until(w, 0.05);
			test_near(get(w, 0).position[1], 0.1 - 0.5 * GRAVITY * 0.0025, 1e-5,
			          "height in free fall");
			test_run_until(w, 3);
			const oz_rigid_state late = get(w, 0);
			print_message("%s, %d particles: rests at %.3f spacings, %.1e m/s, %.1e "
			              "rad/s\n",
			              k ? "eos" : "incompressible",
			              few[n][0] * few[n][1] * few[n][2], late.position[1] / s,
			              vec_length(vec_from(late.velocity)),
			              vec_length(vec_from(late.spin)));
			// on the floor, not below
			assert_true(late.position[1] > 0.2 * s && late.position[1] < 0.6 * s);
			test_near(vec_length(vec_from(late.velocity)), 0, 0.1, "speed");
			oz_world_destroy(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(free_fall_is_exact),
	        cmocka_unit_test(a_spinning_brick_tumbles_and_keeps_energy_and_momentum),
	        cmocka_unit_test(about_its_other_axes_a_brick_spins_on),
	        cmocka_unit_test(a_dropped_cube_rests_half_a_spacing_above_the_floor),
	        cmocka_unit_test(below_the_angle_of_friction_a_block_stays),
	        cmocka_unit_test(above_it_a_block_slides_by_coulombs_law),
	        cmocka_unit_test(five_cubes_stand_on_each_other),
	        cmocka_unit_test(a_collision_keeps_momentum_and_gains_no_energy),
	        cmocka_unit_test(a_body_at_100_m_per_s_passes_no_wall),
	        cmocka_unit_test(a_heavy_edge_under_a_load_enters_no_wall),
	        cmocka_unit_test(one_particle_a_row_and_a_plane_are_bodies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
