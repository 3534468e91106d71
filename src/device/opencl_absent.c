// opencl_absent.c: replaces the OpenCL device in a build without the OpenCL headers.
#include "device/device.h"

oz_result oz_device_opencl(oz_heap *heap, uint32_t number, oz_device **device, oz_error *error)
{
	(void)heap;
	(void)number;
	*device = NULL;
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "this build has no OpenCL; install opencl-headers and build again, or use "
	               "the device cpu");
}

uint32_t oz_opencl_devices(oz_device_info *infos, uint32_t room)
{
	(void)infos;
	(void)room;
	return 0;
}
