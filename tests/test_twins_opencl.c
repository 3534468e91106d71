// test_twins_opencl.c: every kernel of a real run gives on OpenCL what it gives on the CPU.
//
// The device of a world is wrapped: each launch runs on the CPU as ever, and once more through an
// OpenCL driver on a copy of what the buffers held before; what the kernel writes is compared.
// Buffer sizes come from the allocation hook, arguments from the lists in the kernel files.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <cmocka.h>

#include "support.h"
#include "world/world.h"

#include "boundary/walls.cl"
#include "models/blend.cl"
#include "models/clusters.cl"
#include "models/fluid.cl"
#include "models/lumps.cl"
#include "models/lumps_join.cl"
#include "particles/neighbours.cl"
#include "world/bounds.cl"
#include "world/measure.cl"
#include "world/move.cl"

// ---- what a kernel takes ----------------------------------------------------------------------

typedef enum arg_kind { ARG_IN, ARG_OUT, ARG_VAL } arg_kind;

typedef struct arg {
	arg_kind kind;
	const char *name, *type;
	size_t size, alignment; // in the argument struct
} arg;

#define ARG_OF_IN(type, name)  {ARG_IN, #name, #type, sizeof(type *), _Alignof(type *)},
#define ARG_OF_OUT(type, name) {ARG_OUT, #name, #type, sizeof(type *), _Alignof(type *)},
#define ARG_OF_VAL(type, name) {ARG_VAL, #name, #type, sizeof(type), _Alignof(type)},
#define MAX_ARGS               20

typedef struct signature {
	const char *name;
	arg args[MAX_ARGS]; // up to the first without a name
} signature;

static const signature signatures[OZ_K_COUNT] = {
#define SIGNATURE(k) [OZ_K_##k] = {#k, {k##_ARGS(ARG_OF_IN, ARG_OF_OUT, ARG_OF_VAL)}},
        OZ_KERNELS(SIGNATURE)
#undef SIGNATURE
};

// ---- sizes of buffers -------------------------------------------------------------------------

#define MAX_BLOCKS 256

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
	return fresh;
}

static size_t size_of_block(const void *at)
{
	for (int k = 0; k < MAX_BLOCKS; k++)
		if (blocks[k].at == at && at)
			return blocks[k].size;
	return 0;
}

// ---- the driver -------------------------------------------------------------------------------

static struct {
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	const char *text_path;
	uint32_t launches[OZ_K_COUNT];
} cl;

static int set_up(void **state)
{
	(void)state;
	cl_platform_id platform;
	cl_device_id device;
	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
		print_error("there is no OpenCL device: install pocl-opencl-icd.\n");
		return 1;
	}
	size_t size;
	char *text = test_read(cl.text_path, &size);
	const char *texts[] = {text};
	cl.context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl.queue = clCreateCommandQueue(cl.context, device, 0, NULL);
	cl.program = clCreateProgramWithSource(cl.context, 1, texts, &size, NULL);
	const cl_int status = clBuildProgram(cl.program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
	free(text);
	return status != CL_SUCCESS;
}

static int tear_down(void **state)
{
	(void)state;
	clReleaseProgram(cl.program);
	clReleaseCommandQueue(cl.queue);
	clReleaseContext(cl.context);
	return 0;
}

static cl_mem upload(const void *host)
{
	// an empty table still needs a buffer
	const size_t size = size_of_block(host);
	char nothing[64] = {0};
	cl_int status;
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	                               size ? size : sizeof nothing,
	                               size ? (void *)(uintptr_t)host : nothing, &status);
	assert_int_equal(status, CL_SUCCESS);
	return buffer;
}

// ---- a launch, twice --------------------------------------------------------------------------

typedef struct twin {
	cl_kernel kernel;
	cl_mem buffers[MAX_ARGS];
	void *hosts[MAX_ARGS];
	cl_mem lists[3];
	cl_uint next; // argument
} twin;

static void set_arg(twin *t, size_t size, const void *value)
{
	assert_int_equal(clSetKernelArg(t->kernel, t->next++, size, value), CL_SUCCESS);
}

