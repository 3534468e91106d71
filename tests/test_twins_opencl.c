// test_twins_opencl.c: every kernel of a real run gives on OpenCL what it gives on the CPU.
//
// The device of a world is wrapped: each launch runs on the CPU as ever, and once more on an OpenCL
// device with copies of what the buffers held before; what the kernel writes is compared. Buffer
// sizes come from the allocation hook.
#include <float.h>

#include "device/opencl/opencl.h"
#include "kernels/kernels.h"
#include "world/world.h"

#include "contact/components.cl"
#include "contact/slots.cl"
#include "device/probe.cl"
#include "models/elastic/elastic.cl"
#include "models/elastic/elastic.h"
#include "models/elastic/elastic_fit.cl"
#include "models/rigid/rigid.cl"
#include "particles/neighbours.cl"
#include "worlds.h"

// ---- sizes of buffers -------------------------------------------------------------------------

#define MAX_BLOCKS 512

static struct {
	void *at;
	size_t size;
} blocks[MAX_BLOCKS];

static void *tracked_alloc(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context;
	void *fresh = NULL;
	if (new_size) {
		fresh = aligned_alloc(64, (new_size + 63) / 64 * 64);
		assert_non_null(fresh);
		memset(fresh, 0, new_size);
		if (block)
			memcpy(fresh, block, old_size < new_size ? old_size : new_size);
	}
	for (int k = 0; k < MAX_BLOCKS && block; k++)
		if (blocks[k].at == block)
			blocks[k].at = NULL;
	free(block);
	for (int k = 0; k < MAX_BLOCKS && fresh; k++)
		if (!blocks[k].at) {
			blocks[k].at = fresh;
			blocks[k].size = new_size;
			return fresh;
		}
	// one whose size is not known would be compared with nothing
	assert_null(fresh);
	return fresh;
}

static size_t size_of_block(const void *at)
{
	for (int k = 0; k < MAX_BLOCKS; k++)
		if (blocks[k].at == at && at)
			return blocks[k].size;
	return 0;
}

// ---- a launch, twice --------------------------------------------------------------------------

static oz_heap heap;
static oz_device *cl;
static uint32_t launches[256]; // of the engine's kernels, by number

static int set_up(void **state)
{
	(void)state;
	oz_error error = {0};
	// the worlds live on the processor, whatever the environment says
	setenv("OOZE_DEVICE", "cpu", 1);
	oz_heap_init(&heap, NULL);
	if (oz_device_opencl(&heap, 0, &cl, &error) == OZ_OK)
		return 0;
	print_error("%s\n", error.text);
	return 1;
}

static int tear_down(void **state)
{
	(void)state;
	oz_device_destroy(cl);
	return heap.bytes != 0;
}

// an empty table still needs a buffer
static void *upload(const void *host)
{
	const size_t size = size_of_block(host);
	void *buffer = cl->ops->alloc(cl, size ? size : 64);
	assert_non_null(buffer);
	cl->ops->write(cl, buffer, 0, host, size);
	return buffer;
}

static void drop(void *buffer, const void *host)
{
	const size_t size = size_of_block(host);
	cl->ops->release(cl, buffer, size ? size : 64);
}

// the arguments of a launch with buffers of the other device
typedef struct twin {
	_Alignas(16) char args[1024];
	void *buffers[OZ_KERNEL_ARGS], *hosts[OZ_KERNEL_ARGS];
	oz_lists lists;
} twin;

static twin prepare(const oz_kernel *kernel, const char *args, const oz_lists *lists)
{
	const oz_kernel_arg *arg = kernel->args;
	twin t = {0};
	size_t offset = 0;
	for (int k = 0; arg[k].name; k++) {
		offset = oz_kernel_arg_offset(&arg[k], offset);
		assert_true(offset + arg[k].size <= sizeof t.args);
		memcpy(t.args + offset, args + offset, arg[k].size);
		if (arg[k].is_buffer) {
			memcpy(&t.hosts[k], args + offset, sizeof(void *));
			t.buffers[k] = upload(t.hosts[k]);
			memcpy(t.args + offset, &t.buffers[k], sizeof(void *));
		}
		offset += arg[k].size;
	}
	if (lists) {
		t.lists = *lists;
		t.lists.list = upload(lists->list);
		t.lists.start = upload(lists->start);
		t.lists.count = upload(lists->count);
	}
	return t;
}

static void expect_same_numbers(const oz_kernel *s, const oz_kernel_arg *a, const uint32_t *cpu,
                                const uint32_t *gpu, size_t count)
{
	for (size_t k = 0; k < count; k++)
		if (cpu[k] != gpu[k])
			fail_msg("%s: %s[%zu] is %u on OpenCL, %u on the CPU", s->name, a->name, k,
			         gpu[k], cpu[k]);
}

// 1e-4 of the largest: sums of 30 terms in another order, square roots to a few ulp
static void expect_near_floats(const oz_kernel *s, const oz_kernel_arg *a, const float *cpu,
                               const float *gpu, size_t count)
{
	// what a temperature rounds away is as exact as the temperature, of some degrees at least
	float largest = strcmp(a->name, "temperature_residual") == 0 ? 0.1f : 0;
	// the difference of two frictions is as exact as these, some mm/s
	if (strcmp(s->name, "rigid_grip") == 0)
		largest = 1e-3f;
	for (size_t k = 0; k < count; k++)
		largest = fmaxf(largest, fabsf(cpu[k]));
	// what holds bits of another kind may read as no number
	for (size_t k = 0; k < count; k++)
		if (memcmp(&cpu[k], &gpu[k], sizeof *cpu) != 0 &&
		    !(fabsf(cpu[k] - gpu[k]) <= 1e-4f * largest + FLT_MIN))
			fail_msg("%s: %s float %zu is %g on OpenCL, %g on the CPU", s->name,
			         a->name, k, (double)gpu[k], (double)cpu[k]);
}

