// test_polymer.c: polymer solutions: the stress of Oldroyd-B, Giesekus and the corotational law.
//
// A rheometer, two cylinders of which the inner one turns and then stops, finds start-up, normal
// stress, relaxation and the laws' steady stresses. An impacting drop recoils where one of a
// Newtonian liquid does not.
#include "models/polymer/polymer.h"
#include "models/polymer/polymer_law.h"
#include "models/viscous/viscous.h"
#include "worlds.h"

static oz_material_def solution(double solvent, double modulus, double relaxation)
{
	oz_material_def def = oz_material_default(OZ_POLYMER);
	def.viscosity = (float)solvent;
	def.shear_modulus = (float)modulus;
	def.relaxation_time = (float)relaxation;
	return def;
}

// ---- the rheometer ----------------------------------------------------------------------------

enum { INNER = 8, GAP = 8, HIGH = 4 };
static const double s = 0.01; // m, spacing

typedef struct rheometer {
	oz_world *world;
	double high; // m
} rheometer;

// the inner cylinder rotates at `rate` until `stop`, then stands; floor and ceiling slip
static rheometer make_rheometer(const oz_material_def *def, double rate, double stop)
{
	static oz_vec3 points[8000];
	enum { KEYS = 200 };
	oz_world_def space = test_space_def(s);
	space.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
	space.threads = 0;
	rheometer r = {test_world(&space), 0};
	oz_keyframe keys[KEYS + 1];
	for (int k = 0; k <= KEYS; k++)
		keys[k] = (oz_keyframe){(float)(stop * k / KEYS),
		                        {0, 0, 0},
		                        test_rotation(vec_of(0, 1, 0), rate * stop * k / KEYS)};
	const float wide = (INNER + GAP) * (float)s, thin = INNER * (float)s;
	test_add_wall(r.world, oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){wide, 1, 0}), true, NULL,
	              0);
	test_add_wall(r.world, oz_shape_make(OZ_SHAPE_CYLINDER, (oz_vec3){thin, 1, 0}), false, keys,
	              KEYS + 1);
	for (int k = 0; k < 2; k++) {
		oz_collider_def plane =
		        oz_collider_default(oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}));
		plane.shape.position.y = (float)((k ? 0.5 : -0.5) * HIGH * s);
		if (k)
			plane.shape.rotation = test_rotation(vec_of(1, 0, 0), PI);
		plane.slip = true;
		test_add_collider(r.world, &plane);
	}
	oz_body_def body = oz_body_default();
	body.count = test_rings(s, INNER, GAP, HIGH, points);
	body.material = test_add_material(r.world, def);
	body.points = points;
	oz_error error;
	test_must(oz_world_add_body(r.world, &body, NULL, &error), &error);
	r.high = body.count * s / (PI * (wide * wide - thin * thin) / (s * s));
	return r;
}

// N·m for each metre of height on the inner cylinder of a Newtonian fluid
static double newtonian_torque(double viscosity, double rate)
{
	const double r1 = INNER * s, r2 = (INNER + GAP) * s;
	return 4 * PI * viscosity * rate / (1 / (r1 * r1) - 1 / (r2 * r2));
}

// 1/s, rate of shear at a radius where torque is proportional to it
static double shear_at(double r, double rate)
{
	const double r1 = INNER * s, r2 = (INNER + GAP) * s;
	return 2 * rate / (1 / (r1 * r1) - 1 / (r2 * r2)) / (r * r);
}

// the mean torque until a time, N·m for each metre
static double torque_until(rheometer *r, double time)
{
	test_load(r->world, 1);
	test_run_until(r->world, time);
	return -test_load(r->world, 1).torque[1] / r->high;
}

// strains in the directions of the flow (t) and of the radius (r)
typedef struct strain {
	double rt, tt, rr, yy, count;
} strain;

