// test_rigid_join.c: rigid bodies that are glued to elastic ones.
//
// A bar of rubber with a stone at its end: the bar bears the stone's weight and stretches as a bar
// of its modulus does, the stone bounces with the period of that spring, and both together keep
// their momentum. Without the join the stone falls.
#include "damage.h"
#include "models/rigid/rigid.h"

#define PATH "join.ooze"

static const double s = 0.02, young = 1e5, width = 0.08, length = 0.24; // m, Pa

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

static oz_id add(oz_world *w, oz_id material, vec min, vec max, uint32_t join, vec velocity,
                 vec spin)
{
	oz_error error = {OZ_OK, ""};
	const oz_shape box = test_box(min, max);
	oz_body_def def = oz_body_default();
	oz_vec3 *points = NULL;
	oz_id id = OZ_NONE;
	def.material = material;
	def.join = join;
	def.velocity = vec_narrow(velocity);
	def.spin = vec_narrow(spin);
	test_must(oz_shape_fill(&box, (float)s, OZ_FILL_LATTICE, &points, &def.count, &error),
	          &error);
	def.points = points;
	test_must(oz_world_add_body(w, &def, &id, &error), &error);
	oz_points_free(points);
	return id;
}

// a bar that hangs from its top, at y = 0, and a cube of stone below it; body 1
static oz_world *make_hanging(uint32_t threads, oz_pressure pressure, bool joined, double damping,
                              double density)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = threads;
	oz_world *w = test_world(&def);
	oz_material_def rubber = test_elastic(young, 0.3), stone = oz_material_default(OZ_RIGID);
	rubber.damping = (float)damping;
	stone.density = (float)density;
	const double a = 0.5 * width;
	const vec none = vec_of(0, 0, 0);
	add(w, test_add_material(w, &rubber), vec_of(-a, -length, -a), vec_of(a, 0, a),
	    joined ? 1 : 0, none, none);
	add(w, test_add_material(w, &stone), vec_of(-a, -length - width, -a), vec_of(a, -length, a),
	    joined ? 1 : 0, none, none);
	test_add_handle(w, vec_of(-1, -s, -1), vec_of(1, 1, 1), NULL, 0, 1e9);
	return w;
}

static void a_bar_bears_a_stone_and_bounces_with_it(void **state)
{
	(void)state;
	for (oz_pressure p = OZ_PRESSURE_EOS; p < OZ_PRESSURE_COUNT; p++) {
		const double density = 3000;
		oz_world *w = make_hanging(1, p, true, 0, density);
		const double from = get(w, 1).position[1], mass = get(w, 1).mass;
		// the handle holds the first layer of particles up to its middle plane
		const double free_length = length - 0.5 * s, area = width * width;
		const double bar = 1000 * area * free_length;
		const double drop = (mass + 0.5 * bar) * GRAVITY * free_length / (young * area);
		const double period =
		        2 * PI * sqrt((mass + bar / 3) * free_length / (young * area));
		double lowest = 0, sum = 0, span = 0, sooner = 0, crossed = 0;
		uint32_t crossings = 0;
		while (crossings < 5 && oz_world_time(w) < 3) {
			const oz_step_report step = test_step(w);
			const oz_rigid_state r = get(w, 1);
			const double y = r.position[1] - from;
			lowest = y < lowest ? y : lowest;
			// turning points: the velocity changes its sign
			if (sooner * r.velocity[1] < 0) {
				crossings++;
				if (crossings == 4)
					crossed = oz_world_time(w);
			}
			sooner = r.velocity[1];
			if (crossings < 4) {
				sum += y * (double)step.time_step;
				span += (double)step.time_step;
			}
		}
		print_message("mean drop %.2f mm (%.2f), lowest %.2f mm, period %.4f s (%.4f)\n",
		              -1e3 * sum / span, 1e3 * drop, -1e3 * lowest, crossed / 2, period);
		test_near(-sum / span, drop, 0.1 * drop, "mean drop");
		test_near(-lowest, 2 * drop, 0.25 * drop, "lowest place");
		test_near(crossed / 2, period, 0.06 * period, "period");
		oz_world_destroy(w);
	}
}

static void a_stone_that_is_not_joined_falls(void **state)
{
	(void)state;
	oz_world *w = make_hanging(1, OZ_PRESSURE_EOS, false, 0, 3000);
	const double from = get(w, 1).position[1];
	test_run_until(w, 0.3);
	test_near(get(w, 1).position[1] - from, -0.5 * GRAVITY * 0.09, 0.02, "fall");
	oz_world_destroy(w);
}

// The angular momentum of particles, and of the spin of those of a rigid body, each a cube.
static vec angular_momentum(oz_world *w, const oz_id rigid[2])
{
	vec sum = test_momenta_of(w).angular;
	for (int k = 0; k < 2; k++) {
		const oz_rigid_state r = get(w, rigid[k]);
		sum = vec_mad(sum, vec_of(r.spin[0], r.spin[1], r.spin[2]), r.mass * s * s / 6);
	}
	return sum;
}

