// skins.h: the bodies of a run that show a skin while they are solid. What has melted does not fit
// its skin any more, also when it has frozen again.
//
//   oz_cli_skins_open(&skins, &frames, …);          ties each skin to its body at the start
//   oz_cli_skins_pose(&skins, number, &frame, …);    the skins of a frame; what they stand for goes
//   oz_cli_skins_close(&skins);
#ifndef OZ_CLI_SKINS_H
#define OZ_CLI_SKINS_H

#include "frames.h"
#include "ooze/skin.h"

typedef struct oz_cli_skin {
	oz_skin *skin;
	uint32_t body, material;
	uint32_t particles;   // that carry it
	uint32_t shed;        // the first frame, as far as is known, in which the body is not solid
	bool shown;           // in the frame that was posed last
	oz_surface_mesh mesh; // then: until the next
} oz_cli_skin;

typedef struct oz_cli_skins {
	oz_cli_skin *skins;
	uint32_t count;
	uint32_t *skin_of;  // by body: its skin, or OZ_NONE
	uint32_t *solid_of; // by body: particles in the frame, if it is solid
	uint32_t body_count;
	const oz_cli_frames *frames;
	uint32_t known; // frames before this one have been looked at, or nothing melts
} oz_cli_skins;

// Reads the skins of a scene and ties them to the particles of frame 0, or where that is not there,
// of the world. `sharp`: for pictures, vertices are parted where the mesh has edges. `frames` stay
// open for as long. Close it also after a failure.
oz_result oz_cli_skins_open(oz_cli_skins *skins, const oz_cli_frames *frames, bool sharp,
                            uint32_t threads, const oz_hooks *hooks, oz_error *error);
void oz_cli_skins_close(oz_cli_skins *skins);
// Poses the skins of all bodies that are solid in a frame, and were in all before it, and takes
// their particles out of it; `colour` is NULL or has an element for each of them, and loses the
// same ones. Reads frames before it that have not been posed, where anything melts.
oz_result oz_cli_skins_pose(oz_cli_skins *skins, uint32_t number, oz_frame *frame, oz_vec3 *colour,
                            oz_error *error);

#endif
