// mesh_import.c: meshes from files, through assimp.
//
// All parts of a file are put where its node tree places them and joined into one mesh. Only
// positions count: normals and texture coordinates would keep vertices apart that are one corner,
// so equal positions are merged here, by a hash table.
#include "geometry/mesh.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#ifdef OZ_HAVE_ASSIMP

#include <assimp/cimport.h>
#include <assimp/scene.h>

enum { MAX_DEPTH = 256, MAX_TRIANGLES = 1 << 27, MAX_NAME = 300 };
#define MAX_BYTES 4294967296.0 // 2^32

typedef struct import {
	oz_mesh *mesh;
	const struct aiScene *scene;
	const char *path;
	oz_error *error;
	uint64_t triangles, corners; // found by the first walk; the second fills the mesh
	uint64_t points, lines;      // that are no part of a surface
	bool fill;
} import;

// ---- the node tree ----------------------------------------------------------------------------

static struct aiMatrix4x4 place_in(const struct aiMatrix4x4 *parent, const struct aiMatrix4x4 *own)
{
	struct aiMatrix4x4 m = *parent;
	aiMultiplyMatrix4(&m, own);
	return m;
}

static bool mirrors(const struct aiMatrix4x4 *m)
{
	return aiMatrix4Determinant(m) < 0;
}

static oz_vec3 placed(const struct aiMatrix4x4 *m, struct aiVector3D v)
{
	aiTransformVecByMatrix4(&v, m);
	// + 0 makes -0 and 0 the same place
	return (oz_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

static void count_part(import *in, const struct aiMesh *part)
{
	for (unsigned i = 0; i < part->mNumFaces; i++) {
		const unsigned corners = part->mFaces[i].mNumIndices;
		in->triangles += corners > 2 ? corners - 2 : 0;
		in->points += corners == 1;
		in->lines += corners == 2;
	}
	in->corners += part->mNumVertices;
}

static bool is_place(float x, float y, float z)
{
	return isfinite(x) && isfinite(y) && isfinite(z);
}

// Looks at a vertex before it is placed too: a matrix spreads one NaN over all components.
static oz_result add_vertex(import *in, const struct aiMatrix4x4 *m, struct aiVector3D v)
{
	const oz_vec3 p = placed(m, v);
	const bool before = is_place(v.x, v.y, v.z);
	if (!before || !is_place(p.x, p.y, p.z))
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s has a vertex at (%g, %g, %g), which is no place; repair the "
		               "file "
		               "or its scale",
		               in->path, (double)(before ? p.x : v.x), (double)(before ? p.y : v.y),
		               (double)(before ? p.z : v.z));
	in->mesh->vertices[in->mesh->vertex_count++] = p;
	return OZ_OK;
}

// Parts a polygon into a fan. Where it is not convex some triangles lie over others, turned the
// other way; the winding of the whole stays right.
static oz_result add_face(import *in, const struct aiMesh *part, const struct aiFace *face,
                          uint32_t base, unsigned second)
{
	const unsigned *corner = face->mIndices;
	for (unsigned k = 0; k < face->mNumIndices; k++)
		if (corner[k] >= part->mNumVertices)
			return oz_fail(in->error, OZ_ERROR_FORMAT,
			               "%s is damaged: a face names vertex %u of %u; export it "
			               "again",
			               in->path, corner[k], part->mNumVertices);
	for (unsigned k = 1; k + 1 < face->mNumIndices; k++) {
		uint32_t *t = in->mesh->triangles[in->mesh->triangle_count++];
		t[0] = base + corner[0];
		t[second] = base + corner[k];
		t[3 - second] = base + corner[k + 1];
	}
	return OZ_OK;
}

static oz_result fill_part(import *in, const struct aiMesh *part, const struct aiMatrix4x4 *m)
{
	const uint32_t base = in->mesh->vertex_count;
	const unsigned second = mirrors(m) ? 2 : 1;
	for (unsigned i = 0; i < part->mNumVertices; i++) {
		const oz_result result = add_vertex(in, m, part->mVertices[i]);
		if (result != OZ_OK)
			return result;
	}
	for (unsigned i = 0; i < part->mNumFaces; i++) {
		const oz_result result = add_face(in, part, &part->mFaces[i], base, second);
		if (result != OZ_OK)
			return result;
	}
	return OZ_OK;
}

static oz_result walk_node(import *in, const struct aiNode *node, const struct aiMatrix4x4 *parent,
                           int depth)
{
	if (!node)
		return OZ_OK;
	if (depth > MAX_DEPTH)
		return oz_fail(in->error, OZ_ERROR_FORMAT,
		               "%s nests its parts more than %d deep; join them before exporting",
		               in->path, MAX_DEPTH);
	const struct aiMatrix4x4 m = place_in(parent, &node->mTransformation);
	oz_result result = OZ_OK;
	for (unsigned i = 0; i < node->mNumMeshes && result == OZ_OK; i++) {
		if (node->mMeshes[i] >= in->scene->mNumMeshes)
			continue;
		const struct aiMesh *part = in->scene->mMeshes[node->mMeshes[i]];
		if (!part || !part->mVertices || (!part->mFaces && part->mNumFaces > 0))
			continue;
		if (in->fill)
			result = fill_part(in, part, &m);
		else
			count_part(in, part);
	}
	for (unsigned i = 0; i < node->mNumChildren && result == OZ_OK; i++)
		result = walk_node(in, node->mChildren[i], &m, depth + 1);
	return result;
}

static oz_result walk_scene(import *in, bool fill)
{
	struct aiMatrix4x4 identity;
	aiIdentityMatrix4(&identity);
	in->fill = fill;
	return walk_node(in, in->scene->mRootNode, &identity, 0);
}

// ---- what was found ---------------------------------------------------------------------------

static oz_result check_counts(const import *in)
{
	if (in->triangles > MAX_TRIANGLES || in->corners > 3ull * MAX_TRIANGLES)
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s has %llu triangles, more than %d; simplify it", in->path,
		               (unsigned long long)in->triangles, MAX_TRIANGLES);
	if (in->triangles > 0)
		return OZ_OK;
	if (in->lines > 0)
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s holds lines and no triangles; export it as a surface", in->path);
	if (in->points > 0 || in->corners > 0)
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s holds points and no triangles; export it as a surface",
		               in->path);
	return oz_fail(in->error, OZ_ERROR_MESH, "%s has no triangles; export it as a surface",
	               in->path);
}

