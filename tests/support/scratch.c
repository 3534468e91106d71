// scratch.c: a test that was started without tools/in_scratch.sh starts itself again through it, so
// that its files never lie in the folder where it was started.
//
// tools/in_scratch.sh sets OOZE_SCRATCH. If it is set, the test writes into the current folder.
#include <libgen.h>
#include <unistd.h>

#include "support.h"

__attribute__((constructor)) void test_enter_scratch(int argc, char **argv);

// glibc gives constructors the arguments of main
void test_enter_scratch(int argc, char **argv)
{
	char program[2000], folder[2000], scratch[4100];
	if (getenv("OOZE_SCRATCH"))
		return;
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length < 0) {
		fprintf(stderr,
		        "%s: /proc/self/exe cannot be read; set OOZE_SCRATCH=1 to run the "
		        "test in this folder\n",
		        argv[0]);
		_exit(1);
	}
	program[length] = '\0';
	memcpy(folder, program, (size_t)length + 1);
	const char *parent = dirname(folder), *name = strrchr(program, '/') + 1;
	snprintf(scratch, sizeof scratch, "%s/scratch/%s.by_hand", parent, name);
	fprintf(stderr, "%s runs in %s\n", name, scratch);

	char **words = calloc((size_t)argc + 3, sizeof *words);
	if (!words)
		_exit(1);
	static char script[] = OZ_SOURCE_DIR "/tools/in_scratch.sh";
	words[0] = script;
	words[1] = scratch;
	words[2] = program;
	for (int i = 1; i < argc; i++)
		words[i + 2] = argv[i];
	execv(script, words);
	fprintf(stderr, "%s cannot be started; set OOZE_SCRATCH=1 to run the test in this folder\n",
	        script);
	_exit(1);
}
