// open.c: makes a device from its address: cpu, opencl, opencl:2.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

oz_result oz_device_open(oz_heap *heap, const char *address, uint32_t threads, oz_device **device,
                         oz_error *error)
{
	static const char opencl[] = "opencl";
	const size_t prefix = sizeof opencl - 1;
	const bool given = address && *address;
	if (!given)
		address = getenv("OOZE_DEVICE");
	if (!address || !*address || strcmp(address, "cpu") == 0)
		return oz_device_cpu(heap, threads, device, error);
	if (strcmp(address, opencl) == 0)
		return oz_device_opencl(heap, 0, device, error);
	char *end = NULL;
	const bool numbered = strncmp(address, opencl, prefix) == 0 && address[prefix] == ':' &&
	                      address[prefix + 1] >= '0' && address[prefix + 1] <= '9';
	const unsigned long number = numbered ? strtoul(address + prefix + 1, &end, 10) : 0;
	if (numbered && *end == 0 && number < UINT32_MAX)
		return oz_device_opencl(heap, (uint32_t)number, device, error);
	*device = NULL;
	return oz_fail(error, OZ_ERROR_ARGUMENT,
	               "there is no device '%.40s'%s; use cpu, opencl, or one that `ooze devices` "
	               "lists",
	               address, given ? "" : " (from OOZE_DEVICE)");
}

uint32_t oz_devices(oz_device_info *infos, uint32_t room)
{
	return oz_opencl_devices(infos, room);
}
