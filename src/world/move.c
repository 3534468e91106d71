// move.c: the stage that moves.
#include "world/move.cl"
#include "world/world.h"

oz_result oz_stage_move(oz_world *w, oz_error *error)
{
	(void)error;
	oz_particles *p = &w->particles;
	OZ_LAUNCH(w->device, move, p->count, .collider = w->collider, .wall = p->wall,
	          .gap = p->gap, .flow = p->flow, .material = p->material, .matter = w->matter,
	          .position = p->position, .velocity = p->velocity, .acceleration = p->acceleration,
	          .table = w->wall_table, .places = w->charts.places, .leads = w->charts.leads,
	          .depths = w->charts.depths, .burdens = w->burdens, .quanta = oz_load_quanta(w),
	          .guide = w->guide, .guides = w->nozzles.count, .gravity = w->def.gravity,
	          .rules = oz_wall_rules_of(w),
	          .kick = 0.5f * (w->steering.last_time_step + w->time_step), .dt = w->time_step);
	oz_blend_moved(w);
	return OZ_OK;
}
