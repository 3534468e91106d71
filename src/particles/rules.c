// rules.c: constants of the kernel sums, from sums over lattices at rest.
#include "particles/rules.h"

#include <math.h>

#include "math/sph.h"

_Static_assert(OZ_SPH_CUBIC == OZ_KERNEL_CUBIC && OZ_SPH_WENDLAND == OZ_KERNEL_WENDLAND &&
                       OZ_SPH_MULLER == OZ_KERNEL_MULLER && OZ_SPH_FITTED == OZ_KERNEL_FITTED,
               "kernels and the API number smoothing kernels alike");

// support radius, m
static float h_of(const oz_world_def *def)
{
	return def->support * def->spacing;
}

// A lattice with one point for each spacing³: the points of its cubic cell, in units of its edge.
typedef struct lattice {
	int count;
	double places[4][3];
} lattice;

static const lattice simple = {1, {{0, 0, 0}}};
static const lattice centred = {2, {{0, 0, 0}, {0.5, 0.5, 0.5}}};
static const lattice packed = {4, {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}}};

typedef struct kernel_sums {
	double weight;   // Σ W, including the point itself
	double gradient; // - Σ x·∇W / 3
	double slope;    // Σ |∇W|/r without the point itself, 1/m⁵
	double below;    // Σ W of the points below
	double beyond;   // of these, without the nearest layer
} kernel_sums;

// adds a lattice point at the squared distance r2 (m²)
static void add_point(kernel_sums *sums, const oz_world_def *def, double r2, double layer)
{
	const float h = h_of(def);
	const double weight = (double)oz_sph_w(def->kernel, lane_of((float)r2), h)[0];
	sums->weight += weight;
	sums->below += layer < 0 ? weight : 0;
	sums->beyond += layer < -1 ? weight : 0;
	const double slope = -(double)oz_sph_gradient(def->kernel, lane_of((float)r2), h)[0];
	sums->gradient += r2 * slope / 3;
	sums->slope += r2 > 0 ? slope : 0;
}

// kernel sums at a point of an infinite lattice
static kernel_sums lattice_sums(const oz_world_def *def, const lattice *l)
{
	const double edge = (double)def->spacing * cbrt(l->count);
	const int reach = (int)((double)h_of(def) / edge) + 1;
	kernel_sums sums = {0};
	for (int x = -reach; x <= reach; x++)
		for (int y = -reach; y <= reach; y++)
			for (int z = -reach; z <= reach; z++)
				for (int k = 0; k < l->count; k++) {
					const double px = x + l->places[k][0],
					             py = y + l->places[k][1];
					const double pz = z + l->places[k][2];
					add_point(&sums, def,
					          (px * px + py * py + pz * pz) * edge * edge, py);
				}
	return sums;
}

// the three lattices of a kernel, and what follows from them
typedef struct lattices {
	double volume;      // m³, V
	double gradient;    // of all three together
	double slope;       // the largest
	double lack;        // of the density of a cubic lattice that ends at a flat wall
	double lack_second; // the same in its second layer
} lattices;

static lattices lattices_of(const oz_world_def *def)
{
	const kernel_sums cubic = lattice_sums(def, &simple), mid = lattice_sums(def, &centred),
	                  dense = lattice_sums(def, &packed);
	return (lattices){.volume = 1 / cubic.weight,
	                  .gradient = cubic.gradient + mid.gradient + dense.gradient,
	                  .slope = fmax(cubic.slope, fmax(mid.slope, dense.slope)),
	                  .lack = cubic.below / cubic.weight,
	                  .lack_second = cubic.beyond / cubic.weight};
}

static oz_fluid fluid_of(const oz_world_def *def, const lattices *l)
{
	const float h = h_of(def), own = oz_sph_w(def->kernel, lane_of(0.0f), h)[0];
	return (oz_fluid){.smoothing = def->kernel,
	                  .tait = def->eos == OZ_EOS_TAIT,
	                  .tension = def->tension,
	                  .h = h,
	                  .volume = (float)l->volume,
	                  .stress = (float)(3 / (l->volume * l->gradient)),
	                  .wall = 1,
	                  .self = (float)(l->volume * (double)own),
	                  .sound2 = def->sound_speed * def->sound_speed,
	                  .softening = 0.01f * h * h,
	                  .gravity = def->gravity};
}

// The fitted kernel is for the inside of fluids. Since it does not see the packing, it would not
// keep a fluid out of the gaps between the particles of an elastic body: contact uses the cubic
// spline. The inside of elastic bodies uses it, too: they bend better with its shorter support.
#define CONTACT_SUPPORT 2.0f // spacings

static oz_world_def contact_def(const oz_world_def *def)
{
	oz_world_def contact = *def;
	if (def->kernel == OZ_KERNEL_FITTED) {
		contact.kernel = OZ_KERNEL_CUBIC;
		contact.support = fminf(def->support, CONTACT_SUPPORT);
	}
	return contact;
}

oz_rules oz_rules_of(const oz_world_def *def)
{
	const oz_world_def contact = contact_def(def);
	const lattices own = lattices_of(def), others = lattices_of(&contact);
	oz_rules rules = {.fluid = fluid_of(def, &own),
	                  .solid = fluid_of(&contact, &others),
	                  .heat_sum = (float)(3 / own.gradient * own.slope)};
	const double slope = (others.lack - others.lack_second) / (own.lack - own.lack_second);
	rules.solid.wall = (float)(others.lack / own.lack);
	rules.solid.wall_slope = (float)slope;
	rules.solid.wall_from = (float)(own.lack_second - others.lack_second / slope);
	return rules;
}

// Artificial viscosity and ζ of `damping`, over damping ρ0 c h. With the fitted kernel damping
// resists compression, so that a liquid flows freely; a fortieth of the artificial viscosity is
// left, 0.028 Pa·s at a spacing of 1 cm and 20 m/s, so that the noise of single particles decays.
#define SHEAR        0.5f
#define FITTED_SHEAR 0.0125f
#define FITTED_BULK  4.0f

oz_matter oz_matter_base(const oz_world_def *world, const oz_material_def *def)
{
	const bool fitted = world->kernel == OZ_KERNEL_FITTED;
	const float wave = def->damping * def->density * world->sound_speed * h_of(world);
	const float eta = 10.0f * def->viscosity;
	return (oz_matter){.density = def->density,
	                   .inv_density = 1.0f / def->density,
	                   .contact_density = def->density,
	                   .viscous = sqrtf(eta + SHEAR * wave),
	                   .flow = {.viscous = sqrtf(eta + (fitted ? FITTED_SHEAR : SHEAR) * wave),
	                            // an incompressible fluid has no sound
	                            .bulk = fitted && world->pressure == OZ_PRESSURE_EOS
	                                            ? FITTED_BULK * wave
	                                            : 0},
	                   .kinematic = def->viscosity / def->density,
	                   .alpha = 1.0f,
	                   .reshape = {.update_steps = UINT32_MAX}};
}
