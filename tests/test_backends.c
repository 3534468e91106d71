// test_backends.c: a world lives on the processor or on an OpenCL device, and it is the same world.
//
// One step agrees to rounding. Many do not: rounding grows as it does between two runs of a real
// splash, so there only what is physics is held equal: how far, how fast, how dense, how many
// components. Each device repeats itself bit for bit, however many steps it is given at once, and
// goes on with what the other has saved.
#include "device/opencl/opencl.h"
#include "worlds.h"

#define SPACING   0.04f // m
#define DOMAIN    0.8   // m, the vessel's length
#define TIME_STEP 4e-4f // s, about half of what is stable

static const char *const devices[] = {"cpu", "opencl"};

// ---- worlds ------------------------------------------------------------------------------------

// two liquids, a nozzle, a ball on its way through the water
static oz_world *busy(void)
{
	oz_world *w = test_busy_dam(2, SPACING, NULL);
	w->sim.def.time_step = TIME_STEP;
	return w;
}

static oz_world *dam(void)
{
	oz_world *w = test_dam(2, SPACING, NULL);
	w->sim.def.time_step = TIME_STEP;
	return w;
}

// a column of water, two blended blocks that meet in front of it and merge, and a blended jet
static oz_world *blended(void)
{
	oz_world *w = dam();
	oz_material_def def = test_blend(0.7, 1200);
	def.update_steps = 20;
	const oz_id paste = test_add_material(w, &def);
	const oz_shape left = test_box(vec_of(-0.04, -0.2, -0.15), vec_of(0.12, 0, 0.1)),
	               right = test_box(vec_of(0.16, -0.1, -0.1), vec_of(0.36, 0.1, 0.1));
	test_add_thrown(w, paste, &left, vec_of(1, -2, 0));
	test_add_thrown(w, paste, &right, vec_of(-2, -2, 0));
	oz_emitter_def nozzle = oz_emitter_default(paste);
	nozzle.position = (oz_vec3){0.1f, 0.25f, 0};
	nozzle.radius = 0.06f;
	nozzle.speed = 2;
	nozzle.start = 0.05f;
	assert_int_equal(oz_world_add_emitter(w, &nozzle, NULL, NULL), OZ_OK);
	return w;
}

// a column of water that runs against SDF walls: a block, a shell, a ball that moves
static oz_world *sdf(void)
{
	oz_world *w = dam();
	test_sdfs(w);
	return w;
}

typedef oz_world *(*maker)(void);
static const maker makers[] = {busy, blended};

static oz_world *make_on(const char *device, maker make)
{
	assert_int_equal(setenv("OOZE_DEVICE", device, 1), 0);
	oz_world *w = make();
	assert_int_equal(unsetenv("OOZE_DEVICE"), 0);
	assert_string_equal(w->sim.device->ops->name, device);
	return w;
}

