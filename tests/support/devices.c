// devices.c: the device that a test runs on, and its buffers.
#include "support.h"
#include "world/world.h"

oz_device *test_device(oz_heap *heap, uint32_t threads)
{
	oz_device *device;
	oz_error error = {0};
	if (oz_device_open(heap, NULL, threads, &device, &error) != OZ_OK)
		fail_msg("%s", error.text);
	return device;
}

bool test_is_cpu(const oz_world *world)
{
	return strcmp(world->sim.device->ops->name, "cpu") == 0;
}

uint32_t test_threads(const oz_world *world, uint32_t asked)
{
	oz_device_info first = {0};
	if (test_is_cpu(world))
		return asked;
	assert_true(oz_devices(&first, 1) > 0);
	return first.units;
}

void *test_upload(oz_device *device, const void *host, size_t size)
{
	void *buffer = device->ops->alloc(device, size);
	assert_non_null(buffer);
	device->ops->write(device, buffer, 0, host, size);
	return buffer;
}

const void *test_see(oz_device *device, const void *buffer, size_t size)
{
	const void *seen = device->ops->view(device, buffer, size);
	assert_true(seen || size == 0);
	if (device->failure.code != OZ_OK)
		fail_msg("%s", device->failure.text);
	return seen;
}

const void *test_look(const oz_world *world, const void *buffer, size_t size)
{
	return test_see(world->sim.device, buffer, size);
}

void test_put(const oz_world *world, void *buffer, size_t offset, const void *host, size_t size)
{
	world->sim.device->ops->write(world->sim.device, buffer, offset, host, size);
}
