// test_math.c: vectors, matrices and quaternions, against each other and against plain sums.
#include "math/quat.h"
#include "support.h"

#define RANDOM_CASES 2000

static uint64_t seed = 88172645463325252u;

static float uniform(void)
{
	return (float)(2 * test_random(&seed) - 1);
}

static oz_vec3 any_vector(void)
{
	const float x = uniform(), y = uniform();
	return oz_v3(x, y, uniform());
}

static oz_mat3 any_matrix(void)
{
	oz_mat3 a;
	for (int i = 0; i < 9; i++)
		a.m[i / 3][i % 3] = uniform();
	return a;
}

static oz_quat any_rotation(void)
{
	const float x = uniform(), y = uniform(), z = uniform();
	return oz_quat_normalize(oz_quat_of(x, y, z, uniform()));
}

static void assert_near(float a, float b)
{
	if (!(fabsf(a - b) <= 2e-6f))
		fail_msg("%.9g is not %.9g", (double)a, (double)b);
}

static void assert_vec(oz_vec3 a, oz_vec3 b)
{
	assert_near(a.x, b.x);
	assert_near(a.y, b.y);
	assert_near(a.z, b.z);
}

static void assert_mat(oz_mat3 a, oz_mat3 b)
{
	for (int i = 0; i < 9; i++)
		assert_near(a.m[i / 3][i % 3], b.m[i / 3][i % 3]);
}

// the same rotation: equal up to sign
static void assert_same_rotation(oz_quat a, oz_quat b)
{
	const float s = oz_quat_dot(a, b) < 0 ? -1.0f : 1.0f;
	assert_near(a.x, s * b.x);
	assert_near(a.y, s * b.y);
	assert_near(a.z, s * b.z);
	assert_near(a.w, s * b.w);
}

// ---- vectors ----------------------------------------------------------------------------------

static void vector_sums_go_by_component(void **state)
{
	(void)state;
	const oz_vec3 a = oz_v3(1, -2, 3), b = oz_v3(4, 5, -6);
	assert_vec(oz_add(a, b), oz_v3(5, 3, -3));
	assert_vec(oz_sub(a, b), oz_v3(-3, -7, 9));
	assert_vec(oz_scale(a, -2), oz_v3(-2, 4, -6));
	assert_vec(oz_mad(a, b, 0.5f), oz_v3(3, 0.5f, 0));
	assert_vec(oz_min3(a, b), oz_v3(1, -2, -6));
	assert_vec(oz_max3(a, b), oz_v3(4, 5, 3));
	assert_near(oz_dot(a, b), -24);
	assert_near(oz_length2(a), 14);
	assert_near(oz_length(oz_v3(2, 3, 6)), 7);
	assert_near(oz_max_abs(b), 6);
}

static void cross_product_is_right_handed(void **state)
{
	(void)state;
	assert_vec(oz_cross(oz_v3(1, 0, 0), oz_v3(0, 1, 0)), oz_v3(0, 0, 1));
	assert_vec(oz_cross(oz_v3(0, 1, 0), oz_v3(0, 0, 1)), oz_v3(1, 0, 0));
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_vec3 a = any_vector(), b = any_vector(), c = oz_cross(a, b);
		assert_near(oz_dot(a, c), 0);
		assert_near(oz_dot(b, c), 0);
		assert_near(oz_length2(c) + oz_dot(a, b) * oz_dot(a, b),
		            oz_length2(a) * oz_length2(b));
	}
}

static void normalized_vectors_have_unit_length_at_every_scale(void **state)
{
	(void)state;
	const float scales[] = {1e-37f, 1e-30f, 1e-20f, 1e-5f, 1, 1e5f, 1e20f, 1e30f, 1e38f};
	for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
		for (int n = 0; n < 100; n++) {
			const oz_vec3 v = oz_v3(uniform() + 2, uniform(), uniform());
			const oz_vec3 u = oz_normalize(oz_scale(v, scales[k]));
			assert_near(oz_length(u), 1);
			assert_vec(oz_scale(u, oz_length(v)), v);
		}
}

