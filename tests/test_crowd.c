// test_crowd.c: the worked example of docs/kernels.md compiles, and computes what it says.
#include "crowd/crowd.h"
#include "world/world.h"
#include "worlds.h"

#define SPACING 0.04f

static void *cleared(oz_device *d, size_t size)
{
	void *buffer = d->ops->alloc(d, size);
	assert_non_null(buffer);
	d->ops->clear(d, buffer, size);
	return buffer;
}

// the neighbours of particle i within a radius, by looking at all
static uint32_t brute_crowd(const oz_float4 *x, uint32_t count, uint32_t i, float radius)
{
	uint32_t crowd = 0;
	for (uint32_t j = 0; j < count; j++) {
		const oz_vec3 r = oz_v3(x[i].x - x[j].x, x[i].y - x[j].y, x[i].z - x[j].z);
		crowd += j != i && oz_square_sum(r.x, r.y, r.z) < radius * radius;
	}
	return crowd;
}

static void expect_histogram(oz_device *d, const crowd_buffers *b, const uint32_t *histogram)
{
	const oz_sum *found = test_see(d, b->histogram, sizeof *found * CROWD_BINS);
	for (uint32_t k = 0; k < CROWD_BINS; k++)
		assert_int_equal(oz_sum_get(found[k]), histogram[k]);
}

static void expect_groups(oz_device *d, const crowd_buffers *b, uint32_t count, double sum,
                          double most)
{
	const uint32_t groups = (count - 1) / OZ_GROUP + 1;
	const crowd_stats *found = test_see(d, b->groups, sizeof *found * groups);
	for (uint32_t g = 0; g < groups; g++) {
		sum -= (double)found[g].sum;
		most = fmax(most, (double)found[g].most);
	}
	assert_true(sum == 0); // whole numbers below 2²⁴
	assert_true(most < CROWD_BINS && most > 8);
}

static void the_example_counts_what_brute_force_counts(void **state)
{
	(void)state;
	oz_world *w = test_dam(2, SPACING, NULL);
	test_steps(w, 1);
	oz_device *d = w->sim.device;
	const uint32_t count = w->sim.particles.count;
	const size_t records = sizeof(oz_float4) * count;
	const uint32_t groups = (count - 1) / OZ_GROUP + 1;
	crowd_buffers b = {.crowd = cleared(d, sizeof(float) * count),
	                   .groups = cleared(d, sizeof(crowd_stats) * groups),
	                   .histogram = cleared(d, sizeof(oz_sum) * CROWD_BINS),
	                   .scaled = cleared(d, records)};
	const float radius = 1.49f * SPACING;
	crowd_find(&w->sim, &b, radius);

	oz_float4 *x = malloc(records);
	uint32_t histogram[CROWD_BINS] = {0};
	double sum = 0, most = 0;
	assert_non_null(x);
	memcpy(x, test_see(d, w->sim.particles.position, records), records);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t crowd = brute_crowd(x, count, i, radius);
		histogram[crowd]++;
		sum += crowd;
		most = fmax(most, crowd);
	}
	expect_histogram(d, &b, histogram);
	expect_groups(d, &b, count, sum, most);
	const oz_float4 *scaled = test_see(d, b.scaled, records);
	for (uint32_t i = 0; i < count; i++) {
		assert_float_equal(scaled[i].y, x[i].y / radius, 1e-5);
		assert_true(scaled[i].w == x[i].w);
	}
	free(x);
	d->ops->release(d, b.crowd, sizeof(float) * count);
	d->ops->release(d, b.groups, sizeof(crowd_stats) * groups);
	d->ops->release(d, b.histogram, sizeof(oz_sum) * CROWD_BINS);
	d->ops->release(d, b.scaled, records);
	oz_world_destroy(w);
}

static char *read_text(const char *path)
{
	size_t size;
	char *bytes = test_read(path, &size), *text = realloc(bytes, size + 1);
	assert_non_null(text);
	text[size] = 0;
	return text;
}

// the page shows the files as they are
static void the_page_shows_the_files_of_the_example(void **state)
{
	(void)state;
	char *page = read_text(test_source("docs/kernels.md"));
	char *kernels = read_text(test_source("tests/crowd/crowd.cl"));
	char *host = read_text(test_source("tests/crowd/crowd.c"));
	assert_non_null(strstr(page, kernels));
	// without its first lines
	assert_non_null(strstr(page, strstr(host, "void crowd_find")));
	free(page);
	free(kernels);
	free(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_example_counts_what_brute_force_counts),
	        cmocka_unit_test(the_page_shows_the_files_of_the_example),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
