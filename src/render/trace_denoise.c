// trace_denoise.c: filters the noise of a picture and keeps its edges.
//
// Light is divided by the albedo of the first matte surface, so that patterns stay sharp, and then
// averaged over 5 × 5 pixels several times, each time with twice the distance between them
// (à-trous: Dammertz 2010). The weight of a pixel decreases with the difference in normal, depth
// and albedo, and with a difference in brightness above the samples' own deviation (Schied 2017).
#include "render/trace.h"

#define FLOOR   0.02f // added to albedos: no division by zero
#define NORMALS 20.0f // weight of the squared difference of normals
#define ALBEDOS 40.0f // weight of the squared difference of albedos
#define LIGHTS  14.0f // variances of brightness that count as noise

typedef struct signal {
	oz_vec3 light;
	float variance;
} signal;

typedef struct job {
	oz_pixel_sums *probes;
	oz_vec3 *light;
	const signal *from;
	signal *to;
	uint32_t width, height;
	int step;
} job;

static oz_vec3 divisor(const oz_pixel_sums *p)
{
	return oz_v3(p->albedo.x + FLOOR, p->albedo.y + FLOOR, p->albedo.z + FLOOR);
}

// Change of depth per pixel (m): for each axis the lesser of both sides, then the greater of the
// axes.
static float slope_at(const job *j, uint32_t x, uint32_t y)
{
	const oz_pixel_sums *p = &j->probes[(size_t)y * j->width + x];
	float across = 0.0f;
	for (int k = 0; k < 2; k++) {
		const size_t step = k ? j->width : 1;
		const uint32_t at = k ? y : x, end = k ? j->height : j->width;
		const float before = at > 0 ? oz_abs(p->depth - (p - step)->depth) : 1e30f;
		const float behind = at + 1 < end ? oz_abs((p + step)->depth - p->depth) : 1e30f;
		const float least = oz_min(before, behind);
		across = oz_max(across, least < 1e30f ? least : 0.0f);
	}
	return across;
}

// Divides the light of rows [begin, end) by the albedo, and computes the slopes.
static void divide_rows(void *context, uint32_t begin, uint32_t end)
{
	const job *j = context;
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < j->width; x++) {
			const size_t at = (size_t)y * j->width + x;
			oz_pixel_sums *p = &j->probes[at];
			const oz_vec3 d = divisor(p);
			const float scale = oz_luminance(d);
			p->slope = slope_at(j, x, y);
			j->to[at].light =
			        oz_v3(p->light.x / d.x, p->light.y / d.y, p->light.z / d.z);
			j->to[at].variance = p->variance / (scale * scale);
		}
}

// Approximates exp(-x); 0 from x = 4 on.
static float falloff(float x)
{
	const float y = oz_max(1.0f - 0.25f * x, 0.0f), y2 = y * y;
	return y2 * y2;
}

// Difference of two pixels in normal, albedo and depth; `reach`: pixels between them.
static float difference(const oz_pixel_sums *p, const oz_pixel_sums *q, float reach)
{
	const oz_vec3 dn = oz_sub(p->normal, q->normal), da = oz_sub(p->albedo, q->albedo);
	const float dz = oz_abs(p->depth - q->depth) / (p->slope * reach + 0.004f * p->depth);
	return NORMALS * oz_dot(dn, dn) + ALBEDOS * oz_dot(da, da) + 0.5f * dz * dz;
}

