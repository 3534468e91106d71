// test_rotation.c: the nearest rotation and the singular values, against an oracle in double.
//
// Matrices of every awkward class are made in double as X diag(s) Yᵀ (X, Y random rotations) and
// rounded to float. The oracle is one-sided Jacobi in double on the rounded matrix: the best that
// tr(Rᵀ A) can be is s₀ + s₁ ± s₂, with the sign of the determinant.
#include "math/rotation.h"
#include "support.h"

#define TOLERANCE 1e-5
#define PER_CLASS 12000

static uint64_t seed = 20240229;

static double uniform(double low, double high)
{
	return low + (high - low) * test_random(&seed);
}

static double power(double low, double high)
{
	return pow(10.0, uniform(low, high));
}

// ---- matrices in double -----------------------------------------------------------------------

typedef struct mat {
	double m[3][3];
} mat;

static mat product(mat a, mat b)
{
	mat c = {0};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				c.m[i][j] += a.m[i][k] * b.m[k][j];
	return c;
}

static mat transpose(mat a)
{
	mat t;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			t.m[i][j] = a.m[j][i];
	return t;
}

static double determinant(mat a)
{
	return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
	       a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
	       a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

// tr(aᵀ b)
static double inner(mat a, mat b)
{
	double sum = 0.0;
	for (int i = 0; i < 9; i++)
		sum += a.m[i / 3][i % 3] * b.m[i / 3][i % 3];
	return sum;
}

static double distance(mat a, mat b)
{
	for (int i = 0; i < 9; i++)
		a.m[i / 3][i % 3] -= b.m[i / 3][i % 3];
	return sqrt(inner(a, a));
}

static mat diagonal(double x, double y, double z)
{
	return (mat){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

static mat widen(oz_mat3 a)
{
	mat d;
	for (int i = 0; i < 9; i++)
		d.m[i / 3][i % 3] = (double)a.m[i / 3][i % 3];
	return d;
}

static oz_mat3 narrow(mat a)
{
	oz_mat3 f;
	for (int i = 0; i < 9; i++)
		f.m[i / 3][i % 3] = (float)a.m[i / 3][i % 3];
	return f;
}

static mat from_quat(double x, double y, double z, double w)
{
	const double n = 2.0 / (x * x + y * y + z * z + w * w);
	return (mat){{{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w)},
	              {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w)},
	              {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y)}}};
}

