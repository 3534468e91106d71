// heat.h: worlds in which nothing happens but heat.
#ifndef OZ_TEST_HEAT_H
#define OZ_TEST_HEAT_H

#include "worlds.h"

#define HEAT_SPACING 0.01f // m

// A world without gravity or sound, in which steps are as long as heat allows.
oz_world *test_still_world(float time_step, uint32_t threads);
// A fluid with a conductivity (W/(m·K)), density and heat capacity.
oz_id test_conductor(oz_world *w, float conductivity, float density, float capacity);
// Adds a box that begins at `low`; `low` and `size` in spacings.
void test_add_warm_box(oz_world *w, oz_id material, oz_vec3 low, oz_vec3 size, float temperature);
// Runs many steps at once until a time, s.
void test_run_freely(oz_world *w, double time);
// J/m³ of all particles, summed: heat above 0 °C, latent heat included.
double test_heat_of(oz_world *w);
// A region of the form of a ball.
oz_region_def test_ball_region(float radius, float temperature, float rate);
// A material that melts.
oz_material_def test_wax(oz_model model);

#endif
