// trace_draw.c: the tracer: traces tiles on all threads, filters the noise, converts light to
// bytes.
#include <stdlib.h>

#include "render/trace.h"

#define TILE  16u
#define TONES 4096 // entries of the table from light to bytes

struct oz_tracer {
	oz_heap heap;
	oz_pool *pool;
	oz_set set;
	oz_sampler sampler;
	uint32_t width, height;
	oz_pixel_sums *probes;
	oz_vec3 *light;
	float *scratch;
	uint8_t tones[TONES + 1];
	// the picture under way
	const oz_painting *painting;
	oz_picture *picture;
};

// Whether all values of a sample are finite.
static bool is_finite(oz_vec3 light, const oz_pixel_sums *p)
{
	const oz_vec3 all = oz_add(light, oz_add(p->albedo, p->normal));
	return isfinite(all.x + all.y + all.z + p->depth + oz_dot(light, light));
}

static void trace_pixel(oz_tracer *t, uint32_t x, uint32_t y)
{
	oz_pixel_sums p = {.depth = 0.0f};
	float sum = 0.0f, squares = 0.0f;
	uint32_t n = 0;
	for (uint32_t s = 0; s < t->sampler.samples; s++) {
		oz_pixel_sums next = p;
		const oz_vec3 c =
		        oz_trace(&t->set, &t->sampler, &t->painting->camera, x, y, s, &next);
		const float l = oz_luminance(c);
		// leave it out: the filter would spread a NaN over the picture
		if (!is_finite(c, &next))
			continue;
		p = next;
		p.light = oz_add(p.light, c);
		sum += l;
		squares += l * l;
		n++;
	}
	const float share = n ? 1.0f / (float)n : 0.0f;
	p.light = oz_scale(p.light, share);
	p.albedo = oz_scale(p.albedo, share);
	p.normal = oz_scale(p.normal, share);
	p.depth *= share;
	sum *= share;
	p.variance = oz_max(squares * share - sum * sum, 0.0f) / (float)(n > 1 ? n - 1 : 1);
	// one sample has no variance: assume one
	if (n == 1)
		p.variance = 0.1f * sum * sum;
	t->probes[(size_t)y * t->width + x] = p;
}

static void trace_tiles(void *context, uint32_t begin, uint32_t end)
{
	oz_tracer *t = context;
	const uint32_t across = (t->width + TILE - 1) / TILE;
	for (uint32_t tile = begin; tile < end; tile++) {
		const uint32_t left = tile % across * TILE, top = tile / across * TILE;
		for (uint32_t y = top; y < top + TILE && y < t->height; y++)
			for (uint32_t x = left; x < left + TILE && x < t->width; x++)
				trace_pixel(t, x, y);
	}
}

// Filmic tone curve (Narkowicz 2015): light → 0 … 1.
static float tone(float x)
{
	x *= 0.68f;
	return oz_clamp01(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
}

static void make_bytes(void *context, uint32_t begin, uint32_t end)
{
	const oz_tracer *t = context;
	for (size_t at = (size_t)begin * t->width; at < (size_t)end * t->width; at++) {
		const oz_vec3 c = t->light[at];
		uint8_t *out = t->picture->pixels + 3 * at;
		out[0] = t->tones[(uint32_t)(tone(c.x) * TONES + 0.5f)];
		out[1] = t->tones[(uint32_t)(tone(c.y) * TONES + 0.5f)];
		out[2] = t->tones[(uint32_t)(tone(c.z) * TONES + 0.5f)];
	}
}

static void filter(oz_tracer *t)
{
	if (t->painting->raw)
		for (size_t at = 0; at < (size_t)t->width * t->height; at++)
			t->light[at] = t->probes[at].light;
	else
		oz_denoise(t->pool, t->probes, t->light, t->scratch, t->width, t->height);
}

oz_result oz_tracer_draw(oz_tracer *t, const oz_painting *painting, oz_picture *picture,
                         oz_error *error)
{
	const uint32_t tiles = ((t->width + TILE - 1) / TILE) * ((t->height + TILE - 1) / TILE);
	uint32_t samples = painting->samples ? painting->samples : OZ_SAMPLES;
	if (picture->width != t->width || picture->height != t->height)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a picture of %u × %u has not the tracer's size; make it %u × %u",
		               picture->width, picture->height, t->width, t->height);
	if (samples > OZ_SAMPLES_MAX)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%u samples a pixel are too many; use at most %u", samples,
		               OZ_SAMPLES_MAX);
	if (!oz_sampler_prepare(&t->sampler, samples))
		return oz_fail(error, OZ_ERROR_MEMORY,
		               "out of memory for %u samples a pixel; use fewer", samples);
	t->painting = painting;
	t->picture = picture;
	const oz_result result = oz_set_fill(&t->set, painting, error);
	if (result == OZ_OK) {
		oz_pool_run(t->pool, tiles, 1, trace_tiles, t);
		filter(t);
		oz_pool_run(t->pool, t->height, 8, make_bytes, t);
	}
	oz_set_clear(&t->set);
	return result;
}

const oz_vec3 *oz_tracer_light(const oz_tracer *t)
{
	return t->light;
}

// ---- making -----------------------------------------------------------------------------------

// The system may promise more memory than it has, so compare with the machine's memory first.
static bool make_buffers(oz_tracer *t)
{
	const double each = sizeof *t->probes + sizeof *t->light + 8 * sizeof(float);
	const size_t pixels = (size_t)t->width * t->height;
	if (each * (double)pixels > 0.7 * oz_machine_memory())
		return false;
	t->probes = malloc(pixels * sizeof *t->probes);
	t->light = malloc(pixels * sizeof *t->light);
	t->scratch = malloc(pixels * 8 * sizeof(float));
	return t->probes && t->light && t->scratch;
}

oz_result oz_tracer_create(uint32_t width, uint32_t height, uint32_t threads, oz_tracer **tracer,
                           oz_error *error)
{
	*tracer = NULL;
	if (width == 0 || height == 0)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "a picture of %u × %u has no pixels; give at least 1 × 1", width,
		               height);
	oz_tracer *t = calloc(1, sizeof *t);
	oz_result result = OZ_OK;
	if (t) {
		const oz_hooks hooks = {0};
		oz_heap_init(&t->heap, &hooks);
		t->width = width;
		t->height = height;
		for (int k = 0; k <= TONES; k++)
			t->tones[k] = oz_colour_byte((float)k / TONES);
	}
	if (!t || !make_buffers(t))
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "a picture of %u × %u does not fit into memory; choose a smaller "
		                 "size",
		                 width, height);
	if (result == OZ_OK)
		result = oz_pool_create(&t->heap, threads, &t->pool, error);
	if (result == OZ_OK)
		result = oz_set_open(&t->set, oz_pool_threads(t->pool), error);
	if (result == OZ_OK) {
		oz_sampler_init(&t->sampler);
		*tracer = t;
	} else {
		oz_tracer_destroy(t);
	}
	return result;
}

void oz_tracer_destroy(oz_tracer *t)
{
	if (!t)
		return;
	oz_set_close(&t->set);
	oz_sampler_free(&t->sampler);
	if (t->pool)
		oz_pool_destroy(t->pool);
	free(t->probes);
	free(t->light);
	free(t->scratch);
	free(t);
}
