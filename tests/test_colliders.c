// test_colliders.c: colliders: how far they are, that nothing passes them, how things bounce and
// slide.
//
// Distances are held against the nearest of very many points of the surface, found in double
// precision from each shape's own definition. Speeds are ten times what a scene would have, and the
// time step carries particles over many spacings at once.
#include "worlds.h"

static const float spacing = 0.02f;

// ---- distances --------------------------------------------------------------------------------

enum { SAMPLES = 400 }; // along each of the two directions of a surface

// a point of the surface of a shape's part, u and v in 0 … 1
typedef vec (*surface_fn)(int part, double u, double v);

static vec plane_point(int part, double u, double v)
{
	(void)part;
	return vec_of(4 * u - 2, 0, 4 * v - 2);
}

static vec box_point(int part, double u, double v)
{
	const double a = u - 0.5, b = v - 0.5, side = part % 2 ? 0.5 : -0.5;
	const vec on[3] = {{side, a, b}, {a, side, b}, {a, b, side}};
	return vec_of(on[part / 2].x * 1.0, on[part / 2].y * 0.6, on[part / 2].z * 0.8);
}

static vec polar(double radius, double height, double angle)
{
	return vec_of(radius * cos(angle), height, radius * sin(angle));
}

static vec ball_point(int part, double u, double v)
{
	(void)part;
	return polar(0.5 * sin(PI * u), 0.5 * cos(PI * u), 2 * PI * v);
}

static vec dome_point(int part, double u, double v)
{
	if (part == 0)
		return polar(0.5 * u, 0, 2 * PI * v);
	return polar(0.5 * sin(0.5 * PI * u), 0.5 * cos(0.5 * PI * u), 2 * PI * v);
}

static vec cylinder_point(int part, double u, double v)
{
	if (part < 2)
		return polar(0.4 * u, part ? 0.35 : -0.35, 2 * PI * v);
	return polar(0.4, 0.7 * u - 0.35, 2 * PI * v);
}

static vec capsule_point(int part, double u, double v)
{
	if (part == 0)
		return polar(0.3, 0.5 * u - 0.25, 2 * PI * v);
	const double side = part == 1 ? 1 : -1, a = 0.5 * PI * u;
	return polar(0.3 * sin(a), side * (0.25 + 0.3 * cos(a)), 2 * PI * v);
}

static vec torus_point(int part, double u, double v)
{
	(void)part;
	return polar(0.45 + 0.15 * cos(2 * PI * u), 0.15 * sin(2 * PI * u), 2 * PI * v);
}

static bool in_plane(vec p)
{
	return p.y < 0;
}

static bool in_box(vec p)
{
	return fabs(p.x) < 0.5 && fabs(p.y) < 0.3 && fabs(p.z) < 0.4;
}

static bool in_ball(vec p)
{
	return vec_dot(p, p) < 0.25;
}

static bool in_dome(vec p)
{
	return p.y > 0 && in_ball(p);
}

static bool in_cylinder(vec p)
{
	return p.x * p.x + p.z * p.z < 0.16 && fabs(p.y) < 0.35;
}

static bool in_capsule(vec p)
{
	const double y = fmax(fabs(p.y) - 0.25, 0);
	return p.x * p.x + p.z * p.z + y * y < 0.09;
}

static bool in_torus(vec p)
{
	const double r = sqrt(p.x * p.x + p.z * p.z) - 0.45;
	return r * r + p.y * p.y < 0.15 * 0.15;
}

typedef struct target {
	const char *name;
	oz_shape_kind kind;
	oz_vec3 size;
	int parts;
	surface_fn surface;
	bool (*inside)(vec p);
	double gap; // m, largest distance of a point of the surface from the nearest sample
} target;

