// particles.h: particles read back in the order of their ids, and sums over them in double
// precision.
#ifndef OZ_TEST_PARTICLES_H
#define OZ_TEST_PARTICLES_H

#include "support.h"
#include "vec.h"

// one particle as a test sees it
typedef struct test_particle {
	vec x, v;                              // m, m/s
	double density, pressure, temperature; // kg/m³, Pa, °C
	uint32_t id, body, material;
} test_particle;

// all particles, in the order of their ids
typedef struct test_particles {
	test_particle *at;
	uint32_t count;
} test_particles;

// linear and angular momentum about the origin, and the sums of lengths to hold them against
typedef struct test_momenta {
	vec linear, angular;
	double linear_scale, angular_scale;
} test_momenta;

// the particles now; release them with test_particles_free
test_particles test_particles_read(oz_world *world);
void test_particles_free(test_particles *all);
bool test_particles_finite(const test_particles *all);

test_momenta test_momenta_of(oz_world *world);
// J, of the velocities as they stand
double test_kinetic_energy(oz_world *world);
// m/s, the fastest particle
double test_top_speed(oz_world *world);
// m, of the circle about the y axis that holds a share of the particles
double test_circle(oz_world *world, double share);
// m, greatest less least y
double test_height(oz_world *world);
// Gives the RMS distance of two equally long rows after the best rigid fit of one onto the other.
double test_misfit(const test_particles *now, const test_particles *then);
// a hash over the reference shapes of the slots from first to last
uint64_t test_rest_hash(const oz_world *world, uint32_t first, uint32_t count);

#endif
