// file.c: files that are written completely or not at all.
//
// A file is written beside its name (NAME.part), flushed to disk and renamed by the commit. A crash
// leaves the old file or the new one, never half of either; a .part left behind by a crash is
// overwritten by the next attempt. Devices and pipes cannot be replaced by a rename: they are
// written directly.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"

// Turns an errno into a sentence with a remedy; `what` is "reading" or "writing".
static oz_result fail_errno(oz_error *error, int code, const char *what, const char *path)
{
	const char *reason = strerror(code);
	const char *remedy = "check the path and try again";
	switch (code) {
	case ENOSPC:
	case EDQUOT:
		return oz_fail(error, OZ_ERROR_FILE,
		               "the disk is full while %s %s; free some space and try again", what,
		               path);
	case EFBIG:
		reason = "it grew past the largest size allowed";
		remedy = "raise the limit (ulimit -f) or write to another disk";
		break;
	case EACCES:
	case EPERM:
		reason = "permission denied";
		remedy = "change its permissions or choose another folder";
		break;
	case EROFS:
		reason = "the disk is read-only";
		remedy = "choose another folder";
		break;
	case ENOENT:
		reason = "no such file or folder";
		remedy = what[0] == 'r' ? "check the spelling"
		                        : "make the folder first, or check the spelling";
		break;
	case ENOTDIR:
		reason = "a part of the path is a file, not a folder";
		remedy = "choose another path";
		break;
	case EISDIR:
		reason = "it is a folder";
		remedy = "name a file";
		break;
	case EMFILE:
	case ENFILE:
		reason = "too many files are open";
		remedy = "close some, or raise the limit (ulimit -n)";
		break;
	default: break;
	}
	return oz_fail(error, OZ_ERROR_FILE, "%s %s failed: %s; %s", what, path, reason, remedy);
}

// Writes the type (S_IFREG, S_IFDIR …) of what exists at `path`; returns false if nothing does.
static bool exists_as(const char *path, mode_t *type)
{
	struct stat info;
	if (stat(path, &info) != 0)
		return false;
	*type = info.st_mode & S_IFMT;
	return true;
}

oz_result oz_file_begin(oz_file *file, const char *path, oz_error *error)
{
	file->stream = NULL;
	file->failure = 0;
	file->beside[0] = 0;
	file->path[0] = 0;
	if (!path || !path[0])
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a file to write has no name; give it a path");
	if (strlen(path) + sizeof ".part" > sizeof file->beside)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the path %.60s… is too long to write to; choose a shorter one",
		               path);
	mode_t type = S_IFREG;
	exists_as(path, &type);
	if (type == S_IFDIR)
		return fail_errno(error, EISDIR, "writing", path);
	strcpy(file->path, path);
	if (type == S_IFREG)
		snprintf(file->beside, sizeof file->beside, "%s.part", path);
	file->stream = fopen(type == S_IFREG ? file->beside : path, "wb");
	return file->stream ? OZ_OK : fail_errno(error, errno, "writing", path);
}

// remembers errno, unless a write failed before
static void keep_failure(oz_file *file)
{
	if (!file->failure)
		file->failure = errno ? errno : EIO;
}

void oz_file_put(oz_file *file, const void *data, size_t size)
{
	if (file->failure || !size)
		return;
	errno = 0;
	if (fwrite(data, 1, size, file->stream) != size)
		keep_failure(file);
}

void oz_file_print(oz_file *file, const char *format, ...)
{
	if (file->failure)
		return;
	va_list arguments;
	va_start(arguments, format);
	errno = 0;
	if (vfprintf(file->stream, format, arguments) < 0)
		keep_failure(file);
	va_end(arguments);
}

// Flushes the folder of `path`, so that the rename is on disk, too. A failure is ignored: the file
// is complete.
static void flush_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[4096] = ".";
	if (slash)
		snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path),
		         path);
	int descriptor = open(folder, O_RDONLY);
	if (descriptor < 0)
		return;
	(void)fsync(descriptor);
	close(descriptor);
}

static void flush_and_close(oz_file *file)
{
	FILE *stream = file->stream;
	errno = 0;
	if (fflush(stream) != 0)
		keep_failure(file);
	if (!file->failure && file->beside[0] && fsync(fileno(stream)) != 0)
		keep_failure(file);
	// network file systems may report a full disk only at close
	if (fclose(stream) != 0)
		keep_failure(file);
	file->stream = NULL;
}

