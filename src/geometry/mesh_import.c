// mesh_import.c: loads meshes from files.
//
// A child process reads the file (mesh_child.c); its output is checked here, because a damaged file
// can make it write anything. Only positions are used. Files repeat a vertex for each normal and
// texture coordinate, so vertices with equal positions are merged, by a hash table.
#include "geometry/mesh_import.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef OZ_HAVE_ASSIMP

#define MAX_BYTES 4294967296.0 // 2^32
#define REPAIR    "repair or convert the mesh, for example in Blender"

static oz_result no_memory(const char *path, uint32_t triangles, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the %u triangles of %s; simplify it", triangles, path);
}

// ---- merging ----------------------------------------------------------------------------------

// The index of the vertex with this position; adds it if there is none.
static uint32_t find_or_add(uint32_t *table, uint64_t mask, oz_vec3 *vertices, uint32_t *count,
                            oz_vec3 v)
{
	uint64_t slot = oz_hash(&v, sizeof v, 0) & mask;
	for (; table[slot] != 0; slot = (slot + 1) & mask)
		if (memcmp(&vertices[table[slot] - 1], &v, sizeof v) == 0)
			return table[slot] - 1;
	vertices[*count] = v;
	table[slot] = ++*count;
	return *count - 1;
}

// Merges vertices with equal positions, in place: indices only become smaller. False: no memory.
static bool merge(oz_mesh *mesh)
{
	uint64_t slots = 16;
	while (slots < 2ull * mesh->vertex_count)
		slots *= 2;
	uint32_t *table = calloc((size_t)slots, sizeof *table);
	uint32_t *number = malloc((size_t)mesh->vertex_count * sizeof *number);
	if (table && number) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < mesh->vertex_count; i++)
			number[i] = find_or_add(table, slots - 1, mesh->vertices, &count,
			                        mesh->vertices[i]);
		for (uint32_t i = 0; i < mesh->triangle_count; i++)
			for (int k = 0; k < 3; k++)
				mesh->triangles[i][k] = number[mesh->triangles[i][k]];
		mesh->vertex_count = count;
	}
	const bool room = table && number;
	free(table);
	free(number);
	return room;
}

// ---- the output of the child ------------------------------------------------------------------

static oz_result crashed(const char *path, oz_error *error)
{
	return oz_fail(error, OZ_ERROR_FORMAT, "%s makes the importer crash; " REPAIR, path);
}

// Fails with the error sentence of the child, if it is valid text.
static oz_result pass_error(const char *path, uint32_t result, const char *text, size_t size,
                            oz_error *error)
{
	if (result >= OZ_RESULT_COUNT || size == 0 || size >= sizeof error->text ||
	    memchr(text, 0, size))
		return crashed(path, error);
	return oz_fail(error, (oz_result)result, "%.*s", (int)size, text);
}

static bool is_valid(const oz_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->vertex_count; i++)
		if (!isfinite(mesh->vertices[i].x) || !isfinite(mesh->vertices[i].y) ||
		    !isfinite(mesh->vertices[i].z))
			return false;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		for (int k = 0; k < 3; k++)
			if (mesh->triangles[i][k] >= mesh->vertex_count)
				return false;
	return true;
}

// checks the output of the child and makes a mesh of it
static oz_result unpack(const char *path, const char *bytes, size_t size, oz_mesh *mesh,
                        oz_error *error)
{
	mesh_head head;
	if (size < sizeof head)
		return crashed(path, error);
	memcpy(&head, bytes, sizeof head);
	bytes += sizeof head;
	size -= sizeof head;
	if (head.result != OZ_OK)
		return pass_error(path, head.result, bytes, size, error);
	const size_t corners = head.corners * sizeof *mesh->vertices;
	const size_t triangles = head.triangles * sizeof *mesh->triangles;
	if (corners == 0 || triangles == 0 || corners > size || size - corners != triangles)
		return crashed(path, error);
	*mesh = (oz_mesh){malloc(corners), head.corners, malloc(triangles), head.triangles};
	if (!mesh->vertices || !mesh->triangles)
		return no_memory(path, head.triangles, error);
	memcpy(mesh->vertices, bytes, corners);
	memcpy(mesh->triangles, bytes + corners, triangles);
	if (!is_valid(mesh))
		return crashed(path, error);
	return merge(mesh) ? OZ_OK : no_memory(path, head.triangles, error);
}

// ---- files ------------------------------------------------------------------------------------

