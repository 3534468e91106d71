// mesh_child.c: imports a mesh with assimp, in a process of its own, because assimp crashes, hangs
// and leaks on damaged files.
//
// All parts of a file are transformed as its node tree says, and joined. Memory is not freed: the
// process ends after it has written its output.
#include "geometry/mesh_import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OZ_HAVE_ASSIMP

#include <assimp/cimport.h>
#include <assimp/scene.h>

enum { MAX_DEPTH = 256, MAX_REASON = 300 };

typedef struct importer {
	oz_mesh mesh;
	const struct aiScene *scene;
	const char *path;
	oz_error *error;
	uint64_t triangles, corners; // counted by the first walk over the nodes
	uint64_t points, lines;      // faces with one and with two corners
	uint64_t faces;              // with three corners or more
	bool fill;                   // true in the second walk, which fills the mesh
	bool wants_lines;
} importer;

// ---- the node tree ----------------------------------------------------------------------------

static struct aiMatrix4x4 multiply(const struct aiMatrix4x4 *parent, const struct aiMatrix4x4 *own)
{
	struct aiMatrix4x4 m = *parent;
	aiMultiplyMatrix4(&m, own);
	return m;
}

static bool mirrors(const struct aiMatrix4x4 *m)
{
	return aiMatrix4Determinant(m) < 0;
}

