// test_elastic_beams.c: elastic solids against the theory of beams, bars and plates.
//
// Stretched bars give E and ν back; cantilevers bend as Timoshenko's, or the elastica where they
// bend far; bars swing with their natural frequencies; sheets and rods bend as plates and bars one
// spacing thick. Implicit steps with motion stopped whenever it slows down lead to rest.
#include "elastic.h"

#define CLAMPED 3 // layers that a handle holds

typedef struct beam {
	double across, spacing, length; // m; the width is that of y and z
	double young, poisson;
	double gravity; // m/s², along -y
	bool implicit;
	double time_step; // s; 0 adapts it
	oz_elasticity way;
	oz_strain strain;
	oz_fill fill;
} beam;

static beam slab(double across, int layers)
{
	return (beam){.across = across,
	              .spacing = across / layers,
	              .length = 5 * across,
	              .young = 1e5,
	              .poisson = 0.3,
	              .gravity = 0.05,
	              .implicit = true,
	              .time_step = 0.02};
}

// clamped for x < 0, free at x = length
static oz_world *clamp(const beam *b, const test_particles **rest)
{
	oz_world_def def = test_space_def(b->spacing);
	def.gravity.y = (float)-b->gravity;
	def.time_step = (float)b->time_step;
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(b->young, b->poisson);
	m.implicit = b->implicit;
	m.elasticity = b->way;
	m.strain = b->strain;
	const double half = 0.5 * b->across, root = -CLAMPED * b->spacing;
	const oz_shape box = test_box(vec_of(root, -half, -half), vec_of(b->length, half, half));
	test_add_elastic(w, &m, &box, b->fill, vec_of(0, 0, 0));
	test_add_handle(w, vec_of(root - 1, -1, -1), vec_of(0, 1, 1), NULL, 0, 1e9);
	static test_particles all;
	all = test_particles_read(w);
	*rest = &all;
	return w;
}

// mean displacement of the particles that rest in the last layer
static vec tip_of(oz_world *w, const test_particles *rest, double from)
{
	test_particles now = test_particles_read(w);
	vec sum = vec_of(0, 0, 0);
	uint32_t count = 0;
	for (uint32_t i = 0; i < now.count; i++)
		if (rest->at[i].x.x > from) {
			sum = vec_mad(sum, vec_sub(now.at[i].x, rest->at[i].x), 1);
			count++;
		}
	assert_true(count > 0);
	test_particles_free(&now);
	return vec_mad(vec_of(0, 0, 0), sum, 1.0 / count);
}

// m, Timoshenko's, at the middle of the last layer; clamped where the last held layer is
static double sag_of(const beam *b)
{
	const double a = b->across * b->across, I = a * a / 12, L = b->length + 0.5 * b->spacing;
	const double q = 1000 * b->gravity * a, x = b->length;
	const double G = 0.5 * b->young / (1 + b->poisson);
	const double k = 10 * (1 + b->poisson) / (12 + 11 * b->poisson);
	return q * x * x * (6 * L * L - 4 * L * x + x * x) / (24 * b->young * I) +
	       q * (L * x - 0.5 * x * x) / (k * G * a);
}

// of a tip that was let go: the mean over one swing, from top to top
static vec mean_tip(oz_world *w, const test_particles *rest, double from)
{
	vec sum = vec_of(0, 0, 0), tip = sum, before = sum;
	bool rises = false;
	for (uint32_t k = 0; k < 100000 && !(rises && tip.y < before.y); k++) {
		const double start = oz_world_time(w);
		test_step(w);
		before = tip;
		tip = tip_of(w, rest, from);
		rises = rises || (tip.y > before.y + 1e-9 && k > 100);
		sum = vec_mad(sum, tip, oz_world_time(w) - start);
	}
	return vec_mad(vec_of(0, 0, 0), sum, 1 / oz_world_time(w));
}

