// weights.c: the volume of each particle, and for the smooth kind its anisotropic kernel.
//
// A particle has the volume V = spacing³ ρ0/ρ, so that the outermost layer is not thinner than the
// others. V is at most lone_volume, with which the surface of a lone particle encloses the volume
// of one particle.
//
// The smooth kind follows Yu & Turk 2013. A particle's neighbourhood has a mean and a covariance C.
// The kernel is scaled along C's axes by the standard deviations over that of a full neighbourhood
// (the paper takes the variances, which gives details finer than our cells): flat at a free
// surface, round inside a body. Its centre moves by a fraction MOVE of the vector to the mean,
// minus the mean move of its neighbours: with the paper's move alone, the surface would shrink.
//
// Across a single layer of particles the deviation is zero, and says nothing about its thickness.
// There the kernel has a fixed axis, LAYER_AXIS, and a gain that was measured (surface.c), such
// that the layer is one spacing thick, as a sheet and a film of that volume are.
#include <float.h>
#include <math.h>

#include "math/rotation.h"
#include "surface/surface.h"

#define CHUNK     4096u
#define MIN_SHARE 0.25f // shortest over longest axis
#define FEW       10.0f // neighbours up to which a kernel is isotropic
#define MANY      30.0f // neighbours from which on it is fully anisotropic
#define FULL_TOLERANCE                                                                             \
	0.12f            // greatest deviation of the scaled variance from 1 in a full neighbourhood
#define MOVE       0.75f // fraction of the vector to the mean
#define LAYER_AXIS 1.2f  // spacings, half axis across a single layer
#define LAYER_FROM 0.15f // least over greatest deviation up to which particles are a single layer
#define LAYER_TO   0.35f // and from which on they are not; two layers have 0.45, a face 0.55
#define LAYER_FEW  5.0f  // neighbours up to which particles are no layer
#define LAYER_MANY 12.0f // and from which on they are one

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

