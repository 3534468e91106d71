// charts.c: the charts of a world's colliders, on its device.
//
// All lie one after the other in three buffers, and each collider knows where its own begins. Two
// that share a chart and have the material on the same side share its place. What the solid fills
// of the kernel is worked out once, when a chart comes in, for the world's kernel and spacing.
#include <math.h>

#include "boundary/boundary.h"
#include "boundary/chart_data.h"
#include "boundary/depth.cl"
#include "math/sph.h"

static oz_result no_memory(const oz_chart *chart, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for a chart of %zu MB; make its cells larger",
	               oz_chart_bytes(chart) >> 20);
}

static void free_charts(oz_device *d, const oz_charts *c)
{
	const size_t nodes = (size_t)c->block_count * OZ_CHART_NODES;
	d->ops->release(d, c->places, sizeof *c->places * c->place_count);
	d->ops->release(d, c->leads, sizeof *c->leads * nodes);
	d->ops->release(d, c->depths, sizeof *c->depths * nodes);
}

void oz_charts_free(oz_boundary *b, oz_device *d)
{
	free_charts(d, &b->charts);
	b->charts = (oz_charts){0};
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
static bool reserve(oz_boundary *b, oz_device *d, uint32_t places, uint32_t blocks)
{
	const oz_charts old = b->charts;
	const size_t nodes = (size_t)old.block_count * OZ_CHART_NODES;
	oz_charts more = alloc_charts(d, old.place_count + places, old.block_count + blocks);
	const bool room = more.places && more.leads && more.depths;
	if (room && old.place_count) {
		d->ops->copy(d, more.places, old.places, sizeof(uint) * old.place_count);
		d->ops->copy(d, more.leads, old.leads, sizeof(oz_float4) * nodes);
		d->ops->copy(d, more.depths, old.depths, sizeof(oz_depth) * nodes);
	}
	free_charts(d, room ? &b->charts : &more);
	if (room)
		b->charts = more;
	return room;
}

// ---- what the world needs of a chart ----------------------------------------------------------

// Blocks that a wall reaches; the others are told by their side alone.
typedef struct trimmed {
	uint *places; // as those of the chart
	uint *where;  // place of each block
	uint32_t block_count;
} trimmed;

static const oz_float4 *leads_of(const oz_chart *chart, uint block)
{
	return chart->leads + (size_t)block * OZ_CHART_NODES;
}

static uint place_of(const oz_chart *chart, uint block, float reach, uint next)
{
	const oz_float4 *leads = leads_of(chart, block);
	for (uint k = 0; k < OZ_CHART_NODES; k++)
		if (fabsf(leads[k].w) < reach + chart->frame.cell)
			return next;
	return leads->w < 0 ? OZ_CHART_INSIDE : OZ_CHART_OUTSIDE;
}

static void free_trimmed(oz_heap *heap, const oz_chart *chart, trimmed *t)
{
	oz_heap_free(heap, t->places, sizeof *t->places * chart->place_count);
	oz_heap_free(heap, t->where, sizeof *t->where * (chart->block_count + 1ull));
}

static bool trim(oz_heap *heap, const oz_chart *chart, float reach, trimmed *t)
{
	t->places = oz_heap_alloc(heap, sizeof *t->places * chart->place_count);
	t->where = oz_heap_alloc(heap, sizeof *t->where * (chart->block_count + 1ull));
	if (!t->places || !t->where)
		return false;
	for (uint k = 0; k < chart->place_count; k++) {
		const uint block = chart->places[k];
		t->places[k] = block < OZ_CHART_INSIDE
		                       ? place_of(chart, block, reach, t->block_count)
		                       : block;
		if (t->places[k] < OZ_CHART_INSIDE)
			t->where[t->block_count++] = k;
	}
	return true;
}

// ---- depths -----------------------------------------------------------------------------------

static oz_depth_rules rules_of(const oz_boundary *b, const oz_sim *sim, const oz_chart_frame *frame,
                               float side)
{
	const float s = sim->def.spacing, h = sim->fluid.h;
	const float fine = h / 4.0f; // enough for a kernel: 268 points in its support
	return (oz_depth_rules){.chart = *frame,
	                        .side = side,
	                        .h = h,
	                        .spacing = s,
	                        .scale = b->wall_scale * sim->fluid.volume / (s * s * s),
	                        .reach = b->wall_reach,
	                        .least = oz_wall_rules_of(b, sim).contact,
	                        .deep = sqrtf(3.0f) * frame->cell,
	                        .stride = (uint)fmaxf(roundf(fine / frame->cell), 1.0f)};
}

typedef struct depth_buffers {
	uint *where;
	float *smooth;
} depth_buffers;

static void write_smooth(const oz_sim *sim, float *buffer)
{
	float smooth[OZ_SMOOTH_TABLE + 2];
	for (uint k = 0; k <= OZ_SMOOTH_TABLE; k++) {
		const float r2 = sim->fluid.h * sim->fluid.h * (float)k / OZ_SMOOTH_TABLE;
		smooth[k] = oz_sph_w(sim->fluid.smoothing, lane_of(r2), sim->fluid.h)[0];
	}
	smooth[OZ_SMOOTH_TABLE] = smooth[OZ_SMOOTH_TABLE + 1] = 0;
	sim->device->ops->write(sim->device, buffer, 0, smooth, sizeof smooth);
}

static bool sound_depths(oz_boundary *b, oz_sim *sim, const trimmed *t, const oz_chart_frame *frame,
                         float side)
{
	oz_device *d = sim->device;
	const size_t where_size = sizeof(uint) * (t->block_count + 1ull);
	const size_t smooth_size = sizeof(float) * (OZ_SMOOTH_TABLE + 2);
	depth_buffers buffers = {d->ops->alloc(d, where_size), d->ops->alloc(d, smooth_size)};
	const bool room = buffers.where && buffers.smooth;
	if (room) {
		d->ops->write(d, buffers.where, 0, t->where, sizeof(uint) * t->block_count);
		write_smooth(sim, buffers.smooth);
		OZ_LAUNCH(d, chart_depth, t->block_count * OZ_CHART_NODES,
		          .places = b->charts.places, .leads = b->charts.leads,
		          .where = buffers.where, .table = b->wall_table, .smooth = buffers.smooth,
		          .depths = b->charts.depths, .rules = rules_of(b, sim, frame, side));
		OZ_LAUNCH(d, chart_slope, t->block_count * OZ_CHART_NODES,
		          .places = b->charts.places, .leads = b->charts.leads,
		          .where = buffers.where, .depths = b->charts.depths,
		          .rules = rules_of(b, sim, frame, side));
	}
	d->ops->release(d, buffers.where, where_size);
	d->ops->release(d, buffers.smooth, smooth_size);
	return room;
}

static const oz_obstacle *find_alike(const oz_boundary *b, const oz_collider_def *def)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		const oz_obstacle *o = &oz_obstacles(b)[k];
		if (o->def.shape.chart == def->shape.chart &&
		    oz_side_of(&o->def) == oz_side_of(def))
			return o;
	}
	return NULL;
}

