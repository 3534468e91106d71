// painter.c: turns a frame into a painting: skins and the surfaces around all other particles, or
// particles as balls; colliders at their poses of that time; the camera that all frames share.
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "show/painter.h"

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory; close other programs");
}

oz_show_picture_def oz_show_picture_default(uint32_t width, uint32_t height)
{
	return (oz_show_picture_def){.width = width,
	                             .height = height,
	                             .kind = OZ_SURFACE_KIND_COUNT};
}

// ---- making -----------------------------------------------------------------------------------

static float diagonal(const oz_box *box)
{
	return (float)hypot(hypot((double)(box->max.x - box->min.x),
	                          (double)(box->max.y - box->min.y)),
	                    (double)(box->max.z - box->min.z));
}

static oz_result create_maker(oz_show_painter *painter, oz_error *error)
{
	const oz_show_frames *frames = painter->frames;
	const uint32_t count = oz_world_material_count(frames->world);
	const float size = diagonal(&painter->painting.box);
	oz_surface_def def = *oz_scene_surface(frames->scene);
	oz_appearance *appearances = calloc((size_t)count + 1, sizeof *appearances);
	if (!appearances)
		return no_memory(error);
	for (uint32_t k = 0; k < count; k++)
		appearances[k] = oz_show_appearance(frames->scene, frames->world, k, size);
	def.spacing = oz_world_get_def(frames->world)->spacing;
	def.threads = painter->def.threads;
	if (painter->def.kind != OZ_SURFACE_KIND_COUNT)
		def.kind = painter->def.kind;
	const oz_result result =
	        oz_surface_maker_create(&def, appearances, count, &painter->maker, error);
	free(appearances);
	return result;
}

static oz_result begin(oz_show_painter *painter, oz_error *error)
{
	const oz_world *world = painter->frames->world;
	oz_painting *p = &painter->painting;
	painter->paint.by = painter->def.by;
	painter->paint.world = world;
	p->samples = painter->def.samples ? painter->def.samples
	                                  : oz_scene_picture(painter->frames->scene)->samples;
	p->radius = 0.55f * oz_world_get_def(world)->spacing;
	p->collider_count = oz_world_collider_count(world);
	p->colliders = painter->colliders =
	        calloc((size_t)p->collider_count + 1, sizeof *painter->colliders);
	return painter->colliders ? OZ_OK : no_memory(error);
}

static oz_result prepare(oz_show_painter *painter, oz_error *error)
{
	const oz_show_frames *frames = painter->frames;
	oz_result result = begin(painter, error);
	if (result == OZ_OK)
		result = oz_painter_choose_looks(painter, error);
	if (result == OZ_OK)
		result = oz_show_colours(frames->scene, frames->world, &painter->colours, error);
	painter->paint.materials = painter->colours;
	if (result == OZ_OK)
		result = oz_painter_name_colours(painter, error);
	if (result == OZ_OK)
		result = oz_painter_survey(painter, error);
	if (result != OZ_OK || painter->def.particles || oz_scene_picture(frames->scene)->particles)
		return result;
	result = create_maker(painter, error);
	if (result == OZ_OK)
		result = oz_show_skins_open(&painter->skins, frames, true, painter->def.threads,
		                            &painter->def.hooks, error);
	return result;
}

oz_result oz_show_painter_create(const oz_show_frames *frames, const oz_show_picture_def *def,
                                 oz_show_painter **painter, oz_error *error)
{
	oz_show_painter *made = calloc(1, sizeof *made);
	*painter = NULL;
	if (!made)
		return no_memory(error);
	made->frames = frames;
	made->def = *def;
	const oz_result result = prepare(made, error);
	if (result == OZ_OK)
		*painter = made;
	else
		oz_show_painter_destroy(made);
	return result;
}