static oz_world *load_on(const char *device, const char *path)
{
	oz_world *w;
	oz_error error = {0};
	if (oz_world_load(path, device, 2, NULL, &w, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_string_equal(w->sim.device->ops->name, device);
	return w;
}

static void save(oz_world *w, const char *path)
{
	oz_error error = {0};
	if (oz_world_save(w, path, &error) != OZ_OK)
		fail_msg("%s", error.text);
}

// ---- one step ----------------------------------------------------------------------------------

// m/s, √ of the mean square
static double usual_speed(const test_particles *g)
{
	double sum = 0;
	for (uint32_t i = 0; i < g->count; i++)
		sum += vec_dot(g->at[i].v, g->at[i].v) / g->count;
	return sqrt(sum);
}

// Pressure is c² (ρ - ρ₀) + ζ dδ/dt, with the rate from the change of δ in one step and ζ = 4
// damping ρ₀ c h: the last digit of δ, 1.2e-7, is worth (Δt c² / h + 4 damping c) 1.2e-7, of which
// the second term is twice the first here: 0.7 µm/s, also where nothing flows yet. Sums of 40 terms
// in another order differ by up to two digits, and so do their neighbours. So speeds are held
// against at least three centimetres a second, of which 1e-4 are four digits.
static void expect_close(oz_world *a, oz_world *b)
{
	test_particles p = test_particles_read(a), q = test_particles_read(b);
	const double usual = fmax(usual_speed(&p), 0.03);
	assert_int_equal(p.count, q.count);
	for (uint32_t i = 0; i < p.count; i++) {
		const test_particle *m = &p.at[i], *n = &q.at[i];
		const double speed = fmax(vec_length(m->v), usual);
		assert_int_equal(m->id, n->id);
		assert_int_equal(m->body, n->body);
		test_near(vec_length(vec_sub(m->x, n->x)) / DOMAIN, 0, 1e-6, "way apart");
		test_near(vec_length(vec_sub(m->v, n->v)) / speed, 0, 1e-4, "speed apart");
		test_near(n->density / m->density, 1, 1e-4, "density over the other");
	}
	test_particles_free(&p);
	test_particles_free(&q);
}

// both begin at the same bits
static void expect_same_step(const char *path)
{
	oz_world *a = load_on("cpu", path), *b = load_on("opencl", path);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	const oz_step_report r = test_step(a), s = test_step(b);
	assert_int_equal(r.rebuilt, s.rebuilt);
	assert_int_equal(r.components, s.components);
	assert_true(r.time == s.time);
	test_near((double)s.max_speed, (double)r.max_speed, 1e-4 * (double)r.max_speed,
	          "the greatest speed");
	test_near((double)s.max_acceleration, (double)r.max_acceleration,
	          1e-3 * (double)r.max_acceleration, "the greatest acceleration");
	expect_close(a, b);
	oz_world_destroy(a);
	oz_world_destroy(b);
}

// from lists that are fresh, reused and just stale, with and without a look at the components
static void expect_same_steps(maker make)
{
	static const uint32_t after[] = {0, 1, 199, 420, 426, 433, 439, 440};
	oz_world *w = make_on("cpu", make);
	const uint32_t at_first = oz_world_particle_count(w);
	for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
		test_steps(w, after[k] - (uint32_t)oz_world_step_count(w));
		save(w, "step.ooze");
		expect_same_step("step.ooze");
	}
	assert_true(oz_world_particle_count(w) > at_first || make == sdf);
	oz_world_destroy(w);
}

static void one_step_of_a_busy_world_agrees(void **state)
{
	(void)state;
	expect_same_steps(busy);
}

static void one_step_of_blended_bodies_agrees(void **state)
{
	(void)state;
	expect_same_steps(blended);
}

static void one_step_among_sdf_walls_agrees(void **state)
{
	(void)state;
	expect_same_steps(sdf);
}

// ---- a thousand steps --------------------------------------------------------------------------

typedef struct outcome {
	double front;   // m, x that one particle in fifty has passed
	double energy;  // J, kinetic and potential
	double density; // kg/m³, mean
	double height;  // m, of the centre of mass
	uint32_t particles, components;
} outcome;

static int by_x(const void *a, const void *b)
{
	const double x = ((const test_particle *)a)->x.x, y = ((const test_particle *)b)->x.x;
	return (x > y) - (x < y);
}

static outcome outcome_of(oz_world *w)
{
	oz_stats stats;
	assert_int_equal(oz_world_stats(w, &stats, NULL), OZ_OK);
	test_particles all = test_particles_read(w);
	double density = 0;
	for (uint32_t i = 0; i < all.count; i++)
		density += all.at[i].density / all.count;
	qsort(all.at, all.count, sizeof *all.at, by_x);
	const outcome o = {.front = all.at[all.count - 1 - all.count / 50].x.x,
	                   .energy = stats.kinetic_energy + stats.potential_energy,
	                   .density = density,
	                   .height = stats.centre[1],
	                   .particles = all.count,
	                   .components = w->slots.components};
	test_particles_free(&all);
	return o;
}

static void run_steps(oz_world *w, uint32_t steps)
{
	oz_error error = {0};
	uint32_t taken;
	if (oz_world_run(w, INFINITY, steps, NULL, &taken, &error) != OZ_OK)
		fail_msg("%s", error.text);
	assert_int_equal(taken, steps);
}

// `scale` is an energy that the motion turns over
static void expect_alike(const outcome *a, const outcome *b, double scale)
{
	print_message("front %.4f %.4f m, energy %.4f %.4f of %.4f J, density %.3f %.3f, height "
	              "%.5f %.5f m, components %u %u\n",
	              a->front, b->front, a->energy, b->energy, scale, a->density, b->density,
	              a->height, b->height, a->components, b->components);
	assert_int_equal(a->particles, b->particles);
	assert_int_equal(a->components, b->components);
	test_near(b->front, a->front, 0.1 * (double)SPACING, "the front");
	test_near(b->energy, a->energy, 0.002 * scale, "the energy");
	test_near(b->density, a->density, 0.002 * a->density, "the mean density");
	test_near(b->height, a->height, 0.001, "the height of the centre");
}

// The column falls, runs along the floor and up the other wall. Rounding decides where single drops
// go, not the bulk: volume and energy hold that. On the processor alone, vectors of 4, 8 and 16
// floats end 0.01 spacings, 0.03 % of the energy and 0.04 % of the density apart; the bounds are
// five times that, and more.
static void expect_same_outcome(maker make, uint32_t steps)
{
	oz_world *w[2];
	outcome first, o[2];
	for (int d = 0; d < 2; d++)
		w[d] = make_on(devices[d], make);
	first = outcome_of(w[0]);
	for (int half = 0; half < 2; half++) {
		for (int d = 0; d < 2; d++) {
			run_steps(w[d], steps / 2);
			o[d] = outcome_of(w[d]);
		}
		// the weight times how far the column is high
		const double weight = GRAVITY * 1000 * pow((double)SPACING, 3) * first.particles;
		expect_alike(&o[0], &o[1], weight * 0.4);
	}
	for (int d = 0; d < 2; d++)
		oz_world_destroy(w[d]);
}

static void a_dam_that_breaks_ends_alike_after_a_thousand_steps(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	expect_same_outcome(dam, 1000);
}

static void blended_bodies_end_alike_after_a_thousand_steps(void **state)
{
	(void)state;
	TEST_LONG_ONLY;
	expect_same_outcome(blended, 1000);
}

static void water_among_sdf_walls_ends_alike_after_some_hundred_steps(void **state)
{
	(void)state;
	expect_same_outcome(sdf, 600);
}

// what walls bear is summed up on each device; none of them is left out
static void sdf_walls_bear_the_same(void **state)
{
	(void)state;
	oz_world *w[2];
	for (int d = 0; d < 2; d++) {
		w[d] = make_on(devices[d], sdf);
		// the water has reached the ball, too; in 50 steps rounding grows threefold: loads
		// of 50 steps are 1e-5 apart after 300, 0.4 % after 650, a tenth after 800
		run_steps(w[d], 600);
	}
	for (oz_id k = 1; k < oz_world_collider_count(w[0]); k++) {
		oz_load a, b;
		assert_int_equal(oz_world_take_load(w[0], k, &a, NULL), OZ_OK);
		assert_int_equal(oz_world_take_load(w[1], k, &b, NULL), OZ_OK);
		const vec p = {a.force[0], a.force[1], a.force[2]},
		          q = {b.force[0], b.force[1], b.force[2]};
		assert_true(vec_length(p) > 0.5);
		print_message("wall %u bears %.3f N, %.3f apart; work %.3f %.3f J\n", k,
		              vec_length(p), vec_length(vec_sub(p, q)), a.work, b.work);
		test_near(vec_length(vec_sub(p, q)), 0, 0.02 * vec_length(p), "forces apart");
		test_near(b.work, a.work, 0.02 * fabs(a.work), "the work of a wall");
	}
	for (int d = 0; d < 2; d++)
		oz_world_destroy(w[d]);
}

// ---- the same bits -----------------------------------------------------------------------------

static void each_device_repeats_itself(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		uint64_t hash[2];
		for (int again = 0; again < 2; again++) {
			oz_world *w = make_on(devices[k % 2], makers[k / 2]);
			test_steps(w, 350);
			hash[again] = oz_world_hash(w);
			oz_world_destroy(w);
		}
		assert_true(hash[0] == hash[1]);
	}
}