static oz_result no_memory(const import *in)
{
	return oz_fail(in->error, OZ_ERROR_MEMORY,
	               "memory is too small for the %llu triangles of %s; simplify it",
	               (unsigned long long)in->triangles, in->path);
}

// ---- merging ----------------------------------------------------------------------------------

// Finds or adds a position: gives the number of the first vertex that lies there.
static uint32_t merged(uint32_t *table, uint64_t mask, oz_vec3 *vertices, uint32_t *count,
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

// Merges equal positions, in place: a vertex only ever moves to a lower number.
static oz_result merge(const import *in)
{
	oz_mesh *mesh = in->mesh;
	uint64_t slots = 16;
	while (slots < 2ull * mesh->vertex_count)
		slots *= 2;
	uint32_t *table = calloc((size_t)slots, sizeof *table);
	uint32_t *number = malloc((size_t)mesh->vertex_count * sizeof *number);
	if (table && number) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < mesh->vertex_count; i++)
			number[i] =
			        merged(table, slots - 1, mesh->vertices, &count, mesh->vertices[i]);
		for (uint32_t i = 0; i < mesh->triangle_count; i++)
			for (int k = 0; k < 3; k++)
				mesh->triangles[i][k] = number[mesh->triangles[i][k]];
		mesh->vertex_count = count;
	}
	const bool room = table && number;
	free(table);
	free(number);
	return room ? OZ_OK : no_memory(in);
}

