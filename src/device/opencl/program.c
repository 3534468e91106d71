// program.c: builds a program for one device from the text of kernels.
//
// A build takes seconds. The binary is kept in the user's cache folder, under a name that is a hash
// of the text, the options, the device and its driver: if one of them changes, the program is built
// again. A file that is damaged, or that the driver refuses, is replaced.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl/opencl.h"

#define OPTIONS    "-cl-std=CL1.2 -cl-mad-enable -cl-denorms-are-zero"
#define CACHE_MOST ((size_t)256 << 20) // largest file that is read, bytes

typedef struct cache_head {
	char magic[8];
	uint64_t hash, size; // of the binary behind the header
} cache_head;

static const char magic[8] = "OOZEKRN";

// ---- the cache --------------------------------------------------------------------------------

typedef struct cache_path {
	char text[512]; // empty: there is no cache folder
} cache_path;

// continues a hash with a text property of the device
static uint64_t hash_info(const oz_cl_api *cl, cl_device_id device, cl_device_info what, uint64_t h)
{
	char text[256] = "";
	cl->clGetDeviceInfo(device, what, sizeof text - 1, text, NULL);
	return oz_hash(text, strlen(text), h);
}

// the path of the cached binary for a text and a device
static cache_path cache_file(const oz_cl_api *cl, cl_device_id device, const char *text)
{
	char folder[400];
	cache_path path = {""};
	if (!oz_cache_folder("", folder, sizeof folder))
		return path;
	uint64_t h = oz_hash(text, strlen(text), 0);
	h = oz_hash(OPTIONS, sizeof OPTIONS, h);
	h = hash_info(cl, device, CL_DEVICE_NAME, h);
	h = hash_info(cl, device, CL_DEVICE_VERSION, h);
	h = hash_info(cl, device, CL_DRIVER_VERSION, h);
	snprintf(path.text, sizeof path.text, "%s/kernels-%016llx.bin", folder,
	         (unsigned long long)h);
	return path;
}

// builds a program from a cached binary; NULL if the driver refuses it
static cl_program from_binary(const oz_cl_api *cl, cl_context context, cl_device_id device,
                              const unsigned char *binary, size_t size)
{
	cl_int status, loaded;
	cl_program program = cl->clCreateProgramWithBinary(context, 1, &device, &size, &binary,
	                                                   &loaded, &status);
	if (status != CL_SUCCESS)
		return NULL;
	if (cl->clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL) == CL_SUCCESS)
		return program;
	cl->clReleaseProgram(program);
	return NULL;
}

// loads the binary of a cache file; NULL if it is missing, damaged or refused by the driver
static cl_program load_cached(const oz_cl_api *cl, cl_context context, cl_device_id device,
                              const char *path)
{
	char *data = NULL;
	size_t size = 0;
	cl_program program = NULL;
	if (oz_file_read(path, CACHE_MOST, &data, &size, NULL) != OZ_OK)
		return NULL;
	cache_head head;
	if (size > sizeof head) {
		memcpy(&head, data, sizeof head);
		const char *binary = data + sizeof head;
		if (memcmp(head.magic, magic, sizeof magic) == 0 &&
		    head.size == size - sizeof head && head.hash == oz_hash(binary, head.size, 0))
			program = from_binary(cl, context, device, (const unsigned char *)binary,
			                      head.size);
	}
	free(data);
	return program;
}

// writes the binary; a failure is ignored, because the next run can build the program again
static void save_cached(const oz_cl_api *cl, cl_program program, const char *path)
{
	size_t size = 0;
	cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
	char *data = size ? malloc(sizeof(cache_head) + size) : NULL;
	if (!data)
		return;
	unsigned char *binary = (unsigned char *)data + sizeof(cache_head);
	if (cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
	    CL_SUCCESS) {
		cache_head head = {.size = size, .hash = oz_hash(binary, size, 0)};
		memcpy(head.magic, magic, sizeof magic);
		memcpy(data, &head, sizeof head);
		oz_file file;
		if (oz_file_begin(&file, path, NULL) == OZ_OK) {
			oz_file_put(&file, data, sizeof head + size);
			oz_file_commit(&file, NULL);
		}
	}
	free(data);
}

// ---- building ---------------------------------------------------------------------------------

// Copies the first line of a build log that has the word error; without one, the first line.
static void find_error_line(const char *log, char *line, size_t size)
{
	const char *at = strstr(log, "error");
	if (!at)
		at = log;
	while (at > log && at[-1] != '\n')
		at--;
	while (*at == '\n')
		at++;
	snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

// writes a sentence with the first error of the build log
static oz_result fail_build(const oz_cl_api *cl, cl_program program, cl_device_id device,
                            cl_int status, oz_error *error)
{
	char name[96] = "", line[240] = "", *log = NULL;
	size_t size = 0;
	cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
	cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
	if (size && (log = malloc(size + 1))) {
		log[0] = log[size] = 0;
		cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
		find_error_line(log, line, sizeof line);
	}
	free(log);
	return oz_fail(error, OZ_ERROR_DEVICE,
	               "the driver of '%s' cannot build the kernels (%s): %s; update the driver, "
	               "or use the device cpu",
	               name, oz_cl_error_name(status), line[0] ? line : "no reason given");
}

static oz_result build(const oz_cl_api *cl, cl_context context, cl_device_id device,
                       const char *text, cl_program *program, oz_error *error)
{
	const char *texts[] = {text};
	cl_int status;
	*program = cl->clCreateProgramWithSource(context, 1, texts, NULL, &status);
	if (status != CL_SUCCESS)
		return oz_fail(error, OZ_ERROR_DEVICE,
		               "the OpenCL driver cannot create a program (%s); update it, or use "
		               "the device cpu",
		               oz_cl_error_name(status));
	status = cl->clBuildProgram(*program, 1, &device, OPTIONS, NULL, NULL);
	if (status == CL_SUCCESS)
		return OZ_OK;
	const oz_result result = fail_build(cl, *program, device, status, error);
	cl->clReleaseProgram(*program);
	*program = NULL;
	return result;
}

// logs that the driver compiles now; `kept`: the result goes to the cache
static void log_compiling(const oz_cl_api *cl, cl_device_id device, bool kept,
                          const oz_hooks *hooks)
{
	char name[96] = "";
	cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
	oz_log_progress(hooks, "compiling the kernels for %s%s", name,
	                kept ? ", once: it may take a minute, and the result is kept" : "");
}

oz_result oz_cl_program(cl_context context, cl_device_id device, const char *text,
                        const oz_hooks *hooks, cl_program *program, oz_error *error)
{
	const oz_cl_api *cl = oz_cl();
	const cache_path path = cache_file(cl, device, text);
	*program = path.text[0] ? load_cached(cl, context, device, path.text) : NULL;
	if (*program)
		return OZ_OK;
	log_compiling(cl, device, path.text[0] != 0, hooks);
	const oz_result result = build(cl, context, device, text, program, error);
	oz_log_progress(hooks, NULL);
	if (result == OZ_OK && path.text[0])
		save_cached(cl, *program, path.text);
	return result;
}
