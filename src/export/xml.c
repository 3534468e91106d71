// xml.c: functions of all XML writers: escaped text, exact doubles, and VTK's inline base64 arrays.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pack.h"
#include "json/number.h"

void oz_xml_text(oz_file *file, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&': oz_file_print(file, "&amp;"); break;
		case '<': oz_file_print(file, "&lt;"); break;
		case '>': oz_file_print(file, "&gt;"); break;
		case '"': oz_file_print(file, "&quot;"); break;
		default: oz_file_put(file, text, 1);
		}
	}
}

void oz_xml_double(oz_file *file, double value)
{
	char text[OZ_NUMBER_SIZE];
	oz_file_put(file, text, oz_number_double(text, value));
}

void oz_vtk_open(oz_file *file, const char *type)
{
	oz_file_print(file,
	              "<?xml version=\"1.0\"?>\n"
	              "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
	              "header_type=\"UInt64\">\n",
	              type);
}

void oz_vtk_begin_array(oz_packer *packer, const char *type, const char *name, uint32_t components,
                        uint64_t size)
{
	oz_file_print(packer->file,
	              "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PRIu32
	              "\" format=\"binary\">\n",
	              type, name, components);
	oz_pack_word(packer, (uint32_t)size);
	oz_pack_word(packer, (uint32_t)(size >> 32));
}

void oz_vtk_end_array(oz_packer *packer)
{
	oz_pack_flush(packer);
	oz_file_print(packer->file, "\n</DataArray>\n");
}

void oz_vtk_count(oz_packer *packer, const char *name, uint32_t first, uint32_t step,
                  uint32_t count)
{
	oz_vtk_begin_array(packer, "Int32", name, 1, (uint64_t)count * 4);
	for (uint32_t i = 0; i < count; i++)
		oz_pack_word(packer, first + step * i);
	oz_vtk_end_array(packer);
}
