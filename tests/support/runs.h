// runs.h: runs of the program, in the background too, and the comparison of two of them.
#ifndef OZ_TEST_RUNS_H
#define OZ_TEST_RUNS_H

#include <sys/types.h>

#include "support.h"

// A scene: a block falls into a vessel while a nozzle pours, so that particles and counts change.
extern const char test_splash[];
void test_write_splash(const char *path);
// Starts `ooze run scene.json -o FOLDER` with one more argument; what it says is in err.txt.
pid_t test_start_run(const char *folder, const char *more);
// The status of a child that has ended.
int test_wait_for(pid_t child);

// Fail unless two runs have the same bytes: a file; all frames, whose number is returned; the table
// of stats without wall-clock times; the whole run.
void test_same_file(const char *one, const char *other, const char *name);
uint32_t test_same_frames(const char *one, const char *other);
void test_same_stats(const char *one, const char *other);
void test_same_runs(const char *one, const char *other);

// Fails unless a file is empty.
void test_expect_empty(const char *path);
uint32_t test_count_lines(const char *path);

#endif
