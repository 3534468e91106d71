// run_bodies.c: bodies.csv, the pose, motion and load of rigid bodies and of colliders with `load`.
//
// A rigid body has the force and torque of the last step, without gravity; a collider the means
// since the row before, and no velocities.
#include <inttypes.h>
#include <stdio.h>

#include "run.h"

const char oz_run_bodies_header[] =
        "time,step,name,x,y,z,qx,qy,qz,qw,velocity_x,velocity_y,velocity_z,spin_x,spin_y,spin_z,"
        "force_x,force_y,force_z,torque_x,torque_y,torque_z\n";

bool oz_run_bodies_exist(oz_world *world)
{
	bool any = false;
	for (uint32_t k = 0; k < oz_world_body_count(world); k++)
		any = any || oz_world_get_rigid(world, k, &(oz_rigid_state){0}, NULL) == OZ_OK;
	for (uint32_t k = 0; k < oz_world_collider_count(world); k++)
		any = any || oz_world_take_load(world, k, &(oz_load){0}, NULL) == OZ_OK;
	return any;
}

// a name without the characters that separate cells
static void clean(const char *name, char to[OZ_NAME_SIZE])
{
	size_t n = 0;
	for (; name[n] && n + 1 < OZ_NAME_SIZE; n++)
		to[n] = name[n] == ',' || name[n] == '"' || name[n] == '\n' ? ' ' : name[n];
	to[n] = 0;
}

static oz_result add_row(oz_run_table *table, const oz_world *world, const char *name,
                         const oz_rigid_state *s, bool moves, oz_error *error)
{
	char row[700], plain[OZ_NAME_SIZE], motion[160] = ",,,,,";
	clean(name, plain);
	if (moves)
		snprintf(motion, sizeof motion, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", s->velocity[0],
		         s->velocity[1], s->velocity[2], s->spin[0], s->spin[1], s->spin[2]);
	const int length =
	        snprintf(row, sizeof row,
	                 "%.9g,%" PRIu64
	                 ",%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,%.9g,%.9g,%.9g,%.9g,%.9g,"
	                 "%.9g\n",
	                 oz_world_time(world), oz_world_step_count(world), plain, s->position[0],
	                 s->position[1], s->position[2], s->rotation[0], s->rotation[1],
	                 s->rotation[2], s->rotation[3], motion, s->force[0], s->force[1],
	                 s->force[2], s->torque[0], s->torque[1], s->torque[2]);
	return oz_run_table_add(table, row, (size_t)length, error);
}

static oz_result add_collider(oz_run_table *table, oz_world *world, uint32_t k, oz_error *error)
{
	oz_load load;
	oz_shape shape;
	char name[32];
	if (oz_world_take_load(world, k, &load, NULL) != OZ_OK)
		return OZ_OK;
	const oz_result result = oz_world_get_collider(world, k, &shape, NULL, error);
	if (result != OZ_OK)
		return result;
	const oz_vec3 p = shape.position;
	const oz_quat q = shape.rotation;
	oz_rigid_state s = {.position = {(double)p.x, (double)p.y, (double)p.z},
	                    .rotation = {(double)q.x, (double)q.y, (double)q.z, (double)q.w}};
	for (int c = 0; c < 3; c++) {
		s.force[c] = load.force[c];
		s.torque[c] = load.torque[c];
	}
	snprintf(name, sizeof name, "collider %" PRIu32, k);
	return add_row(table, world, name, &s, false, error);
}

oz_result oz_run_bodies_add(oz_run_table *table, oz_world *world, oz_error *error)
{
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < oz_world_body_count(world) && result == OZ_OK; k++) {
		oz_rigid_state s;
		if (oz_world_get_rigid(world, k, &s, NULL) == OZ_OK)
			result = add_row(table, world, oz_world_body_name(world, k), &s, true,
			                 error);
	}
	for (uint32_t k = 0; k < oz_world_collider_count(world) && result == OZ_OK; k++)
		result = add_collider(table, world, k, error);
	return result;
}
