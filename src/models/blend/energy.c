// energy.c: the energy of shape matching in the middle of the last step, to which velocities
// belong, on the host.
//
// With w, r, cr, c and R as in blend.cl and s the spacing,
//
//   E = ½ s³ Σ_i Σ_j w_j |R_i (r_j - cr_i) + c_i - x_j|²
//
// over the members j of each cluster i. Its derivative by x_j is the force of shape matching, since
// R_i and c_i are the best ones. R_i is that of the last step.
#include <math.h>

#include "math/quat.h"
#include "math/vec.h"
#include "models/blend/blend.h"

typedef struct views {
	const oz_float4 *position, *velocity, *rest, *rotation, *centre;
	const uint *particle, *list, *start, *members, *material;
} views;

static bool view(const oz_sim *sim, const oz_blend *b, views *v)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const size_t n = s->count, size = sizeof(oz_float4) * n, count = sim->particles.count;
	v->position = d->ops->view(d, sim->particles.position, sizeof *v->position * count);
	v->velocity = d->ops->view(d, sim->particles.velocity, sizeof *v->velocity * count);
	v->material = d->ops->view(d, sim->particles.material, sizeof(uint) * count);
	v->rest = d->ops->view(d, s->rest, size);
	v->rotation = d->ops->view(d, s->rotation, size);
	v->centre = d->ops->view(d, b->centre, size);
	v->particle = d->ops->view(d, s->particle_of_slot, sizeof(uint) * n);
	v->list = d->ops->view(d, s->list, sizeof(uint) * s->list_capacity);
	v->start = d->ops->view(d, s->start, sizeof(uint) * n);
	v->members = d->ops->view(d, s->members, sizeof(uint) * n);
	return v->position && v->velocity && v->material && v->rest && v->rotation && v->centre &&
	       v->particle && v->list && v->start && v->members;
}

// member c of cluster i; the last one is its own slot. Gives the weight, 0 for padding.
static double member(const oz_sim *sim, const views *v, uint32_t i, uint32_t c, double r[3],
                     double x[3])
{
	const uint32_t j =
	        c < v->members[i] ? v->list[oz_list_at(v->start[i], i, c, sim->device->stride)] : i;
	if (j >= sim->slots->count)
		return 0;
	const oz_float4 q = v->rest[j], own = v->rest[i], mid = v->centre[i];
	const oz_float4 p = v->position[v->particle[j]], u = v->velocity[v->particle[j]];
	const double back = 0.5 * (double)sim->last_step.time_step;
	r[0] = (double)q.x - (double)own.x - (double)mid.x;
	r[1] = (double)q.y - (double)own.y - (double)mid.y;
	r[2] = (double)q.z - (double)own.z - (double)mid.z;
	x[0] = (double)p.x - back * (double)u.x;
	x[1] = (double)p.y - back * (double)u.y;
	x[2] = (double)p.z - back * (double)u.z;
	return (double)q.w;
}

// Σ w |R (r - cr) + c - x|² of cluster i
static double misfit(const oz_sim *sim, const views *v, uint32_t i)
{
	const oz_float4 o = v->rotation[i];
	const oz_quat q = {o.x, o.y, o.z, o.w};
	double sum = 0, mass = 0, c[3] = {0}, r[3], x[3];
	for (uint32_t k = 0; k <= v->members[i]; k++) {
		const double w = member(sim, v, i, k, r, x);
		mass += w;
		for (int a = 0; w > 0 && a < 3; a++)
			c[a] += w * x[a];
	}
	for (uint32_t k = 0; mass > 0 && k <= v->members[i]; k++) {
		const double w = member(sim, v, i, k, r, x);
		if (!(w > 0))
			continue;
		const oz_vec3 g = oz_quat_rotate(q, oz_v3((float)r[0], (float)r[1], (float)r[2]));
		const double to[3] = {(double)g.x, (double)g.y, (double)g.z};
		for (int a = 0; a < 3; a++) {
			const double off = to[a] + c[a] / mass - x[a];
			sum += w * off * off;
		}
	}
	return sum;
}

double oz_blend_energy(oz_sim *sim, const void *state)
{
	const double s = (double)sim->def.spacing;
	const oz_matter *matter = sim->matters.items;
	views v;
	double sum = 0;
	if (sim->slots->stale || !sim->slots->list)
		return 0;
	if (!view(sim, state, &v))
		return (double)NAN;
	for (uint32_t i = 0; i < sim->slots->count; i++)
		if (matter[v.material[v.particle[i]]].response > 0)
			sum += misfit(sim, &v, i);
	return 0.5 * s * s * s * sum;
}
