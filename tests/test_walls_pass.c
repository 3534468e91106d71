// test_walls_pass.c: nothing passes an SDF wall at rest, whatever its form, the speed of particles
// or the time step, and particles slide along it.
//
// A witness (witness.h) compares each particle with the mesh of the wall, not with its SDF: the way
// of each step, or the side in each frame. With OOZE_LONG=1 in the environment every case is tried,
// else some of each kind.
#include "witness.h"

#define SPACING 0.02 // m, of hail

// ---- hail --------------------------------------------------------------------------------------

typedef struct storm {
	double speed;       // m/s
	double leap;        // spacings that a particle flies in a step
	double cell;        // spacings
	double restitution; // of the wall
	bool shell, inside, closed;
	bool ways;     // look at every way: steps are short
	vec direction; // of the hail; its cloud is that far before the wall
	double width;  // spacings, of the cloud
	int side;      // particles along an edge of the cloud
	int steps;
} storm;

static storm usual_storm(double speed, double leap)
{
	return (storm){.speed = speed,
	               .leap = leap,
	               .cell = 0.5,
	               .closed = true,
	               .ways = leap <= 0.25,
	               .direction = {0, -1, 0},
	               .width = 20,
	               .side = 7,
	               .steps = leap <= 0.25 ? 160 : 60};
}

static oz_world *storm_world(const storm *s)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)SPACING;
	def.gravity = (oz_vec3){0, 0, 0};
	def.sound_speed = (float)(2 * s->speed);
	def.time_step = (float)(s->leap * SPACING / s->speed);
	def.threads = 1;
	return test_world(&def);
}

// a loose cloud that flies towards the origin, where the wall is
static void add_cloud(oz_world *w, const witness *a, const storm *s, vec target)
{
	enum { MOST = 16 };
	static oz_vec3 points[MOST * MOST * MOST];
	uint64_t state = 7;
	uint32_t count = 0;
	const double edge = s->width * SPACING, step = edge / s->side;
	const vec away = vec_mad(target, s->direction, -(0.9 * edge + 3 * SPACING));
	for (int k = 0; k < s->side * s->side * s->side; k++) {
		const vec cell = vec_of(k % s->side, k / s->side % s->side,
		                        (double)(k / (s->side * s->side)));
		const vec p = vec_of((cell.x + 0.8 * test_random(&state)) * step - 0.5 * edge,
		                     (cell.y + 0.8 * test_random(&state)) * step - 0.5 * edge,
		                     (cell.z + 0.8 * test_random(&state)) * step - 0.5 * edge);
		points[count] = vec_narrow(vec_mad(p, away, 1));
		count += test_witness_distance(a, points[count]) > SPACING;
	}
	const oz_id water = test_add_liquid(w, 1000, 0, 0.5f);
	test_add_points(w, water, points, count,
	                vec_narrow(vec_mad(vec_of(0, 0, 0), s->direction, s->speed)));
}

static void report_storm(const char *name, const storm *s, const witness *a)
{
	if (s->cell <= 0.5 && (a->crossed || a->pierced))
		print_message("%s: %g m/s, %g spacings a step, cells of %g: %u on the other side "
		              "(%.3g spacings deep), %u ways pierce it\n",
		              name, s->speed, s->leap, s->cell, a->crossed, a->deepest, a->pierced);
}

// Takes the mesh, lets hail fall on it; gives how many particles were where none may be.
static uint32_t weather(const char *name, const storm *s, oz_mesh mesh, vec target)
{
	witness a;
	test_witness_make(&a, mesh, SPACING, s->cell, s->shell);
	oz_world *w = storm_world(s);
	oz_collider_def def = test_collider_of(&a);
	def.shell = s->shell;
	def.inside = s->inside;
	def.restitution = (float)s->restitution;
	def.load = true;
	test_add_collider(w, &def);
	add_cloud(w, &a, s, target);
	for (int k = 0; k < s->steps; k++) {
		test_witness_look(&a, w, 0, s->closed, s->ways);
		test_step(w);
	}
	test_witness_look(&a, w, 0, s->closed, s->ways);
	report_storm(name, s, &a);
	// hail that missed it would prove nothing
	oz_load load;
	test_must(oz_world_take_load(w, 0, &load, NULL), NULL);
	assert_true(fabs(load.force[0]) + fabs(load.force[1]) + fabs(load.force[2]) > 0);
	const uint32_t wrong = a.crossed + a.pierced;
	oz_world_destroy(w);
	test_witness_free(&a);
	return wrong;
}

