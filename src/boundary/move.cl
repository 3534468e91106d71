// move.cl: moves particles at the end of a step: kick, drift, stop at walls.
#include "boundary/nozzle.h"
#include "boundary/walls.h"
#include "particles/matter.h"

// Moves a particle in a nozzle: at the jet's velocity up to the opening, then in free flight for
// the rest of the step. So the jet does not depend on the time step. `ahead`: s up to the opening.
OZ_FN void oz_guide_move(const oz_guide *g, float ahead, oz_vec3 gravity, oz_mover *m,
                         oz_vec3 start)
{
	const float flown = oz_max(m->dt - ahead, 0.0f);
	m->x = oz_mad(oz_mad(start, g->velocity, m->dt), gravity, 0.5f * flown * flown);
	m->v = flown > 0.0f ? oz_mad(g->velocity, gravity, flown - 0.5f * m->dt) : g->velocity;
}

// whether position or velocity is not finite or exceeds its limit; a comparison with NaN is false
OZ_FN bool oz_is_lost(const oz_mover *m)
{
	return !(oz_max_abs(m->v) <= OZ_SPEED_MAX && oz_max_abs(m->x) <= OZ_PLACE_MAX);
}

// the field `nozzle` after the step: k inside the nozzle, then -k in its mouth, then 0 for good
OZ_FN float oz_nozzle_state(const oz_guide *g, float nozzle, oz_vec3 x)
{
	if (nozzle > 0.0f && oz_guide_time_to_opening(g, x) > 0.0f)
		return nozzle;
	return oz_guide_contains(g, x) ? -oz_abs(nozzle) : 0.0f;
}

// The wall that presses a solid is a spring: particles leave it as fast as they came. It takes this
// share of their speed along its normal in the time that sound takes for a spacing, times 1 -
// restitution, at most as much as it presses. Without that a solid never stops to tremble on a
// wall, and friction, which follows the pressure, lets go of it again and again: it creeps down
// slopes that should hold it.
#define OZ_WALL_DAMPING 1.5f

#define move_ARGS(IN, OUT, VAL)                                                                    \
	IN(oz_collider, collider)                                                                  \
	IN(oz_float4, wall)                                                                        \
	IN(float, wall_clearance)                                                                  \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(float, nozzle)                                                                         \
	OUT(oz_float4, position)                                                                   \
	OUT(oz_float4, velocity)                                                                   \
	OUT(oz_float4, acceleration)                                                               \
	IN(float, table)                                                                           \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	IN(oz_wall_node, wall_nodes)                                                               \
	OUT(oz_reaction, reactions)                                                                \
	IN(oz_guide, guide)                                                                        \
	VAL(uint, guides)                                                                          \
	VAL(oz_wall_rules, rules)                                                                  \
	VAL(oz_vec3, gravity)                                                                      \
	VAL(float, kick) VAL(float, dt) VAL(float, quanta) VAL(float, never)
OZ_ARGS(move)

// Kick and drift (leapfrog): velocities are those of the middle of a step, so that a kick spans
// half of the last step and half of this one. A particle that is not finite any more stays at its
// old position with velocity 0, and acceleration.w = 1 marks it for the report.
OZ_FN void move_at(const move_args *a, uint i)
{
	const oz_float4 x = a->position[i], v = a->velocity[i], f = a->acceleration[i];
	const oz_vec3 start = oz_v3(x.x, x.y, x.z);
	oz_mover m;
	m.v = oz_v3(v.x + a->kick * f.x, v.y + a->kick * f.y, v.z + a->kick * f.z);
	m.x = oz_mad(start, m.v, a->dt);
	m.dt = a->dt;
	const oz_matter matter = a->matter[a->material[i]];
	m.press = a->kick * x.w * matter.inv_density;
	// friction of rigid bodies acts on the whole body: rigid_friction.cl
	m.push = matter.firm == OZ_FIRM_RIGID ? 0.0f : oz_max(m.press, 0.0f);
	// what may melt is solid if it has not the viscous weight of its melt
	const bool solid = (matter.firm & OZ_FIRM) &&
	                   (matter.melting_point >= a->never || v.w != matter.flow.viscous);
	m.damping =
	        solid && m.push > 0.0f
	                ? oz_min(OZ_WALL_DAMPING * a->dt * a->rules.sound / a->rules.spacing, 1.0f)
	                : 0.0f;
	m.quanta = a->quanta * matter.density;
	m.slot = i / 64u % OZ_REACTION_SLOTS;
	// a thick fluid has no viscous weight: viscous.cl holds it to walls
	m.viscosity = v.w > 0.0f ? matter.kinematic : 0.0f;
	const float from = a->guides ? a->nozzle[i] : 0.0f;
	const uint number = (uint)oz_abs(from);
	float nozzle = number > 0u && number <= a->guides ? from : 0.0f;
	bool guided = false;
	if (nozzle != 0.0f) {
		const oz_guide guide = a->guide[number - 1u];
		const float ahead = oz_guide_time_to_opening(&guide, start);
		guided = nozzle > 0.0f && ahead > 0.0f;
		if (guided)
			oz_guide_move(&guide, ahead, a->gravity, &m, start);
	}
	// walls act where λ > 0; in a nozzle λ was not computed, so that walls are always checked
	const bool rubs = from != 0.0f || a->wall[i].w > 0.0f;
	const float way = oz_length(m.v) * a->dt + a->rules.motion;
	if ((rubs || way >= a->wall_clearance[i]) && !guided) {
		oz_walls w;
		w.colliders = a->collider;
		w.table = a->table;
		w.places = a->places;
		w.nearest = a->nearest;
		w.wall_nodes = a->wall_nodes;
		w.reactions = a->reactions;
		for (uint k = 0; k < a->rules.colliders; k++) {
			OZ_GLOBAL const oz_collider *c = &w.colliders[k];
			const oz_vec3 before = m.v;
			if (from == 0.0f)
				oz_wall_add_pressure_load(&w, &a->rules, c, start,
				                          1.0f - a->wall[i].w, &m);
			oz_wall_drag(&w, &a->rules, c, start, &m);
			oz_wall_add_load(&w, c, start, oz_sub(m.v, before), &m);
		}
		m.x = oz_mad(start, m.v, a->dt);
		if (way >= a->wall_clearance[i] && oz_walls_follow_path(&w, &a->rules, start, &m))
			oz_walls_push_out(&w, &a->rules, start, &m);
	}
	if (nozzle != 0.0f) {
		const oz_guide guide = a->guide[number - 1u];
		nozzle = oz_nozzle_state(&guide, nozzle, m.x);
	}
	if (oz_is_lost(&m)) {
		a->velocity[i] = oz_make4(0.0f, 0.0f, 0.0f, v.w);
		a->acceleration[i] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
		return;
	}
	a->position[i] = oz_make4(m.x.x, m.x.y, m.x.z, x.w);
	if (a->guides)
		a->nozzle[i] = nozzle;
	a->velocity[i] = oz_make4(m.v.x, m.v.y, m.v.z, v.w);
}

#define move_KERNELS(X) X(move, EACH)
OZ_KERNELS(move_KERNELS)
