// launch.c: checks of launches that all devices share.
#include <string.h>

#include "device/device.h"

#ifdef NDEBUG

bool oz_launch_is_sound(oz_device *device, const oz_kernel *kernel, const void *args)
{
	(void)device, (void)kernel, (void)args;
	return true;
}

#else

// the name of the first buffer argument that is NULL; NULL: there is none
static const char *find_null(const oz_kernel *kernel, const void *args)
{
	size_t offset = 0;
	for (const oz_kernel_arg *a = kernel->args; a->name; a++) {
		const void *buffer;
		offset = oz_kernel_arg_offset(a, offset);
		memcpy(&buffer, (const char *)args + offset, a->is_buffer ? sizeof buffer : 0);
		if (a->is_buffer && !buffer)
			return a->name;
		offset += a->size;
	}
	return NULL;
}

bool oz_launch_is_sound(oz_device *device, const oz_kernel *kernel, const void *args)
{
	const char *name = find_null(kernel, args);
	if (name && device->failure.code == OZ_OK)
		oz_fail(&device->failure, OZ_ERROR_DEVICE,
		        "kernel %s was launched with %s = NULL; pass a buffer, or OZ_OPTIONAL(%s) "
		        "if the kernel does not access it",
		        kernel->name, name, name);
	return !name;
}

#endif
