// sdf_world.h: a tank of water with balls and a ring as SDF colliders, of which one moves.
#ifndef OZ_TEST_SDF_WORLD_H
#define OZ_TEST_SDF_WORLD_H

#include "boundary/sdf_data.h"
#include "worlds.h"

#define WALLS_SPACING 0.05f // m

enum { WALL_TANK, WALL_STILL, WALL_MOVING, WALL_RING, WALL_SHELL, WALL_COLLIDERS };

typedef struct test_loads {
	oz_load of[WALL_COLLIDERS];
} test_loads;

// The sizes of balls and ring: usual ones, and small ones for worlds that are made many times. For
// cmocka; call one of them before all others.
int test_usual_walls(void **state);
int test_small_walls(void **state);

// The nearest points of a ball, and the definition of its SDF; `hooks` may be NULL.
void test_near_ball(void *context, const oz_vec3 *points, uint32_t count,
                    oz_nearest_point *nearest);
oz_sdf_def test_ball_def(const oz_hooks *hooks);
oz_sdf *test_sdf_made(const oz_sdf_def *def);

// Adds an SDF as the collider WALL_STILL, WALL_MOVING, WALL_RING or WALL_SHELL.
oz_result test_add_sdf(oz_world *w, const oz_sdf *sdf, oz_vec3 at, int kind, oz_error *error);
// Makes the whole world. `apart`: its colliders do not share an SDF. The second one fails the test
// if that fails.
oz_result test_make_walls(uint32_t threads, const oz_hooks *hooks, bool apart, oz_world **world,
                          oz_error *error);
oz_world *test_walls(uint32_t threads, bool apart);

// The loads of all colliders since they were last taken.
test_loads test_take_loads(oz_world *w);
// Fails unless two worlds have the same bits and the same loads.
void test_same_walls(oz_world *a, oz_world *b);

#endif