static double settled_sag(const beam *b)
{
	const test_particles *rest;
	oz_world *w = clamp(b, &rest);
	const double from = b->length - b->spacing;
	const uint32_t steps = b->implicit ? test_settle(w, 1e-6, 400) : 0;
	const vec tip = b->implicit ? tip_of(w, rest, from) : mean_tip(w, rest, from);
	const double ratio = -tip.y / sag_of(b);
	print_message("%2.0f across, E %g nu %g way %d strain %d fill %d %s: %u particles, %u "
	              "steps, "
	              "sag %.5g m, %.4f of theory; unsolved %u\n",
	              b->across / b->spacing, b->young, b->poisson, b->way, b->strain, b->fill,
	              b->implicit ? "implicit" : "explicit", oz_world_particle_count(w), steps,
	              -tip.y, ratio, test_count_events(w, OZ_EVENT_NOT_CONVERGED));
	test_particles_free((test_particles *)(uintptr_t)rest);
	oz_world_destroy(w);
	return ratio;
}

// the same of slab(0.1, layers), found once
static double slab_sag(int layers)
{
	enum { MOST = 14 };
	static double found[MOST + 1];
	assert_true(layers <= MOST);
	if (found[layers] == 0) {
		const beam b = slab(0.1, layers);
		found[layers] = settled_sag(&b);
	}
	return found[layers];
}

static void a_cantilever_sags_as_timoshenko_s(void **state)
{
	(void)state;
	test_near(slab_sag(10), 1, 0.02, "sag of a cantilever, over theory");
	beam b = slab(0.1, 10);
	b.strain = OZ_STRAIN_GREEN;
	test_near(settled_sag(&b), 1, 0.02, "sag with Green's strain");
	b = slab(0.1, 5);
	b.fill = OZ_FILL_BLUE_NOISE;
	test_near(settled_sag(&b), 1, 0.04, "sag of coarse blue noise");
	if (!test_is_long())
		return;
	b = slab(0.1, 10);
	b.way = OZ_ELASTIC_MLS;
	test_near(settled_sag(&b), 1, 0.05, "sag with moving least squares");
	b = slab(0.1, 10);
	b.fill = OZ_FILL_BLUE_NOISE;
	test_near(settled_sag(&b), 1, 0.02, "sag of blue noise");
	// nothing holds the clamped end together sideways: softer by two hundredths
	b = slab(0.1, 14);
	b.poisson = 0;
	test_near(settled_sag(&b), 1, 0.05, "sag without cross contraction");
}

static void a_cantilever_sags_alike_at_every_resolution(void **state)
{
	(void)state;
	static const int layers[] = {5, 8, 10, 14};
	// the others take ten times as long; that of 10 has a test of its own
	const size_t count = test_is_long() ? 4 : 2;
	for (size_t k = 0; k < count; k++)
		test_near(slab_sag(layers[k]), 1, 0.02, "sag of a cantilever, over theory");
}

static void explicit_and_implicit_steps_settle_alike(void **state)
{
	(void)state;
	beam b = slab(0.1, 5);
	const double solved = slab_sag(5);
	b.implicit = false;
	b.time_step = 0;
	test_near(settled_sag(&b), solved, 0.005 * solved, "sag by explicit steps");
}

// ---- the elastica ------------------------------------------------------------------------------

typedef struct bow {
	double x, y, slope; // of the end; dθ/ds there
} bow;

// EI θ'' = - q (L - s) cos θ from θ = 0, θ' = `bend`, by the midpoint rule
static bow shoot(double bend, double load, double length)
{
	const int parts = 4000;
	const double step = length / parts;
	double angle = 0, x = 0, y = 0;
	for (int k = 0; k < parts; k++) {
		const double s = (k + 0.5) * step, mid = angle + 0.5 * step * bend;
		const double curve = -load * (length - s) * cos(mid);
		x += step * cos(mid);
		y += step * sin(mid);
		angle += step * (bend + 0.5 * step * curve);
		bend += step * curve;
	}
	return (bow){x, y, bend};
}

// how far the end of a beam sinks under its own weight; `load` is q / EI
static bow elastica(double load, double length)
{
	double least = 0, most = load * length * length;
	for (int k = 0; k < 60; k++) {
		const double bend = 0.5 * (least + most);
		if (shoot(bend, load, length).slope > 0)
			most = bend;
		else
			least = bend;
	}
	return shoot(0.5 * (least + most), load, length);
}