// sums of four kinds, each with its own largest value
static void expect_near_sums(const oz_kernel *s, const oz_kernel_arg *a, const float *cpu,
                             const float *gpu, size_t count)
{
	float *parts = malloc(sizeof *parts * (2 * count + 1));
	assert_non_null(parts);
	for (size_t c = 0; c < 4; c++) {
		for (size_t k = 0; k < count; k++) {
			parts[k] = cpu[4 * k + c];
			parts[count + k] = gpu[4 * k + c];
		}
		expect_near_floats(s, a, parts, parts + count, count);
	}
	free(parts);
}

// B - 1 of set.cl, where B is about 1: within 4e-6, a few digits of B. The weight of a pair is
// rounded to 11 bits (elastic_pair.h); few are half way between two values, and there the devices
// may differ by 2⁻¹¹ of the weight, which changes B by at most that.
static void expect_near_sets(const oz_kernel *s, const oz_kernel_arg *a, const float *cpu,
                             const float *gpu, size_t count)
{
	size_t others = 0;
	for (size_t k = 0; k < count; k++) {
		const double apart = fabs((double)cpu[k] - (double)gpu[k]);
		if (!(apart <= 1.0 / 2048))
			fail_msg("%s: %s float %zu is %g on OpenCL, %g on the CPU", s->name,
			         a->name, k, (double)gpu[k], (double)cpu[k]);
		others += apart > 4e-6;
	}
	if (others > count / 100)
		fail_msg("%s: %zu of %zu floats of %s differ", s->name, others, count, a->name);
}

// equivalent distances are rounded to whole units, and a node may be half way between two
static void expect_near_wall_nodes(const oz_kernel *s, const oz_wall_node *cpu,
                                   const oz_wall_node *gpu, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		const oz_vec3 p = oz_wall_node_unpack_slope(cpu[k].slope),
		              q = oz_wall_node_unpack_slope(gpu[k].slope);
		const float depth = oz_wall_node_unpack_equivalent(cpu[k].level) -
		                    oz_wall_node_unpack_equivalent(gpu[k].level);
		const float distance = oz_wall_node_unpack_distance(cpu[k].level) -
		                       oz_wall_node_unpack_distance(gpu[k].level);
		if (fabsf(depth) > 1 || fabsf(distance) > 1 || fabsf(p.x - q.x) > 1 ||
		    fabsf(p.y - q.y) > 1 || fabsf(p.z - q.z) > 1)
			fail_msg("%s: node %zu is %x %x on OpenCL, %x %x on the CPU", s->name, k,
			         gpu[k].level, gpu[k].slope, cpu[k].level, cpu[k].slope);
	}
}

// the largest of sums at `first` of a reaction, and how far the others are apart at most
static double compare_sums(const oz_reaction *cpu, const oz_reaction *gpu, size_t count, int first,
                           int sums, double *apart)
{
	double largest = 0;
	for (size_t k = 0; k < count * (size_t)sums; k++) {
		const size_t slot = k / (size_t)sums, at = (size_t)first + k % (size_t)sums;
		const oz_sum *p = (const oz_sum *)&cpu[slot] + at,
		             *q = (const oz_sum *)&gpu[slot] + at;
		const double on_cpu = (double)(int64_t)oz_sum_get(*p);
		largest = fmax(largest, fabs(on_cpu));
		*apart = fmax(*apart, fabs(on_cpu - (double)(int64_t)oz_sum_get(*q)));
	}
	return largest;
}

// sums of integers of rounded vectors; linear and torque have their own largest value
static void expect_near_rigid_sums(const oz_kernel *s, const oz_rigid_sums *cpu,
                                   const oz_rigid_sums *gpu, size_t count)
{
	for (int part = 0; part < 2; part++) {
		double largest = 0, apart = 0;
		for (size_t k = 0; k < 3 * count; k++) {
			const oz_rigid_sums *p = &cpu[k / 3], *q = &gpu[k / 3];
			const oz_sum a = part ? p->torque[k % 3] : p->linear[k % 3],
			             b = part ? q->torque[k % 3] : q->linear[k % 3];
			const double on_cpu = (double)(int64_t)oz_sum_get(a);
			largest = fmax(largest, fabs(on_cpu));
			apart = fmax(apart, fabs(on_cpu - (double)(int64_t)oz_sum_get(b)));
		}
		if (apart > 1e-4 * largest + 1e4)
			fail_msg("%s: %s of rigid bodies are %g of %g apart", s->name,
			         part ? "torques" : "sums", apart, largest);
	}
}

