// energy.c: the elastic energy of elastic bodies in the middle of the last step, to which
// velocities belong, on the host.
//
// With M, F, B, N, L, κ as in elastic.cl and S = √((F B)ᵀ F B),
//
//   E = Σ V (μ ε:ε + λ/2 (tr ε)²) + ½ Σ_i V_i κ_i Σ_j V_j ω |x_j - x_i - (F + K) d|²
//
// ε = S - N, or ((F B)ᵀ F B - N)/2 for Green's strain. Where F is no reflection S is Rᵀ F, so that
// no rotation is needed. Printed methods have half of it, as they have half of the force.
#include <math.h>

#include "math/vec.h"
#include "models/elastic/elastic.h"
#include "models/elastic/elastic_pair.h"

typedef struct mat {
	double m[3][3];
} mat;

static mat symmetric(double xx, double xy, double xz, double yy, double yz, double zz)
{
	return (mat){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

static mat product(const mat *a, const mat *b)
{
	mat c = {{{0}}};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				c.m[i][j] += a->m[i][k] * b->m[k][j];
	return c;
}

// aᵀ a
static mat square(const mat *a)
{
	mat c = {{{0}}};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++)
				c.m[i][j] += a->m[k][i] * a->m[k][j];
	return c;
}

#define SWEEPS 12 // of Jacobi's method

// one rotation of Jacobi's method, which makes a.m[p][q] zero; v gets the eigenvectors as columns
static void rotate_pair(mat *a, mat *v, int p, int q)
{
	if (a->m[p][q] == 0)
		return;
	const double theta = (a->m[q][q] - a->m[p][p]) / (2 * a->m[p][q]);
	const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
	const double c = 1 / sqrt(t * t + 1), s = t * c;
	for (int k = 0; k < 3; k++) {
		const double x = a->m[k][p], y = a->m[k][q];
		a->m[k][p] = c * x - s * y;
		a->m[k][q] = s * x + c * y;
	}
	for (int k = 0; k < 3; k++) {
		const double x = a->m[p][k], y = a->m[q][k], vx = v->m[k][p], vy = v->m[k][q];
		a->m[p][k] = c * x - s * y;
		a->m[q][k] = s * x + c * y;
		v->m[k][p] = c * vx - s * vy;
		v->m[k][q] = s * vx + c * vy;
	}
}

#define RANK 1e-6 // eigenvalues below this share of the largest count as 0

// a symmetric matrix to the power ½ or -½; directions without an eigenvalue stay 0
static mat root(mat a, bool inverse)
{
	mat v = symmetric(1, 0, 0, 1, 0, 1), r = {{{0}}};
	for (int k = 0; k < SWEEPS; k++) {
		rotate_pair(&a, &v, 0, 1);
		rotate_pair(&a, &v, 0, 2);
		rotate_pair(&a, &v, 1, 2);
	}
	const double most = fmax(a.m[0][0], fmax(a.m[1][1], a.m[2][2]));
	for (int k = 0; k < 3; k++) {
		const double value = a.m[k][k];
		const double s =
		        value > RANK * most ? (inverse ? 1 / sqrt(value) : sqrt(value)) : 0;
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 3; j++)
				r.m[i][j] += s * v.m[i][k] * v.m[j][k];
	}
	return r;
}

// what a slot's energy is computed from, on the host
typedef struct views {
	const oz_float4 *position, *velocity, *rest, *fit_a, *fit_b, *fit_c, *set_a, *set_b, *stiff;
	const uint *particle, *list, *start, *bonds;
} views;

static bool view(const oz_sim *sim, const oz_elastic *e, views *v)
{
	oz_device *d = sim->device;
	const oz_slots *s = sim->slots;
	const size_t n = s->count, size = sizeof(oz_float4) * n;
	v->position = d->ops->view(d, sim->particles.position,
	                           sizeof *v->position * sim->particles.count);
	v->velocity = d->ops->view(d, sim->particles.velocity,
	                           sizeof *v->velocity * sim->particles.count);
	v->rest = d->ops->view(d, s->rest, size);
	v->fit_a = d->ops->view(d, e->fit_a, size);
	v->fit_b = d->ops->view(d, e->fit_b, size);
	v->fit_c = d->ops->view(d, e->fit_c, size);
	v->set_a = d->ops->view(d, e->set_a, size);
	v->set_b = d->ops->view(d, e->set_b, size);
	v->stiff = d->ops->view(d, e->stiff, size);
	v->particle = d->ops->view(d, s->particle_of_slot, sizeof(uint) * n);
	v->list = d->ops->view(d, s->list, sizeof(uint) * s->list_capacity);
	v->start = d->ops->view(d, s->start, sizeof(uint) * n);
	v->bonds = d->ops->view(d, e->bonds, sizeof(uint) * n);
	return v->position && v->velocity && v->rest && v->fit_a && v->fit_b && v->fit_c &&
	       v->set_a && v->set_b && v->stiff && v->particle && v->list && v->start && v->bonds;
}

