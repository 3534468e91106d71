// skin.c: smoothing of the mesh, fitting to walls, normals, attributes.
//
// Smoothing is Taubin's: a step towards the mean of the neighbours, then a slightly longer one away
// from it, so that bumps vanish and the shape stays. The change of volume ΔV of a piece is
// corrected by moving its vertices along their normals by δ = ΔV / area. Where δ is not small
// against the piece, the piece is scaled instead.
//
// Sums over the triangles around a vertex are computed by adding from the triangles, patch by
// patch. A patch writes to its own vertices and to those of the seven patches above it, so patches
// whose coordinates have the same parity share no vertex: the eight parities ("colours") are
// processed one after the other, each in parallel.
#include <math.h>
#include <string.h>

#include "geometry/shape.h"
#include "surface/surface.h"

#define CHUNK   4096u
#define FORWARD 0.5f
#define BACK    -0.53f
#define PASSES                                                                                     \
	0.25f // most passes for each vertex of a piece; more turn a small piece into a needle

#define COLLAPSED 0.005 // offset over √area above which a piece is scaled instead
#define MAX_RATIO 1e6   // of volumes, above which a piece is not scaled

// ---- colours -----------------------------------------------------------------------------------

typedef struct colour_task {
	const oz_surface *s;
	oz_task_fn task;
	void *context;
	int colour;
} colour_task;

// Pool task: calls the task for the patches of one colour.
static void run_colour(void *context, uint32_t begin, uint32_t end)
{
	const colour_task *t = context;
	const oz_patch *patches = t->s->blocks.patch.data;
	for (uint32_t k = begin; k < end; k++) {
		const oz_block b = patches[k].block;
		if (((b.x & 1) | (b.y & 1) << 1 | (b.z & 1) << 2) == t->colour)
			t->task(t->context, k, k + 1);
	}
}

// Runs a task over all patches so that no two threads write to the same vertex.
static void run_by_colour(oz_surface *s, oz_task_fn task, void *context)
{
	colour_task t = {s, task, context, 0};
	for (; t.colour < 8; t.colour++)
		oz_pool_run(s->pool, s->blocks.patch_count, 64, run_colour, &t);
}

// ---- normals -----------------------------------------------------------------------------------

// twice the area of a triangle times its normal
static oz_vec3 cross_of(const oz_vec3 *x, const uint32_t t[3])
{
	return oz_cross(oz_sub(x[t[1]], x[t[0]]), oz_sub(x[t[2]], x[t[0]]));
}

// Adds the normals of a patch's triangles, weighted by area, to their vertices.
static void add_normals(void *context, uint32_t begin, uint32_t end)
{
	const oz_surface *s = context;
	const oz_patch *patches = s->blocks.patch.data;
	const oz_vec3 *x = s->skin.position.data;
	const uint32_t(*triangles)[3] = s->skin.triangles.data;
	oz_vec3 *normal = s->skin.normal.data;
	for (uint32_t k = begin; k < end; k++) {
		const oz_patch *p = &patches[k];
		for (uint32_t i = p->triangle; i < p->triangle + p->triangle_count; i++) {
			const oz_vec3 n = cross_of(x, triangles[i]);
			for (int c = 0; c < 3; c++)
				normal[triangles[i][c]] = oz_add(normal[triangles[i][c]], n);
		}
	}
}

static void make_unit(void *context, uint32_t begin, uint32_t end)
{
	oz_vec3 *normal = context;
	for (uint32_t v = begin; v < end; v++) {
		normal[v] = oz_normalize(normal[v]);
		// the sum is zero where all triangles have no area
		if (normal[v].x == 0.0f && normal[v].y == 0.0f && normal[v].z == 0.0f)
			normal[v].y = 1.0f;
	}
}

oz_result oz_skin_normals(oz_surface *s, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	const oz_result result =
	        oz_store_reserve(s, &k->normal, k->vertex_count, sizeof(oz_vec3), false, error);
	if (result != OZ_OK || k->vertex_count == 0)
		return result;
	memset(k->normal.data, 0, sizeof(oz_vec3) * k->vertex_count);
	run_by_colour(s, add_normals, s);
	oz_pool_run(s->pool, k->vertex_count, CHUNK, make_unit, k->normal.data);
	return OZ_OK;
}

// ---- smoothing ---------------------------------------------------------------------------------