static oz_mesh spike(void)
{
	oz_mesh m = test_mesh_tetrahedron();
	// three spacings wide at its foot, fifteen high
	oz_mesh_transform(&m, vec_narrow(vec_of(3 * SPACING, 15 * SPACING, 3 * SPACING)),
	                  oz_quat_identity(),
	                  vec_narrow(vec_of(-SPACING, -10 * SPACING, -SPACING)));
	return m;
}

// two blocks with a slit between them
static oz_mesh slit(double gap)
{
	const double wide = 8 * SPACING, x = 0.5 * (wide + gap);
	const vec size = vec_of(wide, 6 * SPACING, 16 * SPACING);
	return test_mesh_joined(test_mesh_slab(size, vec_of(-x, 0, 0)),
	                        test_mesh_slab(size, vec_of(x, 0, 0)));
}

static oz_mesh plate(double thickness)
{
	return test_mesh_slab(vec_of(14 * SPACING, thickness * SPACING, 14 * SPACING),
	                      vec_of(0, 0, 0));
}

typedef struct target {
	const char *name;
	oz_mesh (*make)(double number);
	double number;
} target;

static oz_mesh a_ball(double radius)
{
	return test_mesh_ball((float)(radius * SPACING), 3);
}

static oz_mesh a_cube(double edge)
{
	const double s = edge * SPACING;
	return test_mesh_slab(vec_of(s, s, s), vec_of(0, 0, 0));
}

static oz_mesh a_rotated_cube(double edge)
{
	return test_mesh_tilted(a_cube(edge), vec_of(1, 2, 3), 0.9);
}

static oz_mesh a_spike(double number)
{
	(void)number;
	return spike();
}

static oz_mesh a_slit(double gap)
{
	return slit(gap * SPACING);
}

static oz_mesh a_tilted_plate(double thickness)
{
	return test_mesh_tilted(plate(thickness), vec_of(1, 0.3, 0.7), 0.6);
}

static oz_mesh an_upright_plate(double thickness)
{
	return test_mesh_tilted(plate(thickness), vec_of(1, 0, 0.02), 0.5 * PI);
}

static oz_mesh a_glass(double height)
{
	oz_mesh m = test_mesh_of_scene("glass", 1);
	oz_vec3 low = m.vertices[0], high = low;
	for (uint32_t i = 1; i < m.vertex_count; i++) {
		low = oz_v3(fminf(low.x, m.vertices[i].x), fminf(low.y, m.vertices[i].y),
		            fminf(low.z, m.vertices[i].z));
		high = oz_v3(fmaxf(high.x, m.vertices[i].x), fmaxf(high.y, m.vertices[i].y),
		             fmaxf(high.z, m.vertices[i].z));
	}
	m = test_mesh_placed(m, 1, oz_scale(oz_add(low, high), -0.5f));
	// its rim below the cloud
	return test_mesh_placed(m, (float)(height * SPACING) / (high.y - low.y),
	                        oz_v3(0, (float)((10 - 0.5 * height) * SPACING), 0));
}

static const target targets[] = {{"a ball", a_ball, 5},
                                 {"a cube", a_cube, 9},
                                 {"a rotated cube", a_rotated_cube, 9},
                                 {"a spike", a_spike, 0},
                                 {"a slit of 0.6", a_slit, 0.6},
                                 {"a slit of 1", a_slit, 1},
                                 {"a slit of 2", a_slit, 2},
                                 {"a plate of 0.1", plate, 0.1},
                                 {"a plate of 0.3", plate, 0.3},
                                 {"a plate of 1", plate, 1},
                                 {"a tilted plate of 0.1", a_tilted_plate, 0.1},
                                 {"a tilted plate of 0.3", a_tilted_plate, 0.3},
                                 {"a tilted plate of 1", a_tilted_plate, 1},
                                 {"a plate on edge of 0.1", an_upright_plate, 0.1},
                                 {"a plate on edge of 1", an_upright_plate, 1},
                                 {"a glass of 40", a_glass, 40},
                                 {"a glass of 80", a_glass, 80}};

// on all of them, or on every second of the smaller ones
static uint32_t hail_on_targets(const storm *s, size_t first, size_t step)
{
	uint32_t wrong = 0;
	for (size_t k = first; k < sizeof targets / sizeof *targets - (step - 1); k += step)
		wrong += weather(targets[k].name, s, targets[k].make(targets[k].number),
		                 vec_of(0.1 * SPACING, 0, 0.2 * SPACING));
	return wrong;
}

