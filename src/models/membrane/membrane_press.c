// membrane_press.c: the skin in the rounds of the pressure solver.
//
// The pressure solver finds a change of P. Its forces act on vertices that their skin holds back:
// in an implicit step with the matrix 1 + k (Δt K + D) a force f over mass changes the velocity by
// (1 + k (Δt K + D))⁻¹ k f. A solver that took vertices for free particles would find changes of P
// that are much too small where the skin is light and stiff, and the skin would undo its motion in
// the next step. So each round solves for the vertices with the matrix of the step
// (membrane_solve.cl); the change of velocity of the round before is the first guess.
#include <math.h>

#include "models/membrane/membrane.h"

#include "models/membrane/membrane_press.cl"
#include "models/membrane/membrane_solve.cl"

#define TOLERANCE  1e-3f // of the residual, over the change of velocity without a skin
#define ENOUGH     1e-2f // of the first residual: it is the change since the round before
#define ITERATIONS 100u  // at most, of conjugate gradients

void oz_membrane_fix(oz_sim *sim, const void *state, oz_float4 *guess)
{
	const oz_membrane *m = state;
	if (m->slots.count)
		OZ_LAUNCH(sim->device, membrane_hold, m->slots.count,
		          .slot_of = m->on_device.slot_of,
		          .particle_of_slot = sim->slots->particle_of_slot,
		          .chamber_of = m->on_device.chamber_of, .chambers = m->on_device.chambers,
		          .delta_v = m->work.delta_v, .guess = guess);
}

// solves for delta_v, from that of the round before
static void solve(oz_sim *sim, const oz_membrane *m, const oz_float4 *acceleration, float kick)
{
	const oz_membrane_work *w = &m->work;
	const oz_cg cg = oz_membrane_cg(sim, m, kick);
	OZ_LAUNCH(sim->device, membrane_recall, m->slots.count, .delta_v = w->delta_v,
	          .direction = w->direction);
	oz_membrane_multiply(sim, m, oz_membrane_bends(sim, m, kick));
	OZ_LAUNCH(sim->device, membrane_answer, m->slots.count, .slot_of = m->on_device.slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot, .acceleration = acceleration,
	          .image = w->image, .delta_v = w->delta_v, .block = w->brace, .outer = w->outer,
	          .residual = w->residual, .direction = w->direction, .groups = cg.sums,
	          .first = oz_cg_first(&cg, OZ_CG_NORM), .kick = kick);
	oz_cg_join(&cg, OZ_CG_NORM);
	const oz_float4 first = oz_cg_read(&cg, OZ_CG_NORM);
	float left = first.y;
	oz_cg_solve(&cg,
	            (oz_cg_goal){.enough = fmaxf(TOLERANCE * TOLERANCE * first.z,
	                                         ENOUGH * ENOUGH * first.y),
	                         .rounds = ITERATIONS},
	            &left);
}

void oz_membrane_project(oz_sim *sim, const void *state, oz_float4 *acceleration)
{
	oz_membrane *m = oz_model_state(sim, &oz_membrane_model);
	const oz_membrane_buffers *b = &m->on_device;
	const float kick = oz_kick(sim);
	(void)state;
	if (!m->solved)
		return;
	solve(sim, m, acceleration, kick);
	oz_membrane_return_momentum(sim, m, kick);
	OZ_LAUNCH(sim->device, membrane_finish, m->slots.count, .slot_of = b->slot_of,
	          .particle_of_slot = sim->slots->particle_of_slot, .chamber_of = b->chamber_of,
	          .chambers = b->chambers, .place = m->work.place, .delta_v = m->work.delta_v,
	          .acceleration = acceleration, .kick = kick);
}
