// test_elastic_coarse.c: elastic bodies of four to six particles across against theory.
//
// What holds down zigzags is as stiff as makes up for what gradients over neighbours miss
// (elastic_fit.cl). Cantilevers sag as Timoshenko's and bars twist as Saint-Venant's, whatever
// Poisson's ratio is and in whatever order the particles are.
#include "elastic.h"

#define YOUNG   1e5   // Pa
#define DENSE   1000  // kg/m³
#define THICK   0.1   // m, of a lattice
#define CLAMPED 3     // spacings that a handle holds
#define BEFORE  0.195 // `hourglass` that is as stiff as 0.1 E, with a ratio of 0.3

typedef enum order {
	LATTICE,
	TURNED_ALONG,  // by 45 degrees about the beam: its surfaces are diagonal layers
	TURNED_ACROSS, // by 45 degrees about its breadth: upper and lower surface are
	HEXAGONAL      // layers of a close packing
} order;

// a bar along x; layers across it, up and to the side
typedef struct bar {
	order order;
	int up, side;
	double poisson, hourglass;
	double slender; // length over height
} bar;

// the pitches of an order, in spacings, along x, y and z
static vec pitch_of(order o)
{
	const double a = pow(2, 1.0 / 6), r = sqrt(0.5);
	static const vec even = {1, 1, 1};
	return o == TURNED_ALONG    ? vec_of(1, r, r)
	       : o == TURNED_ACROSS ? vec_of(r, r, 1)
	       : o == HEXAGONAL     ? vec_of(0.5 * a, a * sqrt(2.0 / 3), 0.5 * sqrt(3) * a)
	                            : even;
}

// whether an order has a particle there
static bool is_taken(order o, int x, int y, int z)
{
	return o == LATTICE         ? true
	       : o == TURNED_ALONG  ? (y + z) % 2 == 0
	       : o == TURNED_ACROSS ? (x + y + 1000) % 2 == 0
	                            : (x + y + z + 1000) % 2 == 0;
}

typedef struct built {
	oz_world *world;
	double spacing, pitch, length, high, broad; // m; pitch along x
	test_particles rest;
} built;

// from -CLAMPED spacings to its length, and to CLAMPED spacings more if it is held there, too
static built build(const bar *b, double gravity, bool both_ends)
{
	const vec pitch = pitch_of(b->order);
	built made = {.spacing = THICK / (b->up * pitch.y)};
	const double s = made.spacing;
	made.pitch = pitch.x * s;
	made.high = b->up * pitch.y * s;
	made.broad = b->side * pitch.z * s;
	const int held = (int)ceil(CLAMPED / pitch.x);
	const int along = (int)round(b->slender * made.high / made.pitch);
	made.length = along * made.pitch;
	const int end = along + (both_ends ? held : 0);
	oz_vec3 *points = malloc(sizeof *points * (size_t)((held + end) * b->up * b->side));
	assert_non_null(points);
	uint32_t count = 0;
	for (int x = -held; x < end; x++)
		for (int y = 0; y < b->up; y++)
			for (int z = 0; z < b->side; z++) {
				// the rows of a close packing's layers lie between those of the
				// next
				const double shift =
				        b->order == HEXAGONAL ? (y % 2 ? 1 : -1) / 6.0 : 0;
				if (is_taken(b->order, x, y, z))
					points[count++] = vec_narrow(
					        vec_of((x + 0.5) * made.pitch,
					               (y + 0.5 - 0.5 * b->up) * pitch.y * s,
					               (z + 0.5 - 0.5 * b->side + shift) * pitch.z *
					                       s));
			}
	oz_world_def def = test_space_def(s);
	def.gravity.y = (float)-gravity;
	def.time_step = 0.02f;
	made.world = test_world(&def);
	oz_material_def m = test_elastic(YOUNG, b->poisson);
	m.implicit = true;
	m.hourglass = (float)b->hourglass;
	test_add_points(made.world, test_add_material(made.world, &m), points, count,
	                (oz_vec3){0, 0, 0});
	free(points);
	made.rest = test_particles_read(made.world);
	test_add_handle(made.world, vec_of(-1, -1, -1), vec_of(0, 1, 1), NULL, 0, 1e9);
	return made;
}

