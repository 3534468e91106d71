// api.h: the functions of OpenCL 1.2 that we call, loaded at run time.
//
// The program does not link OpenCL: it also runs on a machine without a driver, where only opening
// an OpenCL device fails.
#ifndef OZ_CL_API_H
#define OZ_CL_API_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// devices, contexts, programs
#define OZ_CL_SETUP_FUNCTIONS(X)                                                                   \
	X(clGetPlatformIDs)                                                                        \
	X(clGetPlatformInfo)                                                                       \
	X(clGetDeviceIDs)                                                                          \
	X(clGetDeviceInfo)                                                                         \
	X(clCreateContext)                                                                         \
	X(clReleaseContext)                                                                        \
	X(clCreateCommandQueue)                                                                    \
	X(clReleaseCommandQueue)                                                                   \
	X(clCreateProgramWithSource)                                                               \
	X(clCreateProgramWithBinary)                                                               \
	X(clBuildProgram)                                                                          \
	X(clGetProgramInfo)                                                                        \
	X(clGetProgramBuildInfo)                                                                   \
	X(clReleaseProgram)                                                                        \
	X(clCreateKernel)                                                                          \
	X(clGetKernelWorkGroupInfo)                                                                \
	X(clReleaseKernel)

// buffers and launches
#define OZ_CL_WORK_FUNCTIONS(X)                                                                    \
	X(clSetKernelArg)                                                                          \
	X(clCreateBuffer)                                                                          \
	X(clReleaseMemObject)                                                                      \
	X(clEnqueueReadBuffer)                                                                     \
	X(clEnqueueWriteBuffer)                                                                    \
	X(clEnqueueCopyBuffer)                                                                     \
	X(clEnqueueFillBuffer)                                                                     \
	X(clEnqueueNDRangeKernel)                                                                  \
	X(clGetEventProfilingInfo)                                                                 \
	X(clReleaseEvent)                                                                          \
	X(clFinish)

#define OZ_CL_FUNCTIONS(X) OZ_CL_SETUP_FUNCTIONS(X) OZ_CL_WORK_FUNCTIONS(X)

typedef struct oz_cl_api {
#define OZ_CL_MEMBER(function) __typeof__(function) *function;
	struct {
		OZ_CL_SETUP_FUNCTIONS(OZ_CL_MEMBER)
	};
	struct {
		OZ_CL_WORK_FUNCTIONS(OZ_CL_MEMBER)
	};
#undef OZ_CL_MEMBER
} oz_cl_api;

// The loaded functions; NULL if no driver is installed.
const oz_cl_api *oz_cl(void);

// the name of an error code, as the standard spells it
const char *oz_cl_error_name(cl_int code);

#endif
