// physics.c: worlds, particles and sums for the tests of physical claims.
#include "physics.h"

static void must(oz_result result, const oz_error *error)
{
	if (result != OZ_OK)
		fail_msg("%s", error->text);
}

oz_world *oz_phys_world(const oz_world_def *def)
{
	oz_error error = {OZ_OK, ""};
	oz_world *world = NULL;
	must(oz_world_create(def, &world, &error), &error);
	return world;
}

oz_id oz_phys_material(oz_world *world, float density, float viscosity, float damping)
{
	oz_error error = {OZ_OK, ""};
	oz_material_def def = oz_material_default(OZ_FLUID);
	def.density = density;
	def.viscosity = viscosity;
	def.damping = damping;
	oz_id id = OZ_NONE;
	must(oz_world_add_material(world, &def, &id, &error), &error);
	return id;
}

oz_id oz_phys_points(oz_world *world, oz_id material, const oz_vec3 *points, uint32_t count,
                     oz_vec3 velocity)
{
	oz_error error = {OZ_OK, ""};
	oz_body_def def = oz_body_default();
	def.material = material;
	def.points = points;
	def.count = count;
	def.velocity = velocity;
	oz_id id = OZ_NONE;
	must(oz_world_add_body(world, &def, &id, &error), &error);
	return id;
}

oz_id oz_phys_particle(oz_world *world, oz_id material, oz_vec3 point, oz_vec3 velocity)
{
	return oz_phys_points(world, material, &point, 1, velocity);
}

oz_id oz_phys_fill(oz_world *world, oz_id material, const oz_shape *shape, oz_fill fill)
{
	oz_error error = {OZ_OK, ""};
	oz_vec3 *points = NULL;
	uint32_t count = 0;
	const float spacing = oz_world_get_def(world)->spacing;
	must(oz_shape_fill(shape, spacing, fill, &points, &count, &error), &error);
	const oz_id id = oz_phys_points(world, material, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
	return id;
}

oz_shape oz_phys_box(vec min, vec max)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, vec_narrow(vec_sub(max, min)));
	box.position = vec_narrow(vec_mad(min, vec_sub(max, min), 0.5));
	return box;
}

void oz_phys_collider(oz_world *world, const oz_collider_def *def)
{
	oz_error error = {OZ_OK, ""};
	must(oz_world_add_collider(world, def, NULL, &error), &error);
}

void oz_phys_tank(oz_world *world, vec min, vec max)
{
	oz_collider_def def = oz_collider_default(oz_phys_box(min, max));
	def.inside = true;
	oz_phys_collider(world, &def);
}

oz_quat oz_phys_turn(vec axis, double angle)
{
	const double s = sin(0.5 * angle) / vec_length(axis);
	return (oz_quat){(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s),
	                 (float)cos(0.5 * angle)};
}

void oz_phys_lattice(oz_world *world, oz_id material, vec min, vec max,
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
	oz_phys_points(world, material, points, count, (oz_vec3){0, 0, 0});
	free(points);
}

vec oz_phys_local(const oz_shape *shape, vec point)
{
	const oz_vec3 at = shape->position;
	const vec d = vec_sub(point, vec_of((double)at.x, (double)at.y, (double)at.z));
	const vec q = {-(double)shape->rotation.x, -(double)shape->rotation.y,
	               -(double)shape->rotation.z};
	// d + 2 w q × d + 2 q × (q × d)
	const vec turn = vec_cross(q, d);
	return vec_mad(vec_mad(d, turn, 2 * (double)shape->rotation.w), vec_cross(q, turn), 2);
}

// the signed distance of q to the box |q_k| <= half_k, and its nearest point on the surface
static double box_nearest(const double *q, const double *half, int axes, double *at)
{
	double out = 0, deep = -INFINITY;
	int face = 0;
	for (int k = 0; k < axes; k++) {
		const double d = fabs(q[k]) - half[k];
		at[k] = fmax(-half[k], fmin(half[k], q[k]));
		out += d > 0 ? d * d : 0;
		face = d > deep ? k : face;
		deep = fmax(deep, d);
	}
	if (out > 0)
		return sqrt(out);
	at[face] = q[face] > 0 ? half[face] : -half[face];
	return deep;
}