void oz_show_painter_destroy(oz_show_painter *painter)
{
	if (!painter)
		return;
	oz_surface_maker_destroy(painter->maker);
	oz_show_skins_close(&painter->skins);
	for (uint32_t k = 0; painter->shaded_meshes && k < painter->painting.collider_count; k++)
		oz_shaded_mesh_free(painter->shaded_meshes[k]);
	oz_frame_free(&painter->frame);
	free(painter->shaded_meshes);
	free(painter->colliders);
	free(painter->colours);
	free(painter->names.names);
	free(painter->names.colours);
	free(painter->grain_colours);
	free(painter);
}

// ---- painting ---------------------------------------------------------------------------------

// Poses the skins of bodies; where a field colours them, with the field's values.
static oz_result pose_skins(oz_show_painter *painter, uint32_t number, oz_error *error)
{
	oz_frame *frame = &painter->frame;
	const bool coloured = painter->skins.count && oz_colouring_title(painter->paint.by);
	oz_vec3 *values = coloured ? malloc(sizeof *values * ((size_t)frame->count + 1)) : NULL;
	if (coloured && !values)
		return no_memory(error);
	for (uint32_t i = 0; coloured && i < frame->count; i++)
		values[i] = (oz_vec3){oz_paint_value(&painter->paint, &frame->grains[i]), 0, 0};
	const oz_result result = oz_show_skins_pose(&painter->skins, number, frame, values, error);
	free(values);
	return result;
}

static oz_result paint_surfaces(oz_show_painter *painter, uint32_t number, oz_error *error)
{
	oz_painting *p = &painter->painting;
	oz_result result = pose_skins(painter, number, error);
	if (result == OZ_OK)
		result = oz_surface_maker_make(painter->maker, &painter->frame, &painter->paint,
		                               p->colliders, p->collider_count, p, error);
	for (uint32_t k = 0; result == OZ_OK && k < painter->skins.count; k++) {
		const oz_show_skin *s = &painter->skins.skins[k];
		if (s->shown)
			result = oz_surface_maker_add(painter->maker, &s->mesh, s->material,
			                              &painter->paint, p, error);
	}
	return result;
}

static oz_result paint_particles(oz_show_painter *painter, oz_error *error)
{
	const oz_frame *frame = &painter->frame;
	oz_painting *p = &painter->painting;
	free(painter->grain_colours);
	painter->grain_colours =
	        malloc(sizeof *painter->grain_colours * ((size_t)frame->count + 1));
	if (!painter->grain_colours)
		return no_memory(error);
	for (uint32_t i = 0; i < frame->count; i++)
		painter->grain_colours[i] = oz_paint_colour(&painter->paint, &frame->grains[i]);
	p->grains = frame->grains;
	p->colours = painter->grain_colours;
	p->count = frame->count;
	return OZ_OK;
}

oz_result oz_show_painter_paint(oz_show_painter *painter, uint32_t number,
                                const oz_painting **painting, oz_error *error)
{
	const oz_show_frames *frames = painter->frames;
	oz_painting *p = &painter->painting;
	*painting = p;
	oz_frame_free(&painter->frame);
	oz_result result = frames->read(frames->context, number, &painter->frame, error);
	if (result != OZ_OK)
		return result;
	oz_collider_views(frames->world, oz_show_time(frames, number), painter->colliders);
	// floors may move
	p->ground = oz_ground_of(painter->colliders, p->collider_count, p->box.min.y);
	return painter->maker ? paint_surfaces(painter, number, error)
	                      : paint_particles(painter, error);
}

oz_result oz_show_painter_draw(oz_show_painter *painter, uint32_t number, oz_tracer *tracer,
                               oz_picture *picture, oz_error *error)
{
	const oz_painting *painting;
	oz_result result = oz_show_painter_paint(painter, number, &painting, error);
	if (result == OZ_OK)
		result = oz_tracer_draw(tracer, painting, picture, error);
	if (result == OZ_OK)
		result = oz_show_painter_legend(painter, picture, error);
	return result;
}