static void expect_near_reactions(const oz_kernel *s, const oz_reaction *cpu,
                                  const oz_reaction *gpu, size_t count)
{
	double force = 0, torque = 0, work = 0;
	const double most = compare_sums(cpu, gpu, count, 0, 3, &force);
	const double turn = compare_sums(cpu, gpu, count, 3, 3, &torque);
	const double done = compare_sums(cpu, gpu, count, 6, 1, &work);
	// a push times the speed of a wall is as exact as the push, also where the wall is slow
	if (force > 1e-5 * most || torque > 1e-5 * turn || work > 1e-5 * (most + done))
		fail_msg("%s: forces are %g of %g apart, torques %g of %g, work %g of %g", s->name,
		         force, most, torque, turn, work, done);
}

// who hangs under whom while sets are joined depends on who comes first; their roots, which later
// kernels read, do not
static bool is_undecided(const oz_kernel *kernel, const oz_kernel_arg *a)
{
	return (kernel == &oz_kernel_component_join_touching ||
	        kernel == &oz_kernel_component_link) &&
	       strcmp(a->name, "parent") == 0;
}

static bool is_of_floats(const oz_kernel_arg *a)
{
	return strcmp(a->type, "float") == 0 || strcmp(a->type, "oz_vec3") == 0 ||
	       strcmp(a->type, "oz_float4") == 0 || strcmp(a->type, "oz_extremes") == 0 ||
	       strcmp(a->type, "oz_measured") == 0 || strcmp(a->type, "oz_membrane_sums") == 0;
}

static void compare(const oz_kernel *kernel, const twin *t)
{
	const oz_kernel *s = kernel;
	for (int k = 0; s->args[k].name; k++) {
		const size_t size = size_of_block(t->hosts[k]);
		if (!s->args[k].is_written || size == 0 || is_undecided(kernel, &s->args[k]))
			continue;
		void *gpu = malloc(size);
		assert_non_null(gpu);
		cl->ops->read(cl, gpu, t->buffers[k], 0, size);
		if (cl->failure.code != OZ_OK)
			fail_msg("%s", cl->failure.text);
		if (strcmp(s->args[k].type, "oz_wall_node") == 0)
			expect_near_wall_nodes(s, t->hosts[k], gpu, size / sizeof(oz_wall_node));
		else if (strcmp(s->args[k].type, "oz_reaction") == 0)
			expect_near_reactions(s, t->hosts[k], gpu, size / sizeof(oz_reaction));
		else if (strcmp(s->args[k].type, "oz_rigid_sums") == 0)
			expect_near_rigid_sums(s, t->hosts[k], gpu, size / sizeof(oz_rigid_sums));
		else if (strcmp(s->name, "set_update") == 0)
			expect_near_sets(s, &s->args[k], t->hosts[k], gpu, size / 4);
		else if (strcmp(s->args[k].type, "press_sums") == 0)
			expect_near_sums(s, &s->args[k], t->hosts[k], gpu, size / 16);
		else if (is_of_floats(&s->args[k]))
			expect_near_floats(s, &s->args[k], t->hosts[k], gpu, size / 4);
		else
			expect_same_numbers(s, &s->args[k], t->hosts[k], gpu, size / 4);
		free(gpu);
	}
}

static void release(const oz_kernel *kernel, twin *t, const oz_lists *lists)
{
	for (int k = 0; kernel->args[k].name; k++)
		if (t->buffers[k])
			drop(t->buffers[k], t->hosts[k]);
	if (lists) {
		drop((void *)(uintptr_t)t->lists.list, lists->list);
		drop((void *)(uintptr_t)t->lists.start, lists->start);
		drop((void *)(uintptr_t)t->lists.count, lists->count);
	}
}

static const oz_device_ops *cpu_ops;

static void launch_twice(oz_device *device, const oz_kernel *kernel, uint32_t count,
                         const void *args, const oz_lists *lists)
{
	// special versions have no twin: test_neighbours and blocks_change_no_force compare them
	if (kernel->way == OZ_WAY_CPU) {
		cpu_ops->launch(device, kernel, count, args, lists);
		return;
	}
	launches[kernel->number]++;
	twin t = prepare(kernel, args, lists);
	cpu_ops->launch(device, kernel, count, args, lists);
	cl->ops->launch(cl, kernel, count, t.args, lists ? &t.lists : NULL);
	compare(kernel, &t);
	release(kernel, &t, lists);
}

// ---- worlds -----------------------------------------------------------------------------------

static oz_world *reload(oz_world *plain)
{
	const oz_hooks hooks = {.alloc = tracked_alloc};
	oz_world *w = NULL;
	assert_int_equal(oz_world_save(plain, "busy.ooze", NULL), OZ_OK);
	oz_world_destroy(plain);
	assert_int_equal(oz_world_load("busy.ooze", NULL, 1, &hooks, &w, NULL), OZ_OK);
	return w;
}

static oz_world *make_fluid_world(void)
{
	// more than one group of particles
	oz_world *plain = test_busy_dam(1, 0.032f, NULL);
	test_steps(plain, 150);
	return reload(plain);
}

// a blended block, soft on one side
static void add_block(oz_world *w, float alpha, float x, bool paper)
{
	oz_material_def def = oz_material_default(OZ_BLEND);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.2f, 0.16f, 0.16f});
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	def.alpha = alpha;
	def.paper = paper;
	def.update_steps = 3;
	box.position = (oz_vec3){x, 0.1f, 0};
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_HEXAGONAL, &points, &body.count, NULL),
	                 OZ_OK);
	float *alphas = malloc(sizeof *alphas * body.count);
	assert_non_null(alphas);
	for (uint32_t i = 0; i < body.count; i++)
		alphas[i] = points[i].x < x ? alpha : 0.5f * alpha;
	body.points = points;
	body.velocity = (oz_vec3){x < 0 ? 2.0f : -2.0f, -2, 0};
	body.alphas = paper ? NULL : alphas;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
	free(alphas);
}

