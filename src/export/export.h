// export.h: frames for other programs. Each file is written beside its name and then renamed.
#ifndef OZ_EXPORT_H
#define OZ_EXPORT_H

#include "ooze/ooze.h"
#include "ooze/surface.h"

// ParaView, meshio: VTU with inline base64, float32; velocity, density, pressure, id, body,
// material.
oz_result oz_export_vtu(oz_world *world, const char *path, oz_error *error);
// Blender, Houdini, assimp: binary little-endian PLY, x y z vx vy vz density material body id.
oz_result oz_export_ply(oz_world *world, const char *path, oz_error *error);

// Writes the PVD file that lists VTU files with their times (s) as a time series; replaces the old
// list.
oz_result oz_export_pvd(const char *path, const char *const *files, const double *times,
                        uint32_t count, oz_error *error);

// A run's particles in HDF5: a file for each frame, and two index files; each is complete at every
// moment.
//   FOLDER/frames/frame_00012.h5   position, velocity, density, pressure, id, body, material
//   FOLDER/particles.h5            /frames/00012/position …, as links to those files
//   FOLDER/particles.xmf           the same as a time series, for ParaView
typedef struct oz_archive oz_archive;

// OZ_ERROR_UNAVAILABLE, with a sentence in *error, where the build has no HDF5.
oz_result oz_archive_available(oz_error *error);
// Opens the archive of a folder and lists the frames before `first` that exist; *archive is NULL on
// failure.
oz_result oz_archive_open(const char *folder, uint32_t first, oz_archive **archive,
                          oz_error *error);
// Writes the world as frame `frame`; FOLDER/frames must exist.
oz_result oz_archive_add(oz_archive *archive, oz_world *world, uint32_t frame, double time,
                         oz_error *error);
// Rewrites particles.h5 and particles.xmf.
oz_result oz_archive_list(oz_archive *archive, oz_error *error);
// NULL is allowed.
void oz_archive_close(oz_archive *archive);

// Surfaces. Arrays that are NULL are left out; an empty mesh makes a valid file; velocities and
// colours that are not finite are written as 0.
// Blender, Houdini: binary PLY with normal, velocity (vx vy vz), colour (sRGB bytes), body,
// material.
oz_result oz_export_mesh_ply(const oz_surface_mesh *mesh, const char *path, oz_error *error);
// All programs: OBJ text with normals and colours; OBJ has no other attributes.
oz_result oz_export_mesh_obj(const oz_surface_mesh *mesh, const char *path, oz_error *error);
// ParaView: VTK polydata, inline base64, with all arrays of the mesh.
oz_result oz_export_mesh_vtp(const oz_surface_mesh *mesh, const char *path, oz_error *error);
// Browsers, Blender: binary glTF 2.0; velocity, body and material as _VELOCITY, _BODY, _MATERIAL.
oz_result oz_export_mesh_glb(const oz_surface_mesh *mesh, const char *path, oz_error *error);

// The poses of a body, one for each frame.
typedef struct oz_pose_track {
	const char *name;
	const oz_vec3 *positions; // m
	const oz_quat *rotations; // of length 1
} oz_pose_track;

// Blender, browsers: binary glTF 2.0 with a node for each body and an animation that moves them;
// times in s.
oz_result oz_export_poses_glb(const oz_pose_track *tracks, uint32_t count, const float *times,
                              uint32_t frames, const char *path, oz_error *error);

#endif