static const target targets[] = {
        {"plane", OZ_SHAPE_PLANE, {0, 0, 0}, 1, plane_point, in_plane, 0.0075},
        {"box", OZ_SHAPE_BOX, {1, 0.6f, 0.8f}, 6, box_point, in_box, 0.002},
        {"ball", OZ_SHAPE_BALL, {0.5f, 0, 0}, 1, ball_point, in_ball, 0.005},
        {"dome", OZ_SHAPE_DOME, {0.5f, 0, 0}, 2, dome_point, in_dome, 0.005},
        {"cylinder", OZ_SHAPE_CYLINDER, {0.4f, 0.7f, 0}, 3, cylinder_point, in_cylinder, 0.004},
        {"capsule", OZ_SHAPE_CAPSULE, {0.3f, 0.5f, 0}, 3, capsule_point, in_capsule, 0.003},
        {"torus", OZ_SHAPE_TORUS, {0.45f, 0.15f, 0}, 1, torus_point, in_torus, 0.006},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static vec random_point(uint64_t *seed, double reach)
{
	const double x = test_random(seed), y = test_random(seed), z = test_random(seed);
	return vec_of(reach * (2 * x - 1), reach * (2 * y - 1), reach * (2 * z - 1));
}

static vec *sample(const target *s, uint32_t *count)
{
	const uint32_t side = SAMPLES + 1;
	vec *points = malloc((size_t)s->parts * side * side * sizeof *points);
	assert_non_null(points);
	*count = 0;
	for (int part = 0; part < s->parts; part++)
		for (uint32_t a = 0; a < side; a++)
			for (uint32_t b = 0; b < side; b++)
				points[(*count)++] =
				        s->surface(part, (double)a / SAMPLES, (double)b / SAMPLES);
	return points;
}

static double brute_distance(const target *s, const vec *points, uint32_t count, vec p)
{
	double least = INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		const vec d = vec_sub(points[i], p);
		least = fmin(least, vec_dot(d, d));
	}
	return s->inside(p) ? -sqrt(least) : sqrt(least);
}

static void distance_is_that_to_the_nearest_point_of_the_surface(void **state)
{
	(void)state;
	uint64_t seed = 3;
	for (int k = 0; k < TARGETS; k++) {
		uint32_t count;
		vec *points = sample(&targets[k], &count);
		for (int i = 0; i < 40; i++) {
			const vec p = random_point(&seed, 0.9);
			const oz_shape shape = oz_shape_make(targets[k].kind, targets[k].size);
			const double d = (double)oz_shape_distance(&shape, vec_narrow(p));
			// the nearest sample is at most a gap beside the nearest point
			test_near(d, brute_distance(&targets[k], points, count, p), targets[k].gap,
			          targets[k].name);
		}
		free(points);
	}
}

// a placed shape's distance must be the unplaced one's at the point carried back
static void distance_goes_with_position_and_rotation(void **state)
{
	(void)state;
	uint64_t seed = 5;
	const vec axis = {0, 0, 1}, at = {3, -2, 1};
	for (int k = 0; k < TARGETS; k++)
		for (int i = 0; i < 50; i++) {
			const vec p = random_point(&seed, 0.9);
			oz_shape shape = oz_shape_make(targets[k].kind, targets[k].size);
			const double own = (double)oz_shape_distance(&shape, vec_narrow(p));
			shape.position = vec_narrow(at);
			shape.rotation = test_rotation(axis, PI / 2);
			// a quarter turn about z takes x to y and y to -x
			const vec placed = {at.x - p.y, at.y + p.x, at.z + p.z};
			// 2e-6: float32 at coordinates of 4 m
			test_near((double)oz_shape_distance(&shape, vec_narrow(placed)), own, 2e-6,
			          targets[k].name);
		}
}

static double slope(const oz_shape *shape, vec p, vec way, double step)
{
	const float a = oz_shape_distance(shape, vec_narrow(vec_mad(p, way, step)));
	const float b = oz_shape_distance(shape, vec_narrow(vec_mad(p, way, -step)));
	return ((double)a - (double)b) / (2 * step);
}

static void gradient_of_the_distance_has_length_one(void **state)
{
	(void)state;
	uint64_t seed = 9;
	for (int k = 0; k < TARGETS; k++) {
		const oz_shape shape = oz_shape_make(targets[k].kind, targets[k].size);
		int bent = 0;
		for (int i = 0; i < 1000; i++) {
			const vec p = random_point(&seed, 0.9);
			const vec g = {slope(&shape, p, vec_of(1, 0, 0), 1e-3),
			               slope(&shape, p, vec_of(0, 1, 0), 1e-3),
			               slope(&shape, p, vec_of(0, 0, 1), 1e-3)};
			// 1e-3: float32 differences over 2 mm, and curvature
			assert_true(vec_length(g) < 1 + 1e-3);
			bent += vec_length(g) < 1 - 1e-3;
		}
		// points within a step of the ridge where two parts are equally near
		assert_true(bent < 20);
	}
}

