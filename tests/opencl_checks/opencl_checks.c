// opencl_checks.c: launches the kernels of opencl_checks.cl.
#include "opencl_checks.h"

typedef struct buffers {
	oz_float4 *position;
	uint *list, *start, *count, *to, *out;
	float *rest, *pairs, *links, *most;
} buffers;

static void *put(oz_device *d, const void *host, size_t size)
{
	void *buffer = d->ops->alloc(d, size);
	if (buffer && host)
		d->ops->write(d, buffer, 0, host, size);
	return buffer;
}

static void launch(oz_device *d, const buffers *b, uint first)
{
	const oz_lists lists = {.list = b->list,
	                        .start = b->start,
	                        .count = b->count,
	                        .stride = 32};
	oz_device_begin_stage(d, 0, "pairs");
	OZ_LAUNCH_PAIRS(d, check_pairs, CHECK_ITEMS, &lists, .position = b->position,
	                .sum = b->pairs, .scale = 2);
	oz_device_begin_stage(d, 1, "links");
	OZ_LAUNCH_PAIRS(d, check_links, CHECK_ITEMS, &lists, .position = b->position,
	                .rest = b->rest, .sum = b->links, .scale = 2);
	oz_device_begin_stage(d, 2, "scatter");
	OZ_LAUNCH(d, check_scatter, CHECK_ITEMS, .to = b->to, .out = b->out, .first = first);
	oz_device_begin_stage(d, 3, "most");
	OZ_LAUNCH(d, check_most, CHECK_ITEMS, .value = b->pairs, .groups = b->most, .first = 0);
}

void check_launch(oz_device *d, const check_values *v, check_results *r)
{
	buffers b = {.position = put(d, v->position, sizeof v->position),
	             .list = put(d, v->list, sizeof v->list),
	             .start = put(d, v->start, sizeof v->start),
	             .count = put(d, v->count, sizeof v->count),
	             .to = put(d, v->to, sizeof v->to),
	             .rest = put(d, v->rest, sizeof v->rest),
	             .out = put(d, NULL, sizeof r->out),
	             .pairs = put(d, NULL, sizeof r->pairs),
	             .links = put(d, NULL, sizeof r->links),
	             .most = put(d, NULL, sizeof r->most)};
	launch(d, &b, v->first);
	d->ops->read(d, r->pairs, b.pairs, 0, sizeof r->pairs);
	d->ops->read(d, r->links, b.links, 0, sizeof r->links);
	d->ops->read(d, r->out, b.out, 0, sizeof r->out);
	d->ops->read(d, &r->most, b.most, 0, sizeof r->most);
	d->ops->release(d, b.position, sizeof v->position);
	d->ops->release(d, b.list, sizeof v->list);
	d->ops->release(d, b.start, sizeof v->start);
	d->ops->release(d, b.count, sizeof v->count);
	d->ops->release(d, b.to, sizeof v->to);
	d->ops->release(d, b.rest, sizeof v->rest);
	d->ops->release(d, b.out, sizeof r->out);
	d->ops->release(d, b.pairs, sizeof r->pairs);
	d->ops->release(d, b.links, sizeof r->links);
	d->ops->release(d, b.most, sizeof r->most);
}