static vec box_lead(const oz_shape *s, vec p, double *distance)
{
	const double q[3] = {p.x, p.y, p.z};
	const double half[3] = {0.5 * (double)s->size.x, 0.5 * (double)s->size.y,
	                        0.5 * (double)s->size.z};
	double at[3];
	*distance = box_nearest(q, half, 3, at);
	return vec_sub(p, vec_of(at[0], at[1], at[2]));
}

static vec cylinder_lead(const oz_shape *s, vec p, double *distance)
{
	const double r = hypot(p.x, p.z), cx = r > 0 ? p.x / r : 1, cz = r > 0 ? p.z / r : 0;
	const double q[2] = {r, p.y};
	const double half[2] = {(double)s->size.x, 0.5 * (double)s->size.y};
	double at[2];
	*distance = box_nearest(q, half, 2, at);
	return vec_sub(p, vec_of(at[0] * cx, at[1], at[0] * cz));
}

static vec ball_lead(const oz_shape *s, vec p, double *distance)
{
	const double r = vec_length(p), radius = (double)s->size.x;
	*distance = r - radius;
	return r > 0 ? vec_mad(vec_of(0, 0, 0), p, 1 - radius / r) : vec_of(-radius, 0, 0);
}

static void solid_nearest(void *context, const oz_vec3 *points, uint32_t count,
                          oz_nearest_point *nearest)
{
	const oz_shape *s = context;
	for (uint32_t i = 0; i < count; i++) {
		const vec p = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
		double d;
		const vec offset = s->kind == OZ_SHAPE_BOX    ? box_lead(s, p, &d)
		                   : s->kind == OZ_SHAPE_BALL ? ball_lead(s, p, &d)
		                                              : cylinder_lead(s, p, &d);
		nearest[i] = (oz_nearest_point){(float)offset.x, (float)offset.y, (float)offset.z,
		                                (float)d};
	}
}

oz_shape oz_phys_sdf(const oz_shape *solid, double spacing)
{
	oz_error error = {OZ_OK, ""};
	const oz_vec3 size = solid->size;
	const oz_vec3 half =
	        solid->kind == OZ_SHAPE_BOX ? (oz_vec3){0.5f * size.x, 0.5f * size.y, 0.5f * size.z}
	        : solid->kind == OZ_SHAPE_BALL ? (oz_vec3){size.x, size.x, size.x}
	                                       : (oz_vec3){size.x, 0.5f * size.y, size.x};
	oz_shape copy = *solid;
	// a support radius and two cells
	const oz_sdf_def def = {.min = {-half.x, -half.y, -half.z},
	                        .max = half,
	                        .cell = (float)(0.5 * spacing),
	                        .reach = (float)(3 * spacing),
	                        .nearest = solid_nearest,
	                        .context = &copy,
	                        .threads = 1};
	oz_sdf *sdf = NULL;
	must(oz_sdf_make(&def, &sdf, &error), &error);
	copy.kind = OZ_SHAPE_SDF;
	copy.sdf = sdf;
	return copy;
}

oz_step_report oz_phys_step(oz_world *world)
{
	oz_error error = {OZ_OK, ""};
	oz_step_report report;
	must(oz_world_step(world, &report, &error), &error);
	return report;
}

void oz_phys_until(oz_world *world, double time)
{
	oz_error error = {OZ_OK, ""};
	while (oz_world_time(world) < time)
		must(oz_world_step_until(world, time, NULL, &error), &error);
}

oz_stats oz_phys_stats(oz_world *world)
{
	oz_error error = {OZ_OK, ""};
	oz_stats stats;
	must(oz_world_stats(world, &stats, &error), &error);
	return stats;
}

