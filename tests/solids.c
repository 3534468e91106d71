// solids.c: worlds of elastic solids, their forces, and their energy summed up once more.
#include "solids.h"
#include "models/elastic/elastic.h"
#include "support.h"

oz_world_def oz_solids_space(double spacing)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)spacing;
	def.gravity = (oz_vec3){0, 0, 0};
	def.threads = 1;
	return def;
}

oz_material_def oz_solids_material(double young, double poisson)
{
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.young_modulus = (float)young;
	def.poisson_ratio = (float)poisson;
	def.damping = 0;
	def.viscosity = 0;
	return def;
}

oz_id oz_solids_body(oz_world *w, const oz_material_def *def, const oz_shape *shape, oz_fill fill,
                     vec spin)
{
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	oz_body_def body = oz_body_default();
	oz_id id = OZ_NONE;
	body.material = oz_blends_add(w, def);
	body.spin = vec_narrow(spin);
	if (oz_shape_fill(shape, w->sim.def.spacing, fill, &points, &body.count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	body.points = points;
	if (oz_world_add_body(w, &body, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_points_free(points);
	return id;
}

oz_id oz_solids_grip(oz_world *w, vec min, vec max, const oz_keyframe *frames, uint32_t count,
                     double release)
{
	oz_error error = {OZ_OK, ""};
	oz_handle_def def = oz_handle_default(oz_phys_box(min, max));
	oz_id id = OZ_NONE;
	def.keyframes = frames;
	def.keyframe_count = count;
	def.release = (float)release;
	if (oz_world_add_handle(w, &def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

// ---- positions and forces ----------------------------------------------------------------------

void oz_solids_place(oz_world *w, vec (*to)(const void *context, vec from), const void *context)
{
	grains all = oz_phys_grains(w);
	for (uint32_t i = 0; i < all.count; i++)
		oz_blends_put(w, i, to(context, all.at[i].x), all.at[i].v);
	oz_phys_release(&all);
}

static void make_ready(oz_world *w)
{
	oz_error error = {OZ_OK, ""};
	if (w->slots.stale && oz_topology_take(w, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

// what slots have, in the order of particles' numbers; worlds of solids alone
static vec *by_number(oz_world *w, const oz_float4 *field)
{
	const uint32_t count = w->slots.count;
	vec *sorted = malloc((count + 1) * sizeof *sorted);
	oz_float4 *records = malloc((count + 1) * sizeof *records);
	uint32_t *where = malloc((count + 1) * sizeof *where);
	assert_true(sorted && records && where);
	assert_int_equal(count, w->sim.particles.count);
	memcpy(records, test_look(w, field, sizeof *records * count), sizeof *records * count);
	memcpy(where, test_look(w, w->slots.particle_of_slot, sizeof *where * count),
	       sizeof *where * count);
	const uint32_t *id = test_look(w, w->sim.particles.id, sizeof *id * count);
	for (uint32_t k = 0; k < count; k++) {
		assert_in_range(id[where[k]], 0, count - 1);
		sorted[id[where[k]]] =
		        vec_of((double)records[k].x, (double)records[k].y, (double)records[k].z);
	}
	free(records);
	free(where);
	return sorted;
}

void oz_solids_push(oz_world *w)
{
	oz_error error = {OZ_OK, ""};
	if (oz_models_run(&w->sim, OZ_PASS_RESERVE, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_elastic_accelerate_particles(&w->sim);
	oz_models_run(&w->sim, OZ_PASS_DONE, NULL);
}

vec *oz_solids_pushes(oz_world *w)
{
	make_ready(w);
	oz_solids_push(w);
	return by_number(w, oz_elastic_of(&w->sim)->push);
}

void oz_solids_stop(oz_world *w)
{
	const uint32_t count = w->sim.particles.count;
	const size_t size = sizeof(oz_float4) * count;
	oz_float4 *v = malloc(size);
	assert_non_null(v);
	memcpy(v, test_look(w, w->sim.particles.velocity, size), size);
	for (uint32_t i = 0; i < count; i++)
		v[i].x = v[i].y = v[i].z = 0;
	test_put(w, w->sim.particles.velocity, 0, v, size);
	free(v);
}

uint32_t oz_solids_settle(oz_world *w, double share, uint32_t most)
{
	double first = 0, before = 0;
	uint32_t k = 0;
	for (; k < most; k++) {
		oz_phys_step(w);
		const double now = oz_phys_stats(w).kinetic_energy;
		if (now < before) {
			first = fmax(first, before);
			if (before < share * first)
				break;
			oz_solids_stop(w);
			before = 0;
		} else
			before = now;
	}
	return k;
}

uint32_t oz_solids_events(oz_world *w, oz_event_kind kind)
{
	uint32_t count = 0;
	oz_event event;
	while (oz_world_next_event(w, &event))
		count += event.kind == kind;
	return count;
}

double oz_solids_speed(oz_world *w)
{
	grains all = oz_phys_grains(w);
	double most = 0;
	for (uint32_t i = 0; i < all.count; i++)
		most = fmax(most, vec_length(all.at[i].v));
	oz_phys_release(&all);
	return most;
}

// ---- energy ------------------------------------------------------------------------------------

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
	const grains *now;
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
	const double kappa = 3 * (double)s->m->hourglass * (double)s->m->young_modulus / trace;
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

double oz_solids_energy(oz_world *w)
{
	grains all = oz_phys_grains(w);
	const double spacing = (double)w->sim.def.spacing;
	vec *rest = by_number(w, w->slots.rest);
	const stage s = {.m = oz_materials(&w->sim),
	                 .now = &all,
	                 .rest = rest,
	                 .h = (double)oz_support_radius(&w->sim),
	                 .volume = spacing * spacing * spacing};
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		sum += energy_at(&s, i);
	free(rest);
	oz_phys_release(&all);
	return sum;
}

// ---- contact -----------------------------------------------------------------------------------

uint32_t oz_solids_alone(const oz_world *w)
{
	const uint32_t n = w->sim.particles.count;
	const uint *listed = test_look(w, w->contact.alone, sizeof *listed * n);
	uint32_t alone = 0;
	for (uint32_t i = 0; i < n; i++)
		alone += listed[i] > 0;
	return alone;
}

// accelerations by pressure and viscosity, and densities in w; free() it
static oz_float4 *contact_forces(oz_world *w)
{
	const uint32_t n = w->sim.particles.count;
	oz_float4 *forces = malloc(sizeof *forces * n);
	assert_non_null(forces);
	oz_sim *s = &w->sim;
	assert_int_equal(oz_particles_take_scratch(&s->scratch, &s->particles, NULL), OZ_OK);
	oz_walls_weigh(&w->boundary, s);
	oz_density_find(s);
	assert_int_equal(w->pressure->solve(s, NULL), OZ_OK);
	oz_contact_forces(s);
	assert_int_equal(oz_models_run(s, OZ_PASS_FORCES, NULL), OZ_OK);
	oz_particles_give_scratch(&s->scratch, &s->particles);
	memcpy(forces, test_look(w, w->sim.particles.acceleration, sizeof *forces * n),
	       sizeof *forces * n);
	const float *density = test_look(w, w->sim.particles.density, sizeof *density * n);
	for (uint32_t i = 0; i < n; i++)
		forces[i].w = density[i];
	return forces;
}

double oz_solids_contact_error(oz_world *w)
{
	const oz_contact contact = w->contact;
	oz_float4 *parted = contact_forces(w);
	w->contact.plain = w->contact.touching = w->contact.alone = NULL;
	oz_float4 *whole = contact_forces(w);
	w->contact = contact;
	double most = 1e-30, error = 0, denser = 0;
	for (uint32_t i = 0; i < w->sim.particles.count; i++) {
		const oz_float4 a = parted[i], b = whole[i];
		const vec d = vec_of((double)(a.x - b.x), (double)(a.y - b.y), (double)(a.z - b.z));
		most = fmax(most, vec_length(vec_of((double)b.x, (double)b.y, (double)b.z)));
		error = fmax(error, vec_length(d));
		denser = fmax(denser, fabs((double)(a.w / b.w - 1)));
	}
	free(parted);
	free(whole);
	return fmax(error / most, denser);
}