static void zero_vector_has_no_direction_and_no_nan(void **state)
{
	(void)state;
	const float nothing[] = {0.0f, -0.0f, 1e-45f, 1e-39f};
	for (size_t k = 0; k < 4; k++) {
		const oz_vec3 u = oz_normalize(oz_v3(nothing[k], -nothing[k], 0));
		assert_true(u.x == 0 && u.y == 0 && u.z == 0);
	}
}

static void perpendicular_is_a_unit_vector_at_right_angles(void **state)
{
	(void)state;
	const oz_vec3 axes[] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
	                        {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_vec3 u = n < 6 ? axes[n] : oz_normalize(any_vector());
		const oz_vec3 p = oz_perpendicular(u);
		assert_near(oz_dot(u, p), 0);
		assert_near(oz_length(p), 1);
	}
}

// ---- matrices ---------------------------------------------------------------------------------

static oz_mat3 plain_product(oz_mat3 a, oz_mat3 b)
{
	oz_mat3 c = oz_mat3_zero();
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				c.m[i][j] += a.m[i][k] * b.m[k][j];
	return c;
}

static void products_are_sums_over_rows_and_columns(void **state)
{
	(void)state;
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_mat3 a = any_matrix(), b = any_matrix();
		const oz_vec3 v = any_vector();
		const oz_mat3 at = oz_mat3_transpose(a), bt = oz_mat3_transpose(b);
		for (int i = 0; i < 9; i++)
			assert_true(at.m[i / 3][i % 3] == a.m[i % 3][i / 3]);
		assert_mat(oz_mat3_mul(a, b), plain_product(a, b));
		assert_mat(oz_mat3_mul_transposed(a, b), plain_product(a, bt));
		assert_mat(oz_mat3_transposed_mul(a, b), plain_product(at, b));
		assert_vec(oz_mat3_mul_vec(oz_mat3_mul(a, b), v),
		           oz_mat3_mul_vec(a, oz_mat3_mul_vec(b, v)));
		assert_vec(oz_mat3_transposed_mul_vec(a, v), oz_mat3_mul_vec(at, v));
		assert_near(oz_mat3_mul_vec(a, v).y,
		            a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z);
	}
}

static void identity_and_zero_are_neutral(void **state)
{
	(void)state;
	const oz_mat3 a = any_matrix();
	assert_mat(oz_mat3_mul(a, oz_mat3_identity()), a);
	assert_mat(oz_mat3_mul(oz_mat3_identity(), a), a);
	assert_mat(oz_mat3_add(a, oz_mat3_zero()), a);
	assert_mat(oz_mat3_add(a, oz_mat3_scale(a, -1)), oz_mat3_zero());
	assert_mat(oz_mat3_diagonal(oz_v3(1, 1, 1)), oz_mat3_identity());
	assert_mat(oz_mat3_from_columns(oz_mat3_column(a, 0), oz_mat3_column(a, 1),
	                                oz_mat3_column(a, 2)),
	           a);
}

static void outer_product_has_rank_one(void **state)
{
	(void)state;
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_vec3 a = any_vector(), b = any_vector(), v = any_vector();
		const oz_mat3 ab = oz_mat3_outer(a, b);
		assert_vec(oz_mat3_mul_vec(ab, v), oz_scale(a, oz_dot(b, v)));
		assert_near(oz_mat3_trace(ab), oz_dot(a, b));
		assert_near(oz_mat3_det(ab), 0);
		assert_near(oz_mat3_norm(ab), oz_length(a) * oz_length(b));
	}
}

