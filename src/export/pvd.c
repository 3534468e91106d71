// pvd.c: the list that makes a time series of VTU files.
//
// Times are written with as many digits as a double needs, names with XML's own letters escaped.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "export.h"

static void put_escaped(oz_file *file, const char *text)
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

// the shortest text that reads back as the same time, with a point in every locale
static void put_time(oz_file *file, double time)
{
	char text[40];
	for (int digits = 9; digits <= 17; digits++) {
		double back;
		snprintf(text, sizeof text, "%.*g", digits, time);
		if (sscanf(text, "%lf", &back) == 1 && memcmp(&back, &time, sizeof time) == 0)
			break;
	}
	char *comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	oz_file_print(file, "%s", text);
}

oz_result oz_export_pvd(const char *path, const char *const *files, const double *times,
                        uint32_t count, oz_error *error)
{
	oz_file file;
	oz_result result = oz_file_begin(&file, path, error);
	if (result != OZ_OK)
		return result;
	oz_file_print(&file, "<?xml version=\"1.0\"?>\n"
	                     "<VTKFile type=\"Collection\" version=\"1.0\" "
	                     "byte_order=\"LittleEndian\">\n"
	                     "<Collection>\n");
	for (uint32_t i = 0; i < count; i++) {
		oz_file_print(&file, "<DataSet timestep=\"");
		put_time(&file, times[i]);
		oz_file_print(&file, "\" file=\"");
		put_escaped(&file, files[i]);
		oz_file_print(&file, "\"/>\n");
	}
	oz_file_print(&file, "</Collection>\n</VTKFile>\n");
	return oz_file_commit(&file, error);
}