static void hail_at_10_and_50_metres_a_second_enters_no_collider(void **state)
{
	(void)state;
	NEEDS_SDFS;
	uint32_t wrong = 0;
	const size_t step = (size_t)test_seconds(2, 1);
	for (int k = 0; k < 4; k += (int)test_seconds(3, 1)) {
		storm s = usual_storm(k & 1 ? 50 : 10, k & 2 ? 2.5 : 0.25);
		s.restitution = k & 1 ? 0.5 : 0;
		wrong += hail_on_targets(&s, (size_t)k % step, step);
	}
	assert_int_equal(wrong, 0);
}

static void sdfs_too_coarse_for_thin_walls_are_refused(void **state)
{
	(void)state;
	NEEDS_SDFS;
	witness a;
	test_witness_make(&a, a_cube(9), SPACING, 0.6, false);
	storm s = usual_storm(10, 0.25);
	oz_world *w = storm_world(&s);
	const oz_collider_def def = test_collider_of(&a);
	oz_error error;
	assert_int_equal(oz_world_add_collider(w, &def, NULL, &error), OZ_ERROR_RANGE);
	assert_non_null(strstr(error.text, "too coarse"));
	assert_int_equal(oz_world_collider_count(w), 0);
	oz_world_destroy(w);
	test_witness_free(&a);
}

// ---- shells and plates that part a room --------------------------------------------------------

// A cloud on each side of a closed shell, flying at it.
static uint32_t inside_and_outside(const char *name, oz_mesh mesh, double cell, double leap)
{
	storm s = usual_storm(10, leap);
	s.cell = cell;
	s.side = 4;
	s.width = 6;
	s.steps = leap <= 0.25 ? 240 : 80;
	witness a;
	test_witness_make(&a, mesh, SPACING, cell, true);
	oz_world *w = storm_world(&s);
	oz_collider_def def = test_collider_of(&a);
	def.shell = true;
	test_add_collider(w, &def);
	add_cloud(w, &a, &s, vec_of(0, 8.4 * SPACING, 0));
	s.direction = vec_of(0.6, -0.8, 0);
	add_cloud(w, &a, &s, vec_of(8 * SPACING, 0, 0));
	s.direction = vec_of(1, 0.2, 0);
	s.width = 12;
	add_cloud(w, &a, &s, vec_of(-11 * SPACING, 0, 0));
	for (int k = 0; k < s.steps; k++) {
		test_witness_look(&a, w, 0, true, s.ways);
		test_step(w);
	}
	test_witness_look(&a, w, 0, true, s.ways);
	report_storm(name, &s, &a);
	uint32_t within = 0;
	for (uint32_t i = 0; i < a.count; i++)
		within += a.side[i] < 0;
	assert_true(within > 50 && within < a.count - 50);
	const uint32_t wrong = a.crossed + a.pierced;
	oz_world_destroy(w);
	test_witness_free(&a);
	return wrong;
}

static void no_particle_changes_sides_of_a_closed_shell(void **state)
{
	(void)state;
	NEEDS_SDFS;
	static const double leaps[] = {0.25, 2.5};
	const bool all = test_seconds(0, 1) > 0;
	uint32_t wrong = 0;
	for (int k = 0; k < (all ? 4 : 2); k++) {
		const double leap = leaps[k & 1], cell = k & 2 ? 0.25 : 0.5;
		if (k == 0 || all)
			wrong += inside_and_outside("a ball's shell", a_ball(12), cell, leap);
		if (k == 1 || all)
			wrong += inside_and_outside("a cube's shell", a_cube(22), cell, leap);
		if (k == 0 || all)
			wrong += inside_and_outside("a rotated cube's shell", a_rotated_cube(22),
			                            cell, leap);
	}
	assert_int_equal(wrong, 0);
}

static void hail_does_not_pierce_an_open_sheet(void **state)
{
	(void)state;
	NEEDS_SDFS;
	uint32_t wrong = 0;
	for (int k = 0; k < 6; k++) {
		storm s = usual_storm(k & 1 ? 50 : 10, 0.25);
		s.shell = true;
		s.closed = false;
		s.cell = k & 2 ? 0.25 : 0.5;
		oz_mesh sheet = test_mesh_cube();
		sheet.triangle_count = k < 4 ? 2 : 4; // one face, or two that meet at an edge
		oz_mesh_transform(&sheet, oz_v3(0.3f, 0.3f, 0.3f),
		                  test_rotation(vec_of(1, 1, 1), k), oz_v3(0.1f, 0, 0));
		wrong += weather("an open sheet", &s, sheet, vec_of(0, 0, 0));
	}
	assert_int_equal(wrong, 0);
}