static void determinant_multiplies_and_knows_the_hand(void **state)
{
	(void)state;
	assert_near(oz_mat3_det(oz_mat3_diagonal(oz_v3(2, 3, -4))), -24);
	const oz_mat3 swap = oz_mat3_from_rows(oz_v3(0, 1, 0), oz_v3(1, 0, 0), oz_v3(0, 0, 1));
	assert_near(oz_mat3_det(swap), -1);
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_mat3 a = any_matrix(), b = any_matrix();
		assert_near(oz_mat3_det(oz_mat3_mul(a, b)), oz_mat3_det(a) * oz_mat3_det(b));
	}
}

// ---- quaternions ------------------------------------------------------------------------------

static void quaternion_and_matrix_turn_alike(void **state)
{
	(void)state;
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_quat a = any_rotation(), b = any_rotation();
		const oz_vec3 v = any_vector();
		const oz_mat3 A = oz_quat_to_mat3(a), B = oz_quat_to_mat3(b);
		assert_vec(oz_quat_rotate(a, v), oz_mat3_mul_vec(A, v));
		assert_mat(oz_quat_to_mat3(oz_quat_mul(a, b)), oz_mat3_mul(A, B));
		assert_mat(oz_quat_to_mat3(oz_quat_conjugate(a)), oz_mat3_transpose(A));
		assert_mat(oz_mat3_mul_transposed(A, A), oz_mat3_identity());
		assert_near(oz_mat3_det(A), 1);
		assert_same_rotation(oz_quat_mul(a, oz_quat_conjugate(a)), oz_quat_identity());
	}
}

// half turns have w = 0: every branch of the way back is taken, and its edges
static void matrix_gives_its_quaternion_back(void **state)
{
	(void)state;
	for (int n = 0; n < RANDOM_CASES; n++) {
		oz_quat q = any_rotation();
		if (n % 4 == 1)
			q.w = 0;
		if (n % 4 == 2)
			q = oz_quat_of(n % 3 == 0, n % 3 == 1, n % 3 == 2, 1e-4f * uniform());
		if (n % 4 == 3)
			q = oz_quat_of(1, n % 3 == 1, n % 3 != 0, n % 2 ? 1.0f : -1.0f);
		q = oz_quat_normalize(q);
		assert_same_rotation(oz_quat_from_mat3(oz_quat_to_mat3(q)), q);
	}
}

static void axis_and_angle_turn_by_the_right_hand(void **state)
{
	(void)state;
	const float quarter = 1.57079632679f;
	const oz_quat z = oz_quat_from_axis_angle(oz_v3(0, 0, 1e-20f), quarter);
	assert_vec(oz_quat_rotate(z, oz_v3(1, 0, 0)), oz_v3(0, 1, 0));
	const oz_quat x = oz_quat_from_axis_angle(oz_v3(3e20f, 0, 0), quarter);
	assert_vec(oz_quat_rotate(x, oz_v3(0, 1, 0)), oz_v3(0, 0, 1));
	assert_same_rotation(oz_quat_from_axis_angle(oz_v3(0, 0, 0), 1.0f), oz_quat_identity());
	assert_same_rotation(oz_quat_from_axis_angle(oz_v3(0, 0, 0), 2 * quarter),
	                     oz_quat_identity());
}

static void euler_angles_turn_about_world_x_then_y_then_z(void **state)
{
	(void)state;
	const oz_quat xz = oz_quat_from_euler_degrees(oz_v3(90, 0, 90));
	assert_vec(oz_quat_rotate(xz, oz_v3(0, 1, 0)), oz_v3(0, 0, 1)); // y → z, z stays
	assert_vec(oz_quat_rotate(xz, oz_v3(0, 0, 1)), oz_v3(1, 0, 0)); // z → -y → x
	const oz_quat xy = oz_quat_from_euler_degrees(oz_v3(90, 90, 0));
	assert_vec(oz_quat_rotate(xy, oz_v3(0, 1, 0)), oz_v3(1, 0, 0)); // y → z → x
	const oz_quat yz = oz_quat_from_euler_degrees(oz_v3(0, 90, 90));
	assert_vec(oz_quat_rotate(yz, oz_v3(0, 0, 1)), oz_v3(0, 1, 0)); // z → x → y
}

