// test_pairs.c: every model meets every model.
//
// For each ordered pair a body of the one is thrown at a body of the other in free space, falls on
// one that lies on a floor, and parts from one that it touches. Friction and stickiness are off:
// friction between two solids acts at the centres of two particles and changes angular momentum
// (test_rigid_state).
#include "mixes.h"
#include "models/traits.h"

static const double s = 0.02; // m, spacing

static const char *word(int model)
{
	return oz_model_traits_of((oz_model)model)->word;
}

static oz_world *make_world(oz_pressure pressure, bool gravity)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.threads = 1;
	if (!gravity)
		def.gravity = oz_v3(0, 0, 0);
	return test_world(&def);
}

static const char *name_of(oz_pressure pressure)
{
	return pressure == OZ_PRESSURE_EOS ? "eos" : "incompressible";
}

static oz_id add(oz_world *w, int model, const oz_shape *shape, vec velocity)
{
	const oz_material_def def = test_plain_material((oz_model)model);
	return test_add_any(w, test_add_material(w, &def), shape, velocity);
}

static bool has_shape(int model)
{
	return oz_model_has((oz_model)model, OZ_TRAIT_SHAPED);
}

// rotated, so that no rows of two lattices meet
static oz_shape ball_at(double radius, vec at)
{
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, oz_v3((float)(radius * s), 0, 0));
	ball.position = vec_narrow(at);
	ball.rotation = test_rotation(vec_of(1, 2, 0.5), 0.7);
	return ball;
}

static oz_shape block_at(vec at, double edge)
{
	const double half = 0.5 * edge * s;
	return test_box(vec_mad(at, vec_of(half, half, half), -1),
	                vec_mad(at, vec_of(half, half, half), 1));
}

// two fluids with links would be linked where they touch
static void keep_apart(oz_world *w)
{
	const oz_adhesion_def apart = {.material = 0, .other = 1, .sticks = false};
	test_must(oz_world_add_adhesion(w, &apart, NULL), NULL);
}

// ---- in free space -----------------------------------------------------------------------------

typedef struct meeting {
	double linear, angular; // greatest change of momentum over Σ m |v| and Σ m |r × v|
	double fastest;         // m/s
	double energy;          // kinetic, greatest over that of the start
	double open;            // least openness, see below
	double slowed;          // share of the speed that the thrown one lost
	bool finite;
} meeting;

#define OPEN 0.25 // openness of what is outside

// How little the particle i is surrounded by another body with a shape of its own: the length of
// the sum of the ways to that body's particles within 2.2 spacings over the sum of their lengths.
// It is 0 in the middle of it, about a half at a flat side.
static double openness(const test_particles *all, uint32_t i, oz_id body)
{
	vec sum = vec_of(0, 0, 0);
	double lengths = 0;
	uint32_t count = 0;
	for (uint32_t j = 0; j < all->count; j++) {
		const vec way = vec_sub(all->at[j].x, all->at[i].x);
		const double r = vec_length(way);
		if (all->at[j].body != body || r > 2.2 * s)
			continue;
		sum = vec_mad(sum, way, 1);
		lengths += r;
		count++;
	}
	return count < 8 ? INFINITY : vec_length(sum) / lengths;
}

// the least openness of a particle of one body within the other, if that has a shape and is full
static double openness_of(const test_particles *all, const int models[2])
{
	double least = INFINITY;
	for (uint32_t i = 0; i < all->count; i++) {
		const oz_id other = 1 - all->at[i].body;
		if (has_shape(models[other]) && models[other] != OZ_MEMBRANE)
			least = fmin(least, openness(all, i, other));
	}
	return least;
}

// what openness measures: a drop inside a block is enclosed, one on its side is not
static void a_drop_inside_a_block_is_seen(void **state)
{
	(void)state;
	static const int models[2] = {OZ_RIGID, OZ_FLUID};
	for (int k = 0; k < 2; k++) {
		oz_world *w = make_world(OZ_PRESSURE_EOS, false);
		const oz_shape block = block_at(vec_of(0, 0, 0), 5),
		               drop = block_at(vec_of((k ? 3 : 1.1) * s, 0.3 * s, 0.1 * s), 1);
		add(w, OZ_RIGID, &block, vec_of(0, 0, 0));
		add(w, OZ_FLUID, &drop, vec_of(0, 0, 0));
		test_particles all = test_particles_read(w);
		const double open = openness_of(&all, models);
		test_particles_free(&all);
		oz_world_destroy(w);
		assert_true((open > OPEN) == (k == 1));
	}
}