#define MANY_MOST 800u
#define MANY      (test_is_long() ? MANY_MOST : 500u)

static void expect_same_reports(const oz_step_report *a, const oz_step_report *b)
{
	for (uint32_t k = 0; k < MANY; k++) {
		assert_true(a[k].step == b[k].step && a[k].time == b[k].time);
		assert_int_equal(a[k].particles, b[k].particles);
		assert_int_equal(a[k].components, b[k].components);
		assert_int_equal(a[k].rebuilt, b[k].rebuilt);
		assert_true(a[k].max_speed == b[k].max_speed);
		assert_true(a[k].max_acceleration == b[k].max_acceleration);
		assert_true(a[k].max_compression == b[k].max_compression);
	}
}

// in pieces of all sizes, as a caller might
static void run_in_pieces(oz_world *w, oz_step_report *reports)
{
	static const uint32_t pieces[] = {1, 2, 31, 32, 33, 64, 7, 200};
	for (uint32_t done = 0, k = 0; done < MANY; k = (k + 1) % 8) {
		uint32_t most = pieces[k] < MANY - done ? pieces[k] : MANY - done, taken;
		oz_error error = {0};
		if (oz_world_run(w, INFINITY, most, reports + done, &taken, &error) != OZ_OK)
			fail_msg("%s", error.text);
		assert_int_equal(taken, most);
		done += taken;
	}
}