static void set_lists(twin *t, const oz_lists *lists)
{
	const void *parts[3] = {lists->list, lists->start, lists->count};
	for (int k = 0; k < 3; k++) {
		t->lists[k] = upload(parts[k]);
		set_arg(t, sizeof(cl_mem), &t->lists[k]);
	}
	set_arg(t, sizeof lists->stride, &lists->stride);
}

static twin prepare(oz_kernel_id id, uint32_t count, const char *args, const oz_lists *lists)
{
	cl_int status;
	twin t = {.kernel = clCreateKernel(cl.program, signatures[id].name, &status)};
	assert_int_equal(status, CL_SUCCESS);
	set_arg(&t, sizeof count, &count);
	if (lists)
		set_lists(&t, lists);
	size_t offset = 0;
	for (int k = 0; signatures[id].args[k].name; k++) {
		const arg *a = &signatures[id].args[k];
		offset = (offset + a->alignment - 1) / a->alignment * a->alignment;
		if (a->kind == ARG_VAL) {
			set_arg(&t, a->size, args + offset);
		} else {
			memcpy(&t.hosts[k], args + offset, sizeof(void *));
			t.buffers[k] = upload(t.hosts[k]);
			set_arg(&t, sizeof(cl_mem), &t.buffers[k]);
		}
		offset += a->size;
	}
	return t;
}

static void expect_same_numbers(const signature *s, const arg *a, const uint32_t *cpu,
                                const uint32_t *gpu, size_t count)
{
	for (size_t k = 0; k < count; k++)
		if (cpu[k] != gpu[k])
			fail_msg("%s: %s[%zu] is %u on OpenCL, %u on the CPU", s->name, a->name, k,
			         gpu[k], cpu[k]);
}

// 1e-4 of the largest: sums of 30 terms in another order, square roots to a few ulp
static void expect_near_floats(const signature *s, const arg *a, const float *cpu, const float *gpu,
                               size_t count)
{
	float largest = 0;
	for (size_t k = 0; k < count; k++)
		largest = fmaxf(largest, fabsf(cpu[k]));
	// what holds bits of another kind may read as no number
	for (size_t k = 0; k < count; k++)
		if (memcmp(&cpu[k], &gpu[k], sizeof *cpu) != 0 &&
		    !(fabsf(cpu[k] - gpu[k]) <= 1e-4f * largest))
			fail_msg("%s: %s float %zu is %g on OpenCL, %g on the CPU", s->name,
			         a->name, k, (double)gpu[k], (double)cpu[k]);
}

// who hangs under whom while sets are joined depends on who comes first; their roots, which later
// kernels read, do not
static bool is_undecided(oz_kernel_id id, const arg *a)
{
	return (id == OZ_K_lump_touch || id == OZ_K_lump_link) && strcmp(a->name, "parent") == 0;
}

static bool is_of_floats(const arg *a)
{
	return strcmp(a->type, "float") == 0 || strcmp(a->type, "oz_float4") == 0 ||
	       strcmp(a->type, "oz_extremes") == 0;
}

static void compare(oz_kernel_id id, twin *t)
{
	const signature *s = &signatures[id];
	for (int k = 0; s->args[k].name; k++) {
		const size_t size = size_of_block(t->hosts[k]);
		if (s->args[k].kind != ARG_OUT || size == 0 || is_undecided(id, &s->args[k]))
			continue;
		void *gpu = malloc(size);
		assert_non_null(gpu);
		assert_int_equal(clEnqueueReadBuffer(cl.queue, t->buffers[k], CL_TRUE, 0, size, gpu,
		                                     0, NULL, NULL),
		                 CL_SUCCESS);
		if (is_of_floats(&s->args[k]))
			expect_near_floats(s, &s->args[k], t->hosts[k], gpu, size / 4);
		else
			expect_same_numbers(s, &s->args[k], t->hosts[k], gpu, size / 4);
		free(gpu);
	}
}

static void release(oz_kernel_id id, twin *t)
{
	for (int k = 0; signatures[id].args[k].name; k++)
		if (t->buffers[k])
			clReleaseMemObject(t->buffers[k]);
	for (int k = 0; k < 3; k++)
		if (t->lists[k])
			clReleaseMemObject(t->lists[k]);
	clReleaseKernel(t->kernel);
}