// a block that melts as it is heated, in a region that reaches beyond it
static void add_warm_block(oz_world *w)
{
	oz_material_def def = oz_material_default(OZ_BLEND);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.16f, 0.12f, 0.16f});
	oz_region_def region =
	        oz_region_default(oz_shape_make(OZ_SHAPE_CAPSULE, (oz_vec3){0.15f, 0.1f, 0}));
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	def.alpha = 0.2f;
	def.conductivity = 300;
	def.melting_point = 30;
	def.latent_heat = 4000;
	body.temperature = 25;
	region.shape.rotation = (oz_quat){0.6f, 0, 0, 0.8f};
	region.shape.position.x = 0.05f;
	region.temperature = 90;
	region.rate = 3;
	assert_int_equal(oz_world_add_material(w, &def, &body.material, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &body.count, NULL),
	                 OZ_OK);
	body.points = points;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	assert_int_equal(oz_world_add_region(w, &region, NULL, NULL), OZ_OK);
	oz_points_free(points);
}

static oz_world *make_blend_world(void)
{
	oz_world *plain = test_busy_dam(1, 0.04f, NULL);
	add_block(plain, 0.6f, -0.16f, false);
	add_block(plain, 0.9f, 0.16f, true);
	add_warm_block(plain);
	// in steps 48 to 54 the blocks meet and change their rest shapes
	test_steps(plain, 47);
	oz_world *w = reload(plain);
	// some are in, some are out, and step 64 looks
	w->sim.def.bounds_max.x = 0.1f;
	return w;
}

// ---- solids -----------------------------------------------------------------------------------

static void add_solid(oz_world *w, const oz_material_def *def, oz_shape shape, oz_vec3 position,
                      float temperature)
{
	oz_body_def body = oz_body_default();
	oz_vec3 *points;
	shape.position = position;
	body.temperature = temperature;
	body.spin = (oz_vec3){1, -2, 3};
	body.velocity = (oz_vec3){0.5f, -1, 0};
	assert_int_equal(oz_world_add_material(w, def, &body.material, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&shape, 0.04f, OZ_FILL_LATTICE, &points, &body.count, NULL),
	                 OZ_OK);
	body.points = points;
	assert_int_equal(oz_world_add_body(w, &body, NULL, NULL), OZ_OK);
	oz_points_free(points);
}

// one block for each elasticity, strain and way to step, in three rows that fall on each other
static void add_blocks(oz_world *w)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.16f, 0.16f, 0.12f});
	for (int k = 0; k < 2 * 2 * OZ_ELASTIC_COUNT; k++) {
		oz_material_def def = oz_material_default(OZ_COROTATED);
		def.elasticity = (oz_elasticity)(k % OZ_ELASTIC_COUNT);
		def.strain = (oz_strain)(k / OZ_ELASTIC_COUNT % OZ_STRAIN_COUNT);
		def.implicit = k >= 2 * OZ_ELASTIC_COUNT;
		def.young_modulus = def.implicit ? 1e6f : 5e4f;
		const oz_vec3 place = {-0.31f + 0.2f * (float)(k % 4),
		                       -0.2f + 0.18f * (float)(k / 4), 0.05f};
		add_solid(w, &def, box, place, 20);
	}
}

static void add_thin_ones(oz_world *w)
{
	const oz_material_def def = oz_material_default(OZ_COROTATED);
	add_solid(w, &def, oz_shape_make(OZ_SHAPE_SHEET, (oz_vec3){0.24f, 0, 0.2f}),
	          (oz_vec3){-0.2f, 0.55f, 0}, 20);
	add_solid(w, &def, oz_shape_make(OZ_SHAPE_ROD, (oz_vec3){0, 0.4f, 0}),
	          (oz_vec3){0.2f, 0.7f, 0}, 20);
}

// a layer behind the blocks
static void add_water(oz_world *w)
{
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 0.32f, 0.16f});
	oz_vec3 *points;
	uint32_t count;
	box.position = (oz_vec3){0, -0.14f, -0.12f};
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &count, NULL), OZ_OK);
	test_add_points(w, test_water(w), points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

// beside elastic ones a blend has lists of its own
static void add_jelly(oz_world *w)
{
	const oz_material_def def = oz_material_default(OZ_BLEND);
	oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f});
	oz_vec3 *points;
	uint32_t count;
	oz_id jelly;
	box.position = (oz_vec3){-0.3f, 1.5f, 0};
	assert_int_equal(oz_world_add_material(w, &def, &jelly, NULL), OZ_OK);
	assert_int_equal(oz_shape_fill(&box, 0.04f, OZ_FILL_LATTICE, &points, &count, NULL), OZ_OK);
	test_add_points(w, jelly, points, count, (oz_vec3){0, 0, 0});
	oz_points_free(points);
}

static const oz_vec3 solid_place = {-0.2f, 0.8f, 0}, melt_place = {0.2f, 1.2f, 0};

