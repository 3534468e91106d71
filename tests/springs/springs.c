// springs.c: a model that exists in a test alone, to show that the door of models is enough.
//
// A spring draws every particle of the model back to where it began: a_i = - k (x_i - home_i), with
// k the material's young_modulus in 1/s². This file and its kernel file are all of it: memory,
// order, snapshots, hash, estimate, time step, CPU and OpenCL come through the door.
#include <math.h>

#include "models/model.h"

#include "springs.cl"

//      type       name  kind   most          first, since
#define SPRINGS_FIELDS(X) X(oz_float4, home, STATE, OZ_PLACE_MAX, 0, 5) /* m; w: k, 1/s² */

#define SPRINGS ((uint32_t)OZ_MODEL_COUNT) // its number in materials

extern const oz_model_ops springs_model;

typedef struct springs {
	SPRINGS_FIELDS(OZ_FIELD_MEMBER)
} springs;

#define SPRINGS_ROW(...) OZ_FIELD_ROW(springs, "springs.", __VA_ARGS__)
static const oz_field_row rows[] = {SPRINGS_FIELDS(SPRINGS_ROW)};

#define WRITTEN 256u // records that go to the device together

static void added(oz_sim *sim, void *state, const oz_addition *a)
{
	const oz_material_def *m = oz_material_of(sim, a->body);
	oz_float4 home[WRITTEN];
	if ((uint32_t)m->model != SPRINGS)
		return;
	for (uint32_t i = 0; i < a->count; i++) {
		const oz_vec3 x = a->points[i];
		home[i % WRITTEN] = oz_make4(x.x, x.y, x.z, m->young_modulus);
		if ((i + 1) % WRITTEN == 0 || i + 1 == a->count)
			sim->device->ops->write(sim->device, ((springs *)state)->home,
			                        sizeof *home * (a->particle + i - i % WRITTEN),
			                        home, sizeof *home * (i % WRITTEN + 1));
	}
}

static float stiffest(const oz_sim *sim)
{
	float k = 0;
	for (uint32_t m = 0; m < sim->materials.count; m++)
		if ((uint32_t)oz_materials(sim)[m].model == SPRINGS)
			k = fmaxf(k, oz_materials(sim)[m].young_modulus);
	return k;
}

// leapfrog is stable up to 2/ω
static float limit(const oz_sim *sim, const void *state, bool fixed, oz_limit *rule)
{
	(void)state;
	(void)fixed;
	*rule = OZ_LIMIT_ELASTIC;
	return sim->def.cfl * 0.1f / sqrtf(stiffest(sim));
}

static oz_result pull(oz_sim *sim, void *state, oz_error *error)
{
	const oz_particles *p = &sim->particles;
	(void)error;
	OZ_LAUNCH(sim->device, springs_pull, p->count, .position = p->position,
	          .home = ((springs *)state)->home, .acceleration = p->acceleration);
	return OZ_OK;
}

static double bytes(const oz_world_def *def, const oz_material_def *material, bool on_gpu)
{
	(void)def;
	(void)material;
	(void)on_gpu;
	return (double)oz_rows_bytes(rows, sizeof rows / sizeof *rows);
}

const oz_model_ops springs_model = {
        .word = "springs",
        .model = SPRINGS,
        .state_size = sizeof(springs),
        .particle_rows = rows,
        .particle_row_count = sizeof rows / sizeof *rows,
        .added = added,
        .limit = limit,
        .pass = {[OZ_PASS_ELASTIC] = pull},
        .bytes = bytes,
};
