// test_surface_sheets.c: the surface of a sheet of one layer is a spacing thick, as its mass and
// its stiffness are, and has no holes: flat, bent, stretched, of a lattice or in hexagons.
#include "clouds.h"

enum { EDGE = 60 }; // particles along an edge

typedef struct sheet {
	double stretch; // of the distances between particles
	double bend;    // spacings, radius of the cylinder that it lies on; 0: flat
	double tilt;    // rad, about x
	bool hexagons;
} sheet;

static cloud make_sheet(const sheet *h, double *area)
{
	cloud c = {malloc(sizeof(oz_vec3) * EDGE * EDGE), EDGE * EDGE};
	const double row = h->hexagons ? sqrt(0.75) : 1;
	const double s = h->hexagons ? sqrt(1 / row) : 1; // a particle for each spacing²
	for (uint32_t i = 0; i < EDGE; i++)
		for (uint32_t k = 0; k < EDGE; k++) {
			const double x = h->stretch * s * (i + (h->hexagons && k % 2 ? 0.5 : 0));
			const double z = h->stretch * s * row * k + 0.013;
			const double r = h->bend;
			const double u = r > 0 ? r * sin(x / r) : x,
			             v = r > 0 ? r * cos(x / r) : 0.37;
			c.points[i * EDGE + k] =
			        oz_v3((float)u, (float)(v * cos(h->tilt) - z * sin(h->tilt)),
			              (float)(v * sin(h->tilt) + z * cos(h->tilt)));
		}
	*area = EDGE * EDGE * h->stretch * h->stretch;
	return c;
}

typedef struct measured {
	double thickness; // spacings
	long euler;
} measured;

static measured measure(const sheet *h, float cell)
{
	double area;
	cloud c = make_sheet(h, &area);
	oz_surface_def def = oz_surface_default(1);
	def.cell = cell;
	oz_surface *s = test_surface(def);
	const oz_surface_mesh m = test_surface_build(s, test_surface_input(c.points, c.count));
	const measured result = {oz_surface_volume(&m) / area, test_surface_is_closed(&m)};
	oz_surface_destroy(s);
	free(c.points);
	return result;
}

static const sheet sheets[] = {
        {.stretch = 1},
        {.stretch = 1, .tilt = 0.5},
        {.stretch = 1, .bend = 20, .tilt = 0.5},
        {.stretch = 1, .bend = 12, .tilt = 0.5},
        {.stretch = 1, .hexagons = true},
        {.stretch = 1, .tilt = 0.5, .hexagons = true},
        {.stretch = 1.2, .tilt = 0.7},
        {.stretch = 1.4},
        {.stretch = 1.3, .tilt = 0.3},
};

static void a_sheet_is_one_spacing_thick_and_has_no_holes(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof sheets / sizeof *sheets; k++) {
		const measured fine = measure(&sheets[k], 0.3f), usual = measure(&sheets[k], 0.5f);
		print_message("sheet %zu: %.3f and %.3f spacings thick\n", k, fine.thickness,
		              usual.thickness);
		test_near(fine.thickness, 1, 0.05, "thickness with cells of 0.3 spacings");
		// a field that is curved is cut by straight lines over half a spacing
		test_near(usual.thickness, 1, 0.1, "thickness with cells of half a spacing");
		assert_int_equal(fine.euler, 2);
		assert_int_equal(usual.euler, 2);
	}
}

// the opposite: the Euler number counts holes
static void a_sheet_that_is_torn_into_a_grid_has_holes(void **state)
{
	(void)state;
	const sheet torn = {.stretch = 1.8};
	assert_true(measure(&torn, 0.5f).euler < -100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_sheet_is_one_spacing_thick_and_has_no_holes),
	        cmocka_unit_test(a_sheet_that_is_torn_into_a_grid_has_holes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
