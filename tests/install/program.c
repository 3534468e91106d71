// program.c: a first program with the installed library: two drops of water fall for one step.
#include <ooze/ooze.h>
#include <stdio.h>

int main(void)
{
	const oz_vec3 points[] = {{0, 0, 0}, {0, 0.1f, 0}};
	const oz_world_def def = oz_world_default();
	const oz_material_def water = oz_material_default(OZ_FLUID);
	oz_body_def body = oz_body_default();
	oz_error error;
	oz_world *world = NULL;

	body.points = points, body.count = 2;
	if (oz_world_create(&def, &world, &error) ||
	    oz_world_add_material(world, &water, &body.material, &error) ||
	    oz_world_add_body(world, &body, NULL, &error) || oz_world_step(world, NULL, &error))
		return fprintf(stderr, "%s\n", error.text), 1;
	printf("%u drops, %s\n", oz_world_particle_count(world),
	       oz_world_time(world) > 0 ? "falling" : "still");
	oz_world_destroy(world);
	return 0;
}