typedef struct momenta {
	vec linear, angular;
	double energy;
} momenta;

static momenta momenta_of(oz_world *w)
{
	const oz_stats st = test_stats(w);
	momenta m = {vec_of(st.momentum[0], st.momentum[1], st.momentum[2]),
	             vec_of(st.angular_momentum[0], st.angular_momentum[1], st.angular_momentum[2]),
	             st.kinetic_energy};
	for (oz_id body = 0; body < 2; body++)
		m.angular = vec_mad(m.angular, test_own_momentum(w, body), 1);
	return m;
}

// Shape matching changes momentum by rounding, by up to this share.
static double momentum_bound(int a, int b)
{
	return a == OZ_BLEND || b == OZ_BLEND ? 5e-5 : 1e-5;
}

enum { LOOKS = 12 };
#define SPEED 1.0

static meeting throw_at(oz_pressure pressure, int thrown, int at_rest)
{
	oz_world *w = make_world(pressure, false);
	const oz_shape ball = ball_at(2.6, vec_of(-6 * s, 0.5 * s, 0.3 * s)),
	               other = ball_at(2.9, vec_of(0, 0, 0));
	add(w, thrown, &ball, vec_of(SPEED, 0, 0));
	add(w, at_rest, &other, vec_of(0, 0, 0));
	// what flies apart has at most the momentum of both masses at this speed; the sum of both
	// radii is 5.5 spacings
	const double scale = test_stats(w).mass * SPEED, arm = scale * 3 * s;
	const momenta before = momenta_of(w);
	const int models[2] = {thrown, at_rest};
	meeting m = {.open = INFINITY, .finite = true};
	vec x, v;
	for (int k = 1; k <= LOOKS; k++) {
		test_run_until(w, 0.24 * k / LOOKS);
		const momenta now = momenta_of(w);
		test_particles all = test_particles_read(w);
		m.linear = fmax(m.linear, vec_length(vec_sub(now.linear, before.linear)) / scale);
		m.angular = fmax(m.angular, vec_length(vec_sub(now.angular, before.angular)) / arm);
		m.energy = fmax(m.energy, now.energy / before.energy);
		m.fastest = fmax(m.fastest, test_top_speed(w));
		m.open = fmin(m.open, openness_of(&all, models));
		m.finite = m.finite && test_particles_finite(&all);
		test_particles_free(&all);
	}
	test_mean_of(w, 0, &x, &v);
	m.slowed = 1 - v.x / SPEED;
	test_mean_of(w, 1, &x, &v);
	oz_world_destroy(w);
	return m;
}

static uint32_t meet_in_space(oz_pressure pressure)
{
	uint32_t wrong = 0;
	for (int a = 0; a < OZ_MODEL_COUNT; a++)
		for (int b = 0; b < OZ_MODEL_COUNT; b++) {
			const meeting m = throw_at(pressure, a, b);
			const double bound = momentum_bound(a, b);
			// the speed is that of a light body that a heavy one hits
			const bool good = m.finite && m.linear < bound && m.angular < bound &&
			                  m.energy < 1.01 && m.fastest < sqrt(2) * 2 * SPEED &&
			                  m.open > OPEN && m.slowed > 0.05;
			print_message("%s %-14s %-9s at %-9s momentum %.0e angular %.0e energy "
			              "%.2f "
			              "fastest %.2f open %.2f slowed %.2f\n",
			              good ? "    " : "BAD ", name_of(pressure), word(a), word(b),
			              m.linear, m.angular, m.energy, m.fastest, m.open, m.slowed);
			wrong += !good;
		}
	return wrong;
}

static void any_two_models_meet_in_space_and_keep_momentum(void **state)
{
	(void)state;
	uint32_t wrong = meet_in_space(OZ_PRESSURE_EOS);
	if (test_is_long())
		wrong += meet_in_space(OZ_PRESSURE_INCOMPRESSIBLE);
	assert_int_equal(wrong, 0);
}