// ---- nothing gets through ---------------------------------------------------------------------

// 100 m/s and 10 ms: fifty spacings a step
static oz_world_def hail_world(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = spacing;
	def.time_step = 0.01f;
	return def;
}

// particles at random places on the material's side, each at 100 m/s in a random direction
static oz_world *make_hail(const oz_collider_def *collider, double reach, int count)
{
	const oz_world_def def = hail_world();
	oz_world *w = test_world(&def);
	const oz_id material = test_add_liquid(w, 1000, 0.001f, 0.05f);
	test_add_collider(w, collider);
	uint64_t seed = 11;
	for (int placed = 0; placed < count;) {
		const vec p = random_point(&seed, reach);
		const float d = oz_shape_distance(&collider->shape, vec_narrow(p));
		if ((collider->inside ? -d : d) < 0.5f * spacing)
			continue;
		// into the collider's middle if it is outside, anywhere if it is inside
		const vec to = collider->inside ? random_point(&seed, 1)
		                                : vec_sub(random_point(&seed, 0.2), p);
		test_add_particle(w, material, vec_narrow(p),
		                  vec_narrow(vec_mad(vec_of(0, 0, 0), to, 100 / vec_length(to))));
		placed++;
	}
	return w;
}

static void stop_hail(const target *s, bool inside)
{
	oz_shape shape = oz_shape_make(s->kind, s->size);
	shape.rotation = test_rotation(vec_of(1, 2, 3), 0.7);
	oz_collider_def def = oz_collider_default(shape);
	def.inside = inside;
	def.restitution = 0.5f;
	oz_world *w = make_hail(&def, 0.9, 300);
	for (int k = 0; k < 20; k++) {
		test_step(w);
		test_particles all = test_particles_read(w);
		for (uint32_t i = 0; i < all.count; i++) {
			const double d = (double)oz_shape_distance(&shape, vec_narrow(all.at[i].x));
			if (!((inside ? -d : d) > 0))
				fail_msg("%s, %s: particle %u is at distance %g m after step %d",
				         s->name, inside ? "inside" : "outside", i, d, k + 1);
		}
		test_particles_free(&all);
	}
	oz_world_destroy(w);
}

static void hail_does_not_enter_a_collider(void **state)
{
	(void)state;
	for (int k = 0; k < TARGETS; k++)
		stop_hail(&targets[k], false);
}

static void hail_does_not_leave_a_vessel(void **state)
{
	(void)state;
	for (int k = 1; k < TARGETS; k++)
		stop_hail(&targets[k], true);
}

static void hail_does_not_pass_a_wall_a_tenth_of_a_spacing_thin(void **state)
{
	(void)state;
	const oz_shape wall = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){4, 0.1f * spacing, 4});
	oz_collider_def def = oz_collider_default(wall);
	oz_world *w = make_hail(&def, 0.9, 500);
	test_particles before = test_particles_read(w);
	test_step(w);
	test_particles after = test_particles_read(w);
	// after one step of a metre all are still within the wall's two metres either way
	for (uint32_t i = 0; i < before.count; i++)
		if ((before.at[i].x.y > 0) != (after.at[i].x.y > 0))
			fail_msg("particle %u went from y = %g m to %g m", i, before.at[i].x.y,
			         after.at[i].x.y);
	test_particles_free(&before);
	test_particles_free(&after);
	oz_world_destroy(w);
}

// steps of half a spacing to three: where walls are neither far away nor already touched
static void drizzle_does_not_pass_a_thin_wall(void **state)
{
	(void)state;
	const oz_shape plate = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){4, 0.2f * spacing, 4});
	const oz_collider_def wall = oz_collider_default(plate);
	for (int pace = 1; pace <= 24; pace++) {
		oz_world_def def = hail_world();
		def.gravity = (oz_vec3){0, 0, 0};
		def.time_step = 0.001f;
		oz_world *w = test_world(&def);
		const oz_id material = test_add_liquid(w, 1000, 0.001f, 0.05f);
		const double speed = pace / 8.0 * (double)spacing / 0.001;
		test_add_collider(w, &wall);
		for (int i = 0; i < 40; i++)
			test_add_particle(w, material,
			                  (oz_vec3){0.2f * (float)(i % 8),
			                            spacing * (3 + 0.05f * (float)i),
			                            0.2f * (float)(i / 8)},
			                  (oz_vec3){0, -(float)speed, 0});
		for (int k = 0; k < 60; k++)
			test_step(w);
		test_particles all = test_particles_read(w);
		for (uint32_t i = 0; i < all.count; i++)
			if (!(all.at[i].x.y > 0))
				fail_msg("particle %u passed at %g spacings a step", i, pace / 8.0);
		test_particles_free(&all);
		oz_world_destroy(w);
	}
}