// one that is solid, and one that is hot enough to be molten at once
static void add_waxes(oz_world *w)
{
	const oz_shape box = oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.24f, 0.2f, 0.2f});
	oz_material_def def = oz_material_default(OZ_COROTATED);
	def.conductivity = 100;
	def.melting_point = 50;
	def.latent_heat = 1000;
	add_solid(w, &def, box, solid_place, 20);
	def.implicit = true;
	add_solid(w, &def, box, melt_place, 90);
}

static void add_place(oz_world *w, oz_vec3 at, float radius, float temperature, float start)
{
	oz_region_def def =
	        oz_region_default(oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){radius, 0, 0}));
	def.shape.position = at;
	def.temperature = temperature;
	def.rate = 1e4f;
	def.start = start;
	assert_int_equal(oz_world_add_region(w, &def, NULL, NULL), OZ_OK);
}

// what falls has come this far
static oz_vec3 fallen(oz_vec3 from, float time)
{
	return (oz_vec3){from.x + 0.5f * time, from.y - time - 4.905f * time * time, from.z};
}

static oz_world *make_solid_world(void)
{
	oz_world_def def = oz_world_default();
	def.spacing = 0.04f;
	def.threads = 1;
	def.time_step = 2e-4f;
	oz_world *plain = test_world(&def);
	oz_collider_def vessel =
	        oz_collider_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.8f, 2, 0.4f}));
	vessel.inside = true;
	vessel.shape.position.y = 0.7f;
	assert_int_equal(oz_world_add_collider(plain, &vessel, NULL, NULL), OZ_OK);
	add_water(plain);
	add_blocks(plain);
	add_thin_ones(plain);
	add_jelly(plain);
	add_waxes(plain);
	test_steps(plain, 40);
	const float now = (float)oz_world_time(plain), later = now + 12 * 2e-4f;
	// half of the first melts; a core of the second freezes, and then what is around it
	oz_vec3 hot = fallen(solid_place, now), cold = fallen(melt_place, now);
	hot.x -= 0.15f;
	add_place(plain, hot, 0.15f, 120, 0);
	add_place(plain, cold, 0.06f, 0, 0);
	add_place(plain, cold, 0.12f, 0, later);
	return reload(plain);
}

static oz_id grip_sheet(oz_world *w)
{
	oz_handle_def def =
	        oz_handle_default(oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.1f, 0.4f, 0.6f}));
	def.shape.position = (oz_vec3){-0.3f, 0.55f, 0};
	def.shape.rotation = (oz_quat){0, 0.28f, 0, 0.96f};
	oz_id id = OZ_NONE;
	oz_error error = {0};
	if (oz_world_add_handle(w, &def, &id, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return id;
}

static uint32_t count_molten(oz_world *w)
{
	uint32_t molten = 0;
	for (uint32_t k = 0; k < w->slots.count; k++)
		molten += w->slots.shapeless[k];
	return molten;
}

// all that is launched from here on is compared
static void begin_twice(oz_world *w)
{
	static oz_device_ops ops;
	ops = *w->sim.device->ops;
	cpu_ops = w->sim.device->ops;
	ops.launch = launch_twice;
	w->sim.device->ops = &ops;
}

static void step_twice(oz_world *w, uint32_t steps)
{
	begin_twice(w);
	w->sim.neighbours.valid = false;
	test_steps(w, steps);
}

static void every_launch_of_a_step_gives_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = make_fluid_world();
	step_twice(w, 5);
	// what the CPU does in its own way is launched here for the comparison
	oz_particles *p = &w->sim.particles;
	oz_neighbours *n = &w->sim.neighbours;
	oz_device *d = w->sim.device;
	const uint32_t cells = 1u << (n->grid.bits_x + n->grid.bits_y + n->grid.bits_z);
	const size_t size = sizeof(uint) * p->count, hits_size = sizeof(uint64_t) * 9 * p->count;
	uint *count = d->ops->alloc(d, size), *key = d->ops->alloc(d, size);
	uint *index = d->ops->alloc(d, size), *list = d->ops->alloc(d, 4 * n->list_capacity);
	uint *cell_start = d->ops->alloc(d, sizeof(uint) * (cells + 1));
	uint64_t *hits = d->ops->alloc(d, hits_size);
	OZ_LAUNCH(d, cell_key, p->count, .position = p->anchor, .key = key, .index = index,
	          .grid = n->grid);
	OZ_LAUNCH(d, cell_search, cells + 1, .key = key, .start = cell_start,
	          .particles = p->count);
	assert_memory_equal(cell_start, n->cell_start, sizeof(uint) * (cells + 1));
	OZ_LAUNCH(d, neighbour_count, p->count, .position = p->anchor, .cell_start = cell_start,
	          .count = count, .hits = hits, .particles = p->count, .grid = n->grid);
	OZ_LAUNCH(d, neighbour_fill, p->count, .position = p->anchor, .cell_start = cell_start,
	          .start = n->start, .hits = hits, .list = list, .particles = p->count,
	          .grid = n->grid, .stride = n->stride);
	OZ_LAUNCH(d, probe, 100, .result = (float *)list, .loops = 10);
	d->ops->release(d, count, size);
	d->ops->release(d, key, size);
	d->ops->release(d, index, size);
	d->ops->release(d, list, 4 * n->list_capacity);
	d->ops->release(d, cell_start, sizeof(uint) * (cells + 1));
	d->ops->release(d, hits, hits_size);
	w->sim.device->ops = cpu_ops;
	oz_world_destroy(w);
}

