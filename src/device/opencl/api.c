// api.c: loads the OpenCL library of this machine when it is first needed.
#include "device/opencl/api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static oz_cl_api functions;
static const oz_cl_api *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Copies the address of a function of the library into `place`; returns NULL if it has none.
// memcpy, because ISO C cannot cast an object pointer to a function pointer; POSIX gives both the
// same form.
static void *find_function(void *library, const char *name, void *place, size_t size)
{
	void *symbol = dlsym(library, name);
	memcpy(place, &symbol, size);
	return symbol;
}

// sets `found` if the library and all its functions exist
static void find_library(void)
{
	static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", "libOpenCL.dylib"};
	void *library = NULL;
	for (size_t k = 0; k < sizeof names / sizeof *names && !library; k++)
		library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return;
	found = &functions;
#define FIND(function)                                                                             \
	if (!find_function(library, #function, &functions.function, sizeof functions.function))    \
		found = NULL;
	OZ_CL_FUNCTIONS(FIND)
#undef FIND
}

const oz_cl_api *oz_cl(void)
{
	pthread_once(&once, find_library);
	return found;
}

const char *oz_cl_error_name(cl_int code)
{
	static const struct {
		cl_int code;
		const char *name;
	} names[] = {
#define NAME(code) {code, #code}
	        NAME(CL_DEVICE_NOT_FOUND),
	        NAME(CL_DEVICE_NOT_AVAILABLE),
	        NAME(CL_COMPILER_NOT_AVAILABLE),
	        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
	        NAME(CL_OUT_OF_RESOURCES),
	        NAME(CL_OUT_OF_HOST_MEMORY),
	        NAME(CL_BUILD_PROGRAM_FAILURE),
	        NAME(CL_INVALID_VALUE),
	        NAME(CL_INVALID_DEVICE),
	        NAME(CL_INVALID_CONTEXT),
	        NAME(CL_INVALID_COMMAND_QUEUE),
	        NAME(CL_INVALID_MEM_OBJECT),
	        NAME(CL_INVALID_BINARY),
	        NAME(CL_INVALID_BUILD_OPTIONS),
	        NAME(CL_INVALID_KERNEL),
	        NAME(CL_INVALID_KERNEL_NAME),
	        NAME(CL_INVALID_ARG_INDEX),
	        NAME(CL_INVALID_ARG_VALUE),
	        NAME(CL_INVALID_ARG_SIZE),
	        NAME(CL_INVALID_KERNEL_ARGS),
	        NAME(CL_INVALID_WORK_GROUP_SIZE),
	        NAME(CL_INVALID_WORK_ITEM_SIZE),
	        NAME(CL_INVALID_BUFFER_SIZE),
	        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
#undef NAME
	};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (names[k].code == code)
			return names[k].name;
	return "an unknown OpenCL error";
}
