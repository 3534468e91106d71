// charts.c: the charts of a world's colliders, on its device.
//
// All lie one after the other in three buffers, and each collider knows where its own begins. Two
// that share a chart and have the material on the same side share its place. What the solid fills
// of the kernel is worked out once, when a chart comes in, for the world's kernel and spacing.
#include <math.h>

#include "boundary/chart_data.h"
#include "boundary/depth.cl"
#include "math/sph.h"
#include "world/world.h"

static oz_result no_memory(const oz_chart *chart, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for a chart of %zu MB; make its cells larger",
	               oz_chart_bytes(chart) >> 20);
}

static float side_of(const oz_collider_def *def)
{
	return def->shell ? 0.0f : def->inside ? -1.0f : 1.0f;
}

static void free_charts(oz_device *d, const oz_charts *c)
{
	const size_t nodes = (size_t)c->block_count * OZ_CHART_NODES;
	d->ops->release(d, c->places, sizeof *c->places * c->place_count);
	d->ops->release(d, c->leads, sizeof *c->leads * nodes);
	d->ops->release(d, c->depths, sizeof *c->depths * nodes);
}

void oz_charts_free(oz_world *w)
{
	free_charts(w->device, &w->charts);
	w->charts = (oz_charts){0};
}

static oz_charts alloc_charts(oz_device *d, uint32_t places, uint32_t blocks)
{
	const size_t nodes = (size_t)blocks * OZ_CHART_NODES;
	return (oz_charts){.places = d->ops->alloc(d, sizeof(uint) * places),
	                   .leads = d->ops->alloc(d, sizeof(oz_float4) * nodes),
	                   .depths = d->ops->alloc(d, sizeof(oz_depth) * nodes),
	                   .place_count = places,
	                   .block_count = blocks};
}

// makes room for one more chart behind the others
static bool reserve(oz_world *w, const oz_chart *chart)
{
	oz_device *d = w->device;
	const oz_charts old = w->charts;
	const size_t nodes = (size_t)old.block_count * OZ_CHART_NODES;
	oz_charts more = alloc_charts(d, old.place_count + chart->place_count,
	                              old.block_count + chart->block_count);
	const bool room = more.places && more.leads && more.depths;
	if (room && nodes) {
		d->ops->copy(d, more.places, old.places, sizeof(uint) * old.place_count);
		d->ops->copy(d, more.leads, old.leads, sizeof(oz_float4) * nodes);
		d->ops->copy(d, more.depths, old.depths, sizeof(oz_depth) * nodes);
	}
	free_charts(d, room ? &w->charts : &more);
	if (room)
		w->charts = more;
	return room;
}

static oz_depth_rules rules_of(const oz_world *w, const oz_chart_frame *frame, float side)
{
	const float s = w->def.spacing, h = w->fluid.h;
	const float fine = h / 4.0f; // enough for a kernel: 268 points in its support
	return (oz_depth_rules){.chart = *frame,
	                        .side = side,
	                        .h = h,
	                        .spacing = s,
	                        .scale = w->wall_scale * w->fluid.volume / (s * s * s),
	                        .reach = w->wall_reach,
	                        .least = oz_wall_rules_of(w).contact,
	                        .deep = sqrtf(3.0f) * frame->cell,
	                        .stride = (uint)fmaxf(roundf(fine / frame->cell), 1.0f)};
}

typedef struct depth_buffers {
	uint *where;
	float *smooth;
} depth_buffers;

static void write_smooth(const oz_world *w, float *buffer)
{
	float smooth[OZ_SMOOTH_TABLE + 2];
	for (uint k = 0; k <= OZ_SMOOTH_TABLE; k++) {
		const float r2 = w->fluid.h * w->fluid.h * (float)k / OZ_SMOOTH_TABLE;
		smooth[k] = oz_sph_w(w->fluid.smoothing, lane_of(r2), w->fluid.h)[0];
	}
	smooth[OZ_SMOOTH_TABLE] = smooth[OZ_SMOOTH_TABLE + 1] = 0;
	w->device->ops->write(w->device, buffer, 0, smooth, sizeof smooth);
}

static void write_where(oz_device *d, const oz_chart *chart, uint *where, uint *buffer)
{
	for (uint k = 0; k < chart->place_count; k++)
		if (chart->places[k] < OZ_CHART_INSIDE)
			where[chart->places[k]] = k;
	d->ops->write(d, buffer, 0, where, sizeof *where * chart->block_count);
}

static oz_result sound_depths(oz_world *w, const oz_chart *chart, const oz_chart_frame *frame,
                              float side, oz_error *error)
{
	oz_device *d = w->device;
	const size_t where_size = sizeof(uint) * (chart->block_count + 1ull);
	const size_t smooth_size = sizeof(float) * (OZ_SMOOTH_TABLE + 2);
	uint *where = oz_heap_alloc(&w->heap, where_size);
	depth_buffers b = {d->ops->alloc(d, where_size), d->ops->alloc(d, smooth_size)};
	const bool room = where && b.where && b.smooth;
	if (room) {
		write_where(d, chart, where, b.where);
		write_smooth(w, b.smooth);
		OZ_LAUNCH(d, chart_depth, chart->block_count * OZ_CHART_NODES,
		          .places = w->charts.places, .leads = w->charts.leads, .where = b.where,
		          .table = w->wall_table, .smooth = b.smooth, .depths = w->charts.depths,
		          .rules = rules_of(w, frame, side));
	}
	oz_heap_free(&w->heap, where, where_size);
	d->ops->release(d, b.where, where_size);
	d->ops->release(d, b.smooth, smooth_size);
	return room ? oz_device_check(d, error) : no_memory(chart, error);
}

static const oz_obstacle *find_alike(const oz_world *w, const oz_collider_def *def)
{
	for (uint32_t k = 0; k < w->solids.count; k++) {
		const oz_obstacle *o = &oz_obstacles(w)[k];
		if (o->def.shape.chart == def->shape.chart && side_of(&o->def) == side_of(def))
			return o;
	}
	return NULL;
}

oz_result oz_charts_add(oz_world *w, const oz_collider_def *def, oz_chart_frame *frame,
                        oz_error *error)
{
	const oz_chart *chart = def->shape.chart;
	const oz_obstacle *alike = find_alike(w, def);
	oz_device *d = w->device;
	if (alike) {
		*frame = alike->chart;
		return OZ_OK;
	}
	*frame = chart->frame;
	frame->place = w->charts.place_count;
	frame->block = w->charts.block_count;
	if ((uint64_t)frame->block + chart->block_count > UINT32_MAX / OZ_CHART_NODES - 2 ||
	    !reserve(w, chart))
		return no_memory(chart, error);
	d->ops->write(d, w->charts.places, sizeof(uint) * frame->place, chart->places,
	              sizeof(uint) * chart->place_count);
	d->ops->write(d, w->charts.leads, sizeof(oz_float4) * frame->block * OZ_CHART_NODES,
	              chart->leads, sizeof(oz_float4) * chart->block_count * OZ_CHART_NODES);
	return sound_depths(w, chart, frame, side_of(def), error);
}
