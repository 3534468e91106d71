// sdfs.c: copies the SDFs of a world's colliders to its device.
//
// All SDFs lie one after the other in three buffers; each collider holds the offsets of its own.
// Two colliders with the same SDF and the particles on the same side use the same copy. The
// equivalent distances of the nodes are computed once, when an SDF is added, for the world's kernel
// and spacing, or taken from the store of the SDF.
#include <math.h>
#include <string.h>

#include "boundary/boundary.h"
#include "boundary/sdf_data.h"
#include "boundary/wall_nodes.cl"
#include "math/sph.h"

static oz_result no_memory(const oz_sdf *sdf, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for an SDF of %zu MB; make its cells larger",
	               oz_sdf_bytes(sdf) >> 20);
}

static void free_sdfs(oz_device *d, const oz_sdfs *c)
{
	const size_t nodes = (size_t)c->block_count * OZ_SDF_NODES;
	d->ops->release(d, c->places, sizeof *c->places * c->place_count);
	d->ops->release(d, c->nearest, sizeof *c->nearest * nodes);
	d->ops->release(d, c->wall_nodes, sizeof *c->wall_nodes * nodes);
	d->ops->release(d, c->thin, sizeof *c->thin * c->block_count);
}

void oz_sdfs_free(oz_boundary *b, oz_device *d)
{
	free_sdfs(d, &b->sdfs);
	b->sdfs = (oz_sdfs){0};
}

static oz_sdfs alloc_sdfs(oz_device *d, uint32_t places, uint32_t blocks)
{
	const size_t nodes = (size_t)blocks * OZ_SDF_NODES;
	return (oz_sdfs){.places = d->ops->alloc(d, sizeof(uint) * places),
	                 .nearest = d->ops->alloc(d, sizeof(oz_float4) * nodes),
	                 .wall_nodes = d->ops->alloc(d, sizeof(oz_wall_node) * nodes),
	                 .thin = d->ops->alloc(d, sizeof(uint) * blocks),
	                 .place_count = places,
	                 .block_count = blocks};
}

// enlarges the buffers for one more SDF and copies the others; false: out of memory
static bool reserve(oz_boundary *b, oz_device *d, uint32_t places, uint32_t blocks)
{
	const oz_sdfs old = b->sdfs;
	const size_t nodes = (size_t)old.block_count * OZ_SDF_NODES;
	oz_sdfs more = alloc_sdfs(d, old.place_count + places, old.block_count + blocks);
	const bool room = more.places && more.nearest && more.wall_nodes && more.thin;
	if (room && old.place_count) {
		d->ops->copy(d, more.places, old.places, sizeof(uint) * old.place_count);
		d->ops->copy(d, more.nearest, old.nearest, sizeof(oz_float4) * nodes);
		d->ops->copy(d, more.wall_nodes, old.wall_nodes, sizeof(oz_wall_node) * nodes);
		d->ops->copy(d, more.thin, old.thin, sizeof(uint) * old.block_count);
	}
	free_sdfs(d, room ? &b->sdfs : &more);
	if (room)
		b->sdfs = more;
	return room;
}

// ---- trimming an SDF to the reach of λ -------------------------------------------------------

// The blocks that have a node within reach of λ; of the others only the side is kept.
typedef struct trimmed {
	uint *places;         // as in oz_sdf, with the new block numbers
	uint *place_of_block; // place of each block
	uint32_t block_count;
} trimmed;

static const oz_float4 *nearest_of(const oz_sdf *sdf, uint block)
{
	return sdf->nearest + (size_t)block * OZ_SDF_NODES;
}

// `next`, the new number of a block that is kept, or the side of a block that is not
static uint trimmed_place(const oz_sdf *sdf, uint block, float reach, uint next)
{
	const oz_float4 *nearest = nearest_of(sdf, block);
	for (uint k = 0; k < OZ_SDF_NODES; k++)
		if (fabsf(nearest[k].w) < reach + sdf->frame.cell)
			return next;
	return nearest->w < 0 ? OZ_SDF_INSIDE : OZ_SDF_OUTSIDE;
}

