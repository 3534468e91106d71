// pack.h: writes numbers to files: little-endian words, base64, XML arrays.
//
// A packer collects bytes and writes them to its file a chunk at a time, plain or as base64:
//
//   oz_packer p;
//   oz_pack_begin(&p, &file, OZ_PACK_PLAIN);
//   oz_pack_word(&p, 42);
//   oz_pack_flush(&p);
#ifndef OZ_PACK_H
#define OZ_PACK_H

#include "../base/base.h"
#include "ooze/surface.h"

#define OZ_PACK_CHUNK 6144 // bytes; a multiple of 3, so that base64 pads at the end alone

typedef enum oz_pack_kind { OZ_PACK_PLAIN, OZ_PACK_BASE64 } oz_pack_kind;

typedef struct oz_packer {
	oz_file *file;
	oz_pack_kind kind;
	size_t used;
	uint8_t bytes[OZ_PACK_CHUNK + 3];
} oz_packer;

void oz_pack_begin(oz_packer *packer, oz_file *file, oz_pack_kind kind);
// Writes the collected bytes; call it after the last byte.
void oz_pack_flush(oz_packer *packer);
void oz_pack_bytes(oz_packer *packer, const void *bytes, size_t size);
void oz_pack_word(oz_packer *packer, uint32_t word);
// Values that are not finite are written as 0.
void oz_pack_floats(oz_packer *packer, const float *values, size_t count);
void oz_pack_vectors(oz_packer *packer, const oz_vec3 *vectors, size_t count);
// Element i of a view, which is `words` 4-byte values of any type; at most 3.
void oz_pack_element(oz_packer *packer, const oz_view *view, size_t i, uint32_t words);

// ---- XML --------------------------------------------------------------------------------------

// Writes text with &, <, > and " escaped.
void oz_xml_text(oz_file *file, const char *text);
// The shortest text that reads back as the same double, with a point in every locale.
void oz_xml_double(oz_file *file, double value);

// The opening of a VTK file, and its arrays: inline base64 of [bytes, UInt64][values].
void oz_vtk_open(oz_file *file, const char *type);
void oz_vtk_begin_array(oz_packer *packer, const char *type, const char *name, uint32_t components,
                        uint64_t size);
void oz_vtk_end_array(oz_packer *packer);
// first, first + step, … as an array of Int32.
void oz_vtk_count(oz_packer *packer, const char *name, uint32_t first, uint32_t step,
                  uint32_t count);

// ---- meshes -----------------------------------------------------------------------------------

// Refuses meshes with more corners than the formats can number.
oz_result oz_export_check_mesh(const oz_surface_mesh *mesh, const char *path, oz_error *error);
// Converts each channel from linear light, 0…1, to sRGB, 0…1.
oz_vec3 oz_colour_to_srgb(oz_vec3 linear);
// Each channel clamped to 0…1; NaN becomes 0.
oz_vec3 oz_colour_clamp(oz_vec3 colour);

#endif