static void blended_bodies_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = make_blend_world();
	const uint64_t before = oz_hash(w->slots.rest, sizeof(oz_float4) * w->slots.count, 0);
	step_twice(w, 18);
	w->sim.device->ops = cpu_ops;
	// the reference shape has changed on the way
	assert_true(oz_hash(w->slots.rest, sizeof(oz_float4) * w->slots.count, 0) != before);
	oz_world_destroy(w);
}

// Blocks serve vectors of eight and more, whose passes add in another order than OpenCL's: to be
// compared, the world goes without.
static bool can_launch_plain(const oz_device *device, const oz_kernel *kernel)
{
	(void)device;
	return kernel->pack->ranges[oz_cpu_width()][kernel->number] &&
	       kernel != &oz_kernel_elastic_join_blocks;
}

static void without_blocks(oz_world *w)
{
	static oz_device_ops plain;
	plain = *w->sim.device->ops;
	plain.can_launch = can_launch_plain;
	w->sim.device->ops = &plain;
	w->slots.stale = true;
}

// which only blocks need
static void launch_place(oz_world *w)
{
	oz_device *d = w->sim.device;
	oz_slots *b = &w->slots;
	const size_t size = sizeof(uint) * b->count;
	uint *key = d->ops->alloc(d, size), *order = d->ops->alloc(d, size);
	OZ_LAUNCH(d, slot_morton_key, b->count, .rest = b->rest, .component = b->component,
	          .key = key, .order = order, .spacing = w->sim.def.spacing);
	d->ops->release(d, key, size);
	d->ops->release(d, order, size);
}

static void solids_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = make_solid_world();
	oz_view phase;
	without_blocks(w);
	const uint32_t molten = count_molten(w);
	begin_twice(w);
	const oz_id grip = grip_sheet(w);
	// released, and caught again; another parameter
	assert_int_equal(oz_world_release_handle(w, grip, NULL), OZ_OK);
	assert_int_equal(oz_world_hold_handle(w, grip, NULL), OZ_OK);
	oz_material_def first_def = *oz_world_get_material(w, 0);
	first_def.viscosity *= 2;
	assert_int_equal(oz_world_set_material(w, 0, &first_def, NULL), OZ_OK);
	w->sim.neighbours.valid = false;
	test_steps(w, 11);
	const uint32_t first = count_molten(w);
	test_steps(w, 20);
	assert_int_equal(oz_world_view(w, OZ_FIELD_PHASE, &phase, NULL), OZ_OK);
	launch_place(w);
	w->sim.device->ops = cpu_ops;
	const uint32_t second = count_molten(w);
	print_message("molten: %u at first, then %u and %u of %u\n", molten, first, second,
	              w->slots.count);
	// of 150 in each of the two
	assert_true(molten == 150 && first != molten && second < first);
	oz_world_destroy(w);
}

static void push(oz_world *w)
{
	assert_int_equal(oz_models_run(&w->sim, OZ_PASS_RESERVE, NULL), OZ_OK);
	oz_elastic_accelerate_particles(&w->sim);
	oz_models_run(&w->sim, OZ_PASS_DONE, NULL);
}

// the passes by blocks, where there are any, against the plain ones
static void blocks_change_no_force(void **state)
{
	(void)state;
	oz_world *w = make_solid_world();
	test_steps(w, 5);
	const uint32_t count = w->slots.count;
	oz_float4 *pushed = malloc(sizeof *pushed * count);
	assert_non_null(pushed);
	// once more, for rotations that are found
	push(w);
	push(w);
	memcpy(pushed, oz_elastic_of(&w->sim)->elastic_acceleration, sizeof *pushed * count);
	assert_true(w->sim.device->lanes < OZ_BLOCK || oz_elastic_of(&w->sim)->blocks.count > 0);
	oz_elastic_of(&w->sim)->blocks.count = 0;
	push(w);
	float largest = 0, apart = 0;
	for (uint32_t k = 0; k < count; k++) {
		const oz_float4 a = oz_elastic_of(&w->sim)->elastic_acceleration[k], b = pushed[k];
		largest = fmaxf(largest, fabsf(a.x) + fabsf(a.y) + fabsf(a.z));
		apart = fmaxf(apart, fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z));
	}
	print_message("forces are %g of %g m/s² apart\n", (double)apart, (double)largest);
	// E/(ρ spacing) is 5e4 m/s² for the stiffest: what a strain of 1e-6 is worth
	assert_true(largest > 5 && apart < 0.05f);
	free(pushed);
	oz_world_destroy(w);
}

static void sdf_walls_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = reload(test_dam(1, 0.04f, NULL));
	begin_twice(w);
	const oz_id first = test_sdfs(w);
	w->sim.device->ops = cpu_ops;
	test_steps(w, 200);
	for (int k = 0; k < 6; k++) {
		step_twice(w, 2);
		w->sim.device->ops = cpu_ops;
		test_steps(w, 30);
	}
	oz_load load;
	// the water has been at all of them, and the last one moves
	for (oz_id k = first; k < first + 3; k++) {
		assert_int_equal(oz_world_take_load(w, k, &load, NULL), OZ_OK);
		assert_true(load.force[0] > 1);
		assert_int_equal(load.work != 0, k == first + 2);
	}
	oz_world_destroy(w);
}

