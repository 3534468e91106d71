// pack.c: collects bytes in chunks and writes them to a file, plain or as base64.
//
// Words are taken apart by shifts, so the files are little-endian on every machine. A chunk is a
// multiple of three bytes: base64 of one chunk after the other is base64 of the whole.
#include <math.h>
#include <string.h>

#include "pack.h"

void oz_pack_begin(oz_packer *packer, oz_file *file, oz_pack_kind kind)
{
	packer->file = file;
	packer->kind = kind;
	packer->used = 0;
}

static void encode_group(const uint8_t *in, char *out)
{
	static const char letters[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
	out[0] = letters[bits >> 18];
	out[1] = letters[bits >> 12 & 63];
	out[2] = letters[bits >> 6 & 63];
	out[3] = letters[bits & 63];
}

static void flush_base64(oz_packer *packer)
{
	char text[OZ_PACK_CHUNK / 3 * 4 + 4];
	size_t length = 0;
	memset(packer->bytes + packer->used, 0, (3 - packer->used % 3) % 3);
	for (size_t i = 0; i < packer->used; i += 3, length += 4)
		encode_group(packer->bytes + i, text + length);
	for (size_t i = packer->used; i % 3; i++)
		text[length - (3 - i % 3)] = '=';
	oz_file_put(packer->file, text, length);
}

void oz_pack_flush(oz_packer *packer)
{
	if (packer->kind == OZ_PACK_BASE64)
		flush_base64(packer);
	else
		oz_file_put(packer->file, packer->bytes, packer->used);
	packer->used = 0;
}

static void pack_byte(oz_packer *packer, uint8_t byte)
{
	packer->bytes[packer->used++] = byte;
	if (packer->used == OZ_PACK_CHUNK)
		oz_pack_flush(packer);
}

void oz_pack_bytes(oz_packer *packer, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	if (packer->used + size < OZ_PACK_CHUNK) {
		memcpy(packer->bytes + packer->used, from, size);
		packer->used += size;
		return;
	}
	for (size_t i = 0; i < size; i++)
		pack_byte(packer, from[i]);
}

void oz_pack_word(oz_packer *packer, uint32_t word)
{
	const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
	                          (uint8_t)(word >> 24)};
	oz_pack_bytes(packer, bytes, sizeof bytes);
}

void oz_pack_floats(oz_packer *packer, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		float value = isfinite(values[i]) ? values[i] : 0;
		uint32_t word;
		memcpy(&word, &value, sizeof word);
		oz_pack_word(packer, word);
	}
}

void oz_pack_vectors(oz_packer *packer, const oz_vec3 *vectors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const float values[3] = {vectors[i].x, vectors[i].y, vectors[i].z};
		oz_pack_floats(packer, values, 3);
	}
}

void oz_pack_element(oz_packer *packer, const oz_view *view, size_t i, uint32_t words)
{
	uint32_t element[3];
	memcpy(element, (const char *)view->data + i * view->stride, words * 4);
	for (uint32_t k = 0; k < words; k++)
		oz_pack_word(packer, element[k]);
}
