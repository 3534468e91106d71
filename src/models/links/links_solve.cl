// links_solve.cl: the implicit step of stiff links.
//
// With a0 all other accelerations, `kick` the time over which accelerations act (oz_kick) and a(u)
// those of links at the end of the step, u solves u = v + kick (a0 + a(u)):
//
//   a_i = - 1/m_i Σ k_ij n max(d - r + Δt n·(u_i - u_j), 0)
//
// with n and d of the beginning of the step and k_ij the stiffness of a link. u is the minimum of a
// convex function. Newton's iteration finds it: links that are stretched at the last u are linear
// springs, conjugate gradients (cg.cl) solve for these, and this is repeated until the residual is
// small. If the set of stretched links were chosen once a step, links at rest would alternate
// between pulling and not pulling. As in viscous_solve.cl the residual is added at the end: the
// accelerations are then a0 + a(u) at the last u, and momentum is kept for any number of rounds.
//
// The velocities of rigid bodies are rigid motions: residuals and products are replaced by those of
// the bodies (oz_models_join). If a particle of a body moved on its own, the tension by which a
// body hangs would depend on the time step, and each change of the step would kick it.
#include "models/links/links_pair.h"
#include "solver/cg_sums.h"

#define links_guess_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, velocity)                                                                    \
	IN(oz_float4, mate)                                                                        \
	IN(uint, count)                                                                            \
	IN(oz_float4, grip)                                                                        \
	IN(float, nozzle)                                                                          \
	IN(uint, material)                                                                         \
	IN(oz_matter, matter)                                                                      \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, residual) OUT(oz_float4, guess) VAL(uint, holds) VAL(uint, nozzles)
OZ_ARGS(links_guess)

// The first guess: u = v. residual.w: the mass; 0 for particles that links and holds do not move:
// those without either, in nozzles, or of a material that does not move (oz_link.still). guess.w: 1
// for particles of rigid bodies. `holds`: 1 if walls hold particles.
OZ_FN void links_guess_at(const links_guess_args *a, uint i)
{
	const oz_float4 v = a->velocity[i];
	const bool led = a->nozzles && a->nozzle[i] > 0.0f;
	const bool rigid = a->matter[a->material[i]].firm == OZ_FIRM_RIGID;
	const bool held = a->holds && a->grip[i].w > 0.0f;
	const bool moves = (a->count[i] || held || rigid) && !led && a->mate[i].x > 0.0f;
	a->delta_v[i] = oz_make4(0.0f, 0.0f, 0.0f, 1.0f);
	a->guess[i] = oz_make4(v.x, v.y, v.z, rigid ? 1.0f : 0.0f);
	a->residual[i] = oz_make4(0.0f, 0.0f, 0.0f, moves ? 1.0f / a->mate[i].x : 0.0f);
}

#define links_tense_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, law)                                                                         \
	IN(oz_float4, mate)                                                                        \
	IN(oz_float4, guess) OUT(float, rest) OUT(oz_float4, image) VAL(float, dt)
#define links_tense_NEAR(PLACE, ALSO, CASE) ALSO(spot) ALSO(law) ALSO(mate) ALSO(guess)
#define links_tense_LINK                    rest
OZ_PAIR_ARGS(links_tense)

typedef struct links_tense_sum {
	link_own own;
	oz_float4 u;
	lane x, y, z, k;
} links_tense_sum;

// Writes the accelerations of links at the velocities in `guess` into `image`; image.w: Σ k_ij over
// the mass. Links that break get the rest length 0. Links that are not stretched at the end of the
// step get a negative one, which links_product skips and links_settle makes positive again.
OZ_FN void links_tense_begin(const links_tense_args *a, uint i, links_tense_sum *s)
{
	s->own.spot = a->spot[i];
	s->own.law = a->law[i];
	s->own.mate = a->mate[i];
	s->u = a->guess[i];
	s->x = s->y = s->z = s->k = lane_of(0.0f);
}

OZ_FN void links_tense_pair(const links_tense_args *a, links_tense_sum *s,
                            const links_tense_near *j, lane *rest)
{
	const lane zero = lane_of(0.0f);
	const lane length = lane_max(*rest, -*rest);
	const link_pair p = link_pair_of(&s->own, &j->spot, &j->mate, length, 0.0f);
	const lane_mask breaks = link_breaks(&s->own, &p, &j->law, length);
	const lane_mask whole = (length > 0.0f) & (breaks == 0);
	const lane parting = p.x * (s->u.x - j->guess.x) + p.y * (s->u.y - j->guess.y) +
	                     p.z * (s->u.z - j->guess.z);
	const lane stretch = p.length - length + a->dt * parting;
	const lane_mask tense = whole & (stretch > 0.0f);
	const lane k = lane_select(tense, p.stiffness, zero), pull = k * stretch;
	s->x -= pull * p.x;
	s->y -= pull * p.y;
	s->z -= pull * p.z;
	s->k += k;
	*rest = lane_select(whole, lane_select(tense, length, -length), zero);
}