static void free_trimmed(oz_heap *heap, const oz_sdf *sdf, trimmed *t)
{
	oz_heap_free(heap, t->places, sizeof *t->places * sdf->place_count);
	oz_heap_free(heap, t->place_of_block,
	             sizeof *t->place_of_block * (sdf->block_count + 1ull));
}

// finds the blocks that are kept and numbers them; false: out of memory
static bool trim(oz_heap *heap, const oz_sdf *sdf, float reach, trimmed *t)
{
	t->places = oz_heap_alloc(heap, sizeof *t->places * sdf->place_count);
	t->place_of_block =
	        oz_heap_alloc(heap, sizeof *t->place_of_block * (sdf->block_count + 1ull));
	if (!t->places || !t->place_of_block)
		return false;
	for (uint k = 0; k < sdf->place_count; k++) {
		const uint block = sdf->places[k];
		t->places[k] = block < OZ_SDF_INSIDE
		                       ? trimmed_place(sdf, block, reach, t->block_count)
		                       : block;
		if (t->places[k] < OZ_SDF_INSIDE)
			t->place_of_block[t->block_count++] = k;
	}
	return true;
}

// ---- equivalent distances ---------------------------------------------------------------------

// the constants by which kernels compute the equivalent distances of an SDF
static oz_wall_node_rules rules_of(const oz_boundary *b, const oz_sim *sim,
                                   const oz_sdf_frame *frame, float side)
{
	const float s = sim->def.spacing, h = sim->fluid.h;
	const float fine = h / 4.0f; // m, of the sum over nodes: 268 points in the support
	return (oz_wall_node_rules){.sdf = *frame,
	                            .side = side,
	                            .h = h,
	                            .spacing = s,
	                            .scale = b->wall_scale * sim->fluid.volume / (s * s * s),
	                            .reach = b->wall_reach,
	                            .least = oz_wall_rules_of(b, sim).contact,
	                            .deep = sqrtf(3.0f) * frame->cell,
	                            .stride = (uint)fmaxf(roundf(fine / frame->cell), 1.0f)};
}

// writes W over r² / h²
static void fill_kernel_table(const oz_sim *sim, float *smooth)
{
	for (uint32_t k = 0; k <= OZ_SMOOTH_TABLE; k++) {
		const float r2 = sim->fluid.h * sim->fluid.h * (float)k / OZ_SMOOTH_TABLE;
		smooth[k] = oz_sph_w(sim->fluid.smoothing, lane_of(r2), sim->fluid.h)[0];
	}
	smooth[OZ_SMOOTH_TABLE] = smooth[OZ_SMOOTH_TABLE + 1] = 0;
}

// the launches that compute the wall nodes of one SDF
typedef struct wall_node_task {
	oz_wall_node_rules rules;
	float smooth[OZ_SMOOTH_TABLE + 2];
	const trimmed *blocks;
} wall_node_task;

// A hash of all that the wall nodes depend on beside the SDF: version, rules, tables, and the
// device and the compiler, as these round differently. 0: out of memory.
static uint64_t key_of(const oz_boundary *b, oz_sim *sim, const wall_node_task *t)
{
	oz_device *d = sim->device;
	oz_wall_node_rules rules = t->rules;
	rules.sdf.place = rules.sdf.block = 0; // where the SDF lies in the buffers
	uint64_t key = oz_hash(oz_build_name(), strlen(oz_build_name()), OZ_WALL_NODE_VERSION);
	key = oz_hash(&rules, sizeof rules, key ^ d->lanes);
	key = oz_hash(t->smooth, sizeof t->smooth, key);
	key = oz_hash(d->ops->name, strlen(d->ops->name), key);
	key = oz_hash(d->info.name, strlen(d->info.name), key);
	const float *table = d->ops->view(d, b->wall_table, oz_wall_table_size());
	return table ? oz_hash(table, oz_wall_table_size(), key) : 0;
}

