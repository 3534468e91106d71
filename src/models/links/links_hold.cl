// links_hold.cl: walls hold sticky fluids.
//
// A particle that comes within 3/4 of a spacing of a wall is held at the point where it is then, in
// the frame of the wall, by a spring: along the wall with the stiffness of a layer of half a
// spacing that is sheared, away from it with that of one that is stretched. The point follows the
// particle as links relax. Along the wall the tension is at most `sticky`: the point slips. Where
// the tension away from the wall is larger, the wall releases the particle; it is held again when
// it has left and come back, or moves towards the wall.
#include "boundary/walls.h"
#include "models/links/links_pair.h"

#define LINKS_HOLD_NEAR 0.75f // spacings, distance below which a wall holds a particle

#define links_hold_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, wall)                                                                        \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, law)                                                                         \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_collider, collider)                                                                  \
	IN(uint, places)                                                                           \
	IN(oz_float4, nearest)                                                                     \
	OUT(oz_float4, hold)                                                                       \
	OUT(oz_float4, grip)                                                                       \
	OUT(oz_float4, slack)                                                                      \
	VAL(oz_wall_rules, rules)                                                                  \
	VAL(float, printed_scale) VAL(float, dt) VAL(float, ahead) VAL(float, stiffest)
OZ_ARGS(links_hold)

// the nearest wall within LINKS_HOLD_NEAR of x: x in its frame; w: its 1-based number, 0: none
OZ_FN oz_float4 links_find_hold(const links_hold_args *a, const oz_walls *w, oz_vec3 x)
{
	oz_float4 hold = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	float nearest = LINKS_HOLD_NEAR * a->rules.spacing;
	for (uint k = 0; k < a->rules.colliders; k++) {
		OZ_GLOBAL const oz_collider *c = &a->collider[k];
		const oz_vec3 p = oz_begin_local(c, x);
		const float d = oz_wall_distance(w, c, p);
		if (!c->sticks || !(d < nearest))
			continue;
		nearest = d;
		hold = oz_make4(p.x, p.y, p.z, (float)(k + 1u));
	}
	return hold;
}

// The acceleration of the spring of a grip at a displacement, without its limit: away from the wall
// it is three times as stiff as along it, and it does not push.
OZ_FN oz_vec3 links_free_spring(oz_float4 grip, oz_vec3 off)
{
	const oz_vec3 n = oz_v3(grip.x, grip.y, grip.z);
	const float away = oz_dot(off, n);
	const oz_vec3 along = oz_mad(off, n, -away);
	return oz_scale(oz_mad(along, n, 3.0f * oz_max(away, 0.0f)), -grip.w);
}

// The same with its limit. `most`: m/s², the acceleration by a tension of `sticky`.
OZ_FN oz_vec3 links_spring(oz_float4 grip, oz_vec3 off, float most)
{
	const oz_vec3 f = links_free_spring(grip, off);
	const float size = oz_length(f);
	return size > most ? oz_scale(f, most / size) : f;
}

// m/s², the acceleration of a particle by a tension of `sticky`
OZ_FN float links_most(OZ_GLOBAL const oz_matter *m, float spacing)
{
	return m->flow.link.sticky * m->inv_density / spacing;
}

// The displacement from the point of a hold after this has slipped: the part along the wall is so
// short that its spring accelerates by at most `most`, m/s².
OZ_FN oz_vec3 links_slip(oz_float4 grip, oz_vec3 off, float most)
{
	const oz_vec3 n = oz_v3(grip.x, grip.y, grip.z);
	const float away = oz_dot(off, n);
	const oz_vec3 along = oz_mad(off, n, -away);
	const float size = grip.w * oz_length(along);
	return size > most ? oz_mad(oz_scale(along, most / size), n, away) : off;
}

