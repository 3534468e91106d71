// numbers.c: random numbers, comparisons.
#include "support.h"

double test_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

void test_near(double value, double wanted, double tolerance, const char *what)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%s is %.9g, not %.9g within %.3g", what, value, wanted, tolerance);
}

void test_must(oz_result result, const oz_error *error)
{
	if (result != OZ_OK)
		fail_msg("%s", error ? error->text : oz_result_text(result));
}

uint32_t test_random_bits(uint64_t *state)
{
	return (uint32_t)(test_random(state) * 0x1p32);
}

static bool is_set(const char *variable)
{
	const char *said = getenv(variable);
	return said && strcmp(said, "0") != 0;
}

bool test_is_long(void)
{
	return is_set("OOZE_LONG");
}

bool test_is_quick(void)
{
	return is_set("OOZE_QUICK");
}

int test_by_x(const void *a, const void *b)
{
	const oz_vec3 *p = a, *q = b;
	return (p->x > q->x) - (p->x < q->x);
}