// honey and mustard, one on the other in a tank that turns and says what it bears, a warm half, and
// a rubber cube between them
static void thick_fluids_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.02, 20);
	const oz_keyframe keys[2] = {{0, {0, 0.1f, 0}, {0, 0, 0, 1}},
	                             {1, {0, 0.1f, 0}, test_rotation(vec_of(0, 1, 0), 1)}};
	test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.4, 0.1)), true, keys, 2);
	oz_material_def honey = oz_material_default(OZ_FLUID), mustard = honey;
	honey.viscosity = 10;
	honey.activation_energy = 9e4f;
	mustard.viscosity = 20;
	mustard.yield_stress = 40;
	mustard.flow_exponent = 0.4f;
	test_add_lattice(w, test_add_material(w, &honey), vec_of(-0.1, 0, -0.1),
	                 vec_of(0.1, 0.1, 0.1), NULL, NULL);
	test_add_lattice(w, test_add_material(w, &mustard), vec_of(-0.1, 0.14, -0.1),
	                 vec_of(0.1, 0.2, 0.1), NULL, NULL);
	const oz_material_def rubber = test_elastic(1e5, 0.3);
	test_add_block(w, test_add_material(w, &rubber), vec_of(0, 0.12, 0),
	               vec_of(0.06, 0.04, 0.06));
	oz_region_def warm = oz_region_default(test_box(vec_of(0, 0, -1), vec_of(1, 1, 1)));
	warm.temperature = 60;
	assert_int_equal(oz_world_add_region(w, &warm, NULL, NULL), OZ_OK);
	w = reload(w);
	without_blocks(w);
	test_steps(w, 60);
	step_twice(w, 4);
	w->sim.device->ops = cpu_ops;
	// it has been turned
	assert_true(test_load(w, 1).work > 0);
	oz_world_destroy(w);
}

// polymer solutions of all laws in a tank that turns, one of them warm, and water on top
static void polymers_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = test_floor(0.02, 20);
	const oz_keyframe keys[2] = {{0, {0, 0.1f, 0}, {0, 0, 0, 1}},
	                             {1, {0, 0.1f, 0}, test_rotation(vec_of(0, 1, 0), 1)}};
	test_add_wall(w, test_box(vec_of(-0.1, 0, -0.1), vec_of(0.1, 0.4, 0.1)), true, keys, 2);
	for (int k = 0; k < OZ_POLYMER_LAW_COUNT; k++) {
		oz_material_def def = oz_material_default(OZ_POLYMER);
		def.polymer_law = (oz_polymer_law)k;
		def.mobility = k == OZ_POLYMER_GIESEKUS ? 0.2f : 0;
		def.activation_energy = k == OZ_POLYMER_GIESEKUS ? 3e4f : 0;
		def.conductivity = k == OZ_POLYMER_GIESEKUS ? 0.5f : 0;
		def.relaxation_time = 0.1f;
		test_add_lattice(w, test_add_material(w, &def), vec_of(-0.1, 0.06 * k, -0.1),
		                 vec_of(0.1, 0.06 * (k + 1), 0.1), NULL, NULL);
	}
	test_add_block(w, test_water(w), vec_of(0, 0.22, 0), vec_of(0.08, 0.08, 0.08));
	w = reload(w);
	without_blocks(w);
	test_steps(w, 60);
	step_twice(w, 4);
	w->sim.device->ops = cpu_ops;
	// it has been turned
	assert_true(test_load(w, 1).work > 0);
	oz_world_destroy(w);
}

// water, rubber that a handle holds, jelly, a moving ball and a nozzle, which pours from 0.1 s on
static void incompressible_water_gives_the_same_on_opencl(void **state)
{
	(void)state;
	// more than one group of particles
	oz_world *w = test_incompressible_dam(1, 0.032f);
	test_run_until(w, 0.13);
	w = reload(w);
	without_blocks(w);
	begin_twice(w);
	w->sim.neighbours.valid = false;
	uint32_t rounds = 0;
	for (int k = 0; k < 3; k++)
		rounds += test_step(w).pressure_rounds;
	// so many rounds that a step of the solver overshoots and is shortened
	w->sim.def.density_error = 1e-7f;
	rounds += test_step(w).pressure_rounds;
	w->sim.device->ops = cpu_ops;
	print_message("%u rounds of pressure\n", rounds);
	assert_true(rounds > 3);
	oz_world_destroy(w);
}

// stone, wood, a block that is fixed, and foam in water, in a vessel with friction
static void rigid_bodies_give_the_same_on_opencl(void **state)
{
	(void)state;
	static const float densities[] = {2500, 600, 1000, 500};
	oz_world *w = test_incompressible_dam(1, 0.04f);
	for (int k = 0; k < 4; k++) {
		oz_material_def def = oz_material_default(OZ_RIGID);
		def.density = densities[k];
		def.fixed = k == 2;
		add_solid(w, &def, oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.12f, 0.12f, 0.12f}),
		          (oz_vec3){0.3f * (float)(k % 2), k < 2 ? 0.2f : -0.24f, 0.1f}, 20);
	}
	// the first falls on the floor and the water comes
	test_run_until(w, 0.35);
	w = reload(w);
	without_blocks(w);
	step_twice(w, 3);
	w->sim.device->ops = cpu_ops;
	oz_rigid_state wood, fixed;
	const oz_id first = oz_world_body_count(w) - 4;
	assert_int_equal(oz_world_get_rigid(w, first + 1, &wood, NULL), OZ_OK);
	assert_int_equal(oz_world_get_rigid(w, first + 2, &fixed, NULL), OZ_OK);
	print_message("wood at %.3f m, the fixed block at %.3f m\n", wood.position[1],
	              fixed.position[1]);
	assert_true(wood.position[1] < 0.19);
	test_near(fixed.position[1], -0.24, 1e-6, "height of the fixed block");
	oz_world_destroy(w);
}