// one collider's push must not carry a particle through another
static void hail_does_not_leave_a_tank_by_way_of_what_stands_in_it(void **state)
{
	(void)state;
	const oz_shape tank = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){1, 0.6f, 0.8f});
	oz_collider_def walls = oz_collider_default(tank);
	walls.inside = true;
	oz_world *w = make_hail(&walls, 0.5, 300);
	oz_shape board = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.02f, 0.25f, 1});
	board.position = (oz_vec3){0.4f, -0.2f, 0};
	board.rotation = test_rotation(vec_of(0, 0, 1), 0.5);
	const oz_collider_def leaning = oz_collider_default(board);
	test_add_collider(w, &leaning);
	for (int k = 0; k < 20; k++)
		test_step(w);
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++)
		if (!(oz_shape_distance(&tank, vec_narrow(all.at[i].x)) < 0))
			fail_msg("particle %u is outside, at %g %g %g m", i, all.at[i].x.x,
			         all.at[i].x.y, all.at[i].x.z);
	test_particles_free(&all);
	oz_world_destroy(w);
}

// ---- one particle on a wall -------------------------------------------------------------------

static const double contact = 0.25 * 0.02; // m, the nearest a particle comes to a wall

static oz_world *make_drop(double height, float restitution, float time_step)
{
	oz_world_def def = oz_world_default();
	def.threads = 1;
	def.time_step = time_step;
	oz_world *w = test_world(&def);
	oz_collider_def floor =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
	floor.restitution = restitution;
	test_add_collider(w, &floor);
	test_add_particle(w, test_add_liquid(w, 1000, 0.001f, 0.05f),
	                  (oz_vec3){0, (float)(height + contact), 0}, (oz_vec3){0, 0, 0});
	return w;
}

// m, height of the first bounce above the place of contact
static double bounce(double height, float restitution, float time_step)
{
	oz_world *w = make_drop(height, restitution, time_step);
	double top = contact;
	bool risen = false;
	const double twice = 1.9 * sqrt(2 * height / GRAVITY);
	while (oz_world_time(w) < (1 + (double)restitution) * twice) {
		test_step(w);
		test_particles all = test_particles_read(w);
		risen |= all.at[0].v.y > 0;
		if (risen)
			top = fmax(top, all.at[0].x.y);
		test_particles_free(&all);
	}
	oz_world_destroy(w);
	return top - contact;
}

static void bounce_rises_by_the_square_of_the_restitution(void **state)
{
	(void)state;
	// 5 % of the rise: the claim; the moment of impact is known to a part of a step
	test_near(bounce(1, 0.8f, 0) / 0.64, 1, 0.05, "height of the bounce");
	test_near(bounce(1, 0.5f, 0) / 0.25, 1, 0.05, "height of the bounce");
	test_near(bounce(1, 0.8f, 0.002f) / 0.64, 1, 0.05, "height of the bounce");
	test_near(bounce(0.5, 1, 0) / 0.5, 1, 0.05, "height of the bounce");
	test_near(bounce(1, 0, 0), 0, 1e-3, "height of no bounce");
}

// a particle on a plane that falls off towards +x by an angle; speed down the slope
static oz_world *make_slope(double angle, float friction, double speed)
{
	oz_world_def def = oz_world_default();
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_shape plane = oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0});
	plane.rotation = test_rotation(vec_of(0, 0, 1), -angle);
	oz_collider_def slope = oz_collider_default(plane);
	slope.friction = friction;
	test_add_collider(w, &slope);
	const vec down = {cos(angle), -sin(angle), 0}, up = {sin(angle), cos(angle), 0};
	test_add_particle(w, test_add_liquid(w, 1000, 0.001f, 0.05f),
	                  vec_narrow(vec_mad(vec_of(0, 0, 0), up, contact)),
	                  vec_narrow(vec_mad(vec_of(0, 0, 0), down, speed)));
	return w;
}

