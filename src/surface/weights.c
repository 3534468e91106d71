// weights.c: how much each particle counts, and for the smooth kind, how its kernel is squeezed.
//
// A particle counts with the volume that its neighbours leave it, V = spacing³ ρ0/ρ, so that the
// outermost layer is not thinner than the others; a lone particle is held to what makes a drop of
// its own volume.
//
// The smooth kind follows Yu & Turk 2013. A particle's neighbourhood has a mean and a covariance C.
// The kernel is scaled along C's axes by their deviations (the paper takes the variances, which is
// sharper than our cells) over that of a full neighbourhood: flat at a free surface, round within.
// Its centre moves by a share of the way to the mean, less what the others around it move on the
// average: with the paper's plain move, the surface would shrink.
#include <float.h>
#include <math.h>

#include "math/rotation.h"
#include "surface/surface.h"

#define CHUNK      4096u
#define MIN_SHARE  0.25f // shortest over longest axis
#define FEW        10.0f // neighbours that make no shape
#define MANY       30.0f // that make one
#define FULL_DOUBT 0.12f // a neighbourhood this near to a full one is full
#define MOVE       0.75f // share of the way to the mean

float oz_moment_radius(const oz_surface_def *def)
{
	const float reach = def->reach * def->spacing;
	return def->kind == OZ_SURFACE_SMOOTH ? 1.5f * reach : reach;
}

typedef struct moments_task {
	const oz_surface *s;
	oz_moments_args args;
} moments_task;

static void run_moments(void *context, uint32_t begin, uint32_t end)
{
	const moments_task *t = context;
	t->s->simd->find_moments(&t->args, begin, end);
}

static oz_result find_moments(oz_surface *s, oz_error *error)
{
	oz_surface_points *p = &s->points;
	const bool smooth = s->def.kind == OZ_SURFACE_SMOOTH;
	oz_result result = OZ_OK;
	if (smooth)
		result = oz_store_need(s, &p->shape, p->count, sizeof(oz_shape_slot), false, error);
	if (result != OZ_OK)
		return result;
	const float reach = s->def.reach * s->def.spacing, radius = oz_moment_radius(&s->def);
	moments_task task = {s,
	                     {.field = &s->field,
	                      .radius2 = radius * radius,
	                      .kernel_r2 = reach * reach,
	                      .kernel = oz_kernel_peak(s->def.reach),
	                      .density = p->density.data,
	                      .shape = smooth ? p->shape.data : NULL}};
	oz_pool_run(s->pool, p->count, 512, run_moments, &task);
	return OZ_OK;
}

// share of a neighbourhood that makes a shape: none of few neighbours, all of many
static float share_of_many(float neighbours)
{
	return oz_min(oz_max((neighbours - FEW) / (MANY - FEW), 0.0f), 1.0f);
}

static float volume_of(const oz_surface *s, uint32_t i)
{
	const float cube = s->def.spacing * s->def.spacing * s->def.spacing;
	const float *density = s->points.density.data;
	const oz_shape_slot *shape = s->points.shape.data;
	float most = s->lone_volume;
	if (s->def.kind == OZ_SURFACE_SMOOTH)
		most /= oz_max(1.0f - share_of_many(shape[i].moment.count), 1e-3f);
	return oz_min(cube / density[i], most);
}

// The w of the positions: what the field multiplies the kernel with, or b of a distance.
static void weigh(void *context, uint32_t begin, uint32_t end)
{
	oz_surface *s = context;
	oz_float4 *position = s->points.position.data;
	const float *density = s->points.density.data;
	const float cube = s->def.spacing * s->def.spacing * s->def.spacing;
	const float peak = oz_kernel_peak(s->def.reach) / cube;
	for (uint32_t i = begin; i < end; i++) {
		if (s->def.kind == OZ_SURFACE_DISTANCE)
			position[i].w = density[i] < s->def.threshold ? 0.0f : s->field.bonus;
		else
			position[i].w = peak * volume_of(s, i);
	}
}

// ---- squeezing ---------------------------------------------------------------------------------