static strain strain_between(rheometer *r, double from, double to)
{
	const oz_world *w = r->world;
	const oz_polymers *p = oz_model_state(&w->sim, &oz_polymer_model);
	const uint32_t n = w->sim.particles.count;
	oz_float4 *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b),
	          *x = malloc(n * sizeof *x);
	memcpy(a, test_look(w, p->strain_a, n * sizeof *a), n * sizeof *a);
	memcpy(b, test_look(w, p->strain_b, n * sizeof *b), n * sizeof *b);
	memcpy(x, test_look(w, w->sim.particles.position, n * sizeof *x), n * sizeof *x);
	strain sum = {0};
	for (uint32_t i = 0; i < n; i++) {
		const double at = hypot((double)x[i].x, (double)x[i].z);
		if (at < from || at > to)
			continue;
		const double cx = (double)x[i].x / at, cz = (double)x[i].z / at;
		const double xx = (double)a[i].x, xz = (double)a[i].z, zz = (double)b[i].y;
		sum.rr += cx * cx * xx + 2 * cx * cz * xz + cz * cz * zz;
		sum.tt += cz * cz * xx - 2 * cx * cz * xz + cx * cx * zz;
		// the flow goes to (z, -x)
		sum.rt += cx * cz * xx + (cz * cz - cx * cx) * xz - cx * cz * zz;
		sum.yy += (double)a[i].w;
		sum.count++;
	}
	free(a);
	free(b);
	free(x);
	sum.rr /= sum.count;
	sum.tt /= sum.count;
	sum.rt /= sum.count;
	sum.yy /= sum.count;
	return sum;
}

static void explore(void **state)
{
	(void)state;
	const double lambda = 0.2, solvent = 100, modulus = 4500,
	             rate = getenv("RATE") ? atof(getenv("RATE")) : 4;
	oz_material_def def = solution(solvent, modulus, lambda);
	if (getenv("NEWTON")) {
		def.viscosity = 1000;
		def.shear_modulus = 1e-6f;
	}
	const char *law = getenv("LAW");
	if (law) {
		def.polymer_law = (oz_polymer_law)atoi(law);
		def.mobility = def.polymer_law == 1 ? 0.2f : 0;
	}
	rheometer r = make_rheometer(&def, rate, 1.2);
	const double whole = newtonian_torque(modulus * lambda, rate);
	for (int k = 1; k <= 20; k++) {
		const double t = 0.1 * k;
		const double torque = torque_until(&r, t);
		const double mid = 0.1 * k - 0.05;
		const double wanted =
		        mid < 1.2 ? 1 - exp(-mid / lambda) + solvent / (modulus * lambda)
		                  : (1 - exp(-1.2 / lambda)) * exp(-(mid - 1.2) / lambda);
		const strain at = strain_between(&r, 0.115, 0.125);
		const double g = shear_at(0.12, rate), e = exp(-t / lambda);
		if (k % 4 == 0) {
			test_particles all = test_particles_read(r.world);
			double sum[GAP] = {0}, num[GAP] = {0};
			for (uint32_t i = 0; i < all.count; i++) {
				vec x = all.at[i].x, v = all.at[i].v;
				double rr = hypot(x.x, x.z), vt = (v.x * x.z - v.z * x.x) / rr;
				int b = (int)(rr / s) - INNER;
				double a0 = -rate * INNER * INNER /
				            ((INNER + GAP) * (INNER + GAP) - INNER * INNER);
				double exact =
				        a0 * rr - a0 * (INNER + GAP) * (INNER + GAP) * s * s / rr;
				if (b >= 0 && b < GAP) {
					sum[b] += (vt - exact) / (rate * INNER * s);
					num[b]++;
				}
			}
			print_message("profile errors:");
			for (int b = 0; b < GAP; b++)
				print_message(" %.4f(%.0f)", sum[b] / num[b], num[b]);
			print_message("\n");
			test_particles_free(&all);
		}
		print_message("%.2f torque %.4f (%.4f)  rt %.4f (%.4f) N1 %.4f (%.4f) rr %.4f yy "
		              "%.4f steps %d rounds %u\n",
		              t, torque / whole, wanted, at.rt, -lambda * g * (1 - e),
		              at.tt - at.rr, 2 * lambda * lambda * g * g * (1 - e - t / lambda * e),
		              at.rr, at.yy, (int)r.world->sim.step, r.world->sim.report.rounds);
	}
	oz_world_destroy(r.world);
}

