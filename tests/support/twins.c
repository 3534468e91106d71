// twins.c: launches that run on the CPU and on OpenCL, and are compared.
#include "twins.h"

#include <float.h>

#include "kernels/kernels.h"
#include "world/world.h"

#include "contact/components.cl"
#include "models/capillary/capillary_sheets.cl"
#include "models/capillary/capillary_sum.cl"
#include "models/elastic/elastic.cl"
#include "models/elastic/elastic_blocks.h"
#include "models/links/links_table.cl"
#include "models/rigid/rigid.cl"
#include "pressure/incompressible_rounds.cl"

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
	// a block that is not listed would not be compared
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
static const oz_device_ops *cpu_ops;

int test_twins_set_up(void **state)
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

int test_twins_tear_down(void **state)
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
	// temperature_residual is a rounding error: it is compared with at least 0.1 °C
	float largest = strcmp(a->name, "temperature_residual") == 0 ? 0.1f : 0;
	// the difference of two frictions is as exact as these, some mm/s
	if (strcmp(s->name, "rigid_grip") == 0)
		largest = 1e-3f;
	// the difference of two accelerations: 2e-5 m/s², the rounding of 100 m/s²
	if (strcmp(s->name, "viscous_finish") == 0)
		largest = 0.2f;
	for (size_t k = 0; k < count; k++)
		largest = fmaxf(largest, fabsf(cpu[k]));
	// bits that are no float may read as NaN: equal bits are equal
	for (size_t k = 0; k < count; k++)
		if (memcmp(&cpu[k], &gpu[k], sizeof *cpu) != 0 &&
		    !(fabsf(cpu[k] - gpu[k]) <= 1e-4f * largest + FLT_MIN))
			fail_msg("%s: %s float %zu is %g on OpenCL, %g on the CPU", s->name,
			         a->name, k, (double)gpu[k], (double)cpu[k]);
}