// where the mean of the neighbourhood lies, from the particle
static oz_vec3 mean_of(const oz_moment *m)
{
	return oz_scale(oz_v3(m->x, m->y, m->z), 1.0f / m->sum);
}

// Mean over the neighbours of how far they would move, each counted by how far that is: the
// neighbours within the body, which hardly move, do not count.
static oz_vec3 common_move(const oz_surface *s, uint32_t i, float radius2)
{
	const oz_cloud *f = &s->field;
	const oz_vec3 *means = s->points.mean.data;
	const oz_float4 p = f->position[i];
	const oz_cell cell = oz_cell_of(&f->grid, p);
	oz_vec3 sum = {0, 0, 0};
	float weight = FLT_MIN;
	for (uint r = 0; r < OZ_RUNS; r++) {
		const oz_run run = oz_run_of(&f->grid, cell, r);
		if (run.first > run.last)
			continue;
		for (uint j = f->cell_start[run.first]; j < f->cell_start[run.last + 1]; j++) {
			const float x = f->position[j].x - p.x, y = f->position[j].y - p.y;
			const float z = f->position[j].z - p.z;
			const float r2 = x * x + y * y + z * z;
			if (r2 >= radius2)
				continue;
			const float w = (1.0f - r2 / radius2) * oz_length2(means[j]);
			sum = oz_mad(sum, means[j], w);
			weight += w;
		}
	}
	return oz_scale(sum, 1.0f / weight);
}

static oz_vec3 move_of(const oz_surface *s, uint32_t i, float radius2)
{
	const oz_vec3 mean = ((const oz_vec3 *)s->points.mean.data)[i];
	const oz_vec3 move = oz_scale(oz_sub(mean, common_move(s, i, radius2)), MOVE);
	const float length = oz_length(move), most = OZ_MAX_MOVE * s->def.spacing;
	return length > most ? oz_scale(move, most / length) : move;
}

// variance of the neighbourhood over that of a full one
static oz_mat3 variance_of(const oz_surface *s, const oz_moment *m)
{
	const oz_vec3 c = mean_of(m);
	const float k = 1.0f / m->sum, scale = 1.0f / s->spread;
	const oz_mat3 v = {{{m->xx * k - c.x * c.x, m->xy * k - c.x * c.y, m->xz * k - c.x * c.z},
	                    {m->xy * k - c.x * c.y, m->yy * k - c.y * c.y, m->yz * k - c.y * c.z},
	                    {m->xz * k - c.x * c.z, m->yz * k - c.y * c.z, m->zz * k - c.z * c.z}}};
	return oz_mat3_scale(v, scale);
}

static bool is_full(const oz_mat3 *v)
{
	const float off =
	        oz_max(oz_abs(v->m[0][1]), oz_max(oz_abs(v->m[0][2]), oz_abs(v->m[1][2])));
	const float on = oz_max(oz_abs(v->m[0][0] - 1.0f),
	                        oz_max(oz_abs(v->m[1][1] - 1.0f), oz_abs(v->m[2][2] - 1.0f)));
	return off < FULL_DOUBT && on < FULL_DOUBT;
}

// half axes in reaches: round and small for few neighbours, and for many in one place, which have
// no shape either; the variances' for all others
static oz_vec3 axes_of(oz_vec3 sigma, float neighbours)
{
	const float share = share_of_many(neighbours) * oz_min(sigma.x / OZ_LONE_AXIS, 1.0f);
	const float least = MIN_SHARE * oz_min(sigma.x, OZ_MAX_AXIS);
	const oz_vec3 shaped =
	        oz_v3(oz_min(sigma.x, OZ_MAX_AXIS), oz_max(sigma.y, least), oz_max(sigma.z, least));
	return oz_mad(oz_v3(OZ_LONE_AXIS * (1.0f - share), OZ_LONE_AXIS * (1.0f - share),
	                    OZ_LONE_AXIS * (1.0f - share)),
	              oz_v3(oz_min(shaped.x, OZ_MAX_AXIS), oz_min(shaped.y, OZ_MAX_AXIS),
	                    oz_min(shaped.z, OZ_MAX_AXIS)),
	              share);
}