// Adds the neighbours of each vertex, twice each, to `moved`, and their number to `degree`.
static void add_neighbours(void *context, uint32_t begin, uint32_t end)
{
	const oz_surface *s = context;
	const oz_patch *patches = s->blocks.patch.data;
	const oz_vec3 *x = s->skin.position.data;
	const uint32_t(*triangles)[3] = s->skin.triangles.data;
	oz_vec3 *sum = s->skin.moved.data;
	uint32_t *degree = s->skin.degree.data;
	for (uint32_t k = begin; k < end; k++) {
		const oz_patch *p = &patches[k];
		for (uint32_t i = p->triangle; i < p->triangle + p->triangle_count; i++)
			for (int c = 0; c < 3; c++) {
				const uint32_t *t = triangles[i], v = t[c];
				sum[v] = oz_add(sum[v],
				                oz_add(x[t[(c + 1) % 3]], x[t[(c + 2) % 3]]));
				degree[v] += 2;
			}
	}
}

// For each piece: Σ (x - x of its first vertex) and, in w, the number of its vertices.
static void find_centres(oz_surface_skin *k)
{
	const oz_vec3 *x = k->position.data;
	const uint32_t *piece = k->piece.data;
	oz_float4 *centre = k->centre.data;
	memset(centre, 0, sizeof *centre * k->vertex_count);
	for (uint32_t v = 0; v < k->vertex_count; v++) {
		const oz_vec3 d = oz_sub(x[v], x[piece[v]]);
		oz_float4 *c = &centre[piece[v]];
		*c = oz_make4(c->x + d.x, c->y + d.y, c->z + d.z, c->w + 1.0f);
	}
}

typedef struct move_task {
	oz_vec3 *position;
	const oz_vec3 *sum;
	const uint32_t *degree, *piece;
	const oz_float4 *centre; // of the pieces
	float share, pass;
} move_task;

// Moves each vertex by `share` of the way to the mean of its neighbours; small pieces stop earlier.
static void move_to_mean(void *context, uint32_t begin, uint32_t end)
{
	const move_task *t = context;
	for (uint32_t v = begin; v < end; v++) {
		if (t->pass >= PASSES * t->centre[t->piece[v]].w)
			continue;
		const oz_vec3 mean = oz_scale(t->sum[v], 1.0f / (float)t->degree[v]);
		t->position[v] = oz_mad(t->position[v], oz_sub(mean, t->position[v]), t->share);
	}
}

static void smooth_step(oz_surface *s, float share, uint32_t pass)
{
	oz_surface_skin *k = &s->skin;
	move_task t = {k->position.data, k->moved.data, k->degree.data, k->piece.data,
	               k->centre.data,   share,         (float)pass};
	memset(k->moved.data, 0, sizeof(oz_vec3) * k->vertex_count);
	memset(k->degree.data, 0, sizeof(uint32_t) * k->vertex_count);
	run_by_colour(s, add_neighbours, s);
	oz_pool_run(s->pool, k->vertex_count, CHUNK, move_to_mean, &t);
}

typedef struct restore_task {
	oz_vec3 *position;
	const oz_vec3 *normal;
	const uint32_t *piece;
	const double *before, *volume, *area; // of each piece; volumes before and now
	const oz_float4 *centre;
	const oz_vec3 *first; // where the pieces' first vertices were
} restore_task;

// Offset along the normals (m) that restores the volume of a piece.
static double offset_of(const restore_task *t, uint32_t piece)
{
	const double lost = t->before[piece] - t->volume[piece];
	return t->area[piece] > 0 ? lost / t->area[piece] : 0;
}

// Whether the offset is large against the piece, which then has a few triangles only.
static bool is_collapsed(const restore_task *t, uint32_t piece)
{
	return fabs(offset_of(t, piece)) > COLLAPSED * sqrt(t->area[piece]);
}

// Scales x about the piece's centre to the old volume; no change where the volume has vanished.
static oz_vec3 scale_about_centre(const restore_task *t, uint32_t piece, oz_vec3 x)
{
	const oz_float4 c = t->centre[piece];
	const oz_vec3 centre = oz_mad(t->first[piece], oz_v3(c.x, c.y, c.z), 1.0f / c.w);
	const double ratio = t->before[piece] / t->volume[piece];
	const bool usable = ratio > 1 / MAX_RATIO && ratio < MAX_RATIO;
	return oz_mad(centre, oz_sub(x, centre), usable ? cbrtf((float)ratio) : 1.0f);
}

