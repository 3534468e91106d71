// poses_glb.c: the poses of rigid bodies over time as an animation of binary glTF 2.0.
//
// Each body is a node with a sampler of its translation and one of its rotation; all share the
// times. The buffer holds the times, then the positions and the rotations of each body in turn.
#include <math.h>
#include <stdlib.h>

#include "export.h"
#include "glb.h"

#define TEXT_EACH 2000u // bytes of the text for a body, at most

typedef struct animation {
	const oz_pose_track *tracks;
	const float *times;
	uint32_t count, frames;
} animation;

static uint64_t buffer_size(const animation *a)
{
	return 4 * (uint64_t)a->frames * (1 + 7 * (uint64_t)a->count);
}

// ---- text -------------------------------------------------------------------------------------

static void put_nodes(oz_json_writer *w, const animation *a)
{
	oz_json_put_count(w, "scene", 0);
	oz_json_begin_list(w, "scenes");
	oz_json_begin_object(w, NULL);
	oz_json_begin_list(w, "nodes");
	for (uint32_t k = 0; k < a->count; k++)
		oz_json_put_count(w, NULL, k);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
	oz_json_begin_list(w, "nodes");
	for (uint32_t k = 0; k < a->count; k++) {
		const oz_vec3 p = a->tracks[k].positions[0];
		const oz_quat q = a->tracks[k].rotations[0];
		oz_json_begin_object(w, NULL);
		oz_json_put_text(w, "name", a->tracks[k].name);
		oz_json_put_floats(w, "translation", (const float[]){p.x, p.y, p.z}, 3);
		oz_json_put_floats(w, "rotation", (const float[]){q.x, q.y, q.z, q.w}, 4);
		oz_json_end(w);
	}
	oz_json_end(w);
}

// sampler 2 k is the translation of body k, 2 k + 1 its rotation
static void put_channel(oz_json_writer *w, uint32_t sampler)
{
	oz_json_begin_object(w, NULL);
	oz_json_put_count(w, "sampler", sampler);
	oz_json_begin_object(w, "target");
	oz_json_put_count(w, "node", sampler / 2);
	oz_json_put_text(w, "path", sampler % 2 ? "rotation" : "translation");
	oz_json_end(w);
	oz_json_end(w);
}

static void put_animation(oz_json_writer *w, const animation *a)
{
	oz_json_begin_list(w, "animations");
	oz_json_begin_object(w, NULL);
	oz_json_put_text(w, "name", "run");
	oz_json_begin_list(w, "channels");
	for (uint32_t k = 0; k < 2 * a->count; k++)
		put_channel(w, k);
	oz_json_end(w);
	oz_json_begin_list(w, "samplers");
	for (uint32_t k = 0; k < 2 * a->count; k++) {
		oz_json_begin_object(w, NULL);
		oz_json_put_count(w, "input", 0);
		oz_json_put_text(w, "interpolation", "LINEAR");
		oz_json_put_count(w, "output", 1 + k);
		oz_json_end(w);
	}
	oz_json_end(w);
	oz_json_end(w);
	oz_json_end(w);
}

static void put_accessors(oz_json_writer *w, const animation *a)
{
	static const char *const types[] = {"VEC3", "VEC4"};
	oz_json_begin_list(w, "accessors");
	for (uint32_t k = 0; k <= 2 * a->count; k++) {
		oz_json_begin_object(w, NULL);
		oz_json_put_count(w, "bufferView", k);
		oz_json_put_count(w, "componentType", OZ_GL_FLOAT);
		oz_json_put_count(w, "count", a->frames);
		oz_json_put_text(w, "type", k ? types[(k - 1) % 2] : "SCALAR");
		if (k == 0) {
			oz_json_put_floats(w, "min", &a->times[0], 1);
			oz_json_put_floats(w, "max", &a->times[a->frames - 1], 1);
		}
		oz_json_end(w);
	}
	oz_json_end(w);
}

