// fill_walls.c: λ of the surface of a volume, the contribution of its outside to the density.
//
// Voxels of half a spacing sample the volume. The share of a voxel that lies outside follows from
// the distance at its centre where the surface is near. λ at the centre of a voxel is
//
//   λ = c/8 Σ_voxels outside W(r)
//
// with c such that a cubic lattice that ends half a spacing from a flat surface has the same sum
// everywhere. Between centres λ is interpolated by cubics (Catmull & Rom 1974).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/fill_relax.h"
#include "geometry/shape.h"
#include "math/sph.h"
#include "math/vec.h"

enum {
	PER_SPACING = 2, // voxels
	REACH = 4,       // voxels, largest offset with a weight: the support is below 2.5 spacings
	PAD = 6,         // voxels around the box of the volume
	BLOCK = 8,       // voxels; λ is computed for whole runs of them along x
};
#define PITCH (1.0f / PER_SPACING)

static double kernel_at(double r2)
{
	return (double)oz_fitted(lane_of((float)r2), OZ_FITTED_SUPPORT)[0];
}

// Σ W over the layers first … last of a cubic lattice, seen from a point of layer 0
static double lattice_sum(int first, int last)
{
	double sum = 0;
	for (int z = first; z <= last; z++)
		for (int y = -3; y <= 3; y++)
			for (int x = -3; x <= 3; x++)
				sum += kernel_at(x * x + y * y + z * z);
	return sum;
}

typedef struct stencil {
	float weight[2 * REACH + 1][2 * REACH + 1][2 * REACH + 1];
} stencil;

// Voxels that a flat surface leaves outside, half a spacing from the centre of a voxel: all beyond
// the next one, which is half outside.
static double flat_sum(const stencil *s)
{
	double sum = 0;
	for (int z = 1; z <= REACH; z++)
		for (int y = 0; y <= 2 * REACH; y++)
			for (int x = 0; x <= 2 * REACH; x++)
				sum += (double)s->weight[REACH + z][y][x] * (z == 1 ? 0.5 : 1);
	return sum;
}

// writes the kernel weights of nodes around a node, scaled so that a flat wall gives its exact λ
static void make_stencil(stencil *s, double kernel_sum)
{
	for (int z = -REACH; z <= REACH; z++)
		for (int y = -REACH; y <= REACH; y++)
			for (int x = -REACH; x <= REACH; x++)
				s->weight[REACH + z][REACH + y][REACH + x] = (float)kernel_at(
				        (x * x + y * y + z * z) * (double)(PITCH * PITCH));
	const double missing = 1 - lattice_sum(-3, 0) / kernel_sum;
	const float scale = (float)(missing / flat_sum(s) / 255) * OZ_LAMBDA_ONE;
	for (int z = 0; z <= 2 * REACH; z++)
		for (int y = 0; y <= 2 * REACH; y++)
			for (int x = 0; x <= 2 * REACH; x++)
				s->weight[z][y][x] *= scale;
}

// ---- shares -----------------------------------------------------------------------------------

static size_t index_of(const oz_fill_walls *w, uint32_t x, uint32_t y, uint32_t z)
{
	return ((size_t)z * w->size[1] + y) * w->size[0] + x;
}

// the centre of a voxel, m
static oz_vec3 centre_of(const oz_volume *volume, float spacing, uint32_t x, uint32_t y, uint32_t z)
{
	const double pitch = (double)spacing * (double)PITCH;
	return oz_v3((float)((double)volume->min.x + ((double)x + 0.5 - PAD) * pitch),
	             (float)((double)volume->min.y + ((double)y + 0.5 - PAD) * pitch),
	             (float)((double)volume->min.z + ((double)z + 0.5 - PAD) * pitch));
}

static bool allocate(oz_fill_walls *w, const oz_volume *volume, float spacing)
{
	const double length[3] = {(double)volume->max.x - (double)volume->min.x,
	                          (double)volume->max.y - (double)volume->min.y,
	                          (double)volume->max.z - (double)volume->min.z};
	double all = 1;
	for (int axis = 0; axis < 3; axis++) {
		const double n = ceil(length[axis] / (double)spacing * PER_SPACING) + 2 * PAD;
		if (n > 1e9)
			return false;
		w->size[axis] = (uint32_t)n;
		all *= n;
	}
	if (all > 1e12)
		return false;
	w->outside = malloc((size_t)all);
	w->lambda = calloc((size_t)all, sizeof *w->lambda);
	return w->outside && w->lambda;
}

// 255 or 0 by the sign of the distance at each centre
static void sample_signs(oz_fill_walls *w, const oz_volume *volume, float spacing)
{
	memset(w->outside, 255, (size_t)w->size[0] * w->size[1] * w->size[2]);
	for (uint32_t z = PAD; z < w->size[2] - PAD; z++)
		for (uint32_t y = PAD; y < w->size[1] - PAD; y++)
			for (uint32_t x = PAD; x < w->size[0] - PAD; x++) {
				const oz_vec3 p = centre_of(volume, spacing, x, y, z);
				if (volume->distance(volume->context, p, 0) < 0)
					w->outside[index_of(w, x, y, z)] = 0;
			}
}

