// test_die_swell.c: a jet of a polymer solution (Oldroyd-B) is wider than the slit that it comes
// from. Tanner's formula (1970) for a slit, with the first normal stress difference N1 and the
// shear stress τ at its wall:
//
//   swell = 0.19 + (1 + (N1/2τ)²/3)^1/4
//
// N1/2τ is the recoverable shear, (1 - β) λ γ with the share β of the solvent's viscosity and the
// rate of shear γ = 3 U/H at the wall, U the mean speed and H half the width.
#include "models/polymer/polymer.h"
#include "worlds.h"

static const double s = 0.002, H = 0.016, deep = 0.008, speed = 0.05; // m, m/s
static const double viscosity = 20, solvent = 0.1;                    // Pa·s; share of it

#define SLIT 8.0 // its length over H
#define LIP  2.0 // spacings

// A slit along x that ends at x = 0, full of the solution, between thin plates; a piston presses it
// out. There is no gravity, and the Reynolds number is 0.08.
static oz_world *make_slit(double weissenberg)
{
	const double rate = 3 * speed / H, lambda = weissenberg / rate, start = -SLIT * H;
	oz_world_def def = test_space_def(s);
	def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	oz_world *w = test_world(&def);
	oz_collider_def wall =
	        oz_collider_default(test_box(vec_of(start - 0.2, -0.5, 0), vec_of(1, 0.5, deep)));
	wall.inside = wall.slip = true; // the flow is flat
	test_add_collider(w, &wall);
	// At the lips the plates let the fluid slip: else the layer at the wall would stay there.
	for (int k = 0; k < 4; k++) {
		const double end = k < 2 ? -LIP * s : 0,
		             begin = k < 2 ? start - 0.1 : end - LIP * s;
		oz_shape plate =
		        test_box(vec_of(begin, 0, -0.05), vec_of(end, 0.5 * s, deep + 0.05));
		plate.position.y = (float)((k % 2 ? -1 : 1) * (H + 0.25 * s));
		wall = oz_collider_default(plate);
		wall.slip = k > 1;
		test_add_collider(w, &wall);
	}
	oz_keyframe frames[2] = {{.rotation = {0, 0, 0, 1}}};
	frames[0].position = oz_v3((float)(start - 0.05), 0, (float)(0.5 * deep));
	frames[1] = frames[0];
	frames[1].time = 10;
	frames[1].position.x += (float)(10 * speed);
	wall = oz_collider_default(
	        oz_shape_make(OZ_SHAPE_BOX, oz_v3(0.1f, (float)(2 * H), (float)deep)));
	wall.keyframes = frames;
	wall.keyframe_count = 2;
	wall.slip = true;
	test_add_collider(w, &wall);
	oz_material_def m = oz_material_default(OZ_POLYMER);
	const double share = weissenberg > 0 ? solvent : 1;
	m.viscosity = (float)(share * viscosity);
	m.shear_modulus = weissenberg > 0 ? (float)((1 - share) * viscosity / lambda) : 0;
	m.relaxation_time = weissenberg > 0 ? (float)lambda : 1;
	// The layer at the wall is stretched to ten times its length behind the lips. Without these
	// it tears; the capillary number of the surface tension is 2.
	m.cohesion = 2000;
	m.surface_tension = 0.5f;
	const oz_shape inside = test_box(vec_of(start, -H, 0), vec_of(0, H, deep));
	test_add_filled(w, test_add_material(w, &m), &inside, OZ_FILL_BLUE_NOISE);
	return w;
}

// volume of the particles between two places along x, over that of the slit
static double volume_between(const test_particles *all, double from, double to)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < all->count; i++)
		count += all->at[i].x.x > from * H && all->at[i].x.x < to * H;
	return count * s * s * s / (2 * H * deep * (to - from) * H);
}

// The recoverable shear at the wall by the strain of the polymer in the outer fifth of the slit,
// where the rate of shear is 0.9 of that at the wall.
static double recoverable_shear(oz_world *w)
{
	const oz_particles *p = &w->sim.particles;
	const oz_polymers *k = oz_model_state(&w->sim, &oz_polymer_model);
	const size_t size = sizeof(oz_float4) * p->count;
	oz_float4 *x = malloc(size + 1);
	assert_non_null(x);
	memcpy(x, test_look(w, p->position, size), size);
	const oz_float4 *a = test_look(w, k->strain_a, size);
	double normal = 0, shear = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		const double y = fabs((double)x[i].y) / H, along = (double)x[i].x / H;
		if (y < 0.8 || along < -2 || along > -1)
			continue;
		normal += (double)(a[i].x - a[i].w);
		shear += fabs((double)a[i].y);
	}
	free(x);
	return (1 - solvent) * normal / (2 * shear) / 0.9;
}

// The swell from H to 2 H behind the slit, as a mean over the time in which the piston moves from
// 2.8 to 3.9 H. Later the jet bends.
static double swell_of(double weissenberg)
{
	enum { FIRST = 28, LAST = 39 };
	oz_world *w = make_slit(weissenberg);
	double jet = 0, slit = 0, shear = 0;
	for (int k = FIRST; k <= LAST; k++) {
		test_run_until(w, 0.1 * k * H / speed);
		test_particles all = test_particles_read(w);
		jet += volume_between(&all, 1, 2);
		slit += volume_between(&all, -3, -1);
		shear += weissenberg > 0 ? recoverable_shear(w) / (LAST - FIRST + 1) : 0;
		test_particles_free(&all);
	}
	oz_world_destroy(w);
	const double nominal = (1 - solvent) * weissenberg, swell = jet / slit,
	             tanner = 0.19 + pow(1 + nominal * nominal / 3, 0.25);
	print_message("Weissenberg number %g: recoverable shear %.2f, by the particles %.2f; swell "
	              "%.3f, by Tanner %.3f\n",
	              weissenberg, nominal, shear, swell, tanner);
	test_near(swell / tanner, 1, 0.15, "swell over Tanner's");
	return swell;
}

static void a_jet_swells_as_tanner_says(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	const double newtonian = swell_of(0);
	swell_of(1);
	assert_true(swell_of(2.2) > newtonian + 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_jet_swells_as_tanner_says)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