static void shape_blob(oz_blob *b, const oz_mat3 *rotation, oz_vec3 axes, float reach, float weight)
{
	const float a[3] = {axes.x * reach, axes.y * reach, axes.z * reach};
	oz_mat3 m = oz_mat3_zero();
	float extent2[3] = {0, 0, 0};
	for (int k = 0; k < 3; k++) {
		const oz_vec3 u = oz_mat3_column(*rotation, k);
		m = oz_mat3_add(m, oz_mat3_scale(oz_mat3_outer(u, u), 1.0f / (a[k] * a[k])));
		extent2[0] += u.x * u.x * a[k] * a[k];
		extent2[1] += u.y * u.y * a[k] * a[k];
		extent2[2] += u.z * u.z * a[k] * a[k];
	}
	b->xx = m.m[0][0], b->yy = m.m[1][1], b->zz = m.m[2][2];
	b->yz = 2.0f * m.m[1][2], b->xz = 2.0f * m.m[0][2], b->xy = 2.0f * m.m[0][1];
	b->extent_x = sqrtf(extent2[0]);
	b->extent_y = sqrtf(extent2[1]);
	b->extent_z = sqrtf(extent2[2]);
	b->least = oz_min(a[0], oz_min(a[1], a[2])) * 0.999f;
	b->most = oz_max(a[0], oz_max(a[1], a[2])) * 1.001f;
	b->weight = weight / (axes.x * axes.y * axes.z);
}

static void find_means(void *context, uint32_t begin, uint32_t end)
{
	oz_surface *s = context;
	const oz_shape_slot *shape = s->points.shape.data;
	oz_vec3 *mean = s->points.mean.data;
	for (uint32_t i = begin; i < end; i++)
		mean[i] = mean_of(&shape[i].moment);
}

// a moment makes room for the kernel that is made from it
static void squeeze(void *context, uint32_t begin, uint32_t end)
{
	oz_surface *s = context;
	const oz_float4 *position = s->points.position.data;
	oz_shape_slot *shape = s->points.shape.data;
	const float reach = s->def.reach * s->def.spacing, radius = oz_moment_radius(&s->def);
	for (uint32_t i = begin; i < end; i++) {
		const oz_moment moment = shape[i].moment;
		oz_blob *blob = &shape[i].blob;
		const oz_mat3 variance = variance_of(s, &moment);
		oz_mat3 rotation = oz_mat3_identity(), other;
		oz_vec3 axes = {1, 1, 1}, sigma, move = {0, 0, 0};
		if (!is_full(&variance)) {
			oz_svd(variance, &rotation, &sigma, &other);
			axes = axes_of(oz_v3(sqrtf(sigma.x), sqrtf(sigma.y), sqrtf(sigma.z)),
			               moment.count);
			move = move_of(s, i, radius * radius);
		}
		*blob = (oz_blob){.x = position[i].x + move.x,
		                  .y = position[i].y + move.y,
		                  .z = position[i].z + move.z};
		shape_blob(blob, &rotation, axes, reach, position[i].w);
	}
}

oz_result oz_points_weigh(oz_surface *s, oz_error *error)
{
	oz_surface_points *p = &s->points;
	s->field.shapes = NULL;
	if (p->count == 0)
		return OZ_OK;
	oz_result result = find_moments(s, error);
	if (result != OZ_OK)
		return result;
	oz_pool_run(s->pool, p->count, CHUNK, weigh, s);
	if (s->def.kind != OZ_SURFACE_SMOOTH)
		return OZ_OK;
	result = oz_store_need(s, &p->mean, p->count, sizeof(oz_vec3), false, error);
	if (result != OZ_OK)
		return result;
	oz_pool_run(s->pool, p->count, CHUNK, find_means, s);
	oz_pool_run(s->pool, p->count, 256, squeeze, s);
	s->field.shapes = p->shape.data;
	return OZ_OK;
}
