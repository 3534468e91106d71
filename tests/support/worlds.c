// worlds.c: worlds for tests, and what is put into them.
#include "worlds.h"

oz_id test_water(oz_world *world)
{
	oz_material_def def = oz_material_default(OZ_FLUID);
	oz_id id;
	snprintf(def.name, sizeof def.name, "water");
	assert_int_equal(oz_world_add_material(world, &def, &id, NULL), OZ_OK);
	return id;
}

void test_steps(oz_world *world, uint32_t count)
{
	oz_error error = {0};
	for (uint32_t k = 0; k < count; k++)
		if (oz_world_step(world, NULL, &error) != OZ_OK)
			fail_msg("%s", error.text);
}

oz_world *test_world(const oz_world_def *def)
{
	oz_error error = {OZ_OK, ""};
	oz_world *world = NULL;
	test_must(oz_world_create(def, &world, &error), &error);
	return world;
}

oz_id test_add_liquid(oz_world *world, float density, float viscosity, float damping)
{
	oz_error error = {OZ_OK, ""};
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.density = density;
	def.viscosity = viscosity;
	def.damping = damping;
	oz_id id = OZ_NONE;
	test_must(oz_world_add_material(world, &def, &id, &error), &error);
	return id;
}

oz_id test_add_points(oz_world *world, oz_id material, const oz_vec3 *points, uint32_t count,
                      oz_vec3 velocity)
{
	oz_error error = {OZ_OK, ""};
	oz_body_def def = oz_body_default();
	def.material = material;
	def.points = points;
	def.count = count;
	def.velocity = velocity;
	oz_id id = OZ_NONE;
	test_must(oz_world_add_body(world, &def, &id, &error), &error);
	return id;
}

uint32_t test_rings(double spacing, int inner, int rings, int layers, oz_vec3 *points)
{
	uint32_t count = 0;
	for (int j = 0; j < layers; j++)
		for (int k = 0; k < rings; k++) {
			const double r = (inner + k + 0.5) * spacing;
			const int n = (int)lround(2 * PI * r / spacing);
			for (int i = 0; i < n; i++) {
				// neither rings nor layers in step with one another
				const double a = 2 * PI * (i + 0.37 * k + 0.5 * (j % 2)) / n;
				points[count++] = vec_narrow(
				        vec_of(r * cos(a), (j + 0.5 - 0.5 * layers) * spacing,
				               r * sin(a)));
			}
		}
	return count;
}

oz_id test_add_particle(oz_world *world, oz_id material, oz_vec3 point, oz_vec3 velocity)
{
	return test_add_points(world, material, &point, 1, velocity);
}

oz_id test_add_filled(oz_world *world, oz_id material, const oz_shape *shape, oz_fill fill)
{
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	const float spacing = oz_world_get_def(world)->spacing;
	test_must(oz_shape_fill(shape, spacing, fill, &points, &count, &error), &error);
	const oz_id id = test_add_points(world, material, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
	return id;
}

oz_shape test_box(vec min, vec max)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, vec_narrow(vec_sub(max, min)));
	box.position = vec_narrow(vec_mad(min, vec_sub(max, min), 0.5));
	return box;
}

void test_add_collider(oz_world *world, const oz_collider_def *def)
{
	oz_error error = {OZ_OK, ""};
	test_must(oz_world_add_collider(world, def, NULL, &error), &error);
}

void test_add_tank(oz_world *world, vec min, vec max)
{
	oz_collider_def def = oz_collider_default(test_box(min, max));
	def.inside = true;
	test_add_collider(world, &def);
}

oz_quat test_rotation(vec axis, double angle)
{
	const double s = sin(0.5 * angle) / vec_length(axis);
	return (oz_quat){(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s),
	                 (float)cos(0.5 * angle)};
}

void test_add_lattice(oz_world *world, oz_id material, vec min, vec max,
                      bool (*in)(const void *context, vec point), const void *context)
{
	const double s = (double)oz_world_get_def(world)->spacing;
	const vec size = vec_sub(max, min);
	const int x = (int)lround(size.x / s), y = (int)lround(size.y / s),
	          z = (int)lround(size.z / s);
	oz_vec3 *points = malloc((size_t)(x * y * z + 1) * sizeof *points);
	assert_non_null(points);
	uint32_t count = 0;
	for (int k = 0; k < x * y * z; k++) {
		const vec at = {k % x + 0.5, k / x % y + 0.5, k / x / y + 0.5};
		const vec p = vec_mad(min, at, s);
		if (!in || in(context, p))
			points[count++] = vec_narrow(p);
	}
	test_add_points(world, material, points, count, (oz_vec3){0, 0, 0});
	free(points);
}