static void a_slender_beam_bends_far_as_the_elastica(void **state)
{
	(void)state;
	beam b = slab(0.1, 6);
	b.length = 1.2;
	b.gravity = 0.3;
	const double EI = b.young * pow(b.across, 4) / 12;
	const double load = 1000 * b.gravity * b.across * b.across / EI;
	const test_particles *rest;
	oz_world *w = clamp(&b, &rest);
	test_settle(w, 1e-5, 800);
	const vec tip = tip_of(w, rest, b.length - b.spacing);
	const bow end = elastica(load, b.length);
	print_message("elastica: tip sinks %.4f m (theory %.4f of a length of %.1f), drawn in by "
	              "%.4f (theory %.4f)\n",
	              -tip.y, end.y, b.length, -tip.x, b.length - end.x);
	assert_true(end.y > 0.4 * b.length);
	test_near(-tip.y, end.y, 0.04 * end.y, "depth of a far bent tip");
	test_near(-tip.x, b.length - end.x, 0.03 * b.length, "way in of a far bent tip");
	test_particles_free((test_particles *)(uintptr_t)rest);
	oz_world_destroy(w);
}

// ---- stretched bars ----------------------------------------------------------------------------

typedef struct pulled {
	double young, poisson;
} pulled;

// in the middle third: strain along, and across from the outermost layers
static void strains_of(oz_world *w, const test_particles *rest, double length, double half,
                       double *along, double *across)
{
	test_particles now = test_particles_read(w);
	double xx = 0, xu = 0, yy = 0, yv = 0;
	for (uint32_t i = 0; i < now.count; i++) {
		const vec r = rest->at[i].x, u = vec_sub(now.at[i].x, r);
		if (fabs(r.x) > length / 6)
			continue;
		xx += r.x * r.x;
		xu += r.x * u.x;
		if (fabs(r.y) > half) {
			yy += r.y * r.y;
			yv += r.y * u.y;
		}
	}
	*along = xu / xx;
	*across = yv / yy;
	test_particles_free(&now);
}

// N, that the held end at x > from is pulled back with
static double held_force(oz_world *w, const test_particles *rest, double from)
{
	vec *pushes = test_elastic_forces(w);
	double sum = 0;
	for (uint32_t i = 0; i < rest->count; i++)
		if (rest->at[i].x.x > from)
			sum -= pushes[i].x * (double)oz_particle_mass(&w->sim, 0);
	free(pushes);
	return sum;
}

