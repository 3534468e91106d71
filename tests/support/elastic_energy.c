// elastic_energy.c: the energy of an elastic body, summed up once more.
#include "elastic.h"

typedef struct mat {
	double m[3][3];
} mat;

static void add_outer(mat *sum, vec a, vec b, double scale)
{
	const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
	for (int k = 0; k < 9; k++)
		sum->m[k / 3][k % 3] += scale * x[k / 3] * y[k % 3];
}

static vec times(const mat *a, vec v)
{
	return vec_of(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
	              a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
	              a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

static double cofactor(const mat *a, int r, int c)
{
	const int i = (r + 1) % 3, j = (r + 2) % 3, k = (c + 1) % 3, l = (c + 2) % 3;
	return a->m[i][k] * a->m[j][l] - a->m[i][l] * a->m[j][k];
}

static double determinant(const mat *a)
{
	return a->m[0][0] * cofactor(a, 0, 0) + a->m[0][1] * cofactor(a, 0, 1) +
	       a->m[0][2] * cofactor(a, 0, 2);
}

static mat product(const mat *a, const mat *b, bool transposed)
{
	mat p = {{{0}}};
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			for (int k = 0; k < 3; k++)
				p.m[r][c] += (transposed ? a->m[k][r] : a->m[r][k]) * b->m[k][c];
	return p;
}

static mat inverse(const mat *a)
{
	const double d = determinant(a);
	mat b;
	assert_true(d > 0);
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			b.m[r][c] = cofactor(a, c, r) / d;
	return b;
}

// of a symmetric matrix, by cyclic Jacobi; in rising order
static void eigenvalues(mat a, double e[3])
{
	for (int sweep = 0; sweep < 20; sweep++)
		for (int p = 0; p < 2; p++)
			for (int q = p + 1; q < 3; q++) {
				const double t = 0.5 * atan2(2 * a.m[p][q], a.m[q][q] - a.m[p][p]);
				mat g = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
				g.m[p][p] = g.m[q][q] = cos(t);
				g.m[p][q] = sin(t);
				g.m[q][p] = -sin(t);
				const mat ag = product(&a, &g, false);
				a = product(&g, &ag, true);
			}
	for (int k = 0; k < 3; k++)
		e[k] = a.m[k][k];
	for (int k = 0; k < 3; k++)
		for (int l = k + 1; l < 3; l++)
			if (e[l] < e[k]) {
				const double swap = e[k];
				e[k] = e[l];
				e[l] = swap;
			}
}

// ω of two rest neighbours, cubic spline
static double weight(const oz_material_def *m, double r, double h)
{
	const double q = r / h, a = fmax(1 - q, 0), b = fmax(0.5 - q, 0), h3 = PI * h * h * h;
	if (m->elasticity == OZ_ELASTIC_MLS)
		return 16 / h3 * (a * a * a - 4 * b * b * b);
	return 48 / (h3 * h * h) * (a * a - 4 * b * b) / q;
}

typedef struct stage {
	const oz_material_def *m;
	const test_particles *now;
	const vec *rest;
	double h, volume;
} stage;

// Pa, of the strain: μ ε:ε + λ/2 tr²
static double density_of(const oz_material_def *m, const mat *F)
{
	const double E = (double)m->young_modulus, nu = (double)m->poisson_ratio;
	const double mu = 0.5 * E / (1 + nu), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
	double e[3], squares = 0, trace = 0;
	eigenvalues(product(F, F, true), e);
	for (int k = 0; k < 3; k++) {
		const double side = k == 0 && determinant(F) < 0 ? -1 : 1;
		const double s = side * sqrt(fmax(e[k], 0));
		const double strain = m->strain == OZ_STRAIN_GREEN ? 0.5 * (s * s - 1) : s - 1;
		squares += strain * strain;
		trace += strain;
	}
	return mu * squares + 0.5 * lambda * trace * trace;
}

static double energy_at(const stage *s, uint32_t i)
{
	mat A = {{{0}}}, M = {{{0}}};
	for (uint32_t j = 0; j < s->now->count; j++) {
		const vec d = vec_sub(s->rest[j], s->rest[i]);
		if (j == i || vec_length(d) >= s->h)
			continue;
		const double w = s->volume * weight(s->m, vec_length(d), s->h);
		add_outer(&A, d, d, w);
		add_outer(&M, vec_sub(s->now->at[j].x, s->now->at[i].x), d, w);
	}
	const mat L = inverse(&A), F = product(&M, &L, false);
	const double trace = A.m[0][0] + A.m[1][1] + A.m[2][2];
	const double shear = 0.5 * (double)s->m->young_modulus / (1 + (double)s->m->poisson_ratio);
	const double stiff =
	        s->m->elasticity == OZ_ELASTIC_MLS ? 0.3 * (double)s->m->young_modulus : 4 * shear;
	const double kappa = (double)s->m->hourglass * stiff / trace;
	double bent = 0;
	for (uint32_t j = 0; j < s->now->count; j++) {
		const vec d = vec_sub(s->rest[j], s->rest[i]);
		if (j == i || vec_length(d) >= s->h)
			continue;
		const vec off = vec_sub(vec_sub(s->now->at[j].x, s->now->at[i].x), times(&F, d));
		bent += s->volume * weight(s->m, vec_length(d), s->h) * vec_dot(off, off);
	}
	return s->volume * (density_of(s->m, &F) + 0.5 * kappa * bent);
}

double test_elastic_energy(oz_world *w)
{
	test_particles all = test_particles_read(w);
	const double spacing = (double)w->sim.def.spacing;
	vec *rest = test_slots_by_id(w, w->slots.rest);
	const stage s = {.m = oz_materials(&w->sim),
	                 .now = &all,
	                 .rest = rest,
	                 .h = (double)w->sim.solid.h,
	                 .volume = spacing * spacing * spacing};
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		sum += energy_at(&s, i);
	free(rest);
	test_particles_free(&all);
	return sum;
}