// a barbell: stones of two densities at the ends of a bar that tumbles and is bent
static void a_barbell_keeps_its_momentum(void **state)
{
	(void)state;
	for (oz_pressure p = OZ_PRESSURE_EOS; p < OZ_PRESSURE_COUNT; p++) {
		oz_world_def def = test_space_def(s);
		def.pressure = p;
		oz_world *w = test_world(&def);
		oz_material_def rubber = test_elastic(young, 0.3),
		                stone = oz_material_default(OZ_RIGID), wood = stone;
		stone.density = 2500;
		wood.density = 600;
		const double a = 0.5 * width;
		add(w, test_add_material(w, &rubber), vec_of(-0.12, -a, -a), vec_of(0.12, a, a), 3,
		    vec_of(0, 0, 0), vec_of(0, 3, 5));
		const oz_id left = add(w, test_add_material(w, &stone), vec_of(-0.2, -a, -a),
		                       vec_of(-0.12, a, a), 3, vec_of(0.2, 1, 0), vec_of(0, 0, 2));
		const oz_id right = add(w, test_add_material(w, &wood), vec_of(0.12, -a, -a),
		                        vec_of(0.2, a, a), 3, vec_of(0, 2, -0.5), vec_of(1, 0, 0));
		const oz_id ends[2] = {left, right};
		const test_momenta before = test_momenta_of(w);
		const vec spins = angular_momentum(w, ends);
		const double energy = test_kinetic_energy(w);
		test_run_until(w, 0.6);
		const test_momenta after = test_momenta_of(w);
		const double linear =
		        vec_length(vec_sub(after.linear, before.linear)) / before.linear_scale;
		const double angular = vec_length(vec_sub(angular_momentum(w, ends), spins)) /
		                       before.angular_scale;
		const oz_rigid_state l = get(w, left), r = get(w, right);
		const vec apart =
		        vec_of(r.position[0] - l.position[0], r.position[1] - l.position[1],
		               r.position[2] - l.position[2]);
		print_message("momentum changes by %.2g, angular by %.2g; apart %.3f m; energy "
		              "%.3f of %.3f J\n",
		              linear, angular, vec_length(apart), test_kinetic_energy(w), energy);
		test_near(linear, 0, 1e-5, "change of momentum");
		test_near(angular, 0, 1e-5, "change of angular momentum");
		// they hold together, and have turned
		test_near(vec_length(apart), 0.32, 0.05, "distance of the stones");
		assert_true(fabs(apart.y) > 0.1);
		assert_true(test_kinetic_energy(w) < 1.02 * energy);
		oz_world_destroy(w);
	}
}

static void threads_and_snapshots_change_no_bit(void **state)
{
	(void)state;
	oz_world *never = make_hanging(1, OZ_PRESSURE_EOS, true, 0.1, 2000);
	test_steps(never, 120);
	for (uint32_t at = 0; at < 100; at += 49) {
		oz_world *w = make_hanging(3, OZ_PRESSURE_EOS, true, 0.1, 2000), *other = NULL;
		oz_error error = {OZ_OK, ""};
		test_steps(w, at);
		test_must(oz_world_save(w, PATH, &error), &error);
		test_must(oz_world_load(PATH, NULL, 2, NULL, &other, &error), &error);
		test_steps(other, 120 - at);
		assert_true(oz_world_hash(other) == oz_world_hash(never));
		oz_world_destroy(w);
		oz_world_destroy(other);
	}
	oz_world_destroy(never);
}

static void what_cannot_be_joined_is_refused(void **state)
{
	(void)state;
	oz_world_def def = test_space_def(s);
	oz_world *w = test_world(&def);
	oz_material_def rubber = test_elastic(young, 0.3), stone = oz_material_default(OZ_RIGID);
	oz_body_def body = oz_body_default();
	const oz_vec3 point = {0, 0, 0};
	oz_error error = {OZ_OK, ""};
	rubber.implicit = true;
	const oz_id soft = test_add_material(w, &rubber), hard = test_add_material(w, &stone);
	body.join = 1;
	body.points = &point;
	body.count = 1;
	for (int first = 0; first < 2; first++) {
		body.join = 1 + (uint32_t)first;
		snprintf(body.name, sizeof body.name, "one");
		body.material = first ? soft : hard;
		test_must(oz_world_add_body(w, &body, NULL, &error), &error);
		snprintf(body.name, sizeof body.name, "two");
		body.material = first ? hard : soft;
		assert_int_not_equal(oz_world_add_body(w, &body, NULL, &error), OZ_OK);
		assert_string_equal(error.text,
		                    "body 'two' joins 'one', one of them rigid, but the elastic "
		                    "material has implicit true; use implicit false and "
		                    "elasticity corrected");
	}
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_bar_bears_a_stone_and_bounces_with_it),
	        cmocka_unit_test(a_stone_that_is_not_joined_falls),
	        cmocka_unit_test(a_barbell_keeps_its_momentum),
	        cmocka_unit_test(threads_and_snapshots_change_no_bit),
	        cmocka_unit_test(what_cannot_be_joined_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