OZ_FN void links_tense_end(const links_tense_args *a, uint i, links_tense_sum *s)
{
	const oz_float4 sum = lane_sum4(s->x, s->y, s->z, s->k);
	const float m = s->own.mate.x;
	a->image[i] = oz_make4(m * sum.x, m * sum.y, m * sum.z, m * sum.w);
}

#define links_gain_ARGS(IN, OUT, VAL)                                                              \
	IN(oz_float4, guess) IN(oz_float4, acceleration) OUT(oz_float4, image)
OZ_ARGS(links_gain)

// adds the accelerations by all else to `image`, for particles of rigid bodies
OZ_FN void links_gain_at(const links_gain_args *a, uint i)
{
	const oz_float4 f = a->acceleration[i], q = a->image[i];
	if (a->guess[i].w > 0.0f)
		a->image[i] = oz_make4(q.x + f.x, q.y + f.y, q.z + f.z, q.w);
}

#define links_drive_ARGS(IN, OUT, VAL)                                                             \
	IN(oz_float4, image)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, acceleration)                                                                \
	IN(oz_float4, residual)                                                                    \
	IN(uint, count) OUT(oz_float4, groups) VAL(uint, first) VAL(float, kick)
OZ_ARGS(links_drive)
OZ_REDUCE(links_drive, oz_float4, cg_plus, groups, first)

// What the residual is compared with, summed over the particles that links and holds move, without
// those of rigid bodies that have no link. z: the squares of the changes of velocity by other
// forces; w: the mass. For particles of rigid bodies `image` is the acceleration of the body by
// these forces.
OZ_FN oz_float4 links_drive_at(const links_drive_args *a, uint i)
{
	const bool rigid = a->guess[i].w > 0.0f;
	const oz_float4 f = rigid ? a->image[i] : a->acceleration[i];
	const float mass = a->count[i] || !rigid ? a->residual[i].w : 0.0f, k = a->kick;
	return oz_make4(0.0f, 0.0f, mass > 0.0f ? mass * k * k * cg_dot(f, f) : 0.0f, mass);
}

#define links_residual_ARGS(IN, OUT, VAL)                                                          \
	IN(oz_float4, image)                                                                       \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, acceleration)                                                                \
	IN(uint, count)                                                                            \
	OUT(oz_float4, delta_v)                                                                    \
	OUT(oz_float4, residual)                                                                   \
	OUT(oz_float4, direction)                                                                  \
	OUT(oz_float4, groups) VAL(uint, first) VAL(float, kick) VAL(float, dt)
OZ_ARGS(links_residual)
OZ_REDUCE(links_residual, oz_float4, cg_plus, groups, first)

// The residual at the guess, the preconditioner and the first search direction. Sums x and y as in
// cg_sums.h; z: r·r without the particles of rigid bodies that have no link. For particles of rigid
// bodies `image` is the acceleration of the body by all forces; they have no preconditioner, so
// that search directions are rigid motions, too.
OZ_FN oz_float4 links_residual_at(const links_residual_args *a, uint i)
{
	const oz_float4 q = a->image[i], f = a->acceleration[i], c = a->delta_v[i];
	const float mass = a->residual[i].w, k = a->kick;
	const bool rigid = a->guess[i].w > 0.0f;
	if (!(mass > 0.0f)) {
		a->direction[i] = oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
		return oz_make4(0.0f, 0.0f, 0.0f, 0.0f);
	}
	// a third of the stiffness acts along each axis
	const float alone = rigid ? 1.0f : 1.0f / (1.0f + k * a->dt * q.w / 3.0f);
	const float other = rigid ? 0.0f : 1.0f;
	const oz_float4 r = oz_make4(k * (other * f.x + q.x) - c.x, k * (other * f.y + q.y) - c.y,
	                             k * (other * f.z + q.z) - c.z, mass);
	const float size = mass * cg_dot(r, r);
	a->residual[i] = r;
	a->delta_v[i] = oz_make4(c.x, c.y, c.z, alone);
	a->direction[i] = oz_make4(alone * r.x, alone * r.y, alone * r.z, 0.0f);
	return oz_make4(alone * size, size, a->count[i] || !rigid ? size : 0.0f, 0.0f);
}

#define links_product_ARGS(IN, OUT, VAL)                                                           \
	IN(oz_float4, spot)                                                                        \
	IN(oz_float4, mate)                                                                        \
	IN(oz_float4, direction) OUT(float, rest) OUT(oz_float4, image) VAL(float, dt)
#define links_product_NEAR(PLACE, ALSO, CASE) ALSO(spot) ALSO(mate) ALSO(direction)
#define links_product_LINK                    rest
OZ_PAIR_ARGS(links_product)