static void count_happenings(const oz_step_report *r, bool of_blends)
{
	uint32_t rebuilt = 0, poured = 0, joined = 0;
	for (uint32_t k = 1; k < MANY; k++) {
		rebuilt += r[k].rebuilt;
		poured += r[k].particles > r[k - 1].particles;
		joined += r[k].components < r[k - 1].components;
	}
	assert_in_range(rebuilt, 10, MANY - 10);
	assert_true(poured > 2);
	assert_int_equal(joined > 0, of_blends);
}

static void many_steps_at_once_are_the_same_as_one_by_one(void **state)
{
	(void)state;
	static oz_step_report one[MANY_MOST], many[MANY_MOST];
	for (int k = 0; k < 4; k++) {
		oz_world *a = make_on(devices[k % 2], makers[k / 2]);
		oz_world *b = make_on(devices[k % 2], makers[k / 2]);
		for (uint32_t s = 0; s < MANY; s++)
			one[s] = test_step(a);
		run_in_pieces(b, many);
		expect_same_reports(one, many);
		assert_true(oz_world_hash(a) == oz_world_hash(b));
		count_happenings(one, makers[k / 2] == blended);
		oz_world_destroy(a);
		oz_world_destroy(b);
	}
}

static void a_run_ends_at_its_time_and_says_how_many_steps_it_took(void **state)
{
	(void)state;
	const double until = 0.0402; // no multiple of the step
	for (int d = 0; d < 2; d++) {
		oz_world *a = make_on(devices[d], busy), *b = make_on(devices[d], busy);
		uint32_t taken = 0, steps = 0;
		assert_int_equal(oz_world_run(a, until, 10000, NULL, &taken, NULL), OZ_OK);
		for (; oz_world_time(b) < until; steps++)
			assert_int_equal(oz_world_step_until(b, until, NULL, NULL), OZ_OK);
		assert_true(oz_world_time(a) == until);
		assert_int_equal(taken, steps);
		assert_true(oz_world_hash(a) == oz_world_hash(b));
		oz_world_destroy(a);
		oz_world_destroy(b);
	}
}

static const oz_device_ops *true_ops;
static uint32_t reads;

static void counted_read(oz_device *device, void *host, const void *buffer, size_t offset,
                         size_t size)
{
	reads++;
	true_ops->read(device, host, buffer, offset, size);
}

// the host waits for a device whenever it reads from it
static uint32_t reads_of(oz_world *w, uint32_t at_once)
{
	true_ops = w->sim.device->ops;
	oz_device_ops counted = *true_ops;
	counted.read = counted_read;
	reads = 0;
	w->sim.device->ops = &counted;
	for (uint32_t done = 0; done < 320; done += at_once)
		run_steps(w, at_once);
	w->sim.device->ops = true_ops;
	return reads;
}

static void a_device_runs_ahead_of_the_host(void **state)
{
	(void)state;
	oz_world *a = make_on("opencl", dam), *b = make_on("opencl", dam);
	const uint32_t waits = reads_of(a, 320), singly = reads_of(b, 1);
	print_message("320 steps: %u waits at once, %u one by one\n", waits, singly);
	assert_true(singly >= 320);
	assert_true(waits < singly / 2);
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	oz_world_destroy(a);
	oz_world_destroy(b);
}

// ---- from one to the other ---------------------------------------------------------------------

// saved at an odd moment, when lists are half used up
static void go_on(maker make, const char *from, const char *to)
{
	oz_world *a = make_on(from, make);
	test_steps(a, 277);
	save(a, "there.ooze");
	oz_world *b = load_on(to, "there.ooze");
	assert_true(oz_world_hash(a) == oz_world_hash(b));
	test_steps(a, 150);
	test_steps(b, 150);
	if (strcmp(from, to) == 0) {
		assert_true(oz_world_hash(a) == oz_world_hash(b));
	} else {
		const outcome o = outcome_of(a), p = outcome_of(b);
		expect_alike(&o, &p, GRAVITY * 1000 * pow((double)SPACING, 3) * o.particles * 0.4);
	}
	oz_world_destroy(a);
	oz_world_destroy(b);
}

