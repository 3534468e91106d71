// press.c: implicit elastic bodies in the rounds of the pressure solver.
//
// The pressure solver finds a change of P. In an implicit step (elastic_solve.cl) its force over
// mass f changes the velocity of a body by (1 + 4/9 k Δt K)⁻¹ k f: the particles that it presses
// cannot move without their neighbours. A solver that took them for free particles would find
// changes of P that are too small, and an impact would act on the body one step late. So each round
// solves for the bodies with the matrix of the step; the answer of the round before is the first
// guess.
#include "models/elastic/elastic.h"
#include "models/elastic/elastic_press.cl"
#include "solver/cg.h"

#define TOLERANCE  1e-3f // of the residual, over the change of velocity of free particles
#define ITERATIONS 100u  // at most, of conjugate gradients

void oz_elastic_begin_answer(oz_sim *sim, oz_float4 *guess)
{
	const oz_elastic *s = oz_elastic_of(sim);
	if (s->steps.answers)
		OZ_LAUNCH(sim->device, elastic_hold, sim->slots->count,
		          .particle_of_slot = sim->slots->particle_of_slot, .stiff = s->stiff,
		          .delta_v = s->delta_v, .answer = s->work.answer,
		          .pressed = s->work.pressed, .residual = s->residual, .guess = guess);
}

// solves for the answer, from that of the round before; returns the number of iterations
static uint32_t solve(oz_sim *sim, const oz_float4 *acceleration, float kick)
{
	const oz_elastic *s = oz_elastic_of(sim);
	oz_cg cg = oz_elastic_solver(sim, kick);
	cg.delta_v = s->work.answer;
	OZ_LAUNCH(sim->device, elastic_answer, sim->slots->count,
	          .particle_of_slot = sim->slots->particle_of_slot, .acceleration = acceleration,
	          .answer = s->work.answer, .pressed = s->work.pressed, .residual = s->residual,
	          .direction = s->direction, .groups = cg.sums,
	          .first = oz_cg_first(&cg, OZ_CG_NORM), .kick = kick);
	oz_cg_join(&cg, OZ_CG_NORM);
	const oz_float4 first = oz_cg_read(&cg, OZ_CG_NORM);
	float left = first.y;
	return oz_cg_solve(&cg,
	                   (oz_cg_goal){.enough = TOLERANCE * TOLERANCE * first.z,
	                                .rounds = ITERATIONS},
	                   &left);
}

void oz_elastic_answer(oz_sim *sim, const void *state, oz_float4 *acceleration)
{
	const oz_elastic *s = state;
	const float kick = oz_kick(sim);
	if (!s->steps.answers)
		return;
	sim->report.rounds += solve(sim, acceleration, kick);
	oz_elastic_return_momentum(sim, s->work.pressed, s->work.answer, kick);
	OZ_LAUNCH(sim->device, elastic_answered, sim->slots->count,
	          .particle_of_slot = sim->slots->particle_of_slot, .answer = s->work.answer,
	          .residual = s->residual, .acceleration = acceleration, .kick = kick);
}

oz_result oz_elastic_keep_answer(oz_sim *sim, void *state, oz_error *error)
{
	oz_elastic *s = state;
	if (s->steps.answers)
		OZ_LAUNCH(sim->device, elastic_keep, sim->slots->count, .answer = s->work.answer,
		          .pressed = s->work.pressed, .residual = s->residual,
		          .rotation = sim->slots->rotation, .delta_v = s->delta_v,
		          .last = s->last_g, .kick = oz_kick(sim));
	s->steps.answers = false;
	return oz_device_check(sim->device, error);
}
