// test_wall_slip.c: a viscous fluid goes with its walls.
//
// Between two cylinders of which the inner one turns (Taylor 1923), slowly and with free ends, a
// steady flow has the speed a r + b / r, with a and b from the walls' speeds, and the torque
// 4 π μ b on each of them for each metre of height. A box that turns takes its fluid along; a wall
// may let it slip.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_world *make_world(void)
{
	oz_world_def def = oz_world_default();
	def.threads = 1;
	def.gravity = (oz_vec3){0, 0, 0};
	return test_world(&def);
}

enum { SECONDS = 2, KEYS = 80, INNER = 8, HIGH = 4, RINGS = 16 };
static const double rate = 0.5; // rad/s of the inner cylinder, for SECONDS seconds

// two cylinders: their gap in spacings, and what is between them
typedef struct gap {
	int rings;
	double viscosity; // Pa·s
	bool slip;        // along the inner cylinder
	bool sdf;
} gap;

// rings of particles between the cylinders; gives their number
static uint32_t fill_gap(oz_world *w, const gap *g)
{
	static oz_vec3 points[12000];
	const uint32_t count = test_rings(s, INNER, g->rings, HIGH, points);
	const oz_id fluid = test_add_liquid(w, 1000, (float)g->viscosity, 0.05f);
	test_add_points(w, fluid, points, count, (oz_vec3){0, 0, 0});
	return count;
}

// the mean speed around the axis, and radius, of each ring
typedef struct swirl {
	double ring[RINGS], radius[RINGS];
	uint32_t count[RINGS];
} swirl;

static swirl look(oz_world *w, int rings)
{
	swirl f = {0};
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x, v = all.at[i].v;
		const double r = hypot(x.x, x.z);
		const int k = (int)(r / s) - INNER;
		assert_in_range(k, 0, rings - 1);
		f.ring[k] += (v.x * x.z - v.z * x.x) / r, f.radius[k] += r, f.count[k]++;
	}
	for (int k = 0; k < rings; k++)
		f.ring[k] /= f.count[k], f.radius[k] /= f.count[k];
	test_particles_free(&all);
	return f;
}

// the flow a r + b/r between the walls
typedef struct theory {
	double a, b, torque;
} theory;

static theory theory_of(const gap *g, uint32_t count)
{
	const double r1 = INNER * s, r2 = (INNER + g->rings) * s;
	const double b = rate * r1 / (1 / r1 - r1 / (r2 * r2));
	const double high = count * s * s * s / (PI * (r2 * r2 - r1 * r1));
	return (theory){-b / (r2 * r2), b, 4 * PI * g->viscosity * high * b};
}

static oz_world *make_gap(const gap *g, uint32_t *count)
{
	oz_world *w = make_world();
	const float high = 40 * (float)s;
	oz_shape outer = oz_shape_make(OZ_SHAPE_CYLINDER,
	                               (oz_vec3){(float)((INNER + g->rings) * s), high, 0});
	oz_shape inner = oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){INNER * (float)s, high, 0});
	if (g->sdf)
		outer = test_sdf_shape(&outer, s), inner = test_sdf_shape(&inner, s);
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){(float)SECONDS * (float)k / KEYS,
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), rate * SECONDS * k / KEYS)};
	test_add_wall(w, outer, true, NULL, 0);
	oz_collider_def rod = oz_collider_default(inner);
	rod.keyframes = keys;
	rod.keyframe_count = KEYS + 1;
	rod.load = true;
	rod.slip = g->slip;
	test_add_collider(w, &rod);
	oz_sdf_release(inner.sdf);
	oz_sdf_release(outer.sdf);
	*count = fill_gap(w, g);
	return w;
}

// stirs for that long, then holds torque and speeds against theory
static void stir(gap g, double time)
{
	uint32_t count;
	oz_world *w = make_gap(&g, &count);
	const theory t = theory_of(&g, count);
	test_run_until(w, time);
	test_load(w, 0), test_load(w, 1);
	test_run_until(w, 1.25 * time);
	const swirl f = look(w, g.rings);
	const oz_load out = test_load(w, 0), in = test_load(w, 1);
	print_message("gap %d, %g Pa·s%s: torque %.4f inside, %.4f outside\n", g.rings, g.viscosity,
	              g.sdf ? ", sdf" : "", -in.torque[1] / t.torque, out.torque[1] / t.torque);
	// 2 %: the claim, for torque and speeds
	test_near(-in.torque[1] / t.torque, 1, 0.02, "torque inside over theory");
	test_near(out.torque[1] / t.torque, 1, 0.02, "torque outside over theory");
	double worst = 0;
	for (int k = 0; k < g.rings; k++)
		worst = fmax(worst, fabs(f.ring[k] - t.a * f.radius[k] - t.b / f.radius[k]));
	worst /= rate * INNER * s;
	print_message("  speed of a ring: at most %.4f of the rim's off\n", worst);
	test_near(worst, 0, 0.02, "speed of a ring off that of theory, over the rim's");
	// rounding of the keyframes' turns
	test_near(in.work / (-in.torque[1] * rate * in.span), 1, 1e-3, "work over torque and turn");
	oz_world_destroy(w);
}

static void torque_and_flow_between_cylinders_are_those_of_theory(void **state)
{
	(void)state;
	// ten times as long as momentum takes across the gap, or long enough to be steady within 1
	// %
	stir((gap){8, 100, false, false}, 0.25);
	stir((gap){8, 100, false, true}, 0.25);
	if (test_is_long()) {
		stir((gap){8, 1000, false, false}, 0.05);
		stir((gap){12, 100, false, false}, 0.4);
		stir((gap){16, 100, false, false}, 0.6);
	}
}

static void wall_that_slips_freely_bears_no_torque(void **state)
{
	(void)state;
	gap g = {8, 100, true, false};
	uint32_t count;
	oz_world *w = make_gap(&g, &count);
	test_run_until(w, 0.05);
	// of what it bears without slip
	const gap sticky = {8, 100, false, false};
	assert_true(fabs(test_load(w, 1).torque[1]) < 1e-3 * theory_of(&sticky, count).torque);
	oz_world_destroy(w);
}

static void turning_vessel_spins_its_fluid_up_to_its_own_rate(void **state)
{
	(void)state;
	oz_world *w = make_world();
	const float edge = 8 * (float)s;
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){edge, edge, edge});
	const oz_shape vessel = test_sdf_shape(&box, s);
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){0.05f * (float)k,
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), 0.1 * k)};
	test_add_wall(w, vessel, true, keys, KEYS + 1);
	test_add_lattice(w, test_add_liquid(w, 1000, 20, 0.05f), vec_of(-4 * s, -4 * s, -4 * s),
	                 vec_of(4 * s, 4 * s, 4 * s), NULL, NULL);
	test_run_until(w, 1.5);
	test_particles all = test_particles_read(w);
	double moment = 0, lever = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x, v = all.at[i].v;
		moment += v.x * x.z - v.z * x.x, lever += x.x * x.x + x.z * x.z;
	}
	test_particles_free(&all);
	// 2 %: the shaking of particles in the edges
	test_near(moment / lever / 2, 1, 0.02, "rate of the fluid over the vessel's");
	oz_world_destroy(w);
	oz_sdf_release(vessel.sdf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(torque_and_flow_between_cylinders_are_those_of_theory),
	        cmocka_unit_test(wall_that_slips_freely_bears_no_torque),
	        cmocka_unit_test(turning_vessel_spins_its_fluid_up_to_its_own_rate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
