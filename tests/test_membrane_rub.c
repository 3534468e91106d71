// test_membrane_rub.c: friction between large faces of skins and what touches them.
//
// A cube that is smaller than a face lies on the flat skin of a slab whose points are four spacings
// apart. Gravity is tilted: with a friction of less than the slope the cube slides with the
// difference, with more it stays. Edges of two skins are flown at each other between their points.
#include "mixes.h"
#include "models/membrane/membrane.h"

#define N 6 // squares of the slab on each side

static const double s = 0.01, edge = 4; // m, spacing; spacings, of a square

// where a slab is, rotated about its centre
typedef struct slab_pose {
	double edge; // spacings, of a square
	vec at;
	oz_quat rotation;
	vec velocity;
} slab_pose;

// a vector, rotated by a unit quaternion
static vec turned(oz_quat q, vec v)
{
	const vec axis = vec_of(q.x, q.y, q.z);
	const vec twice = vec_mad(vec_of(0, 0, 0), vec_cross(axis, v), 2);
	return vec_mad(vec_mad(v, twice, q.w), vec_cross(axis, twice), 1);
}

// A slab of N by N squares and one square high.
static oz_id add_slab_at(oz_world *w, oz_material_def def, const slab_pose *pose)
{
	const double square = pose->edge * s;
	static uint32_t numbers[N + 1][2][N + 1];
	oz_vec3 points[2 * (N + 1) * (N + 1)];
	uint32_t faces[4 * N * N + 8 * N][3], count = 0, f = 0;
	for (int x = 0; x <= N; x++)
		for (int y = 0; y < 2; y++)
			for (int z = 0; z <= N; z++) {
				numbers[x][y][z] = count;
				const vec from = vec_of((x - 0.5 * N) * square, (y - 0.5) * square,
				                        (z - 0.5 * N) * square);
				points[count++] = vec_narrow(
				        vec_mad(turned(pose->rotation, from), pose->at, 1));
			}
	// squares by their corners, counter-clockwise from outside
	for (int a = 0; a < N; a++) {
		for (int b = 0; b < N; b++) {
			const uint32_t top[4] = {numbers[a][1][b], numbers[a][1][b + 1],
			                         numbers[a + 1][1][b + 1], numbers[a + 1][1][b]};
			const uint32_t low[4] = {numbers[a][0][b], numbers[a + 1][0][b],
			                         numbers[a + 1][0][b + 1], numbers[a][0][b + 1]};
			for (int k = 0; k < 2; k++)
				for (int c = 0; c < 3; c++) {
					faces[f + (uint32_t)k][c] = top[c ? (k + c) % 4 : 0];
					faces[f + 2 + (uint32_t)k][c] = low[c ? (k + c) % 4 : 0];
				}
			f += 4;
		}
		const uint32_t sides[4][4] = {{numbers[a][0][0], numbers[a][1][0],
		                               numbers[a + 1][1][0], numbers[a + 1][0][0]},
		                              {numbers[a][0][N], numbers[a + 1][0][N],
		                               numbers[a + 1][1][N], numbers[a][1][N]},
		                              {numbers[0][0][a], numbers[0][0][a + 1],
		                               numbers[0][1][a + 1], numbers[0][1][a]},
		                              {numbers[N][0][a], numbers[N][1][a],
		                               numbers[N][1][a + 1], numbers[N][0][a + 1]}};
		for (int n = 0; n < 4; n++)
			for (int k = 0; k < 2; k++, f++)
				for (int c = 0; c < 3; c++)
					faces[f][c] = sides[n][c ? (k + c) % 4 : 0];
	}
	oz_error error = {OZ_OK, ""};
	oz_body_def body = oz_body_default();
	oz_id id;
	body.material = test_add_material(w, &def);
	body.points = points;
	body.count = count;
	body.triangles = (const uint32_t(*)[3])faces;
	body.triangle_count = f;
	body.velocity = vec_narrow(pose->velocity);
	test_must(oz_world_add_body(w, &body, &id, &error), &error);
	return id;
}

// one that lies with its top at y = 0
static oz_id add_slab(oz_world *w, oz_material_def def)
{
	const slab_pose pose = {edge, vec_of(0, -0.5 * edge * s, 0), {0, 0, 0, 1}, vec_of(0, 0, 0)};
	return add_slab_at(w, def, &pose);
}

typedef struct slide {
	double way, speed; // m, m/s, of the cube along x, against the slab
	double above;      // spacings from the skin to the centre of the cube
} slide;

