// test_links.c: fluids of linked particles are as stiff as they say, relax in the time they say,
// and keep momentum; links are made, break, and pull as the paper prints it.
#include "models/links/links.h"
#include "worlds.h"

static oz_material_def slime_def(double modulus, double relaxation)
{
	oz_material_def def = oz_material_default(OZ_LINKS);
	def.shear_modulus = (float)modulus;
	def.relaxation_time = (float)relaxation;
	def.sticky = 1e9f;
	return def;
}

static const oz_links *links_of(const oz_world *w)
{
	return oz_model_state(&w->sim, &oz_links_model);
}

// ---- strips ------------------------------------------------------------------------------------

typedef struct strip {
	double spacing;             // m
	int wide, length;           // spacings
	double modulus, relaxation; // Pa, s
	double stretch, moving,
	        hold; // s: pulled by this share of its length in `moving`, then held
	float dt;     // s; 0: adapted
	oz_pressure pressure;
} strip;

// a strip between two plates to which it sticks; the upper one moves up
static oz_world *make_strip(const strip *p)
{
	const double s = p->spacing, high = p->length * s, half = 0.5 * p->wide * s;
	oz_world_def def = test_space_def(s);
	def.pressure = p->pressure;
	def.time_step = p->dt;
	def.threads = 0;
	oz_world *w = test_world(&def);
	const oz_material_def slime = slime_def(p->modulus, p->relaxation);
	const oz_shape bar = test_box(vec_of(-half, 0, -half), vec_of(half, high, half));
	test_add_filled(w, test_add_material(w, &slime), &bar, OZ_FILL_LATTICE);
	const double plate = half + 4 * s;
	test_add_wall(w, test_box(vec_of(-plate, -4 * s, -plate), vec_of(plate, 0, plate)), false,
	              NULL, 0);
	const oz_vec3 from = {0, (float)(high + 2 * s), 0};
	const oz_vec3 to = {0, (float)(high + 2 * s + p->stretch * high), 0};
	const oz_keyframe frames[] = {{.time = 0, .position = from, .rotation = {0, 0, 0, 1}},
	                              {.time = (float)p->moving,
	                               .position = to,
	                               .rotation = {0, 0, 0, 1}}};
	test_add_wall(w, test_box(vec_of(-plate, high, -plate), vec_of(plate, high + 4 * s, plate)),
	              false, frames, 2);
	return w;
}

// Pa, true stress: what the upper plate bears, over the section at constant volume
static double stress_of(oz_world *w, const strip *p, double until)
{
	const double area = p->wide * p->wide * p->spacing * p->spacing / (1 + p->stretch);
	test_load(w, 1);
	test_run_until(w, until);
	return -test_load(w, 1).force[1] / area;
}

static void a_stretched_strip_has_the_modulus_that_was_set(void **state)
{
	(void)state;
	const double spacing[] = {0.01, 0.0075, 0.005};
	const int wide[] = {6, 8, 12};
	for (int k = 0; k < 3; k++)
		for (int d = 0; d < 3; d++) {
			strip p = {.spacing = spacing[k],
			           .wide = wide[k],
			           .length = 4 * wide[k],
			           .modulus = 1000,
			           .relaxation = 1e9,
			           .stretch = 0.1,
			           .moving = 0.5,
			           .pressure = OZ_PRESSURE_INCOMPRESSIBLE,
			           .dt = (float)(spacing[k] * 0.1 / (1 << d))};
			oz_world *w = make_strip(&p);
			test_run_until(w, 0.9);
			const double stress = stress_of(w, &p, 1.2);
			const double l = 1.1;
			print_message("spacing %g dt %g stress %.2f: %.3f of 3 G e, %.3f of "
			              "neo-Hooke; links %.1f\n",
			              p.spacing, (double)p.dt, stress, stress / 300,
			              stress / (1000 * (l * l - 1 / l)),
			              (double)links_of(w)->table.used / oz_world_particle_count(w));
			oz_world_destroy(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_stretched_strip_has_the_modulus_that_was_set),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
