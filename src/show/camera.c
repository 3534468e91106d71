// camera.c: chooses the position of the camera and the range of the colour map.
//
// All frames are read first, so that the camera does not move and a colour means the same value in
// every frame. The camera sees all particles and colliders of all frames, unless the scene places
// it.
#include <math.h>

#include "show/painter.h"

// ---- the camera -------------------------------------------------------------------------------

// Whether the scene gives a position; the default is below -1e9.
static bool is_given(oz_vec3 place)
{
	return place.x >= -1e9f;
}

// The scene's camera, or `own`, which sees everything, where the scene gives none.
static oz_camera choose_camera(const oz_show_painter *painter, const oz_camera *own,
                               const oz_box *box)
{
	const oz_picture_def *def = oz_scene_picture(painter->frames->scene);
	const uint32_t width = painter->def.width, height = painter->def.height;
	const oz_vec3 eye = def->camera,
	              middle = {0.5f * (box->min.x + box->max.x), 0.5f * (box->min.y + box->max.y),
	                        0.5f * (box->min.z + box->max.z)};
	const oz_vec3 target = is_given(def->target) ? def->target : middle;
	if (is_given(eye) && (eye.x != target.x || eye.y != target.y || eye.z != target.z))
		return oz_camera_look(eye, target, def->view_angle, width, height);
	// a camera at its own target has no direction
	if (is_given(eye) || !is_given(def->target))
		return *own;
	return oz_camera_aim(own, middle, target, width, height);
}

// Sets box, light and camera of the painting from the survey of all frames; an empty scene gets a
// box of 1 m.
static void place_view(oz_show_painter *painter, const oz_survey *all)
{
	const uint32_t width = painter->def.width, height = painter->def.height;
	// without particles and colliders: a box of 1 m
	const bool empty = all->box.min.x > all->box.max.x;
	const oz_box unit = {{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}}, *box = empty ? &unit : &all->box;
	const oz_painting view = oz_painting_default(box, width, height);
	oz_camera own = view.camera;
	if (!empty)
		own = oz_camera_frame(all->rim, OZ_RIM, width, height);
	painter->painting.box = *box;
	painter->painting.light = view.light;
	painter->painting.camera = choose_camera(painter, &own, box);
}

// ---- the extent of all frames -----------------------------------------------------------------

// Adds the colliders at their poses in each frame: vessels, or all others. A vessel that is a shape
// counts up to a little above its contents.
static void survey_colliders(oz_show_painter *painter, oz_survey *all, bool vessels)
{
	const oz_show_frames *frames = painter->frames;
	const oz_box *box = &all->box;
	const bool filled = vessels && box->min.y <= box->max.y;
	const float top = filled ? box->max.y + 0.12f * (box->max.y - box->min.y) : INFINITY;
	for (uint32_t k = 0; k < frames->count; k++) {
		oz_collider_views(frames->world, oz_show_time(frames, frames->numbers[k]),
		                  painter->colliders);
		for (uint32_t s = 0; s < painter->painting.collider_count; s++)
			if (painter->colliders[s].vessel == vessels)
				oz_survey_add_collider(all, &painter->colliders[s],
				                       painter->colliders[s].shaded ? INFINITY
				                                                    : top);
	}
}

oz_result oz_painter_survey(oz_show_painter *painter, oz_error *error)
{
	const oz_show_frames *frames = painter->frames;
	oz_survey all = oz_survey_begin();
	oz_result result = OZ_OK;
	for (uint32_t k = 0; k < frames->count && result == OZ_OK; k++) {
		oz_frame frame;
		result = oz_show_read_frame(frames, frames->numbers[k], &frame, error);
		if (result == OZ_OK)
			oz_survey_add_frame(&all, &frame, &painter->paint,
			                    painter->painting.radius);
		oz_frame_free(&frame);
	}
	if (result != OZ_OK)
		return result;
	survey_colliders(painter, &all, false);
	survey_colliders(painter, &all, true);
	oz_survey_range(&all, &painter->paint);
	if (painter->def.low < painter->def.high) {
		painter->paint.low = painter->def.low;
		painter->paint.high = painter->def.high;
	}
	place_view(painter, &all);
	return OZ_OK;
}