static void a_world_moves_to_another_device_and_goes_on(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		go_on(makers[k], "cpu", "opencl");
		go_on(makers[k], "opencl", "cpu");
	}
}

static void a_world_saved_and_loaded_there_goes_on_bit_for_bit(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++)
		go_on(makers[k], "opencl", "opencl");
}

// what one device has saved is the same file when the other saves it again
static void a_file_does_not_tell_where_it_was_written(void **state)
{
	(void)state;
	size_t size, other;
	oz_world *a = make_on("opencl", blended);
	test_steps(a, 150);
	save(a, "one.ooze");
	oz_world_destroy(a);
	oz_world *b = load_on("cpu", "one.ooze");
	save(b, "two.ooze");
	oz_world_destroy(b);
	oz_world *c = load_on("opencl", "two.ooze");
	save(c, "three.ooze");
	oz_world_destroy(c);
	char *one = test_read("one.ooze", &size), *three = test_read("three.ooze", &other);
	assert_int_equal(size, other);
	assert_memory_equal(one, three, size);
	free(one);
	free(three);
}

// ---- refusals ----------------------------------------------------------------------------------

static void expect_no_device(const char *address, oz_result code, const char *remedy)
{
	oz_world_def def = oz_world_default();
	oz_error error = {0};
	oz_world *w = (oz_world *)1;
	test_memory memory = {0};
	def.device = address;
	def.hooks = test_memory_hooks(&memory);
	assert_int_equal(oz_world_create(&def, &w, &error), code);
	assert_null(w);
	test_memory_is_empty(&memory);
	if (!strstr(error.text, address) || !strstr(error.text, remedy))
		fail_msg("'%s' or '%s' is not in: %s", address, remedy, error.text);
	if (strchr(error.text, '\n'))
		fail_msg("more than a sentence: %s", error.text);
}

static void devices_that_are_not_there_get_a_sentence(void **state)
{
	(void)state;
	static const char *const nonsense[] = {"gpu",       "opencl:x", "opencl:", "opencl:-1",
	                                       "opencl:0x", "opencl ",  "CPU",     "cpu:0"};
	for (size_t k = 0; k < sizeof nonsense / sizeof *nonsense; k++)
		expect_no_device(nonsense[k], OZ_ERROR_ARGUMENT, "ooze devices");
	expect_no_device("opencl:99", OZ_ERROR_DEVICE, "ooze devices");
	expect_no_device("opencl:4294967294", OZ_ERROR_DEVICE, "ooze devices");
	oz_world *w = make_on("cpu", dam), *other = (oz_world *)1;
	save(w, "dam.ooze");
	oz_world_destroy(w);
	assert_int_equal(oz_world_load("dam.ooze", "gpu", 1, NULL, &other, NULL),
	                 OZ_ERROR_ARGUMENT);
	assert_null(other);
}

static void devices_are_listed_with_what_they_are(void **state)
{
	(void)state;
	oz_device_info info[8];
	const uint32_t count = oz_devices(info, 8);
	assert_true(count > 0);
	assert_int_equal(oz_devices(NULL, 0), count);
	for (uint32_t k = 0; k < count && k < 8; k++) {
		oz_world_def def = oz_world_default();
		char address[16];
		snprintf(address, sizeof address, "opencl:%u", k);
		assert_string_equal(info[k].address, address);
		assert_true(info[k].name[0] && info[k].driver[0]);
		assert_true(info[k].memory > 1 << 20 && info[k].units > 0);
		def.device = info[k].address;
		oz_world *w = test_world(&def);
		assert_int_equal(oz_world_threads(w), info[k].units);
		oz_world_destroy(w);
	}
}

// a device of so many more bytes than are taken now
static void leave_memory(oz_world *w, uint64_t bytes)
{
	w->sim.device->info.memory = w->sim.device->device_bytes + bytes;
}

static void expect_full(oz_result result, const oz_error *error)
{
	assert_int_equal(result, OZ_ERROR_MEMORY);
	if (!strstr(error->text, "out of memory") || !strstr(error->text, "larger spacing"))
		fail_msg("no remedy in: %s", error->text);
}