static pulled pull(double young, double poisson, double stretch, oz_elasticity way)
{
	const double s = 0.0125, L = 0.5, H = 0.1, grip = 3 * s;
	oz_world_def def = test_space_def(s);
	// of the time that sound takes through the bar
	def.time_step = (float)(0.1 * L / sqrt(young / 1000));
	def.threads = 1;
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(young, poisson);
	m.implicit = true;
	m.elasticity = way;
	const oz_shape box = test_box(vec_of(-L / 2, -H / 2, -H / 2), vec_of(L / 2, H / 2, H / 2));
	test_add_elastic(w, &m, &box, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_particles rest = test_particles_read(w);
	const float far = (float)(L / 2 + 0.5 - grip), time = 10 * def.time_step;
	const oz_keyframe frames[] = {{0, {far, 0, 0}, {0, 0, 0, 1}},
	                              {time, {far + (float)(stretch * L), 0, 0}, {0, 0, 0, 1}}};
	test_add_handle(w, vec_of(-L / 2 - 1, -1, -1), vec_of(-L / 2 + grip, 1, 1), NULL, 0, 1e9);
	test_add_handle(w, vec_of(L / 2 - grip, -1, -1), vec_of(L / 2 + 1 - grip, 1, 1), frames, 2,
	                1e9);
	test_steps(w, 12);
	const uint32_t steps = test_settle(w, 1e-5, 300);
	double along, across;
	strains_of(w, &rest, L, H / 2 - s, &along, &across);
	const double stress = held_force(w, &rest, L / 2 - grip) / (H * H);
	const pulled p = {stress / along / young, -across / along};
	print_message("pulled, E %g nu %.2f way %d: strain %.4f, E %.4f of it, nu %.4f, %u steps\n",
	              young, poisson, way, along, p.young, p.poisson, steps);
	test_particles_free(&rest);
	oz_world_destroy(w);
	return p;
}

static void a_pulled_bar_gives_young_s_modulus_and_poisson_s_ratio_back(void **state)
{
	(void)state;
	static const double youngs[] = {1e4, 1e6}, poissons[] = {0, 0.3, 0.45};
	for (int k = 0; k < 6; k++) {
		const double nu = poissons[k % 3];
		const pulled p = pull(youngs[k / 3], nu, 0.03, OZ_ELASTIC_CORRECTED);
		test_near(p.young, 1, 0.05, "Young's modulus, over the given");
		test_near(p.poisson, nu, 0.05 * fmax(nu, 0.3), "Poisson's ratio");
	}
	const pulled p = pull(1e5, 0.3, 0.03, OZ_ELASTIC_MLS);
	test_near(p.young, 1, 0.05, "Young's modulus, over the given, mls");
	test_near(p.poisson, 0.3, 0.015, "Poisson's ratio, mls");
}

// ---- natural frequencies -----------------------------------------------------------------------

// s, of a row of samples, from the times at which they cross zero
static double period_of(const double *value, const double *time, uint32_t count)
{
	double first = 0, last = 0;
	uint32_t crossed = 0;
	for (uint32_t k = 1; k < count; k++)
		if (value[k - 1] < 0 && value[k] >= 0) {
			const double t = time[k - 1] + (time[k] - time[k - 1]) * value[k - 1] /
			                                       (value[k - 1] - value[k]);
			first = crossed++ ? first : t;
			last = t;
		}
	assert_true(crossed > 1);
	return (last - first) / (crossed - 1);
}

typedef struct swing {
	oz_shape shape;
	vec (*start)(const void *context, vec from); // velocity
	double length, spacing;
} swing;

static double project(const test_particles *now, const test_particles *rest, const swing *s)
{
	double sum = 0;
	for (uint32_t i = 0; i < now->count; i++)
		sum += vec_dot(vec_sub(now->at[i].x, rest->at[i].x), s->start(s, rest->at[i].x));
	return sum;
}

enum { SAMPLES = 20000 };

typedef struct motion {
	double value[SAMPLES], time[SAMPLES]; // of one mode; s
	uint32_t count;
} motion;

// of a free body that begins at rest with velocities of one mode; `time_step`: of implicit steps,
// s; 0: explicit
static const motion *move_freely(const swing *s, double for_time, double time_step)
{
	static motion m;
	oz_world_def def = test_space_def(s->spacing);
	def.time_step = (float)time_step;
	oz_world *w = test_world(&def);
	oz_material_def rubber = test_elastic(1e5, 0.3);
	rubber.implicit = time_step > 0;
	test_add_elastic(w, &rubber, &s->shape, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_particles rest = test_particles_read(w);
	for (uint32_t i = 0; i < rest.count; i++)
		test_put_particle(w, i, rest.at[i].x, s->start(s, rest.at[i].x));
	m.count = 0;
	while (oz_world_time(w) < for_time && m.count < SAMPLES) {
		test_step(w);
		test_particles now = test_particles_read(w);
		m.value[m.count] = project(&now, &rest, s);
		m.time[m.count++] = oz_world_time(w);
		test_particles_free(&now);
	}
	test_particles_free(&rest);
	oz_world_destroy(w);
	return &m;
}

// s, the period of a free body
static double swing_freely(const swing *s, double for_time)
{
	const motion *m = move_freely(s, for_time, 0);
	return period_of(m->value, m->time, m->count);
}

static vec axial(const void *context, vec r)
{
	const swing *s = context;
	return vec_of(0.01 * sin(PI * r.x / s->length), 0, 0);
}

// the first mode of a free beam, even in x
static vec bending(const void *context, vec r)
{
	const swing *s = context;
	const double k = 4.730040744862704 / s->length, h = 0.5 * s->length;
	const double a = cosh(k * h), b = cos(k * h);
	const double slope = k * (sinh(k * r.x) / a - sin(k * r.x) / b);
	return vec_mad(vec_of(0, 0, 0),
	               vec_of(-r.y * slope, cosh(k * r.x) / a + cos(k * r.x) / b, 0), 0.005);
}

// of the mode's squared derivatives of that order, an odd one, and the one below, over the length
static double mode_ratio(double k, double length, int order)
{
	const double a = cosh(0.5 * k * length), b = cos(0.5 * k * length);
	const double side = order == 1 ? -1 : 1; // of the circular part, against the hyperbolic one
	double above = 0, below = 0;
	for (int i = 0; i < 2000; i++) {
		const double x = length * ((i + 0.5) / 2000 - 0.5);
		const double odd = k * (sinh(k * x) / a + side * sin(k * x) / b);
		const double even = cosh(k * x) / a - side * cos(k * x) / b;
		above += odd * odd;
		below += even * even;
	}
	return above / below;
}

static void a_free_bar_swings_along_with_its_natural_frequency(void **state)
{
	(void)state;
	const double L = 0.5, H = 0.08;
	const swing s = {oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)L, (float)H, (float)H}),
	                 axial, L, 0.01};
	// 2 L / c, with Rayleigh's lateral inertia: ν² π² (b² + c²) / 12 / (2 L²)
	const double theory =
	        2 * L / sqrt(1e5 / 1000) * (1 + 0.5 * 0.09 * PI * PI * (2 * H * H / 12) / (L * L));
	const double found = swing_freely(&s, 4.2 * theory);
	print_message("axial period %.5f s, theory %.5f, %.4f\n", found, theory, found / theory);
	test_near(found, theory, 0.05 * theory, "period of a bar, along");
}

