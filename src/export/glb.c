// glb.c: writes the file of a binary glTF.
//
//   "glTF" 2 length | length "JSON" text | length "BIN" bytes
#include "glb.h"

#include "ooze/ooze.h"

void oz_glb_begin(oz_json_writer *w)
{
	oz_json_begin_object(w, NULL);
	oz_json_begin_object(w, "asset");
	oz_json_put_text(w, "version", "2.0");
	oz_json_put_text(w, "generator", "ooze " OZ_VERSION);
	oz_json_end(w);
}

static void put_chunk(oz_packer *p, uint64_t size, const char kind[4])
{
	oz_pack_word(p, (uint32_t)size);
	oz_pack_bytes(p, kind, 4);
}

oz_result oz_glb_write(const oz_json_text *text, uint64_t size, oz_glb_fill fill,
                       const void *context, const char *path, oz_error *error)
{
	const uint64_t padding = (4 - text->length % 4) % 4, length = text->length + padding;
	oz_file file;
	oz_packer p;
	const oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_pack_begin(&p, &file, OZ_PACK_PLAIN);
	oz_pack_bytes(&p, "glTF", 4);
	oz_pack_word(&p, 2);
	oz_pack_word(&p, (uint32_t)(12 + 8 + length + (size ? 8 + size : 0)));
	put_chunk(&p, length, "JSON");
	oz_pack_bytes(&p, text->bytes, text->length);
	oz_pack_bytes(&p, "   ", padding);
	if (size) {
		put_chunk(&p, size, "BIN");
		fill(&p, context);
	}
	oz_pack_flush(&p);
	return oz_file_commit(&file, error);
}
