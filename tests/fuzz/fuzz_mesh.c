// fuzz_mesh.c: any file is a mesh or a sentence, and any mesh is filled or refused.
//
// The first byte tells what the rest is: a file of one of the formats, or a bare mesh, which skips
// the importer: that is no code of ours, and its process takes longer than all the rest.
#include <math.h>
#include <pthread.h>

#include "fuzz_support.h"
#include "geometry/fill.h"
#include "geometry/mesh_import.h"
#include "math/vec.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void));

#define MOST 5000.0 // points

static const char *const endings[] = {"obj", "ply", "stl", "glb", "dae", "gltf"};
enum { ENDINGS = sizeof endings / sizeof *endings, CHOICES = 2 * ENDINGS };

// ---- seeds ------------------------------------------------------------------------------------

static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

typedef struct seed {
	char bytes[1024];
	size_t size;
} seed;

static void put(seed *s, const void *data, size_t size)
{
	memcpy(s->bytes + s->size, data, size);
	s->size += size;
}

static void put_text(seed *s, const char *text)
{
	put(s, text, strlen(text));
}

static void seed_ply(void)
{
	seed s = {"\1", 1};
	put_text(&s, "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n"
	             "property float y\nproperty float z\nelement face 4\n"
	             "property list uchar int vertex_indices\nend_header\n");
	put(&s, corners, sizeof corners);
	for (int i = 0; i < 4; i++) {
		put(&s, "\3", 1);
		put(&s, faces[i], sizeof faces[i]);
	}
	keep_seed("ply", s.bytes, s.size);
}

static void seed_stl(void)
{
	seed s = {"\2", 81};
	put(&s, &(uint32_t){4}, 4);
	for (int i = 0; i < 4; i++) {
		put(&s, corners[0], sizeof corners[0]);
		for (int k = 0; k < 3; k++)
			put(&s, corners[faces[i][k]], sizeof corners[0]);
		put(&s, "\0", 2);
	}
	keep_seed("stl", s.bytes, s.size);
}

static void seed_glb(void)
{
	seed s = {"\3", 1};
	static const char json[] =
	        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":"
	        "[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
	        "\"indices\":1}]}],\"buffers\":[{\"byteLength\":96}],\"bufferViews\":"
	        "[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"
	        "\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
	        "\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5125,"
	        "\"count\":12,\"type\":\"SCALAR\"}]}   ";
	const uint32_t text = (sizeof json - 1) & ~3u;
	const uint32_t all = 12 + 8 + text + 8 + 96;
	put(&s, (uint32_t[]){0x46546c67, 2, all, text, 0x4e4f534a}, 20);
	put(&s, json, text);
	put(&s, (uint32_t[]){96, 0x004e4942}, 8);
	put(&s, corners, sizeof corners);
	put(&s, faces, sizeof faces);
	keep_seed("glb", s.bytes, s.size);
}

// Bare meshes: the number of vertices, their places, then the triangles' corners.
static void seed_bare(void)
{
	seed s = {{ENDINGS, 4}, 2};
	put(&s, corners, sizeof corners);
	for (int i = 0; i < 12; i++)
		put(&s, &(uint8_t){(uint8_t)faces[i / 3][i % 3]}, 1);
	for (char fill = 0; fill < OZ_FILL_COUNT; fill++) {
		s.bytes[0] = (char)(ENDINGS + fill);
		keep_seed(fill == 0 ? "bare0" : fill == 1 ? "bare1" : "bare2", s.bytes, s.size);
	}
}

// ---- meshes -----------------------------------------------------------------------------------

static bool load_file(const char *ending, const uint8_t *data, size_t size, oz_mesh *mesh)
{
	static const oz_process_limits limits = {1, 0.1, (uint64_t)1 << 30, (uint64_t)1 << 24};
	char name[16];
	oz_error error = {OZ_OK, ""};
	snprintf(name, sizeof name, "mesh.%s", ending);
	write_file(scratch(name), data, size);
	const oz_result result = oz_mesh_load_within(scratch(name), &limits, mesh, &error);
	CLAIM(result == OZ_OK || (error.code == result && error.text[0] && !mesh->vertices));
	return result == OZ_OK;
}