// A thin plate from wall to wall of a tank: particles below it have passed through it.
static uint32_t fall_on_floor(double thickness, double angle, double leap, double cell, bool shell)
{
	storm s = usual_storm(10, leap);
	s.cell = cell;
	s.width = 12;
	oz_mesh mesh = test_mesh_slab(vec_of(0.4, thickness * SPACING, 0.4), vec_of(0, 0, 0));
	mesh = test_mesh_tilted(mesh, vec_of(0.2, 0, 1), angle);
	witness a;
	test_witness_make(&a, mesh, SPACING, cell, shell);
	oz_world *w = storm_world(&s);
	oz_collider_def def = test_collider_of(&a);
	def.shell = shell;
	test_add_collider(w, &def);
	test_add_tank(w, vec_of(-0.15, -0.6, -0.15), vec_of(0.15, 1, 0.15));
	add_cloud(w, &a, &s, vec_of(0, 0.1, 0));
	for (int k = 0; k < s.steps; k++)
		test_step(w);
	const vec up = {-sin(angle) / sqrt(1.04), cos(angle), 0.2 * sin(angle) / sqrt(1.04)};
	test_particles all = test_particles_read(w);
	uint32_t wrong = 0;
	for (uint32_t i = 0; i < all.count; i++)
		wrong += vec_dot(all.at[i].x, up) < 0;
	if (wrong)
		print_message("a floor of %g, tilted by %g, cells of %g, %g spacings a step%s: %u "
		              "of %u below\n",
		              thickness, angle, cell, leap, shell ? ", a shell" : "", wrong,
		              all.count);
	test_particles_free(&all);
	oz_world_destroy(w);
	test_witness_free(&a);
	return wrong;
}

static void nothing_falls_through_a_thin_floor_at_any_time_step(void **state)
{
	(void)state;
	NEEDS_SDFS;
	static const double thick[] = {0.1, 0.3, 1}, leaps[] = {0.5, 3, 10};
	uint32_t wrong = 0;
	for (int k = 0; k < 9; k += (int)test_seconds(4, 1)) {
		const double angle = k % 2 ? 0.35 : 0;
		const double cell = (k + k / 4) % 4 ? 0.5 : 0.25;
		wrong += fall_on_floor(thick[k % 3], angle, leaps[k / 3], cell, false);
		wrong += fall_on_floor(thick[k % 3], 0.35 - angle, leaps[k / 3], 0.5, k % 2);
	}
	assert_int_equal(wrong, 0);
}

// ---- particles keep moving ---------------------------------------------------------------------

static void hail_slides_down_a_slope_with_its_share_of_gravity(void **state)
{
	(void)state;
	NEEDS_SDFS;
	static const double angles[] = {0.2, 0.5, 1};
	for (int k = 0; k < 6; k += (int)test_seconds(2, 1)) {
		const double angle = angles[k % 3], spacing = 0.02;
		oz_mesh mesh = test_mesh_tilted(test_mesh_slab(vec_of(0.8, 0.06, 0.15),
		                                               vec_of(0, -0.03, 0)),
		                                vec_of(0, 0, 1), -angle);
		witness a;
		test_witness_make(&a, mesh, spacing, k < 3 ? 0.5 : 0.25, false);
		oz_world_def world = oz_world_default();
		world.spacing = (float)spacing;
		world.threads = 1;
		oz_world *w = test_world(&world);
		oz_collider_def def = test_collider_of(&a);
		test_add_collider(w, &def);
		const vec down = {cos(angle), -sin(angle), 0}, up = {sin(angle), cos(angle), 0};
		const oz_id water = test_add_liquid(w, 1000, 0, 0);
		for (int i = 0; i < 8; i++) {
			const vec p = vec_mad(vec_mad(vec_of(0, 0, 0.008 * i - 0.03), down,
			                              0.04 * i - 0.3),
			                      up, 0.3 * spacing);
			test_add_particle(w, water, vec_narrow(p), oz_v3(0, 0, 0));
		}
		test_run_until(w, 0.25);
		test_particles all = test_particles_read(w);
		for (int i = 0; i < 8; i++) {
			const double wanted = GRAVITY * sin(angle) * 0.25;
			test_near(vec_dot(all.at[i].v, down), wanted, 0.03 * wanted,
			          "speed down a slope");
		}
		test_particles_free(&all);
		oz_world_destroy(w);
		test_witness_free(&a);
	}
}

