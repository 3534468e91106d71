// mixes.c: bodies of any model.
#include "mixes.h"

oz_material_def test_plain_material(oz_model model)
{
	oz_material_def def = oz_material_default(model);
	def.friction = 0;
	def.sticky = 0;
	def.merges = false;
	if (model == OZ_MEMBRANE) {
		def.young_modulus = 1e6f;
		def.thickness = 2e-3f;
		def.gauge_pressure = 1000;
	}
	return def;
}

oz_id test_add_any(oz_world *w, oz_id material, const oz_shape *shape, vec velocity)
{
	const float spacing = oz_world_get_def(w)->spacing;
	oz_body_def def = oz_body_default();
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	uint32_t(*triangles)[3] = NULL;
	oz_id body;
	if (oz_world_get_material(w, material)->model == OZ_MEMBRANE)
		test_must(oz_shape_cover(shape, spacing, &points, &def.count, &triangles,
		                         &def.triangle_count, &error),
		          &error);
	else
		test_must(oz_shape_fill(shape, spacing, OZ_FILL_LATTICE, &points, &def.count,
		                        &error),
		          &error);
	def.material = material;
	def.points = points;
	def.triangles = (const uint32_t(*)[3])triangles;
	def.velocity = vec_narrow(velocity);
	test_must(oz_world_add_body(w, &def, &body, &error), &error);
	oz_points_free(points);
	oz_triangles_free(triangles);
	return body;
}

vec test_own_momentum(oz_world *w, oz_id body)
{
	const double s = (double)oz_world_get_def(w)->spacing;
	oz_rigid_state r;
	if (oz_world_get_rigid(w, body, &r, NULL) != OZ_OK)
		return vec_of(0, 0, 0);
	return vec_mad(vec_of(0, 0, 0), vec_of(r.spin[0], r.spin[1], r.spin[2]),
	               r.mass * s * s / 6);
}

void test_mean_of(oz_world *w, oz_id body, vec *x, vec *v)
{
	test_particles all = test_particles_read(w);
	double count = 0;
	*x = *v = vec_of(0, 0, 0);
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == body) {
			*x = vec_mad(*x, all.at[i].x, 1);
			*v = vec_mad(*v, all.at[i].v, 1);
			count += 1;
		}
	test_particles_free(&all);
	*x = vec_mad(vec_of(0, 0, 0), *x, 1 / count);
	*v = vec_mad(vec_of(0, 0, 0), *v, 1 / count);
}