static void destroy(built *b)
{
	test_particles_free(&b->rest);
	oz_world_destroy(b->world);
}

// ---- cantilevers -------------------------------------------------------------------------------

// m, Timoshenko's, in the middle of the last layer; clamped where the last held layer is
static double sag_in_theory(const bar *b, const built *made, double gravity)
{
	const double H = made->high, A = H * made->broad, I = A * H * H / 12;
	const double L = made->length + 0.5 * made->pitch, x = made->length;
	const double q = DENSE * gravity * A, nu = b->poisson, G = 0.5 * YOUNG / (1 + nu);
	const double k = 10 * (1 + nu) / (12 + 11 * nu);
	return q * x * x * (6 * L * L - 4 * L * x + x * x) / (24 * YOUNG * I) +
	       q * (L * x - 0.5 * x * x) / (k * G * A);
}

// sag of the last layer, over theory
static double sag(bar b)
{
	const double gravity = 6.25 / (b.slender * b.slender * b.slender);
	built made = build(&b, gravity, false);
	const uint32_t steps = test_settle(made.world, 1e-6, 600);
	test_particles now = test_particles_read(made.world);
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < now.count; i++)
		if (made.rest.at[i].x.x > made.length - made.pitch) {
			sum += made.rest.at[i].x.y - now.at[i].x.y;
			count++;
		}
	const double ratio = sum / count / sag_in_theory(&b, &made, gravity);
	print_message("order %d, %.2f x %.2f spacings, length %g heights, nu %.2f, hourglass %g: "
	              "%u "
	              "particles, %u steps, sags %.4f of theory\n",
	              b.order, made.high / made.spacing, made.broad / made.spacing, b.slender,
	              b.poisson, b.hourglass, now.count, steps, ratio);
	assert_true(steps < 600);
	test_particles_free(&now);
	destroy(&made);
	return ratio;
}

static void a_coarse_cantilever_sags_as_timoshenko_s(void **state)
{
	(void)state;
	static const double poissons[] = {0.3, 0.45, 0, 0.15, 0.4};
	for (int k = 0; k < (test_is_long() ? 5 : 2); k++) {
		test_near(sag((bar){LATTICE, 4, 4, poissons[k], 1, 10}), 1, 0.04,
		          "sag, 4 across, over theory");
		test_near(sag((bar){LATTICE, 6, 6, poissons[k], 1, 10}), 1, 0.02,
		          "sag, 6 across, over theory");
	}
	if (test_is_long())
		for (int layers = 5; layers <= 10; layers++)
			test_near(sag((bar){LATTICE, layers, layers, 0.3, 1, 10}), 1,
			          layers < 6 ? 0.04 : 0.02, "sag, over theory");
	test_near(sag((bar){LATTICE, 4, 8, 0.3, 1, 10}), 1, 0.04, "sag of a broad bar");
	// the opposite: with a fifth of the stiffness a bar is a quarter too soft
	assert_true(sag((bar){LATTICE, 4, 4, 0.3, BEFORE, 10}) > 1.2);
}