// the way between two slots at rest, d, and now, x; gives V_j ω
static double pair_of(const oz_sim *sim, const views *v, uint32_t i, uint32_t c, double d[3],
                      double x[3])
{
	const uint32_t j = v->list[oz_list_at(v->start[i], i, c, sim->device->stride)];
	if (j >= sim->slots->count)
		return 0;
	const oz_float4 r = v->rest[i], q = v->rest[j];
	const uint32_t own = v->particle[i], other = v->particle[j];
	const oz_float4 a = v->position[own], b = v->position[other];
	const oz_float4 u = v->velocity[own], w = v->velocity[other];
	const double back = 0.5 * (double)sim->last_step.time_step;
	const float dx = q.x - r.x, dy = q.y - r.y, dz = q.z - r.z;
	d[0] = (double)dx, d[1] = (double)dy, d[2] = (double)dz;
	x[0] = (double)b.x - (double)a.x - back * ((double)w.x - (double)u.x);
	x[1] = (double)b.y - (double)a.y - back * ((double)w.y - (double)u.y);
	x[2] = (double)b.z - (double)a.z - back * ((double)w.z - (double)u.z);
	return (double)q.w *
	       (double)oz_lane_first(elastic_weight(&sim->solid, oz_bits_of_float(v->stiff[i].w),
	                                            lane_of(dx), lane_of(dy), lane_of(dz)));
}

// Σ V_j ω |x - A d|²
static double misfit(const oz_sim *sim, const views *v, uint32_t i, const mat *A)
{
	double sum = 0, d[3], x[3];
	for (uint32_t c = 0; c < v->bonds[i]; c++) {
		const double w = pair_of(sim, v, i, c, d, x);
		for (int k = 0; w > 0 && k < 3; k++) {
			const double off =
			        x[k] - A->m[k][0] * d[0] - A->m[k][1] * d[1] - A->m[k][2] * d[2];
			sum += w * off * off;
		}
	}
	return sum;
}

// F + K: in a sheet or rod that is curved at rest K maps the normal parts of d (elastic.cl)
static mat whole_map(const mat *M, const mat *F, const mat *N)
{
	mat all = *F, Q = symmetric(1, 0, 0, 1, 0, 1);
	if (N->m[0][0] + N->m[1][1] + N->m[2][2] > 2.5)
		return all;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			Q.m[a][b] -= N->m[a][b];
	const mat C = product(M, &Q), inverse = root(square(&C), true), K = product(&C, &inverse);
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			all.m[a][b] += K.m[a][b];
	return all;
}

// J, of slot i
static double slot_energy(const oz_sim *sim, const views *v, uint32_t i)
{
	const oz_float4 fa = v->fit_a[i], fb = v->fit_b[i], fc = v->fit_c[i], stiff = v->stiff[i];
	const oz_float4 sa = v->set_a[i], sb = v->set_b[i];
	const uint bits = oz_bits_of_float(stiff.w);
	const mat L = symmetric((double)fa.x, (double)fa.y, (double)fa.z, (double)fa.w,
	                        (double)fb.x, (double)fb.y);
	const mat N = symmetric((double)fb.z, (double)fb.w, (double)fc.x, (double)fc.y,
	                        (double)fc.z, (double)fc.w);
	const mat B = symmetric(1 + (double)sa.x, (double)sa.y, (double)sa.z, 1 + (double)sa.w,
	                        (double)sb.x, 1 + (double)sb.y);
	mat M = {{{0}}};
	double d[3], x[3], trace = 0, size = 0;
	for (uint32_t c = 0; c < v->bonds[i]; c++) {
		const double w = pair_of(sim, v, i, c, d, x);
		for (int a = 0; a < 3; a++)
			for (int b = 0; b < 3; b++)
				M.m[a][b] += w > 0 ? w * x[a] * d[b] : 0;
	}
	const mat F = product(&M, &L), FB = product(&F, &B), G = square(&FB);
	const bool green = bits & OZ_FIRM_GREEN;
	mat e = green ? G : root(G, false);
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++) {
			e.m[a][b] = (green ? 0.5 : 1) * (e.m[a][b] - N.m[a][b]);
			size += e.m[a][b] * e.m[a][b];
			trace += a == b ? e.m[a][b] : 0;
		}
	const mat all = whole_map(&M, &F, &N);
	const double stays = 1 - (double)sb.z * (1 - (double)OZ_ELASTIC_SOFTEST);
	const double energy = (double)stiff.x * size + 0.5 * (double)stiff.y * trace * trace +
	                      0.5 * (double)stiff.z * misfit(sim, v, i, &all);
	return stays * (double)v->rest[i].w * (bits & OZ_FIRM_PRINTED ? 0.5 : 1) * energy;
}

double oz_elastic_energy(oz_sim *sim, const void *state)
{
	const oz_elastic *e = state;
	views v;
	double sum = 0;
	// the rest shape is made by the first step
	if (sim->slots->stale || !sim->slots->list)
		return 0;
	if (!view(sim, e, &v))
		return (double)NAN;
	for (uint32_t i = 0; i < sim->slots->count; i++)
		if (v.bonds[i])
			sum += slot_energy(sim, &v, i);
	return sum;
}
