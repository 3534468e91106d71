// test_wall_slip.c: a viscous fluid goes with its walls.
//
// Between two cylinders of which the inner one turns (Taylor 1923), slowly and with free ends, a
// steady flow has the speed a r + b / r, with a and b from the walls' speeds: where it extrapolates
// to other speeds, the fluid slips. A box that turns takes its fluid along.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_world *make_world(void)
{
	oz_world_def def = oz_world_default();
	def.threads = 1;
	def.gravity = (oz_vec3){0, 0, 0};
	return test_world(&def);
}

enum { KEYS = 40, INNER = 4, OUTER = 10, HIGH = 6, RINGS = OUTER - INNER };
static const double rate = 0.5; // rad/s of the inner cylinder

// rings of particles between the cylinders
static void fill_gap(oz_world *w)
{
	static oz_vec3 points[2000];
	uint32_t count = 0;
	for (int j = 0; j < HIGH; j++)
		for (int k = 0; k < RINGS; k++) {
			const double r = (INNER + k + 0.5) * s;
			const int n = (int)lround(2 * PI * r / s);
			for (int i = 0; i < n; i++) {
				// neither rings nor layers in step with one another
				const double a = 2 * PI * (i + 0.37 * k + 0.5 * (j % 2)) / n;
				const vec p = {r * cos(a), (j + 0.5 - 0.5 * HIGH) * s, r * sin(a)};
				points[count++] = vec_narrow(p);
			}
		}
	test_add_points(w, test_add_liquid(w, 1000, 50, 0), points, count, (oz_vec3){0, 0, 0});
}

// v = a r + b / r around the axis, by least squares, and the means of each ring
typedef struct swirl {
	double a, b, ring[RINGS], radius[RINGS];
	uint32_t count[RINGS];
} swirl;

static swirl look(oz_world *w)
{
	swirl f = {0};
	test_particles all = test_particles_read(w);
	double rr = 0, ii = 0, vr = 0, vi = 0;
	const double n = all.count;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x, v = all.at[i].v;
		const double r = hypot(x.x, x.z), along = (v.x * x.z - v.z * x.x) / r;
		const int k = (int)(r / s) - INNER;
		assert_in_range(k, 0, RINGS - 1);
		f.ring[k] += along, f.radius[k] += r, f.count[k]++;
		rr += r * r, ii += 1 / (r * r), vr += along * r, vi += along / r;
	}
	for (int k = 0; k < RINGS; k++)
		f.ring[k] /= f.count[k], f.radius[k] /= f.count[k];
	f.a = (vr * ii - vi * n) / (rr * ii - n * n);
	f.b = (vi * rr - vr * n) / (rr * ii - n * n);
	test_particles_free(&all);
	return f;
}

static void hold_profile(const swirl *f)
{
	const double r1 = INNER * s, r2 = OUTER * s, rim = rate * r1;
	const double b = rate * r1 * r1 * r2 * r2 / (r2 * r2 - r1 * r1), a = -b / (r2 * r2);
	// 5 % of the rim's speed: the claim, for every ring
	for (int k = 0; k < RINGS; k++)
		test_near((f->ring[k] - a * f->radius[k] - b / f->radius[k]) / rim, 0, 0.05,
		          "speed of a ring off that of theory, over the rim's");
	// slip over the slope of the flow, in spacings: a tenth, where Harada's weight has a half
	test_near((rim - f->a * r1 - f->b / r1) / (2 * f->b / (r1 * r1)) / s, 0, 0.1,
	          "slip length at the inner wall");
	test_near((f->a * r2 + f->b / r2) / (2 * f->b / (r2 * r2)) / s, 0, 0.1,
	          "slip length at the outer wall");
}

static void stir(bool sdf)
{
	oz_world *w = make_world();
	const float high = 40 * (float)s;
	oz_shape outer = oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){OUTER * (float)s, high, 0});
	oz_shape inner = oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){INNER * (float)s, high, 0});
	if (sdf)
		outer = test_sdf_shape(&outer, s), inner = test_sdf_shape(&inner, s);
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){(float)k / KEYS,
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), rate * k / KEYS)};
	test_add_wall(w, outer, true, NULL, 0);
	test_add_wall(w, inner, false, keys, KEYS + 1);
	fill_gap(w);
	// ten times as long as momentum takes across the gap
	test_run_until(w, 0.5);
	test_load(w, 0), test_load(w, 1);
	test_run_until(w, 0.95);
	const swirl f = look(w);
	const oz_load out = test_load(w, 0), in = test_load(w, 1);
	hold_profile(&f);
	// 1 %: what is left of the way to a steady flow
	test_near(-out.torque[1] / in.torque[1], 1, 0.01, "torque outside over that inside");
	// rounding of the keyframes' turns
	test_near(in.work / (-in.torque[1] * rate * in.span), 1, 1e-3, "work over torque and turn");
	oz_world_destroy(w);
	oz_sdf_release(inner.sdf);
	oz_sdf_release(outer.sdf);
}

static void fluid_does_not_slip_between_two_cylinders(void **state)
{
	(void)state;
	stir(false);
	stir(true);
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
	double turn = 0, lever = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x, v = all.at[i].v;
		turn += v.x * x.z - v.z * x.x, lever += x.x * x.x + x.z * x.z;
	}
	test_particles_free(&all);
	// 2 %: the shaking of particles in the edges
	test_near(turn / lever / 2, 1, 0.02, "rate of the fluid over the vessel's");
	oz_world_destroy(w);
	oz_sdf_release(vessel.sdf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(fluid_does_not_slip_between_two_cylinders),
	        cmocka_unit_test(turning_vessel_spins_its_fluid_up_to_its_own_rate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