static bool take_bare(const uint8_t *data, size_t size, oz_mesh *mesh)
{
	const uint32_t vertices = size > 0 ? data[0] : 0;
	if (size < 1 + vertices * sizeof(oz_vec3) + 3)
		return false;
	const uint8_t *numbers = data + 1 + vertices * sizeof(oz_vec3);
	const uint32_t triangles = (uint32_t)((size_t)(data + size - numbers) / 3);
	*mesh = (oz_mesh){malloc(vertices * sizeof(oz_vec3) + 1), vertices,
	                  malloc(triangles * sizeof *mesh->triangles), triangles};
	CLAIM(mesh->vertices && mesh->triangles);
	memcpy(mesh->vertices, data + 1, vertices * sizeof(oz_vec3));
	for (uint32_t i = 0; i < 3 * triangles; i++)
		mesh->triangles[i / 3][i % 3] = numbers[i];
	return true;
}

// The spacing that puts about MOST points into the box around a mesh.
static float spacing_for(const oz_mesh *mesh)
{
	oz_vec3 min = mesh->vertices[0], max = min;
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		min = oz_min3(min, mesh->vertices[i]);
		max = oz_max3(max, mesh->vertices[i]);
	}
	const double x = (double)max.x - (double)min.x, y = (double)max.y - (double)min.y;
	const double z = (double)max.z - (double)min.z, longest = fmax(x, fmax(y, z));
	// thin boxes too: no more than MOST layers
	return (float)fmax(cbrt(x * y * z / MOST), longest / 200);
}

static void fill(const oz_mesh *mesh, oz_fill how)
{
	oz_vec3 *points;
	uint32_t count;
	oz_error error = {OZ_OK, ""};
	const oz_result result =
	        oz_mesh_fill(mesh, spacing_for(mesh), how, &points, &count, &error);
	CLAIM(result == OZ_OK ? count > 0 && points : error.text[0] && !points && count == 0);
	for (uint32_t i = 0; i < count; i++)
		CLAIM(isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z));
	oz_points_free(points);
}

// Any mesh may be a layer, and its first edges rods.
static void cover(const oz_mesh *mesh)
{
	oz_error error = {OZ_OK, ""};
	for (int rods = 0; rods < 2; rods++) {
		const float spacing = 25 * spacing_for(mesh);
		oz_vec3 *points;
		uint32_t count;
		const oz_result result =
		        rods ? oz_mesh_fill_lines(mesh, spacing, &points, &count, &error)
		             : oz_mesh_fill_surface(mesh, spacing, &points, &count, &error);
		CLAIM(result == OZ_OK ? count > 0 && points : error.text[0] && !points && !count);
		for (uint32_t i = 0; i < count; i++)
			CLAIM(isfinite(points[i].x) && isfinite(points[i].y) &&
			      isfinite(points[i].z));
		oz_points_free(points);
	}
}

// A child that the importer crashes is no finding.
static void forget_fuzzer(void)
{
	__sanitizer_set_death_callback(NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	pthread_atfork(NULL, NULL, forget_fuzzer);
	seed_ply();
	seed_stl();
	seed_glb();
	seed_bare();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const unsigned choice = data[0] % CHOICES;
	oz_mesh mesh = {0};
	oz_error error = {OZ_OK, ""};
	const bool there = choice < ENDINGS ? load_file(endings[choice], data + 1, size - 1, &mesh)
	                                    : take_bare(data + 1, size - 1, &mesh);
	if (there && mesh.vertex_count > 0)
		cover(&mesh);
	if (there && oz_mesh_check_closed(&mesh, "the mesh", &error) == OZ_OK)
		fill(&mesh, (oz_fill)(choice % OZ_FILL_COUNT));
	else
		CLAIM(!there || error.text[0]);
	oz_mesh_free(&mesh);
	return 0;
}