// m, slid down the slope by then
static double slid(oz_world *w, double angle)
{
	test_particles all = test_particles_read(w);
	const double along = vec_dot(all.at[0].x, vec_of(cos(angle), -sin(angle), 0));
	test_particles_free(&all);
	return along;
}

static void particle_rests_below_the_angle_of_friction(void **state)
{
	(void)state;
	const double angle = atan(0.5) - 0.05;
	oz_world *w = make_slope(angle, 0.5f, 0);
	test_run_until(w, 1);
	// a thousandth of a spacing: what the first half step may do
	test_near(slid(w, angle), 0, 2e-5, "way of a particle at rest");
	oz_world_destroy(w);
}

static void sliding_particle_stops_below_the_angle_of_friction(void **state)
{
	(void)state;
	const double angle = 0.2, slow = GRAVITY * (0.5 * cos(angle) - sin(angle));
	oz_world *w = make_slope(angle, 0.5f, 1);
	test_run_until(w, 1);
	const double way = slid(w, angle);
	// 5 % of v² / 2a: the claim
	test_near(way / (0.5 / slow), 1, 0.05, "way to a stop");
	test_run_until(w, 2);
	test_near(slid(w, angle), way, 2e-5, "place of a stopped particle");
	oz_world_destroy(w);
}

static void particle_slides_above_the_angle_of_friction(void **state)
{
	(void)state;
	const double tilts[] = {atan(0.5) + 0.1, 0.8, 1.2};
	for (int k = 0; k < 3; k++) {
		const double angle = tilts[k], a = GRAVITY * (sin(angle) - 0.5 * cos(angle));
		oz_world *w = make_slope(angle, 0.5f, 0);
		test_run_until(w, 0.5);
		// 5 %: the claim
		test_near(slid(w, angle) / (0.5 * a * 0.25), 1, 0.05, "way down the slope");
		oz_world_destroy(w);
	}
}

static void particle_slides_freely_without_friction(void **state)
{
	(void)state;
	const double angle = 0.5;
	oz_world *w = make_slope(angle, 0, 0);
	test_run_until(w, 0.5);
	// 1 %: nothing is taken but the first contact
	test_near(slid(w, angle) / (0.5 * GRAVITY * sin(angle) * 0.25), 1, 0.01,
	          "way down the slope");
	oz_world_destroy(w);
}

// ---- colliders that move -----------------------------------------------------------------------

static void add_moving(oz_world *w, oz_shape shape, bool inside, const oz_keyframe *frames,
                       uint32_t count)
{
	oz_collider_def def = oz_collider_default(shape);
	def.inside = inside;
	def.keyframes = frames;
	def.keyframe_count = count;
	test_add_collider(w, &def);
}

static void piston_pushes_all_fluid_ahead_of_itself(void **state)
{
	(void)state;
	const oz_world_def def = oz_world_default();
	oz_world *w = test_world(&def);
	test_add_tank(w, vec_of(0, 0, 0), vec_of(0.8, 0.8, 0.12));
	const oz_quat straight = {0, 0, 0, 1};
	// its face goes from x = 0.02 to 0.42 m in two thirds of a second
	const oz_keyframe frames[] = {{0.1f, {-0.18f, 0.4f, 0.06f}, straight},
	                              {0.767f, {0.22f, 0.4f, 0.06f}, straight}};
	add_moving(w, oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.4f, 1.2f, 0.4f}), false, frames, 2);
	const oz_shape pool = test_box(vec_of(0.02, 0, 0), vec_of(0.8, 0.2, 0.12));
	test_add_filled(w, test_add_liquid(w, 1000, 0.001f, 0.05f), &pool, OZ_FILL_LATTICE);
	test_run_until(w, 1);
	test_particles all = test_particles_read(w);
	double mean = 0;
	for (uint32_t i = 0; i < all.count; i++) {
		// its face has come to 0.42 m
		if (!(all.at[i].x.x > 0.42))
			fail_msg("particle %u is behind the piston, at x = %g m", i, all.at[i].x.x);
		mean += all.at[i].x.y / all.count;
	}
	// pushed together to half the length: the pool is about twice as high, the wave on top
	test_near(mean, 0.2 * 0.78 / 0.38 / 2, 0.05, "mean height of the pool");
	test_particles_free(&all);
	oz_world_destroy(w);
}

