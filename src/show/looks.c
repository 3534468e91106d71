// looks.c: colours and appearances of materials, looks of colliders, the names of the legend.
//
// The scene's values come first; values that the scene does not give follow from the name of a
// material, or else from its preset.
#include <stdlib.h>

#include "base/base.h"
#include "models/traits.h"
#include "show/painter.h"

static oz_result no_memory(oz_error *error)
{
	return oz_fail(error, OZ_ERROR_MEMORY, "out of memory; close other programs");
}

// ---- materials --------------------------------------------------------------------------------

oz_result oz_show_colours(const oz_scene *scene, const oz_world *world, oz_vec3 **colours,
                          oz_error *error)
{
	const uint32_t count = oz_world_material_count(world);
	*colours = calloc((size_t)count + 1, sizeof **colours);
	if (!*colours)
		return no_memory(error);
	for (uint32_t k = 0; k < count; k++) {
		const oz_vec3 given = oz_scene_finish(scene, k).colour;
		const char *name = oz_world_get_material(world, k)->name;
		(*colours)[k] =
		        given.x >= 0 ? oz_colour_linear(given) : oz_colour_material(name, k);
	}
	return OZ_OK;
}

oz_appearance oz_show_appearance(const oz_scene *scene, const oz_world *world, oz_id material,
                                 float size)
{
	const oz_material_def *def = oz_world_get_material(world, material);
	const char *preset = oz_scene_preset(scene, material), *word = def->name;
	oz_finish finish = oz_scene_finish(scene, material);
	if (!oz_appearance_is_known(word) && oz_appearance_is_known(preset))
		word = preset;
	// a solid without a known name is not clear
	if (finish.look == OZ_LOOK_AUTO && !oz_appearance_is_known(word) &&
	    !oz_model_has(def->model, OZ_TRAIT_FLOWS))
		finish.look = OZ_LOOK_PLASTIC;
	return oz_appearance_of(&finish, word, material, size);
}

// ---- colliders --------------------------------------------------------------------------------

oz_result oz_painter_choose_looks(oz_show_painter *painter, oz_error *error)
{
	const oz_scene *scene = painter->frames->scene;
	const uint32_t count = painter->painting.collider_count;
	oz_result result = OZ_OK;
	painter->shaded_meshes = calloc((size_t)count + 1, sizeof *painter->shaded_meshes);
	if (!painter->shaded_meshes)
		return no_memory(error);
	for (uint32_t k = 0; k < count && result == OZ_OK; k++) {
		const oz_collider_mesh *source = oz_scene_get_collider_mesh(scene, k);
		uint32_t same = 0;
		while (same < k && oz_scene_get_collider_mesh(scene, same) != source)
			same++;
		if (source && same == k)
			result = oz_shaded_mesh_make(&source->mesh, &painter->shaded_meshes[k],
			                             error);
		painter->colliders[k].look = oz_scene_collider_look(scene, k);
		painter->colliders[k].shaded = source ? painter->shaded_meshes[same] : NULL;
	}
	return result;
}

// ---- the legend -------------------------------------------------------------------------------

oz_result oz_painter_name_colours(oz_show_painter *painter, oz_error *error)
{
	const oz_world *world = painter->frames->world;
	const oz_colouring by = painter->paint.by;
	const bool bodies = by == OZ_COLOUR_BODY;
	oz_painter_names *names = &painter->names;
	if (!bodies && (by != OZ_COLOUR_MATERIAL || !painter->def.material_names))
		return OZ_OK;
	names->count = bodies ? oz_world_body_count(world) : oz_world_material_count(world);
	names->names = calloc((size_t)names->count + 1, sizeof *names->names);
	names->colours = calloc((size_t)names->count + 1, sizeof *names->colours);
	if (!names->names || !names->colours)
		return no_memory(error);
	for (uint32_t k = 0; k < names->count; k++) {
		const char *name = bodies ? oz_world_body_name(world, k)
		                          : oz_world_get_material(world, k)->name;
		names->names[k] = name && name[0] ? name : "(no name)";
		names->colours[k] = bodies ? oz_colour_number(k) : painter->colours[k];
	}
	return OZ_OK;
}

oz_result oz_show_painter_legend(const oz_show_painter *painter, oz_picture *picture,
                                 oz_error *error)
{
	const oz_painter_names *names = &painter->names;
	const oz_paint *paint = &painter->paint;
	const char *title = oz_colouring_title(paint->by);
	if (title)
		return oz_picture_legend(picture, title, oz_colouring_unit(paint->by), paint->low,
		                         paint->high, error);
	if (names->names)
		return oz_picture_names(picture, names->names, names->colours, names->count, error);
	return OZ_OK;
}
