// devices.c: lists and describes the OpenCL devices of this machine.
#include <stdio.h>
#include <string.h>

#include "device/opencl/opencl.h"

#define PLATFORMS 16u
#define DEVICES   16u // of one platform

// Appends the devices of a platform, either GPUs only or all others; returns the new count.
static uint32_t add_places(const oz_cl_api *cl, cl_platform_id platform, bool gpus,
                           oz_cl_place *places, uint32_t room, uint32_t count)
{
	cl_device_id devices[DEVICES];
	cl_uint found = 0;
	if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &found) !=
	    CL_SUCCESS)
		return count;
	for (cl_uint k = 0; k < found && k < DEVICES; k++) {
		cl_device_type type = 0;
		cl->clGetDeviceInfo(devices[k], CL_DEVICE_TYPE, sizeof type, &type, NULL);
		if (((type & CL_DEVICE_TYPE_GPU) != 0) != gpus)
			continue;
		if (count < room)
			places[count] = (oz_cl_place){platform, devices[k]};
		count++;
	}
	return count;
}

uint32_t oz_cl_places(oz_cl_place *places, uint32_t room)
{
	const oz_cl_api *cl = oz_cl();
	cl_platform_id platforms[PLATFORMS];
	cl_uint found = 0;
	uint32_t count = 0;
	if (!cl || cl->clGetPlatformIDs(PLATFORMS, platforms, &found) != CL_SUCCESS)
		return 0;
	found = found < PLATFORMS ? found : PLATFORMS;
	for (cl_uint k = 0; k < found; k++)
		count = add_places(cl, platforms[k], true, places, room, count);
	for (cl_uint k = 0; k < found; k++)
		count = add_places(cl, platforms[k], false, places, room, count);
	return count;
}

// one text property of a device, without leading spaces
static void get_text(const oz_cl_api *cl, cl_device_id device, cl_device_info what, char *text,
                     size_t size)
{
	char whole[256] = "";
	cl->clGetDeviceInfo(device, what, sizeof whole - 1, whole, NULL);
	const char *begin = whole;
	while (*begin == ' ')
		begin++;
	snprintf(text, size, "%s", begin);
}

void oz_cl_describe(const oz_cl_place *place, oz_device_info *info)
{
	const oz_cl_api *cl = oz_cl();
	char version[48], platform[64] = "";
	cl_ulong memory = 0, largest = 0;
	cl_uint units = 0;
	cl_device_type type = 0;
	get_text(cl, place->device, CL_DEVICE_NAME, info->name, sizeof info->name);
	get_text(cl, place->device, CL_DRIVER_VERSION, version, sizeof version);
	cl->clGetPlatformInfo(place->platform, CL_PLATFORM_NAME, sizeof platform - 1, platform,
	                      NULL);
	cl->clGetDeviceInfo(place->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
	cl->clGetDeviceInfo(place->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
	cl->clGetDeviceInfo(place->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
	snprintf(info->driver, sizeof info->driver, "%.60s %s", platform, version);
	cl->clGetDeviceInfo(place->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest,
	                    NULL);
	info->memory = memory;
	info->largest = largest;
	info->units = units;
	info->gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
}
