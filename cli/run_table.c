// run_table.c: tables of measurements, with rows for each frame.
//
// Each row begins with the time and the number of the step. A row that does not fit on the disk is
// cut off again, so a table holds complete rows only. When a run is resumed from a snapshot, rows
// after its step are removed first; they are written again.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/base/base.h"
#include "run.h"

// Length of the text up to the last complete row whose step is at most `step`.
static size_t length_to_keep(const char *text, uint64_t step)
{
	size_t kept = 0;
	for (const char *line = text; (line = strchr(text + kept, '\n'));) {
		const char *comma = strchr(text + kept, ',');
		bool is_row = kept > 0 && comma && comma < line;
		if (is_row && strtoull(comma + 1, NULL, 10) > step)
			break;
		kept = (size_t)(line - text) + 1;
	}
	return kept;
}

static oz_result write_beginning(const char *path, const char *text, size_t size, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_file_put(&file, text, size);
	return oz_file_commit(&file, error);
}

static oz_result keep_rows(const char *path, const char *header, uint64_t step, oz_error *error)
{
	char *text;
	size_t size;
	oz_result result = oz_file_read(path, SIZE_MAX / 4, &text, &size, error);
	if (result != OZ_OK)
		return result;
	size_t kept = length_to_keep(text, step);
	if (kept < strlen(header) || memcmp(text, header, strlen(header)) != 0)
		result = oz_fail(error, OZ_ERROR_FORMAT,
		                 "%s is not a table of this version of ooze; move it away and run "
		                 "again with --resume",
		                 path);
	else if (kept < size)
		result = write_beginning(path, text, kept, error);
	free(text);
	return result;
}

oz_result oz_run_table_open(oz_run_table *table, const char *path, const char *header, bool keep,
                            uint64_t step, oz_error *error)
{
	table->descriptor = -1;
	snprintf(table->path, sizeof table->path, "%s", path);
	oz_result result = keep && access(path, F_OK) == 0
	                           ? keep_rows(path, header, step, error)
	                           : write_beginning(path, header, strlen(header), error);
	if (result != OZ_OK)
		return result;
	struct stat info;
	table->descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (table->descriptor < 0 || fstat(table->descriptor, &info) != 0)
		return oz_fail(error, OZ_ERROR_FILE,
		               "%s cannot be opened: %s; check its permissions", path,
		               strerror(errno));
	table->size = info.st_size;
	return OZ_OK;
}

static oz_result fail_write(const oz_run_table *table, int code, oz_error *error)
{
	if (code == ENOSPC || code == EDQUOT)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the disk is full while writing %s; free some space and try again",
		               table->path);
	return oz_fail(error, OZ_ERROR_FILE,
	               "writing %s failed: %s; check the disk, or choose another folder with -o",
	               table->path, strerror(code));
}

oz_result oz_run_table_add(oz_run_table *table, const char *row, size_t length, oz_error *error)
{
	for (size_t done = 0; done < length;) {
		ssize_t written = write(table->descriptor, row + done, length - done);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			int code = errno;
			(void)!ftruncate(table->descriptor, (off_t)table->size);
			return fail_write(table, code, error);
		}
		done += (size_t)written;
	}
	table->size += (int64_t)length;
	return OZ_OK;
}

oz_result oz_run_table_flush(oz_run_table *table, oz_error *error)
{
	if (table->descriptor < 0 || fsync(table->descriptor) == 0)
		return OZ_OK;
	return fail_write(table, errno, error);
}

void oz_run_table_close(oz_run_table *table)
{
	if (table->descriptor >= 0)
		close(table->descriptor);
	table->descriptor = -1;
}