static void restore_vertices(void *context, uint32_t begin, uint32_t end)
{
	const restore_task *t = context;
	for (uint32_t v = begin; v < end; v++) {
		const uint32_t piece = t->piece[v];
		const oz_vec3 x = t->position[v];
		t->position[v] = is_collapsed(t, piece)
		                         ? scale_about_centre(t, piece, x)
		                         : oz_mad(x, t->normal[v], (float)offset_of(t, piece));
	}
}

// Restores the volume that every piece had before the smoothing.
static oz_result restore_volumes(oz_surface *s, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	memset(k->volume.data, 0, sizeof(double) * k->vertex_count);
	oz_pieces_measure(s);
	find_centres(k);
	memcpy(k->moved.data, k->position.data, sizeof(oz_vec3) * k->vertex_count);
	const oz_result result = oz_skin_normals(s, error);
	if (result != OZ_OK)
		return result;
	restore_task t = {k->position.data, k->normal.data, k->piece.data,  k->before.data,
	                  k->volume.data,   k->area.data,   k->centre.data, k->moved.data};
	oz_pool_run(s->pool, k->vertex_count, CHUNK, restore_vertices, &t);
	return OZ_OK;
}

static oz_result reserve(oz_surface *s, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	const uint32_t count = k->vertex_count;
	oz_result result = oz_store_reserve(s, &k->moved, count, sizeof(oz_vec3), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->degree, count, sizeof(uint32_t), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->before, count, sizeof(double), false, error);
	if (result == OZ_OK)
		result = oz_store_reserve(s, &k->centre, count, sizeof(oz_float4), false, error);
	return result;
}

oz_result oz_skin_smooth(oz_surface *s, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	if (s->def.smoothing == 0 || k->vertex_count == 0)
		return OZ_OK;
	oz_result result = oz_pieces_find(s, error);
	if (result == OZ_OK)
		result = reserve(s, error);
	if (result != OZ_OK)
		return result;
	oz_pieces_measure(s);
	memcpy(k->before.data, k->volume.data, sizeof(double) * k->vertex_count);
	find_centres(k);
	for (uint32_t pass = 0; pass < s->def.smoothing; pass++) {
		smooth_step(s, FORWARD, pass);
		smooth_step(s, BACK, pass);
	}
	return restore_volumes(s, error);
}

// ---- walls -------------------------------------------------------------------------------------

typedef struct fit_task {
	oz_vec3 *position;
	const oz_shape *walls;
	uint32_t wall_count;
	float within, step; // m
} fit_task;

// As onto_wall, for a signed distance field; `local` is x in its frame.
static oz_vec3 onto_sdf(const oz_shape *w, oz_vec3 x, oz_vec3 local, float within, float step)
{
	oz_nearest_point nearest = oz_sdf_at(w->sdf, local);
	if (!(oz_abs(nearest.distance) < within))
		return x;
	for (int k = 0; k < 8 && oz_abs(nearest.distance) > 1e-3f * step; k++) {
		local = oz_sub(local, oz_v3(nearest.x, nearest.y, nearest.z));
		nearest = oz_sdf_at(w->sdf, local);
	}
	return oz_add(w->position, oz_quat_rotate(w->rotation, local));
}

// Projects x onto a wall that is nearer than `within` (m): Harada et al. eq 19, x' = x - d(x) n(x),
// repeated at most 8 times, since one step is not exact near an edge. `step`: for the normal, m.
static oz_vec3 onto_wall(const oz_shape *w, oz_vec3 x, float within, float step)
{
	const oz_quat back = oz_quat_conjugate(w->rotation);
	const uint kind = (uint)w->kind;
	oz_vec3 local = oz_quat_rotate(back, oz_sub(x, w->position));
	if (w->kind == OZ_SHAPE_SDF)
		return onto_sdf(w, x, local, within, step);
	float d = oz_local_distance(kind, w->size, local);
	if (!(oz_abs(d) < within))
		return x;
	for (int k = 0; k < 8 && oz_abs(d) > 1e-3f * step; k++) {
		const oz_vec3 n = oz_local_normal(kind, w->size, local, step);
		local = oz_mad(local, n, -d);
		d = oz_local_distance(kind, w->size, local);
	}
	return oz_add(w->position, oz_quat_rotate(w->rotation, local));
}

static void fit(void *context, uint32_t begin, uint32_t end)
{
	const fit_task *t = context;
	for (uint32_t v = begin; v < end; v++)
		for (uint32_t w = 0; w < t->wall_count; w++)
			t->position[v] =
			        onto_wall(&t->walls[w], t->position[v], t->within, t->step);
}

