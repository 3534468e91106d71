// archive_absent.c: replaces archive.c in a build without HDF5; every function fails.
#include "../base/base.h"
#include "export.h"

oz_result oz_archive_available(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_UNAVAILABLE,
	               "this build of ooze leaves out HDF5; set \"h5\" of the scene's output to "
	               "false, or install libhdf5-dev and build it again");
}

oz_result oz_archive_open(const char *folder, uint32_t first, oz_archive **archive, oz_error *error)
{
	(void)folder, (void)first;
	*archive = NULL;
	return oz_archive_available(error);
}

oz_result oz_archive_add(oz_archive *archive, oz_world *world, uint32_t number, double time,
                         oz_error *error)
{
	(void)archive, (void)world, (void)number, (void)time;
	return oz_archive_available(error);
}

oz_result oz_archive_list(oz_archive *archive, oz_error *error)
{
	(void)archive;
	return oz_archive_available(error);
}

void oz_archive_close(oz_archive *archive)
{
	(void)archive;
}