// computes the density of all points and, for smooth surfaces, the shape of their neighbourhoods
static oz_result find_moments(oz_surface *s, oz_error *error)
{
	oz_surface_points *p = &s->points;
	const bool smooth = s->def.kind == OZ_SURFACE_SMOOTH;
	oz_result result = OZ_OK;
	if (smooth)
		result = oz_store_reserve(s, &p->shape, p->count, sizeof(oz_shape_slot), false,
		                          error);
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

// Anisotropy by number of neighbours: 0 up to FEW, 1 from MANY on, linear between.
static float anisotropy(float neighbours)
{
	return oz_min(oz_max((neighbours - FEW) / (MANY - FEW), 0.0f), 1.0f);
}

// Volume of particle i, m³.
static float volume_of(const oz_surface *s, uint32_t i)
{
	const float cube = s->def.spacing * s->def.spacing * s->def.spacing;
	const float *density = s->points.density.data;
	const oz_shape_slot *shape = s->points.shape.data;
	float most = s->lone_volume;
	if (s->def.kind == OZ_SURFACE_SMOOTH)
		most /= oz_max(1.0f - anisotropy(shape[i].moment.count), 1e-3f);
	return oz_min(cube / density[i], most);
}

// Writes position.w: the factor of the kernel, or b of a distance.
static void write_weights(void *context, uint32_t begin, uint32_t end)
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

// ---- anisotropic kernels -----------------------------------------------------------------------

// Vector from the particle to the mean of its neighbourhood, m.
static oz_vec3 mean_of(const oz_moment *m)
{
	return oz_scale(oz_v3(m->x, m->y, m->z), 1.0f / m->sum);
}

// Mean of the neighbours' vectors to their means, weighted with the square of these vectors:
// neighbours inside a body, whose vectors are nearly zero, have nearly no weight.
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

// The move of a kernel's centre, at most OZ_MAX_MOVE spacings.
static oz_vec3 move_of(const oz_surface *s, uint32_t i, float radius2)
{
	const oz_vec3 mean = ((const oz_vec3 *)s->points.mean.data)[i];
	const oz_vec3 move = oz_scale(oz_sub(mean, common_move(s, i, radius2)), MOVE);
	const float length = oz_length(move), most = OZ_MAX_MOVE * s->def.spacing;
	return length > most ? oz_scale(move, most / length) : move;
}

// Covariance of the neighbourhood over the variance of a full one.
static oz_mat3 variance_of(const oz_surface *s, const oz_moment *m)
{
	const oz_vec3 c = mean_of(m);
	const float k = 1.0f / m->sum, scale = 1.0f / s->spread;
	const oz_mat3 v = {{{m->xx * k - c.x * c.x, m->xy * k - c.x * c.y, m->xz * k - c.x * c.z},
	                    {m->xy * k - c.x * c.y, m->yy * k - c.y * c.y, m->yz * k - c.y * c.z},
	                    {m->xz * k - c.x * c.z, m->yz * k - c.y * c.z, m->zz * k - c.z * c.z}}};
	return oz_mat3_scale(v, scale);
}

// Whether the scaled covariance is nearly the identity.
static bool is_full(const oz_mat3 *v)
{
	const float off =
	        oz_max(oz_abs(v->m[0][1]), oz_max(oz_abs(v->m[0][2]), oz_abs(v->m[1][2])));
	const float on = oz_max(oz_abs(v->m[0][0] - 1.0f),
	                        oz_max(oz_abs(v->m[1][1] - 1.0f), oz_abs(v->m[2][2] - 1.0f)));
	return off < FULL_TOLERANCE && on < FULL_TOLERANCE;
}

// Half axes in reaches, from the deviations sigma (descending). Small and equal for few neighbours,
// and for neighbours that are all at nearly one place.
static oz_vec3 axes_of(oz_vec3 sigma, float neighbours)
{
	const float share = anisotropy(neighbours) * oz_min(sigma.x / OZ_LONE_AXIS, 1.0f);
	const float least = MIN_SHARE * oz_min(sigma.x, OZ_MAX_AXIS);
	const oz_vec3 shaped =
	        oz_v3(oz_min(sigma.x, OZ_MAX_AXIS), oz_max(sigma.y, least), oz_max(sigma.z, least));
	return oz_mad(oz_v3(OZ_LONE_AXIS * (1.0f - share), OZ_LONE_AXIS * (1.0f - share),
	                    OZ_LONE_AXIS * (1.0f - share)),
	              oz_v3(oz_min(shaped.x, OZ_MAX_AXIS), oz_min(shaped.y, OZ_MAX_AXIS),
	                    oz_min(shaped.z, OZ_MAX_AXIS)),
	              share);
}

// t within 0 … 1
static float share_of(float t)
{
	return oz_min(oz_max(t, 0.0f), 1.0f);
}

// Whether a neighbourhood with these deviations is a single layer: 1, or 0 if it is not, or
// between.
static float layer_share(oz_vec3 sigma, float neighbours)
{
	const float scale = 1.0f / (oz_max(sigma.x, FLT_MIN) * (LAYER_TO - LAYER_FROM));
	const float flat = (LAYER_TO * sigma.x - sigma.z) * scale;
	// a row of particles is thin along two axes
	const float wide = (sigma.y - LAYER_FROM * sigma.x) * scale;
	const float many = (neighbours - LAYER_FEW) / (LAYER_MANY - LAYER_FEW);
	return share_of(many) * share_of(flat) * share_of(wide);
}

// Mixes the axes and the weight of a kernel with those of a single layer.
static void flatten(const oz_surface *s, uint32_t i, oz_vec3 sigma, float layer, oz_vec3 *axes,
                    float *weight)
{
	const float *density = s->points.density.data;
	const float peak = oz_kernel_peak(s->def.reach);
	const oz_vec3 flat = oz_v3(oz_min(sigma.x, OZ_MAX_AXIS), oz_min(sigma.y, OZ_MAX_AXIS),
	                           LAYER_AXIS / s->def.reach);
	*axes = oz_mad(oz_scale(*axes, 1.0f - layer), flat, layer);
	*weight += layer * (s->layer_gain * peak / density[i] - *weight);
}

// Fills the matrix, box, bounds and weight of a kernel.
static void shape_ellipsoid(oz_ellipsoid *b, const oz_mat3 *rotation, oz_vec3 axes, float reach,
                            float weight)
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

// Pool task: replaces the moments of each particle by its kernel, in the same memory.
static void make_kernels(void *context, uint32_t begin, uint32_t end)
{
	oz_surface *s = context;
	const oz_float4 *position = s->points.position.data;
	oz_shape_slot *shape = s->points.shape.data;
	const float reach = s->def.reach * s->def.spacing, radius = oz_moment_radius(&s->def);
	for (uint32_t i = begin; i < end; i++) {
		const oz_moment moment = shape[i].moment;
		oz_ellipsoid *ellipsoid = &shape[i].ellipsoid;
		const oz_mat3 variance = variance_of(s, &moment);
		oz_mat3 rotation = oz_mat3_identity(), other;
		oz_vec3 axes = {1, 1, 1}, sigma, move = {0, 0, 0};
		float weight = position[i].w;
		if (!is_full(&variance)) {
			oz_svd(variance, &rotation, &sigma, &other);
			sigma = oz_v3(sqrtf(sigma.x), sqrtf(sigma.y), sqrtf(oz_max(sigma.z, 0.0f)));
			axes = axes_of(sigma, moment.count);
			flatten(s, i, sigma, layer_share(sigma, moment.count), &axes, &weight);
			move = move_of(s, i, radius * radius);
		}
		*ellipsoid = (oz_ellipsoid){.x = position[i].x + move.x,
		                            .y = position[i].y + move.y,
		                            .z = position[i].z + move.z};
		shape_ellipsoid(ellipsoid, &rotation, axes, reach, weight);
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
	oz_pool_run(s->pool, p->count, CHUNK, write_weights, s);
	if (s->def.kind != OZ_SURFACE_SMOOTH)
		return OZ_OK;
	result = oz_store_reserve(s, &p->mean, p->count, sizeof(oz_vec3), false, error);
	if (result != OZ_OK)
		return result;
	oz_pool_run(s->pool, p->count, CHUNK, find_means, s);
	oz_pool_run(s->pool, p->count, 256, make_kernels, s);
	s->field.shapes = p->shape.data;
	return OZ_OK;
}