// Lets one particle run about in a vessel until it is at rest; gives how high it ends.
static double rests_at(witness *a, vec start, vec gravity)
{
	oz_world_def world = oz_world_default();
	world.spacing = (float)a->spacing;
	world.gravity = vec_narrow(gravity);
	world.threads = 1;
	oz_world *w = test_world(&world);
	oz_collider_def def = test_collider_of(a);
	def.inside = true;
	test_add_collider(w, &def);
	// it would swing for long, but viscosity, which unlike friction holds nothing that is slow,
	// lets it slide to the very place
	test_add_particle(w, test_add_liquid(w, 1000, 2, 0), vec_narrow(start), oz_v3(0, 0, 0));
	test_run_until(w, 6);
	test_particles all = test_particles_read(w);
	const double height = -vec_dot(all.at[0].x, gravity) / vec_length(gravity);
	test_particles_free(&all);
	oz_world_destroy(w);
	return height;
}

// Spacings above a corner to which contact lets a particle come. In the corner cell of an SDF with
// cells of half a spacing, distances are interpolated: x y z / 0.5².
static double lowest_in_corner(vec gravity)
{
	const double contact = 0.25, cell = 0.5;
	double lowest = 1e9;
	for (double x = 0.25; x <= cell; x += 0.001)
		for (double y = 0.25; y <= cell; y += 0.001) {
			const double z = contact * cell * cell / (x * y);
			const double up =
			        fabs(gravity.x) * x + fabs(gravity.y) * y + fabs(gravity.z) * z;
			lowest = z <= cell ? fmin(lowest, up / vec_length(gravity)) : lowest;
		}
	return lowest;
}

static void a_particle_leaves_every_corner_for_the_lowest_place(void **state)
{
	(void)state;
	NEEDS_SDFS;
	const double s = 0.05;
	witness a;
	test_witness_make(&a, test_mesh_slab(vec_of(0.4, 0.4, 0.4), vec_of(0, 0, 0)), s, 0.5,
	                  false);
	static const vec pulls[] = {{3, -9, 2}, {-5, 6, 3}, {9, 1, -2}, {1, 2, 9.5}, {-6, -6, -5}};
	for (int k = 0; k < 40; k += (int)test_seconds(3, 1)) {
		const double inner = 0.2 - 0.26 * s;
		const vec start = {k & 1 ? inner : -inner, k & 2 ? inner : -inner,
		                   k & 4 ? inner : -inner};
		const vec g = pulls[k / 8];
		const double corner = -0.2 * (fabs(g.x) + fabs(g.y) + fabs(g.z)) / vec_length(g);
		const double above = (rests_at(&a, start, g) - corner) / s;
		const double wanted = lowest_in_corner(g);
		if (!(above > wanted - 0.005 && above < wanted + 0.04))
			fail_msg("from corner %d, pull %d, it ends %g spacings above the lowest "
			         "one, not %g",
			         k % 8, k / 8, above, wanted);
	}
	test_witness_free(&a);
}

// along y, with an open end above and below
static oz_mesh pipe(double inner, double outer, double height)
{
	enum { AROUND = 32 };
	oz_mesh m = test_mesh(4 * AROUND, 8 * AROUND);
	for (uint32_t i = 0; i < AROUND; i++) {
		const double u = 2 * PI * i / AROUND;
		for (uint32_t ring = 0; ring < 4; ring++) {
			const double r = ring == 0 || ring == 3 ? outer : inner;
			m.vertices[4 * i + ring] =
			        oz_v3((float)(r * cos(u)), (float)(ring < 2 ? height : 0),
			              (float)(r * sin(u)));
			const uint32_t j = (i + 1) % AROUND, next = (ring + 1) % 4;
			const uint32_t a = 4 * i + ring, b = 4 * i + next, c = 4 * j + next,
			               d = 4 * j + ring;
			memcpy(m.triangles[8 * i + 2 * ring], (uint32_t[3]){a, b, c},
			       sizeof(uint32_t[3]));
			memcpy(m.triangles[8 * i + 2 * ring + 1], (uint32_t[3]){a, c, d},
			       sizeof(uint32_t[3]));
		}
	}
	return m;
}