// ---- files ------------------------------------------------------------------------------------

// The importer waits for ever for the end of a PLY header that has none.
static bool has_endless_header(FILE *file)
{
	char head[65536];
	const size_t size = fread(head, 1, sizeof head - 1, file);
	head[size] = 0;
	// text ends where a zero byte stands; so does what strstr sees
	const bool ends = strstr(head, "\nend_header\n") || strstr(head, "\nend_header\r");
	return strncmp(head, "ply", 3) == 0 && !ends;
}

static oz_result check_file(const char *path, oz_error *error)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return oz_fail(error, OZ_ERROR_FILE,
		               "the mesh %s cannot be opened: %s; check its name", path,
		               strerror(errno));
	errno = 0;
	const int first = fgetc(file);
	const int reason = errno;
	rewind(file);
	const bool endless = first != EOF && has_endless_header(file);
	const bool failed = reason != 0 || ferror(file) != 0 || fseek(file, 0, SEEK_END) != 0;
	const long size = failed ? -1 : ftell(file);
	fclose(file);
	if (failed || size < 0)
		return oz_fail(error, OZ_ERROR_FILE, "the mesh %s cannot be read: %s; name a file",
		               path, strerror(reason));
	if (first == EOF)
		return oz_fail(error, OZ_ERROR_FORMAT, "%s is empty; export it again", path);
	if (endless)
		return oz_fail(error, OZ_ERROR_FORMAT,
		               "%s is damaged: its header has no end; export it again", path);
	if ((double)size > MAX_BYTES)
		return oz_fail(error, OZ_ERROR_MESH,
		               "%s has %ld bytes, more than 4 GiB; simplify the mesh", path, size);
	return OZ_OK;
}

static oz_result not_a_mesh(const char *path, oz_error *error)
{
	char reason[MAX_NAME];
	const char *told = aiGetErrorString();
	snprintf(reason, sizeof reason, "%s", told && *told ? told : "no reason given");
	for (char *c = reason; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	return oz_fail(error, OZ_ERROR_FORMAT,
	               "%s is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE (the "
	               "importer says: %s)",
	               path, reason);
}

static oz_result build(import *in)
{
	oz_result result = walk_scene(in, false);
	if (result == OZ_OK)
		result = check_counts(in);
	if (result != OZ_OK)
		return result;
	in->mesh->vertices = malloc((size_t)in->corners * sizeof *in->mesh->vertices);
	in->mesh->triangles = malloc((size_t)in->triangles * sizeof *in->mesh->triangles);
	if (!in->mesh->vertices || !in->mesh->triangles)
		return no_memory(in);
	result = walk_scene(in, true);
	return result == OZ_OK ? merge(in) : result;
}

oz_result oz_mesh_load(const char *path, oz_mesh *mesh, oz_error *error)
{
	if (!path || !mesh)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "loading a mesh needs a path and a place for it; one of them is "
		               "NULL");
	*mesh = (oz_mesh){0};
	oz_result result = check_file(path, error);
	if (result != OZ_OK)
		return result;
	// no post-processing: the importer's own may abort on damaged meshes
	const struct aiScene *scene = aiImportFile(path, 0);
	if (!scene)
		return not_a_mesh(path, error);
import in = {.mesh = mesh, .scene = scene, .path = path, .error = error };
	result = build(&in);
	aiReleaseImport(scene);
	if (result != OZ_OK)
		oz_mesh_free(mesh);
	return result;
}

#else

oz_result oz_mesh_load(const char *path, oz_mesh *mesh, oz_error *error)
{
	if (mesh)
		*mesh = (oz_mesh){0};
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "%s cannot be loaded: this build has no mesh importer; build it with "
	               "assimp, "
	               "or use a shape",
	               path ? path : "the mesh");
}

#endif
