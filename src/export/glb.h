// glb.h: binary glTF 2.0: a text in JSON and a buffer of bytes in one file.
#ifndef OZ_GLB_H
#define OZ_GLB_H

#include "pack.h"
#include "json/json.h"

// numbers of OpenGL
enum { OZ_GL_FLOAT = 5126, OZ_GL_UNSIGNED_INT = 5125 };

// Writes the bytes of the buffer.
typedef void (*oz_glb_fill)(oz_packer *packer, const void *context);

// Begins the text with its asset.
void oz_glb_begin(oz_json_writer *writer);
// Writes a file from its text and a buffer of `size` bytes, a multiple of 4; 0: it has none.
oz_result oz_glb_write(const oz_json_text *text, uint64_t size, oz_glb_fill fill,
                       const void *context, const char *path, oz_error *error);

#endif