oz_load oz_phys_load(oz_world *world, oz_id collider)
{
	oz_error error = {OZ_OK, ""};
	oz_load load;
	must(oz_world_take_load(world, collider, &load, &error), &error);
	return load;
}

static oz_view view_of(oz_world *world, oz_field field)
{
	oz_error error = {OZ_OK, ""};
	oz_view view;
	must(oz_world_view(world, field, &view, &error), &error);
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
	const uint32_t i = ((const grain *)a)->id, j = ((const grain *)b)->id;
	return (i > j) - (i < j);
}

grains oz_phys_grains(oz_world *world)
{
	const oz_view x = view_of(world, OZ_FIELD_POSITION), v = view_of(world, OZ_FIELD_VELOCITY),
	              density = view_of(world, OZ_FIELD_DENSITY),
	              pressure = view_of(world, OZ_FIELD_PRESSURE),
	              id = view_of(world, OZ_FIELD_ID), body = view_of(world, OZ_FIELD_BODY),
	              material = view_of(world, OZ_FIELD_MATERIAL);
	grains all = {malloc((x.count + 1) * sizeof(grain)), x.count};
	assert_non_null(all.at);
	for (uint32_t i = 0; i < x.count; i++)
		all.at[i] = (grain){.x = wide(&x, i),
		                    .v = wide(&v, i),
		                    .density = (double)*(const float *)item(&density, i),
		                    .pressure = (double)*(const float *)item(&pressure, i),
		                    .id = *(const uint32_t *)item(&id, i),
		                    .body = *(const uint32_t *)item(&body, i),
		                    .material = *(const uint32_t *)item(&material, i)};
	qsort(all.at, all.count, sizeof *all.at, by_id);
	return all;
}

void oz_phys_release(grains *all)
{
	free(all->at);
	*all = (grains){NULL, 0};
}

static bool finite_vec(vec a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

bool oz_phys_finite(const grains *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (!finite_vec(all->at[i].x) || !finite_vec(all->at[i].v) ||
		    !isfinite(all->at[i].density) || !isfinite(all->at[i].pressure))
			return false;
	return true;
}

static double mass_of(const oz_world *world, const grain *g)
{
	const double s = (double)oz_world_get_def(world)->spacing;
	return (double)oz_world_get_material(world, g->material)->density * s * s * s;
}

momenta oz_phys_momenta(oz_world *world)
{
	grains all = oz_phys_grains(world);
	momenta sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
	for (uint32_t i = 0; i < all.count; i++) {
		const double m = mass_of(world, &all.at[i]);
		const vec turn = vec_cross(all.at[i].x, all.at[i].v);
		sum.linear = vec_mad(sum.linear, all.at[i].v, m);
		sum.angular = vec_mad(sum.angular, turn, m);
		sum.linear_scale += m * vec_length(all.at[i].v);
		sum.angular_scale += m * vec_length(turn);
	}
	oz_phys_release(&all);
	return sum;
}

double oz_phys_kinetic(oz_world *world)
{
	grains all = oz_phys_grains(world);
	double sum = 0;
	for (uint32_t i = 0; i < all.count; i++)
		sum += 0.5 * mass_of(world, &all.at[i]) * vec_dot(all.at[i].v, all.at[i].v);
	oz_phys_release(&all);
	return sum;
}

double oz_phys_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

void oz_phys_near(double value, double wanted, double tolerance, const char *what)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%s is %.9g, not %.9g within %.3g", what, value, wanted, tolerance);
}

void oz_phys_wall(oz_world *w, oz_shape shape, bool inside, const oz_keyframe *frames,
                  uint32_t count)
{
	oz_collider_def def = oz_collider_default(shape);
	def.inside = inside;
	def.load = true;
	def.keyframes = frames;
	def.keyframe_count = count;
	oz_phys_collider(w, &def);
}
