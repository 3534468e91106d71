// trace_denoise.c: takes the noise out of a picture and leaves its edges.
//
// Light is divided by what the first matte thing reflects, so that patterns stay sharp, and then
// averaged over 5 × 5 pixels, again and again with twice the distance between them (à-trous:
// Dammertz 2010). A pixel counts less the more it differs in normal, depth and albedo, and in
// brightness beyond what the samples' own variance explains (Schied 2017).
#include "render/trace.h"

#define FLOOR   0.02f // of albedo, so that black things can be divided by
#define NORMALS 20.0f
#define ALBEDOS 40.0f
#define LIGHTS  14.0f // deviations that are taken for noise, squared

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

// how fast depth changes from pixel to pixel, on the flatter of the two sides
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

static void divide(void *context, uint32_t begin, uint32_t end)
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

// about exp(-x)
static float falloff(float x)
{
	const float y = oz_max(1.0f - 0.25f * x, 0.0f), y2 = y * y;
	return y2 * y2;
}

static float unlike(const oz_pixel_sums *p, const oz_pixel_sums *q, float reach)
{
	const oz_vec3 dn = oz_sub(p->normal, q->normal), da = oz_sub(p->albedo, q->albedo);
	const float dz = oz_abs(p->depth - q->depth) / (p->slope * reach + 0.004f * p->depth);
	return NORMALS * oz_dot(dn, dn) + ALBEDOS * oz_dot(da, da) + 0.5f * dz * dz;
}

// What the neighbours that are alike say of a pixel: a sample far above them is cut down to what
// they explain, and the noise is as large as they differ, since a few samples know little of their
// own.
static signal settle_pixel(const job *j, int x, int y)
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
			const float w = falloff(unlike(&j->probes[here], &j->probes[at], reach));
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

static void settle(void *context, uint32_t begin, uint32_t end)
{
	const job *j = context;
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < j->width; x++)
			j->to[(size_t)y * j->width + x] = settle_pixel(j, (int)x, (int)y);
}

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
			const float far = at == here ? 0.0f : unlike(p, &j->probes[at], reach);
			const float w =
			        kernel[abs(dx)] * kernel[abs(dy)] * falloff(far + dl * dl * noise);
			sum = oz_mad(sum, s->light, w);
			variance += w * w * s->variance;
			weight += w;
		}
	}
	return (signal){oz_scale(sum, 1.0f / weight), variance / (weight * weight)};
}

static void smooth(void *context, uint32_t begin, uint32_t end)
{
	const job *j = context;
	for (uint32_t y = begin; y < end; y++)
		for (uint32_t x = 0; x < j->width; x++)
			j->to[(size_t)y * j->width + x] = smooth_pixel(j, (int)x, (int)y);
}

static void multiply(void *context, uint32_t begin, uint32_t end)
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
	oz_pool_run(pool, height, 8, divide, &j);
	// the last takes away what wide steps have left between their feet
	static const int steps[] = {0, 1, 2, 4, 8, 1};
	for (size_t pass = 0; pass < sizeof steps / sizeof steps[0]; pass++) {
		j.from = pass % 2 ? other : one;
		j.to = pass % 2 ? one : other;
		j.step = steps[pass];
		oz_pool_run(pool, height, 8, pass ? smooth : settle, &j);
	}
	j.from = j.to;
	oz_pool_run(pool, height, 8, multiply, &j);
}
