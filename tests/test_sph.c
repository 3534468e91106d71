// test_sph.c: the smoothing kernels against integration, differentiation and their definitions.
//
// A gradient function g(r²) stands for W'(r) / r. Integrated by parts over the ball, ∫ W = 1 reads
// -4π/3 ∫ g r⁴ dr = 1; and a Laplacian L whose kernel is flat and zero at the support gives
// 4π/6 ∫ L r⁴ dr = 1. All is done in double over the functions' own values.
#include "math/sph.h"
#include "support.h"

typedef lane (*kernel_fn)(lane r2, float h);

static const float supports[] = {1e-3f, 3.7e-3f, 0.02f, 0.1f, 0.5f, 1.0f, 2.5f, 10.0f};
#define SUPPORTS (sizeof supports / sizeof *supports)

static const kernel_fn values[] = {oz_poly6, oz_cubic, oz_wendland};
static const kernel_fn gradients[] = {oz_spiky_gradient, oz_cubic_gradient, oz_wendland_gradient};
static const kernel_fn all[] = {oz_poly6,
                                oz_cubic,
                                oz_wendland,
                                oz_spiky_gradient,
                                oz_cubic_gradient,
                                oz_wendland_gradient,
                                oz_viscosity_laplacian};
#define ALL (sizeof all / sizeof *all)

static double at(kernel_fn f, double r, float h)
{
	const lane value = f(lane_of((float)(r * r)), h);
	return (double)value[0];
}

// ∫ f(r) r^power dr from 0 to h, by midpoints
static double moment(kernel_fn f, float h, int power)
{
	const int steps = 20000;
	const double dr = (double)h / steps;
	double sum = 0.0;
	for (int k = 0; k < steps; k++) {
		const double r = (k + 0.5) * dr;
		sum += at(f, r, h) * pow(r, power) * dr;
	}
	return sum;
}

