// wall_table.c: λ of a flat wall, tabulated over the distance.
//
// The wall is assumed to be filled with particles at rest, in layers s/2, 3s/2 … behind its
// surface. Averaged along the wall, a layer at distance z adds w(z) = 2π/s² ∫ W(√(ρ² + z²)) ρ dρ,
// so that for a particle at distance D
//
//   λ(D) = c V Σ_k w(D + (k + ½) s)
//
// c, near 1, is chosen so that a particle of a lattice that ends at the wall has the same kernel
// sum as one inside the lattice. The wall's particles are the mirror image of the fluid: when the
// fluid approaches the surface by x, they do, too. For a particle that leaves its layer by x the
// distance to them therefore changes by 2x:
//
//   D = d + m (d - s/2)                         in the first layer and nearer, d ≤ s/2
//   D = d + m s/2π sin(2π (d - s/2) / s)        beyond: slope 1 + m at each layer, 1 on average
//
// m is 1 where particles at a wall lie in layers; with the fitted kernel they are less ordered, and
// 0.7 was chosen by the density at walls of many forms: 1 % too high with 0.8, 1 % too low with
// 0.6. With D(d) in place of d the wall's force is the gradient of an energy: walls do not add
// energy to a fluid at rest.
#include <math.h>

#include "boundary/boundary.h"
#include "math/sph.h"

#define FITTED_MIRROR 0.7 // m with the fitted kernel
#define RINGS         200 // intervals of the integral along the wall

static double kernel_at(const oz_fluid *f, double r2)
{
	return (double)oz_sph_w(f->smoothing, lane_of((float)r2), f->h)[0];
}

// w(z)
static double layer_sum(const oz_fluid *f, double z, double s)
{
	const double h = (double)f->h, reach2 = h * h - z * z;
	if (reach2 <= 0)
		return 0;
	// u = ρ² makes the integral π ∫ W(√(u + z²)) du; midpoints
	double sum = 0;
	for (int k = 0; k < RINGS; k++)
		sum += kernel_at(f, z * z + reach2 * (k + 0.5) / RINGS);
	return M_PI * sum * reach2 / RINGS / (s * s);
}

// D(d)
static double mirrored(const oz_fluid *f, double d, double s)
{
	const double x = d - 0.5 * s;
	const double m = f->smoothing == OZ_SPH_FITTED ? FITTED_MIRROR : 1;
	return x <= 0 ? d + m * x : d + m * s / (2 * M_PI) * sin(2 * M_PI * x / s);
}

// λ / c at the distance d from a flat wall; s: spacing (m)
static double flat_lambda(const oz_fluid *f, double d, double s)
{
	double sum = 0;
	for (double z = mirrored(f, d, s) + 0.5 * s; z < (double)f->h; z += s)
		sum += layer_sum(f, z, s);
	return (double)f->volume * sum;
}

// V times the kernel sum over half a lattice, for a particle of its first layer
static double lattice_half(const oz_fluid *f, double s)
{
	const int reach = (int)((double)f->h / s) + 1;
	double sum = 0;
	for (int x = -reach; x <= reach; x++)
		for (int y = 0; y <= reach; y++)
			for (int z = -reach; z <= reach; z++)
				sum += kernel_at(f, (x * x + y * y + z * z) * s * s);
	return (double)f->volume * sum;
}

// μ / c: change of λ for a mean curvature of 1/m. The curved surface is ρ²/2 behind the tangent
// plane at the distance ρ from the nearest point; the volume between the two is missing.
static double curvature_lambda(const oz_fluid *f, double d, double s)
{
	const double h = (double)f->h, z = mirrored(f, d, s), reach2 = h * h - z * z;
	if (reach2 <= 0)
		return 0;
	double sum = 0;
	for (int k = 0; k < RINGS; k++) {
		const double u = reach2 * (k + 0.5) / RINGS;
		sum += 0.5 * u * kernel_at(f, z * z + u);
	}
	return -M_PI * sum * reach2 / RINGS * (double)f->volume / (s * s * s);
}