oz_result oz_file_commit(oz_file *file, oz_error *error)
{
	if (!file->stream)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "oz_file_commit was called before oz_file_begin; call oz_file_begin "
		               "first");
	flush_and_close(file);
	if (!file->failure && file->beside[0]) {
		errno = 0;
		if (rename(file->beside, file->path) != 0)
			keep_failure(file);
	}
	if (!file->failure) {
		if (file->beside[0])
			flush_folder(file->path);
		return OZ_OK;
	}
	if (file->beside[0])
		unlink(file->beside);
	return fail_errno(error, file->failure, "writing", file->path);
}

void oz_file_cancel(oz_file *file)
{
	if (!file->stream)
		return;
	fclose(file->stream);
	file->stream = NULL;
	if (file->beside[0])
		unlink(file->beside);
}

// ---- reading ----------------------------------------------------------------------------------

// the size of a regular file; 4096 bytes for others (a pipe)
static size_t size_hint(FILE *stream)
{
	struct stat info;
	if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0)
		return 4096;
	return (size_t)info.st_size;
}

static oz_result too_large(const char *path, size_t limit, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_FILE,
	               "%s is larger than the limit of %zu bytes; check that it is the right file",
	               path, limit);
}

// Reads to the end of the stream; *data grows as needed and has room for one byte more.
static oz_result read_stream(FILE *stream, const char *path, size_t limit, char **data,
                             size_t *size, oz_error *error)
{
	size_t capacity = size_hint(stream);
	if (capacity > limit)
		return too_large(path, limit, error);
	for (;;) {
		char *grown = realloc(*data, capacity + 2);
		if (!grown)
			return oz_fail(error, OZ_ERROR_MEMORY,
			               "out of memory for the %zu bytes of %s; close other "
			               "programs",
			               capacity, path);
		*data = grown;
		errno = 0;
		// one byte more than the capacity: if it is read, the file is larger
		*size += fread(*data + *size, 1, capacity + 1 - *size, stream);
		if (ferror(stream))
			return fail_errno(error, errno ? errno : EIO, "reading", path);
		if (*size <= capacity)
			return *size <= limit ? OZ_OK : too_large(path, limit, error);
		if (*size > limit)
			return too_large(path, limit, error);
		// files of /proc have a size of 0, but contain bytes
		capacity = capacity < limit / 2 ? 2 * capacity + 4096 : limit;
		if (capacity > limit)
			capacity = limit;
	}
}

oz_result oz_file_read(const char *path, size_t limit, char **data, size_t *size, oz_error *error)
{
	*data = NULL;
	*size = 0;
	if (!path || !path[0])
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "a file to read has no name; give it a path");
	mode_t type = S_IFREG;
	if (exists_as(path, &type) && type == S_IFDIR)
		return fail_errno(error, EISDIR, "reading", path);
	FILE *stream = fopen(path, "rb");
	if (!stream)
		return fail_errno(error, errno, "reading", path);
	oz_result result = read_stream(stream, path, limit, data, size, error);
	fclose(stream);
	if (result != OZ_OK) {
		free(*data);
		*data = NULL;
		*size = 0;
		return result;
	}
	(*data)[*size] = 0;
	return OZ_OK;
}

static oz_result fail_folder(const char *path, int code, oz_error *error)
{
	const char *remedy = "choose another folder with -o";
	if (code == ENOSPC || code == EDQUOT)
		remedy = "free some space and try again";
	if (code == ENOTDIR || code == EEXIST)
		remedy = "a part of the path is a file: choose another folder with -o";
	return oz_fail(error, OZ_ERROR_FILE, "the folder %s cannot be made: %s; %s", path,
	               strerror(code), remedy);
}

oz_result oz_folder_make(const char *wanted, oz_error *error)
{
	char path[4096];
	snprintf(path, sizeof path, "%s", wanted);
	for (char *at = path + 1;; at++) {
		if (*at && *at != '/')
			continue;
		char mark = *at;
		*at = 0;
		struct stat info;
		int code = mkdir(path, 0777) == 0 ? 0 : errno;
		if (code && stat(path, &info) != 0)
			return fail_folder(path, code, error);
		if (code && !S_ISDIR(info.st_mode))
			return fail_folder(path, ENOTDIR, error);
		if (!mark)
			return OZ_OK;
		*at = mark;
	}
}
