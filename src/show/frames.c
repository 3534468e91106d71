// frames.c: the frames that are shown: their numbers, their times, and particles without a
// position.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "show/show.h"

bool oz_show_has_frame(const oz_show_frames *frames, uint32_t number)
{
	for (uint32_t k = 0; k < frames->count; k++)
		if (frames->numbers[k] == number)
			return true;
	return false;
}

double oz_show_time(const oz_show_frames *frames, uint32_t number)
{
	return (double)number / (double)oz_scene_output(frames->scene)->frame_rate;
}

uint32_t oz_show_nearest_frame(const oz_show_frames *frames, double time)
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < frames->count; k++)
		if (fabs(oz_show_time(frames, frames->numbers[k]) - time) <
		    fabs(oz_show_time(frames, frames->numbers[best]) - time))
			best = k;
	return best;
}

oz_result oz_show_read_frame(const oz_show_frames *frames, uint32_t number, oz_frame *frame,
                             oz_error *error)
{
	*frame = (oz_frame){0};
	const oz_result result = frames->read(frames->context, number, frame, error);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < frame->count; i++)
		if (oz_is_valid_position(frame->grains[i].position))
			frame->grains[kept++] = frame->grains[i];
	if (kept < frame->count && frames->report_lost)
		frames->report_lost(frames->context, number, frame->count - kept, frame->count);
	frame->count = kept;
	return result;
}

// ---- of a world -------------------------------------------------------------------------------

// where each field of a world goes in a grain
static const struct {
	oz_field field;
	size_t offset, size;
} parts[] = {
        {OZ_FIELD_POSITION, offsetof(oz_grain, position), sizeof(oz_vec3)},
        {OZ_FIELD_VELOCITY, offsetof(oz_grain, velocity), sizeof(oz_vec3)},
        {OZ_FIELD_DENSITY, offsetof(oz_grain, density), sizeof(float)},
        {OZ_FIELD_MATERIAL, offsetof(oz_grain, material), sizeof(uint32_t)},
        {OZ_FIELD_BODY, offsetof(oz_grain, body), sizeof(uint32_t)},
        {OZ_FIELD_ID, offsetof(oz_grain, id), sizeof(uint32_t)},
        {OZ_FIELD_TEMPERATURE, offsetof(oz_grain, temperature), sizeof(float)},
        {OZ_FIELD_PHASE, offsetof(oz_grain, phase), sizeof(uint32_t)},
};
#define PARTS (sizeof parts / sizeof parts[0])

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY,
	               "out of memory for the particles of a frame; close other programs");
}

// Copies one field of all particles into the frame; allocates the frame at the first field.
static oz_result copy_field(oz_world *world, size_t part, oz_frame *frame, oz_error *error)
{
	oz_view view;
	const oz_result result = oz_world_view(world, parts[part].field, &view, error);
	if (result != OZ_OK)
		return result;
	if (!frame->grains) {
		frame->grains = calloc((size_t)view.count + 1, sizeof *frame->grains);
		if (!frame->grains)
			return no_memory(error);
		frame->count = view.count;
	}
	for (size_t i = 0; i < frame->count; i++)
		memcpy((char *)&frame->grains[i] + parts[part].offset,
		       (const char *)view.data + i * view.stride, parts[part].size);
	return OZ_OK;
}

oz_result oz_show_frame_of_world(oz_world *world, oz_frame *frame, oz_error *error)
{
	oz_result result = OZ_OK;
	*frame = (oz_frame){0};
	for (size_t k = 0; k < PARTS && result == OZ_OK; k++)
		result = copy_field(world, k, frame, error);
	return result;
}