vec test_local_point(const oz_shape *shape, vec point)
{
	const oz_vec3 at = shape->position;
	const vec d = vec_sub(point, vec_of((double)at.x, (double)at.y, (double)at.z));
	const vec q = {-(double)shape->rotation.x, -(double)shape->rotation.y,
	               -(double)shape->rotation.z};
	// d + 2 w q × d + 2 q × (q × d)
	const vec across = vec_cross(q, d);
	return vec_mad(vec_mad(d, across, 2 * (double)shape->rotation.w), vec_cross(q, across), 2);
}

oz_step_report test_step(oz_world *world)
{
	oz_error error = {OZ_OK, ""};
	oz_step_report report;
	test_must(oz_world_step(world, &report, &error), &error);
	return report;
}

void test_run_until(oz_world *world, double time)
{
	oz_error error = {OZ_OK, ""};
	while (oz_world_time(world) < time)
		test_must(oz_world_step_until(world, time, NULL, &error), &error);
}

oz_stats test_stats(oz_world *world)
{
	oz_error error = {OZ_OK, ""};
	oz_stats stats;
	test_must(oz_world_stats(world, &stats, &error), &error);
	return stats;
}

oz_load test_load(oz_world *world, oz_id collider)
{
	oz_error error = {OZ_OK, ""};
	oz_load load;
	test_must(oz_world_take_load(world, collider, &load, &error), &error);
	return load;
}

void test_add_wall(oz_world *w, oz_shape shape, bool inside, const oz_keyframe *frames,
                   uint32_t count)
{
	oz_collider_def def = oz_collider_default(shape);
	def.inside = inside;
	def.load = true;
	def.keyframes = frames;
	def.keyframe_count = count;
	test_add_collider(w, &def);
}

oz_world *test_space(double spacing, double sound_speed)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)spacing;
	def.sound_speed = (float)sound_speed;
	def.gravity = (oz_vec3){0, 0, 0};
	def.threads = 1;
	return test_world(&def);
}

oz_world *test_floor(double spacing, double sound_speed)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)spacing;
	def.sound_speed = (float)sound_speed;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.friction = 0.5f;
	test_add_collider(w, &floor);
	return w;
}

oz_material_def test_blend(double alpha, double density)
{
	oz_material_def def = oz_material_default(OZ_BLEND);
	def.alpha = (float)alpha;
	def.density = (float)density;
	return def;
}