// computes the wall nodes on the device; false: out of memory
static bool compute_wall_nodes(oz_boundary *b, oz_device *d, const wall_node_task *t)
{
	const uint32_t blocks = t->blocks->block_count;
	const size_t places_size = sizeof(uint) * (blocks + 1ull);
	uint *place_of_block = d->ops->alloc(d, places_size);
	float *smooth = d->ops->alloc(d, sizeof t->smooth);
	const bool room = place_of_block && smooth;
	if (room) {
		d->ops->write(d, place_of_block, 0, t->blocks->place_of_block,
		              sizeof(uint) * blocks);
		d->ops->write(d, smooth, 0, t->smooth, sizeof t->smooth);
		OZ_LAUNCH(d, sdf_wall_node, blocks * OZ_SDF_NODES, .places = b->sdfs.places,
		          .nearest = b->sdfs.nearest, .place_of_block = place_of_block,
		          .table = b->wall_table, .smooth = smooth,
		          .wall_nodes = b->sdfs.wall_nodes, .thin = b->sdfs.thin,
		          .rules = t->rules);
		OZ_LAUNCH(d, sdf_wall_slope, blocks * OZ_SDF_NODES, .places = b->sdfs.places,
		          .nearest = b->sdfs.nearest, .place_of_block = place_of_block,
		          .wall_nodes = b->sdfs.wall_nodes, .rules = t->rules);
	}
	d->ops->release(d, place_of_block, places_size);
	d->ops->release(d, smooth, sizeof t->smooth);
	return room;
}

// What the store of an SDF keeps: its wall nodes, then which of its blocks are thin.
typedef struct wall_record {
	size_t nodes, thin; // bytes of each
	char *data;         // NULL: nothing is kept
} wall_record;

static void read_record(const oz_boundary *b, oz_device *d, uint32_t block, const wall_record *r)
{
	d->ops->read(d, r->data, b->sdfs.wall_nodes, sizeof(oz_wall_node) * OZ_SDF_NODES * block,
	             r->nodes);
	d->ops->read(d, r->data + r->nodes, b->sdfs.thin, sizeof(uint) * block, r->thin);
}

static void write_record(const oz_boundary *b, oz_device *d, uint32_t block, const wall_record *r)
{
	d->ops->write(d, b->sdfs.wall_nodes, sizeof(oz_wall_node) * OZ_SDF_NODES * block, r->data,
	              r->nodes);
	d->ops->write(d, b->sdfs.thin, sizeof(uint) * block, r->data + r->nodes, r->thin);
}

// takes the wall nodes of an SDF from its store, or computes and stores them; false: out of memory
static bool find_wall_nodes(oz_boundary *b, oz_sim *sim, const oz_sdf *sdf, const wall_node_task *t)
{
	oz_device *d = sim->device;
	const oz_sdf_store *store = sdf->store;
	const uint32_t first = t->rules.sdf.block, blocks = t->blocks->block_count;
	wall_record r = {sizeof(oz_wall_node) * OZ_SDF_NODES * blocks, sizeof(uint) * blocks, NULL};
	const size_t size = r.nodes + r.thin;
	const uint64_t key = store ? key_of(b, sim, t) : 0;
	r.data = key ? oz_heap_alloc(sim->heap, size) : NULL;
	bool room = true;
	if (r.data && store->get(store, key, r.data, size)) {
		write_record(b, d, first, &r);
	} else {
		room = compute_wall_nodes(b, d, t);
		if (room && r.data)
			read_record(b, d, first, &r);
		if (room && r.data && !d->failure.code)
			store->put(store, key, r.data, size);
	}
	oz_heap_free(sim->heap, r.data, size);
	return room;
}

// ---- thin parts -------------------------------------------------------------------------------

// marks the blocks around a place
static void mark_around(const oz_sdf_frame *f, const trimmed *t, uint place, uint *marked)
{
	const uint x = place % f->blocks[0], y = place / f->blocks[0] % f->blocks[1];
	const uint z = place / (f->blocks[0] * f->blocks[1]);
	for (uint k = 0; k < 27; k++) {
		const uint i = x + k % 3, j = y + k / 3 % 3, l = z + k / 9; // one too high
		if (i == 0 || j == 0 || l == 0 || i > f->blocks[0] || j > f->blocks[1] ||
		    l > f->blocks[2])
			continue;
		const uint block =
		        t->places[((l - 1) * f->blocks[1] + j - 1) * f->blocks[0] + i - 1];
		if (block < OZ_SDF_INSIDE)
			marked[block] = 1;
	}
}