// A cube on a slab in free fall with it: both fall, and the slab is so heavy that gravity is given
// to the cube by the acceleration of a third thing, none; so the slab is held by its weight on a
// floor.
static slide slide_on(oz_pressure pressure, int model, double friction, double tilt,
                      double duration)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.sound_speed = 20;
	def.threads = 1;
	def.gravity = oz_v3((float)(GRAVITY * sin(tilt)), -(float)(GRAVITY * cos(tilt)), 0);
	oz_world *w = test_world(&def);
	oz_collider_def floor = oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, oz_v3(0, 0, 0)));
	floor.shape.position = oz_v3(0, -(float)((edge + 0.5) * s), 0);
	floor.friction = 8;
	test_add_collider(w, &floor);
	oz_material_def skin = oz_material_default(OZ_MEMBRANE);
	skin.filling = OZ_FILLING_LIQUID;
	skin.filling_density = 0;
	skin.young_modulus = 1e7f;
	skin.thickness = 2e-3f;
	skin.density = 40000;
	skin.friction = (float)friction;
	skin.skin_damping = 0.01f;
	const oz_id slab = add_slab(w, skin);
	oz_material_def stuff =
	        model == OZ_RIGID ? oz_material_default(OZ_RIGID) : test_elastic(3e5, 0.3);
	stuff.density = 1000;
	stuff.friction = (float)friction;
	const double half = 1.5 * s, at = 0.5 * edge * s;
	const oz_shape cube = test_box(vec_of(-4 * s - half, 0.6 * s, at - half),
	                               vec_of(-4 * s + half, 0.6 * s + 2 * half, at + half));
	const oz_id body = test_add_thrown(w, test_add_material(w, &stuff), &cube, vec_of(0, 0, 0));
	vec x0, v0, y0, u0, x, v, y, u;
	test_run_until(w, 0.1);
	test_mean_of(w, body, &x0, &v0);
	test_mean_of(w, slab, &y0, &u0);
	test_run_until(w, 0.1 + duration);
	test_mean_of(w, body, &x, &v);
	test_mean_of(w, slab, &y, &u);
	const slide r = {.way = x.x - x0.x - (y.x - y0.x),
	                 .speed = v.x - u.x - (v0.x - u0.x),
	                 .above = x.y / s};
	oz_world_destroy(w);
	return r;
}

static void a_face_holds_a_cube_on_a_slope(void **state)
{
	(void)state;
	const double tilt = atan(0.3), duration = 0.15;
	for (int eos = 0; eos < 2; eos++)
		for (int k = 0; k < 2; k++) {
			const oz_pressure pressure =
			        eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
			const int model = k ? OZ_COROTATED : OZ_RIGID;
			const slide stays = slide_on(pressure, model, 0.6, tilt, duration),
			            slides = slide_on(pressure, model, 0.15, tilt, duration),
			            free = slide_on(pressure, model, 0, tilt, duration);
			const double g = GRAVITY * sin(tilt) * duration,
			             rub = 0.15 * GRAVITY * cos(tilt) * duration;
			print_message("%s, %s: friction 0.6: %.2f mm, %.4f m/s; 0: %.3f of %.3f "
			              "m/s; "
			              "0.15: slower by %.3f of %.3f m/s; %.1f spacings above\n",
			              eos ? "eos" : "incompressible", k ? "elastic" : "rigid",
			              1e3 * stays.way, stays.speed, free.speed, g,
			              free.speed - slides.speed, rub, stays.above);
			assert_true(stays.above > 1 && stays.above < 4);
			test_near(stays.way, 0, 0.2 * s, "way with a friction of 0.6");
			test_near(free.speed / g, 1, 0.1, "speed without friction");
			test_near((free.speed - slides.speed) / rub, 1, 0.15,
			          "speed that a friction of 0.15 takes");
		}
}

// kg m/s; the mass of a point of a skin is that of its part of the skin
static vec momentum_of(oz_world *w)
{
	test_particles all = test_particles_read(w);
	vec sum = vec_of(0, 0, 0);
	for (uint32_t i = 0; i < all.count; i++)
		sum = vec_mad(sum, all.at[i].v,
		              (double)oz_particle_mass(&w->sim, all.at[i].material));
	test_particles_free(&all);
	return sum;
}