// whether a voxel next to this one has another sign
static bool is_border(const oz_fill_walls *w, uint32_t x, uint32_t y, uint32_t z)
{
	const uint8_t own = w->outside[index_of(w, x, y, z)] & 1;
	for (uint32_t k = z - 1; k <= z + 1; k++)
		for (uint32_t j = y - 1; j <= y + 1; j++) {
			const uint8_t *row = &w->outside[index_of(w, x - 1, j, k)];
			if ((row[0] & 1) != own || (row[1] & 1) != own || (row[2] & 1) != own)
				return true;
		}
	return false;
}

// Replaces signs by shares at the border. The lowest bit of a share stays that of the sign.
static void sample_shares(oz_fill_walls *w, const oz_volume *volume, float spacing)
{
	const float reach = spacing;
	for (uint32_t z = PAD - 1; z <= w->size[2] - PAD; z++)
		for (uint32_t y = PAD - 1; y <= w->size[1] - PAD; y++)
			for (uint32_t x = PAD - 1; x <= w->size[0] - PAD; x++) {
				if (!is_border(w, x, y, z))
					continue;
				const oz_vec3 p = centre_of(volume, spacing, x, y, z);
				const float d = volume->distance(volume->context, p, reach);
				const float share = 0.5f + d / (spacing * PITCH);
				uint8_t *at = &w->outside[index_of(w, x, y, z)];
				const uint32_t whole = (uint32_t)(255 * fminf(fmaxf(share, 0), 1));
				*at = (uint8_t)((whole & 254u) | (*at & 1u));
			}
}

static double inside_volume(const oz_fill_walls *w)
{
	uint64_t outside = 0;
	const size_t all = (size_t)w->size[0] * w->size[1] * w->size[2];
	for (size_t i = 0; i < all; i++)
		outside += w->outside[i];
	return ((double)all - (double)outside / 255) / (PER_SPACING * PER_SPACING * PER_SPACING);
}

// ---- λ ----------------------------------------------------------------------------------------

// λ of `count` voxels along x from index `first` on
static void convolve(oz_fill_walls *w, const stencil *s, size_t first, uint32_t count)
{
	float sum[BLOCK] = {0};
	const size_t row = w->size[0], layer = row * w->size[1];
	for (size_t z = 0; z <= 2 * REACH; z++)
		for (size_t y = 0; y <= 2 * REACH; y++) {
			const uint8_t *from = w->outside + first + z * layer + y * row -
			                      REACH * (layer + row + 1);
			for (size_t x = 0; x <= 2 * REACH; x++) {
				const float weight = s->weight[z][y][x];
				for (size_t k = 0; k < count; k++)
					sum[k] += weight * from[x + k];
			}
		}
	for (uint32_t k = 0; k < count; k++)
		w->lambda[first + k] = (uint16_t)fminf(sum[k] + 0.5f, OZ_LAMBDA_ONE);
}

// Whether λ of these voxels is neither 0 nor never read: some voxel in reach is outside, and some
// inside.
static bool is_needed(const oz_fill_walls *w, size_t first, uint32_t count)
{
	const size_t row = w->size[0], layer = row * w->size[1];
	uint32_t sum = 0;
	for (size_t z = 0; z <= 2 * REACH; z++)
		for (size_t y = 0; y <= 2 * REACH; y++) {
			const uint8_t *from = w->outside + first + z * layer + y * row -
			                      REACH * (layer + row + 1);
			for (size_t k = 0; k < count + 2 * REACH; k++)
				sum += from[k];
		}
	const uint32_t voxels = (2 * REACH + 1) * (2 * REACH + 1) * (count + 2 * REACH);
	return sum > 0 && sum < 255 * voxels;
}

static void make_lambda(oz_fill_walls *w, const stencil *s)
{
	for (uint32_t z = REACH; z < w->size[2] - REACH; z++)
		for (uint32_t y = REACH; y < w->size[1] - REACH; y++)
			for (uint32_t x = REACH; x < w->size[0] - REACH; x += BLOCK) {
				const uint32_t left = w->size[0] - REACH - x;
				const uint32_t count = left < BLOCK ? left : BLOCK;
				const size_t first = index_of(w, x, y, z);
				if (is_needed(w, first, count))
					convolve(w, s, first, count);
			}
}

bool oz_fill_walls_make(oz_fill_walls *walls, const oz_volume *volume, float spacing)
{
	*walls = (oz_fill_walls){.kernel_sum = lattice_sum(-3, 3)};
	if (!allocate(walls, volume, spacing)) {
		oz_fill_walls_free(walls);
		return false;
	}
	stencil s;
	make_stencil(&s, walls->kernel_sum);
	sample_signs(walls, volume, spacing);
	sample_shares(walls, volume, spacing);
	walls->volume = inside_volume(walls);
	make_lambda(walls, &s);
	return true;
}

