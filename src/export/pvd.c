// pvd.c: the PVD file, which lists VTU files with their times as a time series.
//
// Times are written with as many digits as a double needs; file names are escaped for XML.
#include "export.h"
#include "pack.h"

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
		oz_xml_double(&file, times[i]);
		oz_file_print(&file, "\" file=\"");
		oz_xml_text(&file, files[i]);
		oz_file_print(&file, "\"/>\n");
	}
	oz_file_print(&file, "</Collection>\n</VTKFile>\n");
	return oz_file_commit(&file, error);
}
