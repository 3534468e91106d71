// cases.c: OOZE_CASE of the environment chooses which cases of a test run: a name, or a pattern
// with * and ?.
#include "support.h"

__attribute__((constructor)) void test_choose_case(void);

void test_choose_case(void)
{
	const char *pattern = getenv("OOZE_CASE");
	if (pattern)
		cmocka_set_test_filter(pattern);
}