oz_id test_add_material(oz_world *w, const oz_material_def *def)
{
	oz_error error = {OZ_OK, ""};
	oz_id id = OZ_NONE;
	if (oz_world_add_material(w, def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

oz_id test_add_thrown(oz_world *w, oz_id material, const oz_shape *shape, vec velocity)
{
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	assert_int_equal(oz_shape_fill(shape, oz_world_get_def(w)->spacing, OZ_FILL_LATTICE,
	                               &points, &count, NULL),
	                 OZ_OK);
	const oz_id id = test_add_points(w, material, points, count, vec_narrow(velocity));
	oz_points_free(points);
	return id;
}

oz_id test_add_warm(oz_world *w, oz_id material, const oz_shape *shape, double temperature)
{
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	oz_body_def def = oz_body_default();
	oz_id id;
	test_must(oz_shape_fill(shape, oz_world_get_def(w)->spacing, OZ_FILL_LATTICE, &points,
	                        &def.count, &error),
	          &error);
	def.material = material;
	def.points = points;
	def.temperature = (float)temperature;
	test_must(oz_world_add_body(w, &def, &id, &error), &error);
	oz_points_free(points);
	return id;
}

oz_id test_add_block(oz_world *w, oz_id material, vec centre, vec edges)
{
	const oz_shape box = test_box(vec_mad(centre, edges, -0.5), vec_mad(centre, edges, 0.5));
	return test_add_thrown(w, material, &box, vec_of(0, 0, 0));
}

void test_put_particle(oz_world *w, uint32_t i, vec x, vec v)
{
	const float place[3] = {(float)x.x, (float)x.y, (float)x.z};
	const float speed[3] = {(float)v.x, (float)v.y, (float)v.z};
	assert_int_equal(w->sim.step, 0);
	test_put(w, w->sim.particles.position, i * sizeof(oz_float4), place, sizeof place);
	test_put(w, w->sim.particles.velocity, i * sizeof(oz_float4), speed, sizeof speed);
}

oz_world_def test_space_def(double spacing)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)spacing;
	def.gravity = (oz_vec3){0, 0, 0};
	def.threads = 1;
	return def;
}

oz_material_def test_elastic(double young, double poisson)
{
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.young_modulus = (float)young;
	def.poisson_ratio = (float)poisson;
	def.damping = 0;
	def.viscosity = 0;
	return def;
}

oz_id test_add_elastic(oz_world *w, const oz_material_def *def, const oz_shape *shape, oz_fill fill,
                       vec spin)
{
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	oz_body_def body = oz_body_default();
	oz_id id = OZ_NONE;
	body.material = test_add_material(w, def);
	body.spin = vec_narrow(spin);
	if (oz_shape_fill(shape, w->sim.def.spacing, fill, &points, &body.count, &error) != OZ_OK)
		fail_msg("%s", error.text);
	body.points = points;
	if (oz_world_add_body(w, &body, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	oz_points_free(points);
	return id;
}

oz_id test_add_handle(oz_world *w, vec min, vec max, const oz_keyframe *frames, uint32_t count,
                      double release)
{
	oz_error error = {OZ_OK, ""};
	oz_handle_def def = oz_handle_default(test_box(min, max));
	oz_id id = OZ_NONE;
	def.keyframes = frames;
	def.keyframe_count = count;
	def.release = (float)release;
	if (oz_world_add_handle(w, &def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

void test_place_particles(oz_world *w, vec (*to)(const void *context, vec from),
                          const void *context)
{
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++)
		test_put_particle(w, i, to(context, all.at[i].x), all.at[i].v);
	test_particles_free(&all);
}

void test_stop(oz_world *w)
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

uint32_t test_count_events(oz_world *w, oz_event_kind kind)
{
	uint32_t count = 0;
	oz_event event;
	while (oz_world_next_event(w, &event))
		count += event.kind == kind;
	return count;
}

double test_mean_height(oz_world *w, oz_id body)
{
	test_particles all = test_particles_read(w);
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < all.count; i++)
		if (all.at[i].body == body) {
			sum += all.at[i].x.y;
			count++;
		}
	test_particles_free(&all);
	return sum / count;
}

oz_world *test_plain_world(test_memory *memory)
{
	oz_world_def def = oz_world_default();
	def.threads = 1;
	if (memory)
		def.hooks = test_memory_hooks(memory);
	return test_world(&def);
}

// ---- for snapshots ------------------------------------------------------------------------------

// eight blended particles, each with an α of its own
static void add_jelly(oz_world *w)
{
	static const oz_alpha_key keys[] = {{0, 0.4f}, {1, 0.4f}, {2, 0.9f}};
	oz_material_def def = oz_material_default(OZ_BLEND);
	oz_body_def body = oz_body_default();
	oz_vec3 points[8];
	float alphas[8];
	def.alpha_keys = keys;
	def.alpha_key_count = 3;
	def.update_steps = 10;
	def.merges = false;
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	for (int k = 0; k < 8; k++) {
		points[k] = (oz_vec3){0.2f + 0.08f * (float)(k & 1), 0.04f * (float)(k & 2),
		                      0.02f * (float)(k & 4)};
		alphas[k] = 0.1f * (float)k;
	}
	body.points = points;
	body.alphas = alphas;
	body.count = 8;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
}

oz_world *test_saved_world(test_memory *memory)
{
	oz_world *w = test_busy_dam(1, 0.08f, memory);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.shape.position = (oz_vec3){0, -0.31f, 0};
	floor.shape.rotation = (oz_quat){0, 0, 0.6f, 0.8f};
	floor.restitution = 0.25f;
	assert_int_equal(oz_world_add_collider(w, &floor, NULL, NULL), OZ_OK);
	oz_body_def empty = oz_body_default();
	snprintf(empty.name, sizeof empty.name, "nobody");
	empty.material = 1;
	assert_int_equal(oz_world_add_body(w, &empty, NULL, NULL), OZ_OK);
	add_jelly(w);
	return w;
}
