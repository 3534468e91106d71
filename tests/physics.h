// physics.h: what the tests of physical claims share.
//
// Worlds that fail the running test where a call fails, particles read back in the order of their
// ids, and sums in double precision that owe nothing to the library's own.
#ifndef PHYSICS_H
#define PHYSICS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ooze/ooze.h"

#define PI      3.14159265358979323846
#define GRAVITY 9.81 // m/s², the default world's

typedef struct vec {
	double x, y, z;
} vec;

// one particle as a test sees it
typedef struct grain {
	vec x, v; // m, m/s
	double density, pressure;
	uint32_t id, body, material;
} grain;

// all particles, in the order of their ids
typedef struct grains {
	grain *at;
	uint32_t count;
} grains;

// linear and angular momentum about the origin, and the sums of lengths to hold them against
typedef struct momenta {
	vec linear, angular;
	double linear_scale, angular_scale;
} momenta;

static inline vec vec_of(double x, double y, double z)
{
	return (vec){x, y, z};
}

static inline vec vec_sub(vec a, vec b)
{
	return vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

// a + b s
static inline vec vec_mad(vec a, vec b, double s)
{
	return vec_of(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline double vec_dot(vec a, vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec vec_cross(vec a, vec b)
{
	return vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(vec a)
{
	return sqrt(vec_dot(a, a));
}

static inline oz_vec3 vec_narrow(vec a)
{
	return (oz_vec3){(float)a.x, (float)a.y, (float)a.z};
}

// a world, a material, a body; every one fails the test if it cannot be made
oz_world *oz_phys_world(const oz_world_def *def);
oz_id oz_phys_material(oz_world *world, float density, float viscosity, float damping);
oz_id oz_phys_points(oz_world *world, oz_id material, const oz_vec3 *points, uint32_t count,
                     oz_vec3 velocity);
oz_id oz_phys_particle(oz_world *world, oz_id material, oz_vec3 point, oz_vec3 velocity);
oz_id oz_phys_fill(oz_world *world, oz_id material, const oz_shape *shape, oz_fill fill);
// a box given by its least and its greatest corner
oz_shape oz_phys_box(vec min, vec max);
void oz_phys_collider(oz_world *world, const oz_collider_def *def);
// a frictionless tank whose inside is that box
void oz_phys_tank(oz_world *world, vec min, vec max);
// turned by an angle in radians about an axis of any length
oz_quat oz_phys_turn(vec axis, double angle);

// That box, ball or cylinder as an SDF of cells of half a spacing, made from its exact nearest
// points. Release shape.SDF.
oz_shape oz_phys_sdf(const oz_shape *solid, double spacing);
// Those points of a lattice between two corners that `in` lets in (NULL: all), as a body at rest.
// The first stands half a spacing inside the least corner.
void oz_phys_lattice(oz_world *world, oz_id material, vec min, vec max,
                     bool (*in)(const void *context, vec point), const void *context);
// a point seen from the shape's own frame
vec oz_phys_local(const oz_shape *shape, vec point);

oz_step_report oz_phys_step(oz_world *world);
void oz_phys_until(oz_world *world, double time);

// the particles now; release them with oz_phys_release
grains oz_phys_grains(oz_world *world);
void oz_phys_release(grains *all);
bool oz_phys_finite(const grains *all);
momenta oz_phys_momenta(oz_world *world);
// J, of the velocities as they stand
double oz_phys_kinetic(oz_world *world);
// the same numbers on every machine: uniform in [0, 1)
double oz_phys_random(uint64_t *state);

oz_stats oz_phys_stats(oz_world *world);
// what a collider has borne since it was last asked
oz_load oz_phys_load(oz_world *world, oz_id collider);

// fails unless |value - wanted| <= tolerance, and says all three
void oz_phys_near(double value, double wanted, double tolerance, const char *what);

// Adds a collider that says what it bears.
void oz_phys_wall(oz_world *w, oz_shape shape, bool inside, const oz_keyframe *frames,
                  uint32_t count);

#endif