// ---- the drop ---------------------------------------------------------------------------------

static double width_above(oz_world *w, double spacing, double low)
{
	enum { SECTORS = 12 };
	double most[SECTORS] = {0}, sum = 0;
	test_particles all = test_particles_read(w);
	for (uint32_t i = 0; i < all.count; i++) {
		const vec x = all.at[i].x;
		if (x.y < low)
			continue;
		int k = (int)((atan2(x.z, x.x) / (2 * PI) + 0.5) * SECTORS) % SECTORS;
		most[k] = fmax(most[k], hypot(x.x, x.z));
	}
	for (int k = 0; k < SECTORS; k++)
		sum += most[k] / SECTORS;
	test_particles_free(&all);
	return 2 * sum + spacing;
}

static void explore_drop(void **state)
{
	(void)state;
	const double d = 0.02;
	const double across = getenv("ACROSS") ? atof(getenv("ACROSS")) : 20;
	oz_world_def def = oz_world_default();
	def.spacing = (float)(d / across);
	def.pressure = getenv("EOS") ? OZ_PRESSURE_EOS : OZ_PRESSURE_INCOMPRESSIBLE;
	if (getenv("SOUND"))
		def.sound_speed = (float)atof(getenv("SOUND"));
	if (getenv("CFL"))
		def.cfl = (float)atof(getenv("CFL"));
	oz_world *w = test_world(&def);
	oz_material_def drop = solution(0.4, 3.6 / 0.02, 0.02);
	if (getenv("NEWTON"))
		drop = solution(4, 0, 0.02);
	if (getenv("COH"))
		drop.cohesion = (float)atof(getenv("COH"));
	if (getenv("LAW")) {
		drop.polymer_law = (oz_polymer_law)atoi(getenv("LAW"));
		drop.mobility = drop.polymer_law == 1 ? 0.2f : 0;
	}
	test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), false, NULL, 0);
	oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){(float)(0.5 * d), 0, 0});
	ball.position.y = 0.04f;
	const oz_id m = test_add_material(w, &drop);
	oz_body_def body = oz_body_default();
	(void)body;
	if (getenv("TILT"))
		ball.rotation = test_rotation(vec_of(1, 0.37, 0.61), atof(getenv("TILT")));
	if (getenv("FILL")) {
		static oz_vec3 pts[40000];
		test_add_filled(w, m, &ball, (oz_fill)atoi(getenv("FILL")));
		(void)pts;
		test_particles all = test_particles_read(w);
		for (uint32_t i = 0; i < all.count; i++)
			test_put_particle(w, i, all.at[i].x, vec_of(0, -1, 0));
		test_particles_free(&all);
	} else
		test_add_thrown(w, m, &ball, vec_of(0, -1, 0));
	for (int k = 0; k <= 25; k++) {
		const double t = 0.2 * k;
		while (k && w->sim.time < t * d) {
			oz_step_report r = test_step(w);
			if (getenv("TRACE") && w->sim.time > atof(getenv("TRACE")) * d &&
			    w->sim.step % 5 == 0) {
				const oz_polymers *p = oz_model_state(&w->sim, &oz_polymer_model);
				const oz_particles *q = &w->sim.particles;
				double most = 0, fast = 0;
				uint32_t im = 0, jf = 0;
				for (uint32_t i = 0; i < q->count; i++) {
					double a = (double)(p->strain_a[i].x + p->strain_a[i].w +
					                    p->strain_b[i].y);
					double v = hypot(hypot((double)q->velocity[i].x,
					                       (double)q->velocity[i].y),
					                 (double)q->velocity[i].z);
					if (a > most) {
						most = a;
						im = i;
					}
					if (v > fast) {
						fast = v;
						jf = i;
					}
				}
				if (getenv("DUMP") && most > atof(getenv("DUMP"))) {
					const oz_viscous *vi =
					        oz_model_state(&w->sim, &oz_viscous_model);
					for (uint32_t i = 0; i < q->count; i++) {
						double rx = (double)(q->position[i].x -
						                     q->position[im].x) *
						            across / d,
						       ry = (double)(q->position[i].y -
						                     q->position[im].y) *
						            across / d,
						       rz = (double)(q->position[i].z -
						                     q->position[im].z) *
						            across / d;
						if (rx * rx + ry * ry + rz * rz < 4)
							print_message("n %6.3f %6.3f %6.3f  r %.3f "
							              "v %7.4f %7.4f %7.4f A %6.2f "
							              "%6.2f %6.2f %6.2f p %.0f "
							              "dens %.0f visc %.3g\n",
							              rx, ry, rz,
							              sqrt(rx * rx + ry * ry +
							                   rz * rz),
							              (double)(q->velocity[i].x -
							                       q->velocity[im].x),
							              (double)(q->velocity[i].y -
							                       q->velocity[im].y),
							              (double)(q->velocity[i].z -
							                       q->velocity[im].z),
							              (double)p->strain_a[i].x,
							              (double)p->strain_a[i].w,
							              (double)p->strain_b[i].y,
							              (double)p->strain_a[i].z,
							              (double)q->pressure[i],
							              (double)q->density[i],
							              (double)vi->drag[i].w);
					}
					exit(0);
				}
				print_message("trA %.3g at r %.3f y %.3f dens %.0f p %.0f A %.3g "
				              "%.3g %.3g  | v %.3g at r %.3f y %.3f trA %.3g dens "
				              "%.0f p %.0f\n",
				              most,
				              hypot((double)q->position[im].x,
				                    (double)q->position[im].z) /
				                      d,
				              (double)q->position[im].y / d, (double)q->density[im],
				              (double)q->pressure[im], (double)p->strain_a[im].x,
				              (double)p->strain_a[im].w, (double)p->strain_b[im].y,
				              fast,
				              hypot((double)q->position[jf].x,
				                    (double)q->position[jf].z) /
				                      d,
				              (double)q->position[jf].y / d,
				              (double)(p->strain_a[jf].x + p->strain_a[jf].w +
				                       p->strain_b[jf].y),
				              (double)q->density[jf], (double)q->pressure[jf]);
			}
			if (getenv("TRACE") && w->sim.time > atof(getenv("TRACE")) * d)
				print_message("%.6f dt %.3g rounds %u pr %u lim %d comp %.3g "
				              "%.3g\n",
				              w->sim.time / d, (double)r.time_step, r.rounds,
				              r.pressure_rounds, (int)r.limit,
				              (double)r.mean_compression,
				              (double)r.max_compression);
		}
		print_message("w1 %.4f w2 %.4f ", width_above(w, d / across, d / across) / d,
		              width_above(w, d / across, 2 * d / across) / d);
		print_message("dt %.2g pr %u lim %d ", (double)w->sim.report.time_step,
		              w->sim.report.pressure_rounds, (int)w->sim.report.limit);
		print_message("%.2f width %.4f height %.4f steps %d rounds %u p %u E %.3g top "
		              "%.2f\n",
		              t, width_above(w, d / across, -1) / d,
		              (test_height(w) + d / across) / d, (int)w->sim.step,
		              w->sim.report.rounds, w->sim.particles.count, test_kinetic_energy(w),
		              test_top_speed(w));
	}
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(explore),
	        cmocka_unit_test(explore_drop),
	};
	if (getenv("FILTER"))
		cmocka_set_test_filter(getenv("FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