static void turning_box_keeps_its_fluid(void **state)
{
	(void)state;
	const oz_world_def def = oz_world_default();
	oz_world *w = test_world(&def);
	oz_keyframe frames[9];
	for (int k = 0; k < 9; k++)
		frames[k] = (oz_keyframe){0.25f * (float)k,
		                          {0, 0, 0},
		                          test_rotation(vec_of(0, 0, 1), PI / 4 * k)};
	add_moving(w, oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.3f, 0.3f, 0.12f}), true, frames, 9);
	const oz_shape pool = test_box(vec_of(-0.15, -0.15, -0.06), vec_of(0.15, 0.05, 0.06));
	test_add_filled(w, test_add_liquid(w, 1000, 0.001f, 0.05f), &pool, OZ_FILL_LATTICE);
	for (int frame = 1; frame <= 40; frame++) {
		test_run_until(w, 0.05 * frame);
		oz_shape box;
		assert_int_equal(oz_world_get_collider(w, 0, &box, NULL, NULL), OZ_OK);
		test_particles all = test_particles_read(w);
		for (uint32_t i = 0; i < all.count; i++)
			assert_true(oz_shape_distance(&box, vec_narrow(all.at[i].x)) < 0);
		test_particles_free(&all);
	}
	oz_world_destroy(w);
}

static void ball_sinks_through_fluid_and_stays_empty(void **state)
{
	(void)state;
	const oz_world_def def = oz_world_default();
	oz_world *w = test_world(&def);
	const oz_shape tank = test_box(vec_of(0, 0, 0), vec_of(0.3, 0.6, 0.3));
	test_add_tank(w, vec_of(0, 0, 0), vec_of(0.3, 0.6, 0.3));
	const oz_quat straight = {0, 0, 0, 1};
	const oz_keyframe frames[] = {{0, {0.15f, 0.4f, 0.15f}, straight},
	                              {0.5f, {0.15f, 0.1f, 0.15f}, straight},
	                              {1, {0.15f, 0.45f, 0.15f}, straight}};
	add_moving(w, oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.08f, 0, 0}), false, frames, 3);
	const oz_shape pool = test_box(vec_of(0, 0, 0), vec_of(0.3, 0.24, 0.3));
	test_add_filled(w, test_add_liquid(w, 1000, 0.001f, 0.05f), &pool, OZ_FILL_LATTICE);
	for (int frame = 1; frame <= 24; frame++) {
		test_run_until(w, 0.05 * frame);
		oz_shape ball;
		assert_int_equal(oz_world_get_collider(w, 1, &ball, NULL, NULL), OZ_OK);
		test_particles all = test_particles_read(w);
		for (uint32_t i = 0; i < all.count; i++) {
			assert_true(oz_shape_distance(&ball, vec_narrow(all.at[i].x)) > 0);
			assert_true(oz_shape_distance(&tank, vec_narrow(all.at[i].x)) < 0);
		}
		test_particles_free(&all);
	}
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(distance_is_that_to_the_nearest_point_of_the_surface),
	        cmocka_unit_test(distance_goes_with_position_and_rotation),
	        cmocka_unit_test(gradient_of_the_distance_has_length_one),
	        cmocka_unit_test(hail_does_not_enter_a_collider),
	        cmocka_unit_test(hail_does_not_leave_a_vessel),
	        cmocka_unit_test(hail_does_not_pass_a_wall_a_tenth_of_a_spacing_thin),
	        cmocka_unit_test(drizzle_does_not_pass_a_thin_wall),
	        cmocka_unit_test(hail_does_not_leave_a_tank_by_way_of_what_stands_in_it),
	        cmocka_unit_test(bounce_rises_by_the_square_of_the_restitution),
	        cmocka_unit_test(particle_rests_below_the_angle_of_friction),
	        cmocka_unit_test(sliding_particle_stops_below_the_angle_of_friction),
	        cmocka_unit_test(particle_slides_above_the_angle_of_friction),
	        cmocka_unit_test(particle_slides_freely_without_friction),
	        cmocka_unit_test(piston_pushes_all_fluid_ahead_of_itself),
	        cmocka_unit_test(turning_box_keeps_its_fluid),
	        cmocka_unit_test(ball_sinks_through_fluid_and_stays_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
