// polymer.c: polymer solutions: launches the kernels of polymer.cl within the stage `viscous`.
#include "models/polymer/polymer.h"

#include "models/heat/heat_model.h"
#include "models/viscous/viscous.h"

#include "models/polymer/polymer.cl"

static const oz_field_row field_rows[] = {
#define POLYMER_ROW(...) OZ_FIELD_ROW(oz_polymers, "polymer.", __VA_ARGS__)
        OZ_POLYMER_FIELDS(POLYMER_ROW)};

static void fill_matter(const oz_sim *sim, const oz_material_def *def, oz_matter *m)
{
	(void)sim;
	m->flow.cohesion = def->cohesion;
	m->flow.polymer = (oz_polymer){.rotates = def->polymer_law == OZ_POLYMER_COROTATIONAL,
	                               .modulus = def->shear_modulus,
	                               .rate = 1 / def->relaxation_time,
	                               .mobility = def->mobility};
}

// fails if mobility and polymer_law contradict each other
static oz_result check_material(const oz_sim *sim, const oz_material_def *def, const char *where,
                                oz_error *error)
{
	(void)sim;
	const bool giesekus = def->polymer_law == OZ_POLYMER_GIESEKUS;
	if (giesekus && !(def->mobility > 0))
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has the polymer_law giesekus and no mobility, which would be "
		               "oldroyd; set mobility, for example to 0.2",
		               where);
	if (!giesekus && def->mobility > 0)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s has a mobility of %g, which the polymer_law giesekus alone "
		               "reads; choose that law, or leave mobility out",
		               where, (double)def->mobility);
	return OZ_OK;
}

// writes the stress of polymers for the implicit step
static oz_result add_stress(oz_sim *sim, void *state, oz_error *error)
{
	const oz_polymers *s = state;
	const oz_particles *p = &sim->particles;
	const oz_viscous_work *w =
	        &((const oz_viscous *)oz_model_state(sim, &oz_viscous_model))->work;
	const float *temperature = oz_heat_of(sim)->temperature;
	(void)error;
	OZ_LAUNCH(sim->device, polymer_stress, p->count, .row_x = w->row_x, .row_y = w->row_y,
	          .row_z = w->row_z, .velocity = p->velocity, .hold = w->hold, .fit_a = w->fit_a,
	          .fit_b = w->fit_b, .fit_c = w->fit_c, .material = p->material,
	          .matter = sim->matter, .temperature = OZ_OPTIONAL(temperature),
	          .strain_a = s->strain_a, .strain_b = s->strain_b, .spot = w->spot,
	          .stress_a = w->stress_a, .stress_b = w->stress_b, .viscosity = w->viscosity,
	          .has_heat = temperature != NULL, .span = sim->last_step.time_step,
	          .kick = oz_kick(sim), .spacing = sim->def.spacing);
	return OZ_OK;
}

static double bytes(const oz_world_def *def, const oz_material_def *m, bool on_gpu)
{
	(void)def;
	(void)m;
	(void)on_gpu;
	return (double)oz_rows_bytes(field_rows, sizeof field_rows / sizeof *field_rows) +
	       2.0 * sizeof(oz_float4);
}

const oz_model_ops oz_polymer_model = {
        .word = "polymer",
        .model = OZ_POLYMER,
        .state_size = sizeof(oz_polymers),
        .particle_rows = field_rows,
        .particle_row_count = sizeof field_rows / sizeof *field_rows,
        .matter = fill_matter,
        .refuse.material = check_material,
        .pass = {[OZ_PASS_STRESS] = add_stress},
        .bytes = bytes,
};