// records of several sums, each with its own largest value
static void expect_near_sums(const oz_kernel *s, const oz_kernel_arg *a, const float *cpu,
                             const float *gpu, size_t count, size_t kinds)
{
	float *parts = malloc(sizeof *parts * (2 * count + 1));
	assert_non_null(parts);
	for (size_t c = 0; c < kinds; c++) {
		for (size_t k = 0; k < count; k++) {
			parts[k] = cpu[kinds * k + c];
			parts[count + k] = gpu[kinds * k + c];
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

// L of viscous_fit is the pseudo-inverse of a matrix of floats. Its error is the condition number
// of the matrix times 1e-7: below 1e-4 of the largest L for particles with neighbours all around
// them, up to 1e-2 for the few at an edge, whose neighbours nearly lie in a plane.
static void expect_near_fits(const oz_kernel *s, const oz_kernel_arg *a, const float *cpu,
                             const float *gpu, size_t count)
{
	float largest = 0;
	size_t others = 0;
	for (size_t k = 0; k < count; k++)
		largest = fmaxf(largest, fabsf(cpu[k]));
	for (size_t k = 0; k < count; k++) {
		const float apart = fabsf(cpu[k] - gpu[k]);
		if (!(apart <= 1e-2f * largest))
			fail_msg("%s: %s float %zu is %g on OpenCL, %g on the CPU", s->name,
			         a->name, k, (double)gpu[k], (double)cpu[k]);
		others += apart > 1e-4f * largest;
	}
	if (others > count / 1000)
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
	// work is force times the speed of a wall: it is as exact as the force, also at slow walls
	if (force > 1e-5 * most || torque > 1e-5 * turn || work > 1e-5 * (most + done))
		fail_msg("%s: forces are %g of %g apart, torques %g of %g, work %g of %g", s->name,
		         force, most, torque, turn, work, done);
}

// Sums of sheets; 1e-5 of the area: terms of forces and torques cancel.
static void expect_near_sheets(const oz_kernel *s, const capillary_sums *cpu,
                               const capillary_sums *gpu, size_t count)
{
	enum { SUMS = offsetof(capillary_sums, most) / sizeof(oz_sum), WORDS = 8 };
	for (size_t k = 0; k < count; k++) {
		const oz_sum *a = cpu[k].force, *b = gpu[k].force;
		const double area = (double)(int64_t)oz_sum_get(cpu[k].area);
		for (int part = 0; part < SUMS; part++) {
			const double on_cpu = (double)(int64_t)oz_sum_get(a[part]),
			             apart = fabs(on_cpu - (double)(int64_t)oz_sum_get(b[part]));
			if (apart > 1e-4 * fabs(on_cpu) + 1e-5 * area)
				fail_msg("%s: sums %d of sheet %zu are %g of %g apart", s->name,
				         part, k, apart, on_cpu);
		}
		for (int part = 0; part < WORDS; part++) {
			const double apart =
			        fabs((double)cpu[k].most[part] - (double)gpu[k].most[part]);
			if (apart > 1e-4 * (double)CAPILLARY_WORDS)
				fail_msg("%s: word %d of sheet %zu is %g apart", s->name, part, k,
				         apart);
		}
	}
}

// The parents of slots depend on the order in which threads join sets. The roots, which later
// kernels read, do not.
static bool is_undecided(const oz_kernel *kernel, const oz_kernel_arg *a)
{
	return (kernel == &oz_kernel_component_join_touching ||
	        kernel == &oz_kernel_component_link || kernel == &oz_kernel_capillary_join) &&
	       strcmp(a->name, "parent") == 0;
}

static bool is_of_floats(const oz_kernel_arg *a)
{
	return strcmp(a->type, "float") == 0 || strcmp(a->type, "oz_vec3") == 0 ||
	       strcmp(a->type, "oz_float4") == 0 || strcmp(a->type, "oz_extremes") == 0 ||
	       strcmp(a->type, "oz_measured") == 0 || strcmp(a->type, "oz_membrane_sums") == 0 ||
	       strcmp(a->type, "oz_membrane_frame") == 0 ||
	       strcmp(a->type, "oz_membrane_face") == 0 ||
	       strcmp(a->type, "oz_membrane_edge") == 0 || strcmp(a->type, "cg_block") == 0 ||
	       strcmp(a->type, "capillary_error") == 0;
}

// the argument with this name: on OpenCL a copy for the caller, on the CPU the buffer
static void *kept_of(const oz_kernel *kernel, const twin *t, const char *name, bool opencl)
{
	int k = 0;
	while (strcmp(kernel->args[k].name, name) != 0)
		k++;
	if (!opencl)
		return t->hosts[k];
	void *copy = malloc(size_of_block(t->hosts[k]));
	assert_non_null(copy);
	cl->ops->read(cl, copy, t->buffers[k], 0, size_of_block(t->hosts[k]));
	return copy;
}

// the kept neighbours of one device
typedef struct kept_side {
	const uint *list, *count;
	const float *number;
} kept_side;

static kept_side kept_side_of(const oz_kernel *kernel, const twin *t, bool opencl)
{
	return (kept_side){kept_of(kernel, t, "kept_list", opencl),
	                   kept_of(kernel, t, "kept_count", opencl),
	                   kept_of(kernel, t, "kept", opencl)};
}

// Walks both lists of a particle, which have the same order. A neighbour at the edge of the
// support, with a number near 0, may be kept by one device alone.
static void expect_near_list(const oz_kernel *s, kept_side cpu, kept_side gpu, uint i, size_t start,
                             float most)
{
	const uint *p = cpu.list + start, *q = gpu.list + start;
	const float *v = cpu.number + start, *u = gpu.number + start;
	uint k = 0, n = 0;
	while (k < cpu.count[i] || n < gpu.count[i]) {
		const bool both = k < cpu.count[i] && n < gpu.count[i] && p[k] == q[n];
		const bool first = k < cpu.count[i] && (both || fabsf(v[k]) <= most);
		const float apart = fabsf((first ? v[k] : 0) - (both || !first ? u[n] : 0));
		if (!first && n >= gpu.count[i])
			fail_msg("%s: OpenCL does not keep neighbour %u of %u", s->name, p[k], i);
		if (!(apart <= most))
			fail_msg("%s: neighbours %u of %u are %g apart", s->name, k, i,
			         (double)apart);
		k += first;
		n += both || !first;
	}
}

static void compare_kept(const oz_kernel *kernel, const twin *t, const oz_lists *lists,
                         uint32_t count)
{
	const kept_side cpu = kept_side_of(kernel, t, false), gpu = kept_side_of(kernel, t, true);
	float largest = 0;
	for (uint32_t i = 0; i < count; i++)
		for (uint c = 0; c < cpu.count[i]; c++)
			largest = fmaxf(largest, fabsf(cpu.number[lists->start[i] + c]));
	for (uint32_t i = 0; i < count; i++)
		expect_near_list(kernel, cpu, gpu, i, lists->start[i], 1e-4f * largest);
	free((void *)(uintptr_t)gpu.list);
	free((void *)(uintptr_t)gpu.count);
	free((void *)(uintptr_t)gpu.number);
}

static bool is_kept(const oz_kernel *kernel, const oz_kernel_arg *a)
{
	return kernel->way == OZ_WAY_PAIRS_KEEP && strncmp(a->name, "kept", 4) == 0;
}

static void compare(const oz_kernel *kernel, const twin *t)
{
	const oz_kernel *s = kernel;
	for (int k = 0; s->args[k].name; k++) {
		const size_t size = size_of_block(t->hosts[k]);
		if (!s->args[k].is_written || size == 0 || is_kept(s, &s->args[k]) ||
		    is_undecided(kernel, &s->args[k]))
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
		else if (strcmp(s->name, "viscous_fit") == 0 &&
		         strncmp(s->args[k].name, "fit_", 4) == 0)
			expect_near_fits(s, &s->args[k], t->hosts[k], gpu, size / 4);
		else if (strcmp(s->name, "set_update") == 0 &&
		         strcmp(s->args[k].name, "stiff") != 0)
			expect_near_sets(s, &s->args[k], t->hosts[k], gpu, size / 4);
		else if (strcmp(s->args[k].type, "press_sums") == 0)
			expect_near_sums(s, &s->args[k], t->hosts[k], gpu,
			                 size / sizeof(press_sums),
			                 sizeof(press_sums) / sizeof(float));
		else if (strcmp(s->args[k].type, "press_round") == 0)
			expect_near_sums(s, &s->args[k], t->hosts[k], gpu,
			                 size / sizeof(press_round),
			                 sizeof(press_round) / sizeof(float));
		else if (strcmp(s->args[k].type, "capillary_sums") == 0)
			expect_near_sheets(s, t->hosts[k], gpu, size / sizeof(capillary_sums));
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
	if (kernel->way == OZ_WAY_PAIRS_KEEP)
		compare_kept(kernel, &t, lists, count);
	release(kernel, &t, lists);
}

// ---- worlds that are launched twice -------------------------------------------------------------

oz_world *test_twin_reload(oz_world *plain)
{
	const oz_hooks hooks = {.alloc = tracked_alloc};
	oz_world *w = NULL;
	assert_int_equal(oz_world_save(plain, "busy.ooze", NULL), OZ_OK);
	oz_world_destroy(plain);
	assert_int_equal(oz_world_load("busy.ooze", NULL, 1, &hooks, &w, NULL), OZ_OK);
	return w;
}

static bool can_launch_plain(const oz_device *device, const oz_kernel *kernel)
{
	(void)device;
	return kernel->pack->ranges[oz_cpu_width()][kernel->number] &&
	       kernel != &oz_kernel_elastic_join_blocks && kernel != &oz_kernel_link_count_wide &&
	       kernel != &oz_kernel_link_fill_wide;
}

void test_without_blocks(oz_world *w)
{
	static oz_device_ops plain;
	plain = *w->sim.device->ops;
	plain.can_launch = can_launch_plain;
	w->sim.device->ops = &plain;
	w->slots.stale = true;
}

void test_twins_begin(oz_world *w)
{
	static oz_device_ops ops;
	ops = *w->sim.device->ops;
	cpu_ops = w->sim.device->ops;
	ops.launch = launch_twice;
	w->sim.device->ops = &ops;
}

void test_twins_step(oz_world *w, uint32_t steps)
{
	test_twins_begin(w);
	w->sim.neighbours.valid = false;
	test_steps(w, steps);
}

void test_twins_end(oz_world *w)
{
	w->sim.device->ops = cpu_ops;
}

uint32_t test_twins_launches(const oz_kernel *kernel)
{
	return launches[kernel->number];
}