static void assert_close(double got, double wanted, double tolerance)
{
	if (!(fabs(got - wanted) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", got, wanted, tolerance);
}

static void kernels_integrate_to_one(void **state)
{
	(void)state;
	for (size_t n = 0; n < SUPPORTS; n++)
		for (size_t k = 0; k < 3; k++)
			assert_close(4 * PI * moment(values[k], supports[n], 2), 1.0, 1e-4);
}

static void gradients_belong_to_kernels_that_integrate_to_one(void **state)
{
	(void)state;
	for (size_t n = 0; n < SUPPORTS; n++)
		for (size_t k = 0; k < 3; k++)
			assert_close(-4 * PI / 3 * moment(gradients[k], supports[n], 4), 1.0, 1e-4);
}

static void viscosity_laplacian_belongs_to_a_kernel_that_integrates_to_one(void **state)
{
	(void)state;
	for (size_t n = 0; n < SUPPORTS; n++)
		assert_close(4 * PI / 6 * moment(oz_viscosity_laplacian, supports[n], 4), 1.0,
		             1e-4);
}

// fourth-order difference of W: five float values and a step that keeps their rounding small
static double slope(kernel_fn f, double r, float h)
{
	const double d = 5e-3 * (double)h;
	return (8 * (at(f, r + d, h) - at(f, r - d, h)) -
	        (at(f, r + 2 * d, h) - at(f, r - 2 * d, h))) /
	       (12 * d);
}

static void gradients_are_the_slopes_of_their_kernels(void **state)
{
	(void)state;
	for (size_t n = 0; n < SUPPORTS; n++) {
		const float h = supports[n];
		for (size_t k = 1; k < 3; k++)
			for (int step = 2; step < 100; step++) {
				const double r = 0.01 * step * (double)h;
				const double scale = at(values[k], 0.0, h) / (double)h;
				assert_close(at(gradients[k], r, h) * r / scale,
				             slope(values[k], r, h) / scale, 1e-3);
			}
	}
}

// Müller et al. 2003, equations 20 and 43, and the derivative of 21
static void muller_kernels_are_those_of_the_paper(void **state)
{
	(void)state;
	for (size_t n = 0; n < SUPPORTS; n++)
		for (int step = 1; step < 100; step++) {
			const double h = (double)supports[n], r = 0.01 * step * h, h6 = pow(h, 6);
			const double poly6 =
			        315 / (64 * PI * h6 * h * h * h) * pow(h * h - r * r, 3);
			const double spiky = -45 / (PI * h6) * (h - r) * (h - r) / r;
			const double viscosity = 45 / (PI * h6) * (h - r);
			const float f = supports[n];
			assert_close(at(oz_poly6, r, f) / poly6, 1, 1e-4);
			assert_close(at(oz_spiky_gradient, r, f) / spiky, 1, 1e-4);
			assert_close(at(oz_viscosity_laplacian, r, f) / viscosity, 1, 1e-4);
		}
}

static void kernels_fall_from_the_centre_to_the_support(void **state)
{
	(void)state;
	for (size_t n = 0; n < SUPPORTS; n++)
		for (size_t k = 0; k < ALL; k++) {
			const double h = (double)supports[n];
			double before = fabs(at(all[k], 1e-3 * h, supports[n]));
			for (int step = 1; step < 100; step++) {
				const double now = fabs(at(all[k], 0.01 * step * h, supports[n]));
				// the cubic's slope over r is linear inside: it may stay, never
				// rise
				assert_true(now <= before * (1 + 1e-4));
				before = now;
			}
		}
}

static void kernels_vanish_at_and_beyond_the_support(void **state)
{
	(void)state;
	const double beyond[] = {1.00001, 1.1, 2.0, 1000.0};
	for (size_t n = 0; n < SUPPORTS; n++)
		for (size_t k = 0; k < ALL; k++) {
			const float h = supports[n];
			const double middle = fabs(at(all[k], 0.5 * (double)h, h));
			assert_true(fabs(at(all[k], (double)h, h)) <= 1e-6 * middle);
			for (size_t b = 0; b < 4; b++)
				assert_true(at(all[k], beyond[b] * (double)h, h) == 0.0);
			assert_true(at(all[k], (double)OZ_FAR, h) == 0.0);
		}
}

static void kernels_are_finite_where_particles_coincide(void **state)
{
	(void)state;
	const double near[] = {0.0, 1e-30, 1e-12, 1e-7};
	for (size_t n = 0; n < SUPPORTS; n++)
		for (size_t k = 0; k < ALL; k++)
			for (size_t b = 0; b < 4; b++) {
				const double r = near[b] * (double)supports[n];
				const double f = at(all[k], r, supports[n]);
				assert_true(isfinite(f));
				assert_true(f != 0.0);
			}
}

static void every_lane_gets_its_own_distance(void **state)
{
	(void)state;
	for (size_t k = 0; k < ALL; k++) {
		lane r2;
		for (int l = 0; l < OZ_LANES; l++)
			r2[l] = 0.01f * (float)(l * l);
		const lane got = all[k](r2, 0.35f);
		for (int l = 0; l < OZ_LANES; l++) {
			const lane one = all[k](lane_of(r2[l]), 0.35f);
			assert_true(got[l] == one[0]);
		}
	}
}

static void kinds_name_their_kernels(void **state)
{
	(void)state;
	const struct {
		uint kind;
		kernel_fn w, gradient;
	} kinds[] = {{OZ_SPH_CUBIC, oz_cubic, oz_cubic_gradient},
	             {OZ_SPH_WENDLAND, oz_wendland, oz_wendland_gradient},
	             {OZ_SPH_MULLER, oz_poly6, oz_spiky_gradient}};
	for (size_t k = 0; k < 3; k++) {
		const lane w = oz_sph_w(kinds[k].kind, lane_of(0.25f), 1.0f);
		const lane g = oz_sph_gradient(kinds[k].kind, lane_of(0.25f), 1.0f);
		assert_true((double)w[0] == at(kinds[k].w, 0.5, 1.0f));
		assert_true((double)g[0] == at(kinds[k].gradient, 0.5, 1.0f));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(kernels_integrate_to_one),
	        cmocka_unit_test(gradients_belong_to_kernels_that_integrate_to_one),
	        cmocka_unit_test(viscosity_laplacian_belongs_to_a_kernel_that_integrates_to_one),
	        cmocka_unit_test(gradients_are_the_slopes_of_their_kernels),
	        cmocka_unit_test(muller_kernels_are_those_of_the_paper),
	        cmocka_unit_test(kernels_fall_from_the_centre_to_the_support),
	        cmocka_unit_test(kernels_vanish_at_and_beyond_the_support),
	        cmocka_unit_test(kernels_are_finite_where_particles_coincide),
	        cmocka_unit_test(every_lane_gets_its_own_distance),
	        cmocka_unit_test(kinds_name_their_kernels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
