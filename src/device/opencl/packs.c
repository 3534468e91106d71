// packs.c: packs of kernels; each is built as one program at its first use.
#include <string.h>

#include "device/opencl/opencl.h"

#define GROUP 128u // work items in a group, unless the kernel requires another number

cl_int oz_cl_make_kernel(oz_cl_device *d, cl_program program, const char *name, oz_cl_kernel *k)
{
	cl_int status;
	size_t group[3] = {0, 0, 0};
	k->kernel = d->api->clCreateKernel(program, name, &status);
	if (status == CL_SUCCESS)
		status = d->api->clGetKernelWorkGroupInfo(k->kernel, d->id,
		                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
		                                          sizeof group, group, NULL);
	k->group = group[0] ? group[0] : GROUP;
	size_t most = 0;
	if (status == CL_SUCCESS)
		status = d->api->clGetKernelWorkGroupInfo(k->kernel, d->id,
		                                          CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
		                                          &most, NULL);
	if (status == CL_SUCCESS && most < k->group)
		status = CL_INVALID_WORK_GROUP_SIZE;
	return status;
}

static void free_pack(oz_cl_device *d, oz_cl_pack *p)
{
	for (uint32_t k = 0; p->kernels && k < p->pack->count; k++)
		if (p->kernels[k].kernel)
			d->api->clReleaseKernel(p->kernels[k].kernel);
	if (p->program)
		d->api->clReleaseProgram(p->program);
	oz_heap_free(d->base.heap, p->kernels, sizeof *p->kernels * p->pack->count);
	oz_cl_checks_free(d->base.heap, &p->checks);
	*p = (oz_cl_pack){0};
}

void oz_cl_free_packs(oz_cl_device *d)
{
	for (uint32_t k = 0; k < d->pack_count; k++)
		free_pack(d, &d->packs[k]);
	d->pack_count = 0;
}

static oz_result make_kernels(oz_cl_device *d, oz_cl_pack *p, oz_error *error)
{
	for (uint32_t k = 0; k < p->pack->count; k++) {
		const oz_kernel *kernel = p->pack->kernels[k];
		if (kernel->way == OZ_WAY_CPU)
			continue;
		const cl_int status =
		        oz_cl_make_kernel(d, p->program, kernel->name, &p->kernels[k]);
		if (status != CL_SUCCESS)
			return oz_fail(error, OZ_ERROR_DEVICE,
			               "%s cannot run kernel %s (%s); update its driver, or use "
			               "the device cpu",
			               d->name, kernel->name, oz_cl_error_name(status));
	}
	return OZ_OK;
}

// the built pack; NULL: not built yet
static oz_cl_pack *find_pack(oz_cl_device *d, const oz_kernel_pack *pack)
{
	for (uint32_t k = 0; k < d->pack_count; k++)
		if (d->packs[k].pack == pack)
			return &d->packs[k];
	return NULL;
}

static oz_result build_pack(oz_cl_device *d, oz_cl_pack *p, oz_error *error)
{
	const size_t size = sizeof *p->kernels * p->pack->count;
	p->kernels = oz_heap_alloc(d->base.heap, size);
	if (!p->kernels)
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u kernels; close other programs",
		               p->pack->count);
	memset(p->kernels, 0, size);
	if (d->checked && !oz_cl_checks_make(d->base.heap, p->pack->text, &p->checks))
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u kernels that check their indices; close other "
		               "programs, or unset OOZE_CHECK_DEVICE",
		               p->pack->count);
	oz_result result =
	        oz_cl_program(d->context, d->id, d->checked ? p->checks.text : p->pack->text,
	                      &d->base.heap->hooks, &p->program, error);
	if (result == OZ_OK)
		result = make_kernels(d, p, error);
	return result;
}

oz_result oz_cl_prepare(oz_device *device, const oz_kernel_pack *pack, oz_error *error)
{
	oz_cl_device *d = oz_cl_of(device);
	if (find_pack(d, pack))
		return OZ_OK;
	if (!pack->text || d->pack_count == OZ_CL_PACKS)
		return oz_fail(error, OZ_ERROR_DEVICE,
		               pack->text ? "a device takes at most %u packs of kernels; use fewer "
		                            "packs"
		                          : "a pack of %u kernels was built without its OpenCL "
		                            "text; use the device cpu",
		               pack->text ? OZ_CL_PACKS : pack->count);
	oz_cl_pack *p = &d->packs[d->pack_count];
	*p = (oz_cl_pack){.pack = pack};
	const oz_result result = build_pack(d, p, error);
	if (result == OZ_OK)
		d->pack_count++;
	else
		free_pack(d, p);
	return result;
}

bool oz_cl_can_launch(const oz_device *device, const oz_kernel *kernel)
{
	(void)device;
	return kernel->way != OZ_WAY_CPU;
}

const oz_cl_kernel *oz_cl_find_kernel(oz_cl_device *d, const oz_kernel *kernel)
{
	oz_error error;
	oz_cl_pack *p = find_pack(d, kernel->pack);
	if (!p && d->base.failure.code == OZ_OK) {
		if (oz_cl_prepare(&d->base, kernel->pack, &error) != OZ_OK)
			d->base.failure = error;
		p = find_pack(d, kernel->pack);
	}
	return p ? &p->kernels[kernel->number] : NULL;
}

void oz_cl_check_report(oz_cl_device *d, const oz_kernel *kernel)
{
	uint32_t report[OZ_REPORT_WORDS] = {0};
	char sentence[300];
	const oz_cl_pack *p = find_pack(d, kernel->pack);
	const char *stage = d->base.stage_name;
	if (d->base.failure.code != OZ_OK)
		return;
	oz_cl_read(&d->base, report, d->report, 0, sizeof report);
	if (!p || d->base.failure.code != OZ_OK || report[OZ_REPORT_SITE] == 0 ||
	    report[OZ_REPORT_SITE] > p->checks.sites.count)
		return;
	oz_cl_checks_describe(&p->checks, p->pack->text, report, sentence, sizeof sentence);
	oz_fail(&d->base.failure, OZ_ERROR_DEVICE,
	        "%s: wrong index in kernel %s%s%s, %s; report this sentence and the scene, or "
	        "continue from the last snapshot on another device (--device)",
	        d->name, kernel->name, stage ? " of stage " : "", stage ? stage : "", sentence);
}