// whether a particle that a wall has released is still near that wall and does not move towards it
OZ_FN bool links_still_leaves(const links_hold_args *a, const oz_walls *w, oz_float4 hold,
                              oz_vec3 x, oz_float4 v)
{
	OZ_GLOBAL const oz_collider *c = &a->collider[(uint)-hold.w - 1u];
	const oz_vec3 p = oz_begin_local(c, x);
	const oz_vec3 n = oz_begin_rotate(c, oz_wall_sample(w, c, p, a->rules.step).normal);
	const oz_vec3 away = oz_sub(oz_v3(v.x, v.y, v.z), oz_wall_velocity(c, p, a->dt));
	return oz_wall_distance(w, c, p) < LINKS_HOLD_NEAR * a->rules.spacing &&
	       oz_dot(away, n) >= 0.0f;
}

// Makes and removes holds, and writes their springs. `grip`: the normal of the wall; w: k/m, 1/s²,
// 0 without a hold. `slack`: the displacement from the point of the hold, at the end of the step if
// the particle does not move, m; w: 1-based number of the collider.
OZ_FN void links_hold_at(const links_hold_args *a, uint i)
{
	OZ_GLOBAL const oz_matter *m = &a->matter[a->material[i]];
	const oz_link l = m->flow.link;
	const oz_float4 none = oz_make4(0.0f, 0.0f, 0.0f, 0.0f), v = a->velocity[i];
	oz_float4 hold = a->hold[i];
	a->grip[i] = a->slack[i] = none;
	if (!l.on || !(l.sticky > 0.0f) || !(hold.w != 0.0f || a->wall[i].w > 0.0f))
		return;
	const float s = a->rules.spacing, most = links_most(m, s);
	const oz_vec3 x = oz_v3(a->position[i].x, a->position[i].y, a->position[i].z);
	oz_walls w;
	w.colliders = a->collider;
	w.places = a->places;
	w.nearest = a->nearest;
	if (hold.w < 0.0f && links_still_leaves(a, &w, hold, x, v))
		return;
	if (!(hold.w > 0.0f))
		hold = a->hold[i] = links_find_hold(a, &w, x);
	if (!(hold.w > 0.0f))
		return;
	OZ_GLOBAL const oz_collider *c = &a->collider[(uint)hold.w - 1u];
	const oz_vec3 kept = oz_v3(hold.x, hold.y, hold.z), p = oz_begin_local(c, x);
	const oz_vec3 n = oz_begin_rotate(c, oz_wall_sample(&w, c, p, a->rules.step).normal);
	const oz_vec3 wall = oz_wall_velocity(c, kept, a->dt);
	const float rate =
	        a->printed_scale > 0.0f
	                ? 4.0f * LINK_STRENGTH(a->spot[i]) * a->printed_scale
	                : 2.0f * oz_min(l.modulus * m->inv_density, a->stiffest) / (s * s);
	const oz_float4 grip = oz_make4(n.x, n.y, n.z, rate);
	const oz_vec3 far = oz_sub(x, oz_begin_world(c, kept)), off = links_slip(grip, far, most);
	if (3.0f * rate * oz_dot(off, n) > most || oz_length(off) > l.longest) {
		a->hold[i] = oz_make4(p.x, p.y, p.z, -hold.w);
		return;
	}
	const oz_vec3 point = oz_begin_local(c, oz_sub(x, off));
	const oz_vec3 at_end = oz_mad(off, wall, -a->ahead);
	const bool relaxes = l.on != OZ_LINK_PAPER && oz_length(off) > 0.5f * s * l.yield;
	const oz_vec3 next =
	        oz_mad(point, oz_sub(p, point), relaxes ? LINK_FADING(a->law[i]) : 0.0f);
	a->grip[i] = grip;
	a->slack[i] = oz_make4(at_end.x, at_end.y, at_end.z, hold.w);
	a->hold[i] = oz_make4(next.x, next.y, next.z, hold.w);
}

#define links_hold_pull_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, grip)                                                                        \
	IN(oz_float4, slack)                                                                       \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, acceleration) VAL(float, ahead) VAL(float, spacing)
OZ_ARGS(links_hold_pull)