// A cube flies along a slab in space, is braked by its faces, and drags it along.
static void friction_of_faces_keeps_momentum(void **state)
{
	(void)state;
	for (int eos = 0; eos < 2; eos++) {
		double left[2];
		for (int rubs = 0; rubs < 2; rubs++) {
			oz_world_def def = oz_world_default();
			def.spacing = (float)s;
			def.pressure = eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
			def.sound_speed = 20;
			def.threads = 1;
			def.gravity = oz_v3(0, 0, 0);
			oz_world *w = test_world(&def);
			oz_material_def skin = oz_material_default(OZ_MEMBRANE),
			                stone = oz_material_default(OZ_RIGID);
			skin.filling = OZ_FILLING_LIQUID;
			skin.filling_density = 0;
			skin.young_modulus = 1e7f;
			skin.thickness = 2e-3f;
			skin.friction = stone.friction = rubs ? 0.5f : 0;
			add_slab(w, skin);
			const double at = 0.5 * edge * s;
			const oz_shape cube = test_box(vec_of(-6 * s, 1.5 * s, at - 1.5 * s),
			                               vec_of(-3 * s, 4.5 * s, at + 1.5 * s));
			const oz_id body = test_add_thrown(w, test_add_material(w, &stone), &cube,
			                                   vec_of(0.5, -0.5, 0));
			const vec before = momentum_of(w);
			vec x, v;
			test_run_until(w, 0.1);
			test_mean_of(w, body, &x, &v);
			left[rubs] = v.x;
			const double change =
			        vec_length(vec_sub(momentum_of(w), before)) / vec_length(before);
			print_message("%s, friction %.1f: the cube keeps %.3f m/s of 0.5; momentum "
			              "changes by %.1e\n",
			              eos ? "eos" : "incompressible", (double)skin.friction, v.x,
			              change);
			test_near(change, 0, 1e-5, "change of momentum");
			oz_world_destroy(w);
		}
		assert_true(left[1] < left[0] - 0.1);
	}
}

// The least distance of the rims of two slabs whose edges are that many spacings long, which fly at
// each other crosswise, halfway between their points; below 0 they have passed, in spacings.
static double cross_edges(oz_pressure pressure, double length, double speed)
{
	oz_world_def def = oz_world_default();
	def.spacing = (float)s;
	def.pressure = pressure;
	def.sound_speed = 20;
	def.threads = 1;
	def.gravity = oz_v3(0, 0, 0);
	oz_world *w = test_world(&def);
	oz_material_def skin = oz_material_default(OZ_MEMBRANE);
	skin.filling = OZ_FILLING_LIQUID;
	skin.filling_density = 0;
	skin.young_modulus = 3e6f;
	skin.thickness = 1e-3f;
	// points as heavy as water
	skin.density = (float)(1000 * s / 1e-3);
	const double square = length * s, far = sqrt(0.5) * (0.5 * N + 0.5) * square + s,
	             aside = sqrt(0.5) * (0.5 * N - 0.5) * square, half = 0.5 * square;
	const slab_pose upper = {length, vec_of(half, far, -aside),
	                         test_rotation(vec_of(1, 0, 0), M_PI / 4), vec_of(0, -speed, 0)},
	                lower = {length, vec_of(-aside, -far, half),
	                         test_rotation(vec_of(0, 0, 1), M_PI / 4), vec_of(0, speed, 0)};
	add_slab_at(w, skin, &upper);
	add_slab_at(w, skin, &lower);
	// their rims, in the order of the points: x, y, z; y and z of the upper, x and y of the
	// lower
	const uint32_t each = 2 * (N + 1) * (N + 1), middle = N / 2;
	double least = INFINITY;
	for (int k = 1; k <= 40; k++) {
		test_run_until(w, 0.1 * s / speed * k);
		test_particles all = test_particles_read(w);
		const vec a = all.at[(middle - 1) * 2 * (N + 1) + N].x,
		          b = all.at[middle * 2 * (N + 1) + N].x,
		          c = all.at[each + N * 2 * (N + 1) + (N + 1) + middle - 1].x,
		          d = all.at[each + N * 2 * (N + 1) + (N + 1) + middle].x;
		const vec normal = vec_cross(vec_sub(d, c), vec_sub(b, a));
		const vec way = vec_sub(vec_mad(a, b, 1), vec_mad(c, d, 1));
		least = fmin(least, 0.5 * vec_dot(way, normal) / vec_length(normal) / s);
		test_particles_free(&all);
	}
	oz_world_destroy(w);
	return least;
}

// Edges of up to two spacings do not pass each other between their points. The opposite, which is a
// limit of faces: edges of four spacings do.
static void short_edges_do_not_cross(void **state)
{
	(void)state;
	static const double lengths[5] = {2, 4, 1.1, 1.5, 3};
	for (int eos = 0; eos < 2; eos++)
		for (int k = 0; k < (test_is_long() ? 5 : 2); k++) {
			const oz_pressure pressure =
			        eos ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
			const double least = cross_edges(pressure, lengths[k], 0.5);
			print_message("%s, edges of %.1f spacings: distance %.2f spacings\n",
			              eos ? "eos" : "incompressible", lengths[k], least);
			assert_true(lengths[k] <= 2 ? least > 0.3 : least < 0.1);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_face_holds_a_cube_on_a_slope),
	        cmocka_unit_test(short_edges_do_not_cross),
	        cmocka_unit_test(friction_of_faces_keeps_momentum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