oz_result oz_skin_fit(oz_surface *s, const oz_surface_input *input)
{
	const float within = s->def.fit * s->def.spacing;
	fit_task t = {s->skin.position.data, input->walls, input->wall_count, within,
	              1e-2f * s->def.spacing};
	if (within > 0 && input->wall_count)
		oz_pool_run(s->pool, s->skin.vertex_count, CHUNK, fit, &t);
	return OZ_OK;
}

// ---- attributes --------------------------------------------------------------------------------

typedef struct attribute_task {
	const oz_surface *s;
	oz_attributes_args args;
} attribute_task;

static void run_attributes(void *context, uint32_t begin, uint32_t end)
{
	const attribute_task *t = context;
	t->s->simd->find_attributes(&t->args, begin, end);
}

// Copies a field of the input in the order of the sorted particles.
static oz_result gather_field(oz_surface *s, oz_view view, oz_store *to, oz_error *error)
{
	const uint *order = s->points.order.data;
	const uint32_t count = s->points.count;
	const oz_result result = oz_store_reserve(s, to, count, sizeof(oz_vec3), false, error);
	oz_vec3 *out = to->data;
	for (uint32_t i = 0; result == OZ_OK && i < count; i++)
		memcpy(&out[i], (const char *)view.data + order[i] * view.stride, sizeof out[i]);
	return result;
}

// out[v] = the number, in the input, of the particle nearest to vertex v.
static void numbers_of_nearest(const oz_surface *s, oz_view view, uint32_t *out)
{
	const uint *order = s->points.order.data, *nearest = s->skin.nearest.data;
	for (uint32_t v = 0; v < s->skin.vertex_count; v++)
		memcpy(&out[v], (const char *)view.data + order[nearest[v]] * view.stride,
		       sizeof out[v]);
}

// Reserves memory and copies body or material of the nearest particles; nothing without a view.
static oz_result copy_numbers(oz_surface *s, oz_view view, oz_store *to, oz_error *error)
{
	if (!view.data)
		return OZ_OK;
	const oz_result result =
	        oz_store_reserve(s, to, s->skin.vertex_count, sizeof(uint32_t), false, error);
	if (result == OZ_OK)
		numbers_of_nearest(s, view, to->data);
	return result;
}

// Velocity and colour of the vertices, and their nearest particles. The particles' velocities are
// gathered into the memory of `mean`, which is not used any more.
static oz_result find_means(oz_surface *s, const oz_surface_input *in, oz_error *error)
{
	oz_surface_skin *k = &s->skin;
	const uint32_t count = k->vertex_count;
	const float reach = s->def.reach * s->def.spacing;
	attribute_task t = {s, {.field = &s->field, .radius2 = reach * reach}};
	oz_result result = oz_store_reserve(s, &k->nearest, count, sizeof(uint32_t), false, error);
	if (result == OZ_OK && in->velocity.data) {
		result = gather_field(s, in->velocity, &s->points.mean, error);
		t.args.velocity = s->points.mean.data;
		if (result == OZ_OK)
			result = oz_store_reserve(s, &k->velocity, count, sizeof(oz_vec3), false,
			                          error);
		t.args.vertex_velocity = k->velocity.data;
	}
	if (result == OZ_OK && in->colour.data) {
		result = gather_field(s, in->colour, &s->points.colour, error);
		t.args.colour = s->points.colour.data;
		if (result == OZ_OK)
			result = oz_store_reserve(s, &k->colour, count, sizeof(oz_vec3), false,
			                          error);
		t.args.vertex_colour = k->colour.data;
	}
	if (result != OZ_OK)
		return result;
	t.args.vertex = k->position.data;
	t.args.nearest = k->nearest.data;
	oz_pool_run(s->pool, count, 512, run_attributes, &t);
	return OZ_OK;
}

oz_result oz_skin_attributes(oz_surface *s, const oz_surface_input *in, oz_error *error)
{
	const bool wanted =
	        in->velocity.data || in->colour.data || in->body.data || in->material.data;
	if (!wanted || s->skin.vertex_count == 0)
		return OZ_OK;
	oz_result result = find_means(s, in, error);
	if (result == OZ_OK)
		result = copy_numbers(s, in->body, &s->skin.body, error);
	if (result == OZ_OK)
		result = copy_numbers(s, in->material, &s->skin.material, error);
	return result;
}
