// blends.c: worlds of blended bodies, and how far a shape is from another.
#include "blends.h"
#include "support.h"

oz_world *oz_blends_world(double spacing, double sound_speed)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)spacing;
	def.sound_speed = (float)sound_speed;
	def.gravity = (oz_vec3){0, 0, 0};
	def.threads = 1;
	return oz_phys_world(&def);
}

oz_world *oz_blends_floor(double spacing, double sound_speed)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)spacing;
	def.sound_speed = (float)sound_speed;
	def.threads = 1;
	oz_world *w = oz_phys_world(&def);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.friction = 0.5f;
	oz_phys_collider(w, &floor);
	return w;
}

oz_material_def oz_blends_material(double alpha, double density)
{
	oz_material_def def = oz_material_default(OZ_BLEND);
	def.alpha = (float)alpha;
	def.density = (float)density;
	return def;
}

oz_id oz_blends_add(oz_world *w, const oz_material_def *def)
{
	oz_error error = {OZ_OK, ""};
	oz_id id = OZ_NONE;
	if (oz_world_add_material(w, def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

oz_id oz_blends_thrown(oz_world *w, oz_id material, const oz_shape *shape, vec velocity)
{
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	assert_int_equal(oz_shape_fill(shape, oz_world_get_def(w)->spacing, OZ_FILL_LATTICE,
	                               &points, &count, NULL),
	                 OZ_OK);
	const oz_id id = oz_phys_points(w, material, points, count, vec_narrow(velocity));
	oz_points_free(points);
	return id;
}

oz_id oz_blends_block(oz_world *w, oz_id material, vec centre, vec edges)
{
	const oz_shape box = oz_phys_box(vec_mad(centre, edges, -0.5), vec_mad(centre, edges, 0.5));
	return oz_blends_thrown(w, material, &box, vec_of(0, 0, 0));
}

void oz_blends_put(oz_world *w, uint32_t i, vec x, vec v)
{
	const float place[3] = {(float)x.x, (float)x.y, (float)x.z};
	const float speed[3] = {(float)v.x, (float)v.y, (float)v.z};
	assert_int_equal(w->sim.step, 0);
	test_put(w, w->sim.particles.position, i * sizeof(oz_float4), place, sizeof place);
	test_put(w, w->sim.particles.velocity, i * sizeof(oz_float4), speed, sizeof speed);
}

// ---- fitting -----------------------------------------------------------------------------------

static vec mean_of(const grains *g)
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

double oz_blends_misfit(const grains *now, const grains *then)
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

double oz_blends_height(oz_world *w)
{
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	return (double)(stats.max.y - stats.min.y);
}

uint64_t oz_blends_rest(const oz_world *w, uint32_t first, uint32_t count)
{
	const oz_float4 *rest = test_look(w, w->slots.rest, sizeof *rest * (first + count));
	return oz_hash(rest + first, sizeof *rest * count, 0);
}