static oz_result check_file(const char *path, double *size, oz_error *error)
{
	struct stat info;
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
		return oz_fail(error, OZ_ERROR_FILE,
		               "the mesh %s cannot be read: it is a pipe or a device; name a file",
		               path);
	FILE *file = fopen(path, "rb");
	if (!file)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the mesh %s cannot be opened: %s; check its name", path,
		               strerror(errno));
	errno = 0;
	const int first = fgetc(file);
	const int reason = errno;
	const bool failed = reason != 0 || ferror(file) != 0 || fseek(file, 0, SEEK_END) != 0;
	*size = failed ? -1 : (double)ftell(file);
	fclose(file);
	if (failed || *size < 0)
		return oz_fail(error, OZ_ERROR_FILE, "the mesh %s cannot be read: %s; name a file",
		               path, strerror(reason));
	if (first == EOF)
		return oz_fail(error, OZ_ERROR_FORMAT, "%s is empty; export it again", path);
	if (*size > MAX_BYTES)
		return oz_fail(error, OZ_ERROR_MESH,
		               "%s has %.0f bytes, more than 4 GiB; simplify the mesh", path,
		               *size);
	return OZ_OK;
}

static oz_result import_within(const mesh_request *request, const oz_process_limits *limits,
                               oz_mesh *mesh, oz_error *error)
{
	const char *path = request->path;
	char *bytes;
	size_t size;
	oz_result result = OZ_OK;
	switch (oz_process_run(oz_mesh_child, (void *)request, limits, &bytes, &size)) {
	case OZ_PROCESS_DONE: result = unpack(path, bytes, size, mesh, error); break;
	case OZ_PROCESS_CRASHED: result = crashed(path, error); break;
	case OZ_PROCESS_LATE:
		result = oz_fail(error, OZ_ERROR_FORMAT,
		                 "%s keeps the importer busy for more than %g s; " REPAIR, path,
		                 limits->cpu_seconds);
		break;
	case OZ_PROCESS_NO_MEMORY:
		result = oz_fail(error, OZ_ERROR_MEMORY,
		                 "out of memory for the triangles of %s; simplify it", path);
		break;
	case OZ_PROCESS_NOT_STARTED:
		result =
		        oz_fail(error, OZ_ERROR_MEMORY,
		                "the process that reads %s did not start: %s; close other programs",
		                path, strerror(errno));
		break;
	}
	free(bytes);
	if (result != OZ_OK)
		oz_mesh_free(mesh);
	return result;
}

oz_result oz_mesh_load_within(const char *path, const oz_process_limits *limits, oz_mesh *mesh,
                              oz_error *error)
{
	double size = 0;
	*mesh = (oz_mesh){0};
	const oz_result result = check_file(path, &size, error);
	const mesh_request request = {path, false};
	return result == OZ_OK ? import_within(&request, limits, mesh, error) : result;
}

static oz_result load(const char *path, bool lines, oz_mesh *mesh, oz_error *error)
{
	if (!path || !mesh)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "loading a mesh needs a path and a mesh, but one of them is NULL; "
		               "give both");
	double size = 0;
	*mesh = (oz_mesh){0};
	const oz_result result = check_file(path, &size, error);
	if (result != OZ_OK)
		return result;
	// a valid file takes a tenth of this; some formats name further files, which may be larger
	const double seconds = 10 + size * 1e-6;
	const oz_process_limits limits = {.cpu_seconds = seconds,
	                                  .wall_seconds = 6 * seconds,
	                                  .memory = ((uint64_t)4 << 30) + 64 * (uint64_t)size,
	                                  .output = OZ_MESH_MAX_TRIANGLES *
	                                                    (uint64_t)(sizeof(oz_vec3) * 3 + 12) +
	                                            4096};
	const mesh_request request = {path, lines};
	return import_within(&request, &limits, mesh, error);
}

#else

static oz_result load(const char *path, bool lines, oz_mesh *mesh, oz_error *error)
{
	(void)lines;
	if (mesh)
		*mesh = (oz_mesh){0};
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "%s cannot be loaded: this build has no mesh importer; build it with "
	               "assimp, or use a shape",
	               path ? path : "the mesh");
}

oz_result oz_mesh_load_within(const char *path, const oz_process_limits *limits, oz_mesh *mesh,
                              oz_error *error)
{
	(void)limits;
	return load(path, false, mesh, error);
}

#endif

oz_result oz_mesh_load(const char *path, oz_mesh *mesh, oz_error *error)
{
	return load(path, false, mesh, error);
}

oz_result oz_mesh_load_lines(const char *path, oz_mesh *mesh, oz_error *error)
{
	return load(path, true, mesh, error);
}