// ---- parting -----------------------------------------------------------------------------------

// Two blocks that touch move apart. Returns the least of what each kept of its speed.
static double part(oz_pressure pressure, int a, int b, double sticky)
{
	oz_world *w = make_world(pressure, false);
	oz_material_def one = test_plain_material((oz_model)a),
	                two = test_plain_material((oz_model)b);
	if (a == OZ_LINKS)
		one.sticky = (float)sticky;
	if (b == OZ_LINKS)
		two.sticky = (float)sticky;
	const oz_id m1 = test_add_material(w, &one), m2 = test_add_material(w, &two);
	// the skin of a membrane is half a spacing thick on each side
	const oz_shape left = a == OZ_MEMBRANE ? ball_at(2, vec_of(-2.5 * s, 0, 0))
	                                       : block_at(vec_of(-2 * s, 0, 0), 4),
	               right = b == OZ_MEMBRANE ? ball_at(2, vec_of(2.5 * s, 0, 0))
	                                        : block_at(vec_of(2 * s, 0, 0), 4);
	test_add_any(w, m1, &left, vec_of(-0.5, 0, 0));
	test_add_any(w, m2, &right, vec_of(0.5, 0, 0));
	if (sticky == 0 && (a == OZ_LINKS || b == OZ_LINKS))
		keep_apart(w);
	test_run_until(w, 0.1);
	vec x, v, u;
	test_mean_of(w, 0, &x, &v);
	test_mean_of(w, 1, &x, &u);
	oz_world_destroy(w);
	return fmin(-v.x, u.x) / 0.5;
}

static uint32_t part_all(oz_pressure pressure)
{
	uint32_t wrong = 0;
	for (int a = 0; a < OZ_MODEL_COUNT; a++)
		for (int b = 0; b < OZ_MODEL_COUNT; b++) {
			const double kept = part(pressure, a, b, 0);
			// a thick fluid holds what it touches by its viscosity, within the
			// support radius: polymer solutions have 600 Pa·s here. It takes a light
			// membrane with it
			const bool thick = a == OZ_POLYMER || b == OZ_POLYMER;
			if (kept > 0.9 && kept < 1.02)
				continue;
			const bool light = a == OZ_MEMBRANE || b == OZ_MEMBRANE;
			const bool known = thick && kept > (light ? -1.5 : 0) && kept < 0.9;
			print_message("%s %s %s and %s part with %.3f of their speed\n",
			              known ? "thick" : "BAD ", name_of(pressure), word(a), word(b),
			              kept);
			wrong += !known;
		}
	return wrong;
}

static void what_does_not_stick_parts_freely(void **state)
{
	(void)state;
	uint32_t wrong = part_all(OZ_PRESSURE_EOS);
	if (test_is_long())
		wrong += part_all(OZ_PRESSURE_INCOMPRESSIBLE);
	assert_int_equal(wrong, 0);
	// the opposite: slime that sticks holds solids back
	for (int b = 0; b < OZ_MODEL_COUNT; b++) {
		const double kept = part(OZ_PRESSURE_EOS, OZ_LINKS, b, 1e5);
		print_message("slime that sticks to %s: %.3f of the speed is left\n", word(b),
		              kept);
		assert_true(kept < 0.7 || !has_shape(b));
	}
}

// ---- falling -----------------------------------------------------------------------------------

enum { WIDE = 6, HIGH = 16 };

typedef struct landing {
	double outside; // spacings, how far the farthest particle is outside the vessel
	double fastest; // m/s
	double above;   // spacings from the mean height of the lower body to that of the upper one
	double open;    // least openness
	double hollow;  // spacings from the centre of a membrane to the nearest particle of the
	                // other
	bool finite;
} landing;

// how far the nearest particle of another body is from the centre of this one
static double nearest_to_centre(oz_world *w, const test_particles *all, oz_id body)
{
	vec centre, v;
	double least = INFINITY;
	test_mean_of(w, body, &centre, &v);
	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i].body != body)
			least = fmin(least, vec_length(vec_sub(all->at[i].x, centre)));
	return least / s;
}