static void a_free_bar_bends_with_its_natural_frequency(void **state)
{
	(void)state;
	const double L = 0.8, H = 0.08, k = 4.730040744862704 / L;
	const swing s = {oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)L, (float)H, (float)H}),
	                 bending, L, 0.01};
	// Euler's; rotary inertia and shear by Rayleigh's quotient over the mode
	const double r2 = H * H / 12, euler = 2 * PI / (k * k * sqrt(1e5 * r2 / 1000));
	const double shear = 2 * (12 + 11 * 0.3) / 10;
	const double theory =
	        euler * (1 + 0.5 * r2 * (mode_ratio(k, L, 1) + shear * mode_ratio(k, L, 3)));
	const double found = swing_freely(&s, 2.2 * euler);
	print_message("bending period %.5f s, Euler's %.5f, theory %.5f, %.4f\n", found, euler,
	              theory, found / theory);
	test_near(found, theory, 0.02 * theory, "period of a beam that bends");
}

// the widest of a swing from one time to another, s
static double width_of(const motion *m, double from, double to)
{
	double most = 0;
	for (uint32_t k = 0; k < m->count; k++)
		if (m->time[k] >= from && m->time[k] < to)
			most = fmax(most, fabs(m->value[k]));
	return most;
}

static void implicit_steps_keep_a_swing_as_explicit_ones_do(void **state)
{
	(void)state;
	const double L = 0.8, H = 0.08, period = 0.81;
	const swing s = {oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){(float)L, (float)H, (float)H}),
	                 bending, L, 0.02};
	// steps for each period; 0: explicit
	static const int steps[] = {0, 400, 100};
	for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
		const motion *m = move_freely(&s, 5 * period, steps[k] ? period / steps[k] : 0);
		const double found = period_of(m->value, m->time, m->count);
		const double kept = width_of(m, 4 * period, 5 * period) / width_of(m, 0, period);
		print_message("%d implicit steps in a period (0: explicit): period %.4f s, %.4f of "
		              "its width after four\n",
		              steps[k], found, kept);
		// steps of first order keep 0.94 and 0.78 of it in each period
		test_near(kept, 1, 0.02, "width of a swing after four periods, over the first");
		test_near(found, period, 0.02 * period, "period of a swing");
	}
}

