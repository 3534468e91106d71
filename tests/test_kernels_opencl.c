// test_kernels_opencl.c: every kernel file is OpenCL C 1.2, whole and each file on its own.
//
// The arguments are the flattened texts that the build makes: first all kernels in one, then one
// text for each file. Each is a test of its own: it must build without a warning on every OpenCL
// device of the CPU kind that is there, and there must be one.
#include <CL/cl.h>

#include "base/base.h"
#include "support.h"

#define DEVICES_MAX 16
#define TEXT_MAX    ((size_t)64 << 20)

static cl_device_id devices[DEVICES_MAX];
static cl_uint device_count;

static int find_devices(void **state)
{
	(void)state;
	cl_platform_id platforms[DEVICES_MAX];
	cl_uint platform_count = 0;
	// no platform at all is an error code here, and no device a sentence below
	clGetPlatformIDs(DEVICES_MAX, platforms, &platform_count);
	for (cl_uint p = 0; p < platform_count && device_count < DEVICES_MAX; p++) {
		cl_uint found = 0;
		if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_CPU, DEVICES_MAX - device_count,
		                   devices + device_count, &found) == CL_SUCCESS)
			device_count += found;
	}
	if (device_count > DEVICES_MAX)
		device_count = DEVICES_MAX;
	if (device_count == 0)
		print_error("there is no OpenCL device of the CPU kind: install "
		            "pocl-opencl-icd.\n");
	return device_count == 0;
}

static void print_build_log(cl_program program, cl_device_id device)
{
	size_t size = 0;
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
	char *log = calloc(size + 1, 1);
	assert_non_null(log);
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
	print_error("%s\n", log);
	free(log);
}

static cl_uint count_kernels(cl_program program)
{
	cl_uint count = 0;
	assert_int_equal(clCreateKernelsInProgram(program, 0, NULL, &count), CL_SUCCESS);
	return count;
}

// Builds a text for a device and gives the number of kernels in it.
static cl_uint build_for(cl_device_id device, const char *text, size_t size)
{
	cl_int status = CL_SUCCESS;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	assert_int_equal(status, CL_SUCCESS);
	cl_program program = clCreateProgramWithSource(context, 1, &text, &size, &status);
	assert_int_equal(status, CL_SUCCESS);

	status = clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -Werror", NULL, NULL);
	if (status != CL_SUCCESS)
		print_build_log(program, device);
	assert_int_equal(status, CL_SUCCESS);

	const cl_uint kernels = count_kernels(program);
	clReleaseProgram(program);
	clReleaseContext(context);
	return kernels;
}

static cl_uint build_everywhere(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	oz_error error;
	cl_uint kernels = 0;
	if (oz_file_read(path, TEXT_MAX, &text, &size, &error) != OZ_OK)
		fail_msg("%s", error.text);
	for (cl_uint d = 0; d < device_count; d++)
		kernels = build_for(devices[d], text, size);
	free(text);
	return kernels;
}

static void all_kernels_build_together(void **state)
{
	assert_true(build_everywhere(*state) > 0);
}

static void kernel_file_stands_alone(void **state)
{
	build_everywhere(*state);
}

int main(int count, char **arguments)
{
	struct CMUnitTest *tests = calloc((size_t)count, sizeof *tests);
	if (!tests || count < 3) {
		fprintf(stderr, "use: test_kernels_opencl ALL_KERNELS KERNEL_FILE...\n");
		free(tests);
		return 2;
	}
	for (int i = 1; i < count; i++)
		tests[i - 1] = (struct CMUnitTest){arguments[i],
		                                   i == 1 ? all_kernels_build_together
		                                          : kernel_file_stands_alone,
		                                   NULL, NULL, arguments[i]};
	const int failed = _cmocka_run_group_tests("kernels are OpenCL C 1.2", tests,
	                                           (size_t)count - 1, find_devices, NULL);
	free(tests);
	return failed != 0;
}