static double outside_of(const test_particles *all)
{
	double most = -INFINITY;
	for (uint32_t i = 0; i < all->count; i++) {
		const vec x = all->at[i].x;
		const double side = fmax(fabs(x.x), fabs(x.z)) - 0.5 * WIDE * s;
		most = fmax(most, fmax(side, fmax(-x.y, x.y - HIGH * s)));
	}
	return most / s;
}

static void look(oz_world *w, int falls, int lies, landing *l)
{
	const int models[2] = {lies, falls};
	test_particles all = test_particles_read(w);
	vec x, y, v;
	l->finite = l->finite && test_particles_finite(&all);
	l->outside = fmax(l->outside, outside_of(&all));
	l->fastest = fmax(l->fastest, test_top_speed(w));
	l->open = fmin(l->open, openness_of(&all, models));
	if (falls == OZ_MEMBRANE)
		l->hollow = fmin(l->hollow, nearest_to_centre(w, &all, 1));
	if (lies == OZ_MEMBRANE)
		l->hollow = fmin(l->hollow, nearest_to_centre(w, &all, 0));
	test_mean_of(w, 0, &x, &v);
	test_mean_of(w, 1, &y, &v);
	l->above = fmin(l->above, (y.y - x.y) / s);
	test_particles_free(&all);
}

// A body falls on another in a vessel that is hardly wider than they are.
static landing fall(oz_pressure pressure, int falls, int lies)
{
	oz_world *w = make_world(pressure, true);
	test_add_tank(w, vec_of(-0.5 * WIDE * s, 0, -0.5 * WIDE * s),
	              vec_of(0.5 * WIDE * s, HIGH * s, 0.5 * WIDE * s));
	const oz_shape ball = ball_at(2.4, vec_of(0.1 * s, 9 * s, 0)),
	               round = ball_at(2.4, vec_of(0, 2.9 * s, 0)),
	               block = block_at(vec_of(0, 2.5 * s, 0), 5);
	add(w, lies, lies == OZ_MEMBRANE ? &round : &block, vec_of(0, 0, 0));
	add(w, falls, &ball, vec_of(0, -SPEED, 0));
	landing l = {.outside = -INFINITY,
	             .above = INFINITY,
	             .open = INFINITY,
	             .hollow = INFINITY,
	             .finite = true};
	for (int k = 1; k <= LOOKS; k++) {
		test_run_until(w, 0.3 * k / LOOKS);
		look(w, falls, lies, &l);
	}
	oz_world_destroy(w);
	return l;
}

static uint32_t fall_all(oz_pressure pressure)
{
	// an impact may give the energy of both bodies to one of them
	const double bound = sqrt(2 * (SPEED * SPEED + 2 * GRAVITY * 12 * s));
	uint32_t wrong = 0;
	for (int a = 0; a < OZ_MODEL_COUNT; a++)
		for (int b = 0; b < OZ_MODEL_COUNT; b++) {
			const landing l = fall(pressure, a, b);
			const bool good = l.finite && l.outside < 0 && l.fastest < bound &&
			                  l.hollow > 0.8 && l.open > OPEN &&
			                  (l.above > 1.5 || !(has_shape(a) && has_shape(b)));
			print_message("%s %-14s %-9s on %-9s outside %.2f fastest %.2f open %.2f "
			              "above %.2f hollow %.2f\n",
			              good ? "    " : "BAD ", name_of(pressure), word(a), word(b),
			              l.outside, l.fastest, l.open, l.above, l.hollow);
			wrong += !good;
		}
	return wrong;
}

static void nothing_that_falls_passes_what_lies_below(void **state)
{
	(void)state;
	uint32_t wrong = fall_all(OZ_PRESSURE_EOS);
	if (test_is_long())
		wrong += fall_all(OZ_PRESSURE_INCOMPRESSIBLE);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_drop_inside_a_block_is_seen),
	        cmocka_unit_test(any_two_models_meet_in_space_and_keep_momentum),
	        cmocka_unit_test(nothing_that_falls_passes_what_lies_below),
	        cmocka_unit_test(what_does_not_stick_parts_freely),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