// Marks the neighbours of thin blocks as thin, too: several blocks hold a node, and one of them
// finds whether it is thin. *any: there are thin blocks. False: out of memory.
static bool spread_thin(const oz_boundary *b, const oz_sim *sim, const trimmed *t,
                        const oz_sdf_frame *frame, bool *any)
{
	oz_device *d = sim->device;
	const size_t size = sizeof(uint) * t->block_count, at = sizeof(uint) * frame->block;
	uint *found = oz_heap_alloc(sim->heap, size + 1),
	     *marked = oz_heap_alloc(sim->heap, size + 1);
	const bool room = found && marked;
	*any = false;
	if (room && size) {
		d->ops->read(d, found, b->sdfs.thin, at, size);
		memset(marked, 0, size);
		for (uint32_t k = 0; k < t->block_count; k++)
			if (found[k]) {
				*any = true;
				mark_around(frame, t, t->place_of_block[k], marked);
			}
		d->ops->write(d, b->sdfs.thin, at, marked, size);
	}
	oz_heap_free(sim->heap, found, size + 1);
	oz_heap_free(sim->heap, marked, size + 1);
	return room;
}

// a collider that has the same SDF and particles on the same side; NULL: none
static const oz_collider_entry *find_same_sdf(const oz_boundary *b, const oz_collider_def *def)
{
	for (uint32_t k = 0; k < b->colliders.count; k++) {
		const oz_collider_entry *o = &oz_collider_entries(b)[k];
		if (o->def.shape.sdf == def->shape.sdf && oz_side_of(&o->def) == oz_side_of(def))
			return o;
	}
	return NULL;
}

// writes places and the nodes of the blocks that are kept
static void write_sdf(const oz_boundary *b, oz_device *d, const oz_sdf *sdf, const trimmed *t,
                      const oz_sdf_frame *frame)
{
	const size_t block = sizeof(oz_float4) * OZ_SDF_NODES;
	static const uint none = 0;
	for (uint32_t k = 0; k < t->block_count; k++)
		d->ops->write(d, b->sdfs.thin, sizeof none * (frame->block + k), &none,
		              sizeof none);
	d->ops->write(d, b->sdfs.places, sizeof(uint) * frame->place, t->places,
	              sizeof(uint) * sdf->place_count);
	for (uint32_t k = 0; k < t->block_count; k++)
		d->ops->write(d, b->sdfs.nearest, block * (frame->block + k),
		              nearest_of(sdf, sdf->places[t->place_of_block[k]]), block);
}

oz_result oz_sdfs_add(oz_boundary *b, oz_sim *sim, oz_collider_entry *o, oz_error *error)
{
	const oz_sdf *sdf = o->def.shape.sdf;
	oz_sdf_frame *frame = &o->sdf;
	const oz_collider_entry *same = find_same_sdf(b, &o->def);
	if (same) {
		*frame = same->sdf;
		o->thin = same->thin;
		return OZ_OK;
	}
	*frame = sdf->frame;
	frame->reach = fminf(sdf->frame.reach, b->wall_reach + frame->cell);
	frame->place = b->sdfs.place_count;
	frame->block = b->sdfs.block_count;
	trimmed t = {0};
	bool room = trim(sim->heap, sdf, frame->reach, &t) &&
	            (uint64_t)frame->block + t.block_count <= UINT32_MAX / OZ_SDF_NODES - 2 &&
	            reserve(b, sim->device, sdf->place_count, t.block_count);
	if (room) {
		write_sdf(b, sim->device, sdf, &t, frame);
		wall_node_task task = {.rules = rules_of(b, sim, frame, oz_side_of(&o->def)),
		                       .blocks = &t};
		fill_kernel_table(sim, task.smooth);
		room = find_wall_nodes(b, sim, sdf, &task) &&
		       spread_thin(b, sim, &t, frame, &o->thin);
	}
	free_trimmed(sim->heap, sdf, &t);
	return room ? oz_device_check(sim->device, error) : no_memory(sdf, error);
}
