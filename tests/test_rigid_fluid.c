// test_rigid_fluid.c: rigid bodies in water: floating, sinking, holding it.
#include "worlds.h"

static const double s = 0.02; // m, spacing

static oz_world_def water_def(oz_pressure pressure)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = 1;
	return def;
}

static oz_id add_rigid(oz_world *w, double density, bool fixed)
{
	oz_material_def def = oz_material_default(OZ_RIGID);
	def.density = (float)density;
	def.fixed = fixed;
	return test_add_material(w, &def);
}

static oz_rigid_state get(oz_world *w, oz_id body)
{
	oz_error error = {OZ_OK, ""};
	oz_rigid_state state;
	test_must(oz_world_get_rigid(w, body, &state, &error), &error);
	return state;
}

// ---- floating ----------------------------------------------------------------------------------

typedef struct pool {
	oz_world *w;
	oz_id body;
	double volume, water, area; // m³, of the body and of the water; m²
} pool;

enum { WIDE = 16, DEEP = 12, ACROSS = 8 };

static bool is_free(const void *context, vec x)
{
	const oz_shape *shape = context;
	return oz_shape_distance(shape, vec_narrow(x)) > (float)(0.5 * s);
}

// water with a body in it at that height
static pool make_pool(oz_pressure pressure, oz_shape shape, double density, double height)
{
	const oz_world_def def = water_def(pressure);
	pool p = {.w = test_world(&def), .area = WIDE * WIDE * s * s};
	test_add_wall(p.w, test_box(vec_of(0, 0, 0), vec_of(WIDE * s, 3 * DEEP * s, WIDE * s)),
	              true, NULL, 0);
	shape.position = vec_narrow(vec_of(0.5 * WIDE * s, height, 0.5 * WIDE * s));
	test_add_lattice(p.w, test_water(p.w), vec_of(0, 0, 0),
	                 vec_of(WIDE * s, DEEP * s, WIDE * s), is_free, &shape);
	const uint32_t water = oz_world_particle_count(p.w);
	p.body = test_add_filled(p.w, add_rigid(p.w, density, false), &shape, OZ_FILL_LATTICE);
	p.water = water * s * s * s;
	p.volume = (oz_world_particle_count(p.w) - water) * s * s * s;
	return p;
}

// depth of the lowest point below the surface of a ball of radius r of which that volume is below
static double ball_depth(double r, double volume)
{
	double low = 0, high = 2 * r;
	for (int k = 0; k < 60; k++) {
		const double d = 0.5 * (low + high);
		*(PI * d * d * (r - d / 3) < volume ? &low : &high) = d;
	}
	return low;
}

// height of the centre by Archimedes
static double floating_height(const pool *p, bool ball, double density, double *level)
{
	const double below = density / 1000 * p->volume;
	*level = (p->water + below) / p->area;
	if (ball) {
		const double r = cbrt(p->volume * 3 / (4 * PI));
		return *level - ball_depth(r, below) + r;
	}
	return *level - density / 1000 * 0.5 * ACROSS * s + 0.25 * ACROSS * s;
}

static void float_one(oz_pressure pressure, bool ball, double density, double until)
{
	oz_shape shape =
	        ball ? oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(0.5 * ACROSS * s), 0, 0))
	             : oz_shape_make(OZ_SHAPE_BOX,
	                             vec_narrow(vec_of(ACROSS * s, 0.5 * ACROSS * s, ACROSS * s)));
	pool p = make_pool(pressure, shape, density, DEEP * s);
	double sum = 0, level, force = 0, shake = 0;
	int n = 0;
	test_run_until(p.w, 0.6 * until);
	while (oz_world_time(p.w) < until) {
		test_steps(p.w, 1);
		const oz_rigid_state r = get(p.w, p.body);
		sum += r.position[1];
		force += r.force[1] / (r.mass * GRAVITY);
		shake = fmax(shake, fabs(r.velocity[1]));
		n++;
	}
	const double want = floating_height(&p, ball, density, &level);
	const oz_rigid_state r = get(p.w, p.body);
	print_message("%s %s %g: %llu steps, centre %.3f of %.3f spacings: %.2f %% of its "
	              "diameter; force %.4f, speed at most %.4f, tilt %.3f; volume %.3f\n",
	              pressure == OZ_PRESSURE_EOS ? "eos" : "inc", ball ? "ball" : "box", density,
	              (unsigned long long)oz_world_step_count(p.w), sum / n / s, want / s,
	              100 * (sum / n - want) / (ACROSS * s), force / n, shake,
	              sqrt(r.rotation[0] * r.rotation[0] + r.rotation[2] * r.rotation[2]),
	              p.volume / (s * s * s));
	oz_world_destroy(p.w);
}

static void floats(void **state)
{
	(void)state;
	static const double densities[] = {500, 100, 900, 10};
	for (int k = 0; k < 2; k++)
		for (int ball = 0; ball < 2; ball++)
			for (int n = 0; n < 4; n++)
				float_one(k ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE, ball,
				          densities[n], k ? 1 : 1.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(floats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