static void normalize_gives_a_rotation_for_any_nonsense(void **state)
{
	(void)state;
	const oz_quat bad[] = {{0, 0, 0, 0},
	                       {NAN, 0, 0, 1},
	                       {0, INFINITY, 0, 1},
	                       {3e38f, 3e38f, 0, 0},
	                       {0, 1e-40f, 0, 0}};
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		assert_same_rotation(oz_quat_normalize(bad[k]), oz_quat_identity());
	const oz_quat q = oz_quat_normalize(oz_quat_of(3e-10f, 0, 4e-10f, 0));
	assert_same_rotation(q, oz_quat_of(0.6f, 0, 0.8f, 0));
}

static void slerp_turns_at_constant_speed_about_one_axis(void **state)
{
	(void)state;
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_quat a = any_rotation();
		const oz_vec3 axis = oz_normalize(any_vector());
		const float angle = 3.14f * uniform() * (n % 2 ? 1.0f : 1e-3f),
		            t = 0.5f + 0.5f * uniform();
		oz_quat b = oz_quat_mul(oz_quat_from_axis_angle(axis, angle), a);
		if (n % 3 == 0)
			b = oz_quat_of(-b.x, -b.y, -b.z, -b.w);
		const oz_quat wanted = oz_quat_mul(oz_quat_from_axis_angle(axis, t * angle), a);
		assert_same_rotation(oz_quat_slerp(a, b, t), wanted);
	}
}

static void slerp_meets_its_ends_and_survives_equals_and_opposites(void **state)
{
	(void)state;
	for (int n = 0; n < RANDOM_CASES; n++) {
		const oz_quat a = any_rotation(), b = any_rotation();
		const oz_quat minus = oz_quat_of(-a.x, -a.y, -a.z, -a.w);
		const oz_quat across = oz_quat_of(-a.y, a.x, -a.w, a.z); // a half turn away
		assert_same_rotation(oz_quat_slerp(a, b, 0), a);
		assert_same_rotation(oz_quat_slerp(a, b, 1), b);
		assert_same_rotation(oz_quat_slerp(a, a, 0.3f), a);
		assert_same_rotation(oz_quat_slerp(a, minus, 0.3f), a);
		const oz_quat middle = oz_quat_slerp(a, across, 0.5f);
		assert_near(oz_quat_dot(middle, middle), 1);
		assert_near(fabsf(oz_quat_dot(middle, a)), 0.70710678f);
		assert_near(fabsf(oz_quat_dot(middle, across)), 0.70710678f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(vector_sums_go_by_component),
	        cmocka_unit_test(cross_product_is_right_handed),
	        cmocka_unit_test(normalized_vectors_have_unit_length_at_every_scale),
	        cmocka_unit_test(zero_vector_has_no_direction_and_no_nan),
	        cmocka_unit_test(perpendicular_is_a_unit_vector_at_right_angles),
	        cmocka_unit_test(products_are_sums_over_rows_and_columns),
	        cmocka_unit_test(identity_and_zero_are_neutral),
	        cmocka_unit_test(outer_product_has_rank_one),
	        cmocka_unit_test(determinant_multiplies_and_knows_the_hand),
	        cmocka_unit_test(quaternion_and_matrix_turn_alike),
	        cmocka_unit_test(matrix_gives_its_quaternion_back),
	        cmocka_unit_test(axis_and_angle_turn_by_the_right_hand),
	        cmocka_unit_test(euler_angles_turn_about_world_x_then_y_then_z),
	        cmocka_unit_test(normalize_gives_a_rotation_for_any_nonsense),
	        cmocka_unit_test(slerp_turns_at_constant_speed_about_one_axis),
	        cmocka_unit_test(slerp_meets_its_ends_and_survives_equals_and_opposites),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
