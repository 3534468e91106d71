// test_mesit.c: the hashing of Mesit & Guha, with which the engine is compared, finds what a
// comparison of all pairs finds: each neighbour once, for any number of buckets.
#include "../cli/mesit_hash.c"
#include "support.h"

static const uint32_t sizes[] = {1, 2, 3, 5, 7, 11, 13, 17, 23, 47};
#define SIZES (sizeof sizes / sizeof *sizes)

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

// the lists of all points, each in rising order; free() it
static uint32_t *sorted_lists(const mesit_fluid *f)
{
	const uint32_t pairs = mesit_pairs(f);
	uint32_t *all = malloc(sizeof *all * (pairs + 1));
	assert_non_null(all);
	memcpy(all, f->list, sizeof *all * pairs);
	for (uint32_t i = 0; i < f->count; i++)
		qsort(all + f->start[i], f->start[i + 1] - f->start[i], sizeof *all, compare);
	return all;
}

// Points about the origin, so that cells have negative numbers, too; one cloud, or two that are far
// apart, whose cells share buckets.
static void make_points(oz_vec3 *points, uint32_t count, float width, bool apart)
{
	uint64_t seed = 7 + count;
	for (uint32_t k = 0; k < count; k++) {
		float x[3];
		for (int c = 0; c < 3; c++)
			x[c] = width * (float)(test_random(&seed) - 0.5);
		points[k] = oz_v3(x[0] + (apart && k % 2 ? 1e3f : 0), x[1], x[2]);
	}
}

static void hashing_finds_each_neighbour_once(void **state)
{
	(void)state;
	enum { MOST = 2000 };
	static oz_vec3 points[MOST];
	for (int k = 0; k < 4; k++) {
		const uint32_t count = k < 2 ? 300 : MOST;
		const float core = 0.04f, width = 0.02f * cbrtf((float)count);
		make_points(points, count, width, k % 2 == 1);
		mesit_fluid f = {0};
		assert_true(mesit_fluid_make(&f, points, count, core));
		assert_true(mesit_find_all_pairs(&f));
		const uint32_t pairs = mesit_pairs(&f);
		uint32_t *expected = sorted_lists(&f), *start = malloc(sizeof *start * (count + 1));
		assert_non_null(start);
		memcpy(start, f.start, sizeof *start * (count + 1));
		print_message("%u points%s: %.1f neighbours\n", count,
		              k % 2 ? " in two clouds" : "", (double)pairs / count);
		assert_true(pairs > 5 * count);
		for (size_t n = 0; n < SIZES; n++) {
			assert_true(mesit_find_by_hash(&f, sizes[n]));
			assert_int_equal(mesit_pairs(&f), pairs);
			assert_memory_equal(f.start, start, sizeof *start * (count + 1));
			uint32_t *found = sorted_lists(&f);
			assert_memory_equal(found, expected, sizeof *found * pairs);
			free(found);
		}
		free(expected);
		free(start);
		mesit_fluid_free(&f);
	}
}

// A step over lists moves the points as one that compares all pairs.
static void both_ways_move_points_alike(void **state)
{
	(void)state;
	enum { COUNT = 500 };
	static oz_vec3 points[COUNT];
	mesit_fluid one = {0}, two = {0};
	make_points(points, COUNT, 0.02f * cbrtf(COUNT), false);
	assert_true(mesit_fluid_make(&one, points, COUNT, 0.04f));
	assert_true(mesit_fluid_make(&two, points, COUNT, 0.04f));
	double apart = 0, moved = 0;
	for (uint32_t k = 0; k < COUNT; k++)
		one.position[k] = two.position[k] =
		        oz_v3(0.9f * points[k].x, points[k].y, points[k].z);
	for (int n = 0; n < 5; n++) {
		assert_true(mesit_find_by_hash(&one, 13));
		mesit_step(&one, 1e-4f);
		mesit_step_all_pairs(&two, 1e-4f);
	}
	for (uint32_t k = 0; k < COUNT; k++) {
		const oz_vec3 a = one.velocity[k], b = two.velocity[k];
		apart = fmax(apart,
		             fabs((double)a.x - (double)b.x) + fabs((double)a.y - (double)b.y));
		moved = fmax(moved, fabs((double)a.x));
	}
	print_message("speeds up to %.3g m/s, apart by %.1e of that\n", moved, apart / moved);
	assert_true(moved > 0 && apart < 1e-3 * moved);
	mesit_fluid_free(&one);
	mesit_fluid_free(&two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(hashing_finds_each_neighbour_once),
	        cmocka_unit_test(both_ways_move_points_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