// ---- sheets and rods ---------------------------------------------------------------------------

// tip of a sheet or rod 20 spacings long and one thick, over that of a plate or bar
static double thin_sag(oz_shape_kind kind, double poisson, double stiffer)
{
	const double s = 0.02, L = 20 * s, root = 3 * s, width = 10 * s;
	const bool sheet = kind == OZ_SHAPE_SHEET;
	const double D = stiffer * 1e6 * s * s * s / 12 / (sheet ? 1 - poisson * poisson : 1);
	oz_world_def def = test_space_def(s);
	def.time_step = 0.1f;
	// 5 % of the length; with less, rounding of places weighs as much as the load
	def.gravity.y = (float)(-0.05 * 8 * D / (1000 * s * L * L * L));
	oz_world *w = test_world(&def);
	oz_material_def m = test_elastic(1e6, poisson);
	m.implicit = true;
	m.bending = (float)stiffer;
	const float whole = (float)(L + root);
	oz_shape shape = oz_shape_make(kind, (oz_vec3){whole, whole, (float)width});
	shape.position.x = (float)(0.5 * (L - root));
	if (!sheet)
		shape.rotation = test_rotation(vec_of(0, 0, 1), -PI / 2);
	test_add_elastic(w, &m, &shape, OZ_FILL_LATTICE, vec_of(0, 0, 0));
	test_particles rest = test_particles_read(w);
	test_add_handle(w, vec_of(-1, -1, -1), vec_of(0, 1, 1), NULL, 0, 1e9);
	test_settle(w, 1e-6, 300);
	const double halfway = -tip_of(w, &rest, L - s).y;
	test_settle(w, 1e-6, 100);
	const double sag = -tip_of(w, &rest, L - s).y;
	// it bends from halfway between the last two held rows on: a row stands for the spacing
	// around it
	const double l = L + s, x = L + 0.5 * s, q = -1000 * s * (double)def.gravity.y;
	const double theory = q * x * x * (6 * l * l - 4 * l * x + x * x) / (24 * D);
	print_message("%s nu %.2f bending %g: %u particles, sag %.5g (before %.5g), %.4f of "
	              "theory; "
	              "unsolved %u\n",
	              sheet ? "sheet" : "rod", poisson, stiffer, rest.count, sag, halfway,
	              sag / theory, test_count_events(w, OZ_EVENT_NOT_CONVERGED));
	test_near(halfway, sag, 0.01 * sag, "sag at rest");
	test_particles_free(&rest);
	oz_world_destroy(w);
	return sag / theory;
}

static void sheets_and_rods_bend_as_if_one_spacing_thick(void **state)
{
	(void)state;
	test_near(thin_sag(OZ_SHAPE_ROD, 0.3, 1), 1, 0.1, "sag of a rod");
	test_near(thin_sag(OZ_SHAPE_SHEET, 0, 1), 1, 0.1, "sag of a sheet, no contraction");
	test_near(thin_sag(OZ_SHAPE_SHEET, 0.3, 1), 1, 0.1, "sag of a sheet");
	test_near(thin_sag(OZ_SHAPE_ROD, 0.3, 10), 1, 0.1, "sag of a rod ten times as stiff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pulled_bar_gives_young_s_modulus_and_poisson_s_ratio_back),
	        cmocka_unit_test(sheets_and_rods_bend_as_if_one_spacing_thick),
	        cmocka_unit_test(a_free_bar_swings_along_with_its_natural_frequency),
	        cmocka_unit_test(a_free_bar_bends_with_its_natural_frequency),
	        cmocka_unit_test(implicit_steps_keep_a_swing_as_explicit_ones_do),
	        cmocka_unit_test(a_cantilever_sags_as_timoshenko_s),
	        cmocka_unit_test(a_cantilever_sags_alike_at_every_resolution),
	        cmocka_unit_test(explicit_and_implicit_steps_settle_alike),
	        cmocka_unit_test(a_slender_beam_bends_far_as_the_elastica),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