// Compares a pixel with its similar neighbours: brightness far above theirs is reduced to the mean
// plus two deviations, and its variance is replaced by theirs, which is a better estimate than that
// of its own few samples.
static signal clamp_pixel(const job *j, int x, int y)
{
	const size_t here = (size_t)y * j->width + (size_t)x;
	signal own = j->from[here];
	const float light = oz_luminance(own.light);
	float weight = 1e-6f, sum = 0.0f, squares = 0.0f, variance = 0.0f;
	for (int dy = -2; dy <= 2; dy++)
		for (int dx = -2; dx <= 2; dx++) {
			if (x + dx < 0 || x + dx >= (int)j->width || y + dy < 0 ||
			    y + dy >= (int)j->height || (dx == 0 && dy == 0))
				continue;
			const size_t at = (size_t)(y + dy) * j->width + (size_t)(x + dx);
			const float reach = (float)(abs(dx) + abs(dy));
			const float w =
			        falloff(difference(&j->probes[here], &j->probes[at], reach));
			const float l = oz_luminance(j->from[at].light);
			weight += w;
			sum += w * l;
			squares += w * l * l;
			variance += w * j->from[at].variance;
		}
	const float mean = sum / weight;
	const float spread = oz_max(squares / weight - mean * mean, 0.0f);
	const float trust = oz_min(weight * 0.2f, 1.0f);
	const float most = mean + 2.0f * sqrtf(spread) + 0.02f;
	if (trust >= 1.0f && light > most)
		own.light = oz_scale(own.light, most / light);
	own.variance = own.variance + trust * (0.5f * (variance / weight + spread) - own.variance);
	return own;
}

static void clamp_rows(void *context, uint32_t begin, uint32_t end)
{
	const job *j = context;
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < j->width; x++)
			j->to[(size_t)y * j->width + x] = clamp_pixel(j, (int)x, (int)y);
}

// Weighted mean over 5 × 5 pixels, `step` pixels apart.
static signal smooth_pixel(const job *j, int x, int y)
{
	static const float kernel[3] = {0.375f, 0.25f, 0.0625f};
	const size_t here = (size_t)y * j->width + (size_t)x;
	const oz_pixel_sums *p = &j->probes[here];
	const float own = oz_luminance(j->from[here].light);
	const float noise = 1.0f / (LIGHTS * j->from[here].variance + 1e-5f);
	oz_vec3 sum = {0, 0, 0};
	float weight = 0.0f, variance = 0.0f;
	for (int dy = -2; dy <= 2; dy++) {
		const int row = y + dy * j->step;
		if (row < 0 || row >= (int)j->height)
			continue;
		for (int dx = -2; dx <= 2; dx++) {
			const int column = x + dx * j->step;
			if (column < 0 || column >= (int)j->width)
				continue;
			const size_t at = (size_t)row * j->width + (size_t)column;
			const signal *s = &j->from[at];
			const float dl = oz_luminance(s->light) - own;
			const float reach = (float)(j->step * (abs(dx) + abs(dy)));
			const float far = at == here ? 0.0f : difference(p, &j->probes[at], reach);
			const float w =
			        kernel[abs(dx)] * kernel[abs(dy)] * falloff(far + dl * dl * noise);
			sum = oz_mad(sum, s->light, w);
			variance += w * w * s->variance;
			weight += w;
		}
	}
	return (signal){oz_scale(sum, 1.0f / weight), variance / (weight * weight)};
}

static void smooth_rows(void *context, uint32_t begin, uint32_t end)
{
	const job *j = context;
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < j->width; x++)
			j->to[(size_t)y * j->width + x] = smooth_pixel(j, (int)x, (int)y);
}

static void multiply_rows(void *context, uint32_t begin, uint32_t end)
{
	const job *j = context;
	for (size_t at = (size_t)begin * j->width; at < (size_t)end * j->width; at++)
		j->light[at] = oz_times(j->from[at].light, divisor(&j->probes[at]));
}

void oz_denoise(oz_pool *pool, oz_pixel_sums *probes, oz_vec3 *light, float *scratch,
                uint32_t width, uint32_t height)
{
	signal *one = (signal *)(void *)scratch, *other = one + (size_t)width * height;
	job j = {.probes = probes, .light = light, .to = one, .width = width, .height = height};
	oz_pool_run(pool, height, 8, divide_rows, &j);
	// the last pass removes the pattern that wide steps leave between their sample points
	static const int steps[] = {0, 1, 2, 4, 8, 1};
	for (size_t pass = 0; pass < sizeof steps / sizeof steps[0]; pass++) {
		j.from = pass % 2 ? other : one;
		j.to = pass % 2 ? one : other;
		j.step = steps[pass];
		oz_pool_run(pool, height, 8, pass ? smooth_rows : clamp_rows, &j);
	}
	j.from = j.to;
	oz_pool_run(pool, height, 8, multiply_rows, &j);
}