static void write_chart(const oz_boundary *b, oz_device *d, const oz_chart *chart, const trimmed *t,
                        const oz_chart_frame *frame)
{
	const size_t block = sizeof(oz_float4) * OZ_CHART_NODES;
	d->ops->write(d, b->charts.places, sizeof(uint) * frame->place, t->places,
	              sizeof(uint) * chart->place_count);
	for (uint32_t k = 0; k < t->block_count; k++)
		d->ops->write(d, b->charts.leads, block * (frame->block + k),
		              leads_of(chart, chart->places[t->where[k]]), block);
}

oz_result oz_charts_add(oz_boundary *b, oz_sim *sim, const oz_collider_def *def,
                        oz_chart_frame *frame, oz_error *error)
{
	const oz_chart *chart = def->shape.chart;
	const oz_obstacle *alike = find_alike(b, def);
	if (alike) {
		*frame = alike->chart;
		return OZ_OK;
	}
	*frame = chart->frame;
	frame->reach = fminf(chart->frame.reach, b->wall_reach + frame->cell);
	frame->place = b->charts.place_count;
	frame->block = b->charts.block_count;
	trimmed t = {0};
	bool room = trim(sim->heap, chart, frame->reach, &t) &&
	            (uint64_t)frame->block + t.block_count <= UINT32_MAX / OZ_CHART_NODES - 2 &&
	            reserve(b, sim->device, chart->place_count, t.block_count);
	if (room) {
		write_chart(b, sim->device, chart, &t, frame);
		room = sound_depths(b, sim, &t, frame, oz_side_of(def));
	}
	free_trimmed(sim->heap, chart, &t);
	return room ? oz_device_check(sim->device, error) : no_memory(chart, error);
}