// the matrix of a quaternion as it is, not scaled to unit length: a bad length must show
static mat from_result(oz_quat q)
{
	const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
	return (mat){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
	              {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
	              {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

static mat random_rotation(void)
{
	for (;;) {
		const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1),
		             w = uniform(-1, 1), n = x * x + y * y + z * z + w * w;
		if (n > 0.01 && n < 1.0)
			return from_quat(x, y, z, w);
	}
}

static void make_orthogonal(mat *a, int p, int q)
{
	double alpha = 0, beta = 0, gamma = 0;
	for (int i = 0; i < 3; i++) {
		alpha += a->m[i][p] * a->m[i][p];
		beta += a->m[i][q] * a->m[i][q];
		gamma += a->m[i][p] * a->m[i][q];
	}
	if (gamma == 0.0)
		return;
	const double zeta = (beta - alpha) / (2.0 * gamma);
	const double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta));
	const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
	for (int i = 0; i < 3; i++) {
		const double b = a->m[i][p];
		a->m[i][p] = c * b - s * a->m[i][q];
		a->m[i][q] = s * b + c * a->m[i][q];
	}
}

// The oracle: singular values in descending order, the last one with the determinant's sign.
static void singular_values(mat a, double s[3])
{
	const double sign = determinant(a) < 0.0 ? -1.0 : 1.0;
	for (int sweep = 0; sweep < 30; sweep++) {
		make_orthogonal(&a, 0, 1);
		make_orthogonal(&a, 0, 2);
		make_orthogonal(&a, 1, 2);
	}
	for (int j = 0; j < 3; j++)
		s[j] = sqrt(a.m[0][j] * a.m[0][j] + a.m[1][j] * a.m[1][j] + a.m[2][j] * a.m[2][j]);
	for (int k = 0; k < 3; k++) {
		const int i = k == 1 ? 1 : 0;
		if (s[i] < s[i + 1]) {
			const double larger = s[i + 1];
			s[i + 1] = s[i];
			s[i] = larger;
		}
	}
	s[2] *= sign;
}

// ---- the classes ------------------------------------------------------------------------------

static mat compose(double x, double y, double z)
{
	const mat left = random_rotation(), right = random_rotation();
	return product(product(left, diagonal(x, y, z)), right);
}

static mat full_rank(void)
{
	return compose(uniform(0.2, 2), uniform(0.2, 2), uniform(0.2, 2));
}

static mat any_entries(void)
{
	mat a;
	for (int i = 0; i < 9; i++)
		a.m[i / 3][i % 3] = uniform(-1, 1);
	return a;
}

static mat flat(void)
{
	return compose(uniform(0.2, 2), uniform(0.2, 2), 0.0);
}

static mat nearly_flat(void)
{
	return compose(1.0, uniform(0.1, 1), uniform(-1, 1) * power(-9, -2));
}

static mat collinear(void)
{
	return compose(uniform(0.2, 2), 0.0, 0.0);
}

static mat nearly_collinear(void)
{
	return compose(1.0, power(-9, -1), uniform(-1, 1) * power(-9, -1));
}

static mat inverted(void)
{
	return compose(uniform(0.2, 2), uniform(0.2, 2), -uniform(0.2, 2));
}

// s₁ = -s₂ and near it: a whole circle of rotations is best
static mat inverted_degenerate(void)
{
	const double s = uniform(0.1, 1);
	const double first = uniform(0, 1) < 0.3 ? s : uniform(s, 2);
	return compose(first, s, -s * (1.0 + uniform(-1, 1) * power(-9, -3)));
}

static mat nearly_equal(void)
{
	const double e = power(-9, -2);
	const double z = uniform(0, 1) < 0.5 ? -1.0 : 1.0;
	return compose(1 + e * uniform(-1, 1), 1 + e * uniform(-1, 1), z + e * uniform(-1, 1));
}

static mat badly_scaled(void)
{
	mat a = uniform(0, 1) < 0.5 ? full_rank() : any_entries();
	const double scale = power(-12, 12);
	for (int i = 0; i < 9; i++)
		a.m[i / 3][i % 3] *= scale;
	return a;
}

static mat mixed_columns(void)
{
	const mat d = diagonal(power(-12, 12), power(-12, 12), power(-12, 12));
	return uniform(0, 1) < 0.5 ? product(any_entries(), d) : product(d, any_entries());
}

static mat whole_numbers(void)
{
	mat a;
	for (int i = 0; i < 9; i++)
		a.m[i / 3][i % 3] = floor(uniform(-1, 2));
	return a;
}

static mat nothing(void)
{
	return uniform(0, 1) < 0.5 ? diagonal(0, 0, 0) : compose(power(-44, -37), 1e-42, 0.0);
}

typedef struct matrix_class {
	const char *name;
	mat (*make)(void);
} matrix_class;

static const matrix_class classes[] = {
        {"full rank", full_rank},
        {"any entries", any_entries},
        {"flat", flat},
        {"nearly flat", nearly_flat},
        {"collinear", collinear},
        {"nearly collinear", nearly_collinear},
        {"inverted", inverted},
        {"inverted, degenerate", inverted_degenerate},
        {"nearly equal", nearly_equal},
        {"badly scaled", badly_scaled},
        {"mixed columns", mixed_columns},
        {"whole numbers", whole_numbers},
        {"nothing", nothing},
};

#define CLASSES (sizeof classes / sizeof *classes)

// ---- checks -----------------------------------------------------------------------------------

static oz_quat random_guess(void)
{
	const double kind = uniform(0, 1);
	if (kind < 0.1)
		return (oz_quat){0, 0, 0, 0};
	if (kind < 0.15)
		return (oz_quat){NAN, INFINITY, 0, -1e38f};
	const float size = (float)(kind < 0.3 ? power(-20, 18) : 1.0);
	return (oz_quat){size * (float)uniform(-1, 1), size * (float)uniform(-1, 1),
	                 size * (float)uniform(-1, 1), size * (float)uniform(-1, 1)};
}

static double improperness(mat r)
{
	const double e = distance(product(transpose(r), r), diagonal(1, 1, 1));
	return fmax(e, fabs(determinant(r) - 1.0));
}

// how far tr(Rᵀ A) is from the best, against the sum of the singular values
static double shortfall(mat r, mat a)
{
	double s[3];
	singular_values(a, s);
	const double sum = s[0] + s[1] + fabs(s[2]);
	return sum > 1e-36 ? fabs(s[0] + s[1] + s[2] - inner(r, a)) / sum : 0.0;
}

static void worst(double *kept, double error, const char *what, const char *name)
{
	if (!(error <= TOLERANCE))
		fail_msg("%s is off by %g for a matrix that is %s", what, error, name);
	*kept = fmax(*kept, error);
}

static void rotation_reaches_the_best_trace_for_every_class(void **state)
{
	(void)state;
	for (size_t k = 0; k < CLASSES; k++) {
		double trace = 0, proper = 0;
		for (int n = 0; n < PER_CLASS; n++) {
			const oz_mat3 a = narrow(classes[k].make());
			const mat r = from_result(oz_rotation_extract(a, random_guess()));
			worst(&proper, improperness(r), "the rotation", classes[k].name);
			worst(&trace, shortfall(r, widen(a)), "tr(R'A)", classes[k].name);
		}
		print_message("%-22s trace %.1e  proper %.1e\n", classes[k].name, trace, proper);
	}
}

static void singular_values_rebuild_every_class_from_proper_rotations(void **state)
{
	(void)state;
	for (size_t k = 0; k < CLASSES; k++) {
		double proper = 0, rebuilt = 0, values = 0;
		for (int n = 0; n < PER_CLASS; n++) {
			const oz_mat3 a = narrow(classes[k].make());
			oz_mat3 u, v;
			oz_vec3 s;
			double best[3];
			oz_svd(a, &u, &s, &v);
			singular_values(widen(a), best);
			const double size = fmax(best[0], 1e-30); // below, it is zero
			const mat d = diagonal((double)s.x, (double)s.y, (double)s.z);
			const mat usv = product(product(widen(u), d), transpose(widen(v)));
			worst(&proper, improperness(widen(u)), "U", classes[k].name);
			worst(&proper, improperness(widen(v)), "V", classes[k].name);
			worst(&rebuilt, distance(usv, widen(a)) / size, "U S V'", classes[k].name);
			worst(&values, fabs((double)s.x - best[0]) / size, "s0", classes[k].name);
			worst(&values, fabs((double)s.y - best[1]) / size, "s1", classes[k].name);
			worst(&values, fabs((double)s.z - best[2]) / size, "s2", classes[k].name);
			assert_true(s.x >= s.y && s.y >= fabsf(s.z));
		}
		print_message("%-22s rebuilt %.1e  values %.1e  proper %.1e\n", classes[k].name,
		              rebuilt, values, proper);
	}
}

// small singular values keep their own digits where the columns carry the scale
static void singular_values_of_scaled_orthogonal_columns_are_relatively_exact(void **state)
{
	(void)state;
	for (int n = 0; n < PER_CLASS; n++) {
		const double x = power(0, 2), y = power(-4, -2), z = power(-8, -6);
		const oz_mat3 a = narrow(product(random_rotation(), diagonal(y, z, x)));
		oz_mat3 u, v;
		oz_vec3 s;
		oz_svd(a, &u, &s, &v);
		assert_true(fabs((double)s.x / x - 1) < TOLERANCE);
		assert_true(fabs((double)s.y / y - 1) < TOLERANCE);
		assert_true(fabs((double)s.z / z - 1) < TOLERANCE);
	}
}

// where the best rotation is unique it is found itself, not only its trace
static void rotation_of_a_stretched_rotation_is_found_whatever_the_guess(void **state)
{
	(void)state;
	for (int n = 0; n < PER_CLASS; n++) {
		const mat rotation = random_rotation(), y = random_rotation();
		const mat stretch = product(product(y, diagonal(uniform(0.5, 2), uniform(0.5, 2),
		                                                uniform(-0.3, 2))),
		                            transpose(y));
		const oz_mat3 a = narrow(product(rotation, stretch));
		const mat r = from_result(oz_rotation_extract(a, random_guess()));
		assert_true(distance(r, rotation) < 2 * TOLERANCE);
	}
}

// a rotation is known to the rounding of A over the gap that sets it apart, s₁ + s₂
static void warm_start_changes_nothing_but_speed(void **state)
{
	(void)state;
	for (size_t k = 0; k < CLASSES; k++)
		for (int n = 0; n < PER_CLASS / 4; n++) {
			double s[3];
			const oz_mat3 a = narrow(classes[k].make());
			singular_values(widen(a), s);
			const double gap = (s[1] + s[2]) / fmax(s[0], 1e-30);
			if (!(gap > 0.01))
				continue;
			const oz_quat cold = oz_rotation_extract(a, oz_quat_identity());
			const oz_quat warm = oz_rotation_extract(a, cold);
			const oz_quat any = oz_rotation_extract(a, random_guess());
			const double allowed = TOLERANCE * fmax(1.0, 0.2 / gap);
			assert_true(distance(from_result(cold), from_result(warm)) < allowed);
			assert_true(distance(from_result(cold), from_result(any)) < allowed);
		}
}

static void half_turns_from_the_guess_are_not_saddles(void **state)
{
	(void)state;
	for (int n = 0; n < PER_CLASS; n++) {
		const mat target = random_rotation();
		const mat stretch = diagonal(1.0, uniform(0.1, 1), uniform(-0.09, 0.1));
		const oz_mat3 a = narrow(product(target, stretch));
		const mat away = n % 3 == 0   ? diagonal(1, -1, -1)
		                 : n % 3 == 1 ? diagonal(-1, 1, -1)
		                              : diagonal(-1, -1, 1);
		const oz_quat guess = oz_quat_from_mat3(narrow(product(target, away)));
		const mat r = from_result(oz_rotation_extract(a, guess));
		assert_true(shortfall(r, widen(a)) < TOLERANCE);
	}
}

static double alike(oz_quat a, oz_quat b)
{
	return fabs((double)a.x * (double)b.x + (double)a.y * (double)b.y +
	            (double)a.z * (double)b.z + (double)a.w * (double)b.w);
}

static void zero_matrix_keeps_the_guess(void **state)
{
	(void)state;
	for (int n = 0; n < 1000; n++) {
		const oz_quat guess = oz_quat_from_mat3(narrow(random_rotation()));
		const oz_quat q = oz_rotation_extract(oz_mat3_zero(), guess);
		assert_true(alike(q, guess) > 1 - 1e-6);
	}
}

// the nearest of all rotations that map the one direction right: the guess, then the shortest arc
static void collinear_matrix_turns_the_guess_no_more_than_it_must(void **state)
{
	(void)state;
	for (int n = 0; n < PER_CLASS; n++) {
		const mat x = random_rotation(), y = random_rotation(), g = random_rotation();
		const oz_mat3 a = narrow(product(product(x, diagonal(1, 0, 0)), transpose(y)));
		const oz_quat guess = oz_quat_from_mat3(narrow(g));
		const mat m = product(product(transpose(x), g), y);
		const double least = acos(fmax(-1, fmin(1, m.m[0][0])));
		const double angle = 2 * acos(fmin(1, alike(oz_rotation_extract(a, guess), guess)));
		if (least < 3.0)
			assert_true(angle < least + 2e-3);
	}
}

static void broken_matrices_keep_the_guess(void **state)
{
	(void)state;
	const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
	for (size_t k = 0; k < 4; k++)
		for (int i = 0; i < 9; i++) {
			oz_mat3 a = oz_mat3_identity(), u, v;
			oz_vec3 s;
			a.m[i / 3][i % 3] = bad[k];
			const oz_quat q = oz_rotation_extract(a, (oz_quat){0, 0.6f, 0, 0.8f});
			assert_true(alike(q, (oz_quat){0, 0.6f, 0, 0.8f}) > 1 - 1e-6);
			oz_svd(a, &u, &s, &v);
			assert_true(improperness(widen(u)) < 1e-6 && improperness(widen(v)) < 1e-6);
			assert_true(isfinite(s.x) && isfinite(s.y) && isfinite(s.z));
		}
}

// a body that keeps rotating: no drift, no jump, quaternions on one side
static void rotating_body_is_followed_without_jumps(void **state)
{
	(void)state;
	const mat tilt = random_rotation();
	oz_quat q = oz_quat_from_mat3(narrow(tilt));
	for (int n = 1; n <= 5000; n++) {
		const double half = 0.5 * 0.03 * n;
		const mat rotation =
		        product(tilt, from_quat(0.6 * sin(half), 0, 0.8 * sin(half), cos(half)));
		const oz_quat before = q;
		q = oz_rotation_extract(narrow(product(rotation, diagonal(2, 1, 0.7))), q);
		assert_true(distance(from_result(q), rotation) < TOLERANCE);
		assert_true(oz_quat_dot(q, before) > 0.99f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rotation_reaches_the_best_trace_for_every_class),
	        cmocka_unit_test(singular_values_rebuild_every_class_from_proper_rotations),
	        cmocka_unit_test(singular_values_of_scaled_orthogonal_columns_are_relatively_exact),
	        cmocka_unit_test(rotation_of_a_stretched_rotation_is_found_whatever_the_guess),
	        cmocka_unit_test(warm_start_changes_nothing_but_speed),
	        cmocka_unit_test(half_turns_from_the_guess_are_not_saddles),
	        cmocka_unit_test(zero_matrix_keeps_the_guess),
	        cmocka_unit_test(collinear_matrix_turns_the_guess_no_more_than_it_must),
	        cmocka_unit_test(broken_matrices_keep_the_guess),
	        cmocka_unit_test(rotating_body_is_followed_without_jumps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