// rate, 1/s, at which a layer of particles at rest at distance z slows a particle that moves
// parallel to it, for a kinematic viscosity of 1 m²/s; s: spacing of the layer, m
static double layer_drag(const oz_fluid *f, double z, double s)
{
	const double reach2 = (double)f->h * (double)f->h - z * z;
	double sum = 0;
	for (int k = 0; k < RINGS && reach2 > 0; k++) {
		const double u = reach2 * (k + 0.5) / RINGS, r2 = u + z * z;
		const float g = oz_sph_gradient(f->smoothing, lane_of((float)r2), f->h)[0];
		sum -= (double)g * 0.5 * u / (r2 + (double)f->softening);
	}
	return 10 * (double)f->volume * M_PI * sum * reach2 / RINGS / (s * s);
}

// drag of all layers of the wall on a particle at distance d, in a shear flow of gradient 1
static double drag_of_layers(const oz_fluid *f, double d, double s)
{
	double sum = 0;
	for (double z = d + 0.5 * s; z < (double)f->h; z += s)
		sum += z * layer_drag(f, z, s);
	return sum;
}

// The rate at which a wall at rest slows a particle along it, for a kinematic viscosity of 1: the
// pair force summed over the wall's particles. As in Morris et al. 1997, their velocities continue
// the flow that is zero at the wall, so that a particle at distance z counts z/d times: with the
// velocity of the wall itself, as Harada et al. print it, the fluid would slip by half a spacing.
// The drag of all layers of the fluid together (`all`) is scaled to the drag between neighbouring
// layers inside the fluid (`passed`), wherever the first layer is: without that the fluid slips by
// 0.2 spacings when its first layer is 0.1 spacings farther from the wall.
static double wall_drag(const oz_fluid *f, double d, double s)
{
	double all = 0, passed = 0;
	// a layer nearer than d exists only beyond the contact distance, s/4
	for (double at = fmod(d, s); at < (double)f->h; at += s)
		all += drag_of_layers(f, at, s) *
		       (at < d ? fmin(fmax(at / s / 0.25 - 1, 0), 1) : 1);
	for (double at = 0.5 * s; at < (double)f->h; at += s)
		passed += drag_of_layers(f, at, s);
	return all > 0 ? drag_of_layers(f, d, s) / d * passed / all : 0;
}

size_t oz_wall_table_size(void)
{
	return sizeof(float) * OZ_WALL_COLUMNS * (OZ_WALL_TABLE + 1);
}

static void fill_row(const oz_fluid *f, double d, double s, double scale, float *row)
{
	const double step = 1e-3 * (double)f->h;
	row[OZ_WALL_LAMBDA] = (float)fmin(scale * flat_lambda(f, d, s), 1);
	row[OZ_WALL_SLOPE] =
	        (float)(scale * (flat_lambda(f, d + step, s) - flat_lambda(f, d - step, s)) /
	                (2 * step));
	row[OZ_WALL_BEND] = (float)(scale * curvature_lambda(f, d, s));
	row[OZ_WALL_BENT] =
	        (float)(scale *
	                (curvature_lambda(f, d + step, s) - curvature_lambda(f, d - step, s)) /
	                (2 * step));
	row[OZ_WALL_STICK] = (float)wall_drag(f, fmax(d, 0.125 * s), s);
}

oz_result oz_wall_table_init(oz_boundary *b, const oz_sim *sim, oz_error *error)
{
	const double s = (double)sim->def.spacing, h = (double)sim->fluid.h;
	const double missing = 1 - lattice_half(&sim->fluid, s);
	const double plain = flat_lambda(&sim->fluid, 0.5 * s, s);
	const double scale = plain > 0 ? missing / plain : 1;
	float table[OZ_WALL_COLUMNS * (OZ_WALL_TABLE + 1)];
	uint last = 0;
	for (uint k = 0; k <= OZ_WALL_TABLE; k++) {
		float *row = table + OZ_WALL_COLUMNS * k;
		fill_row(&sim->fluid, h * (2.0 * k / OZ_WALL_TABLE - 1), s, scale, row);
		last = row[OZ_WALL_LAMBDA] > 0 ? k : last;
	}
	// one entry before the last that is not zero: between them λ may round to zero
	b->wall_reach = (float)fmax(h * (2.0 * (last - 1.0) / OZ_WALL_TABLE - 1), 0);
	b->wall_scale = (float)scale;
	b->wall_table = sim->device->ops->alloc(sim->device, sizeof table);
	if (!b->wall_table)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for a world; close other programs");
	sim->device->ops->write(sim->device, b->wall_table, 0, table, sizeof table);
	return OZ_OK;
}