static void its_sag_depends_little_on_the_order_of_particles(void **state)
{
	(void)state;
	test_near(sag((bar){TURNED_ALONG, 6, 6, 0.3, 1, 10}), 1, 0.04, "sag, turned along");
	test_near(sag((bar){HEXAGONAL, 5, 5, 0.3, 1, 10}), 1, 0.05, "sag, hexagonal");
	// layers of half as many particles, half a diagonal apart: a surface of pairs
	test_near(sag((bar){TURNED_ACROSS, 6, 4, 0.3, 1, 10}), 1, 0.1, "sag, turned across");
	if (!test_is_long())
		return;
	test_near(sag((bar){TURNED_ALONG, 8, 8, 0.3, 1, 10}), 1, 0.04, "sag, turned along");
	test_near(sag((bar){HEXAGONAL, 4, 4, 0.3, 1, 10}), 1, 0.05, "sag, hexagonal");
	test_near(sag((bar){TURNED_ACROSS, 8, 6, 0.3, 1, 10}), 1, 0.08, "sag, turned across");
}

// ---- twist -------------------------------------------------------------------------------------

// rad, by which the particles near x have turned about the axis
static double angle_at(const built *made, const test_particles *now, double x)
{
	double turned = 0, size = 0;
	for (uint32_t i = 0; i < now->count; i++) {
		const vec r = made->rest.at[i].x, u = vec_sub(now->at[i].x, r);
		if (fabs(r.x - x) > 0.6 * made->pitch)
			continue;
		turned += r.y * u.z - r.z * u.y;
		size += r.y * r.y + r.z * r.z;
	}
	return turned / size;
}

// N m, that the far end is held with
static double torque_of(const built *made)
{
	vec *pushes = test_elastic_forces(made->world);
	double sum = 0;
	for (uint32_t i = 0; i < made->rest.count; i++) {
		const vec r = made->rest.at[i].x;
		if (r.x > made->length)
			sum -= r.y * pushes[i].z - r.z * pushes[i].y;
	}
	free(pushes);
	return sum * (double)oz_particle_mass(&made->world->sim, 0);
}

// twist of the middle third, over that of a square bar by Saint-Venant's torsion
static double twist(bar b)
{
	built made = build(&b, 0, true);
	const double end = 0.02, L = made.length;
	const float far = (float)(L + 1);
	const oz_keyframe frames[] = {{0, {far, 0, 0}, {0, 0, 0, 1}},
	                              {0.2f,
	                               {far, 0, 0},
	                               {(float)sin(0.5 * end), 0, 0, (float)cos(0.5 * end)}}};
	test_add_handle(made.world, vec_of(L, -1, -1), vec_of(L + 2, 1, 1), frames, 2, 1e9);
	test_steps(made.world, 12);
	const uint32_t steps = test_settle(made.world, 1e-5, 400);
	test_particles now = test_particles_read(made.world);
	const double rate =
	        (angle_at(&made, &now, 2 * L / 3) - angle_at(&made, &now, L / 3)) / (L / 3);
	const double G = 0.5 * YOUNG / (1 + b.poisson), J = 0.140577 * pow(made.high, 4);
	const double ratio = rate * G * J / torque_of(&made);
	print_message("%d across, nu %.2f, hourglass %g: %u steps, twists %.4f of theory\n", b.up,
	              b.poisson, b.hourglass, steps, ratio);
	assert_true(steps < 400);
	test_particles_free(&now);
	destroy(&made);
	return ratio;
}

static void a_coarse_bar_twists_as_saint_venant_s(void **state)
{
	(void)state;
	test_near(twist((bar){LATTICE, 4, 4, 0.3, 1, 6}), 1, 0.12, "twist, 4 across");
	test_near(twist((bar){LATTICE, 6, 6, 0.3, 1, 6}), 1, 0.04, "twist, 6 across");
	if (test_is_long())
		test_near(twist((bar){LATTICE, 8, 8, 0.45, 1, 6}), 1, 0.03, "twist, 8 across");
	// the opposite
	assert_true(twist((bar){LATTICE, 4, 4, 0.3, BEFORE, 6}) > 1.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_coarse_cantilever_sags_as_timoshenko_s),
	        cmocka_unit_test(its_sag_depends_little_on_the_order_of_particles),
	        cmocka_unit_test(a_coarse_bar_twists_as_saint_venant_s),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