// Adds the accelerations of holds at a velocity; `ahead`: the time step, 0 in the explicit step.
OZ_FN void links_hold_pull_at(const links_hold_pull_args *a, uint i)
{
	const oz_float4 grip = a->grip[i], off = a->slack[i], v = a->velocity[i];
	const oz_float4 f = a->acceleration[i];
	if (!(grip.w > 0.0f))
		return;
	const oz_vec3 end =
	        oz_v3(off.x + a->ahead * v.x, off.y + a->ahead * v.y, off.z + a->ahead * v.z);
	const oz_vec3 pull =
	        links_spring(grip, end, links_most(&a->matter[a->material[i]], a->spacing));
	a->acceleration[i] = oz_make4(f.x + pull.x, f.y + pull.y, f.z + pull.z, f.w);
}

#define links_hold_load_ARGS(IN, OUT, VAL)                                                         \
	IN(oz_float4, position)                                                                    \
	IN(oz_float4, grip)                                                                        \
	IN(oz_float4, slack)                                                                       \
	IN(oz_float4, velocity)                                                                    \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	IN(oz_collider, collider)                                                                  \
	OUT(oz_reaction, reactions)                                                                \
	VAL(float, ahead)                                                                          \
	VAL(float, kick) VAL(float, dt) VAL(float, quanta) VAL(float, spacing)
OZ_ARGS(links_hold_load)

// adds the forces of holds to the loads of colliders; `velocity` and `ahead` as above
OZ_FN void links_hold_load_at(const links_hold_load_args *a, uint i)
{
	const oz_float4 grip = a->grip[i], off = a->slack[i], v = a->velocity[i];
	if (!(grip.w > 0.0f))
		return;
	const oz_vec3 end =
	        oz_v3(off.x + a->ahead * v.x, off.y + a->ahead * v.y, off.z + a->ahead * v.z);
	const oz_vec3 x = oz_v3(a->position[i].x, a->position[i].y, a->position[i].z);
	oz_walls w;
	w.reactions = a->reactions;
	oz_mover m;
	m.quanta = a->quanta * a->matter[a->material[i]].density;
	m.slot = i / 64u % OZ_REACTION_SLOTS;
	m.dt = a->dt;
	oz_wall_add_load(&w, &a->collider[(uint)off.w - 1u], x,
	                 oz_scale(links_spring(grip, end,
	                                       links_most(&a->matter[a->material[i]], a->spacing)),
	                          a->kick),
	                 &m);
}

#define links_hold_product_ARGS(IN, OUT, VAL)                                                      \
	IN(oz_float4, grip)                                                                        \
	IN(oz_float4, slack)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, direction)                                                                   \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter) OUT(oz_float4, image) VAL(float, dt) VAL(float, spacing)
OZ_ARGS(links_hold_product)

// Adds the springs of holds to the product with a search direction. The normal part of a spring is
// left out if it does not pull at the guess.
OZ_FN void links_hold_product_at(const links_hold_product_args *a, uint i)
{
	const oz_float4 grip = a->grip[i], off = a->slack[i], v = a->guess[i];
	const oz_float4 p = a->direction[i], q = a->image[i];
	if (!(grip.w > 0.0f))
		return;
	const oz_vec3 n = oz_v3(grip.x, grip.y, grip.z), u = oz_v3(p.x, p.y, p.z);
	const oz_vec3 end = oz_v3(off.x + a->dt * v.x, off.y + a->dt * v.y, off.z + a->dt * v.z);
	const float most = links_most(&a->matter[a->material[i]], a->spacing);
	// at the largest tension the force is constant
	if (!(oz_length(links_free_spring(grip, end)) < most))
		return;
	const float away = oz_dot(end, n);
	const float stiff = away > 0.0f ? 2.0f : -1.0f; // along the normal minus along the wall
	const oz_vec3 f = oz_scale(oz_mad(u, n, stiff * oz_dot(u, n)), -a->dt * grip.w);
	a->image[i] = oz_make4(q.x + f.x, q.y + f.y, q.z + f.z, q.w);
}

#define links_hold_KERNELS(X)                                                                      \
	X(links_hold, EACH)                                                                        \
	X(links_hold_pull, EACH)                                                                   \
	X(links_hold_load, EACH)                                                                   \
	X(links_hold_product, EACH)
OZ_KERNELS(links_hold_KERNELS)
