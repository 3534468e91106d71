// scene_models.c: keys that are for materials of some models alone.
//
// Which models read a parameter is a column of the parameter table. Keys that only scene files know
// name the trait that the model must have. A key of another model is refused: it would change
// nothing.
#include <json-c/json.h>

#include "models/traits.h"
#include "scene_data.h"

static uint32_t models_with(uint32_t trait)
{
	return trait ? oz_models_with(trait) : 0;
}

uint32_t oz_row_models(const section_part *part, const oz_param *row)
{
	return row->models ? row->models : models_with(part->trait);
}

uint32_t oz_section_models(const scene_section *section)
{
	return models_with(section->trait);
}

uint32_t oz_key_models(const scene_section *section, const char *key)
{
	const section_part *part;
	const oz_param *row = oz_section_find(section, key, &part);
	const section_child *child = oz_section_child(section, key);
	return row ? oz_row_models(part, row) : child ? oz_section_models(child->section) : 0;
}

static oz_result refuse(scene_reader *reader, const scene_section *section, uint32_t models,
                        oz_model model)
{
	char owners[100];
	const char *noun = oz_model_traits_of(model)->noun;
	uint32_t first = 0;
	while (!(models >> first & 1))
		first++;
	oz_models_plurals(models, owners, sizeof owners);
	if (section == &oz_section_material)
		return oz_read_fail(reader,
		                    "is for %s, and this is %s; add \"model\": \"%s\" or take it "
		                    "away",
		                    owners, noun, oz_model_traits_of((oz_model)first)->word);
	return oz_read_fail(reader,
	                    "is for %s, and the material is %s; take it away or use another "
	                    "material",
	                    owners, noun);
}

oz_result oz_refuse_other_models(scene_reader *reader, const scene_section *section,
                                 struct json_object *object, oz_model model)
{
	struct json_object_iterator at = json_object_iter_begin(object);
	struct json_object_iterator end = json_object_iter_end(object);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *key = json_object_iter_peek_name(&at);
		const uint32_t models = oz_key_models(section, key);
		if (oz_models_include(models, model))
			continue;
		oz_path_key(&reader->path, key);
		return refuse(reader, section, models, model);
	}
	return OZ_OK;
}