static void put_views(oz_json_writer *w, const animation *a)
{
	uint64_t at = 0;
	oz_json_begin_list(w, "bufferViews");
	for (uint32_t k = 0; k <= 2 * a->count; k++) {
		const uint64_t size = 4 * (uint64_t)a->frames * (k == 0 ? 1 : k % 2 ? 3 : 4);
		oz_json_begin_object(w, NULL);
		oz_json_put_count(w, "buffer", 0);
		oz_json_put_count(w, "byteOffset", at);
		oz_json_put_count(w, "byteLength", size);
		oz_json_end(w);
		at += size;
	}
	oz_json_end(w);
	oz_json_begin_list(w, "buffers");
	oz_json_begin_object(w, NULL);
	oz_json_put_count(w, "byteLength", at);
	oz_json_end(w);
	oz_json_end(w);
}

static oz_result write_text(oz_json_text *text, const animation *a, oz_error *error)
{
	oz_json_writer w = oz_json_to_text(text, OZ_JSON_COMPACT);
	oz_glb_begin(&w);
	put_nodes(&w, a);
	put_animation(&w, a);
	put_accessors(&w, a);
	put_views(&w, a);
	oz_json_end(&w);
	return oz_json_finish(&w, error);
}

// ---- bytes ------------------------------------------------------------------------------------

static void put_buffer(oz_packer *p, const void *context)
{
	const animation *a = context;
	oz_pack_floats(p, a->times, a->frames);
	for (uint32_t k = 0; k < a->count; k++) {
		oz_pack_vectors(p, a->tracks[k].positions, a->frames);
		for (uint32_t f = 0; f < a->frames; f++) {
			const oz_quat q = a->tracks[k].rotations[f];
			oz_pack_floats(p, (const float[]){q.x, q.y, q.z, q.w}, 4);
		}
	}
}

// ---- checks -----------------------------------------------------------------------------------

static bool is_pose(oz_vec3 p, oz_quat q)
{
	const float size2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	return isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && fabsf(size2 - 1) < 1e-4f;
}

static oz_result check(const animation *a, const char *path, oz_error *error)
{
	if (a->count == 0 || a->frames == 0)
		return oz_fail(error, OZ_ERROR_ARGUMENT,
		               "%s would hold no pose; pass at least one body and one frame", path);
	if (buffer_size(a) > UINT32_MAX - TEXT_EACH * (uint64_t)a->count)
		return oz_fail(error, OZ_ERROR_RANGE,
		               "%s would be larger than the 4 GB of a GLB file; write fewer frames",
		               path);
	for (uint32_t f = 0; f < a->frames; f++)
		if (!(a->times[f] >= 0) || !isfinite(a->times[f]) ||
		    (f && !(a->times[f] > a->times[f - 1])))
			return oz_fail(error, OZ_ERROR_ARGUMENT,
			               "%s: time %u is %g s; times must be at least 0 and increase",
			               path, f, (double)a->times[f]);
	for (uint32_t k = 0; k < a->count; k++)
		for (uint32_t f = 0; f < a->frames; f++)
			if (!is_pose(a->tracks[k].positions[f], a->tracks[k].rotations[f]))
				return oz_fail(error, OZ_ERROR_ARGUMENT,
				               "%s: the pose of '%s' at %g s is not finite, or its "
				               "quaternion not of length 1",
				               path, a->tracks[k].name, (double)a->times[f]);
	return OZ_OK;
}

oz_result oz_export_poses_glb(const oz_pose_track *tracks, uint32_t count, const float *times,
                              uint32_t frames, const char *path, oz_error *error)
{
	const animation a = {tracks, times, count, frames};
	oz_json_text text = {0};
	oz_result result = check(&a, path, error);
	if (result == OZ_OK)
		result = write_text(&text, &a, error);
	if (result == OZ_OK)
		result = oz_glb_write(&text, buffer_size(&a), put_buffer, &a, path, error);
	free(text.bytes);
	return result;
}
