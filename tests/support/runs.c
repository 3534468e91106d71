// runs.c: runs of the program, in the background too, and the comparison of two of them.
#include "runs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

void test_expect_empty(const char *path)
{
	char *text = test_read(path, NULL);
	assert_string_equal(text, "");
	free(text);
}

// ---- scenes -----------------------------------------------------------------------------------

const char test_splash[] =
        "{\n"
        "  // small, but with a bit of everything\n"
        "  \"name\": \"splash\",\n"
        "  \"world\": {\"spacing\": 0.05, \"max_compression\": 0.5},\n"
        "  \"materials\": {\"wet\": {\"preset\": \"water\"}},\n"
        "  \"bodies\": [{\"name\": \"block\", \"material\": \"wet\", \"shape\": \"box\",\n"
        "    \"size\": [0.5, 0.5, 0.5], \"position\": [0, 0.5, 0]}],\n"
        "  \"colliders\": [{\"shape\": \"box\", \"size\": [1, 2, 1], \"position\": [0, 1, 0],\n"
        "    \"inside\": true}],\n"
        "  \"emitters\": [{\"material\": \"wet\", \"position\": [0.2, 1.5, 0],\n"
        "    \"radius\": 0.15, \"speed\": 2}],\n"
        "  \"output\": {\"duration\": 0.5, \"frame_rate\": 50, \"vtu\": true, \"ply\": true,\n"
        "    \"snapshot_interval\": 0.1}\n"
        "}\n";

void test_write_splash(const char *path)
{
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(test_splash, stream);
	assert_int_equal(fclose(stream), 0);
}

pid_t test_start_run(const char *folder, const char *more)
{
	fflush(NULL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child > 0)
		return child;
	int out = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	dup2(out, 1);
	dup2(out, 2);
	execl(test_program(), "ooze", "run", "scene.json", "-q", "-o", folder, "--threads", "1",
	      more, (char *)NULL);
	_exit(127);
}

int test_wait_for(pid_t child)
{
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

// ---- comparing two runs -----------------------------------------------------------------------

void test_same_file(const char *one, const char *other, const char *name)
{
	char path[600];
	char *a, *b;
	size_t m, n;
	oz_error error = {OZ_OK, ""};
	snprintf(path, sizeof path, "%s/%s", one, name);
	if (oz_file_read(path, (size_t)1 << 30, &a, &m, &error) != OZ_OK)
		fail_msg("%s", error.text);
	snprintf(path, sizeof path, "%s/%s", other, name);
	if (oz_file_read(path, (size_t)1 << 30, &b, &n, &error) != OZ_OK)
		fail_msg("%s", error.text);
	if (m != n || memcmp(a, b, m) != 0)
		fail_msg("%s differs between %s and %s", name, one, other);
	free(a);
	free(b);
}

uint32_t test_same_frames(const char *one, const char *other)
{
	char path[600], name[300];
	uint32_t count = 0;
	snprintf(path, sizeof path, "%s/frames", one);
	DIR *list = opendir(path);
	assert_non_null(list);
	for (struct dirent *entry; (entry = readdir(list));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "frames/%s", entry->d_name);
		test_same_file(one, other, name);
		count++;
	}
	closedir(list);
	return count;
}

// cuts the last column, the wall-clock time, which differs between runs
static void cut_last_column(char *table)
{
	char *out = table;
	for (char *line = table; *line;) {
		char *end = strchr(line, '\n');
		assert_non_null(end);
		char *comma = end;
		while (comma > line && *comma != ',')
			comma--;
		memmove(out, line, (size_t)(comma - line));
		out += comma - line;
		*out++ = '\n';
		line = end + 1;
	}
	*out = 0;
}

void test_same_stats(const char *one, const char *other)
{
	char path[300];
	snprintf(path, sizeof path, "%s/stats.csv", one);
	char *a = test_read(path, NULL);
	snprintf(path, sizeof path, "%s/stats.csv", other);
	char *b = test_read(path, NULL);
	cut_last_column(a);
	cut_last_column(b);
	assert_string_equal(a, b);
	free(a);
	free(b);
}

void test_same_runs(const char *one, const char *other)
{
	test_same_file(one, other, "snapshot.ooze");
	test_same_file(one, other, "scene.json");
	test_same_file(one, other, "frames.pvd");
	test_same_stats(one, other);
	assert_int_equal(test_same_frames(one, other), test_same_frames(other, one));
}

uint32_t test_count_lines(const char *path)
{
	char *text = test_read(path, NULL);
	uint32_t lines = 0;
	for (char *c = text; *c; c++)
		lines += *c == '\n';
	free(text);
	return lines;
}
