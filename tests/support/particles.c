// particles.c: particles read back, sums over them, and how far a shape is from another.
#include "particles.h"
#include "world/world.h"

static oz_view view_of(oz_world *world, oz_field field)
{
	oz_error error = {OZ_OK, ""};
	oz_view view;
	test_must(oz_world_view(world, field, &view, &error), &error);
	return view;
}

static const void *item(const oz_view *view, uint32_t i)
{
	return (const char *)view->data + i * view->stride;
}

static vec wide(const oz_view *view, uint32_t i)
{
	const oz_vec3 *v = item(view, i);
	return vec_of((double)v->x, (double)v->y, (double)v->z);
}

static int by_id(const void *a, const void *b)
{
	const uint32_t i = ((const test_particle *)a)->id, j = ((const test_particle *)b)->id;
	return (i > j) - (i < j);
}

test_particles test_particles_read(oz_world *world)
{
	const oz_view x = view_of(world, OZ_FIELD_POSITION), v = view_of(world, OZ_FIELD_VELOCITY),
	              density = view_of(world, OZ_FIELD_DENSITY),
	              pressure = view_of(world, OZ_FIELD_PRESSURE),
	              temperature = view_of(world, OZ_FIELD_TEMPERATURE),
	              id = view_of(world, OZ_FIELD_ID), body = view_of(world, OZ_FIELD_BODY),
	              material = view_of(world, OZ_FIELD_MATERIAL);
	test_particles all = {malloc((x.count + 1) * sizeof(test_particle)), x.count};
	assert_non_null(all.at);
	for (uint32_t i = 0; i < x.count; i++)
		all.at[i] = (test_particle){.x = wide(&x, i),
		                            .v = wide(&v, i),
		                            .density = (double)*(const float *)item(&density, i),
		                            .pressure = (double)*(const float *)item(&pressure, i),
		                            .temperature =
		                                    (double)*(const float *)item(&temperature, i),
		                            .id = *(const uint32_t *)item(&id, i),
		                            .body = *(const uint32_t *)item(&body, i),
		                            .material = *(const uint32_t *)item(&material, i)};
	qsort(all.at, all.count, sizeof *all.at, by_id);
	return all;
}

void test_particles_free(test_particles *all)
{
	free(all->at);
	*all = (test_particles){NULL, 0};
}

static bool finite_vec(vec a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

bool test_particles_finite(const test_particles *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (!finite_vec(all->at[i].x) || !finite_vec(all->at[i].v) ||
		    !isfinite(all->at[i].density) || !isfinite(all->at[i].pressure))
			return false;
	return true;
}

static double mass_of(const oz_world *world, const test_particle *g)
{
	const double s = (double)oz_world_get_def(world)->spacing;
	return (double)oz_world_get_material(world, g->material)->density * s * s * s;
}

test_momenta test_momenta_of(oz_world *world)
{
	test_particles all = test_particles_read(world);
	test_momenta sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
	for (uint32_t i = 0; i < all.count; i++) {
		const double m = mass_of(world, &all.at[i]);
		const vec moment = vec_cross(all.at[i].x, all.at[i].v);
		sum.linear = vec_mad(sum.linear, all.at[i].v, m);
		sum.angular = vec_mad(sum.angular, moment, m);
		sum.linear_scale += m * vec_length(all.at[i].v);
		sum.angular_scale += m * vec_length(moment);
	}
	test_particles_free(&all);
	return sum;
}

double test_kinetic_energy(oz_world *world)
{
	test_particles all = test_particles_read(world);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		sum += 0.5 * mass_of(world, &all.at[i]) * vec_dot(all.at[i].v, all.at[i].v);
	test_particles_free(&all);
	return sum;
}

static vec mean_of(const test_particles *g)
{
	vec sum = vec_of(0, 0, 0);
	for (uint32_t i = 0; i < g->count; i++)
		sum = vec_mad(sum, g->at[i].x, 1.0 / g->count);
	return sum;
}

// Horn's matrix: its greatest eigenvalue is the greatest Σ a·(R b) over all rotations
static void horn_matrix(const double s[3][3], double n[4][4])
{
	const double rows[4][4] = {{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1],
	                            s[2][0] - s[0][2], s[0][1] - s[1][0]},
	                           {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2],
	                            s[0][1] + s[1][0], s[2][0] + s[0][2]},
	                           {s[2][0] - s[0][2], s[0][1] + s[1][0],
	                            s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
	                           {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1],
	                            s[2][2] - s[0][0] - s[1][1]}};
	memcpy(n, rows, sizeof rows);
}

// by cyclic Jacobi, in place
static double greatest_eigenvalue(double n[4][4])
{
	for (int sweep = 0; sweep < 30; sweep++)
		for (int p = 0; p < 3; p++)
			for (int q = p + 1; q < 4; q++) {
				const double t = 0.5 * atan2(2 * n[p][q], n[q][q] - n[p][p]);
				const double c = cos(t), s = sin(t);
				for (int k = 0; k < 4; k++) {
					const double a = n[k][p], b = n[k][q];
					n[k][p] = c * a - s * b;
					n[k][q] = s * a + c * b;
				}
				for (int k = 0; k < 4; k++) {
					const double a = n[p][k], b = n[q][k];
					n[p][k] = c * a - s * b;
					n[q][k] = s * a + c * b;
				}
			}
	return fmax(fmax(n[0][0], n[1][1]), fmax(n[2][2], n[3][3]));
}

double test_misfit(const test_particles *now, const test_particles *then)
{
	const vec c = mean_of(now), d = mean_of(then);
	double s[3][3] = {{0}}, n[4][4], size = 0;
	assert_int_equal(now->count, then->count);
	for (uint32_t i = 0; i < now->count; i++) {
		const vec a = vec_sub(now->at[i].x, c), b = vec_sub(then->at[i].x, d);
		const double x[3] = {b.x, b.y, b.z}, y[3] = {a.x, a.y, a.z};
		for (int k = 0; k < 9; k++)
			s[k / 3][k % 3] += x[k / 3] * y[k % 3];
		size += vec_dot(a, a) + vec_dot(b, b);
	}
	horn_matrix(s, n);
	return sqrt(fmax(size - 2 * greatest_eigenvalue(n), 0) / now->count);
}

double test_height(oz_world *w)
{
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	return (double)(stats.max.y - stats.min.y);
}

uint64_t test_rest_hash(const oz_world *w, uint32_t first, uint32_t count)
{
	const oz_float4 *rest = test_look(w, w->slots.rest, sizeof *rest * (first + count));
	return oz_hash(rest + first, sizeof *rest * count, 0);
}

double test_circle(oz_world *w, double share)
{
	test_particles all = test_particles_read(w);
	double low = 0, high = 10;
	for (int k = 0; k < 40; k++) {
		const double r = 0.5 * (low + high);
		uint32_t inside = 0;
		for (uint32_t i = 0; i < all.count; i++)
			inside += hypot(all.at[i].x.x, all.at[i].x.z) < r;
		*(inside < share * all.count ? &low : &high) = r;
	}
	test_particles_free(&all);
	return low;
}

double test_top_speed(oz_world *w)
{
	test_particles all = test_particles_read(w);
	double most = 0;
	for (uint32_t i = 0; i < all.count; i++)
		most = fmax(most, vec_length(all.at[i].v));
	test_particles_free(&all);
	return most;
}