// with more memory it goes on as if nothing had been
static void a_device_that_is_full_says_so_and_can_be_asked_again(void **state)
{
	(void)state;
	oz_world *w = make_on("opencl", blended), *calm = make_on("opencl", blended);
	const uint64_t all = w->sim.device->info.memory;
	static oz_vec3 points[20000];
	for (uint32_t i = 0; i < 20000; i++)
		points[i] = (oz_vec3){(float)(i % 100), (float)(i / 100), 5};
	oz_body_def body = oz_body_default();
	body.points = points;
	body.count = 20000;
	oz_error error = {0};
	leave_memory(w, 100000);
	expect_full(oz_world_add_body(w, &body, NULL, &error), &error);
	uint32_t refused = 0;
	for (int step = 0; step < 200; step++) {
		uint64_t spare = 0;
		for (leave_memory(w, spare); oz_world_step(w, NULL, &error) != OZ_OK; refused++) {
			expect_full(error.code, &error);
			spare += spare / 2 + 4000;
			leave_memory(w, spare);
		}
	}
	assert_true(refused > 20);
	w->sim.device->info.memory = all;
	test_steps(calm, 200);
	assert_true(oz_world_hash(w) == oz_world_hash(calm));
	oz_world_destroy(w);
	oz_world_destroy(calm);
}

static void more_than_any_device_has_is_refused(void **state)
{
	(void)state;
	oz_world *w = make_on("opencl", dam);
	const oz_device_ops *ops = w->sim.device->ops;
	const size_t before = w->sim.device->bytes;
	assert_null(ops->alloc(w->sim.device, SIZE_MAX));
	assert_null(ops->alloc(w->sim.device, SIZE_MAX / 2));
	assert_null(ops->alloc(w->sim.device, w->sim.device->info.memory + 1));
	assert_int_equal(w->sim.device->bytes, before);
	test_steps(w, 5);
	oz_world_destroy(w);
}

static void a_device_that_failed_moves_no_clock(void **state)
{
	(void)state;
	oz_world *w = make_on("opencl", busy);
	test_steps(w, 3);
	const double time = oz_world_time(w);
	oz_fail(&w->sim.device->failure, OZ_ERROR_DEVICE, "unplugged");
	for (int k = 0; k < 3; k++) {
		oz_error error = {0};
		uint32_t taken = 1;
		assert_int_equal(oz_world_run(w, INFINITY, 8, NULL, &taken, &error),
		                 OZ_ERROR_DEVICE);
		assert_string_equal(error.text, "unplugged");
		assert_int_equal(taken, 0);
		assert_true(oz_world_time(w) == time && oz_world_step_count(w) == 3);
	}
	// nothing is told that was read from it
	oz_event event;
	while (oz_world_next_event(w, &event))
		assert_int_not_equal(event.kind, OZ_EVENT_BODY_LEFT);
	assert_int_equal(oz_world_save(w, "unplugged.ooze", NULL), OZ_ERROR_DEVICE);
	oz_world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_device_that_failed_moves_no_clock),
	        cmocka_unit_test(one_step_of_a_busy_world_agrees),
	        cmocka_unit_test(one_step_of_blended_bodies_agrees),
	        cmocka_unit_test(one_step_among_sdf_walls_agrees),
	        cmocka_unit_test(water_among_sdf_walls_ends_alike_after_some_hundred_steps),
	        cmocka_unit_test(sdf_walls_bear_the_same),
	        cmocka_unit_test(a_dam_that_breaks_ends_alike_after_a_thousand_steps),
	        cmocka_unit_test(blended_bodies_end_alike_after_a_thousand_steps),
	        cmocka_unit_test(each_device_repeats_itself),
	        cmocka_unit_test(many_steps_at_once_are_the_same_as_one_by_one),
	        cmocka_unit_test(a_run_ends_at_its_time_and_says_how_many_steps_it_took),
	        cmocka_unit_test(a_device_runs_ahead_of_the_host),
	        cmocka_unit_test(a_world_moves_to_another_device_and_goes_on),
	        cmocka_unit_test(a_world_saved_and_loaded_there_goes_on_bit_for_bit),
	        cmocka_unit_test(a_file_does_not_tell_where_it_was_written),
	        cmocka_unit_test(devices_that_are_not_there_get_a_sentence),
	        cmocka_unit_test(devices_are_listed_with_what_they_are),
	        cmocka_unit_test(a_device_that_is_full_says_so_and_can_be_asked_again),
	        cmocka_unit_test(more_than_any_device_has_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
