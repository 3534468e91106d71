// program.c: the program and other commands, run through the shell.
#include <sys/wait.h>

#include "support.h"

const char *test_program(void)
{
	return OZ_PROGRAM;
}

int test_shell(const char *line)
{
	char text[6000];
	const int length =
	        snprintf(text, sizeof text,
	                 "OOZE='%s' PYTHON='%s' SOURCE='%s'; (%s) >out.txt 2>err.txt </dev/null",
	                 OZ_PROGRAM, OZ_PYTHON, OZ_SOURCE_DIR, line);
	assert_true(length > 0 && (size_t)length < sizeof text);
	const int status = system(text);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

void test_expect_shell(const char *line, int status)
{
	const int ended = test_shell(line);
	if (ended == status)
		return;
	char *out = test_read("out.txt", NULL), *said = test_read("err.txt", NULL);
	fail_msg("%s\nended with %d, not %d: %s%s", line, ended, status, out, said);
}

int test_ooze(const char *format, ...)
{
	char line[5000] = "\"$OOZE\" ";
	const size_t begin = strlen(line);
	va_list list;
	va_start(list, format);
	vsnprintf(line + begin, sizeof line - begin, format, list);
	va_end(list);
	return test_shell(line);
}