static void water_runs_through_a_pipe_six_spacings_wide(void **state)
{
	(void)state;
	NEEDS_SDFS;
	const double s = 0.02;
	oz_mesh mesh = pipe(3 * s, 5 * s, 20 * s);
	if (oz_mesh_check_closed(&mesh, "pipe", NULL) != OZ_OK)
		mesh = test_mesh_flipped(mesh);
	test_mesh_is_closed(&mesh);
	witness a;
	test_witness_make(&a, mesh, s, 0.5, false);
	oz_world_def world = oz_world_default();
	world.spacing = (float)s;
	world.threads = 1;
	oz_world *w = test_world(&world);
	oz_collider_def def = test_collider_of(&a);
	test_add_collider(w, &def);
	oz_shape column =
	        oz_shape_make(OZ_SHAPE_CYLINDER, oz_v3((float)(2.6 * s), (float)(18 * s), 0));
	column.position = oz_v3(0, (float)(10 * s), 0);
	test_add_filled(w, test_add_liquid(w, 1000, 0, 0.05f), &column, OZ_FILL_HEXAGONAL);
	while (oz_world_time(w) < 0.6) {
		test_witness_look(&a, w, 0, true, true);
		test_step(w);
	}
	assert_int_equal(a.crossed + a.pierced, 0);
	test_particles all = test_particles_read(w);
	uint32_t left = 0;
	for (uint32_t i = 0; i < all.count; i++)
		left += all.at[i].x.y > 0;
	// free fall has taken all of it 1.4 m below by now
	print_message("%u of %u are still in the pipe\n", left, all.count);
	assert_int_equal(left, 0);
	test_particles_free(&all);
	oz_world_destroy(w);
	test_witness_free(&a);
}

// ---- a wedge -----------------------------------------------------------------------------------

// Two walls at an angle of 20° and a force into the wedge between them. A particle bounces between
// the walls there and does not move; its velocity must not grow either, as it would leave with it.
static void a_particle_that_is_caught_in_a_wedge_gets_no_speed(void **state)
{
	(void)state;
	const double s = 0.02, pull = 50, tilt = 80 * 3.14159265 / 180;
	oz_world_def def = test_space_def(s);
	def.sound_speed = 1; // the pressure of the walls is less than the force
	def.gravity = oz_v3(0, (float)-pull, 0);
	oz_world *w = test_world(&def);
	for (int side = -1; side <= 1; side += 2) {
		oz_shape box = oz_shape_make(OZ_SHAPE_BOX, oz_v3(1, 0.2f, 1));
		box.rotation = test_rotation(vec_of(0, 0, 1), side * tilt);
		box.position = vec_narrow(vec_of(side * 0.1 * sin(tilt), -0.1 * cos(tilt), 0));
		oz_collider_def wall = oz_collider_default(box);
		test_add_collider(w, &wall);
	}
	test_add_particle(w, test_water(w), oz_v3(0, 0.1f, 0), oz_v3(0, 0, 0));
	double fastest = 0, low = 1, high = -1;
	while (oz_world_time(w) < 0.4) {
		test_step(w);
		if (oz_world_time(w) < 0.2)
			continue;
		test_particles all = test_particles_read(w);
		fastest = fmax(fastest, vec_length(all.at[0].v));
		low = fmin(low, all.at[0].x.y);
		high = fmax(high, all.at[0].x.y);
		test_particles_free(&all);
	}
	print_message("%.3f m/s at most, of %.0f m/s by the force; height from %.2f to %.2f "
	              "spacings\n",
	              fastest, 0.4 * pull, low / s, high / s);
	assert_true(high - low < 0.1 * s);
	assert_true(fastest < 0.02 * 0.4 * pull);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_particle_that_is_caught_in_a_wedge_gets_no_speed),
	        cmocka_unit_test(hail_at_10_and_50_metres_a_second_enters_no_collider),
	        cmocka_unit_test(sdfs_too_coarse_for_thin_walls_are_refused),
	        cmocka_unit_test(a_particle_leaves_every_corner_for_the_lowest_place),
	        cmocka_unit_test(no_particle_changes_sides_of_a_closed_shell),
	        cmocka_unit_test(hail_does_not_pierce_an_open_sheet),
	        cmocka_unit_test(nothing_falls_through_a_thin_floor_at_any_time_step),
	        cmocka_unit_test(hail_slides_down_a_slope_with_its_share_of_gravity),
	        cmocka_unit_test(water_runs_through_a_pipe_six_spacings_wide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