static oz_vec3 transform(const struct aiMatrix4x4 *m, struct aiVector3D v)
{
	aiTransformVecByMatrix4(&v, m);
	// + 0 turns -0 into 0, so that equal positions have equal bytes
	return (oz_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

// Adds the faces, lines, points and vertices of a part to the totals.
static void count_part(importer *in, const struct aiMesh *part)
{
	for (unsigned i = 0; i < part->mNumFaces; i++) {
		const unsigned corners = part->mFaces[i].mNumIndices;
		in->faces += corners > 2;
		in->triangles += in->wants_lines ? corners == 2 : corners > 2 ? corners - 2 : 0;
		in->points += corners == 1;
		in->lines += corners == 2;
	}
	in->corners += part->mNumVertices;
}

static bool is_finite(float x, float y, float z)
{
	return isfinite(x) && isfinite(y) && isfinite(z);
}

// Checks a vertex also before the transform: a matrix spreads one NaN over all components.
static oz_result add_vertex(importer *in, const struct aiMatrix4x4 *m, struct aiVector3D v)
{
	const oz_vec3 p = transform(m, v);
	const bool before = is_finite(v.x, v.y, v.z);
	if (!before || !is_finite(p.x, p.y, p.z))
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s has a vertex at (%g, %g, %g), which is not finite; repair the "
		               "file or its scale",
		               in->path, (double)(before ? p.x : v.x), (double)(before ? p.y : v.y),
		               (double)(before ? p.z : v.z));
	in->mesh.vertices[in->mesh.vertex_count++] = p;
	return OZ_OK;
}

// Splits a polygon into a fan of triangles. In a concave polygon some triangles overlap others with
// the opposite orientation; the winding number stays correct. `second`: 1, or 2 to flip triangles.
static oz_result add_face(importer *in, const struct aiMesh *part, const struct aiFace *face,
                          uint32_t base, unsigned second)
{
	const unsigned *corner = face->mIndices;
	for (unsigned k = 0; k < face->mNumIndices; k++)
		if (corner[k] >= part->mNumVertices)
			return oz_fail(in->error, OZ_ERROR_FORMAT,
			               "%s is damaged: a face names vertex %u of %u; export it "
			               "again",
			               in->path, corner[k], part->mNumVertices);
	if (in->wants_lines) {
		if (face->mNumIndices != 2)
			return OZ_OK;
		uint32_t *t = in->mesh.triangles[in->mesh.triangle_count++];
		t[0] = base + corner[0];
		t[1] = t[2] = base + corner[1];
		return OZ_OK;
	}
	for (unsigned k = 1; k + 1 < face->mNumIndices; k++) {
		uint32_t *t = in->mesh.triangles[in->mesh.triangle_count++];
		t[0] = base + corner[0];
		t[second] = base + corner[k];
		t[3 - second] = base + corner[k + 1];
	}
	return OZ_OK;
}

static oz_result fill_part(importer *in, const struct aiMesh *part, const struct aiMatrix4x4 *m)
{
	const uint32_t base = in->mesh.vertex_count;
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

static oz_result walk_node(importer *in, const struct aiNode *node,
                           const struct aiMatrix4x4 *parent, int depth)
{
	if (!node)
		return OZ_OK;
	if (depth > MAX_DEPTH)
		return oz_fail(in->error, OZ_ERROR_FORMAT,
		               "%s nests its parts in more than %d levels; join them before "
		               "exporting",
		               in->path, MAX_DEPTH);
	const struct aiMatrix4x4 m = multiply(parent, &node->mTransformation);
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

static oz_result walk_scene(importer *in, bool fill)
{
	struct aiMatrix4x4 identity;
	aiIdentityMatrix4(&identity);
	in->fill = fill;
	return walk_node(in, in->scene->mRootNode, &identity, 0);
}

// ---- what was found ---------------------------------------------------------------------------

static oz_result check_counts(const importer *in)
{
	if (in->triangles > OZ_MESH_MAX_TRIANGLES || in->corners > 3ull * OZ_MESH_MAX_TRIANGLES)
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s has %llu triangles, more than %u; simplify it", in->path,
		               (unsigned long long)in->triangles, OZ_MESH_MAX_TRIANGLES);
	if (in->triangles > 0)
		return OZ_OK;
	if (in->wants_lines)
		return oz_fail(in->error, OZ_ERROR_MESH,
		               "%s holds %s and no lines; export it with edges alone, as OBJ",
		               in->path, in->faces > 0 ? "triangles" : "no triangles");
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

static oz_result not_a_mesh(const char *path, oz_error *error)
{
	char reason[MAX_REASON];
	const char *text = aiGetErrorString();
	snprintf(reason, sizeof reason, "%s", text && *text ? text : "no reason given");
	for (char *c = reason; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	return oz_fail(error, OZ_ERROR_FORMAT,
	               "%s is not a mesh that can be read; use OBJ, PLY, STL, glTF or DAE (the "
	               "importer says: %s)",
	               path, reason);
}

// Converts the imported scene to in->mesh: counts first, then allocates and fills.
static oz_result build_mesh(importer *in)
{
	oz_result result = walk_scene(in, false);
	if (result == OZ_OK)
		result = check_counts(in);
	if (result != OZ_OK)
		return result;
	in->mesh.vertices = malloc((size_t)in->corners * sizeof *in->mesh.vertices);
	in->mesh.triangles = malloc((size_t)in->triangles * sizeof *in->mesh.triangles);
	if (!in->mesh.vertices || !in->mesh.triangles)
		return oz_fail(in->error, OZ_ERROR_MEMORY,
		               "out of memory for the %llu triangles of %s; simplify it",
		               (unsigned long long)in->triangles, in->path);
	return walk_scene(in, true);
}

void oz_mesh_child(void *context, oz_process_out *out)
{
	oz_error error = {OZ_OK, ""};
	const mesh_request *request = context;
	importer in = {.path = request->path, .wants_lines = request->lines, .error = &error};
	// positions and faces are enough: no post-processing
	in.scene = aiImportFile(in.path, 0);
	const oz_result result = in.scene ? build_mesh(&in) : not_a_mesh(in.path, &error);
	const bool good = result == OZ_OK;
	const mesh_head head = {(uint32_t)result, good ? in.mesh.vertex_count : 0,
	                        good ? in.mesh.triangle_count : 0};
	oz_process_write(out, &head, sizeof head);
	if (!good) {
		oz_process_write(out, error.text, strlen(error.text));
		return;
	}
	oz_process_write(out, in.mesh.vertices, head.corners * sizeof *in.mesh.vertices);
	oz_process_write(out, in.mesh.triangles, head.triangles * sizeof *in.mesh.triangles);
}

#endif