typedef struct links_product_sum {
	link_own own;
	oz_float4 u;
	lane x, y, z;
} links_product_sum;

// - K p: the change of accelerations for velocities p
OZ_FN void links_product_begin(const links_product_args *a, uint i, links_product_sum *s)
{
	s->own.spot = a->spot[i];
	s->own.mate = a->mate[i];
	s->u = a->direction[i];
	s->x = s->y = s->z = lane_of(0.0f);
}

OZ_FN void links_product_pair(const links_product_args *a, links_product_sum *s,
                              const links_product_near *j, lane *rest)
{
	const link_pair p = link_pair_of(&s->own, &j->spot, &j->mate, *rest, 0.0f);
	const lane parting = p.x * (s->u.x - j->direction.x) + p.y * (s->u.y - j->direction.y) +
	                     p.z * (s->u.z - j->direction.z);
	const lane pull = lane_select(*rest > 0.0f, p.stiffness * (a->dt * parting), lane_of(0.0f));
	s->x -= pull * p.x;
	s->y -= pull * p.y;
	s->z -= pull * p.z;
}

OZ_FN void links_product_end(const links_product_args *a, uint i, links_product_sum *s)
{
	const float m = s->own.mate.x;
	a->image[i] = oz_make4(m * lane_sum(s->x), m * lane_sum(s->y), m * lane_sum(s->z), 0.0f);
}

#define links_settle_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, spot) IN(oz_float4, law) IN(oz_float4, mate) OUT(float, rest)
#define links_settle_NEAR(PLACE, ALSO, CASE) ALSO(spot) ALSO(law) ALSO(mate)
#define links_settle_LINK                    rest
OZ_PAIR_ARGS(links_settle)

typedef struct links_settle_sum {
	link_own own;
} links_settle_sum;

// after the solution: makes all rest lengths positive again and relaxes the links, at the positions
// in `spot`
OZ_FN void links_settle_begin(const links_settle_args *a, uint i, links_settle_sum *s)
{
	s->own.spot = a->spot[i];
	s->own.law = a->law[i];
	s->own.mate = a->mate[i];
}

OZ_FN void links_settle_pair(const links_settle_args *a, links_settle_sum *s,
                             const links_settle_near *j, lane *rest)
{
	(void)a;
	const link_pair p = link_pair_of(&s->own, &j->spot, &j->mate, *rest, 0.0f);
	const lane length = lane_max(*rest, -*rest);
	*rest = lane_select(length > 0.0f, link_relaxed(&s->own, &p, &j->law, length, 0u),
	                    lane_of(0.0f));
}

OZ_FN void links_settle_end(const links_settle_args *a, uint i, links_settle_sum *s)
{
	(void)a;
	(void)i;
	(void)s;
}

#define links_result_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, velocity) IN(oz_float4, delta_v) OUT(oz_float4, guess)
OZ_ARGS(links_result)

// writes the velocities u = v + delta_v into `guess`
OZ_FN void links_result_at(const links_result_args *a, uint i)
{
	const oz_float4 v = a->velocity[i], c = a->delta_v[i];
	a->guess[i] = oz_make4(v.x + c.x, v.y + c.y, v.z + c.z, a->guess[i].w);
}

#define links_finish_ARGS(IN, OUT, VAL)                                                            \
	IN(oz_float4, delta_v)                                                                     \
	IN(oz_float4, residual)                                                                    \
	IN(oz_float4, guess)                                                                       \
	IN(oz_float4, image) OUT(oz_float4, acceleration) VAL(float, kick)
OZ_ARGS(links_finish)

// Writes the accelerations by which u is reached: those of other forces, links and holds together.
// Particles of rigid bodies get those of links in `image` added.
OZ_FN void links_finish_at(const links_finish_args *a, uint i)
{
	const oz_float4 c = a->delta_v[i], r = a->residual[i], f = a->acceleration[i];
	const oz_float4 q = a->image[i];
	const float k = 1.0f / a->kick;
	if (!(r.w > 0.0f))
		return;
	if (a->guess[i].w > 0.0f)
		a->acceleration[i] = oz_make4(f.x + q.x, f.y + q.y, f.z + q.z, f.w);
	else
		a->acceleration[i] =
		        oz_make4(k * (c.x + r.x), k * (c.y + r.y), k * (c.z + r.z), f.w);
}

#define links_solve_KERNELS(X)                                                                     \
	X(links_guess, EACH)                                                                       \
	X(links_tense, PAIRS_LINKED)                                                               \
	X(links_gain, EACH)                                                                        \
	X(links_drive, REDUCE)                                                                     \
	X(links_residual, REDUCE)                                                                  \
	X(links_product, PAIRS_LINKED)                                                             \
	X(links_result, EACH)                                                                      \
	X(links_settle, PAIRS_LINKED)                                                              \
	X(links_finish, EACH)
OZ_KERNELS(links_solve_KERNELS)