void oz_fill_walls_free(oz_fill_walls *walls)
{
	free(walls->outside);
	free(walls->lambda);
	*walls = (oz_fill_walls){0};
}

// whether all nodes within two steps of a node are inside
static bool is_deep(const oz_fill_walls *w, uint32_t x, uint32_t y, uint32_t z)
{
	for (uint32_t k = z - 2; k <= z + 2; k++)
		for (uint32_t j = y - 2; j <= y + 2; j++)
			for (uint32_t i = x - 2; i <= x + 2; i++)
				if (w->outside[index_of(w, i, j, k)])
					return false;
	return true;
}

bool oz_fill_walls_are_deep(const oz_fill_walls *walls)
{
	for (uint32_t z = PAD; z < walls->size[2] - PAD; z++)
		for (uint32_t y = PAD; y < walls->size[1] - PAD; y++)
			for (uint32_t x = PAD; x < walls->size[0] - PAD; x++)
				if (is_deep(walls, x, y, z))
					return true;
	return false;
}

static uint32_t voxel_along(float at, uint32_t size)
{
	return (uint32_t)fminf(fmaxf(at * PER_SPACING + PAD, 0), (float)(size - 1));
}

float oz_fill_walls_inside(const oz_fill_walls *walls, oz_vec3 p)
{
	const uint32_t x = voxel_along(p.x, walls->size[0]);
	const uint32_t y = voxel_along(p.y, walls->size[1]);
	const uint32_t z = voxel_along(p.z, walls->size[2]);
	return 1 - (float)walls->outside[index_of(walls, x, y, z)] / 255;
}

// weights of four nodes for the value and the slope at t, 0 … 1, between the middle two
static void cubic_weights(float t, float value[4], float slope[4])
{
	const float t2 = t * t, t3 = t2 * t;
	value[0] = 0.5f * (-t3 + 2 * t2 - t);
	value[1] = 0.5f * (3 * t3 - 5 * t2 + 2);
	value[2] = 0.5f * (-3 * t3 + 4 * t2 + t);
	value[3] = 0.5f * (t3 - t2);
	slope[0] = 0.5f * (-3 * t2 + 4 * t - 1);
	slope[1] = 0.5f * (9 * t2 - 10 * t);
	slope[2] = 0.5f * (-9 * t2 + 8 * t + 1);
	slope[3] = 0.5f * (3 * t2 - 2 * t);
}

// the first of the four nodes along an axis, and the weights of all four
static uint32_t cubic_nodes(float at, uint32_t size, float value[4], float slope[4])
{
	const float u = oz_clamp(at * PER_SPACING + (PAD - 0.5f), 1, (float)(size - 3));
	const uint32_t low = (uint32_t)u;
	cubic_weights(u - (float)low, value, slope);
	return low - 1;
}

// whether λ is 0 at the corners of the 4 × 4 × 4 nodes from (x, y, z) on
static bool is_zero(const oz_fill_walls *w, uint32_t x, uint32_t y, uint32_t z)
{
	uint32_t sum = 0;
	for (uint32_t k = 0; k < 4; k++) {
		const uint16_t *row = &w->lambda[index_of(w, x, y + 3 * (k & 1), z + 3 * (k >> 1))];
		sum += (uint32_t)row[0] + row[3];
	}
	return sum == 0;
}

oz_fill_lambda oz_fill_walls_at(const oz_fill_walls *walls, oz_vec3 p)
{
	float vx[4], vy[4], vz[4], sx[4], sy[4], sz[4];
	const uint32_t x = cubic_nodes(p.x, walls->size[0], vx, sx);
	const uint32_t y = cubic_nodes(p.y, walls->size[1], vy, sy);
	const uint32_t z = cubic_nodes(p.z, walls->size[2], vz, sz);
	oz_fill_lambda sum = {0, 0, 0, 0};
	if (is_zero(walls, x, y, z))
		return sum;
	for (uint32_t k = 0; k < 4; k++)
		for (uint32_t j = 0; j < 4; j++) {
			const uint16_t *row = &walls->lambda[index_of(walls, x, y + j, z + k)];
			const float a = row[0], b = row[1], c = row[2], d = row[3];
			const float value = vx[0] * a + vx[1] * b + vx[2] * c + vx[3] * d;
			const float slope = sx[0] * a + sx[1] * b + sx[2] * c + sx[3] * d;
			sum.x += slope * vy[j] * vz[k];
			sum.y += value * sy[j] * vz[k];
			sum.z += value * vy[j] * sz[k];
			sum.w += value * vy[j] * vz[k];
		}
	const float scale = 1 / OZ_LAMBDA_ONE;
	sum.x *= scale * PER_SPACING;
	sum.y *= scale * PER_SPACING;
	sum.z *= scale * PER_SPACING;
	sum.w = fmaxf(sum.w * scale, 0);
	return sum;
}
