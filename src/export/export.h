// export.h: frames for other programs. Each file is written beside its name and then renamed.
#ifndef OZ_EXPORT_H
#define OZ_EXPORT_H

#include "ooze/ooze.h"

// ParaView, meshio: VTU with inline base64, float32; velocity, density, pressure, id, body,
// material.
oz_result oz_export_vtu(oz_world *world, const char *path, oz_error *error);
// Blender, Houdini, assimp: binary little-endian PLY, x y z vx vy vz density material body id.
oz_result oz_export_ply(oz_world *world, const char *path, oz_error *error);

// The list of frames that makes a time series of VTU files: writes all of it anew each time.
oz_result oz_export_pvd(const char *path, const char *const *files, const double *times,
                        uint32_t count, oz_error *error);

#endif
