// energy.c: the energy of compression by an equation of state.
//
// Pressure forces are the derivative of E = Σ d³ u(δ), du/dδ = κ p/δ² (eos.cl), d the spacing. From
// δ = 1 on, for the linear equation and for Tait's,
//
//   u = κ ρ0 c² (ln δ + 1/δ - 1),   u = κ ρ0 c²/7 (δ⁶/6 + 1/δ - 7/6)
//
// A particle with a rest shape has α u(δ) + (1 - α) u(δc). Densities are those that the last step
// has computed, at its begin. Damping and cohesion have no part in it, and what overlaps counts
// with the energy of its softer law (pressure_law.h).
#include <math.h>

#include "pressure/pressure_law.h"
#include "world/world.h"

// J/m³ over κ ρ0 c²
static double density_energy(const oz_fluid *f, double delta, double overlap)
{
	const double over = fmin(fmax(delta - 1, 0), overlap), d = delta - over, s = 1 + over;
	if (!(delta > 0) || (delta < 1 && !f->tension))
		return 0;
	const double hard = f->tait ? (pow(d, 6) / 6 + 1 / d - 7.0 / 6) / 7 : log(d) + 1 / d - 1;
	const double soft = (double)(OZ_OVERLAP_SOFT * OZ_OVERLAP_SOFT);
	return hard + soft * (log(s) + 1 / s - 1);
}

typedef struct views {
	const float *density, *deficit, *contact, *alpha;
	const uint *material, *slot;
} views;

static bool view(const oz_world *w, views *v)
{
	oz_device *d = w->sim.device;
	const oz_particles *p = &w->sim.particles;
	const size_t size = sizeof(float) * p->count, slots = sizeof(float) * w->slots.count;
	*v = (views){.density = d->ops->view(d, p->density, size),
	             .deficit = d->ops->view(d, p->deficit, size),
	             .material = d->ops->view(d, p->material, size)};
	if (slots == 0)
		return v->density && v->deficit && v->material;
	v->slot = d->ops->view(d, w->slots.slot, size);
	v->contact = d->ops->view(d, w->slots.contact_delta, slots);
	v->alpha = d->ops->view(d, w->slots.own_alpha, slots);
	return v->density && v->deficit && v->material && v->slot && v->contact && v->alpha;
}

double oz_compression_energy(const oz_world *w)
{
	const oz_fluid *f = &w->sim.fluid;
	const double s = (double)w->sim.def.spacing;
	views v;
	double sum = 0;
	if (w->sim.def.pressure != OZ_PRESSURE_EOS || w->sim.particles.count == 0)
		return 0;
	if (!view(w, &v))
		return (double)NAN;
	for (uint32_t i = 0; i < w->sim.particles.count; i++) {
		const oz_matter *m = (const oz_matter *)w->sim.matters.items + v.material[i];
		const double over = fmin(fmax(-(double)v.deficit[i], 0), 10);
		const double both = (double)v.density[i] / (double)m->density;
		const uint32_t k = v.slot ? v.slot[i] : OZ_NONE;
		if (k >= w->slots.count) {
			sum += (double)m->density * density_energy(f, both, over);
			continue;
		}
		const double a = (double)matter_alpha(v.alpha[k], m->alpha),
		             contact = (double)v.contact[k];
		const double delta = a > 0.01 ? (both - (1 - a) * contact) / a : 1;
		sum += (double)m->density * a * density_energy(f, delta, over) +
		       (double)m->contact_density * (1 - a) * density_energy(f, contact, over);
	}
	return (double)(f->stress * f->sound2) * s * s * s * sum;
}