static const oz_device_ops *cpu_ops;

static void launch_twice(oz_device *device, oz_kernel_id id, uint32_t count, const void *args,
                         const oz_lists *lists)
{
	twin t = prepare(id, count, args, lists);
	cpu_ops->launch(device, id, count, args, lists);
	const size_t items = count;
	assert_int_equal(clEnqueueNDRangeKernel(cl.queue, t.kernel, 1, NULL, &items, NULL, 0, NULL,
	                                        NULL),
	                 CL_SUCCESS);
	compare(id, &t);
	release(id, &t);
	cl.launches[id]++;
}

// ---- worlds -----------------------------------------------------------------------------------

static oz_world *reload(oz_world *plain)
{
	const oz_hooks hooks = {.alloc = tracked_alloc};
	oz_world *w = NULL;
	assert_int_equal(oz_world_save(plain, "busy.ooze", NULL), OZ_OK);
	oz_world_destroy(plain);
	assert_int_equal(oz_world_load("busy.ooze", 1, &hooks, &w, NULL), OZ_OK);
	return w;
}

static oz_world *make_fluid_world(void)
{
	oz_world *plain = test_busy_dam(1, 0.04f, NULL);
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

static oz_world *make_blend_world(void)
{
	oz_world *plain = test_busy_dam(1, 0.04f, NULL);
	add_block(plain, 0.6f, -0.16f, false);
	add_block(plain, 0.9f, 0.16f, true);
	test_steps(plain, 60);
	oz_world *w = reload(plain);
	// some are in, some are out, and one of the steps to come looks
	w->def.bounds_max.x = 0.1f;
	return w;
}

static void step_twice(oz_world *w, uint32_t steps)
{
	static oz_device_ops ops;
	ops = *w->device->ops;
	cpu_ops = w->device->ops;
	ops.launch = launch_twice;
	w->device->ops = &ops;
	w->neighbours.valid = false;
	test_steps(w, steps);
}

static void every_launch_of_a_step_gives_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = make_fluid_world();
	step_twice(w, 5);
	// what the CPU does in its own way is launched here for the comparison
	oz_particles *p = &w->particles;
	oz_neighbours *n = &w->neighbours;
	uint *count = w->device->ops->alloc(w->device, sizeof(uint) * p->count);
	uint *list = w->device->ops->alloc(w->device, sizeof(uint) * n->list_capacity);
	OZ_LAUNCH(w->device, neighbour_count, p->count, .position = p->anchor,
	          .cell_start = n->cell_start, .count = count, .grid = n->grid);
	OZ_LAUNCH(w->device, neighbour_fill, p->count, .position = p->anchor,
	          .cell_start = n->cell_start, .start = n->start, .list = list, .grid = n->grid,
	          .stride = n->stride);
	w->device->ops->release(w->device, count, sizeof(uint) * p->count);
	w->device->ops->release(w->device, list, sizeof(uint) * n->list_capacity);
	w->device->ops = cpu_ops;
	oz_world_destroy(w);
}

static void blended_bodies_give_the_same_on_opencl(void **state)
{
	(void)state;
	oz_world *w = make_blend_world();
	const uint64_t before = oz_hash(w->blend.rest, sizeof(oz_float4) * w->blend.count, 0);
	step_twice(w, 7);
	w->device->ops = cpu_ops;
	// the reference shape has changed on the way
	assert_true(oz_hash(w->blend.rest, sizeof(oz_float4) * w->blend.count, 0) != before);
	oz_world_destroy(w);
}

static void no_kernel_is_left_out(void **state)
{
	(void)state;
	for (int k = 0; k < OZ_K_COUNT; k++)
		if (cl.launches[k] == 0)
			fail_msg("%s was never launched", signatures[k].name);
}

int main(int count, char **arguments)
{
	if (count < 2) {
		fprintf(stderr, "use: test_twins_opencl ALL_KERNELS\n");
		return 2;
	}
	cl.text_path = arguments[1];
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_launch_of_a_step_gives_the_same_on_opencl),
	        cmocka_unit_test(blended_bodies_give_the_same_on_opencl),
	        cmocka_unit_test(no_kernel_is_left_out),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
