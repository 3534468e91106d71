// worlds.h: worlds for tests, and what is put into them.
#ifndef OZ_TEST_WORLDS_H
#define OZ_TEST_WORLDS_H

#include "particles.h"
#include "world/world.h"

#define GRAVITY 9.81 // m/s², the default world's

// ---- worlds -----------------------------------------------------------------------------------

oz_world *test_world(const oz_world_def *def);
// a world without gravity of that spacing and speed of sound; time steps adapt
oz_world *test_space(double spacing, double sound_speed);
// the same, with gravity and a floor at y = 0
oz_world *test_floor(double spacing, double sound_speed);
// without gravity; one thread
oz_world_def test_space_def(double spacing);

// A box vessel of 0.8 × 0.6 × 0.4 m with a block of water in its corner; about 800 particles for
// a spacing of 0.04 m. `memory` may be NULL.
oz_world *test_dam(uint32_t threads, float spacing, test_memory *memory);
// The same of water without damping, whose pressure follows from its density alone.
oz_world *test_undamped_dam(uint32_t threads, float spacing);
// test_dam with a nozzle that pours a second liquid and a ball that keyframes lead to and fro.
oz_world *test_busy_dam(uint32_t threads, float spacing, test_memory *memory);
// test_busy_dam of incompressible water, with a block of rubber that a handle holds and one of
// jelly on the water.
oz_world *test_incompressible_dam(uint32_t threads, float spacing);
// Adds sdf_collider walls to such a dam, in front of the water, each of which sums up what it
// bears: a block, a ring that is a shell, and a ball that keyframes lead to and fro. Gives the
// first one.
oz_id test_sdfs(oz_world *world);

// ---- materials --------------------------------------------------------------------------------

oz_id test_water(oz_world *world);
oz_id test_add_liquid(oz_world *world, float density, float viscosity, float damping);
oz_material_def test_blend(double alpha, double density);
// without damping and viscosity
oz_material_def test_elastic(double young, double poisson);
oz_id test_add_material(oz_world *world, const oz_material_def *def);

// ---- bodies -----------------------------------------------------------------------------------

oz_id test_add_points(oz_world *world, oz_id material, const oz_vec3 *points, uint32_t count,
                      oz_vec3 velocity);
oz_id test_add_particle(oz_world *world, oz_id material, oz_vec3 point, oz_vec3 velocity);
oz_id test_add_filled(oz_world *world, oz_id material, const oz_shape *shape, oz_fill fill);
// on a lattice, at rest, with that temperature in °C
oz_id test_add_warm(oz_world *world, oz_id material, const oz_shape *shape, double temperature);
// on a lattice, with that velocity
oz_id test_add_thrown(oz_world *world, oz_id material, const oz_shape *shape, vec velocity);
// a block of a lattice, all its particles one body
oz_id test_add_block(oz_world *world, oz_id material, vec centre, vec edges);
oz_id test_add_elastic(oz_world *world, const oz_material_def *def, const oz_shape *shape,
                       oz_fill fill, vec spin);
// Those points of a lattice between two corners that `in` lets in (NULL: all), as a body at rest.
// The first stands half a spacing inside the least corner.
void test_add_lattice(oz_world *world, oz_id material, vec min, vec max,
                      bool (*in)(const void *context, vec point), const void *context);

// Points between two cylinders about the y axis: `layers` layers of rings one spacing apart, the
// first half a spacing outside the radius of `inner` spacings. Gives their number.
uint32_t test_rings(double spacing, int inner, int rings, int layers, oz_vec3 *points);

// ---- walls and handles ------------------------------------------------------------------------

// a box given by its least and its greatest corner
oz_shape test_box(vec min, vec max);
// a rotation by an angle in radians about an axis of any length
oz_quat test_rotation(vec axis, double angle);
// a point seen from the shape's own frame
vec test_local_point(const oz_shape *shape, vec point);
void test_add_collider(oz_world *world, const oz_collider_def *def);
// a frictionless tank whose inside is that box
void test_add_tank(oz_world *world, vec min, vec max);
// a collider that says what it bears
void test_add_wall(oz_world *world, oz_shape shape, bool inside, const oz_keyframe *frames,
                   uint32_t count);
// That box, ball or cylinder as a sdf of cells of half a spacing, made from its exact nearest
// points. Release shape.sdf.
oz_shape test_sdf_shape(const oz_shape *solid, double spacing);
// Holds what is inside a box, for good; keyframes may be NULL.
oz_id test_add_handle(oz_world *world, vec min, vec max, const oz_keyframe *frames, uint32_t count,
                      double release);

// ---- steps ------------------------------------------------------------------------------------

oz_step_report test_step(oz_world *world);
void test_steps(oz_world *world, uint32_t count);
void test_run_until(oz_world *world, double time);
oz_stats test_stats(oz_world *world);
// the mean height of a body's particles, m
double test_mean_height(oz_world *world, oz_id body);
// what a collider has borne since it was last asked
oz_load test_load(oz_world *world, oz_id collider);
// counts events of a kind, and takes all of them
uint32_t test_count_events(oz_world *world, oz_event_kind kind);

// Before the first step, particles lie in the order of their ids.
void test_put_particle(oz_world *world, uint32_t particle, vec x, vec v);
// Moves every particle before the first step.
void test_place_particles(oz_world *world, vec (*to)(const void *context, vec from),
                          const void *context);
// Sets all velocities to zero.
void test_stop(oz_world *world);

// A world with nothing in it and one thread. `memory` may be NULL.
oz_world *test_plain_world(test_memory *memory);
// A bit of everything, for snapshots: a busy dam, a floor, a body without particles, eight blended
// particles. Few particles, as tests load it hundreds of times. `memory` may be NULL.
oz_world *test_saved_world(test_memory *memory);

#endif