// Slime and stiff wax between two plates that part, a warm half, a stone in the slime: first the
// explicit step of links, then the implicit one.
static void links_give_the_same_on_opencl(void **state)
{
	(void)state;
	for (int stiff = 0; stiff < 2; stiff++) {
		oz_world_def def = test_space_def(0.02);
		def.gravity = (oz_vec3){0, -9.81f, 0};
		def.pressure = OZ_PRESSURE_INCOMPRESSIBLE;
		oz_world *w = test_world(&def);
		const oz_keyframe keys[2] = {{0, {0, 0.2f, 0}, {0, 0, 0, 1}},
		                             {1, {0, 0.6f, 0}, test_rotation(vec_of(0, 1, 0), 1)}};
		test_add_wall(w, oz_shape_make(OZ_SHAPE_PLANE, (oz_vec3){0, 0, 0}), false, NULL, 0);
		test_add_wall(w, test_box(vec_of(-0.2, 0.16, -0.2), vec_of(0.2, 0.24, 0.2)), false,
		              keys, 2);
		oz_material_def slime = oz_material_default(OZ_LINKS), wax = slime;
		slime.sticky = wax.sticky = 1e5f;
		slime.activation_energy = 3e4f;
		wax.shear_modulus = stiff ? 1e5f : 500;
		wax.melting_point = 50;
		const oz_shape left = test_box(vec_of(-0.1, 0, -0.1), vec_of(0, 0.16, 0.1)),
		               right = test_box(vec_of(0, 0, -0.1), vec_of(0.1, 0.16, 0.1));
		test_add_warm(w, test_add_material(w, &slime), &left, 30);
		test_add_warm(w, test_add_material(w, &wax), &right, 60);
		const oz_material_def stone = oz_material_default(OZ_RIGID);
		add_solid(w, &stone, oz_shape_make(OZ_SHAPE_BOX, (oz_vec3){0.08f, 0.08f, 0.08f}),
		          (oz_vec3){-0.14f, 0.1f, 0}, 20);
		test_run_until(w, 0.1);
		w = reload(w);
		without_blocks(w);
		step_twice(w, 3);
		w->sim.device->ops = cpu_ops;
		// it hangs on the upper plate
		assert_true(test_load(w, 1).force[1] < -1);
		oz_world_destroy(w);
	}
}

// skins of each law, warm and cold, of which one tears, with water, by each way of integration
static void membranes_give_the_same_on_opencl(void **state)
{
	(void)state;
	for (int way = 0; way < OZ_INTEGRATE_COUNT; way++) {
		oz_world *w = test_dam(1, 0.04f, NULL);
		oz_error error = {0};
		for (int k = 0; k < OZ_SKIN_COUNT; k++) {
			oz_material_def def = oz_material_default(OZ_MEMBRANE);
			oz_shape ball = oz_shape_make(OZ_SHAPE_BALL, (oz_vec3){0.1f, 0, 0});
			ball.position = (oz_vec3){-0.25f + 0.25f * (float)k, 0.1f, 0};
			def.skin_law = (oz_skin_law)k;
			def.integration = (oz_integration)way;
			def.thickness = 0.01f;
			def.gauge_pressure = 3000;
			def.tear = k == 1 ? 1.01f : 0;
			def.conductivity = 1;
			oz_id material;
			assert_int_equal(oz_world_add_material(w, &def, &material, NULL), OZ_OK);
			test_must(oz_world_add_shape(w, &ball, material, NULL, &error), &error);
		}
		test_run_until(w, 0.05);
		w = reload(w);
		step_twice(w, 3);
		w->sim.device->ops = cpu_ops;
		oz_membrane_state s;
		test_must(oz_world_get_membrane(w, oz_world_body_count(w) - 2, &s, &error), &error);
		print_message("way %d: %.1f Pa, torn %.4f m²\n", way, s.pressure, s.torn);
		assert_true(s.torn > 0);
		oz_world_destroy(w);
	}
}

static void no_kernel_is_left_out(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < oz_core_kernels.count; k++)
		if (launches[k] == 0 && oz_core_kernels.kernels[k]->way != OZ_WAY_CPU)
			fail_msg("%s was never launched", oz_core_kernels.kernels[k]->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_launch_of_a_step_gives_the_same_on_opencl),
	        cmocka_unit_test(blended_bodies_give_the_same_on_opencl),
	        cmocka_unit_test(sdf_walls_give_the_same_on_opencl),
	        cmocka_unit_test(solids_give_the_same_on_opencl),
	        cmocka_unit_test(blocks_change_no_force),
	        cmocka_unit_test(thick_fluids_give_the_same_on_opencl),
	        cmocka_unit_test(polymers_give_the_same_on_opencl),
	        cmocka_unit_test(incompressible_water_gives_the_same_on_opencl),
	        cmocka_unit_test(rigid_bodies_give_the_same_on_opencl),
	        cmocka_unit_test(links_give_the_same_on_opencl),
	        cmocka_unit_test(membranes_give_the_same_on_opencl),
	        cmocka_unit_test(no_kernel_is_left_out),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
